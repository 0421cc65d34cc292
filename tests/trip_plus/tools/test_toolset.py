"""What a Trip+ agent is told, in the toy town and in small worlds made of the faults the strict edition mends (R39)."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tripgauge.chat import ToolCall
from tripgauge.errors import UsageError
from tripgauge.tools import Toolbox, unique_ids
from tripgauge.toy.town import data_folder
from tripgauge.trip_plus.edition import Edition
from tripgauge.trip_plus.sandbox.files import SandboxFiles, read_city_data, read_sample
from tripgauge.trip_plus.tools.commands import (
    answered_calls,
    arguments_from_words,
    call_tool,
    docs_tools,
    list_tools,
    read_calls,
    show_tool,
    toolbox,
)

TOWN = SandboxFiles(read_sample(data_folder() / "briskhaven"))
STRICT = toolbox(Edition.STRICT, TOWN)
RELEASE = toolbox(Edition.RELEASE, TOWN)


def ask(name: str, **arguments: object):
    """The value of a strict answer in the toy town."""
    result = STRICT.call(name, arguments)
    assert result.fault is None, result.fault
    return result.value


def fault(name: str, **arguments: object):
    """The fault of a strict answer in the toy town."""
    result = STRICT.call(name, arguments)
    assert result.fault is not None, result.text
    return result.fault


def numbers(offers) -> list[str]:
    return ["+".join(leg["number"] for leg in offer["segments"]) for offer in offers]


# --- Schemas

TEXTS = "string"
TIMES = dict.fromkeys(("depTimeStart", "depTimeEnd", "arrTimeStart", "arrTimeEnd"), TEXTS)
SORT = ["price", "departure_time", "arrival_time", "latest_arrival", "duration"]
PUBLISHED: Mapping[str, tuple[Mapping[str, str], int, Mapping[str, list[str]]]] = {
    "query_train_info": (
        {
            "origin": TEXTS,
            "destination": TEXTS,
            "depDate": TEXTS,
            "seatClassName": TEXTS,
            "trainType": TEXTS,
            "directOnly": "boolean",
            "sortBy": TEXTS,
            **TIMES,
        },
        3,
        {"sortBy": SORT},
    ),
    "query_flight_info": (
        {
            "origin": TEXTS,
            "destination": TEXTS,
            "depDate": TEXTS,
            "seatClassName": TEXTS,
            "directOnly": "boolean",
            "sortBy": TEXTS,
            **TIMES,
        },
        3,
        {"sortBy": SORT},
    ),
    "query_hotel_info": (
        {
            "destination": TEXTS,
            "hotelStar": TEXTS,
            "hotelName": TEXTS,
            "hotelBrands": TEXTS,
            "minPrice": "number",
            "maxPrice": "number",
            "requiredService": TEXTS,
            "sortBy": TEXTS,
        },
        1,
        {"sortBy": ["price", "rating", "decoration"]},
    ),
    "query_attraction_details": ({"attraction_name": TEXTS}, 1, {}),
    "recommend_attractions": ({"city": TEXTS, "attraction_type": TEXTS}, 1, {}),
    "recommend_restaurants": (
        {"nearby_attraction_name": TEXTS, "sort_by": TEXTS},
        1,
        {"sort_by": ["auto", "distance", "price", "rating"]},
    ),
    "query_restaurant_details": ({"restaurant_name": TEXTS}, 1, {}),
    "search_location": ({"place_name": TEXTS}, 1, {}),
    "query_road_route_info": ({"origin": TEXTS, "destination": TEXTS}, 2, {}),
    "query_city_transport_plan": (
        {"city": TEXTS, "origin_place": TEXTS, "destination_place": TEXTS, "traveler_preference": TEXTS},
        3,
        {},
    ),
    "query_city_weather": ({"city": TEXTS, "date": TEXTS}, 2, {}),
}
"""Names and types in order, how many of the first are required, and the enums; from the published schema file."""


@pytest.mark.parametrize("tools", [STRICT, RELEASE], ids=["strict", "release"])
def test_names_parameters_types_required_and_enums_are_the_published_ones(tools):
    found = {}
    for spec in tools.specs:
        properties = spec.parameters["properties"]
        types = {name: schema["type"] for name, schema in properties.items()}
        enums = {name: schema["enum"] for name, schema in properties.items() if "enum" in schema}
        assert spec.parameters["required"] == list(types)[: len(spec.parameters["required"])]
        found[spec.name] = (types, len(spec.parameters["required"]), enums)

    assert found == PUBLISHED
    assert list(found) == list(PUBLISHED)
    assert [list(types) for types, _, _ in found.values()] == [list(types) for types, _, _ in PUBLISHED.values()]


# --- Journeys


def test_a_connection_is_one_offer_at_one_fare():
    offers = ask("query_train_info", origin="Aldmoor", destination="Briskhaven", depDate="2026-07-14")

    (connection,) = [offer for offer in offers if not offer["direct"]]
    assert numbers([connection]) == ["K21+K22"]
    assert connection["price_per_person"] == 400
    assert connection["duration_minutes"] == 240


def test_the_published_tool_doubles_that_fare():
    answer = RELEASE.call(
        "query_train_info", {"origin": "Aldmoor", "destination": "Briskhaven", "depDate": "2026-07-14"}
    ).value

    assert [route["price"] for [route] in answer if route["segmentCount"] == 2] == [800.0]


@pytest.mark.parametrize(
    ("sort_by", "expected"),
    [
        (None, ["T6", "T10", "T10", "K21+K22", "T12", "Z9"]),
        ("price", ["T6", "T10", "T12", "T10", "Z9", "K21+K22"]),
        ("departure_time", ["T6", "T10", "T10", "K21+K22", "T12", "Z9"]),
        ("arrival_time", ["T6", "T10", "T10", "T12", "K21+K22", "Z9"]),
        ("latest_arrival", ["Z9", "K21+K22", "T12", "T10", "T10", "T6"]),
        ("duration", ["T6", "T10", "T10", "T12", "K21+K22", "Z9"]),
    ],
)
def test_journeys_come_in_the_order_asked_for_ties_by_departure_then_price(sort_by, expected):
    asked = {"sortBy": sort_by} if sort_by else {}
    offers = ask("query_train_info", origin="Aldmoor", destination="Briskhaven", depDate="2026-07-14", **asked)

    assert numbers(offers) == expected


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ({"directOnly": True, "depTimeEnd": "08:00"}, ["T6", "T10", "T10"]),
        ({"seatClassName": "first"}, ["T10"]),
        ({"seatClassName": "First Class"}, ["T10"]),
        ({"seatClassName": "second class seat", "depTimeStart": "08:00"}, ["T10", "T12"]),
        ({"trainType": "high-speed rail", "arrTimeStart": "11:00"}, ["T12"]),
        ({"trainType": "K"}, ["K21+K22"]),
        ({"depTimeStart": "22:00", "depTimeEnd": "07:00"}, ["T6", "Z9"]),
        ({"arrTimeStart": "00:00", "arrTimeEnd": "07:00"}, ["Z9"]),
        ({"depTimeStart": "09:30", "depTimeEnd": "24:00"}, ["T12", "Z9"]),
    ],
)
def test_journeys_that_meet_the_conditions(condition, expected):
    offers = ask("query_train_info", origin="Aldmoor", destination="Briskhaven", depDate="2026-07-14", **condition)

    assert numbers(offers) == expected


def test_a_station_narrows_a_city_down_and_a_station_of_connections_is_no_city():
    by_code = ask("query_flight_info", origin="ALD", destination="Briskhaven City", depDate="2026-07-14")

    assert numbers(by_code) == ["CX2", "CX2", "CX3"]
    assert fault("query_train_info", origin="Crossley Junction", destination="Briskhaven", depDate="2026-07-14") == (
        fault("query_train_info", origin="CRJ", destination="Briskhaven", depDate="2026-07-14")
    )
    unknown = fault("query_train_info", origin="Aldmoor", destination="Nowhere", depDate="2026-07-14")
    assert (unknown.kind, unknown.field) == ("content", "destination")
    assert "Aldmoor, Briskhaven" in unknown.message


def test_a_day_without_journeys_names_the_nearest_days_that_have_some():
    answer = ask("query_train_info", origin="Aldmoor", destination="Briskhaven", depDate="2026-07-20")

    assert answer.startswith("No train from Aldmoor to Briskhaven departs on 2026-07-20.")
    assert "2026-07-18, 2026-07-17" in answer


def test_conditions_that_nothing_meets_are_told_apart_from_days_without_journeys():
    answer = ask(
        "query_train_info",
        origin="Aldmoor",
        destination="Briskhaven",
        depDate="2026-07-14",
        seatClassName="first",
        depTimeStart="12:00",
    )

    assert answer == (
        "None of the 6 journeys by train on 2026-07-14 meets all of: seat class first, departure from 12:00."
    )


def test_a_station_without_journeys_that_day_is_told_apart_from_a_city_without(tmp_path):
    tools = world(
        tmp_path,
        """
        ALS,Aldmoor,BRS,Briskhaven,2026-07-14_08:00:00,2026-07-14_09:00:00,60,G1,Rail,Hard_Seat,,90,1,1
        ALN,North,BRS,Briskhaven,2026-07-15_08:00:00,2026-07-15_09:00:00,60,G2,Rail,Hard_Seat,,90,1,2
        """,
    )

    assert trains_of(tools, "2026-07-14", origin="ALN") == (
        "No train from North to Briskhaven departs on 2026-07-14."
        " From Aldmoor to Briskhaven there are 1, at other stations."
    )


def test_a_class_that_does_not_exist_is_the_agents_fault_and_the_classes_are_named():
    found = fault(
        "query_train_info", origin="Aldmoor", destination="Briskhaven", depDate="2026-07-14", seatClassName="royal"
    )

    assert (found.kind, found.field) == ("content", "seatClassName")
    assert "First Class Seat, Hard Seat, Hard Sleeper, Second Class Seat" in found.message


TRAINS = (
    "origin_city,destination_city,dep_date,dep_station_code,dep_station_name,arr_station_code,arr_station_name,"
    "dep_datetime,arr_datetime,duration,train_no,train_type,seat_class,seat_status,price,segment_index,route_index\n"
)


def world(folder: Path, trains: str, **tables: str) -> Toolbox:
    """A sandbox of a few rows; lines of trains are without the cities, which are Aldmoor and Briskhaven."""
    rows = "".join(f"Aldmoor,Briskhaven,{line.split(',')[4][:10]},{line}\n" for line in trains.split())
    rows = rows.replace("_", " ")
    for name, text in {"trains/trains.csv": TRAINS + rows, **tables}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return toolbox(Edition.STRICT, SandboxFiles(read_sample(folder)))


def trains_of(tools: Toolbox, day: str, **conditions: object):
    arguments = {"origin": "Aldmoor", "destination": "Briskhaven", "depDate": day, **conditions}
    return tools.call("query_train_info", arguments).value


def test_a_change_after_midnight_is_told_as_a_change(tmp_path):
    tools = world(
        tmp_path,
        """
        ALS,Aldmoor,HUB,Halfway,2026-07-14_22:00:00,2026-07-14_23:50:00,110,K1,Express,Hard_Seat,3,50,1,1
        HUB,Halfway,BRS,Briskhaven,2026-07-15_00:20:00,2026-07-15_02:00:00,100,K2,Express,Hard_Seat,Sufficient,70,2,1
        """,
    )

    (offer,) = trains_of(tools, "2026-07-14")

    assert numbers([offer]) == ["K1+K2"]
    assert (offer["price_per_person"], offer["duration_minutes"]) == (120, 240)
    assert [leg["seats_left"] for leg in offer["segments"]] == ["3", "Sufficient"]
    assert trains_of(tools, "2026-07-15").startswith("No train")


def test_a_change_of_class_and_type_keeps_its_second_leg(tmp_path):
    tools = world(
        tmp_path,
        """
        ALS,Aldmoor,HUB,Halfway,2026-07-14_08:00:00,2026-07-14_09:00:00,60,G1,Rail,Second_Class_Seat,,90,1,1
        HUB,Halfway,BRS,Briskhaven,2026-07-14_09:30:00,2026-07-14_10:00:00,30,S2,Intercity,No_Seat,,90,2,1
        """,
    )

    (offer,) = trains_of(tools, "2026-07-14")

    assert [leg["seat_class"] for leg in offer["segments"]] == ["Second Class Seat", "No Seat"]
    assert offer["price_per_person"] == 90
    assert trains_of(tools, "2026-07-14", seatClassName="second").startswith("None of the 1 journeys")


def test_legs_days_apart_are_no_journey(tmp_path):
    tools = world(
        tmp_path,
        """
        ALS,Aldmoor,HUB,Halfway,2026-07-13_08:00:00,2026-07-13_09:00:00,60,G1,Rail,Hard_Seat,,90,1,1
        HUB,Halfway,BRS,Briskhaven,2026-07-16_09:30:00,2026-07-16_10:00:00,30,G2,Rail,Hard_Seat,,90,2,1
        """,
    )

    assert trains_of(tools, "2026-07-13").startswith("No train")
    assert trains_of(tools, "2026-07-16").startswith("No train")


def test_the_same_journey_under_two_route_numbers_is_offered_once(tmp_path):
    line = "ALS,Aldmoor,BRS,Briskhaven,2026-07-14_08:00:00,2026-07-14_09:00:00,60,G1,Rail,Hard_Seat,,90,1"
    tools = world(tmp_path, f"{line},7 {line},8")

    assert numbers(trains_of(tools, "2026-07-14")) == ["G1"]


# --- Hotels, sights, restaurants


def test_hotels_of_another_city_stay_in_their_city():
    assert [hotel["name"] for hotel in ask("query_hotel_info", destination="Briskhaven")] == [
        "Beacon Hotel",
        "Quay Inn",
        "Ropewalk Hostel",
    ]
    assert [hotel["price_per_room_night"] for hotel in ask("query_hotel_info", destination="aldmoor")] == [340]
    assert fault("query_hotel_info", destination="Paris").field == "destination"


@pytest.mark.parametrize(
    ("conditions", "expected"),
    [
        ({"sortBy": "price"}, ["Ropewalk Hostel", "Quay Inn", "Beacon Hotel"]),
        ({"sortBy": "decoration"}, ["Beacon Hotel", "Quay Inn", "Ropewalk Hostel"]),
        ({"hotelStar": "4"}, ["Beacon Hotel"]),
        ({"hotelStar": 4}, ["Beacon Hotel"]),
        ({"hotelStar": "4-star"}, ["Beacon Hotel"]),
        ({"hotelName": "QUAY  inn"}, ["Quay Inn"]),
        ({"hotelName": "hostel"}, ["Ropewalk Hostel"]),
        ({"hotelBrands": "Tidewater Hotel"}, ["Beacon Hotel", "Quay Inn"]),
        ({"minPrice": 180, "maxPrice": "300"}, ["Quay Inn", "Ropewalk Hostel"]),
        ({"requiredService": "Free_Parking"}, ["Quay Inn", "Ropewalk Hostel"]),
        ({"requiredService": "pool and gym service"}, ["Beacon Hotel"]),
        ({"requiredService": "washer, parking"}, ["Quay Inn"]),
    ],
)
def test_hotels_that_meet_the_conditions(conditions, expected):
    assert [hotel["name"] for hotel in ask("query_hotel_info", destination="Briskhaven", **conditions)] == expected


def test_hotels_that_nobody_asked_for_are_not_given():
    assert ask("query_hotel_info", destination="Briskhaven", minPrice=5000) == (
        "None of the 3 hotels in Briskhaven meets all of these conditions."
    )
    assert fault("query_hotel_info", destination="Briskhaven", hotelBrands="Hilton").field == "hotelBrands"
    assert fault("query_hotel_info", destination="Briskhaven", hotelStar="many").field == "hotelStar"


def test_closing_days_and_hours_past_midnight_are_shown():
    museum = ask("query_attraction_details", attraction_name="Fort Museum")
    row = ask("query_attraction_details", attraction_name="LANTERN ROW")
    hill = ask("query_attraction_details", attraction_name="Signal Hill")

    assert museum["opening_times"] == {"opens": "09:00", "closes": "17:00", "closed_on": ["Monday"]}
    assert (museum["min_visit_minutes"], museum["max_visit_minutes"]) == (60, 180)
    assert (museum["price_per_person"], museum["coordinates"]) == (40, "30.000000,121.000000")
    assert row["opening_times"] == {"opens": "18:00", "closes": "02:00 (next day)"}
    assert hill["opening_times"] == {"opens": "00:00", "closes": "24:00"}


def test_a_name_that_is_only_part_of_one_is_not_that_place_but_hinted_at():
    found = fault("query_attraction_details", attraction_name="Museum")

    assert (found.kind, found.field) == ("content", "attraction_name")
    assert "Fort Museum" in found.message
    assert fault("query_restaurant_details", restaurant_name="Annie").field == "restaurant_name"
    assert fault("search_location", place_name="Briskhaven").field == "place_name"


@pytest.mark.parametrize("spelling", ["Annie’s Kitchen", "ANNIE'S KITCHEN", "Annie's  Kitchen", "[Annie's Kitchen]"])
def test_other_spellings_of_a_name_are_that_place(spelling):
    assert ask("query_restaurant_details", restaurant_name=spelling)["name"] == "Annie's Kitchen"


def test_all_sights_of_a_type_are_given_and_a_type_there_is_not_names_those_there_are():
    assert [sight["name"] for sight in ask("recommend_attractions", city="Briskhaven", attraction_type="park")] == [
        "Fern Garden"
    ]
    assert len(ask("recommend_attractions", city="Briskhaven City")) == 7
    assert "Natural Scenery" in fault("recommend_attractions", city="Briskhaven", attraction_type="Theme Park").message
    assert fault("recommend_attractions", city="Aldmoor").field == "city"


def test_sights_with_a_rating_come_first_and_the_others_keep_their_order(tmp_path):
    rows = "city,attraction_name,rating,ticket_price\nA,New,,5\nA,Good,4.8,10\nA,Old,,0\nA,Best,4.9,0\nA,Free,4.8,0\n"
    tools = world(tmp_path, "", **{"attractions/attractions.csv": rows})

    names = [sight["name"] for sight in tools.call("recommend_attractions", {"city": "A"}).value]

    assert names == ["Best", "Free", "Good", "New", "Old"]


@pytest.mark.parametrize(
    ("sort_by", "expected"),
    [
        ("auto", ["Pepper Yard", "Midnight Grill"]),
        ("price", ["Pepper Yard", "Midnight Grill"]),
        ("distance", ["Midnight Grill", "Pepper Yard"]),
        ("rating", ["Pepper Yard", "Midnight Grill"]),
    ],
)
def test_restaurants_listed_for_a_sight(sort_by, expected):
    meals = ask("recommend_restaurants", nearby_attraction_name="Lantern Row", sort_by=sort_by)

    assert [meal["name"] for meal in meals["restaurants"]] == expected
    assert meals["found_by"] == "listed for this place"


def test_restaurants_around_a_hotel_are_those_within_three_kilometers():
    meals = ask("recommend_restaurants", nearby_attraction_name="Beacon Hotel", sort_by="distance")

    assert meals["found_by"] == "within 3 km"
    assert meals["restaurants"][0]["name"] == "Annie's Kitchen"
    assert all(meal["distance_meters"] <= 3000 for meal in meals["restaurants"])
    assert ask("recommend_restaurants", nearby_attraction_name="Briskhaven Airport").startswith("No restaurant")
    assert fault("recommend_restaurants", nearby_attraction_name="Nowhere").field == "nearby_attraction_name"


# --- Getting about, weather


def test_a_station_is_found_by_name_code_and_alias_and_the_bare_city_is_no_station():
    for name in ("Briskhaven Station", "BRS", "Briskhaven Railway Station"):
        assert ask("search_location", place_name=name)["name"] == "Briskhaven Station"
    assert ask("search_location", place_name="Fort Gate")["kind"] == "subway_station"


def test_the_way_by_road_is_the_matrix_where_it_knows_it_and_else_an_estimate():
    known = ask("query_road_route_info", origin="30.000000,121.000000", destination="29.870000,121.000000")
    unknown = ask("query_road_route_info", origin="Midnight Grill", destination="Fort Museum")

    assert (known["distance_meters"], known["duration_minutes"], known["cost_per_vehicle"]) == (18000, 40, 43)
    assert (known["mode"], known["source"]) == ("taxi", "distance matrix")
    assert unknown["source"].startswith("estimate")
    assert fault("query_road_route_info", origin="a,b", destination="30.0,121.0").field == "origin"


def test_a_sandbox_with_a_metro_of_its_own_tells_of_it():
    plan = ask(
        "query_city_transport_plan",
        city="Briskhaven",
        origin_place="Briskhaven Airport",
        destination_place="Fern Garden",
        traveler_preference="budget_first",
    )

    assert plan["recommended_mode"] == "subway"
    assert plan["metro"]["lines"] == ["Line 2"]
    assert plan["metro"]["stations"] == ["Airport Terminal", "Fort Gate", "Fern Gate"]
    assert (plan["cost"], plan["cost_is"]) == (plan["metro"]["cost_per_person"], "per person")
    assert plan["road"]["cost_per_vehicle"] == 43


def test_the_published_tool_does_not_see_that_metro():
    arguments = {"city": "Briskhaven", "origin_place": "Briskhaven Airport", "destination_place": "Fern Garden"}

    plan = RELEASE.call("query_city_transport_plan", arguments).value

    assert plan["details"]["fallback_reason"] == "no_subway_data"
    assert plan["note"].startswith("Metro data not found for city Briskhaven")


def test_a_preference_there_is_not_names_those_there_are():
    found = fault(
        "query_city_transport_plan",
        city="Briskhaven",
        origin_place="Fort Museum",
        destination_place="Fern Garden",
        traveler_preference="scenic",
    )

    assert found.field == "traveler_preference"
    assert "balanced, budget_first, min_walking, time_first" in found.message


def test_the_weather_is_that_of_the_city_asked_for():
    assert ask("query_city_weather", city="Briskhaven", date="2026-07-15")["condition"] == "Rain"
    assert fault("query_city_weather", city="Aldmoor", date="2026-07-15").field == "city"


def test_the_published_tool_gives_the_destinations_weather_for_any_city():
    answer = RELEASE.call("query_city_weather", {"city": "Aldmoor", "date": "2026-07-15"}).value

    assert (answer["city"], answer["condition"]) == ("Aldmoor", "Rain")


def test_another_days_weather_is_said_to_be_another_days():
    near = ask("query_city_weather", city="Briskhaven", date="2026-07-20")

    assert (near["date"], near["requested_date"]) == ("2026-07-18", "2026-07-20")
    assert near["note"] == "Not known for 2026-07-20; this is 2026-07-18."
    assert fault("query_city_weather", city="Briskhaven", date="2026-07-22").field == "date"


def test_the_weather_of_the_origin_comes_from_the_city_level_data(tmp_path):
    (tmp_path / "aldmoor" / "weather").mkdir(parents=True)
    (tmp_path / "city_index.json").write_text('{"aldmoor": {"city_name": "Aldmoor"}}', encoding="utf-8")
    (tmp_path / "aldmoor" / "weather" / "weather_daily.csv").write_text(
        "date,weather_code,weather_condition\n2026-07-15,0,Clear\n", encoding="utf-8"
    )
    tools = toolbox(Edition.STRICT, SandboxFiles(TOWN.sample, read_city_data(tmp_path)))

    assert tools.call("query_city_weather", {"city": "Aldmoor", "date": "2026-07-15"}).value["condition"] == "Clear"
    assert tools.call("query_city_weather", {"city": "Briskhaven", "date": "2026-07-15"}).value["condition"] == "Rain"


# --- Edition release as an agent meets it


def test_release_shows_an_agent_six_hotels_at_most_and_the_clean_up_of_its_arguments():
    result = RELEASE.call("query_hotel_info", {"name": "Quay Inn", "destination": "", "junk": 1})

    assert result.arguments == {"hotelName": "Quay Inn"}
    assert [hotel["name"] for hotel in json.loads(result.text)] == ["Quay Inn"]


@pytest.mark.parametrize(
    ("name", "arguments", "error", "kind"),
    [
        ("query_trains", "{}", "tool_not_found", "name"),
        ("query_train_info", "{'origin': 'A'}", "invalid_tool_arguments_json", "parameter"),
        ("query_train_info", "[]", "invalid_tool_arguments_type", "parameter"),
    ],
)
def test_release_names_its_errors_as_published_and_counts_them_as_faults(name, arguments, error, kind):
    (result,) = RELEASE.answer([ToolCall("1", name, arguments)])

    assert json.loads(result.text)["error"] == error
    assert result.fault is not None
    assert result.fault.kind == kind


# --- For people


def test_the_manual_of_every_tool_is_in_the_documentation():
    text = docs_tools()

    assert [spec.name for spec in list_tools()] == list(PUBLISHED)
    assert all(f"## {name}" in text for name in PUBLISHED)
    assert "| `sort_by` | string |  | What to order by: the cheapest, nearest or best rated first. One of: auto" in text


def test_a_tool_is_called_with_words_from_a_command_line():
    result = call_tool(
        Edition.STRICT, TOWN, "query_hotel_info", ["destination=Briskhaven", "maxPrice=200", "hotelStar=2"]
    )

    assert [hotel["name"] for hotel in result.value] == ["Ropewalk Hostel"]
    assert result.repairs == ()


@pytest.mark.parametrize("words", [["destination"], ["destination=A", "destination=B"]])
def test_words_that_are_no_arguments_are_the_operators_fault(words):
    with pytest.raises(UsageError, match="destination"):
        arguments_from_words("query_hotel_info", words)


def test_a_tool_there_is_not_is_the_operators_fault():
    with pytest.raises(UsageError, match="query_train_info"):
        show_tool("query_trains")


@pytest.mark.parametrize("edition", Edition)
def test_a_file_of_calls_gets_one_line_for_each_in_order(tmp_path, edition):
    calls = tmp_path / "calls.jsonl"
    lines = [
        {"id": "a", "env": "plain", "sample": "briskhaven", "tool": "query_attraction_details", "args": {"name": "X"}},
        {"id": "b", "sample": "briskhaven", "tool": "query_hotel_info", "args": {"destination": "Bri"}},
    ]
    calls.write_text("\n".join(json.dumps(line) for line in lines), encoding="utf-8")

    answers = list(answered_calls(read_calls(calls), edition=edition, data=data_folder()))

    assert [answer["id"] for answer in answers] == ["a", "b"]
    assert all(set(answer) == {"id", "result", "agent_args", "agent_view"} for answer in answers)
    assert answers[0]["agent_args"] == {"attraction_name": "X"}


@pytest.mark.parametrize(
    "line",
    ["{", "[]", '{"tool":"query_hotel_info","args":{}}', '{"sample":"a"}'],
)
def test_a_line_that_is_no_call_is_named(tmp_path, line):
    calls = tmp_path / "calls.jsonl"
    calls.write_text(f"\n{line}\n", encoding="utf-8")

    with pytest.raises(UsageError, match="line 2"):
        read_calls(calls)


def recorded(folder: Path, *lines: Mapping[str, object]) -> Path:
    calls = folder / "calls.jsonl"
    calls.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return calls


@pytest.mark.parametrize("environment", ["City", "", None, 1])
def test_an_environment_there_is_not_is_told_by_file_and_line(tmp_path, environment):
    line = {"id": 1, "sample": "briskhaven", "tool": "query_city_weather", "args": {}}

    with pytest.raises(UsageError, match=r'calls\.jsonl, line 2: `env` must be "plain" or "city"'):
        read_calls(recorded(tmp_path, line, {**line, "env": environment}))


@pytest.mark.parametrize(
    ("change", "said"),
    [({"env": "city"}, r"line 2: `env` \"city\" needs --city-data"), ({"sample": "nowhere"}, "line 2: No sandbox for")],
)
def test_a_call_that_the_data_cannot_serve_is_told_by_file_and_line(tmp_path, change, said):
    line = {"id": 1, "env": "plain", "sample": "briskhaven", "tool": "search_location", "args": {"place_name": "X"}}
    calls = read_calls(recorded(tmp_path, line, {**line, **change}))

    with pytest.raises(UsageError, match=said):
        list(answered_calls(calls, edition=Edition.STRICT, data=data_folder()))


@pytest.mark.parametrize("edition", Edition)
def test_a_call_of_a_tool_there_is_not_is_answered_as_an_agent_would_be(tmp_path, edition):
    line = {"id": 1, "sample": "briskhaven", "tool": "book_hotel", "args": {}}
    other = {"id": 2, "sample": "briskhaven", "tool": "search_location", "args": {"place_name": "Fort Museum"}}

    first, second = answered_calls(read_calls(recorded(tmp_path, line, other)), edition=edition, data=data_folder())

    assert first["result"] == first["agent_view"] == toolbox(edition, TOWN).call("book_hotel", {}).text
    assert "book_hotel" in str(first["result"])
    assert "30.0" in str(second["result"])


@pytest.mark.parametrize("edition", Edition)
def test_a_half_of_a_surrogate_pair_in_a_call_does_not_keep_its_answer_from_being_written(tmp_path, edition):
    calls = tmp_path / "calls.jsonl"
    calls.write_text(
        '{"id":1,"sample":"briskhaven","tool":"search_location","args":{"place_name":"\\ud800"}}', encoding="utf-8"
    )

    (answer,) = answered_calls(read_calls(calls), edition=edition, data=data_folder())

    assert "?" in json.dumps(answer, ensure_ascii=False).encode("utf-8").decode("utf-8")


def test_release_survives_arguments_nested_beyond_reading():
    for depth in (60, 900, 100_000):
        text = '{"origin":' + "[" * depth + "]" * depth + "}"

        assert json.loads(RELEASE.answer([ToolCall("1", "query_train_info", text)])[0].text)["error"] == (
            "invalid_tool_arguments_json"
        )


@pytest.mark.parametrize("date", [1784073600, "1784073600", 0, "0", 20260715, "20260715", True, ["2026-07-15"], "July"])
def test_only_an_iso_date_is_a_date(date):
    found = fault("query_city_weather", city="Briskhaven", date=date)

    shown = json.dumps(date)
    assert (found.kind, found.field) == ("parameter", "date")
    assert found.message.startswith(f"date must be a date (YYYY-MM-DD), not {shown}")


def test_a_day_the_calendar_does_not_have_is_a_parameter_fault():
    assert fault("query_city_weather", city="Briskhaven", date="2026-02-30").kind == "parameter"


@pytest.mark.parametrize("time", [8, "8", "25:99", "morning"])
def test_a_time_of_day_is_hours_and_minutes(time):
    journey = {"origin": "Aldmoor", "destination": "Briskhaven", "depDate": "2026-07-14"}

    found = fault("query_train_info", **journey, depTimeStart=time)

    assert (found.kind, found.field) == ("parameter", "depTimeStart")
    assert found.message == f"depTimeStart must be a time (HH:MM), not {json.dumps(time)}."


@pytest.mark.parametrize("city", ["", "  ", None])
def test_an_empty_text_for_a_required_argument_is_a_missing_one(city):
    absent = fault("query_city_weather", date="2026-07-15")
    empty = fault("query_city_weather", date="2026-07-15", city=city)

    assert empty == absent
    assert (empty.kind, empty.field) == ("parameter", "city")
    assert empty.message.startswith("query_city_weather needs city: ")


def test_a_byte_order_mark_before_the_arguments_is_dropped_as_a_repair():
    text = '{"city":"Briskhaven","date":"2026-07-15"}'
    plain, marked = (STRICT.answer([ToolCall("1", "query_city_weather", mark + text)])[0] for mark in ("", "\ufeff"))

    assert marked.text == plain.text
    assert (plain.repairs, marked.repairs) == ((), ("byte order mark",))


# --- Whatever arguments arrive

PLACES = [
    *("Aldmoor", "Briskhaven", "briskhaven city", "Briskhaven Station", "BRS", "Fort Museum", "Fort Gate", "Museum"),
    *("Quay Inn", "Annie’s Kitchen", "30.000000,121.000000", "91,181", "0,0", "a,b", "Tidewater", "", " ", "Crossley"),
]
DATES = ["2026-07-14", "2026-07-20", "2026-02-30", "14 July", "", "9999-12-31", "0001-01-01"]
WORDS = ["price", "rating", "distance", "scenic", "first", "G", "08:00", "24:00", "25:99", "4", "-1", "gym and pool"]
words = st.sampled_from(PLACES + DATES + WORDS) | st.text(max_size=12)
values = st.one_of(
    words,
    words,
    st.sampled_from(DATES),
    st.none(),
    st.booleans(),
    st.integers(-(10**20), 10**20),
    st.floats(),
    st.lists(words, max_size=2),
    st.dictionaries(st.text(max_size=3), words, max_size=2),
)


@st.composite
def tool_calls(draw: st.DrawFn) -> ToolCall:
    name = draw(st.sampled_from(list(PUBLISHED)))
    types, required, _ = PUBLISHED[name]
    given = {key: draw(values) for key in list(types)[:required] if draw(st.integers(0, 9))}
    optional = draw(st.lists(st.sampled_from([*types, "name", "page", "visit_date", "departure_time"]), max_size=3))
    return ToolCall("1", name, json.dumps(given | {key: draw(values) for key in optional}))


@settings(max_examples=500, deadline=None)
@given(tool_calls())
def test_any_arguments_get_an_answer_or_a_fault_in_both_editions_and_always_the_same(call):
    for tools in (STRICT, RELEASE):
        (result,) = tools.answer([call])

        result.text.encode("utf-8")
        assert result.call.id == "1"
        assert result.text
        assert (result.signature is None) == (result.fault is not None)
        assert tools.answer([call]) == (result,)


GOOD: Mapping[str, list[object]] = {
    "origin": ["Aldmoor", "ALS", "Fort Museum", "30.000000,121.000000"],
    "destination": ["Briskhaven", "BRS", "Pier Market", "29.870000,121.000000"],
    "depDate": ["2026-07-14", "2026-07-15"],
    "date": ["2026-07-14", "2026-07-20"],
    "city": ["Briskhaven", "briskhaven city"],
    "directOnly": [True, "false"],
    "minPrice": [100, "200.0"],
    "maxPrice": [400, 350.5],
    "page": [1, 2],
    **{name: ["08:00", "24:00"] for name in TIMES},
    **{
        name: ["Fort Museum", "Annie’s Kitchen", "Quay Inn", "Lantern Row"]
        for name in ("attraction_name", "restaurant_name", "place_name", "nearby_attraction_name")
    },
    **{name: ["Fern Garden", "Beacon Hotel"] for name in ("origin_place", "destination_place")},
}


def random_value(draw: Random) -> object:
    kinds: list[Callable[[], object]] = [
        lambda: draw.choice(PLACES),
        lambda: draw.choice(DATES),
        lambda: draw.choice(WORDS),
        lambda: draw.choice([None, True, False, [], {}, "\ud800", 0, -1, 3.5, 10**30, 1e300, float("nan")]),
        lambda: "".join(chr(draw.choice([draw.randrange(32, 127), draw.randrange(0x3000, 0xFFFF)])) for _ in range(9)),
        lambda: [draw.choice(PLACES)],
        lambda: {"name": draw.choice(PLACES)},
    ]
    return draw.choice(kinds)()


def random_call(draw: Random) -> ToolCall:
    name = draw.choice([*PUBLISHED, "query_trains"])
    types, required, _ = PUBLISHED.get(name, ({}, 0, {}))
    names = [key for key in list(types)[:required] if draw.random() < 0.9]
    names += draw.choices([*types, "name", "page", "visit_date", "departure_time", "latitude"], k=draw.randrange(4))
    good = {key: draw.choice(GOOD[key]) for key in names if key in GOOD and draw.random() < 0.8}
    text = json.dumps({key: good[key] if key in good else random_value(draw) for key in names})
    broken = [text, f"```json\n{text}\n```", text[:-1] + ",}", text[: draw.randrange(len(text) + 1)], text * 2, ""]
    return ToolCall(draw.choice(["a", "b", "", "c"]), name, draw.choices(broken, weights=(80, 5, 5, 5, 3, 2))[0])


@pytest.mark.slow
@pytest.mark.parametrize("tools", [STRICT, RELEASE], ids=["strict", "release"])
def test_a_hundred_thousand_calls_are_each_answered_once_and_in_order(tools):
    draw = Random(2026)
    answered = faults = 0
    while answered < 100_000:
        sent = [random_call(draw) for _ in range(draw.randrange(1, 6))]

        results = tools.answer(sent)

        assert [(result.call.name, result.call.id) for result in results] == [
            (call.name, call.id) for call in unique_ids(sent)
        ]
        assert len({result.call.id for result in results}) == len(sent)
        for result in results:
            result.text.encode("utf-8")
            assert result.text
        answered += len(results)
        faults += sum(1 for result in results if result.fault)
    assert 1000 < faults < answered - 10_000
