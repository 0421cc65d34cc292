"""A model of Inspect AI as a model of ours: messages over, tool calls back, patience in between."""

import asyncio
from typing import Any

import pytest

pytest.importorskip("inspect_ai", reason="the extra `inspect` is not installed")

from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ContentReasoning,
    ContentText,
    ModelOutput,
    ModelUsage,
    get_model,
)
from inspect_ai.tool import ToolCall as NativeCall

from tripgauge.agents.tool_calling import ToolCallingAgent
from tripgauge.conversation import NO_MODE, Dialogue, InfrastructureError, Limits, Reading, ScriptedUser, Turn, converse
from tripgauge.frontends.inspect_ai.model import InspectModel, Patience, begin_conversation
from tripgauge.tools import Toolbox, tool, tools_of


class Desk:
    """A tourist office."""

    @tool
    def look_up(self, place: str) -> str:
        """Tells about a place.

        Args:
            place: Its name.
        """
        return f"{place} is lovely"


def hold(outputs: list[ModelOutput]) -> tuple[Turn, list[list[ChatMessage]]]:
    """One turn with a model that gives these outputs, and the messages it was sent each time."""
    sent: list[list[ChatMessage]] = []

    def reply(messages: list[ChatMessage], *more: Any) -> ModelOutput:
        sent.append(messages)
        output = outputs[len(sent) - 1]
        output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
        return output

    async def talk() -> Turn:
        begin_conversation(0)
        model = InspectModel(get_model("mockllm/model", custom_outputs=reply, memoize=False))
        dialogue = Dialogue(
            task="weekend",
            instructions="Plan trips.",
            user=ScriptedUser(("Where to?",)),
            toolbox=Toolbox(tools_of(Desk())),
            read=lambda text: Reading("plan" if text else NO_MODE, text),
        )
        (turn,) = (await converse(ToolCallingAgent(model), dialogue, Limits())).transcript.turns
        return turn

    return asyncio.run(talk()), sent


def calling(place: str, call_id: str, *content: ContentReasoning | ContentText) -> ModelOutput:
    output = ModelOutput.from_content("mock", list(content))
    output.choices[0].message.tool_calls = [NativeCall(id=call_id, function="look_up", arguments={"place": place})]
    return output


def test_a_provider_gets_its_reasoning_back_and_no_words_beside_the_calls() -> None:
    thought = ContentReasoning(reasoning="the sea, surely", signature="signed")
    turn, sent = hold(
        [calling("Pier", "a", thought, ContentText(text="Let me see.")), ModelOutput.from_content("mock", "The pier.")]
    )

    (assistant,) = (message for message in sent[1] if isinstance(message, ChatMessageAssistant))
    assert assistant.content == [thought]
    assert turn.answer == "The pier."


def test_words_beside_the_calls_are_dropped_where_there_was_no_reasoning() -> None:
    _, sent = hold([calling("Pier", "a", ContentText(text="Hm.")), ModelOutput.from_content("mock", "The pier.")])

    (assistant,) = (message for message in sent[1] if isinstance(message, ChatMessageAssistant))
    assert assistant.content == ""


def test_reasoning_before_an_answer_is_no_part_of_it() -> None:
    answer = ModelOutput.from_content("mock", [ContentReasoning(reasoning="hm"), ContentText(text="The pier.")])

    assert hold([answer])[0].answer == "The pier."


def test_an_id_that_a_server_uses_twice_is_made_unique_over_the_conversation() -> None:
    first, second = ContentReasoning(reasoning="first"), ContentReasoning(reasoning="second")
    outputs = [
        calling("Pier", "call_0", first),
        calling("Fort", "call_0", second),
        ModelOutput.from_content("mock", "The pier."),
    ]

    turn, sent = hold(outputs)

    assistants = [message for message in sent[2] if isinstance(message, ChatMessageAssistant)]
    assert [message.content for message in assistants] == [[first], [second]]
    ids = [call.id for message in assistants for call in message.tool_calls or ()]
    assert ids == ["call_0", "call_0_2"]
    assert [message.tool_call_id for message in sent[2] if message.role == "tool"] == ids
    assert [use.repairs for use in turn.tool_uses] == [(), ()]


def test_waits_double_up_to_a_limit_and_never_end_before_the_server_wants() -> None:
    patience = Patience(first_wait=1, longest_wait=8, jitter=0)

    assert [patience.wait(failed, None) for failed in (1, 2, 3, 4, 5, 30)] == [1, 2, 4, 8, 8, 8]
    assert patience.wait(1, retry_after=20) == 20
    assert patience.wait(5, retry_after=2) == 8


def test_chance_moves_a_wait_by_a_quarter_at_most() -> None:
    waits = [Patience(first_wait=4).wait(1, None) for _ in range(200)]

    assert 3 <= min(waits) < max(waits) <= 5


def test_a_failure_that_cannot_pass_is_told_after_one_attempt() -> None:
    asked: list[int] = []

    def refuse(*more: Any) -> ModelOutput:
        asked.append(1)
        raise PermissionError("not for you")

    async def talk() -> None:
        await InspectModel(get_model("mockllm/model", custom_outputs=refuse, memoize=False))([], [])

    with pytest.raises(InfrastructureError, match="PermissionError: not for you"):
        asyncio.run(talk())
    assert len(asked) == 1
