"""Ranks of the seats at the end of a game."""

from __future__ import annotations

from sim.compiler.kernel import Integers, Record, kernel


@kernel
def rank_seats(g: Record, points: Integers, tie_breaks: Integers) -> None:
    """Rank the seats: those with more points first, then those with more to break the tie, else they share a rank.

    `points` and `tie_breaks` have an entry for each seat. Where fewer are better, or no tie is broken, hand over
    numbers below zero, or the points again.
    """
    for seat in range(g.players):
        rank = 1
        for other in range(g.players):
            if points[other] > points[seat] or (points[other] == points[seat] and tie_breaks[other] > tie_breaks[seat]):
                rank += 1
        g.rank[seat] = rank
