"""Finds the project's files that a function's code comes from, and computes their digests."""

from __future__ import annotations

import ast
import hashlib
import inspect
import os
import sys
import sysconfig
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("sim", "strategies", "reports", "tests", "docs.examples.goofspiel")
"""Packages of the project. The tests and the game in the docs belong to them, so their kernels are cached, too."""
FOLDERS = tuple(ROOT.joinpath(*package.split(".")) for package in PACKAGES)
OUTSIDE: dict[str, Path] = {}
"""Packages of compiled games outside the project, each with the folder that contains it.

The user has named such a package or installed it.
"""

GUARDED = "EMPIRELAB_GUARD"
"""Environment variable with the folder of a sandboxed process (`sim.players.sandbox`), which runs code from outside. It
is set but empty if the caller has a sandbox of its own."""


def own_program(module: str, *arguments: str) -> list[str]:
    """Return the command that runs a module of the project, without imports from the current folder (-P)."""
    return [sys.executable, "-P", "-m", module, *arguments]


def own_environment() -> dict[str, str]:
    """Return the environment in which `own_program` finds this copy of the project, installed or not."""
    if Path(sysconfig.get_path("purelib")) == ROOT:
        return dict(os.environ)
    known = os.environ.get("PYTHONPATH")
    return os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT), *([known] if known else [])])}


def file_of(function: Callable[..., Any]) -> Path:
    """Return the source file of a function, compiled or not."""
    return _resolved(inspect.unwrap(function).__code__.co_filename)


@cache
def _resolved(name: str) -> Path:
    """Return the resolved path of a source file; cached, because a game has hundreds of kernels in a few files."""
    return Path(name).resolve()


@cache
def _is_within(file: Path, folders: tuple[Path, ...]) -> bool:
    """Tell whether a file is in one of these folders."""
    return any(file.is_relative_to(folder) for folder in folders)


def add_package(name: str, around: Path) -> None:
    """Treat the package `name` in the folder `around` like the project: its code is digested and cached."""
    OUTSIDE[name] = around
    sources_of.cache_clear()
    _imported_files.cache_clear()


def is_ours(name: str) -> bool:
    """Tell whether a dotted name belongs to the project or to the package of an outside game."""
    return name.startswith(tuple(f"{package}." for package in (*PACKAGES, *OUTSIDE)))


def is_outside(function: Callable[..., Any]) -> bool:
    """Tell whether a function belongs to a game outside the project."""
    return is_outside_file(file_of(function))


def is_outside_file(path: Path) -> bool:
    """Tell whether a file belongs to a game outside the project."""
    return any(path.resolve().is_relative_to(around / name) for name, around in OUTSIDE.items())


def is_project_code(function: Callable[..., Any]) -> bool:
    """Tell whether a function is part of the project or of an outside game, so that its source files are known."""
    return _is_within(file_of(function), FOLDERS) or is_outside(function)


INVARIANTS = "invariants.py"
"""Name of the files with functions that check games. These functions may create arrays."""


def plays_games(function: Callable[..., Any]) -> bool:
    """Tell whether a function is in `sim` or `strategies`, but not an invariant. Such functions create no arrays."""
    file = file_of(function)
    return file.name != INVARIANTS and _is_within(file, (ROOT / "sim", ROOT / "strategies"))


def loops_stay(module: str) -> bool:
    """Tell whether the loops of a module's game are compiled without unrolling (`LOOPS_STAY` of its package).

    Unrolled or vectorised loops over a few cards save time, but they fill the processor's instruction cache. Which
    effect is larger depends on the game; `bench` measures it.
    """
    return bool(getattr(sys.modules.get(f"sim.games.{game_of_module(module)}"), "LOOPS_STAY", False))


def game_of_module(module: str) -> str:
    """Return the game to whose rules or players a module (a dotted name) belongs; empty for other modules."""
    room, _, rest = module.removeprefix("sim.").partition(".")
    game = rest.partition(".")[0] if room in ("games", "strategies") else ""
    return "" if game == "shared" else game


@cache
def sources_of(path: Path) -> frozenset[Path]:
    """Return all project files that determine the code of `path`: the file itself and all that it imports."""
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
    """Return the project files that a file imports or from which it imports names."""
    modules = []
    for line in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(line, ast.Import):
            modules += [alias.name for alias in line.names]
        elif isinstance(line, ast.ImportFrom):
            above = Path(place_in_package(path)).parts[: -line.level] if line.level else ()
            home = ".".join([*above, *([line.module] if line.module else [])])
            # The names may be modules: `from package import module` imports the file of the last name.
            modules += [home, *(f"{home}.{alias.name}" for alias in line.names)]
    ours = [module for module in modules if is_ours(f"{module}.")]
    folders = [OUTSIDE.get(module.partition(".")[0], ROOT).joinpath(*module.split(".")) for module in ours]
    files = [file for folder in folders for file in (folder.with_suffix(".py"), folder / "__init__.py")]
    return tuple(file for file in files if file.is_file())


def place_in_package(path: Path) -> str:
    """Return the path of a file relative to the folder that contains its package."""
    around = next((around for name, around in OUTSIDE.items() if path.is_relative_to(around / name)), ROOT)
    return path.relative_to(around).as_posix()


def source_digest(paths: Iterable[Path]) -> str:
    """Return the SHA-256 of the names (`place_in_package`) and the contents of files."""
    digest = hashlib.sha256()
    for path in sorted(paths):
        digest.update(place_in_package(path).encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()


def digest_of_code(functions: Iterable[Callable[..., Any]]) -> str:
    """Return the SHA-256 of all files whose code these functions can run.

    Functions with unknown sources (`is_project_code`) are ignored.
    """
    files = [file_of(function) for function in functions if is_project_code(function)]
    return source_digest(frozenset().union(*(sources_of(file) for file in files)))
