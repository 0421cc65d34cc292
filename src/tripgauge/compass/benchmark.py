"""COMPASS as a benchmark to run: what an agent meets, and what its conversations get (spec 9, 10)."""

import hashlib
import re
from collections.abc import Mapping, Sequence
from functools import cached_property
from string import Template

from tripgauge.benchmark import TaskGrade, TurnGrade
from tripgauge.compass.behavior import Measured, measure
from tripgauge.compass.index import Index
from tripgauge.compass.personas import Persona
from tripgauge.compass.ranking import TOP_PERCENTS
from tripgauge.compass.recommendation import read_reply, without_thoughts
from tripgauge.compass.scoring import Score, rates, score
from tripgauge.compass.search import Search
from tripgauge.compass.solver import FeasibleSet, Solver
from tripgauge.compass.task import Task, task_line
from tripgauge.compass.tools import (
    EXTENSION,
    CompassTools,
    FlightPackagesFound,
    HotelPackagesFound,
    PermitWindow,
)
from tripgauge.compass.user import Decisions, SimulatedUser, Voice
from tripgauge.compass.voices import ScriptedVoice, prompt_text
from tripgauge.conversation import NO_MODE, Dialogue, Limits, Reading, Transcript, Turn
from tripgauge.errors import UsageError
from tripgauge.tools import Toolbox, ToolResult, tools_of

LIMITS = Limits(model_calls=100, tool_calls=5000, tool_call_warning=5000, repeats=None, error_rounds=20)
"""How far an agent may go in a turn. The paper names no limits; these are wide, and stop only what is stuck: looking at
everything there is takes some hundred tool calls."""

PACKAGE_ID = re.compile(r"\b(?:pkg_\d+_\d+_\d+_\d+|flight_\d+_\d+_\d+|permit_\d+_\d+_\d+)\b")
"""What counts as seen in the answer of a tool."""


class Compass:
    """The conversations of COMPASS: 281 tasks, or others."""

    name = "compass"
    edition = "strict"

    def __init__(
        self,
        index: Index,
        tasks: Sequence[Task],
        voice: Voice | None = None,
        *,
        persona: Persona | None = None,
        extension: bool = True,
        limits: Limits = LIMITS,
    ) -> None:
        """A persona makes every user the same; without the extension there are the 17 published tools only."""
        self.index = index
        self.catalogue = index.catalogue
        self.tasks = {task.task_id: task for task in tasks}
        self.limits = limits
        self._voice = voice or ScriptedVoice()
        self._persona = persona
        self._extension = extension
        self._search = Search(index)
        self._solver = Solver(index)
        self._solved: dict[str, FeasibleSet] = {}

    @property
    def task_ids(self) -> Sequence[str]:
        """All tasks, in the order of the task file."""
        return tuple(self.tasks)

    def task(self, task_id: str) -> Task:
        """Raises UsageError if there is no such task."""
        found = self.tasks.get(task_id)
        if found is None:
            raise UsageError(f"There is no COMPASS task {task_id}. List them with: tripgauge tasks compass")
        return found

    def feasible(self, task: Task) -> FeasibleSet:
        """The feasible set of a task, solved once."""
        if task.task_id not in self._solved:
            self._solved[task.task_id] = self._solver.solve(task)
        return self._solved[task.task_id]

    # -- Running

    def dialogue(self, task_id: str, seed: int) -> Dialogue:
        """The conversation about a task with the user that the seed makes."""
        decisions = Decisions(self.task(task_id), self.catalogue, seed, self._persona)
        return Dialogue(
            task=task_id,
            instructions=prompt_text("system.md"),
            user=SimulatedUser(decisions, self._voice),
            toolbox=self._toolbox(),
            read=_read,
            is_final=lambda text: not read_reply(text).fault,
            complaint=_complaint,
            seen=_seen,
        )

    def _toolbox(self) -> Toolbox:
        tools = tools_of(CompassTools(self._search))
        return Toolbox(tool for tool in tools if self._extension or tool.name != EXTENSION)

    def digests(self) -> Mapping[str, str]:
        """SHA-256 of tasks, catalogue and prompts; and who the user is."""
        persona = f", persona {self._persona.number}" if self._persona else ""
        prompts = "\n".join(prompt_text(name) for name in ("system.md", "repair.md"))
        return {
            "tasks": self._tasks_digest,
            "data": self.catalogue.digest,
            "prompts": hashlib.sha256(prompts.encode()).hexdigest(),
            "user": f"{self._voice.name}{persona}",
            "tools": "18" if self._extension else "17",
        }

    @cached_property
    def _tasks_digest(self) -> str:
        lines = "".join(f"{task_line(task)}\n" for task in self.tasks.values())
        return hashlib.sha256(lines.encode()).hexdigest()

    # -- Scoring

    def grade(self, transcript: Transcript) -> TaskGrade:
        """FR, OR and the gap of a conversation: those of its last recommendation."""
        last = self.score(transcript)
        numbers: dict[str, float | None] = {**rates(last)}
        numbers |= {f"or_{percent}_strict": float(last.is_top_strictly(percent)) for percent in TOP_PERCENTS}
        numbers["relative_gap"] = last.relative_gap
        task = self.task(transcript.task)
        turns = tuple(self._turn_grade(task, turn) for turn in transcript.turns)
        return TaskGrade(transcript.task, transcript.trial, turns, numbers)

    def score(self, transcript: Transcript) -> Score:
        """What the last recommendation of a conversation got."""
        feasible = self.feasible(self.task(transcript.task))
        given = (read_reply(turn.answer).recommendation for turn in reversed(transcript.turns))
        return score(feasible, next((found for found in given if found is not None), None), self.catalogue)

    def measure(self, transcript: Transcript) -> Measured:
        """Everything that figures are made of, for one conversation."""
        return measure(transcript, self.feasible(self.task(transcript.task)), self.catalogue)

    def _turn_grade(self, task: Task, turn: Turn) -> TurnGrade:
        """What would count if this turn were the last with a recommendation; no score without one."""
        recommendation = read_reply(turn.answer).recommendation
        if recommendation is None:
            return TurnGrade({"feasibility": None, "or_5": None})
        found = score(self.feasible(task), recommendation, self.catalogue)
        return TurnGrade({"feasibility": float(found.is_feasible), "or_5": float(found.is_top(5))}, found.findings)


def _read(text: str) -> Reading:
    spoken = without_thoughts(text)
    if not spoken:
        return Reading(NO_MODE, "")
    reply = read_reply(spoken)
    if reply.fault:
        return Reading("unreadable", spoken)
    return Reading("recommendation" if reply.recommendation else "message", spoken)


def _complaint(text: str) -> str:
    fault = read_reply(text).fault
    return Template(prompt_text("repair.md")).substitute(fault=fault) if fault else ""


def _seen(result: ToolResult, whole: bool) -> tuple[str, ...]:
    """The package ids an answer offers; one that was only asked to be checked is not offered."""
    if result.fault or result.tool.startswith("recommend_"):
        return ()
    if not whole:
        return tuple(dict.fromkeys(PACKAGE_ID.findall(result.text)))
    match result.answer:
        case HotelPackagesFound() | FlightPackagesFound():
            return tuple(package.package_id for package in result.answer.packages)
        case [PermitWindow(), *_]:
            return tuple(window.package_id for window in result.answer)  # type: ignore[attr-defined]
        case _:
            return tuple(dict.fromkeys(PACKAGE_ID.findall(result.text)))
