"""Places that a traveler names, found as records: the one way requirements compare names. (Trip+ B, ids of places)"""

from collections.abc import Callable, Iterable
from typing import Generic, TypeVar

from tripgauge.trip_plus.sandbox.names import folded
from tripgauge.trip_plus.sandbox.records import Attraction, Hotel, Restaurant
from tripgauge.trip_plus.trace.execution import ExecutionTrace

_Record = TypeVar("_Record", Hotel, Restaurant, Attraction)


class Wanted(Generic[_Record]):
    """Some places by name. What the sandbox knows is compared as a record, anything else by its name."""

    def __init__(self, names: Iterable[str], look_up: Callable[[str], _Record | None]) -> None:
        self._places: dict[str, _Record | None] = {folded(name): look_up(name) for name in names}

    def has(self, name: str, record: _Record | None) -> bool:
        """Whether a place is one of them."""
        if record is None:
            return self._places.get(folded(name), record) is None and folded(name) in self._places
        return any(place is record for place in self._places.values())


def wanted_hotels(names: Iterable[str], trace: ExecutionTrace) -> Wanted[Hotel]:
    """The hotels of those names."""
    return Wanted(names, trace.sandbox.hotel)


def wanted_restaurants(names: Iterable[str], trace: ExecutionTrace) -> Wanted[Restaurant]:
    """The restaurants of those names."""
    return Wanted(names, trace.sandbox.restaurant)


def wanted_attractions(names: Iterable[str], trace: ExecutionTrace) -> Wanted[Attraction]:
    """The sights of those names."""
    return Wanted(names, trace.sandbox.attraction)
