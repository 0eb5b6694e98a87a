"""Adjusted strength: what seat, faction and strategy are worth when all else is equal, from whole finishing orders.

Raw win shares mix causes: a faction that strong players happened to hold looks strong. Here every seat-game is a cell
(seat, faction, strategy) whose log strength is a sum of effects, fitted to all finishing orders at once
(`reports.statistics.plackett_luce`). `docs/statistics.md` holds the formulas.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import matplotlib as mpl
import numpy as np
import polars as pl
from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter, MaxNLocator
from numpy.typing import NDArray
from scipy import stats
from scipy.special import expit, logit

from reports.data.games import read_games
from reports.data.load import Run, level_names
from reports.shapes import Column, Listing, Picture, Section
from reports.statistics import plackett_luce as model
from reports.statistics.winshare import ALPHA, holm
from reports.words import capital, counted, decimals, edge_words, half_width, percent, plural, points, size, typeset

FACTORS = ("faction", "seat", "strategy")
PAIR = ("strategy", "faction")
CROSSED = "strategy x faction"
BATCHES = 400
# Below these the errors of a fit say little, and of an interaction nothing.
FEWEST_BLOCKS = 20
BLOCKS_PER_MAIN_EFFECT = 3
CELL_GAMES = 50
BLOCKS_PER_EFFECT = 14
MOST_CELLS = 4000
# A predicted win share further than this from the one seen is called a poor description.
POOR = 0.01
REACH = 0.005
# Half an interval narrower than this would be written as 0.00 points.
NARROWEST = 0.00005

FloatArray = NDArray[np.float64]
IntegerArray = NDArray[np.int64]


@dataclass(frozen=True)
class Table:
    """The finishing orders of a run and what its cells are.

    Attributes
    ----------
    orders
        Games for `reports.statistics.plackett_luce`.
    levels
        Names of the levels that occur, by factor.
    place
        Place of each cell's level in `levels`, by factor, shape (cells,).
    games, wins, fair
        Per cell: seat-games, wins (ties split), and the sum of 1/players.
    sizes
        Games by number of players.
    seated
        Seat-games of each cell at tables of each of `sizes`, shape (sizes, cells).
    blocks
        Number of blocks.
    """

    orders: model.Orders
    levels: dict[str, list[str]]
    place: dict[str, IntegerArray]
    games: FloatArray
    wins: FloatArray
    fair: FloatArray
    sizes: dict[int, int]
    seated: FloatArray
    blocks: int


@dataclass(frozen=True)
class Strengths:
    """Adjusted strengths of a run.

    Attributes
    ----------
    frames
        By "faction", "seat", "strategy" and "strategy x faction", as far as they could be told: `level` (and `level2`),
        `games`; from first places alone `win_share` at an average table with `low` and `high`, `fair`, the mean of
        1/players over the level's seat-games, `edge` over it with `edge_low`, `edge_high`, `error`, `p`, `p_holm`,
        `flag`; from whole finishing orders `strength` (log scale, mean 0), `strength_error`, and `order_edge` with
        `order_low` and `order_high`, the edge that these strengths promise; `raw_share` and `raw_edge`, counted without
        adjustment; `order_predicted`, the share that the whole orders promise in the games as they were played; `note`.
        For pairs `expected` is the share that the levels promise one by one, and the edges are what the pair wins
        beyond it. Shares and edges are fractions; best edge first.
    silences
        Why something cannot be said.
    sizes
        Games by number of players. Average tables have these sizes, each as often as the level sat at it.
    repeats
        Whether levels of a table are drawn by lot with replacement, by factor: they were not shared evenly.
    blocks
        Number of blocks.
    orders, firsts
        The fits to whole orders and to first places; None where there is nothing to compare.
    """

    frames: dict[str, pl.DataFrame]
    silences: tuple[str, ...]
    sizes: dict[int, int]
    repeats: dict[str, bool]
    blocks: int
    orders: model.Fit | None = None
    firsts: model.Fit | None = None


def fit_strengths(run: Run, ridge: float = model.RIDGE) -> Strengths:
    """Fit strengths of seats, factions and strategies to the finishing orders of a run.

    Takes 3 bytes per seat-game beside a stretch of rows; deterministic.

    Parameters
    ----------
    run
        From `load_run`.
    ridge
        Precision of the prior on every effect, see `plackett_luce.fit_orders`.
    """
    return fit_table(gather(run), run.manifest["faction_title"], ridge)


def gather(run: Run) -> Table:
    """Read the finishing orders of a run into packed arrays."""
    names = {kind: level_names(run.manifest, kind) for kind in ("faction", "strategy")}
    factions, strategies = len(names["faction"]), len(names["strategy"])
    codes, ranks, starts, blocks, rows = [], [], [], [], 0
    for games in read_games(run):
        codes.append(((games.seat * factions + games.faction) * strategies + games.strategy).astype(np.int32))
        ranks.append(games.rank.astype(np.int8))
        first = np.flatnonzero(np.diff(games.game, prepend=-1))
        starts.append(first + rows)
        blocks.append(games.block[first])
        rows += len(games.rank)
    code, start, block = np.concatenate(codes), np.append(np.concatenate(starts), rows), np.concatenate(blocks)
    seat, rest = np.divmod(np.arange(model.MOST_SEATS * factions * strategies), factions * strategies)
    faction, strategy = np.divmod(rest, strategies)
    names["seat"] = [f"seat {number}" for number in range(model.MOST_SEATS)]
    return tabulate(
        code, np.concatenate(ranks), start, block, {"seat": seat, "faction": faction, "strategy": strategy}, names
    )


def tabulate(
    code: NDArray[np.int32],
    rank: NDArray[np.int8],
    start: IntegerArray,
    block: IntegerArray,
    parts: dict[str, IntegerArray],
    names: dict[str, list[str]],
) -> Table:
    """Number the cells that occur, put blocks into batches, and count wins.

    Parameters
    ----------
    code, rank
        Cell and place of every seat-game, games after each other.
    start
        Where each game begins, shape (games + 1,).
    block
        Block of each game.
    parts
        Level of every cell, by factor.
    names
        Names of the levels, by factor.
    """
    seen = np.bincount(code, minlength=len(parts["seat"])) > 0
    cell = (np.cumsum(seen) - 1).astype(np.int32)[code]
    batch = (block % BATCHES).astype(np.int32)
    used = np.bincount(batch, minlength=BATCHES) > 0
    batch = (np.cumsum(used) - 1).astype(np.int32)[batch]
    orders = model.Orders(cell, rank, start, batch, int(seen.sum()), int(used.sum()))
    levels, place = {}, {}
    for factor in FACTORS:
        found, where = np.unique(parts[factor][seen], return_inverse=True)
        levels[factor], place[factor] = [names[factor][level] for level in found], where
    wins, fair = np.zeros(orders.cells), np.zeros(orders.cells)
    model.add_wins(cell, rank, start, wins, fair)
    played = np.bincount(np.diff(start))
    sizes = {int(players): int(played[players]) for players in np.flatnonzero(played)}
    seated = np.stack(
        [np.bincount(model.of_size(orders, players).cell, minlength=orders.cells) for players in sizes]
    ).astype(np.float64)
    return Table(orders, levels, place, seated.sum(axis=0), wins, fair, sizes, seated, len(np.unique(block)))


def fit_table(table: Table, title: str = "faction", ridge: float = model.RIDGE, resamples: int = 1000) -> Strengths:
    """Fit the strengths of a table; see `fit_strengths`. `title` is what a faction is called."""
    nouns = {"seat": "seat", "faction": title, "strategy": "strategy"}
    varied = [factor for factor in FACTORS if len(table.levels[factor]) > 1]
    silences = [only_words(table, factor, nouns) for factor in FACTORS if factor not in varied]
    nothing = Strengths({}, (), table.sizes, {}, table.blocks)
    if max(table.sizes) < 2 or not varied or table.orders.cells > MOST_CELLS:
        return stopped(nothing, table, silences)
    pairs = [model.count_pairs(model.of_size(table.orders, players)) for players in table.sizes]
    ahead, meetings = np.sum([pair[0] for pair in pairs], axis=0), [pair[1] for pair in pairs]
    together = np.sum(meetings, axis=0)
    bases = effects_of(table, {factor: table.place[factor] for factor in varied})
    known, reasons = tell_apart(bases, together, nouns)
    crossed, reason = crossing(table, bases, together, nouns)
    if crossed is not None:
        bases[CROSSED] = crossed
    silences += [*reasons, *([reason] if reason else [])]
    design = np.concatenate(list(bases.values()), axis=1)
    orders = model.fit_orders(table.orders, design, ridge, model.fit_pairs(design, ahead, ridge))
    firsts = model.fit_orders(table.orders, design, ridge, orders.beta, first_only=True)
    needed = max(FEWEST_BLOCKS, BLOCKS_PER_MAIN_EFFECT * design.shape[1])
    if table.blocks < needed:
        silences.append(
            f"The run has {counted(table.blocks, 'block')}: too few for intervals of adjusted strengths, which need "
            f"{needed}."
        )
    samples = Samples(orders, firsts, *draw(table, orders, firsts, resamples), split(bases), table.blocks < needed)
    tables = {factor: average_tables(table, factor, list(bases), meetings) for factor in known}
    repeats = {factor: any(one.groups is None for one in seating) for factor, seating in tables.items()}
    frames = {factor: level_frame(table, factor, samples, tables[factor], ahead) for factor in known}
    if crossed is not None and set(PAIR) <= set(known):
        frames[CROSSED] = pair_frame(table, samples)
    return Strengths(frames, tuple(silences), table.sizes, repeats, table.blocks, orders, firsts)


@dataclass(frozen=True)
class Samples:
    """Both fits and their resamples.

    Attributes
    ----------
    orders, firsts
        Fits to whole orders and to first places.
    order_draws, first_draws
        Parameters, the fit in the first row and its resamples below, shape (1 + resamples, p).
    columns
        Where the parameters of each term stand.
    few
        Whether there are too few blocks for intervals.
    """

    orders: model.Fit
    firsts: model.Fit
    order_draws: FloatArray
    first_draws: FloatArray
    columns: dict[str, slice]
    few: bool


@dataclass(frozen=True)
class Seating:
    """Average tables of one size, for the levels of one factor.

    Attributes
    ----------
    players
        Seats at the table.
    levels
        Levels that sat at such tables of the run, shape (levels,).
    weight
        Share of each level's seat-games that were played there, shape (levels,).
    design, mix
        Everything else that a seat there may have, see `average_table`.
    groups
        Who may sit there together, see `companies`.
    """

    players: int
    levels: IntegerArray
    weight: FloatArray
    design: FloatArray
    mix: FloatArray
    groups: FloatArray | None


def draw(table: Table, orders: model.Fit, firsts: model.Fit, resamples: int) -> tuple[FloatArray, FloatArray]:
    """Resample both fits with the same batches.

    The games of a block have the same players, so that it tells players - 1 contrasts at most, however many games it
    holds.
    """
    places = sum((players - 1) * games for players, games in table.sizes.items())
    contrasts = places * table.blocks / sum(table.sizes.values())
    one, other = (np.vstack([fit.beta, model.resample(fit, contrasts, resamples)]) for fit in (orders, firsts))
    return one, other


def stopped(nothing: Strengths, table: Table, silences: list[str]) -> Strengths:
    """A result without a fit, and why there is none."""
    if table.orders.cells > MOST_CELLS:
        cells = counted(table.orders.cells, "combination")
        reason = f"Strengths are not adjusted: the run has {cells} of seats and players."
    elif max(table.sizes) < 2:
        reason = "Every game has one player: there are no finishing orders to learn from."
    else:
        reason = "Nothing differs between the seats of this run but luck."
    return Strengths({}, (reason, *silences), nothing.sizes, {}, nothing.blocks)


def only_words(table: Table, factor: str, nouns: dict[str, str]) -> str:
    """Say that a factor has one level and so no strength to be compared."""
    return f"Every seat has the same {nouns[factor]}, {table.levels[factor][0]}: nothing to adjust for or to compare."


def split(bases: dict[str, FloatArray]) -> dict[str, slice]:
    """Where the parameters of each term stand."""
    ends = np.cumsum([basis.shape[1] for basis in bases.values()]).tolist()
    return {name: slice(end - basis.shape[1], end) for (name, basis), end in zip(bases.items(), ends, strict=True)}


def effects_of(table: Table, place: dict[str, IntegerArray]) -> dict[str, FloatArray]:
    """Columns of the effects of each factor, for cells of these levels."""
    return {factor: model.contrasts(len(table.levels[factor]))[levels] for factor, levels in place.items()}


def crossed_effects(bases: dict[str, FloatArray]) -> FloatArray:
    """Columns of the effects of pairs: all products of a column of one factor with one of the other."""
    first, second = (bases[factor] for factor in PAIR)
    return (first[:, :, None] * second[:, None, :]).reshape(len(first), -1)


def tell_apart(
    bases: dict[str, FloatArray], together: FloatArray, nouns: dict[str, str]
) -> tuple[list[str], list[str]]:
    """Factors whose effects the orders can tell from all others, and a sentence on each that they cannot.

    A factor is unknown where a direction of the null space of the information (`plackett_luce.comparison`) has a part
    in it: then some of its effects could be moved without a change in any chance.
    """
    unknown = model.unknown_directions(model.comparison(np.concatenate(list(bases.values()), axis=1), together))
    parts = {name: np.abs(unknown[columns]).max(initial=0) > 1e-6 for name, columns in split(bases).items()}
    lost = [name for name, part in parts.items() if part]
    if not lost:
        return list(bases), []
    reasons = []
    for name in lost:
        alone = model.unknown_directions(model.comparison(bases[name], together))
        if alone.shape[1]:
            several = plural(nouns[name])
            reasons.append(
                f"Not all {several} can be compared: some never meet others at a table, even by way of third ones."
            )
    if len(lost) > 1 and not reasons:
        joined = f"{', '.join(nouns[name] for name in lost[:-1])} and {nouns[lost[-1]]}"
        reasons.append(
            f"{capital(joined)} go together in this run, wholly or in part: their strengths cannot be told apart and "
            "are not given."
        )
    return [name for name in bases if name not in lost], reasons


def crossing(
    table: Table, bases: dict[str, FloatArray], together: FloatArray, nouns: dict[str, str]
) -> tuple[FloatArray | None, str]:
    """Columns of the strategy x faction effects, or None and why there are none.

    The effects have sum zero over the strategies of each faction and over the factions of each strategy.
    """
    if not set(PAIR) <= set(bases):
        return None, ""
    crossed = crossed_effects(bases)
    shape = tuple(len(table.levels[factor]) for factor in PAIR)
    games = np.zeros(shape)
    np.add.at(games, (table.place["strategy"], table.place["faction"]), table.games)
    effects = sum(basis.shape[1] for basis in bases.values()) + crossed.shape[1]
    what = f"Whether a strategy suits a {nouns['faction']} is not judged"
    if games.min() < CELL_GAMES:
        return None, f"{what}: a pair of them has {int(games.min())} games, and {CELL_GAMES} are needed."
    if table.blocks < BLOCKS_PER_EFFECT * effects:
        return None, f"{what}: {counted(table.blocks, 'block')} are too few for {effects} effects."
    main = model.unknown_directions(model.comparison(np.concatenate(list(bases.values()), axis=1), together))
    both = np.concatenate([*bases.values(), crossed], axis=1)
    if model.unknown_directions(model.comparison(both, together)).shape[1] > main.shape[1]:
        return None, f"{what}: the run does not mix them enough to tell it from other effects."
    return crossed, ""


def one_sided(ahead: FloatArray) -> NDArray[np.bool_]:
    """Levels that never finished ahead of another level, or never behind one: their strength has no finite estimate."""
    others = ahead - np.diag(np.diag(ahead))
    return (others.sum(axis=0) == 0) | (others.sum(axis=1) == 0)


def companies(levels: FloatArray, games: FloatArray, together: FloatArray, players: int) -> FloatArray | None:
    """Groups of levels that never meet at a table of the run, such as the two sides of one board.

    Parameters
    ----------
    levels
        Which level each cell has, 0 or 1, shape (cells, levels).
    games
        Seat-games of each cell at tables of this size.
    together
        How often cells met at tables of this size, from `plackett_luce.count_pairs`.
    players
        The size.

    Returns
    -------
    How frequent each level is in its group, shape (groups, levels), 0 in others; None where levels were not shared as
    evenly as the seats allow. Each level is its own group unless all that never met fall into groups, and into enough
    of them, or where there are fewer levels than players.
    """
    met = levels.T @ together @ levels
    whole, left = divmod(players, len(met))
    # Pairs of seats with the same level, each counted from both sides: fewest where all sit there equally often.
    fewest = left * (whole + 1) * whole + (len(met) - left) * whole * (whole - 1)
    if np.trace(met) > fewest * games.sum() / players:
        return None
    if players > len(met):
        return np.eye(len(met))
    # Who never met the same never met each other: then what never met makes groups.
    groups = np.unique(met == 0, axis=0)
    if (groups.sum(axis=0) > 1).any() or len(groups) < players:
        groups = np.eye(len(met), dtype=bool)
    members = groups * (levels.T @ games)
    return np.asarray(members / members.sum(axis=1, keepdims=True))


def average_tables(table: Table, factor: str, terms: list[str], meetings: list[FloatArray]) -> list[Seating]:
    """Average tables of every size of the run, each with the weight that it has in the plain share of each level.

    Weights are a level's own seat-games: seat 4 is no part of a table of three, and a level that sat mostly at large
    tables is measured, and its fair share taken, mostly there.

    Parameters
    ----------
    table, factor
        The run's cells, and one of its factors.
    terms
        Terms of the model, in the order of their columns.
    meetings
        How often cells met at tables of each size, from `plackett_luce.count_pairs`.
    """
    which = np.eye(len(table.levels[factor]))[table.place[factor]]
    games, found = which.T @ table.games, []
    for players, seated, together in zip(table.sizes, table.seated, meetings, strict=True):
        here = which.T @ seated
        levels = np.flatnonzero(here)
        design, mix = average_table(table, factor, terms, levels, seated)
        groups = companies(which[:, levels], seated, together, players)
        found.append(Seating(players, levels, here[levels] / games[levels], design, mix, groups))
    return found


def level_frame(table: Table, factor: str, samples: Samples, tables: list[Seating], ahead: FloatArray) -> pl.DataFrame:
    """Strength, share, edge, interval and test of every level of a factor; see `Strengths` and `average_tables`."""
    levels, columns = table.levels[factor], samples.columns[factor]
    batches = table.orders.batches
    which = np.eye(len(levels))[table.place[factor]]
    lopsided = one_sided(which.T @ ahead @ which)
    silent = lopsided | samples.few
    effects = samples.order_draws[:, columns] @ model.contrasts(len(levels)).T
    fair = (which.T @ table.fair) / (which.T @ table.games)
    share, low, high, error, p = limits(
        *predicted_shares(samples.first_draws, tables, len(levels)), fair, batches, silent
    )
    order_share, order_low, order_high, _, _ = limits(
        *predicted_shares(samples.order_draws, tables, len(levels)), fair, batches, silent
    )
    found = {
        "win_share": share, "low": low, "high": high, "fair": fair,
        "edge": share - fair, "edge_low": low - fair, "edge_high": high - fair,
        "error": error, "p": p,
        "strength": effects[0], "strength_error": np.where(silent, np.nan, effects[1:].std(axis=0)),
        "order_edge": order_share - fair,
        "order_low": order_low - fair, "order_high": order_high - fair,
    }  # fmt: skip
    note = np.where(samples.few, "too few blocks", np.where(lopsided, "always or never ahead", ""))
    counts = counted_levels(table, table.place[factor], samples.orders.predicted)
    return finish(found, counts, {"level": levels, "level2": [None] * len(levels)}, note)


def average_table(
    table: Table, factor: str, terms: list[str], levels: IntegerArray, games: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Give levels of a factor everything else that seats of the run have.

    What goes with it is taken as it occurs in all these games, whatever the level: so a level gains nothing from having
    been held by strong players, and combinations of the other factors that never occurred, of which a fit may know
    nothing, have no part.

    Parameters
    ----------
    table, factor
        The run's cells, and one of its factors.
    terms
        Terms of the model, in the order of their columns.
    levels
        The levels, shape (levels,).
    games
        Seat-games of each cell, shape (cells,).

    Returns
    -------
    Design of these levels with all else, shape (levels * others, p), and how frequent each of these others is, shape
    (others,).
    """
    rest = [name for name in FACTORS if name != factor]
    seen = games > 0
    held = np.stack([table.place[name][seen] for name in rest], axis=1)
    pairs, where = np.unique(held, axis=0, return_inverse=True)
    mix = np.bincount(where.ravel(), games[seen])
    place = {factor: np.repeat(levels, len(pairs))}
    place |= {name: np.tile(pairs[:, column], len(levels)) for column, name in enumerate(rest)}
    bases = effects_of(table, {name: place[name] for name in terms if name != CROSSED})
    if CROSSED in terms:
        bases[CROSSED] = crossed_effects(bases)
    return np.concatenate([bases[name] for name in terms], axis=1), mix / mix.sum()


def predicted_shares(draws: FloatArray, tables: list[Seating], levels: int) -> tuple[FloatArray, FloatArray]:
    """Shares of all levels at average tables, and their standard errors by the linear part of the resamples.

    Parameters
    ----------
    draws
        Parameters, the fit in the first row and its resamples below, shape (1 + resamples, p).
    tables
        From `average_tables`.
    levels
        Number of levels of the factor.
    """
    share, slopes = np.zeros(levels), np.zeros((levels, draws.shape[1]))
    for one in tables:
        if one.players == 1:
            share[one.levels] += one.weight
            continue
        theta = (one.design @ draws[0]).reshape(-1, len(one.mix))
        won, by_strength = model.average_shares(theta, one.mix, one.players, one.groups is None, one.groups)
        share[one.levels] += one.weight * won
        slopes[one.levels] += one.weight[:, None] * (by_strength.reshape(len(won), -1) @ one.design)
    return share, ((draws[1:] - draws[0]) @ slopes.T).std(axis=0)


def limits(
    share: FloatArray, error: FloatArray, fair: FloatArray, batches: int, silent: NDArray[np.bool_]
) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray, FloatArray]:
    """Interval and test of shares against fair shares.

    Student's t with B - 1 degrees of freedom on the scale of log odds, where a share has no end, turned back.

    Parameters
    ----------
    share, error
        From `predicted_shares`, shape (levels,).
    fair
        Mean of 1 / players over the seat-games of each level, shape (levels,).
    batches
        B.
    silent
        Levels without an interval.

    Returns
    -------
    Share, lower and upper limit, standard error of the share, p-value; NaN where there is none.
    """
    inside = np.clip(share, 1e-12, 1 - 1e-12)
    odds, spread = logit(inside), np.where(silent, np.nan, error)
    degrees = max(batches - 1, 1)
    slack = spread / (inside * (1 - inside))
    reach = float(stats.t.ppf(1 - ALPHA / 2, degrees)) * slack
    p = 2 * stats.t.sf(np.abs(odds - logit(fair)) / slack, degrees)
    return share, expit(odds - reach), expit(odds + reach), spread, p


def counted_levels(table: Table, group: IntegerArray, predicted: FloatArray) -> dict[str, FloatArray]:
    """Seat-games, raw share and edge, and predicted share per group of cells."""
    games, wins, fair, told = (
        np.bincount(group, values).astype(np.float64) for values in (table.games, table.wins, table.fair, predicted)
    )
    return {
        "games": games, "raw_share": wins / games, "raw_edge": (wins - fair) / games, "order_predicted": told / games,
    }  # fmt: skip


def finish(
    found: dict[str, FloatArray], counts: dict[str, FloatArray], levels: dict[str, list[Any]], note: NDArray[np.str_]
) -> pl.DataFrame:
    """One frame of levels, findings and counts, best edge first, with corrected p-values and flags."""
    p_holm = holm(found["p"])
    flag = np.where(p_holm < ALPHA, np.where(found["edge"] > 0, "strong", "weak"), "").astype(str)
    names = {name: pl.Series(values, dtype=pl.String) for name, values in levels.items()}
    values = {**found, "p_holm": p_holm, **counts}
    numbers = {name: pl.Series(column).fill_nan(None) for name, column in values.items()}
    frame = pl.DataFrame({**names, **numbers, "flag": flag, "note": note.astype(str)})
    ordered = frame.sort(["edge", "level", "level2"], descending=[True, False, False])
    return ordered.with_columns(pl.col("games").cast(pl.Int64))


def pair_frame(table: Table, samples: Samples) -> pl.DataFrame:
    """What each strategy wins with each faction beyond what the two promise one by one; see `Strengths`."""
    shape = [len(table.levels[factor]) for factor in PAIR]
    first, second = np.divmod(np.arange(shape[0] * shape[1]), shape[1])
    group = table.place["strategy"] * shape[1] + table.place["faction"]
    seated = np.stack([np.bincount(group, games, minlength=len(first)) for games in table.seated])
    tables = dict(zip(table.sizes, seated, strict=True))
    share, expected, edge, error, _ = pair_surplus(samples.first_draws, samples, first, second, tables)
    _, _, order_edge, order_error, strengths = pair_surplus(samples.order_draws, samples, first, second, tables)
    degrees = table.orders.batches - 1
    reach = float(stats.t.ppf(1 - ALPHA / 2, degrees))
    found = {
        "win_share": share, "expected": expected,
        "edge": edge, "edge_low": edge - reach * error, "edge_high": edge + reach * error, "error": error,
        "p": 2 * stats.t.sf(np.abs(edge) / error, degrees),
        "strength": strengths[0], "strength_error": strengths[1:].std(axis=0),
        "order_edge": order_edge,
        "order_low": order_edge - reach * order_error, "order_high": order_edge + reach * order_error,
    }  # fmt: skip
    names = {
        "level": [table.levels["strategy"][i] for i in first], "level2": [table.levels["faction"][i] for i in second],
    }  # fmt: skip
    return finish(found, counted_levels(table, group, samples.orders.predicted), names, np.full(len(edge), ""))


def pair_surplus(
    draws: FloatArray, samples: Samples, first: IntegerArray, second: IntegerArray, tables: dict[int, FloatArray]
) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray, FloatArray]:
    """Share of every pair, what its levels promise, the difference with its error, and the interaction's strengths.

    The opponents are pairs drawn by lot from all pairs at tables of that size; errors are those of the difference's
    linear part. `tables` holds the seat-games of every pair by number of players, which are its weights.
    """
    one, other = model.contrasts(first.max() + 1), model.contrasts(second.max() + 1)
    both = (one[first][:, :, None] * other[second][:, None, :]).reshape(len(first), -1)
    main = draws[:, samples.columns["strategy"]] @ one[first].T + draws[:, samples.columns["faction"]] @ other[second].T
    extra = draws[:, samples.columns[CROSSED]] @ both.T
    whole = main + extra
    share, expected, drawn = np.zeros(len(first)), np.zeros(len(first)), np.zeros((len(draws) - 1, len(first)))
    total = sum(tables.values())
    for players, games in tables.items():
        here = np.flatnonzero(games)
        weight = (games / total)[here]
        won, told, by_whole, by_main = surplus(whole[0, here], main[0, here], players)
        share[here] += weight * won
        expected[here] += weight * told
        moved, moved_main = (part[1:, here] - part[0, here] for part in (whole, main))
        drawn[:, here] += weight * (moved @ by_whole.T + moved_main * by_main)
    return share, expected, share - expected, drawn.std(axis=0), extra


def surplus(whole: FloatArray, main: FloatArray, players: int) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """Shares of pairs with and without their interaction, against pairs drawn by lot, and their difference's slopes.

    Parameters
    ----------
    whole, main
        Log strengths with and without the interaction, shape (pairs,).
    players
        Seats at the table.

    Returns
    -------
    Share by `whole` and by `main`, both against opponents of `whole`; derivative of their difference by `whole`,
    shape (pairs, pairs), and by `main`, shape (pairs,), where it is diagonal. The integral is that of `average_shares`.
    """
    pace = 0.25
    nodes = np.arange(-max(whole.max(), main.max()) - 30, -min(whole.min(), main.min()) + 4 + pace, pace)
    rate, rate_main = np.exp(whole[:, None] + nodes), np.exp(main[:, None] + nodes)
    ends, ends_main = rate * np.exp(-rate), rate_main * np.exp(-rate_main)
    none = np.exp(-rate).mean(axis=0)
    others = pace * none ** (players - 1)
    slope = (pace * (players - 1) / len(whole) * none ** (players - 2)) * (ends - ends_main)
    by_whole = np.diag((ends * (1 - rate)) @ others) - slope @ ends.T
    return ends @ others, ends_main @ others, by_whole, -(ends_main * (1 - rate_main)) @ others


def strength_section(run: Run, found: Strengths | None = None) -> Section:
    """What a report says of adjusted strength.

    Parameters
    ----------
    run
        From `load_run`.
    found
        From `fit_strengths`, if it is at hand.
    """
    found = found or fit_strengths(run)
    nouns = {"faction": run.manifest["faction_title"], "seat": "seat", "strategy": "strategy"}
    levels = [factor for factor in FACTORS if factor in found.frames]
    sentences = [level_words(found, factor, nouns) for factor in levels]
    if levels:
        sentences += [*change_words(found, levels, nouns), *pair_words(found), *order_words(found, levels, nouns)]
        if len(found.sizes) > 1:
            sentences.append(
                f"Tables differ in size ({size_words(found)} players): adjusted and fair shares are means over these "
                "sizes, each counted as often as the one in question sat at it, as in the plain shares. A strength is "
                "taken to be the same at every size."
            )
    listings = [level_listing(found, factor, nouns[factor]) for factor in levels]
    if CROSSED in found.frames:
        listings.append(pair_listing(found, nouns["faction"]))
    pictures = [strength_picture(found, factor, nouns[factor]) for factor in levels if factor != "seat"]
    return Section(
        "strength",
        "Adjusted strength",
        (*sentences, *found.silences),
        tuple(listings),
        tuple(pictures),
        READING if levels else "",
    )


READING = (
    "Plain win shares mix causes: whoever was played by strong players looks strong. Here all that differs between "
    "seats is weighed at once (Plackett-Luce); the adjusted edge is what each would win above its fair share at an "
    "average table: opponents drawn by lot, and everything else dealt to all alike, as often as in the run. Plain and "
    "adjusted edge differ where some met weaker company than others."
)


def size_words(found: Strengths) -> str:
    """The numbers of players of a run: '4', '3, 4 or 5'."""
    *others, last = map(str, found.sizes)
    return f"{', '.join(others)} or {last}" if others else last


def fair_words(frame: pl.DataFrame) -> str:
    """The fair share of the levels of a factor, or its range where they sat at tables of other sizes."""
    shares = frame["fair"].drop_nulls().to_numpy()
    low, high = (percent(float(share)) for share in (shares.min(), shares.max()))
    return f"the fair share of {low}" if low == high else f"fair shares of {low} to {high}"


def told(row: dict[str, Any]) -> str:
    """A row's edge with its interval; a width that would be written as 0 is put in words."""
    half = half_width(row)
    if half is not None and half < NARROWEST:
        return f"{points(row['edge'])} points, known to 0.01,"
    return edge_words(row)


def level_words(found: Strengths, factor: str, nouns: dict[str, str]) -> str:
    """The strongest and the weakest level of a factor, adjusted."""
    frame, noun = found.frames[factor], nouns[factor]
    others = " and ".join(plural(nouns[name]) for name in FACTORS if name != factor and name in found.repeats)
    allowing = f"Allowing for {others}, " if others else "From finishing orders, "
    flagged = frame.filter(pl.col("flag") != "").to_dicts()
    if not flagged:
        known = frame["edge_low"].is_not_null().any()
        end = f"no {noun} stands out at an average table." if known else f"no {noun} can be judged."
        return f"{allowing}{end}"
    ends = [row for row in dict.fromkeys((0, -1)) if flagged[row]["flag"] == ("strong", "weak")[row]]
    said = []
    for row in (flagged[place] for place in ends):
        half = half_width(row) or 0.0
        digits = decimals(half) if half >= NARROWEST else 1
        said.append(f"{row['level']} wins {told(row)} (plainly counted {points(row['raw_edge'], digits)})")
    return (
        f"{allowing}{' and '.join(said)} against {fair_words(frame)} at an average table; "
        f"{len(flagged)} of {counted(frame.height, noun)} stand out."
    )


def change_words(found: Strengths, levels: list[str], nouns: dict[str, str]) -> list[str]:
    """Where the adjustment changed an edge most."""
    rows = [(factor, row) for factor in levels for row in found.frames[factor].to_dicts()]
    factor, row = max(rows, key=lambda pair: abs(pair[1]["edge"] - pair[1]["raw_edge"]))
    change = abs(row["edge"] - row["raw_edge"])
    if change < REACH:
        return [
            f"The adjustment changes no edge by more than {size(max(change, 0.0001), 1)} points: players met evenly."
        ]
    return [
        f"The adjustment changes {named(factor, row['level'], nouns)} most: from {points(row['raw_edge'])} points, "
        f"plainly counted, to {points(row['edge'])}."
    ]


def named(factor: str, level: str, nouns: dict[str, str]) -> str:
    """A level in a sentence: 'the board Rhodos B', 'seat 2'."""
    return level if factor == "seat" else f"the {nouns[factor]} {level}"


def pair_words(found: Strengths) -> list[str]:
    """The pairs of strategy and faction that win most beyond what the two promise."""
    if CROSSED not in found.frames:
        return []
    frame = found.frames[CROSSED]
    flagged = frame.filter(pl.col("flag") != "").to_dicts()
    if not flagged:
        return [f"None of {counted(frame.height, 'pair')} wins more or less than the two promise one by one."]
    row = max(flagged, key=lambda row: abs(row["edge"]))
    half = half_width(row) or 0.0
    digits = decimals(half)
    spread = f" ± {size(half, digits)}" if half >= NARROWEST else ""
    amount = f"{size(abs(row['edge']), digits)}{spread}"
    return [
        f"{len(flagged)} of {counted(frame.height, 'pair')} win more or less than the two promise one by one; most of "
        f"all {row['level']} with {row['level2']}: {amount} points {'more' if row['edge'] > 0 else 'less'}."
    ]


def order_words(found: Strengths, levels: list[str], nouns: dict[str, str]) -> list[str]:
    """Whether one strength per level describes first and lower places alike."""
    rows = [(factor, row) for factor in levels for row in found.frames[factor].to_dicts()]
    factor, row = max(rows, key=lambda pair: abs(pair[1]["order_predicted"] - pair[1]["raw_share"]))
    miss = row["order_predicted"] - row["raw_share"]
    if abs(miss) < POOR:
        return [
            f"Lower places tell the same as wins: they predict every win share to within {size(abs(miss), 1)} points."
        ]
    what = "places better than it wins" if miss > 0 else "wins more often than its places suggest"
    return [
        f"Lower places tell another story than wins: {named(factor, row['level'], nouns)} {what} (its places promise "
        f"{percent(row['order_predicted'])} of wins, it has {percent(row['raw_share'])}). Edges here are therefore "
        "those of first places; the column 'from places' holds the others."
    ]


COMMON = (
    Column(
        "edge",
        "adjusted edge",
        "edge",
        "edge_low",
        "edge_high",
        "wins above the fair share at an average table, points",
    ),
    Column("raw_edge", "plain edge", "edge", meaning="wins above the fair share as counted, without adjustment"),
    Column(
        "order_edge", "from places", "edge", "order_low", "order_high", "the edge that whole finishing orders promise"
    ),
    Column("p_holm", "p", "p", meaning="chance of such an edge if all were equal, corrected for all rows"),
    Column("games", "games", "count", meaning="seat-games"),
    Column("note", "note", "text", meaning="why an interval is unknown"),
)


def level_listing(found: Strengths, factor: str, noun: str) -> Listing:
    """The table of one factor."""
    frame = found.frames[factor]
    fair = Column("fair", "fair", "share", meaning="mean of 1/players over the tables it sat at")
    columns = (
        Column("flag", "", "flag", meaning="strong or weak at an average table"),
        Column("level", noun, "text"),
        Column("win_share", "wins", "share", "low", "high", "adjusted share of wins at an average table"),
        *([fair] if len(found.sizes) > 1 else []),
        *COMMON,
    )
    again = (
        "may hold the same again, drawn by lot"
        if found.repeats[factor]
        else "are shared by those it can meet as evenly as in the run, by lot"
    )
    often = ", each size as often as the row sat at it" if len(found.sizes) > 1 else ""
    seats = f"{size_words(found)} seats{often}"
    note = f"An average table has {seats}; the other seats {again}. All else is dealt as in the run."
    if (frame["note"] == "always or never ahead").any():
        note += " Whoever is always or never ahead has no measurable strength: read its share as a mere direction."
    return Listing(f"strength {factor}", f"Adjusted strength by {noun}", frame, columns, note=note)


def pair_listing(found: Strengths, noun: str) -> Listing:
    """The table of strategy and faction pairs, those that stand out most first."""
    frame = found.frames[CROSSED].sort(pl.col("edge").abs(), descending=True, maintain_order=True)
    columns = (
        Column("flag", "", "flag", meaning="wins more or less than the two promise one by one"),
        Column("level", "strategy", "text"),
        Column("level2", noun, "text"),
        Column("win_share", "wins", "share", meaning="adjusted share of wins at an average table"),
        Column("expected", "promised", "share", meaning="share that strategy and the other promise one by one"),
        Column("edge", "beyond", "edge", "edge_low", "edge_high", "wins minus promised, points"),
        *COMMON[1:],
    )
    title = f"How strategies suit each {noun}"
    return Listing("strength strategy x faction", title, frame, columns, folded=True)


def strength_picture(found: Strengths, factor: str, noun: str) -> Picture:
    """Adjusted beside plain edges of one factor."""
    frame = found.frames[factor]
    rows = frame.to_dicts()
    said = (
        f"highest {rows[0]['level']} {points(rows[0]['edge'])}, lowest {rows[-1]['level']} {points(rows[-1]['edge'])}"
    )

    def draw(ax: Axes | None = None) -> Axes:
        return draw_strengths(frame, ax)

    return Picture(f"strength {factor}", draw, f"Adjusted edge by {noun} in points: {said}.")


def draw_strengths(frame: pl.DataFrame, ax: Axes | None = None) -> Axes:
    """Adjusted edge of every level with its 95 % interval, and the plain edge as a small hollow diamond below it."""
    from reports.show import figures  # noqa: PLC0415 - figures knows the report, of which this is a part

    rows = frame.to_dicts()
    with mpl.rc_context(figures.STYLE):
        if ax is None:
            _, ax = figures.blank(figures.WIDTH, 1.3 + 0.34 * len(rows))
        ax.axvline(0, color=figures.INK, lw=1.1, ls=(0, (4, 3)), zorder=1)
        for place, row in enumerate(rows):
            colour, edge = figures.COLOURS[row["flag"]], 100 * row["edge"]
            if row["edge_low"] is not None:
                limits_ = [100 * row["edge_low"], 100 * row["edge_high"]]
                ax.plot(limits_, [place, place], color=colour, lw=2.2, solid_capstyle="butt")
            ax.plot(edge, place, "o", ms=6, mec=colour, mew=1.5, color=colour if row["flag"] else "white",
                    )  # fmt: skip
            ax.plot(100 * row["raw_edge"], place + 0.3, "D", ms=3.6, mec=figures.NEUTRAL, mew=1.1, color="white",
                    )  # fmt: skip
            half = half_width(row)
            narrow = half is not None and half < NARROWEST
            label = typeset(points(row["edge"])) if narrow else figures.edge_label(row)
            ax.annotate(label, (1.02, place), xycoords=ax.get_yaxis_transform(), va="center",
                        color=colour, fontsize=9)  # fmt: skip
        ax.annotate("adjusted, points", (1.02, 1.0), xytext=(0, 5), xycoords="axes fraction",
                    textcoords="offset points", fontsize=8.5, color=figures.NEUTRAL)  # fmt: skip
        ax.set_yticks(range(len(rows)), [row["level"] for row in rows])
        ax.set_ylim(len(rows) - 0.3, -0.6)
        ax.grid(axis="x", color=figures.FAINT, lw=0.8)
        ax.xaxis.set_major_locator(MaxNLocator(7, steps=[1, 2, 2.5, 5, 10]))
        ax.xaxis.set_major_formatter(FuncFormatter(lambda value, _: typeset(f"{value:+g}") if value else "0"))
        ax.set_xlabel("edge over the fair share, percentage points", fontsize=9, color=figures.NEUTRAL)
        ax.plot([], [], "o-", color=figures.NEUTRAL, ms=6, lw=2.2, label="adjusted, with 95 % interval")
        ax.plot([], [], "D", ms=3.6, mec=figures.NEUTRAL, mew=1.1, color="white", label="plainly counted")
        ax.legend(loc="lower right", frameon=True, fontsize=8.5, edgecolor=figures.FAINT)
    return ax
