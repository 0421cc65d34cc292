"""What means the same gets the same strict scores: other spellings, another order of keys, a moment to spare."""

import re
from collections.abc import Callable
from copy import deepcopy
from dataclasses import replace
from itertools import pairwise
from random import Random

import pytest
from tests.trip_plus.good_plans import Good, conformance, toy
from tests.trip_plus.release.conformance_data import MISSING, REASON

from tripgauge.toy import town
from tripgauge.trip_plus.itinerary import Buffer, IntercityLeg, Itinerary, Plan, TimeSlot
from tripgauge.trip_plus.notation.plan_json import read_converted, write_converted
from tripgauge.trip_plus.notation.plan_text import parse_response

Respell = Callable[[str, object, Random], object]
"""Another way to write the value at a key of converted JSON."""

NAMES = {"name", "from", "to", "accommodation"}
AMOUNTS = {
    *("transportation", "accommodation", "meals", "attractions_and_tickets", "other", "total_estimated_budget"),
}


def dashes(key: str, value: object, random: Random) -> object:
    if key != "time_slot" or not isinstance(value, str):
        return value
    return value.replace("-", random.choice(["–", "—", "−", " - ", "~", " to ", "－"]))


def clocks(key: str, value: object, random: Random) -> object:
    if key != "time_slot" or not isinstance(value, str):
        return value
    style = random.choice([_with_seconds, _by_twelve_hours, _without_zero, _full_width])
    return "-".join(style(*map(int, time.split(":"))) for time in value.split("-"))


def _with_seconds(hours: int, minutes: int) -> str:
    return f"{hours:02d}:{minutes:02d}:00"


def _by_twelve_hours(hours: int, minutes: int) -> str:
    return f"{(hours - 1) % 12 + 1}:{minutes:02d} {'AM' if hours % 24 < 12 else 'PM'}"


def _without_zero(hours: int, minutes: int) -> str:
    return f"{hours}:{minutes:02d}"


def _full_width(hours: int, minutes: int) -> str:
    return f"{hours:02d}:{minutes:02d}".translate({ord(c): ord(c) + 0xFEE0 for c in "0123456789:"})


def quotes(key: str, value: object, random: Random) -> object:
    return value.replace("'", random.choice("’‘ʼ＇")) if key in NAMES and isinstance(value, str) else value


def blanks(key: str, value: object, random: Random) -> object:
    if key not in NAMES or not isinstance(value, str):
        return value
    return f"  {value.replace(' ', random.choice(['  ', chr(0xA0), chr(0x3000)]))} "


def capitals(key: str, value: object, random: Random) -> object:
    if key in NAMES and isinstance(value, str):
        return random.choice([value.upper(), value.lower()])
    return value.title() if key in ("mode", "meal_type") and isinstance(value, str) else value


def widths(key: str, value: object, random: Random) -> object:
    """Letters and digits as wide as Chinese characters."""
    if key not in NAMES or not isinstance(value, str):
        return value
    return "".join(chr(ord(c) + 0xFEE0) if c.isascii() and c.isalnum() and random.random() < 0.5 else c for c in value)


def prices(key: str, value: object, random: Random) -> object:
    if key not in {"cost", "price_per_night"} or not isinstance(value, int | float):
        return value
    return random.choice(
        [float(value), f"{value}", f"¥{value}", f"{value} RMB", f"CNY {value}", f"{value:.2f}", f"{value}元"]
    )


def budgets(key: str, value: object, random: Random) -> object:
    if key not in AMOUNTS or not isinstance(value, int | float):
        return value
    return random.choice([float(value), f"{value:,} RMB", f"¥{value:,}", f"{value}", f"{value:.2f} yuan"])


def distances(key: str, value: object, random: Random) -> object:
    if key != "distance" or not isinstance(value, str):
        return value
    km = float(value.removesuffix("km"))
    return random.choice([f"{km} km", f"{km} KM", f"{km} kilometers", f"{km * 1000:.0f} m", f"{km * 1000:,.0f} meters"])


def durations(key: str, value: object, random: Random) -> object:
    if key != "duration" or not isinstance(value, str):
        return value
    minutes = int(value.removesuffix("min"))
    hours = f"{minutes // 60} h {minutes % 60} min"
    return random.choice([f"{minutes} min", f"{minutes} minutes", f"{minutes}mins", f"about {minutes} minutes", hours])


def day_numbers(key: str, value: object, random: Random) -> object:
    return random.choice([str(value), float(str(value)), f"Day {value}"]) if key == "day_number" else value


RESPELLINGS = (*(dashes, clocks, quotes, blanks, capitals, widths, prices, budgets, distances, durations, day_numbers),)


def respelled(value: object, how: Respell, random: Random, key: str = "") -> object:
    """The same JSON with every value written otherwise where there is another way."""
    if isinstance(value, dict):
        return {name: respelled(inner, how, random, name) for name, inner in value.items()}
    if isinstance(value, list):
        return [respelled(inner, how, random, key) for inner in value]
    return how(key, value, random)


def reordered(value: object, random: Random) -> object:
    """The same JSON with the keys of every object in another order."""
    if isinstance(value, dict):
        items = [(key, reordered(inner, random)) for key, inner in value.items()]
        random.shuffle(items)
        return dict(items)
    return [reordered(inner, random) for inner in value] if isinstance(value, list) else value


def converted(good: Good) -> object:
    """The plan as JSON, as it came if it came so."""
    return deepcopy(good.converted) if good.converted else write_converted(Plan(good.plan.itinerary))


def scores(good: Good, itinerary: Itinerary) -> dict[object, object]:
    """The strict score of every check and requirement."""
    return {question: result.score for question, result in good.verdicts(itinerary).items()}


def assert_same_scores(good: Good, value: object) -> None:
    """That the plan read from this JSON gets what the plan itself gets."""
    response = read_converted(value)
    assert isinstance(response, Plan)
    before = {question: result.score for question, result in good.before.items()}
    after = scores(good, response.itinerary)
    assert {q: (before[q], after[q]) for q in before if before[q] != after[q]} == {}, good.name


@pytest.mark.parametrize("how", RESPELLINGS, ids=lambda how: how.__name__)
def test_another_spelling_changes_no_score_of_a_toy_plan(how):
    others = [(good, respelled(converted(good), how, Random(seed))) for seed, good in enumerate(toy())]

    assert any(repr(other) != repr(converted(good)) for good, other in others)
    for good, other in others:
        assert_same_scores(good, other)


@pytest.mark.skipif(MISSING, reason=REASON)
@pytest.mark.parametrize("how", RESPELLINGS, ids=lambda how: how.__name__)
def test_another_spelling_changes_no_score_of_a_plan_of_the_conformance_data(how):
    for seed, good in enumerate(conformance()):
        assert_same_scores(good, respelled(converted(good), how, Random(seed)))


def test_the_order_of_keys_changes_no_score():
    for seed, good in enumerate((*toy(), *conformance())):
        assert_same_scores(good, reordered(converted(good), Random(seed)))


def test_everything_written_otherwise_at_once_changes_no_score():
    for seed, good in enumerate((*toy(), *conformance())):
        value = converted(good)
        for how in (dashes, quotes, blanks, widths, prices, budgets, distances, durations, day_numbers):
            value = respelled(value, how, Random(seed))
        assert_same_scores(good, reordered(value, Random(seed)))


# --- In the notation -------------------------------------------------------------------------------------------------

STYLES = {
    "long dashes between times": lambda text: re.sub(r"(\d\d:\d\d)-(\d\d:\d\d)", r"\1—\2", text),
    "curly quotes": lambda text: text.replace("'", "’"),
    "more blanks": lambda text: text.replace(" | ", "   |  ").replace(", ", ",  "),
    "no blanks around bars": lambda text: text.replace(" | ", "|"),
    "full-width bars and colons": lambda text: re.sub(r"(\d):(\d)", r"\1：\2", text).replace("|", "｜"),
    "empty lines": lambda text: text.replace("\n", "\n\n"),
    "Windows line ends": lambda text: text.replace("\n", "\r\n"),
    "lists with bullets": lambda text: re.sub(r"(?m)^(?=\d\d:\d\d)", "- ", text),
    "headings in bold": lambda text: re.sub(r"(?m)^(Day \d+ .*)$", r"**\1**", text),
    "no stars around the budget": lambda text: text.replace("**", ""),
    "prices in RMB": lambda text: re.sub(r"¥([\d.]+)/person", r"\1 RMB/person", text),
    "meters": lambda text: text.replace("0.8km", "800m"),
    "minutes in full": lambda text: re.sub(r"(\d+)min\b", r"\1 minutes", text),
    "thousands": lambda text: re.sub(r"(\d)(\d{3}) RMB", r"\1,\2 RMB", text),
}


@pytest.mark.parametrize("style", STYLES)
def test_another_style_of_the_notation_changes_no_score(style):
    for good in toy():
        response = parse_response(STYLES[style](town.answers()[good.name]))

        assert isinstance(response, Plan)
        assert scores(good, response.itinerary) == scores(good, good.plan.itinerary), good.name


# --- A moment to spare -----------------------------------------------------------------------------------------------


def with_moments(itinerary: Itinerary) -> Itinerary:
    """The plan with a minute named in every gap between two lines of a day."""
    days = []
    for day in itinerary.days:
        lines = [day.activities[0]] if day.activities else []
        for one, other in pairwise(day.activities):
            if one.slot and other.slot and other.slot.start > one.slot.end:
                lines.append(Buffer(slot=TimeSlot(one.slot.end, one.slot.end + 1), description="a moment"))
            lines.append(other)
        days.append(replace(day, activities=tuple(lines)))
    return replace(itinerary, days=tuple(days))


@pytest.mark.skipif(MISSING, reason=REASON)
def test_a_moment_named_in_every_gap_changes_no_score():
    """The plans of the toy town have no gaps."""
    plans = [(good, with_moments(good.plan.itinerary)) for good in conformance()]

    assert all(itinerary != good.plan.itinerary for good, itinerary in plans)
    for good, itinerary in plans:
        assert scores(good, itinerary) == scores(good, good.plan.itinerary), good.name


def in_halves(itinerary: Itinerary) -> Itinerary:
    """The plan with the time kept free before each flight or train told in two lines."""
    days = []
    for day in itinerary.days:
        lines = list(day.activities)
        for one, other in pairwise(day.activities):
            if isinstance(one, Buffer) and isinstance(other, IntercityLeg) and one.slot:
                middle = one.slot.start + one.slot.minutes // 2
                halves = [
                    replace(one, slot=TimeSlot(one.slot.start, middle)),
                    replace(one, slot=TimeSlot(middle, one.slot.end)),
                ]
                lines[lines.index(one) : lines.index(one) + 1] = halves
        days.append(replace(day, activities=tuple(lines)))
    return replace(itinerary, days=tuple(days))


def test_waiting_told_in_two_lines_changes_no_score():
    for good in (*toy(), *conformance()):
        itinerary = in_halves(good.plan.itinerary)

        assert itinerary != good.plan.itinerary
        assert scores(good, itinerary) == scores(good, good.plan.itinerary), good.name
