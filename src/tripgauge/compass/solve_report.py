"""A solved task, to look at: optimum, thresholds, and what each constraint costs."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tripgauge.compass.constraints import dollars
from tripgauge.compass.objectives import Objective, SingleMetric
from tripgauge.compass.ranking import TOP_PERCENTS, passing_share
from tripgauge.compass.solver import FeasibleSet, Price, Solver, solution_to_json
from tripgauge.compass.task import Task
from tripgauge.report.table import Table


@dataclass(frozen=True)
class SolvedTask:
    """A task with its feasible set and the price of each constraint."""

    task: Task
    feasible: FeasibleSet
    prices: Sequence[Price]

    def json(self) -> dict[str, Any]:
        """Everything, as JSON values. Utilities are whole numbers in the units of the metric."""
        return {
            **solution_to_json(self.feasible.solution),
            "passing_share": {str(percent): self._share(percent) for percent in TOP_PERCENTS},
            "constraints": [
                {
                    "id": price.stated.id,
                    "type": price.stated.constraint.type,
                    "value": price.stated.constraint.value,
                    "feasible_without": price.size,
                    "optimum_without": price.optimum,
                    "gain": price.gain,
                }
                for price in self.prices
            ],
        }

    def _share(self, percent: int) -> float | None:
        return passing_share(self.feasible.utilities, percent) if self.feasible.size else None

    def tables(self) -> tuple[Table, ...]:
        """For people."""
        return self._summary(), self._prices()

    def _summary(self) -> Table:
        solution = self.feasible.solution
        rows: list[tuple[str, str]] = [
            ("objective", self.task.objective.words),
            ("feasible plans", f"{solution.size:,}"),
        ]
        if solution.optimum is not None:
            rows.append(("optimum", utility_in_words(self.task.objective, solution.optimum)))
            rows.append(("a best plan", str(solution.best)))
        for percent, utility in zip(TOP_PERCENTS, solution.thresholds, strict=False):
            share = self._share(percent) or 0.0
            words = utility_in_words(self.task.objective, utility)
            rows.append((f"top {percent} %", f"{words} or better: {100 * share:.1f} % of the plans"))
        return Table(self.task.task_id, ("", ""), tuple(rows))

    def _prices(self) -> Table:
        rows = tuple(
            (
                price.stated.id,
                price.stated.constraint.words,
                price.size,
                "–" if price.optimum is None else utility_in_words(self.task.objective, price.optimum),
                utility_in_words(self.task.objective, price.gain, is_difference=True) if price.gain else "–",
            )
            for price in self.prices
        )
        note = "Without dates any stay of the same lengths will do. How many travel cannot be dropped."
        return Table(
            "What each constraint costs", ("", "constraint", "plans without", "optimum", "gain"), rows, (note,)
        )


def solved(task: Task, solver: Solver) -> SolvedTask:
    """A task solved, and solved again without each of its constraints."""
    return SolvedTask(task, solver.solve(task), solver.prices(task))


def utility_in_words(objective: Objective, utility: int, *, is_difference: bool = False) -> str:
    """A utility, or how much one is better than another, with its unit."""
    if not isinstance(objective, SingleMetric):
        return f"{utility} more" if is_difference else f"{utility} of {len(objective.wishes)} wishes"
    value = utility if is_difference else objective.metric.sign * utility
    match objective.metric.name:
        case "price" | "total_cost":
            return dollars(value)
        case "review_score":
            return f"{value / 10:.1f}"
        case "distance":
            return f"{value / 100:.2f} km"
        case "drive_time":
            return f"{value / 100:.2f} h"
    return f"{value} reviews"
