"""The plans that do next to nothing: they are what they say, and they earn what they should."""

from decimal import Decimal

import pytest
from tests.trip_plus.toy_answers import graded, total
from tests.trip_plus.toy_trip import frame, sandbox

from tripgauge.trip_plus.baselines import hotel_nights_only, idle
from tripgauge.trip_plus.itinerary import Buffer, HotelStop, Plan
from tripgauge.trip_plus.notation.plan_text import format_plan, parse_response


def quay_inn():
    hotel = sandbox().hotel("Quay Inn", "Briskhaven")
    assert hotel is not None
    return hotel


@pytest.mark.parametrize("days", [1, 2, 3, 4, 7])
def test_an_idle_plan_has_all_days_with_nothing_on_them_and_scores_zero(days):
    plan = idle(frame(days=days))

    assert len(plan.days) == days
    assert all(isinstance(activity, Buffer) for day in plan.days for activity in day.activities)
    assert total(plan, frame(days=days)) == 0


def test_every_check_that_applies_to_an_idle_plan_fails():
    scores = {check: result.score for check, result in graded(idle(frame()), frame()).items()}

    assert set(scores.values()) == {0, None}
    assert {check for check, score in scores.items() if score is None} == {"local_move_sanity"}


def test_hotel_nights_are_real_and_paid_for_and_nobody_travels_there():
    plan = hotel_nights_only(frame(days=3, rooms=2), quay_inn())

    assert [day.lodging.hotel if day.lodging else None for day in plan.days] == ["Quay Inn", "Quay Inn", None]
    assert [type(day.activities[-1]) for day in plan.days] == [HotelStop, HotelStop, Buffer]
    assert plan.budget is not None
    assert plan.budget.total == Decimal(2 * 2 * 300)


@pytest.mark.parametrize("days", [2, 3, 4, 7])
def test_hotel_nights_score_something_but_little(days):
    results = graded(hotel_nights_only(frame(days=days), quay_inn()), frame(days=days))

    assert 0 < total(hotel_nights_only(frame(days=days), quay_inn()), frame(days=days)) < 0.35
    assert results["validated_accommodation"].passed
    assert results["cost_calculation_correctness"].passed
    assert not results["closed_loop_route_structure"].passed
    assert not results["essential_meal_coverage"].passed


def test_on_a_day_trip_hotel_nights_are_no_nights():
    assert total(hotel_nights_only(frame(days=1), quay_inn()), frame(days=1)) == 0


@pytest.mark.parametrize("plan", [idle(frame()), hotel_nights_only(frame(), quay_inn())], ids=["idle", "hotel nights"])
def test_baselines_can_be_written_in_the_notation_and_read_again(plan):
    assert parse_response(f"<plan>\n{format_plan(plan)}\n</plan>") == Plan(plan)
