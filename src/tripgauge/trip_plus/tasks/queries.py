"""The query file of Trip+: its schema, and the tasks in it. (Trip+ 2.3, published file `query.json`)

The records below mirror the file, key by key; what they hold is text and numbers as published. A `Task` is made from
them: what an agent may see, and what grades it.
"""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Literal, cast

from tripgauge.codec import Between, WholeNumber, decode, read_json
from tripgauge.errors import UsageError
from tripgauge.trip_plus.itinerary import Mode
from tripgauge.trip_plus.tasks.task import (
    AnswerKey,
    Archetype,
    Brief,
    Child,
    Elder,
    Party,
    Profile,
    Task,
    TripFrame,
    TurnState,
)
from tripgauge.trip_plus.tasks.turn_states import turn_state

VERSION = 1
"""Version of the file schema."""

Expectation = Literal["plan", "clarification", "no_solution", "conflict_resolution", "infeasible"]
"""The reply a turn asks for; the last two are older names of the two before."""


@dataclass(frozen=True)
class HotelOption:
    """A hotel that meets a constraint, with its facts."""

    hotel_name: str
    hotel_price: Decimal | None = None
    """Yuan per room and night."""

    hotel_score: Decimal | None = None
    hotel_star: int | None = None
    """0 if unknown."""

    brand: str = ""
    decoration_time: int | None = None
    """Year; 0 if unknown."""

    services: tuple[str, ...] = ()


@dataclass(frozen=True)
class RestaurantOption:
    """A restaurant that meets a constraint, with its facts."""

    restaurant_name: str
    price_per_person: Decimal | None = None
    """Yuan."""

    restaurant_rating: Decimal | None = None
    """0 if unknown."""

    nearby_attraction_name: str = ""
    """The anchor asked for, which may differ from the one in the table."""

    cuisine_type: str = ""
    tags: tuple[str, ...] = ()
    opening_time: str = ""
    closing_time: str = ""


@dataclass(frozen=True)
class AttractionOption:
    """A sight that meets (or is banned by) a constraint, with its facts."""

    attraction_name: str
    attraction_type: str = ""
    rating: Decimal | None = None
    """0 if unknown."""

    ticket_price: Decimal | None = None
    """Yuan per person."""

    ticket_price_source: str = ""
    opening_time: str = ""
    closing_time: str = ""
    closing_dates: str = ""
    popularity_tags: tuple[str, ...] = ()
    crowd_risk: str = ""
    queue_risk: str = ""


@dataclass(frozen=True)
class ServiceOption:
    """A flight or train that meets a constraint, with its facts; it has one of the two numbers."""

    flight_no: str = ""
    train_no: str = ""
    airline: str = ""
    train_type: str = ""
    seat_class: str = ""
    price: Decimal | None = None
    """Yuan per person."""

    dep_datetime: str = ""
    arr_datetime: str = ""
    manufacturer: str = ""
    origin_city: str = ""
    destination_city: str = ""
    route_index: int | None = None
    segment_index: int | None = None


@dataclass(frozen=True)
class ChildRecord:
    """A child of the party."""

    age: int | None = None
    note: str = ""


@dataclass(frozen=True)
class ElderRecord:
    """An elder of the party."""

    age: int | None = None
    mobility_note: str = ""


@dataclass(frozen=True)
class PartyComposition:
    """Who travels."""

    adults: int
    children: tuple[ChildRecord, ...] = ()
    elders: tuple[ElderRecord, ...] = ()


@dataclass(frozen=True)
class BudgetPolicy:
    """How a budget was derived."""

    type: str = ""
    profile_budget_rule: str | None = None
    basis: tuple[str, ...] = ()


@dataclass(frozen=True)
class BudgetBreakdown:
    """Yuan by component, as the budget was estimated."""

    transportation: Decimal | None = None
    local_transport_buffer: Decimal | None = None
    accommodation: Decimal | None = None
    meals: Decimal | None = None
    attractions: Decimal | None = None


@dataclass(frozen=True)
class ConstraintRecord:
    """The parameters of one hard constraint; which of them it has depends on its key. Prices are yuan."""

    constraint_type: str = ""
    constraint_context: str = ""
    """The constraint in a sentence."""

    depart_date: str | None = None
    return_date: str | None = None
    days: int | None = None
    people_number: int | None = None
    room_number: int | None = None
    party_composition: PartyComposition | None = None
    route_mode: str | None = None
    origin: str | None = None
    destinations: tuple[str, ...] | None = None

    min_budget: Decimal | None = None
    max_budget: Decimal | None = None
    minimum_feasible_budget: Decimal | None = None
    estimated_meal_slots: int | None = None
    estimated_breakdown: BudgetBreakdown | None = None
    is_unsat: bool | None = None
    budget_slack_ratio: float | None = None
    budget_policy: BudgetPolicy | None = None

    price_range: str | None = None
    """Such as "200-240"."""

    min_price: Decimal | None = None
    max_price: Decimal | None = None
    brand: str | None = None
    hotel_star: int | None = None
    hotel_name: str | None = None
    hotel_price: Decimal | None = None
    hotel_score: Decimal | None = None
    decoration_time: int | None = None
    year_threshold: int | None = None
    required_service: str | None = None
    required_service_label: str | None = None
    acceptable_hotel_names: tuple[str, ...] | None = None
    acceptable_hotel_options: tuple[HotelOption, ...] | None = None

    attraction_name: str | None = None
    """For a restaurant, the sight it is near."""

    restaurant_name: str | None = None
    restaurant_rating: Decimal | None = None
    price_per_person: Decimal | None = None
    distance_meters: Decimal | None = None
    cuisine_type: str | None = None
    acceptable_restaurant_names: tuple[str, ...] | None = None
    acceptable_restaurant_options: tuple[RestaurantOption, ...] | None = None

    attraction_names: tuple[str, ...] | None = None
    attraction_ratings: tuple[Decimal, ...] | None = None
    attraction_type: str | None = None
    attraction_type_label: str | None = None
    ticket_prices: tuple[Decimal, ...] | None = None
    required_tags: tuple[str, ...] | None = None
    acceptable_attraction_names: tuple[str, ...] | None = None
    acceptable_attraction_options: tuple[AttractionOption, ...] | None = None
    banned_attraction_names: tuple[str, ...] | None = None
    banned_attraction_options: tuple[AttractionOption, ...] | None = None

    seat_class: str | None = None
    train_type: str | None = None
    time_range: str | None = None
    """Such as "6:00 PM to 8:00 PM"."""

    start_hour: int | None = None
    end_hour: int | None = None
    direction: str | None = None
    is_direct: bool | None = None
    outbound_flight_no: str | None = None
    outbound_train_no: str | None = None
    outbound_route_index: int | None = None
    outbound_airline: str | None = None
    outbound_train_type: str | None = None
    outbound_price: Decimal | None = None
    outbound_duration: int | None = None
    """Minutes."""

    outbound_dep_time: str | None = None
    inbound_flight_no: str | None = None
    inbound_train_no: str | None = None
    inbound_route_index: int | None = None
    inbound_train_type: str | None = None
    inbound_price: Decimal | None = None
    inbound_arr_time: str | None = None
    acceptable_outbound_flight_nos: tuple[str, ...] | None = None
    acceptable_inbound_flight_nos: tuple[str, ...] | None = None
    acceptable_outbound_train_nos: tuple[str, ...] | None = None
    acceptable_inbound_train_nos: tuple[str, ...] | None = None
    acceptable_outbound_flight_options: tuple[ServiceOption, ...] | None = None
    acceptable_inbound_flight_options: tuple[ServiceOption, ...] | None = None
    acceptable_outbound_train_options: tuple[ServiceOption, ...] | None = None
    acceptable_inbound_train_options: tuple[ServiceOption, ...] | None = None


@dataclass(frozen=True)
class PartyUpdate:
    """Somebody joins or leaves."""

    party_subtype: str = ""
    """friend_added, member_removed, child_added or elder_added."""

    new_people_number: WholeNumber | None = None
    new_room_number: WholeNumber | None = None
    added_member: str | None = None
    removed_members: int | None = None
    added_children: int | None = None
    added_elders: int | None = None
    adaptation_requirements: tuple[str, ...] = ()


@dataclass(frozen=True)
class AddAttraction:
    """A sight is to be visited as well."""

    name: str
    insert_day: int | None = None
    """Day of the trip from 1."""

    source: str = ""
    rating: str | None = None
    required_tag: str | None = None
    required_tag_label: str | None = None


@dataclass(frozen=True)
class ScheduleUpdate:
    """One day is to end early or to hold a rest. Times of day are minutes after midnight."""

    schedule_subtype: str = ""
    """early_finish or midday_rest."""

    day: int | None = None
    latest_formal_end_time: str | None = None
    latest_formal_end_minutes: int | None = None
    scope: str | None = None
    rest_window: tuple[int, int] | None = None
    min_rest_minutes: int | None = None
    allowed_activity_types: tuple[str, ...] | None = None


@dataclass(frozen=True)
class LateStartRequest:
    """One day is to start later."""

    day: int | None = None
    earliest_start_time: str | None = None
    earliest_start_minutes: int | None = None
    """Minutes after midnight."""

    scope: str | None = None


@dataclass(frozen=True)
class CandidateReference:
    """The place behind a requested restaurant or hotel, its facts as the table writes them."""

    name: str = ""
    rating: str | None = None
    price_per_person: str | None = None
    nearby_attraction: str | None = None
    cuisine_type: str | None = None
    tags: tuple[str, ...] | None = None
    acceptable_restaurant_names: tuple[str, ...] | None = None
    required_tag_label: str | None = None
    required_tag_text: str | None = None
    requirement_type: str | None = None
    utterance: str | None = None
    score: str | None = None
    price: str | None = None
    hotel_star: str | None = None
    services: tuple[str, ...] | None = None
    acceptable_hotel_names: tuple[str, ...] | None = None
    required_service_label: str | None = None
    source: str | None = None


@dataclass(frozen=True)
class RestaurantRequirement:
    """A meal is to be taken at a certain restaurant."""

    restaurant_name: str = ""
    anchor: str | None = None
    """The sight it is near."""

    cuisine_type: str | None = None
    meal_day: int | None = None
    meal_type: str | None = None
    """Lunch or Dinner."""

    required_tag_label: str | None = None
    candidate_reference: CandidateReference | None = None


@dataclass(frozen=True)
class HotelRequirement:
    """A certain hotel is wanted."""

    hotel_name: str = ""
    candidate_reference: CandidateReference | None = None


@dataclass(frozen=True)
class BudgetUpdate:
    """The cap changes, in yuan for the whole trip."""

    new_max_budget: Decimal | None = None
    old_max_budget: Decimal | None = None
    minimum_feasible_budget: Decimal | None = None
    budget_slack_ratio: float | None = None
    source: str = ""


@dataclass(frozen=True)
class DietaryUpdate:
    """Somebody does not eat something."""

    restriction: str = ""
    banned_keywords: tuple[str, ...] | None = None


@dataclass(frozen=True)
class RoutePreference:
    """How to get about in the city."""

    preference: str = ""
    preferred_modes: tuple[str, ...] = ()
    avoid: tuple[str, ...] = ()


@dataclass(frozen=True)
class DurationUpdate:
    """The trip becomes longer or shorter; in no published task."""

    new_days: Annotated[int, Between(1, 366)] | None = None
    new_return_date: date | None = None
    change_type: str = ""


@dataclass(frozen=True)
class UserStateDelta:
    """One thing the traveler changed; one of these is set."""

    party_update: PartyUpdate | None = None
    add_attraction: AddAttraction | None = None
    schedule_update: ScheduleUpdate | None = None
    late_start_request: LateStartRequest | None = None
    restaurant_requirement: RestaurantRequirement | None = None
    hotel_requirement: HotelRequirement | None = None
    budget_update: BudgetUpdate | None = None
    dietary_update: DietaryUpdate | None = None
    route_preference: RoutePreference | None = None
    duration_update: DurationUpdate | None = None


@dataclass(frozen=True)
class AmbiguousRequest:
    """A request that leaves something open."""

    component: str = ""
    missing_slots: tuple[str, ...] = ()
    profile_interest_tags: tuple[str, ...] | None = None


@dataclass(frozen=True)
class ConflictingRequest:
    """A request against the traveler's own profile."""

    request: str = ""
    requested_min_attractions_per_day: int | None = None
    conflicts_with_profile_rules: tuple[str, ...] = ()


@dataclass(frozen=True)
class PriorRequestConflict:
    """A new cap that an earlier requirement cannot meet, in yuan."""

    component: str = ""
    blocking_constraint: str = ""
    """Key of the earlier hard constraint."""

    new_cap: Decimal | None = None
    observed_value: Decimal | None = None
    """What the earlier requirement costs at least."""

    requires_relaxation: bool | None = None


@dataclass(frozen=True)
class ResolutionInstruction:
    """Which side of a conflict wins."""

    component: str = ""
    blocking_constraint: str = ""
    relaxed_new_condition: bool | None = None
    """Whether the new cap is dropped."""


@dataclass(frozen=True)
class ResolvedPacingLimit:
    """How many sights a day at most."""

    priority: str = ""
    max_attractions_per_day: int | None = None


@dataclass(frozen=True)
class ResolvedRestaurantPreference:
    """The meal that was left open."""

    meal_day: int | None = None
    meal_type: str = ""
    price_per_person_max: Decimal | None = None
    """Yuan."""

    cuisine_priority: str = ""
    route_anchor: str = ""


@dataclass(frozen=True)
class RequestResolution:
    """One thing settled (or found unsettled) in the talk."""

    ambiguous_request: AmbiguousRequest | None = None
    ambiguous_or_conflicting_request: ConflictingRequest | None = None
    prior_request_conflict: PriorRequestConflict | None = None
    resolution_instruction: ResolutionInstruction | None = None
    final_alignment_request: str | None = None
    resolved_pacing_limit: ResolvedPacingLimit | None = None
    route_preference: RoutePreference | None = None
    resolved_restaurant_preference: ResolvedRestaurantPreference | None = None
    resolved_priority: str | None = None
    potential_conflict: str | None = None


@dataclass(frozen=True)
class Adjustment:
    """What a plan must do about an event. Times of day are minutes after midnight."""

    check: str
    target: str | None = None
    day: int | None = None
    part: str | None = None
    time_window: tuple[int, ...] | None = None
    peak_window: tuple[int, ...] | None = None
    target_attractions: tuple[str, ...] | None = None
    max_outdoor_minutes: int | None = None
    min_buffer_minutes: int | None = None
    min_rest_minutes: int | None = None
    max_first_day_attractions: int | None = None
    requires_buffer_or_hotel_after_intercity: bool | None = None
    keywords: tuple[str, ...] | None = None


@dataclass(frozen=True)
class EnvironmentEvent:
    """Something that happens to the trip."""

    factor: str = ""
    type: str = ""
    city: str = ""
    message: str = ""
    expected_adjustments: tuple[Adjustment, ...] = ()
    unavailable_entity: str | None = None
    initial_must_visit_target: str | None = None
    deactivates_hard_constraints: tuple[str, ...] | None = None
    route_season: str | None = None
    depart_month: int | None = None
    city_tags_used: tuple[str, ...] | None = None


@dataclass(frozen=True)
class ProfilePreference:
    """Rules of the profile that a turn points at; in no published task."""

    rule_ids: tuple[str, ...] = ()
    """Rules that come to hold, where they did not."""

    preference_variants: tuple[str, ...] = ()
    """Their variants, such as "walking_sensitive"."""

    dropped_rule_ids: tuple[str, ...] = ()
    """Rules that hold no more."""


@dataclass(frozen=True)
class ProfileDelta:
    """A change of the profile: a child who joins makes walking a matter; in no published task."""

    profile_preference: ProfilePreference | None = None


@dataclass(frozen=True)
class OracleState:
    """What holds after a turn. The lists only grow: each begins with the one of the turn before."""

    active_hard_constraints: tuple[str, ...] = ()
    active_user_state_deltas: tuple[UserStateDelta, ...] = ()
    active_request_resolutions: tuple[RequestResolution, ...] = ()
    active_environment_events: tuple[EnvironmentEvent | str, ...] = ()
    """A plain text stands for an event without content."""

    active_profile_deltas: tuple[ProfileDelta, ...] = ()


@dataclass(frozen=True)
class TurnRecord:
    """One turn of the file."""

    turn_id: int
    """From 0."""

    utterance: str
    """The only part a traveler's agent sees."""

    oracle_state_after_turn: OracleState
    must_preserve: tuple[str, ...] = ()
    must_update: tuple[str, ...] = ()
    feasibility_status: Literal["solved", "unsolved"] = "solved"
    response_expectation: Expectation = "plan"
    unsolved_reason: str = ""
    blocking_constraints: tuple[str, ...] = ()
    verification_oracle: Mapping[str, object] | None = None


@dataclass(frozen=True)
class ObservableProfile:
    """What the traveler shows. (Trip+ Table 6)"""

    party_composition: PartyComposition
    budget_range: tuple[int, int]
    """A spending habit in yuan."""

    accommodation_style: str
    mobility_constraints: tuple[str, ...] = ()
    physical_rules: tuple[str, ...] = ()
    schedule_rules: tuple[str, ...] = ()
    interest_tags: tuple[str, ...] = ()
    hate_tags: tuple[str, ...] = ()
    transport_preferences: tuple[str, ...] = ()
    rest_preferences: tuple[str, ...] = ()


@dataclass(frozen=True)
class RuleRecord:
    """A hidden rule of the traveler."""

    rule_id: str
    category: str = ""
    trigger: str = ""
    planner_obligation: str = ""
    evaluation_basis: tuple[str, ...] = ()
    preference_variants: tuple[str, ...] | None = None


@dataclass(frozen=True)
class DerivationContext:
    """What the hidden rules were derived from."""

    days: int | None = None
    dest_price_level: str = ""
    upper_budget_per_person_day: float | None = None
    party_size: int | None = None
    physical_rule_seeds: tuple[str, ...] = ()
    schedule_rule_seeds: tuple[str, ...] = ()


@dataclass(frozen=True)
class UserProfile:
    """The hidden profile. (Trip+ Table 6)"""

    party_type: str = ""
    rule_ids: tuple[str, ...] = ()
    rules: tuple[RuleRecord, ...] = ()
    derivation_context: DerivationContext | None = None


@dataclass(frozen=True)
class EnvironmentHint:
    """Something worth knowing of the destination."""

    type: str
    hint: str = ""
    reason: str = ""


@dataclass(frozen=True)
class SoftConstraints:
    """Wishes that no check reads."""

    city_soft_wishes: tuple[str, ...] = ()
    profile_soft_wish: str | None = None
    environment_hints: tuple[EnvironmentHint, ...] = ()


@dataclass(frozen=True)
class CityContext:
    """What is known of the destination."""

    city_tags: tuple[str, ...] = ()
    seasonal_advisories: tuple[str, ...] | None = None


@dataclass(frozen=True)
class BaseMeta:
    """The trip as first asked for."""

    org: str
    dest: tuple[str, ...]
    days: Annotated[int, Between(1, 366)]
    """Both ends included."""

    depart_date: date
    return_date: date
    depart_weekday: int
    """1 is Monday."""

    people_number: WholeNumber
    room_number: WholeNumber | None
    route_mode: str
    """"flight" or "train"."""

    observable_profile: ObservableProfile
    user_profile: UserProfile
    hard_constraints: Mapping[str, ConstraintRecord]
    soft_constraints: SoftConstraints = SoftConstraints()
    city_context: CityContext = CityContext()
    solution_status: str = "sat"


@dataclass(frozen=True)
class MetaInfo:
    """Wrapping of the published file."""

    base_query_meta: BaseMeta


@dataclass(frozen=True)
class QueryRecord:
    """One task as the file holds it."""

    id: str
    base_query_id: str
    query: str
    """The first utterance."""

    interaction_type: Archetype
    turns: tuple[TurnRecord, ...]
    meta_info: MetaInfo

    @property
    def base(self) -> BaseMeta:
        """The trip as first asked for."""
        return self.meta_info.base_query_meta


def read_queries(path: Path) -> tuple[Task, ...]:
    """The tasks of a query file.

    Raises UsageError with file, record and field if the file, a record or a turn is not as the schema says, if an id
    occurs twice, or if turns are not numbered 0, 1, 2, ...
    """
    tasks: dict[str, Task] = {}
    for position, value in enumerate(raw_records(path)):
        where = record_place(path, position, value)
        task = task_of(decode_record(value, where), value)
        if task.task_id in tasks:
            raise UsageError(f"{where}: a record before has the same id.")
        tasks[task.task_id] = task
    return tuple(tasks.values())


def raw_records(path: Path) -> tuple[Mapping[str, object], ...]:
    """The records of a query file as JSON objects. Raises UsageError unless it is a list of at least one object."""
    value = read_json(path)
    if not isinstance(value, list) or not all(isinstance(record, dict) for record in value):
        raise UsageError(f"{path}: a query file is a list of records, each an object.")
    if not value:
        raise UsageError(f"{path}: holds no records.")
    return tuple(cast("list[Mapping[str, object]]", value))


def record_place(path: Path, position: int, value: Mapping[str, object]) -> str:
    """How messages name a record: by its id, or by its place in the file if it has none."""
    name = value.get("id")
    return f"{path}, record {name}" if isinstance(name, str) and name else f"{path}, record [{position}]"


def decode_record(value: Mapping[str, object], where: str) -> QueryRecord:
    """A JSON object as a record with its turns numbered from 0. Raises UsageError naming `where` and the field."""
    record = decode(QueryRecord, value, where)
    if not record.id:
        raise UsageError(f"{where}, id: is empty.")
    if not record.turns:
        raise UsageError(f"{where}, turns: is empty.")
    for index, turn in enumerate(record.turns):
        if turn.turn_id != index:
            raise UsageError(f"{where}, turns[{index}].turn_id: should be {index}, but is {turn.turn_id}.")
    return record


def task_of(record: QueryRecord, raw: Mapping[str, object]) -> Task:
    """The task that a record describes; `raw` is the record as the file holds it."""
    frame = frame_of(record.base)
    return Task(
        brief=Brief(record.id, tuple(turn.utterance for turn in record.turns), _profile(record.base), frame),
        key=AnswerKey(
            archetype=record.interaction_type,
            base_query_id=record.base_query_id,
            states=tuple(_states(record, frame)),
            record=raw,
        ),
    )


def _states(record: QueryRecord, frame: TripFrame) -> Iterator[TurnState]:
    """What must hold after each turn."""
    before = None
    for turn in record.turns:
        now = frame_after(frame, turn.oracle_state_after_turn.active_user_state_deltas)
        yield turn_state(record.base, turn, before, mode_of(turn), now)
        before = turn


def rooms_for(people: int) -> int:
    """How many double rooms a party needs."""
    return math.ceil(people / 2)


def frame_of(base: BaseMeta) -> TripFrame:
    """The trip as first asked for; without a room count, as many rooms as the party needs."""
    return TripFrame(
        origin=base.org,
        destinations=base.dest,
        depart=base.depart_date,
        return_=base.return_date,
        days=base.days,
        people=base.people_number,
        rooms=rooms_for(base.people_number) if base.room_number is None else base.room_number,
        route_mode=base.route_mode,
    )


def frame_after(frame: TripFrame, deltas: tuple[UserStateDelta, ...]) -> TripFrame:
    """The trip after everything the traveler changed: party updates one by one, then the last change of duration."""
    for update in _party_updates(deltas):
        if update.new_people_number is not None:
            frame = replace(frame, people=update.new_people_number)
        if update.new_room_number is not None:
            frame = replace(frame, rooms=update.new_room_number)
    durations = [delta.duration_update for delta in deltas if delta.duration_update is not None]
    return _with_duration(frame, durations[-1]) if durations else frame


def _party_updates(deltas: tuple[UserStateDelta, ...]) -> Iterator[PartyUpdate]:
    return (delta.party_update for delta in deltas if delta.party_update is not None)


def _with_duration(frame: TripFrame, update: DurationUpdate) -> TripFrame:
    if update.new_days is not None:
        frame = replace(frame, days=update.new_days, return_=frame.depart + timedelta(days=update.new_days - 1))
    if update.new_return_date is not None:
        frame = replace(frame, return_=update.new_return_date)
    return frame


def mode_of(turn: TurnRecord) -> Mode:
    """The response mode that is right at a turn."""
    if turn.feasibility_status == "unsolved" or turn.response_expectation in ("no_solution", "infeasible"):
        return Mode.NO_SOLUTION
    if turn.response_expectation in ("clarification", "conflict_resolution"):
        return Mode.CLARIFICATION
    return Mode.PLAN


def _profile(base: BaseMeta) -> Profile:
    shown = base.observable_profile
    party = shown.party_composition
    return Profile(
        party=Party(
            adults=party.adults,
            children=tuple(Child(child.age, child.note) for child in party.children),
            elders=tuple(Elder(elder.age, elder.mobility_note) for elder in party.elders),
        ),
        budget_range=shown.budget_range,
        accommodation_style=shown.accommodation_style,
        mobility_constraints=shown.mobility_constraints,
        physical_rules=shown.physical_rules,
        schedule_rules=shown.schedule_rules,
        interest_tags=shown.interest_tags,
        hate_tags=shown.hate_tags,
        transport_preferences=shown.transport_preferences,
        rest_preferences=shown.rest_preferences,
    )
