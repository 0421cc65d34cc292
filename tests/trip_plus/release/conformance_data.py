"""The conformance data, where TRIPGAUGE_CONFORMANCE names its folder, and how results are compared with it."""

import json
import os
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from tripgauge.trip_plus.release.evaluator import (
    ReleaseSandbox,
    TurnResult,
    evaluate_turn,
    release_sandbox,
    release_turn,
)
from tripgauge.trip_plus.sandbox.files import SandboxLibrary

Json = dict[str, Any]

FOLDER = Path(os.environ.get("TRIPGAUGE_CONFORMANCE") or "no conformance data")
MISSING = not (FOLDER / "cases.jsonl").exists()
REASON = "TRIPGAUGE_CONFORMANCE names no folder with the conformance data"

TOLERANCE = 1e-9


def lines(name: str) -> list[Json]:
    """All lines of a file of the data; none where there is no data."""
    if MISSING:
        return []
    with (FOLDER / name).open(encoding="utf-8") as file:
        return [json.loads(line) for line in file]


@cache
def records() -> dict[tuple[str, str], Json]:
    """The task records by query set and id."""
    files = {"official": FOLDER / "query" / "query.json", "synthetic": FOLDER / "synthetic_queries.json"}
    return {
        (query_set, record["id"]): record
        for query_set, path in files.items()
        for record in json.loads(path.read_text(encoding="utf-8"))
    }


def record_of(case: Json) -> Json:
    """The record a line belongs to."""
    return records()[case["query_set"], case["record_id"]]


@cache
def _library(environment: str) -> SandboxLibrary:
    return SandboxLibrary(FOLDER / "database", FOLDER / "city_env" / "en" if environment == "city" else None)


@cache
def _sandbox(environment: str, folder: Path | None) -> ReleaseSandbox:
    if folder is None:
        return release_sandbox(None)
    return release_sandbox(_library(environment).files(folder.name))


def sandbox(record: Json, environment: str = "plain") -> ReleaseSandbox:
    """The sandbox of a record; one that knows nothing for the many records whose sandbox is not in the data."""
    return _sandbox(environment, _library(environment).folder(record["id"], record["base_query_id"]))


def score(case: Json, environment: str = "plain") -> TurnResult:
    """What we say of a case."""
    record = record_of(case)
    return evaluate_turn(case["plan"], release_turn(record, case["turn_id"]), sandbox(record, environment))


def differences(expected: object, found: object, place: str = "") -> Iterator[str]:
    """Where two JSON values differ: numbers by more than 1e-9, all else at all. Shortened reasons are not compared."""
    match expected, found:
        case dict(), dict():
            for key in sorted((expected.keys() | found.keys()) - {"why"}):
                if key not in expected or key not in found:
                    yield f"{place}.{key}: only {'expected' if key in expected else 'found'}"
                else:
                    yield from differences(expected[key], found[key], f"{place}.{key}")
        case list(), list() if len(expected) == len(found):
            for number, (one, other) in enumerate(zip(expected, found, strict=True)):
                yield from differences(one, other, f"{place}[{number}]")
        case (int() | float(), int() | float()) if not isinstance(expected, bool) and not isinstance(found, bool):
            if abs(expected - found) > TOLERANCE:
                yield f"{place}: {expected} expected, {found} found"
        case _:
            if type(expected) is not type(found) or expected != found:
                yield f"{place}: {expected!r} expected, {found!r} found"
