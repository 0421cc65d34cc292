"""What the published evaluator holds against the answer to one turn. (Trip+ 2.3, as released)

Everything is derived from the raw record of a task: which hard constraints are active, which ones the traveler's
updates add, who travels when, which reply is expected. The values stay as the record writes them, since the
published rules depend on how they are spelled.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from tripgauge.errors import UsageError
from tripgauge.trip_plus.release.primitives import JsonObject, int_loose, text

STATE_UPDATES = (
    "add_attraction",
    "party_update",
    "restaurant_requirement",
    "hotel_requirement",
    "budget_update",
    "schedule_update",
    "duration_update",
    "dietary_update",
    "late_start_request",
)
"""Kinds of user-state delta whose mere presence asks for an update, whether or not the turn lists it."""

BUDGET = "budget_constraint"
MOST_KEYWORDS = 12

_HINTS: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...] = (
    (
        ("budget", "cost", "price", "minimum cost", "total budget", "fare", "upper limit", "per night", "per person"),
        (
            "budget",
            "total budget",
            "cost",
            "fare",
            "price",
            "upper limit",
            "over budget",
            "exceed",
            "insufficient",
        ),
    ),
    (
        ("refuses", "relax", "hard", "constraint", "preserve", "unchanged", "do not relax"),
        (
            "hard constraint",
            "preserve",
            "unchanged",
            "do not relax",
            "infeasible",
            "no solution",
            "cannot satisfy",
        ),
    ),
    (("hotel", "accommodation"), ("accommodation", "hotel")),
    # "train" is also found in "constraint", so nearly every explanation gets these.
    (("transport", "train", "flight"), ("transport", "train", "flight")),
)
_FILLER_WORDS = frozenset(
    [
        "user",
        "refuses",
        "relax",
        "infeasible",
        "added",
        "condition",
        "request",
        "constraint",
        "constraints",
        "multi",
        "turn",
    ]
)


@dataclass(frozen=True)
class ReleaseTurnState:
    """The published ground truth of one turn; hidden from the agent."""

    record_id: str
    turn_id: int
    interaction_type: str
    expectation: str
    """The reply asked for, as the record spells it: `plan`, `clarification`, `conflict_resolution`, `no_solution`."""

    unsolved: bool
    people: object
    rooms: object
    days: object
    depart_date: object
    return_date: object
    route_mode: object
    party: JsonObject
    hard_constraints: Mapping[str, object]
    """Active constraints by key, in the order in which they are evaluated."""

    trip_constraints: Mapping[str, JsonObject]
    """Those among them that restate who travels when."""

    generated: Mapping[str, JsonObject]
    """Those that come from what the traveler added or changed since the first turn."""

    current_generated: tuple[str, ...]
    """Keys of those that this very turn added."""

    must_update: tuple[str, ...]
    """What this turn asks to change, stated or inferred from what it added."""

    stated_updates: tuple[str, ...]
    must_preserve: tuple[str, ...]
    blocking_constraints: tuple[str, ...]
    unsolved_reason: str
    keywords: tuple[str, ...]
    """Words that an explanation of a missing solution is matched against; none unless `unsolved`."""

    deltas: tuple[JsonObject, ...]
    current_deltas: tuple[JsonObject, ...]
    resolutions: tuple[JsonObject, ...]
    events: tuple[JsonObject, ...]
    profile_deltas: tuple[JsonObject, ...]
    verification: JsonObject
    base: JsonObject
    """The task as first stated (`base_query_meta`)."""


def as_object(value: object) -> JsonObject:
    """The value if it is a JSON object, else an empty one."""
    return value if isinstance(value, dict) else {}


def as_list(value: object) -> Sequence[object]:
    """The value if it is a JSON list, else an empty one."""
    return value if isinstance(value, list) else ()


def latest(items: Iterable[JsonObject], key: str) -> JsonObject:
    """The last object stored under `key` in any of the items; an empty object if there is none."""
    found: JsonObject = {}
    for item in items:
        value = item.get(key)
        if isinstance(value, dict):
            found = value
    return found


def turn_states(record: JsonObject) -> Iterator[ReleaseTurnState]:
    """The states of all turns of a record, in its order."""
    for turn in as_list(record.get("turns")):
        yield turn_state(record, _whole_number(as_object(turn).get("turn_id")))


def turn_state(record: JsonObject, turn_id: int) -> ReleaseTurnState:
    """What must hold after turn `turn_id` (from 0) of a released record. Raises UsageError if it has no such turn."""
    turn, previous = _find_turn(record, turn_id)
    oracle = as_object(turn.get("oracle_state_after_turn"))
    base = as_object(as_object(record.get("meta_info")).get("base_query_meta"))
    deltas = _objects(oracle.get("active_user_state_deltas"))
    before = _objects(as_object(previous.get("oracle_state_after_turn")).get("active_user_state_deltas"))
    current = _new_deltas(deltas, before)
    people, rooms, party = _party(base, deltas)
    days, return_date = _duration(base, deltas)
    trip = _trip_constraints(base, people, rooms, party, days, return_date)
    generated = _generated_constraints(base, deltas)
    expectation, unsolved = _expectation(turn, oracle)
    reason = str(turn.get("unsolved_reason") or "")
    blocking = _texts(turn.get("blocking_constraints"))
    stated = _texts(turn.get("must_update"))
    return ReleaseTurnState(
        record_id=str(record.get("id") or ""),
        turn_id=turn_id,
        interaction_type=str(record.get("interaction_type") or ""),
        expectation=expectation,
        unsolved=unsolved,
        people=people,
        rooms=rooms,
        days=days,
        depart_date=base.get("depart_date"),
        return_date=return_date,
        route_mode=base.get("route_mode"),
        party=party,
        hard_constraints={**_active_base_constraints(base, oracle), **generated, **trip},
        trip_constraints=trip,
        generated=generated,
        current_generated=_current_generated(generated, current),
        must_update=_with_inferred_updates(stated, current),
        stated_updates=stated,
        must_preserve=_texts(turn.get("must_preserve")),
        blocking_constraints=blocking,
        unsolved_reason=reason,
        keywords=no_solution_keywords(reason, blocking) if unsolved else (),
        deltas=deltas,
        current_deltas=current,
        resolutions=_objects(oracle.get("active_request_resolutions")),
        events=_objects(oracle.get("active_environment_events")),
        profile_deltas=_objects(oracle.get("active_profile_deltas")),
        verification=as_object(turn.get("verification_oracle")),
        base=base,
    )


def no_solution_keywords(reason: str, blocking: Sequence[str]) -> tuple[str, ...]:
    """At most twelve words and phrases of which an explanation should use two, most specific first."""
    told = " ".join((reason, *blocking)).lower()
    candidates = list(blocking)
    for signs, words in _HINTS:
        if any(sign in told for sign in signs):
            candidates.extend(words)
    for word in reason.replace("-", " ").replace("_", " ").split():
        if len(word) >= 4 and word.lower() not in _FILLER_WORDS:
            candidates.append(word)
    distinct: dict[str, str] = {}
    for candidate in candidates:
        folded = "".join(candidate.lower().split())
        if folded:
            distinct.setdefault(folded, candidate)
    return tuple(distinct.values())[:MOST_KEYWORDS]


def _find_turn(record: JsonObject, turn_id: int) -> tuple[JsonObject, JsonObject]:
    previous: JsonObject = {}
    for item in as_list(record.get("turns")):
        turn = as_object(item)
        if turn.get("turn_id") == turn_id:
            return turn, previous
        previous = turn
    raise UsageError(f"{record.get('id')} has no turn {turn_id}.")


def _objects(value: object) -> tuple[JsonObject, ...]:
    return tuple(item for item in as_list(value) if isinstance(item, dict))


def _texts(value: object) -> tuple[str, ...]:
    return tuple(str(item) for item in as_list(value))


def _expectation(turn: JsonObject, oracle: JsonObject) -> tuple[str, bool]:
    expectation = turn.get("response_expectation") or oracle.get("response_expectation") or "plan"
    status = turn.get("feasibility_status") or oracle.get("feasibility_status") or "solved"
    expectation = str(expectation).strip().lower()
    unsolved = expectation in ("infeasible", "no_solution") or str(status).strip().lower() == "unsolved"
    return ("no_solution" if unsolved else expectation), unsolved


def _new_deltas(now: tuple[JsonObject, ...], before: tuple[JsonObject, ...]) -> tuple[JsonObject, ...]:
    known = {_canonical(delta) for delta in before}
    return tuple(delta for delta in now if _canonical(delta) not in known)


def _canonical(delta: JsonObject) -> str:
    return json.dumps(delta, sort_keys=True, ensure_ascii=False)


def _with_inferred_updates(stated: tuple[str, ...], current: tuple[JsonObject, ...]) -> tuple[str, ...]:
    inferred = [key for delta in current for key in delta if key in STATE_UPDATES]
    return tuple(dict.fromkeys((*stated, *inferred)))


def _active_base_constraints(base: JsonObject, oracle: JsonObject) -> Mapping[str, object]:
    # An empty list of active keys means that nothing was deactivated, not that nothing is active.
    constraints = as_object(base.get("hard_constraints"))
    active = as_list(oracle.get("active_hard_constraints"))
    return {key: value for key, value in constraints.items() if not active or key in active}


def _party(base: JsonObject, deltas: tuple[JsonObject, ...]) -> tuple[object, object, JsonObject]:
    """People, rooms and composition after every party update so far."""
    people, rooms = base.get("people_number"), base.get("room_number")
    party: JsonObject = as_object(as_object(base.get("observable_profile")).get("party_composition"))
    for delta in deltas:
        update = as_object(delta.get("party_update"))
        if _given(update.get("new_people_number")):
            people = update["new_people_number"]
            party = _resized_party(party, _whole_number(people), update)
        if _given(update.get("new_room_number")):
            rooms = update["new_room_number"]
    return people, rooms, party


def _whole_number(value: object) -> int:
    return int_loose(value) or 0


def _given(value: object) -> bool:
    return value is not None and value != ""


def _resized_party(party: JsonObject, target: int, update: JsonObject) -> JsonObject:
    adults = _whole_number(party.get("adults"))
    children, elders = list(as_list(party.get("children"))), list(as_list(party.get("elders")))
    missing = target - adults - len(children) - len(elders)
    subtype = update.get("party_subtype")
    if missing > 0 and subtype == "child_added":
        count = _added(update.get("added_children"), missing)
        children.extend({"age": None, "note": "added in user turn"} for _ in range(count))
    elif missing > 0 and subtype == "elder_added":
        count = _added(update.get("added_elders"), missing)
        elders.extend({"age": None, "mobility_note": "added in user turn"} for _ in range(count))
    elif missing > 0:
        adults += missing
    elif missing < 0:
        leaving = -missing
        adults_leaving = min(adults, leaving)
        adults -= adults_leaving
        leaving -= adults_leaving
        elders_leaving = min(len(elders), leaving)
        elders = elders[: len(elders) - elders_leaving]
        children = children[: max(0, len(children) - (leaving - elders_leaving))]
    return {**party, "adults": adults, "children": children, "elders": elders}


def _added(stated: object, missing: int) -> int:
    return max(1, min(missing, _whole_number(stated) or missing))


def _duration(base: JsonObject, deltas: tuple[JsonObject, ...]) -> tuple[object, object]:
    """Number of days and date of return after the last change of duration, if any."""
    days, return_date = base.get("days"), base.get("return_date")
    update = latest(deltas, "duration_update")
    new_days, new_return = update.get("new_days"), update.get("new_return_date")
    if _given(new_days):
        days = new_days
        return_date = _date_after(base.get("depart_date"), _whole_number(new_days) - 1) or return_date
    if new_return:
        return_date = new_return
    return days, return_date


def _date_after(start: object, days: int) -> str | None:
    try:
        return (date.fromisoformat(str(start).strip()) + timedelta(days=days)).isoformat()
    except (ValueError, OverflowError):
        return None


def _trip_constraints(
    base: JsonObject, people: object, rooms: object, party: JsonObject, days: object, return_date: object
) -> Mapping[str, JsonObject]:
    """The constraints that restate who travels when and how; they hold on every turn."""
    depart, back, day_count = text(base.get("depart_date")), text(return_date), _whole_number(days)
    people_number, room_number = _whole_number(people), _whole_number(rooms)
    route_mode = text(base.get("route_mode")).lower()
    constraints: dict[str, JsonObject] = {}
    if depart and back and day_count:
        constraints["trip_date_range_required"] = {"depart_date": depart, "return_date": back, "days": day_count}
    if people_number:
        constraints["party_size_required"] = {"people_number": people_number}
    if room_number:
        constraints["room_count_required"] = {"room_number": room_number}
    if route_mode in ("flight", "train"):
        constraints["intercity_round_trip_mode_required"] = {
            "route_mode": route_mode,
            "origin": base.get("org"),
            "destinations": base.get("dest"),
        }
    if people_number and (as_list(party.get("children")) or as_list(party.get("elders"))):
        constraints["party_composition_required"] = {"people_number": people_number, "party_composition": party}
    return constraints


def attraction_name(delta: JsonObject) -> str:
    """The attraction a delta adds; empty if it adds none."""
    return text(as_object(delta.get("add_attraction")).get("name"))


def restaurant_name(delta: JsonObject) -> str:
    """The restaurant a delta asks for; empty if it asks for none."""
    return _requested_name(as_object(delta.get("restaurant_requirement")), "restaurant_name")


def hotel_name(delta: JsonObject) -> str:
    """The hotel a delta asks for; empty if it asks for none."""
    return _requested_name(as_object(delta.get("hotel_requirement")), "hotel_name")


def _requested_name(requirement: JsonObject, key: str) -> str:
    reference = as_object(requirement.get("candidate_reference"))
    return text(requirement.get(key) or reference.get("name"))


def _generated_constraints(base: JsonObject, deltas: tuple[JsonObject, ...]) -> Mapping[str, JsonObject]:
    """Constraints made from what the traveler added so far: attractions, restaurants, hotels, then the budget."""
    added: dict[str, JsonObject] = {}
    for kind, name_of, constraint in (
        ("attraction", attraction_name, _added_attraction),
        ("restaurant", restaurant_name, _added_restaurant),
        ("hotel", hotel_name, _added_hotel),
    ):
        named: dict[str, JsonObject] = {}
        for delta in deltas:
            name = name_of(delta)
            if name:
                named.setdefault(name, constraint(name, delta))
        for number, value in enumerate(named.values(), start=1):
            added[f"{kind}_turn_added_{number}"] = value
    budget = latest(deltas, "budget_update")
    if budget.get("new_max_budget") is not None:
        added[BUDGET] = _new_budget(as_object(as_object(base.get("hard_constraints")).get(BUDGET)), budget)
    return added


def _added_attraction(name: str, delta: JsonObject) -> JsonObject:
    request = as_object(delta.get("add_attraction"))
    return {
        "constraint_type": "turn_added_must_visit",
        "attraction_names": [name],
        "source": request.get("source") or "turn_state_delta",
        "insert_day": request.get("insert_day"),
    }


def _added_restaurant(name: str, delta: JsonObject) -> JsonObject:
    request = as_object(delta.get("restaurant_requirement"))
    reference = as_object(request.get("candidate_reference"))
    return {
        "constraint_type": "turn_added_restaurant_requirement",
        "restaurant_name": name,
        "acceptable_restaurant_names": reference.get("acceptable_restaurant_names") or [name],
        "attraction_name": request.get("anchor") or reference.get("nearby_attraction"),
        "cuisine_type": request.get("cuisine_type") or reference.get("cuisine_type"),
        "meal_day": request.get("meal_day"),
        "meal_type": request.get("meal_type"),
        "source": reference.get("source") or "turn_state_delta",
    }


def _added_hotel(name: str, delta: JsonObject) -> JsonObject:
    reference = as_object(as_object(delta.get("hotel_requirement")).get("candidate_reference"))
    return {
        "constraint_type": "turn_added_hotel_requirement",
        "hotel_name": name,
        "acceptable_hotel_names": reference.get("acceptable_hotel_names") or [name],
        "requirement_type": reference.get("requirement_type"),
        "hotel_star": reference.get("hotel_star"),
        "hotel_score": reference.get("score"),
        "hotel_price": reference.get("price"),
        "required_service_label": reference.get("required_service_label"),
        "services": reference.get("services") or [],
        "source": reference.get("source") or "turn_state_delta",
    }


def _new_budget(old: JsonObject, update: JsonObject) -> JsonObject:
    budget: dict[str, object] = {
        **old,
        "constraint_type": "budget_range_total",
        "max_budget": update.get("new_max_budget"),
        "source": update.get("source") or "turn_state_delta",
    }
    for key in ("minimum_feasible_budget", "budget_slack_ratio"):
        if update.get(key) is not None:
            budget[key] = update[key]
    if budget.get("min_budget") is None and update.get("minimum_feasible_budget") is not None:
        budget["min_budget"] = update["minimum_feasible_budget"]
    return budget


def _current_generated(generated: Mapping[str, JsonObject], current: tuple[JsonObject, ...]) -> tuple[str, ...]:
    names = {name_of(delta) for delta in current for name_of in (attraction_name, restaurant_name, hotel_name)}
    names.discard("")
    budget_changed = any("budget_update" in delta for delta in current)
    return tuple(
        key
        for key, constraint in generated.items()
        if (budget_changed if key == BUDGET else not names.isdisjoint(_own_names(constraint)))
    )


def _own_names(constraint: JsonObject) -> Iterator[str]:
    yield from _texts(constraint.get("attraction_names"))
    yield text(constraint.get("restaurant_name"))
    yield text(constraint.get("hotel_name"))
