"""Small helpers that every program an agent writes finds defined, in place of modules its interpreter may lack.

The text of this file is run at the start, so it keeps to what every interpreter here understands.
"""

import json
import math
import re
from collections import Counter, defaultdict
from datetime import date, datetime, timedelta
from itertools import chain, combinations, permutations, product
from typing import Any, Callable, Iterable  # noqa: UP035  (one of the interpreters has no collections.abc)

__all__ = [
    "Counter", "chain", "combinations", "date", "dates", "datetime", "defaultdict", "itemgetter", "json", "math",
    "mean", "median", "nlargest", "nsmallest", "permutations", "product", "re", "timedelta",
]  # fmt: skip


def nsmallest(n: int, items: Iterable[Any], key: Callable[[Any], Any] | None = None) -> list[Any]:
    """The n smallest, the smallest first."""
    return sorted(items, key=key)[: max(n, 0)]


def nlargest(n: int, items: Iterable[Any], key: Callable[[Any], Any] | None = None) -> list[Any]:
    """The n largest, the largest first."""
    return sorted(items, key=key, reverse=True)[: max(n, 0)]


def mean(numbers: Iterable[float]) -> float:
    """The arithmetic mean."""
    values = list(numbers)
    if not values:
        raise ValueError("mean of nothing")
    return sum(values) / len(values)


def median(numbers: Iterable[float]) -> float:
    """The middle value, or the mean of the two in the middle."""
    values = sorted(numbers)
    if not values:
        raise ValueError("median of nothing")
    middle = len(values) // 2
    return values[middle] if len(values) % 2 else (values[middle - 1] + values[middle]) / 2


def itemgetter(*keys: Any) -> Callable[[Any], Any]:
    """A function that takes the item of a record, or a tuple of several."""
    if len(keys) == 1:
        return lambda record: record[keys[0]]
    return lambda record: tuple(record[key] for key in keys)


def dates(first: str, last: str) -> list[str]:
    """Every day from the first to the last, as YYYY-MM-DD."""
    start = date.fromisoformat(first)
    days = (date.fromisoformat(last) - start).days
    return [(start + timedelta(days=number)).isoformat() for number in range(days + 1)]
