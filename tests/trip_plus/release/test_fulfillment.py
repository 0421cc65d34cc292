"""What a turn asks for and what it must keep is checked on the invented trip as in the published evaluator."""

from typing import Any

import pytest
from tests.trip_plus.release.fixture_data import (
    Json,
    activity,
    base_meta,
    fixture_files,
    fixture_plan,
    fixture_record,
)

from tripgauge.trip_plus.release.adjustments import ADJUSTMENTS
from tripgauge.trip_plus.release.evaluator import TurnResult, evaluate_turn, release_sandbox, release_turn

SANDBOX = release_sandbox(fixture_files())

KEEP = ["budget_constraint", "hotel_price_range", "train_seat_class"]


def second_turn(
    updates: list[str],
    *,
    plan: Json | None = None,
    deltas: list[Json] | None = None,
    resolutions: list[Json] | None = None,
    events: list[Json] | None = None,
    **fields: Any,
) -> TurnResult:
    """The result of giving the plan again at a second turn that asks for the updates."""
    record = fixture_record()
    first = record["turns"][0]
    oracle = {
        **first["oracle_state_after_turn"],
        "active_user_state_deltas": deltas or [],
        "active_request_resolutions": resolutions or [],
        "active_environment_events": events or [],
    }
    turn = {**first, "turn_id": 1, "must_update": updates, "must_preserve": KEEP, "oracle_state_after_turn": oracle}
    record["turns"].append({**turn, **fields})
    return evaluate_turn(fixture_plan() if plan is None else plan, release_turn(record, 1), SANDBOX)


def checks(result: TurnResult) -> dict[str, bool | None]:
    return {check.id: check.passed for check in result.fulfillment.checks}


def check(update: str, name: str = "", **turn: Any) -> bool | None:
    """The answer to one update's check."""
    return checks(second_turn([update], **turn))[name or update]


def adjusted(name: str, plan: Json | None = None, **parameters: Any) -> bool | None:
    """The answer to one adjustment to the environment."""
    event = {"expected_adjustments": [{"check": name, **parameters}]}
    result = second_turn(["environment_aware_replanning"], events=[event], plan=plan)
    (adjustment,) = result.fulfillment.adjustments
    assert checks(result)["environment_aware_replanning"] is (adjustment.passed is not False)
    return adjustment.passed


# --- Changes of schedule, party and taste ----------------------------------------------------------------------------


@pytest.mark.parametrize(("minutes", "kept"), [(540, True), (560, False), (None, None)])
def test_a_late_start_counts_the_ride_from_the_hotel(minutes: int | None, kept: bool | None) -> None:
    delta = {"late_start_request": {"day": 2, "earliest_start_minutes": minutes}}

    assert check("late_start_request", deltas=[delta]) is kept


def test_a_late_start_on_no_day_is_not_kept() -> None:
    delta = {"late_start_request": {"day": 3, "earliest_start_minutes": 540}}

    assert check("late_start_request", deltas=[delta]) is False


@pytest.mark.parametrize(("minutes", "kept"), [(1160, True), (1155, False), (0, None)])
def test_an_early_finish_counts_the_ride_to_the_hotel(minutes: int, kept: bool | None) -> None:
    delta = {"schedule_update": {"schedule_subtype": "early_finish", "day": 1, "latest_formal_end_minutes": minutes}}

    assert check("schedule_update", deltas=[delta]) is kept


@pytest.mark.parametrize(("day", "kept"), [(1, True), (2, False), (None, False)])
def test_a_long_lunch_is_a_midday_rest(day: int | None, kept: bool) -> None:
    delta = {"schedule_update": {"schedule_subtype": "midday_rest", "day": day}}

    assert check("schedule_update", deltas=[delta]) is kept


def test_a_change_of_schedule_of_an_unknown_kind_does_not_count() -> None:
    assert check("schedule_update", deltas=[{"schedule_update": {"schedule_subtype": "swap", "day": 1}}]) is None


def test_the_latest_request_counts() -> None:
    early = {"late_start_request": {"day": 2, "earliest_start_minutes": 540}}
    late = {"late_start_request": {"day": 2, "earliest_start_minutes": 600}}

    assert check("late_start_request", deltas=[late, early]) is True
    assert check("late_start_request", deltas=[early, late]) is False


@pytest.mark.parametrize(("most", "kept"), [(2, True), (1, False), (None, None)])
def test_a_pacing_limit_counts_visits_of_each_day(most: int | None, kept: bool | None) -> None:
    resolution = {"resolved_pacing_limit": {"max_attractions_per_day": most}}

    assert check("resolved_pacing_limit", resolutions=[resolution]) is kept


def test_a_child_joins_a_trip_without_strenuous_visits() -> None:
    child = {"party_update": {"party_subtype": "child_added"}}
    assert check("party_update", deltas=[child]) is True

    long_visit = fixture_plan()
    activity(long_visit, 1, "13:55-16:55")["time_slot"] = "13:25-16:55"
    assert check("party_update", deltas=[child], plan=long_visit) is False

    trail = fixture_plan()
    activity(trail, 2, "09:20-11:20")["details"]["name"] = "Ridge Trail"
    assert check("party_update", deltas=[child], plan=trail) is False
    assert check("party_update", deltas=[{"party_update": {"party_subtype": "friend_added"}}], plan=trail) is True


def test_stated_costs_must_be_right_for_the_new_party() -> None:
    grown = {"party_update": {"party_subtype": "friend_added", "new_people_number": 5, "new_room_number": 3}}

    assert check("party_update", deltas=[grown]) is False


def test_a_banned_word_is_looked_for_in_the_plan_alone() -> None:
    noodle = [{"dietary_update": {"banned_keywords": ["Noodle"]}}]
    cantonese = [{"dietary_update": {"banned_keywords": ["cantonese"]}}]

    assert check("dietary_update", deltas=noodle) is False
    assert check("dietary_update", deltas=cantonese) is True
    assert check("dietary_update", deltas=[{"dietary_update": {"banned_keywords": []}}]) is True


@pytest.mark.parametrize(("days", "kept"), [(2, True), (3, False), (None, None)])
def test_a_changed_duration_counts_days(days: int | None, kept: bool | None) -> None:
    assert check("duration_update", deltas=[{"duration_update": {"new_days": days}}]) is kept


@pytest.mark.parametrize(("cap", "kept"), [(1501, True), (1500, False)])
def test_a_new_budget_is_kept_by_what_the_trip_costs(cap: int, kept: bool) -> None:
    assert check("budget_update", deltas=[{"budget_update": {"new_max_budget": cap}}]) is kept


# --- Places added ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "kept"), [("Beta City Museum", True), ("Old Gate", False)])
def test_an_added_attraction_may_be_visited_on_any_day(name: str, kept: bool) -> None:
    delta = {"add_attraction": {"name": name, "insert_day": 2}}

    assert check("add_attraction", "attraction_turn_added_1", deltas=[delta]) is kept


def test_an_added_attraction_without_a_name_is_no_check() -> None:
    assert checks(second_turn(["add_attraction"])) == {"response_expectation": True}


@pytest.mark.parametrize(
    ("day", "wanted", "kept"),
    [
        (1, "Dinner", True),
        (1, "lunch", False),
        (2, "dinner", False),
        (None, "dinner", True),
        (1, None, True),
        (9, "dinner", False),
    ],
)
def test_a_required_restaurant_serves_the_meal_asked_for(day: int | None, wanted: str | None, kept: bool) -> None:
    request = {"restaurant_name": "Harbor Grill", "meal_day": day, "meal_type": wanted}
    result = checks(second_turn(["restaurant_requirement"], deltas=[{"restaurant_requirement": request}]))

    assert result["restaurant_turn_added_1"] is True
    assert result["restaurant_turn_added_1:meal_slot"] is kept


def test_supper_is_dinner() -> None:
    plan = fixture_plan()
    activity(plan, 1, "17:30-19:00")["details"]["meal_type"] = "Late supper"
    request = {"restaurant_name": "Harbor Grill", "meal_type": "dinner"}

    result = checks(second_turn(["restaurant_requirement"], plan=plan, deltas=[{"restaurant_requirement": request}]))

    assert result["restaurant_turn_added_1:meal_slot"] is True


def test_a_required_hotel_is_the_accommodation_of_some_night() -> None:
    for name, kept in (("Beta Lake Hotel", True), ("Hotel 1", False)):
        deltas = [{"hotel_requirement": {"hotel_name": name}}]
        assert check("hotel_requirement", "hotel_turn_added_1", deltas=deltas) is kept


def test_a_requirement_that_names_nothing_fails_unless_an_earlier_one_stands_in() -> None:
    earlier = [{"hotel_requirement": {"hotel_name": "Beta Lake Hotel"}}]
    assert check("hotel_requirement") is False

    record = fixture_record()
    first = record["turns"][0]
    oracle = {**first["oracle_state_after_turn"], "active_user_state_deltas": earlier}
    for turn_id in (1, 2):
        turn = {"turn_id": turn_id, "must_update": ["hotel_requirement"], "oracle_state_after_turn": oracle}
        record["turns"].append({**first, **turn})
    result = evaluate_turn(fixture_plan(), release_turn(record, 2), SANDBOX)

    assert release_turn(record, 2).state.current_generated == ()
    assert checks(result)["hotel_turn_added_1"] is True


# --- Environment -----------------------------------------------------------------------------------------------------

AFTERNOON = {"day": 1, "time_window": [840, 1020]}


@pytest.mark.parametrize(
    ("name", "parameters", "done"),
    [
        ("limit_outdoor_in_window", {**AFTERNOON, "max_outdoor_minutes": 90}, False),
        ("limit_outdoor_in_window", {**AFTERNOON, "max_outdoor_minutes": 174}, False),
        ("limit_outdoor_in_window", {**AFTERNOON, "max_outdoor_minutes": 175}, True),
        ("limit_outdoor_in_window", {**AFTERNOON, "max_outdoor_minutes": 0}, False),
        ("limit_outdoor_in_window", {"day": 1, "time_window": [840]}, True),
        ("limit_outdoor_in_window", {"day": 3, "time_window": [840, 1020]}, True),
        ("has_indoor_or_buffer_on_day", {"day": 1, "min_buffer_minutes": 30}, True),
        ("has_indoor_or_buffer_on_day", {"day": 3, "min_buffer_minutes": 30}, False),
        ("has_indoor_or_buffer_in_window", AFTERNOON, False),
        ("has_indoor_or_buffer_in_window", {"day": 1, "time_window": [660, 840]}, True),
        ("has_indoor_or_buffer_in_window", {"day": 1, "time_window": [660]}, False),
        ("has_hotel_or_rest_in_window", AFTERNOON, False),
        ("has_hotel_or_rest_in_window", {"day": 1, "time_window": [720, 840]}, True),
        ("avoid_unavailable_poi", {"target": "Willow Lake Park"}, False),
        ("avoid_unavailable_poi", {"target": "Old Gate"}, True),
        ("avoid_unavailable_poi", {"target": ""}, False),
        ("first_day_light_after_transport_delay", {"max_first_day_attractions": 2}, True),
        ("first_day_light_after_transport_delay", {"max_first_day_attractions": 1}, False),
        ("first_day_light_after_transport_delay", {"requires_buffer_or_hotel_after_intercity": True}, True),
        ("avoid_peak_meal_window", {"peak_window": [720, 780]}, False),
        ("avoid_peak_meal_window", {}, False),
        ("avoid_peak_meal_window", {"peak_window": [900, 960]}, True),
        ("avoid_peak_attraction_window", {"target_attractions": ["Willow Lake Park"]}, True),
        ("avoid_peak_attraction_window", {"target_attractions": ["Beta City Museum"]}, False),
        ("avoid_peak_attraction_window", {"target_attraction_names": ["Beta City Museum"]}, False),
        ("avoid_peak_attraction_window", {}, False),
        ("return_day_transport_buffer", {"min_buffer_minutes": 60}, False),
        ("return_day_transport_buffer", {}, False),
        ("return_day_transport_buffer", {"min_buffer_minutes": 30}, True),
        ("first_day_buffer_for_local_practical", {"min_buffer_minutes": 30}, True),
        ("include_practical_note", {"keywords": ["security", "station entry"]}, True),
        ("include_practical_note", {"keywords": ["Station Entry"]}, False),
        ("explain_unsolved", {}, False),
        ("something_unheard_of", {}, None),
    ],
)
def test_a_plan_is_adjusted_to_what_happened(name: str, parameters: Json, done: bool | None) -> None:
    assert adjusted(name, **parameters) is done


def test_a_return_day_without_a_journey_must_not_end_with_a_visit() -> None:
    plan = fixture_plan()
    plan["daily_plans"][1]["activities"] = plan["daily_plans"][1]["activities"][:2]
    assert adjusted("return_day_transport_buffer", plan) is False

    plan["daily_plans"][1]["activities"] = plan["daily_plans"][1]["activities"][:1]
    assert adjusted("return_day_transport_buffer", plan) is True


@pytest.mark.parametrize(
    ("slot", "name", "minutes"),
    [
        ("10:00-12:29", "Old Gate", 0),
        ("10:00-12:30", "Old Gate", 150),
        ("10:00-10:20", "Forest Gate", 20),
        ("10:00-12:30", "Forest Museum", 0),
        ("unknown", "Forest Gate", 0),
    ],
)
def test_a_visit_looks_outdoor_by_its_name_or_by_its_length(slot: str, name: str, minutes: int) -> None:
    plan = fixture_plan()
    plan["daily_plans"][0]["activities"] = [{"time_slot": slot, "type": "attraction", "details": {"name": name}}]
    window = {"day": 1, "time_window": [600, 900]}

    assert adjusted("limit_outdoor_in_window", plan, max_outdoor_minutes=minutes or 1, **window) is True
    if minutes:
        assert adjusted("limit_outdoor_in_window", plan, max_outdoor_minutes=minutes - 1, **window) is False


def one_activity(kind: str, slot: str) -> Json:
    plan = fixture_plan()
    plan["daily_plans"] = [{"activities": [{"time_slot": slot, "type": kind, "details": {}}]}]
    return plan


@pytest.mark.parametrize(
    ("name", "kind", "slot", "done"),
    [
        ("limit_outdoor_in_window", "attraction", "10:00-12:29", True),
        ("has_indoor_or_buffer_on_day", "buffer", "10:00-10:29", False),
        ("has_indoor_or_buffer_on_day", "buffer", "10:00-10:30", True),
        ("has_indoor_or_buffer_on_day", "travel_city", "10:00-12:00", False),
        ("has_indoor_or_buffer_in_window", "hotel", "09:30-10:29", False),
        ("has_indoor_or_buffer_in_window", "hotel", "09:30-10:30", True),
        ("has_indoor_or_buffer_in_window", "attraction", "10:00-11:00", True),
        ("has_indoor_or_buffer_in_window", "travel_city", "10:00-12:00", False),
        ("has_hotel_or_rest_in_window", "meal", "10:00-10:59", False),
        ("has_hotel_or_rest_in_window", "meal", "10:00-11:00", True),
        ("has_hotel_or_rest_in_window", "rest", "10:00-11:00", True),
        ("has_hotel_or_rest_in_window", "Rest", "10:00-11:00", False),
        ("first_day_buffer_for_local_practical", "buffer", "10:00-10:29", False),
        ("first_day_buffer_for_local_practical", "buffer", "10:00-10:30", True),
        ("avoid_peak_meal_window", "meal", "11:00-12:00", True),
        ("avoid_peak_meal_window", "meal", "11:00-12:01", False),
        ("avoid_peak_meal_window", "meal", "12:59-13:30", False),
        ("avoid_peak_meal_window", "meal", "13:00-13:30", True),
        ("avoid_peak_attraction_window", "attraction", "09:00-10:00", True),
        ("avoid_peak_attraction_window", "attraction", "09:00-10:01", False),
        ("avoid_peak_attraction_window", "attraction", "11:59-13:00", False),
        ("avoid_peak_attraction_window", "attraction", "12:00-13:00", True),
        ("return_day_transport_buffer", "attraction", "12:00-12:00", True),
        ("return_day_transport_buffer", "attraction", "12:00-12:01", False),
    ],
)
def test_an_adjustment_without_parameters_uses_the_usual_ones(name: str, kind: str, slot: str, done: bool) -> None:
    assert adjusted(name, one_activity(kind, slot), day=1, time_window=[600, 720]) is done


def test_ninety_minutes_outdoors_are_allowed_unless_the_event_says_otherwise() -> None:
    plan = one_activity("attraction", "10:00-12:30")

    assert adjusted("limit_outdoor_in_window", plan, day=1, time_window=[600, 690]) is True
    assert adjusted("limit_outdoor_in_window", plan, day=1, time_window=[600, 691]) is False


@pytest.mark.parametrize(
    ("kinds", "done"),
    [
        (["travel_intercity_public", "travel_city", "attraction", "buffer"], True),
        (["travel_intercity_public", "travel_city", "attraction", "travel_city", "buffer"], False),
        (["buffer", "travel_intercity_public"], False),
        (["attraction", "meal"], False),
        (["attraction", "hotel"], True),
        (["attraction", "attraction", "attraction", "hotel"], False),
        ([], False),
    ],
)
def test_a_pause_comes_soon_after_a_delayed_arrival(kinds: list[str], done: bool) -> None:
    plan = fixture_plan()
    plan["daily_plans"] = [{"activities": [{"type": kind} for kind in kinds]}]
    flag = {"requires_buffer_or_hotel_after_intercity": True}

    assert adjusted("first_day_light_after_transport_delay", plan, **flag) is done


def test_time_before_the_journey_home_is_an_unbroken_run_of_buffers() -> None:
    journey = {"type": "travel_intercity_public"}
    long, short = ({"type": "buffer", "time_slot": slot} for slot in ("10:00-10:50", "11:00-11:10"))
    plan = fixture_plan()

    plan["daily_plans"] = [{"activities": [long, short, journey]}]
    assert adjusted("return_day_transport_buffer", plan) is True
    plan["daily_plans"] = [{"activities": [long, {"type": "travel_city"}, short, journey]}]
    assert adjusted("return_day_transport_buffer", plan) is False


def test_events_of_earlier_turns_still_bind() -> None:
    closed = {"expected_adjustments": [{"check": "avoid_unavailable_poi", "target": "Willow Lake Park"}]}
    crowd = {"expected_adjustments": [{"check": "avoid_peak_meal_window", "peak_window": [900, 960]}]}

    result = second_turn(["environment_aware_replanning"], events=[closed, crowd])

    assert [adjustment.passed for adjustment in result.fulfillment.adjustments] == [False, True]
    assert checks(result)["environment_aware_replanning"] is False


def test_without_events_every_plan_is_adjusted() -> None:
    assert check("environment_aware_replanning") is True
    assert check("environment_aware_replanning", plan={"status": "unsat"}) is False


def test_every_adjustment_of_the_published_code_is_known() -> None:
    assert len(ADJUSTMENTS) == 15


# --- Scores of a turn ------------------------------------------------------------------------------------------------


def test_two_of_three_kept_constraints_broken_leave_a_third() -> None:
    result = second_turn(["something_new"])

    assert result.preservation.score == pytest.approx(1 / 3)
    assert (result.preservation.counted, result.preservation.errors) == (3, 2)


@pytest.mark.parametrize(
    ("updates", "turn", "score"),
    [
        (
            ["late_start_request"],
            {"deltas": [{"late_start_request": {"day": 2, "earliest_start_minutes": 600}}]},
            1 / 2,
        ),
        (
            ["resolved_pacing_limit", "route_preference"],
            {"resolutions": [{"resolved_pacing_limit": {"max_attractions_per_day": 2}}]},
            2 / 3,
        ),
        (["resolved_restaurant_preference"], {}, 1 / 2),
        (["apply_relaxed_constraint"], {}, 1 / 2),
        (["something_new"], {}, 1.0),
    ],
)
def test_a_turn_is_scored_by_its_checks_and_by_the_kind_of_reply(updates: list[str], turn: Json, score: float) -> None:
    assert second_turn(updates, **turn).fulfillment.score == pytest.approx(score)


def test_a_preference_is_met_by_the_soft_score_of_its_rules() -> None:
    result = second_turn(["route_preference", "resolved_restaurant_preference", "hotel_preference"])

    found = {check.id: (check.passed, check.soft_score) for check in result.fulfillment.checks if check.by_soft_score}
    assert found == {
        "route_preference": (False, 0.5),
        "hotel_preference": (True, 1.0),
        "resolved_restaurant_preference": (False, 0.25),
    }


def test_a_preference_without_rules_in_the_profile_is_scored_by_all_rules() -> None:
    result = second_turn(["profile_preference"])

    (preference,) = [check for check in result.fulfillment.checks if check.by_soft_score]
    assert (preference.soft_score, preference.passed) == (0.7292, False)


@pytest.mark.parametrize(
    ("update", "rules", "passed"),
    [
        ("profile_preference", ["interest_culture", "interest_local_food"], True),
        ("profile_preference", ["hotel_value_first", "meal_avoid_expensive", "interest_culture"], True),
        ("profile_preference", ["interest_local_food", "interest_culture", "meal_avoid_expensive"], False),
        ("profile_preference", ["speaks_esperanto"], None),
        ("final_integrated_plan", [], True),
        ("resolved_priority", [], False),
        ("transport_preference", [], True),
    ],
)
def test_each_preference_has_its_threshold(update: str, rules: list[str], passed: bool | None) -> None:
    assert check(update, verification_oracle={"profile_rule_ids": rules}) is passed


@pytest.mark.parametrize(
    ("update", "profile", "passed"),
    [
        ("resolved_priority", ["mobility_accessibility"], True),
        ("resolved_priority", ["schedule_pacing"], False),
        ("route_preference", ["mobility_accessibility"], True),
        ("restaurant_preference", ["interest_local_food"], False),
        ("restaurant_preference", ["interest_culture"], True),
        ("transport_preference", ["transport_prefer_flight"], False),
        ("hotel_preference", ["meal_avoid_expensive"], False),
    ],
)
def test_a_preference_is_judged_by_those_of_its_rules_that_the_profile_has(
    update: str, profile: list[str], passed: bool
) -> None:
    record = fixture_record()
    base_meta(record)["user_profile"]["rule_ids"] = profile
    base_meta(record)["user_profile"]["rules"] = []
    record["turns"][0]["must_update"] = [update]

    result = evaluate_turn(fixture_plan(), release_turn(record, 0), SANDBOX)

    assert checks(result)[update] is passed


def test_a_relaxed_trip_meets_all_constraints_at_once() -> None:
    assert check("apply_relaxed_constraint") is False

    record = fixture_record()
    record["turns"][0]["must_update"] = ["apply_relaxed_constraint"]
    record["turns"][0]["oracle_state_after_turn"]["active_hard_constraints"] = ["budget_constraint"]
    result = evaluate_turn(fixture_plan(), release_turn(record, 0), SANDBOX)
    assert checks(result)["apply_relaxed_constraint"] is True


def test_what_blocks_is_asked_back_where_a_plan_was_wanted() -> None:
    question = {"status": "clarification"}

    assert check("explain_unsolved", "clarification_for_blocking_constraint") is False
    assert check("explain_unsolved", "clarification_for_blocking_constraint", plan=question) is True


@pytest.mark.parametrize(
    ("slot", "kind", "kept"),
    [
        ("11:00-13:15", "buffer", True),
        ("11:00-13:14", "buffer", False),
        ("13:45-15:00", "buffer", True),
        ("13:46-15:00", "buffer", False),
        ("12:30-14:30", "travel_city", False),
        ("12:30-14:30", "walk to a restaurant", True),
    ],
)
def test_a_midday_rest_is_forty_five_minutes_around_half_past_one(slot: str, kind: str, kept: bool) -> None:
    delta = {"schedule_update": {"schedule_subtype": "midday_rest", "day": 1}}

    assert check("schedule_update", deltas=[delta], plan=one_activity(kind, slot)) is kept


def test_supper_is_no_lunch() -> None:
    plan = fixture_plan()
    activity(plan, 1, "17:30-19:00")["details"]["meal_type"] = "supper"
    request = {"restaurant_name": "Harbor Grill", "meal_type": "lunch"}

    result = checks(second_turn(["restaurant_requirement"], plan=plan, deltas=[{"restaurant_requirement": request}]))

    assert result["restaurant_turn_added_1:meal_slot"] is False


def test_an_attraction_added_before_stands_in_only_where_the_turn_says_so() -> None:
    record = fixture_record()
    first = record["turns"][0]
    deltas = [{"add_attraction": {"name": name}} for name in ("Beta City Museum", "Willow Lake Park")]
    oracle = {**first["oracle_state_after_turn"], "active_user_state_deltas": deltas}
    for turn_id, updates in ((1, []), (2, ["add_attraction"]), (3, [])):
        turn = {"turn_id": turn_id, "must_update": updates, "oracle_state_after_turn": oracle}
        record["turns"].append({**first, **turn})

    found = [
        list(checks(evaluate_turn(fixture_plan(), release_turn(record, turn_id), SANDBOX))) for turn_id in (1, 2, 3)
    ]

    both = ["response_expectation", "attraction_turn_added_1", "attraction_turn_added_2"]
    assert found == [both, both, ["response_expectation"]]


def test_an_added_attraction_counts_although_no_hard_result_tells_of_it() -> None:
    delta = {"add_attraction": {"name": "Willow Lake Park"}}
    fields = {"deltas": [delta], "response_expectation": "clarification"}

    assert check("add_attraction", "attraction_turn_added_1", **fields) is True
    assert check("add_attraction", "attraction_turn_added_1", plan={}, **fields) is False


def test_an_empty_reply_still_earns_vacuous_checks() -> None:
    resolution = {"resolved_pacing_limit": {"max_attractions_per_day": 2}}

    result = second_turn(["resolved_pacing_limit", "route_preference"], plan={}, resolutions=[resolution])

    assert checks(result) == {
        "response_expectation": False,
        "resolved_pacing_limit": True,
        "route_preference": True,
    }
    assert result.preservation.score == 0.0
    assert result.scores.requirement_score == 0.0


def test_checks_come_in_the_published_order() -> None:
    updates = ["colour_theme", "apply_relaxed_constraint", "budget_update", "initial_plan", "route_preference"]

    result = second_turn(updates)

    assert list(checks(result)) == [
        "initial_plan",
        "response_expectation",
        "budget_update",
        "route_preference",
        "apply_relaxed_constraint",
        "colour_theme",
    ]


def test_a_question_asked_back_where_one_is_wanted_is_a_full_score() -> None:
    result = second_turn(
        ["priority_clarification"],
        plan={"status": "clarification", "clarification": "Which?"},
        response_expectation="clarification",
    )

    assert result.fulfillment.score == 1.0
    assert result.fulfillment.families == ("request_resolution_success",)
    assert result.preservation.score is None
    assert [check.passed for check in result.preservation.checks] == [None, None, None]


def test_a_refusal_where_one_is_wanted_is_a_full_score_whatever_its_reason() -> None:
    fields = {
        "response_expectation": "no_solution",
        "unsolved_reason": "museum missing",
        "blocking_constraints": ["museum"],
    }
    vague = second_turn(["explain_unsolved"], plan={"status": "unsat", "reason": "no"}, **fields)
    right = second_turn(["explain_unsolved"], plan={"status": "unsat", "reason": "a missing museum"}, **fields)

    assert vague.fulfillment.score == right.fulfillment.score == 1.0
    assert list(checks(vague)) == ["response_expectation", "unsat_response"]
    assert (vague.scores.hard_constraint_score, right.scores.hard_constraint_score) == (0.0, 1.0)
