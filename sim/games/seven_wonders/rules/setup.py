"""Set-up: wonders, age decks, coins; and the deal of each age."""

from __future__ import annotations

from sim.compiler.kernel import Integers, Record, kernel
from sim.engine.rng import DEAL, below, shuffle
from sim.engine.state import begin_game
from sim.games.seven_wonders.rules.constants import LEFT, MANUFACTURED, NO_CARD, RAW, RIGHT, START_TURN
from sim.games.seven_wonders.rules.state import MOMENTS
from sim.games.seven_wonders.rules.trade import add_source

FREE_CITY = 2
"""The city of the two-player variant that belongs to neither player."""


@kernel
def set_up(g: Record, t: Record, plan: Record) -> None:
    """Set up a new game, up to the first decision of Age I.

    All draws are from the deal stream, so all games of a block have the same cards and boards.
    """
    clear_table(g, plan.players)
    shuffle_decks(g, t)
    deal_wonders(g, t, plan.factions[: plan.faction_count], plan.factions_fixed)
    for city in range(g.cities):
        found_city(g, t, city)
    start_age(g, t, 1)


@kernel
def clear_table(g: Record, players: int) -> None:
    """Begin a game with an empty table."""
    begin_game(g, players)
    g.cities = players if players > 2 else 3
    g.holder = -1
    g.phase = START_TURN
    g.stage_cards[:] = NO_CARD
    g.choice_card[:] = NO_CARD
    g.placed_card[:] = NO_CARD


@kernel
def shuffle_decks(g: Record, t: Record) -> None:
    """Make the three age decks: the cards for this number of players, and in Age III some of the guilds."""
    marks = max(g.players, 3)
    for age in range(1, 4):
        deck = g.deck[age - 1]
        size = 0
        if age == 3:
            size = draw_guilds(g, t, deck, marks + t.guilds_beyond_players)
        for card in range(t.cards):
            if t.card_age[card] == age:
                for _ in range(t.card_copies[card, marks]):
                    deck[size] = card
                    size += 1
        g.deck_size[age - 1] = size
        shuffle(g, DEAL, deck, size)


@kernel
def draw_guilds(g: Record, t: Record, deck: Integers, wanted: int) -> int:
    """Put `wanted` randomly drawn guilds into a deck. Return the deck's new size."""
    left = 0
    for card in range(t.cards):
        left += t.card_guild[card]
    drawn = 0
    for card in range(t.cards):
        if t.card_guild[card] != 0:
            # Selection sampling: each set of guilds is equally likely (Knuth, TAOCP 2, 3.4.2, algorithm S).
            if below(g, DEAL, left) < wanted - drawn:
                deck[drawn] = card
                drawn += 1
            left -= 1
    return drawn


@kernel
def deal_wonders(g: Record, t: Record, factions: Integers, factions_fixed: int) -> None:
    """Give each city a board of a different wonder, drawn from the pool `factions`.

    A side that the pool lists more often is more likely. If `factions_fixed` is not 0, city i gets `factions[i]`.
    """
    count = factions.shape[0]
    if factions_fixed != 0:
        for city in range(g.cities):
            g.faction[city] = factions[city]
        return
    # Shuffle the pool in the option buffer, which no decision uses before the game has begun.
    pool = g.option_card
    for entry in range(count):
        pool[entry] = factions[entry]
    shuffle(g, DEAL, pool, count)
    city = 0
    entry = 0
    while city < g.cities:
        faction = pool[entry]
        entry += 1
        if not wonder_is_dealt(g, t, faction, city):
            g.faction[city] = faction
            city += 1


@kernel
def wonder_is_dealt(g: Record, t: Record, faction: int, cities: int) -> bool:
    """Tell whether one of the first `cities` cities already has this wonder, on either side."""
    for city in range(cities):
        if t.faction_wonder[g.faction[city]] == t.faction_wonder[faction]:
            return True
    return False


@kernel
def found_city(g: Record, t: Record, city: int) -> None:
    """Give a city its starting coins, full prices, and the good of its board."""
    g.coins[city] = t.faction_coins[g.faction[city]]
    for side in (LEFT, RIGHT):
        for goods in (RAW, MANUFACTURED):
            g.price[city, side, goods] = t.trade_price
    add_source(g, t, city, 1 << t.faction_resource[g.faction[city]], 1, 1)


@kernel
def start_age(g: Record, t: Record, age: int) -> None:
    """Deal the hands of an age and restore the powers that can be used once per age."""
    g.age = age
    g.turn = 1
    g.moment = MOMENTS * (age - 1) + 1
    deck = g.deck[age - 1]
    place = 0
    for seat in range(g.players):
        for card in range(t.hand_size):
            g.hand[seat, card] = deck[place]
            place += 1
        g.hand_size[seat] = t.hand_size
    g.pile_next = place
    for city in range(g.cities):
        g.free_builds_left[city] = g.free_builds[city]
    if g.players == 2:
        g.holder = first_holder(t, age)
        draw_for_free_city(g)


@kernel
def first_holder(t: Record, age: int) -> int:
    """Return the seat that plays first for the Free City in an age.

    In Ages I and III this is the Free City's left neighbour, or the right one if the setting `free_city_first_holder`
    is "right". In Age II it is the other neighbour.
    """
    left = FREE_CITY - 1
    right = 0
    starts_left = (age != 2) == (t.free_city_first_holder == 0)
    return left if starts_left else right


@kernel
def draw_for_free_city(g: Record) -> None:
    """Let the holder of the Free City draw the top card of its pile."""
    seat = g.holder
    g.hand[seat, g.hand_size[seat]] = g.deck[g.age - 1, g.pile_next]
    g.hand_size[seat] += 1
    g.pile_next += 1
