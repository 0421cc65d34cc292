"""The documented form of a converted answer, key by key. (Trip+ B.1; published `*_converted.json`)

This is the schema `tripgauge schema converted-plan` prints (version 1). Readers take more than it: `plan_json.py` knows
synonyms of the keys, and both editions turn what is missing or wrong into findings instead of refusing it.
"""

from dataclasses import dataclass
from typing import Annotated, Literal

from tripgauge.codec import Key

VERSION = 1
"""Version of the schema."""

Number = int | float


@dataclass(frozen=True)
class IntercityDetails:
    """One flight or train."""

    mode: Literal["flight", "train", ""]
    number: str
    from_: Annotated[str, Key("from")]
    """Station or airport."""

    to: str
    cost: Number | None = None
    """Yuan per person; on a connection every leg may state the fare of the whole."""

    seat_class: str | None = None


@dataclass(frozen=True)
class RideDetails:
    """A ride or walk inside a city."""

    from_: Annotated[str, Key("from")]
    to: str
    mode: str | None = None
    """Such as "taxi", "walking" or "metro Line 1"."""

    distance: str | None = None
    """Such as "4.8km"."""

    duration: str | None = None
    """Such as "10min"."""

    cost: Number | None = None
    """Yuan per vehicle for a taxi, per person for public transport."""


@dataclass(frozen=True)
class VisitDetails:
    """A stay at an attraction."""

    name: str
    city: str | None = None
    cost: Number | None = None
    """Yuan per person."""


@dataclass(frozen=True)
class MealDetails:
    """One sitting at a restaurant."""

    meal_type: str
    """"lunch", "dinner" or "breakfast"."""

    name: str
    cost: Number | None = None
    """Yuan per person."""


@dataclass(frozen=True)
class HotelDetails:
    """Time at a hotel."""

    activity: str
    """Such as "check-in" or "rest"."""

    name: str


@dataclass(frozen=True)
class BufferDetails:
    """Time kept free."""

    description: str


@dataclass(frozen=True)
class IntercityActivity:
    """Travel between cities."""

    time_slot: str
    """HH:MM-HH:MM; an end before the start is on the next day."""

    type: Literal["travel_intercity_public"]
    details: IntercityDetails


@dataclass(frozen=True)
class RideActivity:
    """Travel inside a city."""

    time_slot: str
    type: Literal["travel_city"]
    details: RideDetails


@dataclass(frozen=True)
class VisitActivity:
    """A sight."""

    time_slot: str
    type: Literal["attraction"]
    details: VisitDetails


@dataclass(frozen=True)
class MealActivity:
    """A meal."""

    time_slot: str
    type: Literal["meal"]
    details: MealDetails


@dataclass(frozen=True)
class HotelActivity:
    """A stop at the hotel."""

    time_slot: str
    type: Literal["hotel"]
    details: HotelDetails


@dataclass(frozen=True)
class BufferActivity:
    """Waiting, security, a break."""

    time_slot: str
    type: Literal["buffer"]
    details: BufferDetails


Activity = IntercityActivity | RideActivity | VisitActivity | MealActivity | HotelActivity | BufferActivity


@dataclass(frozen=True)
class Accommodation:
    """The hotel of the night after a day."""

    name: str
    price_per_night: Number | None = None
    """Yuan per room."""


@dataclass(frozen=True)
class DailyPlan:
    """One day."""

    day_number: int
    """From 1."""

    current_city: str
    """A city, or "from A to B"."""

    activities: tuple[Activity, ...]
    date: str | None = None
    """YYYY-MM-DD."""

    accommodation: Accommodation | None = None
    """Absent on the last day."""


@dataclass(frozen=True)
class BudgetSummary:
    """Yuan for the whole party."""

    currency: str = "CNY"
    transportation: Number | None = None
    accommodation: Number | None = None
    meals: Number | None = None
    attractions_and_tickets: Number | None = None
    other: Number | None = None
    total_estimated_budget: Number | None = None


@dataclass(frozen=True)
class PlanReply:
    """An itinerary."""

    daily_plans: tuple[DailyPlan, ...]
    budget_summary: BudgetSummary | None = None


@dataclass(frozen=True)
class ClarificationReply:
    """A question back to the traveler."""

    status: Literal["clarification"]
    clarification: str


@dataclass(frozen=True)
class NoSolutionReply:
    """A refusal: not everything that is asked for can hold."""

    status: Literal["unsat"]
    unsat_explanation: str


ConvertedReply = PlanReply | ClarificationReply | NoSolutionReply
"""A converted answer to one turn."""
