"""No data that the readers take lead the rules beyond what a record holds: every index is checked."""

import json
from collections import Counter
from collections.abc import Callable

import numpy as np
import pytest

from sim.data.declarations import GAMES
from sim.game import load_game
from tests.kit.wild import GAMES as GAMES_OF_A_SET
from tests.kit.wild import LESSONS_FILE, PLAYED, STOPPED, fields_of, paths_of, wild_changes

SCRIPT = "import sys; from tests.kit.wild import main; main(sys.argv[1], *map(int, sys.argv[2:]))"

SAMPLES, GAMES_OF_A_SAMPLE = 8, 4
FEWER = {
    "seven_wonders": (2, 1),
    "imperium": (1, 1),
    "imperial_settlers": (1, 1),
    "history_of_the_world": (1, 1),
    "glory_of_rome": (1, 1),
}
"""Data sets that every run of the tests tries, and games with each; one game of Imperium takes seconds."""
OFTEN = ("seven_wonders", "glory_of_rome")
"""Games that are tried without `--full`."""
UNCOMPILED = {"NUMBA_DISABLE_JIT": "1"}
CHECKED = {"EMPIRELAB_CHECK_BOUNDS": "1"}
BEYOND = """
import numpy as np
import sim.compiler.kernel
from sim.compiler.kernel import kernel

for of_the_project in (False, True):
    if of_the_project:
        sim.compiler.kernel.is_project_code = lambda function: True

    @kernel
    def write(g, place):
        g.zone[place] = 1

    record = np.zeros(2, np.dtype((np.record, [("zone", np.int64, (4,))])))
    try:
        write(record[0], 5)
        print("nothing")
    except IndexError as error:
        print(error)
"""


@pytest.mark.usefixtures("compiled_only")
@pytest.mark.parametrize(
    "game",
    [
        pytest.param(game, marks=() if game in OFTEN else pytest.mark.sweep)
        for game in GAMES
        if fields_of(load_game(game))
    ],
)
def test_games_with_wild_data_are_played_to_the_end_or_stop_with_a_reason(
    game: str, in_new_process: Callable[..., str], pytestconfig: pytest.Config
) -> None:
    """A sample is interpreted, where Python checks every index: to compile a game with checks takes a minute."""
    if pytestconfig.getoption("full"):
        count, games, environment = 300, GAMES_OF_A_SET, CHECKED
    else:
        count, games = FEWER.get(game, (SAMPLES, GAMES_OF_A_SAMPLE))
        environment = UNCOMPILED
    found = json.loads(in_new_process(SCRIPT, game, str(count), "0", str(games), **environment))
    assert [entry for entry in found if not (entry[0] == PLAYED or entry[0].startswith(STOPPED))] == []
    assert Counter(result for result, _ in found)[PLAYED] >= max(1, count // 2)


def test_kernels_that_check_bounds_and_those_that_are_not_the_projects_find_a_write_beyond_an_array(
    in_new_process: Callable[..., str],
) -> None:
    said = "index is out of bounds"
    assert in_new_process(BEYOND).splitlines() == [said, "nothing"]
    assert in_new_process(BEYOND, EMPIRELAB_CHECK_BOUNDS="1").splitlines() == [said, said]


def test_wild_fields_reach_the_capacity_of_a_city() -> None:
    """Among the first sets of the sample some let every city build from the discards, which once went beyond it."""
    game = load_game("seven_wonders")
    paths, fields = paths_of(game), fields_of(game)
    sets = [wild_changes(game, paths, fields, np.random.default_rng(n)) for n in range(SAMPLES)]
    assert any(sum("build_from_discard" in change for change in changes) >= 20 for changes in sets)


@pytest.mark.parametrize("game", [game for game in GAMES if paths_of(load_game(game))])
def test_wild_data_reach_every_file(game: str) -> None:
    paths = paths_of(load_game(game))
    assert len(paths) > 100
    files = {file for file in load_game(game).files if not file.endswith(LESSONS_FILE)}
    assert {path.partition("#")[0] for path in paths} == files
