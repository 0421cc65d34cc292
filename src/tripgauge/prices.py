"""What tokens cost, from a table the user gives; nothing is known without one."""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Annotated

from tripgauge.codec import AtLeast, decode_json
from tripgauge.conversation import Cost, Usage

_MILLION = 1_000_000


Dollars = Annotated[Decimal, AtLeast(0)]
"""US dollars, not below 0."""


@dataclass(frozen=True)
class Price:
    """US dollars for a million tokens."""

    input: Dollars
    output: Dollars
    cached_input: Dollars | None = None
    """Of input tokens read from a cache; as `input` if None."""

    def cost(self, usage: Usage) -> Cost:
        """What the tokens cost; unknown if their number is."""
        if usage.input_tokens is None or usage.output_tokens is None:
            return "unknown"
        cached = usage.cached_tokens or 0
        cached_price = self.input if self.cached_input is None else self.cached_input
        total = (usage.input_tokens - cached) * self.input + cached * cached_price + usage.output_tokens * self.output
        return total / _MILLION


def read_prices(path: Path) -> Mapping[str, Price]:
    """A JSON file that maps "provider/model" to its prices. Raises UsageError, naming file and field."""
    return decode_json(dict[str, Price], path)
