"""How much the turn loop costs: per model call, and when many conversations wait for a model at once.

    python benchmarks/loop.py

Prints measurements and asserts nothing. The tools answer from the toy town's sandbox and are measured apart, since
their time is not the loop's.
"""

import asyncio
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
    started = time.perf_counter()
    for _ in range(200):
        dialogue.toolbox.answer(calls)
    return (time.perf_counter() - started) / 200


def main() -> None:
    """Print the measurements."""
    benchmark = TripPlusDialogues(TripPlus([town.queries_file()], town.data_folder()))
    answer = town.answers()["mt_toy_couple_turn_0"]
    held = dialogues(benchmark, 200)
    asyncio.run(scripted(held[:8], answer))

    started = time.perf_counter()
    calls = asyncio.run(scripted(held, answer))
    whole = (time.perf_counter() - started) / calls
    tools = tool_seconds(held[0]) / CALLS_A_TURN
    turns = sum(len(user.lines) for dialogue in held if isinstance(user := dialogue.user, ScriptedUser))
    started = time.perf_counter()
    for number in range(100):
        held[0].read(another(answer, number))
    reading = (time.perf_counter() - started) / 100

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
    print(f"64 conversations at once, {latency * 1000:.0f} ms a model call")
    print(f"  {took:.2f} s, ideal {ideal:.2f} s, ratio {took / ideal:.2f}")


if __name__ == "__main__":
    main()
