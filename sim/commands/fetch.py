"""Copies a run from a URL into a folder."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated

import typer

from sim.commands.console import print_json, progress_bar
from sim.commands.options import AsJson, Quiet


def fetch(
    url: Annotated[str, typer.Argument(metavar="URL", help="Where simulate --cluster has put a run: s3://bucket/run.")],
    out: Annotated[Path, typer.Option("--out", "-o", help="Folder for the run.")],
    overwrite: Annotated[bool, typer.Option(help="Replace the run in the output folder.")] = False,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Copy a run from a URL into a folder, where all other commands read it; every part is verified.

    Example: empirelab fetch s3://bucket/run --out runs/fetched
    """
    from sim.runs.remote.url_run import fetch_run as copy

    with progress_bar("fetched", None, quiet) as advance:
        made = copy(url, out, overwrite=overwrite, report=advance)
    if as_json:
        print_json({"folder": str(out), "games": made.games})
    elif not quiet:
        print(f"{made.games:,} games written to {out}; read them with: empirelab report {shlex.quote(str(out))}")
