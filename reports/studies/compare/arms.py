"""Plays several runs on the same deals, each with its own change.

Arms are played one after the other with the same seed, so that they can be compared block by block
(`reports.statistics.compare.paired`).
"""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from reports.data.load import Run, load_run
from reports.studies.parts.intervene import lessons_off
from reports.studies.parts.own_judges import train_missing
from reports.studies.search.parameters import SETTING
from sim.errors import UserError, is_outage
from sim.players.batch import Plan
from sim.runs.config import RunConfig, make_plan
from sim.runs.run import forecast_message, no_message, plan_of_run, play_run
from sim.runs.shards import share_out
from sim.runs.store.journal import has_finished_run
from sim.runs.store.run_folder import raise_with


@contextmanager
def play_arms(
    configs: Mapping[str, RunConfig],
    games: int,
    folder: Path | None = None,
    *,
    jobs: int = -1,
    command: str = "",
    overwrite: bool = False,
    say: Callable[[str], None] = no_message,
    progress: Callable[[int], None] = lambda games: None,
) -> Iterator[dict[str, Run]]:
    """Play several arms and yield their runs. Use it in a `with` statement.

    Parameters
    ----------
    configs
        Configuration of each arm by name. To be comparable, arms must share seed, players, line-up and factions.
    folder
        Folder for the runs, each in a subfolder with the name of its arm. Unfinished runs there are resumed. By
        default a temporary folder, which is removed at the end of the `with` block.

    Yields
    ------
    The runs by the names of their arms.

    Raises
    ------
    UserError
        An arm is impossible (see `sim.runs.config.make_plan`), or its folder holds another run. Both are checked before
        anything is played. Or the folder cannot be written.
    KeyboardInterrupt
        Play was interrupted. The error says what is saved.
    """
    plans = {name: make_plan(config) for name, config in configs.items()}
    train_missing(list(plans.values()), say, jobs)
    with home_of(folder) as home:
        folders = {name: home / own for name, own in zip(plans, folder_names(list(plans)), strict=True)}
        there = [name for name, plan in plans.items() if is_arm_played(plan, games, folders[name], overwrite)]
        made = not home.exists()
        left = [plan for name, plan in plans.items() if name not in there]
        if say is not no_message and (word := forecast_message(left, games, jobs, say)):
            say(word)
        runs: dict[str, Run] = {}
        try:
            for name, plan in plans.items():
                if name in there:
                    progress(games)
                else:
                    keep = folder is not None
                    play_run(plan, games, folders[name], jobs=jobs, overwrite=overwrite, command=command, keep=keep,
                             say=say, report=progress)  # fmt: skip
                runs[name] = load_run(folders[name])
        except BaseException as error:
            if folder is not None and can_resume_after(error):
                if not runs:
                    raise
                of_next = str(error) if isinstance(error, KeyboardInterrupt) else ""
                raise_with(error, kept_arms_words(len(runs), len(plans), of_next), folder)
            # Remove the arms that were finished: their folders would block the next attempt.
            for name in runs.keys() - there:
                shutil.rmtree(folders[name], ignore_errors=True)
            if made and home.is_dir() and not any(home.iterdir()):
                home.rmdir()
            raise
        yield runs


@contextmanager
def home_of(folder: Path | None) -> Iterator[Path]:
    """Yield the requested folder, or a temporary one that is removed at the end of the `with` block."""
    if folder is not None:
        yield folder
        return
    with tempfile.TemporaryDirectory(prefix="empirelab-") as made:
        yield Path(made)


def is_arm_played(plan: Plan, games: int, folder: Path, overwrite: bool) -> bool:
    """Tell whether an arm has been played. Raise UserError if its folder holds a run that must not be replaced."""
    try:
        return has_finished_run(folder, plan_of_run(share_out([plan], games), ""))
    except UserError:
        if not overwrite:
            raise
        return False


def can_resume_after(error: BaseException) -> bool:
    """Tell whether finished games stay valid after an error. They do if the error or its cause is an outage."""
    cause = error.__cause__
    return is_outage(error) or (isinstance(cause, Exception) and is_outage(cause))


def kept_arms_words(arms: int, of: int, of_next: str) -> str:
    """Say that `arms` of `of` arms are saved. `of_next` says what is saved of the next arm; it may be empty."""
    saved = f"{arms} of {of} arms saved"
    return f"{saved}; of the next, {of_next}" if of_next else f"{saved}; run the same command to resume"


def knowing_alike(first: RunConfig, second: RunConfig) -> tuple[RunConfig, RunConfig]:
    """Return two arms in which players have no more knowledge of one game than of the other.

    If the arms play different games, lessons (option bonuses learned from the printed game) are switched off, and
    learned judges are trained for each game.
    """
    plans = make_plan(first, untrained=True), make_plan(second, untrained=True)
    settings = [plan.data.settings for plan in plans]
    paths = changed_paths([first.changes, second.changes], settings, first.decks != second.decks)
    one, other = (
        config.model_copy(update={"changes": lessons_off(plans, config.changes, paths)}) for config in (first, second)
    )
    return one, other


def changed_paths(
    changes: Sequence[Sequence[str]], settings: Sequence[Mapping[str, object]], other_decks: bool
) -> list[str]:
    """Return the differences between the games of two arms: changes, and settings as `set#NAME`.

    `changes` and `settings` each have an item for either arm. If the arms use different decks of users
    (`other_decks`), this counts as a setting.
    """
    paths = [text for one, other in (changes, changes[::-1]) for text in one if text not in other]
    paths += [f"{SETTING}{name}" for name, value in settings[0].items() if settings[1].get(name) != value]
    return [*paths, *([f"{SETTING}decks"] if other_decks else [])]


@contextmanager
def play_arm(
    config: RunConfig,
    games: int,
    folder: Path | None = None,
    name: str = "arm",
    *,
    jobs: int = -1,
    say: Callable[[str], None] = no_message,
    progress: Callable[[int], None] = lambda games: None,
) -> Iterator[Run]:
    """Play one arm and yield its run. Use it in a `with` statement. `folder` is as for `play_arms`."""
    train_missing([make_plan(config)], say, jobs)
    with play_arms({name: config}, games, folder, jobs=jobs, progress=progress) as runs:
        yield runs[name]


def folder_names(arms: Sequence[str]) -> list[str]:
    """Return a folder name for each arm, all different."""
    names = [arm_folder(arm) for arm in arms]
    return [name if names.count(name) == 1 else f"{name}-{number}" for number, name in enumerate(names)]


def arm_folder(arm: str) -> str:
    """Return a folder name for an arm: its own name, with unsuitable characters replaced."""
    return re.sub(r"[^\w.=+@-]+", "-", arm).strip("-.") or "arm"
