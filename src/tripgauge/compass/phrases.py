"""The language of requirements: a constraint in varied words, and the constraints in a text (spec 6, 9).

Both directions rest on the one wording each kind of constraint has: saying it puts another subject in front, hearing
it puts the first subject back and looks for the wording with a gap for the value. Agents without a model read this
language; a model needs no such thing.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from tripgauge.compass.constraints import VOCABULARY, Constraint, Kind, Shape, Value
from tripgauge.compass.objectives import METRICS, FeatureCount, Objective, SingleMetric
from tripgauge.compass.offers import LAST_DAY, weekday

LEVEL_WORDS = {
    1: "a hotel",
    2: "a hotel and flights",
    3: "a hotel, flights and a permit for the park",
}
"""What is to be booked at each level."""

_SUBJECTS = {
    "the hotel booking ": ("our hotel booking ", "the booking of the hotel "),
    "the hotel's ": ("our hotel's ", "that hotel's "),
    "the hotel ": ("our hotel ", "the hotel we sleep at "),
    "the room ": ("our room ", "the room we get "),
    "the flight ": ("our flight ", "the flight we take "),
    "the permit ": ("our permit ", "the permit we get "),
}
"""Other ways to name what a sentence is about."""

VARIANTS = 3
"""Ways to say a constraint."""


def said(constraint: Constraint, variant: int) -> str:
    """A constraint as a clause without its full stop, in one of three ways."""
    words = constraint.words
    subject = next((subject for subject in _SUBJECTS if words.startswith(subject)), None)
    if subject is None or variant % VARIANTS == 0:
        return words
    return _SUBJECTS[subject][variant % VARIANTS - 1] + words.removeprefix(subject)


# ---------------------------------------------------------------------------------------------------------------
# Hearing


def heard_level(text: str) -> int | None:
    """What is to be booked, as a level; None if the text does not say."""
    return next((level for level in (3, 2, 1) if LEVEL_WORDS[level] in text), None)


def heard_objective(text: str) -> Objective | None:
    """What the traveler wants most; None if the text does not say."""
    if wishes := _WISHES.search(_plain(text)):
        found = tuple(constraint for clause in wishes[1].split("; ") for constraint in _heard(clause))
        return FeatureCount(tuple(dict.fromkeys(found)))
    return next((SingleMetric(metric) for metric in METRICS.values() if metric.words in text), None)


def heard_constraints(text: str) -> tuple[Constraint, ...]:
    """Everything a plan must meet, as far as the text says; wishes are not among it."""
    return tuple(dict.fromkeys(_heard(_WISHES.sub("", _plain(text)))))


_WISHES = re.compile(r"as many as possible of these \d+: ([^.!?\n]+)")


def _plain(text: str) -> str:
    """The text with the first subject in place of the others."""
    return _OTHER_SUBJECT.sub(lambda match: _FIRST_SUBJECT[match[0].casefold()], text)


_FIRST_SUBJECT = {other: first for first, others in _SUBJECTS.items() for other in others}
_OTHER_SUBJECT = re.compile("|".join(map(re.escape, sorted(_FIRST_SUBJECT, key=len, reverse=True))), re.IGNORECASE)


def _heard(text: str) -> Iterator[Constraint]:
    for reader in _readers():
        for match in reader.pattern.finditer(text):
            value = reader.value(match)
            if value is not None:
                yield Constraint(reader.kind.type, value)


# -- One reader for each kind


@dataclass(frozen=True)
class _Reader:
    kind: Kind
    pattern: re.Pattern[str]
    scale: float = 1
    """What a number in words has to be multiplied by."""

    def value(self, match: re.Match[str]) -> Value | None:
        """The value in the gap; None if it is none of this kind."""
        match self.kind.shape:
            case Shape.FLAG:
                return True
            case Shape.NUMBER:
                return round(float(match[1].replace(",", "")) * self.scale)
            case Shape.TEXT:
                return _in_files(self.kind.type, match[1])
            case Shape.TEXTS:
                return tuple(_in_files(self.kind.type, name) for name in _BETWEEN_NAMES.split(match[1]))
            case Shape.BEDS:
                return (match["one"], 1) if match["one"] else (match["kind"], int(match["count"]))
            case Shape.STAYS:
                return _stays(match[1])


_NAMES = {
    "booking_class": ("economy", "premium_economy", "business"),
    "permit_kind": ("day_hikes", "guided_tours", "backpacking"),
    "airport_type": ("regional", "large"),
}
"""Kinds whose gap is filled from a short list, which keeps them apart from others that begin alike."""

_BETWEEN_NAMES = re.compile(r"(?:, | or )(?![^(]*\))")
_PROBE = 12_300
_NUMBER = r"([\d,]+(?:\.\d+)?)"
_TO_THE_END = r"([^.;!?\n]+?)(?=[.;!?\n]|$)"


def _in_files(type_: str, name: str) -> str:
    return name.replace(" ", "_") if type_ in _NAMES else name


@cache
def _readers() -> tuple[_Reader, ...]:
    return tuple(_reader(kind) for kind in VOCABULARY.values())


def _reader(kind: Kind) -> _Reader:
    match kind.shape:
        case Shape.FLAG:
            return _Reader(kind, _pattern(kind.wording(True), "", ""))
        case Shape.NUMBER:
            words = kind.wording(_PROBE)
            shown = re.search(r"\d[\d,]*", words)
            assert shown, words
            return _Reader(kind, _pattern(words, shown[0], _NUMBER), _PROBE / float(shown[0].replace(",", "")))
        case Shape.TEXT | Shape.TEXTS:
            words = kind.wording("Probe" if kind.shape is Shape.TEXT else ("Probe",))
            return _Reader(kind, _pattern(words, "Probe", _gap(kind.type, ends=words.endswith("Probe"))))
        case Shape.BEDS:
            return _Reader(kind, _BEDS)
        case Shape.STAYS:
            return _Reader(kind, re.compile(r"we stay ([^.;!?\n]+)"))


def _gap(type_: str, *, ends: bool) -> str:
    if type_ in _NAMES:
        return f"({'|'.join(name.replace('_', ' ') for name in _NAMES[type_])})"
    if type_ in ("depart_after", "arrive_before"):
        return r"(\d\d:\d\d)"
    return _TO_THE_END if ends else r"([^.;!?\n]+?)"


def _pattern(words: str, gap: str, filling: str) -> re.Pattern[str]:
    before, _, after = words.partition(gap) if gap else (words, "", "")
    return re.compile(rf"(?<!\w){re.escape(before)}{filling}{re.escape(after)}(?!\w)", re.IGNORECASE)


_BEDS = re.compile(
    r"the room has (?:a (?P<one>\w+) bed|at least (?P<count>\d+) (?P<kind>\w+) beds)(?!\w)", re.IGNORECASE
)


# -- Dates

_DAY = r"(August|September) (\d+)"
_ONE = re.compile(rf"from {_DAY} to {_DAY}")
_BETWEEN = re.compile(rf"any (\d+) nights? between {_DAY} and {_DAY}")
_FROM_ANY = re.compile(r"(\d+) nights? from any (\w+) in August")
_CHOICE = re.compile(rf"{_DAY} to {_DAY}")


def _stays(text: str) -> tuple[tuple[int, int], ...] | None:
    """The stays that a description of dates stands for; None if it is none."""
    if "any weekend in August" in text:
        return _starting("Friday", 2)
    if match := _FROM_ANY.search(text):
        return _starting(match[2], int(match[1]))
    if match := _BETWEEN.search(text):
        length, first, last = int(match[1]), _day(match[2], match[3]), _day(match[4], match[5])
        return tuple((start, start + length) for start in range(first, last - length + 1))
    found = (_ONE if text.startswith("from") else _CHOICE).finditer(text)
    return tuple((_day(match[1], match[2]), _day(match[3], match[4])) for match in found) or None


def _starting(name: str, length: int) -> tuple[tuple[int, int], ...]:
    starts = (day for day in range(1, LAST_DAY + 1) if weekday(day) == name and day + length <= LAST_DAY + 1)
    return tuple((start, start + length) for start in starts)


def _day(month: str, number: str) -> int:
    return int(number) + (LAST_DAY if month == "September" else 0)
