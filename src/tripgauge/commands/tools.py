"""tools, call-tools: looking at the tools and calling them."""

from pathlib import Path
from typing import Annotated

import typer

from tripgauge.commands.groups import DefaultGroup
from tripgauge.commands.options import (
    AsJson,
    CityData,
    Data,
    EditionOption,
    OutFile,
    Queries,
    log,
    print_json,
    trip_plus_over,
    write_lines,
)
from tripgauge.trip_plus.edition import Edition

app = typer.Typer(cls=DefaultGroup, help="The tools agents call: `tools`, `tools NAME`, `tools call NAME ...`.")


@app.command("show")
def show(
    name: Annotated[str | None, typer.Argument(metavar="[NAME]", help="One tool, with its manual.")] = None,
    as_json: AsJson = False,
) -> None:
    """List the Trip+ tools, or show one as a model is shown it. (The default.)"""
    from tripgauge.trip_plus.tools.commands import list_tools, manual, show_tool

    specs = list_tools() if name is None else (show_tool(name),)
    if as_json:
        print_json([spec.as_function() for spec in specs] if name is None else specs[0].as_function())
    elif name is None:
        for spec in specs:
            print(f"{spec.name}\n  {spec.description.splitlines()[0]}")
    else:
        print(manual(specs[0]))


@app.command("call")
def call(
    name: Annotated[str, typer.Argument(help="The tool.")],
    task: Annotated[str, typer.Option("--task", help="The task whose sandbox is asked.")],
    words: Annotated[list[str] | None, typer.Argument(metavar="[KEY=VALUE]...", help="The arguments.")] = None,
    queries: Queries = None,
    data: Data = None,
    city_data: CityData = None,
    edition: EditionOption = Edition.STRICT,
) -> None:
    """Call one tool by hand: `tripgauge tools call query_city_weather --task ID city=Briskhaven date=2026-07-14`."""
    from tripgauge.trip_plus.tools.commands import call_tool

    trip_plus = trip_plus_over(queries, data, city_data)
    result = call_tool(edition, trip_plus.world(trip_plus.task(task)).files, name, words or ())
    if result.repairs:
        log.print(f"mended: {'; '.join(result.repairs)}", markup=False)
    print(result.text)
    if result.fault:
        raise typer.Exit(1)


def call_tools(
    calls: Annotated[Path, typer.Argument(help="JSON lines with id, env, sample, tool and args.")],
    queries: Annotated[list[Path], typer.Option("--queries", help="A query file; may be given more than once.")],
    data: Annotated[Path, typer.Option("--data", help="The folder with a sandbox per task.")],
    city_data: CityData = None,
    edition: EditionOption = Edition.STRICT,
    out_file: OutFile = None,
) -> None:
    """Answer tool calls line by line: the whole result, the arguments cleaned up, and what an agent sees."""
    from tripgauge.trip_plus.tools.commands import answered_calls, read_calls

    lines = read_calls(calls)
    answers = answered_calls(lines, edition=edition, data=data, city_data=city_data, queries=queries)
    write_lines(answers, len(lines), out_file)
