"""Rules about one task by itself: trip, party, constraints. (Trip+ 2.2, 2.3)"""

from collections.abc import Iterator
from datetime import timedelta
from decimal import Decimal

from tripgauge.trip_plus.data.rules.names import (
    constraint_field,
    new_events,
    required_attractions,
    services_of_constraint,
)
from tripgauge.trip_plus.data.rules.rule import Problem, RuleBook, some
from tripgauge.trip_plus.data.tables import WEEKDAYS, moment
from tripgauge.trip_plus.tasks.queries import ConstraintRecord, QueryRecord, rooms_for

RECORDS: RuleBook[QueryRecord] = RuleBook("a task")

HIGHEST_TRANSPORT_SHARE = Decimal(10000)
"""Yuan per person; no published return journey in the usual classes comes near it."""

COOL_TAGS = ("summer_cool_escape", "high_altitude_city", "plateau_mild_city", "ice_snow_winter_destination")
PLACEHOLDERS = ("planning category", "weather condition", "destination-specific planning note")
"""Texts left behind where a translation failed."""

Constraints = Iterator[tuple[str, ConstraintRecord]]


def _constraints(record: QueryRecord) -> Constraints:
    return iter(record.base.hard_constraints.items())


@RECORDS.error
def dates_span_the_days(record: QueryRecord) -> Iterator[Problem]:
    """The number of days is the number of dates from departure to return, both included."""
    base = record.base
    span = (base.return_date - base.depart_date).days + 1
    if base.days != span:
        yield Problem("days", f"{base.days} days", f"{base.depart_date} to {base.return_date} are {span}")


@RECORDS.error
def weekday_fits_the_date(record: QueryRecord) -> Iterator[Problem]:
    """The weekday of departure is that of its date."""
    base = record.base
    if base.depart_weekday != base.depart_date.isoweekday():
        right = base.depart_date.isoweekday()
        yield Problem(
            "depart_weekday", str(base.depart_weekday), f"{base.depart_date} is a {WEEKDAYS[right - 1]}, {right}"
        )


@RECORDS.error
def destination_is_another_city(record: QueryRecord) -> Iterator[Problem]:
    """A trip leads to at least one city, and not to the one it starts in."""
    if not record.base.dest:
        yield Problem("dest", "no city", "a trip leads somewhere")
    if record.base.org in record.base.dest:
        yield Problem("dest", record.base.org, "the trip starts there")


@RECORDS.error
def mode_of_travel_is_known(record: QueryRecord) -> Iterator[Problem]:
    """A trip is by flight or by train."""
    if record.base.route_mode not in ("flight", "train"):
        yield Problem("route_mode", f'"{record.base.route_mode}"', "it is neither flight nor train")


@RECORDS.error
def party_adds_up(record: QueryRecord) -> Iterator[Problem]:
    """Adults, children and elders add up to the number of people."""
    party = record.base.observable_profile.party_composition
    total = party.adults + len(party.children) + len(party.elders)
    if total != record.base.people_number:
        yield Problem("people_number", str(record.base.people_number), f"the party has {total}")


@RECORDS.warning
def party_has_an_adult(record: QueryRecord) -> Iterator[Problem]:
    """A party has at least one adult who is no elder."""
    party = record.base.observable_profile.party_composition
    if party.adults == 0:
        yield Problem(
            "party_composition.adults",
            "0",
            f"only {len(party.elders)} elders and {len(party.children)} children travel",
        )


@RECORDS.error
def rooms_follow_from_the_party(record: QueryRecord) -> Iterator[Problem]:
    """A party has one room for every two people."""
    base = record.base
    if base.room_number != rooms_for(base.people_number):
        yield Problem(
            "room_number", str(base.room_number), f"{base.people_number} people need {rooms_for(base.people_number)}"
        )


@RECORDS.error
def constraint_restates_the_trip(record: QueryRecord) -> Iterator[Problem]:
    """A hard constraint that restates dates, days, people, rooms, party, mode or cities says what the trip says."""
    base = record.base
    for key, it in _constraints(record):
        for field, stated, right in (
            ("depart_date", it.depart_date, base.depart_date.isoformat()),
            ("return_date", it.return_date, base.return_date.isoformat()),
            ("days", it.days, base.days),
            ("people_number", it.people_number, base.people_number),
            ("room_number", it.room_number, base.room_number),
            ("party_composition", it.party_composition, base.observable_profile.party_composition),
            ("route_mode", it.route_mode, base.route_mode),
            ("origin", it.origin, base.org),
            ("destinations", it.destinations, base.dest),
        ):
            if stated is not None and stated != right:
                yield Problem(f"{constraint_field(key)}.{field}", _short(stated), f"the trip has {_short(right)}")


def _short(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)


@RECORDS.error
def transport_constraint_fits_the_mode(record: QueryRecord) -> Iterator[Problem]:
    """A constraint on flights belongs to a trip by flight, one on trains to a trip by train."""
    for key, _ in _constraints(record):
        mode = next((mode for mode in ("flight", "train") if key.startswith(f"{mode}_")), record.base.route_mode)
        if mode != record.base.route_mode:
            yield Problem(
                constraint_field(key), f"asks for a {mode}", f"all journeys must be by {record.base.route_mode}"
            )


@RECORDS.error
def acceptable_set_is_not_empty(record: QueryRecord) -> Iterator[Problem]:
    """A list of what is acceptable names something; an empty one can never be met."""
    for key, it in _constraints(record):
        for field, value in _lists(it):
            if field.startswith("acceptable_") and not field.endswith("_options") and not value:
                yield Problem(f"{constraint_field(key)}.{field}", "empty", "nothing can meet it")


def _lists(it: ConstraintRecord) -> Iterator[tuple[str, tuple[object, ...]]]:
    for field in it.__dataclass_fields__:
        value = getattr(it, field)
        if isinstance(value, tuple):
            yield field, value


@RECORDS.warning
def options_are_the_acceptable_names(record: QueryRecord) -> Iterator[Problem]:
    """The options with facts are among the acceptable (or banned) names, and the reference is one of them."""
    for key, it in _constraints(record):
        for field, options, names in (
            ("hotel", [o.hotel_name for o in it.acceptable_hotel_options or ()], it.acceptable_hotel_names),
            (
                "restaurant",
                [o.restaurant_name for o in it.acceptable_restaurant_options or ()],
                it.acceptable_restaurant_names,
            ),
            (
                "attraction",
                [o.attraction_name for o in it.acceptable_attraction_options or ()],
                it.acceptable_attraction_names,
            ),
            (
                "banned_attraction",
                [o.attraction_name for o in it.banned_attraction_options or ()],
                it.banned_attraction_names,
            ),
            ("hotel", [it.hotel_name] if it.hotel_name else [], it.acceptable_hotel_names),
            ("restaurant", [it.restaurant_name] if it.restaurant_name else [], it.acceptable_restaurant_names),
        ):
            strange = sorted(set(options) - set(names or ())) if names is not None else []
            if strange:
                yield Problem(
                    f"{constraint_field(key)}.{field}", some(strange), "it is not among the names of the list"
                )


@RECORDS.error
def price_range_is_what_its_limits_say(record: QueryRecord) -> Iterator[Problem]:
    """A price range in words is the one in numbers, its lower end is not above its upper, and its hotels are in it."""
    for key, it in _constraints(record):
        low, high, where = it.min_price, it.max_price, constraint_field(key)
        if low is None or high is None:
            continue
        if low > high:
            yield Problem(f"{where}.min_price", f"{low:g}", f"the upper end is {high:g}")
        if it.price_range is not None and it.price_range != f"{low:f}-{high:f}":
            yield Problem(f"{where}.price_range", it.price_range, f"its ends are {low:g} and {high:g}")
        for option in it.acceptable_hotel_options or ():
            if option.hotel_price is not None and not low <= option.hotel_price <= high:
                yield Problem(
                    f"{where}.acceptable_hotel_options",
                    f"{option.hotel_name} at {option.hotel_price:g}",
                    "out of range",
                )


@RECORDS.error
def budget_can_be_met(record: QueryRecord) -> Iterator[Problem]:
    """A budget's cap is not below its lower end, nor below the least the trip can cost."""
    for key, it in _constraints(record):
        for field, least in (("min_budget", it.min_budget), ("minimum_feasible_budget", it.minimum_feasible_budget)):
            if it.max_budget is not None and least is not None and it.max_budget < least:
                yield Problem(f"{constraint_field(key)}.max_budget", f"{it.max_budget:g}", f"{field} is {least:g}")


@RECORDS.warning
def budget_starts_at_the_least_cost(record: QueryRecord) -> Iterator[Problem]:
    """A budget's lower end is the least the trip can cost."""
    for key, it in _constraints(record):
        least = it.minimum_feasible_budget
        if it.min_budget is not None and least is not None and it.min_budget != least:
            yield Problem(
                f"{constraint_field(key)}.min_budget", f"{it.min_budget:g}", f"minimum_feasible_budget is {least:g}"
            )


@RECORDS.warning
def budget_counts_every_meal(record: QueryRecord) -> Iterator[Problem]:
    """A budget is reckoned with two meals a day."""
    for key, it in _constraints(record):
        slots, right = it.estimated_meal_slots, max(2, 2 * record.base.days)
        if slots is not None and slots != right:
            yield Problem(
                f"{constraint_field(key)}.estimated_meal_slots",
                str(slots),
                f"{record.base.days} days have {right} meals",
            )


@RECORDS.warning
def budget_counts_local_transport(record: QueryRecord) -> Iterator[Problem]:
    """A budget's estimate has a share for getting about in the city."""
    for key, it in _constraints(record):
        if it.estimated_breakdown is not None and it.estimated_breakdown.local_transport_buffer is None:
            yield Problem(
                f"{constraint_field(key)}.estimated_breakdown", "no local transport", "rides in the city cost money"
            )


@RECORDS.warning
def estimated_transport_is_plausible(record: QueryRecord) -> Iterator[Problem]:
    """The journey both ways is estimated below 10,000 yuan per person; above, class rows were summed."""
    for key, it in _constraints(record):
        cost = it.estimated_breakdown.transportation if it.estimated_breakdown else None
        people = max(1, record.base.people_number)
        if cost is not None and cost > HIGHEST_TRANSPORT_SHARE * people:
            why = f"that is {cost / people:.0f} for each of {people} people"
            yield Problem(f"{constraint_field(key)}.estimated_breakdown.transportation", f"{cost:g} yuan", why)


@RECORDS.warning
def budget_rule_gives_way_to_a_budget(record: QueryRecord) -> Iterator[Problem]:
    """A traveler with a hard budget has no soft budget rule beside it."""
    if "budget_constraint" in record.base.hard_constraints:
        for rule in record.base.user_profile.rule_ids:
            if rule.startswith("budget_"):
                yield Problem("user_profile.rule_ids", rule, "a hard budget says the same already")


@RECORDS.error
def rules_are_those_named(record: QueryRecord) -> Iterator[Problem]:
    """The hidden rules are those in the list of rule ids, in its order, each once."""
    profile = record.base.user_profile
    ids = tuple(rule.rule_id for rule in profile.rules)
    if profile.rules and ids != profile.rule_ids:
        yield Problem("user_profile.rules", some(ids, 20), f"rule_ids has {some(profile.rule_ids, 20)}")
    if len(set(profile.rule_ids)) < len(profile.rule_ids):
        yield Problem("user_profile.rule_ids", some(profile.rule_ids, 20), "one is there twice")


@RECORDS.error
def rules_were_derived_from_this_trip(record: QueryRecord) -> Iterator[Problem]:
    """The hidden rules were derived from the days and the party of the trip."""
    context = record.base.user_profile.derivation_context
    if context is None:
        return
    for field, stated, right in (
        ("days", context.days, record.base.days),
        ("party_size", context.party_size, record.base.people_number),
    ):
        if stated is not None and stated != right:
            yield Problem(f"user_profile.derivation_context.{field}", str(stated), f"the trip has {right}")


@RECORDS.warning
def heat_is_announced_for_hot_cities(record: QueryRecord) -> Iterator[Problem]:
    """Extreme heat is no advisory for a city known as cool in summer."""
    context = record.base.city_context
    cool = [tag for tag in context.city_tags if tag in COOL_TAGS]
    if "extreme_heat" in (context.seasonal_advisories or ()) and cool and "summer_heat_city" not in context.city_tags:
        yield Problem("city_context.seasonal_advisories", "extreme_heat", f"the city is {some(cool)}")


@RECORDS.warning
def highest_rated_place_has_a_rating(record: QueryRecord) -> Iterator[Problem]:
    """What is required as the highest rated has a rating."""
    for key, it in _constraints(record):
        if "highest_rated" in key:
            for field, rating in (("restaurant_rating", it.restaurant_rating), ("hotel_score", it.hotel_score)):
                if rating is not None and rating == 0:
                    name = it.restaurant_name or it.hotel_name
                    yield Problem(f"{constraint_field(key)}.{field}", f"0 of {name}", "that says the rating is unknown")


@RECORDS.warning
def attraction_type_is_one_type(record: QueryRecord) -> Iterator[Problem]:
    """An attraction type is one of the table's types, not a path of categories."""
    for key, it in _constraints(record):
        if it.attraction_type and any(mark in it.attraction_type for mark in ";|"):
            yield Problem(
                f"{constraint_field(key)}.attraction_type", f'"{it.attraction_type}"', "no table has such a type"
            )


@RECORDS.warning
def attraction_type_says_something(record: QueryRecord) -> Iterator[Problem]:
    """An attraction type that must be visited is not "Others"."""
    for key, it in _constraints(record):
        if it.attraction_type and it.attraction_type.strip().lower() in ("others", "other", "misc"):
            yield Problem(
                f"{constraint_field(key)}.attraction_type", f'"{it.attraction_type}"', "a traveler cannot ask for it"
            )


@RECORDS.warning
def label_fits_the_attraction_type(record: QueryRecord) -> Iterator[Problem]:
    """The words for an attraction type are in the type: an aquarium is no park, a sports venue no shopping district."""
    for key, it in _constraints(record):
        label, last = it.attraction_type_label, (it.attraction_type or "").split("|")[0].split(";")[-1].strip()
        if label and last and not set(_stems(label)) & set(_stems(last)):
            yield Problem(
                f"{constraint_field(key)}.attraction_type_label", f'"{label}"', f'the type is "{it.attraction_type}"'
            )


def _stems(text: str) -> list[str]:
    return [word.rstrip("s") for word in text.lower().replace("/", " ").replace("&", " ").split()]


@RECORDS.warning
def direction_is_written_one_way(record: QueryRecord) -> Iterator[Problem]:
    """A direction is written "Outbound" or "Inbound"."""
    for key, it in _constraints(record):
        if it.direction is not None and it.direction not in ("Outbound", "Inbound"):
            yield Problem(
                f"{constraint_field(key)}.direction", f'"{it.direction}"', "other records write it with a capital"
            )


@RECORDS.warning
def return_arrives_on_the_day_of_return(record: QueryRecord) -> Iterator[Problem]:
    """A required arrival home is dated on the day of return, also where its window starts after midnight."""
    for key, it in _constraints(record):
        arrival = moment(it.inbound_arr_time or "")
        if arrival and arrival.date() != record.base.return_date:
            field = f"{constraint_field(key)}.inbound_arr_time"
            yield Problem(field, it.inbound_arr_time or "", f"the day of return is {record.base.return_date}")


@RECORDS.warning
def acceptable_arrival_is_inside_its_window(record: QueryRecord) -> Iterator[Problem]:
    """An acceptable arrival lies inside the window of hours that is asked for."""
    for key, it in _constraints(record):
        if it.start_hour is None or it.end_hour is None:
            continue
        late = [
            f"{option.flight_no or option.train_no} at {arrival:%H:%M}"
            for option in (*(it.acceptable_inbound_flight_options or ()), *(it.acceptable_inbound_train_options or ()))
            if (arrival := moment(option.arr_datetime))
            and not it.start_hour * 60 <= arrival.hour * 60 + arrival.minute <= it.end_hour * 60
        ]
        if late:
            yield Problem(
                f"{constraint_field(key)}.acceptable_inbound_options", some(late), f"the window is {it.time_range}"
            )


@RECORDS.error
def window_of_hours_runs_forward(record: QueryRecord) -> Iterator[Problem]:
    """A window of hours ends after it starts."""
    for key, it in _constraints(record):
        if it.start_hour is not None and it.end_hour is not None and not 0 <= it.start_hour < it.end_hour <= 24:
            yield Problem(
                f"{constraint_field(key)}.end_hour", str(it.end_hour), f"the window starts at {it.start_hour}"
            )


@RECORDS.error
def acceptable_service_runs_on_its_day(record: QueryRecord) -> Iterator[Problem]:
    """An acceptable outward service departs on the day of departure, a homeward one on the day of return or the night
    before or after."""
    base = record.base
    for key, it in _constraints(record):
        for service in services_of_constraint(key, it):
            departs = moment(service.option.dep_datetime) if service.option else None
            right = base.depart_date if service.is_outbound else base.return_date
            if departs and abs(departs.date() - right) > timedelta(days=1):
                yield Problem(service.field, f"{service.number} on {departs:%Y-%m-%d}", f"the journey is on {right}")


@RECORDS.warning
def acceptable_service_departs_on_the_travel_day(record: QueryRecord) -> Iterator[Problem]:
    """An acceptable service departs on the travel day itself."""
    base = record.base
    for key, it in _constraints(record):
        odd: dict[str, list[str]] = {}
        for service in services_of_constraint(key, it):
            departs = moment(service.option.dep_datetime) if service.option else None
            right = base.depart_date if service.is_outbound else base.return_date
            if departs and abs(departs.date() - right) == timedelta(days=1):
                odd.setdefault(service.field, []).append(f"{service.number} on {departs:%Y-%m-%d}")
        for field, found in odd.items():
            yield Problem(field, some(found), "the travel day is one day off")


@RECORDS.warning
def acceptable_service_runs_between_the_cities(record: QueryRecord) -> Iterator[Problem]:
    """The cities of an acceptable service are those of the trip, not an airport where planes are changed."""
    base = record.base
    for key, it in _constraints(record):
        strange: dict[str, list[str]] = {}
        for service in services_of_constraint(key, it):
            if service.option:
                cities = (service.option.origin_city, service.option.destination_city)
                ends = (base.org, *base.dest[:1])
                right = ends if service.is_outbound else ends[::-1]
                if all(cities) and cities != right:
                    strange.setdefault(service.field, []).append(f"{service.number} from {cities[0]} to {cities[1]}")
        for field, found in strange.items():
            yield Problem(field, some(found), f"the trip is between {base.org} and {some(base.dest)}")


@RECORDS.warning
def acceptable_service_says_its_route(record: QueryRecord) -> Iterator[Problem]:
    """An acceptable service says its route index and its segment."""
    for key, it in _constraints(record):
        bare: dict[str, int] = {}
        for service in services_of_constraint(key, it):
            if service.option and (service.option.route_index is None or service.option.segment_index is None):
                bare[service.field] = bare.get(service.field, 0) + 1
        for field, times in bare.items():
            yield Problem(
                field, f"{times} without route or segment index", "connections cannot be told from direct services"
            )


@RECORDS.warning
def acceptable_service_has_a_seat(record: QueryRecord) -> Iterator[Problem]:
    """A service that is required as the cheapest or shortest is not a ticket without a seat."""
    for key, it in _constraints(record):
        standing = [
            service.number
            for service in services_of_constraint(key, it)
            if service.option and service.option.seat_class == "No Seat"
        ]
        if standing:
            yield Problem(constraint_field(key), some(standing), "its class is No Seat")


@RECORDS.error
def seat_class_of_the_options_is_the_required_one(record: QueryRecord) -> Iterator[Problem]:
    """The options of a seat-class constraint are in that class."""
    for key, it in _constraints(record):
        for service in services_of_constraint(key, it):
            if it.seat_class and service.option and service.option.seat_class not in ("", it.seat_class):
                yield Problem(
                    service.field, f"{service.number} in {service.option.seat_class}", f"{it.seat_class} is asked for"
                )


@RECORDS.error
def banned_place_is_not_required(record: QueryRecord) -> Iterator[Problem]:
    """A place that one constraint bans is not the only way to meet another."""
    banned = {name for _, it in _constraints(record) for name in it.banned_attraction_names or ()}
    for key, it in _constraints(record):
        must = set(it.attraction_names or ()) & banned
        if must:
            yield Problem(f"{constraint_field(key)}.attraction_names", some(sorted(must)), "another constraint bans it")


@RECORDS.warning
def place_is_required_once(record: QueryRecord) -> Iterator[Problem]:
    """No two constraints require the same attraction."""
    first: dict[str, str] = {}
    for key, it in _constraints(record):
        for name in dict.fromkeys(it.attraction_names or ()):
            if name in first:
                yield Problem(
                    f"{constraint_field(key)}.attraction_names", f'"{name}"', f"{first[name]} requires it already"
                )
            first.setdefault(name, key)


@RECORDS.warning
def visit_for_a_queue_has_its_queue(record: QueryRecord) -> Iterator[Problem]:
    """Attractions required so that a queue can strike them are struck by one."""
    wanted = [
        name
        for key, it in _constraints(record)
        if key == "attraction_crowd_queue_initial_must_visit"
        for name in it.attraction_names or ()
    ]
    struck = {
        name
        for _, event in new_events(record)
        for adjustment in event.expected_adjustments
        for name in adjustment.target_attractions or ()
    }
    missed = [name for name in wanted if name not in struck]
    if missed:
        yield Problem(
            "hard_constraints.attraction_crowd_queue_initial_must_visit", some(missed), "no event concerns it"
        )


@RECORDS.warning
def no_placeholder_is_left(record: QueryRecord) -> Iterator[Problem]:
    """No text is a placeholder that a failed translation left behind."""
    for turn in record.turns:
        for index, delta in enumerate(turn.oracle_state_after_turn.active_user_state_deltas):
            where = f"turns[{turn.turn_id}].active_user_state_deltas[{index}]"
            labels = [("add_attraction", delta.add_attraction.required_tag_label)] if delta.add_attraction else []
            if delta.restaurant_requirement:
                labels.append(("restaurant_requirement", delta.restaurant_requirement.required_tag_label))
            if delta.dietary_update:
                labels.extend(("dietary_update", word) for word in delta.dietary_update.banned_keywords or ())
            for family, label in dict.fromkeys(labels):
                if label and _is_placeholder(label):
                    yield Problem(f"{where}.{family}", f'"{label}"', "a placeholder stands for what was meant")
        for event in turn.oracle_state_after_turn.active_environment_events:
            for adjustment in () if isinstance(event, str) else event.expected_adjustments[:1]:
                if adjustment.part and _is_placeholder(adjustment.part):
                    field = f"turns[{turn.turn_id}].active_environment_events.part"
                    yield Problem(field, f'"{adjustment.part}"', "a placeholder stands for the part of the day")


def _is_placeholder(text: str) -> bool:
    return text.strip().lower().rstrip(".") in PLACEHOLDERS


@RECORDS.error
def unavailable_place_is_not_required(record: QueryRecord) -> Iterator[Problem]:
    """A place that becomes unavailable is no longer required."""
    for turn, event in new_events(record):
        for key, it, names in _active(record, turn.oracle_state_after_turn.active_hard_constraints):
            if event.unavailable_entity and event.unavailable_entity in (it.attraction_names or ()):
                what = f"turn {turn.turn_id} closes {event.unavailable_entity}"
                yield Problem(constraint_field(key), what, f"the constraint still requires {some(names)}")


@RECORDS.warning
def unavailable_place_is_not_acceptable(record: QueryRecord) -> Iterator[Problem]:
    """A place that becomes unavailable is no longer among those that meet a constraint."""
    for turn, event in new_events(record):
        for key, it, _ in _active(record, turn.oracle_state_after_turn.active_hard_constraints):
            target = event.unavailable_entity
            if (
                target
                and target in (it.acceptable_attraction_names or ())
                and target not in (it.attraction_names or ())
            ):
                yield Problem(
                    constraint_field(key), f"turn {turn.turn_id} closes {target}", "visiting it would still count"
                )


def _active(record: QueryRecord, keys: tuple[str, ...]) -> Iterator[tuple[str, ConstraintRecord, tuple[str, ...]]]:
    for key, it in _constraints(record):
        if key in keys:
            yield key, it, required_attractions(it)


@RECORDS.error
def constraint_has_a_kind(record: QueryRecord) -> Iterator[Problem]:
    """The key of a hard constraint is one that some check knows."""
    for key, _ in _constraints(record):
        if key not in CONSTRAINT_KEYS:
            yield Problem(constraint_field(key), "unknown key", "no check reads it")


CONSTRAINT_KEYS = frozenset(
    {
        "trip_date_range_required",
        "party_size_required",
        "room_count_required",
        "intercity_round_trip_mode_required",
        "party_composition_required",
        "budget_constraint",
        "hotel_price_range",
        "hotel_cheapest_brand",
        "hotel_highest_rated",
        "hotel_cheapest_star",
        "hotel_newest_decoration",
        "hotel_star_highest_rated",
        "hotel_star_service_required",
        "restaurant_highest_rated",
        "restaurant_closest_to_attraction",
        "restaurant_cheapest_nearby_attraction",
        "restaurant_specific_cuisine_nearby",
        "restaurant_specific_tag_nearby",
        "restaurant_must_eat_named",
        "attraction_initial_must_visit_before_availability",
        "attraction_crowd_queue_initial_must_visit",
        "attraction_require_popular_hotspot",
        "attraction_must_visit_named",
        "attraction_avoid_high_queue",
        "attraction_top_rated_must_visit",
        "attraction_type_highest_rated",
        "attraction_all_of_type",
        "attraction_all_free_attractions",
        *(f"{mode}_{kind}" for mode in ("flight", "train") for kind in ("seat_class", "shortest_duration_direct")),
        *(
            f"{mode}_{kind}"
            for mode in ("flight", "train")
            for kind in ("cheapest_direct", "earliest_departure_direct")
        ),
        "flight_arrival_time_range",
        "train_departure_time_range",
        "train_cheapest_train_type",
        "train_latest_arrival_direct",
    }
)
"""Every key of the published generator and file. (Trip+ Table 7)"""
