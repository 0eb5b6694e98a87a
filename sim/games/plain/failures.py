"""Explains errors to the author of a game: names the file and line, the expected value and the nearest valid name."""

from __future__ import annotations

import re
import traceback
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from sim.data.place import own_lines
from sim.errors import UserError, close, nearest, what_was_raised
from sim.games.plain.content import locate_row, name_of_row
from sim.games.plain.interface import DataRow


def told_failure(error: BaseException, files: Sequence[str], message: str, file: object = None) -> UserError:
    """Convert an error to a UserError: `message`, the error's own text, and a hint. A UserError stays as it is.

    `files` are the author's files, as tracebacks name them. The result names the last line of the traceback that lies
    in one of them or, if there is no such line, `file`.
    """
    if isinstance(error, UserError):
        return error
    lines = own_lines(error, files.__contains__)
    if isinstance(error, SyntaxError) and error.filename in files:
        lines.append((str(error.filename), error.lineno or 1))
    place = f"{shown(lines[-1][0])}:{lines[-1][1]}" if lines else file
    text = error.args[0] if isinstance(error, KeyError) and error.args else None
    raised = f"KeyError: {text}" if isinstance(text, str) and " " in text else what_was_raised(error)
    raised = raised.replace("'types.SimpleNamespace' object", "the state")
    return UserError(f"{message}: {raised}{suggestion(error)}", file=str(place) if place else None)


def shown(path: str) -> str:
    """Return a path for messages. A path in the working directory becomes relative; any other path stays unchanged."""
    here = Path.cwd()
    return str(Path(path).relative_to(here)) if Path(path).is_relative_to(here) else path


def place_of(function: object) -> str | None:
    """Return the file and line where a Python function begins, for messages; None for anything else."""
    code = getattr(function, "__code__", None)
    return None if code is None else f"{shown(code.co_filename)}:{code.co_firstlineno}"


def suggestion(error: BaseException) -> str:
    """Return a hint with the nearest name for a missing attribute, variable or key; empty if none is similar."""
    if isinstance(error, AttributeError) and isinstance(error.obj, DataRow):
        near = None  # the message of `DataRow` already names the nearest field
    elif isinstance(error, AttributeError) and error.name and "did you mean" not in str(error):
        near = nearest(error.name, [name for name in dir(error.obj) if not name.startswith("_")])
    elif isinstance(error, NameError) and error.name and error.__traceback__ is not None:
        frames = [frame for frame, _ in traceback.walk_tb(error.__traceback__)]
        known = [name for frame in frames[-2:] for name in frame.f_locals]
        near = nearest(error.name, [*known, *frames[-1].f_globals])
    else:
        near = None
    return f"; did you mean {near!r}?" if near else ""


def missing_field(
    error: BaseException, files: Sequence[str], message: str, data: Mapping[str, Any], file: str
) -> UserError | None:
    """If the game failed because a row of the data lacks a field, return an error that says so; otherwise None.

    The error names the row of `file` if other rows of the table have the field. Otherwise it says `message`, and names
    the line that reads the field.
    """
    frames = list(traceback.walk_tb(error.__traceback__))
    if not frames or frames[-1][0].f_code not in (DataRow.__getattr__.__code__, DataRow.__missing__.__code__):
        return None
    row, name = (frames[-1][0].f_locals[each] for each in ("self", "name"))
    found = locate_row(data, row)
    lines = own_lines(error, files.__contains__)
    if found is None or not lines:
        return None
    table, rows, number = found
    line = f"{shown(lines[-1][0])}:{lines[-1][1]}"
    others = [each for each in rows if each is not row]
    having = sum(name in each for each in others)
    if having:
        near = nearest(name, [each for each in row if not any(each in other for other in others)])
        hint = f", but {near!r}" if near else ""
        said = "the other rows have it" if having == len(others) else f"{having} of {len(rows)} rows have it"
        return UserError(
            f"this row of [[{table}]] has no {name!r}{hint}; {said}, and {line} reads it", file=file,
            row=name_of_row(rows, number), field=f"{table}.{name}",
        )  # fmt: skip
    near = nearest(name, row)
    hint = f"did you mean {near!r}?" if near and close(name, near, 0.75) else f"it has {', '.join(row)}"
    where = f"[{table}]" if data[table] is row else f"[[{table}]]"
    return UserError(f"{message}: {where} in {file} has no {name!r}; {hint}", file=line)


def text_for_number(
    error: BaseException, files: Sequence[str], content: Mapping[str, Any], file: Path
) -> UserError | None:
    """If the game failed because the data have a string instead of a number, return an error that says so; else None.

    `content` are the numbers of the game, and `file` is the file that they come from.
    """
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename in files]
    if not isinstance(error, TypeError | ValueError) or not re.search("str|sequence", str(error)) or not frames:
        return None
    last = frames[-1]
    words = re.findall(r"\w+", last.line or "")
    texts = list(texts_among_numbers(content))
    # Strings in fields that the failing line names come first. Then come strings in columns of numbers, because the
    # line may get the name of the field from elsewhere.
    for table, name, row, found, others in sorted(texts, key=lambda text: text[1] not in words):
        if name in words or others:
            allowed = "a number, as in the other rows" if others else "a number"
            return UserError(
                "a number of the data is a string", file=shown(str(file)), row=row, field=f"{table}.{name}",
                found=found,
                allowed=f"{allowed}: {shown(last.filename)}:{last.lineno} computes with it",
            )  # fmt: skip
    return None


def texts_among_numbers(content: Mapping[str, Any]) -> Iterator[tuple[str, str, str | None, str, int]]:
    """Yield every string in a column that otherwise has only numbers.

    For each, yield its table, its field, its row, the string, and the number of other entries in the column.
    """
    for table, value in content.items():
        rows = [value] if isinstance(value, Mapping) else value if isinstance(value, list | tuple) else []
        for number, row in enumerate((row for row in rows if isinstance(row, Mapping)), start=1):
            for name, found in row.items():
                others = [each[name] for each in rows if each is not row and name in each]
                if isinstance(found, str) and all(isinstance(each, int | float) for each in others):
                    label = None if value is not rows else str(row.get("name", number))
                    yield table, name, label, found, len(others)
