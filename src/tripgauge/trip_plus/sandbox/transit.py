"""Getting about in a city: metro routes, what metro and taxi cost, and which to take. (Trip+ A.2)

Fares are the published estimates: taxis per vehicle, metro per person, both in yuan.
"""

import heapq
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from math import ceil
from typing import Literal

from tripgauge.trip_plus.sandbox.files import SubwayLine
from tripgauge.trip_plus.sandbox.records import Coordinates, distance_km

FREE_WALK_METERS = 1200
"""No taxi fare is due up to here: the distance is walked."""


@dataclass(frozen=True)
class TaxiTariff:
    """A base fare covers the first kilometers; each further one costs the rate."""

    base: int
    included_km: float
    rate: float

    def fare(self, meters: float) -> int | float:
        """Yuan for the vehicle: whole where it comes out whole, else to a tenth."""
        if meters <= FREE_WALK_METERS:
            return 0
        fare = self.base + max(0.0, meters / 1000 - self.included_km) * self.rate
        return int(fare) if fare.is_integer() else round(fare, 1)


DEFAULT_TAXI = TaxiTariff(10, 3, 2.2)

TAXI_TARIFFS: Mapping[str, TaxiTariff] = {
    "Beijing": TaxiTariff(13, 3, 2.3),
    "Shanghai": TaxiTariff(14, 3, 2.7),
    "Nanjing": TaxiTariff(11, 3, 2.4),
    "Guangzhou": TaxiTariff(12, 3, 2.6),
    "Chengdu": TaxiTariff(10, 2, 1.9),
    "Hangzhou": TaxiTariff(13, 3, 2.5),
    "Wuhan": TaxiTariff(10, 3, 2.0),
    "Suzhou": TaxiTariff(10, 3, 2.0),
    "Chongqing": TaxiTariff(10, 3, 2.0),
    "Fuzhou": TaxiTariff(10, 3, 2.0),
    "Shenzhen": TaxiTariff(10, 2, 2.6),
    "Sanya": TaxiTariff(10, 2, 2.0),
    "Urumqi": TaxiTariff(10, 3, 1.3),
    "Nanning": TaxiTariff(9, 2, 1.6),
    "Hefei": TaxiTariff(10, 2.5, 1.8),
    "Hohhot": TaxiTariff(8, 3, 1.6),
    "Harbin": TaxiTariff(8, 3, 1.9),
    "Tianjin": TaxiTariff(11, 3, 1.7),
    "Ningbo": TaxiTariff(11, 3, 2.4),
    "Kunming": TaxiTariff(8, 3, 1.8),
    "Shenyang": TaxiTariff(9, 3, 1.8),
    "Jinan": TaxiTariff(12, 3, 1.8),
    "Zhuhai": TaxiTariff(10, 3, 2.6),
    "Shijiazhuang": TaxiTariff(8, 3, 1.6),
    "Xi'an": TaxiTariff(9, 3, 2.0),
    "Guiyang": TaxiTariff(10, 3, 1.8),
    "Changchun": TaxiTariff(8, 2.5, 1.9),
}

HONG_KONG = "Hong Kong"
HONG_KONG_DOLLAR = 0.9
"""Yuan, in the published estimates."""


def hong_kong_taxi_fare(meters: float) -> int | float:
    """Yuan for a Hong Kong taxi: 29 dollars for 2 km, then 2.1 for each of 35 steps of 200 m, then 1.4."""
    if meters <= FREE_WALK_METERS:
        return 0
    steps = max(0, ceil((meters - 2000) / 200))
    fare = (29 + min(steps, 35) * 2.1 + max(0, steps - 35) * 1.4) * HONG_KONG_DOLLAR
    return int(fare) if fare.is_integer() else round(fare, 1)


@dataclass(frozen=True)
class MetroTariff:
    """Fares by distance: up to each limit its fare, then one yuan more for every further step begun."""

    bands: tuple[tuple[float, int], ...]
    """Kilometers and yuan, ascending."""

    step_km: float = 0
    """0 where the last fare holds for any distance."""

    def fare(self, kilometers: float) -> int:
        """Yuan per person."""
        for limit, fare in self.bands:
            if kilometers <= limit:
                return fare
        limit, fare = self.bands[-1]
        return fare + (ceil((kilometers - limit) / self.step_km) if self.step_km else 0)


DEFAULT_METRO = MetroTariff(
    ((4, 2), (9, 3), (14, 4), (21, 5), (28, 6), (35, 7), (43, 8), (51, 9), (61, 10)),
    step_km=15,
)

METRO_TARIFFS: Mapping[str, MetroTariff] = {
    "Beijing": MetroTariff(((6, 3), (12, 4), (22, 5), (32, 6)), step_km=20),
    "Shanghai": MetroTariff(((6, 3), (16, 4), (26, 5), (36, 6), (46, 7)), step_km=20),
    "Guangzhou": MetroTariff(((4, 2), (12, 3), (24, 4)), step_km=8),
    "Shenzhen": MetroTariff(((4, 2), (12, 3), (24, 4)), step_km=8),
    "Sanya": MetroTariff(((0, 2),)),
}

_HONG_KONG_METRO = ((5, 5), (10, 7), (15, 9), (20, 11), (25, 13), (30, 15))
_AIRPORT_EXPRESS_DOLLARS = 35


def hong_kong_metro_fare(kilometers: float, lines: Iterable[str]) -> int | float:
    """Yuan per person on Hong Kong's metro; the Airport Express has a fare of its own."""
    if any("Airport Express" in line for line in lines):
        dollars = _AIRPORT_EXPRESS_DOLLARS
    else:
        limit, top = _HONG_KONG_METRO[-1]
        within = next((fare for limit, fare in _HONG_KONG_METRO if kilometers <= limit), None)
        dollars = within if within is not None else top + 2 * ceil((kilometers - limit) / 5)
    fare = dollars * HONG_KONG_DOLLAR
    return int(fare) if fare.is_integer() else round(fare, 1)


def taxi_fare(city: str, meters: float) -> int | float:
    """Yuan for a taxi in the city of that exact name; other spellings get the default tariff."""
    if city == HONG_KONG:
        return hong_kong_taxi_fare(meters)
    return TAXI_TARIFFS.get(city, DEFAULT_TAXI).fare(meters)


def metro_fare(city: str, kilometers: float, lines: Iterable[str]) -> int | float:
    """Yuan per person on the metro of the city of that exact name; other spellings get the default tariff."""
    if city == HONG_KONG:
        return hong_kong_metro_fare(kilometers, lines)
    return METRO_TARIFFS.get(city, DEFAULT_METRO).fare(kilometers)


def taxi_rule(city: str) -> str:
    """The taxi tariff in words."""
    tariff = TAXI_TARIFFS.get(city, DEFAULT_TAXI)
    return (
        f"{city} taxi fare estimate: base fare {tariff.base} CNY covers the first {tariff.included_km:g} km,"
        f" then {tariff.rate:g} CNY/km."
    )


def metro_rule(city: str) -> str:
    """The metro tariff in words."""
    tariff = METRO_TARIFFS.get(city)
    if tariff is None:
        return f"Default metro fare estimate: {_bands(DEFAULT_METRO, '0-{:g} km')}."
    if not tariff.step_km:
        return f"{city} metro fare estimate: CNY {tariff.bands[0][1]}."
    note = "; airport express lines excluded" if city == "Beijing" else ""
    return f"{city} metro fare estimate: {_bands(tariff, 'within')}{note}."


def _bands(tariff: MetroTariff, first: str) -> str:
    limit, fare = tariff.bands[0]
    words = [f"CNY {fare} within {limit:g} km" if first == "within" else f"CNY {fare} for {first.format(limit)}"]
    for (start, _), (end, fare) in pairwise(tariff.bands):
        words.append(f"CNY {fare} for {start:g}-{end:g} km")
    return f"{', '.join(words)}, then +CNY 1 per additional {tariff.step_km:g} km"


# --- The metro ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class MetroStation:
    """A stop of one line."""

    name: str
    coordinates: Coordinates


@dataclass(frozen=True)
class MetroPath:
    """A way through the network."""

    stations: tuple[str, ...]
    lines: tuple[str, ...]
    """The line of each hop."""

    meters: float
    """Along the track, straight from stop to stop."""

    @property
    def rides(self) -> tuple[str, ...]:
        """The lines taken, each named once, in order."""
        return tuple(dict.fromkeys(self.lines))

    @property
    def changes(self) -> int:
        """How often one changes trains."""
        return sum(1 for before, after in pairwise(self.lines) if before != after)


class MetroMap:
    """The metro of a city. Stops of one name are one station; loops are not closed where the data do not close them."""

    def __init__(self, lines: Iterable[SubwayLine]) -> None:
        self._stations: list[MetroStation] = []
        self._edges: dict[str, list[tuple[str, str, float]]] = defaultdict(list)
        for line in lines:
            before: MetroStation | None = None
            for stop in line.stops:
                point = Coordinates.read(stop.latitude, stop.longitude)
                if point is None:
                    continue
                station = MetroStation(stop.name, point)
                self._stations.append(station)
                if before is not None and before.name != station.name:
                    meters = distance_km(before.coordinates, point) * 1000
                    self._edges[before.name].append((station.name, line.name, meters))
                    self._edges[station.name].append((before.name, line.name, meters))
                before = station
        self._paths: dict[tuple[str, str], MetroPath | None] = {}

    def __bool__(self) -> bool:
        return bool(self._stations)

    @property
    def stations(self) -> Sequence[MetroStation]:
        """Every stop of every line, in line order."""
        return self._stations

    @cached_property
    def _points(self) -> list[tuple[float, float, MetroStation]]:
        seen: dict[Coordinates, MetroStation] = {}
        for station in self._stations:
            seen.setdefault(station.coordinates, station)
        return [(station.coordinates.latitude, station.coordinates.longitude, station) for station in seen.values()]

    def nearest(self, point: Coordinates) -> MetroStation | None:
        """The station nearest to a point as the crow flies; the first in line order of several."""
        # A cheap bound first: only stations whose difference in latitude alone could win are measured exactly.
        best, best_km = None, float("inf")
        rough = sorted(self._points, key=lambda entry: abs(entry[0] - point.latitude))
        for latitude, _, station in rough:
            if abs(latitude - point.latitude) * 111.1 > best_km:
                break
            kilometers = distance_km(point, station.coordinates)
            if kilometers < best_km:
                best, best_km = station, kilometers
        return best

    def path(self, start: str, end: str) -> MetroPath | None:
        """The way with the fewest changes, then fewest hops, then least distance; None if there is none."""
        if (start, end) not in self._paths:
            self._paths[start, end] = self._search(start, end)
        return self._paths[start, end]

    def _search(self, start: str, end: str) -> MetroPath | None:
        # States are (station, line arrived by); ties beyond distance are broken by station name, then line name.
        queue: list[tuple[int, int, float, str, str]] = [(0, 0, 0.0, start, "")]
        came_from: dict[tuple[str, str], tuple[str, str]] = {}
        cost: dict[tuple[str, str], tuple[int, int, float]] = {(start, ""): (0, 0, 0.0)}
        while queue:
            changes, hops, meters, station, line = heapq.heappop(queue)
            if (changes, hops, meters) > cost[station, line]:
                continue
            if station == end:
                return _traced((station, line), came_from, meters)
            for neighbor, by, length in self._edges.get(station, ()):
                step = (changes + (line not in ("", by)), hops + 1, meters + length)
                state = (neighbor, by)
                if state not in cost or step < cost[state]:
                    cost[state] = step
                    came_from[state] = (station, line)
                    heapq.heappush(queue, (*step, neighbor, by))
        return None


def _traced(state: tuple[str, str], came_from: Mapping[tuple[str, str], tuple[str, str]], meters: float) -> MetroPath:
    stations, lines = [state[0]], []
    while state in came_from:
        lines.append(state[1])
        state = came_from[state]
        stations.append(state[0])
    return MetroPath(tuple(reversed(stations)), tuple(reversed(lines)), meters)


# --- Which to take --------------------------------------------------------------------------------------------------

Mode = Literal["walking", "taxi", "subway"]
Preference = Literal["balanced", "budget_first", "min_walking", "time_first"]
NoMetro = Literal["no_subway_data", "same_station", "no_path"]

SHORT_WALK_METERS = 2200
"""Up to here everybody walks who does not mind walking."""

CHEAP_WALK_METERS = 3000
"""Up to here one walks to save money."""

WALKING_KM_PER_HOUR = 5
DRIVING_KM_PER_HOUR = 30


def minutes_for(meters: float, km_per_hour: float) -> int:
    """How long a distance takes, at least a minute unless there is none."""
    return max(1, round(meters / 1000 / km_per_hour * 60)) if meters > 0 else 0


@dataclass(frozen=True)
class MetroRide:
    """From one point to another by metro: walk, ride, walk."""

    start: MetroStation
    end: MetroStation
    path: MetroPath
    walk_start_meters: int
    walk_end_meters: int
    meters: float
    """From station to station as the crow flies; time and fare follow from it."""

    minutes: int
    """Without waiting and changing."""

    fare: int | float
    """Yuan per person."""

    @property
    def walk_meters(self) -> int:
        """Both walks."""
        return self.walk_start_meters + self.walk_end_meters


def metro_ride(metro: MetroMap | None, city: str, origin: Coordinates, destination: Coordinates) -> MetroRide | NoMetro:
    """The ride between the stations nearest to two points, or why there is none."""
    start, end = (metro.nearest(origin), metro.nearest(destination)) if metro else (None, None)
    if metro is None or start is None or end is None:
        return "no_subway_data"
    if start.name == end.name:
        return "same_station"
    path = metro.path(start.name, end.name)
    if path is None:
        return "no_path"
    first = distance_km(origin, start.coordinates) * 1000
    between = distance_km(start.coordinates, end.coordinates) * 1000
    last = distance_km(end.coordinates, destination) * 1000
    walks = minutes_for(first, WALKING_KM_PER_HOUR) + minutes_for(last, WALKING_KM_PER_HOUR)
    return MetroRide(
        start=start,
        end=end,
        path=path,
        walk_start_meters=round(first),
        walk_end_meters=round(last),
        meters=between,
        minutes=walks + minutes_for(between, DRIVING_KM_PER_HOUR),
        fare=metro_fare(city, between / 1000, path.rides),
    )


@dataclass(frozen=True)
class RoadRide:
    """From one point to another on the road."""

    is_walk: bool
    meters: int
    minutes: int
    cost: int | float
    """Yuan per vehicle."""


def recommended_mode(meters: float, preference: Preference, road: RoadRide, metro: MetroRide | NoMetro) -> Mode:
    """What to take, by the published rules; `meters` is the distance as the crow flies."""
    if meters <= SHORT_WALK_METERS and preference != "min_walking":
        return "walking"
    if metro == "same_station":
        return "walking"
    if not isinstance(metro, MetroRide):
        return "walking" if road.is_walk else "taxi"
    match preference:
        case "budget_first":
            if meters <= CHEAP_WALK_METERS:
                return "walking"
            by_metro = metro.fare <= road.cost and metro.walk_meters <= 3000
        case "min_walking":
            by_metro = metro.walk_meters <= 1200 and metro.minutes <= road.minutes + 20
        case "time_first":
            by_metro = road.is_walk or road.minutes > metro.minutes + 8
        case "balanced":
            by_metro = metro.minutes <= road.minutes + 12 and metro.walk_meters <= 2600
    return "subway" if by_metro else "taxi"
