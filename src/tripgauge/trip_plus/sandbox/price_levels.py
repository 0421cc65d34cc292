"""What is cheap and what is dear in a city: quantiles of its prices. (Trip+ Table 8)"""

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal


@dataclass(frozen=True, slots=True)
class PriceLevels:
    """Quantiles of the prices of one kind of place, in yuan."""

    median: Decimal
    upper_quartile: Decimal
    top_tenth: Decimal
    """A tenth of the prices is higher."""


def price_levels(prices: Iterable[Decimal | None]) -> PriceLevels | None:
    """The levels of some prices, with straight lines between neighbors; None without any price."""
    known = sorted(price for price in prices if price is not None)
    if not known:
        return None
    return PriceLevels(*(_quantile(known, Decimal(share)) for share in ("0.5", "0.75", "0.9")))


def _quantile(ordered: list[Decimal], share: Decimal) -> Decimal:
    place = (len(ordered) - 1) * share
    below = int(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * (place - below)
