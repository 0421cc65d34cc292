"""The 18 tools: what they answer, and that nothing a user may ask for is hidden from them."""

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from tests.compass.small import toy_park

from tripgauge.compass.arithmetic import LONGEST, NotCalculable, calculate
from tripgauge.compass.catalogue import Catalogue
from tripgauge.compass.constraints import VOCABULARY
from tripgauge.compass.index import Index
from tripgauge.compass.objectives import METRICS
from tripgauge.compass.offers import Choice, HotelPackage
from tripgauge.compass.solver import Solver
from tripgauge.compass.task import Task
from tripgauge.compass.tools import compass_tools, driving_hours
from tripgauge.tools import Toolbox

Call = Callable[..., Any]


def caller(toolbox: Toolbox) -> Call:
    """Calls a tool and gives its answer, which must not be a fault."""

    def call(name: str, **arguments: object) -> Any:
        result = toolbox.call(name, arguments)
        assert result.fault is None, result.fault
        return result.value

    return call


@pytest.fixture
def toolbox(index: Index) -> Toolbox:
    return Toolbox(compass_tools(index))


@pytest.fixture
def call(toolbox: Toolbox) -> Call:
    return caller(toolbox)


@pytest.fixture
def toy() -> Call:
    return caller(Toolbox(compass_tools(Index(toy_park()))))


# -- Names


PUBLISHED = """
    AccommodationSearch get_hotel_details get_room_details search_location_name search_airports search_flights
    get_flight_details get_airport_coordinates list_permits search_permit_availability get_weekday calculate
    calculate_distance Notebook recommend_hotel recommend_flight recommend_permit
"""

OTHER_NAMES = {
    "search_hotel": "AccommodationSearch",
    "get_airport_location": "get_airport_coordinates",
    "calendar": "get_weekday",
    "calculator": "calculate",
    "calculate_driving_distance": "calculate_distance",
    "notebook": "Notebook",
    "validate_hotel_id": "recommend_hotel",
    "validate_flight_id": "recommend_flight",
    "validate_permit_id": "recommend_permit",
}


def test_there_are_eighteen_tools_of_which_one_can_be_left_out(index: Index):
    names = {tool.name for tool in compass_tools(index)}

    assert len(names) == 18
    assert names - {"get_permit_details"} == set(PUBLISHED.split())
    assert {tool.name for tool in compass_tools(index, extension=False)} == set(PUBLISHED.split())


def test_the_names_of_table_1_are_understood_and_recorded_under_the_others(toolbox: Toolbox):
    for other, name in OTHER_NAMES.items():
        found = toolbox.tool(other)
        assert found
        assert found.name == name
    assert toolbox.call("calendar", {"date_str": "2025-08-09"}).tool == "get_weekday"


PARAMETERS = {
    "search_airports": ("park_name", ""),
    "search_flights": (
        "origin destination departure_date return_date",
        "passengers max_price airline_preference booking_class direct_flights_only",
    ),
    "get_flight_details": ("package_id", ""),
    "get_airport_coordinates": ("airport_code", ""),
    "list_permits": ("park", ""),
    "search_permit_availability": ("park template_name", "date_range duration_days"),
    "AccommodationSearch": (
        "location start_date end_date num_guests",
        "min_price_nightly max_price_nightly min_review_score free_cancellation no_prepayment_needed has_parking"
        " breakfast_included is_pet_friendly",
    ),
    "get_hotel_details": ("hotel_identifier", ""),
    "get_room_details": ("package_id", ""),
    "search_location_name": ("query", ""),
    "get_weekday": ("date_str", ""),
    "calculate": ("expression", ""),
    "calculate_distance": ("lat1 lon1 lat2 lon2", ""),
    "Notebook": ("action", "input_data index"),
    "recommend_hotel": ("package_ids reasoning", ""),
    "recommend_flight": ("flight_ids reasoning", ""),
    "recommend_permit": ("permit_ids reasoning", ""),
    "get_permit_details": ("package_id", ""),
}


@pytest.mark.parametrize("name", PARAMETERS)
def test_parameters_are_the_published_ones(name: str, toolbox: Toolbox):
    found = toolbox.tool(name)
    required, optional = PARAMETERS[name]

    assert found
    assert [p.name for p in found.parameters if p.required] == required.split()
    assert [p.name for p in found.parameters if not p.required] == optional.split()


# -- Nothing a user may ask for is hidden


def pairs(value: Any) -> Iterator[tuple[str, Any]]:
    """All fields of an answer, wherever they stand; what a list of amenities names is true, or false."""
    if isinstance(value, dict):
        for key, item in value.items():
            if key in ("amenities", "missing_amenities"):
                yield from ((name, key == "amenities") for name in item)
            yield key, item
            yield from pairs(item)
    elif isinstance(value, list):
        for item in value:
            yield from pairs(item)


FIELDS = {
    "park": "name",
    "longest_minutes": "minutes",
    "earliest_depart": "depart",
    "latest_arrive": "arrive",
    "dearest_night_cents": "price",
    "rooms_free": "rooms_available",
}


def test_every_attribute_a_constraint_wish_or_metric_names_is_told_by_some_tool(
    call: Call, catalogue: Catalogue, solver: Solver, tasks: tuple[Task, ...]
):
    attributes = {attribute for kind in VOCABULARY.values() for attribute in kind.attributes}
    attributes |= {metric.attribute for metric in METRICS.values() if metric.attribute}
    branded = [task for task in tasks if task.level == 3]
    choices = [choice for task in branded if (choice := solver.solve(task).best)]
    choice = next(c for c in choices if catalogue.plan(c).hotel.hotel.brand)  # type: ignore[union-attr]
    plan = catalogue.plan(choice)
    assert plan
    assert plan.flight
    answers = [
        call("get_room_details", package_id=str(choice.hotel)),
        call("get_hotel_details", hotel_identifier=str(plan.hotel.hotel.hotel_id)),
        call("get_flight_details", package_id=str(choice.flight)),
        call("get_permit_details", package_id=str(choice.permit)),
        [
            a
            for a in call("search_airports", park_name=plan.hotel.park.name)
            if a["airport_code"] == plan.flight.airport.code
        ],
    ]
    told = list(pairs(answers))

    for attribute in attributes:
        value = attribute.of(plan)
        name = "park" if (attribute.name, attribute.component.name) == ("name", "PARK") else attribute.name
        field = FIELDS.get(attribute.name, name) if name != "park" else "park"
        for ending, factor in (("_x100", 100), ("_x10", 10), ("_cents", 100)):
            if field.endswith(ending):
                field, value = field.removesuffix(ending), value / factor  # type: ignore[operator]
            elif attribute.name.endswith(ending) and isinstance(value, int):
                value = value / factor
        assert (field, value) in told, (attribute, value)


# -- Lodging


def test_a_hotel_search_finds_rooms_for_the_whole_group_cheapest_first(toy: Call):
    found = toy("AccommodationSearch", location="Toy", start_date="2025-08-06", end_date="2025-08-08", num_guests=3)

    assert found["total_matches"] == 3
    assert found["truncated"] is False
    assert [(p["package_id"], p["rooms"], p["price"]) for p in found["packages"]] == [
        ("pkg_2_6_8_2", 2, 320.0),
        ("pkg_1_6_8_2", 2, 400.0),
        ("pkg_3_6_8_1", 1, 450.0),
    ]
    assert found["packages"][2]["price_nightly"] == 225.0


def test_packages_without_enough_free_rooms_are_not_shown(toy: Call):
    found = toy(
        "AccommodationSearch", location="toyville", start_date="2025-08-05", end_date="2025-08-06", num_guests=5
    )

    # Elk Lodge is sold out that night; of the rate without cancellation only two rooms are left where three are needed.
    assert [package["package_id"] for package in found["packages"]] == ["pkg_1_5_6_3"]


@pytest.mark.parametrize(
    ("wish", "packages"),
    [
        ({"max_price_nightly": 100}, ["pkg_2_1_3_1", "pkg_1_1_3_1"]),
        ({"max_price_nightly": 99.99}, ["pkg_2_1_3_1"]),
        ({"min_price_nightly": 80.01}, ["pkg_1_1_3_1", "pkg_3_1_3_1"]),
        ({"min_review_score": 7}, ["pkg_2_1_3_1", "pkg_1_1_3_1", "pkg_3_1_3_1"]),
        ({"min_review_score": 7.01}, ["pkg_3_1_3_1"]),
        ({"has_parking": True, "free_cancellation": True}, ["pkg_1_1_3_1"]),
        ({"breakfast_included": True}, ["pkg_3_1_3_1"]),
        ({"no_prepayment_needed": True}, ["pkg_1_1_3_1", "pkg_3_1_3_1"]),
        ({"is_pet_friendly": True}, []),
        ({"has_parking": False}, ["pkg_2_1_3_1", "pkg_1_1_3_1", "pkg_3_1_3_1"]),
    ],
)
def test_each_wish_narrows_a_hotel_search(wish: dict[str, object], packages: list[str], toy: Call):
    asked = {"location": "Toy", "start_date": "2025-08-01", "end_date": "2025-08-03", "num_guests": 2}

    found = toy("AccommodationSearch", **asked, **wish)

    assert [package["package_id"] for package in found["packages"]] == packages


def test_a_long_answer_says_how_much_more_there_is(call: Call):
    asked = {"location": "Zion", "start_date": "2025-08-05", "end_date": "2025-08-06", "num_guests": 2}

    found = call("AccommodationSearch", **asked)

    assert len(found["packages"]) == 50
    assert found["total_matches"] > 50
    assert found["truncated"] is True
    prices = [package["price"] for package in found["packages"]]
    assert prices == sorted(prices)


def test_a_town_that_serves_two_parks_shows_the_hotels_of_both(call: Call):
    found = call("search_hotel", location="Moab", start_date="2025-08-05", end_date="2025-08-07", num_guests=2)

    assert {package["town"] for package in found["packages"]} == {"Moab"}
    assert {package["park"] for package in found["packages"]} == {"Arches", "Canyonlands"}


def test_what_a_search_finds_is_what_the_details_say(call: Call, catalogue: Catalogue):
    found = call("search_hotel", location="Acadia", start_date="2025-08-11", end_date="2025-08-14", num_guests=5)

    for package in found["packages"]:
        room = call("get_room_details", package_id=package["package_id"])
        assert room["price"] == package["price"]
        assert min(night["rooms_available"] for night in room["nights"]) >= room["rooms"]
        assert room["rooms"] * room["max_occupancy"] >= 5
        plan = catalogue.plan(Choice(HotelPackage.parse(package["package_id"])))  # type: ignore[arg-type]
        assert plan
        assert plan.cost_cents(5) == round(package["price"] * 100)


def test_a_hotel_is_found_by_id_by_name_and_by_a_misspelled_part_of_it(toy: Call):
    assert toy("get_hotel_details", hotel_identifier="2")["name"] == "Elk Lodge"
    assert toy("get_hotel_details", hotel_identifier="PINE INN")["confidence_score"] == 1
    assert toy("get_hotel_details", hotel_identifier="elk loge")["name"] == "Elk Lodge"


def test_places_are_found_by_similarity_the_best_first(call: Call):
    best, *_ = call("search_location_name", query="Yelowstone")
    assert (best["name"], best["location_type"]) == ("Yellowstone", "park")
    best, *_ = call("search_location_name", query="springdale")
    assert (best["name"], best["location_type"], best["confidence_score"]) == ("Springdale", "town", 1)
    best, *_ = call("search_location_name", query="denver international")
    assert best["code"] == "DEN"
    assert call("search_location_name", query="%%%") == []


# -- Flights


def test_flights_are_priced_for_all_passengers_and_have_seats_for_them(toy: Call):
    asked = {"origin": "hom", "destination": "TOY", "departure_date": "2025-08-01", "return_date": "2025-08-03"}

    pair, three = (toy("search_flights", **asked, passengers=passengers) for passengers in (2, 3))

    assert [(p["package_id"], p["price"]) for p in pair["packages"]] == [
        ("flight_2_1_3", 300.0),
        ("flight_1_1_3", 400.0),
    ]
    assert [(p["package_id"], p["price"]) for p in three["packages"]] == [("flight_1_1_3", 600.0)]


@pytest.mark.parametrize(
    ("wish", "packages"),
    [
        ({"max_price": 399.99}, ["flight_2_1_3"]),
        ({"max_price": 400}, ["flight_2_1_3", "flight_1_1_3"]),
        ({"direct_flights_only": True}, ["flight_1_1_3"]),
        ({"booking_class": "business"}, []),
        ({"airline_preference": "canyon air"}, ["flight_2_1_3", "flight_1_1_3"]),
    ],
)
def test_each_wish_narrows_a_flight_search(wish: dict[str, object], packages: list[str], toy: Call):
    asked = {"origin": "HOM", "destination": "TOY", "departure_date": "2025-08-01", "return_date": "2025-08-03"}

    found = toy("search_flights", **asked, passengers=2, **wish)

    assert [package["package_id"] for package in found["packages"]] == packages


def test_the_nearest_airport_comes_first(call: Call):
    assert [found["airport_code"] for found in call("search_airports", park_name="Yellowstone")] == [
        "COD",
        "JAC",
        "SLC",
    ]
    assert [found["airport_code"] for found in call("search_airports", park_name="zion national park")] == [
        "SGU",
        "LAS",
    ]


# -- Permits


def test_permits_are_listed_by_kind_with_their_fees(call: Call):
    hikes, *_ = call("list_permits", park="Zion")

    assert hikes["kind"] == "day_hikes"
    assert "Angels Landing chains section" in [permit["template_name"] for permit in hikes["permits"]]
    assert hikes["permits"][0]["fee_group"] == 6.0


def test_days_without_places_are_not_shown(toy: Call):
    found = toy(
        "search_permit_availability", park="Toy", template_name="ridge hike", date_range=["2025-08-03", "2025-08-05"]
    )

    assert [(window["package_id"], window["start_weekday"]) for window in found] == [
        ("permit_1_3_1", "Sunday"),
        ("permit_1_5_1", "Tuesday"),
    ]


def test_permits_of_several_days_lie_within_the_days_asked_for(call: Call):
    found = call(
        "search_permit_availability",
        park="Sequoia",
        template_name="High Sierra Trail to Bearpaw and Hamilton Lakes",
        date_range=["2025-08-04", "2025-08-09"],
        duration_days=3,
    )

    assert found
    assert {window["days"] for window in found} == {3}
    assert all("2025-08-04" <= window["start_date"] <= "2025-08-07" for window in found)


def test_permit_details_tell_what_a_person_pays(toy: Call):
    found = toy("get_permit_details", package_id="permit_1_1_1")

    assert (found["fee_group"], found["fee_person"], found["remaining"]) == (10.0, 5.0, 8)


# -- Utilities


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("1 + 2 * 3", 7),
        ("(1 + 2) * 3", 9),
        ("-2 ** 2", -4),
        ("2 ** -1", 0.5),
        ("2 ** 3 ** 2", 512),
        ("7 % 3", 1),
        ("-7 % 3", 2),
        ("0.1 + 0.2", 0.3),
        ("$1,234.50 * 2", 2469),
        ("10 / 4", 2.5),
        ("--3", 3),
        (".5 * 4", 2),
        ("2 - -2", 4),
    ],
)
def test_the_calculator_calculates(expression: str, value: float):
    assert calculate(expression) == value


@pytest.mark.parametrize(
    "expression",
    [
        "",
        "1 +",
        "(1",
        "1)",
        "1 2",
        "1 / 0",
        "5 % 0",
        "0 ** -1",
        "2 ** 0.5",
        "9 ** 65",
        "9 ** 64 ** 64",
        "__import__('os')",
        "a + 1",
        "1e5",
        "1_000",
        "9" * (LONGEST + 1),
        "(" * 100 + "1" + ")" * 100,
        "-" * 200 + "1",
        "((((9**64)**64)**64)**64)",
        "²",
        "٣",
    ],
)
def test_the_calculator_refuses_all_else(expression: str):
    with pytest.raises(NotCalculable):
        calculate(expression)


def test_driving_times_are_estimated_from_the_distance(call: Call):
    found = call("calculate_distance", lat1=36.7766, lon1=-119.7188, lat2=37.5072, lon2=-119.6326)

    # Fresno airport to the south entrance of Yosemite: 81.6 km as the crow flies, 0.43 + 81.6 / 86 = 1.379 hours.
    assert found == {"driving_time": "1h 23m", "distance_km": pytest.approx(81.6, abs=0.05)}
    assert driving_hours(3) == pytest.approx(0.1)
    assert driving_hours(86) == pytest.approx(1.43)


def test_the_estimate_is_close_to_the_known_drives(catalogue: Catalogue):
    """Over airports and entrances the mean error is about a quarter of an hour."""
    from tripgauge.compass.offers import great_circle_km

    errors = []
    for drive in catalogue.drives.rows():
        airport = catalogue.airport(drive.code)
        gates = [gate for gate in catalogue.entrances.rows() if gate.park_id == drive.park_id]
        nearest = min(great_circle_km(airport.lat, airport.lon, gate.lat, gate.lon) for gate in gates)
        errors.append(abs(driving_hours(nearest) - drive.drive_hours_x100 / 100))

    assert sum(errors) / len(errors) < 0.35


def test_the_notebook_remembers_within_one_conversation_only(index: Index):
    mine, other = (caller(Toolbox(compass_tools(index))) for _ in range(2))

    mine("Notebook", action="write", input_data="two travelers")
    mine("notebook", action="write", input_data="no stairs")
    mine("Notebook", action="write", input_data="three travelers", index=1)

    assert mine("Notebook", action="read", index=1)["notes"] == [{"index": 1, "content": "three travelers"}]
    mine("Notebook", action="delete", index=1)
    assert mine("Notebook", action="list_all")["notes"] == [{"index": 1, "content": "no stairs"}]
    assert other("Notebook", action="list_all")["notes"] == []


# -- Recommendations


def test_recommending_says_whether_packages_exist_not_whether_they_suit(toy: Call):
    found = toy("recommend_hotel", package_ids=["pkg_1_1_3_1", "pkg_3_5_6_9", "pkg_9_1_3_1"], reasoning="cheap")

    assert [answer["valid"] for answer in found] == [True, True, False]
    assert toy("recommend_flight", flight_ids=["flight_1_1_3"], reasoning="")[0]["valid"] is True
    assert toy("recommend_flight", flight_ids=["flight_1_31_32"], reasoning="")[0]["valid"] is False
    assert toy("recommend_permit", permit_ids=["permit_1_4_1", "nonsense"], reasoning="")[1]["valid"] is False


# -- Faults


@pytest.mark.parametrize(
    ("name", "arguments", "kind", "field"),
    [
        ("search_hotels", {}, "name", "name"),
        ("get_weekday", {"date_str": "9 August"}, "parameter", "date_str"),
        ("get_weekday", {"date_str": "2025-09-09"}, "content", "date_str"),
        ("get_weekday", {"date_str": "2025-07-31"}, "content", "date_str"),
        ("search_airports", {"park_name": "Springdale"}, "content", "park_name"),
        ("list_permits", {"park": "Narnia"}, "content", "park"),
        ("search_permit_availability", {"park": "Zion", "template_name": "Lunch"}, "content", "template_name"),
        ("get_room_details", {"package_id": "pkg_1_2"}, "content", "package_id"),
        ("get_room_details", {"package_id": "pkg_99999999_1_2_1"}, "content", "package_id"),
        ("get_flight_details", {"package_id": "flight_0_1_2"}, "content", "package_id"),
        ("get_permit_details", {"package_id": "permit_9_31_2"}, "content", "package_id"),
        ("get_airport_coordinates", {"airport_code": "XXX"}, "content", "airport_code"),
        ("get_hotel_details", {"hotel_identifier": "zzzqqq"}, "content", "hotel_identifier"),
        ("calculate", {"expression": "import os"}, "content", "expression"),
        ("calculate_distance", {"lat1": 91, "lon1": 0, "lat2": 0, "lon2": 0}, "content", "lat1"),
        ("Notebook", {"action": "read", "index": 7}, "content", "index"),
        ("Notebook", {"action": "write"}, "content", "input_data"),
        ("recommend_hotel", {"package_ids": [], "reasoning": ""}, "parameter", "package_ids"),
        ("recommend_hotel", {"package_ids": ["a", "b", "c", "d"], "reasoning": ""}, "parameter", "package_ids"),
    ],
)
def test_each_fault_is_told_with_its_kind_and_field(
    name: str, arguments: dict[str, object], kind: str, field: str, toolbox: Toolbox
):
    fault = toolbox.call(name, arguments).fault

    assert fault
    assert (fault.kind, fault.field) == (kind, field)


HOTEL = {"location": "Zion", "start_date": "2025-08-05", "end_date": "2025-08-08", "num_guests": 2}


@pytest.mark.parametrize(
    ("change", "kind", "field"),
    [
        ({"location": "Narnia"}, "content", "location"),
        ({"start_date": "2025-07-31"}, "content", "start_date"),
        ({"end_date": "2025-09-02"}, "content", "end_date"),
        ({"end_date": "2025-08-05"}, "content", "end_date"),
        ({"num_guests": 0}, "parameter", "num_guests"),
        ({"num_guests": "two"}, "parameter", "num_guests"),
    ],
)
def test_a_hotel_search_that_makes_no_sense_is_told_so(
    change: dict[str, object], kind: str, field: str, toolbox: Toolbox
):
    fault = toolbox.call("AccommodationSearch", {**HOTEL, **change}).fault

    assert fault
    assert (fault.kind, fault.field) == (kind, field)
    assert kind != "content" or field != "location" or "search_location_name" in fault.message


def test_check_out_on_the_first_of_september_is_possible(call: Call):
    assert call("AccommodationSearch", **{**HOTEL, "start_date": "2025-08-31", "end_date": "2025-09-01"})["packages"]


def test_equal_calls_get_equal_answers(index: Index):
    one, two = (Toolbox(compass_tools(index)) for _ in range(2))

    assert one.call("AccommodationSearch", HOTEL).text == two.call("search_hotel", HOTEL).text
    assert json.loads(one.call("search_airports", {"park_name": "Zion"}).text)
