"""Days and nights of a plan: where they are spent, and what is due on them. (Trip+ Table 11)"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from itertools import pairwise

from tripgauge.trip_plus.itinerary import Day, Lodging
from tripgauge.trip_plus.sandbox.names import folded
from tripgauge.trip_plus.sandbox.records import Hotel
from tripgauge.trip_plus.trace.costs import known_price
from tripgauge.trip_plus.trace.events import Event, MealEvent, TransferEvent, VisitEvent

MISSING_DAY = Day(None, None, None, None, ())
"""Stands for a day of the trip that the plan leaves out, so that the later ones keep their dates."""

DEEPEST_NIGHT = time(3)
"""Who is under way at this hour spends the night travelling; who is not needs a bed where he is."""

DAWN = time(5)
"""Who gets to the hotel before this hour still ends the day before there."""

EARLY_ARRIVAL, NOON, LATE_ARRIVAL = time(10), time(12), time(15)
"""Arriving before 10:00 leaves room for lunch and dinner, until 15:00 for dinner; before 12:00 for a sight."""

EARLY_LEAVE, AFTERNOON_LEAVE, SIGHT_LEAVE = time(9), time(15), time(16)
"""Leaving from 15:00 on leaves room for lunch, after 16:00 for a sight; before 9:00 for no meal at all."""


def in_place(days: Sequence[Day], length: int) -> tuple[Day, ...]:
    """The days at their places in a trip of that length, with `MISSING_DAY` where the plan leaves one out.

    Headings tell the places where their numbers rise; else each day stands where it is listed.
    """
    numbers = [day.number or 0 for day in days]
    rise = all(one < other for one, other in pairwise([0, *numbers]))
    placed: list[Day] = []
    for day, number in zip(days, numbers, strict=True):
        if rise and number <= length:
            placed += [MISSING_DAY] * (number - 1 - len(placed))
        placed.append(day)
    return (*placed, *[MISSING_DAY] * (length - len(placed)))


@dataclass(frozen=True, slots=True)
class Night:
    """The night after a day of the plan."""

    day: int
    city: str
    """Where the traveler is at three in the morning; "" if under way."""

    needs_bed: bool
    """A night of the stay, and not under way."""

    reachable: bool
    """Whether the plan brings the traveler anywhere at all."""

    lodging: Lodging | None
    hotel: Hotel | None
    last: Event | None
    """The last thing of the day; getting to the hotel before dawn still belongs to it."""

    has_stop: bool
    """Whether the day has time at a hotel."""

    wakes_in: str
    """The city the next day is headed with; "" if it is headed with none."""

    @property
    def true_price(self) -> Decimal | None:
        """Per room by the sandbox; as stated where it knows none."""
        stated = self.lodging.price if self.lodging else None
        return known_price(self.hotel.price if self.hotel else None, stated)


@dataclass(frozen=True, slots=True)
class Stay:
    """From when to when the trip is to be spent away from home, whatever the plan does in between."""

    begins: datetime
    """When a journey of the first day that runs arrives; without one, when the trip begins."""

    ends: datetime
    """When a journey that runs departs and is home on the last day; without one, when the trip ends."""


@dataclass(frozen=True, slots=True)
class CalendarDay:
    """A date of the trip beside what the plan has for it."""

    position: int
    date: date
    day: Day | None
    """None if the plan ends before."""

    superfluous: bool
    """Whether the trip is over by then."""

    idle: bool
    """Whether nothing but a hotel or free time is on it."""

    rest_is_due: bool
    """Whether the task asks for rest on it."""


@dataclass(frozen=True, slots=True)
class TracedDay:
    """A day with everything on it, and how much of it is spent away from home."""

    position: int
    date: date
    day: Day
    events: tuple[Event, ...]
    starts_in: str
    ends_in: str
    """Cities at midnight before and after; the arrival's city for who is under way; "" if unknown."""

    left_behind: str
    """The city left by the ride that is under way at midnight before; "" if none is."""

    passes: tuple[str, ...]
    """Every city of the day, in order."""

    away: bool
    """Whether any of it is to be spent away from home."""

    arrives: time | None
    """When the traveler gets to a city away from home, if it is on this day."""

    leaves: time | None
    """When he leaves such a city, if it is on this day."""

    due_from: time | None
    due_until: time | None
    """Between which times the day is to be spent away, by rides that run and are no detour home; None for all day."""

    @property
    def meals(self) -> tuple[MealEvent, ...]:
        """The meals that lie between arriving and leaving."""
        return tuple(event for event in self.events if isinstance(event, MealEvent) and self._holds(event))

    @property
    def visits(self) -> tuple[VisitEvent, ...]:
        """The visits that lie between arriving and leaving."""
        return tuple(event for event in self.events if isinstance(event, VisitEvent) and self._holds(event))

    def _holds(self, event: Event) -> bool:
        if event.start is None:
            return True
        start = event.start.time() if event.start.date() == self.date else time.max
        return (self.arrives is None or start >= self.arrives) and (self.leaves is None or start < self.leaves)

    @property
    def sightseeing(self) -> timedelta:
        """Time at sights, with the ways to and from them."""
        names = {folded(visit.activity.attraction) for visit in self.visits}
        ways = (
            event
            for event in self.events
            if isinstance(event, TransferEvent)
            and not names.isdisjoint({folded(event.activity.origin), folded(event.activity.destination)})
        )
        return sum(
            (event.end - event.start for event in (*self.visits, *ways) if event.start and event.end), timedelta()
        )

    @property
    def sights(self) -> int:
        """How many different sights are visited; coming back to one is no second."""
        return len(
            {folded(visit.attraction.name if visit.attraction else visit.activity.attraction) for visit in self.visits}
        )

    @property
    def lunch_is_due(self) -> bool:
        """Whether the day has room for lunch. (Trip+ Table 11: essential meal coverage)"""
        early = self.due_from is None or self.due_from < EARLY_ARRIVAL
        return self.away and early and (self.due_until is None or self.due_until >= AFTERNOON_LEAVE)

    @property
    def dinner_is_due(self) -> bool:
        """Whether the day has room for dinner."""
        return self.away and self.due_until is None and (self.due_from is None or self.due_from <= LATE_ARRIVAL)

    @property
    def lunch_fits(self) -> bool:
        """Whether lunch is possible at all."""
        on_time = self.arrives is None or self.arrives <= LATE_ARRIVAL
        return on_time and (self.leaves is None or self.leaves >= EARLY_LEAVE)

    @property
    def dinner_fits(self) -> bool:
        """Whether dinner is possible at all."""
        return self.leaves is None or self.leaves >= AFTERNOON_LEAVE

    @property
    def visit_is_due(self) -> bool:
        """Whether the day has room for a sight."""
        early = self.due_from is None or self.due_from < NOON
        return self.away and early and (self.due_until is None or self.due_until > SIGHT_LEAVE)

    @property
    def is_full(self) -> bool:
        """Whether the whole day is to be spent away from home."""
        return self.away and self.due_from is None and self.due_until is None
