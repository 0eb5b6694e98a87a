"""Games of one player: their fair share, and its effect on the error of edges.

A game of one player is won or lost against the game, so 1/players is not a fair share. A row is instead compared with
all games of one player in the run: the fair share is the part of them that was won. That mean includes the row itself,
so the errors of edges are a little smaller than those of shares.
"""

from __future__ import annotations

import numpy as np
import polars as pl
from numpy.typing import NDArray

from sim.errors import UserError
from sim.runs.store.manifest import Manifest

Floats = NDArray[np.float64]
FAIR = "fair"
"""Column of a seat's fair share, in runs with games of one player."""
LONE = ("N", "D", "DD")
"""Sums over games of one player: games, wins less fair wins, and their squares."""
ROUNDING = 1e-12
"""Relative rounding error of a sum of squares."""


def player_counts(manifest: Manifest) -> list[int]:
    """Return the numbers of players of a run's games."""
    players = manifest.players
    return list(players) if isinstance(players, list) else [int(players)]


def only_one_player(manifest: Manifest) -> bool:
    """Whether every game of a run has one player."""
    return player_counts(manifest) == [1]


def games_of_several(manifest: Manifest) -> int:
    """Return the number of games with two or more players."""
    alone = sum(entry.games for entry in manifest.player_counts if entry.players == 1)
    return manifest.games - alone


def check_company(players: int, why: str) -> None:
    """Raise UserError, with the reason `why`, if games have one player and the question needs several."""
    if players == 1:
        raise UserError(f"games of one player cannot answer this: {why}", field="players", found=players,
                        allowed="2 or more")  # fmt: skip


def with_fair_share(seats: pl.LazyFrame, manifest: Manifest) -> pl.LazyFrame:
    """Add the column `FAIR` to the seats of a run with games of one player; return others unchanged."""
    if 1 not in player_counts(manifest):
        return seats
    alone = pl.col("players") == 1
    mean = seats.filter(alone).select(pl.col("win").cast(pl.Float64).mean()).collect(engine="streaming").item()
    fair = pl.when(alone).then(pl.lit(0.0 if mean is None else float(mean))).otherwise(1 / pl.col("players"))
    return seats.with_columns(fair.cast(pl.Float64).alias(FAIR))


def mean_of_one_player(seats: pl.LazyFrame) -> float:
    """Return the share of games of one player that was won; 0 in a run without any."""
    if FAIR not in seats.collect_schema():
        return 0.0
    found = seats.filter(pl.col("players") == 1).select(FAIR).head(1).collect(engine="streaming")
    return float(found.item()) if found.height else 0.0


def add_lone(sums: Floats, group: NDArray[np.int32], surplus: Floats) -> None:
    """Add games of one player to sums of shape (groups, LONE); `surplus` is wins less fair wins, group -1 is none."""
    own, mine = group[group >= 0], surplus[group >= 0]
    for place, weights in enumerate((None, mine, mine**2)):
        sums[:, place] += np.bincount(own, weights, len(sums))


def squares_about_mean(squares: Floats, edge: Floats, lone: Floats, games: float, total: float) -> Floats:
    """Return sums of squares about a fair share that is the mean of the run, in place of those about a known one.

    Block b moves the edge of group i by (D_b - edge N_b) / N_i, less a (w_b - m) / games, where a is the part of the
    group's seat-games that are games of one player and m is their mean. The squares of these differences are summed so
    that `win_rate.clustered_error` gives the variance of the edge.

    Parameters
    ----------
    squares
        Sums of D_b^2 over the blocks of each group, shape (groups,) like all others.
    edge
        Wins less fair wins of a seat-game.
    lone
        From `add_lone`, shape (groups, LONE).
    games, total
        Games of one player in the run, and the sum of (w - m)^2 over them.
    """
    part = lone[:, 0] / games
    shared = lone[:, 2] - edge * lone[:, 1]
    left = squares - 2 * part * shared + part**2 * total
    # A row with all games is their mean: only rounding error is left.
    return np.where(left > ROUNDING * squares, left, 0.0)
