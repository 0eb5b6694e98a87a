"""The meta-game: which strategies remain if players copy what wins.

The payoff of a strategy against another is its share ahead of it at one table, minus one half: a symmetric zero-sum
game. Two standard answers are given. Alpha-rank follows one population in which now and then somebody tries another
strategy, and copies it if it does better. The replicator equilibrium is the mixture against which nothing does better
than even.

References
----------
Omidshafiei, S. et al. (2019). Alpha-rank: multi-agent evaluation by evolution. Scientific Reports 9, 9937.
Taylor, P. D. and Jonker, L. B. (1978). Evolutionary stable strategies and game dynamics. Mathematical Biosciences 40,
145-156.
Grassmann, W. K., Taksar, M. I. and Heyman, D. P. (1985). Regenerative analysis and steady state distributions for
Markov chains. Operations Research 33, 1107-1116.
Fisher, D. C. and Ryan, J. (1992). Optimal strategies for a generalized "scissors, paper, and stone" game. American
Mathematical Monthly 99, 935-942.
Efron, B. and Tibshirani, R. J. (1993). An Introduction to the Bootstrap, ch. 13.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import pairwise
from math import inf
from typing import Any

import matplotlib as mpl
import numpy as np
import polars as pl
from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter
from numpy.typing import NDArray
from scipy.optimize import linprog, minimize

from reports.data.load import Run
from reports.sections.matchups import Pairs, count_pairs
from reports.shapes import Column, Listing, Picture, Section
from reports.show.figures import FAINT, NEUTRAL, PARTS, STYLE, WIDTH, blank
from reports.words import capital, count, percent
from sim.errors import UserError

POPULATION = 50
BATCHES = 200
FEWEST_BATCHES = 20
"""Two blocks that agree would agree in every resample, and pass for certainty."""
RESAMPLES = 500
SEED = 1
EXACT = 1e-9
SURE = 0.95
# Shares below this are drawn as none: one player in a thousand.
GONE = 0.001
COLUMNS = (
    Column("place", "place", "count", meaning="order by alpha-rank"),
    Column("strategy", "strategy", "text"),
    Column("payoff", "mean edge", "edge", meaning="mean share ahead of the other strategies, minus one half"),
    Column("alpha", "alpha-rank", "share", meaning="share of the time that all play it, if players copy what wins"),
    Column("mean_alpha", "over resamples", "share", meaning="alpha-rank share, mean over resamples of the blocks"),
    Column("equilibrium", "equilibrium", "share", "low", "high", "its share in the mixture that nothing beats"),
    Column("first", "first in", "share", meaning="share of resamples in which it has the first place"),
    Column("before_next", "before next in", "share", meaning="share of resamples in which it stands before the next"),
    Column("note", "note", "text"),
)
READING = (
    "Suppose players meet at tables, and now and then one of them tries another strategy and keeps it if it finishes "
    "ahead more often. Alpha-rank is the share of time that each strategy then rules; the equilibrium is the mixture "
    "of strategies that no strategy beats. Both take the run's strategies as all there are, and pairs as if no third "
    "mattered. Resamples draw the blocks anew: 100 % means that chance in the deals cannot change the order."
)

Floats = NDArray[np.float64]


def metagame_section(run: Run) -> Section:
    """What would remain of the run's strategies if players copied what wins, and how sure that is.

    Parameters
    ----------
    run
        From `load_run`.

    Returns
    -------
    A listing with payoff, alpha-rank and equilibrium of every strategy and how often each order held in resamples of
    the blocks; a figure of the replicator dynamics from even shares. A sentence instead where there is one strategy,
    or where two never met.
    """
    title = "Strategy meta-game"
    pairs = count_pairs(run, ("strategy",), BATCHES)["strategy"]
    met = pairs.met
    met = met + met.T
    there = np.flatnonzero(met.sum(axis=0) > 0)
    if len(there) < 2:
        return Section("metagame", title, ("No meta-game: no two strategies met in this run, so there is no choice.",))
    names = [pairs.names[i] for i in there]
    apart = np.argwhere(np.triu(met[np.ix_(there, there)] == 0, 1))
    if len(apart):
        first, second = (names[i] for i in apart[0])
        sentence = f"No meta-game: {first} and {second} never met in this run, so nobody knows which of them wins."
        return Section("metagame", title, (sentence,))
    payoffs = payoff_table(pairs.batches.sum(axis=0))[np.ix_(there, there)]
    resampled = resample(pairs, there)
    frame = metagame(names, payoffs, resampled)
    listing = Listing("metagame", "What remains if players copy what wins", frame, COLUMNS, note=how_sure(resampled))
    picture = Picture("metagame", partial(dynamics, names, payoffs), "Shares of strategies as players copy what wins.")
    return Section("metagame", title, tuple(describe(frame, resampled)), (listing,), (picture,), READING)


def payoff_table(sums: Floats) -> Floats:
    """Share ahead minus one half, from sums per pair.

    Parameters
    ----------
    sums
        Pairings and times ahead of each pair (a, b), a < b; shape (..., 2, levels, levels), zeros elsewhere.

    Returns
    -------
    Antisymmetric payoffs, shape (..., levels, levels); NaN for a pair that never met, 0 on the diagonal.
    """
    games, ahead = sums[..., 0, :, :], sums[..., 1, :, :]
    upper = np.triu(np.ones(games.shape[-2:], np.bool_), 1)
    with np.errstate(invalid="ignore", divide="ignore"):
        half = np.where(upper, ahead / games - 0.5, 0.0)
    return np.asarray(half - np.swapaxes(half, -1, -2))


def resample(pairs: Pairs, there: NDArray[np.int64], resamples: int = RESAMPLES) -> Floats:
    """Payoff tables of resampled runs: batches of blocks drawn with replacement (Efron and Tibshirani 1993).

    Returns
    -------
    Shape (resamples, levels, levels); fewer where a pair does not meet in some of them, none for fewer than
    `FEWEST_BATCHES`.
    """
    filled = pairs.batches[pairs.batches[:, 0].sum(axis=(1, 2)) > 0]
    batches = filled[:, :, there][..., there]
    if len(batches) < FEWEST_BATCHES:
        return np.empty((0, len(there), len(there)))
    rng = np.random.default_rng(SEED)
    times = rng.multinomial(len(batches), np.full(len(batches), 1 / len(batches)), resamples).astype(np.float64)
    tables = payoff_table((times @ batches.reshape(len(batches), -1)).reshape(resamples, *batches.shape[1:]))
    return np.asarray(tables[np.isfinite(tables).all(axis=(1, 2))])


def metagame(names: list[str], payoffs: Floats, resampled: Floats) -> pl.DataFrame:
    """Alpha-rank and equilibrium of every strategy, and in how many resamples the order holds.

    Parameters
    ----------
    names
        The strategies.
    payoffs
        Antisymmetric, shape (strategies, strategies).
    resampled
        The same for resampled runs, shape (resamples, strategies, strategies).

    Returns
    -------
    By place: `place`, `strategy`, `payoff`, `alpha`, `mean_alpha`, `equilibrium` with its 95 % percentile interval
    `low`, `high`, `first` and `before_next` (shares of resamples; null for the last place),
    `whole_order` (share of resamples with this order) and `single` (in which one strategy beats all others), the same
    in all rows, `note`.
    """
    alpha, mixture, order = alpha_rank(payoffs), equilibrium(payoffs), ranking(payoffs)
    columns: dict[str, Floats | list[None]] = dict.fromkeys(
        ("whole_order", "single", "mean_alpha", "low", "high", "first", "before_next"), [None] * len(names)
    )
    if len(resampled):
        # In the limit of strong selection only the signs matter, and most resamples agree on them.
        signs, which = np.unique(np.sign(resampled).astype(np.int8), axis=0, return_inverse=True)
        shares = np.array([alpha_rank(sign) for sign in signs])[which]
        places = np.array([np.argsort(ranking(sign)) for sign in signs])[which]
        mixtures = np.array([equilibrium(table, unique=True) for table in resampled])
        low, high = np.quantile(mixtures, (0.025, 0.975), axis=0)
        before = [float((places[:, a] < places[:, b]).mean()) for a, b in pairwise(order)]
        columns |= {
            "whole_order": np.full(len(names), (np.argsort(places, axis=1) == order).all(axis=1).mean()),
            "single": np.full(len(names), ((shares > 0).sum(axis=1) == 1).mean()),
            "mean_alpha": shares.mean(axis=0)[order],
            "low": low[order], "high": high[order], "first": (places == 0).mean(axis=0)[order],
            "before_next": np.array([*before, np.nan]),
        }  # fmt: skip
    known = {
        "payoff": payoffs.sum(axis=1)[order] / (len(names) - 1), "alpha": alpha[order], "equilibrium": mixture[order],
    }  # fmt: skip
    return pl.DataFrame({
        "place": np.arange(1, len(names) + 1), "strategy": [names[i] for i in order],
        **{name: pl.Series(values, dtype=pl.Float64) for name, values in (known | columns).items()},
        "note": ["" if len(resampled) else "too few blocks"] * len(names),
    }).with_columns(pl.col("before_next").fill_nan(None))  # fmt: skip


def alpha_rank(payoffs: Floats, selection: float = inf, population: int = POPULATION) -> Floats:
    """Share of time that each strategy rules a population whose members copy what wins (Omidshafiei et al. 2019).

    From a population that all plays r, each other strategy s is tried at the rate 1/(S - 1) and takes over with the
    chance rho(d) = (1 - exp(-alpha d)) / (1 - exp(-alpha m d)), d = payoff(s, r) - payoff(r, s), 1/m where d = 0.
    The shares are the stationary distribution of this chain.

    Parameters
    ----------
    payoffs
        Antisymmetric, shape (strategies, strategies).
    selection
        The ranking intensity alpha; infinite by default, the limit in which whoever is better always takes over and
        whoever is worse never does.
    population
        m.

    Returns
    -------
    Shares, shape (strategies,), adding up to 1.
    """
    advantage = payoffs.T - payoffs  # of the column's strategy, tried where the row's rules
    if selection == inf:
        takes = np.where(advantage > 0, 1.0, np.where(advantage == 0, 1 / population, 0.0))
    else:
        x = selection * np.where(advantage == 0, 1.0, advantage)
        # Both exponents are kept negative, so that nothing overflows however strong the selection.
        rise = -np.expm1(-np.abs(x)) / -np.expm1(-population * np.abs(x))
        takes = np.where(advantage == 0, 1 / population, rise * np.exp((population - 1) * np.minimum(x, 0)))
    np.fill_diagonal(takes, 0.0)
    return stationary(takes)


def stationary(rates: Floats) -> Floats:
    """Stationary distribution of a chain in which every two states are joined in at least one direction.

    Such a chain has exactly one set of states that it never leaves. On it the elimination of Grassmann, Taksar and
    Heyman (1985) is used, which never subtracts, so that rates of very different size do no harm.

    Parameters
    ----------
    rates
        From row to column, not negative, zero on the diagonal; shape (states, states).
    """
    kept = lasting(rates > 0)
    block = rates[np.ix_(kept, kept)].copy()
    size = len(kept)
    for last in range(size - 1, 0, -1):
        block[:last, last] /= block[last, :last].sum()
        block[:last, :last] += np.outer(block[:last, last], block[last, :last])
    weights = np.ones(size)
    for state in range(1, size):
        weights[state] = weights[:state] @ block[:state, state]
    shares = np.zeros(len(rates))
    shares[kept] = weights / weights.sum()
    return shares


def lasting(moves: NDArray[np.bool_]) -> NDArray[np.int64]:
    """States that a chain with these moves returns to for ever, where every two states are joined by a move.

    The states that it can never leave are entered from all others, so they have the most moves into them: they are the
    shortest beginning, in that order, from which no move leads out. Shape (states in it,).
    """
    order = np.argsort(-moves.sum(axis=0), kind="stable")
    size = 1
    while moves[order[:size]][:, order[size:]].any():
        size += 1
    return np.sort(order[:size])


def ranking(payoffs: Floats) -> NDArray[np.int64]:
    """Strategies in the order of alpha-rank: those that last by their share, then the same without them, and so on."""
    left = np.arange(len(payoffs))
    order: list[int] = []
    while len(left):
        shares = alpha_rank(payoffs[np.ix_(left, left)])
        lasts = np.flatnonzero(shares > 0)
        order += [int(left[i]) for i in lasts[np.argsort(-shares[lasts], kind="stable")]]
        left = np.delete(left, lasts)
    return np.array(order)


def equilibrium(payoffs: Floats, unique: bool = False) -> Floats:
    """Nash equilibrium of the symmetric zero-sum game: the mixture that no strategy beats.

    Only strategies of the lasting component can have a share. With one of them the answer is pure; where the component
    has an inner equilibrium it is the null vector of the payoffs; otherwise a linear programme finds it. Measured
    payoffs without ties have one equilibrium (Fisher and Ryan 1992, for odd supports); where there are several, that
    of largest entropy is taken.

    Parameters
    ----------
    payoffs
        Antisymmetric, shape (strategies, strategies).
    unique
        Take the first equilibrium found, without a look for others.

    Returns
    -------
    Shares x, shape (strategies,), with x @ payoffs >= 0 and sum 1. It is a rest point of `replicator`.
    """
    shares = np.zeros(len(payoffs))
    kept = lasting((payoffs.T > 0) | (payoffs == 0))
    game = payoffs[np.ix_(kept, kept)]
    if len(kept) == 1:
        shares[kept] = 1.0
        return shares
    _, sizes, vectors = np.linalg.svd(game)
    inner = vectors[-1] / vectors[-1].sum() if abs(vectors[-1].sum()) > EXACT else vectors[-1]
    single = sizes[-1] < EXACT < sizes[-2]
    if single and (inner > EXACT).all():
        shares[kept] = inner
        return shares
    found = by_linear_programme(game, np.zeros(len(kept)))
    shares[kept] = found if unique else most_even(game, found)
    return shares


def by_linear_programme(game: Floats, prefer: Floats) -> Floats:
    """Return an equilibrium of a symmetric zero-sum game, of several the one with the largest prefer @ x."""
    size = len(game)
    limits: Any = {"A_ub": -game.T, "b_ub": np.full(size, EXACT), "A_eq": np.ones((1, size)), "b_eq": np.ones(1)}
    result: Any = linprog(-prefer, **limits, bounds=(0, 1), method="highs")
    if not result.success:
        raise UserError(f"the equilibrium of the strategies cannot be found ({result.message})")
    found = np.maximum(result.x, 0)
    return np.asarray(found / found.sum())


def most_even(game: Floats, found: Floats) -> Floats:
    """Return the equilibrium of largest entropy: `found` itself unless another strategy can have a larger share."""
    corners = [by_linear_programme(game, row) for row in np.eye(len(game))]
    if max(float(np.abs(corner - found).max()) for corner in corners) < 1e-6:
        return found
    start = np.mean(corners, axis=0)
    limits: Any = [
        {"type": "eq", "fun": lambda x: x.sum() - 1},
        {"type": "ineq", "fun": lambda x: x @ game + EXACT},
    ]
    result = minimize(_disorder, start, bounds=[(0, 1)] * len(game), constraints=limits, method="SLSQP")
    even = np.maximum(result.x, 0) / np.maximum(result.x, 0).sum()
    return np.asarray(even if (even @ game >= -1e-6).all() else start)


def _disorder(shares: Floats) -> float:
    """Entropy with its sign turned."""
    return float(shares @ np.log(shares + 1e-12))


def replicator(payoffs: Floats, start: Floats, time: float, steps: int = 2000) -> tuple[Floats, Floats]:
    """Follow the replicator dynamics dx_i/dt = x_i ((A x)_i - x A x) (Taylor and Jonker 1978).

    Parameters
    ----------
    payoffs
        A, antisymmetric, so that x A x = 0; shape (strategies, strategies).
    start
        Shares at time 0, shape (strategies,).
    time, steps
        How long, and in how many Runge-Kutta steps of fourth order (of log x, so that shares stay positive).

    Returns
    -------
    Times, shape (steps + 1,), and shares, shape (steps + 1, strategies).
    """
    with np.errstate(divide="ignore"):
        logs = np.log(np.asarray(start, np.float64))
    step = time / steps
    path = np.empty((steps + 1, len(payoffs)))

    def shares(log: Floats) -> Floats:
        raised = np.exp(log - log.max())
        return np.asarray(raised / raised.sum())

    for number in range(steps + 1):
        path[number] = shares(logs)
        k1 = payoffs @ path[number]
        k2 = payoffs @ shares(logs + step / 2 * k1)
        k3 = payoffs @ shares(logs + step / 2 * k2)
        k4 = payoffs @ shares(logs + step * k3)
        logs = logs + step / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
    return np.linspace(0, time, steps + 1), path


def describe(frame: pl.DataFrame, resampled: Floats) -> list[str]:
    """Say what remains if players copy what wins, what mixture nothing beats, and in how many resamples that holds."""
    rows = frame.to_dicts()
    first = rows[0]
    lasting_rows = [row for row in rows if row["alpha"] > 0]
    if len(lasting_rows) == 1:
        said = list(describe_one(rows))
    else:
        parts = ", ".join(f"{percent(row['alpha'], 0)} {row['strategy']}" for row in lasting_rows)
        said = [f"If players copied what wins, no strategy would stay for good: over time they would play {parts}."]
        mixed = sorted((row for row in rows if row["equilibrium"] > GONE), key=lambda row: -row["equilibrium"])
        parts = ", ".join(f"{percent(row['equilibrium'], 0)} {row['strategy']}" for row in mixed)
        said.append(f"The mixture that no strategy beats: {parts}.")
        if first["single"] is not None and first["single"] > 1 - SURE:
            said.append(
                f"That is not certain: in {percent(first['single'], 0)} of resamples of the run one strategy beats all "
                "others and would stay."
            )
    if not len(resampled):
        return [*said, "How sure that is cannot be said: the run has too few blocks to draw them anew."]
    said.append(
        f"{capital(first['strategy'])} comes first in {percent(first['first'], 0)} of resamples of the run; the whole "
        f"order is the same in {percent(first['whole_order'], 0)}."
    )
    doubtful = [
        f"{row['strategy']} before {after['strategy']} ({percent(row['before_next'], 0)})"
        for row, after in pairwise(rows)
        if row["before_next"] < SURE
    ]
    said.append(
        f"Not certain in the order: {', '.join(doubtful)}." if doubtful
        else "Every neighbour in the order stands before the next in at least 95 % of resamples."
    )  # fmt: skip
    return said


def describe_one(rows: list[dict[str, Any]]) -> Iterator[str]:
    """Say which strategy would remain, or which may, where this run's figures leave only one."""
    first = rows[0]
    may = contenders(rows)
    if len(may) == 1:
        yield f"If players copied what wins, all would end with {first['strategy']}: it beats every other strategy."
        yield f"No mixture of strategies does better: at the equilibrium everybody plays {first['strategy']}."
        return
    names = [row["strategy"] for row in may]
    shares = ", ".join(f"{row['strategy']} in {percent(row['first'], 0)}" for row in may)
    yield (
        f"If players copied what wins, {', '.join(names[:-1])} or {names[-1]} would remain, not told apart by this run "
        f"(first place in resamples of it: {shares})."
    )
    low, high = percent(first["low"], 0).removesuffix(" %"), percent(first["high"], 0)
    yield (
        f"By this run's own figures {first['strategy']} beats every other strategy and everybody plays it at the "
        f"equilibrium, but its share there may be anything from {low} to {high}."
    )


def contenders(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the fewest strategies of which one has the first place in 95 % of resamples; the first where unknown."""
    if rows[0]["first"] is None:
        return rows[:1]
    likely = sorted(rows, key=lambda row: -row["first"])
    reached = np.cumsum([row["first"] for row in likely])
    return likely[: int(np.searchsorted(reached, SURE - EXACT)) + 1]


def how_sure(resampled: Floats) -> str:
    """Say how the resamples were made."""
    if not len(resampled):
        return "Too few blocks for resamples: no intervals."
    lost = RESAMPLES - len(resampled)
    less = f" {count(lost)} resamples in which two strategies never met are left out." if lost else ""
    return (
        f"{count(len(resampled))} resamples of batches of blocks. Alpha-rank in the limit of strong selection, "
        f"{POPULATION} players; strategies without a share are ordered as if those before them were gone.{less}"
    )


def dynamics(names: list[str], payoffs: Floats, ax: Axes | None = None) -> Axes:
    """Shares of the strategies over time as players copy what wins, from even shares.

    Parameters
    ----------
    names, payoffs
        The strategies and their antisymmetric payoffs.
    ax
        Where to draw; by default on a new figure.
    """
    scale = max(float(np.abs(payoffs).max()), 1e-3)
    times, path = replicator(payoffs, np.full(len(names), 1 / len(names)), 40 / scale, 1200)
    settled = np.flatnonzero(np.abs(path - path[-1]).max(axis=1) > 0.02)
    shown = min(len(times), int(1.25 * (settled[-1] + 1)) + 2) if len(settled) else len(times)
    order = np.argsort(-path[shown - 1] - path.mean(axis=0) * 1e-3, kind="stable")
    with mpl.rc_context(STYLE):
        if ax is None:
            _, ax = blank(WIDTH, 3.6, "If players copied what wins, starting from even shares")
        generation = times[:shown]
        for number, strategy in enumerate(order):
            colour = PARTS[number % len(PARTS)] if number < len(PARTS) else NEUTRAL
            ax.plot(generation, 100 * path[:shown, strategy], color=colour, lw=2.2 if number < 3 else 1.4)
        label_ends(ax, [(names[i], 100 * float(path[shown - 1, i])) for i in order], 100 * float(path[:shown].max()))
        ax.set_xlim(0, generation[-1])
        ax.set_ylim(0, None)
        ax.grid(axis="y", color=FAINT, lw=0.8)
        ax.set_xticks([])
        ax.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g} %"))
        ax.set_xlabel("time, as players copy strategies that finish ahead more often", fontsize=9, color=NEUTRAL)
        ax.set_ylabel("share of players", fontsize=9, color=NEUTRAL)
    return ax


def label_ends(ax: Axes, ends: list[tuple[str, float]], top: float) -> None:
    """Write each name beside the end of its line, moved apart where ends lie close together."""
    gap, below = 0.062 * top, inf
    for number, (name, end) in enumerate(ends):
        # Each label stands below the one before it, but leaves room above the axis for those that follow.
        below = max(min(end, below - gap), (len(ends) - 1 - number) * gap)
        colour = PARTS[number] if number < len(PARTS) else NEUTRAL
        ax.annotate(name, (1.01, below), xycoords=ax.get_yaxis_transform(), va="center", fontsize=9, color=colour)
