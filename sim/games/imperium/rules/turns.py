"""Course of the game: turns (activate, innovate, revolt, clean-up), rounds, the solstice and the end.

A game advances in steps, and its record holds its whole state. A step executes one operation of an effect. If no effect
is pending, it plays one phase or a part of a phase, such as the next action of a turn.
"""

from __future__ import annotations

from sim.compiler.kernel import Record, kernel, shared_kernel
from sim.engine.decide import Players, choose
from sim.engine.effect_stack import push
from sim.engine.options import offer
from sim.engine.seating import seat_after
from sim.engine.state import begin_step
from sim.engine.zones import place_in
from sim.games.imperium.rules import constants
from sim.games.imperium.rules.choices import ask_card, offer_from
from sim.games.imperium.rules.drawing import draw
from sim.games.imperium.rules.effects.hand import choose_amount
from sim.games.imperium.rules.effects.resolve import resolve_next
from sim.games.imperium.rules.log import (
    CLEANS_UP,
    COLLAPSED,
    INNOVATED,
    OFFERED,
    REVOLTED,
    ROUND_ENDS,
    SOLSTICE_EFFECT,
    TURN_BEGINS,
    log_event,
    log_hand,
    log_market,
    log_standing,
)
from sim.games.imperium.rules.market import break_through, list_break_through, place_on_market
from sim.games.imperium.rules.moving import move, return_unrest
from sim.games.imperium.rules.plays import can_play, can_use, is_free_play, play_card, use_ability
from sim.games.imperium.rules.scoring import score_game
from sim.games.imperium.rules.stack import may_do, renew_passives


@shared_kernel
def play_step(g: Record, t: Record, players: Players) -> None:
    """Play one step: execute one operation of a pending effect or, if no effect is pending, play the next phase.

    This is the only place where effects are resolved.
    """
    begin_step(g)
    # Effects of optional discards wait until the player has finished discarding.
    if g.depth > 0 and g.collapsed == 0 and g.phase != constants.DISCARDING:
        resolve_next(g, t, players)
    elif g.collapsed != 0 and g.phase != constants.BEFORE_SCORING:
        stop_at_collapse(g)
    elif g.phase == constants.START_TURN:
        start_turn(g, t, players)
    elif g.phase == constants.ACTIVATE:
        activate(g, t, players)
    elif g.phase == constants.CLEANING_UP:
        clean_up(g, t, players)
    elif g.phase == constants.DISCARDING:
        discard_at_will(g, t, players)
    elif g.phase == constants.FILL_HAND:
        fill_hand(g, t, players)
    elif g.phase == constants.START_SOLSTICE:
        start_solstice(g, t)
    elif g.phase == constants.SOLSTICE:
        resolve_solstice(g, t, players)
    elif g.phase == constants.END_ROUND:
        end_round(g, t)
    else:
        prepare_scoring(g, t)


@kernel
def start_turn(g: Record, t: Record, players: Players) -> None:
    """Start a turn: let the seat innovate, revolt, end the turn, or take the first action of an activate turn."""
    seat = int(g.turn_seat)
    if seat == g.first_seat:
        log_market(g)
    log_event(g, TURN_BEGINS, seat, constants.NO_CARD, 0, int(g.exhausts[seat]))
    log_hand(g, seat)
    if g.log.keeps_pieces != 0:
        note_offers(g, seat)
    g.steps = 0
    g.phase = constants.CLEANING_UP
    action = choose_action(g, t, players, seat, True)
    if action == constants.INNOVATE:
        innovate(g, t, players, seat)
    elif action == constants.REVOLT:
        revolt(g, t, players, seat)
    elif action != constants.END_TURN:
        g.phase = constants.ACTIVATE


@kernel
def activate(g: Record, t: Record, players: Players) -> None:
    """Let the player of an activate turn choose its next action or end the turn. `t.turn_limit` limits a turn."""
    seat = int(g.turn_seat)
    g.steps += 1
    # The rules allow endless turns: cards can draw each other and return their exhaust tokens.
    if g.steps >= t.turn_limit:
        g.turns_cut[seat] += 1
        g.phase = constants.CLEANING_UP
    elif choose_action(g, t, players, seat, False) == constants.END_TURN:
        g.phase = constants.CLEANING_UP


@kernel
def note_offers(g: Record, seat: int) -> None:
    """Add 1 to the number of times that a seat was offered each card of its hand and of the market."""
    for place in range(g.zone_size[seat, constants.HAND]):
        g.log.pieces[seat, g.zone[seat, constants.HAND, place], OFFERED] += 1
    for slot in range(constants.SLOTS):
        if g.market[slot] != constants.NO_CARD:
            g.log.pieces[seat, g.market[slot], OFFERED] += 1


@kernel
def list_actions(g: Record, t: Record, seat: int, first: bool) -> None:
    """List what a seat can do next. At the start of its turn (`first`), it can also innovate or revolt."""
    g.option_count = 0
    offer(g, constants.END_TURN, constants.NO_CARD, constants.HAND, seat)
    has_unrest = False
    for place in range(g.zone_size[seat, constants.HAND]):
        card = int(g.zone[seat, constants.HAND, place])
        is_unrest = t.suits[card] & constants.UNREST != 0
        known = is_unrest and has_unrest
        has_unrest = has_unrest or is_unrest
        if not known and (g.actions[seat] > 0 or is_free_play(g, t, seat, card)) and can_play(g, t, seat, card):
            offer(g, constants.PLAY_CARD, card, constants.HAND, seat)
    if g.exhausts[seat] > 0:
        for place in range(g.zone_size[seat, constants.PLAY]):
            card = int(g.zone[seat, constants.PLAY, place])
            if can_use(g, t, seat, card):
                offer(g, constants.EXHAUST_CARD, card, constants.HAND, seat)
    if first:
        offer(g, constants.INNOVATE, constants.NO_CARD, constants.HAND, seat)
        if has_unrest:
            offer(g, constants.REVOLT, constants.NO_CARD, constants.HAND, seat)


@kernel
def choose_action(g: Record, t: Record, players: Players, seat: int, first: bool) -> int:
    """Let a seat choose its next action and begin that action; return the kind of action."""
    # Reactions may lower costs. Players can use reactions from the first action of an activate turn on.
    g.activating = 1
    list_actions(g, t, seat, first)
    option = choose(g, t, players, seat, constants.TURN)
    action = int(g.option_kind[option])
    card = int(g.option_card[option])
    if action == constants.PLAY_CARD:
        free = is_free_play(g, t, seat, card)
        if not free:
            g.actions[seat] -= 1
        play_card(g, t, seat, card, constants.HAND, int(free))
    elif action == constants.EXHAUST_CARD:
        use_ability(g, t, seat, card)
    else:
        g.activating = 0
    return action


@kernel
def innovate(g: Record, t: Record, players: Players, seat: int) -> None:
    """Discard the whole hand, then break through for a card of a chosen suit."""
    log_event(g, INNOVATED, seat, constants.NO_CARD, 0, 0)
    g.asking = constants.NO_CARD
    while g.zone_size[seat, constants.HAND] > 0:
        move(
            g,
            t,
            seat,
            int(g.zone[seat, constants.HAND, g.zone_size[seat, constants.HAND] - 1]),
            constants.HAND,
            constants.DISCARD_PILE,
        )
    count = 0
    for bit in range(len(constants.SUITS)):
        if constants.SUITS_TO_INNOVATE & (1 << bit) != 0:
            g.option_value[count] = 1 << bit
            g.option_card[count] = constants.NO_CARD
            count += 1
    g.option_count = count
    suit = int(g.option_value[choose(g, t, players, seat, constants.INNOVATE_SUIT)])
    g.asked = constants.BREAK_THROUGH
    list_break_through(g, t, suit, constants.ANYTHING, False)
    break_through(g, t, players, seat, constants.ANYTHING)


@kernel
def revolt(g: Record, t: Record, players: Players, seat: int) -> None:
    """Let a seat return any number of unrest cards from its hand."""
    held = 0
    for place in range(g.zone_size[seat, constants.HAND]):
        held += int(t.suits[g.zone[seat, constants.HAND, place]] & constants.UNREST != 0)
    g.asking = constants.NO_CARD
    left = choose_amount(g, t, players, seat, constants.REVOLT_WITH, held)
    log_event(g, REVOLTED, seat, constants.NO_CARD, left, 0)
    for place in range(g.zone_size[seat, constants.HAND] - 1, -1, -1):
        card = int(g.zone[seat, constants.HAND, place])
        if left > 0 and t.suits[card] & constants.UNREST != 0:
            return_unrest(g, t, seat, card, constants.HAND)
            left -= 1


@kernel
def clean_up(g: Record, t: Record, players: Players) -> None:
    """Begin the clean-up: put a token on the market, and renew tokens."""
    seat = int(g.turn_seat)
    g.activating = 0
    log_event(g, CLEANS_UP, seat, constants.NO_CARD, 0, 0)
    put_market_token(g, t, players, seat)
    renew_tokens(g, t, seat)
    g.phase = constants.DISCARDING


@kernel
def fill_hand(g: Record, t: Record, players: Players) -> None:
    """Draw a card. If the hand is full, or there is no card to draw, end the turn instead."""
    seat = int(g.turn_seat)
    if (
        g.zone_size[seat, constants.HAND] < hand_size(g, t, seat)
        and draw(g, t, players, seat, True) != constants.NO_CARD
    ):
        return
    log_standing(g, seat)
    g.turn_seat = seat_after(g, seat)
    g.phase = constants.START_TURN
    if g.turn_seat == g.first_seat:
        g.turn_seat = constants.NO_SEAT
        g.solstice_seat = g.first_seat
        g.phase = constants.START_SOLSTICE


@kernel
def hand_size(g: Record, t: Record, seat: int) -> int:
    """Return the number of cards up to which a seat fills its hand."""
    size = t.hand
    if may_do(g, seat, constants.CHANGES_HAND_SIZE):
        for place in range(g.zone_size[seat, constants.PLAY]):
            size += t.hand_size[g.zone[seat, constants.PLAY, place]]
    return int(size)


@kernel
def put_market_token(g: Record, t: Record, players: Players, seat: int) -> None:
    """Let a seat put a progress token, or the token that its nation uses instead, on a market card."""
    resource = constants.PROGRESS
    number = 1
    for place in range(g.zone_size[seat, constants.PLAY]):
        card = g.zone[seat, constants.PLAY, place]
        if t.market_token[card, 0] >= 0:
            resource = int(t.market_token[card, 0])
            number = int(t.market_token[card, 1])
    g.asked = constants.PLACE_ON_MARKET
    g.asking = constants.NO_CARD
    place_on_market(g, t, players, seat, resource, number)


@kernel
def renew_tokens(g: Record, t: Record, seat: int) -> None:
    """Put all action and exhaust tokens back on the state card, and end what lasts for one turn."""
    renew_passives(g, t, seat)
    for place in range(g.zone_size[seat, constants.PLAY]):
        card = g.zone[seat, constants.PLAY, place]
        g.exhausted[card] = 0
        for icon in range(3):
            g.treated[card, icon] = 0
    g.nation_exhausted[seat] = 0
    g.development_exhausted[seat] = 0
    g.actions[seat] = t.actions
    g.exhausts[seat] = t.faction_exhausts[g.faction[seat]]
    g.ignores_state[seat] = 0


@kernel
def discard_at_will(g: Record, t: Record, players: Players) -> None:
    """Let a seat discard one more hand card, or keep its hand."""
    seat = int(g.turn_seat)
    g.asking = constants.NO_CARD
    g.option_count = 0
    offer_from(g, t, 0, constants.NO_CARD, seat, constants.ANYTHING, 1 << constants.HAND)
    option = ask_card(g, t, players, seat, constants.CLEAN_UP, True)
    if option >= 0:
        move(g, t, seat, int(g.option_card[option]), constants.HAND, constants.DISCARD_PILE)
    else:
        g.phase = constants.FILL_HAND


@kernel
def start_solstice(g: Record, t: Record) -> None:
    """Start the solstice of a player. Cards that enter play during the solstice wait until the next one."""
    seat = int(g.solstice_seat)
    g.pending_count = 0
    for place in range(g.zone_size[seat, constants.PLAY]):
        card = int(g.zone[seat, constants.PLAY, place])
        if t.program[card, constants.SOLSTICE_PROGRAM] != 0:
            g.pending[g.pending_count] = card
            g.pending_count += 1
    g.phase = constants.SOLSTICE


@kernel
def resolve_solstice(g: Record, t: Record, players: Players) -> None:
    """Begin the solstice effect that the player chooses. If none is left, move on to the next player's solstice."""
    seat = int(g.solstice_seat)
    if g.pending_count > 0:
        card = next_solstice_card(g, t, players, seat)
        for place in range(g.zone_size[seat, constants.PLAY]):
            if g.zone[seat, constants.PLAY, place] == card:
                log_event(g, SOLSTICE_EFFECT, seat, card, 0, 0)
                push(g, int(t.program[card, constants.SOLSTICE_PROGRAM]), seat, card, -1)
                break
        return
    g.solstice_seat = seat_after(g, seat)
    g.phase = constants.END_ROUND if g.solstice_seat == g.first_seat else constants.START_SOLSTICE


@kernel
def next_solstice_card(g: Record, t: Record, players: Players, seat: int) -> int:
    """Let a seat choose which of its pending solstice effects comes next; return that card."""
    g.option_count = 0
    g.asking = constants.NO_CARD
    for place in range(g.pending_count):
        offer(g, 0, int(g.pending[place]), constants.PLAY, seat)
    option = ask_card(g, t, players, seat, constants.SOLSTICE_ORDER, False)
    card = int(g.option_card[option])
    last = g.pending_count - 1
    for place in range(last):
        if g.pending[place] == card:
            g.pending[place] = g.pending[last]
    g.pending_count = last
    return card


@kernel
def end_round(g: Record, t: Record) -> None:
    """End a round. Scoring follows the last round."""
    log_event(g, ROUND_ENDS, constants.NO_SEAT, constants.NO_CARD, 0, 0)
    g.rounds += 1
    if g.ending != constants.NOT_ENDING:
        g.rounds_left -= 1
    elif g.rounds >= t.round_limit:
        g.ending = constants.ROUND_LIMIT
        g.rounds_left = 0
    g.turn_seat = g.first_seat
    g.phase = constants.START_TURN
    if g.ending != constants.NOT_ENDING and g.rounds_left == 0:
        g.turn_seat = constants.NO_SEAT
        g.end_reason = g.ending
        g.phase = constants.BEFORE_SCORING


@kernel
def stop_at_collapse(g: Record) -> None:
    """Stop play immediately and drop pending effects. The effects before scoring come next."""
    g.depth = 0
    g.activating = 0
    if g.turn_seat != constants.NO_SEAT:
        log_standing(g, int(g.turn_seat))
        g.turn_seat = constants.NO_SEAT
    g.rounds += 1
    g.end_reason = constants.COLLAPSE
    g.phase = constants.BEFORE_SCORING
    # Cleared so that the effects before scoring are resolved. `prepare_scoring` sets it again after them.
    g.collapsed = 0


BEFORE_SCORING_ZONES = (constants.HAND, constants.DECK, constants.DISCARD_PILE, constants.PLAY, constants.HISTORY)
"""A card has its before-scoring effect if it lies in one of these zones of a player."""


@kernel
def prepare_scoring(g: Record, t: Record) -> None:
    """Begin the effects that come before scoring. Once they are done, score the game."""
    if g.steps >= 0:
        g.steps = -1
        for card in range(t.cards):
            if t.program[card, constants.SCORING_PROGRAM] != 0:
                push_before_scoring(g, t, card)
        return
    g.finished = 1
    for seat in range(g.players):
        log_standing(g, seat)
    score_game(g, t)
    if g.end_reason == constants.COLLAPSE:
        g.collapsed = 1
        log_event(g, COLLAPSED, constants.NO_SEAT, constants.NO_CARD, 0, 0)


@kernel
def push_before_scoring(g: Record, t: Record, card: int) -> None:
    """Begin the before-scoring effect of a card, if the card lies in one of the `BEFORE_SCORING_ZONES` of a player."""
    for seat in range(g.players):
        for zone in BEFORE_SCORING_ZONES:
            if place_in(g, seat, zone, card) >= 0:
                push(g, int(t.program[card, constants.SCORING_PROGRAM]), seat, card, -1)
