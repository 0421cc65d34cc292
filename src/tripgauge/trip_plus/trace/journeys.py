"""Flights and trains as they are sold and taken: tickets, the ways between places of stay, and boarding. (Trip+ B.2)"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from itertools import pairwise

from tripgauge.trip_plus.itinerary import Buffer
from tripgauge.trip_plus.sandbox.names import folded
from tripgauge.trip_plus.sandbox.records import Journey
from tripgauge.trip_plus.sandbox.store import Sandbox
from tripgauge.trip_plus.trace.costs import known_price
from tripgauge.trip_plus.trace.events import MINUTE, Event, LegEvent

LONGEST_BREAK = timedelta(hours=1)
"""What is kept free longer than this before a departure, and anything then, is not kept free for it."""

MOST_LEGS = 20
"""No ticket has more."""

BUFFER_BEFORE = {"flight": 90, "train": 30}
BUFFER_AFTER = {"flight": 30, "train": 15}
"""Minutes to keep free beside a flight or train. (Trip+ B.2)"""


@dataclass(frozen=True, slots=True)
class Ticket:
    """Legs under one fare: a direct service, or a connection sold as one journey."""

    legs: tuple[LegEvent, ...]
    journey: Journey | None
    """What the sandbox sells; None if it sells no such thing that day."""

    fare: Decimal | None
    """Yuan per person as the plan states it; None if it states none for any leg."""

    @property
    def true_fare(self) -> Decimal | None:
        """Per person by the sandbox; as stated where it knows none."""
        return known_price(self.journey.fare if self.journey else None, self.fare)


@dataclass(frozen=True, slots=True)
class Passage:
    """The way from one place of stay to the next: one flight or train, or several with changes."""

    legs: tuple[LegEvent, ...]
    outbound: bool
    """Whether it leads away from home."""

    inbound: bool
    """Whether it leads back home."""

    @property
    def departure(self) -> datetime:
        """Of the first leg."""
        return self.legs[0].leaves

    @property
    def arrival(self) -> datetime:
        """Of the last leg."""
        return self.legs[-1].arrives

    @property
    def true_departure(self) -> datetime:
        """Of the first leg by the timetable."""
        return self.legs[0].true_departure

    @property
    def true_arrival(self) -> datetime:
        """Of the last leg by the timetable."""
        return self.legs[-1].true_arrival

    @property
    def is_timetabled(self) -> bool:
        """Whether every leg really runs on its date, at whatever time."""
        return all(leg.timetabled for leg in self.legs)

    @property
    def changes(self) -> int:
        """How often the traveler changes."""
        return len(self.legs) - 1

    @property
    def label(self) -> str:
        """The lines as findings name them."""
        return " + ".join(leg.label for leg in self.legs)

    @property
    def day(self) -> int:
        """The day it begins on."""
        return self.legs[0].day


@dataclass(frozen=True, slots=True)
class Boarding:
    """One side of a flight or train, with the time kept free there."""

    leg: LegEvent
    when: str
    """"before", "after", "for the change after"."""

    minutes: int
    needed: int


def tickets_of(legs: Iterable[LegEvent], sandbox: Sandbox) -> tuple[Ticket, ...]:
    """The legs by what is sold as one: the table says which legs belong to one fare."""
    tickets: list[Ticket] = []
    all_legs = tuple(legs)
    at = 0
    while at < len(all_legs):
        journey = _journey(all_legs[at : at + MOST_LEGS], sandbox)
        part = all_legs[at : at + (len(journey.legs) if journey else 1)]
        tickets.append(Ticket(part, journey, _fare(part, journey)))
        at += len(part)
    return tuple(tickets)


def _journey(legs: Sequence[LegEvent], sandbox: Sandbox) -> Journey | None:
    """The longest journey sold that the next legs make up."""
    if legs[0].service is None:
        return None
    fitting = [
        journey
        for journey in sandbox.journeys_with(legs[0].activity.number, legs[0].date)
        if len(journey.legs) <= len(legs)
        and all(leg.service == sold for leg, sold in zip(legs, journey.legs, strict=False))
    ]
    return max(fitting, key=lambda journey: len(journey.legs), default=None)


def _fare(legs: Sequence[LegEvent], journey: Journey | None) -> Decimal | None:
    """The fare per person as stated: the sum over the legs, or once where every leg shows that of the whole."""
    stated = [leg.activity.price for leg in legs if leg.activity.price is not None]
    if not stated:
        return None
    total = sum(stated, Decimal())
    if journey is not None and journey.fare is not None and len(set(stated)) == 1 < len(stated):
        return min(stated[0], total, key=lambda fare: abs(fare - (journey.fare or fare)))
    return total


def boardings_of(tickets: Iterable[Ticket], events: Sequence[Event]) -> tuple[Boarding, ...]:
    """Before and after each ticket, and each change within one."""
    boardings: list[Boarding] = []
    places = {id(event): place for place, event in enumerate(events)}
    for ticket in tickets:
        first, last = ticket.legs[0], ticket.legs[-1]
        if first.start is not None:
            kept = _kept_free(first, places[id(first)], -1, events)
            boardings.append(Boarding(first, "before", kept, _before(first)))
        for leg, following in pairwise(ticket.legs):
            if leg.end is not None and following.start is not None:
                wait = (following.start - leg.end) // MINUTE
                boardings.append(Boarding(leg, "for the change after", wait, _after(leg)))
        if last.end is not None:
            boardings.append(Boarding(last, "after", _kept_free(last, places[id(last)], 1, events), _after(last)))
    return tuple(boardings)


def _kept_free(leg: LegEvent, place: int, step: int, events: Sequence[Event]) -> int:
    """The minutes of the unbroken run of buffers beside a leg, none of it far from the leg."""
    place += step
    minutes = 0
    beside: Event = leg
    while 0 <= place < len(events) and isinstance(events[place].activity, Buffer):
        event = events[place]
        earlier, later = (event, beside) if step < 0 else (beside, event)
        if earlier.end is None or later.start is None or later.start - earlier.end > LONGEST_BREAK:
            break
        minutes += event.minutes or 0
        beside, place = event, place + step
    return minutes


def _before(leg: LegEvent) -> int:
    return BUFFER_BEFORE.get(leg.kind, BUFFER_BEFORE["train"])


def _after(leg: LegEvent) -> int:
    return BUFFER_AFTER.get(leg.kind, BUFFER_AFTER["train"])


def is_seat(stated: str, sold: str) -> bool:
    """Whether both name one class: "Second Class" is "Second Class Seat", whatever is remarked behind it."""
    return any(_class(part) == _class(sold) for part in re.split(r"[,;，；(（]", stated))


def _class(seat: str) -> str:
    return folded(seat).removesuffix("seat").removesuffix("class")
