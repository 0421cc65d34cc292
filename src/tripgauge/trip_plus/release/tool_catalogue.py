"""Hotels, attractions and restaurants as the published tools list them."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property, lru_cache
from math import inf, nan, sqrt

from tripgauge.tools import Listing
from tripgauge.trip_plus.release.tool_arguments import is_empty
from tripgauge.trip_plus.release.tool_names import cell, compact_lower
from tripgauge.trip_plus.sandbox.files import Row, SampleFiles
from tripgauge.trip_plus.sandbox.records import WEEKDAYS

Arguments = Mapping[str, object]


def number(value: object) -> float:
    """The number in a cell or argument; NaN if there is none."""
    try:
        return float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        return nan


def _is_number(value: float) -> bool:
    return value == value


def same_city_rows(rows: Sequence[Row], city: object) -> Sequence[Row]:
    """The rows of a city; all of them if none is of that city."""
    wanted = _city("" if city is None else str(city))
    found = [row for row in rows if _city(cell(row, "city")) == wanted]
    return found or rows


@lru_cache(maxsize=4096)
def _city(name: str) -> str:
    text = re.sub(r"\([^()]*\)|（[^（）]*）", "", name).strip()
    return text[: -len(" city")].strip() if text.lower().endswith(" city") else text


# --- Hotels ---------------------------------------------------------------------------------------------------------


class Hotels:
    """The hotels of a sandbox."""

    def __init__(self, files: SampleFiles) -> None:
        self._files = files

    @cached_property
    def _alone(self) -> Mapping[int, "_HotelGroup"]:
        """The group of each row that shares its name with none, by the row's identity."""
        return {id(row): _HotelGroup.of([row]) for row in self._files.hotels}

    def answer(self, arguments: Arguments) -> object:
        """The hotels of a city that fit, one for each name; a sentence if there is none."""
        destination = arguments.get("destination")
        rows = self._fitting(same_city_rows(self._files.hotels.rows, destination), arguments)
        if not rows:
            return f"No hotel information found in {destination}; please check parameters or reduce constraints"
        named: dict[str, list[Row]] = defaultdict(list)
        for row in rows:
            named[cell(row, "name")].append(row)
        groups = [self._alone[id(same[0])] if len(same) == 1 else _HotelGroup.of(same) for same in named.values()]
        return Listing(sorted(groups, key=_hotel_order(_first(arguments, "sortBy", "sort_by"))), _hotel)

    def _fitting(self, rows: Sequence[Row], arguments: Arguments) -> Sequence[Row]:
        rows = _named(rows, _first(arguments, "hotelName", "hotel_name", "name"))
        for argument, column in (("hotelStar", "hotel_star"), ("hotelBrands", "brand")):
            wanted = arguments.get(argument)
            if not is_empty(wanted):
                rows = [row for row in rows if cell(row, column) == wanted]
        rows = _serving(rows, _first(arguments, "requiredService", "required_service", "service"))
        low = number(_present(arguments, "minPrice", "priceMin", "min_price"))
        high = number(_present(arguments, "maxPrice", "priceMax", "max_price"))
        if _is_number(low):
            rows = [row for row in rows if number(cell(row, "price")) >= low]
        if _is_number(high):
            rows = [row for row in rows if number(cell(row, "price")) <= high]
        return rows


def _first(arguments: Arguments, *names: str) -> object:
    return next((arguments[name] for name in names if not is_empty(arguments.get(name))), None)


def _present(arguments: Arguments, *names: str) -> object:
    return next((arguments[name] for name in names if name in arguments), None)


def _named(rows: Sequence[Row], name: object) -> Sequence[Row]:
    if name is None:
        return rows
    wanted = compact_lower(str(name))
    exact = [row for row in rows if compact_lower(cell(row, "name")) == wanted]
    if exact:
        return exact
    names = ((row, compact_lower(cell(row, "name"))) for row in rows)
    return [row for row, known in names if wanted in known or known in wanted]


def _serving(rows: Sequence[Row], service: object) -> Sequence[Row]:
    wanted = _service("" if service is None else str(service))
    if not wanted:
        return rows

    def serves(row: Row) -> bool:
        offered = filter(None, (_service(part) for part in cell(row, "services").split(";")))
        return any(wanted in known or known in wanted for known in offered)

    return [row for row in rows if serves(row)]


@lru_cache(maxsize=4096)
def _service(text: str) -> str:
    words = re.sub(r"\b(and|service|services|hotel)\b", " ", text.lower().replace("_", " "))
    return re.sub(r"[\W_]+", "", words)


@dataclass(frozen=True)
class _HotelGroup:
    """Rows of one name, with what they are ordered by."""

    rows: list[Row]
    name: str
    score: float
    year: float
    low: float
    high: float

    @classmethod
    def of(cls, rows: list[Row]) -> "_HotelGroup":
        prices = [number(cell(row, "price")) for row in rows]
        return cls(
            rows=rows,
            name=cell(rows[0], "name"),
            score=_best((number(cell(row, "score")) for row in rows), -1),
            year=_best((number(cell(row, "decoration_time")) for row in rows), -1),
            low=min((price for price in prices if price > 0), default=inf),
            high=max((price if _is_number(price) else inf for price in prices), default=inf),
        )


_HOTEL_ORDERS: Mapping[str, Callable[[_HotelGroup], tuple[object, ...]]] = {
    "price": lambda group: (group.low, -group.score, -group.year, group.name),
    "rating": lambda group: (-group.score, group.low, -group.year, group.name),
    "decoration": lambda group: (-group.year, -group.score, group.low, group.name),
    "": lambda group: (-group.score, -group.year, -group.high, group.name),
}
_HOTEL_ORDER_NAMES = {
    "cheapest": "price",
    "lowest_price": "price",
    "score": "rating",
    "highest_rated": "rating",
    "newest": "decoration",
    "newest_decoration": "decoration",
}


def _hotel_order(sort_by: object) -> Callable[[_HotelGroup], tuple[object, ...]]:
    text = "" if sort_by is None else str(sort_by).strip().lower()
    return _HOTEL_ORDERS.get(_HOTEL_ORDER_NAMES.get(text, text), _HOTEL_ORDERS[""])


def _best(values: Iterable[float], missing: float) -> float:
    return max((value for value in values if _is_number(value)), default=missing)


def _hotel(group: _HotelGroup) -> dict[str, object]:
    row = group.rows[0]
    item: dict[str, object] = {
        "name": cell(row, "name"),
        "address": cell(row, "address"),
        "latitude": cell(row, "latitude"),
        "longitude": cell(row, "longitude"),
        "decorationTime": cell(row, "decoration_time"),
        "hotelStar": cell(row, "hotel_star"),
        "price": cell(row, "price"),
        "score": cell(row, "score"),
        "brand": cell(row, "brand"),
    }
    if not item["price"]:
        item["price_missing"] = True
    services = _parts(part for member in group.rows for part in cell(member, "services").split(";"))
    if services:
        item["services"] = services
    return item


def _parts(parts: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(part.strip() for part in parts if part.strip()))


# --- Attractions ----------------------------------------------------------------------------------------------------


def attraction_details(files: SampleFiles, arguments: Arguments) -> str | dict[str, object]:
    """What is known of a sight, line by line; a sentence if there is none of that name."""
    name = arguments.get("attraction_name")
    rows = files.attractions.rows
    if isinstance(name, list) and len(name) != len(rows):
        return {
            "error": "tool_call_failed",
            "tool": "query_attraction_details",
            "details": f"('Lengths must match to compare', ({len(rows)},), ({len(name)},))",
        }
    row = _attraction(files, name) if isinstance(name, str) else None
    if row is None:
        return f"Detailed information not found for attraction {name}"
    opening, closing = cell(row, "opening_time"), cell(row, "closing_time")
    lines = [
        ("Attraction Name", cell(row, "attraction_name")),
        ("City", cell(row, "city")),
        ("Address", cell(row, "address")),
        ("Coordinates", f"Latitude {cell(row, 'latitude')}，Longitude {cell(row, 'longitude')}"),
        ("Description", cell(row, "description")),
        ("Rating", f"{_float(row, 'rating')}(average visitor rating)"),
        ("Opening Hours", opening if opening == closing else f"{opening} to {closing}"),
        ("Closed Dates", cell(row, "closing_dates")),
        *_open_status(row, arguments),
        ("Minimum Visit Duration", _hours(row, "min_visit_hours")),
        ("Maximum Visit Duration", _hours(row, "max_visit_hours")),
        ("Ticket Price", f"{_float(row, 'ticket_price') or 'unknown'} RMB"),
        ("Attraction Type", cell(row, "attraction_type")),
        *((label, text) for label, text in _popularity(row) if text),
    ]
    return "\n".join(f"{label}：{text}" for label, text in lines)


def _attraction(files: SampleFiles, name: str) -> Row | None:
    by_name = {cell(row, "attraction_name"): row for row in reversed(files.attractions.rows)}
    if name in by_name:
        return by_name[name]
    aliases: dict[str, str] = {}
    for row in files.aliases:
        alias = cell(row, "alias")
        for key in (alias, alias.replace(" ", ""), alias.replace(" ", "").lower()):
            aliases.setdefault(key, cell(row, "canonical_name"))
    keys = (name, name.replace(" ", ""), name.replace(" ", "").lower())
    return next((by_name[aliases[key]] for key in keys if aliases.get(key) in by_name), None)


def _float(row: Row, column: str) -> str:
    value = number(cell(row, column))
    return str(value) if _is_number(value) else ""


def _hours(row: Row, column: str) -> str:
    value = _float(row, column)
    return f"{value} hours" if value else ""


def _popularity(row: Row) -> list[tuple[str, str]]:
    columns = ("popularity_tags", "crowd_risk", "queue_risk", "peak_crowd_windows")
    return [(column.replace("_", " ").title(), cell(row, column)) for column in columns]


def _open_status(row: Row, arguments: Arguments) -> list[tuple[str, str]]:
    day = _weekday(arguments.get("visit_weekday")) or _weekday_of(arguments.get("visit_date"))
    if day is None:
        return []
    closed = {_weekday(name.strip()) for name in cell(row, "closing_dates").split(",")}
    return [("Open Status on Visit Day", "Closed" if day in closed else "Open")]


def _weekday(value: object) -> int | None:
    names = {name.lower(): index for index, name in enumerate(WEEKDAYS, start=1)}
    text = "" if value is None else str(value).strip().lower()
    return int(text) if text in tuple("1234567") else names.get(text)


def _weekday_of(value: object) -> int | None:
    try:
        return date.fromisoformat(str(value).strip()).isoweekday()
    except ValueError:
        return None


def recommended_attractions(files: SampleFiles, arguments: Arguments) -> str:
    """Ten sights of a city, of one type if asked, by rating, price and name as far as they are known."""
    city, kind = arguments.get("city"), arguments.get("attraction_type")
    rows = same_city_rows(files.attractions.rows, city)
    if not is_empty(kind):
        rows = [row for row in rows if cell(row, "attraction_type") == kind]
    if not rows:
        return "No attraction recommendations found"
    distinct = {cell(row, "attraction_name"): row for row in reversed(rows)}
    first_first = [distinct[name] for name in dict.fromkeys(cell(row, "attraction_name") for row in rows)]
    # An unknown rating is NaN, and nothing compares with it: the order stays that of the table.
    ranked = sorted(
        first_first,
        key=lambda row: (-number(cell(row, "rating")), number(cell(row, "ticket_price")), cell(row, "attraction_name")),
    )
    return "Recommended attractions:\n\n" + "\n".join(_attraction_line(row) for row in ranked[:10])


def _attraction_line(row: Row) -> str:
    name, description = cell(row, "attraction_name"), cell(row, "description")
    line = f"Attraction Name: {name}; Description: {description}; Type: {cell(row, 'attraction_type')}"
    extras = ", ".join(f"{label}: {text}" for label, text in _popularity(row) if text)
    return f"{line}; {extras}" if extras else line


# --- Restaurants ----------------------------------------------------------------------------------------------------

_RANKS: Mapping[str, tuple[str, ...]] = {
    "distance": ("distance", "closest", "nearest", "near"),
    "price": ("price", "cheap", "cheapest", "budget"),
    "rating": ("rating", "rated", "highest", "highestrated"),
}


@dataclass(frozen=True)
class _Match:
    """Restaurants found for a place."""

    rows: Sequence[Row]
    anchor: str
    kind: str
    asked: str
    place: tuple[float, float] | None = None
    """Where distances are taken from; None: each from the row's own anchor."""


@dataclass(frozen=True)
class _Ranked:
    row: Row
    distance: float
    price: float
    rating: float

    @property
    def name(self) -> str:
        return cell(self.row, "restaurant_name")


_ORDERS: Mapping[str, Callable[[_Ranked], tuple[object, ...]]] = {
    "distance": lambda r: (r.distance, r.price, -r.rating, r.name),
    "price": lambda r: (r.price, r.distance, -r.rating, r.name),
    "rating": lambda r: (-r.rating, r.distance, r.price, r.name),
}


class Restaurants:
    """The restaurants of a sandbox, with where they are."""

    def __init__(self, files: SampleFiles) -> None:
        self._files = files

    @cached_property
    def _points(self) -> Mapping[str, tuple[float, float]]:
        points = {}
        for row in self._files.locations:
            point = number(cell(row, "latitude")), number(cell(row, "longitude"))
            if _is_number(point[0]) and _is_number(point[1]):
                points[compact_lower(cell(row, "poi_name"))] = point
        return points

    @cached_property
    def _anchored(self) -> Sequence[tuple[Row, str]]:
        return [(row, compact_lower(cell(row, "nearby_attraction_name"))) for row in self._files.restaurants]

    @cached_property
    def _by_name(self) -> Mapping[str, Row]:
        return {compact_lower(cell(row, "restaurant_name")): row for row in reversed(self._files.restaurants.rows)}

    def details(self, arguments: Arguments) -> dict[str, object]:
        """What is known of a restaurant; a message if there is none of that name."""
        name = arguments.get("restaurant_name")
        row = self._by_name.get(compact_lower("" if name is None else str(name)))
        if row is None:
            return {"message": f"Detailed information not found for restaurant {name}", "restaurant_name": name}
        return _restaurant(row, {})

    def recommended(self, arguments: Arguments) -> object:
        """Ten restaurants near a place; a sentence if there is none or no place is given."""
        asked = _first(arguments, "nearby_attraction_name", "attraction_name", "place_name")
        position = arguments.get("latitude"), arguments.get("longitude")
        if asked is None and None in position:
            return (
                "Restaurant recommendation requires nearby_attraction_name from the user request"
                " or a tool-returned place name"
            )
        name = str(asked) if asked is not None else f"{position[0]},{position[1]}"
        found = self._matching(name) if asked is not None else self._nearest_anchor(name, *map(number, position))
        if found is None:
            return (
                f"No recommended restaurants found near {name};"
                " check whether the place name matches the tool result or user request"
            )
        sort_by = arguments.get("sort_by")
        order = "" if sort_by is None else str(sort_by).lower().replace(" ", "")
        rank = next((rank for rank, words in _RANKS.items() if order in words), "auto")
        return [self._item(ranked, found) for ranked in _best_ten(self._measured(found), rank)]

    def _matching(self, name: str) -> _Match | None:
        wanted = compact_lower(name)
        exact = [row for row, anchor in self._anchored if anchor == wanted]
        if exact:
            return _Match(exact, cell(exact[0], "nearby_attraction_name"), "exact", name)
        similar = [(row, a) for row, a in self._anchored if wanted and a and (wanted in a or a in wanted)]
        if similar and len({anchor for _, anchor in similar}) == 1:
            rows = [row for row, _ in similar]
            return _Match(rows, cell(rows[0], "nearby_attraction_name"), "substring", name)
        place = self._points.get(wanted)
        if place is None:
            return None
        placed = [(row, self._points.get(compact_lower(cell(row, "restaurant_name")))) for row, _ in self._anchored]
        for radius in (3000, 5000):
            near = [row for row, point in placed if point and _meters(point, place) <= radius]
            if near:
                return _Match(near, name, "coordinate_fallback", name, place)
        return None

    def _nearest_anchor(self, name: str, latitude: float, longitude: float) -> _Match | None:
        best, best_meters = None, inf
        for anchor in dict.fromkeys(anchor for _, anchor in self._anchored):
            point = self._points.get(anchor)
            meters = _meters(point, (latitude, longitude)) if point else inf
            if meters < best_meters:
                best, best_meters = anchor, meters
        if best is None or best_meters > 3000:
            return None
        rows = [row for row, anchor in self._anchored if anchor == best]
        return _Match(rows, cell(rows[0], "nearby_attraction_name"), "nearest_anchor", name)

    def _measured(self, found: _Match) -> list[_Ranked]:
        return [
            _Ranked(row, self._distance(row, found), number(cell(row, "price_per_person")), number(cell(row, "rating")))
            for row in found.rows
        ]

    def _distance(self, row: Row, found: _Match) -> float:
        here = self._points.get(compact_lower(cell(row, "restaurant_name")))
        there = found.place or self._points.get(compact_lower(cell(row, "nearby_attraction_name")))
        return int(_meters(here, there)) if here and there else inf

    def _item(self, ranked: _Ranked, found: _Match) -> dict[str, object]:
        extra: dict[str, object] = {
            "query_nearby_attraction_name": found.asked,
            "matched_nearby_attraction_name": found.anchor,
            "nearby_attraction_match_type": found.kind,
        }
        if ranked.distance != inf:
            extra["distance_meters"] = ranked.distance
        return _restaurant(ranked.row, extra)


def _best_ten(found: list[_Ranked], rank: str) -> list[_Ranked]:
    if rank != "auto":
        return sorted(found, key=_ORDERS[rank])[:10]
    best = sorted(found, key=_ORDERS["price"])[:10]
    for leader in (sorted(found, key=_ORDERS[order])[0] for order in ("distance", "rating")):
        if all(leader.name != ranked.name for ranked in best):
            best[9:] = [leader]
    return best


def _restaurant(row: Row, extra: Mapping[str, object]) -> dict[str, object]:
    item: dict[str, object] = {
        "name": cell(row, "restaurant_name"),
        "price_per_person": cell(row, "price_per_person"),
        "cuisine": cell(row, "cuisine"),
        "opening_time": cell(row, "opening_time"),
        "closing_time": cell(row, "closing_time"),
        "nearby_attraction_name": cell(row, "nearby_attraction_name"),
        "rating": cell(row, "rating"),
        **extra,
    }
    if not item["price_per_person"]:
        item["price_missing"] = True
    tags = _parts(cell(row, "tags").split(";"))[:8]
    if tags:
        item["tags"] = tags
    return item


def _meters(a: tuple[float, float], b: tuple[float, float]) -> float:
    return sqrt(((a[0] - b[0]) * 111000) ** 2 + ((a[1] - b[1]) * 85000) ** 2)
