"""What the files say: every fact that is known of the box, and both maps."""

from collections import Counter
from collections.abc import Iterable
from itertools import accumulate
from typing import get_args

import numpy as np
import pytest

from sim.games.history_of_the_world.data import models
from sim.games.history_of_the_world.data.catalog import load_catalog
from sim.games.history_of_the_world.data.compile import build_tables
from sim.games.history_of_the_world.rules import constants
from tests.games.history_of_the_world.printed import CATALOG, OLD, SETS, TABLES_OF, T

BOTH = pytest.mark.parametrize("data_set", constants.DATA_SETS)


def lands_in(region: str) -> list[str]:
    return [land.name for land in CATALOG.lands if land.region == region]


def lands_at(body: str) -> set[str]:
    number = CATALOG.body_names.index(body)
    return {CATALOG.land_names[land] for land in T.shores[number] if land != constants.NO_LAND}


def named(names: Iterable[str], numbers: np.ndarray) -> list[str]:
    """Names of the numbers of a row of the tables, up to its end."""
    known = list(names)
    return [known[number] for number in numbers if number != constants.NO_LAND]


# ---- Rules ----


def test_settings_reach_the_tables() -> None:
    assert (T["data"], T.tokens_alone_besiege, T.ramparts_count_inactive, T.siege_tokens_build_forts) == (0, 1, 0, 0)
    assert TABLES_OF["edition-1993"]["data"] == 1
    other = load_catalog(settings={"ability_forts": "conquest", "landing_below_one": True})
    t = build_tables(other)
    assert (T.ability_forts, T.landing_below_one) == (0, 0)
    assert (t.ability_forts, t.landing_below_one) == (1, 1)
    assert other.digest != CATALOG.digest


def test_words_of_the_rows_are_those_of_the_kernels() -> None:
    assert get_args(models.Terrain) == constants.TERRAINS
    assert get_args(models.BodyKind) == constants.BODY_KINDS
    assert get_args(models.EventKind) == constants.CARD_KINDS[1:]
    assert set(models.WITHOUT_NUMBER) < set(constants.OPERATIONS)


# ---- What is known of the map of 2018 ----


def test_there_are_13_regions_with_32_tokens_and_five_in_the_first_epoch() -> None:
    assert T.regions == len(CATALOG.regions) == 13
    assert T.epochs == 5
    assert (T.presence > 0).sum() == 32
    first = {CATALOG.region_names[number] for number in np.flatnonzero(T.presence[0])}
    assert first == {"North Africa", "Southern Europe", "Middle East", "India", "China"}


def test_the_middle_east_has_seven_lands() -> None:
    assert set(lands_in("Middle East")) == {
        "Arabian Peninsula", "Levant", "Anatolia", "Mesopotamia", "Tigris", "Zagros", "Persian Plateau",
    }  # fmt: skip
    assert "Nile" in lands_in("North Africa")


def test_there_are_55_to_75_lands_and_every_region_can_be_controlled() -> None:
    assert 55 <= len(CATALOG.lands) <= 75
    assert min(len(lands_in(region)) for region in CATALOG.region_names) >= T.control_armies


@pytest.mark.parametrize(
    ("body", "kind", "lands"),
    [
        ("Empty Quarter", "barren", "Mesopotamia, Tigris"),
        ("Mediterranean Sea", "sea", "Crete, Pindus"),
        ("Northern Lakes", "barren", ""),
        ("Siberia", "barren", ""),
    ],
)
def test_lands_of_a_body_of_which_some_are_known(body: str, kind: str, lands: str) -> None:
    assert CATALOG.bodies[CATALOG.body_names.index(body)].kind == kind
    assert lands_at(body) >= set(filter(None, lands.split(", ")))


def test_no_fleet_can_stand_between_the_northern_lakes_and_siberia() -> None:
    lakes, siberia = CATALOG.body_names.index("Northern Lakes"), CATALOG.body_names.index("Siberia")
    assert T.body_borders[lakes, siberia] == 0
    assert not (lands_at("Northern Lakes") & lands_at("Siberia"))


# ---- What is known of the cards of 2018 ----


@pytest.mark.parametrize(
    ("order", "name", "land", "armies", "discs"),
    [
        (1, "Sumerians", "Tigris", 3, ["Empty Quarter"]),
        (2, "Egyptians", "Nile", 4, []),
        (3, "Minoans", "Crete", 3, ["Mediterranean Sea"]),
        (4, "Hittites", "Anatolia", 4, []),
        (5, "Assyrians", "Mesopotamia", 6, ["Empty Quarter"]),
        (6, "Zhou Dynasty", "Yangtze", 4, []),
        (7, "Vedics", "Hindu Kush", 5, []),
        (8, "Greeks", "Pindus", 6, ["Mediterranean Sea"]),
    ],
)
def test_empires_of_the_first_epoch(order: int, name: str, land: str, armies: int, discs: list[str]) -> None:
    card = CATALOG.card_names.index(name)
    assert (T.kind[card], T.epoch[card], T.order[card], T.armies[card]) == (constants.EMPIRE, 0, order, armies)
    assert named(CATALOG.land_names, T.start[card]) == [land]
    assert named(CATALOG.body_names, T.discs[card]) == discs
    assert card == order - 1


def test_egyptians_and_assyrians_are_known_in_full() -> None:
    for name, ability, operation in (
        ("Egyptians", "Pyramids", constants.ICONS_PER_MONUMENT),
        ("Assyrians", "Ramparts", constants.FORTS_PER_ICON),
    ):
        card = CATALOG.card_names.index(name)
        empire = CATALOG.empires[card]
        assert (empire.ability, empire.capital, empire.marauder) == (ability, True, False)
        assert T.effect[card, 0].tolist() == [operation, 1, 0]
        assert T.effect[card, 1, constants.OPERATION] == constants.NOTHING
        assert empire.certainty == "confirmed"


def test_there_are_eight_empires_and_eight_events_in_each_epoch() -> None:
    for cards in (CATALOG.empires, CATALOG.events):
        assert Counter(card.epoch for card in cards) == dict.fromkeys(range(1, 6), 8)
    assert [empire.order for empire in CATALOG.empires] == [1, 2, 3, 4, 5, 6, 7, 8] * 5


def test_what_is_known_of_single_later_empires() -> None:
    empires = {empire.name: empire for empire in CATALOG.empires}
    romans = empires["Romans"]
    assert (romans.order, romans.ability) == (8, "Pax Romana")
    assert romans.armies == max(empire.armies for empire in CATALOG.empires if empire.epoch == 2)
    assert empires["Guptas"].start_lands == ["Deccan"]
    both = empires["Mesoamericans"]
    assert (len(both.start_lands), both.armies, both.capital, both.marauder) == (2, 4, True, False)


def test_armies_grow_from_epoch_to_epoch_and_the_first_are_those_printed() -> None:
    sums = [sum(empire.armies for empire in CATALOG.empires if empire.epoch == epoch) for epoch in range(1, 6)]
    assert sums[0] == 35
    assert sums == sorted(sums)
    assert max(empire.armies for empire in CATALOG.empires) <= 20


def test_marauders_have_no_capital_and_all_others_have_one() -> None:
    for empire in (*CATALOG.empires, *OLD.empires):
        assert empire.marauder != empire.capital


def test_named_events() -> None:
    events = {event.name: event for event in CATALOG.events}
    weaponry = events["Weaponry"]
    assert (weaponry.epoch, weaponry.kind, weaponry.effect) == (1, "enhancement", [["battle_bonus", 1]])
    assert weaponry.certainty == "single-source"
    for name, operations in (
        ("Revolution", ["swap"]),
        ("Diplomacy", ["swap"]),
        ("Barbarians", ["swap", "destroy"]),
        ("Catastrophe", ["destroy"]),
    ):
        assert events[name].kind == "enhancement"
        assert [operation[0] for operation in events[name].effect] == operations
    effects = [event.effect for event in CATALOG.events if event.epoch == 1]
    assert [["forts", 1]] in effects
    assert [["attacker_rerolls", 1]] in effects


@BOTH
def test_every_epoch_has_events_of_both_kinds(data_set: str) -> None:
    catalog = SETS[data_set]
    for epoch in range(1, catalog.epochs + 1):
        assert {event.kind for event in catalog.events if event.epoch == epoch} == {"enhancement", "kingdom"}


def test_every_operation_is_used_by_an_ability_or_an_event() -> None:
    used = {operation[0] for card in CATALOG.cards for operation in card.effect}
    assert used == set(constants.OPERATIONS[1:])


# ---- Both maps ----


@BOTH
def test_borders_and_stepping_stones_count_both_ways(data_set: str) -> None:
    t = TABLES_OF[data_set]
    for joined in (t.borders, t.stepping_stones):
        pairs = {(land, int(other)) for land in range(t.lands) for other in joined[land] if other != constants.NO_LAND}
        assert {(other, land) for land, other in pairs} == pairs
        assert all(land != other for land, other in pairs)
    assert (t.borders[: t.lands, 0] != constants.NO_LAND).sum() > t.lands / 2


@BOTH
def test_shores_and_coasts_say_the_same(data_set: str) -> None:
    t = TABLES_OF[data_set]
    coasts = {(land, int(body)) for land in range(t.lands) for body in t.coasts[land] if body != constants.NO_LAND}
    shores = {(int(land), body) for body in range(t.bodies) for land in t.shores[body] if land != constants.NO_LAND}
    assert coasts == shores
    assert (t.body_borders == t.body_borders.T).all()
    assert {body for _, body in coasts} == set(range(t.bodies))


@BOTH
def test_every_land_can_be_reached_from_every_other(data_set: str) -> None:
    t = TABLES_OF[data_set]
    joined = np.zeros((t.lands + t.bodies,) * 2, bool)
    for land in range(t.lands):
        for table in (t.borders, t.stepping_stones):
            joined[land, [other for other in table[land] if other != constants.NO_LAND]] = True
        joined[land, [t.lands + body for body in t.coasts[land] if body != constants.NO_LAND]] = True
    joined[t.lands :, t.lands :] |= t.body_borders[: t.bodies, : t.bodies] != 0
    joined |= joined.T | np.eye(len(joined), dtype=bool)
    for _ in range(len(joined)):
        joined = joined @ joined
    assert joined[: t.lands, : t.lands].all()


@BOTH
def test_places_on_the_schematic_map_are_apart(data_set: str) -> None:
    places = [(land.x, land.y) for land in SETS[data_set].lands]
    assert len(set(places)) == len(places)


@BOTH
def test_cards_are_called_once_and_what_a_source_tells_is_sourced(data_set: str) -> None:
    catalog = SETS[data_set]
    assert len(set(catalog.card_names)) == len(catalog.cards)
    for row in (*catalog.regions, *catalog.lands, *catalog.bodies, *catalog.cards):
        assert not row.known or row.source


@BOTH
def test_cards_are_in_the_order_of_calling(data_set: str) -> None:
    catalog, t = SETS[data_set], TABLES_OF[data_set]
    assert t.cards == len(catalog.cards) == t.empires + len(catalog.events)
    calling = [(int(t.epoch[card]), int(t.order[card])) for card in range(t.empires)]
    assert calling == sorted(calling)
    assert t.epoch[t.empires : t.cards].tolist() == sorted(t.epoch[t.empires : t.cards])
    assert (t.kind[: t.empires] == constants.EMPIRE).all()
    assert set(t.kind[t.empires : t.cards].tolist()) == {constants.ENHANCEMENT, constants.KINGDOM}


# ---- The edition of 1993 ----


def test_the_hundred_spaces_and_49_empires_of_1993() -> None:
    assert len(OLD.lands) + sum(body.kind == "barren" for body in OLD.bodies) == 100
    assert Counter(empire.epoch for empire in OLD.empires) == {1: 6, 2: 7, 3: 7, 4: 7, 5: 7, 6: 8, 7: 7}
    assert OLD.epochs == 7


def test_values_of_1993() -> None:
    lying = {
        region.name: "".join(map(str, accumulate(region.tokens, lambda last, new: new or last)))
        for region in OLD.regions
    }
    assert lying == {
        "Middle East": "2333221", "North Africa": "1222221", "China": "1233333", "India": "1233333",
        "Southern Europe": "0233322", "Northern Europe": "0012224", "Southeast Asia": "0012222", "Eurasia": "0000112",
        "North America": "0000113", "South America": "0000022", "Nippon": "0000012", "Sub Saharan Africa": "0000012",
        "Australasia": "0000001",
    }  # fmt: skip


def test_empires_of_1993() -> None:
    said = {empire.name: (empire.epoch, empire.start_lands, empire.armies, empire.capital) for empire in OLD.empires}
    assert said["Egypt"] == (1, ["Nile Delta"], 5, True)
    assert said["Romans"] == (3, ["Southern Apennines"], 25, True)
    assert said["Mongols"] == (5, ["Mongolia"], 20, False)
    assert said["Germany"] == (7, ["Baltic-Seaboard"], 10, True)


def test_minor_empires_of_1993_are_kingdoms() -> None:
    armies = {event.name: event.armies for event in OLD.events if event.kind == "kingdom"}
    minor = {"Hittites": 3, "Phoenicia": 3, "Mayans": 2, "Anglo-Saxons": 3, "Fujiwara": 3, "Safavids": 3, "Japan": 5}
    assert armies.items() >= minor.items()
