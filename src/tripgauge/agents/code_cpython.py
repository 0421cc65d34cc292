"""Programs in plain CPython, in a process of its own. UNSAFE: nothing keeps them from files, network and processes.

It is there to measure what the subset of Python of the default backend costs an agent: a track of its own, off unless
asked for. The limits on time and memory guard against accidents, not against intent.
"""

import asyncio
import json
import os
import re
import signal
import sys
import tempfile
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from importlib.resources import as_file, files
from typing import Any

from tripgauge.agents.code_backends import (
    CallFailed,
    Printed,
    ProgramLimits,
    ProgramOver,
    Ran,
    Session,
    ToolFunctions,
    UnknownName,
    clipped,
    helpers,
)

LONGEST_LINE = 64 << 20
"""Bytes of one message between the processes."""

MANUAL = """\
The interpreter is CPython with its standard library and nothing installed beside it."""


class CPython:
    """Unsafe."""

    manual = MANUAL

    @asynccontextmanager
    async def session(self, limits: ProgramLimits, seed: int) -> AsyncIterator[Session]:
        """A fresh interpreter in an empty folder that is deleted at the end of the block."""
        with tempfile.TemporaryDirectory(prefix="tripgauge-") as folder:
            session = CPythonSession(limits, seed, folder)
            try:
                yield session
            finally:
                await session.close()


class _Gone(Exception):
    """The process said nothing more, or nothing that can be read."""


class CPythonSession:
    """A process that is started when it is needed, and started anew when a program had to be stopped."""

    def __init__(self, limits: ProgramLimits, seed: int, folder: str) -> None:
        self._limits = limits
        self._seed = seed
        self._folder = folder
        self._process: asyncio.subprocess.Process | None = None
        self._seconds_left = 0.0

    async def run(self, code: str, functions: ToolFunctions) -> Ran:
        """What came of a program."""
        printed = Printed(self._limits, lambda: None)
        try:
            return await self._run(code, functions, printed)
        except ProgramOver as over:
            reason = str(over)
        except _Gone:
            reason = "the interpreter broke down under it"
        except BaseException:
            await self.close()
            raise
        await self.close()
        return printed.stopped(reason)

    async def _run(self, code: str, functions: ToolFunctions, printed: Printed) -> Ran:
        if self._process is None:
            await self._start(functions)
        self._seconds_left = self._limits.seconds
        await self._tell({"run": code})
        while True:
            match await self._hear():
                case {"printed": str(text)}:
                    printed("stdout", text)
                    if printed.is_flood:
                        raise ProgramOver(printed.flood_reason)
                case {"call": str(name), "args": list(args), "kwargs": dict(kwargs)}:
                    await self._tell(_answered(functions, name, args, kwargs))
                case {"end": "done"}:
                    return Ran(printed.text)
                case {"end": "error", "error": str(error), "unknown": unknown}:
                    advice = _unknown_name(functions, unknown, code)
                    return Ran(printed.text, "\n".join(part for part in (clipped(error), advice) if part))
                case _:
                    raise _Gone

    async def _start(self, functions: ToolFunctions) -> None:
        with as_file(files("tripgauge.agents") / "code_cpython_worker.py") as worker:
            self._process = await asyncio.create_subprocess_exec(
                sys.executable, "-S", "-s", "-P", "-B", str(worker),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.DEVNULL,
                cwd=self._folder,
                env={"PYTHONHASHSEED": "0", "PYTHONUTF8": "1"},
                limit=LONGEST_LINE,
                start_new_session=True,
            )  # fmt: skip
            await self._tell(
                {
                    "memory_mb": self._limits.memory_mb,
                    "seed": self._seed,
                    "tools": sorted(functions.names),
                    "helpers": helpers(),
                }
            )

    async def _tell(self, message: Mapping[str, object]) -> None:
        process = self._process
        if process is None or process.stdin is None:
            raise _Gone
        with suppress(ConnectionError):
            process.stdin.write(json.dumps(message).encode() + b"\n")
            await process.stdin.drain()

    async def _hear(self) -> Any:
        """The next message. Only the time that passes here is the program's."""
        process, loop = self._process, asyncio.get_running_loop()
        if process is None or process.stdout is None:
            raise _Gone
        before = loop.time()
        try:
            async with asyncio.timeout(self._seconds_left):
                line = await process.stdout.readline()
        except TimeoutError:
            raise ProgramOver(f"it ran for more than {self._limits.seconds:g} s") from None
        except ValueError:
            raise _Gone from None
        self._seconds_left -= loop.time() - before
        try:
            return json.loads(line)
        except (ValueError, RecursionError):
            raise _Gone from None

    async def close(self) -> None:
        """Ends the process and what it started in its group."""
        process, self._process = self._process, None
        if process is None:
            return
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        await process.wait()


def _answered(
    functions: ToolFunctions, name: str, args: list[object], kwargs: Mapping[str, object]
) -> Mapping[str, object]:
    try:
        return {"value": functions.call(name, args, kwargs)}
    except (CallFailed, UnknownName) as error:
        return {"error": str(error)}


def _unknown_name(functions: ToolFunctions, name: object, code: str) -> str:
    """What there is to say of a name that was called and is not there; the toolbox hears of it."""
    if not isinstance(name, str) or not re.search(rf"(?<![\w.]){re.escape(name)}\s*\(", code):
        return ""
    try:
        functions.call(name, (), {})
    except (CallFailed, UnknownName) as error:
        return str(error)
    return ""
