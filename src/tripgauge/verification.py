"""Are the numbers stored with a run what its transcripts give? Everything is computed anew and compared. (R8)"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from tripgauge.benchmark import Benchmark, TaskGrade, TurnGrade
from tripgauge.conversation import Transcript
from tripgauge.errors import UsageError
from tripgauge.run_commands import refuse_other_benchmark
from tripgauge.runs import RunFolder


def verify(benchmark: Benchmark, path: Path) -> Sequence[str]:
    """What is stored with the run at `path` and differs from what its transcripts give; nothing if all is right.

    Raises UsageError if there is no such run, nothing is stored, or it was held with other tasks or data.
    """
    folder = RunFolder.open(path)
    refuse_other_benchmark(folder, benchmark)
    stored, transcripts = folder.scores(), folder.transcripts()
    if not stored:
        raise UsageError(f"{path} holds no scores to verify. Make them with: tripgauge score {path}")
    results = {key: transcript for key, transcript in transcripts.items() if transcript.is_result}
    differences: list[str] = []
    for task, trial in sorted({*stored, *results}):
        where = f"{task}, trial {trial}"
        if (task, trial) not in results:
            differences.append(f"{where}: there are scores, but no conversation that counts")
        elif (task, trial) not in stored:
            differences.append(f"{where}: there is a conversation, but no scores")
        else:
            computed = benchmark.grade(results[task, trial])
            differences += (f"{where}{what}" for what in _grades(stored[task, trial], computed))
    for transcript in transcripts.values():
        differences += _modes(benchmark, transcript)
    return differences


def _grades(stored: TaskGrade, computed: TaskGrade) -> Iterator[str]:
    yield from (f": {what}" for what in _numbers(stored.numbers, computed.numbers))
    if len(stored.turns) != len(computed.turns):
        yield f": {len(stored.turns)} turns are stored, {len(computed.turns)} computed"
    for number, (there, here) in enumerate(zip(stored.turns, computed.turns, strict=False)):
        yield from (f", turn {number}: {what}" for what in _turns(there, here))


def _turns(stored: TurnGrade, computed: TurnGrade) -> Iterator[str]:
    yield from _numbers(stored.numbers, computed.numbers)
    if stored.findings != computed.findings:
        yield "the stored findings are not the computed ones"


def _numbers(stored: Mapping[str, float | None], computed: Mapping[str, float | None]) -> Iterator[str]:
    for name in dict.fromkeys((*computed, *stored)):
        if name not in stored:
            yield f"{name} is not stored"
        elif name not in computed:
            yield f"{name} is stored, but there is no such number"
        elif stored[name] != computed[name]:
            yield f"{name} is stored as {stored[name]}, computed as {computed[name]}"


def _modes(benchmark: Benchmark, transcript: Transcript) -> Iterator[str]:
    """The kind of each answer is stored with the transcript, and is read anew from its text."""
    read = benchmark.dialogue(transcript.task, 0).read
    for number, turn in enumerate(transcript.turns):
        if turn.answer and (mode := read(turn.answer).mode) != turn.mode:
            where = f"{transcript.task}, trial {transcript.trial}, turn {number}"
            yield f"{where}: the answer is stored as {turn.mode}, and reads as {mode}"
