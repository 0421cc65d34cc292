"""What the kinds of activity are called in plans, and which fields each must have. (Trip+ B.1; plan notation)

Both readers of answers, of text and of converted JSON, build activities here, so that what is required, what is
forbidden and which words are synonyms is said once.
"""

import re
import unicodedata
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum

from tripgauge.trip_plus.itinerary import (
    Buffer,
    Fault,
    HotelStop,
    IntercityLeg,
    LocalTransfer,
    Lodging,
    Meal,
    Misfit,
    TimeSlot,
    Visit,
)
from tripgauge.trip_plus.notation.money import Per
from tripgauge.trip_plus.notation.readings import MISSING, FaultList


class Kind(StrEnum):
    """The six kinds, by their published words."""

    INTERCITY = "travel_intercity_public"
    TRANSFER = "travel_city"
    VISIT = "attraction"
    MEAL = "meal"
    HOTEL = "hotel"
    BUFFER = "buffer"


@dataclass(frozen=True, slots=True)
class KindWord:
    """A word for a kind, and what it tells beyond: the mode of "taxi", the meal of "lunch"."""

    kind: Kind
    says: str = ""


_KIND_WORDS = {
    Kind.INTERCITY: ("travel_intercity_public", "travel_intercity", "intercity", "intercity_travel",
                     "intercity_transport", "intercity_transportation"),
    Kind.TRANSFER: ("travel_city", "city_travel", "travel_local", "local_travel", "local_transport", "transfer",
                    "transport", "transportation", "transit", "public_transport"),
    Kind.VISIT: ("attraction", "attractions", "sightseeing", "sight", "visit"),
    Kind.MEAL: ("meal", "meals", "dining", "restaurant"),
    Kind.HOTEL: ("hotel", "accommodation", "lodging"),
    Kind.BUFFER: ("buffer", "rest", "free_time", "free", "break", "leisure", "waiting", "wait"),
}  # fmt: skip

_TELLING_WORDS = {
    Kind.INTERCITY: {
        "flight": "flight", "airplane": "flight", "plane": "flight", "air": "flight",
        "train": "train", "railway": "train", "rail": "train", "high_speed_rail": "train", "high_speed_train": "train",
        "bullet_train": "train", "hsr": "train", "gaotie": "train",
    },
    Kind.TRANSFER: {
        "taxi": "taxi", "walk": "walking", "walking": "walking", "metro": "metro", "subway": "metro", "bus": "bus",
    },
    Kind.MEAL: {"breakfast": "breakfast", "brunch": "brunch", "lunch": "lunch", "dinner": "dinner"},
    Kind.HOTEL: {
        "check_in": "check-in", "checkin": "check-in", "hotel_check_in": "check-in",
        "check_out": "check-out", "checkout": "check-out", "hotel_check_out": "check-out",
    },
}  # fmt: skip

_WORDS = {word: KindWord(kind) for kind, words in _KIND_WORDS.items() for word in words} | {
    word: KindWord(kind, says) for kind, words in _TELLING_WORDS.items() for word, says in words.items()
}


def kind_word(text: str) -> KindWord | None:
    """What a type cell means, in any case, with blanks or hyphens for underscores; None for an unknown word."""
    known = _WORDS.get(text)
    if known:
        return known
    plain = unicodedata.normalize("NFKC", text).strip(" *`_").casefold()
    return _WORDS.get(re.sub(r"[\s\-_]+", "_", plain))


_FLIGHT_WORDS = re.compile(r"flights?|airplane|aeroplane|plane|air", re.IGNORECASE)
_TRAIN_WORDS = re.compile(
    r"(?:(?:high[- ]?speed|bullet|sleeper|night|overnight|express)[- ]?)?(?:trains?|railway|rail)|hsr|gaotie|emu|"
    r"high[- ]?speed|bullet train",
    re.IGNORECASE,
)
_LEADING_MODE = re.compile(
    rf"(?:(?P<flight>{_FLIGHT_WORDS.pattern})|(?P<train>{_TRAIN_WORDS.pattern}))\b"
    r"(?:\s*(?:no\.?|number|#)(?=[\s#:]|\d))?[\s:#]*",
    re.IGNORECASE,
)
_SPACED_NUMBER = re.compile(r"([A-Z]{1,3}|\d[A-Z]|[A-Z]\d)[\s-]?(\d{1,5})", re.IGNORECASE | re.ASCII)
_TRAIN_NUMBER = re.compile(r"[GDCKZTSLY]\d{1,5}", re.ASCII)
_FLIGHT_NUMBER = re.compile(r"(?:[A-Z]{2}|\d[A-Z]|[A-Z]\d)\d{3,5}", re.ASCII)

WALKING = re.compile(r"(?:by\s+)?(?:walk(?:ing)?|on foot|foot|stroll)\b", re.IGNORECASE)
"""Ways that cost nothing, so that a price need not be written."""

_HIRED = re.compile(r"\b(?:taxi|cab|didi|ride[- ]hailing|car|driver?|driving|charter(?:ed)?)\b", re.IGNORECASE)


def paid_per(mode: str) -> Per:
    """What the price of a ride is for: a taxi is paid per vehicle, everything else per person."""
    return Per.VEHICLE if _HIRED.search(mode) else Per.RIDER


@dataclass(frozen=True, slots=True)
class Service:
    """What "flight CZ3176" says."""

    mode: str
    number: str


def service(text: str) -> Service:
    """Mode and number of a flight or train; where only the number is written, its form tells the mode."""
    text = text.strip()
    leading = _LEADING_MODE.match(text)
    rest = text[leading.end() :].strip() if leading else text
    spaced = _SPACED_NUMBER.fullmatch(rest)
    number = (spaced[1] + spaced[2]).upper() if spaced else rest
    if leading:
        return Service("flight" if leading["flight"] else "train", number)
    return Service(_mode_of_number(number), number)


def intercity_mode(text: str) -> str | Fault:
    """ "flight" or "train" for a word that means it, "" for none; a fault for anything else."""
    plain = text.strip().replace("_", " ")
    if not plain:
        return ""
    if _FLIGHT_WORDS.fullmatch(plain):
        return "flight"
    if _TRAIN_WORDS.fullmatch(plain):
        return "train"
    return Fault("mode", text, "neither flight nor train")


def _mode_of_number(number: str) -> str:
    """One letter and digits is a train; two characters of an airline and three digits or more a flight."""
    if _TRAIN_NUMBER.fullmatch(number):
        return "train"
    return "flight" if _FLIGHT_NUMBER.fullmatch(number) else ""


def ride_price(reading: Decimal | Fault, mode: str) -> Decimal | Fault | None:
    """The price of a ride; a walk need not state that it costs nothing."""
    if isinstance(reading, Fault) and reading.reason == MISSING and WALKING.match(mode):
        return None
    return reading


def intercity_leg(
    slot: TimeSlot | None,
    faults: FaultList,
    *,
    mode: str,
    number: str,
    origin: str,
    destination: str,
    seat_class: str,
    price: Decimal | None,
) -> IntercityLeg:
    """A leg. Number, both ends and the fare are required; a bad price has its fault already."""
    mode = mode or _mode_of_number(number)
    _require(faults, number=number, origin=origin, destination=destination)
    return IntercityLeg(
        slot=slot,
        faults=tuple(faults.found),
        mode=mode,
        number=number,
        origin=origin,
        destination=destination,
        seat_class=seat_class,
        price=price,
    )


def local_transfer(
    slot: TimeSlot | None,
    faults: FaultList,
    *,
    origin: str,
    destination: str,
    mode: str,
    distance_km: float | None,
    duration_minutes: float | None,
    price: Decimal | None,
) -> LocalTransfer:
    """A ride or walk. Both ends and the mode are required; distance and length are the evidence's to know."""
    _require(faults, origin=origin, destination=destination, mode=mode)
    return LocalTransfer(
        slot=slot,
        faults=tuple(faults.found),
        origin=origin,
        destination=destination,
        mode=mode,
        distance_km=distance_km,
        duration_minutes=duration_minutes,
        price=price,
    )


def visit(slot: TimeSlot | None, faults: FaultList, *, attraction: str, price: Decimal | None) -> Visit:
    """A visit, with its required name."""
    _require(faults, attraction=attraction)
    return Visit(slot=slot, faults=tuple(faults.found), attraction=attraction, price=price)


def meal(slot: TimeSlot | None, faults: FaultList, *, meal: str, restaurant: str, price: Decimal | None) -> Meal:
    """A meal, with which one it is and where, both required."""
    _require(faults, meal=meal, restaurant=restaurant)
    return Meal(slot=slot, faults=tuple(faults.found), meal=meal, restaurant=restaurant, price=price)


def hotel_stop(slot: TimeSlot | None, faults: FaultList, *, purpose: str, hotel: str) -> HotelStop:
    """Time at a hotel; a line that names none means the hotel of the night."""
    name = "" if hotel.casefold() in _JUST_THE_HOTEL else hotel
    return HotelStop(slot=slot, faults=tuple(faults.found), purpose=purpose, hotel=name)


def buffer(slot: TimeSlot | None, faults: FaultList, *, description: str) -> Buffer:
    """Time kept free; anything may be written about it."""
    return Buffer(slot=slot, faults=tuple(faults.found), description=description)


def lodging(faults: FaultList, *, hotel: str, price: Decimal | None) -> Lodging:
    """The hotel of a night, with its required name."""
    _require(faults, hotel=hotel)
    return Lodging(hotel, price, tuple(faults.found))


def misfit(slot: TimeSlot | None, faults: FaultList, text: str) -> Misfit:
    """A line of no known kind; the fault that says so is among its faults."""
    return Misfit(slot=slot, faults=tuple(faults.found), text=text)


def unknown_kind(faults: FaultList, written: str) -> None:
    """Keep that a line has no activity type, or none that is known."""
    faults.add("activity type", written, "no known type" if written else "missing")


_JUST_THE_HOTEL = frozenset({"hotel", "the hotel", "our hotel", "accommodation", "lodging", "-"})


def _require(faults: FaultList, **fields: str) -> None:
    for field, text in fields.items():
        if not text:
            faults.missing(field)
