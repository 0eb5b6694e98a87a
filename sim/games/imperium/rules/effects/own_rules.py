"""Effects that only one or two cards have: journeys, quests, copied abilities, icons that count as others."""

from __future__ import annotations

from sim.compiler.kernel import Record, kernel
from sim.engine.decide import Players
from sim.engine.effect_stack import FRAME_CARD, push
from sim.engine.options import offer
from sim.engine.seating import seat_after
from sim.games.imperium.rules import constants
from sim.games.imperium.rules.choices import ask_card
from sim.games.imperium.rules.counting import active_quest
from sim.games.imperium.rules.drawing import become, turn_king_of_kings
from sim.games.imperium.rules.log import COPIED, FLIPPED, TREATED, log_event
from sim.games.imperium.rules.moving import clear_card, exile, garrison, move
from sim.games.imperium.rules.options import can_do
from sim.games.imperium.rules.stack import note_passives


@kernel
def follow_own_rules(g: Record, t: Record, players: Players, frame: int, at: int, operation: int, seat: int) -> None:
    """Execute an instruction that only one or two cards have."""
    own = int(g.frame[frame, FRAME_CARD])
    first = int(t.code[at, constants.A])
    if operation == constants.FLIP_SELF:
        if t.kind[own] == constants.KING_OF_KINGS:
            turn_king_of_kings(g)
        else:
            replace_in_play(g, t, seat, own, int(t.other_side[own]))
    elif operation == constants.REPLACE_SELF:
        for card in range(t.cards):
            if t.selector[first, card] != 0:
                replace_in_play(g, t, seat, own, card)
                break
    elif operation == constants.FLIP_STATE:
        become(g, seat, first)
    elif operation == constants.QUEST_TO:
        quest = active_quest(g, t, seat)
        if quest != constants.NO_CARD:
            move(g, t, seat, quest, constants.GARRISON, first)
    elif operation == constants.GARRISON_QUEST:
        choose_quest(g, t, players, seat, own, True, 0)
    elif operation == constants.EXILE_QUEST:
        choose_quest(g, t, players, seat, own, False, first)
    elif operation == constants.IGNORE_STATE:
        g.ignores_state[seat] |= 1 << first
    elif operation == constants.COPY_EXHAUST:
        copy_exhaust(g, t, players, seat, own)
    elif operation == constants.TREAT_ICON:
        treat_icon(g, t, players, seat, first)


@kernel
def replace_in_play(g: Record, t: Record, seat: int, card: int, other: int) -> None:
    """Turn a card in play to another face: put the card `other` in its place."""
    for place in range(g.zone_size[seat, constants.PLAY]):
        if g.zone[seat, constants.PLAY, place] == card:
            g.zone[seat, constants.PLAY, place] = other
            note_passives(g, t, seat, other)
            clear_card(g, t, seat, card)
            log_event(g, FLIPPED, seat, other, 0, 0)
            if t.program[other, constants.ENTER_PROGRAM] != 0:
                push(g, int(t.program[other, constants.ENTER_PROGRAM]), seat, other, -1)


@kernel
def choose_quest(
    g: Record, t: Record, players: Players, seat: int, own: int, becomes_active: bool, selector: int
) -> None:
    """Let a seat choose an impending quest (a card of its development area) that matches a selector.

    If `becomes_active`, garrison it under the card `own` as the active quest; otherwise exile it.
    """
    g.option_count = 0
    left = g.zone_size[seat, constants.DEVELOPMENT]
    for place in range(left):
        card = int(g.zone[seat, constants.DEVELOPMENT, place])
        if t.selector[selector, card] != 0 and (not becomes_active or t.comes_last[card] == 0 or left == 1):
            offer(g, 0, card, constants.DEVELOPMENT, seat)
    option = ask_card(g, t, players, seat, constants.GARRISON_QUEST if becomes_active else constants.EXILE_QUEST, False)
    if option >= 0:
        card = int(g.option_card[option])
        if becomes_active:
            garrison(g, t, seat, card, constants.DEVELOPMENT, own)
        else:
            exile(g, t, seat, card, constants.DEVELOPMENT)


@kernel
def copy_exhaust(g: Record, t: Record, players: Players, seat: int, own: int) -> None:
    """Let a seat resolve the exhaust ability of another player's pinned card as its own."""
    g.option_count = 0
    other = seat
    for _ in range(g.players - 1):
        other = seat_after(g, other)
        for place in range(g.zone_size[other, constants.PLAY]):
            card = int(g.zone[other, constants.PLAY, place])
            at = int(t.program[card, constants.EXHAUST_PROGRAM])
            copies = t.code[at, constants.OPERATION] == constants.COPY_EXHAUST
            if t.pinned[card] != 0 and at != 0 and not copies and can_do(g, t, 0, seat, own, at):
                offer(g, 0, card, constants.PLAY, other)
    option = ask_card(g, t, players, seat, constants.COPY_EXHAUST, False)
    if option >= 0:
        log_event(g, COPIED, seat, int(g.option_card[option]), int(g.option_seat[option]), 0)
        push(g, int(t.program[g.option_card[option], constants.EXHAUST_PROGRAM]), seat, own, -1)


@kernel
def treat_icon(g: Record, t: Record, players: Players, seat: int, icon: int) -> None:
    """Let a seat choose a card in play. One of its icons `icon` counts as production for the rest of the turn."""
    g.option_count = 0
    for place in range(g.zone_size[seat, constants.PLAY]):
        card = int(g.zone[seat, constants.PLAY, place])
        if t.icons[card, icon] > g.treated[card, icon]:
            offer(g, 0, card, constants.PLAY, seat)
    option = ask_card(g, t, players, seat, constants.TREAT_ICON, False)
    if option >= 0:
        g.treated[g.option_card[option], icon] += 1
        log_event(g, TREATED, seat, int(g.option_card[option]), icon, 0)
