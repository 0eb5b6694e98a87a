"""Random streams of games in plain Python."""

from __future__ import annotations

import math

MASK = (1 << 64) - 1
GOLDEN, MIX_1, MIX_2 = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB
"""Constants of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014)."""
DEAL, CHANCE, LINEUP, FACTIONS, SEARCH, SEAT = range(6)
"""The streams. Their seeds follow from the seed of the run and the number of the game or block."""


def mixed(*words: int) -> int:
    """Hash integers to 64 bits; their order matters."""
    state = 0
    for word in words:
        state = (state + GOLDEN + word) & MASK
        state = ((state ^ (state >> 30)) * MIX_1) & MASK
        state = ((state ^ (state >> 27)) * MIX_2) & MASK
        state ^= state >> 31
    return state


def stream_seed(seed: int, number: int, stream: int) -> int:
    """Return the seed of a stream for the game or block with this number."""
    return (seed << 80) | (number << 8) | stream


class SeatStreams:
    """One small random stream for each seat, for breaking ties and for noise."""

    __slots__ = ("states",)

    def __init__(self, seed: int, number: int, players: int) -> None:
        key = mixed(seed, number)
        self.states = [mixed(key, SEAT + seat) for seat in range(players)]

    def word(self, seat: int) -> int:
        """Draw 64 bits (SplitMix64)."""
        state = self.states[seat] = (self.states[seat] + GOLDEN) & MASK
        state = ((state ^ (state >> 30)) * MIX_1) & MASK
        state = ((state ^ (state >> 27)) * MIX_2) & MASK
        return state ^ (state >> 31)

    def below(self, seat: int, bound: int) -> int:
        """Draw a number from 0 to bound - 1."""
        return (self.word(seat) * bound) >> 64

    def gumbel(self, seat: int) -> float:
        """Draw from the standard Gumbel distribution."""
        return -math.log(-math.log((self.word(seat) + 0.5) / 2.0**64))
