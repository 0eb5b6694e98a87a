"""Lookout phase: players draw cards, and pick cards from a row or a pack (docs/rules-imperial-settlers.md: Lookout).

`g.lookout_step` is 0 until the phase has begun. Then it is 1 plus the number of picks made. In the solo game the random
card for the virtual player also counts as a pick.
"""

from __future__ import annotations

from sim.compiler.kernel import Record, kernel
from sim.engine.decide import Players, choose
from sim.engine.options import clear_options, offer
from sim.engine.rng import CHANCE, below
from sim.engine.seating import seat_after
from sim.engine.zones import put, take_at, take_out
from sim.games.imperial_settlers.rules import constants
from sim.games.imperial_settlers.rules.drawing import draw, draw_from, reveal
from sim.games.imperial_settlers.rules.log import (
    LEFT_OVER,
    OFFERED,
    PHASE_BEGINS,
    ROUND_BEGINS,
    ROW_SHOWS,
    TO_VIRTUAL,
    TOOK,
    log_event,
    note_again,
)
from sim.games.imperial_settlers.rules.moving import ALL_SEATS, discard, enter_empire, to_hand
from sim.games.imperial_settlers.rules.production import begin_production
from sim.games.imperial_settlers.rules.setup import draw_starting_hands

PACK_CARDS = 3
"""Number of cards dealt to each player in the alternative lookout."""
ADVANCED_ROW = 5
"""Number of cards revealed at the start of the advanced lookout."""
SOLO_ROW = 4
"""Number of cards revealed in the lookout of the solo game."""
SOLO_TURNS = 3
"""Number of picks in a solo lookout: one by the player, one at random, one by the player."""
BY_CHANCE = 2
"""Value of `lookout_step` when the next pick is the random card for the virtual player."""


@kernel
def begin_round(g: Record, t: Record) -> None:
    """Begin a round. No seat has passed, and the lookout phase is next."""
    g.phase = constants.LOOKOUT
    g.lookout_step = 0
    g.turn_seat = constants.NO_SEAT
    g.passed[:] = 0
    log_event(g, ROUND_BEGINS, int(g.first_seat), constants.NO_CARD, 0, 0)


@kernel
def lookout_step(g: Record, t: Record, players: Players) -> None:
    """Play one step: draw the starting hands, begin the lookout phase, or let one card be picked."""
    if g.phase == constants.SETUP:
        draw_starting_hands(g, t, players)
        begin_round(g, t)
    elif g.lookout_step == 0:
        begin_lookout(g, t, players)
    elif is_due_by_chance(g):
        give_by_chance(g, t)
    else:
        pick(g, t, players)


@kernel
def begin_lookout(g: Record, t: Record, players: Players) -> None:
    """Let every seat draw, then reveal the first row or deal the packs."""
    log_event(g, PHASE_BEGINS, constants.NO_SEAT, constants.NO_CARD, constants.LOOKOUT, 0)
    seat = int(g.first_seat)
    for _ in range(g.players):
        draw(g, t, players, seat, constants.FACTION_DECK, 1)
        if g.peaceful != 0:
            draw(g, t, players, seat, constants.COMMON_DECK, 1)
        seat = seat_after(g, seat)
    if g.solo != 0:
        reveal_row(g, t, SOLO_ROW)
    elif g.lookout == constants.STANDARD:
        reveal_row(g, t, g.players + 1)
    elif g.lookout == constants.ADVANCED:
        reveal_row(g, t, ADVANCED_ROW)
    else:
        deal_packs(g, t)
    g.lookout_step = 1
    set_picker(g)


# ---- The row and the packs ----


@kernel
def reveal_row(g: Record, t: Record, count: int) -> None:
    """Reveal common cards into the row: `count` cards, or fewer if no more are left."""
    for _ in range(count):
        card = reveal(g, t)
        if card != constants.NO_CARD:
            put(g, constants.TABLE, constants.ROW, card)
            g.knows[card] = ALL_SEATS


@kernel
def discard_row(g: Record, t: Record) -> None:
    """Discard the cards in the row that no player took."""
    while g.zone_size[constants.TABLE, constants.ROW] > 0:
        card = take_at(g, constants.TABLE, constants.ROW, 0)
        log_event(g, LEFT_OVER, constants.NO_SEAT, card, 0, 0)
        discard(g, t, card)


@kernel
def deal_packs(g: Record, t: Record) -> None:
    """Deal a pack of common cards to every seat, starting with the first player."""
    seat = int(g.first_seat)
    for _ in range(g.players):
        for _ in range(PACK_CARDS):
            card = draw_from(g, t, seat, constants.COMMON_DECK)
            if card != constants.NO_CARD:
                put(g, seat, constants.PACK, card)
                g.knows[card] = 1 << seat
                g.knows_deck[card] = 0
                g.came[card] = g.clock
        seat = seat_after(g, seat)


@kernel
def pass_packs(g: Record) -> None:
    """Pass the remaining cards of every pack to the left neighbour. The former holders know where these cards are."""
    most = 0
    for seat in range(g.players):
        most = max(most, int(g.zone_size[seat, constants.PACK]))
    # Rotate the packs position by position: first the first card of each pack, then the second, and so on. `held`
    # keeps the one card that would be overwritten.
    last = g.players - 1
    for place in range(most):
        held = g.zone[last, constants.PACK, place]
        for seat in range(last, 0, -1):
            g.zone[seat, constants.PACK, place] = g.zone[seat - 1, constants.PACK, place]
        g.zone[0, constants.PACK, place] = held
    held_size = g.zone_size[last, constants.PACK]
    for seat in range(last, 0, -1):
        g.zone_size[seat, constants.PACK] = g.zone_size[seat - 1, constants.PACK]
    g.zone_size[0, constants.PACK] = held_size
    for seat in range(g.players):
        for place in range(g.zone_size[seat, constants.PACK]):
            g.knows[g.zone[seat, constants.PACK, place]] |= 1 << seat


@kernel
def discard_packs(g: Record, t: Record) -> None:
    """Discard the remaining cards of every pack."""
    for seat in range(g.players):
        while g.zone_size[seat, constants.PACK] > 0:
            card = take_at(g, seat, constants.PACK, 0)
            log_event(g, LEFT_OVER, seat, card, 0, 0)
            discard(g, t, card)


# ---- Whose pick it is ----


@kernel
def picks_of_lookout(g: Record) -> int:
    """Return the number of picks in a lookout phase: two per seat, three in the solo game."""
    return SOLO_TURNS if g.solo != 0 else 2 * int(g.players)


@kernel
def is_due_by_chance(g: Record) -> bool:
    """Tell whether the next pick of a solo lookout is the random card for the virtual player."""
    return bool(g.solo != 0 and g.lookout_step == BY_CHANCE)


@kernel
def picker_of(g: Record, number: int) -> int:
    """Return the seat that makes pick `number`, counted from 0.

    Picks go round clockwise twice or, in the standard lookout, clockwise and then back.
    """
    place = number % g.players
    if g.lookout == constants.STANDARD and number >= g.players:
        place = g.players - 1 - place
    return int((g.first_seat + place) % g.players)


@kernel
def set_picker(g: Record) -> None:
    """Give the turn to the seat that picks next, or to no seat if the next pick is random."""
    g.turn_seat = constants.NO_SEAT if is_due_by_chance(g) else picker_of(g, int(g.lookout_step) - 1)


# ---- Picks ----


@kernel
def pick(g: Record, t: Record, players: Players) -> None:
    """Let the seat whose turn it is take a card, if there is one to take."""
    seat = int(g.turn_seat)
    owner, zone = constants.TABLE, constants.ROW
    if g.lookout == constants.ALTERNATIVE and g.solo == 0:
        owner, zone = seat, constants.PACK
    if g.zone_size[owner, zone] == 0:
        end_pick(g, t)
        return
    clear_options(g)
    g.asked_card = constants.NO_CARD
    for place in range(g.zone_size[owner, zone]):
        card = int(g.zone[owner, zone, place])
        log_event(g, ROW_SHOWS, seat, card, 0, 0)
        note_again(g, seat, card, OFFERED)
        offer(g, 0, card, place, owner)
    option = choose(g, t, players, seat, constants.TAKE)
    take(g, t, seat, owner, zone, int(g.option_card[option]))


@kernel
def take(g: Record, t: Record, seat: int, owner: int, zone: int, card: int) -> None:
    """Take a card from the row or the seat's pack into the hand, then move on to the next pick."""
    take_out(g, owner, zone, card)
    log_event(g, TOOK, seat, card, 0, 0)
    to_hand(g, seat, card, int(g.knows[card]))
    end_pick(g, t)


@kernel
def end_pick(g: Record, t: Record) -> None:
    """Count a pick, then reveal, pass and discard cards by the rules. After the last pick, end the phase."""
    made = int(g.lookout_step)
    g.lookout_step = made + 1
    if made == picks_of_lookout(g):
        end_lookout(g, t)
        return
    if g.solo == 0:
        if g.lookout == constants.ADVANCED:
            if reveals_after(int(g.players), made):
                reveal_row(g, t, 1)
        elif made == g.players and g.lookout == constants.STANDARD:
            discard_row(g, t)
            reveal_row(g, t, g.players + 1)
        elif made == g.players:
            pass_packs(g)
    set_picker(g)


@kernel
def reveals_after(players: int, made: int) -> bool:
    """Tell whether a card is revealed after `made` picks in the advanced lookout.

    With two players no card is revealed. With more players, one card is revealed before every pick of the first pass
    except the first two, and before every pick of the second pass except the first and the last.
    """
    if players == 2:
        return False
    return 2 <= made < players or players + 1 <= made < 2 * players - 1


@kernel
def end_lookout(g: Record, t: Record) -> None:
    """Discard the remaining cards, or give them to the virtual player, then begin the production phase."""
    if g.solo != 0:
        while g.zone_size[constants.TABLE, constants.ROW] > 0:
            give_to_virtual(g, t, int(g.zone[constants.TABLE, constants.ROW, 0]))
    discard_row(g, t)
    discard_packs(g, t)
    g.phase = constants.PRODUCE
    g.turn_seat = g.first_seat
    log_event(g, PHASE_BEGINS, constants.NO_SEAT, constants.NO_CARD, constants.PRODUCE, 0)
    begin_production(g, t, int(g.first_seat))


# ---- Solo ----


@kernel
def give_by_chance(g: Record, t: Record) -> None:
    """Give the virtual player a random card from the row. This counts as a pick."""
    size = int(g.zone_size[constants.TABLE, constants.ROW])
    if size > 0:
        give_to_virtual(g, t, int(g.zone[constants.TABLE, constants.ROW, below(g, CHANCE, size)]))
    end_pick(g, t)


@kernel
def give_to_virtual(g: Record, t: Record, card: int) -> None:
    """Give a card from the row to the virtual player as a location."""
    take_out(g, constants.TABLE, constants.ROW, card)
    log_event(g, TO_VIRTUAL, constants.VIRTUAL, card, 0, 0)
    enter_empire(g, t, constants.VIRTUAL, card)
