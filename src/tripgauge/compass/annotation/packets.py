"""What people judge simulated users by: each utterance beside what it was ordered to say (spec 12).

Turn 0 is left out, as in the paper: it lays out the trip and reacts to nothing.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from tripgauge.codec import decode, decode_json_lines, write_json_lines
from tripgauge.compass.benchmark import Compass
from tripgauge.compass.draws import Draws
from tripgauge.compass.orders import Assignment, Exchange, Orders
from tripgauge.compass.personas import STYLES, personas
from tripgauge.compass.phrases import LEVEL_WORDS
from tripgauge.compass.recommendation import COMPONENTS, read_reply
from tripgauge.compass.task import Task
from tripgauge.compass.utterance_check import slips
from tripgauge.compass.voices import order_lines
from tripgauge.conversation import Transcript, Turn
from tripgauge.errors import UsageError

CONVERSATIONS = 45
"""So many the paper has judged, with 198 responses."""


@dataclass(frozen=True)
class Line:
    """What one party said earlier."""

    speaker: str
    text: str


@dataclass(frozen=True)
class Packet:
    """One utterance to be judged."""

    id: str
    """Task, trial and turn."""

    task: str
    trial: int
    turn: int
    persona: str
    """Style, speed, trust and attention in words; attention as in the annotation guide: high or low."""

    backstory: str
    wanted: str
    objective: str
    known: tuple[str, ...]
    """Requirements told before."""

    orders: tuple[str, ...]
    """What the utterance had to say."""

    history: tuple[Line, ...]
    utterance: str
    mechanical: tuple[str, ...]
    """What the mechanical check finds wrong."""


def packets(compass: Compass, transcripts: Iterable[Transcript]) -> tuple[Packet, ...]:
    """The packets of some conversations; only those with a simulated user that left its orders have any."""
    return tuple(
        _packet(compass.task(transcript.task), transcript, place)
        for transcript in transcripts
        for place, turn in enumerate(transcript.turns)
        if place and turn.user
    )


def chosen(transcripts: Sequence[Transcript], count: int, seed: int) -> tuple[Transcript, ...]:
    """So many conversations, drawn, in their order; all of them if there are no more."""
    draws = Draws(seed)
    drawn = sorted(range(len(transcripts)), key=lambda place: draws.uniform("annotation", place).item())[:count]
    return tuple(transcripts[place] for place in sorted(drawn))


def write_packets(path: Path, found: Sequence[Packet]) -> None:
    """Writes packets, one a line. Raises UsageError if there are none."""
    if not found:
        raise UsageError("There is nothing to judge: no conversation has a simulated user's answer in it.")
    write_json_lines(path, found)


def read_packets(path: Path) -> tuple[Packet, ...]:
    """The packets of a file. Raises UsageError, naming line and field, for what is none."""
    found = decode_json_lines(Packet, path)
    if not found:
        raise UsageError(f"{path} holds no packets.")
    return found


def _packet(task: Task, transcript: Transcript, place: int) -> Packet:
    turn = transcript.turns[place]
    assert turn.user is not None
    given = assignment_of(task, transcript, place)
    persona = given.persona
    attention = {"reliable": "high", "unreliable": "low"}[persona.attention.value]
    return Packet(
        id=f"{task.task_id}.{transcript.trial}.{place}",
        task=task.task_id,
        trial=transcript.trial,
        turn=place,
        persona=(
            f"{STYLES[persona.style]}; {persona.speed.value} to tell, {persona.trust.value}, attention {attention}"
        ),
        backstory=task.backstory,
        wanted=LEVEL_WORDS[task.level],
        objective=task.objective.words,
        known=tuple(constraint.words for constraint in given.constraints(given.orders.told)),
        orders=order_lines(given),
        history=tuple(line for earlier in transcript.turns[:place] for line in _lines(earlier)),
        utterance=turn.utterance,
        mechanical=tuple(map(str, slips(turn.utterance, given))),
    )


def _lines(turn: Turn) -> tuple[Line, Line]:
    reply = read_reply(turn.answer)
    named = reply.recommendation
    ids = [id_ for component in COMPONENTS for id_ in named.ids(component)] if named else []
    offer = f" [recommends {', '.join(ids)}]" if ids else ""
    return Line("user", turn.utterance), Line("agent", f"{reply.message}{offer}")


def assignment_of(task: Task, transcript: Transcript, place: int) -> Assignment:
    """What the voice was given for one utterance of a transcript."""
    turn = transcript.turns[place]
    if turn.user is None:
        raise UsageError(f"{transcript.task}: nothing is recorded of the user's orders in turn {place}.")
    orders = decode(Orders, turn.user.orders, f"{transcript.task}, orders of turn {place}")
    known = {*orders.told, *orders.tell}
    return Assignment(
        orders=orders,
        persona=personas()[orders.persona],
        level=task.level,
        backstory=task.backstory,
        objective=task.objective,
        known={stated.id: stated.constraint for stated in task.constraints if stated.id in known},
        history=tuple(
            Exchange(earlier.utterance, read_reply(earlier.answer).message) for earlier in transcript.turns[:place]
        ),
        more_to_come=orders.disclosed_at is None,
        wording_seed=0,
    )
