"""The notation agents write plans in: parse and format. (Trip+ B.1; edition `strict`)

The published notation, read with good sense: every usual spelling of a heading, a time or a price is understood, and
what is not understood stays in the itinerary as a fault of the line it stands on. Nothing is guessed and nothing is
dropped that looks like content; plain prose between the lines is ignored.
"""

from collections.abc import Container
from decimal import Decimal

from tripgauge.trip_plus.itinerary import (
    Activity,
    Budget,
    Buffer,
    Clarification,
    Day,
    Fault,
    HotelStop,
    IntercityLeg,
    Itinerary,
    LocalTransfer,
    Lodging,
    Meal,
    Misfit,
    Mode,
    NoSolution,
    Plan,
    Response,
    Unreadable,
    Visit,
)
from tripgauge.trip_plus.notation.activity_kinds import Kind
from tripgauge.trip_plus.notation.activity_lines import Names
from tripgauge.trip_plus.notation.answer_modes import find_mode, without_thoughts
from tripgauge.trip_plus.notation.budget_lines import BUDGET_FIELDS
from tripgauge.trip_plus.notation.measures import write_number
from tripgauge.trip_plus.notation.money import write_amount
from tripgauge.trip_plus.notation.plan_lines import PlanReader
from tripgauge.trip_plus.notation.routes import looks_cuttable
from tripgauge.trip_plus.notation.times import write_slot


def parse_response(text: str, known_names: Container[str] = frozenset()) -> Response:
    """What an agent's last message says: a plan, a clarification, no solution, or why it is none of them.

    Without tags a text with day headings and activity rows is a plan. `known_names` are names of places that help to
    tell where a name ends; without them the plan's own names serve.
    """
    answer = without_thoughts(text)
    if not answer:
        return Unreadable(Fault("response", "", "empty answer"))
    found = find_mode(answer)
    if isinstance(found, Fault):
        return Unreadable(found)
    if found is None:
        return _untagged(answer, known_names)
    match found.mode:
        case Mode.CLARIFICATION:
            return Clarification(found.text)
        case Mode.NO_SOLUTION:
            return NoSolution(found.text)
        case Mode.PLAN:
            return _plan(parse_plan(found.text, known_names), found.text)


def _untagged(answer: str, known_names: Container[str]) -> Response:
    itinerary = parse_plan(answer, known_names)
    if any(not isinstance(activity, Misfit) for day in itinerary.days for activity in day.activities):
        return _plan(itinerary, answer)
    return Unreadable(Fault("response", _excerpt(answer), "no response mode"))


def _plan(itinerary: Itinerary, body: str) -> Response:
    if not itinerary.days:
        return Unreadable(Fault("plan", _excerpt(body), "a plan without days"))
    first, *others = (day.number for day in itinerary.days)
    if first in others:
        return Unreadable(Fault("plan", f"Day {first}", "more than one plan: the days begin again"))
    return Plan(itinerary)


def _excerpt(text: str) -> str:
    line = text.strip().split("\n", 1)[0]
    return line if len(line) <= 80 else line[:79] + "…"


def parse_plan(body: str, known_names: Container[str] = frozenset()) -> Itinerary:
    """The itinerary a text lays out. Never fails: what cannot be read is a fault in it."""
    reader = PlanReader(Names(known_names))
    for line in body.splitlines():
        reader.read(line)
    return reader.itinerary()


def format_response(response: Response) -> str:
    """The answer in the published form; of an unreadable one only what its fault quotes."""
    match response:
        case Plan(itinerary):
            return f"<plan>\n{format_plan(itinerary)}\n</plan>"
        case Clarification(text):
            return f"<clarification>\n{text}\n</clarification>"
        case NoSolution(text):
            return f"<no_solution>\n{text}\n</no_solution>"
        case Unreadable(fault):
            return fault.text


def format_plan(itinerary: Itinerary) -> str:
    """The itinerary in the published notation; `parse_plan` reads it back where it has no faults.

    What the notation can carry: single-line texts without bars, names that do not read as a note, a price or the mode
    of a ride, brackets that close, and at most one of comma and dash in the way of each other: where an end of a route
    has a dash between blanks, an arrow stands between the ends. Fields that are faults are left out or, as time slots,
    written as they stood.
    """
    blocks = [_format_day(position, day) for position, day in enumerate(itinerary.days, 1)]
    if itinerary.budget:
        blocks.append(_format_budget(itinerary.budget))
    return "\n\n".join(blocks)


def _format_day(position: int, day: Day) -> str:
    number = position if day.number is None else day.number
    when = ", ".join(str(part) for part in (day.date, day.partial_date) if part)
    lines = [f"Day {number} ({when}):" if when else f"Day {number}:"]
    if day.city:
        lines.append(f"Current City: {day.city}")
    lines.append(f"Accommodation: {_format_lodging(day.lodging)}")
    lines += [format_activity(activity) for activity in day.activities]
    return "\n".join(lines)


def _format_lodging(lodging: Lodging | None) -> str:
    if lodging is None:
        return "-"
    price = f"¥{write_amount(lodging.price)}/room/night" if lodging.price is not None else ""
    return _joined(lodging.hotel, price)


def _format_budget(budget: Budget) -> str:
    amounts = ((label, getattr(budget, field)) for field, label in zip(BUDGET_FIELDS, _BUDGET_LABELS, strict=True))
    lines = [f"**{label}: {write_amount(amount)} RMB**" for label, amount in amounts if amount is not None]
    return "\n".join(["**Budget Summary**:", *lines])


_BUDGET_LABELS = (
    "Transportation",
    "Accommodation",
    "Meals",
    "Attractions & Tickets",
    "Other",
    "Total Estimated Budget",
)


def format_activity(activity: Activity) -> str:
    """One line of a day."""
    unread = next((fault.text for fault in activity.faults if fault.field == "time slot"), "")
    slot = write_slot(activity.slot) if activity.slot else unread
    if isinstance(activity, Misfit):
        return f"{slot} | {activity.text}" if activity.slot else activity.text
    kind, detail = _detail(activity)
    return f"{slot} | {kind} | {detail}"


def _detail(activity: Activity) -> tuple[Kind, str]:
    match activity:
        case IntercityLeg():
            service = f"{activity.mode} {activity.number}".strip()
            route = _route(activity.origin, activity.destination)
            return Kind.INTERCITY, _joined(service, route, activity.seat_class, _per_person(activity.price))
        case LocalTransfer():
            return Kind.TRANSFER, _joined(
                _route(activity.origin, activity.destination),
                activity.mode,
                f"{write_number(activity.distance_km)}km" if activity.distance_km is not None else "",
                f"{write_number(activity.duration_minutes)}min" if activity.duration_minutes is not None else "",
                f"¥{write_amount(activity.price)}" if activity.price is not None else "",
            )
        case Visit():
            return Kind.VISIT, _joined(activity.attraction, _per_person(activity.price))
        case Meal():
            return Kind.MEAL, _joined(activity.meal, activity.restaurant, _per_person(activity.price))
        case HotelStop():
            return Kind.HOTEL, _joined(activity.purpose, activity.hotel)
        case Buffer():
            return Kind.BUFFER, activity.description
        case _:
            raise TypeError(f"no notation for {type(activity).__name__}")


def _route(origin: str, destination: str) -> str:
    if not destination:
        return origin
    separator = " -> " if looks_cuttable(origin) or looks_cuttable(destination) else " - "
    return f"{origin}{separator}{destination}"


def _per_person(price: Decimal | None) -> str:
    return "" if price is None else f"¥{write_amount(price)}/person"


def _joined(*fields: str) -> str:
    return ", ".join(field for field in fields if field)
