"""What the published conversion makes of the text behind an activity's type. (published code, conversion)

Each function takes the detail text of one type of row and gives the `details` object of the converted plan.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from tripgauge.trip_plus.release.entity_names import KnownNames
from tripgauge.trip_plus.release.line_grammar import (
    FLIGHT_WORDS,
    MODE_OF_WORD,
    TRAIN_WORDS,
    DayLines,
    Row,
    find_cost,
    split_fields,
)
from tripgauge.trip_plus.release.plan import ATTRACTION, HOTEL, INTERCITY, MEAL, RIDE

Details = dict[str, object]


@dataclass(frozen=True, slots=True)
class Ends:
    """Where a trip goes from and to; either may be empty."""

    origin: str
    destination: str


@dataclass(frozen=True, slots=True)
class DayContext:
    """What rows of one day may refer to."""

    known: KnownNames
    stay: str
    """Name of the day's accommodation, cleaned; empty if there is none."""

    city: str
    """The city of its attractions."""


_SEPARATOR = re.compile(r"(?<=\s)-(?=\s)|->|→")
_INTO = re.compile(r"(?<=\s)to(?=\s)|->|→", re.IGNORECASE)
_FROM = re.compile(r"from\s++", re.IGNORECASE)


def _any_of(words: Sequence[str]) -> str:
    return "|".join(sorted(words, key=len, reverse=True))


_MODE_AND_NUMBER = re.compile(rf"({_any_of(FLIGHT_WORDS + TRAIN_WORDS)})\s++([A-Za-z0-9]+)", re.IGNORECASE)
_NUMBER = re.compile(r"\b(?:[A-Z]{1,3}\d{2,5}|\d[A-Z]{1,2}\d{2,5}|\d{2,5})\b")
_FLIGHT_WORD = re.compile(rf"\b(?:{_any_of(FLIGHT_WORDS)})\b", re.IGNORECASE)
_TRAIN_WORD = re.compile(rf"\b(?:{_any_of(TRAIN_WORDS)})\b", re.IGNORECASE)
_TRAIN_NUMBER = re.compile(r"[GDCKZT]\d")
_WORDS_FOR_THE_STAY = frozenset({"hotel", "the hotel", "accommodation", "lodging"})


def details_of(row: Row, day: DayContext) -> Details:
    """The details object of a row; of buffers and unknown types only the text."""
    read = _READERS.get(row.kind)
    return {"description": row.detail} if read is None else read(row.detail, day)


def destination_city(label: str) -> str:
    """Where a day's `Current City` leads: behind the first "to" or arrow, else the whole label."""
    lead_in = _FROM.match(label)
    route = label[lead_in.end() :] if lead_in else label
    into = _INTO.search(route)
    return (route[into.end() :].strip() if into else "") or label


def plan_names(days: Sequence[DayLines], known: KnownNames) -> Iterator[str]:
    """The names a plan introduces itself: its stays, attractions, restaurants, hotels and stations, cleaned."""
    for day in days:
        yield from map(known.clean, split_fields(day.stay)[:1])
        for row in day.rows:
            yield from map(known.clean, _names_in(row, known))


def _names_in(row: Row, known: KnownNames) -> list[str]:
    if row.kind == ATTRACTION:
        return [_before_cost(row.detail)]
    fields = split_fields(row.detail)
    if row.kind == MEAL:
        return fields[1:2]
    if row.kind == HOTEL:
        return fields[1:][-1:]
    if row.kind == INTERCITY and len(fields) > 1:
        ends = split_route(fields[1], known)
        return [ends.origin, ends.destination]
    return []


def split_route(route: str, known: KnownNames) -> Ends:
    """Both ends of a route. Of several separators the one with more known names at its sides, then the first."""
    best, best_rank = Ends(route, ""), (-1, 0)
    for separator in _SEPARATOR.finditer(route):
        left, right = route[: separator.start()].strip(), route[separator.end() :].strip()
        origin, destination = known.get(left), known.get(right)
        found = [name for name in (origin, destination) if name]
        rank = (len(found), sum(map(len, found)))
        if rank > best_rank:
            best, best_rank = Ends(origin or left, destination or right), rank
    return best


def _intercity(detail: str, day: DayContext) -> Details:
    fields = split_fields(detail)
    service = fields[0] if fields else ""
    ends = split_route(fields[1], day.known) if len(fields) > 1 else Ends("", "")
    details = _mode_and_number(service) | {"from": ends.origin, "to": ends.destination} | _cost(detail)
    seat = next((part for part in fields[2:] if find_cost(part) is None), None)
    return details if seat is None else details | {"seat_class": seat}


def _mode_and_number(service: str) -> Details:
    exact = _MODE_AND_NUMBER.fullmatch(service)
    if exact:
        return {"mode": MODE_OF_WORD[exact[1].lower()], "number": exact[2]}
    token = _NUMBER.search(service)
    number = token[0] if token else service
    if service.lower() in MODE_OF_WORD:
        mode = MODE_OF_WORD[service.lower()]
    elif _FLIGHT_WORD.search(service):
        mode = "flight"
    elif _TRAIN_WORD.search(service) or _TRAIN_NUMBER.match(number):
        mode = "train"
    else:
        mode = ""
    return {"mode": mode, "number": number}


@dataclass(frozen=True, slots=True)
class _Ride:
    ends: Ends
    rest: list[str]
    """The fields behind the destination."""


def _ride(detail: str, day: DayContext) -> Details:
    ride = _between_known_names(detail, day.known) or _by_first_field(detail, day.known)
    return (
        {"from": _ride_end(ride.ends.origin, day), "to": _ride_end(ride.ends.destination, day)}
        | _how_far_and_long(ride.rest)
        | _cost(detail)
    )


def _between_known_names(detail: str, known: KnownNames) -> _Ride | None:
    """The ride split where known names meet a separator: most names, then longest ends, then rightmost."""
    best, best_rank = None, (1, 0)
    for separator in _SEPARATOR.finditer(detail):
        left, right = detail[: separator.start()].strip(), detail[separator.end() :].strip()
        origin, destination = known.ending(left), known.starting(right)
        known_ends = (origin is not None) + (destination is not None)
        if not known_ends:
            continue  # it would lose against `best_rank`, and the fields of a long line take long
        if destination is None:
            destination, *rest = split_fields(right) or [""]
        else:
            rest = split_fields(right[len(destination) :])
        ends = Ends(origin or left, destination)
        rank = (known_ends, len(ends.origin) + len(ends.destination))
        if rank >= best_rank:
            best, best_rank = _Ride(ends, rest), rank
    return best if best and best.ends.origin and best.ends.destination else None


def _by_first_field(detail: str, known: KnownNames) -> _Ride:
    fields = split_fields(detail)
    return _Ride(split_route(fields[0], known), fields[1:]) if fields else _Ride(Ends("", ""), [])


def _ride_end(name: str, day: DayContext) -> str:
    cleaned = day.known.clean(name)
    return day.stay if day.stay and cleaned.lower() in _WORDS_FOR_THE_STAY else cleaned


def _how_far_and_long(fields: list[str]) -> Details:
    """Mode, distance and duration by the units in a text, so that a "Shimin Line" is a duration."""
    found: dict[str, str] = {}
    for part in fields:
        lower = part.lower()
        if find_cost(part):
            continue
        if "km" in lower or "meter" in lower or "metre" in lower:
            found["distance"] = part
        elif "min" in lower or "hour" in lower:
            found["duration"] = part
        else:
            found.setdefault("mode", part)
    return {key: found[key] for key in ("mode", "distance", "duration") if key in found}


def _attraction(detail: str, day: DayContext) -> Details:
    name = day.known.starting(_before_cost(detail)) or next(iter(split_fields(detail)), "")
    return {"name": day.known.clean(name), "city": day.city} | _cost(detail)


def _before_cost(detail: str) -> str:
    cost = find_cost(detail)
    return (detail[: cost.start] if cost else detail).strip().rstrip(" ,，")


def _meal(detail: str, day: DayContext) -> Details:
    fields = split_fields(detail) or [""]
    return {"meal_type": fields[0], "name": day.known.clean(fields[:2][-1])} | _cost(detail)


def _hotel(detail: str, day: DayContext) -> Details:
    fields = split_fields(detail) or [""]
    if len(fields) > 1:
        activity, name = ", ".join(fields[:-1]), fields[-1]
    else:
        activity, name = fields[0], day.known.within(fields[0]) or ""
    return {"activity": activity, "name": day.known.clean(name) or day.stay}


def _cost(detail: str) -> Details:
    cost = find_cost(detail)
    return {"cost": cost.amount} if cost else {}


_READERS: dict[str, Callable[[str, DayContext], Details]] = {
    INTERCITY: _intercity,
    RIDE: _ride,
    ATTRACTION: _attraction,
    MEAL: _meal,
    HOTEL: _hotel,
}
