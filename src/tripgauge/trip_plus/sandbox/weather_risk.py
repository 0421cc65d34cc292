"""What a day's weather means for a traveler, in the words both editions' tools use."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

_CONDITIONS: Mapping[str, tuple[int, ...]] = {
    "clear": (0,),
    "cloudy": (1, 2, 3),
    "fog": (45, 48),
    "drizzle": (51, 53, 55, 56, 57),
    "rain": (61, 63, 65, 66, 67, 80, 81, 82),
    "snow": (71, 73, 75, 77, 85, 86),
    "thunderstorm": (95, 96, 99),
}
_STORM = _CONDITIONS["thunderstorm"]
_UNPLEASANT = (*_CONDITIONS["fog"], *_CONDITIONS["rain"], *_CONDITIONS["snow"])
_HEAVY_RAIN_MM = 20
_LONG_RAIN_HOURS = 2


@dataclass(frozen=True)
class Advisory:
    """How much the weather stands in the way."""

    risk_level: Literal["low", "medium", "high"]
    advice: str


_HIGH = Advisory(
    "high", "Weather has high travel impact; avoid long outdoor walks and prefer indoor activities or taxi"
)
_MEDIUM = Advisory("medium", "Weather may affect local travel; reduce long walking and prefer metro or taxi")
_LOW = Advisory("low", "Weather has limited travel impact; walking and outdoor activities can be planned normally")


def condition_of(code: int | None) -> str:
    """What a WMO weather code says, where the table has no words of its own."""
    return next((name for name, codes in _CONDITIONS.items() if code in codes), "moderate weather")


def advisory(code: int | None, precipitation_mm: float | None, precipitation_hours: float | None) -> Advisory:
    """The published advice for a day. What is not known does not raise the risk, and neither does drizzle alone."""
    if code in _STORM or (precipitation_mm or 0) >= _HEAVY_RAIN_MM:
        return _HIGH
    if code in _UNPLEASANT or (precipitation_hours or 0) >= _LONG_RAIN_HOURS:
        return _MEDIUM
    return _LOW
