"""The figures of many conversations: each metric one function, each share with numerator and denominator (spec 11).

Tables are made for whoever reads them; the functions behind them give the numbers.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from tripgauge.compass.behavior import CHECKPOINTS, FAILURES, Measured, agent_faults
from tripgauge.compass.personas import STYLES, Trust
from tripgauge.compass.ranking import TOP_PERCENTS
from tripgauge.compass.rates import ProportionTest, Rate, Spread, two_proportion_test
from tripgauge.compass.task_facts import LEVELS
from tripgauge.report.table import Cell, Table
from tripgauge.statistics import coefficient_of_variation

Group = Callable[[Measured], str | None]
"""Which row a conversation belongs to; None for none."""


# ---------------------------------------------------------------------------------------------------------------
# Rates


def feasibility_rate(found: Sequence[Measured]) -> Rate:
    """FR: conversations whose last recommendation meets everything, of all."""
    return Rate.of(found, lambda one: one.score.is_feasible)


def optimality_rate(found: Sequence[Measured], percent: int) -> Rate:
    """OR-A: conversations whose last recommendation is in the top A percent of the feasible set, of all."""
    return Rate.of(found, lambda one: one.score.is_top(percent))


def strict_optimality_rate(found: Sequence[Measured], percent: int) -> Rate:
    """The same with ties counted against a plan: a sensitivity line, since even an optimum shared by many fails it."""
    return Rate.of(found, lambda one: one.score.is_top_strictly(percent))


def mean_relative_gap(found: Sequence[Measured]) -> Rate:
    """How much dearer than the least cost, over feasible recommendations of tasks about cost."""
    return Rate.of(found, lambda one: one.score.relative_gap)


def satisfied_share(found: Sequence[Measured]) -> Rate:
    """The mean share of a task's constraints that hold; 0 without a plan."""
    return Rate.of(found, lambda one: one.score.satisfied / one.score.constraints)


# -- Groups

BY: Mapping[str, tuple[str, Group]] = {
    "level": ("level", lambda one: LEVELS[one.task.level]),
    "objective": ("objective", lambda one: one.task.objective.kind.replace("_", " ")),
    "speed": ("revelation speed", lambda one: one.persona.speed.value if one.persona else None),
    "trust": ("trust", lambda one: one.persona.trust.value if one.persona else None),
    "attention": ("attention", lambda one: one.persona.attention.value if one.persona else None),
    "style": ("style", lambda one: f"{one.persona.style} {STYLES[one.persona.style]}" if one.persona else None),
}
"""What results are broken down by."""


def grouped(found: Sequence[Measured], group: Group) -> Mapping[str, Sequence[Measured]]:
    """The conversations of each row, rows in the order of their names."""
    rows: dict[str, list[Measured]] = defaultdict(list)
    for one in found:
        name = group(one)
        if name is not None:
            rows[name].append(one)
    return dict(sorted(rows.items()))


# ---------------------------------------------------------------------------------------------------------------
# Persona effects


def style_variation(found: Sequence[Measured]) -> float | None:
    """CV: the standard deviation of the per-style OR-5 over their mean, in percent, of the population (ddof 0).

    None unless every style occurs, and where the mean is 0.
    """
    rates = [optimality_rate(rows, 5).value for rows in grouped(found, BY["style"][1]).values()]
    values = [rate for rate in rates if rate is not None]
    return variation_percent(values) if len(values) == len(STYLES) else None


def variation_percent(values: Sequence[float]) -> float | None:
    """The coefficient of variation in percent; None where the mean is 0."""
    variation = coefficient_of_variation(values)
    return None if variation is None else 100 * variation


def trust_effect(found: Sequence[Measured]) -> ProportionTest | None:
    """Whether OR-5 differs between questioning and trusting users."""
    rows = grouped(found, BY["trust"][1])
    questioning, trusting = (
        optimality_rate(rows.get(kind.value, ()), 5) for kind in (Trust.QUESTIONING, Trust.TRUSTING)
    )
    return two_proportion_test(questioning, trusting)


@dataclass(frozen=True)
class RevelationBin:
    """Conversations in which the last constraint was told in these user turns."""

    name: str
    optimality: Rate
    extra_turns: Rate
    """Mean of dt over those with a recommendation."""


_REVELATION_BINS = (("0-1", 0, 1), ("2-3", 2, 3), ("4-5", 4, 5), ("6+", 6, math.inf))


def revelation_bins(found: Sequence[Measured]) -> tuple[RevelationBin, ...]:
    """OR-5 by the turn of full disclosure."""
    bins = []
    for name, low, high in _REVELATION_BINS:
        rows = [one for one in found if one.disclosed_at is not None and low <= one.disclosed_at <= high]
        bins.append(RevelationBin(name, optimality_rate(rows, 5), conversation_efficiency(rows)))
    return tuple(bins)


def conversation_efficiency(found: Sequence[Measured]) -> Rate:
    """Mean of dt = T - t*: user turns between full disclosure and the one that follows the last recommendation."""
    return Rate.of(found, lambda one: one.extra_turns)


# ---------------------------------------------------------------------------------------------------------------
# Constraints and search


def constraint_curve(found: Sequence[Measured]) -> Mapping[str, tuple[Rate, Rate]]:
    """By the number of hard constraints: FR, and the mean share of constraints that hold."""
    rows = grouped(found, lambda one: str(len(one.task.constraints)) if len(one.task.constraints) < 9 else "9+")
    return {name: (feasibility_rate(rows_), satisfied_share(rows_)) for name, rows_ in rows.items()}


_EFFORT_BINS = (("0-10", 0, 10), ("11-20", 11, 20), ("21-30", 21, 30), (">30", 31, math.inf))


def effort_bins(found: Sequence[Measured]) -> Mapping[str, Rate]:
    """OR-5 by search effort."""
    return {
        name: optimality_rate([one for one in found if low <= one.calls.effort <= high], 5)
        for name, low, high in _EFFORT_BINS
    }


def call_faults(found: Sequence[Measured]) -> Mapping[str, Rate]:
    """Tool-call faults of each kind and in all, as shares of all calls (COMPASS Table 4)."""
    calls = sum(one.calls.total for one in found)
    counts = {
        "name": sum(one.calls.name_faults for one in found),
        "parameter": sum(one.calls.parameter_faults for one in found),
        "content": sum(one.calls.content_faults for one in found),
    }
    return {name: Rate(count, calls) for name, count in (*counts.items(), ("total", sum(counts.values())))}


def mean_of(found: Sequence[Measured], number: Callable[[Measured], float | None]) -> Rate:
    """The mean of a number of each conversation."""
    return Rate.of(found, number)


def progress_curve(found: Sequence[Measured]) -> Mapping[int, Rate]:
    """After so many calls: the share of conversations in which a top-5 plan was among what had been seen.

    A conversation with fewer calls counts with what it had seen at its end.
    """
    return {
        checkpoint: Rate.of(
            found,
            lambda one, checkpoint=checkpoint: dict(one.progress).get(checkpoint, one.saw_top),  # type: ignore[misc]
        )
        for checkpoint in CHECKPOINTS
    }


# ---------------------------------------------------------------------------------------------------------------
# Tables


def tables(found: Sequence[Measured]) -> tuple[Table, ...]:
    """Everything about one run."""
    return (
        headline(found),
        *(breakdown(found, axis) for axis in BY),
        failures(found),
        tool_faults(found),
        search(found),
        progress(found),
        strategy(found),
        personas_table(found),
        disclosure(found),
        constraints_table(found),
        effort_table(found),
        faults_by_owner(found),
    )


_RATES = ("conversations", "FR", *(f"OR-{percent}" for percent in TOP_PERCENTS))


def _rates(found: Sequence[Measured]) -> tuple[Cell, ...]:
    tops = (optimality_rate(found, percent).value for percent in TOP_PERCENTS)
    return (len(found), feasibility_rate(found).value, *tops)


def headline(found: Sequence[Measured]) -> Table:
    """FR, OR-5, OR-10 and OR-20, with what they are shares of."""
    rows: list[tuple[Cell, ...]] = []
    named = [("FR", feasibility_rate(found))]
    named += [(f"OR-{percent}", optimality_rate(found, percent)) for percent in TOP_PERCENTS]
    named += [(f"OR-{percent}, ties against", strict_optimality_rate(found, percent)) for percent in TOP_PERCENTS]
    for name, rate in named:
        low, high = rate.wilson() or (None, None)
        rows.append((name, rate.value, rate.shown, low, high))
    gap = mean_relative_gap(found)
    rows.append(("mean relative gap of costs", gap.value, gap.shown, None, None))
    return Table("Results", ("figure", "value", "of", "95 % from", "to"), tuple(rows))


def breakdown(found: Sequence[Measured], axis: str) -> Table:
    """The rates by one axis of `BY`."""
    title, group = BY[axis]
    rows = tuple((name, *_rates(rows_)) for name, rows_ in grouped(found, group).items())
    return Table(f"By {title}", (title, *_RATES), rows)


def failures(found: Sequence[Measured]) -> Table:
    """Why conversations miss OR-5."""
    count = Counter(one.failure for one in found)
    rows = tuple((name, count[name], meaning) for name, meaning in FAILURES.items())
    return Table("Why OR-5 was missed", ("reason", "conversations", "meaning"), rows)


def tool_faults(found: Sequence[Measured]) -> Table:
    """Tool-call faults by kind."""
    rows = tuple((name, rate.value, rate.shown) for name, rate in call_faults(found).items())
    return Table("Tool-call faults", ("kind", "share of calls", "of"), rows)


def search(found: Sequence[Measured]) -> Table:
    """Effort, yield, and what was seen and not taken, beside OR-5."""
    numbers: tuple[tuple[str, Callable[[Measured], float | None]], ...] = (
        ("search effort E", lambda one: one.calls.effort),
        ("E over catalogue tools", lambda one: one.calls.catalogue_effort),
        ("search yield Y", lambda one: one.calls.found),
        ("optimum seen", lambda one: one.saw_optimum),
        ("optimum seen, not recommended", lambda one: one.passed_up_optimum),
        ("OR-5 plan seen", lambda one: one.saw_top),
        ("OR-5 plan seen, none recommended", lambda one: one.passed_up_top),
        ("OR-5", lambda one: one.score.is_top(5)),
        ("recommended ids never validated", lambda one: one.unvalidated),
        ("tokens of the agent", lambda one: one.agent_tokens),
        ("tokens of the simulated user", lambda one: one.simulator.tokens),
    )
    rows = []
    for name, number in numbers:
        rate = mean_of(found, number)
        rows.append((name, rate.value, rate.shown))
    return Table("Search", ("figure", "mean", "of"), tuple(rows))


def progress(found: Sequence[Measured]) -> Table:
    """Best so far over calls."""
    rows = tuple((calls, rate.value, rate.shown) for calls, rate in progress_curve(found).items())
    return Table("OR-5 plan seen after so many calls", ("calls", "share", "of"), rows)


def strategy(found: Sequence[Measured]) -> Table:
    """Where agents look."""
    rows: list[tuple[Cell, ...]] = []
    numbers: tuple[tuple[str, Callable[[Measured], float | None]], ...] = (
        ("allowed dates searched", lambda one: one.strategy.stays_searched / one.strategy.stays_allowed),
        ("weekdays tried", lambda one: len(one.strategy.weekdays)),
        ("optional filters used", lambda one: len(one.strategy.filters_used)),
        ("hotel and flight dates differ", lambda one: one.failure == "dates do not match"),
    )
    for name, number in numbers:
        rate = mean_of(found, number)
        rows.append((name, rate.value, rate.shown))
    used = Counter(name for one in found for name in one.strategy.filters_used)
    rows += [(name, count / len(found), f"{count}/{len(found)}") for name, count in used.most_common()]
    return Table("Search strategy", ("figure", "mean", "of"), tuple(rows))


def personas_table(found: Sequence[Measured]) -> Table:
    """What the user's ways do to OR-5."""
    test = trust_effect(found)
    rows: tuple[tuple[Cell, ...], ...] = (
        ("CV of OR-5 over styles, %", style_variation(found)),
        ("questioning against trusting, z", test.z if test else None),
        ("questioning against trusting, p", test.p if test else None),
    )
    return Table("Persona effects", ("figure", "value"), rows)


def disclosure(found: Sequence[Measured]) -> Table:
    """OR-5 and extra turns by the turn of full disclosure."""
    rows: list[tuple[Cell, ...]] = []
    for bin_ in revelation_bins(found):
        low, high = bin_.optimality.wilson() or (None, None)
        rate = bin_.optimality
        rows.append((bin_.name, rate.denominator, rate.value, low, high, bin_.extra_turns.value))
    drawn, draws = sum(one.revealed_by_draw for one in found), sum(one.draws for one in found)
    mean = conversation_efficiency(found)
    notes = (
        f"Told by chance in {drawn} of {draws} turns that drew; told because turns ran out: "
        f"{sum(one.forced for one in found)}. Extra turns after disclosure: {mean.shown}.",
    )
    columns = ("t*", "conversations", "OR-5", "95 % from", "to", "mean extra turns")
    return Table("By turn of full disclosure", columns, tuple(rows), notes)


def constraints_table(found: Sequence[Measured]) -> Table:
    """FR and satisfied constraints by their number."""
    rows = tuple(
        (name, rate.denominator, rate.value, share.value) for name, (rate, share) in constraint_curve(found).items()
    )
    return Table("By number of hard constraints", ("constraints", "conversations", "FR", "constraints met"), rows)


def effort_table(found: Sequence[Measured]) -> Table:
    """OR-5 by effort."""
    rows = tuple((name, rate.denominator, rate.value) for name, rate in effort_bins(found).items())
    return Table("By search effort", ("E", "conversations", "OR-5"), rows)


def faults_by_owner(found: Sequence[Measured]) -> Table:
    """Whose faults there were: the agent's, and the simulator's, which count against nobody."""
    kinds = Counter[str]()
    for one in found:
        kinds.update(one.simulator.kinds)
    turns = sum(sum(one.ends.values()) for one in found)
    said = sum(one.simulator.utterances for one in found)
    attempts = sum(one.simulator.model_calls for one in found)
    rows: list[tuple[Cell, ...]] = [
        ("agent: turns without an answer", sum(agent_faults(one) for one in found), turns),
        ("agent: answers mended when asked again", sum(one.repaired for one in found), turns),
        ("agent: answers in no readable form", sum(one.unreadable for one in found), turns),
        ("simulator: attempts thrown away", sum(one.simulator.rejected for one in found), attempts),
        ("simulator: utterances left to the script", sum(one.simulator.fallbacks for one in found), said),
        *((f"simulator: {kind.replace('_', ' ')}", count, attempts) for kind, count in sorted(kinds.items())),
    ]
    notes = ("Conversations that broke off by other than the agent are no results: they are run again, not counted.",)
    return Table("Faults by owner", ("fault", "how many", "of"), tuple(rows), notes)


def stability(runs: Sequence[Sequence[Measured]]) -> Table:
    """How the rates vary over several runs of the same agent (COMPASS, stability table; population std)."""
    rows: list[tuple[Cell, ...]] = []
    rates: list[tuple[str, Callable[[Sequence[Measured]], Rate]]] = [("FR", feasibility_rate)]
    rates += [(f"OR-{p}", lambda found, p=p: optimality_rate(found, p)) for p in TOP_PERCENTS]  # type: ignore[misc]
    for name, rate in rates:
        values = [100 * value for run in runs if (value := rate(run).value) is not None]
        spread = Spread.of(values)
        if spread:
            rows.append((name, spread.mean, spread.std, spread.least, spread.greatest, spread.count))
    return Table("Stability over runs, in percent", ("figure", "mean", "std", "least", "greatest", "runs"), tuple(rows))
