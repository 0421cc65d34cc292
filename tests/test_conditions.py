"""Which settings may differ between runs that are ranked, and which may not. (R28)"""

from dataclasses import replace

import pytest

from tripgauge.conditions import Held, refuse_unequal, refuse_unequal_settings, unequal
from tripgauge.conversation import Limits
from tripgauge.errors import UsageError
from tripgauge.runs import ModelSettings, Settings

DIGESTS = {"agent": "a" * 64, "code": "c" * 64, "tasks": "t" * 64, "data": "d" * 64, "prompts": "p" * 64}
SETTINGS = Settings("trip_plus", "strict", "some:Agent", 0, Limits(), DIGESTS, {})
TALKS = frozenset({("one", 0), ("two", 0)})


def differing(settings: Settings, talks: frozenset[tuple[str, int]] = TALKS) -> tuple[str, ...]:
    return unequal([Held("a", SETTINGS, TALKS), Held("b", settings, talks)])


@pytest.mark.parametrize(
    "measured",
    [
        {"agent": "other:Agent"},
        {"agent_options": {"speed": "2"}},
        {"model": "openai/some", "base_url": "http://localhost", "model_settings": ModelSettings(), "engine": "x 1"},
        {"digests": {**DIGESTS, "agent": "b" * 64}},
    ],
    ids=["agent", "options", "model", "agent's file"],
)
def test_what_is_measured_may_differ(measured: dict[str, object]) -> None:
    assert differing(replace(SETTINGS, **measured)) == ()  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"seed": 3}, "seed: 0 (a), 3 (b)"),
        ({"edition": "release"}, 'edition: "strict" (a), "release" (b)'),
        ({"limits": Limits(model_calls=10)}, "limits.model_calls: 100 (a), 10 (b)"),
        ({"digests": {**DIGESTS, "code": "e" * 64}}, "digests.code: cccccccc (a), eeeeeeee (b)"),
        ({"digests": {**DIGESTS, "prompts": "e" * 64}}, "digests.prompts: pppppppp (a), eeeeeeee (b)"),
        ({"digests": {**DIGESTS, "data": "e" * 64}}, "digests.data: dddddddd (a), eeeeeeee (b)"),
        ({"digests": {**DIGESTS, "user": "e" * 64}}, "digests.user: null (a), eeeeeeee (b)"),
    ],
    ids=["seed", "edition", "limits", "code", "prompts", "data", "a kind one lacks"],
)
def test_everything_else_that_can_move_a_score_may_not(changed: dict[str, object], told: str) -> None:
    """R28."""
    settings = replace(SETTINGS, **changed)  # type: ignore[arg-type]

    assert differing(settings) == (told,)
    with pytest.raises(UsageError, match="not ranked"):
        refuse_unequal([Held("a", SETTINGS, TALKS), Held("b", settings, TALKS)])


def test_engines_of_different_versions_are_not_equal() -> None:
    one, other = replace(SETTINGS, engine="inspect_ai 1"), replace(SETTINGS, engine="inspect_ai 2")

    assert unequal([Held("a", one, TALKS), Held("b", other, TALKS)]) == (
        'engine: "inspect_ai 1" (a), "inspect_ai 2" (b)',
    )


def test_other_tasks_or_trials_may_not_be_ranked_but_their_common_part_compared() -> None:
    assert differing(SETTINGS, frozenset({("one", 0), ("one", 1)})) == (
        "tasks and trials: 2 (a), 2 (b), of which 1 in common",
    )
    refuse_unequal_settings([Held("a", SETTINGS, TALKS), Held("b", SETTINGS, frozenset({("one", 0)}))])


def test_settings_nobody_recorded_are_not_equal_to_known_ones() -> None:
    known, unknown = Held("a", SETTINGS, TALKS), Held("b", None, TALKS)

    assert unequal([known, unknown]) == ("settings: not recorded of b",)
    assert unequal([unknown, replace(unknown, name="c")]) == ()


def test_one_run_alone_has_nothing_to_differ_from() -> None:
    assert unequal([]) == ()
    assert unequal([Held("a", SETTINGS, TALKS)]) == ()
