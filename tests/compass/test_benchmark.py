"""COMPASS as a benchmark: what an agent meets, how bad agents end, and runs that can be repeated to the byte."""

from pathlib import Path

import pytest
from rich.console import Console
from tests.compass.talking import ELK_LODGE, PINE_INN, PINE_INN_CHEAP, QUIET, reply, talk, toy_compass, toy_task

from tripgauge.benchmark import Benchmark
from tripgauge.compass.benchmark import Compass
from tripgauge.compass.constraints import Constraint
from tripgauge.compass.defaults import default_catalogue, default_tasks
from tripgauge.compass.index import Index
from tripgauge.conversation import EndReason, OpenTurn
from tripgauge.errors import UsageError
from tripgauge.run_commands import RunOptions, grade, run

POOL = Constraint("has_pool", True)
CHEAPEST = "tripgauge.compass.agents:CheapestSeen"


@pytest.fixture(scope="module")
def compass() -> Compass:
    return Compass(Index(default_catalogue()), default_tasks())


def test_it_has_281_tasks_and_is_a_benchmark(compass: Compass) -> None:
    benchmark: Benchmark = compass

    assert len(benchmark.task_ids) == 281
    assert benchmark.name == "compass"


def test_an_unknown_task_is_the_operators_fault(compass: Compass) -> None:
    with pytest.raises(UsageError, match="There is no COMPASS task moon"):
        compass.dialogue("moon", 0)


def test_the_extension_can_be_left_out_and_the_run_says_so() -> None:
    index = Index(default_catalogue())
    with_it, without = (Compass(index, default_tasks()[:1], extension=extension) for extension in (True, False))
    tools = [len(compass.dialogue(compass.task_ids[0], 0).toolbox.specs) for compass in (with_it, without)]

    assert tools == [18, 17]
    assert (with_it.digests()["tools"], without.digests()["tools"]) == ("18", "17")


def test_the_instructions_say_how_to_answer_and_name_no_task(compass: Compass) -> None:
    texts = {compass.dialogue(task, 0).instructions for task in compass.task_ids[:20]}

    (text,) = texts
    assert '"recommendation": null' in text
    assert "recommend_hotel" in text


# --- Agents that go wrong


def _numbers(answer: object, **limits: float) -> tuple[str | None, dict[str, float | None], list[EndReason]]:
    compass = toy_compass(toy_task(1, POOL), **limits)
    transcript = talk(compass, answer)  # type: ignore[arg-type]
    numbers = dict(compass.grade(transcript).numbers)
    return transcript.goodbye, numbers, [turn.end for turn in transcript.turns]


RATES = ("feasibility", "or_5", "or_10", "or_20")


@pytest.mark.parametrize(
    ("answer", "goodbye"),
    [
        (reply(), "turn_limit"),
        (reply("pkg_77_10_12_1"), "turn_limit"),
        ('{"message": "Here", "recommendation": {"hotel": [', "turn_limit"),
        ("Take Elk Lodge, it has a pool.", "turn_limit"),
        ("", "agent_stopped"),
        ("<think>What now?</think>", "agent_stopped"),
    ],
    ids=["never recommends", "unknown ids", "broken JSON", "no JSON", "says nothing", "only thinks"],
)
def test_an_agent_that_goes_wrong_ends_with_a_reason_and_a_score_of_zero(answer: str, goodbye: str) -> None:
    ended, numbers, ends = _numbers(answer)

    assert ended == goodbye
    assert [numbers[name] for name in RATES] == [0, 0, 0, 0]
    assert ends[-1] is (EndReason.ANSWERED if goodbye == "turn_limit" else EndReason.EMPTY_ANSWER)


def test_an_agent_in_a_loop_ends_with_a_reason_and_a_score_of_zero() -> None:
    def loops(turn: OpenTurn) -> str:
        while True:
            turn.call("get_weekday", {"date_str": "2025-08-10"})

    goodbye, numbers, ends = _numbers(loops, tool_calls=5)

    assert (goodbye, ends) == ("agent_stopped", [EndReason.TOOL_CALL_LIMIT])
    assert numbers["feasibility"] == 0


def test_an_agent_that_fails_late_keeps_its_last_recommendation() -> None:
    goodbye, numbers, _ = _numbers(lambda turn: reply(ELK_LODGE) if turn.number == 0 else "")

    assert goodbye == "agent_stopped"
    assert numbers["feasibility"] == 1


def test_the_last_recommendation_counts_although_an_earlier_one_was_better() -> None:
    compass = toy_compass(toy_task(1, Constraint("has_parking", True)))
    transcript = talk(compass, lambda turn: reply(PINE_INN_CHEAP if turn.number == 0 else PINE_INN))

    assert compass.score(transcript).gap == 4_000


def test_a_notebook_is_asked_as_often_as_one_likes() -> None:
    def takes_notes(turn: OpenTurn) -> str:
        for note in ("one", "two"):
            turn.call("Notebook", {"action": "write", "input_data": note})
            listed = turn.call("Notebook", {"action": "list_all"})
        return reply(PINE_INN, message=listed.text)

    transcript = talk(toy_compass(toy_task()), takes_notes)

    assert "2 notes" in transcript.turns[0].answer
    assert [use.error for use in transcript.turns[0].tool_uses] == [None] * 4


def test_each_turn_says_what_is_wrong_with_its_recommendation() -> None:
    compass = toy_compass(toy_task(more=(POOL,)))
    found = compass.grade(talk(compass, lambda turn: reply((PINE_INN_CHEAP, ELK_LODGE)[turn.number])))

    assert [dict(turn.numbers) for turn in found.turns] == [
        {"feasibility": 0.0, "or_5": 0.0},
        {"feasibility": 1.0, "or_5": 1.0},
    ]
    assert found.turns[0].findings == ("the hotel has a pool: that is not so",)


# --- Runs


def _run(compass: Compass, path: Path, limit: int, seed: int = 0) -> None:
    options = RunOptions(agent=CHEAPEST, limit=limit, seed=seed, max_connections=4)
    outcome = run(compass, path, options, Console(quiet=True))
    assert outcome.exit_code == 0
    grade(compass, path)


def _content(path: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in path.iterdir() if file.name not in ("seconds.jsonl", ".lock")}


def test_the_same_seed_gives_the_same_bytes_and_another_seed_other_users(compass: Compass, tmp_path: Path) -> None:
    for name, seed in (("one", 0), ("two", 0), ("other", 1)):
        _run(compass, tmp_path / name, 6, seed)

    assert _content(tmp_path / "one") == _content(tmp_path / "two")
    assert (tmp_path / "one" / "transcripts.jsonl").read_bytes() != (
        tmp_path / "other" / "transcripts.jsonl"
    ).read_bytes()


@pytest.mark.slow
def test_281_dialogues_give_the_same_bytes_twice(compass: Compass, tmp_path: Path) -> None:
    for name in ("one", "two"):
        _run(compass, tmp_path / name, 281)

    assert _content(tmp_path / "one") == _content(tmp_path / "two")
    lines = (tmp_path / "one" / "transcripts.jsonl").read_text(encoding="utf-8").splitlines()
    assert len(lines) == 281


def test_a_run_with_another_user_is_another_run(tmp_path: Path) -> None:
    index = Index(default_catalogue())
    _run(Compass(index, default_tasks()[:2]), tmp_path / "run", 2)

    with pytest.raises(UsageError, match=r"digests\.user"):
        _run(Compass(index, default_tasks()[:2], persona=QUIET), tmp_path / "run", 2)
