"""Plays games and writes a run folder."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sim.commands.completion import complete_variants
from sim.commands.console import print_json
from sim.commands.options import (
    Changes,
    FileJobs,
    GameName,
    Options,
    games_option,
    read_changes,
    whole_number,
    with_options,
)
from sim.commands.sandbox_options import codes_of, run_command_guarded
from sim.errors import UserError

if TYPE_CHECKING:
    from sim.runs.config import RunConfig, RunRequest
    from sim.runs.run import Summary


@with_options(
    "players strategies factions variant assign seed detail out overwrite jobs code sandbox settings changes decks "
    "until_width until_of games_from games_to cluster checked tags note as_json quiet"
)
def simulate(
    options: Options,
    game: GameName,
    games: Annotated[int, games_option("How many games to play, such as 1e6.", whole_number)] = 10_000,
    players: Annotated[
        str | None,
        typer.Option(
            "--players",
            "-k",
            help="How many players sit at the table; several numbers share the games. "
            "By default the game's usual number.",
        ),
    ] = None,
    variant: Annotated[
        str | None,
        typer.Option(
            help="Variant of the game; several, with commas, share the games. By default by the number of players.",
            autocompletion=complete_variants,
        ),
    ] = None,
    detail: Annotated[str, typer.Option(help="What is kept: seats, or cards too.")] = "seats",
    out: Annotated[
        str | None,
        typer.Option("--out", "-o", help="Folder for the results; with --cluster, also a URL such as s3://bucket/run."),
    ] = None,
    changes: Changes = None,
    until_width: Annotated[
        float | None,
        typer.Option(
            metavar="POINTS",
            help="Stop as soon as every 95 % interval is this narrow: 0.5 for ± 0.5 points of win rate. "
            "--games is then the most.",
        ),
    ] = None,
    until_of: Annotated[
        str | None, typer.Option(help="Whose intervals: faction, strategy, seat or all; by default factions.")
    ] = None,
    checked: Annotated[
        bool, typer.Option("--checked", help="Stop if a strategy writes into the game; several times slower.")
    ] = False,
) -> None:
    """Play games with scripted players and write the results to a folder of Parquet files.

    Example: empirelab simulate seven_wonders --games 100000 --players 4
    --strategies balanced,military,science --out runs/first
    """
    from sim.data.files import is_url

    out = out or f"runs/{game}"
    request = options.request(
        options.config(
            game,
            games=games,
            players=players,
            variant=variant,
            detail=detail,
            changes=read_changes(changes, game),
            checked=checked,
        ),
        out if is_url(out) else Path(out),
    )
    done = play(replace(request, stop_rule=stopping_rule(until_width, until_of)), options)
    if options.as_json:
        print_json(simulated_values(done))
    elif not options.quiet:
        print_summary(done, game)


def stopping_rule(width: float | None, of: str | None) -> Callable[[Any], Any] | None:
    """Return the function that makes the stopping rule from a plan; None if no width is requested.

    Raises
    ------
    UserError
        A table is given without a width.
    """
    if width is None:
        if of is not None:
            raise UserError("this option needs --until-width", field="until-of", found=of)
        return None
    from reports.studies.sample_size.sequential import until_width_rule

    return lambda plan: until_width_rule(plan, width, of)


@with_options("out overwrite jobs games_from games_to sandbox cluster tags note as_json quiet")
def run(
    options: Options,
    config: Annotated[Path, typer.Argument(metavar="CONFIG.toml", help="File that describes the run, or several.")],
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", help="Folder for the results, instead of the file's; several runs go below it."),
    ] = None,
    jobs: FileJobs = None,
) -> None:
    """Carry out a run described in a TOML file, or several: its keys are the options of simulate, but for --until.

    Each [[run]] table of a file is a run of its own, with a name and what it changes. What an interrupt has left of
    them is gone on with.
    """
    from sim.runs.config import read_runs
    from sim.runs.simulate import find_played
    from sim.runs.threads import jobs_to_use

    if options.guard:
        run_command_guarded(codes_of(config), options.time_limit)
    requests = {
        name: options.request(each, folder_of(config, each, name, out), each.jobs if jobs is None else jobs)
        for name, each in read_runs(config).items()
    }
    several = len(requests) > 1
    if several and (options.games_from, options.games_to) != (None, None):
        raise UserError(
            "a stretch needs a file with a single run", field="games-from", found=f"{len(requests)} runs", file=config
        )
    for request in requests.values():
        jobs_to_use(request.jobs)
    # An error in any of several runs is found before the first is played.
    keeps = several and not options.overwrite and not all(Path(request.out).exists() for request in requests.values())
    there = find_played(requests, keeps=keeps, file=config)
    played: list[dict[str, Any]] = []
    for number, (name, request) in enumerate(requests.items(), start=1):
        if several:
            options.log(f"run {number} of {len(requests)}: {name}{' is there' if name in there else ''}")
        if name in there:
            played.append({"name": name, "folder": str(request.out), "played_before": True})
            continue
        done = play(request, options)
        if not (options.quiet or options.as_json):
            print_summary(done, request.config.game)
        played.append(({"name": name} if name else {}) | simulated_values(done))
    if options.as_json:
        print_json({"runs": played} if "" not in requests else played[0])


def folder_of(file: Path, config: RunConfig, name: str, out: Path | None) -> Path:
    """Return the folder of a run of a file: the one requested, or the file's; below it if the run has a name."""
    folder = out or (Path(config.out) if config.out else Path("runs") / file.stem)
    return folder / name if name else folder


def play(request: RunRequest, options: Options) -> Summary:
    """Play a run with a progress bar."""
    from sim.runs.simulate import play_request

    return play_request(request, progress=not options.quiet, say=options.log)


def simulated_values(done: Summary) -> dict[str, Any]:
    """Return the summary of a finished run as JSON values."""
    return {
        "folder": str(done.folder),
        "games": done.games,
        "seats": done.rows,
        "seconds": round(done.seconds, 3),
        "bytes": done.size,
        "mean_scores": done.mean_scores,
        "stopped": done.stopped,
    }


def print_summary(done: Summary, game: str) -> None:
    """Print the summary of a finished run."""
    from reports.formatting import stop_rule_words
    from sim.data.files import is_url
    from sim.game import load_game

    speed = done.games / done.seconds if done.seconds else 0.0
    games, seats = (
        f"{number:,} {noun}{'' if number == 1 else 's'}" for number, noun in ((done.games, "game"), (done.rows, "seat"))
    )
    print(f"{games}, {seats} in {done.seconds:.1f} s ({speed:,.0f} games/s)")
    if done.stopped is not None:
        title = load_game(game).faction_title
        print(stop_rule_words(done.stopped, done.games, title))
    scores = sorted(done.mean_scores.items(), key=lambda item: -item[1])
    print("mean score: " + ", ".join(f"{name} {score:.1f}" for name, score in scores))
    folder = shlex.quote(str(done.folder))
    fetched = is_url(done.folder)
    command = f"fetch {folder} --out DIR" if fetched else f"report {folder}"
    print(f"written to {done.folder} ({done.size / 1e6:.1f} MB); read it with: empirelab {command}")
