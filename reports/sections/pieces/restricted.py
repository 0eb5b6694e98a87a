"""Section on restricted play: which kinds of action, card, region or building matter."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import polars as pl

from reports.claims import Said, claims_on, told
from reports.drawing import NEUTRAL, STRONG, WEAK, WIDTH, Axes, dressed, styled
from reports.formatting import count, counted, edge_words, listed, number, percent
from reports.model import Column, Listing, Picture, Section
from reports.statistics.pieces.restricted import NEVER_DOES

TOLD = 6
"""Rows of each direction that sentences name."""
COLUMNS = (
    Column("kind", "what", "text"),
    Column("player", "player", "text"),
    Column("rule", "rule", "text", meaning="never: does not take it; always: takes it whenever it can"),
    Column("win_rate", "win rate", "share", "low", "high", "less the luck that the same games without the rule show"),
    Column("edge", "edge", "edge"),
    Column("verdict", "verdict", "text", meaning="corrected for all rows"),
    Column("score", "score", "number", meaning="points more than its opponents"),
    Column("offered", "offered", "number", meaning="decisions of a game with such an option"),
    Column("bound", "wanted", "number", meaning="those in which the player would have chosen otherwise"),
    Column("free", "free", "number", meaning="decisions of a game in which all options were forbidden"),
    Column("games", "games", "count"),
)
READING = (
    "One player never takes options of a kind (or takes them whenever it can); its opponents play alike and may "
    "choose. It sits in every seat of every deal. It takes its best other option, but it is not trained for that, so "
    "the loss is an upper limit of what the kind is worth. If all options are forbidden, it chooses freely (`free`); a "
    "single option is no choice. A gain says that these players would do better without it, not that the game would."
)


def restricted_section(frame: pl.DataFrame, players: int) -> Section:
    """Say which kinds of options matter, with a table and a figure.

    Parameters
    ----------
    frame
        From `restricted_frame`.
    players
        Number of players at the table.
    """
    sentences, claims = told(restricted_words(frame, players))
    several = frame["player"].n_unique() > 1
    columns = COLUMNS if several else tuple(one for one in COLUMNS if one.name != "player")
    listing = Listing("restricted", "What a restricted player wins", frame, columns, whole=True)
    picture = Picture("restricted", partial(draw_restricted, frame), f"Edges of restricted players. {sentences[0]}")
    return Section("restricted", "Restricted play", sentences, (listing,), (picture,), READING, claims=claims)


def restricted_words(frame: pl.DataFrame, players: int) -> Iterator[Said]:
    """Yield sentences: what matters most, what these players overuse, how many rows show nothing."""
    family, who = counted(frame.height, "row"), frame["player"].unique(maintain_order=True).to_list()
    rows = [row for row in frame.to_dicts() if row["verdict"]]
    losses = [row for row in rows if row["edge"] < 0][:TOLD]
    gains = [row for row in rows if row["edge"] > 0][::-1][:TOLD]
    for row in [*losses, *gains]:
        limits = {"edge_low": row["family_low"], "edge_high": row["family_high"]}
        how = f'Without "{row["kind"]}"' if row["rule"] == NEVER_DOES else f'With "{row["kind"]}" whenever it can,'
        player = row["player"] if len(who) > 1 else "a player"
        said = (
            f"{how} {player} wins {percent(row['win_rate'])} of its games instead of {percent(row['null'])}: "
            f"{edge_words(row | limits)}."
        )
        yield said, claims_on("restricted", [row], said, family, called=lambda row: f"{label_of(row)}, {row['player']}")
    quiet = frame.filter(pl.col("verdict") == "").height
    if quiet:
        yield f"{counted(quiet, 'row')}: no difference shown.", ()
    free = [row for row in frame.to_dicts() if row["free"] >= 0.1]
    if free:
        named = ", ".join(f"{row['kind']} ({number(row['free'])})" for row in free[:TOLD])
        yield f"Decisions per game in which all options were forbidden, so that the player chose freely: {named}.", ()
    games = int(frame["games"][0])
    yield f"{count(games)} games of {players} players for each row; all players at a table are {listed(who, 'or')}.", ()


@styled
def draw_restricted(frame: pl.DataFrame, ax: Axes | None = None) -> Axes:
    """Draw the edges of restricted players, with limits that hold for all rows at once."""
    rows, who = frame.to_dicts(), frame["player"].unique()
    ax = dressed(ax, WIDTH, 1.2 + 0.26 * len(rows), "Which mechanisms matter?")
    for place, row in enumerate(rows):
        colour = NEUTRAL if not row["verdict"] else WEAK if row["edge"] < 0 else STRONG
        low, high = (100 * row[name] if row[name] is not None else None for name in ("family_low", "family_high"))
        if low is not None and high is not None:
            ax.plot([low, high], [place, place], color=colour, lw=2)
        ax.plot([100 * row["edge"]], [place], "o", color=colour, ms=5)
    ax.axvline(0, color=NEUTRAL, lw=1)
    ax.set_yticks(
        range(len(rows)), [label_of(row) if len(who) < 2 else f"{label_of(row)}, {row['player']}" for row in rows]
    )
    ax.set_ylim(len(rows) - 0.4, -0.6)
    ax.set_xlabel("edge of the restricted player, percentage points", fontsize=9, color=NEUTRAL)
    return ax


def label_of(row: dict[str, Any]) -> str:
    """Return the name of a row in a figure."""
    return f"{row['rule']} {row['kind']}"
