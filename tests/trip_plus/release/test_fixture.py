"""The invented trip from Alpha to Beta scores as it does in the published evaluator: feasibility."""

import pytest
from tests.trip_plus.release.fixture_data import (
    BASE,
    SINGLE_CHANGES,
    SingleChange,
    base_meta,
    fixture_files,
    fixture_plan,
    fixture_record,
)

from tripgauge.trip_plus.release.costing import PlanCost, plan_cost
from tripgauge.trip_plus.release.feasibility import evaluate_feasibility
from tripgauge.trip_plus.release.index import ReleaseIndex, release_index
from tripgauge.trip_plus.release.plan import read_plan
from tripgauge.trip_plus.release.primitives import ReleaseMeta


@pytest.fixture(scope="module")
def index() -> ReleaseIndex:
    return release_index(fixture_files())


@pytest.mark.parametrize("change", [BASE, *SINGLE_CHANGES], ids=lambda change: change.name)
def test_exactly_the_expected_feasibility_checks_fail(change: SingleChange, index: ReleaseIndex) -> None:
    plan, record = fixture_plan(), fixture_record()
    change.apply(plan, record)

    result = evaluate_feasibility(plan, ReleaseMeta.of(base_meta(record)), index)

    assert {check for check, passed in result.checks.items() if not passed} == change.failing
    assert set(result.reasons) == change.failing
    assert result.score == change.feasibility
    assert result.strict == (not change.failing)
    assert (result.passed, result.total) == (22 - len(change.failing), 22)


def test_the_computed_cost_is_what_the_plan_states() -> None:
    cost = plan_cost(read_plan(fixture_plan()), people=2, rooms=1)

    assert cost == PlanCost(transportation=561.0, accommodation=300.0, meals=560.0, attractions=80.0)
    assert cost.total == 1501.0


def test_five_people_cost_more() -> None:
    assert plan_cost(read_plan(fixture_plan()), people=5, rooms=1).total == 3235.0


def test_without_days_every_check_fails(index: ReleaseIndex) -> None:
    meta = ReleaseMeta.of(base_meta(fixture_record()))

    result = evaluate_feasibility({"status": "malformed"}, meta, index)

    assert not any(result.checks.values())
    assert (result.score, result.strict, result.passed) == (0.0, 0, 0)


def test_a_failed_check_says_what_is_wrong(index: ReleaseIndex) -> None:
    plan, record = fixture_plan(), fixture_record()
    plan["daily_plans"][0]["accommodation"]["name"] = "Hotel Nowhere"

    result = evaluate_feasibility(plan, ReleaseMeta.of(base_meta(record)), index)

    assert result.reasons["validated_accommodation"] == ("day 1: nothing is known of Hotel Nowhere",)
