"""Prices that are wrong, and budgets that do not add up."""

from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from random import Random

from tests.trip_plus.damages.plans import (
    COST,
    PARTY,
    GoodPlan,
    Spoil,
    added_up,
    damage,
    hotels_of,
    one_of,
    with_budget,
    with_lines,
)

from tripgauge.trip_plus.itinerary import (
    Activity,
    Budget,
    Fault,
    IntercityLeg,
    Itinerary,
    Lodging,
    Meal,
    Plan,
    Visit,
)
from tripgauge.trip_plus.notation.plan_json import read_converted, write_converted
from tripgauge.trip_plus.trace.joining import execution_trace

# --- Prices ---


def _dearer(activity: Activity) -> Activity:
    price = activity.price or Decimal(70)
    return replace(activity, price=price * 3)


def _with_other_price(
    plan: GoodPlan, random: Random, kind: type[Activity], change: Spoil | Callable[[Activity], Activity]
) -> Itinerary | None:
    place = one_of(plan.places(kind), random)
    return with_lines(plan.itinerary, place, change(plan.at(place))) if place else None


@damage("validated_transportation", "budget_constraint")
def a_fare_times_three(plan: GoodPlan, random: Random) -> Itinerary | None:
    return added_up(plan, _with_other_price(plan, random, IntercityLeg, _dearer))


@damage("validated_transportation", COST, PARTY, "budget_constraint")
def a_fare_times_three_that_the_budget_does_not_know(plan: GoodPlan, random: Random) -> Itinerary | None:
    return _with_other_price(plan, random, IntercityLeg, _dearer)


@damage("validated_meals", "budget_constraint")
def a_meal_times_three(plan: GoodPlan, random: Random) -> Itinerary | None:
    return added_up(plan, _with_other_price(plan, random, Meal, _dearer))


@damage("validated_attractions", "budget_constraint")
def a_ticket_that_costs_something_else(plan: GoodPlan, random: Random) -> Itinerary | None:
    return added_up(plan, _with_other_price(plan, random, Visit, _dearer))


@damage("validated_attractions")
def a_free_ticket_to_a_sight_that_is_not_free(plan: GoodPlan, random: Random) -> Itinerary | None:
    paid = [place for place in plan.places(Visit) if plan.at(place).price]
    place = one_of(paid, random)
    free = replace(plan.at(place), price=Decimal(0)) if place else None
    return added_up(plan, with_lines(plan.itinerary, place, free)) if place and free else None


@damage("validated_meals", "budget_constraint")
def a_meal_paid_for_the_whole_party_by_each(plan: GoodPlan, random: Random) -> Itinerary | None:
    people = plan.frame.people

    def shared(meal: Activity) -> Activity:
        return replace(meal, price=(meal.price or Decimal(40)) * people)

    return added_up(plan, _with_other_price(plan, random, Meal, shared)) if people > 1 else None


def _with_rate(plan: GoodPlan, change: Callable[[Lodging], Lodging]) -> Itinerary | None:
    """The plan with another price of every night."""
    days = tuple(replace(day, lodging=change(day.lodging)) if day.lodging else day for day in plan.days)
    return replace(plan.itinerary, days=days) if hotels_of(plan) else None


@damage("validated_accommodation", "budget_constraint")
def nights_times_three(plan: GoodPlan, random: Random) -> Itinerary | None:
    return added_up(plan, _with_rate(plan, lambda lodging: replace(lodging, price=(lodging.price or Decimal(50)) * 3)))


@damage("validated_accommodation", COST, "room_count_required", "budget_constraint")
def nights_times_three_that_the_budget_does_not_know(plan: GoodPlan, random: Random) -> Itinerary | None:
    return _with_rate(plan, lambda lodging: replace(lodging, price=(lodging.price or Decimal(50)) * 3))


@damage("validated_accommodation")
def nights_for_next_to_nothing(plan: GoodPlan, random: Random) -> Itinerary | None:
    return added_up(plan, _with_rate(plan, lambda lodging: replace(lodging, price=Decimal(1))))


def _priceless(activity: Activity, text: str = "") -> Activity:
    """Without a price that can be read."""
    faults = (*activity.faults, Fault("price", text, "no amount")) if text else activity.faults
    return replace(activity, price=None, faults=faults)


@damage("validated_meals")
def a_meal_without_a_price(plan: GoodPlan, random: Random) -> Itinerary | None:
    return _with_other_price(plan, random, Meal, _priceless)


@damage("validated_attractions")
def a_visit_without_a_price(plan: GoodPlan, random: Random) -> Itinerary | None:
    return _with_other_price(plan, random, Visit, _priceless)


@damage("validated_transportation")
def a_journey_without_a_fare(plan: GoodPlan, random: Random) -> Itinerary | None:
    return _with_other_price(plan, random, IntercityLeg, _priceless)


@damage("validated_accommodation")
def nights_without_a_price(plan: GoodPlan, random: Random) -> Itinerary | None:
    return _with_rate(plan, lambda lodging: replace(lodging, price=None))


def _read_with(plan: GoodPlan, random: Random, kind: str, value: object) -> Itinerary | None:
    """The plan read from JSON in which one line of a kind has that for a cost."""
    converted = write_converted(Plan(plan.itinerary))
    lines = [
        activity["details"]
        for day in converted["daily_plans"]
        for activity in day["activities"]
        if activity["type"] == kind
    ]
    line = one_of(lines, random)
    if line is None:
        return None
    line["cost"] = value
    response = read_converted(converted)
    assert isinstance(response, Plan)
    return response.itinerary


@damage("validated_meals")
def a_meal_for_nan(plan: GoodPlan, random: Random) -> Itinerary | None:
    return _read_with(plan, random, "meal", float("nan"))


@damage("validated_meals")
def a_meal_for_less_than_nothing(plan: GoodPlan, random: Random) -> Itinerary | None:
    return _read_with(plan, random, "meal", -80)


@damage("validated_transportation")
def a_fare_of_infinity(plan: GoodPlan, random: Random) -> Itinerary | None:
    return _read_with(plan, random, "travel_intercity_public", float("inf"))


@damage("validated_attractions")
def a_ticket_for_yes(plan: GoodPlan, random: Random) -> Itinerary | None:
    return _read_with(plan, random, "attraction", True)


@damage("local_move_sanity")
def a_ride_for_a_list(plan: GoodPlan, random: Random) -> Itinerary | None:
    return added_up(plan, _read_with(plan, random, "travel_city", [10, 20]))


# --- The budget ---


@damage(COST, PARTY, "room_count_required")
def no_budget(plan: GoodPlan, random: Random) -> Itinerary | None:
    return replace(plan.itinerary, budget=None)


@damage(COST)
def a_budget_without_a_total(plan: GoodPlan, random: Random) -> Itinerary | None:
    return with_budget(plan, total=None)


@damage(COST)
def a_total_doubled(plan: GoodPlan, random: Random) -> Itinerary | None:
    budget = plan.itinerary.budget
    return with_budget(plan, total=budget.total * 2) if budget and budget.total else None


@damage(COST)
def a_total_halved(plan: GoodPlan, random: Random) -> Itinerary | None:
    budget = plan.itinerary.budget
    return with_budget(plan, total=budget.total / 2) if budget and budget.total else None


@damage(COST)
def a_total_below_zero(plan: GoodPlan, random: Random) -> Itinerary | None:
    budget = plan.itinerary.budget
    return with_budget(plan, total=-budget.total) if budget and budget.total else None


@damage(COST)
def a_total_that_is_not_a_number(plan: GoodPlan, random: Random) -> Itinerary | None:
    budget = plan.itinerary.budget
    fault = Fault("total", "NaN", "no amount")
    return replace(plan.itinerary, budget=replace(budget, total=None, faults=(fault,))) if budget else None


@damage(COST, PARTY)
def the_fares_of_the_budget_times_three(plan: GoodPlan, random: Random) -> Itinerary | None:
    budget = plan.itinerary.budget
    return with_budget(plan, transportation=budget.transportation * 3) if budget and budget.transportation else None


@damage(COST, PARTY)
def a_budget_without_the_meals(plan: GoodPlan, random: Random) -> Itinerary | None:
    """As honest as to lower the total with them."""
    budget = plan.itinerary.budget
    if not budget or not budget.meals or not budget.total:
        return None
    return with_budget(plan, meals=Decimal(0), total=budget.total - budget.meals)


@damage(COST, "room_count_required")
def a_budget_without_the_nights(plan: GoodPlan, random: Random) -> Itinerary | None:
    budget = plan.itinerary.budget
    if not budget or not budget.accommodation or not budget.total:
        return None
    return with_budget(plan, accommodation=Decimal(0), total=budget.total - budget.accommodation)


@damage(COST, PARTY)
def a_budget_for_one_person_too_few(plan: GoodPlan, random: Random) -> Itinerary | None:
    people = plan.frame.people
    return _budget_for(plan, people - 1, plan.frame.rooms) if people > 1 else None


@damage(COST, PARTY)
def a_budget_for_twice_the_people(plan: GoodPlan, random: Random) -> Itinerary | None:
    return _budget_for(plan, plan.frame.people * 2, plan.frame.rooms)


@damage(COST, "room_count_required")
def a_budget_for_twice_the_rooms(plan: GoodPlan, random: Random) -> Itinerary | None:
    return _budget_for(plan, plan.frame.people, plan.frame.rooms * 2) if hotels_of(plan) else None


def _budget_for(plan: GoodPlan, people: int, rooms: int) -> Itinerary:
    trace = execution_trace(plan.itinerary, plan.frame, plan.sandbox)
    cost = trace.cost_for(people, rooms)
    budget = Budget(cost.transportation, cost.accommodation, cost.meals, cost.attractions, Decimal(0), cost.total)
    return replace(plan.itinerary, budget=budget)
