"""Rides and walks that lead elsewhere, or faster than anything goes."""

from dataclasses import replace
from decimal import Decimal
from random import Random

from tests.trip_plus.damages.plans import (
    WAY,
    GoodPlan,
    Place,
    added_up,
    any_timed,
    are_apart,
    damage,
    moved_to,
    one_of,
    with_length,
    with_lines,
    without,
)

from tripgauge.trip_plus.itinerary import (
    Activity,
    HotelStop,
    IntercityLeg,
    Itinerary,
    LocalTransfer,
    Meal,
    Visit,
)


def _ride(plan: GoodPlan, random: Random, **changes: object) -> Itinerary | None:
    found = any_timed(plan, random, LocalTransfer)
    return with_lines(plan.itinerary, found[0], replace(found[1], **changes)) if found else None


@damage("local_move_sanity")
def a_ride_faster_than_any_plane(plan: GoodPlan, random: Random) -> Itinerary | None:
    return _ride(plan, random, distance_km=900.0)


@damage("local_move_sanity")
def a_ride_in_no_time(plan: GoodPlan, random: Random) -> Itinerary | None:
    return _ride(plan, random, distance_km=15.0, duration_minutes=0.0)


@damage("local_move_sanity", transport="it is too far to walk", **{WAY: "it takes longer than the ride did"})
def a_walk_of_thirty_kilometers_in_a_quarter_of_an_hour(plan: GoodPlan, random: Random) -> Itinerary | None:
    return added_up(
        plan, _ride(plan, random, mode="walking", distance_km=30.0, duration_minutes=15.0, price=Decimal(0))
    )


@damage("local_move_sanity", budget_constraint="what does not say that it is a taxi is paid by the head")
def a_ride_that_does_not_say_how(plan: GoodPlan, random: Random) -> Itinerary | None:
    return added_up(plan, _ride(plan, random, mode=""))


@damage("local_move_sanity")
def a_ride_that_does_not_say_how_long(plan: GoodPlan, random: Random) -> Itinerary | None:
    return _ride(plan, random, duration_minutes=None)


@damage("local_move_sanity")
def a_ride_without_a_price(plan: GoodPlan, random: Random) -> Itinerary | None:
    return added_up(plan, _ride(plan, random, price=None))


@damage("local_move_sanity")
def a_ride_that_does_not_say_where_to(plan: GoodPlan, random: Random) -> Itinerary | None:
    return _ride(plan, random, destination="")


@damage("local_move_sanity", transport="short ways may be asked for")
def no_ride_and_no_walk_at_all(plan: GoodPlan, random: Random) -> Itinerary | None:
    return added_up(plan, without(plan.itinerary, LocalTransfer)) if plan.places(LocalTransfer) else None


@damage(WAY)
def a_long_ride_done_in_a_minute(plan: GoodPlan, random: Random) -> Itinerary | None:
    found = any_timed(plan, random, LocalTransfer, lambda place: _is_long(plan, place))
    return with_length(plan, found, 1)


def _is_long(plan: GoodPlan, place: Place) -> bool:
    slot = plan.at(place).slot
    return slot is not None and slot.minutes >= 20


@damage(WAY)
def a_ride_to_the_other_end_of_town(plan: GoodPlan, random: Random) -> Itinerary | None:
    """It goes to where the trip's train or plane leaves, and the next thing is elsewhere."""
    legs = [plan.at(place) for place in plan.places(IntercityLeg)]
    home = legs[-1] if legs else None
    found = any_timed(plan, random, LocalTransfer, lambda place: isinstance(plan.next_to(place, 1), Visit | Meal))
    if found is None or not isinstance(home, IntercityLeg):
        return None
    return with_lines(plan.itinerary, found[0], replace(found[1], destination=home.origin))


@damage(WAY)
def no_time_for_a_long_way(plan: GoodPlan, random: Random) -> Itinerary | None:
    """The ride is left out, and the next thing begins when the ride would have."""
    found = any_timed(
        plan, random, LocalTransfer, lambda place: _is_long(plan, place) and _leads_to_a_stay(plan, place)
    )
    following = plan.next_to(found[0], 1) if found else None
    if found is None or following is None or found[1].slot is None:
        return None
    (number, line), ride = found
    early = with_lines(plan.itinerary, (number, line + 1), moved_to(following, ride.slot.start))
    return added_up(plan, with_lines(early, (number, line)))


def _leads_to_a_stay(plan: GoodPlan, place: Place) -> bool:
    """Whether a visit or meal comes next, right after something else that has a place."""
    before, after = plan.next_to(place, -1), plan.next_to(place, 1)
    return isinstance(before, Visit | Meal | HotelStop) and isinstance(after, Visit | Meal) and after.slot is not None


@damage(WAY, dining_within_service_hours="the other may be closed then", restaurants="a day or a meal may be asked for")
def two_meals_at_each_other_s_restaurants(plan: GoodPlan, random: Random) -> Itinerary | None:
    return _swapped(plan, random, Meal, "restaurant")


@damage(
    WAY,
    attraction_visit_within_opening_hours="the other may be closed then",
    avoidance_of_closure_days="or that day",
    reasonable_duration_at_attractions="it may be worth more or less time",
    comfort_and_pace="more of the day may be outdoors",
    environment="the other may be crowded then",
    attractions="a day may be asked for",
)
def two_sights_in_each_other_s_place(plan: GoodPlan, random: Random) -> Itinerary | None:
    return _swapped(plan, random, Visit, "attraction")


def _swapped(plan: GoodPlan, random: Random, kind: type[Activity], name: str) -> Itinerary | None:
    """Two places change names and prices, while the rides stay as they are."""
    places = plan.places(kind)
    pairs = [
        (one, other)
        for number, one in enumerate(places)
        for other in places[number + 1 :]
        if are_apart(plan, getattr(plan.at(one), name), getattr(plan.at(other), name))
    ]
    pair = one_of(pairs, random)
    if pair is None:
        return None
    one, other = plan.at(pair[0]), plan.at(pair[1])
    swapped = with_lines(plan.itinerary, pair[0], _as(one, other, name))
    return with_lines(swapped, pair[1], _as(other, one, name))


def _as(activity: Activity, other: Activity, name: str) -> Activity:
    return replace(activity, **{name: getattr(other, name), "price": other.price})
