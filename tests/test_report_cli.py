"""`tripgauge score`, `report` and `compare` as a person or a script meets them."""

import csv
import io
import json
import os
import shutil
import socket
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

import pytest
from tests.test_cli import run as run_apart
from tests.trip_plus.runs_made import HOTEL_NIGHTS, held
from tests.trip_plus.scored_turns import write_answers

from tripgauge.cli import main
from tripgauge.toy import town
from tripgauge.trip_plus.edition import Edition

ANSWERS = str(town.answers_folder())


@dataclass(frozen=True)
class Result:
    """What a command left."""

    returncode: int
    stdout: str
    stderr: str


def run(*arguments: str) -> Result:
    """A command in this process, on a screen 80 columns wide."""
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err), pytest.raises(SystemExit) as ended:
        main(arguments)
    return Result(int(ended.value.code or 0), out.getvalue(), err.getvalue())


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four runs: hotel nights, idle, idle with another seed, and idle in edition release."""
    root = tmp_path_factory.mktemp("runs")
    held(root / "hotel", HOTEL_NIGHTS)
    held(root / "idler")
    held(root / "reseeded", seed=5)
    held(root / "published", edition=Edition.RELEASE)
    return root


def test_a_report_over_runs_is_ranked_with_the_baselines_beside(runs: Path) -> None:
    result = run("report", str(runs / "idler"), str(runs / "hotel"), "--format", "json")

    assert result.returncode == 0, result.stderr
    board = json.loads(result.stdout)
    assert [(row["rank"], row["agent"], row["kind"]) for row in board["rows"]] == [
        (1, "hotel", "agent"),
        (None, "hotel nights", "baseline"),
        (2, "idler", "agent"),
        (None, "idle", "baseline"),
    ]
    assert board["edition"] == "strict"
    assert board["rows"][0]["settings"]["agent"] == HOTEL_NIGHTS
    assert "Feas. (due)" in board["formulas"]


def test_runs_with_unequal_settings_are_refused_with_what_differs(runs: Path) -> None:
    """R28."""
    result = run("report", str(runs / "idler"), str(runs / "reseeded"))
    shown = run("report", str(runs / "idler"), str(runs / "reseeded"), "--allow-unequal", "--format", "json")

    assert result.returncode == 2
    assert "seed: 0 (idler), 5 (reseeded)" in result.stderr
    assert result.stdout == ""
    assert shown.returncode == 0
    board = json.loads(shown.stdout)
    assert {row["rank"] for row in board["rows"]} == {None}
    assert board["not_ranked_because"] == ["seed: 0 (idler), 5 (reseeded)"]


def test_the_two_editions_never_meet_in_one_table(runs: Path) -> None:
    """R28. Not even when unequal settings are allowed."""
    mixed = run("report", str(runs / "idler"), str(runs / "published"), "--allow-unequal")
    other = run("report", str(runs / "published"), "--edition", "strict")
    own = run("report", str(runs / "published"), "--format", "json")

    assert (mixed.returncode, other.returncode) == (2, 2)
    assert "both editions" in mixed.stderr
    assert "edition release, not of trip_plus, edition strict" in other.stderr
    assert json.loads(own.stdout)["edition"] == "release"


@pytest.mark.parametrize("by", ["archetype", "component", "turn", "rule", "calls", "trials"])
def test_every_break_down_comes_in_every_form(by: str, runs: Path) -> None:
    folder = str(runs / "hotel")

    machine = json.loads(run("report", folder, "--by", by, "--format", "json").stdout)
    table = list(csv.DictReader(io.StringIO(run("report", folder, "--by", by, "--format", "csv").stdout)))
    page = run("report", folder, "--by", by, "--format", "markdown").stdout
    screen = run("report", folder, "--by", by).stdout

    assert machine["by"] == by
    assert len(machine["rows"]) == len(table) > 0
    assert page.startswith("**")
    assert {row["agent"] for row in table} == {"hotel", "idle", "hotel nights"}
    assert max(map(len, screen.splitlines())) <= 80


@pytest.mark.parametrize("arguments", [("report",), ("report", "--paper"), ("score",)], ids=" ".join)
def test_tables_fit_80_columns(arguments: tuple[str, ...], runs: Path) -> None:
    for folder in (runs / "hotel", runs / "published"):
        result = run(arguments[0], str(folder), *arguments[1:])

        assert result.returncode == 0, result.stderr
        assert max(map(len, result.stdout.splitlines())) <= 80
        assert "…" not in result.stdout


def test_comparing_says_whether_there_is_a_difference(runs: Path) -> None:
    """R26."""
    better = run("compare", str(runs / "hotel"), str(runs / "idler"), "--format", "json")
    same = run("compare", ANSWERS, ANSWERS + "/.", "--format", "json")
    unequal = run("compare", str(runs / "hotel"), str(runs / "reseeded"))

    assert json.loads(better.stdout)["difference_shown"] is True
    assert json.loads(better.stdout)["verdict"].startswith("hotel is better than idler")
    assert same.returncode == 2, "a folder is not compared with itself"
    assert unequal.returncode == 2
    assert "seed: 0 (hotel), 5 (reseeded)" in unequal.stderr


def test_two_sets_of_the_same_answers_show_no_difference(tmp_path: Path) -> None:
    """R26."""
    copy = shutil.copytree(town.answers_folder(), tmp_path / "copy")

    result = run("compare", ANSWERS, str(copy))

    assert result.returncode == 0, result.stderr
    assert "No difference shown" in result.stdout
    assert max(map(len, result.stdout.splitlines())) <= 80


def test_scores_are_stored_and_verified_and_a_changed_one_fails(runs: Path, tmp_path: Path) -> None:
    """R8."""
    folder = shutil.copytree(runs / "hotel", tmp_path / "hotel", ignore=shutil.ignore_patterns("scores.jsonl"))

    unscored = run("score", str(folder), "--verify")
    scored = run("score", str(folder))
    right = run("score", str(folder), "--verify")
    path = folder / "scores.jsonl"
    path.write_text(path.read_text(encoding="utf-8").replace('"mode": 1.0', '"mode": 0.0', 1), encoding="utf-8")
    wrong = run("score", str(folder), "--verify")

    assert unscored.returncode == 2
    assert scored.returncode == 0, scored.stderr
    assert (right.returncode, right.stdout) == (0, "")
    assert wrong.returncode == 1
    assert wrong.stdout == f"{folder}: mt_toy_couple, trial 0, turn 0: mode is stored as 0.0, computed as 1.0\n"


def test_where_the_editions_differ_is_explained_on_request(tmp_path: Path) -> None:
    text = town.answers()["mt_toy_couple_turn_0"].replace("¥35/person", "¥36/person")
    folder = write_answers(tmp_path / "one", {"mt_toy_couple_turn_0": text.replace("20min, ¥21", "20 min, ¥21")})

    result = run("score", str(folder), "--explain-editions", "--format", "json")
    screen = run("score", str(folder), "--explain-editions")

    assert result.returncode == 0, result.stderr
    assert {d["check"] for d in json.loads(result.stdout)["differences"]} >= {"readable_activities"}
    assert max(map(len, screen.stdout.splitlines())) <= 80


def test_a_conversation_that_is_there_twice_is_refused(runs: Path, tmp_path: Path) -> None:
    """R32."""
    folder = shutil.copytree(runs / "idler", tmp_path / "twice")
    path = folder / "transcripts.jsonl"
    text = path.read_text(encoding="utf-8")
    path.write_text(text + text.splitlines()[0] + "\n", encoding="utf-8")

    for command in ("report", "score"):
        result = run(command, str(folder))
        assert result.returncode == 2
        assert "mt_toy_couple, trial 0, is there twice" in result.stderr


def test_tokens_without_a_price_cost_an_unknown_sum(runs: Path) -> None:
    """R40. The column says "unknown", never 0, unless the cost is known to be 0."""
    calls = json.loads(run("report", str(runs / "hotel"), "--by", "calls", "--format", "json").stdout)

    by_agent = {row["agent"]: row for row in calls["rows"]}
    assert by_agent["hotel"]["cost $"] == 0, "the agent says that it asks no model"
    assert by_agent["idle"]["cost $"] is None, "of a baseline nothing was recorded"


def test_everything_that_is_shipped_is_scored_without_a_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """R43."""

    def refuse(*_: object, **__: object) -> NoReturn:
        raise AssertionError("a connection was opened")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    for arguments in (["demo"], ["report", ANSWERS], ["report", ANSWERS, "--by", "rule"]):
        result = run(*arguments, "--format", "json")
        assert result.returncode == 0
        assert json.loads(result.stdout)


def test_reports_work_where_the_locale_is_plain_ascii(runs: Path) -> None:
    """R44."""
    env = {
        "PATH": os.defpath,
        "LC_ALL": "C",
        "PYTHONUTF8": "0",
        "PYTHONIOENCODING": "ascii",
        "PYTHONWARNDEFAULTENCODING": "1",
    }
    for arguments in (
        ("report", ANSWERS, "--paper"),
        ("report", ANSWERS, "--by", "rule"),
        ("score", str(runs / "idler")),
    ):
        result = run_apart(*arguments, env=env)

        assert result.returncode == 0, result.stderr
        assert "EncodingWarning" not in result.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("report", "no-such-folder"), "No folder of answers at no-such-folder"),
        (("report", ANSWERS, ANSWERS), "is given twice"),
        (("compare", ANSWERS, "no-such-folder"), "no-such-folder"),
        (("score", ANSWERS, "--verify"), "No run at"),
        (("report", ANSWERS, "--by", "calls", "--prices", "no-such-file.json"), "No file at no-such-file.json"),
    ],
)
def test_an_operators_fault_is_one_clear_line_and_exit_code_2(arguments: tuple[str, ...], said: str) -> None:
    result = run(*arguments)

    assert result.returncode == 2
    assert said in result.stderr
    assert len(result.stderr.strip().splitlines()) == 1
