"""Imports and digests the Python file of a game that a user has named, with the modules next to it."""

from __future__ import annotations

import ast
import hashlib
import importlib.util
import inspect
import linecache
import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from types import ModuleType
from typing import Any

from sim.compiler.source_digest import PACKAGES
from sim.data.catalog import digest
from sim.errors import UserError
from sim.games.plain.failures import shown, told_failure

MODULE = "empirelab_game_"
"""Prefix of the module names of games."""


def import_file(file: Path) -> ModuleType:
    """Import a game's file that the user has named, with the modules next to it.

    Raise UserError if there is no such file, or it cannot be imported.
    """
    if not is_there(file):
        beside: list[str] = []
        with suppress(OSError):
            beside = sorted(path.name for path in file.parent.iterdir() if path.suffix == ".py")
        raise UserError("no such game file", file=file, found=file.name, allowed=beside or "a Python file")
    whole = file.resolve()
    name = MODULE + hashlib.sha256(str(whole).encode()).hexdigest()[:8] + f"_{whole.stem}"
    spec = importlib.util.spec_from_file_location(name, whole)
    if spec is None or spec.loader is None:
        raise UserError("not a Python file", file=file, allowed="a file whose name ends in .py")
    module = importlib.util.module_from_spec(spec)
    known = set(map(str, modules_beside(whole)))
    for other in [key for key, each in sys.modules.items() if getattr(each, "__file__", None) in known]:
        del sys.modules[other]  # the file may have changed since its import, as in a notebook
    sys.modules[name] = module
    linecache.checkcache(str(whole))
    folder = str(whole.parent)
    sys.path.insert(0, folder)
    try:
        exec(compile(whole.read_bytes(), str(whole), "exec", dont_inherit=True), vars(module))
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        del sys.modules[name]
        raise told_failure(error, (str(whole),), "the file does not import", file) from error
    finally:
        sys.path.remove(folder)
        if folder not in sys.path:
            sys.path.append(folder)  # imports inside functions run later and need this folder
    return module


def modules_beside(file: Path) -> list[Path]:
    """Return a file and all files in or below its folder that it imports, directly or through others.

    Imports are found by reading the source.
    """
    found: list[Path] = []
    waiting = [file]
    while waiting:
        path = waiting.pop()
        if path not in found and path.is_file():
            found.append(path)
            waiting += imported_beside(path, file.parent)
    return sorted(found)


def imported_beside(path: Path, folder: Path) -> Iterator[Path]:
    """Yield the paths in a folder that a Python file's import statements may refer to. The files need not exist."""
    try:
        nodes = list(ast.walk(ast.parse(path.read_bytes())))
    except (SyntaxError, ValueError):  # the import of the file reports this error
        return
    for node in nodes:
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            home = "." * node.level + (node.module or "")
            names = [home.lstrip("."), *(f"{home}.{alias.name}".lstrip(".") for alias in node.names)]
        for name in names:
            if name.partition(".")[0] in ("", "empirelab", *PACKAGES):
                continue
            parts = name.split(".")
            for length in range(1, len(parts) + 1):
                place = folder.joinpath(*parts[:length])
                yield place.with_suffix(".py")
                yield place / "__init__.py"


def place_of_name(files: Iterable[Path], name: str) -> str | None:
    """Return the file and line that define NAME or CLASS.NAME; None if no file does."""
    owner, _, own = name.rpartition(".")
    for path in files:
        tree = ast.parse(path.read_bytes())
        classes = [node for node in ast.walk(tree) if isinstance(node, ast.ClassDef) and node.name == owner]
        for node in (node for body in (classes if owner else [tree]) for node in body.body):
            targets: list[Any] = getattr(node, "targets", [getattr(node, "target", node)])
            if own in [getattr(target, "id", getattr(target, "name", None)) for target in targets]:
                return f"{shown(str(path))}:{node.lineno}"
    return None


def source_of(thing: Any) -> str:
    """Return the source of a class or function; "" if it is not available."""
    try:
        return inspect.getsource(thing)
    except (OSError, TypeError):
        return ""


def is_there(file: Path) -> bool:
    """Tell whether a file exists. A name that the system rejects, such as one that is too long, counts as missing."""
    try:
        return file.is_file()
    except OSError:
        return False


def stamp_of(file: Path) -> str:
    """Return the SHA-256 of a game's file and the modules next to it. It covers their text and their relative paths."""
    if not is_there(file):
        return ""
    whole = file.resolve()
    return digest(
        {
            os.path.relpath(path, whole.parent): path.read_text("utf-8", "backslashreplace")
            for path in modules_beside(whole)
        }
    )


def own_file(kind: type) -> Path | None:
    """Return the Python file of a class; None for a class from a notebook, a prompt or the main script."""
    try:
        path = Path(inspect.getfile(kind))
    except (TypeError, OSError):
        return None
    return path.resolve() if path.suffix == ".py" and path.is_file() and kind.__module__ != "__main__" else None
