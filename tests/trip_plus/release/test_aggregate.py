"""A run's summary and leaderboard columns are those of the published runner."""

import json
from dataclasses import replace
from typing import Any

import pytest
from tests.trip_plus.release.conformance_data import (
    FOLDER,
    MISSING,
    REASON,
    Json,
    differences,
    lines,
    records,
    sandbox,
    score,
)
from tests.trip_plus.release.fixture_data import fixture_files, fixture_plan, fixture_record

from tripgauge.trip_plus.release.aggregate import (
    Leaderboard,
    RunSummary,
    leaderboard_as_exchange,
    summarize,
    summary_as_exchange,
)
from tripgauge.trip_plus.release.evaluator import TurnResult, evaluate_turn, release_sandbox, release_turn

CLARIFICATION = {"status": "clarification", "clarification": "Which day do you mean?"}
NO_SOLUTION = {"status": "unsat", "unsat_explanation": "There is none."}
MALFORMED = {"status": "malformed", "malformed_explanation": "no day headings"}


# --- Conformance -----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def aggregate() -> Json:
    return json.loads((FOLDER / "aggregate.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def results() -> dict[str, TurnResult]:
    """Our results of all scored cases."""
    return {case["id"]: score(case) for case in lines("cases.jsonl") if case["expected"]["outcome"] == "scored"}


def assert_as_recorded(summary: RunSummary, recorded: Json) -> None:
    found = {"summary": summary_as_exchange(summary), "leaderboard": leaderboard_as_exchange(summary.leaderboard)}
    assert list(differences({key: recorded[key] for key in found}, found)) == []


@pytest.mark.skipif(MISSING, reason=REASON)
def test_all_cases_together_are_summarized_as_published(aggregate: Json, results: dict[str, TurnResult]) -> None:
    recorded = aggregate["as_one_set"]
    as_records = [replace(result, record_id=case_id) for case_id, result in results.items()]

    summary = summarize(as_records, record_count=recorded["cases"], missing_turns=0)

    assert_as_recorded(summary, recorded)


@pytest.mark.skipif(MISSING, reason=REASON)
@pytest.mark.parametrize("number", range(12))
def test_a_submission_is_summarized_as_published(number: int, aggregate: Json, results: dict[str, TurnResult]) -> None:
    run = aggregate["runs"][number]
    record_count = len(run["records"] or [key for key in records() if key[0] == run["query_set"]])
    delivered = [results[case] for case in run["choice"].values() if case is not None]

    summary = summarize(delivered, record_count=record_count, missing_turns=len(run["missing"]))

    assert_as_recorded(summary, run)


def answer_all(reply: Any) -> tuple[list[TurnResult], int]:
    """Results of one reply rule on all released turns, and how many turns it leaves without an answer.

    `reply` is called with the kind of reply wanted.
    """
    answered, missing = [], 0
    for (query_set, _), record in records().items():
        if query_set != "official":
            continue
        for turn in record["turns"]:
            prepared = release_turn(record, turn["turn_id"])
            plan = reply(prepared.expected_mode)
            if plan is None:
                missing += 1
            else:
                answered.append(evaluate_turn(plan, prepared, sandbox(record)))
    return answered, missing


@pytest.mark.skipif(MISSING, reason=REASON)
@pytest.mark.parametrize(
    ("number", "wanted", "otherwise"),
    [
        (0, None, "clarification"),
        (1, None, "no_solution"),
        (2, None, "empty"),
        (3, ("clarification", "no_solution"), "empty"),
        (4, ("clarification", "no_solution"), None),
    ],
    ids=["always clarification", "always no solution", "always empty", "right reply or empty", "only right replies"],
)
def test_fixed_replies_to_all_released_turns_are_summarized_as_published(
    number: int, wanted: tuple[str, ...] | None, otherwise: str | None, aggregate: Json
) -> None:
    payloads = aggregate["reply_payloads"]

    def reply(mode: str) -> Json | None:
        key = mode if wanted is not None and mode in wanted else otherwise
        return payloads[key] if key is not None else None

    answered, missing = answer_all(reply)
    summary = summarize(answered, record_count=153, missing_turns=missing)

    assert_as_recorded(summary, aggregate["reply_runs"][number])


@pytest.mark.skipif(MISSING, reason=REASON)
@pytest.mark.parametrize(
    ("reply", "accuracy", "fulfillment"),
    [
        (MALFORMED, 0.0, 0.051169590643274865),
        (CLARIFICATION, 53 / 570, 0.14415204678362573),
        (NO_SOLUTION, 5 / 570, 0.05994152046783627),
    ],
    ids=["malformed", "clarification", "no solution"],
)
def test_a_constant_reply_earns_the_published_floor(reply: Json, accuracy: float, fulfillment: float) -> None:
    answered, _ = answer_all(lambda mode: reply)
    leaderboard = summarize(answered, record_count=153, missing_turns=0).leaderboard

    assert leaderboard.response_accuracy == pytest.approx(accuracy, abs=1e-12)
    assert leaderboard.request_fulfillment == pytest.approx(fulfillment, abs=1e-12)
    assert leaderboard.intent_preservation == 0.0
    assert sum(result.preservation.score is not None for result in answered) == 359
    assert leaderboard.feasibility is None


# --- The invented trip -----------------------------------------------------------------------------------------------


def three_turns() -> Json:
    """The invented record with a question asked back at its second turn and one more request at its third."""
    record = fixture_record()
    first = record["turns"][0]
    record["turns"] += [
        {**first, "turn_id": 1, "response_expectation": "clarification", "must_update": ["priority_clarification"]},
        {**first, "turn_id": 2, "must_update": ["something_new"], "must_preserve": ["budget_constraint"]},
    ]
    return record


def results_of(*replies: Json) -> list[TurnResult]:
    record, files = three_turns(), release_sandbox(fixture_files())
    return [evaluate_turn(plan, release_turn(record, turn_id), files) for turn_id, plan in enumerate(replies)]


def test_plan_quality_is_a_mean_over_delivered_plans_alone() -> None:
    summary = summarize(results_of(fixture_plan(), CLARIFICATION, MALFORMED), record_count=1, missing_turns=0)

    assert summary.leaderboard.response_accuracy == pytest.approx(2 / 3)
    assert summary.leaderboard.feasibility == 1.0
    assert summary.leaderboard.hard_constraints == 0.7778
    assert summary.leaderboard.soft_preferences == 0.7292
    assert summary.leaderboard.intent_preservation == 0.0
    assert summary.all_responses.means["feasibility_score"] == pytest.approx(1 / 3)
    assert summary.all_responses.means["hard_constraint_score"] == pytest.approx((0.7778 + 1.0) / 3)


def test_a_wrong_kind_of_reply_is_told_by_what_was_expected_and_what_came() -> None:
    summary = summarize(results_of(fixture_plan(), fixture_plan(), MALFORMED), record_count=1, missing_turns=0)

    assert summary.confusion == {"expected_clarification__got_plan": 1, "expected_plan__got_invalid": 1}
    assert summary.first_mismatch == {"T1": 1}
    assert summary.overall.expected_plan_turn_count == 2
    assert summary.overall.delivered_plan_turn_count == 2


def test_missing_answers_are_in_no_mean() -> None:
    summary = summarize(results_of(fixture_plan()), record_count=1, missing_turns=2)

    assert summary.leaderboard.response_accuracy == 1.0
    assert (summary.turn_count, summary.missing_turns) == (1, 2)


def test_a_run_without_any_answer_has_no_figures() -> None:
    summary = summarize([], record_count=1, missing_turns=3)

    assert summary.leaderboard == Leaderboard(None, None, None, None, None, None)
    assert set(summary.all_responses.means.values()) == {None}


def test_the_plan_average_is_the_mean_of_four_columns() -> None:
    published = Leaderboard(None, None, None, 0.8812, 0.9047, 0.6389, 0.5077)

    assert published.plan_average == pytest.approx(0.7331, abs=5e-5)
    assert Leaderboard(None, None, None, 0.8812, 0.9047, 0.6389).plan_average is None


def test_a_trip_meets_everything_only_with_all_constraints_and_all_preferences() -> None:
    record = three_turns()
    record["turns"][0]["oracle_state_after_turn"]["active_hard_constraints"] = ["budget_constraint"]
    meta = record["meta_info"]["base_query_meta"]
    box = release_sandbox(fixture_files())

    def rates(rules: list[str]) -> tuple[float | None, float | None, int]:
        meta["user_profile"] = {"rule_ids": rules}
        result = evaluate_turn(fixture_plan(), release_turn(record, 0), box)
        overall = summarize([result], record_count=1, missing_turns=0).overall
        return overall.hard_all_pass_rate, overall.end_to_end_requirement_strict, overall.soft_preference_failure_count

    assert rates(["interest_culture"]) == (1.0, 1.0, 0)
    assert rates([]) == (1.0, 1.0, 0)
    assert rates(["interest_culture", "interest_local_food", "meal_avoid_expensive"]) == (1.0, 0.0, 2)

    failed = summarize(results_of(fixture_plan()), record_count=1, missing_turns=0).overall
    assert (failed.hard_all_pass_rate, failed.hard_all_pass_count) == (0.0, 0.0)
    assert (failed.end_to_end_requirement_strict, failed.soft_preference_failure_count) == (0.0, 3)


def test_the_summary_file_says_that_nobody_was_judged() -> None:
    file = summary_as_exchange(summarize(results_of(fixture_plan()), record_count=1, missing_turns=0))

    assert file["metrics"]["llm_user_simulation_score"] is None
    assert file["diagnostics"]["llm_user_simulation_success_count"] == 0
    assert file["diagnostics"]["llm_user_simulation_failed_count"] == 0
    assert file["metric_groups"]["all_responses"]["score_denominators"]["llm_user_simulation_score"] == 0
    assert file["metric_groups"]["successful_plans"]["llm_user_simulation_denominator"] == 1
