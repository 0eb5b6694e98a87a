"""Compiles a catalogue of boards and cards to the tables that kernels read."""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.games.glory_of_rome.data.catalog import EMPTY_SPACE, Catalog
from sim.games.glory_of_rome.data.language import EVERYBODY, Condition, Numbers, per
from sim.games.glory_of_rome.data.models import Event, Mission, TradeCard
from sim.games.glory_of_rome.rules import constants
from sim.games.glory_of_rome.rules.tables import TABLES
from sim.games.shared.describe import bits_of_names
from sim.games.shared.filling import fill_rules


def build_tables(catalog: Catalog) -> Any:
    """Return a catalogue (from the files or from a position) as a read-only record of dtype `TABLES`."""
    array = np.zeros(1, TABLES)
    t: Any = array[0]
    fill_rules(t, catalog, constants.SETTINGS)
    _fill_buildings(t, catalog)
    _fill_board(t, catalog)
    _fill_pantheon(t, catalog)
    _fill_characters(t, catalog)
    _fill_cards(t, catalog)
    for lesson in catalog.follower_lessons:
        table, place = constants.TABLES_TOLD_APART.index(lesson.players), constants.PLACES.index(lesson.place)
        t.follower_lesson[table, place, int(lesson.bonus)] = lesson.points
    for tile in catalog.tile_lessons:
        table = constants.TABLES_TOLD_APART.index(tile.players)
        t.tile_lesson[table, constants.BUILDINGS.index(tile.type), tile.level - 1] = tile.points
    array.flags.writeable = False
    return array[0]


# ---- The board ----


def _fill_buildings(t: Any, catalog: Catalog) -> None:
    for site in catalog.buildings:
        place = constants.BUILDINGS.index(site.type), site.level - 1
        t.price[place] = site.price
        t.building_glory[place] = site.glory
    t.tiles[0, :] = catalog.box.tiles
    t.tiles[1, :] = catalog.box.tiles_2_players
    for row in catalog.penalties:
        t.penalty[row.population] = row.glory


def _fill_board(t: Any, catalog: Catalog) -> None:
    for number, region in enumerate(catalog.regions):
        few = region.shield if region.shield_2_players is None else region.shield_2_players
        t.shield[:, number] = region.shield, few
        t.region_points[0, number, : len(region.points)] = region.points
        t.region_points[1, number, : len(region.points_2_players)] = region.points_2_players
    t.senate_values[:] = catalog.senate_values
    for row in catalog.sets:
        t.set_points[constants.TRADE_TYPES.index(row.type)] = row.points
    t.economic[: len(catalog.economic.denarii)] = catalog.economic.denarii
    t.milestones[:] = catalog.milestones.spaces
    t.fixed_milestones = catalog.milestones.fixed


def _fill_pantheon(t: Any, catalog: Catalog) -> None:
    t.pantheon_points[:] = [getattr(catalog.pantheon, metal) for metal in constants.METALS]
    t.pantheon_own[:] = [getattr(catalog.pantheon, level) for level in constants.PANTHEON_LEVELS]
    for row in catalog.common_pieces:
        for level, pieces in ((constants.BASE, row.base), (constants.ROOF, row.roof)):
            t.pantheon_common[row.players, level, constants.GOLD :] = pieces


def _fill_characters(t: Any, catalog: Catalog) -> None:
    t.characters = len(catalog.characters)
    t.track[:] = constants.NO_BONUS
    for number, character in enumerate(catalog.characters):
        t.legions[number], t.denarii[number] = catalog.legions_and_denarii(number)
        for name in ("votes", "glory", "discord", "anchor"):
            t[name][number] = getattr(character, name)
        t.own_intrigue[number] = constants.INTRIGUES.index(catalog.own_intrigue(number))
        track = catalog.track(number)
        t.track_length[number] = len(track)
        t.track[number, : len(track)] = [
            constants.NO_BONUS if space == EMPTY_SPACE else constants.BUILDINGS.index(space) for space in track
        ]


# ---- Cards ----


def _fill_cards(t: Any, catalog: Catalog) -> None:
    t.cards, t.trade_cards, t.missions = len(catalog.cards), len(catalog.trade_cards), len(catalog.missions)
    for number, card in enumerate(catalog.cards):
        t.copies[number] = card.copies
        if isinstance(card, TradeCard):
            _fill_trade_card(t, number, card)
        elif isinstance(card, Mission):
            _fill_mission(t, number, card)
        else:
            _fill_event(t, number, card)


def _fill_trade_card(t: Any, number: int, card: TradeCard) -> None:
    """Fill the row of a trade card. A card without an effect is never played."""
    t.kind[number] = constants.TRADE
    t.star[number] = int(card.star)
    t.type[number] = constants.TRADE_TYPES.index(card.type)
    effect = card.effect.numbers()
    t.effect[number] = effect
    t.when[number] = constants.CONDITIONS_OF_PLAY.index(card.when) if any(effect) else constants.NEVER


def _fill_mission(t: Any, number: int, mission: Mission) -> None:
    t.kind[number] = constants.MISSION
    t.star[number] = int(mission.star)
    t.removed_in[number] = bits_of_names(constants.VARIANTS, mission.removed_in)
    t.points[number] = mission.points
    _fill_condition(t, number, per(mission.per) if mission.per is not None else _numbers(mission.condition))


def _fill_event(t: Any, number: int, event: Event) -> None:
    t.kind[number] = constants.EVENT
    t.reward_denarii[number] = event.reward.denarii
    t.reward_glory[number] = event.reward.glory
    t.direction[number] = constants.DIRECTIONS.index(event.turn)
    t.arrows[number] = event.arrows
    t.negative[number] = int(event.negative)
    _fill_condition(t, number, _numbers(event.condition))


def _numbers(condition: Condition | None) -> Numbers:
    return EVERYBODY if condition is None else condition.numbers()


def _fill_condition(t: Any, number: int, found: Numbers) -> None:
    t.condition[number], t["count"][number], t.number[number] = found
