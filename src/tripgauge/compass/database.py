"""The catalogue as a SQLite file: what is stored, shared and looked into with SQL.

Tables and columns follow from the records in `offers`. Beside them stand `calendar`, the days of August with their
weekdays, and the view `permit_windows`, every start and length a permit could have.
"""

import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np

from tripgauge.compass.catalogue import NULL, Catalogue, DayTable, FieldType, Table, field_types
from tripgauge.compass.offers import (
    LAST_DAY,
    Airport,
    Config,
    Drive,
    Entrance,
    Fare,
    Flight,
    Hotel,
    Night,
    Park,
    ParkTown,
    Permit,
    PermitDay,
    Room,
    Town,
    weekday,
)
from tripgauge.errors import UsageError

FORMAT = "tripgauge compass 1"

_KEYS = {
    "parks": "park_id INTEGER PRIMARY KEY",
    "towns": "town_id INTEGER PRIMARY KEY",
    "airports": "code TEXT PRIMARY KEY",
    "hotels": "hotel_id INTEGER PRIMARY KEY",
    "rooms": "room_id INTEGER PRIMARY KEY",
    "configs": "config_id INTEGER PRIMARY KEY",
    "flights": "template_id INTEGER PRIMARY KEY",
    "permits": "permit_id INTEGER PRIMARY KEY",
}
_TABLES: tuple[tuple[str, type], ...] = (
    ("parks", Park),
    ("park_entrances", Entrance),
    ("towns", Town),
    ("park_towns", ParkTown),
    ("airports", Airport),
    ("park_airports", Drive),
    ("hotels", Hotel),
    ("rooms", Room),
    ("configs", Config),
    ("flights", Flight),
    ("permits", Permit),
)
_DAY_TABLES: tuple[tuple[str, type, str], ...] = (
    ("offers", Night, "config_id"),
    ("flight_prices", Fare, "template_id"),
    ("permit_days", PermitDay, "permit_id"),
)
_SQL_TYPES = {int: "INTEGER", bool: "INTEGER", float: "REAL", str: "TEXT"}

_REST_OF_SCHEMA = """
CREATE TABLE about(key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE calendar(day INTEGER PRIMARY KEY, weekday TEXT NOT NULL);
CREATE VIEW permit_windows AS
    SELECT m.permit_id, first.day AS start, length.day AS days, first.weekday AS start_weekday
    FROM permits m JOIN calendar first JOIN calendar length ON length.day BETWEEN m.min_days AND m.max_days;
"""
_INDEXES = """
CREATE INDEX hotels_by_park ON hotels(park_id);
CREATE INDEX hotels_by_town ON hotels(town_id);
CREATE INDEX rooms_by_hotel ON rooms(hotel_id);
CREATE INDEX configs_by_park ON configs(park_id);
CREATE INDEX configs_by_hotel ON configs(hotel_id);
CREATE INDEX flights_by_route ON flights(origin, destination);
CREATE INDEX permits_by_park ON permits(park_id);
CREATE INDEX drives_by_park ON park_airports(park_id);
"""


@dataclass(frozen=True)
class About:
    """How a catalogue was made."""

    seed: int
    scale: int
    digest: str


def schema() -> str:
    """The SQL that makes the empty tables."""
    tables = [_create(name, field_types(record)) for name, record in _TABLES]
    days = [_create(name, field_types(record), f"PRIMARY KEY({key}, day)") for name, record, key in _DAY_TABLES]
    return "\n".join([*tables, *days, _REST_OF_SCHEMA])


def _create(name: str, kinds: Sequence[FieldType], key: str = "") -> str:
    columns = [f"{kind.name} {_SQL_TYPES[kind.base]}{'' if kind.nullable else ' NOT NULL'}" for kind in kinds]
    if name in _KEYS:
        columns[0] = _KEYS[name]
    end = ") WITHOUT ROWID;" if key else ");"
    return f"CREATE TABLE {name}({', '.join([*columns, *([key] if key else [])])}{end}"


# ---------------------------------------------------------------------------------------------------------------
# Writing


def write_database(catalogue: Catalogue, path: Path, *, seed: int, scale: int) -> None:
    """Stores a catalogue in a new file; an existing file of this name is replaced. Nothing is left if it fails."""
    unfinished = path.with_name(path.name + ".part")
    unfinished.unlink(missing_ok=True)
    connection = sqlite3.connect(unfinished)
    try:
        connection.executescript("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;")
        fill(connection, catalogue, About(seed, scale, catalogue.digest))
        connection.close()
        unfinished.replace(path)
    finally:
        connection.close()
        unfinished.unlink(missing_ok=True)


def in_memory(catalogue: Catalogue) -> sqlite3.Connection:
    """A database of the catalogue that lives as long as its connection."""
    connection = sqlite3.connect(":memory:")
    fill(connection, catalogue, None)
    return connection


def fill(connection: sqlite3.Connection, catalogue: Catalogue, about: About | None) -> None:
    """Makes the tables and puts the catalogue into them."""
    connection.executescript(schema())
    if about:
        rows = [("format", FORMAT), ("seed", str(about.seed)), ("scale", str(about.scale)), ("digest", about.digest)]
        connection.executemany("INSERT INTO about VALUES(?, ?)", rows)
    connection.executemany("INSERT INTO calendar VALUES(?, ?)", [(day, weekday(day)) for day in range(1, LAST_DAY + 1)])
    for name, table in zip((name for name, _ in _TABLES), catalogue.tables, strict=True):
        columns = [table.values(field.name) for field in fields(table.record)]
        _insert(connection, name, len(columns), zip(*columns, strict=True))
    _insert(connection, "offers", 4, _day_rows(catalogue.night_prices, catalogue.rooms_available))
    fares = (catalogue.out_prices, catalogue.back_prices, catalogue.out_seats, catalogue.back_seats)
    _insert(connection, "flight_prices", 6, _day_rows(*fares))
    _insert(connection, "permit_days", 3, _day_rows(catalogue.remaining))
    connection.executescript(_INDEXES + "ANALYZE;")
    connection.commit()


def _insert(connection: sqlite3.Connection, table: str, width: int, rows: Iterator[tuple[Any, ...]]) -> None:
    connection.executemany(f"INSERT INTO {table} VALUES({', '.join('?' * width)})", rows)


def _day_rows(*tables: DayTable) -> Iterator[tuple[int, ...]]:
    """Item, day and the numbers of the tables, for all that is there, sorted by item and day."""
    size = tables[0].values.shape[1]
    for start in range(0, size, 4096):
        block = np.stack([table.values[:, start : start + 4096].T for table in tables])
        item, row = np.nonzero(block[0] != NULL)
        numbers = [values[item, row].tolist() for values in block]
        yield from zip((item + start + 1).tolist(), (row + 1).tolist(), *numbers, strict=True)


# ---------------------------------------------------------------------------------------------------------------
# Reading


def connect(path: Path) -> sqlite3.Connection:
    """A read-only connection. Raises UsageError if there is no such catalogue."""
    if not path.is_file():
        raise UsageError(f"No catalogue at {path}. Make one with: tripgauge data build compass --out {path}")
    connection = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro&immutable=1", uri=True)
    try:
        found = connection.execute("SELECT value FROM about WHERE key = 'format'").fetchone()
    except sqlite3.DatabaseError:
        found = None
    if found != (FORMAT,):
        connection.close()
        raise UsageError(
            f"{path} is not a COMPASS catalogue of this version. Make one with: tripgauge data build compass"
        )
    return connection


def read_about(connection: sqlite3.Connection) -> About:
    """How the stored catalogue was made."""
    found = dict(connection.execute("SELECT key, value FROM about").fetchall())
    return About(int(found["seed"]), int(found["scale"]), found["digest"])


def read_catalogue(connection: sqlite3.Connection) -> Catalogue:
    """The stored catalogue as columns."""
    read = {name: _read_table(connection, name, record) for name, record in _TABLES}
    prices, free = _read_days(connection, "offers", "config_id", len(read["configs"]), 2)
    fares = _read_days(connection, "flight_prices", "template_id", len(read["flights"]), 4)
    (remaining,) = _read_days(connection, "permit_days", "permit_id", len(read["permits"]), 1)
    return Catalogue(
        parks=read["parks"],
        entrances=read["park_entrances"],
        towns=read["towns"],
        park_towns=read["park_towns"],
        airports=read["airports"],
        drives=read["park_airports"],
        hotels=read["hotels"],
        rooms=read["rooms"],
        configs=read["configs"],
        night_prices=prices,
        rooms_available=free,
        flights=read["flights"],
        out_prices=fares[0],
        back_prices=fares[1],
        out_seats=fares[2],
        back_seats=fares[3],
        permits=read["permits"],
        remaining=remaining,
    )


def _read_table(connection: sqlite3.Connection, name: str, record: type) -> Table[Any]:
    # Tables are written in the order of their ids, and places in the order of the facts: row ids keep both.
    rows = connection.execute(f"SELECT * FROM {name} ORDER BY rowid").fetchall()
    columns = list(zip(*rows, strict=True)) or [()] * len(fields(record))
    return Table.of_values(record, columns)


def _read_days(connection: sqlite3.Connection, name: str, key: str, size: int, width: int) -> tuple[DayTable, ...]:
    tables = [np.full((LAST_DAY, size), NULL, dtype=np.int32) for _ in range(width)]
    cursor = connection.execute(f"SELECT * FROM {name} ORDER BY {key}, day")
    while rows := cursor.fetchmany(200_000):
        block = np.array(rows, dtype=np.int64)
        for place, table in enumerate(tables):
            table[block[:, 1] - 1, block[:, 0] - 1] = block[:, 2 + place]
    return tuple(DayTable(table) for table in tables)
