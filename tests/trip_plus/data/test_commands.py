"""What the data commands print, for people and for programs."""

import io
import json
from pathlib import Path

from rich.console import Console, RenderableType

from tripgauge.trip_plus.data import commands as data_commands
from tripgauge.trip_plus.data.check import DataReport
from tripgauge.trip_plus.data.fetch import Fetched
from tripgauge.trip_plus.data.rules.rule import Contradiction, Severity

TOY = Path(data_commands.__file__).parents[2] / "toy" / "trip_plus"


def text(view: RenderableType) -> str:
    console = Console(file=io.StringIO(), width=200, color_system=None)
    console.print(view)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def contradiction(rule: str, severity: Severity, record: str) -> Contradiction:
    return Contradiction(rule, severity, "query.json", record, "days", "4 [sic]", "2026-07-14 to 2026-07-16 are 3")


REPORT = DataReport(
    tasks=2,
    sandboxes=1,
    cities=0,
    contradictions=(
        contradiction("party_has_an_adult", Severity.WARNING, "t1"),
        contradiction("dates_span_the_days", Severity.ERROR, "t1"),
        contradiction("dates_span_the_days", Severity.ERROR, "t2"),
    ),
)


def test_the_view_tells_errors_first_with_their_rules_and_a_summary() -> None:
    lines = text(data_commands.check_view(REPORT, shown=1)).splitlines()

    assert lines == [
        "error dates_span_the_days (2)  "
        "The number of days is the number of dates from departure to return, both included.",
        "  query.json, t1, days: 4 [sic]; 2026-07-14 to 2026-07-16 are 3",
        "  and 1 more",
        "",
        "warning party_has_an_adult (1)  A party has at least one adult who is no elder.",
        "  query.json, t1, days: 4 [sic]; 2026-07-14 to 2026-07-16 are 3",
        "",
        f"2 tasks, 1 sandbox checked by {len(data_commands.list_rules())} rules: 2 errors, 1 warning.",
    ]


def test_errors_make_the_command_fail_and_warnings_only_if_asked() -> None:
    warning = DataReport(1, 0, 0, REPORT.contradictions[:1])

    assert data_commands.check_exit_code(REPORT) == 1
    assert data_commands.check_exit_code(warning) == 0
    assert data_commands.check_exit_code(warning, strict=True) == 1
    assert data_commands.check_exit_code(DataReport(1, 0, 0, ())) == 0


def test_a_program_gets_every_contradiction_with_its_fields() -> None:
    value = json.loads(json.dumps(data_commands.check_json(REPORT)))

    assert (value["tasks"], value["errors"], value["warnings"]) == (2, 2, 1)
    assert value["contradictions"][1] == {
        "rule": "dates_span_the_days",
        "severity": "error",
        "file": "query.json",
        "record": "t1",
        "field": "days",
        "what": "4 [sic]",
        "why": "2026-07-14 to 2026-07-16 are 3",
    }


def test_the_toy_town_has_no_errors() -> None:
    report = data_commands.check(TOY)

    assert report.tasks == 8
    assert [str(it) for it in report.contradictions if it.severity is Severity.ERROR] == []


def test_the_rules_are_listed_with_their_sentences() -> None:
    table = data_commands.rules_table(data_commands.list_rules())

    rows = {row[0]: row for row in table.rows}
    assert rows["weekday_fits_the_date"] == (
        "weekday_fits_the_date",
        "error",
        "a task",
        "The weekday of departure is that of its date.",
    )


def test_a_download_tells_what_came_and_what_to_do_next() -> None:
    fetched = Fetched(Path("data/trip-plus"), "abc", files=2, bytes=1_500_000, new_files=1)

    assert text(data_commands.fetch_view(fetched)).splitlines() == [
        "2 files, 1.5 MB, 1 of them new, in data/trip-plus (revision abc).",
        "Next: tripgauge data check data/trip-plus",
    ]
    assert data_commands.fetch_json(fetched) == {
        "folder": "data/trip-plus",
        "revision": "abc",
        "files": 2,
        "bytes": 1_500_000,
        "new_files": 1,
        "next": "tripgauge data check data/trip-plus",
    }
