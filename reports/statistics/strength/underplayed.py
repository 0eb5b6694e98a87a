"""Underplayed factions: those with which a player who looks ahead gains more than with others.

One seat looks ahead, the others play its base; it takes every seat of every deal in turn. The base alone plays the same
deals and more, all of which count, since such different players hardly share the luck of a deal. The base plays a
faction with an above-average gain worse than the others. Gains are compared by odds and in points: a player who is
equally better with all factions may multiply their odds or add the same points, so nothing is flagged if the two scales
disagree.

References
----------
Anscombe, F. J. (1956). On estimating binomial response relations. Biometrika 43, 461-464.
Shao, J. and Tu, D. (1995). The Jackknife and Bootstrap, ch. 2 (grouped jackknife).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import polars as pl
from scipy import stats
from scipy.special import expit

from reports.data.cells import count_cells
from reports.data.load import Run
from reports.statistics.core.groupings import useful_attributes, with_column
from reports.statistics.core.win_rate import ALPHA, MIN_WINS, Floats, known, one_family

BATCHES = 400
"""Maximum batches of blocks for the jackknife."""
MIN_BLOCKS = 20
"""With fewer blocks errors are unreliable, and nothing is flagged."""
SCALES = {"": ("beyond", "beyond_low", "beyond_high", "p"), "apart_": ("apart", "apart_low", "apart_high", "apart_p")}
"""Columns of gains beyond the average by odds and in points, by prefix of their results."""
HALF = 0.5
"""Added to wins and to losses, so that odds are finite (Anscombe 1956)."""


@dataclass(frozen=True)
class Underplayed:
    """Gains of a player who looks ahead, by faction.

    Attributes
    ----------
    searcher, base
        Names of the two players.
    noun
        Noun of a row.
    blocks
        Deals that the searcher played.
    gain, gain_low, gain_high
        Win rate of the searcher less that of the base, over all factions, with 95 % limits; NaN if unknown.
    frame
        Per faction, the most underplayed first: `level`, `games` of the searcher, `base_share`, `share`, `gain` with
        `gain_low` and `gain_high`, `expected` (the share that the average gain in odds would bring), `beyond` (share
        less expected) with `beyond_low`, `beyond_high`, `p` and `p_holm`, `apart` (gain less the average gain in
        points) with `apart_low`, `apart_high`, `apart_p` and `apart_p_holm`; limits that hold for all rows of all
        tables, `family_low`, `family_high`, `apart_family_low`, `apart_family_high`; `flag` ("underplayed",
        "overplayed" or ""; both scales say so), `note`.
    """

    searcher: str
    base: str
    noun: str
    blocks: int
    gain: float
    gain_low: float
    gain_high: float
    frame: pl.DataFrame

    @property
    def levels(self) -> list[str]:
        """Factions with an above-average gain."""
        return list(self.frame.filter(pl.col("flag") == "underplayed")["level"])


def underplayed(alone: Run, mixed: Run, searcher: str) -> list[Underplayed]:
    """Compare the gains of a player who looks ahead over its base, by faction and by attribute.

    Parameters
    ----------
    alone
        The base in all seats, on the deals of `mixed` and on more.
    mixed
        One seat looks ahead and the base plays the others, rotated.

    Returns
    -------
    One for each table; none in a game without factions, or where only one is dealt.
    """
    manifest = mixed.manifest
    if not manifest.factions:
        return []
    blocks = min(alone.manifest.blocks, manifest.blocks)
    base = next(row.name for row in manifest.strategies if row.name != searcher)
    tables = {"faction": manifest.faction_title}
    tables |= {name: name for name in useful_attributes(manifest, count_cells(mixed))}
    found = []
    for table, noun in tables.items():
        names = levels_of(mixed, table)
        if len(names) > 1:
            batches = min(blocks, BATCHES)
            seats, key = with_column(mixed, table)
            own = seats.filter(pl.col("strategy").cast(pl.String) == searcher)
            first = sums_by_batch(with_column(alone, table)[0], key, names, batches)
            second = sums_by_batch(own, key, names, batches)
            found.append(compare_gains(first, second, names, (searcher, base, noun), blocks))
    return judge_gains(found)


def judge_gains(found: list[Underplayed]) -> list[Underplayed]:
    """Judge the rows of all tables as one family on each scale, and flag rows on which both scales agree."""
    frames = [one.frame for one in found]
    for prefix, columns in SCALES.items():
        judged = one_family(frames, columns, max(2, *(min(one.blocks, BATCHES) for one in found))) if found else []
        names = ("p_holm", "family_low", "family_high", "flag")
        frames = [frame.with_columns(one[name].alias(f"{prefix}{name}") for name in names)
                  for frame, one in zip(frames, judged, strict=True)]  # fmt: skip
    flags = pl.when(pl.col("flag") == pl.col("apart_flag")).then("flag").otherwise(pl.lit(""))
    flags = flags.replace({"strong": "underplayed", "weak": "overplayed"}).alias("flag")
    return [replace(one, frame=frame.with_columns(flags)) for one, frame in zip(found, frames, strict=True)]


def levels_of(run: Run, table: str) -> list[str]:
    """Return the factions dealt in a run, or their levels of an attribute."""
    rows = [row for row in run.manifest.factions if row.name in run.manifest.factions_dealt]
    return list(dict.fromkeys(row.name if table == "faction" else str(row.attributes[table]) for row in rows))


def sums_by_batch(seats: pl.LazyFrame, key: str, names: list[str], batches: int) -> Floats:
    """Return seat-games and wins of each level in each batch of blocks, shape (batches, levels, 2).

    A deal is in the same batch in every run, so that leaving a batch out removes its luck from both.
    """
    batch = (pl.col("block").cast(pl.Int64) % batches).alias("batch")
    summed = (
        seats.group_by(batch, pl.col(key).cast(pl.String))
        .agg(games=pl.len().cast(pl.Float64), wins=pl.col("win").cast(pl.Float64).sum())
        .collect()
    )
    found = np.zeros((batches, len(names), 2))
    place = summed[key].replace_strict(names, list(range(len(names))), return_dtype=pl.Int64).to_numpy()
    found[summed["batch"].to_numpy(), place] = summed.select("games", "wins").to_numpy()
    return found


def compare_gains(
    first: Floats, second: Floats, names: list[str], said: tuple[str, str, str], blocks: int
) -> Underplayed:
    """Compare the gains of all factions, with jackknife errors over batches.

    Parameters
    ----------
    first, second
        Of the base alone and of the player who looks ahead, from `sums_by_batch`.
    said
        Names of the two players, and what a faction is called.
    """
    whole, batches = gain_figures(first.sum(axis=0), second.sum(axis=0)), len(first)
    left = gain_figures(first.sum(axis=0) - first, second.sum(axis=0) - second)
    error = np.sqrt((batches - 1) / batches * ((left - left.mean(axis=1, keepdims=True)) ** 2).sum(axis=1))
    freedom = max(batches - 1, 1)
    reach = float(stats.t.ppf(1 - ALPHA / 2, freedom))
    half = np.where(blocks < MIN_BLOCKS, np.nan, reach * error)
    searcher, base, noun = said
    frame = frame_of(whole[:, :-1], half[:, :-1], names, second.sum(axis=0), freedom)
    if blocks < MIN_BLOCKS:
        frame = frame.with_columns(pl.lit("too few deals").alias("note"))
    gain, spread = float(whole[2, -1]), float(half[2, -1])
    return Underplayed(searcher, base, noun, blocks, gain, gain - spread, gain + spread, frame)


def frame_of(whole: Floats, half: Floats, names: list[str], sums: Floats, freedom: int) -> pl.DataFrame:
    """Return the rows of `Underplayed.frame`.

    Parameters
    ----------
    whole, half
        From `gain_figures`, and half the width of their 95 % intervals (NaN if nothing is to be judged), shape
        (6, factions).
    sums
        Seat-games and wins of the player who looks ahead, shape (factions, 2).
    freedom
        Degrees of freedom of the errors.
    """
    games, wins = sums.T
    few = np.minimum(wins, games - wins) < MIN_WINS
    half = np.where(few | ~(half > 0), np.nan, half)
    columns = dict(zip(("base_share", "share", "gain", "expected", "beyond", "apart"), whole, strict=True))
    for place, name in ((2, "gain"), (4, "beyond"), (5, "apart")):
        columns |= {f"{name}_low": whole[place] - half[place], f"{name}_high": whole[place] + half[place]}
    reach = float(stats.t.ppf(1 - ALPHA / 2, freedom))
    p, apart_p = (2 * stats.t.sf(np.abs(whole[place]) / half[place] * reach, freedom) for place in (4, 5))
    frame = pl.DataFrame({"level": names, "games": games.astype(np.int64)}).with_columns(
        *known(columns | {"p": p, "apart_p": apart_p}),
        pl.Series("note", np.where(few, "too few wins", "").astype(str), dtype=pl.String),
    )
    return frame.sort(["beyond", "level"], descending=[True, False], nulls_last=True)


def gain_figures(first: Floats, second: Floats) -> Floats:
    """Return the shares and gains of each faction, and of all in the last place.

    Parameters
    ----------
    first, second
        Seat-games and wins of the base alone and of the player who looks ahead, shape (..., factions, 2).

    Returns
    -------
    Shares of the two, gain, expected share, share beyond it, and gain beyond the mean gain; shape (6, ..., factions +
    1). Shares have half a win and half a loss added. What is expected of a faction is its odds with the base times the
    mean factor of all factions, each counted by its games; so is the mean gain.
    """
    logits, shares = [], []
    for sums in (first, second):
        games, wins = np.moveaxis(np.concatenate([sums, sums.sum(axis=-2, keepdims=True)], axis=-2), -1, 0)
        logits.append(np.log((wins + HALF) / (games - wins + HALF)))
        shares.append((wins + HALF) / (games + 2 * HALF))
    weight = second[..., 0] / np.maximum(second[..., 0].sum(axis=-1, keepdims=True), 1)
    factor = (weight * (logits[1] - logits[0])[..., :-1]).sum(axis=-1, keepdims=True)
    expected = expit(logits[0] + factor)
    gain = shares[1] - shares[0]
    mean = (weight * gain[..., :-1]).sum(axis=-1, keepdims=True)
    return np.stack([shares[0], shares[1], gain, expected, shares[1] - expected, gain - mean])
