"""Differences between two runs of a game, with intervals and tests, and how many games common deals save.

Runs on the same deals are compared block by block, so that most of the luck cancels in the difference
(`reports/statistics/compare/paired.py`, Glasserman and Yao 1992). Other runs of the same game are compared as
independent samples of blocks (Welch 1947, with degrees of freedom by Satterthwaite 1946). `docs/statistics.md` lists
the sources.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from reports.data.load import Run
from reports.model import Column, Table, Tabular, render_prompt
from reports.statistics.compare.paired import paired_differences, paired_moments
from reports.statistics.core.groupings import attribute_column, attribute_key, level_text
from reports.statistics.core.win_rate import ALPHA, Floats, any_of, blank_zero, family_probability, known, t_quantile
from reports.statistics.distributions import t_ppf, t_sf
from sim.runs.store.verify import reading

CHANGES_ALPHA, STANDING_ALPHA = ALPHA / 2, ALPHA / 4
"""Error rates of the parts of a comparison: of all changes, and of the balance of each run. Together they make 5 %."""


@dataclass(frozen=True)
class Compared(Tabular):
    """Differences of one grouping between two runs.

    Attributes
    ----------
    name, noun
        As in `model.Table`.
    frame
        One row per level, largest change first:
        `level`;
        `edge_a` and `edge_b`, the edges in runs A and B, with `_low` and `_high`;
        `change` of the edge (and so of the win rate) from A to B, with `low`, `high`, `error` and `p`;
        `family_low`, `family_high`, `p_family` and `flag` ("up", "down" or ""), which allow for all rows of all tables
        of a comparison;
        `score_a`, `score_b` and `score_change` with `score_low` and `score_high`;
        `saving`, the factor by which independent deals would need more games for the same interval (null if the runs
        are independent);
        `games` (seat-games of B), `blocks` and `note`;
        for picks `period`, the period in which a seat takes them.
        Shares are fractions. Unknown values are null.
    picks
        The game's word for a period, such as "epoch", if rows are picks; else empty.
    shown
        The columns to print; empty for all columns.
    """

    name: str
    noun: str
    frame: pl.DataFrame
    picks: str = ""
    shown: tuple[Column, ...] = ()

    def _printed(self) -> Sequence[Column]:
        return self.shown or super()._printed()

    def __repr__(self) -> str:
        return render_prompt(self) or f"<Compared {self.name!r}: {self.frame.height} rows>"


def of_changes(rows: int) -> float:
    """Return the quantile probability at which the limits of `rows` changes hold for all of them at once."""
    return family_probability(rows, CHANGES_ALPHA)


def paired(run_a: Run, run_b: Run, table_a: Table, table_b: Table, probability: float) -> pl.DataFrame:
    """Return the differences of one table between two runs on the same deals, paired by block."""
    key, runs = table_a.name, [run_a, run_b]
    if key in run_a.manifest.faction_attributes:
        # Take the levels from run A for both runs, so that a change cannot move a faction to another level.
        key = attribute_key(table_a.name)
        runs = [
            replace(run, seats=run.seats.with_columns(attribute_column(run.manifest, table_a.name))) for run in runs
        ]
    elif key not in ("faction", "seat", "strategy"):
        return independent(table_a, table_b, probability)
    with reading(run_b.folder):
        changed = paired_differences(paired_moments(runs[0], runs[1], [key]), [key], probability)
    differences = changed.select(level_text(key).alias("level"), *CHOSEN)
    return edges_of_both(table_a, table_b).join(differences, on="level", how="left")


CHOSEN = (
    "change", "low", "high", "family_low", "family_high", "error", "p", "score_a", "score_b", "score_change",
    "score_low", "score_high", "saving", "games", "blocks", "note",
)  # fmt: skip


def edges_of_both(table_a: Table, table_b: Table) -> pl.DataFrame:
    """Join the edges of both runs by level; the edge in a run that does not have the level is null."""
    edges = ("edge", "edge_low", "edge_high")
    a, b = (
        table.frame.select("level", *(pl.col(name).alias(name.replace("edge", f"edge_{arm}")) for name in edges))
        for table, arm in ((table_a, "a"), (table_b, "b"))
    )
    return a.join(b, on="level", how="full", coalesce=True)


def independent(table_a: Table, table_b: Table, probability: float = 1 - ALPHA / 2) -> pl.DataFrame:
    """Return the differences of one table between runs without shared deals (Welch 1947; Satterthwaite 1946).

    Edges are compared rather than win rates, so that the runs may have different numbers of players. If the tables have
    the column `null` (the fair share), limits are clipped to what is possible. `probability` is the quantile
    probability of the limits for all rows, as in `paired_differences`.
    """
    wanted = ["error", "blocks", "games", "mean_score", "mean_score_low", "mean_score_high"]
    of_shares = "null" in table_a.frame.columns and "null" in table_b.frame.columns
    wanted += ["null"] if of_shares else []
    joined = edges_of_both(table_a, table_b)
    for table, arm in ((table_a, "a"), (table_b, "b")):
        own = table.frame.select("level", *(pl.col(name).alias(f"{name}_{arm}") for name in wanted))
        joined = joined.join(own, on="level", how="left")
    m = {name: joined[name].to_numpy().astype(np.float64) for name in joined.columns if name != "level"}
    blocks = m["blocks_a"], m["blocks_b"]
    change, error, freedom = welch(m["edge_a"], m["edge_b"], m["error_a"], m["error_b"], *blocks)
    reach, wide = (t_ppf(at, freedom) * blank_zero(error) for at in (1 - ALPHA / 2, probability))
    ends = {"low": change - reach, "high": change + reach, "family_low": change - wide, "family_high": change + wide}
    if of_shares:
        shift = m["null_a"] - m["null_b"]
        ends = {name: np.clip(values, shift - 1, shift + 1) for name, values in ends.items()}
    p = np.minimum(1.0, 2 * t_sf(np.abs(change) / blank_zero(error), freedom))
    score_errors = [
        (m[f"mean_score_high_{arm}"] - m[f"mean_score_low_{arm}"]) / 2 / t_quantile(m[f"blocks_{arm}"], 1 - ALPHA / 2)
        for arm in "ab"
    ]
    scores = m["mean_score_a"], m["mean_score_b"]
    score_change, score_error, score_freedom = welch(*scores, score_errors[0], score_errors[1], *blocks)
    score_reach = t_ppf(1 - ALPHA / 2, score_freedom) * blank_zero(score_error)
    cases = [np.isnan(m["edge_b"]), np.isnan(m["edge_a"]), np.isnan(error), error == 0]
    said = ["only in the first run", "only in the second run", "one block", "no variation"]
    columns = {
        "change": change, **ends, "error": error, "p": p, "score_a": scores[0], "score_b": scores[1],
        "score_change": score_change, "score_low": score_change - score_reach, "score_high": score_change + score_reach,
        "saving": np.full(len(change), np.nan),
    }  # fmt: skip
    return joined.select(
        "level", "edge_a", "edge_a_low", "edge_a_high", "edge_b", "edge_b_low", "edge_b_high",
        *known(columns), pl.coalesce("games_b", "games_a").alias("games"),
        pl.min_horizontal("blocks_a", "blocks_b").alias("blocks"),
        pl.Series("note", [str(word) for word in np.select(cases, said, "")], dtype=pl.String),
    )  # fmt: skip


def welch(
    a: Floats, b: Floats, error_a: Floats, error_b: Floats, blocks_a: Floats, blocks_b: Floats
) -> tuple[Floats, Floats, Floats]:
    """Return the difference b - a of two independent estimates, its standard error and its degrees of freedom.

    All arrays have shape (rows,).
    """
    parts = error_a**2, error_b**2
    with np.errstate(divide="ignore", invalid="ignore"):
        freedom = (parts[0] + parts[1]) ** 2 / (parts[0] ** 2 / (blocks_a - 1) + parts[1] ** 2 / (blocks_b - 1))
    return b - a, np.sqrt(parts[0] + parts[1]), np.asarray(np.where(freedom > 0, freedom, np.nan))


def with_flags(frame: pl.DataFrame, rows: int) -> pl.DataFrame:
    """Add flags and p-values that allow for `rows` rows. Sort by the size of the change, with unknown changes last.

    A row is flagged if its limits for all rows exclude 0 and its p-value is small enough, too.
    """
    p = frame["p"].cast(pl.Float64).fill_null(np.nan).to_numpy()
    of_all = pl.Series("p_family", any_of(p, rows)).fill_nan(None)
    sure = pl.Series(p <= 2 * (1 - of_changes(rows)))
    up, down = sure & (pl.col("family_low") > 0), sure & (pl.col("family_high") < 0)
    flag = pl.when(up).then(pl.lit("up")).when(down).then(pl.lit("down")).otherwise(pl.lit("")).alias("flag")
    frame = frame.with_columns(of_all, flag)
    return frame.sort(pl.col("change").abs(), "level", descending=[True, False], nulls_last=True)
