"""Says what is out of balance in a run."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from sim.commands.shared import RunFolder
from sim.errors import UserError

STANDARD_OUTPUT = "-"


def report(
    folder: RunFolder,
    html: Annotated[Path | None, typer.Option(metavar="PAGE.html", help="Write the whole report as one page.")] = None,
    csv: Annotated[
        str | None,
        typer.Option(
            metavar="TABLES.csv",
            help="Write the tables of win shares as one CSV file; into a folder (name it with a / at its end) every "
            "table as a file of its own.",
        ),
    ] = None,
    json: Annotated[
        Path | None,
        typer.Option(metavar="REPORT.json", help="Write everything as JSON; - for standard output, and nothing else."),
    ] = None,
    png: Annotated[Path | None, typer.Option(metavar="DIR", help="Write every figure into this folder.")] = None,
    full: Annotated[bool, typer.Option("--full", help="Print long tables too.")] = False,
) -> None:
    """Say what is out of balance in a run, by how much and how sure that is."""
    from reports.balance import build_report
    from reports.console import print_report
    from reports.export import csv_files, csv_text, json_text, png_files, write_all
    from reports.html import render
    from reports.load import load_run

    tables = None if csv is None else Path(csv)
    check_places(folder, {"html": html, "csv": tables, "json": json, "png": png})
    built = build_report(load_run(folder))
    files: list[tuple[Path, bytes]] = []
    if html is not None:
        files.append((html, render(built).encode("utf-8")))
    many = tables is not None and names_folder(csv or "")
    if tables is not None:
        files += csv_files(built, tables) if many else [(tables, csv_text(built).encode("utf-8"))]
    printed = json is not None and str(json) == STANDARD_OUTPUT
    if json is not None and not printed:
        files.append((json, json_text(built).encode("utf-8")))
    if png is not None:
        files += png_files(built, png)
    write_all(files, [path for path in (tables if many else None, png) if path is not None])
    if printed:
        print(json_text(built), end="")
        return
    print_report(built, full=full)
    for path in (html, tables, json, png):
        if path is not None:
            print(f"written: {path}")


def names_folder(text: str) -> bool:
    """Whether a place was given as a folder: with a slash at its end, or by the name of one that is there."""
    return text.endswith("/") or (not text.endswith(".csv") and Path(text).is_dir())


def check_places(run: Path, places: dict[str, Path | None]) -> None:
    """Check that no output would replace another, or a part of the run.

    Raises
    ------
    UserError
        Two outputs have the same place, or one lies where the run's own files do.
    """
    taken: dict[Path, str] = {}
    own: Sequence[Path] = (run / "run.json", run / "seats", run / "cards")
    for field, path in places.items():
        if path is None or (field == "json" and str(path) == STANDARD_OUTPUT):
            continue
        place = path.resolve()
        if place in taken:
            other = f"--{taken[place]} and --{field} cannot have the same place"
            raise UserError(other, field=field, found=str(path), allowed="another name")
        if any(place == part.resolve() or part.resolve() in place.parents for part in own):
            raise UserError("a part of the run lies there", field=field, found=str(path), allowed="another name")
        taken[place] = field
