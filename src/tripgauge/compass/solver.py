"""The exact solver: how many plans are feasible, the best one, and the rank of any, without listing them (spec 8, 16).

What a plan costs and what it is worth are sums over its lodging and its partners, a flight and a permit. So the
lodgings of a stay and the partners of that stay are listed apart. Each partner gets the key (worth, stay, cost); in
the sorted keys one binary search finds how many partners a lodging can afford. Everything is counted in integers.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from tripgauge.compass.catalogue import Catalogue, Column, Mask, Table, Words
from tripgauge.compass.constraints import Component, Constraint, Filter, find_uncoupled
from tripgauge.compass.objectives import FeatureCount, Part, SingleMetric
from tripgauge.compass.offers import (
    LAST_DAY,
    WEEKDAYS,
    Choice,
    Drive,
    FlightPackage,
    HotelPackage,
    PermitPackage,
    TravelPlan,
    rooms_needed,
    weekday,
)
from tripgauge.compass.ranking import TOP_PERCENTS, Histogram, Standing, Utilities, standing, threshold
from tripgauge.compass.task import StatedConstraint, Task

Integers = NDArray[np.int64]

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

    def __init__(self, catalogue: Catalogue) -> None:
        self.catalogue = catalogue

    def solve(self, task: Task) -> FeasibleSet:
        """The feasible set of a task."""
        search = _Search(self, task)
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

    # -- What is looked up once

    @cached_property
    def price_sums(self) -> Integers:
        """Cents of all nights before a day, by day (row 0 is the first) and configuration."""
        prices = np.maximum(self.catalogue.night_prices.values, 0)
        sums = np.zeros((prices.shape[0] + 1, prices.shape[1]), dtype=np.int64)
        np.cumsum(prices, axis=0, out=sums[1:])
        return sums

    @cached_property
    def _lodging_columns(self) -> dict[tuple[Component, str], Column]:
        return {}

    def lodging_column(self, component: Component, name: str) -> Column:
        """A column of hotels, rooms or configurations, with one row for each configuration."""
        known = self._lodging_columns.get((component, name))
        if known is None:
            known = self._lodging_columns[component, name] = self._by_config(component, name)
        return known

    def _by_config(self, component: Component, name: str) -> Column:
        configs = self.catalogue.configs
        if component == Component.CONFIG:
            return configs.column(name)
        table: Table[object] = self.catalogue.hotels if component == Component.HOTEL else self.catalogue.rooms  # type: ignore[assignment]
        rows = configs.codes("hotel_id" if component == Component.HOTEL else "room_id") - 1
        column = table.column(name)
        return Words(column.codes[rows], column.words) if isinstance(column, Words) else column[rows]

    @cached_property
    def flight_columns(self) -> dict[str, Column]:
        """The columns of flights, with those that follow from both legs."""
        flights = self.catalogue.flights
        found = {name: flights.column(name) for name in flights.names}
        found["longest_minutes"] = np.maximum(flights.codes("out_minutes"), flights.codes("back_minutes"))
        out, back = flights.words("out_depart"), flights.words("back_depart")
        found["earliest_depart"] = _lesser(out, back)
        out, back = flights.words("out_arrive"), flights.words("back_arrive")
        found["latest_arrive"] = _greater(out, back)
        return found

    @cached_property
    def windows(self) -> "_Windows":
        return _Windows.of(self.catalogue)


def _lesser(one: Words, other: Words) -> Words:
    one, other = _same_words(one, other)
    return Words(np.minimum(one.codes, other.codes), one.words)


def _greater(one: Words, other: Words) -> Words:
    one, other = _same_words(one, other)
    return Words(np.maximum(one.codes, other.codes), one.words)


def _same_words(one: Words, other: Words) -> tuple[Words, Words]:
    """Two columns of texts with the same list of texts."""
    words = tuple(sorted({*one.words, *other.words}))
    place = {word: place for place, word in enumerate(words)}
    moved = [np.array([place[word] for word in column.words], dtype=np.int32)[column.codes] for column in (one, other)]
    return Words(moved[0], words), Words(moved[1], words)


@dataclass(frozen=True)
class _Windows:
    """Every start and length at which a permit has places left, of all permits, park by park."""

    park_id: Integers
    permit: Integers
    """Row of the permit."""

    start: Integers
    days: Integers
    places: Integers
    start_weekday: Words

    @classmethod
    def of(cls, catalogue: Catalogue) -> "_Windows":
        rows = []
        for row, permit in enumerate(catalogue.permits.rows()):
            left = catalogue.remaining.values[:, row].tolist()
            for days in range(permit.min_days, min(permit.max_days, LAST_DAY) + 1):
                for start in range(1, LAST_DAY - days + 2):
                    places = min(left[start - 1 : start - 1 + days])
                    if places > 0:
                        rows.append((permit.park_id, row, start, days, places))
        park, permits, starts, lengths, places_ = np.array(sorted(rows), dtype=np.int64).reshape(-1, 5).T
        names = Words.chosen(
            WEEKDAYS, np.array([WEEKDAYS.index(weekday(start)) for start in starts.tolist()], dtype=np.int64)
        )
        return cls(park, permits, starts, lengths, places_, names)

    def rows_of(self, park_id: int) -> slice:
        return slice(*np.searchsorted(self.park_id, (park_id, park_id + 1)).tolist())


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

    def __init__(self, solver: Solver, task: Task) -> None:
        self.solver = solver
        self.catalogue = solver.catalogue
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
        config = self.catalogue.configs.row(int(lodgings.config[row]))
        rooms = rooms_needed(self.guests, self.catalogue.rooms.row(config.room_id - 1).max_occupancy)
        return HotelPackage(config.config_id, self.stays[int(lodgings.group[row]) % len(self.stays)], rooms)

    def choice(self, lodgings: _Lodgings, row: int, partners: _Partners, partner: int) -> Choice:
        """The packages of a lodging and a partner."""
        hotel = self.hotel_package(lodgings, row)
        flight = FlightPackage(int(partners.flight[partner]) + 1, hotel.stay)
        window = int(partners.window[partner])
        if window < 0:
            return Choice(hotel, flight)
        windows = self.solver.windows
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
                kept &= asked.mask(self.solver.lodging_column(component, asked.attribute.name), here)
        configs = np.flatnonzero(kept) + here.start
        blocks = [self.block(place, configs[start : start + BLOCK]) for start in range(0, len(configs), BLOCK)]
        return _Lodgings.joined(blocks)

    def block(self, place: int, configs: Integers) -> _Lodgings:
        """The stays at which some configurations can be had, within the budget."""
        first, last = int(self.starts.min()) - 1, int(self.ends.max()) - 1
        occupancy = self.solver.lodging_column(Component.ROOM, "max_occupancy")
        rooms = -(-self.guests // occupancy[configs])  # type: ignore[index]
        unusable = self.catalogue.rooms_available.values[first:last, configs] < rooms
        for asked in self.filters[Component.HOTEL_OFFER]:
            prices = self.catalogue.night_prices.values[first:last, configs]
            unusable |= ~asked.mask(prices)
        sums = self.solver.price_sums[first : last + 1, configs]
        starts, ends = self.starts - 1 - first, self.ends - 1 - first
        if len(self.stays) == 1:
            usable = ~unusable.any(axis=0, keepdims=True)
        else:
            gaps = np.zeros((unusable.shape[0] + 1, len(configs)), dtype=np.int8)
            np.cumsum(unusable, axis=0, dtype=np.int8, out=gaps[1:])
            usable = gaps[ends] == gaps[starts]
        cost = (sums[ends] - sums[starts]) * rooms
        usable &= cost <= self.most
        stay, config = np.nonzero(usable)
        worth = self.lodging_worth(configs)[config]
        return _Lodgings(self.group(place, stay), cost[stay, config], worth, configs[config])

    def lodging_worth(self, configs: Integers) -> Integers:
        objective = self.task.objective
        if isinstance(objective, SingleMetric):
            attribute = objective.metric.attribute
            if attribute is None or Part.of(attribute.component) != Part.LODGING:
                return np.zeros(len(configs), dtype=np.int64)
            column = self.solver.lodging_column(attribute.component, attribute.name)
            return objective.metric.sign * np.maximum(column[configs], 0)  # type: ignore[index]
        columns = self.solver.lodging_column
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
        flights = _Partners.joined([self.flights(place, drive) for drive in self.drives(self.park_ids[place])])
        return self.with_permits(place, flights) if self.task.level == 3 and len(flights.group) else flights

    def drives(self, park_id: int) -> list[Drive]:
        """The airports of a park that will do."""
        drives = self.catalogue.drives_to(park_id)
        found = []
        for drive in drives:
            airport = self.catalogue.airport(drive.code)
            if all(
                asked.accepts(getattr(airport, asked.attribute.name)) for asked in self.filters[Component.AIRPORT]
            ) and all(asked.accepts(getattr(drive, asked.attribute.name)) for asked in self.filters[Component.DRIVE]):
                found.append(drive)
        return found

    def flights(self, place: int, drive: Drive) -> _Partners:
        """The flights to one airport, for each stay on which they have seats."""
        origins = (
            [self.task.origin] if self.task.origin else [a.code for a in self.catalogue.airports.rows() if a.is_origin]
        )
        rows = np.concatenate([self.route(origin, drive.code) for origin in origins])
        inside = np.flatnonzero(self.ends <= LAST_DAY)
        out, back = self.starts[inside] - 1, self.ends[inside] - 1
        catalogue, guests = self.catalogue, self.guests
        fares = catalogue.out_prices.values[np.ix_(out, rows)] + catalogue.back_prices.values[np.ix_(back, rows)]
        seats = np.minimum(
            catalogue.out_seats.values[np.ix_(out, rows)], catalogue.back_seats.values[np.ix_(back, rows)]
        )
        cost = fares.astype(np.int64) * guests
        stay, flight = np.nonzero((seats >= guests) & (cost <= self.most))
        worth = self.flight_worth(rows, drive)[flight]
        group = self.group(place, inside[stay])
        return _Partners(group, cost[stay, flight], worth, np.ones_like(group), rows[flight], np.full_like(group, -1))

    def route(self, origin: str, destination: str) -> Integers:
        """The flights of a route that pass the filters."""
        here = self.catalogue.flights_of(origin, destination)
        kept = np.ones(here.stop - here.start, dtype=np.bool_)
        for asked in self.filters[Component.FLIGHT]:
            kept &= asked.mask(self.solver.flight_columns[asked.attribute.name], here)
        return np.flatnonzero(kept) + here.start

    def flight_worth(self, rows: Integers, drive: Drive) -> Integers:
        objective = self.task.objective
        if isinstance(objective, SingleMetric):
            attribute = objective.metric.attribute
            far = attribute is not None and attribute.component == Component.DRIVE
            return np.full(len(rows), objective.metric.sign * drive.drive_hours_x100 if far else 0, dtype=np.int64)
        columns = self.solver.flight_columns
        met = [
            self.met(wish, [columns[a.name] for a in wish.kind.attributes], rows) for wish in self.wishes[Part.FLIGHT]
        ]
        return _count(met, len(rows))

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
        windows, table = self.solver.windows, self.catalogue.permits
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
        places = np.searchsorted(self.keys, (group << COST_BITS) + np.maximum(left, -1), side="right")
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
        return self._up_to(min(-utility - 1, self.most))

    def _up_to(self, bound: int) -> int:
        """How many plans cost at most so much."""
        there = int(np.searchsorted(self.least, bound, side="right"))
        return int(self.table.within(self.group[:there], bound - self.cost[:there]).sum())

    def at_place(self, place: int) -> int:
        low, high = int(self.least[0]) - 1, min(self.most, int(self.least[-1]))
        while self._up_to(high) < place:
            high = min(self.most, high + (high - low))
        while high - low > 1:
            middle = (low + high) // 2
            if self._up_to(middle) >= place:
                high = middle
            else:
                low = middle
        return -high

    def next_below(self, utility: int) -> int | None:
        group, left = self.group, -utility - self.cost
        places = np.searchsorted(self.table.keys, (group << COST_BITS) + np.maximum(left, -1), side="right")
        there = places < self.table.first[group + 1]
        costs = self.cost[there] + (self.table.keys[places[there]] & UNLIMITED)
        nearest = int(costs.min()) if len(costs) else self.most + 1
        return -nearest if nearest <= self.most else None
