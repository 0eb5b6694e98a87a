"""Says what is out of balance in a run."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sim.commands.shared import RunFolder
from sim.errors import UserError


def report(
    folder: RunFolder,
    html: Annotated[Path | None, typer.Option(help="Write the whole report as one page.")] = None,
    csv: Annotated[Path | None, typer.Option(help="Write all tables as one CSV file.")] = None,
) -> None:
    """Say what is out of balance in a run, by how much and how sure that is."""
    from reports.balance import build_report
    from reports.console import print_report
    from reports.export import write_csv
    from reports.html import write_html
    from reports.load import load_run

    if html is not None and html == csv:
        raise UserError("page and table cannot be the same file", field="csv", found=str(csv), allowed="another name")
    built = build_report(load_run(folder))
    if html is not None:
        write_html(built, html)
    if csv is not None:
        write_csv(built, csv)
    print_report(built)
    for path in (html, csv):
        if path is not None:
            print(f"written: {path}")
