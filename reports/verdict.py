"""The verdict in plain words, made from the tables alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from reports.winshare import association
from reports.words import (
    capital,
    chance,
    count,
    decimals,
    edge_words,
    half_width,
    percent,
    plural,
    points,
    round_up,
    size,
)

if TYPE_CHECKING:
    from reports.balance import Table

# Below one percentage point an edge is called small: a player would need thousands of games to feel it.
SMALL_EDGE = 0.01
FEW_BLOCKS = 30
UNEVEN = 0.1
CAVEAT = (
    "These figures hold for these players at this skill: scripted strategies play every seat. Stronger or other "
    "players may find more in a weak position, or less in a strong one."
)

Row = dict[str, Any]


@dataclass(frozen=True)
class Finding:
    """One statement of the verdict.

    Attributes
    ----------
    table
        Name of the table it rests on; empty for cautions.
    tone
        "out" (out of balance), "small" (real, but below one point), "fair" (nothing found), "silent" (no finding
        possible) or "caution".
    headline
        The statement.
    details
        How much else, how sure, and what this run could have seen.
    """

    table: str
    tone: str
    headline: str
    details: tuple[str, ...] = ()


def verdict(tables: list[Table], manifest: dict[str, Any], cells: pl.DataFrame) -> tuple[Finding, ...]:
    """Say what is out of balance, by how much, how sure that is, and what the run could have seen.

    Parameters
    ----------
    tables
        The report's tables; crossed ones are left to the heat maps.
    manifest
        The run's `run.json`.
    cells
        Seat-games per `seat`, `faction`, `strategy` (column `games`), for a look at how evenly they are mixed.

    Returns
    -------
    Findings: a summary first, then one per table, then cautions.
    """
    findings = [judge(table, manifest) for table in tables if not table.crossed]
    return (summary(findings, tables), *findings, *cautions(tables, manifest, cells))


def summary(findings: list[Finding], tables: list[Table]) -> Finding:
    """Put the verdict into one line: the strongest and weakest row of what is out of balance."""
    tones = {finding.table: finding.tone for finding in findings}
    by_name = {table.name: table for table in tables}
    out = [shortly(by_name[name]) for name in headline_tables(findings)]
    if out:
        return Finding("", "out", f"Out of balance: {'; '.join(out)}.")
    differ = f" Strategies differ: {shortly(by_name['strategy'])}." if tones.get("strategy") == "out" else ""
    if any(tones[name] == "small" for name in tones if name != "strategy"):
        return Finding("", "small", f"Close to balance: what differs, differs by less than 1 point.{differ}")
    if all(tones[name] == "silent" for name in tones):
        return Finding("", "silent", "This run allows no finding.")
    return Finding("", "fair", f"No imbalance found beyond what chance explains.{differ}")


def headline_tables(findings: Sequence[Finding]) -> list[str]:
    """Return the tables out of balance that the headline names: factions and seats, or else attributes.

    Attributes only sum up what factions do: they make the headline where no single faction does. Strategies never do:
    that better players win more is no fault of the game.
    """
    out = [finding.table for finding in findings if finding.tone == "out" and finding.table not in ("", "strategy")]
    return [name for name in out if name in ("faction", "seat")] if "faction" in out else out


def shortly(table: Table) -> str:
    """Name the strongest and the weakest flagged row with their edges: 'A wins too often (+3.1 points), ...'."""
    hits = flagged(table)
    verbs = verbs_for(table)
    ends = [(hits[0], verbs[0])] if hits[0]["edge"] > 0 else []
    ends += [(hits[-1], verbs[1])] if hits[-1]["edge"] < 0 else []
    return ", ".join(
        f"{label(table, row)} {verb} ({points(row['edge'], decimals(half_width(row)))} points)" for row, verb in ends
    )


def verbs_for(table: Table) -> tuple[str, str]:
    """Words for strong and weak: that a better strategy wins more is no fault of the game."""
    return ("wins most", "wins least") if table.name == "strategy" else ("wins too often", "wins too rarely")


def judge(table: Table, manifest: dict[str, Any]) -> Finding:
    """Judge one table: its strongest and weakest flagged rows, or that none is flagged."""
    if table.silence:
        return Finding(table.name, "silent", table.silence)
    rows = table.frame.to_dicts()
    tested = [row for row in rows if row["p"] is not None]
    if not tested:
        why = "the run has one block only" if rows[0]["note"] == "one block" else "every block gave the same result"
        return Finding(table.name, "silent", f"No finding on {plural(table.noun)}: {why}.")
    hits = flagged(table)
    reach = what_was_visible(table, tested, manifest)
    if not hits:
        widest = max(tested, key=lambda row: abs(row["edge"]))
        headline = f"No {table.noun} was found out of balance."
        seen = f"The widest edge seen, {label(table, widest)} with {edge_words(widest)}, may be chance."
        return Finding(table.name, "fair", headline, (seen, *reach))
    small = max(abs(row["edge"]) for row in hits) < SMALL_EDGE
    headline = extremes(table, hits)
    if small:
        headline = f"Real but small: {headline}"
    elif table.name not in ("faction", "strategy"):
        headline = capital(headline)
    return Finding(table.name, "small" if small else "out", headline, (*others(table, hits, len(tested)), *reach))


def flagged(table: Table) -> list[Row]:
    """Rows whose corrected p-value is below alpha, strongest first."""
    return table.frame.filter(pl.col("flag") != "").to_dicts()


def label(table: Table, row: Row) -> str:
    """Name a row in a sentence: factions, seats and strategies by name, attributes with the attribute's name."""
    plain = table.name in ("faction", "seat", "strategy")
    return str(row["level"]) if plain else f"{table.noun} {row['level']}"


def extremes(table: Table, hits: list[Row]) -> str:
    """Say which flagged row wins most and which least, with shares, fair share, edge and interval."""
    verbs = verbs_for(table)
    best, worst = hits[0], hits[-1]
    digits = decimals(half_width(best))
    parts = []
    if best["edge"] > 0:
        parts.append(
            f"{label(table, best)} {verbs[0]}: {percent(best['win_share'], digits)} of its games, where "
            f"{percent(best['null'], digits)} would be fair ({edge_words(best)})"
        )
    if worst["edge"] < 0:
        share = percent(worst["win_share"], digits)
        fair = "" if parts else f" of its games, where {percent(worst['null'], digits)} would be fair"
        parts.append(f"{label(table, worst)} {verbs[1]}: {share}{fair} ({edge_words(worst)})")
    return "; ".join(parts) + "."


def others(table: Table, hits: list[Row], tested: int) -> Iterator[str]:
    """Say what else is flagged, and how sure the least sure of them is."""
    strong = [row for row in hits if row["edge"] > 0][1:]
    weak = [row for row in reversed(hits) if row["edge"] < 0][1:]
    for word, rows in (("strong", strong), ("weak", weak)):
        if rows:
            named = ", ".join(f"{row['level']} ({points(row['edge'], decimals(half_width(row)))})" for row in rows[:5])
            more = f" and {len(rows) - 5} more" if len(rows) > 5 else ""
            yield f"Also {word}: {named}{more}."
    surest, least = min(row["p_holm"] for row in hits), max(row["p_holm"] for row in hits)
    sure = f"How sure: if all were fair, luck would show the surest of these edges in {chance(surest)} runs"
    if len(hits) > 1 and chance(least) != chance(surest):
        sure += f", the least sure in {chance(least)}"
    yield f"{sure} ({len(hits)} of {tested} {plural(table.noun)} flagged, all tests allowed for)."


def what_was_visible(table: Table, tested: list[Row], manifest: dict[str, Any]) -> Iterator[str]:
    """Say what edge this run would have flagged four times in five, and how many games would show one point."""
    effects = [row["mde_family"] for row in tested if row["mde_family"] is not None]
    if not effects:
        return
    worst = max(effects)
    needed = ""
    if worst > SMALL_EDGE:
        # The error falls with the square root of the number of blocks.
        needed = f"; to see 1 point takes about {count(round_up(manifest['games'] * (worst / SMALL_EDGE) ** 2))} games"
    yield f"What this run could see: an edge of {size(worst)} points is flagged at least four times in five{needed}."


def cautions(tables: list[Table], manifest: dict[str, Any], cells: pl.DataFrame) -> Iterator[Finding]:
    """Yield what a reader must know before trusting the findings."""
    yield from stand_ins(manifest)
    blocks = max(row["blocks"] for table in tables for row in table.frame.select("blocks").to_dicts())
    if blocks < FEW_BLOCKS:
        yield Finding("", "caution", f"Only {blocks} block(s): intervals from fewer than {FEW_BLOCKS} are rough.")
    yield from mixing(cells, manifest)
    yield Finding("", "caution", CAVEAT)


def stand_ins(manifest: dict[str, Any]) -> Iterator[Finding]:
    """Warn where the game ran on rows that no source confirms."""
    certainty = {name: int(rows) for name, rows in manifest["certainty"].items()}
    rows, invented = sum(certainty.values()), certainty.get("stand-in", 0)
    if invented:
        text = f"{invented} of {rows} rows of game data ({percent(invented / rows)}) are stand-ins for the printed ones"
        yield Finding("", "caution", f"{text}: a finding may be about them.")


def mixing(cells: pl.DataFrame, manifest: dict[str, Any]) -> Iterator[Finding]:
    """Warn where two of seat, faction and strategy go together, so that their effects cannot be told apart."""
    nouns = {"seat": "seat", "faction": manifest["faction_title"], "strategy": "strategy"}
    for one, two in (("seat", "faction"), ("seat", "strategy"), ("faction", "strategy")):
        counted = cells.group_by(one, two).agg(pl.col("games").sum()).sort(one, two)
        wide = counted.pivot(on=two, index=one, values="games").fill_null(0).drop(one)
        # A deal counts once, however often its players are rotated: seat-games of a block are not draws of their own.
        plain, corrected = association(wide.to_numpy().astype(np.float64) / manifest["block_games"])
        pair = f"{nouns[one]} and {nouns[two]}"
        if plain > 0.999:
            yield Finding("", "caution", f"In this run {pair} go together: their effects cannot be told apart.")
        elif corrected > UNEVEN:
            text = f"In this run {pair} are unevenly mixed: part of one's edge may be the other's."
            yield Finding("", "caution", text)
