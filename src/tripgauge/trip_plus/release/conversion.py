"""From an agent's report to the converted JSON that the published evaluator scores. (published code, conversion)

Equal to the published reading with all its quirks, as far as that is deterministic. Where the published code would ask
a language model to convert a text, `convert` says so and gives nothing: no model is called here.
"""

import re
from dataclasses import dataclass
from enum import StrEnum

from tripgauge.trip_plus.itinerary import Mode
from tripgauge.trip_plus.release.activity_details import DayContext, destination_city, details_of, plan_names
from tripgauge.trip_plus.release.budget_lines import read_budget
from tripgauge.trip_plus.release.entity_names import DatabaseNames, KnownNames
from tripgauge.trip_plus.release.extraction import stored_report, tagged
from tripgauge.trip_plus.release.line_grammar import (
    DayLines,
    clean_lines,
    find_cost,
    has_itinerary,
    read_days,
    split_fields,
)
from tripgauge.trip_plus.release.primitives import JsonObject


class Method(StrEnum):
    """Which part of the published conversion decided on a report."""

    DETERMINISTIC = "deterministic"
    MALFORMED_GUARD = "malformed_guard"
    """Tagged as a plan, but without a day heading or a timed row."""

    NEEDS_MODEL = "needs_model"
    """The published code would ask a language model; here the report counts as unreadable."""


@dataclass(frozen=True, slots=True)
class Conversion:
    """What became of a report."""

    method: Method
    converted: JsonObject | None
    """The JSON the evaluator reads; None if only a model could have made it."""


MALFORMED_EXPLANATION = "Tagged as a plan, but there is no day heading or no timed activity row in it."

_OPENING = {mode: re.compile(f"<{mode}>", re.IGNORECASE) for mode in Mode}
_CLOSING = {mode: re.compile(f"</{mode}>", re.IGNORECASE) for mode in Mode}
_LOOSE_CLOSING = {mode: re.compile(rf"</{mode}\s*+>", re.IGNORECASE) for mode in Mode}
_LOOSE_PLAN_TAG = re.compile(r"<\s*+plan\s*+>", re.IGNORECASE)
_UNDATED_DAY_ONE = re.compile(r"\s*+\**+\s*+day\s++1\s*+:\s*+\**+\s*+", re.IGNORECASE)


def read_answer_agent(text: str, names: DatabaseNames) -> Conversion:
    """A model's last message on the way the published runner takes: stored as a report, then converted."""
    return convert(stored_report(text), names)


def read_answer_direct(text: str, names: DatabaseNames) -> Conversion:
    """A text converted as it stands, without extracting a report first."""
    return convert(text, names)


def convert(report: str, names: DatabaseNames) -> Conversion:
    """The converted JSON of a report, its names cleaned towards those of the sandbox."""
    text = _deciding_part(report)
    lines = clean_lines(text)
    readable = has_itinerary(lines)
    if _LOOSE_PLAN_TAG.search(text) and not readable:
        malformed = {"status": "malformed", "malformed_explanation": MALFORMED_EXPLANATION}
        return Conversion(Method.MALFORMED_GUARD, malformed)
    refusals, questions = _blocks(text, Mode.NO_SOLUTION), _blocks(text, Mode.CLARIFICATION)
    if refusals:
        return Conversion(Method.DETERMINISTIC, {"status": "unsat", "unsat_explanation": refusals[0]})
    if questions:
        return Conversion(Method.DETERMINISTIC, {"status": "clarification", "clarification": questions[0]})
    if not readable:
        return Conversion(Method.NEEDS_MODEL, None)
    return Conversion(Method.DETERMINISTIC, _itinerary(text, lines, names))


def _deciding_part(report: str) -> str:
    """The tagged block that counts, tags included; the whole report if none does.

    What closes last wins, but a refusal is measured against plans only. Empty blocks are passed over.
    """
    bodies = {mode: next(reversed(_blocks(report, mode)), "") for mode in Mode}
    ends = {mode: _last_place(closing, report) for mode, closing in _LOOSE_CLOSING.items()}
    if bodies[Mode.CLARIFICATION] and ends[Mode.CLARIFICATION] > max(ends[Mode.PLAN], ends[Mode.NO_SOLUTION]):
        return tagged(Mode.CLARIFICATION, bodies[Mode.CLARIFICATION])
    if bodies[Mode.NO_SOLUTION] and ends[Mode.NO_SOLUTION] > ends[Mode.PLAN]:
        return tagged(Mode.NO_SOLUTION, bodies[Mode.NO_SOLUTION])
    if bodies[Mode.PLAN]:
        return tagged(Mode.PLAN, _from_last_day_one(bodies[Mode.PLAN]))
    return _from_last_day_one(report)


def _blocks(text: str, mode: Mode) -> list[str]:
    """Bodies between plain tags, each from the first opening behind the block before it to the next closing."""
    blocks = []
    opening = _OPENING[mode].search(text)
    while opening:
        closing = _CLOSING[mode].search(text, opening.end())
        if closing is None:
            break
        blocks.append(text[opening.end() : closing.start()].strip())
        opening = _OPENING[mode].search(text, closing.end())
    return blocks


def _last_place(closing: re.Pattern[str], text: str) -> int:
    return max((found.start() for found in closing.finditer(text)), default=-1)


def _from_last_day_one(text: str) -> str:
    """The text from its last undated "Day 1:" line on, if it has several: what stands before is a draft."""
    lines = text.splitlines(keepends=True)
    starts = [place for place, line in enumerate(lines) if _UNDATED_DAY_ONE.fullmatch(line)]
    return "".join(lines[starts[-1] :]) if len(starts) > 1 else text


def _itinerary(text: str, lines: list[str], names: DatabaseNames) -> JsonObject:
    days = read_days(lines)
    known = KnownNames(names, plan_names(days, KnownNames(names)))
    plan: dict[str, object] = {"daily_plans": [_day(day, known) for day in days]}
    budget = read_budget(text)
    return plan if budget is None else plan | {"budget_summary": budget}


def _day(day: DayLines, known: KnownNames) -> JsonObject:
    stay = known.clean(next(iter(split_fields(day.stay)), ""))
    context = DayContext(known, stay, destination_city(day.city))
    converted: dict[str, object] = {
        "day_number": day.number,
        "current_city": day.city,
        "activities": [
            {"time_slot": row.slot, "type": row.kind, "details": details_of(row, context)} for row in day.rows
        ],
    }
    if day.date:
        converted["date"] = day.date
    if stay:
        cost = find_cost(day.stay)
        converted["accommodation"] = {"name": stay} | ({"price_per_night": cost.amount} if cost else {})
    return converted
