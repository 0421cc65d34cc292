"""Contradictions in data: each rule is broken once in an otherwise spotless world, and those known are found."""

import copy
import csv
import gzip
import io
import json
import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from tripgauge.errors import UsageError
from tripgauge.trip_plus.data.check import DataReport, check_data, rules
from tripgauge.trip_plus.data.rules.rule import Contradiction, Severity

Row = dict[str, str]
Json = dict[str, Any]


# --- A spotless world -------------------------------------------------------------------------------------------------


def attraction(name: str, latitude: str, **cells: str) -> Row:
    return {
        "city": "Briskhaven",
        "attraction_name": name,
        "description": "",
        "attraction_type": "Park",
        "address": "",
        "latitude": latitude,
        "longitude": "121.000000",
        "rating": "4.6",
        "opening_time": "09:00",
        "closing_time": "17:00",
        "closing_dates": "",
        "min_visit_hours": "1.0",
        "max_visit_hours": "2.0",
        "ticket_price": "40",
        "popularity_tags": "viral;photo_spot",
        "crowd_risk": "high",
        "queue_risk": "",
        "peak_crowd_windows": "weekend",
        **cells,
    }


def hotel(name: str, latitude: str, price: str, score: str) -> Row:
    return {
        "city": "Briskhaven",
        "name": name,
        "address": "",
        "latitude": latitude,
        "longitude": "121.010000",
        "decoration_time": "2019",
        "hotel_star": "3",
        "price": price,
        "score": score,
        "brand": "Quay",
        "services": "Gym;Parking",
    }


def restaurant(name: str, anchor: str, price: str) -> Row:
    return {
        "restaurant_name": name,
        "city": "Briskhaven",
        "price_per_person": price,
        "cuisine": "Seafood",
        "opening_time": "10:00",
        "closing_time": "22:00",
        "nearby_attraction_name": anchor,
        "rating": "4.5",
        "tags": "Terrace",
    }


def location(name: str, latitude: str, longitude: str, kind: str) -> Row:
    return {"poi_name": name, "latitude": latitude, "longitude": longitude, "address": "", "poi_type": kind}


def service(number_column: str, number: str, outbound: bool, times: tuple[str, str], minutes: str, **cells: str) -> Row:
    cities = ("Aldmoor", "Briskhaven") if outbound else ("Briskhaven", "Aldmoor")
    kind = "Airport" if number_column == "flight_no" else "Station"
    return {
        "origin_city": cities[0],
        "destination_city": cities[1],
        "dep_date": times[0][:10],
        "dep_station_code": "",
        "dep_station_name": f"{cities[0]} {kind}",
        "arr_station_code": "",
        "arr_station_name": f"{cities[1]} {kind}",
        "dep_datetime": times[0],
        "arr_datetime": times[1],
        "duration": minutes,
        number_column: number,
        **({"airline": "Coast Air"} if number_column == "flight_no" else {"train_type": "EMU"}),
        "seat_class": "Economy" if number_column == "flight_no" else "Second Class Seat",
        **({"equip_type": "", "equip_size": "", "manufacturer": ""} if number_column == "flight_no" else {}),
        "price": "500",
        "segment_index": "1",
        "route_index": "1",
        "sample_id": "",
        **cells,
    }


OUT, BACK = ("2026-07-14 08:00:00", "2026-07-14 10:00:00"), ("2026-07-16 18:00:00", "2026-07-16 20:00:00")


def tables() -> dict[str, list[Row]]:
    places = [("Fort Museum", "30.000000"), ("Lantern Row", "30.010000"), ("Pier Market", "30.020000")]
    hubs = ["Briskhaven Station", "Briskhaven Airport", "Aldmoor Station", "Aldmoor Airport"]
    return {
        "attractions/attractions.csv": [
            attraction(*places[0], attraction_type="Museum/Memorial Hall"),
            attraction(*places[1], popularity_tags="viral"),
            attraction(*places[2], ticket_price="0"),
        ],
        "hotels/hotels.csv": [
            hotel("Quay Inn", "30.001000", "300", "4.5"),
            hotel("Mill Lodge", "30.002000", "420", "4.1"),
        ],
        "restaurants/restaurants.csv": [
            restaurant("Annie's Kitchen", "Fort Museum", "80"),
            restaurant("Net Loft", "Pier Market", "95"),
        ],
        "locations/locations_coords.csv": [
            *(location(name, latitude, "121.000000", "attraction") for name, latitude in places),
            location("Quay Inn", "30.001000", "121.010000", "hotel"),
            location("Mill Lodge", "30.002000", "121.010000", "hotel"),
            location("Annie's Kitchen", "30.000500", "121.000000", "restaurant"),
            location("Net Loft", "30.020500", "121.000000", "restaurant"),
            *(location(name, "30.100000", f"121.{place}00000", "poi") for place, name in enumerate(hubs, 1)),
        ],
        "locations/location_aliases.csv": [
            {"alias": "BHA", "canonical_name": "Briskhaven Airport", "entity_type": "poi", "source": "transport_hub"}
        ],
        "flights/flights.csv": [
            service("flight_no", "CX1", True, OUT, "120"),
            service("flight_no", "CX2", False, BACK, "120", route_index="2"),
        ],
        "trains/trains.csv": [
            service("train_no", "K1", True, OUT, "120"),
            service("train_no", "K2", False, BACK, "120", route_index="2"),
        ],
        "transportation/distance_matrix.csv": [
            {
                "origin": "30.000000,121.000000",
                "destination": "30.010000,121.000000",
                "distance_meters": "1112",
                "duration_minutes": "13",
                "cost": "0",
            }
        ],
        "weather/weather_daily.csv": [
            {
                "date": f"2026-07-{day}",
                "weather_code": "61",
                "weather_condition": "Rain",
                "temperature_max_c": "31.0",
                "temperature_min_c": "22.0",
                "precipitation_mm": "6.0",
                "precipitation_hours": "5.0",
            }
            for day in ("14", "15", "16")
        ],
    }


def subway() -> Json:
    stops = [("Fort", "121.000000", "30.000000"), ("Pier", "121.000000", "30.020000")]
    stations = [{"name": name, "longitude": longitude, "latitude": latitude} for name, longitude, latitude in stops]
    return {"city": "Briskhaven", "source": "test", "lines": [{"name": "Line 1", "stations": stations}]}


HOTEL_OPTION = {
    "hotel_name": "Quay Inn",
    "hotel_price": 300.0,
    "hotel_score": 4.5,
    "hotel_star": 3,
    "brand": "Quay",
    "decoration_time": 2019,
    "services": ["Gym", "Parking"],
}
RESTAURANT_OPTION = {
    "restaurant_name": "Annie's Kitchen",
    "price_per_person": 80.0,
    "restaurant_rating": 4.5,
    "nearby_attraction_name": "Fort Museum",
    "cuisine_type": "Seafood",
    "tags": ["Terrace"],
    "opening_time": "10:00",
    "closing_time": "22:00",
}
ATTRACTION_OPTION = {
    "attraction_name": "Fort Museum",
    "attraction_type": "Museum/Memorial Hall",
    "rating": 4.6,
    "ticket_price": 40.0,
    "opening_time": "09:00",
    "closing_time": "17:00",
}
FLIGHT_OPTION = {
    "flight_no": "CX2",
    "seat_class": "Economy",
    "price": 500.0,
    "dep_datetime": BACK[0],
    "arr_datetime": BACK[1],
    "origin_city": "Briskhaven",
    "destination_city": "Aldmoor",
    "route_index": 2,
    "segment_index": 1,
}

CONSTRAINTS: Json = {
    "trip_date_range_required": {"depart_date": "2026-07-14", "return_date": "2026-07-16", "days": 3},
    "party_size_required": {"people_number": 2},
    "room_count_required": {"room_number": 1},
    "intercity_round_trip_mode_required": {"route_mode": "flight", "origin": "Aldmoor", "destinations": ["Briskhaven"]},
    "budget_constraint": {
        "min_budget": 3000,
        "max_budget": 4000,
        "minimum_feasible_budget": 3000,
        "estimated_meal_slots": 6,
        "estimated_breakdown": {"transportation": 2000.0, "local_transport_buffer": 240.0},
    },
    "hotel_price_range": {
        "price_range": "280-320",
        "min_price": 280,
        "max_price": 320,
        "hotel_name": "Quay Inn",
        "acceptable_hotel_names": ["Quay Inn"],
        "acceptable_hotel_options": [HOTEL_OPTION],
    },
    "hotel_highest_rated": {"hotel_name": "Quay Inn", "hotel_score": 4.5, "acceptable_hotel_names": ["Quay Inn"]},
    "restaurant_highest_rated": {
        "attraction_name": "Fort Museum",
        "restaurant_name": "Annie's Kitchen",
        "restaurant_rating": 4.5,
        "acceptable_restaurant_names": ["Annie's Kitchen"],
        "acceptable_restaurant_options": [RESTAURANT_OPTION],
    },
    "attraction_type_highest_rated": {
        "attraction_type": "Museum/Memorial Hall",
        "attraction_type_label": "Museum",
        "attraction_names": ["Fort Museum"],
        "attraction_ratings": [4.6],
        "acceptable_attraction_names": ["Fort Museum"],
        "acceptable_attraction_options": [ATTRACTION_OPTION],
    },
    "attraction_initial_must_visit_before_availability": {"attraction_names": ["Lantern Row"]},
    "flight_arrival_time_range": {
        "time_range": "7 PM to 9 PM",
        "start_hour": 19,
        "end_hour": 21,
        "inbound_flight_no": "CX2",
        "inbound_arr_time": BACK[1],
        "acceptable_inbound_flight_nos": ["CX2"],
        "acceptable_inbound_flight_options": [FLIGHT_OPTION],
    },
}
FIRST_WORDS = (
    "The two of us fly from Aldmoor to Briskhaven on July 14, 2026 (Tuesday), back on July 16, 2026 (Thursday), 3 days "
    'with 2 nights, one room, at most 4000 yuan. We want to see "Lantern Row" and eat near "Fort Museum".'
)
WORDS = (
    FIRST_WORDS,
    "A friend joins, so three of us need two rooms.",
    'Please add "Pier Market".',
    'We want dinner at "Net Loft" on day 2.',
    "Quay Inn, please.",
    "At most 3800 yuan now.",
    "Day 2 should end by 20:00.",
    "Day 2 should start at 10:00.",
    "Nothing spicy, please.",
    "Lantern Row is closed.",
    "It will rain on day 2.",
    "Four sights a day, and hotel nights below 200 yuan.",
    "I insist; say so if it cannot be done.",
)
DELTAS: dict[int, Json] = {
    1: {"party_update": {"party_subtype": "friend_added", "new_people_number": 3, "new_room_number": 2}},
    2: {"add_attraction": {"name": "Pier Market", "insert_day": 2}},
    3: {
        "restaurant_requirement": {
            "restaurant_name": "Net Loft",
            "anchor": "Pier Market",
            "meal_day": 2,
            "meal_type": "Dinner",
            "candidate_reference": {
                "name": "Net Loft",
                "rating": "4.5",
                "price_per_person": "95",
                "acceptable_restaurant_names": ["Net Loft"],
            },
        }
    },
    4: {
        "hotel_requirement": {
            "hotel_name": "Quay Inn",
            "candidate_reference": {
                "name": "Quay Inn",
                "score": "4.5",
                "price": "300",
                "acceptable_hotel_names": ["Quay Inn"],
            },
        }
    },
    5: {"budget_update": {"old_max_budget": 4000, "new_max_budget": 3800, "minimum_feasible_budget": 3000}},
    6: {
        "schedule_update": {
            "schedule_subtype": "early_finish",
            "day": 2,
            "latest_formal_end_time": "20:00",
            "latest_formal_end_minutes": 1200,
        }
    },
    7: {"late_start_request": {"day": 2, "earliest_start_time": "10:00", "earliest_start_minutes": 600}},
    8: {"dietary_update": {"restriction": "no_spicy", "banned_keywords": ["Hot Pot", "Spicy"]}},
}
EVENTS: dict[int, Json] = {
    9: {
        "factor": "availability_change",
        "type": "poi_availability_change",
        "city": "Briskhaven",
        "message": "",
        "unavailable_entity": "Lantern Row",
        "deactivates_hard_constraints": ["attraction_initial_must_visit_before_availability"],
        "expected_adjustments": [{"check": "avoid_unavailable_poi", "target": "Lantern Row"}],
    },
    10: {
        "factor": "weather_risk",
        "type": "rain",
        "city": "Briskhaven",
        "message": "",
        "expected_adjustments": [
            {
                "check": "limit_outdoor_in_window",
                "day": 2,
                "part": "Morning",
                "time_window": [540, 720],
                "max_outdoor_minutes": 60,
            }
        ],
    },
}
RESOLUTIONS: dict[int, list[Json]] = {
    11: [
        {"ambiguous_or_conflicting_request": {"request": "more", "conflicts_with_profile_rules": ["schedule_pacing"]}},
        {
            "prior_request_conflict": {
                "blocking_constraint": "hotel_price_range",
                "new_cap": 200,
                "observed_value": 300.0,
            }
        },
    ]
}
UPDATES = (
    *("initial_plan", "party_update", "add_attraction", "restaurant_requirement", "hotel_requirement", "budget_update"),
    *("schedule_update", "late_start_request", "dietary_update", "environment_aware_replanning"),
    *("environment_aware_replanning", "priority_clarification", "explain_unsolved"),
)


def query_record() -> Json:
    restated = {"party_size_required", "party_composition_required"}
    turns = []
    for number, words in enumerate(WORDS):
        active = [key for key in CONSTRAINTS if key not in restated]
        if number >= 9:
            active.remove("attraction_initial_must_visit_before_availability")
        mode = {11: "clarification", 12: "no_solution"}.get(number, "plan")
        turns.append(
            {
                "turn_id": number,
                "utterance": words,
                "must_preserve": list(active) if number else [],
                "must_update": [UPDATES[number]],
                "feasibility_status": "unsolved" if mode == "no_solution" else "solved",
                "response_expectation": mode,
                **({"unsolved_reason": "cannot be done"} if mode == "no_solution" else {}),
                **({"blocking_constraints": ["nights below 200"]} if mode != "plan" else {}),
                "oracle_state_after_turn": {
                    "active_hard_constraints": active,
                    "active_user_state_deltas": [DELTAS[at] for at in range(number + 1) if at in DELTAS],
                    "active_environment_events": [EVENTS[at] for at in range(number + 1) if at in EVENTS],
                    "active_request_resolutions": [it for at in range(number + 1) for it in RESOLUTIONS.get(at, ())],
                },
            }
        )
    return copy.deepcopy(
        {
            "id": "mt_single_0001",
            "base_query_id": "single_0001",
            "query": FIRST_WORDS,
            "interaction_type": "long_horizon_alignment",
            "turns": turns,
            "meta_info": {"base_query_meta": base_meta()},
        }
    )


def base_meta() -> Json:
    return {
        "org": "Aldmoor",
        "dest": ["Briskhaven"],
        "days": 3,
        "depart_date": "2026-07-14",
        "depart_weekday": 2,
        "return_date": "2026-07-16",
        "people_number": 2,
        "room_number": 1,
        "route_mode": "flight",
        "observable_profile": {
            "party_composition": {"adults": 2, "children": [], "elders": []},
            "budget_range": [1000, 2500],
            "accommodation_style": "comfort",
        },
        "user_profile": {
            "party_type": "couple",
            "rule_ids": ["schedule_pacing"],
            "rules": [{"rule_id": "schedule_pacing", "preference_variants": ["relaxed"]}],
            "derivation_context": {"days": 3, "dest_price_level": "medium", "party_size": 2},
        },
        "hard_constraints": copy.deepcopy(CONSTRAINTS),
        "city_context": {"city_tags": ["summer_heat_city"], "seasonal_advisories": ["extreme_heat"]},
    }


@dataclass
class World:
    """A query file with one task and its sandbox, to be spoiled and written."""

    records: list[Json] = field(default_factory=lambda: [query_record()])
    tables: dict[str, list[Row]] = field(default_factory=tables)
    subway: Json = field(default_factory=subway)
    meta: Json = field(
        default_factory=lambda: {
            "sample_id": "single_0001",
            "sample_signature": {"org": "Aldmoor", "dest": ["Briskhaven"], "days": 3},
        }
    )
    texts: dict[str, str] = field(default_factory=dict)
    """Files written as they are."""

    absent: set[str] = field(default_factory=set)

    @property
    def record(self) -> Json:
        return self.records[0]

    @property
    def base(self) -> Json:
        found: Json = self.record["meta_info"]["base_query_meta"]
        return found

    def constraint(self, key: str, **values: object) -> None:
        """Change parameters of a hard constraint."""
        self.base["hard_constraints"][key].update(values)

    def rows(self, kind: str) -> list[Row]:
        return next(rows for path, rows in self.tables.items() if path.startswith(f"{kind}/"))

    def turn(self, number: int, **values: object) -> None:
        self.record["turns"][number].update(values)

    def state(self, number: int) -> Json:
        found: Json = self.record["turns"][number]["oracle_state_after_turn"]
        return found

    def delta(self, family: str, **values: object) -> None:
        """Change a user-state delta from the turn it appears at."""
        for turn in self.record["turns"]:
            for delta in turn["oracle_state_after_turn"]["active_user_state_deltas"]:
                delta.get(family, {}).update(values)

    def event(self, which: str, adjustment: Json | None = None, **values: object) -> None:
        """Change an event, and its first adjustment, from the turn it appears at."""
        for turn in self.record["turns"]:
            for event in turn["oracle_state_after_turn"]["active_environment_events"]:
                if event["factor"] == which:
                    event.update(copy.deepcopy(values))
                    event["expected_adjustments"][:1] = [
                        {**it, **(adjustment or {})} for it in event["expected_adjustments"][:1]
                    ]

    def resolution(self, item: str, **values: object) -> None:
        for turn in self.record["turns"]:
            for resolution in turn["oracle_state_after_turn"]["active_request_resolutions"]:
                resolution.get(item, {}).update(values)

    def say(self, words: str) -> None:
        """Another first utterance."""
        self.record["query"] = words
        self.turn(0, utterance=words)

    def write(self, folder: Path) -> Path:
        sandbox = folder / "database" / "sample" / "en" / "id_0001"
        files = {f"{sandbox}/{path}": _csv(rows) for path, rows in self.tables.items()}
        files[f"{sandbox}/subway/subway.json"] = json.dumps(self.subway)
        files[f"{sandbox}/.build_meta.json"] = json.dumps(self.meta)
        files[f"{folder}/query.json"] = json.dumps(self.records)
        files |= {f"{folder}/{path}": text for path, text in self.texts.items()}
        for name, text in files.items():
            if not any(name.endswith(absent) for absent in self.absent):
                Path(name).parent.mkdir(parents=True, exist_ok=True)
                Path(name).write_text(text, encoding="utf-8", newline="")
        return folder


def _csv(rows: list[Row]) -> str:
    text = io.StringIO()
    writer = csv.DictWriter(text, fieldnames=list(rows[0]))
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def test_the_spotless_world_has_no_contradictions(tmp_path: Path) -> None:
    report = check_data(World().write(tmp_path))

    assert [str(found) for found in report.contradictions] == []
    assert (report.tasks, report.sandboxes, report.cities) == (1, 1, 0)


# --- Each rule broken once --------------------------------------------------------------------------------------------

Spoil = Callable[[World], object]


def add_row(kind: str, **cells: str) -> Spoil:
    """One more row, like the first but for some cells."""
    return lambda world: world.rows(kind).append({**world.rows(kind)[0], **cells})


def cell(kind: str, column: str, value: str, row: int = 0) -> Spoil:
    return lambda world: world.rows(kind)[row].update({column: value})


def connection(world: World, **cells: str) -> None:
    """Two trains outward with a change at Crossley."""
    first = {"arr_station_name": "Crossley", "arr_datetime": "2026-07-14 09:00:00", "duration": "60", "price": "200"}
    second = {"dep_station_name": "Crossley", "dep_datetime": "2026-07-14 09:30:00", "duration": "30", "price": "300"}
    template = world.rows("trains")[0]
    world.rows("trains").append({**template, "train_no": "K8", "route_index": "9", **first})
    world.rows("trains").append(
        {**template, "train_no": "K9", "route_index": "9", "segment_index": "2", **second, **cells}
    )


def city_data(index: str) -> Spoil:
    """A city index beside the folder of one city."""

    def spoil(world: World) -> None:
        world.texts["city/city_index.json"] = index
        world.texts["city/aldmoor/locations/locations_coords.csv"] = "poi_name,latitude,longitude,address,poi_type\r\n"

    return spoil


def no_event_target(world: World) -> None:
    world.base["hard_constraints"]["attraction_crowd_queue_initial_must_visit"] = {"attraction_names": ["Pier Market"]}
    world.say(FIRST_WORDS + " And Pier Market.")
    for turn in world.record["turns"]:
        turn["oracle_state_after_turn"]["active_hard_constraints"].append("attraction_crowd_queue_initial_must_visit")


def common_price(world: World) -> None:
    world.tables["hotels/hotels.csv"] = [
        hotel(f"Inn {n}", "30.001000", "300" if n < 5 else str(300 + n), "4.5") for n in range(20)
    ]


ODD_WORDS = {
    "cities_are_said": FIRST_WORDS.replace("Briskhaven", "the coast"),
    "dates_are_said": FIRST_WORDS.replace("July 16, 2026 (Thursday)", "Thursday"),
    "no_other_date_is_said": FIRST_WORDS + " My birthday was on July 2, 2026.",
    "weekday_said_fits_the_date": FIRST_WORDS.replace("(Thursday)", "(Friday)"),
    "days_said_are_the_days": FIRST_WORDS.replace("3 days", "four days"),
    "party_said_is_the_party": FIRST_WORDS.replace("two of us", "five of us"),
    "mode_is_said": FIRST_WORDS.replace("fly", "go"),
    "no_other_mode_is_said": FIRST_WORDS + " We take the train both ways.",
    "budget_is_said": FIRST_WORDS.replace("4000", "few"),
    "required_name_is_said": FIRST_WORDS.replace('"Lantern Row"', "the lanterns"),
    "quoted_name_is_known": FIRST_WORDS + ' Is "Crab Alley" nice?',
    "named_attraction_is_graded": FIRST_WORDS + " We may pass Lighthouse Green.",
}
BREACHES: dict[str, Spoil] = {
    # a record of a query file, a query file
    "record_fits_the_schema": lambda w: w.base.update(days="three"),
    "record_makes_a_task": lambda w: w.event("weather_risk", {"check": "tell_a_joke"}),
    "field_is_known": lambda w: w.base.update(mood="good"),
    "query_file_is_readable": lambda w: w.texts.update({"query_old.json": "{}"}),
    "task_id_occurs_once": lambda w: w.records.append(copy.deepcopy(w.record)),
    "price_level_tells_something": lambda w: w.records.extend(
        {**copy.deepcopy(w.record), "id": f"t{n}"} for n in range(9)
    ),
    "task_has_a_sandbox": lambda w: w.record.update(id="mt_single_0099", base_query_id="single_0099"),
    # a task
    "dates_span_the_days": lambda w: w.base.update(days=4),
    "weekday_fits_the_date": lambda w: w.base.update(depart_weekday=3),
    "destination_is_another_city": lambda w: w.base.update(dest=["Aldmoor"]),
    "mode_of_travel_is_known": lambda w: w.base.update(route_mode="ship"),
    "party_adds_up": lambda w: w.base["observable_profile"]["party_composition"].update(adults=3),
    "party_has_an_adult": lambda w: w.base["observable_profile"]["party_composition"].update(
        adults=0, elders=[{"age": 70}, {"age": 71}]
    ),
    "rooms_follow_from_the_party": lambda w: w.base.update(room_number=2),
    "constraint_restates_the_trip": lambda w: w.constraint("trip_date_range_required", return_date="2026-07-17"),
    "transport_constraint_fits_the_mode": lambda w: w.base.update(route_mode="train"),
    "acceptable_set_is_not_empty": lambda w: w.constraint("hotel_highest_rated", acceptable_hotel_names=[]),
    "options_are_the_acceptable_names": lambda w: w.constraint("hotel_highest_rated", hotel_name="Mill Lodge"),
    "price_range_is_what_its_limits_say": lambda w: w.constraint("hotel_price_range", price_range="200-320"),
    "budget_can_be_met": lambda w: w.constraint("budget_constraint", max_budget=2900),
    "budget_starts_at_the_least_cost": lambda w: w.constraint("budget_constraint", min_budget=3100),
    "budget_counts_every_meal": lambda w: w.constraint("budget_constraint", estimated_meal_slots=3),
    "budget_counts_local_transport": lambda w: w.constraint("budget_constraint", estimated_breakdown={"meals": 100.0}),
    "estimated_transport_is_plausible": lambda w: w.constraint(
        "budget_constraint", estimated_breakdown={"transportation": 31560.0, "local_transport_buffer": 1.0}
    ),
    "budget_rule_gives_way_to_a_budget": lambda w: w.base["user_profile"].update(
        rule_ids=["schedule_pacing", "budget_guarded"], rules=[]
    ),
    "rules_are_those_named": lambda w: w.base["user_profile"].update(rule_ids=["mobility_accessibility"]),
    "rules_were_derived_from_this_trip": lambda w: w.base["user_profile"]["derivation_context"].update(days=4),
    "heat_is_announced_for_hot_cities": lambda w: w.base["city_context"].update(city_tags=["high_altitude_city"]),
    "highest_rated_place_has_a_rating": lambda w: w.constraint("restaurant_highest_rated", restaurant_rating=0.0),
    "attraction_type_is_one_type": lambda w: w.constraint(
        "attraction_type_highest_rated", attraction_type="Sights;Museum"
    ),
    "attraction_type_says_something": lambda w: w.constraint("attraction_type_highest_rated", attraction_type="Others"),
    "label_fits_the_attraction_type": lambda w: w.constraint(
        "attraction_type_highest_rated", attraction_type_label="Zoo"
    ),
    "direction_is_written_one_way": lambda w: w.constraint("flight_arrival_time_range", direction="inbound"),
    "return_arrives_on_the_day_of_return": lambda w: w.constraint(
        "flight_arrival_time_range", inbound_arr_time="2026-07-17 00:30:00"
    ),
    "acceptable_arrival_is_inside_its_window": lambda w: w.constraint(
        "flight_arrival_time_range", start_hour=17, end_hour=19
    ),
    "window_of_hours_runs_forward": lambda w: w.constraint("flight_arrival_time_range", start_hour=22, end_hour=21),
    "acceptable_service_runs_on_its_day": lambda w: w.constraint(
        "flight_arrival_time_range",
        acceptable_inbound_flight_options=[{**FLIGHT_OPTION, "dep_datetime": "2026-07-26 18:00:00"}],
    ),
    "acceptable_service_departs_on_the_travel_day": lambda w: w.constraint(
        "flight_arrival_time_range",
        acceptable_inbound_flight_options=[{**FLIGHT_OPTION, "dep_datetime": "2026-07-15 18:00:00"}],
    ),
    "acceptable_service_runs_between_the_cities": lambda w: w.constraint(
        "flight_arrival_time_range", acceptable_inbound_flight_options=[{**FLIGHT_OPTION, "origin_city": "Crossley"}]
    ),
    "acceptable_service_says_its_route": lambda w: w.constraint(
        "flight_arrival_time_range", acceptable_inbound_flight_options=[{**FLIGHT_OPTION, "route_index": None}]
    ),
    "acceptable_service_has_a_seat": lambda w: w.constraint(
        "flight_arrival_time_range", acceptable_inbound_flight_options=[{**FLIGHT_OPTION, "seat_class": "No Seat"}]
    ),
    "seat_class_of_the_options_is_the_required_one": lambda w: w.constraint(
        "flight_arrival_time_range", seat_class="Business Class"
    ),
    "banned_place_is_not_required": lambda w: w.constraint(
        "hotel_highest_rated", banned_attraction_names=["Lantern Row"]
    ),
    "place_is_required_once": lambda w: w.constraint("hotel_highest_rated", attraction_names=["Lantern Row"]),
    "visit_for_a_queue_has_its_queue": no_event_target,
    "no_placeholder_is_left": lambda w: w.delta("add_attraction", required_tag_label="Planning category"),
    "unavailable_place_is_not_required": lambda w: w.constraint(
        "hotel_highest_rated", attraction_names=["Lantern Row"]
    ),
    "unavailable_place_is_not_acceptable": lambda w: w.constraint(
        "hotel_highest_rated", acceptable_attraction_names=["Lantern Row"]
    ),
    "constraint_has_a_kind": lambda w: w.base["hard_constraints"].update(souvenir_required={}),
    # the turns of a task
    "first_turn_is_the_query": lambda w: w.record.update(query=FIRST_WORDS + " Thanks!"),
    "every_turn_says_something": lambda w: w.turn(4, utterance=" "),
    "every_turn_can_be_graded": lambda w: w.turn(4, must_update=[]),
    "changes_are_kept": lambda w: w.state(6)["active_user_state_deltas"].pop(0),
    "active_constraint_exists": lambda w: w.turn(3, must_preserve=["hotel_newest_decoration"]),
    "constraint_is_active_from_the_start": lambda w: w.base["hard_constraints"].update(
        hotel_cheapest_star={"hotel_star": 3}
    ),
    "constraint_ends_by_an_event": lambda w: w.state(12)["active_hard_constraints"].remove("hotel_price_range"),
    "what_must_be_preserved_was_active": lambda w: w.turn(
        9, must_preserve=["attraction_initial_must_visit_before_availability"]
    ),
    "what_stays_active_is_preserved": lambda w: w.turn(5, must_preserve=[]),
    "status_fits_the_answer": lambda w: w.turn(12, feasibility_status="solved"),
    "refusal_has_a_reason": lambda w: w.turn(12, unsolved_reason=""),
    "question_has_a_cause": lambda w: w.turn(11, blocking_constraints=[]),
    "new_party_follows_from_the_old": lambda w: w.delta("party_update", new_people_number=4),
    "new_rooms_follow_from_the_party": lambda w: w.delta("party_update", new_room_number=3),
    "change_names_a_day_of_the_trip": lambda w: w.delta("add_attraction", insert_day=4),
    "clock_and_minutes_agree": lambda w: w.delta("late_start_request", earliest_start_minutes=630),
    "window_runs_forward": lambda w: w.event("weather_risk", {"time_window": [720, 540]}),
    "part_of_the_day_is_its_window": lambda w: w.event("weather_risk", {"part": "Evening"}),
    "meal_is_written_one_way": lambda w: w.delta("restaurant_requirement", meal_type="dinner"),
    "requested_place_is_acceptable": lambda w: w.delta("restaurant_requirement", restaurant_name="Annie's Kitchen"),
    "added_attraction_is_new": lambda w: w.delta("add_attraction", name="Lantern Row"),
    "new_budget_can_be_met": lambda w: w.delta("budget_update", minimum_feasible_budget=3900),
    "old_budget_was_the_budget": lambda w: w.delta("budget_update", old_max_budget=4200),
    "banned_words_differ": lambda w: w.delta("dietary_update", banned_keywords=["note", "note"]),
    "conflict_is_with_a_constraint": lambda w: w.resolution("prior_request_conflict", new_cap=300),
    "conflict_is_with_the_profile": lambda w: w.base["user_profile"]["rules"][0].update(
        preference_variants=["moderate"]
    ),
    "event_is_of_the_destination": lambda w: w.event("weather_risk", city="Crossley"),
    "event_has_content": lambda w: w.event("weather_risk", expected_adjustments=[]),
    "event_names_its_place": lambda w: w.event("availability_change", {"target": "Fort Museum"}),
    "event_ends_a_known_constraint": lambda w: w.event(
        "availability_change", deactivates_hard_constraints=["attraction_must_visit_named"]
    ),
    "delay_fits_the_mode": lambda w: w.event(
        "weather_risk", factor="transport_disruption", message="Your train is late"
    ),
    # what the traveler says
    **{rule: (lambda w, words=words: w.say(words)) for rule, words in ODD_WORDS.items()},
    "new_head_count_is_said": lambda w: w.turn(1, utterance="A friend joins; we need two rooms."),
    "new_room_count_is_said": lambda w: w.turn(1, utterance="A friend joins, so three of us travel."),
    "requested_name_is_said": lambda w: w.turn(2, utterance="Please add the market."),
    "closed_place_is_said": lambda w: w.turn(9, utterance="The place we wanted to see is closed."),
    "new_budget_is_said": lambda w: w.turn(5, utterance="Less money now."),
    # a task and its sandbox
    "sandbox_was_made_for_the_trip": lambda w: w.meta["sample_signature"].update(org="Crossley"),
    "every_leg_has_a_service": lambda w: w.rows("flights").pop(),
    "weather_of_every_day_is_known": lambda w: w.rows("weather").pop(),
    "named_place_exists": lambda w: w.constraint(
        "hotel_highest_rated", acceptable_hotel_names=["Quay Inn", "Sea View"]
    ),
    "named_service_runs": lambda w: w.constraint("flight_arrival_time_range", acceptable_inbound_flight_nos=["CX9"]),
    "service_is_as_stated": lambda w: w.constraint(
        "flight_arrival_time_range", acceptable_inbound_flight_options=[{**FLIGHT_OPTION, "price": 480.0}]
    ),
    "hotel_is_as_stated": lambda w: w.constraint(
        "hotel_price_range", acceptable_hotel_options=[{**HOTEL_OPTION, "hotel_score": 4.9}]
    ),
    "restaurant_is_as_stated": lambda w: w.constraint(
        "restaurant_highest_rated", acceptable_restaurant_options=[{**RESTAURANT_OPTION, "closing_time": "23:00"}]
    ),
    "attraction_is_as_stated": lambda w: w.constraint(
        "attraction_type_highest_rated", acceptable_attraction_options=[{**ATTRACTION_OPTION, "ticket_price": 50.0}]
    ),
    "rating_of_a_required_attraction_is_as_stated": lambda w: w.constraint(
        "attraction_type_highest_rated", attraction_ratings=[4.9]
    ),
    "requested_place_is_as_stated": cell("restaurants", "price_per_person", "96", row=1),
    "restaurants_are_near_the_anchor": cell("restaurants", "nearby_attraction_name", "Lantern Row"),
    "price_range_holds_exactly_the_acceptable_hotels": cell("hotels", "price", "310", row=1),
    "highest_rated_hotels_are_the_acceptable_ones": cell("hotels", "score", "4.8", row=1),
    "attraction_type_is_in_the_table": cell("attractions", "attraction_type", "Park"),
    "every_attraction_of_the_type_is_required": lambda w: w.base["hard_constraints"].update(
        attraction_all_of_type={"attraction_type": "Park", "attraction_names": ["Lantern Row"]}
    ),
    "named_attraction_is_graded": lambda w: (
        add_row("attractions", attraction_name="Lighthouse Green")(w),
        w.say(ODD_WORDS["named_attraction_is_graded"]),
    ),
    "weather_event_fits_the_weather": cell("weather", "precipitation_mm", "0.0", row=1),
    # tables of a sandbox
    "file_is_readable": lambda w: w.texts.update({"database/sample/en/id_0001/subway/subway.json": "{"}),
    "needed_file_is_there": lambda w: w.absent.add("distance_matrix.csv"),
    "file_is_there": lambda w: w.absent.add("weather_daily.csv"),
    "column_is_there": lambda w: [row.pop("services") for row in w.rows("hotels")],
    "column_is_known": lambda w: [row.update(mood="good") for row in w.rows("hotels")],
    "table_has_rows": lambda w: w.texts.update(
        {"database/sample/en/id_0001/locations/location_aliases.csv": "alias,canonical_name\r\n"}
    ),
    "needed_cell_is_filled": cell("hotels", "price", ""),
    "wanted_cell_is_filled": cell("attractions", "rating", ""),
    "cell_fits_its_format": cell("attractions", "closing_time", "25:00"),
    "place_is_listed_once": add_row("hotels"),
    "day_of_weather_is_listed_once": add_row("weather"),
    "way_is_listed_once": add_row("transportation"),
    "rows_are_of_one_city": cell("restaurants", "city", "Crossley"),
    "place_lies_in_its_city": lambda w: w.rows("locations")[5].update(latitude="34.000000"),
    "place_is_in_the_location_index": lambda w: w.rows("locations").pop(3),
    "location_name_is_listed_once": add_row("locations", poi_type="poi"),
    "location_name_is_one_place": add_row("locations", latitude="30.500000"),
    "alias_leads_to_a_place": lambda w: w.tables["locations/location_aliases.csv"][0].update(
        canonical_name="Briskhaven Heliport"
    ),
    "alias_has_one_meaning": lambda w: w.tables["locations/location_aliases.csv"].append(
        {"alias": "BHA", "canonical_name": "Briskhaven Station", "entity_type": "", "source": ""}
    ),
    "alias_is_no_city_name": lambda w: w.tables["locations/location_aliases.csv"][0].update(alias="Briskhaven"),
    "opening_and_closing_differ": cell("attractions", "closing_time", "09:00"),
    "shortest_visit_is_no_longer_than_the_longest": cell("attractions", "min_visit_hours", "2.5"),
    "anchor_of_a_restaurant_is_an_attraction": cell("restaurants", "nearby_attraction_name", "Crab Alley"),
    "price_is_no_default": common_price,
    "label_is_spelled_one_way": cell("hotels", "services", "gym;Parking", row=1),
    "weather_has_no_gap": lambda w: w.rows("weather").pop(1),
    "highest_temperature_is_not_below_the_lowest": cell("weather", "temperature_max_c", "20.0"),
    "dry_weather_is_dry": cell("weather", "weather_condition", "Cloudy"),
    "metro_line_is_listed_once": lambda w: w.subway["lines"].append(w.subway["lines"][0]),
    "metro_station_is_one_place": lambda w: w.subway["lines"][0]["stations"][0].update(name="Pier"),
    "metro_station_lies_in_its_city": lambda w: w.subway["lines"][0]["stations"][0].update(latitude="35.000000"),
    "metro_station_has_coordinates": lambda w: w.subway["lines"][0]["stations"][0].update(latitude=""),
    "way_leads_between_known_places": cell("transportation", "origin", "30.00,121.00"),
    "way_leads_somewhere_else": cell("transportation", "destination", "30.000000,121.000000"),
    # flights and trains
    "journey_leads_to_another_city": cell("trains", "destination_city", "Aldmoor"),
    "service_leads_to_another_station": cell("trains", "arr_station_name", "Aldmoor Station"),
    "arrival_is_after_departure": cell("trains", "arr_datetime", "2026-07-14 07:00:00"),
    "duration_is_arrival_less_departure": cell("trains", "duration", "125"),
    "departure_is_on_its_date": cell("trains", "dep_date", "2026-07-15"),
    "service_is_listed_once": add_row("flights", route_index="7"),
    "route_index_names_one_journey": cell("trains", "route_index", "1", row=1),
    "route_index_names_one_service_a_day": add_row("trains", train_no="K7"),
    "second_segment_is_another_service": add_row(
        "flights", segment_index="2", seat_class="Business Class", price="900"
    ),
    "second_segment_has_a_first": cell("trains", "segment_index", "2"),
    "fare_of_a_connection_is_stated_by_segment": lambda w: connection(w, price="200"),
    "station_lies_in_one_city": connection,
    "station_of_the_city_can_be_found": cell("trains", "arr_station_name", "Briskhaven East"),
    "station_of_the_origin_can_be_found": cell("trains", "dep_station_name", "Aldmoor East"),
    # a city index
    "index_names_cities": city_data('{"aldmoor": {"folder_name": "aldmoor"}}'),
    "indexed_city_has_a_folder": city_data('{"crossley": {"city_name": "Crossley"}}'),
    "city_folder_is_indexed": city_data('{"crossley": {"city_name": "Crossley", "has_local_data": false}}'),
}


@pytest.mark.parametrize("rule", sorted(BREACHES))
def test_a_rule_notices_its_breach(rule: str, tmp_path: Path) -> None:
    world = World()
    BREACHES[rule](world)

    report = check_data(world.write(tmp_path))

    assert rule in report.by_rule, [str(found) for found in report.contradictions]


def test_every_rule_has_a_breach_and_a_sentence() -> None:
    listed = rules()

    assert {rule.id for rule in listed} == set(BREACHES)
    assert len({rule.id for rule in listed}) == len(listed)
    for rule in listed:
        assert rule.sentence.endswith("."), rule.id
        assert len(rule.sentence) < 200, rule.id


# --- What a user meets ------------------------------------------------------------------------------------------------


def only(report: DataReport, rule: str) -> Contradiction:
    (found,) = report.by_rule[rule]
    return found


def test_a_contradiction_says_file_record_field_what_and_why(tmp_path: Path) -> None:
    world = World()
    world.base.update(depart_weekday=3)

    (found,) = check_data(world.write(tmp_path)).contradictions

    assert found == Contradiction(
        rule="weekday_fits_the_date",
        severity=Severity.ERROR,
        file="query.json",
        record="mt_single_0001",
        field="depart_weekday",
        what="3",
        why="2026-07-14 is a Tuesday, 2",
    )
    assert str(found) == (
        "query.json, mt_single_0001, depart_weekday: 3; 2026-07-14 is a Tuesday, 2 [weekday_fits_the_date]"
    )


def test_a_bad_cell_is_named_by_row_and_name(tmp_path: Path) -> None:
    world = World()
    cell("attractions", "closing_time", "25:00", row=1)(world)

    found = only(check_data(world.write(tmp_path)), "cell_fits_its_format")

    assert found.file == "database/sample/en/id_0001/attractions/attractions.csv"
    assert (found.record, found.field, found.what) == ("row 2 (Lantern Row)", "closing_time", '"25:00"')
    assert found.why == "a time of day is HH:MM, up to 24:00"


@pytest.mark.parametrize("value", ["-1", "ten", "NaN", "1e9"])
def test_a_price_is_a_sensible_number(value: str, tmp_path: Path) -> None:
    world = World()
    cell("attractions", "ticket_price", value)(world)

    assert only(check_data(world.write(tmp_path)), "cell_fits_its_format").what == f'"{value}"'


def test_every_missing_table_is_one_clear_line(tmp_path: Path) -> None:
    world = World()
    gone = {path for path in world.tables if not path.startswith("attractions")} | {"subway/subway.json"}
    world.absent = gone

    by_rule = check_data(world.write(tmp_path)).by_rule
    needed, other = by_rule["needed_file_is_there"], by_rule["file_is_there"]

    assert {it.file.removeprefix("database/sample/en/id_0001/") for it in (*needed, *other)} == gone
    assert {it.file.rpartition("/")[2] for it in needed} == {
        *("hotels.csv", "restaurants.csv", "locations_coords.csv", "distance_matrix.csv")
    }
    assert {it.severity for it in needed} == {Severity.ERROR}
    assert "every_leg_has_a_service" in by_rule, "a timetable that the task needs"
    assert all("\n" not in str(it) for it in (*needed, *other))


@pytest.mark.parametrize("value", ["cheap", "-300", "NaN"])
def test_a_hotel_without_a_readable_price_is_an_error(value: str, tmp_path: Path) -> None:
    world = World()
    cell("hotels", "price", value)(world)

    found = only(check_data(world.write(tmp_path)), "cell_fits_its_format")
    assert (found.what, found.severity) == (f'"{value}"', Severity.ERROR)


def test_windows_line_ends_byte_order_marks_and_gzip_are_no_contradiction(tmp_path: Path) -> None:
    World().write(tmp_path)
    for path in (tmp_path / "database").rglob("*.csv"):
        path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    matrix = next((tmp_path / "database").rglob("distance_matrix.csv"))
    matrix.with_name("distance_matrix.csv.gz").write_bytes(gzip.compress(matrix.read_bytes()))
    matrix.unlink()

    assert check_data(tmp_path).contradictions == ()


def test_a_sandbox_folder_is_checked_alone(tmp_path: Path) -> None:
    world = World()
    cell("hotels", "score", "7")(world)
    world.write(tmp_path)

    report = check_data(tmp_path / "database" / "sample" / "en" / "id_0001")

    assert (report.tasks, report.sandboxes) == (0, 1)
    assert only(report, "cell_fits_its_format").file == "id_0001/hotels/hotels.csv"


def test_a_query_file_is_checked_alone_or_with_sandboxes_from_elsewhere(tmp_path: Path) -> None:
    world = World()
    world.rows("flights").pop()
    world.write(tmp_path / "a")
    query = shutil.copy(tmp_path / "a" / "query.json", tmp_path / "query.json")

    assert check_data(Path(query)).contradictions == ()
    assert "every_leg_has_a_service" in check_data(Path(query), tmp_path / "a" / "database").by_rule


def test_timetables_of_a_city_lie_one_folder_deeper(tmp_path: Path) -> None:
    World().write(tmp_path / "world")
    city = tmp_path / "briskhaven"
    shutil.copytree(tmp_path / "world" / "database" / "sample" / "en" / "id_0001", city)
    (city / ".build_meta.json").unlink()
    for kind in ("flights", "trains"):
        (city / kind / "aldmoor").mkdir()
        (city / kind / f"{kind}.csv").rename(city / kind / "aldmoor" / f"{kind}.csv")

    report = check_data(city)

    assert (report.sandboxes, report.cities) == (0, 1)
    assert {(it.rule, it.file) for it in report.contradictions} == {
        ("file_is_there", "briskhaven/locations/location_entities.csv")
    }


def test_one_bad_record_does_not_hide_the_others(tmp_path: Path) -> None:
    world = World()
    other = copy.deepcopy(world.record)
    other["id"] = "mt_single_0002"
    other["meta_info"]["base_query_meta"]["depart_weekday"] = 5
    world.records.append(other)
    world.turn(3, turn_id="3")

    report = check_data(world.write(tmp_path))

    bad = only(report, "record_fits_the_schema")
    assert (bad.record, bad.field) == ("mt_single_0001", "turns[3].turn_id")
    assert bad.why == 'should be a valid integer, but is "3"'
    assert only(report, "weekday_fits_the_date").record == "mt_single_0002"


@pytest.mark.parametrize("make", ["nothing", "an empty folder"])
def test_nothing_to_check_is_said(make: str, tmp_path: Path) -> None:
    path = tmp_path / "data"
    if make == "an empty folder":
        path.mkdir()

    with pytest.raises(UsageError, match=r"^Nothing (at|to check in) "):
        check_data(path)


def leaves(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    steps = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path] * bool(path) + [leaf for step, item in steps for leaf in leaves(item, (*path, step))]


@pytest.mark.slow
@pytest.mark.parametrize("odd", [None, "", "ship", 0, -1, 10**9, 1.5, True, [], {}, ["x"]], ids=repr)
def test_no_odd_value_anywhere_in_a_record_breaks_the_check(odd: Any, tmp_path: Path) -> None:
    folder = World().write(tmp_path)
    pristine = query_record()
    spoilt = []
    for number, path in enumerate(leaves(pristine)):
        if path[0] == "turns" and len(path) > 1 and path[1] not in (0, 12):
            continue
        record = copy.deepcopy(pristine)
        place = record
        for step in path[:-1]:
            place = place[step]
        place[path[-1]] = odd
        spoilt.append({**record, "base_query_id": "single_0001"} if path != ("id",) else record)
        if path != ("id",):
            record["id"] = spoilt[-1]["id"] = f"mt_{number}"
    (folder / "query.json").write_text(json.dumps(spoilt), encoding="utf-8")

    report = check_data(folder)

    assert "task_has_a_sandbox" not in report.by_rule
    assert report.contradictions


# --- The published data -----------------------------------------------------------------------------------------------

CONFORMANCE = os.environ.get("TRIPGAUGE_CONFORMANCE")
needs_conformance = pytest.mark.skipif(
    not CONFORMANCE or not Path(CONFORMANCE).is_dir(), reason="TRIPGAUGE_CONFORMANCE names no folder"
)


@dataclass(frozen=True)
class Known:
    """A contradiction that the reference documents tell of."""

    reference: str
    """Document and section: D data, tools and protocol; C construction."""

    rule: str
    times: int
    """How many there are."""

    records: tuple[str, ...] = ()
    """Numbers of the tasks, or a piece of the record or of what is found, where the reference gives them."""


QUERY_FILE = (
    Known("D 3.2: seven parties without adults", "party_has_an_adult", 7),
    Known("D 3.3: placeholder instead of banned words", "banned_words_differ", 2, ("0027", "0059")),
    Known("D 3.3: placeholders, also a tag label and two parts of the day", "no_placeholder_is_left", 7),
    Known("D 3.3: parts of the day of two rain events", "part_of_the_day_is_its_window", 2, ("0020", "0035")),
    Known("D 3.3: one lunch in lower case", "meal_is_written_one_way", 1),
    Known("D 3.4: one direction in lower case", "direction_is_written_one_way", 1),
    Known("D 3.4: windows after midnight", "return_arrives_on_the_day_of_return", 4, ("0043", "0056", "0057", "0124")),
    Known("D 3.4: the end hour counts as a whole hour", "acceptable_arrival_is_inside_its_window", 4, ("0001",)),
    Known("D 3.4: options from a transfer airport", "acceptable_service_runs_between_the_cities", 2, ("0019", "0038")),
    Known("D 3.4 and C 7.2: empty lists of trains", "acceptable_set_is_not_empty", 2, ("0083", "0127")),
    Known("D 3.4: types of an older vocabulary", "attraction_type_is_one_type", 18),
    Known("C 7.2: options without route or segment", "acceptable_service_says_its_route", 22),
    Known("C 7.2: a return flight although all travel is by train", "transport_constraint_fits_the_mode", 1, ("0122",)),
    Known("C 7.5: all of the type Others", "attraction_type_says_something", 1, ("0022",)),
    Known("D 3.1: clarification turns without blocking constraints", "question_has_a_cause", 3),
    Known("D 3.1: budget updates that leave the budget out", "what_stays_active_is_preserved", 3),
    Known("C 6: budget rules beside a budget", "budget_rule_gives_way_to_a_budget", 18),
    Known("C 6 and 17.9: one price level everywhere", "price_level_tells_something", 1),
    Known("C 8: meal slots by the older formula", "budget_counts_every_meal", 24),
    Known("C 8: no term for local transport", "budget_counts_local_transport", 24),
    Known("C 8: minima edited by hand", "budget_starts_at_the_least_cost", 14),
    Known("C 8: class rows summed", "estimated_transport_is_plausible", 1, ("31560",)),
    Known("C 9: heat announced for cool cities", "heat_is_announced_for_hot_cities", 8),
    Known("C 13.2: new room count never said", "new_room_count_is_said", 37),
    Known("C 13.2: added attraction required already", "added_attraction_is_new", 3),
    Known("C 13.3: pacing conflict of moderate profiles", "conflict_is_with_the_profile", 3),
    Known("C 13.4: closed place still required", "unavailable_place_is_not_required", 2, ("0038", "0116")),
    Known("C 13.4: closed place still acceptable", "unavailable_place_is_not_acceptable", 3),
    Known("C 17.10: rating 0 as the highest", "highest_rated_place_has_a_rating", 3),
    Known("C 17.11: queue visits without their queue", "visit_for_a_queue_has_its_queue", 4),
)
"""Of the query file. Of C 11 (mode of travel unsaid) see the test below."""

TABLES = (
    Known("D 1: switch of city-level data absent", "file_is_there", 3, ("location_entities", "location_aliases")),
    Known(
        "D 2: ratings of attractions empty in 304/304, 337/341, 332/335 rows",
        "wanted_cell_is_filled",
        3,
        ("attractions",),
    ),
    Known("D 2: services spelled in several ways", "label_is_spelled_one_way", 1, ("SPA",)),
    Known("D 2: restaurants in other cities", "place_lies_in_its_city", 28),
    Known("D 2: names repeated in the location index", "location_name_is_listed_once", 1, ("14 names",)),
    Known("D 2: one row with equal times", "opening_and_closing_differ", 1),
    Known("D 2: stations and airport that cannot be located", "station_of_the_city_can_be_found", 1, ("Baiyun",)),
    Known("D 2: origin stations that cannot be located", "station_of_the_origin_can_be_found", 2),
    Known("D 2: the city's name as an alias", "alias_is_no_city_name", 1, ("Shenzhen",)),
    Known("D 2: route_index is no key", "route_index_names_one_journey", 13),
    Known("D 2: classes stored as segment 2", "second_segment_is_another_service", 5),
    Known("D 2: fares of the whole on every segment", "fare_of_a_connection_is_stated_by_segment", 13),
    Known("D 2: duplicate rows of flights", "service_is_listed_once", 1, ("964 of 5396",)),
    Known("D 2: metro lines that repeat", "metro_line_is_listed_once", 2, ("Line 3", "Line 12")),
    Known("D 2: metro stations in two places", "metro_station_is_one_place", 2),
    Known("D 2: weather lacks 16 July 2026", "weather_has_no_gap", 2, ("2026-07-16",)),
    Known("D 5.1: transfer stations counted to the destination", "station_lies_in_one_city", 13),
    Known("C 3.3: a default price", "price_is_no_default", 2, ("100",)),
    Known("C 3.5: cloudy days with rain", "dry_weather_is_dry", 3),
    Known("C 3.7: second legs without a first", "second_segment_has_a_first", 1, ("175",)),
    Known("C 12: an anchor without restaurants", "restaurants_are_near_the_anchor", 1, ("0005",)),
    Known("D 3.4: anchors that differ from the table", "restaurant_is_as_stated", 1, ("0005",)),
    Known("D 3.4: services that differ in case", "hotel_is_as_stated", 2, ("Free parking",)),
    Known("C 17.13: a sight asked for without a constraint", "named_attraction_is_graded", 1, ("Nantou Ancient City",)),
)
"""Of the two sample databases (with the query file) and the city."""


@pytest.fixture(scope="module")
def published_queries() -> DataReport:
    return check_data(Path(str(CONFORMANCE)) / "query" / "query.json")


@pytest.fixture(scope="module")
def published_data() -> DataReport:
    root = Path(str(CONFORMANCE))
    return check_data(root / "query" / "query.json", root / "database")


@needs_conformance
@pytest.mark.parametrize("known", QUERY_FILE, ids=lambda known: known.reference)
def test_a_known_contradiction_of_the_published_tasks_is_found(known: Known, published_queries: DataReport) -> None:
    found = published_queries.by_rule.get(known.rule, ())

    assert len(found) == known.times
    for piece in known.records:
        assert any(piece in str(it) for it in found), piece


@needs_conformance
@pytest.mark.parametrize("known", TABLES, ids=lambda known: known.reference)
def test_a_known_contradiction_of_the_published_tables_is_found(known: Known, published_data: DataReport) -> None:
    found = published_data.by_rule.get(known.rule, ())

    assert len(found) >= known.times
    for piece in known.records:
        assert any(piece in str(it) for it in found), piece


@needs_conformance
def test_restaurants_in_other_cities_are_counted_as_the_reference_does(published_data: DataReport) -> None:
    """D 2: nine of Guangzhou and nineteen of Beijing."""
    files = [it.file for it in published_data.by_rule["place_lies_in_its_city"]]

    assert sum("id_0006/restaurants" in file for file in files) == 9
    assert sum("beijing/restaurants" in file for file in files) == 19
    assert len(files) == 28


@needs_conformance
def test_first_utterances_without_the_mode_of_travel_are_found(published_queries: DataReport) -> None:
    """C 11 counts 69 by a list of words of its own; none of ours is outside it, and "flying" is a word of flights."""
    unsaid = {it.record for it in published_queries.by_rule["mode_is_said"]}

    assert 55 <= len(unsaid) <= 69
    assert "mt_single_0002" not in unsaid


@needs_conformance
def test_what_the_reference_calls_sound_is_found_sound(published_queries: DataReport) -> None:
    """C 11: origin, destination, both dates with weekday and anchors are in every first utterance; D 3: turns, lists
    and counts are as described."""
    for rule in (
        *("cities_are_said", "dates_are_said", "weekday_said_fits_the_date", "days_said_are_the_days"),
        *("party_said_is_the_party", "required_name_is_said", "budget_is_said", "requested_name_is_said"),
        *("record_fits_the_schema", "field_is_known", "changes_are_kept", "constraint_ends_by_an_event"),
        *("active_constraint_exists", "constraint_is_active_from_the_start", "status_fits_the_answer"),
        *("rooms_follow_from_the_party", "dates_span_the_days", "weekday_fits_the_date", "party_adds_up"),
        *("rules_are_those_named", "new_budget_can_be_met", "conflict_is_with_a_constraint"),
    ):
        assert rule not in published_queries.by_rule, rule


@needs_conformance
def test_both_published_samples_hold_what_their_tasks_need(published_data: DataReport) -> None:
    """R13: every name, service and date of the two tasks is in their tables, and each leg has a service."""
    for rule in ("named_place_exists", "named_service_runs", "service_is_as_stated", "every_leg_has_a_service"):
        assert rule not in published_data.by_rule
    assert only(published_data, "task_has_a_sandbox").what.startswith("no sandbox for 151 of 153 tasks")
