"""Run folders of the toy town, for tests that read them."""

import io
from pathlib import Path

from rich.console import Console
from tests.trip_plus.scored_turns import toy

from tripgauge.run_commands import RunOptions, run
from tripgauge.trip_plus.dialogues import TripPlusDialogues
from tripgauge.trip_plus.edition import Edition

IDLE = "tripgauge.trip_plus.agents:IdleAgent"
HOTEL_NIGHTS = "tripgauge.trip_plus.agents:HotelNightsAgent"


def held(path: Path, agent: str = IDLE, edition: Edition = Edition.STRICT, **options: object) -> Path:
    """A finished run of an agent without a model."""
    benchmark = TripPlusDialogues(toy(), edition)
    run(benchmark, path, RunOptions(agent=agent, **options), Console(file=io.StringIO()))  # type: ignore[arg-type]
    return path
