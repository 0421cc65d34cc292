"""What each strict feasibility check says of small plans, written by hand in the published notation."""

import pytest
from tests.trip_plus.toy_trip import sandbox

from tripgauge.checks import CheckResult, Finding
from tripgauge.trip_plus.case_files import Case, cases_of
from tripgauge.trip_plus.feasibility.dimension import Dimension, FeasibilityCheck
from tripgauge.trip_plus.feasibility.score import all_checks
from tripgauge.trip_plus.notation.plan_text import parse_plan
from tripgauge.trip_plus.trace.events import MealEvent
from tripgauge.trip_plus.trace.execution import Content
from tripgauge.trip_plus.trace.joining import execution_trace

CHECKS = {check.id: check for check in all_checks()}

ALWAYS_APPLY = {
    "valid_trip_duration": "every trip has a length",
    "closed_loop_route_structure": "every task leads to another city, so travel is always due",
    "seamless_intercity_transfers": "every task leads to another city, so travel is always due",
    "validated_transportation": "every task leads to another city, so travel is always due",
    "intercity_buffer_adequacy": "every task leads to another city, so travel is always due",
    "readable_activities": "every day is to have a program",
    "cost_calculation_correctness": "every plan is to have a budget",
}
"""Checks that apply to every plan, with the reason."""

CASES = [case for check in CHECKS for case in cases_of(check)]


def answer(check: FeasibilityCheck, case: Case) -> CheckResult:
    return check.run(execution_trace(parse_plan(case.plan), case.frame, sandbox(), case.rest_days))


def verdict(result: CheckResult) -> str:
    if not result.applicable:
        return "does not apply"
    return "passes" if result.passed else "fails"


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.check}: {case.name}")
def test_each_case_gets_its_verdict_and_its_findings(case):
    result = answer(CHECKS[case.check], case)

    said = [str(finding) for finding in result.findings]

    assert verdict(result) == case.verdict, said
    assert len(said) == len(case.findings), said
    assert all(expected in text for expected, text in zip(case.findings, said, strict=True)), said


@pytest.mark.parametrize("check", CHECKS)
def test_each_check_has_a_case_for_every_answer_it_can_give(check):
    verdicts = {case.verdict for case in cases_of(check)}

    assert {"passes", "fails"} <= verdicts
    assert ("does not apply" in verdicts) != (check in ALWAYS_APPLY)


@pytest.mark.parametrize("check", CHECKS.values(), ids=CHECKS)
def test_each_check_has_a_rule_in_one_sentence_and_a_source(check):
    assert check.rule.endswith(".")
    assert check.rule[0].isupper()
    assert "Trip+" in check.source


def test_each_failing_case_says_what_is_to_be_found():
    assert [case.name for case in CASES if bool(case.findings) != (case.verdict == "fails")] == []


def test_one_function_and_one_file_of_cases_make_a_new_check(tmp_path):
    comfort = Dimension("comfort")

    @comfort.check("unhurried", about=Content.MEALS, each=lambda trace: trace.meals)
    def no_early_dinner(meal: MealEvent):
        """Dinner starts at six or later."""
        if meal.is_dinner and meal.start and meal.start.hour < 18:
            yield Finding(f"dinner starts at {meal.start:%H:%M}", meal.day, meal.label, "18:00", f"{meal.start:%H:%M}")

    day = "Day 1 (2026-07-14):\nCurrent City: Briskhaven\n"
    (tmp_path / "no_early_dinner.toml").write_text(
        f"""
[[case]]
name = "dinner at seven"
verdict = "passes"
plan = '''
{day}19:00-20:00 | meal | dinner, Pepper Yard, ¥60/person
'''

[[case]]
name = "dinner at five"
verdict = "fails"
findings = ["dinner starts at 17:00"]
plan = '''
{day}17:00-18:00 | meal | dinner, Pepper Yard, ¥60/person
'''
""",
        encoding="utf-8",
    )

    (check,) = comfort.checks
    cases = cases_of(check.id, tmp_path)

    assert check.rule == "Dinner starts at six or later."
    assert [verdict(answer(check, case)) for case in cases] == ["passes", "fails"]
    assert [str(finding) for finding in answer(check, cases[1]).findings] == ["Day 1: dinner starts at 17:00"]
    score = comfort.score(execution_trace(parse_plan(cases[0].plan), cases[0].frame, sandbox()))
    assert (score.name, score.score) == ("comfort", 1)
