"""What several COMPASS tests look at: the default catalogue and everything that is made of it, once."""

import sqlite3
from collections.abc import Iterator

import pytest

from tripgauge.compass.catalogue import Catalogue
from tripgauge.compass.database import in_memory
from tripgauge.compass.defaults import default_catalogue, default_tasks
from tripgauge.compass.index import Index
from tripgauge.compass.solver import Solver
from tripgauge.compass.task import Task


@pytest.fixture(scope="session")
def catalogue() -> Catalogue:
    return default_catalogue()


@pytest.fixture(scope="session")
def index(catalogue: Catalogue) -> Index:
    return Index(catalogue)


@pytest.fixture(scope="session")
def solver(index: Index) -> Solver:
    return Solver(index)


@pytest.fixture(scope="session")
def tasks() -> tuple[Task, ...]:
    return default_tasks()


@pytest.fixture(scope="session")
def database(catalogue: Catalogue) -> Iterator[sqlite3.Connection]:
    connection = in_memory(catalogue)
    yield connection
    connection.close()
