"""Changes to a game's data or a strategy's weights, for one run. They are written `FILE#ROW.FIELD=VALUE`.

A change never touches the TOML file itself. It is applied to the parsed content before the content is validated. So in
every game, changed values must satisfy the same rules as printed values.

An addition is a user's file that adds factions to a game's data for one run, such as a deck of cards. The manifest of
the run holds the text of the file, so that the games can be replayed without it.
"""

from __future__ import annotations

import copy
import difflib
import json
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, get_args, get_origin

from pydantic.fields import FieldInfo

from sim.data.catalog import CONFIGS, Kind, Row, parse_toml, read_text, read_toml
from sim.data.files import too_deep
from sim.errors import UserError

MAX_LISTED = 20
"""Maximum number of rows that a message names."""
FORM = "FILE#ROW.FIELD=VALUE, such as cards.toml#pawnshop.vp=4"

Keys = tuple[str | int, ...]
"""Path to a value in a parsed file: names of fields, and list indices counted from 0."""
Kinds = Mapping[str, Kind]
"""The row models of a file's tables, by name of the table. The name is "" if the whole file is one row."""


@dataclass(frozen=True)
class Change:
    """One requested change.

    Attributes
    ----------
    file
        Name of the TOML file.
    path
        The row and the field: "Rhodos B.coins_start".
    """

    text: str
    file: str
    path: str
    value: Any


@dataclass(frozen=True)
class ChangedField:
    """A field that a change names, or a table or list that contains this field, in a parsed file.

    Attributes
    ----------
    row
        Name of the row in messages.
    asked
        The field as the change names it: "vp".
    above, inside
        Path to the row from the top of the file, and path within the row.
    present
        Present value of the field; None for an optional field that the file does not give.
    models
        The row models that may describe `present` or its items.
    info
        What the model of the row declares about the field; None if it declares nothing.
    """

    path: Path
    row: str
    asked: str
    above: Keys
    present: Any
    models: tuple[type[Row], ...]
    inside: Keys = ()
    info: FieldInfo | None = None

    @property
    def keys(self) -> Keys:
        """Path to the field, from the top of the file."""
        return *self.above, *self.inside

    @property
    def field(self) -> str:
        """Path of the field within the row, for messages: "effects.1.vp"."""
        return _written(self.inside)

    def wrong(self, message: str, found: object, allowed: Sequence[object] | str | None = None) -> UserError:
        """Return an error that names this place."""
        return UserError(message, file=self.path, row=self.row, field=self.field or None, found=found, allowed=allowed)


# ---- Reading a change ----


def parse_change(text: str) -> Change:
    """Parse a change. Its value is read as TOML, or as a plain string if it is not valid TOML.

    Raise UserError if the string does not have the form of a change.
    """
    path, equals, value = text.partition("=")
    if not equals or not value.strip():
        raise UserError("a change needs a value", field="change", found=text, allowed=FORM)
    file, path = parse_path(path)
    return Change(text, file, path, parse_value(value.strip()))


def parse_path(text: str) -> tuple[str, str]:
    """Split `FILE#ROW.FIELD` into file and path; raise UserError if the string has another form."""
    file, hash_sign, path = (part.strip() for part in text.partition("#"))
    if not (file and hash_sign and path) or any(not part.strip() for part in path.split(".")):
        raise UserError("a change needs a file, a row and a field", field="change", found=text.strip(), allowed=FORM)
    return file if file.endswith(".toml") else f"{file}.toml", path


def parse_value(text: str) -> Any:
    """Parse a value as TOML. Return the string unchanged if it is not valid TOML."""
    if too_deep(text):
        return text
    try:
        read = tomllib.loads(f"value = {text}")
    except (ValueError, RecursionError):
        return text
    return read["value"] if len(read) == 1 else text


def split_changes(
    texts: Sequence[str], game_files: Sequence[str], strategy_files: Sequence[str]
) -> tuple[list[Change], list[Change]]:
    """Parse changes; return those of the game's data, and those of its strategies.

    Raise UserError if a string is not a change, or names a file that does not exist.
    """
    changes = [parse_change(text) for text in texts]
    for change in changes:
        check_file(change.file, [*game_files, *strategy_files])
    data = [change for change in changes if change.file in game_files]
    return data, [change for change in changes if change not in data]


def check_file(name: str, files: Sequence[str]) -> None:
    """Raise UserError if a change names a file that does not exist. The message lists the existing files."""
    if name in files:
        return
    message = "the game has no such file"
    if others := sorted({path.parent.name for path in (CONFIGS / "games").glob("*/*.toml") if path.name == name}):
        message += f", but {' and '.join(others)} {'has' if len(others) == 1 else 'have'}"
    raise UserError(message, field="change", found=name, allowed=files)


# ---- Making changes ----


def read_changed(path: Path, kinds: Kinds, changes: Sequence[Change] = ()) -> dict[str, Any]:
    """Read a TOML file and apply the changes to it.

    Raises
    ------
    UserError
        The file cannot be read, or a change does not fit it.
    """
    return apply_changes(path, read_toml(path), kinds, changes)


def apply_changes(path: Path, data: dict[str, Any], kinds: Kinds, changes: Sequence[Change]) -> dict[str, Any]:
    """Apply to parsed data all changes that name its file, `path`, and return the result.

    `data` is never modified; it is returned itself if no change names the file. Raise UserError if no row or field of
    the file matches a change, or several do, or if two changes touch the same field.
    """
    mine = [change for change in changes if change.file == path.name]
    if not mine:
        return data
    places = [find_field(path, data, kinds, change.path) for change in mine]
    _check_apart(path, mine, places)
    changed = copy.deepcopy(data)
    for change, place in zip(mine, places, strict=True):
        node: Any = changed
        for key in place.keys[:-1]:
            node = node.setdefault(key, {}) if isinstance(node, dict) else node[key]
        node[place.keys[-1]] = change.value
    return changed


def _check_apart(path: Path, changes: Sequence[Change], places: Sequence[ChangedField]) -> None:
    """Raise UserError if two changes touch the same field, or if one touches part of the field of another."""
    for number, (change, place) in enumerate(zip(changes, places, strict=True)):
        for other, elsewhere in zip(changes[:number], places[:number], strict=True):
            shared = min(len(place.keys), len(elsewhere.keys))
            if place.keys[:shared] == elsewhere.keys[:shared]:
                message = f"{change.text} and {other.text} change the same field"
                raise UserError(message, file=path, row=place.row, field=place.field, allowed="one change of a field")


# ---- Finding a field ----


def find_field(path: Path, data: dict[str, Any], kinds: Kinds, wanted: str) -> ChangedField:
    """Find the field that the path of a change, `wanted`, names in the content of a file.

    A row is named by its label ("Rhodos B", "loom-1"), or by its name alone if no other row has this name. Case does
    not matter; space, hyphen and underscore are equivalent. The field may be any field of the row, even an optional
    field that the file does not give. It may also be a field inside a nested table, if its name occurs in no other
    nested table. An item of a list is named by its number, from 1. Raise UserError if no row or field matches, or
    several do, or if the field decides which code runs.
    """
    return _walk(*_start(path, data, kinds, wanted))


def fields_of_row(path: Path, data: dict[str, Any], kinds: Kinds, wanted: str) -> list[str]:
    """Return paths to all fields, nested ones too, of the row that `wanted` begins with (see `find_field`).

    Only the row must exist, not the field. Raise UserError if no row fits the path, or several do.
    """
    spot, parts = _start(path, data, kinds, wanted)
    row = ".".join(part.strip() for part in wanted.split("."))[: -len(".".join(parts))]
    ways = [(name,) for name in [*_own_fields(spot.present, spot.models), *spot.present]]
    return list(dict.fromkeys(f"{row}{_written(way)}" for way in [*ways, *_fields_inside(spot.present)]))


def labels_of_rows(data: Mapping[str, Any], kinds: Kinds) -> list[tuple[str, str]]:
    """Return the label and name of every row; a path may begin with either. Nothing if the file is one row."""
    return [] if "" in kinds else [(row.label, row.name) for row in _rows(data, kinds)]


def _start(path: Path, data: dict[str, Any], kinds: Kinds, wanted: str) -> tuple[ChangedField, list[str]]:
    """Return the row that a path begins with, and the remaining parts of the path. Errors are those of `find_field`."""
    parts = [part.strip() for part in wanted.split(".")]
    if "" in kinds:
        return ChangedField(path, path.stem, ".".join(parts), (), data, (kinds[""].model,)), parts
    rows = list(_rows(data, kinds))
    for size in range(1, len(parts)):
        name = ".".join(parts[:size])
        found = [row for row in rows if _alike(name, row.label)] or [row for row in rows if _alike(name, row.name)]
        if len(found) > 1:
            message = f"{name} fits {len(found)} rows: {', '.join(row.shown for row in found)}"
            raise UserError(message, file=path, field="change", allowed=[row.label for row in found])
        if found:
            row = found[0]
            return ChangedField(path, row.label, ".".join(parts[size:]), row.keys, row.node, (row.model,)), parts[size:]
    known = list(dict.fromkeys(row.label for row in rows))
    if len(parts) == 1 and any(_alike(parts[0], name) for row in rows for name in (row.label, row.name)):
        raise UserError("a change needs a field of the row", file=path, row=parts[0], field="change", allowed=FORM)
    name = ".".join(parts[:-1]) or wanted
    raise UserError("no such row", file=path, field="change", found=name, allowed=_nearest_rows(name, known))


def _nearest_rows(name: str, known: Sequence[str]) -> Sequence[str]:
    """Return the rows that a message lists: all rows if there are few, otherwise those with the most similar names."""
    if len(known) <= MAX_LISTED:
        return known
    plain = {_plain(label): label for label in known}
    return [plain[near] for near in difflib.get_close_matches(_plain(name), plain, n=MAX_LISTED, cutoff=0.0)]


@dataclass(frozen=True)
class _RowOfFile:
    """A row of a parsed file: its place, its names and its model."""

    keys: Keys
    label: str
    name: str
    shown: str
    node: Any
    model: type[Row]


def _rows(data: Mapping[str, Any], kinds: Kinds) -> Iterator[_RowOfFile]:
    """Yield the rows of a file. A single table counts as a row with the name of the table."""
    for table, kind in kinds.items():
        content = data.get(table)
        if isinstance(content, dict):
            yield _RowOfFile((table,), table, table, table, content, kind.model)
        for number, node in enumerate(content if isinstance(content, list) else ()):
            if isinstance(node, dict):
                name, *rest = [str(node.get(field, "")) for field in kind.label] or [str(number + 1)]
                shown = f"{name} ({', '.join(rest)})" if rest else name
                yield _RowOfFile((table, number), " ".join([name, *rest]), name, shown, node, kind.model)


def _alike(first: str, second: str) -> bool:
    """Tell whether two names are equal if case is ignored and spaces, hyphens and underscores count as the same."""
    return _plain(first) == _plain(second)


@lru_cache(maxsize=4096)
def _plain(name: str) -> str:
    """Return a name in lower case, with one space for each group of spaces, hyphens and underscores."""
    return re.sub(r"[\s_-]+", " ", name.strip()).casefold()


def _walk(spot: ChangedField, parts: Sequence[str]) -> ChangedField:
    """Follow the remaining parts of a path, from a spot to the field that the path names."""
    if not parts:
        return spot
    part, rest = parts[0], parts[1:]
    if isinstance(spot.present, list):
        return _walk(_item(spot, part), rest)
    if not isinstance(spot.present, dict):
        raise spot.wrong("this field has no nested fields", part)
    own = _own_fields(spot.present, spot.models)
    field = next((name for name in [*spot.present, *own] if _alike(name, part)), None)
    if field is None:
        inside = [way for way in _fields_inside(spot.present) if _alike(str(way[-1]), part)]
        if len(inside) > 1:
            raise spot.wrong("several fields match", part, [_written((*spot.inside, *way)) for way in inside])
        if inside:
            return _walk(spot, [*_written(inside[0]).split("."), *rest])
    if field is None and (own or rest):
        raise spot.wrong("no such field", part, _field_names(spot.present, own))
    field = part if field is None else field
    if any(field in model.leads_to_code for model in spot.models):
        raise spot.wrong("a change must not choose the code that runs", field, "a file of your own, named with --code")
    info = own.get(field)
    models = _models_in(info.annotation) if info is not None else ()
    present = spot.present.get(field, {} if rest else None)
    return _walk(replace(spot, present=present, models=models, inside=(*spot.inside, field), info=info), rest)


def _item(spot: ChangedField, part: str) -> ChangedField:
    """Return the spot of an item of a list, given the number of the item, from 1."""
    count = len(spot.present)
    if not part.isdecimal() or not 1 <= int(part) <= count:
        raise spot.wrong("not the position of an entry of this list", part, f"1 to {count}")
    place = int(part) - 1
    return replace(spot, present=spot.present[place], inside=(*spot.inside, place), info=None)


def _written(keys: Keys) -> str:
    """Return the path of a field in the form of changes: "stage.2.vp"."""
    return ".".join(str(key + 1) if isinstance(key, int) else key for key in keys)


def _own_fields(node: Mapping[str, Any], models: Sequence[type[Row]]) -> dict[str, FieldInfo]:
    """Return the fields, by TOML name, of the model that fits a table. Return nothing unless exactly one model fits."""
    named = [{info.alias or name: info for name, info in model.model_fields.items()} for model in models]
    fitting = [fields for fields in named if len(named) == 1 or set(node) <= set(fields)]
    return fitting[0] if len(fitting) == 1 else {}


def _models_in(annotation: Any) -> tuple[type[Row], ...]:
    """Return the row models in the type of a field. The field may hold a table, or a list of tables."""
    if isinstance(annotation, type) and issubclass(annotation, Row):
        return (annotation,)
    return tuple(model for inner in get_args(annotation) for model in _models_in(inner))


def _fields_inside(node: Any, keys: Keys = ()) -> Iterator[Keys]:
    """Yield the paths of the fields of all tables inside `node` (a table or list), but not its own fields."""
    items = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    for key, inner in items:
        if isinstance(inner, dict):
            yield from ((*keys, key, name) for name in inner)
        yield from _fields_inside(inner, (*keys, key))


def _field_names(node: Mapping[str, Any], own: Mapping[str, FieldInfo]) -> list[str]:
    """Return the names of a table's fields and of fields nested in it, except nested names that occur twice."""
    inside = [str(way[-1]) for way in _fields_inside(node)]
    return list(dict.fromkeys([*own, *node, *(name for name in inside if inside.count(name) == 1)]))


# ---- Allowed values of a field ----


@dataclass(frozen=True)
class Limits:
    """The numbers that a field allows: from `low` to `high` (None for no limit), and only whole ones if `whole`."""

    whole: bool
    low: float | None
    high: float | None


def limits_of(place: ChangedField) -> Limits | None:
    """Return the numbers that a field allows; None if the field is not numeric.

    The type comes from the model of the row, or from the present value if the model declares nothing.
    """
    annotation = None if place.info is None else place.info.annotation
    if get_origin(annotation) in (list, dict):
        return None
    kinds = set(_plain_types(annotation)) - {type(None)} or {type(place.present)}
    if not kinds <= {int, float}:
        return None
    bounds = [] if place.info is None else [*place.info.metadata, *_bounds_in(annotation)]
    low = max((bound.ge for bound in bounds if getattr(bound, "ge", None) is not None), default=None)
    high = min((bound.le for bound in bounds if getattr(bound, "le", None) is not None), default=None)
    return Limits(float not in kinds, low, high)


def _plain_types(annotation: Any) -> Iterator[type]:
    """Yield the types without arguments, such as int, that occur in the type of a field."""
    inner = get_args(annotation)
    if not inner and isinstance(annotation, type):
        yield annotation
    for part in inner:
        yield from _plain_types(part)


def _bounds_in(annotation: Any) -> Iterator[Any]:
    """Yield the limits that occur in the type of a field, such as `Annotated[int, Field(ge=0)] | None`."""
    for part in get_args(annotation):
        yield from part.metadata if isinstance(part, FieldInfo) else _bounds_in(part)


# ---- Writing a change ----


def with_value(path: str, value: object) -> str:
    """Return the change, as a string, that sets `FILE#ROW.FIELD` to a value."""
    return f"{path}={toml_text(value)}"


def with_later(changes: Sequence[str], later: Sequence[str]) -> tuple[str, ...]:
    """Return `changes` followed by `later`. Where both change the same field, only the later change is kept."""
    places = {place_key(text) for text in later}
    return (*(text for text in changes if place_key(text) not in places), *later)


def place_key(text: str) -> str:
    """Return the file and path of a change in one normalised spelling."""
    place = text.partition("=")[0]
    return _plain("#".join(parse_path(place)) if "#" in place else place)


def toml_text(value: object) -> str:
    """Return a value as one line of TOML."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, Mapping):
        inner = ", ".join(f"{json.dumps(name)} = {toml_text(item)}" for name, item in value.items())
        return f"{{ {inner} }}" if inner else "{}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(toml_text, value))}]"
    # A JSON string is also a TOML string.
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str) else repr(value)


MAX_TEXT = 100_000
"""Maximum number of characters of a file that adds to a game's data."""


@dataclass(frozen=True)
class Addition:
    """A file that adds to a game's data.

    Attributes
    ----------
    file
        The file. Messages and changes name it.
    """

    file: Path
    text: str

    def tables(self) -> dict[str, Any]:
        """Return the content of the file, parsed as TOML; raise UserError if it is not valid TOML."""
        return parse_toml(self.file, self.text)


def read_addition(path: Path) -> Addition:
    """Read a file that adds to a game's data.

    Raise UserError if the file is missing, cannot be read, is not valid TOML, or is too long.
    """
    addition = Addition(path, read_text(path))
    if len(addition.text) > MAX_TEXT:
        raise UserError("too long", file=path, found=len(addition.text), allowed=f"at most {MAX_TEXT:,} letters")
    addition.tables()
    return addition
