"""Does the data contradict itself? Every name, date and price of every task is looked up in the tables, and the tables
are held against their schema and good sense. (requirements R13, R18)

The rules stand in `rules/`, one function each; this module finds the files and puts the rules to them.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tripgauge.codec import read_json
from tripgauge.errors import UsageError
from tripgauge.trip_plus.data.rules.files import (
    CITY_INDEXES,
    QUERY_FILES,
    RAW_RECORDS,
    CityIndex,
    QueryFile,
    RawRecord,
)
from tripgauge.trip_plus.data.rules.folder import read_folder
from tripgauge.trip_plus.data.rules.grounding import GROUNDING, Grounded
from tripgauge.trip_plus.data.rules.records import RECORDS
from tripgauge.trip_plus.data.rules.rule import Contradiction, RuleBook, Severity
from tripgauge.trip_plus.data.rules.tables import TABLES
from tripgauge.trip_plus.data.rules.texts import TEXTS
from tripgauge.trip_plus.data.rules.timetables import TIMETABLES
from tripgauge.trip_plus.data.rules.turns import TURNS
from tripgauge.trip_plus.sandbox.files import SandboxLibrary
from tripgauge.trip_plus.tasks.queries import QueryRecord, decode_record, raw_records

RULE_BOOKS = (
    *(RAW_RECORDS, QUERY_FILES, RECORDS, TURNS, TEXTS, GROUNDING),
    *(TABLES, TIMETABLES, CITY_INDEXES),
)
"""All rules, in the order in which they are put."""

TABLE_FOLDERS = ("attractions", "hotels", "restaurants", "locations", "flights", "trains")
"""A folder that has some of these is a sandbox or a city."""


@dataclass(frozen=True, slots=True)
class RuleListing:
    """A rule as a listing shows it."""

    id: str
    about: str
    severity: Severity
    sentence: str


def rules() -> tuple[RuleListing, ...]:
    """Every rule there is."""
    return tuple(listing for book in RULE_BOOKS for listing in _listings(book))


def _listings(book: RuleBook[Any]) -> Iterator[RuleListing]:
    return (RuleListing(rule.id, book.about, rule.severity, rule.sentence) for rule in book.rules)


@dataclass(frozen=True)
class DataReport:
    """What was looked at, and what was found."""

    tasks: int
    sandboxes: int
    cities: int
    contradictions: tuple[Contradiction, ...]

    def count(self, severity: Severity) -> int:
        """How many of that severity."""
        return sum(found.severity is severity for found in self.contradictions)

    @property
    def by_rule(self) -> Mapping[str, tuple[Contradiction, ...]]:
        """What was found, by the rule that found it."""
        found: dict[str, list[Contradiction]] = defaultdict(list)
        for contradiction in self.contradictions:
            found[contradiction.rule].append(contradiction)
        return {rule: tuple(contradictions) for rule, contradictions in found.items()}


def check_data(path: Path, sandboxes: Path | None = None) -> DataReport:
    """Check what lies at `path`: a query file, the folder of a sandbox or city, or a folder with any of them in it.

    The sandboxes of a query file's tasks are looked for below `sandboxes`, or else below `path`. Raises UsageError if
    there is nothing to check.
    """
    if not path.exists():
        raise UsageError(f"Nothing at {path}.")
    found = _inventory(path, sandboxes)
    if not (found.query_files or found.folders or found.indexes):
        raise UsageError(
            f"Nothing to check in {path}: no query file and no folder with tables such as hotels/hotels.csv."
        )
    files = [_read_query_file(file, found) for file in found.query_files]
    contradictions = [
        *(contradiction for file in files for contradiction in _of_query_file(file)),
        *(contradiction for index in found.indexes for contradiction in _of_city_index(index, found)),
        *(contradiction for folder in found.folders for contradiction in _of_folder(folder, found, files)),
    ]
    cities = sum(_is_city(folder) for folder in found.folders)
    return DataReport(
        tasks=sum(len(file.records) for file in files),
        sandboxes=len(found.folders) - cities,
        cities=cities,
        contradictions=tuple(contradictions),
    )


@dataclass(frozen=True)
class _Inventory:
    root: Path
    """What messages name files from."""

    query_files: tuple[Path, ...]
    folders: tuple[Path, ...]
    """Sandboxes and cities."""

    indexes: tuple[Path, ...]
    are_sandboxes_sought: bool

    def name(self, path: Path) -> str:
        """The path as messages show it."""
        return path.relative_to(self.root).as_posix() if path.is_relative_to(self.root) else path.as_posix()


def _inventory(path: Path, sandboxes: Path | None) -> _Inventory:
    if sandboxes is not None and not sandboxes.is_dir():
        raise UsageError(f"No folder of sandboxes at {sandboxes}.")
    places = [path] if sandboxes is None else [path, sandboxes]
    if path.is_file():
        query_files = [path]
    else:
        query_files = [file for pattern in ("query*.json", "*queries*.json") for file in sorted(path.rglob(pattern))]
    folders = {folder: None for place in places if place.is_dir() for folder in _table_folders(place)}
    indexes = sorted(path.rglob("city_index.json")) if path.is_dir() else []
    return _Inventory(
        root=path.parent if path.is_file() or path in folders else path,
        query_files=tuple(dict.fromkeys(query_files)),
        folders=tuple(folders),
        indexes=tuple(indexes),
        are_sandboxes_sought=sandboxes is not None or path.is_dir(),
    )


def _table_folders(place: Path) -> Iterator[Path]:
    """The folder itself or those below that hold tables."""
    if any((place / name).is_dir() for name in TABLE_FOLDERS):
        yield place
    else:
        for folder in sorted(child for child in place.iterdir() if child.is_dir()):
            yield from _table_folders(folder)


def _is_city(folder: Path) -> bool:
    """Timetables of a city lie one folder deeper than those of a sandbox; without any, a build note tells."""
    if (folder / ".build_meta.json").exists():
        return False
    timetables = [folder / kind / f"{kind}.csv" for kind in ("flights", "trains")]
    return not any(file.exists() or file.with_name(f"{file.name}.gz").exists() for file in timetables)


@dataclass(frozen=True)
class _ReadQueryFile:
    name: str
    raw: tuple[RawRecord, ...]
    records: tuple[QueryRecord, ...]
    homes: Mapping[str, Path]
    """Sandbox folder by task id."""

    are_sandboxes_sought: bool
    fault: str = ""


def _read_query_file(path: Path, found: _Inventory) -> _ReadQueryFile:
    try:
        raw = tuple(RawRecord(value, position) for position, value in enumerate(raw_records(path)))
    except UsageError as error:
        return _ReadQueryFile(found.name(path), (), (), {}, found.are_sandboxes_sought, _fault(error, path))
    records = tuple(record for value in raw if (record := _readable(value)) is not None)
    libraries = [SandboxLibrary(parent) for parent in sorted({folder.parent for folder in found.folders})]
    homes = {}
    for record in records:
        folders = (library.folder(record.id, record.base_query_id) for library in libraries)
        home = next((folder for folder in folders if folder in found.folders), None)
        if home is not None:
            homes[record.id] = home
    return _ReadQueryFile(found.name(path), raw, records, homes, found.are_sandboxes_sought)


def _readable(raw: RawRecord) -> QueryRecord | None:
    try:
        return decode_record(raw.value, raw.name)
    except UsageError:
        return None  # the rule record_fits_the_schema tells why


def _of_query_file(file: _ReadQueryFile) -> Iterator[Contradiction]:
    homeless = tuple(record.id for record in file.records if record.id not in file.homes)
    lost = homeless if file.are_sandboxes_sought else None
    yield from QUERY_FILES.broken_by(QueryFile(file.records, lost, file.fault), file.name)
    for raw in file.raw:
        yield from RAW_RECORDS.broken_by(raw, file.name, raw.name)
    for record in file.records:
        for book in (RECORDS, TURNS, TEXTS):
            yield from book.broken_by(record, file.name, record.id)


def _of_city_index(path: Path, found: _Inventory) -> Iterator[Contradiction]:
    try:
        index = CityIndex(path.parent, read_json(path))
    except UsageError as error:
        index = CityIndex(path.parent, None, _fault(error, path))
    return CITY_INDEXES.broken_by(index, found.name(path))


def _fault(error: UsageError, path: Path) -> str:
    """What an error says of the file, without its name."""
    return str(error).removeprefix(str(path)).lstrip(":, ").rstrip(".")


def _of_folder(path: Path, found: _Inventory, files: Sequence[_ReadQueryFile]) -> Iterator[Contradiction]:
    """One folder at a time, since a distance matrix is large."""
    folder = read_folder(path, found.name(path), is_city=_is_city(path))
    for book in (TABLES, TIMETABLES):
        yield from book.broken_by(folder, folder.name)
    for file in files:
        for record in file.records:
            if file.homes.get(record.id) == path:
                yield from GROUNDING.broken_by(Grounded(record, folder), file.name, record.id)
