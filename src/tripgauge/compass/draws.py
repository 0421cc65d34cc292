"""Random draws that are the same everywhere: each is a hash of what it is for, not the next of a sequence.

A draw is named by a seed, a purpose and the numbers of the thing it belongs to (the hotel, the day). Adding a purpose
or a row moves no other draw. Only integer operations and the four exact floating-point ones are used, so that results
agree to the last bit on every Python, numpy and machine.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

Numbers = NDArray[np.float64]

_GAMMA = np.uint64(0x9E3779B97F4A7C15)
_FIRST = np.uint64(0xBF58476D1CE4E5B9)
_SECOND = np.uint64(0x94D049BB133111EB)


def _mixed(state: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The output function of SplitMix64 (Steele, Lea and Flood 2014)."""
    state = (state ^ (state >> np.uint64(30))) * _FIRST
    state = (state ^ (state >> np.uint64(27))) * _SECOND
    return state ^ (state >> np.uint64(31))


@dataclass(frozen=True)
class Draws:
    """The draws of one seed."""

    seed: int

    def bits(self, purpose: str, *keys: ArrayLike) -> NDArray[np.uint64]:
        """64 random bits for each combination of keys; the keys are broadcast against each other."""
        name = hashlib.sha256(f"{self.seed} {purpose}".encode()).digest()
        state = np.frombuffer(name[:8], dtype="<u8").astype(np.uint64)
        for key in keys:
            state = _mixed(state + np.asarray(key).astype(np.uint64) * _GAMMA + _GAMMA)
        return _mixed(state + _GAMMA)

    def uniform(self, purpose: str, *keys: ArrayLike) -> Numbers:
        """Numbers from 0 (included) to 1 (excluded)."""
        return (self.bits(purpose, *keys) >> np.uint64(11)).astype(np.float64) * 2.0**-53

    def between(self, low: ArrayLike, high: ArrayLike, purpose: str, *keys: ArrayLike) -> Numbers:
        """Numbers from low to high."""
        low = np.asarray(low, dtype=np.float64)
        return np.asarray(low + (np.asarray(high) - low) * self.uniform(purpose, *keys))

    def whole(self, low: ArrayLike, high: ArrayLike, purpose: str, *keys: ArrayLike) -> NDArray[np.int64]:
        """Whole numbers from low to high, both included."""
        low = np.asarray(low)
        return np.asarray(low + np.floor(self.uniform(purpose, *keys) * (np.asarray(high) - low + 1)).astype(np.int64))

    def happens(self, probability: float | Numbers, purpose: str, *keys: ArrayLike) -> NDArray[np.bool_]:
        return self.uniform(purpose, *keys) < probability

    def pick(self, weights: Sequence[float], purpose: str, *keys: ArrayLike) -> NDArray[np.int64]:
        """Places in `weights`, each with its weight."""
        return pick_at(weights, self.uniform(purpose, *keys))

    def poisson(self, mean: ArrayLike, purpose: str, *keys: ArrayLike) -> NDArray[np.int64]:
        """Counts with a Poisson distribution, at most 30."""
        uniform = self.uniform(purpose, *keys)
        means, which = np.unique(np.asarray(mean, dtype=np.float64), return_inverse=True)
        which = np.broadcast_to(which.reshape(np.shape(mean)), uniform.shape)
        counts = np.zeros(uniform.shape, dtype=np.int64)
        for place, value in enumerate(means.tolist()):
            chosen = which == place
            counts[chosen] = np.searchsorted(_poisson_steps(value), uniform[chosen], side="right")
        return counts


def pick_at(weights: Sequence[float], uniform: Numbers) -> NDArray[np.int64]:
    """The places at which uniform numbers fall among weights."""
    total = 0.0
    steps = []
    for weight in weights:
        total += weight
        steps.append(total)
    place = np.searchsorted(np.array(steps) / total, uniform, side="right")
    return np.minimum(place, len(weights) - 1)


def _poisson_steps(mean: float) -> Numbers:
    """The distribution function of a Poisson variable, rounded so that no last bit of it matters."""
    term, total = _exp_minus(mean), 0.0
    steps = []
    for count in range(30):
        total += term
        steps.append(round(total, 9))
        term = term * mean / (count + 1)
    return np.array(steps)


def _exp_minus(x: float) -> float:
    """e to the minus x, by exact operations only."""
    small, term, total = x / 1024, 1.0, 1.0
    for n in range(1, 20):
        term = -term * small / n
        total += term
    for _ in range(10):
        total *= total
    return total
