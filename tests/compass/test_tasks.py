"""The 281 tasks: the published mix, every one past its gates, each with a plan that proves it can be solved."""

import json
from collections import Counter
from random import Random

import pytest
from tests.compass.small import task

from tripgauge.compass.catalogue import Catalogue
from tripgauge.compass.constraints import FUNDAMENTALS, Constraint
from tripgauge.compass.defaults import TASKS_DIGEST, default_solutions, digest, find_task, tasks_text
from tripgauge.compass.generation.scenarios import SCENARIOS
from tripgauge.compass.generation.tasks import (
    MOST_PASSING,
    REVELATION_SHARE,
    gates,
    generate_tasks,
    revelation_matters,
    slots,
)
from tripgauge.compass.objectives import FeatureCount, SingleMetric
from tripgauge.compass.solver import Solver, is_feasible
from tripgauge.compass.task import Task, read_task_lines, task_from_json, task_line, task_to_json
from tripgauge.errors import UsageError

# -- The published mix


def test_there_are_281_tasks_with_the_published_crossing(tasks: tuple[Task, ...]):
    crossing = Counter((task.level, task.objective.kind) for task in tasks)

    assert crossing == {
        (1, "single_metric"): 78,
        (1, "feature_count"): 64,
        (2, "single_metric"): 38,
        (2, "feature_count"): 31,
        (3, "single_metric"): 38,
        (3, "feature_count"): 32,
    }
    assert len({task.task_id for task in tasks}) == 281


def test_tasks_have_the_proposed_numbers_of_hard_constraints(tasks: tuple[Task, ...]):
    numbers = Counter(len(task.constraints) for task in tasks)

    assert numbers == {5: 11, 6: 34, 7: 96, 8: 93, 9: 33, 10: 14}
    assert numbers[7] + numbers[8] > 281 / 2


def test_metrics_and_wish_lists_have_the_proposed_frequencies(tasks: tuple[Task, ...]):
    metrics = Counter(task.objective.metric.name for task in tasks if isinstance(task.objective, SingleMetric))
    wishes = Counter(len(task.wishes) for task in tasks if isinstance(task.objective, FeatureCount))

    assert metrics == {
        "price": 44,
        "total_cost": 50,
        "review_score": 22,
        "distance": 16,
        "review_count": 12,
        "drive_time": 10,
    }
    assert wishes == {5: 10, 6: 17, 8: 55, 10: 33, 12: 12}


def test_metrics_stand_at_the_levels_they_are_made_for(tasks: tuple[Task, ...]):
    levels = {(t.objective.metric.name, t.level) for t in tasks if isinstance(t.objective, SingleMetric)}

    assert {level for name, level in levels if name == "price"} == {1}
    assert {level for name, level in levels if name == "total_cost"} == {2, 3}
    assert {level for name, level in levels if name == "drive_time"} == {2}


def test_the_named_sample_tasks_are_among_the_titles(tasks: tuple[Task, ...]):
    titles = {(task.title, task.level, task.objective.kind) for task in tasks}

    assert ("Budget Hiking Trip", 1, "single_metric") in titles
    assert ("Business Luxury Retreat", 1, "feature_count") in titles
    assert ("Airport Drive Time Optimizer", 2, "single_metric") in titles
    assert ("Senior Comfort Tour Maximizer", 3, "feature_count") in titles


def test_what_is_said_at_first_are_the_fundamentals_and_the_origin_of_flights(tasks: tuple[Task, ...]):
    for found in tasks:
        initial = sorted(stated.constraint.type for stated in found.initial)
        assert initial == sorted([*FUNDAMENTALS, *(["origin"] if found.level >= 2 else [])])
        assert [stated.order for stated in found.progressive] == list(range(1, len(found.progressive) + 1))


def test_no_wish_repeats_a_hard_constraint(tasks: tuple[Task, ...]):
    for found in tasks:
        asked = {stated.constraint for stated in found.constraints}
        assert not asked & set(found.wishes), found.task_id
        assert not {c.type for c in asked} & {wish.type for wish in found.wishes}, found.task_id


def test_ids_are_made_of_scenario_number_and_eight_digits(tasks: tuple[Task, ...]):
    scenarios = {scenario.id for scenario in SCENARIOS}

    for found in tasks:
        name, number, word, digits = found.task_id.rsplit("_", 3)
        assert name in scenarios
        assert word == "task"
        assert int(number) >= 1
        assert len(digits) == 8
        assert int(digits, 16) >= 0


def test_stories_do_not_give_away_what_is_told_later(tasks: tuple[Task, ...]):
    for found in tasks:
        story = found.backstory.casefold()
        for later in found.progressive:
            values = later.constraint.value if isinstance(later.constraint.value, tuple) else (later.constraint.value,)
            told = [value for value in values if isinstance(value, str) and value != "hotel"]
            assert not [value for value in told if value.replace("_", " ").casefold() in story], found.task_id
        assert not set("{}") & set(found.backstory)


# -- The gates


def test_every_task_passes_every_gate(tasks: tuple[Task, ...], solver: Solver):
    for found in tasks:
        result = gates(found, solver)
        is_cost = found.objective.is_cost

        assert result.size >= 20, found.task_id
        assert result.passing <= MOST_PASSING[found.objective.kind], found.task_id
        assert result.utilities >= 4, found.task_id
        assert is_cost or not result.cheapest_is_best, found.task_id
        assert result.implied == (), found.task_id


def test_something_stays_feasible_however_much_has_been_told(tasks: tuple[Task, ...], solver: Solver):
    for found in tasks[::7]:
        sizes = [solver.solve(found.revealed(count)).size for count in range(len(found.progressive) + 1)]

        assert sizes == sorted(sizes, reverse=True)
        assert sizes[-1] == solver.solve(found).size >= 20


def test_in_most_tasks_the_first_best_plan_does_not_survive_what_is_told_later(tasks: tuple[Task, ...], solver: Solver):
    later = [found for found in tasks if found.progressive]

    assert sum(revelation_matters(found, solver) for found in later) >= REVELATION_SHARE * len(later)


def test_every_task_comes_with_a_plan_that_reaches_the_optimum(
    tasks: tuple[Task, ...], solver: Solver, catalogue: Catalogue
):
    for found, solution in zip(tasks, default_solutions(), strict=True):
        assert solution.best
        plan = catalogue.plan(solution.best)

        assert plan
        assert solution.task_id == found.task_id
        assert is_feasible(found, plan)
        assert found.objective.utility(plan, found.guests) == solution.optimum
        assert solution == solver.solve(found).solution


def test_the_gates_refuse_a_task_whose_constraint_excludes_nothing(solver: Solver):
    idle = task(
        1,
        "price",
        Constraint("location", ("Zion",)),
        Constraint("dates", ((5, 8),)),
        Constraint("guests", 2),
        Constraint("max_nightly_price", 10_000_000),
    )

    found = gates(idle, solver)

    assert found.implied == ("max_nightly_price",)
    assert not found.passed("single_metric", is_cost=True)


# -- Made again, and others


def test_the_released_tasks_are_what_the_generator_makes(solver: Solver):
    text = "".join(task_line(found) + "\n" for found in generate_tasks(solver, seed=0, count=281))

    assert digest(text) == TASKS_DIGEST
    assert text == tasks_text()


def test_another_seed_makes_other_tasks_with_the_mix_in_proportion(solver: Solver):
    made = generate_tasks(solver, seed=3, count=28)

    assert len({found.task_id for found in made}) == 28
    assert Counter(found.level for found in made) == {1: 14, 2: 7, 3: 7}
    assert made == generate_tasks(solver, seed=3, count=28)


@pytest.mark.parametrize("count", [1, 2, 5, 17, 100, 281, 1000])
def test_any_number_of_tasks_can_be_had(count: int):
    found = slots(count, Random(1))

    assert len(found) == count
    assert all(slot.constraints >= (5 if slot.level == 1 else 6) for slot in found)
    assert all((slot.wishes > 0) == (slot.metric is None) for slot in found)


# -- Task files


def test_task_lines_round_trip(tasks: tuple[Task, ...]):
    assert read_task_lines("".join(task_line(found) + "\n" for found in tasks)) == tasks


def test_a_task_line_spells_out_what_is_searched(tasks: tuple[Task, ...]):
    found = json.loads(task_line(next(found for found in tasks if found.level == 3)))

    assert found["search"]["guests"] >= 1
    assert found["search"]["origin"]
    assert all(stay["start"] < stay["end"] <= 31 for stay in found["search"]["stays"])
    assert found["search"]["budget_cents"] % 1000 == 0


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"level": 4}, "level 4"),
        ({"title": None, "constraints": [{"id": "c1"}]}, "reveal"),
        ({"objective_kind": "single_metric", "objective": {"metric": "fun"}}, "no metric 'fun'"),
        ({"constraints": [{"id": "c1", "type": "has_moat", "value": True, "reveal": "initial"}]}, "has_moat"),
        ({"constraints": [{"id": "c1", "type": "guests", "value": 2, "reveal": "never"}]}, "never"),
        ({"constraints": None}, "cannot be read"),
    ],
)
def test_a_task_that_cannot_be_read_is_named_with_its_fault(
    change: dict[str, object], words: str, tasks: tuple[Task, ...]
):
    found = {**task_to_json(tasks[0]), **change}

    with pytest.raises(UsageError, match=f"{tasks[0].task_id}.*{words}"):
        task_from_json(json.loads(json.dumps(found)))


def test_a_line_that_is_no_json_is_named_by_its_number(tasks: tuple[Task, ...]):
    with pytest.raises(UsageError, match="Line 2"):
        read_task_lines(task_line(tasks[0]) + "\nnot json\n")


def test_the_beginning_of_an_id_is_enough_if_it_is_the_only_one(tasks: tuple[Task, ...]):
    assert find_task(tasks, tasks[5].task_id.rpartition("_task_")[0]) is tasks[5]
    assert find_task(tasks, "budget_hiking_trip_1").task_id.startswith("budget_hiking_trip_1_task_")
    with pytest.raises(UsageError, match="beginning of"):
        find_task(tasks, "budget_hiking_trip")
    with pytest.raises(UsageError, match="tripgauge tasks compass"):
        find_task(tasks, "nowhere")
