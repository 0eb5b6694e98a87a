"""Spies and Alliances (rulebook: variant): tokens with denarii on an opponent's buildings, and the negotiation.

The token's owner offers a price. The opponent accepts, refuses, or demands more once. After a demand, the owner raises
the offer or keeps it, and the opponent decides. Only then is the token revealed.
"""

from __future__ import annotations

from sim.compiler.kernel import Record, kernel
from sim.engine.decide import Players, choose
from sim.engine.options import clear_options, offer
from sim.games.glory_of_rome.rules import constants
from sim.games.glory_of_rome.rules.followers import action_is_possible
from sim.games.glory_of_rome.rules.glory import gain_denarii, gain_glory, gain_glory_together
from sim.games.glory_of_rome.rules.log import ANSWERED_TREATY, ASKED_FOR, OFFERED_TREATY, RAISED, SPIED, log_event
from sim.games.glory_of_rome.rules.options import offer_at
from sim.games.glory_of_rome.rules.trading import open_window

TOKENS = 2


@kernel
def offer_tokens(g: Record, seat: int) -> None:
    """Offer to place each kind of token, at every price, on every building in front of an opponent."""
    for place in range(g.board.shape[0]):
        target, province = int(g.seat_at[place]), int(g.board[place])
        if target in (constants.NO_SEAT, seat):
            continue
        for kind in range(g.building.shape[1]):
            if g.building[province, kind] == 0:
                continue
            for token in range(TOKENS):
                for price in constants.OFFERS:
                    if price <= g.denarii[seat]:
                        offer_at(g, constants.PUT_TOKEN, kind, token + TOKENS * price, target, province)


@kernel
def put_token(g: Record, seat: int, kind: int, value: int, target: int, province: int) -> None:
    """Place a token face down on a building, with denarii on top. `value` is the token plus 2 * the denarii."""
    g.act_kind = constants.PUT_TOKEN
    g.act_card = kind
    g.act_seat = target
    g.act_place = province
    g.token = value % TOKENS
    g.offered = value // TOKENS
    g.asked_for = 0
    log_event(g, OFFERED_TREATY, seat, kind, constants.NO_CARD, province, int(g.offered))
    gain_denarii(g, seat, -int(g.offered))
    g.stage = constants.TREATY_ANSWER


@kernel
def answer(g: Record, t: Record, players: Players, seat: int) -> None:
    """Let the opponent accept, refuse, or demand more once."""
    target = int(g.act_seat)
    clear_options(g)
    offer(g, constants.ACCEPT, int(g.act_card), int(g.offered), seat)
    offer(g, constants.REFUSE, int(g.act_card), 0, seat)
    decision = constants.ASK_LAST_ANSWER
    if g.stage == constants.TREATY_ANSWER:
        decision = constants.ASK_ANSWER
        for more in range(1, min(constants.MOST_ASKED, int(g.denarii[seat])) + 1):
            offer(g, constants.ASK_MORE, int(g.act_card), int(g.offered) + more, seat)
    option = choose(g, t, players, target, decision)
    if g.option_kind[option] == constants.ASK_MORE:
        g.asked_for = g.option_value[option]
        log_event(g, ASKED_FOR, target, 0, constants.NO_CARD, 0, int(g.asked_for))
        g.stage = constants.TREATY_RAISE
    elif g.option_kind[option] == constants.ACCEPT:
        accept(g, t, seat)
    else:
        refuse(g, seat)


@kernel
def decide_raise(g: Record, t: Record, players: Players, seat: int) -> None:
    """Let the owner of the token raise the offer to the demanded price, or keep it."""
    clear_options(g)
    offer(g, constants.ACCEPT, int(g.act_card), int(g.asked_for), int(g.act_seat))
    offer(g, constants.REFUSE, int(g.act_card), int(g.offered), int(g.act_seat))
    raises = g.option_kind[choose(g, t, players, seat, constants.ASK_RAISE)] == constants.ACCEPT
    log_event(g, RAISED, seat, 0, constants.NO_CARD, int(raises), int(g.asked_for if raises else g.offered))
    if raises:
        gain_denarii(g, seat, int(g.offered - g.asked_for))
        g.offered = g.asked_for
    g.stage = constants.TREATY_LAST_ANSWER


@kernel
def level_of_treaty(g: Record) -> int:
    """Return the level of the building with the token."""
    return int(g.building[g.act_place, g.act_card])


@kernel
def accept(g: Record, t: Record, seat: int) -> None:
    """Give the opponent the denarii and reveal the token.

    An alliance brings both players glory. A spy brings its owner a choice.
    """
    target = int(g.act_seat)
    log_event(g, ANSWERED_TREATY, target, int(g.token), constants.NO_CARD, 1, 0)
    gain_denarii(g, target, int(g.offered))
    g.treaties[seat] += 1
    if g.token == constants.ALLIANCE:
        gain_glory_together(g, t, (1 << seat) | (1 << target), level_of_treaty(g))
        g.stage = constants.TURN_OVER
    else:
        g.stage = constants.SPY_CHOICE


@kernel
def refuse(g: Record, seat: int) -> None:
    """Reveal a refused token. The denarii of an alliance go back to its owner; those of a spy are lost."""
    log_event(g, ANSWERED_TREATY, int(g.act_seat), int(g.token), constants.NO_CARD, 0, 0)
    if g.token == constants.ALLIANCE:
        gain_denarii(g, seat, int(g.offered))
    g.stage = constants.TURN_OVER


@kernel
def decide_spy(g: Record, t: Record, players: Players, seat: int) -> None:
    """Let a spy's owner choose: glory, or the action of the building, without a follower and without the bonus."""
    clear_options(g)
    offer(g, constants.TAKE_GLORY, int(g.act_card), level_of_treaty(g), seat)
    if action_is_possible(g, t, seat, int(g.act_card)):
        offer(g, constants.FREE_ACTION, int(g.act_card), 0, seat)
    if g.option_kind[choose(g, t, players, seat, constants.ASK_SPY)] == constants.TAKE_GLORY:
        take_glory(g, t, seat)
    else:
        note_spy(g, seat, 1)
        g.act_kind = constants.FREE_ACTION
        g.act_value = 0
        # It is the owner's turn, so the owner may make room in a full hand for a drawn card.
        open_window(g, seat)
        g.stage = constants.WINDOW


@kernel
def note_spy(g: Record, seat: int, acts: int) -> None:
    """Log the choice of a spy's owner: `acts` is 1 for the action, 0 for glory."""
    log_event(g, SPIED, seat, int(g.act_card), constants.NO_CARD, acts, 0)


@kernel
def take_glory(g: Record, t: Record, seat: int) -> None:
    """Let a spy's owner gain glory equal to the level of the building."""
    note_spy(g, seat, 0)
    gain_glory(g, t, seat, level_of_treaty(g))
    g.stage = constants.TURN_OVER
