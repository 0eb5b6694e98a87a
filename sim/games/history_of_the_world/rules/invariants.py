"""Invariants of History of the World, checked at every decision (see `sim.engine.invariants`)."""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.compiler.kernel import kernel
from sim.engine.result_rows import END_REASON, RANK, ROUNDS, SCORE
from sim.games.history_of_the_world.rules.constants import (
    CAPITAL_CITY,
    CLASSIC,
    DRAFT,
    EMPIRE,
    FORT,
    LANDING,
    MAX_SEATS,
    MONUMENT,
    NO_BATTLE,
    NO_CARD,
    NO_LAND,
    NO_SEAT,
    SCORE_PARTS,
    TURN,
)
from sim.games.history_of_the_world.rules.scoring import space_of
from sim.games.history_of_the_world.rules.state import MAX_OPTIONS
from sim.games.history_of_the_world.rules.tables import MAX_BODIES, MAX_CARDS, MAX_LANDS, STACK

LAWS = (
    "all armies of a player are in the supply, on the map, on the card, on the catapult or attacking",
    "capitals and cities, monuments and forts are in the supply or on the map",
    "a land holds one capital or city, one monument and one fort at most, and armies of players",
    "a card lies in one place",
    "stacks hold cards of their epoch and kind, one for each player who has not chosen yet",
    "every player has drafted one empire and one event as empires are called",
    "no two markers stand on one space, but for one that is to land",
    "the points of a player are the sum of what they come from",
    "active armies and discs are those of the player whose turn it is",
    "an army came with a card, an empty land with none",
    "the bonus of a siege is that of the catapult's space",
    "a region has the token that was placed there last",
    "an event in a hand was drafted in this epoch or an earlier one",
    "options name cards, lands and seats of the game",
)


# ---- The map ----


@kernel
def broken_armies(g: Any, t: Any, seat: int) -> int:
    """Return the index of an invariant broken by a seat's armies and points; -1 if none is."""
    armies = int(g.supply[seat])
    for land in range(t.lands):
        armies += int(g.army[land] == seat)
    if g.phase == TURN and g.turn_seat == seat:
        armies += g.armies + g.aside[0] + g.besieging + int(g.battle != NO_BATTLE)
    if armies != t.army_limit or g.supply[seat] < 0 or g.armies < 0:
        return 0
    points = 0
    for part in range(len(SCORE_PARTS)):
        points += g.part[seat, part]
    return 7 if points != g.points[seat] else -1


@kernel
def broken_lands(g: Any, t: Any) -> int:
    """Return the index of an invariant broken by lands and the pieces in them; -1 if none is."""
    left = g.pieces.copy()
    for land in range(MAX_LANDS):
        buildings = g.capital[land] + g.city[land]
        if min(g.capital[land], g.city[land]) < 0 or buildings > 1:
            return 2
        if g.monument[land] not in (0, 1) or g.fort[land] not in (0, 1):
            return 2
        there = buildings + g.monument[land] + g.fort[land] > 0 or g.army[land] != NO_SEAT
        if (there and land >= t.lands) or g.army[land] >= g.players:
            return 2
        left[CAPITAL_CITY] += buildings
        left[MONUMENT] += g.monument[land]
        left[FORT] += g.fort[land]
        if g.active[land] != 0 and (g.phase != TURN or g.army[land] != g.turn_seat):
            return 8
        if (g.placed_by[land] == NO_CARD) != (g.army[land] == NO_SEAT):
            return 9
    for piece in range(g.pieces.shape[0]):
        if left[piece] != t.supply[piece] or g.pieces[piece] < 0:
            return 1
    return -1


@kernel
def broken_turn(g: Any, t: Any) -> int:
    """Return the index of an invariant broken by the discs, the catapult or the tokens; -1 if none is."""
    for body in range(MAX_BODIES):
        if g.disc[body] not in (0, 1) or (g.disc[body] != 0 and (g.phase != TURN or body >= t.bodies)):
            return 8
        if g.disc_aside[body] != 0 and (g.disc_aside[body] != 1 or g.waiting == NO_CARD or body >= t.bodies):
            return 8
    if g.battle != NO_BATTLE and (g.siege > t.siege_steps or g.besieging > g.siege):
        return 10
    if g.battle == NO_BATTLE and g.besieging != 0:
        return 10
    for region in range(t.regions):
        value = 0
        for epoch in range(g.epoch + 1):
            if t.presence[epoch, region] > 0:
                value = t.presence[epoch, region]
        if g.token[region] != value:
            return 11
    return -1


@kernel
def broken_markers(g: Any, t: Any, me: int, landing: bool) -> int:
    """Return the index of an invariant broken by the score markers; -1 if none is."""
    for seat in range(g.players):
        for other in range(seat):
            together = space_of(t, int(g.points[seat])) == space_of(t, int(g.points[other]))
            if together and not (landing and me in (seat, other)):
                return 6
    return -1


# ---- Cards ----


@kernel
def count_stack(t: Any, stack: Any, epoch: int, empires: bool, where: Any) -> int:
    """Return the number of cards in a stack; -1 if a card is misplaced. Add 1 to `where[card]` for each card."""
    count = 0
    ended = False
    for place in range(STACK):
        card = int(stack[place])
        if card == NO_CARD:
            ended = True
            continue
        if ended or t.epoch[card] != epoch or (t.kind[card] == EMPIRE) != empires:
            return -1
        where[card] += 1
        count += 1
    return count


@kernel
def broken_stacks(g: Any, t: Any, where: Any) -> int:
    """Return the index of an invariant broken by the stacks; -1 if none is."""
    for epoch in range(t.epochs):
        events = count_stack(t, g.event_stack[epoch], epoch, False, where)
        empires = count_stack(t, g.empire_stack[epoch], epoch, True, where)
        of_events, of_empires = g.players, g.players
        if epoch < g.epoch or (epoch == g.epoch and g.phase not in (DRAFT, CLASSIC)):
            of_events, of_empires = 0, 0
        elif epoch == g.epoch:
            of_events, of_empires = g.event_left, g.empire_left
        # In the classic selection, the card that the player is about to give away has already left its stack.
        drawn = of_events + of_empires - events - empires
        if events < 0 or empires < 0 or drawn != int(epoch == g.epoch and g.phase == CLASSIC):
            return 4
    return -1


@kernel
def broken_hands(g: Any, t: Any, where: Any) -> int:
    """Return the index of an invariant broken by players' cards; -1 if none is.

    `where[card]` is the number of stacks that hold a card. Add 1 to it for each hand that holds the card.
    """
    for seat in range(MAX_SEATS):
        if g.phase == TURN and seat < g.players:
            empire, event = g.empire[seat], g.event[seat]
            if empire == NO_CARD or t.kind[empire] != EMPIRE or t.epoch[empire] != g.epoch:
                return 5
            if event == NO_CARD or t.kind[event] == EMPIRE or t.epoch[event] != g.epoch:
                return 5
        if seat >= g.players and (g.empire[seat] != NO_CARD or g.event[seat] != NO_CARD):
            return 5
        if g.empire[seat] != NO_CARD:
            where[g.empire[seat]] += 1
    for card in range(t.cards):
        if g.holds[card] != 0:
            where[card] += 1
            if g.holds[card] > g.players or t.kind[card] == EMPIRE or g.drafted[card] != t.epoch[card]:
                return 12
            if g.drafted[card] > g.epoch or (g.drafted[card] == g.epoch and g.event[g.holds[card] - 1] != card):
                return 12
        if where[card] > 1:
            return 3
    return -1


@kernel
def broken_options(g: Any, t: Any) -> int:
    """Return the index of an invariant broken by the options of a decision; -1 if none is."""
    if g.option_count < 2 or g.option_count > MAX_OPTIONS:
        return 13
    for option in range(g.option_count):
        card, land = g.option_card[option], g.option_land[option]
        if card < NO_CARD or card >= t.cards or land < NO_LAND or land >= t.lands:
            return 13
        if g.option_seat[option] < 0 or g.option_seat[option] >= g.players:
            return 13
    return -1


@kernel
def broken_law(g: Any, t: Any, me: int, decision: int, notes: Any) -> int:
    """Return the index of the first invariant that is broken at a decision; -1 if none is."""
    where = np.zeros(MAX_CARDS, np.int64)
    law = -1
    for seat in range(g.players):
        if law < 0:
            law = broken_armies(g, t, seat)
    if law < 0:
        law = broken_lands(g, t)
    if law < 0:
        law = broken_turn(g, t)
    if law < 0:
        law = broken_markers(g, t, me, decision == LANDING)
    if law < 0:
        law = broken_stacks(g, t, where)
    if law < 0:
        law = broken_hands(g, t, where)
    return law if law >= 0 else broken_options(g, t)


def laws_of_results(t: Any, rows: np.ndarray) -> dict[str, np.ndarray]:
    """Return, for each invariant of finished games, its description and which of the games satisfy it."""
    scores = rows[:, :, SCORE]
    better = 1 + (scores[:, None, :] > scores[:, :, None]).sum(axis=2)
    return {
        "every epoch is played": (rows[:, :, ROUNDS] == t.epochs).all(axis=1) & (rows[:, 0, END_REASON] == 0),
        "ranks follow points, and no two players have as many": (rows[:, :, RANK] == better).all(axis=1)
        & (np.sort(better, axis=1) == 1 + np.arange(rows.shape[1])).all(axis=1),
    }
