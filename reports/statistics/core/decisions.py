"""Decide each row by the designer's margin: change it, leave it, or play this many more games.

References
----------
Schuirmann, D. J. (1987). A comparison of the two one-sided tests procedure and the power approach for assessing the
equivalence of average bioavailability. J. Pharmacokinetics and Biopharmaceutics 15, 657-680.
Kruschke, J. K. (2018). Rejecting or accepting parameter values in Bayesian estimation. Advances in Methods and
Practices in Psychological Science 1, 270-280 (region of practical equivalence).
Spiegelhalter, D. J., Freedman, L. S. and Blackburn, P. R. (1986). Monitoring clinical trials: conditional or predictive
power? Controlled Clinical Trials 7, 8-17.
"""

from __future__ import annotations

import math

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy import stats

from reports.statistics.core.shrinkage import REACH
from reports.statistics.core.win_rate import ALPHA, POWER, Floats
from sim.errors import UserError

CHANGE, LEAVE, MORE, CANNOT_TELL = "change it", "leave it", "more games", "cannot tell"
SWAYED = "depends on players"
"""Within the margin over all games, but confirmed beyond it with some player left out."""
WITHOUT = (
    "without_low", "without_high", "without_low_limit", "without_high_limit", "without_low_upper", "without_high_lower",
)  # fmt: skip
"""Range of an edge over the players left out, with its limits, see `left_out.with_players_left_out`."""
MAX_MARGIN = 100.0
MAX_FACTOR = 1000.0
"""If a decision needs more than this many times the games of the run, no number is given."""
PROMISED = POWER
"""Chance that the stated number of further games decides a row."""
USUAL = 3.0
"""Typical reach of limits in standard errors, used if the error is unknown."""
HALVINGS = 40


def margin_of(points: float) -> float:
    """Return a margin given in percentage points as a fraction; raise UserError if it is impossible."""
    if not (math.isfinite(points) and 0 < points < MAX_MARGIN):
        message = "impossible margin in percentage points"
        raise UserError(message, field="margin", found=points, allowed=f"above 0, below {MAX_MARGIN:g}")
    return points / 100


def decided(frame: pl.DataFrame, margin: float, games: int, bound: bool = False, rate: float = ALPHA) -> pl.DataFrame:
    """Decide each row of a table by its limits for all rows.

    A row is to be changed if its limits lie outside of -margin to margin, and left if they lie inside whichever player
    is left out. For other rows the further games are computed that decide in four of five such runs, see
    `games_to_decide`.

    Parameters
    ----------
    frame
        From `joint.judged_together`, possibly with the columns of `leave_one_out.with_players_left_out`.
    margin
        Half of the region of practical equivalence, as a fraction.
    bound
        Whether the rows are confounded with another factor in this run, so that nothing can be decided.
    rate
        Error rate of limits and flags of the frame.

    Returns
    -------
    The frame with `decision` ("change it", "leave it", "more games", "depends on players" where the edge lies within
    the margin, but confirmed beyond it with some player left out, "cannot tell"; empty if no limits are known) and
    `more_games`, not rounded, only for "more games"; null if the edge is so close to the
    margin that more than 1,000 times the games of the run would be needed, or where the run is too small to flag any
    edge of the row: what it saw of it is luck, and no number of games follows from that.
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
    """Return the decision on each row, as in `decided`; shape (rows,)."""
    low, high = (numbers(frame, name) for name in ("family_low", "family_high"))
    _, _, least, most, low_upper, high_lower = (numbers(frame, name) for name in WITHOUT)
    held = inside(least, most, margin) | np.isnan(least)
    swayed = (low_upper < -margin) | (high_lower > margin)
    fair = np.where(swayed, SWAYED, np.where(held, LEAVE, MORE))
    open_rows = np.where(np.isnan(low), "", np.where(beyond(low, high, margin) & ~may_be_chance(frame), CHANGE, MORE))
    decision = np.where(inside(low, high, margin), fair, open_rows)
    if len(decision) == 2 and decision[0] != decision[1]:
        # One gains what the other loses, so this is one question, open as long as either row is.
        decision = np.full(2, SWAYED if set(decision) == {SWAYED, LEAVE} else MORE)
    return decision


def games_factor(frame: pl.DataFrame, margin: float, rate: float = ALPHA) -> Floats:
    """Return the multiple of the run's games that decides each row in `PROMISED` of such runs, see `games_to_decide`.

    A row within the margin must be decided with any player left out too, so it needs what the ends of that range need.
    Two rows are decided together. Infinite or NaN if no number can be given.
    """
    edge, low, high, error, shrunk, doubt = (
        numbers(frame, name) for name in ("edge", "family_low", "family_high", "error", "shrunk", "shrunk_high")
    )
    doubt = (doubt - shrunk) / REACH
    factor = games_to_decide(edge, low, high, margin, error, shrunk, doubt)
    factor = np.where(
        may_be_chance(frame) & beyond(low, high, margin), np.fmax(factor, games_to_flag(frame, rate)), factor
    )
    lowest, highest, least, most, low_upper, high_lower = (numbers(frame, name) for name in WITHOUT)
    for end, lower, upper in ((lowest, least, low_upper), (highest, high_lower, most)):
        factor = np.where(np.abs(edge) < margin, np.fmax(factor, games_to_decide(end, lower, upper, margin)), factor)
    return np.full(2, factor.max()) if len(factor) == 2 else factor


def may_be_chance(frame: pl.DataFrame) -> NDArray[np.bool_]:
    """Return the rows that are not flagged; in few blocks a row may fail the test although its limits exclude 0."""
    return (frame["flag"] == "").to_numpy() if "flag" in frame.columns else np.zeros(frame.height, np.bool_)


def games_to_flag(frame: pl.DataFrame, rate: float = ALPHA) -> Floats:
    """Return the multiple of the run's games that flags each row in `PROMISED` of runs, if its edge stays."""
    p = np.clip(numbers(frame, "p_family"), 1e-300, 1.0)
    with np.errstate(divide="ignore"):
        return np.asarray(((stats.norm.isf(rate / 2) + stats.norm.ppf(PROMISED)) / stats.norm.isf(p / 2)) ** 2)


def numbers(frame: pl.DataFrame, name: str) -> Floats:
    """Return a column, NaN for unknown values or a missing column."""
    if name not in frame.columns:
        return np.full(frame.height, np.nan)
    return frame[name].cast(pl.Float64).fill_null(np.nan).to_numpy()


def cannot_flag(frame: pl.DataFrame) -> NDArray[np.bool_]:
    """Whether no possible edge of a row would be flagged reliably, see `joint.judged_together`; shape (rows,)."""
    if "mde_family" not in frame.columns:
        return np.zeros(frame.height, np.bool_)
    return frame["mde_family"].is_null().to_numpy()


def inside(low: Floats, high: Floats, margin: float) -> NDArray[np.bool_]:
    """Whether limits lie within the margin; False if unknown."""
    return np.asarray((low >= -margin) & (high <= margin))


def beyond(low: Floats, high: Floats, margin: float) -> NDArray[np.bool_]:
    """Whether limits lie outside the margin; False if unknown."""
    return np.asarray((low > margin) | (high < -margin))


def undecided(frame: pl.DataFrame) -> pl.DataFrame:
    """Add the columns of `decided`, empty, to a table without decisions."""
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
    """Return the multiple of a run's games that decides each row in `PROMISED` of runs that continue this one.

    Limits must not reach the margin from either side. After k times the games their width is 1 / sqrt(k) of today's,
    about a later edge that is normal with mean edge / k + (1 - 1 / k) shrunk and variance (1 - 1 / k)^2 (doubt^2 +
    error^2 / (k - 1)): the games still to come show the true edge, known by its shrunk estimate and error, with luck of
    their own. k is the smallest with the requested chance of a decision (predictive power: Spiegelhalter, Freedman and
    Blackburn 1986).

    Parameters
    ----------
    edge, low, high
        Edges and their limits, shape (rows,).
    margin
        As a fraction.
    error, shrunk, doubt
        Standard errors of the edges, estimates of the true edges, and their errors; by default from the limits, the
        edges and their errors.

    Returns
    -------
    Infinite if more than `MAX_FACTOR` times the games are needed; NaN if the limits are unknown.
    """
    above, below = high - edge, edge - low
    error = np.where(np.isnan(given := or_unknown(error, edge)), np.maximum(above, below) / USUAL, given)
    shrunk = np.where(np.isnan(given := or_unknown(shrunk, edge)), edge, given)
    doubt = np.where(np.isnan(given := or_unknown(doubt, edge)), error, given)

    def chance(times: Floats) -> Floats:
        rest = 1 - 1 / times
        mean, nearer = edge / times + rest * shrunk, 1 / np.sqrt(times)
        spread = rest * np.sqrt(doubt**2 + error**2 / np.maximum(times - 1, 1e-9))
        # Lower limits above the margin, upper limits below minus the margin, or both limits within.
        ends = [margin + below * nearer, -margin - above * nearer, margin - above * nearer, -margin + below * nearer]
        over, under, most, least = (stats.norm.cdf((end - mean) / spread) for end in ends)
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
    """Return values, or NaN for all if there are none."""
    return np.full(like.shape, np.nan) if values is None else values
