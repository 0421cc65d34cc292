"""run, show: putting agents through whole conversations, and looking at what happened."""

import math
import sys
from decimal import Decimal, InvalidOperation
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tripgauge.commands.options import (
    AsJson,
    CityData,
    Data,
    EditionOption,
    Queries,
    log,
    out,
    print_json,
    trip_plus_over,
)
from tripgauge.errors import UsageError
from tripgauge.trip_plus.edition import Edition

if TYPE_CHECKING:
    from tripgauge.benchmark import Benchmark
    from tripgauge.runs import ModelSettings


class Runnable(StrEnum):
    """What can be run."""

    TRIP_PLUS = "trip-plus"
    COMPASS = "compass"


def run(
    context: typer.Context,
    benchmark: Annotated[Runnable, typer.Argument(help="What to run.")] = Runnable.TRIP_PLUS,
    out_folder: Annotated[Path | None, typer.Option("--out", help="The run folder; the same again carries on.")] = None,
    agent: Annotated[str | None, typer.Option("--agent", help="package.module:Class")] = None,
    agent_options: Annotated[list[str] | None, typer.Option("--agent-option", help="key=value for the agent.")] = None,
    model: Annotated[str | None, typer.Option("--model", help="provider/name, through Inspect AI.")] = None,
    base_url: Annotated[str | None, typer.Option("--base-url", help="Where the model is served.")] = None,
    temperature: Annotated[float | None, typer.Option("--temperature", help="Default: 0.")] = None,
    top_p: Annotated[float | None, typer.Option("--top-p", help="Default: 1.")] = None,
    plain_sampling: Annotated[
        bool, typer.Option("--no-sampling", help="Send neither temperature nor top-p, for models that take none.")
    ] = False,
    max_tokens: Annotated[int | None, typer.Option("--max-tokens", min=1, help="Of one model reply.")] = None,
    model_options: Annotated[
        list[str] | None, typer.Option("--model-option", help="key=value for the provider.")
    ] = None,
    tasks: Annotated[
        list[str] | None, typer.Option("--task", help="Only this task; may be given more than once.")
    ] = None,
    limit: Annotated[int | None, typer.Option("--limit", min=1, help="Only the first so many tasks.")] = None,
    trials: Annotated[int, typer.Option("--trials", min=1, help="How often each task.")] = 1,
    max_connections: Annotated[int, typer.Option("--max-connections", min=1, help="Conversations at a time.")] = 10,
    seed: Annotated[int, typer.Option("--seed", min=0, help="For agents, users and models that take one.")] = 0,
    max_cost: Annotated[str | None, typer.Option("--max-cost", help="US dollars; then nothing new begins.")] = None,
    prices: Annotated[Path | None, typer.Option("--prices", help="JSON with the prices of models.")] = None,
    seconds_per_call: Annotated[float | None, typer.Option("--seconds-per-call", help="Limit of a model call.")] = None,
    seconds_per_task: Annotated[float | None, typer.Option("--seconds-per-task", help="Limit of a task.")] = None,
    queries: Queries = None,
    data: Data = None,
    city_data: CityData = None,
    edition: EditionOption = Edition.STRICT,
    as_json: AsJson = False,
) -> None:
    """Put an agent, or a model, through whole conversations and keep what happened.

    --queries, --data, --city-data and --edition are for Trip+ only; without --queries and --data it runs on the toy
    town. --base-url and all options about sampling and providers go with --model.

    The same command again runs only what is missing or failed by infrastructure. The conversations are scored at the
    end; `tripgauge score` scores them again at any time, and `tripgauge analyze` shows a COMPASS run.
    """
    from tripgauge import run_commands
    from tripgauge.prices import read_prices

    if out_folder is None:
        raise UsageError("Name a folder for the run: --out runs/NAME.")
    if benchmark is Runnable.COMPASS:
        _refuse(_given(context, "queries", "data", "city_data", "edition"), "is for Trip+ only; COMPASS has none.")
    if model is None and agent is not None:
        sampling = ("temperature", "top_p", "plain_sampling", "max_tokens", "model_options", "base_url")
        _refuse(_given(context, *sampling), "goes with --model.")
    _check_numbers(temperature, top_p, seconds_per_call, seconds_per_task)
    over = _benchmark(benchmark, queries, data, city_data, edition)
    settings = _model_settings(temperature, top_p, max_tokens, seed, model_options or (), plain=plain_sampling)
    options = run_commands.RunOptions(
        agent=agent,
        agent_options=run_commands.key_values(agent_options or ()),
        model=model,
        model_settings=settings if model is not None else None,
        base_url=base_url,
        tasks=tasks or (),
        limit=limit,
        trials=trials,
        max_connections=max_connections,
        seed=seed,
        max_cost=_dollars(max_cost),
        prices=read_prices(prices) if prices else {},
        seconds_per_call=seconds_per_call,
        seconds_per_task=seconds_per_task,
    )
    outcome = run_commands.run(over, out_folder, options, log)
    run_commands.grade(over, out_folder)
    if as_json:
        from tripgauge.codec import encode

        print_json(encode(outcome))
    else:
        print(outcome.text())
        then = "analyze" if benchmark is Runnable.COMPASS else "score"
        log.print(f"Next: tripgauge show {out_folder}, tripgauge {then} {out_folder}", markup=False, soft_wrap=True)
    sys.stdout.flush()
    raise typer.Exit(outcome.exit_code)


def _given(context: typer.Context, *names: str) -> list[str]:
    """The options of these that stand on the command line, in the order of the command."""
    sources = {name: context.get_parameter_source(name) for name in names}
    written = {name for name, source in sources.items() if source is not None and source.name == "COMMANDLINE"}
    return [parameter.opts[0] for parameter in context.command.params if parameter.name in written]


def _refuse(options: list[str], reason: str) -> None:
    if options:
        raise UsageError(f"{options[0]} {reason}")


def _check_numbers(
    temperature: float | None, top_p: float | None, seconds_per_call: float | None, seconds_per_task: float | None
) -> None:
    """Raises UsageError for numbers no model takes and for times that never pass; NaN is refused everywhere."""
    if temperature is not None and not 0 <= temperature < math.inf:
        raise UsageError(f"--temperature {temperature:g}: expected a number from 0.")
    if top_p is not None and not 0 < top_p <= 1:
        raise UsageError(f"--top-p {top_p:g}: expected a number above 0, up to 1.")
    for name, seconds in (("--seconds-per-call", seconds_per_call), ("--seconds-per-task", seconds_per_task)):
        if seconds is not None and not 0 < seconds < math.inf:
            raise UsageError(f"{name} {seconds:g}: expected seconds above 0.")


def _benchmark(
    name: Runnable, queries: list[Path] | None, data: Path | None, city_data: Path | None, edition: Edition
) -> "Benchmark":
    if name is Runnable.COMPASS:
        from tripgauge.compass.benchmark import Compass
        from tripgauge.compass.defaults import open_index, open_tasks

        return Compass(open_index(None), open_tasks(None))
    from tripgauge.trip_plus.dialogues import TripPlusDialogues

    return TripPlusDialogues(trip_plus_over(queries, data, city_data), edition)


def _model_settings(
    temperature: float | None,
    top_p: float | None,
    max_tokens: int | None,
    seed: int,
    options: list[str] | tuple[str, ...],
    *,
    plain: bool,
) -> "ModelSettings":
    from tripgauge.run_commands import key_values
    from tripgauge.runs import ModelSettings

    if plain and (temperature is not None or top_p is not None):
        raise UsageError("--no-sampling sends no temperature and no top-p; leave one of them out.")
    paper = ModelSettings()
    return ModelSettings(
        temperature=None if plain else paper.temperature if temperature is None else temperature,
        top_p=None if plain else paper.top_p if top_p is None else top_p,
        max_tokens=max_tokens,
        seed=seed,
        options=key_values(options) or None,
    )


def _dollars(text: str | None) -> Decimal | None:
    if text is None:
        return None
    try:
        amount = Decimal(text.removeprefix("$"))
    except InvalidOperation:
        amount = Decimal("NaN")
    if not amount.is_finite() or amount < 0:
        raise UsageError(f"--max-cost {text}: expected an amount of dollars, such as 2.50.")
    return amount


def show(
    folder: Annotated[Path, typer.Argument(metavar="RUN", help="A run folder.")],
    task: Annotated[str | None, typer.Argument(metavar="[TASK]", help="One task: its whole conversation.")] = None,
    trial: Annotated[int | None, typer.Option("--trial", help="One trial of it.")] = None,
    answers: Annotated[bool, typer.Option("--answers", help="Unfold what the tools answered.")] = False,
    as_json: AsJson = False,
) -> None:
    """Show what happened in a run: a table, or a conversation with its tool calls and the findings of each turn."""
    from tripgauge import run_commands

    shown = run_commands.show(folder, task, trial, answers=answers)
    print_json(shown.json()) if as_json else out.print(shown.rich())
