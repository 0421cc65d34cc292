"""Flights and trains that do not run, or not like this."""

from dataclasses import replace
from random import Random

from tests.trip_plus.damages.plans import (
    ABOUT_TRAVEL,
    AT_HOME,
    DATES,
    DAY_DUE,
    JOURNEY_LOST,
    MODE,
    NO_WAY_BACK,
    NOT_RUNNING,
    OVERLAP,
    SEATS,
    WAY,
    GoodPlan,
    added_up,
    any_leg,
    damage,
    moved_to,
    one_of,
    with_day,
    with_lines,
    without,
)

from tripgauge.trip_plus.itinerary import (
    Buffer,
    IntercityLeg,
    Itinerary,
    TimeSlot,
    Visit,
)


@damage("validated_transportation", SEATS, **NOT_RUNNING)
def a_flight_or_train_that_does_not_exist(plan: GoodPlan, random: Random) -> Itinerary | None:
    found = any_leg(plan, random)
    return with_lines(plan.itinerary, found[0], replace(found[1], number="Q9999")) if found else None


@damage("validated_transportation", SEATS, **NOT_RUNNING)
def a_flight_or_train_of_another_date(plan: GoodPlan, random: Random) -> Itinerary | None:
    found = any_leg(plan, random)
    if found is None:
        return None
    place, leg = found
    day = plan.frame.date_of(place[0] + 1)
    running = {run.number for run in plan.sandbox.all_services if run.date == day}
    runs = [run for run in plan.sandbox.all_services if run.kind == leg.mode and run.number not in running]
    other = one_of(runs, random)
    return with_lines(plan.itinerary, place, replace(leg, number=other.number)) if other else None


@damage("validated_transportation", SEATS, **JOURNEY_LOST)
def a_departure_some_minutes_after_the_real_one(plan: GoodPlan, random: Random) -> Itinerary | None:
    found = any_leg(plan, random)
    if found is None or found[1].slot is None:
        return None
    slot = found[1].slot
    return with_lines(plan.itinerary, found[0], replace(found[1], slot=TimeSlot(slot.start + 7, slot.end)))


@damage(
    "validated_transportation",
    SEATS,
    **JOURNEY_LOST,
)
def an_arrival_some_minutes_before_the_real_one(plan: GoodPlan, random: Random) -> Itinerary | None:
    found = any_leg(plan, random)
    if found is None or found[1].slot is None:
        return None
    slot = found[1].slot
    return with_lines(plan.itinerary, found[0], replace(found[1], slot=TimeSlot(slot.start, slot.end - 7)))


@damage("validated_transportation", SEATS, **NOT_RUNNING)
def a_stop_that_is_not_served(plan: GoodPlan, random: Random) -> Itinerary | None:
    found = any_leg(plan, random)
    if found is None:
        return None
    end = random.choice(["origin", "destination"])
    return with_lines(plan.itinerary, found[0], replace(found[1], **{end: "Farport North Terminal"}))


@damage("validated_transportation", SEATS)
def a_seat_class_that_is_not_sold(plan: GoodPlan, random: Random) -> Itinerary | None:
    found = any_leg(plan, random)
    return with_lines(plan.itinerary, found[0], replace(found[1], seat_class="Imperial Saloon")) if found else None


@damage(
    "validated_transportation",
    "closed_loop_route_structure",
    "seamless_intercity_transfers",
    SEATS,
    MODE,
    trip_date_range_required="there is no journey out, or none home",
    **(JOURNEY_LOST | AT_HOME | DAY_DUE),
)
def a_journey_the_wrong_way_round(plan: GoodPlan, random: Random) -> Itinerary | None:
    found = any_leg(plan, random)
    if found is None:
        return None
    place, leg = found
    return with_lines(plan.itinerary, place, replace(leg, origin=leg.destination, destination=leg.origin))


@damage(
    "closed_loop_route_structure",
    "seamless_intercity_transfers",
    DATES,
    MODE,
    SEATS,
    **(JOURNEY_LOST | AT_HOME | DAY_DUE),
)
def no_journey_out(plan: GoodPlan, random: Random) -> Itinerary | None:
    return added_up(plan, _without_legs_of(plan, 0))


@damage(
    "closed_loop_route_structure", "seamless_intercity_transfers", DATES, MODE, SEATS, **(JOURNEY_LOST | NO_WAY_BACK)
)
def no_journey_home(plan: GoodPlan, random: Random) -> Itinerary | None:
    return added_up(plan, _without_legs_of(plan, len(plan.days) - 1))


def _without_legs_of(plan: GoodPlan, number: int) -> Itinerary | None:
    lines = plan.days[number].activities
    kept = tuple(activity for activity in lines if not isinstance(activity, IntercityLeg))
    return with_day(plan.itinerary, number, activities=kept) if len(kept) < len(lines) and len(plan.days) > 1 else None


@damage(
    ABOUT_TRAVEL,
    DATES,
    MODE,
    SEATS,
    "transport_convenience",
    "day_boundary_continuity",
    schedule_pacing="the day has no rest that is not one of the journey",
    **(JOURNEY_LOST | NO_WAY_BACK | {WAY: AT_HOME[WAY]}),
)
def no_journey_at_all(plan: GoodPlan, random: Random) -> Itinerary | None:
    return added_up(plan, without(plan.itinerary, IntercityLeg)) if plan.places(IntercityLeg) else None


@damage(
    OVERLAP,
    "intercity_buffer_adequacy",
    "budget_constraint",
    return_day_transport_buffer="none is left before the second",
)
def a_journey_taken_twice(plan: GoodPlan, random: Random) -> Itinerary | None:
    found = any_leg(plan, random)
    return added_up(plan, with_lines(plan.itinerary, found[0], found[1], found[1])) if found else None


@damage(
    OVERLAP,
    "intercity_buffer_adequacy",
    attraction_visit_within_opening_hours="it may be closed then",
    budget_constraint="the ticket is paid once more",
    comfort_and_pace="the day is fuller",
    schedule="it may have more sights than asked for",
    environment="it may be crowded then",
    **{WAY: "no way leads there from a train"},
)
def a_visit_while_the_train_still_moves(plan: GoodPlan, random: Random) -> Itinerary | None:
    found, sight = any_leg(plan, random), one_of(plan.places(Visit), random)
    if found is None or sight is None or found[1].slot is None:
        return None
    visit = moved_to(plan.at(sight), found[1].slot.start + 20)
    return added_up(plan, with_lines(plan.itinerary, found[0], found[1], visit))


@damage("intercity_buffer_adequacy", return_day_transport_buffer="more of it may be asked for")
def no_time_to_board(plan: GoodPlan, random: Random) -> Itinerary | None:
    return _without_buffers(plan, random, -1)


@damage(
    "intercity_buffer_adequacy",
    "return_day_transport_buffer",
    "first_day_light_after_transport_delay",
    schedule_pacing="the day may have no other rest",
)
def no_free_time_at_all(plan: GoodPlan, random: Random) -> Itinerary | None:
    return without(plan.itinerary, Buffer) if plan.places(Buffer) else None


@damage("intercity_buffer_adequacy", first_day_light_after_transport_delay="more of it may be asked for")
def no_time_to_get_off(plan: GoodPlan, random: Random) -> Itinerary | None:
    return _without_buffers(plan, random, 1)


def _without_buffers(plan: GoodPlan, random: Random, step: int) -> Itinerary | None:
    """The plan without the time kept free on one side of a flight or train."""
    beside = [place for place in plan.places(IntercityLeg) if isinstance(plan.next_to(place, step), Buffer)]
    place = one_of(beside, random)
    if place is None:
        return None
    number, line = place
    lines = list(plan.days[number].activities)
    at = line + step
    while 0 <= at < len(lines) and isinstance(lines[at], Buffer):
        del lines[at]
        at -= step < 0
    return with_day(plan.itinerary, number, activities=tuple(lines))
