"""Narrates a finished game from its log (`rules/log.py`).

A line begins with what a player does, and continues with the effects on that player. Effects on other players follow
in indented lines. Each round begins with the possessions of every player.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np

import sim.games.glory_of_rome.rules.log as kinds
from sim.compiler.kernel import Record
from sim.games.glory_of_rome.data.catalog import Catalog
from sim.games.glory_of_rome.rules import constants
from sim.games.glory_of_rome.rules.log import CARD, KIND, NUMBER, SEAT, VALUE, WHAT
from sim.games.shared.describe import join_names, names_of_bits, number_and_noun
from sim.games.shared.narration import LogRow, Narrator, narrate_with, score_table, wrapped

ROMAN = ("", "I", "II", "III")
ORDINALS = ("first", "second", "third", "fourth")
HEADING, ACTION, CONSEQUENCE = 2, 4, 6
"""Indentation of lines."""


def _words_of_bits(names: Sequence[str], bits: int) -> list[str]:
    return [name.replace("_", " ") for name in names_of_bits(names, bits)]


class RomeNarrator(Narrator):
    """Goes through the log of a game row by row, and tracks what the rows change."""

    def __init__(self, g: Record, t: Record, catalog: Catalog, strategy_names: Sequence[str]) -> None:
        super().__init__(g, t, catalog, strategy_names)
        self.cards = catalog.card_names
        factions = [int(g.faction[seat]) for seat in self.seats]
        self.names = [catalog.faction_names[faction] for faction in factions]
        self.glory = [int(t.glory[faction]) for faction in factions]
        self.denarii = [int(t.denarii[faction]) for faction in factions]
        self.anchors = [int(t.anchor[faction]) for faction in factions]
        self.followers = [1 for _ in self.seats]
        self.hands: list[list[int]] = [[] for _ in self.seats]
        self.board = list(range(len(constants.PROVINCES)))
        self.buildings = [[0] * len(constants.BUILDINGS) for _ in constants.PROVINCES]
        self.round = 0
        # The current line: the heading to print before it, its indentation, the acting seat, whether a follower or spy
        # acts, its opening, and its clauses.
        self.heading = ""
        self.indent, self.actor, self.carries_out, self.opening = ACTION, constants.NO_SEAT, False, ""
        self.clauses: list[str] = []

    # -- The whole game --

    def header(self) -> list[str]:
        """Return lines that say who sits where, who begins, and which variants are played."""
        variants = _words_of_bits(constants.VARIANTS, int(self.g.variant))
        begins = f"{self.player(self.g.starting_player)} is the starting player"
        return [*super().header(), f"Variants: {join_names(variants)}", begins, ""]

    def lines(self) -> Iterator[str]:
        """Yield the lines of the whole game."""
        yield "Set-up"
        for row in self.rows():
            yield from self.add_row(row)
            self.follow(row)
        yield from self.end_line()
        yield ""
        yield from self.final_scores()

    def final_scores(self) -> Iterator[str]:
        """Yield the table of scores, achievements, and the result."""
        g = self.g
        yield "Scores"
        rows = [[*g.score[seat, : constants.TOTAL + 1], g.rank[seat]] for seat in self.seats]
        yield from score_table(map(self.player, self.seats), [*constants.SCORE_PARTS, "total", "rank"], rows)
        for seat, name in enumerate(self.names):
            if achieved := _words_of_bits(constants.ACHIEVEMENTS, int(g.achievements[seat])):
                yield from wrapped(f"Achievements of {name}: {', '.join(achieved)}")
        if g.variant & constants.IMPERIAL:
            tasks = _words_of_bits(constants.TASKS, int(g.tasks[0]))
            end = constants.END_REASONS[g.end_reason]
            yield f"Tasks: {len(tasks)} of {len(constants.TASKS)} ({join_names(tasks)}): {end}"
        else:
            yield self.winners(" by denarii", constants.TOTAL)

    def add_row(self, row: LogRow) -> Iterator[str]:
        """Add a row to the current line, or begin a new line with it. Yield the lines that this completes."""
        kind, seat = row[KIND], row[SEAT]
        if kind in PARTS:
            yield from self.end_line()
            yield from PARTS[kind](self, row)
        elif kind == kinds.ACTS:
            if not self.carries_out:
                yield from self.end_line()
                self.begin_line(seat, ACTION, f"{self.names[seat]} now acts on {_place(row[WHAT])}")
        elif kind in BEGINNINGS:
            yield from self.end_line()
            words = BEGINNINGS[kind](self, row)
            self.begin_line(seat, ACTION, words if seat == constants.NO_SEAT else f"{self.names[seat]} {words}")
            self.carries_out = kind == kinds.FOLLOWER_PLACED
        elif kind in FOLLOWING:
            if not self.opening or seat not in (constants.NO_SEAT, self.actor):
                yield from self.end_line()
                self.begin_line(seat, CONSEQUENCE, "" if seat == constants.NO_SEAT else self.names[seat])
            self.clauses.append(FOLLOWING[kind](self, row))
            self.carries_out = self.carries_out or kind == kinds.SPIED

    def begin_line(self, seat: int, indent: int, opening: str) -> None:
        """Begin a line on what `seat` does; `opening` is its first words."""
        self.actor, self.indent, self.opening, self.carries_out = seat, indent, opening, False

    def end_line(self) -> Iterator[str]:
        """Yield the current line. If it is the first line under a heading, yield the heading before it."""
        line = ": ".join(part for part in (self.opening, "; ".join(self.clauses)) if part)
        if line and self.heading:
            yield f"{'':{HEADING}}{self.heading}"
            self.heading = ""
        if line:
            yield from wrapped(line, self.indent)
        self.opening, self.clauses = "", []

    def follow(self, row: LogRow) -> None:
        """Track what a row changes."""
        kind, seat, what, card, value, _ = row
        if kind == kinds.GAINED_GLORY:
            self.glory[seat] = value
        elif kind == kinds.GAINED_DENARII:
            self.denarii[seat] = value
        elif kind == kinds.REACHED_MILESTONE:
            self.followers[seat] = value
        elif kind == kinds.ANCHOR_REMOVED:
            self.anchors[seat] = 0
        elif kind == kinds.BUILT:
            self.buildings[self.province(seat)][what] = value
        elif kind == kinds.BOARD_TURNED:
            self.board = np.roll(self.board, value if what == constants.CLOCKWISE else -value).tolist()
        elif kind in (kinds.CARD_DRAWN, kinds.CARD_FROM_DISCARD):
            self.hands[seat].append(card)
        elif kind in LEAVES_HAND:
            self.hands[seat].remove(card)
            if kind == kinds.CARD_TAKEN and value != constants.NO_SEAT:
                self.hands[value].append(card)

    # -- Names --

    def province(self, seat: int) -> int:
        """Return the province in front of a seat."""
        return self.board[self.g.place[seat]]

    def card(self, row: LogRow) -> str:
        """Return the name of a row's card."""
        return self.cards[row[CARD]]

    def hand(self, seat: int) -> str:
        """Return the names of the cards in a seat's hand, the anchor card included, or "no cards"."""
        anchor = ["anchor card"] if self.anchors[seat] else []
        return join_names([*(self.cards[card] for card in self.hands[seat]), *anchor], "no cards")

    def standing(self, seat: int) -> str:
        """Describe the possessions of a seat, and the province in front of it."""
        levels = self.buildings[self.province(seat)]
        built = [f"{constants.BUILDINGS[kind]} {ROMAN[level]}" for kind, level in enumerate(levels) if level]
        population = f"population {1 + sum(levels)}" + (f": {', '.join(built)}" if built else "")
        followers = number_and_noun(self.followers[seat], "follower")
        has = f"{self.glory[seat]} glory, {_denarii(self.denarii[seat])}, {followers}"
        province = constants.PROVINCES[self.province(seat)]
        return f"{self.names[seat]}: {province} ({population}); {has}; hand: {self.hand(seat)}"

    # -- Parts of a game --

    def round_begins(self, row: LogRow) -> Iterator[str]:
        """Yield the heading of a round and the possessions of all seats."""
        self.round = row[NUMBER]
        yield ""
        yield f"Round {self.round}"
        for seat in self.seats:
            yield from wrapped(self.standing(seat), HEADING)
        self.heading = ""

    def phase_begins(self, row: LogRow) -> Iterator[str]:
        """Store the heading of a phase. It is printed when something happens in the phase."""
        self.heading = f"{constants.PHASES[row[WHAT]].capitalize()} phase"
        yield from ()

    def board_turned(self, row: LogRow) -> Iterator[str]:
        """Yield a line on how the board turns, and lines on the points of all seats if the game ended now."""
        yield f"{'':{HEADING}}The board turns {constants.DIRECTIONS[row[WHAT]]} by {90 * row[VALUE]} degrees"
        points = [f"{self.names[seat]} {int(self.g.score_after[seat, self.round - 1])}" for seat in self.seats]
        yield from wrapped(f"If the game ended now, points would be {', '.join(points)}", HEADING)
        self.heading = "Final scoring"


def _place(place: int) -> str:
    if place < len(constants.BUILDINGS):
        return f"the {constants.PLACES[place]} building"
    return "an intrigue space" if constants.PLACES[place] == "intrigue" else "the Colosseum"


def _denarii(number: int) -> str:
    return number_and_noun(number, "denarius", "denarii")


LEAVES_HAND = (kinds.CARD_SOLD, kinds.CARD_DISCARDED, kinds.CARD_PLAYED, kinds.CARD_IN_SET, kinds.CARD_TAKEN)
"""Kinds of rows in which a card leaves the hand of SEAT."""

Say = Callable[[RomeNarrator, LogRow], str]
"""A function that returns the text for a row of one kind."""

PARTS: dict[int, Callable[[RomeNarrator, LogRow], Iterator[str]]] = {
    kinds.ROUND_BEGINS: RomeNarrator.round_begins,
    kinds.PHASE_BEGINS: RomeNarrator.phase_begins,
    kinds.BOARD_TURNED: RomeNarrator.board_turned,
}
"""Kinds of rows that have lines of their own."""


# ---- Rows that begin a line ----


def _activated(teller: RomeNarrator, row: LogRow) -> str:
    province, intrigue = constants.PROVINCES[row[VALUE]], constants.INTRIGUES[row[WHAT]]
    target = teller.names[row[NUMBER]]
    return f"activates the intrigue in {province} with {intrigue} and passes a discord token to {target}"


def _built(teller: RomeNarrator, row: LogRow) -> str:
    province = constants.PROVINCES[teller.province(row[SEAT])]
    return f"builds {constants.BUILDINGS[row[WHAT]]} {ROMAN[row[VALUE]]} in {province}"


def _offered_treaty(_teller: RomeNarrator, row: LogRow) -> str:
    building = f"the {constants.BUILDINGS[row[WHAT]]} building in {constants.PROVINCES[row[VALUE]]}"
    return f"puts a diplomacy token on {building} and offers {_denarii(row[NUMBER])}"


BEGINNINGS: dict[int, Say] = {
    kinds.EVENT_REVEALED: lambda teller, row: f"Event: {teller.card(row)}",
    kinds.PLAY_ORDER: lambda _, row: (
        f"Play goes {constants.DIRECTIONS[row[WHAT]]} ({number_and_noun(row[VALUE], 'arrow')})"
    ),
    kinds.MISSION_UNDER: lambda teller, row: f"puts {teller.card(row)} under the missions",
    kinds.OFFERED_TREATY: _offered_treaty,
    kinds.ACTIVATED: _activated,
    kinds.BUILT: _built,
    kinds.FOLLOWER_PLACED: lambda _, row: (
        f"places a follower on {_place(row[WHAT])}{' with the bonus' if row[VALUE] else ''}"
    ),
    kinds.TAXED: lambda teller, row: (
        f"taxes {constants.PROVINCES[teller.province(row[SEAT])]}{' twice' if row[VALUE] else ''}"
    ),
    kinds.CARD_DISCARDED: lambda teller, row: f"discards {teller.card(row)}",
    kinds.CARD_SOLD: lambda teller, row: f"sells {teller.card(row)}",
    kinds.CARD_PLAYED: lambda teller, row: f"plays {teller.card(row)}",
    kinds.SET_LAID: lambda _, row: f"lays a set of {constants.TRADE_TYPES[row[WHAT]]}",
    kinds.PAID_FOR_GLORY: lambda _, row: f"pays for {row[NUMBER]} glory with the religious medal",
}
"""The words with which each kind of row begins a line. The name of the row's seat comes before them."""


# ---- Rows that continue a line ----


def _answered(_teller: RomeNarrator, row: LogRow) -> str:
    token = "an alliance" if constants.DIPLOMACY_TOKENS[row[WHAT]] == "alliance" else "a spy"
    return f"{'accepts' if row[VALUE] else 'refuses'}: the token is {token}"


def _card_taken(teller: RomeNarrator, row: LogRow) -> str:
    goes = "is discarded" if row[VALUE] == constants.NO_SEAT else f"goes to {teller.names[row[VALUE]]}"
    return f"{teller.card(row)} {goes}"


def _piece_placed(_teller: RomeNarrator, row: LogRow) -> str:
    level = constants.PANTHEON_LEVELS[row[WHAT]]
    if row[VALUE] == constants.OWN:
        return f"an own piece for the {level} of the Pantheon"
    return f"the {constants.METALS[row[VALUE]]} piece finishes the {level} of the Pantheon"


FOLLOWING: dict[int, Say] = {
    kinds.MISSION_KEPT: lambda teller, row: f"keeps the mission {teller.card(row)}",
    kinds.MISSION_DRAWN: lambda teller, row: f"draws the mission {teller.card(row)}",
    kinds.GAINED_GLORY: lambda _, row: f"{row[NUMBER]:+d} glory (now {row[VALUE]})",
    kinds.GAINED_DENARII: lambda _, row: f"{row[NUMBER]:+d} denarii (now {row[VALUE]})",
    kinds.REACHED_MILESTONE: lambda _, row: f"milestone {row[NUMBER]} reached, {row[VALUE]} followers",
    kinds.ASKED_FOR: lambda _, row: f"asks for {row[NUMBER]}",
    kinds.RAISED: lambda _, row: f"{'raises the offer to' if row[VALUE] else 'leaves the offer at'} {row[NUMBER]}",
    kinds.ANSWERED_TREATY: _answered,
    kinds.SPIED: lambda _, row: f"the spy brings {f'the action of {_place(row[WHAT])}' if row[VALUE] else 'glory'}",
    kinds.PIECE_REMOVED: lambda _, row: f"loses a piece of the {constants.PANTHEON_LEVELS[row[WHAT]]} of the Pantheon",
    kinds.LEGION_REMOVED: lambda teller, row: (
        f"a legion returns from {constants.REGIONS[row[WHAT]]}"
        + ("" if row[VALUE] == constants.NO_SEAT else f", one of {teller.names[row[VALUE]]} replaces it")
    ),
    kinds.LEGION_MOVED: lambda _, row: (
        f"a legion moves from {constants.REGIONS[row[WHAT]]} to {constants.REGIONS[row[VALUE]]}"
    ),
    kinds.LEGION_PLACED: lambda _, row: f"a legion to {constants.REGIONS[row[WHAT]]}",
    kinds.VOTE_REMOVED: lambda _, row: f"the vote in place {row[WHAT] + 1} of the senate column is removed",
    kinds.VOTE_PLACED: lambda _teller, _row: "a vote on top of the senate column",
    kinds.VOTE_PUSHED_OUT: lambda _teller, _row: "the lowest vote of the senate column returns",
    kinds.MAJORITY: lambda _teller, _row: "majority",
    kinds.CARD_TAKEN: _card_taken,
    kinds.CARD_DRAWN: lambda teller, row: f"draws {teller.card(row)}",
    kinds.CARD_FROM_DISCARD: lambda teller, row: f"takes {teller.card(row)} from the discards",
    kinds.CARD_IN_SET: lambda teller, row: teller.card(row),
    kinds.DECK_RENEWED: lambda _, row: f"the {row[NUMBER]} discards are shuffled to be the deck",
    kinds.ANCHOR_REMOVED: lambda _teller, _row: "the anchor card leaves the game",
    kinds.RECRUITED: lambda _, row: f"recruits {number_and_noun(row[NUMBER], 'vote' if row[WHAT] else 'legion')}",
    kinds.MEDAL_TAKEN: lambda _, row: f"the {constants.BUILDINGS[row[WHAT]]} medal",
    kinds.PIECE_PLACED: _piece_placed,
    kinds.INTRIGUE_PLACED: lambda _, row: f"an intrigue token in {constants.PROVINCES[row[VALUE]]}",
    kinds.CONQUERED: lambda _, row: f"{constants.REGIONS[row[WHAT]]} is conquered",
    kinds.LOST_AGAIN: lambda _, row: f"{constants.REGIONS[row[WHAT]]} is no longer conquered",
    kinds.SETS_ALLOWED: lambda _, row: f"{number_and_noun(row[NUMBER], 'set')} more allowed",
    kinds.REGION_SCORED: lambda _, row: (
        f"{ORDINALS[row[VALUE]]} in {constants.REGIONS[row[WHAT]]}, {number_and_noun(row[NUMBER], 'point')}"
    ),
    kinds.MISSION_SCORED: lambda teller, row: f"{teller.card(row)}, {number_and_noun(row[NUMBER], 'point')}",
}
"""The clause that each kind of row adds to its player's line."""

narrate = narrate_with(RomeNarrator)
