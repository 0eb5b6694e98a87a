"""The worth of executing an effect. Its instructions are appraised from the last to the first.

`worth_of_code` walks the code backwards. So when it reaches an instruction, it already knows the worth of what follows.
A choice is worth its best option. An optional part is worth the better of doing and skipping it. A cost is worth what
it unlocks minus what is paid.
"""

from __future__ import annotations

from sim.compiler.kernel import Record, kernel
from sim.engine.seating import seat_after
from sim.games.imperium.rules import constants
from sim.games.imperium.rules.conditions import count_things, holds, meets_requirements
from sim.games.imperium.rules.costs import payable
from sim.games.imperium.rules.counting import active_quest, count_garrisoned, count_of, count_pinned
from sim.games.imperium.rules.payment import can_develop, development_price
from sim.games.imperium.rules.stack import may_do
from strategies.imperium.card_worth import (
    best_break_through,
    best_in_market,
    points_to_come,
    taste,
    worth_in_deck,
    worth_of_actions,
    worth_of_hand_card,
)
from strategies.imperium.outlook import (
    gain_by_unrest_given,
    harm_of_unrest,
    lead,
    printed_points,
    worth_of_ending,
    worth_of_last_card,
)
from strategies.imperium.terms.giving_up import (
    best_meant_to_retire,
    best_quest,
    best_to_retire,
    least_in_hand,
    least_in_play,
    least_meant,
    least_owned,
    loss_by_discarding,
    loss_of_pawns,
    worth_of_pawn,
    worth_of_quest,
    worth_of_retiring,
)
from strategies.imperium.terms.tokens import best_tokens, worth_of_tokens
from strategies.imperium.weights import (
    N_ACTION,
    N_ADVANCE,
    N_DRAW,
    N_FAME,
    N_TURNS,
    N_WORTH,
    ONCE,
    P_ATTACK,
    P_JOURNEY,
    P_QUEST,
    SCRATCH,
    SCRATCH_PLACES,
    USE,
)


@kernel
def worth_of_code(g: Record, t: Record, me: int, own: int, start: int, w: Record) -> float:
    """Return the worth of executing the code of a card (`own`) from the row `start` on.

    The code ends where the part of the program that contains `start` ends (`t.code_end`), or after SCRATCH_PLACES rows.
    """
    last = min(int(t.code_end[start]), start + SCRATCH_PLACES - 1)
    g.notes[SCRATCH + last - start] = 0.0
    for_others = False
    for at in range(last - 1, start - 1, -1):
        operation = int(t.code[at, constants.OPERATION])
        after = min(int(t.code[at, constants.NEXT]), last)
        if operation == constants.END:
            g.notes[SCRATCH + at - start] = 0.0
            for_others = True
            continue
        behind = g.notes[SCRATCH + after - start] if after > at else 0.0
        if operation < constants.GAIN:
            within = g.notes[SCRATCH + at + 1 - start]
            worth = worth_of_control(g, t, me, own, at, start, operation, within, behind, w)
            if operation in (constants.OTHERS, constants.ALL_PLAYERS, constants.FOR_EACH):
                for_others = False
        else:
            worth = behind + worth_of_step(g, t, me, own, at, operation, for_others, w)
        g.notes[SCRATCH + at - start] = worth
    return float(g.notes[SCRATCH])


@kernel
def worth_of_control(
    g: Record,
    t: Record,
    me: int,
    own: int,
    at: int,
    start: int,
    operation: int,
    within: float,
    behind: float,
    w: Record,
) -> float:
    """Return the worth of an instruction that contains other instructions.

    `within` is the worth of the instructions inside, together with what follows them. `behind` is the worth of what
    follows the whole instruction.
    """
    if operation == constants.MAY:
        return max(within, behind)
    if operation in (constants.JUMP, constants.OPTION):
        return within if operation == constants.OPTION else behind
    if operation == constants.CHOOSE:
        return best_appraised_option(g, t, at, start, behind)
    if operation == constants.COST:
        return within if payable(g, t, 0, me, own, at + 1, int(t.code[at, constants.A])) else behind
    if operation in (constants.IF, constants.REQUIRE):
        return within if holds(g, t, 0, me, own, at) else behind
    if operation == constants.OTHERS:
        return behind - w.weight[P_ATTACK] * within
    if operation == constants.ALL_PLAYERS:
        return behind + (1.0 - w.weight[P_ATTACK]) * within
    return behind + 1.5 * within


@kernel
def best_appraised_option(g: Record, t: Record, at: int, start: int, behind: float) -> float:
    """Return the worth of the best option of the choice at the row `at`; `behind` if none of them was appraised.

    The worths of the options are in the scratch notes. Options that cannot be paid are worth 0 there.
    """
    best = -99.0
    option = at + 1
    for _ in range(t.code[at, constants.A]):
        place = option + 1 - start
        if place < SCRATCH_PLACES:
            best = max(best, g.notes[SCRATCH + place])
        option = int(t.code[option, constants.NEXT])
    return best if best > -99.0 else behind


@kernel
def worth_of_step(
    g: Record, t: Record, me: int, own: int, at: int, operation: int, for_others: bool, w: Record
) -> float:
    """Return the worth of a single instruction to the player who executes it."""
    first = int(t.code[at, constants.A])
    second = int(t.code[at, constants.B])
    third = int(t.code[at, constants.C])
    if operation < constants.GAIN_ACTION:
        return worth_of_tokens(g, t, me, own, at, operation, first, second, for_others, w)
    if operation < constants.TO_HISTORY:
        return worth_of_cards(g, t, me, own, at, operation, first, second, third, w)
    if operation < constants.FIND:
        worth = worth_of_moving(g, t, me, own, operation, first, second, third, for_others, w)
        if operation == constants.ABANDON and t.code[at, constants.D] > 0:
            worth -= second * loss_of_pawns(g, t, me, int(t.code[at, constants.D]), w)
        return worth
    if operation < constants.ACQUIRE:
        if operation == constants.RETURN_UNREST and t.code[at, constants.D] != 0:
            return count_garrisoned(g, t, me, 0, own, constants.NOTHING) * harm_of_unrest(g, t, me, w)
        return worth_of_plays(g, t, me, operation, first, second, w)
    return worth_of_gaining(g, t, me, operation, first, second, third, int(t.code[at, constants.D]), w)


@kernel
def worth_of_cards(
    g: Record,
    t: Record,
    me: int,
    own: int,
    at: int,
    operation: int,
    first: int,
    second: int,
    third: int,
    w: Record,
) -> float:
    """Return the worth of an instruction that concerns actions, or drawing, discarding or putting back cards."""
    if operation == constants.GAIN_ACTION:
        return first * g.notes[N_ACTION]
    if operation == constants.SPEND_ACTION:
        return -worth_of_actions(g, t, me, first, w)
    if operation == constants.RETURN_EXHAUST:
        return 0.3
    if operation == constants.DRAW:
        return first * g.notes[N_DRAW]
    if operation == constants.DRAW_PER:
        return first * count_things(g, t, 0, me, third, int(t.code[at, constants.D])) * g.notes[N_DRAW]
    if operation == constants.DRAW_FROM:
        return 0.0 if first >= 0 and count_of(g, t, me, first, 1 << second) == 0 else 1.4 * g.notes[N_DRAW]
    if operation == constants.DISCARD:
        if second == constants.ALL_OF:
            return -0.5
        if first > 0:
            return -second * least_meant(g, t, me, first, w)
        return -loss_by_discarding(g, t, me, own, min(second, int(g.zone_size[me, constants.HAND])), w)
    if operation == constants.DISCARD_DRAWN:
        return -0.4 * g.notes[N_DRAW]
    if operation == constants.TOP_DECK:
        if second == constants.HAND:
            return -0.7 * third * least_in_hand(g, t, me, own, w)
        return 0.4 * g.notes[N_DRAW] if g.zone_size[me, constants.DISCARD_PILE] > 0 else 0.0
    return 0.0


@kernel
def worth_of_moving(
    g: Record,
    t: Record,
    me: int,
    own: int,
    operation: int,
    first: int,
    second: int,
    third: int,
    for_others: bool,
    w: Record,
) -> float:
    """Return the worth of an instruction that moves cards into history, exile or a garrison, or out of play."""
    if operation == constants.TO_HISTORY and may_do(g, me, constants.ADDS_TO_DISCARD):
        return -least_in_play(g, t, me, w)
    if operation in (constants.TO_HISTORY, constants.SINK):
        zone = constants.HISTORY if operation == constants.TO_HISTORY else constants.SUNKEN
        if first == constants.SELF:
            if w.prepared[ONCE + own] > 0.0:
                return float(printed_points(t, own, zone) - printed_points(t, own, constants.DISCARD_PILE)) + 0.2
            return worth_of_retiring(g, t, me, own, zone, w)
        best = 0.0
        zones = second if operation == constants.TO_HISTORY else 1 << second
        if zones & (1 << constants.HAND) != 0:
            best = best_meant_to_retire(g, t, me, first, constants.HAND, w)
        if zones & (1 << constants.DISCARD_PILE) != 0:
            best = max(best, best_meant_to_retire(g, t, me, first, constants.DISCARD_PILE, w))
        return best
    if operation == constants.EXILE_MARKET:
        return 0.1
    if operation == constants.EXILE_HAND:
        return -0.3 - least_owned(g, t, me, first, constants.HAND, w)
    if operation == constants.EXILE_CARD:
        return -points_to_come(g, t, me, own, w) if first == constants.SELF else 0.5
    if operation == constants.GARRISON_HERE:
        return worth_of_garrisoning(g, t, me, own, first, w)
    if operation == constants.GARRISON_SELF:
        return 0.8 + best_host(g, t, me, first, w) + worth_of_pawn(g, t, me, own, w)
    if operation in (constants.ABANDON, constants.RECALL):
        return leaving_play(g, t, me, own, operation, first, second, for_others, w)
    if operation == constants.ABANDON_GARRISONED:
        return -0.3 * second
    return 0.5 if operation == constants.RECALL_GARRISONED else 0.0


@kernel
def worth_of_garrisoning(g: Record, t: Record, me: int, own: int, selector: int, w: Record) -> float:
    """Return the worth of garrisoning the best hand card under a card (`own`).

    It includes the worth of what `own` does with the garrisoned card in the solstice.
    """
    if selector == 0:
        return 0.8 * best_to_retire(g, t, me, constants.HAND, w)
    best = -9.0
    for place in range(g.zone_size[me, constants.HAND]):
        card = int(g.zone[me, constants.HAND, place])
        if t.selector[selector, card] != 0:
            # The garrisoned card comes back when the card above it leaves play.
            best = max(
                best, 0.0 if t.suits[card] & constants.UNREST != 0 else -0.2 * worth_of_hand_card(g, t, me, place, w)
            )
    if best <= -9.0:
        return 0.0
    at = int(t.program[own, constants.SOLSTICE_PROGRAM])
    if at != 0:
        while t.code[at, constants.OPERATION] != constants.END:
            operation = int(t.code[at, constants.OPERATION])
            if operation == constants.FAME_TOP:
                best += 0.4 * g.notes[N_FAME]
            elif operation == constants.RETURN_UNREST and t.code[at, constants.D] != 0:
                best += 0.9 * harm_of_unrest(g, t, me, w)
            at = int(t.code[at, constants.NEXT]) if operation >= constants.GAIN else at + 1
    return best


@kernel
def best_host(g: Record, t: Record, me: int, selector: int, w: Record) -> float:
    """Return the worth of using a card in play again because a card is garrisoned under it.

    The best card that matches the selector counts.
    """
    best = 0.0
    for place in range(g.zone_size[me, constants.PLAY]):
        card = int(g.zone[me, constants.PLAY, place])
        if t.selector[selector, card] != 0:
            best = max(best, 0.7 * w.prepared[USE + card])
    return best


@kernel
def leaving_play(
    g: Record, t: Record, me: int, own: int, operation: int, selector: int, number: int, for_others: bool, w: Record
) -> float:
    """Return the (mostly negative) worth of abandoning or recalling cards.

    If the effect makes all other players do so, the loss of the next player stands for the losses of all.
    """
    seat = seat_after(g, me) if for_others else me
    there = min(number, count_pinned(g, t, own, seat, selector, -1))
    loss = 0.5 * taste(g, t, me, constants.REGION, w) + 0.4
    if selector == constants.SELF:
        loss = 0.2 if operation == constants.RECALL else 0.6 if t.program[own, constants.EXHAUST_PROGRAM] == 0 else 1.2
    return -there * loss * (0.5 if operation == constants.RECALL else 1.0)


@kernel
def worth_of_plays(g: Record, t: Record, me: int, operation: int, first: int, second: int, w: Record) -> float:
    """Return the worth of an instruction that finds, gives or plays cards, or takes or returns unrest."""
    if operation == constants.FIND:
        return 1.5 * g.notes[N_DRAW] + 0.5
    if operation == constants.GIVE_CARD:
        return worth_of_giving(g, t, me, w)
    if operation == constants.FREE_PLAY:
        return best_free_play(g, t, me, first, second, w)
    if operation == constants.PLAY_FROM_DISCARD:
        return 1.2 - second * g.notes[N_ACTION] if count_of(g, t, me, first, 1 << constants.DISCARD_PILE) > 0 else 0.0
    if operation == constants.TAKE_UNREST:
        return -first * harm_of_unrest(g, t, me, w)
    if operation == constants.RETURN_SELF:
        return harm_of_unrest(g, t, me, w)
    if operation == constants.RETURN_UNREST:
        held = 0
        for zone in range(constants.HISTORY):
            if second & (1 << zone) != 0:
                for place in range(g.zone_size[me, zone]):
                    held += int(t.suits[g.zone[me, zone, place]] & constants.UNREST != 0)
        return (held if first < 0 else min(first, held)) * harm_of_unrest(g, t, me, w)
    return 0.0


@kernel
def best_free_play(g: Record, t: Record, me: int, selector: int, any_state: int, w: Record) -> float:
    """Return the worth of playing one hand card without spending an action."""
    best = 0.0
    for place in range(g.zone_size[me, constants.HAND]):
        card = int(g.zone[me, constants.HAND, place])
        if t.selector[selector, card] != 0:
            if t.suits[card] & constants.UNREST != 0:
                best = max(best, harm_of_unrest(g, t, me, w) - 0.8)
            else:
                best = max(best, worth_of_hand_card(g, t, me, place, w))
                if any_state != 0:
                    best = max(best, float(w.prepared[USE + card]))
    return best


@kernel
def worth_of_giving(g: Record, t: Record, me: int, w: Record) -> float:
    """Return the worth of giving each other player a card.

    Unrest cards in hand or discard pile are given first. For each further player, the least valuable card is lost.
    """
    unrest = 0
    for zone in (constants.HAND, constants.DISCARD_PILE):
        for place in range(g.zone_size[me, zone]):
            unrest += int(t.suits[g.zone[me, zone, place]] & constants.UNREST != 0)
    given = min(unrest, g.players - 1)
    worth = given * harm_of_unrest(g, t, me, w) + gain_by_unrest_given(g, t, me, w) * given / (g.players - 1)
    if given == g.players - 1:
        return worth
    least = min(least_owned(g, t, me, 0, constants.HAND, w), least_owned(g, t, me, 0, constants.DISCARD_PILE, w))
    return worth - max(0.5, least) * (g.players - 1 - given)


@kernel
def worth_of_gaining(
    g: Record, t: Record, me: int, operation: int, first: int, second: int, flags: int, selector: int, w: Record
) -> float:
    """Return the worth of an instruction that gains cards, fame or developments, or of a rarer instruction."""
    if operation == constants.ACQUIRE:
        if flags & constants.ONLY_EXILE != 0:
            return 1.5 if g.zone_size[constants.TABLE, constants.EXILE_PILE] > 0 else 0.0
        return second * best_in_market(g, t, me, first, selector, True, w) + worth_of_last_card(g, t, me, w)
    if operation == constants.BREAK_THROUGH:
        return second * best_break_through(g, t, me, first, w) + worth_of_last_card(g, t, me, w)
    if (
        operation in (constants.FAME_LOOK, constants.FAME_TOP)
        and g.zone_size[constants.TABLE, constants.FAME_DECK] == 0
    ):
        return worth_of_king(g, t, me, w)
    if operation == constants.FAME_LOOK:
        return second * (g.notes[N_FAME] + 0.5)
    if operation == constants.FAME_TOP:
        return float(g.notes[N_FAME])
    if operation == constants.DEVELOP_CARD:
        return best_development(g, t, me, first, w)
    if operation == constants.NATION_TO_DISCARD:
        return float(g.notes[N_ADVANCE]) if g.state[me] != constants.EMPIRE else 0.0
    if operation == constants.GAIN_ON_MARKET:
        return best_tokens(g)
    if operation == constants.GAMBLE:
        return 1.0
    if operation == constants.SWAP_EXILE:
        return 0.3
    if operation == constants.TRIGGER_SCORING:
        return worth_of_ending(g, t, me, w)
    if operation == constants.QUEST_TO:
        quest = active_quest(g, t, me)
        return worth_of_quest(g, t, me, int(quest), w) if quest != constants.NO_CARD else 0.0
    if operation == constants.GARRISON_QUEST:
        return w.weight[P_QUEST] * best_quest(g, t, me, w) if g.notes[N_TURNS] > 3.0 else 0.0
    if operation in (constants.FLIP_SELF, constants.REPLACE_SELF):
        # The end of the journey ends the game. The leader gains from reaching it.
        return w.weight[P_JOURNEY] * max(0.0, lead(g, t, me)) if g.notes[N_TURNS] > 2.0 else 0.0
    if operation in (constants.COPY_EXHAUST, constants.IGNORE_STATE, constants.TREAT_ICON):
        return 0.8
    return 0.1 if operation != constants.EXILE_QUEST else 0.0


@kernel
def worth_of_king(g: Record, t: Record, me: int, w: Record) -> float:
    """Return the worth of King of Kings, which takes effect when no other fame card is left; 0 if it is used up.

    Side A triggers the end of the game. A setting decides whether each player may use the card once, or whether each
    side of the card works once.
    """
    account = me if t.king_once_per_player != 0 else 0
    used = 1 if t.king_once_per_player != 0 else 1 << g.king_turned
    if g.king_used[account] & used != 0:
        return 0.0
    if g.state[me] == constants.EMPIRE:
        worth = best_development(g, t, me, 1, w) + (3.0 if g.king_turned == 0 else 0.0)
    else:
        worth = 6.0 if g.king_turned == 0 else 4.0
    return worth + (worth_of_ending(g, t, me, w) if g.king_turned == 0 else 0.0)


@kernel
def price_of(g: Record, t: Record, me: int, card: int, w: Record) -> float:
    """Return the worth of what developing a card costs."""
    price = 0.0
    for resource in range(3):
        price += development_price(g, t, me, card, resource) * g.notes[N_WORTH + resource]
    if t.unrest_to_develop[card] != 0:
        price += t.unrest_to_develop[card] * harm_of_unrest(g, t, me, w)
    return price


@kernel
def worth_of_developing(g: Record, t: Record, me: int, card: int, free: int, w: Record) -> float:
    """Return the worth of developing a card minus its cost. Developing the last card also triggers scoring."""
    worth = points_to_come(g, t, me, card, w) + 0.3 * g.notes[N_ADVANCE]
    if meets_requirements(g, t, me, card):
        worth += worth_in_deck(g, t, me, card, w)
    if free == 0:
        worth -= price_of(g, t, me, card, w)
    if g.zone_size[me, constants.DEVELOPMENT] == 1:
        worth += worth_of_ending(g, t, me, w)
    return worth


@kernel
def best_development(g: Record, t: Record, me: int, free: int, w: Record) -> float:
    """Return the worth of the best development that the seat can pay for; 0 if there is none.

    It may be below 0, because a seat that can develop a card must do so.
    """
    best = 0.0
    count = 0
    if t.faction_develops[g.faction[me]] != 0:
        for place in range(g.zone_size[me, constants.DEVELOPMENT]):
            card = int(g.zone[me, constants.DEVELOPMENT, place])
            if can_develop(g, t, me, card, free):
                worth = worth_of_developing(g, t, me, card, free, w)
                best = worth if count == 0 else max(best, worth)
                count += 1
    return best
