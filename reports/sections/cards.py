"""Cards of a run: how often each is offered, taken and built, and what those win who build it.

A plain win share says who builds a card, not what the card does: who is ahead builds more, and a card is built by
those whom it suits. The adjusted figures weigh all cards a seat has in play together with its faction, strategy and
seat (`reports.statistics.card_strength`). They are better, yet still drawn from what players chose to do; what a card
itself does is asked by changing it (`reports.studies.intervene`).
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import polars as pl

from reports.data.card_counts import CardGames, read_cards
from reports.data.load import Run
from reports.sections.card_figures import draw_effects, draw_scatter
from reports.shapes import Column, Listing, Picture, Section
from reports.statistics.card_strength import BLOCKS_FOR_EACH_TERM, card_strengths
from reports.statistics.cards import OFTEN, SELDOM, cards_frame
from reports.words import count, counted, edge_words, plural

ENDS = 5
"""Cards at either end of the short table."""
HOW_TO_KEEP = "play it again with --detail cards"
FIRST = (
    "Which cards winners have, not what the cards do: before you change one, let `empirelab intervene` play the same "
    "deals without it."
)
OBSERVED = (
    "Adjusted figures are still drawn from what players chose to do: a card that is put in play where something is "
    "lacking looks worse than it is, even one that helps. What a card itself does is measured by empirelab intervene."
)


def cards_section(run: Run) -> Section | None:
    """Say which cards their builders win with, plainly and with everything else they have weighed in.

    Returns
    -------
    None for a game that writes down no cards; a section of one sentence for a run that kept none.

    Raises
    ------
    UserError
        The cards table names seats that the run does not have.
    """
    if run.cards is None:
        if not run.manifest.get("card_events"):
            return None
        return Section("cards", "Cards", (f"Nothing is known of single cards: this run kept none; {HOW_TO_KEEP}.",))
    cards, noun = read_cards(run), run.manifest["faction_title"]
    strengths = card_strengths(cards)
    frame = cards_frame(cards, strengths)
    if not frame.height:
        return Section("cards", "Cards", ("No card was offered to anybody or put in play.",))
    columns = listing_columns(cards, strengths is not None)
    listings = [Listing("cards", "All cards", frame, columns, folded=True, note=span(cards, run))]
    judged = frame.filter(pl.col("adjusted_low").is_not_null())
    pictures: tuple[Picture, ...] = ()
    if judged.height:
        short = judged if judged.height <= 2 * ENDS else pl.concat([judged.head(ENDS), judged.tail(ENDS)])
        kept = ("card", "games", "built", "edge", "adjusted", "p_adjusted_holm", "flag")
        brief = tuple(column for column in columns if column.name in kept)
        title = "Cards" if judged.height <= 2 * ENDS else f"The {ENDS} cards that winners have most and least"
        listings.insert(0, Listing("cards ends", title, short, brief))
        pictures = figures(judged)
    return Section(
        "cards", "Cards", tuple(sentences(cards, frame, judged, noun)), tuple(listings), pictures, reading(noun)
    )


def listing_columns(cards: CardGames, fitted: bool) -> tuple[Column, ...]:
    """Columns of the table of all cards."""
    events = [
        Column(
            event["title"], event["title"], "share", meaning=f"share of those seats in which it was {event['title']}"
        )
        for event in cards.events
    ]
    adjusted = (
        Column("adjusted", "adjusted", "edge", "adjusted_low", "adjusted_high",
               "how much more often seats with it win than seats with other cards of the same turns, points"),
        Column("p_adjusted_holm", "p", "p", meaning="of the adjusted figure, corrected for all cards"),
    )  # fmt: skip
    return (
        Column("card", "card", "text"),
        Column("offered", "offered", "count", meaning="seats in whose hand it came"),
        Column("taken", "taken", "share", meaning="share of those seats that took it, for whatever use"),
        *events,
        Column("games", "in play", "count", meaning="seats that had it in play, in whatever way"),
        Column("turn", "turn", "number", meaning="mean turn in which it came into play"),
        Column("edge", "plain", "edge", "edge_low", "edge_high", "how much more than their fair share these seats won"),
        *(adjusted if fitted else ()),
        Column("flag", "winners have it", "flag", meaning="whether the adjusted figure differs from 0 for sure"),
        Column("note", "note", "text"),
    )


def figures(judged: pl.DataFrame) -> tuple[Picture, ...]:
    """Both figures: plain against adjusted, and the ends of the adjusted table with intervals."""
    ends = ", ".join(
        f"{row['card']} {adjusted_words(row)}" for row in (judged.row(0, named=True), judged.row(-1, named=True))
    )
    forest = judged.rename({"adjusted_low": "low", "adjusted_high": "high"})
    label = "adjusted: points that seats with it win more than seats with other cards of the same turns"
    return (
        Picture("cards adjusted", lambda ax=None: draw_effects(forest, "adjusted", label, ax),
                f"Adjusted edge of the cards that winners have most and least: {ends}."),
        Picture("cards plain and adjusted", lambda ax=None: draw_scatter(judged, ax),
                f"Plain and adjusted edge of every card: {ends}."),
    )  # fmt: skip


def adjusted_words(row: dict[str, object]) -> str:
    """A card's adjusted edge: '+8.1 ± 0.4 points'."""
    return edge_words({
        "edge": row["adjusted"], "edge_low": row["adjusted_low"], "edge_high": row["adjusted_high"],
    })  # fmt: skip


def sentences(cards: CardGames, frame: pl.DataFrame, judged: pl.DataFrame, noun: str) -> Iterator[str]:
    """What was found, most important first."""
    if not judged.height:
        blocks = int(cards.block[-1]) + 1
        yield (
            f"{counted(blocks, 'block')} are too few to weigh {counted(frame.height, 'card')} together (about "
            f"{BLOCKS_FOR_EACH_TERM} blocks for each card and each {noun}, strategy and seat are needed): only plain "
            "figures are given, and they say who has a card rather than what it does."
        )
        return
    yield FIRST
    often, seldom = (judged.filter(pl.col("flag") == flag) for flag in (OFTEN, SELDOM))
    if often.height:
        most = ", ".join(f"{row['card']} {adjusted_words(row)}" for row in often.head(3).to_dicts())
        yield f"Winners have these more often than other cards of the same turns: {most}."
    if seldom.height:
        least = ", ".join(f"{row['card']} {adjusted_words(row)}" for row in seldom.tail(3).reverse().to_dicts())
        yield f"Winners seldom have these: {least}."
    if not often.height and not seldom.height:
        yield "No card was told apart from those that come into play in the same turns."
    plain = judged.filter(pl.col("plain_flag") == "strong")
    only = plain.filter(pl.col("flag") != OFTEN).height
    if only:
        yield (
            f"Those who have one of {counted(plain.height, 'card')} win more than their fair share. For "
            f"{count(only)} of them nothing is left of that beside other cards of the same turns, with {noun}, "
            "strategy and seat weighed in."
        )
    yield OBSERVED


def span(cards: CardGames, run: Run) -> str:
    """Say how many games were looked at."""
    games, players = run.manifest["games"], run.manifest["players"]
    if cards.games == games:
        return f"From all {counted(games, 'game')}."
    # Games stand in the order of the numbers of players, so the first ones may lack some of them.
    seen = np.unique(cards.seats.players).tolist()
    lacking = isinstance(players, list) and len(seen) < len(players)
    sizes = f", which have {' or '.join(map(str, seen))} players" if lacking else ""
    entries = run.manifest.get("player_counts", [])
    variants = list(dict.fromkeys(entry["variant"] for entry in entries if entry["first_game"] < cards.games))
    if len(variants) < len(run.manifest.get("variants", [])):
        sizes += f", all of the variant {' or '.join(variants)}"
    return f"From the first {counted(cards.games, 'game')} of {count(games)}{sizes}."


def reading(noun: str) -> str:
    """How to read the section."""
    return (
        "Plain: how much more than their fair share those win who have the card in play. That mixes up the card with "
        f"whoever has it. Adjusted: cards, {plural(noun)}, strategies and seats weighed together (cards of a later "
        "stage of the game left out, as they may be its fruit), and each card against those that come into play in the "
        "same turns, so that being ahead does not pass for a card's worth; in points of win share of a seat among "
        f"equals. {OBSERVED}"
    )
