"""Which of the three modes an answer is in: a plan, a clarification, or no solution. (Trip+ 2.3; plan notation)

An answer commits to one mode. Tags that merely occur in prose or between quotes do not count; two bodies of different
modes, or two plans, are a fault of the whole answer, whichever comes first.
"""

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from tripgauge.trip_plus.itinerary import Fault, Mode

_TAG = re.compile(r"<(?P<close>/?)\s*(?P<mode>plan|clarification|no[_ -]solution)\b[^<>]*>", re.IGNORECASE)
_TOOL_CALL = re.compile(r"<\|tool_call>.*?<tool_call\|>", re.DOTALL)
_CHANNEL = re.compile(r"<\|channel>\s*thought|<channel\|>")
_THINK_END = re.compile(r"</think(?:ing)?>", re.IGNORECASE)
_THINK_START = re.compile(r"\s*<think(?:ing)?>", re.IGNORECASE)
_LONGEST_MARKS = 200
"""Characters of blanks and marks that a line may have around a tag."""

_QUOTES = frozenset("\"'`“”‘’「」«»")


@dataclass(frozen=True, slots=True)
class ModeBody:
    """The one mode an answer commits to, and what stands in it."""

    mode: Mode
    text: str


@dataclass(frozen=True, slots=True)
class _Block:
    mode: Mode
    start: int
    """Of the opening tag."""

    body: int
    body_end: int
    end: int
    """Of the closing tag."""


def without_thoughts(text: str) -> str:
    """The answer proper: what comes after thinking, without finished tool calls and channel marks."""
    closes = list(_THINK_END.finditer(text))
    if closes:
        text = text[closes[-1].end() :]
    elif _THINK_START.match(text):
        return ""
    if "<|" in text or "|>" in text:
        text = _CHANNEL.sub("", _TOOL_CALL.sub("", text))
    return text.strip()


def find_mode(answer: str) -> ModeBody | Fault | None:
    """The mode and body of an answer; a fault if it has none, several or an empty one; None if it has no tags."""
    blocks = _blocks(answer)
    if not blocks:
        return None
    filled = [(block.mode, answer[block.body : block.body_end].strip()) for block in blocks]
    filled = [(mode, body) for mode, body in filled if body]
    if not filled:
        mode = blocks[0].mode
        return Fault("response", answer[blocks[0].start : blocks[0].end], f"empty {mode.replace('_', ' ')}")
    modes = list(dict.fromkeys(mode for mode, _ in filled))
    if len(modes) > 1:
        return Fault("response", ", ".join(modes), "more than one response mode")
    if modes[0] is Mode.PLAN and len(filled) > 1:
        return Fault("response", f"{len(filled)} plans", "more than one plan")
    return ModeBody(modes[0], "\n".join(body for _, body in filled))


def _blocks(answer: str) -> list[_Block]:
    """The blocks that count, in order: those not inside another, and those inside one on lines of their own."""
    closed, unclosed = _paired(answer)
    inside = _Cover(closed)
    blocks = [
        block for block in closed if _starts_line(answer, block.start) or not inside.covers(block.start, block.end)
    ]
    inside = _Cover(blocks)
    lone = [
        tag
        for tag in unclosed
        if (_starts_line(answer, tag.start()) or _ends_line(answer, tag.end()))
        and not inside.covers(tag.start(), tag.start() + 1)
    ]
    stops = sorted([*(block.start for block in blocks), *(tag.start() for tag in lone), len(answer)])
    for tag in lone:
        stop = stops[bisect_right(stops, tag.start())]
        blocks.append(_Block(_mode(tag), tag.start(), tag.end(), stop, stop))
    return sorted(blocks, key=lambda block: block.start)


class _Cover:
    """What lies inside the bodies of blocks, told quickly however many there are."""

    def __init__(self, blocks: Sequence[_Block]) -> None:
        ordered = sorted(blocks, key=lambda block: block.body)
        self._begins = [block.body for block in ordered]
        self._reaches = list(accumulate((block.body_end for block in ordered), max))

    def covers(self, start: int, end: int) -> bool:
        """Whether some body holds all from start to end."""
        before = bisect_right(self._begins, start)
        return before > 0 and end <= self._reaches[before - 1]


def _paired(answer: str) -> tuple[list[_Block], list[re.Match[str]]]:
    """Closing tags with the nearest opening before them, and openings that are never closed."""
    blocks: list[_Block] = []
    open_tags: dict[Mode, re.Match[str]] = {}
    unclosed = []
    for tag in _TAG.finditer(answer):
        if _quoted(answer, tag):
            continue
        mode = _mode(tag)
        opening = open_tags.pop(mode, None)
        if not tag["close"]:
            if opening:
                unclosed.append(opening)
            open_tags[mode] = tag
        elif opening:
            blocks.append(_Block(mode, opening.start(), opening.end(), tag.start(), tag.end()))
    return blocks, [*unclosed, *open_tags.values()]


def _mode(tag: re.Match[str]) -> Mode:
    return Mode(re.sub("[ -]", "_", tag["mode"].lower()))


def _quoted(answer: str, tag: re.Match[str]) -> bool:
    """Whether the tag is being talked about: a quote opens right before it, or closes right after a closing tag."""
    before, after = answer[max(tag.start() - 3, 0) : tag.start()], answer[tag.end() : tag.end() + 3]
    if tag["close"]:
        return after[:1] in _QUOTES and after != "```" if after else False
    return before[-1:] in _QUOTES and before != "```" if before else False


def _starts_line(answer: str, place: int) -> bool:
    begins = max(place - _LONGEST_MARKS, 0)
    line = answer[answer.rfind("\n", begins, place) + 1 or begins : place]
    return len(line) < _LONGEST_MARKS and not line.strip(" \t\r*>#`")


def _ends_line(answer: str, place: int) -> bool:
    end = answer.find("\n", place, place + _LONGEST_MARKS)
    return end >= 0 and not answer[place:end].strip(" \t\r*`")
