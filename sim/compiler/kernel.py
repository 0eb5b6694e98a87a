"""Compiles kernels with numba: the decorators, the records that kernels receive, and functions called by address.

Every function that plays a game is decorated with `@kernel`. With `NUMBA_DISABLE_JIT=1` the same source runs
uncompiled. `sim.compiler.linking` turns kernels into machine code, and `sim.compiler.cache` stores that code between
processes.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from types import FunctionType
from typing import Any, TypeVar, cast

import numba
import numpy as np
from llvmlite import ir
from numba.core.ccallback import CFunc
from numba.core.errors import NumbaExperimentalFeatureWarning
from numba.core.sigutils import normalize_signature
from numba.extending import intrinsic

from sim.compiler.cache import KernelCache, checks_bounds, kernel_digest, kernels_are_linked
from sim.compiler.source_digest import is_outside, is_project_code, plays_games

_attribute_of = np.void.__getattribute__
_field_of = np.void.__getitem__
_put_field = np.void.__setitem__
_memory_of = np.void.data.__get__
_ATTRIBUTES = frozenset(dir(np.void))
"""Attributes that NumPy defines. A field with such a name, for example `data`, must be read as `g["data"]`."""


class FieldRecord(np.record):  # type: ignore[misc]  # NumPy's stubs call a class above it final
    """An `np.record` that reads and writes fields more than twice as fast as NumPy's own.

    Compiled kernels read memory directly, so only uncompiled code gains: rules, narration and players in plain Python
    read single fields, millions of times.
    """

    __slots__ = ()

    def __getattribute__(self, name: str) -> Any:
        """Return a field: a number, a view of an array, or a record. NumPy returns all other attributes."""
        if name in _ATTRIBUTES:
            return _attribute_of(self, name)
        try:
            return _field_of(self, name)
        except ValueError:
            return super().__getattribute__(name)

    def __setattr__(self, name: str, value: Any) -> None:
        """Write a field; one value fills a whole array."""
        try:
            _put_field(self, name, value)
        except ValueError:
            super().__setattr__(name, value)

    @property
    def data(self) -> Any:
        """The memory of the record, as plain bytes if the record is part of an array.

        numba reads this attribute of every record that Python passes to compiled code. For a record in an array, NumPy
        would describe the memory field by field, which takes ten times as long as the call.
        """
        return _memory_of(self) if self.flags.owndata else np.asarray(self).reshape(1).view(np.uint8)


MAX_WEIGHTS = 64
"""Maximum number of weights of a script."""
MAX_PREPARED = 4608
"""Maximum number of values that a script may prepare from its weights: a few for each card of a large game."""
ALL_NOTES = 1 << 20
"""A number greater than the number of notes (`g.notes`) in any game.

If `Script.kept_notes` has this value, no note is blanked between decisions.
"""
STRATEGY_SLOTS = 32
"""Maximum number of strategies in a run; `LINEUP` always has this size, so one compiled kernel serves all runs."""

MAX_DECISIONS = 64
"""Maximum number of kinds of decisions in a game with search."""
MAX_ROUNDS_LEFT, MAX_PROSPECTS = 8, 12
"""Maximum number of rounds left at a search horizon, and of quantities that judge the game there.

The quantities are those of `GameSpec.prospects`.
"""

SEARCH = np.dtype(
    (
        FieldRecord,
        [
            ("rollouts", np.int64),  # maximum for each option; 0: no search
            # For each kind of decision: how many options are rolled out (those that the base strategy scores highest),
            # rounds of a rollout (0: to the end of the game), and what one unit of the base's score is worth
            ("options", np.int64, (MAX_DECISIONS,)),
            ("horizon", np.int64, (MAX_DECISIONS,)),
            ("prior", np.float64, (MAX_DECISIONS,)),
            ("halves", np.int64),  # 1: sequential halving of the options
            ("value", np.int64),  # index in `sim.engine.script.VALUES`
            ("lead_scale", np.float64),
            ("looks_out", np.int64),  # 1: a kernel of the game or a learned judge judges the position at the horizon
            ("judge", np.uint64),  # address of the weights of a learned judge (`sim.players.judge`), 0 for none
            # Weight of each of the game's prospects (`GameSpec.prospects`), by the number of rounds left (first row: 1)
            ("outlook", np.float64, (MAX_ROUNDS_LEFT, MAX_PROSPECTS)),
            ("model_temperature", np.float64),  # temperature of all players in rollouts
            ("decisions", np.int64),  # bit d: decision d is searched
            # Addresses: the base's scoring function, the kernels that a search calls, and the search's memory
            # (`sim.players.search_memory`)
            ("own_score", np.uint64),
            ("forced", np.uint64),
            ("play_rest", np.uint64),
            ("redeal", np.uint64),
            ("room", np.uint64),
        ],
    )
)
"""How a strategy searches (`sim.players.search`)."""

WEIGHTS = np.dtype(
    (
        FieldRecord,
        [
            ("weight", np.float64, (MAX_WEIGHTS,)),  # in the order of the script's parameters
            ("prepared", np.float64, (MAX_PREPARED,)),  # computed once for the run by `Script.prepare`
            ("temperature", np.float64),
            ("kept_notes", np.int64),  # number of notes kept between decisions (`Script.kept_notes`)
            ("script", np.int64),  # number of the script in the run, from 1
            # Addresses of the function that scores all options at once, and of the function that scores a single option
            ("score_all", np.uint64),
            ("score_one", np.uint64),
            # In a checked run: addresses of the strategy's own function, and of memory for the check
            # (`sim.players.readonly_check`, `sim.engine.invariants`)
            ("own_score", np.uint64),
            ("scratch", np.uint64),
            # In a guarded run: address of a user's function, and address of the flag that is set while it runs
            ("guarded", np.uint64),
            ("mark", np.uint64),
            ("search", SEARCH),
        ],
    )
)
"""dtype of one strategy of a run; a scoring function gets such a record as its last argument `w`."""

# `LINEUP` is a record, not an array: with arrays, kernels would spend a tenth of their time on counting references.
LINEUP = np.dtype((FieldRecord, [("seats", WEIGHTS, (STRATEGY_SLOTS,))]))
"""dtype of the weights of all strategies of a run."""


if kernels_are_linked():
    from sim.compiler.linking import EntryDispatcher, EntryPipeline, SharedDispatcher, calling

Function = TypeVar("Function", bound=Callable[..., Any])

Record = Any
"""A NumPy record (`np.record`); type checkers cannot see its fields."""
Integers = Any
"""A one-dimensional int64 array."""
Floats = Any
"""A float64 array."""

settings: Any = numba.config
"""numba's settings, which it reads when a function is decorated."""

# numba warns that a kernel may get a record with more fields than it was compiled for. The tests that compare games
# with recorded results (golden games) show that this works.
warnings.filterwarnings("ignore", category=NumbaExperimentalFeatureWarning)


def compiled() -> bool:
    """Tell whether kernels are compiled (False with `NUMBA_DISABLE_JIT=1`)."""
    return not settings.DISABLE_JIT


def kernel(function: Function) -> Function:
    """Compile `function`. Its code is cached, and runs without the interpreter lock, so that threads scale."""
    if not compiled():
        return function
    dispatcher: Any
    if kernels_are_linked():
        dispatcher = EntryDispatcher(function, _options(function) | {"nogil": True}, _widened)
    else:
        compile_function = numba.njit(nogil=True, error_model="numpy", boundscheck=_bounds_are_checked(function))
        dispatcher = _for_one_kind_of_integer(compile_function(function))
    if is_project_code(function):
        dispatcher._cache = KernelCache(function)
    return cast("Function", dispatcher)


def shared_kernel(function: Function) -> Function:
    """Compile `function` like `kernel`, but let all callers share its machine code.

    This is for large functions that are rarely called. The compiler does not optimise them together with a caller.
    """
    if not compiled() or not kernels_are_linked() or not is_project_code(function):
        return kernel(function)
    dispatcher: Any = SharedDispatcher(function, _options(function) | {"nogil": True}, _widened, kernel_digest)
    dispatcher._cache = KernelCache(function)
    return cast("Function", dispatcher)


def bind_kernels(function: Callable[..., Any], module: str = "", **kernels: Callable[..., Any]) -> Callable[..., Any]:
    """Return a copy of a function that calls the given `kernels` where the function names them.

    The kernels become globals of the copy. A closure would do the same, but numba names a closure differently in each
    process, so the cache would not find it.

    Parameters
    ----------
    module
        Module of the copy; by default that of the function. The game of this module decides whether loops are unrolled
        (`loops_stay`).
    """
    copy = FunctionType(function.__code__, {**function.__globals__, **kernels}, function.__name__)
    copy.__module__, copy.__qualname__, copy.__doc__ = (
        module or function.__module__, function.__qualname__, function.__doc__,
    )  # fmt: skip
    return copy


def _options(function: Callable[..., Any]) -> dict[str, Any]:
    """Return numba's options for a linked kernel. Kernels that play games create no arrays and count no references."""
    options = {"nopython": True, "error_model": "numpy", "_nrt": not plays_games(function)}
    return options | ({"boundscheck": True} if _bounds_are_checked(function) else {})


def _bounds_are_checked(function: Callable[..., Any]) -> bool:
    """Tell whether a function checks every index. Functions from outside the project always do."""
    return checks_bounds() or is_outside(function) or not is_project_code(function)


def _for_one_kind_of_integer(dispatcher: Any) -> Any:
    """Compile a kernel for int64 only, whatever integer types other kernels pass.

    Otherwise every combination of narrow integers from records, literals and int64 would be compiled separately.
    """
    template_of = dispatcher.get_call_template

    def get_call_template(arguments: Any, named: Any) -> Any:
        return template_of(tuple(_widened(kind) for kind in arguments), named)

    dispatcher.get_call_template = get_call_template
    return dispatcher


def _widened(kind: Any) -> Any:
    """Return int64 for all integer types except uint64, which random numbers need.

    Other types are returned unchanged, except that a literal type becomes the type of its value.
    """
    if isinstance(kind, numba.types.Integer) and numba.types.unliteral(kind) != numba.uint64:
        return numba.int64
    return numba.types.unliteral(kind)


def is_cached(function: Callable[..., Any], *arguments: Any) -> bool:
    """Tell whether a kernel is compiled for arguments of these types, in this process or in the cache."""
    dispatcher: Any = function
    kinds = tuple(dispatcher.typeof_pyval(argument) for argument in arguments)
    return kinds in dispatcher.overloads or (is_project_code(function) and dispatcher._cache.holds(kinds))


def is_strategy_cached(
    score: Function, score_all: Function | None, state: np.dtype[Any], tables: np.dtype[Any]
) -> bool:
    """Tell whether a script's functions are compiled or cached. Functions with unknown sources never are."""
    made_by = {score: _scoring_function, score_all: _all_options_function}
    for function, make in made_by.items():
        if function is not None and (function, state, tables) not in _pointers:
            pointer = make(function, state, tables)
            if not is_project_code(function) or not pointer._cache.holds(pointer._sig):
                return False
    return True


def strategy_pointer(function: Function, state: np.dtype[Any], tables: np.dtype[Any]) -> Any:
    """Compile `score(g, t, me, decision, option, w)` to a function that kernels call by its address.

    Parameters
    ----------
    function
        A Python function or a kernel that returns float64. A function with known sources (`is_project_code`) is
        compiled, or read from the cache, once in a process. Any other function is compiled every time, because the
        files that it imports are unknown.
    state, tables
        Record dtypes of the game.

    Raises
    ------
    numba.core.errors.NumbaError
        If the function does not compile.
    """
    return _compiled_once(function, state, tables, _scoring_function)


def all_options_pointer(function: Function, state: np.dtype[Any], tables: np.dtype[Any]) -> Any:
    """Compile `score_all(g, t, me, decision, w)` as `strategy_pointer` does. It must be a function of the project."""
    return _compiled_once(function, state, tables, _all_options_function)


def _compiled_once(function: Function, state: np.dtype[Any], tables: np.dtype[Any], make: Callable[..., Any]) -> Any:
    """Compile a function with `make`; a function of the project is compiled once per process."""
    if not compiled():
        return function
    key = (function, state, tables)
    if key in _pointers:
        return _pointers[key]
    pointer = make(function, state, tables)
    pointer.compile()
    if is_project_code(function):
        _pointers[key] = pointer
    return pointer


_pointers: dict[tuple[Callable[..., Any], np.dtype[Any], np.dtype[Any]], Any] = {}
"""Scoring functions of the project that this process has compiled or read from the cache."""


def _scoring_function(function: Callable[..., Any], state: np.dtype[Any], tables: np.dtype[Any]) -> Any:
    """Return the compiler of a scoring function."""
    game, table, weights = numba.from_dtype(state), numba.from_dtype(tables), numba.from_dtype(WEIGHTS)
    return _function_by_address(function, numba.float64(game, table, numba.int64, numba.int64, numba.int64, weights))


def _all_options_function(function: Callable[..., Any], state: np.dtype[Any], tables: np.dtype[Any]) -> Any:
    """Return the compiler of a function that scores all options."""
    game, table, weights = numba.from_dtype(state), numba.from_dtype(tables), numba.from_dtype(WEIGHTS)
    return _function_by_address(function, numba.int64(game, table, numba.int64, numba.int64, weights))


def kernel_pointer(function: Callable[..., Any], *kinds: Any) -> Any:
    """Compile a kernel that returns an integer, so that other kernels can call it by its address (`address_of`).

    Parameters
    ----------
    function
        A kernel of the project, or a function that only calls such a kernel.
    kinds
        dtypes of its arguments: records or numbers.
    """
    if not compiled():
        return function
    pointer = _function_by_address(function, numba.int64(*(numba.from_dtype(np.dtype(kind)) for kind in kinds)))
    pointer.compile()
    return pointer


def _function_by_address(function: Callable[..., Any], kinds: Any) -> Any:
    """Return the compiler of a function that is called by its address."""
    plain = getattr(function, "py_func", function)
    signature = normalize_signature(kinds)
    pointer: Any
    if kernels_are_linked():
        pipeline: Any = EntryPipeline
        # A function from outside is compiled without `calling`, so that an error names a line of this function.
        is_ours = is_project_code(plain) and isinstance(function, EntryDispatcher)
        entry = calling(plain, function) if is_ours else plain
        pointer = CFunc(entry, signature, {}, _options(plain), pipeline_class=pipeline)
    else:
        checked = _bounds_are_checked(plain)
        pointer = CFunc(plain, signature, {}, {"error_model": "numpy", "boundscheck": checked})
    if is_project_code(plain):
        pointer._cache = KernelCache(plain)
    return pointer


def strategy_slots(pointers: Sequence[Any]) -> Any:
    """Return the scoring functions of a run's strategies as kernels take them: an array of their addresses.

    If kernels are not compiled, return a tuple of the functions. Compiled code exists only as long as its pointer, so
    the pointers are kept until the process ends.
    """
    if not compiled():
        return tuple(pointers)
    _pointers_in_use.update((pointer.address, pointer) for pointer in pointers)
    return np.array([pointer.address for pointer in pointers], np.uint64)


_pointers_in_use: dict[int, Any] = {}


def address_of(pointer: Any) -> int:
    """Return the address of a compiled function, and keep its code until the process ends.

    If kernels are not compiled, return a number for the function (`function_at`).
    """
    address = pointer.address if compiled() else id(pointer)
    _pointers_in_use[address] = pointer
    return int(address)


def function_at(address: int) -> Any:
    """Return the function that has this number from `address_of`. Only for kernels that are not compiled."""
    return _pointers_in_use[int(address)]


def _called(kind: Any, numbers: Sequence[Any]) -> Any:
    """Return the signature and code generator of a call by address. The address is the first argument of the call."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        kinds = [context.get_value_type(each) for each in signature.args[1:]]
        function = ir.FunctionType(context.get_value_type(signature.return_type), kinds)
        return builder.call(builder.inttoptr(arguments[0], function.as_pointer()), arguments[1:])

    return kind(numba.uint64, *numbers), generate


def _score_at(
    _: Any, address: Any, g: Any, t: Any, me: Any, decision: Any, option: Any, w: Any
) -> tuple[Any, Callable[..., Any]]:
    """Call a scoring function by its address (`strategy_pointer`)."""
    return _called(numba.float64, (g, t, numba.int64, numba.int64, numba.int64, w))


def _score_all_at(
    _: Any, address: Any, g: Any, t: Any, me: Any, decision: Any, w: Any
) -> tuple[Any, Callable[..., Any]]:
    """Call the function that scores all options, by its address (`all_options_pointer`)."""
    return _called(numba.int64, (g, t, numba.int64, numba.int64, w))


def _play_rest_at(
    _: Any, address: Any, g: Any, t: Any, scores: Any, lineup: Any, rounds: Any
) -> tuple[Any, Callable[..., Any]]:
    """Call the kernel that plays a rollout, by its address (`sim.players.search_setup`)."""
    return _called(numba.int64, (g, t, numba.uint64, lineup, numba.int64))


def _redeal_at(_: Any, address: Any, g: Any, t: Any, me: Any) -> tuple[Any, Callable[..., Any]]:
    """Call the kernel that redeals a game, by its address."""
    return _called(numba.int64, (g, t, numba.int64))


score_at: Any = intrinsic(_score_at)
score_all_at: Any = intrinsic(_score_all_at)
play_rest_at: Any = intrinsic(_play_rest_at)
redeal_at: Any = intrinsic(_redeal_at)

if not compiled():

    def score_at(address: int, *arguments: Any) -> float:
        """Call a scoring function by its number `address` (`function_at`)."""
        return float(function_at(address)(*arguments))

    def score_all_at(address: int, *arguments: Any) -> int:
        """Call the function that scores all options, by its number `address` (`function_at`)."""
        return int(function_at(address)(*arguments))

    def play_rest_at(address: int, *arguments: Any) -> int:
        """Call the function that plays a rollout, by its number `address` (`function_at`)."""
        return int(function_at(address)(*arguments))

    def redeal_at(address: int, *arguments: Any) -> int:
        """Call the function that redeals a game, by its number `address` (`function_at`)."""
        return int(function_at(address)(*arguments))


def score_option(
    scores: Any, which: int, g: Record, t: Record, me: int, decision: int, option: int, w: Record
) -> float:
    """Call the scoring function of strategy number `which`; `scores` comes from `strategy_slots`."""
    value: float = scores[which](g, t, me, decision, option, w)
    return value


def is_slot_of(scores: Any, which: int, address: int) -> bool:
    """Tell whether strategy number `which` is scored by the function with the number `address` (`function_at`)."""
    return address_of(scores[which]) == address


if compiled():

    @kernel
    def is_slot_of(scores: Any, which: int, address: int) -> bool:
        """Tell whether strategy number `which` is scored by the function at `address`."""
        return bool(scores[which] == address)

    @kernel
    def score_option(
        scores: Any, which: int, g: Record, t: Record, me: int, decision: int, option: int, w: Record
    ) -> float:
        """Call the scoring function of strategy number `which`: the one at the address `scores[which]`."""
        value: float = score_at(scores[which], g, t, me, decision, option, w)
        return value
