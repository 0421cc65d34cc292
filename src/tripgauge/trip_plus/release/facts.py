"""What a plan says, gathered once for hard constraints, soft preferences and requested changes."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from tripgauge.trip_plus.release.costing import PlanCost
from tripgauge.trip_plus.release.plan import ATTRACTION, INTERCITY, MEAL, ConvertedPlan, PlanActivity, PlanDay
from tripgauge.trip_plus.release.primitives import entity_name, norm, text

json_text = json.JSONEncoder(sort_keys=True, ensure_ascii=False).encode
"""The text in which words are searched: names of fields and types are part of it."""


@dataclass(frozen=True)
class PlanFacts:
    """A converted plan and what several rules need of it, each worked out at most once."""

    plan: ConvertedPlan
    cost: PlanCost

    @property
    def days(self) -> tuple[PlanDay, ...]:
        """The days in list order."""
        return self.plan.days

    def day(self, number: object) -> tuple[PlanActivity, ...]:
        """The activities of day `number` (from 1); none where there is no such day."""
        if isinstance(number, int) and 1 <= number <= len(self.plan.days):
            return self.plan.days[number - 1].activities
        return ()

    @cached_property
    def status(self) -> str:
        """The status the reply claims, in lower case."""
        return text(self.plan.raw.get("status")).lower()

    @property
    def has_days(self) -> bool:
        """Whether there is anything under `daily_plans`."""
        return bool(self.plan.raw.get("daily_plans"))

    @cached_property
    def has_unreadable_day(self) -> bool:
        """Whether some day's `activities` is there but no list; the published constraint checks then break and fail."""
        return any(not isinstance(day.raw.get("activities", []), list) for day in self.plan.days)

    @cached_property
    def attractions(self) -> tuple[PlanActivity, ...]:
        """All visits to attractions."""
        return tuple(self._all(ATTRACTION))

    @cached_property
    def meals(self) -> tuple[PlanActivity, ...]:
        """All meals."""
        return tuple(self._all(MEAL))

    @cached_property
    def intercity(self) -> tuple[PlanActivity, ...]:
        """All journeys between cities."""
        return tuple(self._all(INTERCITY))

    def _all(self, kind: str) -> Iterator[PlanActivity]:
        return (activity for day in self.plan.days for activity in day.activities if activity.kind == kind)

    @cached_property
    def attraction_names(self) -> frozenset[str]:
        """Compared names of all attractions visited."""
        return frozenset(norm(entity_name(activity.raw, "attraction")) for activity in self.attractions)

    @cached_property
    def restaurant_names(self) -> frozenset[str]:
        """Compared names of all restaurants."""
        return frozenset(norm(entity_name(activity.raw, "restaurant")) for activity in self.meals)

    @cached_property
    def hotel_names(self) -> frozenset[str]:
        """Compared names of all accommodations; hotel activities do not count."""
        hotels = (day.accommodation for day in self.plan.days)
        return frozenset(
            norm(text(hotel.get("name") or hotel.get("hotel_name"))) for hotel in hotels if isinstance(hotel, Mapping)
        )

    @cached_property
    def plan_text(self) -> str:
        """The whole plan as text."""
        return json_text(self.plan.raw)


def place_name(activity: PlanActivity) -> str:
    """The compared name of the place an activity is at, whatever field it stands in."""
    return norm(entity_name(activity.raw))


def slot_minutes(activity: PlanActivity) -> int:
    """How long the time slot is; 0 if it cannot be read."""
    return activity.slot.end - activity.slot.start if activity.slot is not None else 0


def overlap(activity: PlanActivity, start: float, end: float) -> float:
    """Minutes of the slot between `start` and `end`; 0 if it cannot be read."""
    if activity.slot is None:
        return 0
    return max(0, min(activity.slot.end, end) - max(activity.slot.start, start))
