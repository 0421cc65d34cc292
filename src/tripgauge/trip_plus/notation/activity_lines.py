"""What one plan line says of each kind of activity. (Trip+ B.1, plan notation)

Names may hold commas and dashes themselves: a route is split where the text on both sides is a name that is known, and
a destination that is not known ends before the first field that can only be something else.
"""

import re
from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from tripgauge.trip_plus.itinerary import (
    Activity,
    Buffer,
    HotelStop,
    IntercityLeg,
    LocalTransfer,
    Meal,
    TimeSlot,
    Visit,
)
from tripgauge.trip_plus.notation import activity_kinds as kinds
from tripgauge.trip_plus.notation.activity_kinds import Kind, KindWord
from tripgauge.trip_plus.notation.line_fields import Role, clean_name, name_of, priced, role, split_fields
from tripgauge.trip_plus.notation.measures import is_distance, is_duration, read_distance_km, read_minutes
from tripgauge.trip_plus.notation.money import Per, read_amount
from tripgauge.trip_plus.notation.readings import FaultList, shown
from tripgauge.trip_plus.notation.routes import Route, route_cuts, split_route

LONGEST_LINE = 2000
"""Characters. No plan needs longer lines, and reading stays quick whatever an answer holds."""


@dataclass(slots=True)
class Names:
    """Names that help to tell where one ends: those given, and those the plan itself has used."""

    known: Container[str]
    used: set[str] = field(default_factory=set)

    def __contains__(self, name: object) -> bool:
        return name in self.used or name in self.known

    def note(self, activity: Activity) -> None:
        """Remember what a line calls its places."""
        match activity:
            case Visit():
                self.used.add(activity.attraction)
            case Meal():
                self.used.add(activity.restaurant)
            case HotelStop():
                self.used.add(activity.hotel)
            case IntercityLeg():
                self.used.update((activity.origin, activity.destination))
            case _:
                pass
        self.used.discard("")


@dataclass(frozen=True, slots=True)
class _Line:
    slot: TimeSlot | None
    faults: FaultList
    fields: list[str]
    detail: str
    says: str
    names: Names


def read_activity(word: KindWord, slot: TimeSlot | None, faults: FaultList, detail: str, names: Names) -> Activity:
    """The activity a line describes, with what cannot be read of it as faults beside empty fields."""
    if len(detail) > LONGEST_LINE:
        faults.add("line", shown(detail), "too long")
        return kinds.misfit(slot, faults, shown(detail))
    return _READERS[word.kind](_Line(slot, faults, split_fields(detail), detail, word.says, names))


# The six kinds


def _visit(line: _Line) -> Visit:
    parts = priced(line.fields, Per.PERSON)
    price = line.faults.value(parts.price)
    return kinds.visit(line.slot, line.faults, attraction=name_of(parts.name_fields), price=price)


_MEAL = re.compile(
    r"(?:(?:early|late|light|quick|packed|simple|farewell|welcome)\s+)?"
    r"(?P<meal>breakfast|brunch|lunch|dinner|supper|snacks?|(?:afternoon )?tea)"
    r"(?:\s*(?:\bat\b|@|:|：|\s-)\s*(?P<where>.+))?",
    re.IGNORECASE,
)


def _meal(line: _Line) -> Meal:
    parts = priced(line.fields, Per.PERSON)
    price = line.faults.value(parts.price)
    names = list(parts.name_fields)
    said = _MEAL.fullmatch(names[0]) if names else None
    if said:
        names[:1] = [said["where"]] if said["where"] else []
    which = said["meal"].lower() if said else line.says
    return kinds.meal(line.slot, line.faults, meal=which, restaurant=name_of(names), price=price)


_PURPOSE = re.compile(
    r"(?P<purpose>(?:(?:hotel|early|late|overnight|luggage|quick|short|night)\s+)*"
    r"(?:check[- ]?in|check[- ]?out|rest|sleep|stay|overnight|nap|relax|return|breakfast|freshen up|drop[- ]?off|"
    r"storage|pick[- ]?up|arrival|departure)\b(?:\s+(?:and|&)\s+[a-z -]+)?)"
    r"(?:\s+(?:at|in|to)\s+(?P<where>.+))?",
    re.IGNORECASE,
)
_PUBLISHED_PURPOSE = re.compile(r"(?:hotel )?check[- ]?(?P<way>in|out)|(?P<rest>rest)", re.IGNORECASE)


def _hotel(line: _Line) -> HotelStop:
    names = _without_price(line)
    purposes: list[str] = []
    while names and ", ".join(names) not in line.names and (said := _PURPOSE.fullmatch(names[0])):
        purposes.append(said["purpose"])
        names = [*([said["where"]] if said["where"] else []), *names[1:]]
    if not purposes and len(names) > 1:
        known = next((place for place in range(len(names)) if ", ".join(names[place:]) in line.names), 1)
        purposes, names = names[:known], names[known:]
    purpose = _purpose(", ".join(purposes)) or line.says
    return kinds.hotel_stop(line.slot, line.faults, purpose=purpose, hotel=name_of(names))


def _purpose(text: str) -> str:
    """The purpose as written, the published ones in their published form."""
    published = _PUBLISHED_PURPOSE.fullmatch(text)
    if not published:
        return text
    return "rest" if published["rest"] else f"check-{published['way'].lower()}"


def _buffer(line: _Line) -> Buffer:
    _without_price(line)
    return kinds.buffer(line.slot, line.faults, description=line.detail)


def _without_price(line: _Line) -> list[str]:
    """The fields of a line on which nothing may cost anything; an amount is kept as a fault."""
    paid = [field for field in line.fields if role(field) is Role.PRICE]
    for text in paid:
        if _is_an_amount(text):
            line.faults.add("price", text, "no price belongs here")
    return [field for field in line.fields if field not in paid]


def _is_an_amount(text: str) -> bool:
    """Whether the field is money spent, and not merely a text that mentions some."""
    return any(text.lstrip("+-~≈").startswith(sign) for sign in "¥￥") and read_amount(text, Per.PARTY) != 0


# Flights and trains


_SERVICE_THEN_ROUTE = re.compile(
    r"(?P<service>(?:[a-z -]+\s)?(?:[A-Z]{1,2}|\d[A-Z]|[A-Z]\d)\d{1,5})\s*[:,]?\s+(?P<route>.+)", re.ASCII
)
_SEAT = re.compile(r"\b(?:class|seat|sleeper|economy|business|berth|cabin)\b", re.IGNORECASE)


def _leg(line: _Line) -> IntercityLeg:
    parts = priced(line.fields, Per.PERSON)
    price = line.faults.value(parts.price)
    fields = [field for field in line.fields if role(field) is Role.TEXT or field in parts.name_fields]
    at, route = _leg_route(fields, line.names)
    named = fields[0] if fields and at != 0 else ""
    if at == 0 and (glued := _SERVICE_THEN_ROUTE.fullmatch(fields[0])):
        named, route = glued["service"], split_route(glued["route"], line.names) or route
    service = kinds.service(named)
    rest = [field for i, field in enumerate(fields) if i and i != at]
    return kinds.intercity_leg(
        line.slot,
        line.faults,
        mode=line.says or service.mode,
        number=service.number,
        origin=route.origin,
        destination=route.destination,
        seat_class=rest[0] if rest else "",
        price=price,
    )


def _leg_route(fields: Sequence[str], names: Names) -> tuple[int, Route]:
    """Which field is the route, and what it says; the place is -1 if none is."""
    for place, text in enumerate(fields):
        if route_cuts(text):
            return place, split_route(text, names) or Route("", "")
    if len(fields) > 1 and not _SEAT.search(fields[1]):
        route = split_route(fields[1], names)
        if route:
            return 1, route
    return -1, Route("", "")


# Rides inside a city


_WAY = (
    r"(?:by\s+|take\s+|via\s+)?"
    r"(?:(?:a|private|shared|public|city|tourist|airport|express|high[- ]speed|electric|light|cable)\s+)*"
    r"(?:taxi|cab|didi|ride[- ]hailing|car|drive|driving|walk|walking|on foot|foot|stroll|bike|biking|bicycle|cycling|"
    r"ferry|boat|shuttle|transit|transport|transportation|tram|rail|"
    r"(?:metro|subway|underground|mtr|bus|coach|train)(?:\s+(?:lines?|no\.?|route|\d|[A-Z]?\d)[^,]*)?)"
    r"(?:\s*[(（+/&→>-].*|\s+(?:and|then|ride|transfer)\b.*)?"
)
_MODE = re.compile(rf"{_WAY}|.*\blines?\b.*", re.IGNORECASE)
_MEASURES_IN_BRACKETS = re.compile(r"(?P<head>.*?)\s*[(（](?P<inner>[^()（）]*\d[^()（）]*)[)）]")
_LED_BY_MODE = re.compile(rf"(?P<mode>{_WAY})\s+from\s+(?P<rest>.+)", re.IGNORECASE)


@lru_cache(maxsize=4096)
def is_mode(text: str) -> bool:
    """Whether a text names a way to get about, such as "taxi" or "metro Line 1"."""
    return _MODE.fullmatch(text) is not None


def _transfer(line: _Line) -> LocalTransfer:
    fields = [part for field in line.fields for part in _measures_apart(field)]
    roles = [Role.TEXT, *(role(field) for field in fields[1:])]
    first = next((place for place, role in enumerate(roles) if role is not Role.TEXT), len(fields))
    route, mode = _route_and_mode(fields[:first], line)
    mode = mode or next((field for field in fields[first:] if is_mode(field)), "") or line.says
    distance = fields[roles.index(Role.DISTANCE)] if Role.DISTANCE in roles else None
    duration = fields[roles.index(Role.DURATION)] if Role.DURATION in roles else None
    return kinds.local_transfer(
        line.slot,
        line.faults,
        origin=route.origin,
        destination=route.destination,
        mode=mode,
        distance_km=line.faults.value(read_distance_km(distance)) if distance is not None else None,
        duration_minutes=line.faults.value(read_minutes(duration)) if duration is not None else None,
        price=line.faults.value(kinds.ride_price(priced(fields, kinds.paid_per(mode)).price, mode)),
    )


def _measures_apart(text: str) -> list[str]:
    """A field that holds several measures, as "12km/20min" or "taxi (12km, 20min)", as one field for each."""
    if text[-1:] in ")）" and (match := _MEASURES_IN_BRACKETS.fullmatch(text)):
        inner = [part.strip() for part in re.split(r"[,，/;&]", match["inner"])]
        if all(is_distance(part) or is_duration(part) for part in inner):
            return [*([match["head"]] if match["head"] else []), *inner]
    if "/" in text and text[:1].isdigit():
        parts = [part.strip() for part in text.split("/")]
        if all(is_distance(part) or is_duration(part) for part in parts):
            return parts
    return [text]


def _route_and_mode(head: list[str], line: _Line) -> tuple[Route, str]:
    """The route and the mode in the fields before the first measure."""
    at = next((i for i, text in enumerate(head) if route_cuts(text)), None)
    if at is None:
        return _route_without_separator(head, line)
    extra = head[at + 1 :]
    kept = _fields_of_destination(head, at, line)
    text = ", ".join(head[: at + 1 + kept])
    led = _LED_BY_MODE.fullmatch(text) if " from " in text else None
    route = split_route(led["rest"] if led else text, line.names) or Route("", "")
    mode = ", ".join(extra[kept:]) or (led["mode"] if led else "")
    if is_mode(route.origin) and route.origin not in line.names and not mode:
        return Route("", route.destination), route.origin
    return route, mode


def _fields_of_destination(head: list[str], at: int, line: _Line) -> int:
    """How many fields behind the separator still belong to the destination's name."""
    extra = head[at + 1 :]
    if len(extra) == 1 and is_mode(extra[0]):
        return 0
    for kept in range(len(extra), 0, -1):
        route = split_route(", ".join(head[: at + 1 + kept]), line.names)
        if route and route.destination in line.names:
            return kept
    for kept, text in enumerate(extra):
        if is_mode(text):
            return kept
    return max(len(extra) - 1, 0)


def _route_without_separator(head: list[str], line: _Line) -> tuple[Route, str]:
    if not head:
        return Route("", ""), ""
    route = split_route(head[0], line.names) or Route(clean_name(head[0]), "")
    return route, ", ".join(head[1:])


_READERS: dict[Kind, Callable[[_Line], Activity]] = {
    Kind.INTERCITY: _leg,
    Kind.TRANSFER: _transfer,
    Kind.VISIT: _visit,
    Kind.MEAL: _meal,
    Kind.HOTEL: _hotel,
    Kind.BUFFER: _buffer,
}
