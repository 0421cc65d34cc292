"""A table once, shown anywhere: terminal, Markdown, CSV, JSON."""

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

import rich.box
import rich.table
from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.text import Text

from tripgauge.statistics import Estimate, Interval

SHORT = 12
"""Texts up to so many letters are not broken over lines while others can give way."""

NARROW = 8
"""What a column of texts keeps in any case; and the headings of the others."""

NAME = 16
"""What the first column keeps in any case: it says what a row is about."""

MANY = 6
"""From so many columns on they stand closer."""

Cell = str | int | float | Estimate | None
"""None is shown as a dash: there is no such number. An estimate is shown with its interval."""

Value = str | int | float | None


def counted(count: int, singular: str, plural: str = "") -> str:
    """A number of things in words: "1 task", "2 tasks"."""
    return f"{count} {singular if count == 1 else plural or f'{singular}s'}"


@dataclass(frozen=True)
class Table:
    """Columns with rows of cells, and what a reader has to know beside."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    notes: tuple[str, ...] = ()
    folding: tuple[str, ...] = ()
    """Columns whose texts may be broken over lines even where they come first."""

    def rich(self) -> RenderableType:
        """For the terminal: as wide as it has to be, and no wider than there is room."""
        return _Fitted(self)

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


# --- Fitting a table into a terminal ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Column:
    """A column of a table in a terminal, and how narrow it may become. Nothing is cut: texts go on below."""

    heading: str
    cells: tuple[str, ...]
    is_number: bool
    is_name: bool

    @property
    def widest(self) -> int:
        return max(map(cell_len, (self.heading, *self._lines)))

    @property
    def comfortable(self) -> int:
        """A name or a number stays on its line, and so does each word of a heading."""
        word = max(map(cell_len, self.heading.split()), default=0)
        return max(word, self._longest if self._keeps_line else min(self._longest, SHORT))

    @property
    def least(self) -> int:
        """A number stays on its line in any case."""
        if self.is_number:
            return max(self._longest, min(self.comfortable, NARROW))
        return min(self.comfortable, NAME if self.is_name else NARROW)

    @property
    def _keeps_line(self) -> bool:
        return self.is_number or self.is_name

    @property
    def _longest(self) -> int:
        return max(map(cell_len, self._lines), default=0)

    @property
    def _lines(self) -> list[str]:
        return [line for cell in self.cells for line in cell.splitlines()]


@dataclass(frozen=True)
class _Fitted:
    """A table that looks for room where it is shown."""

    table: Table

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        columns = [self._column(place, heading) for place, heading in enumerate(self.table.columns)]
        padding = 1 if len(columns) < MANY else 0
        drawn = rich.table.Table(
            title=self.table.title or None,
            title_justify="left",
            caption_justify="left",
            box=rich.box.SIMPLE_HEAD,
            show_edge=False,
            padding=(0, padding, 0, 0),
            collapse_padding=True,
        )
        room = options.max_width - len(columns) * padding - (len(columns) - 1)
        for column, width in zip(columns, _widths(columns, room), strict=True):
            justify: Literal["left", "right"] = "right" if column.is_number else "left"
            drawn.add_column(Text(column.heading), justify=justify, width=width, overflow="fold")
        for cells in zip(*(column.cells for column in columns), strict=True):
            drawn.add_row(*map(Text, cells))
        drawn.caption = "\n".join(self.table.notes) or None
        yield drawn

    def _column(self, place: int, heading: str) -> _Column:
        cells = [row[place] for row in self.table.rows]
        is_number = not any(isinstance(cell, str) for cell in cells)
        is_name = place == 0 and heading not in self.table.folding
        return _Column(heading, tuple(map(_in_terminal, cells)), is_number, is_name)


def _widths(columns: Sequence[_Column], room: int) -> list[int]:
    """As wide as their contents; where there is too little room, the widest give way first, the name of a row last."""
    widths = [column.widest for column in columns]
    comfortable = [column.comfortable for column in columns]
    tight = [column.comfortable if column.is_name else column.least for column in columns]
    for floors in (comfortable, tight, [column.least for column in columns]):
        while sum(widths) > room:
            spare = [width if width > floor else 0 for width, floor in zip(widths, floors, strict=True)]
            if not any(spare):
                break
            widths[spare.index(max(spare))] -= 1
    return widths
