"""Every stored number is computed anew and compared. (R8)"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.trip_plus.runs_made import HOTEL_NIGHTS, held
from tests.trip_plus.scored_turns import toy

from tripgauge.errors import UsageError
from tripgauge.run_commands import grade
from tripgauge.trip_plus.dialogues import NUMBERS, TripPlusDialogues
from tripgauge.trip_plus.edition import Edition
from tripgauge.verification import verify


@pytest.fixture
def run(tmp_path: Path) -> Path:
    path = held(tmp_path / "run", HOTEL_NIGHTS, limit=2)
    grade(TripPlusDialogues(toy()), path)
    return path


def edit(path: Path, change: Callable[[list[Any]], None]) -> None:
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    change(lines)
    path.write_text("".join(f"{json.dumps(line, ensure_ascii=False)}\n" for line in lines), encoding="utf-8")


def differences(run: Path) -> list[str]:
    return list(verify(TripPlusDialogues(toy()), run))


@pytest.mark.parametrize("edition", list(Edition))
def test_what_was_just_stored_is_right(tmp_path: Path, edition: Edition) -> None:
    """R8."""
    path = held(tmp_path / "run", HOTEL_NIGHTS, edition, limit=3)
    grade(TripPlusDialogues(toy(), edition), path)

    assert list(verify(TripPlusDialogues(toy(), edition), path)) == []


def test_every_single_number_that_is_changed_is_found(run: Path) -> None:
    """R8. Each stored number in turn, off by the least a float can be off."""
    import math

    original = (run / "scores.jsonl").read_text(encoding="utf-8")
    first = json.loads(original.splitlines()[0])
    changed = 0
    for number, turn in enumerate(first["turns"]):
        for name, value in turn["numbers"].items():
            (run / "scores.jsonl").write_text(original, encoding="utf-8")
            other = 0.5 if value is None else math.nextafter(value, 2)
            edit(
                run / "scores.jsonl",
                lambda lines, n=number, k=name, v=other: lines[0]["turns"][n]["numbers"].update({k: v}),
            )  # type: ignore[misc]
            assert differences(run) == [
                f"{first['task']}, trial 0, turn {number}: {name} is stored as {other}, computed as {value}"
            ]
            changed += 1

    assert changed == 3 * len(NUMBERS), "three turns with every number each"


def test_a_changed_finding_is_found(run: Path) -> None:
    """R8."""
    edit(run / "scores.jsonl", lambda lines: lines[1]["turns"][0].update({"findings": []}))

    assert differences(run) == ["mt_toy_flyer, trial 0, turn 0: the stored findings are not the computed ones"]


def test_a_changed_answer_is_found_by_its_scores_and_its_mode(run: Path) -> None:
    """R8. Whoever mends an answer afterwards has to mend all that was computed from it."""

    def mend(lines: list[Any]) -> None:
        lines[0]["turns"][0]["answer"] = "<clarification>Which day?</clarification>"

    edit(run / "transcripts.jsonl", mend)

    found = differences(run)
    assert "mt_toy_couple, trial 0, turn 0: mode is stored as 1.0, computed as 0.0" in found
    assert "mt_toy_couple, trial 0, turn 0: the answer is stored as plan, and reads as clarification" in found


def test_scores_without_a_conversation_and_conversations_without_scores_are_found(run: Path) -> None:
    """R8, R32."""
    edit(run / "scores.jsonl", lambda lines: lines.pop(0))
    assert differences(run) == ["mt_toy_couple, trial 0: there is a conversation, but no scores"]

    grade(TripPlusDialogues(toy()), run)
    edit(run / "transcripts.jsonl", lambda lines: lines.pop(0))
    assert differences(run) == ["mt_toy_couple, trial 0: there are scores, but no conversation that counts"]


def test_a_score_that_is_there_twice_is_refused(run: Path) -> None:
    """R32."""
    edit(run / "scores.jsonl", lambda lines: lines.append(lines[0]))

    with pytest.raises(UsageError, match="mt_toy_couple, trial 0, is there twice"):
        differences(run)


def test_a_run_that_was_not_scored_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="holds no scores to verify"):
        differences(held(tmp_path / "run", limit=1))


def test_a_run_of_the_other_edition_is_refused(run: Path) -> None:
    with pytest.raises(UsageError, match="edition strict, not of trip_plus, edition release"):
        verify(TripPlusDialogues(toy(), Edition.RELEASE), run)
