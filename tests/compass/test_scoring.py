"""FR, OR and the gap of a recommendation, worked out by hand in the toy park."""

import pytest
from tests.compass.small import toy_park
from tests.compass.talking import ELK_LODGE, PINE_INN, PINE_INN_CHEAP, toy_task

from tripgauge.compass.constraints import Constraint
from tripgauge.compass.index import Index
from tripgauge.compass.recommendation import Recommendation
from tripgauge.compass.scoring import Score, score
from tripgauge.compass.solver import Solver
from tripgauge.compass.task import Task

POOL = Constraint("has_pool", True)


def scored(task: Task, recommendation: Recommendation | None) -> Score:
    return score(Solver(Index(toy_park())).solve(task), recommendation, toy_park())


def test_the_cheapest_hotel_is_the_optimum_of_a_task_about_price() -> None:
    found = scored(toy_task(), Recommendation(hotel=(PINE_INN_CHEAP,)))

    assert (found.is_feasible, found.is_top(5), found.gap, found.relative_gap) == (True, True, 0, 0)


def test_a_dearer_one_is_feasible_and_its_gap_is_what_it_costs_more() -> None:
    found = scored(toy_task(), Recommendation(hotel=(ELK_LODGE,)))

    assert (found.is_feasible, found.is_top(5), found.is_top(20)) == (True, False, False)
    assert (found.gap, found.relative_gap) == (14_000, 14_000 / 16_000)


def test_of_three_hotels_the_best_counts_wherever_it_stands() -> None:
    found = scored(toy_task(), Recommendation(hotel=("pkg_9_1_2_1", ELK_LODGE, PINE_INN_CHEAP)))

    assert str(found.choice) == PINE_INN_CHEAP
    assert found.is_top(5)


def test_a_fourth_hotel_does_not_count() -> None:
    found = scored(toy_task(), Recommendation(hotel=(ELK_LODGE, ELK_LODGE, ELK_LODGE, PINE_INN_CHEAP)))

    assert not found.is_top(5)
    assert found.surplus


def test_a_feasible_hotel_counts_before_a_better_one_that_is_not() -> None:
    found = scored(toy_task(more=(POOL,)), Recommendation(hotel=(PINE_INN_CHEAP, ELK_LODGE)))

    assert str(found.choice) == ELK_LODGE
    assert found.is_feasible


def test_what_is_broken_is_told_in_words() -> None:
    found = scored(toy_task(more=(POOL,)), Recommendation(hotel=(PINE_INN,)))

    assert not found.is_feasible
    assert (found.satisfied, found.constraints) == (5, 6)
    assert found.findings == ("the hotel has a pool: that is not so",)


@pytest.mark.parametrize(
    ("recommendation", "finding"),
    [
        (None, "nothing is recommended"),
        (Recommendation(flight=("flight_1_10_12",)), "there is no hotel in the recommendation"),
        (Recommendation((PINE_INN,), ("flight_7_10_12",)), "an id names nothing"),
        (Recommendation(("Pine Inn",), ("flight_1_10_12",)), "an id names nothing"),
        (
            Recommendation((PINE_INN,), ("flight_1_10_13",)),
            "the flights are not on the days of check-in and check-out",
        ),
    ],
    ids=["nothing", "incomplete", "unknown", "no id", "other days"],
)
def test_what_is_no_plan_is_infeasible(recommendation: Recommendation | None, finding: str) -> None:
    found = scored(toy_task(2), recommendation)

    assert not found.is_feasible
    assert not any(found.is_top(percent) for percent in (5, 10, 20))
    assert finding in found.findings


def test_more_rooms_than_needed_are_infeasible() -> None:
    assert not scored(toy_task(), Recommendation(hotel=("pkg_1_10_12_2",))).is_feasible


def test_a_whole_trip_is_scored_by_its_total_cost() -> None:
    """Pine Inn $160, two seats with a stop $300, the hike $10 and $5 for each of two."""
    task = toy_task(3, objective="total_cost")
    cheapest = Recommendation((PINE_INN_CHEAP,), ("flight_2_10_12",), ("permit_1_10_1",))
    direct = Recommendation((PINE_INN_CHEAP,), ("flight_1_10_12",), ("permit_1_10_1",))

    assert scored(task, cheapest).gap == 0
    assert scored(task, direct).gap == 10_000
    assert scored(task, direct).relative_gap == 10_000 / 48_000
