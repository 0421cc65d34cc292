"""analyze, export-measures, annotate: what COMPASS runs show, and what people say of its users."""

from pathlib import Path
from typing import Annotated

import typer

from tripgauge.commands.options import log, print_json
from tripgauge.compass.commands import AsJson, CataloguePath, Seed, TasksPath

annotate_app = typer.Typer(no_args_is_help=True, help="Let people judge what simulated COMPASS users said.")

Run = Annotated[Path, typer.Argument(metavar="RUN", help="A run folder.")]
Packets = Annotated[Path, typer.Argument(metavar="PACKETS", help="A file from `annotate export`.")]


def analyze(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN...", help="Run folders.")],
    tasks: TasksPath = None,
    catalogue: CataloguePath = None,
    as_json: AsJson = False,
    verify: Annotated[
        bool, typer.Option("--verify", help="Compute every number stored with runs anew; exit code 1 if any differs.")
    ] = False,
) -> None:
    """Show everything about COMPASS runs: rates, tool calls, search, persona effects; of several also their spread."""
    from tripgauge.compass import run_commands

    if verify:
        _verify(runs, tasks, catalogue, as_json)
    else:
        run_commands.analyze(runs, tasks, catalogue, as_json=as_json)


def _verify(runs: list[Path], tasks: Path | None, catalogue: Path | None, as_json: bool) -> None:
    """Prints what is stored and differs; exit code 1 if there is any."""
    from tripgauge.compass.run_commands import open_compass
    from tripgauge.verification import verify

    compass = open_compass(tasks, catalogue)
    found = {str(run): list(verify(compass, run)) for run in runs}
    if as_json:
        print_json(found)
    for run, differences in found.items():
        if not as_json:
            for difference in differences:
                print(f"{run}: {difference}")
        log.print(f"{run}: {len(differences) or 'no'} stored numbers differ.", markup=False, highlight=False)
    if any(found.values()):
        raise typer.Exit(1)


def export_measures(
    run: Run,
    out_path: Annotated[Path, typer.Option("--out", help="The file to write, one JSON object a line.")],
    tasks: TasksPath = None,
    catalogue: CataloguePath = None,
) -> None:
    """Write the figures of every conversation of a COMPASS run, for analyses of one's own."""
    from tripgauge.compass import run_commands

    run_commands.export_measures(run, out_path, tasks, catalogue)


@annotate_app.command("export")
def export_packets(
    run: Run,
    out_path: Annotated[Path, typer.Option("--out", help="The file to write, one utterance a line.")],
    conversations: Annotated[
        int | None, typer.Option("--conversations", min=1, help="How many are drawn; default: as in the paper.")
    ] = None,
    seed: Seed = 0,
    tasks: TasksPath = None,
    catalogue: CataloguePath = None,
) -> None:
    """Write what the simulated users of a run said, each utterance beside its orders, to be judged by people."""
    from tripgauge.compass import run_commands

    run_commands.export_packets(run, out_path, conversations, seed, tasks, catalogue)


@annotate_app.command("page")
def annotation_page(
    packets_path: Packets,
    out_path: Annotated[Path, typer.Option("--out", help="Where the judgments go; a file for each person.")],
    annotator: Annotated[str, typer.Option("--as", help="Who judges.")],
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="0 takes any free one.")] = 8765,
) -> None:
    """Judge utterances on a page of this machine, one at a time; what is judged is stored at once."""
    from tripgauge.compass import run_commands

    run_commands.annotation_page(packets_path, out_path, annotator, port)


@annotate_app.command("report")
def annotation_report(
    packets_path: Packets,
    judgments: Annotated[list[Path], typer.Argument(metavar="JUDGMENTS...", help="Files from `annotate page`.")],
    as_json: AsJson = False,
) -> None:
    """Sum up what people said of simulated users: two scales, six errors, agreement, and the mechanical check."""
    from tripgauge.compass import run_commands

    run_commands.annotation_report(packets_path, judgments, as_json=as_json)
