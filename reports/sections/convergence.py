"""How the estimates settled: win-share edges after the first n games of a run, with their intervals.

Blocks are taken in index order, so that what is shown after n games is what a run of n games would have reported.
Each interval holds for its own n; looking at all of them and stopping at a good one is another matter.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

import matplotlib as mpl
import numpy as np
import polars as pl
from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter
from numpy.typing import NDArray

from reports.data.games import read_games
from reports.data.load import Run, level_names
from reports.data.moments import SUMS, add_block, moments_frame
from reports.shapes import Column, Listing, Picture, Section
from reports.show.figures import FAINT, INK, NEUTRAL, PARTS, STYLE, WIDTH, blank, label_ends
from reports.statistics.winshare import win_shares
from reports.words import count, counted, edge_words, plural, typeset
from sim.jit import kernel

POINTS = 40
FIRST = 25
SHOWN = 3
ENDS = 3
SHOWN_COLUMNS = ("edge", "edge_low", "edge_high", "note")
COLUMNS = (
    Column("level", "level", "text"),
    Column("games", "after games", "count"),
    Column("edge", "edge", "edge", "edge_low", "edge_high", "share of wins minus the fair share, first games only"),
    Column("note", "note", "text"),
)
READING = (
    "Each line is the edge that a shorter run would have reported, the band its 95 % interval. Lines that still climb "
    "or cross at the right end are not settled. Four times as many games halve an interval."
)

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


@dataclass(frozen=True)
class Course:
    """Win shares of all levels of one column after growing numbers of games.

    Attributes
    ----------
    noun
        What a level is called.
    frame
        `level`, `point` (0, 1, ...), `games` (of the run so far), `blocks_so_far`, and `edge`, `edge_low`, `edge_high`,
        `note` as in `winshare.win_shares`; by level and point.
    """

    noun: str
    frame: pl.DataFrame


def convergence_section(run: Run) -> Section:
    """How the edges of the widest factions and strategies settled as games were added.

    Parameters
    ----------
    run
        From `load_run`.

    Returns
    -------
    Since when the order at both ends has not changed, what more games would bring, a figure of at most six levels with
    bands, and its points as a folded listing.
    """
    title = "How the estimates settled"
    named = run.seats.collect_schema().get("variant")
    if isinstance(named, pl.Enum):
        said = (
            f"The variants {' and '.join(named.categories)} are played one after the other, so that the first "
            "games are of another kind than the last: there is no course of estimates to show."
        )
        return Section("convergence", title, (said,))
    if isinstance(run.manifest["players"], list):
        sizes = " or ".join(map(str, run.manifest["players"]))
        said = (
            f"Tables of {sizes} players are played one size after the other, so that the first games are of another "
            "kind than the last: there is no course of estimates to show."
        )
        return Section("convergence", title, (said,))
    courses = [course for course in follow(run) if course.frame["level"].n_unique() > 1]
    if not courses:
        return Section("convergence", title, ("All seats play the same, so there is no edge that could settle.",))
    if courses[0].frame["point"].max() == 0:
        said = f"Only {counted(run.manifest['blocks'], 'block')}: there is no course of estimates to show."
        return Section("convergence", title, (said,))
    chosen = pl.concat([widest(course) for course in courses])
    sentences = [settled(course) for course in courses]
    sentences.append(more_games(chosen, run.manifest["games"]))
    listing = Listing("convergence", "Edges after the first games", chosen, COLUMNS, folded=True)
    said = "Edges with intervals after growing numbers of games; " + " ".join(sentences[:1])
    picture = Picture("convergence", partial(course_lines, chosen), said)
    return Section("convergence", title, tuple(sentences), (listing,), (picture,), READING)


def follow(run: Run) -> list[Course]:
    """Win shares of every strategy and faction after about 40 numbers of blocks, evenly spaced on a log scale."""
    blocks = max(1, run.manifest["blocks"])
    stops = np.unique(np.rint(np.geomspace(min(FIRST, blocks), blocks, POINTS)).astype(np.int64))
    nouns = {"strategy": "strategy", "faction": run.manifest["faction_title"]}
    names = {column: level_names(run.manifest, column) for column in nouns}
    sums = {column: np.zeros((len(found), len(SUMS))) for column, found in names.items()}
    taken = {column: np.zeros((len(stops), len(found), len(SUMS))) for column, found in names.items()}
    games = np.zeros(len(stops), np.int64)
    seen = np.zeros(2, np.int64)
    for stretch in read_games(run):
        before = seen.copy()
        for column in nouns:
            seen[:] = before
            code = getattr(stretch, column)
            arrays = (stretch.block, stretch.game, stretch.rank, code)
            add_wins(*arrays, sums[column], taken[column], stops, games, seen)
    return [Course(noun, course_frame(names[column], taken[column], stops, games)) for column, noun in nouns.items()]


@kernel
def add_wins(
    block: Any, game: Any, rank: Any, code: Any, sums: Any, taken: Any, stops: Any, games: Any, seen: Any
) -> None:
    """Add whole blocks to the sums of all levels, and keep a copy of the sums after some numbers of blocks.

    Parameters
    ----------
    block, game, rank, code
        One entry per seat-game, games of a block and seats of a game next to each other; shape (rows,).
    sums
        `moments.SUMS` so far, but those of scores and ranks, shape (levels, SUMS).
    taken
        Copies of them, shape (stops, levels, SUMS).
    stops
        Numbers of blocks after which copies are taken, rising.
    games
        Games seen at each stop, shape (stops,).
    seen
        Blocks and games so far, shape (2,); all but the stops are changed in place.
    """
    rows, levels = len(block), len(sums)
    here = np.zeros((3, levels))
    touched = np.empty(levels, np.int64)
    row = 0
    while row < rows:
        now, used = block[row], 0
        while row < rows and block[row] == now:
            end, winners = row, 0
            while end < rows and game[end] == game[row] and block[end] == now:
                winners += rank[end] == 1
                end += 1
            for seat in range(row, end):
                level = code[seat]
                if here[0, level] == 0:
                    touched[used] = level
                    used += 1
                here[0, level] += 1
                here[1, level] += 1 / winners if rank[seat] == 1 else 0.0
                here[2, level] += 1 / (end - row)
            row = end
            seen[1] += 1
        for place in range(used):
            level = touched[place]
            add_block(sums[level], here[0, level], here[1, level], here[2, level], 0.0, 0.0, 0.0)
            here[:, level] = 0
        seen[0] += 1
        stop = np.searchsorted(stops, seen[0])
        if stop < len(stops) and stops[stop] == seen[0]:
            taken[stop] = sums
            games[stop] = seen[1]


def course_frame(names: list[str], taken: Floats, stops: Integers, games: Integers) -> pl.DataFrame:
    """Frame of a `Course`, from the copies of `add_wins`."""
    point, level = np.nonzero((taken[:, :, SUMS.index("N")] > 0) & (games > 0)[:, None])
    moments = moments_frame({"row": np.arange(len(point))}, taken[point, level])
    shares = win_shares(moments, ["row"]).select(
        pl.Series("level", [names[i] for i in level]), pl.Series("point", point), *SHOWN_COLUMNS
    )
    reached = pl.DataFrame({"point": np.arange(len(stops)), "games": games, "blocks_so_far": stops})
    columns = ("level", "point", "games", "blocks_so_far", *SHOWN_COLUMNS)
    return shares.join(reached, on="point", how="left").select(columns).sort("level", "point")


def widest(course: Course) -> pl.DataFrame:
    """Rows of the three levels with the widest edges at the end, widest first; with the column `noun`."""
    last = course.frame.filter(pl.col("point") == course.frame["point"].max())
    order = last.sort(pl.col("edge").abs(), descending=True)["level"].head(SHOWN).to_list()
    chosen = pl.concat([course.frame.filter(pl.col("level") == level) for level in order])
    return chosen.with_columns(pl.lit(course.noun).alias("noun"))


def orders(course: Course) -> list[tuple[int, list[str]]]:
    """Games so far and the levels by edge, best first, at every point."""
    ordered = course.frame.sort(["point", "edge", "level"], descending=[False, True, False])
    parts = ordered.partition_by("point", maintain_order=True)
    return [(int(part["games"][0]), part["level"].to_list()) for part in parts]


def settled(course: Course) -> str:
    """Say since when the first and last three levels have stood in the same order (all of them, if there are few)."""
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
        return f"The order of the {what} still changed in the second half of the run: it is not settled."
    return f"The order of the {what} has not changed since {counted(since, 'game')}."


def more_games(chosen: pl.DataFrame, games: int) -> str:
    """Say what interval the widest edge has, and how many games more would halve it."""
    last = chosen.filter(pl.col("point") == chosen["point"].max()).to_dicts()
    row = max(last, key=lambda row: abs(row["edge"]))
    return (
        f"The widest edge, of {row['level']}, stands at {edge_words(row)}; {count(3 * games)} games more, four times "
        "as many in all, would halve every interval."
    )


def course_lines(chosen: pl.DataFrame, ax: Axes | None = None) -> Axes:
    """Edges after growing numbers of games, with 95 % bands; the scale of games is logarithmic.

    Parameters
    ----------
    chosen
        Rows of a few levels: `level`, `games`, `edge`, `edge_low`, `edge_high`.
    ax
        Where to draw; by default on a new figure.

    Returns
    -------
    The axes; early bands that would dwarf the rest are cut off.
    """
    levels = chosen["level"].unique(maintain_order=True).to_list()
    with mpl.rc_context(STYLE):
        if ax is None:
            _, ax = blank(WIDTH, 4.0, "How the edges settled")
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
        ax.set_xlabel("games played (each step ten times as many); band: 95 % interval", fontsize=9, color=NEUTRAL)
        ax.set_ylabel("edge, percentage points", fontsize=9, color=NEUTRAL)
    return ax


def visible_reach(chosen: pl.DataFrame) -> float:
    """Half height of the figure in points: the widest final edge, or what edges reached after a tenth of the points."""
    later = chosen.filter(pl.col("point") >= chosen["point"].to_numpy().max() // 6)
    return max(120 * float(later["edge"].abs().drop_nulls().to_numpy().max()), 0.5)
