"""Models by name, against a server that misbehaves: what is the agent's stays the agent's, and nothing else does."""

import asyncio
import io
import json
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Sequence
from decimal import Decimal
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

pytest.importorskip("inspect_ai", reason="the extra `inspect` is not installed")

from tests.frontends.inspect_ai.chat_stub import Call, ChatStub, Fail, HalfReply, Reply, Say, Stall, Step, chat_stub
from tests.trip_plus.test_dialogues import MARKER, planted

from tripgauge.agents.tool_calling import ToolCallingAgent
from tripgauge.chat import Message, ToolCall, ToolSpec
from tripgauge.conversation import EndReason, Model, ModelReply, OpenTurn, Transcript, converse
from tripgauge.errors import UsageError
from tripgauge.frontends.inspect_ai import engine as engine_module
from tripgauge.frontends.inspect_ai.engine import InspectEngine
from tripgauge.frontends.inspect_ai.model import Patience, _is_too_long
from tripgauge.prices import Price
from tripgauge.run_commands import RunOptions, RunOutcome, run
from tripgauge.runs import ModelSettings, RunFolder
from tripgauge.toy import town
from tripgauge.trip_plus.benchmark import TripPlus
from tripgauge.trip_plus.dialogues import TripPlusDialogues

MODEL = "openai-api/stub/tiny"
ASK_BACK = "<clarification>Which day?</clarification>"
HASTE = Patience(attempts=5, seconds=2, first_wait=0.01, longest_wait=0.02)

Messages = list[dict[str, Any]]


@pytest.fixture(autouse=True)
def _in_haste(monkeypatch: pytest.MonkeyPatch) -> None:
    """A key for the stub, and little patience with it."""
    monkeypatch.setenv("STUB_API_KEY", "secret-of-the-test")
    make = InspectEngine.__init__
    monkeypatch.setattr(engine_module, "PROBE_PATIENCE", HASTE)
    monkeypatch.setattr(
        InspectEngine, "__init__", lambda self, *args, **more: make(self, *args, **{"patience": HASTE, **more})
    )


def toy() -> TripPlusDialogues:
    return TripPlusDialogues(TripPlus([town.queries_file()], town.data_folder()))


def run_against(
    folder: Path, answer: Callable[[Messages], Step], tasks: tuple[str, ...] = ("mt_toy_couple",), **options: Any
) -> tuple[RunOutcome, ChatStub]:
    """A run of some tasks; the probe at its beginning is always answered."""

    def script(messages: Messages) -> Step:
        return Say("ready") if messages[0]["role"] == "user" else answer(messages)

    with chat_stub(script) as stub:
        outcome = run(
            toy(),
            folder,
            RunOptions(model=MODEL, base_url=stub.url, tasks=tasks, **options),
            Console(file=io.StringIO(), width=200),
        )
    return outcome, stub


def transcript(folder: Path, task: str = "mt_toy_couple", trial: int = 0) -> Transcript:
    return RunFolder.open(folder).transcripts()[task, trial]


def turn_of(messages: Messages) -> int:
    """Which turn is being answered: earlier ones are an utterance and an answer each."""
    answered = [m for m in messages if m["role"] == "assistant" and not m.get("tool_calls")]
    return len(answered)


def rounds(messages: Messages) -> int:
    """How many rounds of tool calls the turn has had."""
    return sum(bool(m.get("tool_calls")) for m in messages)


# --- The probe


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (Fail(401, "Incorrect API key provided"), "Incorrect API key"),
        (Fail(404, "The model `tiny` does not exist"), "does not exist"),
        (Fail(400, "tool choice needs a flag"), "tool choice needs a flag"),
        (Fail(503, "overloaded"), "overloaded"),
    ],
)
def test_a_model_that_refuses_the_probe_stops_the_run_with_the_reason(
    tmp_path: Path, answer: Step, reason: str
) -> None:
    """R38."""
    with chat_stub(lambda messages: answer) as stub, pytest.raises(UsageError, match=reason) as refusal:
        run(toy(), tmp_path / "run", RunOptions(model=MODEL, base_url=stub.url), Console(file=io.StringIO()))

    assert str(refusal.value).startswith(f"{MODEL} cannot be asked: ")
    assert "\n" not in str(refusal.value)
    assert list((tmp_path / "run").rglob("*.jsonl")) == []
    assert not (tmp_path / "run" / "held").exists()


def test_a_dead_host_stops_the_run(tmp_path: Path) -> None:
    """R38."""
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]

    options = RunOptions(model=MODEL, base_url=f"http://127.0.0.1:{port}/v1")

    with pytest.raises(UsageError, match=r"cannot be asked: .*(onnect|refused)"):
        run(toy(), tmp_path / "run", options, Console(file=io.StringIO()))


def test_a_missing_key_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """R38."""
    monkeypatch.delenv("STUB_API_KEY")

    with pytest.raises(UsageError, match="STUB_API_KEY"):
        InspectEngine(MODEL, base_url="http://127.0.0.1:9/v1")


def test_an_unknown_provider_is_named() -> None:
    with pytest.raises(UsageError, match="nobody/at-all cannot be asked"):
        InspectEngine("nobody/at-all")


# --- What is sent


def test_the_papers_settings_are_sent_and_the_key_is_nowhere_in_the_folder(tmp_path: Path) -> None:
    _, stub = run_against(tmp_path / "run", lambda messages: Say(ASK_BACK))

    body = stub.requests[-1].body
    assert (body["temperature"], body["top_p"], body["model"]) == (0, 1, "tiny")
    assert {tool["function"]["name"] for tool in body["tools"]} >= {"query_train_info", "query_city_weather"}
    assert len(body["tools"]) == 11
    assert stub.requests[-1].key == "Bearer secret-of-the-test"
    files = [path for path in (tmp_path / "run").rglob("*") if path.is_file()]
    assert len(files) >= 4
    assert [path for path in files if b"secret-of-the-test" in path.read_bytes()] == []


def test_settings_are_sent_as_given(tmp_path: Path) -> None:
    settings = ModelSettings(temperature=None, top_p=0.5, max_tokens=321, seed=5)
    _, stub = run_against(tmp_path / "run", lambda messages: Say(ASK_BACK), model_settings=settings)

    body = stub.requests[-1].body
    assert "temperature" not in body
    assert (body["top_p"], body["seed"]) == (0.5, 5)
    assert 321 in (body.get("max_tokens"), body.get("max_completion_tokens"))


def test_each_trial_sends_the_next_seed(tmp_path: Path) -> None:
    """R27."""
    settings = ModelSettings(seed=5)
    _, stub = run_against(
        tmp_path / "run", lambda messages: Say(ASK_BACK), model_settings=settings, trials=2, max_connections=1
    )

    assert [request.body["seed"] for request in stub.requests[1:]] == [5] * 3 + [6] * 3


def test_options_go_to_the_provider_or_into_the_request(tmp_path: Path) -> None:
    settings = ModelSettings(
        options={"extra_body": '{"chat_template_kwargs": {"enable_thinking": false}}', "presence_penalty": "0.5"}
    )
    _, stub = run_against(tmp_path / "run", lambda messages: Say(ASK_BACK), model_settings=settings)

    assert stub.requests[-1].body["chat_template_kwargs"] == {"enable_thinking": False}
    assert stub.requests[-1].body["presence_penalty"] == 0.5


def test_an_option_that_the_provider_does_not_know_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be asked"):
        InspectEngine(MODEL, ModelSettings(options={"temperature": "warm"}), "http://127.0.0.1:9/v1")


def test_tools_are_offered_in_plain_form(tmp_path: Path) -> None:
    """Pitfall 13: "strict" schemas are refused by servers, and are not what the papers measure."""
    _, stub = run_against(tmp_path / "run", lambda messages: Say(ASK_BACK))

    assert all(not tool["function"].get("strict") for request in stub.requests for tool in request.body["tools"])
    tools = {tool["function"]["name"]: tool["function"] for tool in stub.requests[-1].body["tools"]}
    assert tools["query_hotel_info"]["parameters"]["required"] == ["destination"]


def test_a_conversation_is_sent_as_chat_completions_wants_it(tmp_path: Path) -> None:
    def answer(messages: Messages) -> Step:
        if rounds(messages) == 0:
            return Call((("query_hotel_info", '{"destination":"Briskhaven"}'), ("nonsense", "{}")), "I look.")
        return Say(ASK_BACK)

    _, stub = run_against(tmp_path / "run", answer)

    last = stub.requests[-1].body["messages"]
    assert [m["role"] for m in last] == ["system", *["user", "assistant"] * 2, "user", "assistant", "tool", "tool"]
    asked, *answers = last[-3:]
    assert [call["id"] for call in asked["tool_calls"]] == [answer["tool_call_id"] for answer in answers]
    assert not asked.get("content")
    assert "Quay Inn" in answers[0]["content"]


def test_nothing_hidden_is_in_a_byte_that_is_sent(tmp_path: Path) -> None:
    """R9."""
    queries = tmp_path / "query.json"
    records = json.loads(town.queries_file().read_text(encoding="utf-8"))
    queries.write_text(json.dumps([planted(record) for record in records]), encoding="utf-8")
    benchmark = TripPlusDialogues(TripPlus([queries], town.data_folder()))

    def script(messages: Messages) -> Step:
        return Call((("query_hotel_info", '{"destination":"Briskhaven"}'),)) if not rounds(messages) else Say(ASK_BACK)

    with chat_stub(script) as stub:
        options = RunOptions(model=MODEL, base_url=stub.url, limit=2)
        run(benchmark, tmp_path / "run", options, Console(file=io.StringIO()))

    assert MARKER in queries.read_text(encoding="utf-8")
    assert len(stub.requests) > 12
    assert [request for request in stub.requests if MARKER in json.dumps(request.body)] == []


# --- What comes back


def test_parallel_calls_and_broken_arguments_are_the_agents(tmp_path: Path) -> None:
    """R33."""

    def answer(messages: Messages) -> Step:
        if rounds(messages) == 0:
            broken = '{"destination": "Briskhaven"'
            numeric = '{"destination": "Briskhaven", "max_price": "310"}'
            calls = (
                ("query_hotel_info", text) for text in (numeric, broken, "", "null", "[]", '{"destination": "Nowhere"}')
            )
            return Call((*calls, ("fly_me_there", "{}")))
        return Say(ASK_BACK)

    outcome, _ = run_against(tmp_path / "run", answer)

    turn = transcript(tmp_path / "run").turns[0]
    assert [use.error for use in turn.tool_uses] == [
        None,
        "parameter",
        "parameter",
        *("parameter" if use.error == "parameter" else "repeated" for use in turn.tool_uses[3:4]),
        "parameter",
        "content",
        "name",
    ]
    assert turn.tool_uses[0].repairs != ()
    assert turn.tool_uses[1].arguments == '{"destination": "Briskhaven"'
    assert outcome.exit_code == 0
    assert {t.end for t in transcript(tmp_path / "run").turns} == {EndReason.ANSWERED}


ARGUMENTS = (
    '{"destination":"Briskhaven"}',
    '```json\n{"destination":"Briskhaven"}\n```',
    '  {"destination":"Briskhaven",}  ',
    "Briskhaven",
    '"Briskhaven"',
    "destination: Briskhaven",
    '"{\\"destination\\": \\"Briskhaven\\"}"',
    '{"destination":"Aldmoor","destination":"Briskhaven"}',
    '{"destination":"Br\\u0069skhaven","max_price":3.1e2}',
    '{"destination":"Briskhaven"}{"destination":"Aldmoor"}',
    '{"destination":"\\ud800"}',
    '{"destination":"Briskhaven","max_price":NaN}',
    '{"destination":"Briskhaven","max_price":1e999}',
    '{"destination":"Briskhaven","max_price":' + "9" * 5000 + "}",
    '{"destination":' + "[" * 600 + "]" * 600 + "}",
    "{'destination': 'Briskhaven'}",
    "5",
    "true",
    "null",
    "[]",
    "",
)


class Writes:
    """A model that calls a tool with these arguments, a round each, and then asks back."""

    def __init__(self, arguments: tuple[str, ...]) -> None:
        self._left = list(arguments)

    async def __call__(self, messages: Sequence[Message], tools: Sequence[ToolSpec]) -> ModelReply:
        if not self._left:
            return ModelReply(ASK_BACK)
        return ModelReply("", (ToolCall("call_0", "query_hotel_info", self._left.pop(0)),))


@pytest.mark.parametrize("arguments", ARGUMENTS, ids=range(len(ARGUMENTS)))
def test_both_engines_read_the_same_arguments_in_the_same_way(tmp_path: Path, arguments: str) -> None:
    """R33. Inspect guesses at arguments before our code runs; what counts is the text as the model wrote it."""
    call = Call((("query_hotel_info", arguments),))

    outcome, _ = run_against(tmp_path / "run", lambda messages: Say(ASK_BACK) if rounds(messages) else call)
    held = asyncio.run(
        converse(ToolCallingAgent(Writes((arguments,))), toy().dialogue("mt_toy_couple"), toy().limits)
    ).transcript

    assert transcript(tmp_path / "run").turns[0].tool_uses == held.turns[0].tool_uses
    assert len(held.turns[0].tool_uses) == 1
    assert outcome.exit_code == 0


def tool_call(**values: Any) -> dict[str, Any]:
    function = {"name": "query_hotel_info", "arguments": '{"destination":"Briskhaven"}'}
    return {"id": "call_0", "type": "function", "function": function, **values}


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (tool_call(function={"name": "query_\ud800", "arguments": "{}"}), "name"),
        (tool_call(function={"name": None, "arguments": "{}"}), "name"),
        (tool_call(function={"name": "query_hotel_info", "arguments": '{"destination":"\ud800"}'}), "parameter"),
        (tool_call(function={"name": "query_hotel_info", "arguments": {"destination": "Briskhaven"}}), None),
        (tool_call(id="\ud800"), None),
        (tool_call(id=None), None),
    ],
)
def test_an_odd_tool_call_is_the_agents_and_never_ends_the_run(
    tmp_path: Path, call: dict[str, Any], error: str | None
) -> None:
    """R33."""
    odd = Reply({"message": {"content": None, "tool_calls": [call]}})

    outcome, _ = run_against(tmp_path / "run", lambda messages: Say(ASK_BACK) if rounds(messages) else odd)

    assert [use.error for use in transcript(tmp_path / "run").turns[0].tool_uses] == [error]
    assert outcome.exit_code == 0
    assert list((tmp_path / "run" / "inspect").glob("*.eval"))


def test_an_answer_with_half_a_surrogate_pair_or_in_parts_is_an_answer(tmp_path: Path) -> None:
    contents = [f"\ud800{ASK_BACK}", [{"type": "text", "text": ASK_BACK}], ASK_BACK]

    outcome, _ = run_against(
        tmp_path / "run", lambda messages: Reply({"message": {"content": contents[turn_of(messages)]}})
    )

    assert [turn.answer for turn in transcript(tmp_path / "run").turns] == [f"\ufffd{ASK_BACK}", ASK_BACK, ASK_BACK]
    assert outcome.exit_code == 0


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ({"choices": []}, "has no choices"),
        ({"choices": None, "error": {"message": "overloaded"}}, "choices: overloaded"),
    ],
)
def test_an_answer_without_choices_is_the_providers_failure(
    tmp_path: Path, values: dict[str, Any], reason: str
) -> None:
    outcome, _ = run_against(tmp_path / "run", lambda messages: Reply(values))

    (turn,) = transcript(tmp_path / "run").turns
    assert turn.end is EndReason.INFRASTRUCTURE
    assert reason in turn.detail
    assert outcome.exit_code == 1


def test_an_endless_repeat_ends_with_a_forced_answer(tmp_path: Path) -> None:
    """R33."""
    again = Call((("query_hotel_info", '{"destination":"Briskhaven"}'),), ASK_BACK)

    outcome, stub = run_against(tmp_path / "run", lambda messages: Say(ASK_BACK) if turn_of(messages) else again)

    turns = transcript(tmp_path / "run").turns
    assert [turn.end for turn in turns] == [EndReason.FORCED_ANSWER, EndReason.ANSWERED, EndReason.ANSWERED]
    assert [turn.model_calls for turn in turns] == [66, 1, 1]
    asked = [body for body, _ in groupby(request.body for request in stub.requests)]
    assert len(asked) == 1 + 66 + 2, "a request that a slow machine repeats is one"
    assert "tools" not in asked[66]
    assert outcome.exit_code == 0


def test_a_cut_off_a_withheld_and_an_empty_reply_are_results(tmp_path: Path) -> None:
    says = [Say("<clarification>Wh", "length"), Say("", "content_filter"), Say("")]

    run_against(tmp_path / "run", lambda messages: says[turn_of(messages)])

    assert [turn.end for turn in transcript(tmp_path / "run").turns] == [
        EndReason.CUT_OFF,
        EndReason.FILTERED,
        EndReason.EMPTY_ANSWER,
    ]


def test_a_conversation_that_does_not_fit_is_a_result(tmp_path: Path) -> None:
    """R34."""
    message = "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens."

    outcome, _ = run_against(tmp_path / "run", lambda messages: Fail(400, message))

    assert [turn.end for turn in transcript(tmp_path / "run").turns] == [EndReason.CONTEXT_EXCEEDED] * 3
    assert outcome.exit_code == 0


class Leaves:
    """Raises what is no ordinary exception, or cannot be made once the run is under way."""

    made = 0

    def __init__(self, model: Model, how: str) -> None:
        Leaves.made += 1
        if how == "is not made" and Leaves.made > 2:
            raise LookupError("no\nway")

    async def respond(self, turn: OpenTurn) -> str:
        raise asyncio.CancelledError


@pytest.mark.parametrize(("how", "reason"), [("cancels", "CancelledError"), ("is not made", "LookupError('no")])
def test_whatever_ends_a_conversation_is_recorded_with_its_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: str, reason: str
) -> None:
    monkeypatch.setattr(Leaves, "made", 0)
    agent = {"agent": f"{__name__}:Leaves", "agent_options": {"how": how}}

    outcome, _ = run_against(tmp_path / "run", lambda messages: Say(ASK_BACK), **agent)

    (turn,) = transcript(tmp_path / "run").turns
    assert turn.end is EndReason.ERRORED
    assert reason in turn.detail
    assert "\n" not in turn.detail
    assert outcome.exit_code == 1


# --- What is the provider's


def test_rate_limits_are_waited_for_as_long_as_the_server_asks(tmp_path: Path) -> None:
    """Requirement 36."""
    refused: list[int] = []

    def answer(messages: Messages) -> Step:
        if len(refused) < 2:
            refused.append(1)
            return Fail(429, "slow down", retry_after=1)
        return Say(ASK_BACK)

    outcome, stub = run_against(tmp_path / "run", answer)

    _, first, second, third, *_ = stub.requests
    assert second.at - first.at >= 1
    assert third.at - second.at >= 1
    turn = transcript(tmp_path / "run").turns[0]
    assert (turn.end, turn.model_calls) == (EndReason.ANSWERED, 1)
    assert outcome.exit_code == 0


@pytest.mark.parametrize(
    "message",
    [
        "This model's maximum context length is 8192 tokens. However, you requested 9000 tokens.",
        "context_length_exceeded",
        "prompt is too long: 210000 tokens > 200000 maximum",
        "the request exceeds the available context size. try increasing the context size",
        "The input token count (9000) exceeds the maximum number of tokens allowed (8192).",
    ],
)
def test_every_usual_way_to_say_too_long_is_understood(message: str) -> None:
    error = Exception(message)
    error.status_code = 400  # type: ignore[attr-defined]
    other = Exception("temperature is not supported")
    other.status_code = 400  # type: ignore[attr-defined]

    assert _is_too_long(error)
    assert not _is_too_long(other)


@pytest.mark.parametrize("trouble", [Fail(500, "oops"), HalfReply(), Stall(20)], ids=["500", "half", "stalled"])
def test_passing_trouble_is_waited_out_and_leaves_no_trace(tmp_path: Path, trouble: Step) -> None:
    troubled: list[int] = []

    def answer(messages: Messages) -> Step:
        if len(troubled) < 3:
            troubled.append(1)
            return trouble
        return Say(ASK_BACK)

    outcome, _ = run_against(tmp_path / "run", answer)

    assert [turn.end for turn in transcript(tmp_path / "run").turns] == [EndReason.ANSWERED] * 3
    assert [turn.model_calls for turn in transcript(tmp_path / "run").turns] == [1, 1, 1]
    assert outcome.exit_code == 0


@pytest.mark.parametrize(
    ("trouble", "reason"),
    [
        (Fail(500, "oops"), "oops"),
        (Fail(401, "key revoked"), "key revoked"),
        (HalfReply(), "onnect|ncomplete|peer|protocol"),
    ],
    ids=["500", "401", "half"],
)
def test_lasting_trouble_is_no_score_and_the_task_is_run_again(tmp_path: Path, trouble: Step, reason: str) -> None:
    tasks = ("mt_toy_couple", "mt_toy_flyer")

    def troubled(messages: Messages) -> Step:
        return trouble if "Mint Gallery" in messages[1]["content"] and turn_of(messages) == 1 else Say(ASK_BACK)

    first, _ = run_against(tmp_path / "run", troubled, tasks)
    turns = transcript(tmp_path / "run").turns
    assert [turn.end for turn in turns] == [EndReason.ANSWERED, EndReason.INFRASTRUCTURE]
    assert re.search(reason, turns[-1].detail)
    assert (first.results, first.selected, first.exit_code) == (1, 2, 1)


def test_the_same_command_again_holds_only_what_failed(tmp_path: Path) -> None:
    """R31."""
    tasks = ("mt_toy_couple", "mt_toy_flyer")
    well: list[int] = []
    talks: list[str] = []

    def answer(messages: Messages) -> Step:
        talks.append(messages[1]["content"][:20])
        return Say(ASK_BACK) if well or "Mint Gallery" not in messages[1]["content"] else Fail(500, "oops")

    def script(messages: Messages) -> Step:
        return Say("ready") if messages[0]["role"] == "user" else answer(messages)

    with chat_stub(script) as stub:
        options = RunOptions(model=MODEL, base_url=stub.url, tasks=tasks)
        first = run(toy(), tmp_path / "run", options, Console(file=io.StringIO()))
        well.append(1)
        talks.clear()
        second = run(toy(), tmp_path / "run", options, Console(file=io.StringIO()))

    assert (first.results, second.results) == (1, 2)
    assert len(talks) == 3
    assert len(set(talks)) == 1
    assert {turn.end for turn in transcript(tmp_path / "run").turns} == {EndReason.ANSWERED}


# --- Tokens, cost, records


def test_tokens_are_kept_and_costs_come_from_the_given_table(tmp_path: Path) -> None:
    price = Price(Decimal("2"), Decimal("10"))
    outcome, _ = run_against(tmp_path / "run", lambda messages: Say(ASK_BACK), prices={MODEL: price})

    turn = transcript(tmp_path / "run").turns[0]
    assert (turn.usage.input_tokens, turn.usage.output_tokens) == (100, 10)
    assert turn.cost == Decimal("0.0003")
    assert outcome.cost == Decimal("0.0009")


def test_without_a_table_the_cost_is_unknown_and_the_tokens_are_there(tmp_path: Path) -> None:
    """Requirement 40."""
    outcome, _ = run_against(tmp_path / "run", lambda messages: Say(ASK_BACK))

    assert outcome.cost == "unknown"
    assert outcome.usage.input_tokens == 300


def test_the_cost_limit_stops_new_conversations(tmp_path: Path) -> None:
    outcome, _ = run_against(
        tmp_path / "run",
        lambda messages: Say(ASK_BACK),
        tasks=(),
        prices={MODEL: Price(Decimal(10_000), Decimal(0))},
        max_cost=Decimal(5),
        max_connections=1,
    )

    assert (outcome.results, outcome.cost) == (2, Decimal(6)), "3 turns of 100 tokens cost 3 dollars"


def test_settings_say_which_engine_asked_which_model_where(tmp_path: Path) -> None:
    """R37."""
    run_against(tmp_path / "run", lambda messages: Say(ASK_BACK))

    settings = RunFolder.open(tmp_path / "run").settings
    assert settings.model == MODEL
    assert settings.engine is not None
    assert settings.engine.startswith("inspect-ai 0.")
    assert settings.base_url is not None
    assert settings.base_url.startswith("http://127.0.0.1")
    assert settings.model_settings == ModelSettings(0.0, 1.0)


def test_our_own_files_are_strict_json(tmp_path: Path) -> None:
    """Pitfall 7: Inspect writes NaN as a bare word; our records never do."""
    run_against(tmp_path / "run", lambda messages: Say(ASK_BACK))

    def no_constants(name: str) -> None:
        raise AssertionError(f"{name} is no JSON")

    for path in (tmp_path / "run").glob("*.json*"):
        for line in (
            path.read_text(encoding="utf-8").splitlines() if path.suffix == ".jsonl" else [path.read_text("utf-8")]
        ):
            json.loads(line, parse_constant=no_constants)


# --- A whole released dialogue


def _released() -> TripPlusDialogues:
    folder = os.environ.get("TRIPGAUGE_CONFORMANCE", "")
    if not (Path(folder) / "README.md").is_file():
        pytest.skip("TRIPGAUGE_CONFORMANCE does not name the conformance data")
    root = Path(folder)
    return TripPlusDialogues(TripPlus([root / "query" / "query.json"], root / "database" / "sample" / "en"))


@pytest.mark.slow
def test_a_released_dialogue_survives_everything_at_once(tmp_path: Path) -> None:
    released = _released()
    task = released.trip_plus.task("mt_single_0005")
    turns = len(task.brief.utterances)
    city = task.brief.frame.destinations[0]
    mishaps: list[Step] = [Fail(429, "slow down", 1), Fail(500, "oops"), HalfReply(), Stall(20)]
    hotels = ("query_hotel_info", json.dumps({"destination": city}))

    def script(messages: Messages) -> Step:
        if messages[0]["role"] == "user":
            return Say("ready")
        turn, made = turn_of(messages), rounds(messages)
        if turn == 0:
            if made == 0:
                return Call(
                    (hotels, ("recommend_attractions", json.dumps({"city": city})), ("query_hotel_info", '{"dest'))
                )
            return mishaps.pop() if mishaps else Say("<plan>\nDay 1:\n10:00-11:00 | buffer | rest\n</plan>")
        if turn == 1:
            return Call((hotels,))
        return Say(ASK_BACK)

    with chat_stub(script) as stub:
        options = RunOptions(model=MODEL, base_url=stub.url, tasks=["mt_single_0005"])
        outcome = run(released, tmp_path / "run", options, Console(file=io.StringIO()))

    held = transcript(tmp_path / "run", "mt_single_0005").turns
    assert not mishaps
    assert outcome.exit_code == 0
    assert [turn.end for turn in held] == [
        EndReason.ANSWERED,
        EndReason.EMPTY_ANSWER,
        *[EndReason.ANSWERED] * (turns - 2),
    ]
    assert [use.error for use in held[0].tool_uses] == [None, None, "parameter"]
    grades = released.grade(RunFolder.open(tmp_path / "run").transcripts()["mt_single_0005", 0])
    assert len(grades.turns) == turns


INTERRUPTED = """
import sys
from pathlib import Path
from rich.console import Console
from tests.frontends.inspect_ai.test_engine import MODEL, toy
from tripgauge.run_commands import RunOptions, run
options = RunOptions(model=MODEL, base_url=sys.argv[2], max_connections=2)
run(toy(), Path(sys.argv[1]), options, Console(stderr=True))
"""


@pytest.mark.slow
def test_ctrl_c_keeps_what_is_finished_and_says_how_to_carry_on(tmp_path: Path) -> None:
    def script(messages: Messages) -> Step:
        waits = messages[0]["role"] == "system" and "Mint Gallery" not in messages[1]["content"]
        return Stall(60) if waits else Say(ASK_BACK)

    with chat_stub(script) as stub:
        process = subprocess.Popen(
            [sys.executable, "-c", INTERRUPTED, str(tmp_path / "run"), stub.url],
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[3]), "COLUMNS": "200"},
        )
        assert process.stderr is not None
        lines = iter(process.stderr.readline, "")
        assert any(line.startswith("1/8 mt_toy_couple") for line in lines)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)

    assert process.returncode != 0
    assert "the same command again carries on" in errors
    assert list(RunFolder.open(tmp_path / "run").transcripts()) == [("mt_toy_couple", 0)]
