"""The whole catalogue as columns: what the generator makes, the database keeps, the tools search and the solver sums.

A table has one column for each field of its record, so that the records in `offers` are the one home of the schema.
Rows are sorted by their id, which is their place counted from 1; rooms, configurations and hotels of one park, and
flights of one route, stand together.
"""

import hashlib
import types
from bisect import bisect_left, bisect_right
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, fields
from functools import cache, cached_property
from typing import Any, Generic, TypeVar, get_args

import numpy as np
from numpy.typing import NDArray

from tripgauge.compass.offers import (
    LAST_DAY,
    Airport,
    Choice,
    Config,
    Drive,
    Entrance,
    Fare,
    Flight,
    FlightOffer,
    FlightPackage,
    Hotel,
    HotelOffer,
    HotelPackage,
    Night,
    Park,
    ParkTown,
    Permit,
    PermitOffer,
    PermitPackage,
    Room,
    Town,
    TravelPlan,
)

Integers = NDArray[np.signedinteger[Any]]
Mask = NDArray[np.bool_]
Record = TypeVar("Record")

NULL = -1
"""What stands in a column of numbers for a missing value, and among codes for a missing text."""


@dataclass(frozen=True)
class Words:
    """A column of texts: for each row the place of its text in a sorted list."""

    codes: NDArray[np.int32]
    words: tuple[str, ...]
    """Sorted, so that codes compare as their texts do."""

    @classmethod
    def of(cls, texts: Sequence[str | None]) -> "Words":
        words = tuple(sorted({text for text in texts if text is not None}))
        places: dict[str | None, int] = {word: place for place, word in enumerate(words)}
        places[None] = NULL
        return cls(np.array([places[text] for text in texts], dtype=np.int32), words)

    @classmethod
    def chosen(cls, options: Sequence[str], picks: Integers) -> "Words":
        """The column of `options[pick]` for each pick; a pick of -1 is a missing text."""
        words = tuple(sorted(set(options)))
        place = np.array([words.index(option) for option in options] + [NULL], dtype=np.int32)
        return cls(place[picks], words)

    def text(self, row: int) -> str | None:
        code = int(self.codes[row])
        return None if code == NULL else self.words[code]

    def texts(self) -> list[str | None]:
        words: tuple[str | None, ...] = (*self.words, None)
        return [words[code] for code in self.codes.tolist()]

    def first_code_from(self, text: str) -> int:
        """The least code of a text that is not before this one."""
        return bisect_left(self.words, text)

    def last_code_to(self, text: str) -> int:
        """The greatest code of a text that is not behind this one; -1 if there is none."""
        return bisect_right(self.words, text) - 1


Column = Words | NDArray[Any]


@dataclass(frozen=True)
class FieldType:
    """What a field of a record holds."""

    name: str
    base: type
    """int, bool, float or str."""

    nullable: bool


def field_types(record: type[Any]) -> tuple[FieldType, ...]:
    """The fields of a record, as a table has them."""
    return _field_types(record)  # type: ignore[arg-type]


@cache
def _field_types(record: Hashable) -> tuple[FieldType, ...]:
    found = []
    for field in fields(record):  # type: ignore[arg-type]
        nullable = isinstance(field.type, types.UnionType)
        bases = [base for base in get_args(field.type) if base is not types.NoneType] if nullable else [field.type]
        found.append(FieldType(field.name, bases[0], nullable))  # type: ignore[arg-type]
    return tuple(found)


@dataclass(frozen=True)
class Table(Generic[Record]):
    """Columns, one for each field of the record and in their order."""

    record: type[Record]
    columns: tuple[Column, ...]

    @classmethod
    def of(cls, record: type[Record], rows: Sequence[Record]) -> "Table[Record]":
        """The table of some records."""
        return cls.of_values(record, [[getattr(row, field.name) for row in rows] for field in field_types(record)])

    @classmethod
    def of_values(cls, record: type[Record], values: Sequence[Sequence[Any]]) -> "Table[Record]":
        """The table of plain values, column by column."""
        kinds = field_types(record)
        return cls(record, tuple(_column(kind, column) for kind, column in zip(kinds, values, strict=True)))

    def __len__(self) -> int:
        column = self.columns[0]
        return len(column.codes if isinstance(column, Words) else column)

    @cached_property
    def _place(self) -> dict[str, int]:
        return {field.name: place for place, field in enumerate(fields(self.record))}  # type: ignore[arg-type]

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns."""
        return tuple(self._place)

    def column(self, name: str) -> Column:
        return self.columns[self._place[name]]

    def codes(self, name: str) -> Integers:
        """The numbers of a column, or the codes of its texts: what a filter compares."""
        column = self.column(name)
        return column.codes if isinstance(column, Words) else column

    def words(self, name: str) -> Words:
        column = self.column(name)
        if not isinstance(column, Words):
            raise TypeError(f"{name} of {self.record.__name__} holds no texts.")
        return column

    def values(self, name: str) -> list[Any]:
        """A column as plain values; None where one is missing."""
        return _plain(field_types(self.record)[self._place[name]], self.column(name))

    def row(self, row: int) -> Record:
        """The record of a row, counted from 0."""
        kinds = field_types(self.record)
        values = (_value(kind, column, row) for kind, column in zip(kinds, self.columns, strict=True))
        return self.record(*values)

    def rows(self) -> list[Record]:
        columns = [_plain(kind, column) for kind, column in zip(field_types(self.record), self.columns, strict=True)]
        return [self.record(*values) for values in zip(*columns, strict=True)]


def _column(kind: FieldType, values: Sequence[Any]) -> Column:
    if kind.base is str:
        return Words.of(values)
    if kind.base is float:
        return np.array([np.nan if value is None else value for value in values], dtype=np.float64)
    return np.array([NULL if value is None else int(value) for value in values], dtype=np.int64)


def _value(kind: FieldType, column: Column, row: int) -> Any:
    if isinstance(column, Words):
        return column.text(row)
    value = column[row].item()
    if kind.nullable and (value == NULL or value != value):  # only NaN differs from itself
        return None
    return kind.base(value)


def _plain(kind: FieldType, column: Column) -> list[Any]:
    if isinstance(column, Words):
        return column.texts()
    values = column.tolist()
    if kind.nullable:
        return [None if value == NULL or value != value else kind.base(value) for value in values]
    return [bool(value) for value in values] if kind.base is bool else values


@dataclass(frozen=True)
class DayTable:
    """One number for each day (row 0 is the first of August) and each item (column); what is missing is `NULL`."""

    values: NDArray[np.int32]

    def at(self, day: int, item: int) -> int | None:
        """The number of the item, counted from 0, on a day; None if it is missing or no day of August."""
        if not 1 <= day <= LAST_DAY:
            return None
        value = int(self.values[day - 1, item])
        return None if value == NULL else value


@dataclass(frozen=True)
class Catalogue:
    """Everything COMPASS sells in August 2025."""

    parks: Table[Park]
    entrances: Table[Entrance]
    towns: Table[Town]
    park_towns: Table[ParkTown]
    airports: Table[Airport]
    drives: Table[Drive]
    hotels: Table[Hotel]
    rooms: Table[Room]
    configs: Table[Config]
    night_prices: DayTable
    """Cents per room and night, by configuration."""
    rooms_available: DayTable
    flights: Table[Flight]
    out_prices: DayTable
    """Cents per passenger, by flight."""
    back_prices: DayTable
    out_seats: DayTable
    back_seats: DayTable
    permits: Table[Permit]
    remaining: DayTable
    """Places, by permit."""

    # -- Packages joined to their records

    def hotel_offer(self, package: HotelPackage) -> HotelOffer | None:
        """The offer a package names; None if there is no such configuration or stay.

        A configuration that is not sold on some night, or the wrong number of rooms, is an offer all the same: that it
        cannot be booked is for the constraints to say.
        """
        if package.config_id > len(self.configs) or not package.stay.is_in_calendar:
            return None
        item = package.config_id - 1
        config = self.configs.row(item)
        found = (
            (day, self.night_prices.at(day, item), self.rooms_available.at(day, item)) for day in package.stay.days
        )
        nights = tuple(
            Night(package.config_id, day, price, free)
            for day, price, free in found
            if price is not None and free is not None
        )
        return HotelOffer(
            package,
            self.parks.row(config.park_id - 1),
            self.hotels.row(config.hotel_id - 1),
            self.rooms.row(config.room_id - 1),
            config,
            nights,
        )

    def flight_offer(self, package: FlightPackage) -> FlightOffer | None:
        """The offer a package names; None if there is no such flight or it is not flown on one of the days."""
        if package.template_id > len(self.flights) or package.stay.start >= package.stay.end:
            return None
        departure = self.fare(package.template_id, package.stay.start)
        returning = self.fare(package.template_id, package.stay.end)
        if departure is None or returning is None:
            return None
        flight = self.flights.row(package.template_id - 1)
        return FlightOffer(package, flight, self.airport(flight.destination), departure, returning)

    def fare(self, template_id: int, day: int) -> Fare | None:
        item = template_id - 1
        found = [table.at(day, item) for table in (self.out_prices, self.back_prices, self.out_seats, self.back_seats)]
        numbers = [number for number in found if number is not None]
        return Fare(template_id, day, *numbers) if len(numbers) == len(found) else None

    def permit_offer(self, package: PermitPackage) -> PermitOffer | None:
        """The offer a package names; None if there is no such permit, length or day."""
        if package.permit_id > len(self.permits):
            return None
        permit = self.permits.row(package.permit_id - 1)
        if not permit.min_days <= package.days <= permit.max_days:
            return None
        days = range(package.start, package.start + package.days)
        found = [self.remaining.at(day, package.permit_id - 1) for day in days]
        places = [number for number in found if number is not None]
        return PermitOffer(package, permit, min(places)) if len(places) == len(found) else None

    def plan(self, choice: Choice) -> TravelPlan | None:
        """The plan of some packages; None if one of them does not exist."""
        hotel = self.hotel_offer(choice.hotel)
        flight = self.flight_offer(choice.flight) if choice.flight else None
        permit = self.permit_offer(choice.permit) if choice.permit else None
        if hotel is None or (choice.flight and flight is None) or (choice.permit and permit is None):
            return None
        drive = self.drive(hotel.hotel.park_id, flight.airport.code) if flight else None
        return TravelPlan(hotel, flight, drive, permit)

    # -- Places

    @cached_property
    def park_ids(self) -> dict[str, int]:
        return {park.name: park.park_id for park in self.parks.rows()}

    @cached_property
    def _airports(self) -> dict[str, Airport]:
        return {airport.code: airport for airport in self.airports.rows()}

    def airport(self, code: str) -> Airport:
        return self._airports[code]

    @cached_property
    def _drives(self) -> dict[int, tuple[Drive, ...]]:
        found: dict[int, tuple[Drive, ...]] = {}
        for drive in self.drives.rows():
            found[drive.park_id] = (*found.get(drive.park_id, ()), drive)
        return found

    def drives_to(self, park_id: int) -> tuple[Drive, ...]:
        """The airports that serve a park, with their drives."""
        return self._drives.get(park_id, ())

    def drive(self, park_id: int, code: str) -> Drive | None:
        return next((drive for drive in self.drives_to(park_id) if drive.code == code), None)

    # -- Where things stand

    @cached_property
    def _park_configs(self) -> Integers:
        return np.searchsorted(self.configs.codes("park_id"), np.arange(1, len(self.parks) + 2))

    def configs_of(self, park_id: int) -> slice:
        """The rows of a park's configurations."""
        return slice(int(self._park_configs[park_id - 1]), int(self._park_configs[park_id]))

    @cached_property
    def _routes(self) -> dict[tuple[str, str], slice]:
        origins, destinations = self.flights.words("origin"), self.flights.words("destination")
        key = origins.codes.astype(np.int64) * len(destinations.words) + destinations.codes
        starts = np.flatnonzero(np.diff(key, prepend=NULL))
        ends = np.append(starts[1:], len(key))
        return {
            (str(origins.text(start)), str(destinations.text(start))): slice(start, end)
            for start, end in zip(starts.tolist(), ends.tolist(), strict=True)
        }

    def flights_of(self, origin: str, destination: str) -> slice:
        """The rows of the flights of a route; an empty slice if nobody flies it."""
        return self._routes.get((origin, destination), slice(0, 0))

    def permits_of(self, park_id: int) -> list[int]:
        """The rows of a park's permits."""
        return np.flatnonzero(self.permits.codes("park_id") == park_id).tolist()

    # -- Identity

    @property
    def tables(self) -> tuple[Table[Any], ...]:
        """All tables but those by day."""
        places = (self.parks, self.entrances, self.towns, self.park_towns, self.airports, self.drives)
        return (*places, self.hotels, self.rooms, self.configs, self.flights, self.permits)

    @cached_property
    def digest(self) -> str:
        """SHA-256 over all rows, sorted, as integers and texts: equal for equal content, whoever made or stored it."""
        content = hashlib.sha256()
        for table in self.tables:
            _hash_table(content, table)
        for days in (self.night_prices, self.rooms_available, self.out_prices, self.back_prices):
            content.update(days.values.astype("<i4").tobytes())
        for days in (self.out_seats, self.back_seats, self.remaining):
            content.update(days.values.astype("<i4").tobytes())
        return content.hexdigest()


def _hash_table(content: Any, table: Table[Any]) -> None:
    content.update(f"{table.record.__name__} {len(table)}\n".encode())
    for field, column in zip(field_types(table.record), table.columns, strict=True):
        content.update(f"{field.name}\n".encode())
        if isinstance(column, Words):
            content.update("\n".join("\0" if text is None else text for text in column.texts()).encode())
        elif field.base is float:  # degrees and hours, to the fifth decimal
            content.update(np.rint(np.nan_to_num(column, nan=NULL) * 1e5).astype("<i8").tobytes())
        else:
            content.update(column.astype("<i8").tobytes())
