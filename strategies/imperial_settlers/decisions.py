"""How the appraising players score the options of every decision."""

from __future__ import annotations

import math

from sim.games.imperial_settlers import words
from sim.jit import Record, kernel
from sim.kit.zones import place_in
from strategies.imperial_settlers.appraisal import (
    MASKED,
    bit_of,
    cost_of_activating,
    note_plays,
    play_of,
    raze_cost,
    worth_of_activating,
)
from strategies.imperial_settlers.bundles import CANNOT, GOODS_ONLY, after_paying, cards_of, of_good, together
from strategies.imperial_settlers.card_worth import (
    loss_of_foundation,
    loss_of_location,
    worth_in_hand,
    worth_of_holding,
    worth_of_razing,
    worth_of_use,
    worth_to_owner,
)
from strategies.imperial_settlers.gains import goods_of_operation, worth_beside_goods, worth_of_operation
from strategies.imperial_settlers.outlook import look_ahead, wish
from strategies.imperial_settlers.picks import score_pick
from strategies.imperial_settlers.plans import (
    AS_BUILD,
    AS_DEAL,
    AS_RAZE,
    AS_USE,
    FRESH_LOSS,
    NOT_BESIDE,
    after_card,
    after_trade,
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
    N_AFTER_PAIR,
    N_AFTER_WORKER,
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
    N_SUPPLY,
    N_THREAT,
    P_BANK,
    P_DEFEND,
    P_RAID,
    P_TEMPO,
    P_USE_NOW,
    PLAY_CARD,
    PLAY_COST,
    PLAY_GAIN,
    PLAY_RANK,
    PLAY_VALUE,
    RAZE_OF,
    UNRANKED,
)

PACKED = 32
"""A payment packs wood, stone, food and gold with so many values each (`payment.py`)."""
CONVERTED_SPOIL = 2.0
CONVERTED_GOOD = 1.0
"""Points for a good that Dark Chapel or School of Diplomacy turns into points."""
LEAST_THREAT = 0.03
SATED = 0.3
"""How much less the next resource of a kind is worth than the one before it."""
LATER = 0.1
"""How much less than the plan a play scores that the plan leaves for later."""


@kernel
def score_option(g: Record, t: Record, me: int, decision: int, option: int, w: Record) -> float:
    """Score an option by the points it should bring."""
    if decision == words.TURN and not math.isnan(g.notes[N_COUNT]):
        return score_turn(g, t, me, option, w)
    if decision == words.SOURCE:
        return 0.0
    look_ahead(g, t, me, w)
    card = int(g.option_card[option])
    value = int(g.option_value[option])
    if decision in (words.TAKE, words.KEEP):
        return worth_in_hand(g, t, me, card, w)
    if decision == words.DRAW:
        return float(g.notes[N_COMMON] if value == words.COMMON_DECK else g.notes[N_FACTION])
    if decision == words.GIVE_UP:
        if g.option_kind[option] == words.FOUNDATION:
            return -loss_of_foundation(g, w)
        return -loss_of_location(g, t, me, card, w)
    if decision == words.PAY:
        return -float(value) if resources_go_first(g, t, me) else score_payment(g, me, value)
    if decision == words.TURN and w.weight[P_DEFEND] > 0.0 and token_first(g, me):
        if g.option_kind[option] != words.DEFEND:
            return 0.0
        threat = max(LEAST_THREAT, g.notes[N_THREAT])
        return 1.0 + threat * loss_of_location(g, t, me, card, w)
    note_plays(g, t, me, w)
    if decision == words.TURN:
        return score_turn(g, t, me, option, w)
    if decision == words.PICK:
        return score_pick(g, t, me, option, w)
    if decision == words.BRANCH:
        return score_alternative(g, t, me, value, w)
    if decision == words.MORE_PAIRS:
        return score_exchange(g, t, me, value, w)
    if decision == words.CONVERT:
        return score_conversion(g, value, w)
    return -loss_of_location(g, t, me, card, w)


# ---- A turn ----


@kernel
def token_first(g: Record, me: int) -> bool:
    """Tell whether the defence token can be laid, which costs nothing; free steps are listed behind actions."""
    if g.peaceful != 0 or g.goods[me, words.DEFENCE] == 0:
        return False
    option = int(g.option_count) - 1
    while option >= 0 and g.option_kind[option] != words.DEFEND:
        if words.PASS < g.option_kind[option] < words.DEFEND:
            return False
        option -= 1
    return option >= 0


@kernel
def score_turn(g: Record, t: Record, me: int, option: int, w: Record) -> float:
    """Score an action, a free step or passing, with all that can be done after it this round."""
    kind = g.option_kind[option]
    card = int(g.option_card[option])
    value = int(g.option_value[option])
    if kind == words.PASS:
        safe = 0.5 * g.notes[N_THREAT] * g.notes[N_LOCATION_NOW]
        return worth_of_unused(g, int(g.notes[N_SUPPLY])) + safe
    if kind == words.BUILD:
        return score_build(g, t, me, card, w)
    if kind == words.DEAL:
        return score_play(g, card, AS_DEAL, 1, w)
    if kind == words.RAZE_HAND:
        return score_play(g, card, AS_RAZE, 1, w)
    if kind == words.RAZE_LOCATION:
        return score_raid(g, t, me, int(g.option_seat[option]), card, w)
    if kind == words.ACTIVATE:
        return score_play(g, card, AS_USE, value, w)
    if kind == words.EXCHANGE:
        return score_exchange(g, t, me, value, w)
    return score_free_step(g, t, me, kind, card, value, w)


@kernel
def score_raid(g: Record, t: Record, me: int, seat: int, card: int, w: Record) -> float:
    """Score razing a location of another."""
    play = play_of(g, card, AS_RAZE)
    if is_for_later(g, play):
        return float(g.notes[N_BASE] - LATER)
    if play >= 0 and is_next(g, play):
        return float(g.notes[N_BASE] + w.weight[P_RAID])
    supply = after_paying(int(g.notes[N_SUPPLY]), raze_cost(g, t, card))
    if supply == CANNOT:
        supply = 0
    worth = worth_of_razing(g, t, me, seat, card, w) + w.weight[P_RAID]
    return worth + fill(g, together(supply, int(w.prepared[CARD_FIELDS * card + RAZE_OF])), 0, 0, card, 1, 0)


@kernel
def score_build(g: Record, t: Record, me: int, card: int, w: Record) -> float:
    """Score building a card, together with using it at once if it is an action location."""
    play = play_of(g, card, AS_BUILD)
    if play < 0:
        return -1.0
    if is_for_later(g, play):
        return float(g.notes[N_BASE] - LATER)
    value = float(g.notes[PLAY_VALUE + play])
    gain = int(g.notes[PLAY_GAIN + play])
    early = w.weight[P_TEMPO] * promise(t, card, gain)
    needs_location = t.cost_location[card] != 0
    if is_next(g, play) and (not needs_location or g.notes[N_LOSS] < FRESH_LOSS):
        return float(early + (with_use(g, t, me, card, w) if t.kind[card] == words.ACTION else g.notes[N_BASE]))
    given = 0
    fresh = 0
    if needs_location:
        value -= g.notes[N_LOSS]
        given = 1
    elif t.deck[card] == words.COMMON:
        fresh = 1
    used = bit_of(int(g.notes[PLAY_CARD + play]))
    supply = after_paying(int(g.notes[N_SUPPLY]), int(g.notes[PLAY_COST + play]))
    if supply == CANNOT:
        supply = 0
    supply = together(supply, gain)
    value += early
    if t.kind[card] == words.ACTION:
        left = after_paying(supply, cost_of_activating(g, t, me, card, w))
        if left != CANNOT:
            more, goods = worth_of_activating(g, t, me, card, w)
            if more > 0.0 or goods != 0:
                value += more - worth_of_use(g, t, me, card, w) * w.weight[P_USE_NOW]
                supply = together(left, goods)
    return value + fill(g, supply, used, given, words.NO_CARD, 0, fresh)


@kernel
def with_use(g: Record, t: Record, me: int, card: int, w: Record) -> float:
    """Worth of the plan for the goods at hand, an action location of which is used too if goods are left for it."""
    more, goods = worth_of_activating(g, t, me, card, w)
    plan = beside_plan(g, cost_of_activating(g, t, me, card, w), goods)
    if plan == NOT_BESIDE:
        return float(g.notes[N_BASE])
    return max(float(g.notes[N_BASE]), plan + more - worth_of_use(g, t, me, card, w) * w.weight[P_USE_NOW])


@kernel
def promise(t: Record, card: int, gain: int) -> float:
    """How much better it is to build a card early in the round: what it gives may change the plan."""
    worth = 0.1 if gain != 0 else 0.0
    worth += float(cards_of(gain))
    if t.kind[card] == words.FEATURE and t.trigger[card] != words.NO_TRIGGER:
        worth += 2.0
    return worth


@kernel
def score_play(g: Record, card: int, flag: int, times: int, w: Record) -> float:
    """Score a deal, razing a hand card, or using an action location once or twice."""
    play = play_of(g, card, flag)
    if play < 0:
        return -1.0
    value = float(g.notes[PLAY_VALUE + play])
    gain = int(g.notes[PLAY_GAIN + play])
    cost = int(g.notes[PLAY_COST + play])
    early = w.weight[P_TEMPO] * (cards_of(gain) + 0.05 * times)
    if is_next(g, play) and (times == 1 or is_next(g, play + 1)):
        # The second use is noted behind the first.
        return g.notes[N_BASE] + early
    if times == 1:
        if gain & GOODS_ONLY == 0 and is_for_later(g, play):
            return float(g.notes[N_BASE] - LATER)
        bit = bit_of(int(g.notes[PLAY_CARD + play]))
        if not is_planned(g, play):
            if not is_wanted(g, gain):
                # A play that nothing speaks for, and the plan has use for the card or for what it costs.
                plan = beside_plan(g, cost, gain) if bit & int(g.notes[N_BASE_USED]) == 0 else NOT_BESIDE
                return value + early + plan if plan != NOT_BESIDE else float(g.notes[N_BASE] - LATER)
            if flag != AS_USE:
                return value + early + after_card(g, cost, gain, bit)
            if g.notes[PLAY_RANK + play] == UNRANKED:
                return value + early + after_trade(g, cost, gain)
    supply = after_paying(int(g.notes[N_SUPPLY]), cost)
    if supply != CANNOT and times > 1:
        supply = after_paying(supply, cost)
    if supply == CANNOT:
        supply = 0
    for _ in range(times):
        supply = together(supply, gain)
    return times * value + early + fill(g, supply, bit_of(int(g.notes[PLAY_CARD + play])), 0, card, times, 0)


@kernel
def score_exchange(g: Record, t: Record, me: int, what: int, w: Record) -> float:
    """Score a pair of workers for a resource or a card, or no more pairs."""
    if what == words.STOP:
        return float(g.notes[N_BASE])
    cost = of_good(words.WORKER, int(t.pair))
    if what >= words.COMMON_DECK:
        if math.isnan(g.notes[N_AFTER_PAIR]):
            g.notes[N_AFTER_PAIR] = with_supply(g, w.weight[P_TEMPO] * 0.5, cost, 0, w)
        return float(g.notes[N_AFTER_PAIR] + g.notes[N_COMMON if what == words.COMMON_DECK else N_FACTION])
    if (int(g.notes[N_BASE_SHORT]) >> what) & 1 == 0:
        # The plan lacks none of it.
        return float(g.notes[N_BASE] - g.notes[N_PAIR])
    return with_supply(g, 0.0, cost, of_good(what, 1), w)


@kernel
def score_free_step(g: Record, t: Record, me: int, kind: int, card: int, value: int, w: Record) -> float:
    """Score a defence token, a samurai, a card under a Gate or a resource on a Shrine."""
    base = float(g.notes[N_BASE])
    if kind == words.DEFEND:
        threat = max(LEAST_THREAT, g.notes[N_THREAT])
        early = w.weight[P_DEFEND] if g.peaceful == 0 else 0.0
        return base + early + 0.5 * threat * loss_of_location(g, t, me, card, w) * wish(g, me, H_PROTECTION, w)
    if kind == words.SAMURAI:
        if math.isnan(g.notes[N_AFTER_WORKER]):
            g.notes[N_AFTER_WORKER] = with_supply(g, 0.0, of_good(words.WORKER, 1), 0, w)
        return float(g.notes[N_AFTER_WORKER] + worth_of_samurai(g, t, me, card, w))
    if kind == words.TUCK:
        lasting = worth_to_owner(g, t, me, card, 0, w)
        gained = t.feature_number[value] + worth_of_tier(t, value, int(g.tucked[value]), 0.5)
        # Another round the Gate takes it as well; a card that may be built meanwhile is rather kept.
        kept = 0.02 if g.notes[N_ROUNDS] == 0.0 else 1.2 + max(0.0, worth_of_holding(g, lasting, w))
        if gained <= kept:
            return base + gained - kept
        used = 1 << min(place_in(g, me, words.HAND, card), MASKED)
        if used & int(g.notes[N_BASE_USED]) == 0:
            return base + gained - kept
        return gained - kept + fill(g, int(g.notes[N_SUPPLY]), used, 0, words.NO_CARD, 0, 0)
    banked = int(g.banked[card, 0] + g.banked[card, 1] + g.banked[card, 2])
    gained = w.weight[P_BANK] * worth_of_tier(t, card, banked, 1.0)
    return with_supply(g, gained, of_good(value, 1), 0, w)


@kernel
def worth_of_tier(t: Record, card: int, things: int, share: float) -> float:
    """Points of the next tier that one more thing on a card brings nearer, shared among the things it takes."""
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
    """Worth of a samurai on an own faction location: what it guards, and what counts samurai."""
    threat = max(LEAST_THREAT, g.notes[N_THREAT]) if t.razeable[card] != 0 else 0.0
    worth = 0.4 * threat * loss_of_location(g, t, me, card, w) * wish(g, me, H_PROTECTION, w)
    worth *= 1.0 + 0.5 * g.notes[N_ROUNDS]
    count = 0
    castles = 0
    for place in range(g.zone_size[me, words.LOCATIONS]):
        other = int(g.zone[me, words.LOCATIONS, place])
        count += int(g.samurai[other])
        at = int(t.program[other, words.PRODUCES])
        if at >= 0 and t.code[at, words.OPERATION] == words.GAIN_PER_SAMURAI and count < t.code[at, words.C]:
            castles += 1
    if count >= 3:
        castles = 0
    return float(worth + castles * g.notes[N_HORIZON])


# ---- Other decisions ----


@kernel
def resources_go_first(g: Record, t: Record, me: int) -> bool:
    """Tell whether gold is best kept: it can do what resources do, but for those that are stored or banked."""
    if g.due_any != 0 or g.features[me, words.STORES] + g.features[me, words.BANKS] > 0:
        return False
    stores = t.stores[g.faction[me]]
    return bool(stores[words.WOOD] + stores[words.STONE] + stores[words.FOOD] == 0)


@kernel
def score_payment(g: Record, me: int, packed: int) -> float:
    """Score a payment by the goods it leaves: the first one of a kind is worth most, and gold stands for any."""
    worth = 0.0
    for good in (words.WOOD, words.STONE, words.FOOD, words.GOLD):
        left = g.goods[me, good] - packed % PACKED
        worth += g.notes[N_PRICE + good] * (left if good == words.GOLD else left / (1.0 + SATED * left))
        packed //= PACKED
    return float(worth)


@kernel
def score_alternative(g: Record, t: Record, me: int, at: int, w: Record) -> float:
    """Score a branch of a choice by the goods it gives and takes."""
    if at < 0:
        return float(g.notes[N_BASE])
    end = int(t.code[at - 1, words.NEXT])
    value = 0.0
    supply = int(g.notes[N_SUPPLY])
    card = int(g.asked_card)
    for row in range(at, end):
        operation = int(t.code[row, words.OPERATION])
        gain = goods_of_operation(g, t, me, card, row, 1)
        if operation == words.SWAP:
            left = after_paying(supply, of_good(int(t.code[row, words.A]), int(t.code[row, words.B])))
            supply = supply if left == CANNOT else left
        elif operation >= words.GAIN_DEAL_GOOD:
            value += worth_of_operation(g, t, me, card, operation, row, w)
        value += worth_beside_goods(g, gain)
        supply = together(supply, gain)
    return value + fill(g, supply, 0, 0, words.NO_CARD, 0, 0)


@kernel
def score_conversion(g: Record, converts: int, w: Record) -> float:
    """Score turning a good into points, or keeping it."""
    good = int(g.asked_good)
    if converts != 0:
        points = CONVERTED_SPOIL if g.asked == words.RAZE_EITHER else CONVERTED_GOOD
        return float(points + g.notes[N_BASE])
    gain = of_good(good, 1)
    return worth_beside_goods(g, gain) + with_supply(g, 0.0, 0, gain, w)
