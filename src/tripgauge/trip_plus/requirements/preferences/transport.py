"""Transport convenience: changes, nights on the way, early and late hours, the mode preferred. (Trip+ Table 8)"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import time

from tripgauge.checks import Finding
from tripgauge.trip_plus.requirements.requirement import Component, Limits, Severity, Signal, SoftPreference
from tripgauge.trip_plus.trace.execution import Content, ExecutionTrace
from tripgauge.trip_plus.trace.journeys import Passage

EARLY = time(7)
LATE = time(21)
NIGHT_ENDS, NIGHT_BEGINS = time(6), time(22)
SMALL_HOURS = time(5)
"""Arriving before is arriving late, not early."""

TRANSFERS = Limits(0, 1)  # Trip+ Table 8, transport convenience: one is a minor breach, two a major one
EARLY_DEPARTURES = Limits(0, 1)
LATE_ARRIVALS = Limits(0, 1)
RED_EYES = Limits(0, 0)
LATE_ARRIVALS_OF_WHO_AVOIDS_RED_EYES = Limits(0, 2)


def departs_early(passage: Passage) -> bool:
    """Whether the traveler has to leave early in the morning."""
    return passage.departure.time() < EARLY


def arrives_late(passage: Passage) -> bool:
    """Whether the traveler gets there late in the evening or in the small hours."""
    return passage.arrival.time() > LATE or passage.arrival.time() < SMALL_HOURS


def is_red_eye(passage: Passage) -> bool:
    """Whether part of the night is spent on the way."""
    return (
        passage.departure.time() < NIGHT_ENDS
        or passage.arrival.time() > NIGHT_BEGINS
        or passage.arrival.date() > passage.departure.date()
    )


def _count(trace: ExecutionTrace, measure: str, limits: Limits, is_so: Callable[[Passage], bool], what: str) -> Signal:
    found = [passage for passage in trace.passages if is_so(passage)]
    first = found[0] if found else None
    finding = Finding(f"{first.label} {what}", first.day, first.label) if first else Finding(what)
    return Signal(measure, len(found), limits.severity(len(found)), finding)


@dataclass(frozen=True)
class AvoidTransfer(SoftPreference):
    """Flights and trains are direct."""

    id = "transport_avoid_transfer"
    group = Component.TRANSPORT_CONVENIENCE
    about = Content.TRAVEL

    def signals(self, trace: ExecutionTrace) -> Iterator[Signal]:
        """Changes of the whole trip: of each journey its legs less one."""
        changes = sum(passage.changes for passage in trace.passages)
        changing = next((passage for passage in trace.passages if passage.changes), None)
        day, label = (changing.day, changing.label) if changing else (None, "")
        finding = Finding(f"{changes} change{'s' * (changes != 1)} on the way", day, label, "0", str(changes))
        yield Signal("structured_transfer_count", changes, TRANSFERS.severity(changes), finding)


@dataclass(frozen=True)
class AvoidRedEye(SoftPreference):
    """No part of the night is spent on a flight or train, and arrivals are not late."""

    id = "transport_avoid_red_eye"
    group = Component.TRANSPORT_CONVENIENCE
    about = Content.TRAVEL

    def signals(self, trace: ExecutionTrace) -> Iterator[Signal]:
        """Nights on the way and late arrivals."""
        yield _count(trace, "red_eye_segments", RED_EYES, is_red_eye, "travels by night")
        yield _count(trace, "late_arrivals", LATE_ARRIVALS_OF_WHO_AVOIDS_RED_EYES, arrives_late, "arrives late")


@dataclass(frozen=True)
class AvoidEarlyDeparture(SoftPreference):
    """No flight or train departs early in the morning."""

    id = "transport_avoid_early_departure"
    group = Component.TRANSPORT_CONVENIENCE
    about = Content.TRAVEL

    def signals(self, trace: ExecutionTrace) -> Iterator[Signal]:
        """Early departures."""
        yield _count(trace, "early_departures", EARLY_DEPARTURES, departs_early, "departs early")


@dataclass(frozen=True)
class AvoidLateArrival(SoftPreference):
    """No flight or train arrives late in the evening."""

    id = "transport_avoid_late_arrival"
    group = Component.TRANSPORT_CONVENIENCE
    about = Content.TRAVEL

    def signals(self, trace: ExecutionTrace) -> Iterator[Signal]:
        """Late arrivals."""
        yield _count(trace, "late_arrivals", LATE_ARRIVALS, arrives_late, "arrives late")


@dataclass(frozen=True)
class PreferMode(SoftPreference):
    """At least one way is by the mode the traveler prefers."""

    rules = {
        "transport_prefer_train": "At least one way is by train, which the traveler prefers.",
        "transport_prefer_flight": "At least one way is by air, which the traveler prefers.",
    }
    group = Component.TRANSPORT_CONVENIENCE
    about = Content.TRAVEL

    kind: str

    @property
    def id(self) -> str:
        """Which of the kinds."""
        return self.kind

    def signals(self, trace: ExecutionTrace) -> Iterator[Signal]:
        """Whether there is such a leg, by what the sandbox says it is."""
        mode = self.kind.rpartition("_")[2]
        missing = all(leg.kind != mode for leg in trace.legs)
        severity = Severity.MAJOR if missing else Severity.NONE
        yield Signal(
            f"preferred_{mode}_mode_missing", missing, severity, Finding(f"no way is by {mode}", expected=mode)
        )
