"""JSON to records and back, and files that are never half-written."""

import gzip
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tripgauge import codec
from tripgauge.errors import UsageError


class Pace(StrEnum):
    SLOW = "slow"
    FAST = "fast"


@dataclass(frozen=True, slots=True)
class Stop:
    """One stop of a walk."""

    name: str
    """What the sign says."""

    price: Decimal
    minutes: int = 30


@dataclass(frozen=True, slots=True)
class Walk:
    """A walk through the old town."""

    day: date
    stops: tuple[Stop, ...]
    pace: Pace = Pace.SLOW
    guide: Stop | str | None = None
    notes: Mapping[str, object] = field(default_factory=dict)


WALK = {
    "day": "2026-07-14",
    "stops": [{"name": "Old Gate", "price": 60}, {"name": "Museum", "price": 40.5, "minutes": 90}],
    "pace": "fast",
    "notes": {"rain": [1, None, {"umbrella": True}]},
}


def changed(**changes: object) -> dict[str, object]:
    return {**WALK, **changes}


def complaint(value: object) -> str:
    with pytest.raises(UsageError) as caught:
        codec.decode(Walk, value, "walks.json, record 3")
    return str(caught.value)


def test_a_json_object_becomes_a_frozen_record() -> None:
    assert codec.decode(Walk, WALK, "walks.json") == Walk(
        day=date(2026, 7, 14),
        stops=(Stop("Old Gate", Decimal(60)), Stop("Museum", Decimal("40.5"), 90)),
        pace=Pace.FAST,
        notes={"rain": [1, None, {"umbrella": True}]},
    )


def test_money_from_a_file_is_exact() -> None:
    stop = codec.decode(Stop, {"name": "Kiosk", "price": 0.1}, "stop")

    assert stop.price == Decimal("0.1")


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (
            changed(stops=[{"name": "Old Gate", "price": 60}, {"name": "Museum", "price": 40, "minutes": "90"}]),
            'walks.json, record 3, stops[1].minutes: should be a valid integer, but is "90".',
        ),
        (changed(stops=[{"price": 60}]), "walks.json, record 3, stops[0].name: is missing."),
        (
            changed(day="2026-02-30"),
            "walks.json, record 3, day: should be a valid date in the format YYYY-MM-DD, "
            'day value is outside expected range, but is "2026-02-30".',
        ),
        (changed(pace="brisk"), "walks.json, record 3, pace: should be 'slow' or 'fast', but is \"brisk\"."),
        (
            changed(stops={"name": "Old Gate"}),
            'walks.json, record 3, stops: should be a valid array, but is {"name": "Old Gate"}.',
        ),
        ([], "walks.json, record 3: should be an object, but is []."),
        (
            changed(guide={"name": "Ann", "price": "free"}),
            'walks.json, record 3, guide.price: should be a valid decimal, but is "free".',
        ),
        (changed(guide={"name": "Ann"}), "walks.json, record 3, guide.price: is missing."),
        (changed(guide=7), "walks.json, record 3, guide: should be an object, but is 7."),
        (
            changed(stops=[{"name": True, "price": 1}]),
            "walks.json, record 3, stops[0].name: should be a valid string, but is true.",
        ),
    ],
)
def test_a_fault_is_one_line_with_file_record_and_field(value: object, message: str) -> None:
    assert complaint(value) == message


def test_a_long_faulty_value_is_cut_and_kept_on_one_line() -> None:
    message = complaint(changed(pace="slow\n" * 50))

    assert "\n" not in message
    assert message.endswith("….")
    assert len(message) < 200


def test_unknown_keys_are_left_out_and_can_be_listed() -> None:
    value = changed(stops=[{"name": "Old Gate", "price": 60, "prize": 3}], colour="red")

    assert codec.decode(Walk, value, "").stops == (Stop("Old Gate", Decimal(60)),)
    assert codec.unknown_fields(Walk, value) == ("stops[0].prize", "colour")
    assert codec.unknown_fields(Walk, WALK) == ()


def test_a_whole_number_may_be_written_as_text() -> None:
    assert codec.decode(codec.WholeNumber, "12", "people") == 12
    assert codec.decode(codec.WholeNumber, 12, "people") == 12
    for bad in ("two", "1.5", "", "-1", True):
        with pytest.raises(UsageError):
            codec.decode(codec.WholeNumber, bad, "people")


def test_records_become_plain_json_values() -> None:
    record = {
        "walk": Walk(date(2026, 7, 14), (Stop("Old Gate", Decimal("60.50")),), Pace.FAST),
        "found": frozenset({"c", "a", "b"}),
        "share": Fraction(1, 3),
        "at": datetime(2026, 7, 14, 9, 30),
    }

    assert codec.encode(record) == {
        "walk": {
            "day": "2026-07-14",
            "stops": [{"name": "Old Gate", "price": "60.50", "minutes": 30}],
            "pace": "fast",
            "guide": None,
            "notes": {},
        },
        "found": ["a", "b", "c"],
        "share": "1/3",
        "at": "2026-07-14T09:30:00",
    }


stops = st.builds(
    Stop,
    name=st.text(st.characters(exclude_categories=["Cs"])),
    price=st.decimals(allow_nan=False, allow_infinity=False, places=2, min_value=0, max_value=10**9),
    minutes=st.integers(-(10**15), 10**15),
)
walks = st.builds(
    Walk,
    day=st.dates(),
    stops=st.lists(stops, max_size=3).map(tuple),
    pace=st.sampled_from(Pace),
    guide=st.none() | stops | st.text(st.characters(exclude_categories=["Cs"])),
)


@given(walks)
def test_what_was_encoded_decodes_to_the_same_record(walk: Walk) -> None:
    assert codec.decode(Walk, json.loads(codec.to_json(walk)), "") == walk


def test_half_a_surrogate_pair_does_not_keep_a_file_from_being_written(tmp_path: Path) -> None:
    codec.write_json(tmp_path / "answer.json", {"text": "cut \ud83d off \U0001f600"})

    assert codec.read_json(tmp_path / "answer.json") == {"text": "cut � off \U0001f600"}


def test_the_schema_describes_fields_with_their_docstrings() -> None:
    schema = codec.json_schema(Walk)

    assert schema["$schema"].startswith("https://json-schema.org/")
    walk, stop = schema["$defs"]["Walk"], schema["$defs"]["Stop"]
    assert walk["description"] == "A walk through the old town."
    assert walk["required"] == ["day", "stops"]
    assert stop["properties"]["name"]["description"] == "What the sign says."


class TestReading:
    def test_a_byte_order_mark_and_windows_line_ends_do_no_harm(self, tmp_path: Path) -> None:
        path = tmp_path / "walks.jsonl"
        path.write_bytes(
            b"\xef\xbb\xbf" + json.dumps(WALK).encode() + b"\r\n\r\n" + json.dumps(WALK).encode() + b"\r\n"
        )

        assert len(codec.decode_json_lines(Walk, path)) == 2

    def test_a_line_separator_inside_a_text_does_not_end_a_record(self, tmp_path: Path) -> None:
        path = tmp_path / "stops.jsonl"
        codec.write_json_lines(path, [Stop("Old\u2028Gate\x85", Decimal(1))])

        assert codec.decode_json_lines(Stop, path) == (Stop("Old\u2028Gate\x85", Decimal(1)),)

    def test_a_gzipped_file_is_read_as_the_plain_one(self, tmp_path: Path) -> None:
        path = tmp_path / "walk.json.gz"
        path.write_bytes(gzip.compress(json.dumps(WALK).encode()))

        assert codec.decode_json(Walk, path).pace is Pace.FAST

    @pytest.mark.parametrize(
        ("content", "message"),
        [
            (b'{"day": ', "{path}, line 1, column 9: not JSON (Expecting value)."),
            (
                b'{\n "day": 1,\n}',
                "{path}, line 3, column 1: not JSON (Expecting property name enclosed in double quotes).",
            ),
            (b'{"day": 1, "day": 2}', '{path}: an object names "day" twice.'),
            (b"\xff\xfe{}", "{path}: not UTF-8 at byte 0."),
            (b" \n", "{path}: is empty; JSON is needed."),
        ],
    )
    def test_a_file_that_is_no_json_says_where(self, tmp_path: Path, content: bytes, message: str) -> None:
        path = tmp_path / "walk.json"
        path.write_bytes(content)

        with pytest.raises(UsageError) as caught:
            codec.read_json(path)
        # The wording behind some faults is the JSON reader's, which differs between versions of Python.
        expected = message.format(path=path).split(" (")[0]
        assert str(caught.value).startswith(expected)
        assert "\n" not in str(caught.value)

    def test_a_bad_line_is_named_by_its_number(self, tmp_path: Path) -> None:
        path = tmp_path / "stops.jsonl"
        path.write_text('{"name": "Old Gate", "price": 1}\n{"name": "Museum"}\n', encoding="utf-8")

        with pytest.raises(UsageError) as caught:
            codec.decode_json_lines(Stop, path)
        assert str(caught.value) == f"{path}, line 2, price: is missing."

    def test_a_missing_file_and_a_folder_are_named(self, tmp_path: Path) -> None:
        with pytest.raises(UsageError, match=r"^No file at .*walk\.json\.$"):
            codec.read_json(tmp_path / "walk.json")
        with pytest.raises(UsageError, match="is a folder; a file is needed"):
            codec.read_json(tmp_path)


class TestWriting:
    def test_a_file_is_replaced_as_a_whole(self, tmp_path: Path) -> None:
        path = tmp_path / "new folder" / "plan.txt"
        codec.write_text(path, "first\n")
        codec.write_text(path, "zweitens ¥\n")

        assert path.read_bytes() == "zweitens ¥\n".encode()
        assert [entry.name for entry in path.parent.iterdir()] == ["plan.txt"]

    def test_a_record_that_cannot_be_written_leaves_the_old_file(self, tmp_path: Path) -> None:
        path = tmp_path / "stops.jsonl"
        codec.write_json_lines(path, [Stop("Old Gate", Decimal(1))])

        with pytest.raises(Exception, match="serialize"):
            codec.write_json_lines(path, [Stop("Museum", Decimal(1)), object()])
        assert codec.decode_json_lines(Stop, path) == (Stop("Old Gate", Decimal(1)),)
        assert [entry.name for entry in tmp_path.iterdir()] == ["stops.jsonl"]

    def test_the_new_file_is_readable_by_whom_the_folder_lets(self, tmp_path: Path) -> None:
        codec.write_text(tmp_path / "a.txt", "a")
        (tmp_path / "b.txt").write_text("b", encoding="utf-8")

        assert (tmp_path / "a.txt").stat().st_mode == (tmp_path / "b.txt").stat().st_mode
