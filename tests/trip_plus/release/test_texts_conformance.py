"""Recorded answers read exactly as the published code read them."""

import json
import os
from pathlib import Path

import pytest

from tripgauge.trip_plus.release.conversion import Conversion, read_answer_agent, read_answer_direct
from tripgauge.trip_plus.release.entity_names import DatabaseNames, database_names
from tripgauge.trip_plus.release.extraction import extract
from tripgauge.trip_plus.sandbox.files import SandboxLibrary

FOLDER = os.environ.get("TRIPGAUGE_CONFORMANCE")

pytestmark = pytest.mark.skipif(
    not FOLDER or not (Path(FOLDER) / "texts.jsonl").exists(),
    reason="TRIPGAUGE_CONFORMANCE names no folder with texts.jsonl",
)


def _lines() -> list[dict]:
    if not FOLDER or not (Path(FOLDER) / "texts.jsonl").exists():
        return []
    with open(Path(FOLDER) / "texts.jsonl", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


LINES = [pytest.param(line, id=line["id"]) for line in _lines()]


@pytest.fixture(scope="module")
def names() -> dict[str, DatabaseNames]:
    library = SandboxLibrary(Path(str(FOLDER)))
    records = {line.values[0]["record_id"] for line in LINES}
    return {record: database_names(library.files(record)) for record in records}


def _as_recorded(conversion: Conversion) -> dict:
    """In the recorded form, but for the sentence that explains a malformed plan, which is our own."""
    recorded = {"method": str(conversion.method)}
    if conversion.converted is not None:
        recorded["converted"] = _without_explanation(json.loads(json.dumps(conversion.converted)))
    return recorded


def _without_explanation(converted: dict) -> dict:
    if converted.get("status") == "malformed":
        assert converted["malformed_explanation"]
        return converted | {"malformed_explanation": "(any)"}
    return converted


def _expected(recorded: dict) -> dict:
    expected = {"method": recorded["method"]}
    if "converted" in recorded:
        expected["converted"] = _without_explanation(recorded["converted"])
    return expected


def test_there_are_recorded_answers_of_every_method():
    methods = {line.values[0][route]["method"] for line in LINES for route in ("agent", "direct")}

    assert methods == {"deterministic", "malformed_guard", "needs_model"}


@pytest.mark.parametrize("line", LINES)
def test_the_stored_report_is_the_recorded_one(line):
    assert extract(line["text"]) == line["report"]


@pytest.mark.parametrize("line", LINES)
def test_a_stored_report_converts_to_the_recorded_plan(line, names):
    conversion = read_answer_agent(line["text"], names[line["record_id"]])

    assert _as_recorded(conversion) == _expected(line["agent"])


@pytest.mark.parametrize("line", LINES)
def test_a_raw_text_converts_to_the_recorded_plan(line, names):
    conversion = read_answer_direct(line["text"], names[line["record_id"]])

    assert _as_recorded(conversion) == _expected(line["direct"])
