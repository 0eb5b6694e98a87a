"""What the log of a game tells is what a slow and obvious table makes of it: battles, the map and all points."""

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pytest

from sim.players.compile_players import players_of
from tests.games.history_of_the_world import golden
from tests.games.history_of_the_world.naive import KINDS, NaiveTable
from tests.kit.plans import plan_for, with_player
from tests.kit.steps import started

GAME = "history_of_the_world"
TABLES: tuple[tuple[str, int, Mapping[str, object]], ...] = (
    ("draft", 3, {}),
    ("classic", 6, {}),
    ("draft", 5, {"data": "edition-1993"}),
)


def followed(variant: str, players: int, settings: Mapping[str, object], number: int, scrambles: bool) -> NaiveTable:
    """Play a game, at random or as the golden ones are, and follow its log; the table ends as the game does."""
    plan = plan_for(GAME, variant, players, seed=8, settings=settings)
    if scrambles:
        plan = with_player(plan, golden.PLAYER, golden.score)
    table = started(plan, number, keeps_log=True)
    g: Any = table[0]
    plan.game.kernels.play_out(g, plan.data.tables, players_of(plan))
    assert (g.finished, g.error) == (1, 0)
    catalog = plan.data.catalog
    naive = NaiveTable(catalog, g.start_score[:players].tolist())
    for place in range(g.log.row_count):
        naive.follow([int(value) for value in g.log.rows[place]])
    names = catalog.land_names
    assert naive.points == g.score[:players, -1].tolist()
    assert naive.army == {names[land]: int(g.army[land]) for land in np.flatnonzero(g.army >= 0)}
    for kind, lands in naive.standing.items():
        assert lands == {names[land] for land in np.flatnonzero(g[kind])}, kind
    return naive


@pytest.mark.parametrize("scrambles", [False, True], ids=["random", "scrambled"])
def test_the_log_of_a_game_leads_an_obvious_table_to_the_same_end(scrambles: bool, scaled: Callable[..., int]) -> None:
    told: Counter[str] = Counter()
    for variant, players, settings in TABLES:
        # In game 4 an army fights again.
        for number in range(4, 4 + scaled(2, 1, full_count=100)):
            told += followed(variant, players, settings, number, scrambles).checked
    assert set(KINDS) - {"swapped", "landed"} <= set(told)
    assert told["compared"] > 100
