"""The kind of a reply is told apart as the published evaluator does, and so is a right reason from a wrong one."""

from dataclasses import replace

import pytest
from tests.trip_plus.release.fixture_data import Json, fixture_record

from tripgauge.trip_plus.release.costing import plan_cost
from tripgauge.trip_plus.release.facts import PlanFacts
from tripgauge.trip_plus.release.plan import read_plan
from tripgauge.trip_plus.release.response import expected_mode, explanation, observed_mode, reason_matches
from tripgauge.trip_plus.release.turn_state import turn_state


def facts(plan: object) -> PlanFacts:
    converted = read_plan(plan)
    return PlanFacts(converted, plan_cost(converted, 1, 1))


@pytest.mark.parametrize(
    ("plan", "mode"),
    [
        ({"daily_plans": [{}]}, "plan"),
        ({"daily_plans": [{}], "status": "malformed"}, "plan"),
        ({"daily_plans": [{}], "status": " Unsat "}, "invalid"),
        ({"daily_plans": [{}], "status": "clarification"}, "invalid"),
        ({"daily_plans": [], "status": "unsat"}, "no_solution"),
        ({"status": "UNSAT"}, "no_solution"),
        ({"status": "no_solution"}, "invalid"),
        ({"status": "Clarification "}, "clarification"),
        ({"status": "malformed"}, "invalid"),
        ({}, "invalid"),
        (None, "invalid"),
        ("a plan", "invalid"),
    ],
)
def test_the_kind_of_a_reply_follows_from_its_status_and_days(plan: Json, mode: str) -> None:
    assert observed_mode(facts(plan)) == mode


@pytest.mark.parametrize(
    ("expectation", "mode"),
    [
        ("plan", "plan"),
        ("clarification", "clarification"),
        ("conflict_resolution", "clarification"),
        ("infeasible", "no_solution"),
        ("no_solution", "no_solution"),
        ("anything", "plan"),
    ],
)
def test_an_expectation_stands_for_a_kind_of_reply(expectation: str, mode: str) -> None:
    assert expected_mode(expectation) == mode


@pytest.mark.parametrize(
    ("answer", "right"),
    [
        ("The budget cannot cover any hotel.", True),
        ("budget too small", False),
        ("It is infeasible: cost exceeds budget, hotel minimum", True),
        ("Infeasible: the b u d g e t cannot pay for the train.", True),
        ("Infeasible: the fare of the train is too high.", True),
        ("Infeasible, sorry.", False),
        ("", False),
    ],
)
def test_a_reason_is_right_if_it_uses_two_keywords_or_pleads_the_budget(answer: str, right: bool) -> None:
    state = replace(turn_state(fixture_record(), 0), keywords=("budget_constraint", "budget", "hotel"))

    assert reason_matches(state, answer) is right


def test_without_keywords_any_reason_is_right() -> None:
    assert reason_matches(turn_state(fixture_record(), 0), "") is True


def test_a_single_keyword_is_enough_if_there_is_only_one() -> None:
    state = replace(turn_state(fixture_record(), 0), keywords=("museum",))

    assert reason_matches(state, "No Museum is open.") is True


def test_the_reason_may_stand_in_any_of_four_fields() -> None:
    answer = facts({"status": "unsat", "reason": " too dear ", "summary": "sorry", "note": "unseen"})

    assert explanation(answer).split() == ["too", "dear", "sorry"]
