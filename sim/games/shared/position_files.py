"""Files of positions in JSON. A game's positions.py has the model of a position and `inspect_position`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, ClassVar, Self

from pydantic import model_validator

from sim.compiler.kernel import Record
from sim.data.catalog import Row, RowT, fault, validate_row
from sim.data.json_input import read_each_line, read_one_or_lines
from sim.data.place import Place
from sim.errors import UserError
from sim.game import Data

InspectPosition = Callable[[Mapping[str, object], Any, Record, Place], dict[str, Any]]
"""Returns the result of a position: takes its JSON object, the catalogue and tables, and its place in the file."""


class MoveRow(Row):
    """A move of a position; what it does (`do`) decides which keys it has."""

    keys: ClassVar[Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]]] = {}
    """Keys that a move must have, and those that it may have, by what it does."""
    checks_keys_sorted: ClassVar[bool] = False

    @model_validator(mode="after")
    def _has_the_keys_of_what_it_does(self) -> Self:
        fields = {info.alias or name: name for name, info in type(self).model_fields.items()}
        do = getattr(self, "do", "")
        needed, more = self.keys[do]
        allowed = ("do", *needed, *more)
        given = [key for key, name in fields.items() if name in self.model_fields_set]
        for key in sorted(given) if self.checks_keys_sorted else given:
            if key not in allowed:
                fault(f"not a key of the move {do}", field=key, found=key, allowed=allowed)
        for key in needed:
            if getattr(self, fields[key]) is None:
                fault(f"the move {do} needs this field", field=key, found="nothing", allowed=allowed)
        return self


def read_position(row: Mapping[str, object], model: type[RowT], place: Place) -> RowT:
    """Validate a JSON object as a position of the game.

    Raises
    ------
    UserError
        It is not valid; the message names file, line and field.
    """
    return validate_row(place.file or Path("position"), row, model, place.row)


def inspect_lines_of(path: Path, data: Data, inspect_position: InspectPosition) -> Iterator[dict[str, Any] | UserError]:
    """Inspect a file of one position a line; the error of a wrong position takes the place of its result.

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
