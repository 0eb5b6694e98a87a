"""Sentences on the edges of a table with each player left out in turn, and on hopeless players."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import polars as pl

from reports.claims import Claim, claims_on
from reports.formatting import capital, label, listed, margin_words, percent, plural, points, some
from reports.model import Column, Finding, Listing, Table
from reports.statistics.core.balance import MARGIN
from reports.statistics.core.decisions import SWAYED
from reports.statistics.core.win_rate import hopeless_players

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
    """Format the range of an edge: '+9.9 without science to +13.2 without trade'; empty if unknown."""
    if row.get("without_low") is None:
        return ""
    ends = ((row["without_low"], row["without_low_player"]), (row["without_high"], row["without_high_player"]))
    if not ends[0][1]:
        return f"{points(row['kept_edge'])} for the one remaining player"
    return " to ".join(f"{points(edge)} without {player}" for edge, player in ends)


def range_words(
    table: Table, rows: Sequence[dict[str, Any]], margin: float = MARGIN, family: str = ""
) -> tuple[tuple[str, ...], tuple[Claim, ...]]:
    """Return sentences, with claims, on how far the edges of `rows` move and which rows of the table are swayed.

    That an edge moves is described, not claimed.
    """
    sentences: list[str] = []
    claims: tuple[Claim, ...] = ()
    said = [f"{label(table, row)} {moved}" for row in rows if (moved := range_of(row))]
    if said:
        several = any(row["without_low_player"] for row in rows if range_of(row))
        whom = "one player at a time" if several else "players who rarely win"
        sentences.append(f"Leaving out {whom}: {'; '.join(said)}.")
    if swayed := swayed_rows(table):
        named = some([f"{label(table, row)} ({range_of(row)})" for row in swayed])
        sentences.append(
            f"Depends on players (within {margin_words(margin)} over all of them, but not with one left out): {named}."
        )
        claims = swayed_claims(swayed, [label(table, row) for row in swayed], sentences[-1], family, margin)
    return tuple(sentences), claims


def swayed_claims(
    rows: Sequence[dict[str, Any]], names: Sequence[str], said: str, family: str, margin: float
) -> tuple[Claim, ...]:
    """Claim that rows lie beyond the margin with some player left out."""
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
    """Return the rows of a table whose decision depends on players."""
    return table.frame.filter(pl.col("decision") == SWAYED).to_dicts()


def hopeless_words(table: Table) -> str:
    """Name the hopeless strategies and how they are treated; empty if there are none."""
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
    """Yield a caution if some players are hopeless."""
    for table in tables:
        if table.name == "strategy" and (said := hopeless_words(table)):
            rows = hopeless_players(table.frame).to_dicts()
            yield Finding("", "caution", said, claims=claims_on("out of balance", rows, said, family))


def left_out_listing(table: Table) -> Listing | None:
    """Return the edges of a table with each player left out in turn; None if there are none."""
    if table.frame["without_low"].is_null().all():
        return None
    shown = table.frame.select(
        "level", "edge", "family_low", "family_high", pl.col("^kept_.*$"), pl.col("^without_.*$")
    )
    return Listing(
        f"left out {table.name}", f"{capital(plural(table.noun))}, one player left out at a time", shown, COLUMNS
    )
