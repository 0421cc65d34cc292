"""Agents side by side: the columns of Table 2 in either edition, ranked where that is fair. (Trip+ Table 2)"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from tripgauge.codec import encode
from tripgauge.conditions import Held, refuse_unequal, unequal
from tripgauge.report.table import Cell, Table, as_json, counted
from tripgauge.runs import Key
from tripgauge.statistics import LEVEL, Estimate
from tripgauge.trip_plus.baselines import hotel_nights_only, idle
from tripgauge.trip_plus.benchmark import TripPlus
from tripgauge.trip_plus.edition import Edition
from tripgauge.trip_plus.itinerary import Itinerary, Plan
from tripgauge.trip_plus.notation.plan_json import write_converted
from tripgauge.trip_plus.notation.plan_text import format_response
from tripgauge.trip_plus.results.answers import Answer, AnswerSet, TurnKey, conversations
from tripgauge.trip_plus.results.paper_rows import paper_rows, paper_table
from tripgauge.trip_plus.results.summary import (
    QUALITY,
    Basis,
    Column,
    Entry,
    Progress,
    columns_of,
    no_progress,
    plan_average,
    rule_average,
    score_answers,
    wins,
)
from tripgauge.trip_plus.tasks.task import Task

IDLE = "idle"
HOTEL_NIGHTS = "hotel nights"
PLAN_AVERAGE = "Plan Avg."
RULE_AVERAGE = "Rule Avg."


# --- Entries ---------------------------------------------------------------------------------------------------------


def entries(
    sets: Sequence[AnswerSet],
    trip_plus: TripPlus,
    edition: Edition,
    progress: Progress = no_progress,
    *,
    with_baselines: bool = True,
    judged: Mapping[str, Mapping[Key, float | None]] | None = None,
) -> tuple[Entry, ...]:
    """The sets of answers scored, and beside them what doing nothing scores on the same tasks.

    `judged` has the simulated traveler's scores by name of the set.
    """
    judged = judged or {}
    scored = [score_answers(answers, trip_plus, edition, progress, judged=judged.get(answers.name)) for answers in sets]
    if with_baselines:
        tasks = frozenset[str]().union(*(answers.task_ids for answers in sets))
        for answers in baselines(trip_plus, tasks):
            scored.append(score_answers(answers, trip_plus, edition, progress, is_baseline=True))
    return tuple(scored)


def baselines(trip_plus: TripPlus, task_ids: Iterable[str]) -> Sequence[AnswerSet]:
    """What doing nothing scores on some tasks: it stands beside every score."""
    wanted = frozenset(task_ids)
    tasks = [task for task in trip_plus.tasks.values() if task.task_id in wanted and trip_plus.has_world(task)]
    plans: Mapping[str, Callable[[Task, int], Itinerary]] = {
        IDLE: lambda task, turn: idle(task.key.states[turn].frame),
        HOTEL_NIGHTS: lambda task, turn: _hotel_nights(trip_plus, task, turn),
    }
    return [AnswerSet(name, conversations(_every_turn(tasks, plan), tasks)) for name, plan in plans.items()]


def _hotel_nights(trip_plus: TripPlus, task: Task, turn: int) -> Itinerary:
    """A hotel where the trip goes, the first that a search finds: the same plan as `HotelNightsAgent` writes."""
    frame = task.key.states[turn].frame
    hotels = trip_plus.world(task).sandbox.hotels_in(frame.destinations[0])
    priced = next((hotel for hotel in hotels if hotel.price), None)
    return hotel_nights_only(frame, priced) if priced else idle(frame)


def _every_turn(tasks: Iterable[Task], plan: Callable[[Task, int], Itinerary]) -> Mapping[TurnKey, Answer]:
    answers: dict[TurnKey, Answer] = {}
    for task in tasks:
        for turn in range(len(task.key.states)):
            response = Plan(plan(task, turn))
            answers[task.task_id, turn] = Answer(format_response(response), write_converted(response), True)
    return answers


def held(entry: Entry) -> Held:
    """Under which conditions an entry's answers came about."""
    talks = frozenset((talk.task_id, talk.trial) for talk in entry.answers.conversations)
    return Held(entry.name, entry.answers.run.settings if entry.answers.run else None, talks)


# --- The table -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Row:
    """One agent with all its figures."""

    entry: Entry
    figures: Mapping[str, Estimate | None]
    """By column, averages included."""

    rank: int | None = None
    """Equal figures share a rank; None for baselines, and where ranking is not fair."""

    wins: tuple[int, int] | None = None
    """In how many columns it ranks first, and of how many; None where it is not ranked."""

    @property
    def win_percent(self) -> float | None:
        """Win %."""
        return 100 * self.wins[0] / self.wins[1] if self.wins and self.wins[1] else None


@dataclass(frozen=True)
class Leaderboard:
    """Agents of one edition side by side."""

    edition: Edition
    rows: tuple[Row, ...]
    ranked_by: str
    differing: tuple[str, ...] = ()
    """Why there are no ranks."""

    with_paper: bool = False

    @property
    def is_judged(self) -> bool:
        """Whether any agent has scores of the simulated traveler."""
        return any(row.figures[QUALITY[Basis.DELIVERED][3].name] != _NOTHING for row in self.rows)

    @cached_property
    def notes(self) -> tuple[str, ...]:
        """What a reader has to know."""
        agents = [row.entry for row in self.rows]
        asked = max((entry.turns_asked for entry in agents), default=0)
        tasks = max((len(entry.answers.task_ids) for entry in agents), default=0)
        size = f"{counted(tasks, 'task')}, {counted(asked, 'turn')}"
        notes = [f"{size}. Under each figure its {LEVEL:.0%} interval over tasks."]
        if self.edition is Edition.STRICT:
            notes[0] += " A plan that did not come counts as 0."
            notes[0] += "" if self.differing else f" Ranked by {self.ranked_by}."
        else:
            notes[0] += " As published: missing turns left out, plan columns over delivered plans."
        notes += [f"Not ranked, since they differ. {difference}." for difference in self.differing]
        notes += [f"{entry.name} is partial: {entry.partial}." for entry in agents if entry.partial]
        return tuple(notes)

    def tables(self) -> list[Table]:
        """For people: each fits 80 columns."""
        tables = _strict_tables(self) if self.edition is Edition.STRICT else [_release_table(self)]
        return [*tables, *([paper_table(beside_strict=self.edition is Edition.STRICT)] if self.with_paper else [])]

    def flat(self) -> Table:
        """Everything in one table, for CSV."""
        names = list(self.rows[0].figures) if self.rows else []
        rows = [
            (row.entry.name, _kind(row), row.rank, row.win_percent, row.entry.partial, *row.figures.values())
            for row in self.rows
        ]
        return Table("", ("agent", "kind", "rank", "Win %", "partial", *names), tuple(rows))

    def json(self) -> dict[str, object]:
        """For machines: everything."""
        return {
            "benchmark": "trip_plus",
            "edition": self.edition.value,
            "ranked_by": None if self.differing else self.ranked_by,
            "not_ranked_because": list(self.differing),
            "interval_level": LEVEL,
            "formulas": {column.name: column.formula for column in columns_of(self.edition)} | AVERAGES,
            "rows": [_row_json(row) for row in self.rows],
            "reference": [row.json() for row in paper_rows()] if self.with_paper else [],
            "notes": list(self.notes),
        }


AVERAGES = {
    RULE_AVERAGE: "the mean of Feas., Hard Cons. and Soft Pref.",
    PLAN_AVERAGE: "the mean of Feas., Hard Cons., Soft Pref. and User Sim.",
    "Win %": "columns among Resp. Acc., Req. Fulfill., Intent Pres., Feas., Hard Cons., Soft Pref. and User Sim. in "
    "which the agent ranks first / those columns that are known of every ranked agent.",
}
_NOTHING = Estimate(0, 0, 0)


def leaderboard(scored: Sequence[Entry], *, allow_unequal: bool = False, with_paper: bool = False) -> Leaderboard:
    """One row for each entry; of edition `strict` best first, baselines in their place without a rank.

    Raises UsageError if the answers came about under unequal conditions, unless these are allowed: then nobody is
    ranked.
    """
    edition = scored[0].edition
    agents = [entry for entry in scored if not entry.is_baseline]
    conditions = [held(entry) for entry in agents]
    if not allow_unequal:
        refuse_unequal(conditions)
    differing = unequal(conditions)
    rows = [Row(entry, _figures(entry)) for entry in scored]
    basis = Basis.DUE if edition is Edition.STRICT else Basis.DELIVERED
    by = _ranked_by(rows, basis)
    if edition is Edition.STRICT and not differing:
        rows.sort(key=lambda row: -(_value(row, by) or 0.0))
    return Leaderboard(edition, tuple(rows if differing else _ranked(rows, by, basis)), by, differing, with_paper)


def _figures(entry: Entry) -> Mapping[str, Estimate | None]:
    figures: dict[str, Estimate | None] = dict(entry.estimates)
    for basis in (Basis.DUE, Basis.DELIVERED) if entry.edition is Edition.STRICT else (Basis.DELIVERED,):
        figures[f"{RULE_AVERAGE} ({basis})"] = rule_average(entry, basis)
        figures[f"{PLAN_AVERAGE} ({basis})"] = plan_average(entry, basis)
    return figures


def _ranked_by(rows: Sequence[Row], basis: Basis) -> str:
    """Plan Avg. where all agents were judged, else what rules alone decide."""
    agents = [row for row in rows if not row.entry.is_baseline]
    judged = all(row.figures[f"{PLAN_AVERAGE} ({basis})"] is not None for row in agents)
    return f"{PLAN_AVERAGE if judged and agents else RULE_AVERAGE} ({basis})"


def _value(row: Row, column: str) -> float | None:
    figure = row.figures[column]
    return figure.value if figure else None


def _ranked(rows: Sequence[Row], by: str, basis: Basis) -> list[Row]:
    agents = {place: row for place, row in enumerate(rows) if not row.entry.is_baseline}
    columns = _win_columns(rows[0].entry.edition, basis)
    values = {place: _value(row, by) for place, row in agents.items()}
    firsts = wins({place: [_value(row, column.name) for column in columns] for place, row in agents.items()})
    ranked = list(rows)
    for place, row in agents.items():
        value = values[place]
        better = sum(other is not None and value is not None and other > value for other in values.values())
        ranked[place] = replace(row, rank=better + 1 if value is not None else None, wins=firsts[place])
    return ranked


def _win_columns(edition: Edition, basis: Basis) -> Sequence[Column]:
    """The seven columns of Table 2 that are no averages."""
    first = [column for column in columns_of(edition) if column.basis is None and column.label != "Content"]
    return (*first, *QUALITY[basis])


def _kind(row: Row) -> str:
    return "baseline" if row.entry.is_baseline else "agent"


def _row_json(row: Row) -> dict[str, object]:
    run = row.entry.answers.run
    release = row.entry.release
    return {
        "agent": row.entry.name,
        "kind": _kind(row),
        "rank": row.rank,
        "columns": {name: as_json(figure) for name, figure in row.figures.items()},
        "wins": row.wins[0] if row.wins else None,
        "win_columns": row.wins[1] if row.wins else None,
        "win_percent": row.win_percent,
        "turns_asked": row.entry.turns_asked,
        "turns_answered": sum(turn.is_answered for turn in row.entry.turns),
        "tasks": len(row.entry.answers.task_ids),
        "partial": row.entry.partial,
        "unread_files": list(row.entry.answers.unread),
        "settings": encode(run.settings) if run else None,
        **({"published_summary": encode(release)} if release else {}),
    }


# --- For the terminal ------------------------------------------------------------------------------------------------


def _strict_tables(board: Leaderboard) -> list[Table]:
    ranked = ["Resp. Acc.", "Req. Fulfill.", "Intent Pres.", *_names(Basis.DUE, board.is_judged), board.ranked_by]
    rows = [(row.rank, row.entry.name, *_cells(row, ranked)) for row in board.rows]
    first = Table("Trip+, edition strict", ("#", "agent", *map(_short, ranked)), tuple(rows), board.notes)
    average = board.ranked_by.replace(Basis.DUE, Basis.DELIVERED)
    paper = [*_names(Basis.DELIVERED, board.is_judged), average, "Content"]
    second = Table(
        "Over plans that came, the paper's way; Content is what answers without a plan say",
        ("agent", *map(_short, paper), "Win %", "plans", "due"),
        tuple((row.entry.name, *_cells(row, paper), _win(row), *_plans(row)) for row in board.rows),
        ("Win % over the columns of the first table.",),
        folding=("agent",),
    )
    return [first, second]


def _release_table(board: Leaderboard) -> Table:
    names = ["Resp. Acc.", "Req. Fulfill.", "Intent Pres.", *_names(Basis.DELIVERED, board.is_judged)]
    names += [f"{PLAN_AVERAGE} ({Basis.DELIVERED})"] if board.is_judged else []
    rows = tuple((row.entry.name, *_cells(row, names), _win(row), *_plans(row)) for row in board.rows)
    columns = ("agent", *map(_short, names), "Win %", "plans", "due")
    return Table("Trip+, edition release", columns, rows, board.notes, folding=("agent",))


def _names(basis: Basis, is_judged: bool) -> list[str]:
    return [column.name for column in QUALITY[basis][: 4 if is_judged else 3]]


def _cells(row: Row, names: Iterable[str]) -> list[Cell]:
    return [row.figures[name] for name in names]


SHORT = {
    "Resp. Acc.": "Resp.",
    "Req. Fulfill.": "Req.",
    "Intent Pres.": "Pres.",
    "Hard Cons.": "Hard",
    "Soft Pref.": "Soft",
    "User Sim.": "Sim.",
    RULE_AVERAGE: "Avg.",
    PLAN_AVERAGE: "Avg.",
}


def _short(name: str) -> str:
    label = name.partition(" (")[0]
    return SHORT.get(label, label)


def _win(row: Row) -> str | None:
    return None if row.win_percent is None else f"{row.win_percent:.1f}"


def _plans(row: Row) -> tuple[int, int]:
    turns = row.entry.turns
    return sum(turn.plan_came for turn in turns), sum(turn.due.plan for turn in turns)
