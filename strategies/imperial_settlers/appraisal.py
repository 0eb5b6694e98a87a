"""Plans for the round: what can still be done with the goods at hand, the best use of them first.

What an option is worth is its own worth and that of what can be done with the goods it leaves. So a good is worth what
it buys this round, and nothing if it will be discarded.
"""

from __future__ import annotations

import math

from sim.games.imperial_settlers import words
from sim.games.imperial_settlers.moving import works_for
from sim.jit import Record, kernel
from strategies.imperial_settlers.bundles import (
    BITS,
    CANNOT,
    GUARD,
    GUARDS,
    PAID,
    RESOURCE_GUARDS,
    STAND_IN_GUARDS,
    after_paying,
    at_least_one,
    deficit,
    number_of,
    of_good,
    short_of,
    together,
    with_stand_ins,
)
from strategies.imperial_settlers.card_worth import (
    gains_of_building,
    loss_of_foundation,
    loss_of_location,
    other_cost_of_use,
    worth_of_deal,
    worth_of_holding,
    worth_of_location,
    worth_of_razing,
    worth_of_triggers,
)
from strategies.imperial_settlers.gains import goods_worth, prepared_goods, worth_beside_goods, worth_beyond_goods
from strategies.imperial_settlers.weights import (
    ACTION_OF,
    COST_OF,
    DYNAMIC,
    KNOWN_SUPPLY,
    KNOWN_WORTH,
    LOSSES,
    MOST_KNOWN,
    MOST_RANKED,
    N_AFTER_GOOD,
    N_BASE,
    N_BASE_FREE,
    N_BASE_LEFT,
    N_BASE_PLAYS,
    N_BASE_SHORT,
    N_BASE_SPARE,
    N_BASE_TAKEN,
    N_BASE_USED,
    N_BASE_WANTED,
    N_COUNT,
    N_FOUND,
    N_HAND_BITS,
    N_KEPT,
    N_KNOWN,
    N_LEFT,
    N_LOCATION_NOW,
    N_LOSS,
    N_PAIR,
    N_PRICE,
    N_RANKED,
    N_RAZE,
    N_REST,
    N_ROUNDS,
    N_SHORT,
    N_SOON,
    N_SUPPLY,
    N_TAKEN,
    P_REST,
    P_STORE,
    PLAY_CARD,
    PLAY_COST,
    PLAY_DENSITY,
    PLAY_GAIN,
    PLAY_KEY,
    PLAY_ORDER,
    PLAY_RANK,
    PLAY_VALUE,
    PLAYS,
    RANKED_BIT,
    RANKED_CARD,
    RANKED_COST,
    RANKED_FLAGS,
    RANKED_GAIN,
    RANKED_VALUE,
    RAZE_OF,
    UNRANKED,
    USE_COST_OF,
)

NEEDS_LOCATION, LEAVES_COMMON, AS_BUILD, AS_DEAL, AS_RAZE, AS_USE = 1, 2, 4, 8, 16, 32
KINDS = AS_BUILD | AS_DEAL | AS_RAZE | AS_USE
FLAG = 4096
HAND_PLACE = 64 * FLAG
"""A play is noted as its card, its flags times FLAG, and its place in the hand, from 1 on, times HAND_PLACE."""
NOTHING_TO_GIVE = 99.0
FRESH_LOSS = 1.6
"""Loss by giving up a common location that is built in the same plan."""
SOON_GAINED = sum(number << (BITS * good) for good, number in enumerate((1, 1, 1, 1, 2, 1)))
"""Goods that may still be gained to pay for what lacks."""
SLIGHT = 0.1
"""What a play of a plan may cost in points beyond its goods."""
NOT_BESIDE = -1e9
NEARLY = 1
"""Goods that lack for a play that one hopes to make possible."""
NO_PLACE = -1
MASKED = 60
"""Places of the hand that a plan can tell apart."""


# ---- What may be given up ----


@kernel
def note_losses(g: Record, t: Record, me: int, w: Record) -> None:
    """Note the least losses by giving locations up, and the best common location that may be razed."""
    for place in range(LOSSES):
        g.notes[N_LOSS + place] = NOTHING_TO_GIVE
    for _ in range(min(LOSSES, int(g.zone_size[me, words.FOUNDATIONS]))):
        note_loss(g, loss_of_foundation(g, w))
    best = 0.0
    for place in range(g.zone_size[me, words.LOCATIONS]):
        card = int(g.zone[me, words.LOCATIONS, place])
        loss = loss_of_location(g, t, me, card, w)
        note_loss(g, loss)
        if t.razeable[card] != 0 and g.defence[card] == 0 and g.samurai[card] == 0:
            best = max(best, loss)
    g.notes[N_LOCATION_NOW] = best


@kernel
def note_loss(g: Record, loss: float) -> None:
    """Keep a loss in its place among the least ones."""
    place = LOSSES
    while place > 0 and g.notes[N_LOSS + place - 1] > loss:
        place -= 1
    for behind in range(LOSSES - 1, place, -1):
        g.notes[N_LOSS + behind] = g.notes[N_LOSS + behind - 1]
    if place < LOSSES:
        g.notes[N_LOSS + place] = loss


# ---- What may be done ----


@kernel
def add_play(g: Record, value: float, cost: int, gain: int, hand: int, card: int, flags: int) -> None:
    """Note a play and its place among the others: what brings most for what it takes comes first."""
    count = int(g.notes[N_COUNT])
    if count >= PLAYS:
        return
    g.notes[PLAY_VALUE + count] = value
    g.notes[PLAY_COST + count] = cost
    g.notes[PLAY_GAIN + count] = gain
    g.notes[PLAY_CARD + count] = card + FLAG * flags + HAND_PLACE * (hand + 1)
    g.notes[PLAY_KEY + count] = card + FLAG * (flags & KINDS)
    g.notes[PLAY_RANK + count] = UNRANKED
    g.notes[N_COUNT] = count + 1
    worth = value
    if flags & NEEDS_LOCATION != 0:
        worth -= min(1.5, g.notes[N_LOSS])
    if worth <= 0.0 and flags & AS_DEAL != 0 and g.notes[N_ROUNDS] == 0.0:
        # One good for another is no plan in the last round; it is done for what it then pays for, or not.
        return
    if worth < -SLIGHT or after_paying(int(g.notes[N_SOON]), cost) == CANNOT:
        return
    density = worth
    if worth > 0.0:
        density = worth / (0.25 + max(0.0, goods_worth(g, cost) - 0.8 * goods_worth(g, gain)))
    g.notes[PLAY_DENSITY + count] = density
    rank = int(g.notes[N_RANKED])
    if rank < MOST_RANKED:
        g.notes[N_RANKED] = rank + 1
    elif g.notes[PLAY_DENSITY + int(g.notes[PLAY_ORDER + rank - 1])] >= density:
        return
    else:
        rank -= 1
    while rank > 0:
        before = g.notes[PLAY_ORDER + rank - 1]
        if g.notes[PLAY_DENSITY + int(before)] >= density:
            break
        g.notes[PLAY_ORDER + rank] = before
        rank -= 1
    g.notes[PLAY_ORDER + rank] = count


@kernel
def play_of(g: Record, card: int, flag: int) -> int:
    """Number of the play that does something with a card, -1 if it is not noted.

    Options come in the order of the plays, so that the next one is found soon behind the last one.
    """
    key = card + FLAG * flag
    count = int(g.notes[N_COUNT])
    play = int(g.notes[N_FOUND])
    for _ in range(count):
        if g.notes[PLAY_KEY + play] == key:
            g.notes[N_FOUND] = play
            return play
        play += 1
        if play >= count:
            play = 0
    return -1


@kernel
def note_plays(g: Record, t: Record, me: int, w: Record) -> None:
    """Note, once for a decision, all plays that this round may still hold."""
    if not math.isnan(g.notes[N_COUNT]):
        return
    note_losses(g, t, me, w)
    g.notes[N_COUNT] = 0.0
    g.notes[N_FOUND] = 0.0
    g.notes[N_KNOWN] = 0.0
    g.notes[N_RANKED] = 0.0
    g.notes[N_SOON] = together(int(g.notes[N_SUPPLY]), SOON_GAINED)
    for place in range(g.zone_size[me, words.HAND]):
        note_hand_plays(g, t, me, place, w)
    for zone in (words.LOCATIONS, words.CONTROLLED):
        for place in range(g.zone_size[me, zone]):
            card = int(g.zone[me, zone, place])
            if t.kind[card] == words.ACTION and works_for(g, card, me) and g.blocked[card] == 0:
                left = int(t.uses[card] - g.used[card])
                if left > 0:
                    note_uses(g, t, me, card, left, w)
    if g.phase == words.ACT and g.peaceful == 0 and g.goods[me, words.RAZE] >= t.raze_cost_location:
        note_raids(g, t, me, w)
    note_order(g)
    note_rest(g, w)
    g.notes[N_BASE] = fill(g, int(g.notes[N_SUPPLY]), 0, 0, words.NO_CARD, 0, 0)
    note_plan(g)


@kernel
def bit_of(meant: int) -> int:
    """Bit in plans of the hand card of a play, 0 if it has none."""
    place = meant // HAND_PLACE
    return 0 if place == 0 else 1 << min(place - 1, MASKED)


@kernel
def note_order(g: Record) -> None:
    """Lay the plays that a plan tries side by side, in their order."""
    bits = 0
    for rank in range(int(g.notes[N_RANKED])):
        play = int(g.notes[PLAY_ORDER + rank])
        meant = int(g.notes[PLAY_CARD + play])
        bit = bit_of(meant)
        bits |= bit
        g.notes[RANKED_BIT + rank] = bit
        g.notes[RANKED_CARD + rank] = meant % FLAG
        g.notes[RANKED_FLAGS + rank] = (meant // FLAG) & (NEEDS_LOCATION | LEAVES_COMMON)
        g.notes[RANKED_COST + rank] = g.notes[PLAY_COST + play]
        g.notes[RANKED_GAIN + rank] = g.notes[PLAY_GAIN + play]
        g.notes[RANKED_VALUE + rank] = g.notes[PLAY_VALUE + play]
        g.notes[PLAY_RANK + play] = rank
    g.notes[N_HAND_BITS] = bits


@kernel
def note_hand_plays(g: Record, t: Record, me: int, place: int, w: Record) -> None:
    """Note the plays of a hand card: building it, a deal with it, and razing it."""
    card = int(g.zone[me, words.HAND, place])
    lasting = worth_of_location(g, t, me, card, 0, w)
    holding = worth_of_holding(g, lasting, w)
    gain = gains_of_building(g, t, me, card, w)
    value = lasting + worth_of_triggers(g, t, card) + worth_beside_goods(g, gain) - holding
    flags = AS_BUILD
    if t.cost_location[card] != 0:
        flags |= NEEDS_LOCATION
    elif t.deck[card] == words.COMMON:
        flags |= LEAVES_COMMON
    add_play(g, value, int(w.prepared[COST_OF + card]), gain, place, card, flags)
    good = int(t.deal_good[card])
    if t.deck[card] >= 0 and good >= 0:
        deal = worth_of_deal(g, t, me, card, w) - holding
        bundle = of_good(good, 1)
        deal += worth_beside_goods(g, bundle)
        add_play(g, deal, of_good(words.FOOD, int(t.deal_cost)), bundle, place, card, AS_DEAL)
    if t.raze_goods[card] > 0 and (t.deck[card] == words.COMMON or t.own_deck_razeable[g.faction[me]] != 0):
        spoils = int(w.prepared[RAZE_OF + card])
        worth = worth_beside_goods(g, spoils) + g.notes[N_RAZE] - holding
        add_play(g, worth, of_good(words.RAZE, int(t.raze_cost_hand)), spoils, place, card, AS_RAZE)


@kernel
def note_uses(g: Record, t: Record, me: int, card: int, left: int, w: Record) -> None:
    """Note the uses of an own action location that are left."""
    value, gain = worth_of_activating(g, t, me, card, w)
    cost = cost_of_activating(g, t, me, card, w)
    for _ in range(min(2, left)):
        add_play(g, value, cost, gain, NO_PLACE, card, AS_USE)


@kernel
def worth_of_activating(g: Record, t: Record, me: int, card: int, w: Record) -> tuple[float, int]:
    """Worth of using an action location once, beyond goods, and the goods it gives."""
    gain = prepared_goods(g, t, me, card, words.ACTS, ACTION_OF, 1, w)
    value = worth_beside_goods(g, gain) - paid_in_cards(g, t, me, card)
    if w.prepared[ACTION_OF + card] == DYNAMIC:
        value += worth_beyond_goods(g, t, me, card, int(t.program[card, words.ACTS]), w)
    return value, gain


@kernel
def paid_in_cards(g: Record, t: Record, me: int, card: int) -> float:
    """Worth of hand cards and deals that a use costs."""
    if t.pay_hand[card] == 0 and t.pay_deal[card] == 0:
        return 0.0
    return other_cost_of_use(g, t, me, card)


@kernel
def cost_of_activating(g: Record, t: Record, me: int, card: int, w: Record) -> int:
    """Goods that one use costs, as a bundle; resources of any kind are those of which there are most."""
    cost = int(w.prepared[USE_COST_OF + card])
    for _ in range(int(t.pay_any[card])):
        most = 0
        for good in range(words.RESOURCES):
            if g.goods[me, good] - number_of(cost, good) > g.goods[me, most] - number_of(cost, most):
                most = good
        cost += of_good(most, 1)
    return cost


@kernel
def note_raids(g: Record, t: Record, me: int, w: Record) -> None:
    """Note razing the best location of another."""
    best = 0.0
    best_card = words.NO_CARD
    for seat in range(g.players if g.solo == 0 else words.VIRTUAL + 1):
        if seat == me or (g.solo == 0 and g.passed[seat] != 0):
            continue
        for place in range(g.zone_size[seat, words.LOCATIONS]):
            card = int(g.zone[seat, words.LOCATIONS, place])
            if t.razeable[card] == 0 or t.raze_goods[card] == 0 or g.holder[card] == me:
                continue
            if t.raze_cost_location + g.defence[card] + g.samurai[card] > g.goods[me, words.RAZE]:
                continue
            worth = worth_of_razing(g, t, me, seat, card, w)
            if worth > best:
                best = worth
                best_card = card
    if best_card != words.NO_CARD:
        cost = raze_cost(g, t, best_card)
        add_play(g, best, cost, int(w.prepared[RAZE_OF + best_card]), NO_PLACE, best_card, AS_RAZE)


@kernel
def raze_cost(g: Record, t: Record, card: int) -> int:
    """Raze tokens that a location takes, as a bundle."""
    return of_good(words.RAZE, int(t.raze_cost_location + g.defence[card] + g.samurai[card]))


# ---- The plan ----


@kernel
def note_plan(g: Record) -> None:
    """Note of the plan just worked out what tells which plays leave it as it is."""
    taken = int(g.notes[N_TAKEN])
    left = int(g.notes[N_LEFT])
    short = int(g.notes[N_SHORT])
    spare = int(g.notes[N_SUPPLY]) | GUARDS
    free = 0
    used = 0
    wanted = 0
    for good in range(words.RESOURCES):
        if (short >> good) & 1 != 0:
            wanted |= GUARD << (BITS * good)
    for rank in range(int(g.notes[N_RANKED])):
        cost = int(g.notes[RANKED_COST + rank])
        if (taken >> rank) & 1 == 0:
            rest = (left | GUARDS) - cost
            if deficit(rest) <= NEARLY:
                wanted |= ~rest
            if rest & GUARDS == GUARDS and g.notes[RANKED_VALUE + rank] > 0.0:
                # It came too early in the order for what later plays gain.
                wanted |= at_least_one(cost)
            continue
        used |= int(g.notes[RANKED_BIT + rank])
        spare -= cost
        over = ~spare & GUARDS
        if over == 0:
            free |= 1 << rank
        else:
            # Of these goods nothing is left: the play is paid with what another one gains, or with what stands in.
            spare = spare & ~((over << 1) - (over >> (BITS - 1))) | over
    wanted &= GUARDS
    if wanted & RESOURCE_GUARDS != 0:
        wanted |= STAND_IN_GUARDS
    g.notes[N_BASE_SHORT] = short
    g.notes[N_BASE_TAKEN] = taken
    g.notes[N_BASE_USED] = used
    g.notes[N_BASE_LEFT] = left
    g.notes[N_BASE_SPARE] = spare ^ GUARDS
    g.notes[N_BASE_FREE] = free
    g.notes[N_BASE_WANTED] = wanted
    g.notes[N_BASE_PLAYS] = g.notes[N_BASE] - worth_of_rest(g, left)


@kernel
def fill(g: Record, supply: int, used: int, given: int, but: int, times: int, fresh: int) -> float:
    """Worth of what can still be done with a supply, taking the plays in their order.

    Parameters
    ----------
    g
        Record of the game, whose notes hold the plays and what goods that are left are worth.
    supply
        Goods, as a bundle.
    used
        Bits of the places of hand cards that are used up.
    given
        Locations given up already.
    but, times
        A location of which so many uses are left out.
    fresh
        Common locations built already that may be given up.
    """
    total = 0.0
    short = 0
    taken = 0
    for rank in range(int(g.notes[N_RANKED])):
        bit = int(g.notes[RANKED_BIT + rank])
        if used & bit != 0:
            continue
        if times > 0 and bit == 0 and g.notes[RANKED_CARD + rank] == but:
            times -= 1
            continue
        cost = int(g.notes[RANKED_COST + rank])
        rest = (supply | GUARDS) - cost
        left = rest ^ GUARDS
        lacks = rest & GUARDS != GUARDS
        if lacks:
            left = with_stand_ins(rest)
            if left == CANNOT:
                continue
        value = float(g.notes[RANKED_VALUE + rank])
        flags = int(g.notes[RANKED_FLAGS + rank])
        from_fresh = False
        if flags & NEEDS_LOCATION != 0:
            loss = g.notes[N_LOSS + given] if given < LOSSES else NOTHING_TO_GIVE
            if loss >= FRESH_LOSS and fresh > 0:
                loss = FRESH_LOSS
                from_fresh = True
            value -= loss
        if value < -SLIGHT:
            continue
        gain = int(g.notes[RANKED_GAIN + rank])
        if gain == 0 and value <= (worth_of_workers(g, supply, left, cost) if lacks else 0.0):
            continue
        total += value
        supply = together(left, gain)
        taken |= 1 << rank
        if lacks:
            short |= short_of(rest)
        used |= bit
        if flags & NEEDS_LOCATION != 0:
            if from_fresh:
                fresh -= 1
            else:
                given += 1
        elif flags & LEAVES_COMMON != 0:
            fresh += 1
    g.notes[N_SHORT] = short
    g.notes[N_TAKEN] = taken
    g.notes[N_LEFT] = supply
    return total + worth_of_rest(g, supply)


@kernel
def worth_of_workers(g: Record, supply: int, left: int, cost: int) -> float:
    """Worth of the workers that stand in for resources, as pairs exchanged for cards."""
    workers = number_of(supply, words.WORKER) - number_of(left, words.WORKER) - number_of(cost, words.WORKER)
    return float(0.5 * workers * g.notes[N_PAIR])


@kernel
def note_rest(g: Record, w: Record) -> None:
    """Note what a good is worth that is left in the end: what it is worth in the next round, if cleanup keeps it."""
    kept = int(g.notes[N_KEPT]) if g.notes[N_ROUNDS] > 0.0 else 0
    for good in range(PAID):
        share = 0.0 if good == words.WORKER else w.weight[P_REST]
        if kept & (1 << good) != 0:
            share += w.weight[P_STORE]
        g.notes[N_REST + good] = share * g.notes[N_PRICE + good]


@kernel
def is_planned(g: Record, play: int) -> bool:
    """Tell whether the plan for the goods at hand takes a play."""
    rank = int(g.notes[PLAY_RANK + play])
    return rank != UNRANKED and (int(g.notes[N_BASE_TAKEN]) >> rank) & 1 != 0


@kernel
def is_wanted(g: Record, gain: int) -> bool:
    """Tell whether goods gained may bring more plays into the plan for the goods at hand, or make some cheaper."""
    return at_least_one(gain) & int(g.notes[N_BASE_WANTED]) != 0


@kernel
def beside_plan(g: Record, cost: int, gain: int) -> float:
    """Worth of the plan for the goods at hand, beside which something costs what it leaves and gives goods.

    NOT_BESIDE if the plan has to change: it does not leave the cost, or has use for the goods.
    """
    rest = (int(g.notes[N_BASE_SPARE]) | GUARDS) - cost
    if rest & GUARDS != GUARDS or is_wanted(g, gain):
        return NOT_BESIDE
    left = (int(g.notes[N_BASE_LEFT]) | GUARDS) - cost
    if left & GUARDS != GUARDS:
        return NOT_BESIDE
    return float(g.notes[N_BASE_PLAYS] + worth_of_rest(g, together(left ^ GUARDS, gain)))


@kernel
def is_next(g: Record, play: int) -> bool:
    """Tell whether the plan for the goods at hand takes a play and stays as it is if that play comes first."""
    rank = int(g.notes[PLAY_RANK + play])
    if rank == UNRANKED or (int(g.notes[N_BASE_FREE]) >> rank) & 1 == 0:
        return False
    return not is_wanted(g, int(g.notes[PLAY_GAIN + play]))


@kernel
def is_for_later(g: Record, play: int) -> bool:
    """Tell whether the plan for the goods at hand has something to do and a play, -1 for none noted, is no part."""
    return g.notes[N_BASE_TAKEN] != 0 and (play < 0 or not is_planned(g, play))


@kernel
def after_trade(g: Record, cost: int, gain: int) -> float:
    """Worth of all that can be done after a cost is paid and goods are gained, worked out once for the same goods."""
    supply = after_paying(int(g.notes[N_SUPPLY]), cost)
    if supply == CANNOT:
        supply = 0
    supply = together(supply, gain)
    known = int(g.notes[N_KNOWN])
    for place in range(known):
        if g.notes[KNOWN_SUPPLY + place] == supply:
            return float(g.notes[KNOWN_WORTH + place])
    worth = fill(g, supply, 0, 0, words.NO_CARD, 0, 0)
    if known < MOST_KNOWN:
        g.notes[KNOWN_SUPPLY + known] = supply
        g.notes[KNOWN_WORTH + known] = worth
        g.notes[N_KNOWN] = known + 1
    return worth


@kernel
def worth_of_rest(g: Record, supply: int) -> float:
    """Worth of goods that are left in the end: workers exchanged for cards or kept, and the other goods."""
    workers = number_of(supply, words.WORKER)
    worth = max((workers // 2) * g.notes[N_PAIR], workers * g.notes[N_REST + words.WORKER])
    for good in (words.WOOD, words.STONE, words.FOOD, words.GOLD, words.RAZE):
        worth += number_of(supply, good) * g.notes[N_REST + good]
    return float(worth)


@kernel
def worth_of_unused(g: Record, supply: int) -> float:
    """Worth of goods that are left if nothing more is done, workers not exchanged either."""
    worth = 0.0
    for good in range(PAID):
        worth += number_of(supply, good) * g.notes[N_REST + good]
    return worth


@kernel
def with_one_more(g: Record, good: int, w: Record) -> float:
    """Worth of gaining one good at once, with all that can be done after it."""
    if math.isnan(g.notes[N_AFTER_GOOD + good]):
        gain = of_good(good, 1)
        g.notes[N_AFTER_GOOD + good] = with_supply(g, worth_beside_goods(g, gain), 0, gain, w)
    return float(g.notes[N_AFTER_GOOD + good])


@kernel
def with_supply(g: Record, value: float, cost: int, gain: int, w: Record) -> float:
    """Worth of something that costs and gives goods at once, with all that can be done after it."""
    plan = beside_plan(g, cost, gain)
    return value + (plan if plan != NOT_BESIDE else after_trade(g, cost, gain))
