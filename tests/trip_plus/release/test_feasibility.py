"""Feasibility equals the published evaluator's, on the conformance plans and where these leave a gap."""

import json
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.trip_plus.release.fixture_data import activity, base_meta, fixture_files, fixture_plan, fixture_record

from tripgauge.trip_plus.release.costing import plan_cost
from tripgauge.trip_plus.release.feasibility import FEASIBILITY_CHECKS, FeasibilityResult, evaluate_feasibility
from tripgauge.trip_plus.release.index import ReleaseIndex, release_index
from tripgauge.trip_plus.release.plan import read_plan
from tripgauge.trip_plus.release.primitives import ReleaseMeta
from tripgauge.trip_plus.sandbox.files import SandboxLibrary

Json = dict[str, Any]

FIXTURE_INDEX = release_index(fixture_files())


# --- Conformance -----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def conformance() -> Path:
    folder = os.environ.get("TRIPGAUGE_CONFORMANCE")
    if not folder or not Path(folder).is_dir():
        pytest.skip("TRIPGAUGE_CONFORMANCE names no folder with the conformance data")
    return Path(folder)


@pytest.fixture(scope="module")
def city_root(conformance: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The city-level data as one folder: the index and two cities, and Beijing beside them."""
    root = tmp_path_factory.mktemp("city") / "en"
    shutil.copytree(conformance / "city_env" / "en", root)
    shutil.copytree(conformance / "database" / "en" / "beijing" / "subway", root / "beijing" / "subway")
    return root


def lines(path: Path) -> Iterator[Json]:
    with path.open(encoding="utf-8") as file:
        for line in file:
            yield json.loads(line)


def records(folder: Path) -> dict[str, Json]:
    found: list[Json] = []
    for path in (folder / "synthetic_queries.json", folder / "query" / "query.json"):
        found += json.loads(path.read_text(encoding="utf-8"))
    return {record["id"]: record for record in found}


def turn_metas(folder: Path, known: dict[str, Json]) -> dict[tuple[str, str], ReleaseMeta]:
    """The frame of every turn, with people, rooms and dates as they are after its updates."""
    metas = {}
    for state in lines(folder / "turn_state.jsonl"):
        updates = {
            "people_number": state["people"],
            "room_number": state["rooms"],
            "days": state["days"],
            "return_date": state["return"],
        }
        meta = known[state["record_id"]]["meta_info"]["base_query_meta"]
        metas[state["record_id"], str(state["turn_id"])] = ReleaseMeta.of({**meta, **updates})
    return metas


def differences(result: FeasibilityResult, expected: Json) -> list[str]:
    """Names of the figures that are not as published: flags and counts exactly, numbers within 1e-9."""
    flags = {name: bool(flag) for name, flag in expected["checks"].items()}
    wrong = [name for name in flags.keys() | result.checks.keys() if flags.get(name) is not result.checks.get(name)]
    counts = (result.passed, result.total, result.strict)
    if counts != (expected["passed"], expected["total"], expected["strict"]):
        wrong.append("counts")
    pairs = [("score", result.score, expected["score"])]
    for level, values in (("subdimensions", result.subdimensions), ("dimensions", result.dimensions)):
        assert values.keys() == expected[level].keys()
        pairs += [(name, values[name], number) for name, number in expected[level].items()]
    return wrong + [name for name, ours, published in pairs if abs(ours - published) > 1e-9]


@pytest.mark.parametrize("environment", ["plain", "city"])
def test_every_conformance_plan_gets_its_published_feasibility(
    environment: str, conformance: Path, city_root: Path
) -> None:
    library = SandboxLibrary(conformance / "database", city_root if environment == "city" else None)
    known = records(conformance)
    metas = turn_metas(conformance, known)
    indexes: dict[Path | None, ReleaseIndex] = {}
    wrong = {}
    scored = 0

    for case in lines(conformance / "cases.jsonl"):
        expected = case.get("expected_city", case["expected"]) if environment == "city" else case["expected"]
        checks = (expected.get("feasibility") or {}).get("checks")
        if expected["outcome"] != "scored" or not checks:
            continue
        record_id, base_id = case["record_id"], known[case["record_id"]]["base_query_id"]
        folder = library.folder(record_id, base_id)
        if folder not in indexes:
            indexes[folder] = release_index(library.files(record_id, base_id))
        result = evaluate_feasibility(case["plan"], metas[record_id, str(case["turn_id"])], indexes[folder])
        scored += 1
        if faults := differences(result, expected["feasibility"]):
            wrong[case["id"]] = faults

    assert wrong == {}
    assert scored == 289


def test_every_plan_read_from_text_gets_its_published_feasibility(conformance: Path) -> None:
    library = SandboxLibrary(conformance / "database")
    known = records(conformance)
    metas = turn_metas(conformance, known)
    indexes: dict[str, ReleaseIndex] = {}
    wrong = {}
    scored = 0

    for line in lines(conformance / "texts.jsonl"):
        for route in ("agent", "direct"):
            outcome = line[route] or {}
            expected = outcome.get("expected") or {}
            if not (expected.get("feasibility") or {}).get("checks"):
                continue
            record_id = line["record_id"]
            if record_id not in indexes:
                indexes[record_id] = release_index(library.files(record_id, known[record_id]["base_query_id"]))
            meta = metas[record_id, str(line["turn_id"])]
            scored += 1
            result = evaluate_feasibility(outcome["converted"], meta, indexes[record_id])
            if faults := differences(result, expected["feasibility"]):
                wrong[line["id"], route] = faults

    assert wrong == {}
    assert scored > 0


def test_every_conformance_plan_costs_what_was_published(conformance: Path) -> None:
    metas = turn_metas(conformance, records(conformance))
    wrong = {}
    costed = 0

    for case in lines(conformance / "cases.jsonl"):
        published = case["expected"].get("cost")
        if not published:
            continue
        meta = metas[case["record_id"], str(case["turn_id"])]
        cost = plan_cost(read_plan(case["plan"]), meta.people_number, meta.room_number)
        costed += 1
        if off := [name for name, amount in published.items() if abs(getattr(cost, name) - amount) > 1e-9]:
            wrong[case["id"]] = off

    assert wrong == {}
    assert costed > 0


# --- Gaps ------------------------------------------------------------------------------------------------------------


def failing(change: Callable[[Json], None], **meta: object) -> set[str]:
    """The checks that fail of the invented trip after a change to its plan."""
    plan = fixture_plan()
    change(plan)
    result = evaluate_feasibility(plan, ReleaseMeta.of({**base_meta(fixture_record()), **meta}), FIXTURE_INDEX)
    return set(result.reasons)


def test_the_22_checks_are_named_once_and_say_what_they_ask() -> None:
    ids = [check.id for check in FEASIBILITY_CHECKS]

    assert len(ids) == len(set(ids)) == 22
    assert len({check.subdimension for check in FEASIBILITY_CHECKS}) == 9
    assert all(check.function.__doc__ for check in FEASIBILITY_CHECKS)


def test_a_second_visit_on_the_same_day_may_be_free() -> None:
    def second_visit(plan: Json) -> None:
        again = json.loads(json.dumps(activity(plan, 1, "13:55-16:55")))
        again["details"]["cost"] = 0
        plan["daily_plans"][0]["activities"].append(again)

    assert "validated_attractions" not in failing(second_visit)


def test_a_visit_on_another_day_is_paid_again() -> None:
    def free_on_day_two(plan: Json) -> None:
        activity(plan, 2, "09:20-11:20")["details"].update(name="Willow Lake Park", cost=0)

    assert "validated_attractions" in failing(free_on_day_two)


def test_a_negative_total_passes_as_published() -> None:
    def negative(plan: Json) -> None:
        plan["budget_summary"] = {"total_estimated_budget": -1}

    assert failing(negative) == set()


def test_a_total_that_is_no_amount_fails() -> None:
    def not_a_number(plan: Json) -> None:
        plan["budget_summary"] = {"total_estimated_budget": float("nan")}

    assert failing(not_a_number) == {"cost_calculation_correctness"}


def test_the_date_of_a_ticket_is_not_read() -> None:
    def other_date(plan: Json) -> None:
        for day in plan["daily_plans"]:
            day["date"] = "2031-01-01"

    assert "validated_transportation" not in failing(other_date)


def test_buffers_count_in_list_order_whatever_the_clock_says() -> None:
    def buffer_in_the_evening(plan: Json) -> None:
        activity(plan, 1, "07:30-08:00")["time_slot"] = "22:00-22:30"

    assert "intercity_buffer_adequacy" not in failing(buffer_in_the_evening)


def test_an_unknown_home_fails_what_depends_on_it() -> None:
    assert failing(lambda plan: None, org="") == {
        "closed_loop_route_structure",
        "seamless_intercity_transfers",
        "essential_meal_coverage",
        "essential_attraction_coverage",
    }


def test_an_unreadable_weekday_fails_and_a_missing_one_passes() -> None:
    assert failing(lambda plan: None, depart_weekday="Tuesday") == {"avoidance_of_closure_days"}
    assert failing(lambda plan: None, depart_weekday=None) == set()


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=5,
)


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_no_value_anywhere_in_a_plan_breaks_the_evaluation(data: st.DataObject) -> None:
    plan = fixture_plan()
    place: Any = plan
    while True:
        key = data.draw(st.sampled_from(sorted(place)) if isinstance(place, dict) else st.integers(0, len(place) - 1))
        if not isinstance(place[key], dict | list) or not place[key] or data.draw(st.integers(0, 3)) == 0:
            place[key] = data.draw(json_values)
            break
        place = place[key]

    result = evaluate_feasibility(plan, ReleaseMeta.of(base_meta(fixture_record())), FIXTURE_INDEX)

    assert 0 <= result.score <= 1
    assert result.strict == (result.passed == 22)
