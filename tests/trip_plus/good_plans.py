"""The good plans there are, of the toy town and of the conformance data, with all that can be asked of them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

from tests.trip_plus.damage import EVERY_SIGHT, GoodPlan
from tests.trip_plus.release.conformance_data import _library, lines, record_of
from tests.trip_plus.toy_trip import sandbox

from tripgauge.checks import CheckResult
from tripgauge.toy import town
from tripgauge.trip_plus.feasibility.score import feasibility
from tripgauge.trip_plus.itinerary import Itinerary, Plan
from tripgauge.trip_plus.notation.plan_json import read_converted
from tripgauge.trip_plus.notation.plan_text import parse_response
from tripgauge.trip_plus.requirements.constraints.attractions import AllAttractions
from tripgauge.trip_plus.requirements.constraints.budget import BudgetCap
from tripgauge.trip_plus.requirements.constraints.dining import RestaurantAmong
from tripgauge.trip_plus.requirements.constraints.lodging import HotelAmong, HotelPriceRange
from tripgauge.trip_plus.requirements.constraints.transport import SeatClass
from tripgauge.trip_plus.requirements.requirement import Requirement
from tripgauge.trip_plus.sandbox.store import Sandbox
from tripgauge.trip_plus.tasks.queries import decode_record, read_queries, task_of
from tripgauge.trip_plus.tasks.task import TurnState
from tripgauge.trip_plus.trace.execution import ExecutionTrace
from tripgauge.trip_plus.trace.joining import execution_trace

Question = tuple[str, str]
"""A check or kind of requirement by its id, and the requirement in words."""

Verdicts = Mapping[Question, CheckResult]


@dataclass(frozen=True)
class Good:
    """A good plan with the turn it answers."""

    name: str
    plan: GoodPlan
    state: TurnState
    wishes: tuple[Requirement, ...]
    """What the plan meets anyway and somebody might have asked for, beside what the turn asks."""

    converted: Any = None
    """As JSON, where it came so."""

    @cached_property
    def before(self) -> Verdicts:
        """What is said of the plan itself."""
        return self.verdicts(self.plan.itinerary)

    def verdicts(self, itinerary: Itinerary) -> Verdicts:
        """What every check, every requirement of the turn and every wish says of a plan for this turn.

        A wish takes the place of what the turn asks of its kind, such as a cap on the budget that leaves some room.
        """
        trace = self.trace(itinerary)
        said = {(result.check, ""): result for result in feasibility(trace).results}
        wished = {wish.id for wish in self.wishes}
        for asked in (*(own for own in self.state.requirements if own.id not in wished), *self.wishes):
            said[asked.id, asked.sentence()] = asked.check(trace)
        return said

    def trace(self, itinerary: Itinerary) -> ExecutionTrace:
        """The plan as it would happen on the trip of this turn."""
        return _trace(itinerary, self.state, self.plan.sandbox)


def _trace(itinerary: Itinerary, state: TurnState, box: Sandbox) -> ExecutionTrace:
    return execution_trace(itinerary, state.frame, box, state.rest_days, state.expected_weather)


def _good(name: str, itinerary: Itinerary, state: TurnState, box: Sandbox, converted: Any = None) -> Good:
    wishes = tuple(_wishes(_trace(itinerary, state, box)))
    return Good(name, GoodPlan(itinerary, state.frame, box), state, wishes, converted)


def _wishes(trace: ExecutionTrace) -> Iterator[Requirement]:
    yield AllAttractions(EVERY_SIGHT, frozenset(visit.activity.attraction for visit in trace.visits))
    for meal in trace.meals:
        yield RestaurantAmong("restaurant_must_eat_named", frozenset({meal.activity.restaurant}))
    yield BudgetCap(max(trace.true_cost.total, trace.cost.total))
    hotels = [night.hotel for night in trace.nights if night.hotel]
    if hotels:
        prices = [hotel.price for hotel in hotels if hotel.price is not None]
        yield HotelAmong("hotel_turn_added", frozenset(hotel.name for hotel in hotels))
        yield HotelPriceRange(min(prices), max(prices))
    for mode in ("flight", "train"):
        seats = {leg.service.seat_class if leg.service else "" for leg in trace.legs if leg.kind == mode}
        if len(seats) == 1 and all(leg.kind == mode for leg in trace.legs):
            yield SeatClass(f"{mode}_seat_class", *seats)


@cache
def toy() -> tuple[Good, ...]:
    """The recorded plans of the toy town."""
    states = {
        f"{task.task_id}_turn_{turn}": state
        for task in read_queries(town.queries_file())
        for turn, state in enumerate(task.key.states)
    }
    answers = {name: parse_response(text) for name, text in town.answers().items()}
    return tuple(
        _good(name, answer.itinerary, states[name], sandbox())
        for name, answer in sorted(answers.items())
        if isinstance(answer, Plan)
    )


@cache
def conformance() -> tuple[Good, ...]:
    """The plans of the conformance data in which the published code finds nothing wrong; none without the data."""
    boxes: dict[object, Sandbox] = {}
    goods = []
    for case in (line for line in lines("cases.jsonl") if line["kind"] in ("good", "syn_good")):
        record = decode_record(record_of(case), case["id"])
        folder = _library("plain").folder(record.id, record.base_query_id)
        if folder not in boxes:
            boxes[folder] = Sandbox.of(_library("plain").files(record.id, record.base_query_id))
        state = task_of(record, record_of(case)).key.states[int(case["turn_id"])]
        response = read_converted(case["plan"])
        assert isinstance(response, Plan)
        goods.append(_good(case["id"], response.itinerary, state, boxes[folder], case["plan"]))
    return tuple(goods)
