"""One answer graded: for each lost point the check, day, item, expected and found, in both editions."""

import io

import pytest
from rich.console import Console
from tests.trip_plus.scored_turns import COUPLE, FAMILY, toy

from tripgauge.toy import town
from tripgauge.trip_plus.edition import Edition
from tripgauge.trip_plus.results.graded import Grade, graded_release, graded_strict
from tripgauge.trip_plus.results.verdicts import Part

GRADED = {Edition.STRICT: graded_strict, Edition.RELEASE: graded_release}


def grade(text: str, task: str = COUPLE, turn: int = 0, edition: Edition = Edition.STRICT) -> Grade:
    return GRADED[edition](toy(), toy().task(task), turn, text)


def good(turn: int = 0, task: str = COUPLE) -> str:
    return town.answers()[f"{task}_turn_{turn}"]


def shown(found: Grade) -> str:
    console = Console(width=80, record=True, file=io.StringIO())
    console.print(found.rich())
    return console.export_text()


def found_in(graded: Grade, check: str) -> list[dict[str, object]]:
    return [finding for finding in graded.json()["findings"] if finding["check"] == check]  # type: ignore[attr-defined]


def test_a_lost_point_names_check_day_item_expected_and_found() -> None:
    """R42. Dinner at the Barrel House costs 150 a head, the plan says 130."""
    wrong = grade(good().replace("dinner, Barrel House, ¥150", "dinner, Barrel House, ¥130"))

    (finding,) = found_in(wrong, "validated_meals")
    assert finding["day"] == 2
    assert finding["reason"] == "Barrel House costs ¥150, not ¥130"
    assert (finding["part"], finding["asks"]) == (
        "feasibility",
        "Every restaurant exists and its price per person is right.",
    )
    assert "validated_meals (feasibility; counts for feasibility)" in shown(wrong)
    assert "Day 2: Barrel House costs ¥150, not ¥130" in shown(wrong)


def test_requirements_are_explained_with_their_parameters() -> None:
    """R42, R2. The family's trip has four days; the couple's plan has three."""
    wrong = grade(good(), FAMILY, 1)

    finding = found_in(wrong, "trip_date_range_required")[0]
    assert finding["asks"] == "The trip lasts 4 days, from 2026-07-14 to 2026-07-17."
    assert (finding["expected"], finding["found"]) == ("4", "3")
    verdict = next(v for v in wrong.verdicts if v.check == "trip_date_range_required")
    assert verdict.decides == ("hard", "preservation")
    assert "(hard constraint; counts for hard and preservation)" in shown(wrong)


def test_a_preference_half_met_says_so() -> None:
    """The friends like their days full, the couple relaxed: the friends' plan is a minor breach for the couple."""
    found = grade(good(0, "mt_toy_friends"), COUPLE)

    (pacing,) = [verdict for verdict in found.fails if verdict.check == "schedule_pacing"]
    assert pacing.score == 0.5
    assert pacing.findings
    assert "schedule_pacing (soft preference, half met; counts for soft and" in shown(found)


@pytest.mark.parametrize("edition", list(Edition))
def test_every_lost_point_has_a_reason_in_both_editions(edition: Edition) -> None:
    """R42, R46. Each recorded answer put to the turns of another task."""
    for turn in range(4):
        wrong = grade(good(), FAMILY, turn, edition)

        assert wrong.fails
        for verdict in wrong.fails:
            assert verdict.decides, f"{verdict.check} is not met and counts for nothing"
            assert verdict.findings, f"{verdict.check} is not met without a reason"
            assert all(finding.reason for finding in verdict.findings)


@pytest.mark.parametrize("edition", list(Edition))
def test_a_full_score_never_stands_beside_a_failed_check_that_decides_it(edition: Edition) -> None:
    """R2."""
    names = {"feasibility": "feasibility", "hard": "hard_constraints", "soft": "soft_preferences"}
    for text in (good(), good().replace("T12", "T99"), good(2, FAMILY)):
        for task, turn in ((COUPLE, 0), (FAMILY, 2), (FAMILY, 3)):
            found = grade(text, task, turn, edition)
            scores = {name.strip(): score for name, score in found.scores}
            for decided, name in (*names.items(), ("fulfillment", "fulfillment"), ("preservation", "preservation")):
                failed = any(verdict.failed for verdict in found.verdicts if decided in verdict.decides)
                if scores.get(name) is not None:
                    assert (scores[name] == 1) == (not failed), (name, task, turn)


def test_what_does_not_apply_counts_for_nothing_and_is_told() -> None:
    """R1, R2."""
    found = grade(good())

    assert all(verdict.decides == () for verdict in found.not_applicable)
    for verdict in found.not_applicable:
        assert verdict.check in found.json()["not_applicable"]  # type: ignore[operator]
    verdicts = found.json()["verdicts"]
    assert {v["score"] for v in verdicts if not v["decides"]} <= {None}  # type: ignore[attr-defined]


def test_an_answer_of_the_wrong_kind_is_told_by_its_mode_alone() -> None:
    found = grade("<clarification>Which day?</clarification>")

    assert not found.mode_is_right
    assert found.fails == ()
    assert [verdict.part for verdict in found.verdicts] == [Part.MODE]
    assert "the turn wants plan, the answer is clarification" in " ".join(shown(found).split())


def test_a_clarification_is_graded_on_what_it_says() -> None:
    """R4."""
    vague = grade("<clarification>Hm?</clarification>", "mt_toy_students", 1)
    right = grade(good(1, "mt_toy_students"), "mt_toy_students", 1)

    assert {verdict.part for verdict in vague.fails} == {Part.CONTENT}
    assert dict(vague.scores)["answer_content"] < 1  # type: ignore[operator]
    assert dict(right.scores)["answer_content"] == 1


def test_an_answer_that_cannot_be_read_says_why() -> None:
    """R41."""
    found = grade("Here is a lovely trip for you!")

    assert found.observed_mode == "unreadable"
    assert any("cannot be read" in remark for remark in found.remarks)
