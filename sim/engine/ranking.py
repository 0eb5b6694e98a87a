"""Ranks of the seats at the end of a game."""

from __future__ import annotations

from sim.compiler.kernel import Integers, Record, kernel


@kernel
def rank_seats(g: Record, points: Integers, tie_breaks: Integers) -> None:
    """Rank the seats by `points`, and tied seats by `tie_breaks`. More is better. Seats equal in both share a rank.

    Both arrays have an entry for each seat. Negate an array if fewer is better. If ties are not broken, pass the
    points as `tie_breaks`, too.
    """
    for seat in range(g.players):
        rank = 1
        for other in range(g.players):
            if points[other] > points[seat] or (points[other] == points[seat] and tie_breaks[other] > tie_breaks[seat]):
                rank += 1
        g.rank[seat] = rank
