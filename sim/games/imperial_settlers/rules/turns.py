"""Course of the game: phases, and the turns of the action phase (rulebook: Action phase).

A game advances in steps, and its record holds its whole state. A step executes one operation of an effect. If no effect
is pending, it plays a part of a phase, such as the next action of a turn.
"""

from __future__ import annotations

from sim.compiler.kernel import Record, kernel, shared_kernel
from sim.engine.decide import Players, choose
from sim.engine.options import clear_options, offer
from sim.engine.seating import seat_after
from sim.engine.state import begin_step
from sim.games.imperial_settlers.rules import constants
from sim.games.imperial_settlers.rules.activating import activate, can_activate
from sim.games.imperial_settlers.rules.building import build_from_hand, can_build
from sim.games.imperial_settlers.rules.cleanup import clean_up
from sim.games.imperial_settlers.rules.dealing import can_deal, deal_from_hand, may_be_dealt
from sim.games.imperial_settlers.rules.effects.resolve import resolve_next
from sim.games.imperial_settlers.rules.exchanging import exchange_more, exchange_pair, has_pair, list_exchanges
from sim.games.imperial_settlers.rules.free_steps import list_free_steps, take_free_step
from sim.games.imperial_settlers.rules.log import HOLDS, PASSED, PHASE_BEGINS, STANDS, TURN_BEGINS, log_event, log_good
from sim.games.imperial_settlers.rules.lookout import lookout_step
from sim.games.imperial_settlers.rules.production import begin_production, produce_next
from sim.games.imperial_settlers.rules.razing import (
    may_be_razed_from_hand,
    raze_from_hand,
    raze_location,
    tokens_needed,
)
from sim.games.imperial_settlers.rules.scoring import finish, note_round
from sim.games.imperial_settlers.rules.solo import attack
from sim.games.imperial_settlers.rules.targets import is_open_to, may_be_razed


@shared_kernel
def play_step(g: Record, t: Record, players: Players) -> None:
    """Play one step: execute one operation of the pending effects or, if there are none, play a part of the phase.

    This is the only place where effects are resolved.
    """
    begin_step(g)
    if g.depth > 0:
        resolve_next(g, t, players)
    elif g.phase == constants.ACT:
        take_turn(g, t, players)
    elif g.phase == constants.PRODUCE:
        if g.source_count > 0:
            produce_next(g, t, players)
        else:
            end_production(g, t)
    elif g.phase <= constants.LOOKOUT:
        lookout_step(g, t, players)
    elif g.phase == constants.CLEANUP:
        clean_up(g, t)
    elif g.phase == constants.ATTACK:
        attack(g, t, players)
    else:
        finish(g, t)


@kernel
def end_production(g: Record, t: Record) -> None:
    """Move on to the next seat in the production phase, or to the action phase."""
    note_supply(g, int(g.turn_seat))
    g.turn_seat = seat_after(g, g.turn_seat)
    if g.turn_seat != g.first_seat:
        begin_production(g, t, g.turn_seat)
    else:
        begin_actions(g)


@kernel
def begin_actions(g: Record) -> None:
    """Begin the action phase with the first player."""
    g.phase = constants.ACT
    g.passed[:] = 0
    g.acted = 0
    g.free_step = 0
    g.exchanging = 0
    log_event(g, PHASE_BEGINS, constants.NO_SEAT, constants.NO_CARD, constants.ACT, 0)
    for seat in range(g.players):
        for place in range(g.zone_size[seat, constants.HAND]):
            log_event(g, HOLDS, seat, int(g.zone[seat, constants.HAND, place]), 0, 0)
    log_event(g, TURN_BEGINS, int(g.turn_seat), constants.NO_CARD, 0, 0)


@kernel
def note_supply(g: Record, seat: int) -> None:
    """Log the supply of a seat."""
    for good in range(constants.SUPPLY):
        log_good(g, STANDS, seat, constants.NO_CARD, good, int(g.goods[seat, good]))


# ---- A turn ----


@kernel
def take_turn(g: Record, t: Record, players: Players) -> None:
    """Continue a seat's turn with a free step, its action, an exchange of more workers, or the end of the turn."""
    seat = int(g.turn_seat)
    if g.exchanging != 0:
        exchange_more(g, t, players, seat)
    elif g.acted != 0:
        end_turn(g, t)
    else:
        list_turn(g, t, seat)
        option = choose(g, t, players, seat, constants.TURN)
        carry_out(
            g, t, players, seat, int(g.option_kind[option]), int(g.option_card[option]), int(g.option_value[option])
        )


@kernel
def list_turn(g: Record, t: Record, seat: int) -> None:
    """List what a seat can do in its turn."""
    clear_options(g)
    if g.actions[seat, g.rounds - 1] < t.action_limit:
        list_actions(g, t, seat)
        list_free_steps(g, t, seat)
    if g.option_count == 0 or g.free_step == 0 or t.free_step_before_pass != 0:
        offer(g, constants.PASS, constants.NO_CARD, 0, seat)


@kernel
def list_actions(g: Record, t: Record, seat: int) -> None:
    """List the actions of a seat, in the order of the rulebook."""
    hand = g.zone[seat, constants.HAND]
    size = g.zone_size[seat, constants.HAND]
    for place in range(size):
        if can_build(g, t, seat, int(hand[place])):
            offer(g, constants.BUILD, int(hand[place]), 0, seat)
    if can_deal(g, t, seat):
        for place in range(size):
            if may_be_dealt(t, int(hand[place])):
                offer(g, constants.DEAL, int(hand[place]), 0, seat)
    list_razes(g, t, seat)
    for zone in (constants.LOCATIONS, constants.CONTROLLED):
        for place in range(g.zone_size[seat, zone]):
            list_uses(g, t, seat, int(g.zone[seat, zone, place]))
    if has_pair(g, t, seat):
        list_exchanges(g, t, seat)


@kernel
def list_uses(g: Record, t: Record, seat: int, card: int) -> None:
    """List how many times a seat can use a location in one action."""
    for times in range(1, t.uses[card] + 1):
        if not can_activate(g, t, seat, card, times):
            return
        offer(g, constants.ACTIVATE, card, times, seat)


@kernel
def list_razes(g: Record, t: Record, seat: int) -> None:
    """List what a seat can raze by the raze action: hand cards, and opponents' locations."""
    tokens = g.goods[seat, constants.RAZE]
    if tokens >= t.raze_cost_hand:
        for place in range(g.zone_size[seat, constants.HAND]):
            card = int(g.zone[seat, constants.HAND, place])
            if may_be_razed_from_hand(g, t, seat, card):
                offer(g, constants.RAZE_HAND, card, 0, seat)
    if g.peaceful != 0 or tokens < t.raze_cost_location:
        return
    for other in range(constants.MAX_SEATS):
        if is_open_to(g, seat, other):
            for place in range(g.zone_size[other, constants.LOCATIONS]):
                card = int(g.zone[other, constants.LOCATIONS, place])
                if may_be_razed(t, card) and tokens_needed(g, t, card) <= tokens:
                    offer(g, constants.RAZE_LOCATION, card, 0, other)


@kernel
def carry_out(g: Record, t: Record, players: Players, seat: int, kind: int, card: int, value: int) -> None:
    """Carry out the option that a seat has chosen in its turn."""
    if kind >= constants.DEFEND:
        take_free_step(g, t, seat, kind, card, value)
        return
    g.acted = 1
    if kind == constants.PASS:
        g.passed[seat] = 1
        log_event(g, PASSED, seat, constants.NO_CARD, 0, 0)
        return
    g.actions[seat, g.rounds - 1] += 1
    if kind == constants.BUILD:
        build_from_hand(g, t, players, seat, card, 0)
    elif kind == constants.DEAL:
        deal_from_hand(g, t, players, seat, card)
    elif kind == constants.RAZE_HAND:
        raze_from_hand(g, t, players, seat, card, int(t.raze_cost_hand), 0)
    elif kind == constants.RAZE_LOCATION:
        raze_location(g, t, players, seat, card, tokens_needed(g, t, card), 0)
    elif kind == constants.ACTIVATE:
        activate(g, t, players, seat, card, value)
    else:
        exchange_pair(g, t, seat, value)


@kernel
def end_turn(g: Record, t: Record) -> None:
    """Move on to the next seat that has not passed. Once all have passed, end the action phase."""
    g.acted = 0
    g.free_step = 0
    for _ in range(g.players):
        g.turn_seat = seat_after(g, g.turn_seat)
        if g.passed[g.turn_seat] == 0:
            log_event(g, TURN_BEGINS, int(g.turn_seat), constants.NO_CARD, 0, 0)
            return
    end_actions(g, t)


@kernel
def end_actions(g: Record, t: Record) -> None:
    """End the action phase. The last round has no cleanup."""
    for seat in range(g.players):
        note_supply(g, seat)
    note_round(g, t)
    g.turn_seat = constants.NO_SEAT
    if g.rounds < constants.ROUNDS:
        g.phase = constants.CLEANUP
    elif g.solo != 0 and t.attack_in_last_round != 0:
        g.phase = constants.ATTACK
    else:
        g.phase = constants.END
