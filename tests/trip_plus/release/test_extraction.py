"""What of a model's last message becomes the stored report."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tripgauge.trip_plus.release.extraction import FAILURE_REPORT, extract, stored_report

ROWS = "Day 1:\n09:00-10:00 | buffer | packing"


def test_a_tagged_plan_is_stored_as_it_is():
    assert extract(f"Here you are.\n<plan>\n{ROWS}\n</plan>\nEnjoy!") == f"<plan>\n{ROWS}\n</plan>"


def test_of_two_plans_the_last_is_stored():
    assert extract(f"<plan>draft</plan> better: <plan>{ROWS}</plan>") == f"<plan>\n{ROWS}\n</plan>"


def test_a_plan_that_is_never_closed_runs_to_the_end():
    assert extract(f"<plan>{ROWS}") == f"<plan>\n{ROWS}\n</plan>"


def test_tags_may_be_in_capitals_and_opening_ones_may_carry_attributes():
    assert extract(f'<PLAN draft="no">{ROWS}</Plan>') == f"<plan>\n{ROWS}\n</plan>"


def test_a_closing_tag_with_a_blank_closes_nothing_and_stays_in_the_body():
    assert extract(f"<plan>{ROWS}</plan >") == f"<plan>\n{ROWS}</plan >\n</plan>"


def test_what_a_model_thinks_aloud_is_dropped():
    assert extract(f"<think><plan>a</plan></think> no <think>b</think><plan>{ROWS}</plan>") == (
        f"<plan>\n{ROWS}\n</plan>"
    )


@pytest.mark.parametrize(
    "leftover",
    ["<|channel>thought<channel|>", "<|channel> thought", "<|tool_call>call:weather{city:x}<tool_call|>"],
)
def test_leftovers_of_channels_and_tool_calls_are_dropped(leftover):
    assert extract(f"{leftover}\n{ROWS}") == f"<plan>\n{ROWS}\n</plan>"


def test_an_unfinished_tool_call_takes_everything_behind_it():
    assert extract(f"So:\n{ROWS}\n<|tool_call>call:weather <plan>x</plan>") == f"<plan>\nSo:\n{ROWS}\n</plan>"
    assert extract(f"<|tool_call>call:weather <plan>{ROWS}</plan>") is None


@pytest.mark.parametrize("text", ["", " \n ", "<plan>", '<plan day="1">\n', "done</think>"])
def test_where_nothing_is_left_there_is_no_report_and_a_failed_plan_is_stored(text):
    assert extract(text) is None
    assert stored_report(text) == FAILURE_REPORT


def test_empty_plan_tags_are_stored_as_they_are():
    assert extract("<plan>\n</plan>") == "<plan>\n</plan>"


def test_a_closed_question_comes_before_a_refusal_and_both_before_a_plan():
    question = "<clarification>Which day?</clarification>"
    refusal = "<no_solution>Too dear.</no_solution>"
    plan = f"<plan>{ROWS}</plan>"

    assert extract(plan + refusal + question) == "<clarification>\nWhich day?\n</clarification>"
    assert extract(question + plan) == "<clarification>\nWhich day?\n</clarification>"
    assert extract(refusal + plan) == "<no_solution>\nToo dear.\n</no_solution>"


def test_an_empty_question_is_passed_over():
    assert extract("<clarification> </clarification><no_solution>Too dear.</no_solution>") == (
        "<no_solution>\nToo dear.\n</no_solution>"
    )


def test_once_a_question_is_closed_the_last_opening_tag_counts_even_if_unclosed():
    assert extract("<clarification>One?</clarification> or <clarification>Two?") == (
        "<clarification>\nTwo?\n</clarification>"
    )


def test_a_refusal_inside_a_question_takes_over():
    assert extract("<clarification>Hm. <no_solution>Too dear.</no_solution></clarification>") == (
        "<no_solution>\nToo dear.\n</no_solution>"
    )


def test_an_unclosed_question_is_only_caught_by_its_words_and_keeps_its_tag():
    assert extract("<clarification>Which?") == "<clarification>\n<clarification>Which?\n</clarification>"
    assert extract("<no_solution>Too dear.") == "<plan>\n<no_solution>Too dear.\n</plan>"


def test_without_plan_tags_the_last_filled_code_fence_counts():
    assert extract(f"```text\nold\n```\n```\n{ROWS}\n```\n```\n\n```") == f"<plan>\n{ROWS}\n</plan>"


def test_an_untagged_text_is_a_plan():
    assert extract("I would rather not.") == "<plan>\nI would rather not.\n</plan>"


@pytest.mark.parametrize(
    "phrase",
    [
        "Please CLARIFY the date.",
        "Please confirm the date.",
        "Could you please name a date?",
        "Would you prefer the train?",
        "Do you have a date?",
        "Should I book?",
        "Before finalising, the date.",
        "Tell me which option.",
        "Let me know.",
        "Shall we proceed with it?",
    ],
)
def test_an_untagged_text_that_asks_is_a_question(phrase):
    assert extract(phrase) == f"<clarification>\n{phrase}\n</clarification>"


def test_even_a_text_in_plan_tags_is_a_question_if_it_only_asks():
    assert extract("<plan>Should I take the train?</plan>") == (
        "<clarification>\nShould I take the train?\n</clarification>"
    )


def test_a_phrase_counts_as_whole_words_only():
    assert extract("We clarifyed it.") == "<plan>\nWe clarifyed it.\n</plan>"


@pytest.mark.parametrize(
    "trace",
    ["Day 2:", "9:00 - 10:00 | rest", "x | hotel | y", "budget summary", "Total Estimated Budget"],
)
def test_whoever_asks_beside_an_itinerary_has_planned(trace):
    text = f"Let me know.\n{trace}"

    assert extract(text) == f"<plan>\n{text}\n</plan>"


@pytest.mark.parametrize("almost", ["**Day 2**:", "Day 2 (2030-01-01):", "x | walk | y", "- 9:00-10:00 | rest"])
def test_what_merely_resembles_an_itinerary_leaves_a_question_a_question(almost):
    text = f"Let me know.\n{almost}"

    assert extract(text) == f"<clarification>\n{text}\n</clarification>"


PIECES = [
    "<plan>",
    "</plan>",
    "<plan x=1>",
    "<clarification>",
    "</clarification>",
    "<no_solution>",
    "</no_solution>",
    "</think>",
    "<|tool_call>",
    "<tool_call|>",
    "<|channel>thought",
    "```",
    "\n",
    "Should I",
    "Day 1:",
    " ",
    "x",
]


@given(st.one_of(st.text(), st.lists(st.sampled_from(PIECES)).map("".join)))
def test_every_text_gives_no_report_or_one_in_tags(text):
    report = extract(text)

    assert report is None or report.lower().startswith(("<plan", "<clarification>\n", "<no_solution>\n"))
