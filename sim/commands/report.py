"""Says what is out of balance in a run."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sim.commands.shared import (
    AsJson,
    Full,
    Quiet,
    RunFolder,
    print_json_text,
)
from sim.errors import UserError

if TYPE_CHECKING:
    from reports.claims import Claim
    from reports.data.load import Run

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
    png: Annotated[Path | None, typer.Option(metavar="DIR", help="Write every figure into this folder.")] = None,
    beside: Annotated[
        list[Path] | None,
        typer.Option(
            "--with", metavar="DIR", help="A run under other conditions, to see what holds there too; may be repeated."
        ),
    ] = None,
    margin: Annotated[
        float,
        typer.Option(
            metavar="POINTS",
            help="How far from its fair share a row may be and still count as balanced, in percentage points.",
        ),
    ] = 1.0,
    sensitivity: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE.json", help="What `sensitivity --json` has found: the verdict says what of it survives."
        ),
    ] = None,
    ladder: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR", help="What `ladder --out` has written: the verdict says what of it holds at the top rung."
        ),
    ] = None,
    explain: Annotated[
        bool,
        typer.Option("--explain", help="With --html: also a page for every faction, linked from the verdict."),
    ] = False,
    full: Full = False,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Say what is out of balance in a run, by how much and how sure that is."""
    from reports.data.ladder import load_ladder
    from reports.data.load import load_run
    from reports.data.partial_run import load_so_far
    from reports.render.export import csv_files, csv_text, json_text, png_files
    from reports.render.page import render
    from reports.render.terminal import print_report
    from reports.report import build_report
    from reports.sections.compare.sensitivity import read_sensitivity
    from reports.sections.core.page_filters import asked_of
    from reports.statistics.core.decisions import margin_of
    from sim.data.files import write_all

    places = {"html": html, "csv": None if csv is None else Path(csv), "png": png}
    asked = {name: path for name, path in places.items() if path is not None}
    folders = {name: path for name, path in asked.items() if name == "png" or (name == "csv" and is_folder(csv or ""))}
    check_places(asked, folders)
    margin_of(margin)
    if explain and html is None:
        raise UserError("pages of factions stand beside the page of the run", field="explain", allowed="with --html")
    loaded = load_so_far(folder)
    tried = None if sensitivity is None else read_sensitivity(sensitivity, loaded.manifest)
    rungs = None if ladder is None else load_ladder(ladder, loaded.manifest)
    others = [load_run(other) for other in beside or []]
    try:
        built = build_report(loaded, others, margin, tried, rungs)
    except UserError:
        if "unfinished" not in loaded.manifest or not folder.exists():
            raise
        loaded = load_run(folder)  # it has been finished meanwhile
        built = build_report(loaded, others, margin, tried, rungs)
    files: list[tuple[Path, bytes]] = []
    more: list[Claim] = []
    if "html" in asked:
        pages, more = pages_of_factions(load_run(folder), asked["html"], quiet) if explain else ({}, [])
        links = {name: path.relative_to(asked["html"].parent).as_posix() for name, (path, _) in pages.items()}
        files.append((asked["html"], render(built, links, asked_of(loaded)).encode("utf-8")))
        files += [(path, content) for path, content in pages.values()]
        if pages:
            folders["explain"] = next(iter(pages.values()))[0].parent
    if "csv" in folders:
        files += csv_files(built, folders["csv"])
    elif "csv" in asked:
        files.append((asked["csv"], csv_text(built).encode("utf-8")))
    if "png" in folders:
        files += png_files(built, folders["png"])
    write_all(files, list(folders.values()))
    if as_json:
        print_json_text(json_text(built, more))
        return
    print_report(built, full=full)
    for path in asked.values():
        print(f"written: {path}")


def pages_of_factions(run: Run, page: Path, quiet: bool) -> tuple[dict[str, tuple[Path, bytes]], list[Claim]]:
    """Return for each faction of a run its page, and where it goes: into a folder named like the run's page.

    Returns
    -------
    The pages by faction, and what they claim together.

    Raises
    ------
    UserError
        The game has nothing that could be explained.
    """
    from reports.render.export import file_names
    from reports.render.page import sections_page
    from reports.sections.factions.explained import adjusted_of, explained, factions_of, rivals_of
    from sim.commands.explain import subtitle_of, with_games_told
    from sim.commands.shared import progress_bar, say_unless
    from sim.runs.store.verify import reading

    names = factions_of(run)
    rivals_of(run, names[0] if names else "")
    home = page.parent / f"{page.stem}-explained"
    adjusted = adjusted_of(run, len(names)) if run.manifest["factions"] else None
    pages: dict[str, tuple[Path, bytes]] = {}
    claims: list[Claim] = []
    with progress_bar("pages of factions", len(names), quiet) as advance, reading(run.folder):
        for name, file in zip(names, file_names(names), strict=True):
            try:
                sections = explained(run, name, adjusted, len(names))
            except UserError:
                continue  # nobody had it in this run
            told = with_games_told(sections, run.folder, False, say_unless(quiet))
            title = f"{run.manifest['title']}: {told[0].title}"
            text = sections_page(title, subtitle_of(run.manifest), told, {"run": run.manifest})
            pages[name] = (home / f"{file}.html", text.encode("utf-8"))
            claims += [claim for section in sections for claim in section.claims]
            advance(1)
    return pages, claims


def is_folder(text: str) -> bool:
    """Whether a place was given as a folder: with a slash at its end, or by the name of one that is there."""
    return text.endswith("/") or Path(text).is_dir()


def check_places(places: dict[str, Path], folders: dict[str, Path]) -> None:
    """Check, before anything is computed, that outputs can be written and replace no other and no part of a run.

    Parameters
    ----------
    places
        Where each output goes, by its option.
    folders
        Those of them that are folders; they are made where they are missing.

    Raises
    ------
    UserError
        Two outputs have the same place, one lies where a run's own files do, is a file where a folder is wanted or
        the sign for standard output, or there is no folder for it.
    """
    from sim.runs.store.parquet import check_not_part

    taken: dict[Path, str] = {}
    for field, path in places.items():
        if str(path) == STANDARD_OUTPUT:
            message = "only --json can go to standard output"
            raise UserError(message, field=field, found=STANDARD_OUTPUT, allowed="the name of a file")
        if field in folders and path.exists() and not path.is_dir():
            raise UserError("a file lies there, not a folder", field=field, found=str(path), allowed="another name")
        place = path.resolve()
        if place in taken:
            message = f"--{taken[place]} and --{field} cannot have the same place"
            raise UserError(message, field=field, found=str(path), allowed="another name")
        above = path if field in folders else path.parent
        nearest = next(folder for folder in (above, *above.absolute().parents) if folder.exists())
        if not nearest.is_dir() or (field not in folders and nearest != above):
            raise UserError("cannot be written (there is no such folder)", file=path)
        check_not_part(path, field)
        taken[place] = field
