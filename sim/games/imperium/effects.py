"""What cards do: the interpreter of the effect code (see `vocabulary.py`).

`resolve` takes the top frame of the stack, follows one instruction of it, and goes on until the stack is empty. Most
instructions are done at once; those that draw or take several cards, one after the other, so that what others wait for
comes in between.
"""

from __future__ import annotations

from sim.choosing import Players, choose
from sim.games.imperium.choices import (
    active_quest,
    any_option,
    ask_card,
    can_do,
    can_play,
    can_react,
    counted,
    holds,
    icons_counted,
    offer,
    offer_from,
    offer_garrisoned,
    offer_pinned,
    option_is_open,
    payable,
)
from sim.games.imperium.drawing import (
    advance,
    become,
    develop,
    draw,
    look_at_fame,
    take_top_fame,
    trigger_scoring,
    turn_king_of_kings,
)
from sim.games.imperium.log import (
    FLIPPED,
    FOUND,
    GAINED_ACTION,
    GAVE,
    PLAYED,
    PLAYED_ROUND,
    REACTED,
    SHIELDED_BY,
    STOLEN,
    TIMES_PLAYED,
    TOOK_BACK,
    TOP_DECKED,
    USED,
    note,
    note_card,
)
from sim.games.imperium.market import (
    acquire,
    break_through,
    exile_from_market,
    gain,
    gain_with,
    gamble,
    list_acquisitions,
    list_break_through,
    place_on_market,
    swap_with_exile,
)
from sim.games.imperium.moving import (
    abandon,
    exile,
    garrison,
    lay,
    leave_play,
    move,
    recall,
    return_unrest,
    take_from,
    take_unrest,
)
from sim.games.imperium.payment import can_pay, pay, progress_needed, unrest_due
from sim.games.imperium.stack import fire, is_in_zone, push, push_step, waits_for
from sim.games.imperium.state import (
    ABANDONED,
    ABANDONED_CARD,
    ALTERNATIVE,
    AMOUNT,
    AMOUNT_GAINED,
    ATTACKED,
    DECK,
    DEVELOPMENT,
    DISCARD,
    DISCARDED,
    DRAWN,
    DRAWN_CARD,
    DRAWN_CARDS,
    EMPIRE,
    EXILED_CARD,
    FINISH_PLAY,
    FIRE,
    FRAME_AT,
    FRAME_CARD,
    FRAME_LEFT,
    FRAME_ROOT,
    FRAME_SEAT,
    FRAME_VALUE,
    GARRISON,
    HAND,
    HISTORY,
    ICONS_USED,
    KING_OF_KINGS,
    MATERIAL,
    NATION,
    NO_CARD,
    PAID,
    PLAY,
    POPULATION,
    PROGRESS,
    PROTECT,
    REGION,
    RETURNED,
    SHIELDED,
    SUNKEN,
    UNREST,
    WHETHER,
    ZONES,
    put,
    seat_after,
    take_at,
    take_out,
)
from sim.games.imperium.vocabulary import (
    ABANDON,
    ABANDON_GARRISONED,
    ACQUIRE,
    ALL_OF,
    ALL_PLAYERS,
    ALSO_EXILE,
    BREAK_THROUGH,
    CHOOSE,
    COPY_EXHAUST,
    COST,
    DEVELOP_CARD,
    DISCARD_DRAWN,
    DOUBLE_GAINED,
    DRAW,
    DRAW_FROM,
    DRAW_PER,
    DRAWN_IT,
    END,
    ENTER_PLAY,
    ENTER_PROGRAM,
    EXHAUST_PROGRAM,
    EXHAUST_TO_REACT,
    EXILE_CARD,
    EXILE_HAND,
    EXILE_MARKET,
    EXILE_QUEST,
    FAME_LOOK,
    FAME_TOP,
    FIND,
    FLIP_SELF,
    FLIP_STATE,
    FOR_EACH,
    FREE_PLAY,
    GAIN,
    GAIN_ACTION,
    GAIN_ON_SELF,
    GAIN_PER,
    GAMBLE,
    GARRISON_HERE,
    GARRISON_QUEST,
    GARRISON_SELF,
    GIVE_CARD,
    IF,
    IF_ABLE,
    IGNORE_STATE,
    IN_EMPIRE,
    MAY,
    NATION_LOOK,
    NATION_SHUFFLE,
    NATION_SWAP,
    NATION_TO_BOTTOM,
    NATION_TO_DISCARD,
    NEXT,
    NOTHING,
    ONLY_EXILE,
    OPERATION,
    OTHERS,
    PAY,
    PAY_ALL,
    PAY_UP_TO,
    PLACE_ON_MARKET,
    PLAY_FROM_DISCARD,
    PLAY_PROGRAM,
    PLAYS_IT,
    QUEST_TO,
    REACT_PROGRAM,
    RECALL,
    RECALL_GARRISONED,
    REMEMBER,
    REPLACE_SELF,
    REQUIRE,
    RETURN_EXHAUST,
    RETURN_SELF,
    RETURN_UNREST,
    SELF,
    SHIELD_ALWAYS,
    SHIELD_BY_EXHAUST,
    SHIELD_BY_PAYING,
    SHIELD_BY_RECALL,
    SINK,
    SPEND_ACTION,
    STEAL,
    SWAP_EXILE,
    TAKE_UNREST,
    TO_HISTORY,
    TOKEN_SHIFT,
    TOP_DECK,
    TREAT_ICON,
    TRIGGER_SCORING,
    UP_TO,
    WHEN_PROGRAM,
    WITH_REGION,
    YOU_PAY,
    YOU_PLAY,
    YOU_PLAY_FROM_DISCARD,
    A,
    B,
    C,
    D,
)
from sim.games.imperium.vocabulary import DISCARD as DISCARD_CARDS
from sim.jit import Record, kernel
from sim.rng import CHANCE, shuffle

OPTIONAL = -2
"""Repeats left of an instruction whose player may choose nothing."""
EXCEPT_PROGRESS = 4
"""Bits of seats that avoid all of an attack but progress given begin here in `SHIELDED`."""


@kernel
def resolve(g: Record, t: Record, players: Players) -> None:
    """Resolve the stack of effects until it is empty, the game collapses or something is wrong."""
    while g.depth > 0 and g.collapsed == 0 and g.error == 0:
        frame = g.depth - 1
        at = int(g.frame[frame, FRAME_AT])
        if at < 0:
            g.depth -= 1
            follow_step(g, t, players, frame, at)
        elif t.code[at, OPERATION] == END:
            g.depth -= 1
        else:
            follow(g, t, players, frame, at)


@kernel
def follow(g: Record, t: Record, players: Players, frame: int, at: int) -> None:
    """Follow one instruction."""
    operation = int(t.code[at, OPERATION])
    g.asking = g.frame[frame, FRAME_CARD]
    g.asked_at = at
    g.option_count = 0
    if operation < GAIN:
        follow_control(g, t, players, frame, at, operation)
        return
    seat = int(g.frame[frame, FRAME_SEAT])
    optional = g.frame[frame, FRAME_LEFT] == OPTIONAL
    if optional:
        g.frame[frame, FRAME_LEFT] = -1
    g.frame[frame, FRAME_AT] = t.code[at, NEXT]
    if operation < GAIN_ACTION:
        follow_resources(g, t, players, frame, at, operation, seat)
    elif operation in (DRAW, DRAW_PER, TAKE_UNREST):
        follow_one_by_one(g, t, players, frame, at, operation, seat)
    elif operation < TO_HISTORY:
        follow_tokens_and_hand(g, t, players, frame, at, operation, seat, optional)
    elif operation < FIND:
        follow_zones(g, t, players, frame, at, operation, seat, optional)
    elif operation < ACQUIRE:
        follow_plays(g, t, players, frame, at, operation, seat, optional)
    elif operation < FLIP_SELF:
        follow_market(g, t, players, frame, at, operation, seat, optional)
    else:
        follow_own_rules(g, t, players, frame, at, operation, seat)


@kernel
def follow_control(g: Record, t: Record, players: Players, frame: int, at: int, operation: int) -> None:
    """Follow an instruction that decides which ones come next."""
    row = g.frame[frame]
    seat = int(row[FRAME_SEAT])
    own = int(row[FRAME_CARD])
    root = int(row[FRAME_ROOT])
    follow_on = int(t.code[at, NEXT])
    if operation == MAY:
        row[FRAME_AT] = follow_optional(g, t, players, frame, at, seat, own, root)
    elif operation == CHOOSE:
        row[FRAME_AT] = choose_option(g, t, players, seat, own, root, at)
    elif operation == COST:
        row[FRAME_AT] = at + 1 if payable(g, t, root, seat, own, at + 1, int(t.code[at, A])) else follow_on
    elif operation in (IF, REQUIRE):
        row[FRAME_AT] = at + 1 if holds(g, t, root, seat, own, at) else follow_on
    else:
        row[FRAME_AT] = follow_on
        if operation in (OTHERS, ALL_PLAYERS):
            push_for_players(g, t, at, seat, own, root, operation)
        elif operation == FOR_EACH:
            for _ in range(g.frame[root, t.code[at, A]]):
                push(g, at + 1, seat, own, root)


@kernel
def follow_optional(g: Record, t: Record, players: Players, frame: int, at: int, seat: int, own: int, root: int) -> int:
    """Ask whether to follow an optional instruction; one that asks for a card anyway may be answered with none."""
    follow_on = int(t.code[at, NEXT])
    body = int(t.code[at + 1, OPERATION])
    if not can_do(g, t, root, seat, own, at + 1):
        return follow_on
    if t.code[at + 1, NEXT] == follow_on and asks_for_card(body):
        g.frame[frame, FRAME_LEFT] = OPTIONAL
        return at + 1
    g.asked = body
    return at + 1 if agrees(g, t, players, seat) else follow_on


@kernel
def asks_for_card(operation: int) -> bool:
    """Tell whether an instruction asks for one card, so that it can be declined there."""
    return operation in (TOP_DECK, DRAW_FROM, TO_HISTORY, GARRISON_HERE, RECALL, GARRISON_SELF, ACQUIRE)


@kernel
def agrees(g: Record, t: Record, players: Players, seat: int) -> bool:
    """Ask a seat whether it wants what `g.asked` says."""
    for answer in range(2):
        g.option_value[answer] = answer
        g.option_card[answer] = g.asking
    g.option_count = 2
    return bool(g.option_value[choose(g, t, players, seat, WHETHER)] == 1)


@kernel
def choose_option(g: Record, t: Record, players: Players, seat: int, own: int, root: int, at: int) -> int:
    """Let a seat choose one of the open options; return where it starts, or where to go on if none is open."""
    count = 0
    option = at + 1
    for _ in range(t.code[at, A]):
        if option_is_open(g, t, root, seat, own, option + 1):
            g.option_value[count] = option + 1
            g.option_card[count] = own
            count += 1
        option = int(t.code[option, NEXT])
    if count == 0:
        return int(t.code[at, NEXT])
    g.option_count = count
    g.asked = CHOOSE
    return int(g.option_value[choose(g, t, players, seat, ALTERNATIVE)])


@kernel
def push_for_players(g: Record, t: Record, at: int, seat: int, own: int, root: int, operation: int) -> None:
    """Let the other players, or all, follow a body in turn order; an attack spares those who avoid it."""
    shielded = int(g.frame[root, SHIELDED])
    gives_progress = t.code[at + 1, OPERATION] == GAIN and t.code[at + 1, A] == PROGRESS
    other = seat
    # Pushed from the last to the first: the first is then on top.
    for _ in range(g.players - (1 if operation == OTHERS else 0)):
        other = other - 1 if other > 0 else g.players - 1
        if operation == ALL_PLAYERS and other == seat:
            continue
        spared = shielded & (1 << other) != 0
        spared = spared or (shielded & (1 << (other + EXCEPT_PROGRESS)) != 0 and not gives_progress)
        if not spared:
            push(g, at + 1, other, own, root)
    if operation == ALL_PLAYERS:
        push(g, at + 1, seat, own, root)


@kernel
def follow_resources(g: Record, t: Record, players: Players, frame: int, at: int, operation: int, seat: int) -> None:
    """Follow an instruction about resources."""
    own = int(g.frame[frame, FRAME_CARD])
    root = int(g.frame[frame, FRAME_ROOT])
    resource = int(t.code[at, A])
    amount = int(t.code[at, B])
    if operation == GAIN:
        gain_with(g, t, seat, resource, amount, int(g.frame[root, ICONS_USED]))
    elif operation == GAIN_PER:
        counter = int(t.code[at, C])
        argument = int(t.code[at, D])
        count = counted(g, t, root, seat, counter, argument)
        icons = icons_counted(g, t, seat, counter, argument) if resource == MATERIAL and counter <= 1 else 0
        gain_with(g, t, seat, resource, amount * count, icons)
    elif operation == PAY:
        if resource == MATERIAL:
            amount = unrest_due(g, t, seat, own, 0, amount)
        pay_for_effect(g, t, players, seat, resource, amount, kept_for_next(g, t, seat, at))
    elif operation == PAY_UP_TO:
        g.frame[root, PAID] = choose_amount(g, t, players, seat, operation, min(amount, g.resource[seat, resource]))
        g.resource[seat, resource] -= g.frame[root, PAID]
    elif operation == PAY_ALL:
        g.resource[seat, resource] = 0
    elif operation == STEAL:
        steal(g, t, root, seat, resource, amount, int(t.code[at, C]), int(t.code[at, D]))
    elif operation == PLACE_ON_MARKET:
        g.asked = operation
        place_on_market(g, t, players, seat, resource, amount)
    elif operation in (GAIN_ON_SELF, DOUBLE_GAINED):
        gain(g, t, seat, resource, int(g.frame[root, AMOUNT_GAINED]))


@kernel
def kept_for_next(g: Record, t: Record, seat: int, at: int) -> int:
    """Progress that the next payment of the same cost will need."""
    after = at + 1
    if t.code[after, OPERATION] != PAY:
        return 0
    amounts = (
        int(t.code[after, B]) if t.code[after, A] == MATERIAL else 0,
        int(t.code[after, B]) if t.code[after, A] == POPULATION else 0,
        int(t.code[after, B]) if t.code[after, A] == PROGRESS else 0,
    )
    return progress_needed(g, seat, amounts[0], amounts[1], amounts[2])


@kernel
def pay_for_effect(g: Record, t: Record, players: Players, seat: int, resource: int, amount: int, kept: int) -> None:
    """Pay for an effect, as far as it can be paid at all."""
    can = can_pay(
        g,
        seat,
        amount if resource == MATERIAL else 0,
        amount if resource == POPULATION else 0,
        amount if resource == PROGRESS else 0,
    )
    if can and pay(g, t, players, seat, resource, amount, kept) > 0:
        fire(g, t, seat, YOU_PAY, NO_CARD, resource, 0)


@kernel
def choose_amount(g: Record, t: Record, players: Players, seat: int, operation: int, most: int) -> int:
    """Let a seat choose a number from 0 to `most`."""
    if most <= 0:
        return 0
    for number in range(most + 1):
        g.option_value[number] = number
        g.option_card[number] = g.asking
    g.option_count = most + 1
    g.asked = operation
    return int(g.option_value[choose(g, t, players, seat, AMOUNT)])


@kernel
def steal(g: Record, t: Record, root: int, seat: int, resource: int, amount: int, whom: int, unrest: int) -> None:
    """Steal from each other player what is there; who cannot give all takes unrest if the card says so."""
    other = seat
    for _ in range(g.players - 1):
        other = seat_after(g, other)
        if g.frame[root, SHIELDED] & ((1 << other) | (1 << (other + EXCEPT_PROGRESS))) != 0:
            continue
        if whom == IN_EMPIRE and g.state[other] != EMPIRE:
            continue
        if whom == WITH_REGION and not has_suit_in_play(g, t, other, REGION):
            continue
        taken = int(min(amount, g.resource[other, resource]))
        g.resource[other, resource] -= taken
        if taken > 0:
            note(g, STOLEN, seat, other, resource, taken)
            gain(g, t, seat, resource, taken)
        if taken < amount:
            for _ in range(unrest):
                take_unrest(g, t, other)


@kernel
def has_suit_in_play(g: Record, t: Record, seat: int, suit: int) -> bool:
    """Tell whether a seat has a card of a suit in play."""
    for place in range(g.size[seat, PLAY]):
        if t.suits[g.zone[seat, PLAY, place]] & suit != 0:
            return True
    return False


@kernel
def follow_one_by_one(g: Record, t: Record, players: Players, frame: int, at: int, operation: int, seat: int) -> None:
    """Draw a card, or take an unrest; the instruction is followed again until all are there."""
    row = g.frame[frame]
    root = int(row[FRAME_ROOT])
    if row[FRAME_LEFT] < 0:
        row[FRAME_LEFT] = number_wanted(g, t, players, root, at, operation, seat)
    if row[FRAME_LEFT] > 0:
        row[FRAME_LEFT] -= 1
        if operation == TAKE_UNREST:
            take_unrest(g, t, seat)
        else:
            draw_for_effect(g, t, players, frame, root, at, seat)
    if row[FRAME_LEFT] > 0:
        row[FRAME_AT] = at
    else:
        row[FRAME_LEFT] = -1


@kernel
def number_wanted(g: Record, t: Record, players: Players, root: int, at: int, operation: int, seat: int) -> int:
    """Cards an instruction draws, or unrest it takes."""
    if operation == DRAW_PER:
        return int(t.code[at, A]) * counted(g, t, root, seat, int(t.code[at, C]), int(t.code[at, D]))
    number = int(t.code[at, A])
    if operation == DRAW and t.code[at, B] & UP_TO != 0:
        return choose_amount(g, t, players, seat, operation, number)
    return number


@kernel
def draw_for_effect(g: Record, t: Record, players: Players, frame: int, root: int, at: int, seat: int) -> None:
    """Draw one card for an effect, which may want to name it afterwards."""
    flags = int(t.code[at, B]) if t.code[at, OPERATION] == DRAW else 0
    card = draw(g, t, players, seat, flags & IF_ABLE == 0)
    if card == NO_CARD:
        g.frame[frame, FRAME_LEFT] = 0
    elif flags & REMEMBER != 0 and g.frame[root, DRAWN] < DRAWN_CARDS:
        g.frame[root, DRAWN_CARD + g.frame[root, DRAWN]] = card
        g.frame[root, DRAWN] += 1


@kernel
def follow_tokens_and_hand(
    g: Record, t: Record, players: Players, frame: int, at: int, operation: int, seat: int, optional: bool
) -> None:
    """Follow an instruction about tokens, or about cards of the hand and the discard pile."""
    first = int(t.code[at, A])
    if operation == GAIN_ACTION:
        g.actions[seat] += first
        note(g, GAINED_ACTION, seat, int(g.frame[frame, FRAME_CARD]), 0, first)
    elif operation == SPEND_ACTION:
        g.actions[seat] -= first
    elif operation == RETURN_EXHAUST:
        return_exhaust(g, t, players, frame, seat)
    elif operation == DRAW_FROM:
        for _ in range(t.code[at, C]):
            if not draw_from(g, t, players, frame, at, seat, optional):
                break
    elif operation == DISCARD_CARDS:
        discard_cards(g, t, players, frame, at, seat, first, int(t.code[at, B]))
    elif operation == DISCARD_DRAWN:
        g.option_count = 0
        offer_from(g, t, int(g.frame[frame, FRAME_ROOT]), NO_CARD, seat, DRAWN_IT, 1 << HAND)
        option = ask_card(g, t, players, seat, operation, False)
        if option >= 0:
            move(g, t, seat, int(g.option_card[option]), HAND, DISCARD)
    elif operation == TOP_DECK:
        for _ in range(t.code[at, C]):
            top_deck(g, t, players, frame, at, seat, optional)


@kernel
def return_exhaust(g: Record, t: Record, players: Players, frame: int, seat: int) -> None:
    """Put an exhaust token from another card in play back on the state card."""
    g.option_count = 0
    for place in range(g.size[seat, PLAY]):
        card = int(g.zone[seat, PLAY, place])
        if g.exhausted[card] != 0 and card != g.frame[frame, FRAME_CARD]:
            offer(g, card, PLAY, seat)
    option = ask_card(g, t, players, seat, RETURN_EXHAUST, False)
    if option >= 0:
        g.exhausted[g.option_card[option]] = 0
        g.exhausts[seat] += 1


@kernel
def draw_from(g: Record, t: Record, players: Players, frame: int, at: int, seat: int, optional: bool) -> bool:
    """Take a card from the discard pile or history to the hand; tell whether one was taken."""
    g.option_count = 0
    offer_from(g, t, int(g.frame[frame, FRAME_ROOT]), NO_CARD, seat, int(t.code[at, A]), 1 << t.code[at, B])
    option = ask_card(g, t, players, seat, DRAW_FROM, optional or t.code[at, D] & UP_TO != 0)
    if option < 0:
        return False
    card = int(g.option_card[option])
    note(g, TOOK_BACK, seat, card, 0, 0)
    move(g, t, seat, card, int(g.option_value[option]), HAND)
    return True


@kernel
def discard_cards(
    g: Record, t: Record, players: Players, frame: int, at: int, seat: int, selector: int, number: int
) -> None:
    """Discard cards from the hand, as far as possible; other means may stand in for some."""
    root = int(g.frame[frame, FRAME_ROOT])
    if selector == DRAWN_IT:
        discard_drawn_card(g, t, root, seat, DISCARD)
        return
    own = int(g.frame[frame, FRAME_CARD])
    left = unrest_due(g, t, seat, own, 1, number) if number != ALL_OF else int(g.size[seat, HAND])
    while left > 0:
        g.option_count = 0
        offer_from(g, t, root, own, seat, selector, 1 << HAND)
        if number != ALL_OF:
            offer_relief(g, t, seat, selector)
        option = ask_card(g, t, players, seat, DISCARD_CARDS, number == ALL_OF)
        if option < 0:
            return
        card = int(g.option_card[option])
        if g.option_value[option] == PLAY:
            use(g, seat, card)
        else:
            move(g, t, seat, card, int(g.option_value[option]), DISCARD)
            g.frame[root, DISCARDED] += 1
        left -= 1


@kernel
def offer_relief(g: Record, t: Record, seat: int, selector: int) -> None:
    """Offer what can stand in for a card of a required discard: a reaction, or cards garrisoned in a certain place."""
    for place in range(g.size[seat, PLAY]):
        card = int(g.zone[seat, PLAY, place])
        if t.discard_relief[card] != 0 and t.relief_of[card] == selector:
            if t.discard_relief[card] == 2:
                offer_garrisoned(g, t, seat, 0, card, NOTHING)
            elif can_react(g, seat, card):
                offer(g, card, PLAY, seat)


@kernel
def use(g: Record, seat: int, card: int) -> None:
    """Move an exhaust token from the state card to a card."""
    g.exhausts[seat] -= 1
    g.exhausted[card] = 1


@kernel
def discard_drawn_card(g: Record, t: Record, root: int, seat: int, zone: int) -> None:
    """Move the card that the effect has drawn from the hand to another zone."""
    for place in range(g.frame[root, DRAWN]):
        card = int(g.frame[root, DRAWN_CARD + place])
        if take_out(g, seat, HAND, card):
            lay(g, t, seat, card, zone)


@kernel
def top_deck(g: Record, t: Record, players: Players, frame: int, at: int, seat: int, optional: bool) -> None:
    """Put a card on top of the draw deck."""
    selector = int(t.code[at, A])
    root = int(g.frame[frame, FRAME_ROOT])
    if selector == DRAWN_IT:
        discard_drawn_card(g, t, root, seat, DECK)
        return
    g.option_count = 0
    offer_from(g, t, root, int(g.frame[frame, FRAME_CARD]), seat, selector, 1 << t.code[at, B])
    option = ask_card(g, t, players, seat, TOP_DECK, optional)
    if option >= 0:
        card = int(g.option_card[option])
        note(g, TOP_DECKED, seat, card, 0, 0)
        move(g, t, seat, card, int(g.option_value[option]), DECK)


@kernel
def follow_zones(
    g: Record, t: Record, players: Players, frame: int, at: int, operation: int, seat: int, optional: bool
) -> None:
    """Follow an instruction that moves cards between zones."""
    own = int(g.frame[frame, FRAME_CARD])
    first = int(t.code[at, A])
    second = int(t.code[at, B])
    third = int(t.code[at, C])
    if operation == TO_HISTORY:
        put_into_history(g, t, players, frame, at, seat, optional)
    elif operation == EXILE_MARKET:
        g.asked = operation
        for _ in range(first):
            exile_from_market(g, t, players, seat)
    elif operation == EXILE_HAND:
        exile_from_hand(g, t, players, frame, seat, first)
    elif operation == EXILE_CARD:
        exile_card(g, t, frame, seat, first)
    elif operation == SINK:
        sink(g, t, players, frame, seat, first, second, third)
    elif operation == GARRISON_HERE:
        for _ in range(second):
            garrison_here(g, t, players, seat, own, first, optional)
    elif operation == GARRISON_SELF:
        garrison_self(g, t, players, seat, own, first, optional)
    elif operation == ABANDON:
        abandon_cards(g, t, players, frame, at, seat)
    elif operation == ABANDON_GARRISONED:
        for _ in range(second):
            g.option_count = 0
            offer_garrisoned(g, t, seat, first, NO_CARD, third)
            move_chosen(g, t, players, seat, operation, DISCARD)
    elif operation == RECALL:
        recall_cards(g, t, players, frame, seat, first, second, optional)
    elif operation == RECALL_GARRISONED:
        g.option_count = 0
        offer_garrisoned(g, t, seat, first, own, NOTHING)
        move_chosen(g, t, players, seat, operation, HAND)


@kernel
def move_chosen(g: Record, t: Record, players: Players, seat: int, operation: int, zone: int) -> None:
    """Let a seat choose one of the cards offered and move it."""
    option = ask_card(g, t, players, seat, operation, False)
    if option >= 0:
        move(g, t, seat, int(g.option_card[option]), int(g.option_value[option]), zone)


@kernel
def put_into_history(g: Record, t: Record, players: Players, frame: int, at: int, seat: int, optional: bool) -> None:
    """Put cards into history: the card itself, the one drawn, all of a kind, or those chosen."""
    root = int(g.frame[frame, FRAME_ROOT])
    own = int(g.frame[frame, FRAME_CARD])
    selector = int(t.code[at, A])
    number = int(t.code[at, C])
    if selector == SELF:
        if take_in_play(g, seat, own):
            leave_play(g, t, seat, own, HISTORY)
    elif selector == DRAWN_IT:
        discard_drawn_card(g, t, root, seat, HISTORY)
    elif number == ALL_OF:
        put_all_into_history(g, t, seat, selector, int(t.code[at, B]))
    else:
        for _ in range(number):
            g.option_count = 0
            offer_from(g, t, root, own, seat, selector, int(t.code[at, B]))
            option = ask_card(g, t, players, seat, TO_HISTORY, optional or t.code[at, D] & UP_TO != 0)
            if option < 0:
                return
            move(g, t, seat, int(g.option_card[option]), int(g.option_value[option]), HISTORY)


@kernel
def take_in_play(g: Record, seat: int, card: int) -> bool:
    """Tell whether a card is in a seat's play area."""
    for place in range(g.size[seat, PLAY]):
        if g.zone[seat, PLAY, place] == card:
            return True
    return False


@kernel
def put_all_into_history(g: Record, t: Record, seat: int, selector: int, zones: int) -> None:
    """Put all cards of a kind in some zones into history; a searched draw deck is shuffled."""
    for zone in range(ZONES):
        if zones & (1 << zone) != 0:
            for place in range(g.size[seat, zone] - 1, -1, -1):
                card = int(g.zone[seat, zone, place])
                if t.selector[selector, card] != 0:
                    take_at(g, seat, zone, place)
                    lay(g, t, seat, card, HISTORY)
    if zones & (1 << DECK) != 0:
        shuffle(g, CHANCE, g.zone[seat, DECK], g.size[seat, DECK])


@kernel
def exile_from_hand(g: Record, t: Record, players: Players, frame: int, seat: int, selector: int) -> None:
    """Exile a hand card."""
    g.option_count = 0
    offer_from(g, t, int(g.frame[frame, FRAME_ROOT]), NO_CARD, seat, selector, 1 << HAND)
    option = ask_card(g, t, players, seat, EXILE_HAND, False)
    if option >= 0:
        card = int(g.option_card[option])
        exile(g, t, seat, card, HAND)
        g.frame[g.frame[frame, FRAME_ROOT], EXILED_CARD] = card + 1


@kernel
def exile_card(g: Record, t: Record, frame: int, seat: int, selector: int) -> None:
    """Exile the card itself, or a card in play without tokens or the active quest."""
    if selector == SELF:
        own = int(g.frame[frame, FRAME_CARD])
        if take_in_play(g, seat, own):
            exile(g, t, seat, own, PLAY)
        return
    quest = active_quest(g, t, seat)
    if quest != NO_CARD and t.selector[selector, quest] != 0:
        exile(g, t, seat, quest, GARRISON)
        return
    for place in range(g.size[seat, PLAY]):
        card = int(g.zone[seat, PLAY, place])
        if t.selector[selector, card] != 0 and g.exhausted[card] == 0 and g.stored[card] == 0:
            exile(g, t, seat, card, PLAY)
            return


@kernel
def sink(g: Record, t: Record, players: Players, frame: int, seat: int, selector: int, zone: int, number: int) -> None:
    """Sink the card itself, or cards of a zone."""
    own = int(g.frame[frame, FRAME_CARD])
    if selector == SELF:
        if take_in_play(g, seat, own):
            leave_play(g, t, seat, own, SUNKEN)
        return
    for _ in range(number):
        g.option_count = 0
        offer_from(g, t, int(g.frame[frame, FRAME_ROOT]), own, seat, selector, 1 << zone)
        move_chosen(g, t, players, seat, SINK, SUNKEN)


@kernel
def garrison_here(g: Record, t: Record, players: Players, seat: int, own: int, selector: int, optional: bool) -> None:
    """Garrison a hand card under a card in play."""
    if not take_in_play(g, seat, own):
        return
    g.option_count = 0
    for place in range(g.size[seat, HAND]):
        card = int(g.zone[seat, HAND, place])
        if t.selector[selector, card] != 0 and t.no_garrison[card] == 0:
            offer(g, card, HAND, seat)
    option = ask_card(g, t, players, seat, GARRISON_HERE, optional)
    if option >= 0:
        garrison(g, t, seat, int(g.option_card[option]), HAND, own)


@kernel
def garrison_self(g: Record, t: Record, players: Players, seat: int, own: int, selector: int, optional: bool) -> None:
    """Garrison the card itself under a card in play, whose play effect is then resolved."""
    if not take_in_play(g, seat, own):
        return
    g.option_count = 0
    for place in range(g.size[seat, PLAY]):
        host = int(g.zone[seat, PLAY, place])
        if host != own and t.selector[selector, host] != 0:
            offer(g, host, PLAY, seat)
    option = ask_card(g, t, players, seat, GARRISON_SELF, optional)
    if option >= 0:
        host = int(g.option_card[option])
        garrison(g, t, seat, own, PLAY, host)
        if t.program[host, PLAY_PROGRAM] != 0:
            push(g, int(t.program[host, PLAY_PROGRAM]), seat, host, -1)


@kernel
def abandon_cards(g: Record, t: Record, players: Players, frame: int, at: int, seat: int) -> None:
    """Abandon cards in play, as far as possible."""
    root = int(g.frame[frame, FRAME_ROOT])
    optional = t.code[at, C] & UP_TO != 0
    for _ in range(t.code[at, B]):
        g.option_count = 0
        offer_pinned(g, t, int(g.frame[frame, FRAME_CARD]), seat, int(t.code[at, A]), int(t.code[at, D]))
        option = ask_card(g, t, players, seat, ABANDON, optional)
        if option < 0:
            return
        card = int(g.option_card[option])
        remember_icons(g, t, root, card)
        g.frame[root, AMOUNT_GAINED] = g.stored[card]
        abandon(g, t, seat, card)
        g.frame[root, ABANDONED] += 1
        g.frame[root, ABANDONED_CARD] = card


@kernel
def remember_icons(g: Record, t: Record, root: int, card: int) -> None:
    """Remember the region icons of a card that an effect takes from play: material gained by it is gained from them."""
    for icon in range(1, 3):
        if t.icons[card, icon] > 0:
            g.frame[root, ICONS_USED] |= 1 << icon


@kernel
def recall_cards(
    g: Record, t: Record, players: Players, frame: int, seat: int, selector: int, number: int, optional: bool
) -> None:
    """Recall cards in play, as far as possible."""
    for _ in range(number):
        g.option_count = 0
        offer_pinned(g, t, int(g.frame[frame, FRAME_CARD]), seat, selector, NOTHING)
        option = ask_card(g, t, players, seat, RECALL, optional)
        if option < 0:
            return
        card = int(g.option_card[option])
        remember_icons(g, t, int(g.frame[frame, FRAME_ROOT]), card)
        recall(g, t, seat, card)


@kernel
def follow_plays(
    g: Record, t: Record, players: Players, frame: int, at: int, operation: int, seat: int, optional: bool
) -> None:
    """Follow an instruction that finds, gives or plays cards, or returns unrest."""
    first = int(t.code[at, A])
    second = int(t.code[at, B])
    if operation == FIND:
        find(g, t, players, seat, first, second, int(t.code[at, C]))
    elif operation == GIVE_CARD:
        give_cards(g, t, players, frame, seat, first, second)
    elif operation == FREE_PLAY:
        g.option_count = 0
        offer_playable(g, t, seat, first, second)
        option = ask_card(g, t, players, seat, operation, optional)
        if option >= 0:
            play_card(g, t, seat, int(g.option_card[option]), HAND, 1)
    elif operation == PLAY_FROM_DISCARD:
        play_from_discard(g, t, players, seat, first, second)
    elif operation == RETURN_UNREST:
        return_cards(g, t, players, frame, at, seat, optional)
    elif operation == RETURN_SELF:
        own = int(g.frame[frame, FRAME_CARD])
        if take_in_play(g, seat, own):
            return_unrest(g, t, seat, own, PLAY)


@kernel
def find(g: Record, t: Record, players: Players, seat: int, selector: int, zones: int, destination: int) -> None:
    """Search zones in turn for a card; one exact card is taken where it is first met, else one of all is chosen."""
    g.option_count = 0
    offer_from(g, t, 0, NO_CARD, seat, selector, zones)
    for option in range(1, g.option_count):
        if t.name[g.option_card[option]] != t.name[g.option_card[0]]:
            break
    else:
        g.option_count = min(g.option_count, 1)
    option = ask_card(g, t, players, seat, FIND, False)
    searched = zones
    if option >= 0:
        card = int(g.option_card[option])
        note(g, FOUND, seat, card, destination, 0)
        if g.option_count == 1 and g.option_value[option] < DECK + 1 and g.option_value[option] != DECK:
            searched = 0
        move(g, t, seat, card, int(g.option_value[option]), destination)
    if searched & (1 << DECK) != 0:
        shuffle(g, CHANCE, g.zone[seat, DECK], g.size[seat, DECK])
    if searched & (1 << NATION) != 0:
        shuffle_nation(g, seat)


@kernel
def shuffle_nation(g: Record, seat: int) -> None:
    """Shuffle a nation deck; the accession card stays at the bottom."""
    g.knows_nation[seat] = 0
    if g.size[seat, NATION] > 2:
        shuffle(g, CHANCE, g.zone[seat, NATION, 1:], g.size[seat, NATION] - 1)


@kernel
def give_cards(g: Record, t: Record, players: Players, frame: int, seat: int, zones: int, brings_unrest: int) -> None:
    """Give each other player a card; certain gifts bring an unrest along."""
    root = int(g.frame[frame, FRAME_ROOT])
    other = seat
    for _ in range(g.players - 1):
        other = seat_after(g, other)
        if g.frame[root, SHIELDED] & ((1 << other) | (1 << (other + EXCEPT_PROGRESS))) != 0:
            continue
        g.option_count = 0
        offer_from(g, t, root, NO_CARD, seat, 0, zones)
        option = ask_card(g, t, players, seat, GIVE_CARD, False)
        if option >= 0:
            card = int(g.option_card[option])
            note(g, GAVE, seat, card, other, 0)
            take_from(g, t, seat, int(g.option_value[option]), card)
            put(g, other, HAND, card)
            if brings_unrest >= 0 and t.selector[brings_unrest, card] != 0:
                take_unrest(g, t, other)


@kernel
def offer_playable(g: Record, t: Record, seat: int, selector: int, ignores_state: int) -> None:
    """Offer the hand cards that a selector means and that could be played now."""
    held = g.ignores_state[seat]
    if ignores_state != 0:
        g.ignores_state[seat] = 3
    for place in range(g.size[seat, HAND]):
        card = int(g.zone[seat, HAND, place])
        if t.selector[selector, card] != 0 and can_play(g, t, seat, card):
            offer(g, card, HAND, seat)
    g.ignores_state[seat] = held


@kernel
def play_from_discard(g: Record, t: Record, players: Players, seat: int, selector: int, actions: int) -> None:
    """Play a card from the discard pile, for action tokens."""
    if g.actions[seat] < actions:
        return
    g.option_count = 0
    for place in range(g.size[seat, DISCARD]):
        card = int(g.zone[seat, DISCARD, place])
        if t.selector[selector, card] != 0 and can_play(g, t, seat, card):
            offer(g, card, DISCARD, seat)
    option = ask_card(g, t, players, seat, PLAY_FROM_DISCARD, False)
    if option >= 0:
        g.actions[seat] -= actions
        play_card(g, t, seat, int(g.option_card[option]), DISCARD, 1)


@kernel
def play_card(g: Record, t: Record, seat: int, card: int, source: int, free: int) -> None:
    """Play a card: into the play area, then what waits for it, its effect, and the discard pile unless it stays."""
    take_from(g, t, seat, source, card)
    put(g, seat, PLAY, card)
    g.cards_played[seat] += 1
    note(g, PLAYED, seat, card, free, 0)
    note_card(g, seat, card, PLAYED_ROUND)
    if g.keeps_cards != 0:
        g.seen[seat, card, TIMES_PLAYED] += 1
    g.ignores_state[seat] = 0
    push_step(g, FINISH_PLAY, seat, card, 0, 0)
    effect = -1
    if t.program[card, PLAY_PROGRAM] != 0:
        effect = push(g, int(t.program[card, PLAY_PROGRAM]), seat, card, -1)
    if source == DISCARD:
        fire(g, t, seat, YOU_PLAY_FROM_DISCARD, card, 0, 0)
    fire(g, t, seat, YOU_PLAY, card, 0, 0)
    if t.attack[card] != 0 and effect >= 0:
        push_step(g, ATTACKED, seat, card, effect, 0)


@kernel
def return_cards(g: Record, t: Record, players: Players, frame: int, at: int, seat: int, optional: bool) -> None:
    """Return unrest to the pile, from some zones or from under the card itself."""
    root = int(g.frame[frame, FRAME_ROOT])
    number = int(t.code[at, A])
    left = number if number != ALL_OF else int(g.size[seat, GARRISON])
    for _ in range(left):
        g.option_count = 0
        if t.code[at, D] != 0:
            offer_garrisoned(g, t, seat, 0, int(g.frame[frame, FRAME_CARD]), NOTHING)
        else:
            offer_unrest(g, t, seat, int(t.code[at, B]))
        option = ask_card(g, t, players, seat, RETURN_UNREST, optional or t.code[at, C] & UP_TO != 0)
        if option < 0:
            return
        return_unrest(g, t, seat, int(g.option_card[option]), int(g.option_value[option]))
        g.frame[root, RETURNED] += 1


@kernel
def offer_unrest(g: Record, t: Record, seat: int, zones: int) -> None:
    """Offer one unrest card of each zone."""
    for zone in range(ZONES):
        if zones & (1 << zone) != 0:
            for place in range(g.size[seat, zone]):
                card = int(g.zone[seat, zone, place])
                if t.suits[card] & UNREST != 0:
                    offer(g, card, zone, seat)
                    break


@kernel
def follow_market(
    g: Record, t: Record, players: Players, frame: int, at: int, operation: int, seat: int, optional: bool
) -> None:
    """Follow an instruction about the market, fame, development or the nation deck."""
    first = int(t.code[at, A])
    g.asked = operation
    if operation in (ACQUIRE, BREAK_THROUGH):
        gain_cards(g, t, players, frame, at, seat, operation, optional)
    elif operation == SWAP_EXILE:
        swap_with_exile(g, t, players, seat)
    elif operation == GAMBLE:
        gamble(g, t, players, seat, first)
    elif operation == FAME_LOOK:
        look_at_fame(g, t, players, seat, first, int(t.code[at, B]))
    elif operation == FAME_TOP:
        take_top_fame(g, t, seat)
    elif operation == DEVELOP_CARD:
        develop(g, t, players, seat, first)
    elif operation == NATION_LOOK:
        g.knows_nation[seat] = int(g.size[seat, NATION] > 0)
    elif operation == NATION_SHUFFLE:
        shuffle_nation(g, seat)
    elif operation == NATION_TO_DISCARD:
        for _ in range(first):
            advance(g, t, seat)
    elif operation == NATION_TO_BOTTOM:
        nation_to_bottom(g, seat)
    elif operation == NATION_SWAP:
        swap_with_nation(g, t, players, seat)
    elif operation == TRIGGER_SCORING:
        trigger_scoring(g, first)


@kernel
def gain_cards(
    g: Record, t: Record, players: Players, frame: int, at: int, seat: int, operation: int, optional: bool
) -> None:
    """Acquire or break through, once or several times, newly dealt cards included."""
    suits = int(t.code[at, A])
    flags = int(t.code[at, C])
    selector = int(t.code[at, D])
    token = (flags >> TOKEN_SHIFT) - 1
    also_exile = flags & (ALSO_EXILE | ONLY_EXILE) != 0
    icons = int(g.frame[g.frame[frame, FRAME_ROOT], ICONS_USED])
    for _ in range(t.code[at, B]):
        if g.collapsed != 0:
            return
        if operation == BREAK_THROUGH:
            list_break_through(g, t, suits, selector, also_exile)
            break_through(g, t, players, seat, selector)
            continue
        list_acquisitions(g, t, seat, suits, selector, token, flags & ONLY_EXILE == 0, also_exile)
        if optional and g.option_count > 0:
            offer(g, NO_CARD, 0, seat)
        card = acquire(g, t, players, seat, icons)
        if card != NO_CARD and flags & PLAYS_IT != 0 and can_play(g, t, seat, card) and g.collapsed == 0:
            play_card(g, t, seat, card, HAND, 1)


@kernel
def nation_to_bottom(g: Record, seat: int) -> None:
    """Put the top nation card below the others, on the accession card."""
    g.knows_nation[seat] = 0
    size = g.size[seat, NATION]
    if size > 2:
        card = g.zone[seat, NATION, size - 1]
        for place in range(size - 1, 1, -1):
            g.zone[seat, NATION, place] = g.zone[seat, NATION, place - 1]
        g.zone[seat, NATION, 1] = card


@kernel
def swap_with_nation(g: Record, t: Record, players: Players, seat: int) -> None:
    """Swap a hand card with the top nation card, which must not be the accession card."""
    size = g.size[seat, NATION]
    if size < 2:
        return
    g.option_count = 0
    offer_from(g, t, 0, NO_CARD, seat, 0, 1 << HAND)
    option = ask_card(g, t, players, seat, NATION_SWAP, False)
    if option >= 0:
        card = int(g.option_card[option])
        take_out(g, seat, HAND, card)
        put(g, seat, HAND, g.zone[seat, NATION, size - 1])
        g.zone[seat, NATION, size - 1] = card
        g.knows_nation[seat] = 1


@kernel
def follow_own_rules(g: Record, t: Record, players: Players, frame: int, at: int, operation: int, seat: int) -> None:
    """Follow an instruction that only a card or two have."""
    own = int(g.frame[frame, FRAME_CARD])
    first = int(t.code[at, A])
    if operation == FLIP_SELF:
        if t.kind[own] == KING_OF_KINGS:
            turn_king_of_kings(g)
        else:
            replace_in_play(g, t, seat, own, int(t.other_side[own]))
    elif operation == REPLACE_SELF:
        for card in range(t.cards):
            if t.selector[first, card] != 0:
                replace_in_play(g, t, seat, own, card)
                break
    elif operation == FLIP_STATE:
        become(g, seat, first)
    elif operation == ENTER_PLAY:
        if take_out(g, seat, DISCARD, own):
            put(g, seat, PLAY, own)
    elif operation == QUEST_TO:
        quest = active_quest(g, t, seat)
        if quest != NO_CARD:
            move(g, t, seat, quest, GARRISON, first)
    elif operation == GARRISON_QUEST:
        choose_quest(g, t, players, seat, own, True, 0)
    elif operation == EXILE_QUEST:
        choose_quest(g, t, players, seat, own, False, first)
    elif operation == IGNORE_STATE:
        g.ignores_state[seat] |= 1 << first
    elif operation == COPY_EXHAUST:
        copy_exhaust(g, t, players, seat, own)
    elif operation == TREAT_ICON:
        treat_icon(g, t, players, seat, first)


@kernel
def replace_in_play(g: Record, t: Record, seat: int, card: int, other: int) -> None:
    """Lay another face in the place of a card in play."""
    for place in range(g.size[seat, PLAY]):
        if g.zone[seat, PLAY, place] == card:
            g.zone[seat, PLAY, place] = other
            g.exhausted[card] = 0
            note(g, FLIPPED, seat, other, 0, 0)
            if t.program[other, ENTER_PROGRAM] != 0:
                push(g, int(t.program[other, ENTER_PROGRAM]), seat, other, -1)


@kernel
def choose_quest(
    g: Record, t: Record, players: Players, seat: int, own: int, becomes_active: bool, selector: int
) -> None:
    """Let a seat choose an impending quest that becomes the active one, or leaves for the exile pile."""
    g.option_count = 0
    left = g.size[seat, DEVELOPMENT]
    for place in range(left):
        card = int(g.zone[seat, DEVELOPMENT, place])
        if t.selector[selector, card] != 0 and (not becomes_active or t.comes_last[card] == 0 or left == 1):
            offer(g, card, DEVELOPMENT, seat)
    option = ask_card(g, t, players, seat, GARRISON_QUEST if becomes_active else EXILE_QUEST, False)
    if option >= 0:
        card = int(g.option_card[option])
        if becomes_active:
            garrison(g, t, seat, card, DEVELOPMENT, own)
        else:
            exile(g, t, seat, card, DEVELOPMENT)


@kernel
def copy_exhaust(g: Record, t: Record, players: Players, seat: int, own: int) -> None:
    """Resolve the exhaust ability of another player's pinned card as one's own."""
    g.option_count = 0
    other = seat
    for _ in range(g.players - 1):
        other = seat_after(g, other)
        for place in range(g.size[other, PLAY]):
            card = int(g.zone[other, PLAY, place])
            at = int(t.program[card, EXHAUST_PROGRAM])
            copies = t.code[at, OPERATION] == COPY_EXHAUST
            if t.pinned[card] != 0 and at != 0 and not copies and can_do(g, t, 0, seat, own, at):
                offer(g, card, PLAY, other)
    option = ask_card(g, t, players, seat, COPY_EXHAUST, False)
    if option >= 0:
        push(g, int(t.program[g.option_card[option], EXHAUST_PROGRAM]), seat, own, -1)


@kernel
def treat_icon(g: Record, t: Record, players: Players, seat: int, icon: int) -> None:
    """Treat one icon of a card in play as production icons for the rest of the turn."""
    g.option_count = 0
    for place in range(g.size[seat, PLAY]):
        card = int(g.zone[seat, PLAY, place])
        if t.icons[card, icon] > g.treated[card, icon]:
            offer(g, card, PLAY, seat)
    option = ask_card(g, t, players, seat, TREAT_ICON, False)
    if option >= 0:
        g.treated[g.option_card[option], icon] += 1


@kernel
def follow_step(g: Record, t: Record, players: Players, frame: int, step: int) -> None:
    """Follow a step of the engine between effects; its frame has just left the stack."""
    seat = int(g.frame[frame, FRAME_SEAT])
    card = int(g.frame[frame, FRAME_CARD])
    value = int(g.frame[frame, FRAME_VALUE])
    if step == FINISH_PLAY:
        if t.pinned[card] == 0 and take_out(g, seat, PLAY, card):
            lay(g, t, seat, card, DISCARD)
    elif step == FIRE:
        answer(g, t, players, seat, card, value, int(g.frame[frame, FRAME_LEFT]), int(g.frame[frame, AMOUNT_GAINED]))
    else:
        protect_all(g, t, players, seat, card, value)


@kernel
def answer(g: Record, t: Record, players: Players, seat: int, card: int, trigger: int, value: int, amount: int) -> None:
    """Let a seat's cards in play answer to what has happened: passives always, reactions if their player likes."""
    for place in range(g.size[seat, PLAY]):
        own = int(g.zone[seat, PLAY, place])
        effect = -1
        if t.when[own] == trigger and waits_for(t, trigger, int(t.when_to[own]), card, value):
            if t.program[own, WHEN_PROGRAM] != 0:
                effect = push(g, int(t.program[own, WHEN_PROGRAM]), seat, own, -1)
        elif t.react_on[own] == trigger and waits_for(t, trigger, int(t.react_to[own]), card, value):
            at = int(t.program[own, REACT_PROGRAM])
            if at != 0 and can_react(g, seat, own) and can_do(g, t, 0, seat, own, at):
                g.asking = own
                g.asked_at = at
                g.asked = EXHAUST_TO_REACT
                if agrees(g, t, players, seat):
                    use(g, seat, own)
                    note(g, REACTED, seat, own, 0, 0)
                    effect = push(g, at, seat, own, -1)
        if effect >= 0:
            g.frame[effect, AMOUNT_GAINED] = amount


@kernel
def protect_all(g: Record, t: Record, players: Players, seat: int, card: int, effect: int) -> None:
    """Let the other players, in turn order, keep an attack away before it has any effect."""
    other = seat
    for _ in range(g.players - 1):
        other = seat_after(g, other)
        g.option_count = 0
        for place in range(g.size[other, PLAY]):
            offer_shield(g, t, other, int(g.zone[other, PLAY, place]))
        if g.option_count > 0:
            g.asking = card
            g.option_card[g.option_count] = NO_CARD
            g.option_seat[g.option_count] = other
            g.option_count += 1
            shield = int(g.option_card[choose(g, t, players, other, PROTECT)])
            if shield != NO_CARD:
                note(g, SHIELDED_BY, other, shield, card, 0)
                bit = other + (EXCEPT_PROGRESS if t.shield[shield] == SHIELD_ALWAYS else 0)
                g.frame[effect, SHIELDED] |= 1 << bit
                pay_for_shield(g, t, players, other, shield)


@kernel
def offer_shield(g: Record, t: Record, seat: int, card: int) -> None:
    """Offer a card in play that can keep an attack away, if what that costs is there."""
    shield = t.shield[card]
    argument = int(t.shield_arg[card])
    open_to = shield == SHIELD_ALWAYS
    if shield == SHIELD_BY_EXHAUST:
        open_to = g.exhausted[card] == 0 and g.exhausts[seat] > 0 and can_pay(g, seat, 0, argument, 0)
    elif shield == SHIELD_BY_PAYING:
        open_to = can_pay(g, seat, 0, argument, 0)
    elif shield == SHIELD_BY_RECALL:
        open_to = argument == SELF or is_in_zone(g, t, seat, PLAY, argument)
    if open_to:
        offer(g, card, PLAY, seat)


@kernel
def pay_for_shield(g: Record, t: Record, players: Players, seat: int, card: int) -> None:
    """Exhaust, pay or recall for keeping an attack away."""
    shield = t.shield[card]
    argument = int(t.shield_arg[card])
    if shield == SHIELD_BY_EXHAUST:
        use(g, seat, card)
    if shield in (SHIELD_BY_EXHAUST, SHIELD_BY_PAYING) and argument > 0:
        pay_for_effect(g, t, players, seat, POPULATION, argument, 0)
    if shield == SHIELD_BY_RECALL:
        g.option_count = 0
        offer_pinned(g, t, card, seat, argument, NOTHING)
        option = ask_card(g, t, players, seat, RECALL, False)
        if option >= 0:
            recall(g, t, seat, int(g.option_card[option]))


@kernel
def use_ability(g: Record, t: Record, seat: int, card: int) -> None:
    """Use the exhaust ability of a card in play."""
    use(g, seat, card)
    note(g, USED, seat, card, 0, 0)
    push(g, int(t.program[card, EXHAUST_PROGRAM]), seat, card, -1)


@kernel
def can_use(g: Record, t: Record, seat: int, card: int) -> bool:
    """Tell whether a seat can use the exhaust ability of a card in play: its cost must be paid in full."""
    at = int(t.program[card, EXHAUST_PROGRAM])
    if at == 0 or g.exhausted[card] != 0 or g.exhausts[seat] == 0:
        return False
    if t.code[at, OPERATION] == CHOOSE:
        return any_option(g, t, 0, seat, card, at)
    return can_do(g, t, 0, seat, card, at)
