"""Playing trade cards under their condition (rulebook: Trade cards)."""

from __future__ import annotations

from sim.games.glory_of_rome import words
from sim.games.glory_of_rome.glory import gain_denarii, gain_glory
from sim.games.glory_of_rome.hands import draw_cards, draw_mission, lay_on_discard, room, take_discarded, take_from_hand
from sim.games.glory_of_rome.log import ANCHOR_REMOVED, CARD_PLAYED, PLAYED_ROUND, RECRUITED, SETS_ALLOWED, mark, note
from sim.jit import Record, kernel
from sim.kit.options import offer

RECRUITED_LEGIONS, RECRUITED_VOTES = 0, 1
MOST_PLAYS = 24
"""Trade cards played at most before one action: with nearly all of them in sets, two that draw could fetch each other
from the renewed deck for ever."""


@kernel
def fits_condition(g: Record, when: int) -> bool:
    """Tell whether what is being done meets the condition of a trade card."""
    if g.stage == words.RESPOND:
        return when == words.INTRIGUE_IN_OWN_PROVINCE
    kind = g.act_kind
    if kind == words.ACTIVATE:
        return when == words.ACTIVATE_INTRIGUE
    if kind == words.PLACE_TILE:
        return when == words.BUILD
    if kind == words.TAKE_TAX:
        return bool(when == words.DOUBLE_TAX and g.act_value != 0)
    if kind != words.PLACE_FOLLOWER:
        return False
    if when == words.FOLLOWER_COLOSSEUM:
        return bool(g.act_card == words.COLOSSEUM)
    if when == words.FOLLOWER_ECONOMIC:
        return bool(g.act_card == words.ECONOMIC)
    return when == words.FOLLOWER


@kernel
def can_play(g: Record, t: Record, seat: int, place: int) -> bool:
    """Tell whether a seat can play the card in a place of its hand in the window that is open.

    A card drawn by another one's effect needs the same condition as that one. Its effect must be possible in full.
    """
    card = int(g.hand[seat, place])
    when = int(t.when[card])
    if when == words.NEVER or not fits_condition(g, when) or g.window_plays >= MOST_PLAYS:
        return False
    if not continues(int(g.fresh[seat, place]), when):
        return False
    if t.mixed_conditions != 0 and not continues(int(g.window_when), when):
        return False
    return can_take_effect(g, t, seat, card)


@kernel
def continues(first: int, when: int) -> bool:
    """Tell whether a condition goes on from an earlier one: there was none, or it was the same."""
    return first in (words.NEVER, when)


@kernel
def can_take_effect(g: Record, t: Record, seat: int, card: int) -> bool:
    """Tell whether the effect of a card in a hand is possible in full, once the card has left the hand."""
    effect = t.effect[card]
    if effect[words.TAKE_DISCARD] > g.discard_size or effect[words.MISSIONS] > g.mission_size:
        return False
    if effect[words.RECRUIT_LEGIONS] > legions_to_recruit(g, t, seat):
        return False
    if effect[words.RECRUIT_VOTES] > votes_to_recruit(g, t, seat):
        return False
    if effect[words.REMOVE_ANCHOR] > g.anchor[seat]:
        return False
    if effect[words.DRAW] > g.trade_size + g.discard_size - effect[words.TAKE_DISCARD]:
        return False
    brought = effect[words.DRAW] + effect[words.TAKE_DISCARD]
    free = room(g, t, seat) + 1 + effect[words.REMOVE_ANCHOR]
    return bool(brought <= free or (t.draw_beyond_limit != 0 and (effect[words.DRAW] == 0 or free > 0)))


@kernel
def legions_to_recruit(g: Record, t: Record, seat: int) -> int:
    """Legions of a seat that are not recruited yet."""
    count = int(t.legion_limit - g.board_legions[seat])
    for region in range(g.legions.shape[0]):
        count -= int(g.legions[region, seat])
    return count


@kernel
def votes_to_recruit(g: Record, t: Record, seat: int) -> int:
    """Votes of a seat that it does not have yet."""
    count = int(t.vote_limit - g.board_votes[seat])
    for place in range(g.senate_size):
        count -= int(g.senate[place] == seat)
    return count


@kernel
def brings_only(t: Record, card: int, when: int, effect: int) -> bool:
    """Tell whether a trade card has a condition of play, and an effect of one kind and no other."""
    if t.when[card] != when or t.effect[card, effect] <= 0:
        return False
    for other in range(t.effect.shape[1]):
        if other != effect and t.effect[card, other] != 0:
            return False
    return True


@kernel
def votes_after_recruiting(g: Record, t: Record, seat: int) -> int:
    """Votes a seat has on its board, with those that trade cards can recruit as it places a follower."""
    recruited, largest = 0, 1
    for place in range(g.hand_size[seat]):
        if brings_only(t, int(g.hand[seat, place]), words.FOLLOWER, words.RECRUIT_VOTES):
            number = int(t.effect[g.hand[seat, place], words.RECRUIT_VOTES])
            recruited += number
            largest = max(largest, number)
    most = votes_to_recruit(g, t, seat)
    if recruited > most:
        # A card whose votes are not all there cannot be played: of several, which ones can would hang on their order.
        recruited = most if largest == 1 else 0
    return int(g.board_votes[seat]) + recruited


@kernel
def offer_plays(g: Record, t: Record, seat: int) -> None:
    """Offer the trade cards that a seat can play in the window that is open."""
    for place in range(g.hand_size[seat]):
        if can_play(g, t, seat, place):
            offer(g, words.PLAY, int(g.hand[seat, place]), place, seat)


@kernel
def has_play(g: Record, t: Record, seat: int) -> bool:
    """Tell whether a seat can play a trade card in the window that is open."""
    for place in range(g.hand_size[seat]):
        if can_play(g, t, seat, place):
            return True
    return False


@kernel
def open_window(g: Record, seat: int) -> None:
    """Open a window for trade cards: none in the hand has been drawn by an effect in it."""
    g.window_when = words.NEVER
    g.window_plays = 0
    for place in range(g.hand_size[seat]):
        g.fresh[seat, place] = words.NEVER


@kernel
def play_card(g: Record, t: Record, seat: int, place: int) -> None:
    """Play a trade card for its effect; it comes onto the discard pile after that."""
    card = take_from_hand(g, seat, place)
    when = int(t.when[card])
    if g.window_when == words.NEVER:
        g.window_when = when
    g.window_plays += 1
    note(g, CARD_PLAYED, seat, 0, card, 0, 0)
    mark(g, seat, card, PLAYED_ROUND, int(g.round_number))
    g.cards_played[seat] += 1
    take_effect(g, t, seat, card, when)
    lay_on_discard(g, card)


@kernel
def take_effect(g: Record, t: Record, seat: int, card: int, when: int) -> None:
    """Carry out the effect of a trade card."""
    effect = t.effect[card]
    if effect[words.REMOVE_ANCHOR] != 0:
        g.anchor[seat] = 0
        note(g, ANCHOR_REMOVED, seat, 0, card, 0, 0)
    if effect[words.DENARII] != 0:
        gain_denarii(g, seat, int(effect[words.DENARII]))
    if effect[words.GLORY] != 0:
        gain_glory(g, t, seat, int(effect[words.GLORY]))
    if effect[words.RECRUIT_LEGIONS] != 0:
        g.board_legions[seat] += effect[words.RECRUIT_LEGIONS]
        note(g, RECRUITED, seat, RECRUITED_LEGIONS, card, 0, int(effect[words.RECRUIT_LEGIONS]))
    if effect[words.RECRUIT_VOTES] != 0:
        g.board_votes[seat] += effect[words.RECRUIT_VOTES]
        note(g, RECRUITED, seat, RECRUITED_VOTES, card, 0, int(effect[words.RECRUIT_VOTES]))
    take_discarded(g, t, seat, int(effect[words.TAKE_DISCARD]), when)
    draw_cards(g, t, seat, int(effect[words.DRAW]), when)
    for _ in range(effect[words.MISSIONS]):
        draw_mission(g, seat)
    if effect[words.SETS] != 0:
        g.set_limit[seat] += effect[words.SETS]
        note(g, SETS_ALLOWED, seat, 0, card, 0, int(effect[words.SETS]))
