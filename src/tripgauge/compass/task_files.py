"""Task files: read, and held against the catalogue, so that no run begins with a task that cannot be right. (R13)

Every fault is one line that names the file, the line and the field. Reading stops at the first; `data check` lists all.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tripgauge.codec import read_text, shown
from tripgauge.compass.catalogue import Catalogue, Table
from tripgauge.compass.constraints import FUNDAMENTALS, Constraint, Shape
from tripgauge.compass.filters import Comparison, Component
from tripgauge.compass.objectives import SingleMetric
from tripgauge.compass.offers import WEEKDAYS
from tripgauge.compass.task import Task, task_from_json, task_to_json
from tripgauge.errors import UsageError

TEXTS = ("task_id", "title", "backstory")
"""Fields of a task that hold a text."""

AT_LEAST_ONE = ("guests", "budget", "room_occupancy", "permit_days")
"""Types of constraints whose number is 1 or more; other numbers are 0 or more."""

CLOCK = re.compile(r"([01]\d|2[0-3]):[0-5]\d")


@dataclass(frozen=True)
class TaskFault:
    """What is wrong with a line of a task file."""

    where: str
    """File, line and field."""

    reason: str

    def __str__(self) -> str:
        return f"{self.where}: {self.reason}"


def read_tasks(path: Path, catalogue: Catalogue) -> tuple[Task, ...]:
    """The tasks of a task file. Raises UsageError for the first thing that is wrong with it."""
    tasks, faults = _read(read_text(path), str(path), catalogue)
    if faults:
        more = f" ({len(faults) - 1} more: tripgauge data check {path})" if len(faults) > 1 else ""
        raise UsageError(f"{faults[0]}{more}")
    return tasks


def task_faults(path: Path, catalogue: Catalogue) -> tuple[TaskFault, ...]:
    """Everything that is wrong with a task file. Raises UsageError if there is no such file."""
    return _read(read_text(path), str(path), catalogue)[1]


def is_task_file(path: Path) -> bool:
    """Whether a file is one of COMPASS tasks, sound or not: JSON lines that speak of an objective."""
    return path.suffix == ".jsonl" and path.is_file() and '"objective_kind"' in read_text(path)


def _read(text: str, where: str, catalogue: Catalogue) -> tuple[tuple[Task, ...], tuple[TaskFault, ...]]:
    lines: dict[str, int] = {}
    tasks: list[Task] = []
    faults: list[TaskFault] = []
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        place = f"{where}, line {number}"
        task, found = _read_line(line, place, catalogue)
        faults += found
        if task is None:
            continue
        if task.task_id in lines:
            faults.append(TaskFault(f"{place}, task_id", f"{task.task_id} is on line {lines[task.task_id]} already."))
        lines.setdefault(task.task_id, number)
        tasks.append(task)
    if not tasks and not faults:
        faults.append(TaskFault(where, "holds no task."))
    return tuple(tasks), tuple(faults)


def _read_line(line: str, where: str, catalogue: Catalogue) -> tuple[Task | None, list[TaskFault]]:
    try:
        found = json.loads(line)
    except json.JSONDecodeError as error:
        return None, [TaskFault(f"{where}, column {error.colno}", f"not JSON ({error.msg}).")]
    if not isinstance(found, dict):
        return None, [TaskFault(where, f"a task is a JSON object, but this is {shown(found)}.")]
    wrong = [TaskFault(f"{where}, {field}", reason) for field, reason in _shapes(found)]
    if wrong:
        return None, wrong
    try:
        task = task_from_json(found)
    except UsageError as error:
        return None, [TaskFault(where, str(error))]
    return task, [TaskFault(f"{where}, {field}", reason) for field, reason in _contents(found, task, catalogue)]


Faults = Iterator[tuple[str, str]]
"""Fields, and what is wrong with them."""


# -- Before it is a task


def _shapes(found: Mapping[str, Any]) -> Faults:
    """Fields that are missing or hold something of the wrong kind."""
    for name in TEXTS:
        if not isinstance(found.get(name), str) or (name == "task_id" and not found[name].strip()):
            yield name, _demand("a text", found, name)
    if type(found.get("level")) is not int or found["level"] not in (1, 2, 3):
        yield "level", _demand("1, 2 or 3", found, "level")
    if type(found.get("seed")) is not int:
        yield "seed", _demand("a whole number", found, "seed")
    match found.get("objective_kind"):
        case "single_metric":
            if not isinstance(found.get("objective"), dict) or "metric" not in found["objective"]:
                yield "objective", _demand("an object with a metric", found, "objective")
        case "feature_count":
            yield from _statements(found, "wishlist", ("type",))
        case _:
            yield "objective_kind", _demand("single_metric or feature_count", found, "objective_kind")
    yield from _statements(found, "constraints", ("id", "type"))


def _statements(found: Mapping[str, Any], field: str, texts: Sequence[str]) -> Faults:
    """A list of objects, each with a value and some texts."""
    statements = found.get(field)
    if not isinstance(statements, list):
        yield field, _demand("a list", found, field)
        return
    for place, stated in enumerate(statements):
        where = f"{field}[{place}]"
        if not isinstance(stated, dict):
            yield where, f"should be an object, but is {shown(stated)}."
            continue
        for name in texts:
            if not isinstance(stated.get(name), str):
                yield f"{where}.{name}", _demand("a text", stated, name)
        if "value" not in stated:
            yield f"{where}.value", "is missing."
        if "id" in texts and stated.get("reveal") not in ("initial", "progressive"):
            yield f"{where}.reveal", _demand("initial or progressive", stated, "reveal")
        if stated.get("order") is not None and type(stated["order"]) is not int:
            yield f"{where}.order", _demand("a whole number", stated, "order")


def _demand(what: str, found: Mapping[str, Any], name: str) -> str:
    return f"should be {what}, but is {shown(found[name])}." if name in found else "is missing."


# -- As a task


def _contents(found: Mapping[str, Any], task: Task, catalogue: Catalogue) -> Faults:
    yield from _missing(task)
    yield from _repeated(task)
    yield from _orders(task)
    for place, stated in enumerate(task.constraints):
        yield from _constraint(f"constraints[{place}]", stated.constraint, task, catalogue)
    for place, wish in enumerate(task.wishes):
        yield from _constraint(f"wishlist[{place}]", wish, task, catalogue)
    yield from _objective(found, task)
    yield from _search(found, task)


def _missing(task: Task) -> Faults:
    needed = (*FUNDAMENTALS, *(["origin"] if task.level >= 2 else []))
    for type_ in needed:
        if task.find(type_) is None:
            yield "constraints", f"there is none of the type {type_}, which every task of level {task.level} has."


def _repeated(task: Task) -> Faults:
    ids = Counter(stated.id for stated in task.constraints)
    types = Counter(stated.constraint.type for stated in task.constraints)
    yield from (("constraints", f"the id {name} is there {count} times.") for name, count in ids.items() if count > 1)
    for name, count in types.items():
        if count > 1:
            yield "constraints", f"the type {name} is there {count} times."


def _orders(task: Task) -> Faults:
    """What is told later is numbered from 1 without gaps; what is told at first has no number."""
    for place, stated in enumerate(task.constraints):
        if stated.reveal == "initial" and stated.order is not None:
            yield f"constraints[{place}].order", f"is {stated.order}, but {stated.id} is told at first."
    orders = [stated.order for stated in task.progressive]
    if orders != list(range(1, len(orders) + 1)):
        numbers = ", ".join("none" if order is None else str(order) for order in orders)
        yield "constraints", f"what is told later should be numbered from 1 to {len(orders)}, but has: {numbers}."


def _constraint(where: str, constraint: Constraint, task: Task, catalogue: Catalogue) -> Faults:
    if constraint.kind.level > task.level:
        yield (
            f"{where}.type",
            f"{constraint.type} needs level {constraint.kind.level}; the task has level {task.level}.",
        )
    if constraint.kind.shape is Shape.NUMBER and isinstance(constraint.value, int):
        least = 1 if constraint.type in AT_LEAST_ONE else 0
        if constraint.value < least:
            yield f"{where}.value", f"{constraint.type} is {constraint.value}; it should be at least {least}."
        return
    for asked in constraint.filters(guests=1):
        texts = [operand for operand in asked.operands if isinstance(operand, str)]
        if asked.comparison in (Comparison.AT_LEAST, Comparison.AT_MOST):
            wrong = [text for text in texts if not CLOCK.fullmatch(text)]
            yield from ((f"{where}.value", f"{text!r} is no time of day such as 09:30.") for text in wrong)
        elif texts:
            known = _known(asked.attribute.component, asked.attribute.name, constraint.type, catalogue)
            for text in texts:
                if text not in known:
                    yield f"{where}.value", f"{text!r} is no {constraint.type} of the catalogue."


def _known(component: Component, name: str, type_: str, catalogue: Catalogue) -> frozenset[str]:
    """The texts an attribute has in the catalogue."""
    if type_ == "origin":
        return frozenset(airport.code for airport in catalogue.airports.rows() if airport.is_origin)
    if component is Component.PERMIT_OFFER:
        return frozenset(WEEKDAYS)
    tables: dict[Component, Table[Any]] = {
        Component.PARK: catalogue.parks,
        Component.HOTEL: catalogue.hotels,
        Component.ROOM: catalogue.rooms,
        Component.CONFIG: catalogue.configs,
        Component.FLIGHT: catalogue.flights,
        Component.AIRPORT: catalogue.airports,
        Component.PERMIT: catalogue.permits,
    }
    return frozenset(tables[component].words(name).words)


def _objective(found: Mapping[str, Any], task: Task) -> Faults:
    if not isinstance(task.objective, SingleMetric):
        return
    metric = task.objective.metric
    if task.level not in metric.levels:
        yield "objective.metric", f"{metric.name} is no metric of level {task.level}."
    direction = task_to_json(task)["objective"]["direction"]
    if found["objective"].get("direction", direction) != direction:
        yield "objective.direction", f"should be {direction!r}, but is {shown(found['objective']['direction'])}."


def _search(found: Mapping[str, Any], task: Task) -> Faults:
    """`search` repeats what the constraints say: it may be left out, but not contradict them."""
    stated = found.get("search")
    if stated is None:
        return
    expected: dict[str, Any] = json.loads(json.dumps(task_to_json(task)["search"]))
    if not isinstance(stated, dict):
        yield "search", f"should be an object, but is {shown(stated)}."
        return
    for name, value in expected.items():
        if name not in stated or stated[name] != value:
            given = shown(stated[name]) if name in stated else "missing"
            yield f"search.{name}", f"is {given}, but the constraints say {shown(value)}."
    yield from ((f"search.{name}", "there is no such field.") for name in stated if name not in expected)
