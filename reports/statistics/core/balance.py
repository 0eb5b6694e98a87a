"""The balance of a whole table: the spread of its edges and its number of viable rows, with confidence limits.

Sources, in full in `docs/statistics.md`: Satterthwaite (1946) and Sankaran (1959) for the limits of the spread, Hill
(1973) and Jost (2006) for the effective number of rows, Miller (1955) for the bias of an entropy.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from reports.formatting import counted
from reports.statistics.core.decisions import CHANGE, LEAVE, SWAYED, decisions_of
from reports.statistics.core.win_rate import Floats
from reports.statistics.distributions import normal_ppf

MARGIN = 0.01
"""Default margin. A player would need thousands of games to notice an edge below one percentage point."""
HALVINGS = 80
Z = float(normal_ppf(0.975))


@dataclass(frozen=True)
class Balance:
    """The balance of a table. Values are fractions, not percent; None if unknown.

    Attributes
    ----------
    spread, spread_low, spread_high
        Root mean square of the true edges, with 95 % limits.
    viable, viable_low, viable_high
        Effective number of viable rows, with 95 % limits: a table of this many equally strong rows would be as diverse.
    level, edge, edge_low, edge_high
        The row with the widest edge, that edge, and its limits, which hold for all rows at once.
    within, outside, swayed, unknown
        Number of rows by decision (see `decisions.decisions_of`): within the margin whichever player is left out;
        outside the margin; dependent on players; not known.
    note
        Why a value is unknown.
    """

    rows: int
    spread: float | None = None
    spread_low: float | None = None
    spread_high: float | None = None
    viable: float | None = None
    viable_low: float | None = None
    viable_high: float | None = None
    level: str = ""
    edge: float | None = None
    edge_low: float | None = None
    edge_high: float | None = None
    within: int = 0
    outside: int = 0
    swayed: int = 0
    unknown: int = 0
    note: str = ""


def balance_of(frame: pl.DataFrame, margin: float = MARGIN) -> Balance:
    """Return the balance of a table.

    Parameters
    ----------
    frame
        From `win_rate.win_rates`, or a table of a report.

    Returns
    -------
    All fields. Fields that need errors are None if fewer than two rows have an error (one block, shares fixed by
    construction).
    """
    names = ("edge", "error", "null", "win_rate")
    edge, error, null, share = (frame[name].cast(pl.Float64).fill_null(np.nan).to_numpy() for name in names)
    words = decisions_of(frame, margin)
    within, outside, swayed = (int((words == word).sum()) for word in (LEAVE, CHANGE, SWAYED))
    plain = Balance(frame.height, within=within, outside=outside, swayed=swayed,
                    unknown=frame.height - within - outside - swayed)  # fmt: skip
    # If all errors are 0, every block gives the same result by construction, or there is nothing to compare.
    known = np.isfinite(error)
    if known.sum() < 2 or not (error[known] > 0).any():
        notes = [note for note in frame["note"].to_list() if note]
        return replace(plain, note=notes[0] if notes else "one row")
    spread, spread_low, spread_high = (
        float(np.sqrt(max(float(value), 0.0))) for value in spread_square(edge[known], error[known])
    )
    fair = null[known]
    viable, viable_low, viable_high = effective_number(
        share[known] / fair, error[known] / fair, (spread, spread_low, spread_high), float(fair.mean())
    )
    # Name the widest edge among the rows that have a p-value, as the verdict of the report does.
    tested = frame["p"].is_not_null().to_numpy()
    judged = tested & np.isfinite(edge) if tested.any() else np.isfinite(edge)
    widest = frame.row(int(np.argmax(np.where(judged, np.abs(edge), -1.0))), named=True)
    return replace(
        plain,
        spread=spread,
        spread_low=spread_low,
        spread_high=spread_high,
        viable=viable,
        viable_low=viable_low,
        viable_high=viable_high,
        level=str(widest.get("level", "")),
        edge=widest["edge"],
        edge_low=widest["family_low"],
        edge_high=widest["family_high"],
        note="" if known.all() else f"without {counted(int((~known).sum()), 'row')} seen in one block",
    )


def spread_square(edge: Floats, error: Floats) -> tuple[Floats, Floats, Floats]:
    """Return the mean square of the true edges of a table: the observed mean square minus the part that is noise.

    mean(edge^2) - mean(error^2) is unbiased, whatever the dependence between rows.

    The limits rest on sum(edge^2) / c, which approximately follows a noncentral chi-square distribution with
    noncentrality sum(true edge^2) / c. Its scale c and degrees of freedom f are matched to the errors (Satterthwaite
    1946). One degree is lost since the edges of a table add up to zero: f = (rows - 1) / rows * sum(error^2)^2 /
    sum(error^4), c = sum(error^2) / f. The limits are the noncentralities at which the observed sum would be just too
    large or just too small, by Sankaran's (1959) approximation.

    Parameters
    ----------
    edge, error
        Shape (..., rows). There must be at least two rows, and not all errors may be 0.

    Returns
    -------
    Mean square (below 0 if the noise exceeds the observed spread), lower and upper 95 % limit; shape (...).
    """
    rows = edge.shape[-1]
    noise = (error**2).sum(axis=-1)
    freedom = (rows - 1) / rows * noise**2 / (error**4).sum(axis=-1)
    scale = noise / freedom
    seen = (edge**2).sum(axis=-1)
    low, high = (scale * noncentrality(seen / scale, freedom, z) / rows for z in (Z, -Z))
    return (seen - noise) / rows, low, high


def noncentrality(seen: Floats, freedom: Floats, z: float) -> Floats:
    """Return the noncentrality at which `seen` lies `z` standard deviations above the middle of its distribution.

    `seen` are values of a noncentral chi-square variable with `freedom` degrees of freedom. The result is 0 if there is
    no such noncentrality.
    """
    low, high = np.zeros_like(seen), 2 * seen + 40.0
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        above = sankaran(seen, freedom, middle) > z
        low, high = np.where(above, middle, low), np.where(above, high, middle)
    return np.where(sankaran(seen, freedom, np.zeros_like(seen)) > z, (low + high) / 2, 0.0)


def sankaran(x: Floats, freedom: Floats, noncentral: Floats) -> Floats:
    """Transform x, a noncentral chi-square variable, to a nearly standard normal one (Sankaran 1959, 2nd formula)."""
    mean, twice, thrice = freedom + noncentral, freedom + 2 * noncentral, freedom + 3 * noncentral
    h = 1 - 2 * mean * thrice / (3 * twice**2)
    p = twice / mean**2
    m = (h - 1) * (1 - 3 * h)
    centre = 1 + h * p * (h - 1 - 0.5 * (2 - h) * m * p)
    return np.asarray(((x / mean) ** h - centre) / (h * np.sqrt(2 * p) * (1 + 0.5 * m * p)))


def effective_number(
    ratio: Floats, error: Floats, spread: tuple[float, float, float], null: float
) -> tuple[float | None, float | None, float | None]:
    """Return the effective number of rows of equal strength: exp(H), H the Shannon entropy (Hill 1973, Jost 2006).

    Win rates divided by their fair shares are normalised to add up to 1. Noise makes them look less even: to second
    order the entropy falls by sum(var / (2 share)) (as in Miller 1955). This amount is added back. The limits follow
    from those of the spread, since to second order the missing entropy is proportional to the squared spread: log(rows)
    - H = spread^2 / (2 null^2).

    Parameters
    ----------
    ratio, error
        Win rate divided by fair share, and its standard error; shape (rows,).
    spread
        Spread of the true edges, with its lower and upper limit.
    null
        Mean fair share.

    Returns
    -------
    Effective number, at most `rows`, with 95 % limits; None if nobody wins.
    """
    rows, total = len(ratio), float(ratio.sum())
    if total <= 0:
        return None, None, None
    share, variance = ratio / total, (error / total) ** 2
    played = share > 0
    entropy = -float((share[played] * np.log(share[played])).sum())
    entropy += float((variance[played] / (2 * share[played])).sum())
    missing = max(float(np.log(rows)) - entropy, 0.0)
    middle, low, high = (value**2 / (2 * null**2) for value in spread)
    factor = missing / middle if middle > 0 and missing > 0 else 1.0
    middle, least, most = (rows * float(np.exp(-value)) for value in (missing, factor * high, factor * low))
    return middle, least, most
