"""Set-up: empires, decks, the first player, starting hands (docs/rules-imperial-settlers.md: Set-up, Solo)."""

from __future__ import annotations

from sim.compiler.kernel import Integers, Record, kernel
from sim.engine.decide import Players
from sim.engine.rng import DEAL, below, shuffle
from sim.engine.seating import seat_after
from sim.engine.state import begin_game
from sim.engine.zones import put, take_top
from sim.games.imperial_settlers.rules import constants
from sim.games.imperial_settlers.rules.drawing import draw
from sim.games.imperial_settlers.rules.log import ATTACK_SHOWN, log_event
from sim.games.imperial_settlers.rules.moving import ALL_SEATS

PEACEFUL_VARIANTS, SOLO_VARIANT = 3, 6
"""The first number of the peaceful variants, and the number of the solo variant. Variants 0 to 2 are the three
lookouts, 3 to 5 the same lookouts in peaceful games."""


@kernel
def set_up(g: Record, t: Record, plan: Record) -> None:
    """Set up a new game, up to the drawing of the starting hands.

    All random numbers are from the deal stream. So all games of a block, which share one deal, have the same decks and
    empires. `plan.variant` stands for the solo game, or says which of the three lookouts is played and whether the game
    is peaceful. The factions in `plan.factions` must belong to at least as many empires as there are players.
    """
    players, variant = plan.players, plan.variant
    clear_table(g, players)
    g.solo = 1 if variant == SOLO_VARIANT else 0
    g.peaceful = 1 if PEACEFUL_VARIANTS <= variant < SOLO_VARIANT else 0
    g.lookout = 0 if g.solo != 0 else variant % PEACEFUL_VARIANTS
    deal_factions(g, t, plan.factions[: plan.faction_count], plan.factions_fixed)
    lay_deck(g, constants.TABLE, 0, int(t.commons))
    for seat in range(players):
        faction = g.faction[seat]
        lay_deck(g, seat, int(t.deck_first[faction]), int(t.deck_size[faction]))
    if g.solo != 0:
        lay_deck(g, constants.VIRTUAL, int(t.attack_first), int(t.attack_cards))
    g.first_seat = below(g, DEAL, players)


# ---- Clearing the table ----


@kernel
def clear_table(g: Record, players: int) -> None:
    """Clear the table. The first round begins with the drawing of the starting hands."""
    begin_game(g, players)
    g.rounds = 1
    g.phase = constants.SETUP
    g.turn_seat = constants.NO_SEAT
    g.host[:] = constants.NO_CARD
    g.asked_card = constants.NO_CARD


# ---- Empires and decks ----


@kernel
def deal_factions(g: Record, t: Record, factions: Integers, factions_fixed: int) -> None:
    """Give each seat a faction of a different empire: entry s of `factions` if `factions_fixed`, else a random one."""
    for seat in range(g.players):
        faction = int(factions[seat])
        if factions_fixed == 0:
            faction = int(factions[below(g, DEAL, factions.shape[0])])
            while empire_is_dealt(g, t, faction, seat):
                faction = int(factions[below(g, DEAL, factions.shape[0])])
        g.faction[seat] = faction
    if factions_fixed == 0 and has_empire_twice(t, factions):
        # An empire with several decks is more likely to be drawn for the first seats, for which all decks are still
        # available. So the factions are shuffled among the seats.
        shuffle(g, DEAL, g.faction, g.players)


@kernel
def has_empire_twice(t: Record, factions: Integers) -> bool:
    """Tell whether two of the factions are decks of the same empire."""
    for one in range(factions.shape[0]):
        for two in range(one):
            if t.empire[factions[one]] == t.empire[factions[two]]:
                return True
    return False


@kernel
def empire_is_dealt(g: Record, t: Record, faction: int, seats: int) -> bool:
    """Tell whether one of the first `seats` seats already plays this empire, with any deck."""
    for seat in range(seats):
        if t.empire[g.faction[seat]] == t.empire[faction]:
            return True
    return False


@kernel
def lay_deck(g: Record, owner: int, first: int, count: int) -> None:
    """Put `count` cards, from `first` on, into a deck and shuffle it."""
    for card in range(first, first + count):
        put(g, owner, constants.DECK, card)
    shuffle(g, DEAL, g.zone[owner, constants.DECK], count)


# ---- Starting hands ----


@kernel
def draw_starting_hands(g: Record, t: Record, players: Players) -> None:
    """Let every seat draw its starting hand, from the first player on. In a solo game, reveal the first attack card."""
    seat = int(g.first_seat)
    for _ in range(g.players):
        draw(g, t, players, seat, constants.COMMON_DECK, int(t.start_common))
        draw(g, t, players, seat, constants.FACTION_DECK, int(t.start_faction))
        seat = seat_after(g, seat)
    if g.solo != 0:
        reveal_attack(g)


@kernel
def reveal_attack(g: Record) -> int:
    """Reveal the next attack card as the newest in its row; return the card, or NO_CARD if there is none."""
    if g.zone_size[constants.VIRTUAL, constants.DECK] == 0:
        return constants.NO_CARD
    card = take_top(g, constants.VIRTUAL, constants.DECK)
    put(g, constants.VIRTUAL, constants.ROW, card)
    g.knows[card] = ALL_SEATS
    log_event(g, ATTACK_SHOWN, constants.VIRTUAL, card, 0, 0)
    return card
