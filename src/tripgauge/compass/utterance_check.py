"""Whether an utterance keeps to its orders: it says what it must, invents nothing and denies nothing (spec 12).

The faults follow the five errors of the human evaluation, with those added that end conversations wrongly elsewhere.
The scripted voice passes by construction, and tests hold it to that; a model's words pass or are thrown away.
"""

import csv
import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib.resources import files

from tripgauge.compass.constraints import Constraint, stays_of
from tripgauge.compass.objectives import FeatureCount
from tripgauge.compass.orders import Assignment
from tripgauge.compass.topics import (
    FREELY_SPOKEN,
    amounts,
    close_to,
    expresses,
    expresses_objective,
    known_amounts,
    mentioned_types,
    objective_types,
)


class Fault(StrEnum):
    """What an utterance can do wrong: the whole list."""

    EMPTY = "empty"
    """It says nothing."""

    INVENTED = "invented"
    """Error 1: it names a requirement or an amount that is not in the script, or not yet to be told."""

    NOT_REVEALED = "not_revealed"
    """Error 2: it does not tell what it was to tell."""

    UNCLEAR = "unclear"
    """Error 3: it tells it so that it sounds optional."""

    WRONG_CHECK = "wrong_check"
    """Error 4: it complains although nothing was found, or not about what was found."""

    NOT_REPEATED = "not_repeated"
    """Error 5: it does not restate what it was to restate."""

    NOT_ASKED = "not_asked"
    """It does not ask for the recommendation, the correction or the check that it was to ask for."""

    DENIED = "denied"
    """It takes back a requirement, or says that there is nothing more while there is."""

    ENDED = "ended"
    """It accepts or says goodbye: ending is not for the words to decide."""


@dataclass(frozen=True)
class Slip:
    """A fault of one utterance."""

    fault: Fault
    about: str
    """What is wrong, for whoever is to do better. Names nothing that is still to be told."""

    def __str__(self) -> str:
        return f"{self.fault}: {self.about}"


def slips(text: str, assignment: Assignment) -> tuple[Slip, ...]:
    """Everything an utterance does wrong."""
    if not text.strip():
        return (Slip(Fault.EMPTY, "there is no text"),)
    found = (
        *_not_told(text, assignment),
        *_invented(text, assignment),
        *_denied(text, assignment),
        *_not_asked(text, assignment),
        *_wrongly_checked(text, assignment),
        *_ended(text),
    )
    return tuple(dict.fromkeys(found))


def _not_told(text: str, assignment: Assignment) -> Iterator[Slip]:
    orders = assignment.orders
    for constraint in assignment.constraints(orders.tell):
        if not expresses(text, constraint):
            yield Slip(Fault.NOT_REVEALED, f"it does not say that {constraint.words}")
        elif any(_SOFT.search(sentence) and expresses(sentence, constraint) for sentence in _sentences(text)):
            yield Slip(Fault.UNCLEAR, f"it sounds optional that {constraint.words}")
    if orders.turn == 0 and not expresses_objective(text, assignment.objective):
        yield Slip(Fault.NOT_REVEALED, f"it does not say what is wanted most: {assignment.objective.words}")
    if orders.restate:
        for constraint in assignment.constraints(orders.told):
            if not expresses(text, constraint):
                yield Slip(Fault.NOT_REPEATED, f"it does not repeat that {constraint.words}")


def _invented(text: str, assignment: Assignment) -> Iterator[Slip]:
    known = tuple(assignment.known.values())
    allowed = {near for constraint in known for near in close_to(constraint.type)}
    allowed |= {*FREELY_SPOKEN, *objective_types(assignment.objective), *mentioned_types(assignment.backstory)}
    observed = " ".join(complaint.observed for complaint in assignment.orders.complaints)
    allowed |= mentioned_types(observed)
    for type_ in sorted(mentioned_types(_without_names(text, known)) - allowed):
        yield Slip(Fault.INVENTED, f"it speaks of {type_.replace('_', ' ')}, which is not on the list")
    wishes = assignment.objective.wishes if isinstance(assignment.objective, FeatureCount) else ()
    heard = " ".join(exchange.agent for exchange in assignment.history[-1:])
    sums = known_amounts((*known, *wishes)) | amounts(observed) | amounts(heard)
    for amount in sorted(amounts(text) - sums):
        yield Slip(Fault.INVENTED, f"it names ${amount}, which is not on the list")
    for constraint in known:
        yield from _altered(text, constraint)
    named = " ".join((assignment.backstory, heard, observed, *(constraint.words for constraint in known)))
    for park in sorted(set(_parks().findall(text))):
        if park not in named:
            yield Slip(Fault.INVENTED, f"it names {park}, which is not on the list")


def _without_names(text: str, known: tuple[Constraint, ...]) -> str:
    """The text without names that constraints bring along, which may sound like something else."""
    names = {str(name) for constraint in known if isinstance(constraint.value, tuple) for name in constraint.value}
    names |= {constraint.value for constraint in known if isinstance(constraint.value, str)}
    for name in sorted((name for name in names if len(name) > 3), key=len, reverse=True):
        text = re.sub(re.escape(name), "", text, flags=re.IGNORECASE)
    return text


_COUNT = r"(\d[\d,]*(?:\.\d)?|one|two|three|four|five|six|seven|eight|nine|ten)"
_FIGURES = {
    "min_star_rating": re.compile(rf"{_COUNT}[- ]stars?\b", re.IGNORECASE),
    "min_review_score": re.compile(rf"{_COUNT} out of (?:10|ten)", re.IGNORECASE),
    "min_review_count": re.compile(rf"at least {_COUNT} reviews", re.IGNORECASE),
    "guests": re.compile(
        rf"(?:\bwe are|party of|group of) {_COUNT}\b"
        rf"|{_COUNT} (?:of us|travell?ers|guests|people|persons|adults|passengers)\b",
        re.IGNORECASE,
    ),
    "dates": re.compile(rf"{_COUNT} nights?\b", re.IGNORECASE),
}
_NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def _altered(text: str, constraint: Constraint) -> Iterator[Slip]:
    """A requirement told with another figure than it has."""
    figures = _FIGURES.get(constraint.type)
    if figures is None or _WRONG.search(text):
        return
    right = _right_figures(constraint)
    for match in figures.finditer(text):
        if _number(next(filter(None, match.groups()))) not in right:
            yield Slip(Fault.INVENTED, f"it changes a figure: it has to be that {constraint.words}")


def _right_figures(constraint: Constraint) -> frozenset[float]:
    """The figures that the words of a constraint may have."""
    if constraint.type == "dates":
        return frozenset(float(stay.nights) for stay in stays_of(constraint.value))
    assert isinstance(constraint.value, int), constraint
    scale = 10 if constraint.type in ("min_star_rating", "min_review_score") else 1
    return frozenset({constraint.value / scale})


def _number(text: str) -> float:
    word = text.casefold()
    return float(_NUMBERS.index(word) + 1) if word in _NUMBERS else float(text.replace(",", ""))


@cache
def _parks() -> re.Pattern[str]:
    """The names of the parks there are, so that one that was not asked for is noticed."""
    lines = (files("tripgauge.compass") / "data" / "parks.csv").read_text(encoding="utf-8").splitlines()
    names = sorted((row["name"] for row in csv.DictReader(lines)), key=len, reverse=True)
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, names))})\b")


def _denied(text: str, assignment: Assignment) -> Iterator[Slip]:
    if assignment.more_to_come and _NO_MORE.search(text):
        yield Slip(Fault.DENIED, "it says that there are no further requirements")
    known = tuple(assignment.known.values())
    for sentence in _sentences(text):
        if not _TAKEN_BACK.search(sentence):
            continue
        types = mentioned_types(sentence)
        for constraint in known:
            if constraint.type in types:
                yield Slip(Fault.DENIED, f"it takes back that {constraint.words}")


def _not_asked(text: str, assignment: Assignment) -> Iterator[Slip]:
    orders = assignment.orders
    if orders.ask_recommendation and not _RECOMMENDATION.search(text):
        yield Slip(Fault.NOT_ASKED, "it does not ask for a formal recommendation")
    if orders.ask_correction and not _CORRECTION.search(text):
        yield Slip(Fault.NOT_ASKED, "it does not ask for a corrected proposal")
    if orders.ask_check and not _CHECK.search(text):
        yield Slip(Fault.NOT_ASKED, "it does not ask to have the recommendation checked again")


def _wrongly_checked(text: str, assignment: Assignment) -> Iterator[Slip]:
    complaints = assignment.orders.complaints
    if not complaints and _WRONG.search(text):
        yield Slip(Fault.WRONG_CHECK, "it complains about the proposal, and there is nothing to complain about")
    types = mentioned_types(text)
    for complaint in complaints:
        constraint = assignment.known.get(complaint.constraint)
        if constraint is not None and not (constraint.type in types or expresses(text, constraint)):
            yield Slip(Fault.WRONG_CHECK, f"it does not complain that this is broken: {constraint.words}")
    if complaints and not _WRONG.search(text):
        yield Slip(Fault.WRONG_CHECK, "it does not say that the proposal does not fit")


def _ended(text: str) -> Iterator[Slip]:
    if _GOODBYE.search(text):
        yield Slip(Fault.ENDED, "it accepts or says goodbye")


def _sentences(text: str) -> list[str]:
    return [sentence for sentence in re.split(r"(?<=[.!?])\s+|\n+", text) if sentence.strip()]


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(patterns), re.IGNORECASE)


_SOFT = _any(
    r"would be (?:nice|great|lovely|good|a plus|a bonus)", r"if (?:at all )?possible", r"\bideally\b", r"\bmaybe\b",
    r"\bperhaps\b", r"\bpreferabl[ey]\b", r"\bI'?d prefer\b", r"\bwe'?d prefer\b", r"\boptional", r"nice to have",
    r"not (?:a|an)? ?(?:must|essential|requirement|big deal|deal-?breaker)", r"\bhopefully\b", r"don't mind",
)  # fmt: skip
_NO_MORE = _any(
    r"(?:that(?:'s| is)|this is) (?:all|everything)(?! you)\b", r"nothing (?:else|more|further)(?! to add to that)\b",
    r"no (?:other|further|more|additional) (?:requirements?|constraints?|conditions?|wishes|needs|preferences)",
    r"(?:have|has) (?:already )?told you everything", r"don'?t (?:have|need) anything else",
)  # fmt: skip
_TAKEN_BACK = _any(
    r"(?:do|does|did)(?:n'?t| not) (?:really |actually )?(?:need|matter|care|have to|require|insist)",
    r"no longer (?:need|matter|want|require|necessary)", r"not (?:necessary|needed|important|required)\b",
    r"never ?mind", r"forget (?:about|what I said)", r"\bis optional\b", r"(?:can|could) (?:do|live) without",
    r"\bignore\b", r"fine without", r"no need (?:for|of|to have)",
)  # fmt: skip
_WRONG = _any(
    r"\bviolat", r"do(?:es)?(?:n'?t| not) (?:fit|work|meet|match|satisfy|comply)", r"does(?:n'?t| not) have",
    r"\bexceeds?\b", r"over (?:our|my|the) budget", r"too expensive", r"isn'?t what", r"not what (?:I|we) asked",
    r"\bbreaks (?:our|my|the)\b", r"is(?:n'?t| not) (?:acceptable|right|correct)", r"(?:that|this) is wrong",
    r"\bfails?\b", r"\blacks?\b",
)  # fmt: skip
_RECOMMENDATION = _any(r"recommend", r"\bproposal", r"\bpropose", r"formal offer")
_CORRECTION = _any(
    r"correct", r"\bfix", r"\brevis", r"(?:another|different|new|better|updated|adjusted) "
    r"(?:proposal|plan|option|recommendation|package|one)", r"\badjust",
)  # fmt: skip
_CHECK = _any(r"\bcheck", r"\bverif", r"\bconfirm", r"look (?:it )?over again", r"make sure")
_GOODBYE = _any(
    r"\bgood-?bye\b", r"\bbye\b", r"\bI(?:'ll| will)? (?:accept|take it)\b", r"\bwe(?:'ll| will)? (?:accept|take it)\b",
    r"\b(?:let'?s|please|go ahead and) book (?:it|this|that)", r"(?:sounds|looks) (?:perfect|great|good)[^?]*\bbook",
    r"have a (?:nice|great|good) (?:day|trip|one)", r"\bthat settles it\b", r"no further (?:help|assistance)",
    r"#{2,}|\[(?:end|stop|done)\]|<(?:end|stop|done)>|_(?:STOP|END|DONE)_", r"(?:we are|we're|I am|I'm) done\b",
)  # fmt: skip
