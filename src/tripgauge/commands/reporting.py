"""score, report, compare: what runs and folders of answers are worth, side by side."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tripgauge.commands.options import (
    CityData,
    Data,
    Form,
    FormOption,
    Queries,
    log,
    print_report,
    progress_bar,
    trip_plus_over,
)
from tripgauge.errors import UsageError
from tripgauge.trip_plus.edition import Edition
from tripgauge.trip_plus.results.breakdowns import By

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tripgauge.runs import RunFolder
    from tripgauge.trip_plus.benchmark import TripPlus
    from tripgauge.trip_plus.results.answers import AnswerSet

Folders = Annotated[
    list[Path],
    typer.Argument(
        help="Run folders, folders of <turn id>.txt, or the published runner's results.", metavar="FOLDER..."
    ),
]
OfEdition = Annotated[
    Edition | None,
    typer.Option("--edition", help="strict: numbers to trust; release: as published. Default: the run's, else strict."),
]
Baselines = Annotated[bool, typer.Option("--baselines/--no-baselines", help="What doing nothing scores, beside.")]
Paper = Annotated[bool, typer.Option("--paper", help="The rows of the paper's Table 2 below, never ranked.")]
AllowUnequal = Annotated[
    bool, typer.Option("--allow-unequal", help="Show runs with unequal settings side by side, without ranks.")
]
EveryTask = Annotated[
    bool,
    typer.Option("--every-task", help="Also tasks without a sandbox: enough for answers that are no plan."),
]


def score(
    folders: Folders,
    queries: Queries = None,
    data: Data = None,
    city_data: CityData = None,
    edition: OfEdition = None,
    form: FormOption = Form.TERMINAL,
    with_baselines: Baselines = True,
    with_paper: Paper = False,
    allow_unequal: AllowUnequal = False,
    every_task: EveryTask = False,
    verify: Annotated[
        bool, typer.Option("--verify", help="Compute every number stored with runs anew; exit code 1 if any differs.")
    ] = False,
    explain_editions: Annotated[
        bool, typer.Option("--explain-editions", help="Where the two editions grade differently, and why.")
    ] = False,
) -> None:
    """Score answers and print a table; the scores of a run are stored with it."""
    trip_plus = trip_plus_over(queries, data, city_data, every_task=every_task)
    if verify:
        _verify(folders, trip_plus)
        return
    sets, edition = _sets(folders, trip_plus, edition)
    if explain_editions:
        from tripgauge.trip_plus.results.edition_differences import edition_differences

        with progress_bar("scoring") as progress:
            print_report(edition_differences(sets, trip_plus, progress), form)
        return
    _store(folders, trip_plus, edition)
    _print_board(sets, trip_plus, edition, form, with_baselines, with_paper, allow_unequal)


def report(
    folders: Folders,
    by: Annotated[By | None, typer.Option("--by", help="Break the results down.")] = None,
    queries: Queries = None,
    data: Data = None,
    city_data: CityData = None,
    edition: OfEdition = None,
    form: FormOption = Form.TERMINAL,
    with_baselines: Baselines = True,
    with_paper: Paper = False,
    allow_unequal: AllowUnequal = False,
    every_task: EveryTask = False,
    prices: Annotated[
        Path | None, typer.Option("--prices", help="US dollars per million tokens by model, for --by calls.")
    ] = None,
) -> None:
    """Agents side by side: the columns of the paper with their intervals, ranked; or broken down with --by."""
    from tripgauge.prices import read_prices
    from tripgauge.trip_plus.results.analyses import analysis
    from tripgauge.trip_plus.results.leaderboard import entries

    trip_plus = trip_plus_over(queries, data, city_data, every_task=every_task)
    sets, edition = _sets(folders, trip_plus, edition)
    if by is None:
        _print_board(sets, trip_plus, edition, form, with_baselines, with_paper, allow_unequal)
        return
    with progress_bar("scoring") as progress:
        scored = entries(sets, trip_plus, edition, progress, with_baselines=with_baselines)
    print_report(analysis(by, scored, read_prices(prices) if prices else None), form)


def compare(
    first: Annotated[Path, typer.Argument(help="A run folder or a folder of answers.")],
    second: Annotated[Path, typer.Argument(help="Another.")],
    queries: Queries = None,
    data: Data = None,
    city_data: CityData = None,
    edition: OfEdition = None,
    form: FormOption = Form.TERMINAL,
    allow_unequal: AllowUnequal = False,
    every_task: EveryTask = False,
) -> None:
    """Hold two agents against each other task by task, and say whether there is a difference."""
    from tripgauge.conditions import refuse_unequal_settings
    from tripgauge.trip_plus.results.comparison import compare as compared
    from tripgauge.trip_plus.results.leaderboard import entries, held

    trip_plus = trip_plus_over(queries, data, city_data, every_task=every_task)
    sets, edition = _sets([first, second], trip_plus, edition)
    with progress_bar("scoring") as progress:
        one, other = entries(sets, trip_plus, edition, progress, with_baselines=False)
    if not allow_unequal:
        refuse_unequal_settings([held(one), held(other)])
    print_report(compared(one, other), form)


def _print_board(
    sets: "Sequence[AnswerSet]",
    trip_plus: "TripPlus",
    edition: Edition,
    form: Form,
    with_baselines: bool,
    with_paper: bool,
    allow_unequal: bool,
) -> None:
    from tripgauge.trip_plus.results.leaderboard import entries, leaderboard

    with progress_bar("scoring") as progress:
        scored = entries(sets, trip_plus, edition, progress, with_baselines=with_baselines)
    print_report(leaderboard(scored, allow_unequal=allow_unequal, with_paper=with_paper), form)


def _sets(
    folders: "Sequence[Path]", trip_plus: "TripPlus", edition: Edition | None
) -> "tuple[Sequence[AnswerSet], Edition]":
    """What lies in the folders, and the edition to score it in: one for all."""
    from tripgauge.run_commands import refuse_other_benchmark
    from tripgauge.runs import RunFolder
    from tripgauge.trip_plus.dialogues import TripPlusDialogues
    from tripgauge.trip_plus.results.answers import is_run, read_answer_sets

    runs = [RunFolder.open(folder) for folder in folders if is_run(folder)]
    of_runs = {run.settings.edition for run in runs if run.settings.benchmark == TripPlusDialogues.name}
    if len(of_runs) > 1:
        raise UsageError("Runs of both editions are never put into one table: their tools and readings differ.")
    edition = edition or Edition(next(iter(of_runs), Edition.STRICT))
    benchmark = TripPlusDialogues(trip_plus, edition)
    for run in runs:
        _refuse_compass(run)
        refuse_other_benchmark(run, benchmark)
    sets = read_answer_sets(folders, trip_plus.tasks.values())
    for answers in sets:
        if answers.unread:
            log.print(_unread(answers), style="yellow", markup=False, highlight=False, soft_wrap=True)
    return sets, edition


SHOWN_FILES = 5
"""How many names of files a message shows."""


def _unread(answers: "AnswerSet") -> str:
    names = ", ".join(answers.unread[:SHOWN_FILES])
    more = len(answers.unread) - SHOWN_FILES
    return f"{answers.name}: no turn of any task fits {names}{f' and {more} more' if more > 0 else ''}; not scored."


def _refuse_compass(run: "RunFolder") -> None:
    """These commands are about Trip+; a COMPASS run has its own."""
    if run.settings.benchmark == "compass":
        raise UsageError(f"{run.path} is a COMPASS run. Its results: tripgauge analyze {run.path} (with --verify too)")


def _store(folders: "Sequence[Path]", trip_plus: "TripPlus", edition: Edition) -> None:
    """The scores of runs, beside their transcripts."""
    from tripgauge.run_commands import grade
    from tripgauge.trip_plus.dialogues import TripPlusDialogues
    from tripgauge.trip_plus.results.answers import is_run

    for folder in folders:
        if is_run(folder):
            grade(TripPlusDialogues(trip_plus, edition), folder)


def _verify(folders: "Sequence[Path]", trip_plus: "TripPlus") -> None:
    """Prints what is stored and differs; exit code 1 if there is any."""
    from tripgauge.runs import RunFolder
    from tripgauge.trip_plus.dialogues import TripPlusDialogues
    from tripgauge.verification import verify

    wrong = 0
    for folder in folders:
        run = RunFolder.open(folder)
        _refuse_compass(run)
        settings = run.settings
        edition = Edition(settings.edition) if settings.benchmark == TripPlusDialogues.name else Edition.STRICT
        differences = verify(TripPlusDialogues(trip_plus, edition), folder)
        for difference in differences:
            print(f"{folder}: {difference}")
        wrong += len(differences)
        log.print(f"{folder}: {len(differences) or 'no'} stored numbers differ.", markup=False, highlight=False)
    if wrong:
        raise typer.Exit(1)
