"""Converted plans as JSON, read with the same good sense as plan text, and written back. (Trip+ B.1; edition `strict`)

The documented keys, and the synonyms models use for them, are in `_KEYS`; other keys are ignored. A value of the wrong
type is a fault of the field it stands in. Numbers are equal as numbers: 25, 25.0 and "25" are one price.
"""

from collections.abc import Callable, Mapping
from datetime import date
from decimal import Decimal

from tripgauge.trip_plus.itinerary import (
    Activity,
    Budget,
    Buffer,
    CityLabel,
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
    NoSolution,
    Plan,
    Response,
    TimeSlot,
    Unreadable,
    Visit,
)
from tripgauge.trip_plus.notation import activity_kinds as kinds
from tripgauge.trip_plus.notation.activity_kinds import Kind, KindWord, kind_word
from tripgauge.trip_plus.notation.activity_lines import LONGEST_LINE, Names, read_activity
from tripgauge.trip_plus.notation.budget_lines import BUDGET_FIELDS
from tripgauge.trip_plus.notation.dates import read_date
from tripgauge.trip_plus.notation.line_fields import place_name
from tripgauge.trip_plus.notation.measures import number_of, read_distance_km, read_minutes, write_number
from tripgauge.trip_plus.notation.money import Per, amount_of
from tripgauge.trip_plus.notation.plan_lines import read_city, read_lodging
from tripgauge.trip_plus.notation.plan_text import parse_response
from tripgauge.trip_plus.notation.readings import MISSING, FaultList, shown
from tripgauge.trip_plus.notation.times import read_slot, write_slot

JsonObject = Mapping[str, object]

_KEYS: dict[str, tuple[str, ...]] = {
    "daily_plans": ("daily_plans", "days", "daily_plan", "itinerary"),
    "budget_summary": ("budget_summary", "budget"),
    "clarification": ("clarification", "question"),
    "unsat_explanation": ("unsat_explanation", "no_solution", "explanation", "reason", "message", "summary"),
    "day_number": ("day_number", "day"),
    "current_city": ("current_city", "city"),
    "accommodation": ("accommodation", "lodging"),
    "activities": ("activities", "schedule"),
    "lodging.name": ("name", "hotel_name", "hotel"),
    "price_per_night": ("price_per_night", "price", "cost"),
    "time_slot": ("time_slot", "time"),
    "type": ("type", "activity_type"),
    "from": ("from", "origin", "departure"),
    "to": ("to", "destination", "arrival"),
    "mode": ("mode", "transport_mode"),
    "number": ("number", "flight_number", "train_number", "flight_no", "train_no"),
    "seat_class": ("seat_class", "seat", "cabin_class", "cabin"),
    "cost": ("cost", "price", "price_per_person", "ticket_price", "fare"),
    "visit.name": ("name", "attraction", "attraction_name"),
    "meal_type": ("meal_type", "meal"),
    "meal.name": ("name", "restaurant", "restaurant_name"),
    "hotel.activity": ("activity", "purpose"),
    "hotel.name": ("name", "hotel", "hotel_name"),
    "description": ("description", "activity", "name", "note"),
    "transportation": ("transportation", "transport"),
    "meals": ("meals", "food"),
    "attractions": ("attractions_and_tickets", "attractions", "tickets"),
    "total": ("total_estimated_budget", "total", "total_budget", "total_cost"),
}
"""For each field the documented key first, then what models write in its place."""


def convert(text: str) -> dict[str, object]:
    """An agent's last message as converted JSON."""
    return write_converted(parse_response(text))


# Reading


def read_converted(value: object) -> Response:
    """The answer a converted plan stands for. Never fails: what cannot be read is a fault in it."""
    if not isinstance(value, Mapping):
        return Unreadable(Fault("response", shown(value), "no JSON object"))
    status = value.get("status")
    word = status.strip().lower() if isinstance(status, str) else ""
    days = _find(value, "daily_plans")
    if word == "malformed":
        return Unreadable(Fault("response", shown(value.get("malformed_explanation", "")), "malformed"))
    if not days:
        return _without_days(value, word)
    if word in _STATUS_KEYS or any(value.get(key) for key in ("clarification", "unsat_explanation")):
        return Unreadable(Fault("response", word or "plan", "more than one response mode"))
    if not isinstance(days, list):
        return Unreadable(Fault("daily_plans", shown(days), "not a list"))
    return Plan(Itinerary(tuple(_day(day) for day in days), _budget(_find(value, "budget_summary"))))


_STATUS_KEYS = {
    "clarification": "clarification",
    "unsat": "unsat_explanation",
    "no_solution": "unsat_explanation",
}


def _without_days(value: JsonObject, status: str) -> Response:
    said = _STATUS_KEYS.get(status)
    if said is None:
        faulty = "no response mode" if "daily_plans" not in value else "a plan without days"
        return Unreadable(Fault("response", status, faulty))
    text = " ".join(found.strip() for key in _KEYS[said] if isinstance(found := value.get(key), str)).strip()
    if not text:
        return Unreadable(Fault("response", status, f"empty {said.replace('unsat_explanation', 'no solution')}"))
    return Clarification(text) if said == "clarification" else NoSolution(text)


def _find(value: JsonObject, field: str) -> object:
    """What stands at the documented key or, failing that, at one of its synonyms."""
    for key in _KEYS[field]:
        found = value.get(key)
        if found is not None:
            return found
    return None


def _text(value: JsonObject, field: str, faults: FaultList) -> str:
    """The text of a field; a number is taken as its digits, anything else is a fault."""
    found = _find(value, field)
    if isinstance(found, str) and len(found) <= LONGEST_LINE:
        return found.strip()
    if found is None:
        return ""
    if isinstance(found, int) and not isinstance(found, bool):
        return shown(found)
    faults.add(field.rpartition(".")[2], shown(found), "too long" if isinstance(found, str) else "not a text")
    return ""


def _day(value: object) -> Day:
    faults = FaultList()
    if not isinstance(value, Mapping):
        faults.add("day", shown(value), "no JSON object")
        return Day(None, None, None, None, (), tuple(faults.found))
    items = _find(value, "activities")
    if not isinstance(items, list):
        if items is not None:
            faults.add("activities", shown(items), "not a list")
        items = []
    return Day(
        number=_day_number(_find(value, "day_number"), faults),
        date=_date(value.get("date"), faults),
        city=_city(_find(value, "current_city"), faults),
        lodging=_lodging(_find(value, "accommodation"), faults),
        activities=tuple(_activity(item) for item in items),
        faults=tuple(faults.found),
    )


def _day_number(value: object, faults: FaultList) -> int | None:
    if isinstance(value, str) and value.strip().lower().removeprefix("day").strip().isdecimal():
        value = int(value.strip().lower().removeprefix("day").strip()[:9])
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) < 10**9:
        return value
    faults.add("day number", "" if value is None else shown(value), MISSING if value is None else "not a whole number")
    return None


def _date(value: object, faults: FaultList) -> date | None:
    if value is None or value == "":
        return None
    found = read_date(value[:LONGEST_LINE]) if isinstance(value, str) else None
    return faults.value(found if found is not None else Fault("date", shown(value), "no date"))


def _city(value: object, faults: FaultList) -> CityLabel | None:
    if value is None or (isinstance(value, str) and len(value) <= LONGEST_LINE):
        return read_city(value) if value else None
    return faults.value(Fault("city", shown(value), "not a text"))


def _lodging(value: object, faults: FaultList) -> Lodging | None:
    if not value:
        return None
    if isinstance(value, str) and len(value) <= LONGEST_LINE:
        return read_lodging(value)
    if not isinstance(value, Mapping):
        return faults.value(Fault("accommodation", shown(value), "no JSON object"))
    own = FaultList()
    hotel = place_name(_text(value, "lodging.name", own))
    if hotel and hotel.strip("-–— ") == "":
        return None
    price = own.value(amount_of(_find(value, "price_per_night"), Per.ROOM_NIGHT))
    return kinds.lodging(own, hotel=hotel, price=price)


def _activity(value: object) -> Activity:
    faults = FaultList()
    if not isinstance(value, Mapping):
        faults.add("activity", shown(value), "no JSON object")
        return kinds.misfit(None, faults, shown(value))
    slot = faults.value(_slot(value))
    written = _find(value, "type")
    word = kind_word(written) if isinstance(written, str) else None
    details = value.get("details", value)
    if word is None:
        kinds.unknown_kind(faults, "" if written is None else shown(written))
        return kinds.misfit(slot, faults, _gist(written, details))
    if isinstance(details, str):
        return read_activity(word, slot, faults, details, Names(frozenset()))
    if not isinstance(details, Mapping):
        faults.add("details", shown(details), "no JSON object")
        details = {}
    return _READERS[word.kind](_Item(details, word, slot, faults))


def _slot(value: JsonObject) -> TimeSlot | Fault:
    written = _find(value, "time_slot")
    if isinstance(written, str):
        return read_slot(written)
    start, end = value.get("start_time"), value.get("end_time")
    if written is None and isinstance(start, str) and isinstance(end, str):
        return read_slot(f"{start}-{end}")
    if written is None:
        return Fault("time slot", "", MISSING)
    return Fault("time slot", shown(written), "no time of day")


def _gist(kind: object, details: object) -> str:
    """What a line of unknown kind says, as far as it says it in words."""
    said = [kind] if isinstance(kind, str) else []
    if isinstance(details, Mapping):
        said += [text for key in ("description", "name") if isinstance(text := details.get(key), str)]
    else:
        said.append(shown(details))
    return " | ".join(text for text in said if text)


class _Item:
    """One activity while it is read: its details, and its faults so far."""

    def __init__(self, details: JsonObject, word: KindWord, slot: TimeSlot | None, faults: FaultList) -> None:
        self.details = details
        self.says = word.says
        self.slot = slot
        self.faults = faults

    def text(self, field: str) -> str:
        """The text of a field, "" if there is none."""
        return _text(self.details, field, self.faults)

    def name(self, field: str) -> str:
        """The name of a place, without notes behind it."""
        return place_name(self.text(field))

    def price(self, per: Per) -> Decimal | Fault:
        """What the activity costs."""
        return amount_of(_find(self.details, "cost"), per)

    def nothing_to_pay(self) -> None:
        """Keep a price as a fault, since none belongs here."""
        found = _find(self.details, "cost")
        if found is not None and amount_of(found, Per.PARTY) != 0:
            self.faults.add("price", shown(found), "no price belongs here")


def _leg(item: _Item) -> IntercityLeg:
    price = item.faults.value(item.price(Per.PERSON))
    mode = item.faults.value(kinds.intercity_mode(item.text("mode"))) or item.says
    service = kinds.service(item.text("number"))
    return kinds.intercity_leg(
        item.slot,
        item.faults,
        mode=mode or service.mode,
        number=service.number,
        origin=item.name("from"),
        destination=item.name("to"),
        seat_class=item.text("seat_class"),
        price=price,
    )


def _transfer(item: _Item) -> LocalTransfer:
    mode = item.text("mode") or item.says
    return kinds.local_transfer(
        item.slot,
        item.faults,
        origin=item.name("from"),
        destination=item.name("to"),
        mode=mode,
        distance_km=_measure(item, "distance", "distance_km", read_distance_km),
        duration_minutes=_measure(item, "duration", "duration_minutes", read_minutes),
        price=item.faults.value(kinds.ride_price(item.price(kinds.paid_per(mode)), mode)),
    )


def _measure(item: _Item, key: str, key_with_unit: str, read: Callable[[str], float | Fault]) -> float | None:
    written = item.details.get(key)
    if isinstance(written, str):
        return item.faults.value(read(written)) if written.strip() else None
    if written is not None:
        return item.faults.value(Fault(key, shown(written), "no unit"))
    number = item.details.get(key_with_unit)
    return None if number is None else item.faults.value(number_of(number, key))


def _visit(item: _Item) -> Visit:
    price = item.faults.value(item.price(Per.PERSON))
    return kinds.visit(item.slot, item.faults, attraction=item.name("visit.name"), price=price)


def _meal(item: _Item) -> Meal:
    price = item.faults.value(item.price(Per.PERSON))
    which = item.text("meal_type")
    return kinds.meal(
        item.slot,
        item.faults,
        meal=which.lower() if which.lower() in _MEALS else which or item.says,
        restaurant=item.name("meal.name"),
        price=price,
    )


_MEALS = frozenset({"breakfast", "brunch", "lunch", "dinner"})


def _hotel(item: _Item) -> HotelStop:
    item.nothing_to_pay()
    purpose = item.text("hotel.activity") or item.says
    return kinds.hotel_stop(item.slot, item.faults, purpose=purpose, hotel=item.name("hotel.name"))


def _buffer(item: _Item) -> Buffer:
    item.nothing_to_pay()
    return kinds.buffer(item.slot, item.faults, description=item.text("description"))


_READERS: dict[Kind, Callable[[_Item], Activity]] = {
    Kind.INTERCITY: _leg,
    Kind.TRANSFER: _transfer,
    Kind.VISIT: _visit,
    Kind.MEAL: _meal,
    Kind.HOTEL: _hotel,
    Kind.BUFFER: _buffer,
}


def _budget(value: object) -> Budget | None:
    if value is None:
        return None
    faults = FaultList()
    if not isinstance(value, Mapping):
        faults.add("budget summary", shown(value), "no JSON object")
        return Budget(faults=tuple(faults.found))
    amounts = {}
    for field in BUDGET_FIELDS:
        found = next((value[key] for key in _KEYS.get(field, (field,)) if value.get(key) is not None), None)
        if found is not None:
            amounts[field] = faults.value(amount_of(found, Per.PARTY, field))
    return Budget(**amounts, faults=tuple(faults.found))


# Writing


def write_converted(response: Response) -> dict[str, object]:
    """The answer as converted JSON with the documented keys; what the answer leaves out is left out."""
    match response:
        case Plan(itinerary):
            return _plan_json(itinerary)
        case Clarification(text):
            return {"status": "clarification", "clarification": text}
        case NoSolution(text):
            return {"status": "unsat", "unsat_explanation": text}
        case Unreadable(fault):
            said = f"{fault.reason}: {fault.text}" if fault.text else fault.reason
            return {"status": "malformed", "malformed_explanation": said}


def _plan_json(itinerary: Itinerary) -> dict[str, object]:
    written: dict[str, object] = {"daily_plans": [_day_json(day) for day in itinerary.days]}
    if itinerary.budget:
        written["budget_summary"] = {"currency": "CNY"} | {
            _KEYS.get(field, (field,))[0]: _number(amount)
            for field in BUDGET_FIELDS
            if (amount := getattr(itinerary.budget, field)) is not None
        }
    return written


def _day_json(day: Day) -> dict[str, object]:
    written = _present(
        day_number=day.number,
        current_city=str(day.city) if day.city else "",
        activities=[_activity_json(activity, day) for activity in day.activities],
        date=day.date.isoformat() if day.date else None,
    )
    if day.lodging:
        written["accommodation"] = _present(name=day.lodging.hotel, price_per_night=_number(day.lodging.price))
    return written


def _activity_json(activity: Activity, day: Day) -> dict[str, object]:
    unread = next((fault.text for fault in activity.faults if fault.field == "time slot"), "")
    kind, details = _details(activity, day)
    slot = write_slot(activity.slot) if activity.slot else unread
    return {"time_slot": slot, "type": kind, "details": details}


def _details(activity: Activity, day: Day) -> tuple[str, dict[str, object]]:
    match activity:
        case IntercityLeg():
            written = {"mode": activity.mode, "number": activity.number}
            written |= {"from": activity.origin, "to": activity.destination}
            more = _present(cost=_number(activity.price), seat_class=activity.seat_class or None)
            return Kind.INTERCITY.value, written | more
        case LocalTransfer():
            more = _present(
                mode=activity.mode or None,
                distance=_with_unit(activity.distance_km, "km"),
                duration=_with_unit(activity.duration_minutes, "min"),
                cost=_number(activity.price),
            )
            return Kind.TRANSFER.value, {"from": activity.origin, "to": activity.destination} | more
        case Visit():
            city = day.city.destination if day.city else None
            return Kind.VISIT.value, _present(name=activity.attraction, city=city, cost=_number(activity.price))
        case Meal():
            more = _present(cost=_number(activity.price))
            return Kind.MEAL.value, {"meal_type": activity.meal, "name": activity.restaurant} | more
        case HotelStop():
            return Kind.HOTEL.value, {"activity": activity.purpose, "name": activity.hotel}
        case Buffer():
            return Kind.BUFFER.value, {"description": activity.description}
        case Misfit():
            written_kind = next((fault.text for fault in activity.faults if fault.field == "activity type"), "")
            return written_kind, {"description": activity.text.removeprefix(f"{written_kind} | ")}
        case _:
            raise TypeError(f"no converted form for {type(activity).__name__}")


def _present(**fields: object) -> dict[str, object]:
    return {key: value for key, value in fields.items() if value is not None}


def _number(amount: Decimal | None) -> int | float | None:
    if amount is None:
        return None
    return int(amount) if amount == amount.to_integral_value() else float(amount)


def _with_unit(number: float | None, unit: str) -> str | None:
    return None if number is None else f"{write_number(number)}{unit}"
