"""Agents without a model: what every score is to be read beside. They see what any agent sees."""

from decimal import Decimal

from tripgauge.conversation import OpenTurn, Usage
from tripgauge.trip_plus.baselines import hotel_nights_only, idle
from tripgauge.trip_plus.itinerary import Itinerary, Plan
from tripgauge.trip_plus.notation.plan_text import format_response
from tripgauge.trip_plus.sandbox.records import Hotel
from tripgauge.trip_plus.tasks.task import Brief


class IdleAgent:
    """Plans the days of the trip with free time and nothing else."""

    async def respond(self, turn: OpenTurn) -> str:
        """The same plan at every turn."""
        return _written(turn, idle(_brief(turn).frame))


class HotelNightsAgent:
    """Plans free time and a hotel every night, the first that a search finds, without ever travelling there."""

    async def respond(self, turn: OpenTurn) -> str:
        """The same plan at every turn."""
        frame = _brief(turn).frame
        hotel = _first_hotel(turn, frame.destinations[0])
        return _written(turn, hotel_nights_only(frame, hotel) if hotel else idle(frame))


def _brief(turn: OpenTurn) -> Brief:
    if not isinstance(turn.brief, Brief):
        raise TypeError("This agent plans Trip+ tasks only.")
    return turn.brief


def _first_hotel(turn: OpenTurn, city: str) -> Hotel | None:
    """The first hotel with a price that the search for hotels gives, as far as a plan needs it."""
    found = turn.call("query_hotel_info", {"destination": city}).value
    for offer in found if isinstance(found, list) else ():
        name, price = offer["name"], next((offer[key] for key in _PRICE_KEYS if offer.get(key)), None)
        if price is not None:
            return Hotel(name, city, "", None, Decimal(str(price)), None, None, None, "", (), {})
    return None


_PRICE_KEYS = ("price_per_room_night", "price")
"""Of a room per night, in either edition's answers."""


def _written(turn: OpenTurn, itinerary: Itinerary) -> str:
    turn.note(Usage(0, 0), Decimal(0))
    return format_response(Plan(itinerary))
