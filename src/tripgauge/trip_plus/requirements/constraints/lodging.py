"""Where the traveler sleeps. (Trip+ Table 12, lodging)

Whoever asks for a hotel means all nights in one, not one of them.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from tripgauge.checks import Finding
from tripgauge.trip_plus.notation.money import yuan
from tripgauge.trip_plus.requirements.requirement import Component, HardConstraint, listed
from tripgauge.trip_plus.requirements.wanted import wanted_hotels
from tripgauge.trip_plus.trace.days import Night
from tripgauge.trip_plus.trace.execution import ExecutionTrace

ROUNDING = Decimal("0.5")
"""Prices are compared as whole yuan."""


def _nights(trace: ExecutionTrace) -> Iterator[Night | Finding]:
    """The nights with a hotel; a finding for each without, and if no night is to be spent in one."""
    nights = list(trace.nights_in_bed())
    if not nights:
        yield Finding("there is no night at a hotel")
    for night in nights:
        yield night if night.lodging else Finding("no hotel for this night", night.day)


@dataclass(frozen=True)
class HotelAmong(HardConstraint):
    """Every night is spent at one of the hotels that are as asked for.

    Which these are was found out when the task was made, from tables that knew more scores than ours.
    """

    rules = {
        "hotel_highest_rated": "Every night is spent at the hotel with the best score.",
        "hotel_cheapest_brand": "Every night is spent at the cheapest hotel of the brand.",
        "hotel_brand_highest_rated": "Every night is spent at the hotel with the best score of the brand.",
        "hotel_cheapest_star": "Every night is spent at the cheapest hotel with that many stars.",
        "hotel_star_highest_rated": "Every night is spent at the hotel with the best score of that many stars.",
        "hotel_star_service_required": "Every night is spent at a hotel with that many stars and the service.",
        "hotel_newest_decoration": "Every night is spent at a hotel renovated in that year or later.",
        "hotel_turn_added": "Every night is spent at the hotel the traveler names, or one like it.",
    }
    group = Component.HOTELS
    source = "Trip+ Table 12"

    kind: str
    hotels: frozenset[str]
    detail: str = ""
    """Brand, stars, year or service, in words."""

    @property
    def id(self) -> str:
        """Which of the kinds."""
        return self.kind

    def sentence(self) -> str:
        """With detail and hotels."""
        detail = f" ({self.detail})" if self.detail else ""
        return f"{self.rule.removesuffix('.')}{detail}: {listed(self.hotels)}."

    def find(self, trace: ExecutionTrace) -> Iterator[Finding]:
        """Nights elsewhere or nowhere."""
        wanted = wanted_hotels(self.hotels, trace)
        for night in _nights(trace):
            if isinstance(night, Finding):
                yield night
            elif night.lodging and not wanted.has(night.lodging.hotel, night.hotel):
                reason = f"the night is spent at {night.lodging.hotel}, which is not as asked for"
                yield Finding(reason, night.day, night.lodging.hotel, listed(self.hotels), night.lodging.hotel)


@dataclass(frozen=True)
class HotelPriceRange(HardConstraint):
    """Every night is spent at a hotel whose price lies in the range."""

    id = "hotel_price_range"
    group = Component.HOTELS
    source = "Trip+ Table 12"

    low: Decimal
    high: Decimal
    """Yuan per room and night."""

    def sentence(self) -> str:
        """With the range."""
        return f"Every night is spent at a hotel that costs {self._range} a night."

    @property
    def _range(self) -> str:
        return f"{yuan(self.low)} to {yuan(self.high)}"

    def find(self, trace: ExecutionTrace) -> Iterator[Finding]:
        """Nights that are too dear, too cheap, or in no hotel that is known."""
        for night in _nights(trace):
            if isinstance(night, Finding):
                yield night
            elif night.lodging:
                yield from self._night(night, night.lodging.hotel)

    def _night(self, night: Night, name: str) -> Iterator[Finding]:
        price = night.hotel.price if night.hotel else None
        if price is None:
            yield Finding(f"no price is known of {name}", night.day, name, self._range)
        elif not self.low - ROUNDING <= price <= self.high + ROUNDING:
            yield Finding(
                f"{name} costs {yuan(price)} a night",
                night.day,
                name,
                self._range,
                yuan(price),
            )
