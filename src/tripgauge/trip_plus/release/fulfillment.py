"""Did a reply do what the turn asked, and keep what was asked before? (Trip+ B.7 as released)

Every kind of request has one function that yields its checks; a check passes, fails, or does not count (None).
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import NamedTuple

from tripgauge.trip_plus.release.adjustments import Adjustment, evaluate_adjustments, window
from tripgauge.trip_plus.release.facts import PlanFacts, json_text, overlap, slot_minutes
from tripgauge.trip_plus.release.hard import HardResult, acceptable_names
from tripgauge.trip_plus.release.plan import ATTRACTION, BUFFER, HOTEL, MEAL, PlanActivity
from tripgauge.trip_plus.release.primitives import JsonObject, entity_name, int_loose, norm, num_first, text
from tripgauge.trip_plus.release.response import expected_mode, is_clarification, is_no_solution, observed_mode
from tripgauge.trip_plus.release.soft import FAMILIES, SoftView, preferred_rules
from tripgauge.trip_plus.release.taste import mentions
from tripgauge.trip_plus.release.turn_state import BUDGET, ReleaseTurnState, as_list, as_object, latest

CLARIFICATIONS = (
    "clarification_or_ranked_options",
    "conflict_detection_or_clarification",
    "infeasibility_detection",
    "prior_constraint_clarification",
    "prior_request_conflict_detection",
    "priority_clarification",
)
BREAKDOWNS: Mapping[str, frozenset[str]] = {
    "user_state_update_success": frozenset(
        {
            *("profile_preference", "party_update", "budget_update", "late_start_request", "schedule_update"),
            *("duration_update", "dietary_update"),
        }
    ),
    "request_resolution_success": frozenset(
        {*CLARIFICATIONS, "resolved_priority", "resolved_pacing_limit", "apply_relaxed_constraint"}
    ),
    "environment_adaptation_success": frozenset({"environment_aware_replanning"}),
}
"""Which requests count for which figure of a summary."""


class Check(NamedTuple):
    """One question about a reply and its answer; None if it does not count."""

    id: str
    passed: bool | None
    soft_score: float | None = None
    """The soft score behind the answer, where there is one."""
    by_soft_score: bool = False
    """Whether the answer depends on a soft score at all."""


@dataclass(frozen=True)
class FulfillmentResult:
    """Whether the reply did what the turn asked."""

    checks: tuple[Check, ...]
    adjustments: tuple[Adjustment, ...]
    """The parts of the answer to environment events."""
    families: tuple[str, ...]
    """Figures of a summary that the score counts for."""

    @property
    def score(self) -> float:
        """The share of checks passed (F); the mode of the reply is always one of them."""
        counted = [check.passed for check in self.checks if check.passed is not None]
        return sum(counted) / len(counted)


@dataclass(frozen=True)
class PreservationResult:
    """Whether the reply kept earlier constraints."""

    checks: tuple[Check, ...]

    @property
    def counted(self) -> int:
        """How many checks count."""
        return sum(check.passed is not None for check in self.checks)

    @property
    def errors(self) -> int:
        """How many failed."""
        return sum(check.passed is False for check in self.checks)

    @property
    def error_rate(self) -> float | None:
        """The share that failed; None if none counts."""
        return self.errors / self.counted if self.counted else None

    @property
    def score(self) -> float | None:
        """The share of checks passed (I); None if none counts."""
        return (self.counted - self.errors) / self.counted if self.counted else None


@dataclass(frozen=True)
class Reply:
    """A reply to a turn with all that has been found out about it."""

    state: ReleaseTurnState
    facts: PlanFacts
    hard: HardResult | None
    """None unless a plan was wanted and came."""
    costs_right: bool
    """Whether the check of the stated costs passed; also false where there was no such check."""
    soft: SoftView

    @cached_property
    def adjustments(self) -> tuple[Adjustment, ...]:
        """The answers to all active environment events; none without days."""
        return evaluate_adjustments(self.state, self.facts) if self.facts.has_days else ()


def evaluate_fulfillment(reply: Reply) -> FulfillmentResult:
    """Every check the turn's requests give rise to, in the published order."""
    requested = frozenset(reply.state.must_update)
    checks: list[Check] = []
    for keys, check in REQUESTS:
        if keys is None or not keys.isdisjoint(requested):
            checks.extend(check(reply))
    families = tuple(name for name, keys in BREAKDOWNS.items() if not keys.isdisjoint(requested))
    return FulfillmentResult(tuple(checks), reply.adjustments if ENVIRONMENT in requested else (), families)


def evaluate_preservation(reply: Reply) -> PreservationResult:
    """One check for each constraint to be kept; none counts where no plan is wanted."""
    if expected_mode(reply.state.expectation) != "plan":
        return PreservationResult(tuple(Check(key, None) for key in reply.state.must_preserve))
    return PreservationResult(tuple(Check(key, _met(reply, key)) for key in reply.state.must_preserve))


def _met(reply: Reply, key: str) -> bool:
    return reply.hard is not None and reply.hard.checks.get(key, False)


# --- The reply itself ------------------------------------------------------------------------------------------------


def _initial_plan(reply: Reply) -> Iterator[Check]:
    """There is a plan at all."""
    done = is_no_solution(reply.facts) if reply.state.unsolved else reply.facts.has_days
    yield Check("initial_plan", done)


def _response_expectation(reply: Reply) -> Iterator[Check]:
    """The reply is of the kind expected."""
    yield Check("response_expectation", observed_mode(reply.facts) == expected_mode(reply.state.expectation))


def _clarifications(reply: Reply) -> Iterator[Check]:
    """The reply asks back, whatever it asks."""
    for key in CLARIFICATIONS:
        if key in reply.state.must_update:
            yield Check(key, is_clarification(reply.facts))


def _blocking(reply: Reply) -> Iterator[Check]:
    """The reply says what stands in the way: that there is no solution if so, else by asking back."""
    if reply.state.unsolved or {"explain_unsolved", "infeasibility_detection"} & set(reply.state.must_update):
        if expected_mode(reply.state.expectation) == "no_solution":
            yield Check("unsat_response", is_no_solution(reply.facts))
        else:
            yield Check("clarification_for_blocking_constraint", is_clarification(reply.facts))


# --- What was added --------------------------------------------------------------------------------------------------


def _generated(state: ReleaseTurnState, kind: str, keys: Iterable[str]) -> list[str]:
    return [key for key in keys if key.startswith(f"{kind}_") and key in state.generated]


def _added_attractions(reply: Reply) -> Iterator[Check]:
    """The added attraction is visited, on whatever day."""
    state = reply.state
    keys = _generated(state, "attraction", state.current_generated)
    if not keys and "add_attraction" in state.stated_updates:
        keys = _generated(state, "attraction", state.generated)
    for key in keys:
        names = {norm(text(name)) for name in as_list(state.generated[key].get("attraction_names"))}
        not_failed = reply.hard is None or reply.hard.checks.get(key, True)
        yield Check(key, names <= reply.facts.attraction_names and not_failed)


def _requirements(state: ReleaseTurnState, kind: str) -> list[str]:
    # Earlier requirements stand in only where this turn added nothing of any kind.
    return _generated(state, kind, state.current_generated or state.generated)


def _required_places(kind: str, reply: Reply) -> Iterator[Check]:
    """The plan meets the added requirement."""
    keys = _requirements(reply.state, kind)
    if not keys:
        yield Check(f"{kind}_requirement", passed=False)
    for key in keys:
        yield Check(key, _met(reply, key))


def _meal_slots(reply: Reply) -> Iterator[Check]:
    """The first meal at the required restaurant is the meal that was asked for."""
    for key in _requirements(reply.state, "restaurant"):
        constraint = reply.state.generated[key]
        if constraint.get("meal_day") or constraint.get("meal_type"):
            yield Check(f"{key}:meal_slot", _is_meal_asked_for(constraint, reply.facts))


def _is_meal_asked_for(constraint: JsonObject, facts: PlanFacts) -> bool:
    names = acceptable_names(constraint, "restaurant")
    day = constraint.get("meal_day")
    activities = facts.day(int_loose(day)) if day else facts.meals
    wanted = text(constraint.get("meal_type")).lower()
    for meal in activities:
        if meal.kind == MEAL and norm(entity_name(meal.raw, "restaurant")) in names:
            served = text(meal.details.get("meal_type")).lower()
            return wanted in served or (wanted == "dinner" and "supper" in served)
    return False


# --- What changed about the traveler ---------------------------------------------------------------------------------

STRENUOUS_WORDS = (
    *("boardwalk", "trail", "hike", "hiking", "mountain", "climb", "canyon", "peak", "ridge", "great wall"),
    *("forest park", "highland", "cable car"),
)
STRENUOUS_MINUTES = 210
BANNED_FOOD = ("sichuan", "hunan", "hot pot", "spicy", "chili", "chilli", "peppercorn", "mala")
RESTFUL_KINDS = (MEAL, HOTEL, BUFFER, "rest", "free_time")
INFORMAL_KINDS = frozenset(RESTFUL_KINDS)
REST_WORDS = ("rest", "hotel", "room", "free time", "buffer")
MIDDAY_REST = (750.0, 870.0)
MIDDAY_REST_MINUTES = 45


def _party_update(reply: Reply) -> Iterator[Check]:
    """The stated costs are right for the new party, and nothing is too hard for a new child or elder."""
    update = latest(reply.state.deltas, "party_update")
    frail = update.get("party_subtype") in ("child_added", "elder_added")
    strenuous = frail and any(_is_strenuous(visit) for visit in reply.facts.attractions)
    yield Check("party_update", reply.costs_right and not strenuous)


def _is_strenuous(visit: PlanActivity) -> bool:
    return slot_minutes(visit) >= STRENUOUS_MINUTES or mentions(entity_name(visit.raw).lower(), STRENUOUS_WORDS)


def _budget_update(reply: Reply) -> Iterator[Check]:
    """The trip costs no more than the new cap."""
    yield Check("budget_update", _met(reply, BUDGET))


def _wanted(request: JsonObject, reply: Reply, key: str) -> object:
    return request.get(key) or reply.state.verification.get(key)


def _formal(request: JsonObject, reply: Reply) -> list[PlanActivity]:
    # A ride within the city is formal too, so leaving the hotel early breaks a late start.
    activities = reply.facts.day(int_loose(_wanted(request, reply, "day")))
    return [activity for activity in activities if activity.kind not in INFORMAL_KINDS and activity.slot is not None]


def _late_start(reply: Reply) -> Iterator[Check]:
    """The day's first formal activity starts no earlier than asked."""
    request = latest(reply.state.deltas, "late_start_request")
    earliest = num_first(_wanted(request, reply, "earliest_start_minutes"))
    starts = [activity.slot.start for activity in _formal(request, reply) if activity.slot is not None]
    done = None if earliest is None else bool(starts) and min(starts) >= earliest
    yield Check("late_start_request", done)


def _schedule_update(reply: Reply) -> Iterator[Check]:
    """The day ends early enough, or leaves time for a rest."""
    request = latest(reply.state.deltas, "schedule_update")
    subtypes = {"early_finish": _finishes_early, "midday_rest": _rests_at_midday}
    check = subtypes.get(text(request.get("schedule_subtype")))
    yield Check("schedule_update", check(request, reply) if check is not None else None)


def _finishes_early(request: JsonObject, reply: Reply) -> bool | None:
    latest_end = num_first(_wanted(request, reply, "latest_formal_end_minutes"))
    if latest_end is None:
        return None
    ends = [activity.slot.end for activity in _formal(request, reply) if activity.slot is not None]
    return bool(ends) and max(ends) <= latest_end


def _rests_at_midday(request: JsonObject, reply: Reply) -> bool:
    bounds = window(request.get("rest_window")) or MIDDAY_REST
    least = int_loose(request.get("min_rest_minutes")) or MIDDAY_REST_MINUTES
    kinds = as_list(request.get("allowed_activity_types")) or RESTFUL_KINDS
    return any(
        overlap(activity, *bounds) >= least
        and (activity.kind in kinds or mentions(json_text(activity.raw).lower(), REST_WORDS))
        for activity in reply.facts.day(int_loose(_wanted(request, reply, "day")))
    )


def _duration_update(reply: Reply) -> Iterator[Check]:
    """The trip has the new number of days."""
    days = int_loose(latest(reply.state.deltas, "duration_update").get("new_days"))
    yield Check("duration_update", None if not days else len(reply.facts.days) == days)


def _dietary_update(reply: Reply) -> Iterator[Check]:
    """No meal's wording has a banned word; what the restaurant serves is not looked up."""
    request = latest(reply.state.deltas, "dietary_update")
    banned = [str(word).lower() for word in as_list(request.get("banned_keywords"))] or BANNED_FOOD
    meals = (json_text(meal.details).lower() for meal in reply.facts.meals)
    yield Check("dietary_update", not any(mentions(meal, banned) for meal in meals))


# --- What was settled ------------------------------------------------------------------------------------------------


def _by_soft_score(check: str, threshold: float, rules: Sequence[str], reply: Reply) -> Check:
    # No rule at all means no restriction, so that all rules of the profile are scored.
    score = reply.soft.result(rules).score
    return Check(check, None if score is None else score >= threshold, score, by_soft_score=True)


def _profile_preference(reply: Reply) -> Iterator[Check]:
    """The rules the turn itself names are met well enough."""
    state = reply.state
    named = [
        *as_list(state.verification.get("profile_rule_ids")),
        *preferred_rules((*state.profile_deltas, *state.deltas)),
    ]
    yield _by_soft_score("profile_preference", 0.75, list(dict.fromkeys(str(rule) for rule in named)), reply)


def _soft_rules_met(check: str, threshold: float, rules: Sequence[str], reply: Reply) -> Iterator[Check]:
    """Those of the rules that the profile has are met well enough."""
    profile = as_list(as_object(reply.state.base.get("user_profile")).get("rule_ids"))
    yield _by_soft_score(check, threshold, [rule for rule in rules if rule in profile], reply)


def _restaurant_preference(reply: Reply) -> Iterator[Check]:
    """Meals suit the profile; the day, the price and the cuisine that were settled are not looked at."""
    resolved = "resolved_restaurant_preference" in reply.state.must_update
    check = "resolved_restaurant_preference" if resolved else "restaurant_preference"
    yield from _soft_rules_met(check, 0.60, FOOD_RULES, reply)


def _environment(reply: Reply) -> Iterator[Check]:
    """The plan is adjusted to every event so far."""
    adjusted = all(adjustment.passed is not False for adjustment in reply.adjustments)
    yield Check(ENVIRONMENT, reply.facts.has_days and adjusted)


def _pacing_limit(reply: Reply) -> Iterator[Check]:
    """No day has more visits than agreed; a reply without days has none."""
    request = latest(reply.state.resolutions, "resolved_pacing_limit")
    most = int_loose(_wanted(request, reply, "max_attractions_per_day"))
    days = [sum(activity.kind == ATTRACTION for activity in day.activities) for day in reply.facts.days]
    yield Check("resolved_pacing_limit", None if not most else all(visits <= most for visits in days))


def _relaxed_constraint(reply: Reply) -> Iterator[Check]:
    """All hard constraints are met."""
    yield Check("apply_relaxed_constraint", reply.hard is not None and reply.hard.strict == 1.0)


def _unknown(reply: Reply) -> Iterator[Check]:
    """Requests without a check are noted and do not count."""
    for key in reply.state.must_update:
        if key not in KNOWN_REQUESTS:
            yield Check(key, None)


ENVIRONMENT = "environment_aware_replanning"
PACE_RULES = ("mobility_accessibility", "schedule_pacing")
FOOD_RULES = ("interest_local_food", "meal_avoid_expensive", "budget_guarded", "budget_tight_cap")

REQUESTS: tuple[tuple[frozenset[str] | None, Callable[[Reply], Iterator[Check]]], ...] = (
    (frozenset({"initial_plan"}), _initial_plan),
    (None, _response_expectation),
    (frozenset(CLARIFICATIONS), _clarifications),
    (frozenset({"add_attraction"}), _added_attractions),
    (frozenset({"party_update"}), _party_update),
    (frozenset({"restaurant_requirement"}), partial(_required_places, "restaurant")),
    (frozenset({"restaurant_requirement"}), _meal_slots),
    (frozenset({"hotel_requirement"}), partial(_required_places, "hotel")),
    (frozenset({"budget_update"}), _budget_update),
    (frozenset({"late_start_request"}), _late_start),
    (frozenset({"schedule_update"}), _schedule_update),
    (frozenset({"duration_update"}), _duration_update),
    (frozenset({"dietary_update"}), _dietary_update),
    (None, _blocking),
    (frozenset({"profile_preference"}), _profile_preference),
    (frozenset({ENVIRONMENT}), _environment),
    (frozenset({"resolved_priority"}), partial(_soft_rules_met, "resolved_priority", 0.70, PACE_RULES)),
    (frozenset({"resolved_pacing_limit"}), _pacing_limit),
    (frozenset({"final_integrated_plan"}), partial(_soft_rules_met, "final_integrated_plan", 0.70, ())),
    (frozenset({"route_preference"}), partial(_soft_rules_met, "route_preference", 0.75, PACE_RULES)),
    (
        frozenset({"transport_preference"}),
        partial(_soft_rules_met, "transport_preference", 0.75, FAMILIES["transport_convenience"]),
    ),
    (frozenset({"hotel_preference"}), partial(_soft_rules_met, "hotel_preference", 0.75, ("hotel_value_first",))),
    (frozenset({"restaurant_preference", "resolved_restaurant_preference"}), _restaurant_preference),
    (frozenset({"apply_relaxed_constraint"}), _relaxed_constraint),
    (None, _unknown),
)
"""What each request is checked by, in the order of the checks; None stands for every turn."""

KNOWN_REQUESTS = frozenset({"explain_unsolved"}).union(*(keys for keys, _ in REQUESTS if keys is not None))
