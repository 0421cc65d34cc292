"""Feasibility as the published evaluator scores it: 22 checks, nine sub-scores, three dimensions. (Trip+ Table 11)"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from tripgauge.trip_plus.release import evidence, operability, structure
from tripgauge.trip_plus.release.index import ReleaseIndex
from tripgauge.trip_plus.release.joined import JoinedPlan, join
from tripgauge.trip_plus.release.plan import ConvertedPlan, read_plan
from tripgauge.trip_plus.release.primitives import JsonObject, ReleaseMeta

CheckFunction = Callable[[JoinedPlan], Iterator[str]]


@dataclass(frozen=True, slots=True)
class FeasibilityCheck:
    """One of the 22 checks with its place in the score."""

    dimension: str
    subdimension: str
    function: CheckFunction

    @property
    def id(self) -> str:
        """The published id."""
        return self.function.__name__


def _checks(dimension: str, **subdimensions: tuple[CheckFunction, ...]) -> Iterator[FeasibilityCheck]:
    for subdimension, functions in subdimensions.items():
        for function in functions:
            yield FeasibilityCheck(dimension, subdimension, function)


FEASIBILITY_CHECKS: tuple[FeasibilityCheck, ...] = (
    *_checks(
        "structure_completeness",
        valid_trip_duration=(structure.valid_trip_duration,),
        route_and_stay_continuity=(
            structure.closed_loop_route_structure,
            structure.seamless_intercity_transfers,
            structure.day_boundary_continuity,
            structure.traceable_accommodation,
            structure.ends_with_accommodation,
        ),
        daily_content_coverage=(structure.essential_meal_coverage, structure.essential_attraction_coverage),
    ),
    *_checks(
        "evidence_validity",
        poi_grounding_valid=(
            evidence.validated_accommodation,
            evidence.validated_attractions,
            evidence.validated_meals,
        ),
        transport_grounding_valid=(evidence.validated_transportation, evidence.local_move_sanity),
    ),
    *_checks(
        "execution_operability",
        time_and_transfer_feasible=(operability.no_time_overlaps, operability.reasonable_transfer_time),
        venue_and_duration_feasible=(
            operability.attraction_visit_within_opening_hours,
            operability.dining_within_service_hours,
            operability.avoidance_of_closure_days,
            operability.reasonable_duration_at_attractions,
            operability.reasonable_meal_duration,
        ),
        intercity_buffer_feasible=(operability.intercity_buffer_adequacy,),
        budget_arithmetic_feasible=(operability.cost_calculation_correctness,),
    ),
)
"""Every check in the order of the table."""


@dataclass(frozen=True, slots=True)
class FeasibilityResult:
    """What the 22 checks say of a plan, and the scores that follow."""

    checks: Mapping[str, bool]
    """Passed or failed, by id."""
    reasons: Mapping[str, tuple[str, ...]]
    """What is wrong, by id of a failed check."""
    subdimensions: Mapping[str, float]
    dimensions: Mapping[str, float]
    score: float
    """Sum of a third of each dimension, unrounded."""

    @property
    def passed(self) -> int:
        """How many checks passed."""
        return len(self.checks) - len(self.reasons)

    @property
    def total(self) -> int:
        """How many checks there are."""
        return len(self.checks)

    @property
    def strict(self) -> int:
        """1 if every check passed, else 0."""
        return int(not self.reasons)


def evaluate_feasibility(plan: JsonObject, meta: ReleaseMeta, index: ReleaseIndex) -> FeasibilityResult:
    """Whether the converted plan can be carried out in the sandbox. Without any day, every check fails."""
    return feasibility_of(read_plan(plan), meta, index)


def feasibility_of(plan: ConvertedPlan, meta: ReleaseMeta, index: ReleaseIndex) -> FeasibilityResult:
    """The same for a plan that has been read already."""
    trip = join(plan, meta, index)
    reasons: dict[str, tuple[str, ...]] = {}
    for check in FEASIBILITY_CHECKS:
        faults = tuple(check.function(trip)) if plan.days else ("the plan has no days",)
        if faults:
            reasons[check.id] = faults
    checks = {check.id: check.id not in reasons for check in FEASIBILITY_CHECKS}
    subdimensions = {
        name: sum(checks[check_id] for check_id in ids) / len(ids) for name, ids in _ids_by_subdimension().items()
    }
    dimensions = {
        name: _mean(subdimensions[part] for part in parts) for name, parts in _subdimensions_by_dimension().items()
    }
    score = 0.0
    for value in dimensions.values():
        score += value * (1 / 3)
    return FeasibilityResult(checks, reasons, subdimensions, dimensions, score)


def _mean(values: Iterable[float]) -> float:
    # Added from left to right, as the published sum is: newer Pythons compensate in `sum`.
    total, count = 0.0, 0
    for value in values:
        total += value
        count += 1
    return total / count


@cache
def _ids_by_subdimension() -> Mapping[str, tuple[str, ...]]:
    grouped: dict[str, tuple[str, ...]] = {}
    for check in FEASIBILITY_CHECKS:
        grouped[check.subdimension] = (*grouped.get(check.subdimension, ()), check.id)
    return grouped


@cache
def _subdimensions_by_dimension() -> Mapping[str, tuple[str, ...]]:
    grouped: dict[str, dict[str, None]] = {}
    for check in FEASIBILITY_CHECKS:
        grouped.setdefault(check.dimension, {})[check.subdimension] = None
    return {dimension: tuple(parts) for dimension, parts in grouped.items()}
