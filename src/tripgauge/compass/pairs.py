"""Counting pairs of a lodging and a partner of the same group without listing them (spec 16).

Each partner gets the key (worth, group, cost). In the sorted keys one binary search finds how many partners a lodging
can afford. Everything is counted in integers.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from tripgauge.compass.candidates import COST_BITS, UNLIMITED, Lodgings, Partners
from tripgauge.compass.catalogue import Integers
from tripgauge.compass.ranking import Histogram

FEW_PLANS = 4096
"""So many plans may be listed to find one among them."""

MOST_BINS = 1 << 16
"""Up to so many neighboring utilities are counted without sorting them."""


@dataclass(frozen=True)
class PartnerTable:
    """The partners, sorted by worth, group and cost."""

    partners: Partners
    groups: int
    order: Integers
    """Rows of the partners in that order."""

    keys: Integers
    running: Integers
    """Plans that the partners before a place stand for."""

    worths: Integers
    """The different worths, ascending."""

    first: Integers
    """Where the partners of each worth and group begin, by worth and group."""

    @classmethod
    def of(cls, partners: Partners, groups: int) -> "PartnerTable":
        if partners.worth.any():
            worths, kind = np.unique(partners.worth, return_inverse=True)
            keys = ((kind * groups + partners.group) << COST_BITS) + partners.cost
        else:
            worths = np.zeros(1 if len(partners.cost) else 0, dtype=np.int64)
            keys = (partners.group << COST_BITS) + partners.cost
        order = keys.argsort(kind="stable")
        keys = keys[order]
        running = np.zeros(len(keys) + 1, dtype=np.int64)
        np.cumsum(partners.weight[order], out=running[1:])
        starts = np.arange(len(worths) * groups + 1, dtype=np.int64) << COST_BITS
        return cls(partners, groups, order, keys, running, worths, keys.searchsorted(starts))

    @cached_property
    def cheapest(self) -> Integers:
        """The cost of the cheapest partner of each group, by worth and group; unlimited where there is none."""
        there = self.first[:-1] < self.first[1:]
        found = np.full(len(there), UNLIMITED, dtype=np.int64)
        found[there] = self.keys[self.first[:-1][there]] & UNLIMITED
        return found.reshape(len(self.worths), self.groups)

    def within(self, group: Integers, left: Integers) -> Integers:
        """How many plans have a partner for at most so much; groups of further worths are counted on."""
        keys = (group.astype(np.int64) << COST_BITS) + np.maximum(left, -1)
        places = self.keys.searchsorted(keys, side="right")
        return self.running[places] - self.running[self.first[group]]


def ascending(lodgings: Lodgings) -> Lodgings:
    """Lodgings by group, the dearest of a group first: then the keys looked for ascend, which makes it quicker."""
    order = ((lodgings.group.astype(np.int64) << COST_BITS) - lodgings.cost).argsort()
    return Lodgings(lodgings.group[order], lodgings.cost[order], lodgings.worth[order], lodgings.config[order])


def best_pair(table: PartnerTable, lodgings: Lodgings, most: int, best: int | None) -> tuple[int, int]:
    """The rows of the lodging and the partner of the cheapest plan; if `best` is given, of those with that utility."""
    found = []
    for kind, worth in enumerate(table.worths.tolist()):
        total = lodgings.cost + table.cheapest[kind][lodgings.group]
        if best is not None:
            total = np.where(lodgings.worth + worth == best, total, most + 1)
        row = int(total.argmin())
        found.append((int(total[row]), kind, row))
    _, kind, row = min(found)
    return row, int(table.order[table.first[kind * table.groups + lodgings.group[row]]])


def pair_histogram(table: PartnerTable, lodgings: Lodgings, most: int) -> Histogram:
    """How many plans have each utility, where utilities are sums of few different worths."""
    left = most - lodgings.cost
    least = int(lodgings.worth.min())
    kind, own = lodgings.worth - least, np.arange(least, int(lodgings.worth.max()) + 1)
    if len(own) > MOST_BINS:
        own, kind = np.unique(lodgings.worth, return_inverse=True)
    values, counts = [], []
    for place, worth in enumerate(table.worths.tolist()):
        plans = table.within(lodgings.group + place * table.groups, left)
        # Sums of whole numbers below 2**53 are exact in floating point.
        counts.append(np.bincount(kind, weights=plans, minlength=len(own)).astype(np.int64))
        values.append(own + worth)
    return Histogram.of(np.concatenate(values), np.concatenate(counts))


@dataclass(frozen=True)
class _Rows:
    """Lodgings in the order of `ascending`."""

    floor: Integers
    """Just below the keys of the lodging's group."""

    reach: Integers
    """The key it reaches with a bound of 0; a bound is added to it."""

    least: Integers
    """What each costs with its cheapest partner."""

    before: Integers
    """Plans that the partners before its group stand for."""

    def within(self, bound: int) -> "_Rows":
        """Those that have a partner within a bound."""
        kept = self.least <= bound
        return _Rows(self.floor[kept], self.reach[kept], self.least[kept], self.before[kept])


@dataclass(frozen=True)
class PairCosts:
    """The utilities of all pairs when the utility is minus the cost: counted by bisection, never listed."""

    table: PartnerTable
    rows: _Rows
    most: int
    size: int
    best: int

    @classmethod
    def of(cls, table: PartnerTable, lodgings: Lodgings, most: int) -> "PairCosts":
        group, cost = lodgings.group, lodgings.cost
        keys = group.astype(np.int64) << COST_BITS
        rows = _Rows(keys - 1, keys - cost, cost + table.cheapest[0][group], table.running[table.first[group]])
        size = int(table.within(group, most - cost).sum())
        return cls(table, rows, most, size, -int(rows.least.min()))

    def better_than(self, utility: int) -> int:
        bound = min(-utility - 1, self.most)
        return int(self._up_to(self.rows.within(bound), np.array([bound]))[0])

    def _up_to(self, rows: _Rows, bounds: Integers) -> Integers:
        """How many plans of some lodgings cost at most so much."""
        reached = np.maximum(rows.reach + bounds[:, None], rows.floor)
        plans = self.table.running[self.table.keys.searchsorted(reached, side="right")].sum(axis=1)
        return np.asarray(plans - rows.before.sum())

    def at_place(self, place: int) -> int:
        """Closes in on the cost between two bounds, until the few plans between them can be sorted."""
        low, high = -self.best - 1, self._high_enough(place)
        rows = self.rows.within(high)
        cheaper, within = 0, int(self._up_to(rows, np.array([high]))[0])
        while high - low > 1 and within - cheaper > FEW_PLANS:
            # In the middle, and around where even spacing would put it.
            even = low + (high - low) * (place - cheaper) // (within - cheaper)
            near = max(1, (high - low) // 12)
            bounds = sorted(
                min(max(bound, low + 1), high - 1) for bound in (even - near, even + near, (low + high) // 2)
            )
            counts = self._up_to(rows, np.array(bounds)).tolist()
            for bound, count in zip(bounds, counts, strict=True):
                if count < place:
                    low, cheaper = bound, count
                elif bound < high:
                    high, within = bound, count
            rows = rows.within(high)
        return -high if high - low == 1 else -self._among(rows, low, high, place - cheaper)

    def _among(self, rows: _Rows, low: int, high: int, place: int) -> int:
        """The cost at a place among the plans that cost more than one bound and at most another."""
        first, last = (
            self.table.keys.searchsorted(np.maximum(rows.reach + bound, rows.floor), side="right")
            for bound in (low, high)
        )
        row = np.repeat(np.arange(len(first)), last - first)
        partner = np.arange(len(row)) + np.repeat(last - np.cumsum(last - first), last - first)
        cost = self.table.keys[partner] - rows.reach[row]
        order = cost.argsort()
        plans = (self.table.running[partner + 1] - self.table.running[partner])[order].cumsum()
        return int(cost[order][plans.searchsorted(place, side="left")])

    def _high_enough(self, place: int) -> int:
        """A cost that at least so many plans stay within: that of the first lodgings with their cheapest partners."""
        least = self.rows.least
        return int(np.partition(least, place - 1)[place - 1]) if place <= len(least) else self._most_there

    @cached_property
    def _most_there(self) -> int:
        """The cost of the dearest plan, or the budget."""
        dearest = int((self.rows.floor + 1 - self.rows.reach).max())
        return min(self.most, dearest + int((self.table.keys & UNLIMITED).max()))

    def next_below(self, utility: int) -> int | None:
        rows = self.rows
        places = self.table.keys.searchsorted(np.maximum(rows.reach - utility, rows.floor), side="right")
        keys = np.append(self.table.keys, self.table.groups << COST_BITS)[places]
        there = (keys >> COST_BITS) == ((rows.floor + 1) >> COST_BITS)
        costs = keys[there] - rows.reach[there]
        nearest = int(costs.min()) if len(costs) else self.most + 1
        return -nearest if nearest <= self.most else None
