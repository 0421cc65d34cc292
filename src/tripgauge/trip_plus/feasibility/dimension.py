"""How a feasibility check is written, and how checks make up the score. (Trip+ B.2, Table 11)

A check is a function that asks one thing of one item of the trace. What it is `about` decides the rest: where that
kind of content is neither due nor there, the check does not apply; where it is due and the plan has none of it, the
check fails, since nothing of it can be carried out. Content that a check can only judge by the clock has a kind of its
own, of lines with a time that can be read.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, TypeVar

from tripgauge.checks import CheckResult, Finding, GroupScore, grouped
from tripgauge.trip_plus.trace.execution import Content, ExecutionTrace


@dataclass(frozen=True, slots=True)
class FeasibilityCheck:
    """One atomic check of Table 11."""

    id: str
    rule: str
    """What it asks, said positively."""

    dimension: str
    sub_score: str
    about: Content
    each: Callable[[ExecutionTrace], Iterable[Any]]
    find: Callable[[Any], Iterator[Finding]]

    source: str = "Trip+ Table 11"

    def run(self, trace: ExecutionTrace) -> CheckResult:
        """Ask it of every item of the trace."""
        if not trace.has(self.about):
            absent = trace.absent(self.about)
            return CheckResult(self.id, applicable=bool(absent), findings=absent)
        asked = 0
        findings: list[Finding] = []
        for item in self.each(trace):
            asked += 1
            findings.extend(self.find(item))
        return CheckResult(self.id, applicable=bool(asked or findings), findings=tuple(findings))


Item = TypeVar("Item")


class Dimension:
    """One of the three dimensions, with its checks in order."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.checks: list[FeasibilityCheck] = []

    def check(
        self, sub_score: str, *, about: Content, each: Callable[[ExecutionTrace], Iterable[Item]]
    ) -> Callable[[Callable[[Item], Iterator[Finding]]], Callable[[Item], Iterator[Finding]]]:
        """Make the function below a check: its name is the id, its docstring the rule."""

        def register(find: Callable[[Item], Iterator[Finding]]) -> Callable[[Item], Iterator[Finding]]:
            rule = " ".join((find.__doc__ or "").split())
            self.checks.append(FeasibilityCheck(find.__name__, rule, self.name, sub_score, about, each, find))
            return find

        return register

    def score(self, trace: ExecutionTrace) -> GroupScore:
        """The mean of the sub-scores, each the mean of its checks."""
        by_sub_score: dict[str, list[CheckResult]] = {}
        for check in self.checks:
            by_sub_score.setdefault(check.sub_score, []).append(check.run(trace))
        return grouped(self.name, tuple(grouped(name, tuple(results)) for name, results in by_sub_score.items()))
