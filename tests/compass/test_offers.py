"""Package ids, the calendar, and what offers cost."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.compass.small import toy_park

from tripgauge.compass.offers import (
    Choice,
    FlightPackage,
    HotelPackage,
    PermitPackage,
    Stay,
    calendar_date,
    great_circle_km,
    is_weekend,
    parse_choice,
    rooms_needed,
    weekday,
)

NUMBERS = st.integers(1, 999_999_999)


@given(NUMBERS, NUMBERS, NUMBERS, NUMBERS)
def test_ids_round_trip(a: int, b: int, c: int, d: int):
    hotel, flight, permit = HotelPackage(a, Stay(b, c), d), FlightPackage(a, Stay(b, c)), PermitPackage(a, b, c)

    assert HotelPackage.parse(str(hotel)) == hotel
    assert FlightPackage.parse(str(flight)) == flight
    assert PermitPackage.parse(str(permit)) == permit
    assert parse_choice(str(hotel), str(flight), str(permit)) == Choice(hotel, flight, permit)


@pytest.mark.parametrize(
    "text",
    [
        "pkg_1_2_3",
        "pkg_1_2_3_4_5",
        "pkg_01_2_3_4",
        "pkg_1_2_3_0",
        "pkg_1_2_3_-4",
        "pkg_1_2_3_4 ",
        "pkg_1_2_3_4\n",
        "PKG_1_2_3_4",
        "pkg_1_2_3_٤",
        "pkg_1_2_3_" + "9" * 5000,
        "flight_1_2_3",
        "",
    ],
)
def test_what_is_no_hotel_package_id_is_not_read_as_one(text: str):
    assert HotelPackage.parse(text) is None


def test_one_wrong_id_spoils_a_choice():
    assert parse_choice("pkg_1_2_3_1", "flight_1_2") is None
    assert parse_choice("pkg_1_2_3_1", None, "permit_1_02_1") is None


def test_august_2025_begins_on_a_friday():
    assert weekday(1) == "Friday"
    assert weekday(9) == "Saturday"  # the full moon
    assert all(weekday(day) == calendar_date(day).strftime("%A") for day in range(1, 33))


def test_weekends_are_fridays_saturdays_and_sundays():
    weekend = [day for day in range(1, 32) if is_weekend(day)]

    assert len(weekend) == 15
    assert [day for day in weekend if weekday(day) == "Friday"] == [1, 8, 15, 22, 29]


def test_the_last_check_out_is_on_the_first_of_september():
    assert Stay(31, 32).is_in_calendar
    assert not Stay(31, 33).is_in_calendar
    assert not Stay(5, 5).is_in_calendar
    assert str(calendar_date(32)) == "2025-09-01"


def test_a_party_takes_as_many_rooms_as_it_needs():
    assert [rooms_needed(guests, 2) for guests in (1, 2, 3, 4, 5)] == [1, 1, 2, 2, 3]


def test_a_stay_costs_all_rooms_on_all_nights():
    offer = toy_park().hotel_offer(HotelPackage(3, Stay(5, 8), 2))

    assert offer
    assert offer.price_cents == 2 * (15000 + 30000 + 15000)
    assert offer.dearest_night_cents == 30000
    assert offer.rooms_free == 0  # sold out on the 5th


def test_what_is_not_in_the_catalogue_has_no_offer():
    catalogue = toy_park()

    assert catalogue.hotel_offer(HotelPackage(4, Stay(1, 2), 1)) is None
    assert catalogue.hotel_offer(HotelPackage(1, Stay(1, 33), 1)) is None
    assert catalogue.flight_offer(FlightPackage(3, Stay(1, 2))) is None
    assert catalogue.flight_offer(FlightPackage(1, Stay(31, 32))) is None
    assert catalogue.flight_offer(FlightPackage(1, Stay(4, 4))) is None
    assert catalogue.permit_offer(PermitPackage(1, 1, 2)) is None
    assert catalogue.permit_offer(PermitPackage(1, 32, 1)) is None
    assert catalogue.permit_offer(PermitPackage(2, 1, 1)) is None


def test_distances_are_great_circles():
    # Denver to Salt Lake City by airport coordinates, as published by great-circle calculators: about 628 km.
    assert great_circle_km(39.8617, -104.6732, 40.7884, -111.9778) == pytest.approx(628, abs=2)
    assert great_circle_km(10, 20, 10, 20) == 0
    assert great_circle_km(0, 0, 0, 180) == pytest.approx(20015, abs=1)
