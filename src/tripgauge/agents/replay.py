"""An agent that answers from files: results of another program, or answers written by hand."""

from decimal import Decimal
from pathlib import Path

from tripgauge.codec import read_text
from tripgauge.conversation import OpenTurn, Usage
from tripgauge.errors import UsageError


class ReplayAgent:
    """Answers each turn with the text of `<task>_turn_<number from 0>.txt`, or with nothing where there is none."""

    def __init__(self, folder: str) -> None:
        self._folder = Path(folder)
        if not any(self._folder.glob("*_turn_*.txt")):
            raise UsageError(f"No answers in {folder}; expected files such as TASK_turn_0.txt.")

    async def respond(self, turn: OpenTurn) -> str:
        """The text of the file."""
        turn.note(Usage(0, 0), Decimal(0))
        path = self._folder / f"{turn.task}_turn_{turn.number}.txt"
        return read_text(path) if path.exists() else ""
