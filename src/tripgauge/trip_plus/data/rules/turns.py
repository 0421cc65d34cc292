"""Rules about the turns of one task: what changes, what must hold, what is expected. (Trip+ 2.3)"""

from collections.abc import Iterator
from itertools import pairwise

from tripgauge.trip_plus.data.rules.names import constraint_field, new_deltas, new_events
from tripgauge.trip_plus.data.rules.rule import Problem, RuleBook, some
from tripgauge.trip_plus.data.tables import minute_of_day
from tripgauge.trip_plus.itinerary import Mode
from tripgauge.trip_plus.tasks.queries import (
    Adjustment,
    QueryRecord,
    TurnRecord,
    UserStateDelta,
    frame_after,
    frame_of,
    mode_of,
    rooms_for,
)

TURNS: RuleBook[QueryRecord] = RuleBook("the turns of a task")

NEVER_ACTIVE = ("party_size_required", "party_composition_required")
"""Constraints that are restated at every turn instead of being listed."""

RESTATED = (*NEVER_ACTIVE, "trip_date_range_required", "room_count_required", "intercity_round_trip_mode_required")
"""Constraints that follow from the trip, so that a task need not hold them."""

PARTS = {
    "Morning": (480, 720),
    "Noon": (660, 840),
    "Afternoon": (840, 1020),
    "Evening": (1020, 1140),
}
"""Parts of a day as minutes after midnight."""


def _at(turn: TurnRecord, field: str = "") -> str:
    return f"turns[{turn.turn_id}].{field}".rstrip(".")


@TURNS.error
def first_turn_is_the_query(record: QueryRecord) -> Iterator[Problem]:
    """The query is what the traveler says first."""
    if record.turns[0].utterance != record.query:
        yield Problem("query", "another text", "the first utterance differs from it")


@TURNS.error
def every_turn_says_something(record: QueryRecord) -> Iterator[Problem]:
    """Every turn has an utterance."""
    for turn in record.turns:
        if not turn.utterance.strip():
            yield Problem(_at(turn, "utterance"), "empty", "the agent is told nothing")


@TURNS.error
def every_turn_can_be_graded(record: QueryRecord) -> Iterator[Problem]:
    """A turn asks for something: an update that is checked or an answer other than a plan."""
    for turn in record.turns:
        if not turn.must_update and mode_of(turn) is Mode.PLAN:
            yield Problem(_at(turn, "must_update"), "empty", "nothing new would be graded at this turn")


@TURNS.error
def changes_are_kept(record: QueryRecord) -> Iterator[Problem]:
    """What was changed, settled or struck stays: each list of a turn begins with the one of the turn before."""
    for before, now in pairwise(record.turns):
        for field in ("active_user_state_deltas", "active_request_resolutions", "active_environment_events"):
            old = getattr(before.oracle_state_after_turn, field)
            new = getattr(now.oracle_state_after_turn, field)
            if new[: len(old)] != old:
                yield Problem(
                    _at(now, field), f"{len(new)} items", f"it does not begin with the {len(old)} of the turn before"
                )


@TURNS.error
def active_constraint_exists(record: QueryRecord) -> Iterator[Problem]:
    """An active or preserved constraint is one that the task has."""
    for turn in record.turns:
        for field, keys in (
            ("active_hard_constraints", turn.oracle_state_after_turn.active_hard_constraints),
            ("must_preserve", turn.must_preserve),
        ):
            for key in keys:
                if key not in record.base.hard_constraints and key not in RESTATED:
                    yield Problem(_at(turn, field), key, "the task has no such constraint")


@TURNS.error
def constraint_is_active_from_the_start(record: QueryRecord) -> Iterator[Problem]:
    """Every constraint of the task is active at the first turn; otherwise nothing grades it."""
    active = record.turns[0].oracle_state_after_turn.active_hard_constraints
    for key in record.base.hard_constraints:
        if active and key not in active and key not in NEVER_ACTIVE:
            yield Problem(constraint_field(key), "not active at the first turn", "nothing grades it")


@TURNS.error
def constraint_ends_by_an_event(record: QueryRecord) -> Iterator[Problem]:
    """A constraint stays active unless an event of that turn ends it."""
    for before, now in pairwise(record.turns):
        ended = {
            key for turn, event in new_events(record) if turn is now for key in event.deactivates_hard_constraints or ()
        }
        old = before.oracle_state_after_turn.active_hard_constraints
        new = now.oracle_state_after_turn.active_hard_constraints
        for key in old:
            if key not in new and key not in ended:
                yield Problem(_at(now, "active_hard_constraints"), f"{key} is gone", "no event of the turn ends it")
        for key in ended & set(new):
            yield Problem(_at(now, "active_hard_constraints"), f"{key} is still active", "an event of the turn ends it")


@TURNS.error
def what_must_be_preserved_was_active(record: QueryRecord) -> Iterator[Problem]:
    """What must be preserved at a turn was active at the turn before and still is."""
    for before, now in pairwise(record.turns):
        both = set(before.oracle_state_after_turn.active_hard_constraints) & set(
            now.oracle_state_after_turn.active_hard_constraints
        )
        for key in now.must_preserve:
            if key not in both:
                yield Problem(_at(now, "must_preserve"), key, "it was not active before, or is no longer")


@TURNS.warning
def what_stays_active_is_preserved(record: QueryRecord) -> Iterator[Problem]:
    """What was active and still is must be preserved, unless the turn changes it."""
    for before, now in pairwise(record.turns):
        both = [
            key
            for key in before.oracle_state_after_turn.active_hard_constraints
            if key in now.oracle_state_after_turn.active_hard_constraints
        ]
        left = [key for key in both if key not in now.must_preserve]
        if left:
            yield Problem(_at(now, "must_preserve"), f"without {some(left)}", "it is active before and after the turn")


@TURNS.error
def status_fits_the_answer(record: QueryRecord) -> Iterator[Problem]:
    """A turn is unsolved exactly if "no solution" is the right answer."""
    for turn in record.turns:
        refuses = turn.response_expectation in ("no_solution", "infeasible")
        if refuses != (turn.feasibility_status == "unsolved"):
            yield Problem(
                _at(turn, "feasibility_status"), turn.feasibility_status, f"{turn.response_expectation} is expected"
            )


@TURNS.error
def refusal_has_a_reason(record: QueryRecord) -> Iterator[Problem]:
    """A turn without a solution says why there is none."""
    for turn in record.turns:
        if mode_of(turn) is Mode.NO_SOLUTION and not turn.unsolved_reason:
            yield Problem(_at(turn, "unsolved_reason"), "empty", "any explanation would pass")


@TURNS.warning
def question_has_a_cause(record: QueryRecord) -> Iterator[Problem]:
    """A turn that asks for a clarification says what blocks a plan."""
    for turn in record.turns:
        if mode_of(turn) is not Mode.PLAN and not turn.blocking_constraints:
            yield Problem(_at(turn, "blocking_constraints"), "empty", f"{turn.response_expectation} is expected")


@TURNS.error
def new_party_follows_from_the_old(record: QueryRecord) -> Iterator[Problem]:
    """An update of the party adds or removes as many as it says."""
    for turn, index, delta in new_deltas(record):
        update = delta.party_update
        if update is None or update.new_people_number is None:
            continue
        deltas = turn.oracle_state_after_turn.active_user_state_deltas
        before = frame_after(frame_of(record.base), deltas[:index]).people
        joining = update.added_children or update.added_elders or 1
        change = -(update.removed_members or 1) if update.party_subtype == "member_removed" else joining
        if update.new_people_number != before + change:
            what = f"{update.new_people_number} after {update.party_subtype}"
            yield Problem(_at(turn, "party_update.new_people_number"), what, f"they were {before}")


@TURNS.error
def new_rooms_follow_from_the_party(record: QueryRecord) -> Iterator[Problem]:
    """An update of the party has one room for every two people."""
    for turn, _, delta in new_deltas(record):
        update = delta.party_update
        if update and update.new_people_number and update.new_room_number is not None:
            right = rooms_for(update.new_people_number)
            if update.new_room_number != right:
                what, why = str(update.new_room_number), f"{update.new_people_number} people need {right}"
                yield Problem(_at(turn, "party_update.new_room_number"), what, why)


@TURNS.error
def change_names_a_day_of_the_trip(record: QueryRecord) -> Iterator[Problem]:
    """A day that a change or an event names is a day of the trip."""
    for turn, field, day in (*_days_of_deltas(record), *_days_of_events(record)):
        days = frame_after(frame_of(record.base), turn.oracle_state_after_turn.active_user_state_deltas).days
        if day is not None and not 1 <= day <= days:
            yield Problem(_at(turn, field), f"day {day}", f"the trip has {days} days")


def _days_of_deltas(record: QueryRecord) -> Iterator[tuple[TurnRecord, str, int | None]]:
    for turn, _, delta in new_deltas(record):
        if delta.add_attraction:
            yield turn, "add_attraction.insert_day", delta.add_attraction.insert_day
        if delta.schedule_update:
            yield turn, "schedule_update.day", delta.schedule_update.day
        if delta.late_start_request:
            yield turn, "late_start_request.day", delta.late_start_request.day
        if delta.restaurant_requirement:
            yield turn, "restaurant_requirement.meal_day", delta.restaurant_requirement.meal_day


def _days_of_events(record: QueryRecord) -> Iterator[tuple[TurnRecord, str, int | None]]:
    for turn, event in new_events(record):
        for adjustment in event.expected_adjustments:
            yield turn, f"{event.factor}.{adjustment.check}.day", adjustment.day


@TURNS.error
def clock_and_minutes_agree(record: QueryRecord) -> Iterator[Problem]:
    """A time of day in words is the one in minutes."""
    for turn, _, delta in new_deltas(record):
        for field, clock, minutes in _times_twice(delta):
            if clock is not None and minutes is not None and minute_of_day(clock) != minutes:
                yield Problem(_at(turn, field), f"{clock} and minute {minutes}", "these are different times")


def _times_twice(delta: UserStateDelta) -> Iterator[tuple[str, str | None, int | None]]:
    late, schedule = delta.late_start_request, delta.schedule_update
    if late:
        yield "late_start_request", late.earliest_start_time, late.earliest_start_minutes
    if schedule:
        yield "schedule_update", schedule.latest_formal_end_time, schedule.latest_formal_end_minutes


@TURNS.error
def window_runs_forward(record: QueryRecord) -> Iterator[Problem]:
    """A window of time has two ends, in order, within one day."""
    for turn, field, window in _windows(record):
        if len(window) != 2 or not 0 <= window[0] < window[1] <= 1440:
            yield Problem(_at(turn, field), str(list(window)), "a window is two minutes of a day in order")


def _windows(record: QueryRecord) -> Iterator[tuple[TurnRecord, str, tuple[int, ...]]]:
    for turn, _, delta in new_deltas(record):
        if delta.schedule_update and delta.schedule_update.rest_window:
            yield turn, "schedule_update.rest_window", delta.schedule_update.rest_window
    for turn, event in new_events(record):
        for adjustment in event.expected_adjustments:
            for window in (adjustment.time_window, adjustment.peak_window):
                if window is not None:
                    yield turn, f"{event.factor}.{adjustment.check}", window


@TURNS.warning
def part_of_the_day_is_its_window(record: QueryRecord) -> Iterator[Problem]:
    """The part of the day that an event names is that of its window."""
    for turn, event in new_events(record):
        for adjustment in event.expected_adjustments[:1]:
            if adjustment.part and adjustment.time_window and not _is_part(adjustment):
                what = f'"{adjustment.part}"'
                yield Problem(
                    _at(turn, f"{event.factor}.part"), what, f"its window is minutes {list(adjustment.time_window)}"
                )


def _is_part(adjustment: Adjustment) -> bool:
    low, high = PARTS.get(adjustment.part or "", (0, 0))
    window = adjustment.time_window or ()
    return len(window) == 2 and low <= window[0] < window[1] <= high


@TURNS.warning
def meal_is_written_one_way(record: QueryRecord) -> Iterator[Problem]:
    """A requested meal is written "Lunch" or "Dinner"."""
    for turn, _, delta in new_deltas(record):
        meal = delta.restaurant_requirement.meal_type if delta.restaurant_requirement else None
        if meal is not None and meal not in ("Lunch", "Dinner"):
            yield Problem(
                _at(turn, "restaurant_requirement.meal_type"), f'"{meal}"', "other records write it with a capital"
            )


@TURNS.error
def requested_place_is_acceptable(record: QueryRecord) -> Iterator[Problem]:
    """A restaurant or hotel that is asked for is among those that meet the request."""
    for turn, _, delta in new_deltas(record):
        meal, hotel = delta.restaurant_requirement, delta.hotel_requirement
        meal_names = meal.candidate_reference.acceptable_restaurant_names if meal and meal.candidate_reference else None
        hotel_names = hotel.candidate_reference.acceptable_hotel_names if hotel and hotel.candidate_reference else None
        for field, name, names in (
            ("restaurant_requirement", meal and meal.restaurant_name, meal_names),
            ("hotel_requirement", hotel and hotel.hotel_name, hotel_names),
        ):
            if name and names is not None and name not in names:
                yield Problem(_at(turn, field), name, f"acceptable are {some(names)}")


@TURNS.warning
def added_attraction_is_new(record: QueryRecord) -> Iterator[Problem]:
    """An attraction that is added was not required before."""
    required = {
        name: key
        for key, it in record.base.hard_constraints.items()
        for name in (*(it.acceptable_attraction_names or ()), *(it.attraction_names or ()))
    }
    for turn, _, delta in new_deltas(record):
        if delta.add_attraction and delta.add_attraction.name in required:
            why = f"{required[delta.add_attraction.name]} names it already"
            yield Problem(_at(turn, "add_attraction.name"), f'"{delta.add_attraction.name}"', why)


@TURNS.error
def new_budget_can_be_met(record: QueryRecord) -> Iterator[Problem]:
    """A new cap is not below the least the trip can cost."""
    for turn, _, delta in new_deltas(record):
        update = delta.budget_update
        if update is None or update.new_max_budget is None or update.minimum_feasible_budget is None:
            continue
        if update.new_max_budget < update.minimum_feasible_budget:
            why = f"the trip costs at least {update.minimum_feasible_budget:g}"
            yield Problem(_at(turn, "budget_update.new_max_budget"), f"{update.new_max_budget:g}", why)


@TURNS.error
def old_budget_was_the_budget(record: QueryRecord) -> Iterator[Problem]:
    """The cap that a new one replaces is the one the task had."""
    cap = (
        record.base.hard_constraints["budget_constraint"].max_budget
        if "budget_constraint" in record.base.hard_constraints
        else None
    )
    for turn, _, delta in new_deltas(record):
        if delta.budget_update:
            if delta.budget_update.old_max_budget != cap:
                what = str(delta.budget_update.old_max_budget)
                yield Problem(_at(turn, "budget_update.old_max_budget"), what, f"the cap was {cap}")
            cap = delta.budget_update.new_max_budget


@TURNS.error
def banned_words_differ(record: QueryRecord) -> Iterator[Problem]:
    """Words that a meal must not contain are different words; a list of one text forbids nothing of the kind."""
    for turn, _, delta in new_deltas(record):
        words = delta.dietary_update.banned_keywords if delta.dietary_update else None
        if words is not None and len(words) > 1 and len(set(words)) == 1:
            yield Problem(
                _at(turn, "dietary_update.banned_keywords"), f'{len(words)} times "{words[0]}"', "no meal contains it"
            )


@TURNS.error
def conflict_is_with_a_constraint(record: QueryRecord) -> Iterator[Problem]:
    """A new cap conflicts with a constraint the task has, and lies below what that costs."""
    for turn in record.turns:
        for resolution in turn.oracle_state_after_turn.active_request_resolutions:
            conflict = resolution.prior_request_conflict
            if conflict is None:
                continue
            if conflict.blocking_constraint not in record.base.hard_constraints:
                yield Problem(
                    _at(turn, "prior_request_conflict"), conflict.blocking_constraint, "the task has no such constraint"
                )
            if (
                conflict.new_cap is not None
                and conflict.observed_value is not None
                and conflict.new_cap >= conflict.observed_value
            ):
                why = f"the earlier requirement costs {conflict.observed_value:g}, so there is no conflict"
                yield Problem(_at(turn, "prior_request_conflict.new_cap"), f"{conflict.new_cap:g}", why)


@TURNS.warning
def conflict_is_with_the_profile(record: QueryRecord) -> Iterator[Problem]:
    """A request for many sights conflicts with the pace of the profile only if that is relaxed."""
    pace = next((rule for rule in record.base.user_profile.rules if rule.rule_id == "schedule_pacing"), None)
    variants = (pace.preference_variants or ()) if pace else ()
    seen = 0
    for turn in record.turns:
        resolutions = turn.oracle_state_after_turn.active_request_resolutions
        for resolution in resolutions[seen:]:
            request = resolution.ambiguous_or_conflicting_request
            if request and "schedule_pacing" in request.conflicts_with_profile_rules and "relaxed" not in variants:
                why = f"the pace of the profile is {some(variants) or 'not said'}"
                yield Problem(_at(turn, "conflicts_with_profile_rules"), "schedule_pacing", why)
        seen = max(seen, len(resolutions))


@TURNS.error
def event_is_of_the_destination(record: QueryRecord) -> Iterator[Problem]:
    """An event takes place in a city of the trip."""
    for turn, event in new_events(record):
        if event.city and event.city not in (*record.base.dest, record.base.org):
            yield Problem(_at(turn, f"{event.factor}.city"), event.city, f"the trip leads to {some(record.base.dest)}")


@TURNS.error
def event_has_content(record: QueryRecord) -> Iterator[Problem]:
    """An event is an object with at least one thing a plan must do about it."""
    for turn in record.turns:
        for event in turn.oracle_state_after_turn.active_environment_events:
            if isinstance(event, str):
                yield Problem(_at(turn, "active_environment_events"), f'"{event}"', "a text is no event")
    for turn, event in new_events(record):
        if not event.expected_adjustments:
            yield Problem(_at(turn, f"{event.factor}.expected_adjustments"), "empty", "nothing about it is graded")


@TURNS.error
def event_names_its_place(record: QueryRecord) -> Iterator[Problem]:
    """A place that becomes unavailable is the one that plans must avoid."""
    for turn, event in new_events(record):
        for adjustment in event.expected_adjustments:
            if adjustment.check == "avoid_unavailable_poi" and event.unavailable_entity not in (
                None,
                adjustment.target,
            ):
                yield Problem(
                    _at(turn, f"{event.factor}.target"),
                    str(adjustment.target),
                    f"{event.unavailable_entity} is unavailable",
                )


@TURNS.error
def event_ends_a_known_constraint(record: QueryRecord) -> Iterator[Problem]:
    """A constraint that an event ends is one the task has."""
    for turn, event in new_events(record):
        for key in event.deactivates_hard_constraints or ():
            if key not in record.base.hard_constraints:
                yield Problem(
                    _at(turn, f"{event.factor}.deactivates_hard_constraints"), key, "the task has no such constraint"
                )


@TURNS.warning
def delay_fits_the_mode(record: QueryRecord) -> Iterator[Problem]:
    """A delayed flight or train is of the mode the trip uses."""
    words = {"flight": "train", "train": "flight"}
    for turn, event in new_events(record):
        other = words.get(record.base.route_mode)
        if event.factor == "transport_disruption" and other in event.message.lower().split():
            yield Problem(
                _at(turn, f"{event.factor}.message"), f'"{event.message}"', f"the trip is by {record.base.route_mode}"
            )
