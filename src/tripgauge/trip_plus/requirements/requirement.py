"""What a traveler asked for, as values: hard constraints, soft preferences, environment conditions. (Trip+ 2.3, B)

A requirement is a frozen dataclass: its fields are its parameters, its docstring is what it asks, and it reads the
execution trace and nothing else. Two are equal when kind and parameters are, so what is new at a turn and what must
still hold are set operations. Kinds that differ only in wording are one class, which lists them in `rules`.

A requirement is never met by having nothing to look at: what was asked for and is absent fails.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum, StrEnum
from fractions import Fraction
from typing import ClassVar

from tripgauge.checks import CheckResult, Finding, GroupScore, grouped
from tripgauge.trip_plus.trace.execution import Content, ExecutionTrace


class Component(StrEnum):
    """The part of a trip that a requirement is about; of soft preferences, their family. (Trip+ Fig. 5, Table 8)"""

    DATES = "dates"
    PARTY = "party"
    TRANSPORT = "transport"
    HOTELS = "hotels"
    RESTAURANTS = "restaurants"
    ATTRACTIONS = "attractions"
    BUDGET = "budget"
    SCHEDULE = "schedule"
    ENVIRONMENT = "environment"
    COMFORT_AND_PACE = "comfort_and_pace"
    TRANSPORT_CONVENIENCE = "transport_convenience"
    BUDGET_AND_VALUE = "budget_and_value"
    INTEREST_MATCH = "interest_match"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class Kind:
    """One kind of requirement."""

    id: str
    """As published, where the published files have it."""

    rule: str
    """What it asks, said positively and without its parameters."""

    type: "type[Requirement]"

    @property
    def group(self) -> Component:
        """The part of a trip it is about."""
        return self.type.group

    @property
    def source(self) -> str:
        """Where it is published."""
        return self.type.source


_KINDS: dict[str, Kind] = {}


def registered_kinds() -> Mapping[str, Kind]:
    """The kinds whose modules have been loaded, by id; `requirement_kinds` loads them all."""
    return _KINDS


def _first_paragraph(docstring: str | None) -> str:
    return (docstring or "").split("\n\n")[0]


def listed(names: Iterable[str]) -> str:
    """Some names in a sentence: "Fort Museum, Mint Gallery and Fern Garden"."""
    *others, last = sorted(names) or [""]
    return f"{', '.join(others)} and {last}" if others else last


class Requirement:
    """Something a plan must meet. A kind is a frozen dataclass with an `id`, or with `rules` for several ids."""

    group: ClassVar[Component]
    source: ClassVar[str]
    about: ClassVar[Content | None] = None
    """The content it is about. Where the plan has none of it: a failure if some was due, else not applicable."""

    rules: ClassVar[Mapping[str, str]] = {}
    """By id, what each of several kinds asks that share a class."""

    @property
    def id(self) -> str:
        """Its kind."""
        raise NotImplementedError  # pragma: no cover - every kind has one

    def __init_subclass__(cls) -> None:
        own = cls.__dict__.get("id")
        rules = cls.__dict__.get("rules", {}) | ({own: _first_paragraph(cls.__doc__)} if isinstance(own, str) else {})
        for id_, rule in rules.items():
            _KINDS[id_] = Kind(id_, " ".join(rule.split()), cls)

    @property
    def rule(self) -> str:
        """What its kind asks."""
        return _KINDS[self.id].rule

    def sentence(self) -> str:
        """What it asks, with its parameters in words."""
        return self.rule

    def find(self, trace: ExecutionTrace) -> Iterator[Finding]:
        """What is wrong with a plan that has what the requirement is about."""
        raise NotImplementedError  # pragma: no cover - every kind finds, or checks

    def not_applicable(self, trace: ExecutionTrace) -> str:
        """Why there is nothing to ask of this plan; "" if there is."""
        return ""

    def check(self, trace: ExecutionTrace) -> CheckResult:
        """Whether a plan meets it."""
        if self.about is not None and not trace.has(self.about):
            absent = trace.absent(self.about)
            return CheckResult(self.id, bool(absent), absent)
        if note := self.not_applicable(trace):
            return CheckResult(self.id, False, note=note)
        return CheckResult(self.id, True, tuple(self.find(trace)))


class HardConstraint(Requirement):
    """What must hold without fail."""


class EnvironmentCondition(Requirement):
    """What an event asks of a plan: weather, crowds, a closure, a delay."""

    group = Component.ENVIRONMENT
    source = "Trip+ 2.3, Table 9"


# --- Soft preferences -----------------------------------------------------------------------------------------------


class Severity(Enum):
    """How far a plan is from a preference, and what that is worth. (Trip+ Table 8)"""

    NONE = Fraction(1)
    MINOR = Fraction(1, 2)
    MAJOR = Fraction(0)


@dataclass(frozen=True)
class Limits:
    """Up to the first limit is fine, up to the second a minor breach, beyond it a major one."""

    fine: float
    minor: float

    def severity(self, value: float) -> Severity:
        """How bad that value is."""
        if value <= self.fine:
            return Severity.NONE
        return Severity.MINOR if value <= self.minor else Severity.MAJOR


@dataclass(frozen=True, slots=True)
class Signal:
    """One figure of a plan under a preference."""

    measure: str
    """As published, such as "max_day_span_hours"."""

    value: float
    severity: Severity
    finding: Finding
    """What to say of it unless it is fine."""


@dataclass(frozen=True, slots=True)
class Assessment(CheckResult):
    """What a preference says of a plan: one, half or nothing."""

    severity: Severity = Severity.NONE
    """The worst of its signals."""

    signals: tuple[Signal, ...] = ()

    @property
    def level(self) -> Fraction | None:
        """1, 1/2 or 0; None if the preference does not apply."""
        return self.severity.value if self.applicable else None

    @property
    def score(self) -> Fraction | None:
        """The level."""
        return self.level


class SoftPreference(Requirement):
    """What the traveler likes: met in three degrees. As an item asked for it passes at the full level only."""

    source = "Trip+ Table 8"

    def signals(self, trace: ExecutionTrace) -> Iterator[Signal]:
        """The figures of a plan that has what the preference is about."""
        raise NotImplementedError  # pragma: no cover - every kind has some

    def check(self, trace: ExecutionTrace) -> Assessment:
        """How far a plan meets it; the worst signal decides."""
        if self.about is not None and not trace.has(self.about):
            absent = trace.absent(self.about)
            return Assessment(self.id, bool(absent), absent, severity=Severity.MAJOR)
        if note := self.not_applicable(trace):
            return Assessment(self.id, False, note=note)
        signals = tuple(self.signals(trace))
        worst = min((signal.severity for signal in signals), key=lambda severity: severity.value, default=Severity.NONE)
        findings = tuple(signal.finding for signal in signals if signal.severity is not Severity.NONE)
        return Assessment(self.id, True, findings, severity=worst, signals=signals)

    def level(self, trace: ExecutionTrace) -> Fraction | None:
        """1, 1/2 or 0; None if it does not apply."""
        return self.check(trace).level


# --- What no check can decide ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Unchecked(Requirement):
    """Something a record asks for that no check can decide. It never applies, says why, and `data check` finds it."""

    group = Component.UNKNOWN
    source = ""

    name: str
    """As the record calls it."""

    reason: str

    @property
    def id(self) -> str:
        """As the record calls it."""
        return self.name

    @property
    def rule(self) -> str:
        """That there is none."""
        return f"{self.name} cannot be checked: {self.reason}."

    def not_applicable(self, trace: ExecutionTrace) -> str:
        """Always."""
        return f"cannot be checked: {self.reason}"


@dataclass(frozen=True)
class UncheckedConstraint(Unchecked, HardConstraint):
    """A hard constraint that cannot be checked."""


@dataclass(frozen=True)
class UncheckedPreference(Unchecked, SoftPreference):
    """A soft preference that cannot be checked."""


@dataclass(frozen=True)
class UncheckedCondition(Unchecked, EnvironmentCondition):
    """An environment condition that cannot be checked."""


FAMILIES = (
    Component.COMFORT_AND_PACE,
    Component.TRANSPORT_CONVENIENCE,
    Component.BUDGET_AND_VALUE,
    Component.INTEREST_MATCH,
)


def soft_score(preferences: Iterable[SoftPreference], trace: ExecutionTrace) -> GroupScore:
    """The mean over the families of the means over their preferences. (Trip+ B.4, two steps)"""
    by_family: dict[Component, list[CheckResult]] = {family: [] for family in FAMILIES}
    for preference in sorted(preferences, key=lambda preference: preference.id):
        by_family.setdefault(preference.group, []).append(preference.check(trace))
    families = tuple(grouped(family.value, tuple(results)) for family, results in by_family.items() if results)
    return grouped("soft_preferences", families)
