"""The exact solver: how many plans are feasible, the best one, and the rank of any, without listing them (spec 8, 16).

What a plan costs and what it is worth are sums over its lodging and its partners, a flight and a permit. So the
lodgings of a stay and the partners of that stay are listed apart. Each partner gets the key (worth, stay, cost); in
the sorted keys one binary search finds how many partners a lodging can afford. Everything is counted in integers.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from tripgauge.compass.catalogue import Column, Mask
from tripgauge.compass.constraints import Component, Constraint, Filter, find_uncoupled
from tripgauge.compass.index import Index, Integers
from tripgauge.compass.objectives import FeatureCount, Part, SingleMetric
from tripgauge.compass.offers import (
    LAST_DAY,
    Choice,
    Drive,
    FlightPackage,
    HotelPackage,
    PermitPackage,
    TravelPlan,
    rooms_needed,
)
from tripgauge.compass.ranking import TOP_PERCENTS, Histogram, Standing, Utilities, standing, threshold
from tripgauge.compass.task import StatedConstraint, Task

COST_BITS = 40
"""Costs in cents lie below 2 to this power, so that a key holds the group above them."""

UNLIMITED = (1 << COST_BITS) - 1

BLOCK = 512
"""Configurations looked at together: few enough that their nights stay in the processor's cache."""


# ---------------------------------------------------------------------------------------------------------------
# What comes out


@dataclass(frozen=True)
class FeasibleSet:
    """Every plan that meets the constraints of a task, as far as anybody asks: never listed, always exact."""

    task: Task
    utilities: Utilities
    best: Choice | None
    """One of the best plans, the cheapest of them; None if nothing is feasible."""

    @property
    def size(self) -> int:
        return self.utilities.size

    @property
    def optimum(self) -> int | None:
        return self.utilities.best if self.size else None

    def standing(self, plan: TravelPlan) -> Standing | None:
        """Where a plan ranks; None if it is not feasible."""
        if not is_feasible(self.task, plan):
            return None
        return standing(self.utilities, self.task.objective.utility(plan, self.task.guests))

    @property
    def solution(self) -> "Solution":
        """What is worth keeping of it."""
        thresholds = tuple(threshold(self.utilities, percent) for percent in TOP_PERCENTS) if self.size else ()
        return Solution(self.task.task_id, self.size, self.optimum, thresholds, self.best)


@dataclass(frozen=True)
class Solution:
    """The solution of a task in figures."""

    task_id: str
    size: int
    optimum: int | None
    thresholds: tuple[int, ...]
    """The least utilities in the top 5, 10 and 20 percent; empty if nothing is feasible."""

    best: Choice | None


def is_feasible(task: Task, plan: TravelPlan) -> bool:
    """Whether a plan meets every constraint of a task and is one trip: what the grader asks."""
    if any(find_uncoupled(plan, task.level)):
        return False
    return all(stated.constraint.holds(plan, task.guests) for stated in task.constraints)


@dataclass(frozen=True)
class Price:
    """What a constraint costs: what becomes possible without it."""

    stated: StatedConstraint
    size: int
    """Feasible plans without it."""

    optimum: int | None
    gain: int
    """By how much the best utility grows; 0 if the best plan stays the best."""


# ---------------------------------------------------------------------------------------------------------------


class Solver:
    """Solves tasks over one catalogue; what all tasks need is looked up once."""

    def __init__(self, index: Index) -> None:
        self.index = index
        self.catalogue = index.catalogue

    def solve(self, task: Task) -> FeasibleSet:
        """The feasible set of a task."""
        search = _Search(self.index, task)
        parks = [search.park(place) for place in range(len(search.park_ids))]
        lodgings = _Lodgings.joined([park.lodgings for park in parks])
        if task.level == 1:
            return _solve_lodgings(search, lodgings)
        return _solve_pairs(search, lodgings, _Partners.joined([park.partners for park in parks]))

    def prices(self, task: Task) -> tuple[Price, ...]:
        """What each constraint of a task costs. Dates and parks are opened, the number of guests stays."""
        optimum = self.solve(task).optimum
        found = []
        for stated in task.constraints:
            if stated.constraint.type == "guests":
                continue
            relaxed = self.solve(task.relaxed(stated))
            gain = relaxed.optimum - optimum if relaxed.optimum is not None and optimum is not None else 0
            found.append(Price(stated, relaxed.size, relaxed.optimum, gain))
        return tuple(found)


# ---------------------------------------------------------------------------------------------------------------
# Lodgings and partners of one park


@dataclass(frozen=True)
class _Lodgings:
    """One row for each configuration and stay at which it can be had."""

    group: Integers
    """Park and stay, as one number."""

    cost: Integers
    worth: Integers
    """What it contributes to the utility, besides its cost."""

    config: Integers
    """Row of the configuration."""

    @classmethod
    def joined(cls, parts: Sequence["_Lodgings"]) -> "_Lodgings":
        return cls(*(_joined([getattr(part, name) for part in parts]) for name in ("group", "cost", "worth", "config")))

    def taken(self, rows: Integers | Mask) -> "_Lodgings":
        return _Lodgings(self.group[rows], self.cost[rows], self.worth[rows], self.config[rows])


@dataclass(frozen=True)
class _Partners:
    """One row for each flight and stay, or each flight, stay and kind of permit that costs and is worth the same."""

    group: Integers
    cost: Integers
    worth: Integers
    weight: Integers
    """For how many plans it stands: permits of the same fee and worth are counted together."""

    flight: Integers
    """Row of the flight."""

    window: Integers
    """Row of the first such permit window; -1 without permits."""

    @classmethod
    def joined(cls, parts: Sequence["_Partners"]) -> "_Partners":
        names = ("group", "cost", "worth", "weight", "flight", "window")
        return cls(*(_joined([getattr(part, name) for part in parts]) for name in names))


def _joined(parts: Sequence[Integers]) -> Integers:
    if len(parts) == 1:
        return parts[0]
    return np.concatenate(parts) if parts else np.zeros(0, dtype=np.int64)


@dataclass(frozen=True)
class _Park:
    lodgings: _Lodgings
    partners: _Partners


class _Search:
    """The lists for one task, park by park."""

    def __init__(self, index: Index, task: Task) -> None:
        self.index = index
        self.catalogue = index.catalogue
        self.task = task
        self.guests = task.guests
        self.stays = task.stays
        self.starts = np.array([stay.start for stay in self.stays])
        self.ends = np.array([stay.end for stay in self.stays])
        self.most = UNLIMITED if task.budget_cents is None else min(task.budget_cents, UNLIMITED)
        self.filters: dict[Component, list[Filter]] = {component: [] for component in Component}
        for stated in task.constraints:
            for asked in stated.constraint.filters(self.guests):
                self.filters[asked.attribute.component].append(asked)
        self.wishes: dict[Part, list[Constraint]] = {part: [] for part in Part}
        if isinstance(task.objective, FeatureCount):
            self.wishes = {part: list(task.objective.of_part(part)) for part in Part}
        self.park_ids = self.parks()
        self.groups = len(self.park_ids) * len(self.stays)

    def parks(self) -> list[int]:
        """The parks to choose from."""
        accepted = np.ones(len(self.catalogue.parks), dtype=np.bool_)
        for asked in self.filters[Component.PARK]:
            accepted &= asked.mask(self.catalogue.parks.column(asked.attribute.name))
        return (np.flatnonzero(accepted) + 1).tolist()

    def park(self, place: int) -> _Park:
        """The lists of one of the parks."""
        partners = self.partners(place) if self.task.level >= 2 else _Partners.joined([])
        if self.task.level >= 2 and not len(partners.group):
            return _Park(_Lodgings.joined([]), partners)
        return _Park(self.lodgings(place), partners)

    def group(self, place: int, stays: Integers) -> Integers:
        return stays + place * len(self.stays)

    def hotel_package(self, lodgings: _Lodgings, row: int) -> HotelPackage:
        config = int(lodgings.config[row])
        rooms = rooms_needed(self.guests, int(self.index.occupancy[config]))
        return HotelPackage(config + 1, self.stays[int(lodgings.group[row]) % len(self.stays)], rooms)

    def choice(self, lodgings: _Lodgings, row: int, partners: _Partners, partner: int) -> Choice:
        """The packages of a lodging and a partner."""
        hotel = self.hotel_package(lodgings, row)
        flight = FlightPackage(int(partners.flight[partner]) + 1, hotel.stay)
        window = int(partners.window[partner])
        if window < 0:
            return Choice(hotel, flight)
        windows = self.index.windows
        return Choice(
            hotel,
            flight,
            PermitPackage(int(windows.permit[window]) + 1, int(windows.start[window]), int(windows.days[window])),
        )

    # -- Lodgings

    def lodgings(self, place: int) -> _Lodgings:
        here = self.catalogue.configs_of(self.park_ids[place])
        kept = np.ones(here.stop - here.start, dtype=np.bool_)
        for component in (Component.HOTEL, Component.ROOM, Component.CONFIG):
            for asked in self.filters[component]:
                kept &= asked.mask(self.index.lodging_column(component, asked.attribute.name), here)
        configs = kept.nonzero()[0] + here.start
        blocks = [self.block(place, configs[start : start + BLOCK]) for start in range(0, len(configs), BLOCK)]
        return _Lodgings.joined(blocks)

    def block(self, place: int, configs: Integers) -> _Lodgings:
        """The stays at which some configurations can be had, within the budget."""
        first, last = int(self.starts.min()) - 1, int(self.ends.max()) - 1
        rooms = -(-self.guests // self.index.occupancy[configs])
        unusable = self.catalogue.rooms_available.values[first:last, configs] < rooms
        for asked in self.filters[Component.HOTEL_OFFER]:
            prices = self.catalogue.night_prices.values[first:last, configs]
            unusable |= ~asked.mask(prices)
        sums = self.index.price_sums[first : last + 1, configs]
        starts, ends = self.starts - 1 - first, self.ends - 1 - first
        if len(self.stays) == 1:
            usable = ~unusable.any(axis=0, keepdims=True)
        else:
            gaps = np.zeros((unusable.shape[0] + 1, len(configs)), dtype=np.int8)
            np.cumsum(unusable, axis=0, dtype=np.int8, out=gaps[1:])
            usable = gaps[ends] == gaps[starts]
        cost = (sums[ends] - sums[starts]) * rooms
        usable &= cost <= self.most
        stay, config = usable.nonzero()
        worth = self.lodging_worth(configs)[config]
        return _Lodgings(self.group(place, stay), cost[stay, config], worth, configs[config])

    def lodging_worth(self, configs: Integers) -> Integers:
        objective = self.task.objective
        if isinstance(objective, SingleMetric):
            attribute = objective.metric.attribute
            if attribute is None or Part.of(attribute.component) != Part.LODGING:
                return np.zeros(len(configs), dtype=np.int64)
            column = self.index.lodging_column(attribute.component, attribute.name)
            return objective.metric.sign * np.maximum(column[configs], 0)  # type: ignore[index]
        columns = self.index.lodging_column
        met = [
            self.met(wish, [columns(a.component, a.name) for a in wish.kind.attributes], configs)
            for wish in self.wishes[Part.LODGING]
        ]
        return _count(met, len(configs))

    def met(self, wish: Constraint, columns: Sequence[Column], rows: Integers | slice) -> Mask:
        """Where a wish is met."""
        found = [asked.mask(column, rows) for asked, column in zip(wish.filters(self.guests), columns, strict=True)]
        return np.logical_and.reduce(found) if len(found) > 1 else found[0]

    # -- Partners

    def partners(self, place: int) -> _Partners:
        flights = self.flights(place)
        return self.with_permits(place, flights) if self.task.level == 3 and len(flights.group) else flights

    def flights(self, place: int) -> _Partners:
        """The flights to a park, for each stay on which they have seats."""
        drives = self.drives(self.park_ids[place])
        routes = [self.route(origin, drive.code) for drive in drives for origin in self.origins]
        hours = [drive.drive_hours_x100 for drive in drives for _ in self.origins]
        rows = _joined(routes)
        inside = np.flatnonzero(self.ends <= LAST_DAY)
        out, back = (self.starts[inside] - 1)[:, None], (self.ends[inside] - 1)[:, None]
        catalogue, guests = self.catalogue, self.guests
        fares = catalogue.out_prices.values[out, rows] + catalogue.back_prices.values[back, rows]
        cost = fares.astype(np.int64) * guests
        possible = catalogue.out_seats.values[out, rows] >= guests
        possible &= catalogue.back_seats.values[back, rows] >= guests
        possible &= cost <= self.most
        stay, flight = possible.nonzero()
        worth = self.flight_worth(rows, np.repeat(hours, [len(route) for route in routes]))[flight]
        group = self.group(place, inside[stay])
        return _Partners(group, cost[stay, flight], worth, np.ones_like(group), rows[flight], np.full_like(group, -1))

    @cached_property
    def origins(self) -> tuple[str, ...]:
        """The airport the task starts from; all of them if it does not say."""
        if self.task.origin:
            return (self.task.origin,)
        return tuple(airport.code for airport in self.catalogue.airports.rows() if airport.is_origin)

    def drives(self, park_id: int) -> list[Drive]:
        """The airports of a park that will do."""
        return [drive for drive in self.catalogue.drives_to(park_id) if self.is_suitable(drive)]

    def is_suitable(self, drive: Drive) -> bool:
        airport = self.catalogue.airport(drive.code)
        if not all(asked.accepts(getattr(airport, asked.attribute.name)) for asked in self.filters[Component.AIRPORT]):
            return False
        return all(asked.accepts(getattr(drive, asked.attribute.name)) for asked in self.filters[Component.DRIVE])

    def route(self, origin: str, destination: str) -> Integers:
        """The flights of a route that pass the filters."""
        here = self.catalogue.flights_of(origin, destination)
        kept = np.ones(here.stop - here.start, dtype=np.bool_)
        for asked in self.filters[Component.FLIGHT]:
            kept &= asked.mask(self.index.flight_columns[asked.attribute.name], here)
        return np.asarray(kept.nonzero()[0] + here.start)

    def flight_worth(self, rows: Integers, drive_hours: Integers) -> Integers:
        objective = self.task.objective
        if isinstance(objective, SingleMetric):
            attribute = objective.metric.attribute
            if attribute is None or attribute.component != Component.DRIVE:
                return np.zeros(len(rows), dtype=np.int64)
            return objective.metric.sign * drive_hours
        columns = self.index.flight_columns
        wishes = self.wishes[Part.FLIGHT]
        return _count(
            [self.met(wish, [columns[a.name] for a in wish.kind.attributes], rows) for wish in wishes], len(rows)
        )

    def with_permits(self, place: int, flights: _Partners) -> _Partners:
        """Each flight of a stay with each kind of permit window inside that stay."""
        kinds = self.permits(place)
        first = np.searchsorted(kinds.group, flights.group, side="left")
        counts = np.searchsorted(kinds.group, flights.group, side="right") - first
        flight = np.repeat(np.arange(len(flights.group)), counts)
        kind = np.arange(len(flight)) - np.repeat(np.cumsum(counts) - counts, counts) + np.repeat(first, counts)
        return _Partners(
            flights.group[flight],
            flights.cost[flight] + kinds.cost[kind],
            flights.worth[flight] + kinds.worth[kind],
            kinds.weight[kind],
            flights.flight[flight],
            kinds.window[kind],
        )

    def permits(self, place: int) -> _Partners:
        """The permit windows inside each stay, those of equal fee and worth together, sorted by stay."""
        windows, table = self.index.windows, self.catalogue.permits
        here = windows.rows_of(self.park_ids[place])
        permit, start, days = windows.permit[here], windows.start[here], windows.days[here]
        largest = table.codes("max_group")[permit]
        kept = (windows.places[here] >= self.guests) & ((largest < 0) | (largest >= self.guests))
        for asked in self.filters[Component.PERMIT]:
            kept &= asked.mask(table.column(asked.attribute.name), permit)
        own: dict[str, Column] = {"days": windows.days, "start_weekday": windows.start_weekday}
        for asked in self.filters[Component.PERMIT_OFFER]:
            kept &= asked.mask(own[asked.attribute.name], here)
        inside = kept & (start >= self.starts[:, None] + self.task.buffer_days)
        inside &= start + days <= self.ends[:, None] - self.task.buffer_days
        stay, window = np.nonzero(inside)
        per_person = (
            table.codes("fee_person_cents")[permit] + (days - 1) * table.codes("fee_person_night_cents")[permit]
        )
        fee = table.codes("fee_group_cents")[permit] + self.guests * per_person
        met = [
            self.met(wish, [table.column(a.name) for a in wish.kind.attributes], permit)
            for wish in self.wishes[Part.PERMIT]
        ]
        worth = _count(met, len(permit))
        key = ((stay.astype(np.int64) << 8) + worth[window] << COST_BITS) + fee[window]
        _, first, counts = np.unique(key, return_index=True, return_counts=True)
        stay, window = stay[first], window[first]
        return _Partners(self.group(place, stay), fee[window], worth[window], counts, stay, window + here.start)


def _count(met: Sequence[Mask], size: int) -> Integers:
    worth = np.zeros(size, dtype=np.int64)
    for mask in met:
        worth += mask
    return worth


# ---------------------------------------------------------------------------------------------------------------
# Level I: every lodging is a plan


def _solve_lodgings(search: "_Search", lodgings: _Lodgings) -> FeasibleSet:
    utility = -lodgings.cost if search.task.objective.is_cost else lodgings.worth
    utilities = Histogram.of_each(utility)
    if not utilities.size:
        return FeasibleSet(search.task, utilities, None)
    tied = np.flatnonzero(utility == utilities.best)
    row = int(tied[np.argmin(lodgings.cost[tied])])
    return FeasibleSet(search.task, utilities, Choice(search.hotel_package(lodgings, row)))


# ---------------------------------------------------------------------------------------------------------------
# Levels II and III: pairs of a lodging and a partner of the same group


@dataclass(frozen=True)
class _PartnerTable:
    """The partners, sorted by worth, group and cost."""

    partners: _Partners
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
    def of(cls, partners: _Partners, groups: int) -> "_PartnerTable":
        worths, kind = np.unique(partners.worth, return_inverse=True)
        keys = ((kind * groups + partners.group) << COST_BITS) + partners.cost
        order = np.argsort(keys, kind="stable")
        keys = keys[order]
        running = np.zeros(len(keys) + 1, dtype=np.int64)
        np.cumsum(partners.weight[order], out=running[1:])
        starts = np.arange(len(worths) * groups + 1, dtype=np.int64) << COST_BITS
        first = np.searchsorted(keys, starts)
        return cls(partners, order, keys, running, worths, first)

    def cheapest(self, groups: int) -> Integers:
        """The cost of the cheapest partner of each group, by worth and group; unlimited where there is none."""
        there = self.first[:-1] < self.first[1:]
        found = np.full(len(there), UNLIMITED, dtype=np.int64)
        found[there] = self.keys[self.first[:-1][there]] & UNLIMITED
        return found.reshape(len(self.worths), groups)

    def within(self, group: Integers, left: Integers) -> Integers:
        """For each group, here counted on over worths: how many plans have a partner for at most so much."""
        places = self.keys.searchsorted((group << COST_BITS) + np.maximum(left, -1), side="right")
        return self.running[places] - self.running[self.first[group]]


def _solve_pairs(search: "_Search", lodgings: _Lodgings, partners: _Partners) -> FeasibleSet:
    groups = search.groups
    table = _PartnerTable.of(partners, groups)
    cheapest = table.cheapest(groups)
    if len(table.worths):
        lodgings = lodgings.taken(lodgings.cost + cheapest.min(axis=0)[lodgings.group] <= search.most)
    if not len(table.worths) or not len(lodgings.group):
        none = np.zeros(0, dtype=np.int64)
        return FeasibleSet(search.task, Histogram.of(none, none), None)
    utilities: Utilities
    if search.task.objective.is_cost:
        utilities = PairCosts.of(table, lodgings, search.most)
        kind, row = 0, int(np.argmin(lodgings.cost + cheapest[0][lodgings.group]))
    else:
        utilities = _pair_histogram(table, lodgings, search.most)
        kind, row = _best_pair(table, lodgings, cheapest, search.most, utilities.best)
    partner = int(table.order[table.first[kind * groups + lodgings.group[row]]])
    best = search.choice(lodgings, row, partners, partner)
    return FeasibleSet(search.task, utilities, best)


def _pair_histogram(table: _PartnerTable, lodgings: _Lodgings, most: int) -> Histogram:
    """How many plans have each utility, where utilities are sums of few different worths."""
    groups = (len(table.first) - 1) // len(table.worths)
    left = most - lodgings.cost
    own, kind = np.unique(lodgings.worth, return_inverse=True)
    values, counts = [], []
    for place, worth in enumerate(table.worths.tolist()):
        plans = table.within(lodgings.group + place * groups, left)
        # Sums of whole numbers below 2**53 are exact in floating point.
        counts.append(np.bincount(kind, weights=plans, minlength=len(own)).astype(np.int64))
        values.append(own + worth)
    return Histogram.of(np.concatenate(values), np.concatenate(counts))


def _best_pair(table: _PartnerTable, lodgings: _Lodgings, cheapest: Integers, most: int, best: int) -> tuple[int, int]:
    """The kind of partner and the row of the lodging of the cheapest plan with the best utility."""
    found = []
    for kind, worth in enumerate(table.worths.tolist()):
        total = lodgings.cost + cheapest[kind][lodgings.group]
        rows = np.flatnonzero((lodgings.worth + worth == best) & (total <= most))
        if len(rows):
            row = int(rows[np.argmin(total[rows])])
            found.append((int(total[row]), kind, row))
    _, kind, row = min(found)
    return kind, row


@dataclass(frozen=True)
class PairCosts:
    """The utilities of all pairs when the utility is minus the cost: counted by bisection, never listed."""

    table: _PartnerTable
    group: Integers
    cost: Integers
    least: Integers
    """What each lodging costs with its cheapest partner, ascending."""

    most: int
    size: int

    @classmethod
    def of(cls, table: _PartnerTable, lodgings: _Lodgings, most: int) -> "PairCosts":
        least = lodgings.cost + table.cheapest(len(table.first) - 1)[0][lodgings.group]
        order = np.argsort(least, kind="stable")
        group, cost, least = lodgings.group[order], lodgings.cost[order], least[order]
        size = int(table.within(group, most - cost).sum())
        return cls(table, group, cost, least, most, size)

    @property
    def best(self) -> int:
        return -int(self.least[0])

    def better_than(self, utility: int) -> int:
        return int(self._up_to(np.array([min(-utility - 1, self.most)]))[0])

    def _up_to(self, bounds: Integers) -> Integers:
        """How many plans cost at most so much, for ascending bounds."""
        there = int(self.least.searchsorted(bounds[-1], side="right"))
        return np.asarray(self.table.within(self.group[:there], bounds[:, None] - self.cost[:there]).sum(axis=1))

    def at_place(self, place: int) -> int:
        """Looks for the cost between two bounds, at several places at once as long as that is cheap."""
        probes = max(1, min(15, 4096 // len(self.least)))
        low, high = int(self.least[0]) - 1, self._high_enough(place)
        while high - low > 1:
            bounds = low + (high - low) * np.arange(1, probes + 1) // (probes + 1)
            enough = int(self._up_to(bounds).searchsorted(place, side="left"))
            low, high = (
                int(bounds[enough - 1]) if enough else low,
                int(bounds[enough]) if enough < probes else high,
            )
        return -high

    def _high_enough(self, place: int) -> int:
        """A cost that at least so many plans stay within: that of the first lodgings with their cheapest partners."""
        return int(self.least[place - 1]) if place <= len(self.least) else self.most_there

    @cached_property
    def most_there(self) -> int:
        """The cost of the dearest plan, or the budget."""
        return min(self.most, int(self.cost.max()) + int((self.table.keys & UNLIMITED).max()))

    def next_below(self, utility: int) -> int | None:
        group, left = self.group, -utility - self.cost
        places = np.searchsorted(self.table.keys, (group << COST_BITS) + np.maximum(left, -1), side="right")
        there = places < self.table.first[group + 1]
        costs = self.cost[there] + (self.table.keys[places[there]] & UNLIMITED)
        nearest = int(costs.min()) if len(costs) else self.most + 1
        return -nearest if nearest <= self.most else None
