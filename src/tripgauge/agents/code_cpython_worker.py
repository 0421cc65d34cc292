"""Runs programs in a process of its own, for `code_cpython`. Not a sandbox.

It is started by its path, without the package on its way, so it imports the standard library only. One JSON line each
way: programs and answers to tool calls come in, calls, output and ends go out.
"""

import builtins
import contextlib
import datetime
import json
import linecache
import os
import random
import traceback
from collections.abc import Callable, Mapping
from typing import Any, TextIO

PROGRAM = "program.py"

PIECE = 4096
"""Characters of output that are sent together."""


class Host:
    """The process that started this one."""

    def __init__(self, incoming: TextIO, outgoing: TextIO) -> None:
        self._incoming = incoming
        self._outgoing = outgoing

    def tell(self, message: Mapping[str, object]) -> None:
        """Sends a line."""
        self._outgoing.write(json.dumps(message, default=plain) + "\n")
        self._outgoing.flush()

    def hear(self) -> dict[str, Any]:
        """The next line; at the end of them this process ends."""
        line = self._incoming.readline()
        if not line:
            os._exit(0)
        heard: dict[str, Any] = json.loads(line)
        return heard


def plain(value: object) -> object:
    """An argument that JSON does not know, as the other side shows it in its complaint."""
    if isinstance(value, datetime.date):
        return str(value).removesuffix(" 00:00:00")
    if isinstance(value, datetime.time):
        return value.isoformat(timespec="minutes")
    return {"not_json": type(value).__name__}


class Output:
    """Standard output and error of the program."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._pieces: list[str] = []
        self._chars = 0

    def write(self, text: str) -> int:
        """Takes a text."""
        self._pieces.append(text)
        self._chars += len(text)
        if self._chars >= PIECE:
            self.flush()
        return len(text)

    def flush(self) -> None:
        """Sends what there is."""
        if self._pieces:
            self._host.tell({"printed": "".join(self._pieces)})
        self._pieces, self._chars = [], 0


def tool_function(name: str, host: Host, output: Output) -> Callable[..., object]:
    """The tool as a function."""

    def function(*args: object, **kwargs: object) -> object:
        output.flush()
        host.tell({"call": name, "args": args, "kwargs": kwargs})
        heard = host.hear()
        if "error" in heard:
            raise ValueError(heard["error"])
        return heard["value"]

    function.__name__ = name
    return function


def run(code: str, variables: dict[str, object]) -> dict[str, object]:
    """How a program ended."""
    linecache.cache[PROGRAM] = (len(code), None, code.splitlines(keepends=True), PROGRAM)
    try:
        exec(compile(code, PROGRAM, "exec"), variables)
    except BaseException as error:  # noqa: BLE001  (whatever ends a program is what came of it)
        shown = traceback.TracebackException.from_exception(error)
        own = [frame for frame in shown.stack if frame.filename == PROGRAM]
        shown.stack = traceback.StackSummary.from_list(own)
        unknown = error.name if isinstance(error, NameError) and not hasattr(builtins, error.name or "") else None
        return {"end": "error", "error": "".join(shown.format()), "unknown": unknown}
    return {"end": "done"}


def limit(memory_mb: int) -> None:
    """Keeps this process from eating up the machine, where the system can."""
    with contextlib.suppress(ImportError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (memory_mb << 20, memory_mb << 20))
        resource.setrlimit(resource.RLIMIT_FSIZE, (memory_mb << 20, memory_mb << 20))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def main() -> None:
    """Runs programs until there are no more."""
    incoming = os.fdopen(os.dup(0), "r", encoding="utf-8")
    outgoing = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(os.open(os.devnull, os.O_RDWR), 0)
    os.dup2(2, 1)
    host = Host(incoming, outgoing)
    output = Output(host)
    start = host.hear()
    limit(start["memory_mb"])
    random.seed(start["seed"])
    tools = {name: tool_function(name, host, output) for name in start["tools"]}
    variables: dict[str, object] = {"__name__": "__main__", "__builtins__": builtins}
    exec(start["helpers"], variables)
    variables.update(tools)
    while True:
        program = host.hear()["run"]
        with contextlib.redirect_stdout(output), contextlib.redirect_stderr(output):
            ended = run(program, variables)
        output.flush()
        host.tell(ended)


if __name__ == "__main__":
    main()
