"""The verbs about COMPASS, as a person or a script meets them."""

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner, Result

from tripgauge.compass import commands
from tripgauge.compass.defaults import CATALOGUE_DIGEST
from tripgauge.compass.task import Task, read_task_lines
from tripgauge.errors import UsageError

app = typer.Typer()
app.command("build")(commands.build_catalogue)
app.command("check")(commands.check_catalogue)
app.command("stats")(commands.catalogue_stats)
app.command("tasks")(commands.list_tasks)
app.command("generate")(commands.generate)
app.command("task-stats")(commands.task_stats)
app.command("solve")(commands.solve)


def run(*arguments: object) -> Result:
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


def answer(*arguments: object) -> Any:
    """What a command prints as JSON."""
    result = run(*arguments, "--json")
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("compass") / "compass.sqlite"
    assert run("build", "--out", path).exit_code == 0
    return path


def test_a_built_catalogue_is_sound_and_the_released_one(built: Path):
    assert answer("check", "--catalogue", built) == {"digest": CATALOGUE_DIGEST, "faults": []}


def test_the_catalogue_that_comes_along_is_sound():
    assert answer("check")["faults"] == []


def test_a_catalogue_that_was_tampered_with_is_found_out(built: Path, tmp_path: Path):
    changed = tmp_path / "changed.sqlite"
    changed.write_bytes(built.read_bytes())
    connection = sqlite3.connect(changed)
    connection.execute("UPDATE offers SET price_cents = price_cents - 1 WHERE config_id = 7 AND day = 3")
    connection.commit()
    connection.close()

    result = run("check", "--catalogue", changed)

    assert result.exit_code == 1
    assert "digest" in result.output


def test_a_missing_catalogue_is_one_clear_line(tmp_path: Path):
    result = run("check", "--catalogue", tmp_path / "none.sqlite")

    assert isinstance(result.exception, UsageError)
    assert "Make one with" in str(result.exception)


def test_a_catalogue_is_not_built_into_a_folder_that_is_not_there(tmp_path: Path):
    result = run("build", "--out", tmp_path / "nowhere" / "c.sqlite")

    assert isinstance(result.exception, UsageError)
    assert "no folder" in str(result.exception)


def test_a_catalogue_is_not_built_over_a_folder_and_nothing_is_left(tmp_path: Path):
    folder = tmp_path / "folder"
    folder.mkdir()

    result = run("build", "--out", folder)

    assert isinstance(result.exception, UsageError)
    assert "is a folder" in str(result.exception)
    assert list(tmp_path.iterdir()) == [folder]


def test_the_stats_tell_counts_and_shapes(built: Path):
    found = answer("stats", "--catalogue", built)

    assert {"what": "hotels", "how many": 377} in found["Content"]
    assert len(found["Parks"]) == 20


def test_the_task_list_has_what_scripts_ask_for(tasks: tuple[Task, ...]):
    listed = answer("tasks")

    assert len(listed) == 281
    for entry, task in zip(listed, tasks, strict=True):
        assert entry["task_id"] == task.task_id
        assert entry["level"] == task.level
        assert entry["objective_kind"] == task.objective.kind
        assert entry["constraint_count"] == len(task.constraints)


def test_the_task_list_says_nothing_about_solutions():
    text = run("tasks", "--json").stdout

    assert "witness" not in text
    assert "optimum" not in text
    assert "pkg_" not in text


def test_tasks_can_be_made_solved_and_read_again(tmp_path: Path):
    file, solutions = tmp_path / "tasks.jsonl", tmp_path / "solutions.jsonl"

    assert run("generate", "--seed", 4, "--count", 6, "--out", file, "--solutions", solutions).exit_code == 0

    made = read_task_lines(file.read_text(encoding="utf-8"))
    found = [json.loads(line) for line in solutions.read_text(encoding="utf-8").splitlines()]
    assert len(made) == 6
    assert [entry["task_id"] for entry in found] == [task.task_id for task in made]
    solved = answer("solve", made[2].task_id, "--tasks", file)
    assert solved["feasible"] == found[2]["feasible"]
    assert solved["witness"] == found[2]["witness"]
    assert len(answer("task-stats", "--tasks", file)["Levels"]) == 4


def test_the_task_stats_show_the_published_margins():
    total = answer("task-stats")["Levels"][-1]

    assert total == {"level": "total", "single metric": 154, "feature count": 127, "total": 281}


def test_solving_shows_what_each_constraint_costs(tasks: tuple[Task, ...]):
    task = next(task for task in tasks if task.level == 2 and task.objective.is_cost and task.progressive)

    found = answer("solve", task.task_id)

    assert found["feasible"] >= 20
    assert found["thresholds"]["5"] >= found["thresholds"]["10"] >= found["thresholds"]["20"]
    assert found["optimum"] >= found["thresholds"]["5"]
    assert {entry["id"] for entry in found["constraints"]} == {
        stated.id for stated in task.constraints if stated.constraint.type != "guests"
    }
    for entry in found["constraints"]:
        assert entry["gain"] == entry["optimum_without"] - found["optimum"] >= 0
        assert entry["feasible_without"] >= found["feasible"]


def test_solving_is_shown_in_words(tasks: tuple[Task, ...]):
    task = next(task for task in tasks if task.level == 1 and task.objective.is_cost)

    text = run("solve", task.task_id).stdout

    assert "optimum" in text
    assert "$" in text
    assert "What each constraint costs" in text


def test_an_unknown_task_is_the_operators_fault():
    result = run("solve", "nowhere")

    assert isinstance(result.exception, UsageError)
    assert "tripgauge tasks compass" in str(result.exception)


@pytest.mark.parametrize("command", ["build", "check", "stats", "tasks", "generate", "task-stats", "solve"])
def test_every_command_explains_itself(command: str):
    result = run(command, "--help")

    assert result.exit_code == 0
    assert "COMPASS" in result.output
