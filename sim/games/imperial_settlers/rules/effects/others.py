"""Operations with targets: locations, cards and deals of the seat itself or of opponents.

In the kernels, `meant` is the target card, and `other` is the seat that has it.
"""

from __future__ import annotations

from sim.compiler.kernel import Record, kernel
from sim.engine.decide import Players, choose
from sim.engine.effect_stack import FRAME_VALUE, push
from sim.engine.options import clear_options, offer
from sim.engine.rng import CHANCE, below
from sim.engine.zones import take_out
from sim.games.imperial_settlers.rules import constants
from sim.games.imperial_settlers.rules.building import build, build_from_hand
from sim.games.imperial_settlers.rules.dealing import gain_deal_good, lose_deal, trade
from sim.games.imperial_settlers.rules.drawing import gain_good
from sim.games.imperial_settlers.rules.effects.options import list_meant
from sim.games.imperial_settlers.rules.knowledge import lay_unseen
from sim.games.imperial_settlers.rules.log import (
    BECAME_BLOCKED,
    BECAME_RENEWED,
    LOST,
    PLACED_SAMURAI,
    TOOK_CONTROL,
    log_event,
    log_good,
)
from sim.games.imperial_settlers.rules.moving import (
    become_foundation,
    control,
    discard_from_hand,
    gain,
    remove_location,
)
from sim.games.imperial_settlers.rules.razing import raze_from_hand, raze_location


@kernel
def follow_aimed(
    g: Record, t: Record, players: Players, frame: int, seat: int, card: int, at: int, operation: int
) -> None:
    """Let a seat choose the target of an operation, and carry the operation out. Without a target nothing happens."""
    if operation == constants.RUN_PRODUCTION:
        begin_run(g, t, seat, card, frame)
    if operation == constants.PLACE_SAMURAI:
        for _ in range(t.code[at, constants.A]):
            place_samurai(g, t, players, seat, card, at)
        return
    clear_options(g)
    list_meant(g, t, seat, card, at)
    if g.option_count == 0:
        return
    g.asked = operation
    g.asked_card = card
    option = choose(g, t, players, seat, constants.PICK)
    meant = int(g.option_card[option])
    kind = int(g.option_kind[option])
    value = int(g.option_value[option])
    other = int(g.option_seat[option])
    if operation in (
        constants.RUN_PRODUCTION,
        constants.RESET_ACTION,
        constants.BLOCK_ACTION,
        constants.CONTROL_LOCATION,
    ):
        work_on_location(g, t, seat, meant, other, operation)
    elif operation in (constants.GAIN_DEAL_GOOD, constants.DISCARD_DEAL, constants.TAKE_DEAL, constants.TRADE_DEAL):
        work_on_deal(g, t, players, seat, meant, other, kind, operation, int(t.code[at, constants.A]))
    elif operation in (constants.RAZE_EITHER, constants.RAZE_OWN, constants.RAZE_OPPONENT, constants.REMOVE_LOCATION):
        if operation == constants.RAZE_EITHER:
            # Raze tokens paid to use a card stay on the card until cleanup, like goods.
            g.paid[card, constants.RAZE] += value
        destroy(g, t, players, seat, meant, kind, value, operation, int(t.code[at, constants.C]))
    elif operation == constants.TAKE_RESOURCE:
        g.goods[other, value] -= 1
        log_good(g, LOST, other, card, value, 1)
        gain(g, t, seat, value, 1, card)
    elif operation == constants.COPY_RAZE_GOOD:
        gain_good(g, t, players, seat, value, 1, meant)
    elif operation == constants.OPPONENT_DISCARDS:
        opponent_discards(g, t, players, seat, card, other)
    else:
        work_on_own_card(g, t, players, seat, meant, operation)


@kernel
def work_on_location(g: Record, t: Record, seat: int, meant: int, other: int, operation: int) -> None:
    """Apply an operation to the location `meant` of seat `other`: let it produce, renew it, block it or control it."""
    if operation == constants.RUN_PRODUCTION:
        frame = push(g, int(t.program[meant, constants.PRODUCES]), seat, meant, -1)
        g.frame[frame, FRAME_VALUE] = 1
    elif operation == constants.RESET_ACTION:
        g.used[meant] = 0 if t.reset_uses == 0 else g.used[meant] - 1
        g.paid[meant, :] = 0
        log_event(g, BECAME_RENEWED, seat, meant, 0, 0)
    elif operation == constants.BLOCK_ACTION:
        if t.blocked_for == 0:
            g.blocked[meant] = 1
        else:
            g.used[meant] += 1
        log_event(g, BECAME_BLOCKED, seat, meant, other, 0)
    else:
        control(g, t, seat, meant)
        log_event(g, TOOK_CONTROL, seat, meant, other, 0)


@kernel
def begin_run(g: Record, t: Record, seat: int, card: int, frame: int) -> None:
    """Mark a card that lets another location produce, so that it does so only once in a chain.

    If the effect in `frame` begins the chain, first remove the marks of earlier chains.
    """
    if g.frame[frame, FRAME_VALUE] == 0:
        for zone in (constants.LOCATIONS, constants.CONTROLLED):
            for place in range(g.zone_size[seat, zone]):
                g.ran[g.zone[seat, zone, place]] = 0
    g.ran[card] = 1


@kernel
def work_on_deal(
    g: Record, t: Record, players: Players, seat: int, meant: int, other: int, kind: int, operation: int, gains: int
) -> None:
    """Gain the good of one of the seat's deals, take or discard an opponent's deal, or make a deal by Trade Route.

    `kind` is the zone of an opponent's deal: DEALS, TRADES or ROW. If `gains` is not 0, the seat gains the good of a
    deal that it discards.
    """
    if operation == constants.TRADE_DEAL:
        trade(g, t, players, seat, meant)
        return
    if operation == constants.GAIN_DEAL_GOOD:
        gain_deal_good(g, t, players, seat, meant)
        return
    lose_deal(g, t, other, kind, meant, seat if operation == constants.TAKE_DEAL else constants.NO_SEAT)
    if (operation == constants.DISCARD_DEAL and gains != 0) or (
        operation == constants.TAKE_DEAL and t.taken_deal_gives_good != 0
    ):
        gain_deal_good(g, t, players, seat, meant)


@kernel
def destroy(
    g: Record, t: Record, players: Players, seat: int, meant: int, kind: int, tokens: int, operation: int, worth: int
) -> None:
    """Raze a hand card or a location by an effect, or remove a location from the game.

    RAZE_EITHER costs `tokens` raze tokens, and the seat may turn each good into `worth` points. The other operations
    ignore both.
    """
    if operation == constants.REMOVE_LOCATION:
        remove_location(g, t, meant)
    elif operation == constants.RAZE_EITHER and kind == constants.RAZE_HAND:
        raze_from_hand(g, t, players, seat, meant, tokens, worth)
    elif operation == constants.RAZE_EITHER:
        raze_location(g, t, players, seat, meant, tokens, worth)
    else:
        raze_location(g, t, players, seat, meant, 0, 0)


@kernel
def work_on_own_card(g: Record, t: Record, players: Players, seat: int, meant: int, operation: int) -> None:
    """Build a hand card or a deal without its location cost, or turn a hand card into a foundation."""
    if operation == constants.BUILD_FROM_HAND:
        build_from_hand(g, t, players, seat, meant, 1)
    elif operation == constants.BUILD_DEAL:
        take_out(g, seat, constants.DEALS, meant)
        build(g, t, players, seat, meant, 1)
    else:
        take_out(g, seat, constants.HAND, meant)
        become_foundation(g, seat, meant, 1 << seat)
        lay_unseen(g, t, seat, meant)


@kernel
def opponent_discards(g: Record, t: Record, players: Players, seat: int, card: int, other: int) -> None:
    """Let an opponent discard a hand card of its choice, or a random one (open point U28 in rules.toml)."""
    count = int(g.zone_size[other, constants.HAND])
    if t.desert_chooser != 0:
        discard_from_hand(g, t, other, int(g.zone[other, constants.HAND, below(g, CHANCE, count)]))
        return
    clear_options(g)
    for place in range(count):
        offer(g, 0, int(g.zone[other, constants.HAND, place]), 0, other)
    g.asked = constants.OPPONENT_DISCARDS
    g.asked_card = card
    discard_from_hand(g, t, other, int(g.option_card[choose(g, t, players, other, constants.PICK)]))


@kernel
def place_samurai(g: Record, t: Record, players: Players, seat: int, card: int, at: int) -> None:
    """Let a seat place a samurai from the general supply. Nothing happens if none of its locations can carry one."""
    clear_options(g)
    list_meant(g, t, seat, card, at)
    if g.option_count == 0:
        return
    g.asked = constants.PLACE_SAMURAI
    g.asked_card = card
    location = int(g.option_card[choose(g, t, players, seat, constants.PICK)])
    g.samurai[location] = 1
    log_event(g, PLACED_SAMURAI, seat, location, 1, 0)
