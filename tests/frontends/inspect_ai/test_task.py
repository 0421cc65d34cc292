"""Trip+ as a task of Inspect AI. The numbers of pitfalls are those of the project's notes on Inspect AI, 1.5."""

import asyncio
import importlib
import json
import math
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("inspect_ai", reason="the extra `inspect` is not installed")

import inspect_ai
from inspect_ai import Task
from inspect_ai.log import EvalLog, read_eval_log
from inspect_ai.model import ChatMessage, GenerateConfig, Model, ModelOutput, ModelUsage, get_model
from inspect_ai.tool import ToolInfo

from tripgauge.agents.tool_calling import ToolCallingAgent
from tripgauge.benchmark import TaskGrade
from tripgauge.chat import Message, ToolCall, ToolSpec
from tripgauge.conversation import Dialogue, End, EndReason, Limits, ModelReply, Transcript, Turn, Usage
from tripgauge.frontends.inspect_ai.engine import InspectEngine
from tripgauge.frontends.inspect_ai.task import TURN_METRICS, dialogue, inspect_task, transcript_of, trip_plus
from tripgauge.runs import OwnEngine, RunFolder, Selection, Settings, Work
from tripgauge.tools import Toolbox, tool, tools_of
from tripgauge.toy import town
from tripgauge.trip_plus.benchmark import TripPlus
from tripgauge.trip_plus.dialogues import NUMBERS, TripPlusDialogues

ASK_BACK = "<clarification>Which day?</clarification>"
Script = Callable[[list[ChatMessage]], ModelOutput]


def toy() -> TripPlusDialogues:
    return TripPlusDialogues(TripPlus([town.queries_file()], town.data_folder()))


def says(text: str, tokens: int = 10) -> ModelOutput:
    """Pitfall 1: without a usage the scripted model counts tokens itself, and downloads an encoding for it."""
    output = ModelOutput.from_content("mock", text)
    output.usage = ModelUsage(input_tokens=tokens, output_tokens=2, total_tokens=tokens + 2)
    return output


def calls(name: str, arguments: dict[str, Any]) -> ModelOutput:
    output = ModelOutput.for_tool_call("mock", name, arguments)
    output.usage = ModelUsage(input_tokens=10, output_tokens=2, total_tokens=12)
    return output


class Scripted:
    """A model whose replies are a function of the messages, and that counts how often it was asked."""

    def __init__(self, script: Script) -> None:
        self.asked: list[list[ChatMessage]] = []
        self._script = script

    def model(self) -> Model:
        return get_model("mockllm/model", custom_outputs=self._reply, memoize=False)

    def _reply(
        self, messages: list[ChatMessage], tools: list[ToolInfo], choice: object, config: GenerateConfig
    ) -> ModelOutput:
        self.asked.append(messages)
        return self._script(messages)


def evaluate(task: Task, model: Scripted, log_dir: Path, **options: Any) -> EvalLog:
    (log,) = inspect_ai.eval(task, model=model.model(), log_dir=str(log_dir), display="none", **options)
    return log


def metrics(log: EvalLog) -> dict[str, float]:
    assert log.results is not None
    whole = (score for score in log.results.scores if score.name == "turn_scorer")
    return {name: value.value for score in whole for name, value in score.metrics.items()}


def answers_of_the_town() -> Script:
    """Says the right answer to every turn of every toy task."""
    said = {
        task.brief.utterances[turn]: town.answers()[f"{name}_turn_{turn}"]
        for name, task in toy().trip_plus.tasks.items()
        for turn in range(len(task.brief.utterances))
    }
    return lambda messages: says(said[messages[-1].text])


# --- The task


def test_the_task_is_found_by_name_and_means_are_over_all_turns(tmp_path: Path) -> None:
    """Pitfall 16: a registry that cannot be imported is only printed, and its tasks are then not found."""
    (log,) = inspect_ai.eval(
        "tripgauge/trip_plus", model=Scripted(answers_of_the_town()).model(), log_dir=str(tmp_path), display="none"
    )

    assert log.status == "success"
    assert metrics(log) == {"turns": 30, **{f"{number}_turns": 1.0 for number in NUMBERS}}


def test_the_registry_can_be_imported() -> None:
    """Pitfall 16, said aloud."""
    registry = importlib.import_module("tripgauge.frontends.inspect_ai._registry")

    assert all(getattr(registry, name) is not None for name in registry.__all__)


def test_every_metric_has_a_name_of_its_own_and_no_turn_is_counted_twice(tmp_path: Path) -> None:
    """Pitfalls 9 and 10: metrics without the right annotation, or with one name, are taken for others."""
    log = evaluate(trip_plus(), Scripted(lambda messages: says(ASK_BACK)), tmp_path)

    found = metrics(log)
    assert list(found) == ["turns", *(f"{number}_turns" for number in NUMBERS)]
    assert len(TURN_METRICS) == len(NUMBERS)
    assert found["turns"] == 30
    assert found["mode_turns"] == pytest.approx(3 / 30), "three toy turns want a clarification"


def test_epochs_are_trials_and_every_turn_of_each_counts(tmp_path: Path) -> None:
    """Pitfall 8: reducing epochs first would drop the turns of all but the first."""
    right = answers_of_the_town()
    seen: dict[str, int] = {}

    def right_the_second_time(messages: list[ChatMessage]) -> ModelOutput:
        key = messages[-1].text
        seen[key] = seen.get(key, 0) + 1
        return right(messages) if seen[key] == 2 else says("")

    def script(messages: list[ChatMessage]) -> ModelOutput:
        return right_the_second_time(messages) if messages[-1].role == "user" else says("")

    benchmark = toy()
    limits = Limits(empty_replies=1)
    task = inspect_task(benchmark, dialogue(benchmark, limits=limits))
    log = evaluate(task, Scripted(script), tmp_path, epochs=2, max_samples=1)

    found = metrics(log)
    assert found["turns"] == 60
    assert found["mode_turns"] == pytest.approx(0.5)
    assert found["feasibility_due_turns"] == pytest.approx(0.5)
    assert found["feasibility_turns"] == 1


def test_what_does_not_apply_is_left_out_and_every_sample_has_every_number(tmp_path: Path) -> None:
    """Pitfall 6: None would count as 0, and a missing name would end the scoring."""
    log = evaluate(trip_plus(), Scripted(lambda messages: says(ASK_BACK)), tmp_path)

    assert log.samples is not None
    values = [sample.scores["turn_scorer"].value for sample in log.samples if sample.scores]
    assert len(values) == 8
    assert {tuple(value) for value in values if isinstance(value, dict)} == {("turns", *NUMBERS)}
    assert all(math.isnan(value["feasibility"]) for value in values if isinstance(value, dict))
    assert math.isnan(metrics(log)["feasibility_turns"])
    assert metrics(log)["feasibility_due_turns"] == 0


def test_a_log_in_json_can_be_read_again(tmp_path: Path) -> None:
    """Pitfall 7: Inspect writes NaN into it as a bare word, which its own reader takes."""
    log = evaluate(trip_plus(), Scripted(lambda messages: says(ASK_BACK)), tmp_path, limit=1, log_format="json")

    again = read_eval_log(log.location)
    assert again.status == "success"
    assert metrics(again)["turns"] == 3


# --- Limits


def test_the_model_is_asked_exactly_as_often_as_allowed(tmp_path: Path) -> None:
    """Pitfall 2: Inspect's own turn limit makes one call too many."""
    model = Scripted(lambda messages: calls("query_hotel_info", {"destination": f"City {len(messages)}"}))
    benchmark = toy()
    limits = Limits(model_calls=5, error_rounds=99)

    log = evaluate(inspect_task(benchmark, dialogue(benchmark, limits=limits)), model, tmp_path, limit=1)

    assert len(model.asked) == 3 * 5
    assert _ends(log) == ["model_call_limit"] * 3


def test_a_limit_of_inspect_ends_no_turn_silently(tmp_path: Path) -> None:
    """Pitfall 4: later turns would never happen, and the denominator would shrink."""
    model = Scripted(lambda messages: says(ASK_BACK, tokens=60))

    log = evaluate(trip_plus(), model, tmp_path, limit=1, token_limit=100)

    assert metrics(log)["turns"] == 3
    assert "engine_limit" in _ends(log)


def test_a_sample_that_runs_out_of_time_is_scored_over_all_its_turns(tmp_path: Path) -> None:
    """Pitfall 4, for limits that Inspect enforces from outside."""

    async def never(**more: object) -> ModelOutput:
        await asyncio.sleep(60)
        return says("late")

    model = get_model("mockllm/model", custom_outputs=[says(ASK_BACK)], memoize=False)
    model.api.generate = _first_then(model.api.generate, never)  # type: ignore[method-assign]
    (log,) = inspect_ai.eval(trip_plus(), model=model, log_dir=str(tmp_path), display="none", limit=1, time_limit=3)

    assert metrics(log)["turns"] == 3
    assert metrics(log)["mode_turns"] == 0
    assert _ends(log) == ["answered"]


def _first_then(first: Callable[..., Any], then: Callable[..., Any]) -> Callable[..., Any]:
    made: list[int] = []

    async def generate(*args: Any, **more: Any) -> Any:
        made.append(1)
        return await (first if len(made) == 1 else then)(*args, **more)

    return generate


def _ends(log: EvalLog, sample: int = 0) -> list[str]:
    assert log.samples is not None
    return [turn.end.value for turn in transcript_of(log.samples[sample].messages, "task", 0).turns]


class TalkativeUser:
    """Asks a model what to say, before each of two utterances."""

    async def say(self, turns: Sequence[Turn]) -> str | End:
        output = await get_model().generate("What shall I say?")
        return f"{output.completion} {len(turns)}" if len(turns) < 2 else End("all_said")


class TwoWords:
    """A benchmark with one task and a user that has a model."""

    name, edition, task_ids, limits = "two_words", "strict", ("chat",), Limits()

    def __init__(self, toolbox: Toolbox | None = None) -> None:
        self._toolbox = toolbox or Toolbox([])

    def dialogue(self, task_id: str, seed: int) -> Dialogue:
        plain = toy().dialogue("mt_toy_couple")
        return replace(plain, task=task_id, user=TalkativeUser(), toolbox=self._toolbox)

    def digests(self) -> dict[str, str]:
        return {}

    def grade(self, transcript: Transcript) -> TaskGrade:
        return TaskGrade(transcript.task, transcript.trial, (), {})


def test_what_a_simulated_user_uses_up_is_not_the_agents(tmp_path: Path) -> None:
    """Pitfall 3: Inspect's limits would count the calls of both."""
    model = Scripted(lambda messages: says(ASK_BACK if messages[0].role == "system" else "Hello", tokens=40))

    log = evaluate(inspect_task(TwoWords(), dialogue(TwoWords())), model, tmp_path, token_limit=90, turn_limit=3)

    assert len(model.asked) == 5, "three times the user's, twice the agent's"
    assert _ends(log) == ["answered", "answered"]


# --- Tools


class Archive:
    """A tool with long answers, one with a number, and one with a fault of ours."""

    @tool
    def read(self, shelf: int) -> str:
        """Reads a shelf.

        Args:
            shelf: Its number.
        """
        return f"{shelf}: " + "x" * 40_000

    @tool
    def burn(self, shelf: int) -> str:
        """Burns a shelf.

        Args:
            shelf: Its number.
        """
        raise ZeroDivisionError("a fault of ours")


def _after_a_call(name: str, arguments: dict[str, Any]) -> Script:
    return lambda messages: (
        says(ASK_BACK) if messages[0].role != "system" or messages[-1].role == "tool" else calls(name, arguments)
    )


def test_long_tool_answers_reach_the_model_whole(tmp_path: Path) -> None:
    """Pitfall 5: Inspect would cut the middle out of anything over 16 KB."""
    archive = TwoWords(Toolbox(tools_of(Archive()), page_chars=50_000))
    model = Scripted(_after_a_call("read", {"shelf": 7}))

    evaluate(inspect_task(archive, dialogue(archive)), model, tmp_path)

    answers = [messages[-1].text for messages in model.asked if messages[-1].role == "tool"]
    assert [len(answer) for answer in answers] == [40_003] * 2


def test_a_number_in_quotes_is_read_alike_by_both_engines(tmp_path: Path) -> None:
    """Pitfall 11: Inspect's own dispatcher would refuse it before our code runs."""
    archive = TwoWords(Toolbox(tools_of(Archive()), page_chars=50_000))
    model = Scripted(_after_a_call("read", {"shelf": "7"}))

    log = evaluate(inspect_task(archive, dialogue(archive)), model, tmp_path)

    assert log.samples is not None
    (use,) = transcript_of(log.samples[0].messages, "chat", 0).turns[0].tool_uses
    assert use.error is None
    assert use.repairs == ('shelf: "7" read as 7',)
    assert use.answer.startswith("7: ")


def test_a_fault_of_ours_in_a_tool_fails_one_sample_and_no_other(tmp_path: Path) -> None:
    """Pitfall 12: by default it would end the whole evaluation."""
    benchmark = toy()
    first = benchmark.task_ids[0]

    class Sabotaged(TripPlusDialogues):
        def dialogue(self, task_id: str, seed: int = 0) -> Dialogue:
            plain = super().dialogue(task_id, seed)
            return replace(plain, toolbox=Toolbox(tools_of(Archive()))) if task_id == first else plain

    sabotaged = Sabotaged(benchmark.trip_plus)
    model = Scripted(_after_a_call("burn", {"shelf": 1}))
    log = evaluate(inspect_task(sabotaged, dialogue(sabotaged)), model, tmp_path)

    assert log.status == "success"
    assert log.samples is not None
    errors = {sample.id: sample.error.message for sample in log.samples if sample.error}
    assert list(errors) == [first]
    assert "a fault of ours" in errors[first]
    assert metrics(log)["turns"] == 27, "the three turns of the failed sample are no zeros"


# --- Scoring again


@pytest.mark.slow
def test_a_log_is_scored_again_from_its_messages_alone(tmp_path: Path) -> None:
    """Pitfall 15: the scorer has to be named in full."""
    log = evaluate(trip_plus(), Scripted(answers_of_the_town()), tmp_path, limit=2)
    before = metrics(log)
    command = [sys.executable, "-m", "inspect_ai", "score", log.location, "--scorer", "tripgauge/turn_scorer"]
    done = subprocess.run(
        [*command, "--action", "overwrite", "--overwrite"],
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )

    assert done.returncode == 0, done.stdout + done.stderr
    again = read_eval_log(log.location)
    assert metrics(again) == before
    assert before["mode_turns"] == 1


def test_the_store_is_not_needed_for_scoring(tmp_path: Path) -> None:
    """A sample that is recovered after a kill comes back with its messages and an empty store."""
    log = evaluate(trip_plus(), Scripted(answers_of_the_town()), tmp_path, limit=1)

    assert log.samples is not None
    assert log.samples[0].store == {}
    assert [turn.answer for turn in transcript_of(log.samples[0].messages, "mt_toy_couple", 0).turns] == [
        town.answers()[f"mt_toy_couple_turn_{turn}"] for turn in range(3)
    ]


# --- Both engines


class ScriptedModel:
    """The same replies as `inspect_replies`, as a model of ours."""

    async def __call__(self, messages: Sequence[Message], tools: Sequence[ToolSpec]) -> ModelReply:
        step = _step(sum(message.role == "tool" for message in messages), len(tools))
        if isinstance(step, str):
            return ModelReply(step, usage=Usage(12, 3, 2, None), cost=Decimal("0.000042"))
        made = tuple(ToolCall.of(call_id, name, arguments) for call_id, name, arguments in step)
        return ModelReply("", made, usage=Usage(12, 3, 2, None), cost=Decimal("0.000042"))


def inspect_replies(messages: list[ChatMessage], tools: list[ToolInfo]) -> ModelOutput:
    step = _step(sum(message.role == "tool" for message in messages), len(tools))
    if isinstance(step, str):
        output = ModelOutput.from_content("mock", step)
    else:
        output = ModelOutput.for_tool_call("mock", step[0][1], step[0][2])
        assert output.choices[0].message.tool_calls is not None
        made = output.choices[0].message.tool_calls
        made[:] = [replace(made[0], id=i, function=n, arguments=a) for i, n, a in step]
    output.usage = ModelUsage(input_tokens=10, output_tokens=3, total_tokens=15, input_tokens_cache_read=2)
    return output


def _step(answers: int, tools: int) -> str | list[tuple[str, str, dict[str, object]]]:
    """Two calls at once, an unknown tool, a wrong argument, a repeat, and then a text."""
    assert tools == 11
    hotels: dict[str, object] = {"destination": "Briskhaven", "max_price": "310"}
    steps: dict[int, list[tuple[str, str, dict[str, object]]]] = {
        0: [("a", "query_hotel_info", hotels), ("b", "recommend_attractions", {"city": "Briskhaven"})],
        2: [("c", "book_hotel", {}), ("d", "query_hotel_info", {"destination": "Atlantis"})],
        4: [("e", "query_hotel_info", {"where": 1}), ("f", "recommend_attractions", {"city": "Briskhaven"})],
    }
    return steps.get(answers, f"<clarification>{answers} answers; which day? – naïve 🙂</clarification>")


def test_both_engines_write_the_same_records(tmp_path: Path) -> None:
    from tripgauge.prices import Price

    benchmark = toy()
    settings = Settings("trip_plus", "strict", "test:Both", 3, Limits(), {}, {})
    own, inspects = (
        RunFolder.start(tmp_path / name, settings, Selection(tuple(benchmark.task_ids[:3]), 2))
        for name in ("own", "inspect")
    )
    native = get_model(
        "mockllm/model", custom_outputs=lambda m, tools, choice, config: inspect_replies(m, tools), memoize=False
    )
    engine = InspectEngine(native, price=Price(Decimal(2), Decimal(6), Decimal(2)))

    OwnEngine().carry_out(own, Work(benchmark, lambda: ToolCallingAgent(ScriptedModel()), Limits(), 3, 4))
    engine.carry_out(inspects, Work(benchmark, lambda: ToolCallingAgent(engine.model), Limits(), 3, 4))
    own.tidy()
    inspects.tidy()

    written = (own.path / "transcripts.jsonl").read_bytes()
    assert written == (inspects.path / "transcripts.jsonl").read_bytes()
    turn = own.transcripts()[benchmark.task_ids[0], 1].turns[0]
    assert [use.error for use in turn.tool_uses] == [None, None, "name", "content", "parameter", "repeated"]
    assert turn.usage == Usage(48, 12, 8)
    assert turn.cost == Decimal("0.000168")
    assert turn.end is EndReason.ANSWERED


KILLED = """
import sys
from pathlib import Path
from inspect_ai.model import get_model
from tests.frontends.inspect_ai.test_task import ASK_BACK, says, toy
from tripgauge.agents.tool_calling import ToolCallingAgent
from tripgauge.conversation import Limits
from tripgauge.frontends.inspect_ai.engine import InspectEngine
from tripgauge.runs import RunFolder, Selection, Settings, Work
benchmark = toy()
settings = Settings("trip_plus", "strict", "a:B", 0, Limits(), {}, {})
folder = RunFolder.start(Path(sys.argv[1]), settings, Selection(tuple(benchmark.task_ids), 3))
engine = InspectEngine(get_model("mockllm/model", custom_outputs=lambda *a: says(ASK_BACK), memoize=False))
tell = lambda held: print("held", held.transcript.task, held.transcript.trial, flush=True)
work = Work(benchmark, lambda: ToolCallingAgent(engine.model), Limits(), 0, 2, on_held=tell)
print("missing", len(folder.missing()), flush=True)
engine.carry_out(folder, work)
folder.tidy()
"""


@pytest.mark.slow
def test_a_killed_run_through_inspect_carries_on_where_it_stopped(tmp_path: Path) -> None:
    import signal

    def start() -> "subprocess.Popen[str]":
        root = Path(__file__).parents[3]
        return subprocess.Popen(
            [sys.executable, "-c", KILLED, str(tmp_path / "run")],
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            env={**os.environ, "PYTHONPATH": str(root)},
        )

    first = start()
    assert first.stdout is not None
    before = [first.stdout.readline().strip() for _ in range(6)][1:]
    os.kill(first.pid, signal.SIGKILL)
    before += [line for line in first.communicate()[0].splitlines() if line.count(" ") == 2]
    second, _ = start().communicate()

    after = second.splitlines()
    assert after[0] == f"missing {24 - len(before)}"
    assert sorted(before + after[1:]) == sorted(set(before + after[1:]))
    assert len(before + after[1:]) == 24
    assert len(RunFolder.open(tmp_path / "run").transcripts()) == 24


def test_records_in_a_log_are_plain_json(tmp_path: Path) -> None:
    log = evaluate(trip_plus(), Scripted(lambda messages: says(ASK_BACK)), tmp_path, limit=1)

    assert log.samples is not None
    json.dumps([message.metadata for message in log.samples[0].messages], allow_nan=False)
