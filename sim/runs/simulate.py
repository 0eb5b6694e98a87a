"""Plays a run that was requested on the command line, in a run file or in Python."""

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
from sim.data.files import check_folder, is_url
from sim.errors import UserError, described_in
from sim.game import load_game
from sim.players.find_strategies import session_player
from sim.runs.config import RunConfig, RunRequest, label_of, make_plans, spelt_out
from sim.runs.progress import show_progress
from sim.runs.run import Summary, plan_of_run, play_run
from sim.runs.shards import Play, play_shards, share_out, stretch_of
from sim.runs.store.journal import can_resume, has_finished_run
from sim.runs.store.parquet import check_out
from sim.runs.store.run_folder import unfinished_at


@checks_arguments
def simulate(
    game: str | type,
    *,
    games: int = 10_000,
    players: int | str | Sequence[int] | None = None,
    strategies: str | Sequence[Any] | None = None,
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
        Name of the game, such as "seven_wonders"; or a game of your own: a Python file, which is run, or a class
        (`sim.games.plain.interface`).
    games
        How many games to play.
    players
        Number of players, or several numbers that share the games: a list, or a text with commas. By default the
        number that the game declares.
    strategies, factions
        The strategies that meet, and the factions that may be dealt: a list of names, or a text with commas. A strategy
        may also be a function `choose(view, options)` or an object with such a method
        (`docs/writing-a-strategy.md`).
    variant
        Variant of the game, or several that share the games; by default the one for that number of players.
    assign
        Who sits where: "rotate", "random" or "fixed".
    seed
        The same seed gives the same games anywhere.
    detail
        "seats", or "cards" to record what happened to every card.
    settings
        Values of the game's settings, by name. A setting decides a point that the rules leave open, or an option.
    changes
        Changes to cards, boards, constants or weights: "cards.toml#pawnshop.vp=4".
    decks
        TOML files with decks of your own, in a game that has them; their factions are dealt like the others.
    code
        Python file with a strategy of your own.
    out
        Folder for the results. By default a new temporary folder, which is removed when Python ends. So a cell of a
        notebook can be run again, and leaves nothing behind. If a run into a folder of yours is interrupted, the same
        call resumes it.
    overwrite
        Replace the run in `out`.
    jobs
        Workers, -1 for all cores.
    progress
        Show a bar on a terminal or in a notebook.
    checked
        Stop with an error if a strategy writes into the game. The games are the same, but take several times as long.
    games_from, games_to
        Play only the games from `games_from` up to, but not including, `games_to`; such stretches can be merged
        (`sim.runs.store.merge`).
    cluster
        Address of the scheduler of a Dask cluster that plays the games. "local" starts a cluster of `jobs` processes.
    tags, note
        Words to find the run by, and a free text; both are saved in the manifest.

    Returns
    -------
    Path
        The run folder, to be opened with `reports.load_run`.

    Raises
    ------
    UserError
        An option is wrong, the folder exists or cannot be written, an unfinished run of another plan is there, or a
        strategy fails.
    KeyboardInterrupt
        The run was interrupted; the error says what is saved.
    """
    options = dict(locals())
    config = config_of("simulate", **{name: options[name] for name in OPTIONS})
    label = label_of(tags, note)
    check_folder(out, "out")
    load_game(config.game)  # an unknown game leaves no temporary folder
    temporary: Path | None = None  # only this folder is ever removed
    if out is None:
        temporary = Path(tempfile.mkdtemp(prefix="empirelab-"))
        folder = temporary / Path(config.game).stem  # a game may be named by the path of its files
    else:
        folder = Path(out)
    request = RunRequest(
        config,
        folder,
        jobs=jobs,
        overwrite=overwrite,
        command=command_of(config),
        games_from=games_from,
        games_to=games_to,
        keep=out is not None,
        cluster=cluster,
        label=label,
    )
    try:
        play_request(request, progress=progress)
    except BaseException:
        if temporary is not None:
            shutil.rmtree(temporary, ignore_errors=True)
        raise
    if temporary is not None:
        atexit.register(shutil.rmtree, temporary, ignore_errors=True)
    return folder


OPTIONS = (
    "game", "games", "players", "strategies", "factions", "variant", "assign", "seed", "detail", "settings", "changes",
    "decks", "code", "checked",
)  # fmt: skip
"""Options of `simulate` that are fields of `RunConfig`."""
GAME_DEFAULTS = ("players", "strategies")
"""Options whose defaults the game declares."""


def config_of(origin: str, **options: Any) -> RunConfig:
    """Check the options of a run and return them as a configuration. Lists may be strings with commas.

    `origin` says in messages where the options come from. Missing fields of `RunConfig` have the defaults of
    `simulate`. Raise UserError if an option is unknown or has a wrong value.
    """
    fields = {name: value for name, value in options.items() if value is not None or name not in GAME_DEFAULTS}
    fields |= {name: words_of(fields[name]) for name in ("strategies", "factions") if name in fields}
    if "strategies" in fields:
        fields["strategies"] = [one if isinstance(one, str) else session_player(one) for one in fields["strategies"]]
    if "players" in fields:
        fields["players"] = counts_of(fields["players"])
    if isinstance(fields.get("variant"), str | Sequence):
        fields["variant"] = words_of(fields["variant"])
    fields["settings"] = dict(options.get("settings") or {})
    if "changes" in fields:
        fields["changes"] = [fields["changes"]] if isinstance(fields["changes"], str) else list(fields["changes"])
    if "decks" in fields:
        decks = fields["decks"]
        fields["decks"] = list(map(str, [decks] if isinstance(decks, str | Path) else decks))
    if fields.get("code") is not None:
        fields["code"] = str(fields["code"])
    return spelt_out(validate_row(origin, fields, RunConfig, None))


def words_of(names: str | Sequence[str]) -> list[str]:
    """Return names given as a list, or as a string with commas."""
    return [word.strip() for word in names.split(",") if word.strip()] if isinstance(names, str) else list(names)


def counts_of(players: int | str | Sequence[int]) -> Any:
    """Return numbers of players, or a string of them with commas, as `RunConfig` takes them.

    Anything else is returned unchanged, so that the validation rejects it.
    """
    if not isinstance(players, str):
        return list(players) if isinstance(players, Sequence) else players
    counts = [int(word) if word.lstrip("-").isdecimal() else word for word in map(str.strip, players.split(","))]
    return counts[0] if len(counts) == 1 else counts


def play_request(request: RunRequest, *, progress: bool = True, say: Callable[[str], None] | None = None) -> Summary:
    """Play a run and write it into its folder, or to its URL.

    Parameters
    ----------
    progress
        Whether to show a progress bar.
    say
        Receives messages about the preparation. By default they are shown with the progress bar.
    """
    config, at_url = request.config, is_url(request.out)
    if at_url:
        check_at_url(request)
    else:
        check_out(Path(request.out), request.overwrite)
    plans = make_plans(config)
    counts = " or ".join(dict.fromkeys(str(plan.players) for plan in plans))
    title = f"{plans[0].game.title}, {counts} player{'' if counts == '1' else 's'}"
    with show_progress(title, config.games, progress) as bar, ExitStack() as stack:
        say = say or bar.say
        play: Play = play_shards
        if request.cluster is not None:
            from sim.runs.remote.cluster import connected_cluster  # noqa: PLC0415 - few have this package

            cluster = stack.enter_context(connected_cluster(request, say))
            if at_url:
                from sim.runs.remote.url_run import play_run_at_url  # noqa: PLC0415 - few runs go to a URL

                return play_run_at_url(plans, request, cluster.write, say=say, report=bar.advance)
            play = cluster.play
        return play_run(
            plans,
            config.games,
            Path(request.out),
            jobs=request.jobs,
            overwrite=request.overwrite,
            command=request.command,
            stop_rule=None if request.stop_rule is None else request.stop_rule(plans[0]),
            stretch=request.stretch,
            keep=request.keep,
            play=play,
            label=request.label,
            say=say,
            report=bar.advance,
        )


def check_at_url(request: RunRequest) -> None:
    """Check that a request fits a run at a URL.

    Raises
    ------
    UserError
        No cluster is given, or the request needs something that only a run in a folder can do.
    """
    url, folder = str(request.out), "a folder"
    if request.cluster is None:
        message = "only the workers of a cluster can write a run to a URL (--cluster)"
        raise UserError(message, field="out", found=url, allowed=folder)
    if request.overwrite:
        message = "a run at a URL cannot be replaced"
        raise UserError(message, field="overwrite", found=url, allowed=f"another URL, {folder}, or remove it there")
    if request.stop_rule is not None:
        message = "a stopping rule needs all games, but those of a run at a URL stay with its workers"
        raise UserError(message, field="until-width", found=url, allowed=folder)


def find_played(requests: Mapping[str, RunRequest], *, keeps: bool, file: Path | None = None) -> set[str]:
    """Check several runs; return the names of those that are already finished.

    Parameters
    ----------
    requests
        The requested runs, by name.
    keeps
        Whether finished runs of the same plans are kept. If not, an existing folder is an error unless its request
        overwrites it, and no run counts as finished.
    file
        The file that describes the runs, for messages; None if they come from the command line.

    Raises
    ------
    UserError
        A run is impossible, its folder cannot be written, or the folder holds another run.
    """
    plans = {}
    for name, request in requests.items():
        folder = Path(request.out)
        if not (keeps and folder.exists()):
            check_out(folder, request.overwrite)
        with described_in(file, name):
            whole = share_out(make_plans(request.config), request.config.games)
        taken = None if request.stretch is None else stretch_of(whole, *request.stretch)
        plans[name] = plan_of_run(whole if taken is None else taken.groups, "", taken)
        if (unfinished := unfinished_at(folder)) is not None:
            can_resume(unfinished, plans[name], request.overwrite)
    return {name for name, request in requests.items() if keeps and has_finished_run(Path(request.out), plans[name])}


def command_of(config: RunConfig) -> str:
    """Return the command that repeats a run."""
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
