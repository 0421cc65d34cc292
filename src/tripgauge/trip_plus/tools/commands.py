"""What `tripgauge tools` and `tripgauge call-tools` do, as plain functions: the command line only mounts them."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from tripgauge.chat import ToolSpec
from tripgauge.codec import read_text, shown
from tripgauge.errors import UsageError, told_at
from tripgauge.tools import Tool, Toolbox, ToolResult, tools_of
from tripgauge.trip_plus.edition import Edition
from tripgauge.trip_plus.release.tool_arguments import PUBLISHED_TOOLS
from tripgauge.trip_plus.release.tools import ReleaseToolbox, ReleaseTools
from tripgauge.trip_plus.sandbox.files import SampleFiles, SandboxFiles, SandboxLibrary, Table, require_tables
from tripgauge.trip_plus.sandbox.store import Sandbox
from tripgauge.trip_plus.tasks.queries import read_queries
from tripgauge.trip_plus.tasks.task import Task
from tripgauge.trip_plus.tools.toolset import TripPlusTools

PLAIN_ENVIRONMENT, CITY_ENVIRONMENT = "plain", "city"
"""The `env` of a line of calls: whether it sees the city-level data."""


def toolbox(edition: Edition, files: SandboxFiles) -> Toolbox:
    """The tools over a sandbox as an agent of that edition meets them."""
    if edition is Edition.RELEASE:
        return ReleaseToolbox(ReleaseTools(files), described_tools())
    return Toolbox(tools_of(TripPlusTools(Sandbox.of(files))))


def described_tools() -> tuple[Tool, ...]:
    """The eleven tools for looking at: their names, manuals and schemas, over an empty sandbox."""
    nothing = Table(Path(), exists=False)
    empty = SampleFiles(
        folder=Path(),
        meta=None,
        hotels=nothing,
        attractions=nothing,
        restaurants=nothing,
        flights=nothing,
        trains=nothing,
        locations=nothing,
        aliases=nothing,
        weather=nothing,
        subway=(),
    )
    return tools_of(TripPlusTools(Sandbox.of(SandboxFiles(empty))))


# --- tripgauge tools ------------------------------------------------------------------------------------------------


def list_tools() -> tuple[ToolSpec, ...]:
    """For `tripgauge tools`: every tool as a model is shown it."""
    return tuple(tool.spec for tool in described_tools())


def show_tool(name: str) -> ToolSpec:
    """For `tripgauge tools NAME`: one tool. Raises UsageError if there is none of that name."""
    specs = {spec.name: spec for spec in list_tools()}
    if name not in specs:
        raise UsageError(f"No tool {name!r}. There are: {', '.join(specs)}.")
    return specs[name]


def manual(spec: ToolSpec) -> str:
    """The tool in Markdown: what it tells, and its arguments."""
    parameters: Mapping[str, Any] = spec.parameters
    lines = [f"## {spec.name}", "", spec.description, ""]
    if parameters["properties"]:
        lines += ["| argument | type | | meaning |", "|---|---|---|---|"]
    for name, schema in parameters["properties"].items():
        needed = "required" if name in parameters["required"] else ""
        choices = f" One of: {', '.join(schema['enum'])}." if "enum" in schema else ""
        lines.append(f"| `{name}` | {schema['type']} | {needed} | {schema['description']}{choices} |")
    return "\n".join(lines)


def docs_tools() -> str:
    """The text of docs/tools.md, made from the tools themselves."""
    head = """# The tools of Trip+

Made from the tools themselves: change `src/tripgauge/trip_plus/tools/toolset.py`, then `make docs`.

Both editions have the same tools with the same arguments. What is said here is what an agent of the edition
`strict` reads and gets; the edition `release` answers as the published code does. Where they differ, and why, is
told in [0100](decisions/0100-tools-strict.md).

Every tool also understands `page`: a long answer comes in pages, each saying how many there are and how to get the
next. A call that cannot be answered gets `{"error": {"type", "message", "field"}}`, where the type is `name` (no
such tool), `parameter` (arguments the schema does not allow) or `content` (arguments that name nothing there is).
"""
    return head + "\n" + "\n\n".join(manual(spec) for spec in list_tools()) + "\n"


# --- tripgauge tools call -------------------------------------------------------------------------------------------


def arguments_from_words(name: str, words: Sequence[str]) -> dict[str, object]:
    """Arguments as typed on a command line, `key=value` each; numbers and true or false are read as such.

    Raises UsageError for a word without "=" and for a key given twice.
    """
    properties: Mapping[str, Any] = show_tool(name).parameters["properties"]  # type: ignore[assignment]
    arguments: dict[str, object] = {}
    for word in words:
        key, equals, value = word.partition("=")
        if not equals:
            raise UsageError(f"{word!r} is no argument; write key=value, such as {next(iter(properties))}=...")
        if key in arguments:
            raise UsageError(f"The argument {key} is given twice.")
        arguments[key] = _read_word(value, properties.get(key, {}).get("type", "string"))
    return arguments


def _read_word(value: str, kind: str) -> object:
    if kind == "string":
        return value
    try:
        read: object = json.loads(value)
    except ValueError:
        return value
    return read


def call_tool(edition: Edition, files: SandboxFiles, name: str, words: Sequence[str]) -> ToolResult:
    """For `tripgauge tools call NAME --task ID key=value ...`: one call by a person, over a task's sandbox.

    Raises UsageError if there is no such tool or a word is no argument; what an agent would do wrong is in the result.
    """
    return toolbox(edition, files).call(name, arguments_from_words(name, words))


# --- tripgauge call-tools -------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class RecordedCall:
    """A line of a file of calls."""

    id: object
    """Handed back as it is."""

    sample: str
    """Id of the record whose sandbox is asked."""

    tool: str
    arguments: Mapping[str, object]
    with_cities: bool
    place: str
    """File and line, for messages."""


def read_calls(path: Path) -> tuple[RecordedCall, ...]:
    """The calls in a file of JSON lines with `id`, `env`, `sample`, `tool` and `args`.

    A line without `env` is "plain". Raises UsageError, naming the line, for what is no such object.
    """
    lines = enumerate(read_text(path).split("\n"), start=1)
    return tuple(_recorded_call(line, f"{path}, line {number}") for number, line in lines if line.strip())


def _recorded_call(line: str, where: str) -> RecordedCall:
    try:
        # Models send halves of surrogate pairs, which no file can hold: they become question marks.
        text = json.dumps(json.loads(line), ensure_ascii=False)
        call = json.loads(text.encode("utf-8", "replace").decode("utf-8"))
    except ValueError as error:
        raise UsageError(f"{where}: not JSON ({error}).") from None
    if not isinstance(call, dict):
        raise UsageError(f"{where}: expected an object.")
    sample, tool, arguments = call.get("sample"), call.get("tool"), call.get("args")
    if not isinstance(sample, str) or not isinstance(tool, str) or not isinstance(arguments, dict):
        raise UsageError(f"{where}: expected `sample` and `tool` as texts and `args` as an object.")
    environment = call.get("env", PLAIN_ENVIRONMENT)
    if environment not in (PLAIN_ENVIRONMENT, CITY_ENVIRONMENT):
        raise UsageError(f'{where}: `env` must be "plain" or "city", but is {shown(environment)}.')
    return RecordedCall(call.get("id"), sample, tool, arguments, environment == CITY_ENVIRONMENT, where)


def answered_calls(
    calls: Iterable[RecordedCall],
    *,
    edition: Edition,
    data: Path,
    city_data: Path | None = None,
    queries: Sequence[Path] = (),
) -> Iterator[dict[str, object]]:
    """For `tripgauge call-tools`: one line for each call, in order: `id`, `result`, `agent_args`, `agent_view`.

    `result` is the whole answer, `agent_view` what an agent sees of it; for a tool there is not, both are the fault.
    The query files tell by which other id a record's sandbox goes. Raises UsageError, naming the line, for a record
    without one or with one that lacks a table, and for a call that needs city-level data where none are given.
    """
    library = SandboxLibrary(data, city_data)
    tasks = {task.task_id: task for path in queries for task in read_queries(path)}
    answering: dict[tuple[str, bool], _Answering] = {}
    for call in calls:
        key = call.sample, call.with_cities
        if key not in answering:
            if call.with_cities and city_data is None:
                raise UsageError(f'{call.place}: `env` "city" needs --city-data, a folder with a city_index.json.')
            with told_at(call.place):
                files = _files(library, call, tasks.get(call.sample))
            answering[key] = _Answering(edition, files)
        yield {"id": call.id, **answering[key].answer(call.tool, call.arguments)}


def _files(library: SandboxLibrary, call: RecordedCall, task: Task | None) -> SandboxFiles:
    base_id = task.key.base_query_id if task else ""
    files = library.files(call.sample, base_id, with_cities=call.with_cities)
    require_tables(files.sample, (state.frame.route_mode for state in task.key.states) if task else ())
    return files


class _Answering:
    """The tools over one sandbox, for recorded calls."""

    def __init__(self, edition: Edition, files: SandboxFiles) -> None:
        self._edition = edition
        self._files = files

    @cached_property
    def _release(self) -> ReleaseTools:
        return ReleaseTools(self._files)

    @cached_property
    def _strict(self) -> Toolbox:
        return toolbox(Edition.STRICT, self._files)

    def answer(self, tool: str, arguments: Mapping[str, object]) -> dict[str, object]:
        if self._edition is Edition.RELEASE and tool not in PUBLISHED_TOOLS:
            text = toolbox(self._edition, self._files).call(tool, arguments).text
            return {"result": text, "agent_args": dict(arguments), "agent_view": text}
        if self._edition is Edition.RELEASE:
            return {
                "result": self._release.result(tool, arguments),
                "agent_args": self._release.agent_arguments(tool, arguments),
                "agent_view": self._release.agent_view(tool, arguments),
            }
        result = self._strict.call(tool, arguments)
        whole = (
            result.value if isinstance(result.value, str) else json.dumps(result.value, ensure_ascii=False, indent=2)
        )
        text = result.text if result.fault else whole
        return {"result": text, "agent_args": dict(result.arguments), "agent_view": result.text}
