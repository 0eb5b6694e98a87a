"""Adjusted strength of seats, factions and strategies, estimated from whole finishing orders.

Raw win rates confound causes: a faction that strong players happened to hold looks strong. Here the log strength of a
cell (seat, faction, strategy) is a sum of effects. They are fitted to all finishing orders at once
(`reports.statistics.strength.plackett_luce`). `docs/statistics.md` has the formulas.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy.special import expit, logit

from reports.data.games import Integers
from reports.data.load import Run, as_run
from reports.statistics.core.win_rate import ALPHA, HOPELESS, Floats, one_family
from reports.statistics.distributions import t_ppf, t_sf
from reports.statistics.strength import plackett_luce as model
from reports.statistics.strength.played_tables import (
    CROSSED,
    FEWER_TABLES,
    MAX_TABLES,
    PAIR,
    FinishingOrders,
    Seating,
    crossed_effects,
    design_columns,
    grid_design,
    pack_orders,
    pair_surplus,
    played_tables,
    predicted_shares,
)
from sim.data.arguments import checks_arguments

# Minimum data for the errors of a fit (first two numbers), and for interactions.
MIN_BLOCKS = 20
BLOCKS_PER_MAIN_EFFECT = 3
CELL_GAMES = 50
CELL_WINS = 10
BLOCKS_PER_EFFECT = 14
MAX_CELLS = 4000
RARE = 30
"""If a level has fewer wins than this in a sample, the sample says little about its strength."""
FEW_OF = 4
"""If a run has more than this many times the games of a sample, its fit starts from the fit to the sample."""


SilenceKind = Literal[
    "too many cells", "one player", "nothing differs", "one level", "never meet", "go together", "too few blocks",
    "not converged",
    "pairs: too few wins", "pairs: too few games", "pairs: too few blocks", "pairs: not mixed", "pairs: left out",
]  # fmt: skip


@dataclass(frozen=True)
class Silence:
    """Why a strength cannot be estimated; `reports/sections/strength/ratings.py` turns the reason into words.

    Attributes
    ----------
    kind
        The reason. "pairs: ..." is about interactions of strategies and factions.
    number, needed
        How many blocks, cells or games the run has (which of these depends on `kind`), and how many are needed; 0 if
        not given. For "pairs: too few blocks" `needed` is the number of effects.
    """

    kind: SilenceKind
    factors: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    number: int = 0
    needed: int = 0


@dataclass(frozen=True)
class Strengths:
    """Adjusted strengths of a run.

    Attributes
    ----------
    frames
        By "faction", "seat", "strategy" and "strategy x faction", as far as they could be estimated:
        `level` (for pairs also `level2`) and `games`;
        from first places alone: `win_rate` at the tables that were played, with `low` and `high`; `fair`, the mean of
        1/players over the level's seat-games; `edge` = win_rate - fair, with `edge_low`, `edge_high`, `error`, `p`,
        `p_holm`, `family_low`, `family_high` and `flag` (all rows of all frames are one family);
        from whole finishing orders: `strength` (log scale, mean 0) and `strength_error`; `order_edge` with `order_low`
        and `order_high`, the edge that these strengths imply; `order_predicted`, the share that they imply in the games
        as played;
        without adjustment: `raw_share` and `raw_edge`;
        `note`.
        For pairs, `expected` is the share that the two levels imply without interaction, and edges are what the pair
        wins beyond it. Shares and edges are fractions. Rows are sorted by edge, best first.
    silences
        Reasons why strengths cannot be estimated.
    sizes
        Number of games by number of players.
    repeats
        For each factor, whether a level may occur twice at a table because levels were drawn seat by seat.
    orders, firsts
        The fit to whole orders and the fit to first places; None if there was no fit or one did not converge.
    """

    frames: dict[str, pl.DataFrame]
    silences: tuple[Silence, ...]
    sizes: dict[int, int]
    repeats: dict[str, bool]
    blocks: int
    orders: model.Fit | None = None
    firsts: model.Fit | None = None


@checks_arguments
def fit_strengths(run: Run | str | os.PathLike[str], ridge: float = model.RIDGE, rate: float = ALPHA) -> Strengths:
    """Fit strengths of seats, factions and strategies to the finishing orders of a run.

    The fit is deterministic. It needs bounded memory and, for a large run, a temporary file of about 3 bytes per
    seat-game.

    Parameters
    ----------
    run
        From `load_run`, or its folder.
    ridge
        Precision of the prior on every effect, see `plackett_luce.fit_orders`.
    rate
        Probability that any row is wrongly flagged.
    """
    return fit_table(pack_orders(as_run(run)), ridge, rate=rate)


def fit_table(
    table: FinishingOrders, ridge: float = model.RIDGE, resamples: int = 1000, rate: float = ALPHA
) -> Strengths:
    """Fit strengths to the finishing orders in `table`; see `fit_strengths`."""
    varied = [factor for factor, levels in table.levels.items() if len(levels) > 1]
    silences = [Silence("one level", (factor,), (levels[0],)) for factor, levels in table.levels.items()
                if factor not in varied]  # fmt: skip

    def without_fit(kind: SilenceKind, number: int = 0) -> Strengths:
        return Strengths({}, (Silence(kind, number=number), *silences), table.sizes, {}, table.blocks)

    if table.orders.cells > MAX_CELLS:
        return without_fit("too many cells", table.orders.cells)
    if max(table.sizes) < 2 or not varied:
        return without_fit("one player" if max(table.sizes) < 2 else "nothing differs")
    ahead, meetings = model.count_pairs(table.orders, list(table.sizes))
    together = np.sum(meetings, axis=0)
    bases = design_columns(table, {factor: table.place[factor] for factor in varied})
    known, reasons = tell_apart(bases, together)
    paired = often_enough(table)
    crossed, reason = crossing(table, bases, together, paired)
    if crossed is not None:
        bases[CROSSED] = crossed
    silences += [*reasons, *([] if reason is None else [reason])]
    design = np.concatenate(list(bases.values()), axis=1)
    apart = term_slices(bases).get("seat", model.NOTHING)
    orders = model.fit_orders(table.orders, design, ridge, model.fit_pairs(design, ahead, ridge), apart=apart)
    # The fit to first places may lie far from the fit to whole orders. In a large run, fit first places on a sample,
    # and start the fit to all games from that result.
    sample, near = table.samples[MAX_TABLES], orders.beta
    if sum(table.sizes.values()) > FEW_OF * sum(len(part.batch) for part in sample):
        fit = model.fit_orders(sample, design, ridge, near, True, apart)
        near = fit.beta + moved_by_wins(table, sample, fit.predicted, term_slices(bases))
    firsts = model.fit_orders(table.orders, design, ridge, near, True, apart)
    if not (orders.converged and firsts.converged):
        return without_fit("not converged", model.STEPS)
    needed = max(MIN_BLOCKS, BLOCKS_PER_MAIN_EFFECT * design.shape[1])
    if table.blocks < needed:
        silences.append(Silence("too few blocks", number=table.blocks, needed=needed))
    samples = Samples(
        orders, firsts, *resample_fits(table, orders, firsts, resamples), term_slices(bases),
        grid_design(table, list(bases), paired), paired, table.blocks < needed,
    )  # fmt: skip
    tables = {factor: played_tables(table, factor, meetings) for factor in known}
    repeats = {factor: not all(one.swaps for one in seating) for factor, seating in tables.items()}
    fewer = {factor: played_tables(table, factor, meetings, FEWER_TABLES) for factor in known}
    frames = {factor: level_frame(table, factor, samples, tables[factor], fewer[factor], ahead) for factor in known}
    if crossed is not None and set(PAIR) <= set(known):
        frames[CROSSED] = pair_frame(table, samples, fewer["faction"])
    judged = one_family(list(frames.values()), blocks=table.orders.batches, rate=rate)
    frames = dict(zip(frames, judged, strict=True))
    return Strengths(frames, tuple(silences), table.sizes, repeats, table.blocks, orders, firsts)


def moved_by_wins(
    table: FinishingOrders, sample: list[model.Orders], predicted: Floats, columns: dict[str, slice]
) -> Floats:
    """Return changes to the parameters of a fit to a sample that correct the strengths of levels that rarely win.

    The changes move a level from the win rate that the fit predicts for it (`predicted` has the wins of each cell) to
    its win rate in all games. A level that hardly ever wins may not win at all in the sample. From its fitted strength,
    Newton's method would take many steps.
    """
    seated = np.sum([np.bincount(part.cell, minlength=len(predicted)) for part in sample], axis=0)
    change = np.zeros(max(part.stop for part in columns.values()))
    for factor, place in table.place.items():
        if factor in columns:
            told, here, won, games = (np.bincount(place, of) for of in (predicted, seated, table.wins, table.games))
            rare = (told > 0) & (told < RARE) & (won > 0)
            moved = np.where(rare, np.log(np.where(rare, won / games, 1) / np.where(rare, told / here, 1)), 0.0)
            change[columns[factor]] = moved @ model.contrasts(len(moved))
    return change


@dataclass(frozen=True)
class Samples:
    """The fits to whole orders and to first places, with resamples of their parameters.

    `order_draws` and `first_draws`, shape (1 + resamples, parameters), have the fit in the first row, its resamples
    below. `columns` are the slices of the parameters of each term. `design`, shape (grid, parameters), is from
    `grid_design`. `paired` are the strategies with interactions, from `often_enough`. `few` tells whether there are too
    few blocks for intervals.
    """

    orders: model.Fit
    firsts: model.Fit
    order_draws: Floats
    first_draws: Floats
    columns: dict[str, slice]
    design: Floats
    paired: Integers
    few: bool


def resample_fits(
    table: FinishingOrders, orders: model.Fit, firsts: model.Fit, resamples: int
) -> tuple[Floats, Floats]:
    """Return `Samples.order_draws` and `first_draws`; a block counts as players - 1 independent comparisons."""
    places = sum((players - 1) * games for players, games in table.sizes.items())
    contrasts = places * table.blocks / sum(table.sizes.values())
    one, other = (np.vstack([fit.beta, model.resample(fit, contrasts, resamples)]) for fit in (orders, firsts))
    return one, other


def term_slices(bases: dict[str, Floats]) -> dict[str, slice]:
    """Return the slice of parameters of each term; `bases` has the design columns of each."""
    ends = np.cumsum([basis.shape[1] for basis in bases.values()]).tolist()
    return {name: slice(end - basis.shape[1], end) for (name, basis), end in zip(bases.items(), ends, strict=True)}


def tell_apart(bases: dict[str, Floats], together: Floats) -> tuple[list[str], list[Silence]]:
    """Return the factors whose effects are identified, and the reasons why the other factors' effects are not.

    A factor is not identified if one of `plackett_luce.unknown_directions` has a component in the factor's parameters.
    """
    unknown = model.unknown_directions(list(bases.values()), together)
    parts = {name: np.abs(unknown[columns]).max(initial=0) > 1e-6 for name, columns in term_slices(bases).items()}
    lost = [name for name, part in parts.items() if part]
    apart = [name for name in lost if model.unknown_directions([bases[name]], together).shape[1]]
    reasons = [Silence("never meet", (name,)) for name in apart]
    if len(lost) > 1 and not reasons:
        reasons = [Silence("go together", tuple(lost))]
    return [name for name in bases if name not in lost], reasons


def often_enough(table: FinishingOrders) -> Integers:
    """Return the strategies with enough wins and losses for interactions: at least `CELL_WINS` of each per faction.

    Hopeless strategies are left out. Interactions of pairs that hardly ever won would rest on the prior. As effects sum
    to zero, they would also move all other interactions.
    """
    if not set(PAIR) <= set(table.levels):
        return np.zeros(0, np.int64)
    strategies, factions = (len(table.levels[factor]) for factor in PAIR)
    sums = (table.wins, table.games, table.fair)
    wins, games, fair = (np.bincount(table.place["strategy"], of, strategies) for of in sums)
    enough = np.minimum(wins, games - wins) >= CELL_WINS * factions
    return np.flatnonzero(enough & (wins >= HOPELESS * fair))


def crossing(
    table: FinishingOrders,
    bases: dict[str, Floats],
    together: Floats,
    paired: Integers,
) -> tuple[Floats | None, Silence | None]:
    """Return the design columns of the interactions of strategies and factions, and the reason if any are missing.

    The columns are None if no interactions can be estimated. The effects sum to zero over the `paired` strategies for
    each faction, and over the factions for each strategy.
    """
    if not set(PAIR) <= set(bases):
        return None, None
    if len(paired) < 2:
        return None, Silence("pairs: too few wins")
    crossed = crossed_effects(table, table.place, paired)
    shape = tuple(len(table.levels[factor]) for factor in PAIR)
    games = np.zeros(shape)
    np.add.at(games, (table.place["strategy"], table.place["faction"]), table.games)
    effects = sum(basis.shape[1] for basis in bases.values()) + crossed.shape[1]
    least = int(games[paired].min())
    if least < CELL_GAMES:
        return None, Silence("pairs: too few games", number=least, needed=CELL_GAMES)
    if table.blocks < BLOCKS_PER_EFFECT * effects:
        return None, Silence("pairs: too few blocks", number=table.blocks, needed=effects)
    main = model.unknown_directions(list(bases.values()), together)
    if model.unknown_directions([*bases.values(), crossed], together).shape[1] > main.shape[1]:
        return None, Silence("pairs: not mixed")
    left = [name for place, name in enumerate(table.levels["strategy"]) if place not in paired]
    return crossed, Silence("pairs: left out", names=tuple(left)) if left else None


def level_frame(
    table: FinishingOrders,
    factor: str,
    samples: Samples,
    tables: list[Seating],
    fewer: list[Seating],
    ahead: Floats,
) -> pl.DataFrame:
    """Return strength, share, edge, interval and test of every level.

    Shares by first places use `tables`; shares by whole orders use `fewer` tables.
    """
    levels, columns = table.levels[factor], samples.columns[factor]
    batches = table.orders.batches
    which = np.eye(len(levels))[table.place[factor]]
    others = which.T @ ahead @ which
    np.fill_diagonal(others, 0.0)
    # The strength of a level that was never ahead of any other, or never behind any other, is not finite.
    lopsided = (others.sum(axis=0) == 0) | (others.sum(axis=1) == 0)
    silent = lopsided | samples.few
    effects = samples.order_draws[:, columns] @ model.contrasts(len(levels)).T
    fair = (which.T @ table.fair) / (which.T @ table.games)
    share, low, high, error, p = adjusted_limits(
        *predicted_shares(samples.first_draws, samples.design, tables, len(levels)), fair, batches, silent
    )
    order_share, order_low, order_high, _, _ = adjusted_limits(
        *predicted_shares(samples.order_draws, samples.design, fewer, len(levels)), fair, batches, silent
    )
    found = {
        "win_rate": share, "low": low, "high": high, "fair": fair,
        "edge": share - fair, "edge_low": low - fair, "edge_high": high - fair,
        "error": error, "p": p,
        "strength": effects[0], "strength_error": np.where(silent, np.nan, effects[1:].std(axis=0)),
        "order_edge": order_share - fair,
        "order_low": order_low - fair, "order_high": order_high - fair,
    }  # fmt: skip
    note = np.where(samples.few, "too few blocks", np.where(lopsided, "always or never ahead", ""))
    counts = counted_levels(table, table.place[factor], samples.orders.predicted)
    return assemble_frame(found, counts, {"level": levels, "level2": [None] * len(levels)}, note)


def adjusted_limits(
    share: Floats, error: Floats, fair: Floats, batches: int, silent: NDArray[np.bool_]
) -> tuple[Floats, Floats, Floats, Floats, Floats]:
    """Return intervals and tests of shares against fair shares, by Student's t on the scale of log odds.

    Parameters
    ----------
    share, error
        From `predicted_shares`, shape (levels,).
    fair
        Mean of 1 / players over the seat-games of each level, shape (levels,).
    silent
        Levels that get no interval.

    Returns
    -------
    Share, lower limit, upper limit, standard error of the share, and p-value; NaN if unknown.
    """
    inside = np.clip(share, 1e-12, 1 - 1e-12)
    odds, spread = logit(inside), np.where(silent, np.nan, error)
    degrees = max(batches - 1, 1)
    slack = spread / (inside * (1 - inside))
    reach = float(t_ppf(1 - ALPHA / 2, degrees)) * slack
    p = 2 * t_sf(np.abs(odds - logit(fair)) / slack, degrees)
    return share, expit(odds - reach), expit(odds + reach), spread, p


def counted_levels(table: FinishingOrders, group: Integers, predicted: Floats) -> dict[str, Floats]:
    """Return seat-games, raw share, raw edge and predicted share by group; `group` has the group of each cell."""
    games, wins, fair, told = (
        np.bincount(group, values).astype(np.float64) for values in (table.games, table.wins, table.fair, predicted)
    )
    return {
        "games": games, "raw_share": wins / games, "raw_edge": (wins - fair) / games, "order_predicted": told / games,
    }  # fmt: skip


def assemble_frame(
    found: dict[str, Floats], counts: dict[str, Floats], levels: dict[str, list[Any]], note: NDArray[np.str_]
) -> pl.DataFrame:
    """Return one frame with the columns of `levels`, `found` and `counts` and the notes, best edge first."""
    names = {name: pl.Series(values, dtype=pl.String) for name, values in levels.items()}
    numbers = {name: pl.Series(column, nan_to_null=True) for name, column in {**found, **counts}.items()}
    frame = pl.DataFrame({**names, **numbers, "note": note.astype(str)})
    ordered = frame.sort(["edge", "level", "level2"], descending=[True, False, False])
    return ordered.with_columns(pl.col("games").cast(pl.Int64))


def pair_frame(table: FinishingOrders, samples: Samples, tables: list[Seating]) -> pl.DataFrame:
    """Return the interactions of strategies and factions; see `Strengths`. `tables` are those of the factions."""
    shape = [len(table.levels[factor]) for factor in PAIR]
    first, second = np.divmod(np.arange(shape[0] * shape[1]), shape[1])
    shown = np.flatnonzero(np.isin(first, samples.paired))
    main = samples.design.copy()
    main[:, samples.columns[CROSSED]] = 0.0
    facts = (samples.design, main, tables, table.place["strategy"].astype(np.int64), shape)
    share, expected, error = (of[shown] for of in pair_surplus(samples.first_draws, *facts))
    order_share, order_expected, order_error = (of[shown] for of in pair_surplus(samples.order_draws, *facts))
    grid = {"seat": np.zeros_like(first), "strategy": first, "faction": second}
    effects = crossed_effects(table, grid, samples.paired)[shown]
    strengths = samples.order_draws[:, samples.columns[CROSSED]] @ effects.T
    edge, order_edge, degrees = share - expected, order_share - order_expected, table.orders.batches - 1
    reach = float(t_ppf(1 - ALPHA / 2, degrees))
    found = {
        "win_rate": share, "expected": expected,
        "edge": edge, "edge_low": edge - reach * error, "edge_high": edge + reach * error, "error": error,
        "p": 2 * t_sf(np.abs(edge) / error, degrees),
        "strength": strengths[0], "strength_error": strengths[1:].std(axis=0),
        "order_edge": order_edge,
        "order_low": order_edge - reach * order_error, "order_high": order_edge + reach * order_error,
    }  # fmt: skip
    names = {
        "level": [table.levels["strategy"][first[i]] for i in shown],
        "level2": [table.levels["faction"][second[i]] for i in shown],
    }
    group = table.place["strategy"] * shape[1] + table.place["faction"]
    counts = counted_levels(table, group, samples.orders.predicted)
    return assemble_frame(found, {name: of[shown] for name, of in counts.items()}, names, np.full(len(edge), ""))
