"""What results can be broken down by, apart from scoring, so that the command line knows the words at once."""

from enum import StrEnum


class By(StrEnum):
    """One way to break results down."""

    ARCHETYPE = "archetype"
    """By archetype and turn. (Trip+ Fig. 4)"""

    COMPONENT = "component"
    """By component of the trip, with error rates. (Trip+ Fig. 5)"""

    TURN = "turn"
    RULE = "rule"
    """Classes of failures, with links to the turns."""

    CALLS = "calls"
    """Calls, tokens and cost against quality. (Trip+ Fig. 6 and 9)"""

    TRIALS = "trials"
    """pass^k."""
