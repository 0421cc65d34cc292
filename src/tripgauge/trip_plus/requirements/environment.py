"""What a plan must do when weather, crowds, closures or delays strike. (Trip+ 2.3, Table 9; environment conditions)

Days count from 1, times of day are minutes after midnight.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from tripgauge.checks import Finding
from tripgauge.trip_plus.itinerary import Buffer, HotelStop, clock
from tripgauge.trip_plus.requirements.constraints.trip import overlap
from tripgauge.trip_plus.requirements.requirement import EnvironmentCondition, listed
from tripgauge.trip_plus.requirements.wanted import wanted_attractions
from tripgauge.trip_plus.sandbox.exposure import Exposure
from tripgauge.trip_plus.sandbox.words import Phrases
from tripgauge.trip_plus.trace.events import Event, HotelEvent, LegEvent, MealEvent, VisitEvent
from tripgauge.trip_plus.trace.execution import Content, ExecutionTrace

DELAY_MINUTES = 30
"""How late a disrupted flight or train is, in every published event."""

SOON_AFTER = 3
"""How many lines after arriving count as right after it; free time before the hotel takes none of them."""


def _events(trace: ExecutionTrace, day: int) -> tuple[Event, ...] | Finding:
    """What the plan has on a day, or that it has no such day."""
    found = trace.day(day)
    return found.events if found else Finding(f"the plan has no day {day}", day)


def _is_shelter(event: Event, trace: ExecutionTrace) -> bool:
    """Time at a hotel, at a meal, free, or at a sight under a roof."""
    if isinstance(event, VisitEvent):
        return event.exposure is Exposure.INDOORS
    return isinstance(event, MealEvent) or trace.is_rest(event)


def _window(start: int, end: int) -> str:
    return f"{clock(start)}-{clock(end)}"


@dataclass(frozen=True)
class LimitOutdoors(EnvironmentCondition):
    """In one part of a day the traveler is outdoors at sights for no longer than is bearable."""

    id = "limit_outdoor_in_window"
    about = Content.SIGHTS

    day: int
    start: int
    end: int
    minutes: int

    def sentence(self) -> str:
        """With day, window and limit."""
        return f"On day {self.day} no more than {self.minutes} minutes outdoors in {_window(self.start, self.end)}."

    def find(self, trace: ExecutionTrace) -> Iterator[Finding]:
        """More time outdoors than that."""
        events = _events(trace, self.day)
        if isinstance(events, Finding):
            yield events
            return
        outdoors = [e for e in events if isinstance(e, VisitEvent) and e.exposure is Exposure.OUTDOORS]
        spent = {visit.label: overlap(visit, trace, self.start, self.end) for visit in outdoors}
        total = sum(spent.values())
        if total > self.minutes:
            where = listed(label for label, minutes in spent.items() if minutes)
            reason = f"{total} minutes outdoors in {_window(self.start, self.end)}: {where}"
            yield Finding(reason, self.day, where, f"up to {self.minutes} min", f"{total} min")


@dataclass(frozen=True)
class ShelterOnDay(EnvironmentCondition):
    """On one day there is a sight under a roof, or time at a meal, at the hotel or free."""

    rules = {
        "has_indoor_or_buffer_on_day": "On that day there is a sight under a roof, a meal, the hotel or free time.",
        "first_day_buffer_for_local_practical": "On the first day there is time for the practical things of arriving.",
    }
    about = Content.PROGRAM

    kind: str
    day: int
    minutes: int

    @property
    def id(self) -> str:
        """Which of the kinds."""
        return self.kind

    def sentence(self) -> str:
        """With day and length."""
        return f"{self.rule.removesuffix('.')} (day {self.day}, {self.minutes} minutes)."

    def find(self, trace: ExecutionTrace) -> Iterator[Finding]:
        """That there is none."""
        events = _events(trace, self.day)
        if isinstance(events, Finding):
            yield events
        elif not any(_is_shelter(event, trace) and (event.minutes or 0) >= self.minutes for event in events):
            reason = f"no sight under a roof, meal, hotel or free time of {self.minutes} minutes"
            yield Finding(reason, self.day, expected=f"{self.minutes} min")


@dataclass(frozen=True)
class ShelterInWindow(EnvironmentCondition):
    """In one part of a day there is a sight under a roof, or time at a meal, at the hotel or free."""

    id = "has_indoor_or_buffer_in_window"
    about = Content.PROGRAM

    day: int
    start: int
    end: int
    minutes: int

    def sentence(self) -> str:
        """With day, window and length."""
        return (
            f"On day {self.day} {self.minutes} minutes of {_window(self.start, self.end)} are at a sight under a roof, "
            "at a meal, at the hotel or free."
        )

    def find(self, trace: ExecutionTrace) -> Iterator[Finding]:
        """That there is none."""
        events = _events(trace, self.day)
        if isinstance(events, Finding):
            yield events
            return
        longest = _longest((e for e in events if _is_shelter(e, trace)), trace, self.start, self.end)
        if longest < self.minutes:
            reason = f"no shelter of {self.minutes} minutes in {_window(self.start, self.end)}"
            yield Finding(reason, self.day, "", f"{self.minutes} min", f"{longest} min")


def _longest(events: Iterable[Event], trace: ExecutionTrace, start: int, end: int) -> int:
    return max((overlap(event, trace, start, end) for event in events), default=0)


@dataclass(frozen=True)
class RestInWindow(EnvironmentCondition):
    """In one part of a day there is a rest at the hotel or free time."""

    id = "has_hotel_or_rest_in_window"
    about = Content.PROGRAM

    day: int
    start: int
    end: int
    minutes: int

    def sentence(self) -> str:
        """With day, window and length."""
        where = "at the hotel or free"
        return f"On day {self.day} {self.minutes} minutes of {_window(self.start, self.end)} are {where}."

    def find(self, trace: ExecutionTrace) -> Iterator[Finding]:
        """That there is none."""
        events = _events(trace, self.day)
        if isinstance(events, Finding):
            yield events
            return
        longest = _longest((e for e in events if trace.is_rest(e)), trace, self.start, self.end)
        if longest < self.minutes:
            reason = f"no rest of {self.minutes} minutes in {_window(self.start, self.end)}"
            yield Finding(reason, self.day, "", f"{self.minutes} min", f"{longest} min")


@dataclass(frozen=True)
class AvoidUnavailable(EnvironmentCondition):
    """The sight that is not available is not visited."""

    id = "avoid_unavailable_poi"
    about = Content.SIGHTS

    attraction: str

    def sentence(self) -> str:
        """With its name."""
        return f"{self.attraction} is not visited, since it is not available."

    def find(self, trace: ExecutionTrace) -> Iterator[Finding]:
        """Visits there."""
        closed = wanted_attractions((self.attraction,), trace)
        for visit in trace.visits:
            if closed.has(visit.activity.attraction, visit.attraction):
                yield Finding(f"{visit.label} is not available", visit.day, visit.label, found=self.attraction)


@dataclass(frozen=True)
class LightFirstDay(EnvironmentCondition):
    """After a delayed journey the first day is light, with time to spare right after arriving."""

    id = "first_day_light_after_transport_delay"
    about = Content.TRAVEL

    most_visits: int
    needs_pause: bool
    """Whether the hotel, or at least as much free time as the delay, must follow the arrival."""

    def sentence(self) -> str:
        """With the limits."""
        pause = f", and the hotel or {DELAY_MINUTES} free minutes right after arriving" if self.needs_pause else ""
        return f"The first day has no more than {self.most_visits} sights{pause}."

    def find(self, trace: ExecutionTrace) -> Iterator[Finding]:
        """Too many sights, or nothing to make up for the delay."""
        events = _events(trace, 1)
        if isinstance(events, Finding):
            yield events
            return
        visits = sum(isinstance(event, VisitEvent) for event in events)
        if visits > self.most_visits:
            reason = f"{visits} sights on the day of a delayed journey"
            yield Finding(reason, 1, "", f"up to {self.most_visits}", str(visits))
        if self.needs_pause:
            yield from self._pause(events)

    def _pause(self, events: tuple[Event, ...]) -> Iterator[Finding]:
        arrivals = [place for place, event in enumerate(events) if isinstance(event, LegEvent)]
        if not arrivals:
            yield Finding("no journey on the first day", 1)
            return
        after = events[arrivals[-1] + 1 :]
        busy = [event for event in after if not isinstance(event.activity, Buffer)]
        free = sum(event.minutes or 0 for event in after[:SOON_AFTER] if isinstance(event.activity, Buffer))
        if free < DELAY_MINUTES and not any(isinstance(event, HotelEvent) for event in busy[:SOON_AFTER]):
            reason = f"after arriving neither the hotel nor {DELAY_MINUTES} free minutes"
            yield Finding(reason, 1, events[arrivals[-1]].label, f"{DELAY_MINUTES} min", f"{free} min")


@dataclass(frozen=True)
class AvoidPeakMeals(EnvironmentCondition):
    """No meal falls into the hours in which restaurants are crowded."""

    id = "avoid_peak_meal_window"
    about = Content.RESTAURANTS

    start: int
    end: int

    def sentence(self) -> str:
        """With the hours."""
        return f"No meal falls into {_window(self.start, self.end)}, when restaurants are crowded."

    def find(self, trace: ExecutionTrace) -> Iterator[Finding]:
        """Meals that do."""
        for meal in trace.meals:
            if overlap(meal, trace, self.start, self.end):
                reason = f"{meal.label} falls into {_window(self.start, self.end)}"
                yield Finding(reason, meal.day, meal.label, f"not in {_window(self.start, self.end)}")


@dataclass(frozen=True)
class AvoidPeakVisits(EnvironmentCondition):
    """The crowded sights are not visited in the hours in which they are crowded."""

    id = "avoid_peak_attraction_window"
    about = Content.SIGHTS

    start: int
    end: int
    attractions: frozenset[str] = frozenset()
    """Empty for all sights."""

    def sentence(self) -> str:
        """With sights and hours."""
        return f"{listed(self.attractions) or 'No sight'} is not visited in {_window(self.start, self.end)}."

    def not_applicable(self, trace: ExecutionTrace) -> str:
        """Where none of them is visited; that they must be is another requirement."""
        return "" if self._there(trace) else f"none of {listed(self.attractions)} is visited"

    def _there(self, trace: ExecutionTrace) -> list[VisitEvent]:
        if not self.attractions:
            return list(trace.visits)
        crowded = wanted_attractions(self.attractions, trace)
        return [visit for visit in trace.visits if crowded.has(visit.activity.attraction, visit.attraction)]

    def find(self, trace: ExecutionTrace) -> Iterator[Finding]:
        """Visits in those hours."""
        for visit in self._there(trace):
            if overlap(visit, trace, self.start, self.end):
                reason = f"{visit.label} falls into {_window(self.start, self.end)}"
                yield Finding(reason, visit.day, visit.label, f"not in {_window(self.start, self.end)}")


@dataclass(frozen=True)
class ReturnBuffer(EnvironmentCondition):
    """Before the journey home there is time kept free for traffic."""

    id = "return_day_transport_buffer"
    about = Content.TRAVEL

    minutes: int

    def sentence(self) -> str:
        """With the length."""
        return f"Before the journey home {self.minutes} minutes are kept free."

    def find(self, trace: ExecutionTrace) -> Iterator[Finding]:
        """That there is less, or no journey home."""
        home = [passage.legs[0] for passage in trace.passages if passage.inbound]
        if not home:
            yield Finding("there is no journey home")
            return
        kept = next((b.minutes for b in trace.boardings if b.leg is home[-1] and b.when == "before"), 0)
        if kept < self.minutes:
            reason = f"{kept} minutes are kept free before {home[-1].label}"
            yield Finding(reason, home[-1].day, home[-1].label, f"{self.minutes} min", f"{kept} min")


@dataclass(frozen=True)
class NoteIncluded(EnvironmentCondition):
    """The plan says in its own words how it allows for the event."""

    rules = {
        "include_queue_or_offpeak_note": "The plan says how it avoids queues or peak hours.",
        "include_traffic_buffer_note": "The plan says how it allows for traffic.",
        "include_backup_or_replacement_note": "The plan says what takes the place of something.",
        "include_practical_note": "The plan says how it sees to practical things.",
    }

    kind: str
    keywords: frozenset[str]

    @property
    def id(self) -> str:
        """Which of the kinds."""
        return self.kind

    def sentence(self) -> str:
        """With the words to look for."""
        return f"{self.rule.removesuffix('.')}: {listed(self.keywords)}."

    def not_applicable(self, trace: ExecutionTrace) -> str:
        """Where no word is given."""
        return "" if self.keywords else "no word to look for is given"

    def find(self, trace: ExecutionTrace) -> Iterator[Finding]:
        """That no free text of the plan has any of the words."""
        texts = [text for event in trace.events if (text := _free_text(event))]
        if not Phrases(self.keywords).found_in(*texts):
            yield Finding(f"no line of the plan speaks of {listed(self.keywords)}", expected=listed(self.keywords))


def _free_text(event: Event) -> str:
    match event.activity:
        case Buffer(description=text) | HotelStop(purpose=text):
            return text
        case _:
            return ""
