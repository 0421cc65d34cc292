"""A first COMPASS table without a model: three ways to search, put before the same users."""

import tempfile
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from tripgauge.compass.analyses import feasibility_rate, mean_of, optimality_rate, satisfied_share
from tripgauge.compass.behavior import Measured
from tripgauge.compass.run_commands import measured_run, open_compass
from tripgauge.report.table import Cell, Table
from tripgauge.run_commands import RunOptions, run

AGENTS = {"exhaustive": "Exhaustive", "cheapest seen": "CheapestSeen", "first found": "FirstFound"}
"""Agents without a model, by what they are called in the table."""

COLUMNS = ("agent", "FR", "OR-5", "OR-10", "OR-20", "met", "effort", "tasks")


def demo_table(tasks: int) -> Table:
    """The agents on the first tasks of the 281: feasible, within the top percents, and how many calls it took."""
    compass = open_compass(None, None)
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for name, agent in AGENTS.items():
            path = Path(folder) / agent
            options = RunOptions(agent=f"tripgauge.compass.agents:{agent}", limit=tasks)
            run(compass, path, options, Console(quiet=True))
            rows.append((name, *_figures(measured_run(compass, path))))
    notes = (
        "FR: every constraint holds. OR-p: within the top p percent of all feasible plans.",
        "met: share of the constraints that hold. effort: different tool calls per conversation.",
    )
    return Table(f"COMPASS, agents without a model on {tasks} of 281 tasks", COLUMNS, tuple(rows), notes)


def _figures(found: Sequence[Measured]) -> tuple[Cell, ...]:
    rates = [feasibility_rate(found), *(optimality_rate(found, percent) for percent in (5, 10, 20))]
    effort = mean_of(found, lambda one: one.calls.effort)
    met = satisfied_share(found)
    return *(rate.value for rate in rates), met.value, effort.value, len(found)
