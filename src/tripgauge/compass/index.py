"""What is looked up once in a catalogue and used by every search: sums over nights, columns by configuration."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from tripgauge.compass.catalogue import Catalogue, Column, Integers, Record, Table, Words
from tripgauge.compass.filters import Component
from tripgauge.compass.offers import LAST_DAY, WEEKDAYS, Config, Hotel, Room, weekday


class Index:
    """A catalogue with what follows from it; each thing is made when it is first asked for."""

    def __init__(self, catalogue: Catalogue) -> None:
        self.catalogue = catalogue

    @cached_property
    def price_sums(self) -> Integers:
        """Cents of all nights before a day, by day (row 0 is the first) and configuration."""
        prices = np.maximum(self.catalogue.night_prices.values, 0)
        sums = np.zeros((prices.shape[0] + 1, prices.shape[1]), dtype=np.int64)
        np.cumsum(prices, axis=0, out=sums[1:])
        return sums

    @cached_property
    def occupancy(self) -> Integers:
        """How many each configuration's room sleeps."""
        rooms = self.catalogue.configs.codes("room_id") - 1
        return np.asarray(self.catalogue.rooms.codes("max_occupancy")[rooms], dtype=np.int64)

    def rooms_for(self, guests: int) -> Integers:
        """How many rooms of each configuration the party takes."""
        known = self._rooms_for.get(guests)
        if known is None:
            known = self._rooms_for[guests] = -(-guests // self.occupancy)
        return known

    @cached_property
    def _rooms_for(self) -> dict[int, Integers]:
        return {}

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

    # -- Records, each made once

    @cached_property
    def _records(self) -> dict[tuple[type, int], object]:
        return {}

    def hotel(self, row: int) -> Hotel:
        return self._record(self.catalogue.hotels, row)

    def room(self, row: int) -> Room:
        return self._record(self.catalogue.rooms, row)

    def config(self, row: int) -> Config:
        return self._record(self.catalogue.configs, row)

    def _record(self, table: Table[Record], row: int) -> Record:
        key = (table.record, row)
        if key not in self._records:
            self._records[key] = table.row(row)
        return self._records[key]  # type: ignore[return-value]

    @cached_property
    def park_names(self) -> list[str]:
        return self.catalogue.parks.values("name")

    @cached_property
    def town_names(self) -> list[str]:
        return self.catalogue.towns.values("name")

    @cached_property
    def windows(self) -> "PermitWindows":
        return PermitWindows.of(self.catalogue)


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
class PermitWindows:
    """Every start and length at which a permit has places left, of all permits, park by park."""

    park_id: Integers
    permit: Integers
    """Row of the permit."""

    start: Integers
    days: Integers
    places: Integers
    start_weekday: Words

    @classmethod
    def of(cls, catalogue: Catalogue) -> "PermitWindows":
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
