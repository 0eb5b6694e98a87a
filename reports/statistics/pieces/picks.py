"""Values of picks: pieces that seats take one by one in each period, such as an empire every epoch.

Each pick is compared with the other picks of its kind and period, adjusted for strategy, place by points and table size
(`reports.statistics.core.adjusted`). The place by points measures how the seat stands. It also decides when the seat
picks.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import polars as pl

from reports.data.load import Run
from reports.data.piece_counts import Levels, Rows, read_levels, read_picks
from reports.statistics.core.adjusted import Adjusted, Adjustment, adjusted_levels
from reports.statistics.core.win_rate import ALPHA, holm, known

OUTCOMES = ("whole", "points", "later", "surplus")
WHOLE, POINTS, LATER, SURPLUS = range(4)
ABOVE, BELOW = "above", "below"
"""Flags of picks with more points, or with fewer points, than other picks of their period."""
TOO_FEW, INSEPARABLE = "too few games", "confounded with place or strategy"
"""Notes on levels without an estimate."""


@dataclass(frozen=True)
class PickFindings:
    """Results on picks.

    Attributes
    ----------
    levels
        Names of the pieces, kinds and strategies, and the kinds of tables (variant and number of players).
    picks
        A row for each pick that was taken, by kind and period, the most points first; see `compared_frame`.
    draft, turn
        The same for picks of the first kind, by the seat's place by points when it picks (`draft`), and by its place in
        the turn order (`turn`). `level` is the place. Places in the turn order are also adjusted for the pick, which
        determines them.
    """

    levels: Levels
    picks: pl.DataFrame
    draft: pl.DataFrame
    turn: pl.DataFrame


def pick_findings(run: Run) -> PickFindings:
    """Compare the picks of a run, the places by points at which seats pick, and the places in the turn order."""
    levels = read_levels(run)
    pieces, tables, strategies = len(levels.pieces), len(levels.tables), len(levels.strategies)
    standing = standing_of(levels)
    comparisons = (
        Adjustment(("group", len(levels.kinds) * levels.periods), ("piece", pieces), standing),
        Adjustment(("main", levels.periods), ("draft", levels.places), (("table", tables), ("strategy", strategies))),
        Adjustment(("main", levels.periods), ("turn", levels.places), (*standing, ("piece", pieces))),
    )
    picks, draft, turn = adjusted_levels(partial(grouped, run, levels), comparisons, OUTCOMES)
    places, main = [str(place) for place in range(levels.places)], [levels.kinds[0]] * levels.periods
    return PickFindings(
        levels,
        compared_frame(picks, levels.pieces, [kind for kind in levels.kinds for _ in range(levels.periods)], levels),
        in_place_order(compared_frame(nowhere(draft), places, main, levels)),
        in_place_order(compared_frame(nowhere(turn), places, main, levels)),
    )


def standing_of(levels: Levels) -> tuple[tuple[str, int], ...]:
    """Return the factors for which picks are adjusted: place by points at each kind of table, and strategy."""
    return ("standing", len(levels.tables) * levels.places), ("strategy", len(levels.strategies))


def grouped(run: Run, levels: Levels) -> Iterator[Rows]:
    """Yield picks with `group` (a number for kind and period) and `main` (the period if of the first kind, else -1)."""
    for rows in read_picks(run, levels):
        group = rows["kind"] * levels.periods + rows["period"]
        yield rows | {"group": group, "main": np.where(rows["kind"] == 0, rows["period"], -1)}


def nowhere(found: Adjusted) -> Adjusted:
    """Return a comparison of places without rows for place 0, which stands for seats without a place."""
    count = found.count.copy()
    count[:, 0] = 0
    return replace(found, count=count)


def in_place_order(frame: pl.DataFrame) -> pl.DataFrame:
    """Sort the rows of each period by place."""
    return frame.sort("period", pl.col("level").cast(pl.Int64))


def compared_frame(
    found: Adjusted, names: list[str] | tuple[str, ...], kinds: list[str], levels: Levels
) -> pl.DataFrame:
    """Turn a comparison into a frame. All levels of one kind are one family for Holm's correction.

    Returns
    -------
    A row for each level that occurs:
    `kind`, `period` (from 1), `level`, `games` (number of rows) and `blocks`;
    means in points of score: `points`, which the seat gained in the period; `later`, which the pick brought afterwards;
    and `whole`, the sum of both;
    `worth`, `whole` minus the mean of the group's levels, with `worth_low`, `worth_high`, `p`, `p_holm` and `flag`;
    `gain`, the same for the win rate of the seats that took the level, as a fraction, with `gain_low`, `gain_high`,
    `gain_p`, `gain_p_holm` and `gain_flag`;
    `note`, a word on why something is null.
    """
    low, high = found.interval(1 - ALPHA)
    p = found.p()
    group, level = np.nonzero(found.count)
    frame = pl.DataFrame({
        "kind": [kinds[place] for place in group], "period": group % levels.periods + 1,
        "level": [names[place] for place in level], "games": found.count[group, level],
        "blocks": found.blocks[group, level],
    }, schema_overrides={"kind": pl.String, "level": pl.String})  # fmt: skip
    at = (group, level)
    columns = {name: found.mean[(*at, place)] for place, name in enumerate(OUTCOMES[:SURPLUS])}
    for name, place in (("worth", WHOLE), ("gain", SURPLUS)):
        prefix = "" if name == "worth" else "gain_"
        chances = p[(*at, place)]
        corrected = np.full(len(chances), np.nan)
        for kind in dict.fromkeys(kinds):
            own = (frame["kind"] == kind).to_numpy()
            corrected[own] = holm(chances[own])
        columns |= {
            name: found.effect[(*at, place)], f"{name}_low": low[(*at, place)], f"{name}_high": high[(*at, place)],
            f"{prefix}p": chances, f"{prefix}p_holm": corrected,
        }  # fmt: skip
        sign = np.where(columns[name] > 0, ABOVE, BELOW)
        frame = frame.with_columns(pl.Series(f"{prefix}flag", np.where(corrected < ALPHA, sign, ""), dtype=pl.String))
    why = pl.Series(np.where(found.estimable[at], TOO_FEW, INSEPARABLE), dtype=pl.String)
    frame = frame.with_columns(known(columns)).with_columns(
        note=pl.when(pl.col("worth").is_null()).then(why).otherwise(pl.lit(""))
    )
    order = pl.col("kind").replace_strict(list(dict.fromkeys(kinds)), range(len(set(kinds))), return_dtype=pl.Int64)
    return frame.sort(order, "period", "worth", "whole", descending=[False, False, True, True], nulls_last=True)
