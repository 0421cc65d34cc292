"""Does everything the plan names exist, on that day and at that price? (Trip+ Table 11, evidence validity)"""

from collections.abc import Iterator, Sequence
from datetime import date
from decimal import Decimal

from tripgauge.checks import Finding
from tripgauge.trip_plus.feasibility.dimension import Dimension
from tripgauge.trip_plus.itinerary import IntercityLeg, Lodging, Meal, Visit
from tripgauge.trip_plus.notation.money import yuan
from tripgauge.trip_plus.sandbox.records import Hotel, Service
from tripgauge.trip_plus.trace.costs import is_walk
from tripgauge.trip_plus.trace.days import Night
from tripgauge.trip_plus.trace.events import HotelEvent, LegEvent, MealEvent, TransferEvent, VisitEvent
from tripgauge.trip_plus.trace.execution import Content, ExecutionTrace
from tripgauge.trip_plus.trace.journeys import Ticket, is_seat

evidence = Dimension("evidence_validity")

PRICE_ROUNDING = Decimal("0.5")
"""Plans may round prices to whole yuan."""

Priced = Lodging | Meal | Visit | IntercityLeg
"""What the plan states a price of."""

FASTEST_KM_PER_HOUR = 60
FASTEST_WALK_KM_PER_HOUR = 8
SHORT_RIDE_KM = 0.5
"""So short a ride may take no time that counts."""

SHORTEST_RIDE_MINUTES = 5
"""No ride of a kilometer or more is shorter."""


def _price(line: Priced, true: Decimal | None, day: int, item: str) -> Iterator[Finding]:
    if true is None:
        return
    if line.price is None:
        text, why = _unreadable(line, "price")
        yield Finding(f"no price that can be read for {item}{why}", day, item, yuan(true), text)
    elif abs(line.price - true) > PRICE_ROUNDING:
        yield Finding(f"{item} costs {yuan(true)}, not {yuan(line.price)}", day, item, yuan(true), yuan(line.price))


def _unreadable(line: Priced, field: str) -> tuple[str, str]:
    """What stands where a field is to be, and why that cannot be read; both empty if nothing stands there."""
    fault = next((fault for fault in line.faults if fault.field == field and fault.text), None)
    return (fault.text, f": {fault.text!r} is {fault.reason}") if fault else ("", "")


@evidence.check("poi_grounding_valid", about=Content.NIGHTS, each=ExecutionTrace.hotels_named)
def validated_accommodation(named: "Night | HotelEvent") -> Iterator[Finding]:
    """Every hotel named exists; each night's price is the hotel's."""
    if isinstance(named, HotelEvent):
        if named.hotel is None:
            yield Finding(f"there is no hotel named {named.name or 'so'}", named.day, named.label, found=named.name)
        return
    lodging: Lodging | None = named.lodging
    hotel: Hotel | None = named.hotel
    if lodging is None:
        return
    if hotel is None:
        yield Finding(f"there is no hotel named {lodging.hotel}", named.day, lodging.hotel, found=lodging.hotel)
        return
    yield from _price(lodging, hotel.price, named.day, lodging.hotel)


@evidence.check("poi_grounding_valid", about=Content.VISITS, each=lambda trace: trace.visits)
def validated_attractions(visit: VisitEvent) -> Iterator[Finding]:
    """Every sight exists and its ticket price is right; coming back on the same day costs nothing."""
    if visit.attraction is None:
        name = visit.activity.attraction
        yield Finding(f"there is no attraction named {name or 'so'}", visit.day, visit.label, found=name)
        return
    if visit.activity.price == 0 and visit.paid_before:
        return
    yield from _price(visit.activity, visit.attraction.price, visit.day, visit.attraction.name)


@evidence.check("poi_grounding_valid", about=Content.MEALS, each=lambda trace: trace.meals)
def validated_meals(meal: MealEvent) -> Iterator[Finding]:
    """Every restaurant exists and its price per person is right."""
    if meal.restaurant is None:
        name = meal.activity.restaurant
        yield Finding(f"there is no restaurant named {name or 'so'}", meal.day, meal.label, found=name)
        return
    yield from _price(meal.activity, meal.restaurant.price, meal.day, meal.restaurant.name)


@evidence.check("transport_grounding_valid", about=Content.TRAVEL, each=lambda trace: trace.tickets)
def validated_transportation(ticket: Ticket) -> Iterator[Finding]:
    """Every flight and train runs on that date, at those times, between those stations, in that seat, at that fare."""
    for leg in ticket.legs:
        yield from _service(leg)
    if all(leg.service for leg in ticket.legs):
        yield from _fare(ticket)


def _service(leg: LegEvent) -> Iterator[Finding]:
    number = leg.activity.number
    if not leg.runs:
        reason = f"there is no flight or train {number or 'without a number'}"
        yield Finding(reason, leg.day, leg.label, found=number)
    elif leg.service is None and not leg.runs_that_day:
        nearest = min(leg.runs, key=lambda run: (abs((run.date - leg.date).days), run.date)).date
        when, other = _day(leg.date), _day(nearest)
        yield Finding(f"{number} does not run on {when}; nearest {other}", leg.day, leg.label, when, other)
    elif leg.service is None:
        runs = "; ".join(dict.fromkeys(_described(run) for run in leg.runs_that_day))
        yield Finding(
            f"{number} does not run like this on {_day(leg.date)}; it goes {runs}", leg.day, leg.label, runs, leg.label
        )
    elif leg.activity.seat_class and not is_seat(leg.activity.seat_class, leg.service.seat_class):
        seat = leg.activity.seat_class
        yield Finding(f"{number} has no {seat} that day", leg.day, leg.label, leg.service.seat_class, seat)


def _day(day: date) -> str:
    return f"{day.day} {day:%B} {day.year}"


def _described(run: Service) -> str:
    return f"{run.departure:%H:%M}-{run.arrival:%H:%M} from {run.origin.name} to {run.destination.name}"


def _fare(ticket: Ticket) -> Iterator[Finding]:
    first = ticket.legs[0]
    names = " and ".join(leg.activity.number for leg in ticket.legs)
    fares = _fares(ticket)
    if ticket.fare is None:
        text, why = _unreadable(first.activity, "price")
        yield Finding(f"no fare that can be read for {names}{why}", first.day, first.label, _listed(fares), text)
    elif fares and all(abs(ticket.fare - fare) > PRICE_ROUNDING for fare in fares):
        yield Finding(
            f"{names} costs {_listed(fares)} on {_day(first.date)}, not {yuan(ticket.fare)}",
            first.day,
            first.label,
            _listed(fares),
            yuan(ticket.fare),
        )


def _fares(ticket: Ticket) -> Sequence[Decimal]:
    """What the ticket may cost: the journey's fare; of a leg that is no journey by itself, the leg's."""
    if ticket.journey is not None and ticket.journey.fare is not None:
        return (ticket.journey.fare,)
    prices = [leg.service.price for leg in ticket.legs if leg.service and leg.service.price is not None]
    return (sum(prices, Decimal()),) if len(prices) == len(ticket.legs) else ()


def _listed(fares: Sequence[Decimal]) -> str:
    return " or ".join(yuan(fare) for fare in fares)


@evidence.check("transport_grounding_valid", about=Content.TRANSFERS, each=lambda trace: trace.transfers)
def local_move_sanity(transfer: TransferEvent) -> Iterator[Finding]:
    """Every ride says from where to where, how, how long and at what cost, and is not faster than anything can go."""
    move = transfer.activity
    missing = [
        name
        for name, value in (
            ("its start", move.origin or None),
            ("its end", move.destination or None),
            ("how it goes", move.mode or None),
            ("how long it takes", move.duration_minutes),
            ("what it costs", move.price),
        )
        if value is None
    ]
    if missing:
        yield Finding(f"{transfer.label} does not say {', '.join(missing)}", transfer.day, transfer.label)
    if move.distance_km is None or move.duration_minutes is None:
        return
    least = _least_minutes(move.distance_km, is_walk(move))
    if move.duration_minutes < least:
        yield Finding(
            f"{move.distance_km:g} km in {move.duration_minutes:g} minutes is too fast",
            transfer.day,
            transfer.label,
            f"at least {least:.0f} min",
            f"{move.duration_minutes:g} min",
        )


def _least_minutes(kilometers: float, walks: bool) -> float:
    if walks:
        return kilometers / FASTEST_WALK_KM_PER_HOUR * 60
    minutes = kilometers / FASTEST_KM_PER_HOUR * 60
    if kilometers < 1:
        return minutes if kilometers > SHORT_RIDE_KM else 0
    return max(SHORTEST_RIDE_MINUTES, minutes)
