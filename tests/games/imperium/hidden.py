"""Games of Imperium dealt anew for a seat."""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.games.imperium.redeal import redeal
from sim.rng import SEARCH


def dealt_anew(table: np.ndarray, t: Any, me: int, number: int) -> np.ndarray:
    """A copy of a game, in an array of length 1, dealt anew for seat `me`; another number, another deal."""
    copy = table.copy()
    g: Any = copy[0]
    g.rng_game[SEARCH] = number
    g.rng_drawn[SEARCH] = 0
    redeal(g, t, me)
    return copy


def scrambled(table: np.ndarray, t: Any, random: np.random.Generator) -> np.ndarray:
    """A copy of a game in which all is otherwise that players neither see nor remember, but for hidden cards."""
    copy = table.copy()
    g: Any = copy[0]
    owners, zones, most = g.zone.shape
    for owner in range(owners):
        for zone in range(zones):
            size = int(g.zone_size[owner, zone])
            g.zone[owner, zone, size:] = random.integers(0, t.cards, most - size)
    g.rng_key[:] = random.integers(0, 2**32, 2)
    g.rng_game[:] = random.integers(0, 2**31, g.rng_game.shape)
    g.rng_words[:] = random.integers(0, 2**32, g.rng_words.shape)
    g.option_score[:] = random.normal(size=g.option_score.shape)
    g.score[:] = random.integers(0, 60, g.score.shape)
    g.log.rows[:] = random.integers(0, 18, g.log.rows.shape)
    g.unseen[:] = random.integers(0, 60, g.unseen.shape)
    for field in ("heap", "held", "put_back"):
        g[field] = random.integers(0, 2, g[field].shape)
    return copy
