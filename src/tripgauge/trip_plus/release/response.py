"""Which kind of reply was expected, which one came, and whether a refusal gives the right reason. (Trip+ B.1)"""

from typing import Literal

from tripgauge.trip_plus.release.facts import PlanFacts
from tripgauge.trip_plus.release.turn_state import ReleaseTurnState

ReplyMode = Literal["plan", "clarification", "no_solution", "invalid"]

KEYWORDS_NEEDED = 2

_EXPLANATION_FIELDS = ("unsat_explanation", "reason", "message", "summary")
_BUDGET_SIGNS = ("budget", "cost", "price", "fare", "upper limit", "per night", "per person")
_BUDGET_WORDS = (*_BUDGET_SIGNS, "total budget", "over budget", "exceed", "insufficient")
_INFEASIBILITY_WORDS = ("unsat", "infeasible", "no solution", "cannot satisfy", "not feasible", "impossible")
_CONSTRAINT_WORDS = (
    *("hard constraint", "constraint", "preserve", "unchanged", "do not relax"),
    *("previous requirement", "requirement"),
)
_COST_EVIDENCE_WORDS = (
    *("transport", "accommodation", "hotel", "flight", "train", "ticket", "meal", "restaurant", "only", "minimum"),
)


def expected_mode(expectation: str) -> ReplyMode:
    """The reply mode that a turn's expectation stands for."""
    if expectation in ("clarification", "conflict_resolution"):
        return "clarification"
    return "no_solution" if expectation in ("no_solution", "infeasible") else "plan"


def observed_mode(facts: PlanFacts) -> ReplyMode:
    """The reply mode of a converted answer; a plan that calls itself unsolvable is invalid, so is an empty answer."""
    if facts.has_days:
        return "invalid" if facts.status in ("unsat", "clarification") else "plan"
    if facts.status == "unsat":
        return "no_solution"
    return "clarification" if facts.status == "clarification" else "invalid"


def is_no_solution(facts: PlanFacts) -> bool:
    """Whether the answer says that nothing can be done, and proposes nothing."""
    return observed_mode(facts) == "no_solution"


def is_clarification(facts: PlanFacts) -> bool:
    """Whether the answer asks back, and proposes nothing."""
    return observed_mode(facts) == "clarification"


def explanation(facts: PlanFacts) -> str:
    """What the answer gives as its reason, from all fields that may hold one."""
    return " ".join(str(facts.plan.raw.get(field, "")).strip() for field in _EXPLANATION_FIELDS)


def reason_matches(state: ReleaseTurnState, answer: str) -> bool:
    """Whether an explanation names why there is no solution: two of the turn's keywords, or a plea about the budget.

    Without keywords any text is right, even none.
    """
    if not state.keywords:
        return True
    found = sum(_folded(keyword) in _folded(answer) for keyword in state.keywords)
    return found >= min(KEYWORDS_NEEDED, len(state.keywords)) or _pleads_budget(state, answer)


def _pleads_budget(state: ReleaseTurnState, answer: str) -> bool:
    oracle = " ".join((state.unsolved_reason, *state.keywords, *state.blocking_constraints))
    return (
        bool(answer.strip())
        and _mentions(oracle, _BUDGET_SIGNS)
        and _mentions(answer, _BUDGET_WORDS)
        and _mentions(answer, _INFEASIBILITY_WORDS)
        and (_mentions(answer, _CONSTRAINT_WORDS) or _mentions(answer, _COST_EVIDENCE_WORDS))
    )


def _mentions(haystack: str, words: tuple[str, ...]) -> bool:
    folded = _folded(haystack)
    return any(_folded(word) in folded for word in words)


def _folded(value: str) -> str:
    return "".join(value.lower().split())
