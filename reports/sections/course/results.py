"""Sections on how games end: why, after how many rounds and with which score. Also who wins with each ending.

Further sections cover the results of solo games, rolls compared with their exact odds, and circumstances that affect
all seats of a game alike.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np
import polars as pl

from reports.claims import Said, claiming, claims_on, unclaimed
from reports.data.load import Run, only_one_player, player_counts, tallies_shown, tally_sums
from reports.drawing import FAINT, NARROW, NEUTRAL, Axes, key_below, rows_down, styled, styled_axes
from reports.formatting import (
    capital,
    counted,
    edge_between,
    factors,
    interval,
    listed,
    number,
    percent,
    plural,
    points,
    some,
)
from reports.model import Column, Listing, Picture, Section, limited, said_section
from reports.statistics.core.win_rate import ALPHA, one_family
from reports.statistics.course.endings import (
    REASON,
    SCORE_PREFIX,
    block_counts,
    circumstance_tables,
    game_cells,
    length_table,
    reason_table,
    winners,
)
from reports.statistics.course.results import (
    OFTEN,
    SELDOM,
    SHARE_OF,
    against_odds,
    result_counts,
    result_rows,
    result_shares,
)
from sim.data.declarations import Circumstance
from sim.runs.store.manifest import TallyEntry

MANY = 2
"""If a roll has at most this many outcomes, the table always shows their exact odds."""
NAMED = 3
READING = (
    "A game of one player is won or lost against the game, so the fair share here is the mean win rate "
    "of all rows. Limits are those of single rows; often and seldom hold for all rows and endings of a "
    "table. Whether the game is hard enough is for the designer to judge: better players shift all "
    "rows, but shift the differences between them less."
)


WINS = (Column("wins", "win rate", "share", "low", "high"), Column("score", "score", "number", meaning="mean score"))
RESULT_COLUMNS = (
    Column(REASON, "result", "text"),
    Column("flag", "flag", "flag", meaning="more or less often than over all rows; holds for all of them at once"),
    Column("share", "share", "share", "low", "high", "share of its games with this result"),
    Column("mean", "all", "share", meaning="share over all rows"),
    Column("p", "p", "p", meaning="corrected for all rows of the table (Holm)", further=True),
    Column("games", "games", "count", meaning="games with this result"),
)


def results_section(run: Run, rate: float = ALPHA) -> Section | None:
    """Return the section on how solo games end, by faction and strategy. None for a run without solo games.

    The chance that any claim of the section is false is at most `rate`.
    """
    if 1 not in player_counts(run.manifest):
        return None
    nouns = {name: noun for name, noun in factors(run.manifest).items() if name != "seat"}
    said: list[Said] = []
    listings, pictures = [], []
    for column, noun in nouns.items():
        counts = result_counts(run, column)
        if not counts.height:
            continue
        endings = counts[REASON].unique(maintain_order=True).to_list()
        rows, shares = result_rows(counts, endings), result_shares(counts, len(nouns), rate)
        said += unclaimed([] if said else [overall(counts)])
        said += unclaimed([extreme_results(rows, noun)] if rows.height > 1 else [])
        said += flagged_words(shares, noun)
        several = len(endings) > 1
        shares_of = [Column(f"{SHARE_OF}{name}", short_ending(name, endings), "share") for name in endings]
        columns = (Column("level", noun, "text"), *WINS, *shares_of, Column("games", "games", "count"))
        note = f"Shares of {listed([short_ending(name, endings) for name in endings])} are of all games of a row."
        title = f"Results by {noun}"
        listings.append(Listing(f"results {column}", title, rows, columns, note=note if several else ""))
        if rows.height > 1 and several:
            title = f"Each result by {noun}"
            columns = (Column("level", noun, "text"), *RESULT_COLUMNS)
            listings.append(Listing(f"result x {column}", title, shares, columns, folded=True))
        if several:
            alternative = f"Share of games by result and {noun}. {extreme_results(rows, noun)}"
            lost = counts.group_by(REASON).agg(pl.col("wins").sum()).filter(pl.col("wins") == 0)[REASON].to_list()
            picture = partial(result_bars, rows, endings, lost)
            pictures.append(Picture(f"results {column}", picture, alternative))
    return said_section("results", "Games of one player", said, listings, pictures, READING)


def overall(counts: pl.DataFrame) -> str:
    """State how many games are won, and how they end."""
    games = int(counts["games"].sum())
    ends = counts.group_by(REASON, maintain_order=True).agg(pl.col("games").sum())
    names = ends[REASON].to_list()
    parts = [f"{percent(row['games'] / games)} {short_ending(row[REASON], names)}" for row in ends.to_dicts()]
    how = f": {', '.join(parts)}" if len(parts) > 1 else ""
    return f"Of {counted(games, 'game')} of one player, {percent(float(counts['wins'].sum()) / games)} are won{how}."


def extreme_results(rows: pl.DataFrame, noun: str) -> str:
    """Name the levels that win most and least."""
    best, worst = rows.row(0, named=True), rows.row(-1, named=True)
    if rows.height == 1:
        return f"{best['level']} wins {percent(best['wins'])} with {number(best['score'])} points on average."
    most, least = (
        f"{row['level']} has the {word} observed win rate, {percent(row['wins'])} of its games (95 %: "
        f"{interval(row['low'], row['high'], 1)}), with {number(row['score'])} points on average"
        for row, word in ((best, "most"), (worst, "least"))
    )
    return f"Of the {plural(noun)} {most}; {least}."


def flagged_words(shares: pl.DataFrame, noun: str) -> list[Said]:
    """Name endings that certainly differ in frequency between a level and all levels, the largest difference first."""
    names = shares[REASON].unique(maintain_order=True).to_list()
    sure = shares.filter(pl.col("flag") != "").sort(pl.col("edge").abs(), descending=True).to_dicts()
    said: list[Said] = []
    family = f"{shares['p'].count()} rows by {noun}"
    for flag in (OFTEN, SELDOM):
        rows = [row for row in sure if row["flag"] == flag][:NAMED]
        named = [
            f"{row['level']} {short_ending(row[REASON], names)} ({percent(row['share'])}, all {percent(row['mean'])})"
            for row in rows
        ]
        if rows:
            sentence = f"{'More' if flag == OFTEN else 'Less'} often than over all {plural(noun)}: {some(named)}."
            said.append(claiming(sentence, "result", rows, family))
    return said


def short_ending(name: str, endings: Sequence[str]) -> str:
    """Return an ending without the word that all of them begin with: 'solo knight' as 'knight'."""
    first, _, rest = name.partition(" ")
    return rest if rest and all(other.startswith(f"{first} ") for other in endings) else name


@styled
def result_bars(rows: pl.DataFrame, endings: Sequence[str], lost: Sequence[str], ax: Axes | None = None) -> Axes:
    """Draw a stacked bar of endings per level.

    Endings with which no game was won are grey. The colours of the other endings grow darker along the list.
    """
    import matplotlib as mpl
    from matplotlib.colors import to_hex

    own = ax is None
    lines = -(-len(endings) // 4)
    ax = styled_axes(ax, NARROW, 1.3 + 0.22 * lines + 0.3 * rows.height, "How games of one player end")
    won = [name for name in endings if name not in lost]
    shades = mpl.colormaps["YlOrBr"](np.linspace(0.2, 0.9, max(len(won), 1)))
    colours = dict.fromkeys(lost, FAINT) | dict(zip(won, map(to_hex, shades), strict=False))
    left = np.zeros(rows.height)
    for name in endings:
        width = 100 * rows[f"{SHARE_OF}{name}"].to_numpy()
        ax.barh(range(rows.height), width, left=left, height=0.72, color=colours[name], edgecolor="white", lw=0.8,
                label=short_ending(name, endings))  # fmt: skip
        left = left + width
    rows_down(ax, rows["level"].to_list())
    ax.set_xlim(0, 100)
    ax.xaxis.set_major_formatter(lambda value, _: f"{value:.0f} %")
    ax.set_xlabel("share of games", fontsize=9, color=NEUTRAL)
    key_below(ax, len(endings), own)
    return ax


def odds_sections(run: Run, rate: float = ALPHA) -> tuple[Section, ...]:
    """Return a section for each tally of rolls whose exact odds are known. The sections share the error rate."""
    entries = tallies_shown(run, "odds")
    return tuple(odds_section(run, entry, rate / len(entries)) for entry in entries)


def odds_section(run: Run, entry: TallyEntry, rate: float = ALPHA) -> Section:
    """Return the section that compares the outcomes of each kind of roll with its exact odds."""
    frame = against_odds(entry, tally_sums(run, entry), rate)
    noun, outcomes = entry.name, entry.columns
    columns = (
        Column("row", noun, "text"),
        Column("rolls", plural(noun), "count"),
        *(column for name in outcomes for column in (
            limited(name, name, "share"),
            Column(f"{name}_exact", f"{name}, exact", "share", further=len(outcomes) > MANY),
        )),
        Column("flag", "differs", "flag", meaning="whether shares differ from the odds; holds for all kinds at once"),
        Column("p", "p", "p", meaning="chance of so large a difference by luck (chi-square)", further=True),
    )  # fmt: skip
    title = f"{capital(plural(noun))} against the exact odds"
    listing = Listing(f"{plural(noun)} odds", title, frame, columns, folded=True)
    reading = f"{entry.reading} Limits are those of independent {plural(noun)} (Clopper and Pearson 1934).".strip()
    return said_section(plural(noun), title, odds_sentences(frame, noun, outcomes), [listing], reading=reading)


def odds_sentences(frame: pl.DataFrame, noun: str, outcomes: list[str]) -> Iterator[Said]:
    """Say how all rolls ended, and which kinds of roll certainly differ from their odds."""
    known = frame.filter(pl.col(f"{outcomes[0]}_exact").is_not_null() & (pl.col("rolls") > 0))
    total = int(known["rolls"].sum())
    if not total:
        yield f"No {noun} with known odds was made.", ()
        return
    seen = listed([f"{percent(mean_share(known, name, total), 2)} {name}" for name in outcomes])
    exact = listed([f"{percent(mean_share(known, f'{name}_exact', total), 2)} {name}" for name in outcomes])
    yield (
        f"Of {counted(total, noun)} with known odds, {seen}; the exact odds of the same {plural(noun)} are {exact}.",
        (),
    )
    sure = known.filter(pl.col("flag") != "").sort("p")
    if not sure.height:
        yield f"None of {counted(known.height, 'kind')} of {plural(noun)} differs significantly from its odds.", ()
        return
    ends = ", ".join(odds_words(row, outcomes[0]) for row in sure.head(NAMED).to_dicts())
    kinds = f"{counted(sure.height, 'kind')} of {plural(noun)}"
    said = f"{kinds} differ significantly from their odds; the clearest are {ends}."
    columns = ("distance", "distance_low", "distance_high")
    family = counted(known.height, "kind")
    yield said, claims_on("result", sure.to_dicts(), said, family, columns, lambda row: str(row["row"]))


def mean_share(frame: pl.DataFrame, name: str, total: int) -> float:
    """Return the mean of a column, weighted by the number of rolls in each row. `total` is the number of all rolls."""
    return float((frame[name] * frame["rolls"]).sum()) / total


def odds_words(row: dict[str, Any], outcome: str) -> str:
    """Format a kind of roll with an outcome's share and exact odds: 'open land, +0 (50.1 % won, exact 48.9 %)'."""
    return f"{row['row']} ({percent(row[outcome])} {outcome}, exact {percent(row[f'{outcome}_exact'])})"


MOST_ENDINGS = 4


ENDINGS_READING = (
    "Endings result from play: a row that wins more often when games end in one way may cause that "
    "ending. Limits come from the spread between blocks; flags hold for all rows of a table at once."
)


WINNER_COLUMNS = (
    Column("flag", "flag", "flag"),
    limited("edge", "edge", "edge", "edge in games with this ending"),
    Column("win_rate", "wins", "share"),
    Column("mean_score", "score", "number", further=True),
    Column("p_holm", "p", "p", further=True),
    Column("games", "games", "count", meaning="seat-games"),
)


def endings_section(run: Run, rate: float = ALPHA) -> Section | None:
    """Say why games end, how long they last, and who wins with each ending. None if all games end alike.

    `results_section` reports the endings of solo games.
    """
    cells = game_cells(run)
    if (cells[REASON].n_unique() == 1 or only_one_player(run.manifest)) and cells["rounds"].n_unique() == 1:
        return None
    blocks = block_counts(run)
    reasons, lengths = reason_table(cells, blocks), length_table(cells, blocks)
    parts = unclaimed([reason_words(reasons), length_words(lengths)])
    games = Column("games", "games", "count")
    share = Column("share", "games %", "share", "low", "high", "share of all games")
    of_reasons = (Column(REASON, "ending", "text"), share, games)
    of_lengths = (Column("condition", "played with", "text"), games, *length_columns("low", "high"))
    listings = [
        Listing("end reasons", "Why games end", reasons, (*of_reasons, *length_columns())),
        Listing("rounds", "Length of games", lengths, of_lengths),
    ]
    if reasons.height > 1:
        found = dict(winners(run))
        frames = one_family(list(found.values()), rate=rate)
        family = f"{sum(frame['p'].count() for frame in frames)} rows by ending"
        for noun, frame in zip(found, frames, strict=True):
            parts += winner_words(frame, "" if noun == run.manifest.faction_title else noun, family)
            columns = (Column(REASON, "ending", "text"), Column("level", noun, "text"), *WINNER_COLUMNS)
            title = f"{capital(plural(noun))} by ending"
            listings.append(Listing(f"ending x {noun}", title, frame, columns, folded=True))
    return said_section("endings", "How games end", parts, listings, reading=ENDINGS_READING)


def reason_words(frame: pl.DataFrame) -> str:
    """Return a sentence on the endings, most frequent first."""
    rows = frame.to_dicts()
    if len(rows) == 1:
        return f"Every game ends in the same way ({rows[0][REASON]})."
    said = [
        f"{percent(row['share'])} by {row[REASON]} (after {number(row['mean_rounds'])} rounds, {winning_words(row)})"
        for row in rows[:MOST_ENDINGS]
    ]
    more = f"; the table lists {len(rows) - MOST_ENDINGS} more endings" if len(rows) > MOST_ENDINGS else ""
    return f"Games end {'; '.join(said)}{more}."


def winning_words(row: dict[str, Any]) -> str:
    """Give the mean winning score of the games with an ending: 'won with 61.2 points', or 'lost' if none was won."""
    return "lost" if row["winning_score"] is None else f"won with {number(row['winning_score'])} points"


def length_words(frame: pl.DataFrame) -> str:
    """Return a sentence on the length of games under each condition."""
    said = [
        f"{number(row['mean_rounds'])} rounds with {row['condition']} "
        f"(nine of ten games: {row['q05']:.0f} to {row['q95']:.0f})"
        for row in frame.to_dicts()
    ]
    return f"Games last {'; '.join(said)}."


def winner_words(frame: pl.DataFrame, noun: str = "", family: str = "") -> list[Said]:
    """Name rows that win too often or too rarely with an ending, the largest edge first.

    If `noun` is given (the rows are of an attribute), at most two rows are named.
    """
    flagged = frame.filter(pl.col("flag") != "").sort(pl.col("edge").abs(), descending=True).to_dicts()
    said = []
    for row in flagged[: 2 if noun else MOST_ENDINGS]:
        edge = edge_between(row["edge"], row["family_low"], row["family_high"])
        who, often = f"{noun} {row['level']}".strip(), "often" if row["edge"] > 0 else "rarely"
        sentence = f"When games end by {row[REASON]}, {who} wins too {often} ({edge})."
        said.append(claiming(sentence, "ending", [row], family))
    return said


def length_columns(low: str = "", high: str = "") -> tuple[Column, ...]:
    """Return the columns on rounds and scores. `low` and `high` name the columns with limits of the mean, if any."""
    return (
        Column("mean_rounds", "rounds", "number", low, high, "mean number of rounds"),
        Column("sd_rounds", "spread", "number", meaning="standard deviation of the rounds between games"),
        Column("q05", "5 %", "number", meaning="5th percentile of the rounds"),
        Column("q50", "median", "number"),
        Column("q95", "95 %", "number", meaning="95th percentile of the rounds"),
        Column("winning_score", "winning score", "number", meaning="mean score of winners"),
    )


CIRCUMSTANCES_READING = (
    "No player chooses it, so with these players it causes the change. Changes are per {unit}, by "
    "least squares, with errors by block; limits in sentences hold for all rows of this section at "
    "once."
)


def circumstances_section(run: Run, rate: float = ALPHA) -> Section | None:
    """Say who wins or scores more under a circumstance. None if the game declares none, or if none varies."""
    named = [] if only_one_player(run.manifest) else run.manifest.circumstances
    found = [(entry, *table) for entry in named for table in circumstance_tables(run, entry.measure)]
    columns = ("change", "low", "high", "p")
    frames = one_family([frame for *_, frame in found], columns, run.manifest.blocks, rate=rate)
    family = f"{sum(frame['p'].count() for frame in frames)} rows of this section"
    judged = [(entry, noun, frame) for (entry, noun, _), frame in zip(found, frames, strict=True)]
    said = [circumstance_words(frame, noun, entry, family) for entry, noun, frame in judged]
    listings = [change_listing(frame, noun, entry) for entry, noun, frame in judged]
    if not listings:
        return None
    title = capital(" and ".join(entry.name for entry in named))
    reading = CIRCUMSTANCES_READING.format(unit=" or ".join(entry.unit for entry in named))
    return said_section("circumstances", title, said, listings, reading=reading)


def circumstance_words(frame: pl.DataFrame, noun: str, entry: Circumstance, family: str) -> Said:
    """Say who certainly gains or loses by a circumstance, the largest change first.

    If nobody does, state the largest observed change.
    """
    rows = sorted(frame.to_dicts(), key=lambda row: -abs(row["change"] or 0.0))
    sure = [row for row in rows if row["flag"]]
    if not sure:
        change = f"{points(rows[0]['change'], 2)} points per {entry.unit}"
        widest = f": the largest observed is {circumstance_name(rows[0], noun)} ({change})" if rows[0]["change"] else ""
        return f"No {noun} is shown to depend on {entry.name}{widest}.", ()
    named = "; ".join(row_words(row, noun) for row in sure)
    sentence = f"Per {entry.unit}, the win rate changes for {named}."
    return claiming(sentence, "circumstance", sure, family, "change")


def circumstance_name(row: dict[str, Any], noun: str) -> str:
    """Name a row in a sentence. A row that is a bare number gets its noun."""
    return f"{noun} {row['level']}" if row["level"].isdigit() else str(row["level"])


def row_words(row: dict[str, Any], noun: str) -> str:
    """Format a row's name and its change of the win rate: 'Rhodos B by +1.20 ± 0.30 points'."""
    half = (row["family_high"] - row["family_low"]) / 2
    return f"{circumstance_name(row, noun)} by {points(row['change'], 2)} ± {number(100 * half, 2)} points"


def change_listing(frame: pl.DataFrame, noun: str, entry: Circumstance) -> Listing:
    """Return the table of one circumstance: edge and points of each row with less and with more of it, the change."""
    less, more, unit = entry.less, entry.more, entry.unit
    columns = (
        Column("level", noun, "text"),
        Column("below", less, "edge", meaning=f"edge in games played {less}"),
        Column("above", more, "edge", meaning=f"edge in games played {more}"),
        Column("change", f"per {unit}", "edge", "low", "high", f"change of the win rate per {unit}"),
        Column("p_holm", "p", "p"),
        Column(f"{SCORE_PREFIX}below", f"points {less}", "number", meaning="points above the mean of the table"),
        Column(f"{SCORE_PREFIX}above", f"points {more}", "number", meaning="points above the mean of the table"),
        Column(f"{SCORE_PREFIX}change", f"points per {unit}", "number", f"{SCORE_PREFIX}low", f"{SCORE_PREFIX}high",
               f"change of the points above the mean of the table per {unit}"),
        Column("games", "games", "count", meaning="seat-games"),
    )  # fmt: skip
    return Listing(f"{entry.measure} x {noun}", f"{capital(plural(noun))} by {entry.name}", frame, columns)
