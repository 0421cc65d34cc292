"""COMPASS as a task of Inspect AI; its user speaks from a script, or in the words of the model with the role `user`."""

import math
from collections.abc import Sequence
from pathlib import Path

from inspect_ai import Task, task, task_with
from inspect_ai.model import get_model
from inspect_ai.scorer import Score, Scorer, Target, mean, scorer, stderr
from inspect_ai.solver import TaskState

from tripgauge.chat import Message, ToolSpec
from tripgauge.compass.behavior import Measured
from tripgauge.compass.benchmark import Compass
from tripgauge.compass.run_commands import open_compass
from tripgauge.compass.voices import ModelVoice, ScriptedVoice
from tripgauge.conversation import ModelReply
from tripgauge.errors import UsageError
from tripgauge.frontends.inspect_ai.model import InspectModel, prepared
from tripgauge.frontends.inspect_ai.task import dialogue, inspect_task, transcript_of

USER_ROLE = "user"
"""The role of the model that speaks for the simulated user: `--model-role user=provider/name`."""

VOICES = ("scripted", "model")


@task
def compass(
    tasks: str | None = None,
    catalogue: str | None = None,
    voice: str = "scripted",
    persona: int | None = None,
    extension: bool = True,
    seed: int = 0,
) -> Task:
    """COMPASS: a simulated user whose wishes come out bit by bit, and tools to find the best booking.

    Args:
        tasks: A task file. Without it the 281 that come along.
        catalogue: A catalogue file. Without it the default one.
        voice: "scripted", or "model" for the model with the role "user".
        persona: The number of a persona that every user has, from 0 to 107. Without it they are drawn.
        extension: Whether there is the 18th tool, which the paper counts and does not list.
        seed: For the chances of the user.
    """
    benchmark = compass_benchmark(tasks, catalogue, voice, persona, extension)
    return task_with(
        inspect_task(benchmark, dialogue(benchmark, seed=seed)), scorer=compass_scorer(benchmark=benchmark)
    )


def compass_benchmark(
    tasks: str | None, catalogue: str | None, voice: str, persona: int | None, extension: bool
) -> Compass:
    """COMPASS as the task's arguments say. Raises UsageError if they cannot be."""
    if voice not in VOICES:
        raise UsageError(f"There is no voice {voice!r}; there are: {', '.join(VOICES)}.")
    return open_compass(
        Path(tasks) if tasks else None,
        Path(catalogue) if catalogue else None,
        ScriptedVoice() if voice == "scripted" else ModelVoice(_role_model, f"role {USER_ROLE}"),
        persona=persona,
        extension=extension,
    )


async def _role_model(messages: Sequence[Message], tools: Sequence[ToolSpec]) -> ModelReply:
    """The model with the role `user`; never silently the one that is measured."""
    return await InspectModel(prepared(get_model(role=USER_ROLE, required=True)))(messages, tools)


@scorer(metrics={"*": [mean(), stderr()]})
def compass_scorer(benchmark: Compass | None = None, tasks: str | None = None, catalogue: str | None = None) -> Scorer:
    """FR, OR-5, OR-10 and OR-20 of the last recommendation, search effort and yield, and extra turns.

    Args:
        benchmark: What to score with. Without it, COMPASS over the other arguments.
        tasks: As of the task `compass`.
        catalogue: As of the task `compass`.
    """
    known: list[Compass] = [] if benchmark is None else [benchmark]

    async def score(state: TaskState, target: Target) -> Score:
        if not known:
            known.append(compass_benchmark(tasks, catalogue, "scripted", None, True))
        scoring = known[0]
        trial = state.metadata["trial"] if state.metadata["trial"] is not None else state.epoch - 1
        transcript = transcript_of(state.messages, state.metadata["task"], trial)
        numbers, measured = scoring.grade(transcript).numbers, scoring.measure(transcript)
        return Score(
            value={**{name: _or_nan(number) for name, number in numbers.items()}, **_behavior(measured)},
            answer=str(measured.score.choice or ""),
            explanation="\n".join(measured.score.findings),
            metadata={"failure": measured.failure, "simulator_rejected": measured.simulator.rejected},
        )

    return score


def _behavior(measured: Measured) -> dict[str, float]:
    return {
        "effort": measured.calls.effort,
        "yield": measured.calls.found,
        "extra_turns": _or_nan(measured.extra_turns),
    }


def _or_nan(number: float | None) -> float:
    """Inspect leaves NaN out of a mean, where it would count None as 0."""
    return math.nan if number is None else number
