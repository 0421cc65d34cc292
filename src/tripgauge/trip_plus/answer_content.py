"""Does an answer without a plan say what it must? Edition `strict`, in a column of its own. (Trip+ 2.4, R4)

A clarification is a question that names the blocked component and one open slot, or both sides of the conflict. A
refusal names the component, the constraint that blocks, and the figure or record of the sandbox that proves it. Words
are looked for whole and in any case, by a vocabulary for each slot and constraint; names and figures come from the
task and the sandbox. Response accuracy stays a matter of the mode alone.
"""

import re
from collections.abc import Iterable, Sequence
from decimal import Decimal
from functools import cache

from tripgauge.checks import CheckResult, Finding, GroupScore, grouped
from tripgauge.trip_plus.itinerary import Clarification, Mode, NoSolution, Response
from tripgauge.trip_plus.requirements.constraints.dining import RestaurantAmong
from tripgauge.trip_plus.requirements.constraints.lodging import HotelAmong
from tripgauge.trip_plus.requirements.requirement import HardConstraint
from tripgauge.trip_plus.sandbox.names import folded
from tripgauge.trip_plus.sandbox.store import Sandbox
from tripgauge.trip_plus.tasks.task import Ambiguity, CapConflict, ProfileConflict, Question

ASKS = "asks_the_traveler"
COMPONENT = "names_the_component"
SLOT = "names_an_open_slot"
CONFLICT = "names_both_sides"
CONSTRAINT = "names_the_blocking_constraint"
PROOF = "proves_it_from_the_sandbox"

REQUESTS = ("please tell", "please confirm", "let me know", "please choose", "please say", "please specify")
"""What makes a question without its mark."""

COMPONENTS = {
    "restaurant": ("restaurant", "dinner", "lunch", "meal", "dining", "dine", "eat", "eatery", "food", "table"),
    "hotel": ("hotel", "room", "stay", "accommodation", "lodging", "night", "inn", "hostel"),
    "transport": ("flight", "train", "ticket", "fare", "seat", "journey", "transport", "connection", "ride"),
    "budget": ("budget", "total", "cost", "overall", "whole trip", "spend", "spending", "cap"),
}
"""How the parts of a trip are called."""

SLOTS = {
    "meal day or route anchor": (
        *("day", "date", "when", "which evening", "which night", "where", "near", "nearby", "close to", "area"),
        *("location", "neighborhood", "neighbourhood", "district", "route", "attraction", "sight", "on the way"),
    ),
    "price threshold": (
        *("price", "budget", "cost", "per person", "per head", "a head", "spend", "how much", "expensive", "cheap"),
        *("yuan", "rmb", "price range", "limit"),
    ),
    "cuisine priority": (
        *("cuisine", "kind of food", "type of food", "style of food", "cooking", "taste", "flavor", "flavour"),
        *("dish", "dishes", "kitchen", "spicy", "seafood", "local food", "local specialty", "food preference"),
    ),
}
"""How a traveler is asked for what is open."""

MORE_SIGHTS = (
    *("four", "4", "more sights", "more attractions", "more spots", "more places", "number of sights"),
    *("number of attractions", "as many", "sights a day", "sights per day", "attractions per day", "spots per day"),
    *("attractions a day", "spots a day", "attractions each day", "attractions every day", "on foot", "walking"),
)
COMFORT = (
    *("pace", "relaxed", "relaxing", "rest", "tiring", "tired", "comfort", "comfortable", "leisurely", "easy"),
    *("easier", "slow", "slower", "overpacked", "packed", "mobility", "knee", "stroller", "long walks", "fatigue"),
    *(
        "long walking",
        "short transfers",
        "short ways",
        "fewer transfers",
        "fewer sights",
        "fewer attractions",
        "strain",
    ),
)
"""The two sides of a day too full for a traveler who likes it easy."""

CAP = (
    *("cap", "limit", "budget", "under", "below", "within", "at most", "maximum", "no more than", "price", "cheaper"),
    *("lower", "ceiling", "spend", "cost"),
)
"""How a new upper price is called."""

CONSTRAINTS = {
    "restaurant_closest_to_attraction": ("closest", "nearest", "near", "distance", "close to", "location", "next to"),
    "restaurant_highest_rated": ("rated", "rating", "highest-rated", "top-rated", "best"),
    "restaurant_cheapest_nearby_attraction": ("cheapest", "near", "nearby", "least expensive"),
    "restaurant_specific_cuisine_nearby": ("cuisine", "cooking", "kind of food"),
    "restaurant_must_eat_named": ("named", "asked for", "chosen"),
    "hotel_highest_rated": ("rated", "rating", "highest-rated", "top-rated", "best", "score"),
    "hotel_price_range": ("price range", "range", "between"),
    "hotel_cheapest_brand": ("brand", "chain"),
    "hotel_brand_highest_rated": ("brand", "chain", "rated"),
    "hotel_cheapest_star": ("star", "stars", "cheapest"),
    "hotel_star_highest_rated": ("star", "stars", "rated"),
    "hotel_star_service_required": ("star", "stars", "service"),
    "hotel_newest_decoration": ("renovated", "renovation", "decorated", "decoration", "newest", "newly", "modern"),
    "flight_seat_class": ("class", "seat", "cabin", "economy", "business"),
    "train_seat_class": ("class", "seat", "sleeper"),
    "budget_constraint": ("budget", "total", "minimum", "least", "earlier", "previous", "original"),
}
"""How an earlier wish is called, beside the names it holds."""

PRICE_SLACK = Decimal(1)
"""Figures in words are rounded."""

MOST_QUESTIONS = 4
"""A clarification is one or two short questions, generously counted; who asks for everything asks for nothing."""

MOST_FIGURES = 20
"""A refusal that lists more figures than that proves nothing by any of them."""


def content(response: Response, question: Question | None, mode: Mode, sandbox: Sandbox) -> GroupScore | None:
    """The share of what an answer without a plan must say; None if the turn says nothing of it.

    `mode` is the right one; an answer in another mode says nothing right.
    """
    if question is None or mode is Mode.PLAN:
        return None
    text = response.text if isinstance(response, Clarification | NoSolution) else ""
    right = isinstance(response, Clarification if mode is Mode.CLARIFICATION else NoSolution)
    said = _Said(text if right else "")
    results = _asked(said, question) if mode is Mode.CLARIFICATION else _refused(said, question, sandbox)
    return grouped("answer_content", tuple(results))


class _Said:
    """What an answer says, ready to be looked through."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.folded = folded(text)
        self.figures = tuple(Decimal(found.replace(",", "")) for found in re.findall(r"\d[\d,]*(?:\.\d+)?", text))

    def has(self, words: Sequence[str]) -> bool:
        return bool(words) and _pattern(tuple(words)).search(self.text) is not None

    def has_figure(self, figure: Decimal | None) -> bool:
        if figure is None or len(set(self.figures)) > MOST_FIGURES:
            return False
        return any(abs(figure - found) <= PRICE_SLACK for found in self.figures)

    @property
    def asks(self) -> bool:
        """Whether it asks something, and not everything."""
        questions = self.text.count("?") + self.text.count("？")
        return 0 < questions <= MOST_QUESTIONS or (not questions and self.has(REQUESTS))

    def names(self, names: Iterable[str]) -> bool:
        return any(folded(name) in self.folded for name in names if name)


@cache
def _pattern(words: tuple[str, ...]) -> re.Pattern[str]:
    """Any of the words, whole, in the plural too."""
    return re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, words))})(?:s|es)?(?![\w-])", re.IGNORECASE)


def _result(check: str, holds: bool, reason: str) -> CheckResult:
    return CheckResult(check, True, () if holds else (Finding(reason),))


# --- A question back -------------------------------------------------------------------------------------------------


def _asked(said: _Said, question: Question) -> list[CheckResult]:
    results = [_result(ASKS, said.asks, f"the answer asks nothing, or more than {MOST_QUESTIONS} things")]
    match question:
        case Ambiguity():
            results.append(_component(said, question.component))
            slots = ", ".join(question.missing_slots)
            named = any(said.has(SLOTS.get(slot, (slot,))) for slot in question.missing_slots)
            results.append(_result(SLOT, named, f"the answer asks for none of what is open: {slots}"))
        case ProfileConflict():
            both = said.has(MORE_SIGHTS) and said.has(COMFORT)
            reason = f"the answer does not set {question.request} against the comfort the traveler likes"
            results.append(_result(CONFLICT, both, reason))
        case CapConflict():
            results.append(_component(said, question.component))
            both = _names_cap(said, question) and _names_constraint(said, question.constraint)
            earlier = question.constraint.rule if question.constraint else "the earlier wish"
            results.append(_result(CONFLICT, both, f"the answer does not set the new price against: {earlier}"))
    return results


def _component(said: _Said, component: str) -> CheckResult:
    words = COMPONENTS.get(component, (component,))
    return _result(COMPONENT, said.has(words), f"the answer does not say that it is about the {component}")


def _names_cap(said: _Said, question: CapConflict) -> bool:
    return said.has_figure(question.cap) or said.has(CAP)


def _names_constraint(said: _Said, constraint: HardConstraint | None) -> bool:
    if constraint is None:
        return True
    return said.has(CONSTRAINTS.get(constraint.id, ())) or said.names(_names_in(constraint))


def _names_in(constraint: HardConstraint) -> Sequence[str]:
    """The places and details a constraint holds."""
    match constraint:
        case RestaurantAmong():
            return [*constraint.restaurants, constraint.near, constraint.detail]
        case HotelAmong():
            return [*constraint.hotels, constraint.detail]
        case _:
            return []


# --- A refusal -------------------------------------------------------------------------------------------------------


def _refused(said: _Said, question: Question, sandbox: Sandbox) -> list[CheckResult]:
    if not isinstance(question, CapConflict):
        return []
    constraint = question.constraint
    named = constraint.rule if constraint else "the earlier wish"
    figures = [question.observed, *_prices(constraint, sandbox)]
    proven = any(said.has_figure(figure) for figure in figures if figure is not None and figure != question.cap)
    return [
        _component(said, question.component),
        _result(CONSTRAINT, _names_constraint(said, constraint), f"the answer does not name what blocks: {named}"),
        _result(PROOF, proven, "the answer gives no price of the sandbox that proves it"),
    ]


def _prices(constraint: HardConstraint | None, sandbox: Sandbox) -> list[Decimal | None]:
    """What the places a constraint allows cost."""
    match constraint:
        case RestaurantAmong():
            places = [sandbox.restaurant(name) for name in sorted(constraint.restaurants)]
            return [place.price for place in places if place]
        case HotelAmong():
            hotels = [sandbox.hotel(name) for name in sorted(constraint.hotels)]
            return [hotel.price for hotel in hotels if hotel]
        case _:
            return []
