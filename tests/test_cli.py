"""The command line as a person or a script meets it."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tripgauge.toy import town


def run(*arguments: str, stdin: str = "", env: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "tripgauge", *arguments],
        input=stdin,
        capture_output=True,
        text=True,
        encoding="utf-8",
        env=env,
        timeout=120,
        check=False,
    )


def test_demo_ranks_good_answers_over_idle_agents_in_both_editions():
    result = run("demo", "--format", "json")
    boards = json.loads(result.stdout)

    assert result.returncode == 0, result.stderr
    strict = {row["agent"]: row["columns"] for row in boards["strict"]["rows"]}
    assert boards["strict"]["rows"][0]["agent"] == "good answers"
    assert strict["good answers"]["Feas. (due)"]["value"] == 1.0
    assert strict["idle"]["Feas. (due)"]["value"] == 0.0
    assert 0 < strict["hotel nights"]["Feas. (due)"]["value"] < 0.35
    idle = next(row for row in boards["release"]["rows"] if row["agent"] == "idle")
    weakness = idle["columns"]["Feas. (delivered)"]["value"]
    assert weakness == pytest.approx(0.8222, abs=1e-4), "the published weakness that edition strict closes"
    compass = {row["agent"]: row for row in boards["compass"]}
    assert compass["exhaustive"]["OR-5"] == 1.0
    assert compass["first found"]["OR-5"] < compass["exhaustive"]["OR-5"]
    assert compass["first found"]["effort"] < compass["exhaustive"]["effort"]


def test_check_names_day_and_reason_of_what_is_wrong(tmp_path: Path):
    plan = (town.answers_folder() / "mt_toy_couple_turn_0.txt").read_text(encoding="utf-8")
    path = tmp_path / "plan.txt"
    path.write_text(plan.replace("train T12", "train T99"), encoding="utf-8")

    result = run("check", str(path), "--task", "mt_toy_couple")

    assert result.returncode == 0, result.stderr
    assert "validated_transportation" in result.stdout
    assert "Day 1: there is no flight or train T99" in result.stdout


def test_check_reads_standard_input_and_prints_json():
    plan = (town.answers_folder() / "mt_toy_couple_turn_0.txt").read_text(encoding="utf-8")

    result = run("check", "-", "--task", "mt_toy_couple", "--json", stdin=plan)

    grade = json.loads(result.stdout)
    assert grade["mode_is_right"] is True
    assert grade["scores"]["feasibility"] == 1.0
    assert grade["findings"] == []


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("check", "-", "--task", "nowhere"), "No task 'nowhere'"),
        (("check", "missing.txt", "--task", "mt_toy_couple"), "missing.txt"),
        (("check", "-", "--task", "mt_toy_couple", "--turn", "9"), "no turn 9"),
        (("checks", "nonsense"), "No check 'nonsense'"),
        (("score", "no-such-folder"), "no-such-folder"),
        (("run", "--out", "somewhere"), "Name an agent"),
        (("run", "--agent", "tripgauge.agents.replay:Nobody", "--out", "somewhere"), "no class Nobody"),
        (("run", "--agent", "x:Y"), "--out"),
        (("show", "no-such-run"), "no-such-run"),
        (("tasks", "--data", "no-such-folder"), "--queries and --data go together"),
    ],
)
def test_an_operators_fault_is_one_clear_line_and_exit_code_2(arguments, said):
    result = run(*arguments)

    assert result.returncode == 2
    assert said in result.stderr
    assert len(result.stderr.strip().splitlines()) == 1
    assert result.stdout == ""


def test_a_partial_set_of_answers_says_so(tmp_path: Path):
    text = (town.answers_folder() / "mt_toy_couple_turn_0.txt").read_text(encoding="utf-8")
    (tmp_path / "mt_toy_couple_turn_0.txt").write_text(text, encoding="utf-8")

    result = run("score", str(tmp_path), "--no-baselines", "--format", "markdown")

    assert result.returncode == 0, result.stderr
    assert "is partial: 1 of 8 tasks, 1 of 3 turns answered" in result.stdout


def test_the_tasks_of_the_town_are_listed_and_one_is_shown_as_an_agent_sees_it():
    listed = json.loads(run("tasks", "--format", "json").stdout)
    shown = run("tasks", "mt_toy_couple").stdout

    assert len(listed) == 8
    assert "Turn 0:" in shown
    assert "initial_plan" not in shown


def test_a_tool_is_called_by_hand():
    answered = run(
        "tools", "call", "query_city_weather", "--task", "mt_toy_couple", "city=Briskhaven", "date=2026-07-15"
    )
    refused = run("tools", "call", "query_city_weather", "--task", "mt_toy_couple", "city=Nowhere", "date=2026-07-15")

    assert json.loads(answered.stdout)["precipitation_mm"] == 12.0
    assert answered.returncode == 0
    assert json.loads(refused.stdout)["error"]["type"] == "content"
    assert refused.returncode == 1


def test_an_agent_of_ones_own_is_run_shown_and_scored(tmp_path: Path):
    agent = tmp_path / "my_agents.py"
    agent.write_text(
        "class Asker:\n"
        "    async def respond(self, turn):\n"
        "        return '<clarification>Which day?</clarification>'\n",
        encoding="utf-8",
    )
    env = {**os.environ, "PYTHONPATH": str(tmp_path)}
    folder = str(tmp_path / "run")

    ran = run("run", "--agent", "my_agents:Asker", "--out", folder, "--task", "mt_toy_couple", env=env)
    again = run("run", "--agent", "my_agents:Asker", "--out", folder, "--task", "mt_toy_couple", env=env)
    shown = run("show", folder, "mt_toy_couple", env=env)
    verified = run("score", folder, "--verify", env=env)

    assert (ran.returncode, again.returncode, verified.returncode) == (0, 0, 0), ran.stderr + verified.stderr
    assert "1 of 1 conversations" in again.stdout
    assert "Which day?" in shown.stdout


def test_compass_is_run_with_an_agent_without_a_model(tmp_path: Path):
    folder = str(tmp_path / "run")

    ran = run("run", "compass", "--agent", "tripgauge.compass.agents:CheapestSeen", "--out", folder, "--limit", "1")

    assert ran.returncode == 0, ran.stderr
    assert "1 of 1 conversations" in ran.stdout


def test_the_toy_town_has_no_errors_in_its_data():
    report = run("data", "check", "--json")

    assert report.returncode == 0, report.stdout
    assert json.loads(report.stdout)["errors"] == 0


def test_every_kind_of_file_has_a_schema():
    kinds = json.loads(run("schema", "--format", "json").stdout)

    assert {"queries", "converted-plan", "hotels", "flights"} <= {kind["kind"] for kind in kinds}
    assert json.loads(run("schema", "queries").stdout)["x-version"] == 1
    assert run("schema", "nonsense").returncode == 2


def test_it_works_where_the_locale_is_plain_ascii():
    """R44."""
    env = {
        "PATH": "/usr/bin:/bin",
        "LC_ALL": "C",
        "PYTHONUTF8": "0",
        "PYTHONIOENCODING": "ascii",
        "PYTHONWARNDEFAULTENCODING": "1",
    }

    result = run("demo", env=env)

    assert result.returncode == 0, result.stderr
    assert "EncodingWarning" not in result.stderr


COMMANDS = [
    *("demo", "score", "report", "compare", "check", "checks", "tasks"),
    *("score-cases", "convert-texts", "call-tools", "schema", "solve"),
    *("run", "show", "report", "compare", "analyze", "export-measures", "annotate", "annotate export"),
    *("annotate page", "annotate report"),
    *("tools", "tools show", "tools call", "tasks show", "tasks compass", "tasks stats", "tasks generate compass"),
    *("data", "data check", "data rules", "data stats", "data fetch", "data build compass"),
]


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself(command):
    result = run(*command.split(), "--help")

    assert result.returncode == 0
    assert "Usage" in result.stdout


def test_every_check_is_listed_and_shown_as_json(capsys: pytest.CaptureFixture[str]):
    from tripgauge.commands.grading import checks

    checks(as_json=True)
    listed = json.loads(capsys.readouterr().out)
    assert len(listed) > 100

    for page in listed:
        checks(page["id"], as_json=True)
        assert json.loads(capsys.readouterr().out) == page

    dates = {page["id"]: page for page in listed}["trip_date_range_required"]["cases"][0]["requirement"]
    assert dates["depart"] == "2026-07-14"


LEGACY_LOCALE = {
    **os.environ,
    "LC_ALL": "C",
    "PYTHONUTF8": "0",
    "PYTHONCOERCECLOCALE": "0",
    "PYTHONIOENCODING": "cp1252",
}


@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_standard_input_is_utf_8_whatever_the_locale(tmp_path: Path, mark: str):
    plan = (town.answers_folder() / "mt_toy_couple_turn_0.txt").read_text(encoding="utf-8")
    assert "¥" in plan
    path = tmp_path / "plan.txt"
    path.write_text(mark + plan, encoding="utf-8")

    from_file = run("check", str(path), "--task", "mt_toy_couple", "--json")
    from_input = run("check", "-", "--task", "mt_toy_couple", "--json", stdin=mark + plan, env=LEGACY_LOCALE)

    assert json.loads(from_file.stdout)["scores"]["feasibility"] == 1.0
    assert from_input.stdout == from_file.stdout


def test_standard_input_that_is_no_utf_8_is_told_in_one_line():
    result = subprocess.run(
        [sys.executable, "-m", "tripgauge", "check", "-", "--task", "mt_toy_couple"],
        input="<plan>¥100</plan>".encode("cp1252"),
        capture_output=True,
        timeout=120,
        check=False,
    )

    assert result.returncode == 2
    assert result.stderr.decode() == "tripgauge: Standard input: not UTF-8 at byte 6.\n"


TABLES = {
    "hotels.csv": "hotels/hotels.csv",
    "attractions.csv": "attractions/attractions.csv",
    "restaurants.csv": "restaurants/restaurants.csv",
    "locations_coords.csv": "locations/locations_coords.csv",
    "distance_matrix.csv": "transportation/distance_matrix.csv",
    "trains.csv": "trains/trains.csv",
}


def town_without(folder: Path, table: str) -> list[str]:
    """Options for the toy town, its sandbox without one table."""
    shutil.copytree(town.data_folder(), folder / "data")
    (gone,) = (folder / "data").rglob(f"{table}*")
    gone.unlink()
    return ["--queries", str(town.queries_file()), "--data", str(folder / "data")]


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("edition", ["strict", "release"])
def test_a_table_missing_from_the_data_stops_scoring_and_is_not_charged_to_the_agent(
    tmp_path: Path, table: str, edition: str
):
    over = [*town_without(tmp_path, table), "--edition", edition]
    (tmp_path / "answers").mkdir()
    name = "mt_toy_couple_turn_0.txt"
    shutil.copy(town.answers_folder() / name, tmp_path / "answers" / name)
    agent = ["--agent", "tripgauge.agents.replay:ReplayAgent", "--agent-option", f"folder={tmp_path / 'answers'}"]

    for command in (
        ["score", str(tmp_path / "answers")],
        ["check", str(tmp_path / "answers" / name), "--task", "mt_toy_couple"],
        ["run", "--task", "mt_toy_couple", "--out", str(tmp_path / "run"), *agent],
    ):
        result = run(*command, *over)

        assert (result.returncode, result.stdout) == (2, ""), command
        (line,) = result.stderr.strip().splitlines()
        assert f"briskhaven lacks {TABLES[table]};" in line
    assert not (tmp_path / "run").exists()


def test_a_sandbox_without_flights_is_enough_for_a_trip_by_train(tmp_path: Path):
    over = town_without(tmp_path, "flights.csv")
    plan = town.answers_folder()

    by_train = run("check", str(plan / "mt_toy_couple_turn_0.txt"), "--task", "mt_toy_couple", "--json", *over)
    by_plane = run("check", str(plan / "mt_toy_flyer_turn_0.txt"), "--task", "mt_toy_flyer", "--json", *over)

    assert json.loads(by_train.stdout)["scores"]["feasibility"] == 1.0
    assert by_plane.returncode == 2
    assert "lacks flights/flights.csv" in by_plane.stderr


def exchanged(
    folder: Path, command: str, *lines: dict[str, object], edition: str = "strict"
) -> subprocess.CompletedProcess[str]:
    path = folder / "lines.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    over = ("--queries", str(town.queries_file()), "--data", str(town.data_folder()))
    return run(command, str(path), *over, "--edition", edition)


@pytest.mark.parametrize("edition", ["strict", "release"])
def test_half_a_surrogate_pair_is_part_of_one_answer_and_does_not_stop_the_others(tmp_path: Path, edition: str):
    plan = (town.answers_folder() / "mt_toy_couple_turn_0.txt").read_text(encoding="utf-8")
    turn = {"record_id": "mt_toy_couple", "turn_id": 0}

    halves = {"id": "a", **turn, "text": "\ud800"}
    texts = exchanged(tmp_path, "convert-texts", halves, {"id": "b", **turn, "text": plan}, edition=edition)
    first, second = (json.loads(line)["result"] for line in texts.stdout.splitlines())
    plans = {"a": {"days": [], "note": "\udfff"}, "b": second["agent"]["converted"]}
    lines = [{"id": name, **turn, "plan": plan} for name, plan in plans.items()]
    cases = exchanged(tmp_path, "score-cases", *lines, edition=edition)
    scores = [json.loads(line)["result"]["response"]["passed"] for line in cases.stdout.splitlines()]

    assert first["agent"]["expected"]["response"]["actual_mode"] == "invalid"
    assert second["agent"]["expected"]["response"]["passed"] == 1
    assert scores == [0, 1]


@pytest.mark.parametrize(("command", "field"), [("score-cases", "plan"), ("convert-texts", "text")])
@pytest.mark.parametrize(
    ("record", "turn", "said"), [("nowhere", 0, "No task 'nowhere'"), ("mt_toy_couple", 7, "no turn 7")]
)
def test_a_line_about_a_turn_there_is_not_is_told_by_file_and_line(
    tmp_path: Path, command: str, field: str, record: str, turn: int, said: str
):
    good = {"id": "a", "record_id": "mt_toy_couple", "turn_id": 0, field: ""}

    result = exchanged(tmp_path, command, good, {**good, "record_id": record, "turn_id": turn})

    assert (result.returncode, result.stdout) == (2, "")
    (line,) = result.stderr.strip().splitlines()
    assert "lines.jsonl, line 2: " in line
    assert said in line


def test_an_answer_that_fits_no_turn_is_named(tmp_path: Path):
    shutil.copy(town.answers_folder() / "mt_toy_couple_turn_0.txt", tmp_path)
    lost = ["mt_toy_couple_turn_7.txt", "mt_toy_couple_turn_O.txt", "zzz_turn_0.txt"]
    for name in lost:
        (tmp_path / name).write_text("<plan></plan>", encoding="utf-8")

    result = run("score", str(tmp_path), "--no-baselines", "--format", "json")

    assert result.returncode == 0
    (line,) = result.stderr.splitlines()
    assert f"no turn of any task fits {', '.join(lost)}; not scored." in line
    assert json.loads(result.stdout)["rows"][0]["unread_files"] == lost


def test_a_converted_plan_of_the_published_runner_that_fits_no_turn_is_named(tmp_path: Path):
    (tmp_path / "reports").mkdir()
    (tmp_path / "converted_plans").mkdir()
    shutil.copy(town.answers_folder() / "mt_toy_couple_turn_0.txt", tmp_path / "reports")
    (tmp_path / "converted_plans" / "mt_toy_couple_turn_9_converted.json").write_text("{}", encoding="utf-8")

    result = run("score", str(tmp_path), "--no-baselines", "--format", "json")

    assert json.loads(result.stdout)["rows"][0]["unread_files"] == [
        "converted_plans/mt_toy_couple_turn_9_converted.json"
    ]


def test_one_of_a_kind_is_counted_in_the_singular(tmp_path: Path):
    shutil.copy(town.answers_folder() / "mt_toy_couple_turn_0.txt", tmp_path)

    shown = run("tasks", "mt_toy_couple").stdout
    scored = run("score", str(tmp_path), "--no-baselines", "--format", "markdown").stdout

    assert "2 people, 1 room\n" in shown
    assert "1 task, 3 turns." in scored
