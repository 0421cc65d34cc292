"""Whoever says a requirement in any of its wordings is understood."""

import pytest

from tripgauge.compass.constraints import VOCABULARY, Constraint
from tripgauge.compass.defaults import default_tasks
from tripgauge.compass.objectives import METRICS, FeatureCount, SingleMetric
from tripgauge.compass.phrases import LEVEL_WORDS, VARIANTS, heard_constraints, heard_level, heard_objective, said

EVERY_KIND = {
    "location": ("Zion", "Rocky Mountain"), "dates": ((5, 8),), "room_occupancy": 4, "guests": 3, "budget": 123_456,
    "min_star_rating": 35, "min_review_score": 80, "min_review_count": 1500, "max_distance": 1250,
    "brand_in": ("Timberline Inn",), "brand_not_in": ("Lakeshore Lodge", "Roadrunner Motel"),
    "same_hotel_brand": "Canyon Crest Hotel", "property_type_in": ("lodge", "cabin"), "max_nightly_price": 17_550,
    "bed_type": ("queen", 2), "origin": "ORD", "airline_in": ("Canyon Air",), "booking_class": "premium_economy",
    "max_flight_minutes": 330, "depart_after": "07:30", "arrive_before": "21:00", "airport_type": "regional",
    "max_drive_hours": 225, "permit_template": ("White Rim Road overnight (4x4 or bike)",),
    "permit_kind": "guided_tours", "permit_on_weekday": ("Monday", "Friday"), "permit_days": 3,
    "permit_buffer_days": 1,
}  # fmt: skip
"""A value for each kind that is no flag."""


@pytest.mark.parametrize("variant", range(VARIANTS))
@pytest.mark.parametrize("type_", VOCABULARY)
def test_every_kind_of_requirement_is_heard_as_it_was_said(type_: str, variant: int) -> None:
    constraint = Constraint(type_, EVERY_KIND.get(type_, True))

    text = f"Listen, it has to be so that {said(constraint, variant)}. Thank you."

    assert heard_constraints(text) == (constraint,)


def test_every_requirement_and_objective_of_the_281_tasks_is_heard_as_it_was_said() -> None:
    for task in default_tasks():
        for stated in task.constraints:
            for variant in range(VARIANTS):
                assert heard_constraints(f"{said(stated.constraint, variant)}!") == (stated.constraint,)
        assert heard_objective(f"What counts is {task.objective.words}. So.") == task.objective


def test_wishes_are_not_heard_as_requirements() -> None:
    wishes = FeatureCount((Constraint("has_pool", True), Constraint("direct_only", True)))
    text = f"The hotel has parking. What I want is {wishes.words}. And our hotel has a bar."

    assert heard_constraints(text) == (Constraint("has_bar", True), Constraint("has_parking", True))
    assert heard_objective(text) == wishes


@pytest.mark.parametrize("metric", METRICS.values(), ids=METRICS)
def test_each_metric_is_heard(metric: object) -> None:
    objective = SingleMetric(metric)  # type: ignore[arg-type]

    assert heard_objective(f"Above all we want {objective.words}.") == objective


@pytest.mark.parametrize("level", LEVEL_WORDS)
def test_what_is_to_be_booked_is_heard(level: int) -> None:
    assert heard_level(f"Find {LEVEL_WORDS[level]} for us.") == level


def test_small_talk_is_heard_as_nothing() -> None:
    text = "Good day! Go on, I am waiting."

    assert (heard_constraints(text), heard_objective(text), heard_level(text)) == ((), None, None)
