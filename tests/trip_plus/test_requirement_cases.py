"""What each requirement says of small plans, written by hand in the published notation."""

import pytest
from tests.trip_plus.toy_trip import sandbox

from tripgauge.checks import CheckResult
from tripgauge.trip_plus.case_files import Case, cases_of
from tripgauge.trip_plus.joining import execution_trace
from tripgauge.trip_plus.plan_text import parse_plan
from tripgauge.trip_plus.requirement_kinds import requirement, requirement_kinds
from tripgauge.trip_plus.requirements import Assessment

KINDS = {kind.id: kind for kind in requirement_kinds()}

CASES = [case for kind in KINDS for case in cases_of(kind)]


def answer(case: Case) -> CheckResult:
    trace = execution_trace(parse_plan(case.plan), case.frame, sandbox(), case.rest_days, case.expected_weather)
    return requirement(case.check, case.requirement).check(trace)


def verdict(result: CheckResult) -> str:
    if not result.applicable:
        return "does not apply"
    return "passes" if result.passed else "fails"


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.check}: {case.name}")
def test_each_case_gets_its_verdict_and_its_findings(case):
    result = answer(case)

    said = [str(finding) for finding in result.findings]

    assert verdict(result) == case.verdict, said
    assert len(said) == len(case.findings), said
    assert all(expected in text for expected, text in zip(case.findings, said, strict=True)), said


@pytest.mark.parametrize(
    "case",
    [case for case in CASES if case.level is not None],
    ids=lambda case: f"{case.check}: {case.name}",
)
def test_a_preference_is_met_as_far_as_its_case_says(case):
    result = answer(case)

    assert isinstance(result, Assessment)
    assert result.level == case.level
