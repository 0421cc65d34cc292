"""Converted plans as JSON: reading and writing."""

import json
import os
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.trip_plus.notation.test_plan_text import BRISKHAVEN, BRISKHAVEN_RECORDS
from tests.trip_plus.strategies import itineraries

from tripgauge.trip_plus.itinerary import (
    Activity,
    Budget,
    Buffer,
    Clarification,
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
from tripgauge.trip_plus.notation.plan_json import convert, read_converted, write_converted
from tripgauge.trip_plus.notation.plan_text import parse_response

BRISKHAVEN_JSON = {
    "daily_plans": [
        {
            "day_number": 1,
            "date": "2026-07-14",
            "current_city": "from Aldmoor to Briskhaven",
            "accommodation": {"name": "Quay Inn", "price_per_night": 300},
            "activities": [
                {
                    "time_slot": "08:00-10:00",
                    "type": "travel_intercity_public",
                    "details": {
                        "mode": "flight",
                        "number": "CX1",
                        "from": "Aldmoor Airport",
                        "to": "Briskhaven Airport",
                        "cost": 500,
                        "seat_class": "Economy",
                    },
                },
                {
                    "time_slot": "10:30-10:55",
                    "type": "travel_city",
                    "details": {
                        "from": "Briskhaven Airport",
                        "to": "Fort Museum",
                        "mode": "taxi",
                        "distance": "12.5km",
                        "duration": "25min",
                        "cost": 40,
                    },
                },
                {
                    "time_slot": "11:00-12:30",
                    "type": "attraction",
                    "details": {"name": "Fort Museum", "city": "Briskhaven", "cost": 40},
                },
                {
                    "time_slot": "12:40-13:40",
                    "type": "meal",
                    "details": {"meal_type": "lunch", "name": "Annie's Kitchen", "cost": 80},
                },
                {
                    "time_slot": "14:00-14:30",
                    "type": "hotel",
                    "details": {"activity": "check-in", "name": "Quay Inn"},
                },
                {"time_slot": "14:30-15:00", "type": "buffer", "details": {"description": "a short rest"}},
            ],
        },
        {
            "day_number": 2,
            "date": "2026-07-15",
            "current_city": "Briskhaven",
            "activities": [
                {
                    "time_slot": "18:00-00:00",
                    "type": "attraction",
                    "details": {"name": "Pier Market", "city": "Briskhaven", "cost": 0},
                },
            ],
        },
    ],
    "budget_summary": {
        "currency": "CNY",
        "transportation": 2080,
        "accommodation": 300,
        "meals": 160,
        "attractions_and_tickets": 80,
        "other": 0,
        "total_estimated_budget": 2620,
    },
}


def read_item(item: object) -> Activity:
    """The one activity of a day with one item."""
    response = read_converted({"daily_plans": [{"day_number": 1, "activities": [item]}]})
    assert isinstance(response, Plan)
    (activity,) = response.itinerary.days[0].activities
    return activity


def item(kind: str, **details: object) -> dict[str, object]:
    return {"time_slot": "10:30-12:00", "type": kind, "details": details}


def fault_of(response: Response) -> str:
    assert isinstance(response, Unreadable)
    return response.fault.reason


# Whole answers


def test_a_converted_plan_becomes_the_same_records_as_its_text():
    assert read_converted(BRISKHAVEN_JSON) == Plan(BRISKHAVEN_RECORDS)
    assert read_converted(BRISKHAVEN_JSON) == parse_response(BRISKHAVEN)


def test_a_text_is_converted_to_the_documented_keys():
    assert convert(f"<plan>\n{BRISKHAVEN}</plan>") == BRISKHAVEN_JSON


def test_the_other_modes_have_their_published_status_words():
    assert convert("<clarification>Which day?</clarification>") == {
        "status": "clarification",
        "clarification": "Which day?",
    }
    assert convert("<no_solution>Too dear.</no_solution>") == {"status": "unsat", "unsat_explanation": "Too dear."}
    assert convert("Hello") == {"status": "malformed", "malformed_explanation": "no response mode: Hello"}


@pytest.mark.parametrize(
    ("value", "response"),
    [
        ({"status": "clarification", "clarification": "Which?"}, Clarification("Which?")),
        ({"status": " CLARIFICATION ", "clarification": "Which?", "daily_plans": []}, Clarification("Which?")),
        ({"status": "unsat", "unsat_explanation": "Too dear."}, NoSolution("Too dear.")),
        ({"status": "no_solution", "reason": "Too dear."}, NoSolution("Too dear.")),
    ],
)
def test_status_objects_are_the_other_modes(value: object, response: Response):
    assert read_converted(value) == response


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        (None, "no JSON object"),
        ("a plan", "no JSON object"),
        ([], "no JSON object"),
        (float("nan"), "no JSON object"),
        ({}, "no response mode"),
        ({"status": "malformed", "malformed_explanation": "nothing"}, "malformed"),
        ({"status": "clarification"}, "empty clarification"),
        ({"status": "unsat", "unsat_explanation": "  "}, "empty no solution"),
        ({"daily_plans": []}, "a plan without days"),
        ({"daily_plans": {"day": 1}}, "not a list"),
        ({"daily_plans": "Day 1"}, "not a list"),
        ({"status": "unsat", "daily_plans": [{}]}, "more than one response mode"),
        ({"clarification": "Which?", "daily_plans": [{}]}, "more than one response mode"),
    ],
)
def test_what_is_no_answer_says_why(value: object, reason: str):
    assert fault_of(read_converted(value)) == reason


# Good sense about values


@pytest.mark.parametrize("cost", [40, 40.0, "40", "40.0", "¥40", "¥40/person", "40 RMB", "+40"])
def test_r15_a_price_is_a_number_however_it_is_written(cost: object):
    assert read_item(item("attraction", name="Fort Museum", cost=cost)) == Visit(
        slot=TimeSlot(630, 720), attraction="Fort Museum", price=Decimal(40)
    )


@pytest.mark.parametrize(
    ("cost", "reason"),
    [
        (None, "missing"),
        (True, "true or false, not an amount"),
        (float("nan"), "not a number"),
        (float("inf"), "not a number"),
        (-40, "negative"),
        ("-40", "negative"),
        ("about 40", "an estimate, not one amount"),
        ("40-50", "a range, not one amount"),
        ([40], "not an amount"),
        ({"value": 40}, "not an amount"),
    ],
)
def test_a_price_that_is_none_is_a_fault_and_the_rest_is_read(cost: object, reason: str):
    visit = read_item(item("attraction", name="Fort Museum", cost=cost))

    assert isinstance(visit, Visit)
    assert (visit.attraction, visit.price) == ("Fort Museum", None)
    assert [fault.reason for fault in visit.faults] == [reason]


@pytest.mark.parametrize(
    "slot",
    [
        "10:30-12:00",
        " 10:30 - 12:00 ",
        "10:30–12:00",
        "１０：３０～１２：００",
        "10:30 AM-12:00 PM",
        "10:30:00-12:00:00",
    ],
)
def test_input_3_a_slot_is_read_in_every_spelling(slot: str):
    assert read_item({"time_slot": slot, "type": "buffer", "details": {}}).slot == TimeSlot(630, 720)


@pytest.mark.parametrize(
    ("slot", "text"),
    [("noonish", "noonish"), (1030, "1030"), (["10:30", "12:00"], "a list"), (None, ""), (True, "True")],
)
def test_a_slot_that_is_none_is_a_fault_and_the_rest_is_read(slot: object, text: str):
    activity = read_item({"time_slot": slot, "type": "attraction", "details": {"name": "Fort Museum", "cost": 40}})

    assert isinstance(activity, Visit)
    assert (activity.slot, activity.attraction) == (None, "Fort Museum")
    assert [(fault.field, fault.text) for fault in activity.faults] == [("time slot", text)]


@pytest.mark.parametrize(
    ("written", "kind"),
    [
        (item("attraction", attraction_name="X", ticket_price=0), Visit),
        (item("Meal", meal="dinner", restaurant_name="X", price=80), Meal),
        (item("lunch", name="X", cost=80), Meal),
        (item("hotel", purpose="check-in", hotel_name="X"), HotelStop),
        (item("travel_city", **{"from": "A", "to": "B"}, transport_mode="taxi", price=12), LocalTransfer),
        (item("travel_city", origin="A", destination="B", mode="taxi", cost=12, distance_km=3), LocalTransfer),
        (item("flight", flight_number="CX1", origin="A", destination="B", price=500), IntercityLeg),
        (item("free_time", note="a break"), Buffer),
        ({"time_slot": "10:30-12:00", "type": "attraction", "name": "X", "cost": 0}, Visit),
        ({"start_time": "10:30", "end_time": "12:00", "activity_type": "attraction", "details": "X, ¥0"}, Visit),
    ],
)
def test_r41_known_synonyms_of_keys_are_no_fault(written: object, kind: type[Activity]):
    activity = read_item(written)

    assert isinstance(activity, kind)
    assert activity.slot == TimeSlot(630, 720)
    assert activity.faults == ()


def test_r41_days_may_be_called_days():
    response = read_converted({"days": [{"day": 1, "city": "Aldmoor", "lodging": "Quay Inn, ¥300/room/night"}]})

    assert isinstance(response, Plan)
    (day,) = response.itinerary.days
    assert (day.number, str(day.city), day.lodging) == (1, "Aldmoor", Lodging("Quay Inn", Decimal(300)))


@pytest.mark.parametrize(
    ("written", "field", "reason"),
    [
        (item("teleport", description="to the moon"), "activity type", "no known type"),
        ({"time_slot": "10:30-12:00", "details": {}}, "activity type", "missing"),
        ({"time_slot": "10:30-12:00", "type": 7}, "activity type", "no known type"),
        ("free time", "activity", "no JSON object"),
        (None, "activity", "no JSON object"),
    ],
)
def test_r5_what_fits_no_kind_is_kept_as_a_misfit(written: object, field: str, reason: str):
    activity = read_item(written)

    assert isinstance(activity, Misfit)
    assert [(fault.field, fault.reason) for fault in activity.faults] == [(field, reason)]


@pytest.mark.parametrize(
    ("written", "faults"),
    [
        (item("attraction", cost=0), {("attraction", "missing")}),
        (item("attraction", name=["X"], cost=0), {("name", "not a text"), ("attraction", "missing")}),
        (item("meal", name="X"), {("meal", "missing"), ("price", "missing")}),
        (item("travel_city", **{"from": "A"}, mode="taxi", cost=1), {("destination", "missing")}),
        (item("travel_city", **{"from": "A", "to": "B"}, mode="walking"), set()),
        (item("travel_city", **{"from": "A", "to": "B"}, mode="taxi", cost=1, distance=3), {("distance", "no unit")}),
        (
            item("travel_intercity_public", mode="coach", number="K1", **{"from": "A", "to": "B"}, cost=1),
            {("mode", "neither flight nor train")},
        ),
        (item("buffer", description="a break", cost=30), {("price", "no price belongs here")}),
        (item("buffer", description="a break", cost=0), set()),
        (item("hotel", activity="rest", name="X", cost=300), {("price", "no price belongs here")}),
        ({"time_slot": "10:30-12:00", "type": "buffer", "details": [1]}, {("details", "no JSON object")}),
    ],
)
def test_r5_each_kind_has_its_required_and_forbidden_fields(written: object, faults: set[tuple[str, str]]):
    assert {(fault.field, fault.reason) for fault in read_item(written).faults} == faults


@pytest.mark.parametrize(
    ("mode", "read"),
    [
        ("Plane", "flight"),
        ("High Speed Rail", "train"),
        ("gaotie", "train"),
        ("high_speed_rail", "train"),
        ("", "train"),
    ],
)
def test_modes_of_travel_between_cities_have_synonyms(mode: str, read: str):
    leg = read_item(item("travel_intercity_public", mode=mode, number="G1", **{"from": "A", "to": "B"}, cost=1))

    assert isinstance(leg, IntercityLeg)
    assert leg.mode == read


@pytest.mark.parametrize(
    ("day", "fault"),
    [
        ({}, Fault("day number", "", "missing")),
        ({"day_number": "one"}, Fault("day number", "one", "not a whole number")),
        ({"day_number": True}, Fault("day number", "True", "not a whole number")),
        ({"day_number": 1.5}, Fault("day number", "1.5", "not a whole number")),
        ({"day_number": 1, "date": "2026-02-30"}, Fault("date", "2026-02-30", "no such day")),
        ({"day_number": 1, "date": "soon"}, Fault("date", "soon", "no date")),
        ({"day_number": 1, "date": 20260714}, Fault("date", "20260714", "no date")),
        ({"day_number": 1, "current_city": ["A"]}, Fault("city", "a list", "not a text")),
        ({"day_number": 1, "accommodation": [1]}, Fault("accommodation", "a list", "no JSON object")),
        ({"day_number": 1, "activities": {"a": 1}}, Fault("activities", "a dict", "not a list")),
        ("Day 1", Fault("day", "Day 1", "no JSON object")),
    ],
)
def test_what_is_wrong_with_a_day_is_a_fault_of_the_day(day: object, fault: Fault):
    response = read_converted({"daily_plans": [day]})

    assert isinstance(response, Plan)
    assert response.itinerary.days[0].faults == (fault,)


def test_a_day_number_is_a_number_however_it_is_written():
    for number in (2, 2.0, "2", "Day 2"):
        response = read_converted({"daily_plans": [{"day_number": number}]})
        assert isinstance(response, Plan)
        assert (response.itinerary.days[0].number, response.itinerary.days[0].faults) == (2, ())


@pytest.mark.parametrize("lodging", [None, "-", "", {}, {"name": "-"}, "None"])
def test_a_night_without_a_hotel_has_no_lodging(lodging: object):
    response = read_converted({"daily_plans": [{"day_number": 1, "accommodation": lodging}]})

    assert isinstance(response, Plan)
    assert response.itinerary.days[0].lodging is None


def test_amounts_of_a_budget_are_read_like_prices():
    budget = {"transportation": "1,200", "meals": "n/a", "other": True, "total": "¥6357", "transport": 5}

    response = read_converted({"daily_plans": [{"day_number": 1}], "budget": budget})

    assert isinstance(response, Plan)
    assert response.itinerary.budget == Budget(
        transportation=Decimal(1200),
        total=Decimal(6357),
        faults=(
            Fault("meals", "n/a", "not an amount"),
            Fault("other", "True", "true or false, not an amount"),
        ),
    )


@pytest.mark.parametrize("budget", [[1], "about 1400", 7])
def test_a_budget_of_the_wrong_type_is_a_fault(budget: object):
    response = read_converted({"daily_plans": [{"day_number": 1}], "budget_summary": budget})

    assert isinstance(response, Plan)
    assert response.itinerary.budget
    assert response.itinerary.budget.faults[0].reason == "no JSON object"


def test_unknown_keys_are_ignored():
    more = {**BRISKHAVEN_JSON, "notes": [1, 2], "mood": None}

    assert read_converted(more) == Plan(BRISKHAVEN_RECORDS)


# Writing


@given(itineraries)
@settings(max_examples=50, suppress_health_check=[HealthCheck.too_slow], deadline=None)
def test_any_plan_that_is_written_is_read_back_also_through_a_file(itinerary: Itinerary):
    written = write_converted(Plan(itinerary))

    assert read_converted(written) == Plan(itinerary)
    assert read_converted(json.loads(json.dumps(written, allow_nan=False))) == Plan(itinerary)


def test_a_plan_with_faults_is_written_without_what_could_not_be_read():
    response = parse_response("Day 1:\nnoonish | attraction | Fort Museum, NaN\n10:00-11:00 | teleport | to the moon")

    (visit, misfit) = write_converted(response)["daily_plans"][0]["activities"]  # type: ignore[index]

    assert visit == {"time_slot": "noonish", "type": "attraction", "details": {"name": "Fort Museum"}}
    assert misfit == {
        "time_slot": "10:00-11:00",
        "type": "teleport",
        "details": {"description": "to the moon"},
    }


# Anything at all


_KEYS = st.sampled_from(
    ["daily_plans", "status", "clarification", "day_number", "date", "current_city", "accommodation", "activities",
     "type", "time_slot", "details", "name", "cost", "from", "to", "mode", "distance", "duration", "number",
     "meal_type", "budget_summary", "total_estimated_budget", "price_per_night", "activity", "description", "days"]
)  # fmt: skip
_WORDS = st.sampled_from(
    [
        "attraction",
        "meal",
        "travel_city",
        "travel_intercity_public",
        "hotel",
        "buffer",
        "unsat",
        "10:30-12:00",
        "¥40",
        "-",
    ]
)
_SCALARS = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=8), _WORDS)
_JSON = st.recursive(
    _SCALARS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4), st.dictionaries(st.one_of(_KEYS, st.text(max_size=3)), inner, max_size=6)
    ),
    max_leaves=30,
)


@given(st.one_of(_JSON, st.fixed_dictionaries({"daily_plans": st.lists(_JSON, max_size=3), "budget_summary": _JSON})))
@settings(deadline=None)
def test_any_json_is_read_without_an_error(value: object):
    response = read_converted(value)

    assert isinstance(response, Plan | Clarification | NoSolution | Unreadable)
    json.dumps(write_converted(response), allow_nan=False)


_VALUES = st.one_of(_SCALARS, st.just([1]), st.just({"value": 1}))


def _activities(details: st.SearchStrategy[object]) -> st.SearchStrategy[dict[str, object]]:
    return st.fixed_dictionaries(
        {"time_slot": _SCALARS, "type": _WORDS, "details": st.dictionaries(_KEYS, details, max_size=8)}
    )


@given(st.lists(_activities(_VALUES), max_size=4))
@settings(deadline=None)
def test_any_details_are_read_without_an_error(items: list[object]):
    response = read_converted({"daily_plans": [{"day_number": 1, "activities": items}]})

    assert isinstance(response, Plan)
    assert len(response.itinerary.days[0].activities) == len(items)


def test_published_conversions_are_read_as_their_texts_are():
    folder = os.environ.get("TRIPGAUGE_CONFORMANCE")
    if not folder:
        pytest.skip("TRIPGAUGE_CONFORMANCE names no folder with conformance data")
    with (Path(folder) / "texts.jsonl").open(encoding="utf-8") as lines:
        texts = [json.loads(line) for line in lines]
    same = (
        "tx-sz0", "tx-gz0", "tx-gz2", "tx-arrows", "tx-arrows2", "tx-wideyen", "tx-widebar", "tx-capstypes",
        "tx-headings", "tx-trainword", "tx-hsr", "tx-thousands", "tx-dash-name", "tx-order", "tx-airport-long",
        "tx-fence",
    )  # fmt: skip
    chosen = [text for text in texts if text["id"] in same]

    assert len(chosen) == len(same)
    for text in chosen:
        assert read_converted(text["agent"]["converted"]) == parse_response(text["text"]), text["id"]


def test_modes_of_published_conversions_agree_where_both_can_tell():
    folder = os.environ.get("TRIPGAUGE_CONFORMANCE")
    if not folder:
        pytest.skip("TRIPGAUGE_CONFORMANCE names no folder with conformance data")
    with (Path(folder) / "cases.jsonl").open(encoding="utf-8") as lines:
        cases = [json.loads(line) for line in lines]
    plans = [case for case in cases if (case["expected"].get("response") or {}).get("actual_mode") == "plan"]

    assert len(plans) > 200
    assert all(isinstance(read_converted(case["plan"]), Plan) for case in plans)
