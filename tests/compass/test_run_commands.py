"""The commands about COMPASS runs, as a person or a program meets them."""

import json
import shutil
from pathlib import Path

import pytest
from rich.console import Console
from typer.testing import CliRunner

from tripgauge.cli import app
from tripgauge.codec import read_text, write_json_lines
from tripgauge.compass.annotation.judgments import Judgment
from tripgauge.compass.annotation.packets import read_packets
from tripgauge.compass.run_commands import open_compass
from tripgauge.errors import UsageError
from tripgauge.run_commands import RunOptions, grade, run


@pytest.fixture(scope="module")
def held(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run over the first four tasks."""
    folder = tmp_path_factory.mktemp("runs") / "cheapest"
    options = RunOptions(agent="tripgauge.compass.agents:CheapestSeen", limit=4, max_connections=2)
    run(open_compass(None, None), folder, options, Console(quiet=True))
    return folder


def invoke(*arguments: object) -> str:
    """What a command writes to standard output."""
    result = CliRunner().invoke(app, [str(argument) for argument in arguments], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


def test_a_run_is_analyzed_for_people_and_for_machines(held: Path) -> None:
    shown, found = invoke("analyze", held), json.loads(invoke("analyze", held, "--json"))

    assert "OR-5" in shown
    assert found["Results"][0]["figure"] == "FR"
    assert found["Results"][0]["of"].endswith("/4")
    assert {"By level", "By style", "Tool-call faults", "Search", "Search strategy", "Faults by owner"} <= set(found)


def test_of_several_runs_the_spread_is_shown(held: Path) -> None:
    found = json.loads(invoke("analyze", held, held, "--json"))

    assert [row["std"] for row in found["all runs"]["Stability over runs, in percent"]] == [0, 0, 0, 0]


def test_the_figures_of_every_conversation_are_written(held: Path, tmp_path: Path) -> None:
    invoke("export-measures", held, "--out", tmp_path / "measures.jsonl")

    lines = [json.loads(line) for line in read_text(tmp_path / "measures.jsonl").splitlines()]
    assert len(lines) == 4
    assert {"task", "or_5", "effort", "yield", "disclosed_at", "persona"} <= set(lines[0])


def test_from_a_run_to_a_report_of_what_people_say(held: Path, tmp_path: Path) -> None:
    invoke("annotate", "export", held, "--out", tmp_path / "packets.jsonl", "--conversations", 3)
    found = read_packets(tmp_path / "packets.jsonl")
    judgments = [Judgment(packet.id, "ana", False, False, False, False, False, "", 4, 5) for packet in found]
    write_json_lines(tmp_path / "ana.jsonl", judgments)

    report = json.loads(invoke("annotate", "report", tmp_path / "packets.jsonl", tmp_path / "ana.jsonl", "--json"))

    assert report["Scales"][0]["mean"] == 4
    assert [row["share"] for row in report["Errors"]] == [0] * 7


def test_stored_scores_of_a_run_are_computed_anew_and_a_changed_one_is_found(held: Path, tmp_path: Path) -> None:
    run_folder = tmp_path / "run"
    shutil.copytree(held, run_folder)
    grade(open_compass(None, None), run_folder)
    assert json.loads(invoke("analyze", run_folder, "--verify", "--json")) == {str(run_folder): []}
    scores = run_folder / "scores.jsonl"
    lines = [json.loads(line) for line in read_text(scores).splitlines()]
    lines[0]["numbers"]["feasibility"] = 0.25
    write_json_lines(scores, lines)

    result = CliRunner().invoke(app, ["analyze", str(run_folder), "--verify"])

    assert result.exit_code == 1
    assert result.stdout.count("\n") == 1
    assert "feasibility is stored as 0.25" in result.stdout


@pytest.mark.parametrize("command", [["score"], ["score", "--verify"], ["report"]])
def test_commands_about_trip_plus_say_where_results_of_a_compass_run_are(held: Path, command: list[str]) -> None:
    with pytest.raises(UsageError, match="is a COMPASS run"):
        invoke(*command, held)


def test_a_folder_that_is_no_run_is_the_operators_fault(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="No run at"):
        invoke("analyze", tmp_path)


def test_a_run_of_other_tasks_is_refused(held: Path, tmp_path: Path) -> None:
    compass = open_compass(None, None)
    from tripgauge.codec import write_text
    from tripgauge.compass.task import task_line

    write_text(tmp_path / "tasks.jsonl", task_line(compass.tasks[compass.task_ids[0]]) + "\n")

    with pytest.raises(UsageError, match="was run with other tasks"):
        invoke("analyze", held, "--tasks", tmp_path / "tasks.jsonl")


def test_a_persona_there_is_not_is_refused() -> None:
    with pytest.raises(UsageError, match="There is no persona 108"):
        open_compass(None, None, persona=108)


def test_a_page_needs_to_know_who_judges(held: Path, tmp_path: Path) -> None:
    invoke("annotate", "export", held, "--out", tmp_path / "packets.jsonl")

    with pytest.raises(UsageError, match="Say who judges"):
        invoke("annotate", "page", tmp_path / "packets.jsonl", "--out", tmp_path / "x.jsonl", "--as", " ")
