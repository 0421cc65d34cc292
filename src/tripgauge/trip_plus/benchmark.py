"""Trip+ put together: tasks, their sandboxes, and the scores of answers in both editions."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path

from tripgauge.errors import UsageError
from tripgauge.trip_plus.itinerary import Response
from tripgauge.trip_plus.release.conversion import Conversion, read_answer_agent, read_answer_direct
from tripgauge.trip_plus.release.entity_names import DatabaseNames, database_names
from tripgauge.trip_plus.release.evaluator import (
    ReleaseSandbox,
    ReleaseTurn,
    TurnResult,
    evaluate_turn,
    no_files,
    release_sandbox,
    release_turn,
)
from tripgauge.trip_plus.sandbox.files import SandboxFiles, SandboxLibrary, require_tables
from tripgauge.trip_plus.sandbox.store import Sandbox
from tripgauge.trip_plus.scoring import TurnScore, missing_turn, score_turn
from tripgauge.trip_plus.tasks.queries import read_queries
from tripgauge.trip_plus.tasks.task import Task, TurnState


class TaskWorld:
    """The sandbox of a task, indexed for either edition when first asked."""

    def __init__(self, files: SandboxFiles | None) -> None:
        self.files = files or no_files()
        self._is_empty = files is None

    @cached_property
    def sandbox(self) -> Sandbox:
        """For tools, traces and checks."""
        return Sandbox.of(self.files)

    @cached_property
    def release(self) -> ReleaseSandbox:
        """For the published evaluator."""
        return release_sandbox(None if self._is_empty else self.files)

    @cached_property
    def release_names(self) -> DatabaseNames:
        """For the published reading of answers."""
        return database_names(self.files)


class TripPlus:
    """The Trip+ benchmark over some query files and data.

    With `every_task` a task without a sandbox has an empty one, as in the published code: enough for answers that are
    no plan, while nothing that a plan names is found.
    """

    def __init__(
        self, queries: Sequence[Path], data: Path, city_data: Path | None = None, *, every_task: bool = False
    ) -> None:
        self._library = SandboxLibrary(data, city_data)
        self._city_folders = () if city_data is None else (city_data,)
        self.tasks: Mapping[str, Task] = _by_id([task for path in queries for task in read_queries(path)])
        self._empty_world = TaskWorld(None) if every_task else None
        self._worlds: dict[Path, TaskWorld] = {}
        self._worlds_by_task: dict[str, TaskWorld] = {}
        self._release_turns: dict[tuple[str, int], ReleaseTurn] = {}

    def task(self, task_id: str) -> Task:
        """The task of that id. Raises UsageError if there is none."""
        if task_id not in self.tasks:
            raise UsageError(f"No task {task_id!r}. `tripgauge tasks` lists {len(self.tasks)} of them.")
        return self.tasks[task_id]

    def require_turn(self, task_id: str, turn: int) -> None:
        """Raises UsageError if there is no such task, or it has no such turn, counted from 0."""
        _states(self.task(task_id), turn)

    def world(self, task: Task) -> TaskWorld:
        """The task's sandbox, read once. Raises UsageError if the data hold none, or one that lacks a needed table."""
        if self._empty_world is not None and not self._has_folder(task):
            return self._empty_world
        if task.task_id not in self._worlds_by_task:
            files = self._library.files(task.task_id, task.key.base_query_id)
            require_tables(files.sample, (state.frame.route_mode for state in task.key.states))
            world = self._worlds.setdefault(files.sample.folder, TaskWorld(files))
            self._worlds_by_task[task.task_id] = world
        return self._worlds_by_task[task.task_id]

    def has_world(self, task: Task) -> bool:
        """Whether the task can be scored: the data hold its sandbox, or it may do without."""
        return self._empty_world is not None or self._has_folder(task)

    def _has_folder(self, task: Task) -> bool:
        return self._library.folder(task.task_id, task.key.base_query_id) is not None

    def data_folders(self, task: Task) -> Sequence[Path]:
        """Where the files lie that its sandbox is read from; none if the data hold no sandbox for it."""
        folder = self._library.folder(task.task_id, task.key.base_query_id)
        return () if folder is None else (folder, *self._city_folders)

    def score(self, task: Task, turn: int, response: Response) -> TurnScore:
        """The strict score of an answer to a turn, counted from 0."""
        state, before = _states(task, turn)
        return score_turn(response, state, before, self.world(task).sandbox)

    def score_missing(self, task: Task, turn: int) -> TurnScore:
        """The strict score of no answer to a turn."""
        return missing_turn(*_states(task, turn), self.world(task).sandbox)

    def score_release(self, task: Task, turn: int, converted: object) -> TurnResult:
        """The published score of a converted answer to a turn, counted from 0."""
        key = task.task_id, turn
        if key not in self._release_turns:
            self._release_turns[key] = release_turn(task.key.record, turn)
        return evaluate_turn(converted, self._release_turns[key], self.world(task).release)

    def read_release(self, task: Task, text: str) -> Conversion:
        """What the published runner makes of an agent's last message."""
        return read_answer_agent(text, self.world(task).release_names)

    def convert_release(self, task: Task, report: str) -> Conversion:
        """What the published conversion makes of a text as it stands."""
        return read_answer_direct(report, self.world(task).release_names)


def _states(task: Task, turn: int) -> tuple[TurnState, TurnState | None]:
    """The state of a turn and of the one before."""
    states = task.key.states
    if not 0 <= turn < len(states):
        raise UsageError(f"{task.task_id} has turns 0 to {len(states) - 1}, no turn {turn}.")
    return states[turn], states[turn - 1] if turn else None


def _by_id(tasks: Sequence[Task]) -> Mapping[str, Task]:
    by_id: dict[str, Task] = {}
    for task in tasks:
        if task.task_id in by_id:
            raise UsageError(f"Task {task.task_id} is in more than one query file.")
        by_id[task.task_id] = task
    return by_id
