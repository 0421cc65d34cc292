"""What an attentive user finds wrong with a recommendation: only what was told before counts (spec 9.3, step 2)."""

from collections.abc import Iterator, Sequence

from tripgauge.compass.catalogue import Catalogue
from tripgauge.compass.constraints import Constraint, Scalar, dollars, find_uncoupled
from tripgauge.compass.offers import TravelPlan
from tripgauge.compass.orders import Complaint
from tripgauge.compass.recommendation import COMPONENTS, Recommendation, options
from tripgauge.compass.task import StatedConstraint, Task


def complaints(
    task: Task, known: Sequence[StatedConstraint], recommendation: Recommendation, catalogue: Catalogue
) -> tuple[Complaint, ...]:
    """What is wrong with a recommendation by the constraints known so far; nothing if one of its hotels will do.

    Where several hotels are offered and none will do, it is the first that is complained about.
    """
    offered = options(recommendation, task.level)
    if offered.missing:
        return tuple(Complaint("", f"there is no {component} in it") for component in offered.missing)
    found = []
    for place, choice in enumerate(offered.choices):
        plan = catalogue.plan(choice) if choice else None
        ids = recommendation.hotel[place : place + 1] if task.level == 1 else _first_ids(recommendation, task.level)
        wrong = tuple(_wrong(task, known, plan)) if plan else (Complaint("", _no_such(ids)),)
        if not wrong:
            return ()
        found.append(wrong)
    return found[0]


def _first_ids(recommendation: Recommendation, level: int) -> tuple[str, ...]:
    return tuple(recommendation.ids(component)[0] for component in COMPONENTS[:level])


def _no_such(ids: Sequence[str]) -> str:
    return f"there is nothing to be found under {' + '.join(text[:60] for text in ids)}"


def _wrong(task: Task, known: Sequence[StatedConstraint], plan: TravelPlan) -> Iterator[Complaint]:
    for finding in find_uncoupled(plan, task.level):
        yield Complaint("", finding.reason)
    for stated in known:
        if not stated.constraint.holds(plan, task.guests):
            yield Complaint(stated.id, observed(stated.constraint, plan, task.guests))


def observed(constraint: Constraint, plan: TravelPlan, guests: int) -> str:
    """What a plan has where it breaks a constraint, as a clause."""
    broken = [asked.attribute for asked in constraint.filters(guests) if not asked.holds(plan)]
    if broken:
        return " and ".join(_is(attribute.name, attribute.of(plan)) for attribute in broken)
    return " and ".join(finding.reason for finding in constraint.find(plan, guests))


_NAMES = {
    "name": "the park",
    "entrance_km_x100": "the distance to the entrance in km",
    "drive_hours_x100": "the drive in hours",
    "dearest_night_cents": "the dearest night",
    "max_occupancy": "the number of guests a room sleeps",
    "bed_count": "the number of beds",
    "longest_minutes": "the longer flight in minutes",
    "earliest_depart": "the earliest departure",
    "latest_arrive": "the latest arrival",
    "template_name": "the permit",
    "kind": "the kind of permit",
    "days": "the length of the permit in days",
    "start_weekday": "the first day of the permit",
}


def _is(attribute: str, value: Scalar | None) -> str:
    if isinstance(value, bool):
        return "that is not so"
    name = _NAMES.get(attribute) or "the " + attribute.removesuffix("_x10").removesuffix("_type").replace("_", " ")
    if value is None:
        return f"{name} is not known"
    if isinstance(value, str):
        return f"{name} is {value.replace('_', ' ')}"
    if attribute.endswith("_cents"):
        return f"{name} is {dollars(value)}"
    scale = 10 if attribute.endswith("_x10") else 100 if attribute.endswith("_x100") else 1
    return f"{name} is {value / scale:g}"
