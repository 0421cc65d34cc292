"""What the traveler sees and leaves out. (Trip+ Table 12, attractions)"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from tripgauge.checks import Finding
from tripgauge.trip_plus.requirements.constraints.transport import LONGEST_GENTLE_WALK, long_walks
from tripgauge.trip_plus.requirements.requirement import Component, HardConstraint, listed
from tripgauge.trip_plus.requirements.wanted import wanted_attractions
from tripgauge.trip_plus.sandbox.exposure import STRENUOUS, described
from tripgauge.trip_plus.trace.events import VisitEvent
from tripgauge.trip_plus.trace.execution import Content, ExecutionTrace

LONGEST_GENTLE_VISIT = 210
"""A visit of as many minutes is strenuous for a child or an elder."""


@dataclass(frozen=True)
class AllAttractions(HardConstraint):
    """Every sight asked for is visited."""

    rules = {
        "attraction_must_visit_named": "Every sight the traveler names is visited.",
        "attraction_top_rated_must_visit": "All of the best rated sights are visited.",
        "attraction_all_of_type": "All sights of the type are visited.",
        "attraction_all_free_attractions": "All sights that are free are visited.",
        "attraction_crowd_queue_initial_must_visit": "Every sight asked for is visited, crowded or not.",
    }
    group = Component.ATTRACTIONS
    source = "Trip+ Table 12"

    kind: str
    attractions: frozenset[str]
    detail: str = ""
    """The type, in words."""

    @property
    def id(self) -> str:
        """Which of the kinds."""
        return self.kind

    def sentence(self) -> str:
        """With detail and sights."""
        detail = f" ({self.detail})" if self.detail else ""
        return f"{self.rule.removesuffix('.')}{detail}: {listed(self.attractions)}."

    def find(self, trace: ExecutionTrace) -> Iterator[Finding]:
        """Sights left out."""
        for name in sorted(self.attractions):
            wanted = wanted_attractions((name,), trace)
            if not any(wanted.has(visit.activity.attraction, visit.attraction) for visit in trace.visits):
                yield Finding(f"{name} is not visited", expected=name)


@dataclass(frozen=True)
class OneOfAttractions(HardConstraint):
    """One of the sights that are as asked for is visited."""

    rules = {
        "attraction_require_popular_hotspot": "A popular hotspot is visited.",
        "attraction_type_highest_rated": "The best rated sight of the type is visited.",
        "attraction_initial_must_visit_before_availability": "The sight asked for at first is visited.",
    }
    group = Component.ATTRACTIONS
    source = "Trip+ Table 12"

    kind: str
    attractions: frozenset[str]
    detail: str = ""
    """The type or tags, in words."""

    @property
    def id(self) -> str:
        """Which of the kinds."""
        return self.kind

    def sentence(self) -> str:
        """With detail and sights."""
        detail = f" ({self.detail})" if self.detail else ""
        return f"{self.rule.removesuffix('.')}{detail}: {listed(self.attractions)}."

    def find(self, trace: ExecutionTrace) -> Iterator[Finding]:
        """That none of them is visited."""
        wanted = wanted_attractions(self.attractions, trace)
        if not any(wanted.has(visit.activity.attraction, visit.attraction) for visit in trace.visits):
            yield Finding(f"none of {listed(self.attractions)} is visited", expected=listed(self.attractions))


@dataclass(frozen=True)
class AddedAttraction(HardConstraint):
    """The sight the traveler adds is visited, on the day asked for."""

    id = "attraction_turn_added"
    group = Component.ATTRACTIONS
    source = "Trip+ 2.3, Table 9"

    attraction: str
    day: int | None = None

    def sentence(self) -> str:
        """With sight and day."""
        return f"{self.attraction} is visited{f' on day {self.day}' if self.day else ''}."

    def find(self, trace: ExecutionTrace) -> Iterator[Finding]:
        """That it is not visited, or on another day."""
        wanted = wanted_attractions((self.attraction,), trace)
        there = [visit for visit in trace.visits if wanted.has(visit.activity.attraction, visit.attraction)]
        if not there:
            yield Finding(f"{self.attraction} is not visited", self.day, expected=self.attraction)
        elif self.day is not None and all(visit.day != self.day for visit in there):
            first = there[0]
            reason = f"{self.attraction} is visited on day {first.day}, not on day {self.day}"
            yield Finding(reason, first.day, first.label, f"day {self.day}", f"day {first.day}")


@dataclass(frozen=True)
class NoneOfAttractions(HardConstraint):
    """No sight that the traveler wants to avoid is visited."""

    id = "attraction_avoid_high_queue"
    group = Component.ATTRACTIONS
    source = "Trip+ Table 12"
    about = Content.SIGHTS

    attractions: frozenset[str]

    def sentence(self) -> str:
        """With the sights."""
        return f"No sight with long queues is visited: {listed(self.attractions)}."

    def find(self, trace: ExecutionTrace) -> Iterator[Finding]:
        """Visits there."""
        banned = wanted_attractions(self.attractions, trace)
        for visit in trace.visits:
            if banned.has(visit.activity.attraction, visit.attraction):
                reason = f"{visit.label} is to be avoided for its queues"
                yield Finding(reason, visit.day, visit.label, found=visit.activity.attraction)


@dataclass(frozen=True)
class GentleSights(HardConstraint):
    """For a child or elder who joins, no visit is strenuous and no walk is long."""

    id = "party_update"
    group = Component.ATTRACTIONS
    source = "Trip+ 2.3, Table 9"
    about = Content.SIGHTS

    joined: Literal["child", "elder"]

    def sentence(self) -> str:
        """With who joins."""
        return (
            f"For the {self.joined} who joins, no visit is strenuous or takes {LONGEST_GENTLE_VISIT} minutes, "
            f"and no walk more than {LONGEST_GENTLE_WALK}."
        )

    def find(self, trace: ExecutionTrace) -> Iterator[Finding]:
        """Visits and walks that are too much."""
        for visit in trace.visits:
            yield from self._visit(visit)
        yield from long_walks(trace)

    def _visit(self, visit: VisitEvent) -> Iterator[Finding]:
        name = visit.activity.attraction
        word = STRENUOUS.found_in(visit.attraction.name if visit.attraction else name, described(visit.attraction))
        if word:
            yield Finding(f"{name} is strenuous: {word}", visit.day, visit.label, found=word)
        elif visit.minutes is not None and visit.minutes >= LONGEST_GENTLE_VISIT:
            reason = f"{name} takes {visit.minutes} minutes"
            yield Finding(reason, visit.day, visit.label, f"under {LONGEST_GENTLE_VISIT} min", f"{visit.minutes} min")


@dataclass(frozen=True)
class PacingLimit(HardConstraint):
    """No day has more sights than the traveler settled on."""

    id = "resolved_pacing_limit"
    group = Component.SCHEDULE
    source = "Trip+ 2.3, Table 9"
    about = Content.SIGHTS

    most: int

    def sentence(self) -> str:
        """With the number."""
        return f"No day has more than {self.most} sight{'s' * (self.most != 1)}."

    def find(self, trace: ExecutionTrace) -> Iterator[Finding]:
        """Days with too many."""
        for day in trace.days:
            count = sum(isinstance(event, VisitEvent) for event in day.events)
            if count > self.most:
                yield Finding(f"{count} sights on one day", day.position, "", f"up to {self.most}", str(count))
