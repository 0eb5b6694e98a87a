"""Reads users' JSON files, which have one object, or one object per line."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn

from sim.data.files import MAX_BYTES, SHALLOW, check_size, lines_within, read_within, too_deep
from sim.errors import UserError


def read_limited_text(path: Path, most: int = MAX_BYTES) -> str:
    """Read a UTF-8 text; raise UserError if the file is missing, too large, unreadable or not UTF-8."""
    try:
        with while_reading(path):
            return read_within(path, most).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise no_text(path, error.object.count(b"\n", 0, error.start) + 1) from None


@contextmanager
def while_reading(path: Path) -> Iterator[None]:
    """In a `with` block: raise UserError if a file is missing or cannot be read."""
    try:
        yield
    except FileNotFoundError:
        raise UserError("no such file", file=path) from None
    except OSError as error:
        raise UserError(f"cannot be read: {error.strerror}", file=path) from None


def no_text(path: Path, line: int) -> UserError:
    """Return the error for a line that is not UTF-8 text."""
    return UserError("not UTF-8 text", file=path, row=line, allowed="UTF-8")


def read_object(path: Path, text: str, line: int | None, most: int = MAX_BYTES) -> dict[str, Any]:
    """Read one JSON object of at most `most` bytes.

    Messages name `path` and `line`, which is None if the text is the whole file.
    Raise UserError if the text is not JSON, is not an object, is too large or nested too deep, or has an object with
    the same key twice.
    """
    check_size(path, len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass")), most, row=line)
    if too_deep(text):
        raise UserError("nested too deep", file=path, row=line, allowed=SHALLOW)
    doubled: list[tuple[dict[str, Any], str]] = []

    def built(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        return _object_of(pairs, doubled)

    try:
        found = json.loads(text, parse_constant=_no_such_number, object_pairs_hook=built)
        twice = next(_doubled_within(found, doubled, ()), None) if doubled else None
    except json.JSONDecodeError as error:
        message = f"not valid JSON: {error.msg} (column {error.colno})"
        raise UserError(message, file=path, row=line if line is not None else error.lineno) from None
    except ValueError as error:
        raise UserError(f"not valid JSON: {error}", file=path, row=line) from None
    if not isinstance(found, dict):
        raise UserError("not a JSON object", file=path, row=line, found=type(found).__name__, allowed="{...}")
    if twice is not None:
        raise UserError("this key occurs twice in one object", file=path, row=line, field=twice[0], found=twice[1])
    return found


def _object_of(pairs: list[tuple[str, Any]], doubled: list[tuple[dict[str, Any], str]]) -> dict[str, Any]:
    """Return an object with these keys and values. If a key occurs twice, add the object and the key to `doubled`."""
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        doubled.append((found, next(key for place, key in enumerate(keys) if key in keys[:place])))
    return found


def _doubled_within(
    value: Any, doubled: Sequence[tuple[dict[str, Any], str]], way: tuple[str, ...]
) -> Iterator[tuple[str, str]]:
    """Find keys that occur twice in an object. Yield the path to each key, and the key. Paths count list items from 1.

    The later value of a doubled key replaces the earlier value. Doubled keys inside the earlier value are not found.
    """
    yield from ((".".join((*way, key)), key) for row, key in doubled if row is value)
    inside: Iterable[tuple[object, Any]] = ()
    if isinstance(value, dict):
        inside = value.items()
    elif isinstance(value, list):
        inside = enumerate(value, start=1)
    for name, item in inside:
        yield from _doubled_within(item, doubled, (*way, str(name)))


def _no_such_number(text: str) -> NoReturn:
    raise ValueError(f"{text} is not a JSON number")


def read_lines(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Read a file with one JSON object per line. Skip empty lines.

    Yield the number of each line, from 1, and its object.
    Raise UserError if the file cannot be read, a line is not a JSON object, or the file is empty.
    """
    for line, found in read_each_line(path):
        if isinstance(found, UserError):
            raise found
        yield line, found


def read_each_line(path: Path) -> Iterator[tuple[int, dict[str, Any] | UserError]]:
    """Read a file like `read_lines`, but yield an error for a wrong line instead of raising it.

    Raise UserError if the file cannot be read, or is empty.
    """
    empty = True
    with while_reading(path):
        # Only a line feed ends a line. JSON strings may contain other characters that `splitlines` takes for line ends.
        for line, content in enumerate(lines_within(path), start=1):
            found: dict[str, Any] | UserError
            try:
                check_size(path, len(content), row=line)
                text = content.decode("utf-8-sig" if line == 1 else "utf-8")
                if not text.strip():
                    continue
                found = read_object(path, text, line)
            except UnicodeDecodeError:
                found = no_text(path, line)
            except UserError as error:
                found = error
            empty = False
            yield line, found
    if empty:
        raise UserError("the file is empty", file=path, allowed="one JSON object a line")


def holds_lines(path: Path) -> bool:
    """Tell from the name of a file whether it has one object per line."""
    return path.suffix == ".jsonl"


def read_one_or_lines(path: Path) -> Iterator[tuple[int | None, dict[str, Any]]]:
    """Read a file with one JSON object or, if its name ends in `.jsonl`, with one object per line.

    Yield the number of the line (None if the whole file is one object), and the object. Errors are those of
    `read_lines`.
    """
    if holds_lines(path):
        yield from read_lines(path)
        return
    text = read_limited_text(path)
    if not text.strip():
        raise UserError("the file is empty", file=path, allowed="one JSON object")
    yield None, read_object(path, text, None)
