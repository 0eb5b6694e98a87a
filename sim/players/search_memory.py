"""Scratch memory of search. Each worker has one block; the log of its game record holds the address.

A block holds the game at the beginning of the current step (`sim.engine.state.begin_step`), a determinized game, a copy
that is rolled out, and the state of the search. Within each decision, everything is written before it is read.
"""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic
from numba.np.arrayobj import populate_array

from sim.compiler.kernel import LINEUP, FieldRecord, Record, compiled, function_at
from sim.engine.state import MAX_ANSWERS, record_in_memory, viewer_of

MOST_OPTIONS = 1024
"""Maximum number of options of a decision that can be searched."""
MOST_SEARCHED = 64
"""Maximum number of options of a decision that can be rolled out."""
MOST_SEATS = 8
"""Maximum number of seats for which chances to win are estimated at a horizon."""
MOST_ROLLOUTS = 1024
"""Maximum number of rollouts of each option."""
MOST_FEATURES = 512
"""Maximum number of features of a seat that are not 0, in any game with a judge."""
UNITS = 32
"""Number of hidden units of a judge's net."""
MOST_ROLES = 4
"""Maximum number of roles that a seat can have for another (`sim.players.judge.role_of`)."""

SEARCHED = np.dtype(
    (
        FieldRecord,
        [
            ("scores", np.uint64, (2,)),  # addresses of the functions FORCED and MODEL of `sim.players.search`
            ("lineup", LINEUP),  # their weights
            # The decision that is searched: seat, kind, and number of earlier answers in its step
            ("seat", np.int64),
            ("decision", np.int64),
            ("answers", np.int64),
            ("answer", np.int64, (MAX_ANSWERS,)),
            ("answer_seat", np.int64, (MAX_ANSWERS,)),
            ("option_count", np.int64),
            ("prior", np.float64, (MOST_OPTIONS,)),  # the base's scores
            # A copy that replays the step up to this decision: answers given so far, the option to take (or COMPARING)
            ("given", np.int64),
            ("forced", np.int64),
            ("came", np.int64),  # 1 once the copy has reached the decision
            ("alike", np.int64),  # 1 while the copy's options and scores match those of the game
            # Numbers of searched decisions, of those that no determinized game reached, and of determinized games
            ("searched", np.int64),
            ("unlike", np.int64),
            ("dealt", np.int64),
            # Results
            ("alive", np.int64, (MOST_SEARCHED,)),  # options that remain, the best first
            ("alive_count", np.int64),
            ("worlds", np.int64),  # determinized games used so far
            ("drawn", np.uint64),  # random draws made for determinized games so far
            ("chance", np.float64, (MOST_SEATS,)),  # each seat's chance to win at the horizon; NaN without a horizon
            ("values", np.float32, (MOST_SEARCHED, MOST_ROLLOUTS)),  # values of rollouts, by option (`row`) and game
            ("row", np.int64, (MOST_OPTIONS,)),  # row of each option in `values`, -1 for none
            ("worth", np.float64, (MOST_OPTIONS,)),
            # Scratch of a learned judge: the features of a seat, and what each seat's features add to the hidden units
            ("feature", np.int32, (MOST_FEATURES,)),
            ("amount", np.float32, (MOST_FEATURES,)),
            ("parts", np.float32, (MOST_SEATS, MOST_ROLES * UNITS)),  # by the seat with the features, and by its role
            ("hidden", np.float32, (UNITS,)),
        ],
    )
)
"""The state of a search."""
searched_at: Any = viewer_of(SEARCHED)
"""Returns the state of the search at an address."""

RECORDS = 3
"""Number of game records in a block. The size of each is rounded up to whole cache lines."""
LINE = 64


def _rounded(size: int) -> int:
    return -(-size // LINE) * LINE


def game_with_room(state: np.dtype[Any]) -> Record:
    """Return a blank game record, followed in the same buffer by the scratch memory of a search."""
    own = _rounded(state.itemsize)
    memory = np.zeros(own + RECORDS * own + SEARCHED.itemsize, np.uint8)
    g: Any = memory[: state.itemsize].view(state)[0]
    g.log.room = memory.ctypes.data + own
    return g


def find_search_memory(g: Record) -> Record:
    """Return the state of the last search, a record of `SEARCHED`, from the scratch memory of a game."""
    address = int(g.log.room) + RECORDS * _rounded(g.dtype.itemsize)
    return record_in_memory(address, SEARCHED)


def _place_in_room(_: Any, g: Any, number: Any) -> Any:
    """Return the offset in bytes of game record `number` within a block; number 3 is the state of the search."""
    size = _rounded(g.size)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.mul(arguments[1], ir.Constant(ir.IntType(64), size))

    return types.uint64(g, types.int64), generate


def _array_at(kind: Any, context: Any, builder: Any, signature: Any, address: Any, count: Any) -> Any:
    """Generate the code of an intrinsic that returns the `count` numbers at an address as an array of type `kind`."""
    array = context.make_array(signature.return_type)(context, builder)
    step = context.get_constant(types.intp, np.dtype(kind).itemsize)
    data = builder.inttoptr(address, array.data.type)
    populate_array(array, data=data, shape=(count,), strides=(step,), itemsize=step, meminfo=None)
    return array._getvalue()


def _scores_at(_: Any, address: Any) -> Any:
    """View the memory at an address as the scoring functions of the two strategies that play copies."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        two = context.get_constant(types.intp, 2)
        return _array_at(np.uint64, context, builder, signature, arguments[0], two)

    return types.Array(types.uint64, 1, "C")(types.uint64), generate


def _floats_at(_: Any, address: Any, count: Any) -> Any:
    """View the memory at an address as `count` numbers in single precision."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return _array_at(np.float32, context, builder, signature, *arguments)

    return types.Array(types.float32, 1, "C")(types.uint64, types.int64), generate


place_in_room: Any = intrinsic(_place_in_room)
floats_at: Any = intrinsic(_floats_at)
scores_at: Any = intrinsic(_scores_at)

if not compiled():

    def place_in_room(g: Record, number: int) -> Any:
        """Return the offset of game `number` in a block. Number 3 is the state of the search."""
        return np.uint64(number * _rounded(g.dtype.itemsize))

    def floats_at(address: int, count: int) -> Any:
        """Return `count` numbers in single precision at an address."""
        memory: Any = (ctypes.c_float * int(count)).from_address(int(address))
        return np.frombuffer(memory, np.float32)

    def scores_at(address: int) -> Any:
        """Return the scoring functions of the two strategies that play copies, in the form that kernels take."""
        return tuple(function_at(number) for number in searched_at(address).scores)
