"""What a plan must meet: the vocabulary of constraints, each as SQL and as a pure function.

Most constraints are one or two filters. The rest look at the plan as a whole: dates, guests, budget, and how a permit
lies inside a stay. A missing value never satisfies a constraint.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache

from tripgauge.checks import Finding
from tripgauge.compass.filters import Attribute, Comparison, Component, Filter, Sql
from tripgauge.compass.offers import Stay, TravelPlan, rooms_needed, weekday

Scalar = int | str
Value = bool | int | str | tuple["Value", ...]
"""What a constraint asks for, as task files have it: see `Shape`."""


# ---------------------------------------------------------------------------------------------------------------
# The vocabulary


class Shape(Enum):
    """How the value of a constraint is written."""

    FLAG = "true"
    NUMBER = "a whole number"
    TEXT = "a text"
    TEXTS = "a list of texts"
    BEDS = "a bed type and the least number of such beds"
    STAYS = "a list of check-in and check-out days"

    def fits(self, value: Value) -> bool:
        match self, value:
            case Shape.FLAG, bool():
                return value
            case Shape.NUMBER, int():
                return not isinstance(value, bool)
            case Shape.TEXT, str():
                return True
            case Shape.TEXTS, (str(), *rest):
                return all(isinstance(item, str) for item in rest)
            case Shape.BEDS, (str(), int()):
                return True
            case Shape.STAYS, ((int(), int()), *_):
                return all(_is_stay(pair) for pair in value)
        return False


def _is_stay(pair: Value) -> bool:
    match pair:
        case (int(start), int(end)):
            return Stay(start, end).is_in_calendar
    return False


FiltersOf = Callable[[Value, int], tuple[Filter, ...]]


@dataclass(frozen=True)
class Kind:
    """A type of constraint."""

    type: str
    shape: Shape
    wording: Callable[[Value], str]
    """The constraint in a traveler's words, as a sentence without its full stop."""

    level: int = 1
    """The lowest level it can be asked at."""

    filters: FiltersOf = lambda value, guests: ()
    """Its filters for a party of so many guests; none if it looks at the plan as a whole."""

    attributes: tuple[Attribute, ...] = ()
    """What of the catalogue it looks at: some tool must tell it."""


VOCABULARY: dict[str, Kind] = {}
"""All types of constraints, by their names."""


def _add(kind: Kind) -> None:
    VOCABULARY[kind.type] = kind


def _scalars(value: Value) -> tuple[Scalar, ...]:
    """The value as operands: a flag as 1."""
    if isinstance(value, tuple):
        return tuple(item for item in value if isinstance(item, int | str))
    return (int(value),) if isinstance(value, bool) else (value,)


def _filtered(
    type_: str,
    attribute: Attribute,
    comparison: Comparison,
    shape: Shape,
    wording: Callable[[Value], str],
) -> None:
    """Adds a constraint on one attribute."""

    def filters(value: Value, guests: int) -> tuple[Filter, ...]:
        return (Filter(attribute, comparison, _scalars(value)),)

    _add(Kind(type_, shape, wording, attribute.component.level, filters, (attribute,)))


def _said(sentence: str) -> Callable[[Value], str]:
    return lambda value: sentence.format(value)


def _tenths(sentence: str) -> Callable[[Value], str]:
    return lambda value: sentence.format(f"{_number(value) / 10:g}")


def _hundredths(sentence: str) -> Callable[[Value], str]:
    return lambda value: sentence.format(f"{_number(value) / 100:g}")


def _money(sentence: str) -> Callable[[Value], str]:
    return lambda value: sentence.format(dollars(_number(value)))


def _listed(sentence: str) -> Callable[[Value], str]:
    return lambda value: sentence.format(either([str(item).replace("_", " ") for item in _scalars(value)]))


def either(items: Sequence[str]) -> str:
    """A choice in words: "A, B or C"."""
    return " or ".join([", ".join(items[:-1]), items[-1]] if len(items) > 1 else items)


def _number(value: Value) -> int:
    if not isinstance(value, int):
        raise TypeError(f"{value!r} is no number.")
    return value


def dollars(cents: int) -> str:
    """Cents as people write them: $1,234 or $1,234.50."""
    return f"${cents // 100:,}" if cents % 100 == 0 else f"${cents / 100:,.2f}"


HOTEL_FLAGS = {
    "has_pool": "has a pool",
    "has_restaurant": "has a restaurant",
    "has_bar": "has a bar",
    "has_parking": "has parking",
    "has_free_parking": "has free parking",
    "has_wifi": "has Wi-Fi",
    "has_fitness_center": "has a fitness center",
    "has_spa": "has a spa",
    "has_hot_tub": "has a hot tub",
    "has_airport_shuttle": "has an airport shuttle",
    "has_ev_charging": "has EV charging",
    "has_24h_front_desk": "has a front desk that is open around the clock",
    "has_laundry": "has a laundry",
    "is_pet_friendly": "takes pets",
    "is_wheelchair_accessible": "is wheelchair accessible",
    "has_family_rooms": "has family rooms",
    "is_non_smoking": "is non-smoking",
}
ROOM_FLAGS = {
    "has_kitchenette": "has a kitchenette",
    "has_air_conditioning": "has air conditioning",
    "has_private_bathroom": "has a private bathroom",
    "has_balcony": "has a balcony",
    "has_view": "has a view",
    "has_tv": "has a TV",
    "has_coffee_maker": "has a coffee maker",
    "has_refrigerator": "has a refrigerator",
}
CONFIG_FLAGS = {
    "free_cancellation": "can be cancelled free of charge",
    "breakfast_included": "includes breakfast",
    "no_prepayment_needed": "needs no prepayment",
}
FLIGHT_FLAGS = {
    "flight_wifi": ("has_wifi", "has Wi-Fi on board"),
    "flight_power": ("has_power", "has power outlets"),
    "flight_meal": ("has_meal", "comes with a meal"),
    "carry_on_included": ("carry_on_included", "includes a carry-on bag"),
    "checked_bag_included": ("checked_bag_included", "includes a checked bag"),
    "pets_allowed": ("pets_allowed", "takes pets"),
    "is_refundable": ("is_refundable", "is refundable"),
    "is_changeable": ("is_changeable", "can be changed"),
}
"""The attribute and the wording of each flag; where hotels have an attribute of the same name, ours says `flight_`."""


def _add_lodging() -> None:
    hotel, room, config = Component.HOTEL, Component.ROOM, Component.CONFIG
    least, most, one_of = Comparison.AT_LEAST, Comparison.AT_MOST, Comparison.ONE_OF
    stars, score = Attribute(hotel, "star_rating_x10"), Attribute(hotel, "review_score_x10")
    number, brand, texts = Shape.NUMBER, Attribute(hotel, "brand"), Shape.TEXTS
    _filtered("min_star_rating", stars, least, number, _tenths("the hotel has at least {} stars"))
    _filtered("min_review_score", score, least, number, _tenths("the hotel's review score is at least {} out of 10"))
    reviews = Attribute(hotel, "review_count")
    _filtered("min_review_count", reviews, least, number, _said("the hotel has at least {} reviews"))
    distance = _hundredths("the hotel is at most {} km from a park entrance")
    _filtered("max_distance", Attribute(hotel, "entrance_km_x100"), most, number, distance)
    _filtered("brand_in", brand, one_of, texts, _listed("the hotel belongs to the brand {}"))
    _filtered("brand_not_in", brand, Comparison.NONE_OF, texts, _listed("the hotel belongs to a brand, but not to {}"))
    same = _said("the hotel belongs to {}, the brand we always stay with")
    _filtered("same_hotel_brand", brand, one_of, Shape.TEXT, same)
    kind = Attribute(hotel, "property_type")
    _filtered("property_type_in", kind, one_of, texts, _listed("the place is of the type {}"))
    dearest = Attribute(Component.HOTEL_OFFER, "dearest_night_cents")
    _filtered("max_nightly_price", dearest, most, number, _money("no night costs more than {} per room"))
    for name, words in HOTEL_FLAGS.items():
        _filtered(name, Attribute(hotel, name), one_of, Shape.FLAG, _said(f"the hotel {words}"))
    for name, words in ROOM_FLAGS.items():
        _filtered(name, Attribute(room, name), one_of, Shape.FLAG, _said(f"the room {words}"))
    for name, words in CONFIG_FLAGS.items():
        _filtered(name, Attribute(config, name), one_of, Shape.FLAG, _said(f"the hotel booking {words}"))
    _add(Kind("bed_type", Shape.BEDS, _bed_words, 1, _bed_filters, (_BED_TYPE, _BED_COUNT)))
    _filtered("room_occupancy", _OCCUPANCY, least, number, _said("each room sleeps at least {}"))
    one = _said("we all stay in one room")
    _add(Kind("one_room_only", Shape.FLAG, one, 1, _one_room_filters, (_OCCUPANCY,)))


_BED_TYPE, _BED_COUNT = Attribute(Component.ROOM, "bed_type"), Attribute(Component.ROOM, "bed_count")
_OCCUPANCY = Attribute(Component.ROOM, "max_occupancy")


def _bed_filters(value: Value, guests: int) -> tuple[Filter, ...]:
    kind, count = _scalars(value)
    return Filter(_BED_TYPE, Comparison.ONE_OF, (kind,)), Filter(_BED_COUNT, Comparison.AT_LEAST, (count,))


def _bed_words(value: Value) -> str:
    kind, count = _scalars(value)
    return f"the room has a {kind} bed" if count == 1 else f"the room has at least {count} {kind} beds"


def _one_room_filters(value: Value, guests: int) -> tuple[Filter, ...]:
    return (Filter(_OCCUPANCY, Comparison.AT_LEAST, (guests,)),)


def _add_flights() -> None:
    flight, number, text, texts = Component.FLIGHT, Shape.NUMBER, Shape.TEXT, Shape.TEXTS
    least, most, one_of = Comparison.AT_LEAST, Comparison.AT_MOST, Comparison.ONE_OF
    _filtered("origin", Attribute(flight, "origin"), one_of, text, _said("we fly from {}"))
    _add(Kind("direct_only", Shape.FLAG, _said("the flight is direct"), 2, _direct_filters, (_STOPS,)))
    _filtered("airline_in", Attribute(flight, "airline"), one_of, texts, _listed("we fly with {}"))
    booking = Attribute(flight, "booking_class")
    _filtered("booking_class", booking, one_of, text, _listed("we fly {}"))
    longest = Attribute(flight, "longest_minutes", "MAX(f.out_minutes, f.back_minutes)")
    _filtered("max_flight_minutes", longest, most, number, _said("neither flight takes more than {} minutes"))
    earliest = Attribute(flight, "earliest_depart", "MIN(f.out_depart, f.back_depart)")
    _filtered("depart_after", earliest, least, text, _said("no flight leaves before {}"))
    latest = Attribute(flight, "latest_arrive", "MAX(f.out_arrive, f.back_arrive)")
    _filtered("arrive_before", latest, most, text, _said("no flight lands after {}"))
    for name, (column, words) in FLIGHT_FLAGS.items():
        _filtered(name, Attribute(flight, column), one_of, Shape.FLAG, _said(f"the flight {words}"))
    airport = Attribute(Component.AIRPORT, "airport_type")
    _filtered("airport_type", airport, one_of, text, _said("we land at a {} airport"))
    drive = Attribute(Component.DRIVE, "drive_hours_x100")
    _filtered("max_drive_hours", drive, most, number, _hundredths("the drive from the airport takes at most {} hours"))


_STOPS = Attribute(Component.FLIGHT, "stops")


def _direct_filters(value: Value, guests: int) -> tuple[Filter, ...]:
    return (Filter(_STOPS, Comparison.AT_MOST, (0,)),)


def _add_permits() -> None:
    permit, offer, one_of = Component.PERMIT, Component.PERMIT_OFFER, Comparison.ONE_OF
    template = Attribute(permit, "template_name")
    _filtered("permit_template", template, one_of, Shape.TEXTS, _listed("we get a permit for {}"))
    _filtered("permit_kind", Attribute(permit, "kind"), one_of, Shape.TEXT, _listed("the permit is for {}"))
    start = Attribute(offer, "start_weekday")
    _filtered("permit_on_weekday", start, one_of, Shape.TEXTS, _listed("the permit starts on a {}"))
    _filtered("permit_days", Attribute(offer, "days"), one_of, Shape.NUMBER, _said("the permit is for {} days"))
    buffer = _said("there are {} free days before and after the permit")
    _add(Kind("permit_buffer_days", Shape.NUMBER, buffer, 3))


def _add_fundamentals() -> None:
    park = Attribute(Component.PARK, "name")
    _filtered("location", park, Comparison.ONE_OF, Shape.TEXTS, _listed("we visit {}"))
    prices, free = Attribute(Component.HOTEL_OFFER, "price_cents"), Attribute(Component.HOTEL_OFFER, "rooms_free")
    _add(Kind("dates", Shape.STAYS, lambda value: f"we stay {stays_in_words(stays_of(value))}"))
    guests = _said("we are {} travelers, with no more rooms than we need")
    _add(Kind("guests", Shape.NUMBER, guests, attributes=(free, _OCCUPANCY)))
    _add(Kind("budget", Shape.NUMBER, _money("everything costs at most {}"), attributes=(prices,)))


_add_fundamentals()
_add_lodging()
_add_flights()
_add_permits()

FUNDAMENTALS = ("location", "dates", "room_occupancy", "guests", "budget")
"""The five that every task has."""

WISHES = (
    *HOTEL_FLAGS,
    *ROOM_FLAGS,
    *CONFIG_FLAGS,
    *FLIGHT_FLAGS,
    "bed_type",
    "direct_only",
    "permit_kind",
)
"""The types that can stand on a wish list."""


# ---------------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=4096)
def _filters(type_: str, value: Value, guests: int) -> tuple[Filter, ...]:
    return VOCABULARY[type_].filters(value, guests)


@dataclass(frozen=True)
class Constraint:
    """One thing a plan must meet. Raises ValueError where type and value do not fit."""

    type: str
    value: Value

    def __post_init__(self) -> None:
        kind = VOCABULARY.get(self.type)
        if kind is None:
            raise ValueError(f"There is no constraint of the type {self.type!r}.")
        if not kind.shape.fits(self.value):
            raise ValueError(f"The value of {self.type} is {kind.shape.value}, not {self.value!r}.")

    @property
    def kind(self) -> Kind:
        return VOCABULARY[self.type]

    @property
    def words(self) -> str:
        """In a traveler's words, as a sentence without its full stop."""
        return self.kind.wording(self.value)

    def filters(self, guests: int) -> tuple[Filter, ...]:
        """What it asks of single attributes; empty for those that look at the plan as a whole."""
        return _filters(self.type, self.value, guests)

    def holds(self, plan: TravelPlan, guests: int) -> bool:
        return not any(self.find(plan, guests))

    def find(self, plan: TravelPlan, guests: int) -> Iterator[Finding]:
        """Where a plan for so many guests falls short of it, with what was observed."""
        match self.type:
            case "dates":
                yield from _find_dates(plan, stays_of(self.value))
            case "guests":
                yield from _find_guests(plan, _number(self.value))
            case "budget":
                yield from _find_budget(plan, guests, _number(self.value))
            case "permit_buffer_days":
                yield from _find_buffer(plan, _number(self.value))
            case _:
                for asked in self.filters(guests):
                    if not asked.holds(plan):
                        found = asked.attribute.of(plan)
                        shown = "not known" if found is None else str(found)
                        yield self._finding(f"{asked.attribute.name} is {shown}", shown)

    def _finding(self, reason: str, found: str) -> Finding:
        return Finding(reason, item=self.type, expected=self.words, found=found)

    def sql(self, guests: int, level: int) -> Sql:
        """The same as SQL over one plan, with the names that `plan_query` gives."""
        match self.type:
            case "dates":
                marks = ", ".join("(?, ?)" for _ in stays_of(self.value))
                ends = tuple(day for stay in stays_of(self.value) for day in (stay.start, stay.end))
                return Sql(f"(x.start, x.end) IN (VALUES {marks})", ends)
            case "guests":
                parts = ["nights_sold = x.end - x.start", "x.rooms = rooms_needed", "rooms_free >= rooms_needed"]
                parts += ["seats_free >= x.guests"] if level >= 2 else []
                parts += (
                    ["places_free >= x.guests", "COALESCE(m.max_group, x.guests) >= x.guests"] if level == 3 else []
                )
                return Sql(" AND ".join(parts))
            case "budget":
                return Sql("cost_cents <= ?", _scalars(self.value))
            case "permit_buffer_days":
                days = _scalars(self.value) * 2
                return Sql("w.start >= x.start + ? AND w.start + w.days <= x.end - ?", days)
            case _:
                parts_ = [asked.sql for asked in self.filters(guests)]
                values = tuple(value for part in parts_ for value in part.values)
                return Sql(" AND ".join(part.text for part in parts_), values)


def stays_of(value: Value) -> tuple[Stay, ...]:
    """The stays in the value of a `dates` constraint."""
    if not isinstance(value, tuple):
        raise TypeError(f"{value!r} is no list of stays.")
    return tuple(Stay(*_scalars(pair)) for pair in value)  # type: ignore[arg-type]


def _find_dates(plan: TravelPlan, stays: tuple[Stay, ...]) -> Iterator[Finding]:
    stay = plan.hotel.package.stay
    if stay not in stays:
        shown = f"{stay.start} to {stay.end} August"
        yield Finding(f"the stay is {shown}", item="dates", expected=stays_in_words(stays), found=shown)


def _find_guests(plan: TravelPlan, guests: int) -> Iterator[Finding]:
    hotel, need = plan.hotel, rooms_needed(guests, plan.hotel.room.max_occupancy)
    expected = f"room for {guests}"
    if hotel.package.rooms != need:
        reason = f"{hotel.package.rooms} rooms are booked where {need} are needed"
        yield Finding(reason, item="guests", expected=str(need), found=str(hotel.package.rooms))
    if hotel.rooms_free < need:
        reason = f"only {hotel.rooms_free} rooms are free on every night"
        yield Finding(reason, item="guests", expected=str(need), found=str(hotel.rooms_free))
    if plan.flight and plan.flight.seats_free < guests:
        yield Finding(f"only {plan.flight.seats_free} seats are free", item="guests", expected=expected)
    if plan.permit and plan.permit.remaining < guests:
        yield Finding(f"only {plan.permit.remaining} places of the permit are left", item="guests", expected=expected)
    largest = plan.permit.permit.max_group if plan.permit else None
    if largest is not None and largest < guests:
        yield Finding(f"the permit is for groups of at most {largest}", item="guests", expected=expected)


def _find_budget(plan: TravelPlan, guests: int, budget: int) -> Iterator[Finding]:
    cost = plan.cost_cents(guests)
    if cost > budget:
        shown = dollars(cost)
        yield Finding(
            f"everything together costs {shown}", item="budget", expected=f"at most {dollars(budget)}", found=shown
        )


def _find_buffer(plan: TravelPlan, days: int) -> Iterator[Finding]:
    permit, stay = plan.permit, plan.hotel.package.stay
    if permit is None:
        yield Finding("there is no permit", item="permit_buffer_days")
        return
    first, end = permit.package.start, permit.package.start + permit.package.days
    if first < stay.start + days or end > stay.end - days:
        shown = f"the permit runs from {first} to {end - 1} August, the stay from {stay.start} to {stay.end}"
        yield Finding(shown, item="permit_buffer_days", expected=f"{days} free days before and after")


def find_uncoupled(plan: TravelPlan, level: int) -> Iterator[Finding]:
    """What keeps the parts of a plan from being one trip (its parts are coupled): no task has to say so."""
    stay = plan.hotel.package.stay
    if level >= 2 and plan.flight is None:
        yield Finding("there is no flight", item="coupling")
    if level == 3 and plan.permit is None:
        yield Finding("there is no permit", item="coupling")
    if plan.flight and plan.flight.package.stay != stay:
        yield Finding("the flights are not on the days of check-in and check-out", item="coupling")
    if plan.flight and plan.drive is None:
        yield Finding(f"{plan.flight.airport.code} does not serve {plan.hotel.park.name}", item="coupling")
    if plan.permit:
        if plan.permit.permit.park_id != plan.hotel.hotel.park_id:
            yield Finding("the permit is for another park", item="coupling")
        yield from _find_buffer(plan, 0)


# ---------------------------------------------------------------------------------------------------------------
# Dates in words


def stays_in_words(stays: tuple[Stay, ...]) -> str:
    """The shortest plain description of a list of stays, such as "any weekend in August"."""
    nights = {stay.nights for stay in stays}
    if len(stays) == 1:
        (stay,) = stays
        return f"from {_day(stay.start)} to {_day(stay.end)} ({_nights(stay.nights)})"
    if len(nights) == 1:
        (length,) = nights
        starts = [stay.start for stay in stays]
        weekdays = {weekday(start) for start in starts}
        if starts == list(range(starts[0], starts[-1] + 1)):
            return f"any {_nights(length)} between {_day(starts[0])} and {_day(stays[-1].end)}"
        if len(weekdays) == 1 and starts == [
            day for day in range(1, 32) if weekday(day) in weekdays and day + length <= 32
        ]:
            (name,) = weekdays
            if name == "Friday" and length == 2:
                return "any weekend in August, from Friday to Sunday"
            return f"{_nights(length)} from any {name} in August, check-out by September 1"
    each = " or ".join(f"{_day(stay.start)} to {_day(stay.end)}" for stay in stays)
    return f"on one of these dates: {each}"


def _nights(count: int) -> str:
    return f"{count} night" if count == 1 else f"{count} nights"


def _day(day: int) -> str:
    return f"August {day}" if day <= 31 else f"September {day - 31}"
