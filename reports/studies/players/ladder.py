"""Plays a ladder: each of its players (a rung) in all seats, on the same deals. Then plays mixed tables.

At a mixed table, one player with look-ahead sits among copies of the same player without look-ahead. Every run has a
folder of its own, so that an interrupted ladder resumes run by run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from reports.data.load import (
    FILE,
    FORMAT,
    Ladder,
    LadderEntry,
    MixedEntry,
    Run,
    RungEntry,
    ladder_json,
    load_ladder,
    load_run,
)
from reports.formatting import count, counted
from reports.studies.compare.arms import arm_folder, home_of
from reports.studies.players.ladder_config import LadderConfig
from sim.data.arguments import jobs_to_use
from sim.data.files import MANIFEST, write_all
from sim.errors import UserError
from sim.runs.config import RunConfig, RunRequest, make_plan
from sim.runs.progress import duration
from sim.runs.run import seconds_per_game, warm_up
from sim.runs.simulate import find_played, play_request

RUNGS, MIXED, MEETING = "rungs", "mixed", "meeting"
"""Names of the folders within the folder of a ladder."""


@contextmanager
def played_ladder(
    config: LadderConfig,
    folder: Path | None = None,
    *,
    overwrite: bool = False,
    jobs: int = -1,
    command: str = "",
    progress: bool = True,
    say: Callable[[str], None] = lambda text: None,
) -> Iterator[Ladder]:
    """Play the missing runs of a ladder, and yield all runs. Use it in a `with` statement.

    Parameters
    ----------
    config
        From `ladder_config`.
    folder
        Folder for the runs. By default a temporary folder, which is removed at the end of the `with` block.

    Raises
    ------
    UserError
        A run is impossible, its folder holds another run, or the folder cannot be written.
    KeyboardInterrupt
        The ladder was interrupted. Finished games in `folder` are saved.
    """
    workers = jobs_to_use(jobs)
    with home_of(folder) as home:
        if (home / MANIFEST).exists():
            raise UserError("this folder holds a run, not a ladder", file=home, field="out", allowed="another folder")
        runs, folders = runs_of(config, home)
        request = partial(RunRequest, jobs=jobs, overwrite=overwrite, command=command, keep=folder is not None)
        requests = {name: request(run, folders[name]) for name, run in runs.items()}
        there = find_played(requests, keeps=not overwrite)
        left = {name: run for name, run in runs.items() if name not in there}
        if not left:
            say(f"the whole ladder exists, {counted(len(runs), 'run')}: nothing to play")
        write_all([(home / FILE, ladder_json(entry_of(config)))], [home])
        if left and (word := ladder_cost(left, workers, say)):
            say(word)
        for number, name in enumerate(requests, start=1):
            if name not in there:
                say(f"run {number} of {len(requests)}: {name}")
                play_request(requests[name], progress=progress, say=say)
        yield load_ladder(home)


@contextmanager
def played_rating(
    config: RunConfig,
    folder: Path | None = None,
    *,
    jobs: int = -1,
    command: str = "",
    progress: bool = True,
    say: Callable[[str], None] = lambda text: None,
) -> Iterator[Run]:
    """Play a run in which all players meet (`rating_config`), unless the run exists, and yield it.

    Use it in a `with` statement. Folder and errors are as for `played_ladder`.
    """
    with home_of(folder) as home:
        place = home if folder is not None else home / "rating"
        request = RunRequest(config, place, jobs=jobs, command=command, keep=folder is not None)
        if find_played({"": request}, keeps=True):
            say("all games exist: nothing to play")
        else:
            if word := ladder_cost({"": config}, jobs_to_use(jobs), say):
                say(word)
            play_request(request, progress=progress, say=say)
        yield load_run(place)


def runs_of(config: LadderConfig, home: Path) -> tuple[dict[str, RunConfig], dict[str, Path]]:
    """Return the runs of a ladder and the folders of the runs, each by a name such as 'balanced in all seats'.

    `home` is the folder of the ladder.
    """
    runs = {f"{name} in all seats": run for name, run in config.rungs.items()}
    folders = {f"{rung.player} in all seats": home / rung.folder for rung in entry_of(config).rungs}
    mixed = f"one {config.searcher} among {config.base}"
    for name, run, folder in ((mixed, config.mixed, MIXED), ("all rungs at one table", config.meeting, MEETING)):
        if run is not None:
            runs[name], folders[name] = run, home / folder
    return runs, folders


def entry_of(config: LadderConfig) -> LadderEntry:
    """Return the content of a ladder's `ladder.json`."""
    rungs = [RungEntry(player=name, folder=f"{RUNGS}/{arm_folder(name)}") for name in config.rungs]
    mixed = None if config.mixed is None else MixedEntry(searcher=config.searcher, base=config.base, folder=MIXED)
    meeting = None if config.meeting is None else MEETING
    game = next(iter(config.rungs.values())).game
    return LadderEntry(format=FORMAT, game=game, rungs=rungs, mixed=mixed, meeting=meeting)


def ladder_cost(left: Mapping[str, RunConfig], workers: int, say: Callable[[str], None]) -> str:
    """Say how many games are left and about how long they take here, judging by a few games of each run."""
    seconds = 0.0
    for run in left.values():
        plan = make_plan(run)
        warm_up([plan], say)
        seconds += seconds_per_game(plan, workers) * run.games
    games = sum(run.games for run in left.values())
    return f"{counted(len(left), 'run')} to play, {count(games)} games: about {duration(seconds)} here"
