"""`tripgauge run`, `grade` and `show`, from the functions behind them."""

import asyncio
import io
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path

import pytest
from rich.console import Console

from tripgauge.conversation import EndReason, InfrastructureError, OpenTurn, Usage
from tripgauge.errors import UsageError
from tripgauge.run_commands import RunOptions, agent_factory, grade, key_values, run, show
from tripgauge.runs import ModelSettings, RunFolder
from tripgauge.toy import town
from tripgauge.trip_plus.benchmark import TripPlus
from tripgauge.trip_plus.dialogues import TripPlusDialogues
from tripgauge.trip_plus.edition import Edition

IDLE = "tripgauge.trip_plus.agents:IdleAgent"
HERE = Path(__file__).parent


def toy(edition: Edition = Edition.STRICT) -> TripPlusDialogues:
    return TripPlusDialogues(TripPlus([town.queries_file()], town.data_folder()), edition)


def quiet() -> Console:
    return Console(file=io.StringIO(), width=200)


def said(console: Console) -> str:
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


@pytest.fixture(autouse=True)
def _agents_of_this_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(HERE)


class Flaky:
    """Cannot be reached about every other task, until the file `well` is there."""

    def __init__(self, well: str) -> None:
        self._well = Path(well)

    async def respond(self, turn: OpenTurn) -> str:
        turn.note(Usage(10, 1), Decimal("0.5"))
        if "couple" in turn.task and not self._well.exists():
            raise InfrastructureError("no route to host")
        return "<clarification>Which day?</clarification>"


class Silent:
    def respond(self, turn: OpenTurn) -> str:
        return ""


class Leaves:
    """Raises what is no ordinary exception."""

    def __init__(self, how: str) -> None:
        self._how = how

    async def respond(self, turn: OpenTurn) -> str:
        raise {"cancels": asyncio.CancelledError(), "exits": SystemExit(3), "says": ValueError("a\nb")}[self._how]


@pytest.mark.parametrize(
    ("how", "reason"), [("cancels", "CancelledError"), ("exits", "SystemExit: 3"), ("says", "ValueError: a b")]
)
def test_an_agent_that_leaves_in_an_odd_way_leaves_its_reason_in_one_line(
    tmp_path: Path, how: str, reason: str
) -> None:
    options = RunOptions(agent="test_run_commands:Leaves", agent_options={"how": how}, limit=2, max_connections=1)

    outcome = run(toy(), tmp_path / "run", options, quiet())

    assert outcome.ends == {EndReason.ERRORED: 2}
    (failure,) = outcome.failures
    assert failure.startswith(f"errored: {reason}")
    assert "\n" not in failure


def test_a_run_holds_every_conversation_and_says_so(tmp_path: Path) -> None:
    console = quiet()

    outcome = run(toy(), tmp_path / "run", RunOptions(agent=IDLE), console)

    assert (outcome.selected, outcome.results, outcome.exit_code) == (8, 8, 0)
    assert outcome.ends == {"answered": 30}
    assert outcome.cost == 0
    lines = said(console).splitlines()
    assert len(lines) == 8
    assert re.fullmatch(r"8/8 mt_toy_\w+, trial 0: (answered(, )?)+; 0 \+ 0 tokens, cost \$0.0000", lines[-1])


def test_the_same_command_again_runs_nothing(tmp_path: Path) -> None:
    """R31."""
    run(toy(), tmp_path / "run", RunOptions(agent=IDLE), quiet())
    before = {path.name: path.stat().st_mtime_ns for path in (tmp_path / "run").glob("*.jsonl")}
    console = quiet()

    assert run(toy(), tmp_path / "run", RunOptions(agent=IDLE), console).exit_code == 0
    assert said(console) == ""
    assert before == {path.name: path.stat().st_mtime_ns for path in (tmp_path / "run").glob("*.jsonl")}


def test_what_failed_by_infrastructure_is_named_not_scored_and_run_again(tmp_path: Path) -> None:
    """R31."""
    options = RunOptions(agent="test_run_commands:Flaky", agent_options={"well": str(tmp_path / "well")})

    first = run(toy(), tmp_path / "run", options, quiet())
    graded = grade(toy(), tmp_path / "run")
    (tmp_path / "well").touch()
    console = quiet()
    second = run(toy(), tmp_path / "run", options, console)

    assert (first.results, first.exit_code) == (7, 1)
    assert first.failures == ("infrastructure: no route to host (1 times)",)
    assert "The same command again runs what is missing." in first.text()
    assert "mt_toy_couple" not in {grade.task for grade in graded}
    assert (second.results, second.exit_code) == (8, 0)
    assert [line.split(",")[0] for line in said(console).splitlines()] == ["8/8 mt_toy_couple"]


def test_no_conversation_begins_once_the_money_is_spent(tmp_path: Path) -> None:
    (tmp_path / "well").touch()
    options = RunOptions(
        agent="test_run_commands:Flaky",
        agent_options={"well": str(tmp_path / "well")},
        max_cost=Decimal(3),
        max_connections=1,
    )

    console = quiet()
    outcome = run(toy(), tmp_path / "run", options, console)

    assert (outcome.results, outcome.cost) == (2, Decimal(3)), "twice 3 turns at half a dollar"
    assert outcome.exit_code == 1
    assert said(console).count("cost limit") == 1


class Priceless:
    async def respond(self, turn: OpenTurn) -> str:
        return "<clarification>Which day?</clarification>"


def test_a_cost_limit_without_known_costs_is_refused_and_what_is_finished_is_kept(tmp_path: Path) -> None:
    options = RunOptions(agent="test_run_commands:Priceless", max_cost=Decimal(3), max_connections=1)

    with pytest.raises(UsageError, match="--max-cost needs to know what things cost"):
        run(toy(), tmp_path / "run", options, quiet())
    assert len(RunFolder.open(tmp_path / "run").transcripts()) == 1


@pytest.mark.parametrize(
    ("agent", "options", "reason"),
    [
        ("IdleAgent", {}, "names no agent"),
        ("no.such:Agent", {}, "There is no module no to take Agent from"),
        ("tripgauge.nothing:Agent", {}, "There is no module tripgauge.nothing"),
        ("tripgauge.trip_plus.agents:Nobody", {}, "has no class Nobody"),
        (IDLE, {"speed": "2"}, "cannot be made with these options"),
        ("test_run_commands:Silent", {}, "it needs a method"),
        ("tripgauge.agents.replay:ReplayAgent", {"folder": "/nowhere"}, "No answers in /nowhere"),
    ],
)
def test_an_agent_that_cannot_be_made_is_refused_before_the_run(
    tmp_path: Path, agent: str, options: dict[str, str], reason: str
) -> None:
    with pytest.raises(UsageError, match=reason):
        run(toy(), tmp_path / "run", RunOptions(agent=agent, agent_options=options), quiet())
    assert not (tmp_path / "run").exists()


def test_a_module_that_fails_to_import_something_is_not_taken_for_a_missing_agent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "needy_agents.py").write_text("import not_installed_anywhere\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)

    with pytest.raises(ModuleNotFoundError, match="not_installed_anywhere"):
        agent_factory("needy_agents:Agent", {})


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (RunOptions(), "Name an agent"),
        (RunOptions(agent=IDLE, base_url="http://localhost"), "go with --model"),
        (RunOptions(agent=IDLE, model_settings=ModelSettings(1.0)), "go with --model"),
        (RunOptions(agent=IDLE, tasks=["mt_nowhere"]), "No task 'mt_nowhere'"),
        (RunOptions(model="openai/some", base_url="http://me:PW@localhost/v1"), "no user name.* environment variable"),
        (RunOptions(model="openai/some", base_url="http://localhost/v1?key=PW"), "no user name.* environment variable"),
        (RunOptions(model="openai/some", model_settings=ModelSettings(options={"api_key": "PW"})), "environment var"),
        (
            RunOptions(
                model="openai/some", model_settings=ModelSettings(options={"extra_headers": '{"Authorization": "PW"}'})
            ),
            "extra_headers takes no key",
        ),
        (RunOptions(model="openai/some", max_cost=Decimal(1)), "needs to know what openai/some costs"),
    ],
)
def test_options_that_do_not_go_together_are_refused(tmp_path: Path, options: RunOptions, reason: str) -> None:
    with pytest.raises(UsageError, match=reason) as refusal:
        run(toy(), tmp_path / "run", options, quiet())
    assert "PW" not in str(refusal.value)
    assert not (tmp_path / "run").exists()


def test_a_missing_sandbox_stops_the_run_before_anything_is_asked(tmp_path: Path) -> None:
    """Also that of the last task, and with a model before its probe."""
    records = json.loads(town.queries_file().read_text(encoding="utf-8"))
    records[-1]["base_query_id"] = "atlantis"
    queries = tmp_path / "query.json"
    queries.write_text(json.dumps(records), encoding="utf-8")
    benchmark = TripPlusDialogues(TripPlus([queries], town.data_folder()))

    for options in (RunOptions(agent=IDLE), RunOptions(model="mockllm/model")):
        with pytest.raises(UsageError, match="No sandbox for mt_toy_friends"):
            run(benchmark, tmp_path / "run", options, quiet())
    assert not (tmp_path / "run").exists()


def test_a_run_in_another_edition_or_with_another_seed_needs_another_folder(tmp_path: Path) -> None:
    run(toy(), tmp_path / "run", RunOptions(agent=IDLE, limit=1), quiet())

    with pytest.raises(UsageError, match='edition: "strict", not "release"'):
        run(toy(Edition.RELEASE), tmp_path / "run", RunOptions(agent=IDLE, limit=1), quiet())
    with pytest.raises(UsageError, match="seed: 0, not 1"):
        run(toy(), tmp_path / "run", RunOptions(agent=IDLE, limit=1, seed=1), quiet())


def test_settings_hold_digests_of_all_that_can_move_a_score(tmp_path: Path) -> None:
    run(toy(), tmp_path / "run", RunOptions(agent=IDLE, limit=1), quiet())

    settings = json.loads((tmp_path / "run" / "settings.json").read_text(encoding="utf-8"))

    assert set(settings["digests"]) == {"agent", "code", "tasks", "data", "prompts"}
    assert all(re.fullmatch("[0-9a-f]{64}", digest) for digest in settings["digests"].values())
    assert str(tmp_path) not in json.dumps(settings)


def test_an_option_given_twice_is_refused() -> None:
    with pytest.raises(UsageError, match="k is given 2 times"):
        key_values(["k=a", "k=b"])


def test_options_are_pairs() -> None:
    assert key_values(["a=1", "b=x=y"]) == {"a": "1", "b": "x=y"}
    with pytest.raises(UsageError, match="expected key=value"):
        key_values(["a"])


# --- Grading and showing


def rendered(path: Path, *task: str, answers: bool = False) -> str:
    console = quiet()
    console.print(show(path, *task, answers=answers).rich())
    return said(console)


def test_a_run_is_shown_as_a_table_and_as_json(tmp_path: Path) -> None:
    run(toy(), tmp_path / "run", RunOptions(agent=IDLE, limit=2, trials=2), quiet())

    text, data = rendered(tmp_path / "run"), show(tmp_path / "run").json()

    assert "4 conversations; 0 of the 4 asked for are missing." in text
    assert "3 plan" in text
    assert len(data) == 4
    json.dumps(data)


def test_a_dialogue_is_shown_with_folded_tool_calls_and_findings(tmp_path: Path) -> None:
    agent = "tripgauge.trip_plus.agents:HotelNightsAgent"
    run(toy(), tmp_path / "run", RunOptions(agent=agent, limit=1), quiet())
    before = rendered(tmp_path / "run", "mt_toy_couple")
    grade(toy(), tmp_path / "run")

    text = rendered(tmp_path / "run", "mt_toy_couple")
    unfolded = rendered(tmp_path / "run", "mt_toy_couple", answers=True)

    assert "Not scored yet" in before
    assert "Traveler: The two of us want to get away" in text
    assert 'query_hotel_info {"destination":"Briskhaven"}' in text
    assert "Scores: mode 1.000" in text
    assert re.search(r"  - .*travel", text), "a trip without a way there has findings"
    assert "Tidewater" not in text
    assert "Tidewater" in unfolded


def test_a_task_that_is_not_in_the_run_is_refused_with_those_that_are(tmp_path: Path) -> None:
    run(toy(), tmp_path / "run", RunOptions(agent=IDLE, limit=1), quiet())

    with pytest.raises(UsageError, match=r"no conversation about mt_toy_family\. It has: mt_toy_couple"):
        show(tmp_path / "run", "mt_toy_family")
    with pytest.raises(UsageError, match=r"no trial 9 of mt_toy_couple\. It has: 0\."):
        show(tmp_path / "run", "mt_toy_couple", 9)
    with pytest.raises(UsageError, match="No run at"):
        show(tmp_path / "nowhere")


def test_a_run_is_graded_with_the_tasks_and_data_it_was_held_with_only(tmp_path: Path) -> None:
    run(toy(), tmp_path / "run", RunOptions(agent=IDLE, limit=1), quiet())
    changed = tmp_path / "query.json"
    changed.write_text(town.queries_file().read_text(encoding="utf-8").replace("320", "321"), encoding="utf-8")

    with pytest.raises(UsageError, match="edition strict, not of trip_plus, edition release"):
        grade(toy(Edition.RELEASE), tmp_path / "run")
    with pytest.raises(UsageError, match="run with other tasks"):
        grade(TripPlusDialogues(TripPlus([changed], town.data_folder())), tmp_path / "run")


def test_grading_twice_gives_the_same_bytes(tmp_path: Path) -> None:
    run(toy(), tmp_path / "run", RunOptions(agent=IDLE), quiet())
    grade(toy(), tmp_path / "run")
    first = (tmp_path / "run" / "scores.jsonl").read_bytes()
    grade(toy(), tmp_path / "run")

    assert (tmp_path / "run" / "scores.jsonl").read_bytes() == first
    assert len(first.splitlines()) == 8


# --- Interruption, and the agent of the documentation

SLOW_RUN = """
import asyncio, sys
from pathlib import Path
from rich.console import Console
from test_run_commands import toy
from tripgauge.run_commands import RunOptions, run
run(toy(), Path(sys.argv[1]), RunOptions(agent="test_run_commands:Sleeper", max_connections=2), Console(stderr=True))
"""


class Sleeper:
    """Finishes one conversation at once and the others never."""

    async def respond(self, turn: OpenTurn) -> str:
        import asyncio

        if turn.task != "mt_toy_couple":
            await asyncio.sleep(600)
        return "<clarification>Which day?</clarification>"


def test_ctrl_c_keeps_what_is_finished_and_says_how_to_carry_on(tmp_path: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", SLOW_RUN, str(tmp_path / "run")],
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONPATH": str(HERE), "COLUMNS": "200"},
    )
    assert process.stderr is not None
    assert process.stderr.readline().startswith("1/8 mt_toy_couple")
    os.kill(process.pid, signal.SIGINT)
    _, errors = process.communicate(timeout=60)

    assert process.returncode != 0
    assert "the same command again carries on" in errors
    assert list(RunFolder.open(tmp_path / "run").transcripts()) == [("mt_toy_couple", 0)]


def test_the_agent_of_the_documentation_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = (HERE.parent / "docs" / "agents.md").read_text(encoding="utf-8")
    code = page.partition("```python\n")[2].partition("```")[0]
    assert len(code.splitlines()) <= 20
    (tmp_path / "my_agents.py").write_text(code, encoding="utf-8")
    monkeypatch.chdir(tmp_path)

    outcome = run(toy(), tmp_path / "run", RunOptions(agent="my_agents:FirstHotel"), quiet())

    assert outcome.ends == {"answered": 30}
    modes = [
        turn.mode for transcript in RunFolder.open(tmp_path / "run").transcripts().values() for turn in transcript.turns
    ]
    assert set(modes) == {"plan"}


def test_the_documentation_lists_every_end_reason() -> None:
    page = (HERE.parent / "docs" / "agents.md").read_text(encoding="utf-8")
    listed: Sequence[str] = re.findall(r"^\| `(\w+)` \|.*\| (?:yes.*|no.*) \|$", page, re.MULTILINE)

    assert set(listed) == {end.value for end in EndReason}
