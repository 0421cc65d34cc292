"""What a set of answers scores as a whole. Every mean is worked out by hand over unequal inputs. (R6)"""

import json
from fractions import Fraction
from pathlib import Path

import pytest
from tests.trip_plus.release.conformance_data import FOLDER, MISSING, REASON, Json, differences
from tests.trip_plus.scored_turns import (
    COUPLE,
    FAMILY,
    FLYER,
    NO_PLAN_WANTED,
    answering,
    entry,
    good_answers,
    good_entry,
    toy,
    turn,
)

from tripgauge.toy import town
from tripgauge.trip_plus.benchmark import TripPlus
from tripgauge.trip_plus.edition import Edition
from tripgauge.trip_plus.itinerary import Plan
from tripgauge.trip_plus.notation.plan_text import parse_response
from tripgauge.trip_plus.release.aggregate import leaderboard_as_exchange, summary_as_exchange
from tripgauge.trip_plus.results.answers import Answer, AnswerSet, Conversation
from tripgauge.trip_plus.results.leaderboard import baselines
from tripgauge.trip_plus.results.paper_rows import paper_rows
from tripgauge.trip_plus.results.summary import (
    RELEASE_COLUMNS,
    STRICT_COLUMNS,
    Basis,
    Due,
    columns_of,
    plan_average,
    rule_average,
    score_answers,
    wins,
)

THIRD, HALF = Fraction(1, 3), Fraction(1, 2)

FIVE_TURNS = entry(
    turn(COUPLE, 0, feasibility=Fraction(3, 4), hard=HALF, soft=THIRD, fulfillment=Fraction(1, 5)),
    turn(COUPLE, 1, feasibility=HALF, hard=Fraction(1), soft=None, fulfillment=THIRD, preservation=HALF),
    turn(FLYER, 0, response=0, fulfillment=Fraction(0)),
    turn(FLYER, 1, due=NO_PLAN_WANTED, content=Fraction(2, 3)),
    turn(
        FAMILY,
        0,
        due=Due(plan=True, hard=True, soft=False),
        response=0,
        fulfillment=Fraction(0),
        preservation=Fraction(0),
    ),
)
"""Plans came at two of four turns that want one; two of five turns are answered in the wrong mode."""


@pytest.mark.parametrize(
    ("column", "numerator", "denominator", "tasks"),
    [
        ("Resp. Acc.", 1 + 1 + 0 + 1 + 0, 5, 3),
        ("Content", 2 / 3, 1, 1),
        ("Req. Fulfill.", 1 / 5 + 1 / 3 + 0 + 0, 4, 3),
        ("Intent Pres.", 1 / 2 + 0, 2, 2),
        ("Feas. (delivered)", 3 / 4 + 1 / 2, 2, 1),
        ("Feas. (due)", 3 / 4 + 1 / 2 + 0 + 0, 4, 3),
        ("Hard Cons. (delivered)", 1 / 2 + 1, 2, 1),
        ("Hard Cons. (due)", 1 / 2 + 1 + 0 + 0, 4, 3),
        ("Soft Pref. (delivered)", 1 / 3, 1, 1),
        # The plan of which no preference applied is left out, and so is the turn that has no preferences.
        ("Soft Pref. (due)", 1 / 3 + 0, 2, 2),
    ],
)
def test_each_strict_column_has_its_numerator_and_denominator(
    column: str, numerator: float, denominator: int, tasks: int
) -> None:
    """R6, R25."""
    found = FIVE_TURNS.estimates[column]

    assert found.numerator == pytest.approx(numerator)
    assert (found.denominator, found.tasks) == (denominator, tasks)


def test_the_two_averages_are_means_of_columns() -> None:
    """R6."""
    due = rule_average(FIVE_TURNS, Basis.DUE)
    delivered = rule_average(FIVE_TURNS, Basis.DELIVERED)

    assert due is not None
    assert due.value == pytest.approx((1.25 / 4 + 1.5 / 4 + (1 / 3) / 2) / 3)
    assert delivered is not None
    assert delivered.value == pytest.approx((1.25 / 2 + 1.5 / 2 + 1 / 3) / 3)
    assert plan_average(FIVE_TURNS, Basis.DUE) is None, "nobody was judged"


def test_a_judged_set_counts_missing_final_plans_as_nothing() -> None:
    last = Due(plan=True, hard=True, soft=True, simulation=True)
    judged = entry(
        turn(COUPLE, 2, due=last, feasibility=1, hard=HALF, soft=Fraction(1, 4), simulation=0.5),
        turn(FLYER, 2, due=last, response=0),
    )

    delivered, due = plan_average(judged, Basis.DELIVERED), plan_average(judged, Basis.DUE)

    assert judged.estimates["User Sim. (due)"].value == 0.25
    assert judged.estimates["User Sim. (delivered)"].value == 0.5
    assert delivered is not None
    assert delivered.value == pytest.approx((1 + 1 / 2 + 1 / 4 + 1 / 2) / 4)
    assert due is not None
    assert due.value == pytest.approx((1 / 2 + 1 / 4 + 1 / 8 + 1 / 4) / 4)


def test_the_release_columns_over_delivered_plans_only() -> None:
    turns = [t for t in FIVE_TURNS.turns if t.turn == 0]
    release = entry(*turns, edition=Edition.RELEASE).estimates

    assert set(release) == {column.name for column in RELEASE_COLUMNS}
    assert (release["Feas. (delivered)"].numerator, release["Feas. (delivered)"].denominator) == (0.75, 1)
    assert release["Resp. Acc."].value == pytest.approx(1 / 3)


def test_every_column_quotes_its_formula() -> None:
    """R25."""
    for edition in Edition:
        names = [column.name for column in columns_of(edition)]
        assert len(set(names)) == len(names)
        assert all(" / " in column.formula for column in columns_of(edition))


def test_denominators_come_from_the_answers_and_a_partial_set_says_so() -> None:
    """R25. Two turns of one task: the third turn counts as answered wrongly, other tasks do not count."""
    whole = next(talk for talk in good_answers().conversations if talk.task_id == COUPLE)
    part = AnswerSet("part", (Conversation(COUPLE, 0, (*whole.answers[:2], None)),))

    strict = score_answers(part, toy(), Edition.STRICT)
    release = score_answers(part, toy(), Edition.RELEASE)

    assert strict.estimates["Feas. (due)"].denominator == 3
    assert strict.estimates["Feas. (due)"].value == pytest.approx(2 / 3)
    assert strict.estimates["Feas. (delivered)"].value == 1
    assert strict.partial == "1 of 8 tasks, 2 of 3 turns answered"
    assert release.estimates["Feas. (delivered)"].denominator == 2, "published: missing turns are left out"
    assert release.release is not None
    assert release.release.missing_turns == 1


def test_the_release_columns_are_those_of_the_published_summary() -> None:
    scored = good_entry(Edition.RELEASE)

    assert scored.release is not None
    board = scored.release.leaderboard
    found = [scored.estimates[column.name].value for column in RELEASE_COLUMNS[:6]]
    published = [board.response_accuracy, board.request_fulfillment, board.intent_preservation]
    published += [board.feasibility, board.hard_constraints, board.soft_preferences]
    assert found == pytest.approx(published)


def test_good_answers_get_full_marks_in_strict() -> None:
    found = good_entry(Edition.STRICT).estimates

    assert {name: figure.value for name, figure in found.items() if figure.denominator} == {
        column.name: 1.0 for column in STRICT_COLUMNS if column.label != "User Sim."
    }


# --- Table 2


def test_the_papers_plan_average_follows_from_its_columns() -> None:
    """To half a unit of the fourth decimal, and the rounding of its four parts: a unit in all."""
    for row in paper_rows():
        assert row.columns.plan_average == pytest.approx(row.plan_average, abs=1e-4 + 1e-9), row.model


def test_the_papers_win_percent_follows_from_its_columns() -> None:
    found = wins({row.model: list(vars(row.columns).values()) for row in paper_rows()})

    assert len(found) == 18
    assert {columns for _, columns in found.values()} == {7}
    assert {model: round(100 * first / columns, 1) for model, (first, columns) in found.items()} == {
        row.model: row.win_percent for row in paper_rows()
    }


def test_wins_by_hand_with_a_shared_first_place_and_an_unknown_column() -> None:
    """R6. A ranks first in the first column, both in the second; the third is not known of B."""
    assert wins({"A": [0.5, 0.7, 0.9], "B": [0.4, 0.7, None]}) == {"A": (2, 2), "B": (1, 2)}


# --- Constant policies

CLARIFICATION = "<clarification>Which one?</clarification>"
NO_SOLUTION = "<no_solution>No solution within the hotel price.</no_solution>"


@pytest.fixture(scope="module")
def official() -> TripPlus:
    return TripPlus([FOLDER / "query" / "query.json"], FOLDER / "database", every_task=True)


@pytest.fixture(scope="module")
def recorded() -> dict[str, Json]:
    runs = json.loads((FOLDER / "aggregate.json").read_text(encoding="utf-8"))["reply_runs"]
    return {run["name"]: run for run in runs}


@pytest.mark.skipif(MISSING, reason=REASON)
@pytest.mark.parametrize(
    ("text", "run"),
    [(CLARIFICATION, "all-clarification"), (NO_SOLUTION, "all-no-solution"), ("", "all-empty-object")],
    ids=["always clarify", "always no solution", "always empty"],
)
def test_a_constant_answer_to_all_570_turns_gets_the_recorded_figures_in_release(
    text: str, run: str, official: TripPlus, recorded: dict[str, Json]
) -> None:
    summary = score_answers(answering(text, official), official, Edition.RELEASE).release

    assert summary is not None
    assert summary.turn_count == 570
    assert list(differences(recorded[run]["leaderboard"], leaderboard_as_exchange(summary.leaderboard))) == []
    assert list(differences(recorded[run]["summary"], summary_as_exchange(summary))) == []


@pytest.mark.skipif(MISSING, reason=REASON)
@pytest.mark.parametrize("text", [CLARIFICATION, NO_SOLUTION, ""], ids=["clarification", "no solution", "nothing"])
def test_a_constant_answer_gets_no_point_for_a_plan_turn_in_strict(text: str, official: TripPlus) -> None:
    """The turns that want a plan are 512 of 570."""
    scored = score_answers(answering(text, official), official, Edition.STRICT)

    due = [t for t in scored.turns if t.due.plan]
    assert len(due) == 512
    assert {t.response for t in due} == {0}
    assert {t.fulfillment for t in due} <= {0, None}
    assert {t.preservation for t in due} <= {0, None}
    for name in ("Req. Fulfill.", "Intent Pres.", "Feas. (due)", "Hard Cons. (due)", "Soft Pref. (due)"):
        assert scored.estimates[name].value == 0
        assert scored.estimates[name].denominator > 300
    assert scored.estimates["Feas. (delivered)"].value is None


@pytest.mark.skipif(MISSING, reason=REASON)
def test_an_idle_plan_on_the_sample_records_gets_the_known_figure_in_release_and_nothing_in_strict() -> None:
    """0.8222: section B.2 of the paper over empty days, every check passing that has nothing to look at."""
    samples = TripPlus([FOLDER / "query" / "query.json"], FOLDER / "database")
    there = [task.task_id for task in samples.tasks.values() if samples.has_world(task)]
    idle = next(answers for answers in baselines(samples, there) if answers.name == "idle")

    release = score_answers(idle, samples, Edition.RELEASE)
    strict = score_answers(idle, samples, Edition.STRICT)

    assert sorted(there) == ["mt_single_0005", "mt_single_0006"]
    assert release.estimates["Feas. (delivered)"].value == pytest.approx(37 / 45)
    for name in ("Req. Fulfill.", "Intent Pres.", "Feas. (due)", "Hard Cons. (due)", "Soft Pref. (due)"):
        assert strict.estimates[name].value == 0
    assert all(verdict.failed or verdict.score is None for t in strict.turns for verdict in t.verdicts[1:])


def test_an_answer_is_read_from_its_text_and_never_by_a_model() -> None:
    """R7. Two drafts in one answer are a fault with its own name."""
    text = town.answers()[f"{COUPLE}_turn_0"]
    assert isinstance(parse_response(text), Plan)

    twice = AnswerSet("twice", (Conversation(COUPLE, 0, (Answer(text + CLARIFICATION), None, None)),))
    scored = score_answers(twice, toy(), Edition.STRICT).turns[0]

    assert (scored.observed, scored.response, scored.feasibility) == ("unreadable", 0, None)
    assert "more than one" in scored.verdicts[0].findings[0].reason


@pytest.mark.parametrize("edition", list(Edition))
def test_the_page_on_scoring_quotes_every_column_and_its_formula(edition: Edition) -> None:
    """R25."""
    page = (Path(__file__).parents[3] / "docs" / "scoring.md").read_text(encoding="utf-8")

    for column in columns_of(edition):
        assert f"| {column.name} | {column.formula} |" in page
