"""What a set of answers scores as a whole, in either edition: every figure with its formula, denominator and interval.

A column is one formula in one function over scored turns. (Trip+ Table 2, Appendix B)
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from functools import cached_property
from typing import TypeVar

from tripgauge.runs import Key
from tripgauge.statistics import Estimate, Share, bootstrap_interval, estimate, mean_of
from tripgauge.trip_plus.benchmark import TripPlus
from tripgauge.trip_plus.edition import Edition
from tripgauge.trip_plus.itinerary import Mode, Response, Unreadable
from tripgauge.trip_plus.notation.plan_json import read_converted
from tripgauge.trip_plus.notation.plan_text import parse_response
from tripgauge.trip_plus.release.aggregate import RunSummary, summarize
from tripgauge.trip_plus.release.evaluator import TurnResult
from tripgauge.trip_plus.requirements.requirement import Unchecked
from tripgauge.trip_plus.results.answers import Answer, AnswerSet, Conversation
from tripgauge.trip_plus.results.verdicts import Verdict, release_verdicts, strict_verdicts
from tripgauge.trip_plus.scoring import TurnScore
from tripgauge.trip_plus.tasks.task import Task, TurnState

Progress = Callable[[int, int], None]
"""Told how many turns are done, of how many."""

Value = Fraction | float | int
Agent = TypeVar("Agent")


def no_progress(_done: int, _of: int) -> None:
    """Says nothing."""


# --- Scored turns ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Due:
    """What a turn wants: where an answer has none of it, the score over all that is due is 0."""

    plan: bool
    hard: bool
    soft: bool
    simulation: bool = False
    """Whether its plan is to be graded by the simulated traveler: the last turn, where anybody was judged."""

    @classmethod
    def at(cls, state: TurnState, *, is_judged: bool) -> "Due":
        """At a turn in that state."""
        plan = state.mode is Mode.PLAN
        hard, soft = (any(not isinstance(item, Unchecked) for item in items) for items in (state.hard, state.soft))
        return cls(plan, plan and hard, plan and soft, plan and is_judged)


@dataclass(frozen=True)
class ScoredTurn:
    """A turn with all that was scored of the answer to it, in one edition. None is what does not apply."""

    task: Task
    trial: int
    turn: int
    is_answered: bool
    expected: str
    observed: str
    due: Due
    verdicts: tuple[Verdict, ...]
    response: int
    """R_t"""

    content: Value | None = None
    fulfillment: Value | None = None
    """F_t"""

    preservation: Value | None = None
    """I_t"""

    feasibility: Value | None = None
    """As `hard`, `soft` and `simulation`: of a plan that was due and came."""

    hard: Value | None = None
    soft: Value | None = None
    simulation: Value | None = None

    @property
    def plan_came(self) -> bool:
        """Whether a plan was due and came."""
        return self.due.plan and self.response == 1


@dataclass(frozen=True)
class Entry:
    """One set of answers, scored in one edition."""

    answers: AnswerSet
    edition: Edition
    turns: tuple[ScoredTurn, ...]
    """Edition `release` leaves out turns without an answer."""

    turns_asked: int
    """Of the tasks that have any answer."""

    tasks_there: int
    """How many tasks there are to answer."""

    is_baseline: bool = False
    release: RunSummary | None = None
    """The published summary, in edition `release`."""

    @property
    def name(self) -> str:
        """Of the agent."""
        return self.answers.name

    @cached_property
    def estimates(self) -> Mapping[str, Estimate]:
        """Each column of the edition, by its name."""
        return {column.name: estimate_of(self.turns, column.value) for column in columns_of(self.edition)}

    @property
    def partial(self) -> str:
        """What is missing, in words; "" if nothing is."""
        said = []
        tasks = len(self.answers.task_ids)
        answered = sum(turn.is_answered for turn in self.turns)
        if self.answers.run is not None and self.answers.run.missing:
            said.append(f"{self.answers.run.missing} conversations are missing")
        if tasks < self.tasks_there:
            said.append(f"{tasks} of {self.tasks_there} tasks")
        if answered < self.turns_asked:
            said.append(f"{answered} of {self.turns_asked} turns answered")
        return ", ".join(said)


def score_answers(
    answers: AnswerSet,
    trip_plus: TripPlus,
    edition: Edition,
    progress: Progress = no_progress,
    *,
    is_baseline: bool = False,
    judged: Mapping[Key, float | None] | None = None,
) -> Entry:
    """Scores every turn of the tasks that have any answer.

    `judged` has the simulated traveler's score of the last plan by task and trial; None where there is none.
    """
    talks = [talk for talk in answers.conversations if trip_plus.has_world(trip_plus.task(talk.task_id))]
    asked = sum(len(talk.answers) for talk in talks)
    there = sum(trip_plus.has_world(task) for task in trip_plus.tasks.values())
    score = _score_strict if edition is Edition.STRICT else _score_release
    turns: list[ScoredTurn] = []
    results: list[TurnResult] = []
    done = 0
    for talk in talks:
        for turn in range(len(talk.answers)):
            scored, result = score(trip_plus, talk, turn, judged)
            turns += [scored] if scored else []
            results += [result] if result else []
            done += 1
            progress(done, asked)
    summary = _summary(results, asked, turns) if edition is Edition.RELEASE else None
    return Entry(answers, edition, tuple(turns), asked, there, is_baseline, summary)


def _summary(results: Sequence[TurnResult], asked: int, turns: Sequence[ScoredTurn]) -> RunSummary:
    known = [float(turn.simulation) for turn in turns if turn.simulation is not None]
    simulation = sum(known) / len(known) if known else None
    records = len({result.record_id for result in results})
    return summarize(results, record_count=records, missing_turns=asked - len(results), user_simulation=simulation)


Judged = Mapping[Key, float | None] | None
Scored = tuple[ScoredTurn | None, TurnResult | None]


def _score_strict(trip_plus: TripPlus, talk: Conversation, turn: int, judged: Judged) -> Scored:
    task, answer = trip_plus.task(talk.task_id), talk.answers[turn]
    response = response_of(answer) if answer else None
    score = trip_plus.score(task, turn, response) if response else trip_plus.score_missing(task, turn)
    simulation = _simulation(talk, turn, judged) if score.is_graded_plan else None
    scored = ScoredTurn(
        task=task,
        trial=talk.trial,
        turn=turn,
        is_answered=answer is not None,
        expected=score.expected.value,
        observed=_observed(score, answer),
        due=Due.at(task.key.states[turn], is_judged=_is_judged(talk, turn, judged)),
        verdicts=strict_verdicts(score, response.fault.reason if isinstance(response, Unreadable) else ""),
        response=int(score.mode_is_right),
        content=score.content.score if score.content else None,
        fulfillment=score.fulfillment,
        preservation=score.preservation,
        feasibility=score.feasibility.score if score.feasibility else None,
        hard=score.hard.score if score.hard else None,
        soft=score.soft.score if score.soft else None,
        simulation=simulation,
    )
    return scored, None


def _observed(score: TurnScore, answer: Answer | None) -> str:
    if answer is None:
        return "missing"
    return score.observed.value if score.observed else "unreadable"


def _score_release(trip_plus: TripPlus, talk: Conversation, turn: int, judged: Judged) -> Scored:
    task, answer = trip_plus.task(talk.task_id), talk.answers[turn]
    if answer is None:
        return None, None
    result = trip_plus.score_release(task, turn, converted_of(task, answer, trip_plus))
    graded = result.is_scored_plan
    scored = ScoredTurn(
        task=task,
        trial=talk.trial,
        turn=turn,
        is_answered=True,
        expected=result.expected_mode,
        observed=result.observed_mode,
        due=Due.at(task.key.states[turn], is_judged=_is_judged(talk, turn, judged)),
        verdicts=release_verdicts(result, task.key.states[turn]),
        response=int(result.response_right),
        fulfillment=result.fulfillment.score,
        preservation=result.preservation.score,
        feasibility=result.scores.feasibility_score if graded else None,
        hard=result.scores.hard_constraint_score if graded else None,
        soft=result.scores.soft_preference_score if graded else None,
        simulation=_simulation(talk, turn, judged) if graded else None,
    )
    return scored, result


def _is_judged(talk: Conversation, turn: int, judged: Judged) -> bool:
    return judged is not None and turn == len(talk.answers) - 1


def _simulation(talk: Conversation, turn: int, judged: Judged) -> float | None:
    if judged is None or not _is_judged(talk, turn, judged):
        return None
    return judged.get((talk.task_id, talk.trial))


def response_of(answer: Answer) -> Response:
    """The answer as read in edition `strict`: from its own text where there is one."""
    return parse_response(answer.text) if answer.text is not None else read_converted(answer.converted)


def converted_of(task: Task, answer: Answer, trip_plus: TripPlus) -> object:
    """The answer as read in edition `release`: as converted elsewhere, or by the published rules."""
    if answer.is_converted or answer.text is None:
        return answer.converted
    return trip_plus.read_release(task, answer.text).converted


# --- Columns ---------------------------------------------------------------------------------------------------------


class Basis(StrEnum):
    """What a quality of plans is a mean over."""

    DELIVERED = "delivered"
    """Plans that were due and came, the paper's way: refusing hard tasks raises it."""

    DUE = "due"
    """All turns that want a plan, 0 where none came."""


@dataclass(frozen=True)
class Column:
    """One figure of a table."""

    label: str
    """As in Table 2."""

    formula: str
    """Numerator / denominator, in words; then what is left out."""

    value: Callable[[ScoredTurn], Value | None]
    """What a turn contributes; None if the turn is not in the denominator."""

    basis: Basis | None = None

    @property
    def name(self) -> str:
        """Unique within an edition: "Feas. (due)"."""
        return f"{self.label} ({self.basis})" if self.basis else self.label


def shares(turns: Iterable[ScoredTurn], value: Callable[[ScoredTurn], Value | None]) -> Mapping[str, Share]:
    """What each task contributes, in the order of their ids; of nothing where it contributes none."""
    found: dict[str, list[Value]] = {}
    for turn in turns:
        known = found.setdefault(turn.task.task_id, [])
        if (contribution := value(turn)) is not None:
            known.append(contribution)
    return {task: Share(_total(found[task]), len(found[task])) for task in sorted(found)}


def _total(values: Sequence[Value]) -> float:
    """Exact where the values are; otherwise from left to right, as every Python version adds up alike."""
    total: Value = 0
    for value in values:
        total += value
    return float(total)


def estimate_of(turns: Iterable[ScoredTurn], value: Callable[[ScoredTurn], Value | None]) -> Estimate:
    """The mean over what the turns contribute, with its interval over tasks."""
    return estimate(list(shares(turns, value).values()))


def mean_of_columns(turns: Sequence[ScoredTurn], columns: Sequence[Column]) -> Estimate | None:
    """The mean of the means of some columns; None unless all are known."""
    by_column = [list(shares(turns, column.value).values()) for column in columns]
    means = [mean_of(values) for values in by_column]
    known = [value for value in means if value is not None]
    if len(known) < len(columns):
        return None
    tasks = sum(any(column[place].count for column in by_column) for place in range(len(by_column[0])))
    return Estimate(added(known), len(columns), tasks, bootstrap_interval(by_column))


def added(values: Sequence[float]) -> float:
    """Added from left to right, so that the mean is the same in every Python version."""
    total = 0.0
    for value in values:
        total += value
    return total


def or_zero(due: bool, value: Value | None, came: bool) -> Value | None:
    """Over all that is due: 0 where no plan came; nothing where none of it applies to the plan that came."""
    return (value if came else 0) if due else None


RESPONSE = Column(
    "Resp. Acc.",
    "turns answered in the mode they want / all turns. A turn without an answer is answered wrongly.",
    lambda turn: turn.response,
)
CONTENT = Column(
    "Content",
    "shares of what an answer without a plan must say / turns that want such an answer and whose task tells what it "
    "must say. An answer in the wrong mode says nothing right.",
    lambda turn: turn.content,
)
FULFILLMENT = Column(
    "Req. Fulfill.",
    "shares of the requirements asked for at the turn, new or changed, hard, soft and environment alike, that the "
    "plan meets in full / turns that want a plan and ask for something. 0 where no plan came; requirements that do "
    "not apply are left out.",
    lambda turn: turn.fulfillment,
)
PRESERVATION = Column(
    "Intent Pres.",
    "shares of the requirements asked for earlier and still in force that the plan meets in full / turns that want a "
    "plan and have such. 0 where no plan came; requirements that do not apply are left out.",
    lambda turn: turn.preservation,
)
FEASIBILITY = Column(
    "Feas.",
    "feasibility of plans / plans that were due and came.",
    lambda turn: turn.feasibility,
    Basis.DELIVERED,
)
FEASIBILITY_DUE = Column(
    "Feas.",
    "feasibility of plans, 0 for a plan that did not come / turns that want a plan.",
    lambda turn: or_zero(turn.due.plan, turn.feasibility, turn.plan_came),
    Basis.DUE,
)
HARD = Column(
    "Hard Cons.",
    "shares of hard constraints met / plans that were due and came. Without any that applies, a plan is left out.",
    lambda turn: turn.hard,
    Basis.DELIVERED,
)
HARD_DUE = Column(
    "Hard Cons.",
    "shares of hard constraints met, 0 for a plan that did not come / turns that want a plan and have hard "
    "constraints.",
    lambda turn: or_zero(turn.due.hard, turn.hard, turn.plan_came),
    Basis.DUE,
)
SOFT = Column(
    "Soft Pref.",
    "soft scores (mean over families of means over preferences at 1, 1/2 or 0) / plans that were due and came. Without "
    "any preference that applies, a plan is left out.",
    lambda turn: turn.soft,
    Basis.DELIVERED,
)
SOFT_DUE = Column(
    "Soft Pref.",
    "soft scores, 0 for a plan that did not come / turns that want a plan and have soft preferences.",
    lambda turn: or_zero(turn.due.soft, turn.soft, turn.plan_came),
    Basis.DUE,
)
SIMULATION = Column(
    "User Sim.",
    "medians of the judges' scores / final plans that were due, came and were judged.",
    lambda turn: turn.simulation,
    Basis.DELIVERED,
)
SIMULATION_DUE = Column(
    "User Sim.",
    "medians of the judges' scores, 0 for a plan that did not come / last turns that want a plan.",
    lambda turn: or_zero(turn.due.simulation, turn.simulation, turn.plan_came),
    Basis.DUE,
)

QUALITY = {
    Basis.DELIVERED: (FEASIBILITY, HARD, SOFT, SIMULATION),
    Basis.DUE: (FEASIBILITY_DUE, HARD_DUE, SOFT_DUE, SIMULATION_DUE),
}
"""The plan-quality columns of Table 2."""

STRICT_COLUMNS = (
    RESPONSE, CONTENT, FULFILLMENT, PRESERVATION, *QUALITY[Basis.DUE], *QUALITY[Basis.DELIVERED],
)  # fmt: skip

RELEASE_FULFILLMENT = Column(
    "Req. Fulfill.",
    "shares of the published update checks passed, the mode being one of them / turns with an answer.",
    lambda turn: turn.fulfillment,
)
RELEASE_PRESERVATION = Column(
    "Intent Pres.",
    "shares of the hard constraints to be kept that hold / answered turns that want a plan and have such.",
    lambda turn: turn.preservation,
)
RELEASE_RESPONSE = Column(
    "Resp. Acc.",
    "turns answered in the mode they want / turns with an answer; turns without one are left out.",
    lambda turn: turn.response,
)
RELEASE_COLUMNS = (
    RELEASE_RESPONSE, RELEASE_FULFILLMENT, RELEASE_PRESERVATION, *QUALITY[Basis.DELIVERED],
)  # fmt: skip


def columns_of(edition: Edition) -> tuple[Column, ...]:
    """The columns of a table of that edition."""
    return STRICT_COLUMNS if edition is Edition.STRICT else RELEASE_COLUMNS


def rule_average(entry: Entry, basis: Basis) -> Estimate | None:
    """Rule Avg.: the mean of Feas., Hard Cons. and Soft Pref.; None until all are known. No model has a part in it."""
    return mean_of_columns(entry.turns, QUALITY[basis][:3])


def plan_average(entry: Entry, basis: Basis) -> Estimate | None:
    """Plan Avg.: the mean of Feas., Hard Cons., Soft Pref. and User Sim.; None until all are known. (Trip+ Table 2)"""
    return mean_of_columns(entry.turns, QUALITY[basis])


def wins(columns: Mapping[Agent, Sequence[float | None]]) -> Mapping[Agent, tuple[int, int]]:
    """Of each agent, in how many columns it ranks first, and of how many columns. Win % is their quotient.

    Columns that are not known of every agent are left out. Where several share the first place, each ranks first; the
    paper has no such case. (Trip+ Table 2)
    """
    firsts = dict.fromkeys(columns, 0)
    counted = 0
    for values in zip(*columns.values(), strict=True):
        known = [value for value in values if value is not None]
        if known and len(known) == len(values):
            counted += 1
            for agent, value in zip(columns, known, strict=True):
                firsts[agent] += value == max(known)
    return {agent: (first, counted) for agent, first in firsts.items()}
