"""What Inspect AI finds by the name `tripgauge/...`: tasks, solver, scorer and metrics."""

from tripgauge.frontends.inspect_ai.task import TURN_METRICS, dialogue, trip_plus, turn_scorer, turns_counted

__all__ = ["TURN_METRICS", "dialogue", "trip_plus", "turn_scorer", "turns_counted"]
