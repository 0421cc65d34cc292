"""What an utterance of the simulated user has to say: the dynamic and static fields of its prompt (spec 9.2)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tripgauge.compass.constraints import Constraint
from tripgauge.compass.objectives import Objective
from tripgauge.compass.personas import Persona


@dataclass(frozen=True)
class Complaint:
    """What a proposal does wrong."""

    constraint: str
    """The id of the constraint it breaks; "" where the proposal as such does not work."""

    observed: str
    """In words, as a clause: "the star rating is 2.5"."""


@dataclass(frozen=True)
class Orders:
    """What one utterance has to say. Constraints are named by their ids in the task."""

    turn: int
    """From 0, where the trip is laid out."""

    persona: int
    probability: float
    """That one more constraint is told in a turn; drawn once for the conversation."""

    told: tuple[str, ...]
    """Constraints that were told before this turn."""

    tell: tuple[str, ...] = ()
    """Constraints to tell now: all initial ones at turn 0, later one or none."""

    drawn: bool = False
    """Whether this turn drew if there is something to tell."""

    forced: bool = False
    """Whether something is told only because few turns are left."""

    disclosed_at: int | None = None
    """The turn at which the last constraint was told; None while there are more."""

    complaints: tuple[Complaint, ...] = ()
    asked: bool = False
    """Whether the agent asked something."""

    answers: tuple[str, ...] = ()
    """What of that can be answered: constraints told already that the question was about."""

    ask_recommendation: bool = False
    ask_correction: bool = False
    ask_check: bool = False
    restate: bool = False
    """Whether everything told so far is to be said again."""

    @property
    def follow_up(self) -> bool:
        """Whether there is nothing to say but to go on."""
        asks = self.ask_recommendation or self.ask_correction or self.ask_check
        return self.turn > 0 and not (self.tell or self.complaints or self.asked or asks)


@dataclass(frozen=True)
class Exchange:
    """One earlier turn, as the user remembers it."""

    user: str
    agent: str


@dataclass(frozen=True)
class Assignment:
    """Everything a voice gets: the orders, and in words what they are about. Nothing that is still to be told."""

    orders: Orders
    persona: Persona
    level: int
    backstory: str
    objective: Objective
    known: Mapping[str, Constraint]
    """Constraints told so far and now, by their ids."""

    history: Sequence[Exchange]
    more_to_come: bool
    """Whether there is more to tell. For judging what was said: no voice says it."""

    wording_seed: int
    """For choices among words."""

    def constraints(self, ids: Sequence[str]) -> tuple[Constraint, ...]:
        return tuple(self.known[constraint] for constraint in ids)
