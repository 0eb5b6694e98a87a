"""Edges of factions and seats if all players were equally strong, judged as one family."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import polars as pl

from reports.statistics.core.groupings import JointNull, correlations
from reports.statistics.core.win_rate import ALPHA, POWER, Floats
from reports.statistics.distributions import normal_ppf, t_isf, t_sf
from reports.statistics.people.model import MIN_GAMES, MOST_ERROR, TABLES, Integers, LeagueGames, PeopleFit, products
from reports.statistics.strength import plackett_luce as model
from sim.league.read import League

CHANGE = 1e-4
"""Step of a parameter over which derivatives are taken."""


def factions_at_tables(sheet: LeagueGames) -> list[Integers]:
    """Return the factions at the tables of the league, one array for each table size.

    If there are more than `TABLES` tables, that many are taken, spread evenly over the league.
    """
    lengths = np.diff(sheet.start)
    every = np.arange(len(lengths))
    if len(every) > TABLES:
        every = np.linspace(0, len(lengths) - 1, TABLES).astype(np.int64)
    found = []
    for players in np.unique(lengths[every]):
        firsts = sheet.start[:-1][every[lengths[every] == players]]
        found.append(sheet.faction[firsts[:, None] + np.arange(players)])
    return found


def faction_edges(strength: Floats, tables: list[Integers]) -> Floats:
    """Return each faction's edge over its fair share at these tables if all players are equally strong.

    At a table with the faction, the faction keeps its seat. At a table without the faction, it takes each seat in turn.
    `strength` is the log strength of each faction; that of an unknown faction at a table is 0.
    """
    edge, games = np.zeros(len(strength)), sum(len(table) for table in tables)
    strong = np.append(np.exp(strength), 1.0)
    for table in tables:
        held = strong[table]
        total = held.sum(axis=1, keepdims=True)
        for faction in range(len(strength)):
            mine = strong[faction]
            there = (table == faction).any(axis=1)
            taken = (mine / (total - held + mine)).mean(axis=1)
            edge[faction] += np.where(there, mine / total[:, 0], taken).sum() - len(table) / table.shape[1]
    return edge / games


def seat_edges(strength: Floats, tables: list[Integers]) -> Floats:
    """Return each seat's edge over its fair share at tables that have the seat, if factions and players are equal."""
    edge, games = np.zeros(len(strength)), np.zeros(len(strength))
    for table in tables:
        players = table.shape[1]
        strong = np.exp(strength[:players])
        edge[:players] += len(table) * (strong / strong.sum() - 1 / players)
        games[:players] += len(table)
    return edge / np.maximum(games, 1)


def derivatives(of: Callable[[Floats], Floats], at: Floats) -> Floats:
    """Return the derivatives of the function `of` at the parameters `at`, shape (values, parameters)."""
    shifts = CHANGE * np.eye(len(at))
    return np.column_stack([(of(at + shift) - of(at - shift)) / (2 * CHANGE) for shift in shifts])


def judged_edges(sheet: LeagueGames, fit: PeopleFit, rate: float = ALPHA) -> pl.DataFrame:
    """Return the edges of factions and of seats with limits and flags. All rows are one family.

    Returns
    -------
    `table` ("faction" or "seat"), `level` and `games`;
    `edge`, `error`, its 95 % limits `edge_low` and `edge_high`, and limits for all rows `family_low` and `family_high`;
    `p` and `p_family`;
    `mde`, the smallest edge that is found with power 0.8;
    `flag`;
    `judged`: whether the row has enough games; for a faction, also whether the games determine its strength.
    Edges are fractions.
    """
    tables, size = factions_at_tables(sheet), len(fit.beta)
    factions, shift = len(sheet.factions), len(sheet.factions) - 1
    first = model.contrasts(factions)
    edge = faction_edges(first @ fit.beta[:shift], tables)
    slopes = np.zeros((factions, size))
    slopes[:, :shift] = derivatives(lambda beta: faction_edges(first @ beta, tables), fit.beta[:shift])
    counts = np.bincount(sheet.faction[sheet.faction >= 0], minlength=factions)
    frame = {"table": ["faction"] * factions, "level": list(sheet.factions), "games": list(counts)}
    if sheet.seats:
        low = shift + bool((sheet.faction < 0).any())
        chosen = slice(low, low + sheet.seats - 1)
        second = model.contrasts(sheet.seats)
        edge = np.append(edge, seat_edges(second @ fit.beta[chosen], tables))
        own = np.zeros((sheet.seats, size))
        own[:, chosen] = derivatives(lambda beta: seat_edges(second @ beta, tables), fit.beta[chosen])
        slopes = np.vstack([slopes, own])
        frame["table"] += ["seat"] * sheet.seats
        frame["level"] += [f"seat {number + 1}" for number in range(sheet.seats)]
        frame["games"] += list(np.bincount(sheet.seat, minlength=sheet.seats))
    enough = np.array(frame["games"]) >= MIN_GAMES
    enough[:factions] &= determined(fit, strengths_of(sheet, fit), counts)
    return pl.DataFrame(frame).with_columns(**tested_estimates(edge, slopes, fit, enough, rate))


def determined(fit: PeopleFit, strengths: Floats, games: Integers) -> np.ndarray:
    """Tell for which factions the games determine a strength that is distinct from that of their players.

    The limits of an edge depend on its slope, which vanishes for a faction that never wins. The limits would then be
    narrow although little is known. The error of the log strength grows in this case. It is taken relative to all
    factions that are still kept. The faction with the largest error is dropped until no error is above `MOST_ERROR`. So
    one faction that never wins does not make the strengths of the others look unknown. `strengths` has each log
    strength as a linear combination of the fixed effects, shape (factions, effects).
    """
    kept = games >= MIN_GAMES
    while kept.sum() > 1:
        weights = np.where(kept, games, 0)
        against = strengths - weights @ strengths / weights.sum()
        variance = np.maximum(*(np.diag(against @ of @ against.T) for of in (fit.covariance, fit.clustered)))
        worst = int(np.argmax(np.where(kept, variance, -np.inf)))
        if variance[worst] <= MOST_ERROR**2:
            return kept
        kept = kept & (np.arange(len(kept)) != worst)
    return np.zeros(len(kept), np.bool_)


def strengths_of(sheet: LeagueGames, fit: PeopleFit, day: float = 0.0) -> Floats:
    """Return each faction's log strength as a linear combination of the fixed effects, shape (factions, effects).

    `day` runs from -0.5 (the first day of the league) to 0.5 (the last). If it is not 0, the fit must have slopes over
    time as its last effects.
    """
    first = model.contrasts(len(sheet.factions))
    rows = np.zeros((len(first), len(fit.beta)))
    rows[:, : first.shape[1]] = first
    if day:
        rows[:, -first.shape[1] :] = day * first
    return rows


def tested_estimates(
    edge: Floats, slopes: Floats, fit: PeopleFit, enough: np.ndarray, rate: float
) -> dict[str, pl.Series]:
    """Return errors, limits, tests and flags of estimates that are functions of the fixed effects.

    `edge` are the estimates and `slopes` their derivatives by the fixed effects, shape (estimates, effects). Only those
    that `enough` marks are tested, as one family. The error of an estimate is the larger of its error by the model and
    its error by clusters.
    """
    modelled, clustered = (slopes @ of @ slopes.T for of in (fit.covariance, fit.clustered))
    error = np.sqrt(np.maximum(np.diag(modelled), np.diag(clustered)))
    tested = enough & (error > 0) & np.isfinite(error)
    null = JointNull(correlations(modelled[np.ix_(tested, tested)])) if tested.any() else JointNull(np.eye(1))
    alone = null.level(rate)
    with np.errstate(invalid="ignore", divide="ignore"):
        p = np.where(tested, 2 * t_sf(np.abs(edge) / error, fit.freedom), np.nan)
    reach, own = (t_isf(level / 2, fit.freedom) for level in (alone, ALPHA))
    found = {
        "edge": edge, "error": error, "edge_low": edge - own * error, "edge_high": edge + own * error,
        "family_low": edge - reach * error, "family_high": edge + reach * error, "p": p, "p_family": null.chance(p),
        "mde": (reach + normal_ppf(POWER)) * error,
    }  # fmt: skip
    known = {name: pl.Series(np.where(tested | (name == "edge"), values, np.nan)).fill_nan(None)
             for name, values in found.items()}  # fmt: skip
    flag = np.where(tested & (p <= alone), np.where(edge > 0, "strong", "weak"), "")
    return known | {"flag": pl.Series(flag.astype(str), dtype=pl.String), "judged": pl.Series(tested)}


def plain_rates(league: League, sheet: LeagueGames) -> pl.DataFrame:
    """Return plain win rates of factions, with limits by clusters of players and events, and how often each is picked.

    Returns
    -------
    `level`, `games`, `people` (number of people who played the faction), `win_rate`, `low`, `high`, `fair`,
    `pick_rate` and `mean_score` (null without scores); the faction with most games first. A win is shared by those who
    tie for first place.
    """
    seats = league.seats.sort("date", "game", nulls_last=True, maintain_order=True)
    win, players = seats["win"].to_numpy(), seats["players"].to_numpy().astype(float)
    both = sheet.cluster * (sheet.person.max() + 1) + sheet.person
    rows = []
    for number, name in enumerate(sheet.factions):
        mine = sheet.faction == number
        share, count = float(win[mine].mean()), int(mine.sum())
        rest = np.where(mine, win - share, 0.0)[:, None] / count
        parts = [float(products(rest[mine], groups[mine])[0, 0]) for groups in (sheet.cluster, sheet.person, both)]
        plain = share * (1 - share) / count
        error = np.sqrt(max(parts[0] + parts[1] - parts[2], plain))
        reach = error * t_isf(ALPHA / 2, max(len(np.unique(sheet.cluster[mine])) - 1, 1))
        scores = seats["score"].filter(pl.Series(mine))
        rows.append({
            "level": name, "games": count, "people": len(np.unique(sheet.person[mine])), "win_rate": share,
            "low": max(share - reach, 0.0) if error > 0 else None,
            "high": min(share + reach, 1.0) if error > 0 else None,
            "fair": float((1 / players[mine]).mean()), "pick_rate": count / max(int((sheet.faction >= 0).sum()), 1),
            "mean_score": scores.mean() if scores.null_count() == 0 else None,
        })  # fmt: skip
    schema = {"level": pl.String, "mean_score": pl.Float64, "low": pl.Float64, "high": pl.Float64}
    return pl.DataFrame(rows, schema_overrides=schema).sort("games", "level", descending=[True, False])
