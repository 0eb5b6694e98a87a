"""Sections on what happens where: means of a run's tallies (tables of counts) by place and period, as maps."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from reports.data.load import Run, tallies_shown, tally_sums
from reports.drawing import FAINT, INK, NEUTRAL, WIDTH, Axes, styled, styled_axes
from reports.formatting import capital, number
from reports.model import Column, Listing, Picture, Section
from sim.data.declarations import TallyRow
from sim.runs.store.manifest import TallyEntry

NAMED = 3
"""A sentence names this many places, and so does each panel of a figure."""
ACROSS = 2
"""Number of panels side by side."""
HEAT = ("#E9F0F0", "#8CBFBF", "#2E7F86", "#0A3D4A")
"""Colours of dots from small to large."""
LARGEST_DOT = 120.0
"""Area of the largest dot, in square points."""
MIDDLE_DOT = 20.0
"""Area of a dot of middle size."""
LARGE, SMALL = 6.0, 4.5
"""Font sizes of the names of places and of the names of groups, in points."""
WIDE = 0.6
"""Width of a letter relative to the font size."""
AROUND = 0.05
"""Margin around the places of a panel, relative to the width that they take up."""
ANGLES = 24
DISTANCES = (5.0, 8.0, 12.0, 17.0, 23.0, 30.0)
"""A free position for a name is sought around its dot in `ANGLES` directions, at these distances in points."""
LINE_FROM = 8.0
"""A line joins a name and its dot if they are at least this many points apart."""
Array = NDArray[np.float64]


def heat_sections(run: Run) -> tuple[Section, ...]:
    """Return a section for each tally of a run that counts by place on a map."""
    return tuple(heat_section(run, entry) for entry in tallies_shown(run, "map"))


def heat_section(run: Run, entry: TallyEntry) -> Section:
    """Return the section on one tally: for each measure, a table and a map of means per game.

    Columns of the tally are named by measure and period, such as `held_1`.
    """
    sums, games = tally_sums(run, entry), run.manifest.games
    picks = run.manifest.picks
    period = str(picks.period) if picks else "period"
    means = measure_means(entry, sums, games)
    several = entry.plural
    title = f"{capital(several)} {', '.join(means)}"
    named = (pl.Series(entry.name, sums["row"]), pl.Series("group", [str(row.values["group"]) for row in entry.rows]))
    whole = pl.DataFrame([*named, *(pl.Series(name, values.sum(axis=0)) for name, values in means.items())])
    ordered = whole.sort(next(reversed(means)), descending=True)
    places = (Column(entry.name, entry.name, "text"), Column("group", "where", "text"))
    meaning = "per game, all periods together"
    columns = (*places, *(Column(name, name, "number", meaning=meaning) for name in means))
    listings = [Listing(several, f"{capital(several)} over the whole game", ordered, columns, folded=True)]
    pictures = []
    for name, values in means.items():
        periods = [pl.Series(f"{period} {place + 1}", row) for place, row in enumerate(values)]
        frame = pl.DataFrame([*named, *periods])
        columns = (*places, *(Column(series.name, series.name, "number") for series in periods))
        order = np.argsort(-values.sum(axis=0), kind="stable")
        heading = f"{capital(several)} {name}, by {period}"
        listings.append(Listing(f"{several} {name}", heading, frame[order], columns, folded=True))
        pictures.append(heat_picture(entry, name, values, period))
    reading = (
        f"Means per game of what these players did in each {entry.name} in each {period}. They show activity, not "
        f"what a {entry.name} is worth. On the map, larger and darker dots mean more; all panels share one scale "
        f"and name the top {NAMED}. Lines join neighbours; positions are schematic."
    )
    said = tuple(heat_sentences(entry, means, period))
    return Section(several, title, said, tuple(listings), tuple(pictures), reading)


def measure_means(entry: TallyEntry, sums: pl.DataFrame, games: int) -> dict[str, Array]:
    """Return the means per game of each measure, shape (periods, rows), without last periods that are 0 everywhere."""
    found: dict[str, list[Array]] = {}
    for column in entry.columns:
        name = column.rpartition("_")[0]
        found.setdefault(name, []).append(sums[column].to_numpy() / games / entry.parts.get(name, 1))
    whole = {name: np.array(values) for name, values in found.items()}
    last = [int(np.flatnonzero(values.any(axis=1))[-1]) for values in whole.values() if values.any()]
    used = 1 + max(last, default=0)
    return {name: values[:used] for name, values in whole.items()}


def heat_sentences(entry: TallyEntry, means: dict[str, Array], period: str) -> Iterator[str]:
    """Name the places with the most and the least of each measure.

    For the last measure, also name the places with the most in each period.
    """
    for name, values in means.items():
        whole = values.sum(axis=0)
        order = np.argsort(-whole, kind="stable")
        most, least = (
            ", ".join(f"{entry.rows[at].name} {number(float(whole[at]), 2)}" for at in places[:NAMED])
            for places in (order, order[::-1])
        )
        never = int((whole == 0).sum())
        ends = f"least in {least}" if never < NAMED else f"never in {never} of {len(whole)}"
        yield f"{capital(name)}, per game: most in {most}; {ends}."
    for name, values in list(means.items())[-1:]:
        yield from (f"Most {name} in {period} {at}: {top_places(entry.rows, row)}." for at, row in enumerate(values, 1))


def top_places(rows: Sequence[TallyRow], values: Array) -> str:
    """Name the places with the highest means in a period."""
    order = np.argsort(-values, kind="stable")[:NAMED]
    return ", ".join(f"{rows[at].name} {number(float(values[at]), 2)}" for at in order if values[at] > 0)


# ---- Figure ----


def heat_picture(entry: TallyEntry, measure: str, values: Array, period: str) -> Picture:
    """Return the map of a measure."""
    best = ", ".join(f"{period} {at}: {top_places(entry.rows, row)}" for at, row in enumerate(values, 1))
    text = f"Map of how often each {entry.name} is {measure}, per game. Most in {best}."
    return Picture(f"{entry.plural} {measure}", partial(draw_heat, entry.rows, measure, values, period), text)


@styled
def draw_heat(rows: Sequence[TallyRow], measure: str, values: Array, period: str, ax: Axes | None = None) -> Axes:
    """Draw the values of a measure, shape (periods, rows), on a schematic map. Each period is a panel of one axes.

    Each of `rows` is a place with `x` (from the left), `y` (from the top), `group` and neighbours.
    """
    points = np.array([[float(row.values["x"]), float(row.values["y"])] for row in rows])
    low, size = points.min(axis=0), np.ptp(points, axis=0)
    step = size * (1.1, 1.22)
    down = -(-len(values) // ACROSS)
    largest = float(values.max()) or 1.0
    ax = styled_axes(ax, WIDTH, 0.5 + down * WIDTH / ACROSS * step[1] / step[0])
    ax.set_xlim(-0.06 * size[0], step[0] * ACROSS)
    ax.set_ylim(step[1] * (down + 0.06), -0.17 * size[1])
    ax.set_aspect("equal")
    ax.axis("off")
    # Fix the size of the map now, because placing the names depends on it.
    ax.apply_aspect()
    for at, row in enumerate(values):
        corner = np.array([at % ACROSS, at // ACROSS]) * step
        draw_panel(ax, points - low + corner, rows, row / largest)
        above = corner[1] - 0.1 * size[1]
        ax.text(corner[0], above, f"{period} {at + 1}", fontsize=9, fontweight="bold", color=INK)
    draw_scale(ax, measure, largest, np.array([0.0, step[1] * down]), size)
    return ax


def draw_panel(ax: Axes, points: Array, rows: Sequence[TallyRow], shares: Array) -> None:
    """Draw one panel: borders, groups, dots, and the names of the places with the largest dots."""
    place = {row.name: at for at, row in enumerate(rows)}
    for at, row in enumerate(rows):
        for other in row.near:
            if place.get(other, -1) > at:
                ax.plot(*points[[at, place[other]]].T, color=FAINT, lw=0.7, zorder=1)
    drawn = in_points(ax, points)
    margin = AROUND * np.ptp(drawn, axis=0)[0]
    edges = np.concatenate([drawn.min(axis=0) - margin, drawn.max(axis=0) + margin])
    # Place the group names as if all dots had the middle size, so that they are at the same spot in every panel.
    taken = boxes_around(drawn, np.full(len(rows), MIDDLE_DOT))
    for group in dict.fromkeys(str(row.values["group"]) for row in rows):
        own = points[[str(row.values["group"]) == group for row in rows]].mean(axis=0)
        taken = write_near(ax, own, group, SMALL, taken, edges, led=False, color=NEUTRAL, alpha=0.9, zorder=2)
    dots = boxes_around(drawn, 2 + LARGEST_DOT * shares)
    taken = np.concatenate([dots, taken[len(rows) :]])
    draw_dots(ax, points[:, 0], points[:, 1], shares, zorder=3)
    for at in np.argsort(-shares, kind="stable")[:NAMED]:
        if shares[at] > 0:
            taken = write_near(ax, points[at], rows[at].name, LARGE, taken, edges, led=True, color=INK, zorder=5)


# ---- Names where there is room ----


def in_points(ax: Axes, places: Array) -> Array:
    """Return the positions of places in typographic points from the lower left corner."""
    pixels: Array = ax.transData.transform(places)
    return pixels * 72 / ax.figure.dpi


def boxes_around(drawn: Array, areas: Array) -> Array:
    """Return boxes around dots, shape (dots, 4): left, bottom, right and top, in points."""
    radius = np.sqrt(areas / np.pi)[:, None]
    return np.hstack([drawn - radius, drawn + radius])


def write_near(
    ax: Axes, place: Array, text: str, size: float, taken: Array, edges: Array, *, led: bool, **style: Any
) -> Array:
    """Write a name near a place, at the position where it covers the least.

    With `led`, the name stands beside the place, not on it, and a line joins them if they are far apart.

    `taken` holds the boxes of everything drawn so far, in points, shape (boxes, 4). `edges` is the box of the panel.
    Returns `taken` with the box of the name added.
    """
    from matplotlib.patheffects import withStroke

    anchor = in_points(ax, place[None])[0]
    half = np.array([0.5 * WIDE * size * len(text) + 1.0, 0.5 * size + 1.0])
    angles = np.arange(ANGLES) * 2 * np.pi / ANGLES
    away = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    offsets = np.concatenate([np.zeros((0 if led else 1, 2)), *(away * (half + far) for far in DISTANCES)])
    costs = [cost_of(np.concatenate([anchor + off - half, anchor + off + half]), taken, edges) for off in offsets]
    far = np.hypot(*(np.maximum(np.abs(offsets) - half, 0.0)).T)
    chosen = int(np.argmin(np.array(costs) + far))
    best, joined = offsets[chosen], led and far[chosen] >= LINE_FROM
    halo: list[Any] = [withStroke(linewidth=1.4, foreground="white")]
    line = {"arrowstyle": "-", "color": INK, "lw": 0.5, "shrinkA": 0, "shrinkB": 2, "path_effects": halo}
    x, y = place
    name = ax.annotate(text, (x, y), xytext=tuple(best), ha="center", va="center", textcoords="offset points",
                       fontsize=size, arrowprops=line if joined else None, **style)  # fmt: skip
    name.set_path_effects(halo)
    return np.vstack([taken, np.concatenate([anchor + best - half, anchor + best + half])])


def cost_of(box: Array, taken: Array, edges: Array) -> float:
    """Return the area of other boxes that a box covers, plus a penalty for how far it reaches beyond the panel."""
    width = np.minimum(box[2], taken[:, 2]) - np.maximum(box[0], taken[:, 0])
    height = np.minimum(box[3], taken[:, 3]) - np.maximum(box[1], taken[:, 1])
    covered = (np.maximum(width, 0.0) * np.maximum(height, 0.0)).sum()
    beyond = np.maximum(edges[:2] - box[:2], 0.0).sum() + np.maximum(box[2:] - edges[2:], 0.0).sum()
    return float(covered + 100.0 * beyond)


def draw_dots(ax: Axes, x: Any, y: Any, shares: Array, **style: Any) -> None:
    """Draw dots whose size and colour show shares of the largest dot, from 0 to 1."""
    from matplotlib.colors import LinearSegmentedColormap

    ax.scatter(x, y, s=2 + LARGEST_DOT * shares, c=shares, cmap=LinearSegmentedColormap.from_list("heat", HEAT),
               vmin=0, vmax=1, edgecolors=NEUTRAL, lw=0.4, **style)  # fmt: skip


def draw_scale(ax: Axes, measure: str, largest: float, corner: Array, size: Array) -> None:
    """Draw the legend of dot sizes from `corner` on: dots for a quarter, a half and all of the largest value."""
    texts: list[Any] = [(share, f"{share * largest:.2g}") for share in (0.25, 0.5, 1.0)]
    y = corner[1] - 0.02 * size[1]
    ax.text(corner[0], y, f"{measure}, per game", fontsize=7.5, color=NEUTRAL, va="center")
    for at, (share, text) in enumerate(texts):
        x = corner[0] + size[0] * (0.42 + 0.16 * at)
        draw_dots(ax, [x], [y], np.array([share]))
        ax.text(x + 0.035 * size[0], y, text, fontsize=7.5, color=NEUTRAL, va="center")
