"""How often kernels go which way: counted in games, kept as data, and told to the compiler.

A compiler does not see how often a condition holds. It guesses, and lays what is rare between what is not, while a
step of a large game runs through more machine code than a processor's memory for code holds. So for each branch of a
kernel the share of the times that its condition held is kept in `configs/branches/`, a table for each game and one
for what games share; `python -m tests.kit.branches` counts. The compiler then lays out together what runs together.
It changes no result: how numbers are calculated does not hang on it.

A branch is known by its number in the code that numba makes of the bytecode of a kernel. So a kernel whose bytecode is
not the one that was counted is compiled without shares, and with another Python than the one that counted all are: with
the same games, a little slower. How numba lowers bytecode is that of one version (`sim.compiler.cache.LINKING_KNOWS`);
who has kernels lowered otherwise (`sim.compiler.linking`) has to count anew.

References
----------
Pettis, K. and Hansen, R. C. (1990). Profile guided code positioning. Proceedings of the ACM SIGPLAN 1990 Conference on
Programming Language Design and Implementation, 16-27.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from threading import Event
from types import CodeType
from typing import Any

import numpy as np
from llvmlite import ir
from numpy.typing import NDArray

from sim.compiler.source_digest import ROOT, game_of_module

KEPT = ROOT / "configs" / "branches"
"""Folder of the tables."""
SHARED = "shared"
"""Table of the kernels that belong to no game."""
WHOLE = 10_000
"""Shares are kept as parts of this."""
NEVER_MET = -1
"""Share of a branch that no game came to."""
PYTHON = f"{sys.version_info.major}.{sys.version_info.minor}"
"""Python whose bytecode is counted."""

Function = Callable[..., Any]
Counts = NDArray[np.int64]
"""How often the condition of each branch did not hold, and did; shape (branches, 2)."""
Shares = tuple[int, ...]
"""Share of the times that the condition of each branch held, in parts of `WHOLE`, or `NEVER_MET`."""

_is_counting = Event()
_counts: dict[Function, list[Counts]] = {}


def name_of(function: Function) -> str:
    """Return the name of a kernel in its table."""
    return f"{function.__module__}.{function.__qualname__}"


def table_of(name: str) -> str:
    """Return which table a kernel stands in: that of its game, or the shared one."""
    return game_of_module(name) or SHARED


def bytecode_digest(function: Function) -> str:
    """Tell a function from what it was before it was edited: by its bytecode, with the names and constants in it."""
    digest = hashlib.sha256()
    for code in codes_in(function.__code__):
        constants = [
            sorted(map(repr, each)) if isinstance(each, frozenset) else each  # its order is another in each process
            for each in constants_of(function, code)
            if not isinstance(each, CodeType)
        ]
        digest.update(code.co_code + repr((code.co_names, constants)).encode())
    return digest.hexdigest()[:8]


def codes_in(code: CodeType) -> Iterator[CodeType]:
    """Yield the code of a function and of all functions defined in it."""
    yield code
    for value in code.co_consts:
        if isinstance(value, CodeType):
            yield from codes_in(value)


def constants_of(function: Function, code: CodeType) -> tuple[Any, ...]:
    """Return the constants of a function's code but for the docstring, which is the first of one that has any."""
    return code.co_consts[1:] if code.co_consts[:1] == (function.__doc__,) else code.co_consts


@cache
def kept_table(table: str) -> Mapping[str, tuple[str, Shares]]:
    """Return a kept table: for each kernel its bytecode and the shares of its branches.

    It is empty if nothing was counted, or by another Python.
    """
    file = KEPT / f"{table}.json"
    if not file.is_file():
        return {}
    kept = json.loads(file.read_text("utf-8"))
    if kept["python"] != PYTHON:
        return {}
    return {name: (digest, tuple(shares)) for name, (digest, shares) in kept["kernels"].items()}


def shares_of(function: Function) -> Shares:
    """Return the shares kept for the branches of a kernel; none if it is another than the one that was counted."""
    name = name_of(function)
    digest, shares = kept_table(table_of(name)).get(name, ("", ()))
    return shares if digest == bytecode_digest(function) else ()


def shares_from(counts: Counts) -> list[int]:
    """Return shares of the times that conditions held; what happened at all is neither 0 nor the whole."""
    shares = []
    for missed, held in counts.tolist():
        met = missed + held
        share = round(WHOLE * held / met) if met else NEVER_MET
        if missed and held:
            share = min(max(share, 1), WHOLE - 1)
        shares.append(share)
    return shares


def mark_branches(module: Any, function: Function) -> None:
    """Tell the compiler what is known of the branches in the code made of a kernel, or have them counted.

    Parameters
    ----------
    module
        LLVM code that numba has made of the kernel, as an `llvmlite.ir.Module`.
    function
        The kernel as Python knows it.
    """
    branches = [
        block.terminator
        for made in module.functions
        for block in made.blocks
        if isinstance(block.terminator, ir.instructions.ConditionalBranch)
    ]
    if branches_are_counted():
        counts = np.zeros((len(branches), 2), np.int64)
        _counts.setdefault(function, []).append(counts)
        for number, branch in enumerate(branches):
            _count_branch(branch, counts[number])
        return
    shares = shares_of(function)
    if len(shares) == len(branches):
        for branch, share in zip(branches, shares, strict=True):
            if share != NEVER_MET:
                branch.set_weights((share, WHOLE - share))


def _count_branch(branch: Any, counts: NDArray[np.int64]) -> None:
    """Have the machine count how often a branch goes either way."""
    builder = ir.IRBuilder(branch.parent)
    builder.position_before(branch)
    number = ir.IntType(64)
    place = builder.shl(builder.zext(branch.operands[0], number), number(3))
    address = builder.inttoptr(builder.add(place, number(counts.ctypes.data)), number.as_pointer())
    builder.store(builder.add(builder.load(address), number(1)), address)


def count_branches() -> dict[Function, list[Counts]]:
    """Have the branches of all kernels counted that this process compiles from now on; return the counts by kernel.

    They are written to as kernels run, so the process must keep them. What is compiled so is not kept for other
    processes, whose memory it would write to.
    """
    _is_counting.set()
    return _counts


def branches_are_counted() -> bool:
    """Tell whether this process compiles kernels that count."""
    return _is_counting.is_set()
