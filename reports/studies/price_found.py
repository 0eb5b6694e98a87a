"""What every faction should pay of the goods it begins with, in words, tables and figures."""

from __future__ import annotations

from functools import partial
from typing import Any

import polars as pl

from reports.sections.price import draw_prices, neighbours_section, price_words, range_words
from reports.shapes import Column, Listing, Picture, Section
from reports.statistics.balance import MARGIN
from reports.studies.knobs import plain_words
from reports.studies.price_paid import MOST_ROUNDS
from reports.studies.price_played import PricesPlayed
from reports.words import capital, counted, edge_words, lessons_words, listed, margin_words, plural

NAMED = 4
NO_PRICE = {
    "out of range": "No {unit}, from {least:g} to {most:g}, make {name} fair",
    "no effect": "{name} does not surely win more or less by {unit} from {least:g} to {most:g}",
}
"""What is said of those without a price, by what came of the search."""
READING = (
    "'price' is by how much the printed number would have to be changed, the others keeping theirs, for the {noun} to "
    "win its fair share: the same deals were played with several values, and between these the edge is taken as a "
    "straight line. 'nearest' is the value played that leaves least, 'left' what it leaves. Where no value of the "
    "range is fair, the end of the range that comes nearest says how far the number reaches. 'other' is the value "
    "played at the other side of the price. 'holds' says whether the interval of what is left lies within the margin. "
    "Every interval is of 95 % by itself: of twenty fair rows one is expected to miss 0."
)
READING_PAID = (
    "'value' is what each has when all prices are paid at once. It is found on the deals of the run: those surely off "
    "get the value that is fairest for them alone; the deals are played with all of these changed, those off still "
    "are corrected, and so on for at most {rounds} rounds. Where to look next is interpolated: each edge as a straight "
    "line between the values played of that {noun} alone, moved up or down by what all paying left. What stands here "
    "is not: every value can be printed, and both edges were played. Of all sets of values played, the one whose edges "
    "have the smallest squares is taken. Edges are of fresh deals, which had no part in that. Prices between the "
    "values are not known for all paying at once: that would take the worth of a unit of each to every other."
)
WITHIN, BEYOND, OPEN = "within", "beyond", "not sure"
"""Whether an edge surely lies within a margin, surely beyond it, or neither."""


def played_sections(found: PricesPlayed, faction: str | None = None, margin: float = MARGIN) -> tuple[Section, ...]:
    """Say what each faction's number has to be for it to be fair, alone and with all paying, and beside neighbours.

    Parameters
    ----------
    faction
        The only one whose number was turned, if it was one.
    margin
        How far from its fair share is near enough, as a fraction.
    """
    unit, noun = goods_words(found.field), found.noun
    frame = found.frame.with_columns(
        held("left", margin).alias("holds"), held("other_left", margin).alias("other_holds")
    )
    several = frame["players"].n_unique() > 1
    columns = (
        Column("faction", noun, "text"),
        *((Column("players", "players", "count"),) if several else ()),
        Column("price", "price", "number", "low", "high", f"{unit} more or less that make it fair, alone"),
        Column("printed", "printed", "number"),
        Column("value", "fair at", "number", meaning="the printed number and the price together"),
        Column("nearest", "nearest", "number", meaning="value played that leaves least"),
        Column("left", "left", "edge", "left_low", "left_high", "edge at that value"),
        Column("holds", "holds", "text", meaning=f"whether that is surely within {margin_words(margin)} of fair"),
        Column("other", "other", "number", meaning="value played at the other side of the price"),
        Column("other_left", "left there", "edge", "other_left_low", "other_left_high", "edge at that value"),
        Column("edge", "edge", "edge", meaning="as printed, on these deals"),
        Column("games", "games", "count", meaning="seat-games at each value"),
    )
    listing = Listing("price played", f"Price of every {noun}, {unit}", frame, columns, whole=True)
    shown = frame.filter(pl.col("price").is_not_null())
    pictures = tuple(
        Picture(f"price played {players}", partial(draw_prices, part, f"{players} players", unit), unit)
        for (players,), part in shown.group_by(["players"], maintain_order=True)
    )
    said = [line for (_,), part in shown.group_by(["players"], maintain_order=True)
            for line in (*price_words(part, noun, unit), *printable_words(part, noun, margin))]  # fmt: skip
    said += out_of_reach(frame.to_dicts(), unit)
    said = said or [f"No price in {unit} is known: there are too few games, or the number changes nothing."]
    said += lessons_words(found.changes)
    title = f"The price of {plural(noun)} in {unit}"
    sections = [Section("price played", title, tuple(said), (listing,), pictures, READING.format(noun=noun))]
    if found.paid.height:
        sections.append(paid_section(found.paid, noun, unit, margin))
    if found.beside.height:
        beside = neighbours_section(found.beside, noun, unit)
        if beside is not None and faction is not None:
            known = found.beside.drop_nulls(["low", "high"]).to_dicts()
            own = range_words(faction, known, unit) if known else []
            beside = Section(beside.name, beside.title, (*own, *beside.sentences), beside.listings, beside.pictures)
        sections += [] if beside is None else [beside]
    return tuple(sections)


def goods_words(field: str) -> str:
    """What a number is called: 'coins at the start'."""
    start = "_start"
    return f"{plain_words(field.removesuffix(start))} at the start" if field.endswith(start) else plain_words(field)


def held(name: str, margin: float) -> pl.Expr:
    """Whether an edge with limits `_low` and `_high` is surely within a margin; null where it is not known."""
    low, high = pl.col(f"{name}_low"), pl.col(f"{name}_high")
    inside, outside = (low >= -margin) & (high <= margin), (low > margin) | (high < -margin)
    word = pl.when(inside).then(pl.lit(WITHIN)).when(outside).then(pl.lit(BEYOND)).otherwise(pl.lit(OPEN))
    return pl.when(low.is_null() | high.is_null()).then(None).otherwise(word)


def printable_words(part: pl.DataFrame, noun: str, margin: float) -> list[str]:
    """Say what the values that can be printed next to the prices leave, of those who pay or get most in full."""
    rows = part.sort(pl.col("price").abs(), descending=True).to_dicts()
    head, near = f"{capital(counted(rows[0]['players'], 'player'))}: ", margin_words(margin)
    kind = "whole value" if all(row["whole"] for row in rows) else "value played"
    said = []
    for row in [row for row in rows if row["other"] is not None][:NAMED]:
        told = [f"{row[value]:g} leaves {at_value(row, left)} ({row[holds]})" for value, left, holds in VALUES]
        said.append(f"{head}{row['faction']} is fair at {row['value']:.1f}; of the {kind}s, {' and '.join(told)}.")
    counts = [sum(row["holds"] == word for row in rows) for word in (WITHIN, BEYOND)]
    rest = "; of the others these games cannot tell" if sum(counts) < len(rows) else ""
    return [
        *said,
        f"{head}at the nearest {kind} {counts[0]} of {counted(len(rows), noun)} surely lie within {near} of fair, and "
        f"{counts[1]} surely beyond{rest}.",
    ]


VALUES = (("nearest", "left", "holds"), ("other", "other_left", "other_holds"))
"""Columns of the values played at either side of a price: value, edge, and whether that is within the margin."""


def at_value(row: dict[str, Any], left: str) -> str:
    """An edge of a row with its interval: '+0.6 ± 2.6 points'."""
    return edge_words({"edge": row[left], "edge_low": row[f"{left}_low"], "edge_high": row[f"{left}_high"]})


def paid_section(frame: pl.DataFrame, noun: str, unit: str, margin: float) -> Section:
    """Say what each has when all prices are paid at once, and what is left on fresh deals."""
    frame = frame.with_columns(held("left", margin).alias("holds"))
    several = frame["players"].n_unique() > 1
    columns = (
        Column("faction", noun, "text"),
        *((Column("players", "players", "count"),) if several else ()),
        Column("printed", "printed", "number"),
        Column("paid", "value", "number", meaning=f"{unit} of each when all pay"),
        Column("edge", "edge", "edge", "edge_low", "edge_high", "as printed, on fresh deals"),
        Column("left", "left", "edge", "left_low", "left_high", "edge when all pay, on the same fresh deals"),
        Column("holds", "holds", "text", meaning=f"whether that is surely within {margin_words(margin)} of fair"),
        Column("games", "games", "count", meaning="seat-games in each of the two"),
    )
    said = [
        line for (_,), part in frame.group_by(["players"], maintain_order=True) for line in paid_words(part, margin)
    ]
    listing = Listing("price paid", f"All paying at once, {unit}", frame, columns, whole=True)
    title = f"When every {noun} pays its price in {unit}"
    return Section(
        "price paid", title, tuple(said), (listing,), reading=READING_PAID.format(rounds=MOST_ROUNDS, noun=noun)
    )


def paid_words(part: pl.DataFrame, margin: float) -> list[str]:
    """Say for one number of players which values were found, and how many are fair with them on fresh deals."""
    rows = part.to_dicts()
    head = f"{capital(counted(rows[0]['players'], 'player'))}, all at once: "
    changed = [row for row in rows if row["paid"] != row["printed"]]
    if not changed:
        return [f"{head}no values that were played leave less than the printed ones."]
    told = [f"{row['faction']} {row['paid']:g} (printed {row['printed']:g})" for row in changed]
    known = [row for row in rows if row["edge_low"] is not None and row["left_low"] is not None]
    found = f"{head}{listed(told)}; found in {counted(rows[0]['rounds'], 'round')}."
    if not known:
        return [found]
    widest = max(known, key=lambda row: abs(float(row["left"])))
    fair = [sum(row[f"{name}_low"] <= 0 <= row[f"{name}_high"] for row in known) for name in ("left", "edge")]
    sure = sum(row["holds"] == WITHIN for row in known)
    return [
        found,
        f"{head}on fresh deals (seed {rows[0]['seed']}) {fair[0]} of {len(known)} intervals hold the fair share, as "
        f"printed {fair[1]}; {sure} surely lie within {margin_words(margin)}; farthest off is {widest['faction']} "
        f"({at_value(widest, 'left')}).",
    ]


def out_of_reach(rows: list[dict[str, Any]], unit: str) -> list[str]:
    """Name those that no value of the range makes fair, with what the nearest leaves."""
    said = []
    for outcome, words in NO_PRICE.items():
        own = [row for row in rows if row["outcome"] == outcome and row["price"] is None]
        for row in own[:NAMED]:
            left = {"edge": row["left"], "edge_low": row["left_low"], "edge_high": row["left_high"]}
            start = words.format(unit=unit, name=row["faction"], least=row["least"], most=row["most"])
            said.append(f"{start}: {row['nearest']:g} leaves {edge_words(left)} ({row['players']} players).")
        if len(own) > NAMED:
            names = listed([row["faction"] for row in own[NAMED:]])
            said.append(f"The same of {counted(len(own) - NAMED, 'row')} more: {names}.")
    return said
