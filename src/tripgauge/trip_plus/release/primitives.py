"""How the published evaluator reads times, numbers, names and city labels. (published code, `evaluation/`)

Plans reach the `release` edition as converted JSON, and its scores depend on how loosely each value is read: a fare of
`"¥110"` counts, a hotel price of `"300"` does not. Each way of reading has one function here. None of them raises for
a value of another type; where the published code would break, they answer as for an unreadable value.
"""

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, NamedTuple

JsonObject = Mapping[str, object]
"""A JSON object as read from a converted plan or a query record."""

MINUTES_PER_DAY = 1440


@dataclass(frozen=True)
class ReleaseMeta:
    """What feasibility needs to know of a turn: the trip's frame after all updates so far."""

    org: str
    dest: tuple[str, ...] = ()
    days: int | None = None
    depart_date: str = ""
    return_date: str = ""
    depart_weekday: object = None
    """1 for Monday to 7 for Sunday, as the record states it: a missing one and an unreadable one differ."""
    people_number: int | None = None
    room_number: int | None = None
    route_mode: str = ""

    @classmethod
    def of(cls, meta: JsonObject) -> "ReleaseMeta":
        """The frame a record's base meta fields state; numbers may be text, what is missing or unreadable is None."""
        dest = meta.get("dest")
        return cls(
            org=text(meta.get("org")),
            dest=tuple(text(city) for city in dest) if isinstance(dest, list | tuple) else (),
            days=int_loose(meta.get("days")),
            depart_date=text(meta.get("depart_date")),
            return_date=text(meta.get("return_date")),
            depart_weekday=meta.get("depart_weekday"),
            people_number=int_loose(meta.get("people_number")),
            room_number=int_loose(meta.get("room_number")),
            route_mode=text(meta.get("route_mode")).lower(),
        )


# --- Times -----------------------------------------------------------------------------------------------------------


class Slot(NamedTuple):
    """From when to when, in minutes from midnight of the day; an end beyond 1440 lies in the next day."""

    start: int
    end: int

    @property
    def minutes(self) -> int:
        """How long it takes."""
        return self.end - self.start


_CLOCK = re.compile(r"(\d{1,2}):(\d{2})")
_SLOT = re.compile(r"\s*(\d{1,2}:\d{2})\s*-\s*(\d{1,2}:\d{2})")


@lru_cache(maxsize=8192)
def _clock(value: str) -> int | None:
    if value == "24:00":
        return MINUTES_PER_DAY - 1
    match = _CLOCK.fullmatch(value)
    if match is None:
        return None
    hour, minute = int(match[1]), int(match[2])
    return hour * 60 + minute if hour < 24 and minute < 60 else None


def parse_hhmm(value: object) -> int | None:
    """Minutes from midnight of `H:MM`; `24:00` is 23:59, anything else that is no time of day is None."""
    return _clock(value) if isinstance(value, str) else None


@lru_cache(maxsize=65536)
def _slot(value: str) -> Slot | None:
    match = _SLOT.match(value)
    if match is None:
        return None
    start, end = _clock(match[1]), _clock(match[2])
    if start is None or end is None:
        return None
    return Slot(start, end if end >= start else end + MINUTES_PER_DAY)


def slot_min(value: object) -> Slot | None:
    """The slot that a text such as `09:00 - 10:30 (early)` starts with; an end before the start is the next day's."""
    return _slot(value) if isinstance(value, str) else None


@lru_cache(maxsize=65536)
def _loose_clock(value: str) -> int | None:
    hours, colon, minutes = value.partition(":")
    if not colon:
        return None
    try:
        return int(hours) * 60 + int(minutes)
    except ValueError:
        return None


def loose_clock(value: object) -> int | None:
    """Minutes of `a:b` without any range test, so that `24:00` is 1440 and `25:00` is 1500."""
    return _loose_clock(value) if isinstance(value, str) else None


def within_hours(start: int, end: int, opening: int, closing: int) -> bool:
    """Whether clock times `start` to `end` lie within opening hours, all in minutes from midnight, ends included."""
    crosses = end < start
    if opening <= closing:
        return not crosses and start >= opening and end <= closing
    if crosses:
        return start >= opening and end <= closing
    return (start >= opening and end >= opening) or (start <= closing and end <= closing)


# --- Numbers ---------------------------------------------------------------------------------------------------------

_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")


def num_first(value: object) -> float | None:
    """The value as a number, or the first number in its text: 12 in `¥12/person`, but 1 in `1,200m`."""
    if isinstance(value, int | float):
        return num_strict(value)
    if value is None or value == "":
        return None
    match = _NUMBER.search(value if isinstance(value, str) else str(value))
    return float(match[0]) if match is not None else None


def num_strict(value: object) -> float | None:
    """The value as a number if all of it is one, else None."""
    if isinstance(value, int | float | str):
        try:
            return float(value)
        except (ValueError, OverflowError):
            return None
    return None


def int_loose(value: object) -> int | None:
    """The whole part of a number or of a text that is one; None if it is neither."""
    try:
        return int(float(str(value)))
    except (ValueError, OverflowError):
        return None


def round_int(value: object) -> int | None:
    """The nearest whole number, halves to even; None for what is no number."""
    if isinstance(value, bool):
        return None
    number = num_strict(value)
    if number is None:
        return None
    try:
        return round(number)
    except (ValueError, OverflowError):
        return None


def is_json_number(value: object) -> bool:
    """Whether the value is a number as such, not text that spells one."""
    return isinstance(value, int | float)


# --- Names -----------------------------------------------------------------------------------------------------------

_COMMA_SUFFIXES = tuple(
    re.compile(r"\s*[,，]\s*" + kind + r"\s*$", re.IGNORECASE)
    for kind in (
        r"free\s+entry",
        r"free\s+admission",
        r"no\s+ticket",
        r"required\s+ticket",
        r"ticket\s*:?\s*\d+(?:\.\d+)?",
        r"[¥￥]\s*\d+(?:\.\d+)?(?:\s*/\s*person)?",
    )
)
_ROOM_COUNT = re.compile(r"\s*[(（]\s*\d+\s*rooms?\s*[)）]\s*$", re.IGNORECASE)
_BLANKS = re.compile(r"\s+")


def text(value: object) -> str:
    """The value as trimmed text; nothing for null."""
    if isinstance(value, str):
        return value.strip()
    return "" if value is None else str(value).strip()


def without_brackets(name: str) -> str:
    """The name without a pair of square brackets around it, or without loose ones at its ends."""
    if len(name) >= 2 and name[0] == "[" and name[-1] == "]":
        return name[1:-1].strip()
    return name.lstrip("[").rstrip("]").strip()


def without_room_count(name: str) -> str:
    """The name without a note such as `(2 rooms)` behind it."""
    return _ROOM_COUNT.sub("", name)


@lru_cache(maxsize=65536)
def norm(name: str) -> str:
    """The form in which names are compared: compatibility-folded, without blanks, brackets and ticket notes.

    Case matters, and there is no similarity: two names are the same place or they are not.
    """
    name = without_brackets(unicodedata.normalize("NFKC", name).strip())
    for suffix in _COMMA_SUFFIXES:
        name = suffix.sub("", name, count=1)
    return _BLANKS.sub("", without_room_count(name))


_NAME_KEYS: Mapping[str, tuple[str, ...]] = {
    "restaurant": ("name", "restaurant_name"),
    "attraction": ("name", "attraction_name"),
    "hotel": ("name", "hotel_name"),
    "": ("name", "restaurant_name", "attraction_name", "hotel_name", "to", "from", "activity", "description"),
}


def entity_name(activity: object, kind: Literal["restaurant", "attraction", "hotel", ""] = "") -> str:
    """The first name an activity carries for the kind of place, in its details or beside them; "" if none."""
    if not isinstance(activity, Mapping):
        return ""
    details = activity.get("details")
    inner: JsonObject = details if isinstance(details, Mapping) else {}
    for key in _NAME_KEYS[kind]:
        value = inner.get(key) or activity.get(key)
        if value:
            return text(value)
    return ""


_PRICE_LIKE = re.compile(r"\b(?:rmb|cny)\b|/\s*room|/\s*night|\d\s*yuan", re.IGNORECASE)
_NOT_ALPHANUMERIC = re.compile(r"[^a-z0-9]+")
_GENERIC_HOTEL_LABELS = frozenset(
    {
        *("rest", "hotel", "restathotel", "restinhotel", "hotelrest", "overnight", "overnightstay"),
        *("checkin", "checkout", "checkinrest", "checkoutrest", "returntohotel", "backtohotel", "stayathotel"),
    }
)
_HOTEL_AFTER = re.compile(
    r"(?:check-in(?:\s+at\b)?|checkin(?:\s+at\b)?|stay\s+at|return\s+to|arrive\s+at)\s*[,:，：]?\s*(.+)",
    re.IGNORECASE | re.DOTALL,
)


def _names_a_hotel(name: str) -> bool:
    return bool(name) and _PRICE_LIKE.search(name) is None and not _is_generic(name)


def _is_generic(name: str) -> bool:
    return _NOT_ALPHANUMERIC.sub("", unicodedata.normalize("NFKC", name).lower()) in _GENERIC_HOTEL_LABELS


def hotel_name(details: JsonObject) -> str:
    """The hotel that the details of a hotel activity name, looked for in their wording if `name` is none; may be ""."""
    return _hotel_name(text(details.get("name")), text(details.get("activity") or details.get("description")))


@lru_cache(maxsize=65536)
def _hotel_name(name: str, wording: str) -> str:
    if _names_a_hotel(name):
        return name
    for candidate in _hotel_candidates(wording):
        if _names_a_hotel(candidate):
            return candidate
    return "" if _is_generic(name) else name


def _hotel_candidates(wording: str) -> list[str]:
    found = [wording.rpartition(comma)[2] for comma in (",", "，") if comma in wording]
    after = _HOTEL_AFTER.search(wording)
    if after is not None:
        found.append(after[1])
    # The cut is at the first parenthesis, so a branch in parentheses before a room note is lost with the note.
    return [_cut_note(candidate.strip()) for candidate in found]


def _cut_note(candidate: str) -> str:
    return candidate.partition("(")[0].strip() if candidate.endswith(")") else candidate


# --- City labels and modes -------------------------------------------------------------------------------------------


class CityPair(NamedTuple):
    """The two ends of a label such as `from Harbor to Lakeside`, as written."""

    origin: str
    destination: str


_FROM_TO = re.compile(r"from\s+(.+?)\s+to\s+([^,]+)")
_PLAIN_TO = re.compile(r"(.+?)\s+to\s+([^,]+)")
_PARENTHESES = re.compile(r"\([^)]*\)|（[^）]*）")


@lru_cache(maxsize=8192)
def _from_to(label: str) -> CityPair | None:
    match = _FROM_TO.search(label) or _PLAIN_TO.fullmatch(label)
    return CityPair(match[1].strip(), match[2].strip()) if match is not None else None


def from_to(label: object) -> CityPair | None:
    """The pair of cities a day's label names, or None for a single city.

    Only a lower-case `from` is known: `From A to B` leads from the city `From A` to `B`.
    """
    return _from_to(text(label))


@lru_cache(maxsize=8192)
def _city(label: str) -> str:
    return _PARENTHESES.sub("", label).strip()


def city(label: object) -> str:
    """The city without parenthesised remarks; compared exactly, case included."""
    return _city(text(label))


ModeClass = Literal["flight", "train", "default"]

_FLIGHT_MODES = frozenset({"flight", "airplane", "plane", "air"})
_TRAIN_MODES = frozenset(
    {"train", "railway", "rail", "high_speed_rail", "high-speed rail", "high speed rail", "gaotie"}
)


def mode_class(mode: object) -> ModeClass:
    """Flight or train, if the mode of an intercity activity is one of the known words for it."""
    word = text(mode).lower()
    if word in _FLIGHT_MODES:
        return "flight"
    return "train" if word in _TRAIN_MODES else "default"
