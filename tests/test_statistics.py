"""Intervals, paired tests, pass^k, agreement and spread, against figures worked out by hand or known from elsewhere."""

import random
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tripgauge.statistics import (
    Draws,
    Estimate,
    Share,
    bootstrap_interval,
    coefficient_of_variation,
    cronbach_alpha,
    estimate,
    paired_permutation_test,
    pass_hat_k,
    spearman,
)


def test_the_draws_are_those_of_splitmix64() -> None:
    """The first outputs for seed 1234567 as its author published them."""
    draws = Draws(1234567)

    assert [draws.bits() for _ in range(3)] == [6457827717110365317, 3203168211198807973, 9817491932198370423]


def test_a_mean_is_over_values_not_over_tasks() -> None:
    found = estimate([Share(3, 4), Share(0, 1), Share(1, 1), Share(0, 0)])

    assert (found.numerator, found.denominator, found.tasks) == (4, 6, 3)
    assert found.value == pytest.approx(4 / 6)


def test_a_mean_over_nothing_is_no_number() -> None:
    assert estimate([Share(0, 0)]) == Estimate(0, 0, 0, None)
    assert estimate([Share(0, 0)]).value is None


def test_one_task_has_no_interval() -> None:
    assert estimate([Share(3, 4), Share(0, 0)]).interval is None


def test_the_interval_of_equal_tasks_is_a_point() -> None:
    interval = estimate([Share(1, 2)] * 9).interval

    assert interval is not None
    assert (interval.low, interval.high) == (0.5, 0.5)


def test_the_interval_has_about_the_width_that_theory_gives() -> None:
    """60 of 100 tasks solved: 1.96 times the root of 0.6 x 0.4 / 100 to either side, 0.096."""
    interval = estimate([Share(1, 1)] * 60 + [Share(0, 1)] * 40).interval

    assert interval is not None
    assert interval.low == pytest.approx(0.504, abs=0.015)
    assert interval.high == pytest.approx(0.696, abs=0.015)


def test_an_interval_covers_the_truth_about_as_often_as_it_says() -> None:
    generator = random.Random(7)
    covered = 0
    for _ in range(60):
        shares = [Share(sum(generator.random() < 0.4 for _ in range(3)), 3) for _ in range(40)]
        interval = estimate(shares).interval
        assert interval is not None
        covered += interval.low <= 0.4 <= interval.high

    assert covered >= 51, "95 % of 60 are 57; fewer than 51 would be most unlikely"


def test_the_interval_of_a_mean_of_columns_draws_tasks_once_for_all_columns() -> None:
    """Two columns that make up for each other on every task have no spread together."""
    one, other = [Share(1, 1), Share(0, 1)] * 10, [Share(0, 1), Share(1, 1)] * 10

    interval = bootstrap_interval([one, other])

    assert interval is not None
    assert (interval.low, interval.high) == (0.5, 0.5)


def test_intervals_are_the_same_every_time() -> None:
    shares = [Share(place % 5, 5) for place in range(30)]

    assert estimate(shares) == estimate(list(shares))


# --- Two of the same tasks


def test_three_tasks_all_better_give_p_of_a_quarter() -> None:
    """Of the 8 ways to flip three signs two are as extreme: all as they are, and all flipped."""
    test = paired_permutation_test([Share(1, 1)] * 3, [Share(0, 1)] * 3)

    assert test is not None
    assert (test.difference, test.p, test.smallest_p, test.unequal) == (1.0, 0.25, 0.25, 3)
    assert test.is_exact


def test_tasks_that_are_equal_say_nothing() -> None:
    few = paired_permutation_test([Share(1, 1)] * 3, [Share(0, 1)] * 3)
    many = paired_permutation_test([Share(1, 1)] * 50, [Share(0, 1)] * 3 + [Share(1, 1)] * 47)

    assert few is not None
    assert many is not None
    assert many.p == few.p


def test_equal_runs_have_p_of_one() -> None:
    test = paired_permutation_test([Share(1, 2)] * 5, [Share(1, 2)] * 5)

    assert test is not None
    assert (test.difference, test.p, test.unequal) == (0.0, 1.0, 0)


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=8))
def test_the_exact_test_counts_every_flip_of_signs(pairs: list[tuple[int, int]]) -> None:
    """Against the definition, written out, on unequal values with equal counts."""
    differences = [one - other for one, other in pairs]
    observed = abs(sum(differences))
    flips = [
        abs(sum(s * d for s, d in zip(signs, differences, strict=True)))
        for signs in product((1, -1), repeat=len(pairs))
    ]
    expected = sum(flip >= observed for flip in flips) / len(flips)

    test = paired_permutation_test([Share(one, 4) for one, _ in pairs], [Share(other, 4) for _, other in pairs])

    assert test is not None
    assert test.p == pytest.approx(expected)


def test_many_tasks_are_tried_by_drawing_and_agree_with_the_exact_answer() -> None:
    """13 wins and 3 losses of one each: by the binomial, 2 (1 + 16 + 120 + 560) / 2^16 = 0.0213."""
    test = paired_permutation_test([Share(1, 1)] * 13 + [Share(0, 1)] * 3, [Share(0, 1)] * 13 + [Share(1, 1)] * 3)

    assert test is not None
    assert not test.is_exact
    assert test.p == pytest.approx(2 * (1 + 16 + 120 + 560) / 2**16, abs=0.004)


def test_means_over_unequal_counts_are_compared_as_they_stand() -> None:
    """3/4 against 1/1 on one task and 0/1 against nothing on another: means 3/5 and 1."""
    test = paired_permutation_test([Share(3, 4), Share(0, 1)], [Share(1, 1), Share(0, 0)])

    assert test is not None
    assert test.difference == pytest.approx(3 / 5 - 1)


def test_a_mean_over_nothing_is_compared_with_nothing() -> None:
    assert paired_permutation_test([Share(0, 0)], [Share(1, 1)]) is None


# --- Trials


def test_pass_hat_k_is_the_chance_that_k_trials_all_succeed() -> None:
    """R25. With 3 of 4 trials right, a pair of trials is right in C(3,2) / C(4,2) = 3/6 of the ways to take one."""
    assert pass_hat_k([(3, 4)], 1) == Fraction(3, 4)
    assert pass_hat_k([(3, 4)], 2) == Fraction(1, 2)
    assert pass_hat_k([(3, 4)], 4) == 0
    assert pass_hat_k([(3, 4), (2, 2)], 2) == Fraction(3, 4)


def test_tasks_with_too_few_trials_are_left_out_of_pass_hat_k() -> None:
    assert pass_hat_k([(3, 4), (1, 1)], 2) == Fraction(1, 2)
    assert pass_hat_k([(1, 1)], 2) is None


@given(st.integers(0, 6), st.integers(1, 6), st.integers(1, 6))
def test_pass_hat_k_counts_the_ways(good: int, trials: int, k: int) -> None:
    from itertools import combinations

    good, k = min(good, trials), min(k, trials)
    outcomes = [True] * good + [False] * (trials - good)
    ways = [all(taken) for taken in combinations(outcomes, k)]

    assert pass_hat_k([(good, trials)], k) == Fraction(sum(ways), len(ways))


# --- Agreement and spread


def test_spearman_of_ranks_worked_out_by_hand() -> None:
    """Ranks 1, 2, 3, 4, 5 against 2, 1, 4, 3, 5: 1 - 6 x 4 / (5 x 24) = 0.8."""
    assert spearman([1, 2, 3, 4, 5], [20, 10, 40, 30, 50]) == pytest.approx(0.8)
    assert spearman([1, 2, 3], [9, 5, 1]) == pytest.approx(-1)


def test_equal_values_share_their_rank() -> None:
    """Ranks 1, 2.5, 2.5, 4 against 1, 3, 2, 4: covariance 4.5, squares 4.5 and 5."""
    assert spearman([1, 2, 2, 4], [1, 3, 2, 4]) == pytest.approx(4.5 / (4.5 * 5) ** 0.5)


def test_what_does_not_vary_has_no_correlation() -> None:
    assert spearman([1, 1, 1], [1, 2, 3]) is None
    assert spearman([], []) is None


def test_cronbachs_alpha_worked_out_by_hand() -> None:
    """Variances 1 and 7/3 of two raters, 19/3 of their sums: 2 (1 - (1 + 7/3) / (19/3)) = 18/19."""
    assert cronbach_alpha([[1, 2, 3], [1, 2, 4]]) == pytest.approx(2 * (1 - (1 + 7 / 3) / (19 / 3)))
    assert cronbach_alpha([[1, 2, 3], [1, 2, 3]]) == pytest.approx(1)
    assert cronbach_alpha([[1, 2, 3]]) is None
    assert cronbach_alpha([[1, 2], [2, 1]]) is None


def test_the_coefficient_of_variation_worked_out_by_hand() -> None:
    """Of 2, 4, 4, 4, 5, 5, 7, 9 the mean is 5 and the standard deviation 2; as a sample, the root of 32/7."""
    values = [2, 4, 4, 4, 5, 5, 7, 9]

    assert coefficient_of_variation(values) == pytest.approx(0.4)
    assert coefficient_of_variation(values, of_sample=True) == pytest.approx((32 / 7) ** 0.5 / 5)
    assert coefficient_of_variation([]) is None
    assert coefficient_of_variation([1.0], of_sample=True) is None
    assert coefficient_of_variation([-1, 1]) is None
