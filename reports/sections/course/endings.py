"""Section on how games end: why, after how many rounds, with which score, and who wins then."""

from __future__ import annotations

from typing import Any

import polars as pl

from reports.claims import Said, claims_on, told
from reports.data.load import Run
from reports.data.one_player import only_one_player
from reports.formatting import capital, edge_words, number, percent, plural
from reports.model import Column, Listing, Section
from reports.statistics.core.win_rate import ALPHA, one_family
from reports.statistics.course.endings import REASON, block_counts, game_cells, length_table, reason_table, winners

NAMED = 4


READING = (
    "Endings result from play: a row that wins more often when games end in one way may cause that "
    "ending. Limits come from the spread between blocks; flags hold for all rows of a table at once."
)


def endings_section(run: Run, rate: float = ALPHA) -> Section | None:
    """Say why games end, how long they last, and who wins by ending; None if all games end alike.

    Endings of games of one player are reported by `results_section`.
    """
    cells = game_cells(run)
    if (cells[REASON].n_unique() == 1 or only_one_player(run.manifest)) and cells["rounds"].n_unique() == 1:
        return None
    blocks = block_counts(run)
    reasons, lengths = reason_table(cells, blocks), length_table(cells, blocks)
    parts: list[Said] = [(said, ()) for said in (*reason_words(reasons), *length_words(lengths))]
    listings = [reason_listing(reasons), length_listing(lengths)]
    if reasons.height > 1:
        found = dict(winners(run))
        frames = one_family(list(found.values()), rate=rate)
        family = f"{sum(frame['p'].count() for frame in frames)} rows by ending"
        for noun, frame in zip(found, frames, strict=True):
            parts += winner_words(frame, "" if noun == run.manifest.faction_title else noun, family)
            listings.append(winner_listing(noun, frame))
    sentences, claims = told(parts)
    return Section("endings", "How games end", sentences, tuple(listings), (), READING, claims=claims)


def reason_words(frame: pl.DataFrame) -> list[str]:
    """Return a sentence on the endings, most frequent first."""
    rows = frame.to_dicts()
    if len(rows) == 1:
        return [f"Every game ends in the same way ({rows[0][REASON]})."]
    said = [
        f"{percent(row['share'])} by {row[REASON]} (after {number(row['mean_rounds'])} rounds, {winning_words(row)})"
        for row in rows[:NAMED]
    ]
    more = f"; the table lists {len(rows) - NAMED} more endings" if len(rows) > NAMED else ""
    return [f"Games end {'; '.join(said)}{more}."]


def winning_words(row: dict[str, Any]) -> str:
    """Say with how many points games are won, or "lost"."""
    return "lost" if row["winning_score"] is None else f"won with {number(row['winning_score'])} points"


def length_words(frame: pl.DataFrame) -> list[str]:
    """Return a sentence on the length of games under each condition."""
    said = [
        f"{number(row['mean_rounds'])} rounds with {row['condition']} "
        f"(nine of ten games: {row['q05']:.0f} to {row['q95']:.0f})"
        for row in frame.to_dicts()
    ]
    return [f"Games last {'; '.join(said)}."]


def winner_words(frame: pl.DataFrame, noun: str = "", family: str = "") -> list[Said]:
    """Name the rows that win too often or too rarely with an ending, the widest edges first; two of an attribute."""
    flagged = frame.filter(pl.col("flag") != "").sort(pl.col("edge").abs(), descending=True).to_dicts()
    said = []
    for row in flagged[: 2 if noun else NAMED]:
        edge = edge_words(row | {"edge_low": row["family_low"], "edge_high": row["family_high"]})
        sentence = (
            f"When games end by {row[REASON]}, {f'{noun} ' if noun else ''}{row['level']} wins too "
            f"{'often' if row['edge'] > 0 else 'rarely'} ({edge})."
        )
        said.append((sentence, claims_on("ending", [row], sentence, family)))
    return said


def reason_listing(frame: pl.DataFrame) -> Listing:
    """Return the table of endings."""
    columns = (
        Column(REASON, "ending", "text"),
        Column("share", "games %", "share", "low", "high", "share of all games"),
        Column("games", "games", "count"),
        *length_columns(),
    )
    return Listing("end reasons", "Why games end", frame, columns)


def length_listing(frame: pl.DataFrame) -> Listing:
    """Return the table of lengths."""
    counted = Column("games", "games", "count")
    columns = (Column("condition", "played with", "text"), counted, *length_columns("low", "high"))
    return Listing("rounds", "Length of games", frame, columns)


def length_columns(low: str = "", high: str = "") -> tuple[Column, ...]:
    """Return the columns on rounds and scores, the mean with limits if their columns are given."""
    return (
        Column("mean_rounds", "rounds", "number", low, high, "mean number of rounds"),
        Column("sd_rounds", "spread", "number", meaning="standard deviation of the rounds between games"),
        Column("q05", "5 %", "number", meaning="5th percentile of the rounds"),
        Column("q50", "median", "number"),
        Column("q95", "95 %", "number", meaning="95th percentile of the rounds"),
        Column("winning_score", "winning score", "number", meaning="mean score of winners"),
    )


def winner_listing(noun: str, frame: pl.DataFrame) -> Listing:
    """Return the table of edges by ending."""
    columns = (
        Column(REASON, "ending", "text"),
        Column("level", noun, "text"),
        Column("flag", "flag", "flag"),
        Column("edge", "edge", "edge", "edge_low", "edge_high", "edge in games with this ending"),
        Column("win_rate", "wins", "share"),
        Column("mean_score", "score", "number", further=True),
        Column("p_holm", "p", "p", further=True),
        Column("games", "games", "count", meaning="seat-games"),
    )
    return Listing(f"ending x {noun}", f"{capital(plural(noun))} by ending", frame, columns, folded=True)
