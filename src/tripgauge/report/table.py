"""A table once, shown anywhere: terminal, Markdown, CSV, JSON."""

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass

import rich.box
import rich.table

SHORT = 12
"""Texts up to so many letters are never broken over lines."""

Cell = str | int | float | None
"""None is shown as a dash: there is no such number."""


@dataclass(frozen=True)
class Table:
    """Columns with rows of cells, and what a reader has to know beside."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    notes: tuple[str, ...] = ()

    def rich(self) -> rich.table.Table:
        """For the terminal."""
        table = rich.table.Table(
            title=self.title or None,
            title_justify="left",
            caption_justify="left",
            box=rich.box.SIMPLE_HEAD,
            show_edge=False,
            padding=(0, 1, 0, 0),
            collapse_padding=True,
        )
        for place, column in enumerate(self.columns):
            is_number = all(not isinstance(row[place], str) for row in self.rows)
            keeps_line = is_number or place == 0 or max(len(shown(row[place])) for row in self.rows) <= SHORT
            table.add_column(column, justify="right" if is_number else "left", no_wrap=keeps_line, overflow="fold")
        for row in self.rows:
            table.add_row(*(shown(cell) for cell in row))
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
        """As CSV, numbers unrounded, missing ones empty."""
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(self.columns)
        writer.writerows(["" if cell is None else cell for cell in row] for row in self.rows)
        return text.getvalue()

    def json(self) -> list[dict[str, Cell]]:
        """As a list of objects keyed by column."""
        return [dict(zip(self.columns, row, strict=True)) for row in self.rows]


def shown(cell: Cell) -> str:
    """A cell as people read it: four decimals, a dash for no number."""
    if cell is None:
        return "–"
    return f"{cell:.4f}" if isinstance(cell, float) else str(cell)


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
