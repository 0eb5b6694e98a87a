"""Checks that runs are as they were written."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from sim.commands.shared import AsJson, Quiet, print_json


def check(
    folders: Annotated[list[Path], typer.Argument(metavar="DIR...", help="Folders of runs that simulate has written.")],
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Check all of a run: its manifest, the digest of every part, the rows of every game, and nothing strange beside.

    Example: empirelab check runs/first runs/second
    """
    from reports.data.check import check_run
    from reports.words import counted

    whole = {str(folder): check_run(folder) for folder in folders}
    if as_json:
        print_json([{"run": folder, **asdict(found)} for folder, found in whole.items()])
    elif not quiet:
        for folder, found in whole.items():
            sizes = {"game": found.games, "block": found.blocks, "row": found.rows, "part": found.parts}
            print(f"{folder}: whole ({', '.join(counted(size, noun) for noun, size in sizes.items())})")
