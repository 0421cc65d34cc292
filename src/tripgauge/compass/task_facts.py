"""What a task set looks like: the distributions of the paper's Figures 12 to 17."""

from collections import Counter
from collections.abc import Callable, Iterable
from statistics import median

from tripgauge.compass.generation.tasks import revelation_matters
from tripgauge.compass.objectives import SingleMetric
from tripgauge.compass.ranking import passing_share
from tripgauge.compass.solver import Solver
from tripgauge.compass.task import Task
from tripgauge.report.table import Cell, Table

LEVELS = {1: "I hotel", 2: "II hotel + flight", 3: "III hotel + flight + permit"}


def task_list(tasks: Iterable[Task]) -> Table:
    """One row for each task."""
    columns = ("task_id", "level", "objective_kind", "objective", "constraints", "told later", "title")
    return Table("COMPASS tasks", columns, tuple(_row(task) for task in tasks))


def _row(task: Task) -> tuple[Cell, ...]:
    kind, later = task.objective.kind, len(task.progressive)
    return (task.task_id, task.level, kind, objective_name(task), len(task.constraints), later, task.title)


def objective_name(task: Task) -> str:
    """The metric, or how many wishes are counted."""
    if isinstance(task.objective, SingleMetric):
        return task.objective.metric.name
    return f"{len(task.wishes)} wishes"


def tables(tasks: tuple[Task, ...], solver: Solver) -> tuple[Table, ...]:
    """How the tasks are spread, and how hard they are."""
    return (
        _levels(tasks),
        _spread("Hard constraints", "constraints", tasks, lambda task: [len(task.constraints)]),
        _spread("Objectives", "objective", tasks, lambda task: [objective_name(task)]),
        _spread("Constraint types", "type", tasks, lambda task: [s.constraint.type for s in task.constraints]),
        _spread("Wishes", "type", tasks, lambda task: [wish.type for wish in task.wishes]),
        _spread("Scenarios", "title", tasks, lambda task: [task.title]),
        _hardness(tasks, solver),
    )


def _levels(tasks: tuple[Task, ...]) -> Table:
    count = Counter((task.level, task.objective.kind) for task in tasks)
    rows: list[tuple[Cell, ...]] = []
    for level, name in LEVELS.items():
        single, features = (count[level, kind] for kind in ("single_metric", "feature_count"))  # type: ignore[index]
        rows.append((name, single, features, single + features))
    kinds = Counter(task.objective.kind for task in tasks)
    rows.append(("total", kinds["single_metric"], kinds["feature_count"], len(tasks)))
    return Table("Levels", ("level", "single metric", "feature count", "total"), tuple(rows))


def _spread(title: str, column: str, tasks: Iterable[Task], of: Callable[[Task], Iterable[Cell]]) -> Table:
    """How often something occurs, the most frequent first; numbers in their own order."""
    count = Counter(item for task in tasks for item in of(task))
    numbers = all(isinstance(item, int) for item in count)
    items = sorted(count.items(), key=lambda pair: pair[0] if numbers else (-pair[1], str(pair[0])))  # type: ignore[return-value, arg-type]
    return Table(title, (column, "how many"), tuple(items))


def _hardness(tasks: tuple[Task, ...], solver: Solver) -> Table:
    """Feasible plans, what counts as top 5 percent, and whether what is told later changes the best plan."""
    rows: list[tuple[Cell, ...]] = []
    for level, name in LEVELS.items():
        here = [task for task in tasks if task.level == level]
        sets = [solver.solve(task) for task in here]
        sizes = [found.size for found in sets]
        shares = [passing_share(found.utilities, 5) for found in sets if found.size]
        later = [task for task in here if task.progressive]
        changed = sum(revelation_matters(task, solver) for task in later)
        if here:
            share = changed / len(later) if later else None
            passing = median(shares) if shares else None
            rows.append((name, min(sizes), median(sizes), max(sizes), passing, share))
    columns = ("level", "fewest plans", "median", "most", "median share in top 5 %", "best plan changes later")
    return Table("Feasible plans", columns, tuple(rows))
