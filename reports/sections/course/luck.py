"""Section on seats and luck: what explains scores, by how much games are won, and who led during the game.

A second section shows how the estimates converged as games were added.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from reports.claims import Said, claiming, unclaimed
from reports.data.games import gather
from reports.data.load import Run, only_one_player
from reports.drawing import (
    FAINT,
    INK,
    NEUTRAL,
    PARTS,
    STRONG,
    WIDTH,
    Axes,
    figure_of,
    label_ends,
    signed,
    styled,
    styled_axes,
)
from reports.formatting import company_of, count, counted, edge_between, listed, number, percent, plural, points
from reports.model import Column, Listing, Picture, Section, said_section
from reports.statistics.core.win_rate import ALPHA, Floats
from reports.statistics.course.convergence import Course, follow_edges, orders, widest_levels
from reports.statistics.course.luck import (
    CLOSE,
    SAME_SCORES,
    UNTOLD,
    LuckSums,
    lead_shares,
    margin_quantiles,
    margin_shares,
    seat_shares,
    variance_shares,
)

if TYPE_CHECKING:
    from matplotlib.patches import PathPatch

SHADES = ("#C4500A", "#E8C33A", "#8C6BB1", "#5B4636", "#0072B2", "#56B4E9", "#D9DEE3")
# Colours of ranks, from the winner to the last. The winner's colour stands out.
RANKS = ("#C4500A", "#8FB3CC", "#B4C7D3", "#CBD5DC", "#D9DEE3", "#E4E8EB", "#ECEFF1")
RANK_WIDTH = 0.04
"""Width of a column of ranks relative to the figure. A label fits into the column."""
LABEL_HEIGHT = 0.22
"""A rank gets a label if its share of all seats, times the number of ranks, is at least this."""
HEADING_LETTER = 0.08
"""Width of a letter of a heading, in inches."""
SHARE_COLUMNS = (
    Column("source", "what", "text"),
    Column("share", "share of score variance", "share", "low", "high", "of the variance of scores"),
    Column("points", "points", "number", meaning="standard deviation in points"),
    Column("note", "note", "text"),
)
MARGIN_COLUMNS = (
    Column("what", "games", "text"),
    Column("share", "share", "share", "low", "high", "share of games"),
    Column("note", "note", "text"),
)
LED = "the later winner had the most points then, alone or tied"
LEAD_COLUMNS = (
    Column("moment", "moment", "text"),
    Column("led", "winner in the lead", "share", "low", "high", LED),
    Column("alone", "in the lead alone", "share", meaning="the later winner had more points then than any other"),
    Column("note", "note", "text"),
)


READING = (
    "The bar splits the variance of scores into parts due to {company}, the deal, and the rest, which "
    "arises within a single game. The part of the deal is larger the more alike different "
    "players score from the same seat of the same deal. Margins are points between first and second place."
)


FURTHER = (
    "`empirelab drama` says when games are decided, how often winners come back and whether a lead grows; `empirelab "
    "ways` says in how many different ways these games were won."
)
"""Commands that answer questions which this section leaves open."""


def luck_section(run: Run, rate: float = ALPHA) -> Section:
    """Return the section on shares of the score's variance, margins of victory, and leads during the game.

    Parameters
    ----------
    run
        From `load_run`. If its manifest has `checkpoints`, they name measures with each seat's score at earlier
        moments, the earliest first. Moments at which every game was over are left out.
    """
    found = gather(run, LuckSums)
    moments, margins, leads = found.moments, found.margins, found.leads
    shares = variance_shares(found.products, found.design)
    close = margin_shares(margins, run.manifest.blocks)
    alone = only_one_player(run.manifest)
    decides = variance_words(shares)
    parts = unclaimed(decides)
    listings = [Listing("luck shares", "What decides the score", shares, SHARE_COLUMNS)]
    if alone:
        parts += unclaimed(["Every game has one player, so there are no seats to compare, no margins and no lead."])
    else:
        parts += [seat_words(seat_shares(margins["seats"], rate)), *unclaimed(margin_sentences(margins, close))]
        listings.append(Listing("luck margins", "How close games are", close, MARGIN_COLUMNS))
    pictures = []
    if shares["share"].is_not_null().any():
        pictures.append(Picture("luck shares", partial(share_bar, shares), decides[0]))
    if margins["counts"].sum() > 0:
        said = "How often each margin between first and second place occurs."
        pictures.append(Picture("luck margins", partial(margin_bars, margins["counts"].sum(axis=0)), said))
    if not moments and not alone:
        parts += unclaimed(["This run recorded no scores before the end, so lead changes are unknown."])
    elif leads["games"].sum() > 0:
        titles = [moment_title(name) for name in moments]
        lead = lead_shares(leads, titles, run.manifest.blocks)
        parts += unclaimed(lead_words(leads, lead))
        listings.append(Listing("luck leads", "Leads during the game", lead, LEAD_COLUMNS))
        said = f"How ranks move from {titles[0]} to the end."
        flows = leads["flows"].sum(axis=0)
        pictures.append(Picture("luck ranks", partial(rank_flows, flows, [*titles, "end"]), said))
    parts += [] if alone else unclaimed([FURTHER])
    reading = READING.format(company=listed(company_of(run.manifest)))
    return said_section("luck", "Seats and luck", parts, listings, pictures, reading)


def moment_title(column: str) -> str:
    """Return the title of a column of scores at a moment: 'after age 1' for 'score_age_1' and for 'after_age_1'."""
    return f"after {column.removeprefix('score_').removeprefix('after_').replace('_', ' ')}"


def variance_words(shares: pl.DataFrame) -> list[str]:
    """Say which factors explain the variance of scores."""
    rows = shares.filter(pl.col("share").is_not_null()).to_dicts()
    if not rows:
        if shares["note"][0] == SAME_SCORES:
            return ["All scores are the same, so there is no variance to explain."]
        return ["One block only: what decides the score cannot be separated from chance."]
    *named, rest = rows
    named.sort(key=lambda row: -row["share"])
    parts = [f"{percent(max(0.0, row['share']))} comes from the {row['source']}" for row in named]
    left = f"the other {percent(max(0.0, rest['share']))} arises within a single game"
    said = [f"Of the variance of scores, {', '.join(parts)}; {left}."]
    if shares.filter(pl.col("note").str.starts_with("part of the rest")).height:
        said.append("No deal is played twice in this run, so the luck of the deal is part of the rest.")
    if shares.filter(pl.col("note") == UNTOLD).height:
        said.append(
            "The luck of the deal cannot be estimated: scores at one seat of one deal are no more alike than "
            "scores of different deals, as if every player used a deal differently. Its effect is part of the "
            "rest."
        )
    return said


def seat_words(shares: pl.DataFrame) -> Said:
    """Name the seat with the largest edge (regardless of sign). Its limits hold for all seats at once."""
    row = max(shares.to_dicts(), key=lambda row: abs(row["edge"]))
    low, high, seat = row["family_low"], row["family_high"], f"seat {row['seat']}"
    said = f"The largest edge of a seat is that of {seat}: "
    if not row["flag"] or not (low > 0 or high < 0):
        return f"{said}{points(row['edge'])} points of win rate, which may be chance.", ()
    said += f"{edge_between(row['edge'], low, high)} of win rate."
    return claiming(said, "out of balance", [row], "all seats", called=lambda _: seat)


def margin_sentences(margins: dict[str, Floats], close: pl.DataFrame) -> list[str]:
    """Say by how much games are won."""
    counts = margins["counts"].sum(axis=0)
    if not counts.sum():
        return ["No game had two seats, so there are no margins."]
    low, middle, high, _ = margin_quantiles(counts)
    mean = float(counts @ (np.arange(len(counts)) - len(counts) // 2) / counts.sum())
    share = dict(close.select("what", "share").rows())
    one, five = (percent(share[f"decided by {margin} or less"]) for margin in ("1 point", "5 points"))
    return [
        f"The mean winning margin is {number(mean)} points; the median is {counted(middle, 'point')}, and half of all "
        f"margins are {low} to {high}.",
        f"{one} of games are decided by one point or less, {five} by five or less; "
        f"{percent(share['shared first place'])} end in a tie for first place.",
    ]


def lead_words(leads: dict[str, Floats], lead: pl.DataFrame) -> list[str]:
    """Say how often the lead changes and when winners led."""
    games, _, changes = leads["games"].sum(axis=0)
    first, *later = [(percent(row["led"], 0), row["moment"]) for row in lead.to_dicts()]
    rest = "".join(f", {share} {moment}" for share, moment in later)
    return [
        f"{first[0]} of winners led {first[1]}{rest}.",
        "Counted at these moments and at the end, the lead changes "
        f"{number(float(changes / games), 2)} times per game.",
    ]


@styled
def share_bar(shares: pl.DataFrame, ax: Axes | None = None) -> Axes:
    """Draw the shares of the score's variance as parts of one bar, with their 95 % intervals."""
    rows = shares.filter(pl.col("share").is_not_null()).with_columns(pl.col("share").clip(lower_bound=0)).to_dicts()
    names = shares["source"].to_list()
    ax = styled_axes(ax, WIDTH, 1.5 + 0.34 * len(rows), "What decides the score")
    left = 0.0
    for place, row in enumerate(rows):
        colour = SHADES[-1 if row["source"] == names[-1] else names.index(row["source"])]
        share = 100 * row["share"]
        ax.barh(0, share, left=left, height=0.8, color=colour, edgecolor="white", lw=1.2)
        ax.barh(place + 1.35, share, left=left, height=0.62, color=colour)
        spread_words = "" if row["low"] is None else f"  ({100 * row['low']:.1f} to {100 * row['high']:.1f})"
        end = left + share
        inside = share > 50
        ax.annotate(f"{row['source']} {percent(row['share'])}{spread_words}",
                    (left if inside else end, place + 1.35), xytext=(6, 0), textcoords="offset points", va="center",
                    fontsize=9, color=INK)  # fmt: skip
        left = end
    ax.set_xlim(0, max(100.0, left))
    ax.set_ylim(len(rows) + 1.0, -0.55)
    ax.set_yticks([])
    ax.xaxis.set_major_formatter(lambda value, _: f"{value:.0f} %")
    ax.set_xlabel("share of score variance (95 % interval)", fontsize=9, color=NEUTRAL)
    return ax


@styled
def margin_bars(counts: Floats, ax: Axes | None = None) -> Axes:
    """Draw how often games are won by each margin between first and second place.

    The middle entry of `counts` is the number of games with margin 0.
    """
    margins = np.arange(len(counts)) - len(counts) // 2
    share = 100 * counts / counts.sum()
    shown = slice(int(np.searchsorted(np.cumsum(share), 0.2)), int(np.searchsorted(np.cumsum(share), 99.5)) + 1)
    middle = margin_quantiles(counts)[1]
    ax = styled_axes(ax, WIDTH, 2.9, "Winning margins")
    close = np.abs(margins[shown]) <= max(CLOSE)
    ax.bar(margins[shown], share[shown], width=0.86, color=np.where(close, STRONG, NEUTRAL))
    ax.axvline(middle, color=INK, lw=1.1, ls=(0, (4, 3)))
    ax.annotate(f"median: {counted(middle, 'point')}", (middle, 1.0), xytext=(6, -4),
                xycoords=ax.get_xaxis_transform(), textcoords="offset points", va="top", fontsize=9)  # fmt: skip
    ax.set_xlabel(f"points between first and second; orange: {max(CLOSE)} or less", fontsize=9, color=NEUTRAL)
    ax.set_ylabel("share of games", fontsize=9, color=NEUTRAL)
    ax.yaxis.set_major_formatter(lambda value, _: f"{value:g} %")
    ax.grid(axis="y", color=FAINT, lw=0.8)
    return ax


@styled
def rank_flows(flows: Floats, titles: Sequence[str], ax: Axes | None = None) -> Axes:
    """Draw how seats move between ranks from moment to moment. The width of a band is its share of seats.

    `flows` counts seats by their rank at a moment and their rank at the next, shape (moments, ranks, ranks). The last
    of `titles` stands for the end of the game.
    """
    from matplotlib.patches import Rectangle

    flows = flows / flows[0].sum()
    heights = [flows[0].sum(axis=1), *(flow.sum(axis=0) for flow in flows)]
    ranks, gap = flows.shape[1], 0.03
    half = RANK_WIDTH * len(flows) / 2
    tops = [np.concatenate([[0], np.cumsum(height + gap)[:-1]]) for height in heights]
    ax = styled_axes(ax, WIDTH, 1.6 + 0.62 * ranks, "How ranks move during the game")
    for step, flow in enumerate(flows):
        leaves, enters = tops[step].copy(), tops[step + 1].copy()
        for source in range(ranks):
            for target in range(ranks):
                width = float(flow[source, target])
                if width > 0:
                    ax.add_patch(
                        band(step, half, leaves[source], enters[target], width, RANKS[min(target, len(RANKS) - 1)])
                    )
                leaves[source] += width
                enters[target] += width
    for place, (height, top) in enumerate(zip(heights, tops, strict=True)):
        for rank in np.flatnonzero(height > 0):
            ax.add_patch(Rectangle((place - half, top[rank]), 2 * half, height[rank], color=INK, lw=0))
            if height[rank] * ranks < LABEL_HEIGHT:
                continue
            ax.text(place, top[rank] + height[rank] / 2, f"{rank + 1}.", color="white", ha="center", va="center",
                    fontsize=9, fontweight="bold" if rank == 0 else "normal")  # fmt: skip
    ax.set_xlim(-1.2 * half, len(flows) + 1.2 * half)
    ax.set_ylim(max(float(top[-1] + height[-1]) for top, height in zip(tops, heights, strict=True)) + 0.02, -0.02)
    letters = int(figure_of(ax).get_figwidth() * ax.get_position().width / HEADING_LETTER / len(titles))
    headings = [title if len(title) <= letters else title.replace(" ", "\n", 1) for title in titles]
    ax.set_xticks(range(len(titles)), headings)
    ax.xaxis.tick_top()
    ax.set_yticks([])
    ax.spines[:].set_visible(False)
    ax.set_xlabel("rank at each moment; width: share of seats; colour: rank it leads to, orange first",
                  fontsize=9, color=NEUTRAL)  # fmt: skip
    return ax


def band(step: int, half: float, start: float, end: float, width: float, colour: str) -> PathPatch:
    """Return the outline of a band of height `width` from the column of ranks at `step` to the next column.

    It rises from height `start` to height `end`. `half` is half a column's width.
    """
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path

    left, right, bend = step + half, step + 1 - half, step + 0.5
    points = [
        (left, start), (bend, start), (bend, end), (right, end), (right, end + width),
        (bend, end + width), (bend, start + width), (left, start + width), (left, start),
    ]  # fmt: skip
    codes = [Path.MOVETO, *[Path.CURVE4] * 3, Path.LINETO, *[Path.CURVE4] * 3, Path.CLOSEPOLY]
    return PathPatch(Path(points, codes), facecolor=colour, edgecolor="white", lw=0.5, alpha=0.85)


ENDS = 3
COLUMNS = (
    Column("level", "level", "text"),
    Column("games", "after games", "count"),
    Column("edge", "edge", "edge", "edge_low", "edge_high", "win rate minus fair share, first games only"),
    Column("note", "note", "text"),
)


COURSE_READING = (
    "Each line is the edge that a shorter run would have reported; the band is its 95 % interval. "
    "Lines that still rise or cross at the right end have not converged. Four times as many games "
    "halve an interval."
)


def convergence_section(run: Run) -> Section:
    """Return the section on convergence.

    It says since which game the order of the first and the last levels has not changed, and how many more games would
    halve the intervals.
    """
    title = "Convergence"
    named = run.seats.collect_schema().get("variant")
    if isinstance(named, pl.Enum):
        said = (
            f"The variants {listed(named.categories.to_list())} are played one after the other, so first and "
            "last games differ and convergence cannot be shown."
        )
        return Section("convergence", title, (said,))
    if isinstance(run.manifest.players, list):
        sizes = listed(run.manifest.players, "or")
        said = (
            f"Tables of {sizes} players are played one size after the other, so first and last games differ and "
            "convergence cannot be shown."
        )
        return Section("convergence", title, (said,))
    courses = [course for course in follow_edges(run) if course.frame["level"].n_unique() > 1]
    if not courses:
        return Section("convergence", title, ("All seats play the same, so there is no edge to follow.",))
    if courses[0].frame["point"].max() == 0:
        said = f"Only {counted(run.manifest.blocks, 'block')}: too few to show convergence."
        return Section("convergence", title, (said,))
    chosen = pl.concat([widest_levels(course) for course in courses])
    sentences = [settled_words(course) for course in courses]
    sentences.append(largest_edge_words(chosen, run.manifest.games))
    listing = Listing("convergence", "Edges after the first games", chosen, COLUMNS, folded=True)
    said = "Edges with intervals after growing numbers of games; " + " ".join(sentences[:1])
    picture = Picture("convergence", partial(course_lines, chosen), said)
    return Section("convergence", title, tuple(sentences), (listing,), (picture,), COURSE_READING)


def settled_words(course: Course) -> str:
    """Say since which game the order of the first three and the last three levels has not changed.

    If there are six levels or fewer, the order of all of them counts. If the order changed in the second half of the
    run, only say so.
    """
    found = orders(course)
    total, final = found[-1]
    few = len(final) <= 2 * ENDS
    since = total
    for games, levels in reversed(found):
        same = levels == final if few else (levels[:ENDS], levels[-ENDS:]) == (final[:ENDS], final[-ENDS:])
        if not same:
            break
        since = games
    what = plural(course.noun) if few else f"first and last three {plural(course.noun)}"
    if since > total / 2:
        return f"The order of the {what} still changed in the second half of the run."
    return f"The order of the {what} has not changed since game {count(since)}."


def largest_edge_words(chosen: pl.DataFrame, games: int) -> str:
    """State the largest edge at the end of the run, and how many more games than `games` would halve the intervals."""
    last = chosen.filter(pl.col("point") == chosen["point"].max()).to_dicts()
    row = max(last, key=lambda row: abs(row["edge"]))
    more = f"{count(3 * games)} more games (four times as many in all) would halve every interval"
    return f"The largest observed edge is {row['level']} with {points(row['edge'])} points; {more}."


@styled
def course_lines(chosen: pl.DataFrame, ax: Axes | None = None) -> Axes:
    """Draw edges after growing numbers of games, with 95 % intervals as bands. Wide bands are cut off."""
    levels = chosen["level"].unique(maintain_order=True).to_list()
    ax = styled_axes(ax, WIDTH, 4.0, "Convergence of the edges")
    ends = []
    for place, level in enumerate(levels):
        part = chosen.filter(pl.col("level") == level)
        known = part.filter(pl.col("edge_low").is_not_null())
        colour = PARTS[place % len(PARTS)]
        low, high = (100 * known[name].to_numpy() for name in ("edge_low", "edge_high"))
        ax.fill_between(known["games"].to_numpy(), low, high, color=colour, alpha=0.16, lw=0)
        ax.plot(part["games"].to_numpy(), 100 * part["edge"].to_numpy(), color=colour, lw=1.8)
        ends.append((100 * float(part["edge"][-1]), level, colour))
    reach = half_height(chosen)
    ax.set_ylim(-reach, reach)
    label_ends(ax, ends)
    ax.axhline(0, color=INK, lw=1.1, ls=(0, (4, 3)))
    ax.set_xscale("log")
    games = chosen["games"].to_numpy()
    ax.set_xlim(games.min(), games.max())
    ax.minorticks_off()
    ax.grid(axis="y", color=FAINT, lw=0.8)
    ax.xaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
    ax.yaxis.set_major_formatter(signed)
    ax.set_xlabel("games played (log scale); band: 95 % interval", fontsize=9, color=NEUTRAL)
    ax.set_ylabel("edge, percentage points", fontsize=9, color=NEUTRAL)
    return ax


def half_height(chosen: pl.DataFrame) -> float:
    """Return half the height of the figure, in percentage points.

    It is a little more than the largest edge observed after a sixth of the games or later.
    """
    later = chosen.filter(pl.col("point") >= chosen["point"].to_numpy().max() // 6)
    return max(120 * float(later["edge"].abs().drop_nulls().to_numpy().max()), 0.5)
