"""Reports searches for changes: sentences, tables, figures, and files of changes."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl

from reports.claims import Claim, Said, saying, split_claims, unclaimed
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
from reports.model import Column, Listing, Picture, Section
from reports.sections.compare.before_after import Moved, before_after
from reports.statistics.core.crossing import Crossing
from reports.statistics.core.decisions import PROMISED
from reports.statistics.core.win_rate import family_probability
from reports.statistics.distributions import normal_isf, normal_ppf
from reports.studies.search.engine import LEFT_ALPHA, QUICK, REMOVES, SURPRISING, BeforeAndAfter, Found, OneFaction
from reports.studies.search.goals import State, games_to_separate, state_of
from reports.studies.search.parameters import reading_sentences
from reports.studies.search.space import arm_changes, arm_words
from reports.studies.search.successive_halving import Gain
from sim.data.changes import with_later

STATES: dict[State, str] = {
    "within": "fair", "undecided": "undecided", "out": "off", "not known": "not known",
}  # fmt: skip
LIMITS = "limits, see note"
MAX_HINTS = 3
SMALLEST_CHANGE = 1e-9
"""A change of a share below this is a rounding error, as for a faction that never meets the changed one."""
ROWS_FAMILY = "all that is said of all rows, as printed and with the changes"
STEP_OUTCOMES = {
    "kept": "kept", "needless": "left out: not needed at the end",
    "harmful": "left out: moves others as far out of balance",
    "replaced": "changed again later",
}  # fmt: skip
READING = (
    "The search played the deals of one seed; {tables} from fresh deals. 'before' and 'left' are win rates minus the "
    "target, in points. 'fair' means that the whole interval lies within the margin, 'off' that it lies outside, and "
    "'undecided' that it crosses the border, so that more games are needed. "
)
SEVERAL_READING = "The search adds changes step by step and finds a small set that works; another set may work as well."
ONE_READING = (
    "The search chose the change in the first row before any fresh deal was played. In 19 of 20 searches all "
    "limits of this row hold together. Those of 'takes away' do not count among them: they hold by themselves, in "
    "39 of 40. The others are runners-up, each with a 95 % interval of its own. The smallest change that may be "
    "fair ranks first. Changes that remove an effect, that go in a surprising direction, or that work only "
    "because fewer players take the component rank lower. Fractions are hints: they cannot be printed."
)
EDGE_COLUMN = Column("edge", "edge left", "edge", "edge_low", "edge_high", "win rate minus fair share after the change")
WORTH_COLUMN = Column(
    "worth", "takes away", "edge", "low", "high", "win rate before minus win rate after the change", further=True
)


# ---- Sections ----


def search_sections(result: Found) -> tuple[Section, ...]:
    """Report which changes of printed numbers bring all targets within the margin."""
    sentences, claims = split_claims(search_statements(result))
    if result.one is not None:
        title, tables, more = f"What to change on {result.one.name}", "the first table is", ONE_READING
        listings = one_listings(result, result.one)
        frame = result.one.frame.with_columns(name=pl.col("change"), before=pl.lit(float(result.fresh.before.off[0])))
        pictures = moved_pictures(frame, result.goal.margin, "before and after", sentences[0])
    else:
        whom = listed(list(result.goal.names)) if result.goal.together else "all"
        title = f"What to change so that {whom} are fair" if result.goal.fair else "What to change to reach the target"
        tables, more = "both tables are", SEVERAL_READING
        listings = [changes_listing(result), target_listing(result, result.fresh, "standing", "On fresh deals")]
        pictures = set_pictures(result, result.fresh, "before and after", sentences[0])
    if result.top is not None:
        said = f"With {result.top.players} in all seats"
        named = f"{said}, {counted(result.top.games, 'game')} of each version"
        listings.append(target_listing(result, result.top, "top", named))
        pictures += set_pictures(result, result.top, "before and after top", f"{said}.")
    if result.one is None or len(result.steps) > 1:
        listings.insert(3 if result.one is None else 1, steps_listing(result))
    reading = READING.format(tables=tables) + more
    return (Section("changes", title, sentences, tuple(listings), pictures, reading, claims=claims),)


def one_listings(result: Found, one: OneFaction) -> list[Listing]:
    """Return the tables of a search for one faction: changes on fresh deals, and all values of the first step."""
    columns = (
        Column("change", "change", "text"),
        Column("fair", "fair", "text", meaning="whether the whole interval of the edge left lies within the margin"),
        EDGE_COLUMN, Column("note", "note", "text"), WORTH_COLUMN,
        Column("used", "in play", "share", meaning="share of its seats that have the component", further=True),
        Column("used_after", "after", "share", meaning="the same after the change", further=True),
        Column("moved", "others: most", "text", meaning="other row whose win rate changes most clearly", further=True),
        Column("moved_by", "by", "edge", "moved_low", "moved_high", "limits allow for the choice among all others",
               further=True),
        Column("rounds", "rounds", "number", "rounds_low", "rounds_high", "change in the length of a game",
               further=True),
        Column("text", "as a change", "text", further=True),
    )  # fmt: skip
    noted = tuple(replace(column, limits=LIMITS) for column in columns)
    frame = one.frame.with_columns(pl.col("state").replace_strict(STATES, return_dtype=pl.String).alias("fair"))
    note = f"fair: the whole interval lies within the margin that you asked for (±{margin_words(result.goal.margin)})."
    tried = Listing(
        "tried", "All values tried", one.tried,
        (Column("change", "change", "text"), EDGE_COLUMN, WORTH_COLUMN, Column("games", "games", "count", further=True),
         Column("text", "as a change", "text", further=True)),
        folded=True,
    )  # fmt: skip
    title = f"Changes that come nearest, on fresh deals (seed {result.fresh.seed})"
    return [Listing("changes", title, frame, noted, note=note), tried]


def set_pictures(result: Found, sample: BeforeAndAfter, name: str, said: str) -> tuple[Picture, ...]:
    """Return the figure of all targets before and after the changes, in one sample of games.

    `name` is the name of the figure, and `said` begins its alternative text.
    """
    frame = target_frame(result, sample).drop_nulls(["before", "edge"])
    what = "edge" if result.goal.fair else "share minus the share that is wanted"
    return moved_pictures(frame, result.goal.margin, name, said, what)


def moved_pictures(frame: pl.DataFrame, margin: float, name: str, said: str, what: str = "edge") -> tuple[Picture, ...]:
    """Return the figure of all rows before and after (columns `before` and `edge`). Empty if there are no rows.

    `said` begins its alternative text, and `what` names the values on the axis.
    """
    columns = ("name", "before", "edge", "edge_low", "edge_high", "state")
    rows = [Moved(*row) for row in frame.select(columns).rows()]
    return before_after(name, rows, margin, said, what) if rows else ()


def target_frame(result: Found, sample: BeforeAndAfter) -> pl.DataFrame:
    """Return one row per target in a sample of games: values before and after the changes, with limits and states.

    The columns are `name`, `wanted` (the target), `before`, `edge` (after the changes) and `change`, with limits.
    `state_before` and `state` are the states before and after the changes.
    """
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


def target_listing(result: Found, sample: BeforeAndAfter, name: str, title: str) -> Listing:
    """Return the table of all targets before and after the changes."""
    noun = result.plan.game.faction_title if result.goal.fair else "wanted"
    target = () if result.goal.fair else (Column("wanted", "share", "share", meaning="the share that is wanted"),)
    columns = (
        Column("name", noun, "text"),
        *target,
        Column("before", "before", "edge", meaning=as_before(result.base)),
        Column("edge", "left", "edge", "edge_low", "edge_high", "after the changes", limits=LIMITS),
        Column("state_words", "fair" if result.goal.fair else "there", "text", meaning="after the changes"),
        Column("state_before_words", as_before(result.base), "text", further=True),
        Column("change", "change", "edge", "low", "high", "of the share, paired by deal", True, LIMITS),
    )
    note = "In 19 of 20 searches all limits of what is left hold together; those of 'change' hold in 39 of 40."
    title = f"{title} (seed {sample.seed})"
    return Listing(name, title, target_frame(result, sample), columns, note=note, whole=True)


def changes_listing(result: Found) -> Listing:
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


def steps_listing(result: Found) -> Listing:
    """Return the table of search steps."""
    rows = [
        {"step": number, "name": step.name, "off": step.off, "change": arm_words(step.gain.arm),
         "expected": step.gain.off, "note": gain_note(step.gain),
         "outcome": STEP_OUTCOMES[step.outcome]}
        for number, step in enumerate(result.steps, start=1)
    ]  # fmt: skip
    schema = {"step": pl.Int64, "name": pl.String, "off": pl.Float64, "change": pl.String, "expected": pl.Float64,
              "note": pl.String, "outcome": pl.String}  # fmt: skip
    columns = (
        Column("step", "step", "count"), Column("name", "farthest off", "text"), Column("off", "by", "edge"),
        Column("change", "change", "text"),
        Column("expected", "leaves", "edge", meaning="edge left on the deals of the search"),
        Column("note", "note", "text"), Column("outcome", "outcome", "text"),
    )  # fmt: skip
    return Listing("way", "Steps of the search", pl.DataFrame(rows, schema=schema), columns, folded=True)


def gain_note(gain: Gain) -> str:
    """Return the caveats on a change, separated by semicolons. Empty if there are none."""
    notes = {SURPRISING: gain.surprising, "works because fewer have it": gain.fewer, REMOVES: gain.removes}
    return "; ".join(note for note, holds in notes.items() if holds)


# ---- Sentences ----


def search_statements(result: Found) -> list[Said]:
    """Return the sentences with their claims, the most important first."""
    frame = target_frame(result, result.fresh)
    one, plan = result.one, result.plan
    statements = [(proposal_words(result, frame), ()), target_statement(result, frame)] if one is None else (
        one_statements(result, one, frame.row(0, named=True))
    )  # fmt: skip
    statements += moved_words(result, frame) if one is None else []
    statements += [(f"{capital(arm_words(step.gain.arm))}: {note}.", ()) for step in result.steps
             if step.outcome == "kept" and (note := gain_note(step.gain))]  # fmt: skip
    statements += left_words(result, frame) if one is None else []
    statements += others_words(result)
    if one is not None:
        statements += further_words(result, one, frame.row(0, named=True))
    if result.top is not None:
        statements += top_words(result, result.top)
    needless = sum(step.outcome == "needless" for step in result.steps)
    dropped = f"; {counted(needless, 'step')} came out as not needed" if needless else ""
    what = "values and sets" if one is None else f"values and sets of {counted(one.turned, 'number')}"
    statements.append((
        f"The search played {count(result.arms)} {what}, {counted(result.played, 'game')} in all, on the "
        f"deals of seed {plan.seed}{dropped}.", ()
    ))  # fmt: skip
    if one is not None:
        statements += unclaimed([*quick_words(result, one),
                                 *reading_sentences(plan.game, plan.data.settings, one.tried["text"])])  # fmt: skip
    return statements + unclaimed([*base_changes_words(result.base), *lessons_words(plan.changes), *result.players])


def one_statements(result: Found, one: OneFaction, row: dict[str, Any]) -> list[Said]:
    """Say what the chosen change does for one faction, and how certain that is."""
    statements: list[Said] = []
    if not is_due(row):
        within = row["state_before"] == "within"
        how = f"is fair within {margin_words(result.goal.margin)}" if within else "may be fair"
        shown = "no change is needed" if within else (
            f"{counted(result.fresh.games, 'game')} do not show that a change is needed"
        )  # fmt: skip
        text = f"On fresh deals {one.name} {how} {as_before(result.base)}: {shown}."
        frame = pl.DataFrame([row])
        statements.append(saying(text, target_claims(frame, "as printed")))
    if not result.arm:
        reason = "".join(f" ({why})" for why in result.stuck.values())
        return [*statements, (f"No printed change of {one.name} was found to reduce its edge{reason}.", ())]
    change = arm_words(result.arm)
    claims = left_claims(f"{one.name}, after", row, ROWS_FAMILY)
    ends = f"from {points(row['before'])} to {edge_words(row)}"
    needed = games_to_resolve(row, result.goal.margin, result.fresh.games)
    sure: Said = saying(f"{told_words(row, result.goal.margin, needed)}.", tell_claims([f"{one.name}, after"], needed))
    if is_confirmed(result):
        return [*statements, saying(f"To take the edge of {one.name} {ends}, change {change}.", claims), sure]
    if statements:
        return [*statements, saying(f"Of the changes, {change} came first: the edge goes {ends}.", claims)]
    if is_backed(result, pl.DataFrame([row])):
        tried = "single change or pair" if result.rule == QUICK else "set of changes"
        text = f"No {tried} was found that makes {one.name} fair. The nearest takes its edge {ends}: {change}."
        if any(step.outcome == "kept" and step.gain.near for step in result.steps):
            text = f"No change is confirmed: {change} did best, but on fresh deals the edge of {one.name} goes {ends}."
        return [saying(text, claims)]
    text = f"The search proposes {change}, but fresh deals do not confirm that this helps: the edge goes {ends}."
    return [saying(text, claims), sure]


def is_due(row: dict[str, Any]) -> bool:
    """Tell whether fresh deals show that a target is off in the game before the changes."""
    return row["state_before"] != "within" and is_off(row, "before")


def is_off(row: dict[str, Any], name: str) -> bool:
    """Tell whether the interval of a value is known and excludes 0."""
    low, high = row[f"{name}_low"], row[f"{name}_high"]
    return low is not None and not low <= 0 <= high


def told_words(row: dict[str, Any], margin: float, needed: int | None) -> str:
    """Say what is confirmed about the remaining edge in `row`: 'This is fair within 2 points'.

    `needed` is the number of games that would decide an undecided row, or None.
    """
    near = margin_words(margin)
    if row["state"] != "undecided":
        return {
            "within": f"This is fair within {near}", "out": f"This is more than {near} from fair",
            "not known": "These are too few games for an interval",
        }[row["state"]]  # fmt: skip
    most = max(abs(row["edge_low"]), abs(row["edge_high"]))
    more = "" if needed is None else f"; {games_words(needed)}"
    return f"Whether that is fair within {near} is undecided: up to {100 * most:.1f} points may be left{more}"


def further_words(result: Found, one: OneFaction, row: dict[str, Any]) -> list[Said]:
    """Say how the length of a game changes, which other changes may be fair, and what the edge is as printed."""
    statements: list[Said] = []
    first, *others = one.frame.to_dicts() if result.arm else [{}, *one.frame.to_dicts()]
    if first and is_off(first, "rounds") and abs(first["rounds"]) >= 0.01:
        limits = first["rounds"], first["rounds_low"], first["rounds_high"]
        claim = Claim("length of a game", "rounds of a game", *limits, ROWS_FAMILY, "")
        text = f"A game is {abs(first['rounds']):.2f} rounds {'longer' if first['rounds'] > 0 else 'shorter'}."
        statements.append(saying(text, [claim]))
    near = [f"{other['change']} ({points(other['edge'])}{'; ' * bool(other['note'])}{other['note']})"
            for other in others if other["open"]]  # fmt: skip
    if near:
        statements.append((f"Runners-up that may be fair, with the edge that they leave: {some(near)}.", ()))
    if one.coarse and (len(result.arm) > 1 or not is_confirmed(result)):
        statements.append((f"On the deals of the search {'; '.join(one.coarse[:MAX_HINTS])}.", ()))
    elif one.hints:
        hints = "; ".join(one.hints[:MAX_HINTS])
        text = f"On the deals of the search, exactly fair values lie between printable ones: {hints}."
        statements.append((text, ()))
    printed = {"edge": row["before"], "edge_low": row["before_low"], "edge_high": row["before_high"]}
    claims = left_claims(f"{one.name}, as printed", printed, ROWS_FAMILY)
    text = f"{capital(as_before(result.base))} its edge is {edge_words(printed)} ({deals_words(result)})."
    return [*statements, saying(text, claims)]


def quick_words(result: Found, one: OneFaction) -> list[str]:
    """Say what a quick search may have missed. Empty for other searches."""
    if result.rule != QUICK:
        return []
    missed = "" if one.missed is None else (
        f": it finds an effect of {100 * one.missed:.1f} points four times in five, and smaller ones less often"
    )  # fmt: skip
    return [f"This was a quick search{missed}. Its limits are as reliable as those of a refined search, but wider."]


def target_claims(frame: pl.DataFrame, when: str) -> list[Claim]:
    """Return a claim for every row whose state is within the margin or off.

    `when` is "as printed" for the states before the changes. Otherwise, claims are about the states after them.
    """
    state, edge = ("state_before", "before") if when == "as printed" else ("state", "edge")
    kinds = {"within": "within the margin", "out": "out of balance"}
    low, high = f"{edge}_low", f"{edge}_high"
    return [
        Claim(kinds[row[state]], f"{row['name']}, {when}", row[edge], row[low], row[high], ROWS_FAMILY, "")
        for row in frame.to_dicts()
        if row[state] in kinds
    ]


def changed_for(result: Found, frame: pl.DataFrame) -> pl.DataFrame:
    """Return the rows of those targets for which a change was made and kept. With joint targets, these are all rows."""
    names = {step.name for step in result.steps if step.outcome == "kept"}
    return frame.filter(pl.col("name").is_in(names | (set(result.goal.names) if result.goal.together else set())))


def is_backed(result: Found, frame: pl.DataFrame) -> bool:
    """Tell whether fresh deals confirm that a changed row was off as printed, and that the changes move it back."""
    return any(
        is_due(row) and row["low"] is not None and (row["high"] < 0 if row["before"] > 0 else row["low"] > 0)
        for row in changed_for(result, frame).to_dicts()
    )


def confirmed_changes(result: Found) -> list[str]:
    """Return the changes as strings, after those of the base. Empty if fresh deals do not confirm the changes."""
    return [*with_later(result.base, arm_changes(result.arm))] if is_confirmed(result) else []


def is_confirmed(result: Found) -> bool:
    """Tell whether fresh deals show that the changes help.

    For one faction, the remaining edge must also be within the margin, or its interval must contain 0.
    """
    frame = target_frame(result, result.fresh)
    if not result.arm or not is_backed(result, frame):
        return False
    row = frame.row(0, named=True)
    return result.one is None or abs(row["edge"]) <= result.goal.margin or not is_off(row, "edge")


def helps_but_not_enough(result: Found) -> bool:
    """Tell whether fresh deals show that the changes help one faction, but do not make it fair."""
    row = target_frame(result, result.fresh)
    return bool(result.one and result.arm) and is_backed(result, row) and not is_confirmed(result)


def error_left(result: Found) -> float:
    """Return the standard error of the first target's edge after the changes, on fresh deals. NaN without limits."""
    after = result.fresh.after
    return float(after.high[0] - after.low[0]) / (2 * float(normal_isf(LEFT_ALPHA / 2)))


def proposal_words(result: Found, frame: pl.DataFrame) -> str:
    """Name the changes. If fresh deals do not confirm that they help, say so."""
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
    return f"No change is shown to be needed: nothing is confirmed beyond {near} {as_before(result.base)}."


def target_statement(result: Found, frame: pl.DataFrame) -> Said:
    """Say how many targets are within the margin, before and after the changes, with claims."""
    of = counted(frame.height, result.plan.game.faction_title if result.goal.fair else "target")
    after, claims = states_words(frame["state"].to_list(), result.goal.margin), target_claims(frame, "after")
    if result.arm:
        before = states_words(frame["state_before"].to_list(), result.goal.margin)
        after, claims = f"{after}; {as_before(result.base)} {before}", claims + target_claims(frame, "as printed")
    return saying(f"Of {of}, on fresh deals ({deals_words(result)}), {after}.", claims)


def deals_words(result: Found) -> str:
    """Name the fresh deals: '20,000 games of each version, seed 2'."""
    return f"{counted(result.fresh.games, 'game')} of each version, seed {result.fresh.seed}"


def states_words(states: list[str], margin: float) -> str:
    """Count states: '12 confirmed within 2 points, 1 undecided and 1 confirmed off'."""
    inside, outside, open_ones = (states.count(state) for state in ("within", "out", "undecided"))
    unknown = states.count("not known")
    statements = [f"{count(inside)} confirmed within {margin_words(margin)}"]
    statements += [f"{count(open_ones)} undecided"] if open_ones else []
    statements += [f"{count(outside)} confirmed off"] if outside else []
    statements += [f"{count(unknown)} in too few games for an interval"] if unknown else []
    return listed(statements)


def moved_words(result: Found, frame: pl.DataFrame) -> list[Said]:
    """Say how the changes move the targets for which they were made."""
    rows = [row for row in changed_for(result, frame).to_dicts() if row["edge"] is not None]
    if not rows or not result.arm:
        return []
    ends = [f"{row['name']} from {points(row['before'])} to {edge_words(row)}" for row in rows]
    idle = [row["name"] for row in rows if row["low"] is not None and row["low"] <= 0 <= row["high"]]
    claims = [claim for row in rows for claim in left_claims(f"{row['name']}, after", row, ROWS_FAMILY)]
    statements = [saying(f"{'Edges' if result.goal.fair else 'Distances'} on these deals: {'; '.join(ends)}.", claims)]
    return statements + ([(f"Not confirmed to move on fresh deals: {listed(idle)}.", ())] if idle else [])


def left_words(result: Found, frame: pl.DataFrame) -> list[Said]:
    """Say which targets remain off and why, and how many games would decide the undecided ones."""
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


def others_words(result: Found) -> list[Said]:
    """Name the factions without a target whose shares of wins change most: the largest gain and the largest loss."""
    if result.others is None or not result.arm:
        return []
    goal, sample = result.others
    change = sample.after.change
    if not np.isfinite(change).any():
        return []
    moved, claims = [], []
    for verb, sign in (("gains", 1), ("loses", -1)):
        place = int(np.nanargmax(sign * change))
        if sign * change[place] < SMALLEST_CHANGE:
            continue
        edge, low, high = (float(one[place]) for one in (change, sample.after.change_low, sample.after.change_high))
        doubt = ", which may be chance" if low <= 0 <= high else ""
        row = {"edge": edge, "edge_low": low, "edge_high": high}
        moved.append(f"{goal.names[place]} {verb} most ({edge_words(row)}{doubt})")
        claims += [Claim("change", goal.names[place], edge, low, high, ROWS_FAMILY, "")] if np.isfinite(low) else []
    nouns = counted(len(goal.names), f"other {result.plan.game.faction_title}")
    return [saying(f"Of {nouns}, {' and '.join(moved)}; no target was set for them.", claims)] if moved else []


def remaining_reason(result: Found, name: str) -> str:
    """Return the reason why the target `name` is still off after the search."""
    if name in result.stuck:
        return result.stuck[name]
    searched = float(result.searched.off[result.goal.names.index(name)])
    inside = abs(searched) <= result.goal.margin
    was = f"within the margin ({points(searched)})" if inside else f"{points(searched)}, but not confirmed off"
    return f"on the deals of the search it was {was}; play more games (--games)"


def top_words(result: Found, top: BeforeAndAfter) -> list[Said]:
    """Say what a sample with the game's best players shows, and how precise the sample is."""
    frame, margin = target_frame(result, top), result.goal.margin
    states = frame["state"].to_list()
    where = f"With {top.players} in all seats ({counted(top.games, 'game')} of each version)"
    stand = states_words(states, margin)
    halves = ((frame["edge_high"] - frame["edge_low"]) / 2).drop_nulls().to_numpy()
    if not len(halves):
        return [(f"{where}: too few games for any interval.", ())]
    typical, small = float(np.median(halves)), ""
    if typical > margin:
        needed = round_up(math.ceil(top.games * (typical / margin) ** 2))
        small = (
            f" Too small a sample to tell: intervals typically reach {100 * typical:.1f} points to either side, and "
            f"for {margin_words(margin)} it takes about {count(needed)} games of each version (--top-games)."
        )
    statements = [saying(f"{where}: {stand}.{small}", target_claims(frame, "with the best players"))]
    off = frame.filter(pl.col("state") == "out")
    if off.height:
        named = some([f"{row['name']} ({edge_words(row)})" for row in off.to_dicts()])
        statements.append(saying(f"Off there: {named}.", target_claims(off, "with the best players")))
    return statements


# ---- Files of changes ----


def patch_of_changes(result: Found) -> str:
    """Return a file of changes for `--change @FILE`: TOML with one list, `changes`.

    The file is empty if fresh deals do not confirm the changes. If a search for several factions changes nothing, the
    file holds the changes of the base.
    """
    changes = confirmed_changes(result)
    if not changes and (result.arm or result.one is not None):
        return ""
    changes = changes or list(result.base)
    goal, frame = result.goal, target_frame(result, result.fresh)
    whom = "the target" if not goal.fair else listed(list(goal.names)) if goal.together or goal.one else "all"
    reached = (frame["state"] == "within").all()
    brings = f"what brings {whom} within" if reached else f"what a search found to bring {whom} nearer to"
    lines = [f"# {result.plan.game.title}: {brings} {margin_words(goal.margin)} under these players."]
    lines += [f"# {text}" for text, _ in search_statements(result)[:2]]
    for row in frame.to_dicts():
        if row["edge"] is not None and row["before"] is not None:
            lines.append(f"# {row['name']}: {points(row['before'])} to {edge_words(row)} ({row['state_words']})")
    others = [] if result.one is None else [
        f"# may be fair: {changes_line(with_later(result.base, row['changes']))} ({row['change']})"
        for row in result.one.frame.to_dicts()
        if row["open"] and row["changes"] != arm_changes(result.arm)
    ]  # fmt: skip
    return patch_file(lines, changes, others)


def patch_file(comments: Sequence[str], changes: Sequence[str], more: Sequence[str] = ()) -> str:
    """Return the text of a file of changes: comments, then the list of changes, then further comments (`more`)."""
    return "\n".join([*comments, changes_line(changes), *more]) + "\n"


def changes_line(changes: Sequence[str]) -> str:
    """Return the line `changes = [...]` of a file of changes."""
    return f"changes = [{', '.join(json.dumps(text, ensure_ascii=False) for text in changes)}]"


# ---- Words and claims of all searches ----


def as_before(base: Sequence[str]) -> str:
    """Name the game from which a search started: 'as printed', or 'as changed' if it has a base."""
    return "as changed" if base else "as printed"


def base_changes_words(base: Sequence[str]) -> list[str]:
    """Say from which changes a search started. Empty if it started from the printed game."""
    return [f"As changed: with the changes from which the search started, {some(base)}."] if base else []


def left_claims(subject: str, row: dict[str, Any], family: str, limits: str = "edge_") -> list[Claim]:
    """Claim that the edge left after a change lies within its limits. No claim without limits.

    The columns of the limits are named `limits` with "low" and "high".
    """
    low, high = row[f"{limits}low"], row[f"{limits}high"]
    return [] if low is None else [Claim("left after a change", subject, row["edge"], low, high, family, "")]


def fair_value_claims(subject: str, crossing: Crossing | None, family: str) -> list[Claim]:
    """Claim that a fair value (`crossing`) lies within its limits. No claim without a value, or without any limit.

    `subject` names the row, and `family` the claims that hold together with this one.
    """
    if crossing is None or (crossing.open_low and crossing.open_high):
        return []
    ends = None if crossing.open_low else crossing.low, None if crossing.open_high else crossing.high
    return [Claim("fair value", subject, crossing.place, *ends, family, "")]


def games_to_resolve(row: dict[str, Any], margin: float, games: int) -> int | None:
    """Estimate how many games of each version would decide a row. None if it is decided, or if no number suffices."""
    if row["edge_low"] is None or state_of(row["edge_low"], row["edge_high"], margin) in ("within", "out"):
        return None
    needed = games_to_separate(row["edge"], row["edge_low"], row["edge_high"], margin, games)
    return None if needed is None else round_up(needed)


def games_of_report(result: Found, row: dict[str, Any], players: int) -> int | None:
    """Estimate how many games a report needs to decide a row of `target_frame`, in the game before the changes.

    The limits of a report hold for all factions at once. A report also judges each row with each player left out. The
    result is None in the same cases as for `games_to_resolve`.
    """
    edge, low, high = (row[name] for name in ("before", "before_low", "before_high"))
    if low is None:
        return None
    wider = float(normal_ppf(family_probability(len(result.plan.factions))) / normal_isf(LEFT_ALPHA / 2))
    limits = {"edge": edge, "edge_low": edge - wider * (edge - low), "edge_high": edge + wider * (high - edge)}
    needed = games_to_resolve(limits, result.goal.margin, result.fresh.games)
    return None if needed is None else round_up(needed * players / max(players - 1, 1))


def tell_claims(subjects: Iterable[str], games: int | None) -> list[Claim]:
    """Return a claim for each row in `subjects`: this number of games decides it. No claims if `games` is None."""
    return [] if games is None else [
        Claim("more games", name, float(games), None, float(games), "one row", "") for name in subjects
    ]  # fmt: skip


def games_words(games: int) -> str:
    """Say that a number of games would decide: 'about 40,000 games of each version would decide (80 % power)'."""
    return f"about {counted(games, 'game')} of each version would decide ({100 * PROMISED:.0f} % power)"
