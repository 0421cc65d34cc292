"""Where the programs run that an agent writes: one interface, an interpreter of its own (default) or plain CPython.

The first confines a program; the second does not, and is there to measure what the subset of Python costs.
"""

import os
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from importlib.resources import files
from typing import Protocol

from tripgauge.errors import UsageError

FLOOD = 50
"""A program that prints this many times what is kept of its output is stopped."""

ERROR_CHARS = 2_000
"""What is kept of an error message, from its end."""


@dataclass(frozen=True)
class ProgramLimits:
    """How far one program may go, and how many tool calls all of them together."""

    seconds: float = 10
    """Of running; time in tools does not count."""

    memory_mb: int = 128
    output_chars: int = 8_000
    """What is kept of the output, from its beginning."""

    calls: int = 5_000
    """Of tools, by all programs of a turn. Whoever answers the calls counts them; here it only bounds the traffic."""


@dataclass(frozen=True)
class Ran:
    """What came of a program."""

    output: str
    error: str | None = None
    """Why it ended early, in the words its author needs."""

    lost: bool = False
    """Whether the variables are gone, so that the next program starts anew."""


class CallFailed(Exception):
    """A tool call of a program that could not be served: in the program a ValueError with this message."""


class ProgramOver(Exception):
    """A program is to be stopped where it is, with this reason, which it cannot catch."""


class UnknownName(Exception):
    """A program called something that is not there: in the program a NameError with this message."""


@dataclass(frozen=True)
class ToolFunctions:
    """The tools as functions."""

    names: Collection[str]
    call: Callable[[str, Sequence[object], Mapping[str, object]], object]
    """Name, arguments by position and by keyword; returns JSON values. It is also told of calls of names that do not
    exist, unless Python has them. Raises CallFailed, UnknownName and ProgramOver; any other exception ends the program
    and passes through to whoever ran it, unseen by the program."""


class Session(Protocol):
    """An interpreter that keeps its variables from one program to the next."""

    async def run(self, code: str, functions: ToolFunctions) -> Ran:
        """What came of a program. Whatever it does is told, never raised."""
        ...


class Backend(Protocol):
    """A way to run programs."""

    @property
    def manual(self) -> str:
        """What a model has to know of this Python."""
        ...

    def session(self, limits: ProgramLimits, seed: int) -> AbstractAsyncContextManager[Session]:
        """A fresh interpreter, its chances drawn from the seed. It is gone at the end of the block."""
        ...


def backend_named(name: str, *, unsafe: bool) -> Backend:
    """The backend of that name: `monty` or `cpython`. Raises UsageError if it cannot be had."""
    match name:
        case "monty":
            return _monty()
        case "cpython" if unsafe and os.name != "posix":
            raise UsageError("backend=cpython needs a Unix system: it ends programs by their process group.")
        case "cpython" if unsafe:
            from tripgauge.agents.code_cpython import CPython

            return CPython()
        case "cpython":
            raise UsageError(
                "backend=cpython lets the model's programs do on this machine whatever you may do: read and delete"
                " files, use the network, look up the right answers. If that is meant, add: unsafe=yes"
            )
        case _:
            raise UsageError(f"There is no backend {name!r} for programs; there are: monty, cpython.")


def _monty() -> Backend:
    try:
        from tripgauge.agents.code_monty import MontyBackend
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != "pydantic_monty":
            raise
        raise UsageError("Programs need pydantic-monty. Install it with: pip install 'tripgauge[code]'") from None
    return MontyBackend()


def helpers() -> str:
    """The program that defines the helpers."""
    return (files("tripgauge.agents") / "code_helpers.py").read_text(encoding="utf-8")


class Printed:
    """What a program prints, as far as it is kept."""

    def __init__(self, limits: ProgramLimits, on_flood: Callable[[], None]) -> None:
        self._room = limits.output_chars
        self._most = limits.output_chars * FLOOD
        self._on_flood = on_flood
        self._kept: list[str] = []
        self._chars = 0

    def __call__(self, stream: str, text: str) -> None:
        """Takes a piece."""
        if self._chars < self._room:
            self._kept.append(text[: self._room - self._chars])
        was_flood = self.is_flood
        self._chars += len(text)
        if self.is_flood and not was_flood:
            self._on_flood()

    @property
    def is_flood(self) -> bool:
        """Whether so much was printed that the program is to be stopped."""
        return self._chars > self._most

    @property
    def text(self) -> str:
        """What was kept, and how much was not."""
        left_out = self._chars - self._room
        note = f"\n[{left_out:,} more characters of output were left out]" if left_out > 0 else ""
        return "".join(self._kept) + note

    @property
    def flood_reason(self) -> str:
        """Why the program was stopped."""
        return f"it printed more than {self._most:,} characters"

    def stopped(self, reason: str) -> Ran:
        """What came of a program that was stopped."""
        return Ran(self.text, f"The program was stopped: {reason}.", lost=True)


def clipped(error: str) -> str:
    """An error message of bearable length: its end, where Python says what happened."""
    error = error.strip()
    return error if len(error) <= ERROR_CHARS else f"[...] {error[-ERROR_CHARS:]}"


INSTEAD = {
    "heapq": "nsmallest(n, items, key) and nlargest(n, items, key) are defined already",
    "statistics": "mean(numbers) and median(numbers) are defined already",
    "operator": "itemgetter(*keys) is defined already; for the rest use a lambda",
    "calendar": "use date.weekday() and timedelta",
    "collections.abc": "leave type hints out",
    "enum": "use texts",
    "fractions": "use decimal or whole numbers",
    "numpy": "use lists",
    "pandas": "use lists of dicts",
    "pprint": "use json.dumps(value, indent=1)",
}
"""What to use where a module is missing."""


def with_advice(error: str) -> str:
    """The error with what to use instead, where a module is missing."""
    for module, advice in INSTEAD.items():
        if f"No module named '{module}'" in error:
            return f"{error}\n({advice})"
    return error
