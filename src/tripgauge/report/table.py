"""A table once, shown anywhere: terminal, Markdown, CSV, JSON."""

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import rich.box
import rich.table

from tripgauge.statistics import Estimate, Interval

SHORT = 12
"""Texts up to so many letters are never broken over lines."""

MANY = 6
"""From so many columns on they stand closer."""

Cell = str | int | float | Estimate | None
"""None is shown as a dash: there is no such number. An estimate is shown with its interval."""

Value = str | int | float | None


@dataclass(frozen=True)
class Table:
    """Columns with rows of cells, and what a reader has to know beside."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    notes: tuple[str, ...] = ()
    folding: tuple[str, ...] = ()
    """Columns whose texts may be broken over lines even where they come first."""

    def rich(self) -> rich.table.Table:
        """For the terminal."""
        table = rich.table.Table(
            title=self.title or None,
            title_justify="left",
            caption_justify="left",
            box=rich.box.SIMPLE_HEAD,
            show_edge=False,
            padding=(0, 1 if len(self.columns) < MANY else 0, 0, 0),
            collapse_padding=True,
        )
        for place, column in enumerate(self.columns):
            is_number = all(not isinstance(row[place], str) for row in self.rows)
            is_first = place == 0 and column not in self.folding
            keeps_line = is_number or is_first or max(len(shown(row[place])) for row in self.rows) <= SHORT
            table.add_column(column, justify="right" if is_number else "left", no_wrap=keeps_line, overflow="fold")
        for row in self.rows:
            table.add_row(*(_in_terminal(cell) for cell in row))
        table.caption = "\n".join(self.notes) or None
        return table

    def markdown(self) -> str:
        """As a Markdown table with its title and notes."""
        lines = [f"**{self.title}**", "", _line(self.columns), _line(["---"] * len(self.columns))]
        lines += [_line([shown(cell) for cell in row]) for row in self.rows]
        if self.notes:
            lines += ["", *self.notes]
        return "\n".join(lines) + "\n"

    def csv(self) -> str:
        """As CSV, numbers unrounded, missing ones empty. An estimate has a column for each of its parts."""
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        estimates = {place for row in self.rows for place, cell in enumerate(row) if isinstance(cell, Estimate)}
        names = [_part_names(column) if place in estimates else [column] for place, column in enumerate(self.columns)]
        writer.writerow([name for group in names for name in group])
        for row in self.rows:
            cells = [_parts(cell, whole=place in estimates) for place, cell in enumerate(row)]
            writer.writerow(["" if value is None else value for group in cells for value in group])
        return text.getvalue()

    def json(self) -> list[dict[str, object]]:
        """As a list of objects keyed by column."""
        return [{column: as_json(cell) for column, cell in zip(self.columns, row, strict=True)} for row in self.rows]


class Report(Protocol):
    """What can be shown to people and handed to machines."""

    def tables(self) -> Sequence[Table]:
        """For people: each fits 80 columns."""
        ...

    def flat(self) -> Table:
        """For CSV: all of it in one table."""
        ...

    def json(self) -> object:
        """For machines: everything."""
        ...


def shown(cell: Cell) -> str:
    """A cell as people read it on one line: four decimals, a dash for no number."""
    match cell:
        case None:
            return "–"
        case Estimate(interval=interval):
            return f"{shown(cell.value)} [{_span(interval)}]" if interval else shown(cell.value)
        case float():
            return f"{cell:.4f}"
        case _:
            return str(cell)


def as_json(cell: Cell) -> object:
    """A cell for machines; an estimate as an object."""
    if not isinstance(cell, Estimate):
        return cell
    return dict(zip(_PARTS, _parts(cell, whole=True), strict=True))


_PARTS = ("value", "numerator", "denominator", "tasks", "low", "high")


def _part_names(column: str) -> list[str]:
    return [column, *(f"{column} {part}" for part in _PARTS[1:])]


def _parts(cell: Cell, *, whole: bool) -> Sequence[Value]:
    """The values of a cell; as many as an estimate has if its column is of estimates."""
    if not isinstance(cell, Estimate):
        return (cell, *([None] * (len(_PARTS) - 1))) if whole else (cell,)
    interval = cell.interval
    ends = (interval.low, interval.high) if interval else (None, None)
    return (cell.value, cell.numerator, cell.denominator, cell.tasks, *ends)


def _in_terminal(cell: Cell) -> str:
    """An estimate's interval stands under its value, so that many of them fit side by side."""
    if isinstance(cell, Estimate) and cell.interval:
        return f"{shown(cell.value)}\n{_span(cell.interval)}"
    return shown(cell.value if isinstance(cell, Estimate) else cell)


def _span(interval: Interval) -> str:
    """Two decimals, without the zero in front: ".84–.90"."""
    return "–".join(
        f"{end:.2f}".replace("0.", ".", 1) if abs(end) < 0.995 else f"{end:.1f}"
        for end in (interval.low, interval.high)
    )


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
