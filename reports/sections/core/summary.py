"""Section that sums up the balance of whole tables: their spread, and the number of viable rows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict
from typing import Any

import polars as pl

from reports.claims import Said, claims_on, told
from reports.formatting import capital, counted, decimals, label, margin_words, number, plural, points, size
from reports.model import Column, Listing, Section, Table
from reports.statistics.core.balance import MARGIN, Balance, balance_of

LOPSIDED = 0.7
"""An interval is written with ± if its shorter side is at least this part of the longer."""
FINEST = 4
"""Maximum decimals of a percentage point."""
SAID = ("faction", "seat", "start", "strategy")
"""Tables with a sentence."""
Row = dict[str, Any]


def too_strong(table: Table, row: Row) -> str:
    """Say how far out of balance a row is, with limits for all rows: 'Rhodos B too strong by 4.1 ± 0.4 points'."""
    strong = row["edge"] > 0
    low, high = row["family_low"], row["family_high"]
    if not strong and low is not None:
        low, high = -high, -low
    return f"{label(table, row)} {'too strong' if strong else 'too weak'} by {with_limits(abs(row['edge']), low, high)}"


def with_limits(edge: float, low: float | None, high: float | None, sign: str = "") -> str:
    """Format an edge with limits: '4.1 ± 0.4 points', or both limits if they are asymmetric.

    ± gives the longer side, unless it would seem to include 0 although the limits do not.
    """
    write = points if sign else size
    if low is None or high is None:
        return f"{write(edge, 1)} points"
    near, far = sorted((high - edge, edge - low))
    digits = decimals(far)
    apart = low > 0 or high < 0
    seems = apart and round(100 * abs(edge), digits) <= round(100 * far, digits)
    if near < LOPSIDED * far or seems:
        while apart and digits < FINEST and round(100 * min(abs(low), abs(high)), digits) == 0:
            digits += 1
        ends = " and ".join(write(end, digits) for end in (low, high))
        return f"{write(edge, digits)} points, between {ends}"
    return f"{write(edge, digits)} ± {size(far, digits)} points"


def how_many(table: Table, margin: float = MARGIN) -> str:
    """Count the balanced rows: '10 of 14 boards (2 outside, 1 depending on players, 1 not known yet)'."""
    balance = balance_of(table.frame, margin)
    rest = [
        (balance.outside, "outside"), (balance.swayed, "depending on players"), (balance.unknown, "not known yet"),
    ]  # fmt: skip
    more = ", ".join(f"{many} {word}" for many, word in rest if many)
    said = f"{balance.within} of {counted(balance.rows, table.noun)}"
    return f"{said} ({more})" if more else said


def summary_section(tables: Iterable[Table], margin: float = MARGIN) -> Section:
    """Sum up the balance of a report's tables: a sentence on faction, seat and strategy, and one line per table."""
    plain = [table for table in tables if not table.crossed]
    balances = [(table, balance_of(table.frame, margin)) for table in plain]
    family = f"{sum(balance.rows for _, balance in balances)} rows of these tables"
    said, claims = told(sentence(table, balance, family) for table, balance in balances if table.name in SAID)
    frame = pl.DataFrame(
        [{"table": table.noun, **asdict(balance)} for table, balance in balances], infer_schema_length=None
    )
    unknown = [name for name, dtype in frame.schema.items() if dtype == pl.Null]
    note = "Limits of the widest edge, and the counts, hold at once for all rows of these tables."
    columns = tuple(listing_columns(margin))
    frame = frame.with_columns(pl.col(unknown).cast(pl.Float64))
    listing = Listing("balance", "Balance in short", frame, columns, note=note)
    reading = (
        "Spread is the typical distance of a row from its fair share, with the part that luck adds taken out: 0 in a "
        "balanced game. Viable is the number of equally strong rows that would be as diverse: all of them in a "
        "balanced game, one where only one can win. A row is within the margin of "
        f"{margin_words(margin)} where its whole interval is."
    )
    return Section("summary", "Balance in short", said, (listing,), (), reading, claims=claims)


def listing_columns(margin: float) -> Iterator[Column]:
    """Yield the columns of the listing."""
    yield Column("table", "table", "text")
    yield Column("rows", "rows", "count")
    yield Column(
        "spread", "spread", "size", "spread_low", "spread_high", "typical distance from fair, points, noise out"
    )
    yield Column("viable", "viable", "number", "viable_low", "viable_high", "effective number of viable rows")
    yield Column("level", "widest", "text", meaning="the row furthest from its fair share")
    yield Column("edge", "its edge", "edge", "edge_low", "edge_high", "wins minus fair, points")
    near = margin_words(margin)
    yield Column("within", f"within {near.split()[0]}", "count", meaning=f"rows confirmed within {near} of fair")
    yield Column("outside", "outside", "count", meaning=f"rows confirmed more than {near} from fair")
    yield Column(
        "swayed", "depends", "count", meaning=f"rows within {near} over all games, not with some player left out"
    )
    yield Column("unknown", "not known", "count", meaning="rows for which this run has too few games to say")
    yield Column("note", "note", "text")


def sentence(table: Table, balance: Balance, family: str) -> Said:
    """State the spread of a table and its number of viable rows, claimed only for flagged rows."""
    if balance.spread is None:
        return table.silence or f"{capital(plural(table.noun))}: nothing can be said ({balance.note}).", ()
    hits = table.frame.filter(pl.col("flag") != "").to_dicts()
    apart = f"typically {size(balance.spread)} points from fair, as seen"
    if not hits:
        apart = "no spread found that luck could not explain"
    viable = f"as diverse as {number(balance.viable)} equally strong ones"
    widest = (
        f"the widest edge seen is that of {label(table, {'level': balance.level})}, {points(balance.edge, 1)} points"
    )
    said = f"{capital(plural(table.noun))}: {apart}; the {balance.rows} are {viable}; {widest}."
    return said, claims_on("out of balance", hits, said, family, called=lambda row: label(table, row))
