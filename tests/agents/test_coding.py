"""An agent that also writes programs, with scripted models: on a desk of three tools, the toy town and the toy park."""

import asyncio
import builtins
import json
import sys
from collections.abc import Sequence
from datetime import date, datetime, time
from pathlib import Path
from typing import Any

import pytest
from tests.compass.small import task, toy_park

from tripgauge.agents.coding import CodingAgent, arguments_text
from tripgauge.benchmark import Benchmark
from tripgauge.chat import Message, ToolCall, ToolSpec
from tripgauge.compass.benchmark import Compass
from tripgauge.compass.constraints import Constraint
from tripgauge.compass.index import Index
from tripgauge.compass.tools import compass_tools
from tripgauge.conversation import (
    NO_MODE,
    Dialogue,
    EndReason,
    Held,
    Limits,
    ModelReply,
    Reading,
    ScriptedUser,
    ToolUse,
    Turn,
    converse,
)
from tripgauge.errors import UsageError
from tripgauge.run_commands import agent_factory
from tripgauge.tools import Toolbox, ToolError, tool, tools_of
from tripgauge.toy import town
from tripgauge.trip_plus.benchmark import TripPlus
from tripgauge.trip_plus.dialogues import TripPlusDialogues
from tripgauge.trip_plus.edition import Edition

pytest.importorskip("pydantic_monty")

SECRET = "the optimum is the hotel by the lake"


class Desk:
    """A tourist office."""

    @tool
    def find_hotels(self, city: str, max_price: float | None = None) -> list[dict[str, object]]:
        """Hotels of a city.

        Args:
            city: Its name.
            max_price: In yuan.
        """
        if city == "Nowhere":
            raise ToolError("No city Nowhere is known.", "city")
        hotels: list[dict[str, object]] = [{"name": "Inn", "price": 90}, {"name": "Grand", "price": 240}]
        return [hotel for hotel in hotels if max_price is None or hotel["price"] <= max_price]  # type: ignore[operator]

    @tool
    def every_room(self, city: str) -> list[dict[str, object]]:
        """Rooms of a city: more than a page of them.

        Args:
            city: Its name.
        """
        return [{"room": number, "city": city} for number in range(1000)]

    @tool
    def broken(self) -> str:
        """Has a bug."""
        raise ZeroDivisionError(SECRET)


class ScriptedModel:
    """Says its lines one after the other, the last for ever, and remembers what it was asked."""

    def __init__(self, *replies: ModelReply) -> None:
        self._replies = replies
        self.asked: list[tuple[Sequence[Message], Sequence[ToolSpec]]] = []

    async def __call__(self, messages: Sequence[Message], tools: Sequence[ToolSpec]) -> ModelReply:
        self.asked.append((tuple(messages), tuple(tools)))
        return self._replies[min(len(self.asked), len(self._replies)) - 1]

    @property
    def read(self) -> str:
        """The last answer of a tool it was shown."""
        return next(message.content for message in reversed(self.asked[-1][0]) if message.role == "tool")


def program(code: str) -> ModelReply:
    return ModelReply(tool_calls=(ToolCall.of("id", "execute_python", {"code": code}),))


ANSWER = ModelReply("The inn.")


def dialogue(toolbox: Toolbox | None = None, *lines: str) -> Dialogue:
    return Dialogue(
        task="weekend",
        instructions="Plan trips.",
        user=ScriptedUser(lines or ("Where to?",)),
        toolbox=toolbox or Toolbox(tools_of(Desk())),
        read=lambda text: Reading("plan" if text.strip() else NO_MODE, text),
        seen=lambda result, whole: (f"{result.tool}:{'whole' if whole else 'page'}",),
    )


def held(model: ScriptedModel, about: Dialogue, limits: Limits, **options: Any) -> tuple[Turn, ...]:
    return asyncio.run(converse(CodingAgent(model, **options), about, limits)).transcript.turns


def turn_with(*replies: ModelReply, limits: Limits | None = None, **options: Any) -> tuple[Turn, ScriptedModel]:
    model = ScriptedModel(*replies)
    (turn,) = held(model, dialogue(), limits or Limits(), **options)
    return turn, model


def errors(turn: Turn) -> list[tuple[str, str | None]]:
    return [(use.tool, use.error) for use in turn.tool_uses]


# --- Programs and their calls ---------------------------------------------------------------------------------------


def test_a_program_calls_tools_and_its_output_is_what_the_model_reads():
    turn, model = turn_with(
        program("found = find_hotels(city='Harbor')\nprint(min(found, key=lambda hotel: hotel['price'])['name'])"),
        ANSWER,
    )

    assert (turn.answer, turn.end, turn.model_calls) == ("The inn.", EndReason.ANSWERED, 2)
    assert model.read == "Inn\n"
    assert model.asked[1][0][-1].name == "execute_python"


def test_the_program_and_each_of_its_calls_stand_in_the_transcript():
    turn, _ = turn_with(program("for most in (100, 300):\n    find_hotels(city='Harbor', max_price=most)"), ANSWER)

    ran, first, second = turn.tool_uses
    assert (ran.tool, ran.error, ran.signature, ran.in_program) == ("execute_python", None, None, False)
    assert "find_hotels" in ran.arguments
    assert ran.answer == "(The program ended and printed nothing.)"
    assert first == ToolUse(
        round=1,
        tool="find_hotels",
        arguments='{"city":"Harbor","max_price":100}',
        answer='[{"name":"Inn","price":90}]',
        signature='find_hotels {"city":"Harbor","max_price":100}',
        seen=("find_hotels:whole",),
        in_program=True,
    )
    assert (second.round, second.in_program) == (1, True)
    assert second.signature != first.signature


def test_calls_of_a_program_fail_for_the_same_reasons_as_any_other():
    turn, model = turn_with(
        program(
            "for wrong in (dict(city='Nowhere'), dict(town='Harbor'), dict(city=3.5, max_price='cheap'), {}):\n"
            "    try:\n        find_hotels(**wrong)\n    except ValueError as error:\n        print(error)\n"
            "try:\n    find_hotel(city='Harbor')\nexcept NameError as error:\n    print(error)"
        ),
        ANSWER,
    )

    assert errors(turn) == [
        ("execute_python", None),
        ("find_hotels", "content"),
        ("find_hotels", "parameter"),
        ("find_hotels", "parameter"),
        ("find_hotels", "parameter"),
        ("find_hotel", "name"),
    ]
    lines = model.read.splitlines()
    assert lines[0] == "No city Nowhere is known."
    assert lines[1] == 'find_hotels has no parameter "town"; its parameters are: city, max_price.'
    assert lines[2].startswith("max_price must be a number")
    assert lines[3].startswith("find_hotels needs city")
    assert lines[4].startswith("name 'find_hotel' is not defined. There is no tool")
    assert "Did you mean find_hotels?" in lines[4]


def test_a_function_that_python_has_and_the_interpreter_lacks_is_no_tool_that_is_missing():
    turn, _ = turn_with(program("print(callable(find_hotels))"), ANSWER)

    assert errors(turn) == [("execute_python", "program")]


def test_the_same_question_is_answered_again_in_a_program_and_told_apart_in_the_transcript():
    turn, model = turn_with(
        program("print([len(find_hotels(city='Harbor')) for _ in range(5)])\nprint(len(find_hotels('Harbor')))"),
        ModelReply(tool_calls=(ToolCall("id", "find_hotels", '{"city":"Harbor"}'),)),
        ANSWER,
    )

    assert [message.content for message in model.asked[1][0][-1:]] == ["[2, 2, 2, 2, 2]\n2\n"]
    assert [use.error for use in turn.tool_uses] == [None, None, *["repeated"] * 5, None]
    assert turn.tool_uses[2].answer == '{"duplicate":true,"tool":"find_hotels"}'
    assert model.read == '[{"name":"Inn","price":90},{"name":"Grand","price":240}]'


def test_a_bad_question_asked_again_in_a_program_fails_again():
    turn, model = turn_with(
        program(
            "for _ in range(5):\n    try:\n        find_hotels(city='Nowhere')\n"
            "    except ValueError:\n        print('no')"
        ),
        ANSWER,
    )

    assert model.read == "no\n" * 5
    assert [use.error for use in turn.tool_uses] == [None, *["content"] * 5]


def test_a_program_gets_answers_whole_not_by_the_page():
    turn, model = turn_with(program("rooms = every_room(city='Harbor')\nprint(len(rooms), rooms[-1])"), ANSWER)

    assert model.read == "1000 {'room': 999, 'city': 'Harbor'}\n"
    assert '"paging"' in turn.tool_uses[1].answer


def test_programs_and_other_calls_of_one_message_are_served_in_order():
    model = ScriptedModel(
        ModelReply(
            tool_calls=(
                ToolCall("a", "find_hotels", '{"city":"Harbor"}'),
                ToolCall("a", "execute_python", '{"code":"print(len(find_hotels(city=\'Pier\')))"}'),
                ToolCall("b", "find_hotels", '{"city":"Fort"}'),
            )
        ),
        ANSWER,
    )

    (turn,) = held(model, dialogue(), Limits())

    assert [(use.tool, use.round, use.in_program) for use in turn.tool_uses] == [
        ("find_hotels", 1, False),
        ("execute_python", 1, False),
        ("find_hotels", 1, True),
        ("find_hotels", 1, False),
    ]
    assert [message.tool_call_id for message in model.asked[1][0][-3:]] == ["a", "a_2", "b"]
    assert turn.tool_uses[1].repairs == ("call id",)


def test_variables_last_for_a_turn_and_no_longer():
    model = ScriptedModel(program("x = 1"), program("print(x)"), ANSWER, program("print(x)"), ANSWER)

    first, second = held(model, dialogue(None, "one", "two"), Limits())

    assert [use.answer for use in first.tool_uses][1] == "1\n"
    assert "name 'x' is not defined" in second.tool_uses[0].answer


def test_a_program_in_a_code_fence_is_run_and_one_that_is_no_argument_is_a_parameter_fault():
    turn, model = turn_with(
        program("```python\nprint('fenced')\n```"),
        ModelReply(tool_calls=(ToolCall("id", "execute_python", "print('raw')"),)),
        ModelReply(tool_calls=(ToolCall("id", "execute_python", '{"source":"1"}'),)),
        ModelReply('execute_python {"code": "print(1)"}'),
        ANSWER,
    )

    assert errors(turn) == [
        ("execute_python", None),
        ("execute_python", "parameter"),
        ("execute_python", "parameter"),
        ("execute_python", None),
    ]
    assert (turn.tool_uses[0].answer, turn.tool_uses[0].repairs) == ("fenced\n", ("code fence",))
    assert turn.tool_uses[3].answer == "1\n"
    assert model.asked[2][0][-1].role == "tool"


def test_an_error_is_told_after_what_was_printed():
    turn, model = turn_with(program("print('so far')\nfind_hotels(city='Nowhere')"), ANSWER)

    assert model.read.startswith("so far\n\nTraceback")
    assert model.read.endswith("ValueError: No city Nowhere is known.")
    assert errors(turn) == [("execute_python", "program"), ("find_hotels", "content")]


# --- Limits ---------------------------------------------------------------------------------------------------------


def test_programs_make_more_calls_than_messages_may_and_are_stopped_at_their_own_limit():
    turn, model = turn_with(
        program("for most in range(1000):\n    find_hotels(city='Harbor', max_price=most)\n    print(most)"),
        program("find_hotels(city='Harbor')"),
        ANSWER,
        limits=Limits(program_calls=100),
    )

    assert sum(use.in_program and use.error is None for use in turn.tool_uses) == 100
    assert [use.error for use in turn.tool_uses][-3:] == ["over_limit", "program", "over_limit"]
    first = turn.tool_uses[0].answer
    assert first.startswith("0\n1\n2\n")
    assert "The program was stopped: there are no tool calls left, 100 were made." in first
    assert (turn.end, turn.answer) == (EndReason.ANSWERED, "The inn.")
    assert len(model.asked[2][1]) == 4


def test_an_option_lowers_the_limit_of_calls():
    turn, _ = turn_with(
        program("for most in range(1000):\n    find_hotels(city='Harbor', max_price=most)"), ANSWER, tool_calls="3"
    )

    assert sum(use.in_program for use in turn.tool_uses) == 3
    assert "there are no tool calls left, 3 were made" in turn.tool_uses[0].answer


def test_calls_of_programs_leave_the_calls_of_messages_untouched():
    turn, model = turn_with(
        program("for most in range(200):\n    find_hotels(city='Harbor', max_price=most)"),
        ModelReply(tool_calls=(ToolCall("id", "find_hotels", '{"city":"Harbor"}'),)),
        ANSWER,
    )

    assert turn.tool_uses[-1].error is None
    assert [message.role for message in model.asked[2][0]].count("user") == 1


def test_faults_within_programs_do_not_end_a_turn_but_programs_that_fail_in_a_row_do():
    searching = program("try:\n    find_hotels(city='Nowhere')\nexcept ValueError:\n    pass")

    patient, _ = turn_with(*[searching] * 8, ANSWER)
    hopeless, _ = turn_with(program("find_hotels(city='Nowhere')"))

    assert (patient.end, patient.model_calls) == (EndReason.ANSWERED, 9)
    assert (hopeless.end, hopeless.model_calls) == (EndReason.ERROR_ROUNDS, 5)


def test_when_the_tools_are_taken_away_programs_are_too():
    turn, model = turn_with(
        ModelReply(tool_calls=tuple(ToolCall(str(n), "find_hotels", f'{{"city":"{n}"}}') for n in range(5))),
        ANSWER,
        limits=Limits(tool_calls=3),
    )

    assert model.asked[1][1] == ()
    assert turn.end is EndReason.FORCED_ANSWER


def test_a_program_that_is_stopped_for_time_costs_the_model_its_variables_and_nothing_else():
    turn, model = turn_with(program("x = 1\nwhile True: pass"), program("print('again')"), ANSWER, seconds="0.5")

    assert "ran for more than 0.5 s" in turn.tool_uses[0].answer
    assert "(All variables are lost: the next program starts anew.)" in turn.tool_uses[0].answer
    assert model.read == "again\n"


def test_a_task_whose_time_is_up_ends_while_a_program_runs():
    turn, _ = turn_with(program("while True: pass"), limits=Limits(seconds_per_task=0.5), seconds=600)

    assert turn.end is EndReason.TIME_LIMIT
    assert errors(turn) == [("execute_python", "program")]


# --- Nothing hidden leaks -------------------------------------------------------------------------------------------


def test_a_bug_in_a_tool_ends_the_turn_as_ours_and_the_program_never_sees_it():
    turn, model = turn_with(
        program("try:\n    broken()\nexcept BaseException as error:\n    find_hotels(city=str(error))"), ANSWER
    )

    assert turn.end is EndReason.ERRORED
    assert SECRET in turn.detail
    assert errors(turn) == [("execute_python", "program")]
    assert len(model.asked) == 1


# --- The tool as the model sees it ----------------------------------------------------------------------------------


def test_the_model_is_told_of_the_tool_its_limits_and_what_its_python_lacks():
    _, model = turn_with(ANSWER, seconds=3, memory_mb=32, output_chars=500, tool_calls=77)

    offered = model.asked[0][1]
    assert [spec.name for spec in offered] == ["find_hotels", "every_room", "broken", "execute_python"]
    description = offered[-1].description
    for word in ("inheritance", "yield", "del", "heapq", "statistics", "nsmallest(n, items, key)", "2025-01-01"):
        assert word in description
    for limit in ("3 s", "32 MB", "500 characters", "77 tool calls"):
        assert limit in description
    assert offered[-1].parameters == {
        "type": "object",
        "properties": {"code": {"type": "string", "description": "The program."}},
        "required": ["code"],
    }


@pytest.mark.parametrize(
    ("args", "kwargs", "text"),
    [
        ((), {"city": "Zürich", "max_price": 1.5}, '{"city":"Zürich","max_price":1.5}'),
        (("Harbor", 3), {}, '{"city":"Harbor","max_price":3}'),
        (("Harbor",), {"city": "Pier"}, '{"city":"Harbor","city":"Pier"}'),
        (("a", 1, 2), {}, '{"city":"a","max_price":1,"argument 3":2}'),
        ((), {"city": {1, 2}}, '{"city":{"not_json": "set"}}'),
        ((), {"city": {1: 2}}, '{"city":{"not_json": "dict"}}'),
        ((), {"city": 10**5000}, '{"city":{"not_json": "int"}}'),
        ((), {"city": print}, '{"city":{"not_json": "builtin_function_or_method"}}'),
        ((), {"city": ("a", [True, None])}, '{"city":["a", [true, null]]}'),
        ((), {}, "{}"),
    ],
)
def test_arguments_of_a_function_become_those_of_a_tool_call(
    args: tuple[object, ...], kwargs: dict[str, object], text: str
):
    assert arguments_text(("city", "max_price"), args, kwargs) == text


def test_arguments_too_long_or_too_deep_to_be_kept_are_for_the_toolbox_to_refuse():
    deep: object = 1
    for _ in range(100):
        deep = [deep]

    turn, _ = turn_with(
        program("try:\n    find_hotels(city='a' * 100000)\nexcept ValueError as error:\n    print(error)"), ANSWER
    )

    assert turn.tool_uses[1].error == "parameter"
    assert len(turn.tool_uses[1].arguments) < 100
    assert "100011 characters of arguments" in turn.tool_uses[0].answer
    assert '"not_json": "list"' in arguments_text(("city",), (deep,), {})


def test_dates_may_be_given_as_dates():
    text = arguments_text(("a", "b", "c"), (date(2025, 8, 1), datetime(2025, 8, 2), time(9, 30)), {})

    assert json.loads(text) == {"a": "2025-08-01", "b": "2025-08-02", "c": "09:30"}


# --- Options --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"backend": "docker"}, "there are: monty, cpython"),
        ({"backend": "cpython"}, "unsafe=yes"),
        ({"unsafe": "maybe"}, "neither yes nor no"),
        ({"seconds": "soon"}, "seconds=soon is no number"),
        ({"seconds": "nan"}, "not between"),
        ({"memory_mb": "1"}, "memory_mb=1 is not between 16 and 65536"),
        ({"tool_calls": "-1"}, "not between"),
    ],
)
def test_an_option_that_makes_no_sense_is_refused_before_the_run(options: dict[str, str], message: str):
    with pytest.raises(UsageError, match=message):
        agent_factory("tripgauge.agents.coding:CodingAgent", options, ScriptedModel(ANSWER))


def test_without_the_extra_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch):
    real_import = builtins.__import__

    def without(name: str, *args: Any, **kwargs: Any) -> Any:
        if name.partition(".")[0] == "pydantic_monty":
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        return real_import(name, *args, **kwargs)

    monkeypatch.delitem(sys.modules, "tripgauge.agents.code_monty", raising=False)
    monkeypatch.setattr(builtins, "__import__", without)

    with pytest.raises(UsageError, match=r"pip install 'tripgauge\[code\]'"):
        CodingAgent(ScriptedModel(ANSWER))


def test_the_unsafe_backend_is_the_same_agent_in_another_interpreter():
    turn, model = turn_with(
        program(
            "import heapq\nclass Base: pass\nclass Hotel(Base): pass\nprint(len(find_hotels('Harbor')))\nnowhere()"
        ),
        ANSWER,
        backend="cpython",
        unsafe="yes",
    )

    assert errors(turn) == [("execute_python", "program"), ("find_hotels", None), ("nowhere", "name")]
    assert model.read.startswith("2\n\nTraceback")
    assert "CPython" in model.asked[0][1][-1].description


# --- On the benchmarks ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("edition", list(Edition))
def test_on_the_toy_town_a_model_plans_by_program_and_is_graded(edition: Edition):
    benchmark = TripPlusDialogues(TripPlus([town.queries_file()], town.data_folder()), edition)
    answers = town.answers()
    search = program(
        "hotels = query_hotel_info(destination='Briskhaven', minPrice=280, maxPrice=320)\n"
        "trains = query_train_info(origin='Aldmoor', destination='Briskhaven', depDate=date(2026, 7, 14))\n"
        "print(sorted(hotels[0])[:2], len(trains) > 0)\n"
        "try:\n    query_hotel_info(destination='Atlantis')\nexcept ValueError as error:\n    print(error)"
    )
    lines = [search, ModelReply(answers["mt_toy_couple_turn_0"]), ModelReply(answers["mt_toy_couple_turn_1"])]
    model = ScriptedModel(*lines, ModelReply(answers["mt_toy_couple_turn_2"]))

    transcript = asyncio.run(
        converse(CodingAgent(model), benchmark.dialogue("mt_toy_couple"), benchmark.limits)
    ).transcript

    uses = transcript.turns[0].tool_uses
    assert [(use.tool, use.error) for use in uses] == [
        ("execute_python", None),
        ("query_hotel_info", None),
        ("query_train_info", None),
        # To published code a city that is not there is one without hotels.
        ("query_hotel_info", "content" if edition is Edition.STRICT else None),
    ]
    assert json.loads(uses[2].arguments)["depDate"] == "2026-07-14"
    assert [turn.mode for turn in transcript.turns] == ["plan"] * 3
    assert benchmark.grade(transcript).turns[0].numbers["feasibility"] == 1.0


def test_on_the_toy_park_a_model_finds_the_cheapest_booking_by_program():
    about = dialogue(Toolbox(compass_tools(Index(toy_park()))))
    model = ScriptedModel(
        program(
            "best = []\n"
            "for first in dates('2025-08-01', '2025-08-07'):\n"
            "    last = (date.fromisoformat(first) + timedelta(days=2)).isoformat()\n"
            "    found = search_hotel(location='Toy', start_date=first, end_date=last, num_guests=3)\n"
            "    best += [(p['price'], first, p['package_id'], p['hotel_name']) for p in found['packages']]\n"
            "cheapest = nsmallest(1, [b for b in best if b[3] == 'Elk Lodge'])[0]\n"
            "print(cheapest[0], cheapest[1], recommend_hotel(package_ids=[cheapest[2]], reasoning='cheapest'))\n"
            "Notebook(action='write', input_data=cheapest[2])\n"
            "try:\n    AccommodationSearch('Toy', '2025-07-01', '2025-07-03', 2)\n"
            "except ValueError as error:\n    print(error)"
        ),
        ModelReply('{"message": "Elk Lodge", "recommendation": null}'),
    )

    (turn,) = held(model, about, Limits(repeats=None))

    # Elk Lodge: a room for four at $150; sold out on the 5th and dear on the 6th.
    assert model.read.splitlines()[0].startswith("300.0 2025-08-01 ")
    assert "'valid': True" in model.read
    assert "not in August 2025" in model.read
    assert [use.error for use in turn.tool_uses] == [None] * 10 + ["content"]
    assert {use.tool for use in turn.tool_uses[1:8]} == {"AccommodationSearch"}
    assert len({use.signature for use in turn.tool_uses[1:8]}) == 7


def test_on_compass_a_model_books_by_program_the_best_that_the_user_asked_for():
    booking = task(
        1,
        "price",
        Constraint("location", ("Toy",)),
        Constraint("guests", 2),
        Constraint("dates", ((1, 3),)),
        Constraint("free_cancellation", True),
    )
    benchmark = Compass(Index(toy_park()), [booking])
    search = program(
        "found = AccommodationSearch(location='Toy', start_date='2025-08-01', end_date='2025-08-03', num_guests=2,"
        " free_cancellation=True)\n"
        "best = min(found['packages'], key=itemgetter('price'))['package_id']\n"
        "recommend_hotel(package_ids=[best], reasoning='cheapest')\nprint(best)"
    )

    async def model(messages: Sequence[Message], tools: Sequence[ToolSpec]) -> ModelReply:
        if messages[-1].role != "tool":
            return search
        reply = {"message": "Booked?", "recommendation": {"hotel": [messages[-1].content.strip()]}}
        return ModelReply(json.dumps(reply))

    transcript = asyncio.run(
        converse(CodingAgent(model), benchmark.dialogue("toy", seed=1), benchmark.limits)
    ).transcript

    assert transcript.goodbye == "accepted"
    assert all(errors(turn)[0] == ("execute_python", None) for turn in transcript.turns)
    assert [use.tool for use in transcript.turns[-1].tool_uses if use.in_program] == [
        "AccommodationSearch",
        "recommend_hotel",
    ]
    assert benchmark.grade(transcript).numbers["or_5"] == 1.0


# --- Through Inspect AI ---------------------------------------------------------------------------------------------


def through_inspect(benchmark: Benchmark, task_id: str, outputs: Sequence[Any], folder: Path) -> tuple[Held, Any]:
    """A conversation held by Inspect AI with a stub in place of a model, and Inspect's log of it."""
    inspect_ai = pytest.importorskip("inspect_ai")
    from inspect_ai.model import ModelOutput, ModelUsage, get_model

    from tripgauge.frontends.inspect_ai.task import dialogue as solving
    from tripgauge.frontends.inspect_ai.task import inspect_task

    said = [
        ModelOutput.for_tool_call("mockllm", "execute_python", output)
        if isinstance(output, dict)
        else ModelOutput.from_content("mockllm", output)
        for output in outputs
    ]
    for output in said:
        output.usage = ModelUsage(input_tokens=10, output_tokens=1, total_tokens=11)
    kept: list[Held] = []
    (log,) = inspect_ai.eval(
        inspect_task(benchmark, solving(benchmark, CodingAgent, on_held=kept.append), [(task_id, 0)]),
        model=get_model("mockllm/model", custom_outputs=said),
        log_dir=str(folder),
        display="none",
    )
    assert log.status == "success", log.error
    return kept[0], log


@pytest.mark.slow
def test_through_inspect_a_model_that_writes_programs_plans_and_is_scored(tmp_path: Path):
    benchmark = TripPlusDialogues(TripPlus([town.queries_file()], town.data_folder()))
    code = "print(query_hotel_info(destination='Briskhaven', maxPrice=320)[0]['name'])\nquery_hotel_info(hotel=1)"
    plans = [town.answers()[f"mt_toy_couple_turn_{turn}"] for turn in range(3)]

    held, log = through_inspect(benchmark, "mt_toy_couple", [{"code": code}, *plans], tmp_path)

    first = held.transcript.turns[0]
    assert errors(first) == [
        ("execute_python", "program"),
        ("query_hotel_info", None),
        ("query_hotel_info", "parameter"),
    ]
    assert "query_hotel_info has no parameter" in first.tool_uses[0].answer
    assert [turn.mode for turn in held.transcript.turns] == ["plan"] * 3
    calls = [event for event in log.samples[0].events if event.event == "model"]
    assert [tool.name for tool in calls[0].tools][-1] == "execute_python"
    assert (calls[1].input[-1].role, calls[1].input[-1].function) == ("tool", "execute_python")
