"""Compares simulated runs, or predictions written earlier, with results of real games."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sim.commands.options import Options, with_options
from sim.commands.sections import emit_sections
from sim.errors import UserError

if TYPE_CHECKING:
    from reports.data.load import Run
    from sim.data.declarations import Faction

PREDICTIONS = ".json"


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
    from reports.data.predictions import VALIDATION, load_predictions
    from reports.formatting import counted
    from reports.sections.people.validation import held_section, validation_heading, validation_sections
    from reports.statistics.core.balance import MARGIN
    from reports.statistics.people.results import people_results
    from reports.statistics.people.validation import set_beside
    from sim.league.folder import load_league

    *simulated, place = folders
    if not simulated:
        raise UserError("a run and a league are needed", field="LEAGUE", found=str(place), allowed="RUN... LEAGUE")
    league = load_league(place)
    found = people_results(league, MARGIN)
    if simulated[0].suffix == PREDICTIONS:
        if len(simulated) > 1:
            raise UserError("predictions are held against a league by themselves", field="RUN", found=str(simulated[1]))
        section = held_section(found, load_predictions(simulated[0]))
        heading = (f"{league.name}: {section.title}", counted(league.games, "real game"))
        emit_sections([section], options.places, heading, more={"format": "empirelab-predictions-held/1"})
        return
    runs = runs_by_rung(simulated)
    beside = set_beside(found, runs)
    manifest = next(iter(runs.values())).manifest
    sections = validation_sections(beside, certainty_of(manifest.factions, beside.rungs[0].table))
    calibrations = [
        {"league": league.name, "rung": rung.name, "slope": rung.calibration.slope,
         "slope_error": rung.calibration.slope_error, "rest": rung.calibration.rest}
        for rung in beside.rungs if rung.calibration is not None
    ]  # fmt: skip
    more = {"format": VALIDATION, "calibrations": calibrations}
    emit_sections(sections, options.places, validation_heading(beside, manifest.title),
                  {name: run.manifest for name, run in runs.items()}, more)  # fmt: skip


def runs_by_rung(folders: list[Path]) -> dict[str, Run]:
    """Open runs and the rungs of ladders; return them by the names of their players.

    Raises
    ------
    UserError
        A run cannot be opened, or two runs have the same players or different games.
    """
    from reports.data.load import FILE, load_ladder, load_run
    from reports.formatting import listed

    runs: dict[str, Run] = {}
    for folder in folders:
        if (folder / FILE).is_file():
            some = load_ladder(folder).rungs
        else:
            run = load_run(folder)
            some = {listed([row.name for row in run.manifest.strategies]): run}
        for name, run in some.items():
            if name in runs:
                raise UserError("two runs have the same players", file=folder, field="strategies", found=name)
            games = {one.manifest.game for one in runs.values()}
            if games - {run.manifest.game}:
                raise UserError("runs of different games", file=folder, found=run.manifest.game, allowed=games)
            runs[name] = run
    return runs


def certainty_of(factions: list[Faction], table: str) -> dict[str, str]:
    """Return the certainty of each row of a table: that of its least certain faction."""
    from sim.data.catalog import CERTAINTIES

    order: list[str] = list(CERTAINTIES)
    found: dict[str, str] = {}
    for row in factions:
        name = row.name if table == "faction" else row.attributes.get(table, "")
        if row.certainty in order:
            found[name] = max(found.get(name, order[0]), row.certainty, key=order.index)
    return found
