"""How far and how long a ride is: distances with their unit, lengths of time in every usual spelling. (Trip+ B.1)"""

import math
import re
import unicodedata
from functools import lru_cache

from tripgauge.trip_plus.itinerary import Fault
from tripgauge.trip_plus.notation.readings import MISSING, shown

_LONGEST_MEASURE = 100
_ABOUT = r"(?:about|around|approx\.?|approximately|roughly|[~≈])?\s*"
_NUMBER = r"(?:\d{1,3}(?:,\d{3})+|\d{1,9})(?:\.\d{1,9})?"
_KM = r"km|kms|kilometers?|kilometres?|公里"
_METER = r"m|meters?|metres?|米"
_HOUR = r"h|hrs?|hours?"
_MINUTE = r"m|min|mins|minutes?|分钟"

_DISTANCE = re.compile(rf"{_ABOUT}({_NUMBER})\s*(?:({_KM})|(?:{_METER}))", re.IGNORECASE)
_FOREIGN_DISTANCE = re.compile(rf"{_ABOUT}{_NUMBER}\s*(?:mi|miles?|ft|feet|yards?|yd|li)", re.IGNORECASE)
_MINUTES = re.compile(rf"{_ABOUT}({_NUMBER})\s*(?:min|mins|minutes?|分钟)", re.IGNORECASE)
_HOURS = re.compile(rf"{_ABOUT}({_NUMBER})\s*(?:{_HOUR})(?:\s*(?:and\s+)?(\d{{1,2}})\s*(?:{_MINUTE})?)?", re.IGNORECASE)
_CLOCKED = re.compile(rf"{_ABOUT}(\d{{1,2}}):([0-5]\d)\s*(?:{_HOUR})", re.IGNORECASE)


@lru_cache(maxsize=4096)
def read_distance_km(text: str) -> float | Fault:
    """Kilometers, given as such or in meters; a fault for another unit or none."""
    plain = unicodedata.normalize("NFKC", text).strip()
    if not plain:
        return Fault("distance", "", MISSING)
    match = _DISTANCE.fullmatch(plain) if len(plain) <= _LONGEST_MEASURE else None
    if not match:
        return Fault("distance", shown(text.strip()), "no distance in km or m")
    number = float(match[1].replace(",", ""))
    return number if match[2] else number / 1000


@lru_cache(maxsize=4096)
def read_minutes(text: str) -> float | Fault:
    """Minutes, given as such, in hours, or in both; a fault without a unit."""
    plain = unicodedata.normalize("NFKC", text).strip()
    if not plain:
        return Fault("duration", "", MISSING)
    if len(plain) > _LONGEST_MEASURE:
        return Fault("duration", shown(text), "no length of time in hours or minutes")
    if match := _MINUTES.fullmatch(plain):
        return float(match[1].replace(",", ""))
    if match := _CLOCKED.fullmatch(plain):
        return float(int(match[1]) * 60 + int(match[2]))
    match = _HOURS.fullmatch(plain)
    if not match:
        return Fault("duration", text.strip(), "no length of time in hours or minutes")
    return float(match[1].replace(",", "")) * 60 + int(match[2] or 0)


def is_distance(text: str) -> bool:
    """Whether a field was meant as a distance, in whatever unit."""
    plain = unicodedata.normalize("NFKC", text[: _LONGEST_MEASURE + 1]).strip()
    return (_DISTANCE.fullmatch(plain) or _FOREIGN_DISTANCE.fullmatch(plain)) is not None


def is_duration(text: str) -> bool:
    """Whether a field is a length of time."""
    return not isinstance(read_minutes(text), Fault)


def number_of(value: object, field: str) -> float | Fault:
    """The JSON number of a field whose name already says its unit."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return Fault(field, shown(value), "not a number")
    if not (isinstance(value, int) and value.bit_length() > 64) and math.isfinite(value) and value >= 0:
        return float(value)
    return Fault(field, shown(value), "no length")


def write_number(number: float) -> str:
    """The number in digits, whole where it is whole."""
    return str(int(number)) if number == int(number) else repr(number)
