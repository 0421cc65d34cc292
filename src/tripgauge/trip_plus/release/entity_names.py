"""Names of places as the published conversion knows and cleans them. (published code, conversion)

A name in a plan is recognized if the sandbox has it or if another line of the same plan introduces it. Recognizing
ignores case and takes the known spelling; cleaning drops the words around a name and never guesses a similar one.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from tripgauge.trip_plus.sandbox.files import SandboxFiles

_MARGIN = 8
"""Characters beyond the longest name that may decide in which case a letter of it is written."""

_BLANKS = re.compile(r"\s++")


def _collapse(text: str) -> str:
    return _BLANKS.sub(" ", text).strip()


class _PrefixIndex:
    """Finds the longest of many words that a text starts with, by one binary search."""

    def __init__(self, words: Iterable[str]) -> None:
        self._words = sorted(words)
        self._shorter: list[int] = []
        """Per word the place of the longest other word it starts with, -1 if there is none."""
        open_words: list[int] = []
        for place, word in enumerate(self._words):
            while open_words and not word.startswith(self._words[open_words[-1]]):
                open_words.pop()
            self._shorter.append(open_words[-1] if open_words else -1)
            open_words.append(place)

    def longest(self, text: str) -> str | None:
        # Every word that starts the text also starts each word sorted between itself and the text.
        place = bisect_right(self._words, text) - 1
        while place >= 0:
            if text.startswith(self._words[place]):
                return self._words[place]
            place = self._shorter[place]
        return None


class NameIndex:
    """Names to be recognized in a text without regard to case. Of two spellings the first given counts."""

    def __init__(self, names: Iterable[str]) -> None:
        self._spelling: dict[str, str] = {}
        for name in names:
            if name:
                self._spelling.setdefault(name.lower(), name)
        self._starts = _PrefixIndex(self._spelling)
        self._ends = _PrefixIndex(word[::-1] for word in self._spelling)
        self._longest = max(map(len, self._spelling), default=0)

    def get(self, text: str) -> str | None:
        """The name that is the text."""
        return self._spelling.get(text.lower()) if len(text) <= self._longest else None

    def starting(self, text: str) -> str | None:
        """The longest name the text starts with, be it within a word."""
        word = self._starts.longest(text[: self._longest + _MARGIN].lower())
        return None if word is None else self._spelling[word]

    def ending(self, text: str) -> str | None:
        """The longest name the text ends with, be it within a word."""
        word = self._ends.longest(text[-self._longest - _MARGIN :].lower()[::-1])
        return None if word is None else self._spelling[word[::-1]]

    def within(self, text: str) -> str | None:
        """The longest name anywhere in the text, the first of several."""
        lower = text.lower()
        found = (self._starts.longest(lower[start : start + self._longest]) for start in range(len(lower)))
        word = max((word for word in found if word), key=len, default=None)
        return None if word is None else self._spelling[word]


@dataclass(frozen=True, slots=True)
class DatabaseNames:
    """Every name a sandbox has for a place or city: what a name in a plan is cleaned towards."""

    exact: frozenset[str]
    index: NameIndex

    @classmethod
    def of(cls, names: Iterable[str]) -> "DatabaseNames":
        """These names, each with its runs of blanks made one."""
        collapsed = list(dict.fromkeys(filter(None, map(_collapse, names))))
        return cls(frozenset(collapsed), NameIndex(collapsed))


NO_NAMES = DatabaseNames.of(())
"""For an answer whose sandbox is not at hand: names are then known from the plan alone."""

_SERVICE_COLUMNS = ("dep_station_name", "arr_station_name", "origin_city", "destination_city")


def database_names(files: SandboxFiles) -> DatabaseNames:
    """The names in the tables of a task's own sandbox; city-level data adds none."""
    sample = files.sample
    columns = (
        (sample.hotels, ("name",)),
        (sample.attractions, ("attraction_name",)),
        (sample.restaurants, ("restaurant_name",)),
        (sample.locations, ("poi_name",)),
        (sample.aliases, ("alias", "canonical_name")),
        (sample.flights, _SERVICE_COLUMNS),
        (sample.trains, _SERVICE_COLUMNS),
    )
    # The tables of services repeat few names in many rows: collapse blanks once per name.
    cells = dict.fromkeys(row.get(column, "") for table, names in columns for row in table for column in names)
    return DatabaseNames.of(cells)


class KnownNames:
    """The names of the sandbox together with those a plan introduces itself."""

    def __init__(self, database: DatabaseNames, plan: Iterable[str] = ()) -> None:
        self._database = database
        self._plan = NameIndex(plan)
        self._cleaned: dict[str, str] = {}

    def get(self, text: str) -> str | None:
        """The known spelling of a text that is a name; the sandbox's before the plan's own."""
        return self._database.index.get(text) or self._plan.get(text)

    def starting(self, text: str) -> str | None:
        """The longest known name the text starts with."""
        return _longer(self._database.index.starting(text), self._plan.starting(text))

    def ending(self, text: str) -> str | None:
        """The longest known name the text ends with."""
        return _longer(self._database.index.ending(text), self._plan.ending(text))

    def within(self, text: str) -> str | None:
        """The longest known name anywhere in the text."""
        return _longer(self._database.index.within(text), self._plan.within(text))

    def clean(self, text: str) -> str:
        """The text without brackets, prices and words around a name, as far as a name of the sandbox comes out.

        Without a sandbox, what comes out must be a name the plan introduces.
        """
        if text not in self._cleaned:
            self._cleaned[text] = self._clean(text)
        return self._cleaned[text]

    def _clean(self, text: str) -> str:
        plain = _plain(text)
        accept = self._accepted_exactly if self._database.exact else self._plan.get
        candidates = (accept(candidate) for candidate in _candidates(plain))
        return next((name for name in candidates if name), plain)

    def _accepted_exactly(self, candidate: str) -> str | None:
        return candidate if candidate in self._database.exact else None


def _longer(database: str | None, plan: str | None) -> str | None:
    if database and plan:
        return plan if len(plan) > len(database) else database
    return database or plan


_ROOM_COUNT = re.compile(r"\(\s*+\d++\s*+rooms?\s*+\)\Z", re.IGNORECASE)
_PRICE_NOTE = re.compile(r"\((?=[^()]*(?:[¥￥]|\b(?:rmb|yuan|rooms?)\b))[^()]*+\)\Z", re.IGNORECASE)
_TICKET_NOTE = re.compile(
    r"""[,，]\s*+(?: free\ entry | free\ admission | no\ ticket | required\ ticket | ticket:?\s*+\d++(?:\.\d++)?
      | [¥￥]\s*+\d++(?:[.,]\d++)*+(?:/person)? )\Z""",
    re.IGNORECASE | re.VERBOSE,
)
_LEAD_IN = re.compile(
    r"""(?: (?:check-in|stay|rest|overnight|breakfast|lunch|dinner|meal|eat)\ at\s
      | (?:accommodation|hotel)(?::|\s) | visit\ to\s | visit\s | go\ to\s )\s*+""",
    re.IGNORECASE | re.VERBOSE,
)
_PARENTHESIS = re.compile(r"\([^()]*+\)\Z")
_UNCLOSED = re.compile(r"\([^()]*+\Z")
_NEAR = re.compile(r"(?:near|nearby|around|vicinity of)\s++", re.IGNORECASE)
_AREA = re.compile(r"\s(?:area|vicinity|nearby)\Z", re.IGNORECASE)


def _plain(text: str) -> str:
    name = _collapse(text).removeprefix("[").removesuffix("]").strip()
    for note in (_ROOM_COUNT, _PRICE_NOTE, _TICKET_NOTE):
        name = _without(note, name)
    return name


def _candidates(plain: str) -> Iterator[str]:
    """What may be the name in a text, most trusted first."""
    yield plain
    lead_in = _LEAD_IN.match(plain)
    bare = plain[lead_in.end() :] if lead_in else plain
    yield _without(_PARENTHESIS, bare)
    yield _without(_UNCLOSED, bare)
    yield bare
    near = _NEAR.match(plain)
    yield plain[near.end() :] if near else plain
    yield _without(_AREA, plain)
    yield _without(_PARENTHESIS, plain)
    yield _without(_UNCLOSED, plain)


def _without(ending: re.Pattern[str], text: str) -> str:
    """The text without an ending that the pattern describes, and without blanks before it."""
    found = ending.search(text)
    return text[: found.start()].rstrip() if found else text
