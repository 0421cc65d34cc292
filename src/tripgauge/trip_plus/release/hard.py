"""Hard constraints as the published evaluator checks them. (Trip+ Table 12, `evaluation/hard/`)

Most constraints list what is acceptable, so checking them is a matter of names and prices. Constraints are read once
per turn; a check then only compares them with the facts of a plan.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import partial
from typing import Literal

from tripgauge.trip_plus.release.facts import PlanFacts
from tripgauge.trip_plus.release.primitives import (
    JsonObject,
    ModeClass,
    int_loose,
    mode_class,
    norm,
    num_strict,
    round_int,
    text,
)
from tripgauge.trip_plus.release.turn_state import BUDGET, ReleaseTurnState, as_list

HardCheck = Callable[[PlanFacts], bool]

COST_TOLERANCE_YUAN = 1.0
COST_TOLERANCE_SHARE = 0.02

_STATED_COST_FIELDS: Mapping[str, tuple[str, ...]] = {
    "transportation": ("transportation", "transport"),
    "accommodation": ("accommodation", "hotel", "hotels"),
    "meals": ("meals", "meal", "food"),
    "attractions": ("attractions_and_tickets", "attractions", "tickets"),
}


@dataclass(frozen=True)
class HardConstraint:
    """One active constraint, ready to be checked."""

    key: str
    check: HardCheck


@dataclass(frozen=True)
class HardResult:
    """Which hard constraints a plan meets, by key in order of evaluation."""

    checks: Mapping[str, bool]

    @property
    def passed(self) -> int:
        """How many are met."""
        return sum(self.checks.values())

    @property
    def unrounded(self) -> float:
        """The share that is met; 1 if there is none."""
        return self.passed / len(self.checks) if self.checks else 1.0

    @property
    def ratio(self) -> float:
        """The share that is met, to four places (H)."""
        return round(self.unrounded, 4)

    @property
    def strict(self) -> float:
        """1 if there are constraints and all are met, else 0."""
        return 1.0 if self.checks and all(self.checks.values()) else 0.0


def hard_constraints(state: ReleaseTurnState) -> tuple[HardConstraint, ...]:
    """The turn's constraints that have a check, in order. Those of unknown kinds are left out."""
    constraints: dict[str, JsonObject] = {}
    for key, value in state.hard_constraints.items():
        if isinstance(value, dict):
            inner_key, inner = value.get("constraint_key"), value.get("constraint")
            if inner_key and isinstance(inner, dict):
                constraints[str(inner_key)] = inner
            else:
                constraints[key] = value
    checks = ((key, _check(key, constraint, state)) for key, constraint in constraints.items())
    return tuple(HardConstraint(key, check) for key, check in checks if check is not None)


def evaluate_hard(constraints: tuple[HardConstraint, ...], facts: PlanFacts) -> HardResult:
    """Every constraint put to the plan."""
    return HardResult({constraint.key: constraint.check(facts) for constraint in constraints})


def _check(key: str, constraint: JsonObject, state: ReleaseTurnState) -> HardCheck | None:
    exact = _BY_KEY.get(key)
    if exact is not None:
        return exact(constraint, state)
    for prefix, named in _BY_PREFIX.items():
        if key.startswith(prefix):
            return named(constraint)
    return None


def _never(facts: PlanFacts) -> bool:
    return False


# --- Who travels when, and what it may cost --------------------------------------------------------------------------


def _trip_date_range(constraint: JsonObject, state: ReleaseTurnState) -> HardCheck:
    """The plan has the agreed number of days; dates, if it gives any, are the agreed ones."""
    days = int_loose(state.days or constraint.get("days")) or 0
    depart = _date(state.depart_date or constraint.get("depart_date"))
    back = _date(state.return_date or constraint.get("return_date"))
    if days <= 0 or depart is None or back is None or depart + timedelta(days=days - 1) != back:
        return _never
    expected = [(depart + timedelta(days=number)).isoformat() for number in range(days)]

    def check(facts: PlanFacts) -> bool:
        if len(facts.days) != days:
            return False
        dates = [text(day.raw.get("date")) for day in facts.days]
        return not any(dates) or dates == expected

    return check


def _date(value: object) -> date | None:
    try:
        return datetime.strptime(text(value), "%Y-%m-%d").date()
    except ValueError:
        return None


def _party_costs(constraint: JsonObject, state: ReleaseTurnState) -> HardCheck:
    """What the plan states for transport, meals and tickets is what they cost for the whole party."""
    if (int_loose(state.people) or 0) <= 0:
        return _never
    return lambda facts: _states_costs(facts, ("transportation", "meals", "attractions"))


def _room_costs(constraint: JsonObject, state: ReleaseTurnState) -> HardCheck:
    """What the plan states for accommodation is what its nights cost for all rooms."""
    if (int_loose(state.rooms) or 0) <= 0:
        return _never
    return lambda facts: _states_costs(facts, ("accommodation",))


def _states_costs(facts: PlanFacts, components: tuple[str, ...]) -> bool:
    return bool(facts.days) and all(_states_cost(facts, component) for component in components)


def _states_cost(facts: PlanFacts, component: str) -> bool:
    readable = (num_strict(facts.plan.budget.get(name)) for name in _STATED_COST_FIELDS[component])
    stated = next((value for value in readable if value is not None), None)
    computed: float = getattr(facts.cost, component)
    tolerance = max(COST_TOLERANCE_YUAN, COST_TOLERANCE_SHARE * computed)
    return stated is not None and abs(stated - computed) <= tolerance


def _intercity_mode(constraint: JsonObject, state: ReleaseTurnState) -> HardCheck:
    """There are intercity journeys, all of them by the agreed mode."""
    required = mode_class(state.route_mode or constraint.get("route_mode"))
    if required == "default":
        return _never
    return lambda facts: (
        bool(facts.intercity)
        and all(mode_class(activity.details.get("mode")) == required for activity in facts.intercity)
    )


def _budget(constraint: JsonObject, state: ReleaseTurnState) -> HardCheck:
    """The trip, as computed, costs no more than the cap."""
    cap = num_strict(constraint.get("max_budget"))
    if cap is None:
        return _never
    return lambda facts: bool(facts.days) and facts.cost.total <= cap


_BY_KEY: Mapping[str, Callable[[JsonObject, ReleaseTurnState], HardCheck]] = {
    "trip_date_range_required": _trip_date_range,
    "party_size_required": _party_costs,
    "party_composition_required": _party_costs,
    "room_count_required": _room_costs,
    "intercity_round_trip_mode_required": _intercity_mode,
    BUDGET: _budget,
}


# --- Flights and trains ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Service:
    """A flight or train that is acceptable one way; at any price if `price` is None."""

    number: str
    has_price: bool
    price: int | None


def _services(mode: Literal["flight", "train"], constraint: JsonObject) -> HardCheck:
    """Each way that names acceptable services has one of them, at its price where one is given."""
    ways = [_acceptable_services(constraint, mode, way) for way in ("outbound", "inbound")]
    return lambda facts: not facts.has_unreadable_day and all(not way or _has_service(facts, mode, way) for way in ways)


def _acceptable_services(constraint: JsonObject, mode: str, way: str) -> tuple[_Service, ...]:
    options = tuple(
        _Service(number, option.get("price") not in (None, ""), round_int(option.get("price")))
        for option in as_list(constraint.get(f"acceptable_{way}_{mode}_options"))
        if isinstance(option, dict) and (number := text(option.get(f"{mode}_no")))
    )
    if options:
        return options
    numbers = _names(constraint, f"acceptable_{way}_{mode}_nos", f"{way}_{mode}_no")
    return tuple(_Service(number, has_price=False, price=None) for number in numbers)


def _has_service(facts: PlanFacts, mode: ModeClass, acceptable: tuple[_Service, ...]) -> bool:
    for activity in facts.intercity:
        if mode_class(activity.details.get("mode")) != mode:
            continue
        number, cost = text(activity.details.get("number")), round_int(activity.details.get("cost"))
        for service in acceptable:
            if number == service.number and (not service.has_price or (cost is not None and cost == service.price)):
                return True
    return False


# --- Hotels, restaurants, attractions --------------------------------------------------------------------------------


def _hotel(constraint: JsonObject) -> HardCheck:
    """One of the acceptable hotels is the accommodation of some night."""
    names = _compared(constraint, "acceptable_hotel_names", "hotel_name")
    return lambda facts: not names.isdisjoint(facts.hotel_names)


def _restaurant(constraint: JsonObject) -> HardCheck:
    """One of the acceptable restaurants serves some meal."""
    names = _compared(constraint, "acceptable_restaurant_names", "restaurant_name")
    return lambda facts: not facts.has_unreadable_day and not names.isdisjoint(facts.restaurant_names)


def _attraction(constraint: JsonObject) -> HardCheck:
    """No banned attraction; or else one of the acceptable ones; or else all that are named."""
    banned = _compared(constraint, "banned_attraction_names")
    acceptable = _compared(constraint, "acceptable_attraction_names")
    named = _compared(constraint, "attraction_names")

    def check(facts: PlanFacts) -> bool:
        if facts.has_unreadable_day:
            return False
        if banned:
            return banned.isdisjoint(facts.attraction_names)
        if acceptable:
            return not acceptable.isdisjoint(facts.attraction_names)
        return bool(named) and named <= facts.attraction_names

    return check


_BY_PREFIX: Mapping[str, Callable[[JsonObject], HardCheck]] = {
    "flight_": partial(_services, "flight"),
    "train_": partial(_services, "train"),
    "hotel_": _hotel,
    "restaurant_": _restaurant,
    "attraction_": _attraction,
}


def acceptable_names(constraint: JsonObject, kind: Literal["restaurant", "hotel"]) -> frozenset[str]:
    """The compared names of which a constraint wants one."""
    return _compared(constraint, f"acceptable_{kind}_names", f"{kind}_name")


def _compared(constraint: JsonObject, key: str, single: str = "") -> frozenset[str]:
    return frozenset(norm(name) for name in _names(constraint, key, single))


def _names(constraint: JsonObject, key: str, single: str = "") -> Iterator[str]:
    names = [text(name) for name in as_list(constraint.get(key))]
    if not names and single:
        names = [text(constraint.get(single))]
    return (name for name in names if name)
