"""The sandbox as the published evaluator looks things up in it. (published code, `evaluation/`)

Places are found by exact names and by aliases taken from the data, never by likeness. Prices, opening hours and
timetables are read here once, so that a check only compares numbers.
"""

import math
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

from tripgauge.trip_plus.release.primitives import (
    MINUTES_PER_DAY,
    norm,
    num_strict,
    parse_hhmm,
    round_int,
    without_brackets,
    without_room_count,
)
from tripgauge.trip_plus.sandbox.files import MatrixEntry, Row, SampleFiles, SandboxFiles, Table

Entry = TypeVar("Entry")

SHORTEST_COMMA_ALIAS = 8


class EntityIndex(Generic[Entry]):
    """Places by name: the raw name first, then its compared form, then the same without brackets and room notes."""

    def __init__(self) -> None:
        self._entries: dict[str, Entry] = {}

    def find(self, name: str) -> Entry | None:
        """The place of that name; None if there is none."""
        entries = self._entries
        raw = name.strip()
        entry = entries.get(raw)
        if entry is None:
            entry = entries.get(norm(raw))
        if entry is None:
            cleaned = without_room_count(without_brackets(raw)).strip()
            if cleaned != raw:
                entry = entries.get(cleaned)
                return entry if entry is not None else entries.get(norm(cleaned))
        return entry

    def __len__(self) -> int:
        """How many spellings are known; 0 for an empty table."""
        return len(self._entries)

    def put(self, name: str, entry: Entry) -> None:
        """Know the place by its name, and by the compared form of it if no other place has that."""
        if name.strip():
            self._entries[name.strip()] = entry
            self._entries.setdefault(norm(name), entry)

    def replace(self, name: str, entry: Entry) -> None:
        """Know the place by its name in both forms, whatever was known by them before."""
        self._entries[name.strip()] = entry
        self._entries[norm(name)] = entry

    def add_alias(self, alias: str, entry: Entry) -> None:
        """Know the place by one more name, as far as that is free."""
        if alias.strip():
            self._entries.setdefault(alias.strip(), entry)
            self._entries.setdefault(norm(alias), entry)

    def add_comma_aliases(self, names: Iterable[str]) -> None:
        """Let what stands before the first comma of a name stand for the place, where only one name begins so."""
        owners: dict[str, set[str]] = defaultdict(set)
        spelled: dict[str, str] = {}
        for name in names:
            alias, comma, _ = name.replace("，", ",").partition(",")
            key = norm(alias)
            if comma and len(key) >= SHORTEST_COMMA_ALIAS:
                owners[key].add(name)
                spelled[key] = alias
        for key, names_of_key in owners.items():
            entry = self.find(next(iter(names_of_key)))
            if len(names_of_key) == 1 and key not in self._entries and entry is not None:
                self.add_alias(spelled[key], entry)


@dataclass(frozen=True, slots=True)
class HotelEntry:
    """A hotel of the sandbox."""

    name: str
    city: str
    has_price: bool
    price: int | None
    """Whole yuan per night; None if the cell holds no number."""


@dataclass(frozen=True, slots=True)
class OpeningHours:
    """Clock times in minutes from midnight; closing before opening means open past midnight."""

    opening: int
    closing: int


@dataclass(frozen=True, slots=True)
class AttractionEntry:
    """A sight of the sandbox."""

    name: str
    has_price: bool
    price: int | None
    hours: OpeningHours | None
    """None if open all day or not stated as clock times."""
    closed_on: frozenset[int]
    """Weekdays, 1 for Monday to 7 for Sunday."""
    min_visit_hours: float | None
    max_visit_hours: float | None


@dataclass(frozen=True, slots=True)
class RestaurantEntry:
    """A restaurant of the sandbox."""

    name: str
    has_price: bool
    price: int | None
    hours: OpeningHours | None


@dataclass(frozen=True, slots=True)
class Coordinates:
    """A point, with the texts its coordinates are written in: the distance matrix is keyed by them."""

    latitude: str
    longitude: str

    @property
    def key(self) -> str:
        """The point as the distance matrix writes it."""
        return f"{self.latitude},{self.longitude}"

    @property
    def decimals(self) -> int:
        """How many decimals the more precise coordinate has."""
        return max(len(text.partition(".")[2]) for text in (self.latitude, self.longitude))


@dataclass(frozen=True, slots=True)
class TicketRow:
    """A flight or train of the timetable on some date."""

    start: int
    end: int
    """Minutes from midnight of the day of departure."""
    origin: str
    destination: str
    """Station names in the form they are compared in."""
    price: int | None
    """Whole yuan."""
    route_fares: frozenset[int]
    """Whole-yuan totals of the complete route that the row is part of."""


@dataclass(frozen=True)
class ReleaseIndex:
    """Everything a plan may name, found as the published evaluator finds it. Built once per sandbox."""

    files: SandboxFiles
    hotels: EntityIndex[HotelEntry]
    attractions: EntityIndex[AttractionEntry]
    restaurants: EntityIndex[RestaurantEntry]
    locations: EntityIndex[Coordinates]
    tickets: Mapping[str, tuple[TicketRow, ...]]
    """Timetable rows by flight or train number."""
    station_cities: Mapping[str, str]
    """City by station name, raw and in compared form."""
    distance_matrix: Mapping[tuple[str, str], MatrixEntry]

    def city_of_station(self, name: str) -> str | None:
        """The city a station or airport lies in; a hub of connecting routes lies in one of their end cities."""
        return _city_of(self.station_cities, name)

    def coordinates(self, name: str) -> Coordinates | None:
        """Where a place lies, found by its name or written as `latitude,longitude`."""
        found = self.locations.find(name)
        if found is not None and _is_decimal(found.latitude) and _is_decimal(found.longitude):
            return found
        written = _POINT.fullmatch(name.strip())
        return Coordinates(written[1], written[2]) if written is not None else None

    def travel_minutes(self, origin: Coordinates, destination: Coordinates) -> float:
        """How long the way takes: as the distance matrix says, else estimated from the straight line."""
        entry = self.distance_matrix.get((origin.key, destination.key))
        minutes = num_strict(entry.duration_minutes) if entry is not None else None
        return minutes if minutes is not None else _estimated_minutes(_straight_line_km(origin, destination))


def release_index(files: SandboxFiles) -> ReleaseIndex:
    """The index of a sandbox; with city-level data, metro stations are places as well."""
    sample = files.sample
    aliases = dict(_alias_pairs(sample.aliases))
    locations = _locations(sample.locations, aliases)
    _add_metro_stations(locations, files, aliases)
    return ReleaseIndex(
        files=files,
        hotels=_hotels(sample.hotels),
        attractions=_attractions(sample.attractions),
        restaurants=_restaurants(sample.restaurants),
        locations=locations,
        tickets=_tickets(sample),
        station_cities=_station_cities(sample, aliases),
        distance_matrix=sample.distance_matrix,
    )


# --- Places with prices ----------------------------------------------------------------------------------------------

_ALL_DAY = "Open 24 Hours"
_WEEKDAYS = {
    name: number
    for number, name in enumerate(("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"), 1)
}


def _cell(row: Row, column: str) -> str:
    return row.get(column, "").strip()


def _hotels(table: Table) -> EntityIndex[HotelEntry]:
    return _indexed(
        HotelEntry(_cell(row, "name"), _cell(row, "city"), bool(_cell(row, "price")), round_int(_cell(row, "price")))
        for row in table
    )


def _attractions(table: Table) -> EntityIndex[AttractionEntry]:
    return _indexed(
        AttractionEntry(
            name=_cell(row, "attraction_name"),
            has_price=bool(_cell(row, "ticket_price")),
            price=round_int(_cell(row, "ticket_price")),
            hours=_opening_hours(row),
            closed_on=_closing_days(_cell(row, "closing_dates")),
            min_visit_hours=num_strict(_cell(row, "min_visit_hours")),
            max_visit_hours=num_strict(_cell(row, "max_visit_hours")),
        )
        for row in table
    )


def _restaurants(table: Table) -> EntityIndex[RestaurantEntry]:
    return _indexed(
        RestaurantEntry(
            name=_cell(row, "restaurant_name"),
            has_price=bool(_cell(row, "price_per_person")),
            price=round_int(_cell(row, "price_per_person")),
            hours=_opening_hours(row),
        )
        for row in table
    )


NamedEntry = TypeVar("NamedEntry", HotelEntry, AttractionEntry, RestaurantEntry)


def _indexed(entries: Iterable[NamedEntry]) -> EntityIndex[NamedEntry]:
    index: EntityIndex[NamedEntry] = EntityIndex()
    names = []
    for entry in entries:
        index.put(entry.name, entry)
        names.append(entry.name)
    index.add_comma_aliases(names)
    return index


def _opening_hours(row: Row) -> OpeningHours | None:
    opening, closing = _cell(row, "opening_time"), _cell(row, "closing_time")
    if opening == closing == _ALL_DAY:
        return None
    start, end = parse_hhmm(opening), parse_hhmm(closing)
    return OpeningHours(start, end) if start is not None and end is not None else None


def _closing_days(cell: str) -> frozenset[int]:
    words = (word.strip().lower() for word in cell.split(","))
    return frozenset(_WEEKDAYS[word] for word in words if word in _WEEKDAYS)


# --- Locations -------------------------------------------------------------------------------------------------------

_DECIMAL = r"[+-]?\d+(?:\.\d+)?"
_POINT = re.compile(rf"({_DECIMAL})\s*,\s*({_DECIMAL})")


def _is_decimal(text: str) -> bool:
    return re.fullmatch(_DECIMAL, text) is not None


def _alias_pairs(table: Table) -> Iterator[tuple[str, str]]:
    for row in table:
        alias, canonical = _cell(row, "alias"), _cell(row, "canonical_name")
        if alias and canonical:
            yield alias, canonical


def _chain(name: str, aliases: Mapping[str, str]) -> Iterator[str]:
    """The names that an alias stands for, one after the other; ends where they begin to repeat."""
    seen: set[str] = set()
    while name in aliases and name not in seen:
        seen.add(name)
        name = aliases[name]
        yield name


def _locations(table: Table, aliases: Mapping[str, str]) -> EntityIndex[Coordinates]:
    index: EntityIndex[Coordinates] = EntityIndex()
    names = []
    for row in table:
        name = _cell(row, "poi_name")
        point = Coordinates(_cell(row, "latitude"), _cell(row, "longitude"))
        known = index.find(name)
        if known is None:
            index.put(name, point)
            names.append(name)
        elif point.decimals < known.decimals:
            # Of two rows for a place the coarser one counts.
            index.replace(name, point)
    _add_location_aliases(index, aliases)
    index.add_comma_aliases(names)
    return index


def _add_location_aliases(index: EntityIndex[Coordinates], aliases: Mapping[str, str]) -> None:
    found = []
    for alias in aliases:
        if index.find(alias) is None:
            points = (index.find(name) for name in _chain(alias, aliases))
            point = next((point for point in points if point is not None), None)
            if point is not None:
                found.append((alias, point))
    for alias, point in found:
        index.add_alias(alias, point)


def _add_metro_stations(index: EntityIndex[Coordinates], files: SandboxFiles, aliases: Mapping[str, str]) -> None:
    """Metro stations of both ends of the trip take over the names of other places, sights included."""
    meta, cities = files.sample.meta, files.cities
    if meta is None or cities is None:
        return
    for name in dict.fromkeys((meta.org, *meta.dest)):
        city = cities.city(name)
        if city is None:
            continue
        stops: dict[str, Coordinates] = {}
        for stop in (stop for line in city.subway for stop in line.stops):
            stops.setdefault(stop.name.strip(), Coordinates(stop.latitude, stop.longitude))
        for stop_name, point in stops.items():
            index.put(stop_name, point)
    _add_location_aliases(index, aliases)


# --- Ways ------------------------------------------------------------------------------------------------------------

_EARTH_RADIUS_KM = 6371.0
_LONGEST_WALK_KM = 1.5
_WALKING_KM_PER_HOUR = 5.0
_DRIVING_KM_PER_HOUR = 30.0


def _straight_line_km(origin: Coordinates, destination: Coordinates) -> float:
    latitude, other = math.radians(float(origin.latitude)), math.radians(float(destination.latitude))
    across = math.radians(float(destination.longitude) - float(origin.longitude))
    half_chord = (
        math.sin((other - latitude) / 2) ** 2 + math.cos(latitude) * math.cos(other) * math.sin(across / 2) ** 2
    )
    return 2 * _EARTH_RADIUS_KM * math.asin(min(1.0, math.sqrt(half_chord)))


def _estimated_minutes(km: float) -> float:
    speed = _WALKING_KM_PER_HOUR if km <= _LONGEST_WALK_KM else _DRIVING_KM_PER_HOUR
    return max(1.0, km / speed * 60)


# --- Tickets ---------------------------------------------------------------------------------------------------------


def _tickets(sample: SampleFiles) -> Mapping[str, tuple[TicketRow, ...]]:
    rows: dict[str, list[TicketRow]] = defaultdict(list)
    for table, number_column in ((sample.flights, "flight_no"), (sample.trains, "train_no")):
        fares = _RouteFares(table)
        for row in table:
            number = _cell(row, number_column)
            times = _ticket_times(_cell(row, "dep_datetime"), _cell(row, "arr_datetime"))
            if number:
                rows[number].extend(
                    TicketRow(
                        start=start,
                        end=end,
                        origin=norm(row.get("dep_station_name", "")),
                        destination=norm(row.get("arr_station_name", "")),
                        price=round_int(_cell(row, "price")),
                        route_fares=fares.of(row),
                    )
                    for start, end in times
                )
    return {number: tuple(found) for number, found in rows.items()}


def _ticket_times(departure: str, arrival: str) -> list[tuple[int, int]]:
    dep_date, _, dep_clock = departure.partition(" ")
    arr_date, _, arr_clock = arrival.partition(" ")
    start, end = (parse_hhmm(":".join(clock.split(":")[:2])) for clock in (dep_clock, arr_clock))
    if start is None or end is None:
        return []
    # However many nights a journey takes, one is counted: longer ones match no time slot.
    return [(start, end + MINUTES_PER_DAY if arr_date > dep_date or end < start else end)]


_ROUTE = ("origin_city", "destination_city", "route_index", "seat_class")


class _RouteFares:
    """The totals of a route that count as fares: one price per segment, on the day and across all days."""

    def __init__(self, table: Table) -> None:
        self._on_day: dict[tuple[str, ...], dict[str, set[float]]] = defaultdict(lambda: defaultdict(set))
        self._any_day: dict[tuple[str, ...], dict[str, set[float]]] = defaultdict(lambda: defaultdict(set))
        self._known: dict[tuple[str, ...], frozenset[int]] = {}
        for row in table:
            price = num_strict(_cell(row, "price"))
            if price is not None and price > 0:
                route, segment = self._route(row), _cell(row, "segment_index")
                self._on_day[(*route, _cell(row, "dep_date"))][segment].add(price)
                self._any_day[route][segment].add(float(round(price)))

    @staticmethod
    def _route(row: Row) -> tuple[str, ...]:
        return tuple(_cell(row, column) for column in _ROUTE)

    def of(self, row: Row) -> frozenset[int]:
        """The totals of the route that the row belongs to."""
        route = self._route(row)
        return self._totals(self._on_day, (*route, _cell(row, "dep_date"))) | self._totals(self._any_day, route)

    def _totals(self, prices: Mapping[tuple[str, ...], dict[str, set[float]]], key: tuple[str, ...]) -> frozenset[int]:
        if key not in self._known:
            totals = {0.0}
            for choices in prices.get(key, {}).values():
                totals = {total + price for total in totals for price in choices}
            self._known[key] = frozenset(round(round(total, 2)) for total in totals if total > 0)
        return self._known[key]


# --- Stations --------------------------------------------------------------------------------------------------------

_STATION_WORDS = ("airport", "station", "railway")


def _city_of(cities: Mapping[str, str], name: str) -> str | None:
    raw = name.strip()
    return cities.get(raw) or cities.get(norm(raw))


def _station_cities(sample: SampleFiles, aliases: Mapping[str, str]) -> Mapping[str, str]:
    stations: dict[str, str] = {}
    cities: dict[str, str] = {}
    for name, city in _timetable_stations(sample):
        stations[name] = city
        # A leg of a connection names the ends of the whole trip, so the last row decides where a hub lies.
        cities[name] = cities[norm(name)] = city
    _add_city_names(cities, stations)
    _add_stations_at_same_place(cities, sample.locations)
    for alias in aliases:
        known = (_city_of(cities, name) for name in _chain(alias, aliases))
        found = next((city for city in known if city is not None), None)
        if found is not None:
            _name_station(cities, alias, found)
    return cities


def _timetable_stations(sample: SampleFiles) -> Iterator[tuple[str, str]]:
    for table in (sample.flights, sample.trains):
        for row in table:
            for station, city in (("dep_station_name", "origin_city"), ("arr_station_name", "destination_city")):
                if _cell(row, station) and _cell(row, city):
                    yield _cell(row, station), _cell(row, city)


def _name_station(cities: dict[str, str], name: str, city: str) -> None:
    cities.setdefault(name, city)
    cities.setdefault(norm(name), city)


def _add_city_names(cities: dict[str, str], stations: Mapping[str, str]) -> None:
    """Stations are also known with their city's name in front, and as its airport or station if there is but one."""
    of_city: dict[str, list[str]] = defaultdict(list)
    for name, city in stations.items():
        of_city[city].append(name.lower())
        if not name.lower().startswith(city.lower()):
            _name_station(cities, f"{city} {name}", city)
    for city, names in of_city.items():
        if sum("airport" in name for name in names) == 1:
            _name_station(cities, f"{city} Airport", city)
        if sum("station" in name or "railway" in name for name in names) == 1:
            _name_station(cities, f"{city} Railway Station", city)
            _name_station(cities, f"{city} Station", city)


def _add_stations_at_same_place(cities: dict[str, str], locations: Table) -> None:
    at: dict[tuple[str, str], str] = {}
    for row in locations:
        city = _city_of(cities, _cell(row, "poi_name"))
        if city is not None:
            at[_cell(row, "latitude"), _cell(row, "longitude")] = city
    for row in locations:
        name = _cell(row, "poi_name")
        found = at.get((_cell(row, "latitude"), _cell(row, "longitude")))
        if found is not None and any(word in name.lower() for word in _STATION_WORDS):
            _name_station(cities, name, found)
