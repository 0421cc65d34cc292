"""One answer graded: the score of every part, and for each lost point the reason in plain words."""

from dataclasses import dataclass, field

from rich.console import Group, RenderableType
from rich.text import Text

from tripgauge.checks import Finding, GroupScore
from tripgauge.report.table import Cell, Table
from tripgauge.trip_plus.benchmark import TripPlus
from tripgauge.trip_plus.edition import Edition
from tripgauge.trip_plus.itinerary import Clarification, NoSolution, Plan, Response, Unreadable
from tripgauge.trip_plus.plan_text import parse_response
from tripgauge.trip_plus.release.evaluator import TurnResult
from tripgauge.trip_plus.scoring import TurnScore
from tripgauge.trip_plus.task import Task


@dataclass(frozen=True)
class Fail:
    """A failed check with the reasons."""

    check: str
    findings: tuple[Finding, ...]


@dataclass(frozen=True)
class Grade:
    """What one answer to one turn got."""

    task_id: str
    turn: int
    edition: Edition
    expected_mode: str
    observed_mode: str
    scores: tuple[tuple[str, float | None], ...]
    """Name and value of each part, the whole first; None where it does not apply."""

    fails: tuple[Fail, ...] = ()
    not_applicable: tuple[str, ...] = ()
    remarks: tuple[str, ...] = field(default=())

    @property
    def mode_is_right(self) -> bool:
        """Whether the answer is of the kind the turn wants."""
        return self.expected_mode == self.observed_mode

    def json(self) -> dict[str, object]:
        """For machines."""
        return {
            "task_id": self.task_id,
            "turn": self.turn,
            "edition": self.edition.value,
            "expected_mode": self.expected_mode,
            "observed_mode": self.observed_mode,
            "mode_is_right": self.mode_is_right,
            "scores": dict(self.scores),
            "findings": [
                {
                    "check": fail.check,
                    "day": finding.day,
                    "item": finding.item,
                    "reason": finding.reason,
                    "expected": finding.expected,
                    "found": finding.found,
                }
                for fail in self.fails
                for finding in fail.findings
            ],
            "not_applicable": list(self.not_applicable),
            "remarks": list(self.remarks),
        }

    def rich(self) -> RenderableType:
        """For people."""
        head = Text(f"{self.task_id}, turn {self.turn}, edition {self.edition}: ", style="bold")
        head.append(self._verdict(), style="green" if self.mode_is_right and not self.fails else "red")
        parts: list[RenderableType] = [head, *(Text(remark) for remark in self.remarks)]
        if self.scores:
            rows: list[tuple[Cell, ...]] = [(name, value) for name, value in self.scores]
            parts.append(Table("", ("part", "score"), tuple(rows)).rich())
        for fail in self.fails:
            parts.append(Text(fail.check, style="bold red"))
            parts += [Text(f"  {finding}") for finding in fail.findings]
        if self.not_applicable:
            parts.append(Text(f"Not applicable: {', '.join(self.not_applicable)}", style="dim"))
        return Group(*parts)

    def _verdict(self) -> str:
        if not self.mode_is_right:
            return f"the turn wants {self.expected_mode}, the answer is {self.observed_mode}"
        if self.fails:
            return f"{len(self.fails)} check{'s' * (len(self.fails) != 1)} failed"
        return "nothing wrong found" if self.scores else f"a {self.observed_mode}, as wanted"


def graded_strict(trip_plus: TripPlus, task: Task, turn: int, text: str) -> Grade:
    """The answer in edition `strict`."""
    response = parse_response(text)
    score = trip_plus.score(task, turn, response)
    results = score.feasibility.results if score.feasibility else ()
    return Grade(
        task.task_id,
        turn,
        Edition.STRICT,
        score.expected.value,
        score.observed.value if score.observed else "unreadable",
        tuple(_parts(score)),
        tuple(Fail(result.check, result.findings) for result in results if result.findings),
        tuple(result.check for result in results if not result.applicable),
        _remarks(response),
    )


def _parts(score: TurnScore) -> list[tuple[str, float | None]]:
    if score.feasibility is None:
        return []
    parts = [("feasibility", _number(score.feasibility))]
    for dimension in score.feasibility.parts:
        if isinstance(dimension, GroupScore):
            parts.append((dimension.name, _number(dimension)))
            parts += [(f"  {part.name}", _number(part)) for part in dimension.parts if isinstance(part, GroupScore)]
    return parts


def _number(score: GroupScore) -> float | None:
    return None if score.score is None else float(score.score)


def _remarks(response: Response) -> tuple[str, ...]:
    match response:
        case Unreadable(fault):
            return (f"The answer cannot be read: {fault.reason}.",)
        case Clarification(text) | NoSolution(text):
            return (text,)
        case Plan():
            return ()


def graded_release(trip_plus: TripPlus, task: Task, turn: int, text: str) -> Grade:
    """The answer as the published code grades it."""
    conversion = trip_plus.read_release(task, text)
    result = trip_plus.score_release(task, turn, conversion.converted)
    remarks = () if conversion.converted is not None else ("The published code would ask a language model to read it.",)
    return Grade(
        task.task_id,
        turn,
        Edition.RELEASE,
        result.expected_mode,
        result.observed_mode,
        tuple(_release_parts(result)),
        tuple(_release_fails(result)),
        (),
        remarks,
    )


def _release_parts(result: TurnResult) -> list[tuple[str, float | None]]:
    if not result.is_scored_plan or result.feasibility is None:
        return []
    return [
        ("feasibility", result.scores.feasibility_score),
        *(result.feasibility.dimensions.items()),
        ("hard constraints", result.scores.hard_constraint_score),
        ("soft preferences", result.scores.soft_preference_score),
        ("fulfillment", result.fulfillment.score),
        ("preservation", result.preservation.score),
    ]


def _release_fails(result: TurnResult) -> list[Fail]:
    fails = []
    if result.feasibility is not None:
        for check, passed in result.feasibility.checks.items():
            if not passed:
                reasons = result.feasibility.reasons.get(check, ())
                fails.append(Fail(check, tuple(Finding(reason) for reason in reasons)))
    if result.hard is not None:
        failed = [key for key, passed in result.hard.checks.items() if not passed]
        fails += [Fail(key, (Finding("the hard constraint is not met"),)) for key in failed]
    return fails
