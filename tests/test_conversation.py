"""The turn loop: every reason for which a turn ends, the limits, and what later turns remember."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from decimal import Decimal

import pytest

from tripgauge.chat import Message, ToolCall, ToolSpec
from tripgauge.codec import to_json
from tripgauge.conversation import (
    NO_MODE,
    Dialogue,
    End,
    EndReason,
    EngineLimitError,
    InfrastructureError,
    Limits,
    ModelReply,
    OpenTurn,
    Reading,
    Said,
    ScriptedUser,
    Transcript,
    Turn,
    Usage,
    UserLog,
    converse,
    derived_seed,
)
from tripgauge.tools import Toolbox, ToolError, tool, tools_of


class Desk:
    """A tourist office with one question."""

    @tool
    def look_up(self, place: str) -> str:
        """Tells about a place.

        Args:
            place: Its name.
        """
        if place == "nowhere":
            raise ToolError("No such place.", "place")
        if place == "the bug":
            raise ZeroDivisionError("a fault of the program")
        return f"{place} is lovely"


class Planner:
    """An agent whose behavior is a function of the open turn."""

    def __init__(self, behavior: Callable[[OpenTurn], object]) -> None:
        self._behavior = behavior

    async def respond(self, turn: OpenTurn) -> str:
        answer = self._behavior(turn)
        if asyncio.iscoroutine(answer):
            answer = await answer
        return answer  # type: ignore[return-value]  (some tests return what no agent should)


def read(text: str) -> Reading:
    return Reading("plan" if text else NO_MODE, f"<{text}>")


def dialogue(*lines: str, skips_after_failure: bool = False, error_rounds_answer: str = "") -> Dialogue:
    return Dialogue(
        task="weekend",
        instructions="Plan trips.",
        user=ScriptedUser(lines or ("Where to?",)),
        toolbox=Toolbox(tools_of(Desk())),
        read=read,
        brief=lambda said: tuple(said),
        answer_forms=("plan",),
        skips_after_failure=skips_after_failure,
        error_rounds_answer=error_rounds_answer,
    )


def talk(
    behavior: Callable[[OpenTurn], object], talk_about: Dialogue | None = None, **limits: float | None
) -> Transcript:
    held = asyncio.run(converse(Planner(behavior), talk_about or dialogue(), Limits(**limits)))  # type: ignore[arg-type]
    return held.transcript


def only_turn(
    behavior: Callable[[OpenTurn], object], talk_about: Dialogue | None = None, **limits: float | None
) -> Turn:
    (turn,) = talk(behavior, talk_about, **limits).turns
    return turn


def model_that(answers: Callable[[], ModelReply]) -> Callable[[OpenTurn], object]:
    """An agent that asks its model once and says what the model says."""

    async def model(messages: Sequence[Message], tools: Sequence[ToolSpec]) -> ModelReply:
        return answers()

    async def behavior(turn: OpenTurn) -> str:
        return (await turn.ask(model, turn.messages)).text

    return behavior


def look_up(*places: str) -> list[ToolCall]:
    return [ToolCall.of(f"call_{number}", "look_up", {"place": place}) for number, place in enumerate(places)]


# --- End reasons


def test_an_answer_ends_the_turn() -> None:
    transcript = talk(lambda turn: "By the sea.")

    assert [turn.end for turn in transcript.turns] == [EndReason.ANSWERED]
    assert transcript.turns[0].answer == "By the sea."
    assert transcript.goodbye == "all_said"
    assert transcript.is_result


def test_an_answer_after_the_tools_were_taken_away_is_a_forced_one() -> None:
    def behavior(turn: OpenTurn) -> str:
        turn.answer(look_up("the pier", "the fort", "the hill"))
        assert turn.tools == ()
        return "The pier."

    turn = only_turn(behavior, tool_calls=2)

    assert turn.end is EndReason.FORCED_ANSWER
    assert [use.error for use in turn.tool_uses] == [None, None, "over_limit"]


def test_an_answer_that_stops_at_the_output_limit_is_cut_off_and_counts() -> None:
    turn = only_turn(model_that(lambda: ModelReply("Day 1: the", stop="length")))

    assert (turn.end, turn.answer, turn.end.is_result) == (EndReason.CUT_OFF, "Day 1: the", True)


def test_an_answer_withheld_by_the_provider_is_filtered_and_counts() -> None:
    turn = only_turn(model_that(lambda: ModelReply("", stop="filter")))

    assert (turn.end, turn.failed, turn.end.is_result) == (EndReason.FILTERED, True, True)


def test_an_empty_answer_fails_the_turn() -> None:
    turn = only_turn(lambda turn: "")

    assert (turn.end, turn.failed, turn.end.is_result) == (EndReason.EMPTY_ANSWER, True, True)


@pytest.mark.parametrize("allowed", [1, 100])
def test_the_model_is_asked_exactly_as_often_as_allowed(allowed: int) -> None:
    asked = []

    async def behavior(turn: OpenTurn) -> str:
        async def model(messages: Sequence[Message], tools: Sequence[ToolSpec]) -> ModelReply:
            asked.append(1)
            return ModelReply("hm")

        while True:
            await turn.ask(model, turn.messages)

    turn = only_turn(behavior, model_calls=allowed)

    assert turn.end is EndReason.MODEL_CALL_LIMIT
    assert turn.model_calls == len(asked) == allowed


def test_too_many_rounds_with_errors_end_the_turn() -> None:
    """R33."""

    def behavior(turn: OpenTurn) -> str:
        for number in range(9):
            turn.answer([ToolCall("a", "look_up", f'{{"guess{number}": 1}}')])
        return "never said"

    turn = only_turn(behavior)

    assert (turn.end, turn.answer) == (EndReason.ERROR_ROUNDS, "")
    assert len(turn.tool_uses) == 5


def test_rounds_with_errors_count_only_one_after_the_other() -> None:
    def behavior(turn: OpenTurn) -> str:
        for number in range(9):
            turn.answer(look_up("nowhere" if number % 5 else f"place {number}"))
        return "Home."

    assert only_turn(behavior).end is EndReason.ANSWERED


def test_a_conversation_that_no_longer_fits_the_model_is_a_result() -> None:
    """R34."""
    turn = only_turn(model_that(lambda: ModelReply(stop="context")))

    assert (turn.end, turn.failed, turn.end.is_result) == (EndReason.CONTEXT_EXCEEDED, True, True)


def test_a_task_that_takes_too_long_ends_at_its_time_limit_and_counts() -> None:
    """R29."""

    async def behavior(turn: OpenTurn) -> str:
        await asyncio.sleep(30)
        return "at last"

    turn = only_turn(behavior, seconds_per_task=0.05)

    assert (turn.end, turn.answer, turn.end.is_result) == (EndReason.TIME_LIMIT, "", True)


def test_the_time_limit_is_that_of_the_whole_task() -> None:
    """R29."""

    async def behavior(turn: OpenTurn) -> str:
        await asyncio.sleep(0.08)
        return "done"

    transcript = talk(behavior, dialogue("one", "two", "three"), seconds_per_task=0.12)

    assert [turn.end for turn in transcript.turns] == [
        EndReason.ANSWERED,
        EndReason.TIME_LIMIT,
        EndReason.TIME_LIMIT,
    ]


def test_waiting_for_a_provider_does_not_use_up_the_time_of_the_task() -> None:
    async def model(messages: Sequence[Message], tools: Sequence[ToolSpec]) -> ModelReply:
        return ModelReply("hm", waited=60)

    async def behavior(turn: OpenTurn) -> str:
        await turn.ask(model, turn.messages)
        await asyncio.sleep(0.1)
        return "done"

    assert only_turn(behavior, seconds_per_task=0.05).end is EndReason.ANSWERED


def test_a_timeout_of_the_agents_own_is_not_the_time_limit() -> None:
    async def behavior(turn: OpenTurn) -> str:
        raise TimeoutError("my own clock")

    assert only_turn(behavior).end is EndReason.ERRORED


def test_a_model_call_without_a_reply_in_time_is_no_result() -> None:
    """R29."""

    async def model(messages: Sequence[Message], tools: Sequence[ToolSpec]) -> ModelReply:
        await asyncio.sleep(30)
        return ModelReply("late")

    async def behavior(turn: OpenTurn) -> str:
        return (await turn.ask(model, turn.messages)).text

    transcript = talk(behavior, dialogue("one", "two"), seconds_per_call=0.05)

    assert [turn.end for turn in transcript.turns] == [EndReason.CALL_TIMEOUT]
    assert transcript.goodbye is None
    assert not transcript.is_result


def test_a_model_out_of_reach_is_no_result_and_the_reason_is_kept() -> None:
    def fail() -> ModelReply:
        raise InfrastructureError("connection refused")

    transcript = talk(model_that(fail), dialogue("one", "two"))

    (turn,) = transcript.turns
    assert (turn.end, turn.detail) == (EndReason.INFRASTRUCTURE, "connection refused")
    assert not transcript.is_result


def test_a_limit_of_the_engine_is_a_result() -> None:
    def fail() -> ModelReply:
        raise EngineLimitError("token limit")

    transcript = talk(model_that(fail), dialogue("one", "two"))

    assert [(turn.end, turn.detail) for turn in transcript.turns] == [(EndReason.ENGINE_LIMIT, "token limit")] * 2
    assert transcript.is_result


def test_a_simulated_user_out_of_reach_is_no_result() -> None:
    class Absent:
        async def say(self, turns: Sequence[Turn]) -> str | End:
            raise InfrastructureError("no line")

    held = asyncio.run(converse(Planner(lambda turn: "Hello?"), _with_user(Absent()), Limits()))

    assert held.transcript.turns[-1].end is EndReason.INFRASTRUCTURE
    assert not held.transcript.is_result


def _with_user(user: object) -> Dialogue:
    plain = dialogue()
    return Dialogue(plain.task, plain.instructions, user, plain.toolbox, plain.read)  # type: ignore[arg-type]


def test_an_exception_in_the_agents_code_is_no_result_and_says_where() -> None:
    def behavior(turn: OpenTurn) -> str:
        raise KeyError("hotel")

    turn = only_turn(behavior)

    assert turn.end is EndReason.ERRORED
    assert "KeyError: 'hotel'" in turn.detail
    assert "test_conversation.py" in turn.detail


def test_an_exception_in_a_tool_is_ours_even_if_the_agent_catches_it() -> None:
    def behavior(turn: OpenTurn) -> str:
        try:
            turn.call("look_up", {"place": "the bug"})
        except Exception:  # noqa: BLE001  (that is the point)
            return "never mind"
        return "unreached"

    turn = only_turn(behavior)

    assert turn.end is EndReason.ERRORED
    assert "a fault of the program" in turn.detail


def test_an_agent_that_returns_no_text_is_an_error() -> None:
    assert only_turn(lambda turn: 42).end is EndReason.ERRORED


def test_in_release_the_turns_after_a_failed_one_are_skipped() -> None:
    answers = iter(["Day 1", "", "unreached"])

    transcript = talk(lambda turn: next(answers), dialogue("one", "two", "three", skips_after_failure=True))

    assert [turn.end for turn in transcript.turns] == [
        EndReason.ANSWERED,
        EndReason.EMPTY_ANSWER,
        EndReason.SKIPPED,
    ]
    assert transcript.turns[2].utterance == "three"
    assert transcript.is_result


def test_in_strict_the_dialogue_goes_on_after_a_failed_turn() -> None:
    answers = iter(["", "Day 1"])

    transcript = talk(lambda turn: next(answers), dialogue("one", "two"))

    assert [turn.failed for turn in transcript.turns] == [True, False]


def test_in_release_error_rounds_leave_a_text_as_the_answer_and_the_dialogue_goes_on() -> None:
    def behavior(turn: OpenTurn) -> str:
        for number in range(9 if turn.number == 0 else 0):
            turn.answer([ToolCall("a", "look_up", f'{{"guess{number}": 1}}')])
        return "Day 1"

    talk_about = dialogue("one", "two", skips_after_failure=True, error_rounds_answer="ERROR: gave up")
    transcript = talk(behavior, talk_about)

    assert [(turn.end, turn.answer) for turn in transcript.turns] == [
        (EndReason.ERROR_ROUNDS, "ERROR: gave up"),
        (EndReason.ANSWERED, "Day 1"),
    ]


def test_a_program_that_never_stops_calling_tools_is_ended() -> None:
    """R33."""

    def behavior(turn: OpenTurn) -> str:
        while True:
            turn.call("look_up", {"place": "the pier"})

    turn = only_turn(behavior, tool_calls=2)

    assert turn.end is EndReason.TOOL_CALL_LIMIT
    assert turn.failed


def test_every_end_reason_has_a_test_above() -> None:
    """R34."""
    text = open(__file__, encoding="utf-8").read()  # noqa: SIM115

    assert [end.name for end in EndReason if f"EndReason.{end.name}" not in text] == []


def _in_capitals(text: str) -> str:
    return "" if text.isupper() else "In capitals, please."


def test_an_answer_that_cannot_be_read_is_asked_for_once_more() -> None:
    seen: list[tuple[Message, ...]] = []

    def behavior(turn: OpenTurn) -> str:
        seen.append(turn.messages)
        return "the pier" if len(seen) == 1 else "THE PIER"

    turn = only_turn(behavior, replace(dialogue(), complaint=_in_capitals))

    assert (turn.first_answer, turn.answer) == ("the pier", "THE PIER")
    assert seen[1][-2:] == (Message("assistant", "the pier"), Message("user", "In capitals, please."))


def test_an_agent_is_asked_again_only_once_and_its_last_words_count() -> None:
    answers = iter(["one", "two", "THREE"])

    turn = only_turn(lambda turn: next(answers), replace(dialogue(), complaint=_in_capitals))

    assert (turn.first_answer, turn.answer) == ("one", "two")


def test_an_agent_that_says_nothing_when_asked_again_is_taken_at_its_first_words() -> None:
    answers = iter(["one", ""])

    turn = only_turn(lambda turn: next(answers), replace(dialogue(), complaint=_in_capitals))

    assert (turn.answer, turn.end) == ("one", EndReason.ANSWERED)


def test_how_a_simulated_utterance_came_about_is_kept_and_hidden_from_the_agent() -> None:
    """R9."""
    log = UserLog({"secret": "a pool"}, scripted=False)
    heard: list[str] = []

    class Simulated:
        async def say(self, turns: Sequence[Turn]) -> Said | End:
            return End("accepted") if turns else Said("Hello", log)

    def behavior(turn: OpenTurn) -> str:
        heard.append(f"{turn.messages} {turn.brief}")
        return "Welcome"

    (turn,) = talk(behavior, _with_user(Simulated())).turns

    assert turn.user == log
    assert "a pool" not in heard[0]


def test_where_a_tool_remembers_things_a_repeated_call_is_answered() -> None:
    def behavior(turn: OpenTurn) -> str:
        texts = [turn.answer(look_up("the pier")).results[0].text for _ in range(5)]
        return " ".join(texts)

    turn = only_turn(behavior, repeats=None)

    assert turn.answer == " ".join(["the pier is lovely"] * 5)
    assert [use.error for use in turn.tool_uses] == [None] * 5


def test_a_program_has_seen_the_whole_of_an_answer_and_a_model_its_text() -> None:
    def behavior(turn: OpenTurn) -> str:
        turn.call("look_up", {"place": "the pier"})
        turn.answer(look_up("the fort"))
        return "both"

    turn = only_turn(
        behavior, replace(dialogue(), seen=lambda result, whole: ("whole" if whole else "text", result.text))
    )

    assert [use.seen for use in turn.tool_uses] == [("whole", "the pier is lovely"), ("text", "the fort is lovely")]


def test_an_end_that_the_agent_swallows_counts_all_the_same() -> None:
    async def model(messages: Sequence[Message], tools: Sequence[ToolSpec]) -> ModelReply:
        return ModelReply("hm")

    async def behavior(turn: OpenTurn) -> str:
        for _ in range(3):
            try:
                await turn.ask(model, turn.messages)
            except Exception:  # noqa: BLE001  (that is the point)
                return "I pretend that nothing happened"
        return "unreached"

    turn = only_turn(behavior, model_calls=2)

    assert (turn.end, turn.answer) == (EndReason.MODEL_CALL_LIMIT, "")


# --- Tool calls


def test_the_first_repeats_of_a_call_are_answered_with_a_note_and_the_third_is_refused() -> None:
    answers = []

    def behavior(turn: OpenTurn) -> str:
        for _ in range(5):
            answers.append(turn.answer(look_up("the pier")))
        return "The pier."

    turn = only_turn(behavior)

    assert [use.error for use in turn.tool_uses] == [None, "repeated", "repeated", "repeated", "repeated"]
    texts = [answer.results[0].text for answer in answers]
    assert texts[0] == "the pier is lovely"
    assert texts[1] == texts[2] == '{"duplicate":true,"tool":"look_up"}'
    assert "refused" in texts[3]
    assert "refused" in texts[4]
    assert [len(answer.notes) for answer in answers] == [0, 0, 0, 1, 1]


def test_the_same_question_in_other_words_is_a_repeat() -> None:
    def behavior(turn: OpenTurn) -> str:
        turn.answer(
            [ToolCall("a", "look_up", '{"place": "the pier"}'), ToolCall("b", "look_up", '{"Place":"the pier",}')]
        )
        return "The pier."

    assert [use.error for use in only_turn(behavior).tool_uses] == [None, "repeated"]


def test_a_repeat_that_failed_before_is_a_repeat() -> None:
    def behavior(turn: OpenTurn) -> str:
        turn.answer(look_up("nowhere", "nowhere"))
        return "Home."

    assert [use.error for use in only_turn(behavior).tool_uses] == ["content", "repeated"]


def test_repeats_count_within_a_turn_only() -> None:
    def behavior(turn: OpenTurn) -> str:
        turn.answer(look_up("the pier"))
        return "The pier."

    transcript = talk(behavior, dialogue("one", "two"))

    assert [turn.tool_uses[0].error for turn in transcript.turns] == [None, None]


def test_a_program_gets_the_value_of_a_repeated_call_all_the_same() -> None:
    values = []

    def behavior(turn: OpenTurn) -> str:
        for _ in range(5):
            values.append(turn.call("look_up", {"place": "the pier"}).value)
        return "The pier."

    only_turn(behavior)

    assert values == ["the pier is lovely"] * 5


def test_every_call_is_answered_once_and_in_order_with_its_own_class_of_error() -> None:
    """R33."""
    answers = []

    def behavior(turn: OpenTurn) -> str:
        calls = [
            ToolCall("x", "look_up", '{"place": "the pier"}'),
            ToolCall("x", "fly", "{}"),
            ToolCall("", "look_up", '{"place": ["a", "b"]}'),
            ToolCall("y", "look_up", '{"place": "nowhere"}'),
        ]
        answers.append(turn.answer(calls))
        return "The pier."

    turn = only_turn(behavior)

    assert [use.error for use in turn.tool_uses] == [None, "name", "parameter", "content"]
    ids = [result.call.id for result in answers[0].results]
    assert len(set(ids)) == 4
    assert [result.message.tool_call_id for result in answers[0].results] == ids


def test_a_kind_of_answer_that_is_called_as_a_tool_is_explained() -> None:
    texts = []

    def behavior(turn: OpenTurn) -> str:
        texts.append(turn.answer([ToolCall("a", "plan", '{"days": 3}')]).results[0].text)
        return "Day 1"

    assert only_turn(behavior).tool_uses[0].error == "name"
    assert "kind of answer" in texts[0]


def test_calls_of_tools_there_are_not_do_not_count_towards_the_limit() -> None:
    def behavior(turn: OpenTurn) -> str:
        turn.answer([ToolCall(str(number), "fly", "{}") for number in range(50)])
        turn.answer(look_up("the pier", "the fort"))
        return "The pier."

    assert only_turn(behavior, tool_calls=2).end is EndReason.ANSWERED


def test_the_warning_comes_once_at_45_calls_and_the_tools_go_after_64() -> None:
    notes: dict[int, tuple[str, ...]] = {}

    def behavior(turn: OpenTurn) -> str:
        for number in range(1, 70):
            notes[number] = turn.answer(look_up(f"place {number}")).notes
        return "Home."

    turn = only_turn(behavior)

    assert [number for number, said in notes.items() if said] == [45, 65]
    assert "No more tool calls" in notes[65][0]
    assert [use.round for use in turn.tool_uses if use.error == "over_limit"] == [65, 66, 67, 68, 69]
    assert turn.end is EndReason.FORCED_ANSWER


# --- What later turns remember, and what is counted


def test_later_turns_remember_what_was_said_and_nothing_of_the_tools() -> None:
    seen: list[tuple[Message, ...]] = []
    answers = iter(["Day 1", "", "Day 1 again"])

    def behavior(turn: OpenTurn) -> str:
        seen.append(turn.messages)
        turn.answer(look_up("the pier"))
        return next(answers)

    talk(behavior, dialogue("one", "two", "three"))

    assert [(message.role, message.content) for message in seen[2]] == [
        ("system", "Plan trips."),
        ("user", "one"),
        ("assistant", "<Day 1>"),
        ("user", "two"),
        ("assistant", "(no answer)"),
        ("user", "three"),
    ]


def test_an_agent_sees_no_utterance_before_it_is_said() -> None:
    """R9."""
    briefs = []

    def behavior(turn: OpenTurn) -> str:
        briefs.append(turn.brief)
        return "Day 1"

    talk(behavior, dialogue("one", "two"))

    assert briefs == [("one",), ("one", "two")]


def test_tokens_and_cost_add_up_over_the_calls_of_a_turn() -> None:
    replies = iter(
        [
            ModelReply("a", usage=Usage(100, 10), cost=Decimal("0.5")),
            ModelReply("b", usage=Usage(200, 20), cost=Decimal(1)),
        ]
    )

    async def model(messages: Sequence[Message], tools: Sequence[ToolSpec]) -> ModelReply:
        return next(replies)

    async def behavior(turn: OpenTurn) -> str:
        await turn.ask(model, turn.messages)
        return (await turn.ask(model, turn.messages)).text

    turn = only_turn(behavior)

    assert turn.usage == Usage(300, 30)
    assert turn.cost == Decimal("1.5")


def test_one_call_of_unknown_cost_makes_the_cost_of_the_turn_unknown() -> None:
    replies = iter([ModelReply("a", cost=Decimal(1)), ModelReply("b")])

    async def model(messages: Sequence[Message], tools: Sequence[ToolSpec]) -> ModelReply:
        return next(replies)

    async def behavior(turn: OpenTurn) -> str:
        await turn.ask(model, turn.messages)
        return (await turn.ask(model, turn.messages)).text

    assert only_turn(behavior).cost == "unknown"


def test_the_cost_of_an_agent_that_does_not_tell_is_unknown_never_zero() -> None:
    assert only_turn(lambda turn: "Day 1").cost == "unknown"


def test_half_a_surrogate_pair_in_an_answer_can_be_stored() -> None:
    only_turn(lambda turn: "Day \ud83d").answer.encode("utf-8")


def test_half_a_surrogate_pair_anywhere_in_a_tool_call_can_be_stored() -> None:
    """R33."""

    def behavior(turn: OpenTurn) -> str:
        turn.answer([ToolCall("\ud800", "fly_\ud800", "\ud800"), ToolCall("b", "look_up", '{"place": "\\ud800"}')])
        return "Nothing."

    turn = only_turn(behavior)

    assert [use.error for use in turn.tool_uses] == ["name", "parameter"]
    to_json(turn).encode("utf-8")


def test_a_reason_of_several_lines_is_kept_in_one() -> None:
    def behavior(turn: OpenTurn) -> str:
        raise InfrastructureError("no route\nto  host")

    assert only_turn(behavior).detail == "no route to host"


def test_seeds_differ_by_task_trial_and_turn_and_nothing_else() -> None:
    seeds = [derived_seed(7, task, trial, turn) for task in "ab" for trial in (0, 1) for turn in (0, 1)]

    assert len(set(seeds)) == 8
    assert derived_seed(7, "a", 0, 0) == seeds[0]
