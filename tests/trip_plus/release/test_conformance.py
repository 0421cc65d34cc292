"""Every recorded figure of every recorded case comes out as the published evaluator gave it."""

import pytest
from tests.trip_plus.release.conformance_data import MISSING, REASON, Json, differences, lines, score

from tripgauge.trip_plus.release.evaluator import as_exchange

CASES = lines("cases.jsonl")
SCORED = [case for case in CASES if case["expected"]["outcome"] == "scored"]
STOPPING = [case for case in CASES if case["expected"]["outcome"] != "scored"]


@pytest.mark.skipif(MISSING, reason=REASON)
@pytest.mark.parametrize("environment", ["plain", "city"])
@pytest.mark.parametrize("case", SCORED, ids=lambda case: case["id"])
def test_a_reply_is_scored_as_published(case: Json, environment: str) -> None:
    expected = case.get("expected_city", case["expected"]) if environment == "city" else case["expected"]

    found = as_exchange(score(case, environment))

    assert list(differences(expected, found)) == []


@pytest.mark.skipif(MISSING, reason=REASON)
@pytest.mark.parametrize("case", STOPPING, ids=lambda case: case["id"])
def test_a_reply_that_stops_the_published_runner_is_only_a_bad_reply_here(case: Json) -> None:
    result = score(case)

    assert result.scores.feasibility_score is not None
    assert result.scores.feasibility_score < 1.0


@pytest.mark.skipif(MISSING, reason=REASON)
def test_the_data_has_all_its_cases() -> None:
    assert (len(SCORED), len(STOPPING)) == (340, 9)
    assert sum("expected_city" in case for case in SCORED) > 0


def test_the_comparison_notices_a_difference_of_any_kind() -> None:
    expected = {"score": 0.5, "checks": [["a", 1]], "families": {"x": 1.0}, "missing": True, "why": "reasons differ"}

    assert list(differences(expected, {**expected, "why": "other words"})) == []
    assert list(differences(expected, {**expected, "score": 0.5 + 1e-12})) == []
    for change in (
        {"score": 0.5001},
        {"score": None},
        {"checks": [["a", 0]]},
        {"checks": [["a", None]]},
        {"checks": []},
        {"families": {}},
        {"families": {"x": 1.0, "y": 1.0}},
        {"missing": 1},
    ):
        assert len(list(differences(expected, {**expected, **change}))) == 1
