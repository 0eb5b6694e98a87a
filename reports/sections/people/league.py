"""The report of a league: which factions and seats win too often, adjusted for players, and who plays well."""

from __future__ import annotations

from functools import partial
from typing import Any

import polars as pl

from reports.claims import Claim, Said, claiming, unclaimed
from reports.formatting import (
    capital,
    chance,
    count,
    counted,
    listed,
    margin_words,
    points,
    round_up,
    signed_number,
    size,
    some,
)
from reports.model import Column, Listing, Picture, Section, limited, said_section
from reports.sections.people.filters import filter_values_section
from reports.sections.strength.ratings import draw_strengths
from reports.statistics.core.decisions import margin_of
from reports.statistics.people.model import MIN_GAMES
from reports.statistics.people.results import ELO, PeopleResults, people_results, precision_by_league_size
from sim.league.read import League

AMONG = "edge among people"
STRENGTH = "strength of a player"
TREND = "trend among people"
SHOWN_PLAYERS = 100
EQUAL = "among players of equal strength"


def league_sections(league: League, margin: float) -> list[Section]:
    """Return the report of a league. Edges up to `margin`, in percentage points, count as balanced."""
    return sections_from_results(people_results(league, margin_of(margin)))


def sections_from_results(found: PeopleResults) -> list[Section]:
    """Return the sections of a league in the order shown."""
    parts = [balance_section(found), seats_section(found), players_section(found), trend_section(found),
             filter_values_section(found.league), more_section(found), source_section(found.league)]  # fmt: skip
    return [part for part in parts if part is not None]


def league_heading(league: League) -> tuple[str, str]:
    """Return the title and the subtitle of a league's page."""
    sizes = sorted(league.seats["players"].unique())
    people = counted(league.seats["player"].drop_nulls().n_unique(), "person").replace("persons", "people")
    said = [f"{counted(league.games, 'real game')} of {listed(sizes, 'or')} players", people, days_of(league)]
    return f"{league.name}: who wins too often?", " · ".join(filter(None, said))


def days_of(league: League) -> str:
    """Return the first and the last day of a league: 'from 2023-01-08 to 2025-04-13'. Empty without dates."""
    days = league.seats["date"].drop_nulls().unique().sort().cast(pl.String)
    return f"from {days[0]} to {days[-1]}" if len(days) else ""


def judged_rows_words(found: PeopleResults) -> str:
    """Name the rows that are judged together: '16 rows of factions and seats'."""
    rows = found.edges.filter("judged")
    return f"{rows.height} rows of {'factions and seats' if found.sheet.seats else 'factions'}"


def edge_limits(row: dict[str, Any], value: str = "edge") -> str:
    """Format an edge or a difference with its limits for all rows: '+7.6 points (+2.0 to +13.5)'."""
    return f"{points(row[value])} points ({points(row['family_low'])} to {points(row['family_high'])})"


def balance_headline(found: PeopleResults) -> list[Said]:
    """Say which factions are out of balance among players of equal strength, and how certain that is."""
    rows = found.edges.filter((pl.col("table") == "faction") & pl.col("judged")).sort("edge", descending=True)
    hits, family = rows.filter(pl.col("flag") != "").to_dicts(), judged_rows_words(found)
    if rows.is_empty():
        return [(f"Nothing can be judged: no faction has {MIN_GAMES} games that determine its strength.", ())]
    if not hits:
        widest = max(rows.to_dicts(), key=lambda row: abs(row["edge"]))
        seen = f"The largest observed edge, that of {widest['level']} ({points(widest['edge'])} points), may be chance."
        return [(f"No faction was found out of balance {EQUAL}. {seen}", ())]
    strong = [f"{row['level']} {edge_limits(row)}" for row in hits if row["edge"] > 0]
    weak = [f"{row['level']} {edge_limits(row)}" for row in reversed(hits) if row["edge"] < 0]
    parts = [f"too {word}: {some(named)}" for word, named in (("strong", strong), ("weak", weak)) if named]
    said = f"{capital('; '.join(parts))}, {EQUAL}."
    which = "produce an edge this clear" if len(hits) == 1 else "match the clearest edge here"
    odds = chance(min(row["p_family"] for row in hits))
    many = f"{len(hits)} of {rows.height} factions flagged"
    sure = f"Evidence: in a balanced game, luck would {which} in {odds} leagues ({many})."
    return [claiming(said, AMONG, hits, family), claiming(sure, AMONG, hits, family)]


def balance_section(found: PeopleResults) -> Section:
    """Return the section on factions: which win too often, which are within the margin, and all adjusted edges."""
    frame = found.edges.filter(pl.col("table") == "faction").sort("edge", descending=True)
    parts = [*balance_headline(found), *within_words(found), *most_adjusted_words(frame), *visible_words(found)]
    columns = (
        Column("flag", "", "flag", meaning=f"strong or weak {EQUAL}"),
        Column("level", "faction", "text"),
        limited("edge", "adjusted edge", "edge", f"wins above the fair share {EQUAL}, points"),
        Column("standing", "decision", "text", meaning="limits for all rows against the margin"),
        Column("plain_edge", "plain edge", "edge", meaning="wins above the fair share as counted"),
        Column("win_rate", "wins", "share", "low", "high", "share of its games that it won, ties shared"),
        Column("fair", "fair", "share", meaning="mean of 1/players over its games", further=True),
        Column("games", "games", "count", meaning="how often it was played"),
        Column("people", "people", "count", meaning="how many different players played it"),
        Column("pick_rate", "picked", "share", meaning="share of all seats that took it"),
    )
    listing = Listing("people faction", "Factions", frame, columns, whole=True)
    judged = frame.filter("judged").with_columns(pl.col("plain_edge").alias("raw_edge"))
    pictures = []
    if judged.height:
        ends = [f"{judged['level'][place]} {points(judged['edge'][place])}" for place in (0, -1)]
        text = f"Adjusted edge of each faction in points: {' to '.join(ends)}."
        pictures.append(Picture("people faction", partial(draw_strengths, judged), text))
    parts += unjudged_words(frame)
    return said_section("balance", "Who wins too often?", parts, [listing], pictures, READING)


def unjudged_words(frame: pl.DataFrame) -> list[Said]:
    """Name the factions that are not judged, and say why. `frame` has `level`, `games` and `judged`."""
    few = pl.col("games") < MIN_GAMES
    reasons = (
        (few, f"with fewer than {MIN_GAMES} games"),
        (~few & ~pl.col("judged"), "as these games do not determine their strength"),
    )
    named = [(why, frame.filter(which)["level"].to_list()) for which, why in reasons]
    return unclaimed([f"Listed but not judged, {why}: {some(names)}." for why, names in named if names])


READING = (
    "The adjusted edge compares players with themselves: how they finish with a faction and without it, against the "
    "opponents they met. It is what the faction would win above its fair share at the tables that were played, if all "
    "players were equally strong. The plain edge counts wins; it also shows who played the faction. Intervals "
    "allow for games of one player, and of one evening, that go together."
)


def within_words(found: PeopleResults) -> list[Said]:
    """Name the factions whose limits lie within the margin."""
    rows = found.edges.filter((pl.col("table") == "faction") & (pl.col("standing") == "within the margin")).to_dicts()
    if not rows:
        return []
    said = f"Within {margin_words(found.margin)} of fair: {some([row['level'] for row in rows])}."
    family = judged_rows_words(found)
    claims = [Claim("within the margin", row["level"], row["edge"], -found.margin, found.margin, family, said)
              for row in rows]  # fmt: skip
    return [(said, tuple(claims))]


def most_adjusted_words(frame: pl.DataFrame) -> list[Said]:
    """Name the judged faction whose edge changes most by the adjustment for players, seats and opponents."""
    rows = frame.filter("judged").to_dicts()
    if not rows:
        return []
    row = max(rows, key=lambda row: abs(row["edge"] - row["plain_edge"]))
    moved = f"from {points(row['plain_edge'])} points, plainly counted, to {points(row['edge'])}"
    return unclaimed([f"The adjustment for players, seats and opponents moves {row['level']} most: {moved}."])


def visible_words(found: PeopleResults) -> list[Said]:
    """State the edges that this league detects with 80 % power, for the factions known best and worst."""
    frame = precision_by_league_size(found)
    if frame.is_empty():
        return []
    best, least = size(frame["best"][0], 1), size(frame["least"][0], 1)
    seen = f"an edge of {best} to {least} points, by faction, in four leagues of five"
    return unclaimed([f"What this league could see: {seen}."])


def seats_section(found: PeopleResults) -> Section | None:
    """Return the section on seats. None if seats are unknown."""
    frame = found.edges.filter(pl.col("table") == "seat")
    if frame.is_empty():
        return None
    first, family = frame.row(0, named=True), judged_rows_words(found)
    hits = frame.filter((pl.col("flag") != "") & (pl.col("level") != first["level"])).to_dicts()
    if not first["judged"]:
        said = unclaimed([f"The first seat has fewer than {MIN_GAMES} games."])
    elif first["flag"]:
        which = "advantage" if first["edge"] > 0 else "disadvantage"
        text = f"First-player {which}: the edge of the first seat {EQUAL} is {edge_limits(first)}."
        said = [claiming(text, AMONG, [first], family)]
    else:
        seen = f"the first seat has {points(first['edge'])} points {EQUAL}"
        said = unclaimed([f"No first-player advantage was found: {seen}."])
    if hits:
        named = some([f"{row['level']} {edge_limits(row)}" for row in hits])
        said.append(claiming(f"Also out of balance: {named}.", AMONG, hits, family))
    columns = (
        Column("flag", "", "flag"),
        Column("level", "seat", "text"),
        limited("edge", "adjusted edge", "edge", "wins above the fair share, all else equal"),
        Column("games", "games", "count"),
        Column("standing", "decision", "text"),
    )
    return said_section("seats", "First-player advantage", said, [Listing("people seat", "Seats", frame, columns)])


def players_section(found: PeopleResults) -> Section:
    """Return the section that ranks players by adjusted strength. It only says why if there is no ranking."""
    frame = found.players
    known = frame.filter(pl.col("error").is_not_null())
    once = int(found.league.seats["player"].value_counts().filter(pl.col("count") == 1).drop_nulls().height)
    if known.is_empty():
        return Section("players", "Players", ("No player has two games, so players cannot be ranked.",))
    family = f"{known.height} players"
    hits = known.filter(pl.col("flag") != "").to_dicts()
    said: list[Said] = []
    for word, rows in (("stronger", [row for row in hits if row["flag"] == "strong"]),
                       ("weaker", [row for row in reversed(hits) if row["flag"] == "weak"])):  # fmt: skip
        if rows:
            named = some([f"{row['player']} ({elo_words(row)})" for row in rows])
            text = f"{capital(word)} than the average player, in points of the Elo scale: {named}."
            said.append(claiming(text, STRENGTH, rows, family, "strength", called=lambda row: str(row["player"])))
    if not hits:
        said += unclaimed(["No player was found to be stronger or weaker than the average."])
    pooled = f" Players with one game ({count(once)}) count together as newcomers." if once else ""
    note = f"Strengths are shrunk towards the average, the more so the fewer games a player has.{pooled}"
    columns = (
        Column("flag", "", "flag", meaning="stronger or weaker than the average player"),
        Column("player", "player", "text"),
        Column("elo", "Elo scale", "number", meaning="1500 is the average player; 400 more are odds of ten to one"),
        Column("elo_low", "from", "number", meaning="lower limit, 95 %"),
        Column("elo_high", "to", "number", meaning="upper limit, 95 %"),
        Column("strength", "log strength", "number", meaning="the average player has 0"),
        Column("games", "games", "count"),
        Column("wins", "wins", "number", meaning="a win is shared by those who tie"),
    )
    listing = Listing("people player", "Players, the strongest first", known.head(SHOWN_PLAYERS), columns)
    return said_section("players", "Players", [*said, *unclaimed([note])], [listing], reading=PLAYERS_READING)


PLAYERS_READING = (
    "Intervals suppose that places follow the model of Plackett and Luce. In made-up leagues 94 to 99 % of them hold a "
    "player's strength, and 93 % where places follow another law."
)


def elo_words(row: dict[str, Any]) -> str:
    """Format a player's strength with limits, in points of the Elo scale: '+351, +143 to +558'."""
    strength, low, high = (signed_number(ELO * row[name], 0) for name in ("strength", "family_low", "family_high"))
    return f"{strength}, {low} to {high}"


def trend_section(found: PeopleResults) -> Section | None:
    """Return the section on how edges change over time. None without dates."""
    if found.trend is None:
        return None
    frame = found.trend.sort("edge", descending=True)
    days = days_of(found.league)
    hits = frame.filter(pl.col("flag") != "").to_dicts()
    family = f"{frame.filter('judged').height} factions"
    if hits:
        named = some([f"{row['level']} {edge_limits(row)}" for row in hits])
        said = [claiming(f"Changes of the adjusted edge {days}: {named}.", TREND, hits, family)]
    else:
        said = unclaimed([f"No faction was found to win more or less as time went on, {days}."])
    columns = (
        Column("flag", "", "flag", meaning="wins more or less as time goes on"),
        Column("level", "faction", "text"),
        limited("edge", "change", "edge", "edge on the last day less that on the first, points"),
        Column("games", "games", "count"),
    )
    listing = Listing("people trend", "Change of the adjusted edge over time", frame, columns)
    return said_section("trend", "Trend", [*said, *unjudged_words(frame)], [listing])


def more_section(found: PeopleResults) -> Section | None:
    """Return the section on which edges more games would detect. None if that cannot be computed."""
    frame = precision_by_league_size(found)
    if frame.is_empty():
        return None
    needed = round_up(found.league.games * (frame["least"][0] / found.margin) ** 2)
    said = (
        f"An edge of {margin_words(found.margin)} takes about {count(needed)} games to be found with every faction, if "
        "the games to come are like these and also have new players and evenings."
    )
    half = "half width of the 95 % interval of the faction known worst, points"
    columns = (
        Column("games", "games", "count"),
        Column("half", "interval, worst known ±", "size", meaning=half),
        Column("best", "finds, best known", "size", meaning="in four of five leagues, faction known best, points"),
        Column("least", "finds, worst known", "size", meaning="the same for the faction known worst, points"),
    )
    listing = Listing("people more", "By number of games", frame, columns)
    return Section("more", "What more games would tell", (said,), (listing,))


def source_section(league: League) -> Section | None:
    """Return the section on how the file was read and which rows were left out. None if there is nothing to report."""
    seats = league.seats
    said = [f"Columns: {'; '.join(league.columns)}."] if league.columns else []
    said += [f"{capital(text)}." for text in league.notes]
    for kind in ("player", "faction"):
        if unknown := seats[kind].null_count():
            said.append(f"{counted(unknown, 'seat')} without a {kind} count as one unknown {kind}.")
    if not seats["order"].all():
        games = seats.filter(~pl.col("order"))["game"].n_unique()
        said.append(f"In {counted(games, 'game')} only who won is known, so they tell less.")
    if seats["seat"].null_count():
        said.append("Seats are not known, so nothing is said on a first-player advantage.")
    if seats["date"].null_count() == seats.height:
        said.append("Dates are not known: games count in the order of the file, and no trend is looked for.")
    if league.anonymous:
        said.append("Names of players and events are replaced by numbers.")
    listings = []
    if league.left_out:
        frame = pl.DataFrame({"what": list(league.left_out)})
        what = Column("what", "what and why", "text")
        listings.append(Listing("people left out", "Left out", frame, (what,), folded=True))
    if league.similar:
        frame = pl.DataFrame(list(league.similar), ["one", "other"], orient="row")
        columns = (Column("one", "one name", "text"), Column("other", "another", "text"))
        listings.append(Listing("people similar", "Names that may be one", frame, columns, folded=True))
    if not said and not listings:
        return None
    return Section("source", "How the results were read", tuple(said), tuple(listings))
