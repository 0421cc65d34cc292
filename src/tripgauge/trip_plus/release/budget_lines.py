"""The amounts a plan's budget summary states, as the published conversion finds them. (published code, conversion)"""

import re

from tripgauge.trip_plus.release.line_grammar import AMOUNT, read_amount

_SUMMARY = re.compile(r"budget\s++summary", re.IGNORECASE)
_TRIP_TOTAL = re.compile(rf"total\s++trip\s++estimated\s++budget\s*+:\s*+{AMOUNT}", re.IGNORECASE)


def _labeled(label: str) -> re.Pattern[str]:
    return re.compile(rf"{label}\s*+\*{{0,3}}+\s*+:\s*+\*{{0,3}}+\s*+[¥￥]?+\s*+{AMOUNT}", re.IGNORECASE)


_LABELS = {
    "transportation": _labeled("transportation"),
    "accommodation": _labeled("accommodation"),
    "meals": _labeled("meals"),
    "attractions_and_tickets": _labeled(r"attractions\s*+&\s*+tickets"),
    "other": _labeled("other"),
    "total_estimated_budget": _labeled(r"total\s++estimated\s++budget"),
}
"""Keys of the summary in the converted plan, and how a line names them; other text may stand before."""


def read_budget(body: str) -> dict[str, object] | None:
    """The summary behind the last words "budget summary" in a plan, days after them included; None without the words.

    Where the words stand twice and a total of the whole trip is named, that total is all there is.
    """
    places = [found.end() for found in _SUMMARY.finditer(body)]
    if not places:
        return None
    trip_total = _last_amount(_TRIP_TOTAL, body, 0) if len(places) > 1 else None
    if trip_total is not None:
        return {"currency": "CNY", "total_estimated_budget": trip_total, "other": 0}
    amounts = {key: _last_amount(pattern, body, places[-1]) for key, pattern in _LABELS.items()}
    amounts["other"] = amounts["other"] or 0
    return {"currency": "CNY"} | {key: amount for key, amount in amounts.items() if amount is not None}


def _last_amount(pattern: re.Pattern[str], body: str, start: int) -> int | float | None:
    amounts = [found[1] for found in pattern.finditer(body, start)]
    return read_amount(amounts[-1]) if amounts else None
