"""Budget and value: what hotels and meals cost, measured by the prices of the city. (Trip+ Table 8)"""

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from tripgauge.checks import Finding
from tripgauge.trip_plus.requirements.requirement import Component, Limits, Severity, Signal, SoftPreference
from tripgauge.trip_plus.trace.events import MealEvent
from tripgauge.trip_plus.trace.execution import Content, ExecutionTrace

EXPENSIVE_MEALS = Limits(0, 1)  # Trip+ Table 8, budget and value: one is a minor breach, two a major one
VERY_EXPENSIVE_MEALS = Limits(0, 0)


@dataclass(frozen=True)
class HotelValueFirst(SoftPreference):
    """The nights cost on average no more than half of the city's hotels do."""

    id = "hotel_value_first"
    group = Component.BUDGET_AND_VALUE
    about = Content.NIGHTS

    def not_applicable(self, trace: ExecutionTrace) -> str:
        """Where no night is spent in a bed, or nothing is known to compare with."""
        if not any(trace.nights_in_bed()):
            return "no night is spent in a hotel"
        return "" if trace.sandbox.hotel_prices else "no price of a hotel is known"

    def signals(self, trace: ExecutionTrace) -> Iterator[Signal]:
        """The mean price of a night."""
        levels = trace.sandbox.hotel_prices
        assert levels is not None
        hotels = [night.hotel for night in trace.nights_in_bed() if night.hotel]
        known = [hotel.price for hotel in hotels if hotel.price is not None]
        if not known:
            finding = Finding("no price is known of any night", expected=f"up to ¥{levels.median}")
            yield Signal("average_hotel_price_per_night", 0, Severity.MINOR, finding)
            return
        mean = sum(known, Decimal()) / len(known)
        severity = Limits(float(levels.median), float(levels.upper_quartile)).severity(float(mean))
        reason = f"a night costs ¥{mean:.0f} on average; half of the city's hotels cost up to ¥{levels.median:.0f}"
        finding = Finding(reason, None, "", f"up to ¥{levels.median:.0f}", f"¥{mean:.0f}")
        yield Signal("average_hotel_price_per_night", float(mean), severity, finding)


@dataclass(frozen=True)
class NoExpensiveMeals(SoftPreference):
    """No meal is among the dearest quarter of the city's, let alone the dearest tenth."""

    rules = {
        "meal_avoid_expensive": "No meal is expensive, which the traveler dislikes.",
        "budget_guarded": "No meal is expensive, since the traveler minds what is spent.",
        "budget_tight_cap": "No meal is expensive, since the traveler has little to spend.",
    }
    group = Component.BUDGET_AND_VALUE
    about = Content.RESTAURANTS

    kind: str

    @property
    def id(self) -> str:
        """Which of the kinds."""
        return self.kind

    def not_applicable(self, trace: ExecutionTrace) -> str:
        """Where nothing is known to compare with."""
        return "" if trace.sandbox.meal_prices else "no price of a restaurant is known"

    def signals(self, trace: ExecutionTrace) -> Iterator[Signal]:
        """Expensive meals, and very expensive ones."""
        levels = trace.sandbox.meal_prices
        assert levels is not None
        name = "expensive_meal_count" + ("" if self.kind == "meal_avoid_expensive" else "_without_budget_cap")
        yield _dearer_than(levels.upper_quartile, name, EXPENSIVE_MEALS, trace)
        yield _dearer_than(levels.top_tenth, "very_expensive_meal_count", VERY_EXPENSIVE_MEALS, trace)


def _dearer_than(limit: Decimal, measure: str, limits: Limits, trace: ExecutionTrace) -> Signal:
    dear = [meal for meal in trace.meals if _price(meal) > limit]
    count = len(dear)
    if not dear:
        return Signal(measure, 0, Severity.NONE, Finding("no meal is that dear"))
    first = dear[0]
    reason = f"{count} meal{'s' * (count != 1)} above ¥{limit:.0f} a head, such as {first.label}"
    finding = Finding(reason, first.day, first.label, f"up to ¥{limit:.0f}", f"¥{_price(first)}")
    return Signal(measure, count, limits.severity(count), finding)


def _price(meal: MealEvent) -> Decimal:
    return meal.true_price or Decimal()
