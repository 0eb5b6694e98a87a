"""Changes to the files of History of the World, and more than there is room for."""

from dataclasses import replace
from typing import Any

import pytest

from reports.studies.sensitivity.sensitivity import PLAUSIBLE
from sim.data.changes import parse_change
from sim.errors import UserError
from sim.games.history_of_the_world.data.catalog import FILES, FOLDER, Catalog, load_catalog
from sim.games.history_of_the_world.data.checks import check_capacity, check_map, check_places
from sim.games.history_of_the_world.data.compile import build_tables
from sim.games.history_of_the_world.data.models import Body, Land, Region
from sim.games.history_of_the_world.game import GAME
from sim.games.history_of_the_world.rules import constants
from sim.games.history_of_the_world.rules.constants import NO_LAND
from sim.games.history_of_the_world.rules.tables import MAX_CARDS, MAX_LANDS, MAX_NEIGHBOURS
from tests.games.history_of_the_world.printed import CARDS, CATALOG, TABLES_OF, T

# ---- Changes ----


def test_numbers_of_cards_tokens_effects_and_constants_can_be_changed() -> None:
    texts = [
        "reconstruction-2018/empires.toml#Zhou Dynasty.capital=false",
        "reconstruction-2018/events.toml#anglo-saxons.armies=5",
        "reconstruction-2018/map.toml#China.tokens.1=4",
        "reconstruction-2018/events.toml#Weaponry.effect.1.2=3",
        "rules.toml#constants.points_capital=5",
    ]
    catalog = load_catalog(changes=[parse_change(text) for text in texts])
    t = build_tables(catalog)
    dynasty, saxons = CARDS.index("Zhou Dynasty"), CARDS.index("Anglo-Saxons")
    assert (T.capital[dynasty], t.capital[dynasty], t.armies[saxons]) == (1, 0, 5)
    assert t.presence[0, CATALOG.region_names.index("China")] == 4
    assert t.effect[CARDS.index("Weaponry"), 0].tolist() == [constants.BATTLE_BONUS, 3, 0]
    assert t.points_capital == 5
    assert catalog.digest != CATALOG.digest


def test_a_change_of_a_data_set_that_is_not_played_is_refused() -> None:
    change = parse_change("edition-1993/map.toml#Levant.resource=false")
    with pytest.raises(UserError, match=r"reconstruction-2018 is played.*edition-1993/map\.toml"):
        load_catalog(changes=[change])
    old = load_catalog(settings={"data": "edition-1993"}, changes=[change])
    assert build_tables(old).resource.sum() == TABLES_OF["edition-1993"].resource.sum() - 1


def test_a_mistake_in_either_data_set_is_found_by_reading_all_of_them() -> None:
    assert [settings["data"] for settings in GAME.data_sets] == list(constants.DATA_SETS)
    assert [GAME.load(settings).catalog.data_set for settings in GAME.data_sets] == list(constants.DATA_SETS)


def test_every_file_is_there() -> None:
    assert {path.relative_to(FOLDER).as_posix() for path in FOLDER.rglob("*.toml")} == {*FILES, PLAUSIBLE}


# ---- Capacities, and maps of positions ----


def plain_land(name: str, region: str = "Plain", **fields: Any) -> Land:
    return Land(name=name, region=region, x=0, y=0, certainty="stand-in", **fields)


PLAIN = Region(name="Plain", tokens=[1], certainty="stand-in")


def test_more_lands_than_the_tables_hold_are_refused() -> None:
    lands = [plain_land(f"Land {n}") for n in range(MAX_LANDS + 1)]
    with pytest.raises(UserError, match=f"too many rows.*at most {MAX_LANDS}"):
        check_map("map", [PLAIN], lands, [])
    check_map("map", [PLAIN], lands[:MAX_LANDS], [])


def test_more_neighbours_than_the_tables_hold_are_refused_even_when_named_by_the_others() -> None:
    around = [plain_land(f"Land {n}", borders=["Middle"]) for n in range(MAX_NEIGHBOURS + 1)]
    with pytest.raises(UserError, match="row Middle, field borders: too many"):
        check_map("map", [PLAIN], [plain_land("Middle"), *around], [])
    check_map("map", [PLAIN], [plain_land("Middle"), *around[:MAX_NEIGHBOURS]], [])


def test_more_cards_than_the_tables_hold_are_refused() -> None:
    events = list(CATALOG.events) * 4
    with pytest.raises(UserError, match=f"too many cards.*at most {MAX_CARDS}"):
        check_capacity("events.toml", CATALOG.empires, events)
    check_capacity("events.toml", CATALOG.empires, events[: MAX_CARDS - len(CATALOG.empires)])


def own_map() -> Catalog:
    sea = Body(name="Cold Sea", kind="sea", x=0, y=0, certainty="stand-in")
    lands = (plain_land("Thule", bodies=["Cold Sea"], resource=True), plain_land("Skerry", terrain="forest"))
    return replace(CATALOG, regions=(PLAIN,), lands=lands, bodies=(sea,))


def test_a_map_of_a_position_need_not_have_the_lands_of_the_cards() -> None:
    t = build_tables(own_map())
    assert (t.lands, t.bodies, t.regions, t.epochs) == (2, 1, 1, 1)
    assert t.terrain[:2].tolist() == [0, constants.TERRAINS.index("forest")]
    assert t.shores[0, :2].tolist() == [0, NO_LAND]
    assert (t.start == NO_LAND).all()
    with pytest.raises(UserError, match="unknown land"):
        check_places("cards", CATALOG.empires, own_map().lands, own_map().bodies)
