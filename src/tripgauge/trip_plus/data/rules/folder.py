"""A sandbox or city folder as the data rules look at it: its tables as they stand, and what could not be read."""

import math
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from functools import cached_property
from pathlib import Path
from statistics import median

from tripgauge.errors import UsageError
from tripgauge.trip_plus.data.tables import (
    ALIASES,
    ATTRACTIONS,
    DISTANCES,
    FLIGHTS,
    HOTELS,
    LOCATIONS,
    RESTAURANTS,
    TABLE_KINDS,
    TRAINS,
    WEATHER,
    TableKind,
    day,
    moment,
    number,
)
from tripgauge.trip_plus.sandbox.files import (
    BuildMeta,
    Row,
    SubwayLine,
    Table,
    read_json,
    read_subway,
    read_table,
)

EARTH_RADIUS_KM = 6371.0


@dataclass(frozen=True)
class Point:
    """Degrees."""

    latitude: float
    longitude: float

    def distance_km(self, other: "Point") -> float:
        """Along the great circle."""
        one, two = math.radians(self.latitude), math.radians(other.latitude)
        span = math.radians(other.longitude - self.longitude)
        half = math.sin((two - one) / 2) ** 2 + math.cos(one) * math.cos(two) * math.sin(span / 2) ** 2
        return 2 * EARTH_RADIUS_KM * math.asin(math.sqrt(min(1.0, half)))


def point_of(row: Row) -> Point | None:
    """Where a row lies; None if it does not say."""
    latitude, longitude = number(row.get("latitude", "")), number(row.get("longitude", ""))
    return Point(float(latitude), float(longitude)) if latitude is not None and longitude is not None else None


@dataclass(frozen=True)
class CheckedTable:
    """One CSV file with what it should be."""

    kind: TableKind
    file: str
    """Path below the folder that is checked."""

    table: Table

    def __iter__(self) -> Iterator[Row]:
        return iter(self.table.rows)

    def __len__(self) -> int:
        return len(self.table)

    def row_name(self, index: int) -> str:
        """How messages name a row: its number from 1, below the head line, and its name."""
        return f"row {index + 1} ({self.table.rows[index].get(self.kind.key, '')})"

    def named(self) -> Iterator[tuple[str, Row]]:
        """The rows, each with the name messages give it."""
        return ((self.row_name(index), row) for index, row in enumerate(self.table.rows))


@dataclass(frozen=True)
class Service:
    """One row of a timetable."""

    kind: TableKind
    place: str
    """File and row, for messages."""

    number: str
    origin: str
    destination: str
    dep_date: date | None
    departs: datetime | None
    arrives: datetime | None
    minutes: Decimal | None
    price: Decimal | None
    row: Row

    @property
    def index(self) -> str:
        """Its route index."""
        return self.row.get("route_index", "")

    @property
    def journey(self) -> tuple[str, str, str, str]:
        """What a route index is unique within: kind, cities and date."""
        return (self.kind.name, self.origin, self.destination, self.row.get("dep_date", ""))

    @property
    def route(self) -> tuple[str, str, str, str, str]:
        """The journey with its route index."""
        return (*self.journey, self.index)

    @property
    def segment(self) -> str:
        """ "1" or "2"."""
        return self.row.get("segment_index", "")

    @property
    def stations(self) -> tuple[str, str]:
        """Names of the stations it runs between."""
        return self.row.get("dep_station_name", ""), self.row.get("arr_station_name", "")


@dataclass(frozen=True)
class Unreadable:
    """A file that should be there and is not, or that cannot be read."""

    file: str
    what: str
    why: str


@dataclass(frozen=True)
class Folder:
    """Everything in one sandbox folder, or in the folder of one city."""

    path: Path
    name: str
    """How messages call it."""

    is_city: bool
    tables: tuple[CheckedTable, ...]
    subway: tuple[SubwayLine, ...]
    meta: BuildMeta | None
    missing: tuple[Unreadable, ...]
    broken: tuple[Unreadable, ...]

    def of(self, kind: TableKind) -> CheckedTable:
        """The table of that kind; an empty one if there is none."""
        return next(
            (table for table in self.tables if table.kind is kind), CheckedTable(kind, kind.path, Table(self.path))
        )

    def timetables(self) -> Iterator[CheckedTable]:
        """All tables of flights and trains."""
        return (table for table in self.tables if table.kind in (FLIGHTS, TRAINS))

    @cached_property
    def services(self) -> Mapping[str, tuple[Service, ...]]:
        """Timetable rows by file."""
        return {
            table.file: tuple(_service(table, index, row) for index, row in enumerate(table))
            for table in self.timetables()
        }

    def services_of(self, kind: TableKind) -> tuple[Service, ...]:
        """All flights, or all trains."""
        return tuple(service for rows in self.services.values() for service in rows if service.kind is kind)

    @cached_property
    def center(self) -> Point | None:
        """The middle of the city: the median of its hotels and attractions."""
        points = [point for kind in (HOTELS, ATTRACTIONS) for row in self.of(kind) if (point := point_of(row))]
        if not points:
            return None
        return Point(median(point.latitude for point in points), median(point.longitude for point in points))

    @cached_property
    def locations(self) -> Mapping[str, tuple[Point, ...]]:
        """Points of the location index by name."""
        found: dict[str, tuple[Point, ...]] = {}
        for row in self.of(LOCATIONS):
            point = point_of(row)
            if point:
                found[row["poi_name"]] = (*found.get(row["poi_name"], ()), point)
        return found

    @cached_property
    def aliases(self) -> Mapping[str, str]:
        """What an alias stands for; the first row of an alias counts."""
        found: dict[str, str] = {}
        for row in self.of(ALIASES):
            found.setdefault(row["alias"], row["canonical_name"])
        return found

    @cached_property
    def city(self) -> str:
        """The city most hotels and attractions are in; "" if there are none."""
        cities = Counter(row.get("city", "") for kind in (HOTELS, ATTRACTIONS) for row in self.of(kind))
        return cities.most_common(1)[0][0] if cities else ""

    def rows_by_name(self, kind: TableKind) -> Mapping[str, Row]:
        """The rows of a table by name. Of several with one name, the first in the city of the sandbox counts."""
        found: dict[str, Row] = {}
        for row in sorted(self.of(kind), key=lambda row: row.get("city", "") != self.city):
            found.setdefault(row.get(kind.key, ""), row)
        return found

    @cached_property
    def hotels(self) -> Mapping[str, Row]:
        """Hotels by name."""
        return self.rows_by_name(HOTELS)

    @cached_property
    def attractions(self) -> Mapping[str, Row]:
        """Attractions by name."""
        return self.rows_by_name(ATTRACTIONS)

    @cached_property
    def restaurants(self) -> Mapping[str, Row]:
        """Restaurants by name."""
        return self.rows_by_name(RESTAURANTS)

    @cached_property
    def weather(self) -> Mapping[date, Row]:
        """Weather rows by date."""
        return {found: row for row in self.of(WEATHER) if (found := day(row.get("date", "")))}

    def can_locate(self, name: str) -> bool:
        """Whether the location index or its aliases know the name."""
        return name in self.locations or name in self.aliases


def _service(table: CheckedTable, index: int, row: Row) -> Service:
    return Service(
        kind=table.kind,
        place=f"{table.file}, {table.row_name(index)}",
        number=row.get(table.kind.key, ""),
        origin=row.get("origin_city", ""),
        destination=row.get("destination_city", ""),
        dep_date=day(row.get("dep_date", "")),
        departs=moment(row.get("dep_datetime", "")),
        arrives=moment(row.get("arr_datetime", "")),
        minutes=number(row.get("duration", "")),
        price=number(row.get("price", "")),
        row=row,
    )


def read_folder(path: Path, name: str, *, is_city: bool = False) -> Folder:
    """Read what is there; what is not, or cannot be read, is noted and left out. `name` is how messages call it."""
    tables: list[CheckedTable] = []
    missing: list[Unreadable] = []
    broken: list[Unreadable] = []
    for kind in TABLE_KINDS:
        files = _files(path, kind, is_city=is_city)
        if not files and (kind.city if is_city else kind.sample):
            missing.append(Unreadable(f"{name}/{kind.path}", "is missing", _loss(kind)))
        for file in files:
            shown = f"{name}/{file.relative_to(path).as_posix()}"
            try:
                tables.append(CheckedTable(kind, shown, read_table(file)))
            except UsageError as error:
                broken.append(Unreadable(shown, "cannot be read", _reason(error, file)))
    subway = _subway(path, name, missing, broken)
    meta = None if is_city else _meta(path, name, missing, broken)
    return Folder(path, name, is_city, tuple(tables), subway, meta, tuple(missing), tuple(broken))


def _files(path: Path, kind: TableKind, *, is_city: bool) -> list[Path]:
    """The files of a kind, plain before gzipped; timetables of a city lie one folder deeper, by destination."""
    folder, _, file = kind.path.rpartition("/")
    pattern = f"{folder}/*/{file}" if is_city and kind in (FLIGHTS, TRAINS) else kind.path
    plain = sorted(path.glob(pattern))
    packed = [packed.with_suffix("") for packed in sorted(path.glob(pattern + ".gz"))]
    return plain + [file for file in packed if file not in plain]


def _loss(kind: TableKind) -> str:
    losses = {
        ALIASES: "stations and hubs under other names cannot be found",
        DISTANCES: "ways inside the city are estimated from the straight line",
        FLIGHTS: "no plan can fly",
        TRAINS: "no plan can take a train",
        WEATHER: "the weather of no day is known",
    }
    return losses.get(kind, f"no row of {kind.name} can be looked up")


def _reason(error: UsageError, file: Path) -> str:
    text = str(error)
    for start in (f"{file}.gz: ", f"{file}.gz, ", f"{file}: ", f"{file}, "):
        text = text.removeprefix(start)
    return text.rstrip(".")


def _subway(path: Path, name: str, missing: list[Unreadable], broken: list[Unreadable]) -> tuple[SubwayLine, ...]:
    file, shown = path / "subway" / "subway.json", f"{name}/subway/subway.json"
    if not file.exists():
        missing.append(Unreadable(shown, "is missing", "no metro route can be found"))
        return ()
    try:
        return read_subway(file)
    except UsageError as error:
        broken.append(Unreadable(shown, "cannot be read", _reason(error, file)))
        return ()


def _meta(path: Path, name: str, missing: list[Unreadable], broken: list[Unreadable]) -> BuildMeta | None:
    file, shown = path / ".build_meta.json", f"{name}/.build_meta.json"
    if not file.exists():
        missing.append(Unreadable(shown, "is missing", "nothing says which trip the folder was made for"))
        return None
    try:
        value = read_json(file)
    except UsageError as error:
        broken.append(Unreadable(shown, "cannot be read", _reason(error, file)))
        return None
    signature = value.get("sample_signature") if isinstance(value, dict) else None
    if not isinstance(value, dict) or not isinstance(signature, dict):
        broken.append(Unreadable(shown, "cannot be read", "an object with a sample_signature is needed"))
        return None
    return BuildMeta(
        sample_id=str(value.get("sample_id") or ""),
        org=str(signature.get("org") or ""),
        dest=tuple(str(city) for city in signature.get("dest") or ()),
        city_db_root=str(value.get("city_db_root") or ""),
    )
