"""Soft preferences are scored at their limits as in the published evaluator."""

from collections.abc import Callable, Iterable

import pytest
from tests.trip_plus.release.fixture_data import (
    BASE,
    SINGLE_CHANGES,
    Json,
    SingleChange,
    fixture_files,
    fixture_plan,
    fixture_record,
)

from tripgauge.trip_plus.release.costing import plan_cost
from tripgauge.trip_plus.release.evaluator import TurnResult, evaluate_turn, release_sandbox, release_turn
from tripgauge.trip_plus.release.facts import PlanFacts
from tripgauge.trip_plus.release.means import add_up
from tripgauge.trip_plus.release.plan import read_plan
from tripgauge.trip_plus.release.soft import FAMILIES, RULES, RuleOutcome, SoftProfile, SoftView
from tripgauge.trip_plus.release.taste import (
    INTEREST_MARKERS,
    PriceLevels,
    TasteIndex,
    price_levels,
    quantile,
    taste_index,
    traits,
)

SANDBOX = release_sandbox(fixture_files())
TASTE = taste_index(fixture_files())


def scored(plan: Json, record: Json) -> TurnResult:
    return evaluate_turn(plan, release_turn(record, 0), SANDBOX)


# --- The invented trip -----------------------------------------------------------------------------------------------


def test_the_trip_has_the_published_soft_scores() -> None:
    result = scored(fixture_plan(), fixture_record())

    assert result.soft is not None
    assert {rule: outcome.score for rule, outcome in result.soft.outcomes.items()} == {
        "schedule_pacing": 0.0,
        "mobility_accessibility": 1.0,
        "transport_avoid_red_eye": 1.0,
        "hotel_value_first": 1.0,
        "meal_avoid_expensive": 0.0,
        "interest_culture": 1.0,
        "interest_local_food": 0.5,
        "weather_avoid_heat_exposure": 1.0,
    }
    assert result.soft.families == {
        "comfort_and_pace": 0.6667,
        "transport_convenience": 1.0,
        "budget_and_value": 0.5,
        "interest_match": 0.75,
    }
    assert (result.soft.score, result.soft.strict, result.soft.failures) == (0.7292, 0.0, 3)
    assert result.scores.requirement_score == 0.7535


@pytest.mark.parametrize("change", [BASE, *SINGLE_CHANGES], ids=lambda change: change.name)
def test_a_single_change_gives_the_published_soft_score(change: SingleChange) -> None:
    plan, record = fixture_plan(), fixture_record()
    change.apply(plan, record)

    assert scored(plan, record).scores.soft_preference_score == change.soft


def test_the_measures_are_those_the_score_is_explained_by() -> None:
    soft = scored(fixture_plan(), fixture_record()).soft
    assert soft is not None

    pacing = {measure.name: (measure.value, measure.severity.name) for measure in soft.outcomes["schedule_pacing"][1]}
    assert pacing["max_day_span_hours"] == (12.5, "MAJOR")
    assert pacing["early_start_hours_before_08"] == (0.5, "MINOR")
    assert [measure.value for measure in soft.outcomes["weather_avoid_heat_exposure"].measures] == [65.0, 180.0]
    assert [measure.value for measure in soft.outcomes["hotel_value_first"].measures] == [300.0]


# --- Edges -----------------------------------------------------------------------------------------------------------


def visit(slot: str, name: str = "Old Gate", **details: object) -> Json:
    return {"time_slot": slot, "type": "attraction", "details": {"name": name, **details}}


def stay(slot: str) -> Json:
    return {"time_slot": slot, "type": "hotel", "details": {"name": "Inn"}}


def ride(slot: str) -> Json:
    return {"time_slot": slot, "type": "travel_city", "details": {"from": "A", "to": "B"}}


def journey(slot: str, **details: object) -> Json:
    return {"time_slot": slot, "type": "travel_intercity_public", "details": {"mode": "train", **details}}


def meal(cost: object, name: str = "Noodle House") -> Json:
    return {"time_slot": "12:00-13:00", "type": "meal", "details": {"name": name, "cost": cost}}


def outcome(
    rule: str,
    *days: list[Json],
    variants: Iterable[str] = (),
    tags: str = "",
    cap: bool = False,
    prices: Iterable[object] = (),
    taste: TasteIndex | None = TASTE,
) -> RuleOutcome:
    """What a rule says of days with the given activities; `prices` are those of their accommodations."""
    nights = [{"name": "Inn", "price_per_night": price} for price in prices]
    plan: Json = {"daily_plans": [{"activities": activities} for activities in days]}
    for day, night in zip(plan["daily_plans"], nights, strict=False):
        day["accommodation"] = night
    converted = read_plan(plan)
    profile = SoftProfile((rule,), (), {rule: frozenset(variants)}, tags, cap)
    return SoftView(PlanFacts(converted, plan_cost(converted, 1, 1)), profile, taste).outcome(rule)


@pytest.mark.parametrize(
    ("variant", "activities", "score"),
    [
        ("relaxed", [visit("07:00-08:00")], 0.5),
        ("relaxed", [visit("06:59-08:00")], 0.0),
        ("relaxed", [visit("10:00-11:00"), stay("11:00-11:30")], 1.0),
        ("relaxed", [visit("10:00-11:00"), stay("11:00-11:29")], 0.5),
        ("moderate", [visit("10:00-11:00"), stay("20:30-08:00")], 0.0),
        ("dense", [visit("10:00-11:00"), stay("21:30-22:30")], 0.5),
        ("relaxed", [visit(f"{hour}:00-{hour}:30") for hour in range(10, 14)] + [stay("14:00-14:30")], 0.5),
        ("moderate", [visit(f"{hour}:00-{hour}:30") for hour in range(10, 14)], 1.0),
        ("moderate", [visit(f"{hour}:00-{hour}:30") for hour in range(10, 17)], 0.0),
        ("dense", [visit(f"{hour}:00-{hour}:30") for hour in range(10, 16)], 1.0),
    ],
)
def test_a_day_may_be_as_full_as_the_travelers_pace_allows(variant: str, activities: list[Json], score: float) -> None:
    assert outcome("schedule_pacing", activities, variants=[variant]).score == score


def test_a_traveler_with_both_paces_is_taken_for_a_relaxed_one() -> None:
    both = outcome("schedule_pacing", [visit("07:00-08:00")], variants=["dense", "relaxed"])

    assert both.score == 0.5


def test_a_plan_without_days_is_never_too_full() -> None:
    assert outcome("schedule_pacing", variants=["relaxed"]).score == 1.0


@pytest.mark.parametrize("variant", ["route_transfer_sensitive", "walking_sensitive"])
def test_two_rides_of_more_than_an_hour_are_a_minor_breach(variant: str) -> None:
    two = [ride("09:00-10:01"), ride("12:00-13:01")]
    assert outcome("mobility_accessibility", two, variants=[variant]).score == 0.5
    assert outcome("mobility_accessibility", [ride("09:00-10:00")], variants=[variant]).score == 1.0


def test_one_long_ride_bothers_only_who_cannot_walk_far() -> None:
    one = [ride("09:00-10:01")]

    assert outcome("mobility_accessibility", one, variants=["walking_sensitive"]).score == 0.5
    assert outcome("mobility_accessibility", one, variants=["route_transfer_sensitive"]).score == 1.0
    assert outcome("mobility_accessibility", one).score == 0.5


def test_a_tag_about_hotspots_makes_the_heat_rule_apply() -> None:
    long_visit = [visit("10:00-12:45")]

    assert outcome("weather_avoid_heat_exposure", long_visit, tags="heritage_hotspot_queue").score == 0.5
    assert outcome("weather_avoid_heat_exposure", long_visit, tags="coastal_walk_city").severity is None


def test_a_short_visit_without_a_word_for_outdoors_is_not_outdoors() -> None:
    assert outcome("weather_avoid_heat_exposure", [visit("11:00-13:29")], tags="heat").measures[0].value == 0
    assert outcome("weather_avoid_heat_exposure", [visit("11:00-13:30")], tags="heat").measures[0].value == 150


def test_what_the_sandbox_says_of_a_place_outweighs_the_plans_words() -> None:
    museum = visit("10:00-14:00", "Beta City Museum", description="a walk by the lake")

    assert outcome("weather_avoid_heat_exposure", [museum], tags="heat").score == 1.0


def test_cold_evenings_outdoors_count_from_six_on() -> None:
    evening = [visit("17:00-19:31", "Willow Lake Park")]

    late = outcome("weather_avoid_cold_exposure", evening, tags="cold_winter_city")

    assert [measure.value for measure in late.measures] == [151, 91]
    assert late.score == 0.5


@pytest.mark.parametrize(
    ("activities", "score"),
    [
        ([visit("10:00-12:00", "Willow Lake Park"), visit("14:00-15:00", "Beta City Museum")], 1.0),
        ([visit("10:00-12:00", "Willow Lake Park")], 0.5),
        ([visit("10:00-15:01", "Willow Lake Park")], 0.0),
    ],
)
def test_bad_weather_needs_something_indoors(activities: list[Json], score: float) -> None:
    assert outcome("weather_need_backup", activities, tags="rain_risk").score == score


@pytest.mark.parametrize(
    ("journeys", "score"),
    [
        ([journey("09:00-11:00"), journey("12:00-13:00")], 1.0),
        ([journey("09:00-11:00", transfers=1)], 0.5),
        ([journey("09:00-11:00", transfers=2)], 0.0),
        ([journey("09:00-11:00", layover_count=["Hub"])], 0.5),
        ([journey("09:00-11:00", connection_count={"count": "2 stops"})], 0.0),
        ([journey("09:00-11:00", transfers="nonstop")], 0.5),
        ([journey("09:00-11:00", transfers=None, transfer_count=5)], 0.5),
        ([journey("09:00-11:00", note="no connections")], 0.5),
    ],
)
def test_changes_count_only_where_the_plan_mentions_them(journeys: list[Json], score: float) -> None:
    assert outcome("transport_avoid_transfer", journeys).score == score


@pytest.mark.parametrize(
    ("rule", "slots", "score"),
    [
        ("transport_avoid_red_eye", ["19:30-21:30", "19:30-21:30"], 0.5),
        ("transport_avoid_red_eye", ["19:30-21:30"] * 3, 0.0),
        ("transport_avoid_red_eye", ["19:30-22:01"], 0.0),
        ("transport_avoid_red_eye", ["05:59-08:00"], 0.0),
        ("transport_avoid_red_eye", ["20:00-21:00"], 1.0),
        ("transport_avoid_late_arrival", ["19:00-21:00"], 1.0),
        ("transport_avoid_late_arrival", ["19:00-21:01"], 0.5),
        ("transport_avoid_late_arrival", ["23:00-01:00"] * 2, 0.0),
        ("transport_avoid_early_departure", ["07:00-08:00"], 1.0),
        ("transport_avoid_early_departure", ["06:59-08:00"], 0.5),
        ("transport_avoid_early_departure", ["06:59-08:00"] * 2, 0.0),
        ("transport_prefer_train", ["09:00-10:00"], 1.0),
        ("transport_prefer_flight", ["09:00-10:00"], 0.0),
    ],
)
def test_journeys_at_unloved_hours_or_by_unloved_modes_cost_points(rule: str, slots: list[str], score: float) -> None:
    assert outcome(rule, [journey(slot) for slot in slots]).score == score


@pytest.mark.parametrize("rule", FAMILIES["transport_convenience"])
def test_transport_rules_say_nothing_of_a_plan_without_journeys(rule: str) -> None:
    assert outcome(rule, [visit("10:00-11:00")]).severity is None


@pytest.mark.parametrize(
    ("prices", "score"),
    [([350], 1.0), ([351], 0.5), ([425], 0.5), ([425.01], 0.0), ([200, 600], 0.5), ([None], 0.5), ([], 0.5)],
)
def test_hotels_are_measured_by_the_middle_of_the_citys_prices(prices: list[object], score: float) -> None:
    assert outcome("hotel_value_first", [], [], prices=prices).score == score


@pytest.mark.parametrize(
    ("costs", "score"),
    [([115], 1.0), ([116], 0.5), ([116, 120], 0.0), ([137], 0.0), ([136], 0.5), ([], 1.0), (["free"], 1.0)],
)
def test_one_expensive_meal_is_a_minor_breach(costs: list[object], score: float) -> None:
    meals = [meal(cost) for cost in costs]

    assert outcome("meal_avoid_expensive", meals).score == score
    assert outcome("budget_guarded", meals).score == score
    assert outcome("budget_tight_cap", meals).score == score


def test_with_an_agreed_budget_the_budget_rules_do_not_apply() -> None:
    assert outcome("budget_guarded", [meal(500)], cap=True).severity is None
    assert outcome("budget_tight_cap", [meal(500)], cap=True).severity is None
    assert outcome("meal_avoid_expensive", [meal(500)], cap=True).score == 0.0


def test_a_single_very_expensive_meal_is_major_although_its_count_is_minor() -> None:
    result = outcome("budget_guarded", [meal(500)])

    assert result.score == 0.0
    assert [measure.severity.name for measure in result.measures] == ["MINOR"]


@pytest.mark.parametrize(
    ("meals", "score"),
    [
        ([meal(50)], 1.0),
        ([meal(50), meal(50)], 1.0),
        ([meal(50), meal(80, "Tea Garden"), meal(150, "Harbor Grill")], 0.5),
        ([meal(80, "Tea Garden")], 0.0),
        ([meal(50, "Unknown Local Noodle Snack Bar")], 0.0),
        ([], 0.0),
    ],
)
def test_two_meals_of_the_local_kind_are_enough(meals: list[Json], score: float) -> None:
    assert outcome("interest_local_food", meals).score == score


def test_without_a_sandbox_the_plans_own_words_show_an_interest() -> None:
    garden = [visit("10:00-11:00", "Secret Garden")]

    assert outcome("interest_outdoor_nature", garden).score == 0.0
    assert outcome("interest_outdoor_nature", garden, taste=None).score == 1.0


# --- Every limit of Table 8 -----------------------------------------------------------------------------------------


def clock(minutes: int) -> str:
    return f"{minutes // 60:02}:{minutes % 60:02}"


def visits(count: int) -> list[Json]:
    return [visit(f"{clock(600 + 10 * number)}-{clock(610 + 10 * number)}") for number in range(count)]


def day_from(start: int) -> list[Json]:
    return [visit(f"{clock(start)}-{clock(start + 1)}")]


def day_until(end: int) -> list[Json]:
    return [visit(f"{clock(end - 1)}-{clock(end)}")]


def day_of(minutes: int) -> list[Json]:
    return [visit("06:00-06:01"), *day_until(360 + minutes)]


def rides_of(minutes: int) -> list[Json]:
    return [ride(f"06:00-{clock(360 + minutes)}")]


def rides(count: int, minutes: int) -> list[Json]:
    return [ride(f"06:00-{clock(360 + minutes)}")] * count


def outdoors(minutes: int, start: int = 300) -> list[Json]:
    return [visit(f"{clock(start)}-{clock(start + minutes)}", "Willow Lake Park")]


def journeys(count: int, slot: str, **details: object) -> list[Json]:
    return [journey(slot, **details)] * count


LEVELS = [
    ("schedule_pacing relaxed", "max_daily_attraction_count", visits, {3: "NONE", 4: "MINOR", 5: "MAJOR"}),
    ("schedule_pacing relaxed", "avg_daily_attraction_count", visits, {3: "NONE", 4: "MINOR", 5: "MAJOR"}),
    ("schedule_pacing relaxed", "max_day_span_hours", day_of, {600: "NONE", 601: "MINOR", 720: "MINOR", 721: "MAJOR"}),
    (
        "schedule_pacing relaxed",
        "early_start_hours_before_08",
        day_from,
        {480: "NONE", 479: "MINOR", 420: "MINOR", 419: "MAJOR"},
    ),
    (
        "schedule_pacing relaxed",
        "late_end_hours_after_21",
        day_until,
        {1260: "NONE", 1261: "MINOR", 1320: "MINOR", 1321: "MAJOR"},
    ),
    ("schedule_pacing relaxed", "rest_block_missing", visits, {4: "MINOR", 5: "MAJOR"}),
    (
        "schedule_pacing moderate",
        "max_daily_attraction_count",
        visits,
        {4: "NONE", 5: "MINOR", 6: "MINOR", 7: "MAJOR"},
    ),
    ("schedule_pacing moderate", "avg_daily_attraction_count", visits, {4: "NONE", 5: "MINOR", 6: "MAJOR"}),
    ("schedule_pacing moderate", "max_day_span_hours", day_of, {720: "NONE", 721: "MINOR", 810: "MINOR", 811: "MAJOR"}),
    ("schedule_pacing moderate", "late_end_hours_after_21", day_until, {1260: "NONE", 1261: "MINOR", 1321: "MAJOR"}),
    ("schedule_pacing dense", "max_daily_attraction_count", visits, {6: "NONE", 7: "MINOR", 8: "MINOR", 9: "MAJOR"}),
    ("schedule_pacing dense", "max_day_span_hours", day_of, {840: "NONE", 841: "MINOR", 960: "MINOR", 961: "MAJOR"}),
    ("schedule_pacing dense", "late_end_hours_after_22", day_until, {1320: "NONE", 1321: "MINOR", 1381: "MAJOR"}),
    (
        "mobility_accessibility route_transfer_sensitive",
        "max_daily_local_transfer_minutes",
        rides_of,
        {240: "NONE", 241: "MINOR", 300: "MINOR", 301: "MAJOR"},
    ),
    (
        "mobility_accessibility route_transfer_sensitive",
        "route_long_local_transfer_count",
        lambda count: rides(count, 61),
        {1: "NONE", 2: "MINOR", 3: "MINOR", 4: "MAJOR"},
    ),
    (
        "mobility_accessibility route_transfer_sensitive",
        "route_very_long_local_transfer_count",
        lambda count: rides(count, 91),
        {0: "NONE", 1: "MINOR", 2: "MAJOR"},
    ),
    (
        "mobility_accessibility route_transfer_sensitive",
        "route_very_long_local_transfer_count",
        lambda minutes: rides(1, minutes),
        {90: "NONE", 91: "MINOR"},
    ),
    (
        "mobility_accessibility walking_sensitive",
        "mobility_long_local_transfer_count",
        lambda count: rides(count, 61),
        {0: "NONE", 1: "MINOR", 2: "MINOR", 3: "MAJOR"},
    ),
    (
        "mobility_accessibility walking_sensitive",
        "mobility_very_long_local_transfer_count",
        lambda count: rides(count, 91),
        {0: "NONE", 1: "MINOR", 2: "MAJOR"},
    ),
    (
        "mobility_accessibility walking_sensitive",
        "max_daily_outdoor_minutes",
        outdoors,
        {240: "NONE", 241: "MINOR", 360: "MINOR", 361: "MAJOR"},
    ),
    (
        "weather_avoid_heat_exposure",
        "midday_heat_outdoor_minutes",
        lambda minutes: outdoors(minutes, 660),
        {90: "NONE", 91: "MINOR", 120: "MINOR", 121: "MAJOR"},
    ),
    (
        "weather_avoid_heat_exposure",
        "total_heat_outdoor_minutes",
        outdoors,
        {240: "NONE", 241: "MINOR", 300: "MINOR", 301: "MAJOR"},
    ),
    (
        "weather_avoid_cold_exposure",
        "late_cold_outdoor_minutes",
        lambda minutes: outdoors(minutes, 1080),
        {90: "NONE", 91: "MINOR", 120: "MINOR", 121: "MAJOR"},
    ),
    ("weather_avoid_cold_exposure", "cold_outdoor_minutes", outdoors, {240: "NONE", 241: "MINOR", 301: "MAJOR"}),
    ("weather_need_backup", "backup_weather_outdoor_minutes", outdoors, {240: "NONE", 241: "MINOR", 301: "MAJOR"}),
    ("weather_need_backup", "backup_or_indoor_option_missing", outdoors, {300: "MINOR", 301: "MAJOR"}),
    (
        "transport_avoid_transfer",
        "transfer_mentions",
        lambda count: journeys(count, "09:00-10:00", note="layover"),
        {0: None, 1: "MINOR", 2: "MAJOR"},
    ),
    (
        "transport_avoid_transfer",
        "structured_transfer_segments",
        lambda count: journeys(count, "09:00-10:00", transfers=1),
        {0: None, 1: "MINOR", 2: "MAJOR"},
    ),
    (
        "transport_avoid_transfer",
        "structured_transfer_count",
        lambda count: journeys(1, "09:00-10:00", transfers=count),
        {-1: "NONE", 0: "NONE", 1: "MINOR", 2: "MAJOR"},
    ),
    (
        "transport_avoid_red_eye",
        "red_eye_segments",
        lambda start: journeys(1, f"{clock(start)}-12:00"),
        {360: "NONE", 359: "MAJOR"},
    ),
    (
        "transport_avoid_red_eye",
        "red_eye_segments",
        lambda end: journeys(1, f"12:00-{clock(end)}"),
        {1320: "NONE", 1321: "MAJOR"},
    ),
    (
        "transport_avoid_red_eye",
        "late_arrivals",
        lambda count: journeys(count, "12:00-21:01"),
        {0: None, 1: "MINOR", 2: "MINOR", 3: "MAJOR"},
    ),
]


@pytest.mark.parametrize(
    ("rule", "measure", "build", "levels"), LEVELS, ids=lambda value: getattr(value, "__name__", str(value))[:40]
)
def test_every_measure_has_its_published_limits(
    rule: str, measure: str, build: Callable[[int], list[Json]], levels: dict[int, str | None]
) -> None:
    rule_id, _, variant = rule.partition(" ")

    found = {
        value: next(
            (
                one.severity.name
                for one in outcome(rule_id, build(value), variants=filter(None, [variant]), tags="heat cold").measures
                if one.name == measure
            ),
            None,
        )
        for value in levels
    }

    assert found == levels


def test_a_rest_is_half_an_hour_at_a_hotel_or_a_buffer_of_forty_minutes_on_any_day() -> None:
    def rest_missing(*days: list[Json]) -> bool:
        result = outcome("schedule_pacing", *days, variants=["relaxed"])
        return any(measure.name == "rest_block_missing" for measure in result.measures)

    buffer = {"time_slot": "10:00-10:40", "type": "buffer", "details": {"description": "boarding"}}
    assert rest_missing([visit("09:00-10:00")], [{**buffer, "time_slot": "10:00-10:39"}])
    assert not rest_missing([visit("09:00-10:00")], [buffer])


@pytest.mark.parametrize(
    ("stated", "changes"),
    [
        (True, 1),
        (2.9, 2),
        (float("inf"), 0),
        (-3, 0),
        ("", 0),
        ("direct", 0),
        ("No transfer", 0),
        ("via 3 stops", 3),
        ("one connection", 1),
        ("through train", 0),
        (["A", "B"], 2),
        ({"count": 0, "total": 4}, 0),
        ({"total": "4"}, 4),
        ({"a": 1, "b": 2, "c": 3}, 3),
        (None, 0),
    ],
)
def test_a_stated_number_of_changes_is_read_from_any_form(stated: object, changes: int) -> None:
    result = outcome("transport_avoid_transfer", journeys(1, "09:00-10:00", transfers=stated))

    (count,) = [measure.value for measure in result.measures if measure.name == "structured_transfer_count"]
    assert count == changes


def test_a_journey_by_the_preferred_mode_is_enough_beside_another() -> None:
    both = [*journeys(1, "09:00-10:00"), *journeys(1, "11:00-12:00", mode="plane")]

    assert outcome("transport_prefer_flight", both).score == 1.0
    assert outcome("transport_prefer_train", both).score == 1.0


def test_without_a_readable_slot_a_ride_takes_as_long_as_it_says() -> None:
    told = {"time_slot": "morning", "type": "travel_city", "details": {"duration": "95 min"}}
    silent = {"time_slot": "morning", "type": "travel_city", "details": {}}

    assert outcome("mobility_accessibility", [told], variants=["walking_sensitive"]).measures[1].value == 1
    assert outcome("mobility_accessibility", [told, silent]).measures[0].value == 95


def test_an_empty_day_has_no_hours() -> None:
    measures = {one.name: one.value for one in outcome("schedule_pacing", [], variants=["relaxed"]).measures}

    assert measures == {
        "max_daily_attraction_count": 0,
        "avg_daily_attraction_count": 0,
        "max_day_span_hours": 0,
        "early_start_hours_before_08": 0,
        "late_end_hours_after_21": 0,
        "rest_block_missing": True,
    }


def test_figures_are_rounded_to_four_places() -> None:
    thirds = outcome("schedule_pacing", visits(1), visits(0), visits(0)).measures

    assert thirds[1].value == 0.3333
    assert outcome("schedule_pacing", day_of(610)).measures[2].value == 10.1667


# --- How rules make a score ------------------------------------------------------------------------------------------


def test_every_published_rule_belongs_to_one_family_and_has_a_check() -> None:
    listed = [rule for rules in FAMILIES.values() for rule in rules]

    assert len(listed) == len(set(listed)) == 22
    assert set(RULES) == set(listed)


def test_no_applicable_rule_means_no_score() -> None:
    facts = PlanFacts(read_plan({}), plan_cost(read_plan({}), 1, 1))
    view = SoftView(facts, SoftProfile(("transport_prefer_train",), (), {}, "", has_budget_cap=False), TASTE)

    result = view.result()

    assert (result.score, result.strict, result.families) == (None, None, {})


def test_no_rules_asked_for_means_all_rules_of_the_profile() -> None:
    profile = SoftProfile(("hotel_value_first", "meal_avoid_expensive"), (), {}, "", has_budget_cap=False)
    view = SoftView(PlanFacts(read_plan({}), plan_cost(read_plan({}), 1, 1)), profile, TASTE)

    assert view.result(()).score == view.result().score == 0.75
    assert view.result(("hotel_value_first",)).score == 0.5
    assert view.result(("speaks_esperanto",)).score is None
    assert view.result(("interest_art",)).score == 0.0


def test_rules_come_from_the_ids_and_from_the_rules_of_a_profile() -> None:
    record = fixture_record()
    profile = record["meta_info"]["base_query_meta"]["user_profile"]
    profile["rule_ids"] = ["hotel_value_first", "speaks_esperanto"]
    profile["rules"] = [{"rule_id": "schedule_pacing", "preference_variant": "dense"}, {"rule_id": "hotel_value_first"}]

    soft = release_turn(record, 0).soft

    assert soft.rules == ("hotel_value_first", "schedule_pacing")
    assert soft.unsupported == ("speaks_esperanto",)
    assert soft.variants["schedule_pacing"] == {"dense"}
    assert soft.has_budget_cap


# --- The sandbox's side ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("prices", "quartiles"),
    [([50.0, 80.0, 150.0], [65, 80, 115, 136]), ([10.0, 20.0, 30.0, 40.0], [17.5, 25, 32.5, 37])],
)
def test_quantiles_lie_between_neighbors(prices: list[float], quartiles: list[float]) -> None:
    assert [quantile(prices, share) for share in (0.25, 0.5, 0.75, 0.9)] == quartiles


def test_prices_are_the_first_readable_column_of_every_row() -> None:
    rows = [{"price_per_night": "", "price": "¥100"}, {"price_per_night": "300", "price": "1"}, {"price": "none"}]
    fallback = PriceLevels(1, 2, 3)

    assert price_levels(rows, ("price_per_night", "price"), fallback) == PriceLevels(200, 250, 280)
    assert price_levels([], ("price",), fallback) == fallback


def test_words_are_found_inside_other_words() -> None:
    assert traits("Seasonal parking in a small party quarter").outdoor
    assert traits("A small one").indoor
    assert traits("Party").interests == {"interest_art"}
    assert traits("").described is False
    assert set(INTEREST_MARKERS) == set(FAMILIES["interest_match"])


def test_sums_do_not_depend_on_the_version_of_python() -> None:
    tenths = [0.1] * 10

    assert add_up(tenths) == 0.9999999999999999
    assert add_up([]) == 0.0


def test_without_a_sandbox_prices_are_judged_by_fixed_levels() -> None:
    assert outcome("meal_avoid_expensive", [meal(120)], taste=None).score == 1.0
    assert outcome("meal_avoid_expensive", [meal(121)], taste=None).score == 0.5
    assert outcome("meal_avoid_expensive", [meal(201)], taste=None).score == 0.0
    assert outcome("hotel_value_first", [], prices=[600], taste=None).score == 1.0
    assert outcome("hotel_value_first", [], prices=[901], taste=None).score == 0.0
