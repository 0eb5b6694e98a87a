"""Picks as columns of seats: what each seat took in each period, and at which place by points it stood then."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import polars as pl

from reports.data.load import Run, piece_noun
from reports.data.picks import taken_between
from reports.data.piece_counts import piece_names

PLACE = "place "
"""Before a period's name: the column of the place by points at which its pick was taken."""


@dataclass(frozen=True)
class PickColumns:
    """Columns of picks of the first kind, which every seat takes one of in every period.

    Attributes
    ----------
    run
        With a table of pieces.
    noun
        What a pick is called: "empire".
    levels
        Picks that were taken in each period, by its name ("epoch 1"); and places, by `PLACE` and that name.
    """

    run: Run
    noun: str
    levels: dict[str, list[Any]]

    def columns(self) -> list[tuple[str, str]]:
        """Pairs of the column of picks and that of places, in the order of the periods."""
        return [(name, f"{PLACE}{name}") for name in self.levels if not name.startswith(PLACE)]

    def beside(self, seats: pl.DataFrame) -> pl.DataFrame:
        """Add to seats of whole games, which have `game` and `seat`, the places of their picks and levels; -1 for none.

        Parameters
        ----------
        seats
            `seat` is the seat's number.
        """
        picks, names = self.run.manifest["picks"], piece_names(self.run)
        taken = taken_between(self.run, seats["game"].min(), seats["game"].max())
        for number, (column, place) in enumerate(self.columns(), start=1):
            own, places = self.levels[column], self.levels[place]
            known = pl.col("piece").replace_strict([names.index(name) for name in own], range(len(own)), default=None)
            stood = pl.col(picks["draft_place"]).cast(pl.Int64).replace_strict(places, range(len(places)), default=None)
            there = taken.filter(pl.col(picks["taken"]) == number).select(
                *(pl.col(name).cast(seats.schema[name]) for name in ("game", "seat")),
                known.cast(pl.Int32).alias(column),
                stood.cast(pl.Int32).alias(place),
            )
            there = there.drop_nulls(column).unique(["game", "seat"], keep="first", maintain_order=True)
            seats = seats.join(there, on=["game", "seat"], how="left", maintain_order="left")
        return seats.with_columns(pl.col(name).fill_null(-1) for name in self.levels)


def pick_columns(run: Run) -> PickColumns | None:
    """Return the picks of a run as columns; None for a game without picks, or a run that keeps no pieces."""
    picks = run.manifest.get("picks")
    if not picks or not run.pieces:
        return None
    noun, names = piece_noun(run.manifest), next(iter(picks["kinds"].values()))
    wanted = (pl.col(picks["taken"]) > 0) & pl.col("piece").is_in(names)
    found = (
        pl.concat([part.with_columns(pl.col(noun).cast(pl.String).alias("piece")) for part in run.pieces])
        .filter(wanted)
        .select(pl.col(picks["taken"]).cast(pl.Int64).alias("period"), "piece",
                pl.col(picks["draft_place"]).cast(pl.Int64).alias("place"))
        .unique()
        .collect(engine="streaming")
    )  # fmt: skip
    levels: dict[str, list[Any]] = {}
    for period in range(1, len(run.manifest["checkpoints"]) + 2):
        own = found.filter(pl.col("period") == period)
        if own.height:
            name = f"{picks['period']} {period}"
            levels[name] = own["piece"].unique().sort().to_list()
            levels[f"{PLACE}{name}"] = own.filter(pl.col("place") > 0)["place"].unique().sort().to_list()
    return PickColumns(run, next(iter(picks["kinds"])), levels) if levels else None
