"""Conflicts at the end of each age."""

from __future__ import annotations

from sim.compiler.kernel import Record, kernel
from sim.games.seven_wonders.rules.constants import LEFT, RIGHT
from sim.games.seven_wonders.rules.state import right_of


@kernel
def resolve_conflicts(g: Record, t: Record) -> None:
    """Compare shields with both neighbours: the stronger city gets a victory token, the weaker a defeat token."""
    for city in range(g.cities):
        right = right_of(g, city)
        if g.shields[city] > g.shields[right]:
            give_tokens(g, t, city, RIGHT, right, LEFT)
        elif g.shields[city] < g.shields[right]:
            give_tokens(g, t, right, LEFT, city, RIGHT)


@kernel
def give_tokens(g: Record, t: Record, winner: int, winner_side: int, loser: int, loser_side: int) -> None:
    """Give the victory token of the age to one city and a defeat token to its neighbour."""
    victory = t.military_win_vp[g.age]
    g.conflict_points[winner] += victory
    g.tokens[winner, g.age - 1, winner_side] = victory
    g.conflict_points[loser] += t.military_loss_vp
    g.tokens[loser, g.age - 1, loser_side] = t.military_loss_vp
    g.defeats[loser] += 1
