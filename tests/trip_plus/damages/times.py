"""Things at impossible times, or at none."""

from dataclasses import replace
from random import Random

from tests.trip_plus.damages.plans import (
    ABOUT_HOURS,
    EVERY_SIGHT,
    LONGER,
    ON_FOOT,
    OVERLAP,
    SIGHT_LOST,
    WAY,
    GoodPlan,
    LineT,
    Place,
    added_up,
    any_timed,
    damage,
    goes_on,
    moved_to,
    one_of,
    slots_of,
    with_day,
    with_each_line,
    with_length,
    with_lines,
)

from tripgauge.trip_plus.itinerary import (
    Activity,
    Buffer,
    Fault,
    IntercityLeg,
    Itinerary,
    LocalTransfer,
    Meal,
    Misfit,
    TimeSlot,
    Visit,
)
from tripgauge.trip_plus.sandbox.records import Attraction


@damage("reasonable_meal_duration")
def a_meal_of_two_minutes(plan: GoodPlan, random: Random) -> Itinerary | None:
    return with_length(plan, any_timed(plan, random, Meal), 2)


@damage(
    "reasonable_meal_duration",
    OVERLAP,
    dining_within_service_hours="the restaurant may close before",
    **{WAY: "there may be no time left for the way to the train"},
    **LONGER,
)
def a_meal_of_four_hours(plan: GoodPlan, random: Random) -> Itinerary | None:
    """Where the day goes on long before."""
    return with_length(plan, any_timed(plan, random, Meal, lambda place: goes_on(plan, place, 120)), 240)


@damage("reasonable_duration_at_attractions")
def a_visit_of_two_minutes(plan: GoodPlan, random: Random) -> Itinerary | None:
    return with_length(plan, any_timed(plan, random, Visit), 2)


@damage(
    "reasonable_duration_at_attractions",
    OVERLAP,
    attraction_visit_within_opening_hours="the sight may close before",
    comfort_and_pace="the day gets longer, and so does the time outdoors",
    attractions="it is too long for a child or an elder",
    schedule=LONGER["schedule"],
)
def a_visit_of_eleven_hours(plan: GoodPlan, random: Random) -> Itinerary | None:
    return with_length(plan, any_timed(plan, random, Visit, lambda place: goes_on(plan, place, 120)), 660)


def _closes(plan: GoodPlan, place: Place) -> bool:
    """Whether it is a place that closes in the evening and opens in the morning."""
    line = plan.at(place)
    if isinstance(line, Visit):
        found: object = plan.sandbox.attraction(line.attraction)
    else:
        found = plan.sandbox.restaurant(line.restaurant)
    hours = getattr(found, "hours", None)
    return hours is not None and not hours.always and hours.opens >= 6 * 60 and hours.closes <= 24 * 60


def _is_later(plan: GoodPlan, place: Place) -> bool:
    """Whether the day begins before this line."""
    before = plan.next_to(place, -1)
    return before is not None and before.slot is not None and before.slot.end > 5 * 60


@damage(
    "attraction_visit_within_opening_hours",
    OVERLAP,
    seamless_intercity_transfers="on the first day the city is not reached yet",
    essential_attraction_coverage="so the visit does not count for the day",
    schedule="it may be before the hour asked for",
    schedule_pacing="the day starts early",
)
def a_visit_at_three_in_the_morning(plan: GoodPlan, random: Random) -> Itinerary | None:
    found = any_timed(plan, random, Visit, lambda place: _closes(plan, place) and _is_later(plan, place))
    return with_lines(plan.itinerary, found[0], moved_to(found[1], 180)) if found else None


@damage(
    "dining_within_service_hours",
    OVERLAP,
    seamless_intercity_transfers="on the first day the city is not reached yet",
    essential_meal_coverage="so the meal does not count for the day",
    schedule_pacing="the day starts early",
)
def a_meal_at_three_in_the_morning(plan: GoodPlan, random: Random) -> Itinerary | None:
    found = any_timed(plan, random, Meal, lambda place: _closes(plan, place) and _is_later(plan, place))
    return with_lines(plan.itinerary, found[0], moved_to(found[1], 180)) if found else None


@damage(
    "avoidance_of_closure_days",
    EVERY_SIGHT,
    attraction_visit_within_opening_hours="it may open at other hours",
    reasonable_duration_at_attractions="and be worth more or less time",
    budget_constraint="and cost more",
    environment="it may be one to be avoided",
    **({WAY: "the ways are those to another sight"} | SIGHT_LOST),
)
def a_visit_on_the_day_a_sight_is_closed(plan: GoodPlan, random: Random) -> Itinerary | None:
    closed = [(place, sight) for place in plan.places(Visit) for sight in _closed_on(plan, place[0])]
    found = one_of(closed, random)
    if found is None:
        return None
    place, sight = found
    other = replace(plan.at(place), attraction=sight.name, price=sight.price)
    return added_up(plan, with_lines(plan.itinerary, place, other))


def _closed_on(plan: GoodPlan, number: int) -> list[Attraction]:
    weekday = plan.frame.date_of(number + 1).isoweekday()
    sights = plan.sandbox.attractions_in(plan.frame.destinations[0])
    return [sight for sight in sights if sight.hours and weekday in sight.hours.closed_on and sight.price is not None]


@damage(OVERLAP)
def a_ride_that_leaves_before_the_visit_ends(plan: GoodPlan, random: Random) -> Itinerary | None:
    found = any_timed(plan, random, LocalTransfer, lambda place: isinstance(plan.next_to(place, -1), Visit))
    visit = plan.next_to(found[0], -1) if found else None
    if found is None or visit is None or visit.slot is None:
        return None
    return with_lines(plan.itinerary, found[0], moved_to(found[1], visit.slot.start + visit.slot.minutes // 2))


@damage(OVERLAP, **ON_FOOT)
def a_ride_that_arrives_after_the_next_thing_has_begun(plan: GoodPlan, random: Random) -> Itinerary | None:
    found = any_timed(plan, random, LocalTransfer, lambda place: goes_on(plan, place, 30))
    slots = slots_of(plan, found[0]) if found else None
    if found is None or slots is None:
        return None
    return with_lines(plan.itinerary, found[0], replace(found[1], slot=TimeSlot(slots[0].start, slots[1].start + 12)))


@damage(OVERLAP)
def a_second_thing_at_the_same_time(plan: GoodPlan, random: Random) -> Itinerary | None:
    """Free time in the middle of a visit."""
    found = any_timed(plan, random, Visit)
    slot = found[1].slot if found else None
    if found is None or slot is None:
        return None
    break_ = Buffer(slot=TimeSlot(slot.start + 1, slot.start + 6), description="a break on a bench")
    return with_lines(plan.itinerary, found[0], found[1], break_)


@damage(OVERLAP, **{WAY: "the ride then leads from where the traveler has not been yet"})
def two_lines_told_in_the_wrong_order(plan: GoodPlan, random: Random) -> Itinerary | None:
    found = any_timed(plan, random, LocalTransfer, lambda place: isinstance(plan.next_to(place, -1), Visit | Meal))
    before = plan.next_to(found[0], -1) if found else None
    if found is None or before is None:
        return None
    (number, line), ride = found
    return with_lines(with_lines(plan.itinerary, (number, line), before), (number, line - 1), ride)


@damage(
    OVERLAP,
    "essential_meal_coverage",
    attraction_visit_within_opening_hours="it may be closed by then",
    dining_within_service_hours="it may be closed by then",
    environment="noon may be crowded, or nothing is left of the hours asked for",
    comfort_and_pace="noon is hot",
)
def everything_at_noon(plan: GoodPlan, random: Random) -> Itinerary | None:
    number = one_of(plan.full_days, random)
    if number is None:
        return None
    noon = tuple(moved_to(activity, 720) if activity.slot else activity for activity in plan.days[number].activities)
    return with_day(plan.itinerary, number, activities=noon)


def _noonish(activity: LineT) -> LineT:
    return replace(activity, slot=None, faults=(*activity.faults, Fault("time slot", "noonish", "no time of day")))


def _without_time(plan: GoodPlan, random: Random, kind: type[Activity]) -> Itinerary | None:
    found = any_timed(plan, random, kind)
    return with_lines(plan.itinerary, found[0], _noonish(found[1])) if found else None


@damage("readable_activities")
def a_visit_at_no_readable_time(plan: GoodPlan, random: Random) -> Itinerary | None:
    return _without_time(plan, random, Visit)


@damage("readable_activities")
def a_meal_at_no_readable_time(plan: GoodPlan, random: Random) -> Itinerary | None:
    return _without_time(plan, random, Meal)


@damage("readable_activities")
def a_journey_at_no_readable_time(plan: GoodPlan, random: Random) -> Itinerary | None:
    return _without_time(plan, random, IntercityLeg)


@damage("readable_activities")
def a_ride_at_no_readable_time(plan: GoodPlan, random: Random) -> Itinerary | None:
    return _without_time(plan, random, LocalTransfer)


@damage(
    "readable_activities",
    OVERLAP,
    WAY,
    ABOUT_HOURS,
    "intercity_buffer_adequacy",
    schedule="what has no time is at no hour asked for",
    environment="nor a shelter in time",
    schedule_pacing="a rest of unknown length is none",
)
def no_readable_time_at_all(plan: GoodPlan, random: Random) -> Itinerary | None:
    return with_each_line(plan.itinerary, _noonish)


@damage("readable_activities")
def a_line_of_no_known_kind(plan: GoodPlan, random: Random) -> Itinerary | None:
    number = random.randrange(len(plan.days))
    misfit = Misfit(slot=None, text="teleport to the moon", faults=(Fault("activity type", "teleport", "unknown"),))
    return with_day(plan.itinerary, number, activities=(*plan.days[number].activities, misfit))
