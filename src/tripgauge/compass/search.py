"""Finding offers and places in the catalogue: the questions behind the tools."""

import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np

from tripgauge.compass.catalogue import Integers, Mask
from tripgauge.compass.filters import Component
from tripgauge.compass.index import Index
from tripgauge.compass.offers import Stay


@dataclass(frozen=True)
class LodgingQuestion:
    """What a search for rooms may ask for; what is None or false is not asked for."""

    stay: Stay
    guests: int
    min_nightly_cents: int | None = None
    max_nightly_cents: int | None = None
    """Both about the mean price of one room and night."""

    min_review_score_x10: int | None = None
    free_cancellation: bool = False
    no_prepayment_needed: bool = False
    has_parking: bool = False
    breakfast_included: bool = False
    is_pet_friendly: bool = False


@dataclass(frozen=True)
class FoundLodgings:
    """Configurations with enough free rooms on every night, the cheapest stay first."""

    configs: Integers
    """Rows of the configurations."""

    rooms: Integers
    """How many rooms of each the party takes."""

    cost: Integers
    """All rooms, all nights, in cents."""


@dataclass(frozen=True)
class FlightQuestion:
    origin: str
    destination: str
    stay: Stay
    passengers: int = 1
    max_price_cents: int | None = None
    """For all passengers."""

    airline: str | None = None
    booking_class: str | None = None
    direct_only: bool = False


@dataclass(frozen=True)
class FoundFlights:
    """Flights with enough free seats both ways, the cheapest first."""

    flights: Integers
    """Rows of the flights."""

    fare: Integers
    """One passenger, there and back, in cents."""


_FLAGS = (
    (Component.HOTEL, "has_parking"),
    (Component.HOTEL, "is_pet_friendly"),
    (Component.CONFIG, "free_cancellation"),
    (Component.CONFIG, "no_prepayment_needed"),
    (Component.CONFIG, "breakfast_included"),
)


class Search:
    """Questions to one catalogue."""

    def __init__(self, index: Index) -> None:
        self.index = index
        self.catalogue = index.catalogue

    def lodgings(self, configs: slice | Integers, question: LodgingQuestion) -> FoundLodgings:
        """Which of some configurations can be had."""
        first, last = question.stay.start - 1, question.stay.end - 1
        rooms = self.index.rooms_for(question.guests)[configs]
        free = self.catalogue.rooms_available.values[first:last, configs].min(axis=0)
        sums = self.index.price_sums
        price = sums[last, configs] - sums[first, configs]
        kept = free >= rooms
        nights = question.stay.nights
        if question.min_nightly_cents is not None:
            kept &= price >= question.min_nightly_cents * nights
        if question.max_nightly_cents is not None:
            kept &= price <= question.max_nightly_cents * nights
        if question.min_review_score_x10 is not None:
            kept &= self._column(Component.HOTEL, "review_score_x10", configs) >= question.min_review_score_x10
        for component, name in _FLAGS:
            if getattr(question, name):
                kept &= self._column(component, name, configs) == 1
        cost = price * rooms
        rows = kept.nonzero()[0]
        rows = rows[cost[rows].argsort(kind="stable")]
        where = rows + configs.start if isinstance(configs, slice) else configs[rows]
        return FoundLodgings(where, rooms[rows], cost[rows])

    def _column(self, component: Component, name: str, configs: slice | Integers) -> Integers:
        column = self.index.lodging_column(component, name)
        assert isinstance(column, np.ndarray)
        return column[configs]

    def flights(self, question: FlightQuestion) -> FoundFlights:
        """The flights of a route on two days."""
        here = self.catalogue.flights_of(question.origin, question.destination)
        out, back = question.stay.start - 1, question.stay.end - 1
        fare = self.catalogue.out_prices.values[out, here] + self.catalogue.back_prices.values[back, here]
        kept = self.catalogue.out_seats.values[out, here] >= question.passengers
        kept &= self.catalogue.back_seats.values[back, here] >= question.passengers
        if question.max_price_cents is not None:
            kept &= fare.astype(np.int64) * question.passengers <= question.max_price_cents
        for name, text in (("airline", question.airline), ("booking_class", question.booking_class)):
            if text is not None:
                kept &= self._is(name, text, here)
        if question.direct_only:
            kept &= self.catalogue.flights.codes("stops")[here] == 0
        rows = kept.nonzero()[0]
        rows = rows[fare[rows].argsort(kind="stable")]
        return FoundFlights(rows + here.start, fare[rows])

    def _is(self, name: str, text: str, rows: slice) -> Mask:
        column = self.catalogue.flights.words(name)
        known = column.words.index(text) if text in column.words else None
        return np.asarray(column.codes[rows] == known)

    # -- Places

    @cached_property
    def configs_by_town(self) -> dict[int, Integers]:
        """The configurations in each town."""
        hotels = self.catalogue.hotels.codes("town_id")
        towns = hotels[self.catalogue.configs.codes("hotel_id") - 1]
        return {town.town_id: np.flatnonzero(towns == town.town_id) for town in self.catalogue.towns.rows()}

    @cached_property
    def places(self) -> "Names":
        """Everything that has a name."""
        parks = [Place(park.name, "park", park.park_id) for park in self.catalogue.parks.rows()]
        towns = [Place(town.name, "town", town.town_id) for town in self.catalogue.towns.rows()]
        ports = [Place(port.name, "airport", 0, port.code) for port in self.catalogue.airports.rows()]
        return Names((*parks, *towns, *ports, *self.hotels.places))

    @cached_property
    def hotels(self) -> "Names":
        names = self.catalogue.hotels.values("name")
        return Names(tuple(Place(name, "hotel", number) for number, name in enumerate(names, start=1)))

    def area(self, name: str) -> "Place | None":
        """The park or town of a name, whatever its capitals; parks first."""
        wanted = plain(name)
        return next((place for place in self.areas if plain(place.name) == wanted), None)

    @cached_property
    def areas(self) -> tuple["Place", ...]:
        parks = self.catalogue.parks.rows()
        full = [Place(park.official_name, "park", park.park_id) for park in parks]
        return (*(place for place in self.places.places if place.location_type in ("park", "town")), *full)


# ---------------------------------------------------------------------------------------------------------------
# Names that are nearly right

LocationType = Literal["park", "town", "airport", "hotel"]


@dataclass(frozen=True)
class Place:
    """Something with a name: its number in the catalogue, or its code if it is an airport."""

    name: str
    location_type: LocationType
    number: int
    code: str | None = None


@dataclass(frozen=True)
class Match:
    place: Place
    confidence: float
    """From 0, nothing in common, to 1, the same name."""


class Names:
    """Names that can be found although they are not spelled quite right."""

    def __init__(self, places: Sequence[Place]) -> None:
        self.places = tuple(places)

    @cached_property
    def _trigrams(self) -> list[Counter[str]]:
        return [trigrams(place.name) for place in self.places]

    def find(self, name: str, most: int) -> list[Match]:
        """The most similar names, the best first; ties by name."""
        wanted = trigrams(name)
        found = [
            Match(place, similarity(wanted, there)) for place, there in zip(self.places, self._trigrams, strict=True)
        ]
        found = [match for match in found if match.confidence > 0]
        return sorted(found, key=lambda match: (-match.confidence, match.place.name, match.place.number))[:most]


def plain(text: str) -> str:
    """A name without capitals, accents and punctuation."""
    letters = unicodedata.normalize("NFKD", text.casefold())
    kept = "".join(letter if letter.isalnum() else " " for letter in letters if not unicodedata.combining(letter))
    return " ".join(kept.split())


def trigrams(text: str) -> Counter[str]:
    """The pieces of three letters in a name, each word with a blank around it."""
    padded = f"  {plain(text)} ".replace(" ", "  ")
    return Counter(padded[place : place + 3] for place in range(len(padded) - 2) if padded[place : place + 3].strip())


def similarity(one: Counter[str], other: Counter[str]) -> float:
    """The share of pieces that two names have in common (Dice), to three decimals."""
    total = one.total() + other.total()
    return round(2 * (one & other).total() / total, 3) if total else 0.0
