"""A COMPASS task: what the user wants, what of it is said at first, and what should be best."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal

from tripgauge.compass.constraints import Constraint, Value, stays_of
from tripgauge.compass.objectives import METRICS, FeatureCount, Objective, SingleMetric
from tripgauge.compass.offers import LAST_DAY, Stay
from tripgauge.errors import UsageError

Level = Literal[1, 2, 3]
"""1: a hotel. 2: a hotel and flights. 3: a hotel, flights and a permit."""

Reveal = Literal["initial", "progressive"]


@dataclass(frozen=True)
class StatedConstraint:
    """A constraint of a task, and when the user tells it."""

    id: str
    constraint: Constraint
    reveal: Reveal
    order: int | None = None
    """Which of the progressive ones it is, counted from 1; None for initial ones."""


@dataclass(frozen=True)
class Task:
    task_id: str
    level: Level
    title: str
    objective: Objective
    constraints: tuple[StatedConstraint, ...]
    backstory: str
    """Who travels and why. Gives away nothing that is to be told later."""

    seed: int

    # -- What it asks for

    def find(self, type_: str) -> Constraint | None:
        """The constraint of a type; None if the task has none."""
        return next((stated.constraint for stated in self.constraints if stated.constraint.type == type_), None)

    @cached_property
    def guests(self) -> int:
        return self._number("guests", 1)

    @property
    def budget_cents(self) -> int | None:
        budget = self.find("budget")
        return budget.value if budget and isinstance(budget.value, int) else None

    @property
    def buffer_days(self) -> int:
        return self._number("permit_buffer_days", 0)

    @cached_property
    def stays(self) -> tuple[Stay, ...]:
        """The check-in and check-out days to choose from; every stay of August if dates are not given."""
        dates = self.find("dates")
        return stays_of(dates.value) if dates else all_stays(range(1, LAST_DAY + 1))

    @property
    def parks(self) -> tuple[str, ...] | None:
        """The parks to choose from; None if any will do."""
        location = self.find("location")
        return tuple(str(name) for name in location.value) if location and isinstance(location.value, tuple) else None

    @property
    def origin(self) -> str | None:
        origin = self.find("origin")
        return str(origin.value) if origin else None

    @property
    def wishes(self) -> tuple[Constraint, ...]:
        return self.objective.wishes if isinstance(self.objective, FeatureCount) else ()

    def _number(self, type_: str, default: int) -> int:
        found = self.find(type_)
        return found.value if found and isinstance(found.value, int) else default

    # -- When it says so

    @property
    def initial(self) -> tuple[StatedConstraint, ...]:
        return tuple(stated for stated in self.constraints if stated.reveal == "initial")

    @property
    def progressive(self) -> tuple[StatedConstraint, ...]:
        """What is told later, in that order."""
        later = (stated for stated in self.constraints if stated.reveal == "progressive")
        return tuple(sorted(later, key=lambda stated: stated.order or 0))

    def revealed(self, count: int) -> "Task":
        """The task as it looks when the first so many progressive constraints are told."""
        return replace(self, constraints=self.initial + self.progressive[:count])

    def relaxed(self, dropped: StatedConstraint) -> "Task":
        """The task without one of its constraints.

        Without dates, any stay of the same lengths will do. The number of guests cannot be dropped.
        """
        if dropped.constraint.type == "guests":
            raise ValueError("How many travel is not for giving up.")
        kept = tuple(stated for stated in self.constraints if stated != dropped)
        if dropped.constraint.type == "dates":
            stays = all_stays(sorted({stay.nights for stay in self.stays}))
            anytime = Constraint("dates", tuple((stay.start, stay.end) for stay in stays))
            kept = (*kept, replace(dropped, constraint=anytime))
        return replace(self, constraints=kept)


def all_stays(lengths: Iterable[int]) -> tuple[Stay, ...]:
    """Every stay in August of these numbers of nights; the last check-out is on the first of September."""
    return tuple(
        Stay(start, start + length)
        for length in lengths
        for start in range(1, LAST_DAY + 1)
        if start + length <= LAST_DAY + 1
    )


# ---------------------------------------------------------------------------------------------------------------
# Task files


def task_to_json(task: Task) -> dict[str, Any]:
    """A task as in task files, with what follows from its constraints spelled out under `search`."""
    metric = task.objective.metric if isinstance(task.objective, SingleMetric) else None
    return {
        "task_id": task.task_id,
        "level": task.level,
        "title": task.title,
        "objective_kind": task.objective.kind,
        "objective": {"metric": metric.name, "direction": "max" if metric.sign == 1 else "min"} if metric else None,
        "wishlist": [{"type": wish.type, "value": wish.value} for wish in task.wishes] or None,
        "search": {
            "parks": task.parks,
            "stays": [{"start": stay.start, "end": stay.end} for stay in task.stays],
            "guests": task.guests,
            "origin": task.origin,
            "budget_cents": task.budget_cents,
        },
        "constraints": [_constraint_to_json(stated) for stated in task.constraints],
        "backstory": task.backstory,
        "seed": task.seed,
    }


def _constraint_to_json(stated: StatedConstraint) -> dict[str, Any]:
    found: dict[str, Any] = {
        "id": stated.id,
        "type": stated.constraint.type,
        "value": stated.constraint.value,
        "reveal": stated.reveal,
    }
    return found if stated.order is None else {**found, "order": stated.order}


def task_from_json(found: Mapping[str, Any]) -> Task:
    """The task of a task file. Raises UsageError, naming the task and what is wrong with it."""
    name = found.get("task_id", "without an id")
    try:
        task = Task(
            task_id=found["task_id"],
            level=found["level"],
            title=found["title"],
            objective=_objective_from_json(found),
            constraints=tuple(_constraint_from_json(stated) for stated in found["constraints"]),
            backstory=found["backstory"],
            seed=found["seed"],
        )
    except KeyError as missing:
        raise UsageError(f"The task {name} has no {missing}.") from None
    except (TypeError, ValueError) as error:
        raise UsageError(f"The task {name} cannot be read: {error}") from None
    if task.level not in (1, 2, 3):
        raise UsageError(f"The task {name} has the level {task.level}; levels are 1, 2 and 3.")
    return task


def _objective_from_json(found: Mapping[str, Any]) -> Objective:
    if found["objective_kind"] == "feature_count":
        return FeatureCount(tuple(Constraint(wish["type"], _value(wish["value"])) for wish in found["wishlist"]))
    name = found["objective"]["metric"]
    if name not in METRICS:
        raise ValueError(f"there is no metric {name!r}; metrics are {', '.join(METRICS)}")
    return SingleMetric(METRICS[name])


def _constraint_from_json(found: Mapping[str, Any]) -> StatedConstraint:
    reveal = found["reveal"]
    if reveal not in ("initial", "progressive"):
        raise ValueError(f"{found['id']} is revealed {reveal!r}, which is neither initial nor progressive")
    return StatedConstraint(found["id"], Constraint(found["type"], _value(found["value"])), reveal, found.get("order"))


def _value(found: Any) -> Value:
    return tuple(_value(item) for item in found) if isinstance(found, list) else found


def task_line(task: Task) -> str:
    """A task as one line of a task file."""
    return json.dumps(task_to_json(task), ensure_ascii=False, separators=(",", ":"))


def read_task_lines(text: str) -> tuple[Task, ...]:
    """The tasks of a task file, one JSON object a line. Raises UsageError for a line that is none."""
    tasks = []
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        try:
            found = json.loads(line)
        except json.JSONDecodeError as error:
            raise UsageError(f"Line {number} of the task file is no JSON: {error}") from None
        if not isinstance(found, dict):
            raise UsageError(f"Line {number} of the task file is no task.")
        tasks.append(task_from_json(found))
    return tuple(tasks)
