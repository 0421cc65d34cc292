"""Which journeys, hotels and restaurants an agent asked for, and in which order it gets them.

Every order is total: what is equal in the first respect is told apart by the next, and what is not known comes last.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import time
from decimal import Decimal
from functools import lru_cache
from typing import Literal

from tripgauge.tools import ToolError
from tripgauge.trip_plus.sandbox.names import folded
from tripgauge.trip_plus.sandbox.records import Attraction, Hotel, Journey, Restaurant, Service, Station
from tripgauge.trip_plus.sandbox.transit import Preference

SortJourneys = Literal["price", "departure_time", "arrival_time", "latest_arrival", "duration"]
SortHotels = Literal["price", "rating", "decoration"]
SortRestaurants = Literal["auto", "distance", "price", "rating"]


def _known_first(value: Decimal | int | float | None) -> tuple[bool, Decimal | int | float]:
    return value is None, value or 0


def _best_first(value: Decimal | int | None) -> tuple[bool, Decimal | int]:
    return value is None, -(value or 0)


# --- Journeys -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class End:
    """A city, or one station of it."""

    city: str
    station: Station | None

    def is_at(self, leg: Service, *, departs: bool) -> bool:
        """Whether a leg starts, or ends, there."""
        stop = leg.origin if departs else leg.destination
        return self.station is None or (stop.code or stop.name) == (self.station.code or self.station.name)

    def __str__(self) -> str:
        return self.station.name if self.station else self.city


@dataclass(frozen=True)
class Window:
    """A span of the day, inclusive; past midnight where it starts after it ends."""

    start: time | None
    end: time | None

    @classmethod
    def of(cls, start: str | None, end: str | None) -> "Window":
        """The span between two times of day; 24:00 is the last second of it."""
        return cls(_clock(start), _clock(end) if end is None or not end.startswith("24") else time(23, 59, 59))

    def holds(self, moment: time) -> bool:
        """Whether a time of day lies in it."""
        after = self.start is None or moment >= self.start
        before = self.end is None or moment <= self.end
        if self.start is not None and self.end is not None and self.start > self.end:
            return after or before
        return after and before

    def __str__(self) -> str:
        start, end = (moment and f"{moment:%H:%M}" for moment in (self.start, self.end))
        return f"from {start}" if end is None else f"until {end}" if start is None else f"{start}-{end}"


def _clock(text: str | None) -> time | None:
    if text is None:
        return None
    hour, _, minute = text.partition(":")
    return time(int(hour) % 24, int(minute))


@dataclass(frozen=True)
class Wanted:
    """What a journey must be like."""

    seat_class: str | None
    train_type: str | None
    direct_only: bool
    departs: Window
    arrives: Window

    def conditions(self, journeys: Sequence[Journey]) -> list[Callable[[Journey], bool]]:
        """The conditions that were given; `journeys` are those of the day.

        Raises ToolError for a seat class or type of train that none of them has on any leg.
        """
        conditions: list[Callable[[Journey], bool]] = []
        if self.seat_class is not None:
            conditions.append(_has_class(journeys, self.seat_class))
        if self.train_type is not None:
            conditions.append(_has_type(journeys, self.train_type))
        if self.direct_only:
            conditions.append(lambda journey: journey.is_direct)
        if self.departs != Window(None, None):
            conditions.append(lambda journey: self.departs.holds(journey.departure.time()))
        if self.arrives != Window(None, None):
            conditions.append(lambda journey: self.arrives.holds(journey.arrival.time()))
        return conditions

    @property
    def words(self) -> str:
        """The conditions, for an answer that none meets them."""
        conditions = [
            self.seat_class and f"seat class {self.seat_class}",
            self.train_type and f"type {self.train_type}",
            self.direct_only and "direct",
            self.departs != Window(None, None) and f"departure {self.departs}",
            self.arrives != Window(None, None) and f"arrival {self.arrives}",
        ]
        return ", ".join(condition for condition in conditions if condition)


def _has_class(journeys: Sequence[Journey], wanted: str) -> Callable[[Journey], bool]:
    known = {leg.seat_class for journey in journeys for leg in journey.legs}
    meant = {seat_class for seat_class in known if _is_class(wanted, seat_class)}
    if not meant:
        names = ", ".join(sorted(known))
        raise ToolError(f"No seat class that day is {wanted!r}. The classes are: {names}.", "seatClassName")
    return lambda journey: all(leg.seat_class in meant for leg in journey.legs)


def _has_type(journeys: Sequence[Journey], wanted: str) -> Callable[[Journey], bool]:
    legs = [leg for journey in journeys for leg in journey.legs]
    if not any(_is_type(wanted, leg) for leg in legs):
        names = ", ".join(sorted({leg.carrier for leg in legs}))
        raise ToolError(f"No train that day is of the type {wanted!r}. The types are: {names}.", "trainType")
    return lambda journey: all(_is_type(wanted, leg) for leg in journey.legs)


def _is_class(wanted: str, seat_class: str) -> bool:
    """Whether a class is the one meant: "first" and "First Class" are First Class Seat, not High-Class Soft Sleeper."""
    return _plain_class(wanted) == _plain_class(seat_class)


@lru_cache(maxsize=4096)
def _plain_class(text: str) -> str:
    words = re.findall(r"[a-z]+", text.replace("-", "").lower())
    return " ".join(word for word in words if word not in ("class", "seat")) or " ".join(words)


def _is_type(wanted: str, leg: Service) -> bool:
    if len(wanted.strip()) == 1:
        return leg.number.upper().startswith(wanted.strip().upper())
    return folded(leg.carrier) == folded(wanted)


def in_order(journeys: Sequence[Journey], sort_by: SortJourneys | None) -> Sequence[Journey]:
    """Journeys by what is asked for. Equal ones keep the sandbox's order: departure, price, arrival, number, class."""
    match sort_by:
        case "price":
            return sorted(journeys, key=lambda journey: _known_first(journey.fare))
        case "arrival_time":
            return sorted(journeys, key=lambda journey: journey.arrival)
        case "latest_arrival":
            return sorted(journeys, key=lambda journey: journey.arrival, reverse=True)
        case "duration":
            return sorted(journeys, key=lambda journey: journey.duration)
        case _:
            return journeys


# --- Hotels ---------------------------------------------------------------------------------------------------------


def hotel_conditions(
    hotels: Sequence[Hotel],
    *,
    name: str | None,
    star: str | None,
    brands: str | None,
    min_price: float | None,
    max_price: float | None,
    service: str | None,
) -> list[Callable[[Hotel], bool]]:
    """What a hotel must meet; `hotels` are those of the city. Raises ToolError for stars or brands there cannot be."""
    conditions: list[Callable[[Hotel], bool]] = []
    if name is not None:
        conditions.append(_has_name(hotels, name))
    if star is not None:
        wanted_star = _stars(star)
        conditions.append(lambda hotel: hotel.star == wanted_star)
    if brands is not None:
        wanted_brands = _brands(hotels, brands)
        conditions.append(lambda hotel: _plain_brand(hotel.brand) in wanted_brands)
    if min_price is not None:
        low = Decimal(str(min_price))
        conditions.append(lambda hotel: hotel.price is not None and hotel.price >= low)
    if max_price is not None:
        high = Decimal(str(max_price))
        conditions.append(lambda hotel: hotel.price is not None and hotel.price <= high)
    if service is not None:
        services = _services(service)
        conditions.append(lambda hotel: _offers_all(hotel, services))
    return conditions


def _has_name(hotels: Sequence[Hotel], name: str) -> Callable[[Hotel], bool]:
    wanted = folded(name)
    if any(folded(hotel.name) == wanted for hotel in hotels):
        return lambda hotel: folded(hotel.name) == wanted
    return lambda hotel: wanted in folded(hotel.name)


def _stars(text: str) -> int:
    found = re.fullmatch(r"\s*([1-5])(?:\.0)?\s*-?\s*(?:stars?)?\s*", text, re.IGNORECASE)
    if not found:
        raise ToolError(f"hotelStar is a number of stars such as 4, not {text!r}.", "hotelStar")
    return int(found[1])


def _plain_brand(name: str) -> str:
    plain = folded(name)
    return plain.removesuffix("hotel") or plain


def _brands(hotels: Sequence[Hotel], text: str) -> frozenset[str]:
    known = {_plain_brand(hotel.brand): hotel.brand for hotel in hotels if hotel.brand}
    wanted = [part.strip() for part in re.split(r"[,;，；、/]", text) if part.strip()]
    unknown = [part for part in wanted if _plain_brand(part) not in known]
    if unknown or not wanted:
        names = ", ".join(sorted(known.values())) or "none"
        raise ToolError(
            f"No hotel here is of the brand {', '.join(unknown) or text!r}. The brands are: {names}.", "hotelBrands"
        )
    return frozenset(_plain_brand(part) for part in wanted)


_SAME_SERVICE = {"pool": "swimming pool", "tv screen mirroring": "tv screen casting"}


@lru_cache(maxsize=4096)
def _service(text: str) -> frozenset[str]:
    """The words of a service that tell it from others."""
    words = re.findall(r"\w+", text.lower().replace("_", " "))
    plain = " ".join(word for word in words if word not in ("service", "services", "hotel"))
    return frozenset(_SAME_SERVICE.get(plain, plain).split())


def _services(text: str) -> list[frozenset[str]]:
    """The services a text asks for, each by its words."""
    parts = re.split(r"\band\b|[,;，；、]", text, flags=re.IGNORECASE)
    return [service for service in map(_service, parts) if service]


def _offers_all(hotel: Hotel, wanted: Sequence[frozenset[str]]) -> bool:
    offered = [_service(service) for service in hotel.services]
    return all(any(service <= other for other in offered) for service in wanted)


def hotels_in_order(hotels: Sequence[Hotel], sort_by: SortHotels | None) -> Sequence[Hotel]:
    """Hotels by what is asked for. Equal ones keep the sandbox's order: score, price, name."""
    match sort_by:
        case "price":
            return sorted(hotels, key=lambda hotel: _known_first(hotel.price))
        case "decoration":
            return sorted(hotels, key=lambda hotel: _best_first(hotel.decoration_year))
        case _:
            return hotels


# --- Sights ---------------------------------------------------------------------------------------------------------


def sights_in_order(sights: Sequence[Attraction]) -> list[Attraction]:
    """Those with a rating, the highest first, then by price and name; then the others in the order given."""
    rated = sorted(
        (sight for sight in sights if sight.rating is not None),
        key=lambda sight: (_best_first(sight.rating), _known_first(sight.price), sight.name),
    )
    return [*rated, *(sight for sight in sights if sight.rating is None)]


# --- Restaurants ----------------------------------------------------------------------------------------------------


def restaurant_order(sort_by: SortRestaurants) -> Callable[[tuple[Restaurant, int | None]], tuple[object, ...]]:
    """Restaurants and their distance by what is asked for, else by price; then by price, distance, rating, name."""

    def key(found: tuple[Restaurant, int | None]) -> tuple[object, ...]:
        restaurant, meters = found
        price, distance = _known_first(restaurant.price), _known_first(meters)
        rest = (price, distance, _best_first(restaurant.rating), restaurant.name)
        match sort_by:
            case "distance":
                return (distance, *rest)
            case "rating":
                return (_best_first(restaurant.rating), *rest)
            case _:
                return rest

    return key


# --- Getting about --------------------------------------------------------------------------------------------------

_PREFERENCES: dict[str, Preference] = {
    "balanced": "balanced",
    "budgetfirst": "budget_first",
    "budget": "budget_first",
    "minwalking": "min_walking",
    "comfort": "min_walking",
    "timefirst": "time_first",
    "fastest": "time_first",
}


def preference_named(text: str | None) -> Preference:
    """The preference a text names, balanced without one. Raises ToolError for any other text."""
    if text is None:
        return "balanced"
    found = _PREFERENCES.get(re.sub(r"[^a-z]", "", text.lower()))
    if found is None:
        names = ", ".join(dict.fromkeys(_PREFERENCES.values()))
        raise ToolError(f"traveler_preference is one of {names}, not {text!r}.", "traveler_preference")
    return found
