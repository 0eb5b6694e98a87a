"""Shows the sections that a command has found: on the terminal, as a page, or as CSV, JSON and PNG."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sim.commands.console import print_json
from sim.errors import UserError

if TYPE_CHECKING:
    from reports.model import Section
    from reports.render.reproduce import Again
    from reports.sections.core.next_step import NextStep
    from sim.runs.store.manifest import Manifest

STANDARD_OUTPUT = "-"


@dataclass(frozen=True)
class Places:
    """Paths of a command's outputs. A path is None if the output is not requested.

    Attributes
    ----------
    csv
        A file for all tables, or a folder with one file per table. The name means a folder if it ends with a slash, or
        if a folder of this name exists.
    json
        Whether everything is printed as JSON, in place of text.
    png
        A file for the first figure.
    full
        Whether to print long tables too, with all their rows, and notes on how to read the tables.
    png_folder
        A folder for all figures, in place of `png`.

    Raises
    ------
    UserError
        Two outputs have the same path, an output would replace a part of a run, the folder of an output does not exist,
        or the name of a figure does not end in .png.
    """

    html: Path | None = None
    csv: str | None = None
    json: bool = False
    png: Path | None = None
    full: bool = False
    png_folder: Path | None = None

    def __post_init__(self) -> None:
        taken: dict[Path, str] = {}
        csv = None if self.csv is None else Path(self.csv)
        for field, path in (("html", self.html), ("csv", csv), ("png", self.png or self.png_folder)):
            if path is not None:
                if (place := path.resolve()) in taken:
                    message = f"--{taken[place]} and --{field} cannot have the same place"
                    raise UserError(message, field=field, found=str(path), allowed="another name")
                check_place(path, field, path in (self.png_folder, self.csv_folder))
                taken[place] = field
        if self.png is not None and self.png.suffix.lower() != ".png":
            message = "figures are written as PNG files"
            raise UserError(message, field="png", found=str(self.png), allowed="a name that ends in .png")

    @property
    def csv_folder(self) -> Path | None:
        """The folder with one CSV file per table; None if all tables go to one file."""
        if self.csv is None or not (self.csv.endswith("/") or Path(self.csv).is_dir()):
            return None
        return Path(self.csv)


def check_place(path: Path, field: str, folder: bool = False) -> None:
    """Check that a file, or a folder of files, can be written; called before any work is done.

    Raise UserError if the path is standard output or a part of a run, is a folder instead of a file or the reverse,
    lies in a folder that does not exist, or must not be written.
    """
    from sim.runs.store.parquet import check_not_part

    if str(path) == STANDARD_OUTPUT:
        message = "only --json can go to standard output"
        raise UserError(message, field=field, found=STANDARD_OUTPUT, allowed="the name of a file")
    check_not_part(path, field)
    if folder:
        nearest = next(parent for parent in (path, *path.absolute().parents) if parent.exists())
        if not nearest.is_dir():
            message = (
                "cannot be written (this is a file)" if nearest == path else f"cannot be written ({nearest} is a file)"
            )
            raise UserError(message, file=path, allowed="a folder")
        check_writable(path, nearest)
    elif path.is_dir():
        raise UserError("cannot be written (this is a folder)", file=path, allowed="a file")
    elif not path.parent.is_dir():
        raise UserError("cannot be written (there is no such folder)", file=path, allowed="a file in a folder")
    else:
        check_writable(path, path if path.exists() else path.parent)


def check_writable(path: Path, there: Path) -> None:
    """Raise UserError if `there` cannot be written. `there` is `path` if it exists, otherwise its folder."""
    if not os.access(there, os.W_OK | (os.X_OK if there.is_dir() else 0)):
        raise UserError("cannot be written (permission denied)", file=path, allowed="a place where you may write")


def emit_sections(
    sections: Sequence[Section],
    places: Places,
    heading: tuple[str, str],
    manifests: Mapping[str, Manifest] | None = None,
    more: Mapping[str, Any] | None = None,
    full: bool = False,
    certainty: Mapping[str, int] | None = None,
    step: NextStep | None = None,
    asked: dict[str, Any] | None = None,
    again: Again | None = None,
) -> None:
    """Write the requested files, all or none, and print the sections.

    Parameters
    ----------
    heading
        Title and subtitle.
    manifests
        `run.json` of the runs behind the sections, by title.
    more
        Entries that the JSON output has beside the sections.
    full
        Whether to print long tables too, with all their rows, and notes on how to read the tables.
    certainty
        Number of rows of game data by certainty, if no manifests give it.
    step
        The suggested next step.
    asked
        Data for the filters of the page; None for a page without filters.
    again
        How to reproduce the page, if it is a page of `report`.

    Raises
    ------
    UserError
        A file cannot be written.
    """
    from reports.claims import claim_rows
    from reports.drawing import figure_of
    from reports.formatting import certainty as certainty_words
    from reports.render.export import png_files, section_content
    from reports.render.page import sections_page
    from reports.render.terminal import print_section, print_step, standard_output
    from reports.sections.core.shares import noted
    from sim.data.files import write_all

    if manifests:
        sections = noted(sections, next(iter(manifests.values())))
    content = {"title": heading[0], "subtitle": heading[1], **(more or {})}
    files: list[tuple[Path, bytes]] = []
    if places.html is not None:
        page = sections_page(*heading, sections, manifests, certainty, step, asked, again)
        files.append((places.html, page.encode("utf-8")))
    if places.csv_folder is not None:
        files += section_csv_files(sections, places.csv_folder)
    elif places.csv is not None:
        files.append((Path(places.csv), section_csv_text(sections).encode("utf-8")))
    pictures = [picture for section in sections for picture in section.pictures]
    if places.png is not None and pictures:
        from reports.render.chart import png

        files.append((places.png, png(figure_of(pictures[0].draw()))))
    if places.png_folder is not None:
        files += png_files(((one.name, figure_of(one.draw())) for one in pictures), places.png_folder)
    write_all(files, [path for path in (places.csv_folder, places.png_folder) if path is not None])
    if places.json:
        claims = claim_rows(claim for section in sections for claim in section.claims)
        content |= {} if step is None else {"next": {"said": step.said, "commands": list(step.commands)}}
        print_json(content | {"claims": claims, "sections": [section_content(section) for section in sections]})
        return
    console = standard_output()
    console.print(": ".join(heading), style="bold")
    if certainty:
        console.print(certainty_words(certainty))
    for section in sections:
        console.print()
        print_section(section, console, full or places.full)
    print_step(step, console)
    for path, _ in files:
        print(f"written: {path}")


def section_csv_files(sections: Sequence[Section], folder: Path) -> list[tuple[Path, bytes]]:
    """Return the path and content of one CSV file for each listing."""
    from reports.render.export import as_csv, file_names

    listings = [listing for section in sections for listing in section.listings]
    named = zip(file_names(listing.name for listing in listings), listings, strict=True)
    return [(folder / f"{name}.csv", as_csv(listing.frame).encode("utf-8")) for name, listing in named]


def section_csv_text(sections: Sequence[Section]) -> str:
    """Return all listings as one CSV table. The column `table` names the listing.

    Columns that a listing lacks are empty.
    """
    import polars as pl

    from reports.render.export import as_csv

    listings = [listing for section in sections for listing in section.listings]
    frames = [listing.frame.select(pl.lit(listing.name).alias("table"), pl.exclude("table")) for listing in listings]
    return as_csv(pl.concat(frames, how="diagonal_relaxed"))
