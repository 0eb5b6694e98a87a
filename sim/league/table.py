"""Reads a spreadsheet as a table of strings; each row has its number in the file."""

from __future__ import annotations

import io
import zipfile
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl

from sim.data.files import check_size
from sim.data.json_input import while_reading
from sim.errors import UserError

if TYPE_CHECKING:
    import pandas as pd

ROW = "row of the file"
"""Column with the number of each row, as a spreadsheet counts: the heading is row 1."""
MAX_TABLE_BYTES = 2**30
DELIMITERS = (",", ";", "\t", "|")
EXCEL = (".xlsx", ".xlsm", ".xls", ".ods")
READABLE = "a file that ends in .csv, .tsv, .txt, .xlsx or .parquet"
UTF_16 = (b"\xff\xfe", b"\xfe\xff")
"""The first bytes of texts in UTF-16."""
EXTRA = 'pip install "empirelab[excel]", or save the sheet as CSV'


def read_table(source: Path | pl.DataFrame | pd.DataFrame) -> pl.DataFrame:
    """Return the cells of a file or frame as strings without outer blanks; an empty cell is null.

    Empty rows are dropped, and so are empty columns without a heading. Raise UserError if the file is missing, cannot
    be read, is not a table, or is empty.
    """
    if isinstance(source, Path):
        frame = read_file(source)
    elif isinstance(source, pl.DataFrame):
        frame = source
    elif hasattr(source, "iloc"):
        frame = pl.from_pandas(source)
    else:
        allowed = "the path of a file, or a frame of Polars or pandas"
        raise UserError("these are not results", field="source", found=source, allowed=allowed)
    texts = [as_text(column).str.strip_chars().replace("", None) for column in frame]
    named = [text for text in texts if not (text.name.strip() == "" and text.null_count() == len(text))]
    table = pl.DataFrame(named).with_row_index(ROW, 2) if named else pl.DataFrame()
    table = table.filter(pl.any_horizontal(pl.exclude(ROW).is_not_null())) if named else table
    if table.is_empty():
        raise UserError("there are no rows", file=source if isinstance(source, Path) else None, allowed=READABLE)
    return table


def as_text(column: pl.Series) -> pl.Series:
    """Convert a column to strings. A column of whole numbers gives '3', not '3.0'; dates look like '2024-03-01'."""
    if column.dtype.is_float():
        whole = column.is_finite().all() and (column == column.round()).all()
        column = column.cast(pl.Int64) if whole else column.fill_nan(None)
    if column.dtype == pl.Datetime:
        column = column.dt.date()
    if column.dtype.is_nested() or column.dtype == pl.Binary:
        raise UserError("a column of lists is not a column of a table", field=column.name, found=str(column.dtype))
    return column.cast(pl.String)


def read_file(path: Path) -> pl.DataFrame:
    """Read a CSV, Excel or Parquet file; raise UserError if it cannot be read."""
    if path.is_dir():
        raise UserError("this is a folder, not a file of results", file=path, allowed=READABLE)
    with while_reading(path):
        check_size(path, path.stat().st_size, MAX_TABLE_BYTES)
        content = path.read_bytes()
    if not content:
        raise UserError("the file is empty", file=path, allowed=READABLE)
    kind = path.suffix.lower()
    if kind in EXCEL:
        return read_excel(path, content)
    try:
        if content.startswith(b"PAR1"):
            return pl.read_parquet(io.BytesIO(content))
        binary = b"\0" in content[:1000] and not content.startswith(UTF_16)
        if kind == ".parquet" or binary or zipfile.is_zipfile(io.BytesIO(content)):
            raise UserError("this is not a table of results", file=path, allowed=READABLE)
        return parse_table(decoded(content))
    except (pl.exceptions.PolarsError, UnicodeError) as error:
        reason = str(error).splitlines()[0]
        raise UserError(f"cannot be read as a table ({reason})", file=path, allowed=READABLE) from error


def read_excel(path: Path, content: bytes) -> pl.DataFrame:
    """Read the first sheet of a workbook; raise UserError if the package that reads it is missing."""
    if find_spec("fastexcel") is None:
        raise UserError("the package that reads Excel files is not installed", file=path, allowed=EXTRA)
    try:
        # Empty rows are kept, so that the numbers of rows are those of the sheet. Cells are read as strings, as from a
        # CSV file.
        return pl.read_excel(io.BytesIO(content), infer_schema_length=0, raise_if_empty=False, drop_empty_rows=False)
    except Exception as error:  # the exception classes of the reader are not public
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise UserError(f"cannot be read as a workbook ({reason})", file=path, allowed=EXTRA) from error


def decoded(content: bytes) -> str:
    """Decode bytes as Unicode if possible, otherwise as Windows-1252."""
    if content.startswith(UTF_16):
        return content.decode("utf-16")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("cp1252", errors="replace")


def parse_table(text: str) -> pl.DataFrame:
    """Read a table from text. The delimiter that occurs most often in the heading separates the cells."""
    heading = text.lstrip("\r\n").partition("\n")[0]
    delimiter = max(DELIMITERS, key=heading.count)
    return pl.read_csv(
        io.BytesIO(text.encode("utf-8")), separator=delimiter, infer_schema=False, truncate_ragged_lines=True
    )
