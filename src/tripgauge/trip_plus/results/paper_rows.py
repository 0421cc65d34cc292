"""The rows of the paper's main table, to read results beside. (Trip+ Table 2)"""

import csv
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path

from tripgauge.codec import read_text
from tripgauge.report.table import Table
from tripgauge.trip_plus.release.aggregate import Leaderboard

SOURCE = "Trip+ Table 2 (arXiv 2606.21169): 153 tasks, 570 turns, published code"


@dataclass(frozen=True)
class PaperRow:
    """One model as published."""

    group: str
    """"frontier" or "lightweight"."""

    model: str
    columns: Leaderboard
    plan_average: float
    """As printed."""

    win_percent: float
    """As printed."""

    def json(self) -> dict[str, object]:
        """For machines."""
        return {
            "model": self.model,
            "group": self.group,
            "source": SOURCE,
            **vars(self.columns),
            "plan_average": self.plan_average,
            "win_percent": self.win_percent,
        }


@cache
def paper_rows() -> tuple[PaperRow, ...]:
    """All eighteen, in the order of the table."""
    path = Path(str(files("tripgauge.trip_plus.results"))) / "paper" / "table_2.csv"
    return tuple(_row(cells) for cells in csv.DictReader(read_text(path).splitlines()))


def _row(cells: dict[str, str]) -> PaperRow:
    group, model = cells.pop("group"), cells.pop("model")
    figures = {name: float(text) for name, text in cells.items()}
    plan_average, win_percent = figures.pop("plan_average"), figures.pop("win_percent")
    return PaperRow(group, model, Leaderboard(**figures), plan_average, win_percent)


COLUMNS = ("model", "Resp.", "Req.", "Pres.", "Feas.", "Hard", "Soft", "Sim.", "Avg.", "Win %")


def paper_table(*, beside_strict: bool) -> Table:
    """As published, without ranks."""
    rows = tuple(
        (row.model, *vars(row.columns).values(), row.plan_average, f"{row.win_percent:.1f}") for row in paper_rows()
    )
    notes = [f"Source: {SOURCE}. Never ranked among runs."]
    if beside_strict:
        notes.append("Other checks and means than edition strict: only edition release computes the same figures.")
    return Table("As published (Avg. is Plan Avg.)", COLUMNS, rows, tuple(notes), folding=("model",))
