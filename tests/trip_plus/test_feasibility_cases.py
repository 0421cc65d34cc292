"""What each strict feasibility check says of small plans, written by hand in the published notation."""

import pytest
from tests.trip_plus.toy_trip import sandbox

from tripgauge.checks import CheckResult
from tripgauge.trip_plus.case_files import Case, cases_of
from tripgauge.trip_plus.feasibility.dimension import FeasibilityCheck
from tripgauge.trip_plus.feasibility.score import all_checks
from tripgauge.trip_plus.joining import execution_trace
from tripgauge.trip_plus.plan_text import parse_plan

CHECKS = {check.id: check for check in all_checks()}

ALWAYS_APPLY = {
    "valid_trip_duration": "every trip has a length",
    "closed_loop_route_structure": "every task leads to another city, so travel is always due",
    "seamless_intercity_transfers": "every task leads to another city, so travel is always due",
    "validated_transportation": "every task leads to another city, so travel is always due",
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
