"""Endings, lengths and scores of games, and win rates by the ending of the game.

The module also estimates how circumstances that all seats of a game share, such as the direction of play, affect each
faction and each starting place.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from reports.data.games import GameArrays, GameSums, KeyedSums, gather, levels_of_enum, whole_blocks
from reports.data.load import Run, level_names, only_one_player
from reports.data.moments import moments_and_products
from reports.formatting import counted
from reports.statistics.core.groupings import (
    PLAYERS_IN_ORDER,
    START,
    attribute_column,
    attribute_key,
    has_starting_places,
    useful_attributes,
)
from reports.statistics.core.win_rate import ALPHA, Floats, clustered_error, holm, luck_interval, t_quantile, win_rates
from reports.statistics.distributions import t_sf
from sim.data.declarations import MAX_PLAYERS

REASON = "end_reason"


def condition_columns(columns: Sequence[str]) -> list[str]:
    """Return the columns that define a condition: the number of players, and the variant if seats record it."""
    return ["players", *(["variant"] if "variant" in columns else [])]


class GameEnds(GameSums):
    """Counts seats by strategy and score, and by the ending, rounds and condition of their game.

    `ends` has `seats`, `wins` and `winning_score` (their sums) by rounds, ending, number of players and variant;
    `scores` has seats (`games`) by score and strategy.
    """

    def __init__(self, run: Run) -> None:
        schema = run.seats.collect_schema()
        self.keys = [REASON, "rounds", *condition_columns(schema.names())]
        self.more = [name for name in self.keys if name != "players"]
        self.levels = {name: levels_of_enum(schema[name]) for name in self.more if name != "rounds"}
        sizes = {name: len(levels) for name, levels in self.levels.items()}
        self.ends = KeyedSums({"rounds": 0, **sizes, "players": MAX_PLAYERS + 1}, ["seats", "wins", "winning_score"])
        self.scores = KeyedSums({"score": 0, "strategy": len(levels_of_enum(schema["strategy"]))}, ["games"])

    def add(self, games: GameArrays) -> None:
        """Add a batch of whole blocks."""
        keys = {name: games.players if name == "players" else games.more[name] for name in self.keys}
        ones, score = np.ones_like(games.win), games.win * games.score
        self.ends.add(keys, {"seats": ones, "wins": games.win, "winning_score": score})
        self.scores.add({"score": games.score, "strategy": games.strategy}, {"games": ones})


def game_cells(run: Run) -> pl.DataFrame:
    """Count games by ending, rounds and condition: `games`, and the sums `wins` and `winning_score`."""
    found = gather(run, GameEnds)
    frame = found.ends.frame().sort(found.keys)
    named = {name: levels.gather(frame[name]) for name, levels in found.levels.items()}
    games = (pl.col("seats") / pl.col("players")).round().cast(pl.Int64).alias("games")
    return frame.with_columns(games, **named).with_columns(pl.col(REASON).cast(pl.String)).drop("seats")


@dataclass(frozen=True)
class BlockSums:
    """Sums over blocks for a ratio and its error.

    Attributes
    ----------
    y, n
        Sums over blocks of the numerators and of the denominators.
    yy, yn, nn
        Sums over blocks of their squares and products.
    blocks, largest
        Number of blocks, and the largest denominator of a block.
    """

    y: float = 0.0
    n: float = 0.0
    yy: float = 0.0
    yn: float = 0.0
    nn: float = 0.0
    blocks: float = 0.0
    largest: float = 0.0

    def __add__(self, other: BlockSums) -> BlockSums:
        names = [field.name for field in fields(self) if field.name != "largest"]
        summed = {name: getattr(self, name) + getattr(other, name) for name in names}
        return BlockSums(**summed, largest=max(self.largest, other.largest))


def sums_of_blocks(y: NDArray[Any], n: NDArray[Any]) -> BlockSums:
    """Sum the numerators `y` and denominators `n` of blocks, each of shape (blocks,)."""
    y, n = y.astype(np.float64), n.astype(np.float64)
    sums = (y.sum(), n.sum(), (y**2).sum(), (y * n).sum(), (n**2).sum(), len(n), n.max(initial=0))
    return BlockSums(*map(float, sums))


@dataclass(frozen=True)
class BlockCounts:
    """Games and rounds of the blocks of a run.

    In `games`, by ending, the numerator is the number of a block's games with this ending, the denominator that of all
    its games. In `rounds`, by condition (see `condition_columns`), the numerator is the sum of rounds over a block's
    games, the denominator the number of these games.
    """

    games: dict[str, BlockSums]
    rounds: dict[tuple[Any, ...], BlockSums]


def block_counts(run: Run) -> BlockCounts:
    """Return the sums over the blocks of a run for the shares of endings and the mean numbers of rounds."""
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
    """Return the mean, the standard deviation, and the 5 %, 50 % and 95 % quantiles of rounds."""
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
    """Return one row per ending, most frequent first: its share of games with limits, rounds, mean winning score."""
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
    """Return one row per number of players, and per variant if there are several: rounds, with limits of their mean."""
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
    """Yield a table of win rates by ending for factions and for each attribute, each table with its noun.

    In games without factions the table is that of strategies. Games of one player are excluded, since their ending
    decides whether they are won.
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
    moments = moments_and_products(seats, [[REASON, key] for _, key in kinds], ())[0]
    for (noun, key), summed in zip(kinds, moments, strict=True):
        frame = win_rates(summed, [REASON, key]).rename({key: "level"})
        yield (
            noun,
            frame.with_columns(pl.col(REASON, "level").cast(pl.String)).sort(
                [REASON, "edge", "level"], descending=[False, True, False]
            ),
        )


QUANTILES = (0.05, 0.25, 0.50, 0.75, 0.95)


def score_histogram(run: Run) -> pl.DataFrame:
    """Count how often each strategy reached each score: `strategy` (text), `score`, `games`."""
    frame, names = gather(run, GameEnds).scores.frame().sort("strategy", "score"), level_names(run.manifest, "strategy")
    whole = pl.col("games").cast(pl.Int64)
    return frame.select(pl.Series("strategy", names).gather(frame["strategy"]), "score", whole)


def score_quantiles(histogram: pl.DataFrame) -> pl.DataFrame:
    """Return exact quantiles of the score: `q05` is the lowest score that at least 5 % of games do not exceed.

    Returns
    -------
    `strategy`, `games`, `mean`, `q05`, `q25`, `q50`, `q75`, `q95`. The first row is for all strategies, with null as
    `strategy`; then comes each strategy, in the order of the run.
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


def count_endings(run: Run) -> pl.DataFrame:
    """Count endings: `end_reason` (as text), `games`, `mean_rounds`; the most frequent first."""
    games = pl.col("games")
    rounds = (pl.col("rounds") * games).sum() / games.sum()
    ended = game_cells(run).group_by(REASON).agg(games.sum(), rounds.alias("mean_rounds"))
    return ended.sort(["games", REASON], descending=[True, False])


SCORE_PREFIX = "score_"
"""Prefix of columns on points above the mean of the table. Columns on wins have no prefix."""


@dataclass(frozen=True)
class SlopeSums:
    """Sums of one level that suffice to regress y / n on x by least squares with weights n and errors by block.

    `x` are the values of x, ascending; `n` and `y` have sums at each value. `products`, shape (5, 5), has sums over
    blocks of the products of a block's sums of xy, y, xn, n and xxn.
    """

    x: Floats
    n: Floats
    y: Floats
    products: Floats
    blocks: int

    def __add__(self, other: SlopeSums) -> SlopeSums:
        x, place = np.unique(np.concatenate([self.x, other.x]), return_inverse=True)
        n, y = (sums_by_place(place, np.concatenate(pair)) for pair in ((self.n, other.n), (self.y, other.y)))
        return SlopeSums(x, n, y, self.products + other.products, self.blocks + other.blocks)


def slope_sums(x: Floats, y: Floats, n: Floats, blocks: NDArray[Any]) -> SlopeSums:
    """Return the sums for a regression of y / n on x, from rows of whole blocks in any order."""
    values, place = np.unique(x, return_inverse=True)
    _, block = np.unique(blocks, return_inverse=True)
    parts = np.stack([sums_by_place(block, weights) for weights in (x * y, y, x * n, n, x * x * n)], axis=1)
    return SlopeSums(values, sums_by_place(place, n), sums_by_place(place, y), parts.T @ parts, len(parts))


def sums_by_place(place: NDArray[np.int64], weights: Floats) -> Floats:
    """Return, for each index, the sum of the weights whose `place` is this index; shape (places,)."""
    return np.bincount(place, weights).astype(np.float64, copy=False)


def circumstance_tables(run: Run, measure: str) -> Iterator[tuple[str, pl.DataFrame]]:
    """Yield a table for factions and one for starting places, each with its noun, of how results change with `measure`.

    All seats of a game share the measure. The columns are those of `change_of_level`, and p-values with the suffix
    `_holm`, which are corrected within a table. Games of one player are excluded. There is no table if the measure does
    not vary.
    """
    manifest = run.manifest
    keys = [(manifest.faction_title, "faction")] if manifest.factions else []
    seats = run.seats
    if has_starting_places(manifest):
        seats = seats.with_columns(pl.col(manifest.starting_place).alias(START))
        keys.append((START, START))
    for noun, key in keys:
        sums = level_sums(seats, key, measure)
        if len({x for of_level in sums.values() for x in of_level["wins"].x}) > 1:
            names = {level: PLAYERS_IN_ORDER[level - 1] if key == START else str(level) for level in sums}
            rows = [{"level": names[level]} | change_of_level(sums[level]) for level in sums]
            frame = pl.DataFrame(rows, infer_schema_length=None)
            corrected = {name: holm(frame[name].to_numpy()) for name in ("p", f"{SCORE_PREFIX}p")}
            yield (
                noun,
                frame.with_columns(
                    pl.Series(f"{name}_holm", values).fill_nan(None) for name, values in corrected.items()
                ).with_columns(pl.col(pl.Float64).fill_nan(None)),
            )


def level_sums(seats: pl.LazyFrame, key: str, measure: str) -> dict[Any, dict[str, SlopeSums]]:
    """Return the sums of `wins` and of `score` of each level of the column `key`, in the order of the levels."""
    chosen = seats.select("block", "players", "win", "score", key, pl.col(measure).cast(pl.Float64).alias("x"))
    dtype = chosen.collect_schema()[key]
    found: dict[Any, dict[str, SlopeSums]] = {}
    for frame in whole_blocks(chosen):
        for (level,), part in sum_seats_by_block(frame.filter(pl.col("players") > 1), key).group_by([key]):
            x, n, block = (part[name].to_numpy() for name in ("x", "n", "block"))
            fresh = {name: slope_sums(x, part[name].to_numpy(), n, block) for name in ("wins", "score")}
            before = found.get(level)
            found[level] = fresh if before is None else {name: before[name] + fresh[name] for name in fresh}
    return {level: found[level] for level in pl.Series(list(found), dtype=dtype).sort()}


def sum_seats_by_block(seats: pl.DataFrame, key: str) -> pl.DataFrame:
    """Sum the seats of each block by value of the measure and by level: `block`, `x`, the key, `n`, `wins`, `score`.

    `wins` are counted above the fair share. `score` is counted above the mean of all seats in the block's games with
    this value of the measure.
    """
    sums = seats.group_by("block", "x", key, maintain_order=True).agg(
        pl.len().cast(pl.Float64).alias("n"),
        (pl.col("win").cast(pl.Float64) - 1.0 / pl.col("players")).sum().alias("wins"),
        pl.col("score").cast(pl.Float64).sum(),
    )
    of_all = pl.col("score").sum().over("block", "x") / pl.col("n").sum().over("block", "x")
    return sums.with_columns(score=pl.col("score") - pl.col("n") * of_all).sort("block", "x", key)


def change_of_level(sums: Mapping[str, SlopeSums]) -> dict[str, Any]:
    """Return how much the wins and points of one level change with the measure.

    Parameters
    ----------
    sums
        The sums of `wins` and of `score` for the level, from `level_sums`.

    Returns
    -------
    `games` (seat-games), and five figures for each of two outcomes: wins above the fair share (as fractions) and, with
    `SCORE_PREFIX`, points above the mean of the table. The figures:
    `below`, the mean over games in which the measure is at most average; `above`, the mean over the other games;
    `change`, the effect of one more unit of the measure, by least squares;
    its 95 % limits `low` and `high`, and `p`.
    Errors come from blocks.
    """
    x, n = sums["wins"].x, sums["wins"].n
    found: dict[str, Any] = {"games": int(n.sum())}
    more = x > (x * n).sum() / n.sum()
    for name, prefix in (("wins", ""), ("score", SCORE_PREFIX)):
        y = sums[name].y
        means = [float(y[part].sum() / n[part].sum()) if part.any() else np.nan for part in (~more, more)]
        change, error, count = clustered_slope(sums[name])
        reach = float(t_quantile(np.array(count), 1 - ALPHA / 2)) * error
        p = 2 * t_sf(abs(change / error), count - 1) if error > 0 else np.nan
        values = {"below": means[0], "above": means[1], "change": change, "low": change - reach, "high": change + reach}
        found |= {f"{prefix}{column}": value for column, value in values.items()} | {f"{prefix}p": float(p)}
    return found


def clustered_slope(sums: SlopeSums) -> tuple[float, float, float]:
    """Fit y / n to x with weights n. Return the slope, its error clustered by block, and the number of blocks.

    The error is the sandwich estimate of Liang and Zeger (1986). Let b be the slope, c the mean of x, and m the mean of
    y / n, both weighted by n. The residuals y - n (m + b (x - c)) are multiplied by the distance from the mean, x - c,
    and summed within each block. This sum is linear in the block's sums of xy, y, xn, n and xxn.
    """
    x, n, y, count = sums.x, sums.n, sums.y, float(sums.blocks)
    centre, mean = (x * n).sum() / n.sum(), y.sum() / n.sum()
    away = x - centre
    squares = float((away**2 * n).sum())
    if squares == 0 or count < 2:
        return np.nan, np.nan, count
    found = float((away * y).sum()) / squares
    within = np.array([1.0, -centre, 2 * found * centre - mean, centre * (mean - found * centre), -found])
    total = max(float(within @ sums.products @ within), 0.0)
    return found, float(np.sqrt(total * count / (count - 1))) / squares, count
