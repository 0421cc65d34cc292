"""What Inspect AI finds by the name `tripgauge/...`: tasks, solver, scorers and metrics."""

from tripgauge.frontends.inspect_ai.compass import compass, compass_scorer
from tripgauge.frontends.inspect_ai.task import TURN_METRICS, dialogue, trip_plus, turn_scorer, turns_counted

__all__ = ["TURN_METRICS", "compass", "compass_scorer", "dialogue", "trip_plus", "turn_scorer", "turns_counted"]
