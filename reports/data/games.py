"""Reads a run as arrays, in batches of whole blocks, for statistics that need single games and not only sums."""

from __future__ import annotations

import tempfile
import weakref
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import chain
from math import lcm
from typing import IO, Any, Protocol, TypeVar

import numpy as np
import polars as pl
from numpy.typing import NDArray

from reports.data.load import Run, level_columns
from sim.compiler.kernel import Floats, kernel
from sim.data.arguments import jobs_to_use
from sim.data.declarations import MAX_PLAYERS
from sim.errors import UserError

COLUMNS = ("block", "game", "players", "seat", "score", "rank")
CODES = ("faction", "strategy")

ROWS = 100_000
"""Default approximate number of rows of a batch. The arrays of a batch should fit into the processor's cache."""

UNIT = lcm(*range(1, MAX_PLAYERS + 1))
"""The integer that stands for one win.

With it, sums of shared wins are exact and do not depend on their order.
"""


Integers = NDArray[np.int64]


@dataclass(frozen=True)
class GameArrays:
    """Games of whole blocks, in order. Every array has one entry per seat-game.

    `win`, float64, is the share of the win; the other arrays are int64. `faction` and `strategy` are indices into the
    manifest's `factions` and `strategies`; 0 in a game without factions. `more` has further columns that were
    requested, by name, in the types of the run.
    """

    block: Integers
    game: Integers
    players: Integers
    seat: Integers
    score: Integers
    rank: Integers
    win: NDArray[np.float64]
    faction: Integers
    strategy: Integers
    more: dict[str, NDArray[Any]] = field(default_factory=dict)


def read_games(run: Run, more: Sequence[str] = ()) -> Iterator[GameArrays]:
    """Yield a run in batches of whole blocks, in order. Memory use does not depend on the size of the run.

    `more` names further columns to read. A column of names is returned as its Enum codes.
    """
    named = level_columns(run.manifest)
    codes = [pl.col(name).to_physical() if name in named else pl.lit(0).alias(name) for name in CODES]
    chosen = run.seats.select(*COLUMNS, "win", *(pl.col(name).to_physical() for name in more), *codes)
    for frame in whole_blocks(chosen, order=("block", "game", "seat")):
        if sum(frame.null_count().row(0)):
            raise UserError("the rows have empty cells; play the run again", file=run.folder)
        whole = frame.with_columns(pl.col(*COLUMNS, *CODES).cast(pl.Int64), pl.col("win").cast(pl.Float64))
        arrays: dict[str, Any] = {name: whole[name].to_numpy() for name in (*COLUMNS, "win", *CODES)}
        yield GameArrays(**arrays, more={name: whole[name].to_numpy() for name in more})


class GameSums(Protocol):
    """Sums over the games of a run, empty at first. `more` names further columns to read (see `read_games`)."""

    more: Sequence[str] = ()

    def __init__(self, run: Run) -> None: ...

    def add(self, games: GameArrays) -> None:
        """Add a batch of whole blocks. Batches come in order."""


Kind = TypeVar("Kind", bound=GameSums)


def gather(run: Run, kind: type[Kind], *others: type[GameSums]) -> Kind:
    """Return the sums of the class `kind` over the games of a run.

    Sums are cached in `run.gathered`. Those of `kind` and `others` that are not cached yet are computed in one pass.
    """
    wanted: tuple[type[GameSums], ...] = (kind, *others)
    fresh = {one: one(run) for one in wanted if one not in run.gathered}
    if fresh:
        more = list(dict.fromkeys(name for sums in fresh.values() for name in sums.more))
        with ThreadPoolExecutor(jobs_to_use(-1)) as workers:  # threads, because kernels release the GIL
            for games in read_games(run, more):
                list(workers.map(lambda sums, games=games: sums.add(games), fresh.values()))
        run.gathered.update(fresh)
    found: Kind = {**run.gathered, **fresh}[kind]
    return found


class KeyedSums:
    """Sums of columns for each combination of keys.

    Memory is needed only for the combinations that occur and for the rows of one batch. Polars groups rows as well, but
    needs several times the processor time. Sums are floats, which are exact for whole numbers up to 2^53.

    Attributes
    ----------
    sizes
        Number of levels of each key. Levels are numbered from 0, except those of the first key, which may be any whole
        numbers.
    sums
        Sum of each column for each combination.
    """

    def __init__(self, sizes: Mapping[str, int], columns: Sequence[str]) -> None:
        self.sizes = dict(sizes)
        self.sums = {name: np.zeros(0) for name in columns}
        self.codes, self.places, self.used = np.zeros(0, np.int64), np.zeros(0, np.int64), 0

    def add(self, keys: Mapping[str, NDArray[Any]], columns: Mapping[str, NDArray[Any]]) -> None:
        """Add rows to the sums. The arrays of `keys` and `columns` have one entry per row."""
        first, *others = self.sizes
        code = keys[first].astype(np.int64)
        for name in others:
            code = code * self.sizes[name] + keys[name]
        self.make_room(self.used + len(code))
        cell = np.empty(len(code), np.int64)
        self.used = int(number_codes(code, self.codes, self.places, self.used, cell))
        for name, sums in self.sums.items():
            self.sums[name] = np.append(sums, np.zeros(self.used - len(sums)))
            add_by_cell(cell, columns[name].astype(np.float64), self.sums[name])

    def make_room(self, combinations: int) -> None:
        """Double the hash table until `combinations` entries fill at most half of it."""
        while len(self.places) < 2 * combinations:
            known = self.codes[: self.used]
            self.places = np.full(max(1024, 2 * len(self.places)), -1, np.int64)
            self.codes = np.zeros(len(self.places) // 2, np.int64)
            number_codes(known, self.codes, self.places, 0, np.empty(len(known), np.int64))

    def frame(self) -> pl.DataFrame:
        """Return the keys as whole numbers and the sums, one row per combination, sorted by keys."""
        order = np.argsort(self.codes[: self.used])
        code, keys = self.codes[order], {}
        for name, size in reversed([*self.sizes.items()][1:]):
            code, keys[name] = np.divmod(code, size)
        keys[next(iter(self.sizes))] = code
        sums = {name: of[order] for name, of in self.sums.items()}
        return pl.DataFrame({name: keys[name] for name in self.sizes} | sums)


HASH_SHIFT = 15
"""Number of bits by which a code is shifted to mix its higher bits into the hash.

Most codes are dense, so their low bits alone would spread well. The higher bits are for the other codes.
"""


@kernel
def number_codes(code: Integers, codes: Integers, places: Integers, used: int, cell: Integers) -> int:
    """Number the different codes, write the number of each row's code to `cell`, and return how many there are.

    Codes are numbered from 0 in the order in which they first occur. `codes` lists the known codes in this order. At
    the start `used` codes are known; new ones are added. `places` is a hash table of these numbers with open
    addressing, -1 where free; its size is a power of two.
    """
    for row in range(len(code)):
        place = (code[row] ^ code[row] >> HASH_SHIFT) & (len(places) - 1)
        while places[place] >= 0 and codes[places[place]] != code[row]:
            place = (place + 1) & (len(places) - 1)
        if places[place] < 0:
            places[place] = used
            codes[used] = code[row]
            used += 1
        cell[row] = places[place]
    return used


@kernel
def add_by_cell(cell: Integers, values: Floats, sums: Floats) -> None:
    """Add the values of all rows to the sums of their cells."""
    for row in range(len(cell)):
        sums[cell[row]] += values[row]


def levels_of_enum(dtype: Any) -> pl.Series:
    """Return all levels of an Enum, in order."""
    return pl.Series(dtype.categories, dtype=dtype)


def possible_levels(dtype: Any, players: int) -> pl.Series:
    """Return all levels of an Enum, or the numbers from 0 to `players`, in the given type."""
    return levels_of_enum(dtype) if isinstance(dtype, pl.Enum) else pl.Series(range(1 + players), dtype=dtype)


def block_starts(frame: pl.DataFrame) -> Integers:
    """Return the index of the first row of each block, followed by the number of rows."""
    block = frame["block"].to_numpy()
    return np.concatenate(([0], np.flatnonzero(block[1:] != block[:-1]) + 1, [len(block)]))


def whole_blocks(
    chosen: pl.LazyFrame, rows: int | None = None, order: Sequence[str] = ("block",)
) -> Iterator[pl.DataFrame]:
    """Yield rows in batches of about `rows` rows, in the order of their blocks; no block is split.

    The simulator writes rows in this order. If they come in another order, all are read into memory and sorted by
    `order`.
    """
    block = pl.col("block")
    if chosen.select((block < block.shift()).any()).collect(engine="streaming").item():
        # Unsorted rows are sorted once and kept, because a sort breaks ties differently in every query.
        chosen = chosen.sort(order).collect(engine="streaming").lazy()
    waiting, part = chosen.head(0).collect(), None
    for following in chain(chosen.collect_batches(chunk_size=rows or ROWS, maintain_order=True), [None]):
        if part is not None:
            frame = pl.concat([waiting, part]).rechunk()
            last = frame["block"].search_sorted(frame["block"][-1], side="left")
            end = frame.height if following is None else int(last)
            waiting = frame.slice(end)
            if end:
                yield frame.head(end)
        part = following


IN_MEMORY = 2**25
"""Maximum number of bytes kept in memory. If batches take more, they are written to an unnamed temporary file."""


class Stretches:
    """Batches of arrays that can be read repeatedly. Beyond `IN_MEMORY` bytes, they are kept in a temporary file.

    Statistics that read all games several times would otherwise spend most of their time decoding Parquet.
    """

    def __init__(self) -> None:
        self.held: list[dict[str, NDArray[Any]]] = []
        self.room = IN_MEMORY
        self.file: IO[bytes] | None = None
        self.names: list[tuple[str, ...]] = []

    def add(self, **arrays: NDArray[Any]) -> None:
        """Add a batch; raise UserError if the temporary file cannot be written."""
        self.held.append(arrays)
        self.room -= sum(values.nbytes for values in arrays.values())
        if self.room >= 0:
            return
        try:
            if self.file is None:
                self.file = tempfile.TemporaryFile()  # noqa: SIM115 - it is closed with this object
                weakref.finalize(self, self.file.close)
            self.file.seek(0, 2)
            for values in (values for batch in self.held for values in batch.values()):
                np.save(self.file, values, allow_pickle=False)
            self.file.flush()
        except OSError as error:
            message = f"temporary files cannot be written ({error.strerror or error})"
            raise UserError(message, file=tempfile.gettempdir(), allowed="TMPDIR set to a folder with room") from error
        self.names += [tuple(batch) for batch in self.held]
        self.held = []

    def __iter__(self) -> Iterator[dict[str, NDArray[Any]]]:
        """Yield the batches in order. There may be only one reader at a time."""
        if self.file is not None:
            self.file.seek(0)
            for names in self.names:
                yield {name: np.load(self.file, allow_pickle=False) for name in names}
        yield from self.held
