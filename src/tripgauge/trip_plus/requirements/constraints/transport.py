"""By what the traveler gets there and about. (Trip+ Table 12, transport)

A flight or train is the one the sandbox has: date, direction, changes, times and seat are read from the service that
the plan's line describes, never from its number alone.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from enum import StrEnum

from tripgauge.checks import Finding
from tripgauge.trip_plus.notation.money import yuan
from tripgauge.trip_plus.requirements.requirement import Component, HardConstraint, listed
from tripgauge.trip_plus.sandbox.names import folded
from tripgauge.trip_plus.trace.costs import is_walk
from tripgauge.trip_plus.trace.events import LegEvent
from tripgauge.trip_plus.trace.execution import Content, ExecutionTrace
from tripgauge.trip_plus.trace.journeys import Passage

LONGEST_GENTLE_WALK = 20
"""Minutes; up to 1.5 km a way is taken on foot."""

MOST_METRO_LINES = 2
"""A ride on more lines changes too often."""


class Direction(StrEnum):
    """Which way a requirement is about."""

    OUTBOUND = "outbound"
    INBOUND = "inbound"


def _passages(trace: ExecutionTrace, direction: Direction, mode: str) -> Iterator[Passage | Finding]:
    """The ways out or home; a finding where the plan has none, or goes otherwise."""
    outbound = direction is Direction.OUTBOUND
    date = trace.frame.depart if outbound else trace.frame.return_
    found = [passage for passage in trace.passages if (passage.outbound if outbound else passage.inbound)]
    if not found:
        yield Finding(f"no {mode} {'out' if outbound else 'home'}", expected=f"{mode} on {date}")
    for passage in found:
        other = next((leg for leg in passage.legs if leg.kind != mode), None)
        lost = next((leg for leg in passage.legs if leg.service is None), None)
        if other is not None:
            yield Finding(f"{other.label} is no {mode}", other.day, other.label, mode, other.kind or "unknown")
        elif lost is not None:
            yield Finding(f"there is no {mode} as {lost.label} describes it", lost.day, lost.label)
        elif passage.departure.date() != date:
            leaves = passage.departure.date()
            yield Finding(f"{passage.label} leaves on {leaves}", passage.day, passage.label, str(date), str(leaves))
        else:
            yield passage


@dataclass(frozen=True)
class SeatClass(HardConstraint):
    """Out and home, every seat is of the class asked for."""

    rules = {
        "flight_seat_class": "Out and home, every flight is in the class asked for.",
        "train_seat_class": "Out and home, every train is in the class asked for.",
    }
    group = Component.TRANSPORT
    source = "Trip+ Table 12"

    kind: str
    seat_class: str
    directions: frozenset[Direction] = frozenset(Direction)
    """Both, unless the tables have no such seat one way."""

    @property
    def id(self) -> str:
        """Which of the kinds."""
        return self.kind

    def sentence(self) -> str:
        """With class and directions."""
        return f"{self.rule.removesuffix('.')}: {self.seat_class} ({listed(self.directions)})."

    def find(self, trace: ExecutionTrace) -> Iterator[Finding]:
        """Legs in another class."""
        for direction in sorted(self.directions):
            for passage in _passages(trace, direction, _mode(self.kind)):
                if isinstance(passage, Finding):
                    yield passage
                else:
                    yield from self._seats(passage)

    def _seats(self, passage: Passage) -> Iterator[Finding]:
        for leg in passage.legs:
            found = _seat(leg)
            if folded(found) != folded(self.seat_class):
                reason = f"{leg.label} is in {found or 'no class that is told'}, not in {self.seat_class}"
                yield Finding(reason, leg.day, leg.label, self.seat_class, found)


def _seat(leg: LegEvent) -> str:
    """The class the plan names, or the one it pays for; "" if neither tells."""
    if leg.service is None:
        return ""
    named = folded(leg.activity.seat_class) == folded(leg.service.seat_class)
    paid = leg.activity.price is not None and leg.activity.price == leg.service.price
    return leg.service.seat_class if named or (paid and not leg.activity.seat_class) else leg.activity.seat_class


def _mode(kind: str) -> str:
    return kind.partition("_")[0]


@dataclass(frozen=True)
class HourWindow(HardConstraint):
    """One way is in time: it arrives, or departs, within the hours asked for."""

    rules = {
        "flight_arrival_time_range": "The flight arrives within the hours asked for.",
        "flight_departure_time_range": "The flight departs within the hours asked for.",
        "train_departure_time_range": "The train departs within the hours asked for.",
    }
    group = Component.TRANSPORT
    source = "Trip+ Table 12"

    kind: str
    direction: Direction
    first_hour: int
    last_hour: int
    """Both hours from their first to their last minute: 18 to 20 ends at 20:59."""

    @property
    def id(self) -> str:
        """Which of the kinds."""
        return self.kind

    def sentence(self) -> str:
        """With direction and hours."""
        does = "arrives" if self._arrives else "departs"
        mode = f"The {self.direction} {_mode(self.kind)}"
        return f"{mode} {does} between {self.first_hour:02d}:00 and {self.last_hour:02d}:59."

    @property
    def _arrives(self) -> bool:
        return "arrival" in self.kind

    def find(self, trace: ExecutionTrace) -> Iterator[Finding]:
        """That it does so at another time."""
        for passage in _passages(trace, self.direction, _mode(self.kind)):
            if isinstance(passage, Finding):
                yield passage
                continue
            moment = passage.arrival if self._arrives else passage.departure
            if not self.first_hour <= moment.hour <= self.last_hour:
                does = "arrives" if self._arrives else "departs"
                hours = f"{self.first_hour:02d}:00-{self.last_hour:02d}:59"
                yield Finding(
                    f"{passage.label} {does} at {moment:%H:%M}", passage.day, passage.label, hours, f"{moment:%H:%M}"
                )


@dataclass(frozen=True, order=True)
class ServiceChoice:
    """One service that is as asked for."""

    number: str
    departure: datetime | None = None
    price: Decimal | None = None
    """Yuan per person, where the price is what is asked about."""

    def is_it(self, leg: LegEvent) -> bool:
        """Whether a leg is that service."""
        service = leg.service
        return (
            service is not None
            and folded(service.number) == folded(self.number)
            and self.departure in (None, service.departure)
            and self.price in (None, service.price)
        )

    def __str__(self) -> str:
        when = f" at {self.departure:%H:%M}" if self.departure else ""
        return f"{self.number}{when}{f' for {yuan(self.price)}' if self.price is not None else ''}"


@dataclass(frozen=True)
class DirectService(HardConstraint):
    """One way is direct, by a service that is as asked for.

    Which these are was found out when the task was made.
    """

    rules = {
        "flight_shortest_duration_direct": "The direct flight is the one that takes the shortest time.",
        "flight_cheapest_direct": "The direct flight is the cheapest one.",
        "flight_earliest_departure_direct": "The direct flight is the first to depart.",
        "flight_cheapest_airline_direct": "The direct flight is the cheapest one of the airline.",
        "flight_earliest_airline_direct": "The direct flight is the first to depart of the airline.",
        "flight_cheapest_manufacturer_direct": "The direct flight is the cheapest one by an aircraft of the maker.",
        "train_shortest_duration_direct": "The direct train is the one that takes the shortest time.",
        "train_cheapest_direct": "The direct train is the cheapest one.",
        "train_cheapest_train_type": "The direct train is the cheapest one of the type.",
        "train_earliest_departure_direct": "The direct train is the first to depart.",
        "train_latest_arrival_direct": "The direct train is the last to arrive.",
    }
    group = Component.TRANSPORT
    source = "Trip+ Table 12"

    kind: str
    direction: Direction
    choices: frozenset[ServiceChoice]
    detail: str = ""
    """Airline, maker or type of train."""

    @property
    def id(self) -> str:
        """Which of the kinds."""
        return self.kind

    def sentence(self) -> str:
        """With direction, detail and services."""
        detail = f", {self.detail}" if self.detail else ""
        return f"{self.rule.removesuffix('.')} ({self.direction}{detail}): {self._named}."

    @property
    def _named(self) -> str:
        return listed(str(choice) for choice in self.choices)

    def find(self, trace: ExecutionTrace) -> Iterator[Finding]:
        """That it has changes, or is another service."""
        for passage in _passages(trace, self.direction, _mode(self.kind)):
            if isinstance(passage, Finding):
                yield passage
            elif passage.changes:
                reason = f"{passage.label} is not direct"
                yield Finding(reason, passage.day, passage.label, self._named, f"{passage.changes} changes")
            elif not any(choice.is_it(passage.legs[0]) for choice in self.choices):
                reason = f"{passage.label} is not as asked for: {self._named}"
                yield Finding(reason, passage.day, passage.label, self._named, passage.legs[0].activity.number)


def long_walks(trace: ExecutionTrace) -> Iterator[Finding]:
    """Walks that are more than a short way."""
    for transfer in trace.transfers:
        minutes = transfer.minutes or 0
        if is_walk(transfer.activity) and minutes > LONGEST_GENTLE_WALK:
            reason = f"{transfer.label} takes {minutes} minutes"
            yield Finding(reason, transfer.day, transfer.label, f"up to {LONGEST_GENTLE_WALK} min", f"{minutes} min")


_METRO_LINE = re.compile(r"\bline\s*(\w+)", re.IGNORECASE)


@dataclass(frozen=True)
class RoutePreference(HardConstraint):
    """In the city no long walk is forced on the traveler, and no ride changes lines too often."""

    id = "route_preference"
    group = Component.TRANSPORT
    source = "Trip+ 2.3, Table 9"
    about = Content.TRANSFERS

    def sentence(self) -> str:
        """With the limits."""
        return (
            f"In the city no walk takes more than {LONGEST_GENTLE_WALK} minutes, "
            f"and no ride more than {MOST_METRO_LINES} metro lines."
        )

    def find(self, trace: ExecutionTrace) -> Iterator[Finding]:
        """Long walks and rides with many changes."""
        yield from long_walks(trace)
        for transfer in trace.transfers:
            lines = set(_METRO_LINE.findall(transfer.activity.mode.lower()))
            if len(lines) > MOST_METRO_LINES:
                reason = f"{transfer.label} takes {len(lines)} lines"
                yield Finding(reason, transfer.day, transfer.label, f"up to {MOST_METRO_LINES}", str(len(lines)))
