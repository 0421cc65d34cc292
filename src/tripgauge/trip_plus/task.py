"""A Trip+ task: what the traveler says over several turns, and what counts as right. (Trip+ 2.1, 2.3)

What an agent may see (`Brief`) and what grades it (`AnswerKey`) are different types from the file on: whatever talks
to an agent is given briefs and nothing else.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from tripgauge.trip_plus.frame import TripFrame as TripFrame
from tripgauge.trip_plus.itinerary import Mode


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
class TurnState:
    """What must hold of the answer to one turn; hidden from the agent. (Trip+ 2.3: s_t)"""

    mode: Mode
    """The response mode that is right."""

    frame: TripFrame
    """The trip as it stands after all updates so far: party, rooms, dates."""


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
