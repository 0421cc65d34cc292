"""Can the plan be carried out as timed? (Trip+ Table 11, execution operability, as the published evaluator reads it)

A check yields what is wrong; it passes if nothing is.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from tripgauge.trip_plus.release.costing import plan_cost
from tripgauge.trip_plus.release.index import OpeningHours, ReleaseIndex
from tripgauge.trip_plus.release.joined import JoinedPlan
from tripgauge.trip_plus.release.plan import ATTRACTION, BUFFER, HOTEL, INTERCITY, MEAL, RIDE, PlanActivity, PlanDay
from tripgauge.trip_plus.release.primitives import (
    MINUTES_PER_DAY,
    Slot,
    hotel_name,
    mode_class,
    norm,
    num_strict,
    text,
    within_hours,
)

# --- Time and transfers ----------------------------------------------------------------------------------------------


def no_time_overlaps(trip: JoinedPlan) -> Iterator[str]:
    """No activity of a day starts before the one before it has ended."""
    for day in trip.days:
        slots = sorted((a.slot for a in day.activities if a.slot is not None), key=lambda slot: slot.start)
        for earlier, later in pairwise(slots):
            if later.start < earlier.end:
                yield f"day {day.number}: {_clock(later)} overlaps {_clock(earlier)}"


def _clock(slot: Slot) -> str:
    start, end = slot.start % MINUTES_PER_DAY, slot.end % MINUTES_PER_DAY
    return f"{start // 60:02}:{start % 60:02}-{end // 60:02}:{end % 60:02}"


_ANCHORS = frozenset({HOTEL, ATTRACTION, MEAL, INTERCITY})
_NEXT_DAY_AFTER_MINUTES = 720
_CHAIN_TOLERANCE_MINUTES = 2.0


@dataclass(frozen=True, slots=True)
class _Gap:
    """The time between two activities that take place somewhere."""

    origin: str
    destination: str
    start: int
    end: int
    buffer_minutes: int
    rides: tuple[PlanActivity, ...]

    @property
    def minutes(self) -> int:
        """What is left for the way, without buffers."""
        return self.end - self.start - self.buffer_minutes


def reasonable_transfer_time(trip: JoinedPlan) -> Iterator[str]:
    """Between two places there is time for the way: declared ride by ride, or about as long as the sandbox says."""
    for day in trip.days:
        anchors = [(a, a.slot) for a in day.activities if a.kind in _ANCHORS and a.slot is not None]
        for (earlier, slot), (later, next_slot) in pairwise(anchors):
            gap = _gap(day, earlier, slot, later, next_slot)
            fault = _gap_fault(trip.index, gap) if gap is not None else ""
            if fault:
                yield f"day {day.number}: {fault}"


def _gap(day: PlanDay, earlier: PlanActivity, slot: Slot, later: PlanActivity, next_slot: Slot) -> _Gap | None:
    """The gap between two consecutive activities; None if they overlap."""
    start, end = slot.end, next_slot.start
    if end < start:
        if start - end <= _NEXT_DAY_AFTER_MINUTES:
            return None
        end += MINUTES_PER_DAY
        if end < start:
            return None
    buffer_minutes = 0
    rides = []
    for activity in day.activities:
        if activity.slot is not None and activity.kind in (BUFFER, RIDE):
            shift = MINUTES_PER_DAY if activity.slot.start < start else 0
            if activity.slot.end + shift > end:
                continue
            if activity.kind == BUFFER:
                buffer_minutes += activity.slot.minutes
            else:
                rides.append((activity.slot.start + shift, activity))
    rides.sort(key=lambda ride: ride[0])
    origin, destination = _place(earlier, "to"), _place(later, "from")
    return _Gap(origin, destination, start, end, buffer_minutes, tuple(activity for _, activity in rides))


def _place(activity: PlanActivity, end: str) -> str:
    if activity.kind == HOTEL:
        return hotel_name(activity.details)
    # A place without a name goes by the kind of activity, which lies nowhere.
    return text(activity.details.get(end if activity.kind == INTERCITY else "name")) or activity.kind


def _gap_fault(index: ReleaseIndex, gap: _Gap) -> str:
    if not gap.origin or not gap.destination:
        return "a place between two activities is unknown"
    if _is_declared(index, gap) or gap.origin == gap.destination:
        return ""
    origin, destination = index.coordinates(gap.origin), index.coordinates(gap.destination)
    if origin is None or destination is None:
        return f"where {gap.origin if origin is None else gap.destination} lies is unknown"
    minutes = index.travel_minutes(origin, destination)
    least = min(max(0.0, minutes - 5), 10 * math.floor(minutes / 10))
    if gap.minutes < least:
        return f"{gap.minutes} minutes from {gap.origin} to {gap.destination}, which takes about {minutes:.0f}"
    return ""


def _is_declared(index: ReleaseIndex, gap: _Gap) -> bool:
    """Whether rides written in the gap lead from place to place and fill it, however fast they are."""
    if gap.minutes <= 0 or not gap.rides:
        return False
    here = gap.origin
    minutes = 0
    for ride in gap.rides:
        length = ride.slot.minutes if ride.slot is not None else 0
        origin, destination = text(ride.details.get("from")), text(ride.details.get("to"))
        if length <= 0 or (origin and not _is_same_place(index, origin, here)):
            return False
        here = destination or here
        minutes += length
    return _is_same_place(index, here, gap.destination) and abs(minutes - gap.minutes) <= _CHAIN_TOLERANCE_MINUTES


def _is_same_place(index: ReleaseIndex, one: str, other: str) -> bool:
    if one == other or norm(one).lower() == norm(other).lower():
        return True
    point = index.coordinates(one)
    return point is not None and point == index.coordinates(other)


# --- Venues ----------------------------------------------------------------------------------------------------------

_SHORTEST_MEAL_MINUTES, _LONGEST_MEAL_MINUTES = 30, 150


def attraction_visit_within_opening_hours(trip: JoinedPlan) -> Iterator[str]:
    """Every known sight is visited while it is open."""
    if not trip.index.attractions:
        yield "the sandbox has no sights"
        return
    for visit in trip.visits:
        if visit.entry is not None:
            yield from _hours_faults(visit.day, visit.name, visit.activity.slot, visit.entry.hours)


def dining_within_service_hours(trip: JoinedPlan) -> Iterator[str]:
    """Every meal at a known restaurant is within its service hours."""
    if not trip.index.restaurants:
        yield "the sandbox has no restaurants"
        return
    for meal in trip.sittings:
        if meal.entry is not None:
            yield from _hours_faults(meal.day, meal.name, meal.activity.slot, meal.entry.hours)


def _hours_faults(day: int, name: str, slot: Slot | None, hours: OpeningHours | None) -> Iterator[str]:
    if slot is None:
        yield f"day {day}: {name} has no time slot"
    elif hours is not None:
        start, end = slot.start % MINUTES_PER_DAY, slot.end % MINUTES_PER_DAY
        if not within_hours(start, end, hours.opening, hours.closing):
            yield f"day {day}: {name} is closed for part of {_clock(slot)}"


def avoidance_of_closure_days(trip: JoinedPlan) -> Iterator[str]:
    """No sight is visited on a weekday on which it is closed."""
    if not trip.index.attractions:
        yield "the sandbox has no sights"
        return
    stated = trip.meta.depart_weekday
    if not stated:
        return
    first = _whole_number(stated)
    if first is None:
        yield f"the weekday of departure is {stated!r}, not a number"
        return
    for visit in trip.visits:
        weekday = (first + visit.day - 2) % 7 + 1
        if visit.entry is not None and weekday in visit.entry.closed_on:
            yield f"day {visit.day}: {visit.name} is closed on this weekday"


def _whole_number(value: object) -> int | None:
    if not isinstance(value, int | float | str):
        return None
    try:
        return int(value)
    except (ValueError, OverflowError):
        return None


def reasonable_duration_at_attractions(trip: JoinedPlan) -> Iterator[str]:
    """A visit to a known sight takes between its shortest and its longest usual time."""
    if not trip.index.attractions:
        yield "the sandbox has no sights"
        return
    for visit in trip.visits:
        if visit.entry is None:
            continue
        slot, least, most = visit.activity.slot, visit.entry.min_visit_hours, visit.entry.max_visit_hours
        if slot is None or least is None or most is None or not least <= slot.minutes / 60 <= most:
            length = f"{slot.minutes} minutes" if slot is not None else "no readable time"
            yield f"day {visit.day}: {visit.name} takes {length}, expected {least} to {most} hours"


def reasonable_meal_duration(trip: JoinedPlan) -> Iterator[str]:
    """A meal takes between half an hour and two and a half hours."""
    for meal in trip.sittings:
        slot = meal.activity.slot
        if meal.name and (slot is None or not _SHORTEST_MEAL_MINUTES <= slot.minutes <= _LONGEST_MEAL_MINUTES):
            length = f"{slot.minutes} minutes" if slot is not None else "no readable time"
            yield f"day {meal.day}: {meal.name} takes {length}"


# --- Stations and money ----------------------------------------------------------------------------------------------

_BUFFER_MINUTES = {"flight": (90, 30), "train": (30, 15), "default": (30, 15)}
"""Before departure and after arrival."""


def intercity_buffer_adequacy(trip: JoinedPlan) -> Iterator[str]:
    """Buffers directly before and after every journey are long enough; order counts, clock times do not."""
    for day in trip.days:
        for place, journey in enumerate(day.activities):
            if journey.kind != INTERCITY or journey.slot is None:
                continue
            due_before, due_after = _BUFFER_MINUTES[mode_class(journey.details.get("mode"))]
            before = _buffer_run(day.activities[:place][::-1])
            after = _buffer_run(day.activities[place + 1 :])
            if before < due_before:
                yield f"day {day.number}: {before} minutes before a departure, {due_before} needed"
            if after < due_after:
                yield f"day {day.number}: {after} minutes after an arrival, {due_after} needed"


def _buffer_run(activities: Sequence[PlanActivity]) -> int:
    minutes = 0
    for activity in activities:
        if activity.kind != BUFFER:
            break
        if activity.slot is not None:
            minutes += activity.slot.minutes
    return minutes


_SUBTOTALS = ("transportation", "accommodation", "meals", "attractions_and_tickets", "other")
_SUM_TOLERANCE = 5.0
_SUM_TOLERANCE_SHARE = 0.02
_TOTAL_TOLERANCE_SHARE = 0.10


def cost_calculation_correctness(trip: JoinedPlan) -> Iterator[str]:
    """The stated total is the sum of its parts, and within ten percent of what the activities cost."""
    budget = trip.plan.budget
    total = num_strict(budget.get("total_estimated_budget"))
    if total is None:
        yield "the budget states no total"
        return
    stated = {name: num_strict(budget[name]) for name in _SUBTOTALS if name in budget}
    unreadable = [name for name, amount in stated.items() if amount is None]
    if unreadable:
        yield f"the budget states no number for {', '.join(unreadable)}"
        return
    parts = 0.0
    for amount in stated.values():
        parts += amount or 0.0
    off = abs(parts - total)
    if stated and off > _SUM_TOLERANCE and off / max(abs(total), 1) > _SUM_TOLERANCE_SHARE:
        yield f"the parts of the budget sum to {parts:g}, not to {total:g}"
        return
    computed = plan_cost(trip.plan, trip.meta.people_number, trip.meta.room_number).total
    # The share is taken of the stated total, so a negative one always passes.
    close = abs(computed - total) / total <= _TOTAL_TOLERANCE_SHARE if total != 0 else computed == 0
    if not close:
        yield f"the activities cost {computed:g}, the budget states {total:g}"
