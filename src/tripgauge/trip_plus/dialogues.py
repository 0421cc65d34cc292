"""Trip+ as a benchmark to run: what an agent meets in each edition, and what its conversations get. (Trip+ 2.1, 2.4)"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cached_property, lru_cache
from pathlib import Path

from tripgauge.benchmark import TaskGrade, TurnGrade
from tripgauge.checks import GroupScore
from tripgauge.codec import to_json
from tripgauge.conversation import NO_MODE, Dialogue, Limits, Reading, ScriptedUser, Transcript
from tripgauge.tools import Toolbox, tools_of
from tripgauge.trip_plus.benchmark import TripPlus
from tripgauge.trip_plus.edition import Edition
from tripgauge.trip_plus.instructions import PROMPTS, instructions, prompt_text
from tripgauge.trip_plus.itinerary import Mode, mode_of
from tripgauge.trip_plus.notation.answer_modes import ModeBody, find_mode, without_thoughts
from tripgauge.trip_plus.notation.plan_text import parse_response
from tripgauge.trip_plus.release.extraction import FAILURE_REPORT, extract, tagged
from tripgauge.trip_plus.release.tools import ReleaseToolbox, ReleaseTools
from tripgauge.trip_plus.results.graded import Grade, graded_release, graded_strict
from tripgauge.trip_plus.results.summary import Due, or_zero
from tripgauge.trip_plus.tasks.task import Brief, Task, TurnState
from tripgauge.trip_plus.tools.toolset import TripPlusTools

QUALITIES = ("feasibility", "hard", "soft")
"""Of a plan that was due and came."""

NUMBERS = (
    "mode",
    *(name for quality in QUALITIES for name in (quality, f"{quality}_due")),
    "content",
    "fulfillment",
    "preservation",
)
"""Scores of a turn: whether the mode is right; the qualities of a plan that was due and came, and with `_due` the same
with 0 for a plan that was due and did not come; whether an answer without a plan says what it must, in edition
`strict`; what was asked for anew, and what was asked for before. (Trip+ 2.4)"""

UNREADABLE = "unreadable"
"""The mode of a text that commits to none of the three, or to several."""

_LONGEST_TALK = 8
"""Turns whose answers are remembered as read: each is asked for again at every later turn."""

ERROR_ROUNDS_ANSWER = "ERROR: too many tool calls in a row could not be served."
"""Edition `release`: after so many errors the published loop returns such a text as the answer."""


class TripPlusDialogues:
    """The conversations of Trip+ in one edition."""

    name = "trip_plus"
    limits = Limits()

    def __init__(self, trip_plus: TripPlus, edition: Edition = Edition.STRICT) -> None:
        self.trip_plus = trip_plus
        self._edition = edition

    @property
    def edition(self) -> str:
        """`strict` or `release`."""
        return self._edition.value

    @property
    def task_ids(self) -> Sequence[str]:
        """All tasks, in the order of the query files."""
        return tuple(self.trip_plus.tasks)

    def dialogue(self, task_id: str, seed: int = 0) -> Dialogue:
        """The conversation about a task. The user says written lines, so the seed does not matter.

        Raises UsageError if there is no such task, or no sandbox for it.
        """
        task = self.trip_plus.task(task_id)
        brief = task.brief
        strict = self._edition is Edition.STRICT
        return Dialogue(
            task=task_id,
            instructions=instructions(brief),
            user=ScriptedUser(brief.utterances),
            toolbox=self._toolbox(task),
            read=lru_cache(_LONGEST_TALK)(_read_strict if strict else _read_release),
            brief=lambda said: _so_far(brief, said),
            is_final=_is_final if strict else lambda text: False,
            answer_forms=tuple(Mode),
            failure_report=FAILURE_REPORT,
            skips_after_failure=not strict,
            error_rounds_answer="" if strict else ERROR_ROUNDS_ANSWER,
        )

    def _toolbox(self, task: Task) -> Toolbox:
        world = self.trip_plus.world(task)
        tools = tools_of(TripPlusTools(world.sandbox))
        if self._edition is Edition.RELEASE:
            return ReleaseToolbox(ReleaseTools(world.files), tools)
        return Toolbox(tools)

    def digests(self) -> Mapping[str, str]:
        """SHA-256 of the tasks, of the sandboxes they name, and of the prompts."""
        return {"tasks": self._tasks_digest, "data": self._data_digest, "prompts": _prompts_digest()}

    @cached_property
    def _tasks_digest(self) -> str:
        digest = hashlib.sha256()
        for task in self.trip_plus.tasks.values():
            digest.update(f"{to_json(task.key.record)}\n".encode())
        return digest.hexdigest()

    @cached_property
    def _data_digest(self) -> str:
        digest = hashlib.sha256()
        for file, name in sorted(self._data_files().items(), key=lambda item: item[1]):
            with file.open("rb") as content:
                digest.update(f"{name} {hashlib.file_digest(content, 'sha256').hexdigest()}\n".encode())
        return digest.hexdigest()

    def _data_files(self) -> Mapping[Path, str]:
        """The files of all sandboxes that there are, under names that do not depend on where the data lie."""
        found: dict[Path, str] = {}
        for task in self.trip_plus.tasks.values():
            for root in self.trip_plus.data_folders(task):
                files = (path for path in root.rglob("*") if path.is_file())
                found.update((path, f"{root.name}/{path.relative_to(root).as_posix()}") for path in files)
        return found

    def grade(self, transcript: Transcript) -> TaskGrade:
        """The scores of every turn of the task; one the conversation did not reach counts as not answered."""
        task = self.trip_plus.task(transcript.task)
        answers = [turn.answer for turn in transcript.turns[: len(task.key.states)]]
        answers += [""] * (len(task.key.states) - len(answers))
        graded = self._grade_strict if self._edition is Edition.STRICT else self._grade_release
        grades = tuple(graded(task, turn, text) for turn, text in enumerate(answers))
        return TaskGrade(transcript.task, transcript.trial, grades, {})

    def _grade_strict(self, task: Task, turn: int, text: str) -> TurnGrade:
        score = self.trip_plus.score(task, turn, parse_response(text))
        numbers = {
            "mode": float(score.mode_is_right),
            "feasibility": _group(score.feasibility),
            "hard": _group(score.hard),
            "soft": _group(score.soft),
            "content": _group(score.content),
            "fulfillment": _number(score.fulfillment),
            "preservation": _number(score.preservation),
        }
        return _turn_grade(numbers, task.key.states[turn], graded_strict(self.trip_plus, task, turn, text))

    def _grade_release(self, task: Task, turn: int, text: str) -> TurnGrade:
        result = self.trip_plus.score_release(task, turn, self.trip_plus.read_release(task, text).converted)
        numbers = {
            "mode": float(result.response_right),
            "feasibility": result.scores.feasibility_score,
            "hard": result.scores.hard_constraint_score,
            "soft": result.scores.soft_preference_score,
            "content": None,
            "fulfillment": result.fulfillment.score,
            "preservation": result.preservation.score,
        }
        return _turn_grade(numbers, task.key.states[turn], graded_release(self.trip_plus, task, turn, text))


def _group(score: GroupScore | None) -> float | None:
    return None if score is None else _number(score.score)


def _number(score: Fraction | None) -> float | None:
    return None if score is None else float(score)


def _turn_grade(numbers: Mapping[str, float | None], state: TurnState, grade: Grade) -> TurnGrade:
    """The numbers of a turn in the order of `NUMBERS`, and what is wrong with the answer."""
    known = {**numbers, **_over_all_due(numbers, Due.at(state, is_judged=False), came=numbers["mode"] == 1)}
    findings = [f"{finding} ({fail.check})" for fail in grade.fails for finding in fail.findings]
    if not grade.mode_is_right:
        findings.insert(0, f"the turn wants {_words(grade.expected_mode)}, the answer is {_words(grade.observed_mode)}")
    remarks = grade.remarks if grade.observed_mode == UNREADABLE else ()
    return TurnGrade({name: known[name] for name in NUMBERS}, (*findings, *remarks))


def _over_all_due(numbers: Mapping[str, float | None], due: Due, *, came: bool) -> Mapping[str, float | None]:
    is_due = {"feasibility": due.plan, "hard": due.hard, "soft": due.soft}
    found = {quality: or_zero(is_due[quality], numbers[quality], came) for quality in QUALITIES}
    return {f"{quality}_due": None if value is None else float(value) for quality, value in found.items()}


def _words(mode: str) -> str:
    return mode.replace("_", " ")


def _so_far(brief: Brief, said: Sequence[str]) -> Brief:
    """The brief without what the traveler has not said yet."""
    return replace(brief, utterances=tuple(said))


def _read_strict(text: str) -> Reading:
    answer = without_thoughts(text)
    if not answer:
        return Reading(NO_MODE, "")
    found = find_mode(answer)
    report = tagged(found.mode, found.text) if isinstance(found, ModeBody) else answer
    mode = mode_of(parse_response(text))
    return Reading(mode.value if mode else UNREADABLE, report)


def _read_release(text: str) -> Reading:
    report = extract(text)
    if report is None:
        return Reading(NO_MODE, "")
    mode = next((mode for mode in (Mode.CLARIFICATION, Mode.NO_SOLUTION) if report.startswith(f"<{mode}>")), Mode.PLAN)
    return Reading(mode.value, report)


def _is_final(text: str) -> bool:
    return isinstance(find_mode(without_thoughts(text)), ModeBody)


def _prompts_digest() -> str:
    digest = hashlib.sha256()
    for name in PROMPTS:
        digest.update(f"{name}\n{prompt_text(name)}\n".encode())
    return digest.hexdigest()
