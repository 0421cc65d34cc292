"""How long all 281 COMPASS dialogues take with the scripted user and agents without a model.

    python benchmarks/dialogues.py [--exhaustive]

Prints measurements and asserts nothing. Times are of the processor, on one core, so that a busy machine does not count;
running, measuring and the making of tools for each conversation are told apart.
"""

import argparse
import asyncio
import time
from collections.abc import Callable

from tripgauge.compass.agents import CheapestSeen, Exhaustive, FirstFound
from tripgauge.compass.analyses import feasibility_rate, optimality_rate
from tripgauge.compass.benchmark import LIMITS, Compass
from tripgauge.compass.defaults import default_catalogue, default_tasks
from tripgauge.compass.index import Index
from tripgauge.conversation import Agent, converse, derived_seed


def measure(compass: Compass, new_agent: Callable[[], Agent]) -> None:
    """All dialogues with one kind of agent."""
    seconds = {"set up": 0.0, "talk": 0.0, "measure": 0.0}
    found = []
    for task in compass.task_ids:
        started = time.process_time()
        dialogue = compass.dialogue(task, derived_seed(0, task, 0, "user"))
        made = time.process_time()
        held = asyncio.run(converse(new_agent(), dialogue, LIMITS))
        talked = time.process_time()
        found.append(compass.measure(held.transcript))
        seconds["set up"] += made - started
        seconds["talk"] += talked - made
        seconds["measure"] += time.process_time() - talked
    times = ", ".join(f"{name} {value:.1f} s" for name, value in seconds.items())
    rates = f"FR {feasibility_rate(found).shown}, OR-5 {optimality_rate(found, 5).shown}"
    effort = sum(one.calls.effort for one in found) / len(found)
    print(f"{new_agent.__name__:14} {times}; {rates}, mean effort {effort:.1f}")  # type: ignore[attr-defined]


def main() -> None:
    """The whole table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--exhaustive", action="store_true", help="also the agent that looks at everything")
    arguments = parser.parse_args()
    compass = Compass(Index(default_catalogue()), default_tasks())
    for new_agent in (FirstFound, CheapestSeen, *((Exhaustive,) if arguments.exhaustive else ())):
        measure(compass, new_agent)


if __name__ == "__main__":
    main()
