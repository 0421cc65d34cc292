"""What must hold after each turn is derived from the record as the published evaluator derives it."""

from typing import Any

import pytest
from tests.trip_plus.release.conformance_data import MISSING, REASON, Json, differences, lines, record_of
from tests.trip_plus.release.fixture_data import base_meta, fixture_record

from tripgauge.errors import UsageError
from tripgauge.trip_plus.release.turn_state import (
    ReleaseTurnState,
    no_solution_keywords,
    turn_state,
    turn_states,
)

LINES = lines("turn_state.jsonl")


def as_line(state: ReleaseTurnState, query_set: str) -> Json:
    line = {
        "query_set": query_set,
        "record_id": state.record_id,
        "turn_id": state.turn_id,
        "reply": state.expectation,
        "status": "unsat" if state.unsolved else "sat",
        "people": state.people,
        "rooms": state.rooms,
        "days": state.days,
        "depart": state.depart_date,
        "return": state.return_date,
        "mode": state.route_mode,
        "party": state.party,
        "hard_keys": list(state.hard_constraints),
        "trip": state.trip_constraints,
        "generated": state.generated,
        "current_generated": list(state.current_generated),
        "must_update": list(state.must_update),
        "must_preserve": list(state.must_preserve),
    }
    return {**line, "unsat_keywords": list(state.keywords)} if state.unsolved else line


@pytest.mark.skipif(MISSING, reason=REASON)
@pytest.mark.parametrize("query_set", ["official", "synthetic"])
def test_every_turn_has_the_published_state(query_set: str) -> None:
    recorded = [line for line in LINES if line["query_set"] == query_set]
    assert len(recorded) == {"official": 570, "synthetic": 51}[query_set]

    wrong = []
    for line in recorded:
        state = turn_state(record_of(line), line["turn_id"])
        wrong += [
            f"{line['record_id']} turn {line['turn_id']} {d}" for d in differences(line, as_line(state, query_set))
        ]

    assert wrong == []


# --- The invented trip -----------------------------------------------------------------------------------------------


def with_turn(*deltas: Json, record: Json | None = None, **fields: Any) -> Json:
    """The invented record with one more turn at which the deltas hold."""
    record = record or fixture_record()
    previous = record["turns"][-1]
    oracle = {**previous["oracle_state_after_turn"], "active_user_state_deltas": list(deltas)}
    turn = {**previous, "turn_id": previous["turn_id"] + 1, "must_update": [], "oracle_state_after_turn": oracle}
    record["turns"].append({**turn, **fields})
    return record


def last_state(record: Json) -> ReleaseTurnState:
    return list(turn_states(record))[-1]


def test_the_trip_itself_is_added_to_the_constraints() -> None:
    state = turn_state(fixture_record(), 0)

    assert list(state.hard_constraints) == [
        "attraction_must_visit_named",
        "restaurant_highest_rated",
        "hotel_price_range",
        "budget_constraint",
        "train_seat_class",
        "trip_date_range_required",
        "party_size_required",
        "room_count_required",
        "intercity_round_trip_mode_required",
    ]
    assert state.trip_constraints["trip_date_range_required"] == {
        "depart_date": "2026-07-14",
        "return_date": "2026-07-15",
        "days": 2,
    }


def test_only_listed_constraints_stay_active_but_an_empty_list_keeps_all() -> None:
    record = fixture_record()
    record["turns"][0]["oracle_state_after_turn"]["active_hard_constraints"] = ["train_seat_class"]
    assert list(turn_state(record, 0).hard_constraints)[:2] == ["train_seat_class", "trip_date_range_required"]

    record["turns"][0]["oracle_state_after_turn"]["active_hard_constraints"] = []
    assert len(turn_state(record, 0).hard_constraints) == 9


def test_an_added_attraction_is_a_new_constraint_on_its_turn_and_an_old_one_later() -> None:
    museum, park = {"add_attraction": {"name": " Museum "}}, {"add_attraction": {"name": "Park", "insert_day": 2}}
    record = with_turn(museum, park, museum, record=with_turn(museum))

    first, second = turn_state(record, 1), turn_state(record, 2)

    assert first.current_generated == ("attraction_turn_added_1",)
    assert first.generated["attraction_turn_added_1"]["attraction_names"] == ["Museum"]
    assert list(second.generated) == ["attraction_turn_added_1", "attraction_turn_added_2"]
    assert second.current_generated == ("attraction_turn_added_2",)
    assert second.must_update == ("add_attraction",)


def test_a_required_restaurant_accepts_what_its_reference_accepts() -> None:
    reference = {"name": "Tea Garden", "acceptable_restaurant_names": ["Tea Garden", "Tea House"]}
    delta = {"restaurant_requirement": {"candidate_reference": reference, "meal_day": 2, "meal_type": "Lunch"}}

    state = last_state(with_turn(delta))

    constraint = state.generated["restaurant_turn_added_1"]
    assert constraint["restaurant_name"] == "Tea Garden"
    assert constraint["acceptable_restaurant_names"] == ["Tea Garden", "Tea House"]
    assert state.current_generated == ("restaurant_turn_added_1",)


def test_a_new_budget_takes_the_place_of_the_old_one() -> None:
    state = last_state(with_turn({"budget_update": {"new_max_budget": 1500, "minimum_feasible_budget": 1200}}))

    budget = state.hard_constraints["budget_constraint"]
    assert budget == {
        "constraint_type": "budget_range_total",
        "max_budget": 1500,
        "minimum_feasible_budget": 1200,
        "min_budget": 1200,
        "source": "turn_state_delta",
    }
    assert list(state.hard_constraints).index("budget_constraint") == 3


def test_a_last_budget_update_without_a_cap_generates_nothing() -> None:
    state = last_state(with_turn({"budget_update": {"new_max_budget": 1500}}, {"budget_update": {"source": "talk"}}))

    assert state.generated == {}
    assert state.hard_constraints["budget_constraint"] == {"max_budget": 2000}


@pytest.mark.parametrize(
    ("update", "adults", "children", "elders"),
    [
        ({"party_subtype": "friend_added", "new_people_number": 3}, 3, 0, 0),
        ({"party_subtype": "child_added", "added_children": 1, "new_people_number": 3}, 2, 1, 0),
        ({"party_subtype": "child_added", "new_people_number": 4}, 2, 2, 0),
        ({"party_subtype": "elder_added", "added_elders": 0, "new_people_number": 3}, 2, 0, 1),
        ({"party_subtype": "member_removed", "new_people_number": 1}, 1, 0, 0),
        ({"party_subtype": "child_added", "added_children": 1}, 2, 0, 0),
    ],
)
def test_the_party_grows_or_shrinks_to_the_new_number(update: Json, adults: int, children: int, elders: int) -> None:
    party = last_state(with_turn({"party_update": update})).party

    assert (party["adults"], len(party["children"]), len(party["elders"])) == (adults, children, elders)


def test_adults_leave_first_then_elders_then_children() -> None:
    record = fixture_record()
    base_meta(record)["observable_profile"]["party_composition"] = {
        "adults": 1,
        "children": [{"age": 5}, {"age": 7}],
        "elders": [{"age": 70}],
    }

    party = last_state(with_turn({"party_update": {"new_people_number": 1}}, record=record)).party

    assert party == {"adults": 0, "children": [{"age": 5}], "elders": []}


def test_a_child_in_the_party_makes_its_composition_a_constraint() -> None:
    update = {"party_subtype": "child_added", "added_children": 1, "new_people_number": 3, "new_room_number": 2}

    state = last_state(with_turn({"party_update": update}))

    assert state.trip_constraints["party_composition_required"]["people_number"] == 3
    assert (state.people, state.rooms) == (3, 2)
    assert state.must_update == ("party_update",)


@pytest.mark.parametrize(
    ("update", "days", "return_date"),
    [
        ({"new_days": 3}, 3, "2026-07-16"),
        ({"new_days": 3, "new_return_date": "2026-07-17"}, 3, "2026-07-17"),
        ({"new_return_date": "2026-07-20"}, 2, "2026-07-20"),
        ({"new_days": ""}, 2, "2026-07-15"),
    ],
)
def test_a_changed_duration_moves_the_return(update: Json, days: int, return_date: str) -> None:
    state = last_state(with_turn({"duration_update": update}))

    assert (state.days, state.return_date) == (days, return_date)


@pytest.mark.parametrize(
    ("fields", "expectation", "unsolved"),
    [
        ({"response_expectation": " Clarification "}, "clarification", False),
        ({"response_expectation": "conflict_resolution"}, "conflict_resolution", False),
        ({"response_expectation": "infeasible"}, "no_solution", True),
        ({"feasibility_status": "unsolved"}, "no_solution", True),
        ({"response_expectation": None}, "plan", False),
    ],
)
def test_the_expected_reply_is_a_plan_unless_the_turn_says_otherwise(
    fields: Json, expectation: str, unsolved: bool
) -> None:
    state = last_state(with_turn(**fields))

    assert (state.expectation, state.unsolved) == (expectation, unsolved)


def test_an_unknown_turn_is_the_operators_mistake() -> None:
    with pytest.raises(UsageError, match="mt_invented_0001 has no turn 7"):
        turn_state(fixture_record(), 7)


def test_keywords_start_with_what_blocks_and_end_with_words_of_the_reason() -> None:
    keywords = no_solution_keywords("museum missing", ["Museum"])

    assert keywords == ("Museum", "missing")


def test_the_word_constraint_adds_transport_since_train_is_in_it() -> None:
    keywords = no_solution_keywords("a constraint", [])

    assert keywords[-3:] == ("transport", "train", "flight")


def test_there_are_at_most_twelve_keywords() -> None:
    assert len(no_solution_keywords("total-budget is below the minimum_cost of every hotel constraint", [])) == 12


@pytest.mark.parametrize("subtype", ["child_added", "elder_added", "friend_added"])
def test_a_party_that_has_the_right_number_already_stays_as_it_is(subtype: str) -> None:
    update = {"party_subtype": subtype, "added_children": 1, "added_elders": 1, "new_people_number": 2}

    assert last_state(with_turn({"party_update": update})).party == {"adults": 2, "children": [], "elders": []}


def test_keywords_of_a_reason_have_four_letters_and_say_something() -> None:
    keywords = no_solution_keywords("the user asks for a sea-view zoo multi turn", [])

    assert keywords == ("asks", "view")


def test_words_about_money_add_the_words_of_a_budget() -> None:
    assert no_solution_keywords("too dear per night", [])[:9] == (
        "budget",
        "total budget",
        "cost",
        "fare",
        "price",
        "upper limit",
        "over budget",
        "exceed",
        "insufficient",
    )


def test_words_about_keeping_add_the_words_of_a_conflict() -> None:
    assert no_solution_keywords("unchanged", [])[:7] == (
        "hard constraint",
        "preserve",
        "unchanged",
        "do not relax",
        "infeasible",
        "no solution",
        "cannot satisfy",
    )


def test_a_keyword_that_differs_only_in_case_and_blanks_is_no_second_one() -> None:
    assert no_solution_keywords("hotel", ["HOTEL ", "accommo dation"]) == ("HOTEL ", "accommo dation")


def test_an_unsolved_turn_keeps_its_reason_beside_the_keywords() -> None:
    state = last_state(with_turn(feasibility_status="unsolved", unsolved_reason="museum missing"))

    assert (state.unsolved_reason, state.keywords) == ("museum missing", ("museum", "missing"))
    assert (state.record_id, state.interaction_type) == ("mt_invented_0001", "user_state_evolution")


def test_a_trip_without_all_its_dates_has_no_constraint_on_them() -> None:
    for missing in ("depart_date", "return_date", "days"):
        record = fixture_record()
        base_meta(record)[missing] = None

        assert "trip_date_range_required" not in turn_state(record, 0).trip_constraints


def test_a_required_hotel_carries_what_its_reference_tells() -> None:
    reference = {
        "acceptable_hotel_names": ["Hotel 2", "Hotel 3"],
        "requirement_type": "homestay",
        "hotel_star": "4",
        "score": "4.5",
        "price": "400",
        "services": ["Laundry"],
        "source": "sample_db.hotels",
    }
    deltas = [
        {"hotel_requirement": {"hotel_name": "Hotel 2", "candidate_reference": reference}},
        {"hotel_requirement": {"hotel_name": "Hotel 1"}},
    ]

    state = last_state(with_turn(*deltas))

    assert state.generated["hotel_turn_added_1"] == {
        "constraint_type": "turn_added_hotel_requirement",
        "hotel_name": "Hotel 2",
        "acceptable_hotel_names": ["Hotel 2", "Hotel 3"],
        "requirement_type": "homestay",
        "hotel_star": "4",
        "hotel_score": "4.5",
        "hotel_price": "400",
        "required_service_label": None,
        "services": ["Laundry"],
        "source": "sample_db.hotels",
    }
    assert state.generated["hotel_turn_added_2"]["acceptable_hotel_names"] == ["Hotel 1"]
    assert state.generated["hotel_turn_added_2"]["services"] == []
    assert state.generated["hotel_turn_added_2"]["source"] == "turn_state_delta"


def test_a_budget_changed_beside_something_else_is_new_too() -> None:
    state = last_state(with_turn({"add_attraction": {"name": "Museum"}}, {"budget_update": {"new_max_budget": 1500}}))

    assert state.current_generated == ("attraction_turn_added_1", "budget_constraint")
