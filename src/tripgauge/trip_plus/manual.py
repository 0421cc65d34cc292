"""The checks as a list and as pages, made from the checks themselves and from their cases."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from tripgauge.errors import UsageError
from tripgauge.report.table import Table
from tripgauge.trip_plus.case_files import Case, cases_of
from tripgauge.trip_plus.feasibility.dimension import FeasibilityCheck
from tripgauge.trip_plus.feasibility.score import DIMENSIONS, all_checks


@dataclass(frozen=True)
class CheckPage:
    """A check with what it says of some plans."""

    check: FeasibilityCheck
    cases: Sequence[Case]

    def json(self) -> dict[str, object]:
        """For machines."""
        return {
            "id": self.check.id,
            "rule": self.check.rule,
            "dimension": self.check.dimension,
            "sub_score": self.check.sub_score,
            "about": self.check.about.value,
            "source": self.check.source,
            "cases": [
                {"name": case.name, "verdict": case.verdict, "plan": case.plan, "findings": list(case.findings)}
                for case in self.cases
            ],
        }

    def text(self) -> str:
        """For people; Markdown."""
        lines = [f"## {self.check.id}", "", self.check.rule, ""]
        lines.append(f"Part of {self.check.sub_score} in {self.check.dimension}; about {self.check.about}.")
        lines.append(f"Source: {self.check.source}.")
        for case in self.cases:
            lines += ["", f"**{case.verdict}**: {case.name}", "", "```text", case.plan.strip(), "```"]
            lines += [f"- {finding}" for finding in case.findings]
        return "\n".join(lines)


def check_page(check_id: str) -> CheckPage:
    """The page of a check. Raises UsageError if there is none of that id."""
    for check in all_checks():
        if check.id == check_id:
            return CheckPage(check, cases_of(check_id))
    raise UsageError(f"No check {check_id!r}. `tripgauge checks` lists them.")


def checks_tables() -> Sequence[Table]:
    """All checks in the order of Table 11, a table for each dimension."""
    note = "Edition strict. A check about what is neither due nor there does not apply; what is due and absent fails."
    tables = [
        Table(dimension.name, ("check", "rule"), tuple((check.id, check.rule) for check in dimension.checks))
        for dimension in DIMENSIONS
    ]
    return [*tables[:-1], replace(tables[-1], notes=(note,))]


def checks_page() -> str:
    """The text of docs/checks.md."""
    head = [
        "# Checks",
        "",
        "Made from the checks themselves: `make docs`. Every case is a test and plays in the [toy town](toy-town.md).",
        "",
        "A check about a kind of content that is neither due nor there does not apply and leaves the mean. Where that",
        "kind is due and the plan has none of it, every check about it fails.",
        "",
    ]
    return "\n".join(head) + "\n\n".join(check_page(check.id).text() for check in all_checks()) + "\n"
