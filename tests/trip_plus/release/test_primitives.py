"""Times, numbers, names and labels are read as loosely as the published evaluator reads them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tripgauge.trip_plus.release.costing import local_multiplier
from tripgauge.trip_plus.release.primitives import (
    ReleaseMeta,
    Slot,
    city,
    entity_name,
    from_to,
    hotel_name,
    int_loose,
    loose_clock,
    mode_class,
    norm,
    num_first,
    num_strict,
    parse_hhmm,
    round_int,
    slot_min,
    within_hours,
)


@pytest.mark.parametrize(
    ("slot", "expected"),
    [
        ("09:00-10:30", (540, 630)),
        ("24:00-01:00", (1439, 1500)),
        ("9:00 - 10:00 (+1)", (540, 600)),
        ("  20:00-24:00", (1200, 1439)),
        ("22:00-00:30", (1320, 1470)),
        ("12:00-12:00", (720, 720)),
        ("09:00–10:30", None),
        ("25:00-26:00", None),
        ("09:60-10:30", None),
        ("about 09:00-10:30", None),
        (None, None),
        (["09:00-10:30"], None),
    ],
)
def test_a_time_slot_is_what_a_text_starts_with(slot: object, expected: tuple[int, int] | None) -> None:
    assert slot_min(slot) == expected


@pytest.mark.parametrize(
    ("clock", "strict", "loose"),
    [
        ("8:05", 485, 485),
        ("24:00", 1439, 1440),
        ("25:00", None, 1500),
        (" 8 : 05 ", None, 485),
        ("8", None, None),
        ("8:5x", None, None),
        (805, None, None),
    ],
)
def test_clock_times_are_read_strictly_or_loosely(clock: object, strict: int | None, loose: int | None) -> None:
    assert parse_hhmm(clock) == strict
    assert loose_clock(clock) == loose


@pytest.mark.parametrize(
    ("start", "end", "opening", "closing", "inside"),
    [
        (600, 660, 600, 660, True),
        (599, 660, 600, 1000, False),
        (600, 1001, 600, 1000, False),
        (1380, 30, 600, 1320, False),
        (1380, 30, 1080, 120, True),
        (1380, 130, 1080, 120, False),
        (1100, 1200, 1080, 120, True),
        (30, 90, 1080, 120, True),
        (90, 1100, 1080, 120, False),
    ],
)
def test_opening_hours_may_reach_past_midnight(start: int, end: int, opening: int, closing: int, inside: bool) -> None:
    assert within_hours(start, end, opening, closing) is inside


@pytest.mark.parametrize(
    ("value", "first", "strict", "rounded"),
    [
        (12, 12.0, 12.0, 12),
        (12.5, 12.5, 12.5, 12),
        (13.5, 13.5, 13.5, 14),
        ("12", 12.0, 12.0, 12),
        ("¥110", 110.0, None, None),
        ("1200 RMB", 1200.0, None, None),
        ("1,200m", 1.0, None, None),
        ("-3.5 km", -3.5, None, None),
        ("free", None, None, None),
        ("", None, None, None),
        (None, None, None, None),
        (float("inf"), float("inf"), float("inf"), None),
    ],
)
def test_numbers_are_read_strictly_or_from_within_text(
    value: object, first: float | None, strict: float | None, rounded: int | None
) -> None:
    assert num_first(value) == first
    assert num_strict(value) == strict
    assert round_int(value) == rounded


def test_counts_may_be_written_as_text() -> None:
    assert [int_loose(value) for value in (2, "2", "2.9", None, "two")] == [2, 2, 2, None, None]


@pytest.mark.parametrize(
    ("name", "compared"),
    [
        ("[Foo Bar (A)] ", "FooBar(A)"),
        ("[[Foo", "Foo"),
        ("Hotel X (2 rooms)", "HotelX"),
        ("Park, ¥30/person", "Park"),
        ("Park, Free Entry", "Park"),
        ("Park，free admission", "Park"),
        ("Park, ticket: 30", "Park"),
        ("Park, by the lake", "Park,bythelake"),
        ("ＡＢ（c）", "AB(c)"),
        ("  ", ""),
    ],
)
def test_names_are_compared_without_blanks_brackets_and_ticket_notes(name: str, compared: str) -> None:
    assert norm(name) == compared


def test_case_matters_in_names() -> None:
    assert norm("Willow Lake Park") != norm("Willow lake Park")


def test_a_place_may_be_named_in_the_details_or_beside_them() -> None:
    assert entity_name({"details": {"restaurant_name": " Tea Garden "}}, "restaurant") == "Tea Garden"
    assert entity_name({"name": "Tea Garden", "details": None}, "restaurant") == "Tea Garden"
    assert entity_name({"details": {"to": "Beta Station"}}, "attraction") == ""
    assert entity_name({"details": {"to": "Beta Station"}}) == "Beta Station"
    assert entity_name("Tea Garden", "restaurant") == ""


@pytest.mark.parametrize(
    ("details", "name"),
    [
        ({"name": "Beta Lake Hotel", "activity": "check-in at Hotel 1"}, "Beta Lake Hotel"),
        ({"name": "rest", "activity": "check-in at Hotel 1"}, "Hotel 1"),
        ({"activity": "Return to Hotel 1"}, "Hotel 1"),
        ({"activity": "evening, back home, Hotel 1"}, "Hotel 1"),
        ({"name": "¥300/night", "activity": "check-in, Hotel 1"}, "Hotel 1"),
        ({"name": "300 RMB", "activity": "rest"}, "300 RMB"),
        ({"name": "Check-in", "activity": "rest"}, ""),
        ({"activity": "check-in, Inn (North Branch) (room 2)"}, "Inn"),
        ({"description": "stay at: Hotel 1"}, "Hotel 1"),
        ({}, ""),
    ],
)
def test_a_hotel_is_looked_for_in_the_wording_where_its_name_is_none(details: dict[str, object], name: str) -> None:
    assert hotel_name(details) == name


@pytest.mark.parametrize(
    ("label", "pair"),
    [
        ("from Beijing to Shenzhen (evening)", ("Beijing", "Shenzhen (evening)")),
        ("Beijing to Shenzhen", ("Beijing", "Shenzhen")),
        ("From A to B", ("From A", "B")),
        ("from A to B to C", ("A", "B to C")),
        ("from A to B, then C", ("A", "B")),
        ("Day trip to Zhuhai, Macau", None),
        ("A → B", None),
        ("Beta", None),
        (None, None),
    ],
)
def test_a_day_label_names_a_pair_of_cities_or_one(label: object, pair: tuple[str, str] | None) -> None:
    assert from_to(label) == pair


def test_remarks_in_parentheses_are_no_part_of_a_city() -> None:
    assert [city("Shenzhen (evening)"), city("Beta（late）"), city(" Beta ")] == ["Shenzhen", "Beta", "Beta"]


def test_intercity_modes_are_known_by_a_few_words() -> None:
    assert {mode_class(mode) for mode in ("Flight", " plane ", "air")} == {"flight"}
    assert {mode_class(mode) for mode in ("high speed rail", "Gaotie", "train")} == {"train"}
    assert {mode_class(mode) for mode in ("bus", "", None)} == {"default"}


@pytest.mark.parametrize(
    ("mode", "times"),
    [("cable car", 2), ("Line 1", 1), ("Metro Line 1 + taxi", 2), ("walking", 1), ("shuttle bus", 5)],
)
def test_a_ride_is_due_per_vehicle_per_person_or_once(mode: str, times: int) -> None:
    assert local_multiplier({"mode": mode}, cost=10, people=5) == times


def test_the_frame_of_a_trip_tells_missing_from_stated() -> None:
    meta = ReleaseMeta.of({"org": " Alpha", "dest": ["Beta"], "days": "2", "people_number": "2", "room_number": None})

    assert (meta.org, meta.dest, meta.days, meta.people_number, meta.room_number) == ("Alpha", ("Beta",), 2, 2, None)


@given(st.text())
def test_a_compared_name_has_no_blanks(name: str) -> None:
    assert not any(character.isspace() for character in norm(name))


@given(st.integers(0, 1439), st.integers(0, 1439))
def test_a_slot_that_ends_before_it_starts_ends_the_next_day(start: int, end: int) -> None:
    slot = slot_min(f"{start // 60:02}:{start % 60:02}-{end // 60:02}:{end % 60:02}")

    assert slot == Slot(start, end if end >= start else end + 1440)
    assert 0 <= slot.minutes < 1440
