"""How requirements are scored, and what they read of a plan."""

from datetime import date, datetime
from decimal import Decimal
from fractions import Fraction

import pytest
from tests.trip_plus.toy_trip import frame, sandbox, trace

from tripgauge.checks import CheckResult
from tripgauge.toy import town
from tripgauge.trip_plus.itinerary import Plan
from tripgauge.trip_plus.notation.plan_text import parse_response
from tripgauge.trip_plus.requirements.constraints.dining import NothingBanned
from tripgauge.trip_plus.requirements.constraints.lodging import HotelAmong
from tripgauge.trip_plus.requirements.environment import NoteIncluded
from tripgauge.trip_plus.requirements.preferences.budget import HotelValueFirst, NoExpensiveMeals
from tripgauge.trip_plus.requirements.preferences.comfort import MobilityAccessibility, Pace, SchedulePacing
from tripgauge.trip_plus.requirements.preferences.interest import InterestInSights, InterestLocalFood
from tripgauge.trip_plus.requirements.preferences.transport import AvoidEarlyDeparture, PreferMode
from tripgauge.trip_plus.requirements.requirement import Assessment, Limits, Severity, UncheckedPreference, soft_score
from tripgauge.trip_plus.sandbox.exposure import Exposure, exposure
from tripgauge.trip_plus.sandbox.price_levels import price_levels
from tripgauge.trip_plus.sandbox.words import Phrases
from tripgauge.trip_plus.tasks.queries import read_queries
from tripgauge.trip_plus.trace.joining import execution_trace

TOY = {task.task_id: task for task in read_queries(town.queries_file())}

DAY_TRIP = """\
Day 1 (2026-07-14):
Current City: from Aldmoor to Briskhaven
06:30-08:30 | travel_intercity_public | train T6, Aldmoor Station - Briskhaven Station, Second Class Seat, ¥80/person
09:00-11:00 | attraction | Fort Museum, ¥40/person
11:30-12:30 | meal | lunch, Annie's Kitchen, ¥80/person
13:00-14:30 | attraction | Mint Gallery, ¥20/person
17:00-19:00 | travel_intercity_public | train T20, Briskhaven Station - Aldmoor Station, Second Class Seat, ¥110/person
"""


# --- The town's good answers ------------------------------------------------------------------------------------------


def good_answers():
    for name, text in town.answers().items():
        response = parse_response(text)
        if isinstance(response, Plan):
            task_id, _, turn = name.rpartition("_turn_")
            yield pytest.param(response.itinerary, TOY[task_id].key.states[int(turn)], id=name)


@pytest.mark.parametrize(("itinerary", "state"), list(good_answers()))
def test_a_good_answer_meets_everything_that_is_asked_of_it(itinerary, state):
    """R11: the answers were written for their tasks before there was a check."""
    plan = execution_trace(itinerary, state.frame, sandbox(), state.rest_days, state.expected_weather)

    results = [asked.check(plan) for asked in state.requirements]

    assert {result.check: result.findings for result in results if result.findings} == {}
    assert sum(result.applicable for result in results) > len(results) / 2


# --- Soft scores ------------------------------------------------------------------------------------------------------


def test_limits_part_fine_from_minor_from_major():
    limits = Limits(3, 4)

    assert [limits.severity(value) for value in (3, 3.5, 4, 4.01)] == [
        Severity.NONE,
        Severity.MINOR,
        Severity.MINOR,
        Severity.MAJOR,
    ]


def test_the_worst_figure_decides():
    """Starting at 06:30 is an hour and a half too early, everything else is well."""
    result = SchedulePacing(Pace.RELAXED).check(trace(DAY_TRIP, frame(days=1)))

    levels = {signal.measure: signal.severity for signal in result.signals}

    assert levels["early_start_hours_before_08"] is Severity.MAJOR
    assert levels["max_daily_attraction_count"] is Severity.NONE
    assert result.level == 0


def test_the_soft_score_is_a_mean_of_families_each_a_mean_of_preferences():
    """By hand: comfort (0 + 1) / 2, transport (1/2 + 1) / 2, interest (1 + 1 + 0) / 3; a mean of the three."""
    preferences = {
        SchedulePacing(Pace.RELAXED),  # 0: starts too early
        MobilityAccessibility(),  # 1
        AvoidEarlyDeparture(),  # 1/2
        PreferMode("transport_prefer_train"),  # 1
        InterestInSights("interest_culture"),  # 1: both
        InterestLocalFood(),  # 1: the one meal there is
        InterestInSights("interest_shopping"),  # 0
    }

    score = soft_score(preferences, trace(DAY_TRIP, frame(days=1)))

    assert {family.name: family.score for family in score.parts} == {
        "comfort_and_pace": Fraction(1, 2),
        "transport_convenience": Fraction(3, 4),
        "interest_match": Fraction(2, 3),
    }
    assert score.score == (Fraction(1, 2) + Fraction(3, 4) + Fraction(2, 3)) / 3


def test_a_family_in_which_nothing_applies_is_left_out():
    """No night is to be spent anywhere on a day trip."""
    score = soft_score({HotelValueFirst(), InterestLocalFood()}, trace(DAY_TRIP, frame(days=1)))

    assert score.score == 1


def test_no_preference_at_all_is_no_score():
    assert soft_score((), trace(DAY_TRIP, frame(days=1))).score is None


def test_a_preference_that_no_check_knows_changes_no_score():
    unknown = UncheckedPreference("speaks_esperanto", "nobody knows how to tell")

    score = soft_score({InterestLocalFood(), unknown}, trace(DAY_TRIP, frame(days=1)))

    assert score.score == 1
    assert unknown.check(trace(DAY_TRIP, frame(days=1))).note == "cannot be checked: nobody knows how to tell"


def test_an_assessment_counts_as_an_item_only_at_the_full_level():
    half = Assessment("x", True, severity=Severity.MINOR)

    assert (half.score, half.level) == (Fraction(1, 2), Fraction(1, 2))
    assert Assessment("x", False, severity=Severity.MAJOR).score is None
    assert CheckResult("x", True).score == 1


# --- What they read ---------------------------------------------------------------------------------------------------


def test_legs_that_go_on_from_a_place_of_no_stay_are_one_passage():
    plan = trace(
        """\
Day 1 (2026-07-14):
Current City: from Aldmoor to Briskhaven
09:00-10:30 | travel_intercity_public | train K21, Aldmoor Station - Crossley Junction, Hard Seat, ¥400/person
11:30-13:00 | travel_intercity_public | train K22, Crossley Junction - Briskhaven Station, Hard Seat, ¥400/person
17:00-19:00 | travel_intercity_public | train T20, Briskhaven Station - Aldmoor Station, Second Class Seat, ¥110/person
""",
        frame(days=1),
    )

    out, home = plan.passages

    assert (out.changes, out.outbound, out.inbound) == (1, True, False)
    assert (out.departure, out.arrival) == (datetime(2026, 7, 14, 9), datetime(2026, 7, 14, 13))
    assert (home.changes, home.outbound, home.inbound) == (0, False, True)


def test_true_prices_are_the_sandbox_s_where_it_knows_them():
    """Two people: fares 2 * 190, meals 2 * 80, tickets 2 * 60, whatever the plan claims."""
    claimed = DAY_TRIP.replace("¥80/person", "¥1/person").replace("¥40/person", "¥1/person")

    plan = trace(claimed, frame(days=1))

    assert plan.true_cost.total == 2 * 190 + 2 * 80 + 2 * 60
    assert plan.cost.total == 2 * (1 + 110) + 2 * 1 + 2 * (1 + 20)


def test_free_time_beside_a_train_is_no_pause_and_the_night_no_stay():
    plan = trace(
        """\
Day 1 (2026-07-14):
Current City: from Aldmoor to Briskhaven
07:30-08:00 | buffer | ticket check
08:00-10:00 | travel_intercity_public | train T10, Aldmoor Station - Briskhaven Station, Second Class Seat, ¥100/person
10:00-10:15 | buffer | leaving the station
11:00-12:00 | attraction | Fort Museum, ¥40/person
12:00-13:00 | buffer | a bench in the sun
14:00-15:00 | hotel | rest, Quay Inn
20:00-21:00 | hotel | rest, Quay Inn
""",
    )

    assert [event.label for event in plan.pauses] == ["12:00-13:00 a bench in the sun"]
    assert [event.label for event in plan.stays] == ["14:00-15:00 rest at Quay Inn"]


@pytest.mark.parametrize(
    ("name", "where"),
    [
        ("Fort Museum", Exposure.INDOORS),
        ("Tide Aquarium", Exposure.INDOORS),  # though its type says park
        ("Fern Garden", Exposure.OUTDOORS),
        ("Lantern Row", Exposure.OUTDOORS),
        ("Pier Market", Exposure.UNKNOWN),
    ],
)
def test_a_sight_is_under_a_roof_or_not_by_what_the_tables_say(name: str, where: Exposure):
    assert exposure(sandbox().attraction(name), name) is where


def test_a_sight_that_the_tables_do_not_know_is_judged_by_its_name():
    assert exposure(None, "Moon Lake") is Exposure.OUTDOORS
    assert exposure(None, "Moonlake") is Exposure.UNKNOWN


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Lake Park", "park"),
        ("Lake parks", "parks"),
        ("LAKE PARK", "park"),
        ("a Hot-Pot house", "hot-pot"),
        ("hot  pot", "hot  pot"),
        ("parking", ""),
        ("spark", ""),
        ("hot soup, pot roast", ""),
        ("", ""),
    ],
)
def test_only_whole_words_and_phrases_are_found(text: str, found: str):
    assert Phrases(("park", "hot pot")).found_in(text) == found


def test_nothing_to_look_for_is_found_nowhere():
    assert Phrases(()).found_in("Lake Park") == ""


def test_price_levels_lie_on_straight_lines_between_prices():
    """Published example: of 50, 150 and 80 half lie below 80, three quarters below 115, nine tenths below 136."""
    levels = price_levels([Decimal(50), None, Decimal(150), Decimal(80)])

    assert levels is not None
    assert (levels.median, levels.upper_quartile, levels.top_tenth) == (80, 115, 136)
    assert price_levels([None]) is None


def test_prices_of_another_city_are_no_measure():
    """The Quay Inn in Aldmoor costs 340; the three hotels of Briskhaven 180, 300 and 480."""
    levels = sandbox().hotel_prices

    assert levels is not None
    assert (levels.median, levels.upper_quartile) == (300, 390)


# --- Near names and spellings -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("spelling", ["Annie’s Kitchen", "annie's kitchen", "Ａnnie's Kitchen", "[Annie's Kitchen]"])
def test_a_place_is_known_in_every_spelling(spelling: str):
    plan = trace(DAY_TRIP.replace("Annie's Kitchen", spelling), frame(days=1))

    assert InterestLocalFood().check(plan).passed


def test_the_hotel_of_the_same_name_in_another_city_is_another_hotel():
    plan = trace(
        """\
Day 1 (2026-07-14):
Current City: from Aldmoor to Briskhaven
Accommodation: Quay Inn, ¥300/room/night
08:00-10:00 | travel_intercity_public | train T10, Aldmoor Station - Briskhaven Station, Second Class Seat, ¥100/person
20:00-21:00 | hotel | rest, Quay Inn
Day 2 (2026-07-15):
Current City: from Briskhaven to Aldmoor
17:00-19:00 | travel_intercity_public | train T20, Briskhaven Station - Aldmoor Station, Second Class Seat, ¥110/person
""",
        frame(days=2),
    )

    assert plan.nights[0].hotel is sandbox().hotel("Quay Inn", "Briskhaven")
    assert HotelAmong("hotel_turn_added", frozenset({"Quay Inn"})).check(plan).passed


def test_prices_claimed_too_low_are_no_value():
    plan = trace(DAY_TRIP.replace("Annie's Kitchen, ¥80", "Barrel House, ¥20"), frame(days=1))

    assert NoExpensiveMeals("meal_avoid_expensive").level(plan) == 0


# --- Sentences --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        (
            HotelAmong("hotel_cheapest_brand", frozenset({"Quay Inn"}), "Tidewater"),
            "Every night is spent at the cheapest hotel of the brand (Tidewater): Quay Inn.",
        ),
        (
            NothingBanned(frozenset({"Hot Pot", "Sichuan cuisine", "Spicy"})),
            "No meal is at a restaurant that stands for hot pot, sichuan and spicy.",
        ),
        (
            NoteIncluded("include_traffic_buffer_note", frozenset({"traffic"})),
            "The plan says how it allows for traffic: traffic.",
        ),
        (SchedulePacing(Pace.RELAXED), "The days are relaxed: no fuller, longer, earlier or later than that."),
    ],
)
def test_a_requirement_says_what_it_asks_with_its_parameters(asked, sentence):
    assert asked.sentence() == sentence


def test_a_finding_names_day_item_expected_and_found():
    plan = trace(DAY_TRIP, frame(days=1, depart=date(2026, 7, 14)))

    (finding,) = AvoidEarlyDeparture().check(plan).findings

    assert finding.day == 1
    assert finding.item == "06:30-08:30 T6"
    assert str(finding) == "Day 1: 06:30-08:30 T6 departs early"
