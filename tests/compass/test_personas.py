"""The 108 personas, and how often each occurs."""

from collections import Counter
from fractions import Fraction

from tripgauge.compass.draws import Draws
from tripgauge.compass.personas import Speed, Trust, drawn_persona, drawn_probability, personas


def test_there_are_108_personas_each_at_the_place_of_its_number() -> None:
    assert [persona.number for persona in personas()] == list(range(108))
    assert len(set(personas())) == 108


def test_the_weights_are_the_published_probabilities() -> None:
    total = sum(persona.weight for persona in personas())
    trusting = {Fraction(p.weight, total) for p in personas() if p.trust is Trust.TRUSTING}
    questioning = {Fraction(p.weight, total) for p in personas() if p.trust is Trust.QUESTIONING}

    assert trusting == {Fraction(2, 135)}
    assert questioning == {Fraction(1, 270)}
    assert sum(Fraction(p.weight, total) for p in personas() if p.trust is Trust.TRUSTING) == Fraction(4, 5)


def test_drawn_personas_have_these_shares() -> None:
    drawn = [drawn_persona(Draws(seed)) for seed in range(5400)]

    assert abs(sum(p.trust is Trust.TRUSTING for p in drawn) / 5400 - 0.8) < 0.02
    assert all(abs(count / 5400 - 1 / 3) < 0.025 for count in Counter(p.speed for p in drawn).values())
    assert all(abs(count / 5400 - 1 / 9) < 0.02 for count in Counter(p.style for p in drawn).values())


def test_the_probability_of_telling_lies_in_the_interval_of_the_speed_and_fills_it() -> None:
    for persona in (personas()[0], personas()[36], personas()[72]):
        low, high = persona.speed.interval
        drawn = [drawn_probability(Draws(seed), persona) for seed in range(500)]

        assert low <= min(drawn) < low + 0.01
        assert high - 0.01 < max(drawn) < high
    assert [speed.interval for speed in Speed] == [(0.4, 0.6000000000000001), (0.6, 0.8), (0.8, 1.0)]
