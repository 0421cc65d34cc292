"""Agents side by side: ranks, baselines, what is refused, and what fits a terminal."""

import io
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from rich.console import Console
from tests.trip_plus.runs_made import HOTEL_NIGHTS, held
from tests.trip_plus.scored_turns import COUPLE, FLYER, entry, good_answers, good_entry, toy, turn

from tripgauge.errors import UsageError
from tripgauge.report.table import Table
from tripgauge.trip_plus.edition import Edition
from tripgauge.trip_plus.results.answers import AnswerSet, read_answer_sets, read_answers
from tripgauge.trip_plus.results.leaderboard import Leaderboard, baselines, entries, leaderboard
from tripgauge.trip_plus.results.summary import Entry


def quality(name: str, feasibility: Fraction | int, *, came: bool = True) -> Entry:
    """An agent with plans of one feasibility, whose second plan may not have come."""
    first = turn(COUPLE, 0, feasibility=feasibility, hard=1, soft=1)
    second = turn(FLYER, 0, feasibility=feasibility, hard=1, soft=1) if came else turn(FLYER, 0, response=0)
    return entry(first, second, name=name)


def shown(table: Table, width: int = 80) -> str:
    console = Console(width=width, record=True, file=io.StringIO())
    console.print(table.rich())
    return console.export_text()


def test_the_ranking_goes_by_all_that_is_due_not_by_what_was_delivered() -> None:
    """Refusing what is hard must not pay."""
    careful = quality("answers everything", Fraction(4, 5))
    choosy = quality("refuses the hard one", 1, came=False)

    board = leaderboard([choosy, careful])

    assert [(row.rank, row.entry.name) for row in board.rows] == [
        (1, "answers everything"),
        (2, "refuses the hard one"),
    ]
    delivered = {row.entry.name: row.figures["Feas. (delivered)"] for row in board.rows}
    assert delivered["refuses the hard one"].value == 1  # type: ignore[union-attr]


def test_equal_agents_share_a_rank() -> None:
    board = leaderboard([quality("a", 1), quality("b", 1), quality("c", Fraction(1, 2))])

    assert [row.rank for row in board.rows] == [1, 1, 3]


def test_win_percent_is_the_share_of_columns_in_which_an_agent_is_first() -> None:
    """Five columns are known of both: the mode, feasibility, hard, soft; all but feasibility are shared."""
    board = leaderboard([quality("a", 1), quality("b", Fraction(1, 2))])

    assert [(row.entry.name, row.wins, row.win_percent) for row in board.rows] == [
        ("a", (4, 4), 100),
        ("b", (3, 4), 75),
    ]


def test_baselines_stand_in_their_place_without_a_rank() -> None:
    board = leaderboard(entries([good_answers()], toy(), Edition.STRICT))

    assert [(row.rank, row.entry.name) for row in board.rows] == [(1, "good"), (None, "hotel nights"), (None, "idle")]


@pytest.mark.parametrize("edition", list(Edition))
def test_baselines_are_scored_on_the_same_tasks(edition: Edition) -> None:
    part = AnswerSet("part", good_answers().conversations[:2])

    scored = entries([part], toy(), edition)

    assert {frozenset(t.task.task_id for t in one.turns) for one in scored} == {part.task_ids}


def test_every_score_stands_with_its_interval_and_the_number_of_tasks() -> None:
    """R26."""
    board = leaderboard(entries([good_answers()], toy(), Edition.STRICT))

    for row in board.json()["rows"]:  # type: ignore[attr-defined]
        for name, figure in row["columns"].items():
            if figure is None or figure["value"] is None:
                continue
            assert {"value", "numerator", "denominator", "tasks", "low", "high"} == set(figure)
            assert figure["tasks"] >= 3 or name == "Content", name
            assert figure["low"] <= figure["value"] + 1e-12 <= figure["high"] + 2e-12, name
    assert "8 tasks, 30 turns" in board.notes[0]


def test_no_run_has_a_full_score_beside_a_failed_check_that_decides() -> None:
    """R2."""
    for answers in (
        *entries([good_answers()], toy(), Edition.STRICT),
        *entries([good_answers()], toy(), Edition.RELEASE),
    ):
        for scored in answers.turns:
            for name in ("feasibility", "hard", "soft", "fulfillment", "preservation", "content"):
                deciding = [v for v in scored.verdicts if name in v.decides]
                if getattr(scored, name) == 1:
                    assert not any(verdict.failed for verdict in deciding), (scored.turn, name)
                elif getattr(scored, name) is not None and scored.plan_came:
                    assert any(verdict.failed for verdict in deciding), (scored.turn, name)


# --- What may be ranked


def run_entries(*folders: Path, edition: Edition = Edition.STRICT) -> tuple[Entry, ...]:
    sets = read_answer_sets(folders, toy().tasks.values())
    return entries(sets, toy(), edition, with_baselines=False)


def test_runs_of_different_agents_under_equal_settings_are_ranked(tmp_path: Path) -> None:
    board = leaderboard(run_entries(held(tmp_path / "a"), held(tmp_path / "b", HOTEL_NIGHTS)))

    assert [(row.rank, row.entry.name) for row in board.rows] == [(1, "b"), (2, "a")]


def test_runs_with_unequal_settings_are_not_ranked_and_the_difference_is_named(tmp_path: Path) -> None:
    """R28."""
    scored = run_entries(held(tmp_path / "a"), held(tmp_path / "b", seed=7))

    with pytest.raises(UsageError, match=r"not ranked: seed: 0 \(a\), 7 \(b\)"):
        leaderboard(scored)

    board = leaderboard(scored, allow_unequal=True)
    assert [row.rank for row in board.rows] == [None, None]
    assert any("Not ranked, since they differ. seed: 0 (a), 7 (b)" in note for note in board.notes)


def test_runs_over_different_tasks_are_not_ranked(tmp_path: Path) -> None:
    """R28, R25."""
    scored = run_entries(held(tmp_path / "a"), held(tmp_path / "b", limit=2))

    with pytest.raises(UsageError, match=r"tasks and trials: 8 \(a\), 2 \(b\), of which 2 in common"):
        leaderboard(scored)


def test_a_run_is_not_ranked_with_answers_of_which_no_settings_are_known(tmp_path: Path) -> None:
    """R28."""
    run = read_answers(held(tmp_path / "a"), toy().tasks.values())
    scored = entries([run, good_answers()], toy(), Edition.STRICT, with_baselines=False)

    with pytest.raises(UsageError, match="settings: not recorded of good"):
        leaderboard(scored)


def test_a_run_of_which_conversations_are_missing_says_so(tmp_path: Path) -> None:
    """R25."""
    answers = read_answers(held(tmp_path / "a"), toy().tasks.values())
    assert answers.run is not None
    lacking = replace(answers, conversations=answers.conversations[1:], run=replace(answers.run, missing=1))

    board = leaderboard(entries([lacking], toy(), Edition.STRICT, with_baselines=False))

    assert "a is partial: 1 conversations are missing, 7 of 8 tasks." in board.notes


def test_a_folder_with_a_conversation_twice_is_refused(tmp_path: Path) -> None:
    """R32."""
    run = held(tmp_path / "a", limit=1)
    lines = (run / "transcripts.jsonl").read_text(encoding="utf-8")
    (run / "transcripts.jsonl").write_text(lines + lines, encoding="utf-8")

    with pytest.raises(UsageError, match="mt_toy_couple, trial 0, is there twice"):
        read_answers(run, toy().tasks.values())


def test_a_folder_given_twice_is_refused_and_folders_of_one_name_are_told_apart(tmp_path: Path) -> None:
    """R32."""
    one, other = held(tmp_path / "x" / "run", limit=1), held(tmp_path / "y" / "run", limit=1)

    with pytest.raises(UsageError, match="is given twice"):
        read_answer_sets([one, one], toy().tasks.values())
    assert [found.name for found in read_answer_sets([one, other], toy().tasks.values())] == ["x/run", "y/run"]


def test_trials_of_a_run_are_pooled_and_the_interval_stays_one_over_tasks(tmp_path: Path) -> None:
    once, thrice = run_entries(held(tmp_path / "a"), held(tmp_path / "b", trials=3))

    assert thrice.estimates["Resp. Acc."].denominator == 3 * once.estimates["Resp. Acc."].denominator == 90
    assert thrice.estimates["Resp. Acc."].interval == once.estimates["Resp. Acc."].interval


# --- The paper's rows


@pytest.mark.parametrize("edition", list(Edition))
def test_the_papers_rows_stand_apart_and_are_never_ranked(edition: Edition) -> None:
    board = leaderboard([good_entry(edition)], with_paper=True)

    assert {row.entry.name for row in board.rows} == {"good"}
    assert len(board.json()["reference"]) == 18  # type: ignore[arg-type]
    last = board.tables()[-1]
    assert len(last.rows) == 18
    assert "#" not in last.columns
    assert any("Table 2" in note and "Never ranked" in note for note in last.notes)
    assert ("Gemma-4-31B", 0.9035) in [row[:2] for row in last.rows]


def test_the_papers_rows_are_shown_on_demand_only() -> None:
    board = leaderboard([good_entry(Edition.RELEASE)])

    assert board.json()["reference"] == []
    assert all("GPT-5.4" not in shown(table) for table in board.tables())


# --- On the screen


def boards() -> list[Leaderboard]:
    named = AnswerSet("an agent with quite a long name", good_answers().conversations)
    return [leaderboard(entries([named], toy(), edition), with_paper=True) for edition in Edition]


@pytest.mark.parametrize("board", boards(), ids=list(Edition))
def test_tables_fit_80_columns_with_every_figure_whole(board: Leaderboard) -> None:
    for table in board.tables():
        text = shown(table)
        assert max(map(len, text.splitlines())) <= 80
        assert "…" not in text
        for row in table.rows:
            for cell in row:
                if isinstance(cell, float):
                    assert f"{cell:.4f}" in text


def test_tables_with_the_simulated_traveler_fit_80_columns_too() -> None:
    talks = {(talk.task_id, talk.trial): 0.5 for talk in good_answers().conversations}
    for edition in Edition:
        board = leaderboard(entries([good_answers("twelve signs")], toy(), edition, judged={"twelve signs": talks}))
        for table in board.tables():
            text = shown(table)
            assert max(map(len, text.splitlines())) <= 80
            assert "…" not in text
            assert "0.5000" in text
        assert board.ranked_by.startswith("Plan Avg.")


def test_markdown_and_csv_have_the_same_figures() -> None:
    board = leaderboard([good_entry(Edition.STRICT)])

    assert "| 1.0000 [1.0–1.0] |" in board.tables()[0].markdown()
    header, row = board.flat().csv().splitlines()
    cells = dict(zip(header.split(","), row.split(","), strict=False))
    assert cells["Feas. (due)"] == "1.0"
    assert cells["Feas. (due) denominator"] == "26.0"


def test_hotel_nights_are_the_same_plans_whether_an_agent_or_the_baseline_writes_them(tmp_path: Path) -> None:
    agent = read_answers(held(tmp_path / "nights", HOTEL_NIGHTS), toy().tasks.values())
    baseline = next(found for found in baselines(toy(), agent.task_ids) if found.name == "hotel nights")

    written, stated = (
        {talk.task_id: [answer.text if answer else None for answer in talk.answers] for talk in found.conversations}
        for found in (agent, baseline)
    )
    assert written == stated
    assert "Accommodation" in str(written)
