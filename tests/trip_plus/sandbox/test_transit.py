"""Metro routes and fares, against the published tariffs and against trying every way."""

from collections.abc import Iterator
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tripgauge.trip_plus.sandbox.files import SubwayLine, SubwayStop
from tripgauge.trip_plus.sandbox.records import Coordinates, distance_km
from tripgauge.trip_plus.sandbox.transit import (
    MetroMap,
    RoadRide,
    metro_fare,
    metro_ride,
    metro_rule,
    minutes_for,
    recommended_mode,
    taxi_fare,
    taxi_rule,
)


@pytest.mark.parametrize(
    ("city", "meters", "yuan"),
    [
        ("Shenzhen", 1200, 0),
        ("Shenzhen", 2000, 10),
        ("Shenzhen", 20385, 57.8),  # 10 + 18.385 * 2.6 = 57.801
        ("Beijing", 5000, 17.6),  # 13 + 2 * 2.3
        ("Hefei", 4500, 13.6),  # 10 + 2 * 1.8
        ("Elsewhere", 8000, 21),  # 10 + 5 * 2.2
        ("shenzhen", 8000, 21),  # another spelling has the default tariff
        ("Hong Kong", 2000, 26.1),  # 29 * 0.9
        ("Hong Kong", 2201, 29.9),  # two steps begun: (29 + 2 * 2.1) * 0.9 = 29.88
        ("Hong Kong", 9400, 94.8),  # 37 steps: (29 + 35 * 2.1 + 2 * 1.4) * 0.9 = 94.77
    ],
)
def test_taxi_fares(city, meters, yuan):
    assert taxi_fare(city, meters) == yuan


@pytest.mark.parametrize(
    ("city", "kilometers", "yuan"),
    [
        ("Beijing", 6, 3),
        ("Beijing", 6.01, 4),
        ("Beijing", 32.1, 7),
        ("Beijing", 52.1, 8),
        ("Shanghai", 46, 7),
        ("Shanghai", 70, 9),
        ("Shenzhen", 24, 4),
        ("Guangzhou", 32.1, 6),
        ("Sanya", 50, 2),
        ("Elsewhere", 61, 10),
        ("Elsewhere", 61.5, 11),
        ("Hong Kong", 5, 4.5),
        ("Hong Kong", 36, 17.1),  # two steps begun above 30 km: (15 + 4) * 0.9
    ],
)
def test_metro_fares(city, kilometers, yuan):
    assert metro_fare(city, kilometers, ["Line 1"]) == yuan


def test_the_airport_express_has_a_fare_of_its_own():
    assert metro_fare("Hong Kong", 5, ["Airport Express"]) == 31.5


def test_tariffs_in_words():
    assert taxi_rule("Changchun").endswith("base fare 8 CNY covers the first 2.5 km, then 1.9 CNY/km.")
    assert metro_rule("Sanya") == "Sanya metro fare estimate: CNY 2."
    assert metro_rule("Shanghai").endswith("CNY 7 for 36-46 km, then +CNY 1 per additional 20 km.")


def line(name: str, *stops: str) -> SubwayLine:
    """A line; stops are letters on a grid, "C2" being east 2 and north 3."""
    return SubwayLine(name, tuple(SubwayStop(stop, *position(stop)) for stop in stops))


def position(stop: str) -> tuple[str, str]:
    return f"{30 + (ord(stop[0]) - 64) / 100:.6f}", f"{121 + int(stop[1:]) / 100:.6f}"


def test_fewest_changes_come_before_fewest_hops():
    metro = MetroMap([line("Long", "A1", "B1", "C1", "D1", "E1"), line("X", "A1", "A2"), line("Y", "A2", "E1")])

    path = metro.path("A1", "E1")

    assert path is not None
    assert (path.stations, path.changes) == (("A1", "B1", "C1", "D1", "E1"), 0)
    assert path.rides == ("Long",)


def test_a_way_there_is_not():
    metro = MetroMap([line("North", "A1", "B1"), line("South", "F1", "G1")])

    assert metro.path("A1", "G1") is None
    assert metro_ride(metro, "X", Coordinates(30.01, 121.01), Coordinates(30.07, 121.01)) == "no_path"
    assert metro_ride(metro, "X", Coordinates(30.01, 121.01), Coordinates(30.01, 121.011)) == "same_station"
    assert metro_ride(None, "X", Coordinates(30.01, 121.01), Coordinates(30.02, 121.01)) == "no_subway_data"


def every_way(lines: list[SubwayLine], start: str, end: str) -> Iterator[tuple[int, int]]:
    """Changes and hops of every way that calls at no station twice on one line."""
    hops: list[tuple[str, str, str]] = []
    for metro_line in lines:
        names = [stop.name for stop in metro_line.stops]
        pairs = [(a, b) for a, b in pairwise(names) if a != b]
        hops += [(a, b, metro_line.name) for a, b in pairs] + [(b, a, metro_line.name) for a, b in pairs]
    ways = [(start, "", 0, 0, frozenset({(start, "")}))]
    while ways:
        station, by, changes, length, seen = ways.pop()
        if station == end:
            yield changes, length
            continue
        for a, b, name in hops:
            if a == station and (b, name) not in seen:
                ways.append((b, name, changes + (by not in ("", name)), length + 1, seen | {(b, name)}))


stations = st.sampled_from(["A1", "B1", "C1", "A2", "B2"])
networks = st.lists(st.lists(stations, min_size=2, max_size=4), min_size=1, max_size=3)


@given(networks, stations, stations)
def test_no_way_is_better_than_the_one_found(stops, start, end):
    lines = [line(f"Line {number}", *names) for number, names in enumerate(stops)]

    path = MetroMap(lines).path(start, end)

    best = min(every_way(lines, start, end), default=None)
    assert (None if path is None else (path.changes, len(path.lines))) == best


@given(networks, st.floats(30, 30.06), st.floats(121, 121.06))
def test_no_station_is_nearer_than_the_nearest(stops, latitude, longitude):
    metro = MetroMap([line(f"Line {number}", *names) for number, names in enumerate(stops)])
    point = Coordinates(latitude, longitude)

    nearest = metro.nearest(point)

    assert nearest is not None
    best = min(distance_km(point, station.coordinates) for station in metro.stations)
    assert distance_km(point, nearest.coordinates) == best


def test_what_is_recommended():
    road = RoadRide(is_walk=False, meters=5000, minutes=10, cost=18)
    metro = metro_ride(
        MetroMap([line("1", "A1", "F1")]), "Elsewhere", Coordinates(30.01, 121.01), Coordinates(30.06, 121.01)
    )
    assert not isinstance(metro, str)
    assert (metro.minutes, metro.fare, metro.walk_meters) == (11, 3, 0)  # 5.56 km at 30 km/h

    assert recommended_mode(2200, "balanced", road, metro) == "walking"
    assert recommended_mode(2200, "min_walking", road, metro) == "subway"
    assert recommended_mode(3000, "budget_first", road, metro) == "walking"
    assert recommended_mode(5560, "budget_first", road, metro) == "subway"
    assert recommended_mode(5560, "time_first", road, metro) == "taxi"
    assert recommended_mode(5560, "balanced", road, metro) == "subway"
    assert recommended_mode(5560, "balanced", road, "no_subway_data") == "taxi"
    assert recommended_mode(5560, "balanced", road, "same_station") == "walking"


def test_a_way_takes_a_minute_at_least_unless_there_is_none():
    assert (minutes_for(0, 5), minutes_for(1, 5), minutes_for(1000, 5)) == (0, 1, 12)
