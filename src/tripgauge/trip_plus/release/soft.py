"""Soft preferences as the published evaluator scores them. (Trip+ Table 8, `evaluation/soft/`)

Every rule takes measures of the plan and compares each with two limits: within the first it is fine (1), within the
second a minor breach (0.5), else a major one (0). The worst measure decides. A rule may not apply to a plan at all.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from functools import cached_property, partial
from itertools import chain
from math import isfinite
from typing import NamedTuple

from tripgauge.trip_plus.release.facts import PlanFacts, json_text, overlap, place_name
from tripgauge.trip_plus.release.means import add_up, rounded_mean
from tripgauge.trip_plus.release.plan import ATTRACTION, BUFFER, HOTEL, RIDE, PlanActivity, PlanDay
from tripgauge.trip_plus.release.primitives import JsonObject, ModeClass, Slot, mode_class, num_first, num_strict
from tripgauge.trip_plus.release.taste import (
    HOTEL_LEVELS,
    INDOOR_MARKERS,
    INTEREST_MARKERS,
    OUTDOOR_MARKERS,
    RESTAURANT_LEVELS,
    PlaceTraits,
    PriceLevels,
    TasteIndex,
    mentions,
)
from tripgauge.trip_plus.release.turn_state import BUDGET, ReleaseTurnState, as_list, as_object


class Severity(IntEnum):
    """How far a measure is from what the traveler likes."""

    NONE = 0
    MINOR = 1
    MAJOR = 2


SCORES: Mapping[Severity, float] = {Severity.NONE: 1.0, Severity.MINOR: 0.5, Severity.MAJOR: 0.0}

FAMILIES: Mapping[str, tuple[str, ...]] = {
    "comfort_and_pace": (
        "schedule_pacing",
        "mobility_accessibility",
        "weather_avoid_heat_exposure",
        "weather_avoid_cold_exposure",
        "weather_need_backup",
    ),
    "transport_convenience": (
        "transport_avoid_transfer",
        "transport_avoid_red_eye",
        "transport_avoid_early_departure",
        "transport_avoid_late_arrival",
        "transport_prefer_train",
        "transport_prefer_flight",
    ),
    "budget_and_value": ("hotel_value_first", "budget_guarded", "budget_tight_cap", "meal_avoid_expensive"),
    "interest_match": tuple(INTEREST_MARKERS),
}
_FAMILY_OF = {rule: family for family, rules in FAMILIES.items() for rule in rules}


class Measure(NamedTuple):
    """One figure of a plan under one rule."""

    name: str
    value: float | bool
    severity: Severity


class RuleOutcome(NamedTuple):
    """What a rule says of a plan; `severity` None if it does not apply."""

    severity: Severity | None
    measures: tuple[Measure, ...] = ()

    @property
    def score(self) -> float | None:
        """1, 0.5, 0, or None if the rule does not apply."""
        return None if self.severity is None else SCORES[self.severity]


NOT_APPLICABLE = RuleOutcome(None)


@dataclass(frozen=True)
class SoftProfile:
    """The soft rules of a turn and what they depend on beside the plan."""

    rules: tuple[str, ...]
    """Active rules in order."""
    unsupported: tuple[str, ...]
    """Active ids that name no rule."""
    variants: Mapping[str, frozenset[str]]
    tags: str
    """All tags of city and season, in lower case."""
    has_budget_cap: bool


@dataclass(frozen=True)
class SoftResult:
    """The soft scores of a plan."""

    outcomes: Mapping[str, RuleOutcome]
    families: Mapping[str, float]
    score: float | None
    """S; None if no rule applies."""
    unsupported: tuple[str, ...] = ()

    @property
    def strict(self) -> float | None:
        """1 if every rule that applies is fully met, else 0; None if none applies."""
        applicable = [outcome for outcome in self.outcomes.values() if outcome.severity is not None]
        if not applicable:
            return None
        return 1.0 if all(outcome.severity is Severity.NONE for outcome in applicable) else 0.0

    @property
    def failures(self) -> int:
        """How many rules that apply are not fully met."""
        return sum(bool(outcome.severity) for outcome in self.outcomes.values())


# --- The traveler's side ---------------------------------------------------------------------------------------------


def soft_profile(state: ReleaseTurnState) -> SoftProfile:
    """The rules that are active at a turn, with their variants."""
    profile = as_object(state.base.get("user_profile"))
    entries = [entry for entry in as_list(profile.get("rules")) if isinstance(entry, dict)]
    ids = chain(
        as_list(profile.get("rule_ids")),
        (entry.get("rule_id") for entry in entries),
        as_list(state.verification.get("profile_rule_ids")),
        preferred_rules((*state.profile_deltas, *state.deltas)),
    )
    active = tuple(dict.fromkeys(str(rule) for rule in ids if rule))
    return SoftProfile(
        rules=tuple(rule for rule in active if rule in _FAMILY_OF),
        unsupported=tuple(rule for rule in active if rule not in _FAMILY_OF),
        variants=_variants(entries),
        tags=" ".join(_tags(state.base)).lower(),
        has_budget_cap=(num_strict(as_object(state.hard_constraints.get(BUDGET)).get("max_budget")) or 0) > 0,
    )


def preferred_rules(deltas: Iterable[JsonObject]) -> Iterator[object]:
    """The rules that deltas add to the profile."""
    for delta in deltas:
        yield from as_list(as_object(delta.get("profile_preference")).get("rule_ids"))


def _variants(entries: Sequence[JsonObject]) -> Mapping[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = {}
    for entry in entries:
        rule = str(entry.get("rule_id"))
        listed = chain(
            [entry.get("preference_variant")],
            as_list(entry.get("preference_variants")),
            as_list(entry.get("interest_tags")),
        )
        found[rule] = found.get(rule, frozenset()) | {str(variant) for variant in listed if variant}
    return found


def _tags(base: JsonObject) -> Iterator[str]:
    for context in (as_object(base.get("city_context")), as_object(base.get("environment_reference"))):
        for key in ("city_tags", "seasonal_advisories", "environment_tags"):
            yield from (str(tag) for tag in as_list(context.get(key)))


# --- The plan's side -------------------------------------------------------------------------------------------------


class DayRhythm(NamedTuple):
    """When a day starts and ends, in minutes, and how full it is."""

    attractions: int
    start: int
    end: int


class OutdoorMinutes(NamedTuple):
    """Time at outdoor attractions in a day: altogether, from 11:00 to 15:00, after 18:00."""

    total: float
    midday: float
    late: float


MIDDAY = (660, 900)
LATE_FROM = 1080
LONG_VISIT_MINUTES = 150
REST_MINUTES = 30
BUFFER_REST_MINUTES = 40


@dataclass(frozen=True)
class SoftView:
    """A plan as one traveler's soft rules see it. Rules and figures are worked out when first asked for, once."""

    facts: PlanFacts
    profile: SoftProfile
    taste: TasteIndex | None
    """None if no sandbox was given."""
    _outcomes: dict[str, RuleOutcome] = field(default_factory=dict, repr=False, compare=False)

    def outcome(self, rule: str) -> RuleOutcome:
        """What one rule says of the plan."""
        found = self._outcomes.get(rule)
        if found is None:
            found = self._outcomes[rule] = RULES[rule](self)
        return found

    def result(self, rules: Sequence[str] = ()) -> SoftResult:
        """The scores over the given rules, over all active ones if none is given."""
        outcomes = {rule: self.outcome(rule) for rule in rules or self.profile.rules if rule in _FAMILY_OF}
        families: dict[str, float] = {}
        for family, members in FAMILIES.items():
            scores = [outcomes[rule].score for rule in members if rule in outcomes]
            family_score = rounded_mean([score for score in scores if score is not None])
            if family_score is not None:
                families[family] = family_score
        return SoftResult(outcomes, families, rounded_mean(list(families.values())), self.profile.unsupported)

    @cached_property
    def rhythms(self) -> tuple[DayRhythm | None, ...]:
        """Every day's extent; None where no time can be read."""
        return tuple(_rhythm(day) for day in self.facts.days)

    @cached_property
    def ride_minutes(self) -> tuple[tuple[float, ...], ...]:
        """Lengths of the rides within the city, by day."""
        return tuple(tuple(_duration(ride) for ride in day.activities if ride.kind == RIDE) for day in self.facts.days)

    @cached_property
    def outdoor_minutes(self) -> tuple[OutdoorMinutes, ...]:
        """Time at outdoor attractions, by day."""
        return tuple(self._outdoor_minutes(day) for day in self.facts.days)

    def _outdoor_minutes(self, day: PlanDay) -> OutdoorMinutes:
        visits = [visit for visit in day.activities if visit.kind == ATTRACTION and self._is_outdoors(visit)]
        return OutdoorMinutes(
            total=add_up(_duration(visit) for visit in visits),
            midday=add_up(overlap(visit, *MIDDAY) for visit in visits),
            late=add_up(
                max(0, visit.slot.end - max(visit.slot.start, LATE_FROM)) for visit in visits if visit.slot is not None
            ),
        )

    def _is_outdoors(self, visit: PlanActivity) -> bool:
        place = self.attraction(visit)
        if place is not None and place.described and (place.indoor or place.outdoor):
            return not place.indoor
        wording = json_text(visit.raw).lower()
        if mentions(wording, INDOOR_MARKERS):
            return False
        return mentions(wording, OUTDOOR_MARKERS) or _duration(visit) >= LONG_VISIT_MINUTES

    def attraction(self, visit: PlanActivity) -> PlaceTraits | None:
        """What the sandbox says of the attraction visited."""
        return self.taste.attractions.get(place_name(visit)) if self.taste is not None else None

    def restaurant(self, meal: PlanActivity) -> PlaceTraits | None:
        """What the sandbox says of the restaurant."""
        return self.taste.restaurants.get(place_name(meal)) if self.taste is not None else None

    @property
    def hotel_prices(self) -> PriceLevels:
        """What counts as an expensive hotel."""
        return self.taste.hotel_prices if self.taste is not None else HOTEL_LEVELS

    @property
    def restaurant_prices(self) -> PriceLevels:
        """What counts as an expensive meal."""
        return self.taste.restaurant_prices if self.taste is not None else RESTAURANT_LEVELS

    @cached_property
    def intercity_slots(self) -> tuple[Slot, ...]:
        """When intercity journeys take place, where that can be read."""
        return tuple(activity.slot for activity in self.facts.intercity if activity.slot is not None)

    @cached_property
    def meal_costs(self) -> tuple[float, ...]:
        """What the meals cost per person, where that can be read."""
        costs = (num_first(meal.details.get("cost")) for meal in self.facts.meals)
        return tuple(cost for cost in costs if cost is not None)


def _duration(activity: PlanActivity) -> float:
    if activity.slot is not None:
        return activity.slot.end - activity.slot.start
    return _whole(num_first(activity.details.get("duration")) or 0)


def _whole(number: float) -> int:
    # The published code breaks off at numbers without end, which JSON can smuggle in; here they count as none.
    return int(number) if isfinite(number) else 0


def _rhythm(day: PlanDay) -> DayRhythm | None:
    slots = [activity.slot for activity in day.activities if activity.slot is not None]
    if not slots:
        return None
    return DayRhythm(_visits(day), min(slot.start for slot in slots), max(slot.end for slot in slots))


def _visits(day: PlanDay) -> int:
    return sum(activity.kind == ATTRACTION for activity in day.activities)


# --- Measures and limits ---------------------------------------------------------------------------------------------


class Limits(NamedTuple):
    """Up to `full` all is well, up to `half` the breach is minor."""

    full: float
    half: float


class Counts(NamedTuple):
    """From `minor` on the breach is minor, from `major` on it is major."""

    minor: int
    major: int


def _above(name: str, value: float, limits: Limits) -> Measure:
    severity = Severity.NONE if value <= limits.full else Severity.MINOR if value <= limits.half else Severity.MAJOR
    return Measure(name, round(float(value), 4), severity)


def _counted(name: str, count: int, counts: Counts) -> Measure:
    severity = Severity.NONE if count < counts.minor else Severity.MINOR if count < counts.major else Severity.MAJOR
    return Measure(name, count, severity)


def _judged(*measures: Measure) -> RuleOutcome:
    return RuleOutcome(max((measure.severity for measure in measures), default=Severity.NONE), measures)


def _hours(minutes: float) -> float:
    return round(minutes / 60, 4)


# --- Comfort and pace ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Pace:
    """The limits of a traveler's pace (Trip+ Table 8, first rows)."""

    daily_attractions: Limits
    mean_attractions: Limits | None
    span_hours: Limits
    latest_end: int
    minds_early_start: bool = False
    wants_rest: bool = False


PACES: Mapping[str, Pace] = {
    "relaxed": Pace(Limits(3, 4), Limits(3, 4), Limits(10, 12), 21, minds_early_start=True, wants_rest=True),
    "moderate": Pace(Limits(4, 6), Limits(4, 5), Limits(12, 13.5), 21),
    "dense": Pace(Limits(6, 8), None, Limits(14, 16), 22),
}
EARLY_START = 480
FEW_ENOUGH_TO_SKIP_REST = 4


def _schedule_pacing(view: SoftView) -> RuleOutcome:
    """Days are neither too full nor too long for the traveler's pace."""
    if not view.facts.days:
        return _judged()
    variants = view.profile.variants.get("schedule_pacing", frozenset())
    name = "relaxed" if "relaxed" in variants else "dense" if "dense" in variants else "moderate"
    pace = PACES[name]
    visits = [_visits(day) for day in view.facts.days]
    rhythms = [rhythm for rhythm in view.rhythms if rhythm is not None]
    measures = [_above("max_daily_attraction_count", max(visits), pace.daily_attractions)]
    if pace.mean_attractions is not None:
        mean_visits = sum(visits) / len(visits)
        measures.append(_above("avg_daily_attraction_count", mean_visits, pace.mean_attractions))
    span = max((rhythm.end - rhythm.start for rhythm in rhythms), default=0)
    measures.append(_above("max_day_span_hours", span / 60, pace.span_hours))
    if pace.minds_early_start:
        early = EARLY_START - min((rhythm.start for rhythm in rhythms), default=EARLY_START)
        measures.append(_above("early_start_hours_before_08", _hours(max(0, early)), Limits(0, 1)))
    late = max((rhythm.end for rhythm in rhythms), default=0) - pace.latest_end * 60
    measures.append(_above(f"late_end_hours_after_{pace.latest_end}", _hours(max(0, late)), Limits(0, 1)))
    if pace.wants_rest and not any(_has_rest(day) for day in view.facts.days):
        severity = Severity.MINOR if max(visits) <= FEW_ENOUGH_TO_SKIP_REST else Severity.MAJOR
        measures.append(Measure("rest_block_missing", True, severity))
    return _judged(*measures)


def _has_rest(day: PlanDay) -> bool:
    # The published code looks for words such as "hotel" in the activity's text, which includes its type.
    return any(
        (activity.kind == HOTEL and _duration(activity) >= REST_MINUTES)
        or (activity.kind == BUFFER and _duration(activity) >= BUFFER_REST_MINUTES)
        for activity in day.activities
    )


LONG_RIDE_MINUTES = 60
VERY_LONG_RIDE_MINUTES = 90


def _mobility_accessibility(view: SoftView) -> RuleOutcome:
    """Ways within the city are short enough, and time outdoors too for who cannot walk far."""
    variants = view.profile.variants.get("mobility_accessibility", frozenset())
    rides = list(chain.from_iterable(view.ride_minutes))
    long = sum(minutes > LONG_RIDE_MINUTES for minutes in rides)
    very_long = sum(minutes > VERY_LONG_RIDE_MINUTES for minutes in rides)
    measures = []
    if not variants or "route_transfer_sensitive" in variants:
        daily = max((add_up(day) for day in view.ride_minutes), default=0)
        measures += [
            _above("max_daily_local_transfer_minutes", daily, Limits(240, 300)),
            _counted("route_long_local_transfer_count", long, Counts(2, 4)),
            _counted("route_very_long_local_transfer_count", very_long, Counts(1, 2)),
        ]
    if not variants or "walking_sensitive" in variants:
        measures += [
            _counted("mobility_long_local_transfer_count", long, Counts(1, 3)),
            _counted("mobility_very_long_local_transfer_count", very_long, Counts(1, 2)),
            _above("max_daily_outdoor_minutes", _most_outdoors(view), Limits(240, 360)),
        ]
    return _judged(*measures)


HEAT_TAGS = ("heat", "hot", "high_temperature")
COLD_TAGS = ("cold", "winter", "snow", "ice", "low_temperature")
WET_TAGS = ("rain", "typhoon", "storm")
OUTDOOR_DAY = Limits(240, 300)
OUTDOOR_HARSH_HOURS = Limits(90, 120)


def _avoid_heat(view: SoftView) -> RuleOutcome:
    """Where it may be hot, little time is spent outdoors at midday, and not too much altogether."""
    if not mentions(view.profile.tags, HEAT_TAGS):
        return NOT_APPLICABLE
    midday = max((day.midday for day in view.outdoor_minutes), default=0)
    return _judged(
        _above("midday_heat_outdoor_minutes", midday, OUTDOOR_HARSH_HOURS),
        _above("total_heat_outdoor_minutes", _most_outdoors(view), OUTDOOR_DAY),
    )


def _avoid_cold(view: SoftView) -> RuleOutcome:
    """Where it may be cold, little time is spent outdoors in the evening, and not too much altogether."""
    if not mentions(view.profile.tags, COLD_TAGS):
        return NOT_APPLICABLE
    late = max((day.late for day in view.outdoor_minutes), default=0)
    return _judged(
        _above("cold_outdoor_minutes", _most_outdoors(view), OUTDOOR_DAY),
        _above("late_cold_outdoor_minutes", late, OUTDOOR_HARSH_HOURS),
    )


def _need_backup(view: SoftView) -> RuleOutcome:
    """Where weather may be bad, the plan has something indoors and not too much outdoors."""
    if not mentions(view.profile.tags, (*HEAT_TAGS, *COLD_TAGS, *WET_TAGS)):
        return NOT_APPLICABLE
    most = _most_outdoors(view)
    missing = not mentions(view.facts.plan_text.lower(), INDOOR_MARKERS)
    breach = Severity.MINOR if most <= OUTDOOR_DAY.half else Severity.MAJOR
    return _judged(
        _above("backup_weather_outdoor_minutes", most, OUTDOOR_DAY),
        Measure("backup_or_indoor_option_missing", missing, breach if missing else Severity.NONE),
    )


def _most_outdoors(view: SoftView) -> float:
    return max((day.total for day in view.outdoor_minutes), default=0)


# --- Transport -------------------------------------------------------------------------------------------------------

EARLY_DEPARTURE = 420
LATE_ARRIVAL = 1260
RED_EYE_BEFORE = 360
RED_EYE_AFTER = 1320

TRANSFER_WORDS = ("transfer", "connection", "layover")
_TRANSFER_FIELDS = ("transfers", "transfer_count", "connection_count", "layover_count")
_NO_TRANSFER = frozenset({"none", "no", "false", "direct", "nonstop", "non-stop", "no transfer"})


def _avoid_transfer(view: SoftView) -> RuleOutcome:
    """Journeys between cities mention no change, neither in words nor in a field for it."""
    if not view.facts.intercity:
        return NOT_APPLICABLE
    mentioned = sum(mentions(json_text(journey.raw).lower(), TRANSFER_WORDS) for journey in view.facts.intercity)
    stated = [_stated_transfers(journey) for journey in view.facts.intercity]
    return _judged(
        _counted("transfer_mentions", mentioned, Counts(1, 2)),
        _counted("structured_transfer_segments", sum(count > 0 for count in stated), Counts(1, 2)),
        _counted("structured_transfer_count", sum(stated), Counts(1, 2)),
    )


def _stated_transfers(journey: PlanActivity) -> int:
    for key in _TRANSFER_FIELDS:
        if key in journey.details:
            return max(0, _transfer_count(journey.details[key]))
    return 0


def _transfer_count(value: object) -> int:
    if isinstance(value, int):
        return int(value)
    if isinstance(value, float):
        return _whole(value)
    if isinstance(value, list):
        return len(value)
    if isinstance(value, dict):
        numbers = (num_first(value.get(key)) for key in ("count", "total"))
        return _whole(next((number for number in numbers if number is not None), len(value)))
    wording = str(value or "").strip().lower()
    if not wording or wording in _NO_TRANSFER:
        return 0
    number = num_first(wording)
    return _whole(number) if number is not None else int(mentions(wording, TRANSFER_WORDS))


def _avoid_red_eye(view: SoftView) -> RuleOutcome:
    """No journey in the night, few late arrivals."""
    if not view.facts.intercity:
        return NOT_APPLICABLE
    nightly = sum(slot.start < RED_EYE_BEFORE or slot.end > RED_EYE_AFTER for slot in view.intercity_slots)
    return _judged(
        _counted("red_eye_segments", nightly, Counts(1, 1)),
        _counted("late_arrivals", _late_arrivals(view), Counts(1, 3)),
    )


def _avoid_early_departure(view: SoftView) -> RuleOutcome:
    """No journey starts before 07:00."""
    if not view.facts.intercity:
        return NOT_APPLICABLE
    early = sum(slot.start < EARLY_DEPARTURE for slot in view.intercity_slots)
    return _judged(_counted("early_departures", early, Counts(1, 2)))


def _avoid_late_arrival(view: SoftView) -> RuleOutcome:
    """No journey ends after 21:00."""
    if not view.facts.intercity:
        return NOT_APPLICABLE
    return _judged(_counted("late_arrivals", _late_arrivals(view), Counts(1, 2)))


def _late_arrivals(view: SoftView) -> int:
    return sum(slot.end > LATE_ARRIVAL for slot in view.intercity_slots)


def _prefer_mode(mode: ModeClass, view: SoftView) -> RuleOutcome:
    """Some journey is by the preferred mode."""
    if not view.facts.intercity:
        return NOT_APPLICABLE
    missing = all(mode_class(journey.details.get("mode")) != mode for journey in view.facts.intercity)
    severity = Severity.MAJOR if missing else Severity.NONE
    return _judged(Measure(f"preferred_{mode}_mode_missing", missing, severity))


# --- Budget and value ------------------------------------------------------------------------------------------------


def _hotel_value_first(view: SoftView) -> RuleOutcome:
    """The nights cost no more on average than the middle hotel of the city."""
    prices = [price for day in view.facts.days if (price := _night_price(day.accommodation)) is not None]
    average = add_up(prices) / len(prices) if prices else 0.0
    levels = view.hotel_prices
    name = "average_hotel_price_per_night"
    if average == 0:
        return _judged(Measure(name, 0.0, Severity.MINOR))
    return _judged(_above(name, average, Limits(levels.median, levels.upper_quartile)))


def _night_price(hotel: object) -> float | None:
    if not isinstance(hotel, dict):
        return None
    prices = (num_first(hotel.get(key)) for key in ("price_per_night", "price", "cost"))
    return next((price for price in prices if price is not None), None)


def _meal_avoid_expensive(view: SoftView) -> RuleOutcome:
    """At most one meal is expensive for the city, and none very."""
    return _judged(
        _counted("expensive_meal_count", _expensive_meals(view), Counts(1, 2)),
        _counted("very_expensive_meal_count", _very_expensive_meals(view), Counts(1, 1)),
    )


def _budget_without_cap(view: SoftView) -> RuleOutcome:
    """The same as for expensive meals, where no total budget was agreed."""
    if view.profile.has_budget_cap:
        return NOT_APPLICABLE
    measure = _counted("expensive_meal_count_without_budget_cap", _expensive_meals(view), Counts(1, 2))
    severity = Severity.MAJOR if _very_expensive_meals(view) else measure.severity
    return RuleOutcome(severity, (measure,))


def _expensive_meals(view: SoftView) -> int:
    return sum(cost > view.restaurant_prices.upper_quartile for cost in view.meal_costs)


def _very_expensive_meals(view: SoftView) -> int:
    return sum(cost > view.restaurant_prices.top_decile for cost in view.meal_costs)


# --- Interests -------------------------------------------------------------------------------------------------------

ENOUGH_MATCHES = 2
_FOOD = "interest_local_food"
_FOOD_WORDS_IN_PLAN = (
    *("meal", "food", "restaurant", "cuisine", "snack", "local", "hot pot", "noodle", "rice noodle", "dining"),
)


def _interest(rule: str, view: SoftView) -> RuleOutcome:
    """At least two visits or meals match the interest, or all if there are fewer."""
    candidates = view.facts.meals if rule == _FOOD else view.facts.attractions
    matches = sum(_matches(rule, view, activity) for activity in candidates)
    target = max(1, min(ENOUGH_MATCHES, len(candidates)))
    severity = Severity.NONE if matches >= target else Severity.MINOR if matches else Severity.MAJOR
    return _judged(Measure("profile_interest_matched_items", matches, severity))


def _matches(rule: str, view: SoftView, activity: PlanActivity) -> bool:
    if view.taste is None:
        markers = _FOOD_WORDS_IN_PLAN if rule == _FOOD else INTEREST_MARKERS[rule]
        return mentions(json_text(activity.raw).lower(), markers)
    place = view.restaurant(activity) if rule == _FOOD else view.attraction(activity)
    return place is not None and rule in place.interests


RULES: Mapping[str, Callable[[SoftView], RuleOutcome]] = {
    "schedule_pacing": _schedule_pacing,
    "mobility_accessibility": _mobility_accessibility,
    "weather_avoid_heat_exposure": _avoid_heat,
    "weather_avoid_cold_exposure": _avoid_cold,
    "weather_need_backup": _need_backup,
    "transport_avoid_transfer": _avoid_transfer,
    "transport_avoid_red_eye": _avoid_red_eye,
    "transport_avoid_early_departure": _avoid_early_departure,
    "transport_avoid_late_arrival": _avoid_late_arrival,
    "transport_prefer_train": partial(_prefer_mode, "train"),
    "transport_prefer_flight": partial(_prefer_mode, "flight"),
    "hotel_value_first": _hotel_value_first,
    "budget_guarded": _budget_without_cap,
    "budget_tight_cap": _budget_without_cap,
    "meal_avoid_expensive": _meal_avoid_expensive,
    **{rule: partial(_interest, rule) for rule in INTEREST_MARKERS},
}
