"""Invariants of Imperium, checked at every decision (see `sim.engine.invariants`)."""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.compiler.kernel import kernel
from sim.engine.invariants import cards_are_others, mark_of
from sim.engine.result_rows import END_REASON, RANK, ROUNDS, SCORE
from sim.games.imperium.rules.constants import (
    COLLAPSE,
    GARRISON,
    HISTORY,
    JOURNEY,
    KING_OF_KINGS,
    NATION,
    NO_CARD,
    PLAY,
    POWER,
    ROUND_LIMIT,
    SLOTS,
    START_ACCESSION,
    SUNKEN,
    TABLE,
    TUCKS_UNREST,
    ZONES,
)
from sim.games.imperium.rules.tables import MAX_CARDS, MAX_OPTIONS, MAX_ZONE

LAWS = (
    "a card lies in one place",
    "no card is made or lost",
    "resources and tokens are never negative",
    "exhaust tokens are on the state card or on a card",
    "garrisoned cards lie under a card in play of their player",
    "tokens lie on cards in play only",
    "unrest lies under market cards of its suits only",
    "an empty slot of the market is empty",
    "the accession card stays at the bottom of the nation deck",
    "nations without history or sunken pile have none",
    "one face of a journey and one power card are in play",
    "options name cards of the game",
)


@kernel
def count_where_cards_lie(g: Any, t: Any, where: Any) -> int:
    """Add to `where`, shape (cards,), the number of places where each card lies; return a checksum of the cards.

    The checksum is the sum of their hashes (`mark_of`), without journeys, because these change faces in a game.
    Return -1 if a zone has an impossible size.
    """
    total = 0
    for owner in range(TABLE + 1):
        for zone in range(ZONES):
            size = g.zone_size[owner, zone]
            if size < 0 or size > MAX_ZONE or (size > 0 and owner < TABLE and owner >= g.players):
                return -1
            for place in range(size):
                card = int(g.zone[owner, zone, place])
                where[card] += 1
                if t.kind[card] != JOURNEY:
                    total += mark_of(card)
    for slot in range(SLOTS):
        if g.market[slot] != NO_CARD:
            where[g.market[slot]] += 1
            total += mark_of(g.market[slot])
        if g.market_unrest[slot] != NO_CARD:
            where[g.market_unrest[slot]] += 1
            total += mark_of(g.market_unrest[slot])
    return int(total)


@kernel
def broken_market(g: Any, t: Any) -> int:
    """Return the index of an invariant that the market breaks; -1 if it breaks none."""
    for slot in range(SLOTS):
        card = g.market[slot]
        tokens = g.market_tokens[slot].sum()
        if g.market_tokens[slot].min() < 0:
            return 2
        if card == NO_CARD and (tokens != 0 or g.market_unrest[slot] != NO_CARD):
            return 7
        if card != NO_CARD and g.market_unrest[slot] != NO_CARD and t.suits[card] & TUCKS_UNREST == 0:
            return 6
        bare = card != NO_CARD and g.market_unrest[slot] == NO_CARD and t.suits[card] & TUCKS_UNREST != 0
        if bare and g.collapsed == 0:
            return 6
    return -1


@kernel
def broken_seat(g: Any, t: Any, seat: int) -> int:
    """Return the index of an invariant that a seat breaks; -1 if it breaks none."""
    if g.resource[seat].min() < 0 or g.actions[seat] < 0 or g.exhausts[seat] < 0:
        return 2
    faction = g.faction[seat]
    spent = g.nation_exhausted[seat] + g.development_exhausted[seat]
    journeys = 0
    powers = 0
    for place in range(g.zone_size[seat, PLAY]):
        card = g.zone[seat, PLAY, place]
        spent += g.exhausted[card]
        journeys += int(t.kind[card] == JOURNEY)
        powers += int(t.kind[card] == POWER)
        if g.stored[card] < 0 or g.treated[card].min() < 0 or g.exhausted[card] not in (0, 1):
            return 2
    if g.exhausts[seat] + spent > t.faction_exhausts[faction]:
        return 3
    if powers != 1 or journeys > 1:
        return 10
    for place in range(g.zone_size[seat, GARRISON]):
        host = int(g.host[g.zone[seat, GARRISON, place]])
        found = False
        for other in range(g.zone_size[seat, PLAY]):
            found = found or g.zone[seat, PLAY, other] == host
        if not found:
            return 4
    if g.zone_size[seat, HISTORY] > 0 and t.faction_has_history[faction] == 0:
        return 9
    if g.zone_size[seat, SUNKEN] > 0 and t.faction_sinks[faction] == 0:
        return 9
    for place in range(1, g.zone_size[seat, NATION]):
        # Another nation's accession card may lie here: the seat may have received it as a gift and put it there.
        card = g.zone[seat, NATION, place]
        if t.start[card] == START_ACCESSION and t.nation[card] == t.faction_nation[faction]:
            return 8
    return -1


@kernel
def broken_cards(g: Any, t: Any, where: Any) -> int:
    """Return the index of an invariant that any card breaks by its place, tokens or host; -1 if none does.

    `where` has the number of places of each card.
    """
    lying = np.zeros(MAX_CARDS, np.int8)
    for seat in range(g.players):
        for place in range(g.zone_size[seat, PLAY]):
            lying[g.zone[seat, PLAY, place]] = 1
        for place in range(g.zone_size[seat, GARRISON]):
            lying[g.zone[seat, GARRISON, place]] = 2
    for card in range(t.cards):
        if where[card] > 1 or (where[card] > 0 and t.kind[card] == KING_OF_KINGS):
            return 0
        if lying[card] != 1 and (g.exhausted[card] != 0 or g.stored[card] != 0):
            return 5
        if lying[card] != 2 and g.host[card] != NO_CARD:
            return 4
    return -1


@kernel
def broken_law(g: Any, t: Any, me: int, decision: int, notes: Any) -> int:
    """Return the index of the first invariant that is broken at a decision; -1 if none is.

    `notes` keeps the checksum of the cards at the first decision, from which it must not differ later.
    """
    where = np.zeros(MAX_CARDS, np.int64)
    total = count_where_cards_lie(g, t, where)
    if cards_are_others(total, notes):
        return 1
    law = broken_cards(g, t, where)
    for seat in range(g.players):
        if law < 0:
            law = broken_seat(g, t, seat)
    if law < 0:
        law = broken_market(g, t)
    if law < 0 and (g.option_count < 2 or g.option_count > MAX_OPTIONS):
        law = 11
    return law


def laws_of_results(t: Any, rows: np.ndarray) -> dict[str, np.ndarray]:
    """Return for each invariant, in words, a bool array (games,): which finished games satisfy the invariant."""
    scores, ends = rows[:, :, SCORE], rows[:, 0, END_REASON]
    better = 1 + (scores[:, None, :] > scores[:, :, None]).sum(axis=2)
    return {
        "a game ends by a rule": (ends != ROUND_LIMIT) & (rows[:, :, ROUNDS] >= 1).all(axis=1),
        "ranks follow the points unless the game collapsed": (rows[:, :, RANK] == better).all(axis=1)
        | (ends == COLLAPSE),
    }
