"""Copies a run from a URL into a folder."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated

import typer

from sim.commands.console import print_json, progress_bar
from sim.commands.options import AsJson, Overwrite, Quiet, option


def fetch(
    url: Annotated[str, typer.Argument(metavar="URL", help="URL of a run of simulate --cluster: s3://bucket/run.")],
    out: Annotated[Path, option("Folder for the run.", "--out", "-o", of="DIR")],
    overwrite: Overwrite = False,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Copy a run from a URL into a folder, where all other commands read it.

    Examples
    --------
    empirelab fetch s3://bucket/run --out runs/fetched

    Notes
    -----
    Every part is verified by its SHA-256. A run that is unfinished, damaged or missing is refused.
    """
    from sim.runs.remote.url_run import fetch_run as copy

    with progress_bar("fetching", None, quiet) as advance:
        made = copy(url, out, overwrite=overwrite, report=advance)
    if as_json:
        print_json({"folder": str(out), "games": made.games})
    elif not quiet:
        print(f"{made.games:,} games written to {out}; read them with: empirelab report {shlex.quote(str(out))}")
