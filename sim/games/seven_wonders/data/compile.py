"""Packs a checked catalogue of 7 Wonders into the record that kernels read (`tables.py`)."""

from __future__ import annotations

from collections.abc import Sequence
from inspect import unwrap
from typing import Any

import numpy as np

from sim.games.seven_wonders.data.catalog import Catalog, Cost
from sim.games.seven_wonders.data.language import Effect
from sim.games.seven_wonders.rules import constants
from sim.games.seven_wonders.rules.tables import MAX_NEED_LEVELS, TABLES, need_lanes, source_lanes, stage_item
from sim.games.shared.filling import fill_rules


def build_tables(catalog: Catalog) -> Any:
    """Return a catalogue as a read-only record of dtype `TABLES`."""
    array = np.zeros(1, TABLES)
    tables: Any = array[0]
    tables.cards, tables.names = len(catalog.cards), len(catalog.names)
    tables.factions = len(catalog.wonders)
    _fill_cards(tables, catalog)
    _fill_later_need(tables, catalog)
    _fill_chains(tables, catalog)
    _fill_wonders(tables, catalog)
    _fill_lessons(tables, catalog)
    tables.raw_lanes[:] = [source_lanes(options, len(constants.RAW_GOODS)) for options in range(16)]
    tables.manufactured_lanes[:] = [source_lanes(options, len(constants.MANUFACTURED_GOODS)) for options in range(8)]
    fill_rules(tables, catalog, constants.SETTINGS, apart=("military_win_vp", "pass_direction"))
    tables.military_win_vp[1:] = catalog.constants.military_win_vp
    tables.pass_direction[1:] = [-1 if side == "left" else 1 for side in catalog.constants.pass_direction]
    array.flags.writeable = False
    return array[0]


def _fill_cards(tables: Any, catalog: Catalog) -> None:
    for card_id, card in enumerate(catalog.cards):
        tables.card_name[card_id] = catalog.names.index(card.name)
        tables.card_age[card_id] = card.age
        tables.card_colour[card_id] = constants.COLOURS.index(card.colour)
        tables.card_guild[card_id] = card.guild
        for players in constants.PLAYERS:
            tables.card_copies[card_id, players] = sum(mark <= players for mark in card.copies)
        _fill_item(tables, card_id, card.cost, card.effects)


def _fill_item(tables: Any, item: int, cost: Cost, effects: Sequence[Effect]) -> None:
    tables.item_coins[item] = cost.coins
    tables.item_need[item] = cost.units(constants.RESOURCES)
    tables.item_need_raw[item] = need_lanes(cost.units(constants.RAW_GOODS))
    tables.item_need_manufactured[item] = need_lanes(cost.units(constants.MANUFACTURED_GOODS))
    tables.item_effect_count[item] = len(effects)
    for place, effect in enumerate(effects):
        numbers = effect.numbers()
        tables.item_effects[item, place, : len(numbers)] = numbers


def _fill_later_need(tables: Any, catalog: Catalog) -> None:
    """Fill in how many cards per city need more than 0, 1, 2 or 3 units of a resource, for each number of players."""
    guilds = sum(card.guild for card in catalog.cards)
    for players in range(2, 8):
        marks = max(players, constants.PLAYERS[0])
        guild_share = min(1.0, (marks + catalog.constants.guilds_beyond_players) / max(guilds, 1))
        for card_id, card in enumerate(catalog.cards):
            copies = guild_share if card.guild else float(tables.card_copies[card_id, marks])
            colour = constants.COLOURS.index(card.colour)
            for resource, units in enumerate(card.cost.units(constants.RESOURCES)):
                if units:
                    levels = min(units, MAX_NEED_LEVELS)
                    tables.later_need[players, card.age, resource, :levels, colour] += copies / marks


def _fill_chains(tables: Any, catalog: Catalog) -> None:
    tables.chain_from[:] = -1
    tables.chain_to[:] = -1
    for card_id, card in enumerate(catalog.cards):
        parents = [catalog.names.index(parent) for parent in card.chain_from]
        children = [child for child, other in enumerate(catalog.cards) if card.name in other.chain_from]
        tables.chain_from[card_id, : len(parents)] = parents
        tables.chain_to[card_id, : len(children)] = children


def _fill_lessons(tables: Any, catalog: Catalog) -> None:
    """Fill in learned bonuses. There are none for building a card or stage whose effects a change has removed."""
    for card_id, card in enumerate(catalog.cards):
        learnt = catalog.card_lessons.get(f"{card.name} {card.age}")
        if learnt is not None:
            tables.card_lesson[card_id] = [
                getattr(learnt, action) for action in constants.ACTIONS[: constants.ACTIONS_LEARNT]
            ]
            tables.card_lesson[card_id, constants.BUILD] *= bool(card.effects)
    for faction, wonder in enumerate(catalog.wonders):
        learnt_of = catalog.board_lessons.get(f"{wonder.name} {wonder.side}")
        if learnt_of is not None:
            tables.colour_lesson[faction] = [getattr(learnt_of, colour) for colour in constants.COLOURS]
            for number, (points, stage) in enumerate(zip(learnt_of.stages, wonder.stage, strict=False)):
                tables.stage_lesson[faction, number] = points if stage.effects else 0.0


def _fill_wonders(tables: Any, catalog: Catalog) -> None:
    for faction, wonder in enumerate(catalog.wonders):
        tables.faction_stages[faction] = len(wonder.stage)
        tables.faction_resource[faction] = constants.RESOURCES.index(wonder.resource)
        tables.faction_coins[faction] = catalog.coins_start(wonder)
        tables.faction_wonder[faction] = catalog.wonder_names.index(wonder.name)
        for number, stage in enumerate(wonder.stage):
            item = unwrap(stage_item)(faction, number)  # uncompiled: compiling would take longer than these few calls
            _fill_item(tables, item, stage.cost, stage.effects)
            for resource, units in enumerate(tables.item_need[item]):
                tables.stages_in_need[faction, : number + 1, resource, : min(int(units), MAX_NEED_LEVELS)] += 1
