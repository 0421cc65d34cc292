"""An itinerary joined once to the sandbox records it names. (Trip+ 2.4: execution trace)

All that any check, score or simulated traveler looks at is here: what the plan says, what the sandbox knows of it, and
what follows from both -- where the traveler is at any moment, which nights need a bed, what is due on which day, what
it all costs. Instants are full dates with times, so that midnight and the length of a ride need no care later.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from enum import StrEnum
from functools import cached_property
from itertools import pairwise
from typing import TypeVar

from tripgauge.checks import Finding
from tripgauge.trip_plus.frame import TripFrame
from tripgauge.trip_plus.itinerary import (
    Activity,
    Buffer,
    Day,
    HotelStop,
    IntercityLeg,
    Itinerary,
    LocalTransfer,
    Lodging,
    Meal,
    Misfit,
    Visit,
)
from tripgauge.trip_plus.sandbox.exposure import Exposure
from tripgauge.trip_plus.sandbox.names import folded
from tripgauge.trip_plus.sandbox.records import (
    Attraction,
    Coordinates,
    Hotel,
    Journey,
    Restaurant,
    Ride,
    Service,
    Weather,
    distance_km,
)
from tripgauge.trip_plus.sandbox.store import LONGEST_CHANGE, Sandbox, same_city

MINUTE = timedelta(minutes=1)

MISSING_DAY = Day(None, None, None, None, ())
"""Stands for a day of the trip that the plan leaves out, so that the later ones keep their dates."""


def in_place(days: Sequence[Day], length: int) -> tuple[Day, ...]:
    """The days at their places in a trip of that length, with `MISSING_DAY` where the plan leaves one out.

    Headings tell the places where their numbers rise; else each day stands where it is listed.
    """
    numbers = [day.number or 0 for day in days]
    rise = all(one < other for one, other in pairwise([0, *numbers]))
    placed: list[Day] = []
    for day, number in zip(days, numbers, strict=True):
        if rise and number <= length:
            placed += [MISSING_DAY] * (number - 1 - len(placed))
        placed.append(day)
    return (*placed, *[MISSING_DAY] * (length - len(placed)))


DEEPEST_NIGHT = time(3)
"""Who is under way at this hour spends the night travelling; who is not needs a bed where he is."""

DAWN = time(5)
"""Who gets to the hotel before this hour still ends the day before there."""

EARLY_ARRIVAL, NOON, LATE_ARRIVAL = time(10), time(12), time(15)
"""Arriving before 10:00 leaves room for lunch and dinner, until 15:00 for dinner; before 12:00 for a sight."""

EARLY_LEAVE, AFTERNOON_LEAVE, SIGHT_LEAVE = time(9), time(15), time(16)
"""Leaving from 15:00 on leaves room for lunch, after 16:00 for a sight; before 9:00 for no meal at all."""

LUNCH_STARTS = (time(11), time(13, 45))
DINNER_STARTS = (time(17), time(20, 45))
"""When a meal that is called neither lunch nor dinner counts as one."""

SAME_PLACE_KM = 0.5
"""Two names this close to each other are one stop: a station and its exit, a mall and its restaurant."""


class WeatherKind(StrEnum):
    """Weather that a traveler may have to be spared."""

    HEAT = "heat"
    COLD = "cold"
    RAIN = "rain"


@dataclass(frozen=True, slots=True)
class ExpectedWeather:
    """Weather that the task tells of."""

    kind: WeatherKind
    day: int | None = None
    """The day it is announced for; None where season and city let expect it, unless the tables know better."""


class Content(StrEnum):
    """The kinds of content a check can be about."""

    DAYS = "days"
    PROGRAM = "program"
    TIMES = "times"
    """A program with times that can be read."""

    TRAVEL = "travel"
    NIGHTS = "nights"
    MEALS = "meals"
    RESTAURANTS = "restaurants"
    """Meals at restaurants that exist."""

    VISITS = "visits"
    SIGHTS = "sights"
    """Visits to sights that exist."""

    TRANSFERS = "transfers"
    COSTS = "costs"


@dataclass(frozen=True, slots=True)
class Event:
    """An activity at its place in time."""

    activity: Activity
    day: int
    """Position of the day it is listed under, from 1."""

    start: datetime | None
    end: datetime | None
    """None where the line has no readable time."""

    @property
    def label(self) -> str:
        """The line as findings name it."""
        return self.activity.label

    @property
    def minutes(self) -> int | None:
        """How long it takes."""
        return (self.end - self.start) // MINUTE if self.start and self.end else None


@dataclass(frozen=True, slots=True)
class Spot:
    """Where something is, as far as it is known: by name always, on the map if the sandbox has it."""

    name: str
    coordinates: Coordinates | None

    def is_same_as(self, other: "Spot") -> bool:
        """Whether a traveler at one is at the other."""
        if folded(self.name) == folded(other.name):
            return True
        if self.coordinates is None or other.coordinates is None:
            return False
        return distance_km(self.coordinates, other.coordinates) <= SAME_PLACE_KM


@dataclass(frozen=True, slots=True)
class VisitEvent(Event):
    """A stay at an attraction, joined to the sandbox's record of it."""

    activity: Visit
    attraction: Attraction | None
    paid_before: bool
    """Whether the same attraction was paid for earlier on the same day, so that coming back costs nothing."""

    exposure: Exposure = Exposure.UNKNOWN

    @property
    def true_price(self) -> Decimal | None:
        """Per person by the sandbox; as stated where it knows none."""
        return _known(self.attraction.price if self.attraction else None, self.activity.price)

    @property
    def city(self) -> str | None:
        """Where it stands."""
        return self.attraction.city if self.attraction else None


@dataclass(frozen=True, slots=True)
class MealEvent(Event):
    """A sitting, joined to the restaurant's record."""

    activity: Meal
    restaurant: Restaurant | None

    @property
    def true_price(self) -> Decimal | None:
        """Per person by the sandbox; as stated where it knows none."""
        return _known(self.restaurant.price if self.restaurant else None, self.activity.price)

    @property
    def city(self) -> str | None:
        """Where it stands."""
        return self.restaurant.city if self.restaurant else None

    @property
    def is_lunch(self) -> bool:
        """By what it is called, else by when it starts."""
        return self._is("lunch", ("breakfast", "dinner", "supper"), LUNCH_STARTS)

    @property
    def is_dinner(self) -> bool:
        """By what it is called, else by when it starts."""
        return "supper" in self.activity.meal.lower() or self._is("dinner", ("breakfast", "lunch"), DINNER_STARTS)

    def _is(self, name: str, others: Sequence[str], starts: tuple[time, time]) -> bool:
        called = self.activity.meal.lower()
        if name in called:
            return True
        if any(other in called for other in others) or self.start is None:
            return False
        return starts[0] <= self.start.time() <= starts[1]


@dataclass(frozen=True, slots=True)
class HotelEvent(Event):
    """Time at a hotel, joined to its record; a line that says "the hotel" means the one of the day."""

    activity: HotelStop
    name: str
    hotel: Hotel | None

    @property
    def city(self) -> str | None:
        """Where it stands."""
        return self.hotel.city if self.hotel else None


@dataclass(frozen=True, slots=True)
class LegEvent(Event):
    """A flight or train, joined to every service of its number."""

    activity: IntercityLeg
    date: date
    """The day it departs by the plan."""

    runs: tuple[Service, ...]
    """All services of that number on any date."""

    service: Service | None
    """The one the plan describes: that date, those times, those stations, that seat if it names one."""

    origin: Spot
    destination: Spot
    origin_city: str
    destination_city: str
    """Cities, or the stop's own name where connections only change; "" where nothing is known."""

    leaves: datetime
    arrives: datetime
    """By the plan; where its time cannot be read by the timetable, else when the line before ends."""

    @property
    def runs_that_day(self) -> tuple[Service, ...]:
        """The services of its number on its date."""
        return tuple(run for run in self.runs if run.date == self.date)

    @property
    def kind(self) -> str:
        """ "flight" or "train" by the sandbox, else as the plan says, else ""."""
        return self.runs[0].kind if self.runs else self.activity.mode


@dataclass(frozen=True, slots=True)
class Ticket:
    """Legs under one fare: a direct service, or a connection sold as one journey."""

    legs: tuple[LegEvent, ...]
    journey: Journey | None
    """What the sandbox sells; None if it sells no such thing that day."""

    fare: Decimal | None
    """Yuan per person as the plan states it; None if it states none for any leg."""

    @property
    def true_fare(self) -> Decimal | None:
        """Per person by the sandbox; as stated where it knows none."""
        return _known(self.journey.fare if self.journey else None, self.fare)


@dataclass(frozen=True, slots=True)
class Passage:
    """The way from one place of stay to the next: one flight or train, or several with changes."""

    legs: tuple[LegEvent, ...]
    outbound: bool
    """Whether it leads away from home."""

    inbound: bool
    """Whether it leads back home."""

    @property
    def departure(self) -> datetime:
        """Of the first leg."""
        return self.legs[0].leaves

    @property
    def arrival(self) -> datetime:
        """Of the last leg."""
        return self.legs[-1].arrives

    @property
    def changes(self) -> int:
        """How often the traveler changes."""
        return len(self.legs) - 1

    @property
    def label(self) -> str:
        """The lines as findings name them."""
        return " + ".join(leg.label for leg in self.legs)

    @property
    def day(self) -> int:
        """The day it begins on."""
        return self.legs[0].day


@dataclass(frozen=True, slots=True)
class TransferEvent(Event):
    """A ride or walk in the city, with both ends on the map where they are known."""

    activity: LocalTransfer
    origin: Spot
    destination: Spot


E = TypeVar("E", bound=Event)

Located = VisitEvent | MealEvent | HotelEvent
"""Events that stand at one place."""

Anchor = VisitEvent | MealEvent | HotelEvent | LegEvent
"""Events between which a traveler has to move."""


@dataclass(frozen=True, slots=True)
class Move:
    """From one anchor to the next, with what the plan puts between."""

    earlier: Anchor
    later: Anchor
    origin: Spot
    destination: Spot
    transfers: tuple[TransferEvent, ...]
    buffer_minutes: int
    needed_minutes: int | None
    """What the sandbox says the way takes; None if it cannot tell."""

    transfer_ways: tuple[Ride | None, ...]
    """The sandbox's way for each transfer."""

    @property
    def lost_after(self) -> bool:
        """Whether it starts at a place that does not exist."""
        return not _exists(self.earlier, self.origin)

    @property
    def lost_before(self) -> bool:
        """Whether it leads to a place that does not exist."""
        return not _exists(self.later, self.destination)

    @property
    def available_minutes(self) -> int:
        """The time between both, less what is kept free for something else."""
        assert self.earlier.end is not None
        assert self.later.start is not None
        return (self.later.start - self.earlier.end) // MINUTE - self.buffer_minutes


@dataclass(frozen=True, slots=True)
class Boarding:
    """One side of a flight or train, with the time kept free there."""

    leg: LegEvent
    when: str
    """"before", "after", "for the change after"."""

    minutes: int
    needed: int


@dataclass(frozen=True, slots=True)
class Night:
    """The night after a day of the plan."""

    day: int
    city: str
    """Where the traveler is at three in the morning; "" if under way."""

    needs_bed: bool
    """Neither under way nor at home."""

    reachable: bool
    """Whether the plan brings the traveler anywhere at all."""

    lodging: Lodging | None
    hotel: Hotel | None
    last: Event | None
    """The last thing of the day; getting to the hotel before dawn still belongs to it."""

    has_stop: bool
    """Whether the day has time at a hotel."""

    wakes_in: str
    """The city the next day is headed with; "" if it is headed with none."""

    @property
    def true_price(self) -> Decimal | None:
        """Per room by the sandbox; as stated where it knows none."""
        stated = self.lodging.price if self.lodging else None
        return _known(self.hotel.price if self.hotel else None, stated)


@dataclass(frozen=True, slots=True)
class CalendarDay:
    """A date of the trip beside what the plan has for it."""

    position: int
    date: date
    day: Day | None
    """None if the plan ends before."""

    superfluous: bool
    """Whether the trip is over by then."""

    idle: bool
    """Whether nothing but a hotel or free time is on it."""

    rest_is_due: bool
    """Whether the task asks for rest on it."""


@dataclass(frozen=True, slots=True)
class TracedDay:
    """A day with everything on it, and how much of it is spent away from home."""

    position: int
    date: date
    day: Day
    events: tuple[Event, ...]
    starts_in: str
    ends_in: str
    """Cities at midnight before and after; the arrival's city for who is under way; "" if unknown."""

    passes: tuple[str, ...]
    """Every city of the day, in order."""

    away: bool
    """Whether any of it is spent away from home."""

    arrives: time | None
    """When the traveler gets to a city away from home, if it is on this day."""

    leaves: time | None
    """When he leaves such a city, if it is on this day."""

    @property
    def meals(self) -> tuple[MealEvent, ...]:
        """The meals that lie between arriving and leaving."""
        return tuple(event for event in self.events if isinstance(event, MealEvent) and self._holds(event))

    @property
    def visits(self) -> tuple[VisitEvent, ...]:
        """The visits that lie between arriving and leaving."""
        return tuple(event for event in self.events if isinstance(event, VisitEvent) and self._holds(event))

    def _holds(self, event: Event) -> bool:
        if event.start is None:
            return True
        start = event.start.time() if event.start.date() == self.date else time.max
        return (self.arrives is None or start >= self.arrives) and (self.leaves is None or start < self.leaves)

    @property
    def sightseeing(self) -> timedelta:
        """Time at sights, with the ways to and from them."""
        names = {folded(visit.activity.attraction) for visit in self.visits}
        ways = (
            event
            for event in self.events
            if isinstance(event, TransferEvent)
            and not names.isdisjoint({folded(event.activity.origin), folded(event.activity.destination)})
        )
        return sum(
            (event.end - event.start for event in (*self.visits, *ways) if event.start and event.end), timedelta()
        )

    @property
    def sights(self) -> int:
        """How many different sights are visited; coming back to one is no second."""
        return len(
            {folded(visit.attraction.name if visit.attraction else visit.activity.attraction) for visit in self.visits}
        )

    @property
    def lunch_is_due(self) -> bool:
        """Whether the day has room for lunch. (Trip+ Table 11: essential meal coverage)"""
        early = self.arrives is None or self.arrives < EARLY_ARRIVAL
        return self.away and early and (self.leaves is None or self.leaves >= AFTERNOON_LEAVE)

    @property
    def dinner_is_due(self) -> bool:
        """Whether the day has room for dinner."""
        return self.away and self.leaves is None and (self.arrives is None or self.arrives <= LATE_ARRIVAL)

    @property
    def lunch_fits(self) -> bool:
        """Whether lunch is possible at all."""
        on_time = self.arrives is None or self.arrives <= LATE_ARRIVAL
        return on_time and (self.leaves is None or self.leaves >= EARLY_LEAVE)

    @property
    def dinner_fits(self) -> bool:
        """Whether dinner is possible at all."""
        return self.leaves is None or self.leaves >= AFTERNOON_LEAVE

    @property
    def visit_is_due(self) -> bool:
        """Whether the day has room for a sight."""
        early = self.arrives is None or self.arrives < NOON
        return self.away and early and (self.leaves is None or self.leaves > SIGHT_LEAVE)

    @property
    def is_full(self) -> bool:
        """Whether the whole day is spent away from home."""
        return self.away and self.arrives is None and self.leaves is None


@dataclass(frozen=True, slots=True)
class Cost:
    """What the plan costs by its own prices, in yuan for the whole party."""

    transportation: Decimal
    accommodation: Decimal
    meals: Decimal
    attractions: Decimal

    @property
    def total(self) -> Decimal:
        """All of it."""
        return self.transportation + self.accommodation + self.meals + self.attractions


@dataclass(frozen=True)
class ExecutionTrace:
    """A plan as it would happen."""

    itinerary: Itinerary
    frame: TripFrame
    sandbox: Sandbox
    events: tuple[Event, ...]
    """In the order of the plan."""

    rest_days: frozenset[int] = frozenset()
    """Days on which the task asks for rest."""

    expected_weather: frozenset[ExpectedWeather] = frozenset()
    """Weather that the task tells of."""

    # --- What there is ------------------------------------------------------------------------------------------

    def has(self, content: Content) -> bool:
        """Whether the plan has any of it."""
        return self._present[content]

    @cached_property
    def _present(self) -> dict[Content, bool]:
        kinds = {type(event) for event in self.events}
        # An empty day is no day of the trip, so the hotel it is headed with is no night of it.
        lodged = any(day.activities and day.lodging and day.lodging.hotel for day in self.itinerary.days)
        program = [event for event in self.events if isinstance(event, Anchor)]
        return {
            Content.DAYS: any(not day.idle for day in self.calendar if day.day is not None),
            Content.PROGRAM: bool(program),
            Content.TIMES: any(event.start for event in program),
            Content.TRAVEL: LegEvent in kinds,
            Content.NIGHTS: lodged or HotelEvent in kinds,
            Content.MEALS: MealEvent in kinds,
            Content.RESTAURANTS: any(meal.restaurant for meal in self.meals),
            Content.VISITS: VisitEvent in kinds,
            Content.SIGHTS: any(visit.attraction for visit in self.visits),
            Content.TRANSFERS: TransferEvent in kinds,
            Content.COSTS: lodged or not kinds.isdisjoint({LegEvent, VisitEvent, MealEvent, TransferEvent}),
        }

    def absent(self, content: Content) -> tuple[Finding, ...]:
        """What was due of a kind the plan has nothing of; empty if nothing was."""
        frame = self.frame
        away = " and ".join(frame.destinations)
        match content:
            case Content.DAYS:
                due, reason = True, "no day of the plan holds anything to do"
            case Content.PROGRAM:
                due, reason = True, "the plan holds no travel, visit, meal or hotel"
            case Content.TIMES:
                due, reason = True, "the plan holds no travel, visit, meal or hotel with a time"
            case Content.TRAVEL:
                due, reason = True, f"the plan never travels from {frame.origin} to {away} and back"
            case Content.NIGHTS:
                beds = sum(night.needs_bed for night in self.nights)
                due, reason = beds > 0, f"no time at any hotel, with {beds} night{'s' * (beds != 1)} to sleep"
            case Content.RESTAURANTS if self.meals:
                due, reason = True, "no restaurant of the plan exists"
            case Content.MEALS | Content.RESTAURANTS:
                meals = sum(day.lunch_is_due + day.dinner_is_due for day in self.days)
                due, reason = meals > 0, f"no meal, where {meals} {'are' if meals != 1 else 'is'} due"
            case Content.SIGHTS if self.visits:
                due, reason = True, "no sight of the plan exists"
            case Content.VISITS | Content.SIGHTS:
                days = sum(day.visit_is_due for day in self.days)
                due, reason = days > 0, f"no sight, with room for one on {days} day{'s' * (days != 1)}"
            case Content.TRANSFERS:
                moves = sum(not move.origin.is_same_as(move.destination) for move in self.moves)
                due, reason = moves > 0, f"{moves} change{'s' * (moves != 1)} of place without a ride or walk"
            case Content.COSTS:
                due, reason = True, "nothing in the plan has a price"
        return (Finding(reason),) if due else ()

    def of_kind(self, kind: type[E]) -> tuple[E, ...]:
        """The events of one kind, in the order of the plan."""
        return tuple(event for event in self.events if isinstance(event, kind))

    @cached_property
    def visits(self) -> tuple[VisitEvent, ...]:
        """All stays at attractions."""
        return self.of_kind(VisitEvent)

    @cached_property
    def meals(self) -> tuple[MealEvent, ...]:
        """All sittings."""
        return self.of_kind(MealEvent)

    @cached_property
    def legs(self) -> tuple[LegEvent, ...]:
        """All flights and trains."""
        return self.of_kind(LegEvent)

    @cached_property
    def transfers(self) -> tuple[TransferEvent, ...]:
        """All rides and walks in a city."""
        return self.of_kind(TransferEvent)

    @cached_property
    def hotel_stops(self) -> tuple[HotelEvent, ...]:
        """All times at a hotel."""
        return self.of_kind(HotelEvent)

    # --- Where the traveler is ----------------------------------------------------------------------------------

    @cached_property
    def _timed_legs(self) -> tuple[LegEvent, ...]:
        timed = [leg for leg in self.legs if leg.start is not None]
        return tuple(sorted(timed, key=lambda leg: leg.start or datetime.min))

    @cached_property
    def _rides(self) -> tuple[LegEvent, ...]:
        """The legs in the order they are taken, also those whose times cannot be read."""
        return tuple(sorted(self.legs, key=lambda leg: leg.leaves))

    def city_at(self, moment: datetime) -> str:
        """The city at that moment; "" if under way between two."""
        city = self.frame.origin
        for leg in self._rides:
            if leg.leaves > moment:
                break
            city = leg.destination_city if leg.arrives <= moment else ""
        return city

    def _city_reached_by(self, moment: datetime) -> str:
        """The city at that moment, or the one the leg under way leads to."""
        city = self.frame.origin
        for leg in self._rides:
            if leg.leaves >= moment:
                break
            city = leg.destination_city
        return city

    def city_before(self, leg: LegEvent) -> str:
        """The city the traveler has got to by the time a leg departs; "" where a connection only changes."""
        return "" if self._is_change(leg) else self._city_reached_by(leg.leaves)

    def city_of(self, event: Event) -> str:
        """The city a visit, meal or hotel stands in; "" if unknown."""
        return (event.city or "") if isinstance(event, VisitEvent | MealEvent | HotelEvent) else ""

    def whereabouts(self) -> "Iterator[tuple[ExecutionTrace, Event | TracedDay]]":
        """Everything that is in some city: the days by their headings, journeys, visits, meals, hotels."""
        yield from ((self, day) for day in self.listed_days)
        yield from (
            (self, event) for event in self.events if isinstance(event, LegEvent | VisitEvent | MealEvent | HotelEvent)
        )

    def is_home(self, city: str) -> bool:
        """Whether that is where the trip starts and ends."""
        return same_city(city, self.frame.origin)

    @cached_property
    def nights(self) -> tuple[Night, ...]:
        """The nights between the days of the trip, with the bed the plan has for each."""
        return tuple(self._night(position) for position in range(1, self.frame.days))

    def nights_and_last_day(self) -> Iterator[Night]:
        """The nights, and the one after the last day, which needs no bed."""
        yield from self.nights
        if self._listed(self.frame.days):
            yield replace(self._night(self.frame.days), needs_bed=False, city=self.frame.origin)

    def nights_in_bed(self) -> Iterator[Night]:
        """The nights that need a hotel."""
        return (night for night in self.nights if night.needs_bed)

    def hotels_named(self) -> "Iterator[Night | HotelEvent]":
        """Each night with a hotel, and each time spent at another one."""
        booked = [night for night in self.nights_and_last_day() if night.lodging]
        yield from booked
        names = {folded(night.lodging.hotel) for night in booked if night.lodging}
        yield from (stop for stop in self.hotel_stops if folded(stop.name) not in names)

    def _night(self, position: int) -> Night:
        morning = self.frame.date_of(position + 1)
        city = self.city_at(datetime.combine(morning, DEEPEST_NIGHT))
        day = self._listed(position)
        following = self._listed(position + 1)
        lodging = day.lodging if day and day.lodging and day.lodging.hotel else None
        events = self._evening(position, datetime.combine(morning, DAWN))
        return Night(
            day=position,
            city=city,
            needs_bed=not self.legs or (city != "" and not self.is_home(city)),
            reachable=bool(self.legs),
            lodging=lodging,
            hotel=self._hotel_of(day, lodging.hotel) if day and lodging else None,
            last=events[-1] if events else None,
            has_stop=any(isinstance(event, HotelEvent) for event in events),
            wakes_in=following.city.origin if following and following.city else "",
        )

    def _listed(self, position: int) -> Day | None:
        """The day the plan lists at that position; None if it has none."""
        day = self._placed[position - 1] if 1 <= position <= len(self._placed) else None
        return None if day is MISSING_DAY else day

    def _evening(self, position: int, dawn: datetime) -> Sequence[Event]:
        """What a day lists, and what the next one lists before dawn up to getting to the hotel, if it does.

        Time kept free at the end is left out, since it is spent wherever the traveler is, and so is what fits no kind.
        """
        listed = self._by_day.get(position, ())
        while listed and isinstance(listed[-1].activity, Buffer | Misfit):
            listed = listed[:-1]
        if listed and isinstance(listed[-1], HotelEvent):
            return listed
        small_hours: list[Event] = []
        for event in self._by_day.get(position + 1, ()):
            if event.start is None or event.start >= dawn:
                break
            small_hours.append(event)
            if isinstance(event, HotelEvent):
                return (*listed, *small_hours)
        return listed

    def _hotel_of(self, day: Day, name: str) -> Hotel | None:
        """The hotel of that name, in the city the day is headed if there is one."""
        there = self.sandbox.hotel(name, day.city.destination) if day.city else None
        return there or self.sandbox.hotel(name)

    @cached_property
    def _by_day(self) -> Mapping[int, tuple[Event, ...]]:
        days: dict[int, list[Event]] = {}
        for event in self.events:
            days.setdefault(event.day, []).append(event)
        return {position: tuple(events) for position, events in days.items()}

    @cached_property
    def days(self) -> tuple[TracedDay, ...]:
        """The days of the trip, and those of the plan beyond, with where they are spent."""
        return tuple(self._traced_day(position, day) for position, day in enumerate(self._placed, 1))

    @cached_property
    def _placed(self) -> tuple[Day, ...]:
        return in_place(self.itinerary.days, self.frame.days)

    @cached_property
    def listed_days(self) -> tuple[TracedDay, ...]:
        """The days that the plan does not leave out."""
        return tuple(day for day in self.days if day.day is not MISSING_DAY)

    def _traced_day(self, position: int, day: Day) -> TracedDay:
        date_ = self.frame.date_of(position)
        begins = datetime.combine(date_, time())
        ends = begins + timedelta(days=1)
        legs = [leg for leg in self._rides if leg.arrives >= begins and leg.leaves < ends]
        starts_in, ends_in = self._city_reached_by(begins), self._city_reached_by(ends)
        arrives = [leg.arrives for leg in legs if leg.arrives < ends and self._leads_away(leg)]
        leaves = [leg.leaves for leg in legs if leg.leaves >= begins and self._leads_off(leg)]
        passes = [starts_in, *(leg.destination_city for leg in legs if leg.arrives < ends), ends_in]
        return TracedDay(
            position=position,
            date=date_,
            day=day,
            events=self._by_day.get(position, ()),
            starts_in=starts_in,
            ends_in=ends_in,
            passes=tuple(passes),
            away=not self.legs or any(city and not self.is_home(city) for city in self._cities_on(date_, passes)),
            arrives=arrives[-1].time() if arrives else None,
            leaves=leaves[0].time() if leaves else None,
        )

    def _cities_on(self, date_: date, passes: Sequence[str]) -> Sequence[str]:
        """The cities of a day without those only left behind or reached by a ride that lasts into the next day."""
        ends = datetime.combine(date_, time()) + timedelta(days=1)
        under_way = self.city_at(ends) == ""
        return passes[:-1] if under_way and len(passes) > 1 else passes

    def _leads_off(self, leg: LegEvent) -> bool:
        return not self.is_home(leg.origin_city) and not self._is_change(leg)

    def _leads_away(self, leg: LegEvent) -> bool:
        return not self.is_home(leg.destination_city) and not self._is_followed(leg)

    def _is_followed(self, leg: LegEvent) -> bool:
        """Whether a connection goes on after it."""
        return any(leg is part for ticket in self.tickets for part in ticket.legs[:-1])

    def _is_change(self, leg: LegEvent) -> bool:
        """Whether it goes on with a connection begun before."""
        return any(leg is part for ticket in self.tickets for part in ticket.legs[1:])

    @cached_property
    def calendar(self) -> tuple[CalendarDay, ...]:
        """The dates of the trip and any day of the plan beyond."""
        return tuple(
            CalendarDay(
                position=position,
                date=self.frame.date_of(position),
                day=self._listed(position),
                superfluous=position > self.frame.days,
                idle=not self._is_filled(position),
                rest_is_due=position in self.rest_days,
            )
            for position in range(1, len(self._placed) + 1)
        )

    def _is_filled(self, position: int) -> bool:
        events = self._by_day.get(position, ())
        if any(isinstance(event, VisitEvent | MealEvent | LegEvent) for event in events):
            return True
        begins = datetime.combine(self.frame.date_of(position), time())
        ends = begins + timedelta(days=1)
        return any(leg.leaves < ends and leg.arrives > begins for leg in self._rides)

    # --- What follows on what -----------------------------------------------------------------------------------

    @cached_property
    def consecutive(self) -> tuple[tuple[Event, Event], ...]:
        """Each event with the next one that has a readable time, in the order of the plan and across midnight."""
        timed = [event for event in self.events if event.start is not None]
        return tuple(pairwise(timed))

    @cached_property
    def passages(self) -> tuple[Passage, ...]:
        """The ways between places of stay, in time. Who goes on within a day from where he does not stay, changes."""
        groups: list[list[LegEvent]] = []
        for leg in (ride for ride in self._rides if ride.start is not None or ride.service is not None):
            if groups and (self._is_change(leg) or self._goes_on(groups[-1][-1], leg)):
                groups[-1].append(leg)
            else:
                groups.append([leg])
        return tuple(
            Passage(tuple(legs), self.is_home(legs[0].origin_city), self.is_home(legs[-1].destination_city))
            for legs in groups
        )

    def _goes_on(self, earlier: LegEvent, later: LegEvent) -> bool:
        stays = (self.frame.origin, *self.frame.destinations)
        if any(same_city(earlier.destination_city, at) for at in stays):
            return False
        return timedelta() <= later.leaves - earlier.arrives < LONGEST_CHANGE

    @cached_property
    def stays(self) -> tuple[HotelEvent, ...]:
        """The times at a hotel before the day ends there."""
        ends = [events[-1] for events in self._timed_by_day.values()]
        return tuple(stop for stop in self.hotel_stops if all(stop is not end for end in ends))

    @cached_property
    def pauses(self) -> tuple[Event, ...]:
        """The times kept free that are not kept for a flight or train."""
        beside_legs: set[int] = set()
        for places in (range(len(self.events)), reversed(range(len(self.events)))):
            waiting = False
            for place in places:
                event = self.events[place]
                waiting = isinstance(event, LegEvent) or (waiting and isinstance(event.activity, Buffer))
                if waiting:
                    beside_legs.add(place)
        return tuple(
            event
            for place, event in enumerate(self.events)
            if isinstance(event.activity, Buffer) and place not in beside_legs
        )

    def is_rest(self, event: Event) -> bool:
        """Whether it is time at a hotel or a pause."""
        return isinstance(event, HotelEvent) or any(event is pause for pause in self.pauses)

    @cached_property
    def _timed_by_day(self) -> Mapping[int, tuple[Event, ...]]:
        days = {day: tuple(e for e in events if e.start is not None) for day, events in self._by_day.items()}
        return {day: events for day, events in days.items() if events}

    def day(self, position: int) -> TracedDay | None:
        """The day at that position, from 1; None if the plan has no such day."""
        return self.days[position - 1] if 1 <= position <= len(self.days) else None

    def midnight_of(self, position: int) -> datetime:
        """When the day at that position begins."""
        return datetime.combine(self.frame.date_of(position), time())

    def weather_on(self, day: TracedDay) -> Weather | None:
        """What the tables know of the weather where that day is spent."""
        city = day.ends_in if day.ends_in and not self.is_home(day.ends_in) else self.frame.destinations[0]
        return self.sandbox.weather(city, day.date)

    @cached_property
    def timed_visits(self) -> tuple[VisitEvent, ...]:
        """The visits to sights that exist, with a readable time."""
        return tuple(visit for visit in self.visits if visit.start is not None and visit.attraction)

    @cached_property
    def timed_meals(self) -> tuple[MealEvent, ...]:
        """The meals at restaurants that exist, with a readable time."""
        return tuple(meal for meal in self.meals if meal.start is not None and meal.restaurant)

    @cached_property
    def boardings(self) -> tuple[Boarding, ...]:
        """Before and after each ticket, and each change within one."""
        boardings: list[Boarding] = []
        for ticket in self.tickets:
            first, last = ticket.legs[0], ticket.legs[-1]
            if first.start is not None:
                boardings.append(Boarding(first, "before", self._kept_free(first, -1), _before(first)))
            for leg, following in pairwise(ticket.legs):
                if leg.end is not None and following.start is not None:
                    wait = (following.start - leg.end) // MINUTE
                    boardings.append(Boarding(leg, "for the change after", wait, _after(leg)))
            if last.end is not None:
                boardings.append(Boarding(last, "after", self._kept_free(last, 1), _after(last)))
        return tuple(boardings)

    def _kept_free(self, leg: LegEvent, step: int) -> int:
        """The minutes of the unbroken run of buffers beside a leg, none of it far from the leg."""
        place = next(number for number, event in enumerate(self.events) if event is leg) + step
        minutes = 0
        beside: Event = leg
        while 0 <= place < len(self.events) and isinstance(self.events[place].activity, Buffer):
            event = self.events[place]
            earlier, later = (event, beside) if step < 0 else (beside, event)
            if earlier.end is None or later.start is None or later.start - earlier.end > LONGEST_BREAK:
                break
            minutes += event.minutes or 0
            beside, place = event, place + step
        return minutes

    @cached_property
    def moves(self) -> tuple[Move, ...]:
        """Every change from one anchor to the next, in time, across midnight too."""
        moves: list[Move] = []
        earlier: Anchor | None = None
        between: list[Event] = []
        for event in self.events:
            if event.start is None:
                continue
            if not isinstance(event, VisitEvent | MealEvent | HotelEvent | LegEvent):
                between.append(event)
                continue
            if earlier is not None:
                moves.append(self._move(earlier, event, between))
            earlier, between = event, []
        return tuple(moves)

    def _move(self, earlier: Anchor, later: Anchor, between: Sequence[Event]) -> Move:
        transfers = tuple(event for event in between if isinstance(event, TransferEvent))
        origin, destination = self.leaving_spot(earlier), self.arriving_spot(later)
        return Move(
            earlier=earlier,
            later=later,
            origin=origin,
            destination=destination,
            transfers=transfers,
            buffer_minutes=sum(event.minutes or 0 for event in between if isinstance(event.activity, Buffer)),
            needed_minutes=self._minutes(origin, destination),
            transfer_ways=tuple(self.sandbox.ride(event.origin, event.destination) for event in transfers),
        )

    def _minutes(self, origin: Spot, destination: Spot) -> int | None:
        return None if origin.is_same_as(destination) else self.sandbox.travel_minutes(origin, destination)

    def leaving_spot(self, anchor: Anchor) -> Spot:
        """Where the traveler stands after it."""
        return anchor.destination if isinstance(anchor, LegEvent) else self.arriving_spot(anchor)

    def arriving_spot(self, anchor: Anchor) -> Spot:
        """Where he has to be for it."""
        match anchor:
            case LegEvent():
                return anchor.origin
            case VisitEvent():
                record: Attraction | Restaurant | Hotel | None = anchor.attraction
                name = anchor.activity.attraction
            case MealEvent():
                record, name = anchor.restaurant, anchor.activity.restaurant
            case HotelEvent():
                record, name = anchor.hotel, anchor.name
        found = record or self.sandbox.place(name)
        return Spot(found.name if found else name, found.coordinates if found else None)

    # --- What it costs ------------------------------------------------------------------------------------------

    @cached_property
    def tickets(self) -> tuple[Ticket, ...]:
        """The legs by what is sold as one: the table says which legs belong to one fare."""
        tickets: list[Ticket] = []
        legs = list(self._timed_legs) + [leg for leg in self.legs if leg.start is None]
        while legs:
            journey = self._journey(legs)
            count = len(journey.legs) if journey else 1
            part, legs = tuple(legs[:count]), legs[count:]
            tickets.append(Ticket(part, journey, _fare(part, journey)))
        return tuple(tickets)

    def _journey(self, legs: Sequence[LegEvent]) -> Journey | None:
        """The longest journey sold that the next legs make up."""
        if legs[0].service is None:
            return None
        fitting = [
            journey
            for journey in self.sandbox.journeys_with(legs[0].activity.number, legs[0].date)
            if len(journey.legs) <= len(legs)
            and all(leg.service == sold for leg, sold in zip(legs, journey.legs, strict=False))
        ]
        return max(fitting, key=lambda journey: len(journey.legs), default=None)

    @cached_property
    def cost(self) -> Cost:
        """By the prices the plan states, and the sandbox's where it states none; whether they are true is not asked."""
        return self.cost_for(self.frame.people, self.frame.rooms)

    def cost_for(self, people: int, rooms: int) -> Cost:
        """What the plan costs so many people in so many rooms, by the prices it states."""
        return self._cost(
            people,
            rooms,
            fares=[_known(ticket.fare, ticket.true_fare) for ticket in self.tickets],
            beds=[_known(night.lodging.price, night.true_price) for night in self.nights if night.lodging],
            meals=[_known(meal.activity.price, meal.true_price) for meal in self.meals],
            tickets=[
                _known(visit.activity.price, None if visit.paid_before else visit.true_price) for visit in self.visits
            ],
        )

    @cached_property
    def true_cost(self) -> Cost:
        """By the sandbox's prices, and by the stated ones where it knows none."""
        return self._cost(
            self.frame.people,
            self.frame.rooms,
            fares=[ticket.true_fare for ticket in self.tickets],
            beds=[night.true_price for night in self.nights if night.lodging],
            meals=[meal.true_price for meal in self.meals],
            tickets=[visit.true_price for visit in self.visits if not visit.paid_before],
        )

    def _cost(
        self,
        people: int,
        rooms: int,
        fares: Sequence[Decimal | None],
        beds: Sequence[Decimal | None],
        meals: Sequence[Decimal | None],
        tickets: Sequence[Decimal | None],
    ) -> Cost:
        local = sum((local_cost(event.activity, people) for event in self.transfers), Decimal())
        return Cost(
            transportation=_sum(fares) * people + local,
            accommodation=_sum(beds) * rooms,
            meals=_sum(meals) * people,
            attractions=_sum(tickets) * people,
        )


def _exists(anchor: Anchor, spot: Spot) -> bool:
    if isinstance(anchor, LegEvent) or spot.coordinates is not None:
        return True
    match anchor:
        case VisitEvent():
            return anchor.attraction is not None
        case MealEvent():
            return anchor.restaurant is not None
        case HotelEvent():
            return anchor.hotel is not None


def _known(price: Decimal | None, otherwise: Decimal | None) -> Decimal | None:
    return otherwise if price is None else price


def _sum(prices: Sequence[Decimal | None]) -> Decimal:
    return sum((price for price in prices if price is not None), Decimal())


LONGEST_BREAK = timedelta(hours=1)
"""What is kept free longer than this before a departure, and anything then, is not kept free for it."""

BUFFER_BEFORE = {"flight": 90, "train": 30}
BUFFER_AFTER = {"flight": 30, "train": 15}
"""Minutes to keep free beside a flight or train. (Trip+ B.2)"""


def _before(leg: LegEvent) -> int:
    return BUFFER_BEFORE.get(leg.kind, BUFFER_BEFORE["train"])


def _after(leg: LegEvent) -> int:
    return BUFFER_AFTER.get(leg.kind, BUFFER_AFTER["train"])


TAXI_SEATS = 4
_PER_VEHICLE = ("taxi", "cab", "ride-hailing", "ride hailing", "car hire", "private car", "drive", "driving")


def local_cost(transfer: LocalTransfer, people: int) -> Decimal:
    """What a ride costs the whole party: a taxi by the vehicle, public transport by the head, a walk nothing."""
    price = transfer.price or Decimal()
    words = transfer.mode.lower()
    if any(word in words for word in _PER_VEHICLE) and "cable" not in words:
        return price * vehicles(people)
    return price if is_walk(transfer) else price * people


def is_walk(transfer: LocalTransfer) -> bool:
    """Whether it is on foot."""
    return any(word in transfer.mode.lower() for word in ("walk", "foot", "stroll"))


def is_seat(stated: str, sold: str) -> bool:
    """Whether both name one class: "Second Class" is "Second Class Seat", whatever is remarked behind it."""
    return any(_class(part) == _class(sold) for part in re.split(r"[,;，；(（]", stated))


def _class(seat: str) -> str:
    return folded(seat).removesuffix("seat").removesuffix("class")


def vehicles(people: int) -> int:
    """How many taxis a party needs."""
    return -(-people // TAXI_SEATS)


def _fare(legs: Sequence[LegEvent], journey: Journey | None) -> Decimal | None:
    """The fare per person as stated: the sum over the legs, or once where every leg shows that of the whole."""
    stated = [leg.activity.price for leg in legs if leg.activity.price is not None]
    if not stated:
        return None
    total = sum(stated, Decimal())
    if journey is not None and journey.fare is not None and len(set(stated)) == 1 < len(stated):
        return min(stated[0], total, key=lambda fare: abs(fare - (journey.fare or fare)))
    return total
