"""Answers that are no plan any more."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class TextDamage:
    """One way to spoil an answer as a whole, so that it is no plan."""

    name: str
    spoil: Callable[[str], str]


_QUESTION = "<clarification>Which of the two hotels shall it be?</clarification>"
_REFUSAL = "<no_solution>The budget is too small.</no_solution>"

TEXT_DAMAGES = (
    TextDamage("a question after the plan", lambda text: f"{text}\n{_QUESTION}"),
    TextDamage("a question before the plan", lambda text: f"{_QUESTION}\n{text}"),
    TextDamage("a refusal after the plan", lambda text: f"{text}\n{_REFUSAL}"),
    TextDamage("two plans", lambda text: f"{text}\n{text.replace('Day 1', 'Day 2')}"),
    TextDamage("nothing at all", lambda text: ""),
    TextDamage("prose without any plan", lambda text: "I have planned a lovely trip for you. Enjoy!"),
    TextDamage(
        "the plan as a question",
        lambda text: text.replace("<plan>", "<clarification>").replace("</plan>", "</clarification>"),
    ),
    TextDamage("an empty plan", lambda text: "<plan>\n</plan>"),
)
