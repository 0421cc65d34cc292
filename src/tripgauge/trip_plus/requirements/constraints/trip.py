"""When, who and by what: the facts of the trip itself, and the hours of its days. (Trip+ Table 12, trip metadata)"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from typing import Literal

from tripgauge.checks import Finding
from tripgauge.trip_plus.itinerary import Buffer, clock
from tripgauge.trip_plus.notation.money import yuan
from tripgauge.trip_plus.requirements.requirement import Component, HardConstraint
from tripgauge.trip_plus.sandbox.store import same_city
from tripgauge.trip_plus.trace.costs import Cost
from tripgauge.trip_plus.trace.days import TracedDay
from tripgauge.trip_plus.trace.events import MINUTE, Event, HotelEvent, LegEvent, MealEvent, TransferEvent, VisitEvent
from tripgauge.trip_plus.trace.execution import Content, ExecutionTrace
from tripgauge.trip_plus.trace.journeys import Passage

SLACK = Decimal(1)
SLACK_SHARE = Decimal("0.02")
"""A part of the budget may be off by a yuan or two percent, whichever is more."""


@dataclass(frozen=True)
class TripDateRange(HardConstraint):
    """The plan has each day of the trip under its date, leaves on the first and comes back on the last."""

    id = "trip_date_range_required"
    group = Component.DATES
    source = "Trip+ Table 12"
    about = Content.DAYS

    depart: date
    return_: date
    days: int

    def sentence(self) -> str:
        """With the dates."""
        return f"The trip lasts {self.days} days, from {self.depart} to {self.return_}."

    def find(self, trace: ExecutionTrace) -> Iterator[Finding]:
        """Days missing, too many or under another date; journeys on another date."""
        days = trace.itinerary.days
        if len(days) != self.days:
            yield Finding(f"{len(days)} days, not {self.days}", expected=str(self.days), found=str(len(days)))
        for position, day in enumerate(days[: self.days], 1):
            due = self.depart + timedelta(days=position - 1)
            if day.date is None:
                yield Finding(f"the day does not say that it is {due}", position, expected=str(due))
            elif day.date != due:
                yield Finding(f"the day is {due}, not {day.date}", position, "", str(due), str(day.date))
        yield from _journey_on("out", [p for p in trace.passages if p.outbound][:1], self.depart)
        yield from _journey_on("home", [p for p in trace.passages if p.inbound][-1:], self.return_)


def _journey_on(way: str, passages: list[Passage], due: date) -> Iterator[Finding]:
    if not passages:
        yield Finding(f"no journey {way}, which is due on {due}", expected=str(due))
    for passage in passages:
        found = passage.departure.date()
        if found != due:
            yield Finding(
                f"the journey {way} is on {found}, not {due}", passage.day, passage.label, str(due), str(found)
            )


def _party_budget(trace: ExecutionTrace, people: int) -> Iterator[Finding]:
    """Whether transport, meals and attractions are paid for so many."""
    budget, cost = trace.itinerary.budget, _cost(trace, people, trace.frame.rooms)
    if budget is None:
        yield Finding(f"the plan has no budget, so it is not made for {people}")
        return
    yield from _part("transportation", budget.transportation, cost.transportation, people)
    yield from _part("meals", budget.meals, cost.meals, people)
    yield from _part("attractions", budget.attractions, cost.attractions, people)


def _cost(trace: ExecutionTrace, people: int, rooms: int) -> Cost:
    """What the plan costs; for those who travel it is worked out already."""
    as_planned = (people, rooms) == (trace.frame.people, trace.frame.rooms)
    return trace.cost if as_planned else trace.cost_for(people, rooms)


def _part(name: str, stated: Decimal | None, due: Decimal, people: int) -> Iterator[Finding]:
    if stated is None:
        yield Finding(f"the budget does not say what {name} costs", expected=yuan(due))
    elif abs(stated - due) > max(SLACK, due * SLACK_SHARE):
        reason = f"{name} for {people} costs {yuan(due)}, not {yuan(stated)}"
        yield Finding(reason, expected=yuan(due), found=yuan(stated))


@dataclass(frozen=True)
class PartySize(HardConstraint):
    """Transport, meals and tickets are paid for everyone who travels."""

    id = "party_size_required"
    group = Component.PARTY
    source = "Trip+ Table 12"
    about = Content.COSTS

    people: int

    def sentence(self) -> str:
        """With the number."""
        return f"Transport, meals and tickets are paid for {self.people}."

    def find(self, trace: ExecutionTrace) -> Iterator[Finding]:
        """Parts of the budget made for another number."""
        yield from _party_budget(trace, self.people)


@dataclass(frozen=True)
class PartyComposition(HardConstraint):
    """Transport, meals and tickets are paid for the adults, the children and the elders."""

    id = "party_composition_required"
    group = Component.PARTY
    source = "Trip+ Table 12"
    about = Content.COSTS

    adults: int
    children: int = 0
    elders: int = 0

    def sentence(self) -> str:
        """With the numbers."""
        return (
            "Transport, meals and tickets are paid for all of the party: "
            f"{self.adults} adults, {self.children} children, {self.elders} elders."
        )

    def find(self, trace: ExecutionTrace) -> Iterator[Finding]:
        """Parts of the budget that leave somebody out."""
        yield from _party_budget(trace, self.adults + self.children + self.elders)


@dataclass(frozen=True)
class RoomCount(HardConstraint):
    """Every night in a hotel is paid for all the rooms."""

    id = "room_count_required"
    group = Component.PARTY
    source = "Trip+ Table 12"
    about = Content.NIGHTS

    rooms: int

    def sentence(self) -> str:
        """With the number."""
        return f"Every night in a hotel is paid for {self.rooms} room{'s' * (self.rooms != 1)}."

    def not_applicable(self, trace: ExecutionTrace) -> str:
        """Where no night is spent in a bed."""
        return "" if any(trace.nights_in_bed()) else "no night is spent in a hotel"

    def find(self, trace: ExecutionTrace) -> Iterator[Finding]:
        """A budget for another number of rooms."""
        due = _cost(trace, trace.frame.people, self.rooms).accommodation
        budget = trace.itinerary.budget
        stated = budget.accommodation if budget else None
        if stated is None:
            yield Finding("the budget does not say what the rooms cost", expected=yuan(due))
        elif abs(stated - due) > max(SLACK, due * SLACK_SHARE):
            reason = f"{self.rooms} room{'s' * (self.rooms != 1)} cost {yuan(due)}, not {yuan(stated)}"
            yield Finding(reason, expected=yuan(due), found=yuan(stated))


@dataclass(frozen=True)
class RoundTripMode(HardConstraint):
    """All travel between cities, out and home, is by the mode asked for."""

    id = "intercity_round_trip_mode_required"
    group = Component.TRANSPORT
    source = "Trip+ Table 12"

    mode: Literal["flight", "train"]
    origin: str
    destinations: tuple[str, ...]

    def sentence(self) -> str:
        """With the mode and the cities."""
        return f"All travel between {self.origin} and {' and '.join(self.destinations)}, both ways, is by {self.mode}."

    def find(self, trace: ExecutionTrace) -> Iterator[Finding]:
        """Ways that are missing or taken otherwise."""
        away = " and ".join(self.destinations)
        if not any(self._leads_out(passage) for passage in trace.passages):
            yield Finding(f"no {self.mode} from {self.origin} to {away}", expected=self.mode)
        if not any(self._leads_home(passage) for passage in trace.passages):
            yield Finding(f"no {self.mode} from {away} to {self.origin}", expected=self.mode)
        for leg in trace.legs:
            if leg.kind != self.mode:
                found = leg.kind or "unknown"
                yield Finding(f"{leg.label} is no {self.mode}", leg.day, leg.label, self.mode, found)

    def _leads_out(self, passage: Passage) -> bool:
        first, last = passage.legs[0], passage.legs[-1]
        return same_city(first.origin_city, self.origin) and self._is_away(last.destination_city)

    def _leads_home(self, passage: Passage) -> bool:
        first, last = passage.legs[0], passage.legs[-1]
        return self._is_away(first.origin_city) and same_city(last.destination_city, self.origin)

    def _is_away(self, city: str) -> bool:
        return any(same_city(city, destination) for destination in self.destinations)


# --- The hours of a day ---------------------------------------------------------------------------------------------


def _day(trace: ExecutionTrace, position: int) -> TracedDay | Finding:
    """The day, or that the plan has none."""
    return trace.day(position) or Finding(f"the plan has no day {position}", position)


def _minute(event: Event, trace: ExecutionTrace, *, end: bool = False) -> int:
    """Minutes after midnight of the day an event is listed under; past 1440 on the next."""
    moment = event.end if end else event.start
    assert moment is not None
    midnight = trace.midnight_of(event.day)
    return (moment - midnight) // MINUTE


@dataclass(frozen=True)
class LateStart(HardConstraint):
    """On one day no sight, ride or journey starts before the hour asked for; breakfast may."""

    id = "late_start_request"
    group = Component.SCHEDULE
    source = "Trip+ 2.3, Table 9"

    day: int
    earliest: int
    """Minutes after midnight."""

    def sentence(self) -> str:
        """With day and hour."""
        return f"On day {self.day} no sight, ride or journey starts before {clock(self.earliest)}."

    def find(self, trace: ExecutionTrace) -> Iterator[Finding]:
        """What starts too early, or that nothing starts at all."""
        day = _day(trace, self.day)
        if isinstance(day, Finding):
            yield day
            return
        formal = [e for e in day.events if isinstance(e, VisitEvent | TransferEvent | LegEvent) and e.start]
        if not formal:
            yield Finding("nothing starts on this day", self.day, expected=f"from {clock(self.earliest)}")
        for event in formal:
            start = _minute(event, trace)
            if start < self.earliest:
                reason = f"{event.label} starts before {clock(self.earliest)}"
                yield Finding(reason, self.day, event.label, f"from {clock(self.earliest)}", clock(start))


@dataclass(frozen=True)
class EarlyFinish(HardConstraint):
    """On one day everything ends by the hour asked for; only the way to the hotel and time there may come later."""

    id = "early_finish"
    group = Component.SCHEDULE
    source = "Trip+ 2.3, Table 9"

    day: int
    latest: int
    """Minutes after midnight."""

    def sentence(self) -> str:
        """With day and hour."""
        return f"On day {self.day} everything but the way to the hotel ends by {clock(self.latest)}."

    def find(self, trace: ExecutionTrace) -> Iterator[Finding]:
        """What lasts too long, or that there is nothing to end."""
        day = _day(trace, self.day)
        if isinstance(day, Finding):
            yield day
            return
        busy = [event for event in day.events if isinstance(event, VisitEvent | MealEvent | TransferEvent | LegEvent)]
        timed = [event for event in busy if event.end is not None and not _leads_to_bed(event, day)]
        if not timed:
            yield Finding("nothing happens on this day", self.day, expected=f"until {clock(self.latest)}")
        for event in timed:
            end = _minute(event, trace, end=True)
            if end > self.latest:
                reason = f"{event.label} ends after {clock(self.latest)}"
                yield Finding(reason, self.day, event.label, f"until {clock(self.latest)}", clock(end))


def _leads_to_bed(event: Event, day: TracedDay) -> bool:
    """Whether it is a ride after which there is nothing but rides, free time and the hotel."""
    if not isinstance(event, TransferEvent):
        return False
    later = [other for other in day.events if other.start and event.end and other.start >= event.end]
    at_rest = all(
        isinstance(other, TransferEvent | HotelEvent) or isinstance(other.activity, Buffer) for other in later
    )
    return at_rest and any(isinstance(other, HotelEvent) for other in later)


@dataclass(frozen=True)
class MiddayRest(HardConstraint):
    """On one day a meal, time at the hotel or free time is long enough to be a rest around noon."""

    id = "midday_rest"
    group = Component.SCHEDULE
    source = "Trip+ 2.3, Table 9"
    about = Content.PROGRAM

    day: int
    start: int
    end: int
    """Minutes after midnight."""

    minutes: int
    meal_counts: bool = True
    """Whether lunch is rest enough, as the traveler says."""

    def sentence(self) -> str:
        """With day, hours and length."""
        by = "a meal, time at the hotel or free time" if self.meal_counts else "time at the hotel or free time"
        return f"On day {self.day} {by} takes {self.minutes} minutes between {clock(self.start)} and {clock(self.end)}."

    def find(self, trace: ExecutionTrace) -> Iterator[Finding]:
        """That there is no such rest."""
        day = _day(trace, self.day)
        if isinstance(day, Finding):
            yield day
            return
        longest = max(
            (overlap(e, trace, self.start, self.end) for e in day.events if self._is_rest(e, trace)), default=0
        )
        if longest < self.minutes:
            yield Finding(
                f"no rest of {self.minutes} minutes between {clock(self.start)} and {clock(self.end)}",
                self.day,
                expected=f"{self.minutes} min",
                found=f"{longest} min",
            )

    def _is_rest(self, event: Event, trace: ExecutionTrace) -> bool:
        return trace.is_rest(event) or (self.meal_counts and isinstance(event, MealEvent))


def overlap(event: Event, trace: ExecutionTrace, start: int, end: int) -> int:
    """How many minutes of an event lie between two minutes of its day."""
    if event.start is None or event.end is None:
        return 0
    begins, ends = _minute(event, trace), _minute(event, trace, end=True)
    return max(0, min(ends, end) - max(begins, start))
