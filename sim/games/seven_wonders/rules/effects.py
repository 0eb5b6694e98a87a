"""Executes the effects of cards and stages, as the rows of effects in the tables encode them."""

from __future__ import annotations

from sim.compiler.kernel import Record, kernel
from sim.games.seven_wonders.rules.constants import (
    BUILD_FROM_DISCARD,
    COINS,
    COINS_PER,
    COPY_GUILD,
    DISCOUNT,
    FREE_BUILD_PER_AGE,
    NO_CARD,
    PER_CARDS,
    PER_DEFEAT_TOKENS,
    PER_WONDER_STAGES,
    PLAY_LAST_CARD,
    PRODUCE,
    SCIENCE,
    SCIENCE_CHOICE,
    SHIELDS,
    VP,
)
from sim.games.seven_wonders.rules.state import left_of, right_of, turn_of_game
from sim.games.seven_wonders.rules.tables import MAX_CARDS
from sim.games.seven_wonders.rules.trade import add_discount, add_source

# Cities whose things an effect counts.
COUNTS_LEFT = 1
COUNTS_SELF = 2
COUNTS_RIGHT = 4


@kernel
def put_in_place(g: Record, t: Record, city: int, item: int, points_of: int) -> None:
    """Apply the lasting effects of a card or stage that has been placed in a city. Coins are collected separately.

    `points_of` is the index in `points` to which its victory points belong: a card's colour, or the wonder.
    """
    for row in range(t.item_effect_count[item]):
        effect = t.item_effects[item, row]
        operation = effect[0]
        if operation == PRODUCE:
            add_source(g, t, city, effect[1], effect[2], effect[3])
        elif operation == VP:
            g.points[city, points_of] += effect[1]
        elif operation == SHIELDS:
            g.shields[city] += effect[1]
        elif operation == SCIENCE:
            g.symbols[city, effect[1]] += 1
        elif operation == SCIENCE_CHOICE:
            g.symbol_choices[city] += 1
        elif operation == DISCOUNT:
            add_discount(g, t, city, effect[1], effect[2], effect[3])
        else:
            gain_power(g, t, city, operation, effect[1])


@kernel
def gain_power(g: Record, t: Record, city: int, operation: int, amount: int) -> None:
    """Give a city one of the special powers of the wonders."""
    if operation == BUILD_FROM_DISCARD:
        g.discard_builds_due[city] += 1
    elif operation == FREE_BUILD_PER_AGE:
        g.free_builds[city] += amount
        if t.free_build_same_age != 0:
            g.free_builds_left[city] += amount
    elif operation == PLAY_LAST_CARD:
        g.plays_last_card[city] = 1
        g.last_card_from_turn[city] = turn_of_game(g, t)
    elif operation == COPY_GUILD:
        g.copies_guild[city] = amount


@kernel
def coins_brought(g: Record, t: Record, city: int, item: int, placed: bool) -> int:
    """Return the coins that a city gets immediately from a card or stage.

    If `placed` is set, the card or stage has just been placed, together with all cards of the turn. Otherwise the
    result is hypothetical, as if the city built it now and no other city built anything.
    """
    coins = 0
    for row in range(t.item_effect_count[item]):
        effect = t.item_effects[item, row]
        if effect[0] == COINS:
            coins += effect[1]
        elif effect[0] == COINS_PER:
            things = count_things(g, city, effect[2], effect[3], effect[4])
            if placed:
                things -= things_not_counted_at_once(g, t, city, item, effect[2], effect[3], effect[4])
            elif item >= MAX_CARDS or t.coins_per_counts_itself != 0:
                things += counts_itself(t, item, effect[2], effect[3], effect[4])
            coins += effect[1] * things
    return coins


@kernel
def counts_itself(t: Record, item: int, kind: int, colours: int, whose: int) -> int:
    """Return 1 if a card or stage is one of the things that it counts in its own city, else 0."""
    if whose & COUNTS_SELF == 0 or kind == PER_DEFEAT_TOKENS:
        return 0
    if item >= MAX_CARDS:
        return int(kind == PER_WONDER_STAGES)
    return int(kind == PER_CARDS and (colours >> t.card_colour[item]) & 1 == 1)


@kernel
def count_things(g: Record, city: int, kind: int, colours: int, whose: int) -> int:
    """Count things in the cities that `whose` selects: stages, defeat tokens, or cards of the `colours`."""
    things = 0
    if whose & COUNTS_SELF != 0:
        things += count_in_city(g, city, kind, colours)
    if whose & COUNTS_LEFT != 0:
        things += count_in_city(g, left_of(g, city), kind, colours)
    if whose & COUNTS_RIGHT != 0:
        things += count_in_city(g, right_of(g, city), kind, colours)
    return things


@kernel
def count_in_city(g: Record, city: int, kind: int, colours: int) -> int:
    """Count things in one city: stages, defeat tokens, or cards of the `colours`."""
    if kind == PER_WONDER_STAGES:
        return g.stages_built[city]
    if kind == PER_DEFEAT_TOKENS:
        return g.defeats[city]
    things = 0
    for colour in range(7):
        if colours & (1 << colour) != 0:
            things += g.colour_count[city, colour]
    return things


@kernel
def things_not_counted_at_once(g: Record, t: Record, city: int, item: int, kind: int, colours: int, whose: int) -> int:
    """Return how many things placed this turn do not count for an effect that brings coins immediately.

    By one setting, the card itself does not count; by another, things that the neighbours have placed this turn.
    """
    things = 0
    if t.coins_per_counts_itself == 0 and whose & COUNTS_SELF != 0 and kind == PER_CARDS and item < MAX_CARDS:
        things += (colours >> t.card_colour[item]) & 1
    if t.instant_income_counts_same_turn == 0:
        if whose & COUNTS_LEFT != 0:
            things += placed_this_turn(g, t, left_of(g, city), kind, colours)
        if whose & COUNTS_RIGHT != 0:
            things += placed_this_turn(g, t, right_of(g, city), kind, colours)
    return things


@kernel
def placed_this_turn(g: Record, t: Record, city: int, kind: int, colours: int) -> int:
    """Return how many things a city has placed this turn: stages, or cards of the `colours`."""
    if kind == PER_WONDER_STAGES:
        return g.placed_stage[city]
    if kind == PER_CARDS and g.placed_card[city] != NO_CARD:
        return (colours >> t.card_colour[g.placed_card[city]]) & 1
    return 0
