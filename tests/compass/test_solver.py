"""The fast solver, Algorithm 1, and listing everything by hand say the same."""

import sqlite3
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.compass.small import always, days, every_plan, random_catalogue, random_task, task, toy_park

from tripgauge.compass.catalogue import Catalogue
from tripgauge.compass.constraints import Constraint
from tripgauge.compass.database import in_memory
from tripgauge.compass.index import Index
from tripgauge.compass.objectives import FeatureCount
from tripgauge.compass.offers import Choice, FlightPackage, HotelPackage, PermitPackage, Stay
from tripgauge.compass.ranking import TOP_PERCENTS, Histogram, places, standing, threshold
from tripgauge.compass.reference import feasible_plans, utilities_of
from tripgauge.compass.solver import Solver, is_feasible
from tripgauge.compass.task import Level, Task

TWO_NIGHTS = Constraint("dates", ((1, 3),))
TWO_GUESTS = Constraint("guests", 2)
HOME = Constraint("origin", "HOM")


def solver_of(catalogue: Catalogue) -> Solver:
    return Solver(Index(catalogue))


# -- The toy park, by heart


def test_the_cheapest_stay_in_the_toy_park_is_pine_inn_without_cancellation():
    found = solver_of(toy_park()).solve(task(1, "price", TWO_NIGHTS, TWO_GUESTS))

    assert found.size == 3
    assert found.optimum == -2 * 8000
    assert str(found.best) == "pkg_2_1_3_1"


def test_three_guests_need_two_rooms_at_pine_inn_and_one_at_elk_lodge():
    found = solver_of(toy_park()).solve(task(1, "price", TWO_NIGHTS, Constraint("guests", 3)))

    assert found.optimum == -2 * 15000
    assert str(found.best) == "pkg_3_1_3_1"
    assert found.utilities.better_than(-2 * 2 * 8000) == 1
    assert found.utilities.better_than(-2 * 2 * 10000) == 2


def test_a_night_that_is_sold_out_rules_a_stay_out():
    found = solver_of(toy_park()).solve(task(1, "review_score", Constraint("dates", ((4, 6),)), TWO_GUESTS))

    assert found.optimum == 70


def test_the_dearest_night_decides_about_the_nightly_price_not_the_mean():
    dear = Constraint("dates", ((6, 9),))
    limit = Constraint("max_nightly_price", 20000)

    found = solver_of(toy_park()).solve(task(1, "review_score", dear, TWO_GUESTS, limit))

    assert found.optimum == 70


def test_flights_are_paid_by_every_traveler():
    found = solver_of(toy_park()).solve(task(2, "total_cost", TWO_NIGHTS, TWO_GUESTS, HOME))

    assert found.size == 6
    assert found.optimum == -(2 * 8000 + 2 * (9000 + 6000))
    assert str(found.best) == "pkg_2_1_3_1 + flight_2_1_3"


def test_a_flight_without_enough_seats_is_no_option():
    found = solver_of(toy_park()).solve(task(2, "total_cost", TWO_NIGHTS, Constraint("guests", 3), HOME))

    assert str(found.best) == "pkg_3_1_3_1 + flight_1_1_3"


def test_a_permit_lies_within_the_stay_and_costs_by_group_and_person():
    found = solver_of(toy_park()).solve(task(3, "total_cost", Constraint("dates", ((3, 5),)), TWO_GUESTS, HOME))

    # On the 4th nothing is left, so the 3rd is the only day; Elk Lodge is free on both nights.
    assert found.size == 6
    assert found.optimum == -(2 * 8000 + 2 * (9000 + 6000) + 1000 + 2 * 500)
    assert str(found.best) == "pkg_2_3_5_1 + flight_2_3_5 + permit_1_3_1"


def test_a_group_that_is_too_large_gets_no_permit():
    catalogue = toy_park()

    found = solver_of(catalogue).solve(task(3, "total_cost", TWO_NIGHTS, Constraint("guests", 7), HOME))

    assert found.size == 0
    assert found.best is None
    assert found.solution.thresholds == ()


def test_wishes_of_hotel_and_flight_add_up():
    wishes = FeatureCount((Constraint("has_pool", True), Constraint("direct_only", True), Constraint("has_spa", True)))

    found = solver_of(toy_park()).solve(task(2, wishes, TWO_NIGHTS, TWO_GUESTS, HOME))

    assert found.optimum == 2
    assert str(found.best) == "pkg_3_1_3_1 + flight_1_1_3"
    assert found.utilities.better_than(1) == 1
    assert found.utilities.better_than(0) == 1 + 1 + 2


def test_the_last_night_of_august_has_no_flight_home():
    late = Constraint("dates", ((30, 32),))
    solver = solver_of(toy_park())

    assert solver.solve(task(1, "price", late, TWO_GUESTS)).size == 3
    assert solver.solve(task(2, "total_cost", late, TWO_GUESTS, HOME)).size == 0


def test_the_price_of_a_constraint_is_what_would_be_gained_without_it():
    wanted = task(1, "price", TWO_NIGHTS, TWO_GUESTS, Constraint("has_pool", True), Constraint("budget", 50000))

    prices = {price.stated.constraint.type: price for price in solver_of(toy_park()).prices(wanted)}

    assert prices["has_pool"].gain == 2 * 15000 - 2 * 8000
    assert prices["has_pool"].size == 3
    assert prices["budget"].gain == 0
    assert "guests" not in prices


# -- Against Algorithm 1 and against listing everything


@pytest.mark.parametrize("seed", range(50))
def test_both_solvers_find_what_listing_everything_finds_on_small_catalogues(seed: int):
    dice = Random(seed)
    for _ in range(10):  # 500 catalogues in all
        catalogue = random_catalogue(dice)
        connection = in_memory(catalogue)
        level: Level = dice.choice([1, 2, 3])
        wanted = random_task(dice, level)
        listed = {
            str(plan.choice): wanted.objective.utility(plan, wanted.guests)
            for plan in every_plan(catalogue, wanted)
            if is_feasible(wanted, plan)
        }

        reference = {str(plan.choice): plan.utility for plan in feasible_plans(wanted, connection)}
        fast = solver_of(catalogue).solve(wanted)

        assert reference == listed, wanted
        utilities = sorted(listed.values(), reverse=True)
        assert fast.size == len(utilities), wanted
        if utilities:
            assert fast.optimum == utilities[0]
            assert listed[str(fast.best)] == utilities[0]
            for utility in {*utilities, utilities[0] + 1, utilities[-1] - 1}:
                assert fast.utilities.better_than(utility) == sum(other > utility for other in utilities)
                below = max((other for other in utilities if other < utility), default=None)
                assert fast.utilities.next_below(utility) == below
            for place in range(1, len(utilities) + 1, max(1, len(utilities) // 25)):
                assert fast.utilities.at_place(place) == utilities[place - 1]
        connection.close()


def test_both_solvers_agree_on_every_default_task(
    solver: Solver, database: sqlite3.Connection, tasks: tuple[Task, ...]
):
    for wanted in tasks:
        fast = solver.solve(wanted)
        utilities = utilities_of(feasible_plans(wanted, database))

        assert fast.size == utilities.size, wanted.task_id
        assert fast.optimum == utilities.best, wanted.task_id
        assert fast.solution.thresholds == tuple(threshold(utilities, top) for top in TOP_PERCENTS), wanted.task_id


def test_many_plans_are_ranked_without_listing_them(solver: Solver, database: sqlite3.Connection):
    """More plans than may be listed to find a threshold: the bisection has to close in first."""
    stays = tuple((day, day + nights) for nights in (2, 3) for day in range(1, 20))
    wanted = task(
        2,
        "total_cost",
        Constraint("location", ("Zion", "Arches", "Acadia", "Yosemite", "Olympic")),
        Constraint("dates", stays),
        TWO_GUESTS,
        Constraint("origin", "DEN"),
    )

    found = solver.solve(wanted)

    utilities = utilities_of(feasible_plans(wanted, database))
    assert found.size == utilities.size > 100_000
    for place in (1, 2, 77, 10_000, 50_000, found.size // 2, found.size):
        utility = utilities.at_place(place)
        assert found.utilities.at_place(place) == utility
        assert found.utilities.better_than(utility) == utilities.better_than(utility)
        assert found.utilities.next_below(utility) == utilities.next_below(utility)


# -- Rank and near-optimality


def test_the_number_of_places_is_rounded_up_and_never_zero():
    assert [places(5, size) for size in (1, 19, 20, 21, 40, 41)] == [1, 1, 1, 2, 2, 3]
    assert places(10, 281) == 29


def test_tied_plans_share_the_rank():
    utilities = Histogram.of_each(_array(5, 5, 3, 3, 3, 1))

    assert standing(utilities, 5).better == 0
    assert standing(utilities, 3).better == 2
    assert standing(utilities, 3).tied == 3
    assert standing(utilities, 1).better == 5


def test_the_optimum_passes_even_if_too_many_share_it_but_not_under_the_strict_rule():
    utilities = Histogram.of_each(_array(*[7] * 30, *[1] * 70))

    best = standing(utilities, 7)

    assert best.is_top(5)
    assert not best.is_top_strictly(5)
    assert best.is_top_strictly(10) is False


@given(st.lists(st.integers(-50, 50), min_size=1, max_size=200))
def test_top_5_percent_are_top_10_are_top_20(values: list[int]):
    utilities = Histogram.of_each(_array(*values))

    assert standing(utilities, max(values)).is_top(5)
    for value in values:
        tops = [standing(utilities, value).is_top(percent) for percent in TOP_PERCENTS]
        assert tops == sorted(tops)
        assert [value >= threshold(utilities, percent) for percent in TOP_PERCENTS] == tops


@given(st.lists(st.tuples(st.integers(-5, 5), st.integers(0, 4)), max_size=30))
def test_a_histogram_of_counts_is_that_of_its_single_plans(pairs: list[tuple[int, int]]):
    whole = Histogram.of(_array(*(value for value, _ in pairs)), _array(*(count for _, count in pairs)))
    each = Histogram.of_each(_array(*(value for value, count in pairs for _ in range(count))))

    assert whole.values.tolist() == each.values.tolist()
    assert whole.up_to.tolist() == each.up_to.tolist()


def test_only_feasible_plans_have_a_standing():
    catalogue = toy_park()
    solver = solver_of(catalogue)
    found = solver.solve(task(1, "price", TWO_NIGHTS, TWO_GUESTS))

    good = catalogue.plan(Choice(HotelPackage(1, Stay(1, 3), 1)))
    too_many_rooms = catalogue.plan(Choice(HotelPackage(1, Stay(1, 3), 2)))
    other_dates = catalogue.plan(Choice(HotelPackage(1, Stay(2, 4), 1)))

    assert good
    assert too_many_rooms
    assert other_dates
    assert found.standing(good).better == 1  # type: ignore[union-attr]
    assert found.standing(too_many_rooms) is None
    assert found.standing(other_dates) is None


def test_parts_that_make_no_one_trip_are_not_feasible():
    catalogue = toy_park()
    hotel, ticket, permit = HotelPackage(1, Stay(1, 3), 1), FlightPackage(1, Stay(1, 3)), PermitPackage(1, 1, 1)
    wanted = task(3, "total_cost", TWO_NIGHTS, TWO_GUESTS, HOME)

    def feasible(choice: Choice) -> bool:
        plan = catalogue.plan(choice)
        assert plan
        return is_feasible(wanted, plan)

    assert feasible(Choice(hotel, ticket, permit))
    assert not feasible(Choice(hotel, ticket, None))
    assert not feasible(Choice(hotel, None, permit))
    assert not feasible(Choice(hotel, FlightPackage(1, Stay(1, 4)), permit))
    assert not feasible(Choice(hotel, ticket, PermitPackage(1, 3, 1)))


def test_a_catalogue_in_which_nothing_is_free_has_no_solution():
    catalogue = toy_park()
    full = Catalogue(**{**vars(catalogue), "rooms_available": days(always(0), always(0), always(0))})

    assert solver_of(full).solve(task(1, "price", TWO_NIGHTS, TWO_GUESTS)).optimum is None


def _array(*values: int):

    return np.array(values, dtype=np.int64)
