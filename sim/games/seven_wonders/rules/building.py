"""Costs and actions: lists and carries out what a city may do with a card."""

from __future__ import annotations

from sim.compiler.kernel import Record, kernel
from sim.games.seven_wonders.rules.constants import BUILD, DISCARD, FREE_BUILD, NO_CARD, NOTHING, STAGE, WONDER_POINTS
from sim.games.seven_wonders.rules.effects import coins_brought, put_in_place
from sim.games.seven_wonders.rules.state import CITY_FULL, MAX_CITY_CARDS, left_of, right_of
from sim.games.seven_wonders.rules.tables import stage_item
from sim.games.seven_wonders.rules.trade import least_price

CANNOT = -1
"""Price of something that cannot be built."""


@kernel
def next_stage_item(g: Record, t: Record, city: int) -> int:
    """Return the item id of the next stage of a city's wonder; -1 if the wonder is complete."""
    faction = g.faction[city]
    stage = g.stages_built[city]
    if stage >= t.faction_stages[faction]:
        return -1
    return stage_item(faction, stage)


@kernel
def owns_name(g: Record, t: Record, city: int, card: int) -> bool:
    """Tell whether the city already has a structure with this card's name."""
    return g.owns[city, t.card_name[card]] != 0


@kernel
def has_chain(g: Record, t: Record, city: int, card: int) -> bool:
    """Tell whether an earlier structure in the city makes this card free."""
    for row in range(2):
        parent = t.chain_from[card, row]
        if parent >= 0 and g.owns[city, parent] != 0:
            return True
    return False


@kernel
def build_price(g: Record, t: Record, city: int, card: int) -> int:
    """Return the lowest price, in coins, of building a card now; 0 if a chain makes it free.

    It is CANNOT if the city already owns a card with this name, cannot get the goods, or cannot pay.
    """
    if owns_name(g, t, city, card):
        return CANNOT
    if has_chain(g, t, city, card):
        return 0
    price = least_price(g, t, city, card)
    return price if price <= g.spendable[city] else CANNOT


@kernel
def stage_price(g: Record, t: Record, city: int) -> int:
    """Return the lowest price, in coins, of the next stage now; CANNOT if no stage is left or the city cannot pay."""
    item = next_stage_item(g, t, city)
    if item < 0:
        return CANNOT
    price = least_price(g, t, city, item)
    return price if price <= g.spendable[city] else CANNOT


@kernel
def add_option(g: Record, card: int, action: int, price: int) -> None:
    """Append an option to the list in the record: an action with a card, at a price in coins."""
    option = g.option_count
    g.option_card[option] = card
    g.option_action[option] = action
    g.option_price[option] = price
    g.option_count = option + 1


@kernel
def list_plays(g: Record, t: Record, city: int, seat: int) -> int:
    """List everything that a city may do with the cards in a seat's hand. Return the number of options."""
    g.option_count = 0
    stage = stage_price(g, t, city)
    for place in range(g.hand_size[seat]):
        card = g.hand[seat, place]
        build = build_price(g, t, city, card)
        if city >= g.players:
            list_free_city_plays(g, t, city, card, build, stage)
            continue
        if build >= 0:
            add_option(g, card, BUILD, build)
        if may_build_free(g, t, city, card, build):
            add_option(g, card, FREE_BUILD, 0)
        if stage >= 0:
            add_option(g, card, STAGE, stage)
        add_option(g, card, DISCARD, 0)
    return g.option_count


@kernel
def list_free_city_plays(g: Record, t: Record, city: int, card: int, build: int, stage: int) -> None:
    """List what the Free City may do with a card. It must use a chain if it can, and discards only unusable cards."""
    if not owns_name(g, t, city, card) and has_chain(g, t, city, card):
        add_option(g, card, BUILD, 0)
        return
    free = t.free_city_uses_wonder_powers != 0 and may_build_free(g, t, city, card, build)
    if build >= 0:
        add_option(g, card, BUILD, build)
    if free:
        add_option(g, card, FREE_BUILD, 0)
    if stage >= 0:
        add_option(g, card, STAGE, stage)
    if build < 0 and not free and stage < 0:
        add_option(g, card, DISCARD, 0)


@kernel
def may_build_free(g: Record, t: Record, city: int, card: int, price: int) -> bool:
    """Tell whether the free building of this age is unused and the card would otherwise cost something."""
    return g.free_builds_left[city] > 0 and price != 0 and not owns_name(g, t, city, card)


@kernel
def take_from_hand(g: Record, seat: int, card: int) -> None:
    """Take one copy of a card out of a hand. The other cards keep their order."""
    place = 0
    while g.hand[seat, place] != card:
        place += 1
    g.hand_size[seat] -= 1
    for later in range(place, g.hand_size[seat]):
        g.hand[seat, later] = g.hand[seat, later + 1]


@kernel
def pay(g: Record, city: int) -> None:
    """Pay the bank and the neighbours for the chosen action.

    What the neighbours receive counts as their income of this turn.
    """
    left = g.choice_left[city]
    right = g.choice_right[city]
    g.coins[city] -= g.choice_bank[city] + left + right
    g.income[left_of(g, city)] += left
    g.income[right_of(g, city)] += right


@kernel
def place_choice(g: Record, t: Record, city: int) -> None:
    """Place the card or stage of the chosen action."""
    card = g.choice_card[city]
    action = g.choice_action[city]
    if action in (BUILD, FREE_BUILD):
        place_card(g, t, city, card)
        if action == FREE_BUILD:
            g.free_builds_left[city] -= 1
    elif action == STAGE:
        place_stage(g, t, city, card)
    elif action == DISCARD:
        discard(g, city, card)


@kernel
def place_card(g: Record, t: Record, city: int, card: int) -> None:
    """Put a structure into a city.

    If the city is full, the game stops with an error. This can happen only when cities build from the discards.
    """
    colour = t.card_colour[card]
    size = g.city_size[city]
    if size >= MAX_CITY_CARDS:
        g.error = CITY_FULL
        return
    g.city_cards[city, size] = card
    g.city_size[city] = size + 1
    g.owns[city, t.card_name[card]] += 1
    g.colour_count[city, colour] += 1
    g.placed_card[city] = card
    put_in_place(g, t, city, card, colour)


@kernel
def place_stage(g: Record, t: Record, city: int, card: int) -> None:
    """Build the next stage of the wonder with a card below it."""
    item = next_stage_item(g, t, city)
    g.stage_cards[city, g.stages_built[city]] = card
    g.stage_moment[city, g.stages_built[city]] = g.moment
    g.stages_built[city] += 1
    g.placed_stage[city] = 1
    put_in_place(g, t, city, item, WONDER_POINTS)


@kernel
def discard(g: Record, city: int, card: int) -> None:
    """Let a city put a card on the discard pile. If the city is NO_CITY, no seat has seen the card."""
    place = g.discards_size
    g.discards[place] = card
    g.discard_moment[place] = g.moment
    g.discard_city[place] = city
    g.discard_seen[place] = 0
    g.discards_size = place + 1


@kernel
def collect(g: Record, t: Record, city: int) -> None:
    """Add the coins that the chosen action brings to the income of this turn: for a discard, or by effects at once."""
    action = g.choice_action[city]
    if action == DISCARD:
        g.income[city] += t.discard_coins
    elif action in (BUILD, FREE_BUILD):
        g.income[city] += coins_brought(g, t, city, g.choice_card[city], True)
    elif action == STAGE:
        item = stage_item(g.faction[city], g.stages_built[city] - 1)
        g.income[city] += coins_brought(g, t, city, item, True)


@kernel
def credit_income(g: Record) -> None:
    """Add all cities' income of this turn to their treasuries."""
    for city in range(g.cities):
        g.coins[city] += g.income[city]
        g.income[city] = 0


@kernel
def list_discard_builds(g: Record, t: Record, city: int) -> int:
    """List the options for building from the discards: each kind of card that the city may build, or no card."""
    g.option_count = 0
    for place in range(g.discards_size):
        card = g.discards[place]
        if t.discard_build_checks_names != 0 and owns_name(g, t, city, card):
            continue
        known = False
        for option in range(g.option_count):
            known = known or g.option_card[option] == card
        if not known:
            add_option(g, card, FREE_BUILD, 0)
    add_option(g, NO_CARD, NOTHING, 0)
    return g.option_count


@kernel
def build_from_discards(g: Record, t: Record, city: int, card: int) -> None:
    """Take a card from the discard pile, build it for free, and gain the coins that it brings."""
    place = 0
    while g.discards[place] != card:
        place += 1
    g.discards_size -= 1
    for later in range(place, g.discards_size):
        g.discards[later] = g.discards[later + 1]
        g.discard_moment[later] = g.discard_moment[later + 1]
        g.discard_city[later] = g.discard_city[later + 1]
        g.discard_seen[later] = g.discard_seen[later + 1]
    place_card(g, t, city, card)
    g.income[city] += coins_brought(g, t, city, card, True)
