"""The numbers of a game in one plain Python file: reads them, describes them as rows, and changes them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from math import isfinite
from pathlib import Path
from typing import Any

from pydantic import Field, create_model

from sim.data.catalog import Kind, Row, validate_row
from sim.errors import UserError, close, nearest

LOOSE = "constants"
"""Name of an artificial table. It holds the numbers that stand outside all tables of a file."""


def as_file(content: Mapping[str, Any]) -> dict[str, Any]:
    """Return data in the form of a TOML file; numbers outside all tables are put into the table `LOOSE`."""
    loose = {name: value for name, value in content.items() if not is_table(value)}
    tables = {name: value for name, value in content.items() if is_table(value)}
    return {LOOSE: {**loose, **tables.pop(LOOSE, {})}, **tables} if loose else tables


def as_given(content: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """Undo `as_file`: take numbers that are outside all tables in `given` out of the table `LOOSE` again."""
    loose = {name for name, value in given.items() if not is_table(value)}
    tables = {name: value for name, value in content.items() if name in given}
    outside = {name: content[LOOSE][name] for name in loose}
    if LOOSE in tables:
        tables[LOOSE] = {name: value for name, value in tables[LOOSE].items() if name not in loose}
    return {**outside, **tables}


def is_table(value: object) -> bool:
    """Tell whether a value is a table, or an array of tables."""
    return isinstance(value, dict) or (
        isinstance(value, list | tuple) and bool(value) and all(isinstance(row, dict) for row in value)
    )


def kinds_of(file: str | Path, content: Mapping[str, Any], negative: Sequence[str]) -> dict[str, Kind]:
    """Return a row model for each table of a file, derived from its rows.

    A number may be below 0 only if its column already has one below 0, or if `negative` names the column. Raise
    UserError if two rows of a table have the same name, or a field is misspelt.
    """
    kinds = {}
    for table, value in content.items():
        rows = [value] if isinstance(value, dict) else list(value)
        label = () if isinstance(value, dict) else naming_field(rows)
        if label and len({row.get(label[0]) for row in rows}) < len(rows):
            names = [row.get(label[0]) for row in rows]
            twice = next(name for name in names if names.count(name) > 1)
            raise UserError(f"two rows of [[{table}]] have the same {label[0]}", file=file, field=label[0], found=twice)
        check_spelling(file, table, rows)
        kinds[table] = Kind(model_of(table, rows, negative), label)
    return kinds


def naming_field(rows: Sequence[Mapping[str, Any]]) -> tuple[str, ...]:
    """Return the field that names the rows of a table.

    This is `name`, else the first field that is a string in every row, else the first field.
    """
    texts = [name for name in rows[0] if all(isinstance(row.get(name), str) for row in rows)]
    return ("name",) if "name" in texts else (texts[0] if texts else next(iter(rows[0])),)


def check_spelling(file: str | Path, table: str, rows: Sequence[Mapping[str, Any]]) -> None:
    """Check that no row has a misspelt field.

    A field counts as misspelt if no other row has it, and if the row lacks a field with a similar name that all other
    rows have. Names that differ only in digits count as different fields.
    """
    counts = Counter(name for row in rows for name in row)
    common = [name for name, count in counts.items() if count == len(rows) - 1 > 1]
    for number, row in enumerate(rows, start=1):
        missing = [name for name in common if name not in row]
        for name in row:
            near = nearest(name, missing) if counts[name] == 1 else None
            if near is not None and close(name, near) and re.sub(r"\d", "", name) != re.sub(r"\d", "", near):
                raise UserError(
                    f"no other row of [[{table}]] has this field; the other rows have {near!r}", file=file,
                    row=name_of_row(rows, number), field=f"{table}.{name}", found=name, allowed=[near],
                )  # fmt: skip


def name_of_row(rows: Sequence[Mapping[str, Any]], number: int) -> str:
    """Return a row's name for messages, or its number (from 1) if it has no name."""
    return str(rows[number - 1].get(naming_field(rows)[0], number))


def locate_row(content: Mapping[str, Any], row: Mapping[str, Any]) -> tuple[str, list[Mapping[str, Any]], int] | None:
    """Return the table that contains this row object, all rows of the table, and the number of the row (from 1).

    A table that is not an array counts as one row. The result is None if no table contains the row.
    """
    for table, value in content.items():
        rows = [value] if isinstance(value, Mapping) else list(value) if is_table(value) else []
        for number, each in enumerate(rows, start=1):
            if each is row:
                return table, rows, number
    return None


def numbers_by_place(content: Mapping[str, Any]) -> dict[str, bool | int | float | str]:
    """Return every value in a file, keyed by table, row and field: {"card.Ore.price": 3, "rules.rounds": 4}."""
    values: dict[str, Any] = {}
    for table, value in content.items():
        rows = [value] if isinstance(value, Mapping) else list(value)
        for number, row in enumerate(rows, start=1):
            place = table if isinstance(value, Mapping) else f"{table}.{name_of_row(rows, number)}"
            values |= {f"{place}.{name}": each for name, each in row.items()}
    return {place: each if is_json(each) else str(each) for place, each in values.items()}


def is_json(value: object) -> bool:
    """Tell whether a value is a string or number that JSON can represent."""
    return isinstance(value, bool | int | str) or (isinstance(value, float) and isfinite(value))


def model_of(table: str, rows: Sequence[Mapping[str, Any]], negative: Sequence[str]) -> type[Row]:
    """Return the model of a table's rows, derived from their values: type, lower bound and whether a field is required.

    A field is required if every row has it. A number must be at least 0 unless a row has it below 0, or `negative` has
    "table.field".
    """
    fields: dict[str, Any] = {}
    for name in dict.fromkeys(name for row in rows for name in row):
        values = [row[name] for row in rows if name in row]
        kind = type_of(values)
        limits: dict[str, Any] = {}
        if kind in (int, float) and min(values) >= 0 and f"{table}.{name}" not in negative:
            limits = {"ge": 0}
        everywhere = len(values) == len(rows)
        fields[name] = (kind if everywhere else kind | None, Field(... if everywhere else None, **limits))
    model: type[Row] = create_model(f"row of {table}", __base__=Row, **fields)
    return model


def type_of(values: Sequence[Any]) -> Any:
    """Return the common type of a field's values: int, float, str or bool.

    It is float for a mixture of int and float, and `Any` (unchecked) for any other mixture or type.
    """
    kinds = {type(value) for value in values}
    if len(kinds) == 1 and (kind := kinds.pop()) in (int, float, str, bool):
        return kind
    return float if kinds and kinds <= {int, float} else Any


def check_rows(file: Path, content: Mapping[str, Any], kinds: Mapping[str, Kind]) -> None:
    """Raise UserError if a row of `content`, after a user's changes, does not fit the model of its table in `kinds`."""
    for table, kind in kinds.items():
        value = content[table]
        for number, row in enumerate([value] if isinstance(value, dict) else value, start=1):
            name = str(row.get(kind.label[0], number)) if kind.label else table
            validate_row(file, row, kind.model, name)
