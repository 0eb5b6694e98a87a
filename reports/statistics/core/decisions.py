"""What a margin of the designer's decides of each row: change it, leave it, or how many more games would tell.

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
from reports.statistics.core.winshare import ALPHA, POWER, Floats
from sim.errors import UserError

CHANGE, LEAVE, MORE, CANNOT_TELL = "change it", "leave it", "more games", "cannot tell"
SWAYED = "depends on players"
"""Within the margin over all games, but with some player left out confirmed beyond it."""
WITHOUT = (
    "without_low", "without_high", "without_low_limit", "without_high_limit", "without_low_upper", "without_high_lower",
)  # fmt: skip
"""Range of an edge over the players left out, with its limits, see `left_out.with_players_left_out`."""
MAX_MARGIN = 100.0
MAX_FACTOR = 1000.0
"""Where more than so many times the games of the run are needed, the edge lies on the margin: no number is given."""
PROMISED = POWER
"""How often a number of more games is to decide a row."""
USUAL = 3.0
"""Standard errors that limits reach for all rows of a usual table, where the error itself is not known."""
HALVINGS = 40


def margin_of(points: float) -> float:
    """Check a margin given in percentage points, and return it as a fraction.

    Raises
    ------
    UserError
        Not a number of points that an edge can be smaller and larger than.
    """
    if not (math.isfinite(points) and 0 < points < MAX_MARGIN):
        message = "impossible number of percentage points"
        raise UserError(message, field="margin", found=points, allowed=f"above 0, below {MAX_MARGIN:g}")
    return points / 100


def decided(frame: pl.DataFrame, margin: float, games: int, bound: bool = False, rate: float = ALPHA) -> pl.DataFrame:
    """Decide each row of a table by its limits for all rows at once.

    A row whose limits lie wholly outside of -margin to margin is to be changed, one whose limits lie wholly inside may
    be left, if they do so whichever player is left out; in both cases at once for all rows. For the
    others it is said how many more games decide in four of five such runs, see `games_to_decide`.

    Parameters
    ----------
    frame
        From `joint.judged_together`, with the columns of `left_out.with_players_left_out` where it has them.
    margin
        Half of the region of practical equivalence, as a fraction.
    bound
        Whether the rows go together with something else in this run, so that nothing can be decided of them.
    rate
        How often limits and flags of the frame are wrong of any row.

    Returns
    -------
    The frame with `decision` ("change it", "leave it", "more games", "depends on players" where the edge lies within
    the margin, but confirmed beyond it with some player left out, "cannot tell"; empty where no limits are known) and
    `more_games`, not rounded, which is null but for "more games", and there where the edge is so close to the
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
    """What a margin decides of each row of a table, as in `decided`; shape (rows,)."""
    low, high = (numbers(frame, name) for name in ("family_low", "family_high"))
    _, _, least, most, low_upper, high_lower = (numbers(frame, name) for name in WITHOUT)
    held = inside(least, most, margin) | np.isnan(least)
    swayed = (low_upper < -margin) | (high_lower > margin)
    fair = np.where(swayed, SWAYED, np.where(held, LEAVE, MORE))
    open_rows = np.where(np.isnan(low), "", np.where(beyond(low, high, margin) & ~may_be_chance(frame), CHANGE, MORE))
    decision = np.where(inside(low, high, margin), fair, open_rows)
    if len(decision) == 2 and decision[0] != decision[1]:
        # One gains what the other loses: one question, which is open as long as either row is.
        decision = np.full(2, SWAYED if set(decision) == {SWAYED, LEAVE} else MORE)
    return decision


def games_factor(frame: pl.DataFrame, margin: float, rate: float = ALPHA) -> Floats:
    """How many times the games of a run decide each row in `PROMISED` of such runs, see `games_to_decide`.

    A row within the margin has to be shown to lie there, or beyond, with any player left out too: it needs what the
    ends of that range need. Of two rows, which are decided together, both need what the wider one needs.

    Returns
    -------
    Shape (rows,); infinite or NaN where no number of games can be named.
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
    """Tell which rows are not flagged: the test of all rows may not be passed in few blocks, wherever limits lie."""
    return (frame["flag"] == "").to_numpy() if "flag" in frame.columns else np.zeros(frame.height, np.bool_)


def games_to_flag(frame: pl.DataFrame, rate: float = ALPHA) -> Floats:
    """How many times the games of the run pass the test of all rows in `PROMISED` of runs, if the edge stays."""
    p = np.clip(numbers(frame, "p_family"), 1e-300, 1.0)
    with np.errstate(divide="ignore"):
        return np.asarray(((stats.norm.isf(rate / 2) + stats.norm.ppf(PROMISED)) / stats.norm.isf(p / 2)) ** 2)


def numbers(frame: pl.DataFrame, name: str) -> Floats:
    """Return a column, NaN where a value is unknown or the column missing."""
    if name not in frame.columns:
        return np.full(frame.height, np.nan)
    return frame[name].cast(pl.Float64).fill_null(np.nan).to_numpy()


def cannot_flag(frame: pl.DataFrame) -> NDArray[np.bool_]:
    """Whether no edge that a row can have would be flagged reliably, see `joint.judged_together`; shape (rows,)."""
    if "mde_family" not in frame.columns:
        return np.zeros(frame.height, np.bool_)
    return frame["mde_family"].is_null().to_numpy()


def inside(low: Floats, high: Floats, margin: float) -> NDArray[np.bool_]:
    """Whether limits lie wholly within the margin; False where they are unknown."""
    return np.asarray((low >= -margin) & (high <= margin))


def beyond(low: Floats, high: Floats, margin: float) -> NDArray[np.bool_]:
    """Whether limits lie wholly outside the margin; False where they are unknown."""
    return np.asarray((low > margin) | (high < -margin))


def undecided(frame: pl.DataFrame) -> pl.DataFrame:
    """Return a table in which nothing is to be decided, with the columns of `decided`."""
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
    """How many times the games of a run decide each row in `PROMISED` of all runs that go on like this one.

    Limits must not reach the margin from either side. After k times the games they reach 1 / sqrt(k) as far, from an
    edge that is not the one seen: what is still to be played shows the true edge, of which the run knows the shrunk
    estimate and its error, with luck of its own. So the later edge is normal with mean edge / k + (1 - 1 / k) shrunk
    and variance (1 - 1 / k)^2 (doubt^2 + error^2 / (k - 1)), and k is the smallest with the chance of a decision asked
    for (predictive power: Spiegelhalter, Freedman and Blackburn 1986).

    Parameters
    ----------
    edge, low, high
        Edges and their limits, shape (rows,).
    margin
        As a fraction.
    error, shrunk, doubt
        Standard errors of the edges, the best guesses at the true edges, and the errors of these; by default what the
        limits say, the edges and their errors.

    Returns
    -------
    Infinite where more than `MAX_FACTOR` times the games would be needed; NaN where the limits are not known.
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
    """Return values, NaN for all where there are none."""
    return np.full(like.shape, np.nan) if values is None else values
