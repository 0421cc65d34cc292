"""A tool is a typed, documented method; the toolbox answers every call of it and says whose fault a failure is.

The signature is the schema, the docstring is the manual. A call fails in one of three ways that are the agent's: no
such tool (name), arguments the schema does not allow (parameter), arguments the tool cannot serve (content). What is
none of these is our own fault: the exception passes through.
"""

import inspect
import json
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass, replace
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from difflib import get_close_matches
from enum import Enum
from functools import cached_property
from typing import Any, Literal, Never, TypeVar, get_type_hints, overload

from pydantic import TypeAdapter, ValidationError

from tripgauge.chat import Message, ToolCall, ToolSpec

PAGE = "page"
"""The argument every tool understands beside its own: which page of a long answer to give, from 1."""

DEFAULT_PAGE_CHARS = 8_000
"""How long a page of an answer is at most: about 25 journeys."""

_PAGING_CHARS = 160
"""Room for what a page says of itself."""

FaultKind = Literal["name", "parameter", "content"]


class ToolError(Exception):
    """A well-formed call that cannot be served: an unknown place, a date outside the data."""

    def __init__(self, message: str, field: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.field = field


@dataclass(frozen=True)
class ToolFault:
    """What the agent did wrong in one call; the first failing stage counts. (COMPASS, tool-call errors)"""

    kind: FaultKind
    message: str
    field: str | None = None

    @property
    def text(self) -> str:
        """The fault as the agent reads it."""
        return compact_json({"error": {"type": self.kind, "message": self.message, "field": self.field}})


@dataclass(frozen=True)
class ToolResult:
    """The answer to one call."""

    call: ToolCall
    """The call answered, its id made unique. What goes into the assistant's message."""

    tool: str
    """The tool's own name, where the call used another of its names; the name as called if there is no such tool."""

    text: str
    """What the agent reads."""

    answer: object = None
    """What the tool returned, whole. None after a fault."""

    arguments: Mapping[str, object] = field(default_factory=dict)
    """The arguments after repairs, under their published names, as JSON values; empty where they could not be read."""

    fault: ToolFault | None = None
    repairs: tuple[str, ...] = ()
    """What was mended in the call without changing its meaning."""

    signature: str | None = None
    """Equal for calls that ask the same: name and arguments without defaults, in canonical JSON. None after a fault."""

    @cached_property
    def value(self) -> Any:
        """The answer as JSON values, whole: what a program gets. None after a fault."""
        return jsonable(self.answer)

    @property
    def message(self) -> Message:
        """The answer as the tool's message."""
        return Message("tool", self.text, tool_call_id=self.call.id, name=self.tool)


@dataclass(frozen=True)
class ToolCounts:
    """How well calls were made."""

    calls: int
    repaired: int
    name_faults: int
    parameter_faults: int
    content_faults: int
    distinct: int
    """Different questions that were answered. (COMPASS, search effort)"""

    @classmethod
    def of(cls, results: Iterable[ToolResult]) -> "ToolCounts":
        """The counts over some results, of any number of toolboxes."""
        results = list(results)
        kinds = [result.fault.kind for result in results if result.fault]
        return cls(
            calls=len(results),
            repaired=sum(1 for result in results if result.repairs),
            name_faults=kinds.count("name"),
            parameter_faults=kinds.count("parameter"),
            content_faults=kinds.count("content"),
            distinct=len({result.signature for result in results if result.signature is not None}),
        )


# --- A tool from a method -------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Parameter:
    """One argument of a tool."""

    name: str
    """As published: the name in the schema."""

    keyword: str
    """The method's own name for it."""

    description: str
    required: bool
    default: object
    """As a JSON value."""

    schema: Mapping[str, object]
    adapter: TypeAdapter[Any]
    spellings: tuple[str, ...] = ()
    """Other names understood for it."""

    format: str = ""
    """ "date" or "time" where its texts, alone or in a list, are such; "" otherwise."""

    may_be_empty: bool = False
    """Whether an empty text says something; elsewhere it is as good as no argument."""


@dataclass(frozen=True)
class Tool:
    """Something an agent may call."""

    name: str
    description: str
    parameters: tuple[Parameter, ...]
    run: Callable[..., object]
    other_names: tuple[str, ...] = ()

    @property
    def spec(self) -> ToolSpec:
        """The tool as shown to a model."""
        properties = {
            parameter.name: {**parameter.schema, "description": parameter.description} for parameter in self.parameters
        }
        required = [parameter.name for parameter in self.parameters if parameter.required]
        schema = {"type": "object", "properties": properties, "required": required}
        return ToolSpec(self.name, self.description, schema)


@dataclass(frozen=True)
class _Marks:
    """What the decorator leaves on a method."""

    published: Mapping[str, str]
    spellings: Mapping[str, tuple[str, ...]]
    other_names: tuple[str, ...]
    may_be_empty: tuple[str, ...]


_Method = TypeVar("_Method", bound=Callable[..., object])


@overload
def tool(method: _Method, /) -> _Method: ...
@overload
def tool(
    *,
    published: Mapping[str, str] = ...,
    spellings: Mapping[str, tuple[str, ...]] = ...,
    other_names: tuple[str, ...] = ...,
    may_be_empty: tuple[str, ...] = ...,
) -> Callable[[_Method], _Method]: ...
def tool(
    method: _Method | None = None,
    /,
    *,
    published: Mapping[str, str] | None = None,
    spellings: Mapping[str, tuple[str, ...]] | None = None,
    other_names: tuple[str, ...] = (),
    may_be_empty: tuple[str, ...] = (),
) -> _Method | Callable[[_Method], _Method]:
    """Marks a typed, documented method as a tool.

    `published` gives the schema's spelling of a parameter where it is not the method's, `spellings` further ones that
    are understood by parameter, `other_names` further names of the tool, `may_be_empty` the required texts that may be
    empty. Types may be texts, numbers, booleans,
    dates, literals, lists of them, and any of these or None.
    """
    marks = _Marks(published or {}, spellings or {}, other_names, may_be_empty)

    def mark(method: _Method) -> _Method:
        method.__tool_marks__ = marks  # type: ignore[attr-defined]
        return method

    return mark(method) if method is not None else mark


def tools_of(owner: object) -> tuple[Tool, ...]:
    """The tools of an object, in the order its class defines them."""
    names = dict.fromkeys(name for kind in reversed(type(owner).__mro__) for name in vars(kind))
    methods = ((name, getattr(type(owner), name)) for name in names)
    return tuple(_tool(getattr(owner, name), method) for name, method in methods if hasattr(method, "__tool_marks__"))


def _tool(bound: Callable[..., object], method: Callable[..., object]) -> Tool:
    marks: _Marks = method.__tool_marks__  # type: ignore[attr-defined]
    name = getattr(method, "__name__")  # noqa: B009  (a callable's name is not part of its type)
    manual, described = read_manual(inspect.getdoc(method) or "")
    hints = get_type_hints(method, include_extras=True)
    parameters = []
    for keyword, parameter in list(inspect.signature(method).parameters.items())[1:]:
        if keyword not in described:
            raise TypeError(f"The manual of {name} does not describe {keyword}.")
        adapter: TypeAdapter[Any] = TypeAdapter(hints[keyword])
        required = parameter.default is inspect.Parameter.empty
        parameters.append(
            Parameter(
                name=marks.published.get(keyword, keyword),
                keyword=keyword,
                description=described[keyword],
                required=required,
                default=None if required else jsonable(parameter.default),
                schema=_plain_schema(adapter.json_schema()),
                adapter=adapter,
                spellings=marks.spellings.get(keyword, ()),
                format=_format(adapter.json_schema()),
                may_be_empty=keyword in marks.may_be_empty,
            )
        )
    return Tool(name, manual, tuple(parameters), bound, marks.other_names)


def read_manual(docstring: str) -> tuple[str, dict[str, str]]:
    """What a docstring says before its `Args:` section, and of each argument in it."""
    manual, _, section = docstring.partition("\nArgs:\n")
    described: dict[str, str] = {}
    last = ""
    for line in section.splitlines():
        entry = re.match(r"    (\w+): (.*)", line)
        if entry:
            last = entry[1]
            described[last] = entry[2].strip()
        elif line.startswith("     ") and last:
            described[last] += " " + line.strip()
        elif line.strip():
            break
    return "\n\n".join(" ".join(part.split()) for part in manual.strip().split("\n\n")), described


def _format(schema: Mapping[str, Any]) -> str:
    """The format of a schema's texts; of a list, that of its items."""
    parts = [schema, *schema.get("anyOf", ())]
    parts += [part["items"] for part in parts if "items" in part]
    return next((str(part["format"]) for part in parts if "format" in part), "")


def _plain_schema(schema: Mapping[str, Any]) -> dict[str, object]:
    """The part of a JSON Schema every provider understands: type, enum, items. "Or none" is told by `required`."""
    choices = [choice for choice in schema.get("anyOf", [schema]) if choice.get("type") != "null"]
    (chosen,) = choices
    plain: dict[str, object] = {"type": chosen.get("type", "string")}
    if "const" in chosen:
        plain["enum"] = [chosen["const"]]
    if "enum" in chosen:
        plain["enum"] = list(chosen["enum"])
    if "items" in chosen:
        plain["items"] = _plain_schema(chosen["items"])
    for limit in ("minItems", "maxItems", "minimum", "maximum"):
        if limit in chosen:
            plain[limit] = chosen[limit]
    return plain


# --- Reading what a model sent --------------------------------------------------------------------------------------


class _Unreadable(Exception):
    """Arguments the schema does not allow."""

    def __init__(self, message: str, field: str = "arguments") -> None:
        super().__init__(message)
        self.fault = ToolFault("parameter", message, field)


class _Repairs(list[str]):
    """What has been mended so far in one call."""


_FENCE = re.compile(r"\A\s*```[\w-]*[ \t]*\r?\n?(.*?)\s*```\s*\Z", re.DOTALL)
_TRAILING_COMMA = re.compile(r'("(?:[^"\\]|\\.)*")|,(?=\s*[}\]])', re.DOTALL)
_DEEPEST = 50
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


def _argument_object(text: str, repairs: _Repairs) -> dict[str, object]:
    if text.startswith("\ufeff"):
        text = text.removeprefix("\ufeff")
        repairs.append("byte order mark")
    fenced = _FENCE.match(text)
    if fenced:
        text = fenced[1]
        repairs.append("code fence")
    if not text.strip():
        return {}
    try:
        value = _json(text)
    except json.JSONDecodeError as error:
        mended = _TRAILING_COMMA.sub(lambda match: match[1] or "", text)
        try:
            value = _json(mended)
        except json.JSONDecodeError:
            raise _Unreadable(_not_json(text, error)) from None
        repairs.append("trailing comma")
    if value is None:
        repairs.append("null for no arguments")
        return {}
    if not isinstance(value, dict):
        raise _Unreadable(f'The arguments must be one JSON object such as {{"key": "value"}}, not {_kind(value)}.')
    return value


def _json(text: str) -> object:
    if _LONE_SURROGATE.search(text):
        raise _Unreadable("The arguments hold half of a surrogate pair, which is no text.")
    try:
        value: object = json.loads(
            text,
            parse_constant=_no_number,
            parse_float=_finite,
            parse_int=_whole,
            object_pairs_hook=_unambiguous,
            strict=False,
        )
    except RecursionError:
        raise _Unreadable("The arguments are nested too deeply.") from None
    if is_too_deep(value):
        raise _Unreadable("The arguments are nested too deeply.")
    return value


def is_too_deep(value: object) -> bool:
    """Whether a JSON value is nested deeper than any arguments are."""
    level = [value]
    for _ in range(_DEEPEST):
        level = [
            inner
            for outer in level
            if isinstance(outer, list | dict)
            for inner in (outer.values() if isinstance(outer, dict) else outer)
        ]
        if not level:
            return False
    return True


def _finite(digits: str) -> float:
    number = float(digits)
    return number if math.isfinite(number) else _no_number(digits)


def _whole(digits: str) -> int:
    return int(digits) if len(digits) <= 300 else _no_number(digits[:20] + "...")


def _no_number(constant: str) -> Never:
    raise _Unreadable(f"{constant} is not a number that can be read.")


def _unambiguous(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found: dict[str, object] = {}
    for key, value in pairs:
        if _LONE_SURROGATE.search(key) or (isinstance(value, str) and _LONE_SURROGATE.search(value)):
            raise _Unreadable("The arguments hold half of a surrogate pair, which is no text.")
        if key in found and found[key] != value:
            raise _Unreadable(f"{key} is given twice, with different values.", key)
        found[key] = value
    return found


def _not_json(text: str, error: json.JSONDecodeError) -> str:
    if error.msg == "Extra data":
        return "The arguments must be one JSON object; text follows after it. Make one call for each object."
    if text.lstrip()[:2].startswith(("'", "{'")):
        return "The arguments are not JSON: names and texts stand in double quotes."
    return f"The arguments are not JSON ({error.msg} at character {error.pos + 1}); expected one object."


def _kind(value: object) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "true or false"
        case int() | float():
            return "a number"
        case str():
            return "a text"
        case list():
            return "a list"
        case _:
            return "an object"


_NUMBER = re.compile(r"[+-]?\d{1,300}(\.\d{1,300})?\Z")


def _mended_value(value: object, schema: Mapping[str, object]) -> object:
    """The value in the type the schema wants where no reader could take it for another one; else as it is."""
    match schema["type"], value:
        case "number" | "integer", str() if _NUMBER.match(value.strip()):
            number = float(value)
            return int(number) if number.is_integer() and abs(number) < 2**53 else number
        case "integer", float() if value.is_integer():
            return int(value)
        case "boolean", str() if value.strip().lower() in ("true", "false"):
            return value.strip().lower() == "true"
        case "string", int() | float() if not isinstance(value, bool):
            return json.dumps(value)
        case "array", str() if value.lstrip().startswith("["):
            try:
                listed = _json(value)
            except json.JSONDecodeError:
                return value
            return _mended_value(listed, schema) if isinstance(listed, list) else value
        case "array", list():
            items = schema.get("items")
            return [_mended_value(item, items) for item in value] if isinstance(items, Mapping) else value
        case "array", str() | int() | float() if not isinstance(value, bool):
            return _mended_value([value], schema)
        case "string", str():
            return _mended_text(value, schema.get("enum"))
        case _:
            return value


def _mended_text(value: str, choices: object) -> str:
    if isinstance(choices, list):
        for choice in choices:
            if isinstance(choice, str) and choice.lower() == value.strip().lower():
                return choice
    return value.strip()


_FORMATS = {"date": "a date (YYYY-MM-DD)", "time": "a time (HH:MM)"}
_ISO_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


def _wanted(parameter: Parameter) -> str:
    """What a value must be, in words."""
    if parameter.format in _FORMATS and parameter.schema["type"] == "string":
        return _FORMATS[parameter.format]
    return f"{_expected(parameter.schema)} ({parameter.description.rstrip('.')})"


def _expected(schema: Mapping[str, object]) -> str:
    if "enum" in schema:
        return "one of " + ", ".join(str(choice) for choice in schema["enum"])  # type: ignore[attr-defined]
    names = {"string": "a text", "number": "a number", "integer": "a whole number", "boolean": "true or false"}
    if schema["type"] == "array":
        return "a list"
    return names.get(str(schema["type"]), str(schema["type"]))


def _read_value(parameter: Parameter, value: object, repairs: _Repairs) -> object:
    """The value as the method takes it."""
    read, reason = _validated(parameter, value)
    if reason is None:
        return read
    mended = _mended_value(value, parameter.schema)
    if type(mended) is not type(value) or mended != value:
        read, reason = _validated(parameter, mended)
        if reason is None:
            repairs.append(f"{parameter.name}: {_shown(value)} read as {_shown(mended)}")
            return read
    # What a pattern wants is told already; a regular expression helps nobody.
    why = f": {reason}" if reason and "pattern" not in reason else ""
    raise _Unreadable(f"{parameter.name} must be {_wanted(parameter)}, not {_shown(value)}{why}.", parameter.name)


def _validated(parameter: Parameter, value: object) -> tuple[object, str | None]:
    """The value as the method takes it, or why the schema does not allow it; "" where what it wants says enough."""
    texts = value if isinstance(value, list) else [value]
    if parameter.format == "date" and not all(isinstance(text, str) and _ISO_DATE.fullmatch(text) for text in texts):
        return None, ""  # digits would be read as seconds since 1970
    try:
        return parameter.adapter.validate_json(json.dumps(value), strict=True), None
    except ValidationError as error:
        return None, error.errors(include_url=False, include_input=False)[0]["msg"]


def _shown(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 80 else text[:77] + "..."


def _folded(name: str) -> str:
    return name.replace("_", "").replace("-", "").lower()


def _named(tool: Tool, given: Mapping[str, object], repairs: _Repairs) -> dict[str, object]:
    """The arguments under the tool's own parameter names. Where two spellings disagree, that is a fault."""
    known = {_folded(spelling): p for p in tool.parameters for spelling in (*p.spellings, p.name, p.keyword)}
    exact = {parameter.name: parameter for parameter in tool.parameters}
    found: dict[str, object] = {}
    for name, value in given.items():
        parameter = exact.get(name) or known.get(_folded(name))
        if parameter is None:
            names = ", ".join(exact) or "none"
            raise _Unreadable(f"{tool.name} has no parameter {_shown(name)}; its parameters are: {names}.", name)
        if parameter.name != name:
            repairs.append(f"{parameter.name}: given as {name}")
        if parameter.name in found and found[parameter.name] != value:
            raise _Unreadable(f"{parameter.name} is given twice, with different values.", parameter.name)
        found[parameter.name] = value
    return found


def _keywords(tool: Tool, given: Mapping[str, object], repairs: _Repairs) -> dict[str, object]:
    """The arguments as the method takes them, each checked. Null and empty text are as good as nothing."""
    named = _named(tool, given, repairs)
    missing = [p.name for p in tool.parameters if p.required and _is_nothing(p, named.get(p.name))]
    keywords = {}
    for parameter in tool.parameters:
        value = named.get(parameter.name)
        if not parameter.required and _is_nothing(parameter, value):
            if parameter.name in named:
                repairs.append(f"{parameter.name}: empty, left out")
            continue
        if parameter.name in missing:
            needs = f"{tool.name} needs {', '.join(missing)}"
            raise _Unreadable(f"{needs}: {parameter.name} is {_wanted(parameter)}.", parameter.name)
        keywords[parameter.keyword] = _read_value(parameter, value, repairs)
    return keywords


def _is_nothing(parameter: Parameter, value: object) -> bool:
    return value is None or (isinstance(value, str) and not value.strip() and not parameter.may_be_empty)


# --- The dispatcher -------------------------------------------------------------------------------------------------


class Toolbox:
    """The one dispatcher: answers calls of its tools, each exactly once and in order."""

    def __init__(self, tools: Iterable[Tool], *, page_chars: int = DEFAULT_PAGE_CHARS) -> None:
        self.tools = tuple(tools)
        self._page_chars = page_chars
        self._by_name = {name: tool for tool in self.tools for name in (tool.name, *tool.other_names)}
        if len(self._by_name) != sum(1 + len(tool.other_names) for tool in self.tools):
            raise ValueError("Two tools have the same name.")

    @property
    def specs(self) -> tuple[ToolSpec, ...]:
        """The tools as shown to a model."""
        return tuple(tool.spec for tool in self.tools)

    def tool(self, name: str) -> Tool | None:
        """The tool of that name, its own or another."""
        return self._by_name.get(name)

    def answer(self, calls: Sequence[ToolCall]) -> tuple[ToolResult, ...]:
        """The answers to the calls of one message, in order.

        Empty and repeated ids are made unique; put the results' calls into the assistant's message.
        Exceptions that come out of a tool, other than ToolError, are ours and pass through.
        """
        unique = unique_ids(calls)
        results = [self.answer_one(call) for call in unique]
        return tuple(
            result if call.id == sent.id else replace(result, repairs=("call id", *result.repairs))
            for sent, call, result in zip(calls, unique, results, strict=True)
        )

    def call(self, name: str, arguments: Mapping[str, object]) -> ToolResult:
        """The answer to a single call by a program."""
        return self.answer_one(ToolCall.of("call_1", name, arguments))

    def answer_one(self, call: ToolCall) -> ToolResult:
        """The answer to one call."""
        tool = self._by_name.get(call.name)
        if tool is None:
            return _failed(call, call.name, self._no_such_tool(call.name))
        repairs = _Repairs()
        try:
            given = _argument_object(call.arguments, repairs)
            page = _page_number(given.pop(PAGE, None) if _pages_itself(tool) else None, repairs)
            keywords = _keywords(tool, given, repairs)
        except _Unreadable as error:
            return _failed(call, tool.name, error.fault, repairs)
        arguments = {p.name: jsonable(keywords[p.keyword]) for p in tool.parameters if p.keyword in keywords}
        try:
            answer = tool.run(**keywords)
        except ToolError as error:
            fault = ToolFault("content", error.message, error.field)
            return _failed(call, tool.name, fault, repairs, arguments)
        text = _page(answer, page, self._page_chars)
        if text is None:
            fault = ToolFault("content", f"The answer has no page {page}.", PAGE)
            return _failed(call, tool.name, fault, repairs, arguments)
        if page > 1:
            arguments[PAGE] = page
        signature = _signature(tool, arguments)
        return ToolResult(call, tool.name, text, answer, arguments, None, tuple(repairs), signature)

    def _no_such_tool(self, name: str) -> ToolFault:
        near = get_close_matches(name[:100], self._by_name, n=1)
        hint = f" Did you mean {near[0]}?" if near else ""
        names = ", ".join(tool.name for tool in self.tools)
        return ToolFault("name", f"There is no tool {_shown(_readable(name))}.{hint} The tools are: {names}.", "name")


def _failed(
    call: ToolCall,
    tool: str,
    fault: ToolFault,
    repairs: Sequence[str] = (),
    arguments: Mapping[str, object] | None = None,
) -> ToolResult:
    readable = replace(fault, message=_readable(fault.message), field=fault.field and _readable(fault.field))
    return ToolResult(call, tool, readable.text, None, arguments or {}, readable, tuple(repairs))


def _readable(text: str) -> str:
    """The text with what no file could hold replaced."""
    return _LONE_SURROGATE.sub("�", text)


def unique_ids(calls: Sequence[ToolCall]) -> tuple[ToolCall, ...]:
    """The calls with ids that are neither empty nor repeated: later ones get their number behind."""
    sent = {call.id for call in calls}
    used: set[str] = set()
    unique = []
    for number, call in enumerate(calls, start=1):
        call_id = call.id
        if not call_id or call_id in used:
            stem = f"{call_id or 'call'}_{number}"
            call_id = stem
            while call_id in used or call_id in sent:
                call_id += "_"
        used.add(call_id)
        unique.append(call if call_id == call.id else replace(call, id=call_id))
    return tuple(unique)


def _signature(tool: Tool, arguments: Mapping[str, object]) -> str:
    asked = {
        parameter.name: _plain_number(arguments[parameter.name])
        for parameter in tool.parameters
        if parameter.name in arguments and (parameter.required or arguments[parameter.name] != parameter.default)
    }
    if PAGE in arguments:
        asked[PAGE] = arguments[PAGE]
    return f"{tool.name} {json.dumps(asked, ensure_ascii=False, separators=(',', ':'), sort_keys=True)}"


def _plain_number(value: object) -> object:
    return int(value) if isinstance(value, float) and value.is_integer() else value


# --- Answers as text ------------------------------------------------------------------------------------------------


_Item = TypeVar("_Item")
_Shaped = TypeVar("_Shaped")


class Listing(Sequence[_Shaped]):
    """A list whose items take their shape when looked at: of a long answer only the page shown is made."""

    def __init__(self, items: Sequence[_Item], shape: Callable[[_Item], _Shaped]) -> None:
        self._items: Sequence[Any] = items
        self._shape = shape

    def __len__(self) -> int:
        return len(self._items)

    @overload
    def __getitem__(self, index: int) -> _Shaped: ...
    @overload
    def __getitem__(self, index: slice) -> "Listing[_Shaped]": ...
    def __getitem__(self, index: int | slice) -> "_Shaped | Listing[_Shaped]":
        if isinstance(index, slice):
            return Listing(self._items[index], self._shape)
        return self._shape(self._items[index])

    def __iter__(self) -> Iterator[_Shaped]:
        return map(self._shape, self._items)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and not isinstance(other, str) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]


_PLAIN = frozenset((str, int, float, bool, type(None)))


def jsonable(value: object) -> object:
    """A tool's answer as JSON values. Records become objects without the fields that are None, lengths minutes."""
    kind: type = type(value)
    if kind in _PLAIN:
        return value
    names = _field_names(kind)
    if names is not None:
        return {name: jsonable(item) for name in names if (item := getattr(value, name)) is not None}
    return [jsonable(item) for item in value] if isinstance(value, tuple) else _jsonable_rarely(value)


_FIELDS: dict[type, tuple[str, ...] | None] = {}


def _field_names(kind: type) -> tuple[str, ...] | None:
    """The fields of a kind of record; None of anything else."""
    if kind not in _FIELDS:
        _FIELDS[kind] = tuple(field.name for field in fields(kind)) if is_dataclass(kind) else None
    return _FIELDS[kind]


def _jsonable_rarely(value: object) -> object:
    match value:
        case Decimal():
            return int(value) if value == value.to_integral_value() else float(value)
        case Enum():
            return jsonable(value.value)
        case bool() | int() | float() | str():
            return value
        case datetime():
            return value.isoformat(sep=" ", timespec="minutes")
        case date():
            return value.isoformat()
        case time():
            return value.isoformat(timespec="minutes")
        case timedelta():
            minutes = value / timedelta(minutes=1)
            return int(minutes) if minutes.is_integer() else minutes
        case Mapping():
            return {str(key): jsonable(item) for key, item in value.items()}
        case list() | tuple() | Listing():
            return [jsonable(item) for item in value]
        case _:
            raise TypeError(f"A tool answers in records, lists and plain values, not in {type(value).__name__}.")


_COMPACT = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))


def compact_json(value: object) -> str:
    """JSON as agents read it: no blanks, letters as they are."""
    return _COMPACT.encode(value)


def _pages_itself(tool: Tool) -> bool:
    return all(parameter.name != PAGE for parameter in tool.parameters)


def _page_number(value: object, repairs: _Repairs) -> int:
    if value is None:
        return 1
    number = _mended_value(value, {"type": "integer"})
    if isinstance(number, bool) or not isinstance(number, int) or number < 1:
        raise _Unreadable(f"{PAGE} must be a whole number from 1, not {_shown(value)}.", PAGE)
    if number is not value:
        repairs.append(f"{PAGE}: {_shown(value)} read as {number}")
    return number


def _page(answer: object, page: int, limit: int) -> str | None:
    """The text of an answer, or one page of it if it is longer than `limit` characters; None if there is none such.

    A list is divided between its items, an object in its longest list, a text between its lines. Every page says
    what of the whole it shows, and how to get the next.
    """
    if isinstance(answer, str):
        return answer if len(answer) <= limit and page == 1 else _text_page(answer, page, limit)
    if isinstance(answer, list | tuple | Listing):
        return _list_page({}, None, answer, page, limit)
    kind: type = type(answer)
    names = _field_names(kind) or ()
    listing = next((name for name in names if isinstance(getattr(answer, name), Listing)), None)
    if listing is not None:
        others = {name: jsonable(getattr(answer, name)) for name in names if name != listing}
        return _list_page(others, listing, getattr(answer, listing), page, limit)
    value = jsonable(answer)
    text = compact_json(value)
    if len(text) <= limit:
        return text if page == 1 else None
    if isinstance(value, dict) and any(isinstance(item, list) and item for item in value.values()):
        key = max((key for key in value if isinstance(value[key], list)), key=lambda key: len(compact_json(value[key])))
        return _list_page(value, key, value[key], page, limit)
    return _text_page(text, page, limit)


def _list_page(
    around: Mapping[str, object], key: str | None, items: Sequence[object], page: int, limit: int
) -> str | None:
    """A page of a list that stands under `key` in an object, or alone; only items up to its end are looked at."""
    room = limit - (len(compact_json({**around, key: []})) if key else 2) - _PAGING_CHARS
    shown: list[str] = []
    first, used, number = 0, 0, 1
    for index, item in enumerate(items):
        text = compact_json(jsonable(item))
        if shown and used + len(text) + 1 > room:
            if number == page:
                break
            number, first, used, shown = number + 1, index, 0, []
        shown.append(text)
        used += len(text) + 1
    if number != page or (page > 1 and not shown):
        return None
    last = first + len(shown)
    whole = page == 1 and last == len(items)
    if whole and key is None:
        return f"[{','.join(shown)}]"
    rest = {name: value for name, value in around.items() if name != key and value is not None}
    head = f"{compact_json(rest)[:-1]}," if rest else "{"
    body = f'{head}"{key or "items"}":[{",".join(shown)}]'
    if whole:
        return body + "}"
    note = f"page {page}: items {first + 1} to {last} of {len(items)}{_next_page(page, last == len(items))}"
    return f'{body},"paging":{compact_json(note)}}}'


def _text_page(text: str, page: int, limit: int) -> str | None:
    pages: list[str] = [""]
    for line in text.splitlines(keepends=True):
        for start in range(0, len(line), limit):
            part = line[start : start + limit]
            if pages[-1] and len(pages[-1]) + len(part) > limit:
                pages.append("")
            pages[-1] += part
    if page > len(pages):
        return None
    return f"{pages[page - 1].rstrip()}\n[page {page} of {len(pages)}{_next_page(page, page == len(pages))}]"


def _next_page(page: int, is_last: bool) -> str:
    return "" if is_last else f"; for the next, call again with the same arguments and {PAGE} {page + 1}"
