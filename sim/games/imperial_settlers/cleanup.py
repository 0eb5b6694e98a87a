"""Cleanup: what is stored and what is discarded, and the next round (rules digest, 8)."""

from __future__ import annotations

from sim.games.imperial_settlers import words
from sim.games.imperial_settlers.log import GAVE_BACK, LOST, PHASE_BEGINS, STORED, note, note_good
from sim.games.imperial_settlers.lookout import begin_round
from sim.games.imperial_settlers.moving import give_back, works_for
from sim.games.imperial_settlers.state import seat_after
from sim.jit import Record, kernel


@kernel
def clean_up(g: Record, t: Record) -> None:
    """Store and discard, then begin the next round; in the solo game the attack comes first."""
    note(g, PHASE_BEGINS, words.NO_SEAT, words.NO_CARD, words.CLEANUP, 0)
    for seat in range(g.players):
        store(g, t, seat)
    for seat in range(words.MAX_SEATS):
        clear_locations(g, t, seat)
    g.passed[:] = 0
    if g.solo != 0:
        g.turn_seat = words.NO_SEAT
        g.phase = words.ATTACK
    else:
        next_round(g, t)


@kernel
def next_round(g: Record, t: Record) -> None:
    """Move the round marker forward and the token of the first player to the left, and begin the round."""
    g.rounds += 1
    g.first_seat = seat_after(g, int(g.first_seat))
    begin_round(g, t)


@kernel
def store(g: Record, t: Record, seat: int) -> None:
    """Let a seat keep the goods that its empire or one of its locations stores, and discard all others."""
    kept = stored_goods(g, t, seat)
    for good in range(words.SUPPLY):
        if (kept >> good) & 1 != 0:
            note_good(g, STORED, seat, words.NO_CARD, good, int(g.goods[seat, good]))
        else:
            note_good(g, LOST, seat, words.NO_CARD, good, int(g.goods[seat, good]))
            g.goods[seat, good] = 0


@kernel
def stored_goods(g: Record, t: Record, seat: int) -> int:
    """Goods that a seat keeps in cleanup, as bits."""
    kept = 0
    for good in range(words.SUPPLY):
        if t.stores[g.faction[seat], good] != 0:
            kept |= 1 << good
    if g.features[seat, words.STORES] == 0:
        return kept
    for zone in (words.LOCATIONS, words.CONTROLLED):
        for place in range(g.zone_size[seat, zone]):
            card = int(g.zone[seat, zone, place])
            if works_for(g, card, seat) and t.trigger[card] == words.STORES:
                kept |= int(t.feature_goods[card])
    return kept


@kernel
def clear_locations(g: Record, t: Record, seat: int) -> None:
    """Discard the goods and the defence token on the locations of a seat; each can be used anew, by its owner again.

    Samurai, cards under a Gate and resources on a Shrine stay.
    """
    for place in range(g.zone_size[seat, words.LOCATIONS]):
        card = int(g.zone[seat, words.LOCATIONS, place])
        g.used[card] = 0
        g.blocked[card] = 0
        g.defence[card] = 0
        g.gained[card] = 0
        g.paid[card, :] = 0
        if g.holder[card] != seat:
            note(g, GAVE_BACK, int(g.holder[card]), card, seat, 0)
            give_back(g, t, card)
