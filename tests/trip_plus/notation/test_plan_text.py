"""Reading what agents answer: the mode of an answer, and the plan in it."""

import json
import os
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.trip_plus.strategies import itineraries

from tripgauge.trip_plus.itinerary import (
    Activity,
    Budget,
    Buffer,
    CityLabel,
    Clarification,
    Day,
    Fault,
    HotelStop,
    IntercityLeg,
    Itinerary,
    LocalTransfer,
    Lodging,
    Meal,
    Misfit,
    NoSolution,
    Plan,
    Response,
    TimeSlot,
    Unreadable,
    Visit,
)
from tripgauge.trip_plus.notation.plan_text import format_plan, format_response, parse_plan, parse_response

BRISKHAVEN = """\
Day 1 (2026-07-14):
Current City: from Aldmoor to Briskhaven
Accommodation: Quay Inn, ¥300/room/night
08:00-10:00 | travel_intercity_public | flight CX1, Aldmoor Airport - Briskhaven Airport, Economy, ¥500/person
10:30-10:55 | travel_city | Briskhaven Airport - Fort Museum, taxi, 12.5km, 25min, ¥40
11:00-12:30 | attraction | Fort Museum, ¥40/person
12:40-13:40 | meal | lunch, Annie's Kitchen, ¥80/person
14:00-14:30 | hotel | check-in, Quay Inn
14:30-15:00 | buffer | a short rest

Day 2 (2026-07-15):
Current City: Briskhaven
Accommodation: -
18:00-00:00 | attraction | Pier Market, ¥0/person

**Budget Summary**:
**Transportation: 2,080 RMB**
**Accommodation: 300 RMB**
**Meals: 160 RMB**
**Attractions & Tickets: 80 RMB**
**Other: 0 RMB**
**Total Estimated Budget: 2,620 RMB**
"""

BRISKHAVEN_RECORDS = Itinerary(
    days=(
        Day(
            number=1,
            date=date(2026, 7, 14),
            city=CityLabel("Aldmoor", "Briskhaven"),
            lodging=Lodging("Quay Inn", Decimal(300)),
            activities=(
                IntercityLeg(
                    slot=TimeSlot(480, 600),
                    mode="flight",
                    number="CX1",
                    origin="Aldmoor Airport",
                    destination="Briskhaven Airport",
                    seat_class="Economy",
                    price=Decimal(500),
                ),
                LocalTransfer(
                    slot=TimeSlot(630, 655),
                    origin="Briskhaven Airport",
                    destination="Fort Museum",
                    mode="taxi",
                    distance_km=12.5,
                    duration_minutes=25.0,
                    price=Decimal(40),
                ),
                Visit(slot=TimeSlot(660, 750), attraction="Fort Museum", price=Decimal(40)),
                Meal(slot=TimeSlot(760, 820), meal="lunch", restaurant="Annie's Kitchen", price=Decimal(80)),
                HotelStop(slot=TimeSlot(840, 870), purpose="check-in", hotel="Quay Inn"),
                Buffer(slot=TimeSlot(870, 900), description="a short rest"),
            ),
        ),
        Day(
            number=2,
            date=date(2026, 7, 15),
            city=CityLabel("Briskhaven", "Briskhaven"),
            lodging=None,
            activities=(Visit(slot=TimeSlot(1080, 1440), attraction="Pier Market", price=Decimal(0)),),
        ),
    ),
    budget=Budget(Decimal(2080), Decimal(300), Decimal(160), Decimal(80), Decimal(0), Decimal(2620)),
)

SHORT_PLAN = "Day 1:\n10:30-12:00 | attraction | Fort Museum, ¥40/person"


def read_row(row: str) -> Activity:
    """The one activity of a day with one row."""
    (day,) = parse_plan(f"Day 1:\n{row}").days
    (activity,) = day.activities
    return activity


def read_day(*lines: str) -> Day:
    (day,) = parse_plan("\n".join(lines)).days
    return day


def fault_of(response: Response) -> str:
    assert isinstance(response, Unreadable)
    return response.fault.reason


# Modes


def test_a_plan_in_published_notation_becomes_records():
    assert parse_response(f"<plan>\n{BRISKHAVEN}</plan>") == Plan(BRISKHAVEN_RECORDS)


def test_a_question_between_tags_is_a_clarification():
    assert parse_response("<clarification>\nWhich day?\n</clarification>") == Clarification("Which day?")


def test_a_refusal_between_tags_is_no_solution():
    assert parse_response("<no_solution>Too dear.</no_solution>") == NoSolution("Too dear.")


@pytest.mark.parametrize(
    "answer",
    [
        f"<PLAN>\n{SHORT_PLAN}\n</Plan>",
        f'<plan version="2">\n{SHORT_PLAN}\n</plan>',
        f"<plan>\n{SHORT_PLAN}\n</plan >",
        f"<plan>\n{SHORT_PLAN}",
        f"<plan>\n<plan>\n{SHORT_PLAN}\n</plan>\n</plan>",
        f"Here it is: <plan>\n{SHORT_PLAN}\n</plan> Enjoy!",
        f"```\n<plan>\n{SHORT_PLAN}\n</plan>\n```",
        f"<think>Perhaps <clarification>which?</clarification></think><plan>\n{SHORT_PLAN}\n</plan>",
        f"a draft: <plan>\nDay 1:\n</plan> no</think>\n<plan>\n{SHORT_PLAN}\n</plan>",
        f"<|channel>thought<channel|><plan>\n{SHORT_PLAN}\n</plan>",
        f'<|tool_call>call:search{{q:"<clarification>x</clarification>"}}<tool_call|><plan>\n{SHORT_PLAN}\n</plan>',
        SHORT_PLAN,
        f"```\n{SHORT_PLAN}\n```",
        f"Shall I book it?\n{SHORT_PLAN}",
    ],
)
def test_a_plan_is_a_plan_however_it_is_wrapped(answer: str):
    assert parse_response(answer) == Plan(parse_plan(SHORT_PLAN))


def test_a_plan_and_a_question_are_two_modes_in_either_order():
    plan, question = f"<plan>\n{SHORT_PLAN}\n</plan>", "<clarification>Which hotel?</clarification>"

    assert fault_of(parse_response(f"{plan}\n{question}")) == "more than one response mode"
    assert fault_of(parse_response(f"{question}\n{plan}")) == "more than one response mode"
    assert fault_of(parse_response(f"{plan} {question}")) == "more than one response mode"
    assert fault_of(parse_response(f"<plan>\n{SHORT_PLAN}\n{question}\n</plan>")) == "more than one response mode"
    assert fault_of(parse_response(f"{plan}\n<clarification>\nWhich hotel?")) == "more than one response mode"
    assert fault_of(parse_response(f"{plan}\n<no_solution>or not</no_solution>")) == "more than one response mode"


@pytest.mark.parametrize(
    "answer",
    [
        f"<plan>\n{SHORT_PLAN}\n12:00-12:30 | buffer | time for clarification of the bill\n</plan>",
        f"<plan>\n{SHORT_PLAN}\n12:00-12:30 | buffer | no <clarification> needed\n</plan>",
        f"<plan>\n{SHORT_PLAN}\n12:00-12:30 | buffer | see <clarification>the bill</clarification>\n</plan>",
        f"I need no `<clarification>` here.\n<plan>\n{SHORT_PLAN}\n</plan>",
        f'Not a "<clarification>question</clarification>" but\n<plan>\n{SHORT_PLAN}\n</plan>',
        f"Instead of <clarification> I answer with a plan.\n<plan>\n{SHORT_PLAN}\n</plan>",
        f"<clarification></clarification>\n<plan>\n{SHORT_PLAN}\n</plan>",
    ],
)
def test_a_plan_that_merely_quotes_a_question_stays_a_plan(answer: str):
    assert isinstance(parse_response(answer), Plan)


def test_two_plans_are_one_too_many():
    plan = f"<plan>\n{SHORT_PLAN}\n</plan>"

    assert fault_of(parse_response(f"{plan}\nBetter:\n{plan}")) == "more than one plan"
    assert isinstance(parse_response(plan), Plan)


def test_r7_a_draft_before_the_real_plan_is_a_fault_of_its_own():
    draft = "Day 1:\n08:00-09:00 | buffer | first idea\n"

    assert fault_of(parse_response(f"<plan>\n{draft}{SHORT_PLAN}\n</plan>")) == (
        "more than one plan: the days begin again"
    )
    assert fault_of(parse_response(draft + SHORT_PLAN)) == "more than one plan: the days begin again"
    assert isinstance(parse_response(f"{draft}{SHORT_PLAN.replace('Day 1', 'Day 2')}"), Plan)


def test_morning_and_afternoon_of_one_day_are_no_second_draft():
    day = read_day(
        "Day 1 - Morning",
        "10:30-12:00 | attraction | Fort Museum, ¥40/person",
        "Day 1 - Afternoon",
        "14:00-15:00 | attraction | Pier Market, free",
    )

    assert len(day.activities) == 2


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("", "empty answer"),
        ("<think>still thinking", "empty answer"),
        ("<plan></plan>", "empty plan"),
        ("<plan>", "empty plan"),
        ("<clarification> \n </clarification>", "empty clarification"),
        ("<no_solution></no_solution>", "empty no solution"),
        ("<plan>I cannot do that.</plan>", "a plan without days"),
        ("I cannot help with that.", "no response mode"),
        ("Could you please tell me which meal to change?", "no response mode"),
        ("Day 1:\nCurrent City: Briskhaven", "no response mode"),
        ("On day 1 you arrive at 10:00.", "no response mode"),
    ],
)
def test_an_answer_in_no_mode_says_what_is_wrong_with_it(answer: str, reason: str):
    assert fault_of(parse_response(answer)) == reason


def test_an_empty_day_in_tags_is_a_plan_for_the_checks_to_judge():
    assert parse_response("<plan>\nDay 1:\n</plan>") == Plan(Itinerary((Day(1, None, None, None, ()),)))


# Days


@pytest.mark.parametrize(
    "heading",
    ["Day 1 (2026-07-14):", "Day 1: 2026-07-14", "**Day 1 (2026-07-14):**", "**Day 1: 2026-07-14**",
     "## Day 1 2026-07-14", "### **Day 1: 2026-07-14**", "- Day 1 (2026-07-14)", "DAY 1 - 2026/07/14",
     "Day １（2026-07-14）：", "📅 Day 1 – July 14, 2026", "Day 1 (14 July 2026)", "| Day 1 | 2026-07-14 |",
     "__Day 1__: 2026.7.14"],
)  # fmt: skip
def test_a_day_may_be_headed_in_any_usual_form(heading: str):
    day = read_day(heading, "10:30-12:00 | attraction | Fort Museum, ¥40/person")

    assert (day.number, day.date, day.faults, len(day.activities)) == (1, date(2026, 7, 14), (), 1)


@pytest.mark.parametrize("heading", ["Day 1:", "Day 1", "**Day 1: Arrival**", "Day 1 (July 14)"])
def test_a_heading_without_a_full_date_has_none(heading: str):
    assert (read_day(heading).date, read_day(heading).faults) == (None, ())


def test_a_day_the_calendar_does_not_have_is_a_fault():
    assert read_day("Day 1 (2026-02-30):").faults == (Fault("date", "2026-02-30", "no such day"),)


@pytest.mark.parametrize(
    "prose", ["Day 1 is for resting.", "Day 1 total ¥300", "Day 1: ¥300", "Days 1 and 2", "Daybreak 1:"]
)
def test_prose_about_days_is_no_heading(prose: str):
    assert parse_plan(prose).days == ()


def test_days_are_listed_as_they_stand():
    plan = parse_plan("Day 2:\nDay 4:\nDay 3:")

    assert [day.number for day in plan.days] == [2, 4, 3]


@pytest.mark.parametrize(
    "line",
    ["Current City: from Aldmoor to Briskhaven", "current city: Aldmoor to Briskhaven",
     "**Current City:** Aldmoor -> Briskhaven", "**Current City**: Aldmoor → Briskhaven",
     "- Current City：From Aldmoor To Briskhaven", "*Current City: Aldmoor - Briskhaven*",
     "City: Aldmoor → Coldford → Briskhaven", "Current City: from Aldmoor to Briskhaven, then on"],
)  # fmt: skip
def test_a_travel_day_names_two_cities(line: str):
    assert read_day("Day 1:", line).city == CityLabel("Aldmoor", "Briskhaven")


def test_a_day_in_one_city_names_it_once():
    assert read_day("Day 1:", "Current City: Briskhaven (rainy)").city == CityLabel("Briskhaven", "Briskhaven")
    assert read_day("Day 1:").city is None


def test_two_cities_for_one_day_are_a_fault():
    day = read_day("Day 1:", "Current City: Aldmoor", "Current City: Briskhaven")

    assert day.faults == (Fault("city", "Briskhaven", "given twice"),)


@pytest.mark.parametrize(
    "line",
    ["Accommodation: Quay Inn, ¥300/room/night", "**Accommodation:** Quay Inn, 300 RMB per night",
     "Accommodation：Quay Inn，￥300", "accommodation: [Quay Inn] (2 rooms), CNY 300/night",
     "Hotel: Quay Inn ¥300/room/night", "Accommodation: Quay Inn, 1 room, 300"],
)  # fmt: skip
def test_the_night_is_at_the_inn_for_three_hundred(line: str):
    assert read_day("Day 1:", line).lodging == Lodging("Quay Inn", Decimal(300))


@pytest.mark.parametrize(
    "text", ["-", "–", "None", "N/A", "- (return home)", "not needed", "overnight train Z9", "no hotel tonight"]
)
def test_a_night_without_a_hotel_has_no_lodging(text: str):
    day = read_day("Day 1:", f"Accommodation: {text}")

    assert (day.lodging, day.faults) == (None, ())


def test_a_hotel_without_a_readable_price_is_kept_with_the_fault():
    assert read_day("Day 1:", "Accommodation: Quay Inn").lodging == Lodging(
        "Quay Inn", None, (Fault("price", "", "missing"),)
    )
    assert read_day("Day 1:", "Accommodation: Quay Inn, ¥300-350").lodging == Lodging(
        "Quay Inn", None, (Fault("price", "¥300-350", "a range, not one amount"),)
    )


def test_a_hotel_name_may_hold_a_comma_and_brackets():
    lodging = read_day("Day 1:", "Accommodation: Quay Inn, Old Pier (North, Gate 2), ¥300/room/night").lodging

    assert lodging == Lodging("Quay Inn, Old Pier (North, Gate 2)", Decimal(300))


# Rows


DASHES = ["-", "‐", "‒", "–", "—", "−", "~", "～", " to ", " - ", " – "]


@pytest.mark.parametrize("dash", DASHES)
def test_input_3_two_visits_overlap_whatever_the_dash(dash: str):
    museum, pier = read_day(
        "Day 1:",
        f"09:00{dash}12:00 | attraction | Fort Museum, ¥40/person",
        f"10:00{dash}11:00 | attraction | Pier walk, free",
    ).activities

    assert museum.slot
    assert pier.slot
    assert pier.slot.start < museum.slot.end


@pytest.mark.parametrize("dash", DASHES)
def test_input_3_twin_the_second_visit_is_in_the_afternoon_whatever_the_dash(dash: str):
    museum, pier = read_day(
        "Day 1:",
        f"09:00{dash}12:00 | attraction | Fort Museum, ¥40/person",
        f"13:00{dash}14:00 | attraction | Pier walk, free",
    ).activities

    assert museum.slot
    assert pier.slot
    assert pier.slot.start >= museum.slot.end


@pytest.mark.parametrize(
    "row",
    [
        "10:30-12:00 | attraction | Fort Museum, ¥40/person",
        "- 10:30-12:00 | attraction | Fort Museum, ¥40/person",
        "* **10:30-12:00** | **attraction** | Fort Museum, ¥40/person",
        "1. 10:30-12:00 | attraction | Fort Museum, ¥40/person",
        "| 10:30-12:00 | attraction | Fort Museum, ¥40/person |",
        "| 10:30–12:00 | Attraction | Fort Museum | ¥40/person |",
        "10:30-12:00｜attraction｜Fort Museum，￥40/person",
        "10:30 AM - 12:00 PM | sightseeing | Fort Museum; 40 RMB",
        "10:30-12:00|visit|Fort Museum ¥40",
        "10:30-12:00 | attraction | [Fort Museum], ticket: 40",
        "10:30-12:00 | ATTRACTION | Fort Museum (1.5 hours), ¥40/person, buy online",
        "10:30-12:00 | attraction | Fort Museum, 1.5h visit, ¥40/person",
    ],
)
def test_a_museum_visit_is_read_in_every_usual_form(row: str):
    assert read_row(row) == Visit(slot=TimeSlot(630, 720), attraction="Fort Museum", price=Decimal(40))


def test_a_table_head_and_its_rule_are_no_rows():
    day = read_day("Day 1:", "| Time | Type | Details |", "|------|:----:|---|", "| 10:30-12:00 | buffer | a break |")

    assert day.activities == (Buffer(slot=TimeSlot(630, 720), description="a break"),)


def test_a_table_may_name_the_day_in_each_row():
    rows = ["| Day 1 | 09:00-10:00 | buffer | tea |", "| Day 1 | 10:00-11:00 | buffer | cake |"]

    plan = parse_plan("\n".join([*rows, "| Day 2 | 09:00-10:00 | buffer | tea |"]))

    assert [len(day.activities) for day in plan.days] == [2, 1]


def test_a_time_nobody_can_read_leaves_the_rest_of_the_row_readable():
    assert read_row("noonish | attraction | Fort Museum, ¥40/person") == Visit(
        slot=None,
        faults=(Fault("time slot", "noonish", "no time of day"),),
        attraction="Fort Museum",
        price=Decimal(40),
    )
    assert read_row("attraction | Fort Museum, ¥40/person").faults == (Fault("time slot", "", "missing"),)


def test_r5_a_row_of_an_unknown_type_is_kept_as_a_misfit():
    assert read_row("16:05-16:20 | teleport | to the moon, ¥9") == Misfit(
        slot=TimeSlot(965, 980),
        faults=(Fault("activity type", "teleport", "no known type"),),
        text="teleport | to the moon, ¥9",
    )


@pytest.mark.parametrize(
    "row",
    [
        "10:30-12:00 | Fort Museum, ¥40/person",
        "10:30-12:00 Fort Museum, ¥40/person",
        "Fort Museum 10:30-12:00, ¥40/person",
    ],
)
def test_r5_a_row_without_a_type_is_kept_as_a_misfit(row: str):
    activity = read_row(row)

    assert isinstance(activity, Misfit)
    assert activity.faults == (Fault("activity type", "", "missing"),)


def test_a_heading_for_several_days_is_a_fault():
    day = read_day("Day 3-4: a long rest")

    assert (day.number, day.faults) == (3, (Fault("day number", "Day 3-4: a long rest", "more than one day"),))


def test_plain_prose_between_the_rows_is_ignored():
    day = read_day(
        "Day 1: a fine day",
        "We start slowly.",
        "Note: the museum is open 09:00-17:00.",
        "The best light on the pier is 17:00-19:00, they say.",
        "---",
        "Enjoy!",
    )

    assert (day.activities, day.faults) == ((), ())


def test_a_row_before_the_first_day_is_a_fault_of_the_plan():
    plan = parse_plan("09:00-10:00 | buffer | tea\nDay 1:")

    assert plan.faults == (Fault("line", "09:00-10:00 | buffer | tea", "before the first day"),)


@pytest.mark.parametrize(
    ("word", "kind"),
    [("flight", IntercityLeg), ("train", IntercityLeg), ("High-Speed Rail", IntercityLeg), ("taxi", LocalTransfer),
     ("walk", LocalTransfer), ("sightseeing", Visit), ("lunch", Meal), ("Dinner", Meal), ("check-in", HotelStop),
     ("rest", Buffer), ("free_time", Buffer), ("Free Time", Buffer), ("Travel_City", LocalTransfer)],
)  # fmt: skip
def test_r41_known_synonyms_of_the_types_are_no_fault(word: str, kind: type[Activity]):
    activity = read_row(f"10:00-11:00 | {word} | X")

    assert isinstance(activity, kind)
    assert all(fault.field != "activity type" for fault in activity.faults)


@pytest.mark.parametrize(
    ("row", "missing"),
    [
        ("09:00-10:00 | attraction | Fort Museum", {"price"}),
        ("09:00-10:00 | attraction | ¥40/person", {"attraction"}),
        ("09:00-10:00 | attraction", {"attraction", "price"}),
        ("09:00-10:00 | meal | lunch, Annie's Kitchen", {"price"}),
        ("09:00-10:00 | meal | Annie's Kitchen, ¥80/person", {"meal"}),
        ("09:00-10:00 | meal | lunch, ¥80/person", {"restaurant"}),
        ("09:00-10:00 | travel_intercity_public | flight CX1, Economy, ¥500/person", {"origin", "destination"}),
        ("09:00-10:00 | travel_intercity_public | flight CX1, Aldmoor - Briskhaven, Economy", {"price"}),
        ("09:00-10:00 | travel_intercity_public | Aldmoor - Briskhaven, Economy, ¥5", {"number"}),
        ("09:00-10:00 | travel_city | Quay Inn - Fort Museum, taxi, 3km, 9min", {"price"}),
        ("09:00-10:00 | travel_city | Quay Inn - Fort Museum, 3km, 9min, ¥10", {"mode"}),
        ("09:00-10:00 | travel_city | Quay Inn, taxi, 3km, 9min, ¥10", {"destination"}),
        ("09:00-10:00 | travel_city | Quay Inn - Fort Museum, walking", set()),
        ("09:00-10:00 | travel_city | Quay Inn - Fort Museum, taxi, ¥10", set()),
        ("09:00-10:00 | hotel | rest", set()),
        ("09:00-10:00 | buffer | ", set()),
    ],
)
def test_r5_each_kind_of_activity_has_its_own_required_fields(row: str, missing: set[str]):
    faults = read_row(row).faults

    assert {fault.field for fault in faults} == missing
    assert all((fault.text, fault.reason) == ("", "missing") for fault in faults)


@pytest.mark.parametrize(
    "row", ["09:00-10:00 | hotel | rest, Quay Inn, ¥300/night", "09:00-10:00 | buffer | a break, ¥30"]
)
def test_r5_rest_and_waiting_cost_nothing(row: str):
    (fault,) = read_row(row).faults

    assert (fault.field, fault.reason) == ("price", "no price belongs here")
    assert read_row(row.rsplit(",", 1)[0] + ", ¥0").faults == ()


def test_a_second_price_makes_the_price_unreadable():
    assert read_row("09:00-10:00 | attraction | Fort Museum, ¥40/person, ¥45/person").faults == (
        Fault("price", "¥40/person", "more than one price"),
    )
    assert read_row("09:00-10:00 | attraction | Pier Market, free entry, ¥0/person").faults == ()


# Names and routes


@pytest.mark.parametrize(
    "name",
    ["Clock Gallery, Old Palace", "Harbor Park - Glass Bridge", "Annie's (Old Town, Gate 2)", "Café Zoë · 24",
     "Room 1,200", "Tower (Former Mill) East", "Hall of Fame (North", "北京饭店",
     "Boat Tour to Hidden Isles", "Bao'an “Blue” House"],
)  # fmt: skip
def test_a_name_is_whatever_stands_before_the_price(name: str):
    visit = read_row(f"09:00-10:00 | attraction | {name}, ¥40/person")
    meal = read_row(f"09:00-10:00 | meal | dinner, {name}, ¥40/person")

    assert visit == Visit(slot=TimeSlot(540, 600), attraction=name, price=Decimal(40))
    assert meal == Meal(slot=TimeSlot(540, 600), meal="dinner", restaurant=name, price=Decimal(40))


def test_notes_are_not_part_of_a_name():
    assert read_row("09:00-10:00 | attraction | Pier Market (free entry), ¥0/person").label.endswith("Pier Market")
    assert read_row("09:00-10:00 | meal | lunch at Annie's Kitchen, ¥80").label.endswith("lunch at Annie's Kitchen")
    assert read_row("09:00-10:00 | hotel | check in at Quay Inn (2 rooms)").label.endswith("check-in at Quay Inn")


@pytest.mark.parametrize(
    "route",
    ["Quay Inn - Fort Museum", "Quay Inn -> Fort Museum", "Quay Inn → Fort Museum", "Quay Inn – Fort Museum",
     "Quay Inn — Fort Museum", "from Quay Inn to Fort Museum", "Quay Inn to Fort Museum", "Quay Inn→Fort Museum",
     "Quay Inn–Fort Museum", "taxi from Quay Inn to Fort Museum"],
)  # fmt: skip
def test_a_ride_has_two_ends_however_they_are_joined(route: str):
    assert read_row(f"09:00-09:10 | travel_city | {route}, taxi, 3km, 9min, ¥12") == LocalTransfer(
        slot=TimeSlot(540, 550),
        origin="Quay Inn",
        destination="Fort Museum",
        mode="taxi",
        distance_km=3.0,
        duration_minutes=9.0,
        price=Decimal(12),
    )


def test_hyphens_inside_names_do_not_part_a_route():
    ride = read_row("09:00-09:10 | travel_city | Sun-Yat Hall - St-Anne (Gate A - B), taxi, 3km, 9min, ¥12")

    assert isinstance(ride, LocalTransfer)
    assert (ride.origin, ride.destination) == ("Sun-Yat Hall", "St-Anne (Gate A - B)")


def test_a_name_with_a_dash_is_kept_whole_where_the_plan_sleeps_there():
    day = read_day(
        "Day 1:",
        "Accommodation: Harbor Inn - North Gate, ¥300/room/night",
        "09:00-09:10 | travel_city | Fort Museum - Harbor Inn - North Gate, taxi, 3km, 9min, ¥12",
        "09:10-09:20 | travel_city | Harbor Inn - North Gate - Fort Museum, taxi, 3km, 9min, ¥12",
    )
    ends = [(ride.origin, ride.destination) for ride in day.activities if isinstance(ride, LocalTransfer)]

    assert ends == [("Fort Museum", "Harbor Inn - North Gate"), ("Harbor Inn - North Gate", "Fort Museum")]


def test_a_name_with_a_dash_is_kept_whole_where_it_is_known():
    row = "Day 1:\n09:00-09:10 | travel_city | Harbor Inn - North Gate - Fort Museum, taxi, 3km, 9min, ¥12"
    ((known,), (unknown,)) = (
        parse_plan(row, names).days[0].activities for names in ({"Harbor Inn - North Gate"}, set())
    )

    assert isinstance(known, LocalTransfer)
    assert isinstance(unknown, LocalTransfer)
    assert known.origin == "Harbor Inn - North Gate"
    assert unknown.origin == "Harbor Inn"


def test_a_ride_by_way_of_a_known_place_goes_from_the_first_to_the_last():
    plan = parse_plan(
        "Day 1:\n09:00-09:10 | travel_city | A Hall - B Hall - C Hall, taxi, 3km, 9min, ¥12", {"A Hall", "C Hall"}
    )
    (ride,) = plan.days[0].activities

    assert isinstance(ride, LocalTransfer)
    assert (ride.origin, ride.destination) == ("A Hall", "C Hall")


def test_a_comma_in_the_name_of_a_destination_does_not_become_the_mode():
    ride = read_row("09:00-09:10 | travel_city | Staff Hall, North - Canteen, People's House, walking, 0.7km, 9min, ¥0")

    assert isinstance(ride, LocalTransfer)
    assert (ride.origin, ride.destination, ride.mode) == ("Staff Hall, North", "Canteen, People's House", "walking")


@pytest.mark.parametrize(
    ("fields", "km", "minutes", "price"),
    [
        ("metro Line 1, 800m, 1h 10min, ¥4/person", 0.8, 70.0, 4),
        ("metro Line 1, 1,200 meters, 1:10 h, 4", 1.2, 70.0, 4),
        ("metro Line 1, 12km/20min, ¥4", 12.0, 20.0, 4),
        ("metro Line 1 (12km, 20 min), ¥4", 12.0, 20.0, 4),
        ("12 km, metro Line 1, 20 min, RMB 4", 12.0, 20.0, 4),
        ("metro Line 1, ¥4", None, None, 4),
    ],
)
def test_the_measures_of_a_ride_may_stand_in_any_usual_form(fields: str, km: float, minutes: float, price: int):
    ride = read_row(f"09:00-10:10 | travel_city | Quay Inn - Fort Museum, {fields}")

    assert isinstance(ride, LocalTransfer)
    assert (ride.mode, ride.distance_km, ride.duration_minutes, ride.price) == ("metro Line 1", km, minutes, price)
    assert ride.faults == ()


def test_the_mode_stands_beside_a_price_without_a_comma():
    ride = read_row("09:00-09:10 | travel_city | Quay Inn - Fort Museum, taxi ¥12")

    assert isinstance(ride, LocalTransfer)
    assert (ride.mode, ride.price) == ("taxi", 12)


def test_a_taxi_is_paid_per_car_and_the_metro_per_head():
    taxi = "09:00-09:10 | travel_city | Quay Inn - Fort Museum, taxi, 3km, 9min, ¥12"
    metro = "09:00-09:10 | travel_city | Quay Inn - Fort Museum, metro Line 1, 3km, 9min, ¥4"

    assert read_row(f"{taxi}/vehicle").faults == read_row(f"{metro}/person").faults == ()
    assert read_row(f"{taxi}/person").faults == (Fault("price", "¥12/person", "not per vehicle"),)
    assert read_row(f"{metro}/vehicle").faults == (Fault("price", "¥4/vehicle", "not per person"),)


def test_a_distance_in_miles_is_a_fault():
    ride = read_row("09:00-09:10 | travel_city | Quay Inn - Fort Museum, taxi, 3 miles, 9min, ¥12")

    assert ride.faults == (Fault("distance", "3 miles", "no distance in km or m"),)


@pytest.mark.parametrize(
    ("service", "mode", "number"),
    [("flight CX100", "flight", "CX100"), ("Flight No. cx 100", "flight", "CX100"), ("CX100", "flight", "CX100"),
     ("train G1234", "train", "G1234"), ("G1234", "train", "G1234"), ("high-speed rail C7620", "train", "C7620"),
     ("sleeper train Z9", "train", "Z9"), ("train 8001", "train", "8001"), ("Harbor Express", "", "Harbor Express"),
     ("9C8888", "flight", "9C8888")],
)  # fmt: skip
def test_a_service_tells_its_mode_by_word_or_by_number(service: str, mode: str, number: str):
    leg = read_row(f"08:00-10:00 | travel_intercity_public | {service}, Aldmoor - Briskhaven, Economy, ¥1,065/person")

    assert leg == IntercityLeg(
        slot=TimeSlot(480, 600),
        mode=mode,
        number=number,
        origin="Aldmoor",
        destination="Briskhaven",
        seat_class="Economy",
        price=Decimal(1065),
    )


def test_the_fare_may_stand_before_the_seat():
    leg = read_row("08:00-10:00 | train | G1, Aldmoor - Briskhaven, ¥70/person, Second Class Seat")

    assert isinstance(leg, IntercityLeg)
    assert (leg.seat_class, leg.price, leg.mode) == ("Second Class Seat", 70, "train")


# Budget


@pytest.mark.parametrize(
    "heading",
    ["**Budget Summary**:", "Budget Summary:", "## Budget Summary", "Budget Summary (CNY)", "**Estimated Budget**",
     "### 💰 Budget Breakdown", "5. Budget summary for 2 travelers:", "**Cost Summary:**"],
)  # fmt: skip
@pytest.mark.parametrize(
    "lines",
    [
        "**Transportation: 2,080 RMB**\n**Accommodation: 300 RMB**\n**Total Estimated Budget: 2,380 RMB**",
        "- Transportation: ¥2080\n- Accommodation: ¥300\n- Total: ¥2380",
        "transportation： ￥2,080.00\nACCOMMODATION (1 night): 300 yuan\nTotal estimated budget: CNY 2380",
        "| Category | Amount |\n|---|---|\n| Transportation | 2080 |\n| Accommodation | 1 × ¥300 = ¥300 |\n"
        "| Total | 2380 |",
        "Transportation: 2080 RMB   Accommodation: 300 RMB   Total Estimated Budget: 2380 RMB",
        "* **Transportation**: ¥2080 RMB\n* **Accommodation**: ¥300 RMB\n* **Total cost**: ¥2380 for 2 people",
    ],
)
def test_a_budget_is_read_in_every_usual_form(heading: str, lines: str):
    plan = parse_plan(f"Day 1:\nAccommodation: -\n{heading}\n{lines}")

    assert plan.budget == Budget(transportation=Decimal(2080), accommodation=Decimal(300), total=Decimal(2380))
    assert plan.days[0].lodging is None


def test_a_plan_without_a_budget_has_none():
    assert parse_plan(SHORT_PLAN).budget is None


def test_amounts_of_a_budget_that_cannot_be_read_are_faults():
    plan = parse_plan(f"{SHORT_PLAN}\nBudget Summary:\nMeals: about 300 RMB\nOther: NaN\nTotal: -5")

    assert plan.budget == Budget(
        faults=(
            Fault("meals", "about 300 RMB", "an estimate, not one amount"),
            Fault("other", "NaN", "not a number"),
            Fault("total", "-5", "negative"),
        )
    )


def test_r7_a_second_budget_with_other_amounts_is_a_fault():
    once = "Budget Summary:\nTotal Estimated Budget: 900 RMB\n"
    again = parse_plan(f"{SHORT_PLAN}\n{once}{once.replace('900', '1999')}").budget
    same = parse_plan(f"{SHORT_PLAN}\n{once}{once}").budget

    assert again == Budget(total=Decimal(1999), faults=(Fault("budget summary", "", "given twice"),))
    assert same == Budget(total=Decimal(900))


def test_a_day_may_follow_a_budget():
    plan = parse_plan(
        f"{SHORT_PLAN}\nBudget Summary:\nMeals: 5 RMB\nDay 2: ¥300\n{SHORT_PLAN.replace('Day 1', 'Day 2')}"
    )

    assert [len(day.activities) for day in plan.days] == [1, 1]
    assert plan.budget == Budget(meals=Decimal(5))


# Writing


def test_records_are_written_in_published_notation():
    assert format_plan(BRISKHAVEN_RECORDS).replace("\n\n", "\n") == BRISKHAVEN.replace("\n\n", "\n").replace(
        "2,", "2"
    ).rstrip("\n")


@given(itineraries)
@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow], deadline=None)
def test_any_plan_that_is_written_is_read_back(itinerary: Itinerary):
    assert parse_plan(format_plan(itinerary)) == itinerary
    assert parse_response(format_response(Plan(itinerary))) == Plan(itinerary)


@pytest.mark.parametrize("response", [Clarification("Which day, the 14th or the 15th?"), NoSolution("No room.\nNone.")])
def test_other_answers_that_are_written_are_read_back(response: Response):
    assert parse_response(format_response(response)) == response


def test_a_plan_with_faults_can_be_written_and_keeps_its_faults():
    text = "Day 1:\nAccommodation: -\nnoonish | attraction | Fort Museum\n16:05-16:20 | teleport | to the moon"
    itinerary = parse_plan(text)

    assert parse_plan(format_plan(itinerary)) == itinerary


# Anything at all


_SNIPPETS = st.sampled_from(
    ["<plan>", "</plan>", "<clarification>", "</clarification>", "<no_solution>", "</think>", "Day 1",
     "Day 2 (2026-02-31):", "\n", "|", "｜", "09:00-10:00", "24:00", " travel_city ", "attraction", "meal", "hotel",
     "buffer", "flight", "¥", "nan", " - ", "->", ",", "(", ")", "[", "“", "Current City:", "Accommodation:",
     "Budget Summary:", "Total: ", "km", "min", "9" * 30, "**", "`", "to ", "from ", "\u2028", "\x00", "½", "²"]
)  # fmt: skip


@given(st.one_of(st.text(max_size=200), st.lists(st.one_of(_SNIPPETS, st.text(max_size=6)), max_size=40).map("".join)))
@settings(deadline=None)
def test_any_text_is_read_without_an_error(text: str):
    response = parse_response(text)

    assert isinstance(response, Plan | Clarification | NoSolution | Unreadable)
    assert isinstance(format_response(response), str)
    assert isinstance(parse_plan(text), Itinerary)


@pytest.mark.parametrize(
    "kind", ["travel_city | A - B, ", "train | ", "meal | lunch, ", "hotel | ", "attraction | X, "]
)
@pytest.mark.parametrize(
    "filler", ["(", "¥", " - ", "about ", "9,", "->", "free ", "  ", "a (", "total ", "and ", "to "]
)
def test_reading_long_monotonous_rows_comes_to_an_end(kind: str, filler: str):
    row = f"09:00-10:00 | {kind}{filler * (1900 // len(filler))}x!"

    assert len(read_day("Day 1:", row).activities) == 1


def test_a_row_of_endless_length_is_a_misfit():
    activity = read_row("09:00-10:00 | attraction | " + "Fort Museum " * 1000)

    assert isinstance(activity, Misfit)
    assert activity.faults[0].reason == "too long"


def test_published_answers_are_read_without_faults():
    folder = os.environ.get("TRIPGAUGE_CONFORMANCE")
    if not folder:
        pytest.skip("TRIPGAUGE_CONFORMANCE names no folder with conformance data")
    with (Path(folder) / "texts.jsonl").open(encoding="utf-8") as lines:
        texts = [json.loads(line) for line in lines]
    plain = [text for text in texts if text["kind"] in ("plan_text", "plan_text_style", "plan_text_names")]

    assert plain
    for text in plain:
        if text["id"] == "tx-unknown-row":
            continue
        response = parse_response(text["text"])
        assert isinstance(response, Plan), text["id"]
        assert list(response.itinerary.all_faults()) == [], text["id"]
        assert parse_response(format_response(response)) == response, text["id"]


def test_a_tag_inside_another_block_counts_only_on_a_line_of_its_own():
    """However many tags there are, each is judged by the blocks around it."""
    many = "<plan></plan>" * 2000
    inner = f"<plan>\n{SHORT_PLAN}\nas in <clarification>why</clarification> before\n</plan>"

    assert parse_response(many) == Unreadable(Fault("response", "<plan></plan>", "empty plan"))
    assert isinstance(parse_response(inner), Plan)
