"""Programs in pydantic-monty: a small Python interpreter in a process of its own, without files, network or clock.

A program that calls a tool is suspended; the call is answered here, one by one, and nothing else of this program is
within its reach. An exception on our side never enters it: it is given plain values, or an error in our words.
"""

import asyncio
import builtins
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime
from typing import Any

from pydantic_monty import (
    AsyncFunctionSnapshot,
    AsyncMonty,
    AsyncMontySession,
    AsyncNameLookupSnapshot,
    AsyncSnapshot,
    MontyComplete,
    MontyCrashedError,
    MontyRuntimeError,
    MontySyntaxError,
    OSPolicy,
    ResourceLimits,
)

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
    with_advice,
)

NOW = datetime(2025, 1, 1)
"""What the clock of every program shows, for ever."""

DEEPEST = 200
"""Calls within each other."""

PATIENCE = 5
"""Seconds after which an interpreter that does not keep to its limits is ended from outside."""

MANUAL = f"""\
The interpreter is a small one and knows a part of Python. There are no files, no network, no other processes; the \
clock stands still at {NOW:%Y-%m-%d}. Not available: class inheritance (so no exception or Enum classes of your own), \
@property, @staticmethod, @classmethod, comparison methods of classes (sort with key=), yield (generator expressions \
work), del, the functions callable, vars, dir, globals, and the modules heapq, statistics, operator, collections.abc, \
enum, calendar, string, textwrap, io, pprint, fractions, traceback, numpy, pandas. json.dumps has no default=. \
Tools are called without await."""


class MontyBackend:
    """Confined and repeatable."""

    manual = MANUAL

    @asynccontextmanager
    async def session(self, limits: ProgramLimits, seed: int) -> AsyncIterator[Session]:
        """A fresh interpreter; its process starts with the first program."""
        session = MontySession(limits, seed)
        try:
            yield session
        finally:
            await session.close()


class MontySession:
    """An interpreter that is started when it is needed, and started anew when a program had to be stopped."""

    def __init__(self, limits: ProgramLimits, seed: int) -> None:
        self._limits = limits
        self._seed = seed
        self._pool: AsyncMonty | None = None
        self._session: AsyncMontySession | None = None

    async def run(self, code: str, functions: ToolFunctions) -> Ran:
        """What came of a program."""
        try:
            return await self._run(code, functions)
        except BaseException:
            await self.close()
            raise

    async def _run(self, code: str, functions: ToolFunctions) -> Ran:
        session = self._session or await self._start()
        cut = _Cut()
        printed = Printed(self._limits, cut.soon)
        try:
            async with cut:
                step = await session.feed_start(code, print_callback=printed)
                while not isinstance(step, MontyComplete) and not printed.is_flood:
                    step = await _resumed(step, functions)
        except (MontyRuntimeError, MontySyntaxError) as error:
            if printed.is_flood:
                return await self._stopped(printed, printed.flood_reason)
            exceeded = self._exceeded(error.exception())
            if exceeded:
                return await self._stopped(printed, exceeded)
            return Ran(printed.text, with_advice(clipped(error.display())))
        except MontyCrashedError:
            return await self._stopped(printed, "the interpreter broke down under it")
        except ProgramOver as over:
            return await self._stopped(printed, str(over))
        if printed.is_flood:
            return await self._stopped(printed, printed.flood_reason)
        return Ran(printed.text)

    def _exceeded(self, error: BaseException) -> str | None:
        """Which limit of the interpreter ended the program, if one did."""
        match error:
            case TimeoutError() if "limit" in str(error):
                return f"it ran for more than {self._limits.seconds:g} s"
            case MemoryError() if "limit" in str(error):
                return f"it needed more than {self._limits.memory_mb} MB of memory"
            case RuntimeError() if "suspension limit" in str(error):
                return "it asked too often for what it cannot have"
            case _:
                return None

    async def _stopped(self, printed: Printed, reason: str) -> Ran:
        await self.close()
        return printed.stopped(reason)

    async def _start(self) -> AsyncMontySession:
        limits: ResourceLimits = {
            "max_feed_duration_secs": self._limits.seconds,
            "max_memory": self._limits.memory_mb << 20,
            "max_recursion_depth": DEEPEST,
            # Names looked up and files refused count too.
            "max_suspensions": 2 * self._limits.calls + 1_000,
        }
        policy: OSPolicy = {
            "datetime": NOW,
            "timezone": "utc",
            "sleep": "zero",
            "process_time": "zero",
            "random_start": {"seed": self._seed},
        }
        pool = AsyncMonty(min_processes=1, max_processes=1, request_timeout=self._limits.seconds + PATIENCE)
        self._pool = await pool.__aenter__()
        session = pool.checkout(script_name="program.py", limits=limits, os_policy=policy)
        self._session = await session.__aenter__()
        await session.feed_run(helpers())
        return session

    async def close(self) -> None:
        """Ends the process."""
        session, pool = self._session, self._pool
        self._session = self._pool = None
        if session is not None:
            await session.__aexit__(None, None, None)
        if pool is not None:
            await pool.__aexit__(None, None, None)


class _Cut:
    """A block that can be left from another thread, where output arrives: a program that floods ends where it is."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._timeout = asyncio.timeout(None)
        self._open = False

    async def __aenter__(self) -> None:
        await self._timeout.__aenter__()
        self._open = True

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: Any) -> bool:
        self._open = False
        try:
            await self._timeout.__aexit__(kind, error, trace)
        except TimeoutError:
            return True
        return False

    def soon(self) -> None:
        """Leaves the block at once, if it has not been left."""
        self._loop.call_soon_threadsafe(self._now)

    def _now(self) -> None:
        if self._open:
            self._open = False
            self._timeout.reschedule(self._loop.time())


async def _resumed(step: AsyncSnapshot, functions: ToolFunctions) -> AsyncSnapshot:
    """The program after what it waits for: a tool, a name, or the world outside, which it does not get."""
    match step:
        case AsyncFunctionSnapshot() if step.is_os_function:
            return await step.resume_not_handled()
        case AsyncFunctionSnapshot():
            return await _called(step, functions)
        case AsyncNameLookupSnapshot() if step.object_id is None and step.variable_name in functions.names:
            return await step.resume(value=_named(step.variable_name))
        case AsyncNameLookupSnapshot():
            return await step.resume()
        case _:
            raise TypeError(f"A program waits for {type(step).__name__}, which nothing here starts.")


async def _called(step: AsyncFunctionSnapshot, functions: ToolFunctions) -> AsyncSnapshot:
    name = step.function_name
    if name not in functions.names and hasattr(builtins, name):
        return await step.resume({"exc_type": "NameError", "message": f"name '{name}' is not defined here"})
    try:
        value = functions.call(name, step.args, step.kwargs)
    except CallFailed as error:
        return await step.resume({"exc_type": "ValueError", "message": str(error)})
    except UnknownName as error:
        return await step.resume({"exc_type": "NameError", "message": str(error)})
    return await step.resume({"return_value": value})


def _named(name: str) -> object:
    """What stands for a tool where a program looks at its name; its calls come back under that name."""

    def function() -> None: ...

    function.__name__ = name
    return function
