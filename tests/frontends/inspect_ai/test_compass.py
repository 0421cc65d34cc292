"""COMPASS as a task of Inspect AI, its user scripted or a model's."""

import json
import math
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("inspect_ai", reason="the extra `inspect` is not installed")

import inspect_ai
from inspect_ai.log import EvalLog
from inspect_ai.model import Model, get_model
from rich.console import Console
from tests.frontends.inspect_ai.chat_stub import Call, ChatStub, Say, Script, Step, chat_stub

from tripgauge.compass.defaults import default_solutions, default_tasks
from tripgauge.compass.run_commands import open_compass
from tripgauge.compass.voices import ModelVoice
from tripgauge.frontends.inspect_ai.engine import InspectEngine
from tripgauge.frontends.inspect_ai.task import transcript_of
from tripgauge.run_commands import RunOptions, run
from tripgauge.runs import RunFolder

TASK = next(task for task in default_tasks() if task.level == 1 and len(task.progressive) >= 2)
BEST = next(str(found.best) for found in default_solutions() if found.task_id == TASK.task_id)
RECOMMENDED = json.dumps({"message": "Take this.", "recommendation": {"hotel": [BEST]}})
RELIABLE_TRUSTING_FAST = 80


@pytest.fixture(autouse=True)
def a_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STUB_API_KEY", "none")


def validates(messages: list[dict[str, Any]]) -> Step:
    """An agent that knows the best hotel, validates it once a turn and recommends it."""
    if messages[-1]["role"] == "tool":
        return Say(RECOMMENDED)
    return Call((("recommend_hotel", json.dumps({"package_ids": [BEST], "reasoning": "best"})),))


def obeys(messages: list[dict[str, Any]]) -> Step:
    """A user's model that repeats its orders."""
    section = messages[0]["content"].split("# What this message has to say")[1].split("# Rules")[0]
    return Say(" ".join(line.removeprefix("- ") for line in section.strip().splitlines()))


def babbles(messages: list[dict[str, Any]]) -> Step:
    """A user's model that says what it likes."""
    return Say("Perfect, I'll take it. By the way, we have a dog and $50,000. Goodbye!")


def model_at(stub: ChatStub, name: str) -> Model:
    return get_model(f"openai-api/stub/{name}", base_url=stub.url, api_key="none", memoize=False)


def evaluate(log_dir: Path, agent: Script, user: Script | None = None, **arguments: Any) -> tuple[EvalLog, ChatStub]:
    """An evaluation of one task, agent and user at an endpoint each."""
    with chat_stub(agent) as agent_stub, chat_stub(user or obeys) as user_stub:
        roles = {"user": model_at(user_stub, "talker")} if user else {}
        (log,) = inspect_ai.eval(
            "tripgauge/compass",
            model=model_at(agent_stub, "agent"),
            model_roles=roles,
            task_args={"persona": RELIABLE_TRUSTING_FAST, **arguments},
            sample_id=TASK.task_id,
            log_dir=str(log_dir),
            display="none",
        )
    return log, user_stub


def values(log: EvalLog) -> dict[str, float]:
    """The scores of the only sample."""
    assert log.samples
    ((score,),) = [list((sample.scores or {}).values()) for sample in log.samples]
    assert isinstance(score.value, dict)
    return {name: float(value) for name, value in score.value.items()}  # type: ignore[arg-type]


def test_a_model_is_measured_with_a_scripted_user(tmp_path: Path) -> None:
    log, user = evaluate(tmp_path, validates)

    assert log.status == "success", log.error
    found = values(log)
    assert [found[name] for name in ("feasibility", "or_5", "effort", "extra_turns")] == [1, 1, 1, 1]
    assert user.requests == []
    assert log.results is not None
    assert {score.name for score in log.results.scores} >= {"feasibility", "or_5", "or_10", "or_20"}


def test_the_user_speaks_in_the_words_of_the_model_with_that_role(tmp_path: Path) -> None:
    log, user = evaluate(tmp_path, validates, obeys, voice="model")

    assert log.status == "success", log.error
    assert values(log)["or_5"] == 1
    assert log.samples
    turns = transcript_of(log.samples[0].messages, TASK.task_id, 0).turns
    assert len(user.requests) == len(turns)
    assert not any(turn.user and (turn.user.scripted or turn.user.rejected) for turn in turns)
    assert turns[0].utterance.startswith("Lay out your trip")


def test_a_bad_user_model_is_caught_and_never_booked_on_the_agent(tmp_path: Path) -> None:
    log, user = evaluate(tmp_path, validates, babbles, voice="model")

    assert log.status == "success", log.error
    assert values(log)["or_5"] == 1
    assert log.samples
    turns = transcript_of(log.samples[0].messages, TASK.task_id, 0).turns
    assert all(turn.user and turn.user.scripted and len(turn.user.rejected) == 3 for turn in turns)
    assert len(user.requests) == 3 * len(turns)
    assert all("dog" not in turn.utterance for turn in turns)
    assert sum(turn.model_calls for turn in turns) == 2 * len(turns)


def test_no_request_to_the_users_model_holds_what_is_still_to_be_told(tmp_path: Path) -> None:
    log, user = evaluate(tmp_path, validates, obeys, voice="model")

    last = TASK.progressive[-1].constraint.words
    with_it = [last in json.dumps(request.body["messages"], ensure_ascii=False) for request in user.requests]
    assert with_it[-1] or any(with_it)
    assert with_it == sorted(with_it)
    assert not with_it[0]
    assert log.status == "success"


def test_without_a_model_for_the_role_the_measured_one_does_not_stand_in(tmp_path: Path) -> None:
    log, _ = evaluate(tmp_path, validates, None, voice="model")

    assert log.samples
    assert log.samples[0].error is not None
    assert "Model role 'user' is required" in log.samples[0].error.message


def test_what_does_not_apply_is_left_out(tmp_path: Path) -> None:
    log, _ = evaluate(tmp_path, lambda messages: Say('{"message": "Hm.", "recommendation": null}'))

    found = values(log)
    assert found["or_5"] == 0
    assert math.isnan(found["extra_turns"])


def test_a_run_folder_is_filled_through_the_engine_with_a_model_as_the_users_voice(tmp_path: Path) -> None:
    with chat_stub(validates) as agent_stub, chat_stub(obeys) as user_stub:
        talker = InspectEngine("openai-api/stub/talker", base_url=user_stub.url).model
        compass = open_compass(None, None, ModelVoice(talker, "stub/talker"), persona=RELIABLE_TRUSTING_FAST)
        options = RunOptions(model="openai-api/stub/agent", base_url=agent_stub.url, tasks=[TASK.task_id])
        outcome = run(compass, tmp_path / "run", options, Console(quiet=True))

    (transcript,) = RunFolder.open(tmp_path / "run").transcripts().values()
    assert outcome.exit_code == 0, outcome.failures
    assert compass.score(transcript).is_top(5)
    assert all(turn.user and not turn.user.scripted for turn in transcript.turns)
    assert RunFolder.open(tmp_path / "run").settings.digests["user"].startswith("stub/talker ")
