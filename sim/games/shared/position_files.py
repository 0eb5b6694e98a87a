"""Reads positions from JSON, checks them and inspects them.

A game declares the model of its positions and a function that inspects one. `position_inspector` makes the game's
`inspect_position` from them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, ClassVar, Protocol, Self

from pydantic import Field, model_validator

from sim.compiler.kernel import Record
from sim.data.catalog import Name, Row, RowT, fault, validate_row
from sim.data.json_input import read_each_line, read_one_or_lines
from sim.data.place import NOWHERE, Place
from sim.engine.rng import start_streams
from sim.errors import UserError
from sim.game import Data

MAX_NAMES = 128
"""Maximum number of entries in a list of a position."""
NameList = Annotated[list[Name], Field(default_factory=list, max_length=MAX_NAMES)]
"""Names, which may repeat; none by default."""


class InspectPosition(Protocol):
    """Inspects a position: makes the moves that are given with it, and describes the result."""

    def __call__(self, row: Mapping[str, object], catalog: Any, t: Record, place: Place = NOWHERE) -> dict[str, Any]:
        """Return the result, as described in `docs/records.md`.

        Parameters
        ----------
        row
            The position as parsed from JSON.
        catalog, t
            The game's catalogue and its tables.
        place
            File and line of the position, for messages.

        Raises
        ------
        UserError
            The position or a move does not follow the format.
        """


def position_inspector(
    model: type[RowT], inspect: Callable[[RowT, Any, Record, Place], dict[str, Any]]
) -> InspectPosition:
    """Return a game's `inspect_position`, which validates a position against `model` and then calls `inspect`.

    The parameters of `inspect_position` are the position as parsed from JSON, the game's catalogue, its tables, and the
    file and line of the position, for messages. It makes the moves that are given with the position, and returns the
    result, as described in `docs/records.md`. It raises a `UserError` if the position or a move does not follow the
    format.
    """

    def inspect_position(row: Mapping[str, object], catalog: Any, t: Record, place: Place = NOWHERE) -> dict[str, Any]:
        return inspect(read_position(row, model, place), catalog, t, place)

    return inspect_position


class MoveRow(Row):
    """A move of a position. The key `do` is the kind of the move, and determines which other keys the move has."""

    keys: ClassVar[Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]]] = {}
    """The required and the optional keys of a move, by its kind."""
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
        The object is not a valid position. The message names file, line and field.
    """
    return validate_row(place.file or Path("position"), row, model, place.row)


def name_alone(field: str) -> Any:
    """Return a validator that also accepts a bare string, which stands for a row with no field but `field`."""

    def expand(row: object) -> object:
        return {field: row} if isinstance(row, str) else row

    return model_validator(mode="before")(expand)


@dataclass(frozen=True, kw_only=True)
class TableLayout(Place):
    """A game that is being set up from a position.

    As a `Place`, it also names the part of the file that is being read, for error messages.
    """

    g: Any
    t: Any
    catalog: Any

    def index_of(self, name: str, names: Iterable[str], message: str) -> int:
        """Return the index of a name among `names`. An unknown name raises a `UserError` with this message."""
        known = list(names)
        self.check_name(name, known, message)
        return known.index(name)


def blank_table(new_games: Callable[[int], Any]) -> Any:
    """Return an array of one blank game record with started random streams, to be filled from a position."""
    table = new_games(1)
    start_streams(table[0], 0, 0, 0)
    return table


def inspect_lines_of(path: Path, data: Data, inspect_position: InspectPosition) -> Iterator[dict[str, Any] | UserError]:
    """Inspect a file with one position per line. Yield the result of each, or the error if the position is invalid."""
    for line, row in read_each_line(path):
        if isinstance(row, UserError):
            yield row
            continue
        try:
            result = inspect_position(row, data.catalog, data.tables, Place(path, line))
        except UserError as error:
            yield error
        else:
            yield result


def inspect_file(path: Path, data: Data, inspect_position: InspectPosition) -> list[dict[str, Any]]:
    """Inspect every position in a file, and return the result of each, as described in `docs/records.md`.

    If the file name ends in `.jsonl`, each line is a position. Otherwise the whole file is one position.

    Raises
    ------
    UserError
        The file or a position is invalid.
    """
    return [
        inspect_position(row, data.catalog, data.tables, Place(path, line)) for line, row in read_one_or_lines(path)
    ]
