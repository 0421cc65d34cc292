"""What a Trip+ agent proposes: days of timed activities and a budget. (Trip+ 2.1, B.1)

These records hold what the plan says and nothing else; whether it is true is the sandbox's business. What the plan
leaves out is None or "", and what it says but cannot mean is kept as a `Fault` beside the empty field, so that no
reader has to look at text again.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from enum import StrEnum

MINUTES_PER_DAY = 24 * 60


class Mode(StrEnum):
    """How an agent answers a turn. (Trip+ 2.3)"""

    PLAN = "plan"
    CLARIFICATION = "clarification"
    NO_SOLUTION = "no_solution"


@dataclass(frozen=True, slots=True)
class Fault:
    """Something in an answer that cannot be read, or that its place does not allow."""

    field: str
    """What it was meant to be, such as "time slot", "price" or "activity type"."""

    text: str
    """What stands there; "" if nothing does."""

    reason: str
    """In words, such as "no time of day"."""


@dataclass(frozen=True, slots=True)
class TimeSlot:
    """From when to when, in minutes after midnight of the day it is listed under.

    An end at or past 1440 lies on the next day: a line that ends before it starts ends tomorrow.
    """

    start: int
    end: int

    @property
    def minutes(self) -> int:
        """Its length."""
        return self.end - self.start

    def __str__(self) -> str:
        return f"{clock(self.start)}-{clock(self.end)}"


def clock(minute: int) -> str:
    """A minute after midnight as HH:MM; midnight at the end of a day is 00:00."""
    hours, minutes = divmod(minute % MINUTES_PER_DAY, 60)
    return f"{hours:02d}:{minutes:02d}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Activity:
    """One line of a day. `slot` is None if the line has no readable time; a fault then says what stood there."""

    slot: TimeSlot | None
    faults: tuple[Fault, ...] = ()

    @property
    def label(self) -> str:
        """The line for findings: "10:30-12:00 Fort Museum"."""
        return f"{self.slot} {self.name}" if self.slot else self.name

    @property
    def name(self) -> str:
        """What a traveler would call it."""
        raise NotImplementedError  # every kind names itself


@dataclass(frozen=True, slots=True, kw_only=True)
class IntercityLeg(Activity):
    """One flight or train, boarding to leaving. A connection is several legs."""

    mode: str
    """"flight", "train", or "" if the plan does not tell."""

    number: str
    origin: str
    destination: str
    """Stations or airports."""

    seat_class: str = ""
    price: Decimal | None = None
    """Yuan per person; on a connection every leg may state the fare of the whole."""

    @property
    def name(self) -> str:
        """What a traveler would call it."""
        return self.number or "intercity travel"


@dataclass(frozen=True, slots=True, kw_only=True)
class LocalTransfer(Activity):
    """A ride or walk inside a city."""

    origin: str
    destination: str
    mode: str = ""
    """As written: "taxi", "walking", "metro Line 1"."""

    distance_km: float | None = None
    duration_minutes: float | None = None
    price: Decimal | None = None
    """Yuan per vehicle for a taxi, per person for public transport."""

    @property
    def name(self) -> str:
        """What a traveler would call it."""
        return f"{self.mode or 'transfer'} from {self.origin or '?'} to {self.destination or '?'}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Visit(Activity):
    """A stay at an attraction."""

    attraction: str
    price: Decimal | None = None
    """Yuan per person."""

    @property
    def name(self) -> str:
        """What a traveler would call it."""
        return self.attraction or "unnamed attraction"


@dataclass(frozen=True, slots=True, kw_only=True)
class Meal(Activity):
    """One sitting at a restaurant."""

    meal: str
    """"lunch", "dinner", "breakfast", or as written."""

    restaurant: str
    price: Decimal | None = None
    """Yuan per person."""

    @property
    def name(self) -> str:
        """What a traveler would call it."""
        return f"{self.meal or 'meal'} at {self.restaurant or 'an unnamed restaurant'}"


@dataclass(frozen=True, slots=True, kw_only=True)
class HotelStop(Activity):
    """Time at a hotel: check-in, rest, the night, check-out."""

    purpose: str
    hotel: str
    """"" where the line only says "the hotel": then it is the one of that night."""

    @property
    def name(self) -> str:
        """What a traveler would call it."""
        return f"{self.purpose or 'stop'} at {self.hotel or 'the hotel'}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Buffer(Activity):
    """Time kept free: waiting, security, a break."""

    description: str

    @property
    def name(self) -> str:
        """What a traveler would call it."""
        return self.description or "buffer"


@dataclass(frozen=True, slots=True, kw_only=True)
class Misfit(Activity):
    """A line that is none of the above; its fault says why."""

    text: str

    @property
    def name(self) -> str:
        """What a traveler would call it."""
        return self.text


@dataclass(frozen=True, slots=True)
class Lodging:
    """The hotel of the night after a day."""

    hotel: str
    price: Decimal | None = None
    """Yuan per room and night."""

    faults: tuple[Fault, ...] = ()


@dataclass(frozen=True, slots=True)
class CityLabel:
    """Where a day takes place: one city, or from one to another."""

    origin: str
    """The city the day starts in."""

    destination: str
    """The city it ends in; the same as `origin` on a day without travel between cities."""

    @property
    def is_journey(self) -> bool:
        """Whether the label names two cities."""
        return self.origin != self.destination

    def __str__(self) -> str:
        return f"from {self.origin} to {self.destination}" if self.is_journey else self.origin


WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July"),
    *("August", "September", "October", "November", "December"),
)


@dataclass(frozen=True, slots=True)
class PartialDate:
    """What a heading says of its date without a year: a weekday, a day of a month, or both; None where it does not."""

    weekday: int | None = None
    """From 1, which is Monday."""

    month: int | None = None
    day: int | None = None

    def fits(self, when: date) -> bool:
        """Whether a date may be the one that is meant."""
        pairs = ((self.weekday, when.isoweekday()), (self.month, when.month), (self.day, when.day))
        return all(said is None or said == true for said, true in pairs)

    def __str__(self) -> str:
        weekday = WEEKDAYS[self.weekday - 1] if self.weekday else ""
        month = f"{MONTHS[self.month - 1]} {self.day}" if self.month else ""
        return ", ".join(part for part in (weekday, month) if part)


@dataclass(frozen=True, slots=True)
class Day:
    """One day as the plan lists it."""

    number: int | None
    """As its heading says."""

    date: date | None
    """As its heading says."""

    city: CityLabel | None
    lodging: Lodging | None
    """None where the plan names no hotel for the night, also where it writes "-"."""

    activities: tuple[Activity, ...]
    faults: tuple[Fault, ...] = ()
    partial_date: PartialDate | None = None
    """What its heading says of the date beside that, or in place of it."""


@dataclass(frozen=True, slots=True)
class Budget:
    """The money the plan says it needs, in yuan for the whole party; None where it says nothing."""

    transportation: Decimal | None = None
    accommodation: Decimal | None = None
    meals: Decimal | None = None
    attractions: Decimal | None = None
    other: Decimal | None = None
    total: Decimal | None = None
    faults: tuple[Fault, ...] = ()


@dataclass(frozen=True, slots=True)
class Itinerary:
    """A whole plan."""

    days: tuple[Day, ...]
    budget: Budget | None = None
    faults: tuple[Fault, ...] = ()
    """Lines that belong to no day and no budget, among days."""

    def all_faults(self) -> Iterator[tuple[int | None, Fault]]:
        """Every fault with the position of its day (from 1), or None where it belongs to no day."""
        yield from ((None, fault) for fault in self.faults)
        for position, day in enumerate(self.days, 1):
            for owner in (day, *((day.lodging,) if day.lodging else ()), *day.activities):
                yield from ((position, fault) for fault in owner.faults)
        if self.budget:
            yield from ((None, fault) for fault in self.budget.faults)


@dataclass(frozen=True, slots=True)
class Plan:
    """An answer that is an itinerary."""

    itinerary: Itinerary


@dataclass(frozen=True, slots=True)
class Clarification:
    """An answer that asks the traveler something."""

    text: str


@dataclass(frozen=True, slots=True)
class NoSolution:
    """An answer that says the constraints cannot all hold."""

    text: str


@dataclass(frozen=True, slots=True)
class Unreadable:
    """An answer without a mode, with two, or with nothing in it; the fault says which."""

    fault: Fault


Response = Plan | Clarification | NoSolution | Unreadable
"""A parsed answer."""


def mode_of(response: Response) -> Mode | None:
    """The mode of an answer; None if it cannot be read."""
    match response:
        case Plan():
            return Mode.PLAN
        case Clarification():
            return Mode.CLARIFICATION
        case NoSolution():
            return Mode.NO_SOLUTION
        case Unreadable():
            return None
