"""How often kernels go which way: counted, kept, and told to the compiler."""

import importlib
import inspect
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from llvmlite import ir

from sim.compiler import branch_weights
from sim.compiler.branch_weights import (
    KEPT,
    NEVER_MET,
    PYTHON,
    SHARED,
    WHOLE,
    bytecode_digest,
    kept_table,
    mark_branches,
    shares_from,
    shares_of,
)
from sim.compiler.cache import kernel_digest, kernels_are_linked
from sim.game import GAMES

TABLES = sorted(file.stem for file in KEPT.glob("*.json"))

COUNTED = """
import json
from sim.compiler.branch_weights import count_branches
from sim.compiler.kernel import kernel
counts = count_branches()

@kernel
def thirds(number):
    total = 0
    for each in range(number):
        if each % 3 == 0:
            total += each
        elif each < 0:
            total = -1
    return total

found = thirds(9) + thirds(6)
print(json.dumps([found, {each.__name__: sum(counted).tolist() for each, counted in counts.items()}]))
"""


TOLD = """
import json
from llvmlite.ir.instructions import ConditionalBranch
from sim.compiler.branch_weights import NEVER_MET, WHOLE, shares_of
told = []
tell = ConditionalBranch.set_weights
ConditionalBranch.set_weights = lambda branch, weights: (told.append(weights), tell(branch, weights))
from sim.games.seven_wonders.rules.state import new_games
from sim.engine.rng import below
below(new_games(1)[0], 0, 6)
kept = [share for share in shares_of(below.py_func) if share != NEVER_MET]
print(json.dumps([kept, [first for first, second in told if first + second == WHOLE]]))
"""
"""Compiles a kernel that games share; prints the shares kept of it, and those the compiler was told beside numba's."""

KEPT_AFTER = """
import sys
import numba
from sim.compiler.branch_weights import count_branches
from sim.games.seven_wonders.rules.state import new_games
from sim.engine.rng import below
counts = count_branches() if sys.argv[1] == "counting" else {}
game = new_games(1)[0]
below(game, 0, 6)
print(below._cache.holds((numba.typeof(game), numba.int64, numba.int64)), below.py_func in counts)
"""
"""Asks for a kernel; prints whether it is kept for other processes, and whether it counts."""

BY_ADDRESS = """
from sim.compiler.branch_weights import count_branches
from sim.game import load_game
from sim.compiler.kernel import strategy_pointer
from sim.players.find_strategies import load_strategies
counts = count_branches()
game, score = load_game("seven_wonders"), load_strategies("seven_wonders")["random"].script.score
strategy_pointer(score, game.state, game.tables)
print(score.py_func in counts)
"""
"""Compiles a scoring function, which kernels call by its address, and prints whether it counts."""


def toy() -> branch_weights.Function:
    """A kernel as Python knows it."""

    def least(one: int, other: int) -> int:
        return one if one < other else other

    return least


def module_with_a_branch() -> ir.Module:
    """Code of a function that goes one way or the other."""
    module = ir.Module()
    function = ir.Function(module, ir.FunctionType(ir.VoidType(), [ir.IntType(1)]), "least")
    blocks = [function.append_basic_block(name) for name in ("asks", "holds", "holds_not")]
    ir.IRBuilder(blocks[0]).cbranch(function.args[0], blocks[1], blocks[2])
    for block in blocks[1:]:
        ir.IRBuilder(block).ret_void()
    return module


def keep(
    monkeypatch: pytest.MonkeyPatch, function: branch_weights.Function, code: str, shares: tuple[int, ...]
) -> None:
    """Keep shares for one kernel alone."""
    monkeypatch.setattr(branch_weights, "kept_table", lambda _: {branch_weights.name_of(function): (code, shares)})


@pytest.mark.usefixtures("compiled_only")
@pytest.mark.skipif(not kernels_are_linked(), reason="branches are counted in linked kernels")
def test_branches_are_counted_as_often_as_a_kernel_comes_to_them(in_new_process: Callable[..., str]) -> None:
    found, counts = json.loads(in_new_process(COUNTED))
    assert found == 0 + 3 + 6 + 0 + 3
    counted = [tuple(each) for each in counts["thirds"]]
    # Of the fifteen numbers five are thirds; the other ten are asked whether they are below 0.
    assert (10, 5) in counted
    assert (10, 0) in counted


def test_a_share_says_how_often_a_condition_held() -> None:
    assert shares_from(np.array([[3, 1], [0, 8], [8, 0], [0, 0]])) == [2500, WHOLE, 0, NEVER_MET]


def test_what_happens_at_all_is_neither_never_nor_always() -> None:
    assert shares_from(np.array([[10**9, 1], [1, 10**9]])) == [1, WHOLE - 1]


def test_the_compiler_is_told_the_share_of_a_branch(monkeypatch: pytest.MonkeyPatch) -> None:
    kernel, module = toy(), module_with_a_branch()
    keep(monkeypatch, kernel, bytecode_digest(kernel), (1234,))
    mark_branches(module, kernel)
    assert f'!"branch_weights", i32 1234, i32 {WHOLE - 1234}' in str(module)


@pytest.mark.parametrize("shares", [(), (NEVER_MET,), (5000, 5000)], ids=["no share", "never met", "other branches"])
def test_where_nothing_is_known_the_compiler_is_told_nothing(
    shares: tuple[int, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    kernel, module = toy(), module_with_a_branch()
    keep(monkeypatch, kernel, bytecode_digest(kernel), shares)
    mark_branches(module, kernel)
    assert "branch_weights" not in str(module)


def test_shares_counted_of_a_kernel_before_it_was_edited_are_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    kernel = toy()
    keep(monkeypatch, kernel, bytecode_digest(kernel), (1,))
    assert shares_of(kernel) == (1,)
    keep(monkeypatch, kernel, "another", (1,))
    assert shares_of(kernel) == ()


def test_a_kernel_whose_shares_have_changed_is_compiled_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    def digest(shares: tuple[int, ...]) -> str:
        names: dict[str, Any] = {"__name__": "sim.toy"}
        exec("def look(number):\n    return 1 if number else 2", names)
        keep(monkeypatch, names["look"], bytecode_digest(names["look"]), shares)
        return kernel_digest(names["look"])

    assert digest((1,)) != digest((2,)) == digest((2,))


def kept_in(table: str) -> dict[str, tuple[str, list[int]]]:
    """What a table says of each kernel, whichever Python has counted."""
    kept: dict[str, tuple[str, list[int]]] = json.loads((KEPT / f"{table}.json").read_text("utf-8"))["kernels"]
    return kept


def counted_by(table: str) -> str:
    """The Python that has counted what stands in a table."""
    return str(json.loads((KEPT / f"{table}.json").read_text("utf-8"))["python"])


def digest_of(name: str) -> str | None:
    """Digest of the bytecode of a kernel by its name in a table; none if the kernel is gone."""
    module, _, function = name.rpartition(".")
    try:
        kernel = getattr(importlib.import_module(module), function)
    except (ModuleNotFoundError, AttributeError):
        return None
    return bytecode_digest(inspect.unwrap(kernel))


def test_every_game_has_a_table_and_what_games_share_has_one() -> None:
    games = [name for name, module in GAMES.items() if module.startswith("sim.")]
    assert sorted([*games, SHARED]) == TABLES


@pytest.mark.parametrize("table", TABLES)
def test_kept_shares_are_of_kernels_that_stand_in_the_table_of_their_game(table: str) -> None:
    for name, (_, shares) in kept_in(table).items():
        assert branch_weights.table_of(name) == table
        assert all(share == NEVER_MET or 0 <= share <= WHOLE for share in shares)


@pytest.mark.parametrize("table", TABLES)
def test_most_kernels_are_as_they_were_when_their_branches_were_counted(table: str) -> None:
    if counted_by(table) != PYTHON:
        pytest.skip("another Python than the one that counted makes other bytecode")
    kept = kept_in(table)
    same = sum(digest == digest_of(name) for name, (digest, _) in kept.items())
    assert same > 0.8 * len(kept), "`make branches` counts anew"


def test_what_another_python_has_counted_is_not_used(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(branch_weights, "KEPT", tmp_path)
    for python, table in ((PYTHON, "own"), ("3.0", "other")):
        kept = {"python": python, "kernels": {"sim.toy.look": ["0" * 8, [1, 2]]}}
        (tmp_path / f"{table}.json").write_text(json.dumps(kept), encoding="utf-8")
    assert kept_table("own") == {"sim.toy.look": ("0" * 8, (1, 2))}
    assert kept_table("other") == {}


@pytest.mark.usefixtures("compiled_only")
@pytest.mark.skipif(not kernels_are_linked(), reason="branches are counted in linked kernels")
@pytest.mark.skipif(counted_by(SHARED) != PYTHON, reason="another Python has counted")
def test_the_compiler_is_told_the_shares_that_are_kept_of_a_kernel_of_the_project(
    in_new_process: Callable[..., str], tmp_path: Path
) -> None:
    kept, told = json.loads(in_new_process(TOLD, EMPIRELAB_CACHE=str(tmp_path)))
    assert kept
    assert all(told.count(share) >= kept.count(share) for share in kept)


@pytest.mark.usefixtures("compiled_only")
@pytest.mark.skipif(not kernels_are_linked(), reason="branches are counted in linked kernels")
def test_kernels_that_count_are_not_kept_for_other_processes(
    in_new_process: Callable[..., str], tmp_path: Path
) -> None:
    def kept_and_counting(way: str) -> str:
        return in_new_process(KEPT_AFTER, way, EMPIRELAB_CACHE=str(tmp_path)).strip()

    assert kept_and_counting("counting") == "False True"
    assert kept_and_counting("as usual") == "True False"
    assert kept_and_counting("counting") == "True True"


@pytest.mark.usefixtures("compiled_only")
@pytest.mark.skipif(not kernels_are_linked(), reason="branches are counted in linked kernels")
def test_a_function_that_is_called_by_its_address_is_counted(in_new_process: Callable[..., str]) -> None:
    assert in_new_process(BY_ADDRESS).strip() == "True"
