"""Random itineraries that the plan notation can carry, for any test that needs some.

Names are made of real-looking words, with accents, Chinese characters, apostrophes, ampersands, hyphens, brackets, a
comma ("Clock Gallery, Old Palace") or a dash between blanks ("Harbor Inn - North Gate"). Left out is what the notation
cannot tell from something else: names that are a price, a note or a way to get about ("free", "2 rooms", "Walk"), names
with bars or line breaks, with " to " or an arrow in them, and route ends with commas, which are clear only where the
plan also visits them.
"""

from datetime import date
from decimal import Decimal

from hypothesis import strategies as st

from tripgauge.trip_plus.itinerary import (
    Budget,
    Buffer,
    CityLabel,
    Day,
    HotelStop,
    IntercityLeg,
    Itinerary,
    LocalTransfer,
    Lodging,
    Meal,
    TimeSlot,
    Visit,
)

_WORDS = st.sampled_from(
    [
        "Fort", "Museum", "Lantern", "Row", "Pier", "Market", "Quay", "Inn", "Annie's", "Kitchen", "Café", "Zoë",
        "Bao'an", "Nº5", "北京", "饭店", "R&F", "Sun-Yat", "·", "24", "Old", "Gate", "St.", "Ōsaka", "K11", "798",
    ]
)  # fmt: skip
_FIRST_WORDS = _WORDS.filter(lambda word: word[0].isalpha())

plain_names = st.builds(lambda first, rest: " ".join([first, *rest]), _FIRST_WORDS, st.lists(_WORDS, max_size=3))
bracketed_names = st.builds(lambda name, branch: f"{name} ({branch} Branch)", plain_names, plain_names)
names_with_comma = st.builds(lambda name, town: f"{name}, {town}", plain_names, plain_names)
names_with_dash = st.builds(lambda name, part: f"{name} - {part}", plain_names, plain_names)

route_ends = st.one_of(plain_names, bracketed_names, names_with_dash)
names = st.one_of(route_ends, names_with_comma)

cities = st.sampled_from(["Aldmoor", "Briskhaven", "Xi'an", "São Tomé", "上海"])
city_labels = st.builds(CityLabel, cities, cities)
prices = st.decimals(min_value=0, max_value=99999, places=2).map(
    lambda price: price.quantize(Decimal(1)) if price == price.to_integral_value() else price.normalize()
)
slots = st.builds(lambda start, length: TimeSlot(start, start + length), st.integers(0, 1439), st.integers(0, 3 * 1440))
_measures = st.one_of(st.none(), st.integers(0, 5000).map(lambda tenths: tenths / 10))


def _leg(slot: TimeSlot, service: tuple[str, str], ends: tuple[str, str], seat: str, price: Decimal) -> IntercityLeg:
    mode, number = service
    return IntercityLeg(
        slot=slot, mode=mode, number=number, origin=ends[0], destination=ends[1], seat_class=seat, price=price
    )


legs = st.builds(
    _leg,
    slots,
    st.sampled_from([("flight", "CX1"), ("flight", "9C8888"), ("train", "G1234"), ("train", "Z9"), ("train", "8001")]),
    st.tuples(route_ends, route_ends),
    st.sampled_from(["", "Economy", "Second Class Seat", "EMU Sleeper"]),
    prices,
)
transfers = st.builds(
    LocalTransfer,
    slot=slots,
    origin=route_ends,
    destination=route_ends,
    mode=st.sampled_from(["taxi", "walking", "metro Line 1", "bus 42", "metro Line 2 → Line 5"]),
    distance_km=_measures,
    duration_minutes=_measures,
    price=prices,
)
visits = st.builds(Visit, slot=slots, attraction=names, price=prices)
meals = st.builds(
    Meal, slot=slots, meal=st.sampled_from(["lunch", "dinner", "breakfast"]), restaurant=names, price=prices
)
hotel_stops = st.builds(
    HotelStop,
    slot=slots,
    purpose=st.sampled_from(["check-in", "check-out", "rest"]),
    hotel=st.one_of(st.just(""), names),
)
buffers = st.builds(
    Buffer,
    slot=slots,
    description=st.sampled_from(["", "tea break", "security, then waiting", "a note: <clarification>"]),
)
activities = st.one_of(legs, transfers, visits, meals, hotel_stops, buffers)

days = st.builds(
    Day,
    number=st.just(0),
    date=st.one_of(st.none(), st.dates(date(2024, 1, 1), date(2030, 12, 31))),
    city=st.one_of(st.none(), city_labels),
    lodging=st.one_of(st.none(), st.builds(Lodging, names, prices)),
    activities=st.lists(activities, max_size=6).map(tuple),
)
budgets = st.builds(Budget, *[st.one_of(st.none(), prices)] * 6)


def _numbered(days: list[Day], budget: Budget | None) -> Itinerary:
    numbered = (
        Day(number, day.date, day.city, day.lodging, day.activities, day.faults) for number, day in enumerate(days, 1)
    )
    return Itinerary(tuple(numbered), budget)


itineraries = st.builds(_numbered, st.lists(days, min_size=1, max_size=4), st.one_of(st.none(), budgets))
"""Whole plans without faults, of one to four days."""
