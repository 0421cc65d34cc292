"""From one place to the next: what the plan puts between, and what the way takes by the sandbox. (Trip+ 2.4)"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tripgauge.trip_plus.itinerary import Buffer
from tripgauge.trip_plus.sandbox.records import Attraction, Hotel, Restaurant, Ride
from tripgauge.trip_plus.sandbox.store import Sandbox
from tripgauge.trip_plus.trace.events import (
    MINUTE,
    Anchor,
    Event,
    HotelEvent,
    LegEvent,
    MealEvent,
    Spot,
    TransferEvent,
    VisitEvent,
)


@dataclass(frozen=True, slots=True)
class Move:
    """From one anchor to the next, with what the plan puts between."""

    earlier: Anchor
    later: Anchor
    origin: Spot
    destination: Spot
    transfers: tuple[TransferEvent, ...]
    buffer_minutes: int
    needed_minutes: int | None
    """What the sandbox says the way takes; None if it cannot tell."""

    transfer_ways: tuple[Ride | None, ...]
    """The sandbox's way for each transfer."""

    @property
    def lost_after(self) -> bool:
        """Whether it starts at a place that does not exist."""
        return not _exists(self.earlier, self.origin)

    @property
    def lost_before(self) -> bool:
        """Whether it leads to a place that does not exist."""
        return not _exists(self.later, self.destination)

    @property
    def available_minutes(self) -> int:
        """The time between both, less what is kept free for something else."""
        assert self.earlier.end is not None
        assert self.later.start is not None
        return (self.later.start - self.earlier.end) // MINUTE - self.buffer_minutes


def moves_between(events: Iterable[Event], sandbox: Sandbox) -> tuple[Move, ...]:
    """Every change from one anchor to the next, in time, across midnight too.

    Over an anchor without a readable time leads one move, of which only the whole way is known, not its rides.
    """
    moves: list[Move] = []
    earlier: Anchor | None = None
    between: list[Event] = []
    broken = False
    for event in events:
        if not isinstance(event, VisitEvent | MealEvent | HotelEvent | LegEvent):
            between.append(event)
        elif event.start is None:
            broken = True
        else:
            if earlier is not None:
                known = [it for it in between if not (broken and isinstance(it, TransferEvent))]
                moves.append(_move(earlier, event, known, sandbox))
            earlier, between, broken = event, [], False
    return tuple(moves)


def _move(earlier: Anchor, later: Anchor, between: Sequence[Event], sandbox: Sandbox) -> Move:
    transfers = tuple(event for event in between if isinstance(event, TransferEvent))
    origin, destination = _leaving_spot(earlier, sandbox), _arriving_spot(later, sandbox)
    return Move(
        earlier=earlier,
        later=later,
        origin=origin,
        destination=destination,
        transfers=transfers,
        buffer_minutes=sum(event.minutes or 0 for event in between if isinstance(event.activity, Buffer)),
        needed_minutes=_minutes(origin, destination, sandbox),
        transfer_ways=tuple(sandbox.ride(event.origin, event.destination) for event in transfers),
    )


def _minutes(origin: Spot, destination: Spot, sandbox: Sandbox) -> int | None:
    return None if origin.is_same_as(destination) else sandbox.travel_minutes(origin, destination)


def _leaving_spot(anchor: Anchor, sandbox: Sandbox) -> Spot:
    """Where the traveler stands after it."""
    return anchor.destination if isinstance(anchor, LegEvent) else _arriving_spot(anchor, sandbox)


def _arriving_spot(anchor: Anchor, sandbox: Sandbox) -> Spot:
    """Where he has to be for it."""
    match anchor:
        case LegEvent():
            return anchor.origin
        case VisitEvent():
            record: Attraction | Restaurant | Hotel | None = anchor.attraction
            name = anchor.activity.attraction
        case MealEvent():
            record, name = anchor.restaurant, anchor.activity.restaurant
        case HotelEvent():
            record, name = anchor.hotel, anchor.name
    found = record or sandbox.place(name)
    return Spot(found.name if found else name, found.coordinates if found else None)


def _exists(anchor: Anchor, spot: Spot) -> bool:
    if isinstance(anchor, LegEvent) or spot.coordinates is not None:
        return True
    match anchor:
        case VisitEvent():
            return anchor.attraction is not None
        case MealEvent():
            return anchor.restaurant is not None
        case HotelEvent():
            return anchor.hotel is not None
