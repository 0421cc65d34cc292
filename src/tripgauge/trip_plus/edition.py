"""The two editions of Trip+: what may be compared with the paper, and what can be trusted."""

from enum import StrEnum


class Edition(StrEnum):
    """Which tools, reading of answers, turn limits, checks and means make up a score; never mixed in one table."""

    STRICT = "strict"
    """The paper's definitions, read so that nothing is earned by having nothing and travel facts are right."""

    RELEASE = "release"
    """Exactly as the published code computes them."""
