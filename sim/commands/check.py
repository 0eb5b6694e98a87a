"""Checks that runs are complete and unmodified."""

from __future__ import annotations

from dataclasses import asdict
from functools import partial
from typing import Annotated

from sim.commands.console import log_unless, print_json
from sim.commands.options import AsJson, Jobs, Quiet, RunFolders, option


def check(
    folders: RunFolders,
    repair: Annotated[
        bool, option("Play damaged and missing parts again, also of unfinished runs.", "--repair")
    ] = False,
    trust: Annotated[
        bool, option("With --repair: run the Python files of strategies that the run names.", "--trust")
    ] = False,
    jobs: Jobs = -1,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Check runs completely: the manifest, the digest of every part, the rows of every game, and unexpected files.

    Examples
    --------
    empirelab check runs/first
    empirelab check runs/first runs/cards --quiet

    Notes
    -----
    The exit status is 0 if all holds, else 2 with one message that says where, what was found and what was expected.
    Other commands verify the manifest and the digests, columns and types of the parts that they read; only this one
    reads the rows of every game. `--repair` puts a part in its place only if it is the same as before.
    """
    from reports.data.check import check_run
    from reports.formatting import counted
    from reports.studies.parts.own_judges import train_again
    from sim.runs.store.repair import repair as play_again

    train = partial(train_again, say=log_unless(quiet), jobs=jobs)
    mended = {
        str(folder): play_again(folder, jobs=jobs, trust=trust, train=train, say=log_unless(quiet))
        for folder in folders
        if repair
    }
    whole = {str(folder): check_run(folder) for folder in folders if folder.exists() or not repair}
    if as_json:
        checked = {folder: asdict(run) for folder, run in whole.items()}
        print_json(
            [
                {"run": folder, **checked.get(folder, {}), "repaired": mended.get(folder, [])}
                for folder in map(str, folders)
            ]
        )
    elif not quiet:
        for folder in map(str, folders):
            if mended.get(folder):
                print(f"{folder}: played again: {', '.join(mended[folder])}")
            if folder not in whole:
                print(f"{folder}: unfinished; all its parts are intact")
                continue
            run = whole[folder]
            sizes = {"game": run.games, "block": run.blocks, "row": run.rows, "part": run.parts}
            print(f"{folder}: intact ({', '.join(counted(size, noun) for noun, size in sizes.items())})")
