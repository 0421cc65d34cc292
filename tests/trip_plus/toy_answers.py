"""The recorded good plans of the toy town with their trips, graded in edition `strict`."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache

from tests.trip_plus.toy_trip import sandbox

from tripgauge.checks import CheckResult
from tripgauge.toy import town
from tripgauge.trip_plus.feasibility.score import check_results, feasibility
from tripgauge.trip_plus.frame import TripFrame
from tripgauge.trip_plus.itinerary import Activity, Itinerary, Plan
from tripgauge.trip_plus.notation.plan_text import parse_response
from tripgauge.trip_plus.tasks.queries import read_queries
from tripgauge.trip_plus.trace.joining import execution_trace


@cache
def good_plans() -> Mapping[str, tuple[Itinerary, TripFrame]]:
    """Each recorded plan with the trip of its turn, by turn id."""
    states = {
        f"{task.task_id}_turn_{turn}": state
        for task in read_queries(town.queries_file())
        for turn, state in enumerate(task.key.states)
    }
    answers = {turn_id: parse_response(text) for turn_id, text in town.answers().items()}
    return {
        turn_id: (answer.itinerary, states[turn_id].frame)
        for turn_id, answer in answers.items()
        if isinstance(answer, Plan)
    }


def graded(itinerary: Itinerary, trip: TripFrame) -> Mapping[str, CheckResult]:
    """What each check says of the plan."""
    return check_results(feasibility(execution_trace(itinerary, trip, sandbox())))


def verdicts(itinerary: Itinerary, trip: TripFrame) -> Mapping[str, object]:
    """The score of each check."""
    return {check: result.score for check, result in graded(itinerary, trip).items()}


def total(itinerary: Itinerary, trip: TripFrame) -> float:
    """The feasibility of the plan."""
    score = feasibility(execution_trace(itinerary, trip, sandbox())).score
    return float(score) if score is not None else 0.0


def places(itinerary: Itinerary, kind: type[Activity]) -> list[tuple[int, int]]:
    """Where the activities of a kind stand: position of the day and of the line, from 0."""
    return [
        (day, line)
        for day, listed in enumerate(itinerary.days)
        for line, activity in enumerate(listed.activities)
        if isinstance(activity, kind)
    ]


def changed(itinerary: Itinerary, place: tuple[int, int], change: Callable[[Activity], Activity | None]) -> Itinerary:
    """The plan with one line changed, or without it where the change gives None."""
    day, line = place
    listed = itinerary.days[day].activities
    new = change(listed[line])
    lines = (*listed[:line], *((new,) if new else ()), *listed[line + 1 :])
    days = list(itinerary.days)
    days[day] = replace(days[day], activities=lines)
    return replace(itinerary, days=tuple(days))
