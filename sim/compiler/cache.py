"""Compiled kernels kept between processes, found by what they are made of.

numba looks only at the file of a function, and at where it lies. Here a kernel is found by a digest of the code of
all functions that it can run, of the constants that they name, and of how kernels are compiled. So an edit
anywhere below a kernel compiles it anew, and no other edit does; comments and docstrings are not code. Names of
folders do not count either: another copy of the project with the same code finds the same kernels.

What is kept is code that runs: nothing is read that somebody else could have written, and nothing that is damaged.
"""

from __future__ import annotations

import hashlib
import inspect
import logging
import os
import pickle
import platform
import shutil
import stat
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

import llvmlite
import numba
import numpy as np
import platformdirs
from numba.core import config
from numba.core.caching import CompileResultCacheImpl, FunctionCache, _CacheLocator
from numba.core.registry import cpu_target
from numba.core.serialize import dumps

from sim.compiler.source_digest import PACKAGES, ROOT, loops_stay

COMPILERS = ("sim/compiler/kernel.py", "sim/compiler/linking.py")
"""Files that say how any kernel is compiled."""

LINKING_KNOWS = "0.68.1"
"""The version of numba whose inside `sim.compiler.linking` knows."""

config._config_fname = ""  # numba looks into the current folder for settings each time it compiles

Function = Callable[..., Any]

PACKAGE_TITLES = {"sim": "the engine", "strategies": "the players", "reports": "the statistics"}
"""What kernels of a package are called when they are compiled."""
UNUSED_DAYS = 30
"""Days after which a kernel that nobody has asked for is dropped."""
DIGEST_BYTES = hashlib.sha256().digest_size
"""Bytes at the beginning of each file that tell whether the rest is whole."""
MAX_CACHE_BYTES = 500_000_000
"""Bytes that all kernels may take together; the ones unused for longest are dropped first."""


def cache_home() -> Path:
    """Folder of all kept kernels: `EMPIRELAB_CACHE`, else the user's cache folder."""
    named = os.environ.get("EMPIRELAB_CACHE") or platformdirs.user_cache_dir("empirelab", appauthor=False)
    return Path(named).resolve()


def kernels_are_linked() -> bool:
    """Tell whether kernels are linked (`sim.compiler.linking`): not with another numba, nor where the user says so."""
    return numba.__version__ == LINKING_KNOWS and not os.environ.get("EMPIRELAB_PLAIN_NUMBA")


def checks_bounds() -> bool:
    """Tell whether kernels check every index, which makes them slow: `EMPIRELAB_CHECK_BOUNDS` is for tests."""
    return bool(os.environ.get("EMPIRELAB_CHECK_BOUNDS"))


@cache
def build_name() -> str:
    """Name of what, beside the project's code, decides how a kernel is compiled: versions and the processor."""
    processor = hashlib.sha256(repr(cpu_target.target_context.codegen().magic_tuple()).encode()).hexdigest()[:8]
    versions = f"numba{numba.__version__}-llvmlite{llvmlite.__version__}-numpy{np.__version__}"
    way = "linked" if kernels_are_linked() else "plain"
    bounds = "-bounds" if checks_bounds() else ""
    return f"{versions}-py{platform.python_version()}-{processor}-{way}{bounds}-digests"


def kernel_digest(function: Function) -> str:
    """SHA-256 over all that decides the machine code of a function, but what `build_name` names.

    Raises
    ------
    TypeError
        A function names a global whose value cannot be told from another.
    """
    digest = hashlib.sha256(_compilers())
    digest.update(b"loops stay" if loops_stay(function.__module__) else b"")
    found: set[FunctionType] = set()
    waiting = [inspect.unwrap(function)]
    parts: list[str] = []
    while waiting:
        each = waiting.pop()
        if each not in found:
            found.add(each)
            part, callees = _own_part(each)
            parts.append(part)
            waiting.extend(callees)
    for part in sorted(parts):
        digest.update(part.encode())
    return digest.hexdigest()


@cache
def _compilers() -> bytes:
    """Digest of the files that say how kernels are compiled."""
    return hashlib.sha256(b"".join((ROOT / name).read_bytes() for name in COMPILERS)).digest()


@cache
def _own_part(function: FunctionType) -> tuple[str, tuple[FunctionType, ...]]:
    """What a function by itself adds to a digest, and the project's functions that it names."""
    callees: list[FunctionType] = []
    parts = [function.__module__, function.__qualname__, _text(function.__defaults__, callees)]
    cells = function.__closure__ or ()
    parts += [_text(cell.cell_contents, callees) for cell in cells]
    for code in codes_in(function.__code__):
        parts += [code.co_code.hex(), code.co_exceptiontable.hex()]
        parts += [repr((code.co_argcount, code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars))]
        constants = constants_of(function, code)
        parts += [_text(value, callees) for value in constants if not isinstance(value, CodeType)]
        # An attribute that is called like a global counts as that global, which does no harm.
        named = {name: function.__globals__[name] for name in code.co_names if name in function.__globals__}
        for name, value in named.items():
            if isinstance(value, ModuleType) and _is_ours(value.__name__):
                # So does one that is called like a name of a module.
                inside = [attribute for attribute in code.co_names if attribute in vars(value)]
                parts += [f"{name}.{attribute}={_text(getattr(value, attribute), callees)}" for attribute in inside]
            else:
                parts.append(f"{name}={_text(value, callees)}")
    return hashlib.sha256("\n".join(parts).encode()).hexdigest(), tuple(callees)


def codes_in(code: CodeType) -> Iterator[CodeType]:
    """Yield the code of a function and of all functions defined in it."""
    yield code
    for value in code.co_consts:
        if isinstance(value, CodeType):
            yield from codes_in(value)


def constants_of(function: Function, code: CodeType) -> tuple[Any, ...]:
    """Return the constants of a function's code, without its docstring."""
    return code.co_consts[1:] if code.co_consts[:1] == (function.__doc__,) else code.co_consts


def _text(value: Any, callees: list[FunctionType]) -> str:
    """Spell out a constant; a function of the project is named and noted in `callees`."""
    if isinstance(value, tuple | list):
        return f"{type(value).__name__}({', '.join(_text(each, callees) for each in value)})"
    if isinstance(value, frozenset):
        return f"frozenset({sorted(_text(each, callees) for each in value)})"
    if isinstance(value, np.ndarray):
        return f"array({value.dtype.descr}, {value.shape}, {value.tobytes().hex()})"
    if value is None or value is ... or isinstance(value, int | float | complex | str | bytes | np.generic):
        return f"{type(value).__name__} {value!r}"
    if isinstance(value, ModuleType):
        name, function = value.__name__, None
    else:
        function = inspect.unwrap(value)
        name = f"{getattr(function, '__module__', None)}.{getattr(function, '__qualname__', '')}"
        # Who calls a shared kernel holds a name in the place of its code.
        name += " shared" if getattr(value, "is_shared", False) else ""
    if isinstance(function, FunctionType):
        if _is_ours(name):
            callees.append(function)
        return name
    if _is_ours(name) or name.startswith("None."):
        raise TypeError(f"what a kernel names must be a number, a text, an array or a function: {value!r}")
    return name


def _is_ours(name: str) -> bool:
    """Tell whether a dotted name is one of the project's."""
    return name.startswith(tuple(f"{package}." for package in PACKAGES))


class _Locator(_CacheLocator):
    """Tells numba where a kernel is kept."""

    def __init__(self, function: Function, file: str) -> None:
        self._py_file = file  # numba names it in warnings
        self._digest = kernel_digest(function)
        name = f"{function.__module__}.{function.__qualname__}".replace("<locals>.", "")
        self._folder = cache_home() / build_name() / f"{name}-{self._digest[:16]}"

    def get_cache_path(self) -> str:
        return str(self._folder)

    def get_source_stamp(self) -> str:
        return self._digest

    def get_disambiguator(self) -> str:
        # numba would have the line number, but the digest tells functions of one name apart, wherever they stand.
        return "kernel"

    def ensure_cache_path(self) -> None:
        """Make nothing: `write_cached` makes the folder where it may be used."""


class _CachedCode:
    """The files of one kernel, one for each signature; numba would have an index, which can be damaged too."""

    def __init__(self, folder: str) -> None:
        self._folder = Path(folder)

    def _path(self, key: Any) -> Path:
        return self._folder / f"{hashlib.sha256(repr(key).encode()).hexdigest()[:32]}.nbc"

    def holds(self, key: Any) -> bool:
        return read_cached(self._path(key)) is not None

    def load(self, key: Any) -> Any:
        content = read_cached(self._path(key))
        return None if content is None else pickle.loads(content)

    def save(self, key: Any, data: Any) -> None:
        write_cached(self._path(key), dumps(data))

    def flush(self) -> None:
        for path in self._folder.glob("*.nbc"):
            path.unlink()


class _CacheImpl(CompileResultCacheImpl):
    """What numba asks about a kernel; numba's own `__init__` would keep kernels where its settings say."""

    def __init__(self, function: Function) -> None:
        self._lineno = function.__code__.co_firstlineno
        self._locator = _Locator(function, inspect.getfile(function))
        self._filename_base = "kernel"


class KernelCache(FunctionCache):
    """numba's cache of one function, whose place is looked up when it is first asked.

    Only then has everything that the function names been defined.
    """

    _impl_class = _CacheImpl

    def __init__(self, function: Function) -> None:
        self._function = function
        self._opened = False

    def _open(self) -> None:
        if not self._opened:
            super().__init__(self._function)
            self._cache_file: Any = _CachedCode(self._cache_path)
            self._opened = True

    @property
    def cache_path(self) -> str:
        """Folder of the kernel."""
        self._open()
        return str(self._cache_path)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return what is kept for a signature, None if nothing is."""
        self._open()
        kept = super().load_overload(sig, target_context)
        if kept is not None:
            with suppress(OSError):
                os.utime(self._cache_path)  # the time of a folder is when its kernel was last asked for
            return kept
        # numba compiles what it is not given here.
        log_compiling(PACKAGE_TITLES.get(self._function.__module__.partition(".")[0], "kernels"))
        return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep what was compiled for a signature."""
        self._open()
        super().save_overload(sig, data)

    def flush(self) -> None:
        """Forget what is kept."""
        self._open()
        super().flush()

    def holds(self, signature: Any) -> bool:
        """Tell whether the code for a signature is kept."""
        self._open()
        return bool(self._cache_file.holds(self._index_key(signature, cpu_target.target_context.codegen())))


def read_cached(path: Path) -> bytes | None:
    """Return what is kept in a file of the cache; None where it is missing or damaged, or may be somebody else's."""
    try:
        if doubt := reason_unsafe(path):
            warn_not_cached(doubt)
            return None
        if not path.is_file():
            return None
        content = path.read_bytes()
    except OSError:
        return None
    digest, content = content[:DIGEST_BYTES], content[DIGEST_BYTES:]
    return content if digest == _digest_of_kept(path, content) else None


def write_cached(path: Path, content: bytes) -> None:
    """Keep something in a file of the cache, so that whoever reads it gets all of it or nothing."""
    temporary = None
    try:
        if doubt := reason_outside(path):
            warn_not_cached(doubt)
            return
        make_private_folder(path.parent)
        if doubt := reason_unsafe(path.parent):
            warn_not_cached(doubt)
            return
        with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as file:
            temporary = Path(file.name)
            file.write(_digest_of_kept(path, content) + content)
        temporary.replace(path)
    except OSError as error:
        if temporary is not None:
            temporary.unlink(missing_ok=True)
        warn_not_cached(error.strerror or str(error))


def _digest_of_kept(path: Path, content: bytes) -> bytes:
    """Return the digest that stands before what is kept; the file of another kernel does not have it."""
    return hashlib.sha256(f"{path.parent.name}/{path.name}".encode() + content).digest()


def make_private_folder(path: Path) -> None:
    """Make a folder and those above it where they are missing, for nobody but the user."""
    if not path.is_dir():
        make_private_folder(path.parent)
        with suppress(FileExistsError):
            path.mkdir(0o700)


def cache_is_usable() -> bool:
    """Tell whether there is a folder, made where it was missing, in which kernels can be kept; say it if not."""
    try:
        make_private_folder(cache_home())
        doubt = reason_unsafe(cache_home())
    except OSError as error:
        doubt = error.strerror or str(error)
    if doubt:
        warn_not_cached(doubt)
    return not doubt


def reason_outside(path: Path) -> str:
    """Say that a path, with its links followed, is not one of the cache; nothing where it is."""
    return "" if path.resolve().is_relative_to(cache_home()) else f"{path} lies outside"


def reason_unsafe(path: Path) -> str:
    """Say why somebody else could have written what lies at a path of the cache; nothing where nobody could.

    The cache and all above it must belong to the user or to root, and nobody else may write there. Above the cache
    others may write to a folder like `/tmp`, from which only the owner removes things. What root does cannot be helped.
    Windows says who may write in other ways: there only the place is looked at.
    """
    if (outside := reason_outside(path)) or not hasattr(os, "geteuid"):
        return outside
    home, user = cache_home(), os.geteuid()
    for place in reversed((path, *path.parents)):
        status, in_cache = place.stat(), place.is_relative_to(home)
        if status.st_uid not in (user, 0):
            return f"{place} belongs to another user"
        if _others_write(status) and (in_cache or not status.st_mode & stat.S_ISVTX):
            return f"others can write {place}"
    return ""


def _others_write(status: os.stat_result) -> bool:
    """Tell whether a file or folder can be written by anybody but its owner, and those who are alone in its group."""
    in_group = bool(status.st_mode & stat.S_IWGRP) and not _group_is_the_users_own(status.st_gid)
    return in_group or bool(status.st_mode & stat.S_IWOTH)


@cache
def _group_is_the_users_own(group: int) -> bool:
    """Tell whether a group is one that systems give to each user, with the user's name and no other member."""
    import grp  # noqa: PLC0415 - Windows has neither
    import pwd  # noqa: PLC0415

    try:
        user, found = pwd.getpwuid(os.geteuid()), grp.getgrgid(group)
    except KeyError:
        return False
    return (user.pw_gid, user.pw_name) == (group, found.gr_name) and set(found.gr_mem) <= {user.pw_name}


@cache
def log_compiling(what: str) -> None:
    """Log once in a process that something has to be compiled; the command line prints it."""
    if not compiling_announced.is_set():
        logging.getLogger(__name__).info("compiling %s, once", what)


compiling_announced = threading.Event()
"""Set where a word on compiling has been given already, which says more than the log can."""


def warn_not_cached(reason: str) -> None:
    """Say once in a process that compiled kernels cannot be kept, so that every start takes long."""
    if not warned_not_cached.is_set():
        warned_not_cached.set()
        logging.getLogger(__name__).warning(
            "compiled kernels cannot be kept in %s (%s): every start compiles them. "
            "EMPIRELAB_CACHE names another folder",
            cache_home(),
            reason,
        )


warned_not_cached = threading.Event()
"""Set once it has been said that nothing can be kept."""


def drop_old_kernels(unused_days: float = UNUSED_DAYS, most_bytes: int = MAX_CACHE_BYTES) -> None:
    """Remove kernels unused for long, then the ones unused for longest, until the rest take at most so many bytes."""
    home = cache_home()
    if not home.is_dir() or reason_unsafe(home):
        return
    folders = [(path.stat().st_mtime, path) for path in home.glob("*/*") if path.is_dir()]
    taken = 0
    for used, folder in sorted(folders, reverse=True):
        taken += sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
        if taken > most_bytes or used < time.time() - unused_days * 86_400:
            shutil.rmtree(folder, ignore_errors=True)
