"""Section on restricted play: how much it matters to do without a kind of action, card, region or building."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import polars as pl

from reports.claims import Said, claiming, split_claims
from reports.drawing import NEUTRAL, STRONG, WEAK, WIDTH, Axes, rows_down, styled, styled_axes
from reports.formatting import count, counted, edge_between, listed, number, percent
from reports.model import Column, Listing, Picture, Section
from reports.statistics.pieces.restricted import NEVER_DOES

SOMETIMES = 0.05
"""If a game has on average at least this many decisions that offer only forbidden options, a sentence mentions them."""
TOLD = 6
"""Sentences name at most this many losses and this many gains. A list names at most this many kinds."""
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
    "choose. It sits in every seat of every deal. It takes its best other option, but it has not learned to play "
    "without the kind: somebody who had would lose less. If all options are forbidden, it takes one of them (`free`). "
    "A gain says that these players would do better without the kind, not that the game would. Other players, such as "
    "better ones, may need a kind more or less."
)


def restricted_section(frame: pl.DataFrame, players: int, judges: str = "") -> Section:
    """Return the section on which kinds of options matter, with a table and a figure.

    Parameters
    ----------
    frame
        From `restricted_frame`.
    players
        Number of players at the table.
    judges
        Says how skilled the players are: 'balanced is rung 3 of 5 on the ladder of skill'. Empty if unknown.
    """
    sentences, claims = split_claims(restricted_words(frame, players, judges))
    several = frame["player"].n_unique() > 1
    columns = COLUMNS if several else tuple(one for one in COLUMNS if one.name != "player")
    listing = Listing("restricted", "What a restricted player wins", frame, columns, whole=True)
    picture = Picture("restricted", partial(draw_restricted, frame), f"Edges of restricted players. {sentences[0]}")
    return Section("restricted", "Restricted play", sentences, (listing,), (picture,), READING, claims=claims)


def restricted_words(frame: pl.DataFrame, players: int, judges: str = "") -> Iterator[Said]:
    """Yield sentences: what players miss most or overuse, for which kinds no difference is shown, and who played."""
    family, who = counted(frame.height, "row"), frame["player"].unique(maintain_order=True).to_list()
    rows = [row for row in frame.to_dicts() if row["verdict"]]
    losses = [row for row in rows if row["edge"] < 0][:TOLD]
    gains = [row for row in rows if row["edge"] > 0][::-1][:TOLD]
    for row in [*losses, *gains]:
        player = row["player"] if len(who) > 1 else "player"
        rates = f"wins {percent(row['win_rate'])} of its games instead of {percent(row['null'])}"
        edge = edge_between(row["edge"], row["family_low"], row["family_high"])
        said = f"A {player} {rule_words(row)} {rates}: {edge}."
        yield claiming(
            said, "restricted", [row], family, called=lambda row: f"{restriction_label(row)}, {row['player']}"
        )
    unbound = [row["kind"] for row in frame.to_dicts() if never_bound(row)]
    counts_wishes = bool((frame["bound"] > 0).any())  # some players never record what they would have chosen
    unwanted = [row["kind"] for row in frame.to_dicts() if counts_wishes and never_wanted(row)]
    tried = [row for row in frame.to_dicts() if not (never_bound(row) or (counts_wishes and never_wanted(row)))]
    by = [f" ({row['player']})" if len(who) > 1 else "" for row in tried]
    quiet = [row["kind"] + player for row, player in zip(tried, by, strict=True) if not row["verdict"]]
    if quiet:
        yield f"No difference is shown for {first_kinds_words(quiet)}.", ()
    if unwanted:
        yield f"Never wanted by these players, so forbidding it changes nothing: {first_kinds_words(unwanted)}.", ()
    if unbound:
        yield f"Never forbidden, because nothing else could be chosen: {first_kinds_words(unbound)}.", ()
    games = int(frame["games"][0])
    trained = "No restricted player has learned to play with its restriction."
    skill = f" {judges}." if judges else ""
    who_played = f"all players at a table are {listed(who, 'or')}"
    yield f"{count(games)} games of {players} players for each row; {who_played}.{skill} {trained}", ()


def rule_words(row: dict[str, Any]) -> str:
    """Say how a restricted player plays: 'who never takes "build red cards"'."""
    if row["rule"] != NEVER_DOES:
        return f'who takes "{row["kind"]}" whenever it can'
    if row["free"] >= SOMETIMES:
        return f'who takes "{row["kind"]}" only if nothing else is offered ({number(row["free"])} times a game)'
    return f'who never takes "{row["kind"]}"'


def first_kinds_words(kinds: list[str]) -> str:
    """List the first `TOLD` kinds, and count the others."""
    more = len(kinds) - TOLD
    return listed([*kinds[:TOLD], f"{more} more"] if more > 0 else kinds)


def never_wanted(row: dict[str, Any]) -> bool:
    """Tell whether a player could have taken or left the forbidden kind, but would never have chosen it."""
    return row["rule"] == NEVER_DOES and row["offered"] > row["free"] and row["bound"] == 0


def never_bound(row: dict[str, Any]) -> bool:
    """Tell whether a restriction had no effect: whenever the forbidden kind was offered, there was no other option."""
    return row["rule"] == NEVER_DOES and row["free"] > 0 and row["free"] == row["offered"]


@styled
def draw_restricted(frame: pl.DataFrame, ax: Axes | None = None) -> Axes:
    """Draw the edges of restricted players, with limits that hold for all rows at once."""
    rows, who = frame.to_dicts(), frame["player"].unique()
    ax = styled_axes(ax, WIDTH, 1.2 + 0.26 * len(rows), "Which mechanisms matter?")
    for place, row in enumerate(rows):
        colour = NEUTRAL if not row["verdict"] else WEAK if row["edge"] < 0 else STRONG
        if row["family_low"] is not None and row["family_high"] is not None:
            ax.plot([100 * row["family_low"], 100 * row["family_high"]], [place, place], color=colour, lw=2)
        ax.plot([100 * row["edge"]], [place], "o", color=colour, ms=5)
    ax.axvline(0, color=NEUTRAL, lw=1)
    several = len(who) > 1
    rows_down(ax, [restriction_label(row) + (f", {row['player']}" if several else "") for row in rows])
    ax.set_xlabel("edge of the restricted player, percentage points", fontsize=9, color=NEUTRAL)
    return ax


def restriction_label(row: dict[str, Any]) -> str:
    """Return the label of a row: its rule and its kind."""
    return f"{row['rule']} {row['kind']}"
