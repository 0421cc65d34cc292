"""Amounts of yuan, and what each is paid for. (Trip+ B.1, plan notation)

An amount is one exact number that is not negative: `¥1,200.50`, `1200.5 RMB`, `CNY 1200.5`, `1200.5`, or "free" for
nothing. What is a range, an estimate, infinite, true or false, or priced for another unit than its place asks for is
a fault, not an amount.
"""

import math
import re
import unicodedata
from decimal import Decimal
from enum import Enum
from functools import lru_cache

from tripgauge.trip_plus.itinerary import Fault
from tripgauge.trip_plus.notation.readings import MISSING, shown


class Per(Enum):
    """What a price is paid for, with the words that say so."""

    PERSON = frozenset({
        "person", "people", "head", "pax", "pp", "p", "adult", "guest", "traveler", "traveller", "visitor",
        "passenger", "ticket", "each",
    })  # fmt: skip
    RIDER = PERSON | {"ride", "trip", "way", "route"}
    VEHICLE = frozenset({"vehicle", "taxi", "car", "cab", "ride", "trip", "way", "route"})
    ROOM_NIGHT = frozenset({"room", "night", "rooms", "nights", "day"})
    PARTY = frozenset({"total", "all", "party", "group", "trip", "overall"})

    def __str__(self) -> str:
        return "person" if self is Per.RIDER else self.name.lower().replace("_", " and ")


LARGEST = 10**12
"""No trip costs that much; what does is no amount."""

_LONGEST_AMOUNT = 200
_DIGITS = r"(?:\d{1,3}(?:,\d{3})+|\d{1,3}(?: \d{3})+|\d{1,12})(?:\.\d{1,12})?"
_CURRENCY = r"(?:¥|rmb|cny|yuan|元|人民币)"
_LABEL = r"(?:(?:admission|entry|entrance|ticket|tickets|price|cost|fare|fee|total)\b\s*(?:[:=]\s*)?)*"
_UNIT = r"(?:(?:\s*/\s*|\s*\bper\s+|\s*\ba\s+)[a-z]+|\s*\b(?:each|pp|total|in total|one way)\b)"
_ESTIMATE = (
    r"(?:about|around|approximately|approx\.?|roughly|circa|ca\.?|from|up to|under|over|at least|at most|[~≈<>≤≥])"
)
_SPAN = r"(?:-|–|—|~|〜|\bto\b)"

_AMOUNT = re.compile(
    rf"{_LABEL}(?P<sign>[-+−–]?)\s*{_CURRENCY}?\s*(?P<inner>[-+−–]?)\s*(?P<number>{_DIGITS})\s*{_CURRENCY}?"
    rf"(?P<unit>{_UNIT}*)\s*"
)
_FREE = re.compile(
    r"(?:free(?: of charge)?(?: (?:entry|admission|entrance|ticket|access|visit))?|no charge|no fee|no cost|"
    r"no ticket(?: required| needed)?|complimentary|gratis)(?:\s*/\s*person)?"
)
_RANGE = re.compile(rf"{_LABEL}{_CURRENCY}?\s*{_DIGITS}\s*{_CURRENCY}?\s*{_SPAN}\s*{_CURRENCY}?\s*{_DIGITS}.*")
_NO_NUMBER = re.compile(rf"[-+−]?\s*{_CURRENCY}?\s*[-+−]?(?:nan|inf|infinity|∞)\b.*|[-+]?∞")
_TRUTH = re.compile(r"true|false")
_ESTIMATED = re.compile(rf"{_LABEL}{_CURRENCY}?\s*{_ESTIMATE}\s*.*\d.*|.*\d\s*\+(?:\s*/.*)?")
_UNIT_GLUE = frozenset({"per", "a", "in", "one"})
_NOTE = re.compile(r"\s*\((?P<note>[^()]*)\)\s*$")
_FOR_ALL = re.compile(r"\b(?:total|group|party|altogether|for (?:\d|two|three|four|all|both|everyone))", re.IGNORECASE)

_CURRENCY_THERE = re.compile(
    r"[¥￥]|\d\s*(?:rmb|cny|yuan|元)(?![a-z])|(?<![a-z])(?:rmb|cny)\s*[-+]?\d|(?<![a-z])(?:rmb|cny)\s*$", re.IGNORECASE
)
_PRICE_ALONE = re.compile(
    rf"{_LABEL}(?:{_ESTIMATE}\s*)?[-+−]?\s*\d[\d,.]*\+?(?:\s*{_SPAN}\s*\d[\d,.]*)?{_UNIT}*|{_FREE.pattern}|"
    r"[-+]?(?:nan|inf|infinity)|∞|true|false|unknown|tbd|tba|n/a",
    re.IGNORECASE,
)
_NUMBER_LIKE_START = frozenset("0123456789０１２３４５６７８９-+−~≈<>∞aceftnpguriAECFTNPGURI")


@lru_cache(maxsize=8192)
def read_amount(text: str, per: Per, field: str = "price") -> Decimal | Fault:
    """The amount a text names, for one `per`; a fault on `field` if it names none."""
    plain = unicodedata.normalize("NFKC", text).strip().strip("*` ").casefold()
    if not plain:
        return Fault(field, "", MISSING)
    if len(plain) > _LONGEST_AMOUNT:
        return Fault(field, shown(text), "not an amount")
    note = _NOTE.search(plain)
    if note and note.start():
        if per is not Per.PARTY and _FOR_ALL.search(note["note"]):
            return Fault(field, text.strip(), f"not per {per}")
        plain = plain[: note.start()]
    match = _AMOUNT.fullmatch(plain)
    if not match:
        if _FREE.fullmatch(plain):
            return Decimal(0)
        return Fault(field, text.strip(), _why_no_amount(plain))
    amount = plain_amount(Decimal(re.sub("[, ]", "", match["number"])))
    if amount and (match["sign"] + match["inner"]).strip("+"):
        return Fault(field, text.strip(), "negative")
    wrong = set(re.findall(r"[a-z]+", match["unit"])) - _UNIT_GLUE - per.value
    return Fault(field, text.strip(), f"not per {per}") if wrong else amount


def amount_of(value: object, per: Per, field: str = "price") -> Decimal | Fault:
    """The amount a JSON value stands for: a number, or text as in a plan."""
    if isinstance(value, str):
        return read_amount(value, per, field)
    if value is None:
        return Fault(field, "", MISSING)
    if isinstance(value, bool):
        return Fault(field, shown(value), "true or false, not an amount")
    if not isinstance(value, int | float):
        return Fault(field, shown(value), "not an amount")
    if isinstance(value, float) and not math.isfinite(value):
        return Fault(field, shown(value), "not a number")
    if value < 0:
        return Fault(field, shown(value), "negative")
    if value >= LARGEST:
        return Fault(field, shown(value), "beyond any price")
    return Decimal(value) if isinstance(value, int) else plain_amount(Decimal(repr(value)))


def plain_amount(amount: Decimal) -> Decimal:
    """The same number without needless zeros: 25 for 25.0, and never 1E+2."""
    if amount == amount.to_integral_value():
        return amount.to_integral_value() + 0
    return amount.normalize()


def write_amount(amount: Decimal) -> str:
    """The number in digits, without currency."""
    return f"{amount:f}"


def yuan(amount: Decimal) -> str:
    """The amount as findings write it: "¥25", never "¥25.0"."""
    return f"¥{write_amount(plain_amount(amount))}"


def has_currency(text: str) -> bool:
    """Whether the text names the currency beside a number, so that it can only be money."""
    return _CURRENCY_THERE.search(text) is not None


def looks_like_a_price(text: str) -> bool:
    """Whether a field of a plan line was meant as a price, readable or not."""
    if has_currency(text):
        return True
    if text[:1] not in _NUMBER_LIKE_START or len(text) > _LONGEST_AMOUNT:
        return False
    return _PRICE_ALONE.fullmatch(_NOTE.sub("", unicodedata.normalize("NFKC", text)).strip()) is not None


def _why_no_amount(plain: str) -> str:
    if _NO_NUMBER.fullmatch(plain):
        return "not a number"
    if _TRUTH.fullmatch(plain):
        return "true or false, not an amount"
    if _RANGE.fullmatch(plain):
        return "a range, not one amount"
    if _ESTIMATED.fullmatch(plain):
        return "an estimate, not one amount"
    return "not an amount"
