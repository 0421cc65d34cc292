"""Two agents task by task. (R26)"""

import io
from fractions import Fraction

import pytest
from rich.console import Console
from tests.trip_plus.scored_turns import COUPLE, FLYER, entry, good_entry, toy, turn

from tripgauge.errors import UsageError
from tripgauge.trip_plus.edition import Edition
from tripgauge.trip_plus.results.comparison import Comparison, compare
from tripgauge.trip_plus.results.summary import Entry

TASKS = tuple(toy().tasks)


def agent(name: str, *qualities: float) -> Entry:
    """One plan for each of the first tasks, all its scores alike."""
    turns = (turn(task, 0, feasibility=q, hard=q, soft=q) for task, q in zip(TASKS, qualities, strict=False))
    return entry(*turns, name=name)


def shown(found: Comparison) -> str:
    console = Console(width=80, record=True, file=io.StringIO())
    for table in found.tables():
        console.print(table.rich())
    return console.export_text()


def test_no_difference_is_shown_where_chance_explains_it() -> None:
    """R26. Better on two tasks, worse on one: exchanging them gives as much in 6 of 8 ways."""
    found = compare(agent("a", 1, 1, 0), agent("b", 0, 0.5, 0.75))

    assert not found.headline.is_shown
    assert found.verdict.startswith("No difference shown: Turn quality (due) differs by +0.2500")
    assert "no difference shown" in shown(found)


def test_few_tasks_can_show_no_difference_and_it_is_said_so() -> None:
    """R26. Even five of five leave 2 of 32 ways, 0.0625."""
    found = compare(agent("a", 1, 1, 1, 1, 1), agent("b", 0, 0, 0, 0, 0))

    assert found.headline.test is not None
    assert found.headline.test.p == 0.0625
    assert "With 5 tasks that differ, none could be shown (p is at least 0.06)" in found.verdict


def test_a_difference_on_every_one_of_eight_tasks_is_shown() -> None:
    """R26. Of 2^8 ways two are as extreme: p = 0.0078."""
    found = compare(agent("a", *[0.5] * 8), agent("b", *[0.75] * 8))

    assert found.headline.is_shown
    assert found.headline.test is not None
    assert found.headline.test.p == pytest.approx(2 / 256)
    assert found.verdict.startswith("b is better than a: Turn quality (due) differs by 0.2500 [-0.2500 to -0.2500]")


def test_an_agent_does_not_differ_from_itself() -> None:
    found = compare(good_entry(Edition.STRICT), good_entry(Edition.STRICT))

    assert {column.verdict("x", "y") for column in found.columns} == {"no difference shown"}
    assert not any(task.difference for task in found.tasks)


def test_the_headline_is_the_mean_of_the_qualities_of_a_turn() -> None:
    """R6. (3/4 + 1/2 + 1/4) / 3 on one turn, 0 where no plan came."""
    one = entry(turn(COUPLE, 0, feasibility=Fraction(3, 4), hard=Fraction(1, 2), soft=Fraction(1, 4)), name="a")
    other = entry(turn(COUPLE, 0, response=0), name="b")

    (task,) = compare(one, other).tasks

    assert (task.first, task.second, task.difference) == (0.5, 0, 0.5)


def test_only_what_both_have_is_compared_and_the_rest_is_counted() -> None:
    first = entry(turn(COUPLE, 0, feasibility=1, hard=1, soft=1), turn(FLYER, 0, feasibility=0, hard=0, soft=0))
    second = entry(turn(COUPLE, 0, feasibility=0, hard=0, soft=0), name="b")

    found = compare(first, second)

    assert [task.task for task in found.tasks] == [COUPLE]
    assert found.left_out == 1
    assert "1 conversations that only one of them has are left out" in shown(found).replace("\n", " ")


def test_nothing_in_common_cannot_be_compared() -> None:
    with pytest.raises(UsageError, match="no conversation in common"):
        compare(entry(turn(COUPLE, 0)), entry(turn(FLYER, 0), name="b"))


def test_tasks_are_listed_with_the_largest_difference_first() -> None:
    found = compare(agent("a", 0.5, 1, 0.5), agent("b", 0.5, 0, 0.75))

    assert [task.difference for task in found.tasks] == [1, -0.25, 0]
    assert "a is ahead on 1 of 3 tasks, b on 1." in found.tables()[1].notes[0]
    assert len(found.flat().rows) == 3


def test_a_comparison_fits_80_columns() -> None:
    text = shown(compare(agent("quite a long name", *[0.5] * 8), agent("another long name", *[0.75] * 8)))

    assert max(map(len, text.splitlines())) <= 80
    assert "…" not in text
