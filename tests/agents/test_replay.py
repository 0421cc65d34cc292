"""Answers from files."""

import asyncio
from pathlib import Path

import pytest

from tripgauge.agents.replay import ReplayAgent
from tripgauge.conversation import NO_MODE, Dialogue, EndReason, Limits, Reading, ScriptedUser, converse
from tripgauge.errors import UsageError
from tripgauge.tools import Toolbox


def test_each_turn_is_answered_from_its_file_and_a_missing_file_is_an_empty_answer(tmp_path: Path) -> None:
    (tmp_path / "weekend_turn_0.txt").write_text("À la mer.", encoding="utf-8")
    dialogue = Dialogue(
        "weekend",
        "",
        ScriptedUser(("one", "two")),
        Toolbox([]),
        lambda text: Reading("plan" if text else NO_MODE, text),
    )

    held = asyncio.run(converse(ReplayAgent(str(tmp_path)), dialogue, Limits()))

    assert [turn.answer for turn in held.transcript.turns] == ["À la mer.", ""]
    assert [turn.end for turn in held.transcript.turns] == [EndReason.ANSWERED, EndReason.EMPTY_ANSWER]
    assert [turn.cost for turn in held.transcript.turns] == [0, 0]


def test_a_folder_without_answers_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="No answers in"):
        ReplayAgent(str(tmp_path))
