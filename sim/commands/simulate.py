"""Plays games and writes a run folder."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from sim.commands.shared import (
    Assign,
    Changes,
    Code,
    Factions,
    FileJobs,
    GameName,
    Jobs,
    Out,
    Seed,
    Settings,
    Strategies,
    command_line,
    read_settings,
    say,
)
from sim.errors import UserError


def simulate(
    game: GameName,
    games: Annotated[int, typer.Option("--games", "-n", help="How many games to play.")] = 10_000,
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
            help="Variant of the game; several, with commas, share the games. By default the one for so many players."
        ),
    ] = None,
    assign: Assign = "rotate",
    seed: Seed = 1,
    detail: Annotated[str, typer.Option(help="What is kept: seats, or cards too.")] = "seats",
    out: Out = None,
    overwrite: Annotated[bool, typer.Option(help="Replace the run in the output folder.")] = False,
    jobs: Jobs = -1,
    code: Code = None,
    settings: Settings = None,
    changes: Changes = None,
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
    checked: Annotated[
        bool, typer.Option("--checked", help="Stop if a strategy writes into the game; several times slower.")
    ] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress bar and no summary.")] = False,
) -> None:
    """Play games with scripted players and write the results to a folder of Parquet files.

    Example: empirelab simulate seven_wonders --games 100000 --players 4
    --strategies balanced,military,science --out runs/first
    """
    from sim.runs.simulate import config_of

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
        changes=changes or [],
        checked=checked,
    )
    rule = stopping_rule(until_width, until_of)
    play(config, out or Path("runs") / game, jobs=jobs, overwrite=overwrite, quiet=quiet, rule=rule)


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
    from reports.studies.sequential import until_width_rule

    return lambda plan: until_width_rule(plan, width, of)


def run(
    config: Annotated[Path, typer.Argument(metavar="CONFIG.toml", help="File that describes the run.")],
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="Folder for the results, instead of the file's.")
    ] = None,
    overwrite: Annotated[bool, typer.Option(help="Replace the run in the output folder.")] = False,
    jobs: FileJobs = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress bar and no summary.")] = False,
) -> None:
    """Carry out a run described in a TOML file; its keys are the options of simulate, without those with until."""
    from sim.runs.config import read_config

    asked = read_config(config)
    folder = out or (Path(asked.out) if asked.out else Path("runs") / config.stem)
    play(asked, folder, jobs=asked.jobs if jobs is None else jobs, overwrite=overwrite, quiet=quiet)


def play(
    config: Any, out: Path, *, jobs: int, overwrite: bool, quiet: bool, rule: Callable[[Any], Any] | None = None
) -> None:
    """Play a run with a progress bar and sum it up."""
    from sim.runs.simulate import carry_out

    done = carry_out(
        config,
        out,
        jobs=jobs,
        overwrite=overwrite,
        command=command_line(),
        progress=not quiet,
        say=(lambda text: None) if quiet else say,
        rule=rule,
    )
    if quiet:
        return
    from reports.words import ending
    from sim.game import load_game

    speed = done.games / done.seconds if done.seconds else 0.0
    games, seats = (
        f"{number:,} {noun}{'' if number == 1 else 's'}" for number, noun in ((done.games, "game"), (done.rows, "seat"))
    )
    print(f"{games}, {seats} in {done.seconds:.1f} s ({speed:,.0f} games/s)")
    if done.stopped is not None:
        title = load_game(config.game).faction_title
        print(ending({"stopped": done.stopped, "games": done.games, "faction_title": title}))
    scores = sorted(done.mean_scores.items(), key=lambda item: -item[1])
    print("mean score: " + ", ".join(f"{name} {score:.1f}" for name, score in scores))
    print(f"written to {out} ({done.size / 1e6:.1f} MB); read it with: empirelab report {shlex.quote(str(out))}")
