"""Differences between two runs on the same deals, paired by block.

Both runs play block b on the same deal, with the same players in the same seats. So most of the luck cancels in the
difference (common random numbers: Glasserman and Yao 1992). The unit of analysis is the block. The estimate is a
difference of two ratios over the same clusters; its error comes from linearising this difference (Cochran 1977, ch. 6).
Whether anything changed is judged by a score test (Boos 1992). `docs/statistics.md` lists the sources.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import polars as pl

from reports.data.games import UNIT
from reports.data.load import Run
from reports.statistics.core.groupings import level_text, with_column
from reports.statistics.core.win_rate import (
    ALPHA,
    ROUNDING,
    Floats,
    blank_zero,
    clustered_error,
    holm,
    minimum_detectable_effect,
    score_test,
    t_quantile,
)
from reports.statistics.distributions import beta_ppf
from sim.errors import UserError
from sim.runs.store.manifest import Manifest

SAME = (
    "game", "variant", "seed", "deals", "players", "block_games", "assign", "lineup", "factions_dealt",
    "factions_fixed",
)  # fmt: skip
"""Manifest fields that are equal in runs on the same deals.

With custom decks, the factions may differ if their boards are the same; see `_same_field`.
"""
FEW_BLOCKS = 20
"""If the wins differ in fewer blocks than this, the interval is unreliable, and the note says so."""
RARE = 0.1
"""If less than this fraction of all blocks differs, a change is uncertain mostly because this fraction is uncertain."""


def check_same_deals(run_a: Run, run_b: Run, but: Sequence[str] = ()) -> None:
    """Raise UserError unless two runs can be compared block by block. They may differ in length.

    Fields of `SAME` that `but` names may differ, such as "lineup" if one strategy plays all seats in each run.
    """
    for name in (name for name in apart_in(run_a, run_b) if name not in but):
        found, allowed = getattr(run_b.manifest, name, None), _shown(getattr(run_a.manifest, name, None))
        message = f"the two runs do not share their deals: {name.replace('_', ' ')} differs from {run_a.folder}"
        raise UserError(message, file=run_b.folder, field=name, found=found, allowed=allowed)


def apart_in(run_a: Run, run_b: Run) -> list[str]:
    """Return the fields of `SAME` in which two runs differ."""
    decks = bool(run_a.manifest.decks or run_b.manifest.decks)
    return [name for name in SAME if _same_field(run_a, name, decks) != _same_field(run_b, name, decks)]


def _same_field(run: Run, name: str, decks: bool) -> object:
    """Return a field of the manifest. With custom decks, factions are replaced by their exclusive attribute (board)."""
    if name == "deals":
        return deal_origins(run.manifest)
    if name == "factions_dealt" and decks:
        boards = {row.name: row.attributes.get(run.manifest.exclusive) for row in run.manifest.factions}
        return [boards[faction] for faction in run.manifest.factions_dealt]
    return getattr(run.manifest, name)


def deal_origins(manifest: Manifest) -> list[tuple[int, int]]:
    """Return seed and first deal of each entry of `player_counts`; empty if both follow from the seed of the run.

    In a part of a longer run, or in a run merged from several seeds, the seed of the run does not determine them.
    """
    counts = manifest.player_counts
    if manifest.stretch is None and all(entry.seed is None for entry in counts):
        return []
    return [(manifest.seed if entry.seed is None else entry.seed, entry.first_deal) for entry in counts]


def _shown(value: object) -> str:
    """Format a field of a manifest for a message."""
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def paired_moments(
    run_a: Run, run_b: Run, keys: Sequence[str], but: Sequence[str] = (), every: bool = False
) -> pl.DataFrame:
    """Sum two runs on the same deals; return the moments of block sums, within and across runs.

    Parameters
    ----------
    run_a, run_b
        From `load_run`; A is the reference.
    keys
        Columns that make up a group, such as `["faction"]`. Both runs must have them.
    every
        Whether to include games that only the longer run has. They make the win rates of that run more precise, but
        have no counterpart in the other run. Including them pays if paired games share little luck.

    Returns
    -------
    One row per group, sorted by `keys`:
    `blocks`, the number of blocks in which the group occurs in either run;
    `differing`, the number of blocks whose wins or seat-games differ, and `differing_scores`, the same for scores;
    `largest`, the largest number of seat-games in a block;
    `N_a` (seat-games), `W_a` (wins) and `S_a` (score), summed over blocks, and the same with `_b`;
    sums of products over blocks: `WN_ab` is the sum of W_a * N_b, and so on for the pairs of runs aa, bb, ab and ba.

    Raises
    ------
    UserError
        The runs do not share their deals.
    """
    check_same_deals(run_a, run_b, but)
    played = [run.manifest.games for run in (run_a, run_b)]
    games = max(played) if every else min(played)
    arms = [_block_sums(run, keys, games, arm) for run, arm in ((run_a, "a"), (run_b, "b"))]
    joined = pl.concat(_same_names(arms, keys), how="diagonal").lazy().group_by([*keys, "block"]).agg(pl.all().sum())
    a, b = ({name: pl.col(f"{name}_{arm}") for name in "NWS"} for arm in "ab")
    products = {
        f"{y}{z}_{name}": (first[y] * second[z]).sum()
        for name, first, second in (("aa", a, a), ("bb", b, b), ("ab", a, b), ("ba", b, a))
        for y, z in ("NN", "WW", "WN", "SS", "SN")
        if name != "ba" or y != z
    }
    summed = joined.group_by(list(keys)).agg(
        blocks=pl.len().cast(pl.Int64),
        differing=((a["W"] != b["W"]) | (a["N"] != b["N"])).sum().cast(pl.Int64),
        differing_scores=((a["S"] != b["S"]) | (a["N"] != b["N"])).sum().cast(pl.Int64),
        largest=pl.max_horizontal(a["N"], b["N"]).max(),
        **{f"{name}_{arm}": pl.col(f"{name}_{arm}").sum() for arm in "ab" for name in "NWS"},
        **products,
    )
    power = {name: name.partition("_")[0].count("W") for name in summed.collect_schema().names() if name not in keys}
    scaled = [pl.col(name) / UNIT**times for name, times in power.items() if times]
    return summed.with_columns(scaled).collect().sort(list(keys))


def _block_sums(run: Run, keys: Sequence[str], games: int, arm: str) -> pl.DataFrame:
    """Return the sums of every group and block of a run; the columns of the other arm are zero.

    Wins are integers in units of 1/UNIT. So equal blocks have equal sums, whatever the order of rows.
    """
    other = "b" if arm == "a" else "a"
    sums = {
        f"N_{arm}": pl.len().cast(pl.Float64),
        f"W_{arm}": (pl.col("win").cast(pl.Float64) * UNIT).round().sum(),
        f"S_{arm}": pl.col("score").cast(pl.Int64).sum().cast(pl.Float64),
    }
    grouped = run.seats.filter(pl.col("game") < games).group_by([*keys, "block"]).agg(**sums)
    zeros = [pl.lit(0.0).alias(f"{name}_{other}") for name in "NWS"]
    return grouped.with_columns(zeros).collect(engine="streaming")


def _same_names(arms: Sequence[pl.DataFrame], keys: Sequence[str]) -> list[pl.DataFrame]:
    """Cast name columns to a common Enum, since the two runs may list different names."""
    casts = []
    for key in keys:
        kinds = [frame.schema[key] for frame in arms]
        if kinds[0] != kinds[1] and all(isinstance(kind, pl.Enum) for kind in kinds):
            names = dict.fromkeys(name for kind in kinds for name in getattr(kind, "categories", ()))
            casts.append(pl.col(key).cast(pl.Enum(list(names))))
    return [frame.with_columns(casts) for frame in arms]


def paired_differences(moments: pl.DataFrame, keys: Sequence[str], probability: float = 1 - ALPHA / 2) -> pl.DataFrame:
    """Return the change of every group from run A to run B, with interval, test, and the games that pairing saves.

    All rows together are one family for Holm's correction.

    Parameters
    ----------
    probability
        Quantile probability of the limits for all rows, from `win_rate.family_probability`.

    Returns
    -------
    One row per group: `keys`, then `games` (seat-games in run B, or in A where B has none), `blocks` and `differing`
    (blocks whose wins or seat-games differ);
    the win rates `share_a` and `share_b`;
    `change` = share_b - share_a with its 95 % limits `low` and `high` (Student's t, blocks - 1 degrees of freedom), the
    limits for all rows `family_low` and `family_high`, and its standard error `error`;
    `p` (generalised score test of "no change") and `p_holm`;
    `mde`, the smallest change that four of five such comparisons would find;
    `saving`, the variance of the change with independent deals divided by its variance here, which is the factor by
    which independent deals would need more games;
    the mean scores `score_a` and `score_b`, and `score_change` with `score_low` and `score_high`;
    `note`, a word on why something is null.
    Shares are fractions. Unknown values are null, never NaN.
    """
    m = {name: moments[name].to_numpy().astype(np.float64) for name in moments.columns if name not in keys}
    both = (m["N_a"] > 0) & (m["N_b"] > 0)
    blocks = m["blocks"]
    with np.errstate(divide="ignore", invalid="ignore"):
        share = {arm: m[f"W_{arm}"] / m[f"N_{arm}"] for arm in "ab"}
        score = {arm: m[f"S_{arm}"] / m[f"N_{arm}"] for arm in "ab"}
        pooled = (m["W_a"] + m["W_b"]) / (m["N_a"] + m["N_b"])
        error = np.sqrt(blocks / (blocks - 1) * residual_squares(m, "W", share["a"], share["b"]))
        score_error = np.sqrt(blocks / (blocks - 1) * residual_squares(m, "S", score["a"], score["b"]))
        under_null = residual_squares(m, "W", pooled, pooled)
        single = {arm: _arm_error(m, arm, share[arm]) for arm in "ab"}
        saving = (single["a"] ** 2 + single["b"] ** 2) / blank_zero(error) ** 2
    change = share["b"] - share["a"]
    fixed = (single["a"] == 0) & (single["b"] == 0)
    low, high = change_interval(change, error, m, fixed)
    family = change_interval(change, error, m, fixed, probability)
    p = score_test(change, under_null, np.where(both, blocks, 0))
    reach = t_quantile(blocks, 1 - ALPHA / 2)
    score_reach = reach * np.where(m["differing_scores"] > 0, score_error, np.nan)
    shown = {
        "share_a": share["a"], "share_b": share["b"], "change": change, "low": low, "high": high,
        "family_low": family[0], "family_high": family[1],
        "error": np.where(both, error, np.nan), "p": p, "p_holm": holm(p),
        "mde": np.where(both, minimum_detectable_effect(error, blocks), np.nan), "saving": saving,
        "score_a": score["a"], "score_b": score["b"], "score_change": score["b"] - score["a"],
        "score_low": score["b"] - score["a"] - score_reach, "score_high": score["b"] - score["a"] + score_reach,
    }  # fmt: skip
    return moments.select(
        *keys,
        pl.when(pl.col("N_b") > 0).then("N_b").otherwise("N_a").cast(pl.Int64).alias("games"),
        "blocks",
        "differing",
        *(pl.Series(name, values).fill_nan(None) for name, values in shown.items()),
        pl.Series("note", _notes(m, fixed, error), dtype=pl.String),
    )


def changes_by_level(run_a: Run, run_b: Run, table: str, but: Sequence[str] = (), every: bool = False) -> pl.DataFrame:
    """Return the change of every row of a table from run A to run B.

    The table is that of factions, of an attribute, of seats or of starting places ("start").

    Returns
    -------
    `level` as the table names it, and `blocks`, `change`, `low`, `high` and `p` of `paired_differences`.
    """
    (seats_a, key), (seats_b, _) = (with_column(run, table) for run in (run_a, run_b))
    run_a, run_b = replace(run_a, seats=seats_a), replace(run_b, seats=seats_b)
    return paired_differences(paired_moments(run_a, run_b, [key], but, every), [key]).select(
        level_text(key).alias("level"),
        *(pl.col(column).cast(pl.Float64) for column in ("blocks", "change", "low", "high", "p")),
    )


def residual_squares(m: dict[str, Floats], y: str, ratio_a: Floats, ratio_b: Floats) -> Floats:
    """Return the sum over blocks of the squared residual of the change from arm A to arm B.

    The residual of a block is (Y_B - ratio_b N_B) / T_B - (Y_A - ratio_a N_A) / T_A. Here Y_A and N_A are the numerator
    and the seat-games of the block in arm A, T_A is the sum of N_A over all blocks, and so on for arm B. This
    linearises the difference of two ratios (Cochran 1977, eq. 6.13, does so for one ratio). The sums have shape
    (groups,), and are exactly 0 if no block differs.

    Parameters
    ----------
    m
        Columns of `paired_moments`.
    y
        The numerator: "W" (wins) or "S" (score).
    ratio_a, ratio_b
        The ratios from which residuals are taken, shape (groups,). The variance of a change takes each arm's own ratio.
        A test of "no change" takes one ratio that is common to both arms.
    """
    own = [
        (m[f"{y}{y}_{arm}"] - 2 * ratio * m[f"{y}N_{arm}"] + ratio**2 * m[f"NN_{arm}"]) / m[f"N_{arm[0]}"] ** 2
        for arm, ratio in (("aa", ratio_a), ("bb", ratio_b))
    ]
    across = m[f"{y}{y}_ab"] - ratio_b * m[f"{y}N_ab"] - ratio_a * m[f"{y}N_ba"] + ratio_a * ratio_b * m["NN_ab"]
    squares = own[0] + own[1] - 2 * across / (m["N_a"] * m["N_b"])
    differing = m["differing" if y == "W" else "differing_scores"]
    # Rounding error is relative to the subtracted terms.
    return np.where((differing == 0) | (squares <= ROUNDING * (own[0] + own[1])), 0.0, squares)


def _arm_error(m: dict[str, Floats], arm: str, share: Floats) -> Floats:
    sizes = {"blocks": m["blocks"], "n": m[f"N_{arm}"], "nn": m[f"NN_{arm}{arm}"]}
    return clustered_error(share, m[f"WW_{arm}{arm}"], m[f"WN_{arm}{arm}"], **sizes)


def change_interval(
    change: Floats, error: Floats, m: dict[str, Floats], fixed: np.ndarray, probability: float = 1 - ALPHA / 2
) -> tuple[Floats, Floats]:
    """Return limits of changes, 95 % limits by default, clipped to the range from -1 to 1.

    If no block differs, the variance is 0, yet the true change need not be 0. If a block differs with probability q, B
    equal blocks in a row have probability (1 - q)^B. So q <= 1 - 0.05^(1/B) with 95 % confidence (Clopper and Pearson
    1934; the rule of three). A differing block changes at most the wins of all its games. If some blocks differ, but
    fewer than `FEW_BLOCKS` and less than the fraction `RARE` of all, the limits reach at least as far as the upper
    limit of the number of differing blocks allows.

    Parameters
    ----------
    change, error
        Shape (groups,).
    m
        Columns of `paired_moments`.
    fixed
        Whether the shares of both arms are fixed by construction.
    probability
        Quantile probability of the limits.

    Returns
    -------
    Lower and upper limits; NaN for a group with one block, in one run only, or with shares that are fixed by
    construction.
    """
    blocks, same = m["blocks"], m["differing"] == 0
    with np.errstate(divide="ignore", invalid="ignore"):
        imbalance = m["largest"] * blocks / m["N_b"]
        most = beta_ppf(2 * probability - 1, m["differing"] + 1, np.maximum(blocks - m["differing"], 1e-9))
        bound = np.minimum(1.0, most * imbalance)
    unmoved = np.where((blocks > 1) & ~fixed, bound, np.nan)
    seen = t_quantile(blocks, probability) * blank_zero(error)
    rare = (m["differing"] < FEW_BLOCKS) & (m["differing"] < RARE * blocks)
    few = np.where(rare, np.fmax(seen, bound - np.abs(change)), seen)
    reach = np.where(same, unmoved, np.where(np.isnan(seen), np.nan, few))
    return np.maximum(change - reach, -1.0), np.minimum(change + reach, 1.0)


def _notes(m: dict[str, Floats], fixed: np.ndarray, error: Floats) -> list[str]:
    """Return for every group why a value is unknown or unreliable; an empty string if all is well."""
    cases = [
        (m["N_b"] == 0, "only in the first run"),
        (m["N_a"] == 0, "only in the second run"),
        (m["blocks"] < 2, "one block"),
        (fixed, "no variation"),
        (m["differing"] == 0, "no win differs"),
        (error == 0, "no variation"),
        (m["differing"] < FEW_BLOCKS, "few deals differ"),
        (m["differing_scores"] == 0, "no score differs"),
    ]
    return [str(word) for word in np.select([case for case, _ in cases], [word for _, word in cases], "")]
