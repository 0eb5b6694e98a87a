"""Restricted play: the wins of a player who never does one thing, or always does it, among equals who may choose.

What a mechanism is worth is measured by a player who may not use it (Jaffe and others 2012). The wins of the same
player without the restriction are a control variable (Lavenberg and Welch 1981). `docs/statistics.md` lists the
sources.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from reports.data.moments import SUMS, add_block, moments_frame
from reports.statistics.core.win_rate import ROUNDING, Floats, win_rates
from sim.players.restriction import Restriction

NEVER_DOES, ALWAYS_DOES = "never", "always"
MATTERS, OVERUSED = "matters", "better without"


@dataclass(frozen=True)
class RestrictedArm:
    """Games in which one player is restricted, with the same games without the restriction.

    `rule` is `NEVER_DOES` or `ALWAYS_DOES`, and `kind` the kinds of options that it is about, joined by " + ". All
    players have the strategy `player`. `blocks`, shape (blocks, 4), has for each block: games, wins of the restricted
    player, score of the restricted player, and mean score of its opponents, summed over games. `control`, shape
    (blocks,), has the wins of the same player in the same games without the restriction. `counted` has the numbers of
    decisions that the restriction affected; see `Restriction`.
    """

    rule: str
    kind: str
    player: str
    blocks: Floats
    control: Floats
    counted: Restriction


def block_sums(rows: NDArray[np.int32], players: int, columns: tuple[int, int, int, int]) -> Floats:
    """Return `RestrictedArm.blocks` from rows of seats, game by game; strategy 0 is the restricted player.

    `columns` are the indices of the columns of block, strategy, score and rank.
    """
    block, strategy, score, rank = (rows[:, column].reshape(-1, players) for column in columns)
    own, first = strategy == 0, rank == 1
    wins = (own * first).sum(axis=1) / first.sum(axis=1)
    mine = (own * score).sum(axis=1)
    others = ((~own) * score).sum(axis=1) / (players - 1)
    _, place = np.unique(block[:, 0], return_inverse=True)
    values = (np.ones(len(wins)), wins, mine.astype(np.float64), others.astype(np.float64))
    return np.stack([np.bincount(place, value) for value in values], axis=1)


def restricted_frame(arms: Sequence[RestrictedArm], players: int) -> pl.DataFrame:
    """Return a row for each arm, the largest loss first.

    The games without the restriction are a control variable. Their luck is known, because equals win 1 / players on
    average. It predicts a part of the luck of the restricted games, beta (control - games / players). This part is
    subtracted from the wins. beta is found by least squares (Lavenberg and Welch 1981).

    Returns
    -------
    `rule`, `kind`, `player`, and the columns of `win_rates` (the fair share is 1 / players; all rows are one family);
    `score`, the player's own score minus that of the opponents;
    `offered`, `bound` and `free`, decisions per game in which a restricted option was offered, in which it would have
    been chosen, and in which all options were forbidden;
    `verdict`: `MATTERS`, `OVERUSED`, "better with", "worse with" or "".
    """
    totals = np.zeros((len(arms), len(SUMS)))
    for total, arm in zip(totals, arms, strict=True):
        luck = arm.control - arm.blocks[:, 0] / players
        apart = luck - luck.mean()
        square = float(apart @ apart)
        beta = 0.0 if square < ROUNDING else float(apart @ arm.blocks[:, 1]) / square
        wins = arm.blocks[:, 1] - beta * luck
        # If wins equal the fair share in every block, rounding must not look like variation.
        wins = np.where(np.abs(wins - arm.blocks[:, 0] / players) < ROUNDING, arm.blocks[:, 0] / players, wins)
        for (games, _, score, _), won in zip(arm.blocks, wins, strict=True):
            add_block(total, games, won, games / players, score, 0.0, 0.0)
    frame = win_rates(moments_frame({"number": np.arange(len(arms))}, totals), ["number"])
    games = np.array([arm.blocks[:, 0].sum() for arm in arms])
    counts = {
        name: np.array([getattr(arm.counted, name) for arm in arms]) / games for name in ("offered", "bound", "free")
    }
    ahead = pl.when(pl.col("rule") == NEVER_DOES).then(pl.lit(OVERUSED)).otherwise(pl.lit("better with"))
    behind = pl.when(pl.col("rule") == NEVER_DOES).then(pl.lit(MATTERS)).otherwise(pl.lit("worse with"))
    sure = (pl.col("family_low") > 0) | (pl.col("family_high") < 0)
    return frame.with_columns(
        *(pl.Series(name, [getattr(arm, name) for arm in arms]) for name in ("rule", "kind", "player")),
        pl.Series("score", [float((arm.blocks[:, 2] - arm.blocks[:, 3]).sum()) for arm in arms] / games),
        *(pl.Series(name, values) for name, values in counts.items()),
    ).with_columns(
        pl.when((pl.col("flag") == "weak") & sure).then(behind)
        .when((pl.col("flag") == "strong") & sure).then(ahead).otherwise(pl.lit("")).alias("verdict")
    ).sort("edge", maintain_order=True)  # fmt: skip
