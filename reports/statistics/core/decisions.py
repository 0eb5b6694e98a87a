"""Decides each row by the designer's margin: change it, leave it, or play a number of further games.

The margin is a region of practical equivalence (Kruschke 2018), and limits within it are two one-sided tests
(Schuirmann 1987). The module also computes how many games a question needs. A pilot run measures the variance between
blocks.

Sources, in full in `docs/statistics.md`: Spiegelhalter, Freedman and Blackburn (1986) for predictive power, Bloom
(1995) and Cochran (1977, ch. 4) for the number of games, Kish (1965, ch. 8.2) for the design effect, Rao and Scott
(1981) for clustered counts.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from reports.data.load import Run
from reports.model import Table
from reports.statistics.compare.paired import paired_differences, paired_moments
from reports.statistics.core.shrinkage import REACH
from reports.statistics.core.win_rate import ALPHA, POWER, Floats, blank_zero, family_probability
from reports.statistics.core.win_rate import FEW_BLOCKS as FEW_FOR_FAIR_SHARE
from reports.statistics.distributions import normal_cdf, normal_isf, normal_ppf, t_ppf
from sim.errors import UserError

CHANGE, LEAVE, MORE, CANNOT_TELL = "change it", "leave it", "more games", "cannot tell"
SWAYED = "depends on players"
"""Decision on a row that lies within the margin over all games, but certainly beyond it if some player is left out."""
WITHOUT = (
    "without_low", "without_high", "without_low_limit", "without_high_limit", "without_low_upper", "without_high_lower",
)  # fmt: skip
"""Columns with the lowest and the highest edge if any one player is left out, and with limits of these two edges.

See `robustness.with_players_left_out`.
"""
MAX_MARGIN = 100.0
MAX_FACTOR = 1000.0
"""If a decision needs more games than this multiple of the run's games, no number is given."""
PROMISED = POWER
"""Chance with which the stated number of further games decides a row."""
USUAL = 3.0
"""Typical half width of an interval, in standard errors; used if the error is unknown."""
HALVINGS = 40
TRIED, HALF_POINT = 200, 0.005
"""`confirming_games` tries this many different numbers of games, and margins that grow by this step."""


def margin_of(points: float) -> float:
    """Convert a margin from percentage points to a fraction; raise UserError if it is impossible."""
    if not (math.isfinite(points) and 0 < points < MAX_MARGIN):
        message = "margin out of range, in percentage points"
        raise UserError(message, field="margin", found=points, allowed=f"above 0, below {MAX_MARGIN:g}")
    return points / 100


def decided(frame: pl.DataFrame, margin: float, games: int, bound: bool = False, rate: float = ALPHA) -> pl.DataFrame:
    """Decide each row of a table from its limits for all rows.

    A row is to be changed if its limits lie outside of the range from -margin to margin and the row is flagged. It is
    to be left if its limits lie inside that range whichever player is left out. For other rows, `more_games` is the
    number of further games that would decide the row in four of five such runs; see `games_to_decide`. The two rows of
    a table of two levels get the same decision.

    Parameters
    ----------
    frame
        From `groupings.flag_family`, possibly with the columns of `robustness.with_players_left_out`.
    margin
        Half the width of the region of practical equivalence, as a fraction.
    bound
        Whether the rows are confounded with another factor in this run, so that nothing can be decided.
    rate
        Error rate of the limits and flags of the frame.

    Returns
    -------
    The frame with `decision` and `more_games`. The decisions:

    "change it": the limits lie wholly outside the margin, and the row is flagged;
    "leave it": the limits lie within the margin whichever player is left out;
    "depends on players": the limits over all games lie within the margin, but with some player left out the edge is
    certainly beyond it;
    "more games": the row is still open;
    "cannot tell": `bound` is true;
    empty: no limits are known.

    `more_games` is given only for "more games", rounded up. Even then it is null in two cases: more than 1,000 times
    the games of the run would be needed, since the edge is very close to the margin; or the run is too small to flag
    any edge of the row. Such a row shows only luck, from which no number of games follows.
    """
    decision, factor = decisions_of(frame, margin), games_factor(frame, margin, rate)
    decision = np.where((decision != "") & bound, CANNOT_TELL, decision)
    asked = (decision == MORE) & (factor <= MAX_FACTOR) & ~cannot_flag(frame)
    more = np.where(asked, np.ceil(games * (np.where(asked, factor, 1.0) - 1)), np.nan)
    return frame.with_columns(
        pl.Series("decision", decision.astype(str), dtype=pl.String),
        pl.Series("more_games", more).fill_nan(None).cast(pl.Int64),
    )


def decisions_of(frame: pl.DataFrame, margin: float) -> NDArray[np.str_]:
    """Return the decision on each row as in `decided`, without "cannot tell"; shape (rows,)."""
    low, high = (column_as_floats(frame, name) for name in ("family_low", "family_high"))
    low_upper, high_lower = (column_as_floats(frame, name) for name in WITHOUT[4:])
    swayed = (low_upper < -margin) | (high_lower > margin)
    fair = np.where(swayed, SWAYED, np.where(fair_on_average_only(frame, margin), MORE, LEAVE))
    open_rows = np.where(np.isnan(low), "", np.where(beyond(low, high, margin) & ~may_be_chance(frame), CHANGE, MORE))
    decision = np.where(inside(low, high, margin), fair, open_rows)
    if len(decision) == 2 and decision[0] != decision[1]:
        # One row gains what the other loses, so the two rows are one question. It is open as long as either row is
        # open.
        decision = np.full(2, SWAYED if set(decision) == {SWAYED, LEAVE} else MORE)
    return decision


def fair_on_average_only(frame: pl.DataFrame, margin: float) -> NDArray[np.bool_]:
    """Tell which rows are within the margin over all games, but not certainly within it if some player is left out."""
    low, high, least, most = (column_as_floats(frame, name) for name in ("family_low", "family_high", *WITHOUT[2:4]))
    return inside(low, high, margin) & ~(inside(least, most, margin) | np.isnan(least))


def games_factor(frame: pl.DataFrame, margin: float, rate: float = ALPHA) -> Floats:
    """Return the multiple of the run's games that decides each row with probability `PROMISED`.

    A row within the margin must be decided with any player left out, too. So it needs enough games for the lowest and
    for the highest edge with one player left out. The two rows of a table of two levels are decided together. Infinite
    or NaN if no number can be given. See `games_to_decide`.
    """
    edge, low, high, error, shrunk, doubt = (
        column_as_floats(frame, name)
        for name in ("edge", "family_low", "family_high", "error", "shrunk", "shrunk_high")
    )
    doubt = (doubt - shrunk) / REACH
    factor = games_to_decide(edge, low, high, margin, error, shrunk, doubt)
    factor = np.where(
        may_be_chance(frame) & beyond(low, high, margin), np.fmax(factor, games_to_flag(frame, rate)), factor
    )
    lowest, highest, least, most, low_upper, high_lower = (column_as_floats(frame, name) for name in WITHOUT)
    for end, lower, upper in ((lowest, least, low_upper), (highest, high_lower, most)):
        factor = np.where(np.abs(edge) < margin, np.fmax(factor, games_to_decide(end, lower, upper, margin)), factor)
    return np.full(2, factor.max()) if len(factor) == 2 else factor


def may_be_chance(frame: pl.DataFrame) -> NDArray[np.bool_]:
    """Tell which rows have an empty flag. With few blocks, this is possible although their limits exclude 0."""
    return (frame["flag"] == "").to_numpy() if "flag" in frame.columns else np.zeros(frame.height, np.bool_)


def games_to_flag(frame: pl.DataFrame, rate: float = ALPHA) -> Floats:
    """Return the multiple of the run's games that flags each row with probability `PROMISED`.

    The observed edge of the row is taken to be its true edge.
    """
    p = np.clip(column_as_floats(frame, "p_family"), 1e-300, 1.0)
    with np.errstate(divide="ignore"):
        return np.asarray(((normal_isf(rate / 2) + normal_ppf(PROMISED)) / normal_isf(p / 2)) ** 2)


def confirming_games(
    edge: float, error: float, games: int, margin: float, rows: int, most: int, players: int = 1
) -> tuple[int, float]:
    """Return how many fresh games confirm with probability `PROMISED` that a row is balanced, and within which margin.

    The true edge of the row is taken to be its present edge. In the fresh games, the limits of the edge must lie within
    the margin.

    Parameters
    ----------
    edge, error, games
        The edge of the row, its standard error, and the number of games that they come from.
    margin
        The requested margin.
    rows
        Number of rows whose limits must hold at once.
    most
        Maximum number of games.
    players
        Number of different players. The row must be balanced with any one of them left out, too.

    Returns
    -------
    The number of games and the margin. If `margin` would need more than `most` games: the smallest larger margin, in
    steps of half a point, that `most` games or fewer can confirm, and the games that it needs. `most` and 1 if there is
    no such margin.
    """
    reach = float(normal_ppf(family_probability(rows))) * math.sqrt(players / max(players - 1, 1))
    tried: Floats = np.geomspace(min(games, most), most, TRIED).astype(np.float64)
    own = error * np.sqrt(games / tried)
    wider = HALF_POINT * np.arange(math.floor(margin / HALF_POINT) + 1, round(1 / HALF_POINT) + 1)
    for near in (margin, *wider.tolist()):
        room = near - reach * own
        chance = normal_cdf((room - edge) / own) - normal_cdf((-room - edge) / own)
        if (enough := np.flatnonzero(chance >= PROMISED)).size:
            return math.ceil(tried[enough[0]]), float(near)
    return most, 1.0


def column_as_floats(frame: pl.DataFrame, name: str) -> Floats:
    """Return a column as floats, with NaN for unknown values; all NaN if the column is missing."""
    if name not in frame.columns:
        return np.full(frame.height, np.nan)
    return frame[name].to_numpy().astype(np.float64)


def cannot_flag(frame: pl.DataFrame) -> NDArray[np.bool_]:
    """Tell which rows could not be flagged reliably even with the widest possible edge; see `groupings.flag_family`."""
    if "mde_family" not in frame.columns:
        return np.zeros(frame.height, np.bool_)
    return frame["mde_family"].is_null().to_numpy()


def inside(low: Floats, high: Floats, margin: float) -> NDArray[np.bool_]:
    """Tell which rows have limits within the margin; False if the limits are unknown."""
    return np.asarray((low >= -margin) & (high <= margin))


def beyond(low: Floats, high: Floats, margin: float) -> NDArray[np.bool_]:
    """Tell which rows have limits that lie wholly outside the margin; False if the limits are unknown."""
    return np.asarray((low > margin) | (high < -margin))


def undecided(frame: pl.DataFrame) -> pl.DataFrame:
    """Add the columns of `decided` to a table without decisions: empty decisions, and nulls."""
    return frame.with_columns(pl.lit("").alias("decision"), pl.lit(None, pl.Int64).alias("more_games"))


def games_to_decide(
    edge: Floats,
    low: Floats,
    high: Floats,
    margin: float,
    error: Floats | None = None,
    shrunk: Floats | None = None,
    doubt: Floats | None = None,
) -> Floats:
    """Return the multiple of a run's games after which each row is decided with probability `PROMISED`.

    A row is decided if neither the margin nor its negative lies between the limits of the edge. The result is the
    smallest multiple k with the chance `PROMISED` of a decision (predictive power: Spiegelhalter, Freedman and
    Blackburn 1986).

    After k times the games, the limits are 1 / sqrt(k) times as wide as now, around the edge that all these games show.
    The fraction 1 / k of the games are those of this run, which showed `edge`. The others will show the true edge plus
    luck of variance error^2 / (k - 1). The true edge is normal with mean `shrunk` and standard deviation `doubt`. So
    the edge over all games is normal. Its mean is edge / k + (1 - 1 / k) shrunk, its variance is
    (1 - 1 / k)^2 (doubt^2 + error^2 / (k - 1)).

    Parameters
    ----------
    edge, low, high
        Edges and their limits, shape (rows,).
    margin
        The margin as a fraction.
    error, shrunk, doubt
        Standard errors of the edges, estimates of the true edges, and the errors of these estimates. If not given, they
        are replaced by errors that follow from the limits, by the edges, and by `error`.

    Returns
    -------
    The multiples, shape (rows,). Infinite if more than twice `MAX_FACTOR` times the games are needed; NaN if the limits
    are unknown.
    """
    above, below = high - edge, edge - low
    error = np.where(np.isnan(given := or_unknown(error, edge)), np.maximum(above, below) / USUAL, given)
    shrunk = np.where(np.isnan(given := or_unknown(shrunk, edge)), edge, given)
    doubt = np.where(np.isnan(given := or_unknown(doubt, edge)), error, given)

    def chance(times: Floats) -> Floats:
        rest = 1 - 1 / times
        mean, nearer = edge / times + rest * shrunk, 1 / np.sqrt(times)
        spread = rest * np.sqrt(doubt**2 + error**2 / np.maximum(times - 1, 1e-9))
        # Decided: the lower limit is above the margin, the upper limit is below minus the margin, or both are within.
        ends = [margin + below * nearer, -margin - above * nearer, margin - above * nearer, -margin + below * nearer]
        over, under, most, least = (normal_cdf((end - mean) / spread) for end in ends)
        return np.asarray(1 - over + under + np.maximum(most - least, 0.0))

    with np.errstate(divide="ignore", invalid="ignore"):
        first, last = np.full(edge.shape, 1.0 + 1e-6), np.full(edge.shape, 2 * MAX_FACTOR)
        enough = chance(last) >= PROMISED
        for _ in range(HALVINGS):
            middle = np.sqrt(first * last)
            reached = chance(middle) >= PROMISED
            first, last = np.where(reached, first, middle), np.where(reached, middle, last)
    return np.asarray(np.where(np.isnan(low) | np.isnan(high), np.nan, np.where(enough, last, np.inf)))


def or_unknown(values: Floats | None, like: Floats) -> Floats:
    """Return `values`, or an array of NaN if `values` is None."""
    return np.full(like.shape, np.nan) if values is None else values


@dataclass(frozen=True)
class Question:
    """What planned games must detect: an edge or a change of this size (a fraction), with this power and error rate."""

    effect: float
    power: float
    alpha: float


@dataclass(frozen=True)
class Pilot:
    """A short run in memory, and the seconds that it took to play (without the time for compilation)."""

    run: Run
    seconds: float


def needed_blocks(variance: Floats, q: Question, tests: float = 1, null_variance: Floats | None = None) -> Floats:
    """Return the number of blocks in which the report's tests find an effect with the requested power.

    The number is B = ((c + z_power) * s / effect)^2 (Bloom 1995; Cochran 1977, eq. 4.4). Here s^2 is the variance of a
    block's share, c is the value that the mean divided by its standard error must exceed, and z_power is the normal
    quantile of the power. Let t = t_{1 - alpha/(2 tests)} at B - 1 degrees of freedom. A score test takes its variance
    about the null: c^2 = t^2 (B - 1) / (B - t^2), which tends to t^2. The test of a fair share divides by s0 in place
    of s: c = t s0 / s. Below `win_rate.FEW_BLOCKS` blocks, its c is the larger of this value and the c of a score test.
    B occurs on both sides and is found by bisection.

    Parameters
    ----------
    variance
        s^2 = B * (standard error)^2, from a pilot of B blocks; shape (rows,).
    tests
        Number of rows tested together. Alpha is divided by it (Bonferroni, the first step of Holm).
    null_variance
        s0^2 for the test of a fair share; None for a score test.

    Returns
    -------
    Number of blocks that contain the row, not rounded; NaN if the variance is unknown.
    """
    with np.errstate(divide="ignore", invalid="ignore"):  # a row that never or always won shows no variance
        wider = None if null_variance is None else np.sqrt(null_variance / variance)

    def demand(blocks: Floats) -> Floats:
        t = t_ppf(1 - q.alpha / (2 * tests), blocks - 1)
        # With t^2 blocks or fewer, a score test cannot flag anything. Then return a demand that no number of blocks
        # meets.
        careful = np.where(blocks > t**2, t * np.sqrt((blocks - 1) / np.maximum(blocks - t**2, 1e-9)), 1e3)
        if wider is None:
            return np.asarray(careful)
        return np.where(blocks < FEW_FOR_FAIR_SHARE, np.maximum(careful, t * wider), t * wider)

    return solve_blocks(variance, demand, float(normal_ppf(q.power)), q.effect)


def interval_blocks(variance: Floats, q: Question) -> Floats:
    """Return the number of blocks after which an interval reaches `effect` to either side: (t * s / effect)^2.

    Here s^2 is `variance`, and t is the quantile of Student's t.
    """
    return solve_blocks(variance, lambda blocks: np.asarray(t_ppf(1 - q.alpha / 2, blocks - 1)), 0.0, q.effect)


def solve_blocks(variance: Floats, demand: Callable[[Floats], Floats], z: float, effect: float) -> Floats:
    """Solve B = ((demand(B) + z) * s / effect)^2 for the number of blocks B, where s^2 is `variance`.

    Bisection on a log scale is used; `demand` must fall as B grows.
    """
    low, high = np.full(np.shape(variance), 2.0), np.full(np.shape(variance), 1e15)
    for _ in range(80):
        middle = np.sqrt(low * high)
        enough = middle >= (np.maximum(demand(middle) + z, 0.0) ** 2) * variance / effect**2
        low, high = np.where(enough, low, middle), np.where(enough, middle, high)
    return np.asarray(np.where(np.isfinite(variance), high, np.nan))


def table_needs(table: Table, games: int, q: Question) -> pl.DataFrame:
    """Return the games that every row of a table needs.

    Parameters
    ----------
    table
        A table of win rates of a pilot.

    Returns
    -------
    One row per level:
    `level`, and `blocks` and `error` in the pilot;
    `design_effect`, the variance divided by the variance of the same number of independent seat-games (Kish 1965);
    `flag_one`, the games to flag an edge as wide as the effect if only that row is tested;
    `flag_any`, the same with correction for all rows that are judged together;
    `interval`, the games for an interval of +- effect;
    `apart`, the games that each of two arms needs if they share no luck, with correction for all rows of the table;
    `note`.
    Games are not rounded. They are null if the pilot shows no variation.
    """
    frame = table.frame
    error, blocks, share, null, seat_games = (
        frame[name].to_numpy().astype(np.float64) for name in ("error", "blocks", "win_rate", "null", "games")
    )
    error = blank_zero(error)
    variance = error**2 * blocks
    tests = max(int(np.isfinite(error).sum()), 1)
    together = table.tests or tests
    per_block = games / blocks
    # Keep the design effect (Rao and Scott 1981). Replace the share by the fair share, then by a share that differs
    # from the fair share by the effect.
    with np.errstate(divide="ignore", invalid="ignore"):
        clustering = variance / (share * (1 - share))
    fair = clustering * null * (1 - null)
    off = np.clip(null + q.effect * np.where(null < 0.5, 1, -1), 0.01, 0.99)
    unfair = clustering * off * (1 - off)
    needs = {
        "flag_one": needed_blocks(unfair, q, 1, fair),
        "flag_any": needed_blocks(unfair, q, together, fair),
        "interval": interval_blocks(variance, q),
        "apart": needed_blocks(2 * variance, q, tests),
    }
    with np.errstate(divide="ignore", invalid="ignore"):
        design = error**2 * seat_games / (share * (1 - share))
    columns = {"error": error, "design_effect": design} | {name: need * per_block for name, need in needs.items()}
    note = ["" if known else "no variation in the pilot" for known in np.isfinite(error)]
    return frame.select(
        "level",
        "blocks",
        *(pl.Series(name, values, nan_to_null=True) for name, values in columns.items()),
        pl.Series("note", note, dtype=pl.String),
    )


def paired_needs(pilot_a: Run, pilot_b: Run, table: str, q: Question) -> pl.DataFrame:
    """Return the games that each arm needs to find the change on the same deals, given pilots of both arms.

    Parameters
    ----------
    table
        "faction", "seat" or "strategy".

    Returns
    -------
    `level`; `paired`, the games with correction for all rows (null if no win differs); `saving`, the factor by which
    the arms would need more games if they shared no luck.
    """
    changed = paired_differences(paired_moments(pilot_a, pilot_b, [table]), [table])
    error, blocks = changed["error"].to_numpy().astype(np.float64), changed["blocks"].to_numpy()
    error = blank_zero(error)
    variance = error**2 * blocks
    tests = max(int(np.isfinite(error).sum()), 1)
    games = needed_blocks(variance, q, tests) * pilot_a.manifest.games / blocks
    text = pl.format("seat {}", table) if table == "seat" else pl.col(table).cast(pl.String)
    return changed.select(text.alias("level"), pl.Series("paired", games).fill_nan(None), "saving")
