"""Is the plan a whole trip? (Trip+ Table 11, structure completeness)"""

from collections.abc import Iterator
from datetime import timedelta

from tripgauge.checks import Finding
from tripgauge.trip_plus.feasibility.dimension import Dimension
from tripgauge.trip_plus.itinerary import Misfit
from tripgauge.trip_plus.sandbox.names import folded
from tripgauge.trip_plus.sandbox.store import same_city
from tripgauge.trip_plus.trace.days import CalendarDay, Night, TracedDay
from tripgauge.trip_plus.trace.events import MINUTE, Event, HotelEvent, LegEvent
from tripgauge.trip_plus.trace.execution import Content, ExecutionTrace

structure = Dimension("structure_completeness")

SHORTEST_GAP_BETWEEN_MEALS = timedelta(minutes=120)
"""From the end of lunch to the start of dinner."""

FULL_DAY_VISITS = 2
FULL_DAY_SIGHTSEEING = timedelta(hours=4)
"""A full day holds two sights, or four hours of them with the ways there and back."""


@structure.check("valid_trip_duration", about=Content.DAYS, each=lambda trace: trace.calendar)
def valid_trip_duration(date: CalendarDay) -> Iterator[Finding]:
    """The plan has each day of the trip once, in order, under its own date, with something to do on it."""
    position = date.position
    if date.superfluous:
        yield Finding(f"day {position} is beyond the end of the trip", position)
        return
    if date.day is None:
        yield Finding(f"day {position} ({date.date}) is missing", position, expected=str(date.date))
        return
    if date.day.number is not None and date.day.number != position:
        yield Finding(
            f"out of order: day {date.day.number} stands where day {position} is due",
            position,
            expected=f"Day {position}",
            found=f"Day {date.day.number}",
        )
    elif date.day.date is not None and date.day.date != date.date:
        yield Finding(
            f"day {position} is {date.date}, not {date.day.date}",
            position,
            expected=str(date.date),
            found=str(date.day.date),
        )
    elif date.day.partial_date is not None and not date.day.partial_date.fits(date.date):
        said = str(date.day.partial_date)
        reason = f"day {position} is {date.date:%A}, {date.date}, not {said}"
        yield Finding(reason, position, expected=str(date.date), found=said)
    for fault in date.day.faults:
        if fault.field == "date":
            reason = f"the date of day {position} cannot be read: {fault.text!r} is {fault.reason}"
            yield Finding(reason, position, expected=str(date.date), found=fault.text)
    if date.idle and not date.rest_is_due:
        yield Finding("nothing happens on this day: no travel, no sight, no meal", position)


@structure.check("route_and_stay_continuity", about=Content.TRAVEL, each=lambda trace: (trace,))
def closed_loop_route_structure(trace: ExecutionTrace) -> Iterator[Finding]:
    """The first journey leaves home and the last one comes back there."""
    first, last = trace.legs[0], trace.legs[-1]
    leaves_home = not first.origin_city or trace.is_home(first.origin_city)
    comes_home = not last.destination_city or trace.is_home(last.destination_city)
    if not leaves_home:
        yield Finding(
            f"the trip starts in {first.origin_city}, not at home in {trace.frame.origin}",
            first.day,
            first.label,
            trace.frame.origin,
            first.origin_city,
        )
    if not comes_home:
        yield Finding(
            f"the trip ends in {last.destination_city}, not at home in {trace.frame.origin}",
            last.day,
            last.label,
            trace.frame.origin,
            last.destination_city,
        )
    if first is last and leaves_home and comes_home:
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
    starts = [day.starts_in, day.left_behind]
    if not label.is_journey:
        starts = [city for city in (day.starts_in, *day.passes) if city][:2]
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
    """The traveler sleeps in the city he is in that night, and the next day begins there."""
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
    elif night.wakes_in and not same_city(night.hotel.city, night.wakes_in):
        yield Finding(
            f"sleeps in {night.hotel.city}, but day {night.day + 1} begins in {night.wakes_in}",
            night.day,
            night.lodging.hotel,
            night.hotel.city,
            night.wakes_in,
        )


@structure.check("route_and_stay_continuity", about=Content.NIGHTS, each=ExecutionTrace.nights_and_last_day)
def traceable_accommodation(night: Night) -> Iterator[Finding]:
    """Each night away from home and not under way has a hotel, named for the night and stopped at; no other has one."""
    if night.needs_bed and night.lodging is None:
        yield Finding(f"no hotel for the night after day {night.day}", night.day, expected=_bed(night))
    elif night.needs_bed and not night.has_stop:
        reason = f"no time at the hotel on day {night.day}, though the night is spent there"
        yield Finding(reason, night.day, expected=_bed(night))
    elif not night.needs_bed and night.lodging is not None:
        where = "at home" if night.city else "under way"
        hotel = night.lodging.hotel
        yield Finding(
            f"{hotel} is booked for the night after day {night.day}, which is spent {where}", night.day, hotel
        )


def _bed(night: Night) -> str:
    return f"a hotel in {night.city}" if night.city else "a hotel"


@structure.check("route_and_stay_continuity", about=Content.NIGHTS, each=ExecutionTrace.nights_in_bed)
def ends_with_accommodation(night: Night) -> Iterator[Finding]:
    """A day before a night in a hotel ends at that hotel."""
    hotel = night.lodging.hotel if night.lodging else ""
    if night.last is None:
        yield Finding("the day does not end at the hotel", night.day, expected=hotel)
    elif not isinstance(night.last, HotelEvent):
        label = night.last.label
        yield Finding(f"the day ends with {label}, not at the hotel", night.day, label, hotel, label)
    elif hotel and night.last.name and folded(night.last.name) != folded(hotel):
        yield Finding(
            f"the day ends at {night.last.name}, but the night is booked at {hotel}",
            night.day,
            night.last.label,
            hotel,
            night.last.name,
        )


@structure.check("daily_content_coverage", about=Content.RESTAURANTS, each=lambda trace: trace.days)
def essential_meal_coverage(day: TracedDay) -> Iterator[Finding]:
    """Lunch and dinner are there where the day has room for them, two hours apart, and not where it has none."""
    if not day.away:
        return
    lunches = [meal for meal in day.meals if meal.is_lunch]
    dinners = [meal for meal in day.meals if meal.is_dinner]
    if day.lunch_is_due and not lunches:
        yield Finding("no lunch", day.position, expected="lunch")
    if day.dinner_is_due and not dinners:
        yield Finding("no dinner", day.position, expected="dinner")
    for meal in (*(() if day.lunch_fits else lunches), *(() if day.dinner_fits else dinners)):
        yield Finding(f"{meal.label} does not fit between arriving and leaving that day", day.position, meal.label)
    ends = [meal.end for meal in lunches if meal.end]
    starts = [meal.start for meal in dinners if meal.start]
    if ends and starts and min(starts) - max(ends) < SHORTEST_GAP_BETWEEN_MEALS:
        gap = (min(starts) - max(ends)) // MINUTE
        yield Finding(
            f"dinner starts {gap} minutes after lunch ends", day.position, "", "at least 120 min", f"{gap} min"
        )


@structure.check("daily_content_coverage", about=Content.SIGHTS, each=lambda trace: trace.days)
def essential_attraction_coverage(day: TracedDay) -> Iterator[Finding]:
    """A day with room for it holds a sight; a full day two, or four hours of them, or one between lunch and dinner."""
    if not day.visit_is_due:
        return
    if not day.visits:
        yield Finding("no sight on a day with room for one", day.position, expected="a sight")
    elif day.is_full and not _is_full_enough(day):
        yield Finding(
            "one short sight on a full day, without the lunch and dinner of a quiet one",
            day.position,
            day.visits[0].label,
            "two sights, four hours of them, or one between lunch and dinner",
            day.visits[0].label,
        )


def _is_full_enough(day: TracedDay) -> bool:
    if day.sights >= FULL_DAY_VISITS or day.sightseeing >= FULL_DAY_SIGHTSEEING:
        return True
    return any(meal.is_lunch for meal in day.meals) and any(meal.is_dinner for meal in day.meals)


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
        yield Finding(f"no time can be read for {event.label}: {text}", event.day, event.label, "HH:MM-HH:MM", text)
