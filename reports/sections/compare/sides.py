"""Compare pairs of factions that differ in one attribute only, such as the two sides of a board."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import polars as pl

from reports.claims import Said, claims_on, told
from reports.formatting import capital, counted
from reports.model import Column, Listing, Section, Table
from reports.sections.core.certainty import faction_note
from reports.sections.core.summary import with_limits
from reports.statistics.compare.sides import compare_pairs, find_pairs
from reports.statistics.core.win_rate import ALPHA
from sim.runs.store.manifest import Manifest

NAMED = 5


READING = (
    "Each row compares two that differ in one respect only. They never meet at a table, so each is "
    "measured against its own tables; the difference of their edges has an interval by block. 'which "
    "wins more' is corrected for all pairs. It is not a verdict on either of them: both may be strong."
)


def sides_section(tables: Mapping[str, Table], manifest: Manifest, rate: float = ALPHA) -> Section | None:
    """Compare the factions of each pair: for every nation its side A with its side B.

    The manifest's `paired_attribute` differs within a pair, and `exclusive` is common. None without such pairs.
    """
    paired, alike = manifest.paired_attribute, manifest.exclusive
    if not paired or not alike or "faction" not in tables:
        return None
    rows = find_pairs(tables["faction"].frame, manifest.factions, paired, alike)
    if not rows:
        return None
    frame = compare_pairs(pl.DataFrame(rows, infer_schema_length=None), rate)
    title = f"Pairs of one {alike}"
    columns = (
        Column("pair", alike, "text"),
        Column("flag", "which wins more", "flag", meaning="corrected for all pairs; empty if not confirmed"),
        Column("first", "first", "text"),
        Column("second", "second", "text"),
        Column("difference", "first minus second", "edge", "difference_low", "difference_high",
               "difference of their edges, each at its own tables, points"),
        Column("first_share", "wins of first", "share", further=True),
        Column("second_share", "wins of second", "share", further=True),
        Column("score_difference", "score", "number", meaning="difference of the mean scores"),
        Column("p", "p", "p", meaning="corrected for the number of pairs (Holm)", further=True),
        Column("games", "games", "count", meaning="seat-games of both", further=True),
    )  # fmt: skip
    note = faction_note([*frame["first_faction"], *frame["second_faction"]], manifest)
    listing = Listing("sides", f"Win rate within each {alike}, by {paired}", frame, columns, note=note)
    said, claims = told(side_sentences(frame, paired, alike))
    return Section("sides", title, said, (listing,), (), READING, claims=claims)


def side_sentences(frame: pl.DataFrame, paired: str, alike: str) -> list[Said]:
    """Name the pairs in which one wins more than the other, the widest difference first."""
    sure = frame.filter(pl.col("flag") != "").sort(pl.col("difference").abs(), descending=True).to_dicts()
    if not sure:
        return [(f"No {alike} is shown to have a {paired} that wins more than the other.", ())]
    family = counted(frame.height, "pair")
    columns = ("difference", "family_low", "family_high")

    def claimed(rows: list[dict[str, Any]], sentence: str) -> Said:
        called = "{pair}: {first} minus {second}"
        return sentence, claims_on("pair", rows, sentence, family, columns, lambda row: called.format(**row))

    sure = [row if row["difference"] > 0 else swapped(row) for row in sure]
    said = [claimed(sure, f"In {len(sure)} of {family} of one {alike}, one {paired} wins more than the other.")]
    for row in sure[:NAMED]:
        apart = with_limits(row["difference"], row["family_low"], row["family_high"], "+")
        pair = f"{row['pair']}: {paired} {row['first']} wins more than {row['second']}"
        said.append(claimed([row], f"{pair}, {apart}."))
    if len(sure) > NAMED:
        said.append((f"{capital(counted(len(sure) - NAMED, 'more pair'))} in the table.", ()))
    values = list(dict.fromkeys([*frame["first"], *frame["second"]]))
    if len(values) == 2 and (frame["first"] == frame["first"][0]).all():
        ahead = frame.filter(pl.col("difference") > 0).height
        said.append((f"{capital(paired)} {values[0]} has the higher observed win rate in {ahead} of {family}.", ()))
    return said


def swapped(row: dict[str, Any]) -> dict[str, Any]:
    """Return the row of a pair with both swapped."""
    ends = {"difference": -row["difference"], "family_low": -row["family_high"], "family_high": -row["family_low"]}
    return row | ends | {"first": row["second"], "second": row["first"]}
