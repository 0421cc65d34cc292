"""An agent that may also write Python against the tools. (COMPASS, agents with code; Trip+ tools alike)

Beside the tools it has one more, which runs a program and returns what it prints. In the program every tool is a
function of the same name and parameters. What a program calls goes through the turn like any other call: answered by
the same dispatcher, recorded and counted one by one.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date, time
from decimal import Decimal

from tripgauge.agents.code_backends import (
    CallFailed,
    ProgramLimits,
    ProgramOver,
    Ran,
    Session,
    ToolFunctions,
    UnknownName,
    backend_named,
)
from tripgauge.agents.tool_calling import tool_calling
from tripgauge.chat import ToolCall, ToolSpec
from tripgauge.conversation import CallsSpent, Model, OpenTurn, writable
from tripgauge.errors import UsageError
from tripgauge.tools import Toolbox, ToolFault, ToolResult, tool, tools_of

EXECUTE_PYTHON = "execute_python"

LONGEST_ARGUMENTS = 20_000
"""Characters of the arguments of one call. A program could send more than any transcript should hold."""

DEEPEST_ARGUMENT = 20
"""Lists and objects within each other."""


class CodingAgent:
    """Answers with what a model says after it has made its tool calls and run its programs.

    Options are texts, as the command line gives them, or numbers: `seconds` and `memory_mb` bound each program,
    `output_chars` what is kept of its output, `tool_calls` the calls of all programs of a turn (never more than the
    turn's own limit). `backend` is `monty` or, with `unsafe` "yes", `cpython`. Raises UsageError for anything else.
    """

    def __init__(
        self,
        model: Model,
        *,
        backend: str = "monty",
        unsafe: str = "no",
        seconds: str | float = ProgramLimits.seconds,
        memory_mb: str | int = ProgramLimits.memory_mb,
        output_chars: str | int = ProgramLimits.output_chars,
        tool_calls: str | int = ProgramLimits.calls,
    ) -> None:
        if unsafe not in ("yes", "no"):
            raise UsageError(f"unsafe={unsafe} is neither yes nor no.")
        self.model = model
        self.backend = backend_named(backend, unsafe=unsafe == "yes")
        self.limits = ProgramLimits(
            seconds=_number("seconds", seconds, least=0.1, most=3600),
            memory_mb=int(_number("memory_mb", memory_mb, least=16, most=65_536)),
            output_chars=int(_number("output_chars", output_chars, least=200, most=1_000_000)),
            calls=int(_number("tool_calls", tool_calls, least=0, most=1_000_000)),
        )

    async def respond(self, turn: OpenTurn) -> str:
        """The model's first text without tool calls. Variables of programs last for the turn."""
        limits = replace(self.limits, calls=min(self.limits.calls, turn.limits.program_calls))
        async with self.backend.session(limits, turn.seed) as session:
            return await tool_calling(self.model, turn, ExecutePython(session, limits, turn, self.backend.manual))


def _number(name: str, given: str | float, *, least: float, most: float) -> float:
    try:
        number = float(given)
    except ValueError:
        raise UsageError(f"{name}={given} is no number.") from None
    if not least <= number <= most:
        raise UsageError(f"{name}={given} is not between {least:g} and {most:g}.")
    return number


# --- The tool -------------------------------------------------------------------------------------------------------


class _Form:
    """The tool's schema; calls of it are read as those of any other tool."""

    @tool
    def execute_python(self, code: str) -> str:
        """Runs a Python program.

        Args:
            code: The program.
        """
        return code


_MANUAL = """\
Runs a Python program and returns what it prints. Every other tool is also a function in it: call it with its \
parameters as keyword arguments. It returns the whole answer (no pages) as dicts, lists, texts and numbers, as the \
tool's answers show them; look at one before you rely on its shape. A call that cannot be served raises ValueError \
with the reason. Use it to make many calls, and to compare, sort and add up what they return.

Variables and functions last until you answer the user. Defined already: {helpers}; and nsmallest(n, items, key), \
nlargest(n, items, key), mean(numbers), median(numbers), itemgetter(*keys), dates(first, last) for a list of days as \
YYYY-MM-DD.

{backend}

Limits: {limits.seconds:g} s and {limits.memory_mb} MB for a program, {limits.output_chars:,} characters of output, \
{limits.calls:,} tool calls by all programs until you answer. A program over a limit is stopped, and the variables \
are lost."""

_DEFINED = "json, math, re, date, datetime, timedelta, Counter, defaultdict, chain, combinations, permutations, product"

_FENCED = re.compile(r"\A\s*```[\w-]*[ \t]*\r?\n(.*?)\r?\n?```\s*\Z", re.DOTALL)


class ExecutePython:
    """The tool that runs programs, for one turn."""

    def __init__(self, session: Session, limits: ProgramLimits, turn: OpenTurn, manual: str) -> None:
        (form,) = tools_of(_Form())
        description = _MANUAL.format(helpers=_DEFINED, backend=manual, limits=limits)
        self._toolbox = Toolbox([replace(form, description=description)])
        self._session = session
        self._limits = limits
        self._parameters = {spec.name: tuple(_properties(spec)) for spec in turn.tools}
        self._turn = turn
        self._calls = 0

    @property
    def spec(self) -> ToolSpec:
        """The tool as shown to a model."""
        return self._toolbox.specs[0]

    async def run(self, call: ToolCall, ask: Callable[[ToolCall], ToolResult]) -> ToolResult:
        """What came of a program; a content fault if it ended in an error."""
        read = self._toolbox.answer_one(call)
        if read.fault is not None:
            return read
        code, repairs = _without_fence(str(read.answer))
        ran = await self._ran(code, ask)
        text = writable(_told(ran))
        fault = ToolFault("content", writable(ran.error)) if ran.error is not None else None
        return ToolResult(call, EXECUTE_PYTHON, text, ran.output, fault=fault, repairs=(*read.repairs, *repairs))

    async def _ran(self, code: str, ask: Callable[[ToolCall], ToolResult]) -> Ran:
        def called(name: str, args: Sequence[object], kwargs: Mapping[str, object]) -> object:
            return self._value(name, args, kwargs, ask)

        return await self._session.run(code, ToolFunctions(self._parameters.keys(), called))

    def _value(
        self, name: str, args: Sequence[object], kwargs: Mapping[str, object], ask: Callable[[ToolCall], ToolResult]
    ) -> object:
        """What a function returns in the program."""
        if self._calls >= self._limits.calls < self._turn.limits.program_calls:
            raise ProgramOver(f"there are no tool calls left, {self._calls} were made")
        self._calls += 1
        own_name = self._turn.tool_name(name)
        arguments = arguments_text(self._parameters.get(own_name or name, ()), args, kwargs)
        try:
            result = ask(ToolCall(self._turn.new_id(), name, arguments))
        except CallsSpent as spent:
            raise ProgramOver(str(spent)) from None
        if result.fault is None:
            return result.value
        if own_name is None:
            raise UnknownName(f"name '{name}' is not defined. {result.fault.message}")
        raise CallFailed(result.fault.message)


def _properties(spec: ToolSpec) -> Mapping[str, object]:
    properties = spec.parameters["properties"]
    assert isinstance(properties, Mapping)
    return properties


def _without_fence(code: str) -> tuple[str, tuple[str, ...]]:
    fenced = _FENCED.match(code)
    return (fenced[1], ("code fence",)) if fenced else (code, ())


def _told(ran: Ran) -> str:
    """What the model reads."""
    if ran.error is None:
        return ran.output or "(The program ended and printed nothing.)"
    lost = "\n(All variables are lost: the next program starts anew.)" if ran.lost else ""
    output = f"{ran.output.rstrip()}\n\n" if ran.output else ""
    return f"{output}{ran.error}{lost}"


# --- Arguments ------------------------------------------------------------------------------------------------------


def arguments_text(names: Sequence[str], args: Sequence[object], kwargs: Mapping[str, object]) -> str:
    """The arguments of a function call as a model would have written them, for the toolbox to read.

    Those by position get the tool's parameter names in order. What has no place or no form in JSON stays visible as
    such, so that the toolbox complains of it.
    """
    pairs = [*_named(names, args), *kwargs.items()]
    # Written pair by pair: an argument given twice is for the toolbox to see.
    text = "{" + ",".join(f"{json.dumps(name)}:{_json(value)}" for name, value in pairs) + "}"
    if len(text) <= LONGEST_ARGUMENTS:
        return text
    return json.dumps({name: {"not_json": f"{len(text)} characters of arguments"} for name, _ in pairs[:20]})


def _named(names: Sequence[str], args: Sequence[object]) -> Iterator[tuple[str, object]]:
    for position, value in enumerate(args):
        yield names[position] if position < len(names) else f"argument {position + 1}", value


def _json(value: object) -> str:
    return json.dumps(_plain(value, DEEPEST_ARGUMENT), ensure_ascii=False)


def _plain(value: object, depth: int) -> object:
    """The value as JSON has it; what JSON has not is named by its kind."""
    match value:
        case None | bool() | str() | float():
            return value
        case int() if abs(value) < 10**300:
            return value
        case Decimal():
            return float(value)
        case date():
            return str(value).removesuffix(" 00:00:00")
        case time():
            return value.isoformat(timespec="minutes")
        case list() | tuple() if depth:
            return [_plain(item, depth - 1) for item in value]
        case dict() if depth and all(isinstance(key, str) for key in value):
            return {key: _plain(item, depth - 1) for key, item in value.items()}
        case _:
            return {"not_json": type(value).__name__}
