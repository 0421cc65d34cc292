"""Filters: what one attribute of one component of a plan must be.

A filter is read in three ways that the tests keep equal: as SQL, as a question to a record, and as a question to a
whole column. A missing value never passes.
"""

from dataclasses import dataclass
from enum import Enum

import numpy as np

from tripgauge.compass.catalogue import NULL, Column, Integers, Mask, Words
from tripgauge.compass.offers import TravelPlan

Operand = int | str
"""What an attribute is compared with. True and false are 1 and 0."""


class Component(Enum):
    """The parts of a plan, with their names in SQL."""

    PARK = "k"
    HOTEL = "h"
    ROOM = "r"
    CONFIG = "c"
    HOTEL_OFFER = ""
    FLIGHT = "f"
    AIRPORT = "a"
    DRIVE = "d"
    PERMIT = "m"
    PERMIT_OFFER = "w"

    @property
    def level(self) -> int:
        """The lowest level whose plans have it."""
        if self in (Component.FLIGHT, Component.AIRPORT, Component.DRIVE):
            return 2
        return 3 if self in (Component.PERMIT, Component.PERMIT_OFFER) else 1


class Comparison(Enum):
    AT_LEAST = ">="
    AT_MOST = "<="
    ONE_OF = "IN"
    NONE_OF = "NOT IN"


@dataclass(frozen=True)
class Attribute:
    """A field of one component."""

    component: Component
    name: str
    sql: str = ""
    """Its expression in SQL, where that is not the column of this name."""

    @property
    def expression(self) -> str:
        alias = self.component.value
        return self.sql or (f"{alias}.{self.name}" if alias else self.name)

    def of(self, plan: TravelPlan) -> Operand | None:
        """The value in a plan; None if it is missing, or if the plan has no such component."""
        record = _record(plan, self.component)
        value: Operand | None = getattr(record, self.name) if record is not None else None
        return value


def _record(plan: TravelPlan, component: Component) -> object | None:
    match component:
        case Component.PARK:
            return plan.hotel.park
        case Component.HOTEL:
            return plan.hotel.hotel
        case Component.ROOM:
            return plan.hotel.room
        case Component.CONFIG:
            return plan.hotel.config
        case Component.HOTEL_OFFER:
            return plan.hotel
        case Component.FLIGHT:
            return plan.flight.flight if plan.flight else None
        case Component.AIRPORT:
            return plan.flight.airport if plan.flight else None
        case Component.DRIVE:
            return plan.drive
        case Component.PERMIT:
            return plan.permit.permit if plan.permit else None
        case Component.PERMIT_OFFER:
            return plan.permit


@dataclass(frozen=True)
class Sql:
    """A piece of SQL with the values of its question marks."""

    text: str
    values: tuple[Operand, ...] = ()


@dataclass(frozen=True)
class Filter:
    """What one attribute must be."""

    attribute: Attribute
    comparison: Comparison
    operands: tuple[Operand, ...]
    """One number or text to compare with, or the list for `ONE_OF` and `NONE_OF`."""

    def holds(self, plan: TravelPlan) -> bool:
        return self.accepts(self.attribute.of(plan))

    def accepts(self, value: Operand | None) -> bool:
        if value is None:
            return False
        match self.comparison:
            case Comparison.AT_LEAST:
                return value >= self.operands[0]  # type: ignore[operator]
            case Comparison.AT_MOST:
                return value <= self.operands[0]  # type: ignore[operator]
            case Comparison.ONE_OF:
                return value in self.operands
            case Comparison.NONE_OF:
                return value not in self.operands

    @property
    def sql(self) -> Sql:
        if self.comparison in (Comparison.AT_LEAST, Comparison.AT_MOST):
            return Sql(f"{self.attribute.expression} {self.comparison.value} ?", self.operands)
        marks = ", ".join("?" * len(self.operands))
        return Sql(f"{self.attribute.expression} {self.comparison.value} ({marks})", self.operands)

    def mask(self, column: Column, rows: slice | Integers = slice(None)) -> Mask:
        """Which rows of a column of this attribute it accepts."""
        words = column.words if isinstance(column, Words) else None
        codes = (column.codes if isinstance(column, Words) else column)[rows]
        match self.comparison:
            case Comparison.AT_LEAST:
                return np.asarray((codes >= self._bound(column)) & (codes != NULL))
            case Comparison.AT_MOST:
                return np.asarray((codes <= self._bound(column)) & (codes != NULL))
            case Comparison.ONE_OF:
                return _any_equal(codes, _codes(words, self.operands))
            case Comparison.NONE_OF:
                return np.asarray((codes != NULL) & ~_any_equal(codes, _codes(words, self.operands)))

    def _bound(self, column: Column) -> int:
        """The operand as a number or as a code of the column."""
        (operand,) = self.operands
        if not isinstance(column, Words):
            return int(operand)
        text = str(operand)
        return column.first_code_from(text) if self.comparison == Comparison.AT_LEAST else column.last_code_to(text)


def _codes(words: tuple[str, ...] | None, operands: tuple[Operand, ...]) -> list[int]:
    if words is None:
        return [int(operand) for operand in operands]
    return [words.index(str(operand)) for operand in operands if operand in words]


def _any_equal(codes: Integers, wanted: list[int]) -> Mask:
    if len(wanted) == 1:
        return np.asarray(codes == wanted[0])
    found = np.zeros(codes.shape, dtype=np.bool_)
    for code in wanted:
        found |= codes == code
    return found
