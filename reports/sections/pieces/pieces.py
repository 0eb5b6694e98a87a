"""Section on the pieces of a run: how often each is offered, taken and played, and how often its players win.

A plain win rate describes who plays a piece, not what the piece does: leaders play more pieces, and a piece is played
by those whom it suits. Adjusted figures fit all pieces in play together with faction, strategy and seat
(`reports.statistics.pieces.piece_strength`). They still depend on what players choose. To measure the effect of a
piece, `reports.studies.parts.intervene` changes it. Factions that a seat takes during a game, such as an empire each
epoch, are pieces too. All texts use the game's word for a piece.

Another section is on picks. In some games, every seat takes one piece of a certain kind each period: its pick. Each
pick is compared with the others of its period. In games without factions, this comparison shows the balance: which
empire of an epoch, and which place in the draft, is worth more.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import polars as pl

from reports.claims import Said, claiming, unclaimed
from reports.data.load import Run
from reports.data.piece_counts import PieceGames, read_pieces
from reports.drawing import FAINT, INK, NEUTRAL, STRONG, WEAK, WIDTH, Axes, signed, styled, styled_axes
from reports.formatting import (
    capital,
    company_of,
    count,
    counted,
    edge_between,
    listed,
    plural,
    points,
    typeset,
    with_article,
)
from reports.model import Column, Listing, Picture, Section, limited, said_section
from reports.sections.pieces.piece_figures import draw_effects, draw_scatter
from reports.statistics.core.win_rate import ALPHA, several_figures
from reports.statistics.pieces.picks import ABOVE, BELOW, INSEPARABLE, PickFindings, pick_findings
from reports.statistics.pieces.piece_strength import BLOCKS_FOR_EACH_TERM, piece_strengths
from reports.statistics.pieces.pieces import OFTEN, SELDOM, TAKEN, pieces_frame
from sim.runs.store.manifest import PicksEntry

ENDS = 5
"""Number of pieces that the short table shows from each end of the full table."""
OFFERED = {"card": "seats that had it in hand"}
"""By the game's word for a piece: what the column "offered" counts in games where pieces are not literally offered."""


def pieces_section(run: Run, rate: float = ALPHA) -> Section | None:
    """Say which pieces are associated with winning, with and without adjustment.

    If the run recorded no pieces, the section only says how to record them. None for a game without pieces.
    """
    if run.pieces is None:
        return none_kept(plural(run.manifest.piece)) if run.manifest.piece_events else None
    pieces, company = read_pieces(run), company_of(run.manifest)
    several, strengths = plural(pieces.noun), piece_strengths(pieces)
    frame = pieces_frame(pieces, strengths)
    if not frame.height:
        nothing = f"No {pieces.noun} was offered or put in play."
        return Section(several, capital(several), (nothing,))
    figures_of = {"": ("adjusted", "adjusted_low", "adjusted_high", "p_adjusted"),
                  "plain_": ("edge", "edge_low", "edge_high", "p")}  # fmt: skip
    words = {"": {"strong": OFTEN, "weak": SELDOM}}
    frame = several_figures(frame, figures_of, words, int(pieces.block[-1]) + 1, rate)
    columns = piece_table_columns(pieces, strengths is not None)
    listings = [Listing(several, f"All {several}", frame, columns, folded=True, note=games_read_words(pieces, run))]
    judged = frame.filter(pl.col("adjusted_low").is_not_null())
    pictures: tuple[Picture, ...] = ()
    if judged.height:
        short, title = judged, capital(several)
        if judged.height > 2 * ENDS:
            short = pl.concat([judged.head(ENDS), judged.tail(ENDS)])
            title = f"The {ENDS} {several} most and least associated with winning"
        kept = (pieces.noun, "games", "built", "edge", "adjusted", "p_adjusted_holm", "flag")
        brief = tuple(column for column in columns if column.name in kept)
        listings.insert(0, Listing(f"{several} ends", title, short, brief))
        pictures = piece_pictures(judged, pieces.noun)
    changeable = run.manifest.pieces_changeable
    said = piece_sentences(pieces, frame, judged, company, changeable)
    reading = pieces_reading(pieces.noun, company, changeable)
    return said_section(several, capital(several), said, listings, pictures, reading)


def none_kept(several: str) -> Section:
    """Return a section for a run without recorded pieces, which says how to record them."""
    how = f"this run did not record them; play it again with --detail {several}"
    return Section(several, capital(several), (f"Single {several} are not covered: {how}.",))


def piece_table_columns(pieces: PieceGames, fitted: bool) -> tuple[Column, ...]:
    """Return the columns of the table of all pieces."""
    noun, several = pieces.noun, plural(pieces.noun)
    titles = [event.title for event in pieces.events if event.title != TAKEN]
    among = "share of those seats in which it was"
    events = [Column(title, title, "share", meaning=f"{among} {title}", further=True) for title in titles]
    against = f"minus that of seats with other {several} of the same turns, points"
    adjusted = (
        limited("adjusted", "adjusted", "edge", f"win rate of seats with it {against}"),
        Column("p_adjusted_holm", "p", "p", meaning=f"of the adjusted edge, corrected for all {several}", further=True),
    )
    flag = "whether the adjusted edge differs from 0; holds for all figures at once"
    return (
        Column(noun, noun, "text"),
        Column("offered", "offered", "count", meaning=OFFERED.get(noun, "seats that were offered it"), further=True),
        Column(TAKEN, "taken", "share", meaning="share of those seats that took it, for any use", further=True),
        *events,
        Column("games", "in play", "count", meaning="seats that had it in play, by any way"),
        Column("turn", "turn", "number", meaning="mean turn in which it came into play", further=True),
        limited("edge", "unadjusted", "edge", "win rate of these seats minus fair share"),
        *(adjusted if fitted else ()),
        Column("flag", "winners have it", "flag", meaning=flag),
        Column("note", "note", "text"),
    )


def piece_pictures(judged: pl.DataFrame, noun: str) -> tuple[Picture, ...]:
    """Return two figures: the highest and the lowest adjusted edges, and adjusted edges against plain ones."""
    ends = ", ".join(f"{row[noun]} {adjusted_words(row)}" for row in judged[[0, -1]].to_dicts())
    forest = judged.rename({"adjusted_low": "low", "adjusted_high": "high"})
    several = plural(noun)
    label = f"adjusted edge against other {several} of the same turns, points"
    return (
        Picture(f"{several} adjusted", partial(draw_effects, forest, noun, "adjusted", label),
                f"Adjusted edge of the {several} most and least associated with winning: {ends}."),
        Picture(f"{several} plain and adjusted", partial(draw_scatter, judged, noun),
                f"Unadjusted and adjusted edge of every {noun}: {ends}."),
    )  # fmt: skip


def adjusted_words(row: dict[str, Any]) -> str:
    """Format a piece's adjusted edge with limits for all pieces: '+8.1 ± 0.4 points'."""
    return edge_between(row["adjusted"], row["family_low"], row["family_high"])


def piece_sentences(
    pieces: PieceGames, frame: pl.DataFrame, judged: pl.DataFrame, company: Sequence[str], changeable: bool
) -> Iterator[Said]:
    """Yield the results, the most important first.

    `judged` has the rows of `frame` with adjusted edges. `company` names the other factors of the adjustment.
    `changeable` says whether `intervene` can change a piece.
    """
    noun, several = pieces.noun, plural(pieces.noun)
    if not judged.height:
        few = f"{counted(int(pieces.block[-1]) + 1, 'block')} are too few to adjust {counted(frame.height, noun)}"
        needed = f"about {BLOCKS_FOR_EACH_TERM} blocks for each {noun} and each {listed(company)} are needed"
        reflect = f"they reflect who has {with_article(noun)} rather than what it does"
        yield f"{few} ({needed}): only unadjusted edges are shown, and {reflect}.", ()
        return
    before = ": before you change one, `empirelab intervene` can play the same deals without it" if changeable else ""
    yield f"These are associations with winning, not effects of the {several}{before}.", ()
    family = f"{2 * frame.height} figures of {several}"

    def claimed(sentence: str, rows: pl.DataFrame, value: str = "adjusted", prefix: str = "") -> Said:
        named = rows.with_columns(pl.col(noun).alias("level")).to_dicts()
        return claiming(sentence, "piece", named, family, value, prefix)

    often, seldom = (judged.filter(pl.col("flag") == flag) for flag in (OFTEN, SELDOM))
    if often.height:
        most = ", ".join(f"{row[noun]} {adjusted_words(row)}" for row in often.head(3).to_dicts())
        yield claimed(f"More common among winners than other {several} of the same turns: {most}.", often.head(3))
    if seldom.height:
        least = ", ".join(f"{row[noun]} {adjusted_words(row)}" for row in seldom.tail(3).reverse().to_dicts())
        yield claimed(f"Less common among winners: {least}.", seldom.tail(3))
    if not often.height and not seldom.height:
        yield f"No {noun} differs significantly from others that come into play in the same turns.", ()
    plain = judged.filter(pl.col("plain_flag") == "strong")
    only = plain.filter(pl.col("flag") != OFTEN).height
    if only:
        sentence = (
            f"Seats with any of {counted(plain.height, noun)} win more than their fair share. For {count(only)} "
            f"of them this is not confirmed against other {several} of the same turns, adjusted for "
            f"{listed(company)}."
        )
        yield claimed(sentence, plain, "edge", "plain_")
    yield observed(noun, changeable), ()


def games_read_words(pieces: PieceGames, run: Run) -> str:
    """Say how many games of the run were read. If not all, also say which numbers of players and variants they have."""
    games, players = run.manifest.games, run.manifest.players
    if pieces.games == games:
        return f"From all {counted(games, 'game')}."
    # Games are ordered by number of players, so the first games may lack some numbers of players.
    seen = np.unique(pieces.seats.players).tolist()
    lacking = isinstance(players, list) and len(seen) < len(players)
    sizes = f", which have {listed(seen, 'or')} players" if lacking else ""
    entries = run.manifest.player_counts
    variants = list(dict.fromkeys(entry.variant for entry in entries if entry.first_game < pieces.games))
    if len(variants) < len(run.manifest.variants):
        sizes += f", all of the variant {listed(variants, 'or')}"
    return f"From the first {counted(pieces.games, 'game')} of {count(games)}{sizes}."


def observed(noun: str, changeable: bool) -> str:
    """Say that adjusted figures are not causal effects."""
    one = with_article(noun)
    measured = f" `empirelab intervene` measures what {one} itself does." if changeable else ""
    return (
        f"Adjusted edges still reflect what players chose: {one} that is played to fill a gap looks "
        f"worse than it is.{measured}"
    )


def pieces_reading(noun: str, company: Sequence[str], changeable: bool) -> str:
    """Return how to read the section."""
    several = plural(noun)
    return (
        f"Unadjusted edge: win rate of seats with the {noun} in play minus fair share; it mixes the {noun} with the "
        f"player who has it. Adjusted edge: one model of {listed([several, *map(plural, company)])} compares each "
        f"{noun} with those that come into play in the same turns. So being ahead does not count as its effect. "
        f"The model leaves out {several} of a later stage of the game, since they may result from it. "
        f"The edge is in points of win rate of a seat among equals. {observed(noun, changeable)}"
    )


NAMED = 3
"""Number of picks that a sentence names at each end: the best, and the worst."""
COLOURS = {ABOVE: STRONG, BELOW: WEAK}
AS_IN_THE_REPORT = "The report of a run shows the same edges: they are adjusted for strategy and place by points."
UNLIKE_THE_REPORT = (
    "The report of a run fits places, strategies and all picks together; here, seats that stood alike "
    "are compared directly. The two agree if every pick reaches every place; an edge of a pick that "
    "mostly reaches the same place is closer to 0 here."
)
"""Says how the edges of `among_its_like`, which `explain` uses, differ from the edges in this section."""


def picks_section(run: Run, rate: float = ALPHA) -> Section | None:
    """Compare each pick with others of its kind and period, and say what each place in the draft order is worth.

    None for a game without picks, or a run that kept no pieces.
    """
    picks = run.manifest.picks
    if picks is None or run.pieces is None:
        return None
    found = pick_findings(run)
    period, kinds = str(picks.period), found.levels.kinds
    title = f"{capital(listed([plural(kind) for kind in kinds]))} against the average of their {period}"
    if not found.picks.height:
        return Section("picks", title, (f"No player took {listed([with_article(kind) for kind in kinds], 'or')}.",))
    words = {"strong": ABOVE, "weak": BELOW}
    found = replace(found, picks=several_figures(found.picks, {
        "": ("worth", "worth_low", "worth_high", "p"), "gain_": ("gain", "gain_low", "gain_high", "gain_p"),
    }, {"": words, "gain_": words}, rate=rate))  # fmt: skip
    listings, pictures = [], []
    for kind in kinds:
        frame = found.picks.filter(pl.col("kind") == kind)
        heading = f"{capital(plural(kind))}, by {period}"
        columns = (Column("period", period, "count"), Column("level", kind, "text"))
        against = gain_columns(f"the mean {kind} of the {period}")
        listings.append(Listing(f"picks {kind}", heading, frame, (*columns, *against), folded=True))
        judged = frame.filter(pl.col("worth").is_not_null())
        if judged.height:
            pictures.append(pick_picture(judged, kind, period))
    for name, frame, noun, meaning in (
        ("draft order", found.draft, "place in the draft", f"place by points as the {period} begins, 1 for the most"),
        ("turn order", found.turn, "place in the turn order", f"place in the order in which each {kinds[0]} is played"),
    ):
        columns = (Column("period", "period", "count"), Column("level", noun, "text", meaning=meaning))
        against = gain_columns("the mean seat of the table")
        listings.append(Listing(name, f"{capital(noun)}, by {period}", frame, (*columns, *against), folded=True))
    said = pick_sentences(found, picks, run.manifest.pieces_changeable)
    return said_section("picks", title, said, listings, pictures, picks_reading(kinds, picks))


def gain_columns(against: str) -> tuple[Column, ...]:
    """Return the columns of points and win rates. `against` says in words with what both are compared."""
    later = "mean points that the pick brought its seat in later turns"
    return (
        Column("flag", "points", "flag", meaning="whether the points differ; holds for all figures at once"),
        limited("worth", "against mean", "number", f"points more than {against}, adjusted"),
        limited("gain", "win rate", "edge", f"win rate more than {against}, adjusted, points"),
        Column("gain_flag", "wins", "flag", meaning="whether the win rate differs; holds for all figures at once"),
        Column("points", "at once", "number", meaning="mean points that the seat gained in the period", further=True),
        Column("later", "later", "number", meaning=later, further=True),
        Column("games", "games", "count", meaning="seat-games"),
        Column("p_holm", "p", "p", meaning="of the points, corrected for all rows", further=True),
    )


def pick_score_words(row: dict[str, Any]) -> str:
    """Format the points that a pick scores above the mean, with half the interval: '+4.1 ± 0.3 points'."""
    low, high = (row.get(f"family_{end}", row[f"worth_{end}"]) for end in ("low", "high"))
    return f"{row['worth']:+.1f} ± {(high - low) / 2:.1f} points"


def sure_gain(row: Mapping[str, Any]) -> float:
    """Return the distance from 0 of the nearer limit of a pick's gain in win rate. Negative if the limits include 0."""
    return float(row["gain_low"] if row["gain"] > 0 else -row["gain_high"])


def pick_sentences(found: PickFindings, picks: PicksEntry, changeable: bool) -> Iterator[Said]:
    """Yield the results, the most important first. `picks` is the manifest's entry on picks."""
    period = picks.period
    family = f"{2 * found.picks.height} figures of picks"
    for kind in found.levels.kinds:
        yield from said_of_kind(found.picks.filter(pl.col("kind") == kind), kind, period, family)
    yield from unclaimed(said_of_draft(found.draft, period, picks.draft))
    measure = ": `empirelab intervene` plays the same deals with one changed" if changeable else ""
    yield (f"Players choose their picks, so these figures are associations, not effects of a pick{measure}.", ())


def said_of_kind(frame: pl.DataFrame, kind: str, period: str, family: str) -> Iterator[Said]:
    """Yield the results on the picks of one kind."""
    judged = frame.filter(pl.col("worth").is_not_null())
    if not judged.height and (frame["note"] == INSEPARABLE).all():
        yield (f"Each {kind} is confounded with a place or a strategy, so its own effect cannot be estimated.", ())
        return
    if not judged.height:
        few = f"the run is too small to adjust {counted(frame.height, kind)}"
        yield f"Of {plural(kind)} only means are given: {few} of {counted(frame['period'].n_unique(), period)}.", ()
        return
    sure = judged.filter(pl.col("flag") != "").sort("worth", descending=True)
    if not sure.height:
        yield f"No {kind} is shown to bring more or fewer points than others of its {period}.", ()
    for flag, word in ((ABOVE, "more"), (BELOW, "fewer")):
        rows = sure.filter(pl.col("flag") == flag)
        ends = (rows if flag == ABOVE else rows.reverse()).head(NAMED).to_dicts()
        if ends:
            named = ", ".join(f"{row['level']} ({period} {row['period']}) {pick_score_words(row)}" for row in ends)
            whom = f"{counted(rows.height, kind)} {'bring' if rows.height != 1 else 'brings'}"
            sentence = f"{whom} {word} points than others of the {period}; most so {named}."
            yield claiming(sentence, "piece", rows.to_dicts(), family, "worth")
    winning = sorted(judged.filter(pl.col("gain_flag") != "").to_dicts(), key=sure_gain, reverse=True)
    if winning:
        named = ", ".join(
            f"{row['level']} {edge_between(row['gain'], row['gain_family_low'], row['gain_family_high'])}"
            for row in winning[:NAMED]
        )
        sentence = f"The win rate changes with {counted(len(winning), kind)}; most so with {named}."
        yield claiming(sentence, "piece", winning, family, "gain", "gain_")
    else:
        yield f"No {kind} alone is shown to raise or lower the win rate.", ()


def said_of_draft(draft: pl.DataFrame, period: str, rule: str) -> Iterator[str]:
    """Yield what the first and the last place in the draft order are worth in the first period.

    `rule` is the game's rule for that order. Nothing is yielded if fewer than two places are known.
    """
    first = draft.filter((pl.col("period") == 1) & pl.col("worth").is_not_null())
    if first.height < 2:
        return
    ends = [f"{row['worth']:+.1f} points and {points(row['gain'])} points" for row in first[[0, -1]].to_dicts()]
    yield (
        f"Draft order in {period} 1{f' ({rule})' if rule else ''}: the seat with the most points has "
        f"{ends[0]} of win rate relative to the mean of its table; the seat with the fewest at the largest "
        f"table has {ends[1]}."
    )


def picks_reading(kinds: tuple[str, ...], picks: PicksEntry) -> str:
    """Return how to read the section, ending with the game's own text."""
    period = picks.period
    several = listed([plural(kind) for kind in kinds])
    return (
        f"At once: points that the seat gained in the {period} in which it took the pick, from any source. "
        "Later: points that the pick's own pieces brought afterwards. Against mean: both together, "
        f"relative to other {several} of the same kind and {period}, adjusted for strategy, variant, number "
        f"of players and place by points at the start of the {period}; intervals by block. Win rate: the "
        "same for winning. Places in the draft are places by points. Places in the turn order are also "
        f"adjusted for the {kinds[0]}. {picks.reading}"
    ).rstrip()


# ---- Figure ----


def pick_picture(judged: pl.DataFrame, kind: str, period: str) -> Picture:
    """Return the figure of the picks of a kind."""
    best = judged.sort("worth", descending=True)
    ends = ", ".join(f"{row['level']} {pick_score_words(row)}" for row in best[[0, -1]].to_dicts())
    text = f"Points of every {kind} against the mean of its {period}, from most to fewest: {ends}."
    return Picture(f"picks {kind}", partial(draw_picks, judged, kind, period), text)


@styled
def draw_picks(frame: pl.DataFrame, kind: str, period: str, ax: Axes | None = None) -> Axes:
    """Draw how many points each pick scores above the mean of its period, with intervals. Flagged dots are filled."""
    rows = frame.to_dicts()
    ax = styled_axes(ax, WIDTH, 1.1 + 0.2 * (len(rows) + frame["period"].n_unique()))
    place, ticks = 0.0, []
    for number, row in enumerate(rows):
        if number == 0 or row["period"] != rows[number - 1]["period"]:
            ax.axhline(place - 0.5, color=FAINT, lw=0.8, zorder=0)
            ax.annotate(f"{period} {row['period']}", (0, place), xycoords=ax.get_yaxis_transform(), fontsize=8,
                        xytext=(2, 0), textcoords="offset points", color=NEUTRAL, va="center")  # fmt: skip
            place += 1.0
        ticks.append(place)
        colour = COLOURS.get(row["flag"], INK)
        ax.plot([row["worth_low"], row["worth_high"]], [place, place], color=colour, lw=2.0, solid_capstyle="butt")
        ax.plot(row["worth"], place, "o", ms=5, mec=colour, mew=1.3, color=colour if row["flag"] else "white")
        half = (row["worth_high"] - row["worth_low"]) / 2
        ax.annotate(typeset(f"{row['worth']:+.1f} ± {half:.1f}"), (1.02, place), va="center", fontsize=8.5,
                    xycoords=ax.get_yaxis_transform(), color=colour)  # fmt: skip
        place += 1.0
    ax.axvline(0, color=INK, lw=1.1, ls=(0, (4, 3)), zorder=1)
    ax.set_yticks(ticks, [row["level"] for row in rows], fontsize=8.5)
    ax.set_ylim(place - 0.3, -0.7)
    ax.grid(axis="x", color=FAINT, lw=0.8)
    ax.xaxis.set_major_formatter(signed)
    ax.set_xlabel(f"points against the mean {kind} of the {period}", fontsize=9, color=NEUTRAL)
    return ax
