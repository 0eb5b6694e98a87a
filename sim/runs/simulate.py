"""Plays a run from its options, for the command line and for Python."""

from __future__ import annotations

import atexit
import shlex
import shutil
import tempfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from sim.data.arguments import checks_arguments
from sim.data.catalog import validate_row
from sim.errors import UserError
from sim.players.batch import Plan
from sim.runs.config import RunConfig, make_plans, spelt_out
from sim.runs.label import UNLABELLED, Label, label_of
from sim.runs.progress import show_progress
from sim.runs.remote.object_store import check_folder, is_url
from sim.runs.remote.url_run import execute_at_url
from sim.runs.run import Enough, Summary, execute
from sim.runs.shards import Play, play_shards
from sim.runs.store.parquet import check_out


@checks_arguments
def simulate(
    game: str,
    *,
    games: int = 10_000,
    players: int | str | Sequence[int] | None = None,
    strategies: str | Sequence[str] | None = None,
    factions: str | Sequence[str] = "all",
    variant: str | Sequence[str] | None = None,
    assign: str = "rotate",
    seed: int = 1,
    detail: str = "seats",
    settings: Mapping[str, object] | None = None,
    changes: str | Sequence[str] = (),
    decks: str | Path | Sequence[str | Path] = (),
    code: str | Path | None = None,
    out: str | Path | None = None,
    overwrite: bool = False,
    jobs: int = -1,
    progress: bool = True,
    checked: bool = False,
    games_from: int | None = None,
    games_to: int | None = None,
    cluster: str | None = None,
    tags: str | Sequence[str] = (),
    note: str = "",
) -> Path:
    """Play games with scripted players and write a run folder, as `empirelab simulate` does.

    Parameters
    ----------
    game
        Name of the game, such as "seven_wonders".
    games
        How many games to play.
    players
        Players at the table, or several numbers that share the games: a list, or a text with commas. By default
        the number that the game declares.
    strategies, factions
        Who meets, and what may be dealt: a list of names, or a text with commas.
    variant
        Variant of the game, or several that share the games; by default the one for so many players.
    assign
        Who sits where: "rotate", "random" or "fixed".
    seed
        The same seed gives the same games anywhere.
    detail
        "seats", or "cards" to keep what became of every card.
    settings
        Open points of the rules to be played another way, by name.
    changes
        Changes to cards, boards, constants or weights: "cards.toml#pawnshop.vp=4".
    decks
        TOML files with decks of your own, in a game that has them; their factions are dealt like the others.
    code
        Python file with a strategy of your own.
    out
        Folder for the results. By default a new temporary folder, which is removed when Python ends: a cell of a
        notebook can so be run again, and leaves nothing behind. A run into a folder of yours that was interrupted is
        gone on with by the same call.
    overwrite
        Replace the run in `out`.
    jobs
        Workers, -1 for all cores.
    progress
        Show a bar on a terminal or in a notebook.
    checked
        Stop with an error if a strategy writes into the game; the games are the same, and several times slower.
    games_from, games_to
        Play a stretch only, from this game on and up to before that one, to be joined with others by
        `sim.runs.store.merge`.
    cluster
        Address of the scheduler of a Dask cluster that plays the games, or "local" for one of `jobs` processes here.
    tags, note
        What you want to find the run by, and what you want to remember of it; they stand in the manifest.

    Returns
    -------
    Path
        The run folder, to be opened with `reports.load_run`.

    Raises
    ------
    UserError
        An option is wrong, the folder exists or cannot be written, an unfinished run of another plan lies there, or a
        strategy fails.
    KeyboardInterrupt
        It was interrupted; the error says what is kept.
    """
    config = config_of(
        "simulate",
        game=game,
        games=games,
        players=players,
        strategies=strategies,
        factions=factions,
        variant=variant,
        assign=assign,
        seed=seed,
        detail=detail,
        code=code,
        settings=settings or {},
        changes=changes,
        decks=decks,
        checked=checked,
    )
    label = label_of(tags, note)
    check_folder(out, "out")
    folder = Path(tempfile.mkdtemp(prefix="empirelab-")) / game if out is None else Path(out)
    try:
        command = command_of(config)
        keep = out is not None
        stretch = stretch_asked(games_from, games_to)
        carry_out(
            config,
            folder,
            jobs=jobs,
            overwrite=overwrite,
            command=command,
            progress=progress,
            stretch=stretch,
            keep=keep,
            cluster=cluster,
            label=label,
        )
    except BaseException:
        if out is None:
            shutil.rmtree(folder.parent, ignore_errors=True)
        raise
    if out is None:
        atexit.register(shutil.rmtree, folder.parent, ignore_errors=True)
    return folder


GAME_DEFAULTS = ("players", "strategies")
"""Options whose defaults the game declares."""


def config_of(origin: str, **options: Any) -> RunConfig:
    """Check the options of a run; lists may be texts with commas.

    Parameters
    ----------
    origin
        Where the options come from, for messages.
    options
        The fields of `RunConfig`.

    Raises
    ------
    UserError
        An option is unknown or has a wrong value.
    """
    asked = {name: value for name, value in options.items() if value is not None or name not in GAME_DEFAULTS}
    asked |= {name: words_of(asked[name]) for name in ("strategies", "factions") if name in asked}
    if "players" in asked:
        asked["players"] = counts_of(asked["players"])
    if isinstance(asked.get("variant"), str | Sequence):
        asked["variant"] = words_of(asked["variant"])
    asked["settings"] = dict(options["settings"])
    if "changes" in asked:
        asked["changes"] = [asked["changes"]] if isinstance(asked["changes"], str) else list(asked["changes"])
    if "decks" in asked:
        decks = asked["decks"]
        asked["decks"] = list(map(str, [decks] if isinstance(decks, str | Path) else decks))
    asked["code"] = None if options["code"] is None else str(options["code"])
    return spelt_out(validate_row(origin, asked, RunConfig, None))


def stretch_asked(games_from: int | None, games_to: int | None) -> tuple[int | None, int | None] | None:
    """Return the stretch of games that is asked for; None for all."""
    return None if games_from is None and games_to is None else (games_from, games_to)


def words_of(names: str | Sequence[str]) -> list[str]:
    """Return names given as a list, or as a text with commas."""
    return [word.strip() for word in names.split(",") if word.strip()] if isinstance(names, str) else list(names)


def counts_of(players: int | str | Sequence[int]) -> Any:
    """Return one number of players or a list of them; what is no number stays as it is, to be complained of."""
    if not isinstance(players, str):
        return list(players) if isinstance(players, Sequence) else players
    words = [word.strip() for word in players.split(",")]
    found = [int(word) if word.lstrip("-").isdecimal() else word for word in words]
    return found[0] if len(found) == 1 else found


def carry_out(
    config: RunConfig,
    out: Path | str,
    *,
    jobs: int = -1,
    overwrite: bool = False,
    command: str = "",
    progress: bool = True,
    say: Callable[[str], None] | None = None,
    rule: Callable[[Plan], Enough] | None = None,
    stretch: tuple[int | None, int | None] | None = None,
    keep: bool = True,
    cluster: str | None = None,
    label: Label = UNLABELLED,
) -> Summary:
    """Play a run with a progress bar and write its folder.

    Parameters
    ----------
    out
        Folder of the run; or a URL, where the workers of a cluster put it.
    command
        What the manifest says was asked for.
    progress
        Whether to show a bar.
    say
        Told what is being prepared; by default the bar says it.
    rule
        Makes the rule that may end the run early from its plan, see `sim.runs.run.Enough`.
    stretch
        Games from which and before which games are played, see `sim.runs.run.execute`.
    keep
        Whether what has been played is kept when an interrupt or the disk ends the run; the same options go on with it.
    cluster
        As for `simulate`.
    label
        Tags and note of the manifest.

    Raises
    ------
    UserError, KeyboardInterrupt
        As for `make_plans` and `execute`, and `execute_at_url`; or a URL is asked to be what only a folder can be.
    """
    url = str(out) if is_url(out) else ""
    if url:
        check_at_url(url, cluster, overwrite, rule is not None)
    else:
        check_out(Path(out), overwrite)
    plans = make_plans(config)
    counts = " or ".join(dict.fromkeys(str(plan.players) for plan in plans))
    title = f"{plans[0].game.title}, {counts} player{'' if counts == '1' else 's'}"
    with show_progress(title, config.games, progress) as bar, ExitStack() as stack:
        play: Play = play_shards
        if cluster is not None:
            from sim.runs.remote.cluster import cluster_of  # noqa: PLC0415 - a package that few have

            found = stack.enter_context(cluster_of(cluster, config, stretch, jobs, say or bar.say, url))
            if url:
                return execute_at_url(
                    plans,
                    config.games,
                    url,
                    found.write,
                    command=command,
                    stretch=stretch,
                    label=label,
                    say=say or bar.say,
                    report=bar.advance,
                )
            play = found.play
        return execute(
            plans,
            config.games,
            Path(out),
            jobs=jobs,
            overwrite=overwrite,
            command=command,
            enough=None if rule is None else rule(plans[0]),
            stretch=stretch,
            keep=keep,
            play=play,
            label=label,
            say=say or bar.say,
            report=bar.advance,
        )


def check_at_url(url: str, cluster: str | None, overwrite: bool, ends_early: bool) -> None:
    """Check that a run that is to lie at a URL is asked for as one.

    Raises
    ------
    UserError
        No cluster is to put it there, or it is to be what only a run in a folder can be.
    """
    folder = "a folder"
    if cluster is None:
        message = "at a URL the workers of a cluster put a run (--cluster)"
        raise UserError(message, field="out", found=url, allowed=folder)
    if overwrite:
        message = "what lies at a URL is not replaced"
        raise UserError(message, field="overwrite", found=url, allowed=f"another URL, {folder}, or remove it there")
    if ends_early:
        message = "a rule that ends a run looks at all its games, which stay at the workers of a run at a URL"
        raise UserError(message, field="until-width", found=url, allowed=folder)


def command_of(config: RunConfig) -> str:
    """Return the command that plays a run again."""
    words = ["empirelab", "simulate", config.game]
    options = config.model_dump(exclude={"game", "settings", "changes", "decks", "out", "jobs"})
    left_out = RunConfig(game=config.game).model_dump()
    for name, value in options.items():
        if value == left_out[name]:
            continue
        words.append(f"--{name}")
        if value is not True:
            words.append(",".join(map(str, value)) if isinstance(value, list) else str(value))
    for text in config.changes:
        words += ["--change", text]
    for path in config.decks:
        words += ["--deck", path]
    for name, value in config.settings.items():
        words += ["--set", f"{name}={str(value).lower() if isinstance(value, bool) else value}"]
    return shlex.join(words)
