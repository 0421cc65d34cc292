"""The verbs of the command line about COMPASS runs, ready to be mounted: what a run shows, and people's judgments."""

import json
import sys
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from tripgauge.codec import write_json_lines
from tripgauge.compass.analyses import stability, tables
from tripgauge.compass.annotation.judgments import read_judgments
from tripgauge.compass.annotation.judgments import tables as judgment_tables
from tripgauge.compass.annotation.packets import CONVERSATIONS, chosen, packets, read_packets, write_packets
from tripgauge.compass.behavior import Measured
from tripgauge.compass.benchmark import Compass
from tripgauge.compass.defaults import open_index, open_tasks
from tripgauge.compass.personas import personas
from tripgauge.compass.user import Voice
from tripgauge.errors import UsageError
from tripgauge.report.table import Table, counted
from tripgauge.runs import RunFolder

out = Console()
log = Console(stderr=True)


def open_compass(
    tasks: Path | None,
    catalogue: Path | None,
    voice: Voice | None = None,
    *,
    persona: int | None = None,
    extension: bool = True,
) -> Compass:
    """COMPASS over the files given, or over what comes along. Raises UsageError if they cannot be read."""
    if persona is not None and not 0 <= persona < len(personas()):
        raise UsageError(f"There is no persona {persona}: they are numbered from 0 to {len(personas()) - 1}.")
    chosen_persona = None if persona is None else personas()[persona]
    index = open_index(catalogue)
    found = open_tasks(tasks, index.catalogue)
    return Compass(index, found, voice, persona=chosen_persona, extension=extension)


def analyze(runs: Sequence[Path], tasks: Path | None, catalogue: Path | None, *, as_json: bool) -> None:
    """Show everything about COMPASS runs: rates, tool calls, search, persona effects; of several also their spread."""
    compass = open_compass(tasks, catalogue)
    measured = [measured_run(compass, path) for path in runs]
    shown = {str(path): tables(found) for path, found in zip(runs, measured, strict=True)}
    if len(runs) > 1:
        shown["all runs"] = (stability(measured),)
    _show(shown, as_json)


def measured_run(compass: Compass, path: Path) -> Sequence[Measured]:
    """The records of the conversations of a run that count. Raises UsageError if it is no run of these tasks."""
    folder = RunFolder.open(path)
    settings, digests = folder.settings, compass.digests()
    if settings.benchmark != compass.name:
        raise UsageError(f"{path} is a run of {settings.benchmark}, not of compass.")
    for kind in ("tasks", "data"):
        if settings.digests.get(kind) != digests[kind]:
            raise UsageError(f"{path} was run with other {kind} than the ones given.")
    found = [compass.measure(transcript) for transcript in folder.transcripts().values() if transcript.is_result]
    if not found:
        raise UsageError(f"{path} holds no finished conversation.")
    return found


def export_measures(run: Path, out_path: Path, tasks: Path | None = None, catalogue: Path | None = None) -> None:
    """Write the figures of every conversation of a COMPASS run, for analyses of one's own."""
    compass = open_compass(tasks, catalogue)
    write_json_lines(out_path, [row(one) for one in measured_run(compass, run)])


def row(one: Measured) -> dict[str, object]:
    """One conversation as a flat line."""
    persona = one.persona
    return {
        "task": one.task.task_id,
        "trial": one.trial,
        "level": one.task.level,
        "objective_kind": one.task.objective.kind,
        "constraints": one.score.constraints,
        "persona": persona.number if persona else None,
        "speed": persona.speed.value if persona else None,
        "trust": persona.trust.value if persona else None,
        "attention": persona.attention.value if persona else None,
        "style": persona.style if persona else None,
        "feasible": one.score.is_feasible,
        **{f"or_{percent}": one.score.is_top(percent) for percent in (5, 10, 20)},
        "gap": one.score.gap,
        "relative_gap": one.score.relative_gap,
        "satisfied": one.score.satisfied,
        "choice": str(one.score.choice) if one.score.choice else None,
        "failure": one.failure,
        "calls": one.calls.total,
        "name_faults": one.calls.name_faults,
        "parameter_faults": one.calls.parameter_faults,
        "content_faults": one.calls.content_faults,
        "effort": one.calls.effort,
        "catalogue_effort": one.calls.catalogue_effort,
        "yield": one.calls.found,
        "saw_optimum": one.saw_optimum,
        "saw_top_5": one.saw_top,
        "disclosed_at": one.disclosed_at,
        "judged_at": one.judged_at,
        "extra_turns": one.extra_turns,
        "forced": one.forced,
        "unvalidated": one.unvalidated,
        "surplus_ids": one.score.surplus,
        "simulator_rejected": one.simulator.rejected,
        "simulator_fallbacks": one.simulator.fallbacks,
        "simulator_tokens": one.simulator.tokens,
        "goodbye": one.goodbye,
        "tokens": one.agent_tokens,
    }


# -- Human evaluation, to be mounted as: annotate export, annotate page, annotate report


def export_packets(
    run: Path,
    out_path: Path,
    conversations: int | None = None,
    seed: int = 0,
    tasks: Path | None = None,
    catalogue: Path | None = None,
) -> None:
    """Write what the simulated users of a run said, each utterance beside its orders, to be judged by people."""
    compass = open_compass(tasks, catalogue)
    folder = RunFolder.open(run)
    held = [transcript for transcript in folder.transcripts().values() if transcript.is_result]
    drawn = chosen(held, conversations or CONVERSATIONS, seed)
    found = packets(compass, drawn)
    write_packets(out_path, found)
    written = f"{counted(len(found), 'utterance')} of {counted(len(drawn), 'conversation')}"
    log.print(f"{out_path}: {written}", highlight=False, soft_wrap=True)


def annotation_page(packets_path: Path, out_path: Path, annotator: str, port: int) -> None:
    """Judge utterances on a page of this machine, one at a time; what is judged is stored at once."""
    from tripgauge.compass.annotation.page import AnnotationServer, Book

    if not annotator.strip():
        raise UsageError("Say who judges: --as NAME")
    book = Book(read_packets(packets_path), out_path, annotator.strip())
    with AnnotationServer(book, port) as server:
        log.print(f"Open {server.url} in a browser; stop with Ctrl-C.", highlight=False, soft_wrap=True)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            log.print(f"{book.done} of {len(book.packets)} utterances are judged in {out_path}.", highlight=False)


def annotation_report(packets_path: Path, judgments: Sequence[Path], *, as_json: bool) -> None:
    """Sum up what people said of simulated users: two scales, six errors, agreement, and the mechanical check."""
    found = read_packets(packets_path)
    _show({"": judgment_tables(found, read_judgments(judgments, found))}, as_json)


def _show(shown: dict[str, tuple[Table, ...]], as_json: bool) -> None:
    if as_json:
        value = {name: {table.title: table.json() for table in found} for name, found in shown.items()}
        only = next(iter(value.values())) if len(value) == 1 else value
        sys.stdout.write(json.dumps(only, ensure_ascii=False, indent=2) + "\n")
        return
    for name, found in shown.items():
        if len(shown) > 1:
            out.print(f"\n{name}", style="bold", highlight=False)
        for table in found:
            out.print(table.rich())
            out.print()
