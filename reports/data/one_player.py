"""Games of one player: what is fair there, and what it does to the error of an edge that this is a mean of the run.

A game of one player is won or lost against the game, not against others, so 1/players is no share that a row could
miss. There a row is compared with all games of one player in the run: fair is the share of them that was won. That mean
is itself made of the rows that are compared with it, which makes their edges a little surer than their shares.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from sim.errors import UserError

Floats = NDArray[np.float64]
FAIR = "fair"
"""Column of the fair share of a seat, in the seats of a run that has games of one player."""
LONE = ("N", "D", "DD")
"""What is added up of games of one player: games, wins less fair wins, and the squares of these."""
ROUNDING = 1e-12
"""Part of a sum of squares that is rounding error."""


def numbers_of_players(manifest: Mapping[str, Any]) -> list[int]:
    """Numbers of players of a run's games."""
    players = manifest["players"]
    return list(players) if isinstance(players, list) else [int(players)]


def only_one_player(manifest: Mapping[str, Any]) -> bool:
    """Whether every game of a run has one player."""
    return numbers_of_players(manifest) == [1]


def games_of_several(manifest: Mapping[str, Any]) -> int:
    """How many games of a run have two players or more."""
    alone = sum(entry["games"] for entry in manifest.get("player_counts") or [] if entry["players"] == 1)
    return int(manifest["games"]) - alone


def check_company(players: int, why: str) -> None:
    """Check that a question which only players who meet can answer is asked of games of several.

    Raises
    ------
    UserError
        The games have one player; the message says why that will not do.
    """
    if players == 1:
        raise UserError(f"games of one player cannot answer this: {why}", field="players", found=players,
                        allowed="2 or more")  # fmt: skip


def with_fair_share(seats: pl.LazyFrame, manifest: Mapping[str, Any]) -> pl.LazyFrame:
    """Add the column `FAIR` to the seats of a run that has games of one player; others are returned as they are."""
    if 1 not in numbers_of_players(manifest):
        return seats
    alone = pl.col("players") == 1
    mean = seats.filter(alone).select(pl.col("win").cast(pl.Float64).mean()).collect(engine="streaming").item()
    fair = pl.when(alone).then(pl.lit(0.0 if mean is None else float(mean))).otherwise(1 / pl.col("players"))
    return seats.with_columns(fair.cast(pl.Float64).alias(FAIR))


def mean_of_one_player(seats: pl.LazyFrame) -> float:
    """Share of the games of one player that was won; 0 in a run without any."""
    if FAIR not in seats.collect_schema():
        return 0.0
    found = seats.filter(pl.col("players") == 1).select(FAIR).head(1).collect(engine="streaming")
    return float(found.item()) if found.height else 0.0


def add_lone(sums: Floats, group: NDArray[np.int32], surplus: Floats) -> None:
    """Add games of one player to the sums of their groups.

    Parameters
    ----------
    sums
        Shape (groups, LONE); added to.
    group
        Number of each game's group, -1 for none.
    surplus
        Wins less fair wins, one per game.
    """
    own, mine = group[group >= 0], surplus[group >= 0]
    for place, weights in enumerate((None, mine, mine**2)):
        sums[:, place] += np.bincount(own, weights, len(sums))


def squares_about_mean(squares: Floats, edge: Floats, lone: Floats, games: float, total: float) -> Floats:
    """Sums of squares about a fair share that is the mean of the run, in place of those about a known one.

    What block b does to the edge of group i is (D_b - edge N_b) / N_i, less the share that games of one player have in
    the group, a, times what the block does to their mean, (w_b - m) / games. The squares of these differences are
    summed: of the first, of the second over all games of one player, and twice the product over those of the group,
    as far as it leaves `winshare.clustered_error` the variance of the edge.

    Parameters
    ----------
    squares
        Sums of D_b^2 over the blocks of each group, shape (groups,), as are all others.
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
    # A row that has all games is their mean: nothing is left but rounding.
    return np.where(left > ROUNDING * squares, left, 0.0)
