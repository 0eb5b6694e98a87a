"""The data with which a league's page filters its games: by player group, rating band, number of players and date."""

from __future__ import annotations

from typing import Any

import polars as pl

from reports.data.filter_sums import AskedTable, add_up
from reports.sections.core.shares import asked_data
from reports.statistics.compare.filter_stats import Choices, level_values, with_level_codes
from sim.league.read import League

REGULAR = 10
"""Games from which a player is a regular."""
GROUPS = ("one game", f"2 to {REGULAR - 1} games", f"{REGULAR} games or more", "unknown")
BANDS = ("lower third", "middle third", "upper third")
MAX_PERIODS = 12
NOTE = "As counted, not adjusted for who played; a block is an evening, an event or a game."
TITLES = {"players": "number of players", "variant": "when", "strategy": "players", "seat": "seat",
          "faction": "faction", "rating": "rating band"}  # fmt: skip


def league_filters(league: League) -> dict[str, Any] | None:
    """Return the filter data of a league; None if there are too many kinds of games to sum."""
    seats = league.seats.with_columns(
        block_of().alias("block"),
        group_of_player().alias("strategy"),
        period_of(league.seats).alias("variant"),
        band_of(league.seats).alias("rating"),
        (pl.col("seat") + 1).alias("seat"),
    ).sort("block", "game", maintain_order=True)
    titles = {name: title for name, title in TITLES.items() if seats[name].drop_nulls().len()}
    levels = level_values(seats, titles)
    for name, order in (("strategy", GROUPS), ("rating", BANDS)):
        if name in levels:
            levels[name] = [level for level in order if level in levels[name]]
    others = tuple(name for name in ("seat", "rating") if name in titles)
    questions = [AskedTable("faction", others)]
    questions += [AskedTable("seat", ("faction",))] if "seat" in titles else []
    sums = add_up(with_level_codes(seats.lazy(), levels, seats.schema), levels, questions, True)
    if sums is None:
        return None
    return asked_data(Choices(levels, titles, sums, True, 0, {question.rows: NOTE for question in questions}))


def block_of() -> pl.Expr:
    """Return the number of each row's block: its event, else its day, else its game."""
    name = pl.coalesce(pl.format("event {}", "event"), pl.format("day {}", "date"), pl.format("game {}", "game"))
    return name.rank("dense").cast(pl.Int64)


def group_of_player() -> pl.Expr:
    """Return the group of each row's player: by the number of games in the league."""
    games = pl.len().over("player")
    return (
        pl.when(pl.col("player").is_null()).then(pl.lit(GROUPS[3]))
        .when(games == 1).then(pl.lit(GROUPS[0]))
        .when(games < REGULAR).then(pl.lit(GROUPS[1]))
        .otherwise(pl.lit(GROUPS[2]))
    )  # fmt: skip


def period_of(seats: pl.DataFrame) -> pl.Expr:
    """Return when each row was played: its year, of a league within few years its quarter; 'any time' without dates."""
    if seats["date"].drop_nulls().is_empty():
        return pl.lit("any time")
    year = pl.col("date").dt.year().cast(pl.String)
    quarter = pl.format("{} quarter {}", year, pl.col("date").dt.quarter())
    few = seats.select(quarter.n_unique()).item() <= MAX_PERIODS
    return (quarter if few else year).fill_null("no date")


def band_of(seats: pl.DataFrame) -> pl.Expr:
    """Return the third of all ratings that each row's rating belongs to; null without one."""
    if seats["rating"].null_count() == seats.height:
        return pl.lit(None, pl.String)
    low, high = (seats["rating"].quantile(part) for part in (1 / 3, 2 / 3))
    third = (
        pl.when(pl.col("rating") <= low).then(pl.lit(BANDS[0])).when(pl.col("rating") <= high).then(pl.lit(BANDS[1]))
    )
    return pl.when(pl.col("rating").is_not_null()).then(third.otherwise(pl.lit(BANDS[2])))
