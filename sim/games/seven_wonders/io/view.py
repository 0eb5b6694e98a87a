"""The view of a seat in 7 Wonders, and its options by name, for Python players (`sim.players.python_players`)."""

from __future__ import annotations

from typing import Any

from sim.compiler.kernel import Record
from sim.data.catalog import facts_of
from sim.game import Data
from sim.games.seven_wonders.rules.constants import (
    ACTIONS,
    BUILD,
    CLASSES,
    COLOURS,
    DISCARD,
    FREE_BUILD,
    FROM_DISCARD,
    NO_CARD,
    PAYMENT,
    SIDES,
    STAGE,
    SYMBOLS,
)
from sim.games.seven_wonders.rules.state import NO_CITY, left_of, right_of
from sim.games.shared.describe import by_name, number_and_noun

TEXTS = {
    BUILD: "build {card}{price}",
    STAGE: "build the next stage with {card} under it{price}",
    DISCARD: "discard {card} for {coins} coins",
    FREE_BUILD: "build {card} free, once in this age",
}
"""Texts of the actions with a card."""


def look(g: Record, data: Data, me: int) -> dict[str, Any]:
    """Return everything that a seat may see.

    Returns
    -------
    dict
        `acting_for` is the city for which the seat would act. `cities` has what is public about each city, in the order
        of the ring. `hand`, `below_stages` and `known_discards` name cards that the seat has seen. `discards` is the
        number of all discarded cards. `cards` has the content of the cards in hand. The other keys are `players`,
        `age`, `turn` and `plays_free_city`.
    """
    catalog = data.catalog
    hand = g.hand[me, : g.hand_size[me]]
    seen = (g.discard_seen[: g.discards_size] >> me & 1 != 0) | (g.discard_city[: g.discards_size] == me)
    return {
        "players": int(g.players),
        "age": int(g.age),
        "turn": int(g.turn),
        "acting_for": int(g.city),
        "plays_free_city": None if g.holder == NO_CITY else int(g.holder),
        "cities": [_city(g, data, city) for city in range(g.cities)],
        "hand": [catalog.cards[card].name for card in hand],
        "below_stages": [catalog.cards[card].name for card in g.stage_cards[me, : g.stages_built[me]]],
        "discards": int(g.discards_size),
        "known_discards": [catalog.cards[card].name for card in g.discards[: g.discards_size][seen]],
        "cards": {catalog.cards[card].name: facts_of(catalog.cards[card]) for card in hand},
    }


def _city(g: Record, data: Data, city: int) -> dict[str, Any]:
    return {
        "city": city,
        "board": data.factions[g.faction[city]].name,
        "left": int(left_of(g, city)),
        "right": int(right_of(g, city)),
        "coins": int(g.coins[city]),
        "cards": [data.catalog.cards[card].name for card in g.city_cards[city, : g.city_size[city]]],
        "stages_built": int(g.stages_built[city]),
        "stages": int(data.tables.faction_stages[g.faction[city]]),
        "shields": int(g.shields[city]),
        "conflict_points": int(g.conflict_points[city]),
        "defeats": int(g.defeats[city]),
        "points": by_name((*COLOURS, "wonder"), g.points[city]),
        "symbols": by_name(SYMBOLS, g.symbols[city]),
        "symbols_of_choice": int(g.symbol_choices[city]),
        "prices": {side: by_name(CLASSES, g.price[city, place]) for place, side in enumerate(SIDES)},
    }


def name_options(g: Record, data: Data, me: int, decision: int) -> list[dict[str, Any]]:
    """Return the options. A play has `do`, `card` and, if it can cost coins, `price`.

    A payment has the coins `left` and `right` for the neighbours, and `price` for the total.
    """
    return [_option(g, data, decision, option) for option in range(g.option_count)]


def _option(g: Record, data: Data, decision: int, option: int) -> dict[str, Any]:
    price = int(g.option_price[option])
    if decision == PAYMENT:
        left, right = int(g.option_left[option]), int(g.option_right[option])
        text = f"pay {left} to the left, {right} to the right neighbour, {price - left - right} to the bank"
        return {"text": text, "do": "pay", "left": left, "right": right, "price": price}
    number = int(g.option_card[option])
    if number == NO_CARD:
        return {"text": "build nothing", "do": "nothing", "card": None}
    card = data.catalog.cards[number].name
    if decision == FROM_DISCARD:
        return {"text": f"build {card} free from the discards", "do": "build_from_discard", "card": card}
    action = int(g.option_action[option])
    coins = "" if price == 0 else f" for {number_and_noun(price, 'coin')}"
    text = TEXTS[action].format(card=card, price=coins, coins=int(data.tables.discard_coins))
    return {"text": text, "do": ACTIONS[action], "card": card} | ({"price": price} if action in (BUILD, STAGE) else {})
