"""Section on how the estimates settled as games were added."""

from __future__ import annotations

from functools import partial

import polars as pl
from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter

from reports.data.load import Run
from reports.drawing import FAINT, INK, NEUTRAL, PARTS, WIDTH, dressed, label_ends, styled
from reports.formatting import count, counted, listed, plural, points, typeset
from reports.model import Column, Listing, Picture, Section
from reports.statistics.course.convergence import Course, follow_edges, orders, widest_levels

ENDS = 3
COLUMNS = (
    Column("level", "level", "text"),
    Column("games", "after games", "count"),
    Column("edge", "edge", "edge", "edge_low", "edge_high", "win rate minus fair share, first games only"),
    Column("note", "note", "text"),
)


READING = (
    "Each line is the edge that a shorter run would have reported; the band is its 95 % interval. "
    "Lines that still rise or cross at the right end have not converged. Four times as many games "
    "halve an interval."
)


def convergence_section(run: Run) -> Section:
    """Say since when the order at both ends has not changed and what more games would bring, with a figure."""
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
    sentences.append(more_games(chosen, run.manifest.games))
    listing = Listing("convergence", "Edges after the first games", chosen, COLUMNS, folded=True)
    said = "Edges with intervals after growing numbers of games; " + " ".join(sentences[:1])
    picture = Picture("convergence", partial(course_lines, chosen), said)
    return Section("convergence", title, tuple(sentences), (listing,), (picture,), READING)


def settled_words(course: Course) -> str:
    """Say since when the order of the first and last three levels (all, if few) has not changed."""
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


def more_games(chosen: pl.DataFrame, games: int) -> str:
    """State the widest edge, and how many more games would halve the intervals."""
    last = chosen.filter(pl.col("point") == chosen["point"].max()).to_dicts()
    row = max(last, key=lambda row: abs(row["edge"]))
    return (
        f"The largest observed edge is {row['level']} with {points(row['edge'])} points; {count(3 * games)} "
        "more games (four times as many in all) would halve every interval."
    )


@styled
def course_lines(chosen: pl.DataFrame, ax: Axes | None = None) -> Axes:
    """Draw edges after growing numbers of games, with 95 % bands; wide early bands are cut off."""
    levels = chosen["level"].unique(maintain_order=True).to_list()
    ax = dressed(ax, WIDTH, 4.0, "Convergence of the edges")
    ends = []
    for number, level in enumerate(levels):
        part = chosen.filter(pl.col("level") == level)
        known = part.filter(pl.col("edge_low").is_not_null())
        colour = PARTS[number % len(PARTS)]
        low, high = (100 * known[name].to_numpy() for name in ("edge_low", "edge_high"))
        ax.fill_between(known["games"].to_numpy(), low, high, color=colour, alpha=0.16, lw=0)
        ax.plot(part["games"].to_numpy(), 100 * part["edge"].to_numpy(), color=colour, lw=1.8)
        ends.append((100 * float(part["edge"][-1]), level, colour))
    reach = visible_reach(chosen)
    ax.set_ylim(-reach, reach)
    label_ends(ax, ends)
    ax.axhline(0, color=INK, lw=1.1, ls=(0, (4, 3)))
    ax.set_xscale("log")
    games = chosen["games"].to_numpy()
    ax.set_xlim(games.min(), games.max())
    ax.minorticks_off()
    ax.grid(axis="y", color=FAINT, lw=0.8)
    ax.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))
    ax.yaxis.set_major_formatter(FuncFormatter(lambda value, _: typeset(f"{value:+g}") if value else "0"))
    ax.set_xlabel("games played (log scale); band: 95 % interval", fontsize=9, color=NEUTRAL)
    ax.set_ylabel("edge, percentage points", fontsize=9, color=NEUTRAL)
    return ax


def visible_reach(chosen: pl.DataFrame) -> float:
    """Return the half height of the figure in points: the widest edge after the first sixth of the points."""
    later = chosen.filter(pl.col("point") >= chosen["point"].to_numpy().max() // 6)
    return max(120 * float(later["edge"].abs().drop_nulls().to_numpy().max()), 0.5)
