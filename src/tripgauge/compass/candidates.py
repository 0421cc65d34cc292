"""The candidates of a task: what lodgings there are for each stay, and apart from them what flights and permits.

Every constraint but the budget is decided here, on whole columns. A park and a stay together are a group, numbered from
0; only candidates of one group go together.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from tripgauge.compass.catalogue import Column, Integers, Mask
from tripgauge.compass.constraints import Constraint
from tripgauge.compass.filters import Component, Filter
from tripgauge.compass.index import Index
from tripgauge.compass.objectives import FeatureCount, Part, SingleMetric
from tripgauge.compass.offers import (
    LAST_DAY,
    Choice,
    Drive,
    FlightPackage,
    HotelPackage,
    PermitPackage,
)
from tripgauge.compass.task import Task

COST_BITS = 40
"""Costs in cents lie below 2 to this power, so that a key can hold a group above them."""

UNLIMITED = (1 << COST_BITS) - 1

BLOCK = 512
"""Configurations looked at together: few enough that their nights stay in the processor's cache."""


@dataclass(frozen=True)
class Lodgings:
    """One row for each configuration and stay at which it can be had."""

    group: Integers
    cost: Integers
    """All rooms and nights, in cents."""

    worth: Integers
    """What it contributes to the utility, besides its cost."""

    config: Integers
    """Row of the configuration."""


@dataclass(frozen=True)
class Partners:
    """One row for each flight and stay, or each flight, stay and kind of permit that costs and is worth the same."""

    group: Integers
    cost: Integers
    """For all travelers, in cents."""

    worth: Integers
    weight: Integers
    """For how many plans it stands: permits of the same fee and worth are counted together."""

    flight: Integers
    """Row of the flight."""

    window: Integers
    """Row of the first such permit window; -1 without permits."""


@dataclass(frozen=True)
class _Permits:
    """One row for each group and kind of permit window that costs and is worth the same, sorted by group."""

    group: Integers
    cost: Integers
    worth: Integers
    weight: Integers
    window: Integers


_COMPONENTS = tuple(Component)
_NO_WISHES: dict[Part, tuple[Constraint, ...]] = dict.fromkeys(Part, ())


class Candidates:
    """The candidates of one task."""

    def __init__(self, index: Index, task: Task) -> None:
        self.index = index
        self.catalogue = index.catalogue
        self.task = task
        self.guests = task.guests
        self.stays = task.stays
        self.starts = np.array([stay.start for stay in self.stays])
        self.ends = np.array([stay.end for stay in self.stays])
        self.most = UNLIMITED if task.budget_cents is None else min(task.budget_cents, UNLIMITED)
        """Cents that the plan may cost."""
        self.filters: dict[Component, list[Filter]] = {component: [] for component in _COMPONENTS}
        for stated in task.constraints:
            for asked in stated.constraint.filters(self.guests):
                self.filters[asked.attribute.component].append(asked)
        self.wishes = task.objective.by_part if isinstance(task.objective, FeatureCount) else _NO_WISHES
        self.parks = self._parks()

    def _parks(self) -> list[int]:
        """The ids of the parks to choose from."""
        accepted = np.ones(len(self.catalogue.parks), dtype=np.bool_)
        for asked in self.filters[Component.PARK]:
            accepted &= asked.mask(self.catalogue.parks.column(asked.attribute.name))
        return (accepted.nonzero()[0] + 1).tolist()

    @property
    def groups(self) -> int:
        return len(self.parks) * len(self.stays)

    # -- Lodgings

    def lodgings(self, left: Integers | None = None) -> Iterator[Lodgings]:
        """All lodgings that cost at most the budget, or at most what is left for them in each group; block by block."""
        configs = _joined([self._configs(park) for park in self.parks])
        for start in range(0, len(configs), BLOCK):
            yield self._block(configs[start : start + BLOCK], left)

    def _configs(self, park_id: int) -> Integers:
        """The configurations of a park that pass the filters."""
        here = self.catalogue.configs_of(park_id)
        kept = np.ones(here.stop - here.start, dtype=np.bool_)
        for component in (Component.HOTEL, Component.ROOM, Component.CONFIG):
            for asked in self.filters[component]:
                kept &= asked.mask(self.index.lodging_column(component, asked.attribute.name), here)
        return np.asarray(kept.nonzero()[0] + here.start)

    def _block(self, configs: Integers, left: Integers | None) -> Lodgings:
        """The stays at which some configurations can be had."""
        first, last = int(self.starts.min()) - 1, int(self.ends.max()) - 1
        rooms = self.index.rooms_for(self.guests)[configs]
        unusable = self.catalogue.rooms_available.values[first:last].take(configs, axis=1) < rooms
        for asked in self.filters[Component.HOTEL_OFFER]:
            unusable |= ~asked.mask(self.catalogue.night_prices.values[first:last].take(configs, axis=1))
        sums = self.index.price_sums[first : last + 1].take(configs, axis=1)
        starts, ends = self.starts - 1 - first, self.ends - 1 - first
        if len(self.stays) == 1:
            usable = ~unusable.any(axis=0, keepdims=True)
        else:
            gaps = np.zeros((unusable.shape[0] + 1, len(configs)), dtype=np.int8)
            np.cumsum(unusable, axis=0, dtype=np.int8, out=gaps[1:])
            usable = gaps.take(ends, axis=0) == gaps.take(starts, axis=0)
        cost = (sums.take(ends, axis=0) - sums.take(starts, axis=0)) * rooms
        park = self._place_of_park[self.catalogue.configs.codes("park_id")[configs]] * len(self.stays)
        usable &= cost <= (self.most if left is None else left[np.arange(len(self.stays))[:, None] + park])
        stay, config = usable.nonzero()
        worth = self._lodging_worth(configs)
        return Lodgings(park[config] + stay, cost[usable], worth[config], configs[config])

    @cached_property
    def _place_of_park(self) -> Integers:
        """The place of each park id among the parks to choose from."""
        places = np.zeros(len(self.catalogue.parks) + 1, dtype=np.int64)
        places[self.parks] = np.arange(len(self.parks))
        return places

    def _lodging_worth(self, configs: Integers) -> Integers:
        objective = self.task.objective
        if isinstance(objective, SingleMetric):
            attribute = objective.metric.attribute
            if attribute is None or Part.of(attribute.component) != Part.LODGING:
                return np.zeros(len(configs), dtype=np.int64)
            column = self.index.lodging_column(attribute.component, attribute.name)
            return np.asarray(objective.metric.sign * np.maximum(column[configs], 0))  # type: ignore[index]
        found = np.zeros(len(configs), dtype=np.int64)
        for wish in self.wishes[Part.LODGING]:
            columns = [self.index.lodging_column(a.component, a.name) for a in wish.kind.attributes]
            found += self._met(wish, columns, configs)
        return found

    def _met(self, wish: Constraint, columns: Sequence[Column], rows: Integers) -> Mask:
        """Where a wish is met; the columns are those of its attributes."""
        found = [asked.mask(column, rows) for asked, column in zip(wish.filters(self.guests), columns, strict=True)]
        return np.logical_and.reduce(found) if len(found) > 1 else found[0]

    # -- Partners

    def partners(self) -> Partners:
        """All flights, each with the permits that go with it where permits are needed."""
        flights = self._flights()
        return self._with_permits(flights) if self.task.level == 3 else flights

    def _flights(self) -> Partners:
        """The flights to the parks, for each stay on which they have seats."""
        legs = [(place, drive) for place, park in enumerate(self.parks) for drive in self._drives(park)]
        routes = [_joined([self._route(origin, drive.code) for origin in self._origins]) for _, drive in legs]
        rows, lengths = _joined(routes), [len(route) for route in routes]
        place = np.repeat(np.array([place for place, _ in legs], dtype=np.int64), lengths)
        hours = np.repeat(np.array([drive.drive_hours_x100 for _, drive in legs], dtype=np.int64), lengths)
        inside = (self.ends <= LAST_DAY).nonzero()[0]
        out, back = (self.starts[inside] - 1)[:, None], (self.ends[inside] - 1)[:, None]
        catalogue, guests = self.catalogue, self.guests
        fares = catalogue.out_prices.values[out, rows] + catalogue.back_prices.values[back, rows]
        cost = fares.astype(np.int64) * guests
        possible = catalogue.out_seats.values[out, rows] >= guests
        possible &= catalogue.back_seats.values[back, rows] >= guests
        possible &= cost <= self.most
        stay, flight = possible.nonzero()
        group = place[flight] * len(self.stays) + inside[stay]
        worth = self._flight_worth(rows, hours)[flight]
        return Partners(group, cost[possible], worth, np.ones_like(group), rows[flight], np.full_like(group, -1))

    @cached_property
    def _origins(self) -> tuple[str, ...]:
        """The airport the task starts from; all of them if it does not say."""
        if self.task.origin:
            return (self.task.origin,)
        return tuple(airport.code for airport in self.catalogue.airports.rows() if airport.is_origin)

    def _drives(self, park_id: int) -> list[Drive]:
        """The airports of a park that will do."""
        return [drive for drive in self.catalogue.drives_to(park_id) if self._is_suitable(drive)]

    def _is_suitable(self, drive: Drive) -> bool:
        airport = self.catalogue.airport(drive.code)
        if not all(asked.accepts(getattr(airport, asked.attribute.name)) for asked in self.filters[Component.AIRPORT]):
            return False
        return all(asked.accepts(getattr(drive, asked.attribute.name)) for asked in self.filters[Component.DRIVE])

    def _route(self, origin: str, destination: str) -> Integers:
        """The flights of a route that pass the filters."""
        here = self.catalogue.flights_of(origin, destination)
        kept = np.ones(here.stop - here.start, dtype=np.bool_)
        for asked in self.filters[Component.FLIGHT]:
            kept &= asked.mask(self.index.flight_columns[asked.attribute.name], here)
        return np.asarray(kept.nonzero()[0] + here.start)

    def _flight_worth(self, rows: Integers, drive_hours: Integers) -> Integers:
        objective = self.task.objective
        if isinstance(objective, SingleMetric):
            attribute = objective.metric.attribute
            if attribute is None or attribute.component != Component.DRIVE:
                return np.zeros(len(rows), dtype=np.int64)
            return objective.metric.sign * drive_hours
        found = np.zeros(len(rows), dtype=np.int64)
        for wish in self.wishes[Part.FLIGHT]:
            found += self._met(wish, [self.index.flight_columns[a.name] for a in wish.kind.attributes], rows)
        return found

    def _with_permits(self, flights: Partners) -> Partners:
        """Each flight of a group with each kind of permit of that group."""
        permits = self._permits()
        first = permits.group.searchsorted(flights.group, side="left")
        counts = permits.group.searchsorted(flights.group, side="right") - first
        flight = np.repeat(np.arange(len(flights.group)), counts)
        permit = np.arange(len(flight)) - np.repeat(np.cumsum(counts) - counts, counts) + np.repeat(first, counts)
        return Partners(
            flights.group[flight],
            flights.cost[flight] + permits.cost[permit],
            flights.worth[flight] + permits.worth[permit],
            permits.weight[permit],
            flights.flight[flight],
            permits.window[permit],
        )

    def _permits(self) -> _Permits:
        """The permit windows inside each stay."""
        windows, table = self.index.windows, self.catalogue.permits
        rows = [np.arange(*windows.rows_of(park).indices(len(windows.start))) for park in self.parks]
        here = _joined(rows)
        place = np.repeat(np.arange(len(rows)), [len(part) for part in rows])
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
        stay, window = inside.nonzero()
        per_person = (
            table.codes("fee_person_cents")[permit] + (days - 1) * table.codes("fee_person_night_cents")[permit]
        )
        fee = table.codes("fee_group_cents")[permit] + self.guests * per_person
        worth = np.zeros(len(permit), dtype=np.int64)
        for wish in self.wishes[Part.PERMIT]:
            worth += self._met(wish, [table.column(a.name) for a in wish.kind.attributes], permit)
        group = place[window] * len(self.stays) + stay
        key = (((group << 8) + worth[window]) << COST_BITS) + fee[window]
        _, first, counts = np.unique(key, return_index=True, return_counts=True)
        chosen = window[first]
        return _Permits(group[first], fee[chosen], worth[chosen], counts, here[chosen])

    # -- Packages

    def choice(self, group: int, config: int, partners: Partners | None = None, partner: int | None = None) -> Choice:
        """The packages of a configuration and a partner, by their rows, in a group."""
        stay = self.stays[group % len(self.stays)]
        hotel = HotelPackage(config + 1, stay, int(self.index.rooms_for(self.guests)[config]))
        if partners is None or partner is None:
            return Choice(hotel)
        flight = FlightPackage(int(partners.flight[partner]) + 1, stay)
        window, windows = int(partners.window[partner]), self.index.windows
        if window < 0:
            return Choice(hotel, flight)
        start, days = int(windows.start[window]), int(windows.days[window])
        return Choice(hotel, flight, PermitPackage(int(windows.permit[window]) + 1, start, days))


def _joined(parts: Sequence[Integers]) -> Integers:
    if len(parts) == 1:
        return parts[0]
    return np.concatenate(parts) if parts else np.zeros(0, dtype=np.int64)
