"""Caches compiled kernels between processes, by content.

numba looks up a kernel by the path and date of its file. Here the key is a digest of the code of all functions that the
kernel can run, of the constants that they name, and of the files that determine how kernels are compiled. So after an
edit of a function only the kernels that can run it are compiled again. An edit of comments or docstrings compiles
nothing, except in those files (`COMPILERS`). Another checkout with the same code finds the same kernels.

Cached code is executed, so a cache file is read only if its digest is right and no other user could have written it.
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
from numba.core.runtime.nrt import rtsys
from numba.core.serialize import dumps

from sim.compiler.source_digest import ROOT, is_ours, is_outside, loops_stay

COMPILERS = ("sim/compiler/kernel.py", "sim/compiler/linking.py")
"""Files that determine how kernels are compiled."""

LINKING_KNOWS = "0.68.1"
"""The version of numba whose internals `sim.compiler.linking` uses."""

config._config_fname = ""  # otherwise numba reads settings from the current folder each time it compiles

Function = Callable[..., Any]

PACKAGE_TITLES = {"sim": "the engine", "strategies": "the players", "reports": "the statistics"}
"""For each package, the words by which messages refer to its kernels."""
UNUSED_DAYS = 30
"""Number of days after which an unused kernel is removed."""
DIGEST_BYTES = hashlib.sha256().digest_size
"""Number of bytes of the digest at the beginning of each file."""
MAX_CACHE_BYTES = 500_000_000
"""Maximum total size of all kernels in bytes; the least recently used are removed first."""


def cache_home() -> Path:
    """Return the folder of the cache: `EMPIRELAB_CACHE`, otherwise the user's cache folder."""
    named = os.environ.get("EMPIRELAB_CACHE") or platformdirs.user_cache_dir("empirelab", appauthor=False)
    return Path(named).resolve()


def kernels_are_linked() -> bool:
    """Tell whether `sim.compiler.linking` links kernels.

    Kernels are linked if numba has the version LINKING_KNOWS and `EMPIRELAB_PLAIN_NUMBA` is not set.
    """
    return numba.__version__ == LINKING_KNOWS and not os.environ.get("EMPIRELAB_PLAIN_NUMBA")


def checks_bounds() -> bool:
    """Tell whether kernels check every index (`EMPIRELAB_CHECK_BOUNDS`). The checks are slow and meant for tests."""
    return bool(os.environ.get("EMPIRELAB_CHECK_BOUNDS"))


@cache
def build_name() -> str:
    """Return the cache folder's name for this build.

    The name covers all that determines machine code, except the project's code.
    """
    processor = hashlib.sha256(repr(cpu_target.target_context.codegen().magic_tuple()).encode()).hexdigest()[:8]
    versions = f"numba{numba.__version__}-llvmlite{llvmlite.__version__}-numpy{np.__version__}"
    way = "linked" if kernels_are_linked() else "plain"
    bounds = "-bounds" if checks_bounds() else ""
    return f"{versions}-py{platform.python_version()}-{processor}-{way}{bounds}-digests"


def kernel_digest(function: Function) -> str:
    """Return the SHA-256 of all that determines a function's machine code, except what `build_name` covers.

    Raise TypeError if a function names a global whose value has no digest.
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
    """Return the digest of the files that determine how kernels are compiled."""
    return hashlib.sha256(b"".join((ROOT / name).read_bytes() for name in COMPILERS)).digest()


@cache
def _own_part(function: FunctionType) -> tuple[str, tuple[FunctionType, ...]]:
    """Return two things: the digest of a function's own code, and the functions of the project that the code names."""
    callees: list[FunctionType] = []
    parts = [function.__module__, function.__qualname__, _text(function.__defaults__, callees)]
    cells = function.__closure__ or ()
    parts += [_text(cell.cell_contents, callees) for cell in cells]
    for code in codes_in(function.__code__):
        parts += [code.co_code.hex(), code.co_exceptiontable.hex()]
        parts += [repr((code.co_argcount, code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars))]
        constants = constants_of(function, code)
        parts += [_text(value, callees) for value in constants if not isinstance(value, CodeType)]
        # `co_names` holds globals and attributes. An attribute named like a global only adds that global to the digest.
        named = {name: function.__globals__[name] for name in code.co_names if name in function.__globals__}
        for name, value in named.items():
            if isinstance(value, ModuleType) and is_ours(value.__name__):
                # Again, an attribute named like an object of the module only adds that object to the digest.
                inside = [attribute for attribute in code.co_names if attribute in vars(value)]
                parts += [f"{name}.{attribute}={_text(getattr(value, attribute), callees)}" for attribute in inside]
            else:
                parts.append(f"{name}={_text(value, callees)}")
    return hashlib.sha256("\n".join(parts).encode()).hexdigest(), tuple(callees)


def codes_in(code: CodeType) -> Iterator[CodeType]:
    """Yield the code objects of a function and of all functions defined in it."""
    yield code
    for value in code.co_consts:
        if isinstance(value, CodeType):
            yield from codes_in(value)


def constants_of(function: Function, code: CodeType) -> tuple[Any, ...]:
    """Return the constants of a function's code, without its docstring."""
    return code.co_consts[1:] if code.co_consts[:1] == (function.__doc__,) else code.co_consts


def _text(value: Any, callees: list[FunctionType]) -> str:
    """Return a constant as a string; if it is a function of the project, add it to `callees`."""
    if isinstance(value, tuple | list):
        return f"{type(value).__name__}({', '.join(_text(each, callees) for each in value)})"
    if isinstance(value, frozenset):
        return f"frozenset({sorted(_text(each, callees) for each in value)})"
    if isinstance(value, np.ndarray):
        return f"array({value.dtype.descr}, {value.shape}, {value.tobytes().hex()})"
    if isinstance(value, np.dtype | numba.types.Type):  # machine code depends on the layout of records
        return f"type {value}"
    if value is None or value is ... or isinstance(value, int | float | complex | str | bytes | np.generic):
        return f"{type(value).__name__} {value!r}"
    if isinstance(value, ModuleType):
        name, function = value.__name__, None
    else:
        function = inspect.unwrap(value)
        name = f"{getattr(function, '__module__', None)}.{getattr(function, '__qualname__', '')}"
        # A caller of a shared kernel contains a symbol instead of the kernel's code.
        name += " shared" if getattr(value, "is_shared", False) else ""
    if isinstance(function, FunctionType):
        if is_ours(name):
            callees.append(function)
        return name
    if is_ours(name) or name.startswith("None."):
        raise TypeError(f"what a kernel names must be a number, a text, an array or a function: {value!r}")
    return name


class _Locator(_CacheLocator):
    """Tells numba where to cache a kernel."""

    def __init__(self, function: Function, file: str) -> None:
        self._py_file = file  # numba names this file in warnings
        self._digest = kernel_digest(function)
        name = f"{function.__module__}.{function.__qualname__}".replace("<locals>.", "")
        self._folder = cache_home() / build_name() / f"{name}-{self._digest[:16]}"

    def get_cache_path(self) -> str:
        return str(self._folder)

    def get_source_stamp(self) -> str:
        return self._digest

    def get_disambiguator(self) -> str:
        # numba would use the line number, but the digest already distinguishes functions of the same name.
        return "kernel"

    def ensure_cache_path(self) -> None:
        """Do nothing: `write_cached` makes the folder."""


class _CachedCode:
    """The cache files of one kernel, one per signature. numba's index file is not used, because it could be damaged."""

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
    """Lets numba cache kernels where `_Locator` says; numba's own `__init__` takes the folder from settings."""

    def __init__(self, function: Function) -> None:
        self._lineno = function.__code__.co_firstlineno
        self._locator = _Locator(function, inspect.getfile(function))
        self._filename_base = "kernel"


class KernelCache(FunctionCache):
    """numba's cache of one function. Its folder is determined at first use, when all names in the function exist."""

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
        """Return the cached code for a signature; None if it is not cached.

        numba's own method first initialises numba's registries of types and functions, which takes 0.2 s. Kernels of
        the project need only numba's runtime. Kernels from outside may need more.
        """
        self._open()
        if is_outside(self._function):
            kept = super().load_overload(sig, target_context)
        else:
            rtsys.initialize(target_context)
            with self._guard_against_spurious_io_errors():
                kept = self._load_overload(sig, target_context)
        if kept is not None:
            with suppress(OSError):
                os.utime(self._cache_path)  # the folder's modification time records when its kernel was last used
            return kept
        # If this returns None, numba compiles the function.
        log_compiling(PACKAGE_TITLES.get(self._function.__module__.partition(".")[0], "kernels"))
        return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Cache the code compiled for a signature."""
        self._open()
        super().save_overload(sig, data)

    def flush(self) -> None:
        """Remove the cached code."""
        self._open()
        super().flush()

    def holds(self, signature: Any) -> bool:
        """Tell whether the code for a signature is cached."""
        self._open()
        return bool(self._cache_file.holds(self._index_key(signature, cpu_target.target_context.codegen())))


def read_cached(path: Path) -> bytes | None:
    """Return the content of a cache file; None if the file is missing, damaged, or could be another user's work."""
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
    """Write a cache file atomically."""
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
    """Return the digest that a cache file begins with; it covers the file's name, so that files cannot be swapped."""
    return hashlib.sha256(f"{path.parent.name}/{path.name}".encode() + content).digest()


def make_private_folder(path: Path) -> None:
    """Make a folder and its missing parents, accessible to the user only; existing folders are not changed."""
    if not path.is_dir():
        make_private_folder(path.parent)
        with suppress(FileExistsError):
            path.mkdir(0o700)


def cache_is_usable() -> bool:
    """Make the cache's folder, and tell whether kernels can be cached there; warn if they cannot."""
    try:
        make_private_folder(cache_home())
        doubt = reason_unsafe(cache_home())
    except OSError as error:
        doubt = error.strerror or str(error)
    if doubt:
        warn_not_cached(doubt)
    return not doubt


def reason_outside(path: Path) -> str:
    """Return a message if a path, with links resolved, is outside the cache; an empty string if it is inside."""
    return "" if path.resolve().is_relative_to(cache_home()) else f"{path} lies outside"


def reason_unsafe(path: Path) -> str:
    """Return why a file of the cache may be the work of other users; an empty string if it cannot be.

    The cache and all its parent folders must belong to the user or root, and nobody else may write there. A parent like
    `/tmp` is an exception: others may write there, but only the owner of a file can remove it. On Windows, which has
    other permissions, only the path is checked.
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
    """Tell whether anyone but the owner can write a file or folder. A group with no other member does not count."""
    in_group = bool(status.st_mode & stat.S_IWGRP) and not _group_is_the_users_own(status.st_gid)
    return in_group or bool(status.st_mode & stat.S_IWOTH)


@cache
def _group_is_the_users_own(group: int) -> bool:
    """Tell whether a group is the user's private group, with the user's name and no other member."""
    import grp  # noqa: PLC0415 - Windows has neither
    import pwd  # noqa: PLC0415

    try:
        user, found = pwd.getpwuid(os.geteuid()), grp.getgrgid(group)
    except KeyError:
        return False
    return (user.pw_gid, user.pw_name) == (group, found.gr_name) and set(found.gr_mem) <= {user.pw_name}


@cache
def log_compiling(what: str) -> None:
    """Log, once in a process, that `what` is being compiled; the command line prints this message."""
    if not compiling_announced.is_set():
        logging.getLogger(__name__).info("compiling %s, once", what)


compiling_announced = threading.Event()
"""Set after a more informative message about compiling has been shown."""


def warn_not_cached(reason: str) -> None:
    """Warn, once in a process, that kernels cannot be cached, so that every start is slow."""
    if not warned_not_cached.is_set():
        warned_not_cached.set()
        logging.getLogger(__name__).warning(
            "compiled kernels cannot be kept in %s (%s): every start compiles them. "
            "EMPIRELAB_CACHE names another folder",
            cache_home(),
            reason,
        )


warned_not_cached = threading.Event()
"""Set after the warning of `warn_not_cached` has been logged."""


def drop_old_kernels(unused_days: float = UNUSED_DAYS, most_bytes: int = MAX_CACHE_BYTES) -> None:
    """Remove kernels unused for `unused_days`, then the least recently used until the rest fits in `most_bytes`."""
    home = cache_home()
    if not home.is_dir() or reason_unsafe(home):
        return
    folders = [(path.stat().st_mtime, path) for path in home.glob("*/*") if path.is_dir()]
    taken = 0
    for used, folder in sorted(folders, reverse=True):
        taken += sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
        if taken > most_bytes or used < time.time() - unused_days * 86_400:
            shutil.rmtree(folder, ignore_errors=True)
