"""Trains and flights as the published tools put them together from their tables.

Routes are rebuilt row by row with all their oddities: fares of legs are always added, a flight may wait for days, a
train whose second leg is filtered out ends at the change.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from tripgauge.tools import Listing
from tripgauge.trip_plus.release.tool_names import cell
from tripgauge.trip_plus.sandbox.files import Row, Table

Kind = Literal["train", "flight"]
Arguments = Mapping[str, object]


@dataclass(frozen=True)
class _Leg:
    """A row of a timetable with what is asked of it again and again."""

    row: Row
    origin: str
    destination: str
    day: str
    seat: str
    seat_class: str
    segment: int
    route: str
    number: str
    start: tuple[str, str]
    """Code and name of the station."""
    end: tuple[str, str]
    departure: str
    arrival: str
    kind: str
    """Type of train in lower case; empty of flights."""
    price: float
    """0 where it is missing or not above 0."""
    same: tuple[str, ...]
    """Equal for rows the published tools take for one."""

    @property
    def order(self) -> tuple[str, int, str, str, str, str, str]:
        return self.seat, self.segment, self.departure, self.arrival, self.start[1], self.end[1], self.number


_Chain = tuple[_Leg, ...]
_Fits = Callable[[_Leg], bool]


@dataclass(frozen=True)
class _Names:
    """The name shown for each station: the shortest of its code."""

    by_code: Mapping[str, str]

    @classmethod
    def of(cls, legs: Iterable[_Leg]) -> "_Names":
        names: dict[str, str] = {}
        for leg in legs:
            for code, name in (leg.start, leg.end):
                if code and (code not in names or len(name) < len(names[code])):
                    names[code] = name
        return cls(names)

    def of_stop(self, stop: tuple[str, str]) -> str:
        return self.by_code.get(stop[0], stop[1])


@dataclass(frozen=True)
class _Route:
    """Legs that go together, under the names shown with them."""

    legs: _Chain
    names: _Names
    price: float | int
    same: tuple[object, ...]
    """Equal for flights the published tool takes for one."""

    @classmethod
    def of(cls, legs: _Chain, names: _Names) -> "_Route":
        price = _price(legs)
        stops = [(leg.start[0], leg.end[0], leg.departure, leg.arrival, leg.number, leg.seat) for leg in legs]
        return cls(legs, names, price, (*stops, price))


@dataclass(frozen=True)
class _Group:
    """The legs of one route number on one day, and the routes they make while nothing is filtered out."""

    legs: Sequence[_Leg]
    routes: Sequence[_Route]
    is_simple: bool
    """Whether no leg follows another, so that a filter merely picks among the routes."""


def seat_class(kind: Kind, text: str) -> str:
    """The class a text is taken for."""
    plain = re.sub(r"[^a-z0-9]", "", text.lower())
    if kind == "flight":
        classes = {
            "business": "Business Class",
            "premiumeconomy": "Premium Economy Class",
            "economy": "Economy Class",
            "first": "First Class",
        }
        return next((name for word, name in classes.items() if word in plain), text)
    if "business" in plain:
        return "Business Seat"
    for word in ("first", "second"):
        if f"{word}class" in plain or plain in (word, f"{word}seat"):
            return f"{word.title()} Class Seat"
    beds_and_seats = ("hardseat", "softseat", "hardsleeper", "softsleeper", "noseat")
    return next((word for word in beds_and_seats if word in plain), text)


_SUFFIXES = {
    "train": ("Railway Station", "Train Station", "Station", "City"),
    "flight": ("International Airport", "Airport", "City"),
}


def _spellings(kind: Kind, text: str) -> list[str]:
    """Forms of a city's or station's name, the longest first."""
    forms = [text.strip()]
    for form in forms:
        for suffix in _SUFFIXES[kind]:
            for ending in (suffix, suffix.lower()):
                shorter = form.removesuffix(ending).strip()
                if shorter and shorter != form and shorter not in forms:
                    forms.append(shorter)
    every = [variant for form in forms for variant in (form.lower(), _slug(form), _alphanumeric(form))]
    return sorted(dict.fromkeys(filter(None, every)), key=len, reverse=True)


def _slug(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "_", text.lower()).strip("_")


def _alphanumeric(text: str) -> str:
    return re.sub(r"[^a-z0-9]", "", text.lower())


@dataclass(frozen=True)
class Bound:
    """A span of the day, inclusive; past midnight where it starts after it ends."""

    start: str | None
    end: str | None

    @classmethod
    def of(cls, start: object, end: object) -> "Bound":
        """The span between two texts; a text that is no time bounds nothing."""
        return cls(_clock(start, at_end=False), _clock(end, at_end=True))

    def holds(self, moment: str) -> bool:
        """Whether a `YYYY-MM-DD HH:MM:SS` lies in it."""
        time = moment[11:]
        after = self.start is None or time >= self.start
        before = self.end is None or time <= self.end
        if self.start is not None and self.end is not None and self.start > self.end:
            return after or before
        return after and before


def _clock(value: object, *, at_end: bool) -> str | None:
    found = re.search(r"(\d{1,2})(?::(\d{1,2}))?", "" if value is None else str(value))
    if not found:
        return None
    hour, minute = int(found[1]), int(found[2] or 0)
    if hour > 24 or minute > 59:
        return None
    if hour == 24:
        return "23:59:59" if at_end else "00:00:00"
    return f"{hour:02d}:{minute:02d}:00"


def wants_direct(value: object) -> bool:
    """Whether an argument asks for direct services."""
    return value is True or str(value).strip().lower() in ("1", "true", "yes", "y", "direct")


class Timetable:
    """One table, indexed by cities and day."""

    def __init__(self, kind: Kind, table: Table) -> None:
        self._kind = kind
        self._table = table
        self._filtered: dict[tuple[int, str | None, str | None], tuple[_Route, ...]] = {}

    @cached_property
    def _legs(self) -> list[_Leg]:
        return [_leg(self._kind, row) for row in self._table]

    @cached_property
    def _by_day(self) -> Mapping[tuple[str, str, str], list[_Leg]]:
        by_day: dict[tuple[str, str, str], list[_Leg]] = defaultdict(list)
        for leg in self._legs:
            by_day[leg.origin, leg.destination, leg.day].append(leg)
        return by_day

    @cached_property
    def _by_route(self) -> Mapping[tuple[str, str, str], list[_Leg]]:
        by_route: dict[tuple[str, str, str], list[_Leg]] = defaultdict(list)
        for leg in self._legs:
            by_route[leg.origin, leg.destination, leg.route].append(leg)
        return by_route

    @cached_property
    def _terminals(self) -> Mapping[tuple[str, str], frozenset[str]]:
        """Codes and names of stations where routes of several legs end, by cities."""
        ends: dict[tuple[str, str], set[str]] = defaultdict(set)
        for (origin, destination, _), legs in self._by_route.items():
            last = max(leg.segment for leg in legs)
            if last > 1:
                ends[origin, destination].update(text for leg in legs if leg.segment == last for text in leg.end)
        return {cities: frozenset(filter(None, texts)) for cities, texts in ends.items()}

    @cached_property
    def _cities(self) -> Mapping[str, str]:
        cities: dict[str, str] = {}
        seen: set[tuple[str, str]] = set()
        for leg in self._legs:
            named = (
                (leg.origin, leg.origin),
                (leg.destination, leg.destination),
                (leg.start[1], leg.origin),
                (leg.end[1], leg.destination),
            )
            for pair in named:
                if pair[0] and pair not in seen:
                    seen.add(pair)
                    for spelling in _spellings(self._kind, pair[0]):
                        cities.setdefault(spelling, pair[1])
        return cities

    def city(self, text: str) -> str:
        """The city a text is taken for; the text itself if for none."""
        if not text.strip():
            return text
        for spelling in _spellings(self._kind, text):
            if spelling in self._cities:
                return self._cities[spelling]
        if self._kind == "flight":
            lower, slug, plain = text.lower(), _slug(text), _alphanumeric(text)
            for name in self._city_names:
                if name.lower() in lower or _slug(name) in slug or _alphanumeric(name) in plain:
                    return name
        return text

    @cached_property
    def _city_names(self) -> list[str]:
        return sorted(dict.fromkeys(filter(None, self._cities.values())), key=len, reverse=True)

    def answer(self, arguments: Arguments) -> object:
        """The published tool's answer: a list of routes, or a sentence."""
        if not self._table.exists:
            return f"No {self._kind} information available"
        origin, destination = (self.city(_text(arguments.get(name))) for name in ("origin", "destination"))
        day = arguments.get("depDate")
        nothing = f"No {self._kind} information found from {origin} to {destination} on {day}"
        seat, kind = self._wanted(arguments)
        groups = self._days.get((origin, destination, _text(day)), ())
        fits = _filter(seat, kind)
        if seat is not None or kind is not None:
            groups = [group for group in groups if any(map(fits, group.legs))]
        if not groups:
            return nothing
        found: Sequence[_Route] = [route for group in groups for route in self._routes(group, seat, kind)]
        if self._kind == "flight":
            first: dict[object, _Route] = {}
            for route in found:
                first.setdefault(route.same, route)
            found = list(first.values())
        departs = Bound.of(arguments.get("depTimeStart"), arguments.get("depTimeEnd"))
        arrives = Bound.of(arguments.get("arrTimeStart"), arguments.get("arrTimeEnd"))
        if departs != Bound(None, None) or arrives != Bound(None, None):
            found = [r for r in found if departs.holds(r.legs[0].departure) and arrives.holds(r.legs[-1].arrival)]
        if wants_direct(arguments.get("directOnly")):
            found = [route for route in found if len(route.legs) == 1]
            if not found:
                return nothing
        shape = _flight_item if self._kind == "flight" else _train_item
        return Listing(_sorted(found, arguments.get("sortBy")), shape)

    def _wanted(self, arguments: Arguments) -> tuple[str | None, str | None]:
        """The seat class and the type of train that are asked for."""
        seat = arguments.get("seatClassName")
        kind = arguments.get("trainType") if self._kind == "train" else None
        return seat_class(self._kind, _text(seat)) if seat else None, _text(kind).lower() if kind else None

    @cached_property
    def _days(self) -> Mapping[tuple[str, str, str], Sequence[_Group]]:
        """The groups of each day between two cities, in the order of their route numbers as text."""
        return {
            cities_and_day: [self._group(legs, cities_and_day[2]) for legs in _grouped(every)]
            for cities_and_day, every in self._by_day.items()
        }

    def _group(self, legs: Sequence[_Leg], day: str) -> _Group:
        every = self._by_route[legs[0].origin, legs[0].destination, legs[0].route] if self._kind == "flight" else legs
        routes = self._made(legs, day, _filter(None, None))
        return _Group(legs, tuple(routes), all(leg.segment == 1 for leg in every))

    def _routes(self, group: _Group, seat: str | None, kind: str | None) -> Iterable[_Route]:
        if seat is None and kind is None:
            return group.routes
        fits = _filter(seat, kind)
        if group.is_simple:
            return (route for route in group.routes if fits(route.legs[0]))
        key = id(group), seat, kind
        if key not in self._filtered:
            self._filtered[key] = tuple(self._made(group.legs, group.legs[0].day, fits))
        return self._filtered[key]

    def _made(self, legs: Sequence[_Leg], day: str, fits: _Fits) -> Iterator[_Route]:
        """The routes of the legs of one number, put together as published."""
        return self._flights(legs[0], day, fits) if self._kind == "flight" else self._trains(legs, fits)

    def _trains(self, legs: Sequence[_Leg], fits: _Fits) -> Iterator[_Route]:
        left = list(filter(fits, legs))
        names = _Names.of(left)
        ordered = _distinct(left)
        last = max(leg.segment for leg in ordered)
        for chain in list(_by_seat(ordered, last)) or _alone(ordered):
            if len(chain) > 1 or last == 1 or self._is_terminal(chain[0]):
                yield _Route.of(chain, names)

    def _flights(self, leg: _Leg, day: str, fits: _Fits) -> Iterator[_Route]:
        # The published tool takes the legs of a route number on all days.
        every = self._by_route[leg.origin, leg.destination, leg.route]
        names = _Names.of(every)
        ordered = _distinct(filter(fits, every))
        for chain in _flight_chains(every, ordered):
            if chain[0].departure[:10] == day and (len(chain) > 1 or self._is_terminal(chain[0])):
                yield _Route.of(chain, names)

    def _is_terminal(self, leg: _Leg) -> bool:
        ends = self._terminals.get((leg.origin, leg.destination))
        return not ends or leg.end[0] in ends or leg.end[1] in ends


def _filter(seat: str | None, kind: str | None) -> _Fits:
    """Whether a leg may be looked at."""
    return lambda leg: (seat is None or leg.seat_class == seat) and (kind is None or leg.kind == kind)


def _text(value: object) -> str:
    return "" if value is None else str(value)


def _leg(kind: Kind, row: Row) -> _Leg:
    number, carrier = ("flight_no", "airline") if kind == "flight" else ("train_no", "train_type")
    seat = cell(row, "seat_class")
    segment = cell(row, "segment_index")
    columns = (
        "segment_index",
        "dep_station_code",
        "arr_station_code",
        "dep_station_name",
        "arr_station_name",
        "dep_datetime",
        "arr_datetime",
        number,
        carrier,
        "equip_type",
        "equip_size",
        "manufacturer",
        "seat_class",
        "price",
    )
    return _Leg(
        row=row,
        origin=cell(row, "origin_city"),
        destination=cell(row, "destination_city"),
        day=cell(row, "dep_date"),
        seat=seat,
        seat_class=seat_class(kind, seat),
        segment=int(segment) if segment.isdigit() else 1,
        route=cell(row, "route_index"),
        number=cell(row, number),
        start=(cell(row, "dep_station_code"), cell(row, "dep_station_name")),
        end=(cell(row, "arr_station_code"), cell(row, "arr_station_name")),
        departure=cell(row, "dep_datetime"),
        arrival=cell(row, "arr_datetime"),
        kind=cell(row, "train_type").lower(),
        price=_positive(cell(row, "price")),
        same=tuple(row.get(column, "") for column in columns),
    )


def _positive(text: str) -> float:
    try:
        price = float(text)
    except ValueError:
        return 0.0
    return price if price > 0 else 0.0


def _grouped(legs: Iterable[_Leg]) -> list[list[_Leg]]:
    """The legs by route, routes in the order of their numbers as text."""
    routes: dict[str, list[_Leg]] = defaultdict(list)
    for leg in legs:
        routes[leg.route].append(leg)
    return [routes[number] for number in sorted(routes)]


def _distinct(legs: Iterable[_Leg]) -> list[_Leg]:
    return sorted({leg.same: leg for leg in reversed(list(legs))}.values(), key=lambda leg: leg.order)


def _alone(legs: Iterable[_Leg]) -> list[_Chain]:
    return [(leg,) for leg in legs if leg.segment == 1]


def _by_seat(legs: Sequence[_Leg], last: int) -> Iterator[_Chain]:
    """The connections within each seat class, classes in order; without any change, each leg by itself."""
    for seat in dict.fromkeys(leg.seat for leg in legs):
        same_seat = [leg for leg in legs if leg.seat == seat]
        chains = _alone(same_seat)
        for segment in range(2, last + 1):
            following = [leg for leg in same_seat if leg.segment == segment]
            chains = [(*chain, leg) for chain in chains for leg in following if _connects(chain[-1], leg)]
        yield from chains


def _connects(earlier: _Leg, later: _Leg) -> bool:
    here, there = earlier.end, later.start
    same = here[0] == there[0] if here[0] and there[0] else here[1] == there[1]
    return same and later.departure >= earlier.arrival


def _flight_chains(every: Sequence[_Leg], ordered: Sequence[_Leg]) -> list[_Chain]:
    """The flights of a route: those from its first airports straight to its last, then connections."""
    last = max(leg.segment for leg in every)
    starts = {text for leg in every if leg.segment == 1 for text in leg.start if text}
    ends = {text for leg in every if leg.segment == last for text in leg.end if text}
    found: list[_Chain] = [
        (leg,) for leg in ordered if not starts.isdisjoint(leg.start) and not ends.isdisjoint(leg.end)
    ]
    highest = max((leg.segment for leg in ordered), default=1)
    for chain in _by_seat(ordered, highest) if highest > 1 else _alone(ordered):
        if chain not in found:
            found.append(chain)
    return found or _alone(ordered)


def _price(legs: _Chain) -> float | int:
    if any(leg.price <= 0 for leg in legs):
        return 0
    total = 0.0
    for leg in legs:
        total += leg.price
    return total


def _sorted(routes: Sequence[_Route], order: object) -> Sequence[_Route]:
    match _text(order).strip().lower():
        case "price" | "cheapest":
            return sorted(routes, key=lambda r: (not r.price > 0, r.price, len(r.legs), r.legs[0].departure))
        case "departure_time" | "deptime" | "earliest":
            return sorted(routes, key=lambda r: r.legs[0].departure)
        case "arrival_time" | "arrivaltime" | "earliest_arrival":
            return sorted(routes, key=lambda r: r.legs[-1].arrival)
        case "latest_arrival" | "arrival_time_desc":
            return sorted(routes, key=lambda r: r.legs[-1].arrival, reverse=True)
        case "duration" | "shortest_duration" | "shortest":
            return sorted(routes, key=lambda r: (_minutes(r.legs[0]), len(r.legs), r.legs[0].departure))
        case _:
            return routes


def _minutes(leg: _Leg) -> int:
    text = cell(leg.row, "duration")
    return int(float(text)) if re.fullmatch(r"\d+(\.\d+)?", text) else 0


def _flight_item(route: _Route) -> dict[str, object]:
    return _item("flight", route)


def _train_item(route: _Route) -> list[dict[str, object]]:
    return [_item("train", route)]


def _item(kind: Kind, route: _Route) -> dict[str, object]:
    item: dict[str, object] = {}
    for number, leg in enumerate(route.legs, start=1):
        start, end = route.names.of_stop(leg.start), route.names.of_stop(leg.end)
        segment: dict[str, object] = {
            "arrCityName": leg.destination if number == len(route.legs) else end,
            "arrStationCode": leg.end[0],
            "arrStationName": end,
            "depCityName": leg.origin if number == 1 else start,
            "depStationCode": leg.start[0],
            "depStationName": start,
            "duration": _minutes(leg),
            "arrDateTime": leg.arrival,
            "depDateTime": leg.departure,
            "marketingTransportName": cell(leg.row, "airline" if kind == "flight" else "train_type"),
            "marketingTransportNo": leg.number,
            "seatClassName": leg.seat,
            "price": route.price,
        }
        if kind == "flight":
            segment |= {
                "equipSize": cell(leg.row, "equip_size"),
                "equipType": cell(leg.row, "equip_type"),
                "manufacturer": cell(leg.row, "manufacturer"),
            }
        item[f"Segment {number}"] = segment
    return {**item, "price": route.price, "segmentCount": len(route.legs), "isDirect": len(route.legs) == 1}
