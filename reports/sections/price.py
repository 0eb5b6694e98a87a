"""What each faction should pay, or be paid, in points: in words, a table and a figure."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import polars as pl
from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter

from reports.data.load import Run
from reports.data.one_player import games_of_several
from reports.drawing import FAINT, INK, NARROW, NEUTRAL, STRONG, WEAK, dressed, signed, styled
from reports.shapes import Column, Listing, Picture, Section
from reports.statistics.price import prices_beside, prices_of
from reports.words import capital, counted, listed, percent, plural, typeset

NAMED = 3
FEW_OTHERWISE = 0.001
READING = (
    "'price' is what would have to be added to the {noun}'s final score, the others getting nothing, for it to win its "
    "fair share of the games of this run; negative prices are paid. 'together' is the same when all get their price; "
    "only differences count then, and their mean is 0. Who won is worked out anew from the final scores, game by game, "
    "with no new play: exact for points that are added at the end and that nobody plays to, and close to points at the "
    "start as far as players do not change their play for them. A new tie counts as half a win. Coins or other goods "
    "at the start change play: `rebalance` searches those. Every interval is of 95 % by itself: of twenty fair rows "
    "one is expected to miss 0."
)


def price_sections(run: Run, faction: str | None = None) -> tuple[Section, ...]:
    """What every faction of a run should pay, and one of them beside each neighbour.

    Raises
    ------
    UserError
        The game has no factions, or nobody meets.
    """
    frame = prices_of(run)
    noun = str(run.manifest["faction_title"])
    columns = (
        Column("faction", noun, "text"),
        *((Column("players", "players", "count"),) if frame["players"].n_unique() > 1 else ()),
        Column("price", "price", "number", "low", "high", "points at the end that make it fair, alone"),
        Column("together", "together", "number", "together_low", "together_high", "the same when all pay"),
        Column("edge", "edge", "edge", meaning="wins less the fair share, as played"),
        Column("games", "games", "count", meaning="seat-games"),
    )
    shown = frame.filter(pl.col("price").is_not_null())
    listing = Listing("price", f"Price of every {noun}, points", frame, columns)
    pictures = tuple(
        Picture(f"price {players}", partial(draw_prices, part, f"{players} players"), price_words(part, noun)[0])
        for (players,), part in shown.group_by(["players"], maintain_order=True)
    )
    said = [line for (_,), part in shown.group_by(["players"], maintain_order=True) for line in price_words(part, noun)]
    said = said or ["No price is known: there are too few games, or no number of points makes anyone fair."]
    said += [*otherwise_words(frame), *read_words(run, frame)]
    title = f"The price of {plural(noun)}"
    sections = [Section("price", title, tuple(said), (listing,), pictures, READING.format(noun=noun))]
    if faction is not None:
        sections.append(beside_section(run, faction, noun))
    return tuple(sections)


def price_words(part: pl.DataFrame, noun: str) -> list[str]:
    """Name the dearest and the cheapest for one number of players."""
    if not part.height:
        return []
    rows = part.sort("price").to_dicts()
    pays = [row for row in rows if row["high"] is not None and row["high"] < 0][:NAMED]
    gets = [row for row in reversed(rows) if row["low"] is not None and row["low"] > 0][:NAMED]
    open_ = [row for row in rows if None not in (row["low"], row["high"]) and row["low"] <= 0 <= row["high"]]
    head = f"{capital(counted(rows[0]['players'], 'player'))}: "
    said = []
    if pays:
        said.append(f"{head}fair, each alone, if {listed([amount(row, 'pays') for row in pays])} points.")
    if gets:
        said.append(f"{head}fair, each alone, if {listed([amount(row, 'gets') for row in gets])} points.")
    if open_:
        said.append(f"{head}{len(open_)} of {counted(len(rows), noun)} may be fair as they are.")
    return said or [f"{head}no price is known: too few games."]


def amount(row: dict[str, Any], verb: str) -> str:
    """'Rhodos B pays 3.2 ± 0.5'."""
    half = "" if row["low"] is None or row["high"] is None else f" ± {(row['high'] - row['low']) / 2:.1f}"
    return f"{row['faction']} {verb} {abs(row['price']):.1f}{half}"


def otherwise_words(frame: pl.DataFrame) -> list[str]:
    """Say which part of the games points do not decide."""
    share = float(frame["otherwise"].to_numpy().max())
    return (
        [f"{percent(share)} of the games are not decided by points and stay as they were."]
        if share > FEW_OTHERWISE
        else []
    )


def read_words(run: Run, frame: pl.DataFrame) -> list[str]:
    """Say of how many games prices are, where a run has more than are read."""
    read = round(float((frame["games"] / frame["players"]).sum()))
    there = games_of_several(run.manifest)
    return [f"Prices are of the first {counted(read, 'game')} of {counted(there, 'game')}."] if read < there else []


def beside_section(run: Run, faction: str, noun: str) -> Section:
    """Price of one faction by who sits beside it."""
    frame = prices_beside(run, faction)
    known = frame.filter(pl.col("low").is_not_null() & pl.col("high").is_not_null())
    said = [f"With two players, or too few games, no neighbour's price is known for {faction}."]
    if known.height:
        rows = known.sort("price").to_dicts()
        least, most = rows[0], rows[-1]
        said = [
            f"{faction} is fair at {least['price']:+.1f} points beside {least['neighbour']} and at "
            f"{most['price']:+.1f} beside {most['neighbour']}."
        ]
        if least["high"] >= most["low"]:
            said.append("These two are not told apart: the intervals overlap.")
    columns = (
        Column("neighbour", "beside", "text"),
        *((Column("players", "players", "count"),) if frame["players"].n_unique() > 1 else ()),
        Column("price", "price", "number", "low", "high", "points that make it fair, the others paying none"),
        Column("games", "games", "count"),
    )
    listing = Listing("price beside", f"Price of {faction} by neighbour, points", frame, columns)
    return Section("price beside", f"The price of {faction} beside each {noun}", tuple(said), (listing,))


@styled
def draw_prices(frame: pl.DataFrame, title: str, ax: Axes | None = None) -> Axes:
    """Price of each faction with its interval: those who pay at the left."""
    rows = frame.sort("price").to_dicts()
    ax = dressed(ax, NARROW, 1.2 + 0.28 * len(rows), title)
    for place, row in enumerate(rows):
        sure = row["low"] is not None and row["high"] is not None and (row["low"] > 0 or row["high"] < 0)
        colour = (STRONG if row["price"] < 0 else WEAK) if sure else NEUTRAL
        if row["low"] is not None and row["high"] is not None:
            ax.hlines(place, row["low"], row["high"], colour, lw=2.2)
        ax.scatter(row["price"], place, 36, colour if sure else "white", edgecolors=colour, lw=1.5, zorder=3)
        if row["together"] is not None:
            ax.scatter(row["together"], place, 20, INK, marker="|", zorder=4)
        ax.annotate(typeset(f"{row['price']:+.1f}"), (1.02, place), xycoords=ax.get_yaxis_transform(), va="center",
                    fontsize=9, color=colour)  # fmt: skip
    ax.axvline(0, color=INK, lw=1.1, ls=(0, (4, 3)), zorder=0)
    ax.set_yticks(np.arange(len(rows)), [row["faction"] for row in rows])
    ax.set_ylim(len(rows) - 0.4, -0.6)
    ax.grid(axis="x", color=FAINT, lw=0.8)
    ax.xaxis.set_major_formatter(FuncFormatter(signed))
    ax.set_xlabel("points that make it fair; bar: 95 % interval; stroke: when all pay", fontsize=9, color=NEUTRAL)
    return ax
