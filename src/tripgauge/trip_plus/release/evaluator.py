"""The whole published score of one reply to one turn. (Trip+ 2.4 and Appendix B as released)

A turn is prepared once from its record, a sandbox once from its files; then any number of replies can be scored.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from tripgauge.trip_plus.release.costing import PlanCost, plan_cost
from tripgauge.trip_plus.release.facts import PlanFacts
from tripgauge.trip_plus.release.feasibility import FeasibilityResult, feasibility_of
from tripgauge.trip_plus.release.fulfillment import (
    Check,
    FulfillmentResult,
    PreservationResult,
    Reply,
    evaluate_fulfillment,
    evaluate_preservation,
)
from tripgauge.trip_plus.release.hard import HardConstraint, HardResult, evaluate_hard, hard_constraints
from tripgauge.trip_plus.release.index import ReleaseIndex, release_index
from tripgauge.trip_plus.release.plan import read_plan
from tripgauge.trip_plus.release.primitives import JsonObject, ReleaseMeta
from tripgauge.trip_plus.release.response import ReplyMode, expected_mode, explanation, observed_mode, reason_matches
from tripgauge.trip_plus.release.soft import SoftProfile, SoftResult, SoftView, soft_profile
from tripgauge.trip_plus.release.taste import TasteIndex, taste_index
from tripgauge.trip_plus.release.turn_state import ReleaseTurnState, turn_state
from tripgauge.trip_plus.sandbox.files import SampleFiles, SandboxFiles, Table

MISMATCH = "response_expectation_mismatch"
NO_SOLUTION = "unsat_reasoning"
COST_CHECK = "cost_calculation_correctness"


@dataclass(frozen=True)
class ReleaseSandbox:
    """What one task can see, indexed for all rules."""

    index: ReleaseIndex
    taste: TasteIndex | None


@dataclass(frozen=True)
class ReleaseTurn:
    """One turn of a task, ready to score replies to it."""

    state: ReleaseTurnState
    meta: ReleaseMeta
    hard: tuple[HardConstraint, ...]
    soft: SoftProfile

    @property
    def expected_mode(self) -> ReplyMode:
        """The kind of reply the turn wants."""
        return expected_mode(self.state.expectation)


@dataclass(frozen=True)
class TurnScores:
    """The headline numbers of a turn, by their published names; None where one does not apply."""

    feasibility_score: float | None
    strict_feasibility: float | None
    strict_hard_constraint: float | None
    hard_constraint_score: float | None
    strict_soft_preference: float | None
    soft_preference_score: float | None
    requirement_score: float | None
    llm_user_simulation_score: float | None = None
    """Always None here: the simulated traveler grades whole trips, apart from these rules."""


@dataclass(frozen=True)
class TurnResult:
    """Everything that is scored about one reply."""

    record_id: str
    turn_id: int
    interaction_type: str
    expectation: str
    expected_mode: ReplyMode
    observed_mode: ReplyMode
    evaluation_mode: str | None
    """Which kind of scoring took place; None for that of a plan."""
    scores: TurnScores
    fulfillment: FulfillmentResult
    preservation: PreservationResult
    feasibility: FeasibilityResult | None = None
    hard: HardResult | None = None
    soft: SoftResult | None = None
    reason_right: bool | None = None
    """Whether the right refusal also gave the right reason."""
    cost: PlanCost | None = None
    """What the plan costs; None without days."""

    @property
    def response_right(self) -> bool:
        """Whether the reply is of the kind expected (R)."""
        return self.observed_mode == self.expected_mode

    @property
    def is_scored_plan(self) -> bool:
        """Whether a plan was wanted and came."""
        return self.response_right and self.expected_mode == "plan"


def release_sandbox(files: SandboxFiles | None) -> ReleaseSandbox:
    """The sandbox in the files. Without files nothing a plan names is found, and prices are judged by fixed levels."""
    if files is None:
        return ReleaseSandbox(release_index(no_files()), None)
    return ReleaseSandbox(release_index(files), taste_index(files))


def no_files() -> SandboxFiles:
    """A sandbox that knows nothing."""
    nothing = Table(Path(), exists=False)
    tables = dict.fromkeys(
        ("hotels", "attractions", "restaurants", "flights", "trains", "locations", "aliases", "weather"), nothing
    )
    return SandboxFiles(SampleFiles(folder=Path(), meta=None, subway=(), **tables))


def release_turn(record: JsonObject, turn_id: int) -> ReleaseTurn:
    """A turn of a released record. Raises UsageError if the record has no such turn."""
    state = turn_state(record, turn_id)
    frame = {
        **state.base,
        "days": state.days,
        "return_date": state.return_date,
        "people_number": state.people,
        "room_number": state.rooms,
    }
    return ReleaseTurn(state, ReleaseMeta.of(frame), hard_constraints(state), soft_profile(state))


def evaluate_turn(plan: object, turn: ReleaseTurn, sandbox: ReleaseSandbox) -> TurnResult:
    """The score of a converted reply: a JSON object with days, with a question, or with an explanation."""
    converted = read_plan(plan)
    facts = PlanFacts(converted, plan_cost(converted, turn.meta.people_number, turn.meta.room_number))
    view = SoftView(facts, turn.soft, sandbox.taste)
    verdict = _verdict(turn, sandbox, view)
    costs_right = verdict.feasibility is not None and verdict.feasibility.checks[COST_CHECK]
    reply = Reply(turn.state, facts, verdict.hard, costs_right, view)
    return TurnResult(
        record_id=turn.state.record_id,
        turn_id=turn.state.turn_id,
        interaction_type=turn.state.interaction_type,
        expectation=turn.state.expectation,
        expected_mode=turn.expected_mode,
        observed_mode=observed_mode(facts),
        evaluation_mode=verdict.evaluation_mode,
        scores=verdict.scores,
        fulfillment=evaluate_fulfillment(reply),
        preservation=evaluate_preservation(reply),
        feasibility=verdict.feasibility,
        hard=verdict.hard,
        soft=verdict.soft,
        reason_right=verdict.reason_right,
        cost=facts.cost if facts.has_days else None,
    )


@dataclass(frozen=True)
class _Verdict:
    """What the gate lets through: a plan is scored as such only where one was wanted."""

    evaluation_mode: str | None
    scores: TurnScores
    feasibility: FeasibilityResult | None = None
    hard: HardResult | None = None
    soft: SoftResult | None = None
    reason_right: bool | None = None


def _verdict(turn: ReleaseTurn, sandbox: ReleaseSandbox, view: SoftView) -> _Verdict:
    observed = observed_mode(view.facts)
    if observed != turn.expected_mode:
        return _Verdict(MISMATCH, TurnScores(0.0, 0.0, 0.0, 0.0, None, None, 0.0))
    if observed == "plan":
        feasibility = feasibility_of(view.facts.plan, turn.meta, sandbox.index)
        hard, soft = evaluate_hard(turn.hard, view.facts), view.result()
        return _Verdict(None, _plan_scores(feasibility, hard, soft), feasibility, hard, soft)
    if observed == "no_solution":
        right = reason_matches(turn.state, explanation(view.facts))
        score = float(right)
        return _Verdict(NO_SOLUTION, TurnScores(score, score, score, score, None, None, score), reason_right=right)
    # The words of a question are not judged: it is enough to ask.
    return _Verdict(turn.state.expectation, TurnScores(None, None, 1.0, 1.0, None, None, 1.0))


def _plan_scores(feasibility: FeasibilityResult, hard: HardResult, soft: SoftResult) -> TurnScores:
    requirement = hard.unrounded if soft.score is None else (hard.unrounded + soft.score) / 2
    return TurnScores(
        feasibility_score=feasibility.score,
        strict_feasibility=float(feasibility.strict),
        strict_hard_constraint=hard.strict,
        hard_constraint_score=hard.ratio,
        strict_soft_preference=soft.strict,
        soft_preference_score=soft.score,
        requirement_score=round(requirement, 4),
    )


# --- Exchange with other evaluators ----------------------------------------------------------------------------------


def as_exchange(result: TurnResult) -> dict[str, object]:
    """The result in the keys that conformance data uses, British spelling included."""
    exchange: dict[str, object] = {
        "outcome": "scored",
        "mode": result.evaluation_mode,
        "scores": asdict(result.scores),
        "response": {
            "passed": int(result.response_right),
            "expected_mode": result.expected_mode,
            "actual_mode": result.observed_mode,
        },
        "fulfilment": _fulfillment_exchange(result.fulfillment),
        "preservation": _preservation_exchange(result.preservation),
    }
    if result.feasibility is not None:
        exchange["feasibility"] = _feasibility_exchange(result.feasibility)
    if result.hard is not None:
        exchange["hard"] = _hard_exchange(result.hard)
    if result.reason_right is not None:
        exchange["hard"] = _reason_exchange(result.reason_right)
    if result.soft is not None:
        exchange["soft"] = _soft_exchange(result.soft)
    if result.cost is not None:
        exchange["cost"] = {**asdict(result.cost), "total": result.cost.total}
    return exchange


def _flag(passed: bool | None) -> int | None:
    return None if passed is None else int(passed)


def _flags(checks: Mapping[str, bool]) -> dict[str, int]:
    return {key: int(passed) for key, passed in checks.items()}


def _pairs(checks: tuple[Check, ...]) -> list[list[object]]:
    return [[check.id, _flag(check.passed)] for check in checks]


def _feasibility_exchange(result: FeasibilityResult) -> dict[str, object]:
    return {
        "score": result.score,
        "strict": result.strict,
        "passed": result.passed,
        "total": result.total,
        "dimensions": dict(result.dimensions),
        "subdimensions": dict(result.subdimensions),
        "checks": _flags(result.checks),
    }


def _hard_exchange(result: HardResult) -> dict[str, object]:
    return {
        "checks": _flags(result.checks),
        "passed": result.passed,
        "total": len(result.checks),
        "ratio": result.ratio,
        "strict": result.strict,
    }


def _reason_exchange(right: bool) -> dict[str, object]:
    score = float(right)
    return {
        "checks": {"unsat_reason_match": int(right)},
        "passed": None,
        "total": None,
        "ratio": score,
        "strict": score,
    }


def _soft_exchange(result: SoftResult) -> dict[str, object]:
    return {
        "score": result.score,
        "strict": result.strict,
        "families": dict(result.families),
        "rules": {rule: outcome.score for rule, outcome in result.outcomes.items()},
        "not_applicable": [rule for rule, outcome in result.outcomes.items() if outcome.severity is None],
        "unsupported": list(result.unsupported),
        "measures": {
            rule: {measure.name: [measure.value, measure.severity.name.lower()] for measure in outcome.measures}
            for rule, outcome in result.outcomes.items()
            if outcome.severity is not None
        },
    }


def _fulfillment_exchange(result: FulfillmentResult) -> dict[str, object]:
    exchange: dict[str, object] = {
        "score": result.score,
        "checks": _pairs(result.checks),
        "families": dict.fromkeys(result.families, result.score),
    }
    if result.adjustments:
        exchange["adjustments"] = [[part.check, _flag(part.passed)] for part in result.adjustments]
    soft_scores = {check.id: check.soft_score for check in result.checks if check.by_soft_score}
    if soft_scores:
        exchange["soft_scores"] = soft_scores
    return exchange


def _preservation_exchange(result: PreservationResult) -> dict[str, object]:
    return {
        "score": result.score,
        "checks": _pairs(result.checks),
        "counted": result.counted,
        "errors": result.errors,
        "error_rate": result.error_rate,
    }
