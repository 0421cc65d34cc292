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


_TIMES = tuple(_WINDOW)

PUBLISHED_TOOLS: Mapping[str, PublishedTool] = {
    "query_train_info": PublishedTool(
        ("origin", "destination", "depDate", "seatClassName", "trainType", "directOnly", "sortBy", *_TIMES), _WINDOW
    ),
    "query_flight_info": PublishedTool(
        ("origin", "destination", "depDate", "seatClassName", "directOnly", "sortBy", *_TIMES), _WINDOW
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
    ),
    "query_attraction_details": PublishedTool(("attraction_name",), {"attraction_name": ("name",)}),
    "recommend_attractions": PublishedTool(("city", "attraction_type"), {}),
    "recommend_restaurants": PublishedTool(
        ("nearby_attraction_name", "sort_by"), {"nearby_attraction_name": ("attraction_name", "place_name")}
    ),
    "query_restaurant_details": PublishedTool(("restaurant_name",), {"restaurant_name": ("name",)}),
    "search_location": PublishedTool(("place_name",), {"place_name": ("query", "name", "location")}),
    "query_road_route_info": PublishedTool(("origin", "destination"), {}),
    "query_city_transport_plan": PublishedTool(
        ("city", "origin_place", "destination_place", "traveler_preference"), {}
    ),
    "query_city_weather": PublishedTool(("city", "date"), {}),
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
