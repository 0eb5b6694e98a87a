"""Skill or luck: how far the identity of the players decides who finishes ahead of whom.

Two seats of a game with different players are a duel. The better rank wins the duel; equal ranks count half. Suppose
that a player wins duels with another player with chance p. Then the identity of the two explains (2p - 1)^2 of the
variance of their duels. Between equals it explains nothing; if the better player is always ahead, it explains
everything. The skill share of a set of players is the mean over all pairs of them, with equal weights. A duel means the
same at tables of every size. So skill shares can be compared between games and between numbers of players, as far as
the players are comparable. See Duersch, Lambrecht and Oechssler (2020) and Elias, Garfield and Gutschera (2012); errors
are by the jackknife (Efron and Tibshirani 1993, ch. 11). `docs/statistics.md` lists the sources.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl
from scipy import special

from reports.data.load import Run
from reports.statistics.core.jackknife import MIN_BLOCKS, jackknife
from reports.statistics.core.win_rate import ALPHA, Floats, one_family
from reports.statistics.strength.matchups import count_pairings, matchups

RATE = ALPHA / 2
"""Error rate of the skill share, and error rate of all pairs together. The two add up to 5 %."""
BATCHES = 100
"""Maximum number of batches of blocks for the jackknife."""
AHEAD = 0.95
"""Chance with which the better player should be ahead after `needed` games."""
MAX_GAMES = 9999
"""If more games than this are needed, no number is given."""


@dataclass(frozen=True)
class SkillShare:
    """How far the identity of the players of a run decides who finishes ahead of whom.

    Attributes
    ----------
    share, low, high
        The skill share with 97.5 % limits. The limits may lie outside 0 to 1. NaN if unknown.
    blocks
        Number of blocks on which the skill share rests.
    pairs
        One row per pair of players that met any other player, the widest edge first, with `level` ahead of `level2`:
        the columns of `matchups.matchups` and `win_rate.one_family`, and `needed` with `needed_low` and `needed_high`.
        `needed` is the number of games after which `level` is ahead with 95 % chance. It is null if it is not certain
        that `level` is better, or if more than 9,999 games are needed.
    chain
        The longest series of players in which each is certainly ahead of the next, best first.
    """

    share: float
    low: float
    high: float
    blocks: int
    pairs: pl.DataFrame
    chain: tuple[str, ...]


def skill_share(run: Run) -> SkillShare:
    """Return the skill share of those players of a run who met, over all its numbers of players together."""
    met = count_pairings(run)["strategy"]
    if not met.sums.any():
        return SkillShare(np.nan, np.nan, np.nan, run.manifest.blocks, pl.DataFrame(), ())
    (pairs,) = one_family([matchups(met)], rate=RATE)
    sums = duels_by_batch(run)
    share, low, high = np.nan, np.nan, np.nan
    if len(sums) > 1:
        whole, left = explained_variance(sums.sum(axis=0)), explained_variance(sums.sum(axis=0) - sums)
        found = jackknife(np.array([whole]), left[:, None])
        (share,), (half,) = found.value, found.reach(RATE)
        low, high = share - half, share + half
    if run.manifest.blocks < MIN_BLOCKS:
        low, high = np.nan, np.nan
    ends = {"needed": "ahead", "needed_low": "high", "needed_high": "low"}
    needed = {name: pl.Series([games_to_be_ahead(p) for p in pairs[of]], dtype=pl.Int64) for name, of in ends.items()}
    sure = pl.when(pl.col("flag") == "strong")
    pairs = pairs.with_columns(sure.then(games).alias(name) for name, games in needed.items())
    return SkillShare(float(share), float(low), float(high), run.manifest.blocks, pairs, longest_chain(pairs))


def duels_by_batch(run: Run) -> Floats:
    """Return by batch of blocks how many duels each pair played and how many of them its first player won.

    The shape is (batches, pairs, 2).
    """
    batches = min(BATCHES, run.manifest.blocks)
    seats = run.seats.select("block", "game", pl.col("strategy").cast(pl.String), pl.col("rank").cast(pl.Int64))
    met = seats.join(seats, on=["block", "game"], suffix="2").filter(pl.col("strategy") < pl.col("strategy2"))
    won = (pl.col("rank") < pl.col("rank2")) + 0.5 * (pl.col("rank") == pl.col("rank2"))
    batch = (pl.col("block").cast(pl.Int64) % batches).alias("batch")
    frame = met.group_by(batch, "strategy", "strategy2").agg(pl.len().alias("duels"), won.sum().alias("won")).collect()
    pairs = frame.select("strategy", "strategy2").unique().sort("strategy", "strategy2").with_row_index("pair")
    frame = frame.join(pairs, on=["strategy", "strategy2"])
    sums = np.zeros((batches, pairs.height, 2))
    sums[frame["batch"].to_numpy(), frame["pair"].to_numpy()] = frame.select("duels", "won").to_numpy()
    return sums


def explained_variance(sums: Floats) -> Floats:
    """Return the mean of (2p - 1)^2 over pairs, from duels and won duels of shape (..., pairs, 2)."""
    with np.errstate(invalid="ignore", divide="ignore"):
        square = (2 * sums[..., 1] / sums[..., 0] - 1) ** 2
    return np.asarray(np.nanmean(square, axis=-1))


def games_to_be_ahead(p: float | None) -> int | None:
    """Return the fewest games after which a player who wins a duel with chance p has won most of them.

    The number is odd, and the player has won most games with a chance of at least `AHEAD`. None if p is unknown or not
    above one half, or if more than `MAX_GAMES` games are needed.
    """
    if p is None or p <= 0.5:
        return None
    games = np.arange(1, MAX_GAMES + 1, 2)
    enough = np.asarray(special.bdtrc(games // 2, games, p) >= AHEAD)
    return int(games[enough.argmax()]) if enough.any() else None


def longest_chain(pairs: pl.DataFrame) -> tuple[str, ...]:
    """Return the longest series of players in which each is certainly ahead of the next.

    If players form a circle, the series may have only some players of the circle.
    """
    sure = pairs.filter(pl.col("flag") == "strong").select("level", "level2").rows()
    best: dict[str, tuple[str, ...]] = {}

    def down(name: str, above: tuple[str, ...]) -> tuple[str, ...]:
        if name not in best:
            ways = [down(below, (*above, name)) for one, below in sure if one == name and below not in above]
            best[name] = (name, *max(ways, key=len, default=()))
        return best[name]

    return max((down(name, ()) for name in dict.fromkeys(one for one, _ in sure)), key=len, default=())
