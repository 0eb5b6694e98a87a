"""No data that the readers take lead the rules beyond what a record holds: every index is checked."""

import json
from collections import Counter
from collections.abc import Callable

import pytest

from sim.game import GAMES, load_game
from tests.kit.wild import PLAYED, STOPPED, paths_of

SCRIPT = "import sys; from tests.kit.wild import main; main(sys.argv[1], int(sys.argv[2]))"


@pytest.mark.parametrize("game", GAMES)
def test_games_with_wild_data_are_played_to_the_end_or_stop_with_a_reason(
    game: str, in_new_process: Callable[..., str], scaled: Callable[..., int]
) -> None:
    count = scaled(4, 2, full_count=200)
    found = json.loads(in_new_process(SCRIPT, game, str(count), NUMBA_DISABLE_JIT="1"))
    assert [entry for entry in found if entry[0] not in (PLAYED, STOPPED)] == []
    assert Counter(result for result, _ in found)[PLAYED] >= count // 2


@pytest.mark.parametrize("game", [game for game in GAMES if paths_of(load_game(game))])
def test_wild_data_reach_every_file(game: str) -> None:
    paths = paths_of(load_game(game))
    assert len(paths) > 100
    assert {path.partition("#")[0] for path in paths} == set(load_game(game).files)
