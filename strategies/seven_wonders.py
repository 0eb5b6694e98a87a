"""Scripted players of 7 Wonders.

`score_random` and `score_greedy` look at nothing and at points alone. All schools share one appraisal: what a card
or stage is worth to a city in victory points, by what it adds now, what it unlocks later and what it denies to
others. A school is a table of weights in `configs/strategies/seven_wonders/`, the parameters named in
`PARAMETERS`; so a variant, or a tuned player, needs no code.

A player looks only at its own hand and at what lies open on the table; when it picks from the discard pile, at the
cards offered.
"""

from __future__ import annotations

import math

import numpy as np

from sim.games.seven_wonders.building import build_price, next_stage_item
from sim.games.seven_wonders.effects import coins_brought, count_things, counts_itself
from sim.games.seven_wonders.scoring import copied_guild_points, science_points, symbol_points
from sim.games.seven_wonders.state import left_of, right_of, turn_of_game
from sim.games.seven_wonders.tables import MAX_CARDS, MAX_CHAIN_TO, stage_item
from sim.games.seven_wonders.words import (
    BUILD_FROM_DISCARD,
    COINS,
    COINS_PER,
    COPY_GUILD,
    DISCARD,
    DISCOUNT,
    FREE_BUILD_PER_AGE,
    FROM_DISCARD,
    NO_CARD,
    NOTHING,
    PAYMENT,
    PLAY_LAST_CARD,
    PRODUCE,
    SCIENCE,
    SCIENCE_CHOICE,
    SHIELDS,
    STAGE,
    VP,
    VP_PER,
)
from sim.jit import Floats, Integers, Record, kernel
from sim.scripts import Script

PARAMETERS = (
    # what a point of each kind is worth to this school
    "blue",
    "science",
    "commerce",
    "military",
    "guilds",
    "wonder",
    # goods: worth of a unit that later cards will ask for
    "goods",
    "goods_choice",
    "goods_blocked",
    "goods_for_stages",
    "discount",
    # coins
    "coin_end",
    "coin_need",
    "coin_scale",
    "feed",
    "feed_leader",
    # military
    "doubt_now",
    "doubt",
    "later_conflicts",
    # science
    "hope",
    "devotion",
    "set_hope",
    # what counts other cards, and chains
    "growth",
    "chain",
    # powers of the wonders, points for each use
    "free_build",
    "last_card",
    "discard_build",
    "copied_guild",
    # denying
    "deny_next",
    "deny_left",
    "deny_over",
)
(
    P_BLUE,
    P_SCIENCE,
    P_COMMERCE,
    P_MILITARY,
    P_GUILDS,
    P_WONDER,
    P_GOODS,
    P_GOODS_CHOICE,
    P_GOODS_BLOCKED,
    P_GOODS_FOR_STAGES,
    P_DISCOUNT,
    P_COIN_END,
    P_COIN_NEED,
    P_COIN_SCALE,
    P_FEED,
    P_FEED_LEADER,
    P_DOUBT_NOW,
    P_DOUBT,
    P_LATER_CONFLICTS,
    P_HOPE,
    P_DEVOTION,
    P_SET_HOPE,
    P_GROWTH,
    P_CHAIN,
    P_FREE_BUILD,
    P_LAST_CARD,
    P_DISCARD_BUILD,
    P_COPIED_GUILD,
    P_DENY_NEXT,
    P_DENY_LEFT,
    P_DENY_OVER,
) = range(len(PARAMETERS))

BROWN, GREY, BLUE, GREEN, YELLOW, RED, PURPLE = range(7)
WONDER_TASTE = 7
SYMBOLS_OF_A_KIND = 4
"""Structures that bear the same symbol (rulebook, science)."""
TO_A_NEIGHBOUR = 0.5
"""How bad it is that a neighbour gets a coin, against that it is gone."""
CANNOT_PAY_NOW = 0.4
"""Share of a card's worth that its next reader loses with it, if he could not have paid for it now."""
TASTE_WEIGHTS = (None, None, P_BLUE, P_SCIENCE, P_COMMERCE, P_MILITARY, P_GUILDS, P_WONDER)
"""Weight of a point by colour of card, last of the wonder; brown and grey cards bring none."""
NEEDS = 4 * 7 * 4
TASTES = 2 * NEEDS
"""Places in what a school prepares: needs of an age, needs of all later ages, then the tastes."""
NOTE_STAGE = MAX_CARDS
NOTE_COIN = MAX_CARDS + 1
"""Places in the notes of a decision: the stage's worth, and a coin's to each city; before them denials by card."""
LANE = np.uint64(15)
LANE_OF = np.array([4, 8, 16, 32, 4, 8, 16], np.uint64)
"""Place of the lane of a single good in the packed supply of its class (`sim/games/seven_wonders/tables.py`)."""


@kernel
def taste_of(w: Record, kind: int) -> float:
    """What a point from a colour of card (or the wonder) is worth to this school."""
    return w.prepared[TASTES + kind]


@kernel
def turns_left(g: Record, t: Record) -> float:
    """Turns of the game after this one."""
    return 3.0 * t.turns_per_age - 1.0 - turn_of_game(g, t)


@kernel
def time_left(g: Record, t: Record) -> float:
    """Share of the game that is still to come, from nearly 1 in the first turn to 0 in the last."""
    return turns_left(g, t) / (3.0 * t.turns_per_age)


@kernel
def coin_worth(g: Record, t: Record, city: int, w: Record) -> float:
    """Points that one more coin is worth: its share of a point at the end, more to a poor city that has to buy."""
    noted = g.notes[NOTE_COIN + city]
    if not math.isnan(noted):
        return noted
    need = w.weight[P_COIN_NEED] * time_left(g, t)
    worth = w.weight[P_COIN_END] / t.coins_per_vp + need * w.weight[P_COIN_SCALE] / (
        w.weight[P_COIN_SCALE] + g.coins[city]
    )
    g.notes[NOTE_COIN + city] = worth
    return worth


@kernel
def lead(difference: float, doubt: float) -> float:
    """Chance of being ahead minus chance of being behind, with a lead in shields and a doubt about what comes."""
    return difference / (doubt + abs(difference))


@kernel
def shields_worth(g: Record, t: Record, city: int, shields: int, w: Record) -> float:
    """Points that more shields should bring in this and the later conflicts with both neighbours."""
    worth = 0.0
    for side in range(2):
        neighbour = left_of(g, city) if side == 0 else right_of(g, city)
        difference = float(g.shields[city] - g.shields[neighbour])
        weight = 1.0
        for age in range(g.age, 4):
            turns = (age - g.age + 1) * t.turns_per_age - g.turn
            doubt = w.weight[P_DOUBT_NOW] + w.weight[P_DOUBT] * math.sqrt(turns)
            stake = 0.5 * (t.military_win_vp[age] - t.military_loss_vp)
            worth += weight * stake * (lead(difference + shields, doubt) - lead(difference, doubt))
            weight *= w.weight[P_LATER_CONFLICTS]
    return worth


@kernel
def symbol_worth(g: Record, t: Record, city: int, symbol: int, w: Record) -> float:
    """Points that one more symbol should bring, counting symbols the city can still hope for."""
    own = g.symbols[city, symbol]
    one = g.symbols[city, (symbol + 1) % 3]
    other = g.symbols[city, (symbol + 2) % 3]
    have = own + one + other + g.symbol_choices[city]
    hope = time_left(g, t) * (w.weight[P_HOPE] + w.weight[P_DEVOTION] * have)
    hope = min(hope, max(0.0, SYMBOLS_OF_A_KIND - 1.0 - own))
    worth = 2.0 * (own + hope) + 1.0
    fewest_other = min(one, other)
    if own < fewest_other:
        worth += t.science_set_vp
    elif own == fewest_other:
        worth += t.science_set_vp * min(1.0, w.weight[P_SET_HOPE] * hope)
    return worth


@kernel
def best_symbol_worth(g: Record, t: Record, city: int, w: Record) -> float:
    """Points that a symbol of choice should bring."""
    best = 0.0
    for symbol in range(3):
        best = max(best, symbol_worth(g, t, city, symbol, w))
    return best


@kernel
def units_made(g: Record, city: int, resource: int) -> int:
    """Units of a resource a city can make itself (a choice counts for each of its goods)."""
    if resource < 4:
        return int((g.own_raw[city] >> LANE_OF[resource]) & LANE)
    return int((g.own_manufactured[city] >> LANE_OF[resource]) & LANE)


@kernel
def units_sold(g: Record, city: int, resource: int) -> int:
    """Units of a resource a city can sell."""
    if resource < 4:
        return int((g.sold_raw[city] >> LANE_OF[resource]) & LANE)
    return int((g.sold_manufactured[city] >> LANE_OF[resource]) & LANE)


def prepare_school(w: Record, t: Record, players: int) -> Floats:
    """How much a school will want of each good, by age, resource and units it makes already.

    Returns
    -------
    ndarray
        Shape (2 * 4 * 7 * 4 + 8,): cards per city that need more units, weighted by the school's taste for their
        colour, first those of an age and then those of all later ages; behind them the tastes themselves.
    """
    tastes = np.array([1.0 if place is None else w.weight[place] for place in TASTE_WEIGHTS])
    # Added up one colour after the other: a matrix product rounds differently from machine to machine.
    this_age = np.zeros(t.later_need[players].shape[:-1])
    for colour in range(7):
        this_age += t.later_need[players][..., colour] * tastes[colour]
    later = np.zeros_like(this_age)
    for age in (2, 1, 0):
        later[age] = later[age + 1] + this_age[age + 1]
    return np.concatenate([this_age.ravel(), later.ravel(), tastes])


@kernel
def wanted(g: Record, t: Record, city: int, resource: int, level: int, w: Record) -> float:
    """How much of what the city will want to build needs more than `level` units of a resource."""
    if level >= 4:
        return 0.0
    place = (g.age * 7 + resource) * 4 + level
    cards = w.prepared[place] * (t.turns_per_age - g.turn) / t.turns_per_age + w.prepared[place + NEEDS]
    if w.weight[P_GOODS_FOR_STAGES] > 0.0:
        faction = g.faction[city]
        for stage in range(g.stages_built[city], t.faction_stages[faction]):
            if t.item_need[stage_item(faction, stage), resource] > level:
                cards += w.weight[P_GOODS_FOR_STAGES] * w.weight[P_WONDER]
    return cards


@kernel
def unit_worth(g: Record, t: Record, city: int, resource: int, more: int, w: Record) -> float:
    """Points that one more unit of a resource saves in coins, or makes possible at all."""
    level = units_made(g, city, resource) + more
    demand = wanted(g, t, city, resource, level, w)
    if demand <= 0.0:
        return 0.0
    left = units_sold(g, left_of(g, city), resource)
    right = units_sold(g, right_of(g, city), resource)
    goods = 0 if resource < 4 else 1
    saved = w.weight[P_GOODS_BLOCKED]
    if left + right > more:
        price = g.price[city, 0, goods] if left > 0 else g.price[city, 1, goods]
        if left > 0 and right > 0:
            price = min(g.price[city, 0, goods], g.price[city, 1, goods])
        saved = price * coin_worth(g, t, city, w)
    return w.weight[P_GOODS] * demand * saved


@kernel
def source_worth(g: Record, t: Record, city: int, mask: int, amount: int, w: Record) -> float:
    """Points that a new source of goods is worth: the best of its goods, and a share of the others."""
    total = 0.0
    best = 0.0
    for resource in range(7):
        if mask & (1 << resource) != 0:
            worth = 0.0
            for unit in range(amount):
                worth += unit_worth(g, t, city, resource, unit, w)
            total += worth
            best = max(best, worth)
    return best + w.weight[P_GOODS_CHOICE] * (total - best)


@kernel
def discount_worth(g: Record, t: Record, city: int, sides: int, classes: int, price: int, w: Record) -> float:
    """Points that cheaper trade should save."""
    worth = 0.0
    for resource in range(7):
        goods = 0 if resource < 4 else 1
        if classes & (1 << goods) == 0:
            continue
        saved = 0
        for side in range(2):
            neighbour = left_of(g, city) if side == 0 else right_of(g, city)
            if sides & (1 << side) != 0 and units_sold(g, neighbour, resource) > 0:
                saved = max(saved, g.price[city, side, goods] - price)
        if saved > 0:
            worth += saved * wanted(g, t, city, resource, units_made(g, city, resource), w)
    return w.weight[P_DISCOUNT] * worth * coin_worth(g, t, city, w)


@kernel
def things_if_built(g: Record, t: Record, city: int, item: int, effect: Integers) -> int:
    """Things that an effect would count if the card or stage stood in the city, itself included."""
    things = count_things(g, city, effect[2], effect[3], effect[4])
    return things + counts_itself(t, item, effect[2], effect[3], effect[4])


@kernel
def counted_worth(g: Record, t: Record, city: int, item: int, effect: Integers, w: Record) -> float:
    """Points of a card that counts things: what lies there now, and what should still come."""
    whose = effect[4]
    places = (whose & 1) + ((whose >> 1) & 1) + ((whose >> 2) & 1)
    more = w.weight[P_GROWTH] * turns_left(g, t) * places
    return effect[1] * (things_if_built(g, t, city, item, effect) + more)


@kernel
def power_worth(g: Record, t: Record, city: int, operation: int, w: Record) -> float:
    """Points that a special power of a wonder should bring."""
    ages_after = 3.0 - g.age
    if operation == FREE_BUILD_PER_AGE:
        this_age = 1.0 if g.turn < t.turns_per_age else 0.0
        return w.weight[P_FREE_BUILD] * (ages_after + this_age * t.free_build_same_age)
    if operation == PLAY_LAST_CARD:
        return w.weight[P_LAST_CARD] * (ages_after + 1.0)
    if operation == BUILD_FROM_DISCARD:
        # The pile grows, and so does the best card in it.
        return w.weight[P_DISCARD_BUILD] * (1.2 - time_left(g, t))
    if operation == COPY_GUILD:
        return max(w.weight[P_COPIED_GUILD], guild_in_reach(g, t, city))
    return 0.0


@kernel
def guild_in_reach(g: Record, t: Record, city: int) -> float:
    """Points of the best guild that stands in a neighbour's city now."""
    best = 0
    for side in range(2):
        neighbour = left_of(g, city) if side == 0 else right_of(g, city)
        if g.colour_count[neighbour, PURPLE] == 0:
            continue
        for place in range(g.city_size[neighbour]):
            card = g.city_cards[neighbour, place]
            if t.card_colour[card] == PURPLE:
                best = max(best, copied_guild_points(g, t, city, card))
    return float(best)


@kernel
def item_worth(g: Record, t: Record, city: int, item: int, kind: int, w: Record) -> float:
    """Points that a card (kind: its colour) or a stage is worth to a city, by its effects alone."""
    worth = 0.0
    for row in range(t.item_effect_count[item]):
        effect = t.item_effects[item, row]
        operation = effect[0]
        if operation == VP:
            worth += taste_of(w, kind) * effect[1]
        elif operation == PRODUCE:
            worth += source_worth(g, t, city, effect[1], effect[2], w)
        elif operation == SHIELDS:
            worth += w.weight[P_MILITARY] * shields_worth(g, t, city, effect[1], w)
        elif operation == SCIENCE:
            worth += w.weight[P_SCIENCE] * symbol_worth(g, t, city, effect[1], w)
        elif operation == SCIENCE_CHOICE:
            worth += w.weight[P_SCIENCE] * best_symbol_worth(g, t, city, w)
        elif operation == COINS:
            worth += effect[1] * coin_worth(g, t, city, w)
        elif operation == COINS_PER:
            worth += effect[1] * things_if_built(g, t, city, item, effect) * coin_worth(g, t, city, w)
        elif operation == VP_PER:
            worth += taste_of(w, kind) * counted_worth(g, t, city, item, effect, w)
        elif operation == DISCOUNT:
            worth += discount_worth(g, t, city, effect[1], effect[2], effect[3], w)
        else:
            worth += w.weight[P_WONDER] * power_worth(g, t, city, operation, w)
    return worth


@kernel
def card_worth(g: Record, t: Record, city: int, card: int, w: Record) -> float:
    """Points that building a card is worth to a city, with the cards it makes free later."""
    worth = item_worth(g, t, city, card, t.card_colour[card], w)
    if w.weight[P_CHAIN] > 0.0:
        for row in range(MAX_CHAIN_TO):
            child = t.chain_to[card, row]
            if child < 0:
                break
            still_comes = t.card_age[child] > g.age and t.card_copies[child, max(g.players, 3)] > 0
            if still_comes and g.owns[city, t.card_name[child]] == 0:
                worth += w.weight[P_CHAIN] * max(0.0, item_worth(g, t, city, child, t.card_colour[child], w))
    return worth


@kernel
def denied_worth(g: Record, t: Record, victim: int, card: int, w: Record) -> float:
    """Points that a city loses if it never sees a card; less if it could not pay for it now."""
    if g.owns[victim, t.card_name[card]] != 0:
        return 0.0
    worth = item_worth(g, t, victim, card, t.card_colour[card], w) - w.weight[P_DENY_OVER]
    if worth <= 0.0:
        return 0.0
    return worth if build_price(g, t, victim, card) >= 0 else CANNOT_PAY_NOW * worth


@kernel
def next_in_line(g: Record, t: Record, seat: int) -> int:
    """Seat that gets this seat's hand next."""
    if t.pass_direction[g.age] < 0:
        return seat - 1 if seat > 0 else g.players - 1
    return seat + 1 if seat + 1 < g.players else 0


@kernel
def denial_noted(g: Record, t: Record, me: int, card: int, w: Record) -> float:
    """Denial of a card, worked out once for all that can be done with it."""
    if math.isnan(g.notes[card]):
        g.notes[card] = denial(g, t, me, card, w)
    return g.notes[card]


@kernel
def stage_worth_noted(g: Record, t: Record, city: int, w: Record) -> float:
    """Points that the next stage is worth, worked out once for all cards that could be put below it."""
    if math.isnan(g.notes[NOTE_STAGE]):
        g.notes[NOTE_STAGE] = item_worth(g, t, city, next_stage_item(g, t, city), WONDER_TASTE, w)
    return g.notes[NOTE_STAGE]


@kernel
def denial(g: Record, t: Record, me: int, card: int, w: Record) -> float:
    """Points that taking a card out of the hand is worth because others do not get it."""
    if g.turn == t.turns_per_age:
        return 0.0
    worth = 0.0
    receiver = next_in_line(g, t, me)
    if w.weight[P_DENY_NEXT] > 0.0:
        worth += w.weight[P_DENY_NEXT] * denied_worth(g, t, receiver, card, w)
    if w.weight[P_DENY_LEFT] > 0.0 and left_neighbour_will_see(g, t, me, receiver):
        worth += w.weight[P_DENY_LEFT] * denied_worth(g, t, left_of(g, me), card, w)
    return worth


@kernel
def left_neighbour_will_see(g: Record, t: Record, me: int, receiver: int) -> bool:
    """Tell whether the left neighbour gets this hand while there is a card to choose from it."""
    if g.players == 2:
        return False
    passes = 1 if receiver == left_of(g, me) else g.players - 1
    return g.turn + passes <= t.turns_per_age


@kernel
def standing(g: Record, t: Record, city: int) -> float:
    """Points a city shows openly."""
    points = g.conflict_points[city] + g.coins[city] / t.coins_per_vp
    for kind in range(8):
        points += g.points[city, kind]
    symbols = g.symbols[city]
    return points + symbol_points(t, symbols[0], symbols[1], symbols[2])


@kernel
def score_payment(g: Record, t: Record, option: int, w: Record) -> float:
    """Score a payment of the own city: few coins, and rather to the neighbour who is behind."""
    left = g.option_left[option]
    right = g.option_right[option]
    lean = w.weight[P_FEED_LEADER] * (standing(g, t, left_of(g, g.city)) - standing(g, t, right_of(g, g.city)))
    lean = min(max(lean, -1.0), 1.0)
    return -(left + right) - TO_A_NEIGHBOUR * (left * (1.0 + lean) + right * (1.0 - lean))


@kernel
def score_free_city_payment(g: Record, me: int, option: int) -> float:
    """Score a payment of the Free City: to oneself, not to the other player."""
    to_left = g.option_left[option]
    to_right = g.option_right[option]
    return float(to_left - to_right) if left_of(g, g.city) == me else float(to_right - to_left)


@kernel
def score_play(g: Record, t: Record, me: int, option: int, w: Record) -> float:
    """Score a card and an action for the own city."""
    card = g.option_card[option]
    action = g.option_action[option]
    coin = coin_worth(g, t, me, w)
    worth = denial_noted(g, t, me, card, w)
    if action == DISCARD:
        return worth + t.discard_coins * coin
    price = g.option_price[option]
    # What goes to neighbours also feeds them; the bank's share is small enough to be counted alike.
    worth -= price * (coin + w.weight[P_FEED])
    if action == STAGE:
        return worth + stage_worth_noted(g, t, me, w)
    return worth + card_worth(g, t, me, card, w)


@kernel
def score_free_city(g: Record, t: Record, me: int, option: int, w: Record) -> float:
    """Score a card for the Free City: keep the own best, deny the other player's, arm it only against him."""
    card = g.option_card[option]
    action = g.option_action[option]
    other = 1 - me
    worth = denied_worth(g, t, other, card, w) - card_worth(g, t, me, card, w)
    if action in (STAGE, DISCARD):
        return worth
    return worth + arming_worth(g, t, other, card) - arming_worth(g, t, me, card)


@kernel
def arming_worth(g: Record, t: Record, city: int, card: int) -> float:
    """Points that a neighbour of the acting city should lose in this age's conflict if that builds a card."""
    shields = 0
    for row in range(t.item_effect_count[card]):
        if t.item_effects[card, row, 0] == SHIELDS:
            shields += t.item_effects[card, row, 1]
    difference = float(g.shields[city] - g.shields[g.city])
    stake = 0.5 * (t.military_win_vp[g.age] - t.military_loss_vp)
    return stake * (lead(difference, 1.0) - lead(difference - shields, 1.0))


@kernel
def score_free_city_discard(g: Record, t: Record, me: int, option: int) -> float:
    """Score what the Free City builds from the discards: nothing gained by it is mine, so only arms count."""
    card = g.option_card[option]
    if card == NO_CARD:
        return 0.0
    return arming_worth(g, t, 1 - me, card) - arming_worth(g, t, me, card)


@kernel
def score_school(g: Record, t: Record, me: int, decision: int, option: int, w: Record) -> float:
    """Score an option as a school does: by the points it should bring, add, unlock and deny."""
    if g.city != me:
        if decision == PAYMENT:
            return score_free_city_payment(g, me, option)
        if decision == FROM_DISCARD:
            return score_free_city_discard(g, t, me, option)
        return score_free_city(g, t, me, option, w)
    if decision == PAYMENT:
        return score_payment(g, t, option, w)
    if decision == FROM_DISCARD:
        card = g.option_card[option]
        return 0.0 if card == NO_CARD else card_worth(g, t, me, card, w)
    return score_play(g, t, me, option, w)


@kernel
def score_random(g: Record, t: Record, me: int, decision: int, option: int, w: Record) -> float:
    """Score every legal option alike, so that the lot decides."""
    return 0.0


@kernel
def points_now(g: Record, t: Record, city: int, item: int) -> float:
    """Points a card or stage adds if this age's conflicts were fought now and the game ended."""
    symbols = g.symbols[city]
    choices = g.symbol_choices[city]
    before = science_points(t, symbols[0], symbols[1], symbols[2], choices)
    points = coins_brought(g, t, city, item, False) / t.coins_per_vp
    for row in range(t.item_effect_count[item]):
        effect = t.item_effects[item, row]
        operation = effect[0]
        if operation == VP:
            points += effect[1]
        elif operation == VP_PER:
            points += effect[1] * count_things(g, city, effect[2], effect[3], effect[4])
            points += effect[1] * counts_itself(t, item, effect[2], effect[3], effect[4])
        elif operation == SHIELDS:
            points += conflict_points_now(g, t, city, effect[1]) - conflict_points_now(g, t, city, 0)
        elif operation == SCIENCE:
            more = int(effect[1])
            after = science_points(
                t, symbols[0] + int(more == 0), symbols[1] + int(more == 1), symbols[2] + int(more == 2), choices
            )
            points += after - before
        elif operation == SCIENCE_CHOICE:
            points += science_points(t, symbols[0], symbols[1], symbols[2], choices + 1) - before
        elif operation == COPY_GUILD:
            points += guild_in_reach(g, t, city)
    return points


@kernel
def conflict_points_now(g: Record, t: Record, city: int, more: int) -> int:
    """Points of this age's conflicts if they were fought now with some shields more."""
    points = 0
    for side in range(2):
        neighbour = left_of(g, city) if side == 0 else right_of(g, city)
        if g.shields[city] + more > g.shields[neighbour]:
            points += t.military_win_vp[g.age]
        elif g.shields[city] + more < g.shields[neighbour]:
            points += t.military_loss_vp
    return points


@kernel
def score_greedy(g: Record, t: Record, me: int, decision: int, option: int, w: Record) -> float:
    """Score an option by the points it adds now, coins counted at their worth at the end."""
    price = g.option_price[option]
    if decision == PAYMENT:
        return -float(price) if g.city == me else score_free_city_payment(g, me, option)
    card = g.option_card[option]
    action = g.option_action[option]
    if action == NOTHING:
        return 0.0
    if action == DISCARD:
        return t.discard_coins / t.coins_per_vp
    city = g.city
    item = next_stage_item(g, t, city) if action == STAGE else card
    points = points_now(g, t, city, item) - price / t.coins_per_vp
    return points if city == me else -points


SCRIPTS = (
    Script("random", score_random, (), "chooses any legal option with equal chance"),
    Script("greedy", score_greedy, (), "takes what adds most points now"),
    Script("school", score_school, PARAMETERS, "appraises what an option adds, unlocks and denies", prepare_school),
)
"""Functions that strategies of `configs/strategies/seven_wonders/` are made of."""
