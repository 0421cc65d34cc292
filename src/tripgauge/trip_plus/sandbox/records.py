"""What a sandbox knows of, as typed records. (Trip+ 2.2)

Money is yuan. Where a cell is empty or no number, the field is None. Each record keeps the row it was read from, since
tools show some cells verbatim.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from decimal import Decimal, InvalidOperation
from math import asin, cos, isfinite, radians, sin, sqrt
from typing import Literal

from tripgauge.trip_plus.sandbox.files import Row

EARTH_RADIUS_KM = 6371.0
MINUTES_PER_DAY = 24 * 60

WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
"""By ISO number less one."""

ServiceKind = Literal["flight", "train"]


@dataclass(frozen=True)
class Coordinates:
    """A point in degrees."""

    latitude: float
    longitude: float

    @property
    def text(self) -> str:
        """As tools and the distance matrix write it: "lat,lon" with six decimals."""
        return f"{self.latitude:.6f},{self.longitude:.6f}"

    @classmethod
    def read(cls, latitude: str, longitude: str) -> "Coordinates | None":
        """The point two cells name; None if they name none on earth."""
        try:
            point = cls(float(latitude), float(longitude))
        except ValueError:
            return None
        return point if abs(point.latitude) <= 90 and abs(point.longitude) <= 180 else None


def distance_km(a: Coordinates, b: Coordinates) -> float:
    """Great-circle distance."""
    north, east = radians(b.latitude - a.latitude), radians(b.longitude - a.longitude)
    chord = sin(north / 2) ** 2 + cos(radians(a.latitude)) * cos(radians(b.latitude)) * sin(east / 2) ** 2
    return 2 * EARTH_RADIUS_KM * asin(min(1.0, sqrt(chord)))


@dataclass(frozen=True)
class Hours:
    """When a place is open, in minutes since midnight of the day it opens.

    A closing time past midnight is above 1440; a place open round the clock closes 1440 after it opens.
    """

    opens: int
    closes: int
    closed_on: frozenset[int] = frozenset()
    """ISO weekdays, Monday 1, on which the place does not open."""

    @property
    def always(self) -> bool:
        """Whether it never closes on days it opens."""
        return self.closes - self.opens >= MINUTES_PER_DAY

    def opens_on(self, day: date) -> bool:
        """Whether the place opens at all on that day."""
        return day.isoweekday() not in self.closed_on

    def is_open(self, start: datetime, end: datetime) -> bool:
        """Whether the place is open from `start` to `end` without a break.

        Opening periods that touch are one: what is open round the clock is open past midnight.
        """
        midnight = datetime.combine(start.date(), datetime.min.time())
        reached, was_open = start, False
        for day in range(-1, (end - midnight).days + 1):
            opening_day = midnight + timedelta(days=day)
            opens = opening_day + timedelta(minutes=self.opens)
            closes = opening_day + timedelta(minutes=self.closes)
            if self.opens_on(opening_day) and opens <= reached <= closes:
                reached, was_open = closes, True
        return was_open and reached >= end


@dataclass(frozen=True)
class Place:
    """Anything with a name on the map: a sight, a hotel, a station, an airport, a metro stop."""

    name: str
    kind: str
    """As the location index calls it: attraction, hotel, restaurant, poi, subway_station, ..."""

    city: str | None
    coordinates: Coordinates
    address: str = ""


@dataclass(frozen=True)
class Hotel:
    """A hotel; its price is per room and night."""

    name: str
    city: str
    address: str
    coordinates: Coordinates | None
    price: Decimal | None
    score: Decimal | None
    star: int | None
    decoration_year: int | None
    brand: str
    services: tuple[str, ...]
    source: Row = field(repr=False, compare=False)


@dataclass(frozen=True)
class Restaurant:
    """A restaurant; its price is per person."""

    name: str
    city: str
    coordinates: Coordinates | None
    price: Decimal | None
    rating: Decimal | None
    cuisine: str
    hours: Hours | None
    nearby_attraction: str
    tags: tuple[str, ...]
    source: Row = field(repr=False, compare=False)


@dataclass(frozen=True)
class Attraction:
    """A sight; its price is per ticket, 0 where entry is free."""

    name: str
    city: str
    address: str
    coordinates: Coordinates | None
    description: str
    type: str
    price: Decimal | None
    rating: Decimal | None
    hours: Hours | None
    min_visit: timedelta | None
    max_visit: timedelta | None
    popularity_tags: tuple[str, ...]
    crowd_risk: str
    queue_risk: str
    peak_crowd_windows: tuple[str, ...]
    source: Row = field(repr=False, compare=False)


@dataclass(frozen=True)
class Stop:
    """A station or airport as a timetable names it."""

    name: str
    code: str


@dataclass(frozen=True)
class Service:
    """One leg on one day in one seat class."""

    kind: ServiceKind
    number: str
    departure: datetime
    arrival: datetime
    origin: Stop
    destination: Stop
    carrier: str
    """The airline, or the type of train."""

    seat_class: str
    price: Decimal | None
    """Yuan per person as the table has it. Of a connection it may be the fare of the whole route; see `Journey`."""

    segment: int
    """Which leg of its route it is, from 1. A direct flight's cabin variants may carry 2."""

    route: str
    """Number of its route; a key only together with both cities and the day."""

    origin_city: str
    """Where the whole route starts. A connection's later legs start elsewhere."""

    destination_city: str
    """Where the whole route ends."""

    seat_status: str | None
    """Seats left as the table words it ("Sufficient" or a number); None where the table does not say."""

    source: Row = field(repr=False, compare=False)

    @property
    def date(self) -> date:
        """The day it departs."""
        return self.departure.date()

    @property
    def duration(self) -> timedelta:
        """From departure to arrival."""
        return self.arrival - self.departure


@dataclass(frozen=True)
class Journey:
    """What is sold from one city to another as one ticket: a direct service, or legs that connect."""

    legs: tuple[Service, ...]
    fare: Decimal | None
    """Yuan per person for the whole journey; None if a leg has no price."""

    @property
    def kind(self) -> ServiceKind:
        """What it is by."""
        return self.legs[0].kind

    @property
    def departure(self) -> datetime:
        """Of the first leg."""
        return self.legs[0].departure

    @property
    def arrival(self) -> datetime:
        """Of the last leg."""
        return self.legs[-1].arrival

    @property
    def duration(self) -> timedelta:
        """Door to door, changes included."""
        return self.arrival - self.departure

    @property
    def is_direct(self) -> bool:
        """Whether there is no change."""
        return len(self.legs) == 1

    @property
    def origin_city(self) -> str:
        """Where it starts."""
        return self.legs[0].origin_city

    @property
    def destination_city(self) -> str:
        """Where it ends."""
        return self.legs[0].destination_city


@dataclass(frozen=True)
class Station:
    """A railway station or airport that services call at."""

    name: str
    code: str
    kind: ServiceKind
    city: str | None
    """The city it belongs to. None of a place where connections only change."""

    coordinates: Coordinates | None
    """None where the location index does not know it, as of most origin cities."""


@dataclass(frozen=True)
class Weather:
    """One day's weather in a city."""

    city: str
    date: date
    code: int | None
    """WMO weather code."""

    condition: str
    temperature_max_c: float | None
    temperature_min_c: float | None
    precipitation_mm: float | None
    precipitation_hours: float | None
    source: Row = field(repr=False, compare=False)


@dataclass(frozen=True)
class Ride:
    """The way between two points of a city."""

    distance_meters: int
    minutes: int
    cost: int | float
    """Yuan per vehicle; 0 of a walk."""

    measured: bool
    """Whether the distance matrix has it; else it is estimated from the distance as the crow flies."""

    @property
    def is_walk(self) -> bool:
        """A cost of 0 is the matrix's only mark of a walk."""
        return self.cost == 0


# --- Cells ----------------------------------------------------------------------------------------------------------


def amount(cell: str) -> Decimal | None:
    """A number that is not negative; None if the cell holds none."""
    try:
        value = Decimal(cell.strip())
    except InvalidOperation:
        return None
    return value if value.is_finite() and value >= 0 else None


def measure(cell: str) -> float | None:
    """A finite number; None if the cell holds none."""
    try:
        value = float(cell)
    except ValueError:
        return None
    return value if isfinite(value) else None


def whole(cell: str) -> int | None:
    """A whole number above 0; None if the cell holds none."""
    value = measure(cell)
    return int(value) if value is not None and value > 0 and value.is_integer() else None


def moment(cell: str) -> datetime | None:
    """A date with a time; None if the cell holds none."""
    try:
        value = datetime.fromisoformat(cell.strip())
    except ValueError:
        return None
    return value.replace(tzinfo=None)


def listed(cell: str, separator: str = ";") -> tuple[str, ...]:
    """The parts of a list in a cell, in order, each once."""
    return tuple(dict.fromkeys(part.strip() for part in cell.split(separator) if part.strip()))


_CLOCK = re.compile(r"\s*(\d{1,2})[:：](\d{2})(?::\d{2})?\s*\Z")


def clock(cell: str) -> int | None:
    """Minutes since midnight of `H:MM`, up to 24:00; None if the cell holds no time."""
    found = _CLOCK.match(cell)
    if not found:
        return None
    minutes = int(found[1]) * 60 + int(found[2])
    return minutes if int(found[2]) < 60 and minutes <= MINUTES_PER_DAY else None


def hours(opening: str, closing: str, closed_on: Iterable[int] = ()) -> Hours | None:
    """The opening hours in two cells; None if they do not tell.

    A closing time before the opening time is after midnight. Equal times, and "Open 24 Hours", mean round the clock.
    """
    if "24 hours" in opening.lower():
        return Hours(0, MINUTES_PER_DAY, frozenset(closed_on))
    opens, closes = clock(opening), clock(closing)
    if opens is None or closes is None:
        return None
    return Hours(opens, closes if closes > opens else closes + MINUTES_PER_DAY, frozenset(closed_on))


def weekdays(cell: str) -> frozenset[int]:
    """The ISO weekdays a cell names in English, Monday 1."""
    names = {name.lower(): number for number, name in enumerate(WEEKDAYS, start=1)}
    words = re.split(r"[^a-z]+", cell.lower())
    return frozenset(names[word.removesuffix("s")] for word in words if word.removesuffix("s") in names)


def visit_length(cell: str) -> timedelta | None:
    """A length of stay given in hours."""
    value = measure(cell)
    return timedelta(hours=value) if value is not None and value > 0 else None
