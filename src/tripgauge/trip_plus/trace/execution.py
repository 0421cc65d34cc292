"""An itinerary joined once to the sandbox records it names. (Trip+ 2.4: execution trace)

All that any check, score or simulated traveler looks at is here: what the plan says, what the sandbox knows of it, and
what follows from both -- where the traveler is at any moment, which nights need a bed, what is due on which day, what
it all costs. Instants are full dates with times, so that midnight and the length of a ride need no care later.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, time, timedelta
from enum import StrEnum
from functools import cached_property
from itertools import pairwise

from tripgauge.checks import Finding
from tripgauge.trip_plus.frame import ExpectedWeather, TripFrame
from tripgauge.trip_plus.itinerary import Buffer, Day, Itinerary, Misfit
from tripgauge.trip_plus.sandbox.names import folded
from tripgauge.trip_plus.sandbox.records import Hotel, Weather
from tripgauge.trip_plus.sandbox.store import LONGEST_CHANGE, Sandbox, same_city
from tripgauge.trip_plus.trace.costs import Cost, cost_of, known_price
from tripgauge.trip_plus.trace.days import (
    DAWN,
    DEEPEST_NIGHT,
    MISSING_DAY,
    CalendarDay,
    Night,
    Stay,
    TracedDay,
    in_place,
)
from tripgauge.trip_plus.trace.events import (
    Anchor,
    E,
    Event,
    HotelEvent,
    LegEvent,
    MealEvent,
    TransferEvent,
    VisitEvent,
)
from tripgauge.trip_plus.trace.journeys import Boarding, Passage, Ticket, boardings_of, tickets_of
from tripgauge.trip_plus.trace.moves import Move, moves_between


class Content(StrEnum):
    """The kinds of content a check can be about."""

    DAYS = "days"
    PROGRAM = "program"
    TIMES = "times"
    """A program with times that can be read, and not only of its hotels unless it has nothing else."""

    TRAVEL = "travel"
    TIMED_TRAVEL = "timed travel"
    """Flights and trains with times that can be read."""

    NIGHTS = "nights"
    MEALS = "meals"
    RESTAURANTS = "restaurants"
    """Meals at restaurants that exist."""

    TIMED_MEALS = "timed meals"
    """The same with times that can be read."""

    VISITS = "visits"
    SIGHTS = "sights"
    """Visits to sights that exist."""

    TIMED_SIGHTS = "timed sights"
    """The same with times that can be read."""

    TRANSFERS = "transfers"
    COSTS = "costs"


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
        outside = [event for event in program if not isinstance(event, HotelEvent)]
        return {
            Content.DAYS: any(not day.idle for day in self.calendar if day.day is not None),
            Content.PROGRAM: bool(program),
            Content.TIMES: any(event.start for event in outside or program),
            Content.TRAVEL: LegEvent in kinds,
            Content.TIMED_TRAVEL: bool(self._timed_legs),
            Content.NIGHTS: lodged or HotelEvent in kinds,
            Content.MEALS: MealEvent in kinds,
            Content.RESTAURANTS: any(meal.restaurant for meal in self.meals),
            Content.TIMED_MEALS: bool(self.timed_meals),
            Content.VISITS: VisitEvent in kinds,
            Content.SIGHTS: any(visit.attraction for visit in self.visits),
            Content.TIMED_SIGHTS: bool(self.timed_visits),
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
                due, reason = True, "the plan holds no travel, visit or meal with a time"
            case Content.TIMED_TRAVEL if self.legs:
                due, reason = True, "no flight or train of the plan has a time that can be read"
            case Content.TRAVEL | Content.TIMED_TRAVEL:
                due, reason = True, f"the plan never travels from {frame.origin} to {away} and back"
            case Content.NIGHTS:
                beds = sum(night.needs_bed for night in self.nights)
                due, reason = beds > 0, f"no time at any hotel, with {beds} night{'s' * (beds != 1)} to sleep"
            case Content.TIMED_MEALS if self.has(Content.RESTAURANTS):
                due, reason = True, "no meal of the plan has a time that can be read"
            case Content.RESTAURANTS | Content.TIMED_MEALS if self.meals:
                due, reason = True, "no restaurant of the plan exists"
            case Content.MEALS | Content.RESTAURANTS | Content.TIMED_MEALS:
                meals = sum(day.lunch_is_due + day.dinner_is_due for day in self.days)
                due, reason = meals > 0, f"no meal, where {meals} {'are' if meals != 1 else 'is'} due"
            case Content.TIMED_SIGHTS if self.has(Content.SIGHTS):
                due, reason = True, "no visit of the plan has a time that can be read"
            case Content.SIGHTS | Content.TIMED_SIGHTS if self.visits:
                due, reason = True, "no sight of the plan exists"
            case Content.VISITS | Content.SIGHTS | Content.TIMED_SIGHTS:
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

    @cached_property
    def _departures(self) -> Sequence[datetime]:
        return [leg.leaves for leg in self._rides]

    def city_at(self, moment: datetime) -> str:
        """The city at that moment; "" if under way between two."""
        begun = bisect_right(self._departures, moment)
        if not begun:
            return self.frame.origin
        last = self._rides[begun - 1]
        return last.destination_city if last.arrives <= moment else ""

    def _city_reached_by(self, moment: datetime) -> str:
        """The city at that moment, or the one the leg under way leads to."""
        begun = bisect_left(self._departures, moment)
        return self._rides[begun - 1].destination_city if begun else self.frame.origin

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
        deepest = datetime.combine(morning, DEEPEST_NIGHT)
        city = self.city_at(deepest)
        day = self._listed(position)
        following = self._listed(position + 1)
        lodging = day.lodging if day and day.lodging and day.lodging.hotel else None
        events = self._evening(position, datetime.combine(morning, DAWN))
        return Night(
            day=position,
            city=city,
            needs_bed=self.stay.begins <= deepest < self.stay.ends and not self._is_under_way(deepest),
            reachable=bool(self.legs),
            lodging=lodging,
            hotel=self._hotel_of(day, lodging.hotel) if day and lodging else None,
            last=events[-1] if events else None,
            has_stop=any(isinstance(event, HotelEvent) for event in events),
            wakes_in=following.city.origin if following and following.city else "",
        )

    @cached_property
    def stay(self) -> Stay:
        """From when to when beds, meals and sights are due: the dates of the task say so, not what the plan does.

        A journey out on the first day and one home on the last shorten it, if they run; going home in between does not.
        """
        begins, ends = self.midnight_of(1), self.midnight_of(len(self._placed) + 1)
        if self.passages:
            first, last = self.passages[0], self.passages[-1]
            leads_out = first.outbound and not first.inbound and first.is_timetabled
            if leads_out and first.true_departure < self.midnight_of(2):
                begins = first.true_arrival
            leads_home = last.inbound and not last.outbound and last.is_timetabled
            if leads_home and last.true_arrival >= self.midnight_of(self.frame.days):
                ends = last.true_departure
        return Stay(begins, ends)

    def _is_under_way(self, moment: datetime) -> bool:
        """Whether the traveler rides at that moment what really runs then."""
        runs = (leg.timetabled for leg in self.legs)
        return any(run.departure <= moment < run.arrival for run in runs if run)

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
        between = [way for way in self.passages if way.is_timetabled and not way.outbound and not way.inbound]
        came = [at for at in (self.stay.begins, *(way.true_arrival for way in between)) if begins < at < ends]
        left = [at for at in (self.stay.ends, *(way.true_departure for way in between)) if begins < at < ends]
        passes = [starts_in, *(leg.destination_city for leg in legs if leg.arrives < ends), ends_in]
        return TracedDay(
            position=position,
            date=date_,
            day=day,
            events=self._by_day.get(position, ()),
            starts_in=starts_in,
            ends_in=ends_in,
            left_behind=next((leg.origin_city for leg in legs if leg.leaves < begins < leg.arrives), ""),
            passes=tuple(passes),
            away=self.stay.begins < ends and begins < self.stay.ends,
            arrives=arrives[-1].time() if arrives else None,
            leaves=leaves[0].time() if leaves else None,
            due_from=max(came).time() if came else None,
            due_until=min(left).time() if left else None,
        )

    def _leads_off(self, leg: LegEvent) -> bool:
        return not self.is_home(leg.origin_city) and not self._is_change(leg)

    def _leads_away(self, leg: LegEvent) -> bool:
        return not self.is_home(leg.destination_city) and not self._is_followed(leg)

    @cached_property
    def _followed(self) -> frozenset[int]:
        return frozenset(id(part) for ticket in self.tickets for part in ticket.legs[:-1])

    @cached_property
    def _changes(self) -> frozenset[int]:
        return frozenset(id(part) for ticket in self.tickets for part in ticket.legs[1:])

    def _is_followed(self, leg: LegEvent) -> bool:
        """Whether a connection goes on after it."""
        return id(leg) in self._followed

    def _is_change(self, leg: LegEvent) -> bool:
        """Whether it goes on with a connection begun before."""
        return id(leg) in self._changes

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
        return boardings_of(self.tickets, self.events)

    @cached_property
    def moves(self) -> tuple[Move, ...]:
        """Every change from one anchor to the next, in time, across midnight too."""
        return moves_between(self.events, self.sandbox)

    # --- What it costs ------------------------------------------------------------------------------------------

    @cached_property
    def tickets(self) -> tuple[Ticket, ...]:
        """The legs by what is sold as one: the table says which legs belong to one fare."""
        untimed = (leg for leg in self.legs if leg.start is None)
        return tickets_of((*self._timed_legs, *untimed), self.sandbox)

    @cached_property
    def cost(self) -> Cost:
        """By the prices the plan states, and the sandbox's where it states none; whether they are true is not asked."""
        return self.cost_for(self.frame.people, self.frame.rooms)

    def cost_for(self, people: int, rooms: int) -> Cost:
        """What the plan costs so many people in so many rooms, by the prices it states."""
        return cost_of(
            people,
            rooms,
            fares=[known_price(ticket.fare, ticket.true_fare) for ticket in self.tickets],
            beds=[known_price(night.lodging.price, night.true_price) for night in self.nights if night.lodging],
            meals=[known_price(meal.activity.price, meal.true_price) for meal in self.meals],
            tickets=[
                known_price(visit.activity.price, None if visit.paid_before else visit.true_price)
                for visit in self.visits
            ],
            transfers=(event.activity for event in self.transfers),
        )

    @cached_property
    def true_cost(self) -> Cost:
        """By the sandbox's prices, and by the stated ones where it knows none."""
        return cost_of(
            self.frame.people,
            self.frame.rooms,
            fares=[ticket.true_fare for ticket in self.tickets],
            beds=[night.true_price for night in self.nights if night.lodging],
            meals=[meal.true_price for meal in self.meals],
            tickets=[visit.true_price for visit in self.visits if not visit.paid_before],
            transfers=(event.activity for event in self.transfers),
        )
