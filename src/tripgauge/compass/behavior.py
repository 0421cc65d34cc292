"""How an agent worked: tool-call faults, search effort and yield, search strategy, what it saw and did not take, and
when it recommended (spec 11). One conversation gives one record; `analyses` makes figures of many.
"""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from tripgauge.codec import decode
from tripgauge.compass.catalogue import Catalogue
from tripgauge.compass.offers import FlightPackage, HotelPackage, Stay, weekday
from tripgauge.compass.orders import Orders
from tripgauge.compass.personas import Persona, personas
from tripgauge.compass.ranking import standing
from tripgauge.compass.recommendation import COMPONENTS, Recommendation, options, read_reply
from tripgauge.compass.scoring import Score, score
from tripgauge.compass.seen import SeenPlans
from tripgauge.compass.solver import FeasibleSet
from tripgauge.compass.task import Task
from tripgauge.conversation import EndReason, ToolUse, Transcript, Turn, Usage

UTILITIES = ("get_weekday", "calculate", "calculate_distance", "Notebook")
VALIDATORS = ("recommend_hotel", "recommend_flight", "recommend_permit")

REQUIRED = {
    "AccommodationSearch": ("location", "start_date", "end_date", "num_guests"),
    "search_flights": ("origin", "destination", "departure_date", "return_date"),
    "search_permit_availability": ("park", "template_name"),
}
"""The arguments of the search tools that are no filters."""

CHECKPOINTS = (1, 2, 5, 10, 20, 30, 50, 100, 200, 500)
"""Numbers of tool calls after which it is noted how good a plan could have been made of what was seen."""


@dataclass(frozen=True)
class Calls:
    """The tool calls of a conversation. The three faults exclude each other: the first failing stage counts."""

    total: int
    """Calls that the tools were asked to serve; programs an agent runs are no calls, their calls are."""

    name_faults: int
    parameter_faults: int
    content_faults: int
    effort: int
    """E: different calls that were served."""

    catalogue_effort: int
    """The same without utilities and the validation of ids."""

    found: int
    """Y: different packages in the answers."""

    repaired: int
    """Calls in which something was mended before they were served."""

    @property
    def faults(self) -> int:
        return self.name_faults + self.parameter_faults + self.content_faults


@dataclass(frozen=True)
class Strategy:
    """Where an agent looked."""

    stays_searched: int
    """Of the stays the task allows, those that hotels or flights were searched for."""

    stays_allowed: int
    filters_used: tuple[str, ...]
    """Optional filters of the search tools, each once, as tool.filter."""

    weekdays: tuple[str, ...]
    """On which the stays searched for begin."""


@dataclass(frozen=True)
class SimulatorLog:
    """What the simulated user's model did wrong, and what it cost. Never the agent's."""

    utterances: int
    rejected: int
    """Attempts that did not keep to their orders."""

    fallbacks: int
    """Utterances that the script had to say after all attempts of the model failed."""

    kinds: Mapping[str, int]
    """How many attempts had each fault."""

    model_calls: int
    tokens: int | None
    """Input and output together; None where the provider does not tell."""


@dataclass(frozen=True)
class Measured:
    """Everything that figures are made of, for one conversation."""

    task: Task
    trial: int
    persona: Persona | None
    """None where the transcript does not say who the user was."""

    score: Score
    calls: Calls
    strategy: Strategy
    simulator: SimulatorLog
    disclosed_at: int | None
    """t*: the user turn at which the last constraint was told."""

    judged_at: int | None
    """T: the user turn that follows the last recommendation."""

    forced: int
    """Constraints that were told only because few turns were left."""

    draws: int
    """Turns in which chance decided whether something is told."""

    revealed_by_draw: int
    seen_best: int | None
    """Utility of the best plan that could have been made of everything seen."""

    saw_optimum: bool
    saw_top: bool
    """Whether a plan in the top 5 percent could have been made of what was seen."""

    progress: tuple[tuple[int, bool], ...]
    """For each checkpoint of calls reached: whether a top-5 plan was among what had been seen by then."""

    failure: str
    """What kept it from OR-5, in one word of `FAILURES`; "" if nothing did."""

    unvalidated: int
    """Ids in the last recommendation that no validation tool has found valid."""

    notes: tuple[str, ...]
    """What was read in answers although it is written otherwise than asked for."""

    unreadable: int
    """Turns whose answer was in no readable form, after the one repair that is allowed."""

    repaired: int
    """Turns whose answer could be read after the agent was asked once more."""

    ends: Mapping[str, int]
    """How many turns ended for which reason."""

    goodbye: str | None
    agent_tokens: int | None
    """Input and output together; None where the provider does not tell."""

    @property
    def extra_turns(self) -> int | None:
        """dt = T - t*; None without a recommendation, or if not everything was told."""
        if self.judged_at is None or self.disclosed_at is None:
            return None
        return self.judged_at - self.disclosed_at

    @property
    def passed_up_optimum(self) -> bool:
        """Whether the optimum was seen and something worse, or nothing, recommended."""
        return self.saw_optimum and self.score.gap != 0

    @property
    def passed_up_top(self) -> bool:
        """Whether a top-5 plan was seen and nothing in the top 5 recommended."""
        return self.saw_top and not self.score.is_top(5)


FAILURES = {
    "nothing recommended": "no reply held a recommendation",
    "component missing": "the last recommendation lacks a component of the level",
    "unknown id": "an id names nothing",
    "dates do not match": "hotel, flights and permit are not of the same days",
    "constraint broken": "a hard constraint does not hold",
    "parts do not fit": "the parts are no trip together, such as with an airport that does not serve the park",
    "not near the optimum": "feasible, but below the top 5 percent",
}
"""Why a conversation misses OR-5: the first that holds."""


def measure(transcript: Transcript, feasible: FeasibleSet, catalogue: Catalogue) -> Measured:
    """The record of one conversation."""
    task, turns = feasible.task, transcript.turns
    replies = [read_reply(turn.answer) for turn in turns]
    proposing = [place for place, reply in enumerate(replies) if reply.recommendation is not None]
    last = replies[proposing[-1]].recommendation if proposing else None
    found = score(feasible, last, catalogue)
    orders = [decode(Orders, turn.user.orders, f"{task.task_id}, orders") for turn in turns if turn.user]
    uses = [use for turn in turns for use in turn.tool_uses]
    seen = _seen(uses, feasible, catalogue)
    return Measured(
        task=task,
        trial=transcript.trial,
        persona=personas()[orders[0].persona] if orders else None,
        score=found,
        calls=_calls(uses),
        strategy=_strategy(uses, task),
        simulator=_simulator(turns),
        disclosed_at=orders[-1].disclosed_at if orders else None,
        judged_at=proposing[-1] + 1 if proposing else None,
        forced=sum(order.forced for order in orders),
        draws=sum(order.drawn for order in orders),
        revealed_by_draw=sum(order.drawn and bool(order.tell) for order in orders),
        seen_best=seen.best,
        saw_optimum=seen.best is not None and seen.best == feasible.optimum,
        saw_top=bool(seen.progress and seen.progress[-1][1]),
        progress=seen.progress[:-1] if seen.progress else (),
        failure=_failure(found, last, task.level),
        unvalidated=len(_unvalidated(uses, last, task.level)),
        notes=tuple(note for reply in replies for note in reply.notes),
        unreadable=sum(bool(reply.fault) for reply in replies if reply.message),
        repaired=sum(bool(turn.first_answer) and not read_reply(turn.answer).fault for turn in turns),
        ends=Counter(turn.end.value for turn in turns),
        goodbye=transcript.goodbye,
        agent_tokens=_tokens([turn.usage for turn in turns]),
    )


# ---------------------------------------------------------------------------------------------------------------
# Calls


def _calls(uses: Sequence[ToolUse]) -> Calls:
    served = [use for use in uses if use.signature is not None]
    faults = Counter(use.error for use in uses)
    names = {use.signature: use.tool for use in served}
    return Calls(
        total=len(served) + faults["name"] + faults["parameter"] + faults["content"],
        name_faults=faults["name"],
        parameter_faults=faults["parameter"],
        content_faults=faults["content"],
        effort=len(names),
        catalogue_effort=sum(tool not in UTILITIES and tool not in VALIDATORS for tool in names.values()),
        found=len({package for use in served for package in use.seen}),
        repaired=sum(bool(use.repairs) for use in uses),
    )


def _arguments(use: ToolUse) -> Mapping[str, object]:
    """The arguments of a call that was served, without defaults."""
    assert use.signature is not None
    arguments: Mapping[str, object] = json.loads(use.signature.partition(" ")[2])
    return arguments


def _strategy(uses: Sequence[ToolUse], task: Task) -> Strategy:
    searches = [(use.tool, _arguments(use)) for use in uses if use.signature is not None and use.tool in REQUIRED]
    stays = {stay for tool, arguments in searches if (stay := _stay(tool, arguments)) is not None}
    filters = {
        f"{tool}.{name}"
        for tool, arguments in searches
        for name in arguments
        if name not in REQUIRED[tool] and name not in ("page", "passengers")
    }
    starts = sorted({stay.start for stay in stays})
    return Strategy(
        stays_searched=len(stays & set(task.stays)),
        stays_allowed=len(task.stays),
        filters_used=tuple(sorted(filters)),
        weekdays=tuple(dict.fromkeys(weekday(start) for start in starts)),
    )


_DATES = {"AccommodationSearch": ("start_date", "end_date"), "search_flights": ("departure_date", "return_date")}


def _stay(tool: str, arguments: Mapping[str, object]) -> Stay | None:
    if tool not in _DATES:
        return None
    start, end = (str(arguments[name]) for name in _DATES[tool])
    return Stay(_day(start), _day(end))


def _day(text: str) -> int:
    """The number of a day of August 2025 or of the first of September."""
    return int(text[8:10]) + (31 if text[5:7] == "09" else 0)


# ---------------------------------------------------------------------------------------------------------------
# What was seen


@dataclass(frozen=True)
class _Seen:
    best: int | None
    progress: tuple[tuple[int, bool], ...]
    """At each checkpoint reached, and last at the end."""


def _seen(uses: Sequence[ToolUse], feasible: FeasibleSet, catalogue: Catalogue) -> _Seen:
    plans = SeenPlans(feasible.task, catalogue)
    progress = []
    served = [use for use in uses if use.signature is not None]
    for number, use in enumerate(served, start=1):
        plans.add(use.seen)
        if number in CHECKPOINTS:
            progress.append((number, _is_top(plans.best, feasible)))
    if served:
        progress.append((len(served), _is_top(plans.best, feasible)))
    return _Seen(plans.best, tuple(progress))


def _is_top(utility: int | None, feasible: FeasibleSet) -> bool:
    return utility is not None and standing(feasible.utilities, utility).is_top(5)


def _unvalidated(uses: Sequence[ToolUse], last: Recommendation | None, level: int) -> set[str]:
    """The ids recommended that no validation tool has confirmed."""
    if last is None:
        return set()
    confirmed = {id_ for use in uses if use.tool in VALIDATORS and use.error is None for id_ in _valid_ids(use)}
    return {id_ for component in COMPONENTS[:level] for id_ in last.ids(component)} - confirmed


def _valid_ids(use: ToolUse) -> Iterator[str]:
    answers: Sequence[Mapping[str, object]] = json.loads(use.answer)
    return (str(answer["id"]) for answer in answers if answer["valid"])


# ---------------------------------------------------------------------------------------------------------------
# What went wrong


def _failure(found: Score, last: Recommendation | None, level: int) -> str:
    if found.is_top(5):
        return ""
    if found.is_feasible:
        return "not near the optimum"
    if last is None:
        return "nothing recommended"
    if options(last, level).missing:
        return "component missing"
    if not found.exists:
        return "unknown id"
    if level >= 2 and _dates_differ(last):
        return "dates do not match"
    return "constraint broken" if found.satisfied < found.constraints else "parts do not fit"


def _dates_differ(last: Recommendation) -> bool:
    hotel = HotelPackage.parse(last.hotel[0]) if last.hotel else None
    flight = FlightPackage.parse(last.flight[0]) if last.flight else None
    return hotel is not None and flight is not None and hotel.stay != flight.stay


def _simulator(turns: Sequence[Turn]) -> SimulatorLog:
    logs = [turn.user for turn in turns if turn.user]
    attempts = [attempt for log in logs for attempt in log.rejected]
    kinds = Counter(kind for attempt in attempts for kind in {fault.partition(":")[0] for fault in attempt.faults})
    return SimulatorLog(
        utterances=len(logs),
        rejected=len(attempts),
        fallbacks=sum(log.scripted and log.model_calls > 0 for log in logs),
        kinds=dict(sorted(kinds.items())),
        model_calls=sum(log.model_calls for log in logs),
        tokens=_tokens([log.usage for log in logs if log.model_calls]),
    )


def _tokens(usages: Sequence[Usage]) -> int | None:
    counts = [count for usage in usages for count in (usage.input_tokens, usage.output_tokens)]
    known = [count for count in counts if count is not None]
    return sum(known) if len(known) == len(counts) else None


def agent_faults(measured: Measured) -> int:
    """Turns that failed by the agent's doing."""
    good = (EndReason.ANSWERED, EndReason.FORCED_ANSWER, EndReason.CUT_OFF, EndReason.FILTERED)
    return sum(count for end, count in measured.ends.items() if end not in {reason.value for reason in good})
