"""Endings, lengths and scores of games, and win rates by ending."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from reports.data.games import whole_blocks
from reports.data.load import Run
from reports.data.moments import moments_of
from reports.data.one_player import only_one_player
from reports.formatting import counted
from reports.statistics.core.groupings import attribute_column, attribute_key, useful_attributes
from reports.statistics.core.win_rate import ALPHA, clustered_error, luck_interval, t_quantile, win_rates

REASON = "end_reason"


def condition_columns(columns: Sequence[str]) -> list[str]:
    """Return the columns of conditions: the number of players, and the variant if seats have it."""
    return ["players", *(["variant"] if "variant" in columns else [])]


def game_cells(run: Run) -> pl.DataFrame:
    """Count games by ending, rounds and condition: `games`, and the sums `wins` and `winning_score`."""
    keys = [REASON, "rounds", *condition_columns(run.seats.collect_schema().names())]
    win = pl.col("win").cast(pl.Float64)
    cells = run.seats.group_by(keys).agg(
        pl.len().cast(pl.Float64).alias("seats"),
        win.sum().alias("wins"),
        (win * pl.col("score")).sum().alias("winning_score"),
    )
    frame = cells.collect(engine="streaming").sort(keys)
    whole = (pl.col("seats") / pl.col("players")).round().cast(pl.Int64).alias("games")
    return frame.with_columns(whole, pl.col(REASON).cast(pl.String), pl.col("rounds").cast(pl.Int64)).drop("seats")


@dataclass(frozen=True)
class BlockSums:
    """Sums over blocks for a ratio and its error.

    Attributes
    ----------
    y, n
        Sums of the parts and of the wholes.
    yy, yn, nn
        Sums of their products.
    blocks, largest
        Number of blocks, and the largest n of one.
    """

    y: float = 0.0
    n: float = 0.0
    yy: float = 0.0
    yn: float = 0.0
    nn: float = 0.0
    blocks: float = 0.0
    largest: float = 0.0

    def __add__(self, other: BlockSums) -> BlockSums:
        """Add the sums of other blocks."""
        names = [field.name for field in fields(self) if field.name != "largest"]
        summed = {name: getattr(self, name) + getattr(other, name) for name in names}
        return BlockSums(**summed, largest=max(self.largest, other.largest))


def sums_of_blocks(y: NDArray[Any], n: NDArray[Any]) -> BlockSums:
    """Sum parts and wholes of blocks, shape (blocks,)."""
    y, n = y.astype(np.float64), n.astype(np.float64)
    sums = (y.sum(), n.sum(), (y**2).sum(), (y * n).sum(), (n**2).sum(), len(n), n.max(initial=0))
    return BlockSums(*map(float, sums))


@dataclass(frozen=True)
class BlockCounts:
    """Games and rounds of the blocks of a run.

    Attributes
    ----------
    games
        By ending: games of a block that end so, and all games.
    rounds
        By condition, see `condition_columns`: rounds and number of a block's games.
    """

    games: dict[str, BlockSums]
    rounds: dict[tuple[Any, ...], BlockSums]


def block_counts(run: Run) -> BlockCounts:
    """Sum the blocks of a run."""
    schema = run.seats.collect_schema()
    keys, reasons = condition_columns(schema.names()), list(getattr(schema[REASON], "categories", ()))
    chosen = run.seats.select("block", "seat", "rounds", pl.col(REASON).to_physical(), *keys)
    games: dict[str, BlockSums] = {}
    rounds: dict[tuple[Any, ...], BlockSums] = {}
    for frame in whole_blocks(chosen):
        whole = frame.filter(pl.col("seat") == 0).with_columns(place=pl.col("block").rle_id())
        if not whole.height:
            continue
        place = whole["place"].to_numpy().astype(np.int64)
        ending = place * len(reasons) + whole[REASON].to_numpy()
        ended = np.bincount(ending, minlength=(int(place.max()) + 1) * len(reasons)).reshape(-1, len(reasons))
        for reason, own in zip(reasons, ended.T, strict=True):
            games[reason] = games.get(reason, BlockSums()) + sums_of_blocks(own, ended.sum(axis=1))
        for condition, part in whole.group_by(keys):
            each = part.group_by("place").agg(pl.len(), pl.col("rounds").cast(pl.Int64).sum())
            fresh = sums_of_blocks(each["rounds"].to_numpy(), each["len"].to_numpy())
            rounds[condition] = rounds.get(condition, BlockSums()) + fresh
    return BlockCounts(games, rounds)


def block_ratio(sums: BlockSums) -> tuple[float, float, float]:
    """Return the ratio of the sums, its standard error, and the number of blocks."""
    ratio = sums.y / sums.n
    values = {"yy": sums.yy, "yn": sums.yn, "blocks": sums.blocks, "n": sums.n, "nn": sums.nn}
    error = clustered_error(np.array([ratio]), **{name: np.array([value]) for name, value in values.items()})
    return ratio, float(error[0]), sums.blocks


def rounds_spread(values: pl.Series, games: pl.Series) -> dict[str, float]:
    """Return mean, standard deviation, and the 5 %, 50 % and 95 % quantiles."""
    value, weight = values.to_numpy().astype(np.float64), games.to_numpy().astype(np.float64)
    order = np.argsort(value, kind="stable")
    value, weight = value[order], weight[order]
    mean = float((value * weight).sum() / weight.sum())
    deviation = float(np.sqrt(((value - mean) ** 2 * weight).sum() / weight.sum()))
    reached = np.cumsum(weight) / weight.sum()
    found = {f"q{round(100 * q):02d}": float(value[np.searchsorted(reached, q - 1e-12)]) for q in (0.05, 0.5, 0.95)}
    return {"mean_rounds": mean, "sd_rounds": deviation, **found}


def mean_winning_score(cells: pl.DataFrame) -> float | None:
    """Return the mean score of winners; None if nobody won."""
    wins = float(cells["wins"].sum())
    return float(cells["winning_score"].sum()) / wins if wins > 0.5 else None


def reason_table(cells: pl.DataFrame, blocks: BlockCounts) -> pl.DataFrame:
    """Return one row per ending, most frequent first: share of the games with limits, rounds, winning score."""
    rows = []
    for (reason,), part in cells.group_by([REASON], maintain_order=True):
        own = blocks.games[str(reason)]
        share, error, count = block_ratio(own)
        imbalance = own.largest / (own.n / own.blocks)
        low, high = luck_interval(*(np.array([value]) for value in (share, error, count, imbalance)))
        games = int(part["games"].sum())
        rows.append(
            {REASON: str(reason), "games": games, "share": share, "low": float(low[0]), "high": float(high[0])}
            | rounds_spread(part["rounds"], part["games"])
            | {"winning_score": mean_winning_score(part)}
        )
    frame = pl.DataFrame(rows).with_columns(pl.col("low", "high").fill_nan(None))
    return frame.sort(["games", REASON], descending=[True, False])


def length_table(cells: pl.DataFrame, blocks: BlockCounts) -> pl.DataFrame:
    """Return one row per number of players, and variant if there are several: rounds with limits of their mean."""
    keys = condition_columns(cells.columns)
    rows = []
    for values, part in cells.sort(keys).group_by(keys, maintain_order=True):
        mean, error, count = block_ratio(blocks.rounds[values])
        reach = float(t_quantile(np.array(count), 1 - ALPHA / 2)) * error
        games = int(part["games"].sum())
        name = counted(values[0], "player") + (f", {values[1]}" if len(values) > 1 else "")
        rows.append(
            {"condition": name, "games": games} | rounds_spread(part["rounds"], part["games"])
            | {"low": mean - reach, "high": mean + reach, "winning_score": mean_winning_score(part)}
        )  # fmt: skip
    return pl.DataFrame(rows).with_columns(pl.col("low", "high").fill_nan(None))


def winners(run: Run) -> Iterator[tuple[str, pl.DataFrame]]:
    """Yield noun and win rates by ending of factions and their shared attributes, or of strategies without factions.

    Games of one player are excluded, since their ending decides whether they are won.
    """
    manifest = run.manifest
    if only_one_player(manifest):
        return
    dealt = manifest.factions_dealt or [row.name for row in manifest.factions]
    attributes = useful_attributes(manifest, pl.DataFrame({"faction": dealt}))
    seats = run.seats.filter(pl.col("players") > 1).with_columns(
        attribute_column(manifest, name) for name in attributes
    )
    kinds = [(manifest.faction_title, "faction")] if manifest.factions else [("strategy", "strategy")]
    kinds += [(name, attribute_key(name)) for name in attributes]
    moments = moments_of(seats, [[REASON, key] for _, key in kinds])
    for (noun, key), summed in zip(kinds, moments, strict=True):
        frame = win_rates(summed, [REASON, key]).rename({key: "level"})
        yield (
            noun,
            frame.with_columns(pl.col(REASON, "level").cast(pl.String)).sort(
                [REASON, "edge", "level"], descending=[False, True, False]
            ),
        )


QUANTILES = (0.05, 0.25, 0.50, 0.75, 0.95)


def score_histogram(seats: pl.LazyFrame) -> pl.DataFrame:
    """Count how often each strategy reached each score: `strategy` (text), `score`, `games`."""
    counted = seats.group_by("strategy", "score").agg(pl.len().cast(pl.Int64).alias("games"))
    ordered = counted.collect(engine="streaming").sort("strategy", "score")
    return ordered.with_columns(pl.col("strategy").cast(pl.String), pl.col("score").cast(pl.Int64))


def score_quantiles(histogram: pl.DataFrame) -> pl.DataFrame:
    """Return exact quantiles of the score: the lowest score that at least this share of games does not exceed.

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
    """Count endings: `end_reason` (text), `games`, `mean_rounds`, most frequent first."""
    # All rows of a game agree on these columns.
    first = seats.group_by("end_reason", "rounds", "players").agg(pl.len().cast(pl.Int64).alias("seats"))
    cells = first.collect(engine="streaming").with_columns((pl.col("seats") / pl.col("players")).alias("games"))
    rounds = (pl.col("rounds") * pl.col("games")).sum() / pl.col("games").sum()
    ended = cells.group_by(pl.col("end_reason").cast(pl.String)).agg(
        rounds.alias("mean_rounds"), pl.col("games").sum().round().cast(pl.Int64)
    )
    return ended.select("end_reason", "games", "mean_rounds").sort(["games", "end_reason"], descending=[True, False])
