"""The balance of a whole table in a few numbers: how far its rows lie apart, how many are viable, how sure that is.

References
----------
Satterthwaite, F. E. (1946). An approximate distribution of estimates of variance components. Biometrics Bulletin 2,
110-114.
Sankaran, M. (1959). On the non-central chi-square distribution. Biometrika 46, 235-237.
Hill, M. O. (1973). Diversity and evenness: a unifying notation and its consequences. Ecology 54, 427-432.
Jost, L. (2006). Entropy and diversity. Oikos 113, 363-375.
Miller, G. A. (1955). Note on the bias of information estimates. Information Theory in Psychology, 95-100.
Schuirmann, D. J. (1987). A comparison of the two one-sided tests procedure and the power approach for assessing the
equivalence of average bioavailability. J. Pharmacokinetics and Biopharmaceutics 15, 657-680.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy import stats

from reports.shapes import Column, Listing, Section
from reports.words import capital, counted, decimals, label, number, plural, size

if TYPE_CHECKING:
    from reports.sections.balance import Table

MARGIN = 0.01
"""An edge below one percentage point counts as balanced: a player would need thousands of games to feel it."""
LOPSIDED = 0.7
"""An interval is written with ± where its shorter side is at least this part of the longer."""
HALVINGS = 80
Z = float(stats.norm.ppf(0.975))

Floats = NDArray[np.float64]
Row = dict[str, Any]


@dataclass(frozen=True)
class Balance:
    """The balance of a table. Fractions, not percent; None where unknown.

    Attributes
    ----------
    rows
        How many rows the table has.
    spread, spread_low, spread_high
        Root mean square of the true edges, with 95 % limits.
    viable, viable_low, viable_high
        Effective number of viable rows: so many rows of equal strength would be as diverse.
    level, edge, edge_low, edge_high
        The row with the widest edge, and limits that allow for its having been picked.
    within, outside, unknown
        Rows that are surely within one point of the fair share, surely further away, and not known yet.
    note
        Why something is unknown.
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
    unknown: int = 0
    note: str = ""


def balance_of(frame: pl.DataFrame) -> Balance:
    """Sum up a table.

    Parameters
    ----------
    frame
        From `winshare.win_shares`, or a table of a report.

    Returns
    -------
    All fields; those that rest on errors are None where a row has none (one block, a share fixed by construction).
    """
    names = ("edge", "error", "null", "win_share", "family_low", "family_high")
    edge, error, null, share, low, high = (frame[name].cast(pl.Float64).fill_null(np.nan).to_numpy() for name in names)
    within = int(((low >= -MARGIN) & (high <= MARGIN)).sum())
    outside = int(((low > MARGIN) | (high < -MARGIN)).sum())
    plain = Balance(frame.height, within=within, outside=outside, unknown=frame.height - within - outside)
    # By construction: every block gives the same result, or there is nothing to compare.
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
    # The verdict names the widest edge of those that can be tested, and so does this.
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
    """Mean square of the true edges of a table: what was seen less what noise adds.

    mean(edge^2) - mean(error^2) is unbiased, whatever the dependence between rows. Its limits: sum(edge^2) / c follows
    about a noncentral chi-square distribution with noncentrality sum(true edge^2) / c, whose scale and degrees of
    freedom are matched to the errors (Satterthwaite 1946), with one degree lost since the edges of a table add up to
    nothing: f = (rows - 1) / rows * sum(error^2)^2 / sum(error^4), c = sum(error^2) / f. The limits are the
    noncentralities at which the sum seen would be just too large or too small, with Sankaran's (1959) approximation.

    Parameters
    ----------
    edge, error
        Shape (..., rows); at least two rows, errors not all 0.

    Returns
    -------
    Mean square (below 0 where noise hides all), lower and upper 95 % limit; shape (...).
    """
    rows = edge.shape[-1]
    noise = (error**2).sum(axis=-1)
    freedom = (rows - 1) / rows * noise**2 / (error**4).sum(axis=-1)
    scale = noise / freedom
    seen = (edge**2).sum(axis=-1)
    low, high = (scale * noncentrality(seen / scale, freedom, z) / rows for z in (Z, -Z))
    return (seen - noise) / rows, low, high


def noncentrality(seen: Floats, freedom: Floats, z: float) -> Floats:
    """Noncentrality at which `seen` lies `z` standard deviations up its distribution; 0 where there is none."""
    low, high = np.zeros_like(seen), 2 * seen + 40.0
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        above = sankaran(seen, freedom, middle) > z
        low, high = np.where(above, middle, low), np.where(above, high, middle)
    return np.where(sankaran(seen, freedom, np.zeros_like(seen)) > z, (low + high) / 2, 0.0)


def sankaran(x: Floats, freedom: Floats, noncentral: Floats) -> Floats:
    """Normal deviate of a noncentral chi-square variable (Sankaran 1959, the second approximation)."""
    mean, twice, thrice = freedom + noncentral, freedom + 2 * noncentral, freedom + 3 * noncentral
    h = 1 - 2 * mean * thrice / (3 * twice**2)
    p = twice / mean**2
    m = (h - 1) * (1 - 3 * h)
    centre = 1 + h * p * (h - 1 - 0.5 * (2 - h) * m * p)
    return np.asarray(((x / mean) ** h - centre) / (h * np.sqrt(2 * p) * (1 + 0.5 * m * p)))


def effective_number(
    ratio: Floats, error: Floats, spread: tuple[float, float, float], null: float
) -> tuple[float | None, float | None, float | None]:
    """How many rows of equal strength would be as diverse as these: exp of the Shannon entropy (Hill 1973, Jost 2006).

    Win shares over their fair shares are normalised to add up to 1. Noise makes them look less even, by
    sum(var / (2 share)) to second order (as in Miller 1955), which is added back. The limits follow those of the
    spread, to which the entropy that is missing is proportional to second order: log(rows) - H = spread^2 / (2 null^2).

    Parameters
    ----------
    ratio, error
        Win share over fair share and its standard error, shape (rows,).
    spread
        Spread with its limits.
    null
        Mean fair share.

    Returns
    -------
    Effective number, at most `rows`, with 95 % limits; None where nobody wins.
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


def too_strong(table: Table, row: Row) -> str:
    """Say how far out a row is: 'Rhodos B too strong by 4.1 ± 0.4 points', allowing for its having been picked."""
    strong = row["edge"] > 0
    low, high = row["family_low"], row["family_high"]
    if not strong and low is not None:
        low, high = -high, -low
    return f"{label(table, row)} {'too strong' if strong else 'too weak'} by {with_limits(abs(row['edge']), low, high)}"


def with_limits(edge: float, low: float | None, high: float | None, sign: str = "") -> str:
    """An edge with limits that allow for its having been picked: '4.1 ± 0.4 points'; both limits if they are lopsided.

    ± gives the longer side.
    """
    if low is None or high is None:
        return f"{100 * edge:{sign}.1f} points"
    near, far = sorted((high - edge, edge - low))
    digits = decimals(far)
    if near < LOPSIDED * far:
        ends = " and ".join(f"{100 * end:{sign}.{digits}f}" for end in (low, high))
        return f"{100 * edge:{sign}.{digits}f} points, between {ends}"
    return f"{100 * edge:{sign}.{digits}f} ± {size(far, digits)} points"


def how_many(table: Table) -> str:
    """Say how many rows are balanced: '11 of 14 boards (2 outside, 1 not known yet)'."""
    balance = balance_of(table.frame)
    rest = [(balance.outside, "outside"), (balance.unknown, "not known yet")]
    more = ", ".join(f"{many} {word}" for many, word in rest if many)
    said = f"{balance.within} of {counted(balance.rows, table.noun)}"
    return f"{said} ({more})" if more else said


def summary_section(tables: Iterable[Table]) -> Section:
    """Sum up the balance of every table that is not crossed.

    Parameters
    ----------
    tables
        Those of a report.

    Returns
    -------
    A sentence on each of faction, seat and strategy, and one listing with a line per table.
    """
    plain = [table for table in tables if not table.crossed]
    balances = [(table, balance_of(table.frame)) for table in plain]
    said = [sentence(table, balance) for table, balance in balances if table.name in ("faction", "seat", "strategy")]
    frame = pl.DataFrame(
        [{"table": table.noun, **asdict(balance)} for table, balance in balances], infer_schema_length=None
    )
    unknown = [name for name, dtype in frame.schema.items() if dtype == pl.Null]
    listing = Listing(
        "balance", "Balance in short", frame.with_columns(pl.col(unknown).cast(pl.Float64)), tuple(listing_columns()),
        note="Limits of the widest edge, and the counts, hold for all rows of a table at once.",
    )  # fmt: skip
    reading = (
        "Spread is the typical distance of a row from its fair share, with the part that luck adds taken out: 0 in a "
        "balanced game. Viable is the number of equally strong rows that would be as diverse: all of them in a "
        "balanced game, one where only one can win. A row is within 1 point where its whole interval is."
    )
    return Section("summary", "Balance in short", tuple(said), (listing,), (), reading)


def listing_columns() -> Iterator[Column]:
    """Columns of the listing, in the order in which they are shown."""
    yield Column("table", "table", "text")
    yield Column("rows", "rows", "count")
    yield Column(
        "spread", "spread", "size", "spread_low", "spread_high", "typical distance from fair, points, noise out"
    )
    yield Column("viable", "viable", "number", "viable_low", "viable_high", "effective number of viable rows")
    yield Column("level", "widest", "text", meaning="the row furthest from its fair share")
    yield Column("edge", "its edge", "edge", "edge_low", "edge_high", "wins minus fair, points")
    yield Column("within", "within 1", "count", meaning="rows surely within 1 point of fair")
    yield Column("outside", "outside", "count", meaning="rows surely more than 1 point from fair")
    yield Column("unknown", "not known", "count", meaning="rows for which this run has too few games to say")
    yield Column("note", "note", "text")


def sentence(table: Table, balance: Balance) -> str:
    """Say how far the rows of a table lie apart and how many of them are viable."""
    if balance.spread is None:
        return table.silence or f"{capital(plural(table.noun))}: nothing can be said ({balance.note})."
    low, high = size(balance.spread_low), size(balance.spread_high)
    apart = f"typically {size(balance.spread)} points from fair (95 %: {low} to {high})"
    if balance.spread_low == 0:
        apart = f"no spread that luck could not explain (at most {high} points)"
    viable = f"as diverse as {number(balance.viable)} equally strong ones"
    edge = with_limits(balance.edge or 0.0, balance.edge_low, balance.edge_high, "+")
    widest = f"the widest edge is that of {balance.level}, {edge}"
    return f"{capital(plural(table.noun))}: {apart}; the {balance.rows} are {viable}; {widest}."
