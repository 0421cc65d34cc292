"""One answer graded: the score of every part, and for each lost point the reason in plain words."""

from dataclasses import dataclass
from fractions import Fraction

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from tripgauge.checks import Finding, GroupScore
from tripgauge.report.table import Cell, Table
from tripgauge.trip_plus.benchmark import TripPlus
from tripgauge.trip_plus.edition import Edition
from tripgauge.trip_plus.itinerary import Clarification, NoSolution, Plan, Response, Unreadable
from tripgauge.trip_plus.notation.plan_text import parse_response
from tripgauge.trip_plus.release.evaluator import TurnResult
from tripgauge.trip_plus.results.verdicts import Part, Verdict, release_verdicts, strict_verdicts
from tripgauge.trip_plus.scoring import TurnScore
from tripgauge.trip_plus.tasks.task import Task


@dataclass(frozen=True)
class Grade:
    """What one answer to one turn got."""

    task_id: str
    turn: int
    edition: Edition
    expected_mode: str
    observed_mode: str
    scores: tuple[tuple[str, float | None], ...]
    """Name and value of each part, what is part of another indented; None where it does not apply."""

    verdicts: tuple[Verdict, ...]
    """Of everything that was asked of the answer."""

    remarks: tuple[str, ...] = ()

    @property
    def mode_is_right(self) -> bool:
        """Whether the answer is of the kind the turn wants."""
        return self.expected_mode == self.observed_mode

    @property
    def fails(self) -> tuple[Verdict, ...]:
        """What cost points, beside the mode itself: checks failed, and requirements not met in full."""
        return tuple(verdict for verdict in self.verdicts if verdict.failed and verdict.part is not Part.MODE)

    @property
    def not_applicable(self) -> tuple[Verdict, ...]:
        """What could not be asked of this answer, and so counts for nothing."""
        return tuple(verdict for verdict in self.verdicts if verdict.score is None)

    def json(self) -> dict[str, object]:
        """For machines."""
        return {
            "task_id": self.task_id,
            "turn": self.turn,
            "edition": self.edition.value,
            "expected_mode": self.expected_mode,
            "observed_mode": self.observed_mode,
            "mode_is_right": self.mode_is_right,
            "scores": {name.strip(): value for name, value in self.scores},
            "verdicts": [_verdict_json(verdict) for verdict in self.verdicts],
            "findings": [_finding_json(verdict, finding) for verdict in self.fails for finding in verdict.findings],
            "not_applicable": [verdict.check for verdict in self.not_applicable],
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
        for verdict in self.fails:
            parts += _explained(verdict)
        if self.not_applicable:
            names = ", ".join(verdict.check for verdict in self.not_applicable)
            parts.append(Text(f"Not applicable, counts for nothing: {names}", style="dim"))
        return Group(*parts)

    def _verdict(self) -> str:
        if not self.mode_is_right:
            return f"the turn wants {self.expected_mode}, the answer is {self.observed_mode}"
        if self.fails:
            return f"{len(self.fails)} thing{'s' * (len(self.fails) != 1)} not as asked"
        return "nothing wrong found" if self.scores else f"a {self.observed_mode}, as wanted"


def _explained(verdict: Verdict) -> list[RenderableType]:
    """Why points were lost on it: what it asks, then day by day what was found."""
    half = ", half met" if verdict.score else ""
    head = Text(verdict.check, style="bold red")
    head.append(f" ({verdict.part}{half}; counts for {' and '.join(verdict.decides)})", style="not bold")
    lines: list[RenderableType] = [head]
    if verdict.asks:
        lines.append(Padding(Text(verdict.asks, style="dim"), (0, 0, 0, 2)))
    return lines + [Padding(Text(f"- {in_full(finding, verdict.asks)}"), (0, 0, 0, 2)) for finding in verdict.findings]


def in_full(finding: Finding, known: str = "") -> str:
    """A finding with what was expected and found, as far as neither its reason nor `known` says so."""
    told = str(finding)
    more = [
        f"{word} {value}"
        for word, value in (("expected", finding.expected), ("found", finding.found))
        if value and value not in finding.reason and value not in known
    ]
    at = f" [{finding.item}]" if finding.item and finding.item not in finding.reason else ""
    return told + at + (f" ({', '.join(more)})" if more else "")


def _verdict_json(verdict: Verdict) -> dict[str, object]:
    return {
        "check": verdict.check,
        "part": verdict.part.value,
        "component": verdict.component.value if verdict.component else None,
        "asks": verdict.asks,
        "score": _number(verdict.score),
        "decides": list(verdict.decides),
        "note": verdict.note,
    }


def _finding_json(verdict: Verdict, finding: Finding) -> dict[str, object]:
    return {
        "check": verdict.check,
        "part": verdict.part.value,
        "asks": verdict.asks,
        "day": finding.day,
        "item": finding.item,
        "reason": finding.reason,
        "expected": finding.expected,
        "found": finding.found,
    }


def _number(score: Fraction | float | int | None) -> float | None:
    return None if score is None else float(score)


# --- Edition strict --------------------------------------------------------------------------------------------------


def graded_strict(trip_plus: TripPlus, task: Task, turn: int, text: str) -> Grade:
    """The answer in edition `strict`."""
    response = parse_response(text)
    score = trip_plus.score(task, turn, response)
    return Grade(
        task.task_id,
        turn,
        Edition.STRICT,
        score.expected.value,
        score.observed.value if score.observed else "unreadable",
        tuple(_parts(score)),
        strict_verdicts(score),
        _remarks(response),
    )


def _parts(score: TurnScore) -> list[tuple[str, float | None]]:
    parts: list[tuple[str, float | None]] = []
    for group in (score.feasibility, score.hard, score.soft, score.content):
        if group is not None:
            parts += _with_groups(group)
    if score.is_graded_plan:
        parts += [("fulfillment", _number(score.fulfillment)), ("preservation", _number(score.preservation))]
    return parts


def _with_groups(score: GroupScore, depth: int = 0) -> list[tuple[str, float | None]]:
    """A score and the scores of the groups in it, indented."""
    parts = [(f"{'  ' * depth}{score.name}", _number(score.score))]
    for part in score.parts:
        if isinstance(part, GroupScore):
            parts += _with_groups(part, depth + 1)
    return parts


def _remarks(response: Response) -> tuple[str, ...]:
    match response:
        case Unreadable(fault):
            return (f"The answer cannot be read: {fault.reason}.",)
        case Clarification(text) | NoSolution(text):
            return (text,)
        case Plan():
            return ()


# --- Edition release -------------------------------------------------------------------------------------------------


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
        release_verdicts(result, task.key.states[turn]),
        remarks,
    )


def _release_parts(result: TurnResult) -> list[tuple[str, float | None]]:
    parts: list[tuple[str, float | None]] = []
    if result.is_scored_plan and result.feasibility is not None:
        parts += [
            ("feasibility", result.scores.feasibility_score),
            *((f"  {name}", value) for name, value in result.feasibility.dimensions.items()),
            ("hard_constraints", result.scores.hard_constraint_score),
            ("soft_preferences", result.scores.soft_preference_score),
        ]
    return [*parts, ("fulfillment", result.fulfillment.score), ("preservation", result.preservation.score)]
