"""The tasks of the toy town are well formed, complete, and agree with its tables."""

import re
from collections import Counter
from collections.abc import Iterator
from datetime import date

import pytest

from tripgauge.toy import town
from tripgauge.trip_plus.sandbox.files import Row, read_sample
from tripgauge.trip_plus.tasks.queries import raw_records, read_queries

RECORDS = {record["id"]: record for record in raw_records(town.queries_file())}
FILES = read_sample(town.data_folder() / "briskhaven")
HOTELS = {row["name"]: row for row in FILES.hotels if row["city"] == "Briskhaven"}
SIGHTS = {row["attraction_name"]: row for row in FILES.attractions}
RESTAURANTS = {row["restaurant_name"]: row for row in FILES.restaurants}


def base(record: dict) -> dict:
    return record["meta_info"]["base_query_meta"]


def hard(record_id: str, key: str) -> dict:
    return base(RECORDS[record_id])["hard_constraints"][key]


def values_named(value: object, *names: str) -> Iterator[object]:
    """What stands under any of the keys anywhere in a record; lists are opened."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if key in names:
                yield from inner if isinstance(inner, list) else [inner]
            yield from values_named(inner, *names)
    elif isinstance(value, list):
        for inner in value:
            yield from values_named(inner, *names)


def test_there_are_eight_tasks_and_every_archetype_has_its_number_of_turns():
    turns = Counter((record["interaction_type"], len(record["turns"])) for record in RECORDS.values())

    assert turns == {
        ("environment_driven_replanning", 3): 2,
        ("request_resolution", 3): 2,
        ("user_state_evolution", 4): 2,
        ("long_horizon_alignment", 5): 2,
    }


def test_the_tasks_ask_for_all_three_kinds_of_reply():
    expected = Counter(turn["response_expectation"] for record in RECORDS.values() for turn in record["turns"])

    assert expected == {"plan": 26, "clarification": 3, "no_solution": 1}


def test_the_query_file_reads_as_tasks():
    assert [task.task_id for task in read_queries(town.queries_file())] == list(RECORDS)


def test_travelers_go_by_train_and_by_plane():
    assert Counter(base(record)["route_mode"] for record in RECORDS.values()) == {"train": 5, "flight": 3}


@pytest.mark.parametrize("record", RECORDS.values(), ids=RECORDS)
def test_dates_days_people_and_rooms_agree_everywhere_in_a_record(record):
    meta = base(record)
    party = meta["observable_profile"]["party_composition"]
    constraints = meta["hard_constraints"]
    depart, back = date.fromisoformat(meta["depart_date"]), date.fromisoformat(meta["return_date"])

    assert (back - depart).days + 1 == meta["days"] == constraints["trip_date_range_required"]["days"]
    assert depart.isoweekday() == meta["depart_weekday"]
    assert constraints["trip_date_range_required"]["depart_date"] == meta["depart_date"]
    assert constraints["trip_date_range_required"]["return_date"] == meta["return_date"]
    assert party["adults"] + len(party["children"]) + len(party["elders"]) == meta["people_number"]
    assert constraints["party_size_required"]["people_number"] == meta["people_number"]
    assert constraints["room_count_required"]["room_number"] == meta["room_number"] == -(-meta["people_number"] // 2)
    assert constraints["intercity_round_trip_mode_required"]["route_mode"] == meta["route_mode"]
    assert ("party_composition_required" in constraints) == bool(party["children"] or party["elders"])


@pytest.mark.parametrize("record", RECORDS.values(), ids=RECORDS)
def test_the_first_utterance_says_the_whole_trip(record):
    meta = base(record)
    said = record["turns"][0]["utterance"]

    assert record["query"] == said
    assert 55 <= len(said.split()) <= 120
    assert "Aldmoor" in said
    assert "Briskhaven" in said
    for day in (date.fromisoformat(meta["depart_date"]), date.fromisoformat(meta["return_date"])):
        assert f"July {day.day}, 2026 ({day:%A})" in said
    assert f"{['', 'one', 'two', 'three', 'four'][meta['days']]} days" in said
    assert re.search("train" if meta["route_mode"] == "train" else r"\b(fly|flying|plane)\b", said)


@pytest.mark.parametrize("record", RECORDS.values(), ids=RECORDS)
def test_later_utterances_are_short_and_none_gives_away_a_hidden_name(record):
    hidden = [rule["rule_id"] for rule in base(record)["user_profile"]["rules"]]
    hidden += base(record)["hard_constraints"]
    hidden += values_named(record["turns"], "must_update", "check", "factor", "type")

    for turn in record["turns"]:
        assert not [name for name in hidden if "_" in name and name in turn["utterance"]]
        assert "_" not in turn["utterance"]
        if turn["turn_id"]:
            assert 12 <= len(turn["utterance"].split()) <= 70


@pytest.mark.parametrize("record", RECORDS.values(), ids=RECORDS)
def test_every_hotel_sight_and_restaurant_of_a_record_exists(record):
    assert set(values_named(record, "hotel_name", "acceptable_hotel_names")) <= set(HOTELS)
    assert set(values_named(record, "restaurant_name", "acceptable_restaurant_names")) <= set(RESTAURANTS)
    assert set(
        values_named(
            record,
            "attraction_name",
            "attraction_names",
            "acceptable_attraction_names",
            "banned_attraction_names",
            "target",
            "target_attractions",
            "unavailable_entity",
            "anchor",
        )
    ) <= set(SIGHTS)


@pytest.mark.parametrize("record", RECORDS.values(), ids=RECORDS)
def test_prices_and_times_in_a_record_are_those_of_the_tables(record):
    def option(value: dict, table: dict[str, Row], name: str, pairs: dict[str, str]) -> None:
        row = table[value[name]]
        for field, column in pairs.items():
            assert str(value[field]).removesuffix(".0") == row[column].removesuffix(".0"), (value[name], field)

    for value in values_named(record, "acceptable_hotel_options"):
        option(
            value, HOTELS, "hotel_name", {"hotel_price": "price", "hotel_score": "score", "hotel_star": "hotel_star"}
        )
    for value in values_named(record, "acceptable_restaurant_options"):
        columns = {"price_per_person": "price_per_person", "cuisine_type": "cuisine", "closing_time": "closing_time"}
        option(value, RESTAURANTS, "restaurant_name", columns)
    for value in values_named(record, "acceptable_attraction_options", "banned_attraction_options"):
        columns = {"ticket_price": "ticket_price", "queue_risk": "queue_risk", "closing_dates": "closing_dates"}
        option(value, SIGHTS, "attraction_name", columns)


@pytest.mark.parametrize("record", RECORDS.values(), ids=RECORDS)
def test_acceptable_services_run_on_the_day_of_the_trip(record):
    meta = base(record)
    services = [(row["train_no"], row) for row in FILES.trains] + [(row["flight_no"], row) for row in FILES.flights]
    for way, day in (("outbound", meta["depart_date"]), ("inbound", meta["return_date"])):
        for kind in ("train", "flight"):
            options = list(values_named(record, f"acceptable_{way}_{kind}_options"))
            numbers = [option[f"{kind}_no"] for option in options]
            assert set(numbers) == set(values_named(record, f"acceptable_{way}_{kind}_nos"))
            for option in options:
                assert any(
                    (number, row["dep_date"], row["dep_datetime"], row["seat_class"], float(row["price"]))
                    == (option[f"{kind}_no"], day, option["dep_datetime"], option["seat_class"], option["price"])
                    for number, row in services
                )


@pytest.mark.parametrize("record", RECORDS.values(), ids=RECORDS)
def test_states_only_grow_and_what_must_be_kept_was_active_before(record):
    before: dict = {}
    for turn in record["turns"]:
        state = turn["oracle_state_after_turn"]
        for kind in ("active_user_state_deltas", "active_request_resolutions", "active_environment_events"):
            known = before.get(kind, [])
            assert state.get(kind, [])[: len(known)] == known
        assert set(turn["must_preserve"]) <= set(before.get("active_hard_constraints", []))
        gone = set(before.get("active_hard_constraints", [])) - set(state["active_hard_constraints"])
        events = state.get("active_environment_events", [])
        assert gone <= {key for event in events for key in event.get("deactivates_hard_constraints", [])}
        before = state


def test_superlatives_are_true_in_the_tables():
    by_lantern_row = [row for row in RESTAURANTS.values() if row["nearby_attraction_name"] == "Lantern Row"]
    tidewater = [row for row in HOTELS.values() if row["brand"] == "Tidewater"]
    by_rating = sorted(SIGHTS.values(), key=lambda row: -float(row["rating"]))
    museums = [row for row in SIGHTS.values() if row["attraction_type"] == "Museum/Memorial Hall"]
    out = [
        float(row["price"])
        for row in FILES.flights
        if row["origin_city"] == "Aldmoor" and row["dep_date"] == "2026-07-14"
    ]

    cheapest = min(by_lantern_row, key=lambda row: float(row["price_per_person"]))
    assert hard("mt_toy_foodies", "restaurant_cheapest_nearby_attraction")["acceptable_restaurant_names"] == [
        cheapest["restaurant_name"]
    ]
    best = max(by_lantern_row, key=lambda row: float(row["rating"]))
    assert hard("mt_toy_seniors", "restaurant_highest_rated")["acceptable_restaurant_names"] == [
        best["restaurant_name"]
    ]
    cheapest_tidewater = min(tidewater, key=lambda row: float(row["price"]))
    assert hard("mt_toy_flyer", "hotel_cheapest_brand")["acceptable_hotel_names"] == [cheapest_tidewater["name"]]
    best_hotel = max(HOTELS.values(), key=lambda row: float(row["score"]))
    assert hard("mt_toy_foodies", "hotel_highest_rated")["acceptable_hotel_names"] == [best_hotel["name"]]
    renovated = [row["name"] for row in HOTELS.values() if int(row["decoration_time"]) >= 2024]
    assert hard("mt_toy_friends", "hotel_newest_decoration")["acceptable_hotel_names"] == renovated
    assert hard("mt_toy_friends", "attraction_type_highest_rated")["attraction_names"] == [
        row["attraction_name"] for row in museums
    ]
    assert hard("mt_toy_family", "attraction_must_visit_named")["attraction_names"] == [
        row["attraction_name"] for row in by_rating[:2]
    ]
    queues = [name for name, row in SIGHTS.items() if row["queue_risk"] == "high"]
    assert hard("mt_toy_seniors", "attraction_avoid_high_queue")["banned_attraction_names"] == queues
    in_range = [name for name, row in HOTELS.items() if 280 <= float(row["price"]) <= 320]
    assert hard("mt_toy_couple", "hotel_price_range")["acceptable_hotel_names"] == in_range
    assert hard("mt_toy_newlyweds", "flight_cheapest_direct")["outbound_price"] == min(out)


def test_no_hotel_is_both_cheap_enough_and_renovated_for_the_friends():
    conflict = RECORDS["mt_toy_friends"]["turns"][2]["oracle_state_after_turn"]["active_request_resolutions"][0]
    cap = conflict["prior_request_conflict"]["new_cap"]

    fitting = [row for row in HOTELS.values() if float(row["price"]) < cap and int(row["decoration_time"]) >= 2024]

    assert fitting == []


def test_the_lowered_budget_of_the_newlyweds_is_between_the_minimum_and_the_old_cap():
    budget = hard("mt_toy_newlyweds", "budget_constraint")
    (update,) = values_named(RECORDS["mt_toy_newlyweds"]["turns"][1], "budget_update")

    assert sum(budget["estimated_breakdown"].values()) <= budget["minimum_feasible_budget"]
    assert (
        budget["minimum_feasible_budget"] < update["new_max_budget"] < update["old_max_budget"] == budget["max_budget"]
    )
