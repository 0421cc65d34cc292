"""Every turn of the toy town has a recorded answer that is right, by the published checks and by the tables."""

import re
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import pairwise

import pytest

from tripgauge.toy import town
from tripgauge.trip_plus.feasibility.score import check_results, feasibility
from tripgauge.trip_plus.itinerary import Clarification, NoSolution, Plan
from tripgauge.trip_plus.notation.plan_text import parse_response
from tripgauge.trip_plus.release.conversion import read_answer_agent
from tripgauge.trip_plus.release.entity_names import database_names
from tripgauge.trip_plus.release.evaluator import TurnResult, evaluate_turn, release_sandbox, release_turn
from tripgauge.trip_plus.sandbox.files import SandboxLibrary
from tripgauge.trip_plus.sandbox.store import Sandbox
from tripgauge.trip_plus.tasks.queries import raw_records, read_queries
from tripgauge.trip_plus.trace.joining import execution_trace

RECORDS = raw_records(town.queries_file())
ANSWERS = town.answers()
TURNS = {f"{record['id']}_turn_{turn['turn_id']}": (record, turn) for record in RECORDS for turn in record["turns"]}
PLANS = [turn_id for turn_id, (_, turn) in TURNS.items() if turn["response_expectation"] == "plan"]
FILES = SandboxLibrary(town.data_folder()).files("mt_toy_couple", "briskhaven")
SANDBOX = release_sandbox(FILES)
NAMES = database_names(FILES)
STATES = {
    f"{task.task_id}_turn_{turn}": state
    for task in read_queries(town.queries_file())
    for turn, state in enumerate(task.key.states)
}


@dataclass(frozen=True)
class Line:
    """A timed line of a plan as written."""

    date: date
    start: str
    end: str
    kind: str
    fields: tuple[str, ...]

    @property
    def minutes(self) -> int:
        return minutes(self.end) - minutes(self.start)


def minutes(clock: str) -> int:
    return int(clock[:2]) * 60 + int(clock[3:])


def lines_of(turn_id: str) -> list[Line]:
    found, day = [], date.min
    for text in ANSWERS[turn_id].splitlines():
        if heading := re.fullmatch(r"Day \d+ \((.+)\):", text):
            day = date.fromisoformat(heading[1])
        elif row := re.fullmatch(r"(\d\d:\d\d)-(\d\d:\d\d) \| (\w+) \| (.+)", text):
            found.append(Line(day, row[1], row[2], row[3], tuple(row[4].split(", "))))
    return found


def yuan(text: str) -> float:
    return float(re.search(r"¥(\d+)", text)[1])


def graded(turn_id: str) -> TurnResult:
    record, turn = TURNS[turn_id]
    reply = read_answer_agent(ANSWERS[turn_id], NAMES)
    return evaluate_turn(reply.converted, release_turn(record, turn["turn_id"]), SANDBOX)


def test_every_turn_has_an_answer_and_no_answer_lacks_a_turn():
    assert set(ANSWERS) == set(TURNS)


@pytest.mark.parametrize("turn_id", TURNS)
def test_every_answer_is_of_the_kind_expected_and_fulfills_all_that_is_new(turn_id):
    result = graded(turn_id)

    assert result.observed_mode == TURNS[turn_id][1]["response_expectation"]
    assert result.fulfillment.score == 1
    assert result.preservation.score in (1, None)


@pytest.mark.parametrize("turn_id", PLANS)
def test_every_plan_passes_the_22_published_feasibility_checks(turn_id):
    checks = graded(turn_id).feasibility.checks

    assert len(checks) == 22
    assert [name for name, passed in checks.items() if not passed] == []


@pytest.mark.parametrize("turn_id", PLANS)
def test_every_plan_passes_the_strict_feasibility_checks(turn_id):
    response = parse_response(ANSWERS[turn_id])
    assert isinstance(response, Plan)

    trace = execution_trace(response.itinerary, STATES[turn_id].frame, Sandbox.of(FILES))

    results = check_results(feasibility(trace))
    assert all(result.applicable for result in results.values())
    assert [str(finding) for result in results.values() for finding in result.findings] == []


def test_the_other_answers_read_as_questions_and_a_refusal():
    others = {turn_id: type(parse_response(ANSWERS[turn_id])) for turn_id in TURNS if turn_id not in PLANS}

    assert others == {
        "mt_toy_students_turn_1": Clarification,
        "mt_toy_foodies_turn_1": Clarification,
        "mt_toy_friends_turn_2": Clarification,
        "mt_toy_friends_turn_3": NoSolution,
    }


@pytest.mark.parametrize("turn_id", PLANS)
def test_every_plan_meets_all_hard_constraints_and_soft_preferences(turn_id):
    scores = graded(turn_id).scores

    assert scores.hard_constraint_score == 1
    assert scores.soft_preference_score == 1


def test_the_refusal_names_the_reason():
    assert graded("mt_toy_friends_turn_3").reason_right


@pytest.mark.parametrize("turn_id", PLANS)
def test_services_run_on_the_day_of_the_plan_at_its_times_and_its_fare(turn_id):
    rows = {
        (row["dep_datetime"], row["arr_datetime"], number, row["seat_class"], float(row["price"]))
        for table, column in ((FILES.sample.trains, "train_no"), (FILES.sample.flights, "flight_no"))
        for row in table
        for number in [row[column]]
    }

    journeys = [line for line in lines_of(turn_id) if line.kind == "travel_intercity_public"]

    assert len(journeys) == 2
    for line in journeys:
        service, _, seat, fare = line.fields
        leaves, arrives = f"{line.date} {line.start}:00", f"{line.date} {line.end}:00"
        assert (leaves, arrives, service.split()[1], seat, yuan(fare)) in rows


@pytest.mark.parametrize("turn_id", PLANS)
def test_transfers_take_as_long_and_cost_as_much_as_the_matrix_says(turn_id):
    places = {row["poi_name"]: f"{row['latitude']},{row['longitude']}" for row in FILES.sample.locations}
    unmeasured = set()

    for line in lines_of(turn_id):
        if line.kind == "travel_city":
            ends, mode, distance, duration, cost = line.fields
            origin, destination = ends.split(" - ")
            entry = FILES.sample.distance_matrix.get((places[origin], places[destination]))
            if entry is None:
                unmeasured.add(frozenset((origin, destination)))
                continue
            assert line.minutes == int(duration.removesuffix("min")) >= int(entry.duration_minutes)
            assert float(distance.removesuffix("km")) * 1000 == int(entry.distance_meters)
            assert yuan(cost) == int(entry.cost)
            assert mode == ("walking" if entry.cost == "0" else "taxi")

    assert unmeasured <= {frozenset(("Quay Inn", "Midnight Grill"))}


@pytest.mark.parametrize("turn_id", PLANS)
def test_the_travelers_are_somewhere_at_every_minute_of_a_day(turn_id):
    where = "Aldmoor"
    lines = lines_of(turn_id)

    for line, after in pairwise(lines):
        assert line.date < after.date or line.end == after.start
    for line in lines:
        match line.kind, line.fields:
            case ("travel_intercity_public", (_, ends, *_)):
                origin, where_next = ends.split(" - ")
                assert origin.startswith(where) or where == origin
                where = where_next
            case ("travel_city", (ends, *_)):
                origin, where_next = ends.split(" - ")
                assert origin == where
                where = where_next
            case ("attraction", (name, _)):
                assert name == where
            case ("hotel" | "meal", (_, name, *_)):
                assert name == where
            case _:
                assert line.kind == "buffer"
    assert where.startswith("Aldmoor")


@pytest.mark.parametrize("turn_id", PLANS)
def test_sights_and_restaurants_are_open_on_that_weekday_at_that_hour(turn_id):
    hours = {
        row[column]: (minutes(row["opening_time"]), minutes(row["closing_time"]), row.get("closing_dates", ""))
        for table, column in (
            (FILES.sample.attractions, "attraction_name"),
            (FILES.sample.restaurants, "restaurant_name"),
        )
        for row in table
    }

    for line in lines_of(turn_id):
        if line.kind in ("attraction", "meal"):
            opens, closes, closed = hours[line.fields[0 if line.kind == "attraction" else 1]]
            closes += 24 * 60 if closes < opens else 0
            assert opens <= minutes(line.start) < minutes(line.end) <= closes
            assert f"{line.date:%A}" != closed


@pytest.mark.parametrize("turn_id", PLANS)
def test_no_sight_is_visited_twice(turn_id):
    visited = [line.fields[0] for line in lines_of(turn_id) if line.kind == "attraction"]

    assert len(visited) == len(set(visited))


@pytest.mark.parametrize("turn_id", PLANS)
def test_the_budget_adds_up_for_all_travelers_and_rooms(turn_id):
    record, turn = TURNS[turn_id]
    base = record["meta_info"]["base_query_meta"]
    people, rooms = base["people_number"], base["room_number"]
    for delta in turn["oracle_state_after_turn"]["active_user_state_deltas"]:
        if update := delta.get("party_update"):
            people, rooms = update["new_people_number"], update["new_room_number"]
    lines = lines_of(turn_id)
    stays = re.findall(r"^Accommodation: .+, ¥(\d+)/room/night$", ANSWERS[turn_id], re.MULTILINE)

    def spent(kind: str, count: int) -> float:
        return sum(yuan(line.fields[-1]) * count for line in lines if line.kind == kind)

    expected = {
        "Transportation": spent("travel_intercity_public", people) + spent("travel_city", 1),
        "Accommodation": sum(map(int, stays)) * rooms,
        "Meals": spent("meal", people),
        "Attractions & Tickets": spent("attraction", people),
        "Other": 0,
    }
    expected["Total Estimated Budget"] = sum(expected.values())

    assert people <= 4, "one taxi takes four"
    assert len(stays) == base["days"] - 1
    assert {
        label: float(amount)
        for label, amount in re.findall(r"^\*\*(.+): (\d+) RMB\*\*$", ANSWERS[turn_id], re.MULTILINE)
    } == expected


@pytest.mark.parametrize("turn_id", PLANS)
def test_plans_cover_the_dates_of_the_trip(turn_id):
    base = TURNS[turn_id][0]["meta_info"]["base_query_meta"]
    start = date.fromisoformat(base["depart_date"])

    days = sorted({line.date for line in lines_of(turn_id)})

    assert days == [start + timedelta(days=number) for number in range(base["days"])]


def lines_on(turn_id: str, day: int) -> list[Line]:
    lines = lines_of(turn_id)
    return [line for line in lines if line.date == lines[0].date + timedelta(days=day - 1)]


@pytest.mark.parametrize("turn", [2, 3])
def test_the_newlyweds_eat_nothing_spicy_once_they_have_said_so(turn):
    spicy = {row["restaurant_name"] for row in FILES.sample.restaurants if "spicy" in row["tags"]}

    eaten = {line.fields[1] for line in lines_of(f"mt_toy_newlyweds_turn_{turn}") if line.kind == "meal"}

    assert spicy == {"Pepper Yard"}
    assert not eaten & spicy


def test_crowded_hours_stay_free_when_the_flight_is_late_too():
    for line in lines_of("mt_toy_flyer_turn_2"):
        if line.kind == "meal":
            assert line.end <= "12:00" or line.start >= "13:00"
        if line.fields[0] in ("Tide Aquarium", "Fort Museum"):
            assert line.end <= "10:00" or line.start >= "12:00"


def test_the_seniors_still_wait_an_hour_at_the_station_when_an_evening_is_cut_short():
    last_day = lines_on("mt_toy_seniors_turn_4", 3)
    train = next(place for place, line in enumerate(last_day) if line.kind == "travel_intercity_public")

    assert last_day[train - 1].kind == "buffer"
    assert last_day[train - 1].minutes >= 60
    assert max(line.end for line in lines_on("mt_toy_seniors_turn_4", 2) if line.kind != "hotel") <= "20:00"
    assert "Pier Market" in [line.fields[0] for line in lines_on("mt_toy_seniors_turn_4", 2)]
