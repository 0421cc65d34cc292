"""What a damage is, and how plans are changed."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from decimal import Decimal
from functools import cached_property
from random import Random
from typing import TypeVar

from tripgauge.trip_plus.frame import TripFrame
from tripgauge.trip_plus.itinerary import Activity, Day, HotelStop, IntercityLeg, Itinerary, TimeSlot
from tripgauge.trip_plus.requirements.preferences.interest import InterestInSights
from tripgauge.trip_plus.sandbox.records import distance_km
from tripgauge.trip_plus.sandbox.store import Sandbox
from tripgauge.trip_plus.trace.costs import Cost
from tripgauge.trip_plus.trace.joining import execution_trace

Place = tuple[int, int]
"""Where a line stands: position of its day and its own, both from 0."""


@dataclass(frozen=True)
class GoodPlan:
    """A plan in which all is right, with the trip it is for and the tables it was made from."""

    itinerary: Itinerary
    frame: TripFrame
    sandbox: Sandbox

    @property
    def days(self) -> tuple[Day, ...]:
        """As the plan lists them."""
        return self.itinerary.days

    def places(self, *kinds: type[Activity]) -> list[Place]:
        """Where the lines of these kinds stand, in order."""
        return [
            (day, line)
            for day, listed in enumerate(self.days)
            for line, activity in enumerate(listed.activities)
            if isinstance(activity, kinds)
        ]

    def at(self, place: Place) -> Activity:
        """The line there."""
        return self.days[place[0]].activities[place[1]]

    def next_to(self, place: Place, step: int) -> Activity | None:
        """The line so many lines further on the same day; None if the day has no such line."""
        line = place[1] + step
        return self.days[place[0]].activities[line] if 0 <= line < len(self.days[place[0]].activities) else None

    @cached_property
    def full_days(self) -> list[int]:
        """The days without a journey between cities."""
        return [
            number
            for number, day in enumerate(self.days)
            if not any(isinstance(activity, IntercityLeg) for activity in day.activities)
        ]


Spoil = Callable[[GoodPlan, Random], Itinerary | None]


@dataclass(frozen=True)
class Damage:
    """One way to spoil a plan."""

    spoil: Spoil
    lowers: frozenset[str]
    """The checks that fail after it, and the kinds of requirements that fail after it where they are asked for."""

    may_lower: Mapping[str, str] = field(default_factory=dict)
    """What may fail with it, depending on the plan, and why that is right."""

    @property
    def name(self) -> str:
        """In words."""
        return self.spoil.__name__.replace("_", " ")

    def __call__(self, plan: GoodPlan, seed: int) -> Itinerary | None:
        """The spoiled plan; the same for the same seed. None if the plan offers nothing to spoil."""
        return self.spoil(plan, Random(f"{self.name} {seed}"))


DAMAGES: list[Damage] = []


def damage(*lowers: str | Iterable[str], **may_lower: str) -> Callable[[Spoil], Spoil]:
    """Make the function below a damage, with what it lowers and, by name, why something else may fall with it."""

    def register(spoil: Spoil) -> Spoil:
        names = frozenset(name for part in lowers for name in ([part] if isinstance(part, str) else part))
        DAMAGES.append(Damage(spoil, names, may_lower))
        return spoil

    return register


# --- Checks that go together ---

ABOUT_SIGHTS = (
    *("validated_attractions", "essential_attraction_coverage", "attraction_visit_within_opening_hours"),
    *("avoidance_of_closure_days", "reasonable_duration_at_attractions"),
)
ABOUT_HOURS = (
    *("attraction_visit_within_opening_hours", "avoidance_of_closure_days", "reasonable_duration_at_attractions"),
    *("dining_within_service_hours", "reasonable_meal_duration"),
)
ABOUT_MEALS = (
    *("validated_meals", "essential_meal_coverage", "dining_within_service_hours", "reasonable_meal_duration"),
)
ABOUT_NIGHTS = (
    *("validated_accommodation", "day_boundary_continuity", "traceable_accommodation", "ends_with_accommodation"),
)
ABOUT_TRAVEL = (
    *("closed_loop_route_structure", "seamless_intercity_transfers", "validated_transportation"),
    "intercity_buffer_adequacy",
)
COST = "cost_calculation_correctness"
WAY = "reasonable_transfer_time"
OVERLAP = "no_time_overlaps"

EVERY_SIGHT = "attraction_all_free_attractions"
"""The kind of a wish to see all the sights of the plan."""

HOTELS = "hotels"
SEATS = ("train_seat_class", "flight_seat_class")
PARTY = ("party_size_required", "party_composition_required")
MODE = "intercity_round_trip_mode_required"
DATES = "trip_date_range_required"

SIGHTS_ASKED = (
    *("attractions", *InterestInSights.rules, "resolved_pacing_limit", "avoid_peak_attraction_window"),
    *("avoid_unavailable_poi", "limit_outdoor_in_window", "weather_avoid_heat_exposure", "weather_need_backup"),
)
MEALS_ASKED = (
    *("restaurants", "interest_local_food", "budget_guarded", "budget_tight_cap", "meal_avoid_expensive"),
    "avoid_peak_meal_window",
)
"""What is asked of sights, or of meals, and is not met by having none."""

# --- Why something else may fall with it ---

SIGHT_LOST = {
    "attractions": "the sight may be one that is asked for",
    "interest_match": "it may be of a kind that the traveler likes",
}
MEAL_LOST = {
    "restaurants": "the restaurant may be one that is asked for",
    "interest_match": "it may be of a kind that the traveler likes",
}
JOURNEY_LOST = {"transport": "what is asked of that flight or train is not met by another, or by none"}
DAY_DUE = {
    "essential_meal_coverage": "a ride that does not run leaves the whole day for meals",
    "essential_attraction_coverage": "and for sights",
}
NOT_RUNNING = {**JOURNEY_LOST, **DAY_DUE, "schedule_pacing": "a whole day without a rest is no calm one"}
DAY_LOST = {
    **SIGHT_LOST,
    **MEAL_LOST,
    "schedule": "what is asked of the hours of that day is not there any more",
    "environment": "nor is what an event asks of it",
    "schedule_pacing": "a full day with nothing on it has no rest",
}
AT_HOME = {
    "day_boundary_continuity": "who never left sleeps in a city he is not in",
    WAY: "of two hotels with one name the one at home is meant",
    "comfort_and_pace": "the weather of the destination is not met, so nothing is asked of it",
    "environment": "what an event asks of the journey finds none",
}
NO_BED = {
    "traceable_accommodation": "the night is spent otherwise, and the hotel of the next one is not booked for it",
    "ends_with_accommodation": "nor does the day before end there",
    "hotel_value_first": "nothing is asked of its price",
    "hotels": "nor of the hotel",
}
NEVER_LEFT = {name: why for name, why in AT_HOME.items() if name != WAY}
NO_WAY_BACK = {
    "essential_meal_coverage": "who does not leave has time for more meals that day",
    "essential_attraction_coverage": "and for a sight",
    "environment": "what an event asks of the journey finds none",
}
REST_LOST = {
    "schedule_pacing": "the rest at the hotel may be the only one that day",
    "schedule": "or the one that is asked for",
    "environment": "or the shelter that an event asks for",
}
LONGER = {
    "schedule_pacing": "the day gets longer",
    "schedule": "and may end after the hour asked for",
    "essential_meal_coverage": "the next meal comes too soon after it",
}
ON_FOOT = {
    "attractions": "who travels with a child or an elder does not walk far",
    "transport": "nor who asks for short ways",
}

# --- Changing plans ---

T = TypeVar("T")
LineT = TypeVar("LineT", bound=Activity)


def one_of(choices: Sequence[T], random: Random) -> T | None:
    return random.choice(choices) if choices else None


def with_day(plan: Itinerary, number: int, **changes: object) -> Itinerary:
    days = list(plan.days)
    days[number] = replace(days[number], **changes)
    return replace(plan, days=tuple(days))


def with_lines(plan: Itinerary, place: Place, *lines: Activity) -> Itinerary:
    """The plan with these lines in place of one."""
    number, line = place
    listed = plan.days[number].activities
    return with_day(plan, number, activities=(*listed[:line], *lines, *listed[line + 1 :]))


def without(plan: Itinerary, *kinds: type[Activity]) -> Itinerary:
    """The plan without the lines of some kinds."""
    return with_each_line(plan, lambda activity: None if isinstance(activity, kinds) else activity)


def with_each_line(plan: Itinerary, change: Callable[[Activity], Activity | None]) -> Itinerary:
    days = tuple(
        replace(day, activities=tuple(new for activity in day.activities if (new := change(activity))))
        for day in plan.days
    )
    return replace(plan, days=days)


def renamed(plan: Itinerary, old: str, new: str) -> Itinerary:
    """The plan with another name for one place wherever it is named."""
    names = ("attraction", "restaurant", "hotel", "origin", "destination")

    def change(activity: Activity) -> Activity:
        there = {
            item.name: new for item in fields(activity) if item.name in names and getattr(activity, item.name) == old
        }
        return replace(activity, **there)

    renamed = with_each_line(plan, change)
    days = (
        replace(day, lodging=replace(day.lodging, hotel=new)) if day.lodging and day.lodging.hotel == old else day
        for day in renamed.days
    )
    return replace(renamed, days=tuple(days))


def cost_of(plan: GoodPlan, itinerary: Itinerary) -> Cost:
    return execution_trace(itinerary, plan.frame, plan.sandbox).cost


def added_up(plan: GoodPlan, itinerary: Itinerary | None) -> Itinerary | None:
    """The spoiled plan with a budget that follows the change of its prices."""
    budget = plan.itinerary.budget
    if itinerary is None or budget is None:
        return itinerary
    before, after = cost_of(plan, plan.itinerary), cost_of(plan, itinerary)
    parts = ("transportation", "accommodation", "meals", "attractions", "total")
    changes = {name: getattr(after, name) - getattr(before, name) for name in parts}
    stated = {name: getattr(budget, name) for name in parts}
    follows = {name: amount + changes[name] for name, amount in stated.items() if amount is not None}
    return replace(itinerary, budget=replace(budget, **follows))


def with_budget(plan: GoodPlan, **amounts: Decimal | None) -> Itinerary | None:
    budget = plan.itinerary.budget
    return replace(plan.itinerary, budget=replace(budget, **amounts)) if budget else None


def moved_to(activity: LineT, start: int) -> LineT:
    """The line at another time of its day, as long as before."""
    assert activity.slot
    return replace(activity, slot=TimeSlot(start, start + activity.slot.minutes))


def slots_of(plan: GoodPlan, place: Place, step: int = 1) -> tuple[TimeSlot, TimeSlot] | None:
    """The times of a line and of one so many lines further."""
    other = plan.next_to(place, step)
    here = plan.at(place)
    return (here.slot, other.slot) if here.slot and other and other.slot else None


def hotels_of(plan: GoodPlan) -> list[str]:
    """The hotels of the nights."""
    return sorted({day.lodging.hotel for day in plan.days if day.lodging})


def are_apart(plan: GoodPlan, one: str, other: str) -> bool:
    """Whether nobody would take two places for the same stop, or walk from one to the other in a few minutes."""
    places = plan.sandbox.place(one), plan.sandbox.place(other)
    coordinates = [place.coordinates for place in places if place and place.coordinates]
    return len(coordinates) == 2 and distance_km(*coordinates) > 2


def is_in_the_middle(day: int, plan: GoodPlan) -> bool:
    return 0 < day < len(plan.days) - 1


INVENTED = "Palace of the Seven Winds"


def any_leg(plan: GoodPlan, random: Random) -> tuple[Place, IntercityLeg] | None:
    place = one_of(plan.places(IntercityLeg), random)
    leg = plan.at(place) if place else None
    return (place, leg) if place and isinstance(leg, IntercityLeg) else None


def evening_stops(plan: GoodPlan) -> list[Place]:
    """The last lines of the days, where they are at a hotel in which the night is spent."""
    ends = [(number, len(day.activities) - 1) for number, day in enumerate(plan.days) if day.lodging]
    return [place for place in ends if isinstance(plan.at(place), HotelStop)]


def any_timed(
    plan: GoodPlan, random: Random, kind: type[LineT], fits: Callable[[Place], bool] = lambda _: True
) -> tuple[Place, LineT] | None:
    """A line of that kind with a time."""
    places = [place for place in plan.places(kind) if plan.at(place).slot and fits(place)]
    place = one_of(places, random)
    line = plan.at(place) if place else None
    return (place, line) if place and isinstance(line, kind) else None


def with_length(plan: GoodPlan, found: tuple[Place, Activity] | None, minutes: int) -> Itinerary | None:
    if found is None or found[1].slot is None:
        return None
    start = found[1].slot.start
    return with_lines(plan.itinerary, found[0], replace(found[1], slot=TimeSlot(start, start + minutes)))


def goes_on(plan: GoodPlan, place: Place, minutes: int) -> bool:
    """Whether the next line starts so soon after this one."""
    slots = slots_of(plan, place)
    return slots is not None and slots[1].start - slots[0].end < minutes
