"""The lines of a plan: day headings, labels, rows, and the budget below them. (Trip+ B.1, plan notation)"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date

from tripgauge.trip_plus.itinerary import Activity, CityLabel, Day, Fault, Itinerary, Lodging, PartialDate, TimeSlot
from tripgauge.trip_plus.notation import activity_kinds as kinds
from tripgauge.trip_plus.notation.activity_kinds import Kind, KindWord, kind_word
from tripgauge.trip_plus.notation.activity_lines import LONGEST_LINE, Names, read_activity
from tripgauge.trip_plus.notation.budget_lines import BudgetLines, is_budget_heading
from tripgauge.trip_plus.notation.dates import NUMBER_WORDS, WEEKDAY, number_of, read_date, read_partial_date
from tripgauge.trip_plus.notation.line_fields import name_of, priced, split_fields
from tripgauge.trip_plus.notation.money import Per, has_currency
from tripgauge.trip_plus.notation.readings import FaultList, shown
from tripgauge.trip_plus.notation.times import looks_like_a_slot, read_slot

_BARS = re.compile(r"\s*[|｜│￨]\s*")
_BAR = re.compile(r"[|｜│￨]")
_BULLET = re.compile(r"(?:[-*•·+▪◦‣–]\s+|\d{1,2}[.)]\s+)+")
_MARKS = re.compile(r"\*\*|__|`")
_TABLE_RULE = re.compile(r"[\s|｜:+=_\-—–]*")
_TABLE_HEAD = re.compile(r"(?:day|date|time(?: slot)?|slot|item|category|no\.?|#)", re.IGNORECASE)
_STARTS_WITH_TIME = re.compile(r"\d{1,2}\s?[:：]\s?\d\d\b")
_REMARK = re.compile(r"[(（]?\s*(?:notes?|tips?|reminders?|remarks?|nb|ps|hours?|opening hours?)\b", re.IGNORECASE)

_SENTENCE = re.compile(r"(?!\d)(?:\S+\s+){5,}\S+[.!?]")

_PUBLISHED_ROW = re.compile(r"(\d\d:\d\d-\d\d:\d\d) \| ([a-z_]+) \| ([^|｜│￨*`]*[^|｜│￨*`\s])", re.ASCII)
"""A row exactly as published, which needs none of the care other spellings do."""

_DAY = re.compile(
    rf"(?:#{{1,6}}\s*)?[\W_]{{0,6}}day\s*[-#№]?\s*(?P<number>\d{{1,3}}|(?:{'|'.join(NUMBER_WORDS)})\b)"
    rf"(?:\s*(?:/|of\b)\s*\d{{1,3}}\b)?"
    rf"(?=\s*$|\s*[:：(（\[|｜,，.;\-–—*]|\s+\d{{4}}-|\s+{WEEKDAY}(?:\s*$|\s*[:：(（\[|｜,，.;\-–—]|\s+\d))(?P<rest>.*)",
    re.IGNORECASE,
)
_SEVERAL_DAYS = re.compile(r"[-–—~&]\d{1,2}(?![\d/.-])")
_SAME_DAY = re.compile(r"\b(?:morning|noon|afternoon|evening|night|continued|cont\.?)\b", re.IGNORECASE)
_LABEL = re.compile(
    r"(?P<label>current\s+city|city|cities|accommodations?|lodging|hotel)\s*\**\s*[:：]\s*\**\s*(?P<rest>.*)",
    re.IGNORECASE,
)
_CITY_LEADS = re.compile(r"from\s+", re.IGNORECASE)
_CITY_JOINT = re.compile(r"\s+to\s+|\s*(?:[-–—=]{0,5}>|→)\s*|\s+[-–—]{1,5}\s+", re.IGNORECASE)
_NO_HOTEL = re.compile(
    r"[-–—−/\s]*(?:[(（].*)?|(?:none|nil|n/?a|not (?:needed|required|applicable)|"
    r"no (?:accommodation|hotel|lodging|stay)\b.*|"
    r"(?:overnight |sleeper |night )+(?:on |in )?(?:the |a )?(?:train|flight|bus)\b.*|"
    r"(?:on|aboard) (?:the |a )?(?:\w+ )*(?:train|flight|plane)\b.*)(?:\s*[(（].*)?",
    re.IGNORECASE,
)
_ONLY_MONEY = re.compile(r"[^a-z/]*(?:rmb|cny|yuan)?[^a-z/]*", re.IGNORECASE)


@dataclass(slots=True)
class _RideToCome:
    """A transfer whose route is split once all names of the plan are known."""

    word: KindWord
    slot: TimeSlot | None
    faults: FaultList
    detail: str


@dataclass(slots=True)
class _DayDraft:
    number: int
    date: date | None
    faults: FaultList
    partial_date: PartialDate | None = None
    city: CityLabel | None = None
    lodging: Lodging | None = None
    lodging_given: bool = False
    lines: list[Activity | _RideToCome] = field(default_factory=list)

    def finished(self, names: Names) -> Day:
        activities = tuple(
            read_activity(line.word, line.slot, line.faults, line.detail, names)
            if isinstance(line, _RideToCome)
            else line
            for line in self.lines
        )
        faults = tuple(self.faults.found)
        return Day(self.number, self.date, self.city, self.lodging, activities, faults, self.partial_date)


class PlanReader:
    """Reads a plan line by line: days, then what stands under each, and the budget."""

    def __init__(self, names: Names) -> None:
        self._names = names
        self._days: list[_DayDraft] = []
        self._budgets: list[BudgetLines] = []
        self._in_budget = False
        self._faults: list[Fault] = []

    def itinerary(self) -> Itinerary:
        """What has been read."""
        budget = self._budgets[-1].budget(superseded=self._budgets[:-1]) if self._budgets else None
        return Itinerary(tuple(day.finished(self._names) for day in self._days), budget, tuple(self._faults))

    def read(self, raw: str) -> None:
        """One more line."""
        published = _PUBLISHED_ROW.fullmatch(raw)
        if published and self._days:
            self._in_budget = False
            self._row(published.groups(), raw)
            return
        text = _plain(raw)
        if not text:
            return
        if len(text) > LONGEST_LINE:
            self._endless_line(text)
            return
        has_bar = _BAR.search(text) is not None
        if not has_bar or not text[0].isdigit():
            if self._day_heading(text) or self._budget_line(text):
                return
            if self._label(text):
                return
        if has_bar:
            self._table_line(text)
        elif looks_like_a_slot(text) or _STARTS_WITH_TIME.match(text):
            self._loose_line(text)

    def _day_heading(self, text: str) -> bool:
        match = _DAY.fullmatch(text)
        if not match:
            return False
        rest = match["rest"].strip(" :：*-–—|｜,，.;")
        row = looks_like_a_slot(rest) and bool(_BARS.search(rest))
        if has_currency(rest) and not row:
            return self._in_budget
        number = number_of(match["number"])
        self._in_budget = False
        if not (self._days and self._days[-1].number == number and (row or _SAME_DAY.search(rest))):
            faults = FaultList()
            found = read_date(rest, number)
            if _SEVERAL_DAYS.match(match["rest"]):
                faults.add("day number", match[0].strip(), "more than one day")
            self._days.append(_DayDraft(number, faults.value(found), faults, read_partial_date(rest, number)))
        if row:
            self._table_line(rest)
        return True

    def _budget_line(self, text: str) -> bool:
        if is_budget_heading(text):
            self._budgets.append(BudgetLines())
            self._in_budget = True
            return True
        if not self._in_budget:
            return False
        self._budgets[-1].read(text)
        return not (_BAR.search(text) and looks_like_a_slot(text))

    def _label(self, text: str) -> bool:
        match = _LABEL.match(text)
        if not match or not self._days:
            return False
        day, rest = self._days[-1], _BARS.sub(", ", match["rest"].strip())
        if match["label"][0] in "cC":
            city = read_city(rest)
            if day.city and day.city != city:
                day.faults.add("city", rest, "given twice")
            day.city = city
            return True
        if rest and _ONLY_MONEY.fullmatch(rest) and not _NO_HOTEL.fullmatch(rest):
            return True
        lodging = read_lodging(rest)
        if day.lodging_given and day.lodging != lodging:
            day.faults.add("accommodation", rest, "given twice")
        day.lodging, day.lodging_given = lodging, True
        if lodging:
            self._names.used.add(lodging.hotel)
        return True

    def _table_line(self, text: str) -> None:
        cells = [cell.strip(" *") for cell in _BARS.split(text.strip("|｜│￨ "))]
        if _TABLE_RULE.fullmatch(text) or _TABLE_HEAD.fullmatch(cells[0]):
            return
        self._in_budget = False
        if not self._days:
            self._faults.append(Fault("line", text, "before the first day"))
            return
        self._row(cells, text)

    def _endless_line(self, text: str) -> None:
        """A line nobody would write: if it looks like content, it is content of no kind."""
        if self._days and _BARS.search(text):
            faults = FaultList()
            faults.add("line", shown(text), "too long")
            self._days[-1].lines.append(kinds.misfit(None, faults, shown(text)))

    def _loose_line(self, text: str) -> None:
        """A line with times but without bars: content of no kind, unless it is a remark or a whole sentence."""
        if not self._days or self._in_budget or _REMARK.match(text) or _SENTENCE.fullmatch(text):
            return
        faults = FaultList()
        kinds.unknown_kind(faults, "")
        self._days[-1].lines.append(kinds.misfit(None, faults, text))

    def _row(self, cells: Sequence[str], text: str) -> None:
        faults = FaultList()
        lines = self._days[-1].lines
        typed = None if cells[0][:1].isdigit() else kind_word(cells[0])
        if typed:
            faults.missing("time slot")
            slot, cells = None, ["", *cells]
        else:
            slot = faults.value(read_slot(cells[0]))
            typed = kind_word(cells[1]) if len(cells) > 1 else None
        if not typed:
            kinds.unknown_kind(faults, cells[1] if len(cells) > 2 else "")
            lines.append(kinds.misfit(slot, faults, " | ".join(cells[1:]) if slot else text))
            return
        detail = ", ".join(cell for cell in cells[2:] if cell)
        if typed.kind is Kind.TRANSFER:
            lines.append(_RideToCome(typed, slot, faults, detail))
            return
        activity = read_activity(typed, slot, faults, detail, self._names)
        self._names.note(activity)
        lines.append(activity)


def _plain(raw: str) -> str:
    """The line without bullets and emphasis."""
    text = raw.strip()
    if not text or (text[0].isdigit() and "*" not in text and "`" not in text and text[1:2].isdigit()):
        return text
    text = _BULLET.sub("", text, count=1) if _BULLET.match(text) else text
    if "*" in text or "`" in text or "__" in text:
        text = _MARKS.sub("", text).strip(" *")
    return text.strip()


# What stands under a day


def read_city(text: str) -> CityLabel | None:
    """The first and the last city named, which are one on a day in one city and on a day there and back.

    What stands in brackets or behind a comma is not part of a city's name.
    """
    plain = text.strip(" *")
    stops = [city for city in map(_city, _CITY_JOINT.split(_CITY_LEADS.sub("", plain, count=1))) if city]
    return CityLabel(stops[0], stops[-1]) if stops else None


def _city(text: str) -> str:
    return re.split(r"\s*[,，;(（]", text.strip(), maxsplit=1)[0].strip(" -–—*")


def read_lodging(text: str) -> Lodging | None:
    """The hotel of a night and its price; None where the line names no hotel."""
    if _NO_HOTEL.fullmatch(text):
        return None
    faults = FaultList()
    parts = priced(split_fields(text), Per.ROOM_NIGHT)
    price = faults.value(parts.price)
    return kinds.lodging(faults, hotel=name_of(parts.name_fields), price=price)
