"""Kernels linked by `sim.compiler.linking` do what plain numba, and Python, make of the same source."""

import dis
import inspect
import json
import shutil
from collections.abc import Callable
from graphlib import TopologicalSorter
from pathlib import Path
from types import FunctionType

import numpy as np
import pytest

from sim.compiler.cache import LINKING_KNOWS, codes_in, kernels_are_linked
from sim.compiler.kernel import kernel, shared_kernel
from sim.compiler.source_digest import is_ours
from sim.game import load_game
from sim.players.find_strategies import load_strategies
from tests.kit.plans import KIT_GAMES

if kernels_are_linked():
    from sim.compiler.linking import EntryDispatcher

PLAIN = {"EMPIRELAB_PLAIN_NUMBA": "1"}
UNCOMPILED = {"NUMBA_DISABLE_JIT": "1"}

TOYS = """
import json
import numpy as np
from sim.compiler.kernel import kernel, score_option, strategy_pointer, strategy_slots
from sim.compiler.kernel import WEIGHTS

@kernel
def factorial(number):
    return 1 if number <= 1 else number * factorial(number - 1)

@kernel
def even(number):
    return True if number == 0 else odd(number - 1)

@kernel
def odd(number):
    return False if number == 0 else even(number - 1)

@kernel
def plus(number, more=10):
    return number + more

@kernel
def twice_plus(number):
    return plus(plus(number), more=1)

@kernel
def squares(count):
    made = np.zeros(count, np.int64)
    for place in range(count):
        made[place] = place * place
    return made

@kernel
def sum_of_squares(count):
    total = 0
    for square in squares(count):
        total += square
    return total

@kernel
def is_small_prime(number):
    return number in (2, 3, 5, 7)

STATE = np.dtype((np.record, [("coins", np.int8, (3,))]))

@kernel
def share(g, seat):
    return g.coins[seat] / g.coins.sum()

def score(g, t, me, decision, option, w):
    return share(g, me) + factorial(option)

@kernel
def ask(scores, g, t, w):
    return score_option(scores, 0, g, t, 1, 0, 4, w)

g = np.zeros(1, STATE)[0]
g.coins[:] = (1, 2, 1)
w = np.zeros(1, WEIGHTS)[0]
scores = strategy_slots([strategy_pointer(score, STATE, STATE)])
print(json.dumps({
    "a kernel that calls itself": factorial(5),
    "numbers looked for among some": [is_small_prime(number) for number in range(-1, 9)],
    "kernels that call each other": [even(7), odd(7)],
    "arguments left out or named": [plus(1), plus(more=2, number=1), twice_plus(1)],
    "arrays made and handed on": [squares(4).tolist(), int(sum_of_squares(5))],
    "a record": float(share(g, 1)),
    "a scoring function by its address": float(ask(scores, g, g, w)),
}))
"""
MADE = {
    "a kernel that calls itself": 120,
    "numbers looked for among some": [number in (2, 3, 5, 7) for number in range(-1, 9)],
    "kernels that call each other": [False, True],
    "arguments left out or named": [11, 3, 12],
    "arrays made and handed on": [[0, 1, 4, 9], 30],
    "a record": 0.5,
    "a scoring function by its address": 24.5,
}
GAMES = """
import json, sys
from sim.players.batch import play
from sim.players.compile_players import players_of
from sim.compiler.cache import kernels_are_linked
from tests.kit.plans import all_detail, mixed, plan_for
game = sys.argv[1]
plan = plan_for(game, strategies=mixed(game), seed=4, detail=all_detail(game))
rows, pieces = play(plan, players_of(plan), 0, 12)
print(json.dumps([kernels_are_linked(), rows.tolist(), pieces.tolist()]))
"""


@pytest.mark.parametrize("environment", [{}, PLAIN, UNCOMPILED], ids=["linked", "plain", "uncompiled"])
def test_kernels_do_the_same_however_they_are_compiled(
    environment: dict[str, str], in_new_process: Callable[..., str]
) -> None:
    assert json.loads(in_new_process(TOYS, **environment)) == MADE


@pytest.mark.usefixtures("compiled_only")
@pytest.mark.sweep
@pytest.mark.parametrize("game", KIT_GAMES)
def test_linked_and_plain_kernels_play_the_same_games(game: str, in_new_process: Callable[..., str]) -> None:
    """Plain numba compiles a large game for minutes."""
    linked, *games = json.loads(in_new_process(GAMES, game, EMPIRELAB_PLAIN_NUMBA=""))
    plain, *same_games = json.loads(in_new_process(GAMES, game, **PLAIN))
    assert (linked, plain) == (True, False)
    assert games == same_games


def called_by(function: Callable[..., object]) -> list[Callable[..., object]]:
    """Return the project's functions that a function calls, but not itself, which numba can link."""
    own: FunctionType = inspect.unwrap(function)
    steps = [step for code in codes_in(own.__code__) for step in dis.get_instructions(code)]
    names = {step.argval for step in steps if step.opname == "LOAD_GLOBAL"}
    named = [inspect.unwrap(own.__globals__[name]) for name in names if callable(own.__globals__.get(name))]
    return [one for one in named if isinstance(one, FunctionType) and is_ours(one.__module__) and one is not own]


@pytest.mark.parametrize("game", KIT_GAMES)
def test_no_two_kernels_of_a_game_or_its_players_call_each_other(game: str) -> None:
    """Plain numba fails to link some of them, and only the slow test above would find it."""
    played = load_game(game)
    scripts = [strategy.script for strategy in load_strategies(game).values()]
    waiting = [played.set_up, played.play_step, *(script.score for script in scripts)]
    callees = {}
    while waiting:
        function = inspect.unwrap(waiting.pop())
        if function not in callees:
            callees[function] = called_by(function)
            waiting.extend(callees[function])
    assert len(callees) > 20
    TopologicalSorter(callees).prepare()  # raises an error that names the circle, if there is one


def test_another_numba_than_the_one_known_compiles_plainly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("EMPIRELAB_PLAIN_NUMBA", raising=False)
    monkeypatch.setattr("numba.__version__", LINKING_KNOWS)
    assert kernels_are_linked()
    monkeypatch.setattr("numba.__version__", "0.0.1")
    assert not kernels_are_linked()


@pytest.mark.usefixtures("compiled_only")
def test_a_kernel_called_with_narrow_and_wide_integers_is_compiled_once() -> None:
    @kernel
    def half(number: int) -> int:
        return number // 2

    @kernel
    def quarters(numbers: tuple[int, int]) -> int:
        return half(half(numbers[0])) + half(half(numbers[1])) + half(8)

    assert quarters((np.int8(12), np.int64(20))) == 12
    pieces = getattr(half, "_piece", half)
    assert len(pieces.overloads) == 1


@shared_kernel
def tripled(number: int) -> int:
    """A kernel that those who call it share."""
    return 3 * number


@kernel
def nine_times(number: int) -> int:
    """A kernel that calls it."""
    return tripled(tripled(number))


@pytest.mark.usefixtures("compiled_only")
@pytest.mark.sweep
@pytest.mark.skipif(not kernels_are_linked(), reason="plain numba shares nothing")
@pytest.mark.parametrize("called", ["nine_times(2)", "kernel_pointer(nine_times, np.int64).ctypes(2)"])
def test_a_shared_kernel_is_found_by_kept_ones_that_call_it_or_else_compiled_anew(
    called: str, tmp_path: Path, in_new_process: Callable[..., str]
) -> None:
    names = "from sim.compiler.kernel import kernel_pointer\nfrom tests.engine.test_engine_linking import nine_times"
    script = f"import numpy as np\n{names}\nprint({called})"
    assert in_new_process(script, EMPIRELAB_CACHE=str(tmp_path)) == "18\n"
    kept = {folder.name.split("-")[0].rpartition(".")[2]: folder for folder in tmp_path.glob("*/*")}
    assert set(kept) == {"tripled", "nine_times"}
    shutil.rmtree(kept["tripled"])
    assert in_new_process(script, EMPIRELAB_CACHE=str(tmp_path)) == "18\n"
    assert kept["tripled"].is_dir()


@pytest.mark.skipif(not kernels_are_linked(), reason="plain numba looks at every place")
def test_with_bounds_checked_a_place_below_0_is_an_error_in_kernels_that_play_games() -> None:
    def at(numbers: np.ndarray, place: int) -> int:
        return int(numbers[place])

    numbers = np.arange(3)
    options = {"nopython": True, "error_model": "numpy", "boundscheck": True}
    counting = EntryDispatcher(at, options | {"_nrt": True}, lambda kind: kind)
    assert counting(numbers, -1) == 2
    playing = EntryDispatcher(at, options | {"_nrt": False}, lambda kind: kind)
    assert playing(numbers, 1) == 1
    for place in (-1, 3):
        with pytest.raises(IndexError):
            playing(numbers, place)
