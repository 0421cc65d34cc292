"""Hard constraints hold or fail on the invented trip as in the published evaluator."""

import pytest
from tests.trip_plus.release.fixture_data import (
    BASE,
    SINGLE_CHANGES,
    Json,
    SingleChange,
    activity,
    base_meta,
    fixture_files,
    fixture_plan,
    fixture_record,
)

from tripgauge.trip_plus.release.evaluator import evaluate_turn, release_sandbox, release_turn
from tripgauge.trip_plus.release.hard import HardResult

SANDBOX = release_sandbox(fixture_files())


def hard(plan: Json, record: Json) -> HardResult:
    result = evaluate_turn(plan, release_turn(record, 0), SANDBOX).hard
    assert result is not None
    return result


def holds(key: str, constraint: Json, plan: Json | None = None) -> bool:
    """Whether the trip meets one constraint."""
    record = fixture_record()
    base_meta(record)["hard_constraints"] = {key: constraint}
    record["turns"][0]["oracle_state_after_turn"]["active_hard_constraints"] = []
    return hard(plan or fixture_plan(), record).checks[key]


def failing(result: HardResult) -> set[str]:
    return {key for key, passed in result.checks.items() if not passed}


BASE_FAILURES = {"hotel_price_range", "train_seat_class"}
MORE_FAILURES = {
    "only a total, nine percent high": {"party_size_required", "room_count_required"},
    "only a total, just too high": {"party_size_required", "room_count_required"},
    "no taxi to the park, time enough": {"party_size_required"},
    "no taxi to the park and five minutes": {"party_size_required"},
    "no date on the second day": {"trip_date_range_required"},
    "five people": {"party_size_required", "budget_constraint"},
}


@pytest.mark.parametrize("change", [BASE, *SINGLE_CHANGES], ids=lambda change: change.name)
def test_a_single_change_to_the_trip_fails_exactly_the_constraints_it_touches(change: SingleChange) -> None:
    plan, record = fixture_plan(), fixture_record()
    change.apply(plan, record)

    result = hard(plan, record)

    assert result.ratio == change.hard
    assert failing(result) == BASE_FAILURES | MORE_FAILURES.get(change.name, set())
    assert result.strict == 0.0


@pytest.mark.parametrize(
    ("key", "constraint", "met"),
    [
        ("flight_cheapest_direct", {"acceptable_outbound_flight_nos": ["CA1"]}, False),
        ("train_cheapest", {"acceptable_outbound_train_nos": ["G1", "G9"]}, True),
        ("train_cheapest", {"outbound_train_no": "G1", "inbound_train_no": "G2"}, True),
        ("train_cheapest", {"inbound_train_no": "g2"}, False),
        ("train_seat_class", {"acceptable_inbound_train_options": [{"train_no": "G2", "price": 110.4}]}, True),
        ("train_seat_class", {"acceptable_inbound_train_options": [{"train_no": "G2", "price": 111}]}, False),
        ("train_seat_class", {"acceptable_inbound_train_options": [{"train_no": "G2"}]}, True),
        ("train_seat_class", {}, True),
        ("hotel_cheapest_brand", {"hotel_name": "Beta Lake Hotel"}, True),
        ("hotel_cheapest_brand", {"acceptable_hotel_names": ["BetaLakeHotel"], "hotel_name": "Hotel 1"}, True),
        ("hotel_cheapest_brand", {}, False),
        ("restaurant_must_eat_named", {"restaurant_name": "Tea Garden"}, True),
        ("restaurant_must_eat_named", {"restaurant_name": "tea garden"}, False),
        ("restaurant_must_eat_named", {}, False),
        ("attraction_must_visit_named", {"attraction_names": ["Willow Lake Park", "Beta City Museum"]}, True),
        ("attraction_must_visit_named", {"attraction_names": ["Willow Lake Park", "Old Gate"]}, False),
        (
            "attraction_type_highest_rated",
            {"attraction_names": ["Old Gate"], "acceptable_attraction_names": ["Old Gate", "Willow Lake Park"]},
            True,
        ),
        ("attraction_avoid_high_queue", {"banned_attraction_names": ["Willow Lake Park"]}, False),
        ("attraction_avoid_high_queue", {"banned_attraction_names": ["Old Gate"]}, True),
        ("attraction_anything", {}, False),
        ("budget_constraint", {"max_budget": 1501}, True),
        ("budget_constraint", {"max_budget": 1500.9}, False),
        ("budget_constraint", {"max_budget": "not given"}, False),
    ],
)
def test_a_constraint_holds_when_the_plan_has_one_of_what_it_accepts(key: str, constraint: Json, met: bool) -> None:
    assert holds(key, constraint) is met


def test_a_constraint_of_an_unknown_kind_is_left_out() -> None:
    record = fixture_record()
    base_meta(record)["hard_constraints"] = {"souvenir_required": {"item": "tea"}}
    record["turns"][0]["oracle_state_after_turn"]["active_hard_constraints"] = []

    assert "souvenir_required" not in hard(fixture_plan(), record).checks


def test_a_wrapped_constraint_goes_by_its_inner_key() -> None:
    record = fixture_record()
    inner = {"attraction_names": ["Willow Lake Park"]}
    wrapped = {"constraint_key": "attraction_top_rated_must_visit", "constraint": inner}
    base_meta(record)["hard_constraints"] = {"attraction_wrapped": wrapped}
    record["turns"][0]["oracle_state_after_turn"]["active_hard_constraints"] = []

    checks = hard(fixture_plan(), record).checks

    assert checks["attraction_top_rated_must_visit"] is True
    assert "attraction_wrapped" not in checks


def test_a_day_whose_activities_are_no_list_fails_every_constraint_that_reads_them() -> None:
    plan = fixture_plan()
    plan["daily_plans"].append({"current_city": "Alpha", "activities": None})

    for key, constraint in (
        ("train_cheapest", {"outbound_train_no": "G1"}),
        ("restaurant_must_eat_named", {"restaurant_name": "Tea Garden"}),
        ("attraction_must_visit_named", {"attraction_names": ["Willow Lake Park"]}),
        ("attraction_avoid_high_queue", {"banned_attraction_names": ["Old Gate"]}),
    ):
        assert holds(key, constraint, plan) is False
    assert holds("hotel_cheapest_brand", {"hotel_name": "Beta Lake Hotel"}, plan) is True
    assert holds("budget_constraint", {"max_budget": 9000}, plan) is True


def test_costs_may_be_off_by_a_yuan_or_by_two_percent() -> None:
    plan, record = fixture_plan(), fixture_record()
    plan["budget_summary"].update(transportation=561 + 11, accommodation=300 - 6, attractions_and_tickets=80 + 1.5)
    assert failing(hard(plan, record)) == BASE_FAILURES

    plan["budget_summary"]["accommodation"] = 293.9
    assert failing(hard(plan, record)) == BASE_FAILURES | {"room_count_required"}


def test_a_trip_by_another_mode_on_one_way_fails_the_agreed_mode() -> None:
    plan, record = fixture_plan(), fixture_record()
    activity(plan, 2, "17:00-19:00")["details"]["mode"] = "coach"

    assert "intercity_round_trip_mode_required" in failing(hard(plan, record))


@pytest.mark.parametrize(("stated", "right"), [(1, True), (1.01, False), (None, False), ("0", True), ("none", False)])
def test_a_cost_of_nothing_may_be_stated_as_up_to_a_yuan(stated: object, right: bool) -> None:
    plan, record = fixture_plan(), fixture_record()
    for day in plan["daily_plans"]:
        for item in day["activities"]:
            if item["type"] == "attraction":
                item["details"]["cost"] = 0
    plan["budget_summary"]["attractions_and_tickets"] = stated

    assert ("party_size_required" not in failing(hard(plan, record))) is right


def test_a_cost_may_go_by_another_name() -> None:
    plan, record = fixture_plan(), fixture_record()
    plan["budget_summary"] = {"transport": 561, "hotels": "300", "food": 560, "tickets": 80}

    assert failing(hard(plan, record)) == BASE_FAILURES


@pytest.mark.parametrize(
    ("dates", "right"),
    [
        (["2026-07-14", "2026-07-15"], True),
        (["", None], True),
        (["2026-07-14", None], False),
        (["2026-07-15", "2026-07-16"], False),
        (["2026-07-14"], False),
        (["2026-07-14", "2026-07-15", "2026-07-16"], False),
    ],
)
def test_days_have_the_agreed_dates_or_none(dates: list[str | None], right: bool) -> None:
    plan, record = fixture_plan(), fixture_record()
    plan["daily_plans"] = [{**plan["daily_plans"][0], "date": value} for value in dates]

    assert hard(plan, record).checks["trip_date_range_required"] is right


def test_dates_that_contradict_the_number_of_days_cannot_be_met() -> None:
    record = fixture_record()
    base_meta(record)["return_date"] = "2026-07-16"

    assert hard(fixture_plan(), record).checks["trip_date_range_required"] is False


@pytest.mark.parametrize("key", ["party_size_required", "room_count_required", "trip_date_range_required"])
def test_a_trip_without_its_own_figures_fails_a_constraint_about_them(key: str) -> None:
    record = fixture_record()
    meta = base_meta(record)
    meta.update(people_number=None, room_number=0, days=None)
    meta["hard_constraints"] = {key: {}}
    record["turns"][0]["oracle_state_after_turn"]["active_hard_constraints"] = []

    assert hard(fixture_plan(), record).checks[key] is False


def test_the_dates_of_a_constraint_stand_in_for_those_of_the_trip() -> None:
    record = fixture_record()
    meta = base_meta(record)
    dates = {key: meta.pop(key) for key in ("depart_date", "return_date", "days")}
    meta["hard_constraints"] = {"trip_date_range_required": dates}
    record["turns"][0]["oracle_state_after_turn"]["active_hard_constraints"] = []

    assert hard(fixture_plan(), record).checks["trip_date_range_required"] is True


def test_no_constraint_at_all_is_a_full_score_but_not_a_strict_one() -> None:
    assert (HardResult({}).ratio, HardResult({}).strict) == (1.0, 0.0)
    assert (HardResult({"a": True}).ratio, HardResult({"a": True}).strict) == (1.0, 1.0)
