"""The worth of a card's or stage's effects, in victory points, now and until the end."""

from __future__ import annotations

import numpy as np

from sim.compiler.kernel import Integers, Record, kernel
from sim.games.seven_wonders.rules.constants import (
    BUILD_FROM_DISCARD,
    COINS,
    COINS_PER,
    COPY_GUILD,
    DISCOUNT,
    FREE_BUILD_PER_AGE,
    GREEN,
    PLAY_LAST_CARD,
    PRODUCE,
    SCIENCE,
    SCIENCE_CHOICE,
    SHIELDS,
    VP,
    VP_PER,
)
from sim.games.seven_wonders.rules.effects import count_things, counts_itself
from sim.games.seven_wonders.rules.state import left_of, right_of
from strategies.seven_wonders.outlook import (
    guild_in_reach,
    lead,
    of_turn,
    time_left,
    units_made,
    units_sold,
    wanted,
)
from strategies.seven_wonders.weights import (
    DOUBTS,
    GOODS_TASTE,
    GROWTH,
    MILITARY_TASTE,
    P_COPIED_GUILD,
    P_DEVOTION,
    P_DISCARD_BUILD,
    P_DISCOUNT,
    P_FREE_BUILD,
    P_GOODS_BLOCKED,
    P_GOODS_CHOICE,
    P_HOPE,
    P_LAST_CARD,
    P_RIVALS,
    P_SET_HOPE,
    SCIENCE_TASTE,
    STAKES,
    TASTES,
    WONDER_TASTE,
)

FIRST_GOOD = np.array([0] + [(goods & -goods).bit_length() - 1 for goods in range(1, 1 << 7)])
"""Index of the lowest good in a set of goods; the set is an integer with one bit per good."""
SYMBOLS_OF_A_KIND = 4
"""Number of structures with the same symbol in the game (rulebook, science)."""


@kernel
def taste_of(g: Record, w: Record, kind: int) -> float:
    """Return the player's weight of a point in this age, by its source (`kind`): a card colour, the wonder or goods."""
    return w.prepared[of_turn(g) + TASTES + kind]


@kernel
def shields_worth(g: Record, t: Record, city: int, shields: int, w: Record) -> float:
    """Return the points that more shields are expected to bring, in this and later conflicts with both neighbours."""
    worth = 0.0
    turn = of_turn(g)
    for side in range(2):
        neighbour = left_of(g, city) if side == 0 else right_of(g, city)
        difference = float(g.shields[city] - g.shields[neighbour])
        for age in range(g.age - 1, 3):
            doubt = w.prepared[turn + DOUBTS + age]
            worth += w.prepared[turn + STAKES + age] * (lead(difference + shields, doubt) - lead(difference, doubt))
    return worth


@kernel
def symbols_of_others(g: Record, city: int) -> float:
    """Return the average number of green structures in the other cities. Rival collectors leave fewer symbols."""
    count = -g.colour_count[city, GREEN]
    for seat in range(g.players):
        count += g.colour_count[seat, GREEN]
    return count / (g.players - 1.0)


@kernel
def symbol_worth(g: Record, t: Record, city: int, symbol: int, w: Record) -> float:
    """Return the expected points of one more symbol, alone and together with further symbols that may still come."""
    own = g.symbols[city, symbol]
    one = g.symbols[city, (symbol + 1) % 3]
    other = g.symbols[city, (symbol + 2) % 3]
    have = own + one + other + g.symbol_choices[city]
    hope = w.weight[P_HOPE] + w.weight[P_DEVOTION] * have
    if w.weight[P_RIVALS] > 0.0:
        hope -= w.weight[P_RIVALS] * symbols_of_others(g, city)
    hope = min(time_left(g, w) * max(0.0, hope), max(0.0, SYMBOLS_OF_A_KIND - 1.0 - own))
    fewest_other = min(one, other)
    set_now = 1.0 if own < fewest_other else 0.0
    set_later = min(1.0, w.weight[P_SET_HOPE] * hope) if own == fewest_other else 0.0
    return 2.0 * (own + hope) + 1.0 + t.science_set_vp * (set_now + set_later)


@kernel
def best_symbol_worth(g: Record, t: Record, city: int, w: Record) -> float:
    """Return the expected points of a symbol that the city may choose."""
    best = 0.0
    for symbol in range(3):
        best = max(best, symbol_worth(g, t, city, symbol, w))
    return best


@kernel
def price_of_good(g: Record, city: int, resource: int, left: int, right: int) -> int:
    """Return the price of a unit of a resource from the cheaper neighbour that sells it."""
    goods = 0 if resource < 4 else 1
    price_left = g.price[city, 0, goods]
    price_right = g.price[city, 1, goods]
    if left > 0 and right > 0:
        return min(price_left, price_right)
    return price_left if left > 0 else price_right


@kernel
def units_worth(g: Record, t: Record, city: int, resource: int, amount: int, coin: float, w: Record) -> float:
    """Return the worth in points of `amount` more units of a resource; `coin` is the worth of a coin.

    A unit that a neighbour sells is worth the coins that it saves. Any other unit is worth what it makes possible.
    """
    made = units_made(g, city, resource)
    left = units_sold(g, left_of(g, city), resource)
    right = units_sold(g, right_of(g, city), resource)
    bought = price_of_good(g, city, resource, left, right) * coin
    taste = taste_of(g, w, GOODS_TASTE)
    worth = 0.0
    for unit in range(amount):
        saved = bought if left + right > unit else w.weight[P_GOODS_BLOCKED]
        worth += taste * max(0.0, wanted(g, t, city, resource, made + unit, w)) * saved
    return worth


@kernel
def source_worth(g: Record, t: Record, city: int, mask: int, amount: int, coin: float, w: Record) -> float:
    """Return the worth in points of a new source of any good in `mask`: the best good, and a share of the others."""
    total = 0.0
    best = 0.0
    rest = mask
    while rest != 0:
        worth = units_worth(g, t, city, FIRST_GOOD[rest], amount, coin, w)
        total += worth
        best = max(best, worth)
        rest &= rest - 1
    return best + w.weight[P_GOODS_CHOICE] * (total - best)


@kernel
def discount_worth(
    g: Record, t: Record, city: int, sides: int, classes: int, price: int, coin: float, w: Record
) -> float:
    """Return the points that cheaper trade is expected to save."""
    worth = 0.0
    for resource in range(0 if classes & 1 != 0 else 4, 7 if classes & 2 != 0 else 4):
        goods = 0 if resource < 4 else 1
        saved = 0
        for side in range(2):
            neighbour = left_of(g, city) if side == 0 else right_of(g, city)
            if sides & (1 << side) != 0 and units_sold(g, neighbour, resource) > 0:
                saved = max(saved, g.price[city, side, goods] - price)
        if saved > 0:
            worth += saved * wanted(g, t, city, resource, units_made(g, city, resource), w)
    return w.weight[P_DISCOUNT] * worth * coin


@kernel
def things_if_built(g: Record, t: Record, city: int, item: int, effect: Integers) -> int:
    """Return how many things an effect will count once its card or stage is built, which may itself be one of them."""
    things = count_things(g, city, effect[2], effect[3], effect[4])
    return things + counts_itself(t, item, effect[2], effect[3], effect[4])


@kernel
def counted_worth(g: Record, t: Record, city: int, item: int, effect: Integers, w: Record) -> float:
    """Return the points of an effect that counts things: for those present, and for those expected to come."""
    whose = effect[4]
    places = (whose & 1) + ((whose >> 1) & 1) + ((whose >> 2) & 1)
    more = w.prepared[of_turn(g) + GROWTH] * places
    return effect[1] * (things_if_built(g, t, city, item, effect) + more)


@kernel
def power_worth(g: Record, t: Record, city: int, operation: int, w: Record) -> float:
    """Return the expected points of a wonder's special power."""
    ages_after = 3.0 - g.age
    if operation == FREE_BUILD_PER_AGE:
        this_age = 1.0 if g.turn < t.turns_per_age else 0.0
        return w.weight[P_FREE_BUILD] * (ages_after + this_age * t.free_build_same_age)
    if operation == PLAY_LAST_CARD:
        return w.weight[P_LAST_CARD] * (ages_after + 1.0)
    if operation == BUILD_FROM_DISCARD:
        # The discard pile grows, so its best card gets better.
        return w.weight[P_DISCARD_BUILD] * (1.2 - time_left(g, w))
    if operation == COPY_GUILD:
        return max(w.weight[P_COPIED_GUILD], guild_in_reach(g, t, city))
    return 0.0


@kernel
def item_worth(g: Record, t: Record, city: int, item: int, kind: int, coin: float, w: Record) -> float:
    """Return the worth in points of the effects of a card or stage.

    `kind` is the colour of the card, or the wonder. `coin` is the worth of a coin.
    """
    worth = 0.0
    for row in range(t.item_effect_count[item]):
        effect = t.item_effects[item, row]
        operation = effect[0]
        if operation == VP:
            worth += taste_of(g, w, kind) * effect[1]
        elif operation == PRODUCE:
            worth += source_worth(g, t, city, effect[1], effect[2], coin, w)
        elif operation == SHIELDS:
            worth += taste_of(g, w, MILITARY_TASTE) * shields_worth(g, t, city, effect[1], w)
        elif operation == SCIENCE:
            worth += taste_of(g, w, SCIENCE_TASTE) * symbol_worth(g, t, city, effect[1], w)
        elif operation == SCIENCE_CHOICE:
            worth += taste_of(g, w, SCIENCE_TASTE) * best_symbol_worth(g, t, city, w)
        elif operation == COINS:
            worth += effect[1] * coin
        elif operation == COINS_PER:
            worth += effect[1] * things_if_built(g, t, city, item, effect) * coin
        elif operation == VP_PER:
            worth += taste_of(g, w, kind) * counted_worth(g, t, city, item, effect, w)
        elif operation == DISCOUNT:
            worth += discount_worth(g, t, city, effect[1], effect[2], effect[3], coin, w)
        else:
            worth += taste_of(g, w, WONDER_TASTE) * power_worth(g, t, city, operation, w)
    return worth
