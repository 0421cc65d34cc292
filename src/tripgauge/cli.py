"""The `tripgauge` command: verbs over files. Data goes to standard output, progress to standard error."""

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.progress import Progress

from tripgauge.errors import UsageError
from tripgauge.trip_plus.edition import Edition

if TYPE_CHECKING:
    from tripgauge.report.table import Table
    from tripgauge.trip_plus.benchmark import TripPlus

app = typer.Typer(
    name="tripgauge",
    help="Measures, explains and beats travel-planning agents.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
)

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


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command; an operator's fault is one line on standard error and exit code 2."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    try:
        app(args=list(arguments) if arguments is not None else None, standalone_mode=True)
    except UsageError as error:
        log.print(f"tripgauge: {error}", style="red", markup=False, highlight=False, soft_wrap=True)
        raise SystemExit(2) from None


def version(value: bool) -> None:
    """Print the version and stop."""
    if value:
        from tripgauge import __version__

        out.print(__version__, highlight=False)
        raise typer.Exit


@app.callback()
def tripgauge(
    version: Annotated[
        bool, typer.Option("--version", callback=version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Measures, explains and beats travel-planning agents."""


# --- Trip+ ----------------------------------------------------------------------------------------------------------


def _trip_plus(queries: list[Path] | None, data: Path | None, city_data: Path | None) -> "TripPlus":
    """Over what is given; the toy town where neither queries nor data are."""
    from tripgauge.toy import town
    from tripgauge.trip_plus.benchmark import TripPlus

    if bool(queries) != bool(data):
        raise UsageError("--queries and --data go together: a query file without its sandboxes scores nothing.")
    return TripPlus(queries or [town.queries_file()], data or town.data_folder(), city_data)


@contextmanager
def _progress(what: str) -> Iterator[Callable[[int, int], None]]:
    """A bar on standard error where a person is looking, silence elsewhere."""
    with Progress(console=log, transient=True, disable=not log.is_terminal) as bars:
        bar = bars.add_task(what, total=None)
        yield lambda done, of: bars.update(bar, completed=done, total=of)


def _print_table(table: "Table", form: "Form") -> None:
    match form:
        case Form.TERMINAL:
            out.print(table.rich())
        case Form.MARKDOWN:
            print(table.markdown(), end="")
        case Form.CSV:
            print(table.csv(), end="")
        case Form.JSON:
            print(json.dumps(table.json(), indent=2, ensure_ascii=False))


class Form(StrEnum):
    """How a table is printed."""

    TERMINAL = "terminal"
    MARKDOWN = "markdown"
    CSV = "csv"
    JSON = "json"


FormOption = Annotated[Form, typer.Option("--format", help="How to print tables.")]


@app.command()
def demo(form: FormOption = Form.TERMINAL) -> None:
    """A first leaderboard on the toy town: recorded good answers beside agents that do nothing. No key, no network."""
    from tripgauge.toy import town
    from tripgauge.trip_plus.answers import read_answers
    from tripgauge.trip_plus.leaderboard import baselines, leaderboard

    trip_plus = _trip_plus(None, None, None)
    recorded = replace(read_answers(town.answers_folder(), trip_plus.tasks.values()), name="good answers")
    sets = (recorded, *baselines(trip_plus))
    for edition in Edition:
        _print_table(leaderboard(sets, trip_plus, edition), form)
    if form is Form.TERMINAL:
        log.print(
            "Next: [b]tripgauge tasks[/b] lists the tasks, [b]tripgauge check PLAN.txt --task ID[/b] grades a plan."
        )


@app.command()
def score(
    answers: Annotated[list[Path], typer.Argument(help="Folders: <turn id>.txt, or the published runner's results.")],
    queries: Queries = None,
    data: Data = None,
    city_data: CityData = None,
    edition: EditionOption = Edition.STRICT,
    form: FormOption = Form.TERMINAL,
    with_baselines: Annotated[bool, typer.Option("--baselines/--no-baselines", help="Idle agents beside.")] = True,
) -> None:
    """Score answers that lie in folders, and print a table with the idle baselines beside them."""
    from tripgauge.trip_plus.answers import read_answers
    from tripgauge.trip_plus.leaderboard import baselines, leaderboard

    trip_plus = _trip_plus(queries, data, city_data)
    sets = [read_answers(folder, trip_plus.tasks.values()) for folder in answers]
    sets.extend(baselines(trip_plus) if with_baselines else ())
    with _progress("scoring") as progress:
        table = leaderboard(sets, trip_plus, edition, progress)
    _print_table(table, form)


@app.command()
def check(
    plan: Annotated[
        Path, typer.Argument(help="A file with one answer in the notation agents write; - for standard input.")
    ],
    task: Annotated[str, typer.Option("--task", help="The task it answers.")],
    turn: Annotated[int, typer.Option("--turn", help="The turn it answers, from 0.")] = 0,
    queries: Queries = None,
    data: Data = None,
    city_data: CityData = None,
    edition: EditionOption = Edition.STRICT,
    as_json: AsJson = False,
) -> None:
    """Grade one answer and say what is wrong with it, day by day, in plain words."""
    from tripgauge.codec import read_text
    from tripgauge.trip_plus.graded import graded_release, graded_strict

    trip_plus = _trip_plus(queries, data, city_data)
    text = sys.stdin.read() if str(plan) == "-" else read_text(plan)
    grade = (graded_strict if edition is Edition.STRICT else graded_release)(
        trip_plus, trip_plus.task(task), turn, text
    )
    print(json.dumps(grade.json(), indent=2, ensure_ascii=False)) if as_json else out.print(grade.rich())


@app.command()
def checks(
    check_id: Annotated[str | None, typer.Argument(metavar="[ID]", help="One check, with its cases.")] = None,
    as_json: AsJson = False,
) -> None:
    """List the checks, or show one with its rule, source and cases."""
    from tripgauge.trip_plus.feasibility.score import all_checks
    from tripgauge.trip_plus.manual import check_page, checks_tables

    if check_id is None and as_json:
        print(json.dumps([check_page(check.id).json() for check in all_checks()], indent=2, ensure_ascii=False))
    elif check_id is None:
        for table in checks_tables():
            _print_table(table, Form.TERMINAL)
    else:
        page = check_page(check_id)
        print(json.dumps(page.json(), indent=2, ensure_ascii=False) if as_json else page.text())


@app.command()
def tasks(
    task_id: Annotated[str | None, typer.Argument(metavar="[ID]", help="One task, as an agent sees it.")] = None,
    queries: Queries = None,
    data: Data = None,
    form: FormOption = Form.TERMINAL,
) -> None:
    """List the tasks, or show what an agent sees of one."""
    from tripgauge.trip_plus.task_list import brief_text, tasks_table

    trip_plus = _trip_plus(queries, data, None)
    if task_id is None:
        _print_table(tasks_table(trip_plus), form)
    elif form is Form.JSON:
        from tripgauge.codec import to_json

        print(to_json(trip_plus.task(task_id).brief, indent=2))
    else:
        print(brief_text(trip_plus.task(task_id).brief))


CasesFile = Annotated[Path, typer.Argument(help="JSON lines, as described in docs/exchange.md.")]
GivenQueries = Annotated[list[Path], typer.Option("--queries", help="A query file; may be given more than once.")]
GivenData = Annotated[Path, typer.Option("--data", help="The folder with a sandbox per task.")]


@app.command("score-cases")
def score_cases(
    cases: CasesFile,
    queries: GivenQueries,
    data: GivenData,
    city_data: CityData = None,
    edition: EditionOption = Edition.STRICT,
    out_file: OutFile = None,
) -> None:
    """Score converted plans line by line, to hold Tripgauge against other evaluators."""
    from tripgauge.trip_plus.exchange import read_cases, scored_cases

    lines = read_cases(cases)
    _write_lines(scored_cases(lines, _trip_plus(queries, data, city_data), edition), len(lines), out_file)


@app.command("convert-texts")
def convert_texts(
    texts: CasesFile,
    queries: GivenQueries,
    data: GivenData,
    city_data: CityData = None,
    edition: EditionOption = Edition.STRICT,
    out_file: OutFile = None,
) -> None:
    """Read answers line by line: the report, the plan as JSON, and its score."""
    from tripgauge.trip_plus.exchange import converted_texts, read_texts

    lines = read_texts(texts)
    _write_lines(converted_texts(lines, _trip_plus(queries, data, city_data), edition), len(lines), out_file)


def _write_lines(lines: Iterable[object], count: int, path: Path | None) -> None:
    """One JSON object a line, to a file or to standard output."""
    from tripgauge.codec import write_text

    with _progress("lines") as progress:
        texts = []
        for done, line in enumerate(lines, 1):
            texts.append(json.dumps(line, ensure_ascii=False))
            progress(done, count)
    text = "".join(f"{line}\n" for line in texts)
    if path is None:
        sys.stdout.write(text)
    else:
        write_text(path, text)


@app.command(hidden=True)
def docs(
    folder: Annotated[Path, typer.Option("--folder", help="Where the pages lie.")] = Path("docs"),
    is_check: Annotated[bool, typer.Option("--check", help="Fail if a page is not up to date.")] = False,
) -> None:
    """Write the pages of the documentation that are made from the code."""
    from tripgauge.pages import generated_pages, stale_pages, write_pages

    pages = generated_pages()
    if not is_check:
        write_pages(pages, folder)
    elif stale := stale_pages(pages, folder):
        raise UsageError(f"Not up to date: {', '.join(stale)}. Write them with: make docs")
