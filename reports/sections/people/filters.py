"""Results for parts of a league's games. Filters of the page select by player group, rating, table size and date."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import polars as pl

from reports.data.filter_sums import AskedTable, company_sums
from reports.model import Column, Listing, Section, limited
from reports.sections.core.shares import asked_data
from reports.statistics.compare.filter_stats import Choices, level_values, with_level_codes
from reports.statistics.people.model import MIN_GAMES
from reports.statistics.people.results import edges_of_part
from sim.league.read import League

REGULAR = 10
"""A player with at least this many games in the league is a regular."""
GROUPS = ("one game", f"2 to {REGULAR - 1} games", f"{REGULAR} games or more", "unknown")
BANDS = ("lower third", "middle third", "upper third")
MAX_PERIODS = 12
PARTS_TITLE = "Adjusted edges in parts of the league"
NOTE = "A block is an evening, an event or a game."
PLAIN = "These are plain win rates, not adjusted for who played: a faction that good players prefer looks strong here."
WHOLE = f"{PLAIN} They are no verdict; the verdict above is adjusted."
IN_PARTS = f"{PLAIN} They are no verdict; adjusted edges for this choice stand under {PARTS_TITLE}."
UNADJUSTED = f"{PLAIN} They are no verdict, and nothing on this page adjusts this combination."
MAX_ROWS = 100_000
"""Edges in parts of a league are adjusted only up to this many seat-games, because each part needs a fit of its own."""
PARTS: dict[str, Sequence[str]] = {"players": (), "strategy": GROUPS, "rating": BANDS, "variant": ()}
"""By column: the levels that divide a league into parts, in order. An empty list stands for all levels that occur."""
OF_PLAYERS = ("strategy", "rating")
PARTS_SAID = (
    "Each choice of the page's filters by itself, adjusted for players as the league is. Limits hold for one "
    "row, not for all: with many rows, some exclude 0 by chance."
)
PARTS_READING = (
    "For the players of a group or of a rating band, only their ranks relative to each other count. "
    f"Factions with fewer than {MIN_GAMES} games in a part, or whose strength it does not determine, are not shown."
)
PART_COLUMNS = (
    limited("edge", "adjusted edge", "edge", "wins above the fair share, points"),
    Column("games", "games", "count"),
)
TITLES = {"players": "number of players", "variant": "when", "strategy": "group of players", "seat": "seat",
          "faction": "faction", "rating": "rating band"}  # fmt: skip


def league_filters(league: League) -> dict[str, Any] | None:
    """Return the filter data of a league. None if blocks combine player groups in too many different ways.

    The entry `plain` holds the notes that the page shows with win rates. Which note depends on the filters: `whole` if
    none is set, `part` if they choose a part that has adjusted edges, `combination` otherwise. The list `parts` in
    `plain` names columns. A part has adjusted edges if it is a single level of one of these columns.
    """
    # A block is an event if known, or else a day if known, or else a game.
    named = pl.coalesce(pl.format("event {}", "event"), pl.format("day {}", "date"), pl.format("game {}", "game"))
    block, seat = named.rank("dense").cast(pl.Int64).alias("block"), (pl.col("seat") + 1).alias("seat")
    seats = league.seats.with_columns(block, *choices_of_seats(league.seats), seat)
    seats = seats.sort("block", "game", maintain_order=True)
    titles = {name: title for name, title in TITLES.items() if seats[name].drop_nulls().len()}
    levels = level_values(seats, titles)
    for name in OF_PLAYERS:
        if name in levels:
            levels[name] = [level for level in PARTS[name] if level in levels[name]]
    others = tuple(name for name in ("seat", "rating") if name in titles)
    questions = [AskedTable("faction", others)]
    questions += [AskedTable("seat", ("faction",))] if "seat" in titles else []
    sums = company_sums(with_level_codes(seats.lazy(), levels, seats.schema), levels, questions, True)
    if sums is None:
        return None
    notes = {question.rows: NOTE for question in questions}
    parts = list(PARTS) if seats.height <= MAX_ROWS else []
    plain = {"whole": WHOLE, "part": IN_PARTS, "combination": UNADJUSTED, "parts": parts}
    return asked_data(Choices(levels, titles, sums, True, 0, notes)) | {"plain": plain}


def choices_of_seats(seats: pl.DataFrame) -> list[pl.Expr]:
    """Return expressions for the columns by which the page filters, but which the league's table lacks.

    They are the player group (as `strategy`), the period (as `variant`) and the rating band (as `rating`).
    """
    return [group_of_player().alias("strategy"), period_of(seats).alias("variant"), band_of(seats).alias("rating")]


def filter_values_section(league: League) -> Section | None:
    """Return the section with adjusted edges for each single value of a filter. None if no value has such edges."""
    if league.seats.height > MAX_ROWS:
        return None
    chosen = league.seats.select("players", *choices_of_seats(league.seats))
    listings = []
    for name, order in PARTS.items():
        levels = [level for level in order or chosen[name].unique().sort() if (chosen[name] == level).any()]
        parts = {level: league.seats.filter(chosen[name] == level) for level in levels}
        frames = [
            edges_of_part(league, part, name in OF_PLAYERS).with_columns(pl.lit(str(level)).alias("part"))
            for level, part in parts.items()
        ]
        if len(frames) > 1 and any(frame.height for frame in frames):
            columns = (Column("level", "faction", "text"), Column("part", TITLES[name], "text"), *PART_COLUMNS)
            frame = pl.concat(frames).sort("level", maintain_order=True)
            title = f"Adjusted edge by faction and {TITLES[name]}"
            listings.append(Listing(f"people by {TITLES[name]}", title, frame, columns, folded=True))
    return Section("parts", PARTS_TITLE, (PARTS_SAID,), tuple(listings), (), PARTS_READING) if listings else None


def group_of_player() -> pl.Expr:
    """Return an expression for the group (`GROUPS`) of a row's player, by the player's number of games in a league."""
    games = pl.len().over("player")
    return (
        pl.when(pl.col("player").is_null()).then(pl.lit(GROUPS[3]))
        .when(games == 1).then(pl.lit(GROUPS[0]))
        .when(games < REGULAR).then(pl.lit(GROUPS[1]))
        .otherwise(pl.lit(GROUPS[2]))
    )  # fmt: skip


def period_of(seats: pl.DataFrame) -> pl.Expr:
    """Return an expression for when a row was played: year, or quarter in a short league; 'any time' without dates."""
    if seats["date"].drop_nulls().is_empty():
        return pl.lit("any time")
    year = pl.col("date").dt.year().cast(pl.String)
    quarter = pl.format("{} quarter {}", year, pl.col("date").dt.quarter())
    few = seats.select(quarter.n_unique()).item() <= MAX_PERIODS
    return (quarter if few else year).fill_null("no date")


def band_of(seats: pl.DataFrame) -> pl.Expr:
    """Return an expression for the third of all ratings (`BANDS`) that has a row's rating. Null without a rating."""
    if seats["rating"].null_count() == seats.height:
        return pl.lit(None, pl.String)
    low, high = (seats["rating"].quantile(part) for part in (1 / 3, 2 / 3))
    third = (
        pl.when(pl.col("rating") <= low).then(pl.lit(BANDS[0])).when(pl.col("rating") <= high).then(pl.lit(BANDS[1]))
    )
    return pl.when(pl.col("rating").is_not_null()).then(third.otherwise(pl.lit(BANDS[2])))
