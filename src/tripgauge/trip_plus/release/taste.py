"""What a sandbox says about its places that matters to taste and comfort: themes, shelter, price levels. (Trip+ 2.2)

Worked out once per sandbox, for the soft preferences.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from tripgauge.trip_plus.release.primitives import norm, num_first, text
from tripgauge.trip_plus.sandbox.files import Row, SandboxFiles

OUTDOOR_MARKERS = (
    *("mountain", "canyon", "lake", "bay", "island", "sea", "beach", "park", "forest", "grassland", "wetland"),
    *("ancient town", "street", "temple", "trail", "boardwalk"),
)
INDOOR_MARKERS = (
    *("museum", "memorial", "gallery", "exhibition", "exhibit", "mall", "shopping center", "shopping centre"),
    *("indoor", "theater", "theatre", "science", "library", "aquarium", "art center", "art centre"),
)
INTEREST_MARKERS: Mapping[str, tuple[str, ...]] = {
    "interest_local_food": (
        *("local", "specialty", "traditional", "heritage", "snack", "street food", "signature", "regional"),
        *("time-honored", "time honoured", "old brand", "noodle", "hot pot"),
    ),
    "interest_outdoor_nature": (
        *("mountain", "lake", "bay", "sea", "beach", "park", "forest", "grassland", "wetland", "canyon"),
        *("nature", "natural", "garden"),
    ),
    "interest_culture": (
        *("ancient", "history", "historic", "historical", "museum", "ruins", "memorial", "culture", "cultural"),
        *("temple", "city wall", "exhibition", "gallery", "science"),
    ),
    "interest_art": ("art", "gallery", "exhibition"),
    "interest_shopping": ("mall", "pedestrian street", "commercial", "shopping", "square", "market"),
    "interest_landmark": (
        *("tower", "building", "square", "landmark", "center", "centre", "city wall", "ancient city"),
    ),
    "interest_amusement": ("amusement", "theme park", "ocean park", "aquarium", "zoo"),
}


@dataclass(frozen=True, slots=True)
class PlaceTraits:
    """What the description of a place mentions."""

    described: bool
    indoor: bool
    outdoor: bool
    interests: frozenset[str]
    """Ids of the interest rules whose words occur."""


@dataclass(frozen=True, slots=True)
class PriceLevels:
    """Quantiles of the prices in a table, in yuan."""

    median: float
    upper_quartile: float
    top_decile: float


HOTEL_LEVELS = PriceLevels(600.0, 900.0, 1200.0)
RESTAURANT_LEVELS = PriceLevels(90.0, 120.0, 200.0)
"""Levels where a sandbox has no prices."""


@dataclass(frozen=True)
class TasteIndex:
    """Traits by the compared name of a place, and what counts as expensive."""

    attractions: Mapping[str, PlaceTraits]
    restaurants: Mapping[str, PlaceTraits]
    hotel_prices: PriceLevels
    restaurant_prices: PriceLevels


def taste_index(files: SandboxFiles) -> TasteIndex:
    """The traits of all places of a sandbox."""
    sample = files.sample
    return TasteIndex(
        attractions=_traits_by_name(
            sample.attractions, ("attraction_name", "name"), ("attraction_type", "description", "popularity_tags")
        ),
        restaurants=_traits_by_name(sample.restaurants, ("restaurant_name", "name"), ("cuisine", "tags")),
        hotel_prices=price_levels(sample.hotels, ("price_per_night", "price", "cost"), HOTEL_LEVELS),
        restaurant_prices=price_levels(sample.restaurants, ("price_per_person", "price", "cost"), RESTAURANT_LEVELS),
    )


def mentions(haystack: str, markers: Sequence[str]) -> bool:
    """Whether a lower-case text has one of the markers anywhere, even inside another word."""
    return any(marker in haystack for marker in markers)


def traits(description: str) -> PlaceTraits:
    """What a description mentions; the words are looked for inside other words too."""
    lower = description.lower()
    return PlaceTraits(
        described=bool(lower.strip()),
        indoor=mentions(lower, INDOOR_MARKERS),
        outdoor=mentions(lower, OUTDOOR_MARKERS),
        interests=frozenset(rule for rule, markers in INTEREST_MARKERS.items() if mentions(lower, markers)),
    )


def _traits_by_name(
    rows: Iterable[Row], name_columns: tuple[str, ...], columns: tuple[str, ...]
) -> Mapping[str, PlaceTraits]:
    found = {}
    for row in rows:
        name = next((text(row[column]) for column in name_columns if row.get(column)), "")
        if name:
            found[norm(name)] = traits(" ".join(row.get(column, "") for column in columns))
    return found


def price_levels(rows: Iterable[Row], columns: tuple[str, ...], fallback: PriceLevels) -> PriceLevels:
    """Quantiles of the first readable price of every row; `fallback` if there is none."""
    found = (next(filter(_is_number, (num_first(row.get(column)) for column in columns)), None) for row in rows)
    prices = sorted(price for price in found if price is not None)
    if not prices:
        return fallback
    return PriceLevels(quantile(prices, 0.5), quantile(prices, 0.75), quantile(prices, 0.9))


def _is_number(value: float | None) -> bool:
    return value is not None


def quantile(ordered: Sequence[float], share: float) -> float:
    """The value below which `share` of the ordered values lie, between neighbors by the rule of three."""
    position = (len(ordered) - 1) * share
    below = int(position)
    above = min(below + 1, len(ordered) - 1)
    return round(ordered[below] + (ordered[above] - ordered[below]) * (position - below), 4)
