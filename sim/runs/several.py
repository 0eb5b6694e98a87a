"""Several runs that belong together: which of them are there, and whether the rest can be played."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from sim.errors import described_in
from sim.runs.config import RunConfig, make_plans
from sim.runs.groups import share_out, stretch_of
from sim.runs.run import plan_of_run
from sim.runs.store.journal import goes_on, is_played
from sim.runs.store.parquet import check_out
from sim.runs.store.run_folder import unfinished_at


def played_before(
    asked: Mapping[str, RunConfig],
    folders: Mapping[str, Path],
    overwrite: bool,
    stretch: tuple[int | None, int | None] | None = None,
    *,
    keeps: bool,
    file: Path | None = None,
) -> set[str]:
    """Check all of several runs, and return those that are there.

    Parameters
    ----------
    asked, folders
        What is to be played, and where it goes, by name.
    overwrite
        Whether a run that is there is replaced.
    stretch
        As for `sim.runs.run.execute`.
    keeps
        Whether a run that is there, of the same plan, is kept as it is; else it is in the way.
    file
        The file that describes the runs, for messages; None where the command line does.

    Raises
    ------
    UserError
        One of them is impossible, its folder cannot be written, or another run lies there.
    """
    plans = {}
    for name, each in asked.items():
        if not (keeps and folders[name].exists()):
            check_out(folders[name], overwrite)
        with described_in(file, name):
            whole = share_out(make_plans(each), each.games)
        taken = None if stretch is None else stretch_of(whole, *stretch)
        plans[name] = plan_of_run(whole if taken is None else taken.groups, "", taken)
        if (unfinished := unfinished_at(folders[name])) is not None:
            goes_on(unfinished, plans[name], overwrite)
    return {name for name in asked if keeps and is_played(folders[name], plans[name])}
