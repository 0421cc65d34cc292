"""The one dispatcher: calls as they really arrive, and whose fault each failure is (R15, R20, R39)."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Literal

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tripgauge.chat import ToolCall
from tripgauge.tools import Toolbox, ToolCounts, ToolError, jsonable, tool, tools_of, unique_ids


@dataclass(frozen=True)
class Room:
    """A room of the inn."""

    name: str
    price: Decimal
    view: str | None = None


class Inn:
    """A few tools over an inn with two rooms."""

    rooms = (Room("Attic", Decimal("40.5")), Room("Garden Room", Decimal(60), "garden"))

    @tool(published={"max_price": "maxPrice"}, spellings={"max_price": ("priceMax",)}, other_names=("search_rooms",))
    def find_rooms(
        self,
        night: date,
        max_price: float | None = None,
        guests: int = 1,
        quiet: bool = False,
        sort_by: Literal["price", "name"] | None = None,
        names: list[str] | None = None,
    ) -> list[Room]:
        """Rooms that are free.

        Args:
            night: The night, as
                YYYY-MM-DD.
            max_price: Highest price.
            guests: How many come.
            quiet: Only quiet rooms.
            sort_by: What to order by.
            names: Only these.
        """
        if night.year != 2026:
            raise ToolError("The book is of 2026.", "night")
        return [room for room in self.rooms if max_price is None or room.price <= Decimal(str(max_price))]

    @tool
    def describe(self, room: str) -> Room:
        """One room.

        Args:
            room: Its name.
        """
        return {found.name: found for found in self.rooms}[room]  # an unknown name is a bug of the inn

    @tool
    def opening_hours(self) -> str:
        """When the inn is open."""
        return "always"


@pytest.fixture
def toolbox() -> Toolbox:
    return Toolbox(tools_of(Inn()))


WELL_FORMED = '{"night":"2026-07-14","maxPrice":50,"guests":2,"quiet":true}'
ANSWER = '[{"name":"Attic","price":40.5}]'


def ask(toolbox: Toolbox, arguments: str, name: str = "find_rooms"):
    (result,) = toolbox.answer([ToolCall("call_1", name, arguments)])
    return result


# --- Schemas are made from the methods (R20)


def test_the_schema_is_the_signature_and_the_manual(toolbox):
    spec = toolbox.specs[0]

    assert spec.as_function() == {
        "type": "function",
        "function": {
            "name": "find_rooms",
            "description": "Rooms that are free.",
            "parameters": {
                "type": "object",
                "properties": {
                    "night": {"type": "string", "description": "The night, as YYYY-MM-DD."},
                    "maxPrice": {"type": "number", "description": "Highest price."},
                    "guests": {"type": "integer", "description": "How many come."},
                    "quiet": {"type": "boolean", "description": "Only quiet rooms."},
                    "sort_by": {"type": "string", "enum": ["price", "name"], "description": "What to order by."},
                    "names": {"type": "array", "items": {"type": "string"}, "description": "Only these."},
                },
                "required": ["night"],
            },
        },
    }


def test_a_parameter_without_a_manual_is_refused():
    class Careless:
        @tool
        def guess(self, number: int) -> int:
            """Guess."""
            return number

    with pytest.raises(TypeError, match="does not describe number"):
        tools_of(Careless())


def test_two_tools_of_one_name_are_refused():
    with pytest.raises(ValueError, match="same name"):
        Toolbox([*tools_of(Inn()), *tools_of(Inn())])


# --- Calls as they really arrive (input 8)


def test_a_well_formed_call_is_answered_without_repairs(toolbox):
    result = ask(toolbox, WELL_FORMED)

    assert (result.text, result.fault, result.repairs) == (ANSWER, None, ())
    assert result.value == [{"name": "Attic", "price": 40.5}]
    assert result.arguments == {"night": "2026-07-14", "maxPrice": 50.0, "guests": 2, "quiet": True}


@pytest.mark.parametrize(
    ("arguments", "repair"),
    [
        ('{"night":"2026-07-14","maxPrice":50,"guests":2,"quiet":true,}', "trailing comma"),
        (f"```json\n{WELL_FORMED}\n```", "code fence"),
        (f"```\n{WELL_FORMED}```", "code fence"),
        ('{"night":"2026-07-14","maxPrice":"50","guests":2,"quiet":true}', "maxPrice"),
        ('{"night":"2026-07-14","maxPrice":"50.0","guests":2,"quiet":true}', "maxPrice"),
        ('{"night":"2026-07-14","maxPrice":50,"guests":"2","quiet":true}', "guests"),
        ('{"night":"2026-07-14","maxPrice":50,"guests":2.0,"quiet":true}', "guests"),
        ('{"night":"2026-07-14","maxPrice":50,"guests":2,"quiet":"True"}', "quiet"),
        ('{"night":" 2026-07-14 ","maxPrice":50,"guests":2,"quiet":true}', "night"),
        ('{"night":"2026-07-14","maxPrice":50,"guests":2,"quiet":true,"sort_by":" "}', "sort_by"),
        ('{"night":"2026-07-14","priceMax":50,"guests":2,"quiet":true}', "given as priceMax"),
        ('{"night":"2026-07-14","max_price":50,"guests":2,"quiet":true}', "given as max_price"),
        ('{"night":"2026-07-14","maxPrice":50,"guests":2,"quiet":true,"sort_by":null}', "sort_by"),
        ('{"night":"2026-07-14","maxPrice":50,"guests":2,"quiet":true,"sort_by":""}', "sort_by"),
    ],
)
def test_what_cannot_change_the_meaning_is_mended_and_counted_and_answered_alike(toolbox, arguments, repair):
    twin = ask(toolbox, WELL_FORMED)
    result = ask(toolbox, arguments)

    assert result.fault is None
    assert len(result.repairs) == 1
    assert repair in result.repairs[0]
    assert (result.text, result.signature) == (twin.text, twin.signature)


@pytest.mark.parametrize(
    ("arguments", "field", "hint"),
    [
        ("", "night", "needs night"),
        ("null", "night", "needs night"),
        ("[]", "arguments", "a list"),
        ("17", "arguments", "a number"),
        ('"2026-07-14"', "arguments", "a text"),
        ("{'night': '2026-07-14'}", "arguments", "double quotes"),
        (WELL_FORMED + WELL_FORMED, "arguments", "one call for each"),
        (WELL_FORMED[:-5], "arguments", "not JSON"),
        ("the Attic, please", "arguments", "not JSON"),
        ('{"night":"2026-07-14","colour":"red"}', "colour", "maxPrice"),
        ('{"night":"14 July"}', "night", "YYYY-MM-DD"),
        ('{"night":"2026-02-30"}', "night", "YYYY-MM-DD"),
        ('{"night":null}', "night", "needs night"),
        ('{"night":"2026-07-14","maxPrice":"cheap"}', "maxPrice", "a number"),
        ('{"night":"2026-07-14","maxPrice":true}', "maxPrice", "a number"),
        ('{"night":"2026-07-14","maxPrice":{"value":50}}', "maxPrice", "a number"),
        ('{"night":"2026-07-14","guests":2.5}', "guests", "a whole number"),
        ('{"night":"2026-07-14","guests":true}', "guests", "a whole number"),
        ('{"night":"2026-07-14","quiet":"maybe"}', "quiet", "true or false"),
        ('{"night":"2026-07-14","quiet":1}', "quiet", "true or false"),
        ('{"night":"2026-07-14","sort_by":"size"}', "sort_by", "price, name"),
        ('{"night":"2026-07-14","maxPrice":NaN}', "arguments", "NaN"),
        ('{"night":"2026-07-14","maxPrice":1e999}', "arguments", "1e999"),
        ('{"night":"2026-07-14","night":"2026-07-15"}', "night", "twice"),
        ('{"night":"2026-07-14","maxPrice":50,"max_price":60}', "maxPrice", "twice"),
        ('{"night":"\\ud800"}', "arguments", "surrogate"),
        ("[" * 100_000, "arguments", "nested"),
        ('{"night":"2026-07-14","names":' + "[" * 60 + "]" * 60 + "}", "arguments", "nested"),
        ('{"night":"2026-07-14","names":"' + "[" * 100_000 + '"}', "arguments", "nested"),
        ('{"night":"2026-07-14","names":"[1,"}', "names", "a list"),
        ('{"night":"2026-07-14","names":[["Attic"]]}', "names", "a list"),
        ('{"night":"2026-07-14","maxPrice":' + "9" * 5000 + "}", "arguments", "number"),
        ('{"night":"2026-07-14","page":0}', "page", "from 1"),
    ],
)
def test_everything_else_is_a_parameter_fault_that_names_the_field_and_what_would_be_right(
    toolbox, arguments, field, hint
):
    result = ask(toolbox, arguments)

    assert result.fault is not None
    assert (result.fault.kind, result.fault.field) == ("parameter", field)
    assert hint in result.fault.message
    assert json.loads(result.text) == {"error": {"type": "parameter", "message": result.fault.message, "field": field}}
    assert result.signature is None


@pytest.mark.parametrize("names", ['"Attic"', '["Attic"]', '"[\\"Attic\\"]"'])
def test_one_value_and_a_list_as_text_are_that_list(toolbox, names):
    result = ask(toolbox, f'{{"night":"2026-07-14","names":{names}}}')

    assert result.arguments["names"] == ["Attic"]


@pytest.mark.parametrize("arguments", ["", "  ", "{}", "null", "```json\n{}\n```"])
def test_no_text_is_a_valid_call_of_a_tool_that_needs_nothing(toolbox, arguments):
    result = ask(toolbox, arguments, "opening_hours")

    assert (result.text, result.fault) == ("always", None)


def test_an_unknown_tool_is_a_name_fault_with_a_hint(toolbox):
    result = ask(toolbox, WELL_FORMED, "find_room")

    assert result.fault is not None
    assert (result.fault.kind, result.fault.field) == ("name", "name")
    assert "Did you mean find_rooms?" in result.fault.message


def test_another_name_of_a_tool_is_recorded_as_its_own(toolbox):
    result = ask(toolbox, WELL_FORMED, "search_rooms")

    assert (result.tool, result.text) == ("find_rooms", ANSWER)
    assert result.signature == ask(toolbox, WELL_FORMED).signature


def test_arguments_that_name_nothing_there_is_are_a_content_fault(toolbox):
    result = ask(toolbox, '{"night":"2031-07-14"}')

    assert result.fault is not None
    assert (result.fault.kind, result.fault.field, result.fault.message) == ("content", "night", "The book is of 2026.")


def test_a_bug_of_ours_passes_through_and_is_never_shown_as_the_agents_fault(toolbox):
    with pytest.raises(KeyError, match="Cellar"):
        ask(toolbox, '{"room":"Cellar"}', "describe")


# --- Several calls in one message


def test_repeated_and_empty_ids_are_made_unique_and_answered_once_in_order(toolbox):
    sent = [ToolCall(call_id, "opening_hours") for call_id in ("a", "a", "", "a_2", "")]

    results = toolbox.answer(sent)

    assert [result.call.id for result in results] == ["a", "a_2_", "call_3", "a_2", "call_5"]
    assert [bool(result.repairs) for result in results] == [False, True, True, False, True]
    assert [result.message.tool_call_id for result in results] == [result.call.id for result in results]


def test_one_bad_call_does_not_keep_the_others_from_being_answered(toolbox):
    results = toolbox.answer(
        [ToolCall("1", "find_rooms", WELL_FORMED), ToolCall("2", "nothing"), ToolCall("3", "opening_hours")]
    )

    assert [result.fault and result.fault.kind for result in results] == [None, "name", None]


def test_faults_and_repairs_are_counted_and_the_same_question_is_one_question(toolbox):
    calls = [
        *[ToolCall(str(number), "find_rooms", WELL_FORMED) for number in range(10)],
        ToolCall("a", "search_rooms", '{"quiet":"true","guests":2,"maxPrice":50.0,"night":"2026-07-14"}'),
        ToolCall("b", "opening_hours"),
        ToolCall("c", "nothing"),
        ToolCall("d", "find_rooms", "{}"),
        ToolCall("e", "find_rooms", '{"night":"2031-07-14"}'),
    ]

    counts = ToolCounts.of(toolbox.answer(calls))

    assert counts == ToolCounts(calls=15, repaired=1, name_faults=1, parameter_faults=1, content_faults=1, distinct=2)


@pytest.mark.parametrize("guests", ["1", "1.0", '"1"'])
def test_numbers_are_compared_as_numbers_and_defaults_do_not_make_another_question(toolbox, guests):
    """R15."""
    result = ask(toolbox, f'{{"night":"2026-07-14","guests":{guests}}}')

    assert result.signature == ask(toolbox, '{"night":"2026-07-14"}').signature


# --- Long answers


class Archive:
    """Long answers of every kind."""

    @tool
    def numbers(self, upto: int) -> list[str]:
        """Numbers.

        Args:
            upto: How many.
        """
        return [f"number {n}" for n in range(upto)]

    @tool
    def table(self) -> dict[str, object]:
        """Numbers in an object."""
        return {"title": "numbers", "few": [1, 2], "rows": [{"n": n} for n in range(100)]}

    @tool
    def novel(self) -> str:
        """A text."""
        return "\n".join(f"chapter {n}" for n in range(100))


def pages(toolbox: Toolbox, name: str, arguments: dict[str, object]) -> Iterator[str]:
    page = 1
    while True:
        result = toolbox.call(name, {**arguments, "page": page})
        if result.fault:
            assert (result.fault.kind, result.fault.field) == ("content", "page")
            return
        yield result.text
        page += 1


def test_a_long_list_comes_in_pages_that_say_so_and_lose_nothing():
    toolbox = Toolbox(tools_of(Archive()), page_chars=500)

    texts = list(pages(toolbox, "numbers", {"upto": 100}))
    answers = [json.loads(text) for text in texts]

    assert [item for answer in answers for item in answer["items"]] == [f"number {n}" for n in range(100)]
    assert all(len(text) <= 500 for text in texts)
    assert answers[0]["paging"].endswith("call again with the same arguments and page 2")
    assert answers[-1]["paging"] == f"page {len(texts)}: items {100 - len(answers[-1]['items']) + 1} to 100 of 100"
    assert toolbox.call("numbers", {"upto": 100}).text == texts[0]
    assert len(toolbox.call("numbers", {"upto": 100}).value) == 100


def test_an_object_is_paged_in_its_longest_list_and_a_text_between_its_lines():
    toolbox = Toolbox(tools_of(Archive()), page_chars=400)

    tables = [json.loads(text) for text in pages(toolbox, "table", {})]
    novel = [text.rsplit("\n", 1)[0] for text in pages(toolbox, "novel", {})]

    assert [row["n"] for table in tables for row in table["rows"]] == list(range(100))
    assert all((table["title"], table["few"]) == ("numbers", [1, 2]) for table in tables)
    assert "\n".join(novel) == Archive().novel()


def test_a_short_answer_is_not_paged():
    toolbox = Toolbox(tools_of(Archive()))

    assert toolbox.call("numbers", {"upto": 2}).text == '["number 0","number 1"]'


def test_reading_on_is_another_call():
    toolbox = Toolbox(tools_of(Archive()), page_chars=400)

    first, second = (toolbox.call("numbers", {"upto": 90, "page": page}) for page in (1, 2))

    assert first.text != second.text
    assert first.signature != second.signature
    assert first.signature == toolbox.call("numbers", {"upto": 90}).signature


def test_an_answer_of_an_unknown_kind_is_our_own_fault():
    with pytest.raises(TypeError, match="object"):
        jsonable(object())


# --- Whatever arrives

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(codec=None)),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
argument_names = st.sampled_from(["night", "maxPrice", "max_price", "guests", "quiet", "sort_by", "names", "page", "x"])
argument_texts = st.one_of(
    st.text(st.characters(codec=None)),
    st.dictionaries(argument_names, json_values | st.just("2026-07-14"), max_size=5).map(json.dumps),
    st.dictionaries(argument_names, json_values, max_size=3).map(lambda found: f"```json\n{json.dumps(found)},\n```"),
    st.lists(st.sampled_from(list('{}[]",:0 \\n`t"'))).map("".join),
)
calls = st.builds(
    ToolCall,
    id=st.sampled_from(["", "a", "b", "a_2"]) | st.text(max_size=3),
    name=st.sampled_from(["find_rooms", "search_rooms", "opening_hours", "nothing", ""])
    | st.text(st.characters(codec=None), max_size=8),
    arguments=argument_texts,
)


INN = Toolbox(tools_of(Inn()), page_chars=200)


def every_call_is_answered_once_in_order(sent: list[ToolCall]) -> None:
    results = INN.answer(sent)

    ids = [result.call.id for result in results]
    assert len(ids) == len(sent)
    assert len(set(ids)) == len(ids)
    assert all(ids)
    assert [(result.call.name, result.call.arguments) for result in results] == [(c.name, c.arguments) for c in sent]
    for result in results:
        result.text.encode("utf-8")
        assert (result.signature is None) == (result.fault is not None)
        if result.fault:
            assert json.loads(result.text)["error"]["type"] == result.fault.kind
            assert result.fault.field
            assert result.fault.message


@settings(max_examples=500, deadline=None)
@given(st.lists(calls, max_size=4))
@example([ToolCall("", "find_rooms", '{"night":"2026-07-14","names":["\\ud800"]}')])
def test_whatever_is_sent_each_call_is_answered_exactly_once_and_in_order(sent):
    every_call_is_answered_once_in_order(sent)


@pytest.mark.slow
@settings(max_examples=5_000, deadline=None)
@given(st.lists(calls, max_size=4))
def test_whatever_is_sent_many_times_each_call_is_answered_exactly_once_and_in_order(sent):
    every_call_is_answered_once_in_order(sent)


@given(st.lists(st.builds(ToolCall, id=st.sampled_from(["", "a", "a_2", "a_2_", "call_1"]), name=st.just("x"))))
def test_ids_given_once_are_kept(sent):
    unique = unique_ids(sent)

    ids = [call.id for call in sent]
    kept = [call.id for call in unique]
    assert len(set(kept)) == len(kept)
    assert all(kept[position] == call_id for position, call_id in enumerate(ids) if call_id and ids.count(call_id) == 1)
