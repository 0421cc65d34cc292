"""Which part of a model's last message is its report, and under which tag the published runner stores it.

(published code, agent loop; the sentence stored for a message without any report is ours)
"""

import re
from dataclasses import dataclass

PLAN = "plan"
CLARIFICATION = "clarification"
NO_SOLUTION = "no_solution"

FAILURE_REPORT = "<plan>\nThe agent gave no answer that could be read as an itinerary.\n</plan>"
"""What is stored when nothing could be extracted: a plan that conversion calls malformed."""


@dataclass(frozen=True, slots=True)
class _Tags:
    """How a mode's tags are found: any case, attributes in opening tags, no blank in closing tags."""

    opening: re.Pattern[str]
    closing: re.Pattern[str]

    @classmethod
    def of(cls, mode: str) -> "_Tags":
        return cls(re.compile(rf"<{mode}\b[^>]*>", re.IGNORECASE), re.compile(rf"</{mode}>", re.IGNORECASE))


_TAGS = {mode: _Tags.of(mode) for mode in (PLAN, CLARIFICATION, NO_SOLUTION)}

_THINKING_END = "</think>"
_CHANNEL_MARKER = re.compile(r"<\|channel>\s*+thought|<channel\|>")
_TOOL_CALL = re.compile(r"<\|tool_call>.*?(?:<tool_call\|>|\Z)", re.DOTALL)
_FENCE = re.compile(r"```[\w+-]*+[^\S\n]*+\n(.*?)```", re.DOTALL)
_ITINERARY_TRACE = re.compile(
    r"""^\s*+day\s++\d++\s*+:
      | ^\s*+\d{1,2}:\d{2}\s*+-\s*+\d{1,2}:\d{2}\s*+\|
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
    for mode in (CLARIFICATION, NO_SOLUTION):
        body = _closed_body(answer, mode)
        if body:
            refusal = _closed_body(body, NO_SOLUTION)
            return _tagged(NO_SOLUTION, refusal) if refusal else _tagged(mode, body)
    body = _last_body(answer, PLAN) or _last_fenced(answer) or answer
    if not body:
        return None
    if _QUESTION.search(body) and not _ITINERARY_TRACE.search(body):
        return _tagged(CLARIFICATION, body)
    return body if body.lower().startswith("<plan") else _tagged(PLAN, body)


def stored_report(text: str) -> str:
    """What the runner writes to its `reports/` folder for a model's last message."""
    return extract(text) or FAILURE_REPORT


def _without_reasoning(text: str) -> str:
    answer = text.rpartition(_THINKING_END)[2]
    answer = _TOOL_CALL.sub("", _CHANNEL_MARKER.sub("", answer)).strip()
    return "" if _TAGS[PLAN].opening.fullmatch(answer) else answer


def _closed_body(text: str, mode: str) -> str:
    """The body behind the last opening tag, provided that some opening tag of the mode is closed at all."""
    tags = _TAGS[mode]
    first = tags.opening.search(text)
    if first is None or tags.closing.search(text, first.end()) is None:
        return ""
    return _last_body(text, mode)


def _last_body(text: str, mode: str) -> str:
    """From the last opening tag to the next closing tag, or to the end; empty without an opening tag."""
    tags = _TAGS[mode]
    # No tag ends behind the last ">": looking further would cost a scan of the rest for each unfinished tag.
    openings = list(tags.opening.finditer(text, 0, text.rfind(">") + 1))
    if not openings:
        return ""
    start = openings[-1].end()
    closing = tags.closing.search(text, start)
    return text[start : closing.start() if closing else len(text)].strip()


def _last_fenced(text: str) -> str:
    bodies = [body.strip() for body in _FENCE.findall(text)]
    return next((body for body in reversed(bodies) if body), "")


def _tagged(mode: str, body: str) -> str:
    return f"<{mode}>\n{body}\n</{mode}>"
