"""The release edition's tools answer as the published ones were recorded to answer."""

import hashlib
import json
import os
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from shutil import copytree

import pytest

from tripgauge.trip_plus.edition import Edition
from tripgauge.trip_plus.release.tools import ReleaseTools
from tripgauge.trip_plus.sandbox.files import SandboxLibrary
from tripgauge.trip_plus.tools.commands import answered_calls, read_calls

DATA = Path(os.environ.get("TRIPGAUGE_CONFORMANCE") or "absent")

pytestmark = pytest.mark.skipif(
    not (DATA / "tool_calls.jsonl").exists(), reason="TRIPGAUGE_CONFORMANCE does not name the conformance data"
)


@cache
def recorded_calls() -> tuple[Mapping[str, object], ...]:
    if not (DATA / "tool_calls.jsonl").exists():
        return ()
    with (DATA / "tool_calls.jsonl").open(encoding="utf-8") as lines:
        return tuple(json.loads(line) for line in lines)


@pytest.fixture(scope="module")
def tools(tmp_path_factory: pytest.TempPathFactory):
    cities = tmp_path_factory.mktemp("data") / "en"
    copytree(DATA / "database" / "en", cities, copy_function=_copy)
    copytree(DATA / "city_env" / "en", cities, copy_function=_copy, dirs_exist_ok=True)
    library = SandboxLibrary(DATA / "database", cities)

    @cache
    def of(sample: str, env: str) -> ReleaseTools:
        return ReleaseTools(library.files(sample, with_cities=env == "city"))

    return of


def _copy(source: str, target: str) -> None:
    Path(target).parent.chmod(0o755)
    Path(target).write_bytes(Path(source).read_bytes())


@pytest.mark.parametrize("call", recorded_calls(), ids=lambda call: call["id"])
def test_every_recorded_call_has_the_recorded_answer_view_and_clean_up(call, tools):
    release = tools(call["sample"], call["env"])

    result = release.result(call["tool"], call["args"])

    if "result" in call:
        assert result == call["result"]
    else:
        assert len(result) == call["result_length"]
        assert hashlib.sha256(result.encode()).hexdigest() == call["result_sha256"]
    arguments = release.agent_arguments(call["tool"], call["args"])
    assert list(arguments.items()) == list(call["agent_args"].items())
    assert release.agent_view(call["tool"], call["args"]) == call["agent_view"]


def test_all_eleven_tools_are_among_the_recorded_calls():
    assert len({call["tool"] for call in recorded_calls()}) == 11
    assert len(recorded_calls()) == 260


@pytest.mark.parametrize("data", ["database", "database/sample/en"])
def test_the_file_of_recorded_calls_is_answered_line_by_line(data):
    answers = answered_calls(
        read_calls(DATA / "tool_calls.jsonl"),
        edition=Edition.RELEASE,
        data=DATA / data,
        city_data=DATA / "city_env" / "en",
        queries=[DATA / "query" / "query.json"],
    )

    for call, answer in zip(recorded_calls(), answers, strict=True):
        if data != "database" and "Beijing" in json.dumps(call["args"]) and call["env"] == "city":
            continue  # the folder of Beijing lies beside the samples, not in them
        assert answer["id"] == call["id"]
        assert hashlib.sha256(answer["result"].encode()).hexdigest() == call.get(
            "result_sha256", hashlib.sha256(call.get("result", "").encode()).hexdigest()
        )
        assert answer["agent_args"] == call["agent_args"]
        assert answer["agent_view"] == call["agent_view"]
