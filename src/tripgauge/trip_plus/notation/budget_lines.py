"""The budget summary at the end of a plan: one amount per label, for the whole party. (Trip+ B.1, plan notation)"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal

from tripgauge.trip_plus.itinerary import Budget, Fault
from tripgauge.trip_plus.notation.money import Per, read_amount

BUDGET_FIELDS = ("transportation", "accommodation", "meals", "attractions", "other", "total")

_LABELS = {
    "transportation": r"transport(?:ation)?",
    "accommodation": r"accommodations?|lodging|hotels?",
    "meals": r"meals?|food|dining",
    "attractions": r"attractions?(?:\s*(?:&|and|/|\+)\s*tickets?)?|tickets?|sightseeing",
    "other": r"others?|misc(?:ellaneous)?\.?",
    "total": r"(?:(?:grand|overall|estimated)\s+)*total(?:\s+(?:trip|travel|estimated|overall))*"
    r"(?:\s+(?:budget|amount|price))?",
}
_EITHER = "|".join(f"(?P<{name}>{words})" for name, words in _LABELS.items())
_ENTRY = re.compile(
    rf"(?:^|[;|｜]\s*|\s{{2,}})(?:{_EITHER})(?:\s+(?:costs?|expenses?|fees?|subtotal))?"
    r"\s*(?:[(（][^()（）]*[)）])?\s*[:：=|｜]\s*",
    re.IGNORECASE,
)
_HEADING = re.compile(
    r"[\W\d_]*(?:(?:total|trip|travel|estimated|overall|final|daily)\s+)*"
    r"(?:budget(?:\s+(?:summary|breakdown|overview|estimates?|details?|table))?|"
    r"(?:costs?|expenses?)\s+(?:summary|breakdown|overview|estimates?|details?|table))"
    r"(?:\s+for\s+[^:：|¥￥]*)?\s*(?:[(（][^()（）]*[)）])?[\s:：|]*",
    re.IGNORECASE,
)
_REMARK = re.compile(r"\s+[-–—]\s+[^\d¥￥]+$|\s+for\s+(?:the\s+)?[^=]*$|\s*[|｜].*$", re.IGNORECASE)


def is_budget_heading(text: str) -> bool:
    """Whether a line opens a budget summary."""
    low = text.lower()
    return ("budget" in low or "cost" in low or "expense" in low) and _HEADING.fullmatch(text) is not None


@dataclass(slots=True)
class BudgetLines:
    """The lines under one budget heading, while they are read."""

    amounts: dict[str, Decimal | None] = field(default_factory=dict)
    faults: list[Fault] = field(default_factory=list)

    def read(self, text: str) -> None:
        """One line: the amounts it names; anything else on it is prose."""
        plain = text.strip("|｜ ")
        end = len(plain)
        for entry in reversed(list(_ENTRY.finditer(plain))):
            self._keep(entry.lastgroup or "", plain[entry.end() : end].strip())
            end = entry.start()

    def _keep(self, label: str, text: str) -> None:
        reading = budget_amount(label, text)
        amount = None if isinstance(reading, Fault) else reading
        if isinstance(reading, Fault):
            self.faults.append(reading)
        elif self.amounts.get(label, amount) != amount:
            self.faults.append(Fault(label, text, "given twice"))
        self.amounts[label] = amount

    def budget(self, superseded: Sequence["BudgetLines"] = ()) -> Budget:
        """The summary as a record. An earlier summary with other amounts is a fault; the last one counts."""
        faults = list(self.faults)
        if any(other.amounts and other.amounts != self.amounts for other in superseded):
            faults.append(Fault("budget summary", "", "given twice"))
        return Budget(**self.amounts, faults=tuple(faults))


def budget_amount(label: str, text: str) -> Decimal | Fault:
    """An amount for the whole party; of a calculation, its result."""
    plain = _REMARK.sub("", text.rpartition("=")[2].strip(" *"))
    return read_amount(plain, Per.PARTY, label)
