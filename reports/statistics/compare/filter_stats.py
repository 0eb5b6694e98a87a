"""Sums for the filters of a report's page: win rates by players, numbers of players, variants, seats and factions."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import polars as pl

from reports.data.filter_sums import AskedTable, CompanySums, company_sums
from reports.data.load import Run, only_one_player
from reports.data.piece_counts import PickColumns, pick_columns
from reports.statistics.core.groupings import (
    START,
    attribute_column,
    attribute_key,
    has_starting_places,
    useful_attributes,
)
from sim.runs.store.verify import reading

PICK_NOTE = (
    "Win rates are of the seats that took the {}. Seats with few points may choose first, so picks "
    "also reflect how a seat stood: choose a place to compare seats that stood alike."
)


@dataclass(frozen=True)
class Choices:
    """Sums of a run for every choice of filters on its page.

    Attributes
    ----------
    levels
        Levels that occur, by column: `players`, `variant`, `strategy`, `seat` and the columns that tables have as rows.
    sums
        One `CompanySums` for each table.
    every_company
        Whether any set of strategies can be chosen. If not, only one strategy or all of them can be chosen.
    left_out
        Number of games with only one player. They are excluded.
    notes
        Note on each table, by the column of the table's rows.
    """

    levels: dict[str, list[Any]]
    titles: dict[str, str]
    sums: list[CompanySums]
    every_company: bool
    left_out: int
    notes: Mapping[str, str] = field(default_factory=dict)


def choices_of(run: Run) -> Choices | None:
    """Sum a run for every filter of its page; return None if every game has only one player."""
    if only_one_player(run.manifest):
        return None
    with reading(run.folder):
        seats, found, titles = asked_columns(run)
        picks = pick_columns(run)
        levels = level_values(found, titles)
        games = int(found.filter(pl.col("seat") == levels["seat"][0])["rows"].sum())
        rows = with_level_codes(seats, levels, found.schema)
        questions, notes = questions_of(titles), dict[str, str]()
        beside: Callable[[pl.DataFrame], pl.DataFrame] = without_picks
        if picks is not None:
            levels, titles = levels | picks.levels, titles | pick_titles(picks)
            questions = [*(AskedTable(name, (place,)) for name, place in picks.columns()), *questions]
            beside = picks.beside
            notes = {name: PICK_NOTE.format(picks.noun) for name, _ in picks.columns()}
        every_company = True
        sums = company_sums(rows, levels, questions, every_company, beside)
        if sums is None and picks is not None:
            # If this needs too many sums, drop one filter of pick tables: the seat's place by points when it took the
            # pick. The filter by players stays.
            placeless = [AskedTable(name, ()) for name, _ in picks.columns()]
            sums = company_sums(rows, levels, [*placeless, *questions[len(placeless) :]], every_company, beside)
        if sums is None:
            every_company, one_of = False, [with_strategy(question) for question in questions]
            sums = company_sums(rows, levels, one_of, every_company, beside)
    return Choices(levels, titles, sums or [], every_company, run.manifest.games - games, notes)


def without_picks(frame: pl.DataFrame) -> pl.DataFrame:
    """Return rows unchanged; runs without picks use this function in place of `PickColumns.beside`."""
    return frame


def pick_titles(picks: PickColumns) -> dict[str, str]:
    """Return the titles of the columns of picks and of places, by column."""
    titles: dict[str, str] = {}
    for name, place in picks.columns():
        titles |= {name: f"{picks.noun}, {name}", place: "place by points when it was taken"}
    return titles


def asked_columns(run: Run) -> tuple[pl.LazyFrame, pl.DataFrame, dict[str, str]]:
    """Return the seats of games with several players, with all columns of filters and useful faction attributes.

    Returns
    -------
    The seats; the combinations of levels that occur, with the number of seats of each as `rows`; and the titles of the
    columns.
    """
    manifest = run.manifest
    seats = run.seats.filter(pl.col("players") > 1)
    titles = {"players": "number of players", "variant": "variant", "strategy": "strategy", "seat": "seat"}
    if "variant" not in seats.collect_schema():
        seats = seats.with_columns(pl.lit(manifest.variant, pl.Enum([manifest.variant])).alias("variant"))
    if manifest.factions:
        titles["faction"] = manifest.faction_title
    begins = {START: START} if has_starting_places(manifest) else {}
    if begins:
        seats = seats.with_columns(pl.col(manifest.starting_place).alias(START))
    found = seats.group_by(*titles, *begins).agg(pl.len().alias("rows")).collect(engine="streaming")
    # Find the levels in `found`, which has few rows. To find them in `seats`, Polars would load the attributes of all
    # seats.
    for name in useful_attributes(manifest, found):
        column = attribute_column(manifest, name)
        seats, found = seats.with_columns(column), found.with_columns(column)
        titles[attribute_key(name)] = name
    return seats, found, titles | begins


def questions_of(titles: Mapping[str, str]) -> list[AskedTable]:
    """Return the tables that a reader can filter: by faction, attribute, seat, starting place and strategy."""
    faction = tuple(name for name in titles if name == "faction")
    attributes = [name for name in titles if name.startswith(attribute_key(""))]
    asked = [AskedTable(name, ("seat",)) for name in (*faction, *attributes)]
    asked += [AskedTable(name, faction) for name in ("seat", START) if name in titles]
    return [*asked, AskedTable("strategy", ("seat", *faction))]


def with_strategy(question: AskedTable) -> AskedTable:
    """Return a table with the strategy as a further filter; a table whose rows are strategies stays as it is."""
    return question if question.rows == "strategy" else replace(question, others=(*question.others, "strategy"))


def level_values(found: pl.DataFrame, titles: Mapping[str, str]) -> dict[str, list[Any]]:
    """Return the levels that occur in each column; `found` and `titles` are from `asked_columns`."""
    return {name: found[name].drop_nulls().unique().sort().to_list() for name in titles}


def level_codes(column: pl.Expr, known: pl.Series, dtype: pl.DataType) -> pl.Expr:
    """Return the index of each value of a column in `known`, int32; null for other values.

    Enums and whole numbers are looked up in an array: `replace_strict` of Polars would hold all rows in memory.
    """
    codes = pl.Series(range(len(known)), dtype=pl.Int32)
    if not (isinstance(dtype, pl.Enum) or dtype.is_integer()) or not len(known):
        return column.replace_strict(known, codes, default=None)
    places = known.to_physical().cast(pl.Int64).to_numpy()
    table = np.full(len(dtype.categories) if isinstance(dtype, pl.Enum) else 1 + int(places.max()), -1, np.int32)
    table[places] = codes.to_numpy()
    array = pl.Series(table).replace(-1, None)
    return column.map_batches(
        lambda values: array.gather(values.to_physical().cast(pl.Int64)), pl.Int32, is_elementwise=True
    )


def with_level_codes(seats: pl.LazyFrame, levels: Mapping[str, list[Any]], dtypes: pl.Schema) -> pl.LazyFrame:
    """Return seats with each level as an integer code (-1 if missing), and wins as float64."""
    unit = math.lcm(*range(1, int(levels["players"][-1]) + 1))
    columns = []
    for name, own in levels.items():
        known = pl.Series(own, dtype=dtypes[name])
        columns.append(pl.col(name).pipe(level_codes, known, dtypes[name]).fill_null(-1).alias(name))
    return seats.select("block", "game", (pl.col("win").cast(pl.Float64) * unit).round() / unit, *columns)
