"""Makes tasks over a catalogue: the published mix of levels, objectives and sizes, each with a proof that it works.

A task is drawn, its budget is set where it bites, and it is kept only if it passes every gate. The gates
are checked with the exact solver, so a kept task has a feasible optimum, and what it asks for makes a difference.
"""

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import accumulate
from random import Random
from typing import TypeVar

from tripgauge.compass.catalogue import Catalogue
from tripgauge.compass.constraints import (
    FUNDAMENTALS,
    HOTEL_FLAGS,
    ROOM_FLAGS,
    VOCABULARY,
    WISHES,
    Constraint,
    Value,
    either,
)
from tripgauge.compass.generation.markets import AIRLINES, BRANDS
from tripgauge.compass.generation.scenarios import NAMES, SCENARIOS, Scenario, parties
from tripgauge.compass.objectives import METRICS, FeatureCount, Objective, ObjectiveKind, SingleMetric
from tripgauge.compass.offers import LAST_DAY, WEEKDAYS, Choice, Stay, weekday
from tripgauge.compass.ranking import passing_share
from tripgauge.compass.solver import FeasibleSet, Solver
from tripgauge.compass.task import Level, StatedConstraint, Task, task_line
from tripgauge.errors import UsageError

DEFAULT_SEED = 0
DEFAULT_COUNT = 281

_Item = TypeVar("_Item")


# ---------------------------------------------------------------------------------------------------------------
# The mix


@dataclass(frozen=True)
class Slot:
    """What one task of the set has to be."""

    level: Level
    kind: ObjectiveKind
    metric: str | None
    wishes: int
    """Length of the wish list; 0 for single metrics."""

    constraints: int


GOALS: dict[tuple[Level, str | None], int] = {
    (1, "price"): 44,
    (1, "review_score"): 14,
    (1, "distance"): 11,
    (1, "review_count"): 9,
    (1, None): 64,
    (2, "total_cost"): 25,
    (2, "drive_time"): 10,
    (2, "review_score"): 1,
    (2, "distance"): 1,
    (2, "review_count"): 1,
    (2, None): 31,
    (3, "total_cost"): 25,
    (3, "review_score"): 7,
    (3, "distance"): 4,
    (3, "review_count"): 2,
    (3, None): 32,
}
"""How many tasks have which level and metric; None is the feature count."""

CONSTRAINT_COUNTS = {5: 11, 6: 34, 7: 96, 8: 93, 9: 33, 10: 14}
"""How many tasks have so many hard constraints."""

WISH_COUNTS = {5: 10, 6: 17, 8: 55, 10: 33, 12: 12}
"""How many wish lists have so many wishes."""


def slots(count: int, dice: Random) -> list[Slot]:
    """The mix for so many tasks, in proportion to the published one, in random order."""
    goals = _goals(count)
    features = sum(1 for _, metric in goals if metric is None)
    wishes = shuffled(_spread(WISH_COUNTS, features), dice)
    sizes = sorted(shuffled(_spread(CONSTRAINT_COUNTS, count), dice))
    hotels = sum(1 for level, _ in goals if level == 1)
    # Flights need an origin on top of the five fundamentals. So the shortest lists are for hotels only: then every task
    # with flights has something to tell later.
    short = [size for size in sizes if size <= 6][:hotels]
    long = shuffled(sizes[len(short) :], dice)
    hotel_sizes = shuffled(short + long[: hotels - len(short)], dice)
    other_sizes = [max(size, 6) for size in long[hotels - len(short) :]]
    found = []
    for level, metric in goals:
        size = (hotel_sizes if level == 1 else other_sizes).pop()
        length = wishes.pop() if metric is None else 0
        found.append(Slot(level, "single_metric" if metric else "feature_count", metric, length, size))
    return shuffled(found, dice)


def _goals(count: int) -> list[tuple[Level, str | None]]:
    """Level and metric of so many tasks: first the levels in proportion, then the metrics within each."""
    totals: dict[Level, int] = {}
    for (level, _), share in GOALS.items():
        totals[level] = totals.get(level, 0) + share
    by_level = Counter(_spread(totals, count))
    return [
        goal
        for level in totals
        for goal in _spread({goal: share for goal, share in GOALS.items() if goal[0] == level}, by_level[level])
    ]


def _spread(shares: dict[_Item, int], count: int) -> list[_Item]:
    """So many items in proportion to their shares: largest remainders get what rounding leaves over."""
    total = sum(shares.values())
    exact = {item: count * share / total for item, share in shares.items()}
    whole = {item: int(amount) for item, amount in exact.items()}
    by_rest = sorted(shares, key=lambda item: whole[item] - exact[item])
    for item in by_rest[: count - sum(whole.values())]:
        whole[item] += 1
    return [item for item in shares for _ in range(whole[item])]


# -- Drawing. Only `Random.random` is used: its sequence is the same in every version of Python.


def chosen(items: Sequence[_Item], dice: Random) -> _Item:
    return items[int(dice.random() * len(items))]


def shuffled(items: Sequence[_Item], dice: Random) -> list[_Item]:
    keyed = sorted((dice.random(), place) for place in range(len(items)))
    return [items[place] for _, place in keyed]


def some(items: Sequence[_Item], count: int, dice: Random) -> tuple[_Item, ...]:
    """Different items, in their order."""
    picked = sorted(shuffled(range(len(items)), dice)[:count])
    return tuple(items[place] for place in picked)


# ---------------------------------------------------------------------------------------------------------------
# The gates

LEAST_FEASIBLE = 20
MOST_FEASIBLE = 500_000
"""Ours: so that Algorithm 1 can list every default task."""

LEAST_UTILITIES = 4
MOST_PASSING: dict[ObjectiveKind, float] = {"single_metric": 0.15, "feature_count": 0.25}
"""The largest share of all feasible plans that may count as top 5 percent."""

REVELATION_SHARE = 0.60
"""In this share of tasks, at least, the best plan at the beginning must not survive what is told later."""


@dataclass(frozen=True)
class Gates:
    """What the gates found."""

    size: int
    passing: float
    utilities: int
    """Different utilities, counted up to four."""

    cheapest_is_best: bool
    implied: tuple[str, ...]
    """Constraints that exclude nothing."""

    revelation_matters: bool
    """The best plan before anything is told later violates something that is."""

    def passed(self, kind: ObjectiveKind, *, is_cost: bool) -> bool:
        return (
            LEAST_FEASIBLE <= self.size <= MOST_FEASIBLE
            and self.passing <= MOST_PASSING[kind]
            and self.utilities >= LEAST_UTILITIES
            and (is_cost or not self.cheapest_is_best)
            and not self.implied
        )


def gates(task: Task, solver: Solver) -> Gates:
    """What the gates say about a task."""
    feasible = solver.solve(task)
    if not feasible.size:
        return Gates(0, 1.0, 0, cheapest_is_best=False, implied=(), revelation_matters=False)
    return Gates(
        feasible.size,
        passing_share(feasible.utilities, 5),
        _utilities(feasible),
        cheapest_is_best=_cheapest_is_best(task, solver, feasible),
        implied=tuple(_implied(task, solver, feasible.size)),
        revelation_matters=revelation_matters(task, solver),
    )


def _utilities(feasible: FeasibleSet) -> int:
    """Different utilities, counted up to four."""
    count, utility = 1, feasible.optimum
    while count < LEAST_UTILITIES and utility is not None:
        utility = feasible.utilities.next_below(utility)
        count += utility is not None
    return count


def _cheapest_is_best(task: Task, solver: Solver, feasible: FeasibleSet) -> bool:
    cheapest = solver.solve(replace(task, objective=cost_objective(task.level))).best
    plan = solver.catalogue.plan(cheapest) if cheapest else None
    return plan is not None and task.objective.utility(plan, task.guests) == feasible.optimum


def _implied(task: Task, solver: Solver, size: int) -> list[str]:
    asked = [stated for stated in task.constraints if stated.constraint.type not in FUNDAMENTALS]
    return [stated.constraint.type for stated in asked if solver.solve(task.relaxed(stated)).size == size]


def revelation_matters(task: Task, solver: Solver) -> bool:
    """Whether the best plan for what is said at first violates something that is told later."""
    early = solver.solve(task.revealed(0)).best
    plan = solver.catalogue.plan(early) if early else None
    return plan is not None and not all(later.constraint.holds(plan, task.guests) for later in task.progressive)


def cost_objective(level: Level) -> Objective:
    return SingleMetric(METRICS["price" if level == 1 else "total_cost"])


# ---------------------------------------------------------------------------------------------------------------
# What can be asked


@dataclass(frozen=True)
class _Setting:
    """What the values of constraints are drawn for."""

    catalogue: Catalogue
    level: Level
    guests: int
    parks: tuple[str, ...]

    @property
    def permits(self) -> list[str]:
        """The permits of the parks."""
        catalogue = self.catalogue
        rows = [row for name in self.parks for row in catalogue.permits_of(catalogue.park_ids[name])]
        return sorted({catalogue.permits.row(row).template_name for row in rows})


ValueOf = Callable[[_Setting, Random], Value]


def _one_of(*values: Value) -> ValueOf:
    return lambda setting, dice: chosen(values, dice)


def _some_of(items: tuple[str, ...], least: int, most: int) -> ValueOf:
    return lambda setting, dice: some(items, least + int(dice.random() * (most - least + 1)), dice)


def _a_permit(setting: _Setting, dice: Random) -> Value:
    return some(setting.permits, 1, dice)


_FLAG = _one_of(True)

ASKED: dict[str, tuple[float, ValueOf]] = {
    "min_star_rating": (2.0, _one_of(25, 30, 35, 40)),
    "min_review_score": (2.5, _one_of(70, 72, 75, 78, 80, 85)),
    "min_review_count": (1.5, _one_of(100, 200, 300, 500)),
    "max_distance": (2.0, _one_of(500, 800, 1000, 1500, 2000, 3000)),
    "brand_in": (0.6, _some_of(BRANDS, 2, 4)),
    "brand_not_in": (0.5, _some_of(BRANDS, 1, 2)),
    "same_hotel_brand": (0.3, _one_of(*BRANDS)),
    "property_type_in": (1.0, _some_of(("hotel", "motel", "lodge", "inn", "resort", "cabin"), 2, 4)),
    "max_nightly_price": (1.5, _one_of(*range(12500, 45000, 2500))),
    "bed_type": (1.2, _one_of(("queen", 1), ("king", 1), ("double", 2), ("queen", 2), ("twin", 2))),
    "free_cancellation": (2.0, _FLAG),
    "breakfast_included": (1.5, _FLAG),
    "no_prepayment_needed": (1.0, _FLAG),
    "one_room_only": (1.0, _FLAG),
    **dict.fromkeys((*HOTEL_FLAGS, *ROOM_FLAGS), (0.25, _FLAG)),
    "direct_only": (2.0, _FLAG),
    "airline_in": (1.2, _some_of(AIRLINES, 1, 2)),
    "booking_class": (0.8, _one_of("economy", "premium_economy", "business")),
    "max_flight_minutes": (1.5, _one_of(*range(240, 660, 30))),
    "depart_after": (1.5, _one_of("07:00", "08:00", "09:00", "10:00")),
    "arrive_before": (1.5, _one_of("20:00", "21:00", "22:00", "23:00")),
    "checked_bag_included": (1.2, _FLAG),
    "pets_allowed": (0.5, _FLAG),
    "is_refundable": (0.8, _FLAG),
    "airport_type": (0.8, _one_of("regional", "large")),
    "max_drive_hours": (1.2, _one_of(100, 150, 200, 250, 300, 400)),
    "permit_template": (1.5, _a_permit),
    "permit_kind": (1.5, _one_of("day_hikes", "guided_tours", "backpacking")),
    "permit_on_weekday": (1.2, _some_of(WEEKDAYS, 1, 3)),
    "permit_days": (0.8, _one_of(1, 2, 3)),
    "permit_buffer_days": (1.0, _one_of(1)),
}
"""What travelers ask for later, how often, and with which values."""

ALTERNATIVES = (
    ("brand_in", "brand_not_in", "same_hotel_brand"),
    ("has_parking", "has_free_parking"),
    ("permit_template", "permit_kind"),
)
"""Of each of these at most one is asked for: the others would follow from it or contradict it."""


# ---------------------------------------------------------------------------------------------------------------
# Drawing a task

ATTEMPTS = 4000


def generate_tasks(solver: Solver, seed: int = DEFAULT_SEED, count: int = DEFAULT_COUNT) -> tuple[Task, ...]:
    """A task set: the published mix, every task past every gate.

    Raises UsageError where the catalogue is too small to give a task that passes.
    """
    numbers: Counter[str] = Counter()
    tasks: list[Task] = []
    later = hinging = 0
    for place, slot in enumerate(slots(count, Random(f"{seed} mix"))):
        has_later = slot.constraints > _initial(slot.level)
        must_hinge = has_later and hinging < HINGING_SHARE * (later + 1)
        drawn = draw_task(slot, solver, seed, place, must_hinge=must_hinge)
        later += has_later
        hinging += drawn.gates.revelation_matters
        numbers[drawn.scenario] += 1
        tasks.append(_numbered(drawn.task, numbers[drawn.scenario]))
    return tuple(tasks)


HINGING_SHARE = 0.65
"""Kept up while drawing, a little above what is asked for in the end."""


def _initial(level: Level) -> int:
    """How many constraints are told at first: the fundamentals, and the origin of a flight."""
    return len(FUNDAMENTALS) + (level >= 2)


@dataclass(frozen=True)
class Drawn:
    task: Task
    scenario: str
    gates: Gates


def draw_task(slot: Slot, solver: Solver, seed: int, place: int, *, must_hinge: bool = False) -> Drawn:
    """A task for a slot that passes the gates. Its id is not yet complete."""
    for attempt in range(ATTEMPTS):
        dice = Random(f"{seed} {place} {attempt}")
        scenario = chosen([kind for kind in SCENARIOS if _suits(kind, slot)], dice)
        task = _budgeted(_drawn(slot, scenario, solver.catalogue, seed, dice), solver, dice)
        if task is None:
            continue
        found = gates(task, solver)
        if found.passed(slot.kind, is_cost=task.objective.is_cost) and (found.revelation_matters or not must_hinge):
            return Drawn(task, scenario.id, found)
    raise UsageError(f"No task for {slot} in {ATTEMPTS} attempts: the catalogue offers too little.")


def _suits(scenario: Scenario, slot: Slot) -> bool:
    if (scenario.level, scenario.kind) != (slot.level, slot.kind):
        return False
    return slot.metric is None or slot.metric in scenario.metrics


def _numbered(task: Task, number: int) -> Task:
    """The task with its id: scenario, number, and eight digits that follow from its content."""
    digits = sha256(task_line(task).encode()).hexdigest()[:8]
    return replace(task, task_id=f"{task.task_id}_{number}_task_{digits}")


def _drawn(slot: Slot, scenario: Scenario, catalogue: Catalogue, seed: int, dice: Random) -> Task:
    """A task without its budget."""
    guests = chosen(scenario.guests, dice)
    parks = some(tuple(catalogue.park_ids), _park_count(slot, dice), dice)
    setting = _Setting(catalogue, slot.level, guests, parks)
    initial = [
        Constraint("location", parks),
        Constraint("dates", tuple((stay.start, stay.end) for stay in _stays(slot.level, dice))),
        Constraint("room_occupancy", _occupancy(guests, dice)),
        Constraint("guests", guests),
    ]
    if slot.level >= 2:
        airports = catalogue.airports.rows()
        initial.append(Constraint("origin", chosen([airport.code for airport in airports if airport.is_origin], dice)))
    later = _later(slot, scenario, setting, dice)
    objective = _objective(slot, scenario, later, dice)
    stated = [StatedConstraint("", constraint, "initial") for constraint in initial]
    stated += [
        StatedConstraint("", constraint, "progressive", order) for order, constraint in enumerate(later, start=1)
    ]
    story = chosen(scenario.stories, dice).format(
        name=chosen(NAMES, dice), party=chosen(parties(scenario, guests), dice), park=either(parks)
    )
    return Task(scenario.id, slot.level, scenario.title, objective, tuple(stated), story, seed)


def _park_count(slot: Slot, dice: Random) -> int:
    if slot.metric == "drive_time":
        return chosen((3, 4, 4, 5), dice)
    return chosen((1, 1, 1, 2, 2, 3), dice)


def _stays(level: Level, dice: Random) -> tuple[Stay, ...]:
    """The stays that a phrase such as "any weekend in August" stands for."""
    last = LAST_DAY if level >= 2 else LAST_DAY + 1
    nights = chosen((3, 3, 4, 4, 5, 6) if level == 3 else (1, 2, 2, 3, 3, 4, 5), dice)
    match chosen(("fixed", "weekends", "window", "window", "window", "weekday"), dice):
        case "fixed":
            start = 1 + int(dice.random() * (last - nights))
            return (Stay(start, start + nights),)
        case "weekends" if level < 3:
            return tuple(Stay(day, day + 2) for day in range(1, LAST_DAY - 1) if weekday(day) == "Friday")
        case "weekday":
            name = chosen(WEEKDAYS, dice)
            starts = [day for day in range(1, LAST_DAY + 1) if weekday(day) == name and day + nights <= last]
            return tuple(Stay(day, day + nights) for day in starts)
        case _:
            choices = chosen((4, 5, 7, 9, 12), dice)
            start = 1 + int(dice.random() * (last - nights - choices + 1))
            return tuple(Stay(day, day + nights) for day in range(start, start + choices))


def _occupancy(guests: int, dice: Random) -> int:
    return guests if 3 <= guests <= 4 and dice.random() < 0.4 else 2


def _later(slot: Slot, scenario: Scenario, setting: _Setting, dice: Random) -> list[Constraint]:
    """What is told later, in that order: first of all something the scenario is about."""
    count = slot.constraints - _initial(slot.level)
    types = [type_ for type_ in ASKED if VOCABULARY[type_].level <= slot.level and _askable(type_, setting, slot)]
    favorites = [type_ for type_ in scenario.asks if type_ in types]
    order = some(favorites, min(len(favorites), 2), dice) + tuple(_by_weight(types, dice))
    picked: list[str] = []
    for type_ in order:
        rivals = {rival for group in ALTERNATIVES if type_ in group for rival in group} | {type_}
        if len(picked) < count and not rivals & set(picked):
            picked.append(type_)
    return [Constraint(type_, ASKED[type_][1](setting, dice)) for type_ in shuffled(picked, dice)]


def _by_weight(types: Sequence[str], dice: Random) -> list[str]:
    """The types in random order, the often asked ones rather first."""
    left, order = list(types), []
    while left:
        steps = list(accumulate(ASKED[type_][0] for type_ in left))
        place = bisect_right(steps, dice.random() * steps[-1])
        order.append(left.pop(min(place, len(left) - 1)))
    return order


def _askable(type_: str, setting: _Setting, slot: Slot) -> bool:
    """Whether a constraint makes sense here and leaves the objective something to do."""
    if type_ == "one_room_only":
        return setting.guests > 1
    if type_ == "permit_template":
        return len(setting.permits) > 1
    return {"max_drive_hours": "drive_time", "max_distance": "distance"}.get(type_) != (slot.metric or "")


def _objective(slot: Slot, scenario: Scenario, later: Sequence[Constraint], dice: Random) -> Objective:
    if slot.metric:
        return SingleMetric(METRICS[slot.metric])
    asked = {constraint.type for constraint in later}
    free = [type_ for type_ in WISHES if VOCABULARY[type_].level <= slot.level and _wishable(type_, asked)]
    favorites = [type_ for type_ in scenario.wishes if type_ in free]
    picked = dict.fromkeys((*some(favorites, (slot.wishes + 1) // 2, dice), *shuffled(free, dice)))
    return FeatureCount(tuple(_wish(type_, dice) for type_ in tuple(picked)[: slot.wishes]))


def _wishable(type_: str, asked: set[str]) -> bool:
    """A wish neither repeats nor follows from what must be anyway."""
    implied = {"has_parking": {"has_free_parking"}, "permit_kind": {"permit_template"}}
    return type_ not in asked and not implied.get(type_, set()) & asked


def _wish(type_: str, dice: Random) -> Constraint:
    match type_:
        case "bed_type":
            return Constraint(type_, chosen((("king", 1), ("queen", 1), ("queen", 2), ("double", 2)), dice))
        case "permit_kind":
            return Constraint(type_, chosen(("day_hikes", "guided_tours", "backpacking"), dice))
    return Constraint(type_, True)


def _budgeted(task: Task, solver: Solver, dice: Random) -> Task | None:
    """The task with a budget that some, not all, of its plans meet, and with its constraints numbered.

    None if too few plans are left.
    """
    costs = solver.solve(replace(task, objective=cost_objective(task.level))).utilities
    share = 0.25 + 0.6 * dice.random()
    if costs.size * share < LEAST_FEASIBLE:
        return None
    cents = -costs.at_place(int(costs.size * share))
    budget = StatedConstraint("", Constraint("budget", -(-cents // 1000) * 1000), "initial")
    initial = [*task.initial, budget]
    constraints = [
        replace(stated, id=f"c{place}") for place, stated in enumerate([*initial, *task.progressive], start=1)
    ]
    return replace(task, constraints=tuple(constraints))


def witness(task: Task, solver: Solver) -> Choice | None:
    """One of the best plans: proof that the task can be solved."""
    return solver.solve(task).best
