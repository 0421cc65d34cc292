"""A Trip+ task: what the traveler says over several turns, and what counts as right. (Trip+ 2.1, 2.3)

What an agent may see (`Brief`) and what grades it (`AnswerKey`) are different types from the file on: whatever talks
to an agent is given briefs and nothing else.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum

from tripgauge.trip_plus.frame import ExpectedWeather
from tripgauge.trip_plus.frame import TripFrame as TripFrame
from tripgauge.trip_plus.itinerary import Mode
from tripgauge.trip_plus.requirements.requirement import (
    EnvironmentCondition,
    HardConstraint,
    Requirement,
    SoftPreference,
)


class Archetype(StrEnum):
    """How a conversation develops. (Trip+ 2.3, Table 9)"""

    USER_STATE_EVOLUTION = "user_state_evolution"
    REQUEST_RESOLUTION = "request_resolution"
    ENVIRONMENT_DRIVEN = "environment_driven_replanning"
    LONG_HORIZON = "long_horizon_alignment"


@dataclass(frozen=True, slots=True)
class Child:
    """A child of the party; the age is None for one who joined in the conversation."""

    age: int | None
    note: str = ""


@dataclass(frozen=True, slots=True)
class Elder:
    """An elder of the party; the age is None for one who joined in the conversation."""

    age: int | None
    mobility_note: str = ""


@dataclass(frozen=True, slots=True)
class Party:
    """Who travels."""

    adults: int
    children: tuple[Child, ...] = ()
    elders: tuple[Elder, ...] = ()

    @property
    def people(self) -> int:
        """How many they are."""
        return self.adults + len(self.children) + len(self.elders)


@dataclass(frozen=True, slots=True)
class Profile:
    """What a traveler shows of himself. (Trip+ Table 6, visible part)"""

    party: Party
    budget_range: tuple[int, int]
    """A spending habit in yuan, never a cap."""

    accommodation_style: str
    mobility_constraints: tuple[str, ...] = ()
    physical_rules: tuple[str, ...] = ()
    schedule_rules: tuple[str, ...] = ()
    interest_tags: tuple[str, ...] = ()
    hate_tags: tuple[str, ...] = ()
    transport_preferences: tuple[str, ...] = ()
    rest_preferences: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Brief:
    """The visible part of a task: all that may reach an agent, the utterances one by one."""

    task_id: str
    utterances: tuple[str, ...]
    profile: Profile
    frame: TripFrame
    """As at the first turn; what changes later is said in the utterances."""


@dataclass(frozen=True, slots=True)
class Ambiguity:
    """A request that leaves something open, so that the right answer asks for it."""

    component: str
    """What is blocked: "restaurant"."""

    missing_slots: tuple[str, ...]
    """What is open, such as "price threshold"."""

    blocking: tuple[str, ...] = ()
    """The same in the words of the task."""


@dataclass(frozen=True, slots=True)
class ProfileConflict:
    """A request against what the traveler likes, so that the right answer asks which of both counts."""

    request: str
    visits_per_day: int | None
    """How many sights are asked for at least."""

    preferences: frozenset[SoftPreference]
    """What it goes against."""

    blocking: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CapConflict:
    """A new cap that an earlier constraint cannot meet.

    The right answer asks which of both counts or, where the traveler insists on both, says that it is impossible.
    """

    component: str
    """What is blocked: "hotel", "restaurant", "transport" or "budget"."""

    constraint: HardConstraint | None
    """The earlier constraint, as far as it still holds."""

    cap: Decimal | None
    observed: Decimal | None
    """Yuan: what is asked for, and the least that the constraint costs."""

    blocking: tuple[str, ...] = ()


Question = Ambiguity | ProfileConflict | CapConflict
"""Why a plan is not the right answer, and what an answer without a plan must be about."""


@dataclass(frozen=True, slots=True)
class TurnState:
    """What must hold of the answer to one turn; hidden from the agent. (Trip+ 2.3: s_t)"""

    mode: Mode
    """The response mode that is right."""

    frame: TripFrame
    """The trip as it stands after all updates so far: party, rooms, dates."""

    hard: frozenset[HardConstraint] = frozenset()
    soft: frozenset[SoftPreference] = frozenset()
    environment: frozenset[EnvironmentCondition] = frozenset()

    renewed: frozenset[Requirement] = frozenset()
    """Those among them that the traveler comes back to at this turn: the side of a conflict that counts."""

    question: Question | None = None
    """Where the right answer is no plan: what it must be about."""

    rest_days: frozenset[int] = frozenset()
    """Days on which the traveler asks for rest."""

    expected_weather: frozenset[ExpectedWeather] = frozenset()

    @property
    def requirements(self) -> frozenset[Requirement]:
        """All that must hold."""
        return frozenset[Requirement]().union(self.hard, self.soft, self.environment)

    def introduced_since(self, before: "TurnState | None") -> frozenset[Requirement]:
        """What this turn asks for: all that is new or changed, and what it comes back to. At the first turn, all."""
        return self.requirements - (before.requirements if before else frozenset()) | self.renewed

    def preserved_from(self, before: "TurnState | None") -> frozenset[Requirement]:
        """What was asked for before and must still hold."""
        return self.requirements & before.requirements if before else frozenset()


@dataclass(frozen=True, slots=True)
class AnswerKey:
    """The hidden part of a task."""

    archetype: Archetype
    base_query_id: str
    states: tuple[TurnState, ...]
    """One for each utterance."""

    record: Mapping[str, object]
    """The record as released, for edition `release`, which reads it as the published code does."""


@dataclass(frozen=True, slots=True)
class Task:
    """One instance of the benchmark."""

    brief: Brief
    key: AnswerKey

    @property
    def task_id(self) -> str:
        """Its id, such as "mt_single_0005"."""
        return self.brief.task_id
