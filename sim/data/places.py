"""Where a value stands in a file, for messages."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self

from sim.errors import UserError


@dataclass(frozen=True)
class Place:
    """Where a value stands.

    Attributes
    ----------
    file
        The file.
    row
        Row of the file, or line in a file of several JSON objects.
    field
        Field of the row with the way to what stands inside it, items counted from 1: `cities.1.cards.3`.
    """

    file: Path | None = None
    row: str | int | None = None
    field: str = ""

    def at(self, *names: object) -> Self:
        """Return the place of a field of this one."""
        return replace(self, field=".".join([*([self.field] if self.field else []), *map(str, names)]))

    def wrong(self, message: str, found: object = None, allowed: Iterable[object] | str | None = None) -> UserError:
        """Return an error about this place."""
        field = self.field or None
        return UserError(message, file=self.file, row=self.row, field=field, found=found, allowed=allowed)

    def check_name(self, name: str, names: Iterable[str], message: str) -> None:
        """Check that a name is one of `names`.

        Raises
        ------
        UserError
            It is not; `message` says what it should have been.
        """
        known = list(names)
        if name not in known:
            raise self.wrong(message, name, known)


NOWHERE = Place()
"""Place of what stands in no file."""
