"""Whether a plan is adjusted to what happened: weather, crowds, closures, delays. (Trip+ 2.3, `evaluation/multiturn/`)

An environment event lists adjustments by name; each name has one function here. All events still active bind.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from tripgauge.trip_plus.release.facts import PlanFacts, json_text, overlap, place_name, slot_minutes
from tripgauge.trip_plus.release.plan import ATTRACTION, BUFFER, HOTEL, INTERCITY, MEAL, PlanActivity
from tripgauge.trip_plus.release.primitives import JsonObject, entity_name, int_loose, norm, num_first, text
from tripgauge.trip_plus.release.response import is_no_solution
from tripgauge.trip_plus.release.taste import INDOOR_MARKERS, mentions
from tripgauge.trip_plus.release.turn_state import ReleaseTurnState, as_list

SHELTERED = (BUFFER, HOTEL, MEAL)
OUTDOOR_NAMES = (
    *("mountain", "canyon", "lake", "bay", "island", "park", "forest", "grassland", "wetland", "beach", "trail"),
    *("boardwalk", "temple", "square", "viewpoint", "scenic", "garden", "ancient town"),
)
REST_WORDS = ("rest", "hotel", "room", "midday rest", "free time", "buffer", "meal")
LONG_VISIT_MINUTES = 150
PEAK_MEALS = (720, 780)
PEAK_ATTRACTIONS = (600, 720)


class Adjustment(NamedTuple):
    """One adjustment an event asks for, and whether the plan has it; None if it cannot be told."""

    check: str
    passed: bool | None


def evaluate_adjustments(state: ReleaseTurnState, facts: PlanFacts) -> tuple[Adjustment, ...]:
    """Every adjustment of every active event, in order."""
    return tuple(_adjustment(request, facts) for event in state.events for request in _requests(event))


def _requests(event: JsonObject) -> Iterator[JsonObject]:
    return (request for request in as_list(event.get("expected_adjustments")) if isinstance(request, dict))


def _adjustment(request: JsonObject, facts: PlanFacts) -> Adjustment:
    name = text(request.get("check"))
    check = ADJUSTMENTS.get(name)
    return Adjustment(name, check(request, facts) if check is not None else None)


# --- What the checks share -------------------------------------------------------------------------------------------


def looks_outdoor(activity: PlanActivity) -> bool:
    """Whether a visit seems to take place outdoors, going by the plan's words and its length alone."""
    if activity.kind != ATTRACTION or mentions(json_text(activity.raw).lower(), INDOOR_MARKERS):
        return False
    return slot_minutes(activity) >= LONG_VISIT_MINUTES or mentions(entity_name(activity.raw).lower(), OUTDOOR_NAMES)


def window(value: object) -> tuple[float, float] | None:
    """A pair of minutes from midnight; None for anything else."""
    bounds = [num_first(bound) for bound in as_list(value)]
    if len(bounds) != 2 or bounds[0] is None or bounds[1] is None:
        return None
    return bounds[0], bounds[1]


def _day(request: JsonObject, facts: PlanFacts) -> tuple[PlanActivity, ...]:
    return facts.day(int_loose(request.get("day")))


def _number(request: JsonObject, key: str, default: int) -> int:
    return int_loose(request.get(key)) or default


def _in_window(request: JsonObject, facts: PlanFacts, key: str, default: int) -> Iterator[PlanActivity]:
    """The activities of the day that lie in the request's window for long enough."""
    bounds, least = window(request.get("time_window")), _number(request, key, default)
    if bounds is not None:
        yield from (activity for activity in _day(request, facts) if overlap(activity, *bounds) >= least)


def _is_indoor_visit(activity: PlanActivity) -> bool:
    return activity.kind == ATTRACTION and not looks_outdoor(activity)


def _sheltered_on_day(activities: tuple[PlanActivity, ...], least: int) -> bool:
    return any(
        (activity.kind in SHELTERED and slot_minutes(activity) >= least) or _is_indoor_visit(activity)
        for activity in activities
    )


# --- One function for each adjustment --------------------------------------------------------------------------------


def _limit_outdoor_in_window(request: JsonObject, facts: PlanFacts) -> bool:
    """Little time is spent outdoors in the window."""
    bounds = window(request.get("time_window"))
    if bounds is None:
        return True
    minutes = sum(overlap(activity, *bounds) for activity in _day(request, facts) if looks_outdoor(activity))
    return minutes <= _number(request, "max_outdoor_minutes", 90)


def _has_indoor_or_buffer_on_day(request: JsonObject, facts: PlanFacts) -> bool:
    """The day has something indoors or time to spare."""
    return _sheltered_on_day(_day(request, facts), _number(request, "min_buffer_minutes", 30))


def _has_indoor_or_buffer_in_window(request: JsonObject, facts: PlanFacts) -> bool:
    """The window has something indoors or time to spare."""
    return any(
        activity.kind in SHELTERED or _is_indoor_visit(activity)
        for activity in _in_window(request, facts, "min_buffer_minutes", 30)
    )


def _has_hotel_or_rest_in_window(request: JsonObject, facts: PlanFacts) -> bool:
    """The window has a rest."""
    return any(
        activity.kind in SHELTERED or mentions(json_text(activity.raw), REST_WORDS)
        for activity in _in_window(request, facts, "min_rest_minutes", 60)
    )


def _avoid_unavailable_poi(request: JsonObject, facts: PlanFacts) -> bool:
    """The closed place is not visited."""
    target = norm(text(request.get("target")))
    return bool(target) and all(place_name(visit) != target for visit in facts.attractions)


def _first_day_light(request: JsonObject, facts: PlanFacts) -> bool:
    """The first day holds few visits, and a pause soon after the delayed arrival."""
    activities = facts.day(1)
    visits = sum(activity.kind == ATTRACTION for activity in activities)
    if visits > _number(request, "max_first_day_attractions", 2):
        return False
    if not request.get("requires_buffer_or_hotel_after_intercity"):
        return True
    kinds = [activity.kind for activity in activities]
    if INTERCITY not in kinds:
        return HOTEL in kinds or BUFFER in kinds
    arrival = kinds.index(INTERCITY)
    return any(kind in SHELTERED for kind in kinds[arrival + 1 : arrival + 4])


def _avoid_peak_meal_window(request: JsonObject, facts: PlanFacts) -> bool:
    """No meal touches the hour when everybody eats."""
    bounds = window(request.get("peak_window") or list(PEAK_MEALS))
    return bounds is None or all(overlap(meal, *bounds) <= 0 for meal in facts.meals)


def _avoid_peak_attraction_window(request: JsonObject, facts: PlanFacts) -> bool:
    """No visit, or none to the crowded places, touches the busiest hours."""
    bounds = window(request.get("peak_window") or list(PEAK_ATTRACTIONS))
    listed = as_list(request.get("target_attractions") or request.get("target_attraction_names"))
    targets = {norm(text(name)) for name in listed}
    crowded = (visit for visit in facts.attractions if not targets or place_name(visit) in targets)
    return bounds is None or all(overlap(visit, *bounds) <= 0 for visit in crowded)


def _return_day_transport_buffer(request: JsonObject, facts: PlanFacts) -> bool:
    """There is time to spare before the journey home; without one, the trip does not end with a visit."""
    activities = facts.days[-1].activities if facts.days else ()
    kinds = [activity.kind for activity in activities]
    if INTERCITY not in kinds:
        return not any(activity.kind == ATTRACTION and slot_minutes(activity) > 0 for activity in activities[-2:])
    spare = 0
    for activity in reversed(activities[: kinds.index(INTERCITY)]):
        if activity.kind != BUFFER:
            break
        spare += slot_minutes(activity)
    return spare >= _number(request, "min_buffer_minutes", 60)


def _first_day_buffer(request: JsonObject, facts: PlanFacts) -> bool:
    """The first day has something indoors or time to spare."""
    return _sheltered_on_day(facts.day(1), _number(request, "min_buffer_minutes", 30))


def _has_note(request: JsonObject, facts: PlanFacts) -> bool:
    """The plan uses one of the words asked for."""
    return mentions(facts.plan_text, [str(word) for word in as_list(request.get("keywords"))])


def _explain_unsolved(request: JsonObject, facts: PlanFacts) -> bool:
    """The reply says that there is no solution."""
    return is_no_solution(facts)


ADJUSTMENTS: Mapping[str, Callable[[JsonObject, PlanFacts], bool]] = {
    "limit_outdoor_in_window": _limit_outdoor_in_window,
    "has_indoor_or_buffer_on_day": _has_indoor_or_buffer_on_day,
    "has_indoor_or_buffer_in_window": _has_indoor_or_buffer_in_window,
    "has_hotel_or_rest_in_window": _has_hotel_or_rest_in_window,
    "avoid_unavailable_poi": _avoid_unavailable_poi,
    "first_day_light_after_transport_delay": _first_day_light,
    "avoid_peak_meal_window": _avoid_peak_meal_window,
    "avoid_peak_attraction_window": _avoid_peak_attraction_window,
    "return_day_transport_buffer": _return_day_transport_buffer,
    "first_day_buffer_for_local_practical": _first_day_buffer,
    "include_queue_or_offpeak_note": _has_note,
    "include_traffic_buffer_note": _has_note,
    "include_backup_or_replacement_note": _has_note,
    "include_practical_note": _has_note,
    "explain_unsolved": _explain_unsolved,
}
