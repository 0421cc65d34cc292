"""The feasibility score of a plan, edition `strict`. (Trip+ B.2, Table 11)"""

from collections.abc import Sequence

from tripgauge.checks import CheckResult, GroupScore, grouped
from tripgauge.trip_plus.feasibility.dimension import Dimension, FeasibilityCheck
from tripgauge.trip_plus.feasibility.evidence import evidence
from tripgauge.trip_plus.feasibility.operability import operability
from tripgauge.trip_plus.feasibility.structure import structure
from tripgauge.trip_plus.trace.execution import ExecutionTrace

DIMENSIONS: Sequence[Dimension] = (structure, evidence, operability)


def all_checks() -> Sequence[FeasibilityCheck]:
    """Every check in the order of Table 11."""
    return [check for dimension in DIMENSIONS for check in dimension.checks]


def feasibility(trace: ExecutionTrace) -> GroupScore:
    """The mean of three dimensions of sub-scores of checks; what does not apply is left out at each level."""
    return grouped("feasibility", tuple(dimension.score(trace) for dimension in DIMENSIONS))


def check_results(score: GroupScore) -> dict[str, CheckResult]:
    """The result of each check by its id."""
    return {result.check: result for result in score.results}
