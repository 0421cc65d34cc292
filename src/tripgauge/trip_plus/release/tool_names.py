"""How the published tools compare names: compacted, and for stations and airports by likeness."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache

from tripgauge.trip_plus.sandbox.files import Row

_MISSING = frozenset(
    ("", "#N/A", "#N/A N/A", "#NA", "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND", "1.#QNAN", "<NA>", "N/A", "NA")
) | {"NULL", "NaN", "None", "n/a", "nan", "null"}


def cell(row: Row, column: str) -> str:
    """The text of a cell; empty where the published reader takes it for missing."""
    text = row.get(column, "")
    return "" if text in _MISSING else text


def compact(name: str) -> str:
    """The name without blanks, with ASCII brackets."""
    return re.sub(r"[ \u3000]+", "", name.strip()).replace("（", "(").replace("）", ")")


@lru_cache(maxsize=65536)
def compact_lower(name: str) -> str:
    """The same without regard to case."""
    return compact(name).lower()


_FOOD_AND_BEDS = re.compile(r"\b(hotel|restaurant|cafe|coffee|buffet|cuisine|dining|lounge|bistro|bar)\b")
_HUB_SOURCES = ("city_subway", "transport_hub", "route_station_name")
_HUB_TYPES = ("station", "airport", "subway", "railway", "transport")
_OTHER_TYPES = ("hotel", "restaurant", "attraction")
_COMPASS = ("north", "south", "east", "west")
_COMPASS_WORD = re.compile(r"\b(north|south|east|west)\b")
_LIKENESS = 0.86


@dataclass(frozen=True)
class Hub:
    """A row that may be taken for a station or airport of a similar name."""

    lower: str
    core: str


def hub(name: str, kind: str = "", source: str = "") -> Hub | None:
    """The hub a row is; None if it is none."""
    lower, kind = name.lower(), kind.lower()
    if any(word in kind for word in _OTHER_TYPES) or _FOOD_AND_BEDS.search(lower):
        return None
    named = "airport" in lower or "station" in lower
    if any(word in kind for word in _HUB_TYPES) or source in _HUB_SOURCES or named:
        return Hub(lower, hub_core(lower))
    return None


@lru_cache(maxsize=65536)
def hub_core(name: str) -> str:
    """What of a hub's name tells it from others."""
    text = re.sub(r"\bterminal\s*\d+\b|\bt\d+\b", " ", name.lower())
    text = re.sub(r"\b(international|railway|railroad|train|station)\b", " ", text)
    return re.sub(r"[\W_]+", "", text)


def is_like(query: str, other: Hub) -> bool:
    """Whether a query may mean that hub."""
    lower = query.lower()
    if "airport" in lower and "airport" in other.lower:
        asked, row = hub_core(lower).replace("airport", ""), other.core.replace("airport", "")
        return bool(asked and row) and (_alike(asked, row) or _ratio(asked, row) >= _LIKENESS)
    if not ("station" in lower or "railway" in lower or _COMPASS_WORD.search(lower)):
        return False
    asked, row = hub_core(lower), other.core
    if not asked or not row:
        return False
    if asked in _COMPASS or row in _COMPASS or not ("station" in other.lower or "railway" in other.lower):
        return asked == row
    return _alike(asked, row)


def _alike(asked: str, row: str) -> bool:
    if asked == row or asked in row or row in asked:
        return True
    lengths = range(max(4, len(asked) - 2), min(len(row), len(asked) + 4) + 1)
    return any(_ratio(asked, row[-length:]) >= _LIKENESS for length in lengths)


def _ratio(a: str, b: str) -> float:
    if 2 * min(len(a), len(b)) < _LIKENESS * (len(a) + len(b)):
        return 0.0  # No two texts of such lengths are that alike.
    return SequenceMatcher(None, a, b).ratio()


def alias_keys(aliases: Mapping[str, str], name: str) -> str | None:
    """The canonical name a text is an alias of, by itself or compacted."""
    return aliases.get(name.strip()) or aliases.get(compact(name))
