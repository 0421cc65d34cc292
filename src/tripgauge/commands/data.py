"""data, schema: looking over data, fetching and making it."""

from pathlib import Path
from typing import Annotated

import typer

from tripgauge.commands.options import AsJson, Form, FormOption, log, out, print_json, print_table
from tripgauge.compass import commands as compass
from tripgauge.errors import UsageError

app = typer.Typer(no_args_is_help=True, help="Check, fetch and make data.")
build_app = typer.Typer(no_args_is_help=True, help="Make data anew from a seed.")
app.add_typer(build_app, name="build")
build_app.command("compass")(compass.build_catalogue)


@app.command("check")
def check(
    path: Annotated[
        Path | None,
        typer.Argument(help="A query file, a sandbox, a city, a folder of any, or a COMPASS catalogue or task file."),
    ] = None,
    data: Annotated[Path | None, typer.Option("--data", help="The sandboxes of a query file.")] = None,
    everything: Annotated[bool, typer.Option("--all", help="Show every place, not a few of each rule.")] = False,
    as_json: AsJson = False,
    is_strict: Annotated[bool, typer.Option("--strict", help="Exit code 1 for warnings too.")] = False,
) -> None:
    """Resolve every id, name, date and price against the tables, and list what contradicts itself. Exit code 1 if so.

    Without a path: the toy town.
    """
    from tripgauge.toy import town
    from tripgauge.trip_plus.data import commands as data_commands

    if path is not None and path.suffix in (".sqlite", ".db"):
        compass.check_catalogue(path, as_json)
        return
    if path is not None and compass.is_task_file(path):
        compass.check_tasks(path, as_json=as_json)
        return
    if path is None:
        path, data = town.queries_file(), data or town.data_folder()
    report = data_commands.check(path, data)
    if as_json:
        print_json(data_commands.check_json(report))
    else:
        out.print(data_commands.check_view(report, None if everything else data_commands.SHOWN_PER_RULE))
    raise typer.Exit(data_commands.check_exit_code(report, strict=is_strict))


@app.command("rules")
def rules(form: FormOption = Form.TERMINAL) -> None:
    """List the rules of `data check`."""
    from tripgauge.trip_plus.data.commands import list_rules, rules_table

    print_table(rules_table(list_rules()), form)


@app.command("stats")
def stats(
    path: compass.CataloguePath = None,
    as_json: AsJson = False,
) -> None:
    """Show what a COMPASS catalogue holds and how its prices and places are spread."""
    compass.catalogue_stats(path, as_json)


@app.command("fetch")
def fetch(
    name: Annotated[str, typer.Argument(help="trip-plus")],
    dest: Annotated[Path | None, typer.Option("--dest", help="Where to put it.")] = None,
    revision: Annotated[str, typer.Option("--revision", help="A branch, tag or commit of the data set.")] = "main",
    endpoint: Annotated[str | None, typer.Option("--endpoint", help="Another hub.", envvar="HF_ENDPOINT")] = None,
    as_json: AsJson = False,
) -> None:
    """Download the public Trip+ sandboxes. Needs the extra `data` and a network."""
    from tripgauge.trip_plus.data import commands as data_commands

    if name != "trip-plus":
        raise UsageError(f"No data set {name!r} to fetch. There is: trip-plus.")
    log.print("Fetching Junle-cs/trip-plus-database ...")
    fetched = data_commands.fetch(dest or data_commands.DEFAULT_DEST, revision, endpoint)
    print_json(data_commands.fetch_json(fetched)) if as_json else out.print(data_commands.fetch_view(fetched))


def schema(
    kind: Annotated[str | None, typer.Argument(metavar="[KIND]", help="One kind of file.")] = None,
    form: FormOption = Form.TERMINAL,
) -> None:
    """List every kind of file with its version, or print the JSON Schema of one."""
    from tripgauge.schemas import file_kind, file_kinds, kinds_table

    if kind is None:
        print_table(kinds_table(file_kinds()), form)
    else:
        print_json(file_kind(kind).schema)
