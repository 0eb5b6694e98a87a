"""What a race of a faction's numbers has found, in words and tables, and as a file of changes."""

from __future__ import annotations

import json
import math
from typing import Any

import polars as pl

from reports.sections.before_after import Moved, before_after
from reports.shapes import Column, Listing, Section
from reports.studies.further import REACHED, Further
from reports.studies.goals import State, games_to_tell, state_of
from reports.studies.race import FEWER, Race
from reports.words import capital, counted, edge_words, lessons_words, margin_words, points, round_up, some

NAMED = 3
READING = (
    "Every value was played on the same deals as the printed one. The first table is from the deals of another seed, "
    "which had no part in choosing its values. 'fair': the whole interval of what is left lies within the margin; 'not "
    "told' apart from fair: it reaches over the margin's edge, so that more games would tell; 'off': it lies outside. "
    "The smallest change that may be fair stands first, but for those that are so only because fewer have the "
    "component then, and those in a direction that surprises. Fractions are hints: they cannot be printed."
)
STATES: dict[State, str] = {
    "within": "fair", "not told apart": "not told", "out": "off", "not known": "not known",
}  # fmt: skip
STATE = Column("fair", "fair", "text", meaning="whether the interval of what is left lies within the margin")
EDGE = Column("edge", "edge left", "edge", "edge_low", "edge_high", "wins less the fair share after the change")
WORTH = Column(
    "worth", "takes away", "edge", "low", "high", "share of wins as printed less that after the change", further=True
)


def race_sections(found: Race) -> tuple[Section, ...]:
    """Say which printed change makes a faction fair."""
    columns = (
        Column("change", "change", "text"),
        STATE,
        EDGE,
        Column("note", "note", "text"),
        WORTH,
        Column("used", "in play", "share", meaning="of its seats as printed", further=True),
        Column("used_after", "after", "share", meaning="of its seats after the change", further=True),
        Column("moved", "others: most", "text", meaning="whose wins the change moves most surely", further=True),
        Column("moved_by", "by", "edge", "moved_low", "moved_high", "limits allow for the choice among all others",
               further=True),
        Column("rounds", "rounds", "number", "rounds_low", "rounds_high", "change of a game's length", further=True),
        Column("text", "as a change", "text", further=True),
    )  # fmt: skip
    title = f"What to change on {found.faction}"
    frame = found.frame.with_columns(pl.col("state").replace_strict(STATES, return_dtype=pl.String).alias("fair"))
    note = (
        f"fair: the whole interval lies within {margin_words(found.margin)} of the fair share; not told: it reaches "
        "over that edge, so more games would tell; off: it lies outside."
    )
    best = Listing("changes", "Changes that come nearest, on fresh deals", frame, columns, note=note)
    tried = Listing(
        "tried", "All values tried", found.tried,
        (Column("change", "change", "text"), EDGE, WORTH, Column("games", "games", "count", further=True),
         Column("text", "as a change", "text", further=True)),
        folded=True,
    )  # fmt: skip
    way = () if found.further is None else (way_listing(found.further),)
    said = tuple(sentences(found))
    moved = [
        Moved(row["change"], found.edge, row["edge"], row["edge_low"], row["edge_high"], row["state"])
        for row in found.frame.to_dicts()
    ]
    pictures = before_after("before and after", moved, found.margin, said[0]) if moved else ()
    return (Section("changes", title, said, (best, *way, tried), pictures, READING),)


def way_listing(further: Further) -> Listing:
    """Changes as they were added one at a time, and what each left on the deals of the search."""
    rows = [{"change": one.change, "left": one.left} for one in further.way]
    columns = (
        Column("change", "change", "text"),
        Column("left", "leaves", "edge", meaning="with all changes so far, on the deals of the search"),
    )  # fmt: skip
    return Listing("way", "Changes added one at a time", pl.DataFrame(rows), columns)


def best_change(found: Race) -> dict[str, Any] | None:
    """The first change if the faction may be fair with it, a dictionary of its row; None where there is none."""
    row = found.frame.row(0, named=True) if found.frame.height else None
    return row if row is not None and row["open"] else None


def as_printed(found: Race) -> dict[str, Any]:
    """The edge as printed, as a row with limits."""
    limits = (None if math.isnan(end) else end for end in (found.low, found.high))
    return {"edge": found.edge, **dict(zip(("edge_low", "edge_high"), limits, strict=True))}


def sentences(found: Race) -> list[str]:
    """What was found, most important first."""
    rows = found.frame.to_dicts()
    candidates = [row for row in rows if row["open"]]
    clean = [row for row in candidates if FEWER not in row["note"]]
    said = []
    not_due = found.printed_state == "within" or found.low <= 0 <= found.high
    if not_due:
        how = "is fair" if found.printed_state == "within" else "is not told apart from fair"
        said.append(f"On fresh deals {found.faction} {how} as printed: no change is shown to be due.")
    if clean:
        said += clean_sentences(found, clean, not_due)
    elif candidates:
        said.append("What comes out fair does so only because fewer have the component then; see the table.")
    elif found.further is not None and rows:
        said.append(out_of_reach(found, found.further, rows[0]))
    elif rows:
        row = rows[0]
        tried = "No printed change, nor a pair of them," if found.pairs else "No single printed change"
        said.append(f"{tried} makes {found.faction} fair; nearest is {row['change']}, which leaves {edge_words(row)}.")
    else:
        said.append(f"No printed number of {found.faction} takes away a part of its edge.")
    said += [
        f"{capital(row['change'])} may be fair because fewer have it: {100 * row['used']:.0f} % of its seats before, "
        f"{100 * row['used_after']:.0f} % after."
        for row in candidates
        if FEWER in row["note"]
    ]
    if found.hints:
        said.append(f"Hints between printed values: {'; '.join(found.hints[:NAMED])}.")
    pairs = f", {counted(found.pairs, 'pair')} of changes among them," if found.pairs else ""
    said.append(
        f"As printed its edge is {edge_words(as_printed(found))} ({counted(found.games, 'game')} of each, seed "
        f"{found.seed}). {counted(found.turned, 'number')} of it and {counted(found.arms, 'value')}{pairs} were tried "
        f"on the deals of seed {found.plan.seed}; the best {len(rows)} were played anew."
    )
    return said + lessons_words(found.plan.changes)


def out_of_reach(found: Race, further: Further, row: dict[str, Any]) -> str:
    """Say that a set of changes was sought and does not make it fair, and what comes nearest."""
    nearest = f"Nearest is {row['change']}, which leaves {edge_words(row)}."
    if further.ended == REACHED:
        return (
            f"No change is found that makes {found.faction} fair: changes added one at a time came within the margin "
            f"on the deals of the search, but not on fresh ones. {nearest}"
        )
    return (
        f"No set of printed numbers is found that makes {found.faction} fair: {further.ended} in "
        f"{counted(found.games, 'game')}. {nearest}"
    )


def clean_sentences(found: Race, clean: list[dict[str, Any]], not_due: bool) -> list[str]:
    """Say which changes may make it fair, the best first, and how sure that is."""
    best, *others = clean
    said = []
    if best["numbers"] > 1:
        fewer = "No single printed change makes" if found.further is None else "Neither one printed change nor two make"
        together = "two" if best["numbers"] == 2 else str(best["numbers"])
        said.append(f"{fewer} {found.faction} fair; {together} together may.")
    lead = "Of the changes, " if not_due else "Change "
    said.append(
        f"{lead}{best['change']}: the edge of {found.faction} goes from {points(found.edge)} to {edge_words(best)}, "
        f"{told_words(best, found.margin, found.games)}; {side_words(best)}."
    )
    said += [f"{capital(best['change'])}: {best['note']}."] if best["surprising"] else []
    for state, words in (("within", "Also fair"), ("not told apart", "Not told apart from fair either")):
        named = [f"{row['change']} ({edge_words(row)})" for row in others if row["state"] == state]
        said += [f"{words}: {some(named)}."] if named else []
    odd = [row["change"] for row in others if row["surprising"]]
    said += [f"Surprising direction, and so behind the others: {some(odd)}."] if odd else []
    return said


def told_words(row: dict[str, Any], margin: float, games: int) -> str:
    """What is sure of what a change leaves: 'fair within 2 points', 'not told apart from fair: up to ...'."""
    near = margin_words(margin)
    if row["edge_low"] is None or row["edge_high"] is None:
        return "from too few games for an interval"
    state = state_of(row["edge_low"], row["edge_high"], margin)
    if state == "within":
        return f"fair within {near}"
    if state == "out":
        return f"which is beyond {near}"
    most = max(abs(row["edge_low"]), abs(row["edge_high"]))
    needed = games_to_tell(row["edge"], row["edge_low"], row["edge_high"], margin, games)
    more = "" if needed is None else f", and about {counted(round_up(needed), 'game')} of each would tell"
    return f"not told apart from fair within {near}: up to {100 * most:.1f} points may be left{more}"


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
    """A file of changes that `--change @FILE` plays: the best change, and the others that may be fair as comments.

    TOML with one list, `changes`.
    """
    best = best_change(found)
    title, rows = found.plan.game.title, found.frame.to_dicts()
    shown = best is None or best["state"] == "within"
    says = f"what makes {found.faction} fair under these players."
    may = f"with this {found.faction} may be fair under these players; these games cannot tell."
    lines = [f"# {title}: {says if shown else may}"]
    if found.low <= 0 <= found.high:
        lines += [f"# As printed {found.faction} is not told apart from fair: no change is shown to be due."]
    if best is None:
        lines = [f"# {title}: no printed change makes {found.faction} fair under these players."]
        lines += [f"# Nearest is {row['change']}." for row in rows[:1]]
    first = rows[:1]
    for row in first:
        lines.append(f"# {row['change']}: edge {points(found.edge)} to {edge_words(row)} ({STATES[row['state']]}).")
        lines += [f"# {row['note']}." for row in first if row["note"]]
    lines += [changes_line([text for row in first for text in row["changes"]])]
    others = [row for row in rows[1:] if row["open"]] if best is not None else []
    lines += [f"# or: {changes_line(row['changes'])} ({row['change']})" for row in others]
    return "\n".join(lines) + "\n"


def changes_line(changes: list[str]) -> str:
    """The one line of such a file that is no comment."""
    return f"changes = [{', '.join(json.dumps(text, ensure_ascii=False) for text in changes)}]"
