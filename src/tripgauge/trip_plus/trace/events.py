"""What happens in a plan: its activities at their instants, joined to the records they name. (Trip+ 2.4)"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import TypeVar

from tripgauge.trip_plus.itinerary import Activity, HotelStop, IntercityLeg, LocalTransfer, Meal, Visit
from tripgauge.trip_plus.sandbox.exposure import Exposure
from tripgauge.trip_plus.sandbox.names import folded
from tripgauge.trip_plus.sandbox.records import Attraction, Coordinates, Hotel, Restaurant, Service, distance_km
from tripgauge.trip_plus.trace.costs import known_price

MINUTE = timedelta(minutes=1)

LUNCH_STARTS = (time(11), time(13, 45))
DINNER_STARTS = (time(17), time(20, 45))
"""When a meal that is called neither lunch nor dinner counts as one."""

SAME_PLACE_KM = 0.5
"""Two names this close to each other are one stop: a station and its exit, a mall and its restaurant."""


@dataclass(frozen=True, slots=True)
class Event:
    """An activity at its place in time."""

    activity: Activity
    day: int
    """Position of the day it is listed under, from 1."""

    start: datetime | None
    end: datetime | None
    """None where the line has no readable time."""

    @property
    def label(self) -> str:
        """The line as findings name it."""
        return self.activity.label

    @property
    def minutes(self) -> int | None:
        """How long it takes."""
        return (self.end - self.start) // MINUTE if self.start and self.end else None


@dataclass(frozen=True, slots=True)
class Spot:
    """Where something is, as far as it is known: by name always, on the map if the sandbox has it."""

    name: str
    coordinates: Coordinates | None

    def is_same_as(self, other: "Spot") -> bool:
        """Whether a traveler at one is at the other."""
        if folded(self.name) == folded(other.name):
            return True
        if self.coordinates is None or other.coordinates is None:
            return False
        return distance_km(self.coordinates, other.coordinates) <= SAME_PLACE_KM


@dataclass(frozen=True, slots=True)
class VisitEvent(Event):
    """A stay at an attraction, joined to the sandbox's record of it."""

    activity: Visit
    attraction: Attraction | None
    paid_before: bool
    """Whether the same attraction was paid for earlier on the same day, so that coming back costs nothing."""

    exposure: Exposure = Exposure.UNKNOWN

    @property
    def true_price(self) -> Decimal | None:
        """Per person by the sandbox; as stated where it knows none."""
        return known_price(self.attraction.price if self.attraction else None, self.activity.price)

    @property
    def city(self) -> str | None:
        """Where it stands."""
        return self.attraction.city if self.attraction else None


@dataclass(frozen=True, slots=True)
class MealEvent(Event):
    """A sitting, joined to the restaurant's record."""

    activity: Meal
    restaurant: Restaurant | None

    @property
    def true_price(self) -> Decimal | None:
        """Per person by the sandbox; as stated where it knows none."""
        return known_price(self.restaurant.price if self.restaurant else None, self.activity.price)

    @property
    def city(self) -> str | None:
        """Where it stands."""
        return self.restaurant.city if self.restaurant else None

    @property
    def is_lunch(self) -> bool:
        """By what it is called, else by when it starts."""
        return self._is("lunch", ("breakfast", "dinner", "supper"), LUNCH_STARTS)

    @property
    def is_dinner(self) -> bool:
        """By what it is called, else by when it starts."""
        return "supper" in self.activity.meal.lower() or self._is("dinner", ("breakfast", "lunch"), DINNER_STARTS)

    def _is(self, name: str, others: Sequence[str], starts: tuple[time, time]) -> bool:
        called = self.activity.meal.lower()
        if name in called:
            return True
        if any(other in called for other in others) or self.start is None:
            return False
        return starts[0] <= self.start.time() <= starts[1]


@dataclass(frozen=True, slots=True)
class HotelEvent(Event):
    """Time at a hotel, joined to its record; a line that says "the hotel" means the one of the day."""

    activity: HotelStop
    name: str
    hotel: Hotel | None

    @property
    def city(self) -> str | None:
        """Where it stands."""
        return self.hotel.city if self.hotel else None


@dataclass(frozen=True, slots=True)
class LegEvent(Event):
    """A flight or train, joined to every service of its number."""

    activity: IntercityLeg
    date: date
    """The day it departs by the plan."""

    runs: tuple[Service, ...]
    """All services of that number on any date."""

    service: Service | None
    """The one the plan describes: that date, those times, those stations, that seat if it names one."""

    origin: Spot
    destination: Spot
    origin_city: str
    destination_city: str
    """Cities, or the stop's own name where connections only change; "" where nothing is known."""

    leaves: datetime
    arrives: datetime
    """By the plan; where its time cannot be read by the timetable, else when the line before ends."""

    timetabled: Service | None = None
    """What really runs under that number on that date between those stations, at whatever time; None if nothing."""

    @property
    def true_departure(self) -> datetime:
        """By the timetable; by the plan where nothing like this runs."""
        return self.timetabled.departure if self.timetabled else self.leaves

    @property
    def true_arrival(self) -> datetime:
        """By the timetable; by the plan where nothing like this runs."""
        return self.timetabled.arrival if self.timetabled else self.arrives

    @property
    def runs_that_day(self) -> tuple[Service, ...]:
        """The services of its number on its date."""
        return tuple(run for run in self.runs if run.date == self.date)

    @property
    def kind(self) -> str:
        """ "flight" or "train" by the sandbox, else as the plan says, else ""."""
        return self.runs[0].kind if self.runs else self.activity.mode


@dataclass(frozen=True, slots=True)
class TransferEvent(Event):
    """A ride or walk in the city, with both ends on the map where they are known."""

    activity: LocalTransfer
    origin: Spot
    destination: Spot


E = TypeVar("E", bound=Event)

Anchor = VisitEvent | MealEvent | HotelEvent | LegEvent
"""Events between which a traveler has to move."""
