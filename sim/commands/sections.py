"""Hands over what a command has found as sections: on the terminal, as a page, CSV or JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sim.errors import UserError

if TYPE_CHECKING:
    from reports.section import Section

STANDARD_OUTPUT = "-"


@dataclass(frozen=True)
class Places:
    """Where the outputs of a command go; None for those that nobody asked for.

    Raises
    ------
    UserError
        Two outputs have the same place.
    """

    html: Path | None = None
    csv: Path | None = None
    json: Path | None = None

    def __post_init__(self) -> None:
        taken: dict[Path, str] = {}
        for field, path in (("html", self.html), ("csv", self.csv), ("json", self.json)):
            if path is not None and not (field == "json" and str(path) == STANDARD_OUTPUT):
                if (place := path.resolve()) in taken:
                    message = f"--{taken[place]} and --{field} cannot have the same place"
                    raise UserError(message, field=field, found=str(path), allowed="another name")
                taken[place] = field


def hand_over(
    sections: Sequence[Section],
    places: Places,
    heading: tuple[str, str],
    manifests: Mapping[str, dict[str, Any]] | None = None,
    more: Mapping[str, Any] | None = None,
) -> None:
    """Write the files that were asked for, all or none, and print the sections.

    Parameters
    ----------
    heading
        Title and subtitle.
    manifests
        `run.json` of the runs they rest on, by what the runs are called.
    more
        What the JSON says beside the sections.

    Raises
    ------
    UserError
        A file cannot be written.
    """
    from reports.console import print_section, standard_output
    from reports.export import json_written, section_content, write_all
    from reports.html import sections_page

    content = {"title": heading[0], "subtitle": heading[1], **(more or {})}
    as_json = json_written(content | {"sections": [section_content(section) for section in sections]})
    files: list[tuple[Path, bytes]] = []
    if places.html is not None:
        files.append((places.html, sections_page(*heading, sections, manifests).encode("utf-8")))
    if places.csv is not None:
        files.append((places.csv, csv_text(sections).encode("utf-8")))
    if places.json is not None and str(places.json) != STANDARD_OUTPUT:
        files.append((places.json, as_json.encode("utf-8")))
    write_all(files)
    if places.json is not None and str(places.json) == STANDARD_OUTPUT:
        print(as_json, end="")
        return
    console = standard_output()
    console.print(": ".join(heading), style="bold", markup=False, highlight=False)
    for section in sections:
        console.print()
        print_section(section, console)
    for path, _ in files:
        print(f"written: {path}")


def csv_text(sections: Sequence[Section]) -> str:
    """All listings below each other, with the name of each in the column `table`; what one lacks is empty."""
    import polars as pl

    listings = [listing for section in sections for listing in section.listings]
    frames = [listing.frame.select(pl.lit(listing.name).alias("table"), pl.exclude("table")) for listing in listings]
    return pl.concat(frames, how="diagonal_relaxed").write_csv()
