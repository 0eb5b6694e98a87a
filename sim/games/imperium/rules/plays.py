"""Playing cards, finding and giving them, returning unrest, and using exhaust abilities."""

from __future__ import annotations

from sim.compiler.kernel import Record, kernel
from sim.engine.decide import Players
from sim.engine.effect_stack import FRAME_CARD, FRAME_ROOT, push, push_step
from sim.engine.options import offer
from sim.engine.rng import CHANCE, shuffle
from sim.engine.seating import seat_after
from sim.engine.zones import put
from sim.games.imperium.rules import constants
from sim.games.imperium.rules.choices import ask_card, offer_from, offer_garrisoned
from sim.games.imperium.rules.conditions import meets_requirements
from sim.games.imperium.rules.costs import payable, tokens_are_there
from sim.games.imperium.rules.drawing import shuffle_nation
from sim.games.imperium.rules.effects.hand import use
from sim.games.imperium.rules.effects.zones import is_in_play
from sim.games.imperium.rules.knowledge import show_card, shuffle_in
from sim.games.imperium.rules.log import (
    FOUND,
    GAINED_ROUND,
    GAVE,
    MOST_COUNTED,
    PLAYED,
    PLAYED_ROUND,
    TIMES_PLAYED,
    USED,
    log_event,
    note_card,
)
from sim.games.imperium.rules.moving import move, return_unrest, take_from, take_unrest
from sim.games.imperium.rules.options import any_option, can_do
from sim.games.imperium.rules.stack import fire, may_do, note_passives, shows_state


@kernel
def follow_plays(
    g: Record, t: Record, players: Players, frame: int, at: int, operation: int, seat: int, optional: bool
) -> None:
    """Execute an instruction that finds, gives or plays cards, or returns unrest."""
    first = int(t.code[at, constants.A])
    second = int(t.code[at, constants.B])
    if operation == constants.FIND:
        find(g, t, players, seat, first, second, int(t.code[at, constants.C]))
    elif operation == constants.GIVE_CARD:
        give_cards(g, t, players, frame, seat, first, second)
    elif operation == constants.FREE_PLAY:
        g.option_count = 0
        offer_playable(g, t, seat, first, second)
        option = ask_card(g, t, players, seat, operation, optional)
        if option >= 0:
            play_card(g, t, seat, int(g.option_card[option]), constants.HAND, 1)
    elif operation == constants.PLAY_FROM_DISCARD:
        play_from_discard(g, t, players, seat, first, second)
    elif operation == constants.RETURN_UNREST:
        return_cards(g, t, players, frame, at, seat, optional)
    elif operation == constants.RETURN_SELF:
        own = int(g.frame[frame, FRAME_CARD])
        if is_in_play(g, seat, own):
            return_unrest(g, t, seat, own, constants.PLAY)


SEARCH_ORDER = (constants.HAND, constants.DISCARD_PILE, constants.DECK, constants.NATION)
"""Zones in the order in which a card is searched for (rulebook: Find)."""


@kernel
def means_one_name(t: Record, selector: int) -> bool:
    """Tell whether all cards that a selector selects have the same name."""
    name = -1
    for card in range(t.cards):
        if t.selector[selector, card] != 0:
            if name >= 0 and t.name[card] != name:
                return False
            name = int(t.name[card])
    return True


@kernel
def find(g: Record, t: Record, players: Players, seat: int, selector: int, zones: int, destination: int) -> None:
    """Let a seat search zones for a card, and move that card.

    A selector of a single name takes the first card of that name. Any other selector lets the seat choose among all
    cards in the zones. Decks that have been searched are shuffled.
    """
    g.option_count = 0
    exact = means_one_name(t, selector)
    searched = 0
    for zone in SEARCH_ORDER:
        if zones & (1 << zone) != 0 and not (exact and g.option_count > 0):
            searched |= 1 << zone
            offer_from(g, t, 0, constants.NO_CARD, seat, selector, 1 << zone)
    if exact:
        g.option_count = min(g.option_count, 1)
    option = ask_card(g, t, players, seat, constants.FIND, False)
    if option >= 0:
        card = int(g.option_card[option])
        log_event(g, FOUND, seat, card, destination, 0)
        show_card(g, card)
        move(g, t, seat, card, int(g.option_value[option]), destination)
    if searched & (1 << constants.DECK) != 0:
        shuffle_in(g, seat)
        shuffle(g, CHANCE, g.zone[seat, constants.DECK], g.zone_size[seat, constants.DECK])
    if searched & (1 << constants.NATION) != 0:
        shuffle_nation(g, seat)


@kernel
def give_cards(g: Record, t: Record, players: Players, frame: int, seat: int, zones: int, brings_unrest: int) -> None:
    """Let a seat give a card from some zones to every other player who has not avoided the attack.

    With a card that matches the selector `brings_unrest`, the player also gets an unrest card.
    """
    root = int(g.frame[frame, FRAME_ROOT])
    other = seat
    for _ in range(g.players - 1):
        if g.collapsed != 0:
            return
        other = seat_after(g, other)
        if g.frame[root, constants.SHIELDED] & ((1 << other) | (1 << (other + constants.EXCEPT_PROGRESS))) != 0:
            continue
        g.option_count = 0
        offer_from(g, t, root, constants.NO_CARD, seat, 0, zones)
        option = ask_card(g, t, players, seat, constants.GIVE_CARD, False)
        if option >= 0:
            card = int(g.option_card[option])
            log_event(g, GAVE, seat, card, other, 0)
            take_from(g, t, seat, int(g.option_value[option]), card)
            put(g, other, constants.HAND, card)
            show_card(g, card)
            note_card(g, other, card, GAINED_ROUND)
            if brings_unrest >= 0 and t.selector[brings_unrest, card] != 0:
                take_unrest(g, t, other)


@kernel
def offer_playable(g: Record, t: Record, seat: int, selector: int, ignores_state: int) -> None:
    """Offer the hand cards that match a selector and can be played now. `ignores_state` 1 disregards state icons."""
    held = g.ignores_state[seat]
    if ignores_state != 0:
        g.ignores_state[seat] = 3
    for place in range(g.zone_size[seat, constants.HAND]):
        card = int(g.zone[seat, constants.HAND, place])
        if t.selector[selector, card] != 0 and can_play(g, t, seat, card):
            offer(g, 0, card, constants.HAND, seat)
    g.ignores_state[seat] = held


@kernel
def play_from_discard(g: Record, t: Record, players: Players, seat: int, selector: int, actions: int) -> None:
    """Let a seat that has `actions` action tokens spend them to play a matching card from its discard pile."""
    if g.actions[seat] < actions:
        return
    g.option_count = 0
    for place in range(g.zone_size[seat, constants.DISCARD_PILE]):
        card = int(g.zone[seat, constants.DISCARD_PILE, place])
        if t.selector[selector, card] != 0 and can_play(g, t, seat, card):
            offer(g, 0, card, constants.DISCARD_PILE, seat)
    option = ask_card(g, t, players, seat, constants.PLAY_FROM_DISCARD, False)
    if option >= 0:
        g.actions[seat] -= actions
        play_card(g, t, seat, int(g.option_card[option]), constants.DISCARD_PILE, 1)


@kernel
def play_card(g: Record, t: Record, seat: int, card: int, source: int, free: int) -> None:
    """Play a card: move it to the play area.

    Push onto the stack what follows: the effect of the card, the abilities that the play triggers and, unless the card
    stays in play, its discard.
    """
    take_from(g, t, seat, source, card)
    put(g, seat, constants.PLAY, card)
    note_passives(g, t, seat, card)
    show_card(g, card)
    g.cards_played[seat] += 1
    log_event(g, PLAYED, seat, card, 2 if g.depth > 0 else free, source)
    note_card(g, seat, card, PLAYED_ROUND)
    if g.log.keeps_pieces != 0 and g.log.pieces[seat, card, TIMES_PLAYED] < MOST_COUNTED:
        g.log.pieces[seat, card, TIMES_PLAYED] += 1
    g.ignores_state[seat] = 0
    push_step(g, constants.FINISH_PLAY, seat, card, 0, 0)
    if t.play_triggers_first == 0:
        fire_play(g, t, seat, card, source)
    effect = -1
    if t.program[card, constants.PLAY_PROGRAM] != 0:
        effect = push(g, int(t.program[card, constants.PLAY_PROGRAM]), seat, card, -1)
    if t.play_triggers_first != 0:
        fire_play(g, t, seat, card, source)
    if t.attack[card] != 0 and effect >= 0:
        push_step(g, constants.ATTACKED, seat, card, effect, 0)


@kernel
def fire_play(g: Record, t: Record, seat: int, card: int, source: int) -> None:
    """Trigger the abilities in play that wait for a card to be played."""
    if source == constants.DISCARD_PILE:
        fire(g, t, seat, constants.YOU_PLAY_FROM_DISCARD, card, 0, 0)
    fire(g, t, seat, constants.YOU_PLAY, card, 0, 0)


@kernel
def return_cards(g: Record, t: Record, players: Players, frame: int, at: int, seat: int, optional: bool) -> None:
    """Let a seat return unrest to the pile, from some zones or from the garrison of the card itself."""
    root = int(g.frame[frame, FRAME_ROOT])
    number = int(t.code[at, constants.A])
    left = number if number != constants.ALL_OF else int(g.zone_size[seat, constants.GARRISON])
    for _ in range(left):
        g.option_count = 0
        if t.code[at, constants.D] != 0:
            offer_garrisoned(g, t, seat, 0, int(g.frame[frame, FRAME_CARD]), constants.NOTHING)
        else:
            offer_unrest(g, t, seat, int(t.code[at, constants.B]))
        option = ask_card(
            g, t, players, seat, constants.RETURN_UNREST, optional or t.code[at, constants.C] & constants.UP_TO != 0
        )
        if option < 0:
            return
        return_unrest(g, t, seat, int(g.option_card[option]), int(g.option_value[option]))
        g.frame[root, constants.RETURNED] += 1


@kernel
def offer_unrest(g: Record, t: Record, seat: int, zones: int) -> None:
    """Offer one unrest card per zone."""
    for zone in range(constants.ZONES):
        if zones & (1 << zone) != 0:
            for place in range(g.zone_size[seat, zone]):
                card = int(g.zone[seat, zone, place])
                if t.suits[card] & constants.UNREST != 0:
                    offer(g, 0, card, zone, seat)
                    break


@kernel
def use_ability(g: Record, t: Record, seat: int, card: int) -> None:
    """Use the exhaust ability of a card in play."""
    use(g, seat, card)
    log_event(g, USED, seat, card, 0, 0)
    push(g, int(t.program[card, constants.EXHAUST_PROGRAM]), seat, card, -1)


@kernel
def can_use(g: Record, t: Record, seat: int, card: int) -> bool:
    """Tell whether a seat can use the exhaust ability of a card in play, and pay its cost in full."""
    at = int(t.program[card, constants.EXHAUST_PROGRAM])
    if at == 0 or g.exhausted[card] != 0 or g.exhausts[seat] == 0:
        return False
    # The token that exhausts the card cannot also pay for a reaction that lowers the cost.
    g.exhausts[seat] -= 1
    can = can_do(g, t, 0, seat, card, at)
    g.exhausts[seat] += 1
    return can


@kernel
def can_play(g: Record, t: Record, seat: int, card: int) -> bool:
    """Tell whether a seat may play a card: its state icon, its requirements and its mandatory payments allow this."""
    return bool(
        t.unplayable[card] == 0 and shows_state(g, t, seat, card) and meets_requirements(g, t, seat, card)
    ) and can_pay_for_effect(g, t, seat, card)


@kernel
def can_pay_for_effect(g: Record, t: Record, seat: int, card: int) -> bool:
    """Tell whether a seat can make the payments that are mandatory when it plays a card (rulebook: Pay)."""
    if t.play_asks[card] == 0:
        return True
    if t.unpayable_forbids == constants.FORBIDS_NOTHING and t.suits[card] & constants.UNREST == 0:
        return True
    at = int(t.program[card, constants.PLAY_PROGRAM])
    while t.code[at, constants.OPERATION] != constants.END:
        operation = t.code[at, constants.OPERATION]
        if operation == constants.PAY and not payable(g, t, 0, seat, card, at, at + 1):
            return False
        if operation == constants.COST and forbids(t, at):
            in_full = t.unpayable_forbids == constants.FORBIDS_ALL or t.suits[card] & constants.UNREST != 0
            if in_full and not can_do(g, t, 0, seat, card, at):
                return False
            if not in_full and not tokens_are_there(g, t, seat, at + 1, int(t.code[at, constants.A])):
                return False
        if operation == constants.CHOOSE and forbids(t, at) and not any_option(g, t, 0, seat, card, at):
            return False
        at = int(t.code[at, constants.NEXT])
    return True


@kernel
def forbids(t: Record, at: int) -> bool:
    """Tell whether a player must be able to pay the cost, or an option of the choice, at row `at` to play the card."""
    return bool(t.unpayable_forbids == constants.FORBIDS_ALL or takes_payment(t, at))


@kernel
def takes_payment(t: Record, at: int) -> bool:
    """Tell whether a cost, or an option of a choice, contains a payment of a resource."""
    end = t.code[at, constants.A] if t.code[at, constants.OPERATION] == constants.COST else t.code[at, constants.NEXT]
    for place in range(at + 1, end):
        if t.code[place, constants.OPERATION] == constants.PAY:
            return True
    return False


@kernel
def is_free_play(g: Record, t: Record, seat: int, card: int) -> bool:
    """Tell whether a seat can play a card without spending an action."""
    if t.free_play[card] != 0:
        return True
    if not may_do(g, seat, constants.PLAYS_FREE):
        return False
    for place in range(g.zone_size[seat, constants.PLAY]):
        selector = t.plays_free[g.zone[seat, constants.PLAY, place]]
        if selector >= 0 and t.selector[selector, card] != 0:
            return True
    return False
