"""Reading one value out of an answer: it is there, it is missing, or it is a fault. (Trip+ B.1)

Readers of single values (`times`, `money`, `measures`) return the value or a `Fault`. A `FaultList` takes the readings
of one line: it hands on the values and keeps the faults.
"""

from dataclasses import dataclass, field
from typing import TypeVar

from tripgauge.trip_plus.itinerary import Fault

MISSING = "missing"

_LONGEST_TEXT = 200

_Value = TypeVar("_Value")


@dataclass(slots=True)
class FaultList:
    """The faults of one line, while it is being read."""

    found: list[Fault] = field(default_factory=list)

    def value(self, reading: _Value | Fault) -> _Value | None:
        """What was read; None where it was a fault, which is kept."""
        if isinstance(reading, Fault):
            self.found.append(reading)
            return None
        return reading

    def add(self, field: str, text: str, reason: str) -> None:
        """Keep a fault."""
        self.found.append(Fault(field, text, reason))

    def missing(self, field: str) -> None:
        """Keep that a required field is not there."""
        self.found.append(Fault(field, "", MISSING))


def shown(value: object) -> str:
    """A value of an answer as a fault quotes it: text as it stands, anything else as Python writes it, cut short."""
    if isinstance(value, str):
        text = value
    elif value is None or isinstance(value, bool | float):
        text = str(value)
    elif isinstance(value, int):
        text = str(value) if value.bit_length() < _LONGEST_TEXT else "a very large number"
    else:
        text = f"a {type(value).__name__}"
    return text if len(text) <= _LONGEST_TEXT else text[: _LONGEST_TEXT - 1] + "…"
