"""Tables in a narrow terminal: what does not fit goes on a line below, and nothing is lost."""

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from tripgauge.report.table import Table

TASK = "senior_comfort_tour_maximizer_1_task_6aa1648f"
TASKS = Table(
    "Tasks",
    ("task_id", "level", "objective_kind", "objective", "constraints", "told later", "title"),
    ((TASK, 3, "feature_count", "5 wishes", 1234567, 2, "Senior Comfort Tour Maximizer"),),
    ("One task.",),
)


def printed(table: Table, width: int) -> str:
    console = Console(file=io.StringIO(), width=width)
    console.print(table.rich())
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def column(text: str, start: int, end: int) -> str:
    """What stands between two places of every line below the heading, put together."""
    rows = text.split("─\n", 1)[1].splitlines()
    return "".join(line[start:end].strip() for line in rows)


@pytest.mark.parametrize("width", [70, 80, 100, 200])
def test_the_name_of_a_row_is_never_cut_and_numbers_are_not_broken(width: int):
    text = printed(TASKS, width)

    end = text.split("─\n", 1)[0].splitlines()[-2].index("level")
    assert column(text, 0, end).startswith(TASK[:16])
    assert TASK in column(text, 0, end).replace("One task.", "")
    assert " 1234567 " in text
    assert all(len(line) <= width for line in text.splitlines())


def test_with_room_enough_every_row_is_one_line():
    assert f"{TASK}     3 feature_count  5 wishes" in printed(TASKS, 200)


def test_brackets_in_a_name_are_shown_and_no_markup():
    assert "inn [red]" in printed(Table("", ("hotel",), (("inn [red]",),)), 80)


@given(
    st.lists(
        st.tuples(st.text("abc_", min_size=1, max_size=60), st.integers(0, 10**9), st.text("xyz", max_size=40)),
        min_size=1,
        max_size=4,
    )
)
def test_no_letter_is_lost_at_80_columns(rows: list[tuple[str, int, str]]):
    text = printed(Table("", ("NAME", "COUNT", "WORDS"), tuple(rows)), 80)

    assert sorted(sign for sign in text if sign.isdigit() or sign in "abc_xyz") == sorted(
        sign for name, count, words in rows for sign in f"{name}{count}{words}"
    )
    assert all(str(count) in text for _, count, _ in rows)
