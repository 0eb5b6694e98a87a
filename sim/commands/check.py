"""Checks that runs are as they were written."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def check(
    folders: Annotated[list[Path], typer.Argument(metavar="DIR...", help="Folders of runs that simulate has written.")],
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Say nothing of runs in which all holds.")] = False,
) -> None:
    """Check all of a run: its manifest, the digest of every part, the rows of every game, and nothing strange beside.

    Example: empirelab check runs/first runs/second
    """
    from reports.data.check import check_run

    for folder in folders:
        found = check_run(folder)
        if not quiet:
            sizes = f"{found.games:,} games, {found.blocks:,} blocks, {found.rows:,} rows, {found.parts:,} parts"
            print(f"{folder}: whole ({sizes})")
