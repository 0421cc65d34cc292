"""Finding a place, the way between two, and the weather, as the published tools answer."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import cached_property
from math import asin, cos, isfinite, radians, sin, sqrt
from typing import TypeVar

from tripgauge.trip_plus.release.tool_catalogue import Arguments, number
from tripgauge.trip_plus.release.tool_names import Hub, alias_keys, cell, compact, hub, is_like
from tripgauge.trip_plus.sandbox.files import CityData, CityFiles, MatrixEntry, Row, SandboxFiles, SubwayLine, Table
from tripgauge.trip_plus.sandbox.records import Coordinates
from tripgauge.trip_plus.sandbox.transit import (
    DRIVING_KM_PER_HOUR,
    FREE_WALK_METERS,
    SHORT_WALK_METERS,
    WALKING_KM_PER_HOUR,
    MetroMap,
    MetroRide,
    Mode,
    NoMetro,
    Preference,
    RoadRide,
    metro_ride,
    metro_rule,
    minutes_for,
    recommended_mode,
    taxi_fare,
    taxi_rule,
)
from tripgauge.trip_plus.sandbox.weather_risk import advisory, condition_of

_EARTH_RADIUS_METERS = 6_371_000

_Key = TypeVar("_Key")
_Value = TypeVar("_Value")


@dataclass(frozen=True)
class _Point:
    """A named place with its coordinates as text."""

    name: str
    compacted: str
    latitude: str
    longitude: str
    hub: Hub | None
    source: str = ""

    @property
    def text(self) -> str:
        return f"{self.latitude},{self.longitude}"


class _Index:
    """The places of a sandbox or city in file order, with their aliases."""

    def __init__(self, points: Iterable[_Point], aliases: Table) -> None:
        self.points = list(points)
        self.aliases: dict[str, str] = {}
        for row in aliases:
            alias, name = cell(row, "alias").strip(), cell(row, "canonical_name")
            if alias and alias != name:
                self.aliases.setdefault(alias, name)
                self.aliases.setdefault(compact(alias), name)
        self.by_name = _first_of((point.name, point) for point in self.points)
        self.by_compact = _first_of((point.compacted, point) for point in self.points)
        self.hubs = [(position, point) for position, point in enumerate(self.points) if point.hub]
        self._position = _first_of((id(point), position) for position, point in enumerate(self.points))

    def aliased(self, name: str) -> _Point | None:
        """The place an alias stands for."""
        canonical = alias_keys(self.aliases, name)
        if canonical is None:
            return None
        return self.by_name.get(canonical) or self.by_compact.get(compact(canonical))

    def first(self, name: str) -> _Point | None:
        """The first place in file order that is equal, equal when compacted, or a hub of a similar name."""
        found = [point for point in (self.by_name.get(name), self.by_compact.get(compact(name))) if point]
        limit = min((self._position[id(point)] for point in found), default=len(self.points))
        for position, point in self.hubs:
            if position >= limit:
                break
            if point.hub and is_like(name, point.hub):
                return point
        return self.points[limit] if limit < len(self.points) else None


def _first_of(pairs: Iterable[tuple[_Key, _Value]]) -> dict[_Key, _Value]:
    found: dict[_Key, _Value] = {}
    for key, value in pairs:
        found.setdefault(key, value)
    return found


def _sample_points(table: Table) -> Iterator[_Point]:
    for row in table:
        name = cell(row, "poi_name")
        kind, source = cell(row, "poi_type"), cell(row, "source")
        yield _point(name, row, hub(name, kind, source), "city_level_locations")


def _point(name: str, row: Row, kind: Hub | None, source: str) -> _Point:
    return _Point(name, compact(name), cell(row, "latitude"), cell(row, "longitude"), kind, source)


class _City:
    """A city of the city-level data."""

    def __init__(self, files: CityFiles) -> None:
        self.name = files.city_name
        self.matrix = files.distance_matrix
        self.metro = MetroMap(files.subway)
        self.weather = files.weather
        entities = {cell(row, "canonical_name"): row for row in reversed(files.entities.rows)}
        names = dict.fromkeys(cell(row, "canonical_name") for row in files.entities)
        points = [*_sample_points(files.locations)]
        for name in names:
            row = entities[name]
            source = cell(row, "source")
            points.append(_point(name, row, hub(name, cell(row, "entity_type"), source), source or "location_entities"))
        points.extend(_stations(files.subway))
        self.index = _Index(points, files.aliases)


def _stations(lines: Iterable[SubwayLine]) -> Iterator[_Point]:
    seen = set()
    for line in lines:
        for stop in line.stops:
            if stop.name not in seen:
                seen.add(stop.name)
                kind = hub(stop.name, "subway_station", "city_subway")
                yield _Point(stop.name, compact(stop.name), stop.latitude, stop.longitude, kind, "city_subway")


class CityTools:
    """The four published tools about getting about."""

    def __init__(self, files: SandboxFiles) -> None:
        self._files = files
        self._cities: dict[str, _City | None] = {}

    @cached_property
    def _index(self) -> _Index:
        return _Index(_sample_points(self._files.sample.locations), self._files.sample.aliases)

    @property
    def _city_data(self) -> CityData | None:
        return self._files.cities

    def _city(self, name: str) -> _City | None:
        if self._city_data is None:
            return None
        if name not in self._cities:
            files = self._city_data.city(name)
            self._cities[name] = _City(files) if files else None
        return self._cities[name]

    @property
    def _origin(self) -> str:
        return self._files.sample.meta.org if self._files.sample.meta else ""

    @property
    def _destinations(self) -> tuple[str, ...]:
        return self._files.sample.meta.dest if self._files.sample.meta else ()

    # --- search_location

    def search_location(self, arguments: Arguments) -> object:
        """Where a place is."""
        name = arguments.get("place_name")
        text = "" if name is None else str(name)
        found = self._in_sample(text) if text else None
        if found is not None:
            place = {"place_name": found.name, "latitude": found.latitude, "longitude": found.longitude}
            return place if found.name == text else {**place, "matched_place_name": found.name}
        elsewhere = self._in_cities(text) if text else None
        if elsewhere is not None:
            point, city = elsewhere
            return {
                "place_name": point.name,
                "latitude": point.latitude,
                "longitude": point.longitude,
                "matched_place_name": point.name,
                "matched_city": city,
                "source": point.source,
            }
        return (
            f"Coordinate information not found for location {name}, please check:"
            " 1. Whether the place name comes from other tool results;"
            " 2. Whether the place name is exactly consistent with tool results,"
            " no abbreviation, renaming or additional description allowed"
        )

    def _in_sample(self, name: str) -> _Point | None:
        index = self._index
        found = index.by_name.get(name) or index.aliased(name) or index.by_compact.get(compact(name))
        found = found or index.by_compact.get(self._without_city(name))
        return found or next((point for _, point in index.hubs if point.hub and is_like(name, point.hub)), None)

    def _without_city(self, name: str) -> str:
        compacted = compact(name)
        for city in (self._origin, *self._destinations):
            if compact(city) and compacted.startswith(compact(city)):
                return compacted.removeprefix(compact(city))
        return compacted

    def _in_cities(self, name: str) -> tuple[_Point, str] | None:
        """The place of an alias, else of all that match in both cities the one with the longest name."""
        best: tuple[_Point, str] | None = None
        compacted, bare = compact(name), self._without_city(name)
        for city_name in (self._origin, *self._destinations):
            city = self._city(city_name)
            if city is None:
                continue
            canonical = alias_keys(city.index.aliases, name)
            if canonical in city.index.by_name:
                point = city.index.by_name[canonical]
                source = "city_level_aliases" if point.source == "city_level_locations" else point.source
                return _Point(point.name, point.compacted, point.latitude, point.longitude, None, source), city_name
            for point in city.index.points:
                equal = point.name == name or point.compacted in (compacted, bare)
                if not equal and not (point.hub and is_like(name, point.hub)):
                    continue
                if best is None or len(point.compacted) > len(best[0].compacted):
                    best = point, city_name
        return best

    # --- query_road_route_info

    def road(self, arguments: Arguments) -> object:
        """The way between two points: the matrix's, else an estimate."""
        given = [_text(arguments.get(name)).strip() for name in ("origin", "destination")]
        start, end = (self._known_point(text) for text in given)
        entry = self._files.sample.distance_matrix.get((start, end))
        if entry is not None:
            return {
                "origin": start,
                "destination": end,
                "distance_in_meters": _whole(entry.distance_meters),
                "duration_in_minutes": _whole(entry.duration_minutes),
                "cost": _whole(entry.cost),
                "source": "distance_matrix",
            }
        points = [_coordinates(text) for text in (start, end)]
        if points[0] is None or points[1] is None:
            origin, destination = (_text(arguments.get(name)) for name in ("origin", "destination"))
            return f"No transportation information found from {origin} to {destination}"
        loaded = self._files.sample.has_distance_matrix
        return _estimate(points[0], points[1], loaded=loaded)

    def _known_point(self, text: str) -> str:
        known = self._known_points
        if text in known:
            return text
        point = _coordinates(text)
        plain = f"{point[0]:.6f},{point[1]:.6f}" if point else text
        return plain if plain in known else text

    @cached_property
    def _known_points(self) -> frozenset[str]:
        return frozenset(text for pair in self._files.sample.distance_matrix for text in pair)

    # --- query_city_transport_plan

    def transport_plan(self, arguments: Arguments) -> object:
        """How to get from one place of a city to another."""
        departure = _departure(arguments.get("departure_time"))
        if departure is None:
            return "Invalid departure_time. Supported formats: YYYY-MM-DD or YYYY-MM-DD HH:MM"
        city_name = _text(arguments.get("city"))
        city, in_sample = self._city(city_name), city_name == next(iter(self._destinations), None)
        if city is None and not in_sample:
            if self._city_data is None:
                return "City-level database not found. Build a sample cache from database/{lang} before using this tool"
            return f"City-level data not found for {city_name}"
        ends = []
        for argument in ("origin_place", "destination_place"):
            name = _text(arguments.get(argument))
            point = self._place(name, city, in_sample=in_sample) if name else None
            if point is None:
                return f"Location {name} was not found. Use the exact place name returned by tool results"
            ends.append(point)
        preference = _preference(arguments.get("traveler_preference"))
        metro = city.metro if city is not None else None
        matrices = [self._files.sample.distance_matrix] if in_sample else []
        matrices += [city.matrix] if city is not None else []
        way = _Way(city_name, ends[0], ends[1], preference, matrices, metro)
        weather = self._exact_weather(city, departure.day) if departure.day else None
        return way.answer(departure, weather)

    def _place(self, name: str, city: _City | None, *, in_sample: bool) -> _Point | None:
        indexes = [self._index] if in_sample else []
        indexes += [city.index] if city is not None else []
        for index in indexes:
            found = index.first(name) or index.aliased(name)
            if found is not None and _coordinates(found.text) is not None:
                return found
        return None

    # --- query_city_weather

    def weather(self, arguments: Arguments) -> object:
        """A day's weather; the nearest day's within three if that day is not known."""
        city_name, day = _text(arguments.get("city")), _text(arguments.get("date"))
        city = self._city(city_name)
        rows = (city.weather if city is not None and len(city.weather) else self._files.sample.weather).rows
        row = next((row for row in rows if cell(row, "date") == day), None)
        if row is not None:
            return {"city": city_name, "date": day, **_weather(row), "travel_advisory": _advisory(row)}
        near = _nearest_day(rows, day)
        if near is None:
            return f"No weather information found for {city_name} on {day}"
        return {
            "city": city_name,
            "date": cell(near, "date"),
            "requested_date": day,
            "date_fallback": True,
            "fallback_reason": "exact weather date missing; nearest available city weather within 3 days",
            **_weather(near),
            "travel_advisory": _advisory(near),
        }

    def _exact_weather(self, city: _City | None, day: str) -> Row | None:
        rows = city.weather.rows if city is not None else ()
        return next((row for row in rows if cell(row, "date") == day), None)


def _text(value: object) -> str:
    return "" if value is None else str(value)


def _whole(text: str) -> int:
    value = number(text)
    return round(value) if isfinite(value) else 0


def _coordinates(text: str) -> tuple[float, float] | None:
    parts = text.split(",")
    if len(parts) != 2:
        return None
    latitude, longitude = (number(part) for part in parts)
    return (latitude, longitude) if isfinite(latitude) and isfinite(longitude) else None


def _haversine(a: tuple[float, float], b: tuple[float, float]) -> float:
    north, east = radians(b[0] - a[0]), radians(b[1] - a[1])
    chord = sin(north / 2) ** 2 + cos(radians(a[0])) * cos(radians(b[0])) * sin(east / 2) ** 2
    return 2 * _EARTH_RADIUS_METERS * asin(min(1.0, sqrt(chord)))


def _estimate(a: tuple[float, float], b: tuple[float, float], *, loaded: bool) -> dict[str, object]:
    meters = _haversine(a, b)
    walks = meters <= 1500
    kilometers = meters / 1000
    return {
        "origin": f"{a[0]:.6f},{a[1]:.6f}",
        "destination": f"{b[0]:.6f},{b[1]:.6f}",
        "distance_in_meters": round(meters),
        "duration_in_minutes": max(1, round(kilometers / 5 * 60)) if walks else max(5, round(kilometers / 30 * 60)),
        "cost": 0 if walks else round(10 + max(0.0, kilometers - 3) * 2.2),
        "source": "deterministic_fallback",
        "mode": "walking" if walks else "taxi_estimate",
        "fallback_reason": ("coordinate_pair_not_in_distance_matrix" if loaded else "distance_matrix_not_loaded"),
    }


@dataclass(frozen=True)
class _Departure:
    """When a ride starts, as far as that was said."""

    day: str = ""
    moment: datetime | None = None

    def after(self, minutes: int) -> datetime | None:
        """When a ride of that length ends, if that is within the calendar."""
        if self.moment is None or datetime.max - self.moment < timedelta(minutes=minutes):
            return None
        return self.moment + timedelta(minutes=minutes)


def _departure(value: object) -> _Departure | None:
    text = _text(value).strip()
    if not text:
        return _Departure()
    for form in ("%Y-%m-%d %H:%M", "%Y-%m-%d"):
        try:
            moment = datetime.strptime(text, form)
        except ValueError:
            continue
        return _Departure(f"{moment:%Y-%m-%d}", moment if ":" in form else None)
    return None


def _preference(value: object) -> Preference:
    match _text(value).strip().lower():
        case "budget_first" | "budget":
            return "budget_first"
        case "min_walking" | "comfort":
            return "min_walking"
        case "time_first" | "fastest":
            return "time_first"
        case _:
            return "balanced"


class _Way:
    """From one place of a city to another, by every means."""

    def __init__(
        self,
        city: str,
        start: _Point,
        end: _Point,
        preference: Preference,
        matrices: Sequence[Mapping[tuple[str, str], MatrixEntry]],
        metro: MetroMap | None,
    ) -> None:
        self._city, self._start, self._end, self._preference = city, start, end, preference
        self._matrices, self._metro_map = matrices, metro
        self._a, self._b = _coordinates(start.text) or (0.0, 0.0), _coordinates(end.text) or (0.0, 0.0)
        self._meters = _haversine(self._a, self._b)

    def answer(self, departure: _Departure, weather: Row | None) -> dict[str, object]:
        """The published answer."""
        road = self._road()
        metro = metro_ride(self._metro_map, self._city, Coordinates(*self._a), Coordinates(*self._b))
        mode = recommended_mode(self._meters, self._preference, road, metro)
        minutes, cost = self._effort(mode, road, metro)
        arrival = departure.after(minutes)
        result: dict[str, object] = {
            "city": self._city,
            "origin_place": self._start.name,
            "destination_place": self._end.name,
            "origin_coordinates": self._start.text,
            "destination_coordinates": self._end.text,
            "direct_distance_meters": round(self._meters),
            "recommended_mode": mode,
            "estimated_duration_minutes": minutes,
            "estimated_cost": cost,
            "currency": "CNY",
            "estimated_arrival_time": f"{arrival:%Y-%m-%d %H:%M}" if arrival else None,
            "traveler_preference": self._preference,
            "weather": _weather(weather) if weather else None,
            "weather_advisory": _advisory(weather) if weather else None,
            "details": self._details(mode, road, metro),
        }
        if metro == "no_subway_data":
            result["note"] = f"Metro data not found for city {self._city}; falling back to walking / taxi suggestions"
        return result

    def _road(self) -> RoadRide:
        for matrix in self._matrices:
            entry = matrix.get((self._start.text, self._end.text))
            if entry is not None:
                meters, walks = _whole(entry.distance_meters), number(entry.cost) <= 0
                cost = 0.0 if walks else taxi_fare(self._city, meters)
                return RoadRide(walks, meters, _whole(entry.duration_minutes), cost)
        meters = round(self._meters)
        if self._meters <= 1500:
            return RoadRide(True, meters, minutes_for(self._meters, WALKING_KM_PER_HOUR), 0.0)
        fare = taxi_fare(self._city, meters)
        return RoadRide(False, meters, minutes_for(self._meters, DRIVING_KM_PER_HOUR), fare)

    def _details(self, mode: Mode, road: RoadRide, metro: MetroRide | NoMetro) -> dict[str, object]:
        reason = metro if isinstance(metro, str) else None
        if mode == "subway" and isinstance(metro, MetroRide):
            return _metro_details(self._city, metro)
        if mode == "taxi":
            return {
                "distance_meters": road.meters,
                "estimated_mode": "taxi",
                "fallback_reason": reason,
                "pricing_rule": _taxi_rule(self._city, road),
            }
        short = self._meters <= SHORT_WALK_METERS
        why = "distance_short" if short else reason or "walking_preferred"
        return {"distance_meters": round(self._meters), "reason": why}

    def _effort(self, mode: Mode, road: RoadRide, metro: MetroRide | NoMetro) -> tuple[int, int | float]:
        """Minutes and yuan."""
        if mode == "subway" and isinstance(metro, MetroRide):
            return metro.minutes, metro.fare
        if mode == "taxi":
            return road.minutes, road.cost
        return minutes_for(self._meters, WALKING_KM_PER_HOUR), 0


def _taxi_rule(city: str, road: RoadRide) -> str:
    if road.is_walk:
        return "Walking has no cost."
    if road.meters <= FREE_WALK_METERS:
        return f"Distance is within {FREE_WALK_METERS} m; taxi is not advised."
    return taxi_rule(city)


def _metro_details(city: str, metro: MetroRide) -> dict[str, object]:
    return {
        "start_station": metro.start.name,
        "end_station": metro.end.name,
        "station_path": list(metro.path.stations),
        "line_path": list(metro.path.rides),
        "edge_line_path": list(metro.path.lines),
        "station_hops": len(metro.path.lines),
        "walk_start_meters": metro.walk_start_meters,
        "walk_end_meters": metro.walk_end_meters,
        "metro_distance_meters": round(metro.meters),
        "path_distance_meters": round(metro.path.meters),
        "pricing_rule": metro_rule(city),
    }


# --- Weather --------------------------------------------------------------------------------------------------------


def _nearest_day(rows: Sequence[Row], day: str) -> Row | None:
    wanted = _day(day)
    if wanted is None:
        return None
    known = [(other, row) for row in rows if (other := _day(cell(row, "date"))) is not None]
    near = [(abs((other - wanted).days), other, row) for other, row in known if abs((other - wanted).days) <= 3]
    return min(near, key=lambda entry: entry[:2])[2] if near else None


def _day(text: str) -> date | None:
    try:
        return datetime.strptime(text.strip(), "%Y-%m-%d").date()
    except ValueError:
        return None


def _weather(row: Row) -> dict[str, object]:
    code = _code(row)
    condition = cell(row, "weather_condition") or condition_of(code)
    columns = ("temperature_min_c", "temperature_max_c", "precipitation_mm", "precipitation_hours")
    measures = {column: _measure(row, column) for column in columns}
    return {"weather_code": code, "condition": condition, "weather_condition": condition, **measures}


def _code(row: Row) -> int | None:
    code = number(cell(row, "weather_code"))
    return int(code) if isfinite(code) else None


def _measure(row: Row, column: str) -> float | None:
    value = number(cell(row, column))
    return value if isfinite(value) else None


def _advisory(row: Row) -> dict[str, object]:
    found = advisory(_code(row), _measure(row, "precipitation_mm"), _measure(row, "precipitation_hours"))
    return {"risk_level": found.risk_level, "advice": found.advice}
