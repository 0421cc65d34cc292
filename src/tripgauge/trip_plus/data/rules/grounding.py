"""Rules about one task and its sandbox: everything it names must be there, with the facts it states. (Trip+ 2.2)"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal

from tripgauge.trip_plus.data.rules.folder import Folder, Service
from tripgauge.trip_plus.data.rules.names import (
    NamedService,
    constraint_field,
    new_deltas,
    new_events,
    places_of,
    services_of_constraint,
)
from tripgauge.trip_plus.data.rules.rule import Problem, RuleBook, some
from tripgauge.trip_plus.data.tables import ATTRACTIONS, FLIGHTS, HOTELS, RESTAURANTS, TRAINS, TableKind, listed, number
from tripgauge.trip_plus.sandbox.files import Row
from tripgauge.trip_plus.tasks.queries import (
    AttractionOption,
    CandidateReference,
    HotelOption,
    QueryRecord,
    RestaurantOption,
    frame_of,
)


@dataclass(frozen=True)
class Grounded:
    """A task and the sandbox it plays in."""

    record: QueryRecord
    folder: Folder


GROUNDING: RuleBook[Grounded] = RuleBook("a task and its sandbox")

SHORTEST_TELLING_NAME = 8
"""Shorter attraction names occur in what the traveler says without being meant."""

RAINY_MM = Decimal(1)
HOT_C = Decimal(30)
COLD_C = Decimal(10)


@GROUNDING.error
def sandbox_was_made_for_the_trip(it: Grounded) -> Iterator[Problem]:
    """The sandbox folder was made for the origin and destination of the trip."""
    meta, base = it.folder.meta, it.record.base
    if meta is None:
        return
    for field, stated, right in (("org", meta.org, base.org), ("dest", some(meta.dest), some(base.dest))):
        if stated != right:
            yield Problem(field, right, f"{it.folder.name} was made for {stated}")


@GROUNDING.error
def every_leg_has_a_service(it: Grounded) -> Iterator[Problem]:
    """On the day of each leg, at least one service of the mode of travel runs from the one city to the other."""
    base = it.record.base
    frame = frame_of(base)
    kind = FLIGHTS if frame.route_mode == "flight" else TRAINS
    for city in frame.destinations[:1]:
        for origin, destination, day in ((base.org, city, frame.depart), (city, base.org, frame.return_)):
            services = [s for s in it.folder.services_of(kind) if (s.origin, s.destination) == (origin, destination)]
            if not any(service.dep_date == day for service in services):
                days = sorted({service.dep_date for service in services if service.dep_date})
                nearest = min(days, key=lambda found: abs(found - day), default=None)
                why = f"the nearest is on {nearest}" if nearest else "there is none on any day"
                yield Problem("route_mode", f"no {frame.route_mode} from {origin} to {destination} on {day}", why)


@GROUNDING.warning
def weather_of_every_day_is_known(it: Grounded) -> Iterator[Problem]:
    """The weather table has every day of the trip."""
    frame = frame_of(it.record.base)
    lost = [str(frame.date_of(day)) for day in range(1, frame.days + 1) if frame.date_of(day) not in it.folder.weather]
    if lost:
        yield Problem("depart_date", f"no weather for {some(lost, 10)}", "the trip takes place then")


def _known(kind: TableKind, folder: Folder) -> Callable[[str], bool]:
    names = {HOTELS.name: folder.hotels, RESTAURANTS.name: folder.restaurants, ATTRACTIONS.name: folder.attractions}[
        kind.name
    ]
    return lambda name: name in names


@GROUNDING.error
def named_place_exists(it: Grounded) -> Iterator[Problem]:
    """Every hotel, restaurant and attraction that the task names is in the sandbox."""
    for kind in (HOTELS, RESTAURANTS, ATTRACTIONS):
        known = _known(kind, it.folder)
        lost: dict[str, list[str]] = {}
        for place in places_of(it.record):
            if place.kind is kind and not known(place.name):
                lost.setdefault(place.field, []).append(place.name)
        for field, names in lost.items():
            yield Problem(field, some(names), f"not among the {kind.name} of {it.folder.name}")


@GROUNDING.error
def named_service_runs(it: Grounded) -> Iterator[Problem]:
    """Every flight and train that the task names runs on its day in the direction it is named for."""
    base = it.record.base
    for key, constraint in base.hard_constraints.items():
        for service in services_of_constraint(key, constraint):
            if service.option is None and not any(_runs(it, service)):
                day = base.depart_date if service.is_outbound else base.return_date
                direction = "outward" if service.is_outbound else "homeward"
                yield Problem(
                    service.field, service.number, f"no such {direction} service in {it.folder.name} on {day}"
                )


def _runs(it: Grounded, named: NamedService) -> Iterator[Service]:
    base = it.record.base
    ends = (base.org, *base.dest[:1])
    cities = ends if named.is_outbound else ends[::-1]
    day = base.depart_date if named.is_outbound else base.return_date
    for service in it.folder.services_of(named.kind):
        is_named = service.number == named.number and (service.origin, service.destination) == cities
        if is_named and service.dep_date and abs(service.dep_date - day) <= timedelta(days=1):
            yield service


@GROUNDING.warning
def service_is_as_stated(it: Grounded) -> Iterator[Problem]:
    """Times, class and fare that the task states of a service are in the timetable."""
    for key, constraint in it.record.base.hard_constraints.items():
        odd: dict[str, list[str]] = {}
        for named in services_of_constraint(key, constraint):
            if named.option and not any(_is_as_stated(service, named) for service in _runs(it, named)):
                fare = f"{named.option.price:g}" if named.option.price is not None else "?"
                what = f"{named.number}, {named.option.dep_datetime}, {named.option.seat_class}, {fare}"
                odd.setdefault(named.field, []).append(what)
        for field, found in odd.items():
            yield Problem(field, some(found), f"no row of {it.folder.name} says so")


def _is_as_stated(service: Service, named: NamedService) -> bool:
    option, row = named.option, service.row
    return option is not None and all(
        stated in (None, "", found)
        for stated, found in (
            (option.dep_datetime, row.get("dep_datetime", "")),
            (option.arr_datetime, row.get("arr_datetime", "")),
            (option.seat_class, row.get("seat_class", "")),
            (option.price, service.price),
        )
    )


@GROUNDING.warning
def hotel_is_as_stated(it: Grounded) -> Iterator[Problem]:
    """Price, score, stars and services that the task states of a hotel are those of the table."""
    for key, constraint in it.record.base.hard_constraints.items():
        field = f"{constraint_field(key)}.acceptable_hotel_options"
        for option in constraint.acceptable_hotel_options or ():
            row = it.folder.hotels.get(option.hotel_name)
            if row:
                yield from _differing(field, option.hotel_name, _hotel_facts(option, row))


Facts = Iterator[tuple[str, object, object]]
"""Column, what the task says, what the table says."""


def _hotel_facts(option: HotelOption, row: Row) -> Facts:
    yield "price", option.hotel_price, number(row.get("price", ""))
    yield "score", option.hotel_score, number(row.get("score", "")) or Decimal(0)
    yield "hotel_star", option.hotel_star, int(number(row.get("hotel_star", "")) or 0)
    yield "services", set(option.services), set(listed(row.get("services", "")))


@GROUNDING.warning
def restaurant_is_as_stated(it: Grounded) -> Iterator[Problem]:
    """Price, rating, hours and anchor that the task states of a restaurant are those of the table."""
    for key, constraint in it.record.base.hard_constraints.items():
        field = f"{constraint_field(key)}.acceptable_restaurant_options"
        for option in constraint.acceptable_restaurant_options or ():
            row = it.folder.restaurants.get(option.restaurant_name)
            if row:
                yield from _differing(field, option.restaurant_name, _restaurant_facts(option, row))


def _restaurant_facts(option: RestaurantOption, row: Row) -> Facts:
    yield "price_per_person", option.price_per_person, number(row.get("price_per_person", ""))
    yield "rating", option.restaurant_rating, number(row.get("rating", "")) or Decimal(0)
    yield "opening_time", option.opening_time, row.get("opening_time", "")
    yield "closing_time", option.closing_time, row.get("closing_time", "")
    yield "nearby_attraction_name", option.nearby_attraction_name, row.get("nearby_attraction_name", "")


@GROUNDING.warning
def attraction_is_as_stated(it: Grounded) -> Iterator[Problem]:
    """Type, rating, ticket price and hours that the task states of an attraction are those of the table."""
    for key, constraint in it.record.base.hard_constraints.items():
        for field, options in (
            ("acceptable_attraction_options", constraint.acceptable_attraction_options),
            ("banned_attraction_options", constraint.banned_attraction_options),
        ):
            for option in options or ():
                row = it.folder.attractions.get(option.attraction_name)
                if row:
                    where = f"{constraint_field(key)}.{field}"
                    yield from _differing(where, option.attraction_name, _attraction_facts(option, row))


def _attraction_facts(option: AttractionOption, row: Row) -> Facts:
    yield "attraction_type", option.attraction_type, row.get("attraction_type", "")
    yield "rating", option.rating, number(row.get("rating", "")) or Decimal(0)
    yield "ticket_price", option.ticket_price, number(row.get("ticket_price", ""))
    yield "opening_time", option.opening_time, row.get("opening_time", "")
    yield "closing_time", option.closing_time, row.get("closing_time", "")


@GROUNDING.warning
def rating_of_a_required_attraction_is_as_stated(it: Grounded) -> Iterator[Problem]:
    """Ratings that the task states of required attractions are those of the table."""
    for key, constraint in it.record.base.hard_constraints.items():
        for name, rating in zip(constraint.attraction_names or (), constraint.attraction_ratings or (), strict=False):
            row = it.folder.attractions.get(name)
            found = number(row.get("rating", "")) if row else None
            if row and rating != (found or Decimal(0)):
                what = f"{name} has {rating:g}"
                yield Problem(f"{constraint_field(key)}.attraction_ratings", what, f"the table has {found or 'none'}")


@GROUNDING.warning
def requested_place_is_as_stated(it: Grounded) -> Iterator[Problem]:
    """Price and rating that the task states of a restaurant or hotel asked for on the way are those of the table."""
    for turn, _, delta in new_deltas(it.record):
        for family, request in (
            ("restaurant_requirement", delta.restaurant_requirement),
            ("hotel_requirement", delta.hotel_requirement),
        ):
            if request and request.candidate_reference:
                reference = request.candidate_reference
                field = f"turns[{turn.turn_id}].{family}.candidate_reference"
                yield from _differing(field, reference.name, _reference_facts(reference, it.folder))


def _reference_facts(reference: CandidateReference, folder: Folder) -> Facts:
    for row, pairs in (
        (
            folder.restaurants.get(reference.name),
            (("rating", reference.rating), ("price_per_person", reference.price_per_person)),
        ),
        (folder.hotels.get(reference.name), (("score", reference.score), ("price", reference.price))),
    ):
        for column, stated in pairs if row else ():
            if row and stated is not None:
                yield column, number(stated), number(row.get(column, ""))


def _differing(field: str, name: str, facts: Facts) -> Iterator[Problem]:
    for column, stated, found in facts:
        if stated not in (None, "") and stated != found:
            yield Problem(field, f"{name}: {column} {_told(stated)}", f"the table has {_told(found)}")


def _told(value: object) -> str:
    if isinstance(value, set):
        return some(sorted(value), 10) or "none"
    return f"{value:g}" if isinstance(value, Decimal) else str(value) or "none"


@GROUNDING.warning
def restaurants_are_near_the_anchor(it: Grounded) -> Iterator[Problem]:
    """The table has restaurants at the attraction near which a meal must be."""
    anchors = {row.get("nearby_attraction_name", "") for row in it.folder.restaurants.values()}
    for key, constraint in it.record.base.hard_constraints.items():
        if key.startswith("restaurant_") and constraint.attraction_name and constraint.attraction_name not in anchors:
            what = f'"{constraint.attraction_name}"'
            yield Problem(f"{constraint_field(key)}.attraction_name", what, "no restaurant is listed near it")


@GROUNDING.error
def price_range_holds_exactly_the_acceptable_hotels(it: Grounded) -> Iterator[Problem]:
    """The hotels that meet a price range are those of the table in it."""
    for key, constraint in it.record.base.hard_constraints.items():
        low, high, names = constraint.min_price, constraint.max_price, constraint.acceptable_hotel_names
        if low is not None and high is not None and names is not None:
            right = {
                name
                for name, row in it.folder.hotels.items()
                if (price := number(row.get("price", ""))) and low <= price <= high
            }
            yield from _other_set(f"{constraint_field(key)}.acceptable_hotel_names", set(names), right)


@GROUNDING.error
def highest_rated_hotels_are_the_acceptable_ones(it: Grounded) -> Iterator[Problem]:
    """The hotels that meet "highest rated" are those with the best score of the table."""
    constraint = it.record.base.hard_constraints.get("hotel_highest_rated")
    if constraint and constraint.acceptable_hotel_names is not None:
        scores = {name: score for name, row in it.folder.hotels.items() if (score := number(row.get("score", "")))}
        best = max(scores.values(), default=None)
        right = {name for name, score in scores.items() if score == best}
        yield from _other_set(
            "hard_constraints.hotel_highest_rated.acceptable_hotel_names", set(constraint.acceptable_hotel_names), right
        )


def _other_set(field: str, stated: set[str], right: set[str]) -> Iterator[Problem]:
    if stated - right:
        yield Problem(field, some(sorted(stated - right)), "by the table it does not meet the constraint")
    if right - stated:
        yield Problem(field, f"without {some(sorted(right - stated))}", "by the table it meets the constraint")


@GROUNDING.warning
def attraction_type_is_in_the_table(it: Grounded) -> Iterator[Problem]:
    """An attraction type that the task asks for is one of the table."""
    types = {row.get("attraction_type", "") for row in it.folder.attractions.values()}
    for key, constraint in it.record.base.hard_constraints.items():
        if constraint.attraction_type and constraint.attraction_type not in types:
            yield Problem(
                f"{constraint_field(key)}.attraction_type",
                f'"{constraint.attraction_type}"',
                "the table has no such type",
            )


@GROUNDING.warning
def every_attraction_of_the_type_is_required(it: Grounded) -> Iterator[Problem]:
    """Where all attractions of a type must be visited, the list has all of the table."""
    constraint = it.record.base.hard_constraints.get("attraction_all_of_type")
    if constraint and constraint.attraction_type and constraint.attraction_names is not None:
        of_type = [
            name
            for name, row in it.folder.attractions.items()
            if row.get("attraction_type") == constraint.attraction_type and name not in constraint.attraction_names
        ]
        if of_type:
            field = "hard_constraints.attraction_all_of_type.attraction_names"
            yield Problem(field, f"without {some(of_type)}", f"the table says {constraint.attraction_type}")


@GROUNDING.error
def quoted_name_is_known(it: Grounded) -> Iterator[Problem]:
    """A name in double quotes in what the traveler says is that of a place of the sandbox."""
    for turn in it.record.turns:
        for name in re.findall(r'"([^"]{3,})"', turn.utterance):
            known = name in it.folder.hotels or name in it.folder.restaurants or name in it.folder.attractions
            if not known and not it.folder.can_locate(name) and name.rstrip(".,!?") not in it.folder.attractions:
                yield Problem(f"turns[{turn.turn_id}].utterance", f'"{name}"', f"{it.folder.name} has no such place")


@GROUNDING.warning
def named_attraction_is_graded(it: Grounded) -> Iterator[Problem]:
    """An attraction that the first utterance names is in a constraint; otherwise it is asked for, not graded."""
    graded = {place.name for place in places_of(it.record)}
    text = it.record.query
    named = [name for name in it.folder.attractions if len(name) >= SHORTEST_TELLING_NAME and name in text]
    for name in named:
        longer = [other for other in (*named, *graded) if name != other and name in other and other in text]
        if name not in graded and not _stands_only_inside(name, longer, text):
            yield Problem("query", f'"{name}"', "no constraint names it")


def _stands_only_inside(name: str, longer: list[str], text: str) -> bool:
    for other in longer:
        text = text.replace(other, "")
    return name not in text


@GROUNDING.warning
def weather_event_fits_the_weather(it: Grounded) -> Iterator[Problem]:
    """It rains, is hot or is cold in the table on the day an event says so."""
    frame = frame_of(it.record.base)
    for turn, event in new_events(it.record):
        for adjustment in event.expected_adjustments[:1]:
            is_known = adjustment.day is not None and 1 <= adjustment.day <= frame.days
            row = it.folder.weather.get(frame.date_of(adjustment.day or 1)) if is_known else None
            found = _other_weather(event.type, row) if row else ""
            if row and found:
                yield Problem(f"turns[{turn.turn_id}].{event.factor}", f"{event.type} on day {adjustment.day}", found)


def _other_weather(kind: str, row: Row) -> str:
    """What the table says instead; "" if it agrees or has nothing to say."""
    rain, high, low = (
        number(row.get(name, "")) for name in ("precipitation_mm", "temperature_max_c", "temperature_min_c")
    )
    if kind == "rain" and rain is not None and rain < RAINY_MM:
        return f"the table has {rain:g} mm of rain"
    if kind == "extreme_heat" and high is not None and high < HOT_C:
        return f"the table has {high:g} °C at most"
    if kind == "cold_wave" and low is not None and low > COLD_C:
        return f"the table has {low:g} °C at least"
    return ""
