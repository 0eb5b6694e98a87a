"""Precomputes numbers once per run: the worth of each card when played, and while in play, in the middle of a game."""

from __future__ import annotations

import math

import numpy as np

from sim.compiler.kernel import Floats, Integers, Record, kernel
from sim.games.imperium.rules import constants
from sim.games.imperium.rules.stack import renew_passives
from sim.games.imperium.rules.state import new_games
from strategies.imperium.appraisal import worth_of_code
from strategies.imperium.outlook import look_ahead, note_turns
from strategies.imperium.weights import (
    H_CIVILISED,
    H_REGIONS,
    H_TRIBUTARIES,
    H_UNCIVILISED,
    KEPT_NOTES,
    KIN,
    LASTING,
    N_DRAW,
    N_SLOT,
    ONCE,
    P_CIVILISED,
    P_FAME,
    P_HINT,
    P_KIND,
    P_REGION,
    P_TRIBUTARY,
    P_UNCIVILISED,
    PAWN,
    PREPARED,
    SUIT_CYCLE,
    SUIT_USE,
    TASTE,
    TASTES,
    USE,
)

MARKET_WORTH = (2.5, 3.0, 4.0, 4.5)
"""Assumed worth of the best market card of each suit in the middle of a game, not counting the unrest card on it."""
MIDDLE = 8.0
"""Number of turns that a seat has left in the middle of a game."""
SUITS_GAINED = 4
SHARE_OF_REQUIRED = 0.2
"""Share of a card's use that is credited, per round, to another card that it requires in play."""
HARD_TO_KEEP = -0.25
"""Worth of a solstice effect below which its card is abandoned and has to be played again."""
WITH_ITS_HOST = 0.5
"""Share of a quest's price that a garrisoned card pays if it is given up with its host (the card above it)."""
FELLOWS = 3
MOST_FELLOWS = 14
"""A group of cards, such as masks, has at least `FELLOWS` cards and fewer than `MOST_FELLOWS`."""
MOST_A_ROUND = 2.5
"""Maximum worth per round of a card in play. Effects that are appraised higher happen only now and then."""


def prepare(w: Record, t: Record, players: int) -> Floats:
    """Compute the numbers that players find in `w.prepared`; `weights.py` defines their layout."""
    g = middle_game(t, players)
    prepared = np.zeros(PREPARED)
    prepare_tastes(t, w, prepared)
    prepare_pawns(t, prepared)
    w.prepared[:PREPARED] = prepared
    prepare_cards(g, t, w, prepared)
    w.prepared[:PREPARED] = prepared
    for nation in range(int(t.nation[: t.cards].max()) + 1):
        fellows = fellows_of(t, nation)
        if fellows:
            deal_fellows(g, t, nation, fellows)
            prepare_fellows(g, t, w, prepared, nation, np.array(fellows))
            prepare_kin(t, prepared, fellows)
    prepare_required(t, prepared)
    prepare_suits(t, prepared)
    return prepared


def prepare_tastes(t: Record, w: Record, prepared: Floats) -> None:
    """Compute for each nation what owning a card is worth, for every combination of suits."""
    hint = w.weight[P_HINT]
    for faction in range(t.factions):
        wish = t.faction_hint[faction]
        for suits in range(TASTES):
            worth = int(suits & constants.REGION != 0) * w.weight[P_REGION] * (1.0 + hint * wish[H_REGIONS])
            worth += int(suits & constants.TRIBUTARY != 0) * (w.weight[P_TRIBUTARY] + hint * wish[H_TRIBUTARIES])
            worth += int(suits & constants.UNCIVILISED != 0) * (w.weight[P_UNCIVILISED] + hint * wish[H_UNCIVILISED])
            worth += int(suits & constants.CIVILISED != 0) * (w.weight[P_CIVILISED] + hint * wish[H_CIVILISED])
            worth += int(suits & constants.FAME != 0) * w.weight[P_FAME]
            prepared[TASTE + TASTES * faction + suits] = worth


def prepare_required(t: Record, prepared: Floats) -> None:
    """Raise the worth of a card in play by a share of the worth of each card that can be played only if it is there."""
    for card in range(t.cards):
        at = int(t.program[card, constants.REQUIRE_PROGRAM])
        if (
            at != 0
            and t.code[at, constants.OPERATION] == constants.REQUIRE
            and t.code[at, constants.A] == constants.IN_PLAY
        ):
            required = np.flatnonzero(t.selector[t.code[at, constants.B], : t.cards])
            if len(required) == 1:
                lasting = prepared[LASTING + required[0]] + SHARE_OF_REQUIRED * prepared[USE + card]
                prepared[LASTING + required[0]] = min(MOST_A_ROUND, lasting)


def fellows_of(t: Record, nation: int) -> list[int]:
    """Return the cards of a nation that its effects treat as a group, such as masks; most nations have none."""
    # Keep fields in variables: a record looks up a field each time that it is accessed.
    nations, suits, pinned, starts, selectors = t.nation, t.suits, t.pinned, t.start, t.selector[:, : t.cards]
    sizes = np.count_nonzero(selectors, axis=1)
    for selector in range(1, selectors.shape[0]):
        if not FELLOWS <= sizes[selector] < MOST_FELLOWS:
            continue
        meant = np.flatnonzero(selectors[selector])
        own = meant[(nations[meant] == nation) & (suits[meant] == 0) & (pinned[meant] == 0)]
        from_deck = starts[own] == constants.START_DECK
        if from_deck.sum() >= FELLOWS and np.isin(nations[meant], (nation, -1)).all():
            return [*own[from_deck].tolist(), *own[~from_deck].tolist()]
    return []


def deal_fellows(g: Record, t: Record, nation: int, fellows: list[int]) -> None:
    """Change the mid-game position: put cards of a group into hand, discard pile and garrison, and add a quest."""
    for zone in (constants.HAND, constants.DISCARD_PILE, constants.GARRISON):
        cards = fellows[:FELLOWS]
        kept = (
            []
            if zone == constants.GARRISON
            else [int(card) for card in g.zone[0, zone, FELLOWS : g.zone_size[0, zone]]]
        )
        g.zone_size[0, zone] = len(cards) + len(kept)
        g.zone[0, zone, : g.zone_size[0, zone]] = cards + kept
    g.host[fellows[:FELLOWS]] = g.zone[0, constants.PLAY, 0]
    own = np.flatnonzero(t.nation[: t.cards] == nation)
    courts = own[t.kind[own] == constants.COURT]
    there = own[(t.start[own] == constants.START_IN_PLAY) & (t.kind[own] != constants.POWER)]
    regions = own[(t.suits[own] & constants.REGION != 0) & (t.start[own] != constants.START_DEVELOPMENT)]
    in_play = [*g.zone[0, constants.PLAY, :3], *there[:1], *regions[:5]]
    g.zone[0, constants.PLAY, : len(in_play)] = in_play
    g.zone_size[0, constants.PLAY] = len(in_play)
    g.faction[0] = np.flatnonzero(t.faction_nation[: t.factions] == nation)[0]
    # With a hand full of cards of the group, the seat does not run out of actions: it gets one for each hand card.
    g.actions[0] = g.zone_size[0, constants.HAND]
    quests = own[(t.start[own] == constants.START_DEVELOPMENT) & (t.comes_last[own] == 0)]
    if len(courts) > 0:
        g.zone[0, constants.GARRISON, g.zone_size[0, constants.GARRISON]] = quests[0]
        g.zone_size[0, constants.GARRISON] += 1
        g.host[quests[0]] = courts[0]


@kernel
def prepare_fellows(g: Record, t: Record, w: Record, prepared: Floats, nation: int, fellows: Integers) -> None:
    """Appraise a nation's cards again in a position with many cards of its group (see `deal_fellows`).

    Cards of the group can pay for abilities, which adds to their worth.
    """
    renew_passives(g, t, 0)
    paid = 0.0
    for _ in range(2):
        for card in range(t.cards):
            if t.nation[card] == nation:
                prepare_card(g, t, w, prepared, card)
                if t.pinned[card] != 0 and t.program[card, constants.SOLSTICE_PROGRAM] != 0:
                    solstice = worth_of_code(g, t, 0, card, int(t.program[card, constants.SOLSTICE_PROGRAM]), w)
                    if solstice < HARD_TO_KEEP:
                        prepared[LASTING + card] *= 0.3
                at = int(t.program[card, constants.EXHAUST_PROGRAM])
                if at != 0:
                    paid = max(paid, paid_with(t, at, int(fellows[0]), w))
    for place in range(fellows.shape[0]):
        prepared[USE + fellows[place]] += paid


def prepare_pawns(t: Record, prepared: Floats) -> None:
    """Store for each card which share of a quest's price it pays when it is given up from a garrison."""
    codes, programs, selectors = t.code, t.program, t.selector[:, : t.cards]
    for card in range(t.cards):
        at = int(programs[card, constants.PLAY_PROGRAM])
        price: tuple[int, float] | None = None
        while at != 0 and codes[at, constants.OPERATION] != constants.END:
            operation = codes[at, constants.OPERATION]
            if operation == constants.ABANDON_GARRISONED and codes[at, constants.B] > 0:
                price = int(codes[at, constants.A]), 1.0 / float(codes[at, constants.B])
            elif operation == constants.ABANDON and codes[at, constants.D] > 0:
                # The card's region is given up as well, and unrest is taken.
                price = int(codes[at, constants.D]), WITH_ITS_HOST
            elif operation == constants.QUEST_TO and price is not None:
                meant = np.flatnonzero(selectors[price[0]])
                prepared[PAWN + meant] = np.maximum(prepared[PAWN + meant], price[1])
            at += 1


def prepare_kin(t: Record, prepared: Floats, fellows: list[int]) -> None:
    """Mark the cards of a group if they can be discarded to pay for an ability."""
    codes, programs = t.code, t.program
    nation = int(t.nation[fellows[0]])
    for card in np.flatnonzero(t.nation[: t.cards] == nation):
        at = int(programs[card, constants.EXHAUST_PROGRAM])
        while at != 0 and codes[at, constants.OPERATION] != constants.END:
            selector = int(codes[at, constants.A])
            if (
                codes[at, constants.OPERATION] == constants.DISCARD
                and selector > 0
                and t.selector[selector, fellows[0]] != 0
            ):
                prepared[KIN + np.array(fellows)] = 1.0
            at += 1


@kernel
def paid_with(t: Record, at: int, card: int, w: Record) -> float:
    """Return the extra worth of `card` if the effect at the row `at` can be paid by garrisoning it; otherwise 0."""
    for place in range(at, at + 12):
        operation = int(t.code[place, constants.OPERATION])
        if operation == constants.GARRISON_HERE:
            selector = int(t.code[place, constants.A])
            if selector > 0 and t.selector[selector, card] != 0:
                return float(w.weight[P_KIND])
        if operation == constants.END:
            break
    return 0.0


def middle_game(t: Record, players: int) -> Record:
    """Return a mid-game position with only the public state that appraisals of single cards depend on."""
    g: Record = new_games(1)[0]
    unrest = [card for card in range(t.cards) if t.suits[card] & constants.UNREST][:2]
    g.players = players
    g.ending = constants.NOT_ENDING
    g.turn_seat = 0
    g.activating = 1
    g.resource[:] = (4, 3, 3)
    g.actions[:] = 2
    g.exhausts[:] = 3
    g.stored[:] = 1
    g.market[:] = constants.NO_CARD
    g.market_unrest[:] = constants.NO_CARD
    g.host[:] = constants.NO_CARD
    for suit in range(SUITS_GAINED):
        commons = (
            card for card in range(t.cards) if t.suits[card] == 1 << suit and t.start[card] == constants.START_COMMONS
        )
        g.market[suit] = next(commons, constants.NO_CARD)  # Data changed by users may have no such card.
        g.market_unrest[suit] = unrest[0] if suit > 0 and unrest else constants.NO_CARD
    g.zone_size[constants.TABLE, constants.MAIN_DECK] = 20
    deck = [card for card in g.market[:SUITS_GAINED] if card != constants.NO_CARD]
    g.zone[constants.TABLE, constants.MAIN_DECK, : len(deck)] = deck
    g.zone_size[constants.TABLE, constants.FAME_DECK] = 4
    g.zone_size[constants.TABLE, constants.UNREST_PILE] = 12
    regions = [card for card in range(t.cards) if t.suits[card] & 1 and t.pinned[card] and t.icons[card, 0]]
    for place, card in enumerate(regions[:3]):
        g.zone[0, constants.PLAY, place] = card
    g.zone_size[0, constants.PLAY] = 3
    fillers = [card for card in range(t.cards) if t.suits[card] == 0 and t.kind[card] == 0][:16]
    for zone, cards in (
        (constants.HAND, [*fillers[:3], *unrest[:1]]),
        (constants.DISCARD_PILE, [*fillers[3:9], *unrest[1:]]),
    ):
        g.zone_size[0, zone] = len(cards)
        g.zone[0, zone, : len(cards)] = cards
    g.zone_size[:players, constants.HAND] = np.maximum(g.zone_size[:players, constants.HAND], 4)
    g.zone_size[:players, constants.NATION] = 5
    g.zone_size[constants.TABLE, constants.EXILE_PILE] = 0
    return g


@kernel
def prepare_cards(g: Record, t: Record, w: Record, prepared: Floats) -> None:
    """Appraise the programs of every card."""
    renew_passives(g, t, 0)
    for card in range(t.cards):
        prepare_card(g, t, w, prepared, card)


@kernel
def prepare_card(g: Record, t: Record, w: Record, prepared: Floats, card: int) -> None:
    """Appraise the programs of one card."""
    g.state[0] = constants.EMPIRE if t.state[card] == constants.EMPIRE else constants.BARBARIAN
    note_middle(g, t, w)
    at = int(t.program[card, constants.PLAY_PROGRAM])
    if at != 0 and t.unplayable[card] == 0:
        prepared[USE + card] = max(0.0, worth_of_code(g, t, 0, card, at, w))
    if t.free_play[card] != 0:
        prepared[USE + card] += 0.4
    prepared[LASTING + card] = min(MOST_A_ROUND, lasting_worth(g, t, card, w))
    if at != 0 and leaves_by_itself(t, at):
        prepared[ONCE + card] = 1.0


@kernel
def leaves_by_itself(t: Record, at: int) -> bool:
    """Tell whether an effect always removes its own card: puts it into history or exile, sinks it, or returns it."""
    while t.code[at, constants.OPERATION] != constants.END:
        operation = t.code[at, constants.OPERATION]
        if operation == constants.RETURN_SELF or (
            operation in (constants.TO_HISTORY, constants.EXILE_CARD, constants.SINK)
            and t.code[at, constants.A] == constants.SELF
        ):
            return True
        at = int(t.code[at, constants.NEXT])
    return False


@kernel
def note_middle(g: Record, t: Record, w: Record) -> None:
    """Cache in `g.notes` the values of a decision in the middle of a game."""
    for note in range(KEPT_NOTES, g.notes.shape[0]):
        g.notes[note] = math.nan
    look_ahead(g, t, 0, w)
    note_turns(g, t, 0, MIDDLE)
    for suit in range(SUITS_GAINED):
        g.notes[N_SLOT + suit] = MARKET_WORTH[suit]


@kernel
def lasting_worth(g: Record, t: Record, card: int, w: Record) -> float:
    """Return the worth of a card in play per round."""
    worth = float(t.hand_size[card]) * g.notes[N_DRAW]
    g.turn_seat = constants.NO_SEAT
    at = int(t.program[card, constants.SOLSTICE_PROGRAM])
    if at != 0:
        worth += worth_of_code(g, t, 0, card, at, w)
    g.turn_seat = 0
    at = int(t.program[card, constants.EXHAUST_PROGRAM])
    if at != 0:
        worth += 0.8 * max(0.0, worth_of_code(g, t, 0, card, at, w))
    at = int(t.program[card, constants.REACT_PROGRAM])
    if at != 0:
        worth += 0.35 * max(0.0, worth_of_code(g, t, 0, card, at, w))
    at = int(t.program[card, constants.WHEN_PROGRAM])
    if at != 0 and t.when[card] != constants.NEVER:
        worth += 0.25 * max(0.0, worth_of_code(g, t, 0, card, at, w))
    if t.shield[card] != 0 or t.exile_suits[card] != 0:
        worth += 0.15
    return worth + 0.1 * t.icons[card, 0] + 0.05 * (t.icons[card, 1] + t.icons[card, 2])


def prepare_suits(t: Record, prepared: Floats) -> None:
    """Compute means over the common cards of each suit: their worth, their points, and the share that cycles."""
    for suit in range(SUITS_GAINED):
        cards = [
            card
            for card in range(t.cards)
            if t.start[card] == constants.START_COMMONS and t.suits[card] & (1 << suit) != 0
        ]
        if not cards:  # changed data may leave a suit without common cards
            continue
        place = SUIT_USE + 3 * suit
        prepared[place] = np.mean([0.0 if t.pinned[card] else prepared[USE + card] for card in cards])
        prepared[place + 1] = np.mean([prepared[LASTING + card] if t.pinned[card] else 0.0 for card in cards])
        prepared[place + 2] = np.mean([points_of(t, card) for card in cards])
        once = [t.pinned[card] != 0 or prepared[ONCE + card] > 0.0 for card in cards]
        prepared[SUIT_CYCLE + suit] = 1.0 - np.mean(once)


def points_of(t: Record, card: int) -> float:
    """Return the points of a card in the deck; 3 for a card with variable points."""
    if t.points_kind[card] == constants.NO_POINTS:
        return 0.0
    return 3.0 if t.points_kind[card] == constants.VARIABLE_POINTS else float(t.points_at[card, constants.DISCARD_PILE])
