"""Write files whole or not at all, and the report's tables as one tidy CSV file."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import polars as pl

from reports.balance import Report
from sim.errors import UserError


def write_csv(report: Report, path: Path) -> None:
    """Write all tables as one CSV file, one row per table and level.

    Columns: `table`, `level`, `level2` (empty but for crossed tables), then those of `winshare.win_shares`, then
    `mean_<part>` of each score part and measure. Shares and edges are fractions with all their digits;
    what is unknown is empty.

    Parameters
    ----------
    report
        From `build_report`.
    path
        The file to write; an older one is replaced in one step.

    Raises
    ------
    UserError
        The file cannot be written; nothing is left behind.
    """
    frames = [table.frame.select(pl.lit(table.name).alias("table"), pl.all()) for table in report.tables.values()]
    write_whole(Path(path), pl.concat(frames).write_csv().encode("utf-8"))


def write_whole(path: Path, content: bytes) -> None:
    """Write under a temporary name beside `path`, then rename: a reader sees the old file or the new, never half of it.

    Raises
    ------
    UserError
        The file cannot be written.
    """
    temporary: Path | None = None
    try:
        with tempfile.NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}.", delete=False) as file:
            temporary = Path(file.name)
            file.write(content)
        # Temporary files are private to their owner; a report is as public as any other new file.
        temporary.chmod(0o666 & ~current_umask())
        temporary.replace(path)
    except OSError as error:
        if temporary is not None:
            temporary.unlink(missing_ok=True)
        raise UserError(f"cannot be written ({error.strerror or error})", file=path) from error


def current_umask() -> int:
    """Return the process's file mode mask, which can only be read by setting it."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
