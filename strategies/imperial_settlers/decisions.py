"""Scores the options of every decision for the appraising players."""

from __future__ import annotations

import math

import numpy as np

from sim.compiler.kernel import Record, kernel
from sim.engine.zones import place_in
from sim.games.imperial_settlers.rules import constants
from strategies.imperial_settlers.appraisal import (
    MASKED,
    cost_of_activating,
    note_plays,
    play_of,
    raze_cost,
    worth_of_activating,
)
from strategies.imperial_settlers.card_worth import (
    loss_of_foundation,
    loss_of_location,
    worth_in_hand,
    worth_of_holding,
    worth_of_razing,
    worth_of_use,
    worth_to_owner,
)
from strategies.imperial_settlers.outlook import look_ahead, note_cards, note_goods, note_opponents, wish
from strategies.imperial_settlers.terms.asked_plans import (
    ask_plan,
    ask_plan_after,
    begin_scores,
    end_scores,
    make_room,
    wait_for,
    wait_for_card,
    wait_for_supply,
)
from strategies.imperial_settlers.terms.bundles import CANNOT, GOODS_ONLY, after_paying, cards_of, of_good, together
from strategies.imperial_settlers.terms.gains import goods_of_operation, worth_beside_goods, worth_of_operation
from strategies.imperial_settlers.terms.picks import score_pick
from strategies.imperial_settlers.terms.plans import (
    AS_BUILD,
    AS_DEAL,
    AS_RAZE,
    AS_USE,
    FRESH_LOSS,
    NOT_BESIDE,
    beside_plan,
    fill,
    is_for_later,
    is_next,
    is_planned,
    is_wanted,
    with_supply,
    worth_of_unused,
)
from strategies.imperial_settlers.weights import (
    CARD_FIELDS,
    H_PROTECTION,
    N_BASE,
    N_BASE_SHORT,
    N_BASE_USED,
    N_COMMON,
    N_COUNT,
    N_FACTION,
    N_HORIZON,
    N_LOCATION_NOW,
    N_LOSS,
    N_PAIR,
    N_PRICE,
    N_ROUNDS,
    N_SCORED,
    N_SUPPLY,
    N_THREAT,
    P_BANK,
    P_DEFEND,
    P_LESSONS,
    P_RAID,
    P_TEMPO,
    P_USE_NOW,
    PLAY_BIT,
    PLAY_COST,
    PLAY_GAIN,
    PLAY_RANK,
    PLAY_VALUE,
    RAZE_OF,
    SCORES,
    UNRANKED,
)

PACKED = 32
"""A payment encodes wood, stone, food and gold as digits in this base (see `payment.py` of the game)."""
CONVERTED_SPOIL = 2.0
CONVERTED_GOOD = 1.0
"""Points for a good that Dark Chapel (first number) or School of Diplomacy (second) turns into points."""
LEAST_THREAT = 0.03
SATED = 0.3
"""How quickly the worth of one more resource of a kind falls with the number that the seat has of this kind."""
LEARNT_OF = 8
"""Lessons apply only to this many of a turn's best options, because only these were rolled out in training."""
LATER = 0.1
"""Penalty for choosing a play now that the plan does not include."""


@kernel
def score_option(g: Record, t: Record, me: int, decision: int, option: int, w: Record) -> float:
    """Score an option by the points that it is expected to bring."""
    if decision in (constants.TURN, constants.MORE_PAIRS):
        if math.isnan(g.notes[N_SCORED]):
            score_actions(g, t, me, decision, w)
        return float(g.notes[SCORES + option])
    return score_other(g, t, me, decision, option, w) + lesson_of(g, t, decision, option, w)


@kernel
def score_options(g: Record, t: Record, me: int, decision: int, w: Record) -> int:
    """Score all options of a decision as `score_option` does, and return their number."""
    if decision in (constants.TURN, constants.MORE_PAIRS):
        score_actions(g, t, me, decision, w)
        for option in range(g.option_count):
            g.option_score[option] = g.notes[SCORES + option]
    else:
        for option in range(g.option_count):
            worth = score_other(g, t, me, decision, option, w)
            g.option_score[option] = worth + lesson_of(g, t, decision, option, w)
    return int(g.option_count)


@kernel
def has_learned_values(g: Record, w: Record) -> bool:
    """Tell whether a player uses lessons; it never does in the solo game."""
    return bool(g.solo == 0 and w.weight[P_LESSONS] != 0.0)


@kernel
def lesson_of(g: Record, t: Record, decision: int, option: int, w: Record) -> float:
    """Return the lesson (a learned correction) of an option in this round, by its card and kind of move."""
    if not has_learned_values(g, w):
        return 0.0
    now = max(0, min(constants.ROUNDS, int(g.rounds)) - 1)
    kind = int(g.option_kind[option])
    card = int(g.option_card[option])
    lesson = 0.0
    if decision == constants.TURN:
        lesson = float(t.move_lesson[kind, now])
        if constants.BUILD <= kind <= constants.ACTIVATE:
            lesson += t.card_lesson[card, now, kind - constants.BUILD]
    elif decision == constants.TAKE and card != constants.NO_CARD:
        lesson = float(t.card_lesson[card, now, constants.LEARNT_OF_TAKING])
    elif decision == constants.GIVE_UP and kind != constants.FOUNDATION:
        lesson = float(t.card_lesson[card, now, constants.LEARNT_OF_GIVING_UP])
    return w.weight[P_LESSONS] * lesson


@kernel
def score_other(g: Record, t: Record, me: int, decision: int, option: int, w: Record) -> float:
    """Score an option of any decision other than the choice of an action."""
    if decision == constants.SOURCE:
        return 0.0
    card = int(g.option_card[option])
    value = int(g.option_value[option])
    if decision == constants.DRAW:
        note_cards(g, t, me, w)
        return float(g.notes[N_COMMON] if value == constants.COMMON_DECK else g.notes[N_FACTION])
    if decision == constants.PAY:
        if resources_go_first(g, t, me):
            return -float(value)
        note_goods(g, t, me, w)
        return score_payment(g, me, value)
    look_ahead(g, t, me, w)
    if decision in (constants.TAKE, constants.KEEP):
        return worth_in_hand(g, t, me, card, w)
    if decision == constants.GIVE_UP:
        if g.option_kind[option] == constants.FOUNDATION:
            return -loss_of_foundation(g, w)
        return -loss_of_location(g, t, me, card, w)
    note_plays(g, t, me, w)
    if decision == constants.PICK:
        return score_pick(g, t, me, option, w)
    if decision == constants.BRANCH:
        return score_alternative(g, t, me, value, w)
    if decision == constants.CONVERT:
        return score_conversion(g, value, w)
    return -loss_of_location(g, t, me, card, w)


# ---- Decisions whose options are scored together: a turn, and exchanging one more pair of workers ----


@kernel
def score_actions(g: Record, t: Record, me: int, decision: int, w: Record) -> None:
    """Score all options of a turn, or of exchanging one more pair of workers."""
    begin_scores(g)
    look_ahead(g, t, me, w)
    if decision == constants.TURN and w.weight[P_DEFEND] > 0.0 and token_first(g, me):
        note_opponents(g, me, w)
        score_tokens(g, t, me, w)
        return
    note_plays(g, t, me, w)
    for option in range(g.option_count):
        make_room(g)
        if decision == constants.MORE_PAIRS:
            score_exchange(g, t, option, int(g.option_value[option]), w)
        else:
            score_turn(g, t, me, option, w)
    end_scores(g)
    if decision == constants.TURN and has_learned_values(g, w):
        add_lessons(g, t, w)


@kernel
def add_lessons(g: Record, t: Record, w: Record) -> None:
    """Add lessons to the scores of a turn's best options."""
    least = least_of_best(g)
    for option in range(g.option_count):
        if g.notes[SCORES + option] >= least:
            g.notes[SCORES + option] += lesson_of(g, t, constants.TURN, option, w)


@kernel
def least_of_best(g: Record) -> float:
    """Return the lowest of the `LEARNT_OF` highest scores, or the lowest of all if there are fewer options."""
    least = math.inf
    better = 0
    while better < min(LEARNT_OF, int(g.option_count)):
        below = -math.inf
        for option in range(g.option_count):
            if below < g.notes[SCORES + option] < least:
                below = float(g.notes[SCORES + option])
        if below == -math.inf:
            # All other scores are NaN. A NaN score stops the game when an option is chosen.
            return below
        least = below
        for option in range(g.option_count):
            better += int(g.notes[SCORES + option] == least)
    return least


@kernel
def score(g: Record, option: int, worth: float) -> None:
    """Store the score of an option that does not depend on a plan."""
    g.notes[SCORES + option] = worth


@kernel
def score_tokens(g: Record, t: Record, me: int, w: Record) -> None:
    """Score all options of a turn so that the best is to place the defence token where it saves most."""
    threat = max(LEAST_THREAT, g.notes[N_THREAT])
    for option in range(g.option_count):
        worth = 0.0
        if g.option_kind[option] == constants.DEFEND:
            worth = 1.0 + threat * loss_of_location(g, t, me, int(g.option_card[option]), w)
        score(g, option, worth)


@kernel
def token_first(g: Record, me: int) -> bool:
    """Tell whether the seat can place a defence token. Free steps are listed last, so look there first."""
    if g.peaceful != 0 or g.goods[me, constants.DEFENCE] == 0:
        return False
    option = int(g.option_count) - 1
    while option >= 0 and g.option_kind[option] != constants.DEFEND:
        if constants.PASS < g.option_kind[option] < constants.DEFEND:
            return False
        option -= 1
    return option >= 0


@kernel
def score_turn(g: Record, t: Record, me: int, option: int, w: Record) -> None:
    """Score an action, a free step or passing, including the plan for the rest of this round."""
    kind = g.option_kind[option]
    card = int(g.option_card[option])
    value = int(g.option_value[option])
    if kind == constants.PASS:
        safe = 0.5 * g.notes[N_THREAT] * g.notes[N_LOCATION_NOW]
        score(g, option, worth_of_unused(g, int(g.notes[N_SUPPLY])) + safe)
    elif kind == constants.BUILD:
        score_build(g, t, me, option, card, w)
    elif kind == constants.DEAL:
        score_play(g, option, card, AS_DEAL, 1, w)
    elif kind == constants.RAZE_HAND:
        score_play(g, option, card, AS_RAZE, 1, w)
    elif kind == constants.RAZE_LOCATION:
        score_raid(g, t, me, option, card, w)
    elif kind == constants.ACTIVATE:
        score_play(g, option, card, AS_USE, value, w)
    elif kind == constants.EXCHANGE:
        score_exchange(g, t, option, value, w)
    else:
        score_free_step(g, t, me, option, card, value, w)


@kernel
def score_raid(g: Record, t: Record, me: int, option: int, card: int, w: Record) -> None:
    """Score razing a location of another seat."""
    play = play_of(g, card, AS_RAZE)
    if is_for_later(g, play):
        score(g, option, g.notes[N_BASE] - LATER)
    elif play >= 0 and is_next(g, play):
        score(g, option, g.notes[N_BASE] + w.weight[P_RAID])
    else:
        supply = after_paying(int(g.notes[N_SUPPLY]), raze_cost(g, t, card))
        if supply == CANNOT:
            supply = 0
        supply = together(supply, int(w.prepared[CARD_FIELDS * card + RAZE_OF]))
        worth = worth_of_razing(g, t, me, int(g.option_seat[option]), card, w) + w.weight[P_RAID]
        wait_for(g, option, worth, ask_plan(g, supply, 0, 0, card, 1, 0), 0.0)


@kernel
def score_build(g: Record, t: Record, me: int, option: int, card: int, w: Record) -> None:
    """Score the option to build a card. If it is an action location, its use in the same round counts too."""
    play = play_of(g, card, AS_BUILD)
    if play < 0:
        score(g, option, -1.0)
        return
    if is_for_later(g, play):
        score(g, option, g.notes[N_BASE] - LATER)
        return
    whole = g.notes.view(np.int64)
    value = float(g.notes[PLAY_VALUE + play])
    gain = int(whole[PLAY_GAIN + play])
    early = w.weight[P_TEMPO] * promise(t, card, gain)
    needs_location = t.cost_location[card] != 0
    if is_next(g, play) and (not needs_location or g.notes[N_LOSS] < FRESH_LOSS):
        score(g, option, early + (with_use(g, t, me, card, w) if t.kind[card] == constants.ACTION else g.notes[N_BASE]))
        return
    given = 0
    fresh = 0
    if needs_location:
        value -= g.notes[N_LOSS]
        given = 1
    elif t.deck[card] == constants.COMMON:
        fresh = 1
    used = int(whole[PLAY_BIT + play])
    supply = after_paying(int(g.notes[N_SUPPLY]), int(whole[PLAY_COST + play]))
    if supply == CANNOT:
        supply = 0
    supply = together(supply, gain)
    value += early
    if t.kind[card] == constants.ACTION:
        left = after_paying(supply, cost_of_activating(g, t, me, card, w))
        if left != CANNOT:
            more, goods = worth_of_activating(g, t, me, card, w)
            if more > 0.0 or goods != 0:
                value += more - worth_of_use(g, t, me, card, w) * w.weight[P_USE_NOW]
                supply = together(left, goods)
    wait_for(g, option, value, ask_plan(g, supply, used, given, constants.NO_CARD, 0, fresh), 0.0)


@kernel
def with_use(g: Record, t: Record, me: int, card: int, w: Record) -> float:
    """Return the worth of the plan for the goods at hand and one use of a new action location.

    The use counts only if the plan leaves the goods for it and the use is worth more than the share already counted.
    """
    more, goods = worth_of_activating(g, t, me, card, w)
    plan = beside_plan(g, cost_of_activating(g, t, me, card, w), goods)
    if plan == NOT_BESIDE:
        return float(g.notes[N_BASE])
    return max(float(g.notes[N_BASE]), plan + more - worth_of_use(g, t, me, card, w) * w.weight[P_USE_NOW])


@kernel
def promise(t: Record, card: int, gain: int) -> float:
    """Return a bonus for building a card early in the round, because the goods that it gains may change the plan."""
    worth = 0.1 if gain != 0 else 0.0
    worth += float(cards_of(gain))
    if t.kind[card] == constants.FEATURE and t.trigger[card] != constants.NO_TRIGGER:
        worth += 2.0
    return worth


@kernel
def score_play(g: Record, option: int, card: int, flag: int, times: int, w: Record) -> None:
    """Score a deal, razing a hand card, or `times` uses (1 or 2) of an action location; `flag` is the kind of play."""
    play = play_of(g, card, flag)
    if play < 0:
        score(g, option, -1.0)
        return
    whole = g.notes.view(np.int64)
    gain = int(whole[PLAY_GAIN + play])
    cost = int(whole[PLAY_COST + play])
    early = w.weight[P_TEMPO] * (cards_of(gain) + 0.05 * times)
    # A second use is listed directly after the first, unless there was no room for it.
    if is_next(g, play) and (times == 1 or (play + 1 < g.notes[N_COUNT] and is_next(g, play + 1))):
        score(g, option, g.notes[N_BASE] + early)
        return
    value = float(times * g.notes[PLAY_VALUE + play] + early)
    bit = int(whole[PLAY_BIT + play])
    if times == 1 and score_trade(g, option, play, flag, value, bit):
        return
    supply = after_paying(int(g.notes[N_SUPPLY]), cost)
    if supply != CANNOT and times > 1:
        supply = after_paying(supply, cost)
    if supply == CANNOT:
        supply = 0
    for _ in range(times):
        supply = together(supply, gain)
    wait_for(g, option, value, ask_plan(g, supply, bit, 0, card, times, 0), 0.0)


@kernel
def score_trade(g: Record, option: int, play: int, flag: int, value: float, bit: int) -> bool:
    """Score a single play as a trade of goods. Return False, without scoring it, if it needs a plan of its own.

    `value` is the worth of the play apart from goods, and `bit` the bit of its hand card.
    """
    whole = g.notes.view(np.int64)
    gain = int(whole[PLAY_GAIN + play])
    cost = int(whole[PLAY_COST + play])
    if gain & GOODS_ONLY == 0 and is_for_later(g, play):
        score(g, option, g.notes[N_BASE] - LATER)
        return True
    if is_planned(g, play):
        return False
    if not is_wanted(g, gain):
        # The goods gained are of no use to the plan. The play can be added to the plan only if the plan needs neither
        # the card nor the goods that the play costs.
        plan = beside_plan(g, cost, gain) if bit & int(g.notes[N_BASE_USED]) == 0 else NOT_BESIDE
        score(g, option, value + plan if plan != NOT_BESIDE else g.notes[N_BASE] - LATER)
        return True
    if flag != AS_USE:
        wait_for_card(g, option, value, cost, gain, bit)
        return True
    if whole[PLAY_RANK + play] == UNRANKED:
        wait_for(g, option, value, ask_plan_after(g, cost, gain), 0.0)
        return True
    return False


@kernel
def score_exchange(g: Record, t: Record, option: int, what: int, w: Record) -> None:
    """Score exchanging a pair of workers for a resource or a card, or stopping the exchange."""
    cost = of_good(constants.WORKER, int(t.pair))
    if what == constants.STOP:
        score(g, option, float(g.notes[N_BASE]))
    elif what >= constants.COMMON_DECK:
        drawn = float(g.notes[N_COMMON if what == constants.COMMON_DECK else N_FACTION])
        wait_for_supply(g, option, w.weight[P_TEMPO] * 0.5, cost, 0, drawn)
    elif (int(g.notes[N_BASE_SHORT]) >> what) & 1 == 0:
        # The plan has enough of this resource, so a pair of workers would be spent for nothing.
        score(g, option, g.notes[N_BASE] - g.notes[N_PAIR])
    else:
        wait_for_supply(g, option, 0.0, cost, of_good(what, 1), 0.0)


@kernel
def score_free_step(g: Record, t: Record, me: int, option: int, card: int, value: int, w: Record) -> None:
    """Score placing a defence token or a samurai, tucking a card under a Gate, or storing a resource on a Shrine."""
    kind = g.option_kind[option]
    if kind == constants.DEFEND:
        threat = max(LEAST_THREAT, g.notes[N_THREAT])
        early = w.weight[P_DEFEND] if g.peaceful == 0 else 0.0
        guarded = 0.5 * threat * loss_of_location(g, t, me, card, w) * wish(g, me, H_PROTECTION, w)
        score(g, option, float(g.notes[N_BASE]) + early + guarded)
    elif kind == constants.SAMURAI:
        wait_for_supply(g, option, 0.0, of_good(constants.WORKER, 1), 0, worth_of_samurai(g, t, me, card, w))
    elif kind == constants.TUCK:
        score_tucking(g, t, me, option, card, value, w)
    else:
        banked = int(g.banked[card, 0] + g.banked[card, 1] + g.banked[card, 2])
        gained = w.weight[P_BANK] * worth_of_tier(t, card, banked, 1.0)
        wait_for_supply(g, option, gained, of_good(value, 1), 0, 0.0)


@kernel
def score_tucking(g: Record, t: Record, me: int, option: int, card: int, gate: int, w: Record) -> None:
    """Score tucking a hand card under a Gate."""
    lasting = worth_to_owner(g, t, me, card, 0, w)
    gained = t.feature_number[gate] + worth_of_tier(t, gate, int(g.tucked[gate]), 0.5)
    # The Gate can also take the card in a later round. Keep the card if it may be built before then.
    used = 1 << min(place_in(g, me, constants.HAND, card), MASKED)
    planned = used & int(g.notes[N_BASE_USED]) != 0
    kept = 1.2 + max(0.0, worth_of_holding(g, lasting, w))
    if g.notes[N_ROUNDS] == 0.0:
        # If the plan includes a play of the card, the worth of that play is added to the worth of holding the card.
        kept = worth_of_holding(g, lasting, w) if planned else 0.02
    if gained <= kept or not planned:
        score(g, option, float(g.notes[N_BASE]) + gained - kept)
    else:
        plan = ask_plan(g, int(g.notes[N_SUPPLY]), used, 0, constants.NO_CARD, 0, 0)
        wait_for(g, option, gained - kept, plan, 0.0)


@kernel
def worth_of_tier(t: Record, card: int, things: int, share: float) -> float:
    """Return the worth of one more card or good on a card that scores by tiers; 0 after the last tier.

    It is the share `share` of the points that the next tier adds, divided by how many cards or goods it still lacks.
    `things` is the number on the card now.
    """
    before = 0.0
    for tier in range(t.end_tier.shape[1]):
        points = float(t.end_tier[card, tier, 1])
        needed = int(t.end_tier[card, tier, 0])
        if points <= 0.0:
            break
        if things < needed:
            return share * (points - before) / (needed - things)
        before = points
    return 0.0


@kernel
def worth_of_samurai(g: Record, t: Record, me: int, card: int, w: Record) -> float:
    """Return the worth of a samurai on a faction location: it protects, and some cards count samurai."""
    threat = max(LEAST_THREAT, g.notes[N_THREAT]) if t.razeable[card] != 0 else 0.0
    worth = 0.4 * threat * loss_of_location(g, t, me, card, w) * wish(g, me, H_PROTECTION, w)
    worth *= 1.0 + 0.5 * g.notes[N_ROUNDS]
    count = 0
    castles = 0
    for place in range(g.zone_size[me, constants.LOCATIONS]):
        other = int(g.zone[me, constants.LOCATIONS, place])
        count += int(g.samurai[other])
        at = int(t.program[other, constants.PRODUCES])
        if (
            at >= 0
            and t.code[at, constants.OPERATION] == constants.GAIN_PER_SAMURAI
            and count < t.code[at, constants.C]
        ):
            castles += 1
    if count >= 3:
        castles = 0
    return float(worth + castles * g.notes[N_HORIZON])


# ---- Other decisions ----


@kernel
def resources_go_first(g: Record, t: Record, me: int) -> bool:
    """Tell whether it is certainly best to pay with resources and keep gold.

    It is not if the seat can store resources, or if resources of any kind are due.
    """
    if g.due_any != 0 or g.features[me, constants.STORES] + g.features[me, constants.BANKS] > 0:
        return False
    stores = t.stores[g.faction[me]]
    return bool(stores[constants.WOOD] + stores[constants.STONE] + stores[constants.FOOD] == 0)


@kernel
def score_payment(g: Record, me: int, packed: int) -> float:
    """Score a payment by the goods that it leaves.

    The first resource of each kind is worth more than the next. Each gold is worth the same, because gold can replace
    any resource.
    """
    worth = 0.0
    for good in (constants.WOOD, constants.STONE, constants.FOOD, constants.GOLD):
        left = g.goods[me, good] - packed % PACKED
        worth += g.notes[N_PRICE + good] * (left if good == constants.GOLD else left / (1.0 + SATED * left))
        packed //= PACKED
    return float(worth)


@kernel
def score_alternative(g: Record, t: Record, me: int, at: int, w: Record) -> float:
    """Score a branch of a choice by its gains and costs, including the plan for the goods then left."""
    if at < 0:
        return float(g.notes[N_BASE])
    end = int(t.code[at - 1, constants.NEXT])
    value = 0.0
    supply = int(g.notes[N_SUPPLY])
    card = int(g.asked_card)
    for row in range(at, end):
        operation = int(t.code[row, constants.OPERATION])
        gain = goods_of_operation(g, t, me, card, row, 1)
        if operation == constants.SWAP:
            left = after_paying(supply, of_good(int(t.code[row, constants.A]), int(t.code[row, constants.B])))
            supply = supply if left == CANNOT else left
        elif operation >= constants.GAIN_DEAL_GOOD:
            value += worth_of_operation(g, t, me, card, operation, row, w)
        value += worth_beside_goods(g, gain)
        supply = together(supply, gain)
    return value + fill(g, supply, 0, 0, constants.NO_CARD, 0, 0)


@kernel
def score_conversion(g: Record, converts: int, w: Record) -> float:
    """Score turning a good into points, or keeping it."""
    good = int(g.asked_good)
    if converts != 0:
        points = CONVERTED_SPOIL if g.asked == constants.RAZE_EITHER else CONVERTED_GOOD
        return float(points + g.notes[N_BASE])
    gain = of_good(good, 1)
    return worth_beside_goods(g, gain) + with_supply(g, 0.0, 0, gain, w)
