"""Set-up: boards, characters, tiles, decks and missions (rulebook: Setup)."""

from __future__ import annotations

from sim.compiler.kernel import Integers, Record, kernel
from sim.engine.decide import Players, choose
from sim.engine.options import clear_options, offer
from sim.engine.rng import DEAL, below, shuffle
from sim.engine.state import begin_game
from sim.games.glory_of_rome.rules import constants
from sim.games.glory_of_rome.rules.glory import is_reached, reach_milestone
from sim.games.glory_of_rome.rules.hands import hold_mission
from sim.games.glory_of_rome.rules.log import MISSION_KEPT, MISSION_UNDER, log_event


@kernel
def set_up(g: Record, t: Record, plan: Record) -> None:
    """Set up a new game, up to the choice of missions.

    All random numbers are from the deal stream, so all games of a block have the same cards, characters and starting
    player.
    """
    clear_table(g, t, plan.players, variant_bits(plan.variant))
    deal_characters(g, t, plan.factions[: plan.faction_count], plan.factions_fixed)
    lay_decks(g, t)
    deal_missions(g, t)
    g.starting_player = below(g, DEAL, g.players)
    g.turn_seat = g.starting_player
    g.phase = constants.SET_UP


@kernel
def variant_bits(variant: int) -> int:
    """Return the variant with this index as bits, one for each rule that it adds."""
    return constants.VARIANT_BITS[variant]


@kernel
def clear_table(g: Record, t: Record, players: int, variant: int) -> None:
    """Set up everything on the table except characters and cards."""
    begin_game(g, players)
    g.variant = variant
    g.small = int(players <= 2)
    g.phase = constants.EVENT_PHASE
    g.direction = constants.CLOCKWISE
    g.arrows = 1
    g.event = constants.NO_CARD
    seat_at_places(g)
    lay_boards(g, t)
    clear_players(g, t)
    clear_cards(g)
    clear_turn(g)


@kernel
def seat_at_places(g: Record) -> None:
    """Seat the players around the board. Two players sit opposite each other."""
    g.seat_at[:] = constants.NO_SEAT
    for seat in range(g.players):
        place = 2 * seat if g.players == 2 else seat
        g.place[seat] = place
        g.seat_at[place] = seat
    for place in range(g.board.shape[0]):
        g.board[place] = place


@kernel
def lay_boards(g: Record, t: Record) -> None:
    """Lay out tiles, medals, common Pantheon pieces and milestones, and empty the senate."""
    for kind in range(g.tiles.shape[0]):
        for level in range(constants.LEVELS):
            g.tiles[kind, level] = t.tiles[g.small, kind, level]
    g.medal[:] = constants.OUT_OF_THE_GAME if g.variant & constants.HEROES != 0 else constants.NO_SEAT
    for level in range(2):
        for metal in range(4):
            g.common[level, metal] = t.pantheon_common[g.players, level, metal]
    g.senate[:] = constants.NO_SEAT
    for milestone in range(g.marker.shape[0]):
        g.marker[milestone] = t.milestones[milestone]


@kernel
def clear_players(g: Record, t: Record) -> None:
    """Set the starting values that all characters share: followers, intrigue tokens and the limit of sets."""
    g.followers[:] = 1
    g.followers_left[:] = 1
    g.intrigue_left[:] = t.intrigue_tokens
    g.set_limit[:] = t.set_limit


@kernel
def clear_cards(g: Record) -> None:
    """Empty all hands of trade cards and missions, and clear the record of who took cards unseen."""
    g.hand[:] = constants.NO_CARD
    g.fresh[:] = constants.NEVER
    g.missions[:] = constants.NO_CARD
    g.taker[:] = constants.NO_SEAT


@kernel
def clear_turn(g: Record) -> None:
    """Clear the turn, so that no action is pending."""
    g.stage = constants.TURN_BEGINS
    g.act_kind = constants.PASS
    g.window_when = constants.NEVER


# ---- Characters ----


@kernel
def deal_characters(g: Record, t: Record, factions: Integers, fixed: int) -> None:
    """Give each seat a different one of the characters `factions`: in their order if `fixed`, otherwise at random."""
    for seat in range(g.players):
        character = int(factions[seat])
        if fixed == 0:
            character = int(factions[below(g, DEAL, factions.shape[0])])
            while is_dealt(g, character, seat):
                character = int(factions[below(g, DEAL, factions.shape[0])])
        take_character(g, t, seat, character)


@kernel
def is_dealt(g: Record, character: int, seats: int) -> bool:
    """Tell whether one of the first `seats` seats already has this character."""
    for seat in range(seats):
        if g.faction[seat] == character:
            return True
    return False


@kernel
def take_character(g: Record, t: Record, seat: int, character: int) -> None:
    """Give a seat its character's starting position. A seat that starts on a milestone has reached it."""
    g.faction[seat] = character
    g.glory[seat] = t.glory[character]
    g.denarii[seat] = t.denarii[character]
    g.board_legions[seat] = t.legions[character]
    g.board_votes[seat] = t.votes[character]
    g.discord[seat] = t.discord[character]
    g.anchor[seat] = t.anchor[character]
    g.own_intrigue[seat] = t.own_intrigue[character]
    g.track_length[seat] = t.track_length[character]
    for space in range(g.track.shape[1]):
        g.track[seat, space] = t.track[character, space]
    for milestone in range(g.marker.shape[0]):
        if is_reached(g, seat, milestone, 0):
            reach_milestone(g, t, milestone, 1 << seat)
    g.followers_left[seat] = g.followers[seat]


# ---- Decks ----


@kernel
def is_in_game(g: Record, t: Record, card: int) -> bool:
    """Tell whether a card is used with this number of players and in this variant."""
    kind = t.kind[card]
    if kind == constants.EVENT:
        return bool(t.negative[card] == 0 or g.variant & constants.HARD_TIMES != 0)
    if t.removed_in[card] & g.variant != 0:
        return False
    keeps_stars = kind == constants.TRADE and t.star_trade_cards != 0
    return bool(g.small == 0 or t.star[card] == 0 or keeps_stars)


@kernel
def lay_decks(g: Record, t: Record) -> None:
    """Shuffle trade cards, missions and events into their decks."""
    g.trade_size = lay_deck(g, t, g.trade_deck, constants.TRADE)
    g.mission_size = lay_deck(g, t, g.mission_deck, constants.MISSION)
    g.event_size = lay_deck(g, t, g.event_deck, constants.EVENT)


@kernel
def lay_deck(g: Record, t: Record, deck: Integers, kind: int) -> int:
    """Shuffle the cards of a kind into a deck. Return their number."""
    size = 0
    for card in range(t.cards):
        if t.kind[card] == kind and is_in_game(g, t, card):
            for _ in range(t.copies[card]):
                deck[size] = card
                size += 1
    shuffle(g, DEAL, deck, size)
    return size


# ---- Missions ----


@kernel
def deal_missions(g: Record, t: Record) -> None:
    """Deal missions to every player."""
    for seat in range(g.players):
        for _ in range(t.missions_dealt):
            if g.mission_size > 0:
                g.mission_size -= 1
                hold_mission(g, seat, int(g.mission_deck[g.mission_size]))


@kernel
def decide_missions(g: Record, t: Record, players: Players) -> bool:
    """Let the next player with too many missions put one under the deck. Return True if all have chosen already."""
    for seat in range(g.players):
        if g.mission_count[seat] > t.missions_kept:
            clear_options(g)
            for place in range(g.mission_count[seat]):
                offer(g, constants.PUT_UNDER, int(g.missions[seat, place]), place, seat)
            put_under(g, seat, int(g.option_value[choose(g, t, players, seat, constants.ASK_MISSIONS)]))
            return False
    for seat in range(g.players):
        for place in range(g.mission_count[seat]):
            log_event(g, MISSION_KEPT, seat, 0, int(g.missions[seat, place]), 0, 0)
    return True


@kernel
def put_under(g: Record, seat: int, place: int) -> None:
    """Put a mission of a seat under the deck. The seat knows where this card lies."""
    card = int(g.missions[seat, place])
    g.mission_count[seat] -= 1
    for other in range(place, g.mission_count[seat]):
        g.missions[seat, other] = g.missions[seat, other + 1]
    g.missions[seat, g.mission_count[seat]] = constants.NO_CARD
    for other in range(g.mission_size, 0, -1):
        g.mission_deck[other] = g.mission_deck[other - 1]
    g.mission_deck[0] = card
    g.mission_size += 1
    for other in range(g.known.shape[1]):
        for owner in range(g.players):
            g.known[owner, other] += int(g.known[owner, other] > 0)
    g.known[seat, card] = 1
    log_event(g, MISSION_UNDER, seat, 0, card, 0, 0)
