"""Figures of an explained faction: where its points come from, its chances at each lead, and the pieces it takes."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import polars as pl

from reports.drawing import (
    FAINT,
    INK,
    NARROW,
    NEUTRAL,
    PARTS,
    STRONG,
    WEAK,
    Axes,
    signed,
    styled,
    styled_axes,
    value_beside,
)
from reports.formatting import signed_number, typeset

COLOURS = {"more": STRONG, "less": WEAK, "": NEUTRAL}
MAX_LINES = 3
"""Maximum number of moments that are drawn: the first, one in the middle and the last."""
NAMED = 6
"""Maximum number of pieces that a figure names."""


@styled
def draw_differences(frame: pl.DataFrame, faction: str, ax: Axes | None = None) -> Axes:
    """Draw how many points more or less than its opponents the faction gets in each part. The score is on top.

    `frame` is from `compared_values`.
    """
    rows = frame.to_dicts()
    ax = styled_axes(ax, NARROW, 1.1 + 0.3 * len(rows))
    places = np.arange(len(rows), dtype=float)
    places[1:] += 0.35
    colours = [COLOURS[row["flag"]] for row in rows]
    ax.barh(places, [row["difference"] for row in rows], 0.62, color=colours)
    for place, row in zip(places, rows, strict=True):
        if row["low"] is not None:
            ax.hlines(place, row["low"], row["high"], INK, lw=1.3)
        half = "" if row["low"] is None else f" ± {(row['high'] - row['low']) / 2:.1f}"
        value_beside(ax, place, typeset(f"{signed_number(row['difference'])}{half}"))
    ax.axvline(0, color=INK, lw=1.1)
    ax.set_yticks(places, [row["what"].replace("_", " ") for row in rows])
    if rows:
        ax.get_yticklabels()[0].set_fontweight("bold")
    ax.set_ylim(places[-1] + 0.6, -0.6)
    ax.grid(axis="x", color=FAINT, lw=0.8)
    ax.locator_params("x", nbins=6)
    ax.xaxis.set_major_formatter(signed)
    said = f"points of {faction} minus those of the others at its tables; line: 95 % interval"
    ax.set_xlabel(said, fontsize=9, color=NEUTRAL)
    return ax


@styled
def draw_chances_by_lead(
    chances: pl.DataFrame, faction: str, moments: Mapping[str, str], ax: Axes | None = None
) -> Axes:
    """Draw how the chance to win depends on the lead (`chances_by_lead`): solid for the faction, dashed for others."""
    ax = styled_axes(ax, NARROW, 3.6)
    names = list(moments)
    names = names if len(names) <= MAX_LINES else [names[0], names[len(names) // 2], names[-1]]
    for name, colour in zip(names, (PARTS[5], PARTS[3], PARTS[0]), strict=False):
        part = chances.filter(pl.col("moment") == name)
        middle = ((part["least"] + part["most"]) / 2).to_numpy()
        ax.plot(middle, part["share"], color=colour, lw=2.2, marker="o", ms=4, label=moments[name])
        ax.plot(middle, part["others"], color=colour, lw=1.4, ls=(0, (4, 3)))
        known = part.filter(pl.col("low").is_not_null())
        at = ((known["least"] + known["most"]) / 2).to_numpy()
        ax.vlines(at, known["low"], known["high"], colour, lw=1.2)
    ax.axvline(0, color=FAINT, lw=1.1, zorder=0)
    ax.grid(axis="y", color=FAINT, lw=0.8)
    ax.set_ylim(0, 1)
    ax.yaxis.set_major_formatter(lambda value, _: f"{100 * value:.0f} %")
    ax.xaxis.set_major_formatter(signed)
    ax.set_xlabel("points ahead of the best other", fontsize=9, color=NEUTRAL)
    ax.set_ylabel(f"wins ({faction} solid, others dashed)", fontsize=9, color=NEUTRAL)
    ax.legend(frameon=False, fontsize=9, loc="upper left")
    return ax


@styled
def draw_taken(frame: pl.DataFrame, noun: str, ax: Axes | None = None) -> Axes:
    """Draw how often pieces are taken (x) against the difference of the win rate with them (y). Name the clearest.

    `frame` is from `pieces_beside`.
    """
    ax = styled_axes(ax, NARROW, 3.8)
    taken, brings = frame["taken"].to_numpy(), 100 * frame["brings"].to_numpy()
    sure = (frame["brings_flag"] != "").to_numpy()
    colours = np.where(~sure, NEUTRAL, np.where(brings > 0, STRONG, WEAK))
    ax.scatter(taken, brings, 22, np.where(sure, colours, "white"), edgecolors=list(colours), lw=1.2)
    half = 50 * (frame["brings_high"] - frame["brings_low"]).to_numpy()
    order = [int(place) for place in np.argsort(-np.abs(brings) / half) if sure[place]][:NAMED]
    for place in order:
        right = taken[place] > 0.65
        ax.annotate(frame["piece"][place], (taken[place], brings[place]), xytext=(-5 if right else 5, 0),
                    textcoords="offset points", ha="right" if right else "left", va="center", fontsize=8.5)  # fmt: skip
    ax.axhline(0, color=INK, lw=1.1, zorder=0)
    ax.grid(axis="y", color=FAINT, lw=0.8)
    ax.xaxis.set_major_formatter(lambda value, _: f"{100 * value:.0f} %")
    ax.yaxis.set_major_formatter(signed)
    ax.set_xlabel(f"share taken when the {noun} was offered", fontsize=9, color=NEUTRAL)
    ax.set_ylabel("association with winning, points of win rate", fontsize=9, color=NEUTRAL)
    return ax
