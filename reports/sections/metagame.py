"""The meta-game: which strategies remain if players copy what wins, and how sure that is."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import pairwise
from math import inf
from typing import Any

import matplotlib as mpl
import numpy as np
import polars as pl
from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter
from numpy.typing import NDArray

from reports.data.load import Run
from reports.drawing import FAINT, NEUTRAL, PARTS, STYLE, WIDTH, blank
from reports.shapes import Column, Listing, Picture, Section
from reports.statistics.matchups import count_pairs
from reports.statistics.metagame import (
    BATCHES,
    EXACT,
    POPULATION,
    RESAMPLES,
    metagame,
    payoff_table,
    replicator,
    resample,
)
from reports.words import capital, count, percent

SURE = 0.95
# Shares below this are drawn as none: one player in a thousand.
GONE = 0.001
COLUMNS = (
    Column("place", "place", "count", meaning="order by alpha-rank"),
    Column("strategy", "strategy", "text"),
    Column("payoff", "mean edge", "edge", meaning="mean share ahead of the other strategies, minus one half"),
    Column("alpha", "alpha-rank", "share", meaning="share of the time that all play it, if players copy what wins"),
    Column("mean_alpha", "over resamples", "share", meaning="alpha-rank share, mean over resamples of the blocks"),
    Column("equilibrium", "equilibrium", "share", "low", "high", "its share in the mixture that nothing beats"),
    Column("first", "first in", "share", meaning="share of resamples in which it has the first place"),
    Column("before_next", "before next in", "share", meaning="share of resamples in which it stands before the next"),
    Column("note", "note", "text"),
)
Floats = NDArray[np.float64]


READING = (
    "Suppose players meet at tables, and now and then one of them tries another strategy and keeps it if it finishes "
    "ahead more often. Alpha-rank is the share of time that each strategy then rules; the equilibrium is the mixture "
    "of strategies that no strategy beats. Both take the run's strategies as all there are, and pairs as if no third "
    "mattered. Resamples draw the blocks anew: 100 % means that chance in the deals cannot change the order."
)


def metagame_section(run: Run) -> Section:
    """What would remain of the run's strategies if players copied what wins, and how sure that is.

    Parameters
    ----------
    run
        From `load_run`.

    Returns
    -------
    A listing with payoff, alpha-rank and equilibrium of every strategy and how often each order held in resamples of
    the blocks; a figure of the replicator dynamics from even shares. A sentence instead where there is one strategy,
    or where two never met.
    """
    title = "Strategy meta-game"
    pairs = count_pairs(run, ("strategy",), BATCHES)["strategy"]
    met = pairs.met
    met = met + met.T
    there = np.flatnonzero(met.sum(axis=0) > 0)
    if len(there) < 2:
        return Section("metagame", title, ("No meta-game: no two strategies met in this run, so there is no choice.",))
    names = [pairs.names[i] for i in there]
    apart = np.argwhere(np.triu(met[np.ix_(there, there)] == 0, 1))
    if len(apart):
        first, second = (names[i] for i in apart[0])
        sentence = f"No meta-game: {first} and {second} never met in this run, so nobody knows which of them wins."
        return Section("metagame", title, (sentence,))
    payoffs = payoff_table(pairs.batches.sum(axis=0))[np.ix_(there, there)]
    resampled = resample(pairs, there)
    frame = metagame(names, payoffs, resampled)
    listing = Listing("metagame", "What remains if players copy what wins", frame, COLUMNS, note=how_sure(resampled))
    picture = Picture("metagame", partial(dynamics, names, payoffs), "Shares of strategies as players copy what wins.")
    return Section("metagame", title, tuple(describe(frame, resampled)), (listing,), (picture,), READING)


def describe(frame: pl.DataFrame, resampled: Floats) -> list[str]:
    """Say what remains if players copy what wins, what mixture nothing beats, and in how many resamples that holds."""
    rows = frame.to_dicts()
    first = rows[0]
    lasting_rows = [row for row in rows if row["alpha"] > 0]
    if len(lasting_rows) == 1:
        said = list(describe_one(rows))
    else:
        parts = ", ".join(f"{percent(row['alpha'], 0)} {row['strategy']}" for row in lasting_rows)
        said = [f"If players copied what wins, no strategy would stay for good: over time they would play {parts}."]
        mixed = sorted((row for row in rows if row["equilibrium"] > GONE), key=lambda row: -row["equilibrium"])
        parts = ", ".join(f"{percent(row['equilibrium'], 0)} {row['strategy']}" for row in mixed)
        said.append(f"The mixture that no strategy beats: {parts}.")
        if first["single"] is not None and first["single"] > 1 - SURE:
            said.append(
                f"That is not certain: in {percent(first['single'], 0)} of resamples of the run one strategy beats all "
                "others and would stay."
            )
    if not len(resampled):
        return [*said, "How sure that is cannot be said: the run has too few blocks to draw them anew."]
    said.append(
        f"{capital(first['strategy'])} comes first in {percent(first['first'], 0)} of resamples of the run; the whole "
        f"order is the same in {percent(first['whole_order'], 0)}."
    )
    doubtful = [
        f"{row['strategy']} before {after['strategy']} ({percent(row['before_next'], 0)})"
        for row, after in pairwise(rows)
        if row["before_next"] < SURE
    ]
    said.append(
        f"Not certain in the order: {', '.join(doubtful)}." if doubtful
        else "Every neighbour in the order stands before the next in at least 95 % of resamples."
    )  # fmt: skip
    return said


def describe_one(rows: list[dict[str, Any]]) -> Iterator[str]:
    """Say which strategy would remain, or which may, where this run's figures leave only one."""
    first = rows[0]
    may = contenders(rows)
    if len(may) == 1:
        yield f"If players copied what wins, all would end with {first['strategy']}: it beats every other strategy."
        yield f"No mixture of strategies does better: at the equilibrium everybody plays {first['strategy']}."
        return
    names = [row["strategy"] for row in may]
    shares = ", ".join(f"{row['strategy']} in {percent(row['first'], 0)}" for row in may)
    yield (
        f"If players copied what wins, {', '.join(names[:-1])} or {names[-1]} would remain, not told apart by this run "
        f"(first place in resamples of it: {shares})."
    )
    low, high = percent(first["low"], 0).removesuffix(" %"), percent(first["high"], 0)
    yield (
        f"By this run's own figures {first['strategy']} beats every other strategy and everybody plays it at the "
        f"equilibrium, but its share there may be anything from {low} to {high}."
    )


def contenders(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the fewest strategies of which one has the first place in 95 % of resamples; the first where unknown."""
    if rows[0]["first"] is None:
        return rows[:1]
    likely = sorted(rows, key=lambda row: -row["first"])
    reached = np.cumsum([row["first"] for row in likely])
    return likely[: int(np.searchsorted(reached, SURE - EXACT)) + 1]


def how_sure(resampled: Floats) -> str:
    """Say how the resamples were made."""
    if not len(resampled):
        return "Too few blocks for resamples: no intervals."
    lost = RESAMPLES - len(resampled)
    less = f" {count(lost)} resamples in which two strategies never met are left out." if lost else ""
    return (
        f"{count(len(resampled))} resamples of batches of blocks. Alpha-rank in the limit of strong selection, "
        f"{POPULATION} players; strategies without a share are ordered as if those before them were gone.{less}"
    )


def dynamics(names: list[str], payoffs: Floats, ax: Axes | None = None) -> Axes:
    """Shares of the strategies over time as players copy what wins, from even shares.

    Parameters
    ----------
    names, payoffs
        The strategies and their antisymmetric payoffs.
    ax
        Where to draw; by default on a new figure.
    """
    scale = max(float(np.abs(payoffs).max()), 1e-3)
    times, path = replicator(payoffs, np.full(len(names), 1 / len(names)), 40 / scale, 1200)
    settled = np.flatnonzero(np.abs(path - path[-1]).max(axis=1) > 0.02)
    shown = min(len(times), int(1.25 * (settled[-1] + 1)) + 2) if len(settled) else len(times)
    order = np.argsort(-path[shown - 1] - path.mean(axis=0) * 1e-3, kind="stable")
    with mpl.rc_context(STYLE):
        if ax is None:
            _, ax = blank(WIDTH, 3.6, "If players copied what wins, starting from even shares")
        generation = times[:shown]
        for number, strategy in enumerate(order):
            colour = PARTS[number % len(PARTS)] if number < len(PARTS) else NEUTRAL
            ax.plot(generation, 100 * path[:shown, strategy], color=colour, lw=2.2 if number < 3 else 1.4)
        label_ends(ax, [(names[i], 100 * float(path[shown - 1, i])) for i in order], 100 * float(path[:shown].max()))
        ax.set_xlim(0, generation[-1])
        ax.set_ylim(0, None)
        ax.grid(axis="y", color=FAINT, lw=0.8)
        ax.set_xticks([])
        ax.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g} %"))
        ax.set_xlabel("time, as players copy strategies that finish ahead more often", fontsize=9, color=NEUTRAL)
        ax.set_ylabel("share of players", fontsize=9, color=NEUTRAL)
    return ax


def label_ends(ax: Axes, ends: list[tuple[str, float]], top: float) -> None:
    """Write each name beside the end of its line, moved apart where ends lie close together."""
    gap, below = 0.062 * top, inf
    for number, (name, end) in enumerate(ends):
        # Each label stands below the one before it, but leaves room above the axis for those that follow.
        below = max(min(end, below - gap), (len(ends) - 1 - number) * gap)
        colour = PARTS[number] if number < len(PARTS) else NEUTRAL
        ax.annotate(name, (1.01, below), xycoords=ax.get_yaxis_transform(), va="center", fontsize=9, color=colour)
