"""Section on matchups: who finishes ahead of whom."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from reports.claims import Claim, Said, claiming, unclaimed
from reports.data.load import Run, only_one_player
from reports.drawing import NEUTRAL, WIDTH, draw_cells, figure_of, label_cells, styled, styled_axes
from reports.formatting import capital, counted, factors, half_width, lopsided, percent, plural
from reports.model import Column, Listing, Picture, Section, limited, said_section
from reports.statistics.core.win_rate import ALPHA, one_family
from reports.statistics.strength.interactions import Interactions, interactions
from reports.statistics.strength.matchups import NEVER_MET, EdgeSquare, circles, count_pairings, matchups, square

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MAX_NUMBERS = 24
P_MEANING = "chance of so large an edge between equals, corrected for all pairs"
COLUMNS = (
    Column("level", "ahead", "text"),
    Column("level2", "behind", "text"),
    Column("games", "pairings", "count", meaning="pairs of seats of one game"),
    Column("ahead", "share ahead", "share", "low", "high", "ties count half; 50 % between equals"),
    limited("shrunk", "shrunk", "share", "share ahead, drawn towards what strength alone says"),
    Column("by_strength", "by strength", "share", meaning="share ahead by strength alone", further=True),
    limited("margin", "margin", "number", "mean difference of their scores", further=True),
    Column("p_holm", "p", "p", meaning=P_MEANING, further=True),
    Column("flag", "flag", "flag"),
    Column("note", "note", "text"),
)


READING = (
    "A 'share ahead' of 60 % means: in 60 of 100 games with both at the table, the first finished ahead "
    "of the second. White is even; orange means that the row finishes ahead of the column; bold cells "
    "are significant, corrected for all pairs. A pair meets in few games, so its share is partly luck. "
    "'Shrunk' shares are drawn towards what the strengths of both say, the more so the fewer games there are and the "
    "less opponents matter in this run; the map shows these where there are any. "
    "If A beats B, B beats C and C beats A, no ranking tells "
    "the whole story. Finishing ahead is not winning, and what wins against these opponents may not "
    "win against others: `empirelab metagame` plays all line-ups."
)
PAIRS_RATE = 0.8
"""Share of the section's error rate that single pairs get. Interactions get the rest."""
WIDEST_SPREAD = 0.25
"""The upper limit of the spread (standard deviation) of interactions is stated only if it is below this fraction."""
BEYOND, CYCLE = "matchups beyond strength", "rock-paper-scissors"


def matchups_section(run: Run, rate: float = ALPHA) -> Section:
    """Return the section on who finishes ahead of whom, with a table and a heat map for strategies and factions."""
    if only_one_player(run.manifest):
        return Section("matchups", "Matchups", ("Every game has one player, so there are no matchups.",))
    parts: list[Said] = []
    listings, drawn = [], []
    nouns = factors(run.manifest)
    found = count_pairings(run)
    met = [column for column, pairs in found.items() if pairs.sums.any()]
    judged = one_family([matchups(found[column]) for column in met], rate=PAIRS_RATE * rate)
    beyond = {column: interactions(found[column], (1 - PAIRS_RATE) * rate / max(len(met), 1)) for column in met}
    frames = {column: with_shrunk(frame, beyond[column]) for column, frame in zip(met, judged, strict=True)}
    family = f"{sum(frame['p'].count() for frame in frames.values())} pairs"
    for column in found:
        noun = nouns[column]
        if column not in frames:
            parts.append((f"No two {plural(noun)} met in this run, so there are no matchups of {plural(noun)}.", ()))
            continue
        frame = frames[column]
        grid = square(frame)
        parts += matchups_said(frame, grid, noun, family)
        parts += beyond_said(beyond[column], frame, noun)
        title = f"Matchups by {noun}"
        note = f"One row for each pair of {plural(noun)}, seen from the side that is ahead more often."
        if frame["games"].min() == 0:
            note += f" Pairs marked '{NEVER_MET}' are never dealt to one table in this run."
        listings.append(Listing(f"matchups {column}", title, frame, COLUMNS, column == "faction", note))
        clearest = capital(ahead_words(frame.row(0, named=True)))
        said = f"Share of games in which each {noun} finishes ahead of each other one. {clearest}."
        drawn.append((column, grid, said))
    widest = max((widest_share(grid) for _, grid, _ in drawn), default=0.0)
    pictures = [
        Picture(f"matchups {column}", partial(matchup_map, grid, nouns[column], widest=widest), said)
        for column, grid, said in drawn
    ]
    return said_section("matchups", "Matchups", parts, listings, pictures, READING)


def matchups_said(frame: pl.DataFrame, grid: EdgeSquare, noun: str, family: str) -> list[Said]:
    """Name the most certain pair, levels that are ahead of (or behind) all others, and circular triads."""
    certain = frame.filter(pl.col("flag") != "")
    known = frame.filter(pl.col("p").is_not_null()).height
    if not known:
        return [(f"Matchups of {plural(noun)} need at least two blocks with both at the table.", ())]
    if not certain.height:
        first = frame.row(0, named=True)
        pair = f"{first['level']} against {first['level2']}"
        seen = f"the largest observed is {pair}, ahead in {percent(first['ahead'])} of their pairings"
        return [(f"None of {counted(known, 'matchup')} of {plural(noun)} is significant; {seen}.", ())]

    def claimed(sentence: str, rows: pl.DataFrame) -> Said:
        shares = rows.with_columns(pl.col("family_low", "family_high") + 0.5).to_dicts()
        return claiming(sentence, "matchup", shares, family, "ahead", called=pair_of)

    said = [claimed(f"Clearest matchup of {plural(noun)}: {ahead_words(certain.row(0, named=True))}.", certain.head(1))]
    said += [
        claimed(sentence, certain.filter((pl.col("level") == name) | (pl.col("level2") == name)))
        for name, sentence in extremes(grid, noun)
    ]
    rounds = circles(grid)
    if rounds:
        edge, (a, b, c) = rounds[0]
        more = f" {counted(len(rounds), 'such cycle')} in all." if len(rounds) > 1 else ""
        sentence = (
            f"Rock-paper-scissors: {a} finishes ahead of {b}, {b} ahead of {c} and {c} ahead of {a}, each in at "
            f"least {percent(0.5 + edge)} of their games as observed.{more}"
        )
        three = certain.filter(pl.col("level").is_in([a, b, c]), pl.col("level2").is_in([a, b, c]))
        least = float(three["family_low"].cast(pl.Float64).min())  # type: ignore[arg-type]
        _, pairs = claimed(sentence, three)
        said.append((sentence, (*pairs, Claim(CYCLE, f"{a}, {b}, {c}", edge, least, None, family, sentence))))
    elif len(grid.names) > 2:
        sentence = (
            f"No rock-paper-scissors cycle found among {plural(noun)}: {certain.height} of "
            f"{counted(known, 'matchup')} are significant, and no three of them form a cycle."
        )
        said.append(claimed(sentence, certain))
    return said


def with_shrunk(frame: pl.DataFrame, beyond: Interactions | None) -> pl.DataFrame:
    """Add columns with the share of pairings in which the first level of a pair is ahead.

    `by_strength` is the share that both strengths predict. `shrunk` is the observed share, shrunk towards the predicted
    one. Its limits are `shrunk_low` and `shrunk_high`. All are null if interactions (what a pair adds to the two
    strengths) were not estimated.
    """
    names, turned = ("shrunk", "shrunk_low", "shrunk_high", "by_strength"), (0, 2, 1, 3)
    if beyond is None or beyond.share is None:
        return frame.with_columns(pl.lit(None, pl.Float64).alias(name) for name in names)
    columns = dict(zip(names, (beyond.share, beyond.low, beyond.high, beyond.by_strength), strict=True))
    there = pl.DataFrame({
        "level": [beyond.names[place] for place in beyond.first],
        "level2": [beyond.names[place] for place in beyond.second], **columns,
    })  # fmt: skip
    back = there.select(
        pl.col("level2").alias("level"), pl.col("level").alias("level2"),
        **{name: 1 - pl.col(names[other]) for name, other in zip(names, turned, strict=True)},
    )  # fmt: skip
    return frame.join(pl.concat([there, back]), ["level", "level2"], "left", maintain_order="left")


def beyond_said(beyond: Interactions | None, frame: pl.DataFrame, noun: str) -> list[Said]:
    """Say how far results of pairs differ from what the strengths of both levels predict."""
    if beyond is None:
        return []
    pairs = counted(frame.filter(pl.col("games") > 0).height, "pair")
    low, high = (f"{100 * value:.1f}" for value in (beyond.spread_low, beyond.spread_high))
    known = beyond.spread_high < WIDEST_SPREAD
    if beyond.spread_low > 0:
        limits_said = f"{low} to {high}" if known else f"at least {low}"
        text = (
            f"Opponents matter: who finishes ahead of whom among {plural(noun)} typically differs from what their "
            f"strengths say by {100 * beyond.spread:.1f} points ({limits_said})."
        )
    elif known:
        text = (
            f"Nothing shows that some {plural(noun)} do better against certain others than their strengths say: the "
            f"shares ahead of {pairs} typically differ from that by at most {high} points."
        )
    else:
        asked = f"Whether some {plural(noun)} do better against certain others than their strengths say"
        return unclaimed([f"{asked} is not known: too few pairs."])
    limits = (beyond.spread_low or None, beyond.spread_high if known else None)
    return [(text, (Claim(BEYOND, noun, beyond.spread, *limits, f"{pairs} together", text),))]


def extremes(grid: EdgeSquare, noun: str) -> list[tuple[str, str]]:
    """Return the name of each level that is certainly ahead of all others it met, or behind them, with a sentence."""
    met = np.isfinite(grid.edge)
    said = []
    for side, word in ((1, "ahead of"), (-1, "behind")):
        sure = met & grid.certain & (side * grid.edge > 0)
        for place in np.flatnonzero((sure == met).all(axis=1) & (met.sum(axis=1) > 1)):
            others = int(met[place].sum())
            all_of = "both" if others == 2 else f"every one of the {others}"
            name = grid.names[place]
            said.append((name, f"{capital(name)} finishes {word} {all_of} other {plural(noun)} it meets."))
    return said


def pair_of(row: dict[str, Any]) -> str:
    """Name a pair: 'balanced ahead of trade'."""
    return f"{row['level']} ahead of {row['level2']}"


def ahead_words(row: dict[str, Any]) -> str:
    """Describe a pair: 'balanced finishes ahead of trade in 71.2 ± 0.3 % of their pairings'.

    Limits hold for all pairs that are judged together. Asymmetric ones read: '..., between 93.8 and 100.0 %'.
    """
    if row.get("family_low") is not None:
        ends = {"edge_low": max(row["family_low"], -0.5), "edge_high": min(row["family_high"], 0.5)}
        row = row | ends | {"low": 0.5 + ends["edge_low"], "high": 0.5 + ends["edge_high"]}
    pair = f"{row['level']} finishes ahead of {row['level2']}"
    if lopsided(row):
        low, high = (f"{100 * row[name]:.1f}" for name in ("low", "high"))
        return f"{pair} in {percent(row['ahead'])} of their pairings, between {low} and {high} %"
    half = half_width(row)
    spread = "" if half is None else f" ± {100 * half:.1f}"
    return f"{pair} in {100 * row['ahead']:.1f}{spread} % of their pairings"


def widest_share(grid: EdgeSquare) -> float:
    """Return the largest distance from 50 %, in percentage points, among pairs that have a colour in the heat map."""
    coloured = grid.edge[grid.certain] if grid.shrunk is None else grid.shrunk[np.isfinite(grid.shrunk)]
    return max(100 * float(np.abs(coloured).max(initial=0.0)), 0.1)


@styled
def matchup_map(grid: EdgeSquare, noun: str, ax: Axes | None = None, *, widest: float | None = None) -> Axes:
    """Draw how often each level (rows) finishes ahead of each other level (columns), the strongest first.

    Cells in which the row is ahead are orange. If the grid has shrunk shares, these are shown. If not, only significant
    cells have a colour. Significant cells are bold. A dot marks pairs that never met. `widest` is the distance from
    50 % that gets the full colour, by default `widest_share` of the grid.
    """
    count = len(grid.names)
    numbers = count <= MAX_NUMBERS
    cell = 0.52 if numbers else 0.24
    title = f"How often the {noun} of the row finishes ahead, %"
    ax = styled_axes(ax, max(2.6 + cell * count, WIDTH), 1.9 + (0.34 if numbers else 0.24) * count, title)
    shares = 50 + 100 * grid.shown
    texts = np.full((count, count), "", dtype=object)
    if numbers:
        texts[:] = [["·" if np.isnan(share) else f"{share:.1f}" for share in row] for row in shares]
        np.fill_diagonal(texts, "")
    coloured = shares if grid.shrunk is not None else np.where(grid.certain, shares, np.nan)
    widest = widest_share(grid) if widest is None else widest
    image = draw_cells(ax, coloured, texts, grid.certain, widest, middle=50.0)
    label_cells(ax, grid.names, grid.names)
    label = "grey: not significant" if grid.shrunk is None else "drawn towards what strength alone says"
    ax.set_xlabel(f"{label}; bold: significant", fontsize=9, color=NEUTRAL)
    bar = figure_of(ax).colorbar(image, ax=ax, shrink=0.85, aspect=28, pad=0.02)
    bar.outline.set_visible(False)
    bar.ax.yaxis.set_major_formatter("{x:g} %")
    return ax
