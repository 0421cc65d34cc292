"""What an answer to one turn is worth, edition `strict`: the mode gate, then the qualities of a plan. (Trip+ 2.4, B)"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from tripgauge.checks import CheckResult, GroupScore, grouped, mean
from tripgauge.trip_plus.answer_content import content
from tripgauge.trip_plus.feasibility.score import feasibility
from tripgauge.trip_plus.itinerary import Fault, Mode, Plan, Response, Unreadable, mode_of
from tripgauge.trip_plus.requirements.requirement import FAMILIES, HardConstraint, Requirement, SoftPreference
from tripgauge.trip_plus.sandbox.store import Sandbox
from tripgauge.trip_plus.tasks.task import TurnState
from tripgauge.trip_plus.trace.execution import ExecutionTrace
from tripgauge.trip_plus.trace.joining import execution_trace

Results = Mapping[Requirement, CheckResult]


@dataclass(frozen=True)
class TurnScore:
    """The strict score of one answer.

    A plan that was due and did not come leaves its qualities None and its fulfillment and preservation 0.
    """

    state: TurnState
    observed: Mode | None
    """None for an answer that cannot be read."""

    introduced: frozenset[Requirement]
    """What the turn asks for: new or changed, of any kind. (Trip+ B.7: U_t)"""

    preserved: frozenset[Requirement]
    """What was asked for before and must still hold."""

    trace: ExecutionTrace | None = None
    """Of a delivered plan, also where none was wanted."""

    feasibility: GroupScore | None = None
    """None, as all that follows, unless a plan was wanted and came."""

    results: Results = field(default_factory=dict)
    """What each requirement of the turn says of the plan."""

    content: GroupScore | None = None
    """Where the right answer is no plan: the share of what it must say. None where the task does not tell."""

    @property
    def expected(self) -> Mode:
        """The mode that is right."""
        return self.state.mode

    @property
    def mode_is_right(self) -> bool:
        """The response gate R_t: the answer is of the kind the turn wants."""
        return self.observed is self.expected

    @property
    def is_graded_plan(self) -> bool:
        """Whether a plan was wanted and came."""
        return self.mode_is_right and self.expected is Mode.PLAN

    @property
    def hard(self) -> GroupScore | None:
        """The mean over the hard constraints of the turn. (Trip+ B.3)"""
        if not self.is_graded_plan:
            return None
        results = _of_kind(self.results, HardConstraint)
        return grouped("hard_constraints", tuple(result for _, result in results))

    @property
    def soft(self) -> GroupScore | None:
        """The mean over families of the means over their preferences. (Trip+ B.4)"""
        if not self.is_graded_plan:
            return None
        results = _of_kind(self.results, SoftPreference)
        families = (
            (family.value, tuple(result for requirement, result in results if requirement.group is family))
            for family in FAMILIES
        )
        return grouped("soft_preferences", tuple(grouped(name, parts) for name, parts in families if parts))

    @property
    def fulfillment(self) -> Fraction | None:
        """The share of what the turn asks for that the plan meets; None where it asks nothing. (Trip+ B.7: F_t)"""
        return self._share(self.introduced)

    @property
    def preservation(self) -> Fraction | None:
        """The share of what was asked for before that the plan still meets. (Trip+ B.7: I_t)"""
        return self._share(self.preserved)

    def _share(self, requirements: frozenset[Requirement]) -> Fraction | None:
        if self.expected is not Mode.PLAN or not requirements:
            return None
        if not self.is_graded_plan:
            return Fraction(0)
        return mean(meets(self.results[requirement]) for requirement in requirements)


def meets(result: CheckResult) -> int | None:
    """Whether an item is met: 1 or 0, None where it does not apply. A soft item is met at the full level only."""
    return int(result.score == 1) if result.applicable else None


def score_turn(response: Response, state: TurnState, before: TurnState | None, sandbox: Sandbox) -> TurnScore:
    """Score one parsed answer against what must hold of it; `before` is the state of the turn before, if there is one.

    Each requirement is asked once; every mean is taken over the same results.
    """
    observed = mode_of(response)
    introduced, preserved = state.introduced_since(before), state.preserved_from(before)
    said = content(response, state.question, state.mode, sandbox)
    if not isinstance(response, Plan):
        return TurnScore(state, observed, introduced, preserved, content=said)
    trace = execution_trace(response.itinerary, state.frame, sandbox, state.rest_days, state.expected_weather)
    if state.mode is not Mode.PLAN:
        return TurnScore(state, observed, introduced, preserved, trace, content=said)
    results = {requirement: requirement.check(trace) for requirement in _in_order(state.requirements)}
    return TurnScore(state, observed, introduced, preserved, trace, feasibility(trace), results)


def missing_turn(state: TurnState, before: TurnState | None, sandbox: Sandbox) -> TurnScore:
    """The score of no answer at all."""
    nothing = Unreadable(Fault("answer", "", "missing"))
    introduced, preserved = state.introduced_since(before), state.preserved_from(before)
    return TurnScore(state, None, introduced, preserved, content=content(nothing, state.question, state.mode, sandbox))


def _in_order(requirements: Iterable[Requirement]) -> list[Requirement]:
    return sorted(requirements, key=lambda requirement: (requirement.id, requirement.sentence()))


def _of_kind(results: Results, kind: type[Requirement]) -> list[tuple[Requirement, CheckResult]]:
    return [(requirement, result) for requirement, result in results.items() if isinstance(requirement, kind)]
