"""A knob: one number or word of a game, a setting or a strategy that can be turned from run to run."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from itertools import zip_longest
from pathlib import Path
from typing import Any

from pydantic_core import PydanticUndefined

from reports.formatting import plural
from sim.data.catalog import CONFIGS, read_toml
from sim.data.changes import (
    ChangedField,
    Kinds,
    Limits,
    check_file,
    fields_of_row,
    find_field,
    limits_of,
    parse_path,
    with_value,
)
from sim.errors import UserError
from sim.game import Data, Game, choose_factions, tables_of_file
from sim.players.find_strategies import FILE, strategy_files
from sim.runs.config import RunConfig, game_of

LONG_NAMES = {"vp": "points"}
"""What fields are called whose names in the files are short."""

ANY = "any"
"""What an operation says that takes whatever card there is."""
SEVERAL = "{words} ({place} of {many})"
SETTING = "set#"
"""What a knob begins with that is a setting of the rules: `set#discounts_add_up`."""


@dataclass(frozen=True)
class Knob:
    """What can be turned.

    Attributes
    ----------
    text
        `FILE#ROW.FIELD`, or `set#NAME` for a setting.
    name
        Short name for tables and figures: "coins_start".
    row
        Whose field it is: "Rhodos B"; empty for a setting.
    present
        Value as printed; None where nothing says.
    limits
        Numbers it takes; None if it is no number.
    words
        What it is in words, where its name is a way of places: "play: gain progress"; else empty.
    """

    text: str
    name: str
    row: str
    present: object
    limits: Limits | None
    words: str = ""

    @property
    def said(self) -> str:
        """What a sentence calls it: its words, or its name where it has none."""
        return self.words or self.name

    @property
    def title(self) -> str:
        """What a sentence calls it, with the row it belongs to."""
        return f"{self.row}: {self.said}" if self.row else self.said


def find_knob(game: Game, data: Data, text: str) -> Knob:
    """Find what a knob's text stands for.

    Parameters
    ----------
    game, data
        The game and its tables as printed.
    text
        `FILE#ROW.FIELD`, or `set#NAME` for a setting.

    Raises
    ------
    UserError
        No such file, row, field or setting.
    """
    if text.strip().startswith(SETTING):
        name = text.strip().removeprefix(SETTING)
        if name not in data.settings:
            raise UserError("unknown setting", field="knob", found=name, allowed=list(data.settings))
        return Knob(f"{SETTING}{name}", name, "", data.settings[name], None)
    if "=" in text:
        raise UserError("a knob is named without a value", field="knob", found=text, allowed="FILE#ROW.FIELD")
    file, path = parse_path(text)
    place = find_place(game, file, path)
    present = place.present
    if present is None:
        present = value_of_faction(game, data, file, place)
    if present is None and place.info is not None and place.info.default is not PydanticUndefined:
        present = place.info.default
    in_list = any(part.isdecimal() for part in place.asked.split("."))
    words = field_words(game, file, path.removesuffix(f".{place.asked}"), place.asked) if in_list else ""
    return Knob(f"{file}#{path}", place.asked, place.row, present, limits_of(place), words)


def field_words(game: Game, file: str, row: str, field: str) -> str:
    """Say what the way to a field means: 'play: gain progress' for `play.2.3`, 'effects points' for `effects.1.vp`.

    A list that begins with a word is an operation: the words in it say what it does, and which of its numbers is meant
    where it has several.
    """
    names: list[str]
    within: list[str] = []
    operation: list[Any] | None = None
    node: Any = None
    place = 0
    head, *way = field.split(".")
    names, above = ([], row) if head.isdecimal() else ([head], f"{row}.{head}")
    way = [head, *way] if head.isdecimal() else way
    with suppress(UserError):
        node = find_place(game, file, above).present
    for part, then in zip_longest(way, way[1:]):
        if part.isdecimal() and isinstance(node, list) and 0 < int(part) <= len(node):
            place = int(part)
            rows = [one for one in node if isinstance(one, dict)]
            if node and isinstance(node[0], str):
                operation, within = node, []
            elif operation is None and isinstance(node[place - 1], int):
                names.append(f"(place {place})")
            elif operation is None and len(rows) > 1 and sum(then in row for row in rows) != 1:
                names.append(part)  # not just this entry has such a field, or it lies deeper in each
            node = node[place - 1]
        else:
            (names if operation is None else within).append(part)
            node = node.get(part) if isinstance(node, dict) else None
    said = field_label(game, ".".join(names))
    return (
        said if operation is None else ": ".join(filter(None, (said, operation_words(game, operation, place, within))))
    )


def field_label(game: Game, field: str) -> str:
    """What a field's numbers are called: in the game's own words, or those of its name."""
    return game.number_words.get(field, (plain_words(field),))[0]


def operation_words(game: Game, operation: list[Any], place: int, within: list[str]) -> str:
    """Say which number of an operation is meant: the one at a place, from 1, or one of a table there."""
    name, *rest = [one for one in operation if isinstance(one, str)]
    said = " ".join(plain_words(one) for one in (name, *rest))
    if within:
        return f"{said}: {plain_words('.'.join(within))}"
    numbers = [at for at, one in enumerate(operation, start=1) if isinstance(one, int)]
    which = numbers.index(place) if place in numbers else 0
    if len(own := game.number_words.get(name, ())) > which:
        return own[which].format(" ".join(plain_words(one) for one in rest if one != ANY)).rstrip(", ")
    return f"{said}, number {which + 1} of {len(numbers)}" if len(numbers) > 1 and place in numbers else said


def value_of_faction(game: Game, data: Data, file: str, place: ChangedField) -> object:
    """Return the value that a field left out by a faction's row has; None where it is no such field."""
    if game.faction_place is None or game.faction_values is None:
        return None
    factions = [n for n in range(len(data.factions)) if game.faction_place(data, n) == (file, place.row)]
    return game.faction_values(data, factions[0]).get(place.field) if factions else None


def find_place(game: Game, file: str, path: str) -> ChangedField:
    """Find a field in the files of a game and its strategies.

    Raises
    ------
    UserError
        There is no such file, row or field.
    """
    return find_field(*game_file(game, file), path)


def game_file(game: Game, file: str) -> tuple[Path, dict[str, Any], Kinds]:
    """Where a file of a game or its strategies lies, what it says, and what its tables hold.

    Raises
    ------
    UserError
        There is no such file.
    """
    check_file(file, [*game.files, *strategy_files(game.name)])
    if file in game.files and file not in {addition.file.name for addition in game.added}:
        return game.folder / file, read_cached(game.folder / file), game.files[file]
    if file in game.files:
        return *tables_of_file(game, file), game.files[file]
    where = CONFIGS / "strategies" / game.name / file
    return where, read_toml(where), FILE


def read_cached(path: Path) -> dict[str, Any]:
    """What a file says, read again when it has changed: a faction's numbers are looked up by the hundred."""
    try:
        seen = path.stat()
    except OSError:
        return read_toml(path)
    return read_at(path, seen.st_mtime_ns, seen.st_size)


@lru_cache(maxsize=8)
def read_at(path: Path, _: int, __: int) -> dict[str, Any]:
    """What a file says that was changed last at a time, in nanoseconds, and has so many bytes."""
    return read_toml(path)


def number_knobs(game: Game, data: Data, text: str) -> list[str]:
    """Name the numbers of a row that can be turned: `FILE#ROW.FIELD` of each that has a value, those inside too.

    Parameters
    ----------
    game, data
        The game and its tables as printed.
    text
        `FILE#ROW.FIELD`; there need be no such field.

    Raises
    ------
    UserError
        No such file or row.
    """
    file, path = parse_path(text)
    found = []
    for name in fields_of_row(*game_file(game, file), path):
        try:
            knob = find_knob(game, data, f"{file}#{name}")
        except UserError:
            continue  # a name that stands in several tables of the row
        if knob.limits is not None and isinstance(knob.present, int | float) and not isinstance(knob.present, bool):
            found.append(knob.text)
    return found


def full_name(game: Game, data: Data, faction: str, text: str) -> str:
    """Return `FILE#ROW.FIELD` of a field of a faction's own row; a knob that is named in full as it is.

    In a game without factions it is the row of a piece.

    Raises
    ------
    UserError
        Factions have no rows in this game.
    """
    if "#" in text:
        return text
    if not data.factions and game.pieces is not None and game.pieces.in_files is not None:
        file, row = game.pieces.in_files.place(data, data.pieces.index(faction))
        return f"{file}#{row}.{text}"
    if game.faction_place is None:
        message = f"{plural(game.faction_title)} of {game.title} have no rows in its files"
        raise UserError(message, field="knob", found=text, allowed="FILE#ROW.FIELD")
    (number,) = [n for n, other in enumerate(data.factions) if other.name == faction]
    file, row = game.faction_place(data, number)
    return f"{file}#{row}.{text}"


def with_knob(config: RunConfig, knob: Knob, value: object) -> RunConfig:
    """Return a configuration with a knob at a value."""
    if knob.text.startswith(SETTING):
        return config.model_copy(update={"settings": {**config.settings, knob.name: value}})
    return config.model_copy(update={"changes": [*config.changes, with_value(knob.text, value)]})


def printed_game(config: RunConfig) -> tuple[Game, Data]:
    """Return the game of a configuration and its tables without any change."""
    game = game_of(config)
    return game, game.load(config.settings)


def find_faction(game: Game, data: Data, name: str) -> int:
    """Return the id of the one faction a name stands for.

    Raises
    ------
    UserError
        It stands for none, or for several.
    """
    if not data.factions:
        raise UserError(f"{game.title} has no factions", field="faction", found=name)
    found = choose_factions(game, data, [name])
    if len(found) > 1:
        allowed = [data.factions[number].name for number in found]
        raise UserError(f"several {game.faction_title}s are meant", field="faction", found=name, allowed=allowed)
    return found[0]


def plain_words(field: str) -> str:
    """A field's name as it is said: 'stage.1.cost.ore' as 'stage 1 cost ore', 'coins_start' as 'coins start'."""
    words = field.replace(".", " ").replace("_", " ").split()
    return " ".join(LONG_NAMES.get(word, word) for word in words)


def distinct_names(names: Sequence[str]) -> list[str]:
    """Return names with "(2 of 3)" added to those that occur several times."""
    seen: dict[str, int] = {}
    distinct = []
    for name in names:
        seen[name] = seen.get(name, 0) + 1
        many = names.count(name)
        distinct.append(name if many == 1 else SEVERAL.format(words=name, place=seen[name], many=many))
    return distinct
