"""The verbs of the command line that are about COMPASS."""

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from tripgauge.codec import write_text
from tripgauge.errors import UsageError
from tripgauge.report.table import Table, counted

out = Console()
log = Console(stderr=True)

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
CataloguePath = Annotated[
    Path | None,
    typer.Option(
        "--catalogue",
        help="A catalogue from `data build compass`; the default one without it.",
        envvar="TRIPGAUGE_COMPASS",
    ),
]
TasksPath = Annotated[Path | None, typer.Option("--tasks", help="A task file; the 281 that come along without it.")]
Seed = Annotated[int, typer.Option("--seed", min=0, help="The same seed gives the same result everywhere.")]


def _show(tables: Sequence[Table], as_json: bool) -> None:
    if as_json:
        _print_json({table.title: table.json() for table in tables})
    else:
        for table in tables:
            out.print(table.rich())


def _print_json(value: Any) -> None:
    sys.stdout.write(json.dumps(value, ensure_ascii=False, indent=2) + "\n")


# -- Catalogue


def build_catalogue(
    out_path: Annotated[Path, typer.Option("--out", help="The file to write.")] = Path("compass.sqlite"),
    seed: Seed = 0,
    scale: Annotated[int, typer.Option("--scale", min=1, max=100, help="Times the hotels and flights.")] = 1,
) -> None:
    """Make a COMPASS catalogue: hotels, flights and permits of August 2025 around 20 parks, as a SQLite file."""
    from tripgauge.compass.database import write_database
    from tripgauge.compass.generation.catalogue import generate_catalogue

    if not out_path.absolute().parent.is_dir():
        raise UsageError(f"There is no folder {out_path.absolute().parent} to write into.")
    if out_path.is_dir():
        raise UsageError(f"{out_path} is a folder; name the file to write, such as {out_path / 'compass.sqlite'}")
    catalogue = generate_catalogue(seed, scale)
    write_database(catalogue, out_path, seed=seed, scale=scale)
    log.print(f"{out_path}: seed {seed}, scale {scale}, digest {catalogue.digest}", highlight=False, soft_wrap=True)


def check_catalogue(path: CataloguePath = None, as_json: AsJson = False) -> None:
    """Check a COMPASS catalogue: is it whole, and is it what it says it is? Exit code 1 if not."""
    from tripgauge.compass.catalogue_facts import faults
    from tripgauge.compass.defaults import CATALOGUE_DIGEST, TASKS_DIGEST, digest, open_catalogue, tasks_text

    catalogue = open_catalogue(path)
    found = faults(catalogue)
    if catalogue.digest != (stated := _stated_digest(path) or CATALOGUE_DIGEST):
        found.append(f"Its content has the digest {catalogue.digest}, not {stated}.")
    if path is None and digest(tasks_text()) != TASKS_DIGEST:
        found.append("The task file that comes along is not the one that was released.")
    if as_json:
        _print_json({"digest": catalogue.digest, "faults": found})
    else:
        for fault in found or [f"Sound. Digest {catalogue.digest}"]:
            out.print(fault, highlight=False, soft_wrap=True)
    if found:
        raise typer.Exit(1)


def is_task_file(path: Path) -> bool:
    """Whether a file is one of COMPASS tasks."""
    from tripgauge.compass import task_files

    return task_files.is_task_file(path)


def check_tasks(path: Path, catalogue_path: Path | None = None, as_json: bool = False) -> None:
    """Hold a COMPASS task file against the catalogue. Exit code 1 if something is wrong with it."""
    from tripgauge.compass.defaults import open_catalogue
    from tripgauge.compass.task_files import task_faults

    found = [str(fault) for fault in task_faults(path, open_catalogue(catalogue_path))]
    if as_json:
        _print_json({"faults": found})
    else:
        for fault in found or [f"{path}: sound."]:
            out.print(fault, highlight=False, soft_wrap=True, markup=False)
    if found:
        raise typer.Exit(1)


def _stated_digest(path: Path | None) -> str | None:
    from tripgauge.compass.database import connect, read_about

    if path is None:
        return None
    connection = connect(path)
    try:
        return read_about(connection).digest
    finally:
        connection.close()


def catalogue_stats(path: CataloguePath = None, as_json: AsJson = False) -> None:
    """Show what a COMPASS catalogue holds and how its prices and places are spread."""
    from tripgauge.compass.catalogue_facts import tables
    from tripgauge.compass.defaults import open_catalogue

    _show(tables(open_catalogue(path)), as_json)


# -- Tasks


def list_tasks(tasks: TasksPath = None, as_json: AsJson = False) -> None:
    """List the COMPASS tasks."""
    from tripgauge.compass.defaults import open_tasks
    from tripgauge.compass.task import task_to_json
    from tripgauge.compass.task_facts import objective_name, task_list

    found = open_tasks(tasks)
    if not as_json:
        _show((task_list(found),), as_json=False)
        return
    shown = [
        {
            **task_to_json(task),
            "objective_name": objective_name(task),
            "constraint_count": len(task.constraints),
            "progressive_count": len(task.progressive),
        }
        for task in found
    ]
    _print_json(shown)


def generate(
    out_path: Annotated[Path, typer.Option("--out", help="The task file to write, one JSON object a line.")],
    seed: Seed = 0,
    count: Annotated[int, typer.Option("--count", min=1, help="How many tasks.")] = 281,
    solutions: Annotated[Path | None, typer.Option("--solutions", help="Write the solutions here.")] = None,
    catalogue: CataloguePath = None,
) -> None:
    """Make COMPASS tasks with the published mix; each passes the quality gates and has a plan that proves it."""
    from tripgauge.compass.defaults import digest, open_index
    from tripgauge.compass.generation.tasks import generate_tasks
    from tripgauge.compass.solver import Solver, solution_to_json
    from tripgauge.compass.task import task_line

    solver = Solver(open_index(catalogue))
    made = generate_tasks(solver, seed, count)
    text = "".join(task_line(task) + "\n" for task in made)
    write_text(out_path, text)
    if solutions:
        lines = (json.dumps(solution_to_json(solver.solve(task).solution), separators=(",", ":")) for task in made)
        write_text(solutions, "".join(line + "\n" for line in lines))
    log.print(f"{out_path}: {counted(count, 'task')}, digest {digest(text)}", highlight=False, soft_wrap=True)


def task_stats(tasks: TasksPath = None, catalogue: CataloguePath = None, as_json: AsJson = False) -> None:
    """Show how COMPASS tasks are spread over levels, objectives, constraints and wishes, and how hard they are."""
    from tripgauge.compass.defaults import open_index, open_tasks
    from tripgauge.compass.solver import Solver
    from tripgauge.compass.task_facts import tables

    index = open_index(catalogue)
    _show(tables(open_tasks(tasks, index.catalogue), Solver(index)), as_json)


def solve(
    task_id: Annotated[str, typer.Argument(metavar="TASK", help="A task id, or the beginning of one.")],
    tasks: TasksPath = None,
    catalogue: CataloguePath = None,
    as_json: AsJson = False,
) -> None:
    """Solve a COMPASS task: the optimum, what counts as near it, and what each constraint costs."""
    from tripgauge.compass.defaults import find_task, open_index, open_tasks
    from tripgauge.compass.solve_report import solved
    from tripgauge.compass.solver import Solver

    index = open_index(catalogue)
    found = solved(find_task(open_tasks(tasks, index.catalogue), task_id), Solver(index))
    if as_json:
        _print_json(found.json())
    else:
        _show(found.tables(), as_json=False)
