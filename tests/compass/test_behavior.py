"""How an agent worked, and the figures of many conversations."""

import json
from collections.abc import Callable
from dataclasses import replace
from functools import cache

import pytest
from tests.compass.talking import ELK_LODGE, PINE_INN, PINE_INN_CHEAP, QUIET, reply, talk, toy_compass, toy_task

from tripgauge.chat import ToolCall
from tripgauge.compass.agents import CheapestSeen
from tripgauge.compass.analyses import (
    call_faults,
    constraint_curve,
    conversation_efficiency,
    effort_bins,
    feasibility_rate,
    optimality_rate,
    progress_curve,
    revelation_bins,
    stability,
    strict_optimality_rate,
    style_variation,
    tables,
    trust_effect,
)
from tripgauge.compass.behavior import Measured
from tripgauge.compass.constraints import Constraint
from tripgauge.compass.personas import Trust
from tripgauge.conversation import OpenTurn

POOL = Constraint("has_pool", True)
SEARCH = {"location": "Toy", "start_date": "2025-08-10", "end_date": "2025-08-12", "num_guests": 2}


def measured(behavior: Callable[[OpenTurn], str] | str, *, level: int = 1, objective: str = "price") -> Measured:
    compass = toy_compass(toy_task(level, objective=objective))  # type: ignore[arg-type]
    return compass.measure(talk(compass, behavior))


def calls(*made: tuple[str, object], answer: str = reply(PINE_INN)) -> Callable[[OpenTurn], str]:
    """An agent that makes these calls at the first turn, as a model would."""

    def behavior(turn: OpenTurn) -> str:
        for number, (name, arguments) in enumerate(made if turn.number == 0 else ()):
            text = arguments if isinstance(arguments, str) else json.dumps(arguments)
            turn.answer([ToolCall(f"call_{number}", name, text)])
        return answer

    return behavior


# --- Calls


def test_the_first_failing_stage_of_a_call_counts_and_only_that() -> None:
    found = measured(
        calls(
            ("find_hotel", "{not even json"),
            ("AccommodationSearch", {"location": "Nowhere"}),
            ("get_weekday", {"date_str": "2025-08-10", "zone": 1}),
            ("AccommodationSearch", SEARCH | {"location": "Nowhere"}),
            ("AccommodationSearch", SEARCH),
        )
    ).calls

    assert (found.name_faults, found.parameter_faults, found.content_faults, found.faults) == (1, 2, 1, 4)
    assert found.total == 5
    rates = call_faults([measured(calls(("find_hotel", {}), ("get_weekday", {"date_str": "2025-08-10"})))])
    assert {name: rate.shown for name, rate in rates.items()} == {
        "name": "1/2", "parameter": "0/2", "content": "0/2", "total": "1/2",
    }  # fmt: skip


def test_effort_counts_different_calls_that_were_served_however_they_are_written() -> None:
    found = measured(
        calls(
            ("AccommodationSearch", SEARCH),
            ("search_hotel", SEARCH | {"has_parking": False}),
            ("AccommodationSearch", dict(reversed(SEARCH.items()))),
            ("AccommodationSearch", SEARCH | {"has_parking": True}),
            ("calculate", {"expression": "1 + 1"}),
            ("recommend_hotel", {"package_ids": [PINE_INN], "reasoning": "quiet"}),
            ("AccommodationSearch", SEARCH | {"location": "Nowhere"}),
        )
    ).calls

    assert (found.effort, found.catalogue_effort) == (4, 2)
    assert found.total == 7


def test_an_empty_answer_is_served() -> None:
    found = measured(calls(("AccommodationSearch", SEARCH | {"min_review_score": 10}))).calls

    assert (found.effort, found.faults, found.found) == (1, 0, 0)


def test_yield_counts_different_packages_offered_and_not_those_only_asked_about() -> None:
    found = measured(
        calls(
            ("AccommodationSearch", SEARCH),
            ("AccommodationSearch", SEARCH | {"has_parking": True}),
            ("recommend_hotel", {"package_ids": ["pkg_1_1_2_1"], "reasoning": ""}),
        )
    )

    assert found.calls.found == 3


def test_ids_that_no_validation_has_confirmed_are_counted() -> None:
    validated = calls(("recommend_hotel", {"package_ids": [PINE_INN, "pkg_99_1_2_1"], "reasoning": ""}))
    unknown = calls(
        ("recommend_hotel", {"package_ids": ["pkg_99_1_2_1"], "reasoning": ""}), answer=reply("pkg_99_1_2_1")
    )

    assert measured(validated).unvalidated == 0
    assert measured(calls()).unvalidated == 1
    assert measured(unknown).unvalidated == 1


# --- What was seen


def test_the_optimum_that_was_seen_and_not_taken_is_told() -> None:
    passed_up = measured(calls(("AccommodationSearch", SEARCH), answer=reply(ELK_LODGE)))
    taken = measured(calls(("AccommodationSearch", SEARCH), answer=reply(PINE_INN_CHEAP)))
    unseen = measured(calls(("AccommodationSearch", SEARCH | {"free_cancellation": True}), answer=reply(ELK_LODGE)))

    assert (passed_up.saw_optimum, passed_up.passed_up_optimum, passed_up.passed_up_top) == (True, True, True)
    assert (taken.saw_optimum, taken.passed_up_optimum, taken.passed_up_top) == (True, False, False)
    assert (unseen.saw_optimum, unseen.passed_up_optimum, unseen.seen_best) == (False, False, -20_000)


def test_a_whole_trip_is_seen_once_all_its_parts_are() -> None:
    flight = {"origin": "HOM", "destination": "TOY", "departure_date": "2025-08-10", "return_date": "2025-08-12"}
    permit = {"park": "Toy", "template_name": "Ridge Hike"}
    parts = (("AccommodationSearch", SEARCH), ("search_flights", flight | {"passengers": 2}))

    without = measured(calls(*parts), level=3, objective="total_cost")
    whole = measured(calls(*parts, ("search_permit_availability", permit)), level=3, objective="total_cost")

    assert without.seen_best is None
    assert whole.seen_best == -(16_000 + 30_000 + 2_000)
    assert whole.saw_optimum


def test_progress_tells_after_how_many_calls_a_near_optimal_plan_was_seen() -> None:
    late = calls(
        ("get_weekday", {"date_str": "2025-08-10"}), ("calculate", {"expression": "2"}), ("AccommodationSearch", SEARCH)
    )
    curve = progress_curve([measured(late)])

    assert [curve[checkpoint].value for checkpoint in (1, 2, 5)] == [0, 0, 1]


# --- Where it looked, and what failed


def test_strategy_tells_dates_filters_and_weekdays() -> None:
    found = measured(
        calls(
            ("AccommodationSearch", SEARCH | {"has_parking": True, "max_price_nightly": 300}),
            ("AccommodationSearch", SEARCH | {"start_date": "2025-08-08", "end_date": "2025-08-09"}),
        )
    ).strategy

    assert (found.stays_searched, found.stays_allowed) == (1, 2)
    assert found.filters_used == ("AccommodationSearch.has_parking", "AccommodationSearch.max_price_nightly")
    assert found.weekdays == ("Friday", "Sunday")


@pytest.mark.parametrize(
    ("answer", "failure"),
    [
        (reply(), "nothing recommended"),
        (reply(PINE_INN), "component missing"),
        (reply("pkg_99_10_12_1", "flight_1_10_12"), "unknown id"),
        (reply(PINE_INN, "flight_1_10_13"), "dates do not match"),
        (reply("pkg_1_11_13_1", "flight_1_11_13"), "constraint broken"),
        (reply(ELK_LODGE, "flight_1_10_12"), "not near the optimum"),
        (reply(PINE_INN_CHEAP, "flight_2_10_12"), ""),
    ],
)
def test_why_or_5_was_missed_is_one_of_a_list(answer: str, failure: str) -> None:
    assert measured(answer, level=2, objective="total_cost").failure == failure


def test_answers_that_were_mended_and_those_that_were_not_are_counted_apart() -> None:
    compass = toy_compass(toy_task())
    answers = iter(["Take Pine Inn!", reply(PINE_INN)])
    mended = compass.measure(talk(compass, lambda turn: next(answers)))
    broken = compass.measure(talk(compass, "Take Pine Inn!"))

    assert (mended.repaired, mended.unreadable, mended.score.is_feasible) == (1, 0, True)
    assert (broken.repaired, broken.unreadable, broken.score.recommended) == (0, 20, False)


# --- When


def test_extra_turns_run_from_full_disclosure_to_the_turn_after_the_last_recommendation() -> None:
    compass = toy_compass(toy_task(1, POOL))
    prompt = compass.measure(talk(compass, reply(ELK_LODGE)))
    slow = compass.measure(talk(compass, lambda turn: reply(ELK_LODGE) if turn.number >= 6 else reply()))
    never = compass.measure(talk(compass, reply()))

    assert prompt.extra_turns == 1
    assert (slow.judged_at, slow.extra_turns) == (7, 7 - (slow.disclosed_at or 0))
    assert never.extra_turns is None
    assert conversation_efficiency([prompt, slow, never]).denominator == 2


# --- Figures of many


@cache
def _some() -> list[Measured]:
    compass = toy_compass(toy_task(1, POOL), persona=None)
    answers = (reply(ELK_LODGE), reply(PINE_INN), reply())
    return [compass.measure(talk(compass, answers[seed % 3], seed=seed)) for seed in range(60)]


def test_rates_are_shares_of_all_conversations() -> None:
    found = _some()

    assert feasibility_rate(found).shown == "20/60"
    assert optimality_rate(found, 5).shown == "20/60"
    assert strict_optimality_rate(found, 20).denominator == 60


def test_bins_part_the_conversations() -> None:
    found = _some()

    assert sum(bin_.optimality.denominator for bin_ in revelation_bins(found)) == 60
    assert sum(rate.denominator for rate in effort_bins(found).values()) == 60
    assert constraint_curve(found)["6"][0].shown == "20/60"


def test_the_variation_over_styles_needs_every_style() -> None:
    found = _some()
    one_style = [one for one in found if one.persona and one.persona.style == 1]

    assert style_variation(one_style) is None
    assert style_variation(found) is not None or len({one.persona.style for one in found if one.persona}) < 9


def test_the_trust_effect_compares_questioning_with_trusting_users() -> None:
    compass = toy_compass(toy_task())
    good = compass.measure(talk(compass, reply(PINE_INN_CHEAP)))
    bad = compass.measure(talk(compass, reply(ELK_LODGE)))
    questioning = replace(bad, persona=replace(QUIET, trust=Trust.QUESTIONING))

    test = trust_effect([good] * 30 + [questioning] * 30)

    assert test is not None
    assert test.z < 0
    assert test.p < 1e-6


def test_every_table_can_be_shown_and_read_by_machines() -> None:
    found = _some()

    for table in (*tables(found), stability([found[:30], found[30:]])):
        assert table.rows
        assert table.markdown()
        assert json.dumps(table.json())


def test_a_run_without_any_recommendation_is_still_a_run() -> None:
    compass = toy_compass(toy_task())

    assert all(table.markdown() for table in tables([compass.measure(talk(compass, reply()))]))


def test_effort_yield_and_or_stand_side_by_side() -> None:
    """R48."""
    compass = toy_compass(toy_task())
    found = [compass.measure(talk(compass, CheapestSeen()))]
    search = next(table for table in tables(found) if table.title == "Search")

    assert {"search effort E", "search yield Y", "OR-5"} <= {row[0] for row in search.rows}
