"""Adjusted strength: what seat, faction and strategy are worth when all else is equal, from whole finishing orders.

Raw win shares mix causes: a faction that strong players happened to hold looks strong. Here every seat-game is a cell
(seat, faction, strategy) whose log strength is a sum of effects, fitted to all finishing orders at once
(`reports.plackett_luce`). `docs/statistics.md` holds the formulas.
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

from reports import plackett_luce as model
from reports.games import read_games
from reports.load import Run, level_names
from reports.section import Column, Listing, Picture, Section
from reports.winshare import ALPHA, holm
from reports.words import capital, counted, decimals, edge_words, half_width, percent, plural, points, size, typeset

FACTORS = ("faction", "seat", "strategy")
PAIR = ("strategy", "faction")
BATCHES = 400
# Below these the errors of a fit say little, and of an interaction nothing.
FEWEST_BLOCKS = 20
CELL_GAMES = 50
BLOCKS_PER_EFFECT = 10
# With 14 factions and 3 strategies, 25 blocks raised false alarms in a quarter of fair games, 60 in one of twenty.
FEWEST_PER_EFFECT = 3
MOST_CELLS = 4000
# A predicted win share further than this from the one seen is called a poor description.
POOR = 0.01
REACH = 0.005

FloatArray = NDArray[np.float64]
IntegerArray = NDArray[np.int64]


@dataclass(frozen=True)
class Table:
    """The finishing orders of a run and what its cells are.

    Attributes
    ----------
    orders
        Games for `reports.plackett_luce`.
    levels
        Names of the levels that occur, by factor.
    place
        Place of each cell's level in `levels`, by factor, shape (cells,).
    games, wins, fair
        Per cell: seat-games, wins (ties split), and the sum of 1/players.
    sizes
        Games by number of players.
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
    blocks: int


@dataclass(frozen=True)
class Strengths:
    """Adjusted strengths of a run.

    Attributes
    ----------
    frames
        By "faction", "seat", "strategy" and "strategy x faction", as far as they could be told: `level` (and `level2`),
        `games`; from first places alone `win_share` at an average table with `low` and `high`, `edge` over 1/players
        with `edge_low`, `edge_high`, `error`, `p`, `p_holm`, `flag`; from whole finishing orders `strength` (log scale,
        mean 0), `strength_error`, and `order_edge` with `order_low` and `order_high`, the edge that these strengths
        promise; `raw_share` and `raw_edge`, counted without adjustment; `order_predicted`, the share that the whole
        orders promise in the games as they were played; `note`. For pairs `expected` is the share that the levels
        promise one by one, and the edges are what the pair wins beyond it. Shares and edges are fractions; best edge
        first.
    silences
        Why something cannot be said.
    players
        Seats at the average table: the most frequent number.
    sizes
        Games by number of players.
    repeats
        Whether a level may sit at a table more than once, by factor.
    blocks
        Number of blocks.
    orders, firsts
        The fits to whole orders and to first places; None where there is nothing to compare.
    """

    frames: dict[str, pl.DataFrame]
    silences: tuple[str, ...]
    players: int
    sizes: dict[int, int]
    repeats: dict[str, bool]
    blocks: int
    orders: model.Fit | None = None
    firsts: model.Fit | None = None


def fit(run: Run, ridge: float = model.RIDGE) -> Strengths:
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
    games = np.bincount(cell, minlength=orders.cells).astype(np.float64)
    return Table(orders, levels, place, games, wins, fair, sizes, len(np.unique(block)))


def fit_table(table: Table, title: str = "faction", ridge: float = model.RIDGE, resamples: int = 1000) -> Strengths:
    """Fit the strengths of a table; see `fit`. `title` is what a faction is called."""
    nouns = {"seat": "seat", "faction": title, "strategy": "strategy"}
    players = max(table.sizes, key=lambda size: (table.sizes[size], size))
    varied = [factor for factor in FACTORS if len(table.levels[factor]) > 1]
    silences = [only_words(table, factor, nouns) for factor in FACTORS if factor not in varied]
    nothing = Strengths({}, (), players, table.sizes, {}, table.blocks)
    if max(table.sizes) < 2 or not varied or table.orders.cells > MOST_CELLS:
        return stopped(nothing, table, silences)
    ahead, together = model.count_pairs(table.orders)
    bases = {factor: model.contrasts(len(table.levels[factor]))[table.place[factor]] for factor in varied}
    known, reasons = tell_apart(bases, together, nouns)
    crossed, reason = crossing(table, bases, together, nouns)
    if crossed is not None:
        bases["strategy x faction"] = crossed
    silences += [*reasons, *([reason] if reason else [])]
    design = np.concatenate(list(bases.values()), axis=1)
    orders = model.fit_orders(table.orders, design, ridge, model.fit_pairs(design, ahead, ridge))
    firsts = model.fit_orders(table.orders, design, ridge, orders.beta, first_only=True)
    needed = max(FEWEST_BLOCKS, FEWEST_PER_EFFECT * design.shape[1])
    if table.blocks < needed:
        silences.append(
            f"The run has {counted(table.blocks, 'block')}: too few for intervals of adjusted strengths, which need "
            f"{needed}."
        )
    samples = Samples(
        orders, firsts, *draw(table, orders, firsts, resamples), split(bases), players, table.blocks < needed
    )
    repeats = {}
    for factor in known:
        levels = np.eye(len(table.levels[factor]))[table.place[factor]]
        repeats[factor] = bool(np.diag(levels.T @ together @ levels).any()) or players > levels.shape[1]
    frames = {factor: level_frame(table, factor, samples, repeats[factor], ahead) for factor in known}
    if crossed is not None and set(PAIR) <= set(known):
        frames["strategy x faction"] = pair_frame(table, samples)
    return Strengths(frames, tuple(silences), players, table.sizes, repeats, table.blocks, orders, firsts)


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
    players
        Seats at the average table.
    few
        Whether there are too few blocks for intervals.
    """

    orders: model.Fit
    firsts: model.Fit
    order_draws: FloatArray
    first_draws: FloatArray
    columns: dict[str, slice]
    players: int
    few: bool


def draw(table: Table, orders: model.Fit, firsts: model.Fit, resamples: int) -> tuple[FloatArray, FloatArray]:
    """Resample both fits with the same batches.

    The games of a block have the same players, so that it tells at most players - 1 contrasts, however many games it
    holds.
    """
    games = sum(table.sizes.values())
    contrasts = sum((players - 1) * number for players, number in table.sizes.items()) * table.blocks / games
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
    return Strengths({}, (reason, *silences), nothing.players, nothing.sizes, {}, nothing.blocks)


def only_words(table: Table, factor: str, nouns: dict[str, str]) -> str:
    """Say that a factor has one level and so no strength to be compared."""
    return f"Every seat has the same {nouns[factor]}, {table.levels[factor][0]}: nothing to adjust for or to compare."


def split(bases: dict[str, FloatArray]) -> dict[str, slice]:
    """Where the parameters of each term stand."""
    ends = np.cumsum([basis.shape[1] for basis in bases.values()]).tolist()
    return {name: slice(end - basis.shape[1], end) for (name, basis), end in zip(bases.items(), ends, strict=True)}


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
    columns = bases["strategy"][:, :, None] * bases["faction"][:, None, :]
    crossed = columns.reshape(len(columns), -1)
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


def level_frame(table: Table, factor: str, samples: Samples, repeat: bool, ahead: FloatArray) -> pl.DataFrame:
    """Strength, share, edge, interval and test of every level of a factor; see `Strengths`."""
    levels, players, columns = table.levels[factor], samples.players, samples.columns[factor]
    basis, batches = model.contrasts(len(levels)), table.orders.batches
    which = np.eye(len(levels))[table.place[factor]]
    lopsided = one_sided(which.T @ ahead @ which)
    silent = lopsided | samples.few
    effects = samples.order_draws[:, columns] @ basis.T
    share, low, high, error, p = limits(
        model.table_shares(samples.first_draws[:, columns] @ basis.T, players, repeat), players, batches, silent
    )
    order_share, order_low, order_high, _, _ = limits(
        model.table_shares(effects, players, repeat), players, batches, silent
    )
    found = {
        "win_share": share, "low": low, "high": high,
        "edge": share - 1 / players, "edge_low": low - 1 / players, "edge_high": high - 1 / players,
        "error": error, "p": p,
        "strength": effects[0], "strength_error": np.where(silent, np.nan, effects[1:].std(axis=0)),
        "order_edge": order_share - 1 / players,
        "order_low": order_low - 1 / players, "order_high": order_high - 1 / players,
    }  # fmt: skip
    note = np.where(samples.few, "too few blocks", np.where(lopsided, "always or never ahead", ""))
    counts = counted_levels(table, table.place[factor], samples.orders.predicted)
    return finish(found, counts, {"level": levels, "level2": [None] * len(levels)}, note)


def limits(
    shares: FloatArray, players: int, batches: int, silent: NDArray[np.bool_]
) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray, FloatArray]:
    """Interval and test of shares against 1 / players.

    Student's t with B - 1 degrees of freedom on the scale of log odds, where a share has no end, turned back.

    Parameters
    ----------
    shares
        The fit in the first row and its resamples below, shape (1 + resamples, levels).
    players
        Seats at the table.
    batches
        B.
    silent
        Levels without an interval.

    Returns
    -------
    Share, lower and upper limit, standard error of the share, p-value; NaN where there is none.
    """
    odds = logit(np.clip(shares, 1e-12, 1 - 1e-12))
    error = np.where(silent, np.nan, odds[1:].std(axis=0))
    degrees = max(batches - 1, 1)
    reach = float(stats.t.ppf(1 - ALPHA / 2, degrees)) * error
    p = 2 * stats.t.sf(np.abs(odds[0] - logit(1 / players)) / error, degrees)
    spread = np.where(silent, np.nan, shares[1:].std(axis=0))
    return shares[0], expit(odds[0] - reach), expit(odds[0] + reach), spread, p


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
    share, expected, edge, error, _ = pair_surplus(samples.first_draws, samples, first, second)
    _, _, order_edge, order_error, strengths = pair_surplus(samples.order_draws, samples, first, second)
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
    group = table.place["strategy"] * shape[1] + table.place["faction"]
    names = {
        "level": [table.levels["strategy"][i] for i in first], "level2": [table.levels["faction"][i] for i in second],
    }  # fmt: skip
    return finish(found, counted_levels(table, group, samples.orders.predicted), names, np.full(len(edge), ""))


def pair_surplus(
    draws: FloatArray, samples: Samples, first: IntegerArray, second: IntegerArray
) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray, FloatArray]:
    """Share of every pair, what its levels promise, the difference with its error, and the interaction's strengths.

    The opponents are pairs drawn by lot from all pairs; errors are those of the difference's linear part.
    """
    one, other = model.contrasts(first.max() + 1), model.contrasts(second.max() + 1)
    both = (one[first][:, :, None] * other[second][:, None, :]).reshape(len(first), -1)
    main = draws[:, samples.columns["strategy"]] @ one[first].T + draws[:, samples.columns["faction"]] @ other[second].T
    extra = draws[:, samples.columns["strategy x faction"]] @ both.T
    whole = main + extra
    share, expected, by_whole, by_main = surplus(whole[0], main[0], samples.players)
    drawn = (whole[1:] - whole[0]) @ by_whole.T + (main[1:] - main[0]) * by_main
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
    shape (pairs, pairs), and by `main`, shape (pairs,), where it is diagonal. The integral is that of `table_shares`.
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
        From `fit`, if it is at hand.
    """
    found = found or fit(run)
    nouns = {"faction": run.manifest["faction_title"], "seat": "seat", "strategy": "strategy"}
    levels = [factor for factor in FACTORS if factor in found.frames]
    sentences = [level_words(found, factor, nouns) for factor in levels]
    if levels:
        sentences += [*change_words(found, levels, nouns), *pair_words(found), *order_words(found, levels, nouns)]
        if len(found.sizes) > 1:
            sizes = " or ".join(map(str, found.sizes))
            sentences.append(
                f"Tables differ in size ({sizes} players): all of them were used, and shares are given for "
                f"{found.players} players, the most frequent size."
            )
    listings = [level_listing(found, factor, nouns[factor]) for factor in levels]
    if "strategy x faction" in found.frames:
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
    "average table: all else equal, opponents drawn by lot. Plain and adjusted edge differ where some met weaker "
    "company than others, and a little where a level suits some strategies far better than others."
)


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
        half = half_width(row)
        said.append(
            f"{row['level']} wins {edge_words(row)} (plainly counted {points(row['raw_edge'], decimals(half))})"
        )
    return (
        f"{allowing}{' and '.join(said)} against the fair share of {percent(1 / found.players)} at an average table; "
        f"{len(flagged)} of {counted(frame.height, noun)} {'stands' if len(flagged) == 1 else 'stand'} out."
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
    if "strategy x faction" not in found.frames:
        return []
    frame = found.frames["strategy x faction"]
    flagged = frame.filter(pl.col("flag") != "").to_dicts()
    if not flagged:
        return [f"None of {counted(frame.height, 'pair')} wins more or less than the two promise one by one."]
    row = max(flagged, key=lambda row: abs(row["edge"]))
    digits = decimals(half_width(row))
    amount = f"{size(abs(row['edge']), digits)} ± {size(half_width(row), digits)}"
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
    columns = (
        Column("flag", "", "flag", meaning="strong or weak at an average table"),
        Column("level", noun, "text"),
        Column("win_share", "wins", "share", "low", "high", "adjusted share of wins at an average table"),
        *COMMON,
    )
    again = "may hold the same again" if found.repeats[factor] else "hold others"
    note = f"An average table has {found.players} seats; the other seats {again}, drawn by lot."
    if (frame["note"] == "always or never ahead").any():
        note += " Whoever is always or never ahead has no measurable strength: read its share as a mere direction."
    return Listing(f"strength {factor}", f"Adjusted strength by {noun}", frame, columns, note=note)


def pair_listing(found: Strengths, noun: str) -> Listing:
    """The table of strategy and faction pairs, those that stand out most first."""
    frame = found.frames["strategy x faction"].sort(pl.col("edge").abs(), descending=True, maintain_order=True)
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
    from reports import figures  # noqa: PLC0415 - figures knows the report, of which this is a part

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
            ax.annotate(figures.edge_label(row), (1.02, place), xycoords=ax.get_yaxis_transform(), va="center",
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
