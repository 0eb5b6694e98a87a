"""Upper bounds of a card's worth to any city in any turn. Cards that cannot be the best need not be appraised."""

from __future__ import annotations

import numpy as np

from sim.compiler.kernel import Floats, Integers, Record
from sim.games.seven_wonders.rules.constants import (
    COINS,
    COINS_PER,
    DISCOUNT,
    PER_DEFEAT_TOKENS,
    PER_WONDER_STAGES,
    PRODUCE,
    SCIENCE,
    SCIENCE_CHOICE,
    SHIELDS,
    VP,
    VP_PER,
)
from sim.games.seven_wonders.rules.tables import MAX_CARDS, MAX_FACTIONS, MAX_STAGES, stage_item
from strategies.seven_wonders.appraisal import SYMBOLS_OF_A_KIND
from strategies.seven_wonders.weights import (
    COIN_AT_END,
    COIN_SCARCE,
    DOUBTS,
    GOODS_TASTE,
    GROWTH,
    MILITARY_TASTE,
    NEEDS,
    P_CHAIN,
    P_COIN_SCALE,
    P_DENY_LEFT,
    P_DENY_NEXT,
    P_DENY_OVER,
    P_GOODS_BLOCKED,
    P_GOODS_CHOICE,
    P_SET_HOPE,
    SCIENCE_TASTE,
    STAKES,
    TASTES,
)

PLACES = 3
"""Number of cities in which an effect can count things: the seat's own and both neighbours."""
NO_BOUND = 1e100
"""A bound higher than any worth, used if none is known. It is finite, so that 0 times this bound is 0."""


def most_worths(w: Record, t: Record, turns: Floats) -> Floats:
    """Return an upper bound of each card's worth from its effects, shape (MAX_CARDS,), in points.

    It is NO_BOUND or more if unknown. `turns` are the player's precomputed numbers, shape (moments, TURN_NUMBERS).
    """
    worths = np.zeros(MAX_CARDS)
    worths[: t.cards] = [most_worth(w, t, turns, card) for card in range(int(t.cards))]
    return worths


def most_denied(w: Record, worths: Floats) -> Floats:
    """Return an upper bound of the worth of denying each card (`card_worth.denial`).

    `worths` are upper bounds of the cards' worth.
    """
    weight = max(0.0, w.weight[P_DENY_NEXT]) + max(0.0, w.weight[P_DENY_LEFT])
    return weight * np.maximum(0.0, worths - w.weight[P_DENY_OVER]) if weight > 0.0 else np.zeros(MAX_CARDS)


def most_chained(w: Record, t: Record, worths: Floats) -> Floats:
    """Return an upper bound of the worth of the cards that each card makes free to build (`card_worth.with_chains`)."""
    weight = max(0.0, w.weight[P_CHAIN])
    chained = np.where(t.chain_to >= 0, worths[t.chain_to], 0.0).sum(axis=1)
    return weight * chained if weight > 0.0 else np.zeros(MAX_CARDS)


def most_worth(w: Record, t: Record, turns: Floats, card: int) -> float:
    """Return an upper bound of a card's worth from its effects (`appraisal.item_worth`)."""
    worth = 0.0
    for row in range(int(t.item_effect_count[card])):
        effect = t.item_effects[card, row]
        operation = effect[0]
        if operation == VP:
            worth += max(0.0, float((effect[1] * turns[:, TASTES + t.card_colour[card]]).max()))
        elif operation == COINS:
            worth += max(0.0, float(effect[1]) * most_of_a_coin(w, turns))
        elif operation == SHIELDS:
            worth += most_of_shields(turns, int(effect[1]))
        elif operation in (SCIENCE, SCIENCE_CHOICE):
            worth += most_of_a_symbol(w, t, turns)
        elif operation == PRODUCE:
            worth += most_of_a_source(w, t, turns, int(effect[1]), int(effect[2]))
        elif operation == COINS_PER:
            worth += max(0.0, float(effect[1])) * most_things(t, effect) * most_of_a_coin(w, turns)
        elif operation == VP_PER:
            worth += most_counted(t, turns, effect, int(t.card_colour[card]))
        else:
            return NO_BOUND
    return worth


def most_of_a_coin(w: Record, turns: Floats) -> float:
    """Return an upper bound of a coin's worth: its worth to a city without coins (`outlook.coin_worth`)."""
    if w.weight[P_COIN_SCALE] <= 0.0 or turns[:, COIN_AT_END].min() < 0.0:
        return NO_BOUND
    return float((turns[:, COIN_AT_END] + np.maximum(0.0, turns[:, COIN_SCARCE]) / w.weight[P_COIN_SCALE]).max())


def most_of_shields(turns: Floats, shields: int) -> float:
    """Return an upper bound of the worth of shields (`appraisal.shields_worth`).

    It is their worth if they turn a deficit of half their number into a lead of the same size.
    """
    tastes, stakes = turns[:, TASTES + MILITARY_TASTE], turns[:, STAKES : STAKES + 3]
    doubts = turns[:, DOUBTS : DOUBTS + 3]
    at_stake = stakes != 0.0
    if shields < 0 or tastes.min() < 0.0 or stakes.min() < 0.0 or (doubts[at_stake] <= 0.0).any():
        return NO_BOUND
    rise = np.where(at_stake, shields / (np.where(at_stake, doubts, 1.0) + 0.5 * shields), 0.0)
    return float((tastes * 2.0 * (stakes * rise).sum(axis=1)).max())


def most_of_a_symbol(w: Record, t: Record, turns: Floats) -> float:
    """Return an upper bound of a symbol's worth (`appraisal.symbol_worth`).

    It is the worth of a symbol that completes its kind and a set.
    """
    tastes = turns[:, TASTES + SCIENCE_TASTE]
    if t.discard_build_checks_names == 0 or tastes.min() < 0.0 or w.weight[P_SET_HOPE] < 0.0:
        return NO_BOUND
    own = max(SYMBOLS_OF_A_KIND - 1, *(most_symbols(t, symbol) for symbol in range(3)))
    return float(tastes.max() * (2.0 * own + 1.0 + max(0.0, float(t.science_set_vp))))


def most_symbols(t: Record, symbol: int) -> int:
    """Return the maximum number of symbols of a kind in a city: one card of each name, and all stages of a wonder."""
    symbols = symbols_of_items(t, symbol)
    of_name: dict[int, int] = {}
    for name, count in zip(t.card_name[: t.cards].tolist(), symbols[: t.cards].tolist(), strict=True):
        of_name[name] = max(of_name.get(name, 0), count)
    wonders = symbols[stage_item(0, 0) :][: MAX_FACTIONS * MAX_STAGES].reshape(MAX_FACTIONS, MAX_STAGES)
    return sum(of_name.values()) + int(wonders.sum(axis=1).max())


def symbols_of_items(t: Record, symbol: int) -> Integers:
    """Return how many symbols of a kind each card and stage has, shape (items,)."""
    rows = np.arange(t.item_effects.shape[1]) < t.item_effect_count[:, np.newaxis]
    has = rows & (t.item_effects[..., 0] == SCIENCE) & (t.item_effects[..., 1] == symbol)
    return np.asarray(has.sum(axis=1))


def most_of_a_source(w: Record, t: Record, turns: Floats, mask: int, amount: int) -> float:
    """Return an upper bound of the worth of a source of goods (`appraisal.source_worth`).

    It is the worth of the source in a city that has to buy all the goods it needs.
    """
    tastes = turns[:, TASTES + GOODS_TASTE]
    raised = (t.item_effects[..., 0] == DISCOUNT) & (t.item_effects[..., 3] > t.trade_price)
    if tastes.min() < 0.0 or t.trade_price < 0 or raised.any():
        return NO_BOUND
    saved = max(0.0, w.weight[P_GOODS_BLOCKED], float(t.trade_price) * most_of_a_coin(w, turns))
    needs = np.maximum(0.0, turns[:, NEEDS:].reshape(len(turns), 7, -1).max(axis=2))
    each = [float((tastes * needs[:, good]).max()) * amount * saved for good in range(7) if mask >> good & 1]
    return max(each) + max(0.0, w.weight[P_GOODS_CHOICE]) * (sum(each) - min(each)) if each else 0.0


def most_counted(t: Record, turns: Floats, effect: Integers, colour: int) -> float:
    """Return an upper bound of the points for counted things (`appraisal.counted_worth`)."""
    tastes, growth = turns[:, TASTES + colour], turns[:, GROWTH]
    if effect[1] < 0 or tastes.min() < 0.0:
        return NO_BOUND
    things = most_things(t, effect) + PLACES * np.maximum(0.0, growth)
    return float((tastes * effect[1] * things).max())


def most_things(t: Record, effect: Integers) -> float:
    """Return the maximum number of things that an effect can count.

    In each city, it can count one card of each name, all stages, or six defeats.
    """
    kind, colours, whose = effect[2:]
    if kind == PER_WONDER_STAGES:
        return PLACES * MAX_STAGES
    if kind == PER_DEFEAT_TOKENS:
        return PLACES * 2 * 3
    if t.discard_build_checks_names == 0:
        return NO_BOUND
    cards = [card for card in range(int(t.cards)) if colours >> t.card_colour[card] & 1]
    return bin(whose).count("1") * len({int(t.card_name[card]) for card in cards})
