"""The `tripgauge` command: verbs over files. Data goes to standard output, progress to standard error."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from tripgauge.commands import compass as compass_runs
from tripgauge.commands import data, grading, reporting, runs, tools
from tripgauge.commands.options import log, out
from tripgauge.compass import commands as compass
from tripgauge.errors import UsageError

app = typer.Typer(
    name="tripgauge",
    help="Measures, explains and beats travel-planning agents.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
)


generate_app = typer.Typer(no_args_is_help=True, help="Make new tasks from a seed.")


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


app.command()(grading.demo)
app.command()(runs.run)
app.command()(runs.show)
app.command()(reporting.score)
app.command()(reporting.report)
app.command()(reporting.compare)
app.command()(grading.check)
app.command()(grading.checks)
app.add_typer(grading.tasks_app, name="tasks")
grading.tasks_app.command("compass")(compass.list_tasks)
grading.tasks_app.command("stats")(compass.task_stats)
grading.tasks_app.add_typer(generate_app, name="generate")
generate_app.command("compass")(compass.generate)
app.command("score-cases")(grading.score_cases)
app.command("convert-texts")(grading.convert_texts)
app.add_typer(tools.app, name="tools")
app.command("call-tools")(tools.call_tools)
app.add_typer(data.app, name="data")
app.command()(data.schema)
app.command()(compass.solve)
app.command()(compass_runs.analyze)
app.command("export-measures")(compass_runs.export_measures)
app.add_typer(compass_runs.annotate_app, name="annotate")


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
