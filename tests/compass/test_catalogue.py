"""The generated catalogue has the counts and shapes of docs/compass-data.md, and is the same everywhere."""

import sqlite3
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tests.compass.small import toy_park

from tripgauge.compass.catalogue import NULL, Catalogue, DayTable, field_types
from tripgauge.compass.catalogue_facts import counts, faults, shape
from tripgauge.compass.database import connect, in_memory, read_about, read_catalogue, write_database
from tripgauge.compass.defaults import CATALOGUE_DIGEST
from tripgauge.compass.draws import Draws
from tripgauge.compass.generation.catalogue import generate_catalogue
from tripgauge.compass.generation.facts import facts
from tripgauge.compass.generation.markets import FLIGHT_FLAGS, HOTEL_FLAGS, ROOM_FLAGS, UTC_OFFSET_HOURS
from tripgauge.compass.offers import Flight, Hotel, Room, is_weekend
from tripgauge.errors import UsageError

# -- Counts


def test_the_catalogue_has_the_published_size(catalogue: Catalogue):
    held = counts(catalogue)

    assert held.parks == 20
    assert held.airports == 21
    assert held.origins == 10
    assert held.airlines == 4
    assert held.hotels == 377
    assert held.hotel_offers >= 100_000
    assert held.flight_offers >= 67_000
    assert held.permits == 50


def test_every_park_has_at_most_twenty_hotels_and_two_have_fewer(catalogue: Catalogue):
    hotels = np.bincount(catalogue.hotels.codes("park_id"))[1:].tolist()
    by_park = dict(zip(catalogue.park_ids, hotels, strict=True))

    assert {name for name, count in by_park.items() if count < 20} == {"Death Valley", "Everglades"}
    assert max(hotels) == 20


def test_the_named_parks_are_there(catalogue: Catalogue):
    named = {"Yosemite", "Grand Canyon", "Yellowstone", "Zion", "Rocky Mountain", "Death Valley", "Everglades"}

    assert named | {"Glacier", "Joshua Tree"} <= set(catalogue.park_ids)


def test_every_park_has_one_to_three_airports(catalogue: Catalogue):
    numbers = [len(catalogue.drives_to(park_id)) for park_id in catalogue.park_ids.values()]

    assert set(numbers) <= {1, 2, 3}


def test_ten_origins_of_which_eight_serve_parks_make_21_airports_with_eleven_destinations():
    roles = [airport.role for airport in facts().airports]

    assert (roles.count("origin"), roles.count("both"), roles.count("destination")) == (2, 8, 11)


def test_every_airport_that_is_not_only_an_origin_serves_a_park():
    serving = {drive.code for drive in facts().drives}

    assert serving == {airport.code for airport in facts().airports if airport.role != "origin"}


def test_flights_go_from_every_origin_to_every_destination_but_itself(catalogue: Catalogue):
    routes = set(zip(catalogue.flights.values("origin"), catalogue.flights.values("destination"), strict=True))

    assert len(routes) == 10 * 19 - 8


@pytest.mark.parametrize(("record", "flags"), [(Hotel, HOTEL_FLAGS), (Room, ROOM_FLAGS), (Flight, FLIGHT_FLAGS)])
def test_every_flag_of_a_record_has_its_own_chance_in_the_same_order(record: type, flags: dict[str, object]):
    assert list(flags) == [field.name for field in field_types(record) if field.base is bool]


def test_hotels_with_free_parking_have_parking(catalogue: Catalogue):
    assert all(hotel.has_parking for hotel in catalogue.hotels.rows() if hotel.has_free_parking)


# -- Shapes


def test_rocky_mountain_is_clearly_the_dearest(catalogue: Catalogue):
    dearest, second, *_ = sorted(shape(catalogue).mean_prices.items(), key=lambda pair: -pair[1])

    assert dearest[0] == "Rocky Mountain"
    assert dearest[1] > 1.1 * second[1]


def test_good_hotels_are_rare_in_some_parks(catalogue: Catalogue):
    shares = sorted(shape(catalogue).four_star_shares.values())

    assert sum(share <= 0.05 for share in shares) >= 3
    assert shares[-1] >= 0.25


def test_fares_have_a_long_tail(catalogue: Catalogue):
    found = shape(catalogue)

    assert found.fare_skewness > 1
    assert found.fare_tail >= 3


def test_regional_airports_have_fewer_flights_and_more_stops(catalogue: Catalogue):
    regional = {airport.code for airport in catalogue.airports.rows() if airport.airport_type == "regional"}
    flights: dict[bool, list[int]] = {True: [], False: []}
    routes: dict[bool, set[tuple[str, str]]] = {True: set(), False: set()}
    for flight in catalogue.flights.rows():
        flights[flight.destination in regional].append(flight.stops)
        routes[flight.destination in regional].add((flight.origin, flight.destination))

    assert len(flights[True]) / len(routes[True]) < 11 < 14 < len(flights[False]) / len(routes[False])
    assert np.mean(flights[True]) > np.mean(flights[False]) + 0.1


def test_prices_and_free_rooms_move_against_each_other(catalogue: Catalogue):
    assert shape(catalogue).price_availability_correlation <= -0.8


def test_weekends_are_dearer_and_fuller(catalogue: Catalogue):
    found = shape(catalogue)

    assert 1.10 <= found.weekend_price_ratio <= 1.35
    assert 0.4 <= found.weekend_availability_ratio <= 0.75


def test_late_august_is_dearer_though_no_fuller(catalogue: Catalogue):
    found = shape(catalogue)

    assert found.late_price_ratio >= 1.03
    assert abs(found.late_availability_ratio - 1) < 0.10


def test_trips_without_a_weekend_night_are_cheaper_flights_included(catalogue: Catalogue):
    prices = np.where(catalogue.night_prices.values == NULL, np.nan, catalogue.night_prices.values)
    night = np.nanmean(prices, axis=1)
    out, back = catalogue.out_prices.values.mean(axis=1), catalogue.back_prices.values.mean(axis=1)
    costs: dict[bool, list[float]] = {True: [], False: []}
    for start in range(1, 29):
        touches = any(is_weekend(day) for day in range(start, start + 3))
        costs[touches].append(float(night[start - 1 : start + 2].sum() + out[start - 1] + back[start + 2]))

    assert np.mean(costs[False]) < np.mean(costs[True])


def test_flights_take_as_long_as_their_times_say_and_land_on_the_day_they_leave(catalogue: Catalogue):
    offset = {airport.code: UTC_OFFSET_HOURS[airport.tz] * 60 for airport in catalogue.airports.rows()}

    def minutes(clock: str) -> int:
        return int(clock[:2]) * 60 + int(clock[3:])

    for flight in catalogue.flights.rows():
        shift = offset[flight.destination] - offset[flight.origin]
        assert minutes(flight.out_depart) + flight.out_minutes + shift == minutes(flight.out_arrive)
        assert minutes(flight.back_depart) + flight.back_minutes - shift == minutes(flight.back_arrive)


def test_permits_are_given_on_their_days_only(catalogue: Catalogue):
    given = {
        permit.template_name: (np.flatnonzero(catalogue.remaining.values[:, row] >= 0) + 1).tolist()
        for row, permit in enumerate(catalogue.permits.rows())
    }

    assert given["Ranger full moon hike"] == [8, 9, 10]
    assert given["Keys Ranch ranger tour"] == []
    assert {day % 7 for day in given["Crystal Cave guided tour"]} == {0, 1, 2, 3}  # Thursday to Sunday
    assert len(given["Half Dome cables day hike"]) == 31


def test_fees_are_those_of_the_permit(catalogue: Catalogue):
    (angels,) = (p for p in catalogue.permits.rows() if p.template_name == "Angels Landing chains section")

    assert (angels.fee_group_cents, angels.fee_person_cents, angels.max_group) == (600, 300, 6)


# -- Same everywhere


def test_the_content_is_the_released_one(catalogue: Catalogue):
    assert catalogue.digest == CATALOGUE_DIGEST


def test_another_seed_makes_another_catalogue_of_the_same_size(catalogue: Catalogue):
    other = generate_catalogue(seed=1)

    assert other.digest != catalogue.digest
    assert counts(other).hotels == counts(catalogue).hotels
    assert counts(other).flight_offers == counts(catalogue).flight_offers
    assert counts(other).hotel_offers >= 100_000


def test_a_larger_scale_has_that_many_times_the_offers():
    one, three = counts(generate_catalogue(seed=5)), counts(generate_catalogue(seed=5, scale=3))

    assert three.hotels == 3 * one.hotels
    assert three.flights == 3 * one.flights
    assert three.hotel_offers == pytest.approx(3 * one.hotel_offers, rel=0.01)
    assert three.permits == one.permits


def test_draws_do_not_depend_on_each_other_or_on_their_order():
    draws = Draws(7)

    both = draws.uniform("price", np.array([1, 2]), 5)

    assert draws.uniform("price", np.array([2, 1]), 5).tolist() == both.tolist()[::-1]
    assert draws.uniform("price", 1, 5).tolist() != draws.uniform("price", 5, 1).tolist()
    assert draws.uniform("price", 1, 5).tolist() != draws.uniform("seats", 1, 5).tolist()
    assert draws.uniform("price", 1, 5).tolist() != Draws(8).uniform("price", 1, 5).tolist()


def test_draws_are_spread_as_they_should_be():
    draws, many = Draws(3), np.arange(200_000)

    uniform = draws.uniform("u", many)
    counts_ = draws.poisson(4.6, "p", many)

    assert uniform.mean() == pytest.approx(0.5, abs=0.003)
    assert np.corrcoef(uniform[1:], uniform[:-1])[0, 1] == pytest.approx(0, abs=0.01)
    assert 0 <= uniform.min() < uniform.max() < 1
    assert counts_.mean() == pytest.approx(4.6, abs=0.03)
    assert counts_.var() == pytest.approx(4.6, abs=0.1)
    assert (counts_ == 0).mean() == pytest.approx(np.exp(-4.6), abs=0.001)


# -- In SQLite and back


def test_a_stored_catalogue_is_read_back_as_it_was(catalogue: Catalogue, tmp_path: Path):
    path = tmp_path / "compass.sqlite"
    write_database(catalogue, path, seed=0, scale=1)

    connection = connect(path)
    back, about = read_catalogue(connection), read_about(connection)
    connection.close()

    assert back.digest == catalogue.digest == about.digest
    assert (about.seed, about.scale) == (0, 1)
    assert back.hotels.row(17) == catalogue.hotels.row(17)
    assert back.permits.rows() == catalogue.permits.rows()
    assert list(tmp_path.iterdir()) == [path]


def test_a_stored_catalogue_cannot_be_changed_by_who_reads_it(tmp_path: Path):
    write_database(toy_park(), tmp_path / "toy.sqlite", seed=0, scale=1)
    connection = connect(tmp_path / "toy.sqlite")

    with pytest.raises(sqlite3.OperationalError, match="readonly"):
        connection.execute("DELETE FROM offers")
    connection.close()


def test_the_tables_can_be_asked_in_plain_sql():
    connection = in_memory(toy_park())

    (row,) = connection.execute(
        "SELECT h.name, SUM(o.price_cents) FROM offers o JOIN configs USING (config_id) JOIN hotels h USING (hotel_id)"
        " WHERE o.config_id = 3 AND o.day BETWEEN 5 AND 7"
    )
    weekdays = connection.execute("SELECT weekday FROM calendar WHERE day IN (1, 31) ORDER BY day").fetchall()
    connection.close()

    assert row == ("Elk Lodge", 60000)
    assert weekdays == [("Friday",), ("Sunday",)]


def test_a_missing_or_foreign_file_is_the_operators_fault(tmp_path: Path):
    (tmp_path / "other.sqlite").write_bytes(b"no database at all, but long enough to be read as one" * 20)

    with pytest.raises(UsageError, match="data build compass"):
        connect(tmp_path / "missing.sqlite")
    with pytest.raises(UsageError, match="not a COMPASS catalogue"):
        connect(tmp_path / "other.sqlite")


# -- Faults


def test_generated_catalogues_are_sound(catalogue: Catalogue):
    assert faults(catalogue) == []


def test_a_catalogue_that_contradicts_itself_is_found_out(catalogue: Catalogue):
    prices = catalogue.night_prices.values.copy()
    prices[3, 100] = 0
    prices[4, 100] = NULL
    rooms = replace(
        catalogue.rooms,
        columns=(*catalogue.rooms.columns[:1], catalogue.rooms.codes("hotel_id") + 1, *catalogue.rooms.columns[2:]),
    )

    broken = replace(catalogue, night_prices=DayTable(prices), rooms=rooms)

    assert len(faults(broken)) >= 3
