"""Laws of a game's table, checked at every decision of games that are played at random; see `sim.engine.invariants`."""

from typing import Any

import numpy as np

from sim.compiler.kernel import WEIGHTS, address_of, compiled, strategy_pointer
from sim.diagnostics.invariant_watch import InvariantWatcher, _watching_pointer, broken_results
from sim.engine.invariants import NOTES
from sim.game import load_game
from sim.players.batch import Plan, play
from sim.players.compile_players import players_of
from tests.kit.hidden import SIGNATURE
from tests.kit.hidden import address_of as address_of_record

FEWEST_CHECKS = 10
"""Decisions that every game has at least."""


def new_notes() -> Any:
    """Return what nothing has been noted in."""
    return np.zeros(1, NOTES)[0]


def indifferent(g: Any, t: Any, me: int, decision: int, option: int, w: Any) -> float:
    """Like every option alike."""
    return 0.0


def first_broken_law(game: str, g: Any, t: Any, me: int, decision: int, notes: Any) -> int:
    """Number of the first law that a game breaks at a decision, -1 for none; asked of who looks at all games.

    `notes` hold none of a broken law.
    """
    declared = load_game(game)
    w: Any = np.zeros(1, WEIGHTS)[0]
    w.scratch = address_of_record(notes)
    w.own_score = address_of(strategy_pointer(indifferent, declared.state, declared.tables))
    watching = _watching_pointer(declared.laws, declared.state, declared.tables)
    if compiled():
        SIGNATURE(int(watching.address))(*map(address_of_record, (g, t)), me, decision, 0, address_of_record(w))
    else:
        watching(g, t, me, decision, 0, w)
    return int(notes.broken) - 1


def check_games(plan: Plan, first: int, count: int) -> np.ndarray:
    """Play games in which no law may be broken; return the seat rows, shape (count, players, columns)."""
    watch = InvariantWatcher(plan.game, players_of(plan))
    rows = play(plan, watch.players, first, count)[0].reshape(count, plan.players, -1)
    assert not watch.broken(), watch.broken()
    assert watch.notes.checks > FEWEST_CHECKS * count
    assert not broken_results(plan, rows, first), broken_results(plan, rows, first)
    return rows
