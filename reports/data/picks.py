"""Picks of a run as arrays: the piece each seat took in each period, its standing then, and the outcome."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from reports.data.games import whole_blocks
from reports.data.load import Run, level_names, piece_noun
from reports.data.one_player import FAIR
from reports.data.piece_counts import piece_names
from sim.errors import UserError
from sim.runs.store.manifest import PicksEntry

ROWS = 200_000
"""Approximate seats per batch."""

Array = NDArray[Any]


@dataclass(frozen=True)
class Levels:
    """Names behind the codes in rows of picks.

    Attributes
    ----------
    pieces
        Name of every piece.
    kinds
        Every kind of piece: "empire", "event".
    kind
        Index in `kinds` of every piece, shape (pieces,).
    periods
        Number of periods.
    tables
        Variant, "" if seats do not have it, and number of players of every kind of table.
    places
        Places at the largest table, plus place 0 for none.
    strategies
        Name of every strategy.
    """

    pieces: tuple[str, ...]
    kinds: tuple[str, ...]
    kind: Array
    periods: int
    tables: tuple[tuple[str, int], ...]
    places: int
    strategies: tuple[str, ...]


Rows = dict[str, Array]
"""Picks by column, each of shape (picks,): `block`, `piece`, `kind`, `period` (from 0), `table`, `draft`, `turn`
(places, 0 for none), `standing` (table and draft place in one number), `strategy`, all int64; `points` that the seat
gained in the period, `later` points that the pick brought afterwards, `whole`, the sum of both, `surplus`, its win less
its fair share, and `score`, its final points."""


def picks_of(run: Run) -> PicksEntry:
    """Return what a run declares of its picks; raise UserError for a game without picks."""
    if run.manifest.picks is None:
        raise UserError("this game has no picks", file=run.folder, field="picks")
    return run.manifest.picks


def read_levels(run: Run) -> Levels:
    """Return the names behind the codes of a run's picks."""
    manifest, columns = run.manifest, run.seats.collect_schema()
    pieces = piece_names(run)
    kind_of = {name: kind for kind, names in picks_of(run).kinds.items() for name in names}
    kinds = tuple(picks_of(run).kinds)
    variant = pl.col("variant").cast(pl.String) if "variant" in columns else pl.lit("").alias("variant")
    found = run.seats.select(variant, pl.col("players").cast(pl.Int64)).unique().collect().sort("players", "variant")
    tables = tuple(found.select("variant", "players").rows())
    return Levels(
        pieces,
        kinds,
        np.array([kinds.index(kind_of[name]) if name in kind_of else -1 for name in pieces]),
        len(manifest.checkpoints) + 1,
        tables,
        1 + max((players for _, players in tables), default=0),
        tuple(level_names(manifest, "strategy")),
    )


def read_picks(run: Run, levels: Levels) -> Iterator[Rows]:
    """Yield all picks of a run in batches of whole blocks."""
    picks, ends = picks_of(run), [*run.manifest.checkpoints, "score"]
    columns = run.seats.collect_schema()
    more = [name for name in ("variant", FAIR) if name in columns]
    chosen = run.seats.select(
        "block", "game", "seat", "players", "win", picks.start, *ends, *more, pl.col("strategy").to_physical()
    )
    for seats in whole_blocks(chosen, ROWS, ("block", "game", "seat")):
        low, high = seats["game"].min(), seats["game"].max()
        joined = taken_between(run, low, high).join(seats, on=["game", "seat"], how="inner", maintain_order="right")
        if joined.height:
            yield as_rows(joined, picks, ends, levels)


def taken_between(run: Run, low: Any, high: Any) -> pl.DataFrame:
    """Return the piece rows of pieces that seats took in a range of games."""
    picks, noun = picks_of(run), piece_noun(run.manifest)
    wanted = pl.col("game").is_between(low, high) & (pl.col(picks.taken) > 0)
    columns = [picks.taken, picks.draft_place, picks.turn_place, picks.later]
    parts = [part.filter(wanted).select("game", "seat", pl.col(noun).to_physical().alias("piece"), *columns)
             for part in run.pieces or ()]  # fmt: skip
    return pl.concat(parts).collect()


def as_rows(joined: pl.DataFrame, picks: PicksEntry, ends: list[str], levels: Levels) -> Rows:
    """Convert piece rows joined with their seats to `Rows`; rows of no period or kind are left out."""
    places = {"taken": picks.taken, "draft_place": picks.draft_place, "turn_place": picks.turn_place}
    whole = {name: joined[column].cast(pl.Int64).to_numpy() for name, column in places.items()}
    piece, period = joined["piece"].cast(pl.Int64).to_numpy(), whole["taken"] - 1
    known = (period < levels.periods) & (levels.kind[piece] >= 0)
    scores = joined.select(picks.start, *ends).cast(pl.Float64).to_numpy()
    gained = np.diff(scores, axis=1)[np.arange(len(piece)), np.minimum(period, levels.periods - 1)]
    later = joined[picks.later].cast(pl.Float64).to_numpy() / picks.later_parts
    players = joined["players"].cast(pl.Int64)
    fair = 1 / players.cast(pl.Float64)
    if FAIR in joined.columns:
        fair = joined.select(pl.when(pl.col("players") == 1).then(FAIR).otherwise(1 / pl.col("players"))).to_series()
    names = joined["variant"].cast(pl.String).to_list() if "variant" in joined.columns else [""] * joined.height
    table = np.array([levels.tables.index(key) for key in zip(names, players.to_list(), strict=True)], np.int64)
    draft, turn = (np.clip(whole[name], 0, levels.places - 1) for name in ("draft_place", "turn_place"))
    rows = {
        "block": joined["block"].cast(pl.Int64).to_numpy(),
        "piece": piece,
        "kind": levels.kind[piece],
        "period": period,
        "table": table,
        "draft": draft,
        "turn": turn,
        "standing": table * levels.places + draft,
        "strategy": joined["strategy"].cast(pl.Int64).to_numpy(),
        "points": gained,
        "later": later,
        "whole": gained + later,
        "surplus": joined["win"].cast(pl.Float64).to_numpy() - fair.to_numpy(),
        "score": scores[:, -1],
    }
    return {name: values[known] for name, values in rows.items()}


def among_its_like(run: Run, name: str) -> Run:
    """Return a run in which the picks of one kind and period, those of the pick of this name, stand in for factions.

    A row's `faction` is the seat's pick in the period. Its `win` is its win less the mean of seats with the same
    strategy and place by points, plus its fair share, so that an average pick wins its fair share; `won` is the plain
    win. There are no seats if nobody took the pick.
    """
    picks, noun = picks_of(run), piece_noun(run.manifest)
    kind = next(kind for kind, names in picks.kinds.items() if name in names)
    names, taken = sorted(picks.kinds[kind]), picks.taken
    text = pl.col(noun).cast(pl.String)
    rows = pl.concat(run.pieces or ()).filter((pl.col(taken) > 0) & text.is_in(names))
    own = rows.select("game", "seat", text.cast(pl.Enum(names)).alias("faction"), picks.draft_place, taken)
    alike = [name for name in ("variant", "players", "strategy") if name in run.seats.collect_schema()]
    win = pl.col("win").cast(pl.Float64)
    above = win - win.mean().over([*alike, taken, picks.draft_place])
    seats = run.seats.drop("faction", strict=False).join(own, on=["game", "seat"], how="inner", maintain_order="left")
    seats = seats.with_columns(won=win, win=above + 1 / pl.col("players"))
    period = pl.col(taken)
    return replace(run, seats=seats.filter(period == period.filter(pl.col("faction") == name).min()))


PLACE = "place "
"""Prefix of a period's name: the column of the place by points at which its pick was taken."""


@dataclass(frozen=True)
class PickColumns:
    """Columns of picks of the first kind, of which every seat takes one in every period.

    Attributes
    ----------
    run
        With a table of pieces.
    noun
        The game's word for a pick: "empire".
    levels
        Picks that were taken in each period, by its name ("epoch 1"), and places, by `PLACE` and that name.
    """

    run: Run
    noun: str
    levels: dict[str, list[Any]]

    def columns(self) -> list[tuple[str, str]]:
        """Return pairs of the columns of picks and of places, in the order of the periods."""
        return [(name, f"{PLACE}{name}") for name in self.levels if not name.startswith(PLACE)]

    def beside(self, seats: pl.DataFrame) -> pl.DataFrame:
        """Add the level indices of picks and places, -1 for none, to seats of whole games with `game` and `seat`."""
        picks, names = picks_of(self.run), piece_names(self.run)
        taken = taken_between(self.run, seats["game"].min(), seats["game"].max())
        for number, (column, place) in enumerate(self.columns(), start=1):
            own, places = self.levels[column], self.levels[place]
            known = pl.col("piece").replace_strict([names.index(name) for name in own], range(len(own)), default=None)
            stood = pl.col(picks.draft_place).cast(pl.Int64).replace_strict(places, range(len(places)), default=None)
            there = taken.filter(pl.col(picks.taken) == number).select(
                *(pl.col(name).cast(seats.schema[name]) for name in ("game", "seat")),
                known.cast(pl.Int32).alias(column),
                stood.cast(pl.Int32).alias(place),
            )
            there = there.drop_nulls(column).unique(["game", "seat"], keep="first", maintain_order=True)
            seats = seats.join(there, on=["game", "seat"], how="left", maintain_order="left")
        return seats.with_columns(pl.col(name).fill_null(-1) for name in self.levels)


def pick_columns(run: Run) -> PickColumns | None:
    """Return the picks of a run as columns; None for a game without picks, or a run without pieces."""
    picks = run.manifest.picks
    if not picks or not run.pieces:
        return None
    noun, names = piece_noun(run.manifest), next(iter(picks.kinds.values()))
    wanted = (pl.col(picks.taken) > 0) & pl.col("piece").is_in(names)
    found = (
        pl.concat([part.with_columns(pl.col(noun).cast(pl.String).alias("piece")) for part in run.pieces])
        .filter(wanted)
        .select(pl.col(picks.taken).cast(pl.Int64).alias("period"), "piece",
                pl.col(picks.draft_place).cast(pl.Int64).alias("place"))
        .unique()
        .collect(engine="streaming")
    )  # fmt: skip
    levels: dict[str, list[Any]] = {}
    for period in range(1, len(run.manifest.checkpoints) + 2):
        own = found.filter(pl.col("period") == period)
        if own.height:
            name = f"{picks.period} {period}"
            levels[name] = own["piece"].unique().sort().to_list()
            levels[f"{PLACE}{name}"] = own.filter(pl.col("place") > 0)["place"].unique().sort().to_list()
    return PickColumns(run, next(iter(picks.kinds)), levels) if levels else None
