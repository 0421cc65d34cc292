"""Each constraint as SQL, as a pure function and on whole columns: one meaning."""

import sqlite3
from random import Random

import pytest
from tests.compass.small import every_plan, random_catalogue, random_constraint, task, toy_park

from tripgauge.compass.catalogue import Catalogue
from tripgauge.compass.constraints import (
    FUNDAMENTALS,
    HOTEL_FLAGS,
    ROOM_FLAGS,
    VOCABULARY,
    WISHES,
    Constraint,
    find_uncoupled,
    stays_in_words,
    stays_of,
)
from tripgauge.compass.database import in_memory
from tripgauge.compass.filters import Sql
from tripgauge.compass.offers import Choice, FlightPackage, HotelPackage, PermitPackage, Stay, TravelPlan
from tripgauge.compass.plan_query import coupled_sql, plan_query
from tripgauge.compass.task import Level, all_stays


def sql_says(connection: sqlite3.Connection, plan: TravelPlan, guests: int, level: int, predicate: Sql) -> bool:
    """What a predicate says of a plan, as SQL."""
    package = plan.hotel.package
    values: list[int | str] = [guests, package.config_id, package.stay.start, package.stay.end, package.rooms]
    if plan.flight:
        ticket = plan.flight.package
        values += [ticket.template_id, ticket.stay.start, ticket.stay.end]
    if plan.permit:
        permit = plan.permit.package
        values += [permit.permit_id, permit.start, permit.days]
    query = plan_query(level, predicate)
    ((count,),) = connection.execute(query.text, (*values, *query.values)).fetchall()
    return bool(count)


def jumbled(plan: TravelPlan, catalogue: Catalogue, dice: Random) -> TravelPlan:
    """The plan, perhaps with the wrong number of rooms, other flight days or a permit outside the stay."""
    choice = plan.choice
    stay = choice.hotel.stay
    rooms = dice.choice([choice.hotel.rooms, choice.hotel.rooms, choice.hotel.rooms + 1])
    other = dice.choice([stay, stay, Stay(stay.start, min(stay.end + 1, 31)), Stay(max(1, stay.start - 1), stay.end)])
    flight = FlightPackage(choice.flight.template_id, other) if choice.flight else None
    permit = choice.permit
    if permit:
        permit = PermitPackage(permit.permit_id, max(1, permit.start + dice.choice([0, 0, 1, -1])), permit.days)
    changed = catalogue.plan(Choice(HotelPackage(choice.hotel.config_id, stay, rooms), flight, permit))
    return changed or plan


def fitting(type_: str, plan: TravelPlan, guests: int, dice: Random) -> Constraint:
    """A random constraint, which for guests and dates has a chance to hold."""
    stay = plan.hotel.package.stay
    if type_ == "guests":
        return Constraint(type_, guests)
    if type_ == "dates" and dice.random() < 0.5:
        return Constraint(type_, ((1, 2), (stay.start, stay.end)))
    return random_constraint(dice, type_)


@pytest.mark.parametrize("level", [1, 2, 3])
def test_every_constraint_means_the_same_in_sql_and_as_a_function(level: Level):
    seen = {type_: set[bool]() for type_, kind in VOCABULARY.items() if kind.level <= level}
    for seed in range(12):
        dice = Random(seed)
        catalogue = random_catalogue(dice)
        connection = in_memory(catalogue)
        guests = dice.randint(1, 4)
        stays = tuple((s.start, s.end) for s in dice.sample(all_stays([1, 2, 3, 4]), 3) if s.end <= 31)
        plans = every_plan(
            catalogue, task(level, "review_score", Constraint("dates", stays), Constraint("guests", guests))
        )
        for plan in dice.sample(plans, min(len(plans), 12)):
            plan = jumbled(plan, catalogue, dice)
            for type_, answers in seen.items():
                constraint = fitting(type_, plan, guests, dice)
                holds = constraint.holds(plan, guests)
                answers.add(holds)
                assert sql_says(connection, plan, guests, level, constraint.sql(guests, level)) is holds, (
                    constraint,
                    plan.choice,
                )
            coupled = not any(find_uncoupled(plan, level))
            assert sql_says(connection, plan, guests, level, coupled_sql(level)) is coupled, plan.choice
        connection.close()
    undecided = {type_ for type_, answers in seen.items() if len(answers) < 2}
    assert not undecided, "these always said the same, so nothing was compared"


@pytest.mark.parametrize("type_", [type_ for type_, kind in VOCABULARY.items() if kind.level <= 3])
def test_every_filter_means_the_same_on_a_column_as_on_a_record(type_: str):
    dice = Random(type_)
    for _ in range(15):
        catalogue = random_catalogue(dice)
        tables = {"h": catalogue.hotels, "r": catalogue.rooms, "c": catalogue.configs, "m": catalogue.permits}
        tables |= {"f": catalogue.flights, "k": catalogue.parks, "a": catalogue.airports, "d": catalogue.drives}
        constraint = random_constraint(dice, type_)
        for asked in constraint.filters(guests=2):
            table = tables.get(asked.attribute.component.value)
            if table is None or asked.attribute.name not in table.names:
                continue
            mask = asked.mask(table.column(asked.attribute.name))
            values = table.values(asked.attribute.name)
            assert mask.tolist() == [asked.accepts(value) for value in values], constraint


def test_a_missing_value_satisfies_nothing():
    catalogue = toy_park()
    plan = catalogue.plan(Choice(HotelPackage(1, Stay(1, 3), 1)))
    assert plan
    assert plan.hotel.hotel.brand is None

    for constraint in (Constraint("brand_in", ("One",)), Constraint("brand_not_in", ("One",))):
        assert not constraint.holds(plan, 2)
    assert not Constraint("direct_only", True).holds(plan, 2)
    assert not Constraint("permit_buffer_days", 1).holds(plan, 2)


def test_the_vocabulary_holds_all_types_that_docs_name():
    named = [
        "location",
        "dates",
        "room_occupancy",
        "guests",
        "budget",
        "min_star_rating",
        "min_review_score",
        "min_review_count",
        "max_distance",
        "brand_in",
        "brand_not_in",
        "property_type_in",
        "max_nightly_price",
        "bed_type",
        "free_cancellation",
        "breakfast_included",
        "no_prepayment_needed",
        "one_room_only",
        "same_hotel_brand",
        "origin",
        "direct_only",
        "airline_in",
        "booking_class",
        "max_flight_minutes",
        "depart_after",
        "arrive_before",
        "checked_bag_included",
        "pets_allowed",
        "is_refundable",
        "airport_type",
        "max_drive_hours",
        "permit_template",
        "permit_kind",
        "permit_on_weekday",
        "permit_days",
        "permit_buffer_days",
    ]

    assert set(named) | set(HOTEL_FLAGS) | set(ROOM_FLAGS) <= set(VOCABULARY)
    assert len(FUNDAMENTALS) == 5
    assert set(WISHES) <= set(VOCABULARY)


@pytest.mark.parametrize("type_", VOCABULARY)
def test_every_constraint_can_be_said(type_: str):
    words = random_constraint(Random(type_), type_).words

    assert words
    assert not words.endswith(".")
    assert "{" not in words
    assert "_" not in words


@pytest.mark.parametrize(
    ("type_", "value"),
    [
        ("guests", "two"),
        ("guests", True),
        ("has_pool", False),
        ("dates", ()),
        ("dates", ((3, 3),)),
        ("dates", ((0, 3),)),
        ("dates", ((30, 33),)),
        ("bed_type", "king"),
        ("brand_in", ()),
        ("max_distance", 2.5),
        ("no_such_thing", 1),
    ],
)
def test_a_value_that_does_not_fit_is_refused(type_: str, value: object):
    with pytest.raises(ValueError, match=type_):
        Constraint(type_, value)  # type: ignore[arg-type]


def test_what_is_wrong_is_said_with_what_was_seen():
    catalogue = toy_park()
    plan = catalogue.plan(Choice(HotelPackage(1, Stay(1, 3), 2)))
    assert plan

    found = [finding.reason for finding in Constraint("guests", 2).find(plan, 2)]
    assert found == ["2 rooms are booked where 1 are needed"]
    (cost,) = Constraint("budget", 30000).find(plan, 2)
    assert cost.reason == "everything together costs $400"
    assert cost.expected == "at most $300"
    (pool,) = Constraint("has_pool", True).find(plan, 2)
    assert pool.expected == "the hotel has a pool"


def test_one_room_for_all_depends_on_how_many_travel():
    catalogue = toy_park()
    pair, family = (catalogue.plan(Choice(HotelPackage(1, Stay(1, 3), rooms))) for rooms in (1, 2))
    assert pair
    assert family

    assert Constraint("one_room_only", True).holds(pair, 2)
    assert not Constraint("one_room_only", True).holds(family, 3)


@pytest.mark.parametrize(
    ("stays", "words"),
    [
        (((5, 8),), "from August 5 to August 8 (3 nights)"),
        (((1, 3), (8, 10), (15, 17), (22, 24), (29, 31)), "any weekend in August, from Friday to Sunday"),
        (((5, 7), (6, 8), (7, 9)), "any 2 nights between August 5 and August 9"),
        (((4, 7), (11, 14), (18, 21), (25, 28)), "3 nights from any Monday in August, check-out by September 1"),
        (((3, 5), (20, 22)), "on one of these dates: August 3 to August 5 or August 20 to August 22"),
        (((30, 32),), "from August 30 to September 1 (2 nights)"),
    ],
)
def test_dates_are_said_as_people_say_them(stays: tuple[tuple[int, int], ...], words: str):
    assert stays_in_words(stays_of(stays)) == words
