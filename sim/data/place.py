"""The place of a value in a user's file, for error messages."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self

from sim.errors import UserError


@dataclass(frozen=True)
class Place:
    """A place in a file.

    Attributes
    ----------
    file
        The file; None for a value that comes from no file.
    row
        The row, for messages: its name, or the number of its line.
    field
        The field of the row and the path inside it, with items counted from 1: "play.2.1".
    """

    file: Path | None = None
    row: object = None
    field: str = ""

    def at(self, *names: object) -> Self:
        """Return the place of a field inside this place. Several names lead to a field nested deeper."""
        return replace(self, field=".".join(map(str, [self.field, *names] if self.field else names)))

    def wrong(self, message: str, found: object = None, allowed: Iterable[object] | str | None = None) -> UserError:
        """Return an error whose message names this place."""
        field = self.field or None
        return UserError(message, file=self.file, row=self.row, field=field, found=found, allowed=allowed)

    def check_name(self, name: str, names: Iterable[str], message: str) -> None:
        """Check that a name is one of `names`."""
        known = list(names)
        if name not in known:
            raise self.wrong(message, name, known)


NOWHERE = Place()
"""The place of a value that comes from no file."""


def own_lines(error: BaseException, is_own: Callable[[str], bool]) -> list[tuple[str, int]]:
    """Return the traceback of an error, restricted to an author's own files: file and line number, innermost last.

    `is_own` tells whether a file is one of the author's.
    """
    steps = [(frame.f_code.co_filename, line) for frame, line in traceback.walk_tb(error.__traceback__)]
    return [(file, line) for file, line in steps if is_own(file)]
