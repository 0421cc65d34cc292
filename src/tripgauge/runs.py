"""A run folder on disk: settings, transcripts, scores; the same command again carries on where it stopped.

    settings.json        everything that can move a score; a folder never holds two kinds
    selection.json       which tasks were asked for, how many times each
    held/                conversations since the last tidying up, one file each
    transcripts.jsonl    one line for each task and trial
    seconds.jsonl        how long they took: what depends on the clock is kept apart
    scores.jsonl         what they got

Every file is written anew beside the old one and then renamed, so that at any moment a kill leaves every finished
conversation readable.
"""

import asyncio
import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Protocol, TypeVar
from urllib.parse import quote, urlsplit, urlunsplit

from tripgauge.benchmark import Benchmark, TaskGrade
from tripgauge.codec import decode_json, decode_json_lines, encode, shown, write_json, write_json_lines
from tripgauge.conversation import Agent, Held, Limits, Model, Transcript, converse, derived_seed
from tripgauge.errors import UsageError

Key = tuple[str, int]
"""Task and trial."""


@dataclass(frozen=True)
class ModelSettings:
    """How a model is asked. The defaults are the paper's. (Trip+ 3.1)"""

    temperature: float | None = 0.0
    """None for models that take none."""

    top_p: float | None = 1.0
    max_tokens: int | None = None
    seed: int | None = None
    options: Mapping[str, str] | None = None
    """Further arguments of the provider."""


@dataclass(frozen=True)
class Settings:
    """Everything that can move a score."""

    benchmark: str
    edition: str
    agent: str
    """package.module:Class"""

    seed: int
    limits: Limits
    digests: Mapping[str, str]
    """SHA-256 by kind: agent, code, tasks, data, prompts."""

    agent_options: Mapping[str, str]
    model: str | None = None
    """provider/name; None for an agent that brings its own or needs none."""

    base_url: str | None = None
    """Where the model is served, without user name, password and query."""

    model_settings: ModelSettings | None = None
    engine: str | None = None
    """What asks the model, with its version."""


@dataclass(frozen=True)
class Selection:
    """What was asked for."""

    tasks: tuple[str, ...]
    trials: int

    @property
    def keys(self) -> tuple[Key, ...]:
        """Trial by trial, so that a run that is stopped has tried most tasks."""
        return tuple((task, trial) for trial in range(self.trials) for task in self.tasks)


@dataclass(frozen=True)
class Seconds:
    """How long the turns of one conversation took."""

    task: str
    trial: int
    turns: tuple[float, ...]


_Line = TypeVar("_Line", Transcript, Seconds, TaskGrade)


class RunFolder:
    """A run on disk."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._held = path / "held"

    @classmethod
    def open(cls, path: Path) -> "RunFolder":
        """The run in a folder. Raises UsageError if there is none."""
        if not (path / "settings.json").is_file():
            raise UsageError(f"No run at {path}. Make one with: tripgauge run --out {path}")
        return cls(path)

    @classmethod
    def start(cls, path: Path, settings: Settings, selection: Selection) -> "RunFolder":
        """A new run, or the one that is there if its settings are the same.

        Raises UsageError if they differ, unless nothing was held yet, as after a model that could not be reached.
        """
        folder = cls(path)
        if (path / "settings.json").is_file():
            if encode(folder.settings) != encode(settings):
                folder._begin_anew(settings)
        elif path.exists() and (not path.is_dir() or any(path.iterdir())):
            raise UsageError(f"{path} is neither a run nor an empty folder.")
        else:
            write_json(path / "settings.json", settings)
        write_json(path / "selection.json", selection)
        return folder

    @property
    def settings(self) -> Settings:
        """Everything that can move a score."""
        return decode_json(Settings, self.path / "settings.json")

    @property
    def selection(self) -> Selection:
        """What was asked for last."""
        return decode_json(Selection, self.path / "selection.json")

    def transcripts(self) -> Mapping[Key, Transcript]:
        """What was held so far, by task and trial in their order. Raises UsageError if a line occurs twice."""
        lines = self._lines(Transcript, "transcripts.jsonl")
        lines.update((_key(held.transcript), held.transcript) for held in self._kept())
        return dict(sorted(lines.items()))

    def seconds(self) -> Mapping[Key, Seconds]:
        """How long it took, as far as is known."""
        lines = self._lines(Seconds, "seconds.jsonl")
        lines.update((_key(held.transcript), _seconds(held)) for held in self._kept())
        return dict(sorted(lines.items()))

    def scores(self) -> Mapping[Key, TaskGrade]:
        """What was scored so far."""
        return self._lines(TaskGrade, "scores.jsonl")

    def missing(self) -> tuple[Key, ...]:
        """What was asked for and is not there, or failed by other than the agent."""
        transcripts = self.transcripts()
        return tuple(key for key in self.selection.keys if key not in transcripts or not transcripts[key].is_result)

    def keep(self, held: Held) -> None:
        """Stores a conversation, in place of an earlier one of the same task and trial."""
        transcript = held.transcript
        write_json(self._held / f"{quote(transcript.task, safe='')}.{transcript.trial}.json", held)

    def tidy(self) -> None:
        """Puts the conversations held since the last time into the common files, and clears what a kill left half
        written. Nobody else may write meanwhile."""
        merged = sorted(self._held.glob("*.json"))
        transcripts, seconds = self.transcripts(), self.seconds()
        if merged or not (self.path / "transcripts.jsonl").exists():
            write_json_lines(self.path / "transcripts.jsonl", transcripts.values())
            write_json_lines(self.path / "seconds.jsonl", seconds.values())
        half_written = (*self.path.glob(".*.tmp"), *self._held.glob(".*.tmp"))
        for path in (*merged, *half_written):
            path.unlink()
        if self._held.exists() and not any(self._held.iterdir()):
            self._held.rmdir()

    def write_scores(self, grades: Iterable[TaskGrade]) -> None:
        """Stores the scores of the whole run."""
        by_key = {_key(grade): grade for grade in grades}
        write_json_lines(self.path / "scores.jsonl", (by_key[key] for key in sorted(by_key)))

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Nobody else writes to the folder meanwhile. Raises UsageError if somebody does."""
        with _lock(self.path):
            yield

    def _begin_anew(self, settings: Settings) -> None:
        with self.locked():
            if self.transcripts():
                _refuse_other_settings(self.path, self.settings, settings)
            write_json(self.path / "settings.json", settings)

    def _kept(self) -> Iterator[Held]:
        return (decode_json(Held, path) for path in sorted(self._held.glob("*.json")))

    def _lines(self, type_: type[_Line], name: str) -> dict[Key, _Line]:
        path = self.path / name
        by_key: dict[Key, _Line] = {}
        for number, line in enumerate(decode_json_lines(type_, path) if path.exists() else (), 1):
            if _key(line) in by_key:
                raise UsageError(f"{path}, record {number}: {line.task}, trial {line.trial}, is there twice.")
            by_key[_key(line)] = line
        return by_key


def _key(line: Transcript | Seconds | TaskGrade) -> Key:
    return line.task, line.trial


def _seconds(held: Held) -> Seconds:
    return Seconds(held.transcript.task, held.transcript.trial, held.seconds)


def _refuse_other_settings(path: Path, there: Settings, wanted: Settings) -> None:
    differing = list(_paths(there, wanted))
    if differing:
        raise UsageError(f"{path} holds a run with other settings ({'; '.join(differing)}). Use another folder.")


def _paths(there: object, wanted: object, path: str = "") -> Iterator[str]:
    """Where two settings differ, in words."""
    first, second = encode(there), encode(wanted)
    if isinstance(first, dict) and isinstance(second, dict):
        for key in dict.fromkeys((*first, *second)):
            yield from _paths(first.get(key), second.get(key), f"{path}.{key}".removeprefix("."))
    elif first != second:
        yield f"{path} has changed" if path.startswith("digests.") else f"{path}: {shown(first)}, not {shown(second)}"


@contextmanager
def _lock(folder: Path) -> Iterator[None]:
    """Held by the operating system for as long as the process lives, so that a kill leaves none behind."""
    try:
        import fcntl
    except ImportError:  # pragma: no cover - Windows has no such locks; writing stays whole, only not exclusive
        yield
        return
    with (folder / ".lock").open("w", encoding="utf-8") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise UsageError(f"Another process is running in {folder}.") from None
        yield


# --- Carrying out a run ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Work:
    """How the conversations of a run are held."""

    benchmark: Benchmark
    new_agent: Callable[[], Agent]
    """One for each conversation."""

    limits: Limits
    seed: int
    max_connections: int
    """Conversations at the same time."""

    may_start: Callable[[], bool] = lambda: True
    """Whether one more conversation may begin."""

    on_held: Callable[[Held], None] = lambda held: None
    """Told after each conversation is stored."""


class Engine(Protocol):
    """What holds the conversations of a run, and asks the model if there is one."""

    @property
    def version(self) -> str | None:
        """Its name with its version, if that can move a score."""
        ...

    @property
    def model(self) -> Model | None:
        """The model it asks for its agents."""
        ...

    def probe(self) -> None:
        """Asks the model once. Raises UsageError with the reason if it cannot be had."""
        ...

    def carry_out(self, folder: RunFolder, work: Work) -> None:
        """Holds what is missing in the folder."""
        ...


class OwnEngine:
    """The turn loop and nothing else."""

    version = None
    model = None

    def probe(self) -> None:
        """There is no model to ask."""

    def carry_out(self, folder: RunFolder, work: Work) -> None:
        """Holds what is missing in the folder, some conversations at a time."""
        try:
            asyncio.run(carry_out(folder, work))
        except* UsageError as group:
            raise group.exceptions[0] from None


async def carry_out(folder: RunFolder, work: Work) -> None:
    """Holds what is missing in the folder, some conversations at a time. Whatever is finished is stored at once."""
    waiting = iter(folder.missing())

    async def worker() -> None:
        for task, trial in waiting:
            if not work.may_start():
                return
            held = await hold(work, task, trial)
            folder.keep(held)
            work.on_held(held)

    async with asyncio.TaskGroup() as group:
        for _ in range(work.max_connections):
            group.create_task(worker())


async def hold(work: Work, task: str, trial: int) -> Held:
    """One conversation."""
    dialogue = work.benchmark.dialogue(task, derived_seed(work.seed, task, trial, "user"))
    return await converse(work.new_agent(), dialogue, work.limits, trial=trial, seed=work.seed)


# --- Digests --------------------------------------------------------------------------------------------------------


def digest_of(parts: Iterable[tuple[str, bytes]]) -> str:
    """SHA-256 over named contents, whatever their order."""
    digest = hashlib.sha256()
    for name, content in sorted((name, hashlib.sha256(content).digest()) for name, content in parts):
        digest.update(f"{len(name.encode())} {name} ".encode() + content)
    return digest.hexdigest()


@cache
def code_digest() -> str:
    """SHA-256 of this package's own code, as it lay there when this process first asked."""
    root = Path(str(files("tripgauge")))
    return digest_of((path.relative_to(root).as_posix(), path.read_bytes()) for path in root.rglob("*.py"))


def without_credentials(url: str) -> str:
    """An address without user name, password and query."""
    parts = urlsplit(url)
    host = parts.netloc.rpartition("@")[2]
    return urlunsplit((parts.scheme, host, parts.path, "", ""))


def select(all_tasks: Sequence[str], wanted: Sequence[str], limit: int | None, trials: int) -> Selection:
    """The tasks that are named, or all; the first `limit` of them. Raises UsageError for names there are not."""
    unknown = [task for task in wanted if task not in set(all_tasks)]
    if unknown:
        raise UsageError(f"No task {unknown[0]!r}. `tripgauge tasks` lists {len(all_tasks)} of them.")
    if trials < 1 or (limit is not None and limit < 1):
        raise UsageError("A run has at least one task and one trial.")
    chosen = [task for task in all_tasks if not wanted or task in set(wanted)]
    return Selection(tuple(chosen[:limit]), trials)
