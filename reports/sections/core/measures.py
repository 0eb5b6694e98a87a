"""Compare means of all score parts and measures side by side, by faction, strategy, number of players and variant."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
import polars as pl

from reports.formatting import number, plural
from reports.model import Column, Listing, Section, Table
from sim.runs.store.manifest import Manifest

MAX_LEVELS = 8
"""Columns of a table at most; for more levels the win rate tables give the means."""
NAMED = 5
MEAN_OF = "mean of"
"""Column that names the mean of a row."""
MIN_MEAN = 0.05
"""Means below this are too small to compare levels."""
READING = (
    "Means per seat, in games of these players. They describe play and say nothing about fairness; if "
    "a row is out of balance, a large difference here shows where to look."
)


def measures_section(tables: Mapping[str, Table], manifest: Manifest) -> Section | None:
    """Return the section; None for a game without measures, or if all tables have too many columns."""
    if not manifest.measures:
        return None
    said, listings = [], []
    for name, noun, frame in level_tables(tables, manifest):
        if 2 <= frame.height <= MAX_LEVELS:
            measures = [measure for measure in manifest.measures if measure != manifest.starting_place]
            rows = side_by_side(frame, [*manifest.score_parts, *measures])
            levels = frame["level"].to_list()
            said += widest_differences(rows, levels, noun)
            columns = (Column(MEAN_OF, MEAN_OF, "text"), *(Column(level, level, "number") for level in levels))
            listings.append(Listing(f"measures {name}", f"What seats did, by {noun}", rows, columns))
    if not listings:
        return None
    return Section("measures", "What seats did", tuple(said), tuple(listings), (), READING)


def level_tables(tables: Mapping[str, Table], manifest: Manifest) -> Iterator[tuple[str, str, pl.DataFrame]]:
    """Yield tables with one row per level: name, noun, and a frame of `level`, `games` and means."""
    for name in ("faction", "strategy"):
        if name in tables:
            yield name, tables[name].noun, tables[name].frame
    for name, noun in (("players", "number of players"), ("variant", "variant")):
        crossed = next((table for other, table in tables.items() if other in CONDITIONS[name]), None)
        if crossed is not None:
            whole = whole_levels(crossed.frame)
            order = manifest.variants if name == "variant" else []
            place = pl.col("level").replace_strict(order, range(len(order)), default=None, return_dtype=pl.Int64)
            number_of = pl.col("level").str.extract(r"^(\d+)").cast(pl.Int64)
            yield name, noun, whole.sort(place, number_of, nulls_last=True)


CONDITIONS = {name: (f"{name} x strategy", f"{name} x faction") for name in ("players", "variant")}
"""Crossed tables whose cells make up the levels of a condition."""


def whole_levels(frame: pl.DataFrame) -> pl.DataFrame:
    """Pool the cells of each first level of a crossed table: `level`, `games` and the means over them."""
    means = [name for name in frame.columns if name.startswith("mean_") and frame[name].dtype.is_numeric()]
    games = pl.col("games")
    return frame.group_by("level", maintain_order=True).agg(
        games.sum(), *((pl.col(name) * games).sum() / games.sum() for name in means)
    )


def side_by_side(frame: pl.DataFrame, names: list[str]) -> pl.DataFrame:
    """Return one row for the score and each nonzero part and measure: `MEAN_OF`, then its mean at each level."""
    means = {"score": "mean_score"} | {name: f"mean_{name}" for name in names}
    columns = {
        level: [row[mean] for mean in means.values()]
        for level, row in zip(frame["level"].to_list(), frame.to_dicts(), strict=True)
    }
    rows = pl.DataFrame({MEAN_OF: [name.replace("_", " ") for name in means], **columns})
    return rows.filter(pl.any_horizontal(pl.col(level) != 0 for level in columns))


def widest_differences(rows: pl.DataFrame, levels: list[str], noun: str) -> list[str]:
    """Name the parts and measures in which levels differ most, relative to their mean."""
    values = rows.select(levels).to_numpy().astype(np.float64)
    middle = np.abs(values).mean(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        spread = np.where(middle >= MIN_MEAN, (values.max(axis=1) - values.min(axis=1)) / middle, 0.0)
    order = [int(place) for place in np.argsort(-spread, kind="stable")[:NAMED] if spread[place] > 0]
    if not order:
        return []
    parts = [
        f"{rows[MEAN_OF][place]} ({levels[int(values[place].argmax())]} {number(float(values[place].max()))}, "
        f"{levels[int(values[place].argmin())]} {number(float(values[place].min()))})"
        for place in order
    ]
    levels_of = plural(noun) if noun != "number of players" else "numbers of players"
    return [f"Largest observed differences between {levels_of}: {', '.join(parts)}."]  # fmt: skip
