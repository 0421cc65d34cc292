"""The exact solver: how many plans are feasible, the best one, and the rank of any, without listing them.

What a plan costs and what it is worth are sums over its lodging and its partners, a flight and a permit. So the
lodgings of a stay and the partners of that stay are listed apart (`candidates`), and combined by counting (`pairs`).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from tripgauge.compass.candidates import Candidates
from tripgauge.compass.constraints import find_uncoupled
from tripgauge.compass.index import Index
from tripgauge.compass.offers import Choice, TravelPlan, parse_choice
from tripgauge.compass.pairs import BestPair, CostRows, PairCosts, PartnerTable, best_pair, count_utilities
from tripgauge.compass.ranking import TOP_PERCENTS, Each, Histogram, Standing, Utilities, standing, threshold
from tripgauge.compass.task import StatedConstraint, Task

# ---------------------------------------------------------------------------------------------------------------
# What comes out


@dataclass(frozen=True)
class FeasibleSet:
    """Every plan that meets the constraints of a task, as far as anybody asks: never listed, always exact."""

    task: Task
    utilities: Utilities
    best: Choice | None
    """One of the best plans, the cheapest of them; None if nothing is feasible."""

    @property
    def size(self) -> int:
        return self.utilities.size

    @property
    def optimum(self) -> int | None:
        return self.utilities.best if self.size else None

    def standing(self, plan: TravelPlan) -> Standing | None:
        """Where a plan ranks; None if it is not feasible."""
        if not is_feasible(self.task, plan):
            return None
        return standing(self.utilities, self.task.objective.utility(plan, self.task.guests))

    @property
    def solution(self) -> "Solution":
        """What is worth keeping of it."""
        thresholds = tuple(threshold(self.utilities, percent) for percent in TOP_PERCENTS) if self.size else ()
        return Solution(self.task.task_id, self.size, self.optimum, thresholds, self.best)


@dataclass(frozen=True)
class Solution:
    """The solution of a task in figures."""

    task_id: str
    size: int
    optimum: int | None
    thresholds: tuple[int, ...]
    """The least utilities in the top 5, 10 and 20 percent; empty if nothing is feasible."""

    best: Choice | None


def solution_to_json(solution: Solution) -> dict[str, Any]:
    """A solution as in solution files."""
    best = solution.best
    ids = {name: getattr(best, name) for name in ("hotel", "flight", "permit")} if best else {}
    return {
        "task_id": solution.task_id,
        "feasible": solution.size,
        "optimum": solution.optimum,
        "thresholds": {str(top): utility for top, utility in zip(TOP_PERCENTS, solution.thresholds, strict=False)},
        "witness": {name: str(package) for name, package in ids.items() if package} if best else None,
    }


def solution_from_json(found: Mapping[str, Any]) -> Solution:
    """The solution of a solution file."""
    ids = found["witness"]
    best = parse_choice(ids["hotel"], ids.get("flight"), ids.get("permit")) if ids else None
    thresholds = tuple(found["thresholds"].values())
    return Solution(found["task_id"], found["feasible"], found["optimum"], thresholds, best)


def is_feasible(task: Task, plan: TravelPlan) -> bool:
    """Whether a plan meets every constraint of a task and is one trip: what the grader asks."""
    if any(find_uncoupled(plan, task.level)):
        return False
    return all(stated.constraint.holds(plan, task.guests) for stated in task.constraints)


@dataclass(frozen=True)
class Price:
    """What a constraint costs: what becomes possible without it."""

    stated: StatedConstraint
    size: int
    """Feasible plans without it."""

    optimum: int | None
    gain: int
    """By how much the best utility grows; 0 if the best plan stays the best."""


# ---------------------------------------------------------------------------------------------------------------


class Solver:
    """Solves tasks over one catalogue; what all tasks need is looked up once."""

    def __init__(self, index: Index) -> None:
        self.index = index
        self.catalogue = index.catalogue

    def solve(self, task: Task) -> FeasibleSet:
        """The feasible set of a task."""
        candidates = Candidates(self.index, task)
        return _of_lodgings(candidates) if task.level == 1 else _of_pairs(candidates)

    def prices(self, task: Task) -> tuple[Price, ...]:
        """What each constraint of a task costs. Dates and parks are opened, the number of guests stays."""
        optimum = self.solve(task).optimum
        found = []
        for stated in task.constraints:
            if stated.constraint.type == "guests":
                continue
            relaxed = self.solve(task.relaxed(stated))
            gain = relaxed.optimum - optimum if relaxed.optimum is not None and optimum is not None else 0
            found.append(Price(stated, relaxed.size, relaxed.optimum, gain))
        return tuple(found)


def _of_lodgings(candidates: Candidates) -> FeasibleSet:
    """Level I: every lodging is a plan."""
    is_cost = candidates.task.objective.is_cost
    parts, found = [], []
    for lodgings in candidates.lodgings():
        if len(lodgings.cost):
            utility = -lodgings.cost if is_cost else lodgings.worth
            best = int(utility.max())
            tied = (utility == best).nonzero()[0]
            row = int(tied[lodgings.cost[tied].argmin()])
            found.append((-best, int(lodgings.cost[row]), int(lodgings.group[row]), int(lodgings.config[row])))
            parts.append(utility)
    if not found:
        return FeasibleSet(candidates.task, NOTHING, None)
    _, _, group, config = min(found)
    return FeasibleSet(candidates.task, Each(tuple(parts)), candidates.choice(group, config))


def _of_pairs(candidates: Candidates) -> FeasibleSet:
    """Levels II and III: every lodging with every partner of its group that the budget allows."""
    is_cost, most = candidates.task.objective.is_cost, candidates.most
    table = PartnerTable.of(candidates.partners(), candidates.groups)
    if not len(table.keys):
        return FeasibleSet(candidates.task, NOTHING, None)
    best: BestPair | None = None
    rows, counts = [], []
    for lodgings in candidates.lodgings(most - table.cheapest.min(axis=0)):
        if len(lodgings.cost):
            found = best_pair(table, lodgings, most, is_cost=is_cost)
            if found and (best is None or (found.utility, -found.cost) > (best.utility, -best.cost)):
                best = found
            if is_cost:
                rows.append(CostRows.of(table, lodgings))
            else:
                counts.append(count_utilities(table, lodgings, most))
    if best is None:
        return FeasibleSet(candidates.task, NOTHING, None)
    utilities: Utilities
    if is_cost:
        utilities = PairCosts.of(table, rows, most)
    else:
        values, plans = zip(*counts, strict=True)
        utilities = Histogram.of(np.concatenate(values), np.concatenate(plans))
    return FeasibleSet(
        candidates.task, utilities, candidates.choice(best.group, best.config, table.partners, best.partner)
    )


NOTHING = Each(())
"""The utilities of no plans."""
