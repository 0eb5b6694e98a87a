"""Payoffs of strategies at every table, with errors by block, and how certain equilibria are.

A table is a multiset of strategies, one for each seat. All tables are played on the same deals. So a block is one
deal, played at all tables, and resamples draw whole deals.
The gain of an invader, a single seat with one strategy while the others play a mixture, is then measured on fresh
deals.

Sources, in full in `docs/statistics.md`: Efron and Tibshirani (1993, ch. 13) for resamples, Clopper and Pearson (1934)
for limits of a frequency among them, Sidak (1967) for limits that hold for all rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from reports.statistics.core.win_rate import (
    ALPHA,
    Floats,
    any_of,
    edge_columns,
    exact_limits,
    fair_share_test,
    family_limits,
    family_probability,
    known,
)
from reports.statistics.strength.equilibria import (
    Companies,
    Equilibrium,
    every_support,
    met,
    payoffs_by_company,
    symmetric_equilibria,
)

BATCHES = 1000
MIN_BATCHES = 20
"""With fewer batches than this, resamples would understate the uncertainty."""
RESAMPLES = 200
SEED = 1
HALF = 0.5
"""Part of the error rate for invaders, and part for rows of tables."""
MAX_SEARCHED = 4
"""Maximum number of strategies for which resamples are searched for every support. More would take minutes."""


@dataclass(frozen=True)
class TableWins:
    """The wins of seats at each table, where all tables play the same deals.

    `blocks` is the number of deals in each batch of consecutive deals, shape (batches,). `wins`, shape (batches,
    tables, strategies), is the win rate of a seat of each strategy at each table, summed over the deals of a batch. It
    is 0 for a strategy without a seat, and 1/players at a table of one strategy. `squares`, shape (tables, strategies),
    are the squares of these win rates, summed over all deals. `played`, shape (tables,), tells whether each table was
    played.
    """

    names: tuple[str, ...]
    companies: Companies
    blocks: Floats
    wins: Floats
    squares: Floats
    played: np.ndarray

    @property
    def payoffs(self) -> Floats:
        """Win rate of a seat of each strategy at each table; shape (tables, strategies)."""
        return np.asarray(self.wins.sum(axis=0) / self.blocks.sum())


def share_rows(tables: TableWins) -> pl.DataFrame:
    """Return the win rate of each strategy at each played table, with interval and test by block.

    Returns
    -------
    One row per table and strategy:
    `table` (its index), `strategy`, `seats`, `games` (seat-games) and `blocks`;
    `win_rate` with `low` and `high`; `null` (1/players);
    `edge` with `edge_low` and `edge_high`; `error`;
    `p`; `p_family`, the chance that any row has a p as small if all are fair;
    `family_low` and `family_high`, limits of the win rate that hold for all rows at once;
    `flag` ("strong" or "weak" if these limits exclude the fair share and the test agrees, else ""); `note`.
    At tables of one strategy, win rates are known without games and have no limits. The error rate of 5 % is divided:
    these rows get one half, those of `invader_rows` the other half.
    """
    companies, blocks = tables.companies, tables.blocks.sum()
    place, strategy = np.nonzero((companies.tables > 0) & tables.played[:, None])
    seats = companies.tables[place, strategy].astype(np.float64)
    rotated = seats * companies.players
    wins, squares = tables.wins.sum(axis=0)[place, strategy], tables.squares[place, strategy]
    mirror = seats == companies.players
    sizes = np.array([blocks, blocks, 1.0])
    m = edge_sums(companies.players, np.full(len(place), blocks), sizes, np.stack([wins, squares, wins]))
    edges = edge_columns(m)
    p = np.where(mirror, np.nan, fair_share_test(m, edges))
    rows = int(np.isfinite(p).sum()) / HALF
    p_family = any_of(p, rows)
    low, high = (np.where(mirror, np.nan, ends) for ends in family_limits(m, edges, family_probability(rows)))
    sure = (p_family < ALPHA) & ((low > 0) | (high < 0))
    flag = np.where(sure, np.where(edges["edge"] > 0, "strong", "weak"), "")
    note = np.where(mirror, "alike", np.where(blocks < 2, "one block", ""))
    columns = {name: edges[name] for name in ("win_rate", "null", "edge")}
    uncertain = ("low", "high", "edge_low", "edge_high", "error")
    columns |= {name: np.where(mirror, np.nan, edges[name]) for name in uncertain}
    return pl.DataFrame({
        "table": place, "strategy": [tables.names[i] for i in strategy], "seats": seats.astype(np.int64),
        "games": np.where(mirror, 0, rotated * blocks).astype(np.int64),
        "blocks": np.where(mirror, 0, blocks).astype(np.int64),
    }).with_columns(
        *known(columns | {"p": p, "p_family": p_family}),
        *known({"family_low": low + edges["null"], "family_high": high + edges["null"]}),
        pl.Series("flag", flag.astype(str), dtype=pl.String), pl.Series("note", note.astype(str), dtype=pl.String),
    )  # fmt: skip


def edge_sums(players: int, blocks: Floats, sizes: Floats, wins: Floats) -> dict[str, Floats]:
    """Return the sums over blocks that `win_rate.edge_columns` takes, for a win rate whose fair value is 1/players.

    Parameters
    ----------
    blocks
        Number of blocks, shape (rows,). All results have this shape.
    sizes
        sum(N_b), sum(N_b^2) and max(N_b), which are the same in all rows. N_b is the number of deals in a block, or in
        a batch that stands for a block.
    wins
        sum(W_b), sum(W_b^2) and sum(W_b N_b), where W_b is the number of wins in the same block; shape (3, rows).
    """
    fair, (n, nn, largest) = 1 / players, (np.full(len(blocks), size) for size in sizes)
    total, ww, wn = wins
    return {
        "blocks": blocks, "largest": largest, "N": n, "W": total, "E": fair * n, "NN": nn, "WW": ww, "WN": wn,
        "DD": ww - 2 * fair * wn + fair**2 * nn, "DN": wn - fair * nn,
    }  # fmt: skip


def resampled_payoffs(tables: TableWins, resamples: int = RESAMPLES) -> Floats:
    """Return the payoffs of resampled runs, each of whole deals drawn with replacement (Efron and Tibshirani 1993).

    Returns
    -------
    Payoffs, shape (resamples, tables, strategies). There are no resamples if there are fewer than `MIN_BATCHES`
    batches.
    """
    batches = len(tables.blocks)
    if batches < MIN_BATCHES:
        return np.empty((0, *tables.wins.shape[1:]))
    rng = np.random.default_rng(SEED)
    times = rng.multinomial(batches, np.full(batches, 1 / batches), resamples).astype(np.float64)
    drawn = (times @ tables.wins.reshape(batches, -1)).reshape(resamples, *tables.wins.shape[1:])
    return np.asarray(drawn / (times @ tables.blocks)[:, None, None])


@dataclass(frozen=True)
class Support:
    """How often resampled runs have an equilibrium with this support (the set of strategies that have a share in it).

    Attributes
    ----------
    members
        The strategies with a share.
    found
        Number of resamples that have an equilibrium with exactly these strategies.
    shares
        The shares of that equilibrium in each of these resamples; shape (found, strategies). If a resample has several,
        the one nearest to the equilibrium of the run counts.
    """

    members: tuple[int, ...]
    found: int
    shares: Floats


def in_resamples(tables: TableWins, equilibria: Sequence[Equilibrium], payoffs: Floats) -> list[Support]:
    """Search resampled payoffs for equilibria: those with the same support as an equilibrium of the run, and others.

    Returns
    -------
    The support of each equilibrium of the run. Then the supports that no equilibrium of the run has, the most frequent
    first.
    """
    sets = every_support(len(tables.names))
    own = [one.support for one in equilibria]
    tried = [one for one in sets if len(tables.names) <= MAX_SEARCHED or len(one) < 3 or one in own]
    found = symmetric_equilibria(tables.companies, payoffs, tried)
    same: dict[tuple[int, ...], list[list[Equilibrium]]] = {}
    for resample in found:
        by_support: dict[tuple[int, ...], list[Equilibrium]] = {}
        for one in resample:
            by_support.setdefault(one.support, []).append(one)
        for members, several in by_support.items():
            same.setdefault(members, []).append(several)
    there = []
    for one in equilibria:
        lots = same.get(one.support, [])
        near = [nearest_shares(lot, one.shares) for lot in lots]
        there.append(Support(one.support, len(lots), np.array(near).reshape(-1, len(tables.names))))
    strange = [Support(members, len(lots), np.array([lot[0].shares for lot in lots]))
               for members, lots in same.items() if members not in own]  # fmt: skip
    return there + sorted(strange, key=lambda one: -one.found)


def nearest_shares(equilibria: Sequence[Equilibrium], shares: Floats) -> Floats:
    """Return the shares of that one of `equilibria` which lies nearest to the mixture `shares`."""
    return min((one.shares for one in equilibria), key=lambda other: float(np.abs(other - shares).max()))


def frequency_limits(found: int, resamples: int) -> tuple[float, float]:
    """Return 95 % limits of a frequency among resamples (Clopper and Pearson 1934)."""
    low, high = exact_limits(np.array([found / resamples]), np.array([float(resamples)]))
    return float(low[0]), float(high[0])


def needed_tables(companies: Companies, mixtures: Sequence[Floats]) -> np.ndarray:
    """Tell which tables can arise if one seat plays any strategy and the others play a mixture; shape (tables,)."""
    needed = np.zeros(len(companies.tables), np.bool_)
    for shares in mixtures:
        needed[companies.joined[:, met(companies, shares) > 0]] = True
    return needed


def invader_rows(tables: TableWins, shares: Floats, equilibria: int = 1) -> pl.DataFrame:
    """Return the gain of a single seat of each strategy against a mixture, on fresh games.

    The win rate of the seat is the mean over tables, weighted by their probability under the mixture. Limits hold for
    all strategies and equilibria at once (Sidak 1967). So they also hold for the strategy that gains most.

    Parameters
    ----------
    shares
        Shares of the strategies in the mixture, shape (strategies,).
    equilibria
        Number of mixtures for which the limits must hold at once.

    Returns
    -------
    One row per strategy, the largest gain first: `strategy`, `share` (in the mixture), `win_rate`, `gain` (win rate
    minus 1/players) with `low` and `high`, `error`, and `note` (why there are no limits).
    """
    companies = tables.companies
    chance = met(companies, shares)
    wins, deals = payoffs_by_company(companies, tables.wins) @ chance, tables.blocks
    batches = len(deals)
    sizes = np.array([deals.sum(), deals @ deals, deals.max()])
    added = np.stack([wins.sum(axis=0), (wins**2).sum(axis=0), deals @ wins])
    m = edge_sums(companies.players, np.full(len(shares), float(batches)), sizes, added)
    edges = edge_columns(m)
    low, high = family_limits(m, edges, family_probability(len(shares) * equilibria / HALF))
    alone = np.isclose(shares, 1.0)  # a strategy gains nothing against itself
    note = np.where(alone, "all play it", np.where(batches < 2, "one block", ""))
    columns = {"share": shares, "win_rate": edges["win_rate"], "gain": edges["edge"]}
    limits = {"low": low, "high": high, "error": edges["error"]}
    columns |= {name: np.where(alone, np.nan, values) for name, values in limits.items()}
    return pl.DataFrame({"strategy": tables.names}).with_columns(
        *known(columns), pl.Series("note", note.astype(str), dtype=pl.String)
    ).sort(["gain", "strategy"], descending=[True, False])  # fmt: skip
