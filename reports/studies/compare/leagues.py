"""Compares two leagues (games of people) as independent samples: edges in the second minus edges in the first."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from reports.claims import Said, claims_on, split_claims
from reports.formatting import counted, points, some
from reports.model import Column, Listing, Section
from reports.sections.people.league import EQUAL, edge_limits, unjudged_words
from reports.statistics.core.win_rate import ALPHA, Floats
from reports.statistics.people.edges import (
    derivatives,
    determined,
    faction_edges,
    factions_at_tables,
    strengths_of,
    tested_estimates,
)
from reports.statistics.people.model import MIN_GAMES, Integers, LeagueGames, PeopleFit, fit_people, sheet_of
from reports.statistics.strength import plackett_luce as model
from sim.errors import UserError
from sim.league.read import League

SAME_GAMES = 0.5
"""Two leagues with more than this share of games in common do not count as independent."""


@dataclass(frozen=True)
class LeaguePair:
    """The differences between two leagues.

    Attributes
    ----------
    changes
        One row per faction that both leagues have: `level`, `games`, `games_after`, the edges `before` and `after`, and
        their difference `edge` with limits and flags.
    common_players
        Number of players' names that both leagues have.
    only
        Factions that only the first league has, and those that only the second has.
    """

    changes: pl.DataFrame
    common_players: int
    only: tuple[tuple[str, ...], tuple[str, ...]]


def compare_leagues(first: League, second: League) -> LeaguePair:
    """Compare the edges of factions in two leagues. Both edges are averages over the tables of both leagues together.

    Raises UserError if the leagues share most of their games, or have fewer than two factions in common.
    """
    if shared_games(first, second) > SAME_GAMES:
        message = "these leagues have most of their games in common, so they are not independent samples"
        raise UserError(message, file=second.folder, allowed="leagues of different games, such as two editions")
    sheets = sheet_of(first), sheet_of(second)
    common = [name for name in sheets[0].factions if name in sheets[1].factions]
    if len(common) < 2:
        message = "leagues without two factions in common cannot be compared"
        raise UserError(message, file=second.folder, found=some(sheets[1].factions), allowed=some(sheets[0].factions))
    tables = [table for sheet in sheets for table in common_factions_at_tables(sheet, common)]
    fits = [fit_people(sheet) for sheet in sheets]
    parts = [edges_at(sheet, fit, common, tables) for sheet, fit in zip(sheets, fits, strict=True)]
    (before, slopes), (after, other) = parts
    games = [seat_games_by_faction(sheet, common) for sheet in sheets]
    enough = np.minimum(*games) >= MIN_GAMES
    for sheet, fit in zip(sheets, fits, strict=True):
        own = determined(fit, strengths_of(sheet, fit), seat_games_by_faction(sheet, sheet.factions))
        enough &= own[[sheet.factions.index(name) for name in common]]
    frame = {"level": common, "games": games[0], "games_after": games[1], "before": before, "after": after}
    found = tested_estimates(after - before, np.hstack([slopes, other]), both(*fits), enough, ALPHA)
    names = [set(league.seats["player"].drop_nulls()) for league in (first, second)]
    shared = 0 if first.anonymous or second.anonymous else len(names[0] & names[1])
    only = tuple(tuple(name for name in sheet.factions if name not in common) for sheet in sheets)
    return LeaguePair(pl.DataFrame(frame).with_columns(**found), shared, (only[0], only[1]))


def shared_games(first: League, second: League) -> float:
    """Return which share of the smaller league's games the other league has too.

    Games are the same if day, players, factions, places and scores agree.
    """
    seat = pl.struct("date", "player", "faction", "rank", "score").sort_by("player", "faction").alias("seats")
    one, other = (league.seats.group_by("game").agg(seat).select("seats") for league in (first, second))
    return one.join(other.unique(), "seats", "semi").height / min(len(one), len(other))


def common_factions_at_tables(sheet: LeagueGames, common: list[str]) -> list[Integers]:
    """Return the factions at each table of a league, as indices into `common`. Other factions are -1."""
    numbers = np.array([common.index(name) if name in common else -1 for name in sheet.factions] + [-1])
    return [numbers[table] for table in factions_at_tables(sheet)]


def edges_at(sheet: LeagueGames, fit: PeopleFit, common: list[str], tables: list[Integers]) -> tuple[Floats, Floats]:
    """Return the edges of the common factions at these tables, and the derivative of each edge by each fixed effect."""
    shift = len(sheet.factions) - 1
    rows = model.contrasts(len(sheet.factions))[[sheet.factions.index(name) for name in common]]
    rows = rows - rows.mean(axis=0)

    def edges(beta: Floats) -> Floats:
        return faction_edges(rows @ beta, tables)

    slopes = np.zeros((len(common), len(fit.beta)))
    slopes[:, :shift] = derivatives(edges, fit.beta[:shift])
    return edges(fit.beta[:shift]), slopes


def seat_games_by_faction(sheet: LeagueGames, common: list[str]) -> Integers:
    """Return the number of seat-games of each common faction."""
    return np.array([(sheet.faction == sheet.factions.index(name)).sum() for name in common])


def both(first: PeopleFit, second: PeopleFit) -> PeopleFit:
    """Combine two independent fits into one: the effects of the first, then those of the second."""

    def joined(one: Floats, other: Floats) -> Floats:
        empty = np.zeros((len(one), len(other)))
        return np.block([[one, empty], [empty.T, other]])

    beta, freedom = np.append(first.beta, second.beta), min(first.freedom, second.freedom)
    covariance, clustered = joined(first.covariance, second.covariance), joined(first.clustered, second.clustered)
    return replace(first, beta=beta, covariance=covariance, clustered=clustered, freedom=freedom)


def league_change_section(pair: LeaguePair, titles: tuple[str, str]) -> Section:
    """Return the section on the differences between two leagues with these titles."""
    frame = pair.changes.sort("edge", descending=True)
    hits, rows = frame.filter(pl.col("flag") != "").to_dicts(), frame.filter("judged").height
    said: list[Said] = []
    if hits:
        named = some([f"{row['level']} {edge_limits(row)}" for row in hits])
        text = f"From {titles[0]} to {titles[1]} the adjusted edge changes, {EQUAL}: {named}."
        said.append((text, claims_on("change", hits, text, f"{rows} factions")))
    elif rows:
        widest = max(frame.filter("judged").to_dicts(), key=lambda row: abs(row["edge"]))
        text = f"No faction was found to differ between {titles[0]} and {titles[1]}, {EQUAL}."
        said.append((f"{text} The widest change seen, {widest['level']} {points(widest['edge'])}, may be chance.", ()))
    else:
        said.append(
            (f"Nothing can be judged: no faction has {MIN_GAMES} games in both that determine its strength.", ())
        )
    said += unjudged_words(frame.with_columns(games=pl.min_horizontal("games", "games_after")))
    said.append(("The leagues are compared as two independent samples of games.", ()))
    if pair.common_players:
        who = counted(pair.common_players, "player")
        said.append((f"{who} by name in both: how strong they are is estimated in each league by itself.", ()))
    for title, names in zip(titles, pair.only, strict=True):
        if names:
            said.append((f"Only in {title}: {some(names)}.", ()))
    texts, claims = split_claims(said)
    columns = (
        Column("flag", "", "flag", meaning="wins more or less in the second league"),
        Column("level", "faction", "text"),
        Column("edge", "change", "edge", "edge_low", "edge_high", "adjusted edge after less before, points"),
        Column("before", titles[0], "edge", meaning="adjusted edge, points"),
        Column("after", titles[1], "edge", meaning="adjusted edge, points"),
        Column("games", f"games, {titles[0]}", "count"),
        Column("games_after", f"games, {titles[1]}", "count"),
    )
    listing = Listing("league changes", "Change of each faction", frame, columns, whole=True)
    return Section("changes", "What differs", texts, (listing,), claims=claims)
