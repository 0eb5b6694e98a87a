"""Scores the options of every decision for the appraising players."""

from __future__ import annotations

from sim.compiler.kernel import Record, kernel
from sim.engine.zones import place_in
from sim.games.imperium.rules import constants
from sim.games.imperium.rules.conditions import meets_requirements
from sim.games.imperium.rules.tables import MAX_EFFECTS_LEARNT
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
from strategies.imperium.outlook import harm_of_unrest, look_ahead, printed_points, worth_of_last_card
from strategies.imperium.terms.giving_up import ACTIONS_A_TURN, loss_from_play, worth_of_quest, worth_of_retiring
from strategies.imperium.terms.tokens import worth_of_tokens_at
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
"""Factor on the worth of keeping a hand card that will not be played next turn, because other cards are better."""
NOT_WORTH_IT = 0.05
"""Minimum gain for which an action is taken."""
RATHER_THAN_ANYTHING = 1000.0
ALL_ALIKE = 0.5
"""Score that all options get if one of them is to be chosen at random."""
ANY_GAINED_SUIT = 15


@kernel
def score_option(g: Record, t: Record, me: int, decision: int, option: int, w: Record) -> float:
    """Score an option by the points that it is expected to bring."""
    if decision == constants.PICK and g.asked == constants.SOLSTICE_ORDER:
        return ALL_ALIKE
    look_ahead(g, t, me, w)
    if decision == constants.TURN:
        return score_turn(g, t, me, option, w)
    if decision == constants.PICK:
        return score_pick(g, t, me, option, w)
    if decision == constants.MARKET:
        return score_market(g, t, me, option, w)
    if decision == constants.ALTERNATIVE:
        return score_alternative(g, t, me, option, w)
    if decision == constants.WHETHER:
        return score_whether(g, t, me, option, w)
    return score_otherwise(g, t, me, decision, option, w)


@kernel
def score_options(g: Record, t: Record, me: int, decision: int, w: Record) -> int:
    """Score all options of a decision as `score_option` does, and return their number."""
    count = int(g.option_count)
    if decision == constants.PICK and g.asked == constants.SOLSTICE_ORDER:
        for option in range(count):
            g.option_score[option] = ALL_ALIKE
        return count
    look_ahead(g, t, me, w)
    if decision == constants.TURN:
        for option in range(count):
            g.option_score[option] = score_turn(g, t, me, option, w)
    elif decision == constants.PICK:
        for option in range(count):
            g.option_score[option] = score_pick(g, t, me, option, w)
    elif decision == constants.MARKET:
        for option in range(count):
            g.option_score[option] = score_market(g, t, me, option, w)
    elif decision == constants.WHETHER:
        for option in range(count):
            g.option_score[option] = score_whether(g, t, me, option, w)
    elif decision == constants.ALTERNATIVE:
        for option in range(count):
            g.option_score[option] = score_alternative(g, t, me, option, w)
    else:
        for option in range(count):
            g.option_score[option] = score_otherwise(g, t, me, decision, option, w)
    return count


@kernel
def lesson_of(g: Record, t: Record, card: int, what: int, w: Record) -> float:
    """Return the lesson of using a card in a certain way: `what` is a column of `t.card_lesson`.

    A lesson is a learned correction that is added to the appraisal.
    """
    late = int(g.rounds >= constants.EARLY_ROUNDS)
    return float(w.weight[P_LESSONS] * t.card_lesson[card, what, late])


@kernel
def lesson_of_acting(g: Record, t: Record, me: int, card: int, what: int, w: Record) -> float:
    """Return the lesson of playing or exhausting a card with the actions that the seat has left."""
    left = min(int(g.actions[me]), constants.ACTIONS_TOLD_APART - 1)
    return lesson_of(g, t, card, what, w) + float(w.weight[P_LESSONS] * t.acting_lesson[card, what, left])


@kernel
def lesson_of_effect(t: Record, card: int, at: int, w: Record) -> float:
    """Return the lesson of executing a card's effect from the row `at` of its code."""
    lesson = 0.0
    for place in range(MAX_EFFECTS_LEARNT):
        if t.lesson_at[card, place] == at:
            lesson += t.effect_lesson[card, place]
    return float(w.weight[P_LESSONS] * lesson)


@kernel
def score_alternative(g: Record, t: Record, me: int, option: int, w: Record) -> float:
    """Score one of several alternative effects of a card by its worth plus its lesson."""
    own = int(g.option_card[option])
    at = int(g.option_value[option])
    return worth_of_code(g, t, me, own, at, w) + lesson_of_effect(t, own, at, w)


@kernel
def score_otherwise(g: Record, t: Record, me: int, decision: int, option: int, w: Record) -> float:
    """Score an option of one of the rarer decisions."""
    if decision == constants.PAYMENT:
        return score_payment(g, me, option)
    if decision == constants.DEVELOP:
        card = int(g.option_card[option])
        if card == constants.NO_CARD:
            return 0.0
        return worth_of_developing(g, t, me, card, 0, w) + lesson_of(g, t, card, constants.TO_DEVELOP, w)
    if decision == constants.PROTECT:
        return score_protection(g, t, me, option, w)
    if decision == constants.INNOVATE_SUIT:
        return best_break_through(g, t, me, int(g.option_value[option]), w)
    if decision == constants.AMOUNT:
        return score_amount(g, t, me, option, w)
    return 0.0


# ---- A turn ----


@kernel
def score_turn(g: Record, t: Record, me: int, option: int, w: Record) -> float:
    """Score the next action of a turn.

    Innovating and revolting take the whole turn, so each is compared with all other actions together.
    """
    kind = g.option_kind[option]
    if kind == constants.END_TURN:
        for note in range(N_ONE, N_FREE + 1):
            g.notes[note] = 0.0
        return NOT_WORTH_IT
    card = int(g.option_card[option])
    if kind in (constants.EXHAUST_CARD, constants.PLAY_CARD) and goes_round(g, me):
        return 0.0
    if kind == constants.EXHAUST_CARD:
        worth = worth_of_code(g, t, me, card, int(t.program[card, constants.EXHAUST_PROGRAM]), w)
        g.notes[N_FREE] += max(0.0, worth)
        return worth + lesson_of_acting(g, t, me, card, constants.TO_USE, w)
    if kind == constants.PLAY_CARD:
        worth = worth_of_playing(g, t, me, card, w)
        note_best(g, t, card, worth)
        return worth + lesson_of_acting(g, t, me, card, constants.TO_PLAY, w)
    # Use appraisals without lessons here. Lessons say which card to play first, not what a turn is worth.
    all_else = g.notes[N_ONE] + g.notes[N_TWO] + g.notes[N_THREE] + g.notes[N_FREE]
    if kind == constants.INNOVATE:
        worth = best_break_through(g, t, me, ANY_GAINED_SUIT, w) * w.weight[P_INNOVATE]
        worth += worth_of_last_card(g, t, me, w)
    else:
        worth = unrest_held(g, t, me) * harm_of_unrest(g, t, me, w) * w.weight[P_REVOLT] + 0.2 * all_else
    return RATHER_THAN_ANYTHING + worth if worth > all_else else -RATHER_THAN_ANYTHING


@kernel
def goes_round(g: Record, me: int) -> bool:
    """Tell whether a seat has played so many cards, given the rounds so far, that it must be in an endless loop."""
    return bool(g.cards_played[me] > 24 + 7 * g.rounds)


@kernel
def unrest_held(g: Record, t: Record, me: int) -> int:
    """Return the number of unrest cards in the hand."""
    held = 0
    for place in range(g.zone_size[me, constants.HAND]):
        held += int(t.suits[g.zone[me, constants.HAND, place]] & constants.UNREST != 0)
    return held


@kernel
def note_best(g: Record, t: Record, card: int, worth: float) -> None:
    """Update the worths of the three best plays with a card's or, if it needs no action, the sum of such plays."""
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
    """Return the worth of playing a card now: its effect, and its future worth in play."""
    at = int(t.program[card, constants.PLAY_PROGRAM])
    worth = worth_of_code(g, t, me, card, at, w) if at != 0 else 0.0
    if t.pinned[card] != 0:
        worth += worth_in_play(g, t, me, card, g.notes[N_STAYS], w)
        worth += taste(g, t, me, t.suits[card] & 1, w)
        worth += printed_points(t, card, constants.PLAY) - printed_points(t, card, constants.DISCARD_PILE)
    if t.attack[card] != 0:
        worth += 0.2 * w.weight[P_HINT] * t.faction_hint[g.faction[me], H_ATTACK]
    return worth


@kernel
def score_whether(g: Record, t: Record, me: int, option: int, w: Record) -> float:
    """Score accepting an optional effect; declining it scores 0."""
    if g.option_value[option] == 0:
        return 0.0
    at = int(g.asked_at)
    own = int(g.asking)
    lesson = lesson_of_effect(t, own, at, w)
    if g.asked == constants.EXHAUST_TO_REACT or t.code[at, constants.OPERATION] != constants.MAY:
        return worth_of_code(g, t, me, own, at, w) + lesson
    behind = worth_of_code(g, t, me, own, int(t.code[at, constants.NEXT]), w)
    return worth_of_code(g, t, me, own, at + 1, w) - behind + lesson


@kernel
def score_payment(g: Record, me: int, option: int) -> float:
    """Score a payment: the less the paid tokens are worth, the better."""
    resource = int(g.asked_resource)
    stand_in = g.option_value[option]
    each = 2 if resource == constants.MATERIAL else 1
    own = max(0, g.asked_amount - each * stand_in)
    return -stand_in * float(g.notes[N_WORTH + constants.PROGRESS]) - own * float(g.notes[N_WORTH + resource])


@kernel
def score_amount(g: Record, t: Record, me: int, option: int, w: Record) -> float:
    """Score an amount, the larger the better: unrest returned in a revolt, tokens paid, or cards drawn."""
    number = float(g.option_value[option])
    if g.asked == constants.REVOLT_WITH:
        return number * harm_of_unrest(g, t, me, w)
    if g.asked == constants.PAY_UP_TO:
        return number * 0.1
    return number * g.notes[N_DRAW]


@kernel
def score_protection(g: Record, t: Record, me: int, option: int, w: Record) -> float:
    """Score a way to avoid an attack: the harm of the attack, minus the cost of avoiding it."""
    card = int(g.option_card[option])
    if card == constants.NO_CARD:
        return 0.0
    harm = harm_of_attack(g, t, me, w)
    shield = t.shield[card]
    if shield == constants.SHIELD_ALWAYS:
        return harm + 1.0
    if shield == constants.SHIELD_BY_EXHAUST:
        return harm - 0.1
    return harm - 0.8


@kernel
def harm_of_attack(g: Record, t: Record, me: int, w: Record) -> float:
    """Return the points that an attack would cost this seat."""
    attack = int(g.asking)
    at = int(t.program[attack, constants.PLAY_PROGRAM])
    harm = 0.0
    for _ in range(12):
        operation = t.code[at, constants.OPERATION]
        if operation == 0:
            break
        if operation == constants.OTHERS:
            harm -= worth_of_code(g, t, me, attack, at + 1, w)
        elif operation == constants.STEAL:
            resource = int(t.code[at, constants.A])
            harm += min(int(t.code[at, constants.B]), g.resource[me, resource]) * g.notes[N_WORTH + resource]
        elif operation == constants.GIVE_CARD:
            harm += harm_of_unrest(g, t, me, w) * 0.5
        at = int(t.code[at, constants.NEXT])
    return harm


# ---- Cards ----


@kernel
def score_pick(g: Record, t: Record, me: int, option: int, w: Record) -> float:
    """Score a card as the choice for an effect; choosing none scores 0."""
    card = int(g.option_card[option])
    asked = int(g.asked)
    zone = int(g.option_value[option])
    if card == constants.NO_CARD:
        return 0.0
    if asked == constants.CLEAN_UP:
        return score_clean_up(g, t, me, card, w)
    if asked in (constants.TO_HISTORY, constants.SINK, constants.GARRISON_HERE):
        return score_retiring(g, t, me, card, asked, zone, w)
    if asked in (
        constants.DISCARD,
        constants.DISCARD_DRAWN,
        constants.EXILE_HAND,
        constants.NATION_SWAP,
        constants.GIVE_CARD,
        constants.TOP_DECK,
    ):
        return score_giving_up(g, t, me, card, asked, zone, w)
    if asked in (constants.ABANDON, constants.RECALL, constants.ABANDON_GARRISONED):
        if zone == constants.GARRISON:
            return worth_in_deck(g, t, me, card, w)
        worth = -loss_from_play(g, t, me, card, asked == constants.RECALL, w)
        return worth + (0.7 * worth_in_hand(g, t, me, card, w) if asked == constants.RECALL else 0.0)
    if asked in (constants.DRAW_FROM, constants.FIND, constants.FREE_PLAY, constants.PLAY_FROM_DISCARD):
        return score_taking_back(g, t, me, card, zone, w)
    if asked == constants.FAME_LOOK:
        return worth_of_owning(g, t, me, card, w)
    if asked == constants.FAME_ORDER:
        return 0.1 * worth_of_owning(g, t, me, card, w)
    if asked == constants.NATION_TO_BOTTOM:
        return score_going_below(g, t, me, card, w)
    if asked == constants.RETURN_UNREST:
        return harm_of_unrest(g, t, me, w) + (0.2 if zone == constants.HAND else 0.0)
    if asked == constants.GARRISON_SELF:
        at = int(t.program[card, constants.PLAY_PROGRAM])
        return 0.8 + (worth_of_code(g, t, me, card, at, w) if at != 0 else 0.0)
    if asked == constants.GARRISON_QUEST:
        return worth_of_quest(g, t, me, card, w)
    return ALL_ALIKE


@kernel
def score_going_below(g: Record, t: Record, me: int, card: int, w: Record) -> float:
    """Score putting one of the top two nation cards at the bottom. The card that is worth less scores higher.

    The top card comes first, so it counts in full. The second card counts by the factor `SECOND`. The cards below are
    assumed to be as good as the top two.
    """
    top = int(g.zone_size[me, constants.NATION]) - 1
    first = worth_of_owning(g, t, me, int(g.zone[me, constants.NATION, top]), w)
    second = worth_of_owning(g, t, me, int(g.zone[me, constants.NATION, top - 1]), w)
    if card == g.zone[me, constants.NATION, top]:
        return (1.0 - 0.5 * SECOND) * (second - first)
    return 0.5 * SECOND * (first - second)


SECOND = 0.5
"""Worth of the second nation card, relative to the first."""


@kernel
def score_clean_up(g: Record, t: Record, me: int, card: int, w: Record) -> float:
    """Score discarding a hand card before the refill: a new one may be better, and the deck cycles faster."""
    if g.notes[N_TURNS] <= 1.0:
        return -0.01
    fresh = 1.0 * g.notes[N_DRAW]
    if t.suits[card] & constants.UNREST != 0:
        # With a hand full of unrest, the player revolts next turn. Otherwise the unrest card is kept if there is a
        # chance to return it.
        return fresh - 0.6 if unrest_held(g, t, me) < 3 else -0.5
    place = place_in(g, me, constants.HAND, card)
    kept = w.weight[P_KEEP] * worth_of_hand_card(g, t, me, place, w)
    if kept > 0.0 and not meets_requirements(g, t, me, card):
        kept = 0.0
    at = int(t.program[card, constants.PLAY_PROGRAM])
    if kept > 0.0 and at != 0 and t.pinned[card] == 0:
        kept = 0.5 * kept + 0.5 * w.weight[P_KEEP] * max(0.0, worth_of_code(g, t, me, card, at, w))
    if kept > 0.0 and t.free_play[card] == 0 and better_in_hand(g, t, me, place, w) >= ACTIONS_A_TURN:
        kept *= KEPT_FOR_LATER
    return fresh - kept


@kernel
def score_retiring(g: Record, t: Record, me: int, card: int, asked: int, zone: int, w: Record) -> float:
    """Score a card as one to put into history, to sink or to garrison."""
    to = (
        constants.HISTORY
        if asked == constants.TO_HISTORY
        else constants.GARRISON
        if asked == constants.GARRISON_HERE
        else constants.SUNKEN
    )
    worth = worth_of_retiring(g, t, me, card, to, w)
    if zone == constants.HAND and g.actions[me] > 0 and g.turn_seat == me:
        worth -= 0.3 * max(0.0, worth_in_hand(g, t, me, card, w))
    if asked == constants.GARRISON_HERE:
        worth *= 0.8
    return worth + lesson_of(
        g, t, card, constants.TO_GARRISON if asked == constants.GARRISON_HERE else constants.TO_RETIRE, w
    )


@kernel
def score_giving_up(g: Record, t: Record, me: int, card: int, asked: int, zone: int, w: Record) -> float:
    """Score a card as one to discard, exile, give away or put on the draw deck."""
    unrest = t.suits[card] & constants.UNREST != 0
    if asked in (constants.DISCARD, constants.DISCARD_DRAWN):
        if zone == constants.PLAY:
            return 0.2
        return lesson_of(g, t, card, constants.TO_DISCARD, w) - worth_in_hand(g, t, me, card, w)
    if asked == constants.TOP_DECK:
        if unrest:
            return -1.0
        worth = worth_in_hand(g, t, me, card, w)
        # From the hand, prefer a card that cannot be played now. From the discard pile, prefer a good card, because it
        # is drawn again immediately.
        return worth - N_DRAW_SHARE * g.notes[N_DRAW] if zone == constants.DISCARD_PILE else -0.3 * worth
    if asked == constants.NATION_SWAP:
        return -worth_in_hand(g, t, me, card, w)
    if unrest:
        return harm_of_unrest(g, t, me, w)
    return -worth_of_owning(g, t, me, card, w)


N_DRAW_SHARE = 0.6
"""Share of the worth of drawing a card that is lost when a known card is put on top of the draw deck."""


@kernel
def score_taking_back(g: Record, t: Record, me: int, card: int, zone: int, w: Record) -> float:
    """Score a card as one to take into the hand, or to play immediately."""
    if t.suits[card] & constants.UNREST != 0:
        return harm_of_unrest(g, t, me, w) - 0.8 if zone == constants.HAND else -0.5
    worth = worth_in_hand(g, t, me, card, w)
    if zone == constants.HISTORY:
        worth -= worth_of_retiring(g, t, me, card, constants.HISTORY, w)
    if zone == constants.DECK:
        worth += 0.1
    return worth


# ---- The market ----


@kernel
def score_market(g: Record, t: Record, me: int, option: int, w: Record) -> float:
    """Score choosing a card of the market, a deck or the exile pile, or none."""
    kind = g.option_kind[option]
    card = int(g.option_card[option])
    value = int(g.option_value[option])
    asked = int(g.asked)
    if card == constants.NO_CARD and kind <= constants.FROM_MARKET:
        return 0.0
    if asked == constants.GAMBLE:
        return 1.0 if value == constants.TRIBUTARY else 0.5
    if kind == constants.FROM_EXILE:
        worth = worth_of_owning(g, t, me, card, w)
        if asked == constants.SWAP_EXILE:
            return worth
        return worth - (harm_of_unrest(g, t, me, w) if t.suits[card] & constants.TUCKS_UNREST != 0 else 0.0)
    if kind != constants.FROM_MARKET:
        return worth_of_unseen(g, t, me, value, w)
    if asked == constants.GAIN_ON_MARKET:
        return worth_of_tokens_at(g, value)
    worth = worth_of_slot(g, t, me, value, w)
    if asked in (constants.EXILE_MARKET, constants.SWAP_EXILE):
        return -worth
    if asked == constants.PLACE_ON_MARKET:
        return score_token(g, value, worth)
    if asked != constants.BREAK_THROUGH and g.market_unrest[value] != constants.NO_CARD:
        worth -= harm_of_unrest(g, t, me, w)
    return worth + lesson_of(g, t, int(g.market[value]), constants.TO_GAIN, w)


@kernel
def score_token(g: Record, slot: int, worth: float) -> float:
    """Score a market card as the place for a token.

    A card of middling worth is best: this seat may take it later, and the next players probably will not.
    """
    tokens = g.market_tokens[slot, 0] + g.market_tokens[slot, 1] + g.market_tokens[slot, 2]
    return -abs(worth - 2.0) - 0.5 * tokens
