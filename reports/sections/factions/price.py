"""Sections on the points that each faction should pay or get."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import polars as pl

from reports.claims import Said, claiming, claims_on, unclaimed
from reports.data.load import Run, games_of_several
from reports.drawing import (
    INK,
    NARROW,
    NEUTRAL,
    STRONG,
    WEAK,
    Axes,
    draw_cells,
    label_cells,
    label_rows,
    signed,
    styled,
    styled_axes,
    value_beside,
)
from reports.formatting import capital, count, counted, listed, number, percent, plural, points, typeset
from reports.model import Column, Listing, Picture, Section, limited, said_section
from reports.statistics.factions.price import MIN_PLAYERS_WITH_NEIGHBOURS, prices_beside, prices_by_neighbour, prices_of

NAMED = 3
FEW_OTHERWISE = 0.001
BELOW = 0.27
"""Distance from a row down to the mark of its price if all factions pay. The distance between two rows is 1."""
READING = (
    "'price': points that would have to be added to the final score of the {noun}, the others getting "
    "none, for it to win its fair share of this run's games; a negative price is a cost. 'all pay': "
    "what each gets when all prices apply at once and all win their fair share; only differences "
    "count, and their mean is 0. 'bid': the same for a league without handouts; the weakest pays "
    "nothing. 'left' is a test: prices are estimated on half of the deals and applied to the other "
    "half. Winners are recomputed from the final scores, without new play. This is exact for points "
    "that are added at the end and do not affect play, and close for points at the start if players do "
    "not adapt to them. A new tie counts as half a win. Coins or other goods at the start change play: "
    "`price --in` plays the same deals with them. Each interval in a table is a 95 % interval of its "
    "own: of twenty fair rows, about one misses 0. Sentences name a price only if limits that hold for "
    "all prices at once exclude 0."
)
AGAINST_FURTHER = (
    "price beside this one minus that with it at the table but further away; limits are corrected for all pairs"
)
AT_ONCE = "95 % limits for all prices at once"


def price_sections(run: Run, faction: str | None = None, touching: bool = False) -> tuple[Section, ...]:
    """Return sections on the price of every faction.

    For one `faction`, a section gives its price beside each neighbour. If `touching`, a section gives the prices of all
    factions by neighbour.

    Raises
    ------
    UserError
        The game has no factions, or all games have one player.
    """
    frame = prices_of(run)
    noun = run.manifest.faction_title
    columns = (
        Column("faction", noun, "text"),
        *players_column(frame),
        Column("price", "price", "number", "low", "high", "points at the end that make it fair, if only it is priced"),
        limited("together", "all pay", "number", "the same if all prices apply"),
        limited("bid", "bid", "number", "points paid if all pay and the weakest pays nothing"),
        Column("edge", "edge", "edge", meaning="win rate minus fair share, as played"),
        limited("left", "left", "edge", "edge if all pay, on deals not used for prices"),
        Column("games", "games", "count", meaning="seat-games"),
    )
    listing = Listing("price", f"Price of every {noun}, points", frame, columns)
    pictures: list[Picture] = []
    for (players,), part in frame.filter(pl.col("price").is_not_null()).group_by(["players"], maintain_order=True):
        text = price_said(part, noun)[0][0]
        pictures.append(Picture(f"price {players}", partial(draw_prices, part, f"{players} players"), text))
    parts: list[Said] = []
    for _, part in frame.group_by(["players"], maintain_order=True):
        if part["price"].count():
            parts += [*price_said(part, noun), *together_said(part, noun)]
    if not parts:
        parts += unclaimed(["No price can be given: too few games, or no number of points makes any row fair."])
    parts += unclaimed([*otherwise_words(frame, " and keep their winner"), *priced_games_words(run, frame)])
    title = f"The price of {plural(noun)}"
    beside = None if faction is None else beside_section(run, faction, noun)
    by_neighbour = neighbours_section(prices_by_neighbour(run), noun, "points") if touching else None
    whole = said_section("price", title, parts, [listing], pictures, READING.format(noun=noun))
    return (whole, *filter(None, (beside, by_neighbour)))


def players_column(frame: pl.DataFrame) -> list[Column]:
    """Return the column of the number of players, if it varies."""
    return [Column("players", "players", "count")] if frame["players"].n_unique() > 1 else []


def head_of(part: pl.DataFrame) -> str:
    """Return the number of players of `part`, whose rows are of one table size, to begin a sentence: '4 players'."""
    return capital(counted(part["players"][0], "player"))


def claiming_prices(said: str, kind: str, rows: list[dict[str, Any]], column: str, noun: str) -> Said:
    """Return a sentence with a claim for each row that it names. Limits hold for all prices at once."""
    return claiming(said, kind, rows, f"all prices of every {noun}", column, f"{column}_", named_row)


def named_row(row: dict[str, Any]) -> str:
    """Name a row: 'Rhodos B, 4 players'."""
    return f"{row['faction']}, {counted(row['players'], 'player')}"


def confirmed_prices(part: pl.DataFrame, column: str) -> list[tuple[str, list[dict[str, Any]]]]:
    """Return the rows whose simultaneous limits exclude 0, as ("pays", rows) and ("gets", rows).

    Both lists begin with the price farthest from 0. Those that pay have negative prices.
    """
    pays = part.filter(pl.col(f"{column}_family_high") < 0).sort(column)
    gets = part.filter(pl.col(f"{column}_family_low") > 0).sort(column, descending=True)
    return [("pays", pays.to_dicts()), ("gets", gets.to_dicts())]


def price_said(part: pl.DataFrame, noun: str, unit: str = "points") -> list[Said]:
    """State the largest prices at one table size if one faction alone is priced, and how many may already be fair."""
    said: list[Said] = []
    for verb, rows in confirmed_prices(part, "price"):
        if rows:
            amounts = listed([price_amount(row, verb, "price") for row in rows[:NAMED]])
            sentence = f"{head_of(part)}: each alone would be fair if {amounts} {unit} ({AT_ONCE})."
            said.append(claiming_prices(sentence, "price alone", rows[:NAMED], "price", noun))
    low, high = pl.col("price_family_low"), pl.col("price_family_high")
    known, fair = (
        part.filter(rows).height for rows in (low.is_not_null() & high.is_not_null(), (low <= 0) & (high >= 0))
    )
    open_ = part.filter((low.is_null() & ~(high < 0).fill_null(False)) | (high.is_null() & ~(low > 0).fill_null(False)))
    if fair and open_.height:
        of = f"of the {counted(known, noun)} with known limits, {fair} may already be fair"
        said.append((f"{head_of(part)}: {of}; {open_.height} cannot be judged from these games.", ()))
    elif fair:
        said.append((f"{head_of(part)}: {fair} of {counted(part.height, noun)} may already be fair.", ()))
    return said or [(f"{head_of(part)}: no price: too few games.", ())]


def price_amount(row: dict[str, Any], verb: str, column: str, digits: int = 2) -> str:
    """Format a price: 'Rhodos B pays 3.34 (1.36 to 4.47)'. The limits hold for all prices at once."""
    found = [row[f"{column}_family_{end}"] for end in ("low", "high")]
    ends = sorted(abs(end) for end in found if end is not None)
    # Only the limit that is farther from 0 can be unknown.
    near, far = number(ends[0], digits), number(ends[-1], digits)
    limits = f"({near} to {far})" if len(ends) == 2 else f"(at least {near})"
    return f"{row['faction']} {verb} {number(abs(row[column]), digits)} {limits}"


def together_said(part: pl.DataFrame, noun: str) -> list[Said]:
    """State the prices at one table size if all factions pay at once.

    Also state the largest bid (what a faction pays if the weakest pays nothing), and what edges remain if the prices
    are applied to other deals than those that they were estimated on.
    """
    rows = part.drop_nulls(["together", "bid"])
    head = f"{head_of(part)}, "
    if rows.height < 2:
        return [(f"{head}all paying at once: no prices found that make all of them fair together.", ())]
    (_, pays), (_, gets) = confirmed_prices(part, "together")
    named = [("pays", row) for row in pays[:NAMED]] + [("gets", row) for row in gets[:NAMED]]
    sentence = f"{head}all paying at once: each price may be 0 ({AT_ONCE})."
    if named:
        amounts = listed([price_amount(row, verb, "together", 1) for verb, row in named])
        more = "" if len(named) == part.height else f"; the table has the other {part.height - len(named)}"
        sentence = f"{head}all paying at once: fair if {amounts} points ({AT_ONCE}){more}."
    said = [claiming_prices(sentence, "price when all pay", [row for _, row in named], "together", noun)]
    bids = part.filter(pl.col("bid_family_low") > 0).sort("bid", descending=True).head(1).to_dicts()
    if bids:
        weakest = part.sort("together", nulls_last=True, descending=True)["faction"][0]
        of = f"{head}as bids, if the weakest costs 0 (as observed {weakest})"
        sentence = f"{of}: {price_amount(bids[0], 'pays', 'bid', 1)} points."
    else:
        most = rows.sort("bid", descending=True).row(0, named=True)
        seen = f"the largest observed is that of {most['faction']}, {number(most['bid'])} points"
        sentence = f"{head}as bids, if the weakest costs 0: none is confirmed; {seen}."
    said.append(claiming_prices(sentence, "bid", bids, "bid", noun))
    known = rows.drop_nulls("left_low").to_dicts()
    if known:
        widest = max(known, key=lambda row: abs(float(row["left"])))
        held = sum(row["left_low"] <= 0 <= row["left_high"] for row in known)
        tested = f"{head}prices estimated on half of the deals, applied to the other half"
        largest = f"the largest observed edge is {widest['faction']} ({points(widest['left'])} points)"
        said += unclaimed([f"{tested}: {held} of {len(known)} 95 % intervals include 0; {largest}."])
    return said


def otherwise_words(frame: pl.DataFrame, so: str) -> list[str]:
    """State the share of games that points do not decide, and the consequence `so`. Empty if the share is small."""
    share = float(frame["otherwise"].to_numpy().max())
    return [f"{percent(share)} of the games are not decided by points{so}."] if share > FEW_OTHERWISE else []


def priced_games_words(run: Run, frame: pl.DataFrame) -> list[str]:
    """Say how many games were read, if they were not all."""
    read = round(float((frame["games"] / frame["players"]).sum()))
    there = games_of_several(run.manifest)
    return [f"Prices come from the first {counted(read, 'game')} of {count(there)}."] if read < there else []


def beside_section(run: Run, faction: str, noun: str) -> Section:
    """Return the section on the price of one faction beside each neighbour."""
    frame = prices_beside(run, faction)
    known = frame.filter(pl.col("low").is_not_null() & pl.col("high").is_not_null())
    said = [f"With two players, or too few games, prices by neighbour are not known for {faction}."]
    if known.height:
        said = neighbour_range_words(faction, known.to_dicts(), "points")
    columns = (
        Column("neighbour", "beside", "text"),
        *players_column(frame),
        Column("price", "price", "number", "low", "high", "points that make it fair, if only it is priced"),
        Column("games", "games", "count"),
    )
    listing = Listing("price beside", f"Price of {faction} by neighbour, points", frame, columns)
    return Section("price beside", f"The price of {faction} beside each {noun}", tuple(said), (listing,))


def neighbour_range_words(faction: str, known: list[dict[str, Any]], unit: str) -> list[str]:
    """State beside which neighbour a faction's price is lowest and beside which it is highest.

    `known` are the rows with two known limits.
    """
    rows = sorted(known, key=lambda row: float(row["price"]))
    least, most = (f"{row['price']:+.1f} {unit}" for row in (rows[0], rows[-1]))
    if len(rows) == 1:
        return [f"Only beside {rows[0]['neighbour']} the price of {faction} is known: as observed {least}."]
    ends = f"lowest beside {rows[0]['neighbour']} ({least}), highest beside {rows[-1]['neighbour']} ({most})"
    return [f"Observed price of {faction}: {ends}; intervals are in the table."]


def neighbours_section(frame: pl.DataFrame, noun: str, unit: str) -> Section | None:
    """Return the section on the price of every faction by neighbour, in games where neighbours matter.

    `frame` is from `statistics.factions.price.with_apart`. None if no price is known.
    """
    known = frame.filter(pl.col("price").is_not_null())
    if not known.height:
        return None
    apart = frame.filter("apart").sort(pl.col("differs").abs(), descending=True).head(NAMED).to_dicts()
    none = "no price differs from that with the same one further away, corrected for all pairs"
    said = f"No neighbour is shown to change a price: {none}."
    if not frame["differs"].count():
        alone = bool((frame["players"] <= MIN_PLAYERS_WITH_NEIGHBOURS).all())
        why = "every other seat is a neighbour" if alone else "too few games have the two further apart"
        said = f"The effect of neighbours on prices is unknown: {why}."
    if apart:
        words = "{faction} {differs:+.1f} beside {neighbour} ({differs_low:+.1f} to {differs_high:+.1f})"
        apart_by = [words.format(**row) for row in apart]
        more = int(frame["apart"].sum()) - len(apart)
        and_more = f", and {counted(more, 'pair')} more" if more else ""
        named = ", ".join(apart_by) if more else listed(apart_by)
        against = f"in {unit} against tables with the same one further away"
        said = f"Neighbours change prices, {against}: {named}{and_more} (95 % limits for all pairs)."
    claims = claims_on(
        "price by neighbour", apart, said, f"{frame['differs'].count()} pairs",
        ("differs", "differs_low", "differs_high"), lambda row: f"{named_row(row)}, beside {row['neighbour']}",
    )  # fmt: skip
    columns = (
        Column("faction", noun, "text"),
        Column("neighbour", "beside", "text"),
        *players_column(frame),
        Column("price", "price", "number", "low", "high", f"{unit} that make it fair beside this one"),
        limited("differs", "against further away", "number", AGAINST_FURTHER),
        Column("games", "games", "count"),
    )
    listing = Listing("price neighbours", f"Prices by neighbour, {unit}", frame, columns, folded=True)
    pictures = tuple(
        Picture(f"price neighbours {players}", partial(draw_beside, part, noun, f"{players} players"), said)
        for (players,), part in known.group_by(["players"], maintain_order=True)
    )
    title = f"Prices by who sits beside a {noun}"
    return Section("price neighbours", title, (said,), (listing,), pictures, claims=claims)


@styled
def draw_beside(frame: pl.DataFrame, noun: str, title: str, ax: Axes | None = None) -> Axes:
    """Draw the price of each faction (rows) by neighbour (columns).

    Prices that certainly depend on the neighbour are bold and coloured.
    """
    names = sorted(set(frame["faction"]) | set(frame["neighbour"]))
    place = {name: number for number, name in enumerate(names)}
    values, texts = np.full((len(names),) * 2, np.nan), np.full((len(names),) * 2, "", object)
    for row in frame.to_dicts():
        at = place[row["faction"]], place[row["neighbour"]]
        texts[at] = typeset(f"{row['price']:+.0f}")
        values[at] = row["differs"] if row["apart"] else np.nan
    ax = styled_axes(ax, 1.9 + 0.42 * len(names), 1.7 + 0.3 * len(names), f"Price of each {noun} by neighbour, {title}")
    widest = max(float(np.nanmax(np.abs(np.append(values, 0)))), 1.0)
    draw_cells(ax, values, texts, np.isfinite(values), widest)
    label_cells(ax, names, names)
    said = "coloured: differs from the price with the same one further away, corrected for all pairs"
    ax.set_xlabel(said, fontsize=9, color=NEUTRAL)
    return ax


@styled
def draw_prices(frame: pl.DataFrame, title: str, unit: str = "points", ax: Axes | None = None) -> Axes:
    """Draw the price of each faction with its interval. Prices of factions that pay are at the left."""
    rows = frame.sort("price").to_dicts()
    ax = styled_axes(ax, NARROW, 1.2 + 0.28 * len(rows), title)
    for place, row in enumerate(rows):
        sure = (row["price_family_low"] or 0) > 0 or (row["price_family_high"] or 0) < 0
        colour = (STRONG if row["price"] < 0 else WEAK) if sure else NEUTRAL
        if row["low"] is not None and row["high"] is not None:
            ax.hlines(place, row["low"], row["high"], colour, lw=2.2)
        ax.scatter(row["price"], place, 36, colour if sure else "white", edgecolors=colour, lw=1.5, zorder=3)
        if row.get("together") is not None:
            ax.hlines(place + BELOW, row["together_low"], row["together_high"], INK, lw=1.1)
            ax.scatter(row["together"], place + BELOW, 30, INK, marker="|", zorder=4)
        value_beside(ax, place, typeset(f"{row['price']:+.1f}"), colour)
    ax.axvline(0, color=INK, lw=1.1, ls=(0, (4, 3)), zorder=0)
    label_rows(ax, [row["faction"] for row in rows])
    ax.xaxis.set_major_formatter(signed)
    stroke = "; thin line: if all pay" if "together" in frame.columns else ""
    ax.set_xlabel(f"{unit} that make it fair; bar: 95 % interval{stroke}", fontsize=9, color=NEUTRAL)
    return ax
