"""What every faction should pay of the goods it begins with, in words, tables and figures."""

from __future__ import annotations

from functools import partial
from typing import Any

import polars as pl

from reports.sections.price import draw_prices, neighbours_section, price_words, range_words
from reports.shapes import Column, Listing, Picture, Section
from reports.studies.knobs import plain_words
from reports.studies.price_played import PricesPlayed
from reports.words import counted, edge_words, listed, plural

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
    "range is fair, the end of the range that comes nearest says how far the number reaches. Every interval is of 95 "
    "% by itself: of twenty fair rows one is expected to miss 0."
)


def played_sections(found: PricesPlayed, faction: str | None = None) -> tuple[Section, ...]:
    """Say what each faction's number has to be for it to be fair, and by neighbour where places touch."""
    unit, frame, noun = goods_words(found.field), found.frame, found.noun
    several = frame["players"].n_unique() > 1
    columns = (
        Column("faction", noun, "text"),
        *((Column("players", "players", "count"),) if several else ()),
        Column("price", "price", "number", "low", "high", f"{unit} more or less that make it fair, alone"),
        Column("printed", "printed", "number"),
        Column("value", "fair at", "number", meaning="the printed number and the price together"),
        Column("nearest", "nearest", "number", meaning="value played that leaves least"),
        Column("left", "left", "edge", "left_low", "left_high", "edge at that value"),
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
            for line in price_words(part, noun, unit)]  # fmt: skip
    said += out_of_reach(frame.to_dicts(), unit)
    said = said or [f"No price in {unit} is known: there are too few games, or the number changes nothing."]
    title = f"The price of {plural(noun)} in {unit}"
    sections = [Section("price played", title, tuple(said), (listing,), pictures, READING.format(noun=noun))]
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
