"""Inputs at which other checkers fail, each beside a twin that differs in one fact and must get the other verdict.

All play in the toy town (docs/toy-town.md). Requirements R1 and R5 of the field's complaints are meant where named.
"""

from datetime import date

import pytest
from tests.trip_plus.toy_trip import failed, findings, frame, results, sandbox, score, trace

from tripgauge.trip_plus.feasibility.score import feasibility
from tripgauge.trip_plus.itinerary import Plan, Unreadable
from tripgauge.trip_plus.notation.plan_text import parse_plan, parse_response
from tripgauge.trip_plus.trace.joining import execution_trace

OUT = """\
Day 1 (2026-07-14):
Current City: from Aldmoor to Briskhaven
Accommodation: Quay Inn, ¥300/room/night
07:30-08:00 | buffer | ticket check
08:00-10:00 | travel_intercity_public | train T10, Aldmoor Station - Briskhaven Station, Second Class Seat, ¥100/person
10:00-10:15 | buffer | leaving the station
"""

BACK = """\
16:30-17:00 | buffer | ticket check
17:00-19:00 | travel_intercity_public | train T20, Briskhaven Station - Aldmoor Station, Second Class Seat, ¥110/person
19:00-19:15 | buffer | leaving the station
"""

QUIET_DAY = """\
09:40-09:50 | travel_city | Quay Inn - Fort Museum, taxi, 3km, 10min, ¥10
09:50-11:50 | attraction | Fort Museum, ¥40/person
11:50-12:00 | travel_city | Fort Museum - Annie's Kitchen, walking, 0.8km, 10min, ¥0
12:00-13:00 | meal | lunch, Annie's Kitchen, ¥80/person
13:00-13:10 | travel_city | Annie's Kitchen - Quay Inn, taxi, 3km, 10min, ¥10
13:10-17:00 | hotel | rest, Quay Inn
17:00-17:10 | travel_city | Quay Inn - Pepper Yard, walking, 0.8km, 10min, ¥0
17:10-18:20 | meal | dinner, Pepper Yard, ¥60/person
18:20-18:30 | travel_city | Pepper Yard - Quay Inn, walking, 0.8km, 10min, ¥0
18:30-19:30 | hotel | rest, Quay Inn
"""


# --- 1. Night on the train -------------------------------------------------------------------------------------------

SLEEPER = """\
Day 1 (2026-07-14):
Current City: from Aldmoor to Briskhaven
Accommodation: -
22:10-22:40 | buffer | ticket check
22:40-06:55 | travel_intercity_public | train Z9, Aldmoor Station - Briskhaven Station, Hard Sleeper, ¥180/person
Day 2 (2026-07-15):
Current City: Briskhaven
Accommodation: Quay Inn, ¥300/room/night
{morning}
{day}
Day 3 (2026-07-16):
Current City: from Briskhaven to Aldmoor
Accommodation: -
10:00-10:15 | hotel | check-out, Quay Inn
10:15-10:25 | travel_city | Quay Inn - Fort Museum, taxi, 3km, 10min, ¥10
10:25-12:00 | attraction | Fort Museum, ¥40/person
12:00-12:10 | travel_city | Fort Museum - Annie's Kitchen, walking, 0.8km, 10min, ¥0
12:10-13:10 | meal | lunch, Annie's Kitchen, ¥80/person
13:10-13:30 | travel_city | Annie's Kitchen - Briskhaven Station, taxi, 8km, 20min, ¥21
{back}
"""

AFTER_ARRIVAL = """\
06:55-07:10 | buffer | leaving the station
07:10-07:30 | travel_city | Briskhaven Station - Quay Inn, taxi, 8km, 20min, ¥21
07:30-09:40 | hotel | rest, Quay Inn"""


def test_a_night_on_the_train_needs_no_hotel():
    plan = SLEEPER.format(morning=AFTER_ARRIVAL, day=QUIET_DAY, back=BACK)

    assert failed(plan) == {"cost_calculation_correctness"}, "only the budget summary is left out"
    assert sum(night.needs_bed for night in trace(plan).nights) == 1
    assert trace(plan).cost.accommodation == 300


def test_a_visit_while_the_train_still_moves_overlaps_across_midnight():
    morning = "06:00-06:50 | attraction | Signal Hill, ¥0/person\n" + AFTER_ARRIVAL
    plan = SLEEPER.format(morning=morning, day=QUIET_DAY, back=BACK)

    said = findings(plan, "no_time_overlaps")

    assert any("Signal Hill" in text and "Z9" in text and "55 minutes" in text for text in said)


# --- 2. A service that does not run that day -------------------------------------------------------------------------


def flight(number: str, price: int, times: str = "08:00-10:00") -> str:
    return f"""\
Day 1 (2026-07-14):
Current City: from Aldmoor to Briskhaven
06:30-08:00 | buffer | check-in
{times} | travel_intercity_public | flight {number}, Aldmoor Airport - Briskhaven Airport, Economy, ¥{price}/person
"""


def test_a_flight_of_may_and_november_does_not_run_in_july():
    assert findings(flight("CX1", 500), "validated_transportation") == [
        "Day 1: CX1 does not run on 14 July 2026; nearest 2 May 2026"
    ]


def test_the_same_flight_on_its_day_is_accepted():
    plan = flight("CX1", 500).replace("2026-07-14", "2026-05-02")

    assert findings(plan, "validated_transportation", frame(depart=date(2026, 5, 2))) == []


def test_a_flight_that_runs_that_day_is_accepted():
    assert findings(flight("CX2", 520, "10:00-12:00"), "validated_transportation") == []


def test_the_fare_of_another_date_is_wrong_but_the_flight_exists():
    assert findings(flight("CX3", 500, "12:00-14:00"), "validated_transportation") == [
        "Day 1: CX3 costs ¥900 on 14 July 2026, not ¥500"
    ]
    assert findings(flight("CX3", 900, "12:00-14:00"), "validated_transportation") == []


def test_the_right_number_at_other_times_or_airports_does_not_run_like_this():
    moved = flight("CX2", 520, "11:00-13:00")
    rerouted = flight("CX2", 520, "10:00-12:00").replace("Briskhaven Airport", "Briskhaven Station")

    for plan in (moved, rerouted):
        (said,) = findings(plan, "validated_transportation")
        assert "CX2 does not run like this on 14 July 2026; it goes 10:00-12:00" in said


# --- 3. The dash -----------------------------------------------------------------------------------------------------

SPELLINGS = [
    "{}-{}",
    "{}–{}",
    "{}—{}",
    "{}~{}",
    "{} - {}",
    "{} to {}",
    "{}:00-{}:00",
    "{}−{}",
]


def two_visits(first: tuple[str, str], second: tuple[str, str], spelling: str = "{}-{}") -> str:
    return f"""\
Day 1 (2026-07-14):
Current City: Briskhaven
{spelling.format(*first)} | attraction | Fort Museum, ¥40/person
{spelling.format(*second)} | attraction | Fern Garden, ¥15/person
"""


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_an_overlap_is_seen_however_the_times_are_written(spelling):
    overlapping = two_visits(("09:00", "12:00"), ("10:00", "11:00"), spelling)
    apart = two_visits(("09:00", "12:00"), ("13:00", "14:00"), spelling)

    assert len(findings(overlapping, "no_time_overlaps")) == 1
    assert findings(apart, "no_time_overlaps") == []


@pytest.mark.parametrize(
    ("first", "overlapping", "apart"),
    [
        (("9:00 AM", "12:00 PM"), ("10:00 AM", "11:00 AM"), ("1:00 PM", "2:00 PM")),
        (("９：００", "１２：００"), ("１０：００", "１１：００"), ("１３：００", "１４：００")),
        (("9:00", "12:00"), ("10:00", "11:00"), ("13:00", "14:00")),
    ],
)
def test_an_overlap_is_seen_in_other_clocks_and_digits(first, overlapping, apart):
    assert len(findings(two_visits(first, overlapping), "no_time_overlaps")) == 1
    assert findings(two_visits(first, apart), "no_time_overlaps") == []


def test_a_time_that_cannot_be_read_is_its_own_failure_and_no_other():
    plan = """\
Day 1 (2026-07-14):
Current City: Briskhaven
noonish | attraction | Fort Museum, ¥40/person
12:30-13:30 | meal | lunch, Annie's Kitchen, ¥80/person
14:00-15:30 | attraction | Mint Gallery, ¥20/person
"""
    said = results(plan)

    assert said["readable_activities"].score == 0
    assert said["attraction_visit_within_opening_hours"].score == 1
    assert said["reasonable_duration_at_attractions"].score == 1
    assert said["validated_attractions"].score == 1


# --- 4. Leaving before the end ---------------------------------------------------------------------------------------


def museum(leaves: str) -> str:
    return (
        OUT
        + f"""\
10:15-10:35 | travel_city | Briskhaven Station - Fort Museum, taxi, 8km, 20min, ¥21
10:40-12:10 | attraction | Fort Museum, ¥40/person
{leaves} | travel_city | Fort Museum - Quay Inn, taxi, 3km, 10min, ¥10
"""
    )


def test_leaving_a_museum_before_the_visit_ends_is_impossible():
    assert findings(museum("10:50-11:00"), "no_time_overlaps") == [
        "Day 1: leaves Fort Museum at 10:50, 80 minutes before its visit ends"
    ]
    assert findings(museum("12:15-12:25"), "no_time_overlaps") == []


def test_a_taxi_before_the_train_arrives_is_impossible():
    plan = OUT + "09:00-09:20 | travel_city | Briskhaven Station - Fort Museum, taxi, 8km, 20min, ¥21\n"

    assert len(findings(plan, "no_time_overlaps")) == 1


def test_a_lunch_listed_after_an_afternoon_visit_but_timed_before_it_runs_backwards():
    lines = [
        "14:00-15:30 | attraction | Fort Museum, ¥40/person",
        "12:00-13:00 | meal | lunch, Annie's Kitchen, ¥80/person",
    ]
    head = "Day 1 (2026-07-14):\nCurrent City: Briskhaven\n"

    assert findings(head + "\n".join(lines), "no_time_overlaps")
    assert findings(head + "\n".join(reversed(lines)), "no_time_overlaps") == []


# --- 5. Where do you sleep? ------------------------------------------------------------------------------------------


def four_days(nights: tuple[str, str, str], morning: str = "", city: str = "Briskhaven") -> str:
    def stay(hotel: str) -> str:
        return f"Accommodation: {hotel}, ¥300/room/night" if hotel != "-" else "Accommodation: -"

    first, second, third = nights
    return f"""\
{OUT.replace("Accommodation: Quay Inn, ¥300/room/night", stay(first))}
20:00-21:00 | hotel | rest, Quay Inn
Day 2 (2026-07-15):
Current City: {city}
{stay(second)}
{QUIET_DAY}
Day 3 (2026-07-16):
Current City: Briskhaven
{stay(third)}
{QUIET_DAY}
Day 4 (2026-07-17):
Current City: from Briskhaven to Aldmoor
Accommodation: -
{morning}
{BACK}
"""


FOUR = frame(days=4)


def test_nights_without_a_hotel_are_named():
    plan = four_days(("Quay Inn", "-", "-"))

    assert findings(plan, "traceable_accommodation", FOUR) == [
        "Day 2: no hotel for the night after day 2",
        "Day 3: no hotel for the night after day 3",
    ]


def test_checking_out_on_the_last_morning_is_no_fourth_night():
    plan = four_days(("Quay Inn", "Quay Inn", "Quay Inn"), "09:00-09:15 | hotel | check-out, Quay Inn")

    assert findings(plan, "traceable_accommodation", FOUR) == []
    assert findings(plan, "ends_with_accommodation", FOUR) == []
    assert trace(plan, FOUR).cost.accommodation == 3 * 300


def test_a_hotel_of_the_same_name_in_another_city_is_no_bed_here():
    plan = four_days(("Quay Inn", "Quay Inn", "Quay Inn"), city="Aldmoor")

    assert findings(plan, "day_boundary_continuity", FOUR) == [
        "Day 1: sleeps in Briskhaven, but day 2 begins in Aldmoor",
        "Day 2: sleeps at Quay Inn in Aldmoor, but is in Briskhaven that night",
    ]


def test_a_day_trip_needs_no_hotel():
    plan = OUT.replace("Accommodation: Quay Inn, ¥300/room/night", "Accommodation: -") + BACK
    said = results(plan, frame(days=1))

    assert {said[check].score for check in ("traceable_accommodation", "ends_with_accommodation")} == {None}
    assert said["validated_accommodation"].score is None


# --- 6. Two journeys in one day --------------------------------------------------------------------------------------

TWO_FARES = """\
Day 1 (2026-07-14):
Current City: from Aldmoor to Briskhaven
07:30-08:00 | buffer | ticket check
08:00-10:00 | travel_intercity_public | train T10, Aldmoor Station - Briskhaven Station, Second Class Seat, ¥100/person
10:00-10:15 | buffer | leaving
19:30-20:00 | buffer | ticket check
20:00-22:00 | travel_intercity_public | train T30, Briskhaven Station - Aldmoor Station, Second Class Seat, ¥300/person
22:00-22:15 | buffer | leaving
Budget Summary:
Transportation: {transportation} RMB
Total Estimated Budget: {transportation} RMB
"""

CONNECTION = """\
Day 1 (2026-07-14):
Current City: from Aldmoor to Briskhaven
08:30-09:00 | buffer | ticket check
09:00-10:30 | travel_intercity_public | train K21, Aldmoor Station - Crossley Junction, Hard Seat, ¥400/person
11:30-13:00 | travel_intercity_public | train K22, Crossley Junction - Briskhaven Station, Hard Seat, ¥400/person
13:00-13:15 | buffer | leaving
"""


def test_two_journeys_in_one_day_are_two_fares():
    day_trip = frame(days=1)

    assert trace(TWO_FARES.format(transportation=800), day_trip).cost.transportation == 800
    assert findings(TWO_FARES.format(transportation=800), "cost_calculation_correctness", day_trip) == []
    assert findings(TWO_FARES.format(transportation=200), "cost_calculation_correctness", day_trip)


def test_two_legs_sold_as_one_route_are_one_fare():
    assert trace(CONNECTION).cost.transportation == 800
    assert findings(CONNECTION, "validated_transportation") == []


def test_a_connection_needs_no_buffer_between_its_legs_beyond_the_wait():
    assert findings(CONNECTION, "intercity_buffer_adequacy") == []


# --- 7. The empty plan, the long plan --------------------------------------------------------------------------------


def idle(days: int) -> str:
    lines = [
        f"Day {day} (2026-07-{13 + day}):\nCurrent City: Briskhaven\nAccommodation: -" for day in range(1, days + 1)
    ]
    return "\n".join([*lines, "Budget Summary:\nTotal Estimated Budget: 0 RMB"])


def hotel_nights(days: int) -> str:
    lines = []
    for day in range(1, days + 1):
        stay = "Quay Inn, ¥300/room/night" if day < days else "-"
        lines.append(f"Day {day} (2026-07-{13 + day}):\nCurrent City: Briskhaven\nAccommodation: {stay}")
        lines.append("10:00-18:00 | buffer | free time")
        if day < days:
            lines.append("20:00-22:00 | hotel | rest, Quay Inn")
    total = 300 * (days - 1)
    return "\n".join([*lines, f"Budget Summary:\nAccommodation: {total} RMB\nTotal Estimated Budget: {total} RMB"])


@pytest.mark.parametrize("days", [1, 2, 3, 4, 6])
def test_a_plan_of_empty_days_scores_nothing(days):
    assert score(idle(days), frame(days=days)) == 0


@pytest.mark.parametrize("days", [2, 3, 4, 6])
def test_hotel_nights_without_ever_travelling_score_little(days):
    assert 0 < score(hotel_nights(days), frame(days=days)) < 0.35


def test_a_legal_quiet_day_passes():
    plan = four_days(("Quay Inn", "Quay Inn", "Quay Inn"))

    said = findings(plan, "essential_attraction_coverage", FOUR) + findings(plan, "essential_meal_coverage", FOUR)

    assert said
    assert not [text for text in said if "Day 2" in text or "Day 3" in text]
    assert findings(plan, "valid_trip_duration", FOUR) == []


def test_a_fourth_day_in_a_three_day_trip_is_rejected():
    plan = four_days(("Quay Inn", "Quay Inn", "Quay Inn"))

    assert findings(plan, "valid_trip_duration", frame(days=3)) == ["Day 4: day 4 is beyond the end of the trip"]


def test_a_day_with_only_a_hotel_is_idle_unless_the_task_asks_for_rest():
    plan = four_days(("Quay Inn", "Quay Inn", "Quay Inn")).replace(
        QUIET_DAY, "12:00-18:00 | hotel | rest, Quay Inn\n", 1
    )

    assert findings(plan, "valid_trip_duration", FOUR) == [
        "Day 2: nothing happens on this day: no travel, no sight, no meal"
    ]
    asked = feasibility(execution_trace(parse_plan(plan), FOUR, sandbox(), rest_days=frozenset({2})))
    (duration,) = [result for result in asked.results if result.check == "valid_trip_duration"]
    assert duration.passed


def test_a_plan_and_a_question_are_two_modes_whichever_comes_last():
    plan = f"<plan>\n{OUT}</plan>"
    question = "<clarification>Which hotel?</clarification>"

    for text in (f"{plan}\n{question}", f"{question}\n{plan}"):
        response = parse_response(text)
        assert isinstance(response, Unreadable)
        assert response.fault.reason == "more than one response mode"


def test_a_plan_that_quotes_the_word_clarification_is_a_plan():
    plan = OUT + "10:15-11:00 | buffer | waiting for clarification of the room\n"

    assert isinstance(parse_response(f"<plan>\n{plan}</plan>"), Plan)


def test_an_activity_that_fits_no_type_is_a_fault_and_not_skipped():
    """R5."""
    plan = OUT + "12:00-13:00 | teleport | to the moon\n"

    (said,) = findings(plan, "readable_activities")
    assert "teleport" in said
