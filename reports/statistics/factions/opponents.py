"""Compares a faction with its opponents: means and differences, with intervals by block.

Comparisons are with the other seats of the same games, so that effects of the deal cancel. (Exceptions are `by_company`
and `brings` in `opponents_pieces`, which compare games of the faction with each other.) The error rate of a page is
divided among the kinds of comparisons. Each kind has limits (`family_low`, `family_high`) that hold for all its rows at
its part of the rate. A row is flagged if these limits exclude 0.

Sources, in full in `docs/statistics.md`: Cochran (1977) for errors by block, Rao and Scott (1981) for the error under
the null, Satterthwaite (1946) for degrees of freedom.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from reports.data.opponents import LEAD, LED, OTHERS, Beside
from reports.statistics.core.win_rate import (
    ALPHA,
    MIN_WINS,
    Floats,
    any_of,
    family_probability,
    luck_interval,
    t_quantile,
    two_sided_p,
)

MIN_BLOCKS = 20
"""With fewer blocks than this, there is no interval."""
BINS = 7
"""Maximum number of classes of leads, deficits included."""
FLAGS = {1: "more", -1: "less", 0: ""}
DIFFERENCE = ("difference", "low", "high", "p", "blocks")
WAYS = ("led", "ahead", "leading", "behind")
"""Figures that are compared at each moment."""
WHERE_BOTH_HAVE_ONE = ", where both have one"
"""Added to the name of an event when its rounds are compared, since the event does not happen to every seat."""


@dataclass(frozen=True)
class Means:
    """Means of columns, or differences of means, with their errors and numbers of blocks; shape (columns,)."""

    value: Floats
    error: Floats
    blocks: Floats

    @property
    def reach(self) -> Floats:
        """Half the width of the 95 % intervals; NaN if there are too few blocks."""
        half = t_quantile(self.blocks, 1 - ALPHA / 2) * self.error
        return np.where((self.blocks >= MIN_BLOCKS) & (self.error > 0), half, np.nan)

    @property
    def p(self) -> Floats:
        """Two-sided p-value of the test of each value against 0; NaN without an interval."""
        return two_sided_p(self.value, np.where(np.isfinite(self.reach), self.error, np.nan), self.blocks)


def block_places(block: NDArray[Any]) -> tuple[NDArray[np.intp], int]:
    """Return the index of each row's block, and the number of blocks."""
    names, places = np.unique(block, return_inverse=True)
    return places, len(names)


def means_of(values: Floats, block: NDArray[Any]) -> Means:
    """Return means over the rows of `values`, shape (rows, columns), with errors by block (Cochran 1977, eq. 6.13)."""
    return contrast_of(values, np.ones(len(values), bool), block)


def contrast_of(values: Floats, chosen: NDArray[np.bool_], block: NDArray[Any]) -> Means:
    """Return the means over the chosen rows minus the means over the other rows, with errors by block.

    The difference of two ratios over the same blocks is linearised. Let r_b be the sum of (value - mean) / rows over
    the chosen rows of block b, minus the same sum over its other rows. With B blocks, the variance is B / (B - 1)
    sum(r_b^2). Degrees of freedom are by Satterthwaite (1946). The variance is at least that under the null; see
    `under_null`.
    """
    places, blocks = block_places(block)
    total = np.zeros((blocks, values.shape[1]))
    value = np.zeros(values.shape[1])
    squares, doubt = np.zeros((2, values.shape[1]))
    for part, sign in ((chosen, 1.0), (~chosen, -1.0)):
        if not part.any():
            continue
        mean = values[part].mean(axis=0)
        value += sign * mean
        left = (values[part] - mean) * sign / part.sum()
        own = np.stack([np.bincount(places[part], one, blocks) for one in left.T], axis=1)
        total += own
        variance = (own**2).sum(axis=0)
        squares += variance
        doubt += variance**2 / max(np.count_nonzero(np.bincount(places[part], minlength=blocks)) - 1, 1)
    scale = blocks / (blocks - 1) if blocks > 1 else np.nan
    error = np.sqrt(scale * (total**2).sum(axis=0))
    worth = np.minimum(np.where(doubt > 0, squares**2 / np.where(doubt > 0, doubt, 1.0) + 1, blocks), blocks)
    found = Means(value, np.where(error > 1e-12, error, 0.0), worth)
    sizes = (int(chosen.sum()), int((~chosen).sum()))
    if not min(sizes):
        return found
    plain = values[chosen].var(axis=0) / sizes[0] + values[~chosen].var(axis=0) / sizes[1]
    return under_null(found, values.var(axis=0) * (1 / sizes[0] + 1 / sizes[1]), plain)


def under_null(found: Means, null: Floats, plain: Floats) -> Means:
    """Return means with the larger of two errors: the observed error and the error under the null.

    The wins of an unlucky group also vary less, since a share near 0 has little variance. So the observed error is too
    small just when there seems to be a difference. The design effect of blocks is kept (Rao and Scott 1981). `null` and
    `plain` are the variances of the means if rows were independent: under the null, and as observed.
    """
    spread = found.error**2
    design = np.where(plain > 0, np.maximum(spread / np.where(plain > 0, plain, 1.0), 1.0), 1.0)
    error = np.sqrt(np.maximum(spread, null * design))
    return replace(found, error=np.where(error > 1e-12, error, 0.0))


def share_with_limits(won: Floats, block: NDArray[Any]) -> dict[str, float]:
    """Return the `share` of wins of some seats with 95 % limits `low` and `high`; NaN limits for one block.

    The limits lie between 0 and 1.
    """
    found, sizes = means_of(won[:, None], block), np.bincount(block_places(block)[0])
    low, high = luck_interval(found.value, found.error, found.blocks, np.array([sizes.max() / sizes.mean()]))
    return {"share": float(found.value[0]), "low": float(low[0]), "high": float(high[0])}


def above_usual(seats: pl.DataFrame) -> Floats:
    """Return each seat's wins minus the mean wins of these seats at tables of the same size; shape (seats,)."""
    return seats.select(pl.col("win") - pl.col("win").mean().over("players"))["win"].to_numpy()


def difference_columns(found: Means) -> dict[str, Floats]:
    """Return differences with 95 % limits, p-values and numbers of blocks, by the column names in `DIFFERENCE`."""
    low, high = found.value - found.reach, found.value + found.reach
    return dict(zip(DIFFERENCE, (found.value, low, high, found.p, found.blocks), strict=True))


def with_family_limits(frame: pl.DataFrame, weight: float, prefix: str = "", value: str = "difference") -> pl.DataFrame:
    """Add limits that hold for all rows of one kind of comparison.

    Parameters
    ----------
    frame
        It has the column that `value` names, and `low`, `high`, `p` and `blocks`, each name after the prefix.
    weight
        Factor by which the number of rows is multiplied. With 10, the limits have a tenth of the error rate of 5 %.

    Returns
    -------
    The frame with four more columns under the same prefix, and without `blocks`:
    `family_low` and `family_high`;
    `p_family`, the chance of so small a p in any of that many rows;
    `flag`, "more" or "less" where the limits exclude 0, else "".
    """
    p, blocks = (frame[f"{prefix}{name}"].cast(pl.Float64).fill_null(np.nan).to_numpy() for name in ("p", "blocks"))
    rows = max(int(np.isfinite(p).sum()), 1) * weight
    wider = pl.Series(t_quantile(blocks, family_probability(rows)) / t_quantile(blocks, 1 - ALPHA / 2))
    middle = frame[value].cast(pl.Float64)
    ends = {f"family_{end}": middle + (frame[f"{prefix}{end}"] - middle) * wider for end in ("low", "high")}
    sign = (ends["family_low"] > 0).fill_null(False).cast(pl.Int8) - (ends["family_high"] < 0).fill_null(False)
    columns = ends | {
        "p_family": pl.Series(any_of(p, rows)).fill_nan(None),
        "flag": sign.replace_strict(FLAGS, return_dtype=pl.String),
    }
    return frame.with_columns(**{f"{prefix}{name}": column for name, column in columns.items()}).drop(f"{prefix}blocks")


def null_frame(names: dict[str, Sequence[Any]], columns: dict[str, Floats]) -> pl.DataFrame:
    """Return a frame with null in place of NaN."""
    return pl.DataFrame({**names, **columns}).with_columns(pl.col(pl.Float64, pl.Float32).fill_nan(None))


# ---- Values ----


def compared_values(found: Beside, weight: float = 1) -> pl.DataFrame:
    """Return the mean of each value for the faction and for its opponents.

    Returns
    -------
    `what`, `own`, `others`, `difference` with `low`, `high`, `p` and the columns of `with_family_limits` (which takes
    `weight`). The score comes first, then the other values in the order of `Beside.values`, then the rounds of events.
    Values that are 0 everywhere are left out. The round of an event is compared only in games in which the event
    happened both to the faction and to another seat; `what` says so. It is left out if there are no such games.
    """
    plain = [name for name in found.values if name not in found.events]
    parts = [means_beside(found.own, plain, plain)]
    for name in found.events:
        both = found.own.filter((pl.col(name) != 0) & pl.col(f"{OTHERS}{name}").is_not_nan())
        if both.height:
            parts.append(means_beside(both, [name], [f"{name}{WHERE_BOTH_HAVE_ONE}"]))
    return with_family_limits(pl.concat(parts).filter((pl.col("own") != 0) | (pl.col("others") != 0)), weight)


def means_beside(seats: pl.DataFrame, values: Sequence[str], names: Sequence[str]) -> pl.DataFrame:
    """Return the mean of each value over some seats and over their opponents, with the difference of the two.

    One row per value: `what` (its entry in `names`, the words to show), `own`, `others`, and `DIFFERENCE`.
    """
    own = seats.select(values).cast(pl.Float64).to_numpy()
    others = seats.select(f"{OTHERS}{name}" for name in values).cast(pl.Float64).to_numpy()
    return null_frame(
        {"what": names},
        {"own": own.mean(axis=0), "others": others.mean(axis=0)}
        | difference_columns(means_of(own - others, seats["block"].to_numpy())),
    )


# ---- Leads ----


def leads_on_the_way(found: Beside, weight: float = 1) -> pl.DataFrame:
    """Return the leads of the faction at each moment and at the end of the game.

    Returns
    -------
    One row per moment:
    `moment`, the name of the column with the scores at this moment;
    `led`, the share of games in which the faction is first (ties shared), with `led_low` and `led_high`;
    `fair`, its fair share;
    `ahead`, its points minus the mean of the other seats, with `ahead_low` and `ahead_high`;
    `wins_leading` and `wins_behind`, its share of wins if it leads or is behind at that moment;
    `others_leading` and `others_behind`, the same for its opponents;
    `leading_difference` = `wins_leading` - `others_leading` with `leading_low` and `leading_high`, and the same for
    `behind`.
    `led`, `ahead`, `leading` and `behind` have limits for all rows, `_family_low` and `_family_high`; see
    `with_family_limits`, which takes `weight`.
    """
    rows: list[dict[str, Any]] = []
    win, block = found.own["won"].to_numpy(), found.own["block"].to_numpy()
    others, fair = found.rivals["won"].to_numpy(), found.own["fair"].to_numpy()
    for name in (*found.moments, "score"):
        led = found.own[f"{LED}{name}"].cast(pl.Float64).to_numpy()
        ahead = (found.own[name].cast(pl.Float64) - found.own[f"{OTHERS}{name}"].cast(pl.Float64)).to_numpy()
        behind, rivals_behind = led == 0, (found.rivals[f"{LEAD}{name}"] < 0).to_numpy()
        values = np.stack([led - fair, ahead], axis=1)
        null = np.array([(fair * (1 - fair)).sum() / len(led) ** 2, 0.0])
        means = difference_columns(under_null(means_of(values, block), null, values.var(axis=0) / len(led)))
        own = {"led": {column: values[0] for column, values in means.items()},
               "ahead": {column: values[1] for column, values in means.items()}}  # fmt: skip
        own |= {
            which: wins_beside(found, ~here, ~there) if name != "score" else dict.fromkeys(DIFFERENCE, np.nan)
            for which, here, there in (("leading", behind, rivals_behind), ("behind", ~behind, ~rivals_behind))
        }
        row = {f"{which}_{column}": value for which, values in own.items() for column, value in values.items()}
        rows.append({
            "moment": name, "led": led.mean(), "fair": fair.mean(), "ahead": row["ahead_difference"],
            "wins_leading": mean(win[~behind]), "others_leading": mean(others[~rivals_behind]),
            "wins_behind": mean(win[behind]), "others_behind": mean(others[rivals_behind]), **row,
        })  # fmt: skip
    frame = pl.DataFrame(rows, infer_schema_length=None).with_columns(pl.col(pl.Float64).fill_nan(None))
    for which in WAYS:
        frame = with_family_limits(frame, weight * len(WAYS), f"{which}_", f"{which}_difference")
    ends = [f"led_{end}" for end in ("low", "high", "family_low", "family_high")]
    return frame.with_columns((pl.col(name) + pl.col("fair")).clip(0.0, 1.0) for name in ends)


def wins_beside(found: Beside, own: NDArray[np.bool_], others: NDArray[np.bool_]) -> dict[str, float]:
    """Return the win rate of the seats in `own` minus that of the opponents in `others`, with the keys of `DIFFERENCE`.

    NaN if one of the two groups has few wins or few losses.
    """
    parts = [(found.own.filter(pl.Series(own)), 1), (found.rivals.filter(pl.Series(others)), 0)]
    won = np.concatenate([part["won"].to_numpy() for part, _ in parts])
    if any(min(part["win"].sum(), part.height - part["win"].sum()) < MIN_WINS for part, _ in parts):
        return dict.fromkeys(DIFFERENCE, np.nan)
    mine = np.concatenate([np.full(part.height, which == 1) for part, which in parts])
    block = np.concatenate([part["block"].to_numpy() for part, _ in parts])
    return {
        column: float(value[0]) for column, value in difference_columns(contrast_of(won[:, None], mine, block)).items()
    }


def mean(values: Floats) -> float:
    """Return the mean of some values; NaN if there are none."""
    return float(values.mean()) if len(values) else float("nan")


def chances_by_lead(found: Beside) -> pl.DataFrame:
    """Return the win rates of the faction and of its opponents, by their lead at each moment.

    Returns
    -------
    `moment`; `step`, the index of a class of leads; `least` and `most`, the limits of the class in points ahead of the
    best other seat (negative if behind); `games` and `share` of wins with `low` and `high`; `others`, the opponents'
    share of wins at such leads, and `others_games`.
    """
    rows = []
    for name in found.moments:
        own, others = (part[f"{LEAD}{name}"].cast(pl.Float64).to_numpy() for part in (found.own, found.rivals))
        for step, (least, most) in enumerate(lead_steps(np.concatenate([own, others]))):
            mine, theirs = ((values >= least) & (values <= most) for values in (own, others))
            if not mine.any():
                continue
            part = found.own.filter(pl.Series(mine))
            rows.append({
                "moment": name, "step": step, "least": max(least, own[mine].min()), "most": min(most, own[mine].max()),
                "games": int(mine.sum()), **share_with_limits(part["won"].to_numpy(), part["block"].to_numpy()),
                "others": mean(found.rivals["won"].to_numpy()[theirs]), "others_games": int(theirs.sum()),
            })  # fmt: skip
    names = ("share", "low", "high", "others")
    frame = pl.DataFrame(rows, infer_schema_length=None)
    return frame.with_columns(pl.col(name).cast(pl.Float64).fill_nan(None) for name in names) if rows else frame


def lead_steps(leads: Floats) -> list[tuple[float, float]]:
    """Return the least and most points of classes of leads, by quantiles: first deficits, then leads of 0 and more."""
    steps: list[tuple[float, float]] = []
    for part, many in ((leads[leads < 0], BINS - 3), (leads[leads >= 0], 3)):
        if len(part):
            edges = np.unique(np.quantile(part, np.linspace(0, 1, many + 1)).round())
            edges[0], edges[-1] = part.min(), part.max()
            lows = [edges[0], *(edge + 1 for edge in edges[1:-1])]
            steps += [(float(low), float(high)) for low, high in zip(lows, edges[1:] if len(edges) > 1 else edges,
                                                                     strict=True) if high >= low]  # fmt: skip
    return steps


# ---- Players and opponents ----


def by_players(found: Beside) -> pl.DataFrame:
    """Return the win rate of each strategy when it plays the faction, and when it plays an opponent.

    Returns
    -------
    `strategy`; `games`, its number of games with the faction; `share`, its win rate in these, with `low` and `high`;
    `others`, its win rate as an opponent of the faction. The best strategy with the faction comes first.
    """
    rows = []
    for (strategy,), part in found.own.group_by("strategy"):
        theirs = found.rivals.filter(pl.col("strategy") == strategy)["won"].to_numpy()
        rows.append({
            "strategy": str(strategy), "games": part.height,
            **share_with_limits(part["won"].to_numpy(), part["block"].to_numpy()), "others": mean(theirs),
        })  # fmt: skip
    return pl.DataFrame(rows).with_columns(pl.col(pl.Float64).fill_nan(None)).sort("share", descending=True)


def by_company(found: Beside, weight: float = 1) -> pl.DataFrame:
    """Return how the faction's win rate changes with each opponent: at the table, on its left and on its right.

    Returns
    -------
    `with`, the opponent;
    `games` at the same table, and `share`, the faction's share of wins in these games;
    `difference` from its share in games without the opponent, adjusted for the number of players (at larger tables
    there are more opponents and fewer wins), with `low`, `high`, `p` and the columns of `with_family_limits` (which
    takes `weight`);
    `left` and `right`, the same difference between games in which the opponent sits there and all other games, with
    `left_low`, ...; null with two players, since the opponent then sits on both sides.
    """
    win, above, block = found.own["won"].to_numpy(), above_usual(found.own)[:, None], found.own["block"].to_numpy()
    seen = found.rivals.select("game", "faction").unique()
    several = bool((found.own["players"] > 2).any())
    rows = []
    for name in sorted(map(str, seen["faction"].unique())):
        there = found.own["game"].is_in(seen.filter(pl.col("faction") == name)["game"].implode()).to_numpy()
        row: dict[str, Any] = {"with": name, "games": int(there.sum()), "share": mean(win[there])}
        places = {"": there} | (
            {f"{side}_": (found.own[side] == name).to_numpy() for side in ("left", "right")} if several else {}
        )
        for prefix, chosen in places.items():
            both = chosen.any() and not chosen.all()
            limits = difference_columns(contrast_of(above, chosen, block)) if both else {}
            row |= {f"{prefix}{column}": float(limits[column][0]) if both else None for column in DIFFERENCE}
        rows.append(row)
    schema = dict.fromkeys(f"{side}_{column}" for side in ("left", "right") for column in DIFFERENCE)
    frame = pl.DataFrame(rows, infer_schema_length=None, schema_overrides=dict.fromkeys(DIFFERENCE, pl.Float64))
    frame = frame.with_columns(pl.lit(None, pl.Float64).alias(name) for name in schema if name not in frame.columns)
    frame = frame.with_columns(pl.col(pl.Float64).fill_nan(None)).drop("left_blocks", "right_blocks")
    return with_family_limits(frame, weight).sort("difference", descending=True, nulls_last=True)
