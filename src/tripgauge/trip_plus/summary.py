"""What a set of answers scores as a whole, in either edition, with every denominator."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from tripgauge.trip_plus.answers import Answer, AnswerSet
from tripgauge.trip_plus.benchmark import TripPlus
from tripgauge.trip_plus.itinerary import Mode, Response
from tripgauge.trip_plus.plan_json import read_converted
from tripgauge.trip_plus.plan_text import parse_response
from tripgauge.trip_plus.release.aggregate import RunSummary, summarize
from tripgauge.trip_plus.release.evaluator import TurnResult
from tripgauge.trip_plus.scoring import TurnScore
from tripgauge.trip_plus.task import Task

Progress = Callable[[int, int], None]
"""Told how many turns are done, of how many."""


def no_progress(_done: int, _of: int) -> None:
    """Says nothing."""


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean with what it was taken over; no value where that is nothing."""

    total: Fraction
    count: int

    @property
    def value(self) -> float | None:
        """The mean itself."""
        return float(self.total / self.count) if self.count else None

    @classmethod
    def of(cls, values: Iterable[Fraction | int]) -> "Mean":
        """Over some values."""
        known = [Fraction(value) for value in values]
        return cls(sum(known, Fraction()), len(known))


@dataclass(frozen=True)
class ScoredTurn:
    """A turn with its strict score; None where there is no answer."""

    task: Task
    turn: int
    score: TurnScore | None

    @property
    def plan_is_due(self) -> bool:
        """Whether the turn wants a plan."""
        return self.task.key.states[self.turn].mode is Mode.PLAN

    @property
    def feasibility(self) -> Fraction | None:
        """Of a plan that was due and came; None otherwise."""
        return self.score.feasibility.score if self.score and self.score.feasibility else None


@dataclass(frozen=True)
class StrictSummary:
    """The columns of edition `strict`. Each quality of plans stands twice: over delivered plans, and over all due."""

    turns: int
    answered: int
    response_accuracy: Mean
    """Turns answered in the mode they want, over all turns. (Trip+ 2.4: R)"""

    feasibility_delivered: Mean
    """Over plans that were due and came, the paper's way."""

    feasibility_due: Mean
    """Over all turns that want a plan, 0 where none came: the ranking goes by this."""


def strict_turns(answers: AnswerSet, trip_plus: TripPlus, progress: Progress = no_progress) -> Iterator[ScoredTurn]:
    """Each turn of each task with its score."""
    turns = _turns(trip_plus)
    for done, (task, turn) in enumerate(turns, 1):
        answer = answers.get(task.task_id, turn)
        yield ScoredTurn(task, turn, trip_plus.score(task, turn, response_of(answer)) if answer else None)
        progress(done, len(turns))


def response_of(answer: Answer) -> Response:
    """The answer as read in edition `strict`: from its own text where there is one."""
    return parse_response(answer.text) if answer.text is not None else read_converted(answer.converted)


def summarize_strict(turns: Iterable[ScoredTurn]) -> StrictSummary:
    """The columns over some scored turns."""
    turns = tuple(turns)
    due = [turn for turn in turns if turn.plan_is_due]
    delivered = [turn.feasibility for turn in due if turn.feasibility is not None]
    return StrictSummary(
        turns=len(turns),
        answered=sum(turn.score is not None for turn in turns),
        response_accuracy=Mean.of(int(turn.score is not None and turn.score.mode_is_right) for turn in turns),
        feasibility_delivered=Mean.of(delivered),
        feasibility_due=Mean(sum(delivered, Fraction()), len(due)),
    )


def release_results(
    answers: AnswerSet, trip_plus: TripPlus, progress: Progress = no_progress
) -> Iterator[TurnResult | None]:
    """The published result of each turn; None where there is no converted plan, which published means leave out."""
    turns = _turns(trip_plus)
    for done, (task, turn) in enumerate(turns, 1):
        answer = answers.get(task.task_id, turn)
        converted = _converted(task, answer, trip_plus) if answer else None
        yield trip_plus.score_release(task, turn, converted) if converted is not None else None
        progress(done, len(turns))


def _converted(task: Task, answer: Answer, trip_plus: TripPlus) -> object:
    if answer.is_converted or answer.text is None:
        return answer.converted
    return trip_plus.read_release(task, answer.text).converted


def summarize_release(answers: AnswerSet, trip_plus: TripPlus, progress: Progress = no_progress) -> RunSummary:
    """The published summary."""
    results = tuple(release_results(answers, trip_plus, progress))
    scored = tuple(result for result in results if result is not None)
    records = len({result.record_id for result in scored})
    return summarize(scored, record_count=records, missing_turns=len(results) - len(scored))


def _turns(trip_plus: TripPlus) -> list[tuple[Task, int]]:
    """The turns of all tasks whose sandbox is there."""
    tasks = [task for task in trip_plus.tasks.values() if trip_plus.has_world(task)]
    return [(task, turn) for task in tasks for turn in range(len(task.key.states))]
