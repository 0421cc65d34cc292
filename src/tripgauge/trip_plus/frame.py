"""The trip a task is about, before anything is planned. (Trip+ 2.1)"""

from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum


@dataclass(frozen=True, slots=True)
class TripFrame:
    """Who travels from where to where and when: what every plan for the task has in common."""

    origin: str
    destinations: tuple[str, ...]
    depart: date
    return_: date
    days: int
    """Both ends included."""

    people: int
    rooms: int
    route_mode: str
    """"flight" or "train"."""

    def date_of(self, day: int) -> date:
        """The date of the day at this position, from 1."""
        return self.depart + timedelta(days=day - 1)


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
