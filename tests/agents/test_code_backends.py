"""Where programs run: hostile ones are stopped and change nothing outside, honest ones get on."""

import asyncio
import os
import socket
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from tripgauge.agents.code_backends import (
    Backend,
    CallFailed,
    ProgramLimits,
    ProgramOver,
    Ran,
    ToolFunctions,
    UnknownName,
    backend_named,
)
from tripgauge.errors import UsageError

pytest.importorskip("pydantic_monty")

LIMITS = ProgramLimits(seconds=0.5, memory_mb=32, output_chars=1_000, calls=500)

SECRET = "the optimum is the hotel by the lake"


class Desk:
    """The tools of these tests, and how often they were called."""

    def __init__(self, most: int = LIMITS.calls) -> None:
        self.calls: list[tuple[str, tuple[object, ...], dict[str, object]]] = []
        self._most = most

    def __call__(self, name: str, args: Sequence[object], kwargs: Mapping[str, object]) -> object:
        if len(self.calls) >= self._most:
            raise ProgramOver(f"there are no tool calls left, {self._most} were made")
        self.calls.append((name, tuple(args), dict(kwargs)))
        match name:
            case "hotels":
                return [{"name": "Inn", "price": 90}, {"name": "Grand", "price": 240.5, "stars": None}]
            case "refused":
                raise CallFailed("No such city.")
            case "broken":
                raise RuntimeError(SECRET)
            case _:
                raise UnknownName(f"name '{name}' is not defined. There is no such tool.")

    @property
    def functions(self) -> ToolFunctions:
        return ToolFunctions({"hotels", "refused", "broken"}, self)


async def _run(backend: Backend, codes: Sequence[str], desk: Desk, limits: ProgramLimits, seed: int) -> list[Ran]:
    async with backend.session(limits, seed) as session:
        return [await session.run(code, desk.functions) for code in codes]


def run(*codes: str, desk: Desk | None = None, backend: str = "monty", seed: int = 0, **limits: float) -> list[Ran]:
    """What came of some programs, one after the other in one session."""
    within = ProgramLimits(**{**vars(LIMITS), **limits})
    chosen = backend_named(backend, unsafe=True)
    return asyncio.run(_run(chosen, codes, desk or Desk(), within, seed))


# --- Hostile programs -----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Outside:
    """What a program could do harm to."""

    file: Path
    port: int
    contacts: Callable[[], int]


@pytest.fixture
def outside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Outside]:
    """A file to keep in the working folder, a server to be called, and a variable of the environment."""
    monkeypatch.setenv("TRIPGAUGE_WITNESS", SECRET)
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "witness.txt"
    file.write_text(SECRET, encoding="utf-8")
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.setblocking(False)

        def contacts() -> int:
            try:
                server.accept()
            except BlockingIOError:
                return 0
            return 1

        yield Outside(file, server.getsockname()[1], contacts)


HOSTILE = {
    # Files
    "reads a file": ("print(open('{file}').read())", "Permission denied"),
    "reads a file by pathlib": ("from pathlib import Path\nprint(Path('{file}').read_text())", "Permission denied"),
    "reads the password file": ("print(open('/etc/passwd').read())", "Permission denied"),
    "reads its own process": ("print(open('/proc/self/environ').read())", "Permission denied"),
    "climbs out of its folder": ("print(open('../../../../../etc/hosts').read())", "Permission denied"),
    "writes a file": ("open('{file}', 'w').write('mine')", "Permission denied"),
    "makes a file": ("open('{folder}/new.txt', 'w').write('mine')", "Permission denied"),
    "deletes a file": ("import os\nos.remove('{file}')", "Permission denied"),
    "renames a file": ("import os\nos.rename('{file}', '{folder}/other')", "Permission denied"),
    "lists a folder": ("import os\nprint(os.listdir('{folder}'))", "Permission denied"),
    "makes a link": ("import os\nos.symlink('/etc', '{folder}/etc')", "has no attribute 'symlink'"),
    "imports a module lying beside it": ("import witness", "No module named 'witness'"),
    "reads the answers that ship with the package": ("import tripgauge.toy.town", "No module named 'tripgauge'"),
    # The environment
    "reads the environment": ("import os\nprint(os.environ['TRIPGAUGE_WITNESS'])", "not supported"),
    "reads one variable": ("import os\nprint(os.getenv('TRIPGAUGE_WITNESS'))", "not supported"),
    # Network
    "opens a socket": ("import socket\nsocket.create_connection(('127.0.0.1', {port}))", "No module named 'socket'"),
    "fetches a page": (
        "import urllib.request\nurllib.request.urlopen('http://127.0.0.1:{port}')",
        "No module named 'urllib'",
    ),
    "speaks HTTP": ("import http.client\nhttp.client.HTTPConnection('127.0.0.1', {port})", "No module named 'http'"),
    "connects with asyncio": (
        "import asyncio\nasyncio.run(asyncio.open_connection('127.0.0.1', {port}))",
        "has no attribute 'open_connection'",
    ),
    # Processes
    "runs a command": ("import os\nos.system('touch {folder}/new')", "has no attribute 'system'"),
    "starts a process": ("import subprocess\nsubprocess.run(['touch', '{folder}/x'])", "No module named 'subprocess'"),
    "starts a process with asyncio": (
        "import asyncio\nasyncio.run(asyncio.create_subprocess_shell('touch {folder}/new'))",
        "has no attribute 'create_subprocess_shell'",
    ),
    "forks": ("import os\nwhile True:\n    os.fork()", "has no attribute 'fork'"),
    "kills its parent": ("import os\nos.kill(os.getppid(), 9)", "has no attribute"),
    "ends the interpreter": ("import os\nos._exit(0)", "has no attribute '_exit'"),
    "starts threads": ("import threading", "No module named 'threading'"),
    "loads machine code": ("import ctypes\nctypes.string_at(0)", "No module named 'ctypes'"),
    # Looking around
    "climbs from a value to all classes": ("().__class__.__bases__[0].__subclasses__()", "no attribute '__class__'"),
    "climbs from a tool": ("print(hotels.__globals__)", "no attribute '__globals__'"),
    "asks a tool for its code": ("print(hotels.__code__.co_filename)", "no attribute '__code__'"),
    "asks a tool for its object": ("print(getattr(hotels, '__self__'))", "no attribute '__self__'"),
    "builds an attribute's name": ("print(getattr(hotels, '__glo' + 'bals__'))", "no attribute '__globals__'"),
    "walks the frames of an exception": (
        "try:\n    refused()\nexcept ValueError as error:\n    print(error.__traceback__.tb_frame.f_back)",
        "no attribute '__traceback__'",
    ),
    "asks an exception for its cause": (
        "try:\n    refused()\nexcept ValueError as error:\n    print(error.__context__)",
        "no attribute '__context__'",
    ),
    "reads classes by a format string": ("print('{{0.__class__.__mro__}}'.format(1))", "no attribute '__class__'"),
    "reads globals by a format string": ("print('{{0.__globals__}}'.format(hotels))", "no attribute '__globals__'"),
    "climbs from a tool's answer": ("print(hotels()[0].__class__.__mro__)", "no attribute '__class__'"),
    "lists loaded modules": ("import sys\nprint(sys.modules)", "has no attribute 'modules'"),
    "takes a frame": ("import sys\nprint(sys._getframe(1))", "has no attribute '_getframe'"),
    "imports by name": ("__import__('os').system('touch {folder}/new')", "'__import__' is not defined"),
    "imports by importlib": ("import importlib", "No module named 'importlib'"),
    "reaches for builtins": ("print(__builtins__)", "'__builtins__' is not defined"),
    "compiles code": ("compile('1', 'a', 'exec')", "'compile' is not defined"),
    "runs code from a text": ("exec('import socket')", "No module named 'socket'"),
    "evaluates its way to a file": ("print(eval(\"open('{file}').read()\"))", "Permission denied"),
    "walks the garbage": ("import gc\nprint(gc.get_objects())", "No module named 'gc'"),
    "unpickles": ("import pickle", "No module named 'pickle'"),
    "waits for input": ("input()", "'input' is not defined"),
    "starts a debugger": ("breakpoint()", "'breakpoint' is not defined"),
    # Time
    "loops for ever": ("while True:\n    pass", "ran for more than 0.5 s"),
    "loops for ever and catches everything": (
        "while True:\n    try:\n        while True:\n            pass\n    except BaseException:\n        pass",
        "ran for more than 0.5 s",
    ),
    "loops for ever in finally": (
        "try:\n    while True:\n        pass\nfinally:\n    while True:\n        pass",
        "ran for more than 0.5 s",
    ),
    "sums for ever": ("print(sum(range(10**12)))", "ran for more than 0.5 s"),
    "computes a huge factorial": ("import math\nmath.factorial(10**6)", "ran for more than 0.5 s"),
    "hashes for ever": ("import hashlib\nhashlib.pbkdf2_hmac('sha256', b'a', b'b', 10**9)", "ran for more than 0.5 s"),
    # Memory
    "grows a list for ever": ("grown = []\nwhile True:\n    grown.append('a' * 1000)", "more than 32 MB"),
    "grows a list and catches everything": (
        "grown = []\nwhile True:\n    try:\n        while True:\n            grown.append('a' * 1000)\n"
        "    except BaseException:\n        pass",
        "more than 32 MB",
    ),
    "asks for a huge list": ("huge = [0] * 10**9", "more than 32 MB"),
    "asks for a huge text": ("huge = 'a' * 10**10", "more than 32 MB"),
    "asks for a huge number": ("huge = 2 ** (2 ** 33)", "more than 32 MB"),
    "pads a text by a format": ("print('{{:>9999999999}}'.format(1))", "Too many|more than 32 MB|limit"),
    "pads a text by an old format": ("print('%*d' % (10**9, 1))", "more than 32 MB"),
    "sorts a hundred million numbers": ("sorted(range(10**8))", "more than 32 MB"),
    "asks for endless decimals": (
        "import decimal\ndecimal.getcontext().prec = 10**9\nprint(decimal.Decimal(1) / 3)",
        "more than 32 MB",
    ),
    "doubles a text for ever": ("text = 'a'\nwhile True:\n    text = text + text", "more than 32 MB"),
    "sends a tool more than it may hold": ("hotels(city='a' * (20 << 20))", "more than 32 MB"),
    # Depth
    "calls itself for ever": ("def again(n):\n    return again(n + 1)\nagain(0)", "maximum recursion depth"),
    "nests its source": ("{brackets}", "too deeply nested"),
    "nests JSON": ("import json\njson.loads('[' * 100000)", "recursion limit"),
    "makes a huge number readable": ("print(10 ** 5000)", "Exceeds the limit"),
    # Output
    "prints for ever": ("while True:\n    print('x')", "printed more than 50,000 characters"),
    "prints long lines for ever": ("while True:\n    print('x' * 10000)", "printed more than 50,000 characters"),
    "prints for ever and catches everything": (
        "while True:\n    try:\n        print('x' * 100)\n    except BaseException:\n        pass",
        "printed more than 50,000 characters",
    ),
    "raises an endless message": ("raise ValueError('x' * 1000000)", "xxx"),
    # Tool calls
    "makes a million calls": ("for number in range(10**6):\n    hotels()", "no tool calls left, 500 were made"),
    "makes a million calls and catches everything": (
        "for number in range(10**6):\n    try:\n        hotels()\n    except BaseException:\n        pass",
        "no tool calls left, 500 were made",
    ),
    "makes a million calls of a tool there is not": (
        "for number in range(10**6):\n    try:\n        nowhere()\n    except BaseException:\n        pass",
        "no tool calls left, 500 were made",
    ),
    "opens a million files": (
        "for number in range(10**6):\n    try:\n        open('/etc/passwd')\n    except PermissionError:\n        pass",
        "asked too often|ran for more than",
    ),
    "looks up a million names": (
        "for number in range(10**6):\n    try:\n        nowhere\n    except NameError:\n        pass",
        "asked too often|ran for more than",
    ),
    "leaves by SystemExit": ("raise SystemExit", "SystemExit"),
    "interrupts the keyboard": ("raise KeyboardInterrupt", "KeyboardInterrupt"),
}  # fmt: skip
"""What each program tries, the program, and what it is told."""


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_program_is_stopped_with_a_clear_error_and_changes_nothing(name: str, outside: Outside) -> None:
    code, reason = HOSTILE[name]
    folder = outside.file.parent
    code = code.format(file=outside.file, folder=folder, port=outside.port, brackets="(" * 5000 + ")" * 5000)

    stopped, after = run(code, "print('well')", seconds=0.5 if "ran for more than" in reason else 5)

    assert stopped.error is not None
    assert_said(stopped.error, reason)
    assert SECRET not in stopped.output + stopped.error
    assert len(stopped.output) < 1_100
    assert len(stopped.error) < 2_100
    assert [path.name for path in folder.iterdir()] == ["witness.txt"]
    assert outside.file.read_text(encoding="utf-8") == SECRET
    assert outside.contacts() == 0
    assert (after.output, after.error) == ("well\n", None)


def assert_said(error: str, reason: str) -> None:
    assert any(part in error for part in reason.split("|")), error


@pytest.mark.parametrize(
    ("code", "output"),
    [
        ("import re\nprint(re.match(r'(a+)+$', 'a' * 40 + 'b'))", "None\n"),
        ("import re\nprint(re.search(r'(.*)*(.*)*x', 'a' * 5000))", "None\n"),
        ("import time\ntime.sleep(10**6)\nprint('slept')", "slept\n"),
        ("deep = []\nfor _ in range(100000):\n    deep = [deep]\nprint(len(repr(deep)) < 1000)", "True\n"),
        ("ring = {}\nring['a'] = ring\nprint('...' in repr(ring))", "True\n"),
    ],
    ids=["a regular expression that explodes", "another", "sleeping for days", "deep lists", "a ring"],
)
def test_what_only_looks_dangerous_is_over_at_once(code: str, output: str) -> None:
    (ran,) = run(code)

    assert (ran.output, ran.error) == (output, None)


def test_a_hostile_argument_arrives_as_a_plain_value() -> None:
    desk = Desk()

    (ran,) = run(
        "class Trap:\n    def __init__(self): self.x = 1\n    def __repr__(self): return 'z' * 10**6\n"
        "ring = {}\nring['a'] = ring\n"
        "hotels(trap=Trap(), kind=Trap, builtin=print, ring=ring, **{'a b': 1, '__class__': 2})",
        desk=desk,
    )

    assert ran.error is None
    ((_, _, arguments),) = desk.calls
    assert arguments["ring"] == {"a": "{...}"}
    assert not callable(arguments["trap"])
    assert not callable(arguments["builtin"])
    assert (arguments["a b"], arguments["__class__"]) == (1, 2)


def test_a_program_that_was_stopped_takes_its_variables_with_it() -> None:
    first, stopped, after = run("kept = 1", "while True: pass", "print(kept)")

    assert (first.lost, stopped.lost) == (False, True)
    assert "name 'kept' is not defined" in (after.error or "")


def test_a_flood_is_stopped_long_before_the_time_is_up() -> None:
    (ran,) = run("while True:\n    print('x')", seconds=600)

    assert "printed more than" in (ran.error or "")


# --- What an exception on our side may tell -------------------------------------------------------------------------


@pytest.mark.parametrize("backend", ["monty", "cpython"])
def test_a_bug_in_a_tool_passes_by_the_program_unseen(backend: str) -> None:
    printed: list[object] = []

    class Watching(Desk):
        def __call__(self, name: str, args: Sequence[object], kwargs: Mapping[str, object]) -> object:
            if name == "hotels":
                printed.append(kwargs)
            return super().__call__(name, args, kwargs)

    with pytest.raises(RuntimeError, match=SECRET):
        run("try:\n    broken()\nexcept BaseException as error:\n    hotels(saw=str(error))",
            desk=Watching(), backend=backend)  # fmt: skip

    assert printed == []


@pytest.mark.parametrize("backend", ["monty", "cpython"])
def test_a_refused_call_is_a_value_error_with_its_message_and_nothing_else(backend: str) -> None:
    (ran,) = run("try:\n    refused(city='Nowhere')\nexcept ValueError as error:\n    print(type(error), error.args)",
                 backend=backend)  # fmt: skip

    assert (ran.output, ran.error) == ("<class 'ValueError'> ('No such city.',)\n", None)


@pytest.mark.parametrize("backend", ["monty", "cpython"])
def test_an_error_shows_the_line_it_came_from_and_no_path_of_this_machine(backend: str) -> None:
    (ran,) = run("cities = ['Nowhere']\nfor city in cities:\n    refused(city=city)", backend=backend)

    assert "line 3" in (ran.error or "")
    assert (ran.error or "").endswith("ValueError: No such city.")
    assert "tripgauge" not in (ran.error or "")


# --- Honest programs ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("backend", ["monty", "cpython"])
def test_variables_and_functions_last_and_tools_are_functions(backend: str) -> None:
    desk = Desk()

    runs = run(
        "found = hotels(city='Harbor', max_price=300)\ndef cheapest(of):\n    return min(of, key=lambda h: h['price'])",
        "print(cheapest(found)['name'], [h['price'] for h in found])",
        "ask = hotels\nfound = ask('Harbor')\nprint(len(found), cheapest(hotels())['stars' if False else 'name'])",
        desk=desk,
        backend=backend,
    )

    assert [ran.error for ran in runs] == [None, None, None]
    assert [ran.output for ran in runs] == ["", "Inn [90, 240.5]\n", "2 Inn\n"]
    assert desk.calls == [
        ("hotels", (), {"city": "Harbor", "max_price": 300}),
        ("hotels", ("Harbor",), {}),
        ("hotels", (), {}),
    ]


@pytest.mark.parametrize("backend", ["monty", "cpython"])
def test_the_helpers_are_there(backend: str) -> None:
    (ran,) = run(
        "hotels_by_price = sorted(hotels(), key=itemgetter('price'))\n"
        "print([h['name'] for h in hotels_by_price], itemgetter(0, 2)('abc'))\n"
        "print(nsmallest(2, [3, 1, 2]), nlargest(1, [3, 1, 2], key=lambda n: -n), nsmallest(-1, [1]))\n"
        "print(mean([1, 2]), median([3, 1, 2]), median([1, 2]))\n"
        "print(dates('2025-08-30', '2025-09-01'), dates('2025-08-02', '2025-08-01'))\n"
        "print(Counter('aab')['a'], list(product('a', 'bc')), math.ceil(1.2), date(2025, 8, 1).strftime('%A'))",
        backend=backend,
    )

    assert ran.error is None
    assert ran.output.splitlines() == [
        "['Inn', 'Grand'] ('a', 'c')",
        "[1, 2] [1] []",
        "1.5 2 1.5",
        "['2025-08-30', '2025-08-31', '2025-09-01'] []",
        "2 [('a', 'b'), ('a', 'c')] 2 Friday",
    ]


@pytest.mark.parametrize(
    ("code", "advice"),
    [
        ("import heapq", "nsmallest(n, items, key)"),
        ("from statistics import mean", "mean(numbers)"),
        ("from operator import itemgetter", "itemgetter(*keys)"),
        ("import numpy as np", "use lists"),
        ("def days():\n    yield 1", "does not yet support yield"),
        ("class Base: pass\nclass Hotel(Base): pass", "does not yet support class inheritance"),
        ("found = {}\ndel found['a']", "does not yet support the 'del' statement"),
        ("def broken(:", "SyntaxError"),
    ],
)
def test_what_the_small_interpreter_lacks_is_told_with_a_way_out(code: str, advice: str) -> None:
    (ran,) = run(code)

    assert advice in (ran.error or "")
    assert not ran.lost


def test_the_clock_stands_still_and_chances_follow_from_the_seed() -> None:
    code = "import random, time\nprint(date.today(), time.time(), random.random(), {'c', 'a', 'b'}, hash('a'))"

    (first,), (again,), (other,) = run(code, seed=1), run(code, seed=1), run(code, seed=2)

    assert first == again != other
    assert first.output.startswith("2025-01-01 1735689600.0 ")


def test_long_output_is_kept_from_its_beginning_and_the_rest_is_counted() -> None:
    (ran,) = run("for number in range(1000):\n    print(number)")

    assert ran.error is None
    assert ran.output.startswith("0\n1\n2\n")
    assert ran.output.endswith("\n[2,890 more characters of output were left out]")


@pytest.mark.parametrize("backend", ["monty", "cpython"])
def test_a_session_that_is_cancelled_leaves_no_process(backend: str) -> None:
    async def cancelled() -> None:
        async with backend_named(backend, unsafe=True).session(ProgramLimits(seconds=600), 0) as session:
            await session.run("print(1)", Desk().functions)
            async with asyncio.timeout(0.2):
                await session.run("while True: pass", Desk().functions)

    before = _children()
    with pytest.raises(TimeoutError):
        asyncio.run(cancelled())

    until = time.monotonic() + 10
    while _children() != before and time.monotonic() < until:
        time.sleep(0.01)
    assert _children() == before


def _children() -> set[str]:
    """The processes this one has started and that are there."""
    if not sys.platform.startswith("linux"):
        pytest.skip("looks into /proc")
    return {path.name for path in Path("/proc").iterdir() if path.name.isdigit() and _parent(path) == os.getpid()}


def _parent(process: Path) -> int | None:
    try:
        return int((process / "stat").read_text(encoding="utf-8").rpartition(")")[2].split()[1])
    except (FileNotFoundError, ProcessLookupError):
        return None


# --- The unsafe backend ---------------------------------------------------------------------------------------------


def test_the_unsafe_backend_is_refused_without_the_flag() -> None:
    with pytest.raises(UsageError, match="unsafe=yes"):
        backend_named("cpython", unsafe=False)


def test_an_unknown_backend_is_refused_with_the_names_there_are() -> None:
    with pytest.raises(UsageError, match="monty, cpython"):
        backend_named("docker", unsafe=True)


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("while True: pass", "ran for more than 1 s"),
        ("while True: print('x' * 100)", "printed more than 50,000 characters"),
        ("for _ in range(10**6): hotels()", "no tool calls left, 500 were made"),
        ("import os\nos._exit(3)", "broke down"),
        ("import os\nos.kill(os.getpid(), 9)", "broke down"),
        ("import sys\nsys.exit(3)", "SystemExit: 3"),
        ("huge = [0] * 10**9", "MemoryError"),
        ("def again(): again()\nagain()", "RecursionError"),
        ("input()", "EOFError"),
        ("import tripgauge", "No module named 'tripgauge'"),
    ],
)
def test_accidents_in_the_unsafe_backend_are_stopped(code: str, reason: str) -> None:
    stopped, after = run(code, "print('well')", backend="cpython", memory_mb=256, seconds=1)

    assert reason in (stopped.error or "")
    assert (after.output, after.error) == ("well\n", None)


def test_the_unsafe_backend_knows_all_of_python_and_works_in_a_folder_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    (ran,) = run(
        "import os, heapq, statistics\nclass Base: pass\nclass Hotel(Base): pass\n"
        "open('note.txt', 'w').write('mine')\nprint(os.listdir('.'), os.getcwd(), statistics.mean([1, 3]))",
        backend="cpython",
    )

    assert ran.error is None
    assert ran.output.startswith(f"['note.txt'] {tempfile.gettempdir()}")
    assert not Path(ran.output.split()[1]).exists()
    assert list(tmp_path.iterdir()) == []


def test_words_a_program_writes_past_its_output_do_not_reach_the_other_side() -> None:
    (ran,) = run("import os\nos.write(1, b'{\"end\": \"done\"}\\n')\nprint('still here')", backend="cpython")

    assert (ran.output, ran.error) == ("still here\n", None)


def test_the_unsafe_backend_tells_of_tools_that_do_not_exist() -> None:
    desk = Desk()

    called, looked_at = run("nowhere(1)", "print(elsewhere)", backend="cpython", desk=desk)

    assert "There is no such tool." in (called.error or "")
    assert "There is no such tool." not in (looked_at.error or "")
    assert [name for name, _, _ in desk.calls] == ["nowhere"]
