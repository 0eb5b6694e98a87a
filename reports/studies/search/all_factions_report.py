"""Reports a set of changes: sentences, tables, a figure, and a file of changes."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import polars as pl

from reports.claims import Claim, Said, saying, told, unclaimed
from reports.formatting import (
    capital,
    count,
    counted,
    edge_words,
    lessons_words,
    listed,
    margin_words,
    points,
    round_up,
    some,
)
from reports.model import Column, Listing, Section
from reports.sections.compare.before_after import Moved, before_after
from reports.studies.search.all_factions import BeforeAndAfter, ChangeSet
from reports.studies.search.report_words import (
    LIMITS,
    STATES,
    games_to_resolve,
    games_words,
    left_claims,
    patch_file,
    tell_claims,
)
from reports.studies.search.space import arm_changes, arm_words

ROWS_FAMILY = "all that is said of all rows, as printed and with the changes"
STEP_OUTCOMES = {
    "kept": "kept", "needless": "left out: not needed at the end",
    "harmful": "left out: moves others as far out of balance",
    "replaced": "changed again later",
}  # fmt: skip
SET_READING = (
    "The search played the deals of one seed; both tables are from fresh deals. 'before' and 'left' are win rates "
    "minus the target, in points; in 19 of 20 searches all intervals hold together. 'fair' means that the whole "
    "interval lies within the margin, 'undecided' that it reaches beyond, 'off' that it lies outside. The search adds "
    "changes step by step and finds a small set that works; another set may work as well."
)


def set_sections(result: ChangeSet) -> tuple[Section, ...]:
    """Report which printed changes bring all targets within the margin."""
    sentences, claims = told(set_statements(result))
    listings = [changes_listing(result), target_listing(result, result.fresh, "standing", "On fresh deals")]
    if result.top is not None:
        title = f"With {result.top.players} in all seats, {counted(result.top.games, 'game')} of each"
        listings.append(target_listing(result, result.top, "top", title))
    listings.append(steps_listing(result))
    pictures = set_pictures(result, result.fresh, "before and after", sentences[0])
    if result.top is not None:
        pictures += set_pictures(result, result.top, "before and after top", f"With {result.top.players} in all seats.")
    whom = listed(list(result.goal.names)) if result.goal.together else "all"
    title = f"What to change so that {whom} are fair" if result.goal.fair else "What to change to reach the target"
    return (Section("changes", title, sentences, tuple(listings), pictures, SET_READING, claims=claims),)


def set_pictures(result: ChangeSet, sample: BeforeAndAfter, name: str, said: str) -> tuple[Any, ...]:
    """Return the figure of one table."""
    rows = [
        Moved(row["name"], row["before"], row["edge"], row["edge_low"], row["edge_high"], row["state"])
        for row in target_frame(result, sample).to_dicts()
        if row["before"] is not None and row["edge"] is not None
    ]
    what = "edge" if result.goal.fair else "share less what is wanted"
    return before_after(name, rows, result.goal.margin, said, what) if rows else ()


def target_frame(result: ChangeSet, sample: BeforeAndAfter) -> pl.DataFrame:
    """Return the rows of `target_listing`: `name`, `wanted`, `before`, `edge` and `change` with limits, both states."""
    goal, before, after = result.goal, sample.before, sample.after
    columns = {
        "wanted": goal.targets, "before": before.off, "before_low": before.low, "before_high": before.high,
        "edge": after.off, "edge_low": after.low, "edge_high": after.high,
        "change": after.change, "low": after.change_low, "high": after.change_high,
    }  # fmt: skip
    frame = pl.DataFrame({"name": list(goal.names)} | columns).with_columns(pl.col(pl.Float64).fill_nan(None))
    states = {"state_before": before.states(goal.margin), "state": after.states(goal.margin)}
    frame = frame.with_columns(*(pl.Series(name, values, dtype=pl.String) for name, values in states.items()))
    words = [pl.col(name).replace_strict(STATES, return_dtype=pl.String).alias(f"{name}_words") for name in states]
    return frame.with_columns(*words).sort(["before", "name"], descending=[True, False], nulls_last=True)


def target_listing(result: ChangeSet, sample: BeforeAndAfter, name: str, title: str) -> Listing:
    """Return the table of all targets before and after the changes."""
    noun = result.plan.game.faction_title if result.goal.fair else "wanted"
    target = () if result.goal.fair else (Column("wanted", "share", "share", meaning="the share that is wanted"),)
    columns = (
        Column("name", noun, "text"),
        *target,
        Column("before", "before", "edge", meaning="as printed"),
        Column("edge", "left", "edge", "edge_low", "edge_high", "after the changes", limits=LIMITS),
        Column("state_words", "fair" if result.goal.fair else "there", "text", meaning="after the changes"),
        Column("state_before_words", "as printed", "text", further=True),
        Column("change", "change", "edge", "low", "high", "of the share, paired by deal", True, LIMITS),
    )
    frame, note = (
        target_frame(result, sample),
        "In 19 of 20 searches all limits hold together.",
    )
    return Listing(name, f"{title} (seed {sample.seed})", frame, columns, note=note, whole=True)


def changes_listing(result: ChangeSet) -> Listing:
    """Return the table of changes."""
    rows = [
        {"change": arm_words(((turn, value),)), "faction": owner, "steps": abs(value - turn.present),
         "reason": listed(list(dict.fromkeys(
             step.name for step in result.steps
             if step.outcome == "kept" and turn.text in {one.text for one, _ in step.gain.arm}
         ))), "text": "; ".join(turn.changes(value))}
        for (turn, value), owner in zip(result.arm, result.owners, strict=True)
    ]  # fmt: skip
    schema = {"change": pl.String, "faction": pl.String, "steps": pl.Int64, "reason": pl.String, "text": pl.String}
    columns = (
        Column("change", "change", "text"), Column("reason", "for", "text", meaning="what was farthest off"),
        Column("text", "as a change", "text", further=True),
    )  # fmt: skip
    return Listing("changes", "Changes", pl.DataFrame(rows, schema=schema), columns)


def steps_listing(result: ChangeSet) -> Listing:
    """Return the table of search steps."""
    rows = [
        {"step": number, "name": step.name, "off": step.off, "change": arm_words(step.gain.arm),
         "expected": step.gain.off, "note": gain_note(step.gain.surprising, step.gain.fewer),
         "outcome": STEP_OUTCOMES[step.outcome]}
        for number, step in enumerate(result.steps, start=1)
    ]  # fmt: skip
    schema = {"step": pl.Int64, "name": pl.String, "off": pl.Float64, "change": pl.String, "expected": pl.Float64,
              "note": pl.String, "outcome": pl.String}  # fmt: skip
    columns = (
        Column("step", "step", "count"), Column("name", "farthest off", "text"), Column("off", "by", "edge"),
        Column("change", "change", "text"),
        Column("expected", "leaves", "edge", meaning="as the race saw it, on the deals of the search"),
        Column("note", "note", "text"), Column("outcome", "outcome", "text"),
    )  # fmt: skip
    return Listing("way", "The way of the search", pl.DataFrame(rows, schema=schema), columns, folded=True)


def gain_note(surprising: bool, fewer: bool) -> str:
    """Return the caveats of a change."""
    notes = ["surprising direction"] if surprising else []
    return "; ".join([*notes, *(["works because fewer have it"] if fewer else [])])


def set_statements(result: ChangeSet) -> list[Said]:
    """Return the sentences with their claims, the most important first."""
    frame = target_frame(result, result.fresh)
    statements: list[Said] = [(proposal_words(result, frame), ()), target_statement(result, frame)]
    statements += moved_words(result, frame)
    statements += [(f"{capital(arm_words(step.gain.arm))}: {note}.", ()) for step in result.steps
             if step.outcome == "kept" and (note := gain_note(step.gain.surprising, step.gain.fewer))]  # fmt: skip
    statements += left_words(result, frame)
    statements += others_words(result)
    if result.top is not None:
        statements += top_words(result, result.top)
    needless = sum(step.outcome == "needless" for step in result.steps)
    dropped = f"; {counted(needless, 'step')} came out as not needed" if needless else ""
    statements.append((
        f"The search played {count(result.arms)} values and sets, {counted(result.played, 'game')} in all, on the "
        f"deals of seed {result.plan.seed}{dropped}.", ()
    ))  # fmt: skip
    return statements + unclaimed(lessons_words(result.plan.changes))


def target_claims(frame: pl.DataFrame, when: str) -> list[Claim]:
    """Return a claim for every row within the margin or off, as printed or after the changes."""
    state, edge = ("state_before", "before") if when == "as printed" else ("state", "edge")
    kinds = {"within": "within the margin", "out": "out of balance"}
    return [
        Claim(
            kinds[row[state]],
            f"{row['name']}, {when}",
            row[edge],
            row[f"{edge}_low"],
            row[f"{edge}_high"],
            ROWS_FAMILY,
            "",
        )
        for row in frame.to_dicts()
        if row[state] in kinds
    ]


def target_statement(result: ChangeSet, frame: pl.DataFrame) -> Said:
    """Say how many targets are within the margin, with claims."""
    claims = target_claims(frame, "after") + (target_claims(frame, "as printed") if result.arm else [])
    return saying(target_words(result, result.fresh, frame), claims)


def changed_for(result: ChangeSet, frame: pl.DataFrame) -> pl.DataFrame:
    """Return the rows for which something was changed."""
    names = {step.name for step in result.steps if step.outcome == "kept"}
    return frame.filter(pl.col("name").is_in(names | (set(result.goal.names) if result.goal.together else set())))


def is_backed(result: ChangeSet, frame: pl.DataFrame) -> bool:
    """Whether other deals show that a row with a change was off as printed and that one moves."""
    rows = changed_for(result, frame)
    moved = (pl.col("low") > 0) | (pl.col("high") < 0)
    off = (pl.col("before_low") > 0) | (pl.col("before_high") < 0)
    return bool(rows.select(moved.any()).item() and rows.select(off.any()).item())


def proposal_words(result: ChangeSet, frame: pl.DataFrame) -> str:
    """Name the changes; say so if other deals do not show that they help."""
    near = margin_words(result.goal.margin)
    if result.arm:
        what = f"{counted(len(result.arm), 'printed number')}: {'; '.join(arm_words((one,)) for one in result.arm)}"
        if is_backed(result, frame):
            return f"Change {what}."
        return f"The search proposes to change {what}. Fresh deals do not confirm that this helps."
    if result.stuck:
        stay = "stays" if len(result.stuck) == 1 else "stay"
        return f"No printed change was found that helps: {some(list(result.stuck))} {stay} beyond {near}."
    if np.isnan(result.searched.low).all():
        return "Nothing can be said: the games are too few for any interval. Play more (--games)."
    return f"No change is shown to be needed: nothing is confirmed beyond {near} as printed."


def target_words(result: ChangeSet, sample: BeforeAndAfter, frame: pl.DataFrame) -> str:
    """Say how many targets are within the margin, before and after."""
    of = counted(frame.height, result.plan.game.faction_title if result.goal.fair else "target")
    deals = f"{counted(sample.games, 'game')} of each, seed {sample.seed}"
    after = states_words(frame["state"].to_list(), result.goal.margin)
    if not result.arm:
        return f"Of {of}, on fresh deals ({deals}), {after}."
    before = states_words(frame["state_before"].to_list(), result.goal.margin)
    return f"Of {of}, on fresh deals ({deals}), {after}; as printed {before}."


def states_words(states: list[str], margin: float) -> str:
    """Count states: '12 confirmed within 2 points, 1 undecided and 1 confirmed off'."""
    inside, outside, open_ones = (states.count(state) for state in ("within", "out", "undecided"))
    unknown = states.count("not known")
    statements = [f"{count(inside)} confirmed within {margin_words(margin)}"]
    statements += [f"{count(open_ones)} undecided"] if open_ones else []
    statements += [f"{count(outside)} confirmed off"] if outside else []
    statements += [f"{count(unknown)} in too few games for an interval"] if unknown else []
    return listed(statements)


def moved_words(result: ChangeSet, frame: pl.DataFrame) -> list[Said]:
    """Say where the targets end for which something was changed."""
    rows = [row for row in changed_for(result, frame).to_dicts() if row["edge"] is not None]
    if not rows or not result.arm:
        return []
    ends = [f"{row['name']} from {points(row['before'])} to {edge_words(row)}" for row in rows]
    idle = [row["name"] for row in rows if row["low"] is not None and row["low"] <= 0 <= row["high"]]
    claims = [claim for row in rows for claim in left_claims(f"{row['name']}, after", row, ROWS_FAMILY)]
    statements = [saying(f"{'Edges' if result.goal.fair else 'Distances'} on these deals: {'; '.join(ends)}.", claims)]
    return statements + ([(f"Not confirmed to move on fresh deals: {listed(idle)}.", ())] if idle else [])


def left_words(result: ChangeSet, frame: pl.DataFrame) -> list[Said]:
    """Say which targets remain off and why, and how many games would settle the open ones."""
    rows = frame.to_dicts()
    statements: list[Said] = [
        saying(
            f"{name} remains off ({edge_words(row)}): {remaining_reason(result, name)}.",
            target_claims(frame.filter(pl.col("name") == name), "after"),
        )
        for row in rows
        if row["state"] == "out" and (name := row["name"])
    ]
    open_names = [row["name"] for row in rows if row["state"] in ("undecided", "not known")]
    quiet = [name for name in result.stuck if name in open_names]
    statements += [(f"The search gave up on {name}: {result.stuck[name]}.", ()) for name in quiet]
    open_rows = [row for row in rows if row["state"] == "undecided"]
    needed = {row["name"]: games_to_resolve(row, result.goal.margin, result.fresh.games) for row in open_rows}
    known = sorted(number for number in needed.values() if number is not None)
    if open_rows:
        far = sum(abs(row["edge"]) > result.goal.margin for row in open_rows)
        beyond = f" ({far} of them observed beyond the margin)" if far else ""
        most = known[len(known) // 2] if known else 0
        more = f"; for half of them {games_words(most)}" if known else ""
        claims = tell_claims(
            (f"{name}, after" for name, of in needed.items() if of is not None and of <= most), most or None
        )
        text = f"Undecided: {some([row['name'] for row in open_rows])}{beyond}{more}."
        statements.append(saying(text, claims))
    return statements


def others_words(result: ChangeSet) -> list[Said]:
    """Say which factions without a target the changes move most."""
    if result.others is None or not result.arm:
        return []
    goal, sample = result.others
    change = sample.after.change
    if not np.isfinite(change).any():
        return []
    moved, claims = [], []
    for verb, place in (("gains", int(np.nanargmax(change))), ("loses", int(np.nanargmin(change)))):
        if (change[place] > 0) != (verb == "gains"):
            continue
        low, high = sample.after.change_low[place], sample.after.change_high[place]
        row = {"edge": float(change[place]), "edge_low": float(low), "edge_high": float(high)}
        doubt = ", which may be chance" if low <= 0 <= high else ""
        moved.append(f"{goal.names[place]} {verb} most ({edge_words(row)}{doubt})")
        if np.isfinite(low):
            claims.append(Claim("change", goal.names[place], row["edge"], float(low), float(high), ROWS_FAMILY, ""))
    nouns = counted(len(goal.names), f"other {result.plan.game.faction_title}")
    if not moved:
        return []
    return [saying(f"Of {nouns}, {' and '.join(moved)}; no target was set for them.", claims)]


def remaining_reason(result: ChangeSet, name: str) -> str:
    """Return the reason why a target is still off."""
    if name in result.stuck:
        return result.stuck[name]
    place = result.goal.names.index(name)
    searched, margin = float(result.searched.off[place]), result.goal.margin
    if abs(searched) <= margin:
        return f"on the deals of the search it was within the margin ({points(searched)}); play more games (--games)"
    return f"on the deals of the search it was {points(searched)}, but not confirmed off; play more games (--games)"


def top_words(result: ChangeSet, top: BeforeAndAfter) -> list[Said]:
    """Say what a sample with the game's best players shows, and how precise it is."""
    frame, margin = target_frame(result, top), result.goal.margin
    states = frame["state"].to_list()
    where = f"With {top.players} in all seats ({counted(top.games, 'game')} of each)"
    stand = states_words(states, margin)
    halves = ((frame["edge_high"] - frame["edge_low"]) / 2).drop_nulls().to_numpy()
    if not len(halves):
        return [(f"{where}: too few games for any interval.", ())]
    typical = float(np.median(halves))
    needed = round_up(math.ceil(top.games * (typical / margin) ** 2))
    few = typical > margin
    small = (
        f" Too small a sample to tell: intervals typically reach {100 * typical:.1f} points to either side, and for "
        f"{margin_words(margin)} it takes about {count(needed)} games of each (--top-games)."
    )
    statements = [saying(f"{where}: {stand}.{small if few else ''}", target_claims(frame, "with the best players"))]
    off = frame.filter(pl.col("state") == "out")
    named = some([f"{row['name']} ({edge_words(row)})" for row in off.to_dicts()]) if off.height else ""
    return statements + ([saying(f"Off there: {named}.", target_claims(off, "with the best players"))] if named else [])


def patch_of_set(result: ChangeSet) -> str:
    """Return a file of changes for `--change @FILE`: TOML with one list, `changes`."""
    goal, frame = result.goal, target_frame(result, result.fresh)
    whom = "the target" if not goal.fair else listed(list(goal.names)) if goal.together else "all"
    reached = (frame["state"] == "within").all()
    brings = f"what brings {whom} within" if reached else f"what a search found to bring {whom} nearer to"
    lines = [f"# {result.plan.game.title}: {brings} {margin_words(goal.margin)} under these players."]
    lines += [
        f"# {sentence}" for sentence in (proposal_words(result, frame), target_words(result, result.fresh, frame))
    ]
    for row in frame.to_dicts():
        if row["edge"] is not None and row["before"] is not None:
            lines.append(f"# {row['name']}: {points(row['before'])} to {edge_words(row)} ({row['state_words']})")
    return patch_file(lines, arm_changes(result.arm))
