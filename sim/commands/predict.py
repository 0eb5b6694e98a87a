"""Writes the results that a simulation predicts for human players, before they have played."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from sim.commands.options import AsJson, Quiet, RunFolder, option
from sim.errors import UserError


def predict(
    folder: RunFolder,
    out: Annotated[Path, option("File for the predictions.", "--out", "-o", of="FILE.json")],
    calibration: Annotated[
        Path | None, option("What `validate --json` has said of these players in another league.", of="FILE.json")
    ] = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Write the edges that a run predicts among people, with limits, date and digest, to compare with a league later.

    Examples: empirelab predict runs/first --out predictions.json

    empirelab validate predictions.json runs/league
    """
    from reports.data.load import load_run
    from reports.sections.people.validation import forecast
    from sim.commands.console import print_json
    from sim.commands.sections import check_place

    check_place(out, "out")
    if out.exists():
        raise UserError("the file exists, and predictions are not replaced", file=out, allowed="a new file")
    found = forecast(load_run(folder), calibration)
    found.save(out)
    if as_json:
        print_json(found.predictions.model_dump())
        return
    print(f"written: {out} (digest {found.predictions.sha256[:12]})")
    if not quiet:
        if calibration is None:
            print("These edges are simulated. --calibration FILE.json shrinks them as much as another league suggests.")
        print(f"Next, with a league: empirelab validate {out} LEAGUE")
