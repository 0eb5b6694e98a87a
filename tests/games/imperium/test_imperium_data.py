"""What the files may say: the numbers of the rules, changes, and mistakes that are named."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from sim.data.changes import parse_change
from sim.errors import UserError
from sim.games.imperium.data.catalog import FOLDER, HINTS, NATIONS, card_number, load_catalog
from sim.games.imperium.data.compile import build_tables
from sim.games.imperium.data.language import effect_listing
from sim.games.imperium.rules import constants
from sim.games.imperium.rules.constants import END_REASONS, GRAAL, MATERIAL, POPULATION
from sim.games.imperium.rules.tables import TABLES

CATALOG = load_catalog()
T = build_tables(CATALOG)


def number(name: str) -> int:
    return card_number(CATALOG, name)


# ---- Rules ----


def test_numbers_are_those_of_the_rulebook() -> None:
    assert T.start_resource.tolist() == [3, 2, 1]
    assert (T.actions, T.hand, T.fallback_number, T.round_limit) == (3, 5, 2, 200)
    assert T.deck_size[2:].tolist() == [6, 7, 8]
    assert T.fame_removed[2:].tolist() == [2, 1, 0]


def test_settings_reach_the_tables() -> None:
    assert (T.fallback_resource, T.king_once_per_player, T.quest_is_scored, T.garrisoned_unrest_counts) == (2, 0, 1, 1)
    other = load_catalog(settings={"break_through_fallback": "material", "active_quest_is_scored": False})
    t = build_tables(other)
    assert (t.fallback_resource, t.quest_is_scored) == (MATERIAL, 0)
    assert other.digest != CATALOG.digest


def test_an_unknown_setting_is_told_with_the_nearest() -> None:
    with pytest.raises(UserError, match="did you mean 'active_quest_is_scored'"):
        load_catalog(settings={"active_quest_scored": True})
    with pytest.raises(UserError, match="unknown value"):
        load_catalog(settings={"active_quest_is_scored": 1})


def test_the_tables_are_read_only() -> None:
    with pytest.raises(ValueError, match="read-only"):
        T.cards = 1
    assert T.dtype == TABLES


# ---- Changes ----


@pytest.mark.parametrize(
    ("text", "field", "index", "value"),
    [
        ("celts.toml#CEL3.vp=5", "points_at", ("CEL3", 0), 5),
        ("celts.toml#CEL3 Celtic Innovation.cost.material=1", "cost", ("CEL3", MATERIAL), 1),
        ("celts.toml#CEL3.cost={ population = 6 }", "cost", ("CEL3", POPULATION), 6),
        ("celts.toml#Celts A.vp_for.points=3", "points", ("CEL1A",), 3),
        ("celts.toml#celts-b.points=3", "points", ("CEL1B",), 3),
        ("celts.toml#CEL6.passive.1.2=2", "hand_size", ("CEL6",), 2),
        ("celts.toml#CEL8.free_play=true", "free_play", ("CEL8",), 1),
        ("legends.toml#2FAM5.vp_where.history=9", "points_at", ("2FAM5", 4), 9),
    ],
)
def test_a_changed_number_changes_the_table(text: str, field: str, index: tuple[Any, ...], value: int) -> None:
    t = build_tables(load_catalog(changes=[parse_change(text)]))
    place = (number(index[0]), *index[1:])
    assert t[field][place] == value != T[field][place]


def test_numbers_inside_effects_can_be_changed() -> None:
    changed = load_catalog(changes=[parse_change("carthaginians.toml#CAR11.play.1.2.1.2.1.3=2")])
    t = build_tables(changed)
    lines = effect_listing(t, int(t.program[number("CAR11"), constants.PLAY_PROGRAM]))
    assert "PAY material 2" in lines[3]
    assert "PAY material 3" in effect_listing(t, int(t.program[number("CAR16"), constants.PLAY_PROGRAM]))[3]


def test_constants_and_hints_can_be_changed() -> None:
    texts = ["rules.toml#constants.start_resource.material=4", "celts.toml#nation.hints.fame=-0.5"]
    t = build_tables(load_catalog(changes=[parse_change(text) for text in texts]))
    assert t.start_resource[MATERIAL] == 4
    assert t.faction_hint[2, HINTS.index("fame")] == -0.5


# ---- Mistakes in the files ----


def error_of(tmp_path: Path, file: str, old: str, new: str) -> str:
    folder = tmp_path / "imperium"
    shutil.copytree(FOLDER, folder)
    text = (folder / file).read_text(encoding="utf-8")
    assert old in text
    (folder / file).write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(UserError) as error:
        build_tables(load_catalog(folder))
    return str(error.value)


@pytest.mark.parametrize(
    ("change", "parts"),
    [
        (
            'CEL14.play=[["gian", "progress", 1]]',
            ["celts.toml, row CEL14 Druids, field play.1", "unknown operation", "did you mean 'gain'?"],
        ),
        (
            'CEL14.play=[["gain", "gold", 1]]',
            ["field play.1.2", "unknown word (found: 'gold'); allowed: material, population, progress"],
        ),
        ('CEL14.play=[["gain", "progress"]]', ["field play.1", "wrong number of arguments", '["gain", R, N]']),
        ('CEL14.play=[["gain", "progress", 1, 2]]', ["field play.1", "wrong number of arguments", '["gain", R, N]']),
        ('CEL14.play=[["gain", "progress", "many"]]', ["field play.1.3", "not a number of things", "'many'"]),
        ('CEL14.play=[["gain", "progress", -1]]', ["field play.1.3", "0 to 99"]),
        ('CEL14.play=[["may", ["draw", 1], ["draw", true]]]', ["field play.1.3.2", "not a count"]),
        ('CEL14.play=[["choose", [["draw", 1]]]]', ["field play.1", '["choose", OPS, OPS, ...]']),
        ('CEL14.play=[["choose", ["draw", 1], []]]', ["field play.1.2", "not a list of operations"]),
        ('CEL14.play=["draw"]', ["field play", "not a list of operations"]),
        (
            'CEL14.play=[["abandon", "card:Scandinvia", 1]]',
            ["field play.1.2", "no card of this name", "did you mean 'Scandinavia'?"],
        ),
        ('CEL14.play=[["abandon", "regoin", 1]]', ["field play.1.2", "unknown selector", "did you mean 'region'?"]),
        ('CEL14.play=[["abandon", "named:Short Walls", 1]]', ["no card has this in its name"]),
        ('CEL14.play=[["abandon", { nor = "region" }, 1]]', ["not a selector", "{ not = ... }"]),
        (
            'CEL14.play=[["acquire", ["regions"]]]',
            ["field play.1.2.1", "unknown word (found: 'regions')", "did you mean 'region'?"],
        ),
        ('CEL14.play=[["acquire", ["region"], { time = 2 }]]', ["play.1.3", "unknown option", "did you mean 'times'?"]),
        ('CEL14.play=[["treat_icon_as", "rivers", "production", 3]]', ["play.1.2", "did you mean 'river'?"]),
        ('CEL14.play=[["to_history", "any", ["hnd"], 1]]', ["play.1.3.1", "did you mean 'hand'?"]),
        ('CEL14.play=[["trigger_scoring", "Grail"]]', ["play.1.2", "did you mean 'Graal'?"]),
        ('CEL14.play=[["draw", 1], ["require", ["in_play", "any"]]]', ["play.2", "a requirement must come first"]),
        ('CEL14.play=[["if", ["is_state", "empire"], ["draw", 1]]]', ["play.1.2", "unknown condition"]),
        ('CEL14.play=[["gain_per", "material", 1, ["counts", "river"]]]', ["play.1.4", "unknown counter"]),
        ('CEL14.require=[["in_play", "card:Druid"]]', ["field require.1.2", "did you mean 'Druids'?"]),
        ('CEL4.when.on=["you_plays", "attack"]', ["field when.on", "unknown trigger", "'you_play'"]),
        ('CEL6.passive=[["handsize", 1]]', ["field passive.1", "unknown passive", "'hand_size'"]),
        ('CEL6.passive=[["hand_size"]]', ["field passive.1", "wrong number of arguments"]),
        ('Celts A.vp_for.of=["resource", "gold"]', ["celts.toml, row Celts A, field vp_for.of.2", "'gold'"]),
        ('Celts A.vp_for.of=["resources", "material"]', ["field vp_for.of", "did you mean 'resource'?"]),
        ("Celts A.vp=3", ["one kind of victory points"]),
        ('CEL3.start="develop"', ["row CEL3 Celtic Innovation, field start", "did you mean 'development'?"]),
        ('CEL3.suits=["fame", "fame"]', ["field suits", "named twice"]),
        ('CEL3.id="CEL4"', ["row CEL4", "id given twice"]),
        ("CEL3.min_players=2", ["field min_players", "1, 3 or 4"]),
        ("nation.hints.fame=3.0", ["field hints.fame"]),
    ],
)
def test_a_mistake_in_a_card_is_named_with_what_is_allowed(change: str, parts: list[str]) -> None:
    with pytest.raises(UserError) as error:
        build_tables(load_catalog(changes=[parse_change(f"celts.toml#{change}")]))
    for part in parts:
        assert part in str(error.value)


def test_a_nation_card_says_where_it_starts(tmp_path: Path) -> None:
    message = error_of(tmp_path, "qin.toml", 'start = "nation"\n', "")
    assert "qin.toml, row QIN11 Eastern Zhou, field start: this field is missing" in message


def test_a_power_card_has_two_sides(tmp_path: Path) -> None:
    assert "a power card has two sides" in error_of(tmp_path, "qin.toml", 'side = "B"', 'side = "A"')


def test_a_common_card_has_no_start(tmp_path: Path) -> None:
    message = error_of(tmp_path, "legends.toml", "[[card]]\n", '[[card]]\nstart = "deck"\n')
    assert "unknown field" in message


def test_a_missing_setting_is_named(tmp_path: Path) -> None:
    message = error_of(tmp_path, "rules.toml", 'name = "active_quest_is_scored"', 'name = "active_quest_scored"')
    assert "did you mean 'active_quest_is_scored'" in message


def test_end_reasons_and_nations_are_in_order() -> None:
    assert END_REASONS[GRAAL] == "Graal"
    assert [nation.name.lower() for nation in CATALOG.nations] == list(NATIONS)
