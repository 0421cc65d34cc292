"""What numbers over tasks allow one to say: intervals, paired tests, agreement, spread. Standard library only.

Everything random is drawn from one small generator written out here, so that the same figures come out on every machine
and Python version. Tasks are drawn, never turns: the turns of a conversation depend on each other.
"""

import math
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from operator import itemgetter

LEVEL = 0.95
"""Of every interval."""

RESAMPLES = 2000
EXCHANGES = 20_000
SEED = 20260621

EXACT_UP_TO = 12
"""Pairs up to which a paired test tries every assignment instead of drawing some."""


@dataclass(frozen=True, slots=True)
class Share:
    """What one task contributes to a mean: the sum of its values, and how many they are."""

    total: float
    count: float


@dataclass(frozen=True, slots=True)
class Interval:
    """Where the figure lies for most draws of as many tasks."""

    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean with all that is needed to read it."""

    numerator: float
    denominator: float
    tasks: int
    """How many tasks have a part in it."""

    interval: Interval | None = None
    """Of 95 %, over tasks; None where there are fewer than two."""

    @property
    def value(self) -> float | None:
        """The mean; None over nothing."""
        return self.numerator / self.denominator if self.denominator else None


# --- Drawing --------------------------------------------------------------------------------------------------------


class Draws:
    """SplitMix64: the same numbers everywhere from the same seed."""

    def __init__(self, seed: int) -> None:
        self._state = seed & _64_BITS

    def bits(self) -> int:
        """The next 64 bits."""
        self._state = (self._state + 0x9E3779B97F4A7C15) & _64_BITS
        mixed = self._state
        mixed = ((mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9) & _64_BITS
        mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & _64_BITS
        return mixed ^ (mixed >> 31)

    def below(self, limit: int) -> int:
        """A whole number from 0, under the limit. The tiny bias of scaling 64 bits is far below any figure here."""
        return (self.bits() * limit) >> 64


_64_BITS = (1 << 64) - 1


@cache
def _resamples(size: int) -> tuple[Callable[[Sequence[float]], tuple[float, ...]], ...]:
    """Pickers of `size` of `size` places with repetition; the same for every column, so that columns go together."""
    draws = Draws(SEED)
    return tuple(itemgetter(*(draws.below(size) for _ in range(size))) for _ in range(RESAMPLES))


# --- Means with their intervals -------------------------------------------------------------------------------------


def estimate(shares: Sequence[Share]) -> Estimate:
    """The mean over all values of all tasks, with the interval of a bootstrap over the tasks that have any."""
    whole = _sum(shares)
    return Estimate(whole.total, whole.count, sum(bool(share.count) for share in shares), bootstrap_interval([shares]))


def mean_of(shares: Sequence[Share]) -> float | None:
    """The mean over all values of all tasks; None over nothing."""
    whole = _sum(shares)
    return whole.total / whole.count if whole.count else None


def _sum(shares: Sequence[Share]) -> Share:
    return Share(math.fsum(share.total for share in shares), math.fsum(share.count for share in shares))


def bootstrap_interval(columns: Sequence[Sequence[Share]]) -> Interval | None:
    """The percentile interval of a mean of means, over draws of tasks with repetition.

    Each column holds what every task contributes to one of the means, tasks in the same order; for a single mean there
    is one column. None where fewer than two tasks contribute.
    """
    contributing = [place for place in range(len(columns[0])) if any(column[place].count for column in columns)]
    if len(contributing) < 2:
        return None
    parts = [
        ([column[place].total for place in contributing], [column[place].count for place in contributing])
        for column in columns
    ]
    drawn = (_mean_of_means(parts, pick) for pick in _resamples(len(contributing)))
    return _percentiles([value for value in drawn if value is not None])


def _mean_of_means(
    parts: Sequence[tuple[list[float], list[float]]], pick: Callable[[Sequence[float]], tuple[float, ...]]
) -> float | None:
    """None where a drawn mean is over nothing."""
    means = []
    for totals, counts in parts:
        count = math.fsum(pick(counts))
        if not count:
            return None
        means.append(math.fsum(pick(totals)) / count)
    return math.fsum(means) / len(means)


def _percentiles(values: Sequence[float]) -> Interval | None:
    ordered = sorted(values)
    return Interval(_quantile(ordered, (1 - LEVEL) / 2), _quantile(ordered, (1 + LEVEL) / 2)) if ordered else None


def _quantile(values: Sequence[float], share: float) -> float:
    """Between the two neighbors of its place, in proportion."""
    place = share * (len(values) - 1)
    low = math.floor(place)
    high = min(low + 1, len(values) - 1)
    return values[low] + (values[high] - values[low]) * (place - low)


# --- Two of the same tasks ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PairedTest:
    """Whether two means over the same tasks differ by more than exchanging them task by task would bring about."""

    difference: float
    """The first mean less the second."""

    interval: Interval | None
    """Of the difference, from drawing tasks with repetition."""

    p: float
    """How often an exchange gives a difference as large, in either direction."""

    unequal: int
    """Tasks on which the two are not the same; only these say anything."""

    smallest_p: float
    """The least p that so many unequal tasks can give."""

    is_exact: bool
    """Whether every exchange was tried, instead of many at random."""


def paired_permutation_test(first: Sequence[Share], second: Sequence[Share]) -> PairedTest | None:
    """Exchanges two runs task by task, in every way or in many at random. None if either mean is over nothing.

    Both hold the same tasks in the same order. With equal counts this is the sign-flip test on the differences.
    """
    exchange = _Exchange(first, second)
    observed = exchange.difference(0)
    if observed is None:
        return None
    size = len(exchange.unequal)
    exact = size <= EXACT_UP_TO
    patterns = range(1 << size) if exact else _random_patterns(size)
    differences = [difference for pattern in patterns if (difference := exchange.difference(pattern)) is not None]
    as_large = sum(abs(difference) >= abs(observed) - _ROUNDING for difference in differences)
    # Drawn exchanges count the one observed among them, so that p is never 0.
    p = as_large / len(differences) if exact else (as_large + 1) / (len(differences) + 1)
    smallest = min(1.0, 2 / (1 << size)) if exact else 1 / (EXCHANGES + 1)
    return PairedTest(observed, _difference_interval(first, second), p, size, smallest, exact)


_ROUNDING = 1e-12


class _Exchange:
    """The difference of the two means after exchanging some tasks. Sums over subsets are looked up eight at a time."""

    def __init__(self, first: Sequence[Share], second: Sequence[Share]) -> None:
        pairs = list(zip(first, second, strict=True))
        self._first, self._second = _sum(first), _sum(second)
        self.unequal = [(one, other) for one, other in pairs if one != other]
        self._tables = [_subset_sums(self.unequal[start : start + 8]) for start in range(0, len(self.unequal), 8)]

    def difference(self, pattern: int) -> float | None:
        """After exchanging the unequal tasks whose bits are set; None if a mean is then over nothing."""
        total = count = 0.0
        for table in self._tables:
            moved = table[pattern & 255]
            total, count = total + moved.total, count + moved.count
            pattern >>= 8
        first_count, second_count = self._first.count + count, self._second.count - count
        if not first_count or not second_count:
            return None
        return (self._first.total + total) / first_count - (self._second.total - total) / second_count


def _subset_sums(pairs: Sequence[tuple[Share, Share]]) -> list[Share]:
    """What exchanging each subset moves from the second to the first."""
    sums = [Share(0.0, 0.0)]
    for one, other in pairs:
        total, count = other.total - one.total, other.count - one.count
        sums += [Share(known.total + total, known.count + count) for known in sums]
    return sums


def _random_patterns(size: int) -> Iterator[int]:
    draws = Draws(SEED)
    for _ in range(EXCHANGES):
        pattern = 0
        for _ in range(0, size, 64):
            pattern = pattern << 64 | draws.bits()
        yield pattern & ((1 << size) - 1)


def _difference_interval(first: Sequence[Share], second: Sequence[Share]) -> Interval | None:
    parts = [place for place in range(len(first)) if first[place].count or second[place].count]
    if len(parts) < 2:
        return None
    columns = [
        [getattr(side[place], name) for place in parts] for side in (first, second) for name in ("total", "count")
    ]
    differences = []
    for pick in _resamples(len(parts)):
        total, count, other_total, other_count = (math.fsum(pick(column)) for column in columns)
        if count and other_count:
            differences.append(total / count - other_total / other_count)
    return _percentiles(differences)


# --- Trials ---------------------------------------------------------------------------------------------------------


def pass_hat_k(successes: Sequence[tuple[int, int]], k: int) -> Fraction | None:
    """pass^k: the chance that k trials of a task all succeed, as a mean over tasks.

    `successes` has, of each task, how many trials succeeded and how many there were. With c of n this is
    C(c, k) / C(n, k), the share of ways to take k of the trials in which all succeed. Tasks with fewer than k trials
    are left out; None if that is all.
    """
    known = [Fraction(math.comb(good, k), math.comb(trials, k)) for good, trials in successes if trials >= k]
    return sum(known, Fraction()) / len(known) if known else None


# --- Agreement and spread -------------------------------------------------------------------------------------------


def spearman(first: Sequence[float], second: Sequence[float]) -> float | None:
    """Spearman's rank correlation, equal values sharing the mean of their ranks; None where either does not vary."""
    return _pearson(_ranks(first), _ranks(second))


def cronbach_alpha(raters: Sequence[Sequence[float]]) -> float | None:
    """How well raters of the same things go together: k/(k-1) (1 - sum of their variances / variance of the sums).

    None for fewer than two raters, fewer than two things, or sums that do not vary.
    """
    if len(raters) < 2 or len(raters[0]) < 2:
        return None
    total = _variance([math.fsum(ratings) for ratings in zip(*raters, strict=True)])
    if not total:
        return None
    return len(raters) / (len(raters) - 1) * (1 - math.fsum(_variance(ratings) for ratings in raters) / total)


def coefficient_of_variation(values: Sequence[float], *, of_sample: bool = False) -> float | None:
    """Standard deviation as a share of the mean: of the values as they are, or with `of_sample` as a sample (n - 1).

    None where the mean is 0 or there are too few values.
    """
    if len(values) < (2 if of_sample else 1) or not math.fsum(values):
        return None
    variance = _variance(values) if of_sample else _variance(values) * (len(values) - 1) / len(values)
    return math.sqrt(variance) / (math.fsum(values) / len(values))


def _variance(values: Sequence[float]) -> float:
    """With n - 1; 0 for a single value."""
    middle = math.fsum(values) / len(values)
    return math.fsum((value - middle) ** 2 for value in values) / max(1, len(values) - 1)


def _ranks(values: Sequence[float]) -> list[float]:
    ordered = sorted(values)
    return [(bisect_left(ordered, value) + bisect_right(ordered, value) + 1) / 2 for value in values]


def _pearson(first: Sequence[float], second: Sequence[float]) -> float | None:
    middle, other_middle = math.fsum(first) / max(1, len(first)), math.fsum(second) / max(1, len(second))
    pairs = [(one - middle, other - other_middle) for one, other in zip(first, second, strict=True)]
    spread = math.sqrt(math.fsum(one**2 for one, _ in pairs) * math.fsum(other**2 for _, other in pairs))
    return math.fsum(one * other for one, other in pairs) / spread if spread else None
