"""Section on the pieces of a run: how often each is offered, taken and played, and how often its players win.

A plain win rate describes who plays a piece, not its effect: leaders play more pieces, and pieces are played by those
whom they suit. Adjusted figures fit all pieces in play together with faction, strategy and seat
(`reports.statistics.pieces.piece_strength`), but still rest on the players' choices. The effect of a piece is measured
by changing it (`reports.studies.parts.intervene`). Factions that a seat takes during a game, such as an empire each
epoch, are pieces too. All texts use the game's word for a piece.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import polars as pl

from reports.claims import Said, claims_on, told
from reports.data.load import Run, piece_noun
from reports.data.piece_counts import PieceGames, read_pieces
from reports.formatting import capital, company_of, count, counted, edge_words, listed, plural, with_article
from reports.model import Column, Listing, Picture, Section
from reports.sections.pieces.piece_figures import draw_effects, draw_scatter
from reports.statistics.core.win_rate import ALPHA, several_figures
from reports.statistics.pieces.piece_strength import BLOCKS_FOR_EACH_TERM, piece_strengths
from reports.statistics.pieces.pieces import OFTEN, SELDOM, TAKEN, pieces_frame

ENDS = 5
"""Pieces at either end of the short table."""
OFFERED = {"card": "seats that had it in hand"}
"""Meaning of the column "offered" for pieces that are not literally offered."""


def pieces_section(run: Run, rate: float = ALPHA) -> Section | None:
    """Say which pieces go with winning, plainly and adjusted.

    Returns
    -------
    None for a game without pieces; a section of one sentence for a run that kept none.

    Raises
    ------
    UserError
        The piece table names seats that the run does not have.
    """
    if run.pieces is None:
        return None if not run.manifest.piece_events else none_kept(plural(piece_noun(run.manifest)))
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
        short = judged if judged.height <= 2 * ENDS else pl.concat([judged.head(ENDS), judged.tail(ENDS)])
        kept = (pieces.noun, "games", "built", "edge", "adjusted", "p_adjusted_holm", "flag")
        brief = tuple(column for column in columns if column.name in kept)
        all_shown = judged.height <= 2 * ENDS
        title = capital(several) if all_shown else f"The {ENDS} {several} most and least associated with winning"
        listings.insert(0, Listing(f"{several} ends", title, short, brief))
        pictures = piece_pictures(judged, pieces.noun)
    changeable = run.manifest.pieces_changeable
    said, claims = told(piece_sentences(pieces, frame, judged, company, changeable))
    read = pieces_reading(pieces.noun, company, changeable)
    return Section(several, capital(several), said, tuple(listings), pictures, read, claims=claims)


def none_kept(several: str) -> Section:
    """Return a section that says how to keep pieces."""
    how = f"this run did not record them; play it again with --detail {several}"
    return Section(several, capital(several), (f"Single {several} are not covered: {how}.",))


def piece_table_columns(pieces: PieceGames, fitted: bool) -> tuple[Column, ...]:
    """Return the columns of the table of all pieces."""
    noun, several = pieces.noun, plural(pieces.noun)
    events = [
        Column(
            event.title,
            event.title,
            "share",
            meaning=f"share of those seats in which it was {event.title}",
            further=True,
        )
        for event in pieces.events
        if event.title != TAKEN
    ]
    adjusted = (
        Column("adjusted", "adjusted", "edge", "adjusted_low", "adjusted_high",
               f"win rate of seats with it minus that of seats with other {several} of the same turns, points"),
        Column("p_adjusted_holm", "p", "p", meaning=f"of the adjusted edge, corrected for all {several}", further=True),
    )  # fmt: skip
    return (
        Column(noun, noun, "text"),
        Column("offered", "offered", "count", meaning=OFFERED.get(noun, "seats that were offered it"), further=True),
        Column(TAKEN, "taken", "share", meaning="share of those seats that took it, for any use", further=True),
        *events,
        Column("games", "in play", "count", meaning="seats that had it in play, by any way"),
        Column("turn", "turn", "number", meaning="mean turn in which it came into play", further=True),
        Column("edge", "unadjusted", "edge", "edge_low", "edge_high", "win rate of these seats minus fair share"),
        *(adjusted if fitted else ()),
        Column(
            "flag",
            "winners have it",
            "flag",
            meaning="whether the adjusted edge differs from 0; holds for all figures at once",
        ),
        Column("note", "note", "text"),
    )


def piece_pictures(judged: pl.DataFrame, noun: str) -> tuple[Picture, ...]:
    """Return both figures: adjusted against plain, and the ends of the adjusted table with intervals."""
    ends = ", ".join(
        f"{row[noun]} {adjusted_words(row)}" for row in (judged.row(0, named=True), judged.row(-1, named=True))
    )
    forest = judged.rename({"adjusted_low": "low", "adjusted_high": "high"})
    several = plural(noun)
    label = f"adjusted edge against other {several} of the same turns, points"
    return (
        Picture(f"{several} adjusted", lambda ax=None: draw_effects(forest, noun, "adjusted", label, ax),
                f"Adjusted edge of the {several} most and least associated with winning: {ends}."),
        Picture(f"{several} plain and adjusted", lambda ax=None: draw_scatter(judged, noun, ax),
                f"Unadjusted and adjusted edge of every {noun}: {ends}."),
    )  # fmt: skip


def adjusted_words(row: dict[str, object]) -> str:
    """Format a piece's adjusted edge with limits for all pieces: '+8.1 ± 0.4 points'."""
    return edge_words({
        "edge": row["adjusted"], "edge_low": row["family_low"], "edge_high": row["family_high"],
    })  # fmt: skip


def piece_sentences(
    pieces: PieceGames, frame: pl.DataFrame, judged: pl.DataFrame, company: Sequence[str], changeable: bool
) -> Iterator[Said]:
    """Yield the results, most important first; `changeable` says whether `intervene` can change a piece."""
    noun, several = pieces.noun, plural(pieces.noun)
    if not judged.height:
        blocks = int(pieces.block[-1]) + 1
        yield (
            (
                f"{counted(blocks, 'block')} are too few to adjust {counted(frame.height, noun)} (about "
                f"{BLOCKS_FOR_EACH_TERM} blocks for each {noun} and each {listed(company)} are needed): only "
                f"unadjusted edges are shown, and they reflect who has {with_article(noun)} rather than what it "
                "does."
            ),
            (),
        )
        return
    before = ": before you change one, `empirelab intervene` can play the same deals without it" if changeable else ""
    yield f"These are associations with winning, not effects of the {several}{before}.", ()
    family = f"{2 * frame.height} figures of {several}"

    def claimed(sentence: str, rows: pl.DataFrame, columns: tuple[str, str, str]) -> Said:
        return sentence, claims_on("piece", rows.to_dicts(), sentence, family, columns, lambda row: str(row[noun]))

    adjusted = ("adjusted", "family_low", "family_high")
    often, seldom = (judged.filter(pl.col("flag") == flag) for flag in (OFTEN, SELDOM))
    if often.height:
        most = ", ".join(f"{row[noun]} {adjusted_words(row)}" for row in often.head(3).to_dicts())
        yield claimed(
            f"More common among winners than other {several} of the same turns: {most}.", often.head(3), adjusted
        )
    if seldom.height:
        least = ", ".join(f"{row[noun]} {adjusted_words(row)}" for row in seldom.tail(3).reverse().to_dicts())
        yield claimed(f"Less common among winners: {least}.", seldom.tail(3), adjusted)
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
        yield claimed(sentence, plain, ("edge", "plain_family_low", "plain_family_high"))
    yield observed(noun, changeable), ()


def games_read_words(pieces: PieceGames, run: Run) -> str:
    """Say how many games were read."""
    games, players = run.manifest.games, run.manifest.players
    if pieces.games == games:
        return f"From all {counted(games, 'game')}."
    # Games are ordered by number of players, so the first ones may lack some of them.
    seen = np.unique(pieces.seats.players).tolist()
    lacking = isinstance(players, list) and len(seen) < len(players)
    sizes = f", which have {listed(seen, 'or')} players" if lacking else ""
    entries = run.manifest.player_counts
    variants = list(dict.fromkeys(entry.variant for entry in entries if entry.first_game < pieces.games))
    if len(variants) < len(run.manifest.variants):
        sizes += f", all of the variant {listed(variants, 'or')}"
    return f"From the first {counted(pieces.games, 'game')} of {count(games)}{sizes}."


def observed(noun: str, changeable: bool) -> str:
    """Say that adjusted figures are not effects."""
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
        f"player who has it. Adjusted edge: {listed([several, *map(plural, company)])} in one model ({several} of a "
        f"later stage of the game left out, since they may result from it), each {noun} relative to those that come "
        "into play in the same turns, so that being ahead does not count as its effect; in points of win rate of a "
        f"seat among equals. {observed(noun, changeable)}"
    )
