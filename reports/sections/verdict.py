"""The verdict in plain words, made from the tables alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import polars as pl

from reports.sections.left_out import range_words, without_hope
from reports.sections.summary import how_many, too_strong
from reports.shapes import Finding, Table
from reports.statistics.balance import MARGIN
from reports.statistics.mixing import BOUND, associations, bound_groups
from reports.statistics.winshare import games_factor
from reports.words import (
    capital,
    chance,
    common_decimals,
    count,
    counted,
    decimals,
    edge_words,
    factors,
    half_width,
    label,
    percent,
    plural,
    points,
    round_up,
    size,
)

FEW_BLOCKS = 30
UNEVEN = 0.1
NAMED = 5
TOO_SMALL = "This run is too small to judge"
AT_ONCE = (
    "± in this headline holds for all rows of a table at once, so that the widest edge is not overstated for having "
    "been picked; further down each row has a ± of its own, which is narrower."
)
CAVEAT = (
    "These figures hold for these players at this skill: scripted strategies play every seat. Stronger or other "
    "players may find more in a weak position, or less in a strong one."
)
Row = dict[str, Any]


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
    Findings: a summary first, then one per table, then cautions. Where two of seat, faction and strategy go together,
    the summary says so before anything else.
    """
    bound = bound_groups(cells, manifest)
    findings = [tied(judge(table, manifest), bound, manifest) for table in tables if not table.crossed]
    head = summary([finding for finding in findings if not finding.together], tables)
    if any(finding.together for finding in findings):
        said = " ".join(together_words(group, findings, tables, cells, manifest) for group in bound)
        rest = "" if head.tone == "silent" else f" Apart from that, {head.headline[:1].lower()}{head.headline[1:]}"
        head = Finding("", "out" if head.tone == "out" else "caution", f"{said}{rest}")
    return (head, *findings, *cautions(tables, manifest, cells))


def tied(finding: Finding, bound: list[tuple[str, ...]], manifest: dict[str, Any]) -> Finding:
    """Mark a finding on what goes together with something else in this run."""
    kind = finding.table if finding.table in ("seat", "strategy") else "faction"
    others = tuple(name for group in bound if kind in group for name in group if name != kind)
    if not others or finding.tone == "silent":
        return finding
    nouns = factors(manifest)
    with_whom = " and ".join(nouns[name] for name in others)
    caution = f"In this run {nouns[kind]} and {with_whom} go together: this edge may be that of the {with_whom}."
    return replace(finding, details=(caution, *finding.details), together=others)


def together_words(
    group: tuple[str, ...], findings: list[Finding], tables: list[Table], cells: pl.DataFrame, manifest: dict[str, Any]
) -> str:
    """Say that the columns of `group` go together, and name once what wins more or less: 'seat 0 with military'."""
    nouns = factors(manifest)
    names = [nouns[name] for name in group]
    said = f"In this run {', '.join(names[:-1])} and {names[-1]} go together: their effects cannot be told apart."
    differ = [finding.table for finding in findings if finding.table in group and finding.tone in ("out", "small")]
    if not differ:
        return said
    table = next(table for table in tables if table.name == differ[0])
    ended = []
    for row in ends_of(table):
        verb = "more" if row["edge"] > 0 else "less"
        level = str(row["level"]).removeprefix("seat ") if table.name == "seat" else str(row["level"])
        met = cells.filter(pl.col(table.name).cast(pl.String) == level)
        partners = [met[name].unique().to_list() for name in group if name != table.name]
        also = [name for name in group if name != table.name]
        known = [
            f"seat {levels[0]}" if name == "seat" else str(levels[0])
            for name, levels in zip(also, partners, strict=True)
            if len(levels) == 1
        ]
        who = " with ".join([label(table, row), *known])
        edge = points(row["edge"], decimals(half_width(row)))
        ended.append(f"{who} wins {verb} than the fair share ({edge} points)")
    return f"{said} What differs: {', '.join(ended)}."


def summary(findings: list[Finding], tables: list[Table]) -> Finding:
    """Put the verdict into two sentences: who is out of balance by how much, and how many rows are in balance."""
    tones = {finding.table: finding.tone for finding in findings}
    by_name = {table.name: table for table in tables}
    inside = balanced(findings, by_name)
    out = [shortly(by_name[name]) for name in headline_tables(findings)]
    if out:
        return Finding("", "out", f"Out of balance: {'; '.join(out)}, under these players.{inside}", (AT_ONCE,))
    differ = f" Strategies differ: {differences(by_name['strategy'])}." if tones.get("strategy") == "out" else ""
    fair = [finding for finding in findings if finding.tone == "fair"]
    if fair and all(tone in ("fair", "silent") for tone in tones.values()) and all(map(too_small, fair)):
        return Finding("", "fair", f"{TOO_SMALL}: no edge that is possible would be found reliably.")
    if any(tones[name] == "small" for name in tones if name != "strategy"):
        said = "Close to balance: what differs, differs by less than 1 point."
        return Finding("", "small", f"{said}{inside}{differ}")
    if all(tones[name] == "silent" for name in tones):
        return Finding("", "silent", "This run allows no finding.")
    return Finding("", "fair", f"No imbalance found beyond what chance explains.{inside}{differ}")


def balanced(findings: list[Finding], tables: dict[str, Table]) -> str:
    """Say how many factions and seats are surely within one point of their fair share; empty where none is judged."""
    judged = [finding.table for finding in findings if finding.tone != "silent"]
    said = [how_many(tables[name]) for name in ("faction", "seat") if name in judged]
    left_out = any(
        tables[name].frame["without_low"].is_not_null().any() for name in ("faction", "seat") if name in judged
    )
    whoever = ", whichever player is left out" if left_out else ""
    return f" Surely within 1 point of fair{whoever}: {', '.join(said)}." if said else ""


def too_small(finding: Finding) -> bool:
    """Whether a finding rests on too few games to judge anything."""
    return any(detail.startswith(TOO_SMALL) for detail in finding.details)


def headline_tables(findings: Sequence[Finding]) -> list[str]:
    """Return the tables out of balance that the headline names: factions and seats, or else attributes.

    Attributes only sum up what factions do: they make the headline where no single faction does. Strategies never do:
    that better players win more is no fault of the game.
    """
    free = [finding for finding in findings if finding.tone == "out" and not finding.together]
    out = [finding.table for finding in free if finding.table not in ("", "strategy")]
    return [name for name in out if name in ("faction", "seat")] if "faction" in out else out


def ends_of(table: Table) -> list[Row]:
    """Return the strongest flagged row, if it is strong, and the weakest, if it is weak."""
    hits = flagged(table)
    return ([hits[0]] if hits[0]["edge"] > 0 else []) + ([hits[-1]] if hits[-1]["edge"] < 0 else [])


def shortly(table: Table) -> str:
    """Name the strongest and the weakest flagged row: 'A too strong by 3.1 ± 0.4 points, ...'."""
    return ", ".join(too_strong(table, row) for row in ends_of(table))


def differences(table: Table) -> str:
    """Name the best and the worst strategy: 'A wins most (+3.1 points), ...'."""
    verbs = verbs_for(table)
    said = [(row, verbs[0] if row["edge"] > 0 else verbs[1]) for row in ends_of(table)]
    digits = digits_of([row for row, _ in said])
    return ", ".join(f"{label(table, row)} {verb} ({points(row['edge'], digits)} points)" for row, verb in said)


def digits_of(rows: Sequence[Row]) -> int:
    """Decimals for the edges of several rows in one list."""
    return common_decimals([row["edge"] for row in rows], [half_width(row) for row in rows])


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
        return Finding(table.name, "fair", headline, (seen, *reach, *range_words(table, [widest])))
    small = max(abs(row["edge"]) for row in hits) < MARGIN
    headline = extremes(table, hits)
    if small:
        headline = f"Real but small: {headline}"
    elif table.name not in ("faction", "strategy"):
        headline = capital(headline)
    details = (*others(table, hits, len(tested)), *reach, *range_words(table, ends_of(table)))
    return Finding(table.name, "small" if small else "out", headline, details)


def flagged(table: Table) -> list[Row]:
    """Rows whose corrected p-value is below alpha, strongest first."""
    return table.frame.filter(pl.col("flag") != "").to_dicts()


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
    """Say how sure the surest and the least sure are, and what else is flagged."""
    surest, least = min(row["p_holm"] for row in hits), max(row["p_holm"] for row in hits)
    sure = f"How sure: if all were fair, luck would show the surest of these edges in {chance(surest)} runs"
    if len(hits) > 1 and chance(least) != chance(surest):
        sure += f", the least sure in {chance(least)}"
    yield f"{sure} ({len(hits)} of {counted(tested, table.noun)} flagged, all tests allowed for)."
    strong = [row for row in hits if row["edge"] > 0][1:]
    weak = [row for row in reversed(hits) if row["edge"] < 0][1:]
    for word, rows in (("strong", strong), ("weak", weak)):
        if rows:
            # One more name takes no more room than "and 1 more".
            shown = rows if len(rows) <= NAMED + 1 else rows[:NAMED]
            digits = digits_of(shown)
            named = ", ".join(f"{row['level']} ({points(row['edge'], digits)})" for row in shown)
            more = f" and {len(rows) - len(shown)} more" if len(rows) > len(shown) else ""
            yield f"Also {word}: {named}{more}."


def what_was_visible(table: Table, tested: list[Row], manifest: dict[str, Any]) -> Iterator[str]:
    """Say what edge this run would have flagged four times in five, and how many games would show one point."""
    errors = [row["error"] for row in tested if row["error"]]
    effects = [row["mde_family"] for row in tested if row["mde_family"] is not None]
    if not errors:
        return
    if not effects:
        games = round_up(manifest["games"] * games_factor(max(errors), len(tested), MARGIN))
        unfound = "no edge that is possible would be found reliably"
        rest = " the rest" if any(row["flag"] for row in tested) else ""
        yield f"{TOO_SMALL}{rest}: {unfound}; to see 1 point takes about {counted(games, 'game')}."
        return
    worst = max(effects)
    needed = ""
    if worst > MARGIN:
        # The error falls with the square root of the number of blocks.
        needed = f"; to see 1 point takes about {count(round_up(manifest['games'] * (worst / MARGIN) ** 2))} games"
    short = [label(table, row) for row in tested if row["error"] and row["mde_family"] is None]
    said = f"an edge of {size(worst)} points is flagged at least four times in five{needed}."
    if short:
        named = ", ".join(short[:NAMED]) + (f" and {len(short) - NAMED} more" if len(short) > NAMED else "")
        yield f"Too few games to judge: {named}. What this run could see in the other rows: {said}"
        return
    yield f"What this run could see: {said}"


def cautions(tables: list[Table], manifest: dict[str, Any], cells: pl.DataFrame) -> Iterator[Finding]:
    """Yield what a reader must know before trusting the findings."""
    yield from stand_ins(manifest)
    blocks = max(row["blocks"] for table in tables for row in table.frame.select("blocks").to_dicts())
    if blocks < FEW_BLOCKS:
        yield Finding(
            "", "caution", f"Only {counted(blocks, 'block')}: intervals from fewer than {FEW_BLOCKS} are rough."
        )
    yield from mixing(cells, manifest)
    yield from without_hope(tables)
    yield Finding("", "caution", CAVEAT)


def stand_ins(manifest: dict[str, Any]) -> Iterator[Finding]:
    """Warn where the game ran on rows that no source confirms."""
    certainty = {name: int(rows) for name, rows in manifest["certainty"].items()}
    rows, invented = sum(certainty.values()), certainty.get("stand-in", 0)
    if invented:
        text = f"{invented} of {rows} rows of game data ({percent(invented / rows)}) are stand-ins for the printed ones"
        yield Finding("", "caution", f"{text}: a finding may be about them.")


def mixing(cells: pl.DataFrame, manifest: dict[str, Any]) -> Iterator[Finding]:
    """Warn where two of seat, faction and strategy are unevenly mixed; the summary says where they go together."""
    nouns = factors(manifest)
    for one, two, plain, corrected in associations(cells, manifest):
        if corrected > UNEVEN and plain <= BOUND:
            text = (
                f"In this run {nouns[one]} and {nouns[two]} are unevenly mixed: part of one's edge may be the other's."
            )
            yield Finding("", "caution", text)
