"""What a plan costs, computed from its activities. (published code, `evaluation/costing.py`)"""

from collections.abc import Mapping
from dataclasses import dataclass

from tripgauge.trip_plus.release.plan import ATTRACTION, INTERCITY, MEAL, RIDE, ConvertedPlan, PlanActivity, PlanDay
from tripgauge.trip_plus.release.primitives import JsonObject, num_first, text

_VEHICLE_WORDS = ("taxi", "cab", "drive", "driving", "ride-hailing", "ride hailing")
_FARE_WORDS = ("subway", "metro", "bus", "tram", "light rail")
_SEATS_PER_VEHICLE = 4
_MODE_KEYS = ("mode", "transport_mode", "recommended_mode", "pricing_rule")


@dataclass(frozen=True, slots=True)
class PlanCost:
    """Yuan for the whole party, unrounded."""

    transportation: float
    accommodation: float
    meals: float
    attractions: float

    @property
    def total(self) -> float:
        """All four together; other expenses are never computed."""
        return self.transportation + self.accommodation + self.meals + self.attractions


def plan_cost(plan: ConvertedPlan, people: int | None, rooms: int | None) -> PlanCost:
    """The cost of the plan for so many people in so many rooms (one where None)."""
    people = 1 if people is None else people
    rooms = 1 if rooms is None else rooms
    transportation = accommodation = meals = attractions = 0.0
    for day in plan.days:
        transportation += _first_fare(day) * people
        for activity in day.activities:
            if activity.kind == RIDE:
                transportation += _ride_cost(activity, people)
            elif activity.kind == MEAL:
                meals += _cost(activity) * people
            elif activity.kind == ATTRACTION:
                attractions += _cost(activity) * people
    for day in plan.days[:-1]:
        accommodation += _night_price(day) * rooms
    return PlanCost(transportation, accommodation, meals, attractions)


def local_multiplier(details: JsonObject, cost: float, people: int) -> int:
    """How often the cost of a ride within the city is due: per vehicle of four, per person, or once.

    Words are looked for anywhere in the mode, vehicles first, so that a cable car counts as a cab.
    """
    if cost <= 0:
        return 1
    mode = " ".join(text(details.get(key)) for key in _MODE_KEYS).lower()
    if any(word in mode for word in _VEHICLE_WORDS):
        return max(1, (people + _SEATS_PER_VEHICLE - 1) // _SEATS_PER_VEHICLE)
    if any(word in mode for word in _FARE_WORDS):
        return people
    return 1


def _cost(activity: PlanActivity) -> float:
    return num_first(activity.details.get("cost")) or 0.0


def _first_fare(day: PlanDay) -> float:
    # One fare per day: later legs of a connection carry the price of the whole route as well.
    for activity in day.activities:
        if activity.kind == INTERCITY:
            fare = num_first(activity.details.get("cost"))
            if fare is not None:
                return max(fare, 0.0)
    return 0.0


def _ride_cost(activity: PlanActivity, people: int) -> float:
    cost = _cost(activity)
    return cost * local_multiplier(activity.details, cost, people)


def _night_price(day: PlanDay) -> float:
    hotel = day.accommodation
    if not isinstance(hotel, Mapping):
        return 0.0
    return num_first(hotel.get("price") or hotel.get("price_per_night") or hotel.get("cost")) or 0.0
