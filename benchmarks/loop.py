"""How much the turn loop costs: per model call, and when many conversations wait for a model at once.

    python benchmarks/loop.py

Prints measurements and asserts nothing. With the extra `inspect` installed, the same conversations through Inspect AI
stand beside; its own price for a model call grows with the length of the conversation. The tools answer from the toy
town's sandbox and are measured apart, since their time is not the loop's. What does not wait is measured in time of the
processor, so that a busy machine does not count.
"""

import asyncio
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass

from tripgauge.agents.tool_calling import ToolCallingAgent
from tripgauge.chat import Message, ToolCall, ToolSpec
from tripgauge.conversation import Dialogue, Limits, ModelReply, ScriptedUser, Usage, converse
from tripgauge.toy import town
from tripgauge.trip_plus.benchmark import TripPlus
from tripgauge.trip_plus.dialogues import TripPlusDialogues

CALLS_A_TURN = 5
QUESTIONS = (
    ("query_train_info", {"origin": "Aldmoor", "destination": "Briskhaven", "depDate": "2026-07-14"}),
    ("query_hotel_info", {"destination": "Briskhaven"}),
    ("recommend_attractions", {"city": "Briskhaven"}),
    ("query_city_weather", {"city": "Briskhaven"}),
)


@dataclass
class Stub:
    """A model that asks four questions and then answers; each reply comes after `latency` seconds."""

    answer: str
    latency: float = 0
    calls: int = 0

    async def __call__(self, messages: Sequence[Message], tools: Sequence[ToolSpec]) -> ModelReply:
        if self.latency:
            await asyncio.sleep(self.latency)
        step = self.calls % CALLS_A_TURN
        self.calls += 1
        usage = Usage(1000, 100)
        if step == CALLS_A_TURN - 1:
            return ModelReply(another(self.answer, self.calls), usage=usage)
        name, arguments = QUESTIONS[step]
        return ModelReply("", (ToolCall.of(f"call_{self.calls}", name, arguments),), usage=usage)


def another(answer: str, number: int) -> str:
    """The answer with another price in it, so that no reading of one serves for two."""
    return answer.replace("¥300/", f"¥{300 + number}/")


def dialogues(benchmark: TripPlusDialogues, count: int) -> list[Dialogue]:
    """So many conversations about the toy tasks, in turn."""
    tasks = benchmark.task_ids
    return [benchmark.dialogue(tasks[number % len(tasks)]) for number in range(count)]


async def scripted(held: Sequence[Dialogue], answer: str) -> int:
    """Holds the conversations one after the other; how many model calls it took."""
    calls = 0
    for dialogue in held:
        model = Stub(answer)
        await converse(ToolCallingAgent(model), dialogue, Limits())
        calls += model.calls
    return calls


async def at_once(held: Sequence[Dialogue], answer: str, latency: float) -> None:
    """Holds the conversations all at the same time."""
    async with asyncio.TaskGroup() as group:
        for dialogue in held:
            group.create_task(converse(ToolCallingAgent(Stub(answer, latency)), dialogue, Limits()))


def tool_seconds(dialogue: Dialogue) -> float:
    """How long the tools themselves take for one round of questions."""
    calls = [ToolCall.of("", name, arguments) for name, arguments in QUESTIONS]
    started = time.process_time()
    for _ in range(200):
        dialogue.toolbox.answer(calls)
    return (time.process_time() - started) / 200


def through_inspect(benchmark: TripPlusDialogues, answer: str, latency: float) -> float | None:
    """Seconds that the same 64 conversations take through Inspect AI; None if it is not installed."""
    try:
        import inspect_ai
    except ModuleNotFoundError:
        return None
    from inspect_ai.model import ModelAPI, ModelOutput, ModelUsage, get_model, modelapi

    from tripgauge.frontends.inspect_ai.task import dialogue, inspect_task

    @modelapi(name="stub")
    class StubAPI(ModelAPI):
        """The stub, as a provider of Inspect AI."""

        async def generate(self, input, tools, tool_choice, config):  # type: ignore[no-untyped-def]
            await asyncio.sleep(latency)
            step = sum(message.role == "tool" for message in input)
            if step == CALLS_A_TURN - 1:
                output = ModelOutput.from_content("stub", another(answer, len(input)))
            else:
                output = ModelOutput.for_tool_call("stub", *QUESTIONS[step])
            output.usage = ModelUsage(input_tokens=1000, output_tokens=100, total_tokens=1100)
            return output

        def max_connections(self) -> int:
            return 64

    keys = [(benchmark.task_ids[number % len(benchmark.task_ids)], number) for number in range(64)]
    task = inspect_task(benchmark, dialogue(benchmark), keys)
    task.scorer = None
    with tempfile.TemporaryDirectory() as folder:
        started = time.perf_counter()
        inspect_ai.eval(
            task, model=get_model("stub/model"), log_dir=folder, display="none", max_samples=64, max_connections=64
        )
        return time.perf_counter() - started


def main() -> None:
    """Print the measurements."""
    benchmark = TripPlusDialogues(TripPlus([town.queries_file()], town.data_folder()))
    answer = town.answers()["mt_toy_couple_turn_0"]
    held = dialogues(benchmark, 200)
    asyncio.run(scripted(held[:8], answer))

    started = time.process_time()
    calls = asyncio.run(scripted(held, answer))
    whole = (time.process_time() - started) / calls
    tools = tool_seconds(held[0]) / CALLS_A_TURN
    turns = sum(len(user.lines) for dialogue in held if isinstance(user := dialogue.user, ScriptedUser))
    started = time.process_time()
    for number in range(100):
        held[0].read(another(answer, number))
    reading = (time.process_time() - started) / 100

    print(f"{len(held)} scripted dialogues, {turns} turns, {calls} model calls")
    print(f"  per model call, all in all:  {whole * 1000:.3f} ms")
    print(f"  of it the tools:             {tools * 1000:.3f} ms")
    print(f"  of it reading the answers:   {reading / CALLS_A_TURN * 1000:.3f} ms, once a turn")
    print(f"  the loop itself:             {(whole - tools - reading / CALLS_A_TURN) * 1000:.3f} ms")

    latency = 0.2
    many = dialogues(benchmark, 64)
    longest = max(len(user.lines) for dialogue in many if isinstance(user := dialogue.user, ScriptedUser))
    ideal = longest * CALLS_A_TURN * latency
    started = time.perf_counter()
    asyncio.run(at_once(many, answer, latency))
    took = time.perf_counter() - started
    print(f"64 conversations at once, {latency * 1000:.0f} ms a model call, ideal {ideal:.2f} s")
    print(f"  own loop:    {took:.2f} s, ratio {took / ideal:.2f}")
    through = through_inspect(benchmark, answer, latency)
    if through is not None:
        print(f"  Inspect AI:  {through:.2f} s, ratio {through / ideal:.2f}, its start and its log included")


if __name__ == "__main__":
    main()
