"""What a recommendation is worth: feasible or not, and how near the optimum (spec 8.2, 10).

Needs no language model and no conversation: a task with its feasible set, and the package ids an agent named.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from tripgauge.compass.catalogue import Catalogue
from tripgauge.compass.constraints import find_uncoupled
from tripgauge.compass.judging import observed
from tripgauge.compass.offers import Choice, TravelPlan
from tripgauge.compass.ranking import TOP_PERCENTS, Standing
from tripgauge.compass.recommendation import Recommendation, options
from tripgauge.compass.solver import FeasibleSet
from tripgauge.compass.task import Task


@dataclass(frozen=True)
class Score:
    """What the recommendation of one conversation got."""

    recommended: bool
    choice: Choice | None = None
    """The packages that count; None if there is no plan in it."""

    exists: bool = False
    """Whether the ids name a plan, feasible or not."""

    standing: Standing | None = None
    """Among all feasible plans; None if it is not feasible."""

    gap: int | None = None
    """How far its utility is below the best, in units of the objective; None if it is not feasible."""

    relative_gap: float | None = None
    """For costs, the gap as a share of the least cost; None otherwise."""

    satisfied: int = 0
    """Of the task's constraints, those that hold."""

    constraints: int = 0
    findings: tuple[str, ...] = ()
    """What is wrong with it, in words."""

    surplus: bool = False
    """Whether more ids were named than count."""

    @property
    def is_feasible(self) -> bool:
        """FR: every constraint holds, and it is one trip."""
        return self.standing is not None

    def is_top(self, percent: int) -> bool:
        """OR-A: in the top A percent of all feasible plans, ties passing together."""
        return self.standing is not None and self.standing.is_top(percent)

    def is_top_strictly(self, percent: int) -> bool:
        """The same with ties counted against it: for the sensitivity line only."""
        return self.standing is not None and self.standing.is_top_strictly(percent)


def score(feasible: FeasibleSet, recommendation: Recommendation | None, catalogue: Catalogue) -> Score:
    """The score of a recommendation; of several hotels at level I the best counts, by feasibility and utility."""
    task = feasible.task
    total = len(task.constraints)
    if recommendation is None:
        return Score(False, constraints=total, findings=("nothing is recommended",))
    offered = options(recommendation, task.level)
    if offered.missing:
        reasons = tuple(f"there is no {component} in the recommendation" for component in offered.missing)
        return Score(True, constraints=total, findings=reasons, surplus=offered.surplus)
    scores = [_score_of(feasible, choice, catalogue, offered.surplus) for choice in offered.choices]
    return max(scores, key=lambda one: (one.is_feasible, -(one.gap or 0), one.satisfied))


def _score_of(feasible: FeasibleSet, choice: Choice | None, catalogue: Catalogue, surplus: bool) -> Score:
    task = feasible.task
    plan = catalogue.plan(choice) if choice else None
    total = len(task.constraints)
    if plan is None:
        return Score(True, choice, constraints=total, findings=("an id names nothing",), surplus=surplus)
    found = tuple(_findings(task, plan))
    held = sum(stated.constraint.holds(plan, task.guests) for stated in task.constraints)
    standing = feasible.standing(plan)
    if standing is None:
        return Score(True, choice, True, satisfied=held, constraints=total, findings=found, surplus=surplus)
    best = feasible.optimum
    assert best is not None
    gap = best - task.objective.utility(plan, task.guests)
    relative = gap / abs(best) if task.objective.is_cost and best else None
    return Score(True, choice, True, standing, gap, relative, held, total, found, surplus)


def _findings(task: Task, plan: TravelPlan) -> Iterator[str]:
    for finding in find_uncoupled(plan, task.level):
        yield finding.reason
    for stated in task.constraints:
        if not stated.constraint.holds(plan, task.guests):
            yield f"{stated.constraint.words}: {observed(stated.constraint, plan, task.guests)}"


def rates(one: Score) -> dict[str, float]:
    """FR and OR-5, 10 and 20 of one conversation: 1 or 0."""
    found = {"feasibility": float(one.is_feasible)}
    return found | {f"or_{percent}": float(one.is_top(percent)) for percent in TOP_PERCENTS}
