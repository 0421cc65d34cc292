"""Shares with their numerators and denominators, and what may be said of them (spec 11). Standard library only."""

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeVar

Z_95 = 1.959963984540054
"""The quantile of the normal distribution behind an interval of 95 %."""

T = TypeVar("T")


@dataclass(frozen=True)
class Rate:
    """A sum over some cases, and how many they are: a share where each counts 0 or 1, otherwise a mean."""

    numerator: float
    denominator: int

    @classmethod
    def of(cls, cases: Iterable[T], holds: Callable[[T], float | bool | None]) -> "Rate":
        """The share of cases for which something holds; cases it answers None for are left out."""
        values = [float(value) for case in cases if (value := holds(case)) is not None]
        return cls(math.fsum(values), len(values))

    @property
    def value(self) -> float | None:
        """None over nothing."""
        return self.numerator / self.denominator if self.denominator else None

    @property
    def shown(self) -> str:
        """Numerator and denominator: "12/281"."""
        return f"{self.numerator:g}/{self.denominator}"

    def wilson(self) -> tuple[float, float] | None:
        """The interval of 95 % of a share (Wilson 1927); None over nothing."""
        n = self.denominator
        if not n:
            return None
        share, z2 = self.numerator / n, Z_95 * Z_95
        middle = (share + z2 / (2 * n)) / (1 + z2 / n)
        reach = Z_95 / (1 + z2 / n) * math.sqrt(share * (1 - share) / n + z2 / (4 * n * n))
        return max(0.0, middle - reach), min(1.0, middle + reach)


@dataclass(frozen=True)
class ProportionTest:
    """Whether two shares differ."""

    z: float
    p: float
    """Two-sided."""


def two_proportion_test(first: Rate, second: Rate) -> ProportionTest | None:
    """The pooled z-test of two shares; p is 1 where both are 0 or both are 1, None where one is over nothing."""
    if not first.denominator or not second.denominator:
        return None
    total = first.denominator + second.denominator
    pooled = (first.numerator + second.numerator) / total
    spread = pooled * (1 - pooled) * (1 / first.denominator + 1 / second.denominator)
    if spread <= 0:
        return ProportionTest(0.0, 1.0)
    z = (first.numerator / first.denominator - second.numerator / second.denominator) / math.sqrt(spread)
    return ProportionTest(z, math.erfc(abs(z) / math.sqrt(2)))


@dataclass(frozen=True)
class Spread:
    """How numbers of several runs lie, such as of the same agent with other seeds."""

    count: int
    mean: float
    std: float
    """Of the population (ddof 0), as in the published stability table."""

    median: float
    quartiles: tuple[float, float]
    least: float
    greatest: float

    @classmethod
    def of(cls, values: Iterable[float]) -> "Spread | None":
        """None over nothing."""
        ordered = sorted(values)
        if not ordered:
            return None
        mean = math.fsum(ordered) / len(ordered)
        variance = math.fsum((value - mean) ** 2 for value in ordered) / len(ordered)
        lower, median, upper = (_quantile(ordered, share) for share in (0.25, 0.5, 0.75))
        return cls(len(ordered), mean, math.sqrt(variance), median, (lower, upper), ordered[0], ordered[-1])


def _quantile(ordered: list[float], share: float) -> float:
    """Linear between the two nearest."""
    place = share * (len(ordered) - 1)
    low = math.floor(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (place - low)
