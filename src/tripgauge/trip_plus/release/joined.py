"""A converted plan beside the sandbox entries it names: all that the feasibility checks look at."""

from collections.abc import Iterator
from dataclasses import dataclass

from tripgauge.trip_plus.release.index import AttractionEntry, ReleaseIndex, RestaurantEntry
from tripgauge.trip_plus.release.plan import ATTRACTION, MEAL, ConvertedPlan, PlanActivity, PlanDay
from tripgauge.trip_plus.release.primitives import ReleaseMeta, city, text


@dataclass(frozen=True, slots=True)
class Visit:
    """A visit to a sight."""

    day: int
    activity: PlanActivity
    name: str
    entry: AttractionEntry | None
    """None if the sandbox has no such sight."""


@dataclass(frozen=True, slots=True)
class Sitting:
    """A meal."""

    day: int
    activity: PlanActivity
    name: str
    entry: RestaurantEntry | None


@dataclass(frozen=True, slots=True)
class JoinedPlan:
    """A plan, the frame it should fit into, and the sandbox it should rest on."""

    plan: ConvertedPlan
    meta: ReleaseMeta
    index: ReleaseIndex
    home: str
    """The city the trip starts and ends in; "" if unknown."""
    visits: tuple[Visit, ...]
    sittings: tuple[Sitting, ...]

    @property
    def days(self) -> tuple[PlanDay, ...]:
        """The days of the plan."""
        return self.plan.days

    def activities(self, kind: str) -> Iterator[tuple[int, PlanActivity]]:
        """All activities of one kind with the number of their day."""
        for day in self.plan.days:
            for activity in day.activities:
                if activity.kind == kind:
                    yield day.number, activity


def join(plan: ConvertedPlan, meta: ReleaseMeta, index: ReleaseIndex) -> JoinedPlan:
    """The plan with its sights and meals looked up once."""
    visits, sittings = [], []
    for day in plan.days:
        for activity in day.activities:
            if activity.kind == ATTRACTION:
                name = text(activity.details.get("name"))
                visits.append(Visit(day.number, activity, name, index.attractions.find(name)))
            elif activity.kind == MEAL:
                name = text(activity.details.get("name"))
                sittings.append(Sitting(day.number, activity, name, index.restaurants.find(name)))
    return JoinedPlan(plan, meta, index, city(meta.org), tuple(visits), tuple(sittings))
