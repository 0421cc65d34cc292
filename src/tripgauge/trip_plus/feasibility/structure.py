"""Is the plan a whole trip? (Trip+ Table 11, structure completeness)"""

from collections.abc import Iterator
from datetime import timedelta

from tripgauge.checks import Finding
from tripgauge.trip_plus.feasibility.dimension import Dimension
from tripgauge.trip_plus.itinerary import HotelStop, Misfit
from tripgauge.trip_plus.sandbox.names import folded
from tripgauge.trip_plus.sandbox.store import same_city
from tripgauge.trip_plus.trace import (
    MINUTE,
    CalendarDay,
    Content,
    Event,
    ExecutionTrace,
    LegEvent,
    Night,
    TracedDay,
)

structure = Dimension("structure_completeness")

SHORTEST_GAP_BETWEEN_MEALS = timedelta(minutes=120)
"""From the end of lunch to the start of dinner."""

FULL_DAY_VISITS = 2
FULL_DAY_SIGHTSEEING = timedelta(hours=4)
"""A full day holds two sights, or four hours of them with the ways there and back."""

QUIET_DAY_REST = timedelta(minutes=45)
"""One sight is enough on a day that also has lunch, dinner and this much rest."""


@structure.check("valid_trip_duration", about=Content.DAYS, each=lambda trace: trace.calendar)
def valid_trip_duration(date: CalendarDay) -> Iterator[Finding]:
    """The plan has each day of the trip once, in order, under its own date, with something to do on it."""
    position = date.position
    if date.superfluous:
        yield Finding(f"day {position} is beyond the end of the trip", position)
        return
    if date.day is None:
        yield Finding(f"day {position} ({date.date}) is missing", position)
        return
    if date.day.number is not None and date.day.number != position:
        yield Finding(
            f"the day in place {position} is headed day {date.day.number}",
            position,
            expected=f"Day {position}",
            found=f"Day {date.day.number}",
        )
    if date.day.date is not None and date.day.date != date.date:
        yield Finding(
            f"day {position} is {date.date}, not {date.day.date}",
            position,
            expected=str(date.date),
            found=str(date.day.date),
        )
    if date.idle and not date.rest_is_due:
        yield Finding("nothing happens on this day: no travel, no sight, no meal", position)


@structure.check("route_and_stay_continuity", about=Content.TRAVEL, each=lambda trace: (trace,))
def closed_loop_route_structure(trace: ExecutionTrace) -> Iterator[Finding]:
    """The first journey leaves home and the last one comes back there."""
    first, last = trace.legs[0], trace.legs[-1]
    if first.origin_city and not trace.is_home(first.origin_city):
        yield Finding(
            f"the trip starts in {first.origin_city}, not at home in {trace.frame.origin}",
            first.day,
            first.label,
            trace.frame.origin,
            first.origin_city,
        )
    if last.destination_city and not trace.is_home(last.destination_city):
        yield Finding(
            f"the trip ends in {last.destination_city}, not at home in {trace.frame.origin}",
            last.day,
            last.label,
            trace.frame.origin,
            last.destination_city,
        )
    if len(trace.legs) == 1:
        yield Finding("there is one journey only, so no way back", last.day, last.label)


@structure.check("route_and_stay_continuity", about=Content.TRAVEL, each=ExecutionTrace.whereabouts)
def seamless_intercity_transfers(place: "tuple[ExecutionTrace, Event | TracedDay]") -> Iterator[Finding]:
    """The traveler departs from where he is, stops only where he is, and each day is headed by its cities."""
    trace, item = place
    if isinstance(item, TracedDay):
        yield from _heading(item)
        return
    if item.start is None:
        return
    if isinstance(item, LegEvent):
        here, needed = trace.city_before(item), item.origin_city
    else:
        here, needed = trace.city_at(item.start), trace.city_of(item)
    if not needed or not here or same_city(here, needed):
        return
    doing = "departs from" if isinstance(item, LegEvent) else "is in"
    yield Finding(f"{item.label} {doing} {needed}, but the traveler is in {here}", item.day, item.label, here, needed)


def _heading(day: TracedDay) -> Iterator[Finding]:
    label = day.day.city
    if label is None:
        yield Finding("the day does not say in which city it is", day.position)
        return
    starts = [city for city in (day.starts_in, *day.passes) if city][:2] if not label.is_journey else [day.starts_in]
    ends = [*day.passes, day.ends_in]
    wrong_start = any(starts) and not any(same_city(label.origin, city) for city in starts)
    wrong_end = any(ends) and not any(same_city(label.destination, city) for city in ends)
    if wrong_start or wrong_end:
        cities = [city for number, city in enumerate(ends) if city and city not in ends[:number]]
        truth = " to ".join(cities)
        yield Finding(
            f"the day is headed {label}, but leads {truth}"
            if len(cities) > 1
            else f"the day is in {truth}, not {label}",
            day.position,
            expected=truth,
            found=str(label),
        )


@structure.check("route_and_stay_continuity", about=Content.NIGHTS, each=lambda trace: trace.nights)
def day_boundary_continuity(night: Night) -> Iterator[Finding]:
    """The traveler sleeps in the city he is in that night."""
    if night.lodging is None or night.hotel is None:
        return
    if not night.reachable:
        yield Finding(f"sleeps in {night.hotel.city} without having travelled there", night.day, night.lodging.hotel)
    elif night.city and not same_city(night.hotel.city, night.city):
        yield Finding(
            f"sleeps at {night.lodging.hotel} in {night.hotel.city}, but is in {night.city} that night",
            night.day,
            night.lodging.hotel,
            night.city,
            night.hotel.city,
        )


@structure.check("route_and_stay_continuity", about=Content.NIGHTS, each=ExecutionTrace.nights_and_last_day)
def traceable_accommodation(night: Night) -> Iterator[Finding]:
    """Each night away from home and not under way has a hotel, named for the night and stopped at; no other has one."""
    if night.needs_bed and night.lodging is None:
        yield Finding(f"no hotel for the night after day {night.day}", night.day)
    elif night.needs_bed and not night.has_stop:
        yield Finding(f"no time at the hotel on day {night.day}, though the night is spent there", night.day)
    elif not night.needs_bed and night.lodging is not None:
        where = "at home" if night.city else "under way"
        yield Finding(f"a hotel for the night after day {night.day}, which is spent {where}", night.day)


@structure.check("route_and_stay_continuity", about=Content.NIGHTS, each=ExecutionTrace.nights_in_bed)
def ends_with_accommodation(night: Night) -> Iterator[Finding]:
    """A day before a night in a hotel ends at that hotel."""
    if night.last is None:
        yield Finding("the day does not end at the hotel", night.day)
    elif not isinstance(night.last.activity, HotelStop):
        yield Finding(f"the day ends with {night.last.label}, not at the hotel", night.day, night.last.label)
    elif night.lodging and night.last_hotel and folded(night.last_hotel) != folded(night.lodging.hotel):
        yield Finding(
            f"the day ends at {night.last_hotel}, but the night is booked at {night.lodging.hotel}",
            night.day,
            night.last.label,
            night.lodging.hotel,
            night.last_hotel,
        )


@structure.check("daily_content_coverage", about=Content.MEALS, each=lambda trace: trace.days)
def essential_meal_coverage(day: TracedDay) -> Iterator[Finding]:
    """Lunch and dinner are there where the day has room for them, two hours apart, and not where it has none."""
    if not day.away:
        return
    lunches = [meal for meal in day.meals if meal.is_lunch]
    dinners = [meal for meal in day.meals if meal.is_dinner]
    if day.lunch_is_due and not lunches:
        yield Finding("no lunch", day.position)
    if day.dinner_is_due and not dinners:
        yield Finding("no dinner", day.position)
    for meal in (*(() if day.lunch_fits else lunches), *(() if day.dinner_fits else dinners)):
        yield Finding(f"{meal.label} does not fit between arriving and leaving that day", day.position, meal.label)
    ends = [meal.end for meal in lunches if meal.end]
    starts = [meal.start for meal in dinners if meal.start]
    if ends and starts and min(starts) - max(ends) < SHORTEST_GAP_BETWEEN_MEALS:
        gap = (min(starts) - max(ends)) // MINUTE
        yield Finding(f"dinner starts {gap} minutes after lunch ends", day.position, expected="120", found=str(gap))


@structure.check("daily_content_coverage", about=Content.VISITS, each=lambda trace: trace.days)
def essential_attraction_coverage(day: TracedDay) -> Iterator[Finding]:
    """A day with room for it holds a sight; a full day two, or four hours of them, or one and real rest."""
    if not day.visit_is_due:
        return
    if not day.visits:
        yield Finding("no sight on a day with room for one", day.position)
    elif day.is_full and not _is_full_enough(day):
        yield Finding(
            "one short sight on a full day, without the meals and rest of a quiet one",
            day.position,
            day.visits[0].label,
        )


def _is_full_enough(day: TracedDay) -> bool:
    if len(day.visits) >= FULL_DAY_VISITS or day.sightseeing >= FULL_DAY_SIGHTSEEING:
        return True
    return any(m.is_lunch for m in day.meals) and any(m.is_dinner for m in day.meals) and day.rest >= QUIET_DAY_REST


@structure.check("daily_content_coverage", about=Content.PROGRAM, each=lambda trace: trace.events)
def readable_activities(event: Event) -> Iterator[Finding]:
    """Every line of a day is a known kind of activity with a time that can be read."""
    activity = event.activity
    if isinstance(activity, Misfit):
        reason = activity.faults[0].reason if activity.faults else "fits no kind of activity"
        yield Finding(f"{activity.text!r} is no activity: {reason}", event.day, activity.text)
    elif activity.slot is None:
        fault = next((fault for fault in activity.faults if fault.field == "time slot"), None)
        text = f"{fault.text!r}" if fault and fault.text else "nothing"
        yield Finding(f"no time can be read for {event.label}: {text}", event.day, event.label)
