"""Checks the invariants of a game during play: before every decision, or when a turn has ended.

As in checked runs (`sim.players.readonly_check`), another function takes the place of each scoring function. It checks
the game, and then calls the original function. The games stay the same.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from types import ModuleType
from typing import Any

import numpy as np

from sim.compiler.kernel import LINEUP, Record, address_of, bind_kernels, compiled, strategy_pointer, strategy_slots
from sim.engine.invariants import NOTES, score_watched
from sim.engine.result_rows import END_REASON, FACTION, FIXED_COLUMNS, RANK, SCORE
from sim.game import GameSpec
from sim.players.batch import Plan


def laws_of(game: GameSpec) -> ModuleType:
    """Return the module with a game's invariants (`sim.engine.invariants`)."""
    return import_module(game.laws)


@cache
def _watching_pointer(laws: str, state: np.dtype[Any], tables: np.dtype[Any]) -> Any:
    """Return the compiled scoring function that first checks the invariants in the module `laws`; cached."""
    return strategy_pointer(bind_kernels(score_watched, broken_law=import_module(laws).broken_law), state, tables)


class InvariantWatcher:
    """Wraps players (arguments of kernels) so that invariants are checked while they play, and holds the results.

    With `at_turns`, invariants are checked only when another seat decides than at the previous decision. The attribute
    `players` holds the wrapped players, and `notes` the results, a record of `sim.engine.invariants.NOTES`.
    """

    def __init__(self, game: GameSpec, players: tuple[Any, Record], at_turns: bool = False) -> None:
        scores, lineup = players
        self._laws = laws_of(game)
        self._memory = np.zeros(1, NOTES)
        self._memory["at_turns"] = at_turns
        self._lineups = np.array([lineup], LINEUP)
        seats = self._lineups["seats"][0]
        if compiled():
            seats["own_score"][: len(scores)] = scores
        else:
            seats["own_score"][: len(scores)] = [address_of(score) for score in scores]
        seats["scratch"] = self._memory.ctypes.data
        watching = _watching_pointer(game.laws, game.state, game.tables)
        self.players = (strategy_slots([watching] * len(scores)), self._lineups[0])
        self.notes: Any = self._memory[0]

    def broken(self) -> str:
        """Return a message with the invariant that was broken first, the game and the decision; "" if none."""
        if not self.notes.broken:
            return ""
        law = self._laws.LAWS[int(self.notes.broken) - 1]
        place = f"game {self.notes.game:.0f}, decision {self.notes.decision}, seat {self.notes.seat}"
        return f"not so: {law} ({place})"


def broken_results(plan: Plan, rows: np.ndarray, first: int = 0) -> str:
    """Return a message with the first broken invariant of finished games, and the game; "" if none is broken.

    `rows` are the seat rows of the games from `first` on, shape (games, players, columns).
    """
    laws = {**laws_of_all_results(plan, rows), **laws_of(plan.game).laws_of_results(plan.data.tables, rows)}
    for law, kept in laws.items():
        if not kept.all():
            return f"not so: {law} (game {first + int(np.flatnonzero(~kept)[0])})"
    return ""


def laws_of_all_results(plan: Plan, rows: np.ndarray) -> dict[str, np.ndarray]:
    """Return the invariants that hold for finished games, whatever game is played.

    The keys are the invariants in words. The values are bool arrays (games,), true where the invariant holds.
    """
    parts = rows[:, :, FIXED_COLUMNS : FIXED_COLUMNS + len(plan.game.score_parts)]
    best, ends = rows[:, :, RANK].min(axis=1), rows[:, :, END_REASON]
    laws = {
        "points are the sum of their parts": (parts.sum(axis=2) == rows[:, :, SCORE]).all(axis=1),
        "somebody has won, or nobody who is alone": (best == 1) | ((plan.players == 1) & (best == 2)),
        "a game ends for one reason": (ends == ends[:, :1]).all(axis=1)
        & (ends[:, 0] >= 0)
        & (ends[:, 0] < len(plan.game.end_reasons)),
    }
    if plan.data.factions:
        exclusive = plan.game.exclusive
        kinds = np.array([one.attributes[exclusive] if exclusive else one.name for one in plan.data.factions])
        unlike = [len(set(dealt)) == plan.players for dealt in kinds[rows[:, :, FACTION]].tolist()]
        laws["no two alike are dealt to one table"] = np.array(unlike, bool)
    return laws
