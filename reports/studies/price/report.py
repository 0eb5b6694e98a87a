"""Reports how many of its start goods every faction should pay: sentences, tables and figures."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import polars as pl

from reports.claims import Claim, Said, claims_on, split_claims
from reports.formatting import capital, counted, edge_words, lessons_words, listed, margin_words, plural
from reports.model import Column, Listing, Picture, Section
from reports.sections.factions.price import draw_prices, neighbour_range_words, neighbours_section, price_said
from reports.statistics.core.balance import MARGIN
from reports.studies.price.simultaneous import MAX_ROUNDS
from reports.studies.price.start_goods import PricesPlayed
from reports.studies.search.parameters import plain_words

MAX_NAMED = 4
NO_PRICE = {
    "out of range": "No {unit}, from {least:g} to {most:g}, {made} {name} fair",
    "no effect": "{name} is not found to win more or less by {unit} from {least:g} to {most:g}",
}
"""The sentence on a faction without a price, by outcome of the search (see `PricesPlayed.frame`)."""
PRICE_READING = (
    "'price': how far the printed number must change, with the others as printed, for the {noun} to win its fair "
    "share. The same deals were played with several values; between them the edge is taken as a straight line. "
    "'nearest': the value played that leaves the smallest edge; 'left': that edge. If no value of the range is fair, "
    "the end of the range is nearest. 'other': the value played on the other side of the price. 'holds': whether the "
    "interval of the edge left lies within the margin. Each interval in a table is a 95 % interval of its own: of "
    "twenty fair rows, about one misses 0. Those in sentences, and 'holds', hold for all statements at once."
)
READING_PAID = (
    "'value': the number of each {noun} when all prices are paid at once. The search plays the deals of the run. It "
    "gives each {noun} that is out of balance the value that is fairest for it alone, plays the deals with all these "
    "values, and corrects them, in at most {rounds} rounds. It interpolates the next value to try: each edge is taken "
    "as a straight line between the values played for that {noun} alone, moved by the edge left when all pay. Results "
    "are not interpolated: the values can be printed, and the edges were played. Of all sets of values played, the "
    "one with the smallest sum of squared edges is shown. The edges shown are from fresh deals."
)
WITHIN, BEYOND, OPEN = "within", "beyond", "undecided"
"""States of an edge: confirmed within the margin, confirmed beyond it, or neither."""


def played_sections(result: PricesPlayed, faction: str | None = None, margin: float = MARGIN) -> tuple[Section, ...]:
    """Report the fair number of each faction: if it alone pays, if all pay, and next to each neighbour.

    `faction` is the one whose number was varied, if it was only one. `margin` is the largest accepted deviation from
    the fair share, as a fraction.
    """
    noun, unit = result.noun, unit_words(result.field)
    frame = result.frame.with_columns(holds=edge_state("left", margin), other_holds=edge_state("other_left", margin))
    several = frame["players"].n_unique() > 1
    columns = (
        Column("faction", noun, "text"),
        *((Column("players", "players", "count"),) if several else ()),
        Column("price", "price", "number", "low", "high", f"{unit} more or less that make it fair, alone"),
        Column("printed", "printed", "number"),
        Column("value", "fair at", "number", meaning="the printed number and the price together"),
        Column("nearest", "nearest", "number", meaning="value played that leaves least"),
        Column("left", "left", "edge", "left_low", "left_high", "edge at that value"),
        Column("holds", "holds", "text", meaning=f"whether that is confirmed within {margin_words(margin)} of fair"),
        Column("other", "other", "number", meaning="value played at the other side of the price"),
        Column("other_left", "left there", "edge", "other_left_low", "other_left_high", "edge at that value"),
        Column("edge", "edge", "edge", meaning="as printed, on these deals"),
        Column("games", "games", "count", meaning="seat-games at each value"),
    )
    listing = Listing("price played", f"Price of every {noun}, {unit}", frame, columns, whole=True)
    pictures: list[Picture] = []
    parts: list[Said] = []
    for (players,), part in frame.filter(pl.col("price").is_not_null()).group_by(["players"], maintain_order=True):
        draw = partial(draw_prices, part, f"{players} players", unit)
        pictures.append(Picture(f"price played {players}", draw, unit))
        parts += [*price_said(part, noun, unit), *printable_words(part, noun, margin)]
    sentences, claims = split_claims([*parts, *out_of_reach(frame.to_dicts(), unit)])
    sentences = sentences or (f"No price in {unit} is known: there are too few games, or the number changes nothing.",)
    sentences = (*sentences, *lessons_words(result.changes), *result.players)
    title = f"The price of {plural(noun)} in {unit}"
    reading = PRICE_READING.format(noun=noun)
    sections = [Section("price played", title, sentences, (listing,), tuple(pictures), reading, claims=claims)]
    if result.paid.height:
        sections.append(paid_section(result.paid, noun, unit, margin))
    beside = neighbours_section(result.beside, noun, unit) if result.beside.height else None
    if beside is not None:
        known = result.beside.drop_nulls(["low", "high"]).to_dicts()
        own = neighbour_range_words(faction, known, unit) if faction is not None and known else []
        sections.append(replace(beside, sentences=(*own, *beside.sentences)))
    return tuple(sections)


def unit_words(field: str) -> str:
    """Return the name of a field in words: 'coins at the start'."""
    start = "_start"
    return f"{plain_words(field.removesuffix(start))} at the start" if field.endswith(start) else plain_words(field)


def edge_state(name: str, margin: float) -> pl.Expr:
    """Return an expression for the state of the edge `name`: within the margin, beyond it or open. Null if unknown."""
    low, high = pl.col(f"{name}_family_low"), pl.col(f"{name}_family_high")
    inside, outside = (low >= -margin) & (high <= margin), (low > margin) | (high < -margin)
    word = pl.when(inside).then(pl.lit(WITHIN)).when(outside).then(pl.lit(BEYOND)).otherwise(pl.lit(OPEN))
    return pl.when(low.is_null() | high.is_null()).then(None).otherwise(word)


def printable_words(part: pl.DataFrame, noun: str, margin: float) -> Iterator[Said]:
    """Say what edges the two tried values around each price leave.

    The factions with the largest prices are named. The last sentence counts the factions whose edge at the nearest
    value is confirmed within the margin, or beyond it.
    """
    rows = part.sort(pl.col("price").abs(), descending=True).to_dicts()
    head, near = f"{capital(counted(rows[0]['players'], 'player'))}: ", margin_words(margin)
    kind = "whole value" if all(row["whole"] for row in rows) else "value played"
    for row in [row for row in rows if row["other"] is not None][:MAX_NAMED]:
        each = [f"{row[value]:g} leaves {at_value(row, left)} ({row[holds]})" for value, left, holds in VALUES]
        fair = f"{row['faction']} would be fair at about {row['value']:.1f}"
        text = f"{head}{fair}; of the {kind}s, {' and '.join(each)}."
        yield text, tuple(claim for value, left, _ in VALUES for claim in price_left_claims([row], value, left, text))
    known = {word: [row for row in rows if row["holds"] == word] for word in (WITHIN, BEYOND)}
    rest = "; the others are undecided" if sum(map(len, known.values())) < len(rows) else ""
    text = (
        f"{head}of {counted(len(rows), noun)} at the nearest {kind}, confirmed within {near} of fair: "
        f"{len(known[WITHIN])}; beyond: {len(known[BEYOND])}{rest}."
    )
    yield text, price_left_claims([*known[WITHIN], *known[BEYOND]], "nearest", "left", text)


def price_left_claims(rows: list[dict[str, Any]], value: str, left: str, said: str) -> tuple[Claim, ...]:
    """Return a claim for each row: at the value in column `value`, the edge in column `left` lies within its limits.

    `said` is the sentence that makes these claims.
    """
    columns = (left, f"{left}_family_low", f"{left}_family_high")
    return claims_on("left at a price", rows, said, "all edges that were played", columns,
                     lambda row: f"{row['faction']}, {counted(row['players'], 'player')}, {row[value]:g}")  # fmt: skip


VALUES = (("nearest", "left", "holds"), ("other", "other_left", "other_holds"))
"""Columns of value, edge and the edge's state: for the nearest value, and for that on the other side of the price."""


def at_value(row: dict[str, Any], left: str) -> str:
    """Format an edge with its simultaneous interval: '+0.6 ± 2.6 points'."""
    low, high = row[f"{left}_family_low"], row[f"{left}_family_high"]
    return edge_words({"edge": row[left], "edge_low": low, "edge_high": high})


def paid_section(frame: pl.DataFrame, noun: str, unit: str, margin: float) -> Section:
    """Return the section on all prices paid together, with the edges left on fresh deals."""
    frame = frame.with_columns(edge_state("left", margin).alias("holds"))
    several = frame["players"].n_unique() > 1
    columns = (
        Column("faction", noun, "text"),
        *((Column("players", "players", "count"),) if several else ()),
        Column("printed", "printed", "number"),
        Column("paid", "value", "number", meaning=f"{unit} of each when all pay"),
        Column("edge", "edge", "edge", "edge_low", "edge_high", "as printed, on fresh deals"),
        Column("left", "left", "edge", "left_low", "left_high", "edge when all pay, on the same fresh deals"),
        Column("holds", "holds", "text", meaning=f"whether that is confirmed within {margin_words(margin)} of fair"),
        Column("games", "games", "count", meaning="seat-games in each of the two"),
    )
    parts = [one for _, part in frame.group_by(["players"], maintain_order=True) for one in paid_words(part, margin)]
    sentences, claims = split_claims(parts)
    listing = Listing("price paid", f"All paying at once, {unit}", frame, columns, whole=True)
    title = f"When every {noun} pays its price in {unit}"
    reading = READING_PAID.format(rounds=MAX_ROUNDS, noun=noun)
    return Section("price paid", title, sentences, (listing,), reading=reading, claims=claims)


def paid_words(part: pl.DataFrame, margin: float) -> Iterator[Said]:
    """Say for one table size which values were found, and how many factions are fair on fresh deals."""
    rows = part.to_dicts()
    head = f"{capital(counted(rows[0]['players'], 'player'))}, all at once: "
    changed = [row for row in rows if row["paid"] != row["printed"]]
    if not changed:
        yield f"{head}no values that were played leave less than the printed ones.", ()
        return
    named = [f"{row['faction']} {row['paid']:g} (printed {row['printed']:g})" for row in changed]
    yield f"{head}{listed(named)}; found in {counted(rows[0]['rounds'], 'round')}.", ()
    known = [row for row in rows if row["edge_low"] is not None and row["left_low"] is not None]
    if not known:
        return
    widest = max(known, key=lambda row: abs(float(row["left"])))
    fair = [sum(row[f"{name}_low"] <= 0 <= row[f"{name}_high"] for row in known) for name in ("left", "edge")]
    sure = [row for row in known if row["holds"] == WITHIN]
    text = (
        f"{head}on fresh deals (seed {rows[0]['seed']}) {fair[0]} of {len(known)} intervals of 95 % hold the fair "
        f"share, as printed {fair[1]}; {len(sure)} are confirmed within {margin_words(margin)}; the widest seen is "
        f"{widest['faction']}'s ({at_value(widest, 'left')})."
    )
    yield text, price_left_claims(list({row["faction"]: row for row in (*sure, widest)}.values()), "paid", "left", text)


def out_of_reach(rows: list[dict[str, Any]], unit: str) -> Iterator[Said]:
    """Name the factions that no value in the range makes fair, and the edge that the nearest value leaves."""
    for outcome, words in NO_PRICE.items():
        own = [row for row in rows if row["outcome"] == outcome and row["price"] is None]
        for row in own[:MAX_NAMED]:
            # Claim this only if even the nearest value certainly leaves an edge.
            sure = (row["left_family_low"] or 0) > 0 or (row["left_family_high"] or 0) < 0
            made = "make" if sure else "were seen to make"
            start = words.format(unit=unit, name=row["faction"], least=row["least"], most=row["most"], made=made)
            text = f"{start}: {row['nearest']:g} leaves {at_value(row, 'left')} ({row['players']} players)."
            yield text, price_left_claims([row], "nearest", "left", text)
        if len(own) > MAX_NAMED:
            names = listed([row["faction"] for row in own[MAX_NAMED:]])
            yield f"The same was seen of {counted(len(own) - MAX_NAMED, 'row')} more: {names}.", ()
