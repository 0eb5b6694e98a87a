"""Plays every table that some strategies can form, finds symmetric equilibria, and tests invaders on fresh deals."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from typing import Any

import numpy as np

from reports.data.load import check_company
from reports.formatting import count, counted
from reports.statistics.core.win_rate import Floats
from reports.statistics.strength.equilibria import Companies, companies_of, count_tables, symmetric_equilibria
from reports.statistics.strength.metagame import (
    BATCHES,
    TableWins,
    in_resamples,
    invader_rows,
    needed_tables,
    resampled_payoffs,
)
from reports.studies.players.metagame_report import Metagame
from reports.studies.search.block_sums import wins_by_block
from reports.studies.stretches import Bar, no_bar
from sim.data.arguments import cut, jobs_to_use
from sim.errors import UserError
from sim.players.batch import Plan, play
from sim.runs.config import RunConfig, make_plan
from sim.runs.progress import duration
from sim.runs.run import warm_up
from sim.runs.shards import in_order
from sim.runs.store.manifest import MAX_GAMES

TABLE_GAMES = 4_000
MAX_STRATEGIES, MAX_TABLES = 8, 1_000
TABLE_STRETCH_GAMES = 2_000
"""Approximate number of games in a worker's task. Sums do not depend on it."""
TRIAL_BLOCKS = 25
"""Number of blocks that are played to estimate how long all games take."""


def play_metagame(
    config: RunConfig,
    *,
    fresh: int | None = None,
    jobs: int = -1,
    say: Callable[[str], None] = lambda text: None,
    bar: Bar = no_bar,
) -> Metagame:
    """Play every table that some strategies can form, and find the mixtures that no strategy can beat.

    Parameters
    ----------
    config
        The game, the strategies to choose among, the number of players at the table, and the games of each table. Every
        table gets the same deals.
    fresh
        Games on fresh deals at each table where invaders are tried. By default as in `config`.

    Raises
    ------
    UserError
        There are fewer than two strategies, a strategy is named twice, there are more tables than can be played, or
        there are too few or too many games. Also raised by `make_plan`.
    """
    workers = jobs_to_use(jobs)
    plan = plan_of_tables(config)
    blocks = deals_for(config.games, plan.players, "games")
    fresh_blocks = blocks if fresh is None else deals_for(fresh, plan.players, "fresh")
    if (blocks + fresh_blocks) * plan.players > MAX_GAMES:
        most = f"at most {count(MAX_GAMES)} of each table, those on fresh deals among them"
        field, result = ("games", config.games) if fresh is None else ("fresh", fresh)
        raise UserError("too many games", field=field, found=result, allowed=most)
    companies = companies_of(len(plan.strategies), plan.players)
    (players,) = warm_up([plan], say)
    mixed = (companies.tables > 0).sum(axis=1) > 1
    games = int(mixed.sum()) * blocks * plan.players
    later = int(mixed.sum()) * fresh_blocks * plan.players
    say(metagame_cost(plan, players, companies, (games, later), workers))
    with bar(f"{counted(int(mixed.sum()), 'table')}", games) as advance:
        tables = play_tables(plan, players, companies, mixed, (0, blocks), workers, advance)
    equilibria = symmetric_equilibria(companies, tables.payoffs[None])[0]
    payoffs = resampled_payoffs(tables)
    supports = in_resamples(tables, equilibria, payoffs)
    needed = needed_tables(companies, [one.shares for one in equilibria]) & mixed
    with bar("invaders on fresh deals", int(needed.sum()) * fresh_blocks * plan.players) as advance:
        tried = play_tables(plan, players, companies, needed, (blocks, fresh_blocks), workers, advance)
    return Metagame(
        config=config,
        title=plan.game.title,
        tables=tables,
        equilibria=tuple(equilibria),
        supports=tuple(supports),
        resamples=len(payoffs),
        fresh=tried,
        invaders=tuple(invader_rows(tried, one.shares, len(equilibria)) for one in equilibria),
    )


def plan_of_tables(config: RunConfig) -> Plan:
    """Return a plan with all strategies of a configuration. Each table is later played with its own line-up.

    Raises UserError as `play_metagame` does.
    """
    plan = make_plan(config.model_copy(update={"assign": "rotate"}))
    check_company(plan.players, "a single player has no opponents; `simulate` compares strategies")
    names = [strategy.name for strategy in plan.strategies]
    if len(plan.lineup) > len(names):
        twice = next(names[entry] for entry in plan.lineup if plan.lineup.count(entry) > 1)
        message = "a strategy is named twice"
        raise UserError(message, field="strategies", found=twice, allowed="different strategies")
    if not 2 <= len(names) <= MAX_STRATEGIES:
        message, allowed = "too few or too many strategies", f"2 to {MAX_STRATEGIES} strategies"
        raise UserError(message, field="strategies", found=len(names), allowed=allowed)
    tables = count_tables(len(names), plan.players)
    if tables > MAX_TABLES:
        message = f"{len(names)} strategies make up {count(tables)} tables of {plan.players}, which is too many"
        allowed = f"at most {count(MAX_TABLES)} tables; fewer strategies or players"
        raise UserError(message, field="strategies", found=len(names), allowed=allowed)
    return plan


def deals_for(games: int, players: int, field: str) -> int:
    """Return the number of deals for these games. Each deal is played in all rotations of the seats.

    Raises UserError for fewer than two deals.
    """
    if games < 2 * players:
        message = "errors are estimated from differences between deals: play at least two"
        raise UserError(message, field=field, found=games, allowed=f"{2 * players} or more")
    return -(-games // players)


def metagame_cost(plan: Plan, players: Any, companies: Companies, games: tuple[int, int], workers: int) -> str:
    """Say how many games are left and about how long they take here.

    The time is estimated from a few games with all strategies in the line-up. `games` has the number of games on the
    first deals, and the largest number on fresh deals.
    """
    trial = replace(plan, lineup=tuple(range(len(plan.strategies))))
    clock = time.perf_counter()
    play(trial, players, 0, TRIAL_BLOCKS * plan.block_games)
    each = (time.perf_counter() - clock) / (TRIAL_BLOCKS * plan.block_games) / workers
    tables, (first, later) = len(companies.tables), games
    alike = len(plan.strategies)
    return (
        f"{counted(tables, 'table')} of {plan.players}, {count(tables - alike)} of them with more than one strategy: "
        f"{counted(first, 'game')}, then up to {count(later)} on fresh deals; about {duration(each * sum(games))} here"
    )


def play_tables(
    plan: Plan,
    players: Any,
    companies: Companies,
    needed: np.ndarray,
    deals: tuple[int, int],
    workers: int,
    progress: Callable[[int], None],
) -> TableWins:
    """Play tables, each on the same deals.

    Parameters
    ----------
    players
        Players, packed for compiled code, from `warm_up`.
    companies
        The tables, as numbers of seats of each strategy.
    needed
        Which tables to play, shape (tables,). Tables with one strategy only are never needed: there, everybody wins
        1/players.
    deals
        First deal and number of deals.
    """
    first, blocks = deals
    strategies, size = len(plan.strategies), plan.block_games
    batches = min(blocks, BATCHES)
    batch = np.arange(blocks) * batches // blocks
    wins, squares = np.zeros((batches, *companies.tables.shape)), np.zeros(companies.tables.shape)
    lineups = {place: tuple(np.repeat(np.arange(strategies), companies.tables[place]).tolist())
               for place in np.flatnonzero(needed).tolist()}  # fmt: skip
    stretches = [(place, *one) for place in lineups for one in cut(blocks, max(1, TABLE_STRETCH_GAMES // size))]

    def shares(place: int, at: int, many: int) -> Floats:
        table = replace(plan, lineup=lineups[place])
        return wins_by_block(table, players, (first + at) * size, many * size)

    with closing(in_order(shares, stretches, workers, plan.game)) as played:
        for (place, at, many), result in zip(stretches, played, strict=True):
            np.add.at(wins[:, place], batch[at : at + many], result)
            squares[place] += (result**2).sum(axis=0)
            progress(many * size)
    here = np.bincount(batch, minlength=batches).astype(np.float64)
    alone, own = np.nonzero(companies.tables == companies.players)
    wins[:, alone, own] = here[:, None] / companies.players
    squares[alone, own] = blocks / companies.players**2
    there = needed | (companies.tables == companies.players).any(axis=1)
    names = tuple(strategy.name for strategy in plan.strategies)
    return TableWins(names, companies, here, wins, squares, there)
