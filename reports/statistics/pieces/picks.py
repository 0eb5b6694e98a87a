"""What picks bring: pieces of which a seat takes a new one every period, such as an empire each epoch.

Each pick is set against the picks of its kind and period, among seats of the same strategy that took it at the same
place by points at a table of the same size (`reports.statistics.core.adjusted`). The place stands for how far a seat
had come, and for its turn in the draft.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import polars as pl

from reports.data.load import Run
from reports.data.picks import Levels, Rows, read_levels, read_picks
from reports.statistics.core.adjusted import Adjusted, Adjustment, adjusted_levels
from reports.statistics.core.winshare import ALPHA, holm, known

OUTCOMES = ("whole", "points", "later", "surplus")
WHOLE, POINTS, LATER, SURPLUS = range(4)
ABOVE, BELOW = "above", "below"
"""Flags of picks that go with more, or fewer, points than others of their period."""
TOO_FEW, INSEPARABLE = "too few games", "goes together with place or strategy"
"""Words why there is no figure; the second: nothing tells what a level brings from what it always goes with."""


@dataclass(frozen=True)
class PickFindings:
    """What was found of picks.

    Attributes
    ----------
    levels
        What there is to take, and when.
    picks
        A row for each pick that was taken, by kind and period, most points first; see `compared_frame`.
    draft, turn
        The same for places by points as picks are taken, and for places in the order of turns, of picks of the first
        kind; `level` is the place. Draft places are not adjusted for themselves, places in the order of turns for the
        pick, too, which decides on them.
    """

    levels: Levels
    picks: pl.DataFrame
    draft: pl.DataFrame
    turn: pl.DataFrame


def pick_findings(run: Run) -> PickFindings:
    """Compare the picks of a run, and the places at which they are taken and played."""
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
    """What is allowed for beside picks: the place by points at each kind of table, and the strategy."""
    return ("standing", len(levels.tables) * levels.places), ("strategy", len(levels.strategies))


def grouped(run: Run, levels: Levels) -> Iterator[Rows]:
    """Rows of picks with their group, kind and period in one number, and the period of those of the first kind."""
    for rows in read_picks(run, levels):
        group = rows["kind"] * levels.periods + rows["period"]
        yield rows | {"group": group, "main": np.where(rows["kind"] == 0, rows["period"], -1)}


def nowhere(found: Adjusted) -> Adjusted:
    """Leave out place 0, which stands for none."""
    count = found.count.copy()
    count[:, 0] = 0
    return replace(found, count=count)


def in_place_order(frame: pl.DataFrame) -> pl.DataFrame:
    """Put places in their order within each period."""
    return frame.sort("period", pl.col("level").cast(pl.Int64))


def compared_frame(
    found: Adjusted, names: list[str] | tuple[str, ...], kinds: list[str], levels: Levels
) -> pl.DataFrame:
    """Turn a comparison into a frame; the levels of a kind together are one family for Holm's correction.

    Returns
    -------
    A row for each level that occurs: `kind`, `period` (from 1), `level`, `games` (rows), `blocks`; the means `whole`,
    `points` and `later` in points of score; `worth`, `whole` against the mean of the group's levels, with `worth_low`,
    `worth_high`, `p`, `p_holm` and `flag`; the same of the win share of those who took it as `gain`, a fraction, with
    `gain_low`, `gain_high`, `gain_p`, `gain_p_holm` and `gain_flag`; `note`, a word why something is null.
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
