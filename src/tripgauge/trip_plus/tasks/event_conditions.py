"""From the events of the published files to environment conditions, and to the weather they let expect. (Trip+ A.3)"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from tripgauge.trip_plus.frame import ExpectedWeather, WeatherKind
from tripgauge.trip_plus.requirements.environment import (
    AvoidPeakMeals,
    AvoidPeakVisits,
    AvoidUnavailable,
    LightFirstDay,
    LimitOutdoors,
    NoteIncluded,
    RestInWindow,
    ReturnBuffer,
    ShelterInWindow,
    ShelterOnDay,
)
from tripgauge.trip_plus.requirements.requirement import EnvironmentCondition, UncheckedCondition

if TYPE_CHECKING:
    from tripgauge.trip_plus.tasks.queries import Adjustment, EnvironmentEvent

OUTDOOR_MINUTES, BUFFER_MINUTES, REST_MINUTES = 90, 30, 60
FIRST_DAY_VISITS = 2
TRAFFIC_MINUTES = 60
PEAK_MEALS, PEAK_VISITS = (720, 780), (600, 720)
"""What the published events ask for, where one does not say."""

NO_CONDITION = frozenset({"explain_unsolved"})
"""Adjustments that ask for an answer, not for something in a plan."""


def conditions_of(events: "Sequence[EnvironmentEvent | str]") -> Iterator[EnvironmentCondition]:
    """What all the events ask of a plan; unchecked conditions where one is not known, or a parameter is missing."""
    for event in events:
        if not isinstance(event, str):
            for adjustment in event.expected_adjustments:
                if adjustment.check not in NO_CONDITION:
                    yield _condition(adjustment)


def _condition(adjustment: "Adjustment") -> EnvironmentCondition:
    check = adjustment.check
    if check in NoteIncluded.rules:
        return NoteIncluded(check, frozenset(adjustment.keywords or ()))
    if check not in _CONDITIONS:
        return UncheckedCondition(check, "no adjustment of that name is known")
    if check in _ON_A_DAY and adjustment.day is None:
        return UncheckedCondition(check, "it has no day")
    if check in _IN_A_WINDOW and len(adjustment.time_window or ()) != 2:
        return UncheckedCondition(check, "it has no time_window of two minutes of a day")
    return _CONDITIONS[check](adjustment)


def _window(adjustment: "Adjustment") -> tuple[int, int]:
    start, end = adjustment.time_window or (0, 0)
    return start, end


def _peak(adjustment: "Adjustment", usual: tuple[int, int]) -> tuple[int, int]:
    match adjustment.peak_window or ():
        case (start, end):
            return start, end
        case _:
            return usual


_IN_A_WINDOW = frozenset({LimitOutdoors.id, ShelterInWindow.id, RestInWindow.id})
_ON_A_DAY = _IN_A_WINDOW | {"has_indoor_or_buffer_on_day"}

_CONDITIONS: "Mapping[str, Callable[[Adjustment], EnvironmentCondition]]" = {
    LimitOutdoors.id: lambda a: LimitOutdoors(a.day or 0, *_window(a), a.max_outdoor_minutes or OUTDOOR_MINUTES),
    "has_indoor_or_buffer_on_day": lambda a: ShelterOnDay(a.check, a.day or 0, a.min_buffer_minutes or BUFFER_MINUTES),
    ShelterInWindow.id: lambda a: ShelterInWindow(a.day or 0, *_window(a), a.min_buffer_minutes or BUFFER_MINUTES),
    RestInWindow.id: lambda a: RestInWindow(a.day or 0, *_window(a), a.min_rest_minutes or REST_MINUTES),
    "avoid_unavailable_poi": lambda a: AvoidUnavailable((a.target or "").strip()),
    LightFirstDay.id: lambda a: LightFirstDay(
        a.max_first_day_attractions or FIRST_DAY_VISITS, bool(a.requires_buffer_or_hotel_after_intercity)
    ),
    AvoidPeakMeals.id: lambda a: AvoidPeakMeals(*_peak(a, PEAK_MEALS)),
    AvoidPeakVisits.id: lambda a: AvoidPeakVisits(*_peak(a, PEAK_VISITS), frozenset(a.target_attractions or ())),
    ReturnBuffer.id: lambda a: ReturnBuffer(a.min_buffer_minutes or TRAFFIC_MINUTES),
    "first_day_buffer_for_local_practical": lambda a: ShelterOnDay(a.check, 1, a.min_buffer_minutes or BUFFER_MINUTES),
}


def unavailable_places(events: "Sequence[EnvironmentEvent | str]") -> Iterator[str]:
    """The sights that the events take away."""
    return (condition.attraction for condition in conditions_of(events) if isinstance(condition, AvoidUnavailable))


# --- Weather --------------------------------------------------------------------------------------------------------

SEASONAL_TAGS: Mapping[WeatherKind, frozenset[str]] = {
    WeatherKind.HEAT: frozenset({"summer_heat_city", "coastal_humid_heat", "furnace_city", "extreme_heat"}),
    WeatherKind.COLD: frozenset({
        "cold_winter_city", "ice_snow_winter_destination", "winter_outdoor_exposure", "plateau_winter_exposure",
    }),
    WeatherKind.RAIN: frozenset({"rainy_humid_city", "typhoon_risk", "rain_risk", "typhoon_rain_risk"}),
}  # fmt: skip
"""Tags of cities, and advisories, that let expect such weather in its season."""

SEASONS: Mapping[WeatherKind, frozenset[int]] = {
    WeatherKind.HEAT: frozenset({6, 7, 8, 9}),
    WeatherKind.COLD: frozenset({11, 12, 1, 2, 3}),
    WeatherKind.RAIN: frozenset({4, 5, 6, 7, 8, 9, 10}),
}
"""Months in which it may come."""

ANNOUNCED: Mapping[str, WeatherKind] = {
    "extreme_heat": WeatherKind.HEAT,
    "cold_wave": WeatherKind.COLD,
    "rain": WeatherKind.RAIN,
    "weather_instability": WeatherKind.RAIN,
}
"""By type of event."""


def expected_weather(
    tags: Sequence[str], advisories: Sequence[str], month: int, events: "Sequence[EnvironmentEvent | str]"
) -> frozenset[ExpectedWeather]:
    """The weather that city and season let expect, and what events announce for a day."""
    told = {*tags, *advisories}
    seasonal = (
        ExpectedWeather(kind)
        for kind in WeatherKind
        if month in SEASONS[kind] and not SEASONAL_TAGS[kind].isdisjoint(told)
    )
    announced = (
        ExpectedWeather(ANNOUNCED[event.type], adjustment.day)
        for event in events
        if not isinstance(event, str) and event.type in ANNOUNCED
        for adjustment in event.expected_adjustments
        if adjustment.day is not None
    )
    return frozenset((*seasonal, *announced))
