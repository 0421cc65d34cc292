"""Answer sets side by side, as tables."""

from collections.abc import Callable, Iterable, Mapping, Sequence

from tripgauge.report.table import Cell, Table
from tripgauge.trip_plus.answers import Answer, AnswerSet, TurnKey
from tripgauge.trip_plus.baselines import hotel_nights_only, idle
from tripgauge.trip_plus.benchmark import TripPlus
from tripgauge.trip_plus.edition import Edition
from tripgauge.trip_plus.itinerary import Itinerary, Plan
from tripgauge.trip_plus.plan_json import write_converted
from tripgauge.trip_plus.plan_text import format_response
from tripgauge.trip_plus.summary import (
    Progress,
    StrictSummary,
    no_progress,
    strict_turns,
    summarize_release,
    summarize_strict,
)
from tripgauge.trip_plus.task import Task

IDLE = "idle"
HOTEL_NIGHTS = "hotel nights"

STRICT_COLUMNS = ("agent", "Resp. Acc.", "Feas. (delivered)", "n", "Feas. (due)", "n due")
RELEASE_COLUMNS = ("agent", "Resp.", "Fulfill.", "Pres.", "Feas.", "Hard", "Soft", "turns", "plans")


def baselines(trip_plus: TripPlus) -> Sequence[AnswerSet]:
    """What doing nothing scores: it stands beside every score."""
    tasks = [task for task in trip_plus.tasks.values() if trip_plus.has_world(task)]
    return (
        AnswerSet(IDLE, _every_turn(tasks, lambda task, turn: idle(task.key.states[turn].frame))),
        AnswerSet(HOTEL_NIGHTS, _every_turn(tasks, lambda task, turn: _hotel_nights(trip_plus, task, turn))),
    )


def _hotel_nights(trip_plus: TripPlus, task: Task, turn: int) -> Itinerary:
    frame = task.key.states[turn].frame
    hotels = trip_plus.world(task).sandbox.hotels
    priced = next((hotel for hotel in hotels if hotel.price), None)
    return hotel_nights_only(frame, priced) if priced else idle(frame)


def _every_turn(tasks: Iterable[Task], plan: Callable[[Task, int], Itinerary]) -> Mapping[TurnKey, Answer]:
    answers: dict[TurnKey, Answer] = {}
    for task in tasks:
        for turn in range(len(task.key.states)):
            response = Plan(plan(task, turn))
            answers[task.task_id, turn] = Answer(format_response(response), write_converted(response), True)
    return answers


def leaderboard(
    sets: Sequence[AnswerSet], trip_plus: TripPlus, edition: Edition, progress: Progress = no_progress
) -> Table:
    """One row for each set of answers, best first."""
    if edition is Edition.RELEASE:
        return _release_table(sets, trip_plus, progress)
    return _strict_table(sets, trip_plus, progress)


def _strict_table(sets: Sequence[AnswerSet], trip_plus: TripPlus, progress: Progress) -> Table:
    summaries = [(answers.name, summarize_strict(strict_turns(answers, trip_plus, progress))) for answers in sets]
    summaries.sort(key=lambda item: item[1].feasibility_due.value or 0.0, reverse=True)
    turns = summaries[0][1].turns if summaries else 0
    notes = [f"{turns} turns. \"due\" counts a missing plan as 0; the ranking goes by it."]
    notes += [
        f"{name}: partial, {s.answered} of {s.turns} turns answered." for name, s in summaries if s.answered < s.turns
    ]
    return Table(
        "Trip+, edition strict", STRICT_COLUMNS, tuple(_strict_row(name, s) for name, s in summaries), tuple(notes)
    )


def _strict_row(name: str, summary: StrictSummary) -> tuple[Cell, ...]:
    delivered, due = summary.feasibility_delivered, summary.feasibility_due
    return name, summary.response_accuracy.value, delivered.value, delivered.count, due.value, due.count


def _release_table(sets: Sequence[AnswerSet], trip_plus: TripPlus, progress: Progress) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for answers in sets:
        summary = summarize_release(answers, trip_plus, progress)
        board = summary.leaderboard
        plans = summary.successful_plans.counts["feasibility_score"]
        rows.append(
            (
                answers.name,
                board.response_accuracy,
                board.request_fulfillment,
                board.intent_preservation,
                board.feasibility,
                board.hard_constraints,
                board.soft_preferences,
                summary.turn_count,
                plans,
            )
        )
    note = "As the published code computes them: missing turns left out, plan columns over delivered plans."
    return Table("Trip+, edition release", RELEASE_COLUMNS, tuple(rows), (note,))
