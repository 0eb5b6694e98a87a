"""Section that summarises the balance of whole tables: their spread, and the number of viable rows.

Also writes sentences on the edges of a table with each player left out in turn, and on hopeless players, who win
less than a fifth of their fair share.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from functools import partial
from typing import Any

import polars as pl

from reports.claims import Claim, Said, claiming, claims_on, split_claims
from reports.formatting import (
    capital,
    counted,
    decimals,
    label,
    listed,
    margin_words,
    number,
    percent,
    plural,
    points,
    size,
    some,
)
from reports.model import DECIDED, Column, Finding, Listing, Section, Table, limited
from reports.sections.core.fair_chance import READING, fair_chances
from reports.statistics.core.balance import MARGIN, Balance, balance_of
from reports.statistics.core.decisions import MORE, SWAYED, fair_on_average_only
from reports.statistics.core.win_rate import hopeless_players

LOPSIDED = 0.7
"""An interval is written with ± if its shorter side is at least this fraction of its longer side."""
FINEST = 4
"""Edges in percentage points are written with at most this many decimals."""
SAID = ("faction", "seat", "start", "strategy")
"""Tables on which the summary has a sentence."""
Row = dict[str, Any]


def too_strong(table: Table, row: Row) -> str:
    """Say how far out of balance a row is, with limits for all rows: 'Rhodos B too strong by 4.1 ± 0.4 points'."""
    strong = row["edge"] > 0
    low, high = row["family_low"], row["family_high"]
    if not strong and low is not None:
        low, high = -high, -low
    amount, found, ends = with_limits(abs(row["edge"]), low, high).partition(", between ")
    limits = f" ({ends.replace(' and ', ' to ')})" if found else ""
    return f"{label(table, row)} {'too strong' if strong else 'too weak'} by {amount}{limits}"


def with_limits(edge: float, low: float | None, high: float | None, sign: str = "") -> str:
    """Format an edge with limits: '4.1 ± 0.4 points' or '4.1 points, between 2.0 and 5.5'.

    ± gives the longer side of the interval. Two limits are written instead if the interval is asymmetric, or if ± would
    seem to include 0 although the limits do not. If `sign` is not empty, edge and limits have signs.
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
    """Count the balanced rows: '10 of 14 boards (2 confirmed unbalanced, 2 undecided)'."""
    balance = balance_of(table.frame, margin)
    rest = {
        "confirmed unbalanced": balance.outside,
        "depending on players": balance.swayed,
        "undecided": balance.unknown,
    }
    more = ", ".join(f"{many} {word}" for word, many in rest.items() if many)
    said = f"{balance.within} of {counted(balance.rows, table.noun)}"
    return f"{said} ({more})" if more else said


def summary_section(tables: Iterable[Table], margin: float = MARGIN) -> Section:
    """Summarise the balance of a report's tables: sentences on factions, seats and strategies, a row per table."""
    plain = [table for table in tables if not table.crossed]
    balances = [(table, balance_of(table.frame, margin)) for table in plain]
    family = f"{sum(balance.rows for _, balance in balances)} rows of these tables"
    said, claims = split_claims(sentence(table, balance, family) for table, balance in balances if table.name in SAID)
    frame = pl.DataFrame(
        [{"table": table.noun, **asdict(balance)} for table, balance in balances], infer_schema_length=None
    )
    frame = frame.cast({pl.Null: pl.Float64})
    note = "The interval of the largest edge, and the counts, hold for all rows of these tables at once."
    listing = Listing("balance", "Balance at a glance", frame, listing_columns(margin), note=note)
    chances = [table for table in plain if table.name in DECIDED and table.frame["fair_chance"].is_not_null().any()]
    more, listings, pictures = fair_chances(chances, margin)
    reading = (
        "Spread: typical distance of a row from its fair share, corrected for luck; 0 in a balanced game. "
        "Viable: effective number of viable rows; all of them in a balanced game, 1 if only one can win. A "
        f"row is balanced if its whole interval lies within ±{margin_words(margin)}. {READING if chances else ''}"
    ).strip()
    sentences, shown = (*said, *more), (listing, *listings)
    return Section("summary", "Balance at a glance", sentences, shown, pictures, reading, claims=claims)


SPREAD = limited("spread", "spread", "size", "typical distance from the fair share, points, corrected for luck")


def listing_columns(margin: float) -> tuple[Column, ...]:
    """Return the columns of the table that has one line per table of the report."""
    near = margin_words(margin)
    swayed = f"rows within {near} over all games, but not with one player left out"
    return (
        Column("table", "table", "text"),
        Column("rows", "rows", "count"),
        SPREAD,
        limited("viable", "viable", "number", "effective number of viable rows"),
        Column("level", "largest edge", "text", meaning="row furthest from its fair share", further=True),
        limited("edge", "its edge", "edge", "win rate minus fair share, points", further=True),
        Column("within", f"within {near.split()[0]}", "count", meaning=f"rows confirmed balanced (±{near})"),
        Column("outside", "outside", "count", meaning=f"rows confirmed unbalanced (beyond ±{near})"),
        Column("swayed", "depends", "count", meaning=swayed, further=True),
        Column("unknown", "undecided", "count", meaning="rows for which this run has too few games to decide"),
        Column("note", "note", "text", further=True),
    )


def sentence(table: Table, balance: Balance, family: str) -> Said:
    """State a table's spread, viable rows and largest edge, or why it is not judged. Only flagged rows give claims."""
    if balance.spread is None:
        return table.silence or f"{capital(plural(table.noun))}: cannot be judged ({balance.note}).", ()
    hits = table.frame.filter(pl.col("flag") != "").to_dicts()
    apart = f"typical distance from the fair share {size(balance.spread)} points" if hits else "no spread beyond chance"
    viable = f"effective number of viable ones {number(balance.viable)}"
    widest = f"largest observed edge {label(table, {'level': balance.level})} ({points(balance.edge, 1)} points)"
    said = f"{capital(plural(table.noun))}: {apart}; {viable} of {balance.rows}; {widest}."
    return claiming(said, "out of balance", hits, family, called=partial(label, table))


COLUMNS = (
    Column("level", "row", "text"),
    Column("edge", "edge", "edge", "family_low", "family_high", "win rate minus fair share over all games, points"),
    Column(
        "kept_edge", "competitive", "edge", "kept_low", "kept_high",
        "the same in games of competitive players only, relative to their own win rate",
    ),
    Column("without_low", "lowest", "edge", meaning="lowest edge with one player left out"),
    Column("without_low_player", "without", "text", meaning="the player left out"),
    Column("without_high", "highest", "edge", meaning="highest edge with one player left out"),
    Column("without_high_player", "without", "text", meaning="the player left out"),
)  # fmt: skip


def range_of(row: dict[str, Any]) -> str:
    """Format an edge's range over players left out, if known: '+9.9 without science to +13.2 without trade'."""
    if row.get("without_low") is None:
        return ""
    ends = ((row["without_low"], row["without_low_player"]), (row["without_high"], row["without_high_player"]))
    if not ends[0][1]:
        return f"{points(row['kept_edge'])} for the one remaining player"
    return " to ".join(f"{points(edge)} without {player}" for edge, player in ends)


def range_words(
    table: Table, rows: Sequence[dict[str, Any]], margin: float = MARGIN, family: str = ""
) -> tuple[tuple[str, ...], tuple[Claim, ...]]:
    """Say how far the edges of `rows` move if players are left out, and on which rows the decision depends on players.

    Returns the sentences and their claims. How far edges move is only described, not claimed.
    """
    sentences: list[str] = []
    claims: tuple[Claim, ...] = ()
    if said := [f"{label(table, row)} {moved}" for row in rows if (moved := range_of(row))]:
        several = any(row["without_low_player"] for row in rows if range_of(row))
        whom = "one player at a time" if several else "players who rarely win"
        sentences.append(f"Leaving out {whom}: {'; '.join(said)}.")
    near = margin_words(margin)
    if swayed := swayed_rows(table):
        sentences.append(
            f"Depends on players (within {near} over all of them, but not with one left out): "
            f"{with_ranges(table, swayed)}. More games do not change that: choose which players count (--strategies)."
        )
        claims = swayed_claims(swayed, [label(table, row) for row in swayed], sentences[-1], family, margin)
    on_average = pl.Series(fair_on_average_only(table.frame, margin))
    if average := table.frame.filter((pl.col("decision") == MORE) & on_average).to_dicts():
        sentences.append(
            f"Undecided only because of single players (within {near} over all games, but not shown to be with "
            f"one player left out): {with_ranges(table, average)}."
        )
        claims += tuple(
            Claim("within the margin", label(table, row), row["edge"], -margin, margin, family, sentences[-1])
            for row in average
        )
    return tuple(sentences), claims


def with_ranges(table: Table, rows: Sequence[dict[str, Any]]) -> str:
    """Name rows with their edges without single players: 'board 0 (-1.5 without science to +3.0 without greedy)'."""
    return some([f"{label(table, row)} ({range_of(row)})" for row in rows])


def swayed_claims(
    rows: Sequence[dict[str, Any]], names: Sequence[str], said: str, family: str, margin: float
) -> tuple[Claim, ...]:
    """Claim that rows lie beyond the margin if some player is left out."""
    ends = [
        (name, row, *end)
        for name, row in zip(names, rows, strict=True)
        for end in (("low", None, row["without_low_upper"]), ("high", row["without_high_lower"], None))
        if (end[1] or 0.0) > margin or (end[2] or 0.0) < -margin
    ]
    return tuple(
        Claim("depends on players", f"{name} without {row[f'without_{end}_player']}", row[f"without_{end}"], low, high,
              family, said) for name, row, end, low, high in ends
    )  # fmt: skip


def swayed_rows(table: Table) -> list[dict[str, Any]]:
    """Return the rows with the decision `SWAYED`: within the margin, but certainly not with some player left out."""
    return table.frame.filter(pl.col("decision") == SWAYED).to_dicts()


def hopeless_words(table: Table) -> str:
    """Name the hopeless strategies, and say how the report treats them. Empty if there are none."""
    rows = hopeless_players(table.frame).to_dicts()
    if not rows:
        return ""
    named = listed([f"{row['level']} (wins {percent(row['win_rate'])})" for row in rows])
    them, verb = ("them", "win") if len(rows) > 1 else ("it", "wins")
    return (
        f"{capital(named)} {verb} less than a fifth of the fair share. With such a player, strong and weak "
        f"positions lose alike. Means over players and leave-one-out ranges therefore exclude {them}; plain "
        "win rates include all games, so edges look smaller there than among competitive players."
    )


def without_hope(tables: Sequence[Table], family: str) -> Iterator[Finding]:
    """Yield a caution if some strategies are hopeless."""
    for table in tables:
        if table.name == "strategy" and (said := hopeless_words(table)):
            rows = hopeless_players(table.frame).to_dicts()
            yield Finding("", "caution", said, claims=claims_on("out of balance", rows, said, family))


def left_out_listing(table: Table) -> Listing | None:
    """Return the edges of a table with each player left out in turn; None if there are none."""
    if table.frame["without_low"].is_null().all():
        return None
    shown = table.frame.select("level", "edge", "family_low", "family_high", "^kept_.*$", "^without_.*$")
    title = f"{capital(plural(table.noun))}, one player left out at a time"
    return Listing(f"left out {table.name}", title, shown, COLUMNS)
