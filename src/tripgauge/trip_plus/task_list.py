"""The tasks as a list, and one task as an agent sees it."""

from tripgauge.report.table import Table
from tripgauge.trip_plus.benchmark import TripPlus
from tripgauge.trip_plus.task import Brief, Task

COLUMNS = ("task", "archetype", "turns", "from", "to", "days", "depart", "people", "sandbox")


def tasks_table(trip_plus: TripPlus) -> Table:
    """All tasks. What is right of an answer is not in it."""
    rows = tuple(_row(task, trip_plus.has_world(task)) for task in trip_plus.tasks.values())
    turns = sum(len(task.key.states) for task in trip_plus.tasks.values())
    return Table("Trip+ tasks", COLUMNS, rows, (f"{len(rows)} tasks, {turns} turns.",))


def _row(task: Task, has_world: bool) -> tuple[str | int, ...]:
    frame = task.brief.frame
    return (
        task.task_id,
        task.key.archetype.value.replace("_", " "),
        len(task.key.states),
        frame.origin,
        ", ".join(frame.destinations),
        frame.days,
        str(frame.depart),
        frame.people,
        "yes" if has_world else "missing",
    )


def brief_text(brief: Brief) -> str:
    """What an agent sees of a task, all turns in a row."""
    frame = brief.frame
    cities = ", ".join(frame.destinations)
    lines = [
        f"{brief.task_id}: {frame.origin} to {cities}, {frame.depart} to {frame.return_}, "
        f"{frame.people} people, {frame.rooms} rooms",
        "",
    ]
    for turn, utterance in enumerate(brief.utterances):
        lines += [f"Turn {turn}: {utterance}", ""]
    return "\n".join(lines).rstrip()
