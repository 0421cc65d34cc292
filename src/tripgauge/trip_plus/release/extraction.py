"""Which part of a model's last message is its report, and under which tag the published runner stores it.

(published code, agent loop; the sentence stored for a message without any report is ours)
"""

import re
from dataclasses import dataclass

from tripgauge.trip_plus.itinerary import Mode

FAILURE_REPORT = "<plan>\nThe agent gave no answer that could be read as an itinerary.\n</plan>"
"""What is stored when nothing could be extracted: a plan that conversion calls malformed."""


@dataclass(frozen=True, slots=True)
class _Tags:
    """How a mode's tags are found: any case, attributes in opening tags, no blank in closing tags."""

    opening: re.Pattern[str]
    closing: re.Pattern[str]

    @classmethod
    def of(cls, mode: Mode) -> "_Tags":
        return cls(re.compile(rf"<{mode}\b[^>]*>", re.IGNORECASE), re.compile(rf"</{mode}>", re.IGNORECASE))


_TAGS = {mode: _Tags.of(mode) for mode in Mode}

_THINKING_END = "</think>"
_CHANNEL_MARKER = re.compile(r"<\|channel>\s*+thought|<channel\|>")
_TOOL_CALL = re.compile(r"<\|tool_call>.*?(?:<tool_call\|>|\Z)", re.DOTALL)
_FENCE = re.compile(r"```[\w+-]*+[^\S\n]*+\n(.*?)```", re.DOTALL)
_ITINERARY_TRACE = re.compile(
    r"""^[^\S\n]*+day\s++\d++\s*+:
      | ^[^\S\n]*+\d{1,2}:\d{2}\s*+-\s*+\d{1,2}:\d{2}\s*+\|
      | \|\s*+(?:travel_intercity_public|travel_city|attraction|meal|hotel|buffer)\s*+\|
      | budget\ summary
      | total\ estimated\ budget""",
    re.IGNORECASE | re.MULTILINE | re.VERBOSE,
)
_QUESTION = re.compile(
    r"""\b(?: clarify | clarification | please\ confirm | could\ you\ please | would\ you\ (?:like|prefer)
      | do\ you\ (?:want|prefer|have) | should\ I | before\ finali[sz]ing | which\ option | let\ me\ know
      | proceed\ with )\b""",
    re.IGNORECASE | re.VERBOSE,
)


def extract(text: str) -> str | None:
    """The report in a model's last message, in the tag of its mode; None if nothing is left to report.

    A closed clarification comes before a closed refusal and both before a plan, wherever they stand. A text without
    any tag is a plan, or a clarification if it only asks.
    """
    answer = _without_reasoning(text)
    for mode in (Mode.CLARIFICATION, Mode.NO_SOLUTION):
        body = _closed_body(answer, mode)
        if body:
            refusal = _closed_body(body, Mode.NO_SOLUTION)
            return tagged(Mode.NO_SOLUTION, refusal) if refusal else tagged(mode, body)
    body = _last_body(answer, Mode.PLAN) or _last_fenced(answer) or answer
    if not body:
        return None
    if _QUESTION.search(body) and not _ITINERARY_TRACE.search(body):
        return tagged(Mode.CLARIFICATION, body)
    return body if body.lower().startswith("<plan") else tagged(Mode.PLAN, body)


def stored_report(text: str) -> str:
    """What the runner writes to its `reports/` folder for a model's last message."""
    return extract(text) or FAILURE_REPORT


def tagged(mode: Mode, body: str) -> str:
    """A body between the tags of its mode, each on a line of its own."""
    return f"<{mode}>\n{body}\n</{mode}>"


def _without_reasoning(text: str) -> str:
    answer = text.rpartition(_THINKING_END)[2]
    answer = _TOOL_CALL.sub("", _CHANNEL_MARKER.sub("", answer)).strip()
    return "" if _TAGS[Mode.PLAN].opening.fullmatch(answer) else answer


def _closed_body(text: str, mode: Mode) -> str:
    """The body behind the last opening tag, provided that some opening tag of the mode is closed at all."""
    openings = _openings(text, mode)
    closed = bool(openings) and _TAGS[mode].closing.search(text, openings[0].end()) is not None
    return _last_body(text, mode) if closed else ""


def _last_body(text: str, mode: Mode) -> str:
    """From the last opening tag to the next closing tag, or to the end; empty without an opening tag."""
    openings = _openings(text, mode)
    if not openings:
        return ""
    start = openings[-1].end()
    closing = _TAGS[mode].closing.search(text, start)
    return text[start : closing.start() if closing else len(text)].strip()


def _openings(text: str, mode: Mode) -> list[re.Match[str]]:
    # No tag ends behind the last ">": looking further would cost a scan of the rest for each unfinished tag.
    return list(_TAGS[mode].opening.finditer(text, 0, text.rfind(">") + 1))


def _last_fenced(text: str) -> str:
    bodies = [body.strip() for body in _FENCE.findall(text)]
    return next((body for body in reversed(bodies) if body), "")
