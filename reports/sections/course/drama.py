"""Sections on drama: when games are decided, comebacks, whether a lead grows, and kingmaking."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

import polars as pl

from reports.claims import Said, claiming, split_claims, unclaimed
from reports.drawing import FAINT, NEUTRAL, PARTS, WIDTH, Axes, label_ends, rows_down, styled, styled_axes
from reports.formatting import capital, counted, listed, number, percent, points
from reports.model import Column, Listing, Picture, Section, limited
from reports.statistics.course.drama import BEHIND, COMPARED, LOST, SURE

CONDITION = Column("condition", "condition", "text")
SURE_WORDS = f"part of the game played when the later winner has {percent(SURE, 0)} chance for good"
MEASURE_COLUMNS = (
    CONDITION,
    Column("games", "games judged", "count"),
    limited("decided", "decided after", "share", SURE_WORDS),
    limited("open", "open to the end", "share", "games that only the end decides"),
)
COMEBACK_COLUMNS = (
    CONDITION,
    limited("comeback", "comebacks", "share", "games whose winner once had less than half of its fair chance"),
    Column("drama", "drama", "number", meaning="how far behind the favourite the later winner was; 0 is never"),
    Column("favourites", "changes", "number", meaning="how often another seat became the favourite, per game"),
)
ROUND_COLUMNS = (
    CONDITION,
    Column("after", "after round", "count"),
    Column("games", "games", "count"),
    Column("winner", "later winner", "share", meaning="its mean chance to win"),
    Column("favourite", "favourite", "share", meaning="mean chance of the seat with the best one"),
    Column("decided", "decided", "share", meaning="share of all games that are decided"),
)
LEAD_COLUMNS = (
    CONDITION,
    Column("after", "after round", "count"),
    Column("until", "until round", "count", meaning="- is the end"),
    Column("games", "games", "count"),
    Column("slope", "gain by point", "number", meaning="points gained on the table for each point ahead of it"),
    Column("low", "from", "number", meaning="95 % limits"),
    Column("high", "to", "number"),
    Column("flag", "flag", "flag"),
)
BIN_COLUMNS = (
    Column("forecast", "forecast", "text"),
    Column("seats", "seats and rounds", "count"),
    Column("mean", "mean forecast", "share"),
    Column("won", "won", "share", "low", "high"),
)
CHANGE_COLUMNS = (
    CONDITION,
    Column("measure", "measure", "text"),
    Column("difference", "difference", "edge", "family_low", "family_high", "in percentage points, from the first one"),
    Column("flag", "flag", "flag"),
)
KING_COLUMNS = (
    CONDITION,
    Column("games", "games", "count", meaning="with a seat that can hardly win any more"),
    limited(
        "choices", "other winner", "share", "replays in which random choices of that seat let another opponent win"
    ),
    limited("any", "in any replay", "share", "games in which at least one replay does"),
)
LUCK_COLUMNS = (
    CONDITION,
    limited("luck", "other winner", "share", "replays in which other dice and shuffles alone let another seat win"),
)
DRAMA_READING = (
    "A chance to win is what the scores say, with strategy, faction and seat, in games like these; it is fitted on one "
    "half of the deals and shown for the other. Scores count as if the game ended then, so a game whose scores come "
    "late stays open for long. What goes with a lead need not come from it: a seat with a good deal leads and gains."
)
KING_READING = (
    "One seat that can hardly win plays on at random after three quarters of the game; all else is replayed. If the "
    "winner changes, the choices of a loser decide who wins. If play differs, dice and shuffles differ, too: compare "
    "with the replays in which only they differ."
)


@dataclass(frozen=True)
class DramaFrames:
    """The frames of `statistics.course.drama` for the conditions compared.

    For `kings` (kingmaking), games were replayed from a late round on: `tries` times with random choices of a seat that
    had almost lost, and as often with other luck.
    """

    measures: pl.DataFrame
    rounds: pl.DataFrame
    slopes: pl.DataFrame
    bins: pl.DataFrame
    changes: pl.DataFrame
    kings: pl.DataFrame
    tries: int


def drama_sections(found: DramaFrames) -> list[Section]:
    """Return a section on chances and leads, and one on kingmaking if games were replayed."""
    several = found.measures.height > 1
    said = unclaimed(text for row in found.measures.to_dicts() for text in measure_words(row, several))
    said += [*lead_growth_words(found.slopes, several), *change_words(found.measures, found.changes)]
    sentences, claims = split_claims(said)
    listings = [
        Listing("drama", "When games are decided", found.measures, MEASURE_COLUMNS),
        Listing("drama comebacks", "Comebacks", found.measures, COMEBACK_COLUMNS),
        Listing("drama leads", "Does a lead grow?", found.slopes, LEAD_COLUMNS),
        Listing("drama rounds", "Chances by round", found.rounds, ROUND_COLUMNS, folded=True),
        Listing("drama forecasts", "Are the chances right?", found.bins, BIN_COLUMNS, folded=True),
    ]
    if several:
        listings.insert(2, Listing("drama differences", "Conditions compared", found.changes, CHANGE_COLUMNS))
    pictures = (
        Picture("drama", partial(draw_decided, found.rounds), f"Share of games decided by round. {sentences[0]}"),
        Picture("drama leads", partial(draw_slopes, found.slopes), "Points gained for each point ahead, with limits."),
    )
    sections = [Section("drama", "Drama", sentences, tuple(listings), pictures, DRAMA_READING, claims=claims)]
    if found.kings.height:
        texts = tuple(king_words(row, found.tries, several) for row in found.kings.to_dicts())
        tables = (
            Listing("kingmaking", "By choices of a loser", found.kings, KING_COLUMNS),
            Listing("kingmaking luck", "By dice and shuffles alone", found.kings, LUCK_COLUMNS),
        )
        sections.append(Section("kingmaking", "Kingmaking", texts, tables, reading=KING_READING))
    return sections


def beginning(row: dict[str, Any], several: bool) -> str:
    """Return the condition as the beginning of a sentence; empty unless there are several conditions."""
    return f"{row['condition']}: " if several else ""


def measure_words(row: dict[str, Any], several: bool) -> list[str]:
    """Say when the games of one condition are decided, and how often the winner came back from behind."""
    start = beginning(row, several)
    fair = f"{number(100 * BEHIND, 0)} % of the fair one"
    return [
        f"{start}{'games' if several else 'Games'} are decided after {percent(row['decided'], 0)} of their length on "
        f"average: from then on the later winner has a chance of {percent(SURE, 0)} or more. "
        f"{percent(row['open'], 0)} stay open to the end.",
        f"{start}{'in' if several else 'In'} {percent(row['comeback'], 0)} of games the winner came back: its chance "
        f"had been below {fair}. The favourite changes {number(row['favourites'])} times per game.",
    ]


def lead_growth_words(slopes: pl.DataFrame, several: bool) -> list[Said]:
    """Say in which stretches of a game a lead certainly grows or shrinks, and by how much for each point of lead."""
    rows = [row for row in slopes.to_dicts() if row["flag"]]
    if not slopes.height:
        return unclaimed(["Too few rounds were played to say whether a lead grows."])
    if not rows:
        return unclaimed(["It is not shown that a lead grows or shrinks, with strategy, faction and seat held fixed."])
    found: list[Said] = []
    for row in rows:
        until = "the end" if row["until"] is None else f"round {row['until']}"
        half = (row["family_high"] - row["family_low"]) / 2
        digits = 2 if half < 1 else 1
        more = "more" if row["slope"] > 0 else "fewer"
        said = (
            f"{capital(beginning(row, several))}{'the' if several else 'The'} lead {row['flag']} from round "
            f"{row['after']} to {until}: for each point ahead a seat gains {number(abs(row['slope']), digits)} ± "
            f"{number(half, digits)} points {more} than the table."
        )
        family = counted(slopes.height, "stretch of a game").replace("stretch of a games", "stretches of games")
        called = f"{row['condition']}, from round {row['after']}"
        found.append(claiming(said, "runaway", [row | {"level": called}], family, "slope"))
    return found


def change_words(measures: pl.DataFrame, changes: pl.DataFrame) -> list[Said]:
    """Say which conditions certainly differ from the first in when games are decided or in how many have a comeback."""
    base, found = measures["condition"][0], list[Said]()
    values = {row["condition"]: row for row in measures.to_dicts()}
    for row in changes.filter(pl.col("flag") != "").to_dicts():
        half = 100 * (row["family_high"] - row["family_low"]) / 2
        own = values[row["condition"]][row["measure"]]
        if row["measure"] == COMPARED[0]:
            when = "later" if row["difference"] > 0 else "earlier"
            said = f"{capital(row['condition'])}: games are decided {when} than with {base}: after"
            of = " of their length"
        else:
            said, of = f"{capital(row['condition'])}: {row['flag']} comebacks than with {base}: in", " of games"
        said += f" {percent(own)}{of} instead of {percent(values[base][row['measure']])}"
        said += f" ({points(row['difference'])} ± {half:.1f} points)."
        called = f"{row['condition']}: {row['measure']}"
        family = counted(changes.height, "difference")
        found.append(claiming(said, "drama", [row | {"level": called}], family, "difference"))
    if changes.height and not found:
        others = listed(changes["condition"].unique(maintain_order=True).to_list())
        found = unclaimed([f"It is not shown that {others} differ from {base} in this."])
    return found


def king_words(row: dict[str, Any], tries: int, several: bool) -> str:
    """Say how often random choices of a seat that has almost lost change who wins, and how often luck alone does."""
    start = beginning(row, several)
    if row["choices"] is None:
        said = "fewer than two games had a seat with a chance below"
        return capital(f"{start}{said} {percent(LOST, 0)} three quarters through, so there are no replays.")
    return (
        f"{start}{counted(row['games'], 'game')} had a seat with a chance below {percent(LOST, 0)} three quarters "
        f"through. It played on at random, {tries} times in each: {percent(row['choices'], 0)} of these replays had "
        f"another winner, and {percent(row['any'], 0)} of games at least one. Other dice and shuffles alone changed "
        f"the winner in {percent(row['luck'], 0)} of replays."
    )


@styled
def draw_decided(rounds: pl.DataFrame, ax: Axes | None = None) -> Axes:
    """Draw the share of games decided and the favourite's chance by round, with a colour for each condition."""
    ax = styled_axes(ax, WIDTH, 3.4, "When games are decided")
    ends = []
    for place, (name,) in enumerate(rounds.select("condition").unique(maintain_order=True).rows()):
        part = rounds.filter(pl.col("condition") == name)
        colour = PARTS[place % len(PARTS)]
        after = part["after"].to_numpy()
        ax.plot(after, 100 * part["decided"].to_numpy(), color=colour, lw=2)
        ax.plot(after, 100 * part["favourite"].to_numpy(), color=colour, lw=1.2, ls=(0, (4, 3)))
        ends.append((100 * float(part["decided"][-1]), str(name), colour))
    ax.set_ylim(0, 100)
    label_ends(ax, ends)
    ax.set_xlabel("rounds; solid: share of games decided; dashed: chance of the favourite", fontsize=9, color=NEUTRAL)
    ax.locator_params(axis="x", integer=True)
    ax.yaxis.set_major_formatter("{x:g} %")
    ax.grid(axis="y", color=FAINT, lw=0.8)
    return ax


@styled
def draw_slopes(slopes: pl.DataFrame, ax: Axes | None = None) -> Axes:
    """Draw how much a lead grows in each stretch of a game, with limits that hold for all stretches at once."""
    rows = slopes.to_dicts()
    ax = styled_axes(ax, WIDTH, 1.0 + 0.34 * max(len(rows), 1), "Does a lead grow?")
    for place, row in enumerate(rows):
        colour = PARTS[0] if row["flag"] == "grows" else PARTS[3] if row["flag"] == "shrinks" else NEUTRAL
        ax.plot([row["family_low"], row["family_high"]], [place, place], color=colour, lw=2)
        ax.plot([row["slope"]], [place], "o", color=colour)
    names = [f"{row['condition']}, {row['after']} to {'end' if row['until'] is None else row['until']}" for row in rows]
    rows_down(ax, names)
    ax.axvline(0, color=NEUTRAL, lw=1)
    ax.set_xlabel("points gained on the table for each point ahead of it", fontsize=9, color=NEUTRAL)
    return ax
