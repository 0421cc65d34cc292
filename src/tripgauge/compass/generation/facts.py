"""The real parks, airports, towns and permits the catalogue is built on (data/SOURCES.md)."""

import csv
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TypeVar

_Fact = TypeVar("_Fact")


@dataclass(frozen=True)
class ParkFact:
    name: str
    official_name: str
    states: str
    lat: float
    lon: float


@dataclass(frozen=True)
class EntranceFact:
    park: str
    name: str
    lat: float
    lon: float


@dataclass(frozen=True)
class TownFact:
    park: str
    name: str
    state: str
    lat: float
    lon: float


@dataclass(frozen=True)
class AirportFact:
    code: str
    name: str
    city: str
    state: str
    lat: float
    lon: float
    tz: str
    airport_type: str
    role: str
    """`origin`, `destination`, `both`, or `alternate`: known, but not in the catalogue."""


@dataclass(frozen=True)
class DriveFact:
    park: str
    code: str
    drive_hours: float
    reading: str
    """`adopted`, or `alternate` for the other reading of the paper's 21 airports."""


@dataclass(frozen=True)
class PermitFact:
    park: str
    name: str
    kind: str
    min_days: int
    max_days: int
    hours: float | None
    quota: int
    quota_unit: str
    fee_group_usd: int
    fee_person_usd: int
    fee_person_night_usd: int
    max_group: int | None
    lottery: bool
    open_days: frozenset[int]
    """Days of August 2025 on which it is given."""


@dataclass(frozen=True)
class Facts:
    parks: tuple[ParkFact, ...]
    entrances: tuple[EntranceFact, ...]
    towns: tuple[TownFact, ...]
    airports: tuple[AirportFact, ...]
    drives: tuple[DriveFact, ...]
    permits: tuple[PermitFact, ...]


@cache
def facts() -> Facts:
    """The facts as they come with the package; what only belongs to the other reading of the airports is left out."""
    airports = _read("airports.csv", _airport)
    return Facts(
        parks=_read("parks.csv", _park),
        entrances=_read("entrances.csv", _entrance),
        towns=_read("towns.csv", _town),
        airports=tuple(airport for airport in airports if airport.role != "alternate"),
        drives=tuple(drive for drive in _read("drives.csv", _drive) if drive.reading == "adopted"),
        permits=_read("permits.csv", _permit),
    )


def _read(name: str, fact: Callable[[dict[str, str]], _Fact]) -> tuple[_Fact, ...]:
    path = files("tripgauge.compass") / "data" / name
    return tuple(fact(row) for row in csv.DictReader(path.read_text(encoding="utf-8").splitlines()))


def _park(row: dict[str, str]) -> ParkFact:
    return ParkFact(row["name"], row["official_name"], row["states"], float(row["lat"]), float(row["lon"]))


def _entrance(row: dict[str, str]) -> EntranceFact:
    return EntranceFact(row["park"], row["name"], float(row["lat"]), float(row["lon"]))


def _town(row: dict[str, str]) -> TownFact:
    return TownFact(row["park"], row["name"], row["state"], float(row["lat"]), float(row["lon"]))


def _airport(row: dict[str, str]) -> AirportFact:
    place = (row["code"], row["name"], row["city"], row["state"], float(row["lat"]), float(row["lon"]))
    return AirportFact(*place, row["tz"], row["airport_type"], row["role"])


def _drive(row: dict[str, str]) -> DriveFact:
    return DriveFact(row["park"], row["code"], float(row["drive_hours"]), row["reading"])


def _permit(row: dict[str, str]) -> PermitFact:
    return PermitFact(
        park=row["park"],
        name=row["name"],
        kind=row["kind"],
        min_days=int(row["min_days"]),
        max_days=int(row["max_days"]),
        hours=float(row["hours"]) if row["hours"] else None,
        quota=int(row["quota"]),
        quota_unit=row["quota_unit"],
        fee_group_usd=int(row["fee_group_usd"]),
        fee_person_usd=int(row["fee_person_usd"]),
        fee_person_night_usd=int(row["fee_person_night_usd"]),
        max_group=int(row["max_group"]) if row["max_group"] else None,
        lottery=row["lottery"] == "true",
        open_days=frozenset(_days(row["open_days"])),
    )


def _days(text: str) -> list[int]:
    """The days in a text such as "1-3 7-10"."""
    found: list[int] = []
    for part in text.split():
        first, _, last = part.partition("-")
        found.extend(range(int(first), int(last or first) + 1))
    return found
