"""Reports a sequential comparison of two arms: its answers in words and as a table."""

from __future__ import annotations

import math
from functools import partial
from typing import Any

import numpy as np
import polars as pl

from reports.claims import Claim, Said, saying, split_claims
from reports.drawing import COLOURS, FAINT, INK, NARROW, NEUTRAL, Axes, signed, styled, styled_axes, value_beside
from reports.formatting import count, counted, lessons_words, margin_words, points, some, typeset
from reports.model import Column, Listing, Picture, Section
from reports.statistics.core.sprt import always_valid_reach, answer_word
from reports.statistics.core.win_rate import known
from reports.studies.compare.sprt import DifferenceRule

MIN_DIFFERENCE = 1e-6
"""Smallest true difference at which the claim that a row differs is true. With a limit of 0, equal arms would pass."""


def difference_section(rule: DifferenceRule, most: int) -> Section:
    """Return the section on a sequential comparison that `play_in_step` has played.

    `most` is the maximum number of games of each arm.
    """
    order = {"more": 0, "less": 1, "open": 2, "same": 3}
    frame = difference_frame(rule)
    frame = frame.sort(frame["answer"].replace_strict(order, return_dtype=pl.Int64), maintain_order=True)
    games, effect, rows = rule.blocks * rule.plan.block_games, margin_words(rule.effect), frame.to_dicts()
    parts: list[Said] = []
    for answer, words in (("more", "wins more in the second arm"), ("less", "wins less in the second arm")):
        result = [row for row in rows if row["answer"] == answer]
        named = ", ".join(f"{row['level']} ({points(row['change'])} points)" for row in result)
        text = f"{named} {words if len(result) == 1 else words.replace('wins', 'win')}."
        parts += [saying(text, answer_claims(rule, result))] if result else []
    same = [row for row in rows if row["answer"] == "same"]
    unsure = [row["level"] for row in rows if row["answer"] == "open"]
    if same:
        named = ", ".join(row["level"] for row in same)
        parts.append(saying(f"No difference of {effect}: {named}.", answer_claims(rule, same)))
    answers, claims = split_claims(parts)
    statements = list(answers)
    if any(max(-row["low"], row["high"]) > rule.effect for row in same):
        statements.append(
            f"The test can confirm that a difference is smaller than {effect} before its size is known: the interval "
            "in the table holds for all rows at every look at once, so it is wider."
        )
    if unsure:
        statements.append(f"Undecided after {counted(games, 'game')}: {some(unsure)}. More games may decide.")
    stop = "Stopped" if rule.enough is not None else "Ended with rows undecided"
    statements.append(
        f"{stop} after {counted(games, 'game')} of each arm ({counted(rule.blocks, 'block')}) of {count(most)}."
    )
    statements += lessons_words(rule.plan.changes)
    reading = (
        f"If nothing differs, any row is called different in at most {100 * rule.alpha:g} % of such tests; a "
        f"difference of {effect} is missed in at most {100 * rule.beta:g} %. A smaller difference may be found or not. "
        "The intervals hold however early the test has stopped, and are wider for it than those of a run of fixed size."
    )
    limits = f"{100 * (1 - rule.alpha):g} % for all rows"
    change = "win rate in the second arm minus the first, in points"
    columns = (
        Column("level", "row", "text"),
        Column("answer", "answer", "text", meaning="more, less or the same number of wins in the second arm"),
        Column("change", "change", "edge", "low", "high", change, limits=limits),
        Column("decided", "games", "count", meaning="games of each arm after which the row was decided"),
    )
    listing = Listing("sequential", "Answers", frame, columns)
    drawn = Picture("sequential", partial(draw_changes, frame, rule.effect), "Change of each row, with its interval.")
    return Section("sequential", "Which rows differ?", tuple(statements), (listing,), (drawn,), reading, claims=claims)


@styled
def draw_changes(frame: pl.DataFrame, effect: float, ax: Axes | None = None) -> Axes:
    """Draw the change of each row with its interval. The band is the effect that the test looks for."""
    rows = frame.filter(pl.col("change").is_not_nan()).to_dicts()
    ax = styled_axes(ax, NARROW, 1.2 + 0.3 * len(rows))
    ax.axvspan(-100 * effect, 100 * effect, color=FAINT, alpha=0.55, lw=0)
    ax.axvline(0, color=INK, lw=1, ls=(0, (4, 3)))
    for place, row in enumerate(rows):
        colour = COLOURS.get({"more": "strong", "less": "weak"}.get(row["answer"], ""), NEUTRAL)
        if row["low"] is not None and math.isfinite(row["low"]):
            ax.hlines(place, 100 * row["low"], 100 * row["high"], colour, lw=2)
        ax.plot(100 * row["change"], place, "o", ms=5, color=colour)
        value_beside(ax, place, typeset(f"{points(row['change'])} {row['answer']}"), colour)
    ax.set_yticks(range(len(rows)), [row["level"] for row in rows])
    ax.set_ylim(len(rows) - 0.4, -0.6)
    ax.grid(axis="x", color=FAINT, lw=0.8)
    ax.xaxis.set_major_formatter(signed)
    said = f"change of the win rate, points; band: {margin_words(effect)} either way"
    ax.set_xlabel(said, fontsize=9, color=NEUTRAL)
    return ax


def answer_claims(rule: DifferenceRule, rows: list[dict[str, Any]]) -> list[Claim]:
    """Return a claim for each row: it wins more or less in the second arm, or differs by less than the effect."""
    limits = {"more": (MIN_DIFFERENCE, None), "less": (None, -MIN_DIFFERENCE), "same": (-rule.effect, rule.effect)}
    family = f"{counted(len(rule.state), 'row')} that were watched, at every look"
    kinds = {"more": "differs between arms", "less": "differs between arms", "same": "no such difference"}
    return [
        Claim(kinds[row["answer"]], row["level"], row["change"], *limits[row["answer"]], family, "") for row in rows
    ]


def difference_frame(rule: DifferenceRule) -> pl.DataFrame:
    """Return the watched rows: `table`, `level`, `answer`, `change`, `low`, `high`, `decided`, `note`.

    `decided` is the number of games after which a row got its answer.
    """
    estimate, variance = rule.estimates() if rule.blocks else (np.full(len(rule.state), np.nan),) * 2
    reach = always_valid_reach(variance, rule.effect, rule.alpha / len(rule.state))
    limits = {"low": np.maximum(estimate - reach, -1), "high": np.minimum(estimate + reach, 1)}
    return pl.DataFrame([
        pl.Series("table", [table for table, _ in rule.names]),
        pl.Series("level", [name for _, name in rule.names]),
        pl.Series("answer", [answer_word(int(state)) for state in rule.state]),
        *known({"change": estimate} | limits),
        pl.Series("decided", rule.decided * rule.plan.block_games).replace(0, None),
        pl.Series("note", ["too few blocks" if unknown else "" for unknown in np.isnan(reach)]),
    ])  # fmt: skip
