"""Clock times as plans write them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tripgauge.trip_plus.itinerary import Fault, TimeSlot
from tripgauge.trip_plus.notation.times import looks_like_a_slot, read_slot, write_slot

MORNING_SPELLINGS = [
    "09:00-12:00",
    "9:00-12:00",
    "09:00 - 12:00",
    "09:00‐12:00",
    "09:00–12:00",
    "09:00—12:00",
    "09:00‒12:00",
    "09:00−12:00",
    "09:00~12:00",
    "09:00～12:00",
    "09:00〜12:00",
    "０９：００－１２：００",
    "09：00-12：00",
    "09:00 to 12:00",
    "from 09:00 until 12:00",
    "09:00 → 12:00",
    "09:00:00-12:00:00",
    "9:00 AM - 12:00 PM",
    "9 am–12 pm",
    "9:00 a.m. to 12:00 p.m.",
    "9am-noon",
    "9:00-12:00 PM",
    "09.00-12.00",
    "9h00-12h00",
    "0900-1200",
    "**09:00-12:00**",
]


@pytest.mark.parametrize("spelling", MORNING_SPELLINGS)
def test_a_morning_at_the_museum_is_read_in_every_usual_spelling(spelling: str):
    assert read_slot(spelling) == TimeSlot(9 * 60, 12 * 60)


@pytest.mark.parametrize(
    "line",
    [
        "Fort Museum 09:00-12:00",
        "Fort Museum ０９：００－１２：００",
        "9:00 AM to 12:00 PM Fort Museum",
        "Fort Museum (9am–12pm)",
    ],
)
def test_a_line_that_names_a_span_of_time_is_recognized(line: str):
    assert looks_like_a_slot(line)


@pytest.mark.parametrize("line", ["Fort Museum opens at 09:00", "Rooms 9-12", "A trip of 3-4 days", "Bus 09-12"])
def test_a_line_without_a_span_of_time_is_not(line: str):
    assert not looks_like_a_slot(line)


@pytest.mark.parametrize(
    ("spelling", "minutes"),
    [
        ("1:00-3:00 PM", (13 * 60, 15 * 60)),
        ("11:00-1:00 PM", (11 * 60, 13 * 60)),
        ("10-11:30 AM", (10 * 60, 11 * 60 + 30)),
        ("9:00 PM - 1:00", (21 * 60, 25 * 60)),
        ("12:00 AM-1:00 AM", (0, 60)),
        ("12:30-1:30 PM", (12 * 60 + 30, 13 * 60 + 30)),
        ("10:00 PM - midnight", (22 * 60, 24 * 60)),
    ],
)
def test_a_twelve_hour_clock_is_read_as_the_shortest_slot_it_allows(spelling: str, minutes: tuple[int, int]):
    assert read_slot(spelling) == TimeSlot(*minutes)


@pytest.mark.parametrize(
    "spelling",
    ["22:40-06:55", "22:40-06:55 (+1)", "22:40–06:55 +1", "22:40-06:55 (+1 day)", "22:40 - 06:55 (next day)",
     "22:40 to next day 06:55", "10:40 PM - 6:55 AM"],
)  # fmt: skip
def test_a_sleeper_arrives_the_next_morning(spelling: str):
    assert read_slot(spelling) == TimeSlot(22 * 60 + 40, 24 * 60 + 6 * 60 + 55)


@pytest.mark.parametrize("spelling", ["18:00-24:00", "18:00-00:00", "18:00–0:00", "6 PM - 12 AM"])
def test_midnight_as_an_end_is_the_end_of_the_day(spelling: str):
    assert read_slot(spelling) == TimeSlot(18 * 60, 24 * 60)


def test_a_ride_that_starts_at_24_00_starts_when_the_day_ends():
    assert read_slot("24:00-00:30") == TimeSlot(24 * 60, 24 * 60 + 30)


def test_a_ride_that_starts_at_00_00_starts_when_the_day_begins():
    assert read_slot("00:00-00:30") == TimeSlot(0, 30)


def test_a_train_may_be_under_way_for_two_nights():
    assert read_slot("08:00-09:30 (+2)") == TimeSlot(8 * 60, 2 * 24 * 60 + 9 * 60 + 30)


@pytest.mark.parametrize(
    "spelling",
    ["noonish", "morning", "9-12", "25:00-26:00", "09:60-10:00", "24:30-25:00", "13:00 AM-2:00 PM", "09:00-", "-12:00",
     "09:00-12:00-15:00", "１:2-3:4", "TBD", "2026-07-14"],
)  # fmt: skip
def test_what_leaves_doubt_is_no_time(spelling: str):
    reading = read_slot(spelling)

    assert isinstance(reading, Fault)
    assert (reading.field, reading.text) == ("time slot", spelling)


def test_one_time_alone_is_told_apart_from_none():
    assert read_slot("09:00") == Fault("time slot", "09:00", "one time of day, not two")
    assert read_slot("noonish") == Fault("time slot", "noonish", "no time of day")


def test_no_time_at_all_is_missing():
    assert read_slot("  ") == Fault("time slot", "", "missing")


def test_a_slot_is_written_as_published():
    assert write_slot(TimeSlot(9 * 60, 12 * 60)) == "09:00-12:00"
    assert write_slot(TimeSlot(18 * 60, 24 * 60)) == "18:00-00:00"
    assert write_slot(TimeSlot(22 * 60 + 40, 30 * 60 + 55)) == "22:40-06:55"


@given(st.integers(0, 3000), st.integers(0, 8000))
def test_a_slot_that_is_written_is_read_back(start: int, length: int):
    slot = TimeSlot(start, start + length)

    assert read_slot(write_slot(slot)) == slot


@given(st.text(max_size=40))
def test_any_text_is_a_slot_or_a_fault(text: str):
    assert isinstance(read_slot(text), TimeSlot | Fault)


@given(st.text(alphabet="0123456789:：-–~ apmnoonext day(+)", max_size=30))
def test_any_slot_ends_no_earlier_than_it_starts(text: str):
    reading = read_slot(text)

    assert isinstance(reading, Fault) or 0 <= reading.start <= reading.end
