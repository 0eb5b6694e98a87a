"""Scores and endings of a run, counted: how often each score was reached, and how games ended."""

from __future__ import annotations

import polars as pl

QUANTILES = (0.05, 0.25, 0.50, 0.75, 0.95)


def score_histogram(seats: pl.LazyFrame) -> pl.DataFrame:
    """How often each strategy reached each score: `strategy` (text), `score`, `games`."""
    counted = seats.group_by("strategy", "score").agg(pl.len().cast(pl.Int64).alias("games"))
    ordered = counted.collect(engine="streaming").sort("strategy", "score")
    return ordered.with_columns(pl.col("strategy").cast(pl.String), pl.col("score").cast(pl.Int64))


def score_quantiles(histogram: pl.DataFrame) -> pl.DataFrame:
    """Exact quantiles of the score: the lowest score that at least this share of games does not exceed.

    Returns
    -------
    `strategy`, `games`, `mean`, `q05`, `q25`, `q50`, `q75`, `q95`; first "all" (`strategy` is null there), then each
    strategy in the run's order.
    """
    whole = histogram.with_columns(pl.lit(None, pl.String).alias("strategy"))
    both = pl.concat([whole.select(histogram.columns), histogram])
    counted = both.group_by("strategy", "score", maintain_order=True).agg(pl.col("games").sum())
    counted = counted.sort("score", maintain_order=True)
    reached = pl.col("games").cum_sum() / pl.col("games").sum()
    quantiles = [pl.col("score").filter(reached >= q).first().alias(f"q{round(100 * q):02d}") for q in QUANTILES]
    mean = (pl.col("score") * pl.col("games")).sum() / pl.col("games").sum()
    result = counted.group_by("strategy").agg(pl.col("games").sum().alias("total"), mean.alias("mean"), *quantiles)
    order = pl.DataFrame({"strategy": both["strategy"].unique(maintain_order=True)})
    return order.join(result, on="strategy", how="left", nulls_equal=True).rename({"total": "games"})


def count_endings(seats: pl.LazyFrame) -> pl.DataFrame:
    """How games ended: `end_reason` (text), `games`, `mean_rounds`, most frequent first."""
    # One row per game: the rows of a game agree on both columns.
    first = seats.group_by("end_reason", "rounds", "players").agg(pl.len().cast(pl.Int64).alias("seats"))
    cells = first.collect(engine="streaming").with_columns((pl.col("seats") / pl.col("players")).alias("games"))
    rounds = (pl.col("rounds") * pl.col("games")).sum() / pl.col("games").sum()
    ended = cells.group_by(pl.col("end_reason").cast(pl.String)).agg(
        rounds.alias("mean_rounds"), pl.col("games").sum().round().cast(pl.Int64)
    )
    return ended.select("end_reason", "games", "mean_rounds").sort(["games", "end_reason"], descending=[True, False])
