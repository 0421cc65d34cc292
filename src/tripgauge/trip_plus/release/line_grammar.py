"""The lines of a plan as the published conversion reads them: days, their city and stay, timed rows. (published code)

Nothing is repaired. A row with a dash other than "-" between its times is no row, a heading "Day 3 - Old Town" is no
day, and a line that fits nothing is passed over.
"""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from tripgauge.trip_plus.release.plan import INTERCITY

FLIGHT_WORDS = ("flight", "airplane", "plane", "air")
TRAIN_WORDS = (
    "train",
    "railway",
    "rail",
    "high_speed_rail",
    "high-speed rail",
    "high speed rail",
    "gaotie",
)
MODE_OF_WORD = dict.fromkeys(FLIGHT_WORDS, "flight") | dict.fromkeys(TRAIN_WORDS, "train")
"""How a mode of travel may be called, and the mode it stands for."""

AMOUNT = r"([-+]?\d++(?:,\d{3}(?!\d))*+(?:\.\d++)?)"
"""Pattern of a number: a comma only before exactly three digits."""


@dataclass(frozen=True, slots=True)
class Row:
    """A timed line: slot without blanks, type in lower case, everything behind the second bar."""

    slot: str
    kind: str
    detail: str


@dataclass(frozen=True, slots=True)
class DayLines:
    """What stands below one day heading. The last city line and the last stay line count."""

    number: int
    date: str
    """YYYY-MM-DD, or empty if the heading has none."""

    city: str
    """"from A to B" or one city, as written; may be empty."""

    stay: str
    """Everything behind "Accommodation:"; empty for "-" and if there is no such line."""

    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class Cost:
    """The first amount with a yuan sign in a text, and where its sign stands."""

    amount: int | float
    start: int


_BULLET = re.compile(r"[-*]\s++")
_STARRED_LABEL = re.compile(r"\*{1,3}([^*]++)\*{1,3}+(.*)", re.DOTALL)
_DAY = re.compile(r"#{0,6}+\s*+\**+\s*+day\s++(\d{1,9}+)\s*+(?:[:：(].*|\**+\s*+)", re.IGNORECASE | re.DOTALL)
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_CITY = re.compile(r"current city\s*+:\s*+(.+)", re.IGNORECASE | re.DOTALL)
_STAY = re.compile(r"accommodation\s*+:\s*+(.+)", re.IGNORECASE | re.DOTALL)
_TIMES = re.compile(r"[-*]?\s*+(\d{1,2}:\d{2}\s*+-\s*+\d{1,2}:\d{2})\s*+[|｜]")
_BAR = re.compile(r"[|｜]")
_KIND = re.compile(r"\*{0,3}+\s*+([A-Za-z _-]++)\s*+\*{0,3}+")
_BUDGET_HEADING = re.compile(r"budget\s++summary\s*+:?", re.IGNORECASE)
_COST = re.compile(rf"[¥￥]\s*+{AMOUNT}")
_COMMA_OR_BRACKET = re.compile(r"[,，()\[\]（）【】]")
_COMMAS, _OPENING = ",，", "([（【"

_BUDGET_WORDS = (
    " meal",
    " lunch",
    " dinner",
    " breakfast",
    "taxi",
    "metro",
    "flight",
    "train",
    "hotel",
    "accommodation",
    "transport",
    "total",
    " rmb",
    "¥",
    "=",
    "yuan",
)
"""A day heading with one of these, inside a budget, is a line of the budget."""


def clean_lines(text: str) -> list[str]:
    """The lines of a text, trimmed, without bullets and without stars around a label that ends in a colon."""
    return [_clean(line) for line in text.splitlines()]


def _clean(line: str) -> str:
    line = line.strip()
    bullet = _BULLET.match(line)
    if bullet:
        line = line[bullet.end() :]
    starred = _STARRED_LABEL.fullmatch(line)
    if starred is None:
        return line
    label, rest = starred[1].strip(), starred[2].strip()
    if label.endswith((":", "：")):
        return f"{label[:-1].rstrip()}: {rest}".strip()
    if rest.startswith((":", "：")):
        return f"{label}: {rest[1:].lstrip()}".strip()
    return line


def has_itinerary(lines: Sequence[str]) -> bool:
    """Whether cleaned lines hold both a day heading and a timed row, wherever."""
    return any(_DAY.fullmatch(line) for line in lines) and any(_TIMES.match(line) for line in lines)


@dataclass(slots=True)
class _OpenDay:
    number: int
    date: str
    city: str = ""
    stay: str = ""
    rows: list[Row] = field(default_factory=list)

    def add(self, line: str) -> None:
        row = _row(line)
        if row:
            self.rows.append(row)
        elif city := _CITY.fullmatch(line):
            self.city = city[1]
        elif stay := _STAY.fullmatch(line):
            self.stay = "" if stay[1] == "-" else stay[1]

    def closed(self) -> DayLines:
        return DayLines(self.number, self.date, self.city, self.stay, tuple(self.rows))


def read_days(lines: Sequence[str]) -> tuple[DayLines, ...]:
    """The days of a plan from its cleaned lines; budget sections are passed over."""
    days: list[_OpenDay] = []
    in_budget = False
    for line in lines:
        heading = _DAY.fullmatch(line)
        if _BUDGET_HEADING.fullmatch(line.lstrip("#").strip()):
            in_budget = True
        elif heading and not (in_budget and _is_of_budget(line)):
            in_budget = False
            date = _DATE.search(line)
            days.append(_OpenDay(int(heading[1]), date[0] if date else ""))
        elif days and not in_budget:
            days[-1].add(line)
    return tuple(day.closed() for day in days)


def _is_of_budget(heading: str) -> bool:
    lower = heading.lower()
    return any(word in lower for word in _BUDGET_WORDS)


def _row(line: str) -> Row | None:
    times = _TIMES.match(line)
    bar = _BAR.search(line, times.end()) if times else None
    if times is None or bar is None:
        return None
    kind = _KIND.fullmatch(line[times.end() : bar.start()].strip())
    detail = line[bar.end() :].strip()
    if kind is None or not detail:
        return None
    slot, name = "".join(times[1].split()), kind[1].strip().lower()
    if name in MODE_OF_WORD:
        return Row(slot, INTERCITY, f"{MODE_OF_WORD[name]} {detail}")
    return Row(slot, name, detail)


def split_fields(text: str) -> list[str]:
    """The parts between commas outside brackets, trimmed; empty parts vanish."""
    fields = []
    depth = start = 0
    for sign in _COMMA_OR_BRACKET.finditer(text):
        if sign[0] in _COMMAS:
            if depth == 0:
                fields.append(text[start : sign.start()])
                start = sign.end()
        else:
            depth = depth + 1 if sign[0] in _OPENING else max(0, depth - 1)
    fields.append(text[start:])
    return [part for part in map(str.strip, fields) if part]


def find_cost(text: str) -> Cost | None:
    """The first yuan sign with a number behind it; None for prices without the sign."""
    found = _COST.search(text)
    amount = read_amount(found[1]) if found else None
    return None if found is None or amount is None else Cost(amount, found.start())


def read_amount(text: str) -> int | float | None:
    """The number that matched `AMOUNT`, whole ones as int; None if it is beyond all bounds."""
    amount = float(text.replace(",", ""))
    if not math.isfinite(amount):
        return None
    return int(amount) if amount.is_integer() else amount
