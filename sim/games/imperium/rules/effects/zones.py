"""Effects on cards in zones: history, exile, sinking, garrisons, abandoning and recalling."""

from __future__ import annotations

from sim.compiler.kernel import Record, kernel
from sim.engine.decide import Players
from sim.engine.effect_stack import FRAME_CARD, FRAME_ROOT, FRAME_SEAT, push
from sim.engine.options import offer
from sim.engine.rng import CHANCE, shuffle
from sim.engine.zones import take_at
from sim.games.imperium.rules import constants
from sim.games.imperium.rules.choices import ask_card, offer_from, offer_garrisoned, offer_pinned
from sim.games.imperium.rules.counting import active_quest, icons_of, regions_in
from sim.games.imperium.rules.effects.hand import move_drawn_cards
from sim.games.imperium.rules.knowledge import shuffle_in
from sim.games.imperium.rules.market import exile_from_market
from sim.games.imperium.rules.moving import abandon, exile, garrison, lay, leave_play, move, recall


@kernel
def is_in_play(g: Record, seat: int, card: int) -> bool:
    """Tell whether a card is in a seat's play area."""
    for place in range(g.zone_size[seat, constants.PLAY]):
        if g.zone[seat, constants.PLAY, place] == card:
            return True
    return False


@kernel
def follow_zones(
    g: Record, t: Record, players: Players, frame: int, at: int, operation: int, seat: int, optional: bool
) -> None:
    """Execute an instruction that moves cards between zones."""
    own = int(g.frame[frame, FRAME_CARD])
    first = int(t.code[at, constants.A])
    second = int(t.code[at, constants.B])
    third = int(t.code[at, constants.C])
    if operation == constants.TO_HISTORY:
        put_into_history(g, t, players, frame, at, seat, optional)
    elif operation == constants.EXILE_MARKET:
        g.asked = operation
        for _ in range(first):
            exile_from_market(g, t, players, seat)
    elif operation == constants.EXILE_HAND:
        exile_from_hand(g, t, players, frame, seat, first)
    elif operation == constants.EXILE_CARD:
        exile_card(g, t, frame, seat, first)
    elif operation == constants.SINK:
        sink(g, t, players, frame, seat, first, second, third)
    elif operation == constants.GARRISON_HERE:
        for _ in range(second):
            garrison_here(g, t, players, seat, own, first, optional)
    elif operation == constants.GARRISON_SELF:
        garrison_self(g, t, players, seat, own, first, optional)
    elif operation == constants.ABANDON:
        abandon_cards(g, t, players, frame, at, seat)
    elif operation == constants.ABANDON_GARRISONED:
        for _ in range(second):
            g.option_count = 0
            offer_garrisoned(g, t, seat, first, constants.NO_CARD, third)
            move_chosen(g, t, players, seat, operation, constants.DISCARD_PILE)
    elif operation == constants.RECALL:
        recall_cards(g, t, players, frame, seat, first, second, optional)
    elif operation == constants.RECALL_GARRISONED:
        g.option_count = 0
        offer_garrisoned(g, t, seat, first, own, constants.NOTHING)
        move_chosen(g, t, players, seat, operation, constants.HAND)


@kernel
def move_chosen(g: Record, t: Record, players: Players, seat: int, operation: int, zone: int) -> None:
    """Let a seat choose one of the offered cards, and move the card to a zone."""
    option = ask_card(g, t, players, seat, operation, False)
    if option >= 0:
        move(g, t, seat, int(g.option_card[option]), int(g.option_value[option]), zone)


@kernel
def put_into_history(g: Record, t: Record, players: Players, frame: int, at: int, seat: int, optional: bool) -> None:
    """Put cards into the history: the card itself, the drawn cards, all cards that match a selector, or chosen ones."""
    root = int(g.frame[frame, FRAME_ROOT])
    own = int(g.frame[frame, FRAME_CARD])
    selector = int(t.code[at, constants.A])
    number = int(t.code[at, constants.C])
    if selector == constants.SELF:
        if is_in_play(g, seat, own):
            leave_play(g, t, seat, own, constants.HISTORY)
    elif selector == constants.DRAWN_IT:
        move_drawn_cards(g, t, root, seat, constants.HISTORY)
    elif number == constants.ALL_OF:
        put_all_into_history(g, t, seat, selector, int(t.code[at, constants.B]))
    else:
        for _ in range(number):
            g.option_count = 0
            offer_from(g, t, root, own, seat, selector, int(t.code[at, constants.B]))
            option = ask_card(
                g, t, players, seat, constants.TO_HISTORY, optional or t.code[at, constants.D] & constants.UP_TO != 0
            )
            if option < 0:
                return
            move(g, t, seat, int(g.option_card[option]), int(g.option_value[option]), constants.HISTORY)


@kernel
def put_all_into_history(g: Record, t: Record, seat: int, selector: int, zones: int) -> None:
    """Put all matching cards of some zones into the history. Then shuffle the draw deck if it is one of these zones."""
    for zone in range(constants.ZONES):
        if zones & (1 << zone) != 0:
            for place in range(g.zone_size[seat, zone] - 1, -1, -1):
                card = int(g.zone[seat, zone, place])
                if t.selector[selector, card] != 0:
                    take_at(g, seat, zone, place)
                    lay(g, t, seat, card, constants.HISTORY)
    if zones & (1 << constants.DECK) != 0:
        shuffle_in(g, seat)
        shuffle(g, CHANCE, g.zone[seat, constants.DECK], g.zone_size[seat, constants.DECK])


@kernel
def exile_from_hand(g: Record, t: Record, players: Players, frame: int, seat: int, selector: int) -> None:
    """Let a seat exile a hand card that matches a selector."""
    g.option_count = 0
    offer_from(g, t, int(g.frame[frame, FRAME_ROOT]), constants.NO_CARD, seat, selector, 1 << constants.HAND)
    option = ask_card(g, t, players, seat, constants.EXILE_HAND, False)
    if option >= 0:
        card = int(g.option_card[option])
        exile(g, t, seat, card, constants.HAND)
        g.frame[g.frame[frame, FRAME_ROOT], constants.EXILED_CARD] = card + 1


@kernel
def exile_card(g: Record, t: Record, frame: int, seat: int, selector: int) -> None:
    """Exile the card itself, the active quest, or a card in play without tokens.

    `SELF` exiles the card itself. Any other selector exiles the active quest if the quest matches. If not, it exiles
    the first card in play that matches and has no tokens.
    """
    if selector == constants.SELF:
        own = int(g.frame[frame, FRAME_CARD])
        if is_in_play(g, seat, own):
            exile(g, t, seat, own, constants.PLAY)
        return
    quest = active_quest(g, t, seat)
    if quest != constants.NO_CARD and t.selector[selector, quest] != 0:
        exile(g, t, seat, quest, constants.GARRISON)
        return
    for place in range(g.zone_size[seat, constants.PLAY]):
        card = int(g.zone[seat, constants.PLAY, place])
        if t.selector[selector, card] != 0 and g.exhausted[card] == 0 and g.stored[card] == 0:
            exile(g, t, seat, card, constants.PLAY)
            return


@kernel
def sink(g: Record, t: Record, players: Players, frame: int, seat: int, selector: int, zone: int, number: int) -> None:
    """Sink the card itself, or `number` cards that the seat chooses in a zone."""
    own = int(g.frame[frame, FRAME_CARD])
    if selector == constants.SELF:
        if is_in_play(g, seat, own):
            leave_play(g, t, seat, own, constants.SUNKEN)
        return
    for _ in range(number):
        g.option_count = 0
        offer_from(g, t, int(g.frame[frame, FRAME_ROOT]), own, seat, selector, 1 << zone)
        move_chosen(g, t, players, seat, constants.SINK, constants.SUNKEN)


@kernel
def garrison_here(g: Record, t: Record, players: Players, seat: int, own: int, selector: int, optional: bool) -> None:
    """Let a seat garrison a hand card under the card `own`, if `own` is in play."""
    if not is_in_play(g, seat, own):
        return
    g.option_count = 0
    for place in range(g.zone_size[seat, constants.HAND]):
        card = int(g.zone[seat, constants.HAND, place])
        if t.selector[selector, card] != 0 and t.no_garrison[card] == 0:
            offer(g, 0, card, constants.HAND, seat)
    option = ask_card(g, t, players, seat, constants.GARRISON_HERE, optional)
    if option >= 0:
        garrison(g, t, seat, int(g.option_card[option]), constants.HAND, own)


@kernel
def garrison_self(g: Record, t: Record, players: Players, seat: int, own: int, selector: int, optional: bool) -> None:
    """Let a seat garrison the card `own` under another card in play, then resolve the play effect of that host."""
    if not is_in_play(g, seat, own):
        return
    g.option_count = 0
    for place in range(g.zone_size[seat, constants.PLAY]):
        host = int(g.zone[seat, constants.PLAY, place])
        if host != own and t.selector[selector, host] != 0:
            offer(g, 0, host, constants.PLAY, seat)
    option = ask_card(g, t, players, seat, constants.GARRISON_SELF, optional)
    if option >= 0:
        host = int(g.option_card[option])
        garrison(g, t, seat, own, constants.PLAY, host)
        if t.program[host, constants.PLAY_PROGRAM] != 0:
            push(g, int(t.program[host, constants.PLAY_PROGRAM]), seat, host, -1)


@kernel
def abandon_cards(g: Record, t: Record, players: Players, frame: int, at: int, seat: int) -> None:
    """Let a seat abandon cards in play: the number that the instruction states, or fewer if there are not enough."""
    root = int(g.frame[frame, FRAME_ROOT])
    optional = t.code[at, constants.C] & constants.UP_TO != 0
    selector = int(t.code[at, constants.A])
    left = int(t.code[at, constants.B])
    while left > 0:
        g.option_count = 0
        offer_pinned(g, t, int(g.frame[frame, FRAME_CARD]), seat, selector, int(t.code[at, constants.D]))
        option = ask_card(g, t, players, seat, constants.ABANDON, optional)
        if option < 0:
            return
        card = int(g.option_card[option])
        remember_icons(g, t, root, seat, card)
        if selector == constants.SELF:
            # The effect itself says what happens to the tokens on the card.
            g.frame[root, constants.AMOUNT_GAINED] = g.stored[card]
            g.stored[card] = 0
        abandon(g, t, seat, card)
        counts_as = regions_in(t, selector, card)
        left -= counts_as
        g.frame[root, constants.ABANDONED] += counts_as
        g.frame[root, constants.ABANDONED_CARD] = card


@kernel
def remember_icons(g: Record, t: Record, root: int, seat: int, card: int) -> None:
    """Remember the region icons of a card that leaves play by an effect of its own player.

    Material that the effect gains counts as coming from these icons.
    """
    if seat != g.frame[root, FRAME_SEAT]:
        return
    g.frame[root, constants.ICONS_USED] |= icons_of(t, card)


@kernel
def recall_cards(
    g: Record, t: Record, players: Players, frame: int, seat: int, selector: int, number: int, optional: bool
) -> None:
    """Let a seat recall `number` cards in play, or fewer if there are not enough."""
    for _ in range(number):
        g.option_count = 0
        offer_pinned(g, t, int(g.frame[frame, FRAME_CARD]), seat, selector, constants.NOTHING)
        option = ask_card(g, t, players, seat, constants.RECALL, optional)
        if option < 0:
            return
        card = int(g.option_card[option])
        remember_icons(g, t, int(g.frame[frame, FRAME_ROOT]), seat, card)
        recall(g, t, seat, card)
