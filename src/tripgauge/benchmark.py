"""What running, scoring and reporting need of a benchmark."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from tripgauge.conversation import Dialogue, Limits, Transcript


@dataclass(frozen=True)
class TurnGrade:
    """What one turn got."""

    numbers: Mapping[str, float | None]
    """Score by name, from 0 to 1; None where one does not apply. Every turn has the same names."""

    findings: tuple[str, ...] = ()
    """What is wrong with the answer, in words."""


@dataclass(frozen=True)
class TaskGrade:
    """What one conversation got."""

    task: str
    trial: int
    turns: tuple[TurnGrade, ...]
    """Of every turn the task has, also of those the conversation did not reach."""

    numbers: Mapping[str, float | None]
    """Scores of the task as a whole."""


class Benchmark(Protocol):
    """Tasks, with the tools, the user and the scoring that go with them; in one edition."""

    @property
    def name(self) -> str:
        """Such as "trip_plus"."""
        ...

    @property
    def edition(self) -> str:
        """Which of its editions this is."""
        ...

    @property
    def limits(self) -> Limits:
        """How far an agent may go."""
        ...

    @property
    def task_ids(self) -> Sequence[str]:
        """All tasks, in their order."""
        ...

    def dialogue(self, task_id: str, seed: int) -> Dialogue:
        """The conversation to be held, its user's chances drawn from the seed. Raises UsageError if it cannot be."""
        ...

    def digests(self) -> Mapping[str, str]:
        """SHA-256 of what can move a score, by kind: tasks, data, prompts."""
        ...

    def grade(self, transcript: Transcript) -> TaskGrade:
        """The scores of a conversation."""
        ...
