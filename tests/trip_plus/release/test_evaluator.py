"""One reply to one turn is scored whole, and no reply can stop the scoring."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.trip_plus.release.fixture_data import Json, base_meta, fixture_files, fixture_plan, fixture_record

from tripgauge.trip_plus.release.evaluator import as_exchange, evaluate_turn, release_sandbox, release_turn

SANDBOX = release_sandbox(fixture_files())


def test_a_good_plan_has_all_its_scores() -> None:
    result = evaluate_turn(fixture_plan(), release_turn(fixture_record(), 0), SANDBOX)

    assert as_exchange(result)["scores"] == {
        "feasibility_score": 1.0,
        "strict_feasibility": 1.0,
        "strict_hard_constraint": 0.0,
        "hard_constraint_score": 0.7778,
        "strict_soft_preference": 0.0,
        "soft_preference_score": 0.7292,
        "requirement_score": 0.7535,
        "llm_user_simulation_score": None,
    }
    assert result.evaluation_mode is None
    assert result.cost is not None
    assert result.cost.total == 1501.0


def test_a_profile_without_rules_leaves_the_hard_score_as_requirement_score() -> None:
    record = fixture_record()
    base_meta(record)["user_profile"] = {}

    scores = evaluate_turn(fixture_plan(), release_turn(record, 0), SANDBOX).scores

    assert (scores.soft_preference_score, scores.strict_soft_preference) == (None, None)
    assert scores.requirement_score == 0.7778


@pytest.mark.parametrize("reply", [{"status": "clarification"}, {"status": "unsat"}, {}, {"daily_plans": []}])
def test_another_kind_of_reply_than_a_plan_scores_nothing(reply: Json) -> None:
    result = evaluate_turn(reply, release_turn(fixture_record(), 0), SANDBOX)

    assert result.evaluation_mode == "response_expectation_mismatch"
    assert result.scores.feasibility_score == result.scores.requirement_score == 0.0
    assert result.scores.soft_preference_score is None
    assert (result.feasibility, result.hard, result.soft, result.cost) == (None, None, None, None)


def test_without_a_sandbox_nothing_a_plan_names_is_found() -> None:
    result = evaluate_turn(fixture_plan(), release_turn(fixture_record(), 0), release_sandbox(None))

    assert result.feasibility is not None
    assert result.feasibility.subdimensions["poi_grounding_valid"] == 0.0
    assert result.feasibility.subdimensions["time_and_transfer_feasible"] == 0.5
    assert result.hard is not None
    assert result.hard.ratio == 0.7778


TURN = release_turn(fixture_record(), 0)


def places(value: Any, place: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The path of every value inside a JSON value."""
    found = [place]
    if isinstance(value, dict):
        found += [inner for key, item in value.items() for inner in places(item, (*place, key))]
    if isinstance(value, list):
        found += [inner for key, item in enumerate(value) for inner in places(item, (*place, key))]
    return found


def put(target: Any, place: tuple[Any, ...], value: Any) -> None:
    """Replaces the value at a path; does nothing where an earlier change took the path away."""
    *way, last = place
    try:
        for key in way:
            target = target[key]
        target[last] = value
    except (KeyError, IndexError, TypeError):
        return


PLACES = places(fixture_plan())[1:]
ODD_VALUES = st.sampled_from([[], {}, [None], [[]], "", "24:00-01:00", "١٢:٠٠-13:00", "¥1,200", "nan", "1e999", -1])
JSON_VALUES = ODD_VALUES | st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)


@given(changes=st.lists(st.tuples(st.sampled_from(PLACES), JSON_VALUES), min_size=1, max_size=4), status=JSON_VALUES)
@settings(max_examples=150, deadline=None)
def test_no_damage_to_a_plan_stops_the_scoring(changes: list[tuple[tuple[Any, ...], Any]], status: object) -> None:
    plan = fixture_plan()
    for place, value in changes:
        put(plan, place, value)
    if status is not None:
        plan["status"] = status

    result = evaluate_turn(plan, TURN, SANDBOX)

    score = result.scores.feasibility_score
    assert score is not None
    assert 0.0 <= score <= 1.0
    assert 0.0 <= result.fulfillment.score <= 1.0
