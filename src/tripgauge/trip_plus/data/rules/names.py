"""Every place and service that a task names, with where it stands in the record."""

from collections.abc import Iterator
from dataclasses import dataclass

from tripgauge.trip_plus.data.tables import ATTRACTIONS, FLIGHTS, HOTELS, RESTAURANTS, TRAINS, TableKind
from tripgauge.trip_plus.tasks.queries import (
    CandidateReference,
    ConstraintRecord,
    EnvironmentEvent,
    QueryRecord,
    ServiceOption,
    TurnRecord,
    UserStateDelta,
)


@dataclass(frozen=True)
class NamedPlace:
    """A hotel, restaurant or attraction that a record names."""

    kind: TableKind
    name: str
    field: str


@dataclass(frozen=True)
class NamedService:
    """A flight or train that a record names, with what it says of it."""

    kind: TableKind
    number: str
    is_outbound: bool
    field: str
    option: ServiceOption | None = None


def constraint_field(key: str) -> str:
    """Where a hard constraint stands in a record."""
    return f"hard_constraints.{key}"


def places_of_constraint(key: str, constraint: ConstraintRecord) -> Iterator[NamedPlace]:
    """Places a hard constraint names."""
    where = constraint_field(key)
    for kind, field, names in (
        (HOTELS, "hotel_name", (constraint.hotel_name,)),
        (HOTELS, "acceptable_hotel_names", constraint.acceptable_hotel_names),
        (HOTELS, "acceptable_hotel_options", [it.hotel_name for it in constraint.acceptable_hotel_options or ()]),
        (RESTAURANTS, "restaurant_name", (constraint.restaurant_name,)),
        (RESTAURANTS, "acceptable_restaurant_names", constraint.acceptable_restaurant_names),
        (
            RESTAURANTS,
            "acceptable_restaurant_options",
            [it.restaurant_name for it in constraint.acceptable_restaurant_options or ()],
        ),
        (ATTRACTIONS, "attraction_name", (constraint.attraction_name,)),
        (ATTRACTIONS, "attraction_names", constraint.attraction_names),
        (ATTRACTIONS, "acceptable_attraction_names", constraint.acceptable_attraction_names),
        (
            ATTRACTIONS,
            "acceptable_attraction_options",
            [it.attraction_name for it in constraint.acceptable_attraction_options or ()],
        ),
        (ATTRACTIONS, "banned_attraction_names", constraint.banned_attraction_names),
        (
            ATTRACTIONS,
            "banned_attraction_options",
            [it.attraction_name for it in constraint.banned_attraction_options or ()],
        ),
    ):
        for name in names or ():
            if name:
                yield NamedPlace(kind, name, f"{where}.{field}")


def required_attractions(constraint: ConstraintRecord) -> tuple[str, ...]:
    """Attractions that a hard constraint wants visited, every one of them or one of them."""
    return (*(constraint.attraction_names or ()), *(constraint.acceptable_attraction_names or ()))


def new_deltas(record: QueryRecord) -> Iterator[tuple[TurnRecord, int, UserStateDelta]]:
    """What the traveler changed, each change once: at the turn it appears, with its place in the list."""
    seen = 0
    for turn in record.turns:
        deltas = turn.oracle_state_after_turn.active_user_state_deltas
        for index in range(seen, len(deltas)):
            yield turn, index, deltas[index]
        seen = max(seen, len(deltas))


def new_events(record: QueryRecord) -> Iterator[tuple[TurnRecord, EnvironmentEvent]]:
    """Events, each once: at the turn it appears."""
    seen = 0
    for turn in record.turns:
        events = turn.oracle_state_after_turn.active_environment_events
        for event in events[seen:]:
            if isinstance(event, EnvironmentEvent):
                yield turn, event
        seen = max(seen, len(events))


def places_of_deltas(record: QueryRecord) -> Iterator[NamedPlace]:
    """Places the traveler asks for on the way."""
    for turn, _, delta in new_deltas(record):
        where = f"turns[{turn.turn_id}]"
        if delta.add_attraction:
            yield NamedPlace(ATTRACTIONS, delta.add_attraction.name, f"{where}.add_attraction.name")
        if delta.restaurant_requirement:
            asked = delta.restaurant_requirement
            field = f"{where}.restaurant_requirement"
            yield NamedPlace(RESTAURANTS, asked.restaurant_name, f"{field}.restaurant_name")
            if asked.anchor:
                yield NamedPlace(ATTRACTIONS, asked.anchor, f"{field}.anchor")
            yield from _reference(asked.candidate_reference, field)
        if delta.hotel_requirement:
            field = f"{where}.hotel_requirement"
            yield NamedPlace(HOTELS, delta.hotel_requirement.hotel_name, f"{field}.hotel_name")
            yield from _reference(delta.hotel_requirement.candidate_reference, field)


def _reference(reference: CandidateReference | None, where: str) -> Iterator[NamedPlace]:
    if reference is None:
        return
    for kind, names in (
        (RESTAURANTS, reference.acceptable_restaurant_names),
        (HOTELS, reference.acceptable_hotel_names),
    ):
        for name in names or ():
            yield NamedPlace(kind, name, f"{where}.candidate_reference.{kind.name}")


def places_of_events(record: QueryRecord) -> Iterator[NamedPlace]:
    """Attractions that events are about."""
    for turn, event in new_events(record):
        where = f"turns[{turn.turn_id}].{event.factor}"
        for adjustment in event.expected_adjustments:
            for name in (adjustment.target or "", *(adjustment.target_attractions or ())):
                if name:
                    yield NamedPlace(ATTRACTIONS, name, f"{where}.{adjustment.check}")


def places_of(record: QueryRecord) -> Iterator[NamedPlace]:
    """Every place a record names, in its order."""
    for key, constraint in record.base.hard_constraints.items():
        yield from places_of_constraint(key, constraint)
    yield from places_of_deltas(record)
    yield from places_of_events(record)


def services_of_constraint(key: str, constraint: ConstraintRecord) -> Iterator[NamedService]:
    """Flights and trains a hard constraint names."""
    where = constraint_field(key)
    for kind, is_outbound, field, numbers, options in (
        (
            FLIGHTS,
            True,
            "acceptable_outbound_flight",
            constraint.acceptable_outbound_flight_nos,
            constraint.acceptable_outbound_flight_options,
        ),
        (
            FLIGHTS,
            False,
            "acceptable_inbound_flight",
            constraint.acceptable_inbound_flight_nos,
            constraint.acceptable_inbound_flight_options,
        ),
        (
            TRAINS,
            True,
            "acceptable_outbound_train",
            constraint.acceptable_outbound_train_nos,
            constraint.acceptable_outbound_train_options,
        ),
        (
            TRAINS,
            False,
            "acceptable_inbound_train",
            constraint.acceptable_inbound_train_nos,
            constraint.acceptable_inbound_train_options,
        ),
    ):
        for number in numbers or ():
            yield NamedService(kind, number, is_outbound, f"{where}.{field}_nos")
        for option in options or ():
            number = option.flight_no or option.train_no
            yield NamedService(kind, number, is_outbound, f"{where}.{field}_options", option)
