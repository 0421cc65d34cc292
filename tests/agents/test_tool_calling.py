"""The plain function-calling scaffold, with scripted models."""

import asyncio
from collections.abc import Sequence

import pytest

from tripgauge.agents.tool_calling import ToolCallingAgent, text_calls
from tripgauge.chat import Message, ToolCall, ToolSpec
from tripgauge.conversation import (
    NO_MODE,
    Dialogue,
    EndReason,
    Limits,
    ModelReply,
    OpenTurn,
    Reading,
    ScriptedUser,
    Turn,
    converse,
)
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

    @tool
    def weather(self, city: str, day: int = 1) -> str:
        """Tells the weather.

        Args:
            city: Its name.
            day: Of the trip.
        """
        return f"fine in {city} on day {day}"


class ScriptedModel:
    """Says its lines one after the other, the last for ever, and remembers what it was asked."""

    def __init__(self, *replies: ModelReply) -> None:
        self._replies = replies
        self.asked: list[tuple[Sequence[Message], Sequence[ToolSpec]]] = []

    async def __call__(self, messages: Sequence[Message], tools: Sequence[ToolSpec]) -> ModelReply:
        self.asked.append((tuple(messages), tuple(tools)))
        return self._replies[min(len(self.asked), len(self._replies)) - 1]


def dialogue(*lines: str) -> Dialogue:
    return Dialogue(
        task="weekend",
        instructions="Plan trips.",
        user=ScriptedUser(lines or ("Where to?",)),
        toolbox=Toolbox(tools_of(Desk())),
        read=lambda text: Reading("plan" if text.strip() else NO_MODE, text),
        is_final=lambda text: text.startswith("<plan>"),
    )


def turn_with(model: ScriptedModel, **limits: int) -> Turn:
    (turn,) = asyncio.run(converse(ToolCallingAgent(model), dialogue(), Limits(**limits))).transcript.turns
    return turn


def calls(*pairs: tuple[str, str], text: str = "") -> ModelReply:
    made = tuple(ToolCall(f"id{number}", name, arguments) for number, (name, arguments) in enumerate(pairs))
    return ModelReply(text, made)


def open_turn() -> OpenTurn:
    return OpenTurn(dialogue(), (), "Where to?", Limits())


def test_it_runs_the_calls_of_a_message_and_answers_with_the_first_text() -> None:
    model = ScriptedModel(
        calls(("look_up", '{"place":"Pier"}'), ("weather", '{"city":"Port"}')), ModelReply("The pier.")
    )

    turn = turn_with(model)

    assert (turn.answer, turn.end, turn.model_calls) == ("The pier.", EndReason.ANSWERED, 2)
    second, tools = model.asked[1]
    assert [message.role for message in second] == ["system", "user", "assistant", "tool", "tool"]
    assert [message.content for message in second[3:]] == ["Pier is lovely", "fine in Port on day 1"]
    assert [tool.name for tool in tools] == ["look_up", "weather"]


def test_words_beside_tool_calls_are_dropped() -> None:
    model = ScriptedModel(calls(("look_up", '{"place":"Pier"}'), text="Let me see."), ModelReply("The pier."))

    turn_with(model)

    assert model.asked[1][0][2].content == ""


def test_an_unknown_tool_and_broken_arguments_are_answered_and_the_talk_goes_on() -> None:
    model = ScriptedModel(calls(("fly", "{}"), ("look_up", "{place")), ModelReply("The pier."))

    turn = turn_with(model)

    assert [use.error for use in turn.tool_uses] == ["name", "parameter"]
    assert turn.end is EndReason.ANSWERED


def test_a_model_that_repeats_one_call_for_ever_ends_with_a_forced_answer() -> None:
    model = ScriptedModel(calls(("look_up", '{"place":"Pier"}'), text="Let me look again."))

    turn = turn_with(model)

    assert turn.end is EndReason.FORCED_ANSWER
    assert len(turn.tool_uses) == 65
    assert turn.model_calls == 66
    assert model.asked[-1][1] == ()
    assert sum(use.error == "repeated" for use in turn.tool_uses) == 63


def test_a_model_that_calls_on_after_the_tools_are_gone_has_no_answer() -> None:
    model = ScriptedModel(calls(("look_up", '{"place":"Pier"}')))

    turn = turn_with(model, tool_calls=3)

    assert (turn.end, turn.model_calls) == (EndReason.EMPTY_ANSWER, 5)


def test_a_model_that_calls_unknown_tools_for_ever_ends_at_the_limit_of_model_calls() -> None:
    turn = turn_with(ScriptedModel(calls(("fly", "{}"))))

    assert (turn.end, turn.model_calls) == (EndReason.MODEL_CALL_LIMIT, 100)


def test_a_model_that_says_nothing_is_asked_three_times() -> None:
    turn = turn_with(ScriptedModel(ModelReply("  ")))

    assert (turn.end, turn.model_calls) == (EndReason.EMPTY_ANSWER, 3)


def test_a_model_that_was_cut_off_before_it_said_anything_is_not_asked_again() -> None:
    turn = turn_with(ScriptedModel(ModelReply("", stop="length")))

    assert (turn.end, turn.model_calls, turn.failed) == (EndReason.CUT_OFF, 1, True)


def test_the_warning_is_said_by_the_user_after_the_answers() -> None:
    model = ScriptedModel(
        calls(("look_up", '{"place":"Pier"}')), calls(("look_up", '{"place":"Fort"}')), ModelReply("The pier.")
    )

    turn_with(model, tool_call_warning=2)

    last = model.asked[2][0][-1]
    assert last.role == "user"
    assert "2 tool calls" in last.content


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('look_up {"place": "Pier"}', [("look_up", '{"place": "Pier"}')]),
        ('I call look_up({"place": "Pier"}) now', [("look_up", '{"place": "Pier"}')]),
        ('weather: {"city": "A {b}", "day": 2}', [("weather", '{"city": "A {b}", "day": 2}')]),
        ('look_up {"place": "Pier"} and weather = {"city": "Port"}', [
            ("look_up", '{"place": "Pier"}'), ("weather", '{"city": "Port"}')]),
        ('<|tool_call>call:look_up{place:<|"|>The "old" pier<|"|>}<tool_call|>', [
            ("look_up", '{"place":"The \\"old\\" pier"}')]),
        ('<|tool_call>call:weather{city:"Port",day:2}<tool_call|>', [("weather", '{"city":"Port","day":2}')]),
        ('<|tool_call>call:fly{}<tool_call|> look_up {"place": "Pier"}', [("fly", "{}")]),
        ("look_up is a tool", []),
        ('lookup {"place": "Pier"}', []),
        ('look_up {"place": "Pier"', []),
        ("look_up" + " " * 90 + '{"place": "Pier"}', []),
        ('<plan> look_up {"place": "Pier"} </plan>', []),
        ("", []),
    ],
)  # fmt: skip
def test_calls_written_as_text_are_found(text: str, expected: list[tuple[str, str]]) -> None:
    assert [(call.name, call.arguments) for call in text_calls(text, open_turn())] == expected


def test_a_call_written_as_text_is_run_like_any_other() -> None:
    model = ScriptedModel(ModelReply('look_up {"place": "Pier"}'), ModelReply("<plan>The pier.</plan>"))

    turn = turn_with(model)

    assert (turn.tool_uses[0].answer, turn.tool_uses[0].repairs) == ("Pier is lovely", ())
    assert turn.answer == "<plan>The pier.</plan>"


def test_ids_made_for_text_calls_never_come_twice() -> None:
    model = ScriptedModel(
        ModelReply('look_up {"place": "Pier"}'), ModelReply('look_up {"place": "Fort"}'), ModelReply("The pier.")
    )

    turn_with(model)

    ids = [message.tool_call_id for message in model.asked[2][0] if message.role == "tool"]
    assert len(set(ids)) == 2
