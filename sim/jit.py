"""How kernels are compiled: options, the kernel cache and strategy pointers.

Every function that plays a game carries `@kernel`; with `NUMBA_DISABLE_JIT=1` the same source runs
uncompiled. Compiled code is kept between processes in folders whose names carry a digest of a file and of
all it imports, because numba itself looks only at the file of a function, not at the files of its helpers.
"""

from __future__ import annotations

import hashlib
import os
import platform
import re
import shutil
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
import numpy as np
from llvmlite import ir
from numba.core.errors import NumbaExperimentalFeatureWarning
from numba.extending import intrinsic

from sim.players import WEIGHTS

Function = TypeVar("Function", bound=Callable[..., Any])

Record = Any
"""A NumPy record (`np.record`); type checkers cannot see its fields."""
Integers = Any
"""A one-dimensional int64 array."""
Floats = Any
"""A float64 array."""

settings: Any = numba.config
"""numba's settings, which it reads as functions are decorated."""

ROOT = Path(__file__).resolve().parent.parent
# A kernel may get a record with more fields than the one it was compiled for; the golden games pin that it works.
warnings.filterwarnings("ignore", category=NumbaExperimentalFeatureWarning)


def compiled() -> bool:
    """Tell whether kernels are compiled (False with `NUMBA_DISABLE_JIT=1`)."""
    return not settings.DISABLE_JIT


@cache
def sources_of(path: Path) -> frozenset[Path]:
    """All project files whose code can end up in what is compiled from `path`: itself and all it imports."""
    found: set[Path] = set()
    waiting = [path]
    while waiting:
        file = waiting.pop()
        if file not in found:
            found.add(file)
            waiting.extend(_imported_files(file))
    return frozenset(found)


@cache
def _imported_files(path: Path) -> tuple[Path, ...]:
    """Project files that a file names in its import lines."""
    modules = re.findall(
        r"^\s*(?:from|import)\s+((?:sim|strategies|reports)[\w.]*)", path.read_text("utf-8"), re.MULTILINE
    )
    files = (ROOT / (module.replace(".", "/") + ".py") for module in modules)
    return tuple(file for file in files if file.is_file())


def source_digest(paths: Iterable[Path]) -> str:
    """SHA-256 over files: their names within the project and their contents."""
    digest = hashlib.sha256()
    for path in sorted(paths):
        digest.update(path.relative_to(ROOT).as_posix().encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()


def cache_home() -> Path:
    """Folder of all kernel caches: `EMPIRELAB_CACHE`, else the user's cache folder."""
    if own := os.environ.get("EMPIRELAB_CACHE"):
        return Path(own)
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA", str(Path.home() / "AppData" / "Local"))
    elif sys.platform == "darwin":
        base = str(Path.home() / "Library" / "Caches")
    else:
        base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(base) / "empirelab"


@cache
def cache_folder(path: Path) -> Path:
    """Folder for what is compiled from one file; its name changes with every file that could matter."""
    versions = f"numba{numba.__version__}-py{platform.python_version()}"
    module = path.relative_to(ROOT).with_suffix("").as_posix().replace("/", ".")
    return cache_home() / versions / module / source_digest(sources_of(path))[:16]


def drop_old_caches(keep: int = 3) -> None:
    """Remove all but the newest caches of each file, so that edited sources do not fill the disk."""
    for module in cache_home().glob("numba*/*"):
        folders = sorted((path for path in module.iterdir() if path.is_dir()), key=lambda path: path.stat().st_mtime)
        for folder in folders[:-keep]:
            shutil.rmtree(folder, ignore_errors=True)


def is_cached(function: Callable[..., Any]) -> bool:
    """Tell whether the file of a kernel has been compiled here before."""
    return any(cache_folder(file_of(function)).glob("**/*.nbc"))


def file_of(function: Callable[..., Any]) -> Path:
    """Source file of a function, compiled or not."""
    return Path(getattr(function, "py_func", function).__code__.co_filename).resolve()


def _is_ours(function: Callable[..., Any]) -> bool:
    """Tell whether a function's file and imports are watched, so that its compiled code may be kept."""
    return any(file_of(function).is_relative_to(ROOT / package) for package in ("sim", "strategies", "reports"))


def digest_of_code(functions: Iterable[Callable[..., Any]]) -> str:
    """SHA-256 over all project files whose code the functions can run; functions of other files do not count."""
    files = [file_of(function) for function in functions if _is_ours(function)]
    return source_digest(frozenset().union(*(sources_of(file) for file in files)))


@contextmanager
def _own_cache(function: Callable[..., Any], inside: bool) -> Iterator[None]:
    """Point numba's cache at the folder for this function while it is decorated, and then back."""
    before = settings.CACHE_DIR
    if inside:
        settings.CACHE_DIR = str(cache_folder(file_of(function)))
    try:
        yield
    finally:
        settings.CACHE_DIR = before


def kernel(function: Function) -> Function:
    """Compile `function` for scalar play: cached, and free of the interpreter lock so that threads scale."""
    if not compiled():
        return function
    inside = _is_ours(function)
    compile_: Any = numba.njit(cache=inside, nogil=True, error_model="numpy")
    with _own_cache(function, inside):
        return cast("Function", _for_one_kind_of_integer(compile_(function)))


def _for_one_kind_of_integer(dispatcher: Any) -> Any:
    """Let a kernel that others call be compiled for int64 alone, whatever integers it is called with.

    Otherwise each mixture of the narrow integers of records, literals and int64 would be compiled by itself.
    """
    template_of = dispatcher.get_call_template

    def get_call_template(arguments: Any, named: Any) -> Any:
        return template_of(tuple(_widened(kind) for kind in arguments), named)

    dispatcher.get_call_template = get_call_template
    return dispatcher


def _widened(kind: Any) -> Any:
    """Return int64 for all integers but uint64, which random numbers need; other types as they are, not literal."""
    if isinstance(kind, numba.types.Integer) and numba.types.unliteral(kind) != numba.uint64:
        return numba.int64
    return numba.types.unliteral(kind)


def strategy_pointer(function: Function, state: np.dtype[Any], tables: np.dtype[Any]) -> Any:
    """Compile `score(g, t, me, decision, option, w)` to a pointer that kernels can call.

    Parameters
    ----------
    function
        A Python function or a kernel returning float64. One from outside this project is compiled anew each
        time, because what it imports cannot be watched.
    state, tables
        Record dtypes of the game.

    Raises
    ------
    numba.core.errors.NumbaError
        If the function does not compile.
    """
    if not compiled():
        return function
    game, table, weights = numba.from_dtype(state), numba.from_dtype(tables), numba.from_dtype(WEIGHTS)
    signature = numba.float64(game, table, numba.int64, numba.int64, numba.int64, weights)
    plain = getattr(function, "py_func", function)
    inside = _is_ours(function)
    with _own_cache(function, inside):
        return numba.cfunc(signature, cache=inside, error_model="numpy")(plain)


def strategy_slots(pointers: Sequence[Any]) -> Any:
    """Return the strategies of a run as kernels take them: an array of their addresses, so that they hand on little.

    Compiled code lives as long as its pointer, so the pointers are kept for the rest of the process.
    """
    if not compiled():
        return tuple(pointers)
    _pointers_in_use.update((pointer.address, pointer) for pointer in pointers)
    return np.array([pointer.address for pointer in pointers], np.uint64)


_pointers_in_use: dict[int, Any] = {}


def _score_at(
    _: Any, address: Any, g: Any, t: Any, me: Any, decision: Any, option: Any, w: Any
) -> tuple[Any, Callable[..., Any]]:
    """Call the scoring function at an address, which has the signature of `strategy_pointer`."""
    number = numba.int64
    signature = numba.float64(numba.uint64, g, t, number, number, number, w)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        kinds = [context.get_value_type(kind) for kind in signature.args[1:]]
        function = ir.FunctionType(ir.DoubleType(), kinds)
        return builder.call(builder.inttoptr(arguments[0], function.as_pointer()), arguments[1:])

    return signature, generate


score_at: Any = intrinsic(_score_at)


def score_option(
    scores: Any, which: int, g: Record, t: Record, me: int, decision: int, option: int, w: Record
) -> float:
    """Call the scoring function of strategy `which` of `strategy_slots`, from compiled code or not."""
    value: float = scores[which](g, t, me, decision, option, w)
    return value


if compiled():

    @kernel
    def score_option(
        scores: Any, which: int, g: Record, t: Record, me: int, decision: int, option: int, w: Record
    ) -> float:
        """Call the scoring function at the address that stands in place `which`."""
        value: float = score_at(scores[which], g, t, me, decision, option, w)
        return value
