"""A plan joined to the sandbox: where the traveler is when, where he sleeps, what is sold as one, what it costs."""

from datetime import date, datetime
from decimal import Decimal

import pytest
from tests.trip_plus.toy_trip import frame, sandbox, trace

from tripgauge.trip_plus.itinerary import CityLabel, Day, LocalTransfer
from tripgauge.trip_plus.trace.costs import local_cost, vehicles
from tripgauge.trip_plus.trace.days import MISSING_DAY, in_place
from tripgauge.trip_plus.trace.execution import Content
from tripgauge.trip_plus.trace.journeys import is_seat

THREE_DAYS = """\
Day 1 (2026-07-14):
Current City: from Aldmoor to Briskhaven
Accommodation: Quay Inn, ¥300/room/night
07:30-08:00 | buffer | ticket check
08:00-10:00 | travel_intercity_public | train T10, Aldmoor Station - Briskhaven Station, Second Class Seat, ¥100/person
10:00-10:15 | buffer | leaving the station
10:15-10:35 | travel_city | Briskhaven Station - Fort Museum, taxi, 8km, 20min, ¥21
10:35-12:00 | attraction | Fort Museum, ¥40/person
12:10-13:00 | meal | lunch, Annie's Kitchen, ¥80/person
18:00-19:00 | meal | dinner, Pepper Yard, ¥60/person
20:00-21:00 | hotel | rest, Quay Inn
Day 2 (2026-07-15):
Current City: Briskhaven
Accommodation: Quay Inn, ¥300/room/night
10:00-12:00 | attraction | Tide Aquarium, ¥90/person
23:00-00:30 | attraction | Lantern Row, ¥0/person
00:40-08:00 | hotel | the night, the hotel
Day 3 (2026-07-16):
Current City: from Briskhaven to Aldmoor
Accommodation: -
09:00-09:15 | hotel | check-out, our hotel
16:30-17:00 | buffer | ticket check
17:00-19:00 | travel_intercity_public | train T20, Briskhaven Station - Aldmoor Station, Second Class Seat, ¥110/person
"""


def at(day: int, clock: str) -> datetime:
    return datetime.fromisoformat(f"2026-07-{day} {clock}")


# --- Instants --------------------------------------------------------------------------------------------------------


def test_lines_after_midnight_are_on_the_day_they_happen_on():
    trip = trace(THREE_DAYS)

    lanterns, night = trip.events[-5], trip.events[-4]

    assert (lanterns.start, lanterns.end) == (at(15, "23:00"), at(16, "00:30"))
    assert (night.start, night.end) == (at(16, "00:40"), at(16, "08:00"))
    assert night.day == 2, "the day it is listed under"


def test_the_traveler_is_in_one_city_or_under_way_at_any_moment():
    trip = trace(THREE_DAYS)

    moments = (at(14, "07:00"), at(14, "09:00"), at(14, "10:00"), at(16, "20:00"))

    assert [trip.city_at(moment) for moment in moments] == ["Aldmoor", "", "Briskhaven", "Aldmoor"]


# --- Names -----------------------------------------------------------------------------------------------------------


def test_the_hotel_means_the_one_of_that_night_and_in_the_morning_the_one_slept_in():
    stops = trace(THREE_DAYS).hotel_stops

    assert [stop.name for stop in stops] == ["Quay Inn", "Quay Inn", "Quay Inn"]
    assert {stop.city for stop in stops} == {"Briskhaven"}


def test_what_the_sandbox_does_not_know_has_no_record():
    (visit,) = trace("Day 1:\nCurrent City: Briskhaven\n10:00-11:00 | attraction | Sea Palace, ¥5/person").visits

    assert visit.attraction is None
    assert visit.true_price == 5, "as stated, where nothing else is known"


@pytest.mark.parametrize(
    ("stated", "sold", "same"),
    [
        ("Second Class Seat", "Second Class Seat", True),
        ("second class", "Second Class Seat", True),
        ("Second Class Seat, window", "Second Class Seat", True),
        ("First Class Seat", "Second Class Seat", False),
        ("Economy", "Economy Class", True),
        ("Business Class", "Economy", False),
    ],
)
def test_a_seat_goes_by_its_class(stated, sold, same):
    assert is_seat(stated, sold) == same


# --- Days and nights -------------------------------------------------------------------------------------------------


def listed(*numbers: int | None) -> list[Day]:
    return [Day(number, None, CityLabel("Briskhaven", "Briskhaven"), None, ()) for number in numbers]


@pytest.mark.parametrize(
    ("numbers", "places"),
    [
        ((1, 2, 3), (1, 2, 3)),
        ((1, 3), (1, "missing", 3)),
        ((2,), ("missing", 2, "missing")),
        ((), ("missing", "missing", "missing")),
        ((3, 1, 2), (3, 1, 2)),
        ((1, 2, 3, 4), (1, 2, 3, 4)),
        ((1, 2, 3, 9), (1, 2, 3, 9)),
        ((None, None), (None, None, "missing")),
    ],
)
def test_days_stand_where_their_headings_say_if_those_are_in_order(numbers, places):
    placed = in_place(listed(*numbers), 3)

    assert tuple("missing" if day is MISSING_DAY else day.number for day in placed) == places


def test_each_day_knows_its_cities_and_when_the_traveler_comes_and_goes():
    first, second, third = trace(THREE_DAYS).days

    assert (first.starts_in, first.ends_in, first.arrives, first.leaves) == (
        "Aldmoor", "Briskhaven", at(14, "10:00").time(), None,
    )  # fmt: skip
    assert (second.is_full, second.lunch_is_due, second.dinner_is_due, second.visit_is_due) == (True,) * 4
    assert (third.arrives, third.leaves) == (None, at(16, "17:00").time())
    assert (third.lunch_is_due, third.dinner_is_due, third.visit_is_due) == (True, False, True)


def test_nights_between_the_days_need_a_bed_and_the_last_one_does_not():
    trip = trace(THREE_DAYS)

    assert [(night.day, night.city, night.needs_bed) for night in trip.nights] == [
        (1, "Briskhaven", True),
        (2, "Briskhaven", True),
    ]
    assert [night.needs_bed for night in trip.nights_and_last_day()] == [True, True, False]


def test_what_is_due_and_absent_is_told_and_what_is_not_due_is_not():
    trip = trace("Day 1 (2026-07-14):\nCurrent City: Briskhaven\n12:00-13:00 | buffer | a walk", frame(days=2))
    day_trip = trace("Day 1 (2026-07-14):\nCurrent City: Briskhaven\n12:00-13:00 | buffer | a walk", frame(days=1))

    assert [str(finding) for finding in trip.absent(Content.NIGHTS)] == ["no time at any hotel, with 1 night to sleep"]
    assert day_trip.absent(Content.NIGHTS) == ()
    assert not trip.has(Content.PROGRAM)


# --- Tickets ---------------------------------------------------------------------------------------------------------


def connection(first: str, second: str) -> str:
    return f"""\
Day 1 (2026-07-14):
Current City: from Aldmoor to Briskhaven
09:00-10:30 | travel_intercity_public | train K21, Aldmoor Station - Crossley Junction, Hard Seat{first}
11:30-13:00 | travel_intercity_public | train K22, Crossley Junction - Briskhaven Station, Hard Seat{second}
"""


@pytest.mark.parametrize(
    ("first", "second", "fare"),
    [
        (", ¥400/person", ", ¥400/person", 400),
        (", ¥400/person", "", 400),
        ("", ", ¥400/person", 400),
        (", ¥150/person", ", ¥250/person", 400),
        (", ¥200/person", ", ¥200/person", 400),
        (", ¥400/person", ", ¥0/person", 400),
    ],
)
def test_a_connection_is_one_ticket_however_its_fare_is_spread(first, second, fare):
    trip = trace(connection(first, second))

    (ticket,) = trip.tickets
    assert [leg.activity.number for leg in ticket.legs] == ["K21", "K22"]
    assert ticket.fare == fare
    assert trip.cost.transportation == 2 * fare


def test_a_connection_is_one_passage_with_a_change():
    (passage,) = trace(connection(", ¥400/person", ", ¥400/person")).passages

    assert (passage.changes, passage.outbound, passage.inbound) == (1, True, False)
    assert (passage.departure, passage.arrival) == (at(14, "09:00"), at(14, "13:00"))


# --- Moves -----------------------------------------------------------------------------------------------------------


def test_between_two_places_lies_what_the_plan_puts_there_and_what_the_tables_need():
    move = trace(THREE_DAYS).moves[0]

    assert (move.origin.name, move.destination.name) == ("Briskhaven Station", "Fort Museum")
    assert (move.needed_minutes, move.buffer_minutes, move.available_minutes) == (20, 15, 20)
    assert [transfer.activity.mode for transfer in move.transfers] == ["taxi"]


def test_two_stops_at_one_place_need_no_way():
    move = trace(THREE_DAYS).moves[-2]

    assert (move.origin.name, move.destination.name, move.needed_minutes) == ("Quay Inn", "Quay Inn", None)


def test_a_way_to_a_place_that_does_not_exist_is_lost():
    plan = "Day 1:\nCurrent City: Briskhaven\n10:00-11:00 | attraction | Fort Museum, ¥40/person\n"
    move = trace(plan + "11:00-12:00 | meal | lunch, Sea Palace, ¥5/person").moves[0]

    assert (move.lost_after, move.lost_before) == (False, True)


# --- Costs -----------------------------------------------------------------------------------------------------------


def test_the_whole_trip_costs_what_its_parts_cost():
    cost = trace(THREE_DAYS).cost

    assert cost.transportation == 2 * (100 + 110) + 21
    assert cost.accommodation == 2 * 300
    assert cost.meals == 2 * (80 + 60)
    assert cost.attractions == 2 * (40 + 90)
    assert cost.total == 441 + 600 + 280 + 260


def test_another_party_pays_for_its_own_heads_rooms_and_cars():
    cost = trace(THREE_DAYS).cost_for(people=5, rooms=3)

    assert (cost.transportation, cost.accommodation) == (5 * 210 + 2 * 21, 2 * 3 * 300)


def test_the_true_cost_takes_the_prices_of_the_tables():
    lied = trace(THREE_DAYS.replace("¥300/room", "¥30/room").replace("¥80/person", "¥8/person"))

    assert lied.true_cost == trace(THREE_DAYS).true_cost
    assert lied.cost.accommodation == 60


@pytest.mark.parametrize(
    ("mode", "times"),
    [("taxi", 2), ("Ride-hailing", 2), ("metro Line 1", 5), ("bus", 5), ("walking", 0), ("cable car", 5)],
)
def test_a_ride_is_paid_by_the_car_or_by_the_head(mode, times):
    price = Decimal(10) if times else Decimal(0)
    transfer = LocalTransfer(slot=None, origin="A", destination="B", mode=mode, price=price)

    assert local_cost(transfer, 5) == times * 10


@pytest.mark.parametrize(("people", "cars"), [(1, 1), (4, 1), (5, 2), (8, 2), (9, 3)])
def test_a_taxi_takes_four(people, cars):
    """R16."""
    assert vehicles(people) == cars


def test_services_are_those_of_the_date_of_the_day():
    line = "08:00-10:00 | travel_intercity_public | flight CX1, Aldmoor Airport - Briskhaven Airport, ¥500/person"
    (leg,) = trace(f"Day 1 (2026-07-14):\nCurrent City: from Aldmoor to Briskhaven\n{line}").legs

    assert leg.date == date(2026, 7, 14)
    assert leg.runs_that_day == ()
    assert {run.date for run in leg.runs} == {date(2025, 11, 15), date(2026, 5, 2)}
    assert len(sandbox().services("CX1")) == 2
