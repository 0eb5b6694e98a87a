"""What a margin of the designer's decides of each row: change it, leave it, or how many more games would tell.

References
----------
Schuirmann, D. J. (1987). A comparison of the two one-sided tests procedure and the power approach for assessing the
equivalence of average bioavailability. J. Pharmacokinetics and Biopharmaceutics 15, 657-680.
Kruschke, J. K. (2018). Rejecting or accepting parameter values in Bayesian estimation. Advances in Methods and
Practices in Psychological Science 1, 270-280 (region of practical equivalence).
"""

from __future__ import annotations

import math

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy import stats

from reports.statistics.winshare import ALPHA, Floats
from sim.errors import UserError

CHANGE, LEAVE, MORE, CANNOT_TELL = "change it", "leave it", "more games", "cannot tell"
SWAYED = "depends on players"
"""Within the margin over all games, but with some player left out surely beyond it."""
WITHOUT = (
    "without_low", "without_high", "without_low_limit", "without_high_limit", "without_low_upper", "without_high_lower",
)  # fmt: skip
"""Range of an edge over the players left out, with its limits, see `left_out.with_players_left_out`."""
MOST = 100.0
FARTHEST = 1000.0
"""Where more than so many times the games of the run are needed, the edge lies on the margin: no number is given."""


def margin_of(points: float) -> float:
    """Check a margin given in percentage points, and return it as a fraction.

    Raises
    ------
    UserError
        Not a number of points that an edge can be smaller and larger than.
    """
    if not (math.isfinite(points) and 0 < points < MOST):
        message = "impossible number of percentage points"
        raise UserError(message, field="margin", found=points, allowed=f"above 0, below {MOST:g}")
    return points / 100


def decided(frame: pl.DataFrame, margin: float, games: int, bound: bool = False) -> pl.DataFrame:
    """Decide each row of a table by its limits for all rows at once.

    A row whose limits lie wholly outside of -margin to margin is to be changed, one whose limits lie wholly inside may
    be left, if they do so whichever player is left out; in both cases at once for all rows in 19 of 20 runs. For the
    others it is said how many more games would decide, if the edge stays as it was seen and its limits draw nearer
    with the square root of the number of games.

    Parameters
    ----------
    frame
        From `joint.judged_together`, with the columns of `left_out.with_players_left_out` where it has them.
    margin
        Half of the region of practical equivalence, as a fraction.
    games
        Games of the run.
    bound
        Whether the rows go together with something else in this run, so that nothing can be decided of them.

    Returns
    -------
    The frame with `decision` ("change it", "leave it", "more games", "depends on players" where the edge lies within
    the margin, but surely beyond it with some player left out, "cannot tell"; empty where no limits are known) and
    `more_games`, not rounded, which is null but for "more games", and there where the edge is so close to the
    margin that more than 1,000 times the games of the run would be needed, or where the run is too small to flag any
    edge of the row: what it saw of it is luck, and no number of games follows from that.
    """
    decision, factor = decisions_of(frame, margin), games_needed(frame, margin)
    decision = np.where((decision != "") & bound, CANNOT_TELL, decision)
    asked = (decision == MORE) & (factor <= FARTHEST) & ~too_small(frame)
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


def games_needed(frame: pl.DataFrame, margin: float) -> Floats:
    """How many times the games of a run decide each row, as far as its limits go on drawing nearer.

    Of two rows, which are decided together, both need what the wider one needs.

    Returns
    -------
    Shape (rows,); infinite or NaN where no number of games can be named.
    """
    edge, low, high = (numbers(frame, name) for name in ("edge", "family_low", "family_high"))
    factor = games_to_decide(edge, low, high, margin)
    factor = np.where(may_be_chance(frame) & beyond(low, high, margin), games_to_flag(frame), factor)
    lowest, highest, least, most, low_upper, high_lower = (numbers(frame, name) for name in WITHOUT)
    # A row may be left only if it stays within the margin whoever is left out, and depends on players if it surely
    # does not: whichever it seems to be has to be shown.
    near, held = np.abs(edge) < margin, (lowest >= -margin) & (highest <= margin)
    shown = games_to_leave(lowest, highest, low_upper, high_lower, margin)
    more = np.where(held, games_to_hold(lowest, highest, least, most, margin), shown)
    factor = np.where(near, np.fmax(factor, more), factor)
    return np.full(2, factor.max()) if len(factor) == 2 else factor


def may_be_chance(frame: pl.DataFrame) -> NDArray[np.bool_]:
    """Tell for which rows the test of all rows at once is not passed, in few blocks also where limits lie outside."""
    return np.asarray(numbers(frame, "p_family") >= ALPHA)


def games_to_flag(frame: pl.DataFrame) -> Floats:
    """How many times the games of the run would pass the test of all rows, if the edge stays as it was seen."""
    p = np.clip(numbers(frame, "p_family"), 1e-300, 1.0)
    with np.errstate(divide="ignore"):
        return np.asarray((stats.norm.isf(ALPHA / 2) / stats.norm.isf(p / 2)) ** 2, np.float64)


def numbers(frame: pl.DataFrame, name: str) -> Floats:
    """Return a column, NaN where a value is unknown or the column missing."""
    if name not in frame.columns:
        return np.full(frame.height, np.nan)
    return frame[name].cast(pl.Float64).fill_null(np.nan).to_numpy()


def too_small(frame: pl.DataFrame) -> NDArray[np.bool_]:
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


def games_to_decide(edge: Floats, low: Floats, high: Floats, margin: float) -> Floats:
    """How many times the games of a run decide each row: its limits must not reach the margin from either side.

    Parameters
    ----------
    edge, low, high
        Edges and their limits, shape (rows,).
    margin
        As a fraction.

    Returns
    -------
    Infinite where the edge is the margin itself; NaN where the limits are not known.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        above, below = (high - edge) / (margin - edge), (edge - low) / (margin + edge)
        within = np.maximum(above, below)
        outside = np.where(edge > 0, edge - low, high - edge) / (np.abs(edge) - margin)
        return np.asarray(np.where(np.abs(edge) < margin, within, outside) ** 2)


def games_to_hold(lowest: Floats, highest: Floats, least: Floats, most: Floats, margin: float) -> Floats:
    """How many times the games of a run show that rows lie within the margin whichever player is left out.

    Parameters
    ----------
    lowest, highest
        Lowest and highest edges with one player left out, shape (rows,); inside the margin.
    least, most
        Their limits.
    margin
        As a fraction.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(np.maximum((most - highest) / (margin - highest), (lowest - least) / (margin + lowest)) ** 2)


def games_to_leave(lowest: Floats, highest: Floats, low_upper: Floats, high_lower: Floats, margin: float) -> Floats:
    """How many times the games of a run show that rows go beyond the margin with some player left out.

    Parameters
    ----------
    lowest, highest
        Lowest and highest edges with one player left out, shape (rows,); one of them outside the margin.
    low_upper, high_lower
        Their limits towards the margin.
    margin
        As a fraction.

    Returns
    -------
    By the end that shows it sooner; NaN where neither edge lies outside, or both are unknown.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        below = np.where(lowest < -margin, (low_upper - lowest) / (-margin - lowest), np.nan)
        above = np.where(highest > margin, (highest - high_lower) / (highest - margin), np.nan)
        return np.asarray(np.fmin(below, above) ** 2)
