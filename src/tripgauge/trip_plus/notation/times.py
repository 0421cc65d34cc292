"""Time slots in every spelling that leaves no doubt. (Trip+ B.1, plan notation)

`09:00-12:00` and the same with any dash, tilde, arrow or "to", with full-width characters, seconds, or a twelve-hour
clock. Midnight as an end is the end of the day, whether written 24:00 or 00:00, and 24:10 is ten minutes past it. A
slot that ends before it starts ends on the next day; `(+1)` and "next day" say so outright.
"""

import re
import unicodedata
from functools import lru_cache

from tripgauge.trip_plus.itinerary import MINUTES_PER_DAY, Fault, TimeSlot, clock
from tripgauge.trip_plus.notation.readings import shown

NOON = 12 * 60
_LONGEST_SLOT = 100

_PUBLISHED = re.compile(r"([01][0-9]|2[0-3]):([0-5][0-9])-([01][0-9]|2[0-3]):([0-5][0-9])", re.ASCII)

_DAY_WORD = r"\(?\s*(?:the\s+)?(?:next|following)\s+day\s*\)?"
_DAY_MARK = rf"(?:\(?\s*\+\s*(?P<plus{{n}}>\d)\s*(?:d|days?)?\s*\)?|(?P<after{{n}}>{_DAY_WORD}))"
_CLOCK = (
    r"(?:(?P<word{n}>noon|midnight)"
    r"|(?P<hour{n}>\d{{1,2}})(?:\s?[:.h]\s?(?P<minute{n}>[0-5]\d)(?::[0-5]\d)?)?(?:\s*(?P<half{n}>[ap])\.?\s?m\b\.?)?"
    r"|(?P<compact{n}>\d{{4}}))"
)
_MOMENT = rf"(?:(?P<before{{n}}>{_DAY_WORD})\s*)?{_CLOCK}\s*(?:{_DAY_MARK})?"
_JOINT = r"\s*(?:[-‐‑‒–—―−~〜∼]+>?|→|\bto\b|\buntil\b|\btill\b)\s*"
_START = re.compile(rf"(?:from\s+)?{_MOMENT.format(n=1)}", re.IGNORECASE)
_SLOT = re.compile(rf"(?:from\s+)?{_MOMENT.format(n=1)}{_JOINT}{_MOMENT.format(n=2)}", re.IGNORECASE)

_LIKE_A_RANGE = re.compile(
    r"\d\s?[:：.]\s?\d\d(?:[:：]\d\d)?(?:\s*[ap]\.?m\.?)?\s*(?:[-‐‑‒–—―−－~～〜→]|to\b|until\b)\s*\d|"
    r"\d\s*[ap]\.?m\.?\s*(?:[-‐‑‒–—―−－~～〜→]|to\b|until\b)\s*\d",
    re.IGNORECASE,
)


@lru_cache(maxsize=8192)
def read_slot(text: str) -> TimeSlot | Fault:
    """The slot a text names, or a fault that says why it names none."""
    published = _PUBLISHED.fullmatch(text)
    if published:
        start = int(published[1]) * 60 + int(published[2])
        end = int(published[3]) * 60 + int(published[4])
        return TimeSlot(start, end if end >= start else end + MINUTES_PER_DAY)
    plain = unicodedata.normalize("NFKC", text).strip().strip("*`[] ")
    if not plain:
        return Fault("time slot", "", "missing")
    match = _SLOT.fullmatch(plain) if len(plain) <= _LONGEST_SLOT else None
    slot = _slot(match) if match else None
    if slot is None:
        one = len(plain) <= _LONGEST_SLOT and _START.fullmatch(plain) is not None
        return Fault("time slot", shown(text.strip()), "one time of day, not two" if one else "no time of day")
    return slot


def looks_like_a_slot(text: str) -> bool:
    """Whether somewhere in the text one clock time is followed by another."""
    return _LIKE_A_RANGE.search(text) is not None


def write_slot(slot: TimeSlot) -> str:
    """The slot as HH:MM-HH:MM, with `(+1)` only where the next day could not be told without it."""
    start_days, start = divmod(slot.start, MINUTES_PER_DAY)
    if slot.start == MINUTES_PER_DAY:
        first = "24:00"
    else:
        first = clock(start) + (f" (+{start_days})" if start_days else "")
    plain = f"{first}-{clock(slot.end)}"
    if read_slot(plain) == slot:
        return plain
    if slot.end == MINUTES_PER_DAY:
        return f"{first}-24:00"
    end_days, end = divmod(slot.end, MINUTES_PER_DAY)
    return f"{first}-{clock(end)} (+{end_days})"


def _slot(match: re.Match[str]) -> TimeSlot | None:
    """The slot of a match; where AM or PM is written at one end only, the shortest that it allows."""
    starts = _minutes(match, "1", halved=match["half2"] is not None)
    ends = _minutes(match, "2", halved=match["half1"] is not None)
    if not starts or not ends:
        return None
    start, end = min(
        ((start, end) for start in starts for end in ends), key=lambda pair: (pair[1] - pair[0]) % MINUTES_PER_DAY
    )
    start += _days_later(match, "1") * MINUTES_PER_DAY
    end_days = _days_later(match, "2")
    if end_days:
        end = end % MINUTES_PER_DAY + end_days * MINUTES_PER_DAY
    while end < start:
        end += MINUTES_PER_DAY
    return TimeSlot(start, end)


def _minutes(match: re.Match[str], which: str, *, halved: bool) -> list[int]:
    """The minutes of the day one end may mean: none if it is no time, two if only the other end says AM or PM."""
    if match["word" + which]:
        return [NOON if match["word" + which].lower() == "noon" else 0]
    compact = match["compact" + which]
    if compact:
        hour, minute, half = int(compact[:2]), int(compact[2:]), None
    else:
        hour, minute, half = int(match["hour" + which]), int(match["minute" + which] or 0), match["half" + which]
    if minute > 59:
        return []
    if half:
        return _on_twelve_hour_clock(hour, minute, half.lower())
    if halved and 1 <= hour <= 12:
        return [hour % 12 * 60 + minute, hour % 12 * 60 + minute + NOON]
    if not compact and match["minute" + which] is None:
        return []
    return [hour * 60 + minute] if hour <= 24 else []


def _on_twelve_hour_clock(hour: int, minute: int, half: str) -> list[int]:
    """12 AM is midnight, 12 PM noon; 13:00 PM says one thing twice and is let pass, 13:00 AM is no time."""
    if hour > 12:
        return [hour * 60 + minute] if half == "p" and hour < 24 else []
    return [hour % 12 * 60 + minute + (NOON if half == "p" else 0)]


def _days_later(match: re.Match[str], which: str) -> int:
    if match["before" + which] or match["after" + which]:
        return 1
    return int(match["plus" + which] or 0)
