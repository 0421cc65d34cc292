"""What a clarification and a refusal must say, beyond being one. R4: they are graded on what they ask or prove."""

from decimal import Decimal

import pytest
from tests.trip_plus.toy_trip import sandbox

from tripgauge.toy import town
from tripgauge.trip_plus.answer_content import SLOTS, content
from tripgauge.trip_plus.benchmark import TripPlus
from tripgauge.trip_plus.itinerary import Clarification, Fault, Itinerary, Mode, NoSolution, Plan, Unreadable
from tripgauge.trip_plus.notation.plan_text import parse_response
from tripgauge.trip_plus.requirements.constraints.dining import RestaurantAmong
from tripgauge.trip_plus.requirements.constraints.lodging import HotelAmong
from tripgauge.trip_plus.tasks.task import Ambiguity, CapConflict, ProfileConflict

OPEN_DINNER = Ambiguity("restaurant", tuple(SLOTS))
FOUR_SIGHTS = ProfileConflict("at least four sights a day", 4, frozenset())
CHEAP_AND_NEW = CapConflict(
    "hotel", HotelAmong("hotel_newest_decoration", frozenset({"Beacon Hotel"}), "2024"), Decimal(290), Decimal(480)
)
CHEAP_AND_NEAR = CapConflict(
    "restaurant",
    RestaurantAmong("restaurant_closest_to_attraction", frozenset({"Annie's Kitchen"}), "Fort Museum"),
    Decimal(50),
    Decimal(80),
)


def score(response, question, mode=Mode.CLARIFICATION):
    group = content(response, question, mode, sandbox())
    assert group is not None
    return group.score


def missing(response, question, mode=Mode.CLARIFICATION):
    group = content(response, question, mode, sandbox())
    return {result.check for result in group.results if not result.passed}


@pytest.mark.parametrize(
    "text",
    [
        "Which day should the extra dinner be on?",
        "What would you like to spend per person on that meal?",
        "Any preference of cuisine for this dinner?",
        "For the additional restaurant, please tell me near which sight you will be",
        "How much may the dinner cost?",
    ],
)
def test_a_question_about_one_open_slot_is_enough(text):
    assert score(Clarification(text), OPEN_DINNER) == 1


@pytest.mark.parametrize(
    ("text", "lacks"),
    [
        ("Could you clarify?", {"names_the_component", "names_an_open_slot"}),
        ("Would you like another dinner?", {"names_an_open_slot"}),
        ("Which day would suit you?", {"names_the_component"}),
        ("I added a dinner at Annie's Kitchen near the museum.", {"asks_the_traveler"}),
        ("Which hotel do you prefer?", {"names_the_component", "names_an_open_slot"}),
        ("Is the update fine with you? It is dated.", {"names_the_component", "names_an_open_slot"}),
        ("", {"asks_the_traveler", "names_the_component", "names_an_open_slot"}),
    ],
)
def test_a_question_that_names_nothing_open_lacks_it(text, lacks):
    assert missing(Clarification(text), OPEN_DINNER) == lacks


def test_words_count_whole_so_that_today_is_no_day():
    assert "names_an_open_slot" in missing(Clarification("Is dinner wanted today, yes or no?"), OPEN_DINNER)
    assert "names_an_open_slot" not in missing(Clarification("Dinner on which of the days?"), OPEN_DINNER)


def test_a_conflict_with_the_profile_is_asked_with_both_sides():
    both = "Four sights a day on foot would leave little rest. Do you prefer more sights or an easy pace?"
    one = "Are four sights a day really what you want?"
    other = "Do you prefer an easy pace?"

    assert score(Clarification(both), FOUR_SIGHTS) == 1
    assert missing(Clarification(one), FOUR_SIGHTS) == {"names_both_sides"}
    assert missing(Clarification(other), FOUR_SIGHTS) == {"names_both_sides"}


@pytest.mark.parametrize(
    ("text", "lacks"),
    [
        ("Should the hotel stay under ¥290, or be renovated in 2024?", set()),
        ("May the room cost more so that we can keep Beacon Hotel?", set()),
        ("Should the hotel stay under ¥290?", {"names_both_sides"}),
        ("Should the hotel be a renovated one?", {"names_both_sides"}),
        ("Do you want the cheap one or the renovated one, at most 290?", {"names_the_component"}),
    ],
)
def test_a_new_price_is_set_against_the_earlier_wish(text, lacks):
    assert missing(Clarification(text), CHEAP_AND_NEW) == lacks


@pytest.mark.parametrize(
    ("text", "lacks"),
    [
        ("No hotel renovated in 2024 costs under 290; Beacon Hotel is ¥480.", set()),
        ("The renovated hotel costs 480 yuan a night.", set()),
        ("No hotel fits: it cannot be done.", {"names_the_blocking_constraint", "proves_it_from_the_sandbox"}),
        ("No renovated hotel costs under 290 yuan.", {"proves_it_from_the_sandbox"}),
        ("The renovated hotel costs 999 yuan a night.", {"proves_it_from_the_sandbox"}),
        ("Beacon Hotel costs ¥480.", set()),
        ("", {"names_the_component", "names_the_blocking_constraint", "proves_it_from_the_sandbox"}),
    ],
)
def test_a_refusal_names_what_blocks_and_the_price_that_proves_it(text, lacks):
    assert missing(NoSolution(text), CHEAP_AND_NEW, Mode.NO_SOLUTION) == lacks


def test_listing_every_figure_proves_nothing():
    figures = " ".join(str(number) for number in range(100, 600))

    assert missing(NoSolution(f"The renovated hotel costs {figures}."), CHEAP_AND_NEW, Mode.NO_SOLUTION) == {
        "proves_it_from_the_sandbox"
    }


def test_asking_for_everything_asks_for_nothing():
    text = "Which day for dinner? Which restaurant? Which hotel? Which train? Which budget? Which pace?"

    assert missing(Clarification(text), OPEN_DINNER) == {"asks_the_traveler"}


def test_the_price_of_a_place_the_constraint_allows_is_proof_too():
    text = "The restaurant closest to Fort Museum, Annie's Kitchen, takes 80 a head."

    assert score(NoSolution(text), CHEAP_AND_NEAR, Mode.NO_SOLUTION) == 1


@pytest.mark.parametrize(
    "response",
    [
        Plan(Itinerary(())),
        NoSolution("Which day should the dinner be on? The price per person?"),
        Unreadable(Fault("answer", "", "no response mode")),
    ],
)
def test_an_answer_in_the_wrong_mode_says_nothing_right(response):
    assert score(response, OPEN_DINNER) == 0


def test_a_turn_that_wants_a_plan_has_no_content_to_grade():
    assert content(Clarification("Which day?"), None, Mode.PLAN, sandbox()) is None


def test_the_recorded_answers_of_the_town_say_all_they_must():
    trip_plus = TripPlus([town.queries_file()], town.data_folder())
    graded = 0
    for turn_id, text in town.answers().items():
        task_id, turn = turn_id.rsplit("_turn_", 1)
        score_ = trip_plus.score(trip_plus.task(task_id), int(turn), parse_response(text))
        if score_.content is not None:
            graded += 1
            assert score_.content.score == 1, turn_id
    assert graded == 4
