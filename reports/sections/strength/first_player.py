"""Section on the first player: what it is worth to play first, and which handicap makes up for it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Literal

import numpy as np
import polars as pl

from reports.claims import Claim, Said, unclaimed
from reports.data.load import Run, only_one_player
from reports.drawing import INK, NARROW, NEUTRAL, STRONG, WEAK, label_rows, styled, styled_axes, value_beside
from reports.formatting import capital, counted, listed, number, points, typeset
from reports.model import Column, Listing, Picture, Section, limited, said_section
from reports.sections.factions.price import otherwise_words
from reports.statistics.core.win_rate import ALPHA
from reports.statistics.strength.first_player import FIRST, first_player

if TYPE_CHECKING:
    from matplotlib.axes import Axes

NAME = "first player"
TITLE = "First player"
COLUMNS = (
    Column("place", "seat", "text"),
    Column("players", "players", "count"),
    limited("edge", "edge", "edge", "win rate minus fair, points"),
    limited("handicap", "handicap", "number", "points that make this seat alone fair"),
    limited("left", "left", "edge", "edge with a handicap from the other half of the deals"),
    limited("together", "all seats", "number", "points if every seat gets its own", further=True),
    Column("games", "games", "count"),
)
READING = (
    "Seat 0, or the first player, begins. 'handicap': points that would have to be added to its final score, the "
    "others getting none, for it to win its fair share; a negative one is taken away. 'left' is a test: the handicap "
    "is estimated on half of the deals and applied to the other half. 'all seats': what each gets if every seat has a "
    "handicap; only differences count, and their mean is 0. If a handicap is a fraction, the whole numbers on both "
    "sides of it are too little and too much. Winners are recomputed from the final scores: exact for points at the "
    "end. What a player gets at the start changes play and needs games of its own. Each interval in the table is a 95 "
    "% interval of its own."
)


def first_player_section(run: Run, rate: float = ALPHA) -> Section | None:
    """Return the section on the first player, by number of players. None if every game has one player."""
    if only_one_player(run.manifest):
        return None
    frame = first_player(run, rate)
    family = f"first players of {counted(frame['players'].n_unique(), 'number')} of players, edges and handicaps"
    said: list[Said] = []
    pictures = []
    for (players,), part in frame.group_by(["players"], maintain_order=True):
        said += first_words(part, family)
        edges = listed([f"{row['place']} {points(row['edge'])}" for row in part.to_dicts()])
        text = f"Edge of every seat in points: {edges}; beside it the points that would make it fair."
        pictures.append(Picture(f"{NAME} {players}", partial(draw_places, part, f"{players} players"), text))
    said += unclaimed(otherwise_words(frame, "; a handicap leaves them as they are"))
    listing = Listing(NAME, "Seats in the order of play", frame, COLUMNS)
    return said_section("first_player", TITLE, said, [listing], pictures, READING)


def first_words(part: pl.DataFrame, family: str) -> list[Said]:
    """Say whether the first player has an edge at tables of one size, and which handicap removes this edge."""
    row = part.filter(pl.col("number") == FIRST).row(0, named=True)
    head, subject = capital(counted(row["players"], "player")), f"{row['place']}, {counted(row['players'], 'player')}"
    low, high = row["edge_family_low"], row["edge_family_high"]
    if low is None:
        return unclaimed([f"{head}: these games cannot show what it is worth to play first."])
    limits = f"({points(low)} to {points(high)})"
    if low <= 0 <= high:
        text = f"{head}: no first-player advantage was found: {points(row['edge'])} points {limits}."
        return [(text, (Claim("out of balance", subject, row["edge"], low, high, family, text),))]
    word, ends = ("more", (low, high)) if row["edge"] > 0 else ("less", (-high, -low))
    text = (
        f"{head}: the first player wins {100 * abs(row['edge']):.1f} points {word} than the fair share "
        f"({100 * ends[0]:.1f} to {100 * ends[1]:.1f})."
    )
    said: list[Said] = [(text, (Claim("out of balance", subject, row["edge"], low, high, family, text),))]
    least, most = row["handicap_family_low"], row["handicap_family_high"]
    if row["handicap"] is None or least is None or most is None or least <= 0 <= most:
        return [*said, *unclaimed([f"{head}: which handicap removes it is not known from these games."])]
    word, ends = ("more", (least, most)) if row["handicap"] > 0 else ("less", (-most, -least))
    amount = f"{number(abs(row['handicap']), 1)} points {word} ({number(ends[0], 1)} to {number(ends[1], 1)})"
    text = f"{head}: with {amount} at the end of a game, the first player wins its fair share."
    said.append((text, (Claim("price alone", subject, row["handicap"], least, most, family, text),)))
    if row["left"] is not None:
        said += unclaimed([
            f"{head}: as a test, a handicap estimated on one half of the deals leaves the first player an edge of "
            f"{points(row['left'])} points on the other half (interval in the table)."
        ])  # fmt: skip
    return said


WORDS = {
    "rung": ("all seats", "at every rung", "The curves above test whether it changes."),
    "run": ("run", "in every run", "Intervals are in the table; whether runs differ is not tested here."),
}
"""Words of `first_players_section`, for rungs and for runs: the title of the column that names them, the end of the
section's title, and its last sentence."""


def first_players_section(runs: Mapping[str, Run], noun: Literal["rung", "run"]) -> Section | None:
    """Return the section on the first player's edge and handicap at every rung of a ladder, or in each of several runs.

    It has a table by run and number of players, and a sentence for each number of players. None if every game has one
    player.
    """
    frames = [
        first_player(run).filter(pl.col("number") == FIRST).with_columns(pl.lit(name).alias(noun))
        for name, run in runs.items() if not only_one_player(run.manifest)
    ]  # fmt: skip
    if not frames:
        return None
    order = pl.col(noun).cast(pl.Enum(list(runs)))
    frame = pl.concat(frames, how="diagonal").sort("players", order, maintain_order=True)
    said = [
        f"{capital(counted(players, 'player'))}: edge of the first player as observed, in points: "
        f"{listed([f'{name} {points(edge)}' for name, edge in part.select(noun, 'edge').rows()])}."
        for (players,), part in frame.group_by(["players"], maintain_order=True)
    ]
    heading, where, last = WORDS[noun]
    columns = (Column(noun, heading, "text"), *COLUMNS[1:])
    listing = Listing(f"{NAME} by {noun}", f"The first player at every {noun}", frame, columns, whole=True)
    return Section(f"first_player_by_{noun}", f"{TITLE} {where}", (*said, last), (listing,), (), READING)


@styled
def draw_places(part: pl.DataFrame, title: str, ax: Axes | None = None) -> Axes:
    """Draw the edge of each seat with its interval. Write the seat's handicap next to it."""
    rows = part.sort("number", descending=True).to_dicts()
    ax = styled_axes(ax, NARROW, 1.2 + 0.3 * len(rows), f"Edge by seat, {title} (right: handicap)")
    for at, row in enumerate(rows):
        low, high = (np.nan if row[name] is None else 100 * row[name] for name in ("edge_low", "edge_high"))
        colour = NEUTRAL if not (low > 0 or high < 0) else STRONG if row["edge"] > 0 else WEAK
        ax.hlines(at, low, high, colour, lw=2.2)
        ax.scatter(100 * row["edge"], at, 36, colour, zorder=3)
        value_beside(ax, at, "-" if row["handicap"] is None else typeset(f"{row['handicap']:+.1f}"), colour)
    ax.axvline(0, color=INK, lw=1.1, ls=(0, (4, 3)), zorder=0)
    label_rows(ax, [row["place"] for row in rows])
    ax.set_xlabel("win rate minus fair share, points", fontsize=9, color=NEUTRAL)
    return ax
