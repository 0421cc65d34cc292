"""The catalogue, tasks and solutions everybody compares with: seed 0, 281 tasks.

The catalogue is made when it is asked for, in a fraction of a second; tasks and solutions come with the package. They
were written by `tripgauge tasks generate compass`, which gives the same files again.
"""

import json
from functools import cache
from hashlib import sha256
from importlib.resources import files
from pathlib import Path

from tripgauge.compass.catalogue import Catalogue
from tripgauge.compass.database import connect, read_catalogue
from tripgauge.compass.generation.catalogue import generate_catalogue
from tripgauge.compass.index import Index
from tripgauge.compass.solver import Solution, solution_from_json
from tripgauge.compass.task import Task, read_task_lines
from tripgauge.compass.task_files import read_tasks
from tripgauge.errors import UsageError

TASKS_DIGEST = "aa9ea48de47592105ce28fabb583849d88b4bb8a4aba2f2ea2c7f013aef90ee1"
"""SHA-256 of the task file that comes with the package."""

CATALOGUE_DIGEST = "4a0266d52f4f9a34148cb682f59575902ed6fe807c552d9c5e8845debd0604af"
"""Content digest of the catalogue it belongs to."""


@cache
def default_catalogue() -> Catalogue:
    return generate_catalogue()


@cache
def default_tasks() -> tuple[Task, ...]:
    return read_task_lines(tasks_text())


@cache
def default_solutions() -> tuple[Solution, ...]:
    """The solution of each default task, with a plan that reaches the optimum."""
    return tuple(solution_from_json(json.loads(line)) for line in _text("solutions.jsonl").splitlines())


def tasks_text() -> str:
    """The task file as it comes with the package."""
    return _text("tasks.jsonl")


def digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()


def _text(name: str) -> str:
    return (files("tripgauge.compass") / "data" / name).read_text(encoding="utf-8")


# ---------------------------------------------------------------------------------------------------------------
# Or others


def open_catalogue(path: Path | None) -> Catalogue:
    """The stored catalogue, or the default one if no file is given. Raises UsageError if it cannot be read."""
    if path is None:
        return default_catalogue()
    connection = connect(path)
    try:
        return read_catalogue(connection)
    finally:
        connection.close()


def open_index(path: Path | None) -> Index:
    """The same, ready for searches."""
    return Index(open_catalogue(path))


def open_tasks(path: Path | None, catalogue: Catalogue | None = None) -> tuple[Task, ...]:
    """The tasks of a file, or the default ones if no file is given.

    Raises UsageError if they cannot be read, or do not fit the catalogue; the default one if none is given.
    """
    return default_tasks() if path is None else read_tasks(path, catalogue or default_catalogue())


def find_task(tasks: tuple[Task, ...], task_id: str) -> Task:
    """The task of an id, or of the beginning of one, such as "budget_hiking_trip_1".

    Raises UsageError, with what to do, if there is none or more than one.
    """
    near = [task for task in tasks if f"{task.task_id}_".startswith(f"{task_id}_")]
    if len(near) != 1:
        hint = f"It is the beginning of {len(near)} ids." if near else "List them with: tripgauge tasks compass"
        raise UsageError(f"There is no COMPASS task {task_id}. {hint}")
    return near[0]
