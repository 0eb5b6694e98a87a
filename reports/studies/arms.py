"""Several runs on the same deals: each arm changes something, the luck stays.

Arms are played one after the other with the same seed, so that they can be compared block by block
(`reports.statistics.paired`).
"""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from pathlib import Path

from reports.data.load import Run, load_run
from reports.statistics.paired import check_same_deals, paired_differences, paired_moments
from sim.runs.config import RunConfig, make_plan
from sim.runs.run import execute, unsaid

__all__ = ["check_same_deals", "paired_differences", "paired_moments", "play_arm", "play_arms"]


@contextmanager
def play_arms(
    configs: Mapping[str, RunConfig],
    games: int,
    folder: Path | None = None,
    *,
    jobs: int = -1,
    command: str = "",
    say: Callable[[str], None] = unsaid,
    progress: Callable[[int], None] = lambda games: None,
) -> Iterator[dict[str, Run]]:
    """Play several arms and give their runs, to be used inside a `with` block.

    Parameters
    ----------
    configs
        What each arm is, by its name. Arms that are to be compared share seed, players, line-up and factions.
    games
        Games of each arm.
    folder
        Where the run folders go, under the names of the arms; by default to a temporary folder that is removed at the
        end of the block.
    jobs
        Workers, -1 for all cores.
    command
        What the manifests give as the command.
    say, progress
        Told what is being prepared, and how many games have been finished.

    Yields
    ------
    The runs by the names of their arms.

    Raises
    ------
    UserError
        An arm is impossible (see `sim.runs.config.make_plan`), found before anything is played, or the folder cannot be
        written.
    """
    plans = {name: make_plan(config) for name, config in configs.items()}
    place = tempfile.TemporaryDirectory(prefix="empirelab-") if folder is None else nullcontext(str(folder))
    with place as home:
        runs: dict[str, Run] = {}
        made = not Path(home).exists()
        try:
            for number, (name, plan) in enumerate(plans.items()):
                out = Path(home) / (folder_name(name) if folder is not None else str(number))
                execute(plan, games, out, jobs=jobs, command=command, say=say, report=progress)
                runs[name] = load_run(out)
        except BaseException:
            # All arms or none: one alone would be in the way of the next attempt.
            for run in runs.values():
                shutil.rmtree(run.folder, ignore_errors=True)
            if made and Path(home).is_dir() and not any(Path(home).iterdir()):
                Path(home).rmdir()
            raise
        yield runs


@contextmanager
def play_arm(
    config: RunConfig, games: int, *, jobs: int = -1, progress: Callable[[int], None] = lambda games: None
) -> Iterator[Run]:
    """Play one arm into a temporary folder and give its run, to be used inside a `with` block."""
    with play_arms({"arm": config}, games, jobs=jobs, progress=progress) as runs:
        yield runs["arm"]


def folder_name(arm: str) -> str:
    """Return the name of an arm as the name of a folder."""
    return re.sub(r"[^\w.=+@-]+", "-", arm).strip("-.") or "arm"
