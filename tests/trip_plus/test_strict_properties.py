"""What holds of every plan in edition `strict`: what moves no score, what always costs, and what earns nothing."""

from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.trip_plus.release.conformance_data import MISSING, REASON, _library, lines, record_of
from tests.trip_plus.toy_answers import changed, good_plans, places, total, verdicts
from tests.trip_plus.toy_trip import frame

from tripgauge.toy import town
from tripgauge.trip_plus.feasibility.score import feasibility
from tripgauge.trip_plus.itinerary import (
    MINUTES_PER_DAY,
    Activity,
    Budget,
    Buffer,
    CityLabel,
    Day,
    Fault,
    HotelStop,
    IntercityLeg,
    Itinerary,
    Lodging,
    Meal,
    Plan,
    TimeSlot,
    Visit,
)
from tripgauge.trip_plus.notation.plan_json import read_converted, write_converted
from tripgauge.trip_plus.notation.plan_text import parse_response
from tripgauge.trip_plus.sandbox.store import Sandbox
from tripgauge.trip_plus.tasks.queries import decode_record, frame_after, frame_of
from tripgauge.trip_plus.trace.joining import execution_trace

PLANS = good_plans()
turn_ids = st.sampled_from(sorted(PLANS))
quick = settings(max_examples=60, deadline=None)


@pytest.mark.parametrize("turn_id", sorted(PLANS))
def test_each_recorded_toy_plan_is_right_in_everything(turn_id):
    assert set(verdicts(*PLANS[turn_id]).values()) == {1}


@pytest.mark.skipif(MISSING, reason=REASON)
def test_each_good_plan_of_the_conformance_data_is_right_in_everything():
    sandboxes: dict[object, Sandbox] = {}
    graded = 0
    for case in (line for line in lines("cases.jsonl") if line["kind"] in ("good", "syn_good")):
        record = decode_record(record_of(case), case["id"])
        folder = _library("plain").folder(record.id, record.base_query_id)
        files = _library("plain").files(record.id, record.base_query_id)
        box = sandboxes.setdefault(folder, Sandbox.of(files))
        after = record.turns[int(case["turn_id"])].oracle_state_after_turn
        trip = frame_after(frame_of(record.base), after.active_user_state_deltas)
        response = read_converted(case["plan"])
        assert isinstance(response, Plan)
        score = feasibility(execution_trace(response.itinerary, trip, box))
        assert score.score == 1, (case["id"], [str(f) for result in score.results for f in result.findings])
        graded += 1
    assert graded == 12


# --- What moves no score ---------------------------------------------------------------------------------------------


def gaps(itinerary: Itinerary) -> list[tuple[int, int, int, int]]:
    """Free time in a plan: the day and line it comes before, its start and its end."""
    found = []
    for number, day in enumerate(itinerary.days):
        slots = [activity.slot for activity in day.activities if activity.slot]
        bounds = [TimeSlot(0, 0), *slots, TimeSlot(MINUTES_PER_DAY, MINUTES_PER_DAY)]
        found += [
            (number, line, one.end, other.start)
            for line, (one, other) in enumerate(pairwise(bounds))
            if other.start > one.end
        ]
    return found


@given(turn_ids, st.data())
@quick
def test_adding_free_time_where_nothing_else_is_changes_nothing(turn_id, data):
    """R14."""
    itinerary, trip = PLANS[turn_id]
    number, line, earliest, latest = data.draw(st.sampled_from(gaps(itinerary)))
    start = data.draw(st.integers(earliest, latest - 1))
    end = data.draw(st.integers(start + 1, latest))
    buffer = Buffer(slot=TimeSlot(start, end), description="free time")
    days = list(itinerary.days)
    listed = days[number].activities
    days[number] = replace(days[number], activities=(*listed[:line], buffer, *listed[line:]))

    assert verdicts(replace(itinerary, days=tuple(days)), trip) == verdicts(itinerary, trip)


DASHES = ["-", "–", "—", "−"]
QUOTES = ["'", "’", "‘", "ʼ"]
BLANKS = [" ", "  ", "\u00a0", "\u3000"]


@given(turn_ids, st.sampled_from(DASHES), st.sampled_from(QUOTES), st.sampled_from(BLANKS), st.booleans())
@quick
def test_the_style_of_dashes_quotes_and_blanks_changes_nothing(turn_id, dash, quote, blank, is_wide):
    itinerary, trip = PLANS[turn_id]
    text = town.answers()[turn_id].replace("'", quote).replace(" | ", f"{blank}|{blank}")
    styled = "\n".join(
        line.replace("-", dash) if "|" in line and "hotel" not in line else line for line in text.splitlines()
    )
    if is_wide:
        styled = styled.replace(":", "：").replace("|", "｜")
    response = parse_response(styled)

    assert isinstance(response, Plan)
    assert verdicts(response.itinerary, trip) == verdicts(itinerary, trip)


def shuffled(value: object, random: Random) -> object:
    """The same JSON with the keys of every object in another order."""
    if isinstance(value, dict):
        items = [(key, shuffled(item, random)) for key, item in value.items()]
        random.shuffle(items)
        return dict(items)
    return [shuffled(item, random) for item in value] if isinstance(value, list) else value


@given(turn_ids, st.integers(0, 1000))
@quick
def test_the_order_of_keys_changes_nothing(turn_id, seed):
    itinerary, trip = PLANS[turn_id]
    response = read_converted(shuffled(write_converted(Plan(itinerary)), Random(seed)))

    assert isinstance(response, Plan)
    assert verdicts(response.itinerary, trip) == verdicts(itinerary, trip)


# --- What always costs -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [IntercityLeg, Meal, Visit, HotelStop])
@given(turn_ids, st.data())
@quick
def test_leaving_a_journey_meal_visit_or_hotel_out_never_raises_the_score(kind, turn_id, data):
    itinerary, trip = PLANS[turn_id]
    place = data.draw(st.sampled_from(places(itinerary, kind)))

    less = total(changed(itinerary, place, lambda _: None), trip)

    assert less < 1 if kind is IntercityLeg else less <= 1, (
        "the first lunch or the second sight may be more than is due"
    )


@pytest.mark.parametrize("turn_id", sorted(PLANS))
@pytest.mark.parametrize("kind", [Meal, Visit, HotelStop])
def test_leaving_every_meal_every_sight_or_every_hotel_out_lowers_the_score(turn_id, kind):
    itinerary, trip = PLANS[turn_id]
    days = [
        replace(day, activities=tuple(activity for activity in day.activities if not isinstance(activity, kind)))
        for day in itinerary.days
    ]

    assert total(replace(itinerary, days=tuple(days)), trip) < 1


@given(turn_ids, st.data())
@quick
def test_leaving_out_the_hotel_of_a_night_lowers_the_score(turn_id, data):
    itinerary, trip = PLANS[turn_id]
    number = data.draw(st.sampled_from([n for n, day in enumerate(itinerary.days) if day.lodging]))
    days = list(itinerary.days)
    days[number] = replace(days[number], lodging=None)

    assert total(replace(itinerary, days=tuple(days)), trip) < 1


def timeless(activity: Activity) -> Activity:
    return replace(activity, slot=None, faults=(Fault("time slot", "noonish", "no time of day"),))


def invented(activity: Activity) -> Activity:
    match activity:
        case Visit():
            return replace(activity, attraction="Sea Palace")
        case Meal():
            return replace(activity, restaurant="Sea Palace")
        case HotelStop():
            return replace(activity, hotel="Sea Palace")
        case IntercityLeg():
            return replace(activity, number="X1")
    return activity


@pytest.mark.parametrize("kind", [IntercityLeg, Meal, Visit, HotelStop])
@pytest.mark.parametrize("spoil", [timeless, invented])
@given(turn_ids, st.data())
@quick
def test_a_line_without_a_time_or_with_an_invented_name_lowers_the_score(kind, spoil, turn_id, data):
    itinerary, trip = PLANS[turn_id]
    place = data.draw(st.sampled_from(places(itinerary, kind)))

    assert total(changed(itinerary, place, spoil), trip) < 1


# --- What earns nothing ----------------------------------------------------------------------------------------------

amounts = st.one_of(st.none(), st.integers(0, 3000).map(Decimal))
cities = st.sampled_from(["Aldmoor", "Briskhaven", "Crossley", ""])
lodgings = st.one_of(
    st.none(), st.builds(Lodging, st.sampled_from(["Quay Inn", "Beacon Hotel", "Sea Palace"]), amounts)
)
empty_days = st.builds(
    Day,
    st.one_of(st.none(), st.integers(1, 5)),
    st.one_of(st.none(), st.integers(0, 4).map(lambda days: date(2026, 7, 14) + timedelta(days))),
    st.one_of(st.none(), st.builds(CityLabel, cities, cities)),
    lodgings,
    st.just(()),
)
budgets = st.one_of(st.none(), st.builds(Budget, amounts, amounts, amounts, amounts, amounts, amounts))


@given(st.builds(Itinerary, st.lists(empty_days, max_size=6).map(tuple), budgets), st.integers(1, 5))
def test_a_plan_without_any_activity_scores_nothing(itinerary, days):
    """R1."""
    assert total(itinerary, frame(days=days)) == 0


@pytest.mark.parametrize("turn_id", sorted(PLANS))
@pytest.mark.parametrize("kind", [IntercityLeg, Meal, Visit, HotelStop])
def test_a_plan_of_one_kind_of_thing_only_scores_little(turn_id, kind):
    """R1: flights only, meals only, sights only, hotels only."""
    itinerary, trip = PLANS[turn_id]
    days = [
        replace(day, activities=tuple(activity for activity in day.activities if isinstance(activity, kind)))
        for day in itinerary.days
    ]

    assert total(replace(itinerary, days=tuple(days)), trip) < 0.5


@pytest.mark.parametrize("turn_id", sorted(PLANS))
def test_one_good_day_is_not_a_good_trip(turn_id):
    """R1."""
    itinerary, trip = PLANS[turn_id]

    first_only = replace(itinerary, days=itinerary.days[:1])

    assert total(first_only, trip) < 0.7
