"""What a plan costs: tickets and meals by the head, beds by the room, taxis by the vehicle. (Trip+ Table 11: costs)"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal

from tripgauge.trip_plus.itinerary import LocalTransfer

TAXI_SEATS = 4
_PER_VEHICLE = ("taxi", "cab", "ride-hailing", "ride hailing", "car hire", "private car", "drive", "driving")


@dataclass(frozen=True, slots=True)
class Cost:
    """What the plan costs by its own prices, in yuan for the whole party."""

    transportation: Decimal
    accommodation: Decimal
    meals: Decimal
    attractions: Decimal

    @property
    def total(self) -> Decimal:
        """All of it."""
        return self.transportation + self.accommodation + self.meals + self.attractions


def cost_of(
    people: int,
    rooms: int,
    fares: Sequence[Decimal | None],
    beds: Sequence[Decimal | None],
    meals: Sequence[Decimal | None],
    tickets: Sequence[Decimal | None],
    transfers: Iterable[LocalTransfer],
) -> Cost:
    """The cost for so many people in so many rooms, from the prices of one person or room; None adds nothing."""
    local = sum((local_cost(transfer, people) for transfer in transfers), Decimal())
    return Cost(
        transportation=_sum(fares) * people + local,
        accommodation=_sum(beds) * rooms,
        meals=_sum(meals) * people,
        attractions=_sum(tickets) * people,
    )


def local_cost(transfer: LocalTransfer, people: int) -> Decimal:
    """What a ride costs the whole party: a taxi by the vehicle, public transport by the head, a walk nothing."""
    price = transfer.price or Decimal()
    words = transfer.mode.lower()
    if any(word in words for word in _PER_VEHICLE) and "cable" not in words:
        return price * vehicles(people)
    return price if is_walk(transfer) else price * people


def is_walk(transfer: LocalTransfer) -> bool:
    """Whether it is on foot."""
    return any(word in transfer.mode.lower() for word in ("walk", "foot", "stroll"))


def vehicles(people: int) -> int:
    """How many taxis a party needs."""
    return -(-people // TAXI_SEATS)


def known_price(price: Decimal | None, otherwise: Decimal | None) -> Decimal | None:
    """The first of two prices that is known; None if neither is."""
    return otherwise if price is None else price


def _sum(prices: Sequence[Decimal | None]) -> Decimal:
    return sum((price for price in prices if price is not None), Decimal())
