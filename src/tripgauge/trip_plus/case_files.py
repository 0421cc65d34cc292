"""Cases: what each check says of small plans in the toy town, written as travelers' agents write plans.

They are read by people who know travel, shown by `tripgauge checks ID`, and run by the tests. A file
`cases/<check id>.toml` holds a list of `[[case]]` tables:

    name          a sentence, such as "lunch starts before the visit ends"
    plan          the plan's days in the published notation, without tags
    verdict       "passes", "fails" or "does not apply"
    findings      for a failing case: a piece of text of each finding expected, in order
    trip          optional changes to the trip: days, depart (a date), people, rooms, origin, destinations, route_mode
    requirement   for a requirement: its parameters
    level         for a soft preference that fails: how far it is met, 0.5 or 0
    rest_days     optional: days on which the task asks for rest
    weather       optional: weather the task tells of, such as "cold" for the season or "rain on day 2"
"""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Literal

from tripgauge.trip_plus.frame import ExpectedWeather, TripFrame, WeatherKind

Verdict = Literal["passes", "fails", "does not apply"]


@dataclass(frozen=True)
class Case:
    """One plan and what the check says of it."""

    check: str
    name: str
    plan: str
    verdict: Verdict
    findings: tuple[str, ...] = ()
    frame: TripFrame = field(kw_only=True)
    requirement: Mapping[str, object] = field(default_factory=dict, kw_only=True)
    """Parameters of the requirement; empty for a check without any."""

    level: float | None = field(default=None, kw_only=True)
    """For a soft preference that fails: how far it is met; None where the case does not say."""

    rest_days: frozenset[int] = field(default=frozenset(), kw_only=True)
    expected_weather: frozenset[ExpectedWeather] = field(default=frozenset(), kw_only=True)


def shipped_cases() -> Traversable:
    """The folder of the cases that come with the package."""
    return files("tripgauge.trip_plus") / "cases"


def cases_of(check: str, folder: Traversable | None = None) -> Sequence[Case]:
    """The cases of a check in a folder, the shipped ones unless another is given; none if it has no file there."""
    path = (folder or shipped_cases()) / f"{check}.toml"
    if not path.is_file():
        return ()
    tables = tomllib.loads(path.read_text(encoding="utf-8"))
    return [_case(check, table) for table in tables["case"]]


def _case(check: str, table: Mapping[str, object]) -> Case:
    known = {"name", "plan", "verdict", "findings", "trip", "requirement", "level", "rest_days", "weather"}
    if unknown := set(table) - known:
        raise ValueError(f"cases/{check}.toml: {', '.join(sorted(unknown))} is no field of a case")
    return Case(
        check=check,
        name=str(table["name"]),
        plan=str(table["plan"]),
        verdict=_verdict(str(table["verdict"])),
        findings=tuple(_texts(table.get("findings"))),
        frame=_frame(table.get("trip") or {}),
        requirement=_mapping(table.get("requirement")),
        level=float(str(table["level"])) if "level" in table else None,
        rest_days=frozenset(int(day) for day in _texts(table.get("rest_days"))),
        expected_weather=frozenset(_weather(text) for text in _texts(table.get("weather"))),
    )


def _weather(text: str) -> ExpectedWeather:
    kind, _, day = text.partition(" on day ")
    return ExpectedWeather(WeatherKind(kind), int(day) if day else None)


def _verdict(text: str) -> Verdict:
    match text:
        case "passes" | "fails" | "does not apply":
            return text
    raise ValueError(f"{text!r} is no verdict")


def _texts(value: object) -> list[str]:
    return [str(item) for item in value] if isinstance(value, list) else []


def _mapping(value: object) -> Mapping[str, object]:
    return dict(value) if isinstance(value, dict) else {}


def _frame(trip: object) -> TripFrame:
    """The trip of the toy tasks: two people by train from Aldmoor to Briskhaven, three days from 14 July 2026."""
    changed = _mapping(trip)
    depart = changed.get("depart", date(2026, 7, 14))
    assert isinstance(depart, date)
    days = int(str(changed.get("days", 3)))
    return TripFrame(
        origin=str(changed.get("origin", "Aldmoor")),
        destinations=tuple(_texts(changed.get("destinations")) or ["Briskhaven"]),
        depart=depart,
        return_=depart + timedelta(days=days - 1),
        days=days,
        people=int(str(changed.get("people", 2))),
        rooms=int(str(changed.get("rooms", 1))),
        route_mode=str(changed.get("route_mode", "train")),
    )
