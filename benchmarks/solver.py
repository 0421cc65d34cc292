"""Measures the COMPASS solver and the hotel search, fast and reference side by side in one run.

    python benchmarks/solver.py              # scale 1, and scale 10 where the reference can follow: some minutes
    python benchmarks/solver.py --scale-100  # the growth to scale 100 as well

Every comparison also checks that both sides give the same answer. Times are those of the processor, on one core; they
vary with the machine, the ratios matter.
"""

import argparse
import json
import resource
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from random import Random
from sqlite3 import Connection
from statistics import median

from tripgauge.compass.constraints import Constraint
from tripgauge.compass.database import in_memory
from tripgauge.compass.defaults import default_tasks
from tripgauge.compass.generation.catalogue import generate_catalogue
from tripgauge.compass.generation.tasks import cost_objective
from tripgauge.compass.index import Index
from tripgauge.compass.offers import Stay
from tripgauge.compass.ranking import TOP_PERCENTS, threshold
from tripgauge.compass.reference import feasible_plans, utilities_of
from tripgauge.compass.search import LodgingQuestion, Search
from tripgauge.compass.solver import Solver
from tripgauge.compass.task import Level, StatedConstraint, Task, all_stays

MOST_FOR_REFERENCE = 2_000_000
"""Plans that the reference can list in reasonable time and memory."""


@dataclass(frozen=True)
class Measure:
    """One line of the result."""

    what: str
    reference_s: float | None
    fast_s: float
    aim: str
    detail: str = ""

    @property
    def ratio(self) -> float | None:
        return self.reference_s / self.fast_s if self.reference_s is not None else None


def timed(action: Callable[[], object]) -> tuple[float, object]:
    start = time.process_time()
    result = action()
    return time.process_time() - start, result


def quickest(action: Callable[[], object]) -> tuple[float, object]:
    """The quickest of three runs: what is left when nobody else disturbs."""
    return min((timed(action) for _ in range(3)), key=lambda run: run[0])


Figures = tuple[int, int | None, tuple[int, ...]]


def fast(task: Task, solver: Solver) -> Figures:
    solution = solver.solve(task).solution
    return solution.size, solution.optimum, solution.thresholds


def reference(task: Task, connection: Connection) -> Figures:
    utilities = utilities_of(feasible_plans(task, connection))
    if not utilities.size:
        return 0, None, ()
    return utilities.size, utilities.best, tuple(threshold(utilities, percent) for percent in TOP_PERCENTS)


# ---------------------------------------------------------------------------------------------------------------


def suite(solver: Solver, connection: Connection) -> Measure:
    """All default tasks with thresholds."""
    tasks = default_tasks()
    fast(tasks[0], solver)  # columns are looked up once
    slow_s, expected = timed(lambda: [reference(task, connection) for task in tasks])
    fast_s, found = timed(lambda: [fast(task, solver) for task in tasks])
    assert found == expected
    return Measure("scale 1, 281 tasks with thresholds", slow_s, fast_s, ">= 15 x")


def open_ended(level: Level, parks: int, seed: int, cents: int) -> Task:
    """Two to five nights anywhere in August, few filters."""
    dice = Random(seed)
    names = [str(name) for name in generate_catalogue().parks.values("name")]
    chosen = tuple(sorted(dice.sample(names, parks)))
    stays = tuple((stay.start, stay.end) for stay in all_stays([2, 3, 4, 5]))
    constraints = [
        Constraint("location", chosen),
        Constraint("dates", stays),
        Constraint("room_occupancy", 2),
        Constraint("guests", 2),
        Constraint("budget", cents),
    ]
    constraints += [Constraint("origin", dice.choice(["JFK", "ORD", "LAX", "SEA"]))] if level >= 2 else []
    stated = tuple(StatedConstraint(f"c{n}", c, "initial") for n, c in enumerate(constraints, start=1))
    return Task(f"open_{level}_{seed}", level, "", cost_objective(level), stated, "", seed)


OPEN_ENDED: tuple[tuple[Level, int, int], ...] = ((1, 20, 200_000), (2, 5, 250_000), (3, 1, 300_000))
"""Level, parks and budget in cents."""


def open_ended_tasks(solver: Solver, connection: Connection) -> Iterator[Measure]:
    for level, parks, cents in OPEN_ENDED:
        task = open_ended(level, parks, 1, cents)
        fast(task, solver)
        slow_s, expected = timed(lambda task=task: reference(task, connection))
        found_s = [timed(lambda task=task: fast(task, solver)) for _ in range(3)]
        assert all(found == expected for _, found in found_s)
        fast_s = median(seconds for seconds, _ in found_s)
        size = f"{solver.solve(task).size:,} plans"
        yield Measure(f"scale 1, open-ended, level {level}, with thresholds", slow_s, fast_s, ">= 80 x", size)


def scale_10(solver: Solver, connection: Connection) -> Measure:
    """The default tasks at scale 10 that the reference can finish."""
    tasks = [task for task in default_tasks() if solver.solve(task).size <= MOST_FOR_REFERENCE]
    slow_s, expected = timed(lambda: [reference(task, connection) for task in tasks])
    fast_s, found = timed(lambda: [fast(task, solver) for task in tasks])
    assert found == expected
    return Measure("scale 10, tasks the reference can finish", slow_s, fast_s, ">= 100 x", f"{len(tasks)} of 281 tasks")


def growth(smaller: Solver, larger: Solver, what: str, aim: str) -> Measure:
    """The same tasks over ten times the offers: the ratio is larger by smaller."""
    tasks = default_tasks()
    fast(tasks[0], smaller)
    fast(tasks[0], larger)
    small_s, _ = timed(lambda: [fast(task, smaller) for task in tasks])
    large_s, _ = timed(lambda: [fast(task, larger) for task in tasks])
    return Measure(f"growth of the suite, {what}", large_s, small_s, aim)


def exact_rank(smaller: Solver, larger: Solver) -> Iterator[Measure]:
    """The exact rank of a plan among all of an open-ended task; the ratio is larger by smaller."""
    for level, parks, cents in OPEN_ENDED:
        task = open_ended(level, parks, 1, 4 * cents)
        plan = smaller.catalogue.plan(smaller.solve(task).best)  # type: ignore[arg-type]
        assert plan
        utility = task.objective.utility(plan, task.guests)
        small_s, _ = quickest(lambda task=task, u=utility: smaller.solve(task).utilities.better_than(u))
        large_s, better = quickest(lambda task=task, u=utility: larger.solve(task).utilities.better_than(u))
        size = larger.solve(task).size
        detail = f"rank {better:,} of {size:,}; peak memory {peak_gb():.2f} GB"
        yield Measure(f"exact rank, open-ended, level {level}, scale 10 to 100", large_s, small_s, "<= 12 x", detail)


def peak_gb() -> float:
    """The most memory this process has had."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (2**30 if sys.platform == "darwin" else 2**20)


# ---------------------------------------------------------------------------------------------------------------

HOTEL_SEARCH = """
    SELECT c.config_id, (:guests + r.max_occupancy - 1) / r.max_occupancy AS rooms,
           (:guests + r.max_occupancy - 1) / r.max_occupancy * SUM(o.price_cents) AS price
    FROM configs c JOIN rooms r USING (room_id) JOIN hotels h ON h.hotel_id = c.hotel_id
         JOIN offers o ON o.config_id = c.config_id AND o.day >= :start AND o.day < :end
    WHERE c.park_id = :park AND h.has_parking >= :parking AND c.free_cancellation >= :cancellation
    GROUP BY c.config_id
    HAVING COUNT(*) = :end - :start AND MIN(o.rooms_available) >= rooms
    ORDER BY price, c.config_id
"""


def hotel_search(index: Index, connection: Connection, scale: int) -> Measure:
    """The search behind AccommodationSearch, against the indexed query; both give ids, rooms and prices, sorted."""
    dice = Random(0)
    questions = []
    for _ in range(400):
        start, nights = dice.randint(1, 25), dice.randint(1, 5)
        stay, flags = Stay(start, start + nights), (dice.random() < 0.5, dice.random() < 0.5)
        questions.append((dice.randint(1, 20), stay, dice.randint(1, 5), *flags))
    search = Search(index)
    for park, stay, guests, *_ in questions:  # columns and rooms for each size of party are looked up once
        rows_of(search, park, LodgingQuestion(stay, guests, has_parking=True, free_cancellation=True))
    slow, quick = [], []
    for park, stay, guests, parking, cancellation in questions:
        values = {"park": park, "start": stay.start, "end": stay.end, "guests": guests}
        values |= {"parking": parking, "cancellation": cancellation}
        slow_s, rows = timed(lambda values=values: connection.execute(HOTEL_SEARCH, values).fetchall())
        asked = LodgingQuestion(stay, guests, has_parking=parking, free_cancellation=cancellation)
        fast_s, found = timed(lambda park=park, asked=asked: rows_of(search, park, asked))
        assert found == rows
        slow.append(slow_s)
        quick.append(fast_s)
    detail = f"median of {len(questions)} searches; all together {sum(slow):.3f} against {sum(quick):.3f} s"
    return Measure(f"hotel search, scale {scale}", median(slow), median(quick), ">= 5 x", detail)


def rows_of(search: Search, park: int, asked: LodgingQuestion) -> list[tuple[int, int, int]]:
    found = search.lodgings(search.catalogue.configs_of(park), asked)
    return list(zip((found.configs + 1).tolist(), found.rooms.tolist(), found.cost.tolist(), strict=True))


# ---------------------------------------------------------------------------------------------------------------


def measures(*, with_100: bool) -> Iterator[Measure]:
    one = Index(generate_catalogue())
    connection = in_memory(one.catalogue)
    yield suite(Solver(one), connection)
    yield from open_ended_tasks(Solver(one), connection)
    yield hotel_search(one, connection, 1)
    ten = Index(generate_catalogue(scale=10))
    yield growth(Solver(one), Solver(ten), "scale 1 to 10", "<= 6 x")
    connection = in_memory(ten.catalogue)
    yield scale_10(Solver(ten), connection)
    yield hotel_search(ten, connection, 10)
    connection.close()
    if with_100:
        hundred = Index(generate_catalogue(scale=100))
        yield growth(Solver(ten), Solver(hundred), "scale 10 to 100", "<= 12 x")
        yield from exact_rank(Solver(ten), Solver(hundred))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scale-100", action="store_true")
    parser.add_argument("--json", action="store_true", help="one JSON object a line")
    options = parser.parse_args()
    for measure in measures(with_100=options.scale_100):
        if options.json:
            print(json.dumps({**asdict(measure), "ratio": measure.ratio}), flush=True)
        else:
            other = f"{measure.reference_s:10.5f} s" if measure.reference_s is not None else " " * 12
            line = f"{measure.what:55} {other} {measure.fast_s:9.6f} s {measure.ratio or 0:8.1f} x  aim {measure.aim:9}"
            print(line, measure.detail, flush=True)


if __name__ == "__main__":
    main()
