"""Format the cells of a section's tables, the same for terminal and page."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import polars as pl

from reports import formatting
from reports.model import Column, ColumnKind, Listing

NOTE = "note"
TINY, TEN = 0.01, 10
TONES = {"strong": "strong", "up": "strong", "weak": "weak", "down": "weak"}
"""Colour of a flag: that for winning more, or that for winning less."""


@dataclass(frozen=True)
class Head:
    """A heading; text cells are left-aligned, and a narrow screen hides `further` columns."""

    title: str
    text: bool
    meaning: str = ""
    flag: bool = False
    link: bool = False
    further: bool = False


@dataclass(frozen=True)
class Cell:
    """A formatted cell, and the value it is sorted by; None if unknown."""

    text: str
    value: Any


@dataclass(frozen=True)
class Sheet:
    """A formatted listing.

    Attributes
    ----------
    heads
        One for each column; an interval has a column of its own, to the right of its value.
    rows
        Cells in the order of the heads.
    tones
        "strong", "weak" or "" for each row, from its first column of flags.
    """

    heads: tuple[Head, ...]
    rows: tuple[tuple[Cell, ...], ...]
    tones: tuple[str, ...]


def sheet(listing: Listing) -> Sheet:
    """Format a listing's columns, with its column `note`, if not empty, at the end."""
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


def cells(frame: pl.DataFrame, column: Column) -> Iterator[Cell]:
    """Format one column; the value of a link is its target."""
    if column.kind == "link":
        for text, target in zip(frame[column.name].to_list(), frame[f"{column.name}_href"].to_list(), strict=True):
            yield Cell(text, target)
        return
    digits = column_decimals(frame[column.name]) if column.kind == "number" else 2
    for value in finite_values(frame[column.name]):
        yield Cell(format_value(value, column.kind, digits), value)


def intervals(frame: pl.DataFrame, column: Column) -> Iterator[Cell]:
    """Format the interval of a column: 'a to b', sorted by a."""
    limits = [frame[column.low], frame[column.high]]
    digits = max(map(column_decimals, limits)) if column.kind == "number" else 2
    for low, high in zip(*map(finite_values, limits), strict=True):
        if low is None or high is None:
            yield Cell(formatting.UNKNOWN, None)
        else:
            ends = (format_value(end, column.kind, digits).removesuffix(" %") for end in (low, high))
            yield Cell(" to ".join(ends), low)


def finite_values(values: pl.Series) -> list[Any]:
    """Return values with None in place of NaN and infinity."""
    return [None if isinstance(value, float) and not math.isfinite(value) else value for value in values.to_list()]


def format_value(value: Any, kind: ColumnKind, digits: int = 2) -> str:
    """Format a value by its kind; unknown as '-'.

    Parameters
    ----------
    value
        A string, number, boolean or None.
    kind
        See `reports.model.ColumnKind`.
    digits
        Decimals of a plain number; shares, edges and sizes have two.
    """
    if value is None:
        return "" if kind in ("text", "flag") else formatting.UNKNOWN
    if isinstance(value, bool):
        return ("yes" if value else "") if kind == "flag" else ("yes" if value else "no")
    if kind in ("text", "flag"):
        return str(value)
    if kind == "count":
        return formatting.count(round(value))
    if kind == "number":
        return f"{value:z,.{digits}f}"
    written = {"share": formatting.percent, "edge": formatting.points, "size": formatting.size}
    return formatting.p_value(value) if kind == "p" else written[kind](value, 2)


def column_decimals(values: pl.Series) -> int:
    """Return the decimals of a column of plain numbers: 0 for whole numbers, else 1 or 2, more if all are tiny."""
    numbers = [abs(value) for value in finite_values(values) if value is not None]
    if all(float(number).is_integer() for number in numbers):
        return 0
    largest = max(numbers)
    return 4 if largest < TINY else 2 if largest < TEN else 1
