"""What of a tool's answer the published agent shows its model."""

import json
from collections.abc import Mapping, Sequence

from tripgauge.tools import Listing
from tripgauge.trip_plus.release.tool_arguments import is_empty

MAX_ITEMS = 6
MAX_CHARS = 4000
_CUT = "... [truncated]"

_SEGMENT = (
    "depCityName",
    "depStationName",
    "depDateTime",
    "arrCityName",
    "arrStationName",
    "arrDateTime",
    "duration",
    "marketingTransportName",
    "marketingTransportNo",
    "seatClassName",
    "price",
)
_ROUTE = ("price", "segmentCount", "isDirect")
_KEPT: Mapping[str, tuple[str, ...]] = {
    "query_hotel_info": (
        "name",
        "address",
        "hotelStar",
        "price",
        "score",
        "brand",
        "decorationTime",
        "services",
        "price_missing",
    ),
    "recommend_restaurants": (
        "name",
        "price_per_person",
        "cuisine",
        "opening_time",
        "closing_time",
        "nearby_attraction_name",
        "rating",
        "distance_meters",
        "matched_nearby_attraction_name",
        "nearby_attraction_match_type",
        "tags",
        "price_missing",
    ),
    "query_restaurant_details": (
        "name",
        "restaurant_name",
        "price_per_person",
        "cuisine",
        "opening_time",
        "closing_time",
        "nearby_attraction_name",
        "rating",
        "tags",
        "price_missing",
        "message",
    ),
    "search_location": ("place_name", "latitude", "longitude", "matched_place_name", "matched_city"),
    "query_road_route_info": (
        "origin",
        "destination",
        "distance_in_meters",
        "duration_in_minutes",
        "cost",
        "source",
    ),
    "query_city_transport_plan": (
        "city",
        "origin_place",
        "destination_place",
        "recommended_mode",
        "direct_distance_meters",
        "estimated_duration_minutes",
        "estimated_cost",
        "currency",
        "traveler_preference",
        "note",
    ),
    "query_city_weather": (
        "city",
        "date",
        "requested_date",
        "date_fallback",
        "fallback_reason",
        "weather_code",
        "condition",
        "weather_condition",
        "temperature_min_c",
        "temperature_max_c",
        "precipitation_mm",
        "precipitation_hours",
        "travel_advisory",
    ),
}
_DETAILS = (
    "distance_meters",
    "estimated_mode",
    "start_station",
    "end_station",
    "station_path",
    "line_path",
    "edge_line_path",
    "station_hops",
    "walk_start_meters",
    "walk_end_meters",
    "metro_distance_meters",
    "path_distance_meters",
    "pricing_rule",
    "reason",
    "fallback_reason",
)
_ATTRACTION_LINES = (
    "Attraction Name",
    "City",
    "Rating",
    "Opening Hours",
    "Open Status on Visit Day",
    "Minimum Visit Duration",
    "Maximum Visit Duration",
    "Ticket Price",
    "Attraction Type",
    "Popularity Tags",
    "Crowd Risk",
    "Queue Risk",
    "Peak Crowd Windows",
)


def agent_view(tool: str, answer: object) -> str:
    """The text a model sees: six items at most, without some fields and without empty ones, cut to 4000 characters."""
    text = answer if isinstance(answer, str) else _compact(_minimized(tool, answer))
    if tool == "query_attraction_details" and isinstance(answer, str):
        text = "\n".join(line for line in answer.split("\n") if line.startswith(_ATTRACTION_LINES))
        text = text or answer
    return text if len(text) <= MAX_CHARS else text[: MAX_CHARS - len(_CUT)] + _CUT


def _compact(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _minimized(tool: str, answer: object) -> object:
    if isinstance(answer, list | Listing):
        return [_item(tool, item) for item in answer[:MAX_ITEMS]]
    if isinstance(answer, dict) and "error" not in answer:
        return _item(tool, answer)
    return answer


def _item(tool: str, item: object) -> object:
    if isinstance(item, list) and len(item) == 1:
        item = item[0]
    if not isinstance(item, dict):
        return item
    if tool in ("query_train_info", "query_flight_info"):
        segments = [_only(item[f"Segment {number}"], _SEGMENT) for number in range(1, item["segmentCount"] + 1)]
        return {**_only(item, _ROUTE), "segments": segments}
    kept = _only(item, _KEPT[tool])
    if tool == "query_city_transport_plan":
        kept["details"] = _only(item["details"], _DETAILS)
    return kept


def _only(item: Mapping[str, object], names: Sequence[str]) -> dict[str, object]:
    return {name: item[name] for name in names if not is_empty(item.get(name))}
