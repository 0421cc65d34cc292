"""Schemas of the files: versioned, complete, printed as JSON."""

import json
import os
from pathlib import Path

import pytest

from tripgauge import codec
from tripgauge.errors import UsageError
from tripgauge.schemas import file_kind, file_kinds, kinds_table
from tripgauge.trip_plus.data.tables import FORMATS, TABLE_KINDS
from tripgauge.trip_plus.notation import plan_schema
from tripgauge.trip_plus.sandbox.files import read_sample

TOY = Path(__file__).parent.parent / "src" / "tripgauge" / "toy" / "trip_plus"
CONFORMANCE = os.environ.get("TRIPGAUGE_CONFORMANCE")


@pytest.mark.parametrize("kind", file_kinds(), ids=lambda kind: kind.name)
def test_every_kind_of_file_has_a_versioned_schema_that_is_json(kind: object) -> None:
    """R18: one schema for each file kind, with a version."""
    schema = file_kind(kind.name).schema  # type: ignore[attr-defined]

    assert json.loads(json.dumps(schema)) == schema
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert schema["$id"] == f"tripgauge:{schema['title']}:{schema['x-version']}"
    assert schema["x-version"] >= 1
    assert schema["description"].endswith(".")


def test_every_reference_inside_a_schema_leads_somewhere() -> None:
    for kind in file_kinds():
        schema = kind.schema
        for name in {piece.split('"')[0] for piece in json.dumps(schema).split('"$ref": "#/$defs/')[1:]}:
            assert name in schema["$defs"], (kind.name, name)


def test_the_query_schema_tells_fields_with_meaning_and_units() -> None:
    definitions = file_kind("queries").schema["$defs"]

    assert definitions["TurnRecord"]["required"] == ["turn_id", "utterance", "oracle_state_after_turn"]
    assert definitions["TurnRecord"]["properties"]["turn_id"]["description"] == "From 0."
    assert definitions["BaseMeta"]["properties"]["depart_date"]["format"] == "date"


def test_a_table_schema_tells_columns_in_order_and_their_formats() -> None:
    schema = file_kind("hotels").schema

    assert schema["x-columns"][:4] == ["city", "name", "address", "latitude"]
    assert schema["properties"]["price"] == {"type": "string", "x-format": "price", "minLength": 1}
    assert schema["x-formats"]["price"] == "A price is a number of yuan, not below 0."
    assert "seat_status" not in file_kind("trains").schema["required"]


def test_an_unknown_kind_lists_those_there_are() -> None:
    with pytest.raises(UsageError, match=r"^No file kind recipes\. There are: queries, converted-plan, "):
        file_kind("recipes")


def test_the_listing_names_every_kind() -> None:
    table = kinds_table(file_kinds())

    names = [row[0] for row in table.rows]
    assert len(set(names)) == len(names)
    assert {"queries", "flights", "distance-matrix", "build-meta", "cases", "texts", "calls", "transcripts"} <= set(
        names
    )


def test_the_toy_tables_have_the_columns_of_their_schemas() -> None:
    sample = read_sample(next((TOY / "database").iterdir()))

    for table in (sample.hotels, sample.attractions, sample.restaurants, sample.flights, sample.trains, sample.weather):
        kind = next(kind for kind in TABLE_KINDS if str(table.path).endswith(kind.path))
        assert list(table.columns) == [column.name for column in kind.columns if not column.optional], kind.name


@pytest.mark.parametrize("form", FORMATS, ids=lambda form: form.id)
def test_a_format_is_told_as_a_sentence(form: object) -> None:
    assert form.sentence[0].isupper()  # type: ignore[attr-defined]
    assert form.sentence.endswith(".")  # type: ignore[attr-defined]


FITTING = {
    "price": (("0", "12.5", "3980.0"), ("-1", "free", "NaN", "Infinity", "1e7")),
    "fare": (("0.5", "1020"), ("0", "-3")),
    "rating": (("0", "4.6", "5"), ("5.1", "-0.1", "good")),
    "stars": (("1", "5"), ("0", "6", "3.5")),
    "clock": (("00:00", "09:30", "24:00"), ("24:01", "9:30", "12:60", "noon")),
    "date": (("2026-02-28",), ("2026-02-30", "2026-2-3", "20260203")),
    "datetime": (("2026-07-14 08:00:00",), ("2026-07-14T08:00:00", "2026-07-14", "2026-07-14 24:00:00")),
    "weekdays": (("Monday", "Monday, Tuesday"), ("Mon", "monday", "Closed")),
    "latitude": (("22.540746", "-90"), ("90.1", "north")),
    "longitude": (("113.98", "-180"), ("180.5",)),
    "hours": (("0.5", "24"), ("0", "25")),
    "minutes": (("0", "125"), ("-5", "1.5")),
    "segment": (("1", "2"), ("0", "3", "")),
    "list": (("a;b", "a"), ("a;a",)),
    "risk": (("high",), ("High",)),
    "seat_class": (("Economy", "No Seat"), ("economy",)),
    "measure": (("-7.4", "3"), ("cold",)),
    "amount": (("0.0", "6"), ("-0.1",)),
    "point": (("22.540746,113.979399",), ("22.5", "113.9,222", "a,b")),
    "year": (("2019",), ("19", "3000")),
    "count": (("61",), ("6.1", "-1")),
    "text": (("anything", ""), ()),
}


def test_every_format_tells_fitting_cells_from_others() -> None:
    assert {form.id for form in FORMATS} == set(FITTING)
    for form in FORMATS:
        good, bad = FITTING[form.id]
        assert [cell for cell in good if not form.fits(cell)] == [], form.id
        assert [cell for cell in bad if form.fits(cell)] == [], form.id


def test_a_converted_plan_of_the_documented_form_is_read() -> None:
    plan = {
        "daily_plans": [
            {
                "day_number": 1,
                "current_city": "Briskhaven",
                "activities": [
                    {
                        "time_slot": "09:00-09:20",
                        "type": "travel_city",
                        "details": {"from": "Quay Inn", "to": "Fort Museum"},
                    }
                ],
            }
        ]
    }

    reply = codec.decode(plan_schema.PlanReply, plan, "plan")
    (ride,) = reply.daily_plans[0].activities
    assert isinstance(ride, plan_schema.RideActivity)
    assert ride.details.from_ == "Quay Inn"


@pytest.mark.skipif(not CONFORMANCE or not Path(CONFORMANCE).is_dir(), reason="TRIPGAUGE_CONFORMANCE names no folder")
def test_good_converted_plans_of_the_published_converter_fit_the_schema() -> None:
    lines = (Path(str(CONFORMANCE)) / "texts.jsonl").read_text(encoding="utf-8").splitlines()
    plans = [line["direct"]["converted"] for line in map(json.loads, lines) if line["kind"] == "plan_text"]

    assert len(plans) >= 2
    for plan in plans:
        codec.decode(plan_schema.PlanReply, plan, "plan")
