"""Edges of factions, adjusted for seats, strategies and opponents."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import polars as pl

from reports.data.load import Run, level_names
from reports.data.opponents import read_beside
from reports.formatting import listed
from reports.statistics.core.adjusted import Adjusted, Adjustment, Rows, adjusted_levels
from reports.statistics.core.win_rate import ALPHA
from reports.statistics.factions.opponents import null_frame

OUTCOMES = ("win", "above")
"""Outcomes of a seat: its win, and its points above the mean of the table's other seats, which share the deal."""


def adjusted_edges(run: Run, rate: float = ALPHA) -> pl.DataFrame:
    """Return the edge of every faction after each step of adjustment, by least squares (`statistics.core.adjusted`).

    Returns
    -------
    One row per faction and step:
    `level`;
    `step`: 0 is as played, 1 is adjusted for seat and strategy, 2 also for the faction and strategy of every other
    seat, separately for each distance round the table;
    `allowed`, the factors for which the step adjusts, in words;
    `edge` with `low` and `high`: win rate minus the mean of all factions;
    `family_low` and `family_high`, limits of the edge with the error rate `rate`;
    `points` with `points_low` and `points_high`: points above the mean of the other seats, minus the mean of all
    factions.
    """
    names = [str(name) for name in run.seats.collect_schema()["faction"].categories]  # type: ignore[attr-defined]
    strategies = level_names(run.manifest, "strategy")
    players = run.manifest.players
    counts = list(players) if isinstance(players, list) else [players]
    most = max(counts)
    own = (("seat", most), ("strategy", len(strategies)))
    beside = tuple(
        pair
        for step in range(1, most)
        for pair in ((f"faction {step}", len(names) + 1), (f"strategy {step}", len(strategies) + 1))
    )
    steps = [("nothing", ()), ("seat and strategy", own)]
    steps += [(listed(["seat", "strategy", "opponents"]), (*own, *beside))]
    comparisons = [Adjustment(("group", 1), ("faction", len(names)), allowed) for _, allowed in steps]

    def read() -> Iterator[Rows]:
        for frame in read_beside(run, ("score",), ()):
            yield seat_codes(frame, most, len(names), len(strategies))

    found = adjusted_levels(read, comparisons, OUTCOMES)
    told = enumerate(zip(steps, found, strict=True))
    return pl.concat([step_frame(names, step, said, one, rate) for step, ((said, _), one) in told])


def seat_codes(frame: pl.DataFrame, most: int, factions: int, strategies: int) -> Rows:
    """Return one row per seat with its outcomes, the codes of its own levels, and those of the other seats.

    "faction 2" is the faction two seats further round the table; at smaller tables the code `factions`, for nobody.
    """
    game = frame["game"].to_numpy()
    starts = np.flatnonzero(np.concatenate([[True], game[1:] != game[:-1]]))
    sizes = np.diff(np.append(starts, len(game)))
    start, size = np.repeat(starts, sizes), np.repeat(sizes, sizes)
    place = np.arange(len(game)) - start
    codes = {name: frame[name].to_physical().cast(pl.Int64).to_numpy() for name in ("faction", "strategy")}
    rows: Rows = {
        "block": frame["block"].cast(pl.Int64).to_numpy(),
        "group": np.zeros(len(game), np.int64),
        "seat": frame["seat"].cast(pl.Int64).to_numpy(),
        "win": (frame["win"] - frame["fair"]).to_numpy(),
        "above": (frame["score"].cast(pl.Float64) - frame["others score"].cast(pl.Float64)).to_numpy(),
        **codes,
    }
    for step in range(1, most):
        there = start + (place + step) % size
        for name, nobody in (("faction", factions), ("strategy", strategies)):
            rows[f"{name} {step}"] = np.where(step < size, codes[name][there], nobody)
    return rows


def step_frame(names: list[str], step: int, said: str, found: Adjusted, rate: float) -> pl.DataFrame:
    """Return the rows of `adjusted_edges` for one step, for all factions that were dealt; `said` fills `allowed`."""
    low, high = found.interval(1 - ALPHA)
    family = found.interval(1 - rate)
    dealt = np.flatnonzero(found.count[0] > 0)
    columns: dict[str, Any] = {}
    for place, name in enumerate(("edge", "points")):
        columns |= {
            name: found.effect[0, dealt, place],
            f"{name}_low": low[0, dealt, place],
            f"{name}_high": high[0, dealt, place],
        }
    columns |= {name: ends[0, dealt, 0] for name, ends in zip(("family_low", "family_high"), family, strict=True)}
    own: dict[str, Sequence[Any]] = {
        "level": [names[level] for level in dealt],
        "step": [step] * len(dealt),
        "allowed": [said] * len(dealt),
    }
    return null_frame(own, columns)
