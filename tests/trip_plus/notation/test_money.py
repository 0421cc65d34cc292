"""Amounts, distances and lengths of time as plans write them."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tripgauge.trip_plus.itinerary import Fault
from tripgauge.trip_plus.notation.measures import number_of, read_distance_km, read_minutes, write_number
from tripgauge.trip_plus.notation.money import Per, amount_of, looks_like_a_price, read_amount, write_amount


@pytest.mark.parametrize(
    "text",
    ["¥40/person", "￥40/person", "¥40", "¥ 40", "40", "40.0", "40.00", "+40", "RMB 40", "40 RMB", "CNY 40", "40 CNY",
     "40 yuan", "40元", "４０元", "¥40 per person", "¥40/pp", "¥40 each", "40 yuan/head", "price: ¥40", "ticket ¥40",
     "**¥40/person**", "¥40/person (students half price)"],
)  # fmt: skip
def test_a_ticket_of_forty_yuan_is_read_in_every_usual_spelling(text: str):
    assert read_amount(text, Per.PERSON) == Decimal(40)
    assert looks_like_a_price(text.strip("*"))


@pytest.mark.parametrize("text", ["1,200.50", "¥1,200.50", "1200.5 RMB", "¥1 200.50", "CNY 1,200.5"])
def test_thousands_may_be_separated(text: str):
    assert read_amount(text, Per.PERSON) == Decimal("1200.5")


@pytest.mark.parametrize("text", ["free", "Free entry", "free of charge", "no charge", "No ticket required", "¥0", "0"])
def test_free_costs_nothing(text: str):
    assert read_amount(text, Per.PERSON) == 0


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("-5", "negative"),
        ("¥-5/person", "negative"),
        ("-¥5", "negative"),
        ("−5 RMB", "negative"),
        ("NaN", "not a number"),
        ("¥nan", "not a number"),
        ("Infinity", "not a number"),
        ("-inf", "not a number"),
        ("true", "true or false, not an amount"),
        ("False", "true or false, not an amount"),
        ("about 50", "an estimate, not one amount"),
        ("~¥50", "an estimate, not one amount"),
        ("≈50 RMB", "an estimate, not one amount"),
        ("50+", "an estimate, not one amount"),
        ("up to ¥50", "an estimate, not one amount"),
        ("¥50-60", "a range, not one amount"),
        ("¥50–¥60/person", "a range, not one amount"),
        ("50 to 60 yuan", "a range, not one amount"),
        ("1,20", "not an amount"),
        ("1.200,50", "not an amount"),
        ("1e3", "not an amount"),
        ("$40", "not an amount"),
        ("unknown", "not an amount"),
        ("¥TBD", "not an amount"),
        ("¥160 total", "not per person"),
        ("¥160/group", "not per person"),
        ("¥160 (total for 2)", "not per person"),
        ("¥300/room/night", "not per person"),
        ("¥17/taxi", "not per person"),
        ("", "missing"),
    ],
)
def test_what_is_not_one_price_per_head_is_a_fault(text: str, reason: str):
    assert read_amount(text, Per.PERSON) == Fault("price", text, reason)


def test_each_price_has_the_unit_of_its_place():
    assert read_amount("¥300/room/night", Per.ROOM_NIGHT) == 300
    assert read_amount("¥300 per night", Per.ROOM_NIGHT) == 300
    assert read_amount("¥17/vehicle", Per.VEHICLE) == 17
    assert read_amount("¥17 per ride", Per.VEHICLE) == 17
    assert read_amount("¥4/person", Per.RIDER) == 4
    assert read_amount("6,357 RMB total", Per.PARTY) == 6357

    assert isinstance(read_amount("¥300/person", Per.ROOM_NIGHT), Fault)
    assert isinstance(read_amount("¥900 total for 3 nights", Per.ROOM_NIGHT), Fault)
    assert isinstance(read_amount("¥17/person", Per.VEHICLE), Fault)
    assert isinstance(read_amount("¥4/vehicle", Per.RIDER), Fault)


@pytest.mark.parametrize("value", [25, 25.0, "25", "25.0", "25.00", "¥25", "+25", " 25 RMB "])
def test_r15_twenty_five_is_one_number_however_it_is_written(value: object):
    amount = amount_of(value, Per.PERSON)

    assert amount == Decimal(25)
    assert str(amount) == "25"


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        (True, "true or false, not an amount"),
        (False, "true or false, not an amount"),
        (None, "missing"),
        (float("nan"), "not a number"),
        (float("inf"), "not a number"),
        (float("-inf"), "not a number"),
        (-5, "negative"),
        (-0.5, "negative"),
        (10**400, "beyond any price"),
        (1e300, "beyond any price"),
        ([25], "not an amount"),
        ({"value": 25}, "not an amount"),
        ("about 25", "an estimate, not one amount"),
    ],
)
def test_json_values_that_are_no_amounts_are_faults(value: object, reason: str):
    reading = amount_of(value, Per.PERSON)

    assert isinstance(reading, Fault)
    assert reading.reason == reason


def test_a_hundred_is_shown_in_digits():
    assert str(amount_of(100.0, Per.PERSON)) == "100"
    assert str(read_amount("1,000", Per.PERSON)) == "1000"
    assert amount_of(0.1, Per.PERSON) == Decimal("0.1")


@pytest.mark.parametrize(
    "name",
    ["Fort Museum", "1949 Quanyaji", "798 Art Zone", "24 Qi", "Free Trade Tower", "Economy", "taxi", "Nan Hotel",
     "True Coffee", "About Time Café", "Yuan · Cultural Dynasty Hotel"],
)  # fmt: skip
def test_names_are_not_taken_for_prices(name: str):
    assert not looks_like_a_price(name)


@given(st.decimals(min_value=0, max_value=999_999_999, places=2))
def test_an_amount_that_is_written_is_read_back(amount: Decimal):
    assert read_amount(f"¥{write_amount(amount)}/person", Per.PERSON) == amount


@given(st.one_of(st.text(max_size=60), st.text(alphabet="¥￥0123456789,.-+~ /pernightRMBfree()", max_size=40)))
def test_any_text_is_an_amount_or_a_fault(text: str):
    reading = read_amount(text, Per.PERSON)

    assert isinstance(reading, Fault) or reading >= 0
    looks_like_a_price(text)


@pytest.mark.parametrize(
    ("text", "km"),
    [("4.8km", 4.8), ("4.8 km", 4.8), ("800m", 0.8), ("800 meters", 0.8), ("1,200 metres", 1.2), ("~3 kilometers", 3.0),
     ("３ｋｍ", 3.0), ("0m", 0.0)],
)  # fmt: skip
def test_distances_are_read_in_kilometers_and_meters(text: str, km: float):
    assert read_distance_km(text) == pytest.approx(km)


@pytest.mark.parametrize("text", ["3 miles", "4.8", "-3km", "nan km", "far", "10 li"])
def test_a_distance_in_another_unit_or_none_is_a_fault(text: str):
    assert isinstance(read_distance_km(text), Fault)


@pytest.mark.parametrize(
    ("text", "minutes"),
    [("70 min", 70), ("70min", 70), ("70 minutes", 70), ("1h 10min", 70), ("1h10", 70), ("1 hour 10 minutes", 70),
     ("1 hr and 10 mins", 70), ("1:10 h", 70), ("1.5 hours", 90), ("2h", 120), ("about 20 min", 20)],
)  # fmt: skip
def test_lengths_of_time_are_read_in_minutes(text: str, minutes: float):
    assert read_minutes(text) == minutes


@pytest.mark.parametrize("text", ["70", "1:10", "a while", "-5 min", "inf min", "3 days"])
def test_a_length_of_time_without_its_unit_is_a_fault(text: str):
    assert isinstance(read_minutes(text), Fault)


def test_json_numbers_with_a_unit_in_their_name_must_be_lengths():
    assert number_of(4, "distance") == 4.0
    assert number_of(4.5, "distance") == 4.5
    for value in (True, "4", None, -1, float("nan"), float("inf"), 10**400):
        assert isinstance(number_of(value, "distance"), Fault)


@given(st.text(max_size=40))
def test_any_text_is_a_measure_or_a_fault(text: str):
    assert isinstance(read_distance_km(text), float | Fault)
    assert isinstance(read_minutes(text), float | Fault)


@given(st.integers(0, 10**7).map(lambda tenths: tenths / 10))
def test_a_distance_that_is_written_is_read_back(km: float):
    assert read_distance_km(f"{write_number(km)}km") == km
