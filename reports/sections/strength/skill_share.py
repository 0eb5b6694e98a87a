"""Section on skill and luck: how much of who finishes ahead is due to who plays (skill share), and who differs."""

from __future__ import annotations

import math
from functools import partial
from itertools import pairwise

import polars as pl

from reports.claims import Claim, Said, claiming
from reports.data.load import Run
from reports.drawing import (
    INK,
    NARROW,
    NEUTRAL,
    WEAK,
    Axes,
    heading_beside,
    label_rows,
    styled,
    styled_axes,
    value_beside,
)
from reports.formatting import count, counted, listed, percent
from reports.model import Column, Listing, Picture, Section, limited, said_section
from reports.sections.strength.matchups import ahead_words, pair_of
from reports.statistics.strength.skill_share import AHEAD, MAX_GAMES, RATE, SkillShare, games_to_be_ahead, skill_share

TITLE = "Skill or luck"
READING = (
    "A duel is two seats of one game with different players; who finishes ahead wins it. Skill share: how much of the "
    "differences between duels is explained by who plays, averaged over all pairs of these players. 0 %: a coin "
    "decides; 100 %: the better player is always ahead. The rest is luck, position and what these players do not see. "
    "It means the same at tables of every size. It depends on the players: with more alike ones it is smaller."
)
COLUMNS = (
    Column("level", "ahead", "text"),
    Column("level2", "behind", "text"),
    Column("ahead", "share ahead", "share", "low", "high", "ties count half; 50 % between equals"),
    limited("needed", "games", "count", "games until the first is ahead with 95 % chance, if it surely is"),
    Column("games", "duels", "count", meaning="pairs of seats of one game"),
    Column("flag", "flag", "flag", meaning="strong: surely ahead, corrected for all pairs"),
)


def skill_share_section(run: Run) -> Section:
    """Return the section on skill and luck, for a run in which different players met."""
    found = skill_share(run)
    if not found.pairs.height:
        return Section("skill share", TITLE, ("No two players met in this run, so skill cannot be measured.",))
    said = [skill_share_words(found, run), chain_words(found, len(run.manifest.strategies))]
    frame = found.pairs.with_columns(pl.col("flag").replace({"weak": ""}))
    listing = Listing("skill share", "Who finishes ahead of whom, and after how many games it shows", frame, COLUMNS)
    summed = Listing("skill or luck", TITLE, summary_frame(found, run), SUMMARY)
    text = f"Share of duels that the better player wins, for {counted(found.pairs.height, 'pair')} of players."
    picture = Picture("skill share", partial(draw_duels, found), text)
    return said_section("skill share", TITLE, said, [summed, listing], [picture], READING)


TYPICAL = "games until the better of two typical players is ahead with 95 % chance"
LIMITS = f"{percent(1 - RATE)} interval"
SUMMARY = (
    Column("players", "players", "text"),
    Column("share", "skill share", "share", "low", "high", "part of duels explained by who plays", limits=LIMITS),
    Column("apart", "surely apart", "count", meaning="longest series of players, each surely ahead of the next"),
    Column("of", "of", "count", meaning="players"),
    limited("needed", "games", "count", TYPICAL, limits=LIMITS),
    Column("games", "played", "count"),
)


def summary_frame(found: SkillShare, run: Run) -> pl.DataFrame:
    """Return one row with a run's skill share and the games needed, to compare runs of other games or table sizes."""
    low, high = clipped_share(found.low), clipped_share(found.high)
    players = run.manifest.players
    row = {
        "players": listed(players) if isinstance(players, list) else str(players),
        "share": clipped_share(found.share), "low": low, "high": high,
        "apart": max(len(found.chain), 1), "of": len(run.manifest.strategies),
        "needed": typical_games(found.share), "needed_low": typical_games(high), "needed_high": typical_games(low),
        "games": run.manifest.games,
    }  # fmt: skip
    kinds = dict.fromkeys(("share", "low", "high"), pl.Float64) | dict.fromkeys(("needed_low", "needed_high"), pl.Int64)
    return pl.DataFrame([row], schema_overrides=kinds | {"needed": pl.Int64})


def clipped_share(share: float | None) -> float | None:
    """Limit a share to the range from 0 to 1. None if it is unknown."""
    return None if share is None or math.isnan(share) else min(max(share, 0.0), 1.0)


def typical_games(share: float | None) -> int | None:
    """Return after how many games the better of two typical players is ahead with 95 % chance, given the skill share.

    None if the share is unknown or 0, or if more than `MAX_GAMES` are needed.
    """
    known = clipped_share(share)
    return None if not known else games_to_be_ahead(0.5 + 0.5 * math.sqrt(known))


def skill_share_words(found: SkillShare, run: Run) -> Said:
    """State the skill share, and after how many games the better of two typical players is ahead."""
    games = run.manifest.games
    if math.isnan(found.low):
        return f"{counted(games, 'game')} in {counted(found.blocks, 'block')} are too few to measure skill.", ()
    low, high = clipped_share(found.low), clipped_share(found.high)
    if found.low <= 0:
        said = f"No skill is shown among these players: who plays explains at most {percent(high, 0)} of who is ahead."
        return said, (Claim("skill", "skill share", found.share, None, high, "one row", said),)
    needed, least, most = (typical_games(share) for share in (found.share, high, low))
    after = counted(needed, "game") if needed else f"more than {counted(MAX_GAMES, 'game')}"
    first, last = (count(one) if one else f"more than {count(MAX_GAMES)}" for one in (least, most))
    said = (
        f"Who plays explains {percent(clipped_share(found.share), 0)} of who finishes ahead of whom "
        f"({percent(low, 0)} to {percent(high, 0)}); the rest is luck and position. Of two typical players here the "
        f"better one is ahead with {percent(AHEAD, 0)} chance after {after} ({first} to {last})."
    )
    return said, (Claim("skill", "skill share", found.share, low, high, "one row", said),)


def stronger_words(run: Run, one: str, other: str) -> Said:
    """Say which of two players is stronger, and how often it finishes ahead in duels. Empty if they did not meet."""
    pairs = skill_share(run).pairs
    for row in pairs.to_dicts():
        if {row["level"], row["level2"]} == {one, other}:
            if row["flag"] != "strong":
                return f"{one} is not shown to finish ahead of {other}.", ()
            said = f"{ahead_words(row)} (50 % between equals)."
            shares = row | {end: clipped_share(0.5 + row[end]) for end in ("family_low", "family_high")}
            return claiming(said, "matchup", [shares], counted(pairs.height, "pair"), "ahead", called=pair_of)
    return "", ()


def chain_words(found: SkillShare, players: int) -> Said:
    """Name the longest series of players, each of whom certainly differs in strength from the next."""
    chain = found.chain
    if not chain:
        return f"No two of the {players} players surely differ in strength.", ()
    said = f"Surely apart are {len(chain)} of {counted(players, 'player')}: {', then '.join(chain)}."
    steps = list(pairwise(chain))
    rows = [row for row in found.pairs.to_dicts() if (row["level"], row["level2"]) in steps]
    shares = [row | {"family_low": row["family_low"] + 0.5, "family_high": row["family_high"] + 0.5} for row in rows]
    return claiming(said, "matchup", shares, counted(found.pairs.height, "pair"), "ahead", called=pair_of)


@styled
def draw_duels(found: SkillShare, ax: Axes | None = None) -> Axes:
    """Draw how often the better player of each pair is ahead, with 95 % limits. Write how many games show this."""
    rows = found.pairs.filter(pl.col("ahead").is_not_null()).to_dicts()
    ax = styled_axes(ax, NARROW, 1.4 + 0.28 * len(rows), f"{TITLE}: how often is the better player ahead?")
    for place, row in enumerate(rows):
        colour = WEAK if row["flag"] else NEUTRAL
        if row["low"] is not None:
            ax.hlines(place, 100 * row["low"], 100 * row["high"], colour, lw=2.2)
        filled = colour if row["flag"] else "white"
        ax.scatter(100 * row["ahead"], place, 36, filled, edgecolors=colour, lw=1.5, zorder=3)
        many = f"> {count(MAX_GAMES)}" if row["needed"] is None else counted(row["needed"], "game")
        value_beside(ax, place, many if row["flag"] else "not sure", NEUTRAL)
    ax.axvline(50, color=INK, lw=1.1, ls=(0, (4, 3)), zorder=1)
    label_rows(ax, [f"{row['level']} ahead of {row['level2']}" for row in rows])
    ax.xaxis.set_major_formatter("{x:g} %")
    heading_beside(ax, "to show it")
    ax.set_xlabel("share of duels won; bar: 95 % interval", fontsize=9, color=NEUTRAL)
    return ax
