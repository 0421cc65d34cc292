"""Agents without a model: what they find through talk and tools alone."""

import asyncio
import json
import sys

import pytest
from tests.compass.talking import PINE_INN_CHEAP, talk, toy_compass, toy_task

from tripgauge.compass import agents
from tripgauge.compass.agents import CheapestSeen, Exhaustive, FirstFound, Wanted
from tripgauge.compass.benchmark import LIMITS, Compass
from tripgauge.compass.constraints import Constraint
from tripgauge.compass.defaults import default_catalogue, default_tasks
from tripgauge.compass.index import Index
from tripgauge.compass.objectives import FeatureCount
from tripgauge.conversation import Agent, Transcript, converse, derived_seed


def held(compass: Compass, agent: Agent, task: str, seed: int = 0) -> Transcript:
    dialogue = compass.dialogue(task, derived_seed(seed, task, 0, "user"))
    return asyncio.run(converse(agent, dialogue, LIMITS, seed=seed)).transcript


@pytest.fixture(scope="module")
def compass() -> Compass:
    return Compass(Index(default_catalogue()), default_tasks())


def misses(compass: Compass, every: int) -> list[str]:
    """The tasks in which the exhaustive agent is not in the top 5 percent."""
    tasks = compass.task_ids[::every]
    return [task for task in tasks if not compass.score(held(compass, Exhaustive(), task)).is_top(5)]


def test_looking_at_everything_finds_the_best_of_every_twelfth_task(compass: Compass) -> None:
    assert misses(compass, every=12) == []


@pytest.mark.slow
def test_looking_at_everything_gets_or_5_on_all_281_tasks_through_tools_and_dialogue_alone(compass: Compass) -> None:
    assert misses(compass, every=1) == []


def test_looking_at_everything_finds_the_optimum_itself(compass: Compass) -> None:
    gaps = {task: compass.score(held(compass, Exhaustive(), task, seed=3)).gap for task in compass.task_ids[5::60]}

    assert set(gaps.values()) == {0}


def test_taking_the_first_stays_far_below(compass: Compass) -> None:
    scores = [compass.score(held(compass, FirstFound(), task)) for task in compass.task_ids[::9]]

    assert sum(score.is_feasible for score in scores) / len(scores) < 0.4
    assert sum(score.is_top(5) for score in scores) / len(scores) < 0.2


def test_the_cheapest_is_between_the_two(compass: Compass) -> None:
    tasks = compass.task_ids[::9]
    first, cheapest = (
        sum(compass.score(held(compass, new(), task)).is_feasible for task in tasks)
        for new in (FirstFound, CheapestSeen)
    )

    assert first < cheapest < len(tasks)


def test_what_was_asked_once_is_not_asked_again(compass: Compass) -> None:
    transcript = held(compass, Exhaustive(), compass.task_ids[0])
    signatures = [use.signature for turn in transcript.turns for use in turn.tool_uses]

    assert len(signatures) == len(set(signatures))
    assert None not in signatures


def test_every_id_is_validated_before_it_is_recommended(compass: Compass) -> None:
    for new in (FirstFound, CheapestSeen, Exhaustive):
        assert compass.measure(held(compass, new(), compass.task_ids[200])).unvalidated == 0


def test_in_the_toy_park_the_cheapest_is_found() -> None:
    transcript = talk(toy_compass(toy_task()), CheapestSeen())

    assert json.loads(transcript.turns[-1].answer)["recommendation"] == {"hotel": [PINE_INN_CHEAP]}
    assert transcript.goodbye == "accepted"


def test_where_nothing_will_do_they_say_so() -> None:
    task = toy_task(more=(Constraint("has_spa", True),))

    transcript = talk(toy_compass(task), Exhaustive())

    assert all(turn.mode == "message" for turn in transcript.turns)
    assert transcript.goodbye == "turn_limit"


def test_what_was_heard_is_put_together_over_several_turns() -> None:
    wanted = Wanted.heard(
        [
            "Find a hotel and flights for us. We visit Toy. We are 2 travelers, with no more rooms than we need."
            " I want as many as possible of these 1: the hotel has a spa.",
            "Now also: our hotel has a pool. And everything costs at most $900.",
        ]
    )

    assert (wanted.level, wanted.parks, wanted.guests, wanted.budget_cents) == (2, ("Toy",), 2, 90_000)
    assert wanted.objective == FeatureCount((Constraint("has_spa", True),))
    assert Constraint("has_pool", True) in wanted.constraints


def test_they_know_neither_tasks_nor_solver_nor_the_user() -> None:
    known = {name for name in vars(agents) if not name.startswith("_")}

    assert not known & {"Task", "Solver", "Decisions", "Compass", "Catalogue", "Index"}
    assert "tripgauge.compass.agents" in sys.modules
