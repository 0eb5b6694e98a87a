"""Positions of the table told in JSON, in whatever words a game has for them.

A game's positions.py says what a position holds and what is told of it: `inspect_position`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from sim.compiler.kernel import Record
from sim.data.catalog import RowT, validate_row
from sim.data.json_input import read_each_line, read_one_or_lines
from sim.data.place import Place
from sim.errors import UserError
from sim.game import Data

InspectPosition = Callable[[Mapping[str, object], Any, Record, Place], dict[str, Any]]
"""Tells what a position holds: its JSON object, catalogue and tables of the game, and where the position stands."""


def read_position(row: Mapping[str, object], model: type[RowT], place: Place) -> RowT:
    """Check that a JSON object is a position as the game's model has it.

    Raises
    ------
    UserError
        It is not; the message names file, line and field.
    """
    return validate_row(place.file or Path("position"), row, model, place.row)


def inspect_lines_of(path: Path, data: Data, inspect_position: InspectPosition) -> Iterator[dict[str, Any] | UserError]:
    """Inspect a file of one position a line, each by itself: what is wrong with one stands in its place.

    Parameters
    ----------
    path, data, inspect_position
        As for `inspect_file`.

    Raises
    ------
    UserError
        The file cannot be read, or has no line.
    """
    for line, row in read_each_line(path):
        if isinstance(row, UserError):
            yield row
            continue
        try:
            found = inspect_position(row, data.catalog, data.tables, Place(path, line))
        except UserError as error:
            yield error
        else:
            yield found


def inspect_file(path: Path, data: Data, inspect_position: InspectPosition) -> list[dict[str, Any]]:
    """Inspect every position of a file.

    Parameters
    ----------
    path
        `.jsonl`: one position a line; any other: the file is one position.
    data
        The game's cards and settings.
    inspect_position
        The game's own.

    Returns
    -------
    list of dict
        One entry for each position; see `docs/records.md`.

    Raises
    ------
    UserError
        Anything wrong with the file or a position.
    """
    return [
        inspect_position(row, data.catalog, data.tables, Place(path, line)) for line, row in read_one_or_lines(path)
    ]
