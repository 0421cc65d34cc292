"""How a COMPASS user behaves, on four axes: how fast, how trusting, how attentive, and in which style (spec 9.1)."""

from dataclasses import dataclass
from enum import Enum
from functools import cache
from typing import Literal

from tripgauge.compass.draws import Draws

Style = Literal[1, 2, 3, 4, 5, 6, 7, 8, 9]

STYLES: dict[Style, str] = {
    1: "very polite and personal",
    2: "over-apologetic",
    3: "suspicious of scams, asks for reasoning",
    4: "demands justification for everything",
    5: "rambling, with long background",
    6: "scattered and repetitive",
    7: "dramatic",
    8: "quickly aggressive",
    9: "terse and organized",
}
"""How a user talks. It changes words only: 3 and 4 sound doubtful whatever the trust axis says."""


class Speed(Enum):
    """How soon a user tells what was not said at first."""

    SLOW = "slow"
    MEDIUM = "medium"
    FAST = "fast"

    @property
    def interval(self) -> tuple[float, float]:
        """Between what the probability lies that one more constraint is told in a turn."""
        low = {Speed.SLOW: 0.4, Speed.MEDIUM: 0.6, Speed.FAST: 0.8}[self]
        return low, low + 0.2


class Trust(Enum):
    """What a user does with a proposal once everything is told."""

    TRUSTING = "trusting"
    """Accepts it."""

    QUESTIONING = "questioning"
    """Asks once for everything to be checked again."""


class Attention(Enum):
    """Whether a user compares proposals with what was asked for."""

    RELIABLE = "reliable"
    """Always."""

    UNRELIABLE = "unreliable"
    """Never: the published "often overlooks" would need a probability that is not published."""


@dataclass(frozen=True)
class Persona:
    """One of the 108 kinds of user."""

    speed: Speed
    trust: Trust
    attention: Attention
    style: Style

    @property
    def number(self) -> int:
        """From 0 to 107."""
        axes = (list(Speed).index(self.speed), list(Trust).index(self.trust), list(Attention).index(self.attention))
        return ((axes[0] * 2 + axes[1]) * 2 + axes[2]) * 9 + self.style - 1

    @property
    def weight(self) -> int:
        """How often it occurs, out of 270 times: four users of five are trusting."""
        return 4 if self.trust is Trust.TRUSTING else 1


@cache
def personas() -> tuple[Persona, ...]:
    """All of them, each at the place of its number."""
    return tuple(
        Persona(speed, trust, attention, style)
        for speed in Speed
        for trust in Trust
        for attention in Attention
        for style in STYLES
    )


def drawn_persona(draws: Draws) -> Persona:
    """The persona of a conversation."""
    weights = [float(persona.weight) for persona in personas()]
    return personas()[draws.pick(weights, "persona").item()]


def drawn_probability(draws: Draws, persona: Persona) -> float:
    """The probability of one conversation that a user tells one more constraint in a turn."""
    low, high = persona.speed.interval
    return float(draws.between(low, high, "revelation probability").item())
