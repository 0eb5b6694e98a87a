"""Compares simulated runs, or predictions written earlier, with results of real games."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from sim.commands.options import Options, with_options
from sim.commands.sections import emit_sections


@with_options("html csv png full as_json quiet")
def validate(
    options: Options,
    folders: Annotated[
        list[Path],
        typer.Argument(
            metavar="RUN... LEAGUE",
            help="Folders of runs or of a ladder, or a file of predictions; last the league that import has written.",
        ),
    ],
) -> None:
    """Compare a simulation with people: which factions win in each, and how well the two agree.

    Examples: empirelab validate runs/balanced runs/greedy runs/league

    empirelab validate predictions.json runs/league
    """
    from reports.sections.people.validation import beside_league
    from sim.league.folder import load_league

    *simulated, place = folders
    found = beside_league(simulated, load_league(place))
    more: dict[str, Any] = {"format": found.form}
    if found.manifests:
        more["calibrations"] = [row.model_dump() for row in found.calibrations]
    emit_sections(found, options.places, found.heading, found.manifests, more)
