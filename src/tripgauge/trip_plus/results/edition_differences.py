"""Where the two editions grade the same answers differently, check by check, with the reason."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from tripgauge.report.table import Table, shown
from tripgauge.trip_plus.benchmark import TripPlus
from tripgauge.trip_plus.edition import Edition
from tripgauge.trip_plus.results.analyses import link_to
from tripgauge.trip_plus.results.answers import AnswerSet
from tripgauge.trip_plus.results.summary import Progress, ScoredTurn, no_progress, score_answers
from tripgauge.trip_plus.results.verdicts import Part, Verdict, in_words

COMPARED = (Part.FEASIBILITY, Part.HARD, Part.SOFT)
"""What both editions have: they ask requests of a turn in their own ways, so that only their scores compare."""

SHOWN = 40
NOT_ASKED = "not asked"


@dataclass(frozen=True)
class Difference:
    """One check, requirement or score of one answer on which the editions do not agree."""

    agent: str
    turn: str
    """As its answer file is named."""

    check: str
    part: str
    release: float | None | str
    """The score; None if it does not apply, "not asked" if the edition does not have it."""

    strict: float | None | str
    reason: str


@dataclass(frozen=True)
class EditionDifferences:
    """All differences on some answers, as a report."""

    agents: tuple[str, ...]
    differences: tuple[Difference, ...]

    def tables(self) -> Sequence[Table]:
        """How often each check differs, then each difference."""
        listed = [d for d in self.differences if d.part != SCORE]
        rows = []
        for (check, release, strict), group in groupby(sorted(listed, key=_class_key), key=_class_of):
            members = list(group)
            rows.append((check, _word(release), _word(strict), len(members), members[0].reason))
        rows.sort(key=lambda row: (-row[3], row[0]))
        counted = Table(
            f"Where the editions differ: {', '.join(self.agents)}",
            ("check", "release", "strict", "turns", "for example"),
            tuple(rows),
            ("1 passed, 0 failed, a dash where it does not apply.",),
            folding=("check",),
        )
        scores = [d for d in self.differences if d.part == SCORE]
        few = (listed + scores)[:SHOWN] if len(listed) <= SHOWN else []
        hidden = f"{len(listed)} differences in checks and {len(scores)} in scores: all are in the JSON and CSV forms."
        each = Table(
            "Turn by turn",
            ("turn", "check", "release", "strict", "reason"),
            tuple((d.turn, d.check, _word(d.release), _word(d.strict), d.reason) for d in few),
            (hidden,) if len(few) < len(listed) + len(scores) else (),
            folding=("turn",),
        )
        return (counted, each)

    def flat(self) -> Table:
        """Each difference."""
        columns = ("agent", "turn", "check", "part", "release", "strict", "reason")
        rows = ((d.agent, d.turn, d.check, d.part, d.release, d.strict, d.reason) for d in self.differences)
        return Table("", columns, tuple(rows))

    def json(self) -> dict[str, object]:
        """Each difference."""
        return {"benchmark": "trip_plus", "agents": list(self.agents), "differences": self.flat().json()}


SCORE = "score"


def _class_of(difference: Difference) -> tuple[str, float | None | str, float | None | str]:
    return difference.check, difference.release, difference.strict


def _class_key(difference: Difference) -> tuple[str, str, str]:
    return difference.check, str(difference.release), str(difference.strict)


def _word(value: float | None | str) -> str:
    return value if isinstance(value, str) else shown(value) if value is None else f"{value:.4g}"


def edition_differences(
    sets: Sequence[AnswerSet], trip_plus: TripPlus, progress: Progress = no_progress
) -> EditionDifferences:
    """Both editions on the same answers, each read as its edition reads it."""
    found: list[Difference] = []
    for answers in sets:
        strict, release = (
            {(t.task.task_id, t.trial, t.turn): t for t in score_answers(answers, trip_plus, edition, progress).turns}
            for edition in (Edition.STRICT, Edition.RELEASE)
        )
        for key, turn in strict.items():
            if key in release:
                found += _of_turn(answers.name, release[key], turn)
    return EditionDifferences(tuple(answers.name for answers in sets), tuple(found))


def _of_turn(agent: str, release: ScoredTurn, strict: ScoredTurn) -> Iterator[Difference]:
    link = link_to(strict)
    if release.observed != strict.observed:
        yield Difference(agent, link, "response_mode", Part.MODE.value, *_read(release, strict))
    before, after = _by_check(release), _by_check(strict)
    # Where only one edition lets a plan through, the mode says it all.
    parts = COMPARED if release.plan_came == strict.plan_came else ()
    for check, part in dict.fromkeys((*before, *after)):
        there, here = before.get((check, part)), after.get((check, part))
        if part in parts and _value(there) != _value(here):
            yield Difference(agent, link, check, part.value, _value(there), _value(here), _reason(there, here))
    for name, reason in SCORES.items():
        one, other = (None if (value := getattr(turn, name)) is None else float(value) for turn in (release, strict))
        if (one is None) != (other is None) or (one is not None and other is not None and abs(one - other) > ROUNDED):
            yield Difference(agent, link, name, SCORE, one, other, reason)


def _read(release: ScoredTurn, strict: ScoredTurn) -> tuple[float, float, str]:
    """Whether the mode is right in either, and what either takes the answer for."""
    found = next((finding.reason for v in strict.verdicts if v.part is Part.MODE for finding in v.findings), "")
    fault = found.partition(": ")[2]
    why = f" ({fault})" if fault else ""
    words = f"release reads {in_words(release.observed)}, strict {in_words(strict.observed)}{why}"
    return float(release.response), float(strict.response), words


ROUNDED = 0.00005
"""Published scores are rounded to four places."""

SCORES = {
    "feasibility": "follows from the checks above; what does not apply leaves the strict mean",
    "hard": "follows from the constraints above",
    "soft": "follows from the preferences above; published means are rounded",
    "fulfillment": "release counts the mode and one check for each family of updates; strict each requirement that is "
    "new or changed, hard, soft and environment",
    "preservation": "release counts the hard constraints the record names; strict all requirements still in force",
}


def _by_check(turn: ScoredTurn) -> Mapping[tuple[str, Part], Verdict]:
    """The verdicts both editions have; of several on one check the worst."""
    found: dict[tuple[str, Part], Verdict] = {}
    for verdict in turn.verdicts:
        key = verdict.check, verdict.part
        if verdict.part in COMPARED and (key not in found or _rank(verdict) < _rank(found[key])):
            found[key] = verdict
    return found


def _rank(verdict: Verdict) -> float:
    return 2.0 if verdict.score is None else float(verdict.score)


def _value(verdict: Verdict | None) -> float | None | str:
    if verdict is None:
        return NOT_ASKED
    return None if verdict.score is None else float(verdict.score)


def _reason(there: Verdict | None, here: Verdict | None) -> str:
    """Why they differ: what the edition that fails it found, or what the other one leaves out."""
    if here is not None and here.failed and here.findings:
        return f"strict: {here.findings[0]}"
    if there is not None and there.failed and there.findings:
        return f"release: {there.findings[0]}; {_why_strict_passes(here)}"
    if here is not None and here.score is None:
        return here.note or "nothing of it is due or there: strict leaves it out, release counts it as passed"
    if here is None:
        return "only release asks it"
    return here.note or ("only strict asks it" if there is None else "only strict takes it into account")


def _why_strict_passes(here: Verdict | None) -> str:
    if here is None:
        return "strict does not ask it of this turn"
    return "for strict it does not apply" if here.score is None else "strict finds nothing wrong"
