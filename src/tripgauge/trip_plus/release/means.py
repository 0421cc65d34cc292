"""Sums and means that come out alike in every Python. (published code, summaries)

Since Python 3.12 the built-in `sum` compensates rounding errors of floats; the published figures are plain sums.
"""

from collections.abc import Iterable, Sequence


def add_up(values: Iterable[float]) -> float:
    """The values added from left to right, each sum rounded to a float."""
    total = 0.0
    for value in values:
        total += value
    return total


def mean(values: Sequence[float]) -> float | None:
    """The unrounded mean; None of nothing."""
    return add_up(values) / len(values) if values else None


def rounded_mean(values: Sequence[float]) -> float | None:
    """The mean to four places, as the published evaluator rounds on the way; None of nothing."""
    return round(add_up(values) / len(values), 4) if values else None
