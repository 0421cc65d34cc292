"""Options that several commands share, and the few ways they print."""

import json
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.progress import Progress

from tripgauge.errors import UsageError
from tripgauge.trip_plus.edition import Edition

if TYPE_CHECKING:
    from tripgauge.report.table import Report, Table
    from tripgauge.trip_plus.benchmark import TripPlus

out = Console()
log = Console(stderr=True)

Queries = Annotated[
    list[Path] | None,
    typer.Option(
        "--queries",
        help="A Trip+ query file; may be given more than once. Without it: the toy town's.",
        envvar="TRIPGAUGE_QUERIES",
    ),
]
Data = Annotated[
    Path | None,
    typer.Option(
        "--data", help="The folder with a sandbox per task. Without it: the toy town's.", envvar="TRIPGAUGE_DATA"
    ),
]
CityData = Annotated[
    Path | None,
    typer.Option(
        "--city-data",
        help="A folder with a city_index.json: adds metro, weather and places of all cities.",
        envvar="TRIPGAUGE_CITY_DATA",
    ),
]
EditionOption = Annotated[Edition, typer.Option("--edition", help="Numbers to trust, or numbers as published.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
OutFile = Annotated[Path | None, typer.Option("--out", help="Write here instead of standard output.")]


def trip_plus_over(
    queries: list[Path] | None, data: Path | None, city_data: Path | None, *, every_task: bool = False
) -> "TripPlus":
    """Over what is given; the toy town where neither queries nor data are."""
    from tripgauge.toy import town
    from tripgauge.trip_plus.benchmark import TripPlus

    if bool(queries) != bool(data):
        raise UsageError("--queries and --data go together: a query file without its sandboxes scores nothing.")
    return TripPlus(queries or [town.queries_file()], data or town.data_folder(), city_data, every_task=every_task)


@contextmanager
def progress_bar(what: str) -> Iterator[Callable[[int, int], None]]:
    """A bar on standard error where a person is looking, silence elsewhere."""
    with Progress(console=log, transient=True, disable=not log.is_terminal) as bars:
        bar = bars.add_task(what, total=None)
        yield lambda done, of: bars.update(bar, completed=done, total=of)


def print_table(table: "Table", form: "Form") -> None:
    match form:
        case Form.TERMINAL:
            out.print(table.rich())
        case Form.MARKDOWN:
            print(table.markdown(), end="")
        case Form.CSV:
            print(table.csv(), end="")
        case Form.JSON:
            print(json.dumps(table.json(), indent=2, ensure_ascii=False))


def print_report(report: "Report", form: "Form") -> None:
    """Tables for people; for machines one table or one object with everything."""
    if form is Form.JSON:
        print_json(report.json())
    elif form is Form.CSV:
        print_table(report.flat(), form)
    else:
        for number, table in enumerate(report.tables()):
            if number:
                print() if form is Form.MARKDOWN else out.print()
            print_table(table, form)


class Form(StrEnum):
    """How a table is printed."""

    TERMINAL = "terminal"
    MARKDOWN = "markdown"
    CSV = "csv"
    JSON = "json"


FormOption = Annotated[Form, typer.Option("--format", help="How to print tables.")]


def write_lines(lines: Iterable[object], count: int, path: Path | None) -> None:
    """One JSON object a line, to a file or to standard output."""
    from tripgauge.codec import to_json, write_text

    with progress_bar("lines") as progress:
        texts = []
        for done, line in enumerate(lines, 1):
            texts.append(to_json(line))
            progress(done, count)
    text = "".join(f"{line}\n" for line in texts)
    if path is None:
        sys.stdout.write(text)
    else:
        write_text(path, text)


def print_json(value: object) -> None:
    """To standard output; records, dates and amounts as `codec.encode` has them."""
    from tripgauge.codec import to_json

    print(to_json(value, indent=2))
