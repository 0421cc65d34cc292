"""Run folders: nothing lost, nothing twice, the same bytes again."""

import asyncio
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest

from tripgauge.benchmark import TaskGrade, TurnGrade
from tripgauge.conversation import EndReason, Held, Limits, OpenTurn, ToolUse, Transcript, Turn, Usage
from tripgauge.errors import UsageError
from tripgauge.runs import RunFolder, Selection, Settings, Work, carry_out, digest_of, select, without_credentials
from tripgauge.toy import town
from tripgauge.trip_plus.benchmark import TripPlus
from tripgauge.trip_plus.dialogues import TripPlusDialogues

SETTINGS = Settings(
    "trip_plus", "strict", "my.agents:Mine", 7, Limits(), {"code": "abc", "tasks": "def"}, {"style": "a"}
)


def turn(end: EndReason = EndReason.ANSWERED, answer: str = "Day 1") -> Turn:
    use = ToolUse(1, "look_up", "{broken", "no such", "parameter", ("code fence",))
    return Turn("Where to?", answer, "plan", end, "", 2, Usage(100, 10), Decimal("0.25"), (use,))


def held(task: str, trial: int = 0, *turns: Turn) -> Held:
    return Held(Transcript(task, trial, turns or (turn(),), "all_said"), (1.5,) * (len(turns) or 1))


def folder_at(path: Path, *tasks: str, trials: int = 1) -> RunFolder:
    return RunFolder.start(path, SETTINGS, Selection(tasks, trials))


def test_a_conversation_comes_back_as_it_was_kept(tmp_path: Path) -> None:
    folder = folder_at(tmp_path / "run", "a", "b/é:1")
    kept = held("b/é:1", 0, turn(), replace(turn(), cost="unknown", usage=Usage()))

    folder.keep(kept)
    before = folder.transcripts()
    folder.tidy()

    assert before == folder.transcripts() == {("b/é:1", 0): kept.transcript}
    assert folder.seconds()["b/é:1", 0].turns == (1.5, 1.5)
    assert folder.settings == SETTINGS


def test_only_what_is_missing_or_failed_by_infrastructure_is_to_be_run(tmp_path: Path) -> None:
    """R31."""
    folder = folder_at(tmp_path / "run", "a", "b", "c", trials=2)
    folder.keep(held("a"))
    folder.keep(held("b", 0, turn(EndReason.INFRASTRUCTURE, "")))
    folder.keep(held("c", 1, turn(EndReason.EMPTY_ANSWER, "")))
    folder.tidy()

    assert folder.missing() == (("b", 0), ("c", 0), ("a", 1), ("b", 1))


def test_a_conversation_that_broke_off_is_to_be_run_again(tmp_path: Path) -> None:
    folder = folder_at(tmp_path / "run", "a")
    folder.keep(Held(Transcript("a", 0, (), None), ()))

    assert folder.missing() == (("a", 0),)


def test_a_conversation_held_again_takes_the_place_of_the_failed_one(tmp_path: Path) -> None:
    folder = folder_at(tmp_path / "run", "a")
    folder.keep(held("a", 0, turn(EndReason.INFRASTRUCTURE, "")))
    folder.tidy()
    folder.keep(held("a"))
    folder.tidy()

    assert len((tmp_path / "run" / "transcripts.jsonl").read_text(encoding="utf-8").splitlines()) == 1
    assert folder.missing() == ()


def test_a_folder_with_a_line_twice_is_refused(tmp_path: Path) -> None:
    folder = folder_at(tmp_path / "run", "a")
    folder.keep(held("a"))
    folder.tidy()
    lines = tmp_path / "run" / "transcripts.jsonl"
    lines.write_text(lines.read_text(encoding="utf-8") * 2, encoding="utf-8")

    with pytest.raises(UsageError, match="record 2: a, trial 0, is there twice"):
        folder.transcripts()


def test_a_run_with_other_settings_is_refused_and_the_difference_named(tmp_path: Path) -> None:
    folder_at(tmp_path / "run", "a").keep(held("a"))
    other = replace(SETTINGS, seed=8, digests={"code": "xyz", "tasks": "def"})

    with pytest.raises(UsageError, match=r"seed: 7, not 8; digests.code has changed") as refusal:
        RunFolder.start(tmp_path / "run", other, Selection(("a",), 1))
    assert "tasks" not in str(refusal.value)


def test_a_folder_in_which_nothing_was_held_takes_other_settings(tmp_path: Path) -> None:
    """As after a probe that failed for a mistyped address."""
    folder = folder_at(tmp_path / "run", "a")
    folder.tidy()
    other = replace(SETTINGS, base_url="http://localhost:8001/v1")

    assert RunFolder.start(tmp_path / "run", other, Selection(("a",), 1)).settings == other
    with folder.locked(), pytest.raises(UsageError, match="Another process"):
        RunFolder.start(tmp_path / "run", SETTINGS, Selection(("a",), 1))


def test_more_tasks_and_trials_may_be_asked_of_the_same_run(tmp_path: Path) -> None:
    folder_at(tmp_path / "run", "a").keep(held("a"))

    assert folder_at(tmp_path / "run", "a", "b", trials=2).missing() == (("b", 0), ("a", 1), ("b", 1))


def test_a_folder_with_other_things_in_it_is_refused(tmp_path: Path) -> None:
    (tmp_path / "holiday.jpg").write_bytes(b"")

    with pytest.raises(UsageError, match="neither a run nor an empty folder"):
        folder_at(tmp_path, "a")


def test_a_second_process_is_kept_out_of_the_folder(tmp_path: Path) -> None:
    folder = folder_at(tmp_path / "run", "a")

    with folder.locked(), pytest.raises(UsageError, match="Another process"), folder.locked():
        pass
    with folder.locked():
        pass


def test_a_kill_between_the_common_file_and_the_single_ones_leaves_nothing_twice(tmp_path: Path) -> None:
    """R30."""
    folder = folder_at(tmp_path / "run", "a", "b")
    folder.keep(held("a"))
    shutil.copytree(tmp_path / "run" / "held", tmp_path / "copy")
    folder.tidy()
    shutil.copytree(tmp_path / "copy", tmp_path / "run" / "held")

    assert list(folder.transcripts()) == [("a", 0)]
    folder.tidy()
    assert list(folder.transcripts()) == [("a", 0)]


def test_scores_stand_apart_from_transcripts(tmp_path: Path) -> None:
    folder = folder_at(tmp_path / "run", "a")
    folder.keep(held("a"))
    folder.tidy()
    before = (tmp_path / "run" / "transcripts.jsonl").read_bytes()
    graded = TaskGrade("a", 0, (TurnGrade({"mode": 1.0, "feasibility": None}, ("late",)),), {})

    folder.write_scores([graded])

    assert folder.scores() == {("a", 0): graded}
    assert (tmp_path / "run" / "transcripts.jsonl").read_bytes() == before


def test_a_selection_names_tasks_in_the_order_of_the_benchmark() -> None:
    assert select("abcd", ["c", "a"], None, 2).keys == (("a", 0), ("c", 0), ("a", 1), ("c", 1))
    assert select("abcd", [], 2, 1).tasks == ("a", "b")
    with pytest.raises(UsageError, match="No task 'z'"):
        select("abcd", ["z"], None, 1)
    with pytest.raises(UsageError, match="at least one"):
        select("abcd", [], None, 0)


def test_addresses_are_recorded_without_what_could_be_secret() -> None:
    assert without_credentials("https://me:pass@host:8000/v1?key=123#x") == "https://host:8000/v1"


def test_digests_depend_on_names_and_contents_and_not_on_order() -> None:
    assert digest_of([("a", b"1"), ("b", b"2")]) == digest_of([("b", b"2"), ("a", b"1")])
    assert digest_of([("a", b"1"), ("b", b"2")]) != digest_of([("a", b"2"), ("b", b"1")])
    assert digest_of([("a", b"1")]) != digest_of([("a", b"2")])


# --- Whole runs


def toy() -> TripPlusDialogues:
    return TripPlusDialogues(TripPlus([town.queries_file()], town.data_folder()))


class Dawdler:
    """Answers after a while that depends on the seed, so that conversations end in another order than they began."""

    async def respond(self, turn: OpenTurn) -> str:
        await asyncio.sleep(turn.seed % 100 / 10_000)
        turn.call("query_hotel_info", {"destination": "Briskhaven"})
        return f"<clarification>{turn.seed}</clarification>"


def run_toy(path: Path, workers: int, trials: int = 2) -> RunFolder:
    benchmark = toy()
    folder = RunFolder.start(path, SETTINGS, Selection(tuple(benchmark.task_ids), trials))
    work = Work(benchmark, Dawdler, Limits(), seed=7, max_connections=workers)
    asyncio.run(carry_out(folder, work))
    folder.tidy()
    return folder


def test_the_same_seed_gives_the_same_bytes_with_one_worker_and_with_sixteen(tmp_path: Path) -> None:
    """R27, R30, R35."""
    run_toy(tmp_path / "one", workers=1)
    folder = run_toy(tmp_path / "sixteen", workers=16)

    transcripts = (tmp_path / "one" / "transcripts.jsonl").read_bytes()
    assert transcripts == (tmp_path / "sixteen" / "transcripts.jsonl").read_bytes()
    assert len(transcripts.splitlines()) == 16
    assert folder.missing() == ()
    assert len(folder.seconds()) == 16


def test_trials_of_a_task_differ_in_their_seeds(tmp_path: Path) -> None:
    transcripts = run_toy(tmp_path / "run", workers=4).transcripts()

    assert transcripts["mt_toy_couple", 0].turns[0].answer != transcripts["mt_toy_couple", 1].turns[0].answer


def test_the_lines_are_plain_json_with_everything_a_report_needs(tmp_path: Path) -> None:
    folder = run_toy(tmp_path / "run", workers=4, trials=1)
    line = json.loads((folder.path / "transcripts.jsonl").read_text(encoding="utf-8").splitlines()[0])

    assert set(line) == {"task", "trial", "turns", "goodbye"}
    assert set(line["turns"][0]) == {
        *("utterance", "answer", "mode", "end", "detail", "model_calls", "usage", "cost", "tool_uses"),
        *("first_answer", "user"),
    }
    assert line["turns"][0]["cost"] == "unknown"
    assert set(line["turns"][0]["tool_uses"][0]) >= {"tool", "arguments", "answer", "error"}


HELD = re.compile(r"held \w+ \d+")

RUN_SLOWLY = """
import asyncio, sys
from pathlib import Path
from test_runs import Dawdler, SETTINGS, toy
from tripgauge.conversation import Limits
from tripgauge.runs import RunFolder, Selection, Work, carry_out
benchmark = toy()
folder = RunFolder.start(Path(sys.argv[1]), SETTINGS, Selection(tuple(benchmark.task_ids), 12))
print("ready", flush=True)
with folder.locked():
    tell = lambda held: print("held", held.transcript.task, held.transcript.trial, flush=True)
    work = Work(benchmark, Dawdler, Limits(), seed=7, max_connections=16, on_held=tell)
    asyncio.run(carry_out(folder, work))
    folder.tidy()
"""


@pytest.mark.slow
def test_a_run_killed_at_ten_random_moments_ends_with_the_bytes_of_an_undisturbed_one(tmp_path: Path) -> None:
    """R30."""
    chance = random.Random(11)
    finished: list[str] = []
    for _ in range(10):
        process = _start(tmp_path / "killed")
        assert process.stdout is not None
        assert process.stdout.readline().strip() == "ready"
        finished += [process.stdout.readline().strip() for _ in range(chance.randrange(9))]
        time.sleep(chance.uniform(0, 0.03))
        os.kill(process.pid, signal.SIGKILL)
        output, _ = process.communicate()
        finished += [line for line in output.splitlines() if HELD.fullmatch(line)]
        kept = RunFolder.open(tmp_path / "killed").transcripts()
        assert {f"held {task} {trial}" for task, trial in kept} >= set(finished)
    last, _ = _start(tmp_path / "killed").communicate()
    undisturbed, _ = _start(tmp_path / "undisturbed").communicate()

    assert 0 < len(set(finished)) < 96, "the kills came too early or too late to show anything"
    everything = finished + last.splitlines()[1:]
    assert len(everything) == len(set(everything)), "something was held twice"
    assert len(undisturbed.splitlines()) == 97
    for name in ("transcripts.jsonl", "settings.json", "selection.json"):
        assert (tmp_path / "killed" / name).read_bytes() == (tmp_path / "undisturbed" / name).read_bytes()
    assert not (tmp_path / "killed" / "held").exists()


def _start(folder: Path) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-c", RUN_SLOWLY, str(folder)],
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parent)},
    )
