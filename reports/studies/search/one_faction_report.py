"""Reports a race of a faction's numbers: sentences, tables, and a file of changes."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import polars as pl

from reports.claims import Claim, Said, saying, told, unclaimed
from reports.formatting import capital, counted, edge_words, lessons_words, margin_words, points, some
from reports.model import Column, Listing, Section
from reports.sections.compare.before_after import Moved, before_after
from reports.studies.search.goals import state_of
from reports.studies.search.greedy import REACHED, Further
from reports.studies.search.one_faction import FEWER, Race
from reports.studies.search.parameters import reading_sentences
from reports.studies.search.report_words import (
    LIMITS,
    STATES,
    changes_line,
    games_to_resolve,
    games_words,
    left_claims,
    patch_file,
    tell_claims,
)

MAX_HINTS = 3
UNCONFIRMED = "Others that may be fair, not confirmed on fresh deals (edge left on the deals of the search)"
FIRST_CHANGE_FAMILY = (
    "all that is said of the first change: what it leaves, the edge as printed, others, the length of a game"
)
RACE_READING = (
    "Every value was played on the same deals as the printed one; the values in the first table on fresh deals. "
    "'fair': the whole interval of the edge left lies within the margin. 'undecided': it reaches beyond the margin, so "
    "more games would decide. 'off': it lies outside. The smallest change that may be fair stands first. Changes that "
    "remove an effect follow those that keep it; changes in a surprising direction, and those that work only because "
    "fewer players take the component, stand last. Fractions are hints: they cannot be printed."
)
STATE_COLUMN = Column("fair", "fair", "text", meaning="whether the interval of what is left lies within the margin")
FIRST_ROW = (
    "Row 1 is from fresh deals that had no part in choosing it; in 19 of 20 searches all its limits hold together. The "
    "other rows are from the deals that chose row 1, each with a 95 % interval of its own."
)
EDGE_COLUMN = Column("edge", "edge left", "edge", "edge_low", "edge_high", "wins less the fair share after the change")
WORTH_COLUMN = Column(
    "worth", "takes away", "edge", "low", "high", "share of wins as printed less that after the change", further=True
)


def race_sections(result: Race) -> tuple[Section, ...]:
    """Report which printed change makes a faction fair."""
    columns = (
        Column("change", "change", "text"),
        STATE_COLUMN,
        EDGE_COLUMN,
        Column("note", "note", "text"),
        WORTH_COLUMN,
        Column("used", "in play", "share", meaning="of its seats as printed", further=True),
        Column("used_after", "after", "share", meaning="of its seats after the change", further=True),
        Column("moved", "others: most", "text", meaning="whose wins the change moves most surely", further=True),
        Column("moved_by", "by", "edge", "moved_low", "moved_high", "limits allow for the choice among all others",
               further=True),
        Column("rounds", "rounds", "number", "rounds_low", "rounds_high", "change of a game's length", further=True),
        Column("text", "as a change", "text", further=True),
        Column("seed", "seed", "count", meaning="whose deals were played", further=True),
    )  # fmt: skip
    title = f"What to change on {result.faction}"
    frame = result.frame.with_columns(pl.col("state").replace_strict(STATES, return_dtype=pl.String).alias("fair"))
    note = (
        f"fair: the whole interval lies within {margin_words(result.margin)} of the fair share; undecided: it reaches "
        "beyond that, so more games would decide; off: it lies outside."
    )
    noted = tuple(replace(column, limits=LIMITS) for column in columns)
    best = Listing("changes", "Changes that come nearest", frame, noted, note=f"{note} {FIRST_ROW}")
    tried = Listing(
        "tried", "All values tried", result.tried,
        (Column("change", "change", "text"), EDGE_COLUMN, WORTH_COLUMN, Column("games", "games", "count", further=True),
         Column("text", "as a change", "text", further=True)),
        folded=True,
    )  # fmt: skip
    way = () if result.further is None else (further_listing(result.further),)
    sentences, claims = told(race_statements(result))
    moved = [
        Moved(row["change"], result.edge, row["edge"], row["edge_low"], row["edge_high"], row["state"])
        for row in result.frame.to_dicts()
    ]
    pictures = before_after("before and after", moved, result.margin, sentences[0]) if moved else ()
    return (Section("changes", title, sentences, (best, *way, tried), pictures, RACE_READING, claims=claims),)


def further_listing(further: Further) -> Listing:
    """Return the table of changes added one at a time, with the edge that each left."""
    rows = [{"change": one.change, "left": one.left} for one in further.way]
    columns = (
        Column("change", "change", "text"),
        Column("left", "leaves", "edge", meaning="with all changes so far, on the deals of the search"),
    )  # fmt: skip
    return Listing("way", "Changes added one at a time", pl.DataFrame(rows), columns)


def best_change(result: Race) -> dict[str, Any] | None:
    """Return the row of the first change if the faction may be fair with it, else None."""
    row = result.frame.row(0, named=True) if result.frame.height else None
    return row if row is not None and row["open"] else None


def as_printed(result: Race) -> dict[str, Any]:
    """Return the edge as printed as a row with limits."""
    limits = (None if math.isnan(end) else end for end in (result.low, result.high))
    return {"edge": result.edge, **dict(zip(("edge_low", "edge_high"), limits, strict=True))}


def race_statements(result: Race) -> list[Said]:
    """Return the sentences with their claims, the most important first."""
    rows = result.frame.to_dicts()
    candidates = [row for row in rows if row["open"]]
    statements: list[Said] = []
    not_due = result.printed_state == "within" or result.low <= 0 <= result.high
    if not_due:
        within = result.printed_state == "within"
        how = f"is fair within {margin_words(result.margin)}" if within else "may be fair"
        text = f"On fresh deals {result.faction} {how} as printed: no change is shown to be needed."
        limits = result.edge, result.low, result.high
        claim = Claim("within the margin", f"{result.faction}, as printed", *limits, FIRST_CHANGE_FAMILY, "")
        statements.append(saying(text, [claim] if within else []))
    if not rows:
        statements.append((f"No printed number of {result.faction} was found to reduce its edge.", ()))
    elif rows[0]["open"] and FEWER not in rows[0]["note"]:
        statements += best_sentences(result, rows, not_due)
    elif rows[0]["open"]:
        text = "The changes that may be fair work only because fewer players take the component; see the table."
        statements.append((text, ()))
    else:
        statements.append(saying(nearest_words(result, rows), remaining_claims(result, rows[0])))
        unconfirmed = [f"{row['change']} ({points(row['edge'])})" for row in candidates if FEWER not in row["note"]]
        statements += [(f"{UNCONFIRMED}: {some(unconfirmed)}.", ())] if unconfirmed else []
    statements += [
        (f"{capital(row['change'])} may be fair because fewer have it: {100 * row['used']:.0f} % of its seats before, "
         f"{100 * row['used_after']:.0f} % after.", ())
        for row in candidates
        if FEWER in row["note"]
    ]  # fmt: skip
    if result.hints:
        statements.append((f"Fair values between printed ones: {'; '.join(result.hints[:MAX_HINTS])}.", ()))
    pairs = f", {counted(result.pairs, 'pair')} of changes among them," if result.pairs else ""
    chosen = f"the best {len(rows)}, and then the first of these, were played on fresh deals" if rows else "none helped"
    printed = as_printed(result)
    text = (
        f"As printed its edge is {edge_words(printed)} ({counted(result.games, 'game')} of each, seed {result.seed})."
    )
    statements.append(saying(text, remaining_claims(result, {"change": "nothing changed", **printed})))
    statements.append((
        f"The search tried {counted(result.arms, 'value')} of {counted(result.turned, 'number')}{pairs} on the deals "
        f"of seed {result.plan.seed}; {chosen}.", ()
    ))  # fmt: skip
    statements += unclaimed(quick_words(result))
    game, settings = result.plan.game, result.plan.data.settings
    statements += unclaimed(reading_sentences(game, settings, result.tried["text"]))
    return statements + unclaimed(lessons_words(result.plan.changes))


def quick_words(result: Race) -> list[str]:
    """Say what a quick search may have missed."""
    if not result.quick:
        return []
    missed = "" if result.missed is None else (
        f": it finds an effect of {100 * result.missed:.1f} points four times in five, and smaller ones less often"
    )  # fmt: skip
    return [f"This was a quick search{missed}. Its limits are as reliable as those of a refined search, but wider."]


def remaining_claims(result: Race, row: dict[str, Any]) -> list[Claim]:
    """Claim that the edge left by a row's change lies within its limits."""
    return left_claims(f"{result.faction} with {row['change']}", row, FIRST_CHANGE_FAMILY)


def nearest_words(result: Race, rows: list[dict[str, Any]]) -> str:
    """Say that no change was found that makes it fair, and which came first."""
    first = first_change_words(result, rows)
    if result.was_open:
        return first
    if result.further is None:
        tried = "No printed change, nor a pair of them," if result.pairs else "No single printed change"
        return f"{tried} was found that makes {result.faction} fair; {first}"
    if result.further.ended == REACHED:
        return (
            f"No change was found that makes {result.faction} fair: changes added one at a time came within the margin "
            f"on the deals of the search, but not on fresh deals. {capital(first)}"
        )
    return (
        f"No set of printed numbers was found that makes {result.faction} fair: {result.further.ended} in "
        f"{counted(result.games, 'game')}. {capital(first)}"
    )


def first_change_words(result: Race, rows: list[dict[str, Any]]) -> str:
    """Say what the first change leaves, if other deals show that it is off."""
    first = rows[0]
    if result.was_open:
        return f"No change is confirmed: {first['change']} did best, but on fresh deals leaves {edge_words(first)}."
    if first is min(rows, key=lambda row: abs(row["edge"])):
        return f"nearest is {first['change']}, which leaves {edge_words(first)}."
    kept = [row for row in rows if not row["removes"]]
    if first is min(kept, key=lambda row: abs(row["edge"]), default=None):
        return f"of the changes that keep every effect, {first['change']} is nearest; it leaves {edge_words(first)}."
    least = min(rows, key=lambda row: abs(row["edge"]))
    return (
        f"{first['change']} came first, and leaves {edge_words(first)}; least was left by "
        f"{least['change']} ({points(least['edge'])} points observed, not confirmed)."
    )


def best_sentences(result: Race, rows: list[dict[str, Any]], not_due: bool) -> list[Said]:
    """Say which change may make the faction fair, how sure that is, and which others come near."""
    best, *others = rows
    others = [row for row in others if row["open"] and FEWER not in row["note"]]
    statements: list[Said] = []
    if best["numbers"] > 1:
        kept = any(row["open"] and row["numbers"] == 1 for row in others)
        fewer = "No single printed change that keeps every effect" if kept else "No single printed change"
        fewer = fewer if result.further is None else "Neither one printed change nor two"
        together = "two" if best["numbers"] == 2 else str(best["numbers"])
        more = (f"{fewer} makes {result.faction} fair in these games; {together} together may.", ())
    lead = "Of the changes, " if not_due else "Change "
    text = (
        f"{lead}{best['change']}: the edge of {result.faction} goes from {points(result.edge)} to {edge_words(best)}."
    )
    statements.append(saying(text, remaining_claims(result, best)))
    side, claims = side_words(best)
    needed = games_to_resolve(best, result.margin, result.games)
    claims += tell_claims([f"{result.faction} with {best['change']}"], needed)
    statements.append(saying(f"{told_words(best, result.margin, result.games)}. {side}.", claims))
    statements += [more] if best["numbers"] > 1 else []
    statements += removal_sentences(result, rows) if best["removes"] else []
    statements += [(f"{capital(best['change'])}: {best['note']}.", ())] if best["surprising"] else []
    named = [f"{row['change']} ({points(row['edge'])})" for row in others if row["state"] != "out"]
    statements += [(f"{UNCONFIRMED}: {some(named)}.", ())] if named else []
    odd = [row["change"] for row in others if row["surprising"]]
    statements += [(f"In a surprising direction, so behind the others: {some(odd)}.", ())] if odd else []
    return statements


def removal_sentences(result: Race, rows: list[dict[str, Any]]) -> list[Said]:
    """Say that the best change removes an effect, and which change that keeps every effect leaves least."""
    said = "This removes an effect; no change that keeps every effect was found to make it fair."
    kept = [row for row in rows if not row["removes"]]
    if not kept:
        return [(said, ())]
    nearest = min(kept, key=lambda row: abs(row["edge"]))
    left = f"leaves {points(nearest['edge'])} points on the deals of the choice"
    return [(f"{said} Of those, {nearest['change']} comes nearest: it {left}.", ())]


def told_words(row: dict[str, Any], margin: float, games: int) -> str:
    """Say what is confirmed of the edge left: 'This is fair within 2 points'."""
    near = margin_words(margin)
    if row["edge_low"] is None or row["edge_high"] is None:
        return "These are too few games for an interval"
    state = state_of(row["edge_low"], row["edge_high"], margin)
    if state == "within":
        return f"This is fair within {near}"
    if state == "out":
        return f"This is more than {near} from fair"
    most = max(abs(row["edge_low"]), abs(row["edge_high"]))
    needed = games_to_resolve(row, margin, games)
    more = "" if needed is None else f"; {games_words(needed)}"
    return f"Whether that is fair within {near} is undecided: up to {100 * most:.1f} points may be left{more}"


def side_words(row: dict[str, Any]) -> tuple[str, list[Claim]]:
    """Say and claim what else a change does, to other factions and to the length of a game."""
    sentences, claims = "No other is shown to move", list[Claim]()
    if apart_from_0(row["moved_low"], row["moved_high"]):
        half = 50 * (row["moved_high"] - row["moved_low"])
        sentences = f"Of the others {row['moved']} moves most, by {points(row['moved_by'])} ± {half:.1f} points"
        limits = row["moved_by"], row["moved_low"], row["moved_high"]
        claims = [Claim("change", row["moved"], *limits, FIRST_CHANGE_FAMILY, "")]
    if apart_from_0(row["rounds_low"], row["rounds_high"]) and abs(row["rounds"]) >= 0.01:
        sentences += f", a game is {abs(row['rounds']):.2f} rounds {'longer' if row['rounds'] > 0 else 'shorter'}"
        limits = row["rounds"], row["rounds_low"], row["rounds_high"]
        claims.append(Claim("length of a game", "rounds of a game", *limits, FIRST_CHANGE_FAMILY, ""))
    return sentences, claims


def apart_from_0(low: float | None, high: float | None) -> bool:
    """Whether an interval is known and excludes 0."""
    return low is not None and high is not None and not low <= 0 <= high


def patch_text(result: Race) -> str:
    """Return a file of changes for `--change @FILE`: the best change in `changes`, other open ones as comments.

    It is empty if fresh deals show that the faction is off with the best change.
    """
    best, margin = best_change(result), margin_words(result.margin)
    if best is None:
        return ""
    says = f"this brings {result.faction} within {margin} of fair with these players."
    may = f"with this {result.faction} may be fair with these players; these games cannot decide."
    lines = [f"# {result.plan.game.title}: {says if best['state'] == 'within' else may}"]
    if result.low <= 0 <= result.high:
        lines += [f"# As printed {result.faction} may be fair: no change is shown to be needed."]
    lines.append(f"# {best['change']}: edge {points(result.edge)} to {edge_words(best)} ({STATES[best['state']]}).")
    lines += [f"# {best['note']}."] if best["note"] else []
    others = [
        f"# may be fair, not confirmed on fresh deals: {changes_line(row['changes'])} ({row['change']})"
        for row in result.frame.to_dicts()[1:]
        if row["open"]
    ]
    return patch_file(lines, best["changes"], others)
