"""Invariants of Imperial Settlers, checked at every decision (see `sim.engine.invariants`)."""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.compiler.kernel import kernel
from sim.engine.invariants import cards_are_others, mark_of
from sim.engine.result_rows import END_REASON, RANK, ROUNDS, SCORE
from sim.games.imperial_settlers.rules.constants import (
    ACTION,
    COLOURS,
    COMMON,
    CONTROLLED,
    DECK,
    DISCARD,
    GIVE_UP,
    HAND,
    LOCATIONS,
    MARKERS,
    MAX_SEATS,
    PAY,
    SOLO,
    SOLO_LOST,
    SUPPLY,
    TABLE,
    TRADES,
    TRIGGERS,
    TUCKED,
    VIRTUAL,
    ZONES,
)
from sim.games.imperial_settlers.rules.tables import MAX_CARDS, MAX_OPTIONS, MAX_ZONE

LAWS = (
    "a card lies in one place",
    "no card is made or lost",
    "all common cards, the decks of those who play and, in the solo game, the attack cards are there, and no others",
    "goods, and what lies on locations, are never negative",
    "colours and features counted are those of the locations that work for a seat",
    "a location lies with its owner and works for it, or for one other seat that holds it",
    "no location is used more often than it may be, and only action locations are used, paid for or blocked",
    "a defence token lies on common locations, a samurai on faction locations of those who may place them",
    "under a Gate lie the cards tucked there",
    "each deal by Trade Route has its marker and a location of another",
    "hands, decks and discards hold cards of their own kind",
    "the virtual player has cards in the solo game only",
    "options name cards of the game, and seats or the table",
)


@kernel
def count_where_cards_lie(g: Any, where: Any) -> int:
    """Add to `where[card]` the number of places where each card lies, and return a checksum of all these cards.

    The checksum is the sum of their hashes (`mark_of`). CONTROLLED and TRADES do not count, because they only refer to
    cards in other zones. Return -1 if a zone has an impossible size.
    """
    total = 0
    for owner in range(TABLE + 1):
        for zone in range(ZONES):
            size = g.zone_size[owner, zone]
            if size < 0 or size > MAX_ZONE:
                return -1
            if zone in (CONTROLLED, TRADES):
                continue
            for place in range(size):
                card = int(g.zone[owner, zone, place])
                where[card] += 1
                total += mark_of(card)
    return int(total)


@kernel
def broken_places(g: Any, t: Any, where: Any) -> int:
    """Return the index of an invariant broken by the places of the cards; -1 if none is."""
    for card in range(t.cards):
        if where[card] > 1:
            return 0
        there = t.deck[card] == COMMON or (t.deck[card] == SOLO and g.solo != 0)
        for seat in range(g.players):
            there = there or t.deck[card] == g.faction[seat]
        if there != (where[card] == 1):
            return 2
    return -1


@kernel
def belongs(t: Any, card: int, faction: int) -> bool:
    """Tell whether a card is a common card or belongs to the deck of a faction."""
    return bool(t.deck[card] == COMMON or t.deck[card] == faction)


@kernel
def broken_piles(g: Any, t: Any) -> int:
    """Return the index of an invariant broken by hands, decks or discards; -1 if none is."""
    for zone in (DECK, DISCARD):
        for place in range(g.zone_size[TABLE, zone]):
            if t.deck[g.zone[TABLE, zone, place]] != COMMON:
                return 10
    for seat in range(g.players):
        for zone in (HAND, DECK, DISCARD):
            for place in range(g.zone_size[seat, zone]):
                card = g.zone[seat, zone, place]
                if not belongs(t, card, g.faction[seat]) or (zone != HAND and t.deck[card] == COMMON):
                    return 10
    for seat in range(g.players, MAX_SEATS):
        for zone in range(ZONES):
            if g.zone_size[seat, zone] != 0 and (g.solo == 0 or seat != VIRTUAL):
                return 11
    return -1


@kernel
def broken_supply(g: Any, seat: int) -> int:
    """Return the index of an invariant broken by the goods or points of a seat; -1 if none is."""
    for good in range(SUPPLY):
        if g.goods[seat, good] < 0:
            return 3
    return 3 if g.points[seat] < 0 else -1


@kernel
def is_in(g: Any, seat: int, zone: int, card: int) -> bool:
    """Tell whether a card is in a zone."""
    for place in range(g.zone_size[seat, zone]):
        if g.zone[seat, zone, place] == card:
            return True
    return False


@kernel
def broken_location(g: Any, t: Any, seat: int, card: int) -> int:
    """Return the index of an invariant broken by a location; -1 if none is."""
    holder = g.holder[card]
    if g.owner[card] != seat or (holder != seat and not is_in(g, holder, CONTROLLED, card)):
        return 5
    if g.paid[card].min() < 0 or g.banked[card].min() < 0 or g.gained[card] < 0 or g.tucked[card] < 0:
        return 3
    if g.used[card] < 0 or g.used[card] > t.uses[card] or g.blocked[card] < 0 or g.blocked[card] > 1:
        return 6
    if t.kind[card] != ACTION and (g.used[card] != 0 or g.blocked[card] != 0 or g.paid[card].max() > 0):
        return 6
    if g.used[card] == 0 and g.paid[card].max() > 0:
        return 6
    if g.defence[card] not in (0, 1) or g.samurai[card] not in (0, 1):
        return 7
    if g.defence[card] != 0 and t.deck[card] != COMMON:
        return 7
    if g.samurai[card] != 0 and (t.deck[card] == COMMON or seat >= g.players or t.samurai[g.faction[seat]] == 0):
        return 7
    return -1


@kernel
def broken_empire(g: Any, t: Any, seat: int) -> int:
    """Return the index of an invariant broken by an empire; -1 if none is."""
    colours = np.zeros(len(COLOURS), np.int64)
    features = np.zeros(len(TRIGGERS), np.int64)
    for zone in (LOCATIONS, CONTROLLED):
        for place in range(g.zone_size[seat, zone]):
            card = int(g.zone[seat, zone, place])
            law = broken_location(g, t, seat, card) if zone == LOCATIONS else -1
            if law >= 0:
                return law
            if zone == CONTROLLED and (g.holder[card] != seat or not is_in(g, g.owner[card], LOCATIONS, card)):
                return 5
            if g.holder[card] == seat:
                features[t.trigger[card]] += 1
                for colour in range(len(COLOURS)):
                    colours[colour] += (t.colours[card] >> colour) & 1
    for colour in range(len(COLOURS)):
        if colours[colour] != g.colours[seat, colour]:
            return 4
    for trigger in range(1, len(TRIGGERS)):
        if features[trigger] != g.features[seat, trigger]:
            return 4
    return -1


@kernel
def broken_things(g: Any, t: Any, seat: int) -> int:
    """Return the index of an invariant broken by cards under Gates or Trade Route deals; -1 if none is."""
    under = np.zeros(MAX_CARDS, np.int64)
    for place in range(g.zone_size[seat, TUCKED]):
        under[g.host[g.zone[seat, TUCKED, place]]] += 1
    for place in range(g.zone_size[seat, LOCATIONS]):
        card = g.zone[seat, LOCATIONS, place]
        if under[card] != g.tucked[card]:
            return 8
        under[card] = 0
    if under.sum() != 0:
        return 8
    if g.zone_size[seat, TRADES] != g.zone_size[seat, MARKERS]:
        return 9
    for place in range(g.zone_size[seat, TRADES]):
        card = g.zone[seat, TRADES, place]
        if g.owner[card] == seat or (t.trade_ends_with_location != 0 and not is_in(g, g.owner[card], LOCATIONS, card)):
            return 9
    return -1


@kernel
def broken_options(g: Any, t: Any) -> int:
    """Return the index of an invariant broken by the options of a decision; -1 if none is."""
    if g.option_count < 2 or g.option_count > MAX_OPTIONS:
        return 12
    for option in range(g.option_count):
        card = g.option_card[option]
        if card < -2 or card >= t.cards or g.option_seat[option] > TABLE:
            return 12
    return -1


@kernel
def broken_law(g: Any, t: Any, me: int, decision: int, notes: Any) -> int:
    """Return the index of the first invariant that is broken at a decision; -1 if none is.

    `notes` keeps the checksum of the cards at the first decision, from which it must not differ later.
    """
    where = np.zeros(MAX_CARDS, np.int64)
    total = count_where_cards_lie(g, where)
    # A card that is being built has left its zone but is not yet in the empire.
    if decision in (PAY, GIVE_UP) and total >= 0 and where[g.asked_card] == 0:
        where[g.asked_card] = 1
        total += mark_of(g.asked_card)
    if cards_are_others(total, notes):
        return 1
    law = broken_places(g, t, where)
    if law < 0:
        law = broken_piles(g, t)
    if law < 0:
        law = broken_options(g, t)
    for seat in range(MAX_SEATS):
        if law < 0 and (seat < g.players or (g.solo != 0 and seat == VIRTUAL)):
            law = broken_supply(g, seat)
            if law < 0:
                law = broken_empire(g, t, seat)
            if law < 0:
                law = broken_things(g, t, seat)
    return law


def laws_of_results(t: Any, rows: np.ndarray) -> dict[str, np.ndarray]:
    """Return for each invariant, in words, a bool array (games,): which finished games satisfy the invariant."""
    scores, ranks = rows[:, :, SCORE], rows[:, :, RANK]
    laws = {
        "a game has five rounds": (rows[:, :, ROUNDS] == 5).all(axis=1),
        "points are never negative": (scores >= 0).all(axis=1),
    }
    if rows.shape[1] == 1:
        return laws | {"the solo game is lost or has a title": rows[:, 0, END_REASON] >= SOLO_LOST}
    better = 1 + (scores[:, None, :] > scores[:, :, None]).sum(axis=2)
    as_much = (scores[:, None, :] >= scores[:, :, None]).sum(axis=2)
    return laws | {
        "a game ends after its last round": (rows[:, :, END_REASON] == 0).all(axis=1),
        "ranks follow points at least": ((ranks >= better) & (ranks <= as_much)).all(axis=1),
    }
