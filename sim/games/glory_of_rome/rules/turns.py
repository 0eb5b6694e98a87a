"""Course of the game: rounds, phases, and the turns of players in them.

A game advances in steps with at most one decision each. The record holds the whole progress of a game: `g.stage` is the
stage of the turn of `g.turn_seat`, and the `act_` fields describe the action.
"""

from __future__ import annotations

from sim.compiler.kernel import Record, kernel, shared_kernel
from sim.engine.decide import Players, choose
from sim.engine.options import clear_options, offer
from sim.engine.state import begin_step
from sim.games.glory_of_rome.rules import constants
from sim.games.glory_of_rome.rules.building import build, can_build, offer_tiles
from sim.games.glory_of_rome.rules.events import reveal_event
from sim.games.glory_of_rome.rules.followers import (
    act_at,
    can_vote,
    has_room_for_draws,
    offer_places,
    put_follower,
    take_back,
)
from sim.games.glory_of_rome.rules.glory import most_paid, pay_for_glory
from sim.games.glory_of_rome.rules.hands import discard_card, lay_set, offer_free_actions, sell
from sim.games.glory_of_rome.rules.income import can_tax_twice, tax, turn_board
from sim.games.glory_of_rome.rules.intrigue import activate, offer_intrigue
from sim.games.glory_of_rome.rules.log import ACTS, PHASE_BEGINS, ROUND_BEGINS, log_event
from sim.games.glory_of_rome.rules.pantheon import NO_PIECE, next_piece, place_piece
from sim.games.glory_of_rome.rules.regions import decide_legion, has_legion_step
from sim.games.glory_of_rome.rules.scoring import finish, points_now
from sim.games.glory_of_rome.rules.setup import decide_missions
from sim.games.glory_of_rome.rules.trading import (
    brings,
    can_play,
    has_play,
    most_brought,
    offer_plays,
    open_window,
    play_card,
)
from sim.games.glory_of_rome.rules.treaties import answer, decide_raise, decide_spy, offer_tokens, put_token

MOST_PAID = 60
"""Maximum glory that can be bought at once before another player's turn. More can be bought before the next turn."""


@shared_kernel
def play_step(g: Record, t: Record, players: Players) -> None:
    """Play one step."""
    begin_step(g)
    if g.phase == constants.SET_UP:
        if decide_missions(g, t, players):
            begin_round(g)
    elif g.phase == constants.EVENT_PHASE:
        reveal_event(g, t)
        begin_phase(g, t, constants.DIPLOMACY_PHASE)
    elif g.phase == constants.OVER:
        finish(g, t)
    else:
        take_turn(g, t, players)


# ---- Rounds and phases ----


@kernel
def begin_round(g: Record) -> None:
    """Begin the next round with its event."""
    g.round_number += 1
    g.phase = constants.EVENT_PHASE
    g.event = constants.NO_CARD
    log_event(g, ROUND_BEGINS, constants.NO_SEAT, 0, constants.NO_CARD, 0, int(g.round_number))


@kernel
def is_played(g: Record, t: Record, phase: int) -> bool:
    """Tell whether a phase occurs in this round and variant."""
    if phase == constants.DIPLOMACY_PHASE:
        return bool(g.variant & constants.SPIES_AND_ALLIANCES != 0 and g.players > 1)
    if phase == constants.INTRIGUE_PHASE:
        return bool(
            g.variant & (constants.TRUCE | constants.IMPERIAL) == 0 and (g.round_number > 1 or t.first_round != 0)
        )
    return True


@kernel
def begin_phase(g: Record, t: Record, phase: int) -> None:
    """Begin a phase or, if it does not occur in this round, the next one. The starting player has the first turn."""
    while not is_played(g, t, phase):
        phase += 1
    g.phase = phase
    log_event(g, PHASE_BEGINS, constants.NO_SEAT, phase, constants.NO_CARD, 0, 0)
    g.turns_taken = 0
    g.turn_seat = g.starting_player
    g.stage = constants.TURN_BEGINS


@kernel
def seat_to_act_after(g: Record, seat: int) -> int:
    """Return the next seat to act in the direction of play."""
    step = 1 if g.direction == constants.CLOCKWISE else g.players - 1
    return int((seat + step) % g.players)


@kernel
def end_turn(g: Record, t: Record) -> None:
    """End a turn. The next player has a turn or, if all turns of the phase are over, the next phase begins.

    In the action phase, a player has turns as long as followers are left.
    """
    g.stage = constants.TURN_BEGINS
    if g.phase == constants.ACTION_PHASE:
        for _ in range(g.players):
            g.turn_seat = seat_to_act_after(g, int(g.turn_seat))
            if g.followers_left[g.turn_seat] > 0:
                return
        take_back(g)
        begin_phase(g, t, constants.INCOME_PHASE)
        return
    g.turns_taken += 1
    if g.turns_taken < g.players:
        g.turn_seat = seat_to_act_after(g, int(g.turn_seat))
    elif g.phase == constants.INCOME_PHASE:
        end_round(g, t)
    else:
        begin_phase(g, t, int(g.phase) + 1)


@kernel
def end_round(g: Record, t: Record) -> None:
    """Turn the board and record the points of all seats. Then begin the next round or, after the last, end the game."""
    turn_board(g)
    for seat in range(g.players):
        g.score_after[seat, g.round_number - 1] = points_now(g, t, seat)
    g.rounds += 1
    if g.round_number < t.rounds:
        begin_round(g)
    else:
        g.phase = constants.OVER


# ---- A turn ----


@kernel
def take_turn(g: Record, t: Record, players: Players) -> None:
    """Play the next stage of a player's turn."""
    seat = int(g.turn_seat)
    stage = g.stage
    if stage == constants.TURN_BEGINS:
        g.stage = constants.TURN
        decide_payment(g, t, players, seat)
    elif stage == constants.TURN:
        decide_turn(g, t, players, seat)
    elif stage == constants.WINDOW:
        decide_window(g, t, players, seat)
    elif stage == constants.RESPOND:
        decide_response(g, t, players, int(g.act_seat))
    elif stage == constants.CARRY_OUT:
        carry_out(g, t, seat)
    elif stage == constants.LEGIONS:
        decide_legion(g, t, players, seat)
        g.legions_left -= 1
        if g.legions_left == 0:
            g.stage = constants.TURN_OVER
    elif stage == constants.CHOOSE_LEVEL:
        decide_level(g, t, players, seat)
        g.stage = constants.TURN_OVER
    elif stage == constants.TURN_OVER:
        end_turn(g, t)
    elif stage == constants.TREATY_RAISE:
        decide_raise(g, t, players, seat)
    elif stage == constants.SPY_CHOICE:
        decide_spy(g, t, players, seat)
    else:
        answer(g, t, players, seat)


@kernel
def decide_payment(g: Record, t: Record, players: Players, seat: int) -> None:
    """Let the owner of the religious medal buy glory before another player's turn."""
    owner = int(g.medal[constants.RELIGIOUS])
    if owner < 0 or owner == seat:
        return
    most = most_paid(g, t, owner)
    if most == 0:
        return
    clear_options(g)
    for times in range(min(most, MOST_PAID) + 1):
        offer(g, constants.PAY_FOR_GLORY, constants.NO_CARD, times, owner)
    times = int(g.option_value[choose(g, t, players, owner, constants.ASK_PAY)])
    if times > 0:
        pay_for_glory(g, t, owner, times)


@kernel
def decide_turn(g: Record, t: Record, players: Players, seat: int) -> None:
    """Let a player choose an action of this phase."""
    clear_options(g)
    phase = int(g.phase)
    if phase == constants.ACTION_PHASE:
        offer_places(g, t, seat)
    elif phase == constants.INCOME_PHASE:
        offer(g, constants.TAKE_TAX, constants.NO_CARD, 0, seat)
        if can_tax_twice(g, t, seat):
            offer(g, constants.TAKE_TAX, constants.NO_CARD, 1, seat)
    else:
        if phase != constants.DIPLOMACY_PHASE or t.diplomacy_pass == 0:
            offer(g, constants.PASS, constants.NO_CARD, 0, seat)
        if phase == constants.BUILD_PHASE:
            offer_tiles(g, t, seat)
        elif phase == constants.INTRIGUE_PHASE:
            offer_intrigue(g, t, seat)
        else:
            offer_tokens(g, seat)
            if g.option_count == 0:
                offer(g, constants.PASS, constants.NO_CARD, 0, seat)
    offer_free_actions(g, t, seat)
    begin_act(g, t, seat, choose(g, t, players, seat, decision_of(phase)))


@kernel
def decision_of(phase: int) -> int:
    """Return the decision with which a player's turn in a phase begins."""
    if phase == constants.DIPLOMACY_PHASE:
        return constants.ASK_DIPLOMACY
    if phase == constants.INTRIGUE_PHASE:
        return constants.ASK_INTRIGUE
    if phase == constants.BUILD_PHASE:
        return constants.ASK_BUILD
    if phase == constants.ACTION_PHASE:
        return constants.ASK_FOLLOWER
    return constants.ASK_TAX


@kernel
def begin_act(g: Record, t: Record, seat: int, option: int) -> None:
    """Begin the chosen action. The player may play trade cards before it is carried out."""
    kind, card, value = int(g.option_kind[option]), int(g.option_card[option]), int(g.option_value[option])
    if act_freely(g, t, seat, kind, card, value):
        return
    if kind == constants.PASS:
        g.stage = constants.TURN_OVER
        return
    other, place = int(g.option_seat[option]), int(g.option_place[option])
    if kind == constants.PUT_TOKEN:
        put_token(g, seat, card, value, other, place)
        return
    g.act_kind, g.act_card, g.act_value, g.act_seat, g.act_place = kind, card, value, other, place
    if kind == constants.PLACE_FOLLOWER:
        put_follower(g, seat, card, value)
    open_window(g, seat)
    g.stage = constants.WINDOW


@kernel
def act_freely(g: Record, t: Record, seat: int, kind: int, card: int, value: int) -> bool:
    """Carry out the choice if it is a free action, and return whether it is one."""
    if kind == constants.SELL:
        sell(g, t, seat, value)
    elif kind == constants.DISCARD:
        discard_card(g, seat, value)
    elif kind == constants.LAY_SET:
        lay_set(g, seat, card, value)
    elif kind == constants.PAY_FOR_GLORY:
        pay_for_glory(g, t, seat, value)
    elif kind == constants.PLAY:
        play_card(g, t, seat, value)
    else:
        return False
    return True


# ---- Windows for trade cards ----


@kernel
def is_political(g: Record) -> bool:
    """Tell whether the action in progress is that of a follower on a political building."""
    return bool(g.act_kind == constants.PLACE_FOLLOWER and g.act_card == constants.POLITICAL)


@kernel
def can_go_on(g: Record, t: Record, seat: int) -> bool:
    """Tell whether the action in progress is possible now.

    There must be room for cards that it draws, denarii for its tile, or votes for it to place.
    """
    if g.act_kind == constants.PLACE_TILE:
        return can_build(g, t, seat, int(g.act_card), int(g.denarii[seat]))
    if is_political(g):
        return can_vote(g, seat, int(g.board_votes[seat]), 1 + int(g.act_value))
    return has_room_for_draws(g, t, seat)


@kernel
def decide_window(g: Record, t: Record, players: Players, seat: int) -> None:
    """Let a player play trade cards before an action, or make room for the cards that the action draws."""
    possible = can_go_on(g, t, seat)
    if possible and not has_play(g, t, seat):
        close_window(g)
        return
    clear_options(g)
    if g.act_kind == constants.PLACE_TILE and not possible:
        offer_payments(g, t, seat)
    elif is_political(g) and not possible:
        offer_recruiting(g, t, seat)
    else:
        if possible:
            offer(g, constants.GO_ON, constants.NO_CARD, 0, seat)
        offer_plays(g, t, seat)
        if g.act_kind != constants.PLACE_TILE:
            offer_free_actions(g, t, seat)
    option = choose(g, t, players, seat, constants.ASK_WINDOW)
    kind = int(g.option_kind[option])
    if kind == constants.GO_ON:
        close_window(g)
    else:
        act_freely(g, t, seat, kind, int(g.option_card[option]), int(g.option_value[option]))


@kernel
def offer_payments(g: Record, t: Record, seat: int) -> None:
    """Offer the trade cards with which a player who lacks denarii can still pay for the tile."""
    for place in range(g.hand_size[seat]):
        if brings(t, int(g.hand[seat, place]), constants.BUILD, constants.DENARII) and can_play(g, t, seat, place):
            denarii = g.denarii[seat] + most_brought(g, t, seat, constants.BUILD, constants.DENARII, place)
            if can_build(g, t, seat, int(g.act_card), int(denarii)):
                offer(g, constants.PLAY, int(g.hand[seat, place]), place, seat)


@kernel
def offer_recruiting(g: Record, t: Record, seat: int) -> None:
    """Offer the trade cards with which a player who lacks votes can still carry out the political action."""
    for place in range(g.hand_size[seat]):
        if brings(t, int(g.hand[seat, place]), constants.FOLLOWER, constants.RECRUIT_VOTES) and can_play(
            g, t, seat, place
        ):
            votes = g.board_votes[seat] + most_brought(g, t, seat, constants.FOLLOWER, constants.RECRUIT_VOTES, place)
            if can_vote(g, seat, int(votes), 1 + int(g.act_value)):
                offer(g, constants.PLAY, int(g.hand[seat, place]), place, seat)


@kernel
def close_window(g: Record) -> None:
    """Close the window of the player whose turn it is. The target of an intrigue gets a window of its own."""
    if g.act_kind == constants.ACTIVATE:
        open_window(g, int(g.act_seat))
        g.stage = constants.RESPOND
    else:
        g.stage = constants.CARRY_OUT


@kernel
def decide_response(g: Record, t: Record, players: Players, target: int) -> None:
    """Let the target of an intrigue play trade cards before the effect. Outside of its turn it cannot sell cards."""
    if not has_play(g, t, target):
        g.stage = constants.CARRY_OUT
        return
    clear_options(g)
    offer(g, constants.GO_ON, constants.NO_CARD, 0, target)
    offer_plays(g, t, target)
    if most_paid(g, t, target) > 0:
        offer(g, constants.PAY_FOR_GLORY, constants.NO_CARD, 1, target)
    option = choose(g, t, players, target, constants.ASK_RESPOND)
    kind = int(g.option_kind[option])
    if kind == constants.GO_ON:
        g.stage = constants.CARRY_OUT
    else:
        act_freely(g, t, target, kind, int(g.option_card[option]), int(g.option_value[option]))


# ---- Carrying out ----


@kernel
def carry_out(g: Record, t: Record, seat: int) -> None:
    """Carry out the action in progress. In the intrigue and build phases, the same seat may then act again."""
    kind, card = int(g.act_kind), int(g.act_card)
    if kind == constants.ACTIVATE:
        activate(g, t, seat, int(g.act_place), card, int(g.act_value), int(g.act_seat))
        g.stage = constants.TURN
    elif kind == constants.PLACE_TILE:
        build(g, t, seat, card)
        g.stage = constants.TURN
    elif kind == constants.TAKE_TAX:
        tax(g, t, seat, g.act_value != 0)
        g.stage = constants.TURN_OVER
    else:
        begin_action(g, t, seat, kind, card)


@kernel
def begin_action(g: Record, t: Record, seat: int, kind: int, place: int) -> None:
    """Carry out the action of a place for a follower or a spy.

    Legions and the level of the Pantheon are chosen in the next steps.
    """
    log_event(g, ACTS, seat, place, constants.NO_CARD, 0, 0)
    if place == constants.MILITARY:
        g.legions_left = 1 + g.act_value
        g.stage = constants.LEGIONS if has_legion_step(g, seat) else constants.TURN_OVER
    elif place == constants.RELIGIOUS:
        g.stage = constants.CHOOSE_LEVEL
    else:
        owns_medal = kind == constants.PLACE_FOLLOWER and g.medal[constants.ECONOMIC] == seat
        act_at(g, t, seat, place, 1 + int(g.act_value), owns_medal)
        g.stage = constants.TURN_OVER


@kernel
def decide_level(g: Record, t: Record, players: Players, seat: int) -> None:
    """Let a player choose the Pantheon level for its piece, if both levels are possible."""
    clear_options(g)
    for level in range(2):
        if next_piece(g, t, seat, level) != NO_PIECE:
            offer(g, constants.PLACE_PIECE, level, 0, seat)
    place_piece(g, t, seat, int(g.option_card[choose(g, t, players, seat, constants.ASK_LEVEL)]))
