"""Soft preferences that follow from a visible profile."""

import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tripgauge.toy import town
from tripgauge.trip_plus.requirements.constraints.budget import BudgetCap
from tripgauge.trip_plus.requirements.kinds import requirement_kinds
from tripgauge.trip_plus.requirements.preferences.budget import HotelValueFirst, NoExpensiveMeals
from tripgauge.trip_plus.requirements.preferences.comfort import (
    AvoidCold,
    AvoidHeat,
    Mobility,
    NeedBackup,
    Pace,
    SchedulePacing,
)
from tripgauge.trip_plus.requirements.preferences.comfort import MobilityAccessibility as Access
from tripgauge.trip_plus.requirements.preferences.interest import InterestInSights, InterestLocalFood
from tripgauge.trip_plus.requirements.preferences.transport import AvoidRedEye, AvoidTransfer, PreferMode
from tripgauge.trip_plus.requirements.requirement import SoftPreference
from tripgauge.trip_plus.tasks.profiles import pace_of, preference, soft_preferences
from tripgauge.trip_plus.tasks.queries import read_queries
from tripgauge.trip_plus.tasks.task import Child, Elder, Party, Profile

CONFORMANCE = os.environ.get("TRIPGAUGE_CONFORMANCE")
needs_conformance = pytest.mark.skipif(
    not CONFORMANCE or not Path(CONFORMANCE).is_dir(), reason="TRIPGAUGE_CONFORMANCE names no folder"
)

PLAIN = Profile(Party(2), (10000, 20000), "comfort", schedule_rules=("moderate",))
"""Two who can spend 3333 yuan a head and day for three days, and ask for nothing."""

MODERATE = SchedulePacing(Pace.MODERATE)


def test_who_asks_for_nothing_still_has_a_pace():
    assert soft_preferences(PLAIN, 3) == {MODERATE}


@pytest.mark.parametrize(
    ("shown", "liked"),
    [
        ({"mobility_constraints": ("heat_sensitive",)}, AvoidHeat()),
        ({"mobility_constraints": ("cold_sensitive",)}, AvoidCold()),
        ({"hate_tags": ("extreme_weather",)}, NeedBackup()),
        ({"transport_preferences": ("prefer_direct",)}, AvoidTransfer()),
        ({"hate_tags": ("red_eye_transport",)}, AvoidRedEye()),
        ({"transport_preferences": ("prefer_train",)}, PreferMode("transport_prefer_train")),
        ({"hate_tags": ("expensive_meal",)}, NoExpensiveMeals("meal_avoid_expensive")),
        ({"accommodation_style": "budget"}, HotelValueFirst()),
        ({"interest_tags": ("food",)}, InterestLocalFood()),
        ({"interest_tags": ("park",)}, InterestInSights("interest_outdoor_nature")),
        ({"interest_tags": ("museum",)}, InterestInSights("interest_culture")),
        ({"mobility_constraints": ("knee_issue",)}, Access(frozenset(Mobility))),
        ({"party": Party(1, elders=(Elder(70),))}, Access(frozenset({Mobility.WALKING}))),
        ({"party": Party(1, children=(Child(5),))}, Access(frozenset({Mobility.WALKING}))),
        ({"physical_rules": ("avoid_long_walk",)}, Access(frozenset({Mobility.WALKING}))),
        ({"hate_tags": ("long_local_transfer",)}, Access(frozenset({Mobility.ROUTE}))),
    ],
)
def test_what_a_profile_shows_makes_one_preference(shown: dict[str, Any], liked: SoftPreference):
    assert soft_preferences(replace(PLAIN, **shown), 3) == {MODERATE, liked}


@pytest.mark.parametrize(
    ("shown", "pace"),
    [
        ({"schedule_rules": ("relaxed",)}, Pace.RELAXED),
        ({"rest_preferences": ("late_start",)}, Pace.RELAXED),
        ({"hate_tags": ("overpacked_schedule",)}, Pace.RELAXED),
        ({"schedule_rules": ("dense",), "physical_rules": ("long_walk_ok",)}, Pace.DENSE),
        ({"schedule_rules": ("dense",), "physical_rules": ("standard_walking",)}, Pace.MODERATE),
        (
            {"schedule_rules": ("dense",), "physical_rules": ("long_walk_ok",), "party": Party(1, (Child(5),))},
            Pace.MODERATE,
        ),
    ],
)
def test_the_pace_follows_from_rules_rest_and_party(shown: dict[str, Any], pace: Pace):
    assert pace_of(replace(PLAIN, **shown)) is pace


@pytest.mark.parametrize(
    ("upper", "style", "kind"),
    [
        (2999, "comfort", "budget_tight_cap"),
        (3000, "comfort", "budget_guarded"),  # 500 a head and day
        (5699, "comfort", "budget_guarded"),
        (5700, "comfort", None),  # 950 a head and day
        (2700, "luxury", "budget_guarded"),  # 450, but used to 15 percent more
    ],
)
def test_spending_a_head_and_day_decides_how_money_is_minded(upper: int, style: str, kind: str | None):
    liked = soft_preferences(replace(PLAIN, budget_range=(1000, upper), accommodation_style=style), 3)

    assert {held.id for held in liked} - {"schedule_pacing"} == ({kind} if kind else set())


def test_every_published_rule_names_a_preference():
    rules = {kind.id for kind in requirement_kinds() if issubclass(kind.type, SoftPreference)}

    assert len(rules) == 22
    assert {rule for rule in rules if getattr(preference(rule), "id", None) == rule} == rules
    assert preference("speaks_esperanto") is None


@pytest.mark.parametrize("task", read_queries(town.queries_file()), ids=lambda task: task.task_id)
def test_the_town_s_profiles_give_the_recorded_preferences(task):
    assert soft_preferences(task.brief.profile, task.brief.frame.days) == task.key.states[0].soft


@needs_conformance
def test_the_published_profiles_give_the_recorded_preferences():
    """All 153, but for the habit of spending where a cap on the whole trip takes its place, as in 18 of them."""
    assert CONFORMANCE is not None
    differing = {}
    tasks = read_queries(Path(CONFORMANCE) / "query" / "query.json")

    for task in tasks:
        state = task.key.states[0]
        derived = soft_preferences(task.brief.profile, task.brief.frame.days)
        if derived != state.soft:
            differing[task.task_id] = {held.id for held in derived ^ state.soft}
            assert any(isinstance(held, BudgetCap) for held in state.hard)

    assert len(tasks) == 153
    assert len(differing) == 18
    assert all(rules in ({"budget_guarded"}, {"budget_tight_cap"}) for rules in differing.values())


@needs_conformance
def test_the_published_profiles_give_the_recorded_rules_to_the_last():
    assert CONFORMANCE is not None
    tasks = read_queries(Path(CONFORMANCE) / "query" / "query.json")

    for task in tasks:
        record: Any = task.key.record
        rules = record["meta_info"]["base_query_meta"]["user_profile"]["rules"]
        recorded = {preference(rule["rule_id"], rule.get("preference_variants") or ()) for rule in rules}
        assert soft_preferences(task.brief.profile, task.brief.frame.days) == recorded, task.task_id
