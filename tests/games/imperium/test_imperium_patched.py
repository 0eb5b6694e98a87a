"""Tables in which one card was changed are made from those of before, and games are the same as with all compiled."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from sim.compiler.kernel import compiled
from sim.data.changes import parse_change
from sim.games.imperium.data.catalog import load_catalog
from sim.games.imperium.data.compile import cards_to_patch, compiled_as_a_whole, patched
from sim.games.imperium.rules.tables import MAX_CARDS, TABLES
from sim.players.batch import play
from sim.players.compile_players import players_of
from tests.kit.plans import plan_for

PRINTED = compiled_as_a_whole(load_catalog())
CHANGES = (
    "atlanteans.toml#ATL7 Myths and Legends.play.2.3=3",
    "atlanteans.toml#Atlanteans B.vp_for.points=2",
    "atlanteans.toml#ATL8 Vast Wealth.passive.1.3=-1",
    "atlanteans.toml#ATL2 Advanced Culture.cost.material=2",
)
STARTS = {"program"}
"""Fields that say where programs start: a patch writes new ones behind the others."""


def changed(text: str) -> Any:
    return load_catalog(changes=[parse_change(text)])


@pytest.mark.parametrize("text", CHANGES, ids=lambda text: text.partition("#")[2])
def test_a_patched_table_says_of_every_card_what_a_whole_one_says_and_games_are_the_same(text: str) -> None:
    catalog = changed(text)
    cards = cards_to_patch(PRINTED.catalog, catalog)
    assert cards is not None
    assert len(cards) == 1
    one, whole = patched(PRINTED, catalog, cards), compiled_as_a_whole(catalog)
    for name, (kind, *_) in (TABLES.fields or {}).items():
        if kind.shape[:1] == (MAX_CARDS,) and name not in STARTS:
            assert np.array_equal(one.array[name], whole.array[name]), name
    for card in range(len(catalog.cards)):
        assert written(one, card) == written(whole, card)
    if compiled():
        assert np.array_equal(*(games_with(text, table.array[0]) for table in (one, whole)))


def written(table: Any, card: int) -> list[list[list[int]]]:
    """The rows of all programs of a card, with places in the program from its start."""
    rows = table.code.rows
    programs = []
    for start in table.array["program"][0, card].tolist():
        if start > 0:
            end = next(at for at in range(start, len(rows)) if rows[at][0] == rows[0][0])
            steps = [[value - start if start <= value <= end else value for value in row] for row in rows[start:end]]
            programs.append(steps)
    return programs


def games_with(text: str, tables: Any) -> np.ndarray:
    """Rows of games of a change, played with these tables."""
    plan = plan_for("imperium", changes=[text])
    return play(replace(plan, data=replace(plan.data, tables=tables)), players_of(plan), 0, 24)[0]


@pytest.mark.parametrize(
    "text",
    [
        "atlanteans.toml#ATL11 Themiscyra.icons.fertile=0",
        "atlanteans.toml#nation.exhaust_tokens=4",
        "rules.toml#constants.hand=4",
    ],
)
def test_what_other_cards_ask_about_is_compiled_as_a_whole(text: str) -> None:
    assert cards_to_patch(PRINTED.catalog, changed(text)) is None
