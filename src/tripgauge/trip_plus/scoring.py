"""What an answer to one turn is worth, edition `strict`: the mode gate, then feasibility. (Trip+ 2.4)"""

from dataclasses import dataclass

from tripgauge.checks import GroupScore
from tripgauge.trip_plus.feasibility.score import feasibility
from tripgauge.trip_plus.itinerary import Mode, Plan, Response, mode_of
from tripgauge.trip_plus.joining import execution_trace
from tripgauge.trip_plus.sandbox.store import Sandbox
from tripgauge.trip_plus.task import TurnState
from tripgauge.trip_plus.trace import ExecutionTrace


@dataclass(frozen=True)
class TurnScore:
    """The strict score of one answer."""

    expected: Mode
    observed: Mode | None
    """None for an answer that cannot be read."""

    trace: ExecutionTrace | None
    """Of a delivered plan, also where none was wanted."""

    feasibility: GroupScore | None
    """None unless a plan was wanted and came."""

    @property
    def mode_is_right(self) -> bool:
        """The response gate R_t: the answer is of the kind the turn wants."""
        return self.observed is self.expected


def score_turn(response: Response, state: TurnState, sandbox: Sandbox) -> TurnScore:
    """Score one parsed answer against what must hold of it."""
    observed = mode_of(response)
    trace = execution_trace(response.itinerary, state.frame, sandbox) if isinstance(response, Plan) else None
    graded = trace is not None and state.mode is Mode.PLAN
    return TurnScore(state.mode, observed, trace, feasibility(trace) if graded and trace else None)
