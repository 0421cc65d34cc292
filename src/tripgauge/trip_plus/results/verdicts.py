"""Every graded item of an answer in one shape, in either edition: what was asked, what it got, and what it counts for.

Tables of failures, explanations and the comparison of editions read verdicts and nothing else.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from functools import cache

from tripgauge.checks import CheckResult, Finding
from tripgauge.trip_plus.feasibility.score import all_checks
from tripgauge.trip_plus.itinerary import Mode
from tripgauge.trip_plus.release.evaluator import TurnResult
from tripgauge.trip_plus.release.fulfillment import Check
from tripgauge.trip_plus.release.soft import Measure, Severity
from tripgauge.trip_plus.requirements.kinds import requirement_kinds
from tripgauge.trip_plus.requirements.requirement import (
    Component,
    HardConstraint,
    Kind,
    Requirement,
    SoftPreference,
)
from tripgauge.trip_plus.scoring import TurnScore
from tripgauge.trip_plus.tasks.task import TurnState


class Part(StrEnum):
    """What kind of item it is."""

    MODE = "response mode"
    FEASIBILITY = "feasibility"
    HARD = "hard constraint"
    SOFT = "soft preference"
    ENVIRONMENT = "environment condition"
    CONTENT = "answer content"
    REQUEST = "request of the turn"
    KEPT = "earlier request"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What one check or requirement says of one answer."""

    check: str
    """Its id."""

    part: Part
    asks: str
    """What it asks, with its parameters in words; "" where the published code has no words for it."""

    score: Fraction | float | int | None
    """1 met, 0 not, between for a preference half met; None if it does not apply."""

    decides: tuple[str, ...] = ()
    """The scores it is part of: "feasibility", "hard", "soft", "fulfillment", "preservation", "content", "mode".
    Empty where it is for information only."""

    component: Component | None = None
    """Of a requirement: the part of the trip it is about."""

    findings: tuple[Finding, ...] = ()
    note: str = ""
    """Why it does not apply, where that is no matter of course."""

    @property
    def failed(self) -> bool:
        """Whether it applies and is not met in full."""
        return self.score is not None and self.score < 1


def mode_verdict(expected: str, observed: str, reason: str = "") -> Verdict:
    """Whether the answer is of the kind the turn wants."""
    wanted, came = in_words(expected), in_words(observed)
    finding = Finding(f"the turn wants {wanted}, the answer is {came}{reason}", expected=wanted, found=came)
    right = expected == observed
    asks = f"The answer is {wanted}."
    return Verdict("response_mode", Part.MODE, asks, int(right), ("mode",), findings=() if right else (finding,))


def in_words(mode: str) -> str:
    """A mode in a sentence."""
    words = {
        Mode.PLAN.value: "a plan",
        Mode.CLARIFICATION.value: "a clarification",
        Mode.NO_SOLUTION.value: "no solution",
    }
    return words.get(mode, mode)


# --- Edition strict --------------------------------------------------------------------------------------------------


def strict_verdicts(score: TurnScore, fault: str = "") -> tuple[Verdict, ...]:
    """Of an answer in edition `strict`: the mode, then whatever was asked of it.

    `fault` says why an answer cannot be read.
    """
    observed = score.observed.value if score.observed else "unreadable"
    verdicts = [mode_verdict(score.expected.value, observed, f": {fault}" if fault else "")]
    if score.feasibility is not None:
        for result in score.feasibility.results:
            verdicts.append(_verdict(result, Part.FEASIBILITY, _rules()[result.check], ("feasibility",)))
    for requirement, result in score.results.items():
        verdicts.append(_required(requirement, result, score))
    if score.content is not None:
        verdicts += [
            _verdict(result, Part.CONTENT, in_sentence(result.check), ("content",)) for result in score.content.results
        ]
    return tuple(verdicts)


def in_sentence(id_: str) -> str:
    """An id as a sentence: "names_the_component" is "Names the component."."""
    return f"{id_.replace('_', ' ').capitalize()}."


def _verdict(
    result: CheckResult, part: Part, asks: str, decides: tuple[str, ...], component: Component | None = None
) -> Verdict:
    decides = decides if result.applicable else ()
    return Verdict(result.check, part, asks, result.score, decides, component, result.findings, result.note)


def _required(requirement: Requirement, result: CheckResult, score: TurnScore) -> Verdict:
    decides = [
        name for kind, name in ((HardConstraint, "hard"), (SoftPreference, "soft")) if isinstance(requirement, kind)
    ]
    decides += ["fulfillment"] if requirement in score.introduced else []
    decides += ["preservation"] if requirement in score.preserved else []
    part = _part(type(requirement))
    return _verdict(result, part, requirement.sentence(), tuple(decides), requirement.group)


def _part(kind: type[Requirement]) -> Part:
    if issubclass(kind, HardConstraint):
        return Part.HARD
    return Part.SOFT if issubclass(kind, SoftPreference) else Part.ENVIRONMENT


# --- Edition release -------------------------------------------------------------------------------------------------


def release_verdicts(result: TurnResult, state: TurnState) -> tuple[Verdict, ...]:
    """Of an answer as the published code grades it. `state` lends its words to constraints."""
    sentences = {requirement.id: requirement.sentence() for requirement in state.requirements}
    verdicts = [mode_verdict(result.expected_mode, result.observed_mode)]
    verdicts += _release_feasibility(result)
    verdicts += _release_hard(result, sentences)
    verdicts += _release_soft(result, sentences)
    verdicts += [_asked(check, Part.REQUEST, "fulfillment", sentences) for check in result.fulfillment.checks]
    verdicts += [_asked(check, Part.KEPT, "preservation", sentences) for check in result.preservation.checks]
    return tuple(verdicts)


def _release_feasibility(result: TurnResult) -> Iterator[Verdict]:
    if result.feasibility is None:
        return
    for check, passed in result.feasibility.checks.items():
        findings = tuple(Finding(reason) for reason in result.feasibility.reasons.get(check, ()))
        yield Verdict(check, Part.FEASIBILITY, "", int(passed), ("feasibility",), findings=findings)


def _release_hard(result: TurnResult, sentences: Mapping[str, str]) -> Iterator[Verdict]:
    for key, passed in result.hard.checks.items() if result.hard is not None else ():
        asks = _words_for(key, sentences)
        findings = () if passed else (Finding("the hard constraint is not met", expected=asks),)
        yield Verdict(key, Part.HARD, asks, int(passed), ("hard",), _component(key), findings)


def _release_soft(result: TurnResult, sentences: Mapping[str, str]) -> Iterator[Verdict]:
    for rule, outcome in result.soft.outcomes.items() if result.soft is not None else ():
        asks = _words_for(rule, sentences)
        decides = ("soft",) if outcome.score is not None else ()
        breaches = tuple(_breach(measure) for measure in outcome.measures if measure.severity is not Severity.NONE)
        yield Verdict(rule, Part.SOFT, asks, outcome.score, decides, _component(rule), breaches)


def _breach(measure: Measure) -> Finding:
    value = f"{measure.value:g}" if isinstance(measure.value, float) else str(measure.value)
    how = f"{measure.severity.name.lower()} breach"
    return Finding(f"{measure.name.replace('_', ' ')} is {value}, a {how}", found=value)


def _asked(check: Check, part: Part, score: str, sentences: Mapping[str, str]) -> Verdict:
    """A request of the turn, or one kept: published code says no more than whether it is met."""
    asks = _words_for(check.id, sentences)
    decides = (score,) if check.passed is not None else ()
    findings = (Finding("the request is not met", expected=asks),) if check.passed is False else ()
    passed = None if check.passed is None else int(check.passed)
    return Verdict(check.id, part, asks, passed, decides, _component(check.id), findings)


def _words_for(key: str, sentences: Mapping[str, str]) -> str:
    return sentences[key] if key in sentences else _kinds()[key].rule if key in _kinds() else in_sentence(key)


@cache
def _rules() -> dict[str, str]:
    return {check.id: check.rule for check in all_checks()}


@cache
def _kinds() -> dict[str, Kind]:
    return {kind.id: kind for kind in requirement_kinds()}


def _component(key: str) -> Component | None:
    kinds = _kinds()
    return kinds[key].group if key in kinds else None
