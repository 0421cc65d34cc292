"""Conversations about the toy park, and users of one's own making, for tests."""

import asyncio
import json
from collections.abc import Callable, Sequence
from dataclasses import replace

from tests.compass.small import toy_park

from tripgauge.compass.benchmark import LIMITS, Compass
from tripgauge.compass.constraints import Constraint
from tripgauge.compass.index import Index
from tripgauge.compass.objectives import METRICS, Objective, SingleMetric
from tripgauge.compass.personas import Attention, Persona, Speed, Trust
from tripgauge.compass.task import Level, StatedConstraint, Task
from tripgauge.compass.user import Voice
from tripgauge.conversation import Agent, OpenTurn, Transcript, converse

QUIET = Persona(Speed.FAST, Trust.TRUSTING, Attention.RELIABLE, 9)

PINE_INN = "pkg_1_10_12_1"
"""Two nights at $100: $200."""
PINE_INN_CHEAP = "pkg_2_10_12_1"
"""Two nights at $80: $160, without cancellation."""
ELK_LODGE = "pkg_3_10_12_1"
"""Two nights at $150: $300, with a pool and breakfast."""

FUNDAMENTAL = (
    Constraint("location", ("Toy",)),
    Constraint("dates", ((10, 12), (20, 22))),
    Constraint("room_occupancy", 2),
    Constraint("guests", 2),
    Constraint("budget", 100_000),
)


def toy_task(
    level: Level = 1, *later: Constraint, objective: Objective | str = "price", more: Sequence[Constraint] = ()
) -> Task:
    """A task in the toy park: the fundamentals and `more` at first, `later` bit by bit."""
    goal = SingleMetric(METRICS[objective]) if isinstance(objective, str) else objective
    first = (*FUNDAMENTAL, *((Constraint("origin", "HOM"),) if level > 1 else ()), *more)
    stated = [StatedConstraint(f"c{n}", constraint, "initial") for n, constraint in enumerate(first, 1)]
    stated += [
        StatedConstraint(f"c{n}", constraint, "progressive", order)
        for order, (n, constraint) in enumerate(enumerate(later, len(first) + 1), 1)
    ]
    return Task("toy", level, "Toy", goal, tuple(stated), "Ana and Bo like it quiet.", 0)


def toy_compass(*tasks: Task, persona: Persona | None = QUIET, voice: Voice | None = None, **limits: float) -> Compass:
    return Compass(Index(toy_park()), tasks, voice, persona=persona, limits=replace(LIMITS, **limits))  # type: ignore[arg-type]


def reply(*ids: str, message: str = "Here you are.") -> str:
    """An answer that recommends hotel, flight and permit, as far as ids are given."""
    named = dict(zip(("hotel", "flight", "permit"), ([id_] for id_ in ids), strict=False))
    return json.dumps({"message": message, "recommendation": named or None})


class Says:
    """An agent that answers by a function of the open turn."""

    def __init__(self, answer: Callable[[OpenTurn], str]) -> None:
        self._answer = answer

    async def respond(self, turn: OpenTurn) -> str:
        return self._answer(turn)


def talk(
    compass: Compass, agent: Agent | Callable[[OpenTurn], str] | str, task: str = "toy", seed: int = 0
) -> Transcript:
    """A whole conversation; an agent may be given as what it always says."""
    if isinstance(agent, str):
        said = agent
        agent = Says(lambda turn: said)
    elif not hasattr(agent, "respond"):
        agent = Says(agent)  # type: ignore[arg-type]
    held = asyncio.run(converse(agent, compass.dialogue(task, seed), compass.limits, seed=seed))  # type: ignore[arg-type]
    return held.transcript
