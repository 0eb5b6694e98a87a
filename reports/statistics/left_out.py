"""Would a finding stand without one of the players? Edges with each strategy left out, and players without hope.

References
----------
Tukey, J. W. (1958). Bias and confidence in not quite large samples (abstract). Annals of Mathematical Statistics 29,
614 (the jackknife: each part left out in turn).
Berger, R. L. (1982). Multiparameter hypothesis testing and acceptance sampling. Technometrics 24, 295-300
(intersection-union tests: what must hold in every case is tested in each at the full level).
"""

from __future__ import annotations

import polars as pl

HOPELESS = 0.2
"""Who surely wins less than this part of the fair share has no hope of winning."""


def hopeless_players(strategies: pl.DataFrame) -> pl.DataFrame:
    """Strategies that surely win less than a fifth of their fair share.

    Surely: the upper limit that holds for all strategies at once lies below it.

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
