"""Many turns in one table: the published summary of a run and its leaderboard columns. (Trip+ Table 2, as released)

Turns without a delivered answer are in no mean. Plan quality is a mean over the turns where a plan was wanted and came,
so refusing hard tasks raises it; the group over all responses counts everything else as 0.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields

from tripgauge.trip_plus.release.evaluator import TurnResult, TurnScores
from tripgauge.trip_plus.release.fulfillment import BREAKDOWNS
from tripgauge.trip_plus.release.means import add_up, mean

SCORE_NAMES = tuple(field.name for field in fields(TurnScores))
JUDGED_SCORE = "llm_user_simulation_score"


@dataclass(frozen=True)
class Leaderboard:
    """The published columns; None where nothing counts."""

    response_accuracy: float | None
    request_fulfillment: float | None
    intent_preservation: float | None
    feasibility: float | None
    hard_constraints: float | None
    soft_preferences: float | None
    user_simulation: float | None = None
    """Mean of the simulated traveler's grades; None unless judged."""

    @property
    def plan_average(self) -> float | None:
        """The mean of the four columns on plan quality; None until all are known."""
        columns = (self.feasibility, self.hard_constraints, self.soft_preferences, self.user_simulation)
        known = [column for column in columns if column is not None]
        return add_up(known) / len(columns) if len(known) == len(columns) else None


@dataclass(frozen=True)
class ScoreGroup:
    """Means of the headline numbers over some turns, by published name."""

    means: Mapping[str, float | None]
    counts: Mapping[str, int]
    """How many turns have the score at all."""
    turn_count: int
    final_plan_turns: int
    """How many of the turns could be handed to the simulated traveler."""


@dataclass(frozen=True)
class ReportRow:
    """The figures of one row of a report: all turns, those of one position, or those of one kind of task there."""

    turn_count: int
    expected_response_mode_counts: Mapping[str, int]
    actual_response_mode_counts: Mapping[str, int]
    expected_plan_turn_count: int
    delivered_plan_turn_count: int
    response_mode_accuracy: float | None
    fulfillment_score: float | None
    preserve_score: float | None
    plan_feasibility: float | None
    cumulative_requirement_satisfaction: float | None
    hard_all_pass_rate: float | None
    """Over all turns that want a plan, missing ones counting as failed."""
    hard_all_pass_rate_filtered: float | None
    """Over the turns where a plan came."""
    end_to_end_requirement_strict: float | None
    hard_all_pass_count: float
    preserve_error_count: int
    preserve_check_count: int
    preserve_error_rate: float | None
    soft_preference_failure_count: int
    plan_feasibility_evaluated_count: int
    cumulative_requirement_evaluated_count: int
    strict_requirement_evaluated_count: int


@dataclass(frozen=True)
class RunSummary:
    """Everything the published runner reports of a run."""

    record_count: int
    turn_count: int
    missing_turns: int
    leaderboard: Leaderboard
    all_responses: ScoreGroup
    successful_plans: ScoreGroup
    expected_plan_turns: int
    overall: ReportRow
    by_turn: Mapping[str, ReportRow]
    by_turn_and_type: Mapping[str, Mapping[str, ReportRow]]
    breakdowns: Mapping[str, float | None]
    accuracy_by_type: Mapping[str, float | None]
    confusion: Mapping[str, int]
    """Turns with the wrong kind of reply, by what was expected and what came."""
    first_mismatch: Mapping[str, int]
    """Records by their first turn with the wrong kind of reply."""


def summarize(
    results: Sequence[TurnResult], *, record_count: int, missing_turns: int, user_simulation: float | None = None
) -> RunSummary:
    """The summary of a run over `record_count` records, of whose turns `missing_turns` have no delivered answer."""
    plans = [result for result in results if result.is_scored_plan]
    finals = [result for result in _final_turns(results) if result.expected_mode == "plan"]
    final_plans = sum(result.is_scored_plan for result in finals)
    overall = _report_row(results)
    quality = _group(plans, final_plans, lambda values, _: mean(values))
    return RunSummary(
        record_count=record_count,
        turn_count=len(results),
        missing_turns=missing_turns,
        leaderboard=Leaderboard(
            response_accuracy=overall.response_mode_accuracy,
            request_fulfillment=overall.fulfillment_score,
            intent_preservation=overall.preserve_score,
            feasibility=quality.means["feasibility_score"],
            hard_constraints=quality.means["hard_constraint_score"],
            soft_preferences=quality.means["soft_preference_score"],
            user_simulation=user_simulation,
        ),
        all_responses=_group(results, len(finals), lambda values, turns: add_up(values) / turns if turns else None),
        successful_plans=quality,
        expected_plan_turns=overall.expected_plan_turn_count,
        overall=overall,
        by_turn=_rows(results, _turn_label),
        by_turn_and_type={
            turn: _rows(group, _interaction_type) for turn, group in _grouped(results, _turn_label).items()
        },
        breakdowns={name: _breakdown(results, name) for name in BREAKDOWNS},
        accuracy_by_type={name: _accuracy(group) for name, group in _grouped(results, _interaction_type).items()},
        confusion=_confusion(results),
        first_mismatch=_first_mismatches(results),
    )


Mean = Callable[[Sequence[float], int], float | None]
"""A mean of the known values among so many turns."""


def _group(results: Sequence[TurnResult], final_plan_turns: int, mean_of: Mean) -> ScoreGroup:
    known = {name: _known(getattr(result.scores, name) for result in results) for name in SCORE_NAMES}
    means = {name: mean_of(values, len(results)) for name, values in known.items()}
    # Nobody was judged here, so there is no mean of the judges' scores, not even over all responses.
    means[JUDGED_SCORE] = None
    return ScoreGroup(
        means=means,
        counts={name: len(values) for name, values in known.items()},
        turn_count=len(results),
        final_plan_turns=final_plan_turns,
    )


def _known(values: Iterable[float | None]) -> list[float]:
    return [value for value in values if value is not None]


def _final_turns(results: Iterable[TurnResult]) -> list[TurnResult]:
    """The last answered turn of every record."""
    finals: dict[str, TurnResult] = {}
    for result in results:
        known = finals.get(result.record_id)
        if known is None or result.turn_id > known.turn_id:
            finals[result.record_id] = result
    return list(finals.values())


def _turn_label(result: TurnResult) -> str:
    return f"T{result.turn_id}"


def _interaction_type(result: TurnResult) -> str:
    return result.interaction_type


def _grouped(results: Iterable[TurnResult], label: Callable[[TurnResult], str]) -> Mapping[str, Sequence[TurnResult]]:
    groups: dict[str, list[TurnResult]] = {}
    for result in results:
        groups.setdefault(label(result), []).append(result)
    return {name: groups[name] for name in sorted(groups, key=lambda name: (len(name), name))}


def _rows(results: Iterable[TurnResult], label: Callable[[TurnResult], str]) -> Mapping[str, ReportRow]:
    return {name: _report_row(group) for name, group in _grouped(results, label).items()}


def _accuracy(results: Sequence[TurnResult]) -> float | None:
    return mean([float(result.response_right) for result in results])


def _report_row(results: Sequence[TurnResult]) -> ReportRow:
    wanted = [result for result in results if result.expected_mode == "plan"]
    plans = [result for result in wanted if result.is_scored_plan]
    feasibility = _known(result.scores.feasibility_score for result in plans)
    requirement = _known(result.scores.requirement_score for result in plans)
    hard_passes = _known(result.scores.strict_hard_constraint for result in plans)
    checks = sum(result.preservation.counted for result in results)
    errors = sum(result.preservation.errors for result in results)
    return ReportRow(
        turn_count=len(results),
        expected_response_mode_counts=_counts(result.expected_mode for result in results),
        actual_response_mode_counts=_counts(result.observed_mode for result in results),
        expected_plan_turn_count=len(wanted),
        delivered_plan_turn_count=sum(result.observed_mode == "plan" for result in results),
        response_mode_accuracy=_accuracy(results),
        fulfillment_score=mean([result.fulfillment.score for result in results]),
        preserve_score=mean(_known(result.preservation.score for result in results)),
        plan_feasibility=mean(feasibility),
        cumulative_requirement_satisfaction=mean(requirement),
        hard_all_pass_rate=add_up(hard_passes) / len(wanted) if wanted else None,
        hard_all_pass_rate_filtered=mean(hard_passes),
        end_to_end_requirement_strict=mean([float(_meets_everything(result)) for result in wanted]),
        hard_all_pass_count=add_up(hard_passes),
        preserve_error_count=errors,
        preserve_check_count=checks,
        preserve_error_rate=errors / checks if checks else None,
        soft_preference_failure_count=sum(plan.soft.failures for plan in plans if plan.soft is not None),
        plan_feasibility_evaluated_count=len(feasibility),
        cumulative_requirement_evaluated_count=len(requirement),
        strict_requirement_evaluated_count=len(wanted),
    )


def _counts(modes: Iterable[str]) -> Mapping[str, int]:
    return dict(sorted(Counter(modes).items()))


def _meets_everything(result: TurnResult) -> bool:
    scores = result.scores
    return (
        result.is_scored_plan and scores.strict_hard_constraint == 1.0 and scores.strict_soft_preference in (1.0, None)
    )


def _breakdown(results: Iterable[TurnResult], name: str) -> float | None:
    return mean([result.fulfillment.score for result in results if name in result.fulfillment.families])


def _confusion(results: Iterable[TurnResult]) -> Mapping[str, int]:
    return _counts(
        f"expected_{result.expectation}__got_{result.observed_mode}" for result in results if not result.response_right
    )


def _first_mismatches(results: Iterable[TurnResult]) -> Mapping[str, int]:
    first: dict[str, int | None] = {}
    for result in results:
        known = first.setdefault(result.record_id, None)
        if not result.response_right and (known is None or result.turn_id < known):
            first[result.record_id] = result.turn_id
    return _counts("none" if turn is None else f"T{turn}" for turn in first.values())


# --- Exchange with other evaluators ----------------------------------------------------------------------------------


def leaderboard_as_exchange(leaderboard: Leaderboard) -> dict[str, object]:
    """The columns in the keys that conformance data uses."""
    columns = asdict(leaderboard)
    columns["request_fulfilment"] = columns.pop("request_fulfillment")
    return columns


def summary_as_exchange(summary: RunSummary) -> dict[str, object]:
    """The summary in the keys of the published summary file."""
    plans, everything = summary.successful_plans, summary.all_responses
    denominators = {**dict.fromkeys(SCORE_NAMES, everything.turn_count), JUDGED_SCORE: everything.counts[JUDGED_SCORE]}
    return {
        "total_samples": summary.record_count,
        "evaluated_turns": summary.turn_count,
        "missing_turn_plans": summary.missing_turns,
        "metrics": {
            **plans.means,
            "fulfillment_score": summary.overall.fulfillment_score,
            "preserve_score": summary.overall.preserve_score,
            "preserve_error_rate": summary.overall.preserve_error_rate,
            "response_mode_accuracy": summary.overall.response_mode_accuracy,
        },
        "metric_groups": {
            "all_responses": {
                **_group_exchange(everything),
                "score_denominators": denominators,
                "plan_requirement_denominator": summary.expected_plan_turns,
            },
            "successful_plans": _group_exchange(plans),
        },
        "reporting_metrics": {
            "overall": asdict(summary.overall),
            "by_turn": {turn: asdict(row) for turn, row in summary.by_turn.items()},
            "by_turn_and_type": {
                turn: {kind: asdict(row) for kind, row in rows.items()}
                for turn, rows in summary.by_turn_and_type.items()
            },
        },
        "breakdowns": dict(summary.breakdowns),
        "diagnostics": _diagnostics(summary),
    }


def _group_exchange(group: ScoreGroup) -> dict[str, object]:
    return {
        **group.means,
        "evaluated_turn_count": group.turn_count,
        "score_counts": dict(group.counts),
        "llm_user_simulation_denominator": group.final_plan_turns,
    }


def _diagnostics(summary: RunSummary) -> dict[str, object]:
    return {
        # The simulated traveler grades apart from this, so here it has neither succeeded nor failed.
        "llm_user_simulation_success_count": 0,
        "llm_user_simulation_failed_count": 0,
        "llm_user_simulation_scope": "final_turn_only",
        "preserve_error_count": summary.overall.preserve_error_count,
        "preserve_check_count": summary.overall.preserve_check_count,
        "preserve_error_rate": summary.overall.preserve_error_rate,
        "missing_turn_plans": summary.missing_turns,
        "response_mode_accuracy_by_turn": {turn: row.response_mode_accuracy for turn, row in summary.by_turn.items()},
        "response_mode_accuracy_by_type": dict(summary.accuracy_by_type),
        "response_mode_confusion": dict(summary.confusion),
        "first_response_mode_mismatch_turn_distribution": dict(summary.first_mismatch),
    }
