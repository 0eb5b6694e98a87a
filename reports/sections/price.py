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
from reports.drawing import (
    FAINT,
    INK,
    NARROW,
    NEUTRAL,
    STRONG,
    WEAK,
    draw_cells,
    dressed,
    label_cells,
    signed,
    styled,
)
from reports.shapes import Column, Listing, Picture, Section
from reports.statistics.price import prices_beside, prices_by_neighbour, prices_of
from reports.words import capital, counted, edge_words, listed, number, percent, plural, typeset

NAMED = 3
FEW_OTHERWISE = 0.001
BELOW = 0.27
"""How far below a row its price is drawn when all pay, in rows."""
READING = (
    "'price' is what would have to be added to the {noun}'s final score, the others getting nothing, for it to win its "
    "fair share of the games of this run; negative prices are paid. 'all pay' is what each gets when all prices are "
    "paid at once, so that all shares are fair together; only differences count then, and their mean is 0. 'bid' is "
    "the same for a league in which nobody is given points: what each pays, the weakest nothing. 'left' is a test: "
    "prices are found on half of the deals, and all are paid on the other half. Who won is worked out anew from the "
    "final scores, game by game, with no new play: exact for points that are added at the end and that nobody plays "
    "to, and close to points at the start as far as players do not change their play for them. A new tie counts as "
    "half a win. Coins or other goods at the start change play: `price --in` plays the same deals with them. Every "
    "interval is of 95 % by itself: of twenty fair rows one is expected to miss 0."
)


def price_sections(run: Run, faction: str | None = None, touching: bool = False) -> tuple[Section, ...]:
    """What every faction of a run should pay, and one of them, or where places touch all, beside each neighbour.

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
        Column("together", "all pay", "number", "together_low", "together_high", "the same when all prices are paid"),
        Column("bid", "bid", "number", "bid_low", "bid_high", "points paid when all pay and the weakest pays none"),
        Column("edge", "edge", "edge", meaning="wins less the fair share, as played"),
        Column("left", "left", "edge", "left_low", "left_high", "edge when all pay, on deals that set no price"),
        Column("games", "games", "count", meaning="seat-games"),
    )
    shown = frame.filter(pl.col("price").is_not_null())
    listing = Listing("price", f"Price of every {noun}, points", frame, columns)
    pictures = tuple(
        Picture(f"price {players}", partial(draw_prices, part, f"{players} players"), price_words(part, noun)[0])
        for (players,), part in shown.group_by(["players"], maintain_order=True)
    )
    said: list[str] = []
    for _, part in frame.group_by(["players"], maintain_order=True):
        known = part.filter(pl.col("price").is_not_null())
        said += [*price_words(known, noun), *together_words(part, noun)] if known.height else []
    said = said or ["No price is known: there are too few games, or no number of points makes anyone fair."]
    said += [*otherwise_words(frame), *read_words(run, frame)]
    title = f"The price of {plural(noun)}"
    sections = [Section("price", title, tuple(said), (listing,), pictures, READING.format(noun=noun))]
    if faction is not None:
        sections.append(beside_section(run, faction, noun))
    if touching:
        found = neighbours_section(prices_by_neighbour(run), noun, "points")
        sections += [] if found is None else [found]
    return tuple(sections)


def price_words(part: pl.DataFrame, noun: str, unit: str = "points") -> list[str]:
    """Name the dearest and the cheapest for one number of players; prices are in a unit."""
    if not part.height:
        return []
    rows = part.sort("price").to_dicts()
    pays = [row for row in rows if row["high"] is not None and row["high"] < 0][:NAMED]
    gets = [row for row in reversed(rows) if row["low"] is not None and row["low"] > 0][:NAMED]
    open_ = [row for row in rows if None not in (row["low"], row["high"]) and row["low"] <= 0 <= row["high"]]
    head = f"{capital(counted(rows[0]['players'], 'player'))}: "
    said = []
    if pays:
        said.append(f"{head}fair, each alone, if {listed([amount(row, 'pays') for row in pays])} {unit}.")
    if gets:
        said.append(f"{head}fair, each alone, if {listed([amount(row, 'gets') for row in gets])} {unit}.")
    if open_:
        said.append(f"{head}{len(open_)} of {counted(len(rows), noun)} may be fair as they are.")
    return said or [f"{head}no price is known: too few games."]


def amount(row: dict[str, Any], verb: str) -> str:
    """'Rhodos B pays 3.34 (1.36 to 4.47)': limits as the table has them, seldom as far on either side."""
    ends = sorted(abs(row[name]) for name in ("low", "high") if row[name] is not None)
    limits = f" ({number(ends[0], 2)} to {number(ends[1], 2)})" if len(ends) == 2 else ""
    return f"{row['faction']} {verb} {number(abs(row['price']), 2)}{limits}"


def together_words(part: pl.DataFrame, noun: str) -> list[str]:
    """Say what each pays for one number of players when all do, as a bid too, and how it holds on other deals."""
    rows = part.drop_nulls(["together", "bid"]).sort("together").to_dicts()
    head = f"{capital(counted(part['players'][0], 'player'))}, "
    if len(rows) < 2:
        return [f"{head}all paying at once: no prices are known that make all of them fair together."]
    ends = [*rows[:NAMED], *rows[NAMED:][-NAMED:]]
    told = [paid_words(row, "together") for row in ends]
    dearest, cheapest = rows[0], rows[-1]
    half = (dearest["bid_high"] - dearest["bid_low"]) / 2
    said = [
        f"{head}all paying at once: fair if {listed(told)} points{'' if len(ends) == len(rows) else ', and so on'}. As "
        f"bids: {cheapest['faction']} pays nothing, {dearest['faction']} pays {dearest['bid']:.1f} ± {half:.1f}."
    ]
    known = [row for row in rows if row["left_low"] is not None]
    if known:
        widest = max(known, key=lambda row: abs(float(row["left"])))
        left = {name.replace("left", "edge"): widest[name] for name in ("left", "left_low", "left_high")}
        held = sum(row["left_low"] <= 0 <= row["left_high"] for row in known)
        said.append(
            f"{head}prices found on half of the deals, all paid on the other half: no {noun} is farther from its fair "
            f"share than {widest['faction']} ({edge_words(left)}), and {held} of {len(known)} intervals "
            "hold 0."
        )
    return said


def paid_words(row: dict[str, Any], name: str) -> str:
    """'Rhodos B pays 3.2 ± 0.5', or gets."""
    half = (row[f"{name}_high"] - row[f"{name}_low"]) / 2
    return f"{row['faction']} {'pays' if row[name] < 0 else 'gets'} {abs(row[name]):.1f} ± {half:.1f}"


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
        said = range_words(faction, known.to_dicts(), "points")
    columns = (
        Column("neighbour", "beside", "text"),
        *((Column("players", "players", "count"),) if frame["players"].n_unique() > 1 else ()),
        Column("price", "price", "number", "low", "high", "points that make it fair, the others paying none"),
        Column("games", "games", "count"),
    )
    listing = Listing("price beside", f"Price of {faction} by neighbour, points", frame, columns)
    return Section("price beside", f"The price of {faction} beside each {noun}", tuple(said), (listing,))


def range_words(faction: str, known: list[dict[str, Any]], unit: str) -> list[str]:
    """Say between what the price of a faction lies, from rows with both limits."""
    rows = sorted(known, key=lambda row: float(row["price"]))
    least, most = rows[0], rows[-1]
    if len(rows) == 1:
        return [f"Only beside {least['neighbour']} the price of {faction} is known: {least['price']:+.1f} {unit}."]
    said = [
        f"{faction} is fair with {least['price']:+.1f} {unit} beside {least['neighbour']} and with "
        f"{most['price']:+.1f} beside {most['neighbour']}."
    ]
    return said + (["These two are not told apart: the intervals overlap."] if least["high"] >= most["low"] else [])


def neighbours_section(frame: pl.DataFrame, noun: str, unit: str) -> Section | None:
    """Price of every faction by who sits beside it, where places at the table touch.

    Parameters
    ----------
    frame
        `players`, `faction`, `neighbour`, `games`, `price` with `low` and `high`, `apart`: whether it surely differs
        from the faction's price beside the others, allowing for all pairs.
    unit
        What prices are in.

    Returns
    -------
    None where no price is known.
    """
    known = frame.filter(pl.col("price").is_not_null())
    if not known.height:
        return None
    apart = frame.filter("apart").sort(pl.col("differs").abs(), descending=True).to_dicts()
    said = ["No neighbour is shown to change what a faction should pay: no price surely differs from that beside the "
            "others, allowing for all pairs."]  # fmt: skip
    if apart:
        told = [f"{row['faction']} {row['price']:+.1f} beside {row['neighbour']} ({row['differs']:+.1f} against others)"
                for row in apart[:NAMED]]  # fmt: skip
        more = f", and {counted(len(apart) - NAMED, 'pair')} more" if len(apart) > NAMED else ""
        said = [f"Neighbours surely change prices, in {unit}: {listed(told) if not more else ', '.join(told)}{more}."]
    columns = (
        Column("faction", noun, "text"),
        Column("neighbour", "beside", "text"),
        *((Column("players", "players", "count"),) if frame["players"].n_unique() > 1 else ()),
        Column("price", "price", "number", "low", "high", f"{unit} that make it fair beside this one"),
        Column("differs", "against others", "number", "differs_low", "differs_high",
               "price beside this one less that beside the others; limits allow for all pairs"),
        Column("games", "games", "count"),
    )  # fmt: skip
    listing = Listing("price neighbours", f"Prices by neighbour, {unit}", frame, columns, folded=True)
    pictures = tuple(
        Picture(f"price neighbours {players}", partial(draw_beside, part, noun, f"{players} players"), said[0])
        for (players,), part in known.group_by(["players"], maintain_order=True)
    )
    return Section("price neighbours", f"Prices by who sits beside a {noun}", tuple(said), (listing,), pictures)


@styled
def draw_beside(frame: pl.DataFrame, noun: str, title: str, ax: Axes | None = None) -> Axes:
    """Price of each faction (rows) beside each neighbour (columns); bold and coloured where it surely differs."""
    names = sorted(set(frame["faction"]) | set(frame["neighbour"]))
    place = {name: number for number, name in enumerate(names)}
    values, texts = np.full((len(names),) * 2, np.nan), np.full((len(names),) * 2, "", object)
    for row in frame.to_dicts():
        at = place[row["faction"]], place[row["neighbour"]]
        texts[at] = typeset(f"{row['price']:+.0f}")
        values[at] = row["differs"] if row["apart"] else np.nan
    ax = dressed(ax, 1.9 + 0.42 * len(names), 1.7 + 0.3 * len(names), f"Price of each {noun} by neighbour, {title}")
    widest = max(float(np.nanmax(np.abs(np.append(values, 0)))), 1.0)
    draw_cells(ax, values, texts, np.isfinite(values), widest)
    label_cells(ax, names, names)
    ax.set_xlabel("coloured: surely dearer or cheaper than beside the others", fontsize=9, color=NEUTRAL)
    return ax


@styled
def draw_prices(frame: pl.DataFrame, title: str, unit: str = "points", ax: Axes | None = None) -> Axes:
    """Price of each faction with its interval: those who pay at the left."""
    rows = frame.sort("price").to_dicts()
    ax = dressed(ax, NARROW, 1.2 + 0.28 * len(rows), title)
    for place, row in enumerate(rows):
        sure = row["low"] is not None and row["high"] is not None and (row["low"] > 0 or row["high"] < 0)
        colour = (STRONG if row["price"] < 0 else WEAK) if sure else NEUTRAL
        if row["low"] is not None and row["high"] is not None:
            ax.hlines(place, row["low"], row["high"], colour, lw=2.2)
        ax.scatter(row["price"], place, 36, colour if sure else "white", edgecolors=colour, lw=1.5, zorder=3)
        if row.get("together") is not None:
            ax.hlines(place + BELOW, row["together_low"], row["together_high"], INK, lw=1.1)
            ax.scatter(row["together"], place + BELOW, 30, INK, marker="|", zorder=4)
        ax.annotate(typeset(f"{row['price']:+.1f}"), (1.02, place), xycoords=ax.get_yaxis_transform(), va="center",
                    fontsize=9, color=colour)  # fmt: skip
    ax.axvline(0, color=INK, lw=1.1, ls=(0, (4, 3)), zorder=0)
    ax.set_yticks(np.arange(len(rows)), [row["faction"] for row in rows])
    ax.set_ylim(len(rows) - 0.4, -0.6)
    ax.grid(axis="x", color=FAINT, lw=0.8)
    ax.xaxis.set_major_formatter(FuncFormatter(signed))
    stroke = "; thin line: when all pay" if "together" in frame.columns else ""
    ax.set_xlabel(f"{unit} that make it fair; bar: 95 % interval{stroke}", fontsize=9, color=NEUTRAL)
    return ax
