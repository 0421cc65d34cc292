"""Files for holding Tripgauge against other Trip+ evaluators: one line in, one line out, in the same order.

The keys are those of the conformance data, British spelling included.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import TypeVar

from tripgauge.checks import GroupScore
from tripgauge.codec import decode_placed_lines
from tripgauge.errors import told_at
from tripgauge.trip_plus.benchmark import TripPlus
from tripgauge.trip_plus.edition import Edition
from tripgauge.trip_plus.itinerary import Mode, Response
from tripgauge.trip_plus.notation.plan_json import read_converted, write_converted
from tripgauge.trip_plus.notation.plan_text import parse_response
from tripgauge.trip_plus.release.conversion import Conversion
from tripgauge.trip_plus.release.evaluator import as_exchange
from tripgauge.trip_plus.release.extraction import extract
from tripgauge.trip_plus.requirements.requirement import Requirement
from tripgauge.trip_plus.scoring import TurnScore, meets

JsonObject = dict[str, object]


@dataclass(frozen=True)
class CaseLine:
    """One converted answer to score."""

    id: str
    record_id: str
    turn_id: int
    plan: object
    """The converted JSON; of a reply without days too."""


@dataclass(frozen=True)
class TextLine:
    """One answer of an agent as it wrote it."""

    id: str
    record_id: str
    turn_id: int
    text: str


Line = TypeVar("Line", CaseLine, TextLine)


def read_cases(path: Path, trip_plus: TripPlus) -> tuple[CaseLine, ...]:
    """The lines of a file of cases. Raises UsageError, naming the line, for a bad field and for no such turn."""
    return _lines(CaseLine, path, trip_plus)


def read_texts(path: Path, trip_plus: TripPlus) -> tuple[TextLine, ...]:
    """The lines of a file of texts. Raises UsageError, naming the line, for a bad field and for no such turn."""
    return _lines(TextLine, path, trip_plus)


def _lines(kind: type[Line], path: Path, trip_plus: TripPlus) -> tuple[Line, ...]:
    lines = []
    for place, line in decode_placed_lines(kind, path):
        with told_at(place):
            trip_plus.require_turn(line.record_id, line.turn_id)
        lines.append(line)
    return tuple(lines)


def scored_cases(cases: Iterable[CaseLine], trip_plus: TripPlus, edition: Edition) -> Iterator[JsonObject]:
    """`{"id", "result"}` for each case."""
    for case in cases:
        yield {"id": case.id, "result": _score(case.plan, case.record_id, case.turn_id, trip_plus, edition)}


def converted_texts(texts: Iterable[TextLine], trip_plus: TripPlus, edition: Edition) -> Iterator[JsonObject]:
    """`{"id", "result"}` for each text, with the report, and what either way of reading makes of it."""
    for line in texts:
        if edition is Edition.RELEASE:
            result = _release_reading(line, trip_plus)
        else:
            result = _strict_reading(line, trip_plus)
        yield {"id": line.id, "result": result}


def _score(converted: object, record_id: str, turn: int, trip_plus: TripPlus, edition: Edition) -> JsonObject:
    task = trip_plus.task(record_id)
    if edition is Edition.RELEASE:
        return as_exchange(trip_plus.score_release(task, turn, converted))
    return strict_exchange(trip_plus.score(task, turn, read_converted(converted)))


def _release_reading(line: TextLine, trip_plus: TripPlus) -> JsonObject:
    task = trip_plus.task(line.record_id)

    def reading(conversion: Conversion) -> JsonObject:
        if conversion.converted is None:
            return {"method": conversion.method.value}
        expected = _score(conversion.converted, line.record_id, line.turn_id, trip_plus, Edition.RELEASE)
        return {"method": conversion.method.value, "converted": conversion.converted, "expected": expected}

    return {
        "report": extract(line.text),
        "agent": reading(trip_plus.read_release(task, line.text)),
        "direct": reading(trip_plus.convert_release(task, line.text)),
    }


def _strict_reading(line: TextLine, trip_plus: TripPlus) -> JsonObject:
    task = trip_plus.task(line.record_id)
    response: Response = parse_response(line.text)
    reading: JsonObject = {
        "method": Edition.STRICT.value,
        "converted": write_converted(response),
        "expected": strict_exchange(trip_plus.score(task, line.turn_id, response)),
    }
    return {"report": line.text, "agent": reading, "direct": reading}


def strict_exchange(score: TurnScore) -> JsonObject:
    """A strict score in the keys of the conformance data; null for what does not apply."""
    feasibility = _feasibility_exchange(score.feasibility) if score.feasibility else None
    right_plan = score.mode_is_right and score.expected is Mode.PLAN
    exchange: JsonObject = {
        "outcome": "scored",
        "mode": None if right_plan else ("response_expectation_mismatch", score.expected.value)[score.mode_is_right],
        "scores": {
            "feasibility_score": feasibility["score"] if feasibility else None,
            "strict_feasibility": feasibility["strict"] if feasibility else None,
            "hard_constraint_score": _number(score.hard),
            "strict_hard_constraint": _all_met(score.hard),
            "soft_preference_score": _number(score.soft),
            "strict_soft_preference": _all_met(score.soft),
        },
        "response": {
            "passed": int(score.mode_is_right),
            "expected_mode": score.expected.value,
            "actual_mode": score.observed.value if score.observed else "invalid",
        },
        "fulfilment": {"score": _share(score.fulfillment), "checks": _items(score, score.introduced)},
        "preservation": {"score": _share(score.preservation), "checks": _items(score, score.preserved)},
    }
    if feasibility:
        exchange["feasibility"] = feasibility
    if score.hard:
        exchange["hard"] = _hard_exchange(score.hard)
    if score.soft:
        exchange["soft"] = _soft_exchange(score.soft)
    if score.content:
        exchange["content"] = {"score": _number(score.content), "checks": _levels(score.content)}
    return exchange


def _feasibility_exchange(score: GroupScore) -> JsonObject:
    dimensions = [part for part in score.parts if isinstance(part, GroupScore)]
    sub_scores = [part for dimension in dimensions for part in dimension.parts if isinstance(part, GroupScore)]
    flags = [result.score for result in score.results]
    return {
        "score": _number(score),
        "strict": _all_met(score),
        "passed": sum(flag or 0 for flag in flags),
        "total": sum(flag is not None for flag in flags),
        "dimensions": {part.name: _number(part) for part in dimensions},
        "subdimensions": {part.name: _number(part) for part in sub_scores},
        "checks": {result.check: result.score for result in score.results},
    }


def _hard_exchange(score: GroupScore) -> JsonObject:
    flags = [result.score for result in score.results if result.score is not None]
    return {
        "checks": _levels(score),
        "passed": sum(int(flag) for flag in flags),
        "total": len(flags),
        "ratio": _number(score),
        "strict": _all_met(score),
    }


def _soft_exchange(score: GroupScore) -> JsonObject:
    families = {part.name: _number(part) for part in score.parts if isinstance(part, GroupScore)}
    return {"score": _number(score), "strict": _all_met(score), "families": families, "rules": _levels(score)}


def _levels(score: GroupScore) -> dict[str, float | int | None]:
    """What each says, by id; of several of one kind the worst."""
    levels: dict[str, float | int | None] = {}
    for result in score.results:
        level = None if result.score is None else float(result.score)
        known = levels.get(result.check)
        if known is None or (level is not None and level < known):
            levels[result.check] = int(level) if level in (0, 1) else level
    return levels


def _items(score: TurnScore, requirements: Iterable[Requirement]) -> list[list[object]]:
    """Each requirement with 1 met in full, 0 not, null where it does not apply; all 0 where no plan came."""
    if score.expected is not Mode.PLAN:
        return []
    pairs: list[list[object]] = [
        [requirement.id, meets(score.results[requirement]) if score.is_graded_plan else 0]
        for requirement in requirements
    ]
    return sorted(pairs, key=str)


def _all_met(score: GroupScore | None) -> int | None:
    """Whether all that applies is met in full; None if nothing applies."""
    if score is None or score.score is None:
        return None
    return int(all(result.score in (1, None) for result in score.results))


def _share(share: Fraction | None) -> float | None:
    return None if share is None else float(share)


def _number(score: GroupScore | None) -> float | None:
    return None if score is None or score.score is None else float(score.score)
