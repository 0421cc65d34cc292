"""Checks and what they find: the one way a rule is asked and answered. (Trip+ B.2, COMPASS 3.2)

A check asks one thing. It answers that the thing holds, that it does not (with findings), or that there was nothing to
ask. Every rule-based number is a mean over such answers; answers that do not apply are left out of it.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing found wrong, in words a traveler understands."""

    reason: str
    """A sentence without its full stop: "leaves Fort Museum at 10:40, 80 minutes before its visit ends"."""

    day: int | None = None
    """Position of the day from 1; None where it concerns the whole trip."""

    item: str = ""
    """The line of the plan it is about, such as "10:30-12:00 Fort Museum"; "" where it is about something absent."""

    expected: str = ""
    found: str = ""

    def __str__(self) -> str:
        where = f"Day {self.day}: " if self.day is not None else ""
        return f"{where}{self.reason}"


@dataclass(frozen=True, slots=True)
class CheckResult:
    """What one check says of one trip."""

    check: str
    """The check's id."""

    applicable: bool
    findings: tuple[Finding, ...] = ()
    note: str = ""
    """Why it does not apply, where that is no matter of course."""

    @property
    def passed(self) -> bool:
        """Whether there was something to ask and nothing wrong."""
        return self.applicable and not self.findings

    @property
    def score(self) -> Fraction | int | None:
        """1 passed, 0 failed, None not applicable; a check that knows degrees may answer between."""
        return int(not self.findings) if self.applicable else None


def mean(values: Iterable[Fraction | int | None]) -> Fraction | None:
    """The exact mean of the values that are not None; None if there is none.

    Exact, so that the order of checks and the Python version cannot move a score.
    """
    known = [value for value in values if value is not None]
    return Fraction(sum(known)) / len(known) if known else None


@dataclass(frozen=True, slots=True)
class GroupScore:
    """The mean of a group of checks or of groups, with what it was taken over."""

    name: str
    score: Fraction | None
    """None if nothing in it applied."""

    parts: "tuple[GroupScore, ...] | tuple[CheckResult, ...]"

    @property
    def results(self) -> Sequence[CheckResult]:
        """All check results below this group, in order."""
        found: list[CheckResult] = []
        for part in self.parts:
            if isinstance(part, CheckResult):
                found.append(part)
            else:
                found.extend(part.results)
        return found


def grouped(name: str, parts: "tuple[GroupScore, ...] | tuple[CheckResult, ...]") -> GroupScore:
    """A group over its parts: their mean, leaving out what does not apply."""
    return GroupScore(name, mean(part.score for part in parts), parts)
