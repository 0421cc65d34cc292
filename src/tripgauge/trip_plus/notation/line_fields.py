"""The fields of a plan line: where they part, which is the price, and which make up a name. (Trip+ B.1, plan notation)

Fields stand between commas or semicolons outside brackets; a comma between digits groups thousands. Names may hold
commas themselves, so that a name is whatever stands before the price, but for notes such as "2 rooms".
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import Enum
from functools import lru_cache

from tripgauge.trip_plus.itinerary import Fault
from tripgauge.trip_plus.notation.measures import is_distance, is_duration
from tripgauge.trip_plus.notation.money import Per, has_currency, looks_like_a_price, read_amount
from tripgauge.trip_plus.notation.readings import MISSING

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
        if glued and not _leads_an_amount(glued["name"]):
            fields += [glued["name"], glued["price"]]
        else:
            fields.append(piece)
    return fields


def _leads_an_amount(text: str) -> bool:
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


@dataclass(frozen=True, slots=True)
class Priced:
    """The fields of a line, divided at its price."""

    name_fields: list[str]
    """Those before the price, or all if there is none."""

    price: Decimal | Fault


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
        return Priced(fields, Fault("price", "", MISSING))
    if len(found) == 1:
        price = read_amount(fields[found[0]], per)
    else:
        readings = {read_amount(fields[place], per) for place in found}
        price = readings.pop() if len(readings) == 1 else Fault("price", fields[found[0]], "more than one price")
    return Priced(fields[: found[0]], price)


def _only_money(text: str) -> bool:
    """Whether even the first field of a line, where a name is due, is an amount."""
    return looks_like_a_price(text) and any(not isinstance(read_amount(text, per), Fault) for per in Per)
