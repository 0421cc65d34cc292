"""What the whole trip may cost. (Trip+ Table 12, budget)"""

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from tripgauge.checks import Finding
from tripgauge.trip_plus.notation.money import yuan
from tripgauge.trip_plus.requirements.requirement import Component, HardConstraint
from tripgauge.trip_plus.trace.execution import Content, ExecutionTrace


@dataclass(frozen=True)
class BudgetCap(HardConstraint):
    """The whole trip costs no more than the cap, by its true prices and by those the plan states."""

    id = "budget_constraint"
    group = Component.BUDGET
    source = "Trip+ Table 12"
    about = Content.COSTS

    cap: Decimal
    """Yuan for the whole party."""

    def sentence(self) -> str:
        """With the cap."""
        return f"The whole trip costs no more than {yuan(self.cap)}."

    def find(self, trace: ExecutionTrace) -> Iterator[Finding]:
        """A trip that is too dear."""
        total = max(trace.true_cost.total, trace.cost.total)
        if total > self.cap:
            yield Finding(
                f"the trip costs {yuan(total)}, more than {yuan(self.cap)}", expected=yuan(self.cap), found=yuan(total)
            )
