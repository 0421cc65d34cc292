"""JSON to records and back: the one home of pydantic, and of files that are never half-written.

Records are standard dataclasses. What a file holds is checked against their types strictly: text is no number, a
number is no text, and a fault is told in one line that names the file, the record and the field.
"""

import gzip
import json
import os
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import fields, is_dataclass
from functools import cache
from pathlib import Path
from typing import Annotated, Any, TypeVar, cast

from pydantic import BeforeValidator, Field, TypeAdapter, ValidationError
from pydantic_core import ErrorDetails, to_jsonable_python

from tripgauge.errors import UsageError

T = TypeVar("T")


def _digits_as_number(value: object) -> object:
    return int(value) if isinstance(value, str) and value.isascii() and value.isdigit() else value


WholeNumber = Annotated[int, BeforeValidator(_digits_as_number, json_schema_input_type=int | str)]
"""A whole number that a file may also write as text, such as "2"."""


def Key(name: str) -> Any:
    """For `Annotated`: the key a file uses for a field that Python cannot name so, such as "from"."""
    return Field(alias=name)


def Between(low: int, high: int) -> Any:
    """For `Annotated`: a number that lies between the two, both included."""
    return Field(ge=low, le=high)


def AtLeast(low: int) -> Any:
    """For `Annotated`: a number that is not below it."""
    return Field(ge=low)


LONGEST_SHOWN = 60
"""How much of a faulty value a message shows."""


def decode(type_: type[T], value: object, where: str) -> T:
    """The JSON value as a `type_`. Raises UsageError naming `where` and the path of the first bad field.

    Keys the type does not know are left out; `unknown_fields` lists them. Half a surrogate pair, as models write them,
    becomes a replacement character. Members of a union must differ in their
    fields, since nothing in the file says which one is meant.
    """
    try:
        text = _whole_characters(json.dumps(value, ensure_ascii=False))
        return cast(T, _adapter(type_).validate_json(text, strict=True))
    except ValidationError as error:
        raise UsageError(_complaint(error.errors(include_url=False)[0], value, where)) from None


def _adapter(type_: Any) -> TypeAdapter[Any]:
    return _built_adapter(type_)


@cache
def _built_adapter(type_: Any) -> TypeAdapter[Any]:
    return TypeAdapter(type_)


def _complaint(error: ErrorDetails, value: object, where: str) -> str:
    is_missing = error["type"] in ("missing", "missing_argument")
    path = _path(_steps_in(value, error["loc"], and_last=is_missing))
    place = f"{where}, {path}" if path else where
    if is_missing:
        return f"{place}: is missing."
    demand = error["msg"].removeprefix("Input ").removeprefix("Value ")
    return f"{place}: {demand[:1].lower()}{demand[1:]}, but is {shown(error['input'])}."


def _steps_in(value: Any, steps: Sequence[int | str], *, and_last: bool) -> Iterator[int | str]:
    """The steps that lead into the value: a fault inside a union also names the member that was tried."""
    for position, step in enumerate(steps, 1):
        places: Any = value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
        leads_on = step in places
        if leads_on or (and_last and position == len(steps)):
            yield step
        if leads_on:
            value = value[step]


def _path(steps: Iterable[int | str]) -> str:
    """A place in a JSON value: turns[1].utterance."""
    path = ""
    for step in steps:
        path += f"[{step}]" if isinstance(step, int) else f".{step}"
    return path.removeprefix(".")


def shown(value: object) -> str:
    """A JSON value on one line and not too long, for messages."""
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= LONGEST_SHOWN else f"{text[: LONGEST_SHOWN - 1]}…"


def unknown_fields(type_: type[object], value: object) -> tuple[str, ...]:
    """Paths of the keys in a JSON value that `type_` does not read, which `decode` leaves out."""
    return tuple(_unread(value, encode(decode(type_, value, "")), ()))


def _unread(value: object, known: object, steps: tuple[int | str, ...]) -> Iterable[str]:
    if isinstance(value, dict) and isinstance(known, dict):
        for key, item in value.items():
            if key in known:
                yield from _unread(item, known[key], (*steps, key))
            else:
                yield _path((*steps, key))
    elif isinstance(value, list) and isinstance(known, list):
        for index, (item, known_item) in enumerate(zip(value, known, strict=True)):
            yield from _unread(item, known_item, (*steps, index))


def encode(record: object) -> Any:
    """The record as a JSON value: fields by name, sets sorted, dates as ISO text, money and fractions as text."""
    if is_dataclass(record) and not isinstance(record, type):
        return {field.name: encode(getattr(record, field.name)) for field in fields(record) if field.init}
    if isinstance(record, Mapping):
        return {str(key): encode(value) for key, value in record.items()}
    if isinstance(record, Set):
        return sorted((encode(item) for item in record), key=json.dumps)
    if isinstance(record, Sequence) and not isinstance(record, str | bytes):
        return [encode(item) for item in record]
    return to_jsonable_python(record)


def to_json(record: object, indent: int | None = None) -> str:
    """The record as JSON text, non-ASCII characters as they are. Half a surrogate pair, which no file can hold in
    UTF-8, becomes a replacement character."""
    return _whole_characters(json.dumps(encode(record), ensure_ascii=False, indent=indent))


def _whole_characters(text: str) -> str:
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def json_schema(type_: Any) -> dict[str, Any]:
    """The JSON Schema (2020-12) of a `type_`, with the docstrings of its fields as descriptions."""
    # A dataclass takes no settings from outside unless it is inside something else.
    schema = TypeAdapter(tuple[type_], config={"use_attribute_docstrings": True}).json_schema(mode="validation")
    definitions = {"$defs": schema["$defs"]} if "$defs" in schema else {}
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema["prefixItems"][0], **definitions}


def read_text(path: Path) -> str:
    """The text of a UTF-8 file, with or without a byte order mark, gzipped if its name ends in .gz.

    Raises UsageError, naming the file, if it is absent, no gzip file or no UTF-8.
    """
    try:
        data = path.read_bytes()
        if path.suffix == ".gz":
            data = gzip.decompress(data)
        return text_of(data, str(path))
    except (gzip.BadGzipFile, EOFError) as error:
        raise UsageError(f"{path}: not a readable gzip file ({error}).") from None
    except IsADirectoryError:
        raise UsageError(f"{path} is a folder; a file is needed.") from None
    except FileNotFoundError:
        raise UsageError(f"No file at {path}.") from None
    except PermissionError:
        raise UsageError(f"{path} may not be read.") from None


def text_of(data: bytes, where: str) -> str:
    """The bytes as UTF-8 text, with or without a byte order mark. Raises UsageError, naming `where`, if not UTF-8."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UsageError(f"{where}: not UTF-8 at byte {error.start}.") from None


def read_json(path: Path) -> object:
    """The JSON value in the file. Raises UsageError, naming file and place, if there is none."""
    text = read_text(path)
    if not text.strip():
        raise UsageError(f"{path}: is empty; JSON is needed.")
    return _parse(text, str(path), line=None)


def decode_json(type_: type[T], path: Path) -> T:
    """The value in the JSON file as a `type_`. Raises UsageError as `read_json` and `decode` do."""
    return decode(type_, read_json(path), str(path))


def decode_json_lines(type_: type[T], path: Path) -> tuple[T, ...]:
    """The records of a JSON Lines file, one `type_` a line; blank lines are skipped.

    Raises UsageError naming file, line and field.
    """
    return tuple(record for _, record in decode_placed_lines(type_, path))


def decode_placed_lines(type_: type[T], path: Path) -> Iterator[tuple[str, T]]:
    """The same, each with its place for messages: "calls.jsonl, line 2"."""
    for number, line in enumerate(read_text(path).split("\n"), 1):
        if line.strip():
            value, place = _parse(line, str(path), line=number), f"{path}, line {number}"
            yield place, decode(type_, value, place)


class _RepeatedKey(ValueError):
    pass


def _parse(text: str, where: str, line: int | None) -> object:
    try:
        return json.loads(text, object_pairs_hook=_object)
    except json.JSONDecodeError as error:
        place = f"line {line or error.lineno}, column {error.colno}"
        raise UsageError(f"{where}, {place}: not JSON ({error.msg}).") from None
    except _RepeatedKey as error:
        place = f"{where}, line {line}" if line else where
        raise UsageError(f'{place}: an object names "{error}" twice.') from None


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    value = dict(pairs)
    if len(value) < len(pairs):
        names = [name for name, _ in pairs]
        raise _RepeatedKey(next(name for name in names if names.count(name) > 1))
    return value


def write_text(path: Path, text: str) -> None:
    """Write the text to the file as UTF-8 with LF, all of it or nothing: a reader sees the old file or the new one.

    Makes the folder if need be.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".tmp")
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        Path(name).chmod(0o666 & ~_umask())
        Path(name).replace(path)
    finally:
        Path(name).unlink(missing_ok=True)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def write_json(path: Path, record: object) -> None:
    """Write a record as an indented JSON file, all of it or nothing."""
    write_text(path, to_json(record, indent=2) + "\n")


def write_json_lines(path: Path, records: Iterable[object]) -> None:
    """Write records as a JSON Lines file, all of it or nothing."""
    write_text(path, "".join(to_json(record) + "\n" for record in records))
