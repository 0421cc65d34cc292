"""Benchmarks as tasks of Inspect AI: our turn loop as solver, our scores as scorer, means over turns as metrics.

What the scorer reads stands in the messages of the sample, so that any log can be scored again, also one recovered
after a kill, whose store is empty.
"""

import math
import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from inspect_ai import Epochs, Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ChatMessage, ChatMessageAssistant, ChatMessageTool, ChatMessageUser, get_model
from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, Target, Value, mean, metric, scorer
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.tool import ToolCall as NativeCall
from inspect_ai.util import span, suspend_token_limit, suspend_turn_limit

from tripgauge.agents.tool_calling import ToolCallingAgent
from tripgauge.benchmark import Benchmark, TaskGrade
from tripgauge.codec import decode, encode
from tripgauge.conversation import Agent, End, Held, Limits, Model, Said, Transcript, Turn, User, converse, derived_seed
from tripgauge.errors import UsageError
from tripgauge.frontends.inspect_ai.model import InspectModel, begin_conversation, prepared
from tripgauge.frontends.inspect_ai.replies import object_in
from tripgauge.toy import town
from tripgauge.trip_plus.benchmark import TripPlus
from tripgauge.trip_plus.dialogues import NUMBERS, TripPlusDialogues
from tripgauge.trip_plus.edition import Edition

TURN = "tripgauge_turn"
"""Where a message keeps the record of the turn that it ends."""


@task
def trip_plus(
    queries: str | None = None,
    data: str | None = None,
    city_data: str | None = None,
    edition: str = "strict",
    seed: int = 0,
) -> Task:
    """Trip+: scripted conversations about trips.

    Args:
        queries: The query file. Without it TRIPGAUGE_QUERIES, or the toy town's.
        data: The folder with a sandbox per task. Without it TRIPGAUGE_DATA, or the toy town's.
        city_data: The folder with a city_index.json. Without it TRIPGAUGE_CITY_DATA, or none.
        edition: "strict" or "release".
        seed: For the chances of a user.
    """
    benchmark = trip_plus_benchmark(queries, data, city_data, edition)
    return inspect_task(benchmark, dialogue(benchmark, seed=seed))


def trip_plus_benchmark(
    queries: str | None, data: str | None, city_data: str | None, edition: str
) -> TripPlusDialogues:
    """Trip+ over what is given, what the environment names, or the toy town."""
    queries = queries or os.environ.get("TRIPGAUGE_QUERIES")
    data = data or os.environ.get("TRIPGAUGE_DATA")
    city_data = city_data or os.environ.get("TRIPGAUGE_CITY_DATA")
    if bool(queries) != bool(data):
        raise UsageError("queries and data go together: a query file without its sandboxes scores nothing.")
    if edition not in list(Edition):
        raise UsageError(f"There is no edition {edition!r}; there are: {', '.join(Edition)}.")
    over = TripPlus(
        [Path(queries) if queries else town.queries_file()],
        Path(data) if data else town.data_folder(),
        Path(city_data) if city_data else None,
    )
    return TripPlusDialogues(over, Edition(edition))


def inspect_task(benchmark: Benchmark, solving: Solver, keys: Sequence[tuple[str, int]] | None = None) -> Task:
    """A benchmark as a task: one sample for each of its tasks, or for each task and trial in `keys`.

    A sample that fails is left out of the scores and run again; it does not end the others.
    """
    wanted = [(name, None) for name in benchmark.task_ids] if keys is None else [(name, trial) for name, trial in keys]
    samples = [
        Sample(
            input=name,
            id=name if trial is None else f"{name}.{trial}",
            metadata={"task": name, "trial": trial, "benchmark": benchmark.name, "edition": benchmark.edition},
        )
        for name, trial in wanted
    ]
    return Task(
        dataset=MemoryDataset(samples, name=f"{benchmark.name}_{benchmark.edition}"),
        solver=solving,
        scorer=turn_scorer(benchmark=benchmark),
        epochs=Epochs(1, "mean"),
        fail_on_error=False,
        continue_on_fail=True,
        name=benchmark.name,
        metadata={"edition": benchmark.edition, **benchmark.digests()},
    )


# --- The solver -----------------------------------------------------------------------------------------------------


@solver
def dialogue(
    benchmark: Benchmark,
    new_agent: Callable[[Model], Agent] = ToolCallingAgent,
    limits: Limits | None = None,
    seed: int = 0,
    on_held: Callable[[Held], None] = lambda held: None,
    may_start: Callable[[], bool] = lambda: True,
) -> Solver:
    """Holds the conversation of a sample with our own turn loop.

    Inspect's own limits on turns and tokens see the agent's model calls only, not a simulated user's.
    """

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        if not may_start():
            raise NotBegunError(NOT_BEGUN)
        task_id = state.metadata["task"]
        trial = state.metadata["trial"] if state.metadata["trial"] is not None else state.epoch - 1
        begin_conversation(trial)
        talk = benchmark.dialogue(task_id, derived_seed(seed, task_id, trial, "user"))
        talk = replace(talk, user=_Uncounted(talk.user))
        agent = new_agent(InspectModel(prepared(get_model())))
        state.messages.clear()

        def written(turn: Turn) -> None:
            state.messages.extend(_messages(turn, _number_of_turns(state.messages)))

        async with span(f"{task_id}, trial {trial}", type="dialogue"):
            held = await converse(agent, talk, limits or benchmark.limits, trial=trial, seed=seed, on_turn=written)
        on_held(held)
        if not held.transcript.is_result:
            last = held.transcript.turns[-1]
            raise NoResultError(f"{last.end.replace('_', ' ')}: {last.detail}")
        state.output.completion = held.transcript.turns[-1].answer
        return state

    return solve


NOT_BEGUN = "the conversation was not to begin"


class NotBegunError(Exception):
    """The conversation was not to begin."""


class NoResultError(Exception):
    """The conversation failed by other than the agent, and is to be held again."""


class _Uncounted:
    """A user whose model calls are nothing the agent used up."""

    def __init__(self, user: User) -> None:
        self._user = user

    async def say(self, turns: Sequence[Turn]) -> str | Said | End:
        with suspend_turn_limit(), suspend_token_limit():
            return await self._user.say(turns)


def _messages(turn: Turn, number: int) -> list[ChatMessage]:
    """A turn as the viewer shows it; its last message keeps the whole record."""
    place = {"turn": number}
    messages: list[ChatMessage] = [ChatMessageUser(content=turn.utterance, metadata=place)]
    for round_number in dict.fromkeys(use.round for use in turn.tool_uses):
        uses = [use for use in turn.tool_uses if use.round == round_number]
        calls = [
            NativeCall(id=f"call_{number}_{round_number}_{index}", function=use.tool, arguments=_shown(use.arguments))
            for index, use in enumerate(uses)
        ]
        messages.append(ChatMessageAssistant(content="", tool_calls=calls, metadata=place))
        messages += [
            ChatMessageTool(content=use.answer, tool_call_id=call.id, function=use.tool, metadata=place)
            for use, call in zip(uses, calls, strict=True)
        ]
    record = {**place, TURN: encode(turn)}
    return [*messages, ChatMessageAssistant(content=turn.answer, metadata=record)]


def _shown(arguments: str) -> dict[str, Any]:
    read = object_in(arguments)
    return {"unreadable": arguments} if read is None else read


def _number_of_turns(messages: Sequence[ChatMessage]) -> int:
    return sum(TURN in (message.metadata or {}) for message in messages)


def transcript_of(messages: Sequence[ChatMessage], task_id: str, trial: int) -> Transcript:
    """The transcript that the messages of a sample keep, as far as they go."""
    records = [message.metadata[TURN] for message in messages if message.metadata and TURN in message.metadata]
    turns = tuple(decode(Turn, record, f"{task_id}, turn {number}") for number, record in enumerate(records))
    return Transcript(task_id, trial, turns, None)


# --- The scorer and its metrics -------------------------------------------------------------------------------------


def _over_turns(number: str) -> Callable[[], Metric]:
    """The mean of a number over all turns of all samples and epochs to which it applies, each turn counted once."""

    @metric(name=f"{number}_turns", scores="unreduced")
    def over_turns() -> Metric:
        def value(scores: list[SampleScore]) -> Value:
            values = [
                turn[number]
                for sample in scores
                for turn in (sample.score.metadata or {}).get("turns", ())
                if turn.get(number) is not None
            ]
            return sum(values) / len(values) if values else math.nan

        return value

    return over_turns


@metric(name="turns", scores="unreduced")
def turns_counted() -> Metric:
    """How many turns the means are taken over: every turn of each task that was scored."""

    def value(scores: list[SampleScore]) -> Value:
        return sum(len((sample.score.metadata or {}).get("turns", ())) for sample in scores)

    return value


TURN_METRICS = {number: _over_turns(number) for number in NUMBERS}


@scorer(metrics=[{"*": [mean()]}, turns_counted(), *(made() for made in TURN_METRICS.values())])
def turn_scorer(
    benchmark: Benchmark | None = None,
    queries: str | None = None,
    data: str | None = None,
    city_data: str | None = None,
    edition: str | None = None,
) -> Scorer:
    """The scores of every turn that the task has, reached or not.

    Args:
        benchmark: What to score with. Without it, Trip+ over the other arguments, as the task `trip_plus` takes them.
        queries: As of the task.
        data: As of the task.
        city_data: As of the task.
        edition: As of the task; without it, the one the sample was run in.
    """
    known: dict[str, Benchmark] = {}

    def of(run_in: str) -> Benchmark:
        if benchmark is not None:
            return benchmark
        if run_in not in known:
            known[run_in] = trip_plus_benchmark(queries, data, city_data, run_in)
        return known[run_in]

    async def score(state: TaskState, target: Target) -> Score:
        scoring = of(edition or state.metadata["edition"])
        trial = state.metadata["trial"] if state.metadata["trial"] is not None else state.epoch - 1
        grade = scoring.grade(transcript_of(state.messages, state.metadata["task"], trial))
        turns = [dict(turn.numbers) for turn in grade.turns]
        findings = [finding for turn in grade.turns for finding in turn.findings]
        return Score(
            value=_values(grade),
            answer=state.output.completion,
            explanation="\n".join(findings),
            metadata={"turns": turns, "findings": [list(turn.findings) for turn in grade.turns]},
        )

    return score


def _values(grade: TaskGrade) -> dict[str, float]:
    """The scores of the task as a whole, and of its turns the means. NaN for what does not apply."""
    names = dict.fromkeys(name for turn in grade.turns for name in turn.numbers)
    means = {name: _mean([turn.numbers[name] for turn in grade.turns]) for name in names}
    return {"turns": len(grade.turns), **means, **{name: _mean([number]) for name, number in grade.numbers.items()}}


def _mean(values: Sequence[float | None]) -> float:
    """NaN if there is none: Inspect leaves it out, where it would count None as 0."""
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else math.nan
