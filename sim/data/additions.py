"""Files of a user's own that add factions to a game's data for one run, such as a deck of cards.

What such a file says travels with the run: its manifest holds the text, so that the games can be played again without
the file.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sim.data.catalog import parse_toml, read_text
from sim.errors import UserError

MOST_TEXT = 100_000
"""Letters that such a file may have."""


@dataclass(frozen=True)
class Addition:
    """A file that adds to a game's data.

    Attributes
    ----------
    file
        Where it was read from, for messages; changes call it by its name.
    text
        All that it says.
    """

    file: Path
    text: str

    def tables(self) -> dict[str, Any]:
        """Return what it says, read as TOML.

        Raises
        ------
        UserError
            It is no TOML.
        """
        return parse_toml(self.file, self.text)


def read_addition(path: Path) -> Addition:
    """Read a file that adds to a game's data.

    Raises
    ------
    UserError
        The file is missing, cannot be read, is no TOML or too long.
    """
    addition = Addition(path, read_text(path))
    if len(addition.text) > MOST_TEXT:
        raise UserError("too long", file=path, found=len(addition.text), allowed=f"at most {MOST_TEXT:,} letters")
    addition.tables()
    return addition
