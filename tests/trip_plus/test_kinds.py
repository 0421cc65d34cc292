"""Whole kinds of inputs at which checkers of travel plans fail, each test with its twin.

Rides and nights, dates of services, spellings of times, midnights, overlaps, closing days, money, parties, names, days
missing or too many. All play in the toy town (docs/toy-town.md). Requirements of the field's complaints that are met
here: R1, R5, R10, R14, R15, R16.
"""

import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import date, datetime, timedelta
from decimal import Decimal

import pytest
from tests.trip_plus.toy_trip import failed, findings, frame, results, sandbox, score, trace

from tripgauge.checks import CheckResult
from tripgauge.toy import town
from tripgauge.trip_plus.feasibility.score import check_results, feasibility
from tripgauge.trip_plus.frame import TripFrame
from tripgauge.trip_plus.itinerary import Plan
from tripgauge.trip_plus.notation.plan_json import read_converted
from tripgauge.trip_plus.notation.plan_text import parse_plan
from tripgauge.trip_plus.sandbox.files import SandboxFiles, read_sample
from tripgauge.trip_plus.sandbox.store import Sandbox
from tripgauge.trip_plus.trace.execution import Content, ExecutionTrace
from tripgauge.trip_plus.trace.joining import execution_trace

FIRST = date(2026, 7, 14)
T10 = "08:00-10:00 | travel_intercity_public | train T10, Aldmoor Station - Briskhaven Station, ¥100/person"
T20 = "17:00-19:00 | travel_intercity_public | train T20, Briskhaven Station - Aldmoor Station, ¥110/person"
Z9 = "22:40-06:55 | travel_intercity_public | train Z9, Aldmoor Station - Briskhaven Station, ¥180/person"
REST = "20:00-21:00 | hotel | rest, Quay Inn"
OUT, IN_TOWN, HOME = "from Aldmoor to Briskhaven", "Briskhaven", "from Briskhaven to Aldmoor"
QUAY = "Quay Inn, ¥300/room/night"


def day(number: int, city: str, *lines: str, hotel: str = "-", dated: bool = True, first: date = FIRST) -> str:
    """One day of a plan as it is written."""
    on = f" ({first + timedelta(number - 1)})" if dated else ""
    return "\n".join([f"Day {number}{on}:", f"Current City: {city}", f"Accommodation: {hotel}", *lines]) + "\n"


def in_town(*lines: str) -> str:
    """A single day in Briskhaven."""
    return day(1, IN_TOWN, *lines)


def passes(plan: str, check: str, trip: TripFrame | None = None) -> bool:
    return results(plan, trip)[check].passed


# --- Rides of any length, over any number of nights, and what is slept where -----------------------------------------

Train = tuple[str, str, datetime, datetime]
"""Number, origin city, departure, arrival."""


def world_with(*trains: Train) -> Sandbox:
    """The toy town with further trains, each for 200 yuan."""
    files = read_sample(town.data_folder() / "briskhaven")
    rows = [_row(number, origin, leaves, arrives, files.trains.columns) for number, origin, leaves, arrives in trains]
    return Sandbox.of(SandboxFiles(replace(files, trains=replace(files.trains, rows=(*files.trains.rows, *rows)))))


def _row(number: str, origin: str, leaves: datetime, arrives: datetime, columns: tuple[str, ...]) -> Mapping[str, str]:
    destination = "Briskhaven" if origin == "Aldmoor" else "Aldmoor"
    codes = {"Aldmoor": "ALS", "Briskhaven": "BRS"}
    known = {
        "origin_city": origin,
        "destination_city": destination,
        "dep_date": str(leaves.date()),
        "dep_station_code": codes[origin],
        "dep_station_name": f"{origin} Station",
        "arr_station_code": codes[destination],
        "arr_station_name": f"{destination} Station",
        "dep_datetime": str(leaves),
        "arr_datetime": str(arrives),
        "duration": str((arrives - leaves) // timedelta(minutes=1)),
        "train_no": number,
        "train_type": "Regular Express",
        "seat_class": "Hard Sleeper",
        "price": "200",
        "segment_index": "1",
        "route_index": number.strip("QZ") or "1",
    }
    return {column: known.get(column, "") for column in columns}


def ride(number: str, slot: str, origin: str = "Aldmoor") -> str:
    destination = "Briskhaven" if origin == "Aldmoor" else "Aldmoor"
    return f"{slot} | travel_intercity_public | train {number}, {origin} Station - {destination} Station, ¥200/person"


def traced(plan: str, world: Sandbox, days: int) -> ExecutionTrace:
    return execution_trace(parse_plan(plan), frame(days=days), world)


def said(trip: ExecutionTrace) -> Mapping[str, CheckResult]:
    return check_results(feasibility(trip))


def at(day_: int, clock: str) -> datetime:
    return datetime.fromisoformat(f"2026-07-{day_:02d} {clock}")


THIRTY_HOURS = ("Q901", "Aldmoor", at(14, "21:00"), at(16, "03:30"))


@pytest.mark.parametrize("slot", ["21:00-03:30", "21:00-03:30 (+2)", "21:00 - 03:30 (+2 days)"])
def test_a_train_of_thirty_hours_fills_two_dates_and_one_night(slot):
    plan = (
        day(1, OUT, ride("Q901", slot))
        + day(2, OUT)
        + day(3, IN_TOWN, "04:00-09:00 | hotel | rest, Quay Inn", hotel=QUAY)
        + day(4, HOME, T20)
    )
    trip = traced(plan, world_with(THIRTY_HOURS), 4)

    assert [night.needs_bed for night in trip.nights] == [False, False, True]
    assert said(trip)["validated_transportation"].passed
    assert said(trip)["valid_trip_duration"].passed, "a day spent on the train is a day of the trip"


def test_nothing_can_be_visited_on_the_day_spent_on_a_train_of_thirty_hours():
    visit = "10:00-11:30 | attraction | Fort Museum, ¥40/person"
    moving = day(1, OUT, ride("Q901", "21:00-03:30")) + day(2, IN_TOWN, visit)
    arrived = day(1, OUT, ride("Q901", "21:00-03:30")) + day(2, OUT) + day(3, IN_TOWN, visit)

    assert not said(traced(moving, world_with(THIRTY_HOURS), 4))["no_time_overlaps"].passed
    assert said(traced(arrived, world_with(THIRTY_HOURS), 4))["no_time_overlaps"].passed


def test_two_sleepers_in_a_row_need_no_bed_and_a_hotel_for_them_is_too_many():
    world = world_with(("Q902", "Briskhaven", at(15, "22:10"), at(16, "06:40")))
    back = ride("Q902", "22:10-06:40", "Briskhaven")

    def plan(hotel: str) -> str:
        return day(1, OUT, Z9) + day(2, HOME, back, hotel=hotel) + day(3, "Aldmoor")

    trip = traced(plan("-"), world, 3)
    assert [night.needs_bed for night in trip.nights] == [False, False]
    assert not said(trip)["traceable_accommodation"].applicable
    assert "under way" in str(said(traced(plan(QUAY), world, 3))["traceable_accommodation"].findings[0])


ARRIVES_EARLY = ("Q903", "Aldmoor", at(14, "18:00"), at(15, "02:30"))
TO_THE_HOTEL = (
    "02:30-02:45 | buffer | leaving the station",
    "02:45-03:05 | travel_city | Briskhaven Station - Quay Inn, taxi, 8km, 20min, ¥21",
    "03:05-09:00 | hotel | the night, Quay Inn",
)


@pytest.mark.parametrize("listed_under", [1, 2])
def test_who_arrives_at_half_past_two_still_needs_a_bed_whichever_day_lists_it(listed_under):
    first, second = (TO_THE_HOTEL, ()) if listed_under == 1 else ((), TO_THE_HOTEL)

    def plan(hotel: str) -> str:
        return (
            day(1, OUT, ride("Q903", "18:00-02:30"), *first, hotel=hotel)
            + day(2, IN_TOWN, *second, REST, hotel=QUAY)
            + day(3, HOME, T20)
        )

    slept, awake = (traced(plan(hotel), world_with(ARRIVES_EARLY), 3) for hotel in (QUAY, "-"))

    assert said(slept)["traceable_accommodation"].passed
    assert said(slept)["ends_with_accommodation"].passed
    assert said(slept)["no_time_overlaps"].passed
    assert [f.day for f in said(awake)["traceable_accommodation"].findings] == [1]


def test_who_leaves_at_four_in_the_morning_needs_a_bed_and_who_leaves_at_two_does_not():
    early = world_with(
        ("Q904", "Briskhaven", at(15, "04:00"), at(15, "09:00")),
        ("Q905", "Briskhaven", at(15, "02:00"), at(15, "07:00")),
    )
    at_four = day(1, OUT, T10) + day(2, HOME, ride("Q904", "04:00-09:00", "Briskhaven"))
    at_two = day(1, OUT, T10) + day(2, HOME, ride("Q905", "02:00-07:00", "Briskhaven"))

    assert [night.needs_bed for night in traced(at_four, early, 2).nights] == [True]
    assert [night.needs_bed for night in traced(at_two, early, 2).nights] == [False]


def test_a_sleeper_home_in_the_last_night_of_the_trip_needs_no_bed():
    world = world_with(("Q906", "Briskhaven", at(15, "22:00"), at(16, "07:00")))
    home = ride("Q906", "22:00-07:00", "Briskhaven")
    plan = day(1, OUT, T10, REST, hotel=QUAY) + day(2, HOME, home) + day(3, "Aldmoor")
    stranded = day(1, OUT, T10, REST, hotel=QUAY) + day(2, HOME) + day(3, HOME, T20)

    sleeping, without = traced(plan, world, 3), traced(stranded, world, 3)

    assert [night.needs_bed for night in sleeping.nights] == [True, False]
    assert said(sleeping)["closed_loop_route_structure"].passed
    assert said(sleeping)["traceable_accommodation"].passed
    assert [f.day for f in said(without)["traceable_accommodation"].findings] == [2]


def test_the_train_home_may_arrive_after_midnight_of_the_last_day():
    world = world_with(("Q907", "Briskhaven", at(15, "21:30"), at(16, "00:40")))
    late = day(1, OUT, T10, REST, hotel=QUAY) + day(2, HOME, ride("Q907", "21:30-00:40", "Briskhaven"))

    def booked(hotel: str) -> Mapping[str, CheckResult]:
        return said(traced(late.replace("Accommodation: -", f"Accommodation: {hotel}"), world, 2))

    assert booked("-")["closed_loop_route_structure"].passed
    assert booked("-")["seamless_intercity_transfers"].passed
    assert booked("-")["validated_transportation"].passed
    assert booked("-")["traceable_accommodation"].passed
    assert not booked(QUAY)["traceable_accommodation"].passed, "nobody sleeps in Briskhaven that night"


def test_a_day_trip_needs_neither_hotel_nor_second_day():
    t30 = "20:00-22:00 | travel_intercity_public | train T30, Briskhaven Station - Aldmoor Station, ¥300/person"
    back = day(1, HOME, T10, t30)
    stays = day(1, OUT, T10)

    assert results(back, frame(days=1))["traceable_accommodation"].score is None
    assert passes(back, "closed_loop_route_structure", frame(days=1))
    assert not passes(stays, "closed_loop_route_structure", frame(days=1))


# --- Services on dates they do not run, and prices of another date ---------------------------------------------------


@pytest.mark.parametrize(("number", "fare", "slot"), [("CX1", 500, "08:00-10:00"), ("CX3", 500, "12:00-14:00")])
def test_a_flight_is_good_on_its_own_date_at_its_own_fare_only(number, fare, slot):
    route = "Aldmoor Airport - Briskhaven Airport, Economy"
    line = f"{slot} | travel_intercity_public | flight {number}, {route}, ¥{fare}/person"
    may = date(2026, 5, 2)

    assert passes(day(1, OUT, line, first=may), "validated_transportation", frame(days=1, depart=may))
    assert not passes(day(1, OUT, line), "validated_transportation", frame(days=1))
    assert not passes(day(1, OUT, line, first=may), "validated_transportation", frame(days=1)), "the task has the date"


def test_a_service_is_looked_up_on_the_date_of_its_day_even_where_a_day_before_is_left_out():
    world = world_with(("Q908", "Briskhaven", at(16, "12:00"), at(16, "14:00")))
    line = ride("Q908", "12:00-14:00", "Briskhaven")

    skipping = traced(day(1, OUT, T10) + day(3, HOME, line), world, 3)
    too_early = traced(day(1, OUT, T10) + day(2, HOME, line), world, 3)

    assert said(skipping)["validated_transportation"].passed
    assert not said(too_early)["validated_transportation"].passed


# --- Every spelling of a time, and midnight as start, end and closing hour -------------------------------------------


@pytest.mark.parametrize(
    ("from_nine", "from_ten"),
    [
        ("09:00-12:00", "10:00-11:00"),
        ("9:00–12:00", "10:00–11:00"),
        ("09:00 — 12:00", "10:00 — 11:00"),
        ("09:00~12:00", "10:00～11:00"),
        ("09:00:00-12:00:00", "10:00:00-11:00:00"),
        ("９：００－１２：００", "１０：００－１１：００"),
        ("9:00 AM-12:00 PM", "10:00 a.m. to 11:00 a.m."),
        ("9 AM - noon", "10-11 AM"),
        ("0900-1200", "1000-1100"),
        ("from 09:00 to 12:00", "from 10:00 until 11:00"),
    ],
)
def test_an_overlap_is_an_overlap_in_every_spelling_and_its_twin_is_none(from_nine, from_ten):
    visit, walk = "attraction | Fort Museum, ¥40/person", "attraction | Mint Gallery, ¥20/person"
    overlapping = in_town(f"{from_nine} | {visit}", f"{from_ten} | {walk}")
    apart = in_town(f"{from_ten} | {visit}", f"12:00-13:30 | {walk}")

    assert len(findings(overlapping, "no_time_overlaps")) == 1
    assert findings(apart, "no_time_overlaps") == []
    assert passes(overlapping, "readable_activities")


@pytest.mark.parametrize("end", ["24:00", "00:00", "midnight", "12:00 AM"])
def test_a_visit_may_end_at_midnight_where_the_place_closes_then(end):
    until = in_town(f"22:00-{end} | attraction | Pier Market, ¥0/person")
    beyond = in_town("22:00-00:10 | attraction | Pier Market, ¥0/person")

    assert passes(until, "attraction_visit_within_opening_hours")
    assert passes(until, "reasonable_duration_at_attractions")
    assert findings(beyond, "attraction_visit_within_opening_hours") == [
        "Day 1: Pier Market is open 18:00-24:00, not 22:00-00:10"
    ]


@pytest.mark.parametrize(("slot", "good"), [("23:00-01:00", True), ("00:00-02:00", True), ("01:00-03:00", False)])
def test_a_street_open_until_two_is_open_until_two(slot, good):
    plan = in_town(f"{slot} | attraction | Lantern Row, ¥0/person")

    assert passes(plan, "attraction_visit_within_opening_hours") == good


@pytest.mark.parametrize("listed_under", [1, 2])
def test_a_grill_after_midnight_is_one_moment_whichever_day_lists_it(listed_under):
    market = "22:00-24:00 | attraction | Pier Market, ¥0/person"
    grill = "00:30-01:30 | meal | supper, Midnight Grill, ¥95/person"
    first, second = ((market, grill), ()) if listed_under == 1 else ((market,), (grill,))
    trip = trace(day(1, IN_TOWN, *first) + day(2, IN_TOWN, *second))

    assert [meal.start for meal in trip.meals] == [at(15, "00:30")]
    assert said(trip)["dining_within_service_hours"].passed
    assert said(trip)["no_time_overlaps"].passed


def test_a_grill_before_it_opens_is_closed():
    plan = in_town("16:30-17:30 | meal | dinner, Midnight Grill, ¥95/person")

    assert findings(plan, "dining_within_service_hours") == [
        "Day 1: Midnight Grill is open 17:00-02:00, not 16:30-17:30"
    ]


# --- Overlapping, running backwards, leaving early, across midnight and days -----------------------------------------


MUSEUM = "10:00-12:00 | attraction | Fort Museum, ¥40/person"
LUNCH = "12:00-13:30 | meal | lunch, Annie's Kitchen, ¥80/person"
TAXI = "13:00-13:20 | travel_city | Annie's Kitchen - Quay Inn, taxi, 3km, 20min, ¥10"
LANTERNS = "23:00-01:00 | attraction | Lantern Row, ¥0/person"


@pytest.mark.parametrize(
    ("earlier", "later", "starts", "minutes"),
    [
        (MUSEUM, "meal | lunch, Annie's Kitchen, ¥80/person", ("11:30-12:30", "12:15-13:15"), 30),
        (LUNCH, "travel_city | Annie's Kitchen - Quay Inn, taxi, 3km, 10min, ¥10", ("13:00-13:10", "13:30-13:40"), 30),
        (TAXI, "hotel | rest, Quay Inn", ("13:10-14:00", "13:20-14:00"), 10),
        (LANTERNS, "meal | supper, Midnight Grill, ¥95/person", ("00:30-01:30", "01:10-01:50"), 30),
        (MUSEUM, "attraction | Fern Garden, ¥15/person", ("08:00-09:30", "14:00-15:30"), 240),
    ],
)
def test_whatever_starts_too_early_overlaps_and_later_it_does_not(earlier, later, starts, minutes):
    too_early, in_time = (findings(in_town(earlier, f"{slot} | {later}"), "no_time_overlaps") for slot in starts)

    assert [f"{minutes} minutes" in text for text in too_early] == [True]
    assert in_time == []


def test_an_evening_that_runs_into_the_next_morning_overlaps_it():
    def plan(morning: str) -> str:
        return day(1, IN_TOWN, "23:00-01:30 | attraction | Lantern Row, ¥0/person") + day(
            2, IN_TOWN, f"{morning} | attraction | Signal Hill, ¥0/person"
        )

    assert findings(plan("01:00-02:00"), "no_time_overlaps") == [
        "Day 2: 01:00-02:00 Signal Hill starts 30 minutes before 23:00-01:30 Lantern Row has ended"
    ]
    assert findings(plan("09:00-10:00"), "no_time_overlaps") == []


# --- Closing days known only from the date ---------------------------------------------------------------------------


@pytest.mark.parametrize("dated", [True, False])
def test_the_closing_day_is_told_by_the_task_where_the_plan_has_no_dates(dated):
    visit = "10:00-11:30 | attraction | Mint Gallery, ¥20/person"
    on_wednesday = day(1, OUT, T10, dated=dated) + day(2, IN_TOWN, visit, dated=dated)
    on_thursday = on_wednesday + day(3, IN_TOWN, visit, dated=dated)
    only_thursday = day(1, OUT, T10, dated=dated) + day(3, IN_TOWN, visit, dated=dated)

    expected = ["Day 2: Mint Gallery is closed on Wednesdays"]
    assert findings(on_wednesday, "avoidance_of_closure_days") == expected
    assert findings(on_thursday, "avoidance_of_closure_days") == expected
    assert findings(only_thursday, "avoidance_of_closure_days") == []


# --- Money -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "price", ["¥80/person", "80", "80.00 RMB", "CNY 80 per person", "￥８０", "80元/person", "+80", "¥80 per head"]
)
def test_a_price_is_read_in_every_usual_form(price):
    assert passes(in_town(f"12:00-13:00 | meal | lunch, Annie's Kitchen, {price}"), "validated_meals")


@pytest.mark.parametrize(
    "price", ["NaN", "¥inf/person", "infinity", "-¥80/person", "true", "¥70-90/person", "about ¥80", "¥800/person", ""]
)
def test_what_is_no_price_or_another_one_fails(price):
    assert not passes(in_town(f"12:00-13:00 | meal | lunch, Annie's Kitchen, {price}"), "validated_meals")


def converted(cost: object) -> ExecutionTrace:
    """A converted plan with one lunch at that cost."""
    lunch = {
        "time_slot": "12:00-13:00",
        "type": "meal",
        "details": {"meal_type": "lunch", "name": "Annie's Kitchen", "cost": cost},
    }
    total = {"total_estimated_budget": 160}
    plan = {
        "daily_plans": [{"day_number": 1, "current_city": "Briskhaven", "activities": [lunch]}],
        "budget_summary": total,
    }
    response = read_converted(plan)
    assert isinstance(response, Plan)
    return execution_trace(response.itinerary, frame(days=1), sandbox())


@pytest.mark.parametrize("cost", [80, 80.0, "80", "80.0", "¥80", "80 RMB/person"])
def test_in_converted_plans_numbers_are_numbers_however_typed(cost):
    """R15."""
    assert said(converted(cost))["validated_meals"].passed
    assert said(converted(cost))["cost_calculation_correctness"].passed


@pytest.mark.parametrize(
    "cost", [float("nan"), float("inf"), -80, True, False, "true", "NaN", None, [80], {"amount": 80}]
)
def test_in_converted_plans_what_is_no_price_fails(cost):
    """R15."""
    assert not said(converted(cost))["validated_meals"].passed


@pytest.mark.parametrize("total", ["NaN", "inf", "-160", "true", "about 160", "1e400"])
def test_a_total_that_is_no_amount_fails(total):
    plan = in_town("12:00-13:00 | meal | lunch, Annie's Kitchen, ¥80/person")

    assert passes(plan + "Budget Summary:\nTotal Estimated Budget: 160 RMB", "cost_calculation_correctness")
    assert not passes(plan + f"Budget Summary:\nTotal Estimated Budget: {total} RMB", "cost_calculation_correctness")


def test_a_price_that_cannot_be_read_does_not_make_the_trip_cheaper():
    known = trace(in_town("12:00-13:00 | meal | lunch, Annie's Kitchen, ¥80/person"))
    unknown = trace(in_town("12:00-13:00 | meal | lunch, Annie's Kitchen, ¥NaN/person"))

    assert known.cost == unknown.cost


# --- Parties: heads, rooms, cars -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("people", "taxis"), [(1, 1), (2, 1), (3, 1), (4, 1), (5, 2), (6, 2), (7, 2), (8, 2), (9, 3)])
def test_a_party_pays_by_the_head_by_the_room_and_by_the_car(people, taxis):
    """R16."""
    rooms = -(-people // 2)
    taxi = "10:00-10:20 | travel_city | Briskhaven Station - Fort Museum, taxi, 8km, 20min, ¥21"
    metro = "16:00-16:20 | travel_city | Fort Museum - Quay Inn, metro Line 1, 3km, 20min, ¥3"
    walk = "17:00-17:10 | travel_city | Quay Inn - Pepper Yard, walking, 0.8km, 10min, ¥0"
    meal = "12:00-13:00 | meal | lunch, Annie's Kitchen, ¥80/person"
    sight = "14:00-15:30 | attraction | Fort Museum, ¥40/person"
    plan = day(1, OUT, T10, taxi, meal, sight, metro, walk, REST, hotel=QUAY) + day(2, HOME, T20)
    cost = trace(plan, frame(days=2, people=people, rooms=rooms)).cost

    assert cost.transportation == people * (100 + 110) + taxis * 21 + people * 3
    assert cost.accommodation == rooms * 300
    assert cost.meals == people * 80
    assert cost.attractions == people * 40


def test_five_people_in_one_taxi_is_a_wrong_sum_only_when_it_weighs():
    """R16."""
    taxi = "10:00-10:20 | travel_city | Briskhaven Station - Fort Museum, taxi, 8km, 20min, ¥21"
    plan = in_town(taxi) + "Budget Summary:\nTransportation: {0} RMB\nTotal Estimated Budget: {0} RMB"
    five = frame(days=1, people=5, rooms=3)

    assert passes(plan.format(42), "cost_calculation_correctness", five)
    assert not passes(plan.format(21), "cost_calculation_correctness", five)
    assert passes(plan.format(21), "cost_calculation_correctness", frame(days=1, people=4, rooms=2))


# --- Names -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    [
        "Annie’s Kitchen", "Annie‘s Kitchen", "ANNIE'S KITCHEN", "annie's  kitchen", "Ａｎｎｉｅ's Kitchen",
        "[Annie's Kitchen]", "“Annie's Kitchen”", "Annié's Kitchen",
    ],
)  # fmt: skip
def test_other_quotes_widths_accents_and_brackets_are_the_same_place(name):
    assert passes(in_town(f"12:00-13:00 | meal | lunch, {name}, ¥80/person"), "validated_meals")


@pytest.mark.parametrize(
    "name", ["Annie's", "Annie's Kitchen Garden", "Annies Kitchens", "Kitchen", "Annie's Kitchen 2", "Anna's Kitchen"]
)
def test_a_near_name_is_another_place(name):
    (text,) = findings(in_town(f"12:00-13:00 | meal | lunch, {name}, ¥80/person"), "validated_meals")

    assert text == f"Day 1: there is no restaurant named {name}"


@pytest.mark.parametrize(
    ("station", "known"),
    [
        ("Briskhaven Station", True),
        ("Briskhaven Railway Station", True),
        ("BRS", True),
        ("briskhaven station", True),
        ("Briskhaven West Station", False),
        ("Briskhaven Airport", False),
    ],
)
def test_a_station_goes_by_its_aliases_and_by_no_other_name(station, known):
    plan = day(1, OUT, T10.replace("Briskhaven Station", station))

    assert passes(plan, "validated_transportation", frame(days=1)) == known


def test_of_two_hotels_with_one_name_the_one_in_town_is_meant():
    here = day(1, OUT, T10, REST, hotel=QUAY) + day(2, HOME, T20)
    elsewhere = here.replace("¥300", "¥340")

    assert passes(here, "validated_accommodation", frame(days=2))
    assert findings(elsewhere, "validated_accommodation", frame(days=2)) == ["Day 1: Quay Inn costs ¥300, not ¥340"]


def test_invented_sights_earn_no_opening_hours():
    """R1: a check that can be asked of nothing is not passed."""
    real = in_town("10:00-11:30 | attraction | Fort Museum, ¥40/person")
    invented = in_town("10:00-11:30 | attraction | Sea Palace, ¥40/person")
    about_sights = {
        "validated_attractions",
        "essential_attraction_coverage",
        "attraction_visit_within_opening_hours",
        "avoidance_of_closure_days",
        "reasonable_duration_at_attractions",
    }

    assert about_sights <= failed(invented, frame(days=1))
    assert about_sights & failed(real, frame(days=1)) == {"essential_attraction_coverage"}, "one short sight, no meals"


# --- The same place twice --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("first", "second", "good"), [(40, 0, True), (40, 40, True), (0, 40, False), (0, 0, False), (40, 20, False)]
)
def test_coming_back_on_the_same_day_costs_nothing_or_the_ticket_again(first, second, good):
    plan = in_town(
        f"09:30-11:00 | attraction | Fort Museum, ¥{first}/person",
        f"14:00-15:30 | attraction | Fort Museum, ¥{second}/person",
    )

    assert passes(plan, "validated_attractions") == good


def test_coming_back_on_another_day_costs_again():
    visit = "09:30-11:00 | attraction | Fort Museum, ¥{}/person"
    plan = day(1, IN_TOWN, visit.format(40)) + day(2, IN_TOWN, visit.format(0))

    assert findings(plan, "validated_attractions") == ["Day 2: Fort Museum costs ¥40, not ¥0"]


# --- Days missing, too many, repeated, out of order; partial plans ---------------------------------------------------


def numbered(*numbers: int) -> str:
    return "".join(day(number, IN_TOWN, "10:00-11:30 | attraction | Fern Garden, ¥15/person") for number in numbers)


@pytest.mark.parametrize(
    ("numbers", "expected"),
    [
        ((1, 2, 3), []),
        ((1, 3), ["Day 2: day 2 (2026-07-15) is missing"]),
        ((2, 3), ["Day 1: day 1 (2026-07-14) is missing"]),
        ((1, 2), ["Day 3: day 3 (2026-07-16) is missing"]),
        ((3,), ["Day 1: day 1 (2026-07-14) is missing", "Day 2: day 2 (2026-07-15) is missing"]),
        ((1, 2, 3, 4), ["Day 4: day 4 is beyond the end of the trip"]),
        ((1, 3, 2), ["Day 2: out of order: day 3", "Day 3: out of order: day 2"]),
        ((1, 2, 2), ["Day 3: out of order: day 2"]),
        ((1, 2, 2, 3), ["Day 3: out of order: day 2", "Day 4: day 4 is beyond the end of the trip"]),
    ],
)
def test_the_days_are_those_of_the_trip_each_once_and_in_order(numbers, expected):
    found = findings(numbered(*numbers), "valid_trip_duration")

    assert len(found) == len(expected)
    assert all(text.startswith(start) for text, start in zip(found, expected, strict=True)), found


def test_on_a_day_left_out_the_meals_and_sights_are_missing_too():
    """R1."""
    plan = day(1, OUT, T10, REST, hotel=QUAY) + day(3, HOME, T20)

    assert "Day 2: no dinner" in findings(
        plan.replace(REST, "18:00-19:00 | meal | dinner, Pepper Yard, ¥60/person"), "essential_meal_coverage"
    )
    assert findings(plan, "traceable_accommodation") == ["Day 2: no hotel for the night after day 2"]


def test_a_hotel_named_on_an_empty_day_is_no_night_of_the_trip():
    """R1: nothing is earned by headings alone."""
    headings = "".join(day(number, IN_TOWN, hotel=QUAY) for number in (1, 2)) + day(3, IN_TOWN)
    budget = "Budget Summary:\nAccommodation: 600 RMB\nTotal Estimated Budget: 600 RMB"

    assert score(headings + budget) == 0


def test_an_activity_of_no_known_kind_is_a_fault_of_its_own():
    """R5."""
    good = day(1, OUT, T10)

    assert passes(good, "readable_activities")
    for line in ("12:00-13:00 | teleport | to the moon", "12:00-13:00 | | Fort Museum", "12:00-13:00 Fort Museum"):
        assert not passes(good + line, "readable_activities")


def test_a_train_disguised_as_a_sight_is_no_sight():
    """R5."""
    plan = day(1, OUT, T10.replace("train T10,", "train T10, Fort Museum,"))

    assert results(plan, frame(days=1))["essential_attraction_coverage"].score == 0


def test_a_plan_for_another_city_is_wrong_there():
    visit = "10:30-12:00 | attraction | Fort Museum, ¥40/person"
    here = day(1, OUT, T10, visit)
    never_left = day(1, "Aldmoor", visit)

    assert passes(here, "seamless_intercity_transfers", frame(days=1))
    assert not passes(never_left, "seamless_intercity_transfers", frame(days=1))


def test_any_train_of_the_day_will_do():
    """R10: several right answers, all accepted."""
    t6 = "06:30-08:30 | travel_intercity_public | train T6, Aldmoor Station - Briskhaven Station, ¥80/person"
    t12 = "09:30-11:30 | travel_intercity_public | train T12, Aldmoor Station - Briskhaven Station, ¥120/person"

    for line in (t6, T10, t12, Z9):
        assert passes(day(1, OUT, line), "validated_transportation", frame(days=1))


def test_a_note_that_is_free_to_read_moves_no_score():
    """R14: a prudent extra line costs nothing."""
    plan = day(1, OUT, T10, REST, hotel=QUAY) + day(2, HOME, T20)
    noted = plan.replace(REST, "12:00-12:30 | buffer | look up the weather\n" + REST)

    assert score(noted, frame(days=2)) == score(plan, frame(days=2))


# --- Times that cannot be read ---------------------------------------------------------------------------------------


def test_a_train_whose_time_cannot_be_read_still_takes_the_traveler_along():
    plan = day(1, OUT, T10, REST, hotel=QUAY) + day(2, HOME, T20)
    noonish = plan.replace("08:00-10:00", "noonish")

    assert failed(noonish, frame(days=2)) - failed(plan, frame(days=2)) == {"readable_activities"}


def test_a_plan_without_any_readable_time_fails_what_is_about_times():
    """R1."""
    readable = in_town("10:00-11:30 | attraction | Fort Museum, ¥40/person")
    timeless = in_town("sometime | attraction | Fort Museum, ¥40/person")

    assert results(readable)["no_time_overlaps"].score is None, "a single activity"
    assert results(timeless)["no_time_overlaps"].score == 0
    assert results(timeless)["readable_activities"].score == 0


def test_each_further_line_with_a_time_is_worth_no_less():
    """R1. From a good plan that says "sometime" of everything to the plan itself, what is kept free before the rest."""
    lines = town.answers()["mt_toy_couple_turn_0"].splitlines()
    rows = [number for number, line in enumerate(lines) if re.match(r"\d\d:\d\d-", line)]

    def worth(timed: set[int]) -> float:
        unread = set(rows) - timed
        said = [re.sub(r"^\S+", "sometime", line) if n in unread else line for n, line in enumerate(lines)]
        return score("\n".join(line for line in said if "plan>" not in line))

    order = sorted(rows, key=lambda number: ("| buffer |" not in lines[number], number * 7 % len(lines)))
    worths = [worth(set(order[:count])) for count in range(len(order) + 1)]

    assert all(worth({number}) >= worths[0] for number in rows)
    assert worths == sorted(worths)
    assert worths[0] < 0.72
    assert worths[-1] == 1


def test_costs_are_exact_amounts():
    assert trace(in_town("12:00-13:00 | meal | lunch, Annie's Kitchen, ¥80.10/person")).cost.meals == Decimal("160.20")


# --- Home again, and rides that there are not ------------------------------------------------------------------------

T6 = "06:30-08:30 | travel_intercity_public | train T6, Aldmoor Station - Briskhaven Station, ¥80/person"
T18 = "11:00-13:00 | travel_intercity_public | train T18, Briskhaven Station - Aldmoor Station, ¥90/person"
THERE_AND_BACK = "from Aldmoor to Aldmoor"


def bought(number: str, slot: str, origin: str, destination: str) -> str:
    """A ticket for a train that there may not be."""
    route = f"{origin} Station - {destination} Station"
    return f"{slot} | travel_intercity_public | train {number}, {route}, ¥80/person"


@pytest.mark.parametrize(
    "plan",
    [
        "".join(day(number, THERE_AND_BACK, T6, T18) for number in (1, 2, 3)),
        day(1, OUT, Z9) + day(2, HOME, T18) + day(3, "Aldmoor"),
        day(1, THERE_AND_BACK, T6, T18) + day(2, "Aldmoor") + day(3, "Aldmoor"),
    ],
    ids=["there and back each day", "home after one sleeper", "home after a morning"],
)
def test_going_home_makes_no_bed_meal_or_sight_less_due(plan):
    missing = {"traceable_accommodation", "essential_meal_coverage", "essential_attraction_coverage"}

    assert missing <= failed(plan)


def test_a_train_that_does_not_run_takes_no_night_and_no_meal_from_the_trip():
    """R1: of three days, two nights and all meals would go to trains of a day's length."""
    plan = (
        day(1, OUT, bought("X1", "08:30-08:00", "Aldmoor", "Briskhaven"))
        + day(2, HOME, bought("X2", "09:00-09:00 (+1)", "Briskhaven", "Aldmoor"))
        + day(3, "Aldmoor", bought("X3", "09:30-23:00", "Aldmoor", "Aldmoor"))
    )

    traced_ = trace(plan)

    assert [night.needs_bed for night in traced_.nights] == [True, True]
    assert [(day.lunch_is_due, day.dinner_is_due, day.visit_is_due) for day in traced_.days] == [(True, True, True)] * 3


def test_a_real_train_takes_as_long_as_it_takes_whatever_the_plan_says():
    right = trace(day(1, OUT, T6) + day(2, HOME, T20), frame(days=2))
    stretched = trace(day(1, OUT, T6.replace("06:30-08:30", "06:30-23:30")) + day(2, HOME, T20), frame(days=2))

    assert right.stay == stretched.stay
    assert right.stay.begins == at(14, "08:30")


def test_wishes_for_food_sights_and_rooms_are_due_at_home_too():
    plan = "".join(day(number, THERE_AND_BACK, T6, T18) for number in (1, 2, 3))

    assert all(trace(plan).absent(content) for content in (Content.NIGHTS, Content.MEALS, Content.VISITS))


# --- What a heading says ---------------------------------------------------------------------------------------------


def headed(second: str, city: str = HOME) -> str:
    """Two days, the second under that heading."""
    return day(1, OUT, T10) + f"{second}\nCurrent City: {city}\n{T20}\n"


@pytest.mark.parametrize(
    "heading",
    [
        *("Day 2", "Day 2 (2026-07-15):", "Day 2 (15.07.2026):", "Day 2 (15/7/2026)", "Day 2: July 15, 2026"),
        "Day 2 (July 15)",
        *("Day 2 - 15 July", "Day 2 (Wednesday)", "Day 2, Wed", "Day 2 (07-15)", "Day 2 of 2", "Day 2/2", "Day Two:"),
        *("Day 2 Wednesday", "Day 2 of 2: Wednesday, 15 July 2026", "Day 2: Sunday Market"),
    ],
)  # fmt: skip
def test_a_day_may_be_headed_in_every_usual_way(heading):
    assert findings(headed(heading), "valid_trip_duration", frame(days=2)) == []


@pytest.mark.parametrize(
    "heading",
    [
        *("Day 2 (2026-07-16):", "Day 2 (16.07.2026)", "Day 2 (July 16, 2026)", "Day 2 (July 16)", "Day 2 - 16 July"),
        *("Day 2 (Thursday)", "Day 2 Thursday", "Day 2 (Thursday, 2026-07-15)", "Day 2 (07-16)", "Day Two: July 16"),
        *("Day 2 (9999-99-99)", "Day 2 (0000-01-01)", "Day 2 (26-07-15)", "Day 2 (July 40)"),
    ],
)
def test_a_date_that_is_wrong_or_cannot_be_read_is_a_finding(heading):
    assert len(findings(headed(heading), "valid_trip_duration", frame(days=2))) == 1


@pytest.mark.parametrize(
    "route",
    ["from Aldmoor to Briskhaven to Aldmoor", "Aldmoor - Briskhaven - Aldmoor", "Aldmoor -> Briskhaven -> Aldmoor"],
)
def test_a_day_trip_may_be_headed_with_the_way_there_and_back(route):
    assert passes(day(1, route, T10, T20), "seamless_intercity_transfers", frame(days=1))


def test_the_day_a_sleeper_arrives_may_be_headed_with_the_whole_ride():
    def headed_by(city: str) -> bool:
        return passes(day(1, OUT, Z9) + day(2, city), "seamless_intercity_transfers", frame(days=2))

    assert headed_by(OUT)
    assert headed_by("Briskhaven")
    assert not headed_by(HOME)


@pytest.mark.parametrize(
    ("slot", "starts", "ends"),
    [
        ("24:00-24:10", at(15, "00:00"), at(15, "00:10")),
        ("24:10-08:00", at(15, "00:10"), at(15, "08:00")),
        ("23:30-24:30", at(14, "23:30"), at(15, "00:30")),
    ],
)
def test_minutes_past_twenty_four_are_minutes_past_midnight(slot, starts, ends):
    (event,) = trace(in_town(f"{slot} | attraction | Lantern Row, free")).events

    assert (event.start, event.end) == (starts, ends)
