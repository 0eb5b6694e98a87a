"""Strength of factions and seats among people, adjusted for the strength of the players.

Finishing orders follow Plackett-Luce with log strength = faction + seat + player. Good players may prefer a faction. So
a player's strength is a random effect (Breslow and Clayton 1993) whose mean depends on what the player plays: on the
share of each faction in the player's games (Mundlak 1978). What remains for a faction is the difference between the
results of the same players with the faction and without it. A player's strength may also grow with the number of games
that the player has played. If there are ratings, it also depends on the player's rating.

Sources, in full in `docs/statistics.md`: Schall (1991) for the variance of players, Hutchinson (1990) for the trace
that it needs if there are many players, Cameron, Gelbach and Miller (2011) for errors by clusters of players and
events.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy import sparse

from reports.statistics.core.win_rate import Floats
from reports.statistics.strength import plackett_luce as model
from sim.league.read import League

Integers = NDArray[np.int64]

MIN_GAMES = 10
"""A faction with fewer seat-games is listed but not judged."""
MOST_ERROR = 2.0
"""A faction is listed but not judged if the standard error of its log strength is above this."""
UNDETERMINED = "strength not determined"
DENSE = 2_500
"""Maximum number of players for which matrices are inverted. With more players, conjugate gradients are used."""
PROBES = 5
RANKED = 200
"""With more than `DENSE` players, errors are computed for this number of players only: those with most games."""
STEPS = 100
CLOSE = 1e-6
"""Relative error at which conjugate gradients stop."""
EXACT, ROUGH = 1e-6, 1e-4
"""Newton's method stops if twice the gain in likelihood is below this.

The second value is for more than `DENSE` players.
"""
ROUNDS = 40
SMALLEST_SPREAD, FIRST_SPREAD = 0.02, 0.5
"""Standard deviations of the players' log strengths: the smallest value that is fitted, and a first guess."""
SHARE_OF_RATINGS = 0.5
"""Minimum share of rows that must have a rating for ratings to be used."""
TABLES = 2_000
"""Maximum number of tables over which edges are averaged. The tables are spread evenly over the league."""


@dataclass(frozen=True)
class LeagueGames:
    """The games of a league as arrays, in the order in which the games were played.

    Attributes
    ----------
    rank, start, ordered
        As in `plackett_luce.add_seats`.
    faction, seat, player
        Index of the faction, the seat and the player of each seat-game. -1 if unknown; for players also if the player
        has only one game.
    factions, players
        Names of the factions, and names of the players.
    seats
        Number of seats; 0 if seats are not known.
    fixed
        Columns of the fixed effects, shape (seat-games, effects): of factions, of seats, and of facts about players.
    cluster
        Index of each seat-game's event; without an event, of its date; without a date, of its game.
    person
        Index of each seat-game's player as a cluster. Each row without a name is a cluster of its own.
    """

    rank: NDArray[np.int8]
    start: Integers
    ordered: NDArray[np.bool_]
    faction: Integers
    seat: Integers
    player: Integers
    factions: list[str]
    players: list[str]
    seats: int
    fixed: Floats
    cluster: Integers
    person: Integers

    @property
    def game(self) -> Integers:
        """Index of each seat-game's game."""
        return np.repeat(np.arange(len(self.start) - 1), np.diff(self.start))


@dataclass(frozen=True)
class PeopleFit:
    """Fixed effects and players' strengths of a league.

    `beta` are the fixed effects, shape (effects,), `covariance` and `clustered` their covariances: by the model, and by
    clusters of players and events, with `freedom` degrees of freedom. `ability` is the log strength of each player,
    with a mean of 0 over all players; its standard error `ability_error`, with more than `DENSE` players, is NaN except
    for the `RANKED` players with most games. `spread` is the standard deviation of the random effects of players.
    """

    beta: Floats
    covariance: Floats
    clustered: Floats
    ability: Floats
    ability_error: Floats
    spread: float
    freedom: float


def level_numbers(column: pl.Series, names: Sequence[str]) -> Integers:
    """Return the index of each row's level, -1 for rows without a level."""
    places = {name: number for number, name in enumerate(names)}
    codes = column.replace_strict(places, default=-1, return_dtype=pl.Int64) if places else pl.repeat(-1, len(column))
    return np.asarray(codes.fill_null(-1) if isinstance(codes, pl.Series) else np.full(len(column), -1), np.int64)


def with_slopes(sheet: LeagueGames, league: League) -> LeagueGames:
    """Return the games with slopes of the factions over time as further fixed effects. All games must have a date."""
    seats = league.seats.sort("date", "game", nulls_last=True, maintain_order=True)
    day = seats["date"].to_physical().to_numpy().astype(float)
    place = (day - day.min()) / max(day.max() - day.min(), 1.0) - 0.5
    slopes = place[:, None] * sheet.fixed[:, : len(sheet.factions) - 1]
    return replace(sheet, fixed=np.hstack([sheet.fixed, slopes]))


def sheet_of(league: League) -> LeagueGames:
    """Return the games of a league as arrays."""
    seats = league.seats.sort("date", "game", nulls_last=True, maintain_order=True)
    lengths = seats.group_by("game", maintain_order=True).agg(pl.len(), pl.col("order").first())
    start = np.concatenate(([0], np.cumsum(lengths["len"].to_numpy(), dtype=np.int64)))
    factions = sorted(seats["faction"].drop_nulls().unique().to_list())
    counts = seats["player"].drop_nulls().value_counts(sort=True).filter(pl.col("count") > 1)
    players = counts.sort("count", "player", descending=[True, False])["player"].to_list()
    faction, player = level_numbers(seats["faction"], factions), level_numbers(seats["player"], players)
    known = seats["seat"].is_not_null().mean() == 1
    number = int(seats["players"].to_numpy().max()) if known else 0
    seat = seats["seat"].cast(pl.Int64).to_numpy() if known else np.full(seats.height, -1)
    parts = [*fixed_effects(faction, len(factions), seat, number), *of_players(seats, faction, len(factions), player)]
    group = pl.coalesce(pl.format("event {}", "event"), pl.format("day {}", "date"), pl.format("game {}", "game"))
    cluster = seats.select(group.rank("dense").cast(pl.Int64) - 1).to_series().to_numpy()
    alone = pl.coalesce(pl.format("name {}", "player"), pl.format("row {}", pl.int_range(pl.len())))
    person = seats.select(alone.rank("dense").cast(pl.Int64) - 1).to_series().to_numpy()
    rank = seats["rank"].cast(pl.Int8).to_numpy()
    ordered = lengths["order"].to_numpy()
    return LeagueGames(
        rank, start, ordered, faction, seat, player, factions, players, number, np.hstack(parts), cluster, person
    )


def fixed_effects(faction: Integers, factions: int, seat: Integers, seats: int) -> list[Floats]:
    """Return the columns of the factions, of an unknown faction, and of the seats."""
    zero = np.zeros((1, max(factions - 1, 0)))
    columns = [np.vstack([model.contrasts(factions), zero])[faction]]
    if (faction < 0).any():
        columns.append((faction < 0).astype(float)[:, None])
    if seats:
        columns.append(model.contrasts(seats)[seat])
    return columns


def of_players(seats: pl.DataFrame, faction: Integers, factions: int, player: Integers) -> list[Floats]:
    """Return the columns of known facts about players: what they play, their games so far, and their ratings.

    What a player plays enters as a mean over the player's games, so that factions are compared within the games of each
    player. The number of games so far enters as it is, and also as a mean over the player's games.
    """
    regular = player >= 0
    columns = [np.vstack([model.contrasts(factions), np.zeros((1, max(factions - 1, 0)))])[faction]]
    before = seats.select(pl.int_range(pl.len()).over("player")).to_series().to_numpy()
    own = [np.log1p(np.where(regular, before, 0)).astype(float)[:, None]]
    # Take the first rating of a player. Later ratings follow from results of the league, so these results would count
    # twice.
    first = pl.col("rating").drop_nulls().first().over("player")
    rating = seats.select(pl.when(pl.Series(regular)).then(first).otherwise("rating")).to_series().to_numpy()
    rated = np.isfinite(rating)
    if rated.mean() >= SHARE_OF_RATINGS and rating[rated].std() > 0:
        scaled = np.where(rated, (rating - rating[rated].mean()) / rating[rated].std(), 0.0)
        own.append(np.column_stack([scaled, ~rated]))
    means = [mean_of_player(column, player) for column in (*columns, own[0])]
    newcomer = (~regular).astype(float)[:, None]
    found = np.hstack([*own, *means, newcomer])
    return [found[:, found.std(axis=0) > 0]]


def mean_of_player(columns: Floats, player: Integers) -> Floats:
    """Return the mean of `columns` over each player's seat-games minus the mean over the seat-games of all players.

    Seat-games whose `player` is -1 do not count. They get 0.
    """
    regular = player >= 0
    count = np.bincount(player[regular], minlength=1).astype(float)
    means = np.zeros_like(columns)
    for place in range(columns.shape[1] if regular.any() else 0):
        total = np.bincount(player[regular], columns[regular, place], minlength=len(count))
        means[regular, place] = (total / np.maximum(count, 1))[player[regular]] - columns[regular, place].mean()
    return means


class Equations:
    """The penalised information matrix of fixed effects and players; solves equations with this matrix."""

    def __init__(
        self, sheet: LeagueGames, weights: sparse.csr_matrix, members: sparse.csr_matrix, penalty: Floats
    ) -> None:
        weighted = weights @ sheet.fixed
        self.fixed = sheet.fixed.T @ weighted
        self.cross = np.asarray(members.T @ weighted)
        self.own = (members.T @ weights @ members).tocsr()
        size = self.fixed.shape[0]
        self.fixed = self.fixed + np.diag(penalty[:size])
        self.penalty = penalty[size:]
        self.inverse: Floats | None = None
        count = self.own.shape[0]
        if count <= DENSE:
            whole = np.block([[self.fixed, self.cross.T], [self.cross, self.own.toarray() + np.diag(self.penalty)]])
            self.inverse = model.invert(whole)
        else:
            self.own = self.own + sparse.diags(self.penalty)
            self.scale = model.invert(self.fixed), 1 / self.own.diagonal()[:, None]

    def solve(self, right: Floats) -> Floats:
        """Return the solutions for the right-hand sides `right`, shape (fixed effects + players, right-hand sides).

        With more than `DENSE` players there is no inverse. Then conjugate gradients, preconditioned by the diagonal
        blocks, solve all columns at once.
        """
        if self.inverse is not None:
            return np.asarray(self.inverse @ right)
        x, rest = np.zeros_like(right), right.copy()
        step = self.scaled(rest)
        before = (rest * step).sum(axis=0)
        least = CLOSE**2 * np.maximum(before, 1e-300)
        for _ in range(STEPS):
            image = self.times(step)
            length = before / np.maximum((step * image).sum(axis=0), 1e-300)
            x += length * step
            rest -= length * image
            scaled = self.scaled(rest)
            after = (rest * scaled).sum(axis=0)
            if (after <= least).all():
                break
            step = scaled + after / np.maximum(before, 1e-300) * step
            before = after
        return x

    def times(self, right: Floats) -> Floats:
        """Return the information matrix times the columns `right`."""
        size = len(self.fixed)
        upper, lower = right[:size], right[size:]
        return np.vstack([self.fixed @ upper + self.cross.T @ lower, self.cross @ upper + self.own @ lower])

    def scaled(self, right: Floats) -> Floats:
        """Return the preconditioner of `solve`, the inverse of the diagonal blocks, times the columns `right`."""
        size = len(self.fixed)
        return np.vstack([self.scale[0] @ right[:size], self.scale[1] * right[size:]])

    def variances(self) -> tuple[float, Floats]:
        """Return the sum of the players' variances, and the variance of each (NaN with more than `DENSE` players)."""
        size, count = self.fixed.shape[0], self.own.shape[0]
        if self.inverse is not None:
            own = np.diag(self.inverse)[size:]
            return float(own.sum()), own
        signs = np.random.default_rng(1).choice([-1.0, 1.0], (count, PROBES))
        solved = self.solve(np.vstack([np.zeros((size, PROBES)), signs]))[size:]
        return float((signs * solved).sum() / PROBES), np.full(count, np.nan)


def fit_people(sheet: LeagueGames, known: PeopleFit | None = None) -> PeopleFit:
    """Fit the fixed effects and the strengths of players, and compute errors by the model and by clusters.

    The spread of players is fitted by Schall's (1991) rule. `known` may be a fit of the same games with fewer fixed
    effects. Then its spread is kept, and players get strengths of 0 and no errors.

    The errors by the model hold if the model is right. The errors by clusters (Cameron, Gelbach and Miller 2011) also
    hold if games of one player or of one event are correlated in other ways. Callers use the larger of the two.
    """
    count, size = len(sheet.players), sheet.fixed.shape[1]
    rows = len(sheet.rank)
    seated = np.flatnonzero(sheet.player >= 0)
    members = sparse.csr_matrix((np.ones(len(seated)), (seated, sheet.player[seated])), shape=(rows, count))
    lengths = np.diff(sheet.start)
    pointers = np.concatenate(([0], np.cumsum(np.repeat(lengths, lengths))))
    firsts = np.repeat(np.repeat(sheet.start[:-1], lengths), np.repeat(lengths, lengths))
    indices = firsts + np.arange(len(firsts)) - np.repeat(pointers[:-1], np.repeat(lengths, lengths))
    effects, spread = np.zeros(size + count), FIRST_SPREAD if known is None else known.spread
    for _ in range(ROUNDS):
        penalty = np.concatenate([np.full(size, model.RIDGE), np.full(count, spread**-2)])
        effects, equations, scores = maximum(sheet, members, (indices, pointers), effects, penalty)
        if not count or known is not None:
            break
        own = effects[size:]
        total, _ = equations.variances()
        effective = max(count - total / spread**2, 1e-3)
        renewed = max(float(np.sqrt(own @ own / effective)), SMALLEST_SPREAD)
        if abs(np.log(renewed / spread)) < 0.01:
            break
        spread = renewed
    unit = np.vstack([np.eye(size), np.zeros((count, size))])
    covariance = equations.solve(unit)[:size]
    clustered = covariance @ meat(sheet, scores) @ covariance
    ability, error = np.zeros(count), np.full(count, np.nan)
    if known is None:
        ability, error = abilities(sheet, members, effects, equations, scores)
    freedom = max(len(np.unique(sheet.cluster)) - size, 2)
    return PeopleFit(effects[:size], covariance, clustered, ability, error, spread, float(freedom))


def maximum(
    sheet: LeagueGames, members: sparse.csr_matrix, pattern: tuple[Integers, Integers], effects: Floats, penalty: Floats
) -> tuple[Floats, Equations, Floats]:
    """Maximise the penalised likelihood by Newton's method, starting from `effects` (fixed effects, then players).

    `members` is the design of the players, shape (seat-games, players). `pattern` has the column indices and the row
    pointers of the sparse weights of `plackett_luce.add_seats`. `penalty` is the precision of each effect's prior.
    Returns the effects at the maximum, the equations, and the gradient by seat-game.
    """
    size, rows = sheet.fixed.shape[1], len(sheet.rank)
    best, step, scale = -np.inf, np.zeros_like(effects), 1.0
    for _ in range(STEPS):
        trial = effects + scale * step
        theta = sheet.fixed @ trial[:size] + members @ trial[size:]
        scores, weights = np.zeros(rows), np.zeros(len(pattern[0]))
        value = model.add_seats(sheet.rank, sheet.start, sheet.ordered, theta, scores, weights)
        value -= float(penalty @ trial**2) / 2
        if value < best - 1e-9 * abs(best):
            scale /= 2
            continue
        effects, best, scale = trial, value, 1.0
        matrix = sparse.csr_matrix((weights, *pattern), shape=(rows, rows))
        equations = Equations(sheet, matrix, members, penalty)
        gradient = np.concatenate([sheet.fixed.T @ scores, members.T @ scores]) - penalty * effects
        step = equations.solve(gradient[:, None])[:, 0]
        if float(gradient @ step) < (EXACT if members.shape[1] <= DENSE else ROUGH):
            break
    return effects, equations, scores


def meat(sheet: LeagueGames, scores: Floats) -> Floats:
    """Return the middle matrix of the clustered covariance (Cameron, Gelbach and Miller 2011).

    It is the matrix of `products` with events as groups, plus that with players, minus that with pairs of event and
    player. Negative eigenvalues are set to 0.
    """
    rows = scores[:, None] * sheet.fixed
    both = sheet.cluster * (sheet.person.max() + 1) + sheet.person
    parts = [products(rows, groups) for groups in (sheet.cluster, sheet.person, both)]
    whole = parts[0] + parts[1] - parts[2]
    values, vectors = np.linalg.eigh((whole + whole.T) / 2)
    return np.asarray((vectors * np.maximum(values, 0)) @ vectors.T)


def adding(groups: Integers) -> tuple[sparse.csr_matrix, float]:
    """Return a matrix that sums rows by group, shape (groups, rows), and the factor G / (G - 1) for G groups."""
    _, number = np.unique(groups, return_inverse=True)
    count = int(number.max()) + 1
    matrix = sparse.csr_matrix((np.ones(len(number)), (number, np.arange(len(number)))), (count, len(number)))
    return matrix, count / max(count - 1, 1)


def products(rows: Floats, groups: Integers) -> Floats:
    """Return G / (G - 1) * sum(s s') over the G groups, where s is the sum of a group's rows."""
    matrix, wider = adding(groups)
    sums = matrix @ rows
    return np.asarray(sums.T @ sums) * wider


def abilities(
    sheet: LeagueGames, members: sparse.csr_matrix, effects: Floats, equations: Equations, scores: Floats
) -> tuple[Floats, Floats]:
    """Return each player's log strength, with a mean of 0 over all players, and the errors of those with most games.

    Each error is the larger of two errors: the error by the model, and the error by events. The latter replaces the
    information by the products of scores summed by event.
    """
    size, count = sheet.fixed.shape[1], len(sheet.players)
    if not count:
        return np.zeros(0), np.zeros(0)
    first = fixed_of_players(sheet)
    first = first - first.mean(axis=0)
    ability = first @ effects[:size] + effects[size:] - effects[size:].mean()
    chosen = np.arange(count if equations.inverse is not None else min(count, RANKED))
    right = np.zeros((size + count, len(chosen)))
    right[:size] = first[chosen].T
    right[size + chosen, chosen] = 1.0
    solved = equations.solve(right)
    matrix, wider = adding(sheet.cluster)
    scored = matrix @ sparse.diags(scores)
    events = (scored @ sheet.fixed) @ solved[:size] + (scored @ members) @ solved[size:]
    prior = (equations.penalty[:, None] * solved[size:] ** 2).sum(axis=0)
    clustered = (events**2).sum(axis=0) * wider + prior
    error = np.full(count, np.nan)
    error[chosen] = np.sqrt(np.maximum((right * solved).sum(axis=0), clustered))
    return ability, error


def fixed_of_players(sheet: LeagueGames) -> Floats:
    """Return one row for each player, with the columns of `sheet.fixed`.

    Columns of factions and seats are 0. Each other column is its mean over the player's games.
    """
    own = np.zeros((len(sheet.players), sheet.fixed.shape[1]))
    regular = sheet.player >= 0
    count = np.bincount(sheet.player[regular], minlength=len(sheet.players))
    skipped = len(sheet.factions) - 1 + bool((sheet.faction < 0).any()) + max(sheet.seats - 1, 0)
    for place in range(skipped, sheet.fixed.shape[1]):
        total = np.bincount(sheet.player[regular], sheet.fixed[regular, place], minlength=len(sheet.players))
        own[:, place] = total / np.maximum(count, 1)
    return own
