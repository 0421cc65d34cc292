"""Every kind of file Tripgauge reads or writes, with the version of its schema. (requirement R18)"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from tripgauge.codec import json_schema
from tripgauge.errors import UsageError
from tripgauge.report.table import Table
from tripgauge.trip_plus.data import tables
from tripgauge.trip_plus.data.tables import FORMATS, TABLE_KINDS, Column, TableKind
from tripgauge.trip_plus.notation import plan_schema
from tripgauge.trip_plus.tasks import queries

DIALECT = "https://json-schema.org/draft/2020-12/schema"


@dataclass(frozen=True)
class FileKind:
    """One kind of file."""

    name: str
    meaning: str
    form: str
    """"JSON", "JSON Lines" (the schema is that of a line) or "CSV" (the schema is that of a row)."""

    where: str
    """The usual path or name."""

    version: int
    make_schema: Callable[[], Mapping[str, Any]]

    @property
    def schema(self) -> dict[str, Any]:
        """As JSON Schema, with name and version."""
        body = {key: value for key, value in self.make_schema().items() if key != "$schema"}
        head = {"$schema": DIALECT, "$id": f"tripgauge:{self.name}:{self.version}", "title": self.name}
        return {**head, "description": self.meaning, "x-version": self.version, "x-form": self.form, **_untitled(body)}


def _untitled(body: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in body.items() if key not in ("title", "description")}


def file_kinds() -> tuple[FileKind, ...]:
    """All kinds, in the order of docs/data.md."""
    return (*_trip_plus_inputs(), *(_table(kind) for kind in TABLE_KINDS), *_sandbox_files(), *_exchange(), *_run())


def file_kind(name: str) -> FileKind:
    """The kind of that name. Raises UsageError, listing them, if there is none."""
    kinds = {kind.name: kind for kind in file_kinds()}
    if name not in kinds:
        raise UsageError(f"No file kind {name}. There are: {', '.join(kinds)}.")
    return kinds[name]


def kinds_table(kinds: tuple[FileKind, ...]) -> Table:
    """For `tripgauge schema` without a kind: what there is."""
    rows = tuple((it.name, it.version, it.form, it.where, it.meaning) for it in kinds)
    return Table("File kinds", ("kind", "version", "form", "where", "meaning"), rows)


def _trip_plus_inputs() -> tuple[FileKind, ...]:
    def query_file() -> dict[str, Any]:
        return json_schema(tuple[queries.QueryRecord, ...])

    def converted() -> dict[str, Any]:
        return json_schema(plan_schema.ConvertedReply)

    return (
        FileKind("queries", "The tasks of Trip+.", "JSON", "query.json", queries.VERSION, query_file),
        FileKind(
            "converted-plan",
            "An answer to one turn, converted: a plan, a question or a refusal.",
            "JSON",
            "*_converted.json",
            plan_schema.VERSION,
            converted,
        ),
    )


def _table(kind: TableKind) -> FileKind:
    name = kind.name.replace("_", "-")
    return FileKind(name, kind.meaning, "CSV", kind.path, tables.VERSION, lambda: _row_schema(kind))


def _row_schema(kind: TableKind) -> dict[str, Any]:
    """A row as an object of texts by column. Cells of columns that are not needed may be empty."""
    return {
        "type": "object",
        "properties": {column.name: _cell_schema(column) for column in kind.columns},
        "required": [column.name for column in kind.columns if not column.optional],
        "additionalProperties": {"type": "string"},
        "x-columns": [column.name for column in kind.columns],
        "x-formats": {form.id: form.sentence for form in FORMATS if any(it.format is form for it in kind.columns)},
    }


def _cell_schema(column: Column) -> dict[str, Any]:
    return {"type": "string", "x-format": column.format.id, **({"minLength": 1} if column.needed else {})}


def _sandbox_files() -> tuple[FileKind, ...]:
    text = {"type": "string"}
    texts = {"type": "array", "items": text}
    signature = {"org": text, "dest": texts, "depart_date": text, "return_date": text, "days": {"type": "integer"}}
    station = {"name": text, "longitude": text, "latitude": text}
    line = {"name": text, "stations": {"type": "array", "items": _object(station)}}
    city = {
        "city_name": text,
        "folder_name": text,
        "has_local_data": {"type": "boolean"},
        "connected_cities": _object({"trains": texts, "flights": texts}, needed=()),
    }
    build = {"sample_id": text, "language": text, "city_db_root": text, "sample_signature": _object(signature)}
    metro = {"city": text, "source": text, "lines": {"type": "array", "items": _object(line)}}
    return (
        FileKind(
            "build-meta",
            "For which trip a sandbox folder was made.",
            "JSON",
            ".build_meta.json",
            tables.VERSION,
            lambda: _object(build, needed=("sample_id", "sample_signature")),
        ),
        FileKind(
            "subway",
            "Metro lines with their stations in line order; coordinates are degrees, as text.",
            "JSON",
            "subway/subway.json",
            tables.VERSION,
            lambda: _object(metro, needed=("lines",)),
        ),
        FileKind(
            "city-index",
            "Cities of the city-level data by folder.",
            "JSON",
            "city_index.json",
            tables.VERSION,
            lambda: {"type": "object", "additionalProperties": _object(city, needed=("city_name",))},
        ),
    )


def _object(properties: Mapping[str, Any], needed: tuple[str, ...] | None = None) -> dict[str, Any]:
    required = list(properties if needed is None else needed)
    return {"type": "object", "properties": dict(properties), "required": required}


def _exchange() -> tuple[FileKind, ...]:
    from tripgauge.trip_plus.results.exchange import CaseLine, TextLine

    call = {
        "id": {"description": "Handed back as it is."},
        "env": {"type": "string", "description": "city: with the city-level data. Anything else: without."},
        "sample": {"type": "string", "description": "Id of the task whose sandbox is asked."},
        "tool": {"type": "string"},
        "args": {"type": "object"},
    }
    result = {"id": {}, "result": {"description": "In the keys of the conformance data; null for what does not apply."}}
    return (
        FileKind(
            "cases",
            "Converted answers to score, one a line.",
            "JSON Lines",
            "tripgauge score-cases FILE",
            1,
            lambda: json_schema(CaseLine),
        ),
        FileKind(
            "texts",
            "Answers of an agent as it wrote them, one a line.",
            "JSON Lines",
            "tripgauge convert-texts FILE",
            1,
            lambda: json_schema(TextLine),
        ),
        FileKind(
            "calls",
            "Tool calls to answer, one a line.",
            "JSON Lines",
            "tripgauge call-tools FILE",
            1,
            lambda: _object(call, needed=("id", "sample", "tool", "args")),
        ),
        FileKind(
            "exchange-output",
            "What comes back for a file of cases, texts or calls, in its order.",
            "JSON Lines",
            "standard output",
            1,
            lambda: _object(result),
        ),
    )


def _run() -> tuple[FileKind, ...]:
    from tripgauge.benchmark import TaskGrade
    from tripgauge.conversation import Transcript
    from tripgauge.runs import Seconds, Selection, Settings

    return tuple(
        FileKind(name, meaning, form, file, 1, _schema_of(type_))
        for name, meaning, form, file, type_ in (
            ("run-settings", "Everything that can move a score of a run.", "JSON", "settings.json", Settings),
            ("run-selection", "Which tasks a run was asked for.", "JSON", "selection.json", Selection),
            ("transcripts", "The conversations of a run.", "JSON Lines", "transcripts.jsonl", Transcript),
            ("seconds", "How long the turns of a run took.", "JSON Lines", "seconds.jsonl", Seconds),
            ("scores", "What the conversations of a run got.", "JSON Lines", "scores.jsonl", TaskGrade),
        )
    )


def _schema_of(type_: type[object]) -> Callable[[], dict[str, Any]]:
    return lambda: json_schema(type_)
