"""What is read in an agent's answer, and which ids of it count."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tripgauge.compass.offers import parse_choice
from tripgauge.compass.recommendation import Recommendation, options, read_reply

ANSWER = '{"message": "Take this.", "recommendation": {"hotel": ["pkg_1_2_3_1"]}}'
TAKEN = Recommendation(hotel=("pkg_1_2_3_1",))


@pytest.mark.parametrize(
    "text",
    [
        ANSWER,
        f"```json\n{ANSWER}\n```",
        f"Here is my answer: {ANSWER} I hope it helps.",
        f'<think>Maybe {{}} or {{"message": "no"}}?</think>{ANSWER}',
        f"a thought whose beginning is lost</think>\n{ANSWER}",
        ANSWER.replace("]}}", "],},}"),
        ANSWER.replace("Take this.", "Take\nthis.").replace("Take\nthis.", "Take this."),
    ],
)
def test_an_answer_is_read_in_whatever_it_is_wrapped(text: str) -> None:
    reply = read_reply(text)

    assert (reply.message, reply.recommendation, reply.fault) == ("Take this.", TAKEN, "")


def test_a_message_alone_is_no_recommendation() -> None:
    for none in ('"recommendation": null', '"recommendation": {}', '"recommendation": {"hotel": []}'):
        reply = read_reply(f'{{"message": "When do you travel?", {none}}}')

        assert (reply.message, reply.recommendation, reply.fault) == ("When do you travel?", None, "")


def test_text_that_is_no_json_is_the_message() -> None:
    reply = read_reply("I recommend pkg_1_2_3_1.")

    assert (reply.message, reply.recommendation) == ("I recommend pkg_1_2_3_1.", None)
    assert reply.fault == "there is no JSON object with message and recommendation in it"


def test_of_several_answers_the_last_counts_and_that_is_noted() -> None:
    reply = read_reply(f'{{"message": "Wait."}} {ANSWER}')

    assert reply.recommendation == TAKEN
    assert reply.notes == ("2 answers in one text: the last counts",)


@pytest.mark.parametrize("key", ["hotels", "hotel_id", "hotel_ids", "package_ids"])
def test_other_names_of_a_component_are_read_and_noted(key: str) -> None:
    reply = read_reply(json.dumps({"message": "", "recommendation": {key: "pkg_1_2_3_1"}}))

    assert reply.recommendation == TAKEN
    assert reply.notes == (f"recommendation.{key} read as hotel", "recommendation.hotel: one id read as a list of one")


@pytest.mark.parametrize(
    ("recommendation", "fault"),
    [
        ("pkg_1_2_3_1", "recommendation is neither null nor an object"),
        ({"room": ["pkg_1_2_3_1"]}, "recommendation.room is not one of hotel, flight and permit"),
        ({"hotel": [1]}, "recommendation.hotel is not a list of package ids"),
        ({"hotel": ["a"], "hotels": ["b"]}, "recommendation.hotels is not one of hotel, flight and permit"),
    ],
)
def test_what_cannot_be_read_is_named_with_its_place(recommendation: object, fault: str) -> None:
    reply = read_reply(json.dumps({"message": "So.", "recommendation": recommendation}))

    assert (reply.message, reply.recommendation, reply.fault) == ("So.", None, fault)


@given(st.text())
def test_any_text_is_read_without_an_error(text: str) -> None:
    read_reply(text)


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(),
        lambda kids: st.lists(kids) | st.dictionaries(st.text(), kids),
        max_leaves=8,
    )
)
def test_any_json_is_read_without_an_error(value: object) -> None:
    read_reply(json.dumps({"message": value, "recommendation": value}))


def test_hostile_braces_take_no_time() -> None:
    assert read_reply("{" * 200_000).recommendation is None


# --- Which ids count


def test_at_level_one_three_hotels_count_and_further_ones_are_surplus() -> None:
    hotels = tuple(f"pkg_{config}_2_3_1" for config in (1, 2, 3, 4))

    offered = options(Recommendation(hotel=hotels), level=1)

    assert offered.choices == tuple(parse_choice(hotel) for hotel in hotels[:3])
    assert offered.surplus


def test_at_higher_levels_the_first_of_each_component_counts() -> None:
    offered = options(Recommendation(("pkg_1_2_3_1", "pkg_2_2_3_1"), ("flight_1_2_3",)), level=2)

    assert offered.choices == (parse_choice("pkg_1_2_3_1", "flight_1_2_3"),)
    assert offered.surplus


def test_a_missing_component_leaves_nothing_to_choose() -> None:
    offered = options(Recommendation(hotel=("pkg_1_2_3_1",), permit=("permit_1_2_1",)), level=3)

    assert (offered.choices, offered.missing) == ((), ("flight",))


def test_components_a_level_does_not_need_are_passed_over() -> None:
    offered = options(Recommendation(hotel=("pkg_1_2_3_1",), flight=("nonsense",)), level=1)

    assert offered.choices == (parse_choice("pkg_1_2_3_1"),)
    assert not offered.surplus


def test_an_id_that_is_none_makes_no_choice() -> None:
    assert options(Recommendation(hotel=("the inn",)), level=1).choices == (None,)
