"""What an answer to one turn is worth, by hand: hard, soft, fulfillment, preservation, mode gate. (Trip+ B.3-B.7)"""

from decimal import Decimal
from fractions import Fraction

import pytest
from tests.trip_plus.toy_trip import frame, sandbox

from tripgauge.trip_plus.itinerary import Clarification, Fault, Mode, NoSolution, Plan, Response, Unreadable
from tripgauge.trip_plus.notation.plan_text import parse_plan
from tripgauge.trip_plus.requirements.constraints.attractions import AddedAttraction, AllAttractions, NoneOfAttractions
from tripgauge.trip_plus.requirements.constraints.budget import BudgetCap
from tripgauge.trip_plus.requirements.constraints.lodging import HotelPriceRange
from tripgauge.trip_plus.requirements.constraints.trip import RoomCount
from tripgauge.trip_plus.requirements.preferences.comfort import Mobility, MobilityAccessibility
from tripgauge.trip_plus.requirements.preferences.interest import InterestInSights, InterestLocalFood
from tripgauge.trip_plus.requirements.preferences.transport import AvoidEarlyDeparture, PreferMode
from tripgauge.trip_plus.requirements.requirement import UncheckedConstraint
from tripgauge.trip_plus.scoring import TurnScore, missing_turn, score_turn
from tripgauge.trip_plus.tasks.task import TurnState
from tripgauge.trip_plus.trace.joining import execution_trace

DAY_TRIP = """\
Day 1 (2026-07-14):
Current City: from Aldmoor to Briskhaven
06:30-08:30 | travel_intercity_public | train T6, Aldmoor Station - Briskhaven Station, Second Class Seat, ¥80/person
09:00-11:00 | attraction | Fort Museum, ¥40/person
11:30-12:30 | meal | lunch, Annie's Kitchen, ¥80/person
13:00-14:30 | attraction | Mint Gallery, ¥20/person
17:00-19:00 | travel_intercity_public | train T20, Briskhaven Station - Aldmoor Station, Second Class Seat, ¥110/person
"""

MUSEUM = AllAttractions("attraction_must_visit_named", frozenset({"Fort Museum"}))
GARDEN = AddedAttraction("Fern Garden")
QUEUES = NoneOfAttractions(frozenset({"Tide Aquarium"}))
CHEAP, DEAR = BudgetCap(Decimal(100)), BudgetCap(Decimal(2000))
TRAIN, EARLY = PreferMode("transport_prefer_train"), AvoidEarlyDeparture()
CULTURE, SHOPPING, FOOD = (
    *(InterestInSights("interest_culture"), InterestInSights("interest_shopping")),
    InterestLocalFood(),
)


def state(*hard, soft=(), mode=Mode.PLAN, renewed=()) -> TurnState:
    return TurnState(mode, frame(days=1), frozenset(hard), frozenset(soft), renewed=frozenset(renewed))


def scored(now: TurnState, before: TurnState | None = None, response: Response | None = None) -> TurnScore:
    return score_turn(response or Plan(parse_plan(DAY_TRIP)), now, before, sandbox())


def test_the_hard_score_is_the_share_of_constraints_that_hold():
    """R6. Seen: the museum, no queues, within 2000. Not seen: the garden."""
    score = scored(state(MUSEUM, GARDEN, QUEUES, DEAR)).hard

    assert score is not None
    assert score.score == Fraction(3, 4)


def test_what_does_not_apply_leaves_the_denominator():
    """R6. On a day trip nothing is asked of rooms, and of what no check knows nothing is ever asked."""
    unknown = UncheckedConstraint("pets_welcome", "no table tells")

    score = scored(state(MUSEUM, GARDEN, RoomCount(1), unknown)).hard

    assert score is not None
    assert score.score == Fraction(1, 2)


def test_a_hotel_asked_for_where_no_night_is_spent_is_not_met():
    """R1. What was asked for and is absent fails."""
    score = scored(state(HotelPriceRange(Decimal(100), Decimal(400)))).hard

    assert score is not None
    assert score.score == 0


def test_the_soft_score_is_a_mean_over_families():
    """R6. Transport (1 + 1/2) / 2, interest (1 + 0 + 1) / 3."""
    score = scored(state(soft=(TRAIN, EARLY, CULTURE, SHOPPING, FOOD))).soft

    assert score is not None
    assert {part.name: part.score for part in score.parts} == {
        "transport_convenience": Fraction(3, 4),
        "interest_match": Fraction(2, 3),
    }
    assert score.score == Fraction(17, 24)


def test_no_hard_constraint_and_no_preference_is_no_score():
    """R1."""
    score = scored(state())

    assert score.hard is not None
    assert score.hard.score is None
    assert score.soft is not None
    assert score.soft.score is None
    assert score.fulfillment is None
    assert score.preservation is None


def test_at_the_first_turn_everything_is_asked_for_anew():
    """R6. Museum and culture are met, the garden is not, and half met is not met: 2 of 4."""
    score = scored(state(MUSEUM, GARDEN, soft=(CULTURE, EARLY)))

    assert score.fulfillment == Fraction(2, 4)
    assert score.preservation is None


def test_later_what_is_new_is_fulfilled_and_what_is_still_active_preserved():
    """R6. New: the garden, which is missing, and trains. Kept: museum and no queues are met, shopping is not."""
    before = state(MUSEUM, QUEUES, soft=(SHOPPING,))
    now = state(MUSEUM, QUEUES, GARDEN, soft=(SHOPPING, TRAIN))

    score = scored(now, before)

    assert score.fulfillment == Fraction(1, 2)
    assert score.preservation == Fraction(2, 3)


def test_a_new_cap_is_asked_anew_and_the_old_one_is_forgotten():
    score = scored(state(DEAR, MUSEUM), state(CHEAP, MUSEUM))

    assert (score.fulfillment, score.preservation) == (1, 1)
    assert CHEAP not in score.results


def test_what_was_dropped_is_neither_asked_nor_kept():
    score = scored(state(MUSEUM), state(MUSEUM, GARDEN, soft=(SHOPPING,)))

    assert (score.fulfillment, score.preservation) == (None, 1)


def test_what_the_traveler_comes_back_to_is_asked_again():
    """The side of a conflict that counts, though it was asked before."""
    before = state(MUSEUM, soft=(SHOPPING,))

    score = scored(state(MUSEUM, soft=(SHOPPING,), renewed=(SHOPPING,)), before)

    assert score.fulfillment == 0
    assert score.preservation == Fraction(1, 2)


def test_a_preference_that_changes_is_another_one():
    walking = MobilityAccessibility(frozenset({Mobility.WALKING}))
    both = MobilityAccessibility()

    score = scored(state(soft=(both,)), state(soft=(walking,)))

    assert score.introduced == {both}
    assert score.preserved == frozenset()


@pytest.mark.parametrize(
    "response",
    [
        Clarification("Which hotel?"),
        NoSolution("There is no train."),
        Unreadable(Fault("response", "", "more than one response mode")),
    ],
)
def test_where_a_plan_is_due_no_other_answer_earns_anything(response):
    """R2. Not even what it cannot break: "no queues" is not kept by a question."""
    score = scored(state(QUEUES, MUSEUM), state(QUEUES), response)

    assert not score.mode_is_right
    assert (score.feasibility, score.hard, score.soft) == (None, None, None)
    assert (score.fulfillment, score.preservation) == (0, 0)


def test_no_answer_at_all_earns_as_little():
    score = missing_turn(state(QUEUES, MUSEUM), state(QUEUES), sandbox())

    assert score.observed is None
    assert (score.feasibility, score.fulfillment, score.preservation) == (None, 0, 0)


def test_a_plan_where_a_question_was_due_earns_nothing_however_good_it_is():
    score = scored(state(MUSEUM, mode=Mode.CLARIFICATION))

    assert not score.mode_is_right
    assert score.trace is not None
    assert (score.feasibility, score.fulfillment, score.preservation) == (None, None, None)


def test_a_question_where_one_was_due_has_no_plan_to_score():
    score = scored(state(MUSEUM, mode=Mode.CLARIFICATION), response=Clarification("Which hotel?"))

    assert score.mode_is_right
    assert (score.feasibility, score.hard, score.fulfillment, score.preservation) == (None, None, None, None)


def test_every_mean_is_taken_over_the_answers_of_the_requirements_themselves():
    """R12. What grades is what `tripgauge check`, the documentation and the cases ask."""
    asked = state(MUSEUM, GARDEN, DEAR, soft=(TRAIN, EARLY))
    trace = execution_trace(parse_plan(DAY_TRIP), asked.frame, sandbox())

    assert scored(asked).results == {requirement: requirement.check(trace) for requirement in asked.requirements}
