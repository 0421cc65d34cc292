"""Routes in plan lines: where "A - B" is cut in two, also where a name has a dash of its own. (Trip+ B.1)"""

import re
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass

from tripgauge.trip_plus.notation.line_fields import clean_name

_LONGEST_CHAIN = 6


@dataclass(frozen=True, slots=True)
class Route:
    """Where from and where to; "" where the text does not say."""

    origin: str
    destination: str


_ARROW = re.compile(r"\s*(?:(?:[-–—=]+)?>|[→⟶➔➜⇒])\s*")
_SPACED_DASH = re.compile(r"\s+[-‐‑‒–—―−]+\s+")
_TO = re.compile(r"\s+to\s+", re.IGNORECASE)
_CUTS = (
    (re.compile(r"[>→⟶➔➜⇒]"), _ARROW),
    (re.compile(r"\s[-‐‑‒–—―−]"), _SPACED_DASH),
    (re.compile(r"\s[Tt][Oo]\s"), _TO),
)
"""Kinds of separator from the strongest to the weakest, each with a quick sign that there may be one."""
_TIGHT_DASH = re.compile(r"(?<=\w)\s*[–—]\s*(?=\w)|(?<=[\w)])-(?=[A-Z])")
_FROM = re.compile(r"from\s+", re.IGNORECASE)


def route_cuts(text: str) -> list[re.Match[str]]:
    """Where a route may be cut in two, by the strongest kind of separator it has, outside brackets."""
    bracketed = "(" in text or "（" in text
    for sign, pattern in _CUTS:
        if not sign.search(text):
            continue
        found = list(pattern.finditer(text))
        if found and bracketed:
            found = [match for match in found if _outside_brackets(text, match.start())]
        if found:
            return found
    return []


def looks_cuttable(name: str) -> bool:
    """Whether a name has a dash in it that could be taken for the one between the ends of a route."""
    return _SPACED_DASH.search(name) is not None


def _outside_brackets(text: str, place: int) -> bool:
    before = text[:place]
    return before.count("(") + before.count("（") <= before.count(")") + before.count("）")


def split_route(text: str, names: Container[str]) -> Route | None:
    """Both ends of "A - B", "A -> B" or "from A to B"; None if the text names no two places.

    Of several separators the one that leaves the most known names wins, then the longer ones, then the first. A chain
    A - B - C whose outer places are known goes from the first to the last.
    """
    text = _FROM.sub("", text, count=1) if text[:1] in "fF" else text
    cuts = route_cuts(text)
    if len(cuts) == 1:
        return _ends(text, cuts[0], cuts[0])
    if not cuts:
        tight = list(_TIGHT_DASH.finditer(text))
        return _ends(text, tight[0], tight[0]) if len(tight) == 1 else None
    best = max(cuts, key=lambda cut: (_known(_ends(text, cut, cut), names), -cut.start()))
    if len(cuts) <= _LONGEST_CHAIN and _known(_ends(text, best, best), names)[0] < 2:
        for first, last in _outer(cuts):
            if _known(_ends(text, first, last), names)[0] == 2:
                return _ends(text, first, last)
    return _ends(text, best, best)


def _ends(text: str, first: re.Match[str], last: re.Match[str]) -> Route:
    return Route(clean_name(text[: first.start()]), clean_name(text[last.end() :]))


def _outer(cuts: Sequence[re.Match[str]]) -> Iterator[tuple[re.Match[str], re.Match[str]]]:
    return ((first, last) for i, first in enumerate(cuts) for last in reversed(cuts[i + 1 :]))


def _known(route: Route, names: Container[str]) -> tuple[int, int]:
    known = [name for name in (route.origin, route.destination) if name in names]
    return len(known), sum(len(name) for name in known)
