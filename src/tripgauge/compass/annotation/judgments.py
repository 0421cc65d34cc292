"""What people say of simulated users, and the figures of it: five errors, critical ones, two scales (spec 12)."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Annotated

from tripgauge.codec import Between, decode_json_lines
from tripgauge.compass.annotation.packets import Packet
from tripgauge.compass.rates import Rate, Spread
from tripgauge.errors import UsageError
from tripgauge.report.table import Cell, Table

ERRORS: Mapping[str, str] = {
    "hallucination": "adds a requirement or preference that is not in the script",
    "not_revealed": "was told to reveal a requirement and did not",
    "unclear": "revealed it so that it sounds optional",
    "wrong_check": "claims a violation that does not exist",
    "not_repeated": "was told to restate the requirements and did not",
}
"""Errors 1 to 5, each yes or no; the sixth, any other critical fault, is a free text."""

MECHANICAL: Mapping[str, str] = {
    "hallucination": "invented",
    "not_revealed": "not_revealed",
    "unclear": "unclear",
    "wrong_check": "wrong_check",
    "not_repeated": "not_repeated",
}
"""What the mechanical check calls each of them."""

SCALES: Mapping[str, str] = {
    "clarity": "Are must-haves, the objective and complaints unmistakable? Below 3 the agent may be misled.",
    "appropriateness": "Does the turn fit the conversation?",
}
GRADES = {5: "excellent", 4: "good", 3: "acceptable", 2: "poor", 1: "critical"}

DUTIES = (
    "states the objective",
    "reveals requirements when told to",
    "verifies recommendations",
    "answers questions",
    "restates requirements when told to",
    "asks for formal recommendations",
    "never invents facts",
)

Grade = Annotated[int, Between(1, 5)]


@dataclass(frozen=True)
class Judgment:
    """What one person says of one utterance."""

    packet: str
    annotator: str
    hallucination: bool
    not_revealed: bool
    unclear: bool
    wrong_check: bool
    not_repeated: bool
    critical: str
    """Another serious fault in words; "" if there is none."""

    clarity: Grade
    appropriateness: Grade
    remark: str = ""

    def has(self, error: str) -> bool:
        """Whether it names an error of `ERRORS`."""
        return {
            "hallucination": self.hallucination,
            "not_revealed": self.not_revealed,
            "unclear": self.unclear,
            "wrong_check": self.wrong_check,
            "not_repeated": self.not_repeated,
        }[error]


def read_judgments(paths: Sequence[Path], packets: Sequence[Packet]) -> tuple[Judgment, ...]:
    """The judgments of some files, such as one of each annotator.

    Raises UsageError for one about no packet, or two by the same person about the same packet.
    """
    known = {packet.id for packet in packets}
    seen: dict[tuple[str, str], Path] = {}
    found = []
    for path in paths:
        for judgment in decode_json_lines(Judgment, path):
            if judgment.packet not in known:
                raise UsageError(f"{path}: there is no packet {judgment.packet} to be judged.")
            key = (judgment.packet, judgment.annotator)
            if key in seen:
                raise UsageError(f"{path}: {judgment.annotator} has judged {judgment.packet} before, in {seen[key]}.")
            seen[key] = path
            found.append(judgment)
    return tuple(found)


# ---------------------------------------------------------------------------------------------------------------
# Figures


def error_rate(judgments: Iterable[Judgment], error: str) -> Rate:
    """The share of judgments that name an error."""
    return Rate.of(judgments, lambda judgment: judgment.has(error))


def critical_rate(judgments: Iterable[Judgment]) -> Rate:
    """Error 6: the share with a critical fault of another kind."""
    return Rate.of(judgments, lambda judgment: bool(judgment.critical.strip()))


def misleading_rate(judgments: Iterable[Judgment]) -> Rate:
    """The share with a clarity below 3."""
    return Rate.of(judgments, lambda judgment: judgment.clarity < 3)


def mechanical_rate(packets: Iterable[Packet], error: str) -> Rate:
    """The share of utterances in which the mechanical check finds an error."""
    return Rate.of(packets, lambda packet: _is_found(packet, error))


def _is_found(packet: Packet, error: str) -> bool:
    return any(found.startswith(f"{MECHANICAL[error]}:") for found in packet.mechanical)


def agreement(judgments: Sequence[Judgment], says: Callable[[Judgment], object]) -> Rate:
    """The share of pairs of judgments of the same utterance, by different people, that say the same."""
    by_packet: dict[str, list[Judgment]] = defaultdict(list)
    for judgment in judgments:
        by_packet[judgment.packet].append(judgment)
    pairs = [pair for found in by_packet.values() for pair in combinations(found, 2)]
    return Rate.of(pairs, lambda pair: says(pair[0]) == says(pair[1]))


def tables(packets: Sequence[Packet], judgments: Sequence[Judgment]) -> tuple[Table, Table]:
    """The scales and the errors."""
    return _scales(packets, judgments), _errors(packets, judgments)


def _scales(packets: Sequence[Packet], judgments: Sequence[Judgment]) -> Table:
    rows: list[tuple[Cell, ...]] = []
    grades: dict[str, Callable[[Judgment], int]] = {
        "clarity": lambda judgment: judgment.clarity,
        "appropriateness": lambda judgment: judgment.appropriateness,
    }
    for name, grade in grades.items():
        spread = Spread.of(map(grade, judgments))
        same = agreement(judgments, grade).value
        if spread:
            low, high = spread.quartiles
            rows.append((name, spread.mean, spread.std, spread.median, low, high, spread.least, same))
    judged = len({judgment.packet for judgment in judgments})
    people = len({judgment.annotator for judgment in judgments})
    notes = (f"{judged} of {len(packets)} utterances judged by {people} people, {len(judgments)} judgments.",)
    columns = ("scale", "mean", "std", "median", "lower quartile", "upper", "least", "agreement")
    return Table("Scales", columns, tuple(rows), notes)


def _errors(packets: Sequence[Packet], judgments: Sequence[Judgment]) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for error, meaning in ERRORS.items():
        rate, checked = error_rate(judgments, error), mechanical_rate(packets, error)
        same = agreement(judgments, lambda judgment, error=error: judgment.has(error)).value  # type: ignore[misc]
        rows.append((error.replace("_", " "), rate.value, rate.shown, same, checked.value, meaning))
    for name, rate in (("critical", critical_rate(judgments)), ("clarity below 3", misleading_rate(judgments))):
        rows.append((name, rate.value, rate.shown, None, None, ""))
    columns = ("error", "share", "of", "agreement", "mechanical check", "meaning")
    return Table("Errors", columns, tuple(rows))
