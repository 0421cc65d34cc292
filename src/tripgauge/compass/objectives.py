"""What a plan should maximize: one metric, or how many wishes come true.

Utilities are whole numbers, larger is better, and sums of what each part of a plan contributes: the lodging, the
flight with its drive, the permit. Both solvers rest on that.
"""

from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from typing import Literal

from tripgauge.compass.constraints import WISHES, Constraint
from tripgauge.compass.filters import Attribute, Component, Sql
from tripgauge.compass.offers import TravelPlan

ObjectiveKind = Literal["single_metric", "feature_count"]


class Part(Enum):
    """What is booked on its own: the components of one level more."""

    LODGING = 1
    FLIGHT = 2
    PERMIT = 3

    @classmethod
    def of(cls, component: Component) -> "Part":
        return cls(component.level)


@dataclass(frozen=True)
class Metric:
    """A figure of a plan, and whether more of it is better."""

    name: str
    attribute: Attribute | None
    """None for what the whole plan costs."""

    sign: Literal[-1, 1]
    levels: tuple[int, ...]
    words: str
    """What the traveler asks for."""

    unit: str


METRICS = {
    metric.name: metric
    for metric in (
        Metric("price", None, -1, (1,), "the lowest price for the whole stay", "cents"),
        Metric("total_cost", None, -1, (2, 3), "the lowest total cost", "cents"),
        Metric(
            "review_score",
            Attribute(Component.HOTEL, "review_score_x10"),
            1,
            (1, 2, 3),
            "the hotel with the best review score",
            "tenths",
        ),
        Metric(
            "review_count",
            Attribute(Component.HOTEL, "review_count"),
            1,
            (1, 2, 3),
            "the hotel with the most reviews",
            "reviews",
        ),
        Metric(
            "distance",
            Attribute(Component.HOTEL, "entrance_km_x100"),
            -1,
            (1, 2, 3),
            "the hotel closest to a park entrance",
            "hundredths of a kilometer",
        ),
        Metric(
            "drive_time",
            Attribute(Component.DRIVE, "drive_hours_x100"),
            -1,
            (2, 3),
            "the shortest drive from the airport to the park",
            "hundredths of an hour",
        ),
    )
}


@dataclass(frozen=True)
class SingleMetric:
    """The best value of one metric. A hotel without reviews has the review score 0."""

    metric: Metric

    @property
    def kind(self) -> ObjectiveKind:
        return "single_metric"

    def utility(self, plan: TravelPlan, guests: int) -> int:
        """The metric of a plan for so many guests, negative where less is better."""
        if self.metric.attribute is None:
            return self.metric.sign * plan.cost_cents(guests)
        value = self.metric.attribute.of(plan)
        return self.metric.sign * (value if isinstance(value, int) else 0)

    @property
    def is_cost(self) -> bool:
        return self.metric.attribute is None

    @property
    def words(self) -> str:
        return self.metric.words

    def sql(self, part: Part) -> Sql:
        """What a part contributes besides its cost."""
        attribute = self.metric.attribute
        if attribute is None or Part.of(attribute.component) != part:
            return Sql("0")
        return Sql(f"{self.metric.sign} * COALESCE({attribute.expression}, 0)")


@dataclass(frozen=True)
class FeatureCount:
    """As many as possible of some wishes, each of them a constraint that may also fail."""

    wishes: tuple[Constraint, ...]

    @property
    def kind(self) -> ObjectiveKind:
        return "feature_count"

    def __post_init__(self) -> None:
        for wish in self.wishes:
            if wish.type not in WISHES:
                raise ValueError(f"{wish.type} cannot be a wish.")
        if not self.wishes or len(set(self.wishes)) != len(self.wishes):
            raise ValueError("A wish list names each wish once, and at least one.")

    def utility(self, plan: TravelPlan, guests: int) -> int:
        """How many wishes come true."""
        return sum(1 for wish in self.wishes if wish.holds(plan, guests))

    @property
    def is_cost(self) -> bool:
        return False

    @property
    def words(self) -> str:
        return f"as many as possible of these {len(self.wishes)}: " + "; ".join(wish.words for wish in self.wishes)

    @cached_property
    def by_part(self) -> dict[Part, tuple[Constraint, ...]]:
        """The wishes about each part."""
        return {part: tuple(wish for wish in self.wishes if wish.kind.level == part.value) for part in Part}

    def sql(self, part: Part) -> Sql:
        """How many of its wishes a part meets."""
        pieces = [wish.sql(guests=1, level=3) for wish in self.by_part[part]]
        text = " + ".join(f"COALESCE({piece.text}, 0)" for piece in pieces)
        return Sql(text or "0", tuple(value for piece in pieces for value in piece.values))


Objective = SingleMetric | FeatureCount
