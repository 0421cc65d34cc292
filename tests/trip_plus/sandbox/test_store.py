"""Questions to the sandbox: places, stations, journeys, ways, hours."""

from datetime import date, datetime
from decimal import Decimal
from pathlib import Path

import pytest

from tripgauge.toy.town import data_folder
from tripgauge.trip_plus.sandbox.files import SandboxFiles, read_sample
from tripgauge.trip_plus.sandbox.records import Hours, hours, weekdays
from tripgauge.trip_plus.sandbox.store import Sandbox

TOWN = Sandbox.of(SandboxFiles(read_sample(data_folder() / "briskhaven")))
DAY = date(2026, 7, 14)


def test_a_hotel_of_one_name_in_two_cities_is_told_apart_by_the_city():
    assert TOWN.hotel("Quay Inn", "Briskhaven").price == 300
    assert TOWN.hotel("quay inn", "Aldmoor City").price == 340
    assert TOWN.hotel("Quay Inn", "Paris") is None


def test_the_city_of_a_station_is_where_routes_start_and_end_and_none_where_they_change():
    assert TOWN.city_of_station("Aldmoor Station") == "Aldmoor"
    assert TOWN.city_of_station("Briskhaven Railway Station") == "Briskhaven"
    assert TOWN.city_of_station("BRK") == "Briskhaven"
    assert TOWN.city_of_station("Crossley Junction") is None
    assert TOWN.station("Crossley Junction").name == "Crossley Junction"
    assert TOWN.station("Nowhere") is None


def test_a_connection_is_one_journey_at_one_fare_and_its_legs_know_it():
    (journey,) = TOWN.journeys_with("K22", DAY)

    assert [leg.number for leg in journey.legs] == ["K21", "K22"]
    assert (journey.fare, journey.is_direct) == (Decimal(400), False)
    assert TOWN.journeys_with("k21", DAY) == (journey,)
    assert TOWN.journeys_with("K22", date(2026, 7, 20)) == ()


def test_a_night_train_departs_on_its_day():
    (sleeper,) = TOWN.services_on("Z9", DAY)

    assert (sleeper.arrival, sleeper.seat_class, sleeper.price) == (datetime(2026, 7, 15, 6, 55), "Hard Sleeper", 180)
    assert len({service.date for service in TOWN.services("Z9")}) == 7


def test_a_cabin_variant_with_segment_two_is_a_direct_flight():
    offers = TOWN.journeys("flight", "Aldmoor", "Briskhaven", DAY)

    assert [
        (offer.legs[0].seat_class, offer.fare, offer.is_direct) for offer in offers if offer.departure.hour == 10
    ] == [
        ("Economy", 520, True),
        ("Business Class", 1200, True),
    ]


def test_a_way_is_as_long_as_the_matrix_says_and_estimated_where_it_does_not():
    museum, annie, grill = (TOWN.place(name) for name in ("Fort Museum", "Annie's Kitchen", "Midnight Grill"))

    assert TOWN.travel_minutes(museum, annie) == 10
    assert TOWN.ride(museum, annie).is_walk
    estimate = TOWN.ride(museum, grill)
    assert not estimate.measured
    assert estimate.minutes == round(estimate.distance_meters / 1000 / 30 * 60)
    assert TOWN.travel_minutes(museum, museum) == 0
    assert TOWN.travel_minutes(museum, TOWN.station("Aldmoor Station")) is None


def test_places_are_found_by_alias_but_a_city_is_no_place():
    assert TOWN.same_place("BRS", "Briskhaven Railway Station")
    assert not TOWN.same_place("Fort Museum", "Fort Gate")
    assert TOWN.place_in("Fort Museum", "Aldmoor") is None


TRAINS = (
    "origin_city,destination_city,dep_date,dep_station_code,dep_station_name,arr_station_code,arr_station_name,"
    "dep_datetime,arr_datetime,train_no,seat_class,price,segment_index,route_index\n"
)


def sandbox_with(folder: Path, rows: str) -> Sandbox:
    (folder / "trains").mkdir()
    (folder / "trains" / "trains.csv").write_text(TRAINS + rows, encoding="utf-8")
    return Sandbox.of(SandboxFiles(read_sample(folder)))


def test_unequal_prices_of_legs_are_added(tmp_path):
    sandbox = sandbox_with(
        tmp_path,
        "A,B,2026-07-14,AA,A East,HH,Hub,2026-07-14 08:00:00,2026-07-14 09:00:00,G1,Seat,1820,1,5\n"
        "A,B,2026-07-14,HH,Hub,BB,B West,2026-07-14 10:00:00,2026-07-14 11:00:00,G2,Seat,1575,2,5\n",
    )

    (journey,) = sandbox.all_journeys

    assert journey.fare == 3395
    assert [sandbox.city_of_station(name) for name in ("A East", "Hub", "B West")] == ["A", None, "B"]


def test_a_leg_to_a_hub_is_no_journey_by_itself(tmp_path):
    sandbox = sandbox_with(
        tmp_path,
        "A,B,2026-07-14,AA,A East,HH,Hub,2026-07-14 08:00:00,2026-07-14 09:00:00,G1,Seat,90,1,5\n"
        "A,B,2026-07-16,HH,Hub,BB,B West,2026-07-16 10:00:00,2026-07-16 11:00:00,G2,Seat,90,2,5\n",
    )

    assert sandbox.all_journeys == ()
    assert len(sandbox.all_services) == 2


@pytest.mark.parametrize(
    ("opening", "closing", "expected"),
    [
        ("09:00", "17:00", Hours(540, 1020)),
        ("9:00", "24:00", Hours(540, 1440)),
        ("18:00", "02:00", Hours(1080, 1560)),
        ("00:00", "24:00", Hours(0, 1440)),
        ("00:00", "00:00", Hours(0, 1440)),
        ("11:00", "10:00", Hours(660, 2040)),
        ("Open 24 Hours", "Open 24 Hours", Hours(0, 1440)),
        ("", "17:00", None),
        ("25:00", "26:00", None),
        ("noon", "late", None),
    ],
)
def test_opening_hours_as_cells_tell_them(opening, closing, expected):
    assert hours(opening, closing) == expected


@pytest.mark.parametrize(
    ("start", "end", "is_open"),
    [
        ("2026-07-14 18:00", "2026-07-14 20:00", True),
        ("2026-07-14 17:59", "2026-07-14 20:00", False),
        ("2026-07-15 00:30", "2026-07-15 02:00", True),
        ("2026-07-15 00:30", "2026-07-15 02:01", False),
        ("2026-07-14 00:30", "2026-07-14 01:00", False),  # Monday's night, and it is closed on Mondays
        ("2026-07-13 19:00", "2026-07-13 20:00", False),
        ("2026-07-15 02:00", "2026-07-15 02:00", True),
        ("2026-07-14 19:00", "2026-07-15 19:00", False),
    ],
)
def test_a_place_that_closes_after_midnight_and_on_mondays(start, end, is_open):
    lantern_row = hours("18:00", "02:00", {1})

    assert lantern_row.is_open(datetime.fromisoformat(start), datetime.fromisoformat(end)) is is_open


def test_a_place_that_never_closes_is_open_past_midnight():
    assert hours("00:00", "24:00").is_open(datetime(2026, 7, 13, 22), datetime(2026, 7, 15, 3))


def test_weekdays_in_words():
    assert weekdays("Monday, tuesdays; SUNDAY") == {1, 2, 7}
    assert weekdays("") == frozenset()
