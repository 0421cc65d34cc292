"""What `tripgauge data check`, `data rules` and `data fetch` do, as plain functions: the command line only mounts them.

Each `..._json` gives what `--json` prints, each `..._view` what a person sees.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from tripgauge.codec import encode
from tripgauge.report.table import Table, counted
from tripgauge.trip_plus.data.check import DataReport, RuleListing, check_data, rules
from tripgauge.trip_plus.data.fetch import Fetched, fetch_trip_plus
from tripgauge.trip_plus.data.rules.rule import Contradiction, Severity

COLORS = {Severity.ERROR: "red", Severity.WARNING: "yellow"}
DEFAULT_DEST = Path("data/trip-plus")
SHOWN_PER_RULE = 5


# --- tripgauge data check PATH ---------------------------------------------------------------------------------------


def check(path: Path, sandboxes: Path | None = None) -> DataReport:
    """Check a query file, a sandbox or city folder, or a folder of any of them. Raises UsageError for nothing there."""
    return check_data(path, sandboxes)


def check_exit_code(report: DataReport, *, strict: bool = False) -> int:
    """1 if there are errors, with `strict` also for warnings; else 0."""
    return int(bool(report.count(Severity.ERROR) or (strict and report.contradictions)))


def check_json(report: DataReport) -> dict[str, Any]:
    """Everything that was found, and how much was looked at."""
    return {
        "tasks": report.tasks,
        "sandboxes": report.sandboxes,
        "cities": report.cities,
        "errors": report.count(Severity.ERROR),
        "warnings": report.count(Severity.WARNING),
        "contradictions": encode(report.contradictions),
    }


def check_view(report: DataReport, shown: int | None = SHOWN_PER_RULE) -> RenderableType:
    """What was found, by rule, errors first; at most `shown` places of each, or all."""
    sentences = {rule.id: rule.sentence for rule in rules()}
    groups = sorted(report.by_rule.items(), key=lambda group: group[1][0].severity is not Severity.ERROR)
    parts = [part for rule, found in groups for part in _rule_view(rule, sentences[rule], found, shown)]
    return Group(*parts, Text(summary(report), style="bold"))


def _rule_view(
    rule: str, sentence: str, found: tuple[Contradiction, ...], shown: int | None
) -> Iterator[RenderableType]:
    color = COLORS[found[0].severity]
    yield Text.assemble((f"{found[0].severity} ", f"bold {color}"), (rule, "bold"), f" ({len(found)})  {sentence}")
    for contradiction in found[:shown]:
        place = ", ".join(part for part in (contradiction.file, contradiction.record, contradiction.field) if part)
        yield Text(f"  {place}: {contradiction.what}; {contradiction.why}")
    if shown is not None and len(found) > shown:
        yield Text(f"  and {len(found) - shown} more", style="dim")
    yield Text("")


def summary(report: DataReport) -> str:
    """One line: what was looked at, how much was found."""
    looked = ", ".join(
        counted(count, singular, plural)
        for count, singular, plural in (
            (report.tasks, "task", "tasks"),
            (report.sandboxes, "sandbox", "sandboxes"),
            (report.cities, "city", "cities"),
        )
        if count
    )
    errors = counted(report.count(Severity.ERROR), "error", "errors")
    warnings = counted(report.count(Severity.WARNING), "warning", "warnings")
    return f"{looked or 'Nothing readable'} checked by {len(rules())} rules: {errors}, {warnings}."


# --- tripgauge data rules --------------------------------------------------------------------------------------------


def list_rules() -> tuple[RuleListing, ...]:
    """Every rule of `data check`."""
    return rules()


def rules_table(listed: tuple[RuleListing, ...]) -> Table:
    """The rules as a table for any form of output."""
    rows = tuple((rule.id, rule.severity.value, rule.about, rule.sentence) for rule in listed)
    return Table("Rules of data check", ("rule", "severity", "about", "what should hold"), rows)


# --- tripgauge data fetch trip-plus ----------------------------------------------------------------------------------


def fetch(dest: Path = DEFAULT_DEST, revision: str = "main", endpoint: str | None = None) -> Fetched:
    """Download the public sandboxes. Raises UsageError as `fetch_trip_plus` does."""
    return fetch_trip_plus(dest, revision, endpoint)


def fetch_json(fetched: Fetched) -> dict[str, Any]:
    """What came."""
    value: dict[str, Any] = encode(fetched)
    return {**value, "next": next_step(fetched)}


def fetch_view(fetched: Fetched) -> RenderableType:
    """What came, and what to do next."""
    megabytes = fetched.bytes / 1e6
    came = f"{fetched.files} files, {megabytes:.1f} MB, {fetched.new_files} of them new, in {fetched.folder}"
    return Group(
        Text(f"{came} (revision {fetched.revision})."),
        Text(f"Next: {next_step(fetched)}", style="bold"),
    )


def next_step(fetched: Fetched) -> str:
    """The command that looks over what came."""
    return f"tripgauge data check {fetched.folder}"
