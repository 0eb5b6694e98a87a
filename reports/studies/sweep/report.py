"""Reports a sweep: sentences, rows, lines over one parameter and heat maps over two."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import matplotlib as mpl
import numpy as np
import polars as pl
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from reports.claims import Claim, Said, saying, split_claims, unclaimed
from reports.drawing import (
    FAINT,
    INK,
    NEUTRAL,
    WIDTH,
    Axes,
    draw_cells,
    edge_texts,
    figure_of,
    label_ends,
    own_settings,
    styled,
    styled_axes,
)
from reports.formatting import counted, lessons_words, listed, points, typeset
from reports.model import Column, Listing, Picture, Section, TabledResults
from reports.sections.core.fair_pictures import mark_fair
from reports.statistics.core.crossing import Crossing, fair_places
from reports.statistics.core.win_rate import ALPHA, Floats, minimum_detectable_effect, share_interval, t_quantile
from reports.studies.search.parameters import Knob, is_number, readings_of_run
from reports.studies.search.search_report import fair_value_claims
from reports.studies.sweep.config import SweepConfig
from sim.data.changes import toml_text

CHANGES_ALPHA, FAIR_ALPHA = ALPHA / 2, ALPHA / 2
"""Error rate of all statements on changes, and of all statements on fair values."""
SWEEP_FAMILY = "all values and rows that are compared, and all that is watched"
# Orange and blue are reserved for "wins more" and "wins less".
LINES = ("#7B3FA0", "#00876C", "#A6761D", "#C2407E", "#2F4858", "#6B8E23", "#8A6E5C", "#555555")
MARKERS = "osD^vPX*"


@dataclass(frozen=True)
class Sweep(TabledResults):
    """Result of a sweep.

    Attributes
    ----------
    title
        The game's title.
    knobs
        The varied parameters, one or two.
    base
        The values with which all others are compared: the printed values, or else the first ones.
    base_is_printed
        Whether the base has the printed values.
    frame
        One row per arm, table and level: `value` (and `value2`), `table`, `level`, and the columns of
        `win_rate.win_rates`. The change against the base, paired by block, has the columns `change`, `change_low`, ...,
        `saving`, `score_change`, `change_note`. `family_change_low` and `family_change_high` hold for all values and
        rows at once.
    watched
        Table and level of each row that is shown.
    """

    config: SweepConfig
    title: str
    knobs: tuple[Knob, ...]
    base: tuple[Any, ...]
    base_is_printed: bool
    frame: pl.DataFrame
    watched: tuple[tuple[str, str], ...]

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the columns with the values of the parameters."""
        return ("value", "value2")[: len(self.knobs)]

    @property
    def sections(self) -> tuple[Section, ...]:
        """The result as sections, which terminal, page and notebook show."""
        return (sweep_section(self),)

    def __repr__(self) -> str:
        return "\n".join([heading(self), *self.sections[0].sentences])


def setting_words(sweep: Sweep, values: Sequence[Any]) -> str:
    """Return the parameters and their values in words: 'coins_start = 3'."""
    texts = zip(sweep.knobs, map(plain_value, values), strict=True)
    return ", ".join(f"{knob.said} = {text}" for knob, text in texts)


def plain_value(value: object) -> str:
    """Format the value of a parameter for figures and tables: '3', '0.5', 'left', 'true'."""
    if isinstance(value, str):
        return value
    return f"{value:g}" if is_number(value) else toml_text(value)


def base_words(sweep: Sweep) -> str:
    """Say with which values the arms are compared: 'coins_start = 3 (as printed)'."""
    return setting_words(sweep, sweep.base) + (" (as printed)" if sweep.base_is_printed else " (the first value)")


def sweep_rows(sweep: Sweep, table: str, level: str) -> list[dict[str, Any]]:
    """Return the rows of one level, one for each arm."""
    return sweep.frame.filter((pl.col("table") == table) & (pl.col("level") == level)).to_dicts()


def is_sure(row: dict[str, Any]) -> bool:
    """Tell whether the simultaneous limits of a change exclude 0."""
    low, high = row["family_change_low"], row["family_change_high"]
    return low is not None and high is not None and not low <= 0 <= high


def sweep_statements(sweep: Sweep) -> list[Said]:
    """Say for every watched row where it changes most, and whether that is certain."""
    statements: list[Said] = []
    for table, level in sweep.watched:
        rows = [row for row in sweep_rows(sweep, table, level) if row["change"] is not None]
        sure = list(filter(is_sure, rows))
        if not sum(row["differing"] for row in rows):
            statements.append((f"{level}: not a single win changes hands.", ()))
            continue
        if not sure:
            tests = ALPHA / CHANGES_ALPHA * sweep.frame["change_p"].count()
            tested = [row for row in rows if row["change_error"] is not None]
            error, blocks = (np.array([row[name] for row in tested], np.float64) for name in ("change_error", "blocks"))
            mde = minimum_detectable_effect(error, blocks, max(tests, 1))
            mde = mde[np.isfinite(mde)]
            hint = f" (a change of {100 * mde.max():.1f} points would mostly have been found)" if len(mde) else ""
            statements.append((f"{level}: no change found against {base_words(sweep)}{hint}.", ()))
            continue
        most = max(sure, key=lambda row: abs(row["change"]))
        low, high = most["family_change_low"], most["family_change_high"]
        at = setting_words(sweep, [most[name] for name in sweep.columns])
        moved = f"{points(most['change'])} ± {50 * (high - low):.1f} points of win rate"
        claim = Claim("change", f"{level} at {at}", most["change"], low, high, SWEEP_FAMILY, "")
        statements.append(saying(f"{level}: {moved} at {at}, against {base_words(sweep)}.", [claim]))
    config = sweep.config
    readings = readings_of_run(config.game, config.settings, [knob.text for knob in sweep.knobs])
    return statements + unclaimed([*lessons_words(config.changes), *readings])


def crossings_of(sweep: Sweep, table: str, level: str) -> list[Crossing]:
    """Return all places at which the edge of a level vanishes, along the values of a numeric parameter.

    Empty for a sweep of two parameters, or of values that are not numbers.
    """
    if len(sweep.knobs) > 1 or not all(map(is_number, sweep.config.vary[0].values)):
        return []
    return fair_places(*edges_with_limits(sweep, table, level))


def edges_with_limits(sweep: Sweep, table: str, level: str) -> tuple[Floats, Floats, Floats, Floats]:
    """Return four arrays: the values in order, and at each value the edge of a level and its lower and upper limit.

    The limits hold for all watched levels at once.
    """
    rows = sweep_rows(sweep, table, level)
    numeric = bool(rows) and is_number(rows[0]["value"])
    if numeric:
        rows.sort(key=lambda row: row["value"])
    share, error, null, blocks = (
        np.array([np.nan if row[name] is None else row[name] for row in rows], float)
        for name in ("win_rate", "error", "null", "blocks")
    )
    tail = FAIR_ALPHA / len(sweep.watched) / 2
    low, high = share_interval(share, error, t_quantile(blocks, 1 - tail), blocks, np.ones(len(rows)), tail)
    values = np.array([row["value"] for row in rows], float) if numeric else np.arange(len(rows), dtype=float)
    return values, share - null, low - null, high - null


def fair_statements(sweep: Sweep) -> list[Said]:
    """Say where every watched row would be fair: 'Rhodos B would be fair with coins at the start = 1.6 (1.2 to 2.1).'

    Of a row that is confirmed above its fair share at every value, or below it at every value, say that instead.
    """
    statements = []
    for table, level in sweep.watched if len(sweep.knobs) == 1 else ():
        result = crossings_of(sweep, table, level)
        values, edge, low, high = edges_with_limits(sweep, table, level)
        if result:
            places = listed([crossing_text(crossing, len(result) == 1) for crossing in result], "or")
            claims = fair_value_claims(level, result[0] if len(result) == 1 else None, SWEEP_FAMILY)
            statements.append(saying(f"{level} would be fair with {sweep.knobs[0].said} = {places}.", claims))
        elif np.isfinite(low).all() and ((above := (low > 0).all()) or (high < 0).all()):
            claims = [
                Claim("out of balance", f"{level} at {value:g}", float(mean), least, most, SWEEP_FAMILY, "")
                for value, mean, lower, upper in zip(values, edge, low, high, strict=True)
                for least, most in [(float(lower), None) if above else (None, float(upper))]
            ]
            often = "often" if above else "seldom"
            statements.append(saying(f"{level} wins too {often} at every value that was tried.", claims))
        elif np.isfinite(low).any():
            statements.append((f"{level} was not seen to meet its fair share from the first value to the last.", ()))
    return statements


def crossing_text(crossing: Crossing, alone: bool = True) -> str:
    """Say where an edge vanishes, with the values that may be fair: '1.6 (1.2 to 2.1)', '1.6 (2.1 or less)'.

    If the edge vanishes at several values (not `alone`), no limits are given, because none are known to hold.
    """
    low, place, high = (f"{value:.2g}" if abs(value) < 100 else f"{value:.0f}" for value in
                        (crossing.low, crossing.place, crossing.high))  # fmt: skip
    if not alone:
        return f"about {place}"
    if crossing.open_low and crossing.open_high:
        return f"{place} (all values tried may be)"
    if crossing.open_low:
        return f"{place} ({high} or less)"
    return f"{place} ({low} or more)" if crossing.open_high else f"{place} ({low} to {high})"


def heading(sweep: Sweep) -> str:
    """Return one line that says what was played."""
    config = sweep.config
    arms = sweep.frame.select(sweep.columns).n_unique()
    each = f"{counted(config.games, 'game')} of {config.players}"
    return f"{sweep.title}: {each} at each of {arms} settings, all on the same deals, seed {config.seed}"


def draw_sweep(sweep: Sweep) -> Figure:
    """Draw win rates over one parameter as lines, or edges over two parameters as heat maps."""
    with mpl.rc_context(own_settings()):
        return figure_of(draw_lines(sweep)) if len(sweep.knobs) == 1 else draw_maps(sweep)


def sweep_section(sweep: Sweep) -> Section:
    """Return the section of a sweep: sentences, a row for each watched level and value, and the figure."""
    values = [Column(name, knob.said, "number" if sweep.frame[name].dtype.is_numeric() else "text")
              for name, knob in zip(sweep.columns, sweep.knobs, strict=True)]  # fmt: skip
    columns = (
        Column("level", "", "text"),
        *values,
        Column("win_rate", "wins", "share", "low", "high", "share of games won"),
        Column("edge", "edge", "edge", meaning="wins minus fair share"),
        Column(
            "change", "change", "edge", "change_low", "change_high", f"against {base_words(sweep)}, on the same deals"
        ),
        Column("mean_score", "score", "number"),
    )
    watched = [
        sweep.frame.filter((pl.col("table") == table) & (pl.col("level") == level)) for table, level in sweep.watched
    ]
    note = f"Edge: wins minus fair, in percentage points. Change: against {base_words(sweep)}, paired by deal."
    listing = Listing("sweep", "At each value", pl.concat(watched), columns, note=note)
    fair, moved = fair_statements(sweep), sweep_statements(sweep)
    names = ", ".join(level for _, level in sweep.watched)
    text = " ".join([f"Win rate of {names} over {sweep.knobs[0].title}.", *split_claims(fair)[0]])
    drawn = (Picture("sweep", partial(draw_lines, sweep), text),)
    pictures = drawn if len(sweep.knobs) == 1 else ()  # two parameters have a map for each level, see `draw_sweep`
    sentences, claims = split_claims([*fair, *moved] if fair and fair[0][1] else [*moved, *fair])
    return Section("sweep", heading(sweep), sentences, (listing,), pictures, claims=claims)


@styled
def draw_lines(sweep: Sweep, ax: Axes | None = None) -> Axes:
    """Draw the win rate of every watched level over one parameter as a line, with its 95 % interval as a band."""
    ax = styled_axes(ax, WIDTH, 3.9)
    values = sweep.config.vary[0].values
    numeric = all(is_number(value) for value in values)
    places = np.array(values, float) if numeric else np.arange(len(values), dtype=float)
    order = np.argsort(places)
    ends, nulls, x = [], [], places[order]
    for number, (table, level) in enumerate(sweep.watched):
        rows = [sweep_rows(sweep, table, level)[i] for i in order]
        colour, mark = LINES[number % len(LINES)], MARKERS[number % len(MARKERS)]
        share, low, high = (
            np.array([np.nan if row[name] is None else 100 * row[name] for row in rows])
            for name in ("win_rate", "low", "high")
        )
        ax.fill_between(x, low, high, color=colour, alpha=0.15, lw=0)
        ax.plot(x, share, marker=mark, ms=5, color=colour, lw=1.8, mec="white", mew=0.7)
        ends.append((share[-1], level, colour))
        nulls += [100 * row["null"] for row in rows]
        mark_fair(ax, [crossing.place for crossing in crossings_of(sweep, table, level)], nulls[-1], colour)
    draw_fair(ax, nulls)
    label_ends(ax, ends)
    mark_base(sweep, ax, places[values.index(sweep.base[0])])
    if numeric and len(values) <= 12:
        ax.set_xticks(places[order], [f"{value:g}" for value in places[order]])
    elif not numeric:
        ax.set_xticks(places, list(map(plain_value, values)))
    ax.grid(axis="y", color=FAINT, lw=0.8)
    ax.yaxis.set_major_formatter(lambda value, _: f"{value:g} %")
    ax.set_xlabel(sweep.knobs[0].title, fontsize=10)
    ax.set_ylabel("share of games won; band: 95 % interval", fontsize=9, color=NEUTRAL)
    return ax


def draw_fair(ax: Axes, nulls: Sequence[float]) -> None:
    """Draw the fair share as a dashed line, if it is the same in all rows. `nulls` are the fair shares of the rows."""
    if max(nulls) - min(nulls) < 1e-9:
        ax.axhline(nulls[0], color=INK, lw=1.1, ls=(0, (4, 3)), zorder=1)
        beside: Any = {"xycoords": ax.get_yaxis_transform(), "textcoords": "offset points"}
        ax.annotate("fair", (0.0, nulls[0]), xytext=(3, 3), fontsize=8.5, **beside)


def mark_base(sweep: Sweep, ax: Axes, place: float) -> None:
    """Mark the value with which all others are compared."""
    ax.axvline(place, color=NEUTRAL, lw=0.9, ls=(0, (1, 2)), zorder=0)
    word = "as printed" if sweep.base_is_printed else "compared with"
    beside: Any = {"xycoords": ax.get_xaxis_transform(), "textcoords": "offset points"}
    ax.annotate(word, (place, 1.0), xytext=(0, 4), ha="center", fontsize=8.5, color=NEUTRAL, **beside)


def draw_maps(sweep: Sweep) -> Figure:
    """Draw a heat map of edges for every watched level: the first parameter down, the second across."""
    downs, acrosses = (list(map(plain_value, vary.values)) for vary in sweep.config.vary)
    count = len(sweep.watched)
    columns = min(count, 2)
    lines = -(-count // columns)
    panel = max(2.6, 0.55 * len(acrosses) + 1.0)
    figure = Figure((columns * panel + 1.0, lines * (1.1 + 0.36 * len(downs)) + 0.5), layout="constrained",
                    facecolor="white")  # fmt: skip
    FigureCanvasAgg(figure)
    axes = figure.subplots(lines, columns, squeeze=False).ravel()
    grids = [grid_of(sweep, table, level) for table, level in sweep.watched]
    widest = max(1e-9, *(float(np.nanmax(np.abs(edges))) for edges, _ in grids))
    for ax, (edges, sure), (_, level) in zip(axes, grids, sweep.watched, strict=False):
        image = draw_cells(ax, edges, edge_texts(edges), sure, widest)
        ax.set_title(level, fontsize=10.5, fontweight="bold", loc="left")
        ax.set_xticks(range(len(acrosses)), acrosses)
        ax.set_yticks(range(len(downs)), downs)
        ax.set_xlabel(sweep.knobs[1].title, fontsize=9)
        ax.set_ylabel(sweep.knobs[0].title, fontsize=9)
        ax.spines[:].set_visible(False)
        outline_base(sweep, ax)
    for ax in axes[count:]:
        ax.set_axis_off()
    note = "Framed: " + ("as printed" if sweep.base_is_printed else "what the others are compared with")
    figure.supxlabel(f"{note}. Bold: differs from it beyond doubt.", fontsize=8.5, color=NEUTRAL, x=0.01, ha="left")
    bar = figure.colorbar(image, ax=list(axes), shrink=0.8, aspect=28, pad=0.02)
    bar.outline.set_visible(False)
    bar.ax.set_title("edge,\npoints", fontsize=8.5, color=NEUTRAL)
    bar.ax.yaxis.set_major_formatter(lambda value, _: typeset(f"{value:+g}") if value else "0")
    return figure


def grid_of(sweep: Sweep, table: str, level: str) -> tuple[np.ndarray, np.ndarray]:
    """Return a level's edges in percentage points, and whether each certainly differs from that of the base.

    Both have the shape (values of the first parameter, values of the second).
    """
    rows = sweep_rows(sweep, table, level)
    shape = tuple(len(vary.values) for vary in sweep.config.vary)
    edges = np.array([np.nan if row["edge"] is None else 100 * row["edge"] for row in rows])
    return edges.reshape(shape), np.array(list(map(is_sure, rows))).reshape(shape)


def outline_base(sweep: Sweep, ax: Axes) -> None:
    """Frame the cell with which all others are compared."""
    y, x = (vary.values.index(value) for vary, value in zip(sweep.config.vary, sweep.base, strict=True))
    ax.add_patch(Rectangle((x - 0.5, y - 0.5), 1, 1, fill=False, ec=INK, lw=1.6))
