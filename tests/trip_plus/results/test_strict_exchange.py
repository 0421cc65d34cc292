"""What a strict score looks like in the exchange files."""

from fractions import Fraction

import pytest
from tests.trip_plus.scored_turns import COUPLE, FAMILY, toy

from tripgauge.toy import town
from tripgauge.trip_plus.notation.plan_text import parse_response
from tripgauge.trip_plus.results.exchange import strict_exchange


def exchange(text: str, task: str, turn: int) -> dict[str, object]:
    return strict_exchange(toy().score(toy().task(task), turn, parse_response(text)))


def test_every_part_of_the_score_of_a_plan_is_there() -> None:
    """The couple's three days for the family's four: a night, a day and the money of the third person are missing."""
    structure, operability = Fraction(0 + Fraction(3, 5) + Fraction(1, 3), 3), Fraction(1 + 1 + 1 + 0, 4)
    found = exchange(town.answers()[f"{COUPLE}_turn_0"], FAMILY, 1)

    assert found["scores"] == {
        "feasibility_score": pytest.approx(float((structure + 1 + operability) / 3)),
        "strict_feasibility": 0,
        "hard_constraint_score": 3 / 8,
        "strict_hard_constraint": 0,
        "soft_preference_score": pytest.approx((5 / 6 + 1 + 0 + 1) / 4),
        "strict_soft_preference": 0,
    }
    assert found["hard"]["checks"]["room_count_required"] == 0  # type: ignore[index]
    assert found["soft"]["rules"]["budget_guarded"] == 0  # type: ignore[index]
    assert found["fulfilment"] == {"score": 0.0, "checks": [["hotel_turn_added", 0]]}
    assert ["room_count_required", 0] in found["preservation"]["checks"]  # type: ignore[index]


def test_a_plan_that_did_not_come_meets_nothing() -> None:
    found = exchange("<clarification>Which day?</clarification>", FAMILY, 1)

    assert found["mode"] == "response_expectation_mismatch"
    assert found["fulfilment"]["score"] == 0  # type: ignore[index]
    assert {flag for _, flag in found["preservation"]["checks"]} == {0}  # type: ignore[index]
    assert "hard" not in found


def test_a_refusal_has_its_content() -> None:
    found = exchange(town.answers()["mt_toy_friends_turn_3"], "mt_toy_friends", 3)

    assert found["content"]["score"] == 1  # type: ignore[index]
    assert found["fulfilment"] == {"score": None, "checks": []}
