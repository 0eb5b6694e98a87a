"""Tells authors of players and of compiled games why and in which line their code fails or does not compile."""

from __future__ import annotations

import ast
import re
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from sim.compiler.kernel import compiled
from sim.compiler.source_digest import file_of, is_outside, is_outside_file
from sim.errors import UserError, nearest
from sim.game import GameSpec

COMPILER_HINTS = (
    ("to float64 for '$", "score must return a number on every path"),
    ("type of <class 'function'>", "put @kernel from sim.compiler.kernel before a function that score calls"),
)
"""Parts of the compiler's messages, and what each means for the author of a strategy."""


def compile_reason(error: Exception, path: Path, records: Sequence[np.dtype[Any]]) -> tuple[str, int | None]:
    """Return why a strategy does not compile, as one line of text, and the line number in its file, or None.

    `error` is numba's. `records` are the dtypes of the records that a strategy may read. If the strategy reads a field
    that does not exist, the reason suggests the field with the nearest name.
    """
    if isinstance(error, KeyError):
        field = str(error.args[0])
        near = nearest(field, [name for record in records for name in record.names or ()])
        reason = f"g, t and w have no field {field!r}" + (f"; did you mean {near!r}?" if near else "")
        return reason, line_naming(path, field)
    # numba describes a record type field by field, with thousands of characters.
    text = re.sub(r"Record\(\[.*?\], \d+, (True|False)\)", "Record", str(error), flags=re.DOTALL)
    text = re.sub(r"Function\(<(?:built-in )?function ([^ >]+)[^>]*>\)", r"\1", text)
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    start = next((number for number, line in enumerate(lines) if not line.startswith(("Failed in", "-", "During"))), 0)
    reason = " ".join(lines[start : start + 2]) if lines[start].endswith(":") else lines[start]
    reason = reason.replace(", defined at None", "")
    for part, hint in COMPILER_HINTS:
        if part in reason:
            reason = f"{reason} ({hint})"
    places = re.findall(rf'{re.escape(path.name)}"?(?:, line |:| \()(\d+)', text)
    named = re.search(r"name '(\w+)'", text)
    return reason, int(places[-1]) if places else line_naming(path, named[1]) if named else None


@contextmanager
def kernel_errors_told(game: GameSpec) -> Iterator[None]:
    """In a `with` block: turn errors in kernels of games outside the project into UserErrors for their authors."""
    try:
        yield
    except Exception as error:
        if isinstance(error, UserError) or game.plain is not None or not is_outside(game.play_step):
            raise
        raise kernel_failure(game, error) from error


def kernel_failure(game: GameSpec, error: Exception) -> UserError:
    """Return the error for the author of a compiled game: why a kernel fails, with file and line."""
    places = [
        (Path(loc.filename), int(loc.line))
        for frame, _ in traceback.walk_tb(error.__traceback__)
        if (loc := getattr(frame.f_locals.get("self"), "loc", None)) is not None and hasattr(loc, "filename")
    ]
    places += [(Path(file), int(line)) for file, line in re.findall(r'File "([^"]+)", line (\d+)', str(error))]
    places += [(Path(frame.f_code.co_filename), line) for frame, line in traceback.walk_tb(error.__traceback__)]
    own = [place for place in places if is_outside_file(place[0])]
    file, line = own[-1] if own else (file_of(game.play_step), 0)
    reason, named = compile_reason(error, file, (game.state, game.tables))
    line = line or named or 0
    allowed = "NUMBA_DISABLE_JIT=1 before the same command names the line" if compiled() and not line else None
    return UserError(f"a kernel of the game fails: {reason}", file=f"{file}:{line}" if line else file, allowed=allowed)


def line_naming(path: Path, name: str) -> int | None:
    """Return the first line of a Python file in which this name or attribute occurs."""
    try:
        nodes = list(ast.walk(ast.parse(path.read_bytes())))
    except (OSError, SyntaxError):
        return None
    lines = [node.lineno for node in nodes if isinstance(node, ast.Attribute) and node.attr == name]
    lines += [node.lineno for node in nodes if isinstance(node, ast.Name) and node.id == name]
    return min(lines, default=None)
