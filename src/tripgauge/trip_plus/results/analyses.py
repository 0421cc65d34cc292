"""Where an agent is strong and where it fails: by archetype and turn, component, rule, effort and trial. (Trip+ 3.2)

Every analysis has the baselines beside the agents, and is one table: shortened for people, whole for machines.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from tripgauge.conversation import Cost, Transcript, Usage
from tripgauge.prices import Price
from tripgauge.report.table import Cell, Table
from tripgauge.runs import Key
from tripgauge.statistics import Estimate, Share, estimate, pass_hat_k, spearman
from tripgauge.trip_plus.edition import Edition
from tripgauge.trip_plus.requirements.requirement import Component
from tripgauge.trip_plus.results.answers import turn_id
from tripgauge.trip_plus.results.breakdowns import By
from tripgauge.trip_plus.results.summary import (
    CONTENT,
    QUALITY,
    Basis,
    Column,
    Entry,
    ScoredTurn,
    columns_of,
    estimate_of,
    rule_average,
)
from tripgauge.trip_plus.results.verdicts import Part, Verdict
from tripgauge.trip_plus.tasks.task import Archetype


@dataclass(frozen=True)
class Analysis:
    """One breakdown, as a report."""

    by: By
    edition: Edition
    whole: Table
    """With everything."""

    for_people: Table

    def tables(self) -> Sequence[Table]:
        """The short form."""
        return (self.for_people,)

    def flat(self) -> Table:
        """The whole."""
        return self.whole

    def json(self) -> dict[str, object]:
        """The whole."""
        return {
            "benchmark": "trip_plus",
            "edition": self.edition.value,
            "by": self.by.value,
            "rows": [self._row_json(row) for row in self.whole.json()],
            "notes": list(self.whole.notes),
        }

    def _row_json(self, row: dict[str, object]) -> dict[str, object]:
        """Turns as a list."""
        turns = row.get("turns")
        return {**row, "turns": turns.split()} if isinstance(turns, str) else row


def analysis(by: By, entries: Sequence[Entry], prices: Mapping[str, Price] | None = None) -> Analysis:
    """The entries broken down; `prices` are only used for what calls cost."""
    match by:
        case By.ARCHETYPE:
            return _by_archetype(entries)
        case By.TURN:
            return _by_turn(entries)
        case By.COMPONENT:
            return _by_component(entries)
        case By.RULE:
            return _by_rule(entries)
        case By.CALLS:
            return _by_calls(entries, prices or {})
        case By.TRIALS:
            return _by_trials(entries)


def _same(by: By, entries: Sequence[Entry], table: Table) -> Analysis:
    edition = entries[0].edition
    table = replace(table, title=f"{table.title}, edition {edition}", folding=("agent",))
    return Analysis(by, edition, table, table)


# --- Archetype and turn (Fig. 4) -------------------------------------------------------------------------------------


def _main_columns(edition: Edition) -> tuple[Column, ...]:
    """The rule-based columns of Table 2; in `strict` over all that is due."""
    first = [column for column in columns_of(edition) if column.basis is None and column is not CONTENT]
    return (*first, *QUALITY[Basis.DUE if edition is Edition.STRICT else Basis.DELIVERED][:3])


MAIN = ("Resp.", "Req.", "Pres.", "Feas.", "Hard", "Soft")


def _by_turn(entries: Sequence[Entry]) -> Analysis:
    rows: list[tuple[Cell, ...]] = []
    for turn in sorted({turn.turn for entry in entries for turn in entry.turns}):
        for entry in entries:
            turns = [scored for scored in entry.turns if scored.turn == turn]
            rows.append((turn + 1, entry.name, len(turns), *_figures(turns, entry.edition)))
    note = "Turns count from 1. n is how many turns; what no turn has is a dash."
    return _same(By.TURN, entries, Table("By turn", ("turn", "agent", "n", *MAIN), tuple(rows), (note,)))


def _by_archetype(entries: Sequence[Entry]) -> Analysis:
    rows: list[tuple[Cell, ...]] = []
    short: list[tuple[Cell, ...]] = []
    for archetype in Archetype:
        for turn in sorted({t.turn for entry in entries for t in entry.turns if t.task.key.archetype is archetype}):
            for entry in entries:
                turns = [t for t in entry.turns if t.turn == turn and t.task.key.archetype is archetype]
                figures = _figures(turns, entry.edition)
                rows.append((archetype.value, turn + 1, entry.name, len(turns), *figures))
                short.append((f"{SHORT_ARCHETYPES[archetype]} {turn + 1}", entry.name, *figures))
    names = ", ".join(f"{short} {archetype.value.replace('_', ' ')}" for archetype, short in SHORT_ARCHETYPES.items())
    whole = Table("By archetype and turn", ("archetype", "turn", "agent", "n", *MAIN), tuple(rows))
    people = Table(whole.title, ("turn", "agent", *MAIN), tuple(short), (f"Turns count from 1; {names}.",))
    return replace(_same(By.ARCHETYPE, entries, whole), for_people=_same(By.ARCHETYPE, entries, people).for_people)


SHORT_ARCHETYPES = {
    Archetype.USER_STATE_EVOLUTION: "US",
    Archetype.REQUEST_RESOLUTION: "RR",
    Archetype.ENVIRONMENT_DRIVEN: "EN",
    Archetype.LONG_HORIZON: "LH",
}


def _figures(turns: Sequence[ScoredTurn], edition: Edition) -> list[Estimate]:
    return [estimate_of(turns, column.value) for column in _main_columns(edition)]


# --- Components (Fig. 5) ---------------------------------------------------------------------------------------------


def _by_component(entries: Sequence[Entry]) -> Analysis:
    rows: list[tuple[Cell, ...]] = []
    for component in Component:
        for entry in entries:
            plans = [turn for turn in entry.turns if turn.plan_came]
            asked = sum(any(_asked_of(turn, component)) for turn in plans)
            if not any(any(_asked_of(turn, component)) for other in entries for turn in other.turns):
                continue
            met = estimate_of(plans, lambda turn, component=component: _mean_met(turn, component))  # type: ignore[misc]
            error = estimate_of(plans, lambda turn, component=component: _has_failed(turn, component))  # type: ignore[misc]
            rows.append((component.value.replace("_", " "), entry.name, asked, len(plans), met, error))
    columns = ("component", "agent", "asked", "plans", "score", "error rate")
    notes = (
        "asked: plans of which anything in the component was asked; score: mean over these of the mean over the items "
        "(a preference half met is 1/2); error rate: share of all plans that were due and came with at least one item "
        "not met in full. Items are hard constraints, soft preferences and environment conditions.",
    )
    return _same(By.COMPONENT, entries, Table("By component of the trip", columns, tuple(rows), notes))


def _asked_of(turn: ScoredTurn, component: Component) -> Iterator[Verdict]:
    """What applied in the component."""
    parts = (Part.HARD, Part.SOFT, Part.ENVIRONMENT)
    return (v for v in turn.verdicts if v.component is component and v.part in parts and v.score is not None)


def _mean_met(turn: ScoredTurn, component: Component) -> float | None:
    scores = [float(verdict.score or 0) for verdict in _asked_of(turn, component)]
    return sum(scores) / len(scores) if scores else None


def _has_failed(turn: ScoredTurn, component: Component) -> int:
    return int(any(verdict.failed for verdict in _asked_of(turn, component)))


# --- Failure classes (R46) -------------------------------------------------------------------------------------------

LINKS_SHOWN = 1


def _by_rule(entries: Sequence[Entry]) -> Analysis:
    whole: list[tuple[Cell, ...]] = []
    short: list[tuple[Cell, ...]] = []
    beside = {entry.name: _Tally(entry) for entry in entries if entry.is_baseline}
    for entry in entries:
        for failure in failure_classes(entry):
            head, count = (failure.rule, entry.name), len(failure.turns)
            whole.append((*head, failure.part.value, count, failure.rate, " ".join(failure.turns)))
            if not entry.is_baseline:
                rates = [tally.rate(failure.rule, failure.part).value for tally in beside.values()]
                rule = f"{failure.rule}\n  {_first_links(failure.turns)}"
                short.append((rule, entry.name, count, failure.rate, *rates))
    note = "rate: of the turns that were asked. A turn is named as its answer file is; #2 is the third trial."
    table = Table("Failures by rule", ("rule", "agent", "part", "failed", "rate", "turns"), tuple(whole), (note,))
    columns = ("rule, and where", "agent", "failed", "rate", *(name.replace(" ", "\n") for name in beside))
    made = _same(By.RULE, entries, table)
    return replace(made, for_people=Table(made.whole.title, columns, tuple(short), (note,), folding=columns[:1]))


def _first_links(turns: Sequence[str]) -> str:
    more = len(turns) - LINKS_SHOWN
    return " ".join(turns[:LINKS_SHOWN]) + (f" +{more}" if more > 0 else "")


@dataclass(frozen=True)
class FailureClass:
    """All turns that fail one rule."""

    rule: str
    part: Part
    turns: tuple[str, ...]
    """Where, named as answer files are."""

    rate: Estimate
    """Of the turns that were asked; of a wrong mode, of the turns that want the right one."""


def failure_classes(entry: Entry) -> tuple[FailureClass, ...]:
    """What goes wrong, the most frequent first. A wrong mode is told apart by what was wanted and what came."""
    tally = _Tally(entry)
    classes = (
        FailureClass(rule, part, tuple(link for links in places.values() for link in links), tally.rate(rule, part))
        for (rule, part), places in tally.failed.items()
    )
    return tuple(sorted(classes, key=lambda failure: (-len(failure.turns), failure.rule)))


class _Tally:
    """Which turns were asked what, and which of them fail it, counted in one pass."""

    def __init__(self, entry: Entry) -> None:
        self.failed: dict[tuple[str, Part], dict[str, list[str]]] = {}
        """Links to the turns, by task."""

        self._asked: dict[tuple[str, Part], Counter[str]] = {}
        for turn in entry.turns:
            task = turn.task.task_id
            for (rule, part), is_failed in _outcomes(turn).items():
                self._asked.setdefault(_asked_as(rule, part), Counter())[task] += 1
                if is_failed:
                    self.failed.setdefault((rule, part), {}).setdefault(task, []).append(link_to(turn))

    def rate(self, rule: str, part: Part) -> Estimate:
        """The share of the turns that fail it."""
        asked, places = self._asked.get(_asked_as(rule, part), Counter()), self.failed.get((rule, part), {})
        return estimate([Share(len(places.get(task, ())), asked[task]) for task in sorted(asked)])


def _outcomes(turn: ScoredTurn) -> Mapping[tuple[str, Part], bool]:
    """Of everything a turn was asked, whether any of it failed."""
    outcomes: dict[tuple[str, Part], bool] = {}
    for verdict in turn.verdicts:
        if verdict.score is not None:
            key = _rule_of(turn, verdict), verdict.part
            outcomes[key] = outcomes.get(key, False) or verdict.failed
    return outcomes


def _asked_as(rule: str, part: Part) -> tuple[str, Part]:
    """What a turn counts among: every turn that wants a mode was asked for it, whatever came."""
    return (rule.partition(" ")[0] if part is Part.MODE else rule), part


def _rule_of(turn: ScoredTurn, verdict: Verdict) -> str:
    return verdict.check if verdict.part is not Part.MODE else f"{turn.expected} wanted, {turn.observed} came"


def link_to(turn: ScoredTurn) -> str:
    """Where a turn is to be found: as its answer file is named, with the trial behind # if it is not the first."""
    place = turn_id(turn.task.task_id, turn.turn)
    return f"{place}#{turn.trial}" if turn.trial else place


# --- Effort and quality (Fig. 6, 9) ----------------------------------------------------------------------------------


def _by_calls(entries: Sequence[Entry], prices: Mapping[str, Price]) -> Analysis:
    rows = []
    for entry in entries:
        known = {talk_key(t): t for talk in entry.answers.conversations if (t := talk.transcript) is not None}
        turns = [turn for transcript in known.values() for turn in transcript.turns]
        talks = len(known)
        usage = sum((turn.usage for turn in turns), Usage())
        rows.append(
            (
                entry.name,
                _each(sum(turn.model_calls for turn in turns), talks),
                _each(sum(len(turn.tool_uses) for turn in turns), talks),
                _each(usage.input_tokens, talks),
                _each(usage.output_tokens, talks),
                _cost_each(entry, known.values(), prices),
                rule_average(entry, Basis.DUE if entry.edition is Edition.STRICT else Basis.DELIVERED),
                _rho(entry, known),
            )
        )
    columns = ("agent", "model calls", "tool calls", "tokens in", "tokens out", "cost $", "Rule Avg.", "rho")
    notes = (
        "Calls, tokens and cost are per conversation; a dash where nothing was recorded.",
        "rho: Spearman's correlation, over turns that want a plan, of tool calls and the mean of Feas., Hard and Soft.",
    )
    return _same(By.CALLS, entries, Table("Calls against quality", columns, tuple(rows), notes))


def talk_key(transcript: Transcript) -> Key:
    """Task and trial."""
    return transcript.task, transcript.trial


def _each(count: int | None, talks: int) -> float | None:
    return count / talks if talks and count is not None else None


def _cost_each(entry: Entry, transcripts: Iterable[Transcript], prices: Mapping[str, Price]) -> Cell:
    """As recorded; by the prices given where the model has one. "unknown" is never taken for 0. (R40)"""
    transcripts = tuple(transcripts)
    model = entry.answers.run.settings.model if entry.answers.run else None
    if not transcripts:
        return None
    total: Cost = Decimal(0)
    for turn in (turn for transcript in transcripts for turn in transcript.turns):
        cost = prices[model].cost(turn.usage) if model is not None and model in prices else turn.cost
        total = "unknown" if cost == "unknown" or total == "unknown" else total + cost
    return "unknown" if total == "unknown" else float(total) / len(transcripts)


def _rho(entry: Entry, known: Mapping[Key, Transcript]) -> float | None:
    calls, quality = [], []
    for turn in entry.turns:
        transcript = known.get((turn.task.task_id, turn.trial))
        if transcript is None or not turn.due.plan or turn.turn >= len(transcript.turns):
            continue
        values = [float(value) for value in (turn.feasibility, turn.hard, turn.soft) if value is not None]
        calls.append(float(len(transcript.turns[turn.turn].tool_uses)))
        quality.append(sum(values) / len(values) if values else 0.0)
    return spearman(calls, quality)


# --- Trials ----------------------------------------------------------------------------------------------------------


def _by_trials(entries: Sequence[Entry]) -> Analysis:
    rows: list[tuple[Cell, ...]] = []
    for entry in entries:
        outcomes = successes(entry)
        counts = [(sum(trials), len(trials)) for trials in outcomes.values()]
        for k in range(1, max((trials for _, trials in counts), default=0) + 1):
            chances = [pass_hat_k([count], k) for count in counts]
            value = estimate([Share(float(chance), 1) for chance in chances if chance is not None])
            varying = sum(0 < good < trials for good, trials in counts)
            rows.append((entry.name, k, value, value.tasks, varying))
    notes = (
        "pass^k: mean over tasks of C(c, k) / C(n, k), with c of n trials a success. Tasks with fewer than k trials "
        "are left out.",
        "A trial is a success if every turn is answered in the mode it wants and every plan passes all feasibility "
        "checks and hard constraints. varying: tasks with some trials a success and some not.",
    )
    return _same(By.TRIALS, entries, Table("Trials", ("agent", "k", "pass^k", "tasks", "varying"), tuple(rows), notes))


def successes(entry: Entry) -> Mapping[str, Sequence[bool]]:
    """Of each task, whether each trial is a success in full."""
    talks: dict[Key, bool] = {}
    for turn in entry.turns:
        key = turn.task.task_id, turn.trial
        talks[key] = talks.get(key, True) and _is_right(turn)
    found: dict[str, list[bool]] = {}
    for (task, _), good in talks.items():
        found.setdefault(task, []).append(good)
    return found


def _is_right(turn: ScoredTurn) -> bool:
    deciding = (Part.MODE, Part.FEASIBILITY, Part.HARD)
    return not any(verdict.failed for verdict in turn.verdicts if verdict.part in deciding)
