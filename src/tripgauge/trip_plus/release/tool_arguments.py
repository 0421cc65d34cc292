"""The clean-up the published agent applies to the arguments of a call before it makes it."""

import json
from collections.abc import Mapping
from dataclasses import dataclass

_WINDOW = {
    f"{short}Time{edge}": (f"{long}Time{edge}",)
    for short, long in (("dep", "departure"), ("arr", "arrival"))
    for edge in ("Start", "End")
}


@dataclass(frozen=True)
class PublishedTool:
    """Which arguments of a tool reach it, in which order, and which spellings stand for them."""

    fields: tuple[str, ...]
    spellings: Mapping[str, tuple[str, ...]]
    manual: str
    """What it tells, in our words, where the strict tool of the name tells something else."""


_TIMES = tuple(_WINDOW)

PUBLISHED_TOOLS: Mapping[str, PublishedTool] = {
    "query_train_info": PublishedTool(
        ("origin", "destination", "depDate", "seatClassName", "trainType", "directOnly", "sortBy", *_TIMES),
        _WINDOW,
        "Train routes from one city to another on a day, with their prices.",
    ),
    "query_flight_info": PublishedTool(
        ("origin", "destination", "depDate", "seatClassName", "directOnly", "sortBy", *_TIMES),
        _WINDOW,
        "Flight routes from one city to another on a day, with their prices.",
    ),
    "query_hotel_info": PublishedTool(
        (
            "destination",
            "hotelStar",
            "hotelName",
            "hotelBrands",
            "minPrice",
            "maxPrice",
            "requiredService",
            "sortBy",
        ),
        {
            "hotelName": ("hotel_name", "name"),
            "minPrice": ("priceMin", "min_price"),
            "maxPrice": ("priceMax", "max_price"),
            "requiredService": ("required_service", "service"),
            "sortBy": ("sort_by",),
        },
        "Hotels of a city, with prices per room and night.",
    ),
    "query_attraction_details": PublishedTool(
        ("attraction_name",),
        {"attraction_name": ("name",)},
        "Details of a sight: opening hours, ticket price, how long visits take, crowds.",
    ),
    "recommend_attractions": PublishedTool(
        ("city", "attraction_type"), {}, "Up to ten sights of a city, of one type if asked."
    ),
    "recommend_restaurants": PublishedTool(
        ("nearby_attraction_name", "sort_by"),
        {"nearby_attraction_name": ("attraction_name", "place_name")},
        "Up to ten restaurants near a place.",
    ),
    "query_restaurant_details": PublishedTool(
        ("restaurant_name",),
        {"restaurant_name": ("name",)},
        "Details of a restaurant: price per person, cuisine, opening hours, rating.",
    ),
    "search_location": PublishedTool(
        ("place_name",), {"place_name": ("query", "name", "location")}, "The coordinates of a place."
    ),
    "query_road_route_info": PublishedTool(
        ("origin", "destination"),
        {},
        "Distance, time and cost by road between two points given as `latitude,longitude`.",
    ),
    "query_city_transport_plan": PublishedTool(
        ("city", "origin_place", "destination_place", "traveler_preference"),
        {},
        "How to get from one place of a city to another: on foot, by metro or by taxi.",
    ),
    "query_city_weather": PublishedTool(("city", "date"), {}, "The weather of a city on a day."),
}


def cleaned(tool: str, arguments: Mapping[str, object]) -> dict[str, object]:
    """The arguments that reach the tool: those it knows, in its order, without null, "", [] and {}."""
    published = PUBLISHED_TOOLS[tool]
    kept = {}
    for name in published.fields:
        for spelling in (name, *published.spellings.get(name, ())):
            value = arguments.get(spelling)
            if not is_empty(value):
                kept[name] = value
                break
    return kept


def cleaned_text(tool: str, text: str) -> str:
    """The same for the text a model sent; what is no JSON object passes as it is."""
    try:
        value = json.loads(text or "{}")
    except (ValueError, RecursionError):
        return text
    if not isinstance(value, dict) or tool not in PUBLISHED_TOOLS:
        return text
    return json.dumps(cleaned(tool, value), ensure_ascii=False, separators=(",", ":"))


def is_empty(value: object) -> bool:
    """Null, "", [] or {}; neither 0 nor false."""
    return value is None or (isinstance(value, str | list | dict) and not value)
