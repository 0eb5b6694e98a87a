"""Rate all players of a game on one scale, adjusted for factions and seats."""

from __future__ import annotations

from itertools import pairwise

import polars as pl
from scipy.special import expit

from reports.data.load import Run
from reports.formatting import counted, factors, listed, percent
from reports.model import Column, Listing, Section, limited
from reports.sections.strength.ratings import silence_words
from reports.statistics.core.win_rate import ALPHA, t_quantile
from reports.statistics.strength.ratings import Strengths, fit_strengths

READING = (
    "Players are drawn at random for every game. Ratings come from whole finishing orders "
    "(Plackett-Luce model), adjusted for seats and factions. A player rated 1 higher than another "
    "finishes ahead of it in 73 % of games; 2 higher, in 88 %. The mean rating is 0, so ratings from "
    "different tables are not comparable. A player who looks ahead rolls games out against its base "
    "strategy; against others it may be weaker than here."
)


def rating_section(run: Run) -> Section:
    """Return the section that rates the players of a run, the strongest first.

    Every two players of the run should have met.
    """
    found = fit_strengths(run)
    title, nouns = "Rating of all players", factors(run.manifest)
    if "strategy" not in found.frames:
        return Section("rating", title, tuple(silence_words(one, nouns) for one in found.silences))
    names = [str(row.name) for row in run.manifest.strategies]
    reference = "balanced" if "balanced" in names else names[0]  # the player with whom the others are compared
    frame = rated(found, reference)
    columns = (
        Column("level", "player", "text"),
        limited("strength", "strength", "number", "log odds against an average player"),
        Column("ahead", f"ahead of {reference}", "share", meaning=f"how often it finishes ahead of {reference}"),
        Column("win_rate", "wins", "share", "low", "high", "win rate if it took every seat of the run in turn"),
        Column("games", "games", "count"),
        Column("note", "note", "text"),
    )
    listing = Listing("rating", "Players, strongest first", frame, columns)
    return Section("rating", title, tuple(rating_sentences(frame, found)), (listing,), (), READING)


def rated(found: Strengths, reference: str) -> pl.DataFrame:
    """Return strengths with 95 % limits and the chance to finish ahead of the reference, the strongest first."""
    frame = found.frames["strategy"].sort("strength", descending=True)
    blocks = pl.Series([found.blocks], dtype=pl.Float64).to_numpy()
    reach = float(t_quantile(blocks, 1 - ALPHA / 2)[0]) * pl.col("strength_error")
    of_reference = frame.filter(pl.col("level") == reference)["strength"][0]
    ahead = pl.Series("ahead", expit(frame["strength"].to_numpy() - of_reference))
    columns = ("level", "games", "strength", "strength_error", "win_rate", "low", "high", "note")
    return frame.select(*columns).with_columns(
        (pl.col("strength") - reach).alias("strength_low"), (pl.col("strength") + reach).alias("strength_high"), ahead
    )


def rating_sentences(frame: pl.DataFrame, found: Strengths) -> list[str]:
    """Name the strongest and the weakest player with win rates, and players next in rank whose intervals overlap."""
    rows = frame.to_dicts()
    best, worst = rows[0], rows[-1]
    games = f"{counted(sum(found.sizes.values()), 'game')} of {listed([*found.sizes], 'or')} players"
    said = [
        f"{counted(len(rows), 'player')} met in {games}: {best['level']} ranks first ({percent(best['win_rate'])} of "
        f"these games won), {worst['level']} last ({percent(worst['win_rate'])})."
    ]
    close = [
        f"{one['level']} and {other['level']}"
        for one, other in pairwise(rows)
        if None not in (one["strength_low"], other["strength_high"]) and one["strength_low"] < other["strength_high"]
    ]
    if rows and all(one["strength_low"] is None for one in rows):
        said.append("These games are too few for intervals.")
    if close:
        said.append(f"The intervals of these neighbours overlap: {'; '.join(close)}.")
    return said
