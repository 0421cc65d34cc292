"""Is the plan a whole trip? (Trip+ Table 11, structure completeness, as the published evaluator reads it)

A check yields what is wrong; it passes if nothing is.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from tripgauge.trip_plus.release.joined import JoinedPlan
from tripgauge.trip_plus.release.plan import ATTRACTION, HOTEL, INTERCITY, MEAL, RIDE, PlanActivity, PlanDay
from tripgauge.trip_plus.release.primitives import MINUTES_PER_DAY, CityPair, city, loose_clock, text


def valid_trip_duration(trip: JoinedPlan) -> Iterator[str]:
    """The plan has as many days as the trip."""
    if trip.meta.days != len(trip.days) or not trip.days:
        yield f"{len(trip.days)} days, expected {trip.meta.days}"


# --- Route and stay --------------------------------------------------------------------------------------------------


def closed_loop_route_structure(trip: JoinedPlan) -> Iterator[str]:
    """The first day's label leaves home and the last day's returns there; a label with one city is not looked at."""
    first, last = trip.days[0].pair, trip.days[-1].pair
    if first is not None and first.origin != trip.home:
        yield f"the trip leaves from {first.origin}, not from {trip.home}"
    if last is not None and last.destination != trip.home:
        yield f"the trip ends in {last.destination}, not in {trip.home}"


def seamless_intercity_transfers(trip: JoinedPlan) -> Iterator[str]:
    """Every change of city is a journey between stations of these cities, and the last one leads home."""
    here = trip.home
    if not here:
        yield "the city the trip starts from is unknown"
        return
    for day in trip.days:
        if day.pair is None:
            stay = city(day.label)
            if stay != here or not stay:
                yield f"day {day.number} is in {stay or 'no city'}, but the traveler is in {here}"
            continue
        if day.pair.origin != here:
            yield f"day {day.number} leaves {day.pair.origin}, but the traveler is in {here}"
        yield from _journey_faults(trip, day, day.pair)
        here = day.pair.destination
    if here != trip.home:
        yield f"the trip ends in {here}, not in {trip.home}"


def _journey_faults(trip: JoinedPlan, day: PlanDay, pair: CityPair) -> Iterator[str]:
    journeys = day.of(INTERCITY)
    if not journeys:
        yield f"day {day.number} changes city without a journey"
        return
    legs = [leg for leg in (_resolved_leg(trip, journey) for journey in journeys) if leg is not None]
    if pair in legs or _is_chain(legs, pair):
        return
    if not legs:
        yield f"day {day.number}: no station of its journeys is known"
    else:
        route = ", ".join(f"{leg.origin} to {leg.destination}" for leg in legs)
        yield f"day {day.number} should lead from {pair.origin} to {pair.destination}, but leads {route}"


def _resolved_leg(trip: JoinedPlan, journey: PlanActivity) -> CityPair | None:
    origin = trip.index.city_of_station(text(journey.details.get("from")))
    destination = trip.index.city_of_station(text(journey.details.get("to")))
    return CityPair(origin, destination) if origin is not None and destination is not None else None


def _is_chain(legs: Sequence[CityPair], pair: CityPair) -> bool:
    if not legs or legs[0].origin != pair.origin or legs[-1].destination != pair.destination:
        return False
    return all(leg.destination == following.origin for leg, following in pairwise(legs))


def day_boundary_continuity(trip: JoinedPlan) -> Iterator[str]:
    """Each day starts in the city where the night was spent, as far as that is known."""
    for day, following in pairwise(trip.days):
        stay = _stay_city(trip, day)
        start = following.pair.origin if following.pair is not None else city(following.label)
        if stay and start and stay != start:
            yield f"the night of day {day.number} is in {stay}, but day {following.number} starts in {start}"


def _stay_city(trip: JoinedPlan, day: PlanDay) -> str:
    for activity in day.activities:
        if activity.kind == HOTEL and activity.details.get("city"):
            return city(activity.details.get("city"))
    if isinstance(day.accommodation, Mapping):
        hotel = trip.index.hotels.find(text(day.accommodation.get("name")))
        return city(hotel.city) if hotel is not None else ""
    return ""


def traceable_accommodation(trip: JoinedPlan) -> Iterator[str]:
    """Every night has a hotel and an activity there; the last day has none."""
    for day in trip.days[:-1]:
        if not day.accommodation or not day.of(HOTEL):
            yield f"day {day.number} has no hotel for the night"
    last = trip.days[-1].accommodation
    if not last:
        return
    name = text(last.get("name")) if isinstance(last, Mapping) else str(last)
    if not isinstance(last, Mapping) or name not in ("", "-"):
        yield f"the last day has a hotel for the night: {name}"


def ends_with_accommodation(trip: JoinedPlan) -> Iterator[str]:
    """Every day but the last ends at the hotel, in list order."""
    for day in trip.days[:-1]:
        if not day.activities or day.activities[-1].kind != HOTEL:
            yield f"day {day.number} does not end at the hotel"


# --- Times as coverage reads them ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _LooseTimes:
    """Start and end in minutes, either may be unreadable; an end after midnight counts as early the same day."""

    start: int | None
    end: int | None


@lru_cache(maxsize=65536)
def _loose_slot(slot: str) -> _LooseTimes:
    parts = slot.split("-")
    return _LooseTimes(loose_clock(parts[0]), loose_clock(parts[1]) if len(parts) > 1 else None)


def _slot_halves(activity: PlanActivity) -> _LooseTimes:
    slot = activity.raw.get("time_slot")
    return _loose_slot(slot) if isinstance(slot, str) else _LooseTimes(None, None)


def _loose_times(activity: PlanActivity) -> _LooseTimes:
    """Each end from its own field if it has one, else from the slot."""
    start, end = activity.raw.get("start_time"), activity.raw.get("end_time")
    halves = _slot_halves(activity)
    return _LooseTimes(loose_clock(start) if start else halves.start, loose_clock(end) if end else halves.end)


def _departure(day: PlanDay) -> int | None:
    starts = (_loose_times(journey).start for journey in day.of(INTERCITY))
    return next((start for start in starts if start is not None), None)


def _arrival(day: PlanDay) -> int | None:
    ends = (_loose_times(journey).end for journey in reversed(day.of(INTERCITY)))
    return next((end for end in ends if end is not None), None)


@dataclass(frozen=True, slots=True)
class _CoverageDay:
    """A day, and whether it leaves or reaches a city that is not home, with the minute it does so."""

    day: PlanDay
    leaves_at: int | None
    """None if it does not leave a city away from home, or not at a readable time."""
    arrives_at: int | None


def _coverage_days(trip: JoinedPlan) -> Iterator[_CoverageDay]:
    here = trip.home
    for day in trip.days:
        leaves_at = arrives_at = None
        if day.pair is not None:
            if day.pair.origin == here != trip.home:
                leaves_at = _departure(day)
            if day.pair.destination != trip.home:
                arrives_at = _arrival(day)
            here = day.pair.destination
        yield _CoverageDay(day, leaves_at, arrives_at)


# --- Meals -----------------------------------------------------------------------------------------------------------

_LUNCH_STARTS = range(11 * 60, 13 * 60 + 45 + 1)
_DINNER_STARTS = range(17 * 60, 20 * 60 + 45 + 1)
_MEAL_GAP_MINUTES = 120
_EARLY_DEPARTURE, _LATE_DEPARTURE = 9 * 60, 15 * 60
_EARLY_ARRIVAL, _LATE_ARRIVAL = 10 * 60, 15 * 60


@dataclass(frozen=True, slots=True)
class _TimedMeal:
    label: str
    start: int
    end: int

    @property
    def is_lunch(self) -> bool:
        if "lunch" in self.label:
            return True
        return "breakfast" not in self.label and "dinner" not in self.label and self.start in _LUNCH_STARTS

    @property
    def is_dinner(self) -> bool:
        if "dinner" in self.label:
            return True
        return "breakfast" not in self.label and "lunch" not in self.label and self.start in _DINNER_STARTS


@dataclass(frozen=True, slots=True)
class _Meals:
    """The lunches and dinners in scope."""

    lunches: tuple[_TimedMeal, ...]
    dinners: tuple[_TimedMeal, ...]

    @classmethod
    def among(cls, meals: Sequence[_TimedMeal]) -> "_Meals":
        return cls(tuple(meal for meal in meals if meal.is_lunch), tuple(meal for meal in meals if meal.is_dinner))

    def lacking(self, *, lunch: bool = False, dinner: bool = False) -> Iterator[str]:
        """What is due and missing, and whether lunch and dinner are too close."""
        if lunch and not self.lunches:
            yield "no lunch"
        if dinner and not self.dinners:
            yield "no dinner"
        if self.lunches and self.dinners:
            gap = min(meal.start for meal in self.dinners) - max(meal.end for meal in self.lunches)
            if gap < _MEAL_GAP_MINUTES:
                yield f"only {gap} minutes between lunch and dinner"


def essential_meal_coverage(trip: JoinedPlan) -> Iterator[str]:
    """Lunch and dinner on every day, as far as arrival and departure leave room for them, two hours apart."""
    if not trip.home:
        yield "the city the trip starts from is unknown"
        return
    for covered in _coverage_days(trip):
        day = covered.day
        for fault in _meal_faults(covered, [meal for meal in map(_timed_meal, day.of(MEAL)) if meal is not None]):
            yield f"day {day.number}: {fault}"


def _timed_meal(activity: PlanActivity) -> _TimedMeal | None:
    times, details = _loose_times(activity), activity.details
    if times.start is None or times.end is None:
        return None
    label = text(details.get("meal_type") or details.get("type") or details.get("label")).lower()
    return _TimedMeal(label, times.start, times.end)


def _meal_faults(covered: _CoverageDay, meals: Sequence[_TimedMeal]) -> Iterator[str]:
    if covered.day.pair is None:
        yield from _Meals.among(meals).lacking(lunch=True, dinner=True)
        return
    leaves, arrives = covered.leaves_at, covered.arrives_at
    if leaves is not None:
        yield from _meals_before(leaves, _Meals.among([meal for meal in meals if meal.start < leaves]))
    if arrives is not None:
        yield from _meals_after(arrives, _Meals.among([meal for meal in meals if meal.start >= arrives]))


def _meals_before(departure: int, meals: _Meals) -> Iterator[str]:
    if departure >= _LATE_DEPARTURE:
        yield from meals.lacking(lunch=True)
        return
    if departure < _EARLY_DEPARTURE and meals.lunches:
        yield "a lunch before a departure earlier than 09:00"
    if meals.dinners:
        yield "a dinner before a departure earlier than 15:00"


def _meals_after(arrival: int, meals: _Meals) -> Iterator[str]:
    if arrival <= _LATE_ARRIVAL:
        yield from meals.lacking(lunch=arrival < _EARLY_ARRIVAL, dinner=True)
        return
    if meals.lunches:
        yield "a lunch after an arrival later than 15:00"
    if len(meals.dinners) > 1:
        yield "more than one dinner after an arrival later than 15:00"


# --- Sights ----------------------------------------------------------------------------------------------------------

_FULL_DAY_MINUTES = 4 * 60
_FULL_DAY_SIGHTS = 2
_VISIT_BEFORE_DEPARTURE_AFTER = 16 * 60
_VISIT_AFTER_ARRIVAL_BEFORE = 12 * 60


def essential_attraction_coverage(trip: JoinedPlan) -> Iterator[str]:
    """A full day has two sights or four hours for them; a late departure or early arrival leaves time for one."""
    if not trip.home:
        yield "the city the trip starts from is unknown"
        return
    for covered in _coverage_days(trip):
        day = covered.day
        sights = day.of(ATTRACTION)
        if day.pair is None:
            minutes = _sight_minutes(day, sights)
            if minutes < _FULL_DAY_MINUTES and len(sights) < _FULL_DAY_SIGHTS:
                yield f"day {day.number}: {len(sights)} sights and {minutes} minutes for them"
            continue
        starts = [sight.slot.start for sight in sights if sight.slot is not None]
        leaves, arrives = covered.leaves_at, covered.arrives_at
        if leaves is not None and leaves > _VISIT_BEFORE_DEPARTURE_AFTER and not any(s < leaves for s in starts):
            yield f"day {day.number}: no sight before the departure"
        if arrives is not None and arrives < _VISIT_AFTER_ARRIVAL_BEFORE and not any(s >= arrives for s in starts):
            yield f"day {day.number}: no sight after the arrival"


def _sight_minutes(day: PlanDay, sights: Sequence[PlanActivity]) -> int:
    """Minutes at sights and on rides to or from one."""
    names = {text(sight.details.get("name")) for sight in sights} - {""}
    rides = [
        ride
        for ride in day.of(RIDE)
        if text(ride.details.get("from")) in names or text(ride.details.get("to")) in names
    ]
    return sum(_coverage_minutes(activity) for activity in (*sights, *rides))


def _coverage_minutes(activity: PlanActivity) -> int:
    start, end = activity.raw.get("start_time"), activity.raw.get("end_time")
    times = _LooseTimes(loose_clock(start), loose_clock(end)) if start and end else _slot_halves(activity)
    if times.start is None or times.end is None:
        return 0
    hours = _hours(times.end) - _hours(times.start)
    # Truncating a difference of hours as floating-point numbers loses a minute here and there.
    return int((hours + MINUTES_PER_DAY // 60 if hours < 0 else hours) * 60)


def _hours(minutes: int) -> float:
    return minutes // 60 + minutes % 60 / 60
