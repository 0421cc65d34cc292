"""Where an agent is strong and where it fails, worked out by hand and against the published break-downs."""

import io
import json
from decimal import Decimal
from pathlib import Path

import pytest
from rich.console import Console
from tests.trip_plus.runs_made import HOTEL_NIGHTS, held
from tests.trip_plus.scored_turns import (
    ALL_DUE,
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

from tripgauge.checks import Finding
from tripgauge.prices import Price
from tripgauge.report.table import Table
from tripgauge.statistics import Estimate
from tripgauge.trip_plus.edition import Edition
from tripgauge.trip_plus.requirements.requirement import Component
from tripgauge.trip_plus.results.analyses import analysis, failure_classes, successes
from tripgauge.trip_plus.results.answers import read_answers, turn_id
from tripgauge.trip_plus.results.breakdowns import By
from tripgauge.trip_plus.results.leaderboard import entries
from tripgauge.trip_plus.results.summary import ScoredTurn, score_answers
from tripgauge.trip_plus.results.verdicts import Part, Verdict, mode_verdict


def item(check: str, score: float | None, component: Component = Component.HOTELS, part: Part = Part.HARD) -> Verdict:
    findings = (Finding("not so"),) if score is not None and score < 1 else ()
    return Verdict(check, part, "", score, ("hard",) if score is not None else (), component, findings)


def rows(table: Table) -> list[dict[str, object]]:
    return [dict(zip(table.columns, row, strict=True)) for row in table.rows]


def value(cell: object) -> float | None:
    assert isinstance(cell, Estimate)
    return cell.value


def shown(table: Table) -> str:
    console = Console(width=80, record=True, file=io.StringIO())
    console.print(table.rich())
    return console.export_text()


# --- Archetype and turn


def test_each_archetype_and_turn_has_its_own_means() -> None:
    """R6. Couple and flyer are of one archetype, the family of another."""
    agent = entry(
        turn(COUPLE, 0, feasibility=1, hard=1, soft=1),
        turn(FLYER, 0, feasibility=0.5, hard=1, soft=1),
        turn(COUPLE, 1, response=0),
        turn(FAMILY, 0, feasibility=0.25, hard=1, soft=1),
    )

    found = {(r["archetype"], r["turn"]): r for r in rows(analysis(By.ARCHETYPE, [agent]).whole)}

    assert set(found) == {
        ("environment_driven_replanning", 1),
        ("environment_driven_replanning", 2),
        ("user_state_evolution", 1),
    }
    first = found["environment_driven_replanning", 1]
    assert (first["n"], value(first["Feas."]), value(first["Resp."])) == (2, 0.75, 1)
    second = found["environment_driven_replanning", 2]
    assert (second["n"], value(second["Feas."]), value(second["Resp."])) == (1, 0, 0)
    assert value(found["user_state_evolution", 1]["Feas."]) == 0.25


def test_in_release_the_break_down_is_the_published_one() -> None:
    agent = score_answers(answering("<clarification>Which?</clarification>", toy()), toy(), Edition.RELEASE)
    good = good_entry(Edition.RELEASE)

    for scored in (agent, good):
        assert scored.release is not None
        published = scored.release.by_turn_and_type
        for row in rows(analysis(By.ARCHETYPE, [scored]).whole):
            there = published[f"T{int(str(row['turn'])) - 1}"][str(row["archetype"])]
            assert row["n"] == there.turn_count
            for name, figure in (
                ("Resp.", there.response_mode_accuracy),
                ("Req.", there.fulfillment_score),
                ("Pres.", there.preserve_score),
                ("Feas.", there.plan_feasibility),
            ):
                assert value(row[name]) == (None if figure is None else pytest.approx(figure))


def test_turns_by_position() -> None:
    found = rows(analysis(By.TURN, [good_entry(Edition.STRICT)]).whole)

    assert [(row["turn"], row["n"]) for row in found] == [(1, 8), (2, 8), (3, 8), (4, 4), (5, 2)]


# --- Components


def test_a_component_has_the_share_of_valid_plans_with_a_failed_item() -> None:
    """R6. Three plans came: one with both hotel items met, one with one of two, one half met; one did not come."""
    agent = entry(
        turn(COUPLE, 0, verdicts=(item("a", 1), item("b", 1), item("pace", 0, Component.SCHEDULE))),
        turn(COUPLE, 1, verdicts=(item("a", 1), item("b", 0), item("c", None))),
        turn(FLYER, 0, verdicts=(item("a", 0.5, part=Part.SOFT),)),
        turn(FLYER, 1, response=0, verdicts=()),
        turn(FLYER, 2, due=NO_PLAN_WANTED),
        turn(FAMILY, 0, verdicts=(item("fares", 0, Component.TRANSPORT), item("feasible", 0, part=Part.FEASIBILITY))),
    )

    found = {str(row["component"]): row for row in rows(analysis(By.COMPONENT, [agent]).whole)}

    hotels = found["hotels"]
    assert (hotels["asked"], hotels["plans"]) == (3, 4)
    assert value(hotels["score"]) == pytest.approx((1 + 1 / 2 + 1 / 2) / 3)
    assert value(hotels["error rate"]) == pytest.approx(2 / 4)
    assert value(found["transport"]["error rate"]) == pytest.approx(1 / 4)
    assert value(found["schedule"]["error rate"]) == pytest.approx(1 / 4)
    assert set(found) == {"hotels", "transport", "schedule"}


def test_components_of_both_editions_stand_for_the_same_requirements() -> None:
    for edition in Edition:
        found = rows(analysis(By.COMPONENT, [good_entry(edition)]).whole)
        names = {row["component"] for row in found}
        assert {"dates", "party", "transport", "hotels", "restaurants", "attractions", "comfort and pace"} <= names
        assert {value(row["error rate"]) for row in found} == {0}


# --- Failure classes


def test_failures_are_counted_by_rule_with_links_to_the_turns() -> None:
    """R46."""
    agent = entry(
        turn(COUPLE, 0, verdicts=(item("hotel_price_range", 0), item("dates", 1))),
        turn(COUPLE, 1, verdicts=(item("hotel_price_range", 0), item("hotel_price_range", 0), item("dates", None))),
        turn(FLYER, 0, verdicts=(item("hotel_price_range", 1), item("dates", 0))),
        turn(FLYER, 2, trial=1, verdicts=(item("hotel_price_range", 0),)),
    )

    classes = failure_classes(agent)

    assert [(found.rule, found.turns) for found in classes] == [
        ("hotel_price_range", (f"{COUPLE}_turn_0", f"{COUPLE}_turn_1", f"{FLYER}_turn_2#1")),
        ("dates", (f"{FLYER}_turn_0",)),
    ]
    (price, dates) = rows(analysis(By.RULE, [agent]).whole)
    assert (price["failed"], value(price["rate"])) == (3, 3 / 4)
    assert (dates["failed"], value(dates["rate"])) == (1, 1 / 2)


def test_wrong_modes_are_classes_of_their_own() -> None:
    """R46."""
    agent = entry(
        turn(COUPLE, 0, response=0, verdicts=(mode_verdict("plan", "clarification"),)),
        turn(COUPLE, 1, due=ALL_DUE, verdicts=(mode_verdict("plan", "plan"),)),
        turn(FLYER, 0, due=NO_PLAN_WANTED, response=0, verdicts=(mode_verdict("clarification", "plan"),)),
    )

    found = {str(row["rule"]): row for row in rows(analysis(By.RULE, [agent]).whole)}

    assert value(found["plan wanted, clarification came"]["rate"]) == 1 / 2
    assert value(found["clarification wanted, plan came"]["rate"]) == 1


def test_links_lead_to_turns_there_are() -> None:
    """R46. Every failed item of every turn is in exactly one class, under the name of its answer file."""
    idle = entries([good_answers()], toy(), Edition.STRICT)[1]
    known = {turn_id(task.task_id, n) for task in toy().tasks.values() for n in range(len(task.key.states))}

    classes = failure_classes(idle)

    assert {link for found in classes for link in found.turns} <= known
    failed = {(v.check, v.part) for t in idle.turns for v in t.verdicts if v.failed and v.part is not Part.MODE}
    assert failed == {(found.rule, found.part) for found in classes if found.part is not Part.MODE}
    machine = analysis(By.RULE, [idle]).json()
    assert isinstance(machine["rows"][0]["turns"], list)  # type: ignore[index]


# --- Effort and trials


def test_calls_and_tokens_are_per_conversation_and_an_unknown_cost_is_unknown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """R40. The agent asks no model we know the price of: tokens are kept, and a price can be applied later."""
    monkeypatch.syspath_prepend(Path(__file__).parent)
    run = held(tmp_path / "spender", "spending_agents:Spender", limit=2)
    _name_model(run, "some/model")
    agent = score_answers(read_answers(run, toy().tasks.values()), toy(), Edition.STRICT)

    (row,) = rows(analysis(By.CALLS, [agent]).whole)
    assert (row["tokens in"], row["tokens out"]) == (3 * 1000, 3 * 10), "three turns in each of two conversations"
    assert row["tool calls"] == 3
    assert row["cost $"] == "unknown"

    prices = {"some/model": Price(Decimal(2), Decimal(100))}
    (priced,) = rows(analysis(By.CALLS, [agent], prices).whole)
    assert priced["cost $"] == pytest.approx(3 * (1000 * 2 + 10 * 100) / 1_000_000)


def _name_model(run: Path, model: str) -> None:
    path = run / "settings.json"
    settings = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps({**settings, "model": model}), encoding="utf-8")


def test_answers_without_transcripts_have_no_calls() -> None:
    (row,) = rows(analysis(By.CALLS, [good_entry(Edition.STRICT)]).whole)

    assert (row["model calls"], row["tool calls"], row["cost $"]) == (None, None, None)
    assert value(row["Rule Avg."]) == 1


def trials(*outcomes: tuple[str, int, bool]) -> tuple[ScoredTurn, ...]:
    return tuple(
        turn(task, 0, trial=trial, verdicts=(item("check", int(good), part=Part.FEASIBILITY),))
        for task, trial, good in outcomes
    )


def test_pass_hat_k_over_trials_of_tasks() -> None:
    """R25, R6. Couple: 2 of 3 trials succeed; flyer: 1 of 1. pass^1 = (2/3 + 1) / 2, pass^2 = C(2,2) / C(3,2)."""
    agent = entry(*trials((COUPLE, 0, True), (COUPLE, 1, False), (COUPLE, 2, True), (FLYER, 0, True)))

    found = {row["k"]: row for row in rows(analysis(By.TRIALS, [agent]).whole)}

    assert successes(agent) == {COUPLE: [True, False, True], FLYER: [True]}
    assert value(found[1]["pass^k"]) == pytest.approx((2 / 3 + 1) / 2)
    assert value(found[2]["pass^k"]) == pytest.approx(1 / 3)
    assert value(found[3]["pass^k"]) == 0
    assert [(found[k]["tasks"], found[k]["varying"]) for k in (1, 2, 3)] == [(2, 1), (1, 1), (1, 1)]


def test_a_trial_succeeds_only_if_every_turn_does() -> None:
    whole = (turn(COUPLE, 0), turn(COUPLE, 1, verdicts=(item("preference", 0.5, part=Part.SOFT),)))
    wrong_mode = (turn(FLYER, 0), turn(FLYER, 1, response=0, verdicts=(mode_verdict("plan", "no_solution"),)))

    assert successes(entry(*whole, *wrong_mode)) == {COUPLE: [True], FLYER: [False]}


# --- Everywhere


@pytest.mark.parametrize("by", list(By))
@pytest.mark.parametrize("edition", list(Edition))
def test_every_analysis_has_the_baselines_beside_and_fits_80_columns(by: By, edition: Edition) -> None:
    scored = entries([good_answers("a dozen char")], toy(), edition)

    found = analysis(by, scored)

    assert {"idle", "hotel nights"} <= {str(row["agent"]) for row in rows(found.whole)}
    assert edition in found.whole.title
    text = shown(found.for_people)
    assert max(map(len, text.splitlines())) <= 80
    assert "…" not in text
    json.dumps(found.json())
    assert len(found.flat().csv().splitlines()) == len(found.whole.rows) + 1


def test_the_hotel_nights_run_is_broken_down_as_its_answers_are(tmp_path: Path) -> None:
    """A run and the same texts in a folder give the same break-down."""
    run = read_answers(held(tmp_path / "run", HOTEL_NIGHTS), toy().tasks.values())
    texts = tmp_path / "run-texts"
    texts.mkdir()
    for talk in run.conversations:
        for number, answer in enumerate(talk.answers):
            assert answer is not None
            (texts / f"{turn_id(talk.task_id, number)}.txt").write_text(answer.text or "", encoding="utf-8")
    folder = read_answers(texts, toy().tasks.values())

    for by in (By.ARCHETYPE, By.COMPONENT, By.RULE):
        one, other = (analysis(by, [score_answers(answers, toy(), Edition.STRICT)]).whole for answers in (run, folder))
        strip = [{key: cell for key, cell in row.items() if key not in ("agent", "turns")} for row in rows(one)]
        assert strip == [{k: c for k, c in row.items() if k not in ("agent", "turns")} for row in rows(other)]
