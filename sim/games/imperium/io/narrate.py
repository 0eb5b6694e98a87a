"""Narrates a finished game turn by turn from its log (`rules/log.py`).

Lines follow the rows of the log. What one player does in sequence is one line. The line begins with the card or step
that causes the sequence. Effects on other players, and their reactions, are indented below.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby

import sim.games.imperium.rules.log as kinds
from sim.compiler.kernel import Record
from sim.games.imperium.data.catalog import Catalog
from sim.games.imperium.rules import constants
from sim.games.imperium.rules.log import CARD, KIND, NUMBER, ROUND, SEAT, VALUE
from sim.games.imperium.rules.scoring import card_points, collapse_unrest, part_of
from sim.games.imperium.rules.state import LOG_ROWS
from sim.games.shared.describe import amounts, by_name, cards_in, names_of_bits, number_and_noun
from sim.games.shared.narration import LogRow, Narrator, narrate_with, of_each, score_table, sums, wrapped

BOXES = ("Classics", "Legends")

BROKEN = " " * 8
"""Indentation of the second and later parts of a wrapped line, if the line belongs to no turn."""

BY_EFFECT = 2
"""VALUE of a PLAYED row for a card that another card's effect plays."""


def narrate_part(g: Record, t: Record, catalog: Catalog, first: int) -> list[str]:
    """Narrate the rows of a game's log from row `first` on. None of these rows may belong to a turn.

    Return sentences without line breaks. Consecutive effects on the same nation share a sentence.
    """
    narrator = ImperiumNarrator(g, t, catalog, [])
    # This suppresses the heading "Before scoring", which the narrator writes above rows that belong to no turn.
    narrator.in_solstice = True
    sentences: list[str] = []
    for line in narrator.lines_from(first):
        if line.startswith(BROKEN):
            sentences[-1] += f" {line.strip()}"
        else:
            sentences.append(line.strip())
    return sentences


class ImperiumNarrator(Narrator):
    """Goes through the log of a game, and keeps track of resources."""

    def __init__(self, g: Record, t: Record, catalog: Catalog, strategy_names: Sequence[str]) -> None:
        super().__init__(g, t, catalog, strategy_names)
        self.resources = [[int(number) for number in t.start_resource] for _ in self.seats]
        self.turn_seat = constants.NO_SEAT
        self.has_acted = False
        self.in_solstice = False
        self.at_end = False
        # The current line: indentation, opening, acting seat, clauses.
        self.indent, self.opening, self.actor = 2, "", constants.NO_SEAT
        self.clauses: list[str] = []

    # -- Names --

    def card(self, card: int) -> str:
        """Return the name of a card."""
        if card == constants.NO_CARD:
            return "nothing"
        if self.t.kind[card] == constants.POWER:
            return "its power"
        return self.catalog.cards[card].name

    def side(self, card: int) -> str:
        """Return the side of a two-sided card."""
        return self.catalog.cards[card].side or ""

    def cards(self, rows: Iterable[LogRow]) -> str:
        """Return the names of the cards in some rows."""
        return ", ".join(self.card(row[CARD]) for row in rows)

    def nation(self, seat: int) -> str:
        """Return the name of a seat's nation, which no other seat has."""
        return self.catalog.cards[self.t.faction_power[self.g.faction[seat]]].name

    def header(self) -> list[str]:
        """Return lines that say who sits where, and which common cards are used."""
        first = self.g.first_seat
        begins = f"{self.catalog.faction_names[self.g.faction[first]]} (seat {first}) begins every round"
        return [*super().header(), f"Commons of {BOXES[self.g.commons]}; {begins}"]

    # -- The whole game --

    def lines(self) -> Iterator[str]:
        """Yield the whole game."""
        yield from self.lines_from(0)
        if self.g.log.row_count == LOG_ROWS:
            yield "The log of this game is full; later events are not narrated"
        yield from self.final_scores()

    def lines_from(self, first: int) -> Iterator[str]:
        """Yield the lines for the rows of the log, from `first` on."""
        for _, group in groupby(enumerate(self.without_echoes(self.rows(first))), key=_run):
            yield from self.add_rows([row for _, row in group])
        yield from self.end_line()

    def without_echoes(self, rows: Iterable[LogRow]) -> Iterator[LogRow]:
        """Yield the rows, without those that merely repeat where a card goes.

        Such rows are the discard of a card after it was played, and the arrival of a card that was abandoned, recalled,
        developed, found or drawn from the nation deck.
        """
        playing: set[int] = set()
        before: LogRow = [-1] * 6
        for row in rows:
            kind, card = row[KIND], row[CARD]
            echo = kind in ARRIVALS and before[KIND] in DEPARTURES and before[SEAT : CARD + 1] == row[SEAT : CARD + 1]
            if not echo and not (kind == kinds.DISCARDED and card in playing):
                yield row
            if kind == kinds.PLAYED and not self.t.pinned[card]:
                playing.add(card)
            elif kind in ARRIVALS or kind in (kinds.GARRISONED, kinds.RETURNED_UNREST, kinds.WAS_EXILED):
                playing.discard(card)
            before = row

    def add_rows(self, rows: Sequence[LogRow]) -> Iterator[str]:
        """Add a group of rows to the current line or begin a new line with it; yield the lines that are complete."""
        kind, seat = rows[0][KIND], rows[0][SEAT]
        if kind in PARTS:
            yield from self.end_line()
            yield from PARTS[kind](self, rows)
        elif kind in OPENINGS:
            yield from self.end_line()
            yield from self.open_line(kind, seat, rows[0])
        else:
            if seat not in (constants.NO_SEAT, self.actor):
                yield from self.end_line(is_cause=True)
                if self.turn_seat == constants.NO_SEAT and not self.in_solstice:
                    yield "Before scoring"
                self.indent, self.actor, self.opening = 4, seat, self.nation(seat)
            self.clauses.append(WORDS[kind](self, rows))

    def open_line(self, kind: int, seat: int, row: LogRow) -> Iterator[str]:
        """Begin a line with a card or a step; yield the lines that must come before it."""
        if kind == kinds.SOLSTICE_EFFECT and not self.in_solstice:
            self.in_solstice = True
            yield f"Solstice of round {row[ROUND]}"
        if kind == kinds.CLEANS_UP and not self.has_acted:
            yield "  does nothing"
        self.has_acted = True
        self.indent, words = OPENINGS[kind]
        if kind == kinds.PLAYED and row[VALUE] == BY_EFFECT:
            self.indent = 4
        self.actor = seat
        own_turn = seat == self.turn_seat
        self.opening = words(self, row) if own_turn else f"{self.nation(seat)}: {words(self, row)}"

    def end_line(self, is_cause: bool = False) -> Iterator[str]:
        """Yield the current line, wrapped.

        A solstice effect that does nothing is left out, unless it causes the next line.
        """
        clauses = "; ".join(clause for clause in self.clauses if clause)
        if clauses or (self.opening and (is_cause or not self.in_solstice)):
            yield from wrapped(": ".join(part for part in (self.opening, clauses) if part), self.indent)
        self.opening, self.clauses, self.actor = "", [], constants.NO_SEAT

    # -- Parts of a game --

    def market(self, rows: Sequence[LogRow]) -> Iterator[str]:
        """Yield the heading of a round and the market at its beginning."""
        self.turn_seat, self.in_solstice = constants.NO_SEAT, False
        tokens: dict[int, list[str]] = {row[CARD]: [] for row in rows if row[KIND] == kinds.MARKET_SHOWS}
        for row in rows:
            if row[KIND] == kinds.TOKENS_LIE:
                tokens[row[CARD]].append(f"{row[NUMBER]} {constants.RESOURCES[row[VALUE]]}")
        cards = [self.card(card) + (f" ({', '.join(lying)})" if lying else "") for card, lying in tokens.items()]
        yield f"Round {rows[0][ROUND]}"
        yield from wrapped(f"market: {', '.join(cards)}", 2)

    def turn(self, rows: Sequence[LogRow]) -> Iterator[str]:
        """Yield the heading of a turn."""
        seat = rows[0][SEAT]
        self.turn_seat, self.has_acted = seat, False
        tokens = number_and_noun(rows[0][NUMBER], "exhaust token")
        yield f"Round {rows[0][ROUND]}, {self.player(seat)} with {_resources(self.resources[seat])}, {tokens}"

    def standing(self, rows: Sequence[LogRow]) -> Iterator[str]:
        """Yield the possessions of a seat after its turn, or at the end of the game."""
        seat = rows[0][SEAT]
        # If the log is full, some of these rows may be missing.
        told = {row[KIND]: row[CARD : NUMBER + 1] for row in rows}
        hand, deck, discards = told.get(kinds.HAS_LEFT, (0, 0, 0))
        nation, development, unrest = told.get(kinds.HAS_AHEAD, (0, 0, 0))
        piles = f"hand {hand}, draw deck {deck}, discards {discards}"
        ahead = f"nation {nation}, development {development}; unrest pile {unrest}"
        if self.turn_seat == constants.NO_SEAT and not self.at_end:
            self.at_end = True
            yield "End of the game"
        who = f"{self.nation(seat)}:" if self.at_end else "now"
        yield from wrapped(f"{who} {_resources(told[kinds.STANDS])}; {piles}, {ahead}", 2)
        self.turn_seat = constants.NO_SEAT

    def round_end(self, rows: Sequence[LogRow]) -> Iterator[str]:
        """End a round. Nothing is narrated."""
        self.turn_seat, self.in_solstice = constants.NO_SEAT, False
        yield from ()

    def scoring_triggered(self, rows: Sequence[LogRow]) -> Iterator[str]:
        """Yield what triggers the end of the game."""
        reason, number = constants.END_REASONS[rows[0][VALUE]], rows[0][ROUND]
        yield f"  Scoring is triggered ({reason}): round {number + 1} is the last"

    # -- Wording --

    def count(self, rows: Sequence[LogRow], sign: int, owner: int = SEAT) -> str:
        """Add resources gained (`sign` 1) to a seat's resources, or deduct those lost (-1); return the amounts as text.

        `owner` is the column of the rows that holds the seat.
        """
        for row in rows:
            self.resources[row[owner]][row[VALUE]] += sign * row[NUMBER]
        return _amounts(rows)

    def found_nothing(self, rows: Sequence[LogRow]) -> str:
        """Return a clause saying that a break-through found no card of a suit, or no card that its effect names."""
        if rows[0][NUMBER] != constants.ANYTHING:
            meant = self.t.selector[rows[0][NUMBER], : self.t.cards] != 0
            is_variable = self.t.points_kind[: self.t.cards] == constants.VARIABLE_POINTS
            what = "a variable card" if (meant == is_variable).all() else "a card that its effect names"
            return f"breaks through for {what} and finds none"
        suits = names_of_bits(constants.SUITS, rows[0][VALUE])
        return f"breaks through for {' or '.join(suits)} and finds none"

    def played(self, row: LogRow) -> str:
        """Return a clause on a card played."""
        how = ("", " as a free play", " by that effect")[row[VALUE]]
        where = " from the discard pile" if row[NUMBER] == constants.DISCARD_PILE else ""
        return f"plays {self.card(row[CARD])}{where}{how}"

    # -- The end --

    def final_scores(self) -> Iterator[str]:
        """Yield a table of the scores by part, the cards that score them, and the winner."""
        g = self.g
        collapsed = g.end_reason == constants.COLLAPSE
        columns = ("rank", *constants.SCORE_PARTS, "total", *(("unrest cards",) if collapsed else ()))
        yield f"Final scores ({constants.END_REASONS[g.end_reason]}, {g.rounds} rounds)"
        unrest = [[collapse_unrest(g, self.t, seat)] if collapsed else [] for seat in self.seats]
        scores = g.score[:, : len(constants.SCORE_PARTS) + 1]
        rows = [(g.rank[seat], *scores[seat], *unrest[seat]) for seat in self.seats]
        yield from score_table(map(self.player, self.seats), columns, rows)
        for seat in self.seats:
            yield from self.points(seat)
        yield self.winners(self.how_collapse_is_won() if collapsed else "")

    def how_collapse_is_won(self) -> str:
        """Return how the winner of a collapse is decided: by unrest alone, or also by points."""
        unrest = sorted(int(collapse_unrest(self.g, self.t, seat)) for seat in self.seats)
        return " by least unrest" if unrest[0] < unrest[1] else " by points, with no more unrest than the others"

    def points(self, seat: int) -> Iterator[str]:
        """Yield the points of a seat by part, with the cards that score them."""
        yield f"Points of {self.player(seat)}: {self.g.score[seat, len(constants.SCORE_PARTS)]}"
        cards = list_points(self.g, self.t, seat)
        for part, name in enumerate(constants.SCORE_PARTS):
            told = Counter((self.card(card), points, zone) for card, zone, of, points in cards if of == part and points)
            listed = [
                f"{f'{count} {card}' if count > 1 else card} {count * points} ({_zone(zone)})"
                for (card, points, zone), count in told.items()
            ]
            total = int(self.g.score[seat, part])
            if total or listed:
                yield from wrapped(f"{name} {total}" + (f": {', '.join(listed)}" if listed else ""), 2)


def list_points(g: Record, t: Record, seat: int) -> list[tuple[int, int, int, int]]:
    """List what the cards of a seat are worth now: card, zone, score part and points of each, most points first."""
    listed = [
        (card, zone, int(part_of(t, card, zone)), int(card_points(g, t, seat, card, zone)))
        for zone in range(constants.ZONES)
        for card in cards_in(g, seat, zone)
    ]
    return sorted(listed, key=lambda entry: -entry[3])


def _run(numbered: tuple[int, LogRow]) -> tuple[int, ...]:
    """Return the key of a numbered row. Rows in sequence with equal keys share a clause; openings of lines never do."""
    place, row = numbered
    kind = PARTS_OF.get(row[KIND], row[KIND])
    return (kind, row[SEAT], place) if kind in OPENINGS else (kind, row[SEAT])


def _resources(amounts: Sequence[int]) -> str:
    return ", ".join(f"{amount} {resource}" for amount, resource in zip(amounts, constants.RESOURCES, strict=True))


def _amounts(rows: Iterable[LogRow]) -> str:
    return amounts(by_name(constants.RESOURCES, sums(rows, VALUE, NUMBER, len(constants.RESOURCES))), "")


def _zone(zone: int) -> str:
    return constants.ZONE_NAMES[zone].replace("_", " ")


Say = Callable[[ImperiumNarrator, Sequence[LogRow]], str]
"""A function that writes a clause about rows of one kind."""


def _of_cards(verb: str, behind: str = "") -> Say:
    """Return a function that writes a clause: `verb`, the names of the cards in the rows, and `behind`."""
    return lambda teller, rows: f"{verb} {teller.cards(rows)}{behind}"


def _of_number(verb: str, thing: str) -> Say:
    """Return a function that writes a clause: `verb`, the sum of the rows' numbers, and `thing`."""
    return lambda _, rows: f"{verb} {sum(row[NUMBER] for row in rows)} {thing}"


PARTS: dict[int, Callable[[ImperiumNarrator, Sequence[LogRow]], Iterable[str]]] = {
    kinds.MARKET_SHOWS: ImperiumNarrator.market,
    kinds.TURN_BEGINS: ImperiumNarrator.turn,
    kinds.HOLDS: lambda teller, rows: wrapped(f"hand: {teller.cards(rows)}", 2),
    kinds.STANDS: ImperiumNarrator.standing,
    kinds.ROUND_ENDS: ImperiumNarrator.round_end,
    kinds.SCORING_TRIGGERED: ImperiumNarrator.scoring_triggered,
    kinds.COLLAPSED: lambda *_: ["Collapse: the unrest pile has no card left"],
}
"""Kinds of rows that have lines of their own."""

PARTS_OF = {kinds.TOKENS_LIE: kinds.MARKET_SHOWS, kinds.HAS_LEFT: kinds.STANDS, kinds.HAS_AHEAD: kinds.STANDS}
"""Kinds of rows that are narrated together with rows of another kind."""

OPENINGS: dict[int, tuple[int, Callable[[ImperiumNarrator, LogRow], str]]] = {
    kinds.PLAYED: (2, ImperiumNarrator.played),
    kinds.USED: (2, lambda teller, row: f"uses {teller.card(row[CARD])}"),
    kinds.INNOVATED: (2, lambda *_: "innovates"),
    kinds.REVOLTED: (2, lambda *_: "revolts"),
    kinds.CLEANS_UP: (2, lambda *_: "cleans up"),
    kinds.SOLSTICE_EFFECT: (2, lambda teller, row: teller.card(row[CARD])),
    kinds.REACTED: (4, lambda teller, row: f"reacts with {teller.card(row[CARD])}"),
    kinds.SHIELDED_BY: (4, lambda teller, row: f"avoids {teller.card(row[VALUE])} by {teller.card(row[CARD])}"),
}
"""Kinds of rows that begin a line, with the line's indentation and opening."""

WHENCE = {
    constants.FROM_DECK: " from its deck",
    constants.FROM_MAIN: " from the main deck",
    constants.FROM_EXILE: " from exile",
}
"""Where the card of a break-through comes from. A card from the market is named without a source."""

_puts: Say = of_each(lambda teller, row: f"puts {_amounts([row])} on {teller.card(row[CARD])}")

WORDS: dict[int, Say] = {
    kinds.GAINED: lambda teller, rows: f"gains {teller.count(rows, 1)}",
    kinds.PAID_FOR: lambda teller, rows: f"pays {teller.count(rows, -1) or 'nothing'}",
    # The gain of the seat that steals follows in the next rows.
    kinds.STOLEN: of_each(
        lambda teller, row: f"steals {teller.count([row], -1, CARD)} from {teller.nation(row[CARD])}"
    ),
    kinds.GAINED_ACTION: _of_number("gains", "action"),
    kinds.SPENT_ACTION: _of_number("spends", "action"),
    kinds.DREW: _of_cards("draws"),
    kinds.RESHUFFLED: lambda _, rows: "reshuffles " + " and ".join(f"{row[VALUE]} cards" for row in rows),
    kinds.ACCEDED: _of_cards("the nation deck gives"),
    kinds.BECAME_EMPIRE: lambda _, rows: f"BECOMES {constants.STATES[rows[-1][VALUE]].upper()}",
    kinds.DEVELOPED: _of_cards("develops"),
    kinds.ACQUIRED: of_each(
        lambda teller, row: (
            f"acquires {teller.card(row[CARD])}{' from exile' if row[VALUE] == constants.FROM_EXILE else ''}"
        )
    ),
    kinds.BROKE_THROUGH: of_each(
        lambda teller, row: f"breaks through for {teller.card(row[CARD])}{WHENCE.get(row[VALUE], '')}"
    ),
    kinds.FOUND_NOTHING: ImperiumNarrator.found_nothing,
    kinds.TOOK_FAME: _of_cards("takes the fame card"),
    kinds.KING_RESOLVED: lambda teller, rows: f"resolves King of Kings, side {teller.side(rows[0][CARD])}",
    kinds.TOOK_UNREST: lambda _, rows: f"takes {len(rows)} unrest",
    kinds.RETURNED_UNREST: lambda _, rows: f"returns {len(rows)} unrest",
    kinds.DISCARDED: _of_cards("discards"),
    kinds.TOP_DECKED: _of_cards("puts", " on the draw deck"),
    kinds.INTO_HISTORY: _of_cards("puts", " into history"),
    kinds.SANK: _of_cards("sinks"),
    kinds.WAS_EXILED: _of_cards("exiles"),
    kinds.WAS_ABANDONED: _of_cards("abandons"),
    kinds.RECALLED: _of_cards("recalls"),
    kinds.GARRISONED: of_each(lambda teller, row: f"garrisons {teller.card(row[CARD])} in {teller.card(row[VALUE])}"),
    kinds.FOUND: of_each(lambda teller, row: f"finds {teller.card(row[CARD])} ({_zone(row[VALUE])})"),
    kinds.GAVE: of_each(lambda teller, row: f"gives {teller.card(row[CARD])} to {teller.nation(row[VALUE])}"),
    kinds.TOOK_BACK: _of_cards("takes", " back to the hand"),
    kinds.TOKEN_PLACED: _puts,
    kinds.TOKEN_STORED: _puts,
    kinds.TOKENS_TAKEN: _of_cards("takes what lies on"),
    kinds.TOKEN_MOVED: of_each(lambda teller, row: f"moves {teller.count([row], -1)} to {teller.card(row[CARD])}"),
    kinds.TOKENS_SPENT: of_each(lambda teller, row: f"pays {_amounts([row])} that lies on {teller.card(row[CARD])}"),
    kinds.MARKET_FILLED: _of_cards("new in the market"),
    # A row without a card is about King of Kings.
    kinds.FLIPPED: of_each(
        lambda teller, row: (
            "King of Kings is turned to side B"
            if row[CARD] == constants.NO_CARD
            else f"turns to {teller.card(row[CARD])}"
        )
    ),
    kinds.SWAPPED: of_each(
        lambda teller, row: f"swaps {teller.card(row[CARD])} for {teller.card(row[VALUE])} of the nation deck"
    ),
    kinds.PUT_BELOW: _of_cards("puts", " to the bottom of the nation deck"),
    kinds.LOOKED: lambda _, rows: (
        "looks at the top nation card" if rows[0][NUMBER] == 1 else f"looks at the top {rows[0][NUMBER]} nation cards"
    ),
    kinds.ENTERED_PLAY: lambda teller, rows: f"{teller.cards(rows)} enters play",
    kinds.COPIED: lambda teller, rows: f"as {teller.card(rows[0][CARD])} of {teller.nation(rows[0][VALUE])}",
    kinds.TREATED: of_each(
        lambda teller, row: f"treats {constants.ICONS[row[VALUE]]} of {teller.card(row[CARD])} as production"
    ),
    kinds.RENEWED: _of_cards("takes the exhaust token back from"),
    kinds.DECK_EXHAUSTED: lambda _, rows: (
        f"puts an exhaust token on the {list(constants.EXHAUSTED_DECKS.values())[rows[0][VALUE]]}"
    ),
}
"""Functions that write clauses for the other kinds of rows."""

DEPARTURES = (kinds.WAS_ABANDONED, kinds.RECALLED, kinds.DEVELOPED, kinds.FOUND, kinds.ACCEDED)
"""Kinds of rows that already say where a card goes. A row of `ARRIVALS` that follows would repeat this."""
ARRIVALS = (kinds.DISCARDED, kinds.INTO_HISTORY, kinds.SANK, kinds.TOP_DECKED, kinds.TOOK_BACK)

narrate = narrate_with(ImperiumNarrator)
