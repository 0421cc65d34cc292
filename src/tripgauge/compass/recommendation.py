"""Reads an agent's answer: the words for the user and, if there is one, the recommendation (spec 10).

The answer is one JSON object with `message` and `recommendation`. What else models write is read as far as its meaning
is plain, and noted; what is no such object is words without a recommendation.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from tripgauge.compass.offers import Choice, parse_choice

Component = Literal["hotel", "flight", "permit"]
COMPONENTS: tuple[Component, ...] = ("hotel", "flight", "permit")
"""What is booked at level I, II and III: the first, the first two, all three."""

MOST_HOTELS = 3
"""So many hotels may be named at level I; the best of them counts, further ones do not."""

_OTHER_KEYS: dict[str, Component] = {
    spelling: component
    for component in COMPONENTS
    for spelling in (f"{component}s", f"{component}_id", f"{component}_ids", f"{component}_package")
} | {"package_ids": "hotel", "package_id": "hotel"}


@dataclass(frozen=True)
class Recommendation:
    """Package ids as the agent wrote them, the best first."""

    hotel: tuple[str, ...] = ()
    flight: tuple[str, ...] = ()
    permit: tuple[str, ...] = ()

    def ids(self, component: Component) -> tuple[str, ...]:
        return {"hotel": self.hotel, "flight": self.flight, "permit": self.permit}[component]


@dataclass(frozen=True)
class Reply:
    """A parsed answer."""

    message: str
    recommendation: Recommendation | None = None
    fault: str = ""
    """Why it is not in the form that was asked for; "" if it is. Its words count all the same."""

    notes: tuple[str, ...] = ()
    """What was read although it is written otherwise than asked for."""


@dataclass(frozen=True)
class Options:
    """What a recommendation offers at a level."""

    choices: tuple[Choice | None, ...]
    """One for each hotel that counts at level I, one at levels II and III; None where an id is no package id."""

    missing: tuple[Component, ...] = ()
    """What the level needs and the recommendation lacks; there is no choice then."""

    surplus: bool = False
    """Whether more ids were given than count."""


def options(recommendation: Recommendation, level: int) -> Options:
    """What counts of a recommendation: up to three hotels at level I, the first of each component at II and III."""
    needed = COMPONENTS[:level]
    missing = tuple(component for component in needed if not recommendation.ids(component))
    surplus = any(len(recommendation.ids(component)) > (MOST_HOTELS if level == 1 else 1) for component in needed)
    if missing:
        return Options((), missing, surplus)
    if level == 1:
        return Options(tuple(parse_choice(hotel) for hotel in recommendation.hotel[:MOST_HOTELS]), (), surplus)
    first: list[str | None] = [recommendation.ids(component)[0] for component in needed]
    hotel, flight, permit = [*first, None][:3]
    assert hotel is not None
    return Options((parse_choice(hotel, flight, permit),), (), surplus)


# ---------------------------------------------------------------------------------------------------------------
# Reading


def read_reply(text: str) -> Reply:
    """The answer in a model's text. The last object with one of the two keys counts; thoughts are left out."""
    spoken = without_thoughts(text)
    found = [value for value in _objects(spoken) if "message" in value or "recommendation" in value]
    if not found:
        return Reply(spoken, None, "there is no JSON object with message and recommendation in it")
    answer = found[-1]
    notes = [] if len(found) == 1 else [f"{len(found)} answers in one text: the last counts"]
    message = answer.get("message", "")
    if not isinstance(message, str):
        return Reply(spoken, None, "message is not a text", tuple(notes))
    try:
        recommendation = _recommendation(answer.get("recommendation"), notes)
    except _Unreadable as fault:
        return Reply(message, None, str(fault), tuple(notes))
    return Reply(message, recommendation, "", tuple(notes))


_THOUGHTS = re.compile(r"<(think|thinking|thought|reasoning)>.*?(?:</\1>|\Z)", re.DOTALL | re.IGNORECASE)
_LATE_END = re.compile(r"\A.*</(?:think|thinking|thought|reasoning)>", re.DOTALL | re.IGNORECASE)


def without_thoughts(text: str) -> str:
    """What a model says after thinking aloud, also where the mark at the beginning of its thoughts is lost."""
    return _LATE_END.sub("", _THOUGHTS.sub("", text)).strip()


class _Unreadable(Exception):
    pass


def _recommendation(value: object, notes: list[str]) -> Recommendation | None:
    if value is None or value == {}:
        return None
    if not isinstance(value, dict):
        raise _Unreadable("recommendation is neither null nor an object")
    ids: dict[Component, tuple[str, ...]] = {}
    for key, item in value.items():
        component: Component | None = next((name for name in COMPONENTS if name == key), None)
        if component is None:
            component = _OTHER_KEYS.get(key)
            if component is None or component in value:
                raise _Unreadable(f"recommendation.{key[:40]} is not one of hotel, flight and permit")
            notes.append(f"recommendation.{key} read as {component}")
        ids[component] = _ids(component, item, notes)
    return Recommendation(**ids) if any(ids.values()) else None


def _ids(component: Component, value: object, notes: list[str]) -> tuple[str, ...]:
    if value is None:
        return ()
    if isinstance(value, str):
        notes.append(f"recommendation.{component}: one id read as a list of one")
        value = [value]
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise _Unreadable(f"recommendation.{component} is not a list of package ids")
    return tuple(item.strip() for item in value)


# ---------------------------------------------------------------------------------------------------------------
# Finding JSON in text

_MOST_OPENINGS = 200
"""Opening braces that are looked behind: in a text with more, nobody means an answer."""

_DEEPEST = 50
"""Objects within objects: what nests deeper is no answer."""

_BRACES = re.compile(r'"(?:[^"\\]|\\.)*"|[{}]', re.DOTALL)
_TRAILING_COMMA = re.compile(r'("(?:[^"\\]|\\.)*")|,(?=\s*[}\]])', re.DOTALL)


def _objects(text: str) -> Iterator[Mapping[str, object]]:
    """The JSON objects in a text, outermost ones only, in their order."""
    position = text.find("{")
    for _ in range(_MOST_OPENINGS):
        if position < 0:
            return
        end = _end_of_object(text, position)
        value = _json_object(text[position:end]) if end else None
        if value is not None:
            yield value
        position = text.find("{", end if end and value is not None else position + 1)


def _end_of_object(text: str, start: int) -> int | None:
    """Where the braces that open at `start` are closed again; None if they never are or nest too deep."""
    depth = 0
    for match in _BRACES.finditer(text, start):
        depth += {"{": 1, "}": -1}.get(match[0], 0)
        if depth == 0 and match[0] == "}":
            return match.end()
        if depth > _DEEPEST:
            return None
    return None


def _json_object(text: str) -> Mapping[str, object] | None:
    for attempt in (text, _TRAILING_COMMA.sub(lambda match: match[1] or "", text)):
        try:
            value = json.loads(attempt, strict=False)
        except (json.JSONDecodeError, RecursionError):
            continue
        if isinstance(value, dict):
            return value
    return None
