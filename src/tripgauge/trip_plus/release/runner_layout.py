"""A result folder of the published runner: which files it holds for each turn. (published code, runner)

The runner writes one report, one trajectory and, where conversion succeeded, one converted plan per turn. Its evaluator
finds the converted plan under several spellings of the record's id; the same spellings are tried here, in its order.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from tripgauge.errors import UsageError
from tripgauge.trip_plus.sandbox.files import read_json

REPORTS, CONVERTED_PLANS, TRAJECTORIES = "reports", "converted_plans", "trajectories"

_CONVERTED_NAMES = (
    "{id}_turn_{turn}_converted.json",
    "{id}_t{turn}_converted.json",
    "{id}.turn_{turn}.converted.json",
    "{id}/turn_{turn}_converted.json",
    "{id}/t{turn}_converted.json",
)


@dataclass(frozen=True, slots=True)
class RecordTurns:
    """Which turns of which record to look for."""

    record_id: str
    base_query_id: str
    """Tried where no file bears the record's own id; may be empty."""

    turn_ids: tuple[int, ...]
    """As in the query file, from 0."""


@dataclass(frozen=True, slots=True)
class FoundReport:
    """A report as the runner stored it."""

    path: Path
    text: str


@dataclass(frozen=True, slots=True)
class FoundPlan:
    """A converted plan as the evaluator reads it: any JSON value."""

    path: Path
    converted: object


@dataclass(frozen=True, slots=True)
class TurnFiles:
    """What a result folder holds for one turn; None for what is not there."""

    record_id: str
    turn_id: int
    report: FoundReport | None
    plan: FoundPlan | None
    trajectory: Path | None

    @property
    def missing_turn_plan(self) -> bool:
        """Whether the evaluator would leave the turn out of every mean: there is no converted plan."""
        return self.plan is None


def read_result_folder(folder: Path, records: Iterable[RecordTurns]) -> tuple[TurnFiles, ...]:
    """What the folder holds for each turn, records and turns in the order given.

    Raises UsageError if the folder is none of the runner's, or if one of its files cannot be read.
    """
    if not any((folder / part).is_dir() for part in (REPORTS, CONVERTED_PLANS, TRAJECTORIES)):
        raise UsageError(_no_result_folder(folder))
    return tuple(_turn_files(folder, record, turn) for record in records for turn in record.turn_ids)


def _no_result_folder(folder: Path) -> str:
    if not folder.is_dir():
        return f"No result folder at {folder}."
    message = f"{folder} has neither {REPORTS}/ nor {CONVERTED_PLANS}/ nor {TRAJECTORIES}/."
    inside = sorted(path.parent.name for path in folder.glob(f"*/{REPORTS}/"))
    return f"{message} Its folder {inside[0]} does: name that one." if inside else message


def _turn_files(folder: Path, record: RecordTurns, turn: int) -> TurnFiles:
    report = _first_file(folder / REPORTS, record, turn, ("{id}_turn_{turn}.txt",))
    plan = _first_file(folder / CONVERTED_PLANS, record, turn, _CONVERTED_NAMES)
    return TurnFiles(
        record_id=record.record_id,
        turn_id=turn,
        report=FoundReport(report, _text(report)) if report else None,
        plan=FoundPlan(plan, read_json(plan)) if plan else None,
        trajectory=_first_file(folder / TRAJECTORIES, record, turn, ("{id}_turn_{turn}.json",)),
    )


def _first_file(folder: Path, record: RecordTurns, turn: int, names: tuple[str, ...]) -> Path | None:
    """The first file there is: every name for one spelling of the id, before the next spelling."""
    paths = (folder / name.format(id=spelling, turn=turn) for spelling in _spellings(record) for name in names)
    return next((path for path in paths if path.is_file()), None)


def _spellings(record: RecordTurns) -> Iterator[str]:
    """The record's id as it is, without and with "id_" in front; then the same of the query it is based on."""
    for name in filter(None, (record.record_id, record.base_query_id)):
        yield from dict.fromkeys((name, name.removeprefix("id_"), f"id_{name}"))


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise UsageError(f"{path}: not UTF-8 at byte {error.start}.") from None
