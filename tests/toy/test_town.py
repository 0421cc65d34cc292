"""The toy town is what its page says, and its tables do not contradict each other."""

import json
import math
from datetime import date, datetime

import pytest

from tripgauge.toy import town
from tripgauge.trip_plus.sandbox.files import Row, SampleFiles, SandboxLibrary, read_sample

QUARTERS = {
    "Old Town": ("Fort Museum", "Mint Gallery", "Annie's Kitchen", "Beacon Hotel"),
    "Harbor": (
        "Quay Inn",
        "Pier Market",
        "Lantern Row",
        "Tide Aquarium",
        "Barrel House",
        "Pepper Yard",
        "Midnight Grill",
        "Ferry Noodles",
    ),
    "Garden Hill": ("Fern Garden", "Signal Hill", "Fern Teahouse", "Ropewalk Hostel"),
    "Station": ("Briskhaven Station",),
    "Airport": ("Briskhaven Airport",),
}
RIDES = {  # meters, minutes, yuan per vehicle
    ("Old Town", "Harbor"): (3000, 10, 10),
    ("Old Town", "Garden Hill"): (3000, 10, 10),
    ("Harbor", "Garden Hill"): (8000, 20, 21),
    ("Old Town", "Station"): (8000, 20, 21),
    ("Harbor", "Station"): (8000, 20, 21),
    ("Garden Hill", "Station"): (8000, 20, 21),
    ("Old Town", "Airport"): (18000, 40, 43),
    ("Harbor", "Airport"): (18000, 40, 43),
    ("Garden Hill", "Airport"): (18000, 40, 43),
    ("Station", "Airport"): (23000, 50, 54),
}


@pytest.fixture(scope="module")
def sandbox() -> SampleFiles:
    return read_sample(town.data_folder() / "briskhaven")


def quarter_of(place: str) -> str:
    return next(quarter for quarter, places in QUARTERS.items() if place in places)


def ride(origin: str, destination: str) -> tuple[int, int, int]:
    """What the page says of the way between two places."""
    start, end = quarter_of(origin), quarter_of(destination)
    if start == end:
        return 800, 10, 0
    return RIDES.get((start, end)) or RIDES[end, start]


def unmeasured(origin: str, destination: str) -> bool:
    """The pairs of places the page names as absent from the matrix."""
    pair = {origin, destination}
    return (
        ("Midnight Grill" in pair and "Lantern Row" not in pair)
        or pair == {"Signal Hill", "Briskhaven Airport"}
        or (origin, destination) == ("Briskhaven Station", "Signal Hill")
    )


def coordinates(sandbox: SampleFiles) -> dict[str, tuple[str, str]]:
    return {row["poi_name"]: (row["latitude"], row["longitude"]) for row in sandbox.locations}


def straight_meters(one: tuple[str, str], other: tuple[str, str]) -> float:
    (lat1, lon1), (lat2, lon2) = (tuple(map(math.radians, map(float, place))) for place in (one, other))
    half = math.sin((lat2 - lat1) / 2) ** 2 + math.cos(lat1) * math.cos(lat2) * math.sin((lon2 - lon1) / 2) ** 2
    return 2 * 6_371_000 * math.asin(math.sqrt(half))


def services(sandbox: SampleFiles) -> list[tuple[str, Row]]:
    return [(row["train_no"], row) for row in sandbox.trains] + [(row["flight_no"], row) for row in sandbox.flights]


def test_every_task_finds_the_one_sandbox_folder():
    library = SandboxLibrary(town.data_folder())

    folders = {
        library.folder(record["id"], record["base_query_id"])
        for record in json.loads(town.queries_file().read_text(encoding="utf-8"))
    }

    assert folders == {town.data_folder() / "briskhaven"}


def test_every_way_through_town_takes_what_the_page_says(sandbox):
    places = coordinates(sandbox)
    measured = {
        (origin, destination): sandbox.distance_matrix.get((",".join(places[origin]), ",".join(places[destination])))
        for origin in sum(QUARTERS.values(), ())
        for destination in sum(QUARTERS.values(), ())
        if origin != destination
    }

    for (origin, destination), entry in measured.items():
        if unmeasured(origin, destination):
            assert entry is None, (origin, destination)
        else:
            assert entry is not None, (origin, destination)
            way = (int(entry.distance_meters), int(entry.duration_minutes), int(entry.cost))
            assert way == ride(origin, destination), (origin, destination)
    assert sum(entry is not None for entry in measured.values()) == len(sandbox.distance_matrix)


def test_no_road_is_shorter_than_the_straight_line(sandbox):
    places = coordinates(sandbox)

    for origin in sum(QUARTERS.values(), ()):
        for destination in sum(QUARTERS.values(), ()):
            if origin != destination:
                assert straight_meters(places[origin], places[destination]) <= ride(origin, destination)[0]


def test_hotels_sights_and_restaurants_stand_where_the_location_index_has_them(sandbox):
    places = coordinates(sandbox)

    for row in sandbox.attractions:
        assert places[row["attraction_name"]] == (row["latitude"], row["longitude"])
    for row in sandbox.hotels:
        if row["city"] == "Briskhaven":
            assert places[row["name"]] == (row["latitude"], row["longitude"])
    for row in sandbox.restaurants:
        assert row["restaurant_name"] in places


def test_every_restaurant_is_near_a_sight_of_its_quarter(sandbox):
    for row in sandbox.restaurants:
        assert quarter_of(row["nearby_attraction_name"]) == quarter_of(row["restaurant_name"])


def test_two_cities_have_a_quay_inn_and_a_look_up_by_name_alone_ends_in_briskhaven(sandbox):
    inns = [row for row in sandbox.hotels if row["name"] == "Quay Inn"]

    assert [(row["city"], row["price"]) for row in inns] == [("Aldmoor", "340"), ("Briskhaven", "300")]


def test_services_leave_before_they_arrive_and_last_as_long_as_they_say(sandbox):
    for number, row in services(sandbox):
        leaves, arrives = datetime.fromisoformat(row["dep_datetime"]), datetime.fromisoformat(row["arr_datetime"])
        assert (arrives - leaves).total_seconds() / 60 == int(row["duration"]) > 0, number
        assert row["dep_date"] == leaves.date().isoformat(), number
        assert {row["origin_city"], row["destination_city"]} == {"Aldmoor", "Briskhaven"}, number
        assert row["dep_station_code"] != row["arr_station_code"], number
        assert float(row["price"]) > 0, number


def test_flight_cx1_runs_on_two_days_only(sandbox):
    rows = [row for number, row in services(sandbox) if number == "CX1"]

    assert [(row["dep_datetime"], row["price"]) for row in rows] == [
        ("2025-11-15 08:00:00", "500"),
        ("2026-05-02 08:00:00", "500"),
    ]


def test_flight_cx3_costs_more_in_july_than_in_may(sandbox):
    fares = {row["dep_date"]: row["price"] for number, row in services(sandbox) if number == "CX3"}

    assert fares == {"2026-05-02": "500", "2026-07-14": "900"}


def test_the_sleeper_arrives_the_next_morning(sandbox):
    nights = {(row["dep_datetime"], row["arr_datetime"]) for number, row in services(sandbox) if number == "Z9"}

    assert ("2026-07-14 22:40:00", "2026-07-15 06:55:00") in nights


def test_the_connection_is_one_route_and_both_legs_carry_its_fare(sandbox):
    legs = [row for number, row in services(sandbox) if number in ("K21", "K22") and row["dep_date"] == "2026-07-14"]

    assert [(row["train_no"], row["segment_index"], row["price"]) for row in legs] == [
        ("K21", "1", "400"),
        ("K22", "2", "400"),
    ]
    assert len({row["route_index"] for row in legs}) == 1
    assert legs[0]["arr_station_name"] == legs[1]["dep_station_name"] == "Crossley Junction"


@pytest.mark.parametrize("day", range(12, 19))
def test_trains_and_flights_run_both_ways_on_every_day_of_the_week(sandbox, day):
    of_the_day = {
        (row["origin_city"], number) for number, row in services(sandbox) if row["dep_date"] == f"2026-07-{day}"
    }

    assert {("Aldmoor", "T10"), ("Briskhaven", "T20"), ("Aldmoor", "CX2"), ("Briskhaven", "CX4")} <= of_the_day


def test_the_weather_is_known_on_every_trip_day(sandbox):
    known = {row["date"] for row in sandbox.weather}

    assert {date(2026, 7, day).isoformat() for day in range(12, 19)} <= known


def test_aliases_name_places_that_exist(sandbox):
    places = coordinates(sandbox)

    for row in sandbox.aliases:
        assert row["canonical_name"] in places
        assert row["alias"] not in places


def test_two_metro_lines_meet_at_fort_gate(sandbox):
    lines = {line.name: [stop.name for stop in line.stops] for line in sandbox.subway}

    assert lines == {
        "Line 1": ["Station Square", "Fort Gate", "Quayside"],
        "Line 2": ["Fern Gate", "Fort Gate", "Airport Terminal"],
    }
