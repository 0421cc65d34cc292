"""A converted plan read once: days and activities with their slots, for all checks of the `release` edition.

Raw JSON stays at hand (`raw`, `details`, `accommodation`), since the published checks read single fields as loosely or
strictly as they like; what several checks need alike (slot, kind, city pair) is worked out here.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from tripgauge.trip_plus.release.primitives import CityPair, JsonObject, Slot, city, from_to, slot_min, text

INTERCITY = "travel_intercity_public"
RIDE = "travel_city"
ATTRACTION = "attraction"
MEAL = "meal"
HOTEL = "hotel"
BUFFER = "buffer"

_NOTHING: JsonObject = {}


@dataclass(frozen=True, slots=True)
class PlanActivity:
    """One activity of a day."""

    kind: str
    """Its `type`, exactly as written; "" if that is no text."""
    slot: Slot | None
    """None if the time slot cannot be read."""
    details: JsonObject
    """Empty if there are none."""
    raw: JsonObject


@dataclass(frozen=True, slots=True)
class PlanDay:
    """One day, with its activities in list order."""

    number: int
    """Place in the list of days from 1, whatever the day calls itself."""
    label: str
    """`current_city`, trimmed."""
    pair: CityPair | None
    """Both ends of the label, as cities, if it names two."""
    accommodation: object
    """As written: usually an object with a name and a price, None if absent."""
    activities: tuple[PlanActivity, ...]
    raw: JsonObject

    def of(self, kind: str) -> list[PlanActivity]:
        """The activities of one kind, in list order."""
        return [activity for activity in self.activities if activity.kind == kind]


@dataclass(frozen=True, slots=True)
class ConvertedPlan:
    """All days of a converted plan; none if it is no itinerary."""

    days: tuple[PlanDay, ...]
    budget: JsonObject
    """`budget_summary`; empty if absent or no object."""
    raw: JsonObject


def read_plan(plan: object) -> ConvertedPlan:
    """The plan's days and activities. Whatever is no object or no list counts as empty."""
    raw = _object(plan)
    days = raw.get("daily_plans")
    return ConvertedPlan(
        days=tuple(_day(number, day) for number, day in enumerate(days, 1)) if isinstance(days, list) else (),
        budget=_object(raw.get("budget_summary")),
        raw=raw,
    )


def _object(value: object) -> JsonObject:
    return value if isinstance(value, Mapping) else _NOTHING


def _day(number: int, value: object) -> PlanDay:
    raw = _object(value)
    activities = raw.get("activities")
    label = text(raw.get("current_city"))
    ends = from_to(label)
    return PlanDay(
        number=number,
        label=label,
        pair=CityPair(city(ends.origin), city(ends.destination)) if ends is not None else None,
        accommodation=raw.get("accommodation"),
        activities=tuple(_activity(item) for item in activities) if isinstance(activities, list) else (),
        raw=raw,
    )


def _activity(value: object) -> PlanActivity:
    raw = _object(value)
    kind = raw.get("type")
    return PlanActivity(
        kind=kind if isinstance(kind, str) else "",
        slot=slot_min(raw.get("time_slot")),
        details=_object(raw.get("details")),
        raw=raw,
    )
