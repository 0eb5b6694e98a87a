"""What a race of a faction's numbers has found, in words and tables, and as a file of changes."""

from __future__ import annotations

import json
import math
from typing import Any

import polars as pl

from reports.shapes import Column, Listing, Section
from reports.studies.race import FINALISTS, Race
from reports.words import capital, counted, edge_words, points, some

NAMED = 3
READING = (
    "Every value was played on the same deals as the printed one. The first table is from the deals of another seed, "
    "which had no part in choosing its values. 'fair': what is left is not told apart from 0, or is no more than "
    "the margin. The smallest fair change stands first, but for those that are fair "
    "only because fewer have the component then. Fractions are hints: they cannot be printed."
)
EDGE = Column("edge", "edge left", "edge", "edge_low", "edge_high", "wins less the fair share after the change")
WORTH = Column("worth", "takes away", "edge", "low", "high", "share of wins as printed less that after the change")


def race_sections(found: Race) -> tuple[Section, ...]:
    """Say which printed change makes a faction fair."""
    columns = (
        Column("change", "change", "text"),
        Column("fair", "fair", "flag", meaning="what is left is not told apart from 0, or lies within the margin"),
        EDGE,
        Column("note", "note", "text"),
        WORTH,
        Column("used", "in play", "share", meaning="of its seats as printed"),
        Column("used_after", "after", "share", meaning="of its seats after the change"),
        Column("moved", "others: most", "text", meaning="whose wins the change moves most surely"),
        Column("moved_by", "by", "edge", "moved_low", "moved_high", "limits allow for the choice among all others"),
        Column("rounds", "rounds", "number", "rounds_low", "rounds_high", "change of a game's length"),
        Column("text", "as a change", "text"),
    )
    title = f"What to change on {found.faction}"
    best = Listing("changes", "Changes that come nearest, on fresh deals", found.frame, columns)
    tried = Listing(
        "tried", "All values tried", found.tried,
        (Column("change", "change", "text"), EDGE, WORTH, Column("games", "games", "count"),
         Column("text", "as a change", "text")),
        folded=True,
    )  # fmt: skip
    return (Section("changes", title, tuple(sentences(found)), (best, tried), (), READING),)


def best_change(found: Race) -> dict[str, Any] | None:
    """The first change if it makes the faction fair, a dictionary of its row; None where none does."""
    row = found.frame.row(0, named=True) if found.frame.height else None
    return row if row is not None and row["fair"] else None


def sentences(found: Race) -> list[str]:
    """What was found, most important first."""
    limits = (None if math.isnan(end) else end for end in (found.low, found.high))
    own = {"edge": found.edge, **dict(zip(("edge_low", "edge_high"), limits, strict=True))}
    said = []
    fair = found.frame.filter("fair") if found.frame.height else found.frame
    clean = fair.filter(pl.col("note") == "") if fair.height else fair
    if found.low <= 0 <= found.high:
        said.append(
            f"On fresh deals {found.faction} is not told apart from fair as printed: no change is shown to be due."
        )
    if clean.height:
        row = clean.row(0, named=True)
        lead = "Of the changes, " if found.low <= 0 <= found.high else "Change "
        said.append(
            f"{lead}{row['change']}: the edge of {found.faction} goes from {points(found.edge)} to "
            f"{edge_words(row)}; {side_words(row)}."
        )
        if clean.height > 1:
            named = [f"{row['change']} ({edge_words(row)})" for row in clean.slice(1).to_dicts()]
            said.append(f"Also fair: {some(named)}.")
        if (most := max(abs(row["edge_low"]), abs(row["edge_high"]))) > found.margin:
            said.append(
                f"Fair means not told apart from fair: up to {100 * most:.1f} points may be left with {row['change']}; "
                "more --games say more."
            )
    elif fair.height:
        said.append("What comes out fair does so only because fewer have the component then; see the table.")
    elif found.frame.height:
        row = found.frame.row(0, named=True)
        said.append(
            f"No single printed change makes {found.faction} fair; nearest is {row['change']}, which leaves "
            f"{points(row['edge'])} points. Pairs of changes are not tried: change one with --change and race again."
        )
    else:
        said.append(f"No printed number of {found.faction} takes away a part of its edge.")
    said += [
        f"{capital(row['change'])} is fair because fewer have it: {100 * row['used']:.0f} % of its seats before, "
        f"{100 * row['used_after']:.0f} % after."
        for row in (fair.filter(pl.col("note") != "").to_dicts() if fair.height else [])
    ]
    if found.hints:
        said.append(f"Hints between printed values: {'; '.join(found.hints[:NAMED])}.")
    said.append(
        f"As printed its edge is {edge_words(own)} ({counted(found.games, 'game')} of each, seed {found.seed}). "
        f"{counted(found.turned, 'number')} of it and {counted(found.arms, 'value')} were tried on the deals of seed "
        f"{found.plan.seed}; the best {min(FINALISTS, found.frame.height)} were played anew."
    )
    return said


def side_words(row: dict[str, Any]) -> str:
    """What else a change does: to others and to the length of a game."""
    sure = apart_from_0(row["moved_low"], row["moved_high"])
    others = (
        f"most moved of the others is {row['moved']}, {points(row['moved_by'])}" if sure else "no other moves for sure"
    )
    rounds = f", a game is {abs(row['rounds']):.2f} rounds {'longer' if row['rounds'] > 0 else 'shorter'}"
    told = apart_from_0(row["rounds_low"], row["rounds_high"]) and abs(row["rounds"]) >= 0.01
    return others + (rounds if told else "")


def apart_from_0(low: float | None, high: float | None) -> bool:
    """Whether an interval is known and does not hold 0."""
    return low is not None and high is not None and not low <= 0 <= high


def patch_text(found: Race) -> str:
    """A file of changes that `--change @FILE` plays: the best change, and the others that are fair as comments.

    TOML with one list, `changes`.
    """
    best = best_change(found)
    lines = [f"# {found.plan.game.title}: what makes {found.faction} fair under these players."]
    if found.low <= 0 <= found.high:
        lines += [f"# As printed {found.faction} is not told apart from fair: no change is shown to be due."]
    if best is None:
        lines = [f"# {found.plan.game.title}: no single printed change makes {found.faction} fair under these players."]
        lines += [f"# Nearest is {row}." for row in found.frame["change"][:1]]
    rows = [best] if best is not None else found.frame.head(1).to_dicts()
    for row in rows:
        lines.append(f"# {row['change']}: edge {points(found.edge)} to {edge_words(row)}.")
    lines += [f"changes = [{', '.join(json.dumps(row['text'], ensure_ascii=False) for row in rows)}]"]
    others = found.frame.filter("fair").slice(1).to_dicts() if best is not None else []
    lines += [f"# or: {json.dumps(row['text'], ensure_ascii=False)} ({row['change']})" for row in others]
    return "\n".join(lines) + "\n"
