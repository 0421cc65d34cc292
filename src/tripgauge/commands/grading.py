"""demo, check, checks, tasks, score-cases, convert-texts: grading what agents wrote."""

import sys
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from tripgauge.commands.groups import DefaultGroup
from tripgauge.commands.options import (
    AsJson,
    CityData,
    Data,
    EditionOption,
    Form,
    FormOption,
    OutFile,
    Queries,
    log,
    out,
    print_json,
    print_report,
    print_table,
    trip_plus_over,
    write_lines,
)
from tripgauge.trip_plus.edition import Edition

DEMO_TASKS = 12
"""COMPASS tasks of the demo."""


def demo(form: FormOption = Form.TERMINAL) -> None:
    """A first leaderboard of both benchmarks, without a key or a network.

    Trip+ on the toy town: recorded good answers beside agents that do nothing. COMPASS: three agents without a model.
    """
    from tripgauge.commands.compass_demo import demo_table
    from tripgauge.toy import town
    from tripgauge.trip_plus.results.answers import read_answers
    from tripgauge.trip_plus.results.leaderboard import entries, leaderboard

    trip_plus = trip_plus_over(None, None, None)
    recorded = replace(read_answers(town.answers_folder(), trip_plus.tasks.values()), name="good answers")
    boards = {edition: leaderboard(entries([recorded], trip_plus, edition)) for edition in Edition}
    if form is not Form.JSON:
        for board in boards.values():
            print_report(board, form)
            print()
    compass = demo_table(DEMO_TASKS)
    if form is Form.JSON:
        trip_plus_boards = {edition.value: board.json() for edition, board in boards.items()}
        print_json({**trip_plus_boards, "compass": compass.json()})
        return
    print_table(compass, form)
    if form is Form.TERMINAL:
        log.print(
            "Next: [b]tripgauge tasks[/b] lists the tasks, [b]tripgauge check PLAN.txt --task ID[/b] grades a plan."
        )


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
    from tripgauge.codec import read_text, text_of
    from tripgauge.trip_plus.results.graded import graded_release, graded_strict

    trip_plus = trip_plus_over(queries, data, city_data)
    text = text_of(sys.stdin.buffer.read(), "Standard input") if str(plan) == "-" else read_text(plan)
    grade = (graded_strict if edition is Edition.STRICT else graded_release)(
        trip_plus, trip_plus.task(task), turn, text
    )
    print_json(grade.json()) if as_json else out.print(grade.rich())


def checks(
    check_id: Annotated[str | None, typer.Argument(metavar="[ID]", help="One check, with its cases.")] = None,
    as_json: AsJson = False,
) -> None:
    """List the checks, or show one with its rule, source and cases."""
    from tripgauge.trip_plus.manual import check_page, checks_tables, feasibility_pages, requirement_pages

    if check_id is None and as_json:
        print_json([page.json() for page in (*feasibility_pages(), *requirement_pages())])
    elif check_id is None:
        for table in checks_tables():
            print_table(table, Form.TERMINAL)
    else:
        page = check_page(check_id)
        print_json(page.json()) if as_json else print(page.text())


tasks_app = typer.Typer(cls=DefaultGroup, help="The tasks: `tasks`, `tasks ID`, `tasks compass`, and more.")


@tasks_app.command("show")
def show_tasks(
    task_id: Annotated[str | None, typer.Argument(metavar="[ID]", help="One task, as an agent sees it.")] = None,
    queries: Queries = None,
    data: Data = None,
    form: FormOption = Form.TERMINAL,
) -> None:
    """List the Trip+ tasks, or show what an agent sees of one. (The default.)"""
    from tripgauge.trip_plus.task_list import brief_text, tasks_table

    trip_plus = trip_plus_over(queries, data, None)
    if task_id is None:
        print_table(tasks_table(trip_plus), form)
    elif form is Form.JSON:
        from tripgauge.codec import to_json

        print(to_json(trip_plus.task(task_id).brief, indent=2))
    else:
        print(brief_text(trip_plus.task(task_id).brief))


CasesFile = Annotated[Path, typer.Argument(help="JSON lines, as described in docs/exchange.md.")]
GivenQueries = Annotated[list[Path], typer.Option("--queries", help="A query file; may be given more than once.")]
GivenData = Annotated[Path, typer.Option("--data", help="The folder with a sandbox per task.")]


def score_cases(
    cases: CasesFile,
    queries: GivenQueries,
    data: GivenData,
    city_data: CityData = None,
    edition: EditionOption = Edition.STRICT,
    out_file: OutFile = None,
) -> None:
    """Score converted plans line by line, to hold Tripgauge against other evaluators."""
    from tripgauge.trip_plus.results.exchange import read_cases, scored_cases

    trip_plus = trip_plus_over(queries, data, city_data)
    lines = read_cases(cases, trip_plus)
    write_lines(scored_cases(lines, trip_plus, edition), len(lines), out_file)


def convert_texts(
    texts: CasesFile,
    queries: GivenQueries,
    data: GivenData,
    city_data: CityData = None,
    edition: EditionOption = Edition.STRICT,
    out_file: OutFile = None,
) -> None:
    """Read answers line by line: the report, the plan as JSON, and its score."""
    from tripgauge.trip_plus.results.exchange import converted_texts, read_texts

    trip_plus = trip_plus_over(queries, data, city_data)
    lines = read_texts(texts, trip_plus)
    write_lines(converted_texts(lines, trip_plus, edition), len(lines), out_file)
