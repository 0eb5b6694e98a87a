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
    FILES_OWN,
    Changes,
    FileJobs,
    GameName,
    Options,
    codes_of,
    games_option,
    option,
    read_changes,
    run_command_guarded,
    whole_number,
    with_options,
)
from sim.errors import UserError

if TYPE_CHECKING:
    from sim.runs.config import RunConfig
    from sim.runs.run import Summary


@with_options(
    "players strategies factions variant assign seed detail out overwrite jobs code sandbox settings changes decks "
    "until_width until_of games_from games_to cluster checked tags note as_json quiet"
)
def simulate(
    options: Options,
    game: GameName,
    games: Annotated[int, games_option("Games to play, such as 1e6.", whole_number)] = 10_000,
    players: Annotated[
        str | None,
        option(
            "Number of players at the table; several numbers (3,4,5) share the games.",
            "--players",
            "-k",
            of="NUMBERS",
            usual="the game's usual number",
        ),
    ] = None,
    variant: Annotated[
        str | None,
        option(
            "Variant of the game; several, with commas, share the games.",
            of="NAMES",
            usual="the first of the game for this number of players",
            complete=complete_variants,
        ),
    ] = None,
    detail: Annotated[str, option("Rows to keep: seats; or cards: those of every card too.", of="WHAT")] = "seats",
    out: Annotated[
        str | None,
        option(
            "Folder for the results; with --cluster, also a URL such as s3://bucket/run.",
            "--out",
            "-o",
            of="DIR",
            usual="runs/GAME",
        ),
    ] = None,
    changes: Changes = None,
    until_width: Annotated[
        float | None,
        option("Stop when every 95 % interval is at most ± this many points. --games is the limit.", of="POINTS"),
    ] = None,
    until_of: Annotated[
        str | None,
        option("With --until-width: whose intervals: faction, strategy, seat or all.", of="TABLE", usual="faction"),
    ] = None,
    checked: Annotated[
        bool, option("Stop if a strategy changes the state of the game; several times slower.", "--checked")
    ] = False,
) -> None:
    """Play games with scripted players and write the results to a folder of Parquet files.

    If a run is interrupted, the same command resumes it.

    Examples
    --------
    empirelab simulate seven_wonders --games 100000 --strategies balanced,military,science --out runs/first
    empirelab simulate seven_wonders --games 200000 --players 7 --strategies balanced --out runs/mirror
    empirelab simulate seven_wonders --players 3,4,5 --factions Rhodos,Gizah,A --out runs/tables
    empirelab simulate seven_wonders --set discounts_add_up=true --out runs/other-rules
    empirelab simulate seven_wonders --games 20000 --detail cards --out runs/cards
    empirelab simulate seven_wonders --code docs/examples/my_player.py --strategies my_player,greedy --out runs/mine

    Notes
    -----
    The run folder appears when the run is complete. Before a long run the command says about how long it takes and
    how much it writes. A line-up has at most 32 strategies, a run at most 2,147,483,647 games.

    `--assign` is one of

    - `rotate`: a block is one deal, played by the same players from each seat in turn. With more strategies than
      seats, each block draws its players; all strategies play equally often. The number of games should be a multiple
      of the players.
    - `random`: every game has a new deal and newly drawn seats.
    - `fixed`: the strategies sit in the order of `--strategies`, one for each seat, or one for all. If `--factions`
      names one faction for each seat, seat i gets faction i.

    Several numbers of players, or several variants, share the games evenly in one run. Each part plays the games that
    it would play alone with the same seed, and the report says what holds in each. Commands that answer one question
    (`plan`, `sweep`, `rebalance`, `intervene`, `tune`, `--sprt`, `--until-width`) take one number of players and one
    variant.

    A change is the path of a field and its new value. Tags and note are kept in the manifest and have no effect on
    the games.
    """
    from sim.data.files import is_url
    from sim.runs.simulate import play_request

    out = out or f"runs/{Path(game).stem}"
    changes = read_changes(changes, game)
    config = options.config(
        game, games=games, players=players, variant=variant, detail=detail, changes=changes, checked=checked
    )
    request = options.request(config, out if is_url(out) else Path(out))
    request = replace(request, stop_rule=stopping_rule(until_width, until_of))
    done = play_request(request, progress=not options.quiet, say=options.log)
    if options.as_json:
        print_json(simulated_values(done))
    elif not options.quiet:
        print_summary(done, game)


def stopping_rule(width: float | None, of: str | None) -> Callable[[Any], Any] | None:
    """Return a function that takes a plan and returns its stopping rule. None without --until-width."""
    if width is None:
        if of is not None:
            raise UserError("this option needs --until-width", field="until-of", found=of)
        return None
    from reports.studies.sample_size.sequential import until_width_rule

    return lambda plan: until_width_rule(plan, width, of)


@with_options("out overwrite jobs games_from games_to sandbox cluster tags note as_json quiet")
def run(
    options: Options,
    config: Annotated[Path, typer.Argument(metavar="CONFIG.toml", help="File that describes one run or several.")],
    out: Annotated[
        Path | None,
        option("Folder for the results; several runs go below it.", "--out", "-o", of="DIR", usual=FILES_OWN),
    ] = None,
    jobs: FileJobs = None,
) -> None:
    """Play the run, or the runs, that a TOML file describes; its keys are the options of simulate.

    If it is interrupted, the same command resumes it; finished runs are skipped. Defaults from empirelab.toml do not
    apply.

    Examples
    --------
    empirelab run configs/runs/demo.toml
    empirelab run configs/runs/demo.toml --out runs/again --jobs 1 --quiet

    Notes
    -----
    Keys are the long options of `simulate` without dashes, except `--until-width`, `--until-of`, `--games-from` and
    `--games-to`. `strategies` and `factions` are lists, `players` may be one, `settings` is a table (for `--set`),
    `changes` and `decks` are lists (for `--change` and `--deck`). Paths are relative to the working directory.

    ```toml
    game = "seven_wonders"
    games = 100000
    players = 4
    strategies = ["balanced", "military", "science"]
    factions = ["all"]
    seed = 1
    out = "runs/from-a-file"
    settings = { discounts_add_up = true }
    ```

    Several runs are `[[run]]` tables, each with a name and its own keys. Keys above them hold for all runs:

    ```toml
    game = "seven_wonders"
    games = 1e5
    out = "runs/schools"

    [[run]]
    name = "war"
    strategies = ["military", "balanced"]

    [[run]]
    name = "peace"
    strategies = ["civil", "science"]
    players = 3
    ```

    They are played one after the other into `runs/schools/war` and `runs/schools/peace`. All are checked before the
    first is played.
    """
    from sim.data.arguments import jobs_to_use
    from sim.runs.config import read_runs
    from sim.runs.simulate import find_played, play_request

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
    # This finds errors in any of several runs before the first run is played.
    keeps = several and not options.overwrite and not all(Path(request.out).exists() for request in requests.values())
    there = find_played(requests, keeps=keeps, file=config)
    played: list[dict[str, Any]] = []
    for number, (name, request) in enumerate(requests.items(), start=1):
        if several:
            options.log(f"run {number} of {len(requests)}: {name}{' is finished' if name in there else ''}")
        if name in there:
            played.append({"name": name, "folder": str(request.out), "played_before": True})
            continue
        done = play_request(request, progress=not options.quiet, say=options.log)
        if not (options.quiet or options.as_json):
            print_summary(done, request.config.game)
        played.append(({"name": name} if name else {}) | simulated_values(done))
    if options.as_json:
        print_json({"runs": played} if "" not in requests else played[0])


def folder_of(file: Path, config: RunConfig, name: str, out: Path | None) -> Path:
    """Return the output folder of a run that a file describes.

    The command line gives the folder, or else the file does. By default, the folder is named after the file. A named
    run has a subfolder of this folder.
    """
    folder = out or (Path(config.out) if config.out else Path("runs") / file.stem)
    return folder / name if name else folder


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
    from reports.formatting import counted, stop_rule_words
    from sim.data.files import is_url
    from sim.game import load_game

    speed = done.games / done.seconds if done.seconds else 0.0
    played = f"{counted(done.games, 'game')}, {counted(done.rows, 'seat')}"
    print(f"{played} in {done.seconds:.1f} s ({speed:,.0f} games/s)")
    if done.stopped is not None:
        title = load_game(game).faction_title
        print(stop_rule_words(done.stopped, done.games, title))
    scores = sorted(done.mean_scores.items(), key=lambda item: -item[1])
    print("mean score: " + ", ".join(f"{name} {score:.1f}" for name, score in scores))
    folder = shlex.quote(str(done.folder))
    fetched = is_url(done.folder)
    command = f"fetch {folder} --out DIR" if fetched else f"report {folder}"
    print(f"written to {done.folder} ({done.size / 1e6:.1f} MB); read it with: empirelab {command}")
