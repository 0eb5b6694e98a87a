"""Computes all results of a league: edges, players, trend, and what more games would show."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import polars as pl

from reports.statistics.core.win_rate import ALPHA, family_probability
from reports.statistics.distributions import t_isf, t_ppf
from reports.statistics.people.edges import (
    derivatives,
    determined,
    faction_edges,
    factions_at_tables,
    judged_edges,
    plain_rates,
    strengths_of,
    tested_estimates,
)
from reports.statistics.people.model import (
    MIN_GAMES,
    UNDETERMINED,
    LeagueGames,
    PeopleFit,
    fit_people,
    sheet_of,
    with_slopes,
)
from reports.statistics.strength import plackett_luce as model
from sim.errors import UserError
from sim.league.read import League

EDGES_ALPHA, PLAYERS_ALPHA, TREND_ALPHA = 0.6 * ALPHA, 0.2 * ALPHA, 0.2 * ALPHA
"""Error rates of the parts of a league's report: edges, players and trend. They add up to `ALPHA`."""
MIN_DAYS = 10
"""Minimum number of days with games for a trend."""
ELO = 400 / float(np.log(10))
"""Points of the Elo scale per unit of log strength: 400 points for odds of ten to one."""
MEAN_ELO = 1500
TIMES = (1, 2, 4, 10)


@dataclass(frozen=True)
class PeopleResults:
    """Results of a league.

    Attributes
    ----------
    league, sheet, fit
        The league, its games as arrays, and the fitted model.
    edges
        The columns of `judged_edges`, and `standing`. For factions also those of `plain_rates`, and `plain_edge`.
    margin
        Edges up to this fraction count as balanced.
    """

    league: League
    sheet: LeagueGames
    fit: PeopleFit
    edges: pl.DataFrame
    margin: float

    @cached_property
    def players(self) -> pl.DataFrame:
        """The players' strengths, the result of `player_ranking`."""
        return player_ranking(self.league, self.sheet, self.fit)

    @cached_property
    def trend(self) -> pl.DataFrame | None:
        """How the factions' edges change over time, the result of `trend_of`."""
        return trend_of(self.league, self.sheet, self.fit)


def people_results(league: League, margin: float) -> PeopleResults:
    """Compute all results of a league. Edges up to `margin`, a fraction, count as balanced.

    Raises
    ------
    UserError
        There are fewer than two factions or than two games.
    """
    factions = league.seats["faction"].drop_nulls().n_unique()
    if factions < 2 or league.games < 2:
        message = "at least two factions and two games are needed"
        raise UserError(message, file=league.folder, found=f"{factions} factions, {league.games} games")
    sheet = sheet_of(league)
    fit = fit_people(sheet)
    plain = plain_rates(league, sheet)
    edges = judged_edges(sheet, fit, EDGES_ALPHA).join(plain.drop("games"), "level", "left", maintain_order="left")
    edges = edges.with_columns((pl.col("win_rate") - pl.col("fair")).alias("plain_edge"), standing(margin))
    return PeopleResults(league, sheet, fit, edges, margin)


def standing(margin: float) -> pl.Expr:
    """Return the decision on an edge as an expression: 'too strong', 'too weak', 'within the margin', 'not known yet'.

    An edge that is not judged gets the reason instead.
    """
    inside = (pl.col("family_low") >= -margin) & (pl.col("family_high") <= margin)
    return (
        pl.when(pl.col("games") < MIN_GAMES).then(pl.lit(f"fewer than {MIN_GAMES} games"))
        .when(~pl.col("judged")).then(pl.lit(UNDETERMINED))
        .when(inside).then(pl.lit("within the margin"))
        .when(pl.col("flag") == "strong").then(pl.lit("too strong"))
        .when(pl.col("flag") == "weak").then(pl.lit("too weak"))
        .otherwise(pl.lit("not known yet")).alias("standing")
    )  # fmt: skip


def player_ranking(league: League, sheet: LeagueGames, fit: PeopleFit) -> pl.DataFrame:
    """Return the strengths of players, the strongest first, with flags that hold for all players at once.

    A player's strength is shrunk towards that of players who play the same factions. It is shrunk more if the player
    has few games. So the strongest of many players is not merely the luckiest.

    Returns
    -------
    `player`, `games`, `wins`, `strength` with `low`, `high`, `family_low` and `family_high`, `flag`, and `elo` with
    `elo_low` and `elo_high`.
    """
    counts = league.seats.group_by("player").agg(pl.len().alias("games"), pl.col("win").sum().alias("wins"))
    frame = pl.DataFrame({"player": sheet.players, "strength": fit.ability, "error": fit.ability_error},
                         schema={"player": pl.String, "strength": pl.Float64, "error": pl.Float64})  # fmt: skip
    frame = frame.join(counts, "player", "left", maintain_order="left").with_columns(pl.col("error").fill_nan(None))
    rows = max(frame["error"].count(), 1)
    own, family = (
        t_ppf(probability, fit.freedom) for probability in (1 - ALPHA / 2, family_probability(rows, PLAYERS_ALPHA))
    )
    limits = {
        f"{kind}{end}": pl.col("strength") + sign * reach * pl.col("error")
        for kind, reach in (("", own), ("family_", family))
        for end, sign in (("low", -1), ("high", 1))
    }
    flag = pl.when(pl.col("family_low") > 0).then(pl.lit("strong")).when(pl.col("family_high") < 0).then(pl.lit("weak"))
    elo = {
        f"elo{end}": MEAN_ELO + ELO * pl.col(name)
        for end, name in (("", "strength"), ("_low", "low"), ("_high", "high"))
    }
    frame = frame.with_columns(**limits).with_columns(flag.otherwise(pl.lit("")).alias("flag"), **elo)
    return frame.sort("strength", descending=True)


def trend_of(league: League, sheet: LeagueGames, fit: PeopleFit) -> pl.DataFrame | None:
    """Return how each faction's edge changes from the first day to the last; None if there are too few days."""
    if league.seats["date"].n_unique() < MIN_DAYS or league.seats["date"].null_count():
        return None
    sheet = with_slopes(sheet, league)
    fit = fit_people(sheet, fit)
    factions, tables, size = len(sheet.factions), factions_at_tables(sheet), len(fit.beta)
    shift, first = factions - 1, model.contrasts(factions)
    chosen = [*range(shift), *range(size - shift, size)]

    def change(beta: np.ndarray) -> np.ndarray:
        half = first @ beta[shift:] / 2
        middle = first @ beta[:shift]
        return np.asarray(faction_edges(middle + half, tables) - faction_edges(middle - half, tables))

    slopes = np.zeros((factions, size))
    slopes[:, chosen] = derivatives(change, fit.beta[chosen])
    games = np.bincount(sheet.faction[sheet.faction >= 0], minlength=factions)
    enough = games >= MIN_GAMES
    for day in (-0.5, 0.5):
        enough &= determined(fit, strengths_of(sheet, fit, day), games)
    found = tested_estimates(change(fit.beta[chosen]), slopes, fit, enough, TREND_ALPHA)
    return pl.DataFrame({"level": sheet.factions, "games": games}).with_columns(**found)


def edges_of_part(league: League, seats: pl.DataFrame, of_players: bool) -> pl.DataFrame:
    """Return the adjusted edges of factions in a part of a league: `level`, `games`, `edge` and its 95 % limits.

    Parameters
    ----------
    seats
        Either whole games of the league, or all seats of some players.
    of_players
        Whether `seats` are those of some players. Then the finishing order among these players counts; in the
        Plackett-Luce model it does not depend on who else was at the table. If only the winner of a game is known and
        is not one of these players, the game is left out.

    Returns
    -------
    Rows for factions with at least `MIN_GAMES` games; no rows if there are too few factions or games.
    """
    if of_players:
        size = pl.len().over("game")
        won = (pl.col("win") > 0).any().over("game")
        seats = seats.filter((size > 1) & (pl.col("order") | won)).with_columns(
            pl.col("rank").rank("min").over("game").cast(pl.UInt8),
            size.cast(pl.UInt8).alias("players"),
            pl.lit(None, pl.UInt8).alias("seat"),
        )
    known = ["level", "games", "edge", "edge_low", "edge_high"]
    if seats["faction"].drop_nulls().n_unique() < 2 or seats["game"].n_unique() < MIN_GAMES:
        schema = dict.fromkeys(known, pl.Float64) | {"level": pl.String, "games": pl.Int64}
        return pl.DataFrame(schema=schema)
    sheet = sheet_of(replace(league, seats=seats))
    edges = judged_edges(sheet, fit_people(sheet)).filter((pl.col("table") == "faction") & pl.col("judged"))
    return edges.select(known).with_columns(pl.col("games").cast(pl.Int64))


def precision_by_league_size(found: PeopleResults) -> pl.DataFrame:
    """Return what this league and larger leagues can show: `games`, `half`, `best` and `least`.

    `half` is half the width of the 95 % interval of the faction whose edge is known least precisely. `least` is the
    smallest edge of that faction that would be found in four of five such leagues. `best` is the same for the faction
    whose edge is known most precisely. Errors are assumed to fall with the root of the number of games, as they do if
    the numbers of players and of events grow in proportion.
    """
    rows = found.edges.filter((pl.col("table") == "faction") & pl.col("judged"))
    names = ["games", "half", "best", "least"]
    if rows.is_empty():
        return pl.DataFrame(schema=dict.fromkeys(names, pl.Float64) | {"games": pl.Int64})
    error, least = rows["error"].to_numpy(), rows["mde"].to_numpy()
    half = float(t_isf(ALPHA / 2, found.fit.freedom)) * error.max()
    lines = [(found.league.games * times, *(value / times**0.5 for value in (half, least.min(), least.max())))
             for times in TIMES]  # fmt: skip
    return pl.DataFrame(lines, schema=names, orient="row")
