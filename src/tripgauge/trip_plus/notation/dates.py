"""Dates of day headings in every usual form, and the numbers of days in words. (Trip+ B.1, plan notation)

`2026-07-15`, `15.07.2026`, `July 15, 2026`, `15 July 2026`; without a year `July 15`, `15 July`, `07-15`; a weekday. Of
day and month in digits the one above 12 is the day; else the order is that of the spelling: 15.07, but 07-15 and 07/15.
"""

import re
from datetime import date

from tripgauge.trip_plus.itinerary import MONTHS, WEEKDAYS, Fault, PartialDate

NUMBER_WORDS = (
    *("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "thirteen", "fourteen"),
)
WEEKDAY = rf"(?:{'|'.join(WEEKDAYS)}|mon|tues?|wed|thu(?:rs?)?|fri|sat|sun)\b\.?"

_MONTH = rf"(?:{'|'.join(MONTHS)}|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\b\.?"
_DAY = r"(?P<{name}>\d{{1,2}})(?:st|nd|rd|th)?"
_YEAR_FIRST = re.compile(r"(?P<year>\d{4})\s*[-/.年]\s*(?P<month>\d{1,2})\s*[-/.月]\s*(?P<day>\d{1,2})")
_YEAR_LAST = re.compile(r"(?<!\d)(?P<first>\d{1,2})\s*(?P<mark>[-/.])\s*(?P<second>\d{1,2})\s*[-/.]\s*(?P<year>\d{4})")
_IN_WORDS = re.compile(
    rf"(?:\b{_DAY.format(name='day')}(?:\s+of)?\s+)?\b(?P<month>{_MONTH})"
    rf"(?:\s+{_DAY.format(name='day2')}(?!\d))?(?:,?\s+(?P<year>\d{{4}}))?",
    re.IGNORECASE,
)
_NO_YEAR = re.compile(r"(?P<first>\d{1,2})\s*(?P<mark>[-/.])\s*(?P<second>\d{1,2})\.?")
_ALL_DIGITS = re.compile(r"\d+\s*(?:[-/.]\s*\d+\s*)+\.?")
_BRACKETS = re.compile(r"[(（\[]([^()（）\[\]]{0,60})[)）\]]")
_PARTS = re.compile(r"[()（）\[\],，|｜:：;]|\s[-–—]+\s")
_ONLY_WEEKDAY = re.compile(WEEKDAY, re.IGNORECASE)
_LEADING_WEEKDAY = re.compile(rf"\s*({WEEKDAY})", re.IGNORECASE)


def number_of(text: str) -> int:
    """The number of a day in digits or as one of `NUMBER_WORDS`."""
    return int(text) if text.isdigit() else NUMBER_WORDS.index(text.lower()) + 1


def read_date(text: str, number: int | None = None) -> date | Fault | None:
    """The date in a heading; None if it has none with a year, a fault if it cannot be read or is none of the calendar.

    `number` is that of the day: "2/3" on day 2 is no date.
    """
    found = _YEAR_FIRST.search(text)
    if found:
        return _date(found[0], int(found["year"]), int(found["month"]), int(found["day"]))
    found = _YEAR_LAST.search(text)
    if found:
        month, day = _month_and_day(found)
        return _date(found[0], int(found["year"]), month, day)
    found = _in_words(text)
    if found and found["year"]:
        return _date(found[0], int(found["year"]), _month(found["month"]), int(found["day"] or found["day2"]))
    for said in _bracketed(text, number):
        short = _NO_YEAR.fullmatch(said)
        if not short or not _exists(*_month_and_day(short)):
            return Fault("date", said, "no date that can be read")
    if found and not _exists(_month(found["month"]), int(found["day"] or found["day2"])):
        return Fault("date", found[0], "no such day")
    return None


def read_partial_date(text: str, number: int | None = None) -> PartialDate | None:
    """What a heading says of its date without a year; None if nothing."""
    weekday = _weekday(text)
    month = day = None
    found = _in_words(text)
    short = next((match for match in map(_NO_YEAR.fullmatch, _bracketed(text, number)) if match), None)
    if found and not found["year"]:
        month, day = _month(found["month"]), int(found["day"] or found["day2"])
    elif short:
        month, day = _month_and_day(short)
    if month is not None and day is not None and not _exists(month, day):
        month = day = None
    return PartialDate(weekday, month, day) if weekday or month else None


def _bracketed(text: str, number: int | None) -> list[str]:
    """What stands in brackets and is digits between marks, but for the number of the day out of all days."""
    found = [said.strip() for said in _BRACKETS.findall(text)]
    return [said for said in found if _ALL_DIGITS.fullmatch(said) and not said.startswith(f"{number}/")]


def _in_words(text: str) -> re.Match[str] | None:
    return next((found for found in _IN_WORDS.finditer(text) if found["day"] or found["day2"]), None)


def _month(text: str) -> int:
    return [month[:3].lower() for month in MONTHS].index(text[:3].lower()) + 1


def _weekday(text: str) -> int | None:
    """The weekday a heading begins with or has between marks; within other words it may be part of a name."""
    lead = _LEADING_WEEKDAY.match(text)
    said = [part.strip() for part in _PARTS.split(text)]
    names = [lead[1]] if lead and _in_words(text) else [part for part in said if _ONLY_WEEKDAY.fullmatch(part)]
    return [day[:3].lower() for day in WEEKDAYS].index(names[0][:3].lower()) + 1 if names else None


def _month_and_day(found: re.Match[str]) -> tuple[int, int]:
    first, second = int(found["first"]), int(found["second"])
    day_first = first > 12 or (found["mark"] == "." and second <= 12)
    return (second, first) if day_first else (first, second)


def _exists(month: int, day: int) -> bool:
    return not isinstance(_date("", 2000, month, day), Fault)


def _date(text: str, year: int, month: int, day: int) -> date | Fault:
    try:
        return date(year, month, day)
    except ValueError:
        return Fault("date", text, "no such day")
