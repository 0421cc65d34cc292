"""Meals and sights that are due and not there."""

from collections.abc import Sequence
from dataclasses import replace
from random import Random

from tests.trip_plus.damages.plans import (
    ABOUT_MEALS,
    ABOUT_SIGHTS,
    EVERY_SIGHT,
    MEAL_LOST,
    MEALS_ASKED,
    SIGHT_LOST,
    SIGHTS_ASKED,
    GoodPlan,
    Place,
    added_up,
    damage,
    one_of,
    with_day,
    with_lines,
    without,
)

from tripgauge.trip_plus.itinerary import (
    Itinerary,
    Meal,
    Visit,
)


def _meals(plan: GoodPlan, name: str, days: Sequence[int]) -> list[Place]:
    places = plan.places(Meal)
    return [place for place in places if name in plan.at(place).meal.lower() and place[0] in days]


def _left_out(plan: GoodPlan, place: Place | None) -> Itinerary | None:
    return added_up(plan, with_lines(plan.itinerary, place)) if place else None


@damage("essential_meal_coverage", restaurants=MEAL_LOST["restaurants"])
def a_full_day_without_lunch(plan: GoodPlan, random: Random) -> Itinerary | None:
    return _left_out(plan, one_of(_meals(plan, "lunch", plan.full_days), random))


@damage("essential_meal_coverage", restaurants=MEAL_LOST["restaurants"])
def a_full_day_without_dinner(plan: GoodPlan, random: Random) -> Itinerary | None:
    return _left_out(plan, one_of(_meals(plan, "dinner", plan.full_days), random))


@damage(ABOUT_MEALS, MEALS_ASKED)
def no_meal_at_all(plan: GoodPlan, random: Random) -> Itinerary | None:
    return added_up(plan, without(plan.itinerary, Meal)) if plan.places(Meal) else None


@damage("essential_attraction_coverage", EVERY_SIGHT, **SIGHT_LOST)
def a_full_day_without_sights(plan: GoodPlan, random: Random) -> Itinerary | None:
    number = one_of(plan.full_days, random)
    if number is None:
        return None
    kept = tuple(activity for activity in plan.days[number].activities if not isinstance(activity, Visit))
    return added_up(plan, with_day(plan.itinerary, number, activities=kept))


@damage(ABOUT_SIGHTS, SIGHTS_ASKED)
def no_sight_at_all(plan: GoodPlan, random: Random) -> Itinerary | None:
    return added_up(plan, without(plan.itinerary, Visit)) if plan.places(Visit) else None


@damage("essential_meal_coverage", restaurants="a dinner may be asked for there")
def lunch_called_dinner_and_dinner_breakfast(plan: GoodPlan, random: Random) -> Itinerary | None:
    other = {"lunch": "dinner", "dinner": "breakfast"}
    number = one_of([place[0] for place in _meals(plan, "lunch", plan.full_days)], random)
    if number is None:
        return None
    lines = tuple(
        replace(activity, meal=other.get(activity.meal.lower(), activity.meal))
        if isinstance(activity, Meal)
        else activity
        for activity in plan.days[number].activities
    )
    return with_day(plan.itinerary, number, activities=lines)
