"""The fast solver against DuckDB, which is asked in SQL of its own."""

import pytest

from tripgauge.compass.catalogue import Catalogue
from tripgauge.compass.generation.catalogue import generate_catalogue
from tripgauge.compass.index import Index
from tripgauge.compass.ranking import TOP_PERCENTS, places
from tripgauge.compass.solver import Solver
from tripgauge.compass.task import Task

pytest.importorskip("duckdb", reason="DuckDB is not installed; it comes with the extra `data`")

from tests.compass.oracle import Oracle


def assert_agrees(oracle: Oracle, solver: Solver, task: Task) -> None:
    solution = solver.solve(task).solution
    answer = oracle.ask(task, solution.thresholds)

    assert answer.size == solution.size, task.task_id
    assert answer.optimum == solution.optimum, task.task_id
    for top, better, as_good in zip(TOP_PERCENTS, answer.better, answer.as_good, strict=True):
        assert better < places(top, solution.size) <= as_good, (task.task_id, top)


def test_duckdb_agrees_on_a_tenth_of_the_default_tasks(catalogue: Catalogue, solver: Solver, tasks: tuple[Task, ...]):
    oracle = Oracle(catalogue)

    for task in tasks[::10]:
        assert_agrees(oracle, solver, task)


@pytest.mark.slow
def test_duckdb_agrees_on_every_default_task_at_scale_10(tasks: tuple[Task, ...]):
    catalogue = generate_catalogue(scale=10)
    oracle, solver = Oracle(catalogue), Solver(Index(catalogue))

    for task in tasks:
        assert_agrees(oracle, solver, task)
