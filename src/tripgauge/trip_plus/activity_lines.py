"""The detail of one plan line: its fields, its route, its names, its price. (Trip+ B.1, plan notation)

Fields stand between commas or semicolons outside brackets. Since names may hold commas and dashes themselves, a name is
whatever stands before the price, a route is split where the text on both sides is a name that is known, and a name that
is not known ends before the first field that can only be something else.
"""

import re
from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from enum import Enum
from functools import lru_cache

from tripgauge.trip_plus import activity_kinds as kinds
from tripgauge.trip_plus.activity_kinds import Kind, KindWord
from tripgauge.trip_plus.itinerary import (
    Activity,
    Buffer,
    Fault,
    HotelStop,
    IntercityLeg,
    LocalTransfer,
    Meal,
    TimeSlot,
    Visit,
)
from tripgauge.trip_plus.measures import is_distance, is_duration, read_distance_km, read_minutes
from tripgauge.trip_plus.money import Per, has_currency, looks_like_a_price, read_amount
from tripgauge.trip_plus.readings import MISSING, FaultList, shown

LONGEST_LINE = 2000
"""Characters. No plan needs longer lines, and reading stays quick whatever an answer holds."""

_LONGEST_CHAIN = 6


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
class Route:
    """Where from and where to; "" where the text does not say."""

    origin: str
    destination: str


@dataclass(frozen=True, slots=True)
class Priced:
    """The fields of a line and where among them the price stands."""

    fields: list[str]
    name_fields: list[str]
    """Those before the price, or all if there is none."""

    price: Decimal | Fault


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


# Fields


_SEPARATOR_IN_BRACKETS = re.compile(r"[(（\[【][^)）\]】]*[,，;；]")
_SEPARATOR = re.compile(r"\s*(?:[;；]|(?<!\d)[,，]|[,，](?!\d{3}(?!\d)))\s*")
_TOKEN = re.compile(r"[(（\[【]|[)）\]】]|[;；]|(?<!\d)[,，]|[,，](?!\d{3}(?!\d))")
_GLUED_PRICE = re.compile(
    r"(?P<name>\S.*?)\s+(?P<price>(?:(?:about|around|approx\.?|from|up to|ticket|admission|entry|price|cost|fare|fee)"
    r"\b:?\s*|[~≈+\-−]\s*)*[¥￥]\s*\S.*)"
)


def split_fields(detail: str) -> list[str]:
    """The fields of a detail, trimmed and without empty ones; a price is a field of its own."""
    pieces = _split_outside_brackets(detail) if _SEPARATOR_IN_BRACKETS.search(detail) else _SEPARATOR.split(detail)
    fields = []
    for piece in pieces:
        piece = piece.strip()
        if not piece:
            continue
        glued = _GLUED_PRICE.fullmatch(piece) if ("¥" in piece or "￥" in piece) and piece[0] not in "¥￥" else None
        if glued and not looks_like_a_price_alone(glued["name"]):
            fields += [glued["name"], glued["price"]]
        else:
            fields.append(piece)
    return fields


def looks_like_a_price_alone(text: str) -> bool:
    """Whether what precedes a currency sign is part of the amount, as in "about ¥50" or "50 to ¥60"."""
    return _AMOUNT_LEAD.fullmatch(text) is not None


_AMOUNT_LEAD = re.compile(
    r"(?:about|around|approx\.?|approximately|roughly|from|up to|under|over|ticket|tickets|admission|entry|entrance|"
    r"price|cost|fare|fee|total|rmb|cny|[\d.,¥￥~≈<>+\-−–—\s]|\bto\b|:)+",
    re.IGNORECASE,
)


def _split_outside_brackets(detail: str) -> Sequence[str]:
    """Pieces between separators at depth 0. Brackets that do not close are taken as plain characters."""
    depth = 0
    start = 0
    pieces = []
    for token in _TOKEN.finditer(detail):
        char = token[0]
        if char in "(（[【":
            depth += 1
        elif char in ")）]】":
            depth -= 1
            if depth < 0:
                return _SEPARATOR.split(detail)
        elif depth == 0:
            pieces.append(detail[start : token.start()])
            start = token.end()
    if depth:
        return _SEPARATOR.split(detail)
    pieces.append(detail[start:])
    return pieces


# Names


_NOTE = (
    r"(?:free(?: entry| admission| entrance| of charge)?|no (?:ticket|charge|fee)[^()]*|[^()]*[¥￥][^()]*|"
    r"(?:ticket|admission|entry):?\s*\d[\d.,]*|(?:about |approx\.? |~)?\d+(?:\.\d+)?\s*(?:x\s*)?(?:[a-z]+ )?"
    r"(?:rooms?|nights?|people|persons?|guests?|adults?|pax|hours?|hrs?|h|mins?|minutes?)\b[^()]*|\d[\d.,]*\s*(?:rmb|cny|yuan)[^()]*)"
)
_NOTE_FIELD = re.compile(_NOTE, re.IGNORECASE)
_NOTE_BRACKET = re.compile(rf"\s*[(（]\s*{_NOTE}\s*[)）]$", re.IGNORECASE)


def clean_name(text: str) -> str:
    """A name as written, without the quotes or square brackets around it and without notes behind it."""
    name = text.strip(" *`")
    if name[-1:] in ")）":
        name = _NOTE_BRACKET.sub("", name) or name
    if len(name) > 2 and name[0] + name[-1] in _AROUND_NAMES:
        name = name[1:-1].strip()
    return name


_AROUND_NAMES = frozenset({'""', "[]", "“”"})


@lru_cache(maxsize=16384)
def place_name(text: str) -> str:
    """A name that stands alone, without notes behind it."""
    return name_of(split_fields(text)) if _MAY_HOLD_NOTES.search(text) else text.strip(" *`")


_MAY_HOLD_NOTES = re.compile(r"[,，;；\[\]\"“]|[)）]\s*$")


def name_of(fields: Sequence[str]) -> str:
    """The name that fields before a price make up: all of them but notes."""
    if len(fields) > 1:
        fields = [fields[0], *(field for field in fields[1:] if not _NOTE_FIELD.fullmatch(field))]
    return clean_name(", ".join(fields))


# Prices


class Role(Enum):
    """What a field can only be, whatever stands around it."""

    TEXT = "text"
    PRICE = "price"
    BARE_NUMBER = "bare number"
    """A price without its currency, or a name in digits."""
    DISTANCE = "distance"
    DURATION = "duration"


@lru_cache(maxsize=16384)
def role(field: str) -> Role:
    """The role of a field."""
    if has_currency(field):
        return Role.PRICE
    if is_distance(field):
        return Role.DISTANCE
    if is_duration(field):
        return Role.DURATION
    return Role.BARE_NUMBER if looks_like_a_price(field) else Role.TEXT


def priced(fields: list[str], per: Per) -> Priced:
    """The price among the fields. One with its currency outranks bare numbers, which may be names; two are a fault."""
    roles = [role(field) for field in fields]
    found = [place for place, role in enumerate(roles) if role is Role.PRICE and (place or _only_money(fields[0]))]
    if not found and Role.BARE_NUMBER in roles[1:]:
        found = [max(place for place, role in enumerate(roles) if role is Role.BARE_NUMBER)]
    if not found:
        return Priced(fields, fields, Fault("price", "", MISSING))
    if len(found) == 1:
        price = read_amount(fields[found[0]], per)
    else:
        readings = {read_amount(fields[place], per) for place in found}
        price = readings.pop() if len(readings) == 1 else Fault("price", fields[found[0]], "more than one price")
    return Priced(fields, fields[: found[0]], price)


def _only_money(text: str) -> bool:
    """Whether even the first field of a line, where a name is due, is an amount."""
    return looks_like_a_price(text) and any(not isinstance(read_amount(text, per), Fault) for per in Per)


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


# Routes


_ARROW = re.compile(r"\s*(?:(?:[-–—=]+)?>|[→⟶➔➜⇒])\s*")
_SPACED_DASH = re.compile(r"\s+[-‐‑‒–—―−]+\s+")
_TO = re.compile(r"\s+to\s+", re.IGNORECASE)
_CUTS = (
    (re.compile(r"[>→⟶➔➜⇒]"), _ARROW),
    (re.compile(r"\s[-‐‑‒–—―−]"), _SPACED_DASH),
    (re.compile(r"\s[Tt][Oo]\s"), _TO),
)
"""Kinds of separator from the strongest to the weakest, each with a quick sign that there may be one."""
_TIGHT_DASH = re.compile(r"(?<=\w)\s*[–—]\s*(?=\w)|(?<=[\w)])-(?=[A-Z])")
_FROM = re.compile(r"from\s+", re.IGNORECASE)


def _cuts(text: str) -> list[re.Match[str]]:
    """Where a route may be cut in two, by the strongest kind of separator it has, outside brackets."""
    bracketed = "(" in text or "（" in text
    for sign, pattern in _CUTS:
        if not sign.search(text):
            continue
        found = list(pattern.finditer(text))
        if found and bracketed:
            found = [match for match in found if _outside_brackets(text, match.start())]
        if found:
            return found
    return []


def looks_cuttable(name: str) -> bool:
    """Whether a name has a dash in it that could be taken for the one between the ends of a route."""
    return _SPACED_DASH.search(name) is not None


def _outside_brackets(text: str, place: int) -> bool:
    before = text[:place]
    return before.count("(") + before.count("（") <= before.count(")") + before.count("）")


def split_route(text: str, names: Container[str]) -> Route | None:
    """Both ends of "A - B", "A -> B" or "from A to B"; None if the text names no two places.

    Of several separators the one that leaves the most known names wins, then the longer ones, then the first. A chain
    A - B - C whose outer places are known goes from the first to the last.
    """
    text = _FROM.sub("", text, count=1) if text[:1] in "fF" else text
    cuts = _cuts(text)
    if len(cuts) == 1:
        return _ends(text, cuts[0], cuts[0])
    if not cuts:
        tight = list(_TIGHT_DASH.finditer(text))
        return _ends(text, tight[0], tight[0]) if len(tight) == 1 else None
    best = max(cuts, key=lambda cut: (_known(_ends(text, cut, cut), names), -cut.start()))
    if len(cuts) <= _LONGEST_CHAIN and _known(_ends(text, best, best), names)[0] < 2:
        for first, last in _outer(cuts):
            if _known(_ends(text, first, last), names)[0] == 2:
                return _ends(text, first, last)
    return _ends(text, best, best)


def _ends(text: str, first: re.Match[str], last: re.Match[str]) -> Route:
    return Route(clean_name(text[: first.start()]), clean_name(text[last.end() :]))


def _outer(cuts: Sequence[re.Match[str]]) -> Iterator[tuple[re.Match[str], re.Match[str]]]:
    return ((first, last) for i, first in enumerate(cuts) for last in reversed(cuts[i + 1 :]))


def _known(route: Route, names: Container[str]) -> tuple[int, int]:
    known = [name for name in (route.origin, route.destination) if name in names]
    return len(known), sum(len(name) for name in known)


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
        if _cuts(text):
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
    at = next((i for i, text in enumerate(head) if _cuts(text)), None)
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
