"""Changes to the files of History of the World, mistakes that are named, and more than there is room for."""

import shutil
from dataclasses import replace
from pathlib import Path
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

SETS = {name: load_catalog(settings={"data": name}) for name in constants.DATA_SETS}
TABLES_OF = {name: build_tables(catalog) for name, catalog in SETS.items()}
CATALOG = SETS["reconstruction-2018"]
T = TABLES_OF["reconstruction-2018"]


# ---- Changes ----


@pytest.mark.parametrize(
    ("text", "field", "card", "value"),
    [
        ("empires.toml#Romans.armies=20", "armies", "Romans", 20),
        ("empires.toml#Zhou Dynasty.capital=false", "capital", "Zhou Dynasty", 0),
        ("events.toml#anglo-saxons.armies=5", "armies", "Anglo-Saxons", 5),
    ],
)
def test_a_changed_number_of_a_card_changes_the_table(text: str, field: str, card: str, value: int) -> None:
    change = parse_change(f"reconstruction-2018/{text}")
    number = CATALOG.card_names.index(card)
    t = build_tables(load_catalog(changes=[change]))
    assert t[field][number] == value != T[field][number]


def test_tokens_effects_and_constants_can_be_changed() -> None:
    texts = [
        "reconstruction-2018/map.toml#China.tokens.1=4",
        "reconstruction-2018/events.toml#Weaponry.effect.1.2=3",
        "rules.toml#constants.points_capital=5",
    ]
    catalog = load_catalog(changes=[parse_change(text) for text in texts])
    t = build_tables(catalog)
    assert t.presence[0, CATALOG.region_names.index("China")] == 4
    assert t.effect[CATALOG.card_names.index("Weaponry"), 0].tolist() == [constants.BATTLE_BONUS, 3, 0]
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


# ---- Mistakes in the files ----


def error_of(tmp_path: Path, file: str, old: str, new: str) -> str:
    folder = tmp_path / "history_of_the_world"
    shutil.copytree(FOLDER, folder)
    text = (folder / file).read_text(encoding="utf-8")
    assert old in text
    (folder / file).write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(UserError) as error:
        load_catalog(folder)
    return str(error.value)


def test_a_region_without_a_land_is_refused(tmp_path: Path) -> None:
    message = error_of(tmp_path, "reconstruction-2018/map.toml", 'region = "Nippon"', 'region = "China"')
    assert "map.toml, row Nippon, field name: a region without a land" in message


def test_an_epoch_has_a_card_for_each_player(tmp_path: Path) -> None:
    message = error_of(tmp_path, "reconstruction-2018/empires.toml", "epoch = 4\n", "epoch = 3\n")
    assert "empires.toml" in message
    assert "wrong number of empires in epoch 4 (found: 0); allowed: 6 (one for each player) to 16" in message


def test_a_missing_file_of_a_data_set_is_named(tmp_path: Path) -> None:
    folder = tmp_path / "history_of_the_world"
    shutil.copytree(FOLDER, folder)
    (folder / "reconstruction-2018" / "events.toml").unlink()
    with pytest.raises(UserError, match=r"reconstruction-2018.events\.toml: no such file"):
        load_catalog(folder)


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
