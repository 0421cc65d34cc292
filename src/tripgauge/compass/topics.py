"""Which requirements a free text is about: one pattern for each kind, and how its value may be written (spec 9, 12).

For judging what a language model says in a user's place, and for finding what a question is about. It looks for
topics, not for grammar: "no pool for us" is about the pool. What is said of a topic is judged by `utterance_check`.
"""

import re
from functools import cache

from tripgauge.compass.constraints import Constraint, Shape, Value, stays_of
from tripgauge.compass.objectives import FeatureCount, Objective

_TOPICS = {
    "location": r"park|visit|destination|where (?:do|would|are) you",
    "dates": r"dates?\b|nights?\b|weekend|august|september|arriv|check[- ]?in\b|check[- ]?out\b|when (?:do|would|are)",
    "room_occupancy": r"sleeps?\b|per room|in (?:a|each|every|one) room",
    "guests": r"travell?ers|guests|people|persons|party|group|how many of you|of us\b",
    "budget": r"budget|altogether|in total|total cost|everything costs|costs? at most|spend",
    "origin": r"(?:fly|flying|leave|leaving|depart|departing|start|starting|origin)\w* (?:from|airport)|home airport",
    "min_star_rating": r"\bstars?\b|star rating",
    "min_review_score": r"review score|rated|rating of|guest rating|out of (?:10|ten)|review rating",
    "min_review_count": r"\d reviews|number of reviews|how many reviews|reviews? count|many reviews",
    "max_distance": r"(?:\bkm\b|kilomet\w+|miles?|close|near|distance|far)[^.;!?]*entrance|distance",
    "brand_in": r"\bbrand|\bchain",
    "brand_not_in": r"\bbrand|\bchain",
    "same_hotel_brand": r"\bbrand|\bchain",
    "property_type_in": r"of the type|property type|(?:type|kind) of (?:place|property|lodging)",
    "max_nightly_price": (
        r"(?:no|any|each|per|every|a) night\b[^.;!?]*(?:cost|\$|price|more)|nightly|"
        r"(?:\$[\d,.]+|dollars?) (?:a|per) night"
    ),
    "has_pool": r"\bpools?\b|swim",
    "has_restaurant": r"\brestaurants?\b",
    "has_bar": r"\bbars?\b",
    "has_parking": r"\bpark(?:ing|s? (?:a|our|the|my) car)\b",
    "has_free_parking": r"\bfree (?:of charge )?parking|parking[^.;!?]*\bfree\b|park[^.;!?]* for free",
    "has_wifi": r"\bwi-?fi\b(?! on board)|\binternet\b",
    "has_fitness_center": r"fitness|\bgym\b",
    "has_spa": r"\bspas?\b",
    "has_hot_tub": r"hot tub|jacuzzi|whirlpool",
    "has_airport_shuttle": r"shuttle",
    "has_ev_charging": r"\bEV\b|charging (?:station|point)|electric (?:car|vehicle)|charge (?:our|my|the) car",
    "has_24h_front_desk": r"front desk|reception|around the clock|24[- ]?(?:hours?|h|/7)",
    "has_laundry": r"laundry|washing machine|wash our clothes",
    "is_pet_friendly": r"\bpets?\b(?! on (?:the|a) (?:flight|plane))|\bdogs?\b|\bcats?\b",
    "is_wheelchair_accessible": r"wheelchair|accessib|step-free",
    "has_family_rooms": r"family rooms?",
    "is_non_smoking": r"smok",
    "has_kitchenette": r"kitchen",
    "has_air_conditioning": r"air[- ]?condition|\bA/?C\b",
    "has_private_bathroom": r"bathroom|\bensuite|\ben suite",
    "has_balcony": r"balcon",
    "has_view": r"\bviews?\b(?! of it)",
    "has_tv": r"\bTVs?\b|television",
    "has_coffee_maker": r"coffee",
    "has_refrigerator": r"refrigerator|fridge",
    "free_cancellation": r"cancel",
    "breakfast_included": r"breakfast",
    "no_prepayment_needed": r"prepay|pay\w* (?:in advance|up ?front|beforehand|ahead)|deposit",
    "bed_type": r"\bbeds?\b|\bbunks?\b",
    "one_room_only": r"\bone room\b|(?:a )?single room\b|same room|share a room",
    "direct_only": (
        r"\bdirect\b|non-?stop|without (?:a |any )?(?:stops?|layovers?|stopovers?|changes?)|"
        r"layovers?|stopovers?"
    ),
    "airline_in": r"airlines?\b|\bfly with\b|carrier",
    "booking_class": (
        r"premium economy|\beconomy\b|business class|\bfly (?:in )?business\b|"
        r"(?:booking|travel|cabin) class"
    ),
    "max_flight_minutes": r"flights?\b[^.;!?]*(?:\bminutes|\bhours|longer than)|flight (?:time|duration|length)",
    "depart_after": (
        r"(?:leaves?|departs?|departure|take off|takes off|fly out)[^.;!?]*(?:before|after|earl|\d\d?:\d\d)|"
        r"earliest departure"
    ),
    "arrive_before": (
        r"(?:lands?|arrives?|arrival|landing)[^.;!?]*(?:after|before|late|\d\d?:\d\d)|"
        r"latest arrival"
    ),
    "flight_wifi": r"wi-?fi on board|(?:flight|plane|board)[^.;!?]*wi-?fi|wi-?fi[^.;!?]*(?:flight|plane|board)",
    "flight_power": r"power (?:outlets?|sockets?)|outlets?\b",
    "flight_meal": r"\bmeals?\b|food on board",
    "carry_on_included": r"carry-?on|hand luggage|cabin bag",
    "checked_bag_included": r"checked (?:bag|luggage|baggage)|suitcase",
    "pets_allowed": r"(?:flight|plane|airline)[^.;!?]*\bpets?\b|\bpets?\b[^.;!?]*(?:flight|plane|board)",
    "is_refundable": r"refund",
    "is_changeable": r"(?:can be |be |is )chang(?:ed|eable)|changeable|rebook",
    "airport_type": r"(?:regional|large|big|small) airport",
    "max_drive_hours": r"\bdrive\b|driving|by car",
    "permit_template": r"permit for\b(?! the park| day hikes| guided| backpacking)|which permit|permit type",
    "permit_kind": r"permit[^.;!?]*(?:day hikes?|guided tours?|backpacking)|guided tours?|day hikes?|backpacking",
    "permit_on_weekday": r"permit[^.;!?]*(?:mon|tues|wednes|thurs|fri|satur|sun)day",
    "permit_days": r"permit[^.;!?]*\bdays?\b(?! hikes?)",
    "permit_buffer_days": r"(?:free|spare|buffer) days?",
}

_WRITTEN = {0: "no|zero", 1: "a|an|one|single", 2: "two|couple", 3: "three", 4: "four", 5: "five", 6: "six",
            7: "seven", 8: "eight", 9: "nine", 10: "ten", 11: "eleven", 12: "twelve"}  # fmt: skip

_CONTAINED = {
    "has_free_parking": ("has_parking",),
    "flight_wifi": ("has_wifi",),
    "pets_allowed": ("is_pet_friendly",),
    "brand_in": ("brand_not_in", "same_hotel_brand"),
    "brand_not_in": ("brand_in", "same_hotel_brand"),
    "same_hotel_brand": ("brand_in", "brand_not_in"),
    "one_room_only": ("room_occupancy",),
    "max_nightly_price": ("dates", "room_occupancy"),
    "min_review_count": ("min_review_score",),
    "permit_template": ("permit_kind",),
    "permit_kind": ("permit_template",),
    "permit_on_weekday": ("permit_days",),
    "permit_buffer_days": ("permit_days",),
    "airport_type": ("max_drive_hours",),
    "max_drive_hours": ("has_parking",),
}
"""Topics that talk of one can hardly avoid."""

_TOLD_BY_VALUE = ("location", "budget", "brand_in", "same_hotel_brand", "airline_in", "permit_template")
"""Kinds whose value says enough: a name, or the one amount for everything."""

FREELY_SPOKEN = ("location", "dates", "guests", "room_occupancy", "budget", "origin")
"""Told at the beginning, so that any later text may come back to them."""


@cache
def _topic(type_: str) -> re.Pattern[str]:
    flags = re.NOFLAG if type_ in ("has_ev_charging", "has_tv") else re.IGNORECASE
    return re.compile(_TOPICS[type_], flags)


def mentioned_types(text: str) -> frozenset[str]:
    """The kinds of constraint a text is about."""
    return frozenset(type_ for type_ in _TOPICS if _topic(type_).search(text))


def close_to(type_: str) -> tuple[str, ...]:
    """Kinds that are mentioned along with this one."""
    return (type_, *_CONTAINED.get(type_, ()))


def expresses(text: str, constraint: Constraint) -> bool:
    """Whether a text is about a constraint and gives its value."""
    if constraint.words.casefold() in text.casefold():
        return True
    if constraint.type not in _TOLD_BY_VALUE and not _topic(constraint.type).search(text):
        return False
    return all(any(_is_written(text, form) for form in forms) for forms in _value_forms(constraint))


def expresses_objective(text: str, objective: Objective) -> bool:
    """Whether a text says what is wanted most."""
    if isinstance(objective, FeatureCount):
        return all(expresses(text, wish) for wish in objective.wishes)
    return objective.words.casefold() in text.casefold() or bool(_OBJECTIVES[objective.metric.name].search(text))


def objective_types(objective: Objective) -> tuple[str, ...]:
    """The kinds of constraint that talk of the objective is about."""
    if isinstance(objective, FeatureCount):
        return tuple(near for wish in objective.wishes for near in close_to(wish.type))
    return {
        "price": ("max_nightly_price", "budget"),
        "total_cost": ("max_nightly_price", "budget"),
        "review_score": ("min_review_score", "min_review_count"),
        "review_count": ("min_review_count", "min_review_score"),
        "distance": ("max_distance", "max_drive_hours"),
        "drive_time": ("max_drive_hours", "airport_type", "max_distance"),
    }[objective.metric.name]


_OBJECTIVES = {
    name: re.compile(pattern, re.IGNORECASE)
    for name, pattern in {
        "price": r"cheapest|lowest[^.;!?]*(?:price|cost)|as (?:cheap|little)|least (?:expensive|money)|best price",
        "total_cost": r"cheapest|lowest[^.;!?]*(?:price|cost)|as (?:cheap|little)|least (?:expensive|money)|best price",
        "review_score": r"(?:best|highest)[^.;!?]*(?:review|rat|score)",
        "review_count": r"most[^.;!?]*reviews?|(?:highest|largest)[^.;!?]*number of reviews",
        "distance": r"(?:close|near)(?:st|r)?[^.;!?]*(?:entrance|park|gate)|shortest[^.;!?]*(?:distance|way)",
        "drive_time": r"short(?:est)?[^.;!?]*(?:drive|driv|way)|least[^.;!?]*driv|(?:close|near)st airport",
    }.items()
}


def _is_written(text: str, form: str) -> bool:
    return bool(re.search(rf"(?<![\w.]){form}(?![\w]|[.,]\d)", text, re.IGNORECASE))


def _value_forms(constraint: Constraint) -> list[tuple[str, ...]]:
    """What must be found of a value: for each part of it, the patterns of which one is enough."""
    kind, value = constraint.kind, constraint.value
    match kind.shape:
        case Shape.FLAG:
            return []
        case Shape.STAYS:
            return _day_forms(value)
        case Shape.BEDS if isinstance(value, tuple):
            return [(re.escape(str(value[0])),), *([_number_forms(str(value[1]))] if value[1] != 1 else [])]
        case Shape.TEXTS if isinstance(value, tuple):
            return [_name_forms(str(name)) for name in value]
        case Shape.TEXT:
            return [_time_forms(str(value)) if re.fullmatch(r"\d\d:\d\d", str(value)) else _name_forms(str(value))]
        case _:
            return [_shown_number_forms(constraint)]


def _name_forms(name: str) -> tuple[str, ...]:
    plain = name.replace("_", " ")
    singular = plain.removesuffix("s")
    return tuple(rf"{re.escape(form)}s?" for form in dict.fromkeys((plain, singular)))


def _time_forms(clock: str) -> tuple[str, ...]:
    hours, minutes = int(clock[:2]), clock[3:]
    half, mark = hours % 12 or 12, "a" if hours < 12 else "p"
    twelve = rf"{half}(?::{minutes})?" if minutes == "00" else rf"{half}:{minutes}"
    named = {"12:00": ("noon",), "00:00": ("midnight",)}.get(clock, ())
    return (rf"0?{hours}:{minutes}", rf"{twelve} ?{mark}\.?m\.?", *named)


def _shown_number_forms(constraint: Constraint) -> tuple[str, ...]:
    """The number as the wording shows it, also in words and, for money, without the sign."""
    shown = re.search(r"\$?\d[\d,]*(?:\.\d+)?", constraint.words)
    assert shown, constraint
    if not shown[0].startswith("$"):
        forms = _number_forms(shown[0])
        if constraint.type == "max_flight_minutes" and isinstance(constraint.value, int):
            hours, rest = divmod(constraint.value, 60)
            forms += (rf"{hours}(?: hours?| ?h)(?: and)?(?: {rest} ?m\w*)?" if rest else rf"{hours} hours?",)
            forms += (rf"{constraint.value / 60:g} hours?",)
        return forms
    amount = shown[0][1:]
    digits = amount.replace(",", "")
    return tuple(rf"\$? ?{re.escape(form)}(?:\.00)?" for form in dict.fromkeys((amount, digits)))


def _number_forms(number: str) -> tuple[str, ...]:
    digits = number.replace(",", "")
    forms = [re.escape(number), re.escape(digits), rf"{re.escape(digits)}\.0"]
    if digits.isdigit() and int(digits) in _WRITTEN:
        forms.append(f"(?:{_WRITTEN[int(digits)]})")
    return tuple(forms)


def _day_forms(value: Value) -> list[tuple[str, ...]]:
    """The first and last day, and the number of nights if it is always the same."""
    stays = stays_of(value)
    weekend = all(stay.nights == 2 and stay.start % 7 == 1 for stay in stays) and len(stays) == 5
    if weekend:
        return [("weekends?",)]
    days = {stays[0].start, stays[-1].end} if not _weekly(value) else set()
    forms = [_one_day_forms(day) for day in sorted(days)]
    lengths = {stay.nights for stay in stays}
    if len(lengths) == 1 and len(stays) > 1:
        forms.append(_number_forms(str(*lengths)))
    return forms


def _weekly(value: Value) -> bool:
    starts = [stay.start for stay in stays_of(value)]
    return len(starts) > 1 and len({start % 7 for start in starts}) == 1


def _one_day_forms(day: int) -> tuple[str, ...]:
    number = day if day <= 31 else day - 31
    return (rf"{number}(?:st|nd|rd|th)?", rf"\d\d-{number:02}")


def amounts(text: str) -> frozenset[str]:
    """The amounts of money in a text, as digits."""
    found = re.finditer(r"\$ ?(\d[\d,]*(?:\.\d+)?)|(\d[\d,]*(?:\.\d+)?) ?(?:dollars|USD)", text)
    return frozenset(_plain_amount(match[1] or match[2]) for match in found)


def known_amounts(constraints: tuple[Constraint, ...]) -> frozenset[str]:
    """The amounts that the wording of some constraints names."""
    return frozenset(amount for constraint in constraints for amount in amounts(constraint.words))


def _plain_amount(text: str) -> str:
    digits = text.replace(",", "").rstrip(".")
    return digits.removesuffix(".00") if "." in digits else digits
