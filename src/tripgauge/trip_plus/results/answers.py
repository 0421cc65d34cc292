"""Answers of an agent to the turns of some tasks, from wherever they lie: a run, text files, published results."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from tripgauge.codec import read_text
from tripgauge.conversation import Transcript
from tripgauge.errors import UsageError
from tripgauge.runs import RunFolder, Selection, Settings
from tripgauge.trip_plus.release.runner_layout import (
    CONVERTED_PLANS,
    REPORTS,
    TRAJECTORIES,
    RecordTurns,
    TurnFiles,
    read_result_folder,
)
from tripgauge.trip_plus.tasks.task import Task

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
class Conversation:
    """The answers to the turns of one task."""

    task_id: str
    trial: int
    answers: tuple[Answer | None, ...]
    """One for each turn of the task; None where there is none."""

    transcript: Transcript | None = None
    """How the answers came about, where that was recorded."""


@dataclass(frozen=True)
class Run:
    """What a run folder tells beside answers."""

    settings: Settings
    selection: Selection
    missing: int
    """Conversations that were asked for and did not take place, or failed by other than the agent."""


@dataclass(frozen=True)
class AnswerSet:
    """All answers of one agent."""

    name: str
    conversations: tuple[Conversation, ...]
    """Of every task that has any answer, each trial once."""

    run: Run | None = None
    """None for answers whose settings nobody recorded."""

    unread: tuple[str, ...] = ()
    """Files beside the answers that look like some and fit no turn of any task."""

    @property
    def task_ids(self) -> frozenset[str]:
        """The tasks with any answer."""
        return frozenset(conversation.task_id for conversation in self.conversations)


def turn_id(task_id: str, turn: int) -> str:
    """How files name a turn: "mt_single_0005_turn_2"."""
    return f"{task_id}_turn_{turn}"


def read_answers(folder: Path, tasks: Iterable[Task]) -> AnswerSet:
    """The answers in a run folder, in a folder of `<turn id>.txt`, or in a result folder of the published runner.

    Raises UsageError if the folder holds no answer to any of the tasks.
    """
    tasks = tuple(tasks)
    if not folder.is_dir():
        raise UsageError(f"No folder of answers at {folder}.")
    if is_run(folder):
        return _of_run(folder, tasks)
    published = any((folder / part).is_dir() for part in (REPORTS, CONVERTED_PLANS, TRAJECTORIES))
    answers, read = _published(folder, tasks) if published else _texts(folder, tasks)
    if not answers:
        example = turn_id(tasks[0].task_id, 0) if tasks else "TASK_turn_0"
        raise UsageError(
            f"{folder} holds no answer to any of the {len(tasks)} tasks; expected {example}.txt and so on."
        )
    unread = tuple(
        sorted(path.relative_to(folder).as_posix() for path in _answer_like(folder, published) if path not in read)
    )
    return AnswerSet(folder.resolve().name, conversations(answers, tasks), unread=unread)


def _answer_like(folder: Path, published: bool) -> Iterator[Path]:
    """The files of a folder that are answers by their look."""
    if published:
        yield from (folder / REPORTS).glob("*.txt")
        yield from (folder / CONVERTED_PLANS).rglob("*.json")
    else:
        yield from folder.glob("*.txt")


def read_answer_sets(folders: Sequence[Path], tasks: Iterable[Task]) -> tuple[AnswerSet, ...]:
    """The answers in each folder, under names that tell them apart.

    Raises UsageError if a folder is given twice, or holds no answers.
    """
    tasks = tuple(tasks)
    places = [folder.resolve() for folder in folders]
    for folder, place in zip(folders, places, strict=True):
        if places.count(place) > 1:
            raise UsageError(f"{folder} is given twice.")
    names = [place.name for place in places]
    return tuple(
        replace(read_answers(folder, tasks), name=_telling(place, names.count(place.name) > 1))
        for folder, place in zip(folders, places, strict=True)
    )


def _telling(place: Path, is_ambiguous: bool) -> str:
    return f"{place.parent.name}/{place.name}" if is_ambiguous else place.name


def is_run(folder: Path) -> bool:
    """Whether `tripgauge run` made the folder."""
    return (folder / "settings.json").is_file()


def conversations(answers: Mapping[TurnKey, Answer], tasks: Iterable[Task]) -> tuple[Conversation, ...]:
    """The answers task by task, for the tasks that have any."""
    talks = []
    for task in tasks:
        given = tuple(answers.get((task.task_id, turn)) for turn in range(len(task.key.states)))
        if any(answer is not None for answer in given):
            talks.append(Conversation(task.task_id, 0, given))
    return tuple(talks)


def _of_run(folder: Path, tasks: Iterable[Task]) -> AnswerSet:
    run = RunFolder.open(folder)
    known = {task.task_id: task for task in tasks}
    wanted = set(run.selection.keys)
    talks = []
    for key, transcript in run.transcripts().items():
        if key in wanted and transcript.is_result:
            if transcript.task not in known:
                raise UsageError(f"{folder} has a conversation about {transcript.task}, which is not among the tasks.")
            talks.append(_held(known[transcript.task], transcript))
    if not talks:
        raise UsageError(f"{folder} holds no finished conversation.")
    missing = len(wanted) - len(talks)
    return AnswerSet(folder.resolve().name, tuple(talks), Run(run.settings, run.selection, missing))


def _held(task: Task, transcript: Transcript) -> Conversation:
    """A turn the conversation did not reach has an empty answer, as in the scores of a run."""
    texts = [turn.answer for turn in transcript.turns[: len(task.key.states)]]
    texts += [""] * (len(task.key.states) - len(texts))
    return Conversation(transcript.task, transcript.trial, tuple(Answer(text) for text in texts), transcript)


Found = tuple[Mapping[TurnKey, Answer], frozenset[Path]]
"""Answers, and the files they come from."""


def _texts(folder: Path, tasks: Iterable[Task]) -> Found:
    answers: dict[TurnKey, Answer] = {}
    read: set[Path] = set()
    for task in tasks:
        for turn in range(len(task.key.states)):
            path = folder / f"{turn_id(task.task_id, turn)}.txt"
            if path.exists():
                answers[task.task_id, turn] = Answer(read_text(path))
                read.add(path)
    return answers, frozenset(read)


def _published(folder: Path, tasks: Iterable[Task]) -> Found:
    records = [RecordTurns(task.task_id, task.key.base_query_id, tuple(range(len(task.key.states)))) for task in tasks]
    found = read_result_folder(folder, records)
    answers = {(files.record_id, files.turn_id): _answer(files) for files in found if files.report or files.plan}
    return answers, frozenset(part.path for files in found for part in (files.report, files.plan) if part)


def _answer(files: TurnFiles) -> Answer:
    text = files.report.text if files.report else None
    return Answer(text, files.plan.converted if files.plan else None, files.plan is not None)
