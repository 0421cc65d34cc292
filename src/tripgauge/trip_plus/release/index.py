"""The sandbox as the published evaluator looks things up in it. (published code, `evaluation/`)

Places are found by exact names and by aliases taken from the data, never by likeness. Prices, opening hours and
timetables are read here once, so that a check only compares numbers.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

from tripgauge.trip_plus.sandbox.files import SandboxFiles

Entry = TypeVar("Entry")


class EntityIndex(Generic[Entry]):
    """Places by name: the raw name first, then its compared form, then the same without brackets and room notes."""

    def find(self, name: str) -> Entry | None:
        """The place of that name; None if there is none."""
        raise NotImplementedError

    def __len__(self) -> int:
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class HotelEntry:
    """A hotel of the sandbox."""

    name: str
    city: str
    has_price: bool
    price: int | None
    """Whole yuan per night; None if the cell holds no number."""


@dataclass(frozen=True, slots=True)
class OpeningHours:
    """Clock times in minutes from midnight; closing before opening means open past midnight."""

    opening: int
    closing: int


@dataclass(frozen=True, slots=True)
class AttractionEntry:
    """A sight of the sandbox."""

    name: str
    has_price: bool
    price: int | None
    hours: OpeningHours | None
    """None if open all day or not stated as clock times."""
    closed_on: frozenset[int]
    """Weekdays, 1 for Monday to 7 for Sunday."""
    min_visit_hours: float | None
    max_visit_hours: float | None


@dataclass(frozen=True, slots=True)
class RestaurantEntry:
    """A restaurant of the sandbox."""

    name: str
    has_price: bool
    price: int | None
    hours: OpeningHours | None


@dataclass(frozen=True, slots=True)
class Coordinates:
    """A point, with the texts its coordinates are written in: the distance matrix is keyed by them."""

    latitude: str
    longitude: str


@dataclass(frozen=True, slots=True)
class TicketRow:
    """A flight or train of the timetable on some date."""

    start: int
    end: int
    """Minutes from midnight of the day of departure."""
    origin: str
    destination: str
    """Station names in the form they are compared in."""
    fares: frozenset[int]
    """Every whole-yuan fare that counts as right: the row's price and the totals of its route."""


@dataclass(frozen=True)
class ReleaseIndex:
    """Everything a plan may name, found as the published evaluator finds it. Built once per sandbox."""

    files: SandboxFiles
    hotels: EntityIndex[HotelEntry]
    attractions: EntityIndex[AttractionEntry]
    restaurants: EntityIndex[RestaurantEntry]
    locations: EntityIndex[Coordinates]
    tickets: Mapping[str, tuple[TicketRow, ...]]
    """Timetable rows by flight or train number."""

    def city_of_station(self, name: str) -> str | None:
        """The city a station or airport lies in."""
        raise NotImplementedError

    def coordinates(self, name: str) -> Coordinates | None:
        """Where a place lies, found by its name or written as `latitude,longitude`."""
        raise NotImplementedError

    def travel_minutes(self, origin: Coordinates, destination: Coordinates) -> float:
        """How long the way takes: as the distance matrix says, else estimated from the straight line."""
        raise NotImplementedError


def release_index(files: SandboxFiles) -> ReleaseIndex:
    """The index of a sandbox."""
    raise NotImplementedError
