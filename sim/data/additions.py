"""The user's files that add factions to a game's data for one run, such as a deck of cards.

The manifest of the run holds the text of such a file, so that the games can be replayed without it.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sim.data.catalog import parse_toml, read_text
from sim.errors import UserError

MAX_TEXT = 100_000
"""Most characters of such a file."""


@dataclass(frozen=True)
class Addition:
    """A file that adds to a game's data.

    Attributes
    ----------
    file
        The file, for messages; changes name it.
    text
        Its content.
    """

    file: Path
    text: str

    def tables(self) -> dict[str, Any]:
        """Return its content, parsed as TOML.

        Raises
        ------
        UserError
            It is not valid TOML.
        """
        return parse_toml(self.file, self.text)


def read_addition(path: Path) -> Addition:
    """Read a file that adds to a game's data.

    Raises
    ------
    UserError
        The file is missing, cannot be read, is not valid TOML, or is too long.
    """
    addition = Addition(path, read_text(path))
    if len(addition.text) > MAX_TEXT:
        raise UserError("too long", file=path, found=len(addition.text), allowed=f"at most {MAX_TEXT:,} letters")
    addition.tables()
    return addition
