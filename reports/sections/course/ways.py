"""Section on ways to win: groups of seats that scored alike, how often each wins, and factions with only one way."""

from __future__ import annotations

from functools import partial

import polars as pl

from reports.claims import Said, claiming, split_claims, unclaimed
from reports.data.load import Run
from reports.drawing import NEUTRAL, PARTS, WIDTH, Axes, styled, styled_axes
from reports.formatting import capital, counted, edge_between, listed, number, percent
from reports.model import Column, Listing, Picture, Section
from reports.statistics.course.ways import ONLY, STRONG, Ways, ways_of

WAY_COLUMNS = (
    Column("way", "way", "text"),
    Column("share", "of all wins", "share"),
    Column("games", "seats", "count", meaning="winners and losers who scored so"),
    Column("win_rate", "win rate", "share", "low", "high"),
    Column("edge", "edge", "edge"),
    Column("verdict", "verdict", "text", meaning="corrected for all rows"),
)
NUMBER_COLUMNS = (
    Column("groups", "groups", "count"),
    Column("effective", "effective number", "number", meaning="equally frequent ways that are as diverse"),
    Column("low", "from", "number", meaning="95 % limits"),
    Column("high", "to", "number"),
    Column("apart", "apart", "text", meaning="no: winners form one cloud, and the groups are its parts"),
)
FACTION_COLUMNS = (
    Column("faction", "faction", "text"),
    Column("wins", "wins", "count"),
    Column("ways", "ways", "number", meaning="effective number: equally frequent ways that are as diverse"),
    Column("main", "most wins by", "text"),
    Column("share", "of its wins", "share", "low", "high"),
    Column("only", "only one", "text", meaning=f"surely more than {percent(ONLY, 0)} of its wins"),
)
READING = (
    "A way is a group of winners who scored and acted alike: the shares of the score's parts, and what seats did. "
    "Groups are found on one half of the deals, and rates are those of the other. A way is named by what its winners "
    "have more of than all winners. A way that wins less may be taken by seats that could not do better: "
    "`empirelab intervene --forbid` plays without it."
)


def ways_section(run: Run) -> Section:
    """Return the section on ways to win of a run."""
    return section_of_ways(ways_of(run), run.manifest.faction_title.lower() or "faction")


def section_of_ways(found: Ways | str, noun: str) -> Section:
    """Return the section on ways to win. `noun` is the game's word for a faction.

    If `found` is a text, it says why there are no results.
    """
    if isinstance(found, str):
        return Section("ways", "Ways to win", (found,))
    sentences, claims = split_claims(
        [*unclaimed(ways_count_words(found)), *rate_words(found), *faction_words(found, noun)]
    )
    listings = []
    if len(found.names) > 1:
        whole, low, high = found.effective
        row = {"groups": len(found.names), "effective": whole, "low": low, "high": high,
               "apart": "yes" if found.apart else "no"}  # fmt: skip
        listings.append(Listing("ways", "How often each way wins", found.frame, WAY_COLUMNS))
        listings.append(Listing("ways number", "How many ways", pl.DataFrame([row]), NUMBER_COLUMNS))
    columns = tuple(Column(name, name.replace("_", " "), "number") for name in found.means.columns[1:])
    title = "What winners have, by way"
    listings.append(Listing("ways means", title, found.means, (Column("way", "way", "text"), *columns), folded=True))
    if found.factions.height and len(found.names) > 1:
        shown = tuple(Column(one.name, noun, "text") if one.name == "faction" else one for one in FACTION_COLUMNS)
        listings.append(Listing("ways faction", f"Ways by {noun}", found.factions, shown))
    pictures = [Picture("ways", partial(draw_ways, found), f"How often each way wins. {sentences[0]}")]
    return Section("ways", "Ways to win", sentences, tuple(listings), tuple(pictures), READING, claims=claims)


def ways_count_words(found: Ways) -> list[str]:
    """Say how many ways to win there are, and how evenly wins are distributed among them."""
    if len(found.names) == 1:
        again = "no two groups of them are found again in other games"
        return [f"Winners score alike: {again}, so there is one way to win, with shades."]
    whole, _, _ = found.effective
    rows = found.frame.to_dicts()
    shares = listed([f"{row['way']} ({percent(row['share'], 0)})" for row in rows])
    cloud = "They are not clearly apart: winners form one cloud, and the groups are its parts."
    return [
        f"Winners belong to {counted(len(rows), 'group')} that show up again in other games, with these shares of all "
        f"wins: {shares}.{'' if found.apart else f' {cloud}'}",
        f"That is as much variety as {number(whole)} ways that win equally often.",
    ]


def rate_words(found: Ways) -> list[Said]:
    """Say which ways certainly win more or less than their fair share."""
    said = list[Said]()
    for row in found.frame.to_dicts():
        if not row["verdict"] or not (row["family_low"] > 0 or row["family_high"] < 0):
            continue
        edge = edge_between(row["edge"], row["family_low"], row["family_high"])
        what = "is dominated" if row["edge"] < 0 else "is ahead"
        text = f"{capital(row['way'])} {what}: the edge of seats that score this way is {edge}."
        said.append(claiming(text, "way", [row | {"level": row["way"]}], counted(found.frame.height, "way")))
    return said


def faction_words(found: Ways, noun: str) -> list[Said]:
    """Name the factions that certainly have only one way to win."""
    rows = found.factions.filter(pl.col("only") != "").to_dicts()
    said = list[Said]()
    for row in rows:
        text = (
            f"{row['faction']} has only one way to win: {percent(row['share'], 0)} of its wins are by "
            f"'{row['main']}' (surely more than {percent(row['family_low'], 0)})."
        )
        family = f"{found.factions.height} {noun}s, each with {len(found.names)} ways"
        named = row | {"level": f"{row['faction']}: {row['main']}", "family_high": None}
        said.append(claiming(text, "one way", [named], family, "share"))
    return said


@styled
def draw_ways(found: Ways, ax: Axes | None = None) -> Axes:
    """Draw the shares of wins by way: of all wins, then of each faction's wins, the least diverse faction first."""
    order = found.frame["way"].to_list()
    rows = [("all wins", dict(found.frame.select("way", "share").rows()))]
    if len(found.names) > 1:
        shares = {row.pop("faction"): row for row in found.shares.to_dicts()}
        rows += [(name, shares[name]) for name in found.factions["faction"].to_list()]
    ax = styled_axes(ax, WIDTH, 1.3 + 0.26 * len(rows), "Ways to win")
    for place, (_, shares_of) in enumerate(rows):
        left = 0.0
        for colour, way in enumerate(order):
            share = 100 * float(shares_of[way])
            ax.barh(place, share, left=left, height=0.8, color=PARTS[colour % len(PARTS)], edgecolor="white", lw=0.8,
                    label=way if place == 0 else None)  # fmt: skip
            left += share
    ax.set_yticks(range(len(rows)), [name for name, _ in rows])
    ax.set_ylim(len(rows) - 0.5, -0.6)
    ax.set_xlim(0, 100)
    ax.set_xlabel(f"share of wins; groups with a prediction strength of {STRONG:g} or more", fontsize=9, color=NEUTRAL)
    ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.9 / (1.0 + 0.26 * len(rows))), ncols=3, frameon=False,
              fontsize=8)  # fmt: skip
    return ax
