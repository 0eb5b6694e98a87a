"""Knobs: values that can be varied, such as numbers or words of a game's data, settings, or weights of strategies."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from itertools import zip_longest
from pathlib import Path
from typing import Any, TypeGuard

from pydantic import Field
from pydantic_core import PydanticUndefined

from reports.formatting import plural
from sim.data.catalog import CONFIGS, Row, read_toml, validate_row
from sim.data.changes import (
    ChangedField,
    Kinds,
    Limits,
    apply_changes,
    check_file,
    fields_of_row,
    find_field,
    limits_of,
    parse_change,
    parse_path,
    with_later,
    with_value,
)
from sim.errors import UserError
from sim.game import Data, GameSpec, choose_factions, load_game, tables_of_file
from sim.players.find_strategies import FILE, strategy_files
from sim.runs.config import RunConfig, game_of

LONG_NAMES = {"vp": "points"}
"""Words that replace short names of fields."""

ANY = "any"
"""The word in operations for any card."""
SETTING = "set#"
"""Prefix of knobs that are settings of the rules: `set#discounts_add_up`."""


@dataclass(frozen=True)
class Knob:
    """A value that can be varied.

    Attributes
    ----------
    text
        `FILE#ROW.FIELD`, or `set#NAME` for a setting.
    name
        Short name for tables and figures: "coins_start".
    row
        The row that has the field: "Rhodos B". Empty for a setting.
    present
        The printed value. None if unknown.
    limits
        The numbers that are allowed. None if the value is not a number.
    words
        Words for a name that is a path of indices: "play: gain progress". Empty for other names.
    """

    text: str
    name: str
    row: str
    present: object
    limits: Limits | None
    words: str = ""

    @property
    def said(self) -> str:
        """The name in a sentence: `words`, or `name` if there are no words."""
        return self.words or self.name

    @property
    def title(self) -> str:
        """The name of the row and the name of the number: 'Rhodos B: coins_start'."""
        return f"{self.row}: {self.said}" if self.row else self.said


def find_knob(game: GameSpec, data: Data, text: str) -> Knob:
    """Find the knob `FILE#ROW.FIELD`, or `set#NAME` for a setting, in a game's tables as printed.

    Raises UserError if the file, row, field or setting does not exist.
    """
    if text.strip().startswith(SETTING):
        name = text.strip().removeprefix(SETTING)
        if name not in data.settings:
            raise UserError("unknown setting", field="knob", found=name, allowed=list(data.settings))
        return Knob(f"{SETTING}{name}", name, "", data.settings[name], None)
    if "=" in text:
        raise UserError("name the number without a value", field="knob", found=text, allowed="FILE#ROW.FIELD")
    file, path = parse_path(text)
    place = find_place(game, file, path)
    present = place.present
    if present is None:
        present = value_of_faction(game, data, file, place)
    if present is None and place.info is not None and place.info.default is not PydanticUndefined:
        present = place.info.default
    in_list = any(part.isdecimal() for part in place.asked.split("."))
    words = name_by_reading(game, data.settings, place.asked)
    if not words and in_list:
        words = field_words(game, file, path.removesuffix(f".{place.asked}"), place.asked)
    elif not words and place.asked in printed_words(game).names:
        words = field_label(game, place.asked)
    return Knob(f"{file}#{path}", place.asked, place.row, present, limits_of(place), words)


def field_words(game: GameSpec, file: str, row: str, field: str) -> str:
    """Return words for the path to a field: 'play: gain progress' for `play.2.3`, 'points' for `effects.1.vp`.

    A list that begins with a word is an operation. Its words describe it. If it has several numbers, they also say
    which number is meant.
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
                names.append(part)  # several entries have this field, or it is nested deeper
            node = node[place - 1]
        else:
            (names if operation is None else within).append(part)
            node = node.get(part) if isinstance(node, dict) else None
    label = field_label(game, ".".join(names))
    of_operation = "" if operation is None else operation_words(game, operation, place, within)
    return label if operation is None else ": ".join(filter(None, (label, of_operation)))


def field_label(game: GameSpec, field: str) -> str:
    """Return the name of a field's numbers, in the game's own words if it has words for them."""
    plain = plain_words(field.replace("effects.", ""))  # an effect is named after what it gives
    return printed_words(game).names.get(field) or game.number_words.get(field, (plain,))[0]


class Reading(Row):
    """A list of numbers that can be read in several ways, because the rulebook leaves it open.

    `question` is the open question, and `setting` the setting that answers it. For each value of the setting, `names`
    gives the names of the list's entries.
    """

    setting: str
    question: str
    names: dict[str, list[str]]


class PrintedWords(Row):
    """Names of numbers as they are printed: `configs/words/<game>.toml`.

    Attributes
    ----------
    reading
        By field: the reading of a list that can be read in several ways.
    """

    names: dict[str, str] = Field(default={})
    reading: dict[str, Reading] = Field(default={})


def printed_words(game: GameSpec) -> PrintedWords:
    """Return the printed names of a game's numbers. Empty if the game has no file of names."""
    path = CONFIGS / "words" / f"{game.name}.toml"
    return validate_row(path, read_parameters_once(path), PrintedWords, game.name) if path.is_file() else PrintedWords()


def name_by_reading(game: GameSpec, settings: Mapping[str, object], field: str) -> str:
    """Return the name of a list's entry under these settings: 'legions' for `numbers.1`. Empty if unnamed."""
    name, _, place = field.rpartition(".")
    reading = printed_words(game).reading.get(name)
    names = [] if reading is None else reading.names.get(str(settings.get(reading.setting)), [])
    return names[int(place) - 1] if place.isdecimal() and 0 < int(place) <= len(names) else ""


def reading_sentences(game: GameSpec, settings: Mapping[str, object], texts: Iterable[str]) -> list[str]:
    """Return a sentence for each open point of the rules on which the meaning of the numbers `texts` depends.

    `texts` are the paths of the numbers. A sentence has the question, and how the setting answers it here.
    """
    fields = {field for text in texts for field in text.partition("#")[2].split(".")}
    return [
        f"{one.question}; here: {settings.get(one.setting)} (setting {one.setting})."
        for field, one in printed_words(game).reading.items()
        if field in fields
    ]


def readings_of_run(name: str, settings: Mapping[str, object], texts: Iterable[str]) -> list[str]:
    """Return `reading_sentences` on the numbers `texts` for a run of the game `name`.

    Empty if this version does not have the game, or not with these settings.
    """
    try:
        game = load_game(name)
        return reading_sentences(game, game.load(settings).settings, texts)
    except UserError:
        return []


def operation_words(game: GameSpec, operation: list[Any], place: int, within: list[str]) -> str:
    """Return words for a number of an operation.

    The number is the entry at index `place` (from 1), or lies inside this entry at the path `within`.
    """
    name, *rest = [one for one in operation if isinstance(one, str)]
    statements = " ".join(plain_words(one) for one in (name, *rest))
    if within:
        return f"{statements}: {plain_words('.'.join(within))}"
    numbers = [at for at, one in enumerate(operation, start=1) if isinstance(one, int)]
    which = numbers.index(place) if place in numbers else 0
    if len(own := game.number_words.get(name, ())) > which:
        return own[which].format(" ".join(plain_words(one) for one in rest if one != ANY)).rstrip(", ")
    several = len(numbers) > 1 and place in numbers
    return f"{statements}, number {which + 1} of {len(numbers)}" if several else statements


def value_of_faction(game: GameSpec, data: Data, file: str, place: ChangedField) -> object:
    """Return the default of a field that a faction's row leaves out. None for rows that are not factions."""
    if game.faction_place is None or game.faction_values is None:
        return None
    factions = [n for n in range(len(data.factions)) if game.faction_place(data, n) == (file, place.row)]
    return game.faction_values(data, factions[0]).get(place.field) if factions else None


def find_place(game: GameSpec, file: str, path: str) -> ChangedField:
    """Find a field in the files of a game and of its strategies. Raise UserError if the field does not exist."""
    return find_field(*game_file(game, file), path)


def game_file(game: GameSpec, file: str) -> tuple[Path, dict[str, Any], Kinds]:
    """Return the path and content of a file of a game or of its strategies, and the row models of the file's tables.

    Raises UserError if there is no such file.
    """
    check_file(file, [*game.files, *strategy_files(game.name)])
    if file in game.files and file not in {addition.file.name for addition in game.added}:
        return game.folder / file, read_parameters_once(game.folder / file), game.files[file]
    if file in game.files:
        return *tables_of_file(game, file), game.files[file]
    where = CONFIGS / "strategies" / game.name / file
    return where, read_toml(where), FILE


def read_parameters_once(path: Path) -> dict[str, Any]:
    """Return the content of a file, cached until the file changes. Hundreds of numbers of a faction are looked up."""
    try:
        seen = path.stat()
    except OSError:
        return read_toml(path)
    return read_at(path, seen.st_mtime_ns, seen.st_size)


@lru_cache(maxsize=8)
def read_at(path: Path, _: int, __: int) -> dict[str, Any]:
    """Return the content of a file, cached by modification time and size."""
    return read_toml(path)


def number_knobs(game: GameSpec, data: Data, text: str) -> list[str]:
    """Return the paths of all numbers, also nested ones, in the row of `FILE#ROW.FIELD`. The field need not exist."""
    file, path = parse_path(text)
    result = []
    for name in fields_of_row(*game_file(game, file), path):
        with suppress(UserError):  # the name may be ambiguous: several tables of the row have it
            knob = find_knob(game, data, f"{file}#{name}")
            if knob.limits is not None and is_number(knob.present):
                result.append(knob.text)
    return result


def is_number(value: object) -> TypeGuard[int | float]:
    """Tell whether a value is a number. Booleans are not."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def full_name(game: GameSpec, data: Data, faction: str, text: str) -> str:
    """Return `FILE#ROW.FIELD` for a field of a faction's row, or of a piece's row in a game without factions.

    A full name is returned as it is. Raises UserError if factions have no rows in this game.
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
    """Return a configuration in which a knob has a value."""
    if knob.text.startswith(SETTING):
        return config.model_copy(update={"settings": {**config.settings, knob.name: value}})
    return config.model_copy(update={"changes": list(with_later(config.changes, [with_value(knob.text, value)]))})


def printed_game(config: RunConfig) -> tuple[GameSpec, Data]:
    """Return the game of a configuration, and the game's tables without changes."""
    game = game_of(config)
    return game, game.load(config.settings)


def number_after(game: GameSpec, text: str, printed: object, changes: Sequence[str]) -> object:
    """Return the value of a field after some changes of the game's files. Raise UserError if they removed the field.

    `text` is `FILE#ROW.FIELD`. `printed` is its printed value: the default, if the row leaves the field out.
    """
    file, path = parse_path(text)
    mine = [change for change in map(parse_change, changes) if change.file == file]
    if not mine:
        return printed
    where, content, kinds = game_file(game, file)
    present = find_field(where, apply_changes(where, content, kinds, mine), kinds, path).present
    return printed if present is None else present


def find_faction(game: GameSpec, data: Data, name: str) -> int:
    """Return the id of the faction that a name matches. Raise UserError if no faction matches, or several."""
    if not data.factions:
        raise UserError(f"{game.title} has no factions", field="faction", found=name)
    result = choose_factions(game, data, [name])
    if len(result) > 1:
        message, allowed = f"this name matches several {game.faction_title}s", [data.factions[n].name for n in result]
        raise UserError(message, field="faction", found=name, allowed=allowed)
    return result[0]


def plain_words(field: str) -> str:
    """Return a field's name in words: 'stage 1 cost ore' for 'stage.1.cost.ore', 'coins start' for 'coins_start'."""
    words = field.replace(".", " ").replace("_", " ").split()
    return " ".join(LONG_NAMES.get(word, word) for word in words)


def distinct_names(names: Sequence[str]) -> list[str]:
    """Return names, with a count such as "(2 of 3)" added to each name that occurs several times."""
    many, seen, distinct = Counter(names), Counter[str](), []
    for name in names:
        seen[name] += 1
        distinct.append(name if many[name] == 1 else f"{name} ({seen[name]} of {many[name]})")
    return distinct
