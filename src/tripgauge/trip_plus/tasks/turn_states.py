"""What must hold after each turn of a published record: the typed state s_t. (Trip+ 2.3, A.3)

A record lists the constraints of the first turn and, turn by turn, what the traveler changed, what was settled in the
talk and what happened to the trip. These lists only grow; where two items speak of the same thing the later one counts.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from tripgauge.trip_plus.frame import TripFrame
from tripgauge.trip_plus.itinerary import Mode
from tripgauge.trip_plus.requirements.constraints.attractions import (
    AddedAttraction,
    AllAttractions,
    GentleSights,
    PacingLimit,
)
from tripgauge.trip_plus.requirements.constraints.budget import BudgetCap
from tripgauge.trip_plus.requirements.constraints.dining import MealWithinPrice, NothingBanned, RestaurantAmong
from tripgauge.trip_plus.requirements.constraints.lodging import HotelAmong
from tripgauge.trip_plus.requirements.constraints.transport import RoutePreference
from tripgauge.trip_plus.requirements.constraints.trip import (
    EarlyFinish,
    LateStart,
    MiddayRest,
    PartyComposition,
    PartySize,
    RoomCount,
    RoundTripMode,
    TripDateRange,
)
from tripgauge.trip_plus.requirements.preferences.budget import NoExpensiveMeals
from tripgauge.trip_plus.requirements.requirement import (
    HardConstraint,
    Requirement,
    SoftPreference,
    UncheckedPreference,
)
from tripgauge.trip_plus.sandbox.names import folded
from tripgauge.trip_plus.tasks.event_conditions import conditions_of, expected_weather, unavailable_places
from tripgauge.trip_plus.tasks.profiles import preference
from tripgauge.trip_plus.tasks.released_constraints import OF_THE_TRIP, hard_constraint
from tripgauge.trip_plus.tasks.task import Ambiguity, CapConflict, ProfileConflict, Question, TurnState

if TYPE_CHECKING:
    from tripgauge.trip_plus.tasks.queries import (
        BaseMeta,
        CandidateReference,
        OracleState,
        PartyUpdate,
        RequestResolution,
        ScheduleUpdate,
        TurnRecord,
        UserStateDelta,
    )
    from tripgauge.trip_plus.tasks.queries import (
        PartyComposition as PartyRecord,
    )

REST_WINDOW = (750, 870)
REST_MINUTES = 45
"""Of a midday rest that says neither."""

COMFORT_RULES = ("schedule_pacing", "mobility_accessibility")
"""What comfort is about, where the traveler says that it comes first."""

MERE_HABIT = ("budget_tight_cap", "budget_guarded")
"""What the traveler is used to spending; a cap on the whole trip takes its place."""


def turn_state(
    base: "BaseMeta", turn: "TurnRecord", before: "TurnRecord | None", mode: Mode, frame: TripFrame
) -> TurnState:
    """The state after a turn; `frame` is the trip as it stands by then."""
    oracle = turn.oracle_state_after_turn
    hard = frozenset(_hard(base, oracle, frame))
    soft = frozenset(_soft(base, oracle, hard))
    new = _new_resolutions(turn, before)
    return TurnState(
        mode=mode,
        frame=frame,
        hard=hard,
        soft=soft,
        environment=frozenset(conditions_of(oracle.active_environment_events)),
        renewed=frozenset(_renewed(new, hard, soft)),
        question=None if mode is Mode.PLAN else _question(turn, new, hard, soft),
        rest_days=frozenset(_rest_days(oracle.active_user_state_deltas)),
        expected_weather=expected_weather(
            base.city_context.city_tags,
            base.city_context.seasonal_advisories or (),
            frame.depart.month,
            oracle.active_environment_events,
        ),
    )


# --- Hard constraints -----------------------------------------------------------------------------------------------


def _hard(base: "BaseMeta", oracle: "OracleState", frame: TripFrame) -> Iterator[HardConstraint]:
    deltas = oracle.active_user_state_deltas
    gone = {folded(place) for place in unavailable_places(oracle.active_environment_events)}
    held = {**_at_first(base, oracle), **_asked_later(deltas), **_settled(oracle.active_request_resolutions)}
    for constraint in (*held.values(), *_of_the_trip(base, frame, deltas)):
        still = _without(constraint, gone)
        if still is not None:
            yield still


def _at_first(base: "BaseMeta", oracle: "OracleState") -> Mapping[object, HardConstraint]:
    """The constraints of the first turn that still hold; those of the trip itself follow from the trip."""
    active = set(oracle.active_hard_constraints) or set(base.hard_constraints)
    dropped = {
        key
        for event in oracle.active_environment_events
        if not isinstance(event, str)
        for key in event.deactivates_hard_constraints or ()
    }
    return {
        key: hard_constraint(key, record)
        for key, record in base.hard_constraints.items()
        if key in active - dropped - OF_THE_TRIP
    }


def _of_the_trip(base: "BaseMeta", frame: TripFrame, deltas: "Sequence[UserStateDelta]") -> Iterator[HardConstraint]:
    yield TripDateRange(frame.depart, frame.return_, frame.days)
    yield PartySize(frame.people)
    yield RoomCount(frame.rooms)
    match frame.route_mode:
        case "flight" | "train" as mode:
            yield RoundTripMode(mode, frame.origin, frame.destinations)
    party = _party_after(base.observable_profile.party_composition, deltas)
    if party.children or party.elders:
        yield party


def _asked_later(deltas: "Sequence[UserStateDelta]") -> Mapping[object, HardConstraint]:
    """What the traveler added or changed, each under what it is about, so that the last word counts."""
    asked: dict[object, HardConstraint] = {}
    for delta in deltas:
        asked.update(_asked(delta))
    return asked


def _asked(delta: "UserStateDelta") -> Iterator[tuple[object, HardConstraint]]:
    if (added := delta.add_attraction) and added.name.strip():
        yield ("sight", folded(added.name)), AddedAttraction(added.name.strip(), added.insert_day)
    if delta.schedule_update:
        yield from _schedule(delta.schedule_update)
    if (late := delta.late_start_request) and late.day and late.earliest_start_minutes is not None:
        yield ("late start", late.day), LateStart(late.day, late.earliest_start_minutes)
    if meal := delta.restaurant_requirement:
        reference = meal.candidate_reference
        names = _named(meal.restaurant_name, reference, reference.acceptable_restaurant_names if reference else None)
        near = meal.anchor or (reference.nearby_attraction if reference else None) or ""
        day, which = meal.meal_day, (meal.meal_type or "").lower()
        if names:
            wanted = RestaurantAmong("restaurant_turn_added", names, near, meal.cuisine_type or "", day, which)
            yield ("meal", day, which), wanted
    if hotel := delta.hotel_requirement:
        reference = hotel.candidate_reference
        if names := _named(hotel.hotel_name, reference, reference.acceptable_hotel_names if reference else None):
            yield "hotel", HotelAmong("hotel_turn_added", names)
    if (budget := delta.budget_update) and budget.new_max_budget is not None:
        yield BudgetCap.id, BudgetCap(budget.new_max_budget)
    if (diet := delta.dietary_update) and diet.banned_keywords:
        yield ("diet", diet.restriction), NothingBanned(frozenset(diet.banned_keywords))
    if delta.route_preference:
        yield "route", RoutePreference()
    joined = _joined(delta.party_update)
    if joined:
        yield ("joined", joined), GentleSights(joined)


def _named(name: str, reference: "CandidateReference | None", acceptable: Sequence[str] | None) -> frozenset[str]:
    single = name.strip() or (reference.name.strip() if reference else "")
    return frozenset(acceptable or ()) or frozenset((single,) if single else ())


def _schedule(update: "ScheduleUpdate") -> Iterator[tuple[object, HardConstraint]]:
    if update.day is None:
        return
    if update.schedule_subtype == "early_finish" and update.latest_formal_end_minutes is not None:
        yield ("early finish", update.day), EarlyFinish(update.day, update.latest_formal_end_minutes)
    elif update.schedule_subtype == "midday_rest":
        start, end = update.rest_window or REST_WINDOW
        minutes = update.min_rest_minutes or REST_MINUTES
        allowed = update.allowed_activity_types
        meal_counts = allowed is None or "meal" in allowed
        yield ("midday rest", update.day), MiddayRest(update.day, start, end, minutes, meal_counts)


def _joined(update: "PartyUpdate | None") -> Literal["child", "elder"] | None:
    match update.party_subtype if update else "":
        case "child_added":
            return "child"
        case "elder_added":
            return "elder"
        case _:
            return None


def _settled(resolutions: "Sequence[RequestResolution]") -> Mapping[object, HardConstraint]:
    """What was settled in the talk."""
    settled: dict[object, HardConstraint] = {}
    for item in resolutions:
        limit, meal = item.resolved_pacing_limit, item.resolved_restaurant_preference
        if limit and limit.max_attractions_per_day is not None:
            settled["pacing"] = PacingLimit(limit.max_attractions_per_day)
        if item.route_preference:
            settled["route"] = RoutePreference()
        if meal and meal.meal_day is not None and meal.price_per_person_max is not None:
            key = "settled meal", meal.meal_day, meal.meal_type.lower()
            settled[key] = MealWithinPrice(meal.meal_day, meal.meal_type.lower(), meal.price_per_person_max)
    return settled


def _without(constraint: HardConstraint, gone: set[str]) -> HardConstraint | None:
    """The constraint without sights that are not available; None if nothing is left of it."""
    match constraint:
        case AddedAttraction(attraction=name) if folded(name) in gone:
            return None
        case AllAttractions(attractions=names) if any(folded(name) in gone for name in names):
            left = frozenset(name for name in names if folded(name) not in gone)
            return replace(constraint, attractions=left) if left else None
        case _:
            return constraint


# --- Who travels ----------------------------------------------------------------------------------------------------


def _party_after(party: "PartyRecord", deltas: "Sequence[UserStateDelta]") -> PartyComposition:
    """The party after everybody who joined or left: adults leave first, then elders, then children."""
    now = PartyComposition(party.adults, len(party.children), len(party.elders))
    for delta in deltas:
        update = delta.party_update
        if update is None or update.new_people_number is None:
            continue
        more = update.new_people_number - (now.adults + now.children + now.elders)
        now = _with_more(now, more, update) if more > 0 else _with_fewer(now, -more)
    return now


def _with_more(party: PartyComposition, more: int, update: "PartyUpdate") -> PartyComposition:
    match update.party_subtype:
        case "child_added":
            return replace(party, children=party.children + min(more, update.added_children or more))
        case "elder_added":
            return replace(party, elders=party.elders + min(more, update.added_elders or more))
        case _:
            return replace(party, adults=party.adults + more)


def _with_fewer(party: PartyComposition, fewer: int) -> PartyComposition:
    adults = min(fewer, party.adults)
    elders = min(fewer - adults, party.elders)
    children = min(fewer - adults - elders, party.children)
    return PartyComposition(party.adults - adults, party.children - children, party.elders - elders)


# --- Soft preferences -----------------------------------------------------------------------------------------------


def _soft(base: "BaseMeta", oracle: "OracleState", hard: frozenset[HardConstraint]) -> Iterator[SoftPreference]:
    variants = {rule.rule_id: rule.preference_variants or () for rule in base.user_profile.rules}
    liked = {rule: _preference(rule, variants.get(rule, ())) for rule in base.user_profile.rule_ids}
    for delta in oracle.active_profile_deltas:
        change = delta.profile_preference
        if change is None:
            continue
        liked.update({rule: _preference(rule, change.preference_variants) for rule in change.rule_ids})
        liked = {rule: held for rule, held in liked.items() if rule not in change.dropped_rule_ids}
    capped = any(isinstance(constraint, BudgetCap) for constraint in hard)
    for held in liked.values():
        if not (capped and isinstance(held, NoExpensiveMeals) and held.kind in MERE_HABIT):
            yield held


def _preference(rule: str, variants: Sequence[str]) -> SoftPreference:
    unknown = UncheckedPreference(rule, "no soft preference of that name is known")
    return preference(rule, variants) or unknown


# --- What the turn itself is about ----------------------------------------------------------------------------------


def _new_resolutions(turn: "TurnRecord", before: "TurnRecord | None") -> "Sequence[RequestResolution]":
    earlier = len(before.oracle_state_after_turn.active_request_resolutions) if before else 0
    return turn.oracle_state_after_turn.active_request_resolutions[earlier:]


def _renewed(
    new: "Sequence[RequestResolution]", hard: frozenset[HardConstraint], soft: frozenset[SoftPreference]
) -> Iterator[Requirement]:
    for item in new:
        if item.resolved_priority:
            yield from (held for held in soft if held.id in COMFORT_RULES)
        settled = item.resolution_instruction
        if settled and settled.relaxed_new_condition:
            yield from (held for held in hard if held.id == settled.blocking_constraint)


def _question(
    turn: "TurnRecord",
    new: "Sequence[RequestResolution]",
    hard: frozenset[HardConstraint],
    soft: frozenset[SoftPreference],
) -> Question | None:
    """What the answer must be about: the last thing found unsettled at this turn, else the last conflict before."""
    blocking = turn.blocking_constraints
    for item in reversed(new):
        if open_ := item.ambiguous_request:
            return Ambiguity(open_.component, open_.missing_slots, blocking)
        if against := item.ambiguous_or_conflicting_request:
            rules = against.conflicts_with_profile_rules
            liked = frozenset(held for held in soft if held.id in rules)
            return ProfileConflict(against.request, against.requested_min_attractions_per_day, liked, blocking)
    for item in reversed(turn.oracle_state_after_turn.active_request_resolutions):
        if conflict := item.prior_request_conflict:
            constraint = next((held for held in hard if held.id == conflict.blocking_constraint), None)
            return CapConflict(conflict.component, constraint, conflict.new_cap, conflict.observed_value, blocking)
    return None


def _rest_days(deltas: "Sequence[UserStateDelta]") -> Iterator[int]:
    for delta in deltas:
        update = delta.schedule_update
        if update and update.schedule_subtype == "rest_day" and update.day is not None:
            yield update.day
