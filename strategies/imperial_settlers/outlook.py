"""The time left, the worth of goods until the end, and a look at all empires."""

from __future__ import annotations

import math

import numpy as np

from sim.compiler.kernel import Record, kernel
from sim.games.imperial_settlers.rules import constants
from sim.games.imperial_settlers.rules.moving import works_for
from sim.games.imperial_settlers.rules.tables import MAX_HINTS
from strategies.imperial_settlers.terms.bundles import goods_at_hand, number_of
from strategies.imperial_settlers.weights import (
    CARD_FIELDS,
    FEATURE_GOODS,
    FEATURE_OF,
    H_CARDS,
    H_COMMONS,
    H_FACTION_CARDS,
    H_RAZING,
    H_WOOD,
    LAST_NUMBER,
    N_COLOUR,
    N_COLOURED,
    N_COLOURS,
    N_COMMON,
    N_DEAL,
    N_DENIED,
    N_FACTION,
    N_GATES,
    N_HORIZON,
    N_INCOME,
    N_KEPT,
    N_LEADER,
    N_MORE,
    N_OF_COMMON,
    N_OF_FACTION,
    N_PAIR,
    N_PRICE,
    N_PRICES,
    N_RAZE,
    N_ROUNDS,
    N_SUPPLY,
    N_THREAT,
    P_COMMON_CARD,
    P_DENY,
    P_EARLY,
    P_FACTION_CARD,
    P_LAST_CARD,
    P_LEADER,
    P_PLENTY,
    P_THREAT,
    P_TRAILING,
    P_WOOD,
    SEEN,
    SEEN_COLOURED,
    SEEN_COLOURS,
    SEEN_FIELDS,
    SEEN_NUMBER,
    USUAL_PRODUCTION,
    WISHES,
)

DEFENCE_WORTH = 0.1
ENOUGH = 4.0
"""Up to this many resources of one kind per round, no resource counts as surplus."""
COLOUR_BITS = 8
"""Number of bits in which the number of an empire's locations of one colour is stored."""
RAZES_SEEN = 0.12
"""Chance that an opponent razes a location worth razing, for every 2 raze tokens of this opponent."""


@kernel
def wish(g: Record, seat: int, column: int, w: Record) -> float:
    """Return the factor by which an empire values a thing (`column`) more or less than other empires do."""
    return float(w.prepared[WISHES + MAX_HINTS * g.faction[seat] + column])


@kernel
def look_ahead(g: Record, t: Record, me: int, w: Record) -> None:
    """Cache, once per decision, the rounds left, the worth of goods, and what the seat's own features gain."""
    if not math.isnan(g.notes[N_ROUNDS]):
        return
    rounds = rounds_left(g)
    horizon = 0.0
    for left in range(rounds):
        horizon += 1.0 + w.weight[P_EARLY] * left / constants.ROUNDS
    g.notes[N_ROUNDS] = rounds
    g.notes[N_HORIZON] = horizon
    note_goods(g, t, me, w)
    note_cards(g, t, me, w)
    g.notes[N_SUPPLY] = goods_at_hand(g, me)
    note_features(g, t, me, w)
    note_prices(g, me)


@kernel
def rounds_left(g: Record) -> int:
    """Return the number of production phases still to come."""
    return constants.ROUNDS - max(1, int(g.rounds))


@kernel
def note_goods(g: Record, t: Record, me: int, w: Record) -> None:
    """Cache the worth of each good except cards."""
    note_income(g, t, me, w)
    for good in range(6):
        worth = w.weight[P_WOOD + good] * wish(g, me, H_WOOD + good, w)
        if good < constants.RESOURCES:
            held = float(g.goods[me, good]) if t.stores[g.faction[me], good] != 0 else 0.0
            surplus = max(0.0, g.notes[N_INCOME + good] + 0.7 * held - ENOUGH)
            worth /= 1.0 + w.weight[P_PLENTY] * surplus / ENOUGH
        g.notes[N_PRICE + good] = worth
    g.notes[N_PRICE + constants.DEFENCE] = DEFENCE_WORTH
    g.notes[N_PRICE + constants.VP] = 1.0


@kernel
def note_prices(g: Record, me: int) -> None:
    """Cache an identifier of the inputs of card worths, such as prices; it changes whenever an input does.

    A second identifier also changes with the numbers of locations of each colour in the empire.
    """
    seen = SEEN + SEEN_FIELDS * me
    same = g.notes[seen] == g.notes[N_HORIZON] and g.notes[seen + 1] == g.notes[N_MORE]
    for good in range(6):
        same = same and g.notes[seen + 2 + good] == g.notes[N_PRICE + good]
    if not same:
        last = g.notes[LAST_NUMBER]
        g.notes[LAST_NUMBER] = 1.0 if math.isnan(last) else last + 1.0
        g.notes[seen] = g.notes[N_HORIZON]
        g.notes[seen + 1] = g.notes[N_MORE]
        for good in range(6):
            g.notes[seen + 2 + good] = g.notes[N_PRICE + good]
        g.notes[seen + SEEN_NUMBER] = g.notes[LAST_NUMBER]
    g.notes[N_PRICES] = g.notes[seen + SEEN_NUMBER]
    whole = g.notes.view(np.int64)
    colours = 0
    for colour in range(len(constants.COLOURS)):
        colours |= int(g.colours[me, colour]) << (COLOUR_BITS * colour)
    if not same or whole[seen + SEEN_COLOURS] != colours:
        whole[seen + SEEN_COLOURS] = colours
        g.notes[LAST_NUMBER] += 1.0
        g.notes[seen + SEEN_COLOURED] = g.notes[LAST_NUMBER]
    g.notes[N_COLOURED] = g.notes[seen + SEEN_COLOURED]


@kernel
def note_income(g: Record, t: Record, me: int, w: Record) -> None:
    """Cache the resources per round that the seat gets from its board, deals and production locations."""
    board = t.board[g.faction[me]]
    wood, stone, food = int(board[constants.WOOD]), int(board[constants.STONE]), int(board[constants.FOOD])
    for place in range(g.zone_size[me, constants.DEALS]):
        good = t.deal_good[g.zone[me, constants.DEALS, place]]
        wood += int(good == constants.WOOD)
        stone += int(good == constants.STONE)
        food += int(good == constants.FOOD)
    for place in range(g.zone_size[me, constants.LOCATIONS]):
        card = int(g.zone[me, constants.LOCATIONS, place])
        bundle = int(w.prepared[CARD_FIELDS * card + USUAL_PRODUCTION])
        wood += number_of(bundle, constants.WOOD)
        stone += number_of(bundle, constants.STONE)
        food += number_of(bundle, constants.FOOD)
    g.notes[N_INCOME + constants.WOOD] = wood
    g.notes[N_INCOME + constants.STONE] = stone
    g.notes[N_INCOME + constants.FOOD] = food


@kernel
def note_cards(g: Record, t: Record, me: int, w: Record) -> None:
    """Cache the worth of drawing a card: lower near the end of the game, and lower with a full hand."""
    late = 1.0 if rounds_left(g) > 0 else w.weight[P_LAST_CARD]
    hand = float(g.zone_size[me, constants.HAND])
    late *= 9.0 / (9.0 + max(0.0, hand - 3.0))
    liking = wish(g, me, H_CARDS, w) * late
    g.notes[N_COMMON] = w.weight[P_COMMON_CARD] * liking * wish(g, me, H_COMMONS, w)
    g.notes[N_FACTION] = w.weight[P_FACTION_CARD] * liking * wish(g, me, H_FACTION_CARDS, w)
    # Faction cards require giving up locations, and common cards provide these locations.
    faction_cards, commons = hand_by_deck(g, t, me)
    if faction_cards > commons + g.zone_size[me, constants.FOUNDATIONS] + 1:
        g.notes[N_FACTION] *= 0.7
    elif commons > faction_cards + 2:
        g.notes[N_COMMON] *= 0.8
    if g.zone_size[me, constants.DECK] == 0:
        g.notes[N_FACTION] = 0.0
    best = max(g.notes[N_COMMON], g.notes[N_FACTION])
    g.notes[N_PRICE + constants.CARD] = best
    g.notes[N_PAIR] = best


@kernel
def hand_by_deck(g: Record, t: Record, me: int) -> tuple[int, int]:
    """Return the numbers of faction cards and common cards in the hand."""
    own = 0
    for place in range(g.zone_size[me, constants.HAND]):
        own += int(t.deck[g.zone[me, constants.HAND, place]] >= 0)
    return own, int(g.zone_size[me, constants.HAND]) - own


@kernel
def note_features(g: Record, t: Record, me: int, w: Record) -> None:
    """Cache what the seat's own features gain: for building, razing, deals and points.

    Also cache which goods that cleanup keeps, and the number of Gates.
    """
    g.notes[N_COLOURS] = 0.0
    for note in range(N_COLOUR, N_MORE + 1):
        g.notes[note] = 0.0
    kept = 0
    for good in range(6):
        kept |= int(t.stores[g.faction[me], good] != 0) << good
    gates = 0
    for zone in (constants.LOCATIONS, constants.CONTROLLED):
        for place in range(g.zone_size[me, zone]):
            card = int(g.zone[me, zone, place])
            trigger = t.trigger[card]
            if trigger == constants.NO_TRIGGER or not works_for(g, card, me):
                continue
            if trigger == constants.ON_BUILD:
                note_build_feature(g, t, card, w)
            elif trigger == constants.ON_RAZE:
                g.notes[N_RAZE] += worth_of_gain(g, t, card, w)
            elif trigger == constants.ON_DEAL:
                g.notes[N_DEAL] += worth_of_gain(g, t, card, w)
            elif trigger == constants.ON_POINTS:
                g.notes[N_MORE] += 1.0
            elif trigger == constants.STORES:
                kept |= int(t.feature_goods[card])
            elif trigger == constants.TUCKS:
                gates += 1
    g.notes[N_KEPT] = kept
    g.notes[N_GATES] = gates


@kernel
def note_build_feature(g: Record, t: Record, card: int, w: Record) -> None:
    """Add what a feature gains each time to the notes of those colours and decks whose cards trigger it when built."""
    worth = worth_of_gain(g, t, card, w)
    g.notes[N_COLOURS] = int(g.notes[N_COLOURS]) | int(t.feature_colours[card])
    for colour in range(len(constants.COLOURS)):
        if (t.feature_colours[card] >> colour) & 1 != 0:
            g.notes[N_COLOUR + colour] += worth
    if t.feature_decks[card] & constants.OF_COMMON != 0:
        g.notes[N_OF_COMMON] += worth
    if t.feature_decks[card] & constants.OF_FACTION != 0:
        g.notes[N_OF_FACTION] += worth


@kernel
def worth_of_gain(g: Record, t: Record, card: int, w: Record) -> float:
    """Return the worth of a feature's gain each time that it is triggered."""
    packed = int(w.prepared[CARD_FIELDS * card + FEATURE_OF])
    if packed < 0:
        return plain_worth(g, t, int(t.program[card, constants.FEATURES]))
    return float(g.notes[N_PRICE + packed % FEATURE_GOODS] * (packed // FEATURE_GOODS))


@kernel
def plain_worth(g: Record, t: Record, at: int) -> float:
    """Return the worth of a feature's program: the goods that it gains, plus the best branch if it offers a choice."""
    if at == constants.NO_PROGRAM:
        return 0.0
    worth = 0.0
    best = 0.0
    chooses = False
    for _ in range(24):
        operation = int(t.code[at, constants.OPERATION])
        if operation == constants.OP_END:
            break
        if operation in (constants.OP_CHOOSE, constants.OP_MAY):
            chooses = True
            at += 1
            continue
        if operation == constants.OP_BRANCH:
            first = at + 1
            best = max(best, simple_worth(g, t, first))
            at = int(t.code[at, constants.NEXT])
            continue
        if chooses:
            break
        worth += simple_worth(g, t, at)
        at = int(t.code[at, constants.NEXT])
    return worth + best


@kernel
def simple_worth(g: Record, t: Record, at: int) -> float:
    """Return the worth of an operation that gains or swaps goods or draws cards; 0 for others."""
    operation = int(t.code[at, constants.OPERATION])
    first = int(t.code[at, constants.A])
    if operation == constants.GAIN:
        return float(g.notes[N_PRICE + first] * t.code[at, constants.B])
    if operation == constants.DRAW_CARDS:
        return float(g.notes[N_PRICE + constants.CARD] * t.code[at, constants.B])
    if operation == constants.SWAP:
        gained = g.notes[N_PRICE + int(t.code[at, constants.C])] * t.code[at, constants.D]
        return float(max(0.0, gained - g.notes[N_PRICE + first] * t.code[at, constants.B]))
    return 0.0


@kernel
def strength(g: Record, seat: int) -> float:
    """Return how strong a seat appears: its points, locations, deals and future goods."""
    locations = float(g.zone_size[seat, constants.LOCATIONS])
    rounds = max(0.0, constants.ROUNDS - float(g.rounds))
    return float(g.points[seat]) + locations * (1.3 + 0.5 * rounds) + g.zone_size[seat, constants.DEALS] * 0.7 * rounds


@kernel
def strongest_opponent(g: Record, me: int, w: Record) -> int:
    """Return the seat of the strongest opponent, computed once per decision."""
    if math.isnan(g.notes[N_LEADER]):
        note_opponents(g, me, w)
    return int(g.notes[N_LEADER])


@kernel
def share_denied(g: Record, me: int, seat: int, w: Record) -> float:
    """Return the share of another seat's loss that counts as this seat's gain, computed once per decision."""
    if math.isnan(g.notes[N_LEADER]):
        note_opponents(g, me, w)
    return float(g.notes[N_DENIED + seat])


@kernel
def note_shares_denied(g: Record, me: int, leader: int, w: Record) -> None:
    """Cache the share of each seat's loss that counts as a gain for this seat: lower with more opponents.

    The share is higher for the leading opponent, and lower for opponents that trail the leading one.
    """
    others = max(1.0, g.players - 1.0)
    for seat in range(constants.MAX_SEATS):
        share = w.weight[P_DENY] / others
        if others > 1.0:
            if seat == leader:
                share *= 1.0 + w.weight[P_LEADER]
            else:
                share *= max(0.0, 1.0 - w.weight[P_TRAILING] * (strength(g, leader) - strength(g, seat)))
        g.notes[N_DENIED + seat] = share * wish(g, me, H_RAZING, w)


@kernel
def note_opponents(g: Record, me: int, w: Record) -> None:
    """Cache the strongest opponent, the worth of harm to each seat, and the chance that a location is razed."""
    leader = constants.NO_SEAT
    most = -1.0
    spared = 1.0
    if g.solo != 0:
        leader = constants.VIRTUAL
    for seat in range(g.players):
        if seat == me:
            continue
        strong = strength(g, seat)
        if strong > most:
            most = strong
            leader = seat
        if g.passed[seat] == 0 and g.peaceful == 0:
            pairs = g.goods[seat, constants.RAZE] // 2
            spared *= 1.0 - min(0.9, RAZES_SEEN * pairs * w.weight[P_THREAT])
    g.notes[N_LEADER] = leader
    note_shares_denied(g, me, leader, w)
    g.notes[N_THREAT] = 1.0 - spared
