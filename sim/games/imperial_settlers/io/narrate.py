"""Narrates a finished game from its log (`rules/log.py`).

Lines follow the rows of the log. Everything that one player does without a break goes into one line. The line begins
with the action or the source that caused it. Effects on other players have lines of their own, indented below. Effects
that are actions, such as building a card, also have lines of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby

import sim.games.imperial_settlers.rules.log as kinds
from sim.compiler.kernel import Record
from sim.games.imperial_settlers.data.catalog import Catalog
from sim.games.imperial_settlers.rules import constants
from sim.games.imperial_settlers.rules.log import CARD, KIND, NUMBER, ROUND, SEAT, VALUE
from sim.games.imperial_settlers.rules.state import LOG_ROWS
from sim.games.shared.describe import cards_in, join_names
from sim.games.shared.narration import LogRow, Narrator, narrate_with, of_each, score_table, sums, wrapped


class SettlersNarrator(Narrator):
    """Goes through the log of a game, and keeps track of goods and points."""

    def __init__(self, g: Record, t: Record, catalog: Catalog, strategy_names: Sequence[str]) -> None:
        super().__init__(g, t, catalog, strategy_names)
        self.goods = [[0] * constants.SUPPLY for _ in range(constants.MAX_SEATS)]
        self.points = [0] * constants.MAX_SEATS
        self.has_packs = g.lookout == constants.ALTERNATIVE and not g.solo
        self.phase = constants.SETUP
        self.hands: dict[int, list[int]] = {}
        self.shown: list[int] = []
        self.deals: set[int] = set()
        self.turn_seat = constants.NO_SEAT
        self.has_acted = False
        self.just_exchanged = NO_GOOD
        # The points of the acting seat before the current line.
        self.points_before = 0
        self.clear_line()

    def clear_line(self) -> None:
        """Begin with an empty line."""
        # The current line: its indentation, its opening words, whether these words name an action, the clauses, the
        # acting seat, the card that the line is about, and the producing source.
        self.indent = 2
        self.opening = ""
        self.opens_with_action = False
        self.clauses: list[str] = []
        self.actor = constants.NO_SEAT
        self.about = constants.NO_CARD
        self.producing = constants.NO_CARD

    # -- Names --

    def card(self, card: int) -> str:
        """Return the name of a card. An attack card is named by its target."""
        if card in (constants.NO_CARD, constants.BOARD):
            return "faction board" if card == constants.BOARD else "nothing"
        if self.t.deck[card] == constants.SOLO:
            return f"target {_name(int(self.t.deal_good[card]), 1)}"
        return self.catalog.cards[card].name

    def cards(self, cards: Iterable[int]) -> str:
        """Return the names of some cards."""
        return ", ".join(map(self.card, cards))

    def faction(self, seat: int) -> str:
        """Return the name of a seat's faction, which no other seat has."""
        if self.g.solo and seat == constants.VIRTUAL:
            return "the virtual player"
        return self.catalog.faction_names[self.g.faction[seat]]

    def header(self) -> list[str]:
        """Return lines that say who sits where, and which variant is played."""
        variant = f"{constants.LOOKOUTS[self.g.lookout].capitalize()} lookout{', peaceful' if self.g.peaceful else ''}"
        return [*super().header(), "Solo game against the virtual player" if self.g.solo else variant]

    def deck(self, deck: int) -> str:
        """Return the name of a deck by its number in the log."""
        return "common" if deck == constants.COMMON_DECK else "faction"

    # -- The whole game --

    def lines(self) -> Iterator[str]:
        """Yield the whole game."""
        yield "Set-up"
        for _, group in groupby(_without_echoes(self.rows()), key=_told_together):
            yield from self.add_rows(list(group))
        yield from self.end_line()
        if self.g.log.row_count == LOG_ROWS:
            yield "The log of this game is full; later events are not narrated"
        yield from self.final_scores()

    def add_rows(self, rows: Sequence[LogRow]) -> Iterator[str]:
        """Add a group of rows to the current line or begin a new line with it; yield the lines that are complete."""
        kind, seat = rows[0][KIND], rows[0][SEAT]
        if kind in PARTS:
            yield from self.end_line()
            yield from PARTS[kind](self, rows)
            return
        yield from self.hands_shown()
        if kind in OPENINGS and not self.continues(rows[0]):
            yield from self.end_line()
            self.begin_action(rows)
            return
        if seat not in (constants.NO_SEAT, self.actor):
            yield from self.end_line()
            self.begin_line(seat, 4 if self.has_acted else 2)
        self.add_clause(WORDS[kind](self, rows))

    def add_clause(self, clause: str) -> None:
        """Add a clause to the current line. Consecutive gains become one clause."""
        if clause.startswith(GAINS) and self.clauses and self.clauses[-1].startswith(GAINS):
            self.clauses[-1] += f", {clause.removeprefix(GAINS)}"
        elif clause:
            self.clauses.append(clause)

    def continues(self, row: LogRow) -> bool:
        """Tell whether a row continues the current line, although rows of its kind usually begin a line.

        This is so for further pairs of workers, and for further uses of a location in the same action.
        """
        if row[SEAT] != self.actor or self.actor != self.turn_seat or not self.has_acted:
            return False
        return row[KIND] == kinds.EXCHANGED or (row[KIND] == kinds.ACTIVATED and row[CARD] == self.about)

    def begin_line(self, seat: int, indent: int) -> None:
        """Begin a line about a seat."""
        self.actor, self.indent, self.opening = seat, indent, self.faction(seat)
        self.points_before = self.points[seat]

    def begin_action(self, rows: Sequence[LogRow]) -> None:
        """Begin a line with an action. The line is indented if another action caused this one."""
        kind, seat, card = rows[0][KIND], rows[0][SEAT], rows[0][CARD]
        self.begin_line(seat, 4 if self.has_acted and seat == self.turn_seat else 2)
        self.has_acted = self.has_acted or kind in ACTIONS
        words = WORDS[kind](self, rows)
        self.about, self.opens_with_action = card, True
        if kind == kinds.EXCHANGED:
            self.opening += " exchanges workers"
            self.add_clause(words)
        else:
            self.opening += f" {words}"

    def end_line(self) -> Iterator[str]:
        """Yield the current line, wrapped."""
        clauses = "; ".join(self.clauses)
        if self.actor != constants.NO_SEAT and self.points[self.actor] != self.points_before:
            clauses += f" (now {self.points[self.actor]} VP)"
        if clauses or self.opens_with_action:
            line = ": ".join(part for part in (self.opening, clauses) if part)
            yield from wrapped(line[0].upper() + line[1:], self.indent)
        self.clear_line()

    # -- Parts of a game --

    def round_begins(self, rows: Sequence[LogRow]) -> Iterator[str]:
        """Yield the heading of a round."""
        seat = rows[0][SEAT]
        yield f"Round {rows[0][ROUND]}" + ("" if self.g.solo else f": {self.player(seat)} has the first-player token")

    def phase_begins(self, rows: Sequence[LogRow]) -> Iterator[str]:
        """Yield the heading of a phase."""
        row = rows[-1]
        self.phase, self.turn_seat, self.has_acted, self.shown = row[VALUE], constants.NO_SEAT, False, []
        if self.phase == constants.ACT:
            self.hands = {seat: [] for seat in self.seats}
        name = constants.PHASES[self.phase]
        yield f"Round {row[ROUND]}, {name}" if row[ROUND] > 0 else name.capitalize()

    def turn(self, rows: Sequence[LogRow]) -> Iterator[str]:
        """Begin a turn. The turn has no line of its own."""
        yield from self.hands_shown()
        self.turn_seat, self.has_acted = rows[0][SEAT], False

    def hand(self, rows: Sequence[LogRow]) -> Iterator[str]:
        """Remember the hand of a seat, so that `hands_shown` can narrate it."""
        self.hands[rows[0][SEAT]] = [row[CARD] for row in rows]
        yield from ()

    def hands_shown(self) -> Iterator[str]:
        """Yield the possessions of all seats, once, before the first event of an action phase."""
        for seat, cards in self.hands.items():
            has = f"{self.points[seat]} VP, {_goods_in_words(self.goods[seat])}"
            yield from wrapped(f"{self.faction(seat)} has {has}; hand: {self.cards(cards) or 'no cards'}", 2)
        self.hands = {}

    def row_shows(self, rows: Sequence[LogRow]) -> Iterator[str]:
        """Yield the cards in the row, unless they are known from the lines before. Packs are not shown."""
        cards = [row[CARD] for row in rows]
        if not self.has_packs and sorted(cards) != sorted(self.shown):
            yield from wrapped(f"on show: {self.cards(cards)}", 2)
        self.shown = cards

    def standing(self, rows: Sequence[LogRow]) -> Iterator[str]:
        """Yield the goods of a seat at the end of the action phase."""
        if self.phase == constants.ACT:
            yield from wrapped(f"{self.faction(rows[0][SEAT])} has {_amounts(rows)} left", 2)

    def round_ends(self, rows: Sequence[LogRow]) -> Iterator[str]:
        """Yield the points that seats would have if the game ended after this round."""
        points = ", ".join(f"{self.faction(row[VALUE])} {row[NUMBER]}" for row in rows)
        yield f"End of round {rows[0][ROUND]}: if the game ended now, points would be {points}"

    # -- Wording --

    def come(self, rows: Sequence[LogRow], verb: str, sign: int) -> str:
        """Add goods gained (`sign` 1) to the seat's goods, or deduct goods lost (-1); return a clause that says so.

        Return "" if the clause about an exchange has already named the goods.
        """
        for row in rows:
            if row[VALUE] == constants.VP:
                self.points[row[SEAT]] += sign * row[NUMBER]
            else:
                self.goods[row[SEAT]][row[VALUE]] += sign * row[NUMBER]
        was_told = sign == 1 and self.just_exchanged == rows[0][VALUE]
        self.just_exchanged = NO_GOOD
        return "" if was_told else f"{verb}{_amounts(rows)}{self.source(rows[0][CARD])}"

    def source(self, card: int) -> str:
        """Return, in brackets, where goods or cards come from. Return "" if the line is about this source."""
        if card in (constants.NO_CARD, self.about):
            return ""
        return f" ({'deal ' if card in self.deals else ''}{self.card(card)})"

    def produces(self, rows: Sequence[LogRow]) -> str:
        """Remember the source that produces, so that later clauses can name it."""
        self.producing = rows[-1][CARD]
        return ""

    def took(self, rows: Sequence[LogRow]) -> str:
        """Return a clause on the card that a seat takes. For a pack, also name the cards not taken."""
        card = rows[0][CARD]
        others = [other for other in self.shown if other != card]
        self.shown = others
        return f"takes {self.card(card)}" + (f" (not {self.cards(others)})" if self.has_packs and others else "")

    def activated(self, rows: Sequence[LogRow]) -> str:
        """Return a clause on a location that is activated, or activated again in the same action."""
        return "again" if rows[0][CARD] == self.about else f"activates {self.card(rows[0][CARD])}"

    def built(self, rows: Sequence[LogRow]) -> str:
        """Return a clause on a location built, by an action or by an effect that waives its location cost."""
        self.deals.discard(rows[0][CARD])
        return f"builds {self.card(rows[0][CARD])}{' by that effect' if rows[0][VALUE] else ''}"

    def made_deal(self, rows: Sequence[LogRow]) -> str:
        """Return a clause on a deal made."""
        self.deals.add(rows[0][CARD])
        return f"makes the deal {self.card(rows[0][CARD])}"

    def exchanged(self, rows: Sequence[LogRow]) -> str:
        """Return a clause on what a seat gets for a pair of workers."""
        _, seat, _, taken, workers, _ = rows[0]
        self.goods[seat][constants.WORKER] -= workers
        self.just_exchanged = taken
        what = constants.GOODS[taken] if taken < len(constants.GOODS) else f"{self.deck(taken)} card"
        return f"{workers} for 1 {what}"

    def whose(self, seat: int, other: int) -> str:
        """Return the owner of a location, from the acting seat's point of view."""
        return "its own" if seat == other else self.faction(other)

    def put(self, rows: Sequence[LogRow], words: str) -> str:
        """Return a clause on what a seat puts on a card, and deduct it from the seat's goods.

        A samurai that an effect places comes from the general supply.
        """
        for row in rows:
            if row[KIND] == kinds.BANKED:
                self.goods[row[SEAT]][row[VALUE]] -= row[NUMBER]
            elif row[VALUE] == 0:
                self.goods[row[SEAT]][constants.DEFENCE if row[KIND] == kinds.DEFENDED else constants.WORKER] -= 1
        return f"{words} {self.cards(row[CARD] for row in rows)}"

    def lost_deal(self, rows: Sequence[LogRow]) -> str:
        """Return a clause on deals lost, and to whom."""
        for row in rows:
            self.deals.discard(row[CARD])
            if row[VALUE] != constants.NO_SEAT:
                self.deals.add(row[CARD])
        return ", ".join(
            f"loses the deal {self.card(row[CARD])}"
            + ("" if row[VALUE] == constants.NO_SEAT else f" to {self.faction(row[VALUE])}")
            for row in rows
        )

    # -- The end --

    def final_scores(self) -> Iterator[str]:
        """Yield a table of the scores by part, the possessions of all seats, and the winner."""
        g = self.g
        yield f"Final scores ({constants.END_REASONS[g.end_reason]})"
        columns = ("rank", *(part.replace("_", " ") for part in constants.SCORE_PARTS), "total")
        rows = [(g.rank[seat], *g.score[seat, : constants.TOTAL + 1]) for seat in self.seats]
        yield from score_table(map(self.player, self.seats), columns, rows)
        for seat in self.seats:
            yield from self.end_of(seat)
        how = " by what is left over and in hand"
        yield self.solo_result() if g.solo else self.winners(how, constants.TOTAL)

    def end_of(self, seat: int) -> Iterator[str]:
        """Yield the possessions of a seat at the end."""
        yield f"{self.player(seat)} has {_goods_in_words(self.g.goods[seat])} and"
        locations = cards_in(self.g, seat, constants.LOCATIONS)
        for name, cards in (
            ("common locations", [card for card in locations if self.t.deck[card] == constants.COMMON]),
            ("faction locations", [card for card in locations if self.t.deck[card] != constants.COMMON]),
            ("deals", cards_in(self.g, seat, constants.DEALS)),
            ("deals with locations of others", cards_in(self.g, seat, constants.TRADES)),
            ("foundations", cards_in(self.g, seat, constants.FOUNDATIONS)),
            ("cards under Gates", cards_in(self.g, seat, constants.TUCKED)),
            ("cards in hand", cards_in(self.g, seat, constants.HAND)),
        ):
            if cards:
                yield from wrapped(f"{name} ({len(cards)}): {self.cards(cards)}", 2)

    def solo_result(self) -> str:
        """Return how the solo game ends."""
        own = sum(self.t.deck[card] != constants.COMMON for card in cards_in(self.g, 0, constants.LOCATIONS))
        pile = self.g.zone_size[constants.VIRTUAL, constants.PILE]
        end = constants.END_REASONS[self.g.end_reason].capitalize()
        return f"{end}: {own} faction locations against a pile of {pile} cards"


def _without_echoes(rows: Iterable[LogRow]) -> Iterator[LogRow]:
    """Yield the rows, without those that merely repeat where a card goes."""
    going: dict[int, int] = {}
    for row in rows:
        if row[KIND] not in ECHOES.get(going.get(row[CARD], NO_KIND), ()):
            yield row
            if row[KIND] in ECHOES:
                going[row[CARD]] = row[KIND]
        else:
            going.pop(row[CARD])


def _told_together(row: LogRow) -> tuple[int, ...]:
    """Return a key that is the same for rows that share a clause. Most keys are the row's kind and seat.

    Rows of goods also need the same source, and rows about an action the same card.
    """
    kind = row[KIND]
    if kind in (kinds.LEFT_OVER, kinds.ROUND_ENDS):
        return (kind,)
    if kind in (kinds.GAINED, kinds.LOST, kinds.PAID) or (kind in OPENINGS and kind != kinds.EXCHANGED):
        return (kind, row[SEAT], row[CARD])
    return (kind, row[SEAT])


def _goods_in_words(goods: Iterable[int]) -> str:
    """Return amounts of goods, given in the order of `constants.GOODS`, as a string."""
    return join_names((f"{number} {_name(good, number)}" for good, number in enumerate(goods) if number), "no goods")


def _name(good: int, number: int) -> str:
    """Return the singular or plural name of a good."""
    names = SINGULARS if number == 1 else PLURALS
    return names.get(constants.GOODS[good], constants.GOODS[good])


def _amounts(rows: Iterable[LogRow]) -> str:
    return _goods_in_words(sums(rows, VALUE, NUMBER, len(constants.GOODS)))


Say = Callable[[SettlersNarrator, Sequence[LogRow]], str]
"""A function that writes a clause about rows of one kind."""


def _of_cards(verb: str, behind: str = "") -> Say:
    """Return a function that writes a clause: `verb`, the names of the cards in the rows, and `behind`."""
    return lambda teller, rows: f"{verb} {teller.cards(row[CARD] for row in rows)}{behind}".strip()


SINGULARS = {"raze": "raze token", "defence": "defence token", "vp": "VP"}
PLURALS = {"raze": "raze tokens", "defence": "defence tokens", "vp": "VP", "worker": "workers", "card": "cards"}
"""Names of goods in narrations, where they differ from the names in the data."""

PARTS: dict[int, Callable[[SettlersNarrator, Sequence[LogRow]], Iterable[str]]] = {
    kinds.ROUND_BEGINS: SettlersNarrator.round_begins,
    kinds.PHASE_BEGINS: SettlersNarrator.phase_begins,
    kinds.TURN_BEGINS: SettlersNarrator.turn,
    kinds.HOLDS: SettlersNarrator.hand,
    kinds.STANDS: SettlersNarrator.standing,
    kinds.ROW_SHOWS: SettlersNarrator.row_shows,
    kinds.LEFT_OVER: lambda teller, rows: wrapped(f"left over: {teller.cards(row[CARD] for row in rows)}", 2),
    kinds.ROUND_ENDS: SettlersNarrator.round_ends,
}
"""Kinds of rows that have lines of their own."""

LEAVES = ("is discarded", "leaves the game", "goes to the pile")
"""What happens to a location that leaves an empire, by the VALUE of the row."""

WORDS: dict[int, Say] = {
    kinds.TOOK: SettlersNarrator.took,
    kinds.DREW: lambda teller, rows: (
        f"draws {teller.cards(row[CARD] for row in rows)}{teller.source(teller.producing)}"
    ),
    kinds.RESHUFFLED: lambda _, rows: (
        f"the {'common' if rows[0][SEAT] == constants.NO_SEAT else 'own'} discards are reshuffled"
    ),
    kinds.NOTHING_TO_DRAW: lambda teller, rows: f"finds no {teller.deck(rows[0][VALUE])} card to draw",
    kinds.PRODUCES: SettlersNarrator.produces,
    kinds.GAINED: lambda teller, rows: teller.come(rows, GAINS, 1),
    kinds.LOST: lambda teller, rows: teller.come(rows, "pays " if rows[0][SEAT] == teller.turn_seat else "loses ", -1),
    kinds.PAID: lambda teller, rows: teller.come(rows, "pays ", -1),
    kinds.BUILT: SettlersNarrator.built,
    kinds.GAVE_UP: of_each(lambda teller, row: f"gives up {'a foundation' if row[VALUE] else teller.card(row[CARD])}"),
    kinds.MADE_DEAL: SettlersNarrator.made_deal,
    kinds.TRADED: of_each(
        lambda teller, row: (
            f"makes a deal with {teller.card(row[CARD])} of {teller.faction(row[VALUE])}"
            f" (marker {teller.card(row[NUMBER])})"
        )
    ),
    kinds.TRADE_ENDED: _of_cards("the deal with", " ends"),
    kinds.RAZED_FROM_HAND: _of_cards("razes", " from the hand"),
    kinds.RAZED: lambda teller, rows: (
        f"razes {teller.card(rows[0][CARD])} of {teller.whose(rows[0][SEAT], rows[0][VALUE])}"
    ),
    kinds.BECAME_FOUNDATION: _of_cards("", " becomes a foundation"),
    kinds.LEFT_PLAY: of_each(lambda teller, row: f"{teller.card(row[CARD])} {LEAVES[row[VALUE]]}"),
    kinds.ACTIVATED: SettlersNarrator.activated,
    kinds.EXCHANGED: SettlersNarrator.exchanged,
    kinds.DEFENDED: lambda teller, rows: teller.put(rows, "puts the defence token on"),
    kinds.PLACED_SAMURAI: lambda teller, rows: teller.put(rows, "places a samurai on"),
    kinds.TUCKED: lambda teller, rows: f"tucks {teller.card(rows[0][CARD])} under {teller.card(rows[0][VALUE])}",
    kinds.BANKED: lambda teller, rows: teller.put(rows, f"banks {_amounts(rows)} on"),
    kinds.PASSED: lambda *_: "passes",
    kinds.DISCARDED: _of_cards("discards"),
    kinds.LOST_DEAL: SettlersNarrator.lost_deal,
    kinds.BECAME_RENEWED: _of_cards("clears", " to be used anew"),
    kinds.BECAME_BLOCKED: of_each(
        lambda teller, row: f"blocks {teller.card(row[CARD])} of {teller.faction(row[VALUE])}"
    ),
    kinds.TOOK_CONTROL: of_each(
        lambda teller, row: f"takes control of {teller.card(row[CARD])} of {teller.faction(row[VALUE])}"
    ),
    kinds.GAVE_BACK: of_each(
        lambda teller, row: f"gives {teller.card(row[CARD])} back to {teller.faction(row[VALUE])}"
    ),
    kinds.LOOKED_AT: _of_cards("looks at"),
    kinds.KEPT: _of_cards("keeps"),
    kinds.CONVERTED: lambda _, rows: "turns into VP: " + ", ".join(_name(row[VALUE], 1) for row in rows),
    kinds.STORED: lambda _, rows: f"keeps {_amounts(rows)}",
    kinds.ATTACK_SHOWN: _of_cards("reveals the"),
    kinds.ATTACK_MISSES: lambda *_: "takes nothing",
    kinds.ATTACK_TAKES: _of_cards("takes"),
    kinds.TO_VIRTUAL: _of_cards("gets"),
}
"""Functions that write clauses for the other kinds of rows."""

ACTIONS = (
    kinds.BUILT,
    kinds.MADE_DEAL,
    kinds.RAZED_FROM_HAND,
    kinds.RAZED,
    kinds.ACTIVATED,
    kinds.EXCHANGED,
    kinds.PASSED,
)
"""Kinds of rows for the action of a turn. The first such row in a turn is the action; further such rows are
effects of that action."""

OPENINGS = (*ACTIONS, kinds.DEFENDED, kinds.PLACED_SAMURAI, kinds.TUCKED, kinds.BANKED, kinds.ATTACK_SHOWN)
"""Kinds of rows that begin a line."""

ECHOES = {kinds.GAVE_UP: (kinds.LEFT_PLAY,), kinds.RAZED_FROM_HAND: (kinds.DISCARDED,)}
"""Kinds of rows that say where a card goes, each with the kinds of later rows that repeat this."""
NO_KIND, NO_GOOD = -1, -1
GAINS = "gains "

narrate = narrate_with(SettlersNarrator)
