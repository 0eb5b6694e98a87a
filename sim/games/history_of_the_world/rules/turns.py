"""Course of the game: epochs, and the turn of an empire (rulebook: A turn).

A game advances in steps, and its record holds its whole state. A step is a pair of choices in the draft or a part of a
turn: an action, one roll of a battle, the decision after a lost roll, or one of the steps after the conquests.
"""

from __future__ import annotations

from sim.compiler.kernel import Record, kernel, shared_kernel
from sim.engine.decide import Players, choose
from sim.engine.options import clear_options, offer
from sim.engine.state import begin_step
from sim.games.history_of_the_world.rules import constants
from sim.games.history_of_the_world.rules.battle import (
    begin_conquest,
    decide_after_loss,
    fight,
    fight_again,
    offer_to_fight_again,
)
from sim.games.history_of_the_world.rules.draft import begin_epoch, call_next, draft, select_classic
from sim.games.history_of_the_world.rules.effects import can_follow, follow_card, gain_armies, waits_to_be_used
from sim.games.history_of_the_world.rules.log import (
    ARMIES_HAD,
    CLEARED,
    ENDED_CONQUEST,
    EPOCH_ENDS,
    FOUNDED,
    INACTIVE,
    PLAYED_EPOCH,
    PLAYED_EVENT,
    USED_ABILITY,
    count_for,
    count_land,
    log_event,
)
from sim.games.history_of_the_world.rules.options import offer_land, offer_targets
from sim.games.history_of_the_world.rules.reaching import find_reach
from sim.games.history_of_the_world.rules.scoring import finish, score_turn
from sim.games.history_of_the_world.rules.state import list_standing
from sim.games.history_of_the_world.rules.structures import (
    build_fort,
    build_monuments,
    clear_structures,
    may_get_fort,
    place_capital,
)

WITH_ARMIES, WITH_TOKENS = 0, 1
"""Values of BUILD_FORT options: what the fort is paid with."""


@shared_kernel
def play_step(g: Record, t: Record, players: Players) -> None:
    """Play one step."""
    begin_step(g)
    if g.phase == constants.TURN:
        take_turn(g, t, players)
    elif g.phase == constants.DRAFT:
        draft(g, t, players)
    elif g.phase == constants.CALL:
        if call_next(g, t):
            begin_turn(g, t)
        else:
            end_epoch(g, t)
    elif g.phase == constants.TOKENS:
        begin_epoch(g, t)
    elif g.phase == constants.CLASSIC:
        select_classic(g, t, players)
    else:
        finish(g, t)


@kernel
def end_epoch(g: Record, t: Record) -> None:
    """End an epoch. After the last epoch the game is over."""
    for seat in range(g.players):
        g.score_after[seat, g.epoch] = g.points[seat]
    for land in range(t.lands):
        if g.army[land] != constants.NO_SEAT:
            count_land(g, land, constants.HELD, 1)
    log_event(g, EPOCH_ENDS, constants.NO_SEAT, constants.NO_LAND, constants.NO_CARD, 0, 0)
    g.rounds += 1
    if g.epoch + 1 < t.epochs:
        g.epoch += 1
        g.phase = constants.TOKENS
    else:
        g.phase = constants.END


# ---- A turn ----


@kernel
def begin_turn(g: Record, t: Record) -> None:
    """Begin the turn of the called empire, with no enhancements in force."""
    g.phase = constants.TURN
    g.step = constants.FOUND
    g.waiting = constants.NO_CARD
    g.armies = 0
    g.siege_tokens = 0
    g.aside[:] = 0
    g.disc_aside[:] = 0
    g.icons_needed[:] = t.icons_per_monument
    g.bonus[:] = 0
    g.rerolls[:] = 0
    g.in_force[:] = 0
    begin_card(g, t)


@kernel
def begin_card(g: Record, t: Record) -> None:
    """Clear what belonged to the previous card, before an empire or kingdom begins."""
    g.disc[:] = 0
    g.bonus[0] = 0
    g.rerolls[0] = 0
    g.in_force[0] = 0
    g.icons_needed[0] = t.icons_per_monument
    g.ability_used = 0
    g.battle = constants.NO_BATTLE
    g.won_in = constants.NO_LAND


@kernel
def take_turn(g: Record, t: Record, players: Players) -> None:
    """Play the next step of the turn of an empire."""
    seat = int(g.turn_seat)
    if g.battle == constants.TO_ROLL:
        fight(g, t, players)
    elif g.battle == constants.LOST_ROLL:
        decide_after_loss(g, t, players)
    elif g.step == constants.FOUND:
        decide_beginning(g, t, players, seat)
    elif g.step == constants.DONE:
        # Enhancements played after the conquests may have put armies on the empire or kingdom card.
        clear_away(g, t, seat)
        g.phase = constants.CALL
    else:
        act(g, t, players, seat)


@kernel
def is_playable(g: Record, t: Record, seat: int, card: int, kind: int) -> bool:
    """Tell whether a seat holds the event `card`, of kind `kind`, and may play it now.

    A kingdom can be played only in the epoch in which it was drafted, an enhancement also later.
    """
    if g.holds[card] != 1 + seat or t.kind[card] != kind:
        return False
    return bool(g.drafted[card] == g.epoch or kind == constants.ENHANCEMENT)


@kernel
def holds_events(g: Record, seat: int) -> bool:
    """Tell whether a seat holds any event. The loop has no early exit: comparing all entries at once is fast."""
    count = 0
    for card in range(g.holds.shape[0]):
        count += int(g.holds[card] == 1 + seat)
    return count != 0


@kernel
def offer_enhancements(g: Record, t: Record, seat: int) -> None:
    """Offer the enhancements that a seat may play now. There are none while it plays a kingdom."""
    if (
        g.waiting != constants.NO_CARD
        or (t.enhancements != 0 and g.step == constants.CONQUEST)
        or not holds_events(g, seat)
    ):
        return
    for card in range(t.empires, t.cards):
        if is_playable(g, t, seat, card, constants.ENHANCEMENT) and can_follow(g, t, seat, card):
            offer(g, constants.PLAY_EVENT, card, 0, seat)


@kernel
def decide_beginning(g: Record, t: Record, players: Players, seat: int) -> None:
    """Let a seat play a kingdom or an enhancement before it founds its empire."""
    clear_options(g)
    offer(g, constants.STOP, constants.NO_CARD, 0, seat)
    for card in range(t.empires, t.cards):
        if g.waiting == constants.NO_CARD and is_playable(g, t, seat, card, constants.KINGDOM):
            offer(g, constants.PLAY_EVENT, card, 0, seat)
    offer_enhancements(g, t, seat)
    card = int(g.option_card[choose(g, t, players, seat, constants.BEGIN)])
    if card == constants.NO_CARD:
        found(g, t, players, seat)
    elif t.kind[card] == constants.KINGDOM:
        play_kingdom(g, t, players, seat, card)
    else:
        play_enhancement(g, t, players, seat, card)


@kernel
def play_kingdom(g: Record, t: Record, players: Players, seat: int, card: int) -> None:
    """Reveal a kingdom and found it. The empire follows once the kingdom's armies are inactive."""
    log_event(g, PLAYED_EVENT, seat, constants.NO_LAND, card, 0, 0)
    count_for(g, seat, card, PLAYED_EPOCH, int(g.epoch) + 1)
    g.holds[card] = 0
    g.seen[card] = constants.ALL_SEATS
    g.waiting = g.card
    set_aside(g, t, seat)
    g.card = card
    found(g, t, players, seat)


@kernel
def set_aside(g: Record, t: Record, seat: int) -> None:
    """Set aside the armies, siege tokens and discs of the empire while its player plays a kingdom.

    They come from enhancements. The player's armies on the map become inactive.
    """
    g.aside[0], g.aside[1] = g.armies, g.siege_tokens
    g.armies, g.siege_tokens = 0, 0
    for body in range(t.bodies):
        g.disc_aside[body] = g.disc[body]
        g.disc[body] = 0
    for land in range(t.lands):
        if g.army[land] == seat:
            g.active[land] = 0


@kernel
def take_up_again(g: Record, t: Record, seat: int) -> None:
    """Give the empire the pieces that its enhancements brought before the kingdom was played.

    The armies that enhancements placed on the map become active again. For these armies, `g.placed_by` is the empire's
    card.
    """
    g.armies, g.siege_tokens = g.aside[0], g.aside[1]
    g.aside[:] = 0
    for body in range(t.bodies):
        g.disc[body] = g.disc_aside[body]
        g.disc_aside[body] = 0
    if g.card < t.empires:
        for land in range(t.lands):
            if g.army[land] == seat and g.placed_by[land] == g.card:
                g.active[land] = 1


@kernel
def play_enhancement(g: Record, t: Record, players: Players, seat: int, card: int) -> None:
    """Play an enhancement. The card leaves the game."""
    log_event(g, PLAYED_EVENT, seat, constants.NO_LAND, card, 0, 0)
    count_for(g, seat, card, PLAYED_EPOCH, int(g.epoch) + 1)
    g.holds[card] = 0
    g.seen[card] = constants.ALL_SEATS
    follow_card(g, t, players, seat, card, False)


# ---- Founding ----


@kernel
def found(g: Record, t: Record, players: Players, seat: int) -> None:
    """Found the empire or kingdom: put armies onto its card and into its start lands, place its capital and discs."""
    card = int(g.card)
    follow_card(g, t, players, seat, card, True)
    gain_armies(g, seat, int(t.armies[card]))
    count_for(g, seat, card, ARMIES_HAD, int(t.armies[card]))
    log_event(g, FOUNDED, seat, int(t.start[card, 0]), card, int(g.armies), int(g.siege_tokens))
    for entry in range(t.start.shape[1]):
        land = int(t.start[card, entry])
        if land == constants.NO_LAND:
            break
        found_in(g, t, seat, card, land)
    for entry in range(t.discs.shape[1]):
        if t.discs[card, entry] == constants.NOWHERE:
            break
        g.disc[t.discs[card, entry]] = 1
    g.step = constants.CONQUEST


@kernel
def found_in(g: Record, t: Record, seat: int, card: int, land: int) -> None:
    """Clear a start land without a battle. Place an army and the capital or city there."""
    if g.armies == 0:
        return
    owner = int(g.army[land])
    if owner != constants.NO_SEAT:
        g.supply[owner] += 1
        log_event(g, CLEARED, seat, land, card, owner, 0)
    clear_structures(g, land)
    g.armies -= 1
    g.army[land] = seat
    g.active[land] = 1
    g.placed_by[land] = card
    if t.capital[card] != 0:
        place_capital(g, land, t.capital[card] == 2)


# ---- Actions, and the steps after them ----


@kernel
def act(g: Record, t: Record, players: Players, seat: int) -> None:
    """Let a seat conquer, fight again, build a fort, play an enhancement, use its ability, or go to the next step."""
    clear_options(g)
    offer_land(g, constants.STOP, constants.NO_LAND, 0, seat)
    if g.step == constants.CONQUEST:
        list_conquests(g, t, seat)
        offer_to_fight_again(g, t, seat)
    if g.ability_used == 0 and waits_to_be_used(t, int(g.card), int(g.step)) and can_follow(g, t, seat, int(g.card)):
        offer(g, constants.USE_ABILITY, int(g.card), 0, seat)
    offer_enhancements(g, t, seat)
    option = choose(g, t, players, seat, constants.ACT)
    kind, land = int(g.option_kind[option]), int(g.option_land[option])
    if kind != constants.FIGHT_AGAIN:
        # An army that has won may fight again immediately or not at all.
        g.won_in = constants.NO_LAND
    if kind == constants.STOP:
        go_on(g, t, players, seat)
    elif kind == constants.CONQUER:
        begin_conquest(g, t, seat, land, choose_way(g, t, players, seat, land))
    elif kind == constants.FIGHT_AGAIN:
        fight_again(g, t, seat, land, int(g.option_value[option]))
    elif kind == constants.BUILD_FORT:
        pay_for_fort(g, t, seat, g.option_value[option] == WITH_TOKENS)
        build_fort(g, seat, land, constants.NO_CARD)
    elif kind == constants.PLAY_EVENT:
        play_enhancement(g, t, players, seat, int(g.option_card[option]))
    else:
        g.ability_used = 1
        log_event(g, USED_ABILITY, seat, constants.NO_LAND, int(g.card), 0, 0)
        follow_card(g, t, players, seat, int(g.card), False)


@kernel
def list_conquests(g: Record, t: Record, seat: int) -> None:
    """Offer the lands that can be conquered, and those where a fort can be built (for armies or siege tokens)."""
    if g.armies > 0:
        find_reach(g, t, seat)
        offer_targets(g, seat)
    with_armies = g.armies >= t.fort_price
    with_tokens = t.siege_tokens_build_forts != 0 and g.siege_tokens >= t.fort_price
    if not (with_armies or with_tokens):
        return
    if g.armies <= 0:
        list_standing(g, t, seat)
    for place in range(g.standing_count):
        land = int(g.standing[place])
        if may_get_fort(g, seat, land):
            if with_armies:
                offer_land(g, constants.BUILD_FORT, land, WITH_ARMIES, seat)
            if with_tokens:
                offer_land(g, constants.BUILD_FORT, land, WITH_TOKENS, seat)


@kernel
def pay_for_fort(g: Record, t: Record, seat: int, with_tokens: bool) -> None:
    """Pay for a fort with armies from the empire or kingdom card, or with siege tokens."""
    if with_tokens:
        g.siege_tokens -= t.fort_price
    else:
        g.armies -= t.fort_price
        g.supply[seat] += t.fort_price


@kernel
def choose_way(g: Record, t: Record, players: Players, seat: int, land: int) -> int:
    """Return the way of a conquest. The seat chooses it if several ways reach the land."""
    ways = int(g.reach[land])
    clear_options(g)
    for way in range(len(constants.WAYS)):
        if (ways >> way) & 1 != 0:
            offer_land(g, 0, land, way, seat)
    return int(g.option_value[choose(g, t, players, seat, constants.CHOOSE_WAY)])


@kernel
def go_on(g: Record, t: Record, players: Players, seat: int) -> None:
    """End the current step of the turn and begin the next one.

    After the conquests, return armies and build monuments. After that, make the armies inactive. At the end, score.
    """
    if g.step == constants.CONQUEST:
        return_armies(g, seat)
        build_monuments(g, t, players, seat)
        g.step = constants.INACTIVATE
    elif g.step == constants.INACTIVATE:
        inactivate(g, t, seat)
    else:
        score_turn(g, t, players, seat)
        g.step = constants.DONE


@kernel
def return_armies(g: Record, seat: int) -> None:
    """Put the armies left on the empire or kingdom card back in the supply."""
    log_event(g, ENDED_CONQUEST, seat, constants.NO_LAND, int(g.card), 0, int(g.armies))
    g.supply[seat] += g.armies
    g.armies = 0


@kernel
def inactivate(g: Record, t: Record, seat: int) -> None:
    """Make the armies inactive and remove fleets, caravans and siege tokens. After a kingdom, the empire comes next."""
    log_event(g, INACTIVE, seat, constants.NO_LAND, int(g.card), 0, 0)
    clear_away(g, t, seat)
    if g.waiting != constants.NO_CARD:
        g.card = g.waiting
        g.waiting = constants.NO_CARD
        g.step = constants.FOUND
        begin_card(g, t)
        take_up_again(g, t, seat)
    else:
        g.step = constants.SCORE


@kernel
def clear_away(g: Record, t: Record, seat: int) -> None:
    """Make a seat's armies on the map inactive, and clear its card.

    Armies on the card go back to the supply. Discs and siege tokens are removed.
    """
    for land in range(t.lands):
        if g.army[land] == seat:
            g.active[land] = 0
    g.supply[seat] += g.armies
    g.armies = 0
    g.siege_tokens = 0
    g.disc[:] = 0
