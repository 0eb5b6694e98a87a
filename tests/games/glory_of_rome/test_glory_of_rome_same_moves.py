"""Games of the engine, written down as positions and moves, come out the same where `inspect` makes the moves."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from sim.games.glory_of_rome.io.positions import describe_position
from sim.games.glory_of_rome.rules.constants import HARD_TIMES, HEROES, IMPERIAL, OVER, SPIES_AND_ALLIANCES, TRUCE
from tests.games.glory_of_rome.inspecting import inspect
from tests.games.glory_of_rome.recording import new_game, play_a_move, position_of

TABLES = [
    (1, IMPERIAL | HARD_TIMES),
    (2, 0),
    (2, SPIES_AND_ALLIANCES | HARD_TIMES),
    (3, SPIES_AND_ALLIANCES),
    (3, HEROES | TRUCE),
    (4, 0),
]
"""Numbers of players and variants."""


def listed_as(move: dict[str, Any]) -> tuple[str, str] | None:
    """Key and text under which a move without trade cards before it is listed as legal."""
    if move.get("before") or move["do"] not in ("activate", "build", "follower", "tax"):
        return None
    texts = {
        "activate": "{province}: {effect}",
        "build": "{type} {level}",
        "follower": "{on} with bonus" if move.get("bonus") else "{on}",
        "tax": "double" if move.get("double") else "normal",
    }
    return move["do"], texts[move["do"]].format(**move)


def without(result: dict[str, Any], *keys: str) -> dict[str, Any]:
    return {key: found for key, found in result.items() if key not in keys}


@pytest.mark.parametrize(("players", "variant"), TABLES)
def test_moves_of_random_games_come_out_the_same(players: int, variant: int, scaled: Callable[..., int]) -> None:
    every = scaled(2 + players, 5, 1)
    made: Counter[str] = Counter()
    for seed in range(scaled(1, 1, 30)):
        chance = random.Random(f"{players} {variant} {seed}")
        game = new_game(chance, players, variant)
        number = 0
        while game.g.phase != OVER:
            number += 1
            if number % every:
                play_a_move(game, chance)
                continue
            position = position_of(game)
            legal = inspect(position)["legal"]
            move = play_a_move(game, chance)
            if move:
                listed = listed_as(move)
                assert listed is None or listed[1] in legal[listed[0]], (seed, position, move)
                result = inspect({**position, "moves": [move]})
                assert result["moves"] == [{"ok": True}], (seed, position, move)
                assert without(result, "moves", "legal") == describe_position(game), (seed, position, move)
                made[move["do"]] += 1
    assert {"build", "pass", "follower", "tax"} <= set(made)
