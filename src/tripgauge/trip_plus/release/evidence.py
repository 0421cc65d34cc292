"""Does the plan rest on the sandbox? (Trip+ Table 11, evidence validity, as the published evaluator reads it)

A check yields what is wrong; it passes if nothing is.
"""

from collections.abc import Iterator, Mapping

from tripgauge.trip_plus.release.index import AttractionEntry, HotelEntry, RestaurantEntry, TicketRow
from tripgauge.trip_plus.release.joined import JoinedPlan
from tripgauge.trip_plus.release.plan import HOTEL, INTERCITY, RIDE, PlanActivity
from tripgauge.trip_plus.release.primitives import (
    JsonObject,
    hotel_name,
    is_json_number,
    norm,
    num_first,
    num_strict,
    round_int,
    text,
)

# --- Places ----------------------------------------------------------------------------------------------------------


def validated_accommodation(trip: JoinedPlan) -> Iterator[str]:
    """Every hotel named is in the sandbox, at its price per night."""
    if not trip.index.hotels:
        yield "the sandbox has no hotels"
        return
    last = len(trip.days)
    for day in trip.days:
        hotel = day.accommodation
        name = text(hotel.get("name")) if isinstance(hotel, Mapping) else ""
        if isinstance(hotel, Mapping) and name and not (name == "-" and day.number == last):
            price = hotel.get("price") or hotel.get("cost") or hotel.get("price_per_night")
            yield from _place_faults(day.number, name, trip.index.hotels.find(name), price)
    for number, activity in trip.activities(HOTEL):
        name = hotel_name(activity.details)
        if number != last and name and trip.index.hotels.find(name) is None:
            yield f"day {number}: no hotel {name}"


def validated_attractions(trip: JoinedPlan) -> Iterator[str]:
    """Every sight is in the sandbox, at its ticket price; a second visit on the same day may be free."""
    if not trip.index.attractions:
        yield "the sandbox has no sights"
        return
    paid: set[tuple[int, str]] = set()
    for visit in trip.visits:
        cost = visit.activity.details.get("cost")
        ticket = (visit.day, norm(visit.name).casefold())
        fault = next(_place_faults(visit.day, visit.name, visit.entry, cost), None)
        if fault is None:
            paid.add(ticket)
        elif not (visit.entry is not None and is_json_number(cost) and cost == 0 and ticket in paid):
            yield fault


def validated_meals(trip: JoinedPlan) -> Iterator[str]:
    """Every meal is at a restaurant of the sandbox, at its price per person."""
    if not trip.index.restaurants:
        yield "the sandbox has no restaurants"
        return
    for meal in trip.sittings:
        yield from _place_faults(meal.day, meal.name, meal.entry, meal.activity.details.get("cost"))


def _place_faults(
    day: int, name: str, entry: HotelEntry | AttractionEntry | RestaurantEntry | None, price: object
) -> Iterator[str]:
    if entry is None:
        yield f"day {day}: nothing is known of {name or 'a place without a name'}"
    elif entry.has_price and not is_json_number(price):
        yield f"day {day}: the price of {name} is {price!r}, not a number"
    elif entry.has_price and round_int(price) != entry.price:
        yield f"day {day}: {name} costs {entry.price}, not {price}"


# --- Tickets ---------------------------------------------------------------------------------------------------------


def validated_transportation(trip: JoinedPlan) -> Iterator[str]:
    """Every journey is in the timetable: number, stations, clock times and fare of one row. The date is not read."""
    for day, journey in trip.activities(INTERCITY):
        fault = _ticket_fault(trip.index.tickets, journey)
        if fault:
            yield f"day {day}: {fault}"


def _ticket_fault(timetable: Mapping[str, tuple[TicketRow, ...]], journey: PlanActivity) -> str:
    details = journey.details
    missing = [field for field in ("number", "from", "to", "cost") if details.get(field) in (None, "")]
    if missing or journey.raw.get("time_slot") in (None, ""):
        return f"a journey lacks {', '.join(missing) or 'its time'}"
    number = text(details.get("number"))
    rows = timetable.get(number)
    if rows is None:
        return f"there is no {number}"
    origin, destination = norm(text(details.get("from"))), norm(text(details.get("to")))
    placed = [row for row in rows if row.origin == origin and row.destination == destination]
    timed = [row for row in placed if journey.slot == (row.start, row.end)]
    if not timed:
        return f"{number} does not run from {details.get('from')} to {details.get('to')} at these times"
    if not _is_fare(timed, details.get("cost")):
        return f"{number} does not cost {details.get('cost')}"
    return ""


def _is_fare(rows: list[TicketRow], cost: object) -> bool:
    if num_strict(cost) is None:
        # A fare that is no number is taken as it stands.
        return True
    fare = round_int(cost)
    return any(fare is not None and (fare == row.price or fare in row.route_fares) for row in rows)


# --- Rides within the city -------------------------------------------------------------------------------------------

_STANDSTILL_KM = 0.5
_RIDE_KM = 1.0
_SHORTEST_RIDE_MINUTES = 5.0


def local_move_sanity(trip: JoinedPlan) -> Iterator[str]:
    """Every ride has its fields, a cost of at least nothing, and is no faster than 60 km/h.

    The first number of a distance counts as kilometres and that of a duration as minutes, whatever the units.
    """
    for day, ride in trip.activities(RIDE):
        fault = _ride_fault(ride.details)
        if fault:
            yield f"day {day}: {fault}"


def _ride_fault(details: JsonObject) -> str:
    mode = details.get("mode") or details.get("transport_mode") or details.get("recommended_mode")
    fields = {name: details.get(name) for name in ("from", "to", "duration", "cost")} | {"mode": mode}
    missing = [name for name, value in fields.items() if not text(value)]
    if missing:
        return f"a ride lacks {', '.join(missing)}"
    minutes, cost = num_first(details.get("duration")), num_first(details.get("cost"))
    if minutes is None or cost is None or cost < 0:
        return f"a ride of duration {details.get('duration')} costs {details.get('cost')}"
    km = num_first(details.get("distance"))
    if km is None:
        return ""
    if (km > _STANDSTILL_KM and minutes <= 0) or (km >= _RIDE_KM and minutes < max(_SHORTEST_RIDE_MINUTES, km)):
        return f"a ride of {details.get('distance')} takes {details.get('duration')}"
    return ""
