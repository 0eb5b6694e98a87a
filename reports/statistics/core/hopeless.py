"""Players without hope: who hardly ever wins says nothing of the positions he plays, and is no part of averages."""

from __future__ import annotations

import polars as pl

HOPELESS = 0.2
"""Who is confirmed to win less than this part of the fair share has no hope of winning."""


def hopeless_players(strategies: pl.DataFrame) -> pl.DataFrame:
    """Strategies that are confirmed to win less than a fifth of their fair share.

    Confirmed: the upper limit that holds for all strategies at once lies below it.

    Parameters
    ----------
    strategies
        From `winshare.win_shares` by strategy, with the names as `level`.

    Returns
    -------
    The rows of those strategies, the one that wins least last; none in a run of one strategy.
    """
    highest = pl.col("null") + pl.col("family_high")
    return strategies.filter(highest < HOPELESS * pl.col("null")).sort("win_share", descending=True)
