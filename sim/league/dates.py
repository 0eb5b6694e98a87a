"""Reads dates, and rejects them if the order of day and month is ambiguous."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from sim.errors import UserError

ALLOWED = (
    "2024-03-01, or a file in which another date with slashes or hyphens shows whether the day or the month comes first"
)
WRITTEN = (
    "%d %b %Y", "%d %B %Y", "%b %d %Y", "%B %d %Y", "%d-%b-%Y", "%d-%b-%y", "%Y%m%d", "%Y-%m", "%Y",
)  # fmt: skip
NUMBERS = r"^(\d{1,2})([./-])(\d{1,2})[./-](\d{4}|\d{2})$"
"""Pattern for two numbers and a year. If points separate them, the day comes first."""


def read_dates(texts: pl.Series, rows: pl.Series, column: str, file: Path | None, notes: list[str]) -> pl.Series:
    """Read a column of dates; an empty cell becomes null.

    `rows` are the row numbers for messages. If the order of day and month had to be inferred, `notes` gets a sentence.

    One file may write dates in several ways. If a date like 03/04/2024 could be read in two ways, other dates of the
    file decide whether the day or the month comes first: those in which one of the two numbers is above 12. Raise
    UserError if a date cannot be read, no date shows the order of day and month, or two dates show different orders.
    """
    frame = pl.DataFrame({"text": texts, "row": rows}).with_columns(
        pl.col("text").str.replace(r"[T ]+\d{1,2}:\d{2}.*$", "").str.replace_all(r"[,\s]+", " ").alias("day")
    )
    frame = frame.with_columns(
        pl.col("day").str.replace_all("[/.]", "-").str.to_date("%Y-%m-%d", strict=False).alias("date"),
        *(pl.col("day").str.extract(NUMBERS, part).alias(name)
          for part, name in ((1, "one"), (2, "sign"), (3, "two"), (4, "year"))),
    ).with_columns(
        pl.col("one", "two", "year").cast(pl.Int32, strict=False)
    )  # fmt: skip
    for written in WRITTEN:
        frame = frame.with_columns(pl.col("date").fill_null(as_date(pl.col("day"), written)))
    open_rows = frame.filter(pl.col("date").is_null() & (pl.col("sign") != "."))
    day_first, month_first = (open_rows.filter(pl.col(name) > 12) for name in ("one", "two"))
    if day_first.height and month_first.height:
        first, second = day_first.row(0, named=True), month_first.row(0, named=True)
        message = f"row {first['row']} has the day first ({first['text']!r}), and this row the month"
        raise UserError(message, file=file, row=second["row"], field=column, found=second["text"], allowed=ALLOWED)
    ambiguous = open_rows.filter(pl.col("one") != pl.col("two"))
    if ambiguous.height and not day_first.height and not month_first.height:
        row = ambiguous.row(0, named=True)
        message = "the date may have the day or the month first"
        raise UserError(message, file=file, row=row["row"], field=column, found=row["text"], allowed=ALLOWED)
    if ambiguous.height:
        shown = (day_first if day_first.height else month_first).row(0, named=True)
        which = "day" if day_first.height else "month"
        notes.append(f"dates such as {ambiguous['text'][0]} have the {which} first, as row {shown['row']} shows")
    day = pl.when((pl.col("sign") == ".") | bool(day_first.height)).then("one").otherwise("two")
    month = pl.when((pl.col("sign") == ".") | bool(day_first.height)).then("two").otherwise("one")
    year = pl.when(pl.col("year") < 100).then(pl.col("year") + 2000).otherwise("year")
    text = pl.format("{}-{}-{}", year, month.cast(pl.String).str.zfill(2), day.cast(pl.String).str.zfill(2))
    frame = frame.with_columns(pl.col("date").fill_null(text.str.to_date("%Y-%m-%d", strict=False)))
    unread = frame.filter(pl.col("text").is_not_null() & pl.col("date").is_null())
    if unread.height:
        row = unread.row(0, named=True)
        raise UserError("this is not a date", file=file, row=row["row"], field=column, found=row["text"],
                        allowed="2024-03-01, 1.3.2024 or 1 Mar 2024")  # fmt: skip
    return frame["date"].alias("date")


def as_date(text: pl.Expr, written: str) -> pl.Expr:
    """Convert texts in the format `written` to dates, and all others to null.

    A year or a month becomes its first day.
    """
    if written == "%Y":
        return (text.str.extract(r"^(\d{4})$") + "-01-01").str.to_date("%Y-%m-%d", strict=False)
    if written == "%Y-%m":
        return (text.str.extract(r"^(\d{4}-\d{2})$") + "-01").str.to_date("%Y-%m-%d", strict=False)
    return text.str.to_date(written, strict=False)
