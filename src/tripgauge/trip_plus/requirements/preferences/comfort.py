"""Comfort and pace: how full the days are, how far the ways, how long outdoors. (Trip+ Table 8, first family)"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from enum import StrEnum

from tripgauge.checks import Finding
from tripgauge.trip_plus.frame import WeatherKind
from tripgauge.trip_plus.requirements.constraints.trip import overlap
from tripgauge.trip_plus.requirements.requirement import Component, Limits, Severity, Signal, SoftPreference
from tripgauge.trip_plus.sandbox.exposure import Exposure
from tripgauge.trip_plus.sandbox.records import Weather
from tripgauge.trip_plus.trace.costs import is_walk
from tripgauge.trip_plus.trace.days import DEEPEST_NIGHT, TracedDay
from tripgauge.trip_plus.trace.events import Event, HotelEvent, LegEvent, TransferEvent, VisitEvent
from tripgauge.trip_plus.trace.execution import Content, ExecutionTrace

HOUR = timedelta(hours=1)


class Pace(StrEnum):
    """How full the traveler likes the days."""

    RELAXED = "relaxed"
    MODERATE = "moderate"
    DENSE = "dense"


MAX_DAILY_VISITS = {  # Trip+ Table 8, schedule pacing
    Pace.RELAXED: Limits(3, 4),
    Pace.MODERATE: Limits(4, 6),
    Pace.DENSE: Limits(6, 8),
}
MEAN_DAILY_VISITS = {
    Pace.RELAXED: Limits(3, 4),
    Pace.MODERATE: Limits(4, 5),
}
DAY_SPAN_HOURS = {
    Pace.RELAXED: Limits(10, 12),
    Pace.MODERATE: Limits(12, 13.5),
    Pace.DENSE: Limits(14, 16),
}
EARLIEST_START = {Pace.RELAXED: time(8)}
LATEST_END = {Pace.RELAXED: time(21), Pace.MODERATE: time(21), Pace.DENSE: time(22)}
BEYOND_HOURS = Limits(0, 1)
"""How far a day may begin before the earliest start or end after the latest end."""

HEAVY_DAY = 5
"""Visits on a day from which on a missing rest is a major breach."""

REST_AT_HOTEL, STAY_AT_HOTEL, PAUSE = 30, 60, 40
"""Minutes that make a rest: of a rest at the hotel, of any stay there, of free time."""

EVENING = time(18)
"""Who comes back to the hotel for good before this hour rests there."""

_FORMALITY = re.compile(r"check[\s-]*(?:in|out)", re.IGNORECASE)


@dataclass(frozen=True)
class SchedulePacing(SoftPreference):
    """The days are no fuller, no longer, no earlier and no later than the traveler likes, with rest if he wants it."""

    id = "schedule_pacing"
    group = Component.COMFORT_AND_PACE
    about = Content.DAYS

    pace: Pace = Pace.MODERATE

    def sentence(self) -> str:
        """With the pace."""
        return f"The days are {self.pace}: no fuller, longer, earlier or later than that."

    def signals(self, trace: ExecutionTrace) -> Iterator[Signal]:
        """Visits, hours and rest."""
        yield from self._visits(trace)
        yield from self._hours([hours for day in trace.days if (hours := _Hours.of(day, trace))])
        if self.pace is Pace.RELAXED:
            yield _missing_rest(trace)

    def _visits(self, trace: ExecutionTrace) -> Iterator[Signal]:
        counts = [sum(isinstance(event, VisitEvent) for event in day.events) for day in trace.days]
        most = max(counts)
        fullest = counts.index(most) + 1
        limits = MAX_DAILY_VISITS[self.pace]
        yield _signal("max_daily_attraction_count", most, limits, f"{most} sights on one day", fullest)
        if self.pace in MEAN_DAILY_VISITS:
            mean, limits = sum(counts) / len(counts), MEAN_DAILY_VISITS[self.pace]
            yield _signal("avg_daily_attraction_count", mean, limits, f"{mean:.1f} sights a day on average")

    def _hours(self, days: "Sequence[_Hours]") -> Iterator[Signal]:
        if not days:
            return
        longest = max(days, key=lambda day: day.span)
        hours = longest.span / HOUR
        reason = f"the day lasts {hours:.1f} hours, from {longest.start:%H:%M} to {longest.end:%H:%M}"
        yield _signal("max_day_span_hours", hours, DAY_SPAN_HOURS[self.pace], reason, longest.day)
        if self.pace in EARLIEST_START:
            first = min(days, key=lambda day: day.start - day.midnight)
            before = max(0.0, (_at(first, EARLIEST_START[self.pace]) - first.start) / HOUR)
            reason = f"the day starts at {first.start:%H:%M}"
            yield _signal("early_start_hours_before_08", before, BEYOND_HOURS, reason, first.day)
        latest = LATEST_END[self.pace]
        last = max(days, key=lambda day: day.end - day.midnight)
        after = max(0.0, (last.end - _at(last, latest)) / HOUR)
        reason = f"the day ends at {last.end:%H:%M}"
        yield _signal(f"late_end_hours_after_{latest.hour}", after, BEYOND_HOURS, reason, last.day)


def _signal(measure: str, value: float, limits: Limits, reason: str, day: int | None = None) -> Signal:
    finding = Finding(reason, day, expected=f"up to {limits.fine:g}", found=f"{value:.4g}")
    return Signal(measure, value, limits.severity(value), finding)


@dataclass(frozen=True, slots=True)
class _Hours:
    """From when to when the traveler is about on a day; the night, in a bed or on the way, is none of it."""

    day: int
    midnight: datetime
    start: datetime
    end: datetime

    @property
    def span(self) -> timedelta:
        return self.end - self.start

    @classmethod
    def of(cls, day: TracedDay, trace: ExecutionTrace) -> "_Hours | None":
        times = [(event.start, _awake_until(event)) for event in day.events if event.start and event.end]
        if not times:
            return None
        starts, ends = [start for start, _ in times], [end for _, end in times]
        return cls(day.position, trace.midnight_of(day.position), min(starts), max(ends))


def _at(hours: _Hours, clock: time) -> datetime:
    return datetime.combine(hours.midnight.date(), clock)


def _awake_until(event: Event) -> datetime:
    """The end of an event; of a night in a bed or on the way its start."""
    assert event.start is not None
    assert event.end is not None
    if not isinstance(event, HotelEvent | LegEvent):
        return event.end
    night = datetime.combine(event.start.date(), DEEPEST_NIGHT)
    night += timedelta(days=event.start > night)
    return event.start if event.start <= night < event.end else event.end


def _missing_rest(trace: ExecutionTrace) -> Signal:
    """The full days without rest; one with many sights is a major breach."""
    restless = [day for day in trace.days if day.is_full and not _has_rest(day, trace)]
    heavy = any(sum(isinstance(event, VisitEvent) for event in day.events) >= HEAVY_DAY for day in restless)
    severity = Severity.NONE if not restless else Severity.MAJOR if heavy else Severity.MINOR
    reason = "no rest at the hotel and no free time long enough to rest"
    day = restless[0].position if restless else None
    return Signal("rest_block_missing", len(restless), severity, Finding(reason, day, found=f"{len(restless)} days"))


def _has_rest(day: TracedDay, trace: ExecutionTrace) -> bool:
    if any(event is pause and (event.minutes or 0) >= PAUSE for event in day.events for pause in trace.pauses):
        return True
    return any(_is_rest_at_hotel(event, trace) for event in day.events if isinstance(event, HotelEvent))


def _is_rest_at_hotel(stop: HotelEvent, trace: ExecutionTrace) -> bool:
    if stop.start is None:
        return False
    if not any(stop is stay for stay in trace.stays) and stop.start.time() >= EVENING:
        return False
    formality = _FORMALITY.search(stop.activity.purpose) is not None
    return (stop.minutes or 0) >= (STAY_AT_HOTEL if formality else REST_AT_HOTEL)


# --- Ways -----------------------------------------------------------------------------------------------------------

LONG_TRANSFER, VERY_LONG_TRANSFER = 60, 90
"""Minutes beyond which a way in the city is long, or very long."""

DAILY_TRANSFER_MINUTES = Limits(240, 300)  # Trip+ Table 8, mobility and accessibility
ROUTE_LONG_TRANSFERS, ROUTE_VERY_LONG_TRANSFERS = Limits(1, 3), Limits(0, 1)
WALKING_LONG_TRANSFERS, WALKING_VERY_LONG_TRANSFERS = Limits(0, 2), Limits(0, 1)
DAILY_OUTDOOR_MINUTES = Limits(240, 360)


class Mobility(StrEnum):
    """What a traveler who does not move about easily is sensitive to."""

    WALKING = "walking_sensitive"
    ROUTE = "route_transfer_sensitive"


@dataclass(frozen=True)
class MobilityAccessibility(SoftPreference):
    """The ways in the city are short enough for the traveler, and so is the time on foot and outdoors."""

    id = "mobility_accessibility"
    group = Component.COMFORT_AND_PACE
    about = Content.PROGRAM

    sensitive_to: frozenset[Mobility] = frozenset(Mobility)

    def sentence(self) -> str:
        """With what the traveler is sensitive to."""
        to = {Mobility.WALKING: "walking", Mobility.ROUTE: "long ways"}
        sensitive = " and ".join(to[one] for one in Mobility if one in self.sensitive_to)
        return f"The ways in the city and the time outdoors are short enough for who is sensitive to {sensitive}."

    def signals(self, trace: ExecutionTrace) -> Iterator[Signal]:
        """Ways a day, long ways, time outdoors."""
        ways = {day.position: sum(_minutes(day, TransferEvent)) for day in trace.days}
        yield _worst_day("max_daily_local_transfer_minutes", ways, DAILY_TRANSFER_MINUTES, "on the way in the city")
        minutes = [transfer.minutes or 0 for transfer in trace.transfers]
        long, very_long = (sum(m > limit for m in minutes) for limit in (LONG_TRANSFER, VERY_LONG_TRANSFER))
        if Mobility.ROUTE in self.sensitive_to:
            yield _ways("route_long_local_transfer_count", long, LONG_TRANSFER, ROUTE_LONG_TRANSFERS)
            limits = ROUTE_VERY_LONG_TRANSFERS
            yield _ways("route_very_long_local_transfer_count", very_long, VERY_LONG_TRANSFER, limits)
        if Mobility.WALKING in self.sensitive_to:
            yield _ways("mobility_long_local_transfer_count", long, LONG_TRANSFER, WALKING_LONG_TRANSFERS)
            limits = WALKING_VERY_LONG_TRANSFERS
            yield _ways("mobility_very_long_local_transfer_count", very_long, VERY_LONG_TRANSFER, limits)
        outdoors = {day.position: _outdoors(day) + _walked(day) for day in trace.days}
        yield _worst_day("max_daily_outdoor_minutes", outdoors, DAILY_OUTDOOR_MINUTES, "outdoors or on foot")


def _minutes(day: TracedDay, kind: type[Event]) -> Iterator[int]:
    return (event.minutes or 0 for event in day.events if isinstance(event, kind))


def _outdoors(day: TracedDay) -> int:
    visits = (event for event in day.events if isinstance(event, VisitEvent))
    return sum(visit.minutes or 0 for visit in visits if visit.exposure is Exposure.OUTDOORS)


def _walked(day: TracedDay) -> int:
    transfers = (event for event in day.events if isinstance(event, TransferEvent))
    return sum(transfer.minutes or 0 for transfer in transfers if is_walk(transfer.activity))


def _ways(measure: str, count: int, limit: int, limits: Limits) -> Signal:
    return _signal(measure, count, limits, f"{count} way{'s' * (count != 1)} of more than {limit} minutes")


def _worst_day(measure: str, minutes: dict[int, int], limits: Limits, doing: str) -> Signal:
    day = max(minutes, key=lambda position: minutes[position], default=None)
    most = minutes[day] if day is not None else 0
    return _signal(measure, most, limits, f"{most} minutes {doing} on one day", day)


# --- Weather --------------------------------------------------------------------------------------------------------

WARM_C, COOL_MIN_C, COOL_MAX_C = 28, 5, 12
"""Degrees from which who is sensitive to heat minds it, and down to which night or day who minds cold does."""

EXTREME_HEAT_C, FREEZING_C, COLD_DAY_C = 35, 0, 5
HEAVY_RAIN_MM = 5
"""What is extreme weather for anyone."""

OUTDOOR_MINUTES = Limits(240, 300)  # Trip+ Table 8, weather
MIDDAY_MINUTES = Limits(90, 120)
LATE_MINUTES = Limits(90, 120)
MIDDAY = (11 * 60, 15 * 60)
LATE = (18 * 60, 24 * 60)
"""Minutes after midnight."""


def _is_hot(weather: Weather) -> bool:
    return weather.temperature_max_c is not None and weather.temperature_max_c >= WARM_C


def _is_cold(weather: Weather) -> bool:
    high, low = weather.temperature_max_c, weather.temperature_min_c
    return (high is not None and high <= COOL_MAX_C) or (low is not None and low <= COOL_MIN_C)


def _is_extreme(weather: Weather) -> bool:
    high, low, rain = weather.temperature_max_c, weather.temperature_min_c, weather.precipitation_mm
    return (
        (high is not None and (high >= EXTREME_HEAT_C or high <= COLD_DAY_C))
        or (low is not None and low <= FREEZING_C)
        or (rain is not None and rain >= HEAVY_RAIN_MM)
        or any(word in weather.condition.lower() for word in ("thunder", "storm", "typhoon"))
    )


def _days_with(
    trace: ExecutionTrace, kinds: frozenset[WeatherKind], is_bad: Callable[[Weather], bool]
) -> Iterator[TracedDay]:
    """The days away from home with such weather: announced, in the tables, or else by the season."""
    expected = {weather.day for weather in trace.expected_weather if weather.kind in kinds}
    for day in trace.days:
        if not day.away:
            continue
        known = trace.weather_on(day)
        if day.position in expected or (is_bad(known) if known else None in expected):
            yield day


def _minutes_outdoors(days: Sequence[TracedDay], trace: ExecutionTrace, window: tuple[int, int]) -> dict[int, int]:
    return {
        day.position: sum(
            overlap(event, trace, *window)
            for event in day.events
            if isinstance(event, VisitEvent) and event.exposure is Exposure.OUTDOORS
        )
        for day in days
    }


@dataclass(frozen=True)
class AvoidHeat(SoftPreference):
    """On hot days the traveler is not outdoors for long, least of all around noon."""

    id = "weather_avoid_heat_exposure"
    group = Component.COMFORT_AND_PACE
    about = Content.SIGHTS

    def not_applicable(self, trace: ExecutionTrace) -> str:
        """Where it does not get hot."""
        return "" if any(self._days(trace)) else "no day of the trip is hot"

    def _days(self, trace: ExecutionTrace) -> Iterator[TracedDay]:
        return _days_with(trace, frozenset({WeatherKind.HEAT}), _is_hot)

    def signals(self, trace: ExecutionTrace) -> Iterator[Signal]:
        """Time outdoors on hot days."""
        days = list(self._days(trace))
        noon = _minutes_outdoors(days, trace, MIDDAY)
        yield _worst_day("midday_heat_outdoor_minutes", noon, MIDDAY_MINUTES, "outdoors around noon, in the heat,")
        all_day = {day.position: _outdoors(day) for day in days}
        yield _worst_day("total_heat_outdoor_minutes", all_day, OUTDOOR_MINUTES, "outdoors in the heat")


@dataclass(frozen=True)
class AvoidCold(SoftPreference):
    """On cold days the traveler is not outdoors for long, least of all in the evening."""

    id = "weather_avoid_cold_exposure"
    group = Component.COMFORT_AND_PACE
    about = Content.SIGHTS

    def not_applicable(self, trace: ExecutionTrace) -> str:
        """Where it does not get cold."""
        return "" if any(self._days(trace)) else "no day of the trip is cold"

    def _days(self, trace: ExecutionTrace) -> Iterator[TracedDay]:
        return _days_with(trace, frozenset({WeatherKind.COLD}), _is_cold)

    def signals(self, trace: ExecutionTrace) -> Iterator[Signal]:
        """Time outdoors on cold days."""
        days = list(self._days(trace))
        all_day = {day.position: _outdoors(day) for day in days}
        yield _worst_day("cold_outdoor_minutes", all_day, OUTDOOR_MINUTES, "outdoors in the cold")
        late = _minutes_outdoors(days, trace, LATE)
        yield _worst_day("late_cold_outdoor_minutes", late, LATE_MINUTES, "outdoors in the cold after 18:00")


@dataclass(frozen=True)
class NeedBackup(SoftPreference):
    """On days of bad weather the traveler is not outdoors for long and has somewhere to go instead."""

    id = "weather_need_backup"
    group = Component.COMFORT_AND_PACE
    about = Content.SIGHTS

    def not_applicable(self, trace: ExecutionTrace) -> str:
        """Where the weather stays fair."""
        return "" if any(self._days(trace)) else "no day of the trip has bad weather"

    def _days(self, trace: ExecutionTrace) -> Iterator[TracedDay]:
        return _days_with(trace, frozenset(WeatherKind), _is_extreme)

    def signals(self, trace: ExecutionTrace) -> Iterator[Signal]:
        """Time outdoors in bad weather, and whether there is shelter on such days."""
        days = list(self._days(trace))
        outdoors = {day.position: _outdoors(day) for day in days}
        yield _worst_day("backup_weather_outdoor_minutes", outdoors, OUTDOOR_MINUTES, "outdoors in bad weather")
        bare = [day.position for day in days if outdoors[day.position] and not _has_shelter(day, trace)]
        worst = max(outdoors.values())
        severity = Severity.NONE if not bare else Severity.MINOR if worst <= OUTDOOR_MINUTES.minor else Severity.MAJOR
        reason = "outdoors in bad weather, with no sight under a roof and no stay at the hotel to fall back on"
        finding = Finding(reason, bare[0] if bare else None)
        yield Signal("backup_or_indoor_option_missing", bool(bare), severity, finding)


def _has_shelter(day: TracedDay, trace: ExecutionTrace) -> bool:
    return any(
        (isinstance(event, VisitEvent) and event.exposure is Exposure.INDOORS)
        or any(event is stay for stay in trace.stays)
        for event in day.events
    )
