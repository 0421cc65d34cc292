"""What a strict score looks like in the exchange files."""

from tests.trip_plus.scored_turns import COUPLE, FAMILY, toy

from tripgauge.toy import town
from tripgauge.trip_plus.notation.plan_text import parse_response
from tripgauge.trip_plus.results.exchange import strict_exchange


def exchange(text: str, task: str, turn: int) -> dict[str, object]:
    return strict_exchange(toy().score(toy().task(task), turn, parse_response(text)))


def test_every_part_of_the_score_of_a_plan_is_there() -> None:
    found = exchange(town.answers()[f"{COUPLE}_turn_0"], FAMILY, 1)

    assert found["scores"] == {
        "feasibility_score": 29 / 36,
        "strict_feasibility": 0,
        "hard_constraint_score": 4 / 8,
        "strict_hard_constraint": 0,
        "soft_preference_score": 0.75,
        "strict_soft_preference": 0,
    }
    assert found["hard"]["checks"]["room_count_required"] == 0  # type: ignore[index]
    assert found["soft"]["rules"]["budget_guarded"] == 0  # type: ignore[index]
    assert found["fulfilment"] == {"score": 1.0, "checks": [["hotel_turn_added", 1]]}
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
