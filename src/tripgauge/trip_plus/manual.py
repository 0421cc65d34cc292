"""Checks and requirements as lists and as pages, made from themselves and from their cases."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from tripgauge.errors import UsageError
from tripgauge.report.table import Table
from tripgauge.trip_plus.case_files import Case, cases_of
from tripgauge.trip_plus.feasibility.dimension import FeasibilityCheck
from tripgauge.trip_plus.feasibility.score import DIMENSIONS, all_checks
from tripgauge.trip_plus.requirements.kinds import requirement_kinds
from tripgauge.trip_plus.requirements.requirement import HardConstraint, Kind, SoftPreference


@dataclass(frozen=True)
class CheckPage:
    """A check or a kind of requirement with what it says of some plans."""

    id: str
    rule: str
    part: str
    """What it is part of, in words."""

    source: str
    cases: Sequence[Case]

    def json(self) -> dict[str, object]:
        """For machines."""
        return {
            "id": self.id,
            "rule": self.rule,
            "part": self.part,
            "source": self.source,
            "cases": [
                {
                    "name": case.name,
                    "verdict": case.verdict,
                    "plan": case.plan,
                    "requirement": dict(case.requirement),
                    "findings": list(case.findings),
                }
                for case in self.cases
            ],
        }

    def text(self) -> str:
        """For people; Markdown."""
        lines = [f"## {self.id}", "", self.rule, "", f"Part of {self.part}. Source: {self.source}."]
        for case in self.cases:
            asked = ", ".join(f"{name} = {value}" for name, value in case.requirement.items())
            lines += ["", f"**{case.verdict}**: {case.name}{f' ({asked})' if asked else ''}", ""]
            lines += ["```text", case.plan.strip(), "```"]
            lines += ["", *(f"- {finding}" for finding in case.findings)] if case.findings else []
        return "\n".join(lines)


def check_page(check_id: str) -> CheckPage:
    """The page of a check or a kind of requirement. Raises UsageError if there is none of that id."""
    pages = {page.id: page for page in (*feasibility_pages(), *requirement_pages())}
    if check_id not in pages:
        raise UsageError(f"No check {check_id!r}. `tripgauge checks` lists {len(pages)} of them.")
    return pages[check_id]


def feasibility_pages() -> Sequence[CheckPage]:
    """The checks of Table 11, in its order."""
    return [_check_page(check) for check in all_checks()]


def _check_page(check: FeasibilityCheck) -> CheckPage:
    part = f"{check.sub_score} in {check.dimension}; about {check.about}"
    return CheckPage(check.id, check.rule, part, check.source, cases_of(check.id))


def requirement_pages() -> Sequence[CheckPage]:
    """The kinds of requirement, hard constraints first."""
    return [_kind_page(kind) for kind in requirement_kinds()]


def _kind_page(kind: Kind) -> CheckPage:
    part = f"the {_sort(kind)}s about {kind.group.value.replace('_', ' ')}"
    return CheckPage(kind.id, kind.rule, part, kind.source, cases_of(kind.id))


def _sort(kind: Kind) -> str:
    if issubclass(kind.type, HardConstraint):
        return "hard constraint"
    return "soft preference" if issubclass(kind.type, SoftPreference) else "environment condition"


def checks_tables() -> Sequence[Table]:
    """All checks in the order of Table 11, then the kinds of requirement, a table for each sort."""
    tables = [
        Table(dimension.name, ("check", "rule"), tuple((check.id, check.rule) for check in dimension.checks))
        for dimension in DIMENSIONS
    ]
    for sort in ("hard constraint", "soft preference", "environment condition"):
        rows = tuple((kind.id, kind.rule) for kind in requirement_kinds() if _sort(kind) == sort)
        tables.append(Table(f"{sort}s", (sort, "rule"), rows))
    note = "Edition strict. A check about what is neither due nor there does not apply; what is due and absent fails."
    return [*tables[:-1], replace(tables[-1], notes=(note,))]


def checks_page() -> str:
    """The text of docs/checks.md."""
    head = """# Checks

Made from the checks themselves: `make docs`. Every case is a test and plays in the [toy town](toy-town.md).

A check about a kind of content that is neither due nor there does not apply and leaves the mean. Where that
kind is due and the plan has none of it, every check about it fails.
"""
    return "\n".join([head, "\n\n".join(page.text() for page in feasibility_pages()), ""])


def requirements_page() -> str:
    """The text of docs/requirements.md."""
    head = """# Requirements

Made from the requirements themselves: `make docs`. Every case is a test and plays in the [toy town](toy-town.md).

A requirement is a check with parameters that a traveler asked for. It reads the execution trace and nothing else,
and is never met by having nothing to look at: what was asked for and is absent fails.
"""
    return "\n".join([head, "\n\n".join(page.text() for page in requirement_pages()), ""])
