"""Scored turns made by hand, and toy entries, for tests of what is computed over them."""

from functools import cache
from pathlib import Path
from typing import Any

from tripgauge.toy import town
from tripgauge.trip_plus.benchmark import TripPlus
from tripgauge.trip_plus.edition import Edition
from tripgauge.trip_plus.results.answers import Answer, AnswerSet, Conversation, conversations, read_answers
from tripgauge.trip_plus.results.summary import Due, Entry, ScoredTurn, score_answers

COUPLE, FLYER, FAMILY = "mt_toy_couple", "mt_toy_flyer", "mt_toy_family"
NO_PLAN_WANTED = Due(plan=False, hard=False, soft=False)
ALL_DUE = Due(plan=True, hard=True, soft=True)


@cache
def toy() -> TripPlus:
    return TripPlus([town.queries_file()], town.data_folder())


def turn(task: str = COUPLE, number: int = 0, due: Due = ALL_DUE, response: int = 1, **scores: Any) -> ScoredTurn:
    """A turn with these scores; a wrong mode unless `response` is 1."""
    return ScoredTurn(
        task=toy().task(task),
        trial=scores.pop("trial", 0),
        turn=number,
        is_answered=scores.pop("is_answered", True),
        expected="plan" if due.plan else "clarification",
        observed="plan" if due.plan == bool(response) else "clarification",
        due=due,
        verdicts=scores.pop("verdicts", ()),
        response=response,
        **scores,
    )


def entry(*turns: ScoredTurn, name: str = "agent", edition: Edition = Edition.STRICT) -> Entry:
    """An entry over these turns."""
    talks = {(t.task.task_id, t.trial): Conversation(t.task.task_id, t.trial, (Answer(""),)) for t in turns}
    return Entry(AnswerSet(name, tuple(talks.values())), edition, turns, len(turns), len(talks))


def good_answers(name: str = "good") -> AnswerSet:
    """The recorded answers of the toy town."""
    found = read_answers(town.answers_folder(), toy().tasks.values())
    return AnswerSet(name, found.conversations)


def answering(text: str, trip_plus: TripPlus, name: str = "constant") -> AnswerSet:
    """The same text at every turn of every task."""
    answers = {
        (task.task_id, number): Answer(text)
        for task in trip_plus.tasks.values()
        for number in range(len(task.key.states))
    }
    return AnswerSet(name, conversations(answers, trip_plus.tasks.values()))


@cache
def good_entry(edition: Edition) -> Entry:
    """The recorded answers scored."""
    return score_answers(good_answers(), toy(), edition)


def write_answers(folder: Path, answers: dict[str, str]) -> Path:
    """A folder of answer files by turn id."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in answers.items():
        (folder / f"{name}.txt").write_text(text, encoding="utf-8")
    return folder
