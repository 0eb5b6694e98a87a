"""Playing trade cards when their condition is met (rulebook: Trade cards).

A window is a stage of a turn in which a seat may play trade cards: before an action is carried out, or in response to
an intrigue.
"""

from __future__ import annotations

from sim.compiler.kernel import Record, kernel
from sim.engine.options import offer
from sim.games.glory_of_rome.rules import constants
from sim.games.glory_of_rome.rules.glory import gain_denarii, gain_glory
from sim.games.glory_of_rome.rules.hands import (
    draw_cards,
    draw_mission,
    lay_on_discard,
    room,
    take_discarded,
    take_from_hand,
)
from sim.games.glory_of_rome.rules.log import (
    ANCHOR_REMOVED,
    CARD_PLAYED,
    PLAYED_ROUND,
    RECRUITED,
    SETS_ALLOWED,
    log_event,
    mark,
)
from sim.games.glory_of_rome.rules.state import HAND_PLACES

RECRUITED_LEGIONS, RECRUITED_VOTES = 0, 1
NOT_POSSIBLE = -1
ORDER_BASE = HAND_PLACES + 1
"""An order in which cards are played is encoded as a number in this base, with one digit per card."""
MOST_PLAYS = 24
"""Maximum number of trade cards that can be played before one action. The limit is needed: if nearly all other cards
were in sets, two cards that draw could keep fetching each other from the reshuffled deck."""


@kernel
def fits_condition(g: Record, when: int) -> bool:
    """Tell whether the action in progress meets the condition `when` of a trade card."""
    if g.stage == constants.RESPOND:
        return when == constants.INTRIGUE_IN_OWN_PROVINCE
    kind = g.act_kind
    if kind == constants.ACTIVATE:
        return when == constants.ACTIVATE_INTRIGUE
    if kind == constants.PLACE_TILE:
        return when == constants.BUILD
    if kind == constants.TAKE_TAX:
        return bool(when == constants.DOUBLE_TAX and g.act_value != 0)
    if kind != constants.PLACE_FOLLOWER:
        return False
    if when == constants.FOLLOWER_COLOSSEUM:
        return bool(g.act_card == constants.COLOSSEUM)
    if when == constants.FOLLOWER_ECONOMIC:
        return bool(g.act_card == constants.ECONOMIC)
    return when == constants.FOLLOWER


@kernel
def can_play(g: Record, t: Record, seat: int, place: int) -> bool:
    """Tell whether a seat can play the card at an index of its hand in the open window.

    The card's effect must be possible in full. If another card's effect has drawn the card, both must have the same
    condition. With the setting `mixed_conditions` "one condition", all cards played in a window must have the same
    condition.
    """
    card = int(g.hand[seat, place])
    when = int(t.when[card])
    if when == constants.NEVER or not fits_condition(g, when) or g.window_plays >= MOST_PLAYS:
        return False
    if not continues(int(g.fresh[seat, place]), when):
        return False
    if t.mixed_conditions != 0 and not continues(int(g.window_when), when):
        return False
    return can_take_effect(g, t, seat, card)


@kernel
def continues(first: int, when: int) -> bool:
    """Tell whether condition `when` can follow `first`: both are the same, or `first` is NEVER."""
    return first in (constants.NEVER, when)


@kernel
def can_take_effect(g: Record, t: Record, seat: int, card: int) -> bool:
    """Tell whether the whole effect of a hand card is possible once the card has left the hand."""
    effect = t.effect[card]
    if effect[constants.TAKE_DISCARD] > g.discard_size or effect[constants.MISSIONS] > g.mission_size:
        return False
    if effect[constants.RECRUIT_LEGIONS] > legions_to_recruit(g, t, seat):
        return False
    if effect[constants.RECRUIT_VOTES] > votes_to_recruit(g, t, seat):
        return False
    if effect[constants.REMOVE_ANCHOR] > g.anchor[seat]:
        return False
    if effect[constants.DRAW] > g.trade_size + g.discard_size - effect[constants.TAKE_DISCARD]:
        return False
    brought = effect[constants.DRAW] + effect[constants.TAKE_DISCARD]
    free = room(g, t, seat) + 1 + effect[constants.REMOVE_ANCHOR]
    return bool(brought <= free or (t.draw_beyond_limit != 0 and (effect[constants.DRAW] == 0 or free > 0)))


@kernel
def legions_to_recruit(g: Record, t: Record, seat: int) -> int:
    """Return the number of a seat's legions that have not been recruited."""
    count = int(t.legion_limit - g.board_legions[seat])
    for region in range(g.legions.shape[0]):
        count -= int(g.legions[region, seat])
    return count


@kernel
def votes_to_recruit(g: Record, t: Record, seat: int) -> int:
    """Return the number of a seat's votes that have not been recruited."""
    count = int(t.vote_limit - g.board_votes[seat])
    for place in range(g.senate_size):
        count -= int(g.senate[place] == seat)
    return count


@kernel
def brings(t: Record, card: int, when: int, effect: int) -> bool:
    """Tell whether a trade card has the condition `when` and brings something of the kind `effect`."""
    return bool(t.when[card] == when and t.effect[card, effect] > 0)


@kernel
def most_brought(g: Record, t: Record, seat: int, when: int, effect: int, first: int) -> int:
    """Return the most that a seat can gain of one kind, such as denarii, by playing trade cards with condition `when`.

    `effect` is the kind, an index in `constants.TRADE_EFFECTS`.

    `first` is the index in the hand of the card to play first, or NO_CARD if any card may come first. All orders are
    tried, because one card may prevent or enable another. Cards drawn in between do not count, because they are
    unknown.
    """
    fixed = int(first != constants.NO_CARD)
    # The digits of `order` are indices of the hand plus 1; the lowest digit is played first.
    order, power, played, digit = (first + 1) * fixed, ORDER_BASE**fixed, fixed, 1
    best = brought_in_order(g, t, seat, order, effect)
    while True:
        if digit > g.hand_size[seat]:
            if played == fixed:
                return best
            power //= ORDER_BASE
            digit = order // power + 1
            order %= power
            played -= 1
            continue
        brought = NOT_POSSIBLE
        if brings(t, int(g.hand[seat, digit - 1]), when, effect) and not is_in_order(order, digit):
            brought = brought_in_order(g, t, seat, order + digit * power, effect)
        if brought == NOT_POSSIBLE:
            digit += 1
        else:
            best = max(best, brought)
            order += digit * power
            power *= ORDER_BASE
            played += 1
            digit = 1


@kernel
def is_in_order(order: int, digit: int) -> bool:
    """Tell whether an order of plays (see `ORDER_BASE`) contains a card, given by its digit."""
    while order > 0:
        if order % ORDER_BASE == digit:
            return True
        order //= ORDER_BASE
    return False


@kernel
def brought_in_order(g: Record, t: Record, seat: int, order: int, effect: int) -> int:
    """Return how much of the kind `effect` trade cards bring if they are played in this order (see `ORDER_BASE`).

    Return NOT_POSSIBLE if one of them cannot be played.
    """
    hand_size, anchor = g.hand_size[seat], g.anchor[seat]
    legions, votes = g.board_legions[seat], g.board_votes[seat]
    trade_size, discard_size, mission_size = g.trade_size, g.discard_size, g.mission_size
    brought = 0
    while order > 0 and brought != NOT_POSSIBLE:
        card = int(g.hand[seat, order % ORDER_BASE - 1])
        order //= ORDER_BASE
        if can_take_effect(g, t, seat, card):
            count_effect(g, t, seat, card)
            brought += int(t.effect[card, effect])
        else:
            brought = NOT_POSSIBLE
    # Restore everything that `count_effect` has changed.
    g.hand_size[seat], g.anchor[seat] = hand_size, anchor
    g.board_legions[seat], g.board_votes[seat] = legions, votes
    g.trade_size, g.discard_size, g.mission_size = trade_size, discard_size, mission_size
    return brought


@kernel
def count_effect(g: Record, t: Record, seat: int, card: int) -> None:
    """Apply those effects of a trade card that matter for the cards played after it.

    Only counts change; no card is drawn.
    """
    effect = t.effect[card]
    g.hand_size[seat] -= 1
    g.anchor[seat] -= effect[constants.REMOVE_ANCHOR]
    g.board_legions[seat] += effect[constants.RECRUIT_LEGIONS]
    g.board_votes[seat] += effect[constants.RECRUIT_VOTES]
    g.mission_size -= effect[constants.MISSIONS]
    taken = min(int(effect[constants.TAKE_DISCARD]), room(g, t, seat))
    g.discard_size -= taken
    g.hand_size[seat] += taken
    drawn = min(int(effect[constants.DRAW]), room(g, t, seat))
    g.hand_size[seat] += drawn
    if drawn > g.trade_size:
        g.trade_size += g.discard_size
        g.discard_size = 0
    g.trade_size -= drawn
    g.discard_size += 1


@kernel
def votes_after_recruiting(g: Record, t: Record, seat: int) -> int:
    """Return the votes on a seat's board, plus those that trade cards can recruit when the seat places a follower."""
    return int(
        g.board_votes[seat] + most_brought(g, t, seat, constants.FOLLOWER, constants.RECRUIT_VOTES, constants.NO_CARD)
    )


@kernel
def offer_plays(g: Record, t: Record, seat: int) -> None:
    """Offer the trade cards that a seat can play in the open window."""
    for place in range(g.hand_size[seat]):
        if can_play(g, t, seat, place):
            offer(g, constants.PLAY, int(g.hand[seat, place]), place, seat)


@kernel
def has_play(g: Record, t: Record, seat: int) -> bool:
    """Tell whether a seat can play any trade card in the open window."""
    for place in range(g.hand_size[seat]):
        if can_play(g, t, seat, place):
            return True
    return False


@kernel
def open_window(g: Record, seat: int) -> None:
    """Open a window for trade cards. No card in the hand counts as drawn by an effect in this window."""
    g.window_when = constants.NEVER
    g.window_plays = 0
    for place in range(g.hand_size[seat]):
        g.fresh[seat, place] = constants.NEVER


@kernel
def play_card(g: Record, t: Record, seat: int, place: int) -> None:
    """Play a trade card for its effect, then discard it."""
    card = take_from_hand(g, seat, place)
    when = int(t.when[card])
    if g.window_when == constants.NEVER:
        g.window_when = when
    g.window_plays += 1
    log_event(g, CARD_PLAYED, seat, 0, card, 0, 0)
    mark(g, seat, card, PLAYED_ROUND, int(g.round_number))
    g.cards_played[seat] += 1
    take_effect(g, t, seat, card, when)
    lay_on_discard(g, card)


@kernel
def take_effect(g: Record, t: Record, seat: int, card: int, when: int) -> None:
    """Carry out the effect of a trade card."""
    effect = t.effect[card]
    if effect[constants.REMOVE_ANCHOR] != 0:
        g.anchor[seat] = 0
        log_event(g, ANCHOR_REMOVED, seat, 0, card, 0, 0)
    if effect[constants.DENARII] != 0:
        gain_denarii(g, seat, int(effect[constants.DENARII]))
    if effect[constants.GLORY] != 0:
        gain_glory(g, t, seat, int(effect[constants.GLORY]))
    if effect[constants.RECRUIT_LEGIONS] != 0:
        g.board_legions[seat] += effect[constants.RECRUIT_LEGIONS]
        log_event(g, RECRUITED, seat, RECRUITED_LEGIONS, card, 0, int(effect[constants.RECRUIT_LEGIONS]))
    if effect[constants.RECRUIT_VOTES] != 0:
        g.board_votes[seat] += effect[constants.RECRUIT_VOTES]
        log_event(g, RECRUITED, seat, RECRUITED_VOTES, card, 0, int(effect[constants.RECRUIT_VOTES]))
    take_discarded(g, t, seat, int(effect[constants.TAKE_DISCARD]), when)
    draw_cards(g, t, seat, int(effect[constants.DRAW]), when)
    for _ in range(effect[constants.MISSIONS]):
        draw_mission(g, seat)
    if effect[constants.SETS] != 0:
        g.set_limit[seat] += effect[constants.SETS]
        log_event(g, SETS_ALLOWED, seat, 0, card, 0, int(effect[constants.SETS]))
