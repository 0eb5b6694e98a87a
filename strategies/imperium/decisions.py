"""How the appraising players score the options of every decision."""

from __future__ import annotations

from sim.games.imperium import words
from sim.games.imperium.conditions import meets_requirements
from sim.games.imperium.tables import MAX_EFFECTS_LEARNT
from sim.jit import Record, kernel
from sim.kit.zones import place_in
from strategies.imperium.appraisal import worth_of_code, worth_of_developing
from strategies.imperium.card_worth import (
    best_break_through,
    better_in_hand,
    taste,
    worth_in_deck,
    worth_in_hand,
    worth_in_play,
    worth_of_hand_card,
    worth_of_owning,
    worth_of_slot,
    worth_of_unseen,
)
from strategies.imperium.giving_up import (
    ACTIONS_A_TURN,
    loss_from_play,
    worth_of_quest,
    worth_of_retiring,
)
from strategies.imperium.outlook import harm_of_unrest, look_ahead, printed_points, worth_of_last_card
from strategies.imperium.weights import (
    H_ATTACK,
    N_DRAW,
    N_FREE,
    N_ONE,
    N_STAYS,
    N_THREE,
    N_TURNS,
    N_TWO,
    N_WORTH,
    P_HINT,
    P_INNOVATE,
    P_KEEP,
    P_LESSONS,
    P_REVOLT,
)

KEPT_FOR_LATER = 0.5
"""Share of its worth that a card keeps which other cards of the hand are played before."""
NOT_WORTH_IT = 0.05
"""What an action must bring at least to be taken."""
RATHER_THAN_ANYTHING = 1000.0
ALL_ALIKE = 0.5
"""Score of options that are chosen among by lot."""
ANY_GAINED_SUIT = 15


@kernel
def score_option(g: Record, t: Record, me: int, decision: int, option: int, w: Record) -> float:
    """Score an option by the points it should bring."""
    if decision == words.PICK and g.asked == words.SOLSTICE_ORDER:
        return ALL_ALIKE
    look_ahead(g, t, me, w)
    if decision == words.TURN:
        return score_turn(g, t, me, option, w)
    if decision == words.PICK:
        return score_pick(g, t, me, option, w)
    if decision == words.MARKET:
        return score_market(g, t, me, option, w)
    if decision == words.ALTERNATIVE:
        return score_alternative(g, t, me, option, w)
    if decision == words.WHETHER:
        return score_whether(g, t, me, option, w)
    return score_otherwise(g, t, me, decision, option, w)


@kernel
def score_options(g: Record, t: Record, me: int, decision: int, w: Record) -> int:
    """Score all options of a decision as `score_option` does, and return how many there are."""
    count = int(g.option_count)
    if decision == words.PICK and g.asked == words.SOLSTICE_ORDER:
        for option in range(count):
            g.option_score[option] = ALL_ALIKE
        return count
    look_ahead(g, t, me, w)
    if decision == words.TURN:
        for option in range(count):
            g.option_score[option] = score_turn(g, t, me, option, w)
    elif decision == words.PICK:
        for option in range(count):
            g.option_score[option] = score_pick(g, t, me, option, w)
    elif decision == words.MARKET:
        for option in range(count):
            g.option_score[option] = score_market(g, t, me, option, w)
    elif decision == words.WHETHER:
        for option in range(count):
            g.option_score[option] = score_whether(g, t, me, option, w)
    elif decision == words.ALTERNATIVE:
        for option in range(count):
            g.option_score[option] = score_alternative(g, t, me, option, w)
    else:
        for option in range(count):
            g.option_score[option] = score_otherwise(g, t, me, decision, option, w)
    return count


@kernel
def lesson_of(g: Record, t: Record, card: int, what: int, w: Record) -> float:
    """What doing something with a card was found to bring beyond its appraisal: a column of `t.card_lesson`."""
    late = int(g.rounds >= words.EARLY_ROUNDS)
    return float(w.weight[P_LESSONS] * t.card_lesson[card, what, late])


@kernel
def lesson_of_acting(g: Record, t: Record, me: int, card: int, what: int, w: Record) -> float:
    """What playing or using a card was found to bring beyond its appraisal, with as many actions left."""
    left = min(int(g.actions[me]), words.ACTIONS_TOLD_APART - 1)
    return lesson_of(g, t, card, what, w) + float(w.weight[P_LESSONS] * t.acting_lesson[card, what, left])


@kernel
def lesson_of_effect(t: Record, card: int, at: int, w: Record) -> float:
    """What following an effect of a card, from a place in the code on, was found to bring beyond its appraisal."""
    lesson = 0.0
    for place in range(MAX_EFFECTS_LEARNT):
        if t.lesson_at[card, place] == at:
            lesson += t.effect_lesson[card, place]
    return float(w.weight[P_LESSONS] * lesson)


@kernel
def score_alternative(g: Record, t: Record, me: int, option: int, w: Record) -> float:
    """Score one of several instructions."""
    own = int(g.option_card[option])
    at = int(g.option_value[option])
    return worth_of_code(g, t, me, own, at, w) + lesson_of_effect(t, own, at, w)


@kernel
def score_otherwise(g: Record, t: Record, me: int, decision: int, option: int, w: Record) -> float:
    """Score an option of the rarer decisions."""
    if decision == words.PAYMENT:
        return score_payment(g, me, option)
    if decision == words.DEVELOP:
        card = int(g.option_card[option])
        if card == words.NO_CARD:
            return 0.0
        return worth_of_developing(g, t, me, card, 0, w) + lesson_of(g, t, card, words.TO_DEVELOP, w)
    if decision == words.PROTECT:
        return score_protection(g, t, me, option, w)
    if decision == words.INNOVATE_SUIT:
        return best_break_through(g, t, me, int(g.option_value[option]), w)
    if decision == words.AMOUNT:
        return score_amount(g, t, me, option, w)
    return 0.0


# ---- A turn ----


@kernel
def score_turn(g: Record, t: Record, me: int, option: int, w: Record) -> float:
    """Score what to do next in a turn; innovating and revolting are measured against all the rest."""
    kind = g.option_kind[option]
    if kind == words.END_TURN:
        for note in range(N_ONE, N_FREE + 1):
            g.notes[note] = 0.0
        return NOT_WORTH_IT
    card = int(g.option_card[option])
    if kind in (words.EXHAUST_CARD, words.PLAY_CARD) and goes_round(g, me):
        return 0.0
    if kind == words.EXHAUST_CARD:
        worth = worth_of_code(g, t, me, card, int(t.program[card, words.EXHAUST_PROGRAM]), w)
        g.notes[N_FREE] += max(0.0, worth)
        return worth + lesson_of_acting(g, t, me, card, words.TO_USE, w)
    if kind == words.PLAY_CARD:
        worth = worth_of_playing(g, t, me, card, w)
        note_best(g, t, card, worth)
        return worth + lesson_of_acting(g, t, me, card, words.TO_PLAY, w)
    # Appraisals without lessons: those say which card is played first, not what a turn is worth.
    all_else = g.notes[N_ONE] + g.notes[N_TWO] + g.notes[N_THREE] + g.notes[N_FREE]
    if kind == words.INNOVATE:
        worth = best_break_through(g, t, me, ANY_GAINED_SUIT, w) * w.weight[P_INNOVATE]
        worth += worth_of_last_card(g, t, me, w)
    else:
        worth = unrest_held(g, t, me) * harm_of_unrest(g, t, me, w) * w.weight[P_REVOLT] + 0.2 * all_else
    return RATHER_THAN_ANYTHING + worth if worth > all_else else -RATHER_THAN_ANYTHING


@kernel
def goes_round(g: Record, me: int) -> bool:
    """Tell whether so many cards have been played that a turn must be going round in a circle."""
    return bool(g.cards_played[me] > 24 + 7 * g.rounds)


@kernel
def unrest_held(g: Record, t: Record, me: int) -> int:
    """Unrest cards in the hand."""
    held = 0
    for place in range(g.zone_size[me, words.HAND]):
        held += int(t.suits[g.zone[me, words.HAND, place]] & words.UNREST != 0)
    return held


@kernel
def note_best(g: Record, t: Record, card: int, worth: float) -> None:
    """Keep the worth of the three best plays."""
    if t.free_play[card] != 0:
        g.notes[N_FREE] += max(0.0, worth)
    elif worth > g.notes[N_ONE]:
        g.notes[N_THREE] = g.notes[N_TWO]
        g.notes[N_TWO] = g.notes[N_ONE]
        g.notes[N_ONE] = worth
    elif worth > g.notes[N_TWO]:
        g.notes[N_THREE] = g.notes[N_TWO]
        g.notes[N_TWO] = worth
    elif worth > g.notes[N_THREE]:
        g.notes[N_THREE] = worth


@kernel
def worth_of_playing(g: Record, t: Record, me: int, card: int, w: Record) -> float:
    """Worth of playing a card now: what its effect brings, and what it does in play from now on."""
    at = int(t.program[card, words.PLAY_PROGRAM])
    worth = worth_of_code(g, t, me, card, at, w) if at != 0 else 0.0
    if t.pinned[card] != 0:
        worth += worth_in_play(g, t, me, card, g.notes[N_STAYS], w)
        worth += taste(g, t, me, t.suits[card] & 1, w)
        worth += printed_points(t, card, words.PLAY) - printed_points(t, card, words.DISCARD_PILE)
    if t.attack[card] != 0:
        worth += 0.2 * w.weight[P_HINT] * t.faction_hint[g.faction[me], H_ATTACK]
    return worth


@kernel
def score_whether(g: Record, t: Record, me: int, option: int, w: Record) -> float:
    """Score doing or leaving what is optional."""
    if g.option_value[option] == 0:
        return 0.0
    at = int(g.asked_at)
    own = int(g.asking)
    lesson = lesson_of_effect(t, own, at, w)
    if g.asked == words.EXHAUST_TO_REACT or t.code[at, words.OPERATION] != words.MAY:
        return worth_of_code(g, t, me, own, at, w) + lesson
    behind = worth_of_code(g, t, me, own, int(t.code[at, words.NEXT]), w)
    return worth_of_code(g, t, me, own, at + 1, w) - behind + lesson


@kernel
def score_payment(g: Record, me: int, option: int) -> float:
    """Score a payment: the less it is worth what is paid, the better."""
    resource = int(g.asked_resource)
    stand_in = g.option_value[option]
    each = 2 if resource == words.MATERIAL else 1
    own = max(0, g.asked_amount - each * stand_in)
    return -stand_in * float(g.notes[N_WORTH + words.PROGRESS]) - own * float(g.notes[N_WORTH + resource])


@kernel
def score_amount(g: Record, t: Record, me: int, option: int, w: Record) -> float:
    """Score a number: all unrest in a revolt, all cards that may be drawn, all that can be turned into more."""
    number = float(g.option_value[option])
    if g.asked == words.REVOLT_WITH:
        return number * harm_of_unrest(g, t, me, w)
    if g.asked == words.PAY_UP_TO:
        return number * 0.1
    return number * g.notes[N_DRAW]


@kernel
def score_protection(g: Record, t: Record, me: int, option: int, w: Record) -> float:
    """Score a way to keep an attack away: what the attack would do, less what it costs."""
    card = int(g.option_card[option])
    if card == words.NO_CARD:
        return 0.0
    harm = harm_of_attack(g, t, me, w)
    shield = t.shield[card]
    if shield == words.SHIELD_ALWAYS:
        return harm + 1.0
    if shield == words.SHIELD_BY_EXHAUST:
        return harm - 0.1
    return harm - 0.8


@kernel
def harm_of_attack(g: Record, t: Record, me: int, w: Record) -> float:
    """Points that an attack would cost its victim."""
    attack = int(g.asking)
    at = int(t.program[attack, words.PLAY_PROGRAM])
    harm = 0.0
    for _ in range(12):
        operation = t.code[at, words.OPERATION]
        if operation == 0:
            break
        if operation == words.OTHERS:
            harm -= worth_of_code(g, t, me, attack, at + 1, w)
        elif operation == words.STEAL:
            resource = int(t.code[at, words.A])
            harm += min(int(t.code[at, words.B]), g.resource[me, resource]) * g.notes[N_WORTH + resource]
        elif operation == words.GIVE_CARD:
            harm += harm_of_unrest(g, t, me, w) * 0.5
        at = int(t.code[at, words.NEXT])
    return harm


# ---- Cards ----


@kernel
def score_pick(g: Record, t: Record, me: int, option: int, w: Record) -> float:
    """Score a card for what is done with it, or none."""
    card = int(g.option_card[option])
    asked = int(g.asked)
    zone = int(g.option_value[option])
    if card == words.NO_CARD:
        return 0.0
    if asked == words.CLEAN_UP:
        return score_clean_up(g, t, me, card, w)
    if asked in (words.TO_HISTORY, words.SINK, words.GARRISON_HERE):
        return score_retiring(g, t, me, card, asked, zone, w)
    if asked in (
        words.DISCARD,
        words.DISCARD_DRAWN,
        words.EXILE_HAND,
        words.NATION_SWAP,
        words.GIVE_CARD,
        words.TOP_DECK,
    ):
        return score_giving_up(g, t, me, card, asked, zone, w)
    if asked in (words.ABANDON, words.RECALL, words.ABANDON_GARRISONED):
        if zone == words.GARRISON:
            return worth_in_deck(g, t, me, card, w)
        worth = -loss_from_play(g, t, me, card, asked == words.RECALL, w)
        return worth + (0.7 * worth_in_hand(g, t, me, card, w) if asked == words.RECALL else 0.0)
    if asked in (words.DRAW_FROM, words.FIND, words.FREE_PLAY, words.PLAY_FROM_DISCARD):
        return score_taking_back(g, t, me, card, zone, w)
    if asked == words.FAME_LOOK:
        return worth_of_owning(g, t, me, card, w)
    if asked == words.FAME_ORDER:
        return 0.1 * worth_of_owning(g, t, me, card, w)
    if asked == words.RETURN_UNREST:
        return harm_of_unrest(g, t, me, w) + (0.2 if zone == words.HAND else 0.0)
    if asked == words.GARRISON_SELF:
        at = int(t.program[card, words.PLAY_PROGRAM])
        return 0.8 + (worth_of_code(g, t, me, card, at, w) if at != 0 else 0.0)
    if asked == words.GARRISON_QUEST:
        return worth_of_quest(g, t, me, card, w)
    return ALL_ALIKE


@kernel
def score_clean_up(g: Record, t: Record, me: int, card: int, w: Record) -> float:
    """Score discarding a hand card before the hand is filled up: a new card may be better, and gets the deck round."""
    if g.notes[N_TURNS] <= 1.0:
        return -0.01
    fresh = 1.0 * g.notes[N_DRAW]
    if t.suits[card] & words.UNREST != 0:
        # With a hand full of it one revolts next turn; else it is paid for, if that is possible.
        return fresh - 0.6 if unrest_held(g, t, me) < 3 else -0.5
    place = place_in(g, me, words.HAND, card)
    kept = w.weight[P_KEEP] * worth_of_hand_card(g, t, me, place, w)
    if kept > 0.0 and not meets_requirements(g, t, me, card):
        kept = 0.0
    at = int(t.program[card, words.PLAY_PROGRAM])
    if kept > 0.0 and at != 0 and t.pinned[card] == 0:
        kept = 0.5 * kept + 0.5 * w.weight[P_KEEP] * max(0.0, worth_of_code(g, t, me, card, at, w))
    if kept > 0.0 and t.free_play[card] == 0 and better_in_hand(g, t, me, place, w) >= ACTIONS_A_TURN:
        kept *= KEPT_FOR_LATER
    return fresh - kept


@kernel
def score_retiring(g: Record, t: Record, me: int, card: int, asked: int, zone: int, w: Record) -> float:
    """Score a card that goes into history, sinks or is garrisoned."""
    to = (
        words.HISTORY if asked == words.TO_HISTORY else words.GARRISON if asked == words.GARRISON_HERE else words.SUNKEN
    )
    worth = worth_of_retiring(g, t, me, card, to, w)
    if zone == words.HAND and g.actions[me] > 0 and g.turn_seat == me:
        worth -= 0.3 * max(0.0, worth_in_hand(g, t, me, card, w))
    if asked == words.GARRISON_HERE:
        worth *= 0.8
    return worth + lesson_of(g, t, card, words.TO_GARRISON if asked == words.GARRISON_HERE else words.TO_RETIRE, w)


@kernel
def score_giving_up(g: Record, t: Record, me: int, card: int, asked: int, zone: int, w: Record) -> float:
    """Score a card that is discarded, exiled, given away or put on the draw deck."""
    unrest = t.suits[card] & words.UNREST != 0
    if asked in (words.DISCARD, words.DISCARD_DRAWN):
        if zone == words.PLAY:
            return 0.2
        return lesson_of(g, t, card, words.TO_DISCARD, w) - worth_in_hand(g, t, me, card, w)
    if asked == words.TOP_DECK:
        if unrest:
            return -1.0
        worth = worth_in_hand(g, t, me, card, w)
        # From the hand best what cannot be played now; a card of the discard pile comes up again at once.
        return worth - N_DRAW_SHARE * g.notes[N_DRAW] if zone == words.DISCARD_PILE else -0.3 * worth
    if asked == words.NATION_SWAP:
        return -worth_in_hand(g, t, me, card, w)
    if unrest:
        return harm_of_unrest(g, t, me, w)
    return -worth_of_owning(g, t, me, card, w)


N_DRAW_SHARE = 0.6
"""Worth of an unknown next card, against that of drawing one."""


@kernel
def score_taking_back(g: Record, t: Record, me: int, card: int, zone: int, w: Record) -> float:
    """Score a card that comes to the hand, or is played at once."""
    if t.suits[card] & words.UNREST != 0:
        return harm_of_unrest(g, t, me, w) - 0.8 if zone == words.HAND else -0.5
    worth = worth_in_hand(g, t, me, card, w)
    if zone == words.HISTORY:
        worth -= worth_of_retiring(g, t, me, card, words.HISTORY, w)
    if zone == words.DECK:
        worth += 0.1
    return worth


# ---- The market ----


@kernel
def score_market(g: Record, t: Record, me: int, option: int, w: Record) -> float:
    """Score a card of the market, a deck or the exile pile, or none."""
    kind = g.option_kind[option]
    card = int(g.option_card[option])
    value = int(g.option_value[option])
    asked = int(g.asked)
    if card == words.NO_CARD and kind <= words.FROM_MARKET:
        return 0.0
    if asked == words.GAMBLE:
        return 1.0 if value == words.TRIBUTARY else 0.5
    if kind == words.FROM_EXILE:
        worth = worth_of_owning(g, t, me, card, w)
        if asked == words.SWAP_EXILE:
            return worth
        return worth - (harm_of_unrest(g, t, me, w) if t.suits[card] & words.TUCKS_UNREST != 0 else 0.0)
    if kind != words.FROM_MARKET:
        return worth_of_unseen(g, t, me, value, w)
    worth = worth_of_slot(g, t, me, value, w)
    if asked in (words.EXILE_MARKET, words.SWAP_EXILE):
        return -worth
    if asked == words.PLACE_ON_MARKET:
        return score_token(g, t, me, value, worth)
    if asked != words.BREAK_THROUGH and g.market_unrest[value] != words.NO_CARD:
        worth -= harm_of_unrest(g, t, me, w)
    return worth + lesson_of(g, t, int(g.market[value]), words.TO_GAIN, w)


@kernel
def score_token(g: Record, t: Record, me: int, slot: int, worth: float) -> float:
    """Score a market card for a token: one that the next players hardly take, but oneself may."""
    tokens = g.market_tokens[slot, 0] + g.market_tokens[slot, 1] + g.market_tokens[slot, 2]
    return -abs(worth - 2.0) - 0.5 * tokens
