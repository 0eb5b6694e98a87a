"""Whole blocks of a run as arrays, for statistics that look at games rather than at sums over seats."""

from __future__ import annotations

import tempfile
import weakref
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from reports.data.load import Run, level_columns
from sim.errors import UserError

COLUMNS = ("block", "game", "players", "seat", "score", "rank")
CODES = ("faction", "strategy")

HELD = 1_000_000
"""Rows that are fetched at a time, about, in the types of the files: some 16 bytes each. A fetch takes the same 30 ms
for one row as for a million."""
ROWS = 400_000
"""Rows of a stretch, about, where nothing else is asked for."""

Integers = NDArray[np.int64]


@dataclass(frozen=True)
class Games:
    """Games of whole blocks, in the order of blocks and games; every array has one entry per seat-game.

    Attributes
    ----------
    block, game, players, seat, score, rank
        The columns of the same names, int64.
    faction, strategy
        Places of the names in the manifest's `factions` and `strategies`, int64; every faction is 0 in a game without.
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


def read_games(run: Run, more: Sequence[str] = (), rows: int | None = None) -> Iterator[Games]:
    """Read a run stretch by stretch; a block is never cut.

    Parameters
    ----------
    run
        From `load_run`.
    more
        Further columns of numbers, or of names as their places in the Enum, to read.
    rows
        Rows of a stretch, about; `ROWS` where nothing else is asked for.

    Yields
    ------
    Stretches of the run in the order of its blocks, so that memory stays bounded for any number of games.
    """
    named = level_columns(run.manifest)
    codes = [pl.col(name).to_physical() if name in named else pl.lit(0).alias(name) for name in CODES]
    chosen = run.seats.select(*COLUMNS, *(pl.col(name).to_physical() for name in more), *codes)
    for frame in whole_blocks(chosen, rows, ("block", "game", "seat")):
        whole = frame.with_columns(pl.all().cast(pl.Int64))
        arrays: dict[str, Any] = {name: whole[name].to_numpy() for name in (*COLUMNS, *CODES)}
        yield Games(**arrays, more={name: whole[name].to_numpy() for name in more})


def whole_blocks(
    chosen: pl.LazyFrame, rows: int | None = None, order: Sequence[str] = ("block",)
) -> Iterator[pl.DataFrame]:
    """Yield rows in the order of their blocks, about so many at a time; a block is never cut.

    The simulator writes rows in that order; rows in another order are sorted, which takes memory for all of them.

    Parameters
    ----------
    chosen
        Rows with a column `block`.
    rows
        Rows of a stretch, about; `ROWS` where nothing else is asked for.
    order
        What rows in another order are sorted by.
    """
    rows, block = rows or ROWS, pl.col("block")
    facts = chosen.select(block.min().alias("low"), block.max().alias("high"), pl.len())
    low, high, total = facts.collect(engine="streaming").row(0)
    # Asked together with these facts, Polars would hold the blocks of all rows until it knows both.
    if chosen.select((block < block.shift()).any()).collect(engine="streaming").item():
        # Ties of a sort fall anew with every reading, so rows out of order are held as a whole.
        chosen = chosen.sort(order).collect(engine="streaming").lazy()
    waiting = chosen.head(0).collect()
    step = max(1, (high - low + 1) * HELD // total) if total else 1
    for first in range(low, high + 1, step) if total else ():
        # Files say which blocks they hold, so that those of others are not unpacked, as those before a row would be.
        held = chosen.filter(block.is_between(first, first + step - 1)).collect(engine="streaming")
        for start in range(0, held.height, rows):
            frame = pl.concat([waiting, held.slice(start, rows)])
            if first + step <= high or start + rows < held.height:
                last = frame["block"][-1]
                end = int(frame["block"].search_sorted(last, side="left"))
                waiting, frame = frame.slice(end), frame.head(end)
            else:
                waiting = frame.head(0)
            if frame.height:
                yield frame
    if waiting.height:
        yield waiting


IN_MEMORY = 2**25
"""Bytes that are held in memory; what is more lies in a file without a name, in the system's folder for such files."""


class Stretches:
    """Arrays that are added stretch by stretch and read as often as wanted, one stretch in memory at a time.

    For statistics that go over all games several times: unpacking Parquet anew would take most of their time.
    """

    def __init__(self) -> None:
        self.file = tempfile.SpooledTemporaryFile(max_size=IN_MEMORY)  # noqa: SIM115 - it is closed with this object
        weakref.finalize(self, self.file.close)
        self.names: list[tuple[str, ...]] = []

    def add(self, **arrays: NDArray[Any]) -> None:
        """Add a stretch.

        Raises
        ------
        UserError
            The file cannot be written.
        """
        try:
            self.file.seek(0, 2)
            for values in arrays.values():
                np.save(self.file, values, allow_pickle=False)
            self.file.flush()
        except OSError as error:
            message = f"temporary files cannot be written ({error.strerror or error})"
            raise UserError(message, file=tempfile.gettempdir(), allowed="TMPDIR set to a folder with room") from error
        self.names.append(tuple(arrays))

    def __iter__(self) -> Iterator[dict[str, NDArray[Any]]]:
        """Yield the stretches in the order in which they were added; one reader at a time."""
        self.file.seek(0)
        for names in self.names:
            yield {name: np.load(self.file, allow_pickle=False) for name in names}
