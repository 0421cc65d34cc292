"""Places, stations and fares are found as the published evaluator finds them: by exact names and aliases."""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from tripgauge.trip_plus.release.index import Coordinates, EntityIndex, ReleaseIndex, release_index
from tripgauge.trip_plus.sandbox.files import SandboxFiles, read_city_data, read_sample

LOCATIONS = "poi_name,latitude,longitude"
TRAINS = (
    "origin_city,destination_city,dep_date,dep_station_name,arr_station_name,dep_datetime,arr_datetime,train_no,"
    "seat_class,price,segment_index,route_index"
)
TABLES = {
    "locations": "locations/locations_coords.csv",
    "aliases": "locations/location_aliases.csv",
    "trains": "trains/trains.csv",
    "attractions": "attractions/attractions.csv",
    "matrix": "transportation/distance_matrix.csv",
}


def index_of(folder: Path, cities: Path | None = None, **tables: str) -> ReleaseIndex:
    """The index of a sandbox with these tables, each a head line and rows as text."""
    for name, text in tables.items():
        path = folder / TABLES[name]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return release_index(SandboxFiles(read_sample(folder), read_city_data(cities) if cities is not None else None))


def index_with(names: Mapping[str, str]) -> EntityIndex[str]:
    index: EntityIndex[str] = EntityIndex()
    for name, entry in names.items():
        index.put(name, entry)
    index.add_comma_aliases(names)
    return index


def test_a_place_is_found_with_other_blanks_brackets_and_room_notes() -> None:
    index = index_with({"Hotel Beta": "beta"})

    for spelling in ("Hotel Beta", " HotelBeta ", "[Hotel Beta]", "Hotel Beta (2 rooms)", "Hotel\u3000Beta"):
        assert index.find(spelling) == "beta"
    assert index.find("hotel beta") is None


def test_the_part_before_a_comma_names_a_place_if_it_is_long_and_its_own() -> None:
    index = index_with(
        {"Lakeside Inn, North Gate": "inn", "Inn, North": "short", "Old Bridge, A": "a", "Old Bridge, B": "b"}
    )

    assert index.find("Lakeside Inn") == "inn"
    assert index.find("Inn") is None
    assert index.find("Old Bridge") is None


def test_of_two_rows_for_a_place_the_one_with_fewer_decimals_counts(tmp_path: Path) -> None:
    rows = f"{LOCATIONS}\nPark,30.1234,120.12\nPark,30.5,120.5\nPark,31.6,121.6\n"

    assert index_of(tmp_path, locations=rows).coordinates("Park") == Coordinates("30.5", "120.5")


def test_aliases_are_followed_from_name_to_name(tmp_path: Path) -> None:
    index = index_of(
        tmp_path,
        locations=f"{LOCATIONS}\nGrand Park,30.1,120.1\n",
        aliases="alias,canonical_name\nGP,The Park\nThe Park,Grand Park\nLoop,Pool\nPool,Loop\n",
    )

    assert index.coordinates("GP") == index.coordinates("The Park") == Coordinates("30.1", "120.1")
    assert index.coordinates("Loop") is None


def test_a_point_may_be_written_instead_of_a_name(tmp_path: Path) -> None:
    index = index_of(tmp_path, locations=f"{LOCATIONS}\nOddity,north,east\n")

    assert index.coordinates("30.10, 120.20") == Coordinates("30.10", "120.20")
    assert index.coordinates("Oddity") is None


def test_metro_stations_take_over_the_names_of_sights(tmp_path: Path) -> None:
    sandbox, cities = tmp_path / "id_0001", tmp_path / "en"
    (cities / "beta" / "subway").mkdir(parents=True)
    (cities / "city_index.json").write_text(json.dumps({"beta": {"city_name": "Beta"}}), encoding="utf-8")
    stops = [
        {"name": "Lake Park", "latitude": "30.9", "longitude": "120.9"},
        {"name": "Lake Park", "latitude": "0", "longitude": "0"},
    ]
    subway = {"lines": [{"name": "Line 1", "stations": stops}]}
    (cities / "beta" / "subway" / "subway.json").write_text(json.dumps(subway), encoding="utf-8")
    sandbox.mkdir()
    signature = {"sample_id": "x", "sample_signature": {"org": "Alpha", "dest": ["Beta"]}}
    (sandbox / ".build_meta.json").write_text(json.dumps(signature), encoding="utf-8")
    locations = f"{LOCATIONS}\nLake Park,30.1,120.1\n"

    with_cities = index_of(sandbox, cities, locations=locations)
    without = index_of(sandbox, locations=locations)

    assert with_cities.coordinates("Lake Park") == Coordinates("30.9", "120.9")
    assert without.coordinates("Lake Park") == Coordinates("30.1", "120.1")


def test_ways_take_as_long_as_the_matrix_says_or_as_the_straight_line_suggests(tmp_path: Path) -> None:
    matrix = 'origin,destination,distance_meters,duration_minutes,cost\n"30.0,120.0","30.1,120.0",9000,17.5,20\n'
    index = index_of(tmp_path, matrix=matrix)
    here, there, near = Coordinates("30.0", "120.0"), Coordinates("30.1", "120.0"), Coordinates("30.01", "120.0")

    assert index.travel_minutes(here, there) == 17.5
    # A tenth of a degree of latitude is 11.12 km, a hundredth is 1.11 km.
    assert index.travel_minutes(there, here) == pytest.approx(11.12 / 30 * 60, abs=0.01)
    assert index.travel_minutes(here, near) == pytest.approx(1.112 / 5 * 60, abs=0.01)
    assert index.travel_minutes(here, here) == 1.0


def test_a_hub_lies_in_the_end_city_written_last(tmp_path: Path) -> None:
    index = index_of(
        tmp_path,
        trains=(
            f"{TRAINS}\n"
            "Alpha,Beta,2026-07-14,Alpha South,Hub,2026-07-14 08:00:00,2026-07-14 09:00:00,G1,2nd,100,1,1\n"
            "Alpha,Beta,2026-07-14,Hub,Beta East,2026-07-14 09:30:00,2026-07-14 11:00:00,G3,2nd,100,2,1\n"
        ),
    )

    assert index.city_of_station("Hub") == "Alpha"
    assert index.city_of_station("AlphaSouth") == "Alpha"
    assert index.city_of_station("Beta East") == "Beta"
    assert index.city_of_station("Alpha Hub") == "Alpha"
    assert index.city_of_station("Gamma") is None


def test_stations_also_go_by_city_and_kind_where_there_is_but_one(tmp_path: Path) -> None:
    index = index_of(
        tmp_path,
        trains=(
            f"{TRAINS}\n"
            "Alpha,Beta,d,South Station,Beta Station,2026-07-14 08:00:00,2026-07-14 09:00:00,G1,2nd,100,1,1\n"
        ),
        locations=f"{LOCATIONS}\nSouth Station,31.0,121.0\nOld Railway Halt,31.0,121.0\nKiosk,31.0,121.0\n",
        aliases="alias,canonical_name\nSTH,South Station\n",
    )

    for name in ("South Station", "Alpha South Station", "Alpha Station", "Alpha Railway Station"):
        assert index.city_of_station(name) == "Alpha"
    assert index.city_of_station("Old Railway Halt") == "Alpha"
    assert index.city_of_station("STH") == "Alpha"
    assert index.city_of_station("Kiosk") is None


def test_a_fare_may_be_the_price_of_a_row_or_a_total_of_its_route(tmp_path: Path) -> None:
    index = index_of(
        tmp_path,
        trains=(
            f"{TRAINS}\n"
            "Alpha,Beta,2026-07-14,A,H,2026-07-14 23:00:00,2026-07-15 01:00:00,G1,2nd,100.4,1,1\n"
            "Alpha,Beta,2026-07-14,H,B,2026-07-15 02:00:00,2026-07-15 03:00:00,G3,2nd,50.4,2,1\n"
            "Alpha,Beta,2026-07-15,A,H,2026-07-15 23:00:00,2026-07-16 01:00:00,G1,2nd,200,1,1\n"
        ),
    )

    first, other_day = index.tickets["G1"]
    assert (first.start, first.end, first.price) == (23 * 60, 25 * 60, 100)
    # 100.4 + 50.4 of the day, rounded; rounded prices of any day added: 100 + 50 and 200 + 50.
    assert first.route_fares == {151, 150, 250}
    assert other_day.route_fares == {200, 150, 250}


def test_opening_hours_and_closing_days_are_read_where_they_are_plain(tmp_path: Path) -> None:
    head = "attraction_name,opening_time,closing_time,closing_dates,min_visit_hours,max_visit_hours,ticket_price"
    index = index_of(
        tmp_path,
        attractions=(
            f"{head}\n"
            'Museum,09:00,17:00,"monday, Tuesday, public holidays",1.0,2.0,\n'
            "Square,Open 24 Hours,Open 24 Hours,,,,0.0\n"
        ),
    )

    museum, square = index.attractions.find("Museum"), index.attractions.find("Square")
    assert museum is not None
    assert square is not None
    assert museum.hours is not None
    assert (museum.hours.opening, museum.hours.closing, museum.closed_on) == (540, 1020, {1, 2})
    assert (museum.has_price, square.has_price, square.price) == (False, True, 0)
    assert square.hours is None
    assert square.min_visit_hours is None
