"""Section on adjusted strength: the effect of seat, faction and strategy when all else is equal."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np
import polars as pl

from reports.claims import Claim, Said, claiming, split_claims
from reports.data.load import Run
from reports.drawing import (
    COLOURS,
    FAINT,
    INK,
    NEUTRAL,
    WIDTH,
    Axes,
    edge_label,
    heading_beside,
    label_rows,
    signed,
    styled,
    styled_axes,
    value_beside,
)
from reports.formatting import (
    capital,
    counted,
    decimals,
    edge_between,
    factors,
    half_width,
    listed,
    percent,
    plural,
    points,
    size,
    typeset,
)
from reports.model import Column, Listing, Picture, Section, limited
from reports.statistics.core.win_rate import ALPHA, family_probability, t_quantile
from reports.statistics.strength.played_tables import CROSSED, FACTORS
from reports.statistics.strength.ratings import Silence, Strengths, fit_strengths

REACH = 0.005
# If half an interval is narrower than this fraction, it would be printed as 0.00 points.
NARROWEST = 0.00005


def strength_section(run: Run, rate: float = ALPHA) -> Section:
    """Return the section on adjusted strength. Tests of strengths and of `order_words` each get half of `rate`."""
    found = fit_strengths(run, rate=rate / 2)
    nouns = factors(run.manifest)
    # In solo games no other reason matters.
    silences = [one for one in found.silences if one.kind == "one player"] or found.silences
    levels = [factor for factor in FACTORS if factor in found.frames]
    family = f"{sum(frame.height for frame in found.frames.values())} rows of adjusted strength"
    parts = [level_words(found, factor, nouns, family) for factor in levels]
    if levels:
        parts += [*adjustment_words(found, levels, nouns), *pair_words(found, family)]
        parts.append(order_words(found, levels, nouns, rate / 2))
    sentences, claims = split_claims(parts)
    if len(found.sizes) > 1 and levels:
        sizes = listed([*found.sizes], "or")
        sentences += (
            f"Table sizes differ ({sizes} players): adjusted and fair shares are means over these sizes, weighted by "
            "how often each row played at that size, as in the unadjusted shares. A strength is assumed to be the "
            "same at every size.",
        )
    listings = [level_listing(found, factor, nouns[factor]) for factor in levels]
    if CROSSED in found.frames:
        listings.append(pair_listing(found, nouns["faction"]))
    pictures = [strength_picture(found, factor, nouns[factor]) for factor in levels if factor != "seat"]
    sentences += tuple(silence_words(silence, nouns) for silence in silences)
    reading = READING if levels else ""
    return Section("strength", "Adjusted strength", sentences, tuple(listings), tuple(pictures), reading, claims=claims)


READING = (
    "Unadjusted win rates mix causes: a row played by strong players looks strong. Here a Plackett-Luce model "
    "adjusts for everything else that differs between seats. For the adjusted edge, the model puts the row into "
    "each seat of the tables that were played and changes nothing else. The edge is how far above its fair share "
    "the row would then win. The two edges differ if some rows met weaker opponents than others."
)


def fair_share_words(frame: pl.DataFrame) -> str:
    """State the fair share of the levels of a factor. State its range if the sizes of tables differ."""
    shares = frame["fair"].drop_nulls().to_numpy()
    low, high = (percent(float(share)) for share in (shares.min(), shares.max()))
    return f"the fair share of {low}" if low == high else f"fair shares of {low} to {high}"


def edge_for_all(row: dict[str, Any]) -> str:
    """Format a row's edge with the limits that hold for all rows. If ± would read 0.00, say so in words."""
    low, high = row["family_low"], row["family_high"]
    if low is not None and high is not None and (high - low) / 2 < NARROWEST:
        return f"{points(row['edge'])} points, exact to 0.01,"
    return edge_between(row["edge"], low, high)


def level_words(found: Strengths, factor: str, nouns: dict[str, str], family: str) -> Said:
    """Name the strongest and the weakest level of a factor, by adjusted strength."""
    frame, noun = found.frames[factor], nouns[factor]
    others = " and ".join(plural(nouns[name]) for name in FACTORS if name != factor and name in found.repeats)
    allowing = f"Adjusted for {others}, " if others else "From finishing orders, "
    flagged = frame.filter(pl.col("flag") != "").to_dicts()
    if not flagged:
        known = frame["edge_low"].is_not_null().any()
        end = f"no {noun} is shown to win more or less than its fair share." if known else f"no {noun} can be judged."
        return f"{allowing}{end}", ()
    ends = [row for row in dict.fromkeys((0, -1)) if flagged[row]["flag"] == ("strong", "weak")[row]]
    said = []
    for row in (flagged[place] for place in ends):
        half = half_width(row) or 0.0
        digits = decimals(half) if half >= NARROWEST else 1
        said.append(f"{row['level']} has an edge of {edge_for_all(row)} (unadjusted {points(row['raw_edge'], digits)})")
    verb = "differs" if len(flagged) == 1 else "differ"
    many = f"{len(flagged)} of {counted(frame.height, noun)} {verb} significantly"
    sentence = f"{allowing}{' and '.join(said)} over {fair_share_words(frame)}; {many}."
    return claiming(sentence, "adjusted strength", flagged, family)


def adjustment_words(found: Strengths, levels: list[str], nouns: dict[str, str]) -> list[Said]:
    """Name the edge that the adjustment changed most."""
    rows = [(factor, row) for factor in levels for row in found.frames[factor].to_dicts()]
    factor, row = max(rows, key=lambda pair: abs(pair[1]["edge"] - pair[1]["raw_edge"]))
    change = abs(row["edge"] - row["raw_edge"])
    if change < REACH:
        widest = size(max(change, 0.0001), 1)
        return [(f"The adjustment changes no observed edge by more than {widest} points: the line-ups are even.", ())]
    said = (
        f"The adjustment changes {level_name(factor, row['level'], nouns)} most: from "
        f"{points(row['raw_edge'])} points unadjusted to {points(row['edge'])}."
    )
    return [(said, ())]


def level_name(factor: str, level: str, nouns: dict[str, str]) -> str:
    """Name a level in a sentence: 'the board Rhodos B', 'seat 2'."""
    return level if factor == "seat" else f"the {nouns[factor]} {level}"


def pair_words(found: Strengths, family: str) -> list[Said]:
    """Name the pair of strategy and faction whose win rate differs most from what its two parts alone predict."""
    if CROSSED not in found.frames:
        return []
    frame = found.frames[CROSSED]
    flagged = frame.filter(pl.col("flag") != "").to_dicts()
    if not flagged:
        none = f"None of {counted(frame.height, 'pair')} wins significantly more or less"
        return [(f"{none} than the two predict separately.", ())]
    row = max(flagged, key=lambda row: abs(row["edge"]))
    half = (row["family_high"] - row["family_low"]) / 2
    digits = decimals(half)
    spread = f" ± {size(half, digits)}" if half >= NARROWEST else ""
    amount = f"{size(abs(row['edge']), digits)}{spread}"
    said = (
        f"{len(flagged)} of {counted(frame.height, 'pair')} win significantly more or less than the two "
        f"predict separately; most of all {row['level']} with {row['level2']}: {amount} points "
        f"{'more' if row['edge'] > 0 else 'less'}."
    )
    pair = "{level} with {level2}"
    return [claiming(said, "adjusted strength", flagged, family, called=lambda row: pair.format(**row))]


def order_words(found: Strengths, levels: list[str], nouns: dict[str, str], rate: float) -> Said:
    """Say whether one strength per level explains first places and lower places equally well.

    If it does, two estimates agree: the win rate predicted from whole finishing orders, and the share of first places.
    The test uses the standard error of the share of first places for their difference. Under this hypothesis, the
    difference varies less than that share (Hausman 1978), so the test is conservative.
    """
    rows = [(factor, row) for factor in levels for row in found.frames[factor].to_dicts() if row["error"]]
    if not rows:
        return "Whether second and lower places agree with wins cannot be judged.", ()
    reach = float(t_quantile(np.array([float(found.blocks)]), family_probability(len(rows), rate))[0])
    gaps = [(factor, row, row["order_predicted"] - row["raw_share"]) for factor, row in rows]
    told_apart = [one for one in gaps if abs(one[2]) > reach * one[1]["error"]]
    factor, row, gap = max(told_apart or gaps, key=lambda one: abs(one[2]))
    half = reach * row["error"]
    name = level_name(factor, row["level"], nouns)
    limits = f"{points(gap)} points, {points(gap - half)} to {points(gap + half)} for all {len(rows)} rows"
    if not told_apart:
        gap_words = f"the largest gap is {points(gap)} points, for {name}"
        return f"Win rates predicted from whole finishing orders agree with the real ones: {gap_words}.", ()
    what = "places better than its wins suggest" if gap > 0 else "wins more often than its ranks suggest"
    said = (
        f"Win rates predicted from whole finishing orders disagree with the real ones: {name} {what}. "
        f"Its ranks predict a win rate of {percent(row['order_predicted'])}; "
        f"it has {percent(row['raw_share'])} ({limits}). "
        "Edges here therefore use first places only; the column 'from ranks' uses all ranks."
    )
    return said, (Claim("lower places", name, gap, gap - half, gap + half, f"{len(rows)} rows", said),)


FROM_RANKS = "edge predicted from whole finishing orders"
P_MEANING = "chance of so large an edge if all were equal, corrected for all rows"
COMMON = (
    limited("edge", "adjusted edge", "edge", "win rate minus fair share at the tables that were played, points"),
    Column("raw_edge", "unadjusted edge", "edge", meaning="win rate minus fair share as counted", further=True),
    Column("order_edge", "from ranks", "edge", "order_low", "order_high", FROM_RANKS, further=True),
    Column("p_holm", "p", "p", meaning=P_MEANING, further=True),
    Column("games", "games", "count", meaning="seat-games", further=True),
    Column("note", "note", "text", meaning="why there is no interval"),
)


def level_listing(found: Strengths, factor: str, noun: str) -> Listing:
    """Return the table of one factor."""
    frame = found.frames[factor]
    fair = Column("fair", "fair", "share", meaning="mean of 1/players over the tables it sat at")
    columns = (
        Column("flag", "", "flag", meaning="strong or weak at the tables that were played"),
        Column("level", noun, "text"),
        Column("win_rate", "wins", "share", "low", "high", "win rate if it took every seat of the run in turn"),
        *([fair] if len(found.sizes) > 1 else []),
        *COMMON,
    )
    swap = "If another seat of the table already has that row, the two seats swap"
    others = "The other seats stay as they were" if found.repeats[factor] else swap
    note = f"The model puts each row into every seat of the run in turn. {others}; all else is unchanged."
    if len(found.sizes) > 1:
        note += f" Each size ({listed([*found.sizes], 'or')} seats) counts as often as the row sat at it."
    if (frame["note"] == "always or never ahead").any():
        always = "The strength of a row that is always or never ahead cannot be measured"
        note += f" {always}; its share shows only a direction."
    return Listing(f"strength {factor}", f"Adjusted strength by {noun}", frame, columns, note=note)


def pair_listing(found: Strengths, noun: str) -> Listing:
    """Return the table of strategy and faction pairs, the largest edges first."""
    frame = found.frames[CROSSED].sort(pl.col("edge").abs(), descending=True, maintain_order=True)
    columns = (
        Column("flag", "", "flag", meaning="wins more or less than the two predict separately"),
        Column("level", "strategy", "text"),
        Column("level2", noun, "text"),
        Column("win_rate", "wins", "share", meaning="win rate if all seats of its strategy had it"),
        Column("expected", "expected", "share", meaning="win rate that the two predict separately"),
        limited("edge", "beyond", "edge", "win rate minus predicted, points"),
        *COMMON[1:],
    )
    title = f"Interaction of strategy and {noun}"
    return Listing("strength strategy x faction", title, frame, columns, folded=True)


def strength_picture(found: Strengths, factor: str, noun: str) -> Picture:
    """Return the figure of the adjusted edges of one factor's levels."""
    frame = found.frames[factor]
    best, worst = (f"{row['level']} {points(row['edge'])}" for row in frame[[0, -1]].to_dicts())
    text = f"Adjusted edge by {noun} in points: highest {best}, lowest {worst}."
    return Picture(f"strength {factor}", partial(draw_strengths, frame), text)


@styled
def draw_strengths(frame: pl.DataFrame, ax: Axes | None = None) -> Axes:
    """Draw the adjusted edge of every level with its 95 % interval. A hollow diamond below it is the plain edge."""
    rows = frame.to_dicts()
    ax = styled_axes(ax, WIDTH, 1.3 + 0.34 * len(rows))
    ax.axvline(0, color=INK, lw=1.1, ls=(0, (4, 3)), zorder=1)
    for place, row in enumerate(rows):
        colour, edge = COLOURS[row["flag"]], 100 * row["edge"]
        if row["edge_low"] is not None:
            limits_ = [100 * row["edge_low"], 100 * row["edge_high"]]
            ax.plot(limits_, [place, place], color=colour, lw=2.2, solid_capstyle="butt")
        ax.plot(edge, place, "o", ms=6, mec=colour, mew=1.5, color=colour if row["flag"] else "white")
        ax.plot(100 * row["raw_edge"], place + 0.3, "D", ms=3.6, mec=NEUTRAL, mew=1.1, color="white")
        half = half_width(row)
        narrow = half is not None and half < NARROWEST
        label = typeset(points(row["edge"])) if narrow else edge_label(row)
        value_beside(ax, place, label, colour)
    heading_beside(ax, "adjusted, points")
    label_rows(ax, [row["level"] for row in rows], 0.3)
    ax.locator_params("x", nbins=7)
    ax.xaxis.set_major_formatter(signed)
    ax.set_xlabel("edge, percentage points", fontsize=9, color=NEUTRAL)
    ax.plot([], [], "o-", color=NEUTRAL, ms=6, lw=2.2, label="adjusted, with 95 % interval")
    ax.plot([], [], "D", ms=3.6, mec=NEUTRAL, mew=1.1, color="white", label="unadjusted")
    ax.legend(loc="lower right", frameon=True, fontsize=8.5, edgecolor=FAINT)
    return ax


def silence_words(silence: Silence, nouns: Mapping[str, str]) -> str:
    """Say why a strength cannot be estimated. `nouns` is from `formatting.factors`."""
    if silence.kind.startswith("pairs: "):
        return pair_silence_words(silence, nouns)
    meant = [nouns.get(factor, factor) for factor in silence.factors]
    number = silence.number
    if silence.kind == "one level":
        return f"Every seat has the same {meant[0]}, {silence.names[0]}, so there is nothing to compare or adjust for."
    if silence.kind == "never meet":
        return f"Not all {plural(meant[0])} can be compared: some never meet others, directly or through third ones."
    if silence.kind == "go together":
        return (
            f"{capital(listed(meant))} are confounded in this run, so their strengths cannot be separated and "
            "are not shown."
        )
    if silence.kind == "too few blocks":
        blocks = counted(number, "block")
        return f"The run has {blocks}: intervals of adjusted strengths need {silence.needed}."
    return {
        "too many cells": (
            f"Strengths are not adjusted: the run has {counted(number, 'combination')} of seats and players, "
            "which is too many."
        ),
        "not converged": f"Strengths are not shown: their fit did not converge in {number} steps.",
        "one player": "Every game has one player, so there are no finishing orders.",
        "nothing differs": "Only luck differs between the seats of this run.",
    }[silence.kind]


def pair_silence_words(silence: Silence, nouns: Mapping[str, str]) -> str:
    """Say why effects of pairs of strategy and faction are estimated for no strategy, or only for some."""
    faction, number = nouns.get("faction", "faction"), silence.number
    if silence.kind == "pairs: left out":
        left = ", ".join(silence.names)
        return f"Interactions with {faction} are not judged for {left}: too few wins or losses."
    why = {
        "pairs: too few wins": "fewer than two strategies win and lose often enough",
        "pairs: too few games": f"a pair of them has {number} games, and {silence.needed} are needed",
        "pairs: too few blocks": f"{counted(number, 'block')} are too few for {silence.needed} effects",
        "pairs: not mixed": "the run does not mix them enough to separate it from other effects",
    }[silence.kind]
    return f"Interactions of strategy and {faction} are not judged: {why}."
