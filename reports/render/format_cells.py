"""Formats the cells of a section's tables in the same way for terminal and page."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import polars as pl

from reports import formatting
from reports.model import Column, ColumnKind, Listing, Tabular

NOTE = "note"
TINY, TEN = 0.01, 10
TONES = {"strong": "strong", "up": "strong", "weak": "weak", "down": "weak"}
"""Colour of a row by its flag: "strong" for winning more, "weak" for winning less."""


@dataclass(frozen=True)
class Head:
    """The heading of a column. Cells of `text` columns are left-aligned. A narrow screen hides `further` columns."""

    title: str
    text: bool
    meaning: str = ""
    flag: bool = False
    link: bool = False
    further: bool = False


@dataclass(frozen=True)
class Cell:
    """The text of a cell, and the value by which the cell is sorted; None if the value is unknown."""

    text: str
    value: Any


@dataclass(frozen=True)
class Sheet:
    """A listing whose cells are formatted.

    Attributes
    ----------
    heads
        One heading for each column. An interval has a column of its own, to the right of its value.
    rows
        Cells of each row, in the order of the headings.
    tones
        For each row "strong", "weak" or "", from the first column of flags.
    """

    heads: tuple[Head, ...]
    rows: tuple[tuple[Cell, ...], ...]
    tones: tuple[str, ...]


def sheet(listing: Listing) -> Sheet:
    """Format a listing. If its frame has a column `note` with any text in it, this column comes last."""
    frame = listing.frame
    columns = list(listing.shown)
    noted = NOTE in frame.columns and (frame[NOTE].cast(pl.String).fill_null("") != "").any()
    if noted and NOTE not in [column.name for column in columns]:
        columns.append(Column(NOTE, NOTE, "text", further=any(column.further for column in columns)))
    heads: list[Head] = []
    written: list[list[Cell]] = []
    for column in columns:
        text, flag, link = (column.kind in kinds for kinds in (("text", "flag", "link"), ("flag",), ("link",)))
        heads.append(Head(column.title, text, column.meaning, flag, link, column.further))
        written.append(list(cells(frame, column)))
        if column.low and column.high:
            heads.append(Head(column.limits, False, f"of {column.title}", further=column.further))
            written.append(list(intervals(frame, column)))
    flags = next((frame[column.name].to_list() for column in columns if column.kind == "flag"), [""] * frame.height)
    tones = tuple(TONES.get(str(flag), "") for flag in flags)
    return Sheet(tuple(heads), tuple(zip(*written, strict=True)), tones)


def left_out(table: Tabular, most: int) -> str:
    """Return the line below a table of which only `most` rows are shown: 'And 12 rows more in .frame.' or empty."""
    left = len(table) - most
    return f"And {formatting.counted(left, 'row')} more in .frame." if left > 0 else ""


def cells(frame: pl.DataFrame, column: Column) -> Iterator[Cell]:
    """Format the cells of a column. The value of a link is its target."""
    if column.kind == "link":
        for text, target in zip(frame[column.name].to_list(), frame[f"{column.name}_href"].to_list(), strict=True):
            yield Cell(text, target)
        return
    digits = column_decimals(frame[column.name]) if column.kind == "number" else 2
    for value in finite_values(frame[column.name]):
        yield Cell(format_value(value, column.kind, digits), value)


def intervals(frame: pl.DataFrame, column: Column) -> Iterator[Cell]:
    """Format the intervals of a column as 'a to b'. The value of a cell, by which a page sorts, is its lower limit."""
    limits = [frame[column.low], frame[column.high]]
    digits = max(map(column_decimals, limits)) if column.kind == "number" else 2
    for low, high in zip(*map(finite_values, limits), strict=True):
        if low is None or high is None:
            yield Cell(formatting.UNKNOWN, None)
        else:
            ends = (format_value(end, column.kind, digits).removesuffix(" %") for end in (low, high))
            yield Cell(" to ".join(ends), low)


def finite_values(values: pl.Series) -> list[Any]:
    """Return the values of a column, with None in place of NaN and infinity."""
    return [finite(value) for value in values.to_list()]


def finite(value: Any) -> Any:
    """Return a value, or None in place of NaN and infinity, which JSON does not have."""
    return None if isinstance(value, float) and not math.isfinite(value) else value


def format_value(value: Any, kind: ColumnKind, digits: int = 2) -> str:
    """Format a value by the kind of its column; unknown as '-', or empty in a column of texts or flags.

    Parameters
    ----------
    value
        A string, number, boolean or None.
    kind
        See `reports.model.ColumnKind`.
    digits
        Decimals of a plain number. Shares, edges and sizes always have two.
    """
    if value is None:
        return "" if kind in ("text", "flag") else formatting.UNKNOWN
    if isinstance(value, bool):
        no = "" if kind == "flag" else "no"
        return "yes" if value else no
    if kind in ("text", "flag"):
        return str(value)
    if kind == "count":
        return formatting.count(round(value))
    if kind == "number":
        return f"{value:z,.{digits}f}"
    written = {"share": formatting.percent, "edge": formatting.points, "size": formatting.size}
    return formatting.p_value(value) if kind == "p" else written[kind](value, 2)


def column_decimals(values: pl.Series) -> int:
    """Return the number of decimals of a column of plain numbers: 0 for whole numbers, 4 for tiny ones, else 1 or 2."""
    numbers = [abs(value) for value in finite_values(values) if value is not None]
    if all(float(number).is_integer() for number in numbers):
        return 0
    largest = max(numbers)
    return 4 if largest < TINY else 2 if largest < TEN else 1
