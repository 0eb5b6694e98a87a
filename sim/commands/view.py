"""Lists the results in a folder."""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import Annotated

import typer

from sim.commands.console import log_unless, print_json, progress_bar
from sim.commands.options import AsJson, Csv, Page, Quiet, option
from sim.commands.sections import Places

WIDTH = 100
HOW_LINKED = "Latest first. A link opens the page of a result, or its folder if it has no page."


def view(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="Folder with results.")] = Path("runs"),
    html: Page = None,
    csv: Csv = None,
    tags: Annotated[
        list[str] | None, option("Only results with this tag. May be repeated.", "--tag", of="WORD")
    ] = None,
    reports: Annotated[
        bool, option("Write the page of each run and comparison that has none, beside it.", "--reports")
    ] = False,
    fast: Annotated[bool, option("Show only what the manifests say, and read no games.", "--fast")] = False,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """List all runs, comparisons, sweeps and leagues in a folder: question, result, date and size.

    Examples
    --------
    empirelab view runs --html runs/index.html
    empirelab view runs --tag boards

    Notes
    -----
    The latest comes first. On the page the name of a result leads to its page beside it (`runs/first.html` for
    `runs/first`), or to its folder. What is wrong with a run stands in its row. Runs of one plan with several seeds
    are named, since `merge` can pool them. The figure of the page shows the rows farthest above and below their fair
    share in each of the latest runs. Reading the games takes about a second for 100,000.
    """
    from reports.data.folders import find_results
    from reports.folder_view import folder_title, lines_of, view_folder, view_section, view_step, write_missing_pages
    from reports.render.export import section_content
    from reports.render.page import sections_page
    from reports.render.terminal import print_step, standard_output
    from sim.commands.sections import section_csv_files, section_csv_text
    from sim.data.files import write_all

    places = Places(html, csv, as_json)
    count = len(find_results(folder))
    with progress_bar("looked at", count, quiet or fast) as advance:
        found = view_folder(folder, verdicts=not fast, tags=tags or (), say=advance)
    for path in write_missing_pages(found) if reports else ():
        log_unless(quiet)(f"written: {path}")
    place = folder if html is None else html.parent
    section, step = view_section(found, place), view_step(found, place)
    files: list[tuple[Path, bytes]] = []
    if html is not None:
        page = sections_page(f"Runs in {folder_title(folder)}", HOW_LINKED, [section], step=step)
        files.append((html, page.encode("utf-8")))
    if places.csv_folder is not None:
        files += section_csv_files([section], places.csv_folder)
    elif csv is not None:
        files.append((Path(csv), section_csv_text([section]).encode("utf-8")))
    write_all(files, [] if places.csv_folder is None else [places.csv_folder])
    if as_json:
        print_json({"folder": str(folder), "sections": [section_content(section)]})
        return
    for line in lines_of(found):
        indent = line[: len(line) - len(line.lstrip())]
        print(textwrap.fill(line, WIDTH, subsequent_indent=indent, break_on_hyphens=False) if line else "")
    print_step(step, standard_output())
    for path, _ in files:
        print(f"written: {path}")
