"""What a traveler who shows himself so will like: soft preferences from a visible profile. (Trip+ Table 6, 8)"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from tripgauge.trip_plus.requirements.preferences.budget import HotelValueFirst, NoExpensiveMeals
from tripgauge.trip_plus.requirements.preferences.comfort import (
    AvoidCold,
    AvoidHeat,
    Mobility,
    MobilityAccessibility,
    NeedBackup,
    Pace,
    SchedulePacing,
)
from tripgauge.trip_plus.requirements.preferences.interest import InterestInSights, InterestLocalFood
from tripgauge.trip_plus.requirements.preferences.transport import (
    AvoidEarlyDeparture,
    AvoidLateArrival,
    AvoidRedEye,
    AvoidTransfer,
    PreferMode,
)
from tripgauge.trip_plus.requirements.requirement import SoftPreference
from tripgauge.trip_plus.tasks.task import Profile

TIGHT_BELOW, GUARDED_BELOW = 500, 950
"""Yuan a head and day that a traveler is used to spending at most."""

LUXURY_SHARE = 1.15
"""Who lodges in luxury is used to more than the range says."""


def soft_preferences(profile: Profile, days: int) -> frozenset[SoftPreference]:
    """The preferences that follow from a profile for a trip of so many days."""
    return frozenset((
        SchedulePacing(pace_of(profile)),
        *_mobility(profile),
        *_simple(profile),
        *_interests(profile.interest_tags),
        *_spending(profile, days),
    ))  # fmt: skip


def preference(rule: str, variants: Iterable[str] = ()) -> SoftPreference | None:
    """The preference of a published rule with its variants; None if there is no such rule."""
    said = set(variants)
    if rule == SchedulePacing.id:
        liked = (pace for pace in (Pace.RELAXED, Pace.DENSE) if pace in said)
        return SchedulePacing(next(liked, Pace.MODERATE))
    if rule == MobilityAccessibility.id:
        return MobilityAccessibility(frozenset(one for one in Mobility if one in said) or frozenset(Mobility))
    return _BY_RULE.get(rule)


def pace_of(profile: Profile) -> Pace:
    """How full the traveler likes the days."""
    if "relaxed" in profile.schedule_rules or profile.rest_preferences or "overpacked_schedule" in profile.hate_tags:
        return Pace.RELAXED
    alone = not profile.party.children and not profile.party.elders
    dense = "dense" in profile.schedule_rules and "long_walk_ok" in profile.physical_rules
    return Pace.DENSE if dense and alone else Pace.MODERATE


def _mobility(profile: Profile) -> Iterator[SoftPreference]:
    hampered = not {"knee_issue", "stroller"}.isdisjoint(profile.mobility_constraints)
    sensitive_to = set()
    if profile.party.elders or profile.party.children or "avoid_long_walk" in profile.physical_rules or hampered:
        sensitive_to.add(Mobility.WALKING)
    if "long_local_transfer" in profile.hate_tags or "avoid_transfer" in profile.transport_preferences or hampered:
        sensitive_to.add(Mobility.ROUTE)
    if sensitive_to:
        yield MobilityAccessibility(frozenset(sensitive_to))


@dataclass(frozen=True)
class _Trigger:
    """A preference with the words of a profile that bring it about."""

    preference: SoftPreference
    words: frozenset[str]


def _on(preference: SoftPreference, *words: str) -> _Trigger:
    return _Trigger(preference, frozenset(words))


_TRIGGERS = (
    _on(AvoidHeat(), "heat_sensitive"),
    _on(AvoidCold(), "cold_sensitive"),
    _on(NeedBackup(), "extreme_weather"),
    _on(AvoidTransfer(), "prefer_direct", "avoid_transfer"),
    _on(AvoidRedEye(), "avoid_red_eye", "red_eye_transport"),
    _on(AvoidEarlyDeparture(), "avoid_early_departure"),
    _on(AvoidLateArrival(), "avoid_late_arrival"),
    _on(PreferMode("transport_prefer_train"), "prefer_train"),
    _on(PreferMode("transport_prefer_flight"), "prefer_flight"),
    _on(NoExpensiveMeals("meal_avoid_expensive"), "expensive_meal"),
)

_INTERESTS = (
    _on(InterestLocalFood(), "food"),
    _on(InterestInSights("interest_outdoor_nature"), "nature", "park"),
    _on(InterestInSights("interest_culture"), "history", "museum"),
    _on(InterestInSights("interest_art"), "art"),
    _on(InterestInSights("interest_shopping"), "shopping"),
    _on(InterestInSights("interest_landmark"), "landmark"),
    _on(InterestInSights("interest_amusement"), "amusement"),
)


_BY_RULE = {
    plain.id: plain
    for plain in (
        *(trigger.preference for trigger in (*_TRIGGERS, *_INTERESTS)),
        HotelValueFirst(),
        NoExpensiveMeals("budget_tight_cap"),
        NoExpensiveMeals("budget_guarded"),
    )
}


def _simple(profile: Profile) -> Iterator[SoftPreference]:
    said = {*profile.mobility_constraints, *profile.hate_tags, *profile.transport_preferences}
    return (trigger.preference for trigger in _TRIGGERS if not trigger.words.isdisjoint(said))


def _interests(tags: Iterable[str]) -> Iterator[SoftPreference]:
    liked = set(tags)
    return (trigger.preference for trigger in _INTERESTS if not trigger.words.isdisjoint(liked))


def _spending(profile: Profile, days: int) -> Iterator[SoftPreference]:
    if profile.accommodation_style == "budget":
        yield HotelValueFirst()
    spent = daily_spending(profile, days)
    if spent < TIGHT_BELOW:
        yield NoExpensiveMeals("budget_tight_cap")
    elif spent < GUARDED_BELOW:
        yield NoExpensiveMeals("budget_guarded")


def daily_spending(profile: Profile, days: int) -> float:
    """What the traveler is used to spending at most, in yuan a head and day."""
    spent = profile.budget_range[1] / max(1, days) / profile.party.people
    return spent * LUXURY_SHARE if profile.accommodation_style == "luxury" else spent
