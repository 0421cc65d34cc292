"""Where the two editions grade the same answers differently."""

import io

from rich.console import Console
from tests.trip_plus.scored_turns import COUPLE, FLYER, answering, good_answers, toy

from tripgauge.toy import town
from tripgauge.trip_plus.results.answers import Answer, AnswerSet, Conversation
from tripgauge.trip_plus.results.edition_differences import Difference, edition_differences
from tripgauge.trip_plus.results.leaderboard import baselines

OUTBOUND = (
    "10:00-12:00 | travel_intercity_public | flight CX2, Aldmoor Airport - Briskhaven Airport, Economy, ¥520/person"
)


def differences(text: str, task: str = COUPLE) -> dict[str, Difference]:
    """On one answer to the first turn of a task, by check."""
    answers = AnswerSet("one", (Conversation(task, 0, (Answer(text), None, None)),))
    found = edition_differences([answers], toy()).differences
    return {difference.check: difference for difference in found if difference.turn == f"{task}_turn_0"}


def test_on_good_answers_only_what_one_edition_does_not_ask_differs() -> None:
    found = edition_differences([good_answers()], toy()).differences

    both = [d for d in found if d.part != "score" and d.strict != "not asked" and d.release != "not asked"]
    assert all(d.strict is None or d.release is None for d in both), "no point is lost in either"


def test_a_check_that_passes_on_nothing_in_release_fails_in_strict_with_the_reason() -> None:
    (idle, _) = baselines(toy(), [COUPLE])

    found = {d.check: d for d in edition_differences([idle], toy()).differences if d.turn.endswith("turn_0")}

    assert (found["validated_meals"].release, found["validated_meals"].strict) == (1, 0)
    assert "no meal, where" in found["validated_meals"].reason
    assert found["feasibility"].part == "score"
    assert found["feasibility"].strict == 0


def test_a_flight_that_does_not_run_that_day_passes_in_release_and_fails_in_strict_with_the_reason() -> None:
    """The published check compares clock times and never dates: CX1 flies in May and November only."""
    good = town.answers()["mt_toy_flyer_turn_0"]
    flown = good.replace(
        OUTBOUND, OUTBOUND.replace("CX2", "CX1").replace("10:00-12:00", "08:00-10:00").replace("520", "500")
    )

    found = differences(flown, FLYER)

    assert OUTBOUND in good
    assert "validated_transportation" not in differences(good, FLYER)
    assert (found["validated_transportation"].release, found["validated_transportation"].strict) == (1, 0)
    assert "CX1 does not run on 14 July 2026" in found["validated_transportation"].reason


def test_an_answer_that_one_edition_reads_as_another_mode_differs_in_its_mode_alone() -> None:
    found = differences("<plan>\nDay 1:\n</plan><clarification>Which?</clarification>")

    assert found["response_mode"].reason.startswith("release reads a clarification, strict unreadable (")
    assert {d.part for d in found.values()} <= {"response mode", "score"}


def test_refusals_of_the_same_mode_do_not_differ_in_checks() -> None:
    found = edition_differences([answering("<clarification>Which?</clarification>", toy())], toy()).differences

    assert {d.part for d in found} == {"score"}
    assert {d.check for d in found} <= {"fulfillment", "preservation"}


def test_the_tables_fit_80_columns_and_count_by_check() -> None:
    report = edition_differences(list(baselines(toy(), toy().tasks)), toy())
    console = Console(width=80, record=True, file=io.StringIO())
    for table in report.tables():
        console.print(table.rich())
    text = console.export_text()

    assert max(map(len, text.splitlines())) <= 80
    assert "…" not in text
    counted = sum(int(str(row[3])) for row in report.tables()[0].rows)
    assert counted == sum(d.part != "score" for d in report.differences)
    assert len(report.json()["differences"]) == len(report.differences)  # type: ignore[arg-type]
