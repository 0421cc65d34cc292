"""The simulated user: what it tells and asks in each turn, and when it is done (spec 9).

A state machine decides everything; a voice only finds the words. All chances come from one seed by purpose and turn,
so that every agent meets the same user. What is still to be told reaches no voice.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from tripgauge.codec import encode
from tripgauge.compass.catalogue import Catalogue
from tripgauge.compass.draws import Draws
from tripgauge.compass.judging import complaints
from tripgauge.compass.orders import Assignment, Complaint, Exchange, Orders
from tripgauge.compass.personas import Attention, Persona, Trust, drawn_persona, drawn_probability
from tripgauge.compass.recommendation import Reply, read_reply
from tripgauge.compass.task import StatedConstraint, Task
from tripgauge.compass.topics import mentioned_types
from tripgauge.conversation import End, Said, Turn

TURN_LIMIT = 20
"""A user says at most so much."""

LAST_TURNS = 2
"""Turns kept free at the end: one to recommend something that meets everything, one to have it checked."""


class Voice(Protocol):
    """Who finds the words."""

    @property
    def name(self) -> str:
        """What it is, with everything that can move a word."""
        ...

    async def say(self, assignment: Assignment) -> Said:
        """The utterance that carries out the orders."""
        ...


@dataclass(frozen=True)
class State:
    """What a user remembers between turns, beside the words."""

    turn: int
    """Of the next utterance, from 0."""

    told: int = 0
    """Progressive constraints told so far."""

    disclosed_at: int | None = None
    verification_done: bool = False


class Decisions:
    """The state machine of one user: from what the agent replied to what is said next."""

    def __init__(
        self, task: Task, catalogue: Catalogue, seed: int, persona: Persona | None = None, turn_limit: int = TURN_LIMIT
    ) -> None:
        self.task = task
        self.catalogue = catalogue
        self.turn_limit = turn_limit
        self.seed = seed
        self._draws = Draws(seed)
        self.persona = persona or drawn_persona(self._draws)
        self.probability = drawn_probability(self._draws, self.persona)

    def opening(self) -> tuple[State, Orders]:
        """Turn 0: the trip, the initial constraints and the objective."""
        disclosed_at = None if self.task.progressive else 0
        orders = Orders(
            turn=0,
            persona=self.persona.number,
            probability=self.probability,
            told=(),
            tell=_ids(self.task.initial),
            disclosed_at=disclosed_at,
        )
        return State(turn=1, disclosed_at=disclosed_at), orders

    def next(self, state: State, reply: Reply) -> tuple[State, Orders | End]:
        """What follows from the agent's reply. Asked only after a reply."""
        before = self._told(state.told)
        all_told = state.disclosed_at is not None
        found = self._complaints(before, reply)
        questions = not state.verification_done and self.persona.trust is Trust.QUESTIONING
        proposed = reply.recommendation is not None
        if all_told and proposed and not found and not questions:
            return state, End("accepted")
        if state.turn >= self.turn_limit:
            return state, End("turn_limit")
        drawn, forced = self._tells(state)
        told = state.told + (drawn or forced)
        disclosed_at = state.disclosed_at
        if disclosed_at is None and told == len(self.task.progressive):
            disclosed_at = state.turn
        rechecks = all_told and proposed and not found
        asked = "?" in reply.message
        orders = Orders(
            turn=state.turn,
            persona=self.persona.number,
            probability=self.probability,
            told=_ids(before),
            tell=_ids(self.task.progressive[state.told : told]),
            drawn=not all_told and not forced,
            forced=forced,
            disclosed_at=disclosed_at,
            complaints=found,
            asked=asked,
            answers=_about(reply.message, before) if asked else (),
            ask_recommendation=all_told and not proposed,
            ask_correction=all_told and bool(found),
            ask_check=rechecks,
            restate=rechecks,
        )
        return State(state.turn + 1, told, disclosed_at, state.verification_done or rechecks), orders

    def _told(self, count: int) -> tuple[StatedConstraint, ...]:
        return self.task.initial + self.task.progressive[:count]

    def _complaints(self, known: Sequence[StatedConstraint], reply: Reply) -> tuple[Complaint, ...]:
        if reply.recommendation is None or self.persona.attention is Attention.UNRELIABLE:
            return ()
        return complaints(self.task, known, reply.recommendation, self.catalogue)

    def _tells(self, state: State) -> tuple[bool, bool]:
        """Whether one more constraint is told by draw, and whether because few turns are left."""
        hidden = len(self.task.progressive) - state.told
        if not hidden:
            return False, False
        if self.turn_limit - state.turn <= hidden + LAST_TURNS:
            return False, True
        return self._draws.happens(self.probability, "revelation", state.turn).item(), False


def _ids(stated: Sequence[StatedConstraint]) -> tuple[str, ...]:
    return tuple(constraint.id for constraint in stated)


def _about(question: str, known: Sequence[StatedConstraint]) -> tuple[str, ...]:
    types = mentioned_types(question)
    return tuple(stated.id for stated in known if stated.constraint.type in types)


class SimulatedUser:
    """Talks with one agent about one task."""

    def __init__(self, decisions: Decisions, voice: Voice) -> None:
        self._decisions = decisions
        self._voice = voice
        self._state: State | None = None

    async def say(self, turns: Sequence[Turn]) -> Said | End:
        """The next utterance; the end once everything is told and a proposal accepted, the turns are used up, or the
        agent gave no answer."""
        if self._state is None or not turns:
            state, orders = self._decisions.opening()
        elif turns[-1].failed:
            return End("agent_stopped")
        else:
            state, following = self._decisions.next(self._state, read_reply(turns[-1].answer))
            if isinstance(following, End):
                return following
            orders = following
        said = await self._voice.say(self._assignment(state, orders, turns))
        self._state = state
        return Said(said.text, replace(said.log, orders=encode(orders)))

    def _assignment(self, state: State, orders: Orders, turns: Sequence[Turn]) -> Assignment:
        task = self._decisions.task
        known = {*orders.told, *orders.tell}
        return Assignment(
            orders=orders,
            persona=self._decisions.persona,
            level=task.level,
            backstory=task.backstory,
            objective=task.objective,
            known={stated.id: stated.constraint for stated in task.constraints if stated.id in known},
            history=tuple(Exchange(turn.utterance, read_reply(turn.answer).message) for turn in turns),
            more_to_come=state.disclosed_at is None,
            wording_seed=self._decisions.seed,
        )
