"""Counting pairs of a lodging and a partner of the same group without listing them.

Each partner gets the key (worth, group, cost). In the sorted keys one binary search finds how many partners a lodging
can afford. Everything is counted in integers.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from tripgauge.compass.candidates import COST_BITS, UNLIMITED, Lodgings, Partners
from tripgauge.compass.catalogue import Integers

MANY_LODGINGS = 16_384
"""From so many lodgings on a threshold is first looked for in a sample."""

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
        keys = (group << COST_BITS) + np.maximum(left, -1)
        places = self.keys.searchsorted(keys, side="right")
        return self.running[places] - self.running[self.first[group]]


@dataclass(frozen=True)
class BestPair:
    """The best plan of some lodgings, the cheapest of several."""

    utility: int
    cost: int
    group: int
    config: int
    """Row of the configuration."""

    partner: int
    """Row of the partner."""


def best_pair(table: PartnerTable, lodgings: Lodgings, most: int, *, is_cost: bool) -> BestPair | None:
    """The best plan; None if none is within the budget."""
    found: BestPair | None = None
    for kind, worth in enumerate(table.worths.tolist()):
        cost = lodgings.cost + table.cheapest[kind][lodgings.group]
        if is_cost:
            row = int(cost.argmin())
            best = -int(cost[row])
        else:
            utility = np.where(cost <= most, lodgings.worth + worth, IMPOSSIBLE)
            best = int(utility.max())
            tied = (utility == best).nonzero()[0]
            row = int(tied[cost[tied].argmin()])
        if cost[row] <= most and (found is None or (best, -cost[row]) > (found.utility, -found.cost)):
            group = int(lodgings.group[row])
            partner = int(table.order[table.first[kind * table.groups + group]])
            found = BestPair(best, int(cost[row]), group, int(lodgings.config[row]), partner)
    return found


IMPOSSIBLE = -(1 << 62)
"""A utility below all others."""


def count_utilities(table: PartnerTable, lodgings: Lodgings, most: int) -> tuple[Integers, Integers]:
    """Utilities, which are sums of few different worths, and how many plans have each; some stand there twice."""
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
    return np.concatenate(values), np.concatenate(counts)


@dataclass(frozen=True)
class CostRows:
    """Lodgings as `PairCosts` needs them."""

    reach: Integers
    """The key of its group less its cost: with a bound added, the key that it can afford."""

    least: Integers
    """What each costs with its cheapest partner."""

    @classmethod
    def of(cls, table: PartnerTable, lodgings: Lodgings) -> "CostRows":
        """The rows by group, the dearest of a group first: then the keys looked for ascend, which makes it quicker."""
        reach = (lodgings.group << COST_BITS) - lodgings.cost
        order = reach.argsort()
        return cls(reach[order], (lodgings.cost + table.cheapest[0][lodgings.group])[order])

    @property
    def group(self) -> Integers:
        return (self.reach + UNLIMITED) >> COST_BITS

    def within(self, bound: int) -> "CostRows":
        """Those that have a partner within a bound."""
        kept = self.least <= bound
        return CostRows(self.reach[kept], self.least[kept])

    def every(self, step: int) -> "CostRows":
        """One of so many rows."""
        return CostRows(self.reach[::step], self.least[::step])

    def places(self, table: PartnerTable, bounds: Integers) -> Integers:
        """Behind which partner each bound is reached, by bound and lodging."""
        reached = np.maximum(self.reach + bounds[:, None], (self.group << COST_BITS) - 1)
        return np.asarray(table.keys.searchsorted(reached, side="right"))

    def plans(self, table: PartnerTable, bounds: Integers) -> Integers:
        """How many plans cost at most so much, for each bound."""
        before = table.running[table.first[self.group]].sum()
        return np.asarray(table.running[self.places(table, bounds)].sum(axis=1) - before)


@dataclass(frozen=True)
class PairCosts:
    """The utilities of all pairs when the utility is minus the cost: counted by bisection, never listed."""

    table: PartnerTable
    parts: tuple[CostRows, ...]
    """Not joined: what fits into the processor's cache is counted quicker."""

    most: int
    size: int
    best: int

    @classmethod
    def of(cls, table: PartnerTable, parts: Sequence[CostRows], most: int) -> "PairCosts":
        """The costs of all plans within a budget; there must be one."""
        (size,) = _plans(table, parts, [most])
        return cls(table, tuple(parts), most, size, -min(int(part.least.min()) for part in parts))

    def better_than(self, utility: int) -> int:
        bound = min(-utility - 1, self.most)
        return _plans(self.table, _within(self.parts, bound), [bound])[0]

    def at_place(self, place: int) -> int:
        """Closes in on the cost between two bounds, until the few plans between them can be sorted."""
        low, cheaper = -self.best - 1, 0
        high, within = self._most_there, self.size
        guess = self._guess(place)
        parts: Sequence[CostRows] = self.parts
        while high - low > 1 and within - cheaper > FEW_PLANS:
            # In the middle, and around the guess, or else around where even spacing would put it.
            even = low + (high - low) * (place - cheaper) // (within - cheaper)
            near = max(1, (high - low) // 12)
            if guess is not None:
                even, near, guess = guess, (guess - low) // 64 + 1, None
            bounds = sorted(min(max(b, low + 1), high - 1) for b in (even - near, even + near, (low + high) // 2))
            for bound, count in zip(bounds, _plans(self.table, parts, bounds), strict=True):
                if count < place:
                    low, cheaper = bound, count
                elif bound < high:
                    high, within = bound, count
            parts = _within(parts, high)
        return -high if high - low == 1 else -self._among(parts, low, high, place - cheaper)

    def _guess(self, place: int) -> int | None:
        """The cost at this place if every sixteenth lodging stands for all; None if there are too few to tell."""
        if sum(len(part.least) for part in self.parts) < MANY_LODGINGS:
            return None
        some = [part.every(16) for part in self.parts]
        sample = PairCosts.of(self.table, [part for part in some if len(part.least)], self.most)
        return -sample.at_place(max(1, place * sample.size // self.size))

    def _among(self, parts: Sequence[CostRows], low: int, high: int, place: int) -> int:
        """The cost at a place among the plans that cost more than one bound and at most another."""
        costs, plans = [], []
        for part in parts:
            first, last = (part.places(self.table, np.array([bound]))[0] for bound in (low, high))
            row = np.repeat(np.arange(len(first)), last - first)
            partner = np.arange(len(row)) + np.repeat(last - np.cumsum(last - first), last - first)
            costs.append(self.table.keys[partner] - part.reach[row])
            plans.append(self.table.running[partner + 1] - self.table.running[partner])
        cost = np.concatenate(costs)
        order = cost.argsort()
        return int(cost[order][np.concatenate(plans)[order].cumsum().searchsorted(place, side="left")])

    @cached_property
    def _most_there(self) -> int:
        """The cost of the dearest plan, or the budget."""
        dearest = max(int((-part.reach & UNLIMITED).max()) for part in self.parts)
        return min(self.most, dearest + int((self.table.keys & UNLIMITED).max()))

    def next_below(self, utility: int) -> int | None:
        nearest = self.most + 1
        keys = np.append(self.table.keys, self.table.groups << COST_BITS)
        for part in self.parts:
            found = keys[part.places(self.table, np.array([-utility]))[0]]
            there = (found >> COST_BITS) == part.group
            nearest = min(nearest, int((found[there] - part.reach[there]).min(initial=nearest)))
        return -nearest if nearest <= self.most else None


def _plans(table: PartnerTable, parts: Sequence[CostRows], bounds: Sequence[int]) -> list[int]:
    """How many plans cost at most so much, for each bound."""
    totals = np.zeros(len(bounds), dtype=np.int64)
    for part in parts:
        totals += part.plans(table, np.array(bounds))
    return totals.tolist()


def _within(parts: Sequence[CostRows], bound: int) -> list[CostRows]:
    """The rows that have a partner within a bound."""
    kept = (part.within(bound) for part in parts)
    return [part for part in kept if len(part.least)]
