"""The details of why a faction wins: on the way, in company, with its pieces, adjusted, game by game."""

from __future__ import annotations

import shlex
from functools import partial
from pathlib import Path
from typing import Any

import polars as pl

from reports.data.beside import Beside
from reports.data.load import Run, piece_noun
from reports.sections.explained_figures import draw_chances, draw_taken
from reports.sections.luck import moment_title
from reports.shapes import Column, Listing, Picture, Section
from reports.statistics.beside import by_company, by_players, chances_by_lead, leads_on_the_way
from reports.statistics.beside_games import chosen_games
from reports.statistics.beside_pieces import games_read, pieces_beside
from reports.statistics.winshare import ALPHA
from reports.words import capital, count, counted, edge_words, listed, percent, plural, points

NAMED = 3
FEW_ROWS = 8
"""More rows than these stand behind a fold."""
RARE = 0.02
"""A piece that is taken first in fewer of the games is not named as a first choice."""
WHY = {
    "typical win": "a win as most are, part by part",
    "typical loss": "a loss as most are, part by part",
    "telling": "where it shows clearly what sets it apart",
    "closest": "decided by the least",
    "turned": "won from furthest behind",
}


def lead_section(found: Beside) -> Section | None:
    """When it is ahead, and what it wins by how far it is; None where nothing is known from before the end."""
    if not found.moments:
        return None
    frame, chances = leads_on_the_way(found), chances_by_lead(found)
    titled = {name: moment_title(name) for name in found.moments} | {"score": "at the end"}
    frame = frame.with_columns(pl.col("moment").replace_strict(titled, default=pl.col("moment")))
    last = frame.row(-2, named=True)
    said = [
        f"In front {last['moment']} it wins {percent(last['wins_leading'])} (others in front: "
        f"{percent(last['others_leading'])}), behind {percent(last['wins_behind'])} (others: "
        f"{percent(last['others_behind'])})."
    ]
    turned = behind_words(found, chances)
    columns = (
        Column("moment", "moment", "text"),
        Column("led", "has most points", "share", "led_low", "led_high", "of its games, ties shared"),
        Column("fair", "fair", "share"),
        Column("ahead", "points ahead", "number", "ahead_low", "ahead_high", "more than the mean of the others"),
        Column("wins_leading", "then wins", "share", meaning="of the games in which it has most points at that moment"),
        Column("others_leading", "others then win", "share"),
        Column("wins_behind", "wins from behind", "share"),
        Column("others_behind", "others from behind", "share"),
    )
    listings = [Listing("lead", "When it is ahead", frame, columns)]
    pictures: tuple[Picture, ...] = ()
    if chances.height:
        written = chances.with_columns(
            pl.col("moment").replace_strict(titled), step_words(chances).alias("points ahead of the best other")
        )
        shown = (
            Column("moment", "moment", "text"),
            Column("points ahead of the best other", "points ahead of the best other", "text"),
            Column("share", "wins", "share", "low", "high"),
            Column("others", "others win", "share", meaning="the other seats of its tables at the same distance"),
            Column("games", "games", "count"),
            Column("others_games", "of others", "count"),
        )
        listings.append(Listing("chances", "Chance to win by round and deficit", written, shown, folded=True))
        draw = partial(draw_chances, chances, found.faction, {name: titled[name] for name in found.moments})
        pictures = (Picture("chances", draw, said[0]),)
    reading = (
        "Points are those the game would end with if it stopped then. Lines: chance to win by the distance to the best "
        "other, solid for it, dashed for the others at its tables. A solid line above the dashed one, by more than "
        "its interval, means that it makes more of the same standing."
    )
    return Section("on the way", "When it takes the lead", (*said, *turned), tuple(listings), pictures, reading)


def step_words(chances: pl.DataFrame) -> pl.Series:
    """Steps of leads as words: '-12 to -5'."""
    rows = chances.select("least", "most").iter_rows()
    return pl.Series([f"{low:+.0f}" if low == high else f"{low:+.0f} to {high:+.0f}" for low, high in rows])


def behind_words(found: Beside, chances: pl.DataFrame) -> list[str]:
    """Say what it still wins from the largest deficit before the end."""
    if not chances.height:
        return []
    row = chances.filter(pl.col("moment") == found.moments[-1]).row(0, named=True)
    if row["least"] >= 0:
        return []
    return [
        f"{-row['most']:.0f} points or more behind {moment_title(found.moments[-1])} it still wins "
        f"{percent(row['share'])} of {counted(row['games'], 'game')} (others {percent(row['others'])})."
    ]


def company_section(found: Beside, dealt: bool) -> Section:
    """With which players and beside whom it wins more; `dealt`: whether the deal says who meets, not a choice."""
    players, company = by_players(found), by_company(found)
    said = [widest_words(players)]
    if players.height < 2:
        said = ["One strategy plays all seats, so nothing is known of players."]
    of_players = (
        Column("strategy", "player", "text"),
        Column("share", "wins", "share", "low", "high"),
        Column("others", "others with this player", "share", meaning="what the same player wins at its tables without"),
        Column("games", "games", "count"),
    )
    listings = [Listing("players", "By player", players, of_players, folded=players.height > FEW_ROWS)]
    if company.height > 1:
        several = bool(company["left_difference"].is_not_null().any())
        widest = company.filter(pl.col("low").is_not_null()).sort(pl.col("difference").abs(), descending=True)
        if widest.height and not (company["flag"] != "").any():
            row = widest.row(0, named=True)
            said.append(
                f"Nobody's company changes its wins for sure; widest is {row['with']}: {points(row['difference'])} ± "
                f"{50 * (row['high'] - row['low']):.1f} points."
            )
        of_company = (
            Column("with", "at the table", "text"),
            Column("flag", "flag", "text"),
            Column("difference", "change", "edge", "low", "high", "its wins with this company less those without"),
            *(
                Column(f"{side}_difference", f"at its {side}", "edge", f"{side}_low", f"{side}_high",
                       f"the same where it sits at its {side}, in the seat "
                       f"{'before' if side == 'left' else 'after'} it")
                for side in ("left", "right") if several
            ),
            Column("share", "wins", "share"),
            Column("games", "games", "count"),
            Column("p_holm", "p", "p"),
        )  # fmt: skip
        folded = company.height > FEW_ROWS
        listings.append(Listing("company", "By who else sits at the table, and beside it", company, of_company, folded))
    cause = (
        "Who sits where is dealt, so that company causes the change under these players."
        if dealt
        else f"Players choose their {plural(found.noun)}, so that company goes with the change and need not cause it."
    )
    reading = (
        f"{cause} Left is the seat before, right the seat after; whether neighbours matter is for the game to say."
    )
    return Section("company", "Players and company", tuple(said), tuple(listings), (), reading)


def widest_words(players: pl.DataFrame) -> str:
    """Say how far apart its players are at most, and whether that is beyond their intervals."""
    best, worst = players.row(0, named=True), players.row(-1, named=True)
    far = f"From {best['strategy']} to {worst['strategy']} its share of wins differs by "
    apart = None not in (best["low"], worst["high"]) and best["low"] > worst["high"]
    more = "" if apart else " (their intervals overlap: they are not told apart)"
    return f"{far}{100 * (best['share'] - worst['share']):.1f} points{more}."


def pieces_section(run: Run, found: Beside) -> Section | None:
    """What it puts in play, takes first and wins with; None for a run that kept no pieces."""
    frame = pieces_beside(run, found)
    if frame is None or not frame.height:
        return None
    noun = piece_noun(run.manifest)
    more, less = frame.filter(pl.col("flag") == "more"), frame.filter(pl.col("flag") == "less").reverse()
    said = []
    for part, word in ((more, "more"), (less, "less")):
        if part.height:
            named = [rate_words(row) for row in part.head(NAMED).to_dicts()]
            said.append(f"It puts in play {word} often than the others: {listed(named)}.")
    first = frame.filter(pl.col("first") >= RARE).sort("first", descending=True)
    if first.height:
        named = [first_words(row) for row in first.head(NAMED).to_dicts()]
        said.append(f"First choices: {listed(named)}.")
    known = frame.filter(pl.col("brings_low").is_not_null())
    sure = known.filter(pl.col("brings_p_holm") < ALPHA).sort("brings", descending=True)
    if sure.height:
        ends = sure if sure.height == 1 else pl.concat([sure.head(1), sure.tail(1)])
        named = [f"{row['piece']} ({points(row['brings'])})" for row in ends.to_dicts()]
        which = "One alone" if sure.height == 1 else f"Most and least of {sure.height} that"
        said.append(f"{which} surely goes with winning or losing, in points of wins: {listed(named)}.")
    columns = (
        Column("piece", noun, "text"),
        Column("flag", "flag", "text", meaning="put in play more or less often than by the others, for sure"),
        Column("own", "in play", "share", meaning="of its games"),
        Column("others", "others", "share", meaning="of the games of the others at its tables"),
        Column("difference", "difference", "edge", "low", "high"),
        Column("first", "first choice", "share", meaning=f"of its games in which it was the first {noun} taken"),
        Column("first_wins", "wins then", "share", "first_wins_low", "first_wins_high",
               "share won of the games in which it took this first"),
        Column("taken", "taken", "share", meaning="of its games in which it had it before it"),
        Column("brings", "goes with", "edge", "brings_low", "brings_high",
               "wins with it in play less wins with it offered and not in play"),
        Column("brings_p_holm", "p", "p", meaning="of what goes with it, corrected for all rows"),
        Column("wins", "wins with it", "share"),
        Column("offered", "offered", "count", meaning="games in which it had it before it"),
    )  # fmt: skip
    there, some = found.own["game"].n_unique(), len(games_read(found))
    reading = (
        f"Of {'the first ' if some < there else ''}{counted(some, 'game')}. What players chose to do goes with winning "
        f"for many reasons, wealth among them: `intervene` plays the same deals without {noun} by {noun} and says what "
        "one is worth."
    )
    title = f"Its {plural(noun)}: what it likes and what it wins with"
    listing = Listing("pieces beside", title, frame, columns, folded=True)
    pictures: tuple[Picture, ...] = ()
    if known.height >= NAMED:
        draw = partial(draw_taken, known, noun)
        pictures = (Picture("taken against won", draw, f"Share taken and wins that go with it, {noun} by {noun}."),)
    return Section("pieces beside", capital(title), tuple(said), (listing,), pictures, reading)


def first_words(row: dict[str, Any]) -> str:
    """'Loom (1) in 24 % of games (it wins 36.1 % of them)'."""
    return f"{row['piece']} in {percent(row['first'], 0)} of games (it wins {percent(row['first_wins'])} of them)"


def rate_words(row: dict[str, Any]) -> str:
    """'Loom (1) 32 % against 12 %'."""
    return f"{row['piece']} {percent(row['own'], 0)} against {percent(row['others'], 0)}"


def adjusted_section(found: Beside, adjusted: pl.DataFrame) -> Section | None:
    """Its edge with more and more allowed for; None where there are too few games."""
    frame = adjusted.filter((pl.col("level") == found.faction) & pl.col("edge").is_not_null())
    if not frame.height:
        return None
    columns = (
        Column("allowed", "allowed for", "text"),
        Column("edge", "edge", "edge", "edge_low", "edge_high", f"win share less the mean of every {found.noun}"),
        Column("points", "points", "number", "points_low", "points_high", "points above the others at the table"),
    )
    first, last = frame.row(0, named=True), frame.row(-1, named=True)
    said = f"As played its edge is {edge_words(first)}; with {last['allowed']} allowed for it is {edge_words(last)}."
    reading = (
        "Least squares on the same games, errors by block. The deal is the same for all at a table and falls out; "
        "seats, players and company are allowed for as terms of their own. Rows share their games, so their intervals "
        "do not say whether they differ."
    )
    title = "Adjusted for seat, player and company"
    listing = Listing("adjusted edge", title, frame, columns)
    return Section("adjusted edge", listing.title, (said,), (listing,), (), reading)


def games_section(found: Beside, run: Run) -> Section:
    """Single games to look at, each with the command that tells it."""
    frame = chosen_games(found, list(run.manifest["score_parts"]))
    commands = [replay_command(run.folder, game) for game in frame["game"]]
    why = [
        WHY[row["which"]]
        + (f": {row['behind']:.0f} points {moment_title(row['moment'])}" if row["behind"] is not None else "")
        for row in frame.to_dicts()
    ]
    frame = frame.with_columns(pl.Series("why", why, dtype=pl.String), pl.Series("command", commands, dtype=pl.String))
    columns = (
        Column("which", "game", "text"),
        Column("score", "its score", "number"),
        Column("best_other", "best other", "number"),
        Column("strategy", "player", "text"),
        Column("seat", "seat", "number"),
        Column("why", "why", "text"),
    )
    said = [f"{count(frame.height)} of its {counted(found.own.height, 'game')} tell most."]
    said += [f"{capital(row['which'])}, {row['why']}: {row['command']}" for row in frame.to_dicts()]
    return Section("games", "Games to look at", tuple(said), (Listing("games", "Single games", frame, columns),))


def replay_command(folder: Path, game: int) -> str:
    """The command that tells a game."""
    return f"empirelab replay {shlex.quote(str(folder))} --game {game}"
