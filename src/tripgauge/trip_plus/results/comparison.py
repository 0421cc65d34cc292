"""Two agents task by task: is there a difference that chance does not explain? (R26)"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from tripgauge.errors import UsageError
from tripgauge.report.table import Cell, Table
from tripgauge.statistics import Estimate, Interval, PairedTest, Share, estimate, mean_of, paired_permutation_test
from tripgauge.trip_plus.edition import Edition
from tripgauge.trip_plus.results.summary import (
    QUALITY,
    Basis,
    Column,
    Entry,
    ScoredTurn,
    Value,
    columns_of,
    shares,
)

SIGNIFICANT = 0.05
"""A difference is shown where p is below it."""

TASKS_SHOWN = 20


@dataclass(frozen=True)
class ColumnComparison:
    """One figure of both, over the same tasks."""

    name: str
    first: Estimate
    second: Estimate
    test: PairedTest | None
    """None where either has no such figure."""

    @property
    def is_shown(self) -> bool:
        """Whether there is a difference that chance does not explain."""
        return self.test is not None and self.test.p < SIGNIFICANT

    def verdict(self, first: str, second: str) -> str:
        """In words."""
        if self.test is None:
            return "not known of both"
        if not self.is_shown:
            return "no difference shown"
        return f"{first if self.test.difference > 0 else second} is better"


@dataclass(frozen=True)
class TaskDifference:
    """The headline figure of both on one task."""

    task: str
    first: float | None
    second: float | None

    @property
    def difference(self) -> float:
        """The first less the second; 0 where one has none."""
        return self.first - self.second if self.first is not None and self.second is not None else 0.0


@dataclass(frozen=True)
class Comparison:
    """Two agents, as a report."""

    first: str
    second: str
    edition: Edition
    headline: ColumnComparison
    columns: tuple[ColumnComparison, ...]
    tasks: tuple[TaskDifference, ...]
    """The largest differences first."""

    left_out: int
    """Tasks and trials that only one of them has."""

    @cached_property
    def verdict(self) -> str:
        """The answer in one sentence."""
        test = self.headline.test
        if test is None:
            return f"{self.headline.name} is not known of both."
        if self.headline.is_shown:
            better, worse = (self.first, self.second) if test.difference > 0 else (self.second, self.first)
            return (
                f"{better} is better than {worse}: {self.headline.name} differs by "
                f"{abs(test.difference):.4f}{_span(test.interval)}, p = {test.p:.4f}."
            )
        why = ""
        if test.unequal and test.smallest_p >= SIGNIFICANT:
            why = f" With {test.unequal} tasks that differ, none could be shown (p is at least {test.smallest_p:.2f})."
        return (
            f"No difference shown: {self.headline.name} differs by {test.difference:+.4f}{_span(test.interval)}, "
            f"p = {test.p:.4f}.{why}"
        )

    def tables(self) -> Sequence[Table]:
        """Column by column, then task by task."""
        unlike = [task for task in self.tasks if task.difference]
        rows = tuple((t.task, t.first, t.second, _signed(t.difference)) for t in unlike[:TASKS_SHOWN])
        better, worse = sum(t.difference > 0 for t in unlike), sum(t.difference < 0 for t in unlike)
        counted = f"{self.first} is ahead on {better} of {len(self.tasks)} tasks, {self.second} on {worse}."
        hidden = f" The {TASKS_SHOWN} largest differences are shown; all are in the JSON and CSV forms."
        note = counted + (hidden if len(unlike) > TASKS_SHOWN else "")
        title = f"Task by task: {self.headline.name}"
        tasks = Table(title, ("task", self.first, self.second, "difference"), rows, (note,))
        return (self._by_column(), tasks)

    def _by_column(self) -> Table:
        rows = tuple(self._row(column) for column in self.columns)
        notes = [self.verdict, "The first row decides; with so many others one may fall below 0.05 by chance."]
        notes.append("p: paired permutation test over tasks, two-sided.")
        if self.left_out:
            notes.append(f"{self.left_out} conversations that only one of them has are left out.")
        columns = ("figure", self.first, self.second, "difference", "p", "verdict")
        return Table(f"{self.first} against {self.second}, edition {self.edition}", columns, rows, tuple(notes))

    def _row(self, column: ColumnComparison) -> tuple[Cell, ...]:
        test = column.test
        difference = _signed(test.difference) if test else None
        verdict = column.verdict(self.first, self.second)
        return column.name, column.first.value, column.second.value, difference, test.p if test else None, verdict

    def flat(self) -> Table:
        """Task by task."""
        rows = tuple((task.task, task.first, task.second, task.difference) for task in self.tasks)
        return Table("", ("task", self.first, self.second, "difference"), rows)

    def json(self) -> dict[str, object]:
        """Everything."""
        return {
            "benchmark": "trip_plus",
            "edition": self.edition.value,
            "first": self.first,
            "second": self.second,
            "verdict": self.verdict,
            "difference_shown": self.headline.is_shown,
            "columns": [self._column_json(column) for column in self.columns],
            "tasks": [{**vars(task), "difference": task.difference} for task in self.tasks],
            "conversations_left_out": self.left_out,
        }

    def _column_json(self, column: ColumnComparison) -> dict[str, object]:
        test = column.test
        return {
            "column": column.name,
            "first": column.first.value,
            "second": column.second.value,
            "difference": test.difference if test else None,
            "low": test.interval.low if test and test.interval else None,
            "high": test.interval.high if test and test.interval else None,
            "p": test.p if test else None,
            "exact": test.is_exact if test else None,
            "tasks_that_differ": test.unequal if test else None,
            "verdict": column.verdict(self.first, self.second),
        }


def _span(interval: Interval | None) -> str:
    return f" [{interval.low:+.4f} to {interval.high:+.4f}]" if interval else ""


def _signed(difference: float) -> str:
    return f"{difference:+.4f}"


def compare(first: Entry, second: Entry) -> Comparison:
    """Both over the tasks and trials that they have in common. Raises UsageError if there are none."""
    common = {(t.task.task_id, t.trial) for t in first.turns} & {(t.task.task_id, t.trial) for t in second.turns}
    if not common:
        raise UsageError(f"{first.name} and {second.name} have no conversation in common.")
    mine, other = ([t for t in entry.turns if (t.task.task_id, t.trial) in common] for entry in (first, second))
    all_held = {(t.task.task_id, t.trial) for entry in (first, second) for t in entry.turns}
    basis = Basis.DUE if first.edition is Edition.STRICT else Basis.DELIVERED
    headline = _headline(basis)
    compared = [column for column in columns_of(first.edition) if column.basis in (None, basis)]
    columns = [_column(column, mine, other) for column in (headline, *compared)]
    known = [column for column in columns if column.first.denominator or column.second.denominator]
    tasks = sorted(_tasks(headline, mine, other), key=lambda task: (-abs(task.difference), task.task))
    return Comparison(
        first.name, second.name, first.edition, columns[0], tuple(known), tuple(tasks), len(all_held - common)
    )


def _headline(basis: Basis) -> Column:
    """What decides: of each turn the mean of Feas., Hard Cons. and Soft Pref."""
    parts = QUALITY[basis][:3]

    def value(turn: ScoredTurn) -> Value | None:
        known = [found for part in parts if (found := part.value(turn)) is not None]
        return sum(known[1:], known[0]) / len(known) if known else None

    formula = "means of Feas., Hard Cons. and Soft Pref. of a turn, as far as they apply / turns that have any."
    return Column("Turn quality", formula, value, basis)


def _column(column: Column, first: Sequence[ScoredTurn], second: Sequence[ScoredTurn]) -> ColumnComparison:
    mine, other = _paired(column, first, second)
    test = paired_permutation_test(list(mine.values()), list(other.values()))
    return ColumnComparison(column.name, estimate(list(mine.values())), estimate(list(other.values())), test)


def _paired(
    column: Column, first: Sequence[ScoredTurn], second: Sequence[ScoredTurn]
) -> tuple[dict[str, Share], dict[str, Share]]:
    """What each task contributes to either, in the same order."""
    mine, other = shares(first, column.value), shares(second, column.value)
    tasks = sorted({*mine, *other})
    nothing = Share(0.0, 0)
    return {task: mine.get(task, nothing) for task in tasks}, {task: other.get(task, nothing) for task in tasks}


def _tasks(column: Column, first: Sequence[ScoredTurn], second: Sequence[ScoredTurn]) -> list[TaskDifference]:
    mine, other = _paired(column, first, second)
    return [TaskDifference(task, mean_of([mine[task]]), mean_of([other[task]])) for task in mine]
