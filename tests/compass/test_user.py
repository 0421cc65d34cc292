"""The state machine of the simulated user: what it tells, when it complains, and when it is done."""

import asyncio
import json
import math
from dataclasses import replace
from statistics import fmean

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.compass.small import toy_park
from tests.compass.talking import (
    ELK_LODGE,
    PINE_INN,
    PINE_INN_CHEAP,
    QUIET,
    reply,
    talk,
    toy_compass,
    toy_task,
)

from tripgauge.codec import decode
from tripgauge.compass.constraints import Constraint
from tripgauge.compass.orders import Assignment, Complaint, Orders
from tripgauge.compass.personas import Attention, Persona, Speed, Trust, personas
from tripgauge.compass.recommendation import Recommendation, Reply
from tripgauge.compass.task import Task
from tripgauge.compass.user import TURN_LIMIT, Decisions, SimulatedUser
from tripgauge.conversation import End, EndReason, OpenTurn, Said, Transcript, Turn, UserLog

POOL = Constraint("has_pool", True)
BREAKFAST = Constraint("breakfast_included", True)
CANCELLATION = Constraint("free_cancellation", True)


def orders(transcript: Transcript) -> list[Orders]:
    return [decode(Orders, turn.user.orders, "a test") for turn in transcript.turns if turn.user]


def complaints(transcript: Transcript) -> list[tuple[Complaint, ...]]:
    return [order.complaints for order in orders(transcript)]


# --- What is told


def test_the_trip_the_first_requirements_and_the_objective_are_told_at_the_beginning() -> None:
    transcript = talk(toy_compass(toy_task(1, POOL)), "?")
    first = transcript.turns[0].utterance

    assert "Ana and Bo like it quiet." in first
    assert "everything costs at most $1,000" in first
    assert "the lowest price for the whole stay" in first
    assert "pool" not in first
    assert orders(transcript)[0].tell == ("c1", "c2", "c3", "c4", "c5")


def test_later_requirements_are_told_one_at_a_time_in_their_order() -> None:
    told = [order.tell for order in orders(talk(toy_compass(toy_task(1, POOL, BREAKFAST, CANCELLATION)), "Well."))]

    assert [ids for ids in told[1:] if ids] == [("c6",), ("c7",), ("c8",)]


def test_with_nothing_to_tell_later_everything_is_disclosed_at_the_first_turn() -> None:
    assert orders(talk(toy_compass(toy_task(1)), "?"))[0].disclosed_at == 0


def test_every_agent_meets_the_same_user() -> None:
    compass = toy_compass(toy_task(1, POOL, BREAKFAST, CANCELLATION), persona=None)

    def disclosure(transcript: Transcript) -> list[tuple[int, float, tuple[str, ...]]]:
        return [(order.persona, order.probability, order.tell) for order in orders(transcript)]

    for seed in range(30):
        silent = disclosure(talk(compass, "Hm.", seed=seed))
        busy = disclosure(talk(compass, reply(ELK_LODGE, message="Really?"), seed=seed))

        assert busy == silent[: len(busy)]


@pytest.mark.parametrize(
    ("speed", "expected"), [(Speed.SLOW, 2.0273), (Speed.MEDIUM, 1.4384), (Speed.FAST, 1.1157)], ids=lambda x: str(x)
)
def test_the_expected_turn_of_full_disclosure_is_the_published_one_when_nothing_is_forced(
    speed: Speed, expected: float
) -> None:
    """K constraints take K times the mean of 1/p, here with no turn limit that could force anything."""
    task, catalogue = toy_task(1, POOL, BREAKFAST, CANCELLATION), toy_park()
    persona = replace(QUIET, speed=speed)
    turns = [
        _disclosed_at(Decisions(task, catalogue, seed, persona, turn_limit=10_000)) / len(task.progressive)
        for seed in range(4000)
    ]

    error = math.sqrt(fmean((turn - fmean(turns)) ** 2 for turn in turns) / len(turns))
    assert abs(fmean(turns) - expected) < 3.5 * error
    assert error < 0.02


def _disclosed_at(decisions: Decisions) -> int:
    state, _ = decisions.opening()
    while state.disclosed_at is None:
        state, following = decisions.next(state, Reply("Well."))
        assert isinstance(following, Orders)
        assert not following.forced
    return state.disclosed_at


def test_when_turns_run_out_one_requirement_is_told_every_turn_and_marked_as_forced() -> None:
    task = toy_task(1, POOL, BREAKFAST, CANCELLATION)
    persona = replace(QUIET, speed=Speed.SLOW)
    found = [_all_orders(Decisions(task, toy_park(), seed, persona, turn_limit=6)) for seed in range(300)]

    for told in found:
        hidden = 3
        for order in told[1:]:
            assert order.forced == (hidden > 0 and 6 - order.turn <= hidden + 2)
            hidden -= len(order.tell)
        assert hidden == 0
        assert told[-1].disclosed_at is not None
    assert any(order.forced for told in found for order in told)


def _all_orders(decisions: Decisions) -> list[Orders]:
    state, first = decisions.opening()
    told = [first]
    while True:
        state, following = decisions.next(state, Reply("Well."))
        if isinstance(following, End):
            return told
        told.append(following)


def test_a_question_about_something_still_to_be_told_is_left_open_and_forces_nothing() -> None:
    compass = toy_compass(toy_task(1, POOL, BREAKFAST))
    asking = talk(compass, reply(message="Do you need a pool or breakfast?"))
    silent = talk(compass, reply(message="Well."))

    assert [order.tell for order in orders(asking)] == [order.tell for order in orders(silent)]
    before = [
        turn.utterance for turn, order in zip(asking.turns, orders(asking), strict=True) if order.disclosed_at is None
    ]
    assert all("breakfast" not in text for text in before)


def test_a_question_about_something_told_is_answered() -> None:
    transcript = talk(toy_compass(toy_task(1, more=(POOL,))), reply(message="Must there be a swimming pool?"))

    assert orders(transcript)[1].answers == ("c6",)
    assert "has a pool" in transcript.turns[1].utterance


# --- What an attentive user complains about


def test_a_proposal_that_meets_everything_told_is_not_complained_about() -> None:
    transcript = talk(toy_compass(toy_task(1)), reply(PINE_INN))

    assert complaints(transcript) == [()]
    assert transcript.goodbye == "accepted"


def test_each_requirement_that_is_broken_is_named_with_what_was_seen() -> None:
    task = toy_task(1, more=(POOL, Constraint("min_review_score", 85), Constraint("budget", 15_000)))

    found = complaints(talk(toy_compass(task), reply(PINE_INN)))[1]

    assert found == (
        Complaint("c6", "that is not so"),
        Complaint("c7", "the review score is 7"),
        Complaint("c8", "everything together costs $200"),
    )


def test_only_what_was_told_before_the_proposal_counts() -> None:
    transcript = talk(toy_compass(toy_task(1, POOL)), reply(PINE_INN))
    told_at = next(order.turn for order in orders(transcript) if order.tell == ("c6",))

    for order in orders(transcript)[1:]:
        assert bool(order.complaints) == (order.turn > told_at)


@pytest.mark.parametrize(
    ("ids", "observed"),
    [
        (("pkg_9_10_12_1", "flight_1_10_12"), "there is nothing to be found under pkg_9_10_12_1 + flight_1_10_12"),
        ((PINE_INN,), "there is no flight in it"),
        ((PINE_INN, "flight_1_10_13"), "the flights are not on the days of check-in and check-out"),
    ],
    ids=["unknown", "missing", "other days"],
)
def test_a_proposal_that_is_no_trip_is_complained_about(ids: tuple[str, ...], observed: str) -> None:
    assert Complaint("", observed) in complaints(talk(toy_compass(toy_task(2)), reply(*ids)))[1]


def test_of_several_hotels_one_that_will_do_is_enough() -> None:
    answer = json.dumps({"message": "", "recommendation": {"hotel": [PINE_INN_CHEAP, ELK_LODGE]}})

    assert talk(toy_compass(toy_task(1, more=(POOL,))), answer).goodbye == "accepted"


PLANTED = (
    Constraint("has_pool", True), Constraint("has_spa", True), Constraint("has_balcony", True),
    Constraint("breakfast_included", True), Constraint("has_kitchenette", True),
    Constraint("min_star_rating", 45), Constraint("min_review_score", 90), Constraint("min_review_count", 100),
    Constraint("max_distance", 100), Constraint("brand_in", ("Moonrise",)), Constraint("property_type_in", ("tent",)),
    Constraint("max_nightly_price", 9_900), Constraint("bed_type", ("king", 2)), Constraint("budget", 19_900),
    Constraint("location", ("Elsewhere",)), Constraint("dates", ((20, 22),)), Constraint("room_occupancy", 3),
    Constraint("guests", 7), Constraint("one_room_only", True), Constraint("brand_not_in", ("Moonrise",)),
)  # fmt: skip
"""Requirements that Pine Inn breaks for two or seven guests."""


@given(st.sets(st.sampled_from(PLANTED), min_size=1, max_size=6), st.sampled_from(personas()), st.integers(0, 10**6))
@settings(max_examples=150, deadline=None)
def test_a_reliable_user_flags_every_planted_violation_and_an_unreliable_one_none(
    planted: set[Constraint], persona: Persona, seed: int
) -> None:
    """R24."""
    more = tuple(sorted(planted, key=str))
    task = toy_task(1, more=more)
    broken = {stated.id for stated in task.constraints if not _holds_for_pine_inn(task, stated.constraint)}
    decisions = Decisions(task, toy_park(), seed, persona)

    state, _ = decisions.opening()
    _, following = decisions.next(state, _pine_inn())
    found = {complaint.constraint for complaint in following.complaints} if isinstance(following, Orders) else set()

    assert found == (broken if persona.attention is Attention.RELIABLE else set())


def _pine_inn() -> Reply:
    return Reply("", Recommendation(hotel=(PINE_INN,)))


def _holds_for_pine_inn(task: Task, constraint: Constraint) -> bool:
    """Worked out by hand: what of the above Pine Inn breaks, given how many travel."""
    return constraint not in PLANTED or (constraint.type == "one_room_only" and task.guests <= 2)


# --- How it ends


def test_without_a_recommendation_it_asks_for_one_until_the_turns_are_used_up() -> None:
    transcript = talk(toy_compass(toy_task(1)), reply(message="Let me think."))

    assert transcript.goodbye == "turn_limit"
    assert len(transcript.turns) == TURN_LIMIT
    assert all(order.ask_recommendation for order in orders(transcript)[1:])


def test_a_broken_requirement_is_to_be_corrected_and_the_corrected_plan_is_accepted() -> None:
    task = toy_task(1, more=(POOL,))

    transcript = talk(toy_compass(task), lambda turn: reply(PINE_INN if turn.number == 0 else ELK_LODGE))

    assert [order.ask_correction for order in orders(transcript)] == [False, True]
    assert transcript.goodbye == "accepted"


def test_a_questioning_user_has_everything_checked_once_and_repeats_it_all() -> None:
    questioning = replace(QUIET, trust=Trust.QUESTIONING)

    transcript = talk(toy_compass(toy_task(1), persona=questioning), reply(PINE_INN))

    assert [order.ask_check for order in orders(transcript)] == [False, True]
    assert orders(transcript)[1].restate
    for words in ("we visit Toy", "$1,000", "each room sleeps at least 2"):
        assert words in transcript.turns[1].utterance
    assert transcript.goodbye == "accepted"


@pytest.mark.parametrize("style", [3, 4])
def test_a_style_that_sounds_doubtful_adds_no_check(style: int) -> None:
    doubtful = replace(QUIET, style=style)  # type: ignore[arg-type]

    assert talk(toy_compass(toy_task(1), persona=doubtful), reply(PINE_INN)).goodbye == "accepted"
    assert len(talk(toy_compass(toy_task(1), persona=doubtful), reply(PINE_INN)).turns) == 1


def test_an_unreliable_user_accepts_what_breaks_its_requirements() -> None:
    careless = replace(QUIET, attention=Attention.UNRELIABLE)

    transcript = talk(toy_compass(toy_task(1, more=(POOL,)), persona=careless), reply(PINE_INN))

    assert transcript.goodbye == "accepted"


def test_nothing_is_accepted_before_everything_is_told() -> None:
    transcript = talk(toy_compass(toy_task(1, BREAKFAST)), reply(ELK_LODGE))
    disclosed = orders(transcript)[-1].disclosed_at

    assert disclosed is not None
    assert transcript.goodbye == "accepted"
    assert len(transcript.turns) == disclosed + 1


def test_an_agent_that_gives_no_answer_is_left() -> None:
    transcript = talk(toy_compass(toy_task(1)), "")

    assert transcript.goodbye == "agent_stopped"
    assert [turn.end for turn in transcript.turns] == ["empty_answer"]


@given(
    st.lists(
        st.sampled_from(["", "Well?", reply(PINE_INN), reply(ELK_LODGE), reply("pkg_9_9_9_9"), "{broken"]), max_size=25
    ),
    st.sampled_from(personas()),
    st.integers(0, 10**6),
)
@settings(max_examples=100, deadline=None)
def test_every_conversation_ends_with_a_goodbye_within_the_turns(
    answers: list[str], persona: Persona, seed: int
) -> None:
    """R21."""
    compass = toy_compass(toy_task(1, POOL, BREAKFAST), persona=persona)

    transcript = talk(compass, lambda turn: (answers or ["Hm."])[turn.number % max(1, len(answers))], seed=seed)

    assert transcript.goodbye is not None
    assert len(transcript.turns) <= TURN_LIMIT


# --- What stays hidden


class _Eavesdropper:
    """A voice that keeps everything it was given."""

    name = "eavesdropper"

    def __init__(self) -> None:
        self.assignments: list[Assignment] = []

    async def say(self, assignment: Assignment) -> Said:
        self.assignments.append(assignment)
        return Said("Well.", UserLog({}))


def test_no_voice_is_given_what_is_still_to_be_told() -> None:
    task = toy_task(1, POOL, BREAKFAST)
    voice = _Eavesdropper()
    user = SimulatedUser(Decisions(task, toy_park(), 1, QUIET), voice)

    asyncio.run(_two_turns(user))

    for assignment in voice.assignments:
        given = {*assignment.orders.told, *assignment.orders.tell}
        assert set(assignment.known) == given
        if "c7" not in given:
            assert "breakfast" not in str(replace(assignment, history=()))


async def _two_turns(user: SimulatedUser) -> None:
    turns: list[Turn] = []
    for _ in range(2):
        said = await user.say(turns)
        assert isinstance(said, Said)
        turns.append(_turn(said.text, "Well."))


def _turn(utterance: str, answer: str) -> Turn:
    return Turn(utterance, answer, "message", EndReason.ANSWERED)


def test_an_agent_sees_nothing_but_words_and_tools() -> None:
    heard: list[str] = []

    def listens(turn: OpenTurn) -> str:
        heard.append(f"{turn.messages} {turn.brief}")
        return reply(ELK_LODGE)

    transcript = talk(toy_compass(toy_task(1, POOL, BREAKFAST)), listens)

    for text, order in zip(heard, orders(transcript), strict=True):
        assert ("breakfast" in text) == ("c7" in {*order.told, *order.tell})
        assert "disclosed_at" not in text
