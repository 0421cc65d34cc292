"""Grades small plans in the toy town, in edition `strict`."""

from collections.abc import Mapping
from datetime import date, timedelta
from functools import cache

from tripgauge.checks import CheckResult
from tripgauge.toy import town
from tripgauge.trip_plus.feasibility.score import feasibility
from tripgauge.trip_plus.notation.plan_text import parse_plan
from tripgauge.trip_plus.sandbox.files import SandboxFiles, read_sample
from tripgauge.trip_plus.sandbox.store import Sandbox
from tripgauge.trip_plus.tasks.task import TripFrame
from tripgauge.trip_plus.trace.execution import ExecutionTrace
from tripgauge.trip_plus.trace.joining import execution_trace


@cache
def sandbox() -> Sandbox:
    """The town's."""
    return Sandbox.of(SandboxFiles(read_sample(town.data_folder() / "briskhaven")))


def frame(
    days: int = 3, people: int = 2, rooms: int = 1, depart: date = date(2026, 7, 14), mode: str = "train"
) -> TripFrame:
    """From Aldmoor to Briskhaven on Tuesday 14 July 2026, unless said otherwise."""
    return TripFrame("Aldmoor", ("Briskhaven",), depart, depart + timedelta(days - 1), days, people, rooms, mode)


def trace(plan: str, trip: TripFrame | None = None) -> ExecutionTrace:
    """The plan as it would happen."""
    return execution_trace(parse_plan(plan), trip or frame(), sandbox())


def results(plan: str, trip: TripFrame | None = None) -> Mapping[str, CheckResult]:
    """What each check says of the plan."""
    return {result.check: result for result in feasibility(trace(plan, trip)).results}


def score(plan: str, trip: TripFrame | None = None) -> float:
    """Its feasibility."""
    value = feasibility(trace(plan, trip)).score
    return float(value) if value is not None else 0.0


def findings(plan: str, check: str, trip: TripFrame | None = None) -> list[str]:
    """What one check finds wrong with the plan."""
    return [str(finding) for finding in results(plan, trip)[check].findings]


def failed(plan: str, trip: TripFrame | None = None) -> set[str]:
    """The checks that fail."""
    return {check for check, result in results(plan, trip).items() if result.score == 0}
