"""The tasks as a list, and one task as an agent sees it."""

from tripgauge.report.table import Table, counted
from tripgauge.trip_plus.benchmark import TripPlus
from tripgauge.trip_plus.tasks.task import Archetype, Brief, Task

SHORT_NAMES = {
    Archetype.USER_STATE_EVOLUTION: "evolution",
    Archetype.REQUEST_RESOLUTION: "resolution",
    Archetype.ENVIRONMENT_DRIVEN: "environment",
    Archetype.LONG_HORIZON: "horizon",
}
"""Archetypes as the paper's tables head them."""

COLUMNS = ("task", "archetype", "turns", "route", "days", "depart", "party")


def tasks_table(trip_plus: TripPlus) -> Table:
    """All tasks. What is right of an answer is not in it."""
    rows = tuple(_row(task) for task in trip_plus.tasks.values())
    turns = sum(len(task.key.states) for task in trip_plus.tasks.values())
    known = sum(trip_plus.has_world(task) for task in trip_plus.tasks.values())
    note = f"{counted(len(rows), 'task')}, {counted(turns, 'turn')}; the data hold the sandbox of {known} of them."
    return Table("Trip+ tasks", COLUMNS, rows, (note,))


def _row(task: Task) -> tuple[str | int, ...]:
    frame = task.brief.frame
    return (
        task.task_id,
        SHORT_NAMES[task.key.archetype],
        len(task.key.states),
        f"{frame.origin}-{', '.join(frame.destinations)}",
        frame.days,
        str(frame.depart),
        frame.people,
    )


def brief_text(brief: Brief) -> str:
    """What an agent sees of a task, all turns in a row."""
    frame = brief.frame
    cities = ", ".join(frame.destinations)
    lines = [
        f"{brief.task_id}: {frame.origin} to {cities}, {frame.depart} to {frame.return_}, "
        f"{counted(frame.people, 'person', 'people')}, {counted(frame.rooms, 'room')}",
        "",
    ]
    for turn, utterance in enumerate(brief.utterances):
        lines += [f"Turn {turn}: {utterance}", ""]
    return "\n".join(lines).rstrip()
