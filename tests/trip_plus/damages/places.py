"""Places that do not exist, and the wrong one of those that do."""

from dataclasses import replace
from random import Random

from tests.trip_plus.damages.plans import (
    ABOUT_MEALS,
    ABOUT_SIGHTS,
    EVERY_SIGHT,
    HOTELS,
    INVENTED,
    MEAL_LOST,
    MEALS_ASKED,
    SIGHT_LOST,
    SIGHTS_ASKED,
    WAY,
    GoodPlan,
    added_up,
    damage,
    evening_stops,
    hotels_of,
    one_of,
    renamed,
    with_day,
    with_lines,
)

from tripgauge.trip_plus.itinerary import (
    Activity,
    Itinerary,
    Lodging,
    Meal,
    Visit,
)
from tripgauge.trip_plus.sandbox.records import Hotel


def _invented(plan: GoodPlan, random: Random, kind: type[Activity], attribute: str) -> Itinerary | None:
    place = one_of(plan.places(kind), random)
    return renamed(plan.itinerary, getattr(plan.at(place), attribute), INVENTED) if place else None


@damage("validated_accommodation", WAY, HOTELS, hotel_value_first="no price is known of its nights")
def a_hotel_that_does_not_exist(plan: GoodPlan, random: Random) -> Itinerary | None:
    hotel = one_of(hotels_of(plan), random)
    return renamed(plan.itinerary, hotel, INVENTED) if hotel else None


@damage(
    "validated_accommodation",
    "ends_with_accommodation",
    HOTELS,
    hotel_value_first="no price is known of the only night",
)
def a_booking_at_a_hotel_that_does_not_exist(plan: GoodPlan, random: Random) -> Itinerary | None:
    """Only the heading of one day names it; the day ends at the real one."""
    number = one_of([number for number, day in enumerate(plan.days) if day.lodging], random)
    if number is None:
        return None
    lodging = plan.days[number].lodging
    assert lodging
    return with_day(plan.itinerary, number, lodging=replace(lodging, hotel=INVENTED))


@damage("validated_attractions", WAY, EVERY_SIGHT, **SIGHT_LOST)
def a_sight_that_does_not_exist(plan: GoodPlan, random: Random) -> Itinerary | None:
    return _invented(plan, random, Visit, "attraction")


@damage("validated_meals", WAY, **MEAL_LOST)
def a_restaurant_that_does_not_exist(plan: GoodPlan, random: Random) -> Itinerary | None:
    return _invented(plan, random, Meal, "restaurant")


@damage(
    "validated_attractions",
    WAY,
    EVERY_SIGHT,
    comfort_and_pace="a place the tables do not know is outdoors by its name",
    **SIGHT_LOST,
)
def a_sight_with_a_near_name(plan: GoodPlan, random: Random) -> Itinerary | None:
    place = one_of(plan.places(Visit), random)
    if place is None:
        return None
    name = plan.at(place).attraction
    return renamed(plan.itinerary, name, f"New {name}")


@damage("validated_meals", WAY, **MEAL_LOST)
def a_restaurant_with_a_near_name(plan: GoodPlan, random: Random) -> Itinerary | None:
    place = one_of(plan.places(Meal), random)
    if place is None:
        return None
    name = plan.at(place).restaurant
    return renamed(plan.itinerary, name, f"{name} 2")


@damage(ABOUT_SIGHTS, WAY, SIGHTS_ASKED)
def no_sight_that_exists(plan: GoodPlan, random: Random) -> Itinerary | None:
    spoiled = plan.itinerary
    for number, place in enumerate(plan.places(Visit)):
        spoiled = renamed(spoiled, plan.at(place).attraction, f"{INVENTED} {number}")
    return spoiled if plan.places(Visit) else None


@damage(ABOUT_MEALS, WAY, MEALS_ASKED)
def no_restaurant_that_exists(plan: GoodPlan, random: Random) -> Itinerary | None:
    spoiled = plan.itinerary
    for number, place in enumerate(plan.places(Meal)):
        spoiled = renamed(spoiled, plan.at(place).restaurant, f"{INVENTED} {number}")
    return spoiled if plan.places(Meal) else None


@damage("validated_attractions", WAY, EVERY_SIGHT, **SIGHT_LOST)
def a_visit_without_a_name(plan: GoodPlan, random: Random) -> Itinerary | None:
    place = one_of(plan.places(Visit), random)
    return with_lines(plan.itinerary, place, replace(plan.at(place), attraction="")) if place else None


@damage(
    "ends_with_accommodation",
    HOTELS,
    budget_constraint="the other hotel may cost more",
    hotel_value_first="or much more",
)
def a_night_booked_at_another_hotel_than_the_day_ends_at(plan: GoodPlan, random: Random) -> Itinerary | None:
    number = one_of([number for number, day in enumerate(plan.days) if day.lodging], random)
    if number is None:
        return None
    other = _other_hotel(plan, random)
    lodging = Lodging(other.name, other.price) if other else None
    return added_up(plan, with_day(plan.itinerary, number, lodging=lodging)) if lodging else None


@damage("ends_with_accommodation", WAY)
def an_evening_at_another_hotel_than_the_booked_one(plan: GoodPlan, random: Random) -> Itinerary | None:
    place = one_of(evening_stops(plan), random)
    other = _other_hotel(plan, random)
    return with_lines(plan.itinerary, place, replace(plan.at(place), hotel=other.name)) if place and other else None


def _other_hotel(plan: GoodPlan, random: Random) -> Hotel | None:
    """One of the town at which no night is spent."""
    hotels = plan.sandbox.hotels_in(plan.frame.destinations[0])
    return one_of([hotel for hotel in hotels if hotel.name not in hotels_of(plan) and hotel.price is not None], random)


@damage("validated_accommodation", "ends_with_accommodation", WAY)
def an_evening_at_a_hotel_that_does_not_exist(plan: GoodPlan, random: Random) -> Itinerary | None:
    place = one_of(evening_stops(plan), random)
    return with_lines(plan.itinerary, place, replace(plan.at(place), hotel=INVENTED)) if place else None
