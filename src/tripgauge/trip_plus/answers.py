"""Answers of an agent to the turns of some tasks, from wherever they lie: text files, or a published result folder."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from tripgauge.codec import read_text
from tripgauge.errors import UsageError
from tripgauge.trip_plus.release.runner_layout import (
    CONVERTED_PLANS,
    REPORTS,
    TRAJECTORIES,
    RecordTurns,
    TurnFiles,
    read_result_folder,
)
from tripgauge.trip_plus.task import Task

TurnKey = tuple[str, int]
"""Task id and turn, from 0."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What an agent left for one turn: its text, its plan as converted elsewhere, or both."""

    text: str | None = None
    converted: object = None
    is_converted: bool = False
    """Whether there is a converted form; a converted null is one too."""


@dataclass(frozen=True)
class AnswerSet:
    """All answers of one agent."""

    name: str
    answers: Mapping[TurnKey, Answer]

    def get(self, task_id: str, turn: int) -> Answer | None:
        """The answer to a turn; None if there is none."""
        return self.answers.get((task_id, turn))


def turn_id(task_id: str, turn: int) -> str:
    """How files name a turn: "mt_single_0005_turn_2"."""
    return f"{task_id}_turn_{turn}"


def read_answers(folder: Path, tasks: Iterable[Task]) -> AnswerSet:
    """The answers in a folder of `<turn id>.txt`, or in a result folder of the published runner.

    Raises UsageError if the folder holds no answer to any of the tasks.
    """
    tasks = tuple(tasks)
    if not folder.is_dir():
        raise UsageError(f"No folder of answers at {folder}.")
    published = any((folder / part).is_dir() for part in (REPORTS, CONVERTED_PLANS, TRAJECTORIES))
    answers = _published(folder, tasks) if published else _texts(folder, tasks)
    if not answers:
        example = turn_id(tasks[0].task_id, 0) if tasks else "TASK_turn_0"
        raise UsageError(
            f"{folder} holds no answer to any of the {len(tasks)} tasks; expected {example}.txt and so on."
        )
    return AnswerSet(folder.name, answers)


def _texts(folder: Path, tasks: Iterable[Task]) -> Mapping[TurnKey, Answer]:
    answers: dict[TurnKey, Answer] = {}
    for task in tasks:
        for turn in range(len(task.key.states)):
            path = folder / f"{turn_id(task.task_id, turn)}.txt"
            if path.exists():
                answers[task.task_id, turn] = Answer(read_text(path))
    return answers


def _published(folder: Path, tasks: Iterable[Task]) -> Mapping[TurnKey, Answer]:
    records = [RecordTurns(task.task_id, task.key.base_query_id, tuple(range(len(task.key.states)))) for task in tasks]
    found = read_result_folder(folder, records)
    return {(files.record_id, files.turn_id): _answer(files) for files in found if files.report or files.plan}


def _answer(files: TurnFiles) -> Answer:
    text = files.report.text if files.report else None
    return Answer(text, files.plan.converted if files.plan else None, files.plan is not None)
