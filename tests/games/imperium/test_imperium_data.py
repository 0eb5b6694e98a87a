"""What the files may say: the numbers of the rules, changes, and mistakes that are named."""

from typing import Any

import pytest

from sim.data.changes import parse_change
from sim.games.imperium.data.catalog import HINTS, load_catalog
from sim.games.imperium.data.compile import build_tables
from sim.games.imperium.data.language import effect_listing
from sim.games.imperium.rules import constants
from sim.games.imperium.rules.constants import MATERIAL, POPULATION
from tests.games.imperium.tables import CATALOG, IDS, T, tables_with

# ---- Rules ----


def test_numbers_are_those_of_the_rulebook() -> None:
    assert T.start_resource.tolist() == [3, 2, 1]
    assert (T.actions, T.hand, T.fallback_number, T.round_limit) == (3, 5, 2, 200)
    assert T.deck_size[2:].tolist() == [6, 7, 8]
    assert T.fame_removed[2:].tolist() == [2, 1, 0]


def test_settings_reach_the_tables() -> None:
    assert (T.fallback_resource, T.king_once_per_player, T.quest_is_scored, T.garrisoned_unrest_counts) == (2, 0, 1, 1)
    settings = {"break_through_fallback": "material", "active_quest_is_scored": False}
    other = load_catalog(settings=settings)
    t = build_tables(other)
    assert (t.fallback_resource, t.quest_is_scored) == (MATERIAL, 0)
    assert t.tobytes() == tables_with(**settings).tobytes()
    assert other.digest != CATALOG.digest


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
    place = (IDS.index(index[0]), *index[1:])
    assert t[field][place] == value != T[field][place]


def test_numbers_inside_effects_can_be_changed() -> None:
    changed = load_catalog(changes=[parse_change("carthaginians.toml#CAR11.play.1.2.1.2.1.3=2")])
    t = build_tables(changed)
    lines = effect_listing(t, int(t.program[IDS.index("CAR11"), constants.PLAY_PROGRAM]))
    assert "PAY material 2" in lines[3]
    assert "PAY material 3" in effect_listing(t, int(t.program[IDS.index("CAR16"), constants.PLAY_PROGRAM]))[3]


def test_constants_and_hints_can_be_changed() -> None:
    texts = ["rules.toml#constants.start_resource.material=4", "celts.toml#nation.hints.fame=-0.5"]
    t = build_tables(load_catalog(changes=[parse_change(text) for text in texts]))
    assert t.start_resource[MATERIAL] == 4
    assert t.faction_hint[2, HINTS.index("fame")] == -0.5
