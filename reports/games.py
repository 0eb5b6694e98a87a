"""Whole blocks of a run as arrays, for statistics that look at games rather than at sums over seats."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from reports.load import Run

COLUMNS = ("block", "game", "players", "seat", "score", "rank")
CODES = ("faction", "strategy")

HELD = 2_000_000
"""Rows that are fetched at a time, in the types of the files: some 16 bytes each. A fetch takes the same 30 ms for one
row as for a million."""

Integers = NDArray[np.int64]


@dataclass(frozen=True)
class Games:
    """Games of whole blocks, in the order of blocks and games; every array has one entry per seat-game.

    Attributes
    ----------
    block, game, players, seat, score, rank
        The columns of the same names, int64.
    faction, strategy
        Places of the names in the manifest's `factions` and `strategies`, int64.
    more
        Further columns that were asked for, by name.
    """

    block: Integers
    game: Integers
    players: Integers
    seat: Integers
    score: Integers
    rank: Integers
    faction: Integers
    strategy: Integers
    more: dict[str, Integers] = field(default_factory=dict)


def read_games(run: Run, more: Sequence[str] = (), rows: int = 400_000) -> Iterator[Games]:
    """Read a run stretch by stretch; a block is never cut.

    Parameters
    ----------
    run
        From `load_run`.
    more
        Further numeric columns to read.
    rows
        Rows of a stretch, about.

    Yields
    ------
    Stretches of the run in the order of its blocks, so that memory stays bounded for any number of games.
    """
    chosen = run.seats.select(*COLUMNS, *more, *(pl.col(name).to_physical() for name in CODES))
    total, start, waiting = sum(shard["rows"] for shard in run.manifest["shards"]), 0, chosen.head(0).collect()
    while start < total:
        if start % HELD == 0:
            held = chosen.slice(start, HELD).collect(engine="streaming")
        end = min(start + rows, start - start % HELD + HELD)
        frame = pl.concat([waiting, held.slice(start % HELD, end - start)])
        start = end
        if start < total:
            last = frame["block"][-1]
            waiting = frame.filter(pl.col("block") == last)
            frame = frame.filter(pl.col("block") != last)
        if frame.height:
            yield _games(frame.with_columns(pl.all().cast(pl.Int64)), more)


def _games(frame: pl.DataFrame, more: Sequence[str]) -> Games:
    """Arrays of a frame, in the order of blocks, games and seats."""
    if not frame["block"].is_sorted():
        frame = frame.sort("block", "game", "seat")
    arrays: dict[str, Any] = {name: frame[name].to_numpy() for name in (*COLUMNS, *CODES)}
    return Games(**arrays, more={name: frame[name].to_numpy() for name in more})
