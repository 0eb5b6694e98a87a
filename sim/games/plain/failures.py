"""Explains errors to the author of a game: the file and the line, the expected value, the nearest name."""

from __future__ import annotations

import traceback
from collections.abc import Sequence
from pathlib import Path

from sim.errors import UserError, nearest, what_was_raised


def told_failure(error: BaseException, files: Sequence[str], message: str, file: object = None) -> UserError:
    """Turn an error in an author's code into a UserError with the last of the author's lines in the traceback.

    Parameters
    ----------
    files
        Names of the author's files in tracebacks.
    message
        What failed.
    file
        The file to name if none of the lines is the author's.
    """
    if isinstance(error, UserError):
        return error
    lines = [
        (frame.f_code.co_filename, line)
        for frame, line in traceback.walk_tb(error.__traceback__)
        if frame.f_code.co_filename in files
    ]
    if isinstance(error, SyntaxError) and error.filename in files:
        lines.append((str(error.filename), error.lineno or 1))
    place = f"{shown(lines[-1][0])}:{lines[-1][1]}" if lines else file
    text = error.args[0] if isinstance(error, KeyError) and error.args else None
    raised = f"KeyError: {text}" if isinstance(text, str) and " " in text else what_was_raised(error)
    raised = raised.replace("'types.SimpleNamespace' object", "the state")
    return UserError(f"{message}: {raised}{suggestion(error)}", file=str(place) if place else None)


def shown(path: str) -> str:
    """Return a path relative to the working directory if it is inside it."""
    here = Path.cwd()
    return str(Path(path).relative_to(here)) if Path(path).is_relative_to(here) else path


def suggestion(error: BaseException) -> str:
    """Return a hint at the nearest name for a missing attribute, variable or key; empty if none is similar."""
    if isinstance(error, AttributeError) and error.name and "did you mean" not in str(error):
        near = nearest(error.name, [name for name in dir(error.obj) if not name.startswith("_")])
    elif isinstance(error, NameError) and error.name and error.__traceback__ is not None:
        frames = [frame for frame, _ in traceback.walk_tb(error.__traceback__)]
        known = [name for frame in frames[-2:] for name in frame.f_locals]
        near = nearest(error.name, [*known, *frames[-1].f_globals])
    else:
        near = None
    return f"; did you mean {near!r}?" if near else ""
