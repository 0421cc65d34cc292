"""Where a utility ranks among all feasible plans, and which share of them counts as near-optimal.

A plan is in the top A percent when fewer than `places(A, n)` of the n feasible plans are strictly better. Tied plans
share a rank, so they pass together; the optimum always passes.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np

from tripgauge.compass.catalogue import Integers

TOP_PERCENTS = (5, 10, 20)


def places(percent: int, size: int) -> int:
    """How many places the top percent of so many plans has: rounded up, at least one."""
    return max(1, (percent * size + 99) // 100)


class Utilities(Protocol):
    """The utilities of all feasible plans, counted with multiplicity."""

    @property
    def size(self) -> int:
        """How many plans there are."""
        ...

    @property
    def best(self) -> int:
        """The largest utility. There must be a plan."""
        ...

    def better_than(self, utility: int) -> int:
        """How many plans have a larger utility."""
        ...

    def at_place(self, place: int) -> int:
        """The utility at a place from 1, the largest first."""
        ...

    def next_below(self, utility: int) -> int | None:
        """The largest utility below this one; None if there is none."""
        ...


@dataclass(frozen=True)
class Histogram:
    """How many plans have each utility."""

    values: Integers
    """Each utility once, the largest first."""

    up_to: Integers
    """How many plans have this utility or a larger one."""

    @classmethod
    def of(cls, values: Integers, counts: Integers) -> "Histogram":
        """The histogram of utilities in any order, some of them perhaps more than once."""
        if not len(values):
            return cls(values, counts)
        order = np.argsort(-values, kind="stable")
        values, running = values[order], np.cumsum(counts[order])
        last = np.append(values[1:] != values[:-1], True)
        values, running = values[last], running[last]
        new = np.diff(running, prepend=0) > 0
        return cls(values[new], running[new])

    @classmethod
    def of_each(cls, utilities: Integers) -> "Histogram":
        """The histogram of one utility for each plan."""
        ordered = np.sort(utilities)[::-1]
        last = np.flatnonzero(np.append(ordered[1:] != ordered[:-1], True)) if len(ordered) else np.zeros(0, np.int64)
        return cls(ordered[last], last + 1)

    @property
    def size(self) -> int:
        return int(self.up_to[-1]) if len(self.up_to) else 0

    @property
    def best(self) -> int:
        return int(self.values[0])

    def better_than(self, utility: int) -> int:
        place = self._larger_than(utility)
        return int(self.up_to[place - 1]) if place else 0

    def _larger_than(self, utility: int) -> int:
        """How many of the values are larger."""
        return len(self.values) - int(self.values[::-1].searchsorted(utility, side="right"))

    def at_place(self, place: int) -> int:
        return int(self.values[np.searchsorted(self.up_to, place, side="left")])

    def next_below(self, utility: int) -> int | None:
        place = self._larger_than(utility - 1)
        return int(self.values[place]) if place < len(self.values) else None


@dataclass(frozen=True)
class Each:
    """One utility for each plan, in any order: they are sorted only as far as a question needs it."""

    parts: tuple[Integers, ...]
    """Not joined as long as there is no need to."""

    @cached_property
    def size(self) -> int:
        return sum(len(part) for part in self.parts)

    @property
    def best(self) -> int:
        return max(int(part.max()) for part in self.parts)

    def better_than(self, utility: int) -> int:
        return sum(int(np.count_nonzero(part > utility)) for part in self.parts)

    def at_place(self, place: int) -> int:
        from_below = self.size - place
        return int(np.partition(self._values, from_below)[from_below])

    def next_below(self, utility: int) -> int | None:
        below = self._values[self._values < utility]
        return int(below.max()) if len(below) else None

    @cached_property
    def _values(self) -> Integers:
        return np.concatenate(self.parts)


@dataclass(frozen=True)
class Standing:
    """Where one utility stands among all feasible plans."""

    better: int
    """Plans with a larger utility."""

    tied: int
    """Plans with this utility."""

    size: int

    def is_top(self, percent: int) -> bool:
        """Whether it is in the top percent (OR-5, OR-10, OR-20)."""
        return self.better < places(percent, self.size)

    def is_top_strictly(self, percent: int) -> bool:
        """The same under the strict rule, by which ties count against a plan: for the sensitivity line only."""
        return self.better + self.tied <= places(percent, self.size)


def standing(utilities: Utilities, utility: int) -> Standing:
    """Where a utility stands."""
    better = utilities.better_than(utility)
    return Standing(better, utilities.better_than(utility - 1) - better, utilities.size)


def threshold(utilities: Utilities, percent: int) -> int:
    """The least utility that is in the top percent."""
    return utilities.at_place(places(percent, utilities.size))


def passing_share(utilities: Utilities, percent: int) -> float:
    """The share of all feasible plans that is in the top percent: more than that percent where plans tie."""
    return utilities.better_than(threshold(utilities, percent) - 1) / utilities.size
