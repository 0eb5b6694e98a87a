"""Says how many points would make each faction of a run fair."""

from __future__ import annotations

from typing import Annotated

import typer

from sim.commands.sections import CSV, Places, hand_over
from sim.commands.shared import (
    AsJson,
    Page,
    Picture,
    Quiet,
    RunFolder,
)


def price(
    folder: RunFolder,
    faction: Annotated[
        str | None,
        typer.Option("--faction", "-f", help='Also the price of this one beside each neighbour: "Rhodos B".'),
    ] = None,
    html: Page = None,
    csv: Annotated[str | None, CSV] = None,
    png: Picture = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Say how many points at the end would make each faction fair, for every number of players of a run.

    Example: empirelab price runs/first --faction "Rhodos B"
    """
    from reports.data.load import load_run, reading
    from reports.sections.explained import rivals_of
    from reports.sections.price import price_sections
    from reports.words import run_size, variants_of

    places = Places(html, csv, as_json, png)
    run = load_run(folder)
    name = None if faction is None else rivals_of(run, faction)[1]
    with reading(folder):
        sections = price_sections(run, name)
    subtitle = f"variant {variants_of(run.manifest)}, {run_size(run.manifest)}"
    hand_over(sections, places, (f"{run.manifest['title']}: {sections[0].title}", subtitle), {"run": run.manifest})
