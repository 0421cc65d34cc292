"""Who finds the words for what a simulated user has decided: a script without a model, or a language model (spec 9).

Both get the same assignment. What a model says is held against it; after two more attempts the script says it instead.
What was thrown away is kept, as the simulator's faults.
"""

import hashlib
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cache
from importlib.resources import files
from string import Template

from tripgauge.chat import Message
from tripgauge.compass.constraints import Constraint
from tripgauge.compass.draws import Draws
from tripgauge.compass.orders import Assignment
from tripgauge.compass.personas import STYLES
from tripgauge.compass.phrases import LEVEL_WORDS, VARIANTS, said
from tripgauge.compass.utterance_check import slips
from tripgauge.conversation import Cost, Model, ModelReply, Rejected, Said, Usage, UserLog

ATTEMPTS = 3
"""How often a model is asked for one utterance before the script speaks."""


# ---------------------------------------------------------------------------------------------------------------
# The script


class ScriptedVoice:
    """Says it from a script: nine styles, each with several ways to say everything."""

    @property
    def name(self) -> str:
        """With a digest of the script."""
        return f"scripted {_digest('voices.toml')}"

    async def say(self, assignment: Assignment) -> Said:
        """The utterance that carries out the orders."""
        return Said(scripted_text(assignment), UserLog({}))


def scripted_text(assignment: Assignment) -> str:
    """The script's words for an assignment."""
    lines = _Lines(assignment)
    parts = [lines.greeting()]
    if assignment.orders.turn == 0:
        parts += lines.opening()
    else:
        parts += [*lines.answer(), *lines.complaints(), *lines.news(), *lines.asks()]
    return " ".join((*parts, lines.pick("close")))


class _Lines:
    """The lines of one utterance, each drawn by what it is for."""

    def __init__(self, assignment: Assignment) -> None:
        self._assignment = assignment
        self._orders = assignment.orders
        self._script = _script()[str(assignment.persona.style)]
        self._draws = Draws(assignment.wording_seed)

    def pick(self, purpose: str, place: int = 0) -> str:
        """A line; the next of several for the same purpose differs."""
        lines = self._script[purpose]
        first = self._draws.whole(0, len(lines) - 1, f"words {purpose}", self._orders.turn).item()
        return lines[(first + place) % len(lines)]

    def greeting(self) -> str:
        """How an utterance begins: the first line is for meeting somebody, the others for going on."""
        first, *others = self._script["open"]
        place = self._draws.whole(0, len(others) - 1, "words open", self._orders.turn).item()
        return first if self._orders.turn == 0 else others[place]

    def opening(self) -> list[str]:
        """The trip, what it must meet, and what is wanted most."""
        wanted = self.pick("wanted").format(LEVEL_WORDS[self._assignment.level])
        wish = self.pick("wish").format(self._assignment.objective.words)
        return [self._assignment.backstory, wanted, *self.news(), wish]

    def news(self) -> list[str]:
        """What is told now."""
        told = self._assignment.constraints(self._orders.tell)
        return [self.pick("must", place).format(self._clause(item, place)) for place, item in enumerate(told)]

    def answer(self) -> list[str]:
        """What is said to a question."""
        if not self._orders.asked:
            return []
        known = self._assignment.constraints(self._orders.answers)
        if not known:
            return [self.pick("vague")]
        return [self.pick("known").format("; ".join(self._clause(item, place) for place, item in enumerate(known)))]

    def complaints(self) -> list[str]:
        """What is wrong with the proposal."""
        found = []
        for place, complaint in enumerate(self._orders.complaints):
            constraint = self._assignment.known.get(complaint.constraint)
            if constraint is None:
                found.append(self.pick("broken", place).format(complaint.observed))
            else:
                clause = self._clause(constraint, place)
                found.append(self.pick("wrong", place).format(clause, seen=complaint.observed))
        return found

    def asks(self) -> list[str]:
        """What is asked for, or that it may go on."""
        orders = self._orders
        if orders.ask_correction:
            return [self.pick("fix")]
        if orders.ask_recommendation:
            return [self.pick("ask")]
        if orders.ask_check:
            told = self._assignment.constraints(orders.told)
            again = (self.pick("again", place).format(self._clause(item, place)) for place, item in enumerate(told))
            return [self.pick("check"), *again]
        return [self.pick("follow")] if orders.follow_up or orders.asked else []

    def _clause(self, constraint: Constraint, place: int) -> str:
        variant = self._draws.whole(0, VARIANTS - 1, "variant", self._orders.turn, place)
        return said(constraint, variant.item())


# ---------------------------------------------------------------------------------------------------------------
# A model


@dataclass(frozen=True)
class ModelVoice:
    """Has a language model say it, and lets through only what keeps to the orders."""

    model: Model
    model_name: str

    @property
    def name(self) -> str:
        """The model, with a digest of its prompts and of the script that stands in."""
        return f"{self.model_name} {_digest('user.md', 'user_again.md', 'voices.toml')}"

    async def say(self, assignment: Assignment) -> Said:
        """The first of three attempts that keeps to the orders, or the script's words.

        Raises InfrastructureError if the model cannot be reached.
        """
        messages = prompt(assignment)
        spent = _Spent()
        rejected: list[Rejected] = []
        for _ in range(ATTEMPTS):
            reply = await self.model(messages, ())
            spent.add(reply)
            found = slips(reply.text, assignment)
            if not found:
                return Said(reply.text.strip(), spent.log(rejected, scripted=False))
            rejected.append(Rejected(reply.text, tuple(map(str, found))))
            complaint = "\n".join(f"- {slip.about}" for slip in found)
            again = Template(prompt_text("user_again.md")).substitute(slips=complaint)
            messages = (*messages, Message("assistant", reply.text), Message("user", again))
        return Said(scripted_text(assignment), spent.log(rejected, scripted=True))


@dataclass
class _Spent:
    """What an utterance cost."""

    calls: int = 0
    usage: Usage = field(default_factory=Usage)
    cost: Cost = Decimal(0)

    def add(self, reply: ModelReply) -> None:
        self.calls += 1
        self.usage = self.usage + reply.usage
        known = self.cost != "unknown" and reply.cost != "unknown"
        self.cost = self.cost + reply.cost if known else "unknown"  # type: ignore[operator, assignment]

    def log(self, rejected: Sequence[Rejected], *, scripted: bool) -> UserLog:
        return UserLog({}, tuple(rejected), scripted, self.calls, self.usage, self.cost)


def prompt(assignment: Assignment) -> tuple[Message, ...]:
    """What a model is told: its role and orders, then the conversation from where it stands."""
    told = assignment.constraints(assignment.orders.told)
    system = Template(prompt_text("user.md")).substitute(
        style=STYLES[assignment.persona.style],
        backstory=assignment.backstory,
        wanted=LEVEL_WORDS[assignment.level],
        objective=assignment.objective.words,
        told=_listed(tuple(constraint.words for constraint in told)) or "nothing yet",
        orders=_listed(order_lines(assignment)),
    )
    messages = [Message("system", system)]
    for exchange in assignment.history:
        messages += [Message("assistant", exchange.user), Message("user", exchange.agent or "(nothing)")]
    if not assignment.history:
        messages.append(Message("user", "Hello, how can I help you?"))
    return tuple(messages)


def order_lines(assignment: Assignment) -> tuple[str, ...]:
    """The orders in words, for whoever carries them out or judges how that was done."""
    orders, lines = assignment.orders, []
    if orders.turn == 0:
        lines.append(f"Lay out your trip, and say that you want {LEVEL_WORDS[assignment.level]}.")
    for complaint in orders.complaints:
        constraint = assignment.known.get(complaint.constraint)
        if constraint is None:
            lines.append(f"Complain that the proposal does not work: {complaint.observed}.")
        else:
            broken = f"you require that {constraint.words}, but {complaint.observed}"
            lines.append(f"Complain that the proposal does not fit: {broken}.")
    lines += [f"Tell this requirement: {constraint.words}." for constraint in assignment.constraints(orders.tell)]
    if orders.turn == 0:
        lines.append(f"Say what you want most: {assignment.objective.words}.")
    if orders.answers:
        known = "; ".join(constraint.words for constraint in assignment.constraints(orders.answers))
        lines.append(f"Answer the agent's question from this: {known}. Leave anything else it asks about open.")
    elif orders.asked:
        lines.append("The agent asked something that you leave open: say so, without naming it.")
    if orders.ask_recommendation:
        lines.append("Ask for a formal recommendation.")
    if orders.ask_correction:
        lines.append("Ask for a corrected proposal.")
    if orders.ask_check:
        lines.append("Ask to have the whole recommendation checked again.")
    if orders.restate:
        lines.append("Repeat every one of your requirements, with its figures.")
    if orders.follow_up:
        lines.append("Say something neutral, so that the agent goes on. Tell nothing new.")
    return tuple(lines)


def _listed(lines: Sequence[str]) -> str:
    return "\n".join(f"- {line}" for line in lines)


# ---------------------------------------------------------------------------------------------------------------
# Files


@cache
def prompt_text(name: str) -> str:
    """The text of a prompt file."""
    return (files("tripgauge.compass") / "prompts" / name).read_text(encoding="utf-8").strip()


@cache
def _script() -> Mapping[str, Mapping[str, list[str]]]:
    styles: Mapping[str, Mapping[str, list[str]]] = tomllib.loads(prompt_text("voices.toml"))["style"]
    return styles


def _digest(*names: str) -> str:
    content = "\n".join(prompt_text(name) for name in names)
    return hashlib.sha256(content.encode()).hexdigest()[:12]
