"""Laws of a game's table, checked at every decision by a player who plays at random.

A game supplies `tests/games/<game>/laws.py` with

- `LAWS`: the laws in words;
- `broken_law(g, t, me, decision, w)`: a kernel that returns the number of the first law the table breaks at a decision,
  -1 for none; from place `OWN_NOTES` on it may keep notes in `w.prepared`;
  `mark_of` and `cards_are_others` count the cards;
- `check_seats(plan, rows)`: asserts what must hold of the rows of finished games, shape (games, players, columns).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from sim.batch import Plan, play
from sim.compiling import compile_strategies, players_of
from sim.jit import compiled, kernel
from sim.rng import CHANCE
from tests.kit.hidden import SIGNATURE, address_of
from tests.kit.plans import plan_for, supplied, with_player

BROKEN, CHECKS, GAME, DECISIONS, SEAT, CARDS, OF_GAME = range(7)
"""Places in `w.prepared`: number of the first broken law from 1, checks made, where the law was broken, and which cards
are in a game."""
OWN_NOTES = 8
FEWEST_CHECKS = 10
"""Decisions that every game has at least."""


@kernel
def mark_of(card: int) -> int:
    """A number for each card, so that sets of cards differ in their sums."""
    return (card + 1) * (card + 7) * 7919 % 1000003 + 1


@kernel
def cards_are_others(g: Any, marks: int, w: Any) -> bool:
    """Tell whether the cards of a game, by the sum of their marks, are others than at its first decision."""
    of_game = float(g.rng_game[CHANCE]) + 1.0
    if w.prepared[OF_GAME] != of_game:
        w.prepared[OF_GAME] = of_game
        w.prepared[CARDS] = marks
    return bool(w.prepared[CARDS] != marks)


def checking_player(broken_law: Callable[..., int]) -> Callable[..., float]:
    """Return a strategy that plays at random and notes the first law that is broken before a decision."""

    def score(g: Any, t: Any, me: int, decision: int, option: int, w: Any) -> float:
        if option == 0:
            w.prepared[CHECKS] += 1
            law = broken_law(g, t, me, decision, w)
            if law >= 0 and w.prepared[BROKEN] == 0:
                w.prepared[BROKEN] = law + 1
                w.prepared[GAME] = float(g.rng_game[CHANCE])
                w.prepared[DECISIONS] = g.decisions
                w.prepared[SEAT] = me
        return 0.0

    return score


@cache
def compiled_player(game: str) -> Any:
    """Scoring functions of the checking player of a game, as plans of any table take them."""
    return compile_strategies(checking_plan(plan_for(game)))


def first_broken_law(game: str, g: Any, t: Any, me: int, decision: int, w: Any) -> int:
    """Number of the first law that a game breaks at a decision, -1 for none; asked of the player who checks all games.

    `w` holds his notes, with none of a broken law.
    """
    player = compiled_player(game)[0]
    if compiled():
        SIGNATURE(int(player))(*map(address_of, (g, t)), me, decision, 0, address_of(w))
    else:
        player(g, t, me, decision, 0, w)
    return int(w.prepared[BROKEN]) - 1


def checking_plan(plan: Plan) -> Plan:
    """Return the plan with checking players in all seats."""
    return with_player(plan, "checking", checking_player(supplied(plan.game.name, "laws").broken_law))


def check_games(plan: Plan, first: int, count: int) -> np.ndarray:
    """Play games whose players check the laws; return the seat rows, shape (count, players, columns).

    Raises
    ------
    AssertionError
        A law is broken.
    """
    laws = supplied(plan.game.name, "laws")
    plan = checking_plan(plan)
    slots, lineup = players_of(plan, compiled_player(plan.game.name))
    rows = play(plan, (slots, lineup), first, count)[0].reshape(count, plan.players, -1)
    notes = lineup.seats[0].prepared
    if notes[BROKEN]:
        place = f"game {notes[GAME]:.0f}, decision {notes[DECISIONS]:.0f}, seat {notes[SEAT]:.0f}"
        raise AssertionError(f"not so: {laws.LAWS[int(notes[BROKEN]) - 1]} ({place})")
    assert notes[CHECKS] > FEWEST_CHECKS * count
    laws.check_seats(plan, rows)
    return rows
