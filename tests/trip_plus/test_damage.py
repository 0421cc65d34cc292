"""Each damage to each good plan costs exactly what it names in edition `strict`; what means the same costs nothing."""

from collections.abc import Iterable, Sequence

import pytest
from tests.trip_plus.damage import DAMAGES, TEXT_DAMAGES, Damage, TextDamage
from tests.trip_plus.good_plans import Good, conformance, toy
from tests.trip_plus.release.conformance_data import MISSING, REASON

from tripgauge.toy import town
from tripgauge.trip_plus.feasibility.score import all_checks
from tripgauge.trip_plus.itinerary import Itinerary, Mode, mode_of
from tripgauge.trip_plus.notation.plan_text import parse_response
from tripgauge.trip_plus.requirements.kinds import requirement_kinds
from tripgauge.trip_plus.scoring import score_turn

KINDS = {kind.id: str(kind.group) for kind in requirement_kinds()}
NAMES = {check.id for check in all_checks()} | {name for kind in KINDS.items() for name in kind}

each_damage = pytest.mark.parametrize("damage", DAMAGES, ids=lambda damage: damage.name)


def spoiled(damage: Damage, good: Good, seeds: Iterable[int]) -> list[Itinerary]:
    """What the damage makes of a plan, each outcome once."""
    plans = [damage(good.plan, seed) for seed in seeds]
    return [plan for number, plan in enumerate(plans) if plan is not None and plan not in plans[:number]]


def names_of(question: str) -> set[str]:
    """By what a damage may name a check or requirement: its id, or the part of a trip that it is about."""
    return {question, KINDS.get(question, question)}


def differences(damage: Damage, good: Good, itinerary: Itinerary) -> tuple[list[str], set[str]]:
    """What is not as the damage says, and which of the things that may fall with it did."""
    wrong: list[str] = []
    beside: set[str] = set()
    for question, result in good.verdicts(itinerary).items():
        names, was = names_of(question[0]), good.before[question].score
        if names & damage.lowers:
            if result.score != 0:
                wrong.append(f"{question} is not lowered: {result.score}")
        elif result.score not in (was, 1):
            excused = names & damage.may_lower.keys()
            beside |= excused
            if not excused:
                wrong.append(f"{question} falls from {was} to {result.score}: {[*map(str, result.findings)]}")
    return wrong, beside


def check(damage: Damage, goods: Sequence[Good], seeds: int) -> tuple[int, set[str]]:
    """Assert that the damage costs each plan what it names; how often it could be applied, and what fell with it."""
    applied = 0
    beside: set[str] = set()
    for good in goods:
        for itinerary in spoiled(damage, good, range(seeds)):
            wrong, fell = differences(damage, good, itinerary)
            assert not wrong, (good.name, wrong)
            applied += 1
            beside |= fell
    return applied, beside


# --- What a damage costs ---------------------------------------------------------------------------------------------


@each_damage
def test_a_damage_costs_a_toy_answer_what_it_names_and_nothing_else(damage):
    applied, _ = check(damage, toy()[::3], 2)

    assert applied


@pytest.mark.slow
@each_damage
def test_a_damage_costs_every_good_plan_what_it_names_and_nothing_else(damage):
    """And each exception has a plan that needs it, if not of the toy town then of the conformance data."""
    applied, beside = check(damage, [*toy(), *conformance()], 3)

    assert applied
    assert MISSING or beside == set(damage.may_lower)


@pytest.mark.skipif(MISSING, reason=REASON)
@each_damage
def test_a_damage_costs_a_plan_of_the_conformance_data_what_it_names(damage):
    check(damage, conformance()[::4], 1)


@pytest.mark.parametrize("damage", TEXT_DAMAGES, ids=lambda damage: damage.name)
def test_an_answer_that_is_no_plan_any_more_gets_nothing(damage: TextDamage):
    """R7: two drafts, two modes or none are faults; nobody guesses what was meant."""
    for good in toy()[::3]:
        response = parse_response(damage.spoil(town.answers()[good.name]))
        score = score_turn(response, good.state, None, good.plan.sandbox)

        assert mode_of(response) is not Mode.PLAN
        assert score.feasibility is None
        assert score.fulfillment == 0


# --- The damages themselves ------------------------------------------------------------------------------------------


def test_there_are_at_least_sixty_damages_each_with_a_name_of_its_own():
    assert len({damage.name for damage in DAMAGES}) == len(DAMAGES) >= 60


@each_damage
def test_a_damage_names_checks_and_requirements_that_exist(damage):
    assert damage.lowers
    assert damage.lowers | damage.may_lower.keys() <= NAMES
    assert damage.lowers.isdisjoint(damage.may_lower)


def test_every_check_is_lowered_by_some_damage():
    lowered = {name for damage in DAMAGES for name in damage.lowers}

    assert {check.id for check in all_checks()} <= lowered


@each_damage
def test_a_damage_does_the_same_again_for_the_same_seed(damage):
    good = toy()[0]

    assert damage(good.plan, 7) == damage(good.plan, 7)
    assert damage(good.plan, 7) != good.plan.itinerary
