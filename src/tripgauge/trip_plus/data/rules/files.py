"""Rules about a query file as a whole, about its records as JSON, and about a city index."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from tripgauge.codec import shown, unknown_fields
from tripgauge.errors import UsageError
from tripgauge.trip_plus.data.rules.rule import Problem, RuleBook, some
from tripgauge.trip_plus.requirements.requirement import Unchecked
from tripgauge.trip_plus.tasks.queries import QueryRecord, decode_record, task_of

LEAST_TO_VARY = 10
"""Fewer records may well agree by chance."""


@dataclass(frozen=True)
class RawRecord:
    """A record as the file holds it."""

    value: Mapping[str, object]
    position: int

    @property
    def name(self) -> str:
        """Its id, or its place in the file."""
        name = self.value.get("id")
        return name if isinstance(name, str) and name else f"[{self.position}]"


@dataclass(frozen=True)
class QueryFile:
    """The records of a query file that can be read, and which of them have a sandbox."""

    records: tuple[QueryRecord, ...]
    without_sandbox: tuple[str, ...] | None
    """Ids; None where no sandboxes were given."""

    fault: str = ""
    """Why the file cannot be read; "" if it can."""


@dataclass(frozen=True)
class CityIndex:
    """A `city_index.json` with the folder it stands in."""

    root: Path
    value: object
    fault: str = ""
    """Why the file cannot be read; "" if it can."""


RAW_RECORDS: RuleBook[RawRecord] = RuleBook("a record of a query file")
QUERY_FILES: RuleBook[QueryFile] = RuleBook("a query file")
CITY_INDEXES: RuleBook[CityIndex] = RuleBook("a city index")


@RAW_RECORDS.error
def record_fits_the_schema(raw: RawRecord) -> Iterator[Problem]:
    """A record has the fields and types of the schema, and turns numbered 0, 1, 2, ..."""
    try:
        decode_record(raw.value, "")
    except UsageError as error:
        field, _, why = str(error).removeprefix(", ").partition(": ")
        yield Problem(field, "against the schema", why.rstrip("."))


@RAW_RECORDS.error
def record_makes_a_task(raw: RawRecord) -> Iterator[Problem]:
    """A record that fits the schema asks for nothing that no check knows."""
    try:
        record = decode_record(raw.value, "")
    except UsageError:
        return
    for turn, state in enumerate(task_of(record, raw.value).key.states):
        for asked in sorted(state.requirements, key=lambda asked: asked.id):
            if isinstance(asked, Unchecked):
                yield Problem(f"turns[{turn}]", asked.name, asked.reason)


@RAW_RECORDS.warning
def field_is_known(raw: RawRecord) -> Iterator[Problem]:
    """A record has no field that the schema does not name: nothing would read it."""
    try:
        unknown = unknown_fields(QueryRecord, raw.value)
    except UsageError:
        return
    for field in unknown:
        yield Problem(field, "unknown field", "nothing reads it")


@QUERY_FILES.error
def query_file_is_readable(file: QueryFile) -> Iterator[Problem]:
    """A query file is a list of records in JSON."""
    if file.fault:
        yield Problem("", "cannot be read", file.fault)


@QUERY_FILES.error
def task_id_occurs_once(file: QueryFile) -> Iterator[Problem]:
    """An id stands for one task of the file."""
    for name, times in Counter(record.id for record in file.records).items():
        if times > 1:
            yield Problem("id", f"{times} records", "an id stands for one task", record=name)


@QUERY_FILES.warning
def price_level_tells_something(file: QueryFile) -> Iterator[Problem]:
    """The price level of the destination is not the same in every record."""
    levels = {
        context.dest_price_level for record in file.records if (context := record.base.user_profile.derivation_context)
    }
    if len(file.records) >= LEAST_TO_VARY and len(levels) == 1:
        yield Problem("dest_price_level", f'"{min(levels)}" in all records', "the cities are not equally dear")


@QUERY_FILES.warning
def task_has_a_sandbox(file: QueryFile) -> Iterator[Problem]:
    """Every task has a sandbox folder."""
    if file.without_sandbox:
        lost = file.without_sandbox
        what = f"no sandbox for {len(lost)} of {len(file.records)} tasks, such as {some(lost)}"
        yield Problem("base_query_id", what, "their names, services and facts could not be checked")


@CITY_INDEXES.error
def index_names_cities(index: CityIndex) -> Iterator[Problem]:
    """A city index is an object of objects in JSON, each with the name of a city."""
    if index.fault:
        yield Problem("", "cannot be read", index.fault)
        return
    if not isinstance(index.value, dict):
        yield Problem("", shown(index.value), "an object keyed by city folder is needed")
        return
    for key, entry in index.value.items():
        if not isinstance(entry, dict) or not isinstance(entry.get("city_name"), str):
            yield Problem(key, shown(entry), "an object with a city_name is needed")


@CITY_INDEXES.error
def indexed_city_has_a_folder(index: CityIndex) -> Iterator[Problem]:
    """A city of the index has its folder beside it."""
    for key, entry in index.value.items() if isinstance(index.value, dict) else ():
        folder = str(entry.get("folder_name") or key) if isinstance(entry, dict) else key
        if isinstance(entry, dict) and entry.get("has_local_data", True) and not (index.root / folder).is_dir():
            yield Problem(f"{key}.folder_name", folder, "no such folder")


@CITY_INDEXES.warning
def city_folder_is_indexed(index: CityIndex) -> Iterator[Problem]:
    """A city folder beside the index is named in it."""
    entries = index.value if isinstance(index.value, dict) else {}
    named = {str(entry.get("folder_name") or key) for key, entry in entries.items() if isinstance(entry, dict)}
    for folder in sorted(path for path in index.root.iterdir() if (path / "locations").is_dir()):
        if folder.name not in named:
            yield Problem("", folder.name, "its data is not found by any tool")
