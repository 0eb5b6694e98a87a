"""Reads and validates TOML tables; the catalogues of all games use this module.

A game declares its rows as `Row` models. A mistake in a TOML file raises one `UserError` that names the file, the row,
the field, the value found and the values allowed.
"""

from __future__ import annotations

import hashlib
import json
import pickle
import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, NoReturn, Protocol, TypeVar, get_args

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, model_validator
from pydantic_core import ErrorDetails, PydanticCustomError

from sim.data.files import MAX_TOML_BYTES, SHALLOW, read_within, too_deep
from sim.errors import UserError, printable

CONFIGS = Path(__file__).parents[2] / "configs"

Certainty = Literal["confirmed", "single-source", "stand-in"]
CERTAINTIES: tuple[Certainty, ...] = get_args(Certainty)


MAX_CACHED_ROWS = 8192
"""Maximum number of validated rows in the cache. A second cache, of rows as strings for digests, has the same limit."""


class Row(BaseModel):
    """A table or inline table of a TOML file.

    Types must be exact, numbers finite, unknown fields are errors, and rows are immutable.
    """

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, defer_build=True, allow_inf_nan=False)

    leads_to_code: ClassVar[tuple[str, ...]] = ()
    """Fields whose values decide which code runs. Changes must not touch these fields."""

    @model_validator(mode="before")
    @classmethod
    def _knows_every_field(cls, row: object) -> object:
        # extra="forbid" alone would give a message that does not list the known fields
        known = [info.alias or name for name, info in cls.model_fields.items()]
        for field in row if isinstance(row, dict) else ():
            if field not in known:
                fault("unknown field", field=field, found=field, allowed=known)
        return row


class HasCertainty(Protocol):
    """A row that states how certain its data are."""

    @property
    def certainty(self) -> Certainty:
        """Return the certainty of the row's data."""


@dataclass(frozen=True)
class Kind:
    """A table of a file: the model of its rows, and the fields that name a row.

    Attributes
    ----------
    model
        Model of the table; for an array of tables, the model of each row.
    label
        Fields whose values name a row of an array of tables; empty for a single table.
    """

    model: type[Row]
    label: tuple[str, ...] = ()


RowT = TypeVar("RowT", bound=BaseModel)
ListT = TypeVar("ListT", bound=Sequence[Any])


def fault(message: str, *, field: str | None = None, found: object = None, allowed: object = None) -> NoReturn:
    """Reject a value inside a pydantic validator.

    Parameters
    ----------
    field
        The field at fault, if the validator sees a whole row.
    found, allowed
        See `UserError`.

    Raises
    ------
    PydanticCustomError
        Always; `validate_row` turns it into a `UserError`.
    """
    # pydantic renders only texts, and fails for a lone surrogate, which a JSON file may contain.
    detail = {"field": field, "found": found, "allowed": allowed}
    raise PydanticCustomError("fault", "{message}", {"message": printable(message), "detail": detail})


def no_repeats(items: ListT) -> ListT:
    """Return a list, after validating that it has no duplicates."""
    for place, item in enumerate(items):
        if item in items[:place]:
            fault("named twice", found=item, allowed="each name once")
    return items


Name = Annotated[str, Field(min_length=1)]
"""A string that is not empty."""
NoRepeats = AfterValidator(no_repeats)
"""Validator for lists without duplicates."""
Names = Annotated[list[Name], NoRepeats]
MAX_NUMBER = 99
"""Largest number that the files of most games may give."""
Number = Annotated[int, Field(ge=0, le=MAX_NUMBER)]
Positive = Annotated[int, Field(ge=1, le=MAX_NUMBER)]


class Sourced(Row):
    """A row that names its source.

    If the source covers only part of the row, `known` lists the fields that it covers; the other fields are stand-ins.
    "reward.glory" names part of a field. `known` may also list the facts in `known_elsewhere`: facts about the row that
    are stored in other rows.
    """

    known_elsewhere: ClassVar[tuple[str, ...]] = ()

    certainty: Certainty
    source: Name | None = None
    known: Names = Field(default_factory=list)

    @model_validator(mode="after")
    def _names_its_source(self) -> Sourced:
        if self.certainty != "stand-in" and self.source is None:
            fault("a row needs a source unless it is a stand-in", field="source", allowed="a source")
        fields = [info.alias or name for name, info in type(self).model_fields.items()]
        for name in self.known:
            if name.partition(".")[0] not in (*fields, *self.known_elsewhere):
                fault("unknown field", field="known", found=name, allowed=[*fields, *self.known_elsewhere])
        return self


def read_toml(path: Path) -> dict[str, Any]:
    """Read a TOML file.

    Parameters
    ----------
    path
        The file. It must be UTF-8, with or without a byte order mark.

    Raises
    ------
    UserError
        The file is missing, cannot be read, is not UTF-8 or is not TOML. In the last two cases, the message gives the
        line.
    """
    return parse_toml(path, read_text(path))


def read_text(path: Path) -> str:
    """Read a UTF-8 text file, with or without a byte order mark.

    Raise UserError if it is missing, too large, cannot be read, or is not UTF-8 (the message gives the line).
    """
    try:
        content = read_within(path, MAX_TOML_BYTES)
    except FileNotFoundError:
        beside = sorted(other.name for other in path.parent.glob("*.toml"))
        raise UserError(
            "no such file", file=path, found=path.name if beside else None, allowed=beside or None
        ) from None
    except OSError as error:
        raise UserError(f"cannot be read: {error.strerror}", file=path) from None
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        found = content[error.start : error.end]
        raise UserError(f"not UTF-8 text (at line {line})", file=path, found=found, allowed="UTF-8") from None


def parse_toml(path: Path, text: str) -> dict[str, Any]:
    """Parse a string as TOML. Messages name `path` as its file.

    Raise UserError if the text is not TOML (the message gives the line) or is nested too deep.
    """
    try:
        return _parsed(text)
    except RecursionError:  # the parser also raises this for dotted names with many parts in nested tables
        raise UserError("nested too deep", file=path, allowed=SHALLOW) from None
    except ValueError as error:  # the base class of TOMLDecodeError; int() raises it too, for thousands of digits
        raise UserError(f"not valid TOML: {error}", file=path) from None


def _parsed(text: str) -> dict[str, Any]:
    """Return the content of a TOML text. Each call returns a new dictionary."""
    parsed: dict[str, Any] = pickle.loads(_pickled(text))
    return parsed


@lru_cache(maxsize=256)
def _pickled(text: str) -> bytes:
    """Parse a TOML text, and cache the result as bytes.

    Whenever numbers of a game change, its files are read again, and parsing would take most of the time.

    Raise RecursionError if the text is nested too deep.
    """
    if too_deep(text):
        raise RecursionError
    return pickle.dumps(tomllib.loads(text))


def check_tables(path: Path, data: Mapping[str, object], names: Sequence[str]) -> None:
    """Check that a file has all the tables in `names` and no others."""
    for name in data:
        if name not in names:
            raise UserError("unknown table", file=path, found=name, allowed=names)
    for name in names:
        if name not in data:
            raise UserError(f"the table {name} is missing", file=path, allowed=names)


def validate_row(path: Path | str, row: object, model: type[RowT], name: object) -> RowT:
    """Validate one table of a file.

    Parameters
    ----------
    path, name
        The file, and the name of the row, for messages.
    row
        The table as it was read.

    Raises
    ------
    UserError
        The row is wrong. The message names the first mistake.
    """
    try:
        content = pickle.dumps(row) if issubclass(model, Row) else None
    except RecursionError:  # the row is nested too deep to be cached
        content = None
    try:
        return model.model_validate(row) if content is None else _validated(model, content)
    except ValidationError as error:
        raise row_error(path, name, error.errors(include_url=False)[0]) from None


@lru_cache(maxsize=MAX_CACHED_ROWS)
def _validated(model: type[RowT], content: bytes) -> RowT:
    """Validate a row, and cache the result.

    Whenever numbers of a game change, its files are read again, but most rows are the same as before.
    """
    return model.model_validate(pickle.loads(content))


def validate_rows(
    path: Path, data: Mapping[str, object], table: str, model: type[RowT], label: Sequence[str] = ("name",)
) -> list[RowT]:
    """Validate all rows of an array of tables, `[[table]]`.

    Parameters
    ----------
    path, data
        The file, for messages, and its parsed content.
    table
        Name of the array of tables.
    label
        Fields whose values name a row in messages. A row that lacks the first of them is named by its number, from 1.

    Raises
    ------
    UserError
        The file lacks the array, or a row is wrong. The message names the first mistake.
    """
    rows = data.get(table)
    if not isinstance(rows, list) or not rows:
        raise UserError("no rows", file=path, field=table, allowed=f"one or more [[{table}]] tables")
    return [validate_row(path, row, model, row_name(row, label, number)) for number, row in enumerate(rows, start=1)]


def row_name(row: object, label: Sequence[str], number: int) -> str:
    """Return a row's name for messages: the values of its `label` fields, or `number` if it lacks the first."""
    if not isinstance(row, dict) or label[0] not in row:
        return str(number)
    return " ".join(str(row[field]) for field in label if field in row)


def certainty_shares(rows: Iterable[HasCertainty]) -> dict[Certainty, int]:
    """Count rows by certainty.

    Returns
    -------
    dict
        Number of rows for each of `CERTAINTIES`, even if it is 0.
    """
    found = [row.certainty for row in rows]
    return {certainty: found.count(certainty) for certainty in CERTAINTIES}


def facts_of(row: Row) -> dict[str, Any]:
    """Return the content of a row of game data as JSON values, without default values and certainty."""
    return row.model_dump(mode="json", exclude_defaults=True, exclude={"certainty"})


def digest(data: object) -> str:
    """Return the SHA-256 of data. The order of keys does not matter; dates count as strings."""
    return hashlib.sha256(_json(data).encode()).hexdigest()


def _json(data: object) -> str:
    return json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False, default=str)


_TEXTS: dict[int, tuple[Row, str]] = {}


def digest_of_rows(tables: Mapping[str, object]) -> str:
    """Return the `digest` of a dictionary whose values are rows, lists of rows or plain data."""
    texts = {name: _text_of(value) for name, value in tables.items()}
    text = ",".join(f"{json.dumps(name, ensure_ascii=False)}:{texts[name]}" for name in sorted(texts))
    return hashlib.sha256(f"{{{text}}}".encode()).hexdigest()


def _text_of(value: object) -> str:
    """Format rows or plain data as `digest` does. The text of each row is cached."""
    if isinstance(value, Row):
        if id(value) not in _TEXTS:
            if len(_TEXTS) >= MAX_CACHED_ROWS:
                _TEXTS.clear()
            # The row itself is kept too, so that no other row gets its id.
            _TEXTS[id(value)] = value, _json(value.model_dump())
        return _TEXTS[id(value)][1]
    if isinstance(value, list | tuple) and all(isinstance(row, Row) for row in value):
        return f"[{','.join(map(_text_of, value))}]"
    return _json(value)


def row_error(path: Path | str, row: object, problem: ErrorDetails) -> UserError:
    """Return the UserError for one problem that pydantic found in a row."""
    context = problem.get("ctx", {})
    detail = context.get("detail", {})
    place = [*problem["loc"], *([detail["field"]] if detail.get("field") else [])]
    found, allowed, message = problem["input"], None, problem["msg"]
    if problem["type"] == "fault":
        found = detail["found"] if detail["found"] is not None else found
        allowed = detail["allowed"]
    elif problem["type"] == "missing":
        found, message = None, "this field is missing"
    elif problem["type"] in ("too_long", "too_short"):
        # pydantic does not report the actual length of an object that is too long.
        length = context["actual_length"]
        message, found = "wrong number of entries", len(found) if length is None else length
        most, least = context.get("max_length"), context.get("min_length")
        allowed = f"at least {least}" if most is None else f"at most {most}"
    elif problem["type"] == "string_pattern_mismatch":
        message, allowed = "not allowed here", f"text of the form {context['pattern']}"
    elif problem["type"] == "literal_error":
        # pydantic reports the allowed values only as a single string: "'left', 'self' or 'right'"
        message = "unknown value"
        allowed = re.findall(r"'([^']*)'", context["expected"]) or context["expected"]
    elif problem["type"] in ("model_type", "dict_type"):
        message, allowed = "not allowed here", "named values"
    elif message.startswith("Input should be "):
        allowed = message.removeprefix("Input should be ").replace("valid integer", "whole number")
        message = "not allowed here"
    return UserError(message, file=path, row=row, field=_field(place) or None, found=found, allowed=allowed)


def _field(place: Sequence[int | str]) -> str:
    # pydantic puts the chosen model of a union before the field, and counts list items from 0
    parts = [str(part + 1) if isinstance(part, int) else part for part in place]
    return ".".join(part for before, part in zip(["", *parts], parts, strict=False) if part != before)
