"""What each requirement says of small plans, written by hand in the published notation."""

from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from tests.trip_plus.toy_trip import sandbox

from tripgauge.checks import CheckResult, Finding
from tripgauge.errors import UsageError
from tripgauge.trip_plus.case_files import Case, cases_of
from tripgauge.trip_plus.notation.plan_text import parse_plan
from tripgauge.trip_plus.requirements import requirement as requirements
from tripgauge.trip_plus.requirements.kinds import requirement, requirement_kinds
from tripgauge.trip_plus.requirements.requirement import (
    Assessment,
    Component,
    HardConstraint,
    Kind,
    Requirement,
    SoftPreference,
)
from tripgauge.trip_plus.trace.execution import Content, ExecutionTrace
from tripgauge.trip_plus.trace.joining import execution_trace

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


ALWAYS_DUE = (None, Content.DAYS, Content.PROGRAM, Content.TRAVEL, Content.COSTS)
"""What every plan must have something of, so that a requirement about it never fails to apply for want of it."""


def can_be_beside_the_point(kind: Kind) -> bool:
    """Whether there are plans a requirement of that kind does not apply to."""
    return kind.type.about not in ALWAYS_DUE or kind.type.not_applicable is not Requirement.not_applicable


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_each_kind_has_a_case_for_every_answer_it_can_give(kind):
    verdicts = {case.verdict for case in cases_of(kind.id)}

    assert {"passes", "fails"} <= verdicts
    assert ("does not apply" in verdicts) == can_be_beside_the_point(kind)


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_each_kind_says_what_it_asks_in_a_sentence_and_where_it_is_published(kind):
    sentences = {requirement(case.check, case.requirement).sentence() for case in cases_of(kind.id)}

    assert all(text[0].isupper() and text.endswith(".") and "  " not in text for text in (kind.rule, *sentences))
    assert "Trip+" in kind.source
    assert kind.group is not Component.UNKNOWN


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_requirements_are_equal_when_kind_and_parameters_are(kind):
    parameters = cases_of(kind.id)[0].requirement

    first, second = requirement(kind.id, parameters), requirement(kind.id, parameters)

    assert first == second
    assert len({first, second}) == 1
    assert first.id == kind.id


def test_each_preference_that_can_be_half_met_has_a_case_of_it():
    half = {case.check for case in CASES if case.level == 0.5}
    all_or_nothing = {"transport_prefer_train", "transport_prefer_flight"}

    preferences = {kind.id for kind in KINDS.values() if issubclass(kind.type, SoftPreference)}

    assert preferences - all_or_nothing == half


def test_each_failing_case_says_what_is_to_be_found():
    assert [case.name for case in CASES if bool(case.findings) != (case.verdict == "fails")] == []


def test_each_failing_case_of_a_preference_says_how_far_it_is_met():
    preferences = [case for case in CASES if issubclass(KINDS[case.check].type, SoftPreference)]

    assert [case.name for case in preferences if (case.level is not None) != (case.verdict == "fails")] == []


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.check}: {case.name}")
def test_no_requirement_is_met_by_an_empty_plan(case):
    """R1: whoever hands in the right number of days with nothing on them has met nothing."""
    empty = "\n".join(f"Day {day}" for day in range(1, case.frame.days + 1))
    trace = execution_trace(parse_plan(empty), case.frame, sandbox(), case.rest_days, case.expected_weather)

    assert not requirement(case.check, case.requirement).check(trace).passed


# --- Adding a kind ---------------------------------------------------------------------------------------------------


CASE_FILE = """\
[[case]]
name = "a taxi at last"
verdict = "passes"
requirement = { most = 1 }
trip = { days = 1 }
plan = '''
Day 1 (2026-07-14):
Current City: Briskhaven
09:00-09:10 | travel_city | Quay Inn - Fort Museum, taxi, 3km, 10min, ¥10
'''

[[case]]
name = "one taxi too many"
verdict = "fails"
requirement = { most = 0 }
trip = { days = 1 }
findings = ["1 taxi rides"]
plan = '''
Day 1 (2026-07-14):
Current City: Briskhaven
09:00-09:10 | travel_city | Quay Inn - Fort Museum, taxi, 3km, 10min, ¥10
'''
"""


def test_a_kind_is_added_with_one_dataclass_and_one_case_file(tmp_path, monkeypatch):
    monkeypatch.setattr(requirements, "_KINDS", dict(requirements._KINDS))

    @dataclass(frozen=True)
    class FewTaxis(HardConstraint):
        """The traveler takes few taxis."""

        id = "few_taxis"
        group = Component.TRANSPORT
        source = "a test, after Trip+ Table 12"

        most: int

        def find(self, trace: ExecutionTrace) -> Iterator[Finding]:
            rides = [transfer for transfer in trace.transfers if "taxi" in transfer.activity.mode]
            if len(rides) > self.most:
                yield Finding(f"{len(rides)} taxi rides", expected=str(self.most))

    (tmp_path / "few_taxis.toml").write_text(CASE_FILE, encoding="utf-8")

    cases = cases_of("few_taxis", tmp_path)
    kind = requirement_kinds()[-1]

    assert [verdict(answer(case)) for case in cases] == [case.verdict for case in cases] == ["passes", "fails"]
    assert (kind.id, kind.rule, kind.group) == ("few_taxis", "The traveler takes few taxis.", "transport")
    assert requirement("few_taxis", {"most": 2}) == FewTaxis(2)


# --- Loading ---------------------------------------------------------------------------------------------------------


def test_a_kind_that_does_not_exist_is_refused_by_name():
    with pytest.raises(UsageError, match="No requirement 'hotel_with_a_view'"):
        requirement("hotel_with_a_view", {})


@pytest.mark.parametrize(
    ("parameters", "complaint"),
    [
        ({"low": 200}, "hotel_price_range, high: is missing"),
        ({"low": 200, "high": "much"}, "hotel_price_range, high: .*much"),
        ({"low": 200, "high": 300, "stars": 4}, "hotel_price_range: has no parameter stars"),
    ],
)
def test_a_parameter_that_does_not_fit_is_named(parameters, complaint):
    with pytest.raises(UsageError, match=complaint):
        requirement("hotel_price_range", parameters)
