"""Compiles a catalogue of Imperial Settlers into the tables that kernels read."""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.data.catalog import Row
from sim.data.place import Place
from sim.data.programs import Code
from sim.games.imperial_settlers.data import language
from sim.games.imperial_settlers.data.catalog import Catalog
from sim.games.imperial_settlers.data.models import HINTS, LESSONS, Action, Card, Feature
from sim.games.imperial_settlers.rules import constants
from sim.games.imperial_settlers.rules.constants import SETTINGS
from sim.games.imperial_settlers.rules.tables import MAX_CODE, TABLES
from sim.games.shared.describe import bits_of_names
from sim.games.shared.filling import fill_rules

APART = ("common_points", "faction_points", "deck_names", "title_from")
"""Numbers of the rulebook that are not copied by name: no column of the tables has their name, or its shape differs."""


def build_tables(catalog: Catalog) -> Any:
    """Return a read-only record of dtype `TABLES`, with the cards, their compiled effects and the rules."""
    array = np.zeros(1, TABLES)
    t: Any = array[0]
    _fill_decks(t, catalog)
    t.program[:] = constants.NO_PROGRAM
    t.deal_good[:] = constants.NO_CARD
    code = Code(language.LANGUAGE, MAX_CODE)
    names = catalog.names
    for card, row in enumerate(catalog.cards):
        t.name[card] = names.index(row.name)
        _fill_print(t, catalog, card)
        lesson = catalog.lessons.get(row.name)
        if lesson is not None:
            t.card_lesson[card] = np.transpose([getattr(lesson, name) for name in LESSONS])
        _fill_effects(t, code, card, row, Place(catalog.paths[card], catalog.label(card), ""))
    t.code[: len(code.rows)] = code.rows
    _fill_attacks(t, catalog)
    _fill_factions(t, catalog)
    fill_rules(t, catalog, SETTINGS, APART)
    t.title_from[: len(constants.TITLES)] = catalog.constants.title_from
    for move, learnt in catalog.moves.items():
        t.move_lesson[constants.MOVES.index(move)] = learnt.points
    array.flags.writeable = False
    return array[0]


def _fill_decks(t: Any, catalog: Catalog) -> None:
    t.cards = len(catalog.cards) + len(catalog.attacks)
    t.commons = catalog.faction_of.count(-1)
    t.factions = len(catalog.decks)
    for faction in range(len(catalog.decks)):
        t.deck_first[faction] = catalog.faction_of.index(faction)
        t.deck_size[faction] = catalog.faction_of.count(faction)
    t.attack_first, t.attack_cards = len(catalog.cards), len(catalog.attacks)


def _goods(row: Row) -> list[int]:
    """Return the amount of each good that a row gives, shape (goods,)."""
    return [getattr(row, good, 0) for good in constants.GOODS]


# ---- Cards ----


def _fill_print(t: Any, catalog: Catalog, card: int) -> None:
    """Fill in what is printed on a card except its effects."""
    row, faction = catalog.cards[card], catalog.faction_of[card]
    t.deck[card] = constants.COMMON if faction < 0 else faction
    t.kind[card] = constants.KINDS.index(row.kind)
    t.colours[card] = bits_of_names(constants.COLOURS, row.colours)
    t.cost[card], t.cost_location[card] = _goods(row.cost), row.cost.location
    t.raze[card] = _goods(row.raze)
    t.raze_goods[card] = sum(_goods(row.raze))
    can_be_razed = faction < 0 or catalog.decks[faction].faction.cards_can_be_razed
    t.razeable[card] = int(can_be_razed and not row.cannot_be_razed and t.raze_goods[card] > 0)
    if row.deal is not None:
        _fill_deal(t, card, row.deal)
    points = catalog.constants.common_points if faction < 0 else catalog.constants.faction_points
    t.points_end[card] = points if row.points is None else row.points


def _fill_deal(t: Any, card: int, good: str) -> None:
    """Fill in the good of a card's deal field. For an attack card, `good` is its target."""
    t.deal_good[card] = constants.GOODS.index(good)
    t.deal[card, t.deal_good[card]] = 1


def _fill_effects(t: Any, code: Code, card: int, row: Card, place: Place) -> None:
    if row.production:
        _fill_program(t, code, card, constants.PRODUCES, row.production, place.at("production"))
        language.check_production_program(code, int(t.program[card, constants.PRODUCES]), place.at("production"))
    if row.bonus:
        _fill_program(t, code, card, constants.BONUS, row.bonus, place.at("bonus"))
    if row.action is not None:
        _fill_action(t, card, row.action)
        _fill_program(t, code, card, constants.ACTS, row.action.do, place.at("action", "do"))
    if row.feature is not None:
        _fill_feature(t, card, row.feature)
        if row.feature.do is not None:
            language.check_feature_program(row.feature.on, row.feature.do, place.at("feature", "do"))
            _fill_program(t, code, card, constants.FEATURES, row.feature.do, place.at("feature", "do"))


def _fill_program(t: Any, code: Code, card: int, program: int, operations: Any, place: Place) -> None:
    start = language.write_program(code, operations, place)
    t.program[card, program] = start
    t.draws[card, program] = int(language.draws_or_chooses(code, start))


def _fill_action(t: Any, card: int, action: Action) -> None:
    t.pay[card] = _goods(action.pay)
    t.pay_any[card], t.pay_hand[card], t.pay_deal[card] = action.pay.any, action.pay.hand, action.pay.deal
    t.uses[card] = action.uses


def _fill_feature(t: Any, card: int, feature: Feature) -> None:
    t.trigger[card] = constants.TRIGGERS.index(feature.on)
    t.feature_colours[card] = bits_of_names(constants.COLOURS, feature.colours or ())
    t.feature_decks[card] = bits_of_names(constants.DECK_BITS, feature.decks or ())
    t.feature_number[card] = feature.number or 0
    t.feature_goods[card] = bits_of_names(constants.GOODS, feature.goods or ())
    for number, tier in enumerate(feature.end or ()):
        t.end_tier[card, number] = tier


def _fill_attacks(t: Any, catalog: Catalog) -> None:
    """Fill in the attack cards. Their targets are stored like the deal fields of other cards."""
    names = catalog.names
    for number, row in enumerate(catalog.attacks):
        card = len(catalog.cards) + number
        t.deck[card] = constants.SOLO
        t.name[card] = names.index(row.name)
        t.kind[card] = constants.ATTACK_CARD
        _fill_deal(t, card, row.target)


# ---- Factions ----


def _fill_factions(t: Any, catalog: Catalog) -> None:
    for number, deck in enumerate(catalog.decks):
        faction = deck.faction
        t.empire[number] = deck.empire
        t.board[number] = _goods(faction.board)
        t.stores[number] = [int(good in faction.stores) for good in constants.GOODS]
        t.samurai[number] = faction.samurai
        t.own_deck_razeable[number] = faction.cards_can_be_razed
        t.hint[number, : len(HINTS)] = [getattr(faction.hints, name) for name in HINTS]
