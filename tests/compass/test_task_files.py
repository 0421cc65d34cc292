"""Task files people bring: every fault is told before a run begins, with file, line and field."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from tripgauge.cli import app
from tripgauge.compass.catalogue import Catalogue
from tripgauge.compass.defaults import open_tasks, tasks_text
from tripgauge.compass.task import Task, task_line
from tripgauge.compass.task_files import read_tasks, task_faults
from tripgauge.errors import UsageError

Change = Callable[[dict[str, Any]], object]


def stored(path: Path, *tasks: dict[str, Any]) -> Path:
    file = path / "tasks.jsonl"
    file.write_text("".join(json.dumps(task) + "\n" for task in tasks), encoding="utf-8")
    return file


def of(type_: str, task: dict[str, Any]) -> dict[str, Any]:
    """The constraint of a type."""
    return next(stated for stated in task["constraints"] if stated["type"] == type_)


def ask(type_: str, value: Any) -> Change:
    return lambda task: of(type_, task).update(value=value)


def drop(type_: str) -> Change:
    return lambda task: task["constraints"].remove(of(type_, task))


@pytest.fixture
def trip(tasks: tuple[Task, ...]) -> dict[str, Any]:
    """A task with flights, a permit and things that are told later."""
    task = next(task for task in tasks if task.level == 3 and len(task.progressive) >= 2)
    found: dict[str, Any] = json.loads(task_line(task))
    return found


def test_the_tasks_that_come_along_are_sound(tmp_path: Path, catalogue: Catalogue, tasks: tuple[Task, ...]):
    file = tmp_path / "tasks.jsonl"
    file.write_text(tasks_text(), encoding="utf-8")

    assert task_faults(file, catalogue) == ()
    assert read_tasks(file, catalogue) == tasks


FAULTS: dict[str, tuple[Change, str]] = {
    "a park that is nowhere": (ask("location", ["Atlantis"]), "constraints[0].value: 'Atlantis' is no location"),
    "nobody travels": (ask("guests", 0), "guests is 0"),
    "a budget below nothing": (ask("budget", -5), "budget is -5"),
    "no dates": (drop("dates"), "constraints: there is none of the type dates"),
    "flights from nowhere": (drop("origin"), "constraints: there is none of the type origin"),
    "an unknown airport": (ask("origin", "XXX"), "'XXX' is no origin"),
    "an id twice": (lambda task: task["constraints"][1].update(id="c1"), "constraints: the id c1 is there 2 times"),
    "a requirement twice": (
        lambda task: task["constraints"].append({**of("budget", task), "id": "c99"}),
        "the type budget is there 2 times",
    ),
    "another party in search": (lambda task: task["search"].update(guests=9), "search.guests: is 9, but"),
    "an order twice": (
        lambda task: [stated.update(order=1) for stated in task["constraints"] if "order" in stated],
        "numbered from 1 to",
    ),
    "a hotel task with flights": (lambda task: task.update(level=1), "origin needs level 2; the task has level 1"),
    "a level as text": (lambda task: task.update(level="3"), 'level: should be 1, 2 or 3, but is "3"'),
    "no story": (lambda task: task.pop("backstory"), "backstory: is missing"),
    "a requirement without a value": (lambda task: of("guests", task).pop("value"), ".value: is missing"),
    "a requirement that is never told": (lambda task: of("guests", task).update(reveal="never"), ".reveal: should be"),
    "an unknown requirement": (lambda task: of("guests", task).update(type="has_moat"), "has_moat"),
    "no objective": (
        lambda task: task.update(objective_kind="single_metric", objective=None),
        "objective: should be an object with a metric, but is null",
    ),
    "the worst is wanted": (
        lambda task: task.update(
            objective_kind="single_metric", objective={"metric": "total_cost", "direction": "max"}
        ),
        "objective.direction: should be 'min', but is \"max\"",
    ),
    "a metric of another level": (
        lambda task: task.update(objective_kind="single_metric", objective={"metric": "price", "direction": "min"}),
        "objective.metric: price is no metric of level 3",
    ),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_task_that_cannot_be_right_is_refused_with_file_line_and_field(
    name: str, trip: dict[str, Any], tasks: tuple[Task, ...], catalogue: Catalogue, tmp_path: Path
):
    change, words = FAULTS[name]
    change(trip)
    file = stored(tmp_path, json.loads(task_line(tasks[0])), trip)

    with pytest.raises(UsageError) as refused:
        open_tasks(file)

    assert str(refused.value).startswith(f"{file}, line 2")
    assert "\n" not in str(refused.value)
    everything = [str(fault) for fault in task_faults(file, catalogue)]
    assert any(words in fault for fault in everything), everything


def test_a_task_twice_is_refused_and_both_lines_are_named(trip: dict[str, Any], tmp_path: Path):
    file = stored(tmp_path, trip, trip)

    with pytest.raises(UsageError, match=r"line 2, task_id: .* is on line 1 already"):
        open_tasks(file)


def test_a_file_without_tasks_is_refused(tmp_path: Path):
    with pytest.raises(UsageError, match="holds no task"):
        open_tasks(stored(tmp_path))


def test_a_line_that_is_no_json_is_refused_with_its_place(tmp_path: Path):
    file = tmp_path / "tasks.jsonl"
    file.write_text("{not json\n", encoding="utf-8")

    with pytest.raises(UsageError, match="line 1, column 2: not JSON"):
        open_tasks(file)


def test_data_check_lists_everything_that_is_wrong_with_a_task_file(trip: dict[str, Any], tmp_path: Path):
    file = stored(tmp_path, trip)
    sound = CliRunner().invoke(app, ["data", "check", str(file)])
    ask("guests", 0)(trip)
    ask("budget", -5)(trip)
    stored(tmp_path, trip)

    found = CliRunner().invoke(app, ["data", "check", str(file), "--json"])

    assert sound.exit_code == 0
    assert found.exit_code == 1
    faults = json.loads(found.stdout)["faults"]
    assert any("guests is 0" in fault for fault in faults)
    assert any("budget is -5" in fault for fault in faults)


def test_stats_of_a_task_that_nothing_meets_say_so(trip: dict[str, Any], tmp_path: Path):
    ask("budget", 1)(trip)
    trip["search"]["budget_cents"] = 1

    result = CliRunner().invoke(app, ["tasks", "stats", "--tasks", str(stored(tmp_path, trip)), "--json"])

    assert result.exit_code == 0, result.output
    (row,) = json.loads(result.stdout)["Feasible plans"]
    assert row["most"] == 0
    assert row["median share in top 5 %"] is None
