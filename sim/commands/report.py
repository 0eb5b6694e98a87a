"""Says what is out of balance in a run."""

from __future__ import annotations

import shlex
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sim.commands.completion import complete_runs
from sim.commands.console import print_json_text
from sim.commands.options import AsJson, Full, Margin, Quiet, option
from sim.commands.sections import Places, emit_sections
from sim.errors import UserError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reports.claims import Claim
    from reports.data.load import Run
    from reports.model import Report, Section


def report(
    folders: Annotated[
        list[Path],
        typer.Argument(metavar="DIR", help="Folder of a run, written by simulate.", autocompletion=complete_runs),
    ],
    html: Annotated[Path | None, option("Write the whole report as one HTML page.", of="PAGE.html")] = None,
    csv: Annotated[
        str | None,
        option(
            "Write the tables of win rates as one CSV file; a folder (ends in /) gets a file for each table.",
            of="TABLES.csv",
        ),
    ] = None,
    png: Annotated[Path | None, option("Write every figure into this folder as a PNG file.", of="DIR")] = None,
    beside: Annotated[
        list[Path] | None,
        option(
            "A run under other conditions, to see what holds there too. May be repeated.",
            "--with",
            of="DIR",
            complete=complete_runs,
        ),
    ] = None,
    margin: Margin = 1.0,
    sensitivity: Annotated[
        Path | None,
        option("Output of `sensitivity --json`: the verdict says which findings survive it.", of="FILE.json"),
    ] = None,
    ladder: Annotated[
        Path | None, option("Folder of `ladder --out`: the verdict says which findings hold at the top rung.", of="DIR")
    ] = None,
    section: Annotated[
        str | None, option("Only this part: a section such as matchups, or a table such as faction.", of="NAME")
    ] = None,
    explain: Annotated[
        bool, option("With --html: also write a page for each faction, linked from the verdict.", "--explain")
    ] = False,
    full: Full = False,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Say what is out of balance in a run, by how much, and how certain that is.

    Examples
    --------
    empirelab report runs/first
    empirelab report runs/first --html first.html --csv first.csv
    empirelab report runs/first --csv tables/ --png figures
    empirelab report runs/first --margin 2
    empirelab report runs/first --section matchups --html matchups.html

    Notes
    -----
    The HTML page needs no other file. `--explain` writes the pages of the factions to a folder beside it, such as
    `first-explained/`. A click on a column's head sorts the table.

    Folders for `--csv` and `--png` are created if they are missing. Files of the same names are replaced; other files
    stay. Either all files are written or none. A run of one block is refused: it cannot separate strength from luck.
    Of a run that is unfinished, the report says what it has so far.

    A league that `import` wrote gets a report of its own; `--explain`, `--with`, `--sensitivity` and `--ladder` are for
    simulated runs.

    `--json` prints `run` (the manifest without its parts; an unfinished run has `unfinished` with `at_most` games and
    whether it is `being_written`), `verdict`, `findings` (the verdict in sentences), `tables` (win rates), `scores`,
    `endings` and `sections`. Shares and edges are fractions. Unknown values are `null`, and the row's `note` says
    why. The fields of `verdict` stay the same from version to version:

    - `state`: `out of balance`: at least one faction, attribute or seat is; `nothing found`: none was found, which
      does not prove that none is; `cannot tell`: the run is too small, has nothing to compare, or cannot separate two
      effects.
    - `rows`: what is out of balance: `table` (`faction`, `seat` or the name of an attribute), `name`, `edge`, `low`
      and `high`; these limits hold for all tables at once and exclude 0. Of two levels only the one that wins too
      often is named.
    - `margin`: the margin as a fraction: 0.01 is 1 point. Rows with a smaller edge are not named.
    """
    from sim.league.manifest import is_league

    folder = one_folder(folders)
    places = Places(html, csv, as_json, full=full, png_folder=png)
    if is_league(folder):
        needless = {"with": beside, "sensitivity": sensitivity, "ladder": ladder, "explain": explain}
        report_league(folder, margin, places, [name for name, value in needless.items() if value], section)
        return
    from reports.data.load import load_ladder, load_run, load_so_far
    from reports.report import build_report
    from reports.sections.compare.robustness import read_sensitivity
    from reports.statistics.core.decisions import margin_of

    if section is not None and explain:
        raise UserError("pages of factions belong to the whole report", field="explain", allowed="without --section")
    margin_of(margin)
    if explain and html is None:
        message = "pages of factions are written next to the page of the run"
        raise UserError(message, field="explain", allowed="with --html")
    loaded = load_so_far(folder)
    tried = None if sensitivity is None else read_sensitivity(sensitivity, loaded.manifest)
    rungs = None if ladder is None else load_ladder(ladder, loaded.manifest)
    others = [load_run(other) for other in beside or []]
    try:
        built = build_report(loaded, others, margin, tried, rungs)
    except UserError:
        if loaded.manifest.unfinished is None or not folder.exists():
            raise
        loaded = load_run(folder)  # the run has been finished in the meantime
        built = build_report(loaded, others, margin, tried, rungs)
    if section is not None:
        emit_part(built, section, places)
        return
    if sensitivity is not None:
        built = replace(built, options=(*built.options, ("sensitivity", str(sensitivity))))
    write_report(loaded, built, explain, places, quiet)


def one_folder(folders: Sequence[Path]) -> Path:
    """Return the only folder; raise UserError if there are several.

    The message names a command that takes several folders, if one fits.
    """
    folders = list(dict.fromkeys(folders))
    if len(folders) == 1:
        return folders[0]
    from sim.league.manifest import is_league
    from sim.runs.store.manifest import load_manifest
    from sim.runs.store.merge import piece_of, pieces_by_seed

    held = [one for one in folders if not one.is_file()]  # `runs/*` also matches HTML pages
    games = {None if is_league(one) else load_manifest(one).game for one in held}
    runs = [shlex.quote(str(one)) for one in held] or ["DIR"]
    fits = f"empirelab compare {' '.join(runs)}" if len(runs) == 2 else f"empirelab report {' --with '.join(runs)}"
    if len(games) > 1 or (None in games and len(runs) > 2):  # no command compares two games, or three leagues
        fits = "one of them"
    with suppress(UserError):
        pieces_by_seed([piece_of(one) for one in folders])
        fits = f"empirelab merge {' '.join(runs)} --out DIR"
    raise UserError("a report is about one run", found=", ".join(map(str, folders)), allowed=fits)


def write_report(loaded: Run, built: Report, explain: bool, places: Places, quiet: bool) -> None:
    """Write the requested files of a report, all or none, and print the report."""
    from reports.render.terminal import print_report
    from sim.data.files import write_all

    html, csv, png = places.html, places.csv, places.png_folder
    folders = [path for path in (places.csv_folder, png) if path is not None]
    files: list[tuple[Path, bytes]] = []
    more: list[Claim] = []
    if html is not None:
        from reports.data.load import load_run
        from reports.render.page import render
        from reports.sections.core.shares import filter_data

        pages, more = pages_of_factions(load_run(loaded.folder), html, quiet) if explain else ({}, [])
        links = {name: path.relative_to(html.parent).as_posix() for name, (path, _) in pages.items()}
        files.append((html, render(built, links, filter_data(loaded)).encode("utf-8")))
        files += [(path, content) for path, content in pages.values()]
        if pages:
            folders.append(next(iter(pages.values()))[0].parent)
    if csv is not None or places.csv_folder is not None or png is not None or places.json:
        from reports.render.chart import all_figures
        from reports.render.export import csv_files, csv_text, json_text, png_files
    if places.csv_folder is not None:
        files += csv_files(built, places.csv_folder)
    elif csv is not None:
        files.append((Path(csv), csv_text(built).encode("utf-8")))
    if png is not None:
        files += png_files(all_figures(built), png)
    write_all(files, folders)
    if places.json:
        print_json_text(json_text(built, more))
        return
    print_report(built, full=places.full)
    for place in (html, csv, png):
        if place is not None:
            print(f"written: {Path(place)}")


def emit_part(built: Report, name: str, places: Places) -> None:
    """Print the section `name` of a report, and write the requested files."""
    from reports.render.page import subtitle
    from reports.sections.core.section_of import section_of

    heading = (f"{built.manifest.title}: balance report", subtitle(built.manifest))
    emit_sections([section_of(built, name)], places, heading, {"run": built.manifest})


def report_league(folder: Path, margin: float, places: Places, needless: list[str], section: str | None) -> None:
    """Report what is out of balance in games of real people. Print only `section`, if it is given.

    `needless` names the options given that need a simulated run. Raises UserError if there are any.
    """
    from reports.model import Sections
    from reports.render.reproduce import again
    from reports.sections.people.filters import league_filters
    from reports.sections.people.league import league_heading, league_sections
    from sim.league.folder import load_league

    if needless:
        raise UserError("this option needs a simulated run, not results of real games", file=folder, field=needless[0])
    league = load_league(folder)
    sections: Sequence[Section] = league_sections(league, margin)
    if section is not None:
        sections = [Sections(sections).section(section)]
    asked = league_filters(league) if places.html is not None and section is None else None
    more = {"format": "empirelab-league-report/1", "margin": margin / 100}
    emit_sections(sections, places, league_heading(league), more=more, asked=asked,
                  again=again(folder, margin / 100, league=True))  # fmt: skip


def pages_of_factions(run: Run, page: Path, quiet: bool) -> tuple[dict[str, tuple[Path, bytes]], list[Claim]]:
    """Return the path and content of a page for each faction of a run, by faction, and the claims of all pages.

    The pages go to a folder that is named after the page of the run.
    """
    from reports.render.export import file_names
    from reports.render.page import sections_page
    from reports.sections.factions.explained import adjusted_of, explained, factions_of, next_of, rivals_of
    from sim.commands.console import log_unless, progress_bar
    from sim.commands.explain import subtitle_of, with_games_told
    from sim.runs.store.verify import reading

    names = factions_of(run)
    rivals_of(run, names[0] if names else "")
    home = page.parent / f"{page.stem}-explained"
    adjusted = adjusted_of(run, len(names)) if run.manifest.factions else None
    pages: dict[str, tuple[Path, bytes]] = {}
    claims: list[Claim] = []
    with progress_bar("pages of factions", len(names), quiet) as advance, reading(run.folder):
        for name, file in zip(names, file_names(names), strict=True):
            try:
                sections = explained(run, name, adjusted, len(names))
            except UserError:
                continue  # no seat played this faction in the run
            told = with_games_told(sections, run.folder, False, log_unless(quiet))
            title = f"{run.manifest.title}: {told[0].title}"
            text = sections_page(title, subtitle_of(run.manifest), told, {"run": run.manifest}, step=next_of(run, name))
            pages[name] = (home / f"{file}.html", text.encode("utf-8"))
            claims += [claim for section in sections for claim in section.claims]
            advance(1)
    return pages, claims
