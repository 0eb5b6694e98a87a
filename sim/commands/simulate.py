"""Plays games and writes a run folder."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sim.commands.completion import variants_named
from sim.commands.guarding import TIME_LIMIT, Guard, TimeLimit, carry_out_guarded, codes_of
from sim.commands.shared import (
    AsJson,
    Assign,
    Changes,
    Cluster,
    Code,
    Decks,
    Factions,
    FileJobs,
    GameName,
    GamesFrom,
    GamesTo,
    Jobs,
    Note,
    Quiet,
    Seed,
    Settings,
    Strategies,
    Tags,
    command_line,
    print_json,
    read_changes,
    read_settings,
    say_unless,
    whole_number,
)
from sim.errors import UserError

if TYPE_CHECKING:
    from sim.runs.config import RunConfig
    from sim.runs.label import Label
    from sim.runs.run import Summary


def simulate(
    game: GameName,
    games: Annotated[
        int,
        typer.Option(
            "--games", "-n", parser=whole_number, metavar="NUMBER", help="How many games to play, such as 1e6."
        ),
    ] = 10_000,
    players: Annotated[
        str | None,
        typer.Option(
            "--players",
            "-k",
            help="How many players sit at the table; several numbers share the games. "
            "By default the game's usual number.",
        ),
    ] = None,
    strategies: Strategies = None,
    factions: Factions = "all",
    variant: Annotated[
        str | None,
        typer.Option(
            help="Variant of the game; several, with commas, share the games. By default the one for so many players.",
            autocompletion=variants_named,
        ),
    ] = None,
    assign: Assign = "rotate",
    seed: Seed = 1,
    detail: Annotated[str, typer.Option(help="What is kept: seats, or cards too.")] = "seats",
    out: Annotated[
        str | None,
        typer.Option("--out", "-o", help="Folder for the results; with --cluster, also a URL such as s3://bucket/run."),
    ] = None,
    overwrite: Annotated[bool, typer.Option(help="Replace the run in the output folder.")] = False,
    jobs: Jobs = -1,
    code: Code = None,
    guard: Guard = True,
    time_limit: TimeLimit = TIME_LIMIT,
    settings: Settings = None,
    changes: Changes = None,
    decks: Decks = None,
    until_width: Annotated[
        float | None,
        typer.Option(
            metavar="POINTS",
            help="Stop as soon as every 95 % interval is this narrow: 0.5 for ± 0.5 points of win share. "
            "--games is then the most.",
        ),
    ] = None,
    until_of: Annotated[
        str | None, typer.Option(help="Whose intervals: faction, strategy, seat or all; by default factions.")
    ] = None,
    games_from: GamesFrom = None,
    games_to: GamesTo = None,
    cluster: Cluster = None,
    checked: Annotated[
        bool, typer.Option("--checked", help="Stop if a strategy writes into the game; several times slower.")
    ] = False,
    tags: Tags = None,
    note: Note = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Play games with scripted players and write the results to a folder of Parquet files.

    Example: empirelab simulate seven_wonders --games 100000 --players 4
    --strategies balanced,military,science --out runs/first
    """
    from sim.runs.label import label_of
    from sim.runs.remote.object_store import is_url
    from sim.runs.simulate import config_of, stretch_asked

    label = label_of(tags, note)
    config = config_of(
        "command line",
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
        settings=read_settings(settings),
        changes=read_changes(changes, game),
        decks=decks or [],
        checked=checked,
    )
    rule = stopping_rule(until_width, until_of)
    stretch = stretch_asked(games_from, games_to)
    asked = out or f"runs/{game}"
    folder = asked if is_url(asked) else Path(asked)
    done = play(
        config,
        folder,
        jobs=jobs,
        overwrite=overwrite,
        quiet=quiet,
        rule=rule,
        stretch=stretch,
        cluster=cluster,
        label=label,
    )
    if as_json:
        print_json(as_values(done))
    elif not quiet:
        print_summary(done, config.game)


def stopping_rule(width: float | None, of: str | None) -> Callable[[Any], Any] | None:
    """Return what makes the rule that ends a run from its plan; None where no width is asked for.

    Raises
    ------
    UserError
        A table is named, but no width.
    """
    if width is None:
        if of is not None:
            raise UserError("this option needs --until-width", field="until-of", found=of)
        return None
    from reports.studies.sample_size.sequential import until_width_rule

    return lambda plan: until_width_rule(plan, width, of)


def run(
    config: Annotated[Path, typer.Argument(metavar="CONFIG.toml", help="File that describes the run, or several.")],
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", help="Folder for the results, instead of the file's; several runs go below it."),
    ] = None,
    overwrite: Annotated[bool, typer.Option(help="Replace the run in the output folder.")] = False,
    jobs: FileJobs = None,
    games_from: GamesFrom = None,
    games_to: GamesTo = None,
    guard: Guard = True,
    time_limit: TimeLimit = TIME_LIMIT,
    cluster: Cluster = None,
    tags: Tags = None,
    note: Note = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Carry out a run described in a TOML file, or several: its keys are the options of simulate, but for --until.

    Each [[run]] table of a file is a run of its own, with a name and what it changes. What an interrupt has left of
    them is gone on with.
    """
    from sim.runs.config import read_runs
    from sim.runs.label import label_of
    from sim.runs.run import jobs_to_use
    from sim.runs.several import played_before
    from sim.runs.simulate import stretch_asked

    if guard:
        carry_out_guarded(codes_of(config), time_limit)
    label = label_of(tags, note)
    asked = read_runs(config)
    stretch = stretch_asked(games_from, games_to)
    if stretch is not None and len(asked) > 1:
        raise UserError("a stretch is taken of one run", field="games-from", found=f"{len(asked)} runs", file=config)
    folders = {name: folder_of(config, each, name, out) for name, each in asked.items()}
    for each in asked.values():
        jobs_to_use(each.jobs if jobs is None else jobs)
    # Whatever is wrong with any of several is found before the first is played.
    keeps = len(asked) > 1 and not overwrite and not all(folder.exists() for folder in folders.values())
    there = played_before(asked, folders, overwrite, stretch, keeps=keeps, file=config)
    played: list[dict[str, Any]] = []
    for number, (name, each) in enumerate(asked.items(), start=1):
        if len(asked) > 1:
            say_unless(quiet)(f"run {number} of {len(asked)}: {name}{' is there' if name in there else ''}")
        if name in there:
            played.append({"name": name, "folder": str(folders[name]), "played_before": True})
            continue
        workers = each.jobs if jobs is None else jobs
        done = play(
            each,
            folders[name],
            jobs=workers,
            overwrite=overwrite,
            quiet=quiet,
            stretch=stretch,
            cluster=cluster,
            label=label,
        )
        if not (quiet or as_json):
            print_summary(done, each.game)
        played.append(({"name": name} if name else {}) | as_values(done))
    if as_json:
        print_json({"runs": played} if "" not in asked else played[0])


def folder_of(file: Path, config: RunConfig, name: str, out: Path | None) -> Path:
    """Return where a run of a file goes: the folder asked for, or the file's; below it where the run has a name."""
    folder = out or (Path(config.out) if config.out else Path("runs") / file.stem)
    return folder / name if name else folder


def play(
    config: RunConfig,
    out: Path | str,
    *,
    jobs: int,
    overwrite: bool,
    quiet: bool,
    rule: Callable[[Any], Any] | None = None,
    stretch: tuple[int | None, int | None] | None = None,
    cluster: str | None = None,
    label: Label | None = None,
) -> Summary:
    """Play a run with a progress bar."""
    from sim.runs.label import UNLABELLED
    from sim.runs.simulate import carry_out

    return carry_out(
        config,
        out,
        jobs=jobs,
        overwrite=overwrite,
        command=command_line(),
        progress=not quiet,
        say=say_unless(quiet),
        rule=rule,
        stretch=stretch,
        cluster=cluster,
        label=label or UNLABELLED,
    )


def as_values(done: Summary) -> dict[str, Any]:
    """Return what a finished run says of itself as JSON has it."""
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
    """Sum a finished run up."""
    from reports.formatting import ending
    from sim.game import load_game
    from sim.runs.remote.object_store import is_url

    speed = done.games / done.seconds if done.seconds else 0.0
    games, seats = (
        f"{number:,} {noun}{'' if number == 1 else 's'}" for number, noun in ((done.games, "game"), (done.rows, "seat"))
    )
    print(f"{games}, {seats} in {done.seconds:.1f} s ({speed:,.0f} games/s)")
    if done.stopped is not None:
        title = load_game(game).faction_title
        print(ending({"stopped": done.stopped, "games": done.games, "faction_title": title}))
    scores = sorted(done.mean_scores.items(), key=lambda item: -item[1])
    print("mean score: " + ", ".join(f"{name} {score:.1f}" for name, score in scores))
    folder = shlex.quote(str(done.folder))
    fetched = is_url(done.folder)
    command = f"fetch {folder} --out DIR" if fetched else f"report {folder}"
    print(f"written to {done.folder} ({done.size / 1e6:.1f} MB); read it with: empirelab {command}")
