"""What a rule about data is: an id, a sentence, and a function that finds where the sentence does not hold."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Generic, TypeVar

Subject = TypeVar("Subject")


class Severity(StrEnum):
    """How bad it is."""

    ERROR = "error"
    """A task, a tool or a check goes wrong by it."""

    WARNING = "warning"
    """Odd, and worth knowing before results are believed."""


@dataclass(frozen=True, slots=True)
class Contradiction:
    """One place where data contradicts itself, its schema or good sense."""

    rule: str
    severity: Severity
    file: str
    record: str
    """Id of a task, or the row of a table with its name; "" where it concerns the whole file."""

    field: str
    what: str
    """What stands there."""

    why: str
    """Why that cannot be right."""

    def __str__(self) -> str:
        place = ", ".join(part for part in (self.file, self.record, self.field) if part)
        return f"{place}: {self.what}; {self.why} [{self.rule}]"


@dataclass(frozen=True, slots=True)
class Problem:
    """What a rule finds; the book it stands in knows the rest."""

    field: str
    what: str
    why: str
    record: str = ""
    file: str = ""
    """Both only where the rule's subject is more than one record."""


@dataclass(frozen=True)
class Rule(Generic[Subject]):
    """One rule about one kind of subject."""

    id: str
    sentence: str
    """What should hold."""

    severity: Severity
    find: Callable[[Subject], Iterable[Problem]]


@dataclass(frozen=True)
class RuleBook(Generic[Subject]):
    """The rules that are put to one kind of subject, in the order they are written."""

    about: str
    rules: list[Rule[Subject]] = field(default_factory=list)

    def error(self, find: Callable[[Subject], Iterable[Problem]]) -> Callable[[Subject], Iterable[Problem]]:
        """Add a rule whose breach is an error: the function's name is its id, its docstring its sentence."""
        return self._add(find, Severity.ERROR)

    def warning(self, find: Callable[[Subject], Iterable[Problem]]) -> Callable[[Subject], Iterable[Problem]]:
        """Add a rule whose breach is a warning."""
        return self._add(find, Severity.WARNING)

    def _add(
        self, find: Callable[[Subject], Iterable[Problem]], severity: Severity
    ) -> Callable[[Subject], Iterable[Problem]]:
        sentence = " ".join((find.__doc__ or "").split())
        self.rules.append(Rule(getattr(find, "__name__", ""), sentence, severity, find))
        return find

    def broken_by(self, subject: Subject, file: str, record: str = "") -> Iterator[Contradiction]:
        """What the rules find, in their order."""
        for rule in self.rules:
            for problem in rule.find(subject):
                yield Contradiction(
                    rule=rule.id,
                    severity=rule.severity,
                    file=problem.file or file,
                    record=problem.record or record,
                    field=problem.field,
                    what=problem.what,
                    why=problem.why,
                )


def some(names: Iterable[str], most: int = 3) -> str:
    """The first few of the names, and how many more there are."""
    every = list(names)
    more = f" and {len(every) - most} more" if len(every) > most else ""
    return ", ".join(every[:most]) + more
