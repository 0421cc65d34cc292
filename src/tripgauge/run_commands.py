"""What stands behind `tripgauge run`, `tripgauge score` and `tripgauge show`."""

import importlib
import inspect
import os
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.text import Text

from tripgauge.benchmark import Benchmark, TaskGrade
from tripgauge.codec import encode
from tripgauge.conversation import Agent, Cost, Held, Model, ToolUse, Transcript, Turn, Usage
from tripgauge.errors import UsageError
from tripgauge.prices import Price
from tripgauge.report.table import Table, counted
from tripgauge.runs import (
    Engine,
    Key,
    ModelSettings,
    OwnEngine,
    RunFolder,
    Selection,
    Settings,
    Work,
    code_digest,
    digest_of,
    select,
    without_credentials,
)

DEFAULT_AGENT = "tripgauge.agents.tool_calling:ToolCallingAgent"


@dataclass(frozen=True)
class RunOptions:
    """What to run and how."""

    agent: str | None = None
    """package.module:Class; without one, the plain function-calling scaffold around the model."""

    agent_options: Mapping[str, str] = field(default_factory=dict)
    """Keyword arguments of the class."""

    model: str | None = None
    """provider/name"""

    model_settings: ModelSettings | None = None
    """None means the paper's."""

    base_url: str | None = None
    tasks: Sequence[str] = ()
    """All if empty."""

    limit: int | None = None
    """The first so many of them."""

    trials: int = 1
    max_connections: int = 10
    seed: int = 0
    max_cost: Decimal | None = None
    """US dollars; when so much is spent no further conversation begins."""

    prices: Mapping[str, Price] = field(default_factory=dict)
    seconds_per_call: float | None = None
    seconds_per_task: float | None = None


@dataclass(frozen=True)
class RunOutcome:
    """How a run stands after a command."""

    folder: Path
    selected: int
    """Conversations asked for."""

    results: int
    """Of them, those that count."""

    ends: Mapping[str, int]
    """How many turns ended for which reason."""

    usage: Usage
    cost: Cost
    failures: tuple[str, ...] = ()
    """Why the others failed, each reason once."""

    @property
    def exit_code(self) -> int:
        """0 if everything is there, else 1."""
        return 0 if self.results == self.selected else 1

    def text(self) -> str:
        """In a few lines, for people."""
        ends = ", ".join(f"{count} {end.replace('_', ' ')}" for end, count in self.ends.items())
        lines = [f"{self.results} of {self.selected} conversations in {self.folder}; turns: {ends or 'none'}."]
        lines.append(f"{_spent(self.usage, self.cost)}.")
        lines += [f"Failed: {failure}" for failure in self.failures]
        if self.exit_code:
            lines.append("The same command again runs what is missing.")
        return "\n".join(lines)


def run(benchmark: Benchmark, path: Path, options: RunOptions, console: Console) -> RunOutcome:
    """Holds the conversations that are missing in the run folder at `path`; progress goes to `console`.

    Raises UsageError before anything is run if the agent cannot be made, a task is unknown or the data are not enough
    for it, the folder holds a run with other settings or another process writes to it. After KeyboardInterrupt
    everything finished is stored.
    """
    selection = select(benchmark.task_ids, options.tasks, options.limit, options.trials)
    for task in selection.tasks:
        benchmark.dialogue(task, options.seed)
    engine = _engine(options)
    new_agent = agent_factory(options.agent or DEFAULT_AGENT, options.agent_options, engine.model)
    settings = settings_of(benchmark, options, new_agent, engine)
    folder = RunFolder.start(path, settings, selection)
    with folder.locked():
        if folder.missing():
            engine.probe()
            _carry_out(folder, engine, benchmark, new_agent, options, console)
        folder.tidy()
    return outcome(folder)


def _carry_out(
    folder: RunFolder,
    engine: Engine,
    benchmark: Benchmark,
    new_agent: Callable[[], Agent],
    options: RunOptions,
    console: Console,
) -> None:
    with _Watch(folder, options, console) as watch:
        work = Work(
            benchmark=benchmark,
            new_agent=new_agent,
            limits=folder.settings.limits,
            seed=options.seed,
            max_connections=options.max_connections,
            may_start=watch.may_start,
            on_held=watch.told,
        )
        try:
            engine.carry_out(folder, work)
        except KeyboardInterrupt:
            console.print(
                "Stopped. Finished conversations are kept; the same command again carries on.", highlight=False
            )
            raise
        finally:
            folder.tidy()


def _engine(options: RunOptions) -> Engine:
    if options.model is None:
        if options.agent is None:
            raise UsageError("Name an agent (--agent package.module:Class) or a model (--model provider/name).")
        if options.base_url is not None or options.model_settings is not None:
            raise UsageError("--base-url, --temperature and the like go with --model.")
        return OwnEngine()
    if options.max_cost is not None and options.model not in options.prices:
        raise UsageError(f"--max-cost needs to know what {options.model} costs: name it in the table of --prices.")
    try:
        from tripgauge.frontends.inspect_ai.engine import InspectEngine
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != "inspect_ai":
            raise
        raise UsageError("--model needs Inspect AI. Install it with: pip install 'tripgauge[inspect]'") from None
    settings = options.model_settings or ModelSettings()
    _refuse_credentials(options.base_url or "", settings.options or {})
    return InspectEngine(options.model, settings, options.base_url, options.prices.get(options.model))


_SECRET_NAME = re.compile(r"(^|[_-])(key|token|secret|password|authorization|credentials?)$|apikey", re.IGNORECASE)
_SECRET_VALUE = re.compile(r"authorization|api[-_]?key|bearer ", re.IGNORECASE)


def _refuse_credentials(base_url: str, options: Mapping[str, str]) -> None:
    """Raises UsageError for what would be written into files of the run that people share."""
    way_out = "the run's files would keep it. Set the provider's environment variable, such as OPENAI_API_KEY"
    address = urlsplit(base_url)
    if "@" in address.netloc or address.query:
        raise UsageError(f"--base-url takes no user name, password or query: {way_out}.")
    for name, value in options.items():
        if _SECRET_NAME.search(name) or _SECRET_VALUE.search(value):
            raise UsageError(f"--model-option {name} takes no key or password: {way_out}.")


def outcome(folder: RunFolder) -> RunOutcome:
    """How a run stands."""
    wanted = set(folder.selection.keys)
    transcripts = [transcript for key, transcript in folder.transcripts().items() if key in wanted]
    turns = [turn for transcript in transcripts for turn in transcript.turns]
    failed = [f"{turn.end.replace('_', ' ')}: {turn.detail}" for turn in turns if not turn.end.is_result]
    return RunOutcome(
        folder=folder.path,
        selected=len(wanted),
        results=sum(transcript.is_result for transcript in transcripts),
        ends=Counter(turn.end.value for turn in turns),
        usage=_usage(turns),
        cost=_cost(turns),
        failures=tuple(f"{reason} ({count} times)" for reason, count in Counter(failed).items()),
    )


def grade(benchmark: Benchmark, path: Path) -> Sequence[TaskGrade]:
    """Scores every conversation of a run that counts and stores the scores beside them; any number of times.

    Raises UsageError if the run was held with other tasks or data, or in another edition.
    """
    folder = RunFolder.open(path)
    refuse_other_benchmark(folder, benchmark)
    transcripts = folder.transcripts().values()
    grades = [benchmark.grade(transcript) for transcript in transcripts if transcript.is_result]
    folder.write_scores(grades)
    return grades


def refuse_other_benchmark(folder: RunFolder, benchmark: Benchmark) -> None:
    """Raises UsageError if the run was held with other tasks or data, or in another edition."""
    settings, digests = folder.settings, benchmark.digests()
    if (settings.benchmark, settings.edition) != (benchmark.name, benchmark.edition):
        there = f"{settings.benchmark}, edition {settings.edition}"
        raise UsageError(f"{folder.path} is a run of {there}, not of {benchmark.name}, edition {benchmark.edition}.")
    for kind in ("tasks", "data"):
        if settings.digests.get(kind) != digests.get(kind):
            raise UsageError(f"{folder.path} was run with other {kind} than the ones given.")


# --- Agents ---------------------------------------------------------------------------------------------------------


def key_values(pairs: Sequence[str]) -> Mapping[str, str]:
    """Options given as "key=value". Raises UsageError for one without "=", and for a key given twice."""
    for pair in pairs:
        if "=" not in pair:
            raise UsageError(f"{pair!r} is no option; expected key=value.")
    keys = Counter(pair.partition("=")[0] for pair in pairs)
    twice = [key for key, count in keys.items() if count > 1]
    if twice:
        raise UsageError(f"The option {twice[0]} is given {keys[twice[0]]} times; give it once.")
    return {key: value for key, _, value in (pair.partition("=") for pair in pairs)}


def agent_factory(name: str, options: Mapping[str, str], model: Model | None = None) -> Callable[[], Agent]:
    """What makes agents of the class `package.module:Class`, found as Python finds modules or in the working folder.

    A model is given to the class as `model`.

    One is made at once, so that what is wrong shows before the run. Raises UsageError if there is no such class, it
    does not take the options, or it has no `respond`.
    """
    class_ = _agent_class(name)
    arguments: dict[str, object] = {**options} if model is None else {**options, "model": model}
    try:
        inspect.signature(class_).bind(**arguments)
    except TypeError as error:
        raise UsageError(f"{name} cannot be made with these options: {error}.") from None
    factory: partial[Any] = partial(class_, **arguments)
    if not inspect.iscoroutinefunction(getattr(factory(), "respond", None)):
        raise UsageError(f"{name} is no agent: it needs a method `async def respond(self, turn) -> str`.")
    return factory


def _agent_class(name: str) -> Callable[..., Any]:
    module_name, _, class_name = name.partition(":")
    if not module_name or not class_name:
        raise UsageError(f"{name!r} names no agent; expected package.module:Class.")
    if os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())
    try:
        module = importlib.import_module(module_name)
    except ModuleNotFoundError as error:
        if error.name and not f"{module_name}.".startswith(f"{error.name}."):
            raise
        raise UsageError(f"There is no module {error.name} to take {class_name} from.") from None
    found = getattr(module, class_name, None)
    if not callable(found):
        raise UsageError(f"{module_name} has no class {class_name}.")
    return found  # type: ignore[no-any-return]


def agent_digest(new_agent: Callable[[], Agent]) -> str:
    """SHA-256 of the file that defines the agent's class."""
    source = inspect.getsourcefile(type(new_agent()))
    return digest_of([("agent", Path(source).read_bytes())]) if source else "unknown"


def settings_of(benchmark: Benchmark, options: RunOptions, new_agent: Callable[[], Agent], engine: Engine) -> Settings:
    """Everything that can move a score of this run."""
    limits = benchmark.limits
    if options.seconds_per_call is not None:
        limits = replace(limits, seconds_per_call=options.seconds_per_call)
    if options.seconds_per_task is not None:
        limits = replace(limits, seconds_per_task=options.seconds_per_task)
    return Settings(
        benchmark=benchmark.name,
        edition=benchmark.edition,
        agent=options.agent or DEFAULT_AGENT,
        agent_options=dict(options.agent_options),
        model=options.model,
        base_url=without_credentials(options.base_url) if options.base_url else None,
        model_settings=(options.model_settings or ModelSettings()) if options.model else None,
        engine=engine.version,
        seed=options.seed,
        limits=limits,
        digests={"agent": agent_digest(new_agent), "code": code_digest(), **benchmark.digests()},
    )


# --- Progress -------------------------------------------------------------------------------------------------------


class _Watch:
    """Shows how far a run is, and keeps to its budget."""

    def __init__(self, folder: RunFolder, options: RunOptions, console: Console) -> None:
        self._max_cost = options.max_cost
        self._told_of_limit = False
        self._console = console
        transcripts, missing = folder.transcripts(), folder.missing()
        turns = [turn for transcript in transcripts.values() for turn in transcript.turns]
        self._usage, self._cost = _usage(turns), _cost(turns)
        self._total, self._done = len(folder.selection.keys), len(folder.selection.keys) - len(missing)
        self._bars = Progress(
            TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(),
            TextColumn("{task.fields[spent]}"), console=console, transient=True, disable=not console.is_terminal,
        )  # fmt: skip
        self._bar = self._bars.add_task(
            "conversations", total=self._total, completed=self._done, spent=_spent(self._usage, self._cost)
        )

    def __enter__(self) -> "_Watch":
        self._bars.start()
        return self

    def __exit__(self, *exc: object) -> None:
        self._bars.stop()

    def may_start(self) -> bool:
        """Whether there is money left. Raises UsageError if nobody can know."""
        if self._max_cost is None:
            return True
        if self._cost == "unknown":
            raise UsageError("--max-cost needs to know what things cost: give --prices with this model in it.")
        if self._cost < self._max_cost:
            return True
        if not self._told_of_limit:
            self._told_of_limit = True
            self._console.print(f"The cost limit of ${self._max_cost} is reached; no conversation begins any more.")
        return False

    def told(self, held: Held) -> None:
        """Counts a conversation."""
        turns = held.transcript.turns
        self._done += 1
        self._usage = self._usage + _usage(turns)
        self._cost = _add(self._cost, _cost(turns))
        spent = _spent(self._usage, self._cost)
        self._bars.update(self._bar, completed=self._done, spent=spent)
        if not self._console.is_terminal:
            ends = ", ".join(turn.end.replace("_", " ") for turn in turns)
            name = f"{held.transcript.task}, trial {held.transcript.trial}"
            self._console.print(
                f"{self._done}/{self._total} {name}: {ends}; {spent}", markup=False, highlight=False, soft_wrap=True
            )


def _usage(turns: Sequence[Turn]) -> Usage:
    return sum((turn.usage for turn in turns), Usage())


def _cost(turns: Sequence[Turn]) -> Cost:
    total: Cost = Decimal(0)
    for turn in turns:
        total = _add(total, turn.cost)
    return total


def _add(first: Cost, second: Cost) -> Cost:
    return "unknown" if first == "unknown" or second == "unknown" else first + second


def _spent(usage: Usage, cost: Cost) -> str:
    tokens = " + ".join("?" if count is None else f"{count:,}" for count in (usage.input_tokens, usage.output_tokens))
    return f"{tokens} tokens, cost {_dollars(cost)}"


def _dollars(cost: Cost) -> str:
    return "unknown" if cost == "unknown" else f"${cost:.4f}"


# --- Looking at a run -----------------------------------------------------------------------------------------------


def show(path: Path, task: str | None = None, trial: int | None = None, *, answers: bool = False) -> "Shown":
    """A run as a table, or the conversations about one task, tool calls folded to a line each unless `answers`.

    Raises UsageError if there is no such run, or nothing of the task in it.
    """
    folder = RunFolder.open(path)
    transcripts, scores = folder.transcripts(), folder.scores()
    if task is not None:
        transcripts = {key: t for key, t in transcripts.items() if key[0] == task and trial in (None, key[1])}
        if not transcripts:
            there = folder.transcripts()
            trials = [str(key[1]) for key in there if key[0] == task]
            if trials:
                raise UsageError(f"{path} holds no trial {trial} of {task}. It has: {', '.join(trials)}.")
            known = ", ".join(dict.fromkeys(key[0] for key in there)) or "none"
            raise UsageError(f"{path} holds no conversation about {task}. It has: {known}.")
    return Shown(folder.selection, transcripts, scores, task is not None, answers)


@dataclass(frozen=True)
class Shown:
    """What `show` shows."""

    selection: Selection
    transcripts: Mapping[Key, Transcript]
    scores: Mapping[Key, TaskGrade]
    in_full: bool
    answers: bool

    def json(self) -> list[object]:
        """For machines: every conversation with its scores."""
        return [
            {**encode(transcript), "scores": encode(self.scores.get(key))}
            for key, transcript in self.transcripts.items()
        ]

    def rich(self) -> RenderableType:
        """For people."""
        if not self.in_full:
            return self._table().rich()
        return Group(*(self._dialogue(key, transcript) for key, transcript in self.transcripts.items()))

    def _table(self) -> Table:
        rows = tuple(_row(transcript) for transcript in self.transcripts.values())
        missing = len(set(self.selection.keys) - set(self.transcripts))
        held = counted(len(rows), "conversation")
        notes = (f"{held}; {missing} of the {len(self.selection.keys)} asked for are missing.",)
        return Table(
            "Conversations", ("task", "trial", "turns", "modes", "ends", "tool calls", "tokens", "cost"), rows, notes
        )

    def _dialogue(self, key: Key, transcript: Transcript) -> RenderableType:
        parts: list[RenderableType] = [Text(f"{transcript.task}, trial {transcript.trial}", style="bold")]
        grade = self.scores.get(key)
        for number, turn in enumerate(transcript.turns):
            parts += [Text(""), *_turn(number, turn, self.answers)]
            parts += _verdict(grade, number)
        parts.append(Text(f"\nEnd: {(transcript.goodbye or 'broken off').replace('_', ' ')}", style="dim"))
        return Group(*parts)


def _row(transcript: Transcript) -> tuple[str | int, ...]:
    turns = transcript.turns
    usage = _usage(turns)
    tokens = "?" if usage.input_tokens is None else f"{usage.input_tokens + (usage.output_tokens or 0):,}"
    return (
        transcript.task,
        transcript.trial,
        len(turns),
        _counted(turn.mode for turn in turns),
        _counted(turn.end for turn in turns),
        sum(len(turn.tool_uses) for turn in turns),
        tokens,
        _dollars(_cost(turns)),
    )


def _counted(words: Iterable[str]) -> str:
    return ", ".join(f"{count} {word.replace('_', ' ')}" for word, count in Counter(words).items())


def _turn(number: int, turn: Turn, answers: bool) -> list[RenderableType]:
    head = Text(f"Turn {number} · {turn.mode} · {turn.end.replace('_', ' ')}", style="bold cyan")
    if turn.detail:
        head.append(f" · {turn.detail}", style="red")
    parts: list[RenderableType] = [head, Text("Traveler: ", style="bold").append(turn.utterance, style="not bold")]
    for use in turn.tool_uses:
        parts.append(_tool_line(use))
        if answers:
            parts.append(Padding(Text(use.answer, style="dim"), (0, 0, 0, 4)))
    parts.append(Text("Agent: ", style="bold").append(turn.answer or "(nothing)", style="not bold"))
    return parts


def _tool_line(use: ToolUse) -> Text:
    line = Text(f"  {use.round:>3} {use.tool} {use.arguments}", style="dim", overflow="ellipsis", no_wrap=True)
    if use.error:
        line = Text(f"  {use.round:>3} ", style="dim").append(f"[{use.error.replace('_', ' ')}] ", style="red")
        line.append(f"{use.tool} {use.arguments}", style="dim")
    return line


def _verdict(grade: TaskGrade | None, number: int) -> list[RenderableType]:
    if grade is None or number >= len(grade.turns):
        return [Text("Not scored yet.", style="dim")]
    turn = grade.turns[number]
    numbers = ", ".join(f"{name} {'–' if value is None else f'{value:.3f}'}" for name, value in turn.numbers.items())
    findings = [Text(f"  - {finding}", style="yellow") for finding in turn.findings]
    return [Text(f"Scores: {numbers}", style="bold"), *findings]
