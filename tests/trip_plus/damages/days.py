"""Days left out, repeated or in the wrong place, and nights without the right bed."""

from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from random import Random

from tests.trip_plus.damages.plans import (
    ABOUT_NIGHTS,
    AT_HOME,
    COST,
    DATES,
    DAY_DUE,
    DAY_LOST,
    EVERY_SIGHT,
    HOTELS,
    JOURNEY_LOST,
    MEAL_LOST,
    MODE,
    NEVER_LEFT,
    NO_BED,
    ON_FOOT,
    REST_LOST,
    SEATS,
    SIGHT_LOST,
    WAY,
    GoodPlan,
    added_up,
    are_apart,
    damage,
    evening_stops,
    hotels_of,
    is_in_the_middle,
    one_of,
    with_day,
    with_lines,
    without,
)

from tripgauge.trip_plus.itinerary import (
    Buffer,
    CityLabel,
    Day,
    HotelStop,
    Itinerary,
    LocalTransfer,
    TimeSlot,
    Visit,
)

# --- Days ---


@damage(
    *("valid_trip_duration", "essential_meal_coverage", "essential_attraction_coverage"),
    *("traceable_accommodation", "ends_with_accommodation", HOTELS, EVERY_SIGHT, DATES),
    **DAY_LOST,
)
def a_day_in_the_middle_left_out(plan: GoodPlan, random: Random) -> Itinerary | None:
    return added_up(plan, _without_day(plan, one_of([n for n in plan.full_days if is_in_the_middle(n, plan)], random)))


@damage(
    "valid_trip_duration",
    "closed_loop_route_structure",
    "seamless_intercity_transfers",
    DATES,
    MODE,
    SEATS,
    **(SIGHT_LOST | MEAL_LOST | JOURNEY_LOST | NEVER_LEFT | NO_BED | DAY_DUE),
)
def the_first_day_left_out(plan: GoodPlan, random: Random) -> Itinerary | None:
    return added_up(plan, _without_day(plan, 0))


@damage(
    "valid_trip_duration",
    "closed_loop_route_structure",
    "essential_meal_coverage",
    "essential_attraction_coverage",
    EVERY_SIGHT,
    DATES,
    MODE,
    SEATS,
    schedule_pacing="the full day with nothing on it has no rest",
    environment="what an event asks of the journey finds none",
    **(SIGHT_LOST | MEAL_LOST | JOURNEY_LOST),
)
def the_last_day_left_out(plan: GoodPlan, random: Random) -> Itinerary | None:
    return added_up(plan, _without_day(plan, len(plan.days) - 1))


def _without_day(plan: GoodPlan, number: int | None) -> Itinerary | None:
    if number is None or len(plan.days) < 2:
        return None
    return replace(plan.itinerary, days=(*plan.days[:number], *plan.days[number + 1 :]))


@damage("valid_trip_duration", DATES)
def a_day_more_than_the_trip_has(plan: GoodPlan, random: Random) -> Itinerary | None:
    position, home = len(plan.days) + 1, plan.frame.origin
    unpacking = Buffer(slot=TimeSlot(600, 660), description="unpacking at home")
    extra = Day(position, plan.frame.date_of(position), CityLabel(home, home), None, (unpacking,))
    return replace(plan.itinerary, days=(*plan.days, extra))


@damage(
    "valid_trip_duration",
    DATES,
    SEATS,
    "budget_constraint",
    "traceable_accommodation",
    validated_transportation="the journey home is a day late, when it may not run",
    attractions="the day asked for may be another one now",
    **JOURNEY_LOST,
)
def a_day_told_twice(plan: GoodPlan, random: Random) -> Itinerary | None:
    number = one_of([n for n in plan.full_days if is_in_the_middle(n, plan)], random)
    if number is None:
        return None
    return added_up(plan, replace(plan.itinerary, days=(*plan.days[: number + 1], *plan.days[number:])))


@damage(
    *("valid_trip_duration", "essential_meal_coverage", "essential_attraction_coverage"),
    *("traceable_accommodation", "ends_with_accommodation", EVERY_SIGHT),
    **DAY_LOST,
)
def a_day_with_nothing_on_it(plan: GoodPlan, random: Random) -> Itinerary | None:
    number = one_of([n for n in plan.full_days if is_in_the_middle(n, plan)], random)
    return added_up(plan, with_day(plan.itinerary, number, activities=())) if number is not None else None


@damage("valid_trip_duration", DATES)
def days_of_another_month(plan: GoodPlan, random: Random) -> Itinerary | None:
    if any(day.date is None for day in plan.days):
        return None
    days = tuple(replace(day, date=day.date + timedelta(days=31)) for day in plan.days if day.date)
    return replace(plan.itinerary, days=days)


@damage("valid_trip_duration")
def days_counted_backwards(plan: GoodPlan, random: Random) -> Itinerary | None:
    count = len(plan.days)
    days = tuple(replace(day, number=count - position) for position, day in enumerate(plan.days))
    return replace(plan.itinerary, days=days) if count > 1 else None


@damage("valid_trip_duration", DATES, attractions="the day asked for is another one now")
def two_days_told_in_the_wrong_order(plan: GoodPlan, random: Random) -> Itinerary | None:
    inner = [n for n in plan.full_days if n + 1 in plan.full_days]
    number = one_of(inner, random)
    if number is None:
        return None
    one, other = plan.days[number : number + 2]
    return replace(plan.itinerary, days=(*plan.days[:number], other, one, *plan.days[number + 2 :]))


@damage(
    "valid_trip_duration",
    "closed_loop_route_structure",
    "seamless_intercity_transfers",
    COST,
    DATES,
    SEATS,
    validated_transportation="trains may run every day",
    attractions="the day asked for is another one now",
    room_count_required="a night that needs no bed needs no room",
    **(JOURNEY_LOST | {name: why for name, why in AT_HOME.items() if name != "environment"} | NO_BED | DAY_DUE),
)
def the_whole_trip_told_backwards(plan: GoodPlan, random: Random) -> Itinerary | None:
    return replace(plan.itinerary, days=plan.days[::-1]) if len(plan.days) > 1 else None


@damage("seamless_intercity_transfers", "day_boundary_continuity")
def a_day_headed_with_another_city(plan: GoodPlan, random: Random) -> Itinerary | None:
    number = one_of(range(1, len(plan.days)), random)
    return with_day(plan.itinerary, number, city=CityLabel("Timbuktu", "Timbuktu")) if number else None


@damage("seamless_intercity_transfers")
def a_day_without_a_city(plan: GoodPlan, random: Random) -> Itinerary | None:
    return with_day(plan.itinerary, random.randrange(len(plan.days)), city=None)


# --- Nights ---


@damage("traceable_accommodation", HOTELS, hotel_value_first="no price is known of the only night")
def a_night_without_a_bed(plan: GoodPlan, random: Random) -> Itinerary | None:
    number = one_of([number for number, day in enumerate(plan.days) if day.lodging], random)
    return added_up(plan, with_day(plan.itinerary, number, lodging=None)) if number is not None else None


@damage("traceable_accommodation", "ends_with_accommodation", **REST_LOST)
def a_day_that_never_comes_to_the_hotel(plan: GoodPlan, random: Random) -> Itinerary | None:
    number = one_of([number for number, day in enumerate(plan.days) if day.lodging], random)
    if number is None:
        return None
    kept = tuple(activity for activity in plan.days[number].activities if not isinstance(activity, HotelStop))
    return with_day(plan.itinerary, number, activities=kept)


@damage(
    "ends_with_accommodation",
    WAY,
    mobility_accessibility="it is a long walk",
    schedule="it may end after the hour asked for",
    schedule_pacing="the day gets longer",
    **ON_FOOT,
)
def a_walk_out_of_the_hotel_at_the_end_of_the_day(plan: GoodPlan, random: Random) -> Itinerary | None:
    place = one_of(evening_stops(plan), random)
    visits = plan.places(Visit)
    if place is None or not visits:
        return None
    stop, sight = plan.at(place), plan.at(one_of(visits, random) or visits[0])
    assert isinstance(stop, HotelStop)
    assert isinstance(sight, Visit)
    assert stop.slot
    if not are_apart(plan, stop.hotel, sight.attraction):
        return None
    out = LocalTransfer(
        slot=TimeSlot(stop.slot.end, stop.slot.end + 55),
        origin=stop.hotel,
        destination=sight.attraction,
        mode="walking",
        distance_km=3.0,
        duration_minutes=55.0,
        price=Decimal(0),
    )
    return with_lines(plan.itinerary, place, stop, out)


@damage(
    "traceable_accommodation",
    validated_accommodation="of two hotels with one name the one at home is meant, at another price",
)
def a_bed_for_the_night_after_the_trip(plan: GoodPlan, random: Random) -> Itinerary | None:
    hotel = next((day.lodging for day in plan.days if day.lodging), None)
    return with_day(plan.itinerary, len(plan.days) - 1, lodging=hotel) if hotel else None


@damage(ABOUT_NIGHTS, HOTELS, "room_count_required", "hotel_value_first", **REST_LOST)
def no_hotel_at_all(plan: GoodPlan, random: Random) -> Itinerary | None:
    if not hotels_of(plan):
        return None
    bare = without(plan.itinerary, HotelStop)
    return added_up(plan, replace(bare, days=tuple(replace(day, lodging=None) for day in bare.days)))
