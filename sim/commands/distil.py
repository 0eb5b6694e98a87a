"""Fits a strategy's weights to what a player who looks ahead finds."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sim.commands.guarding import TIME_LIMIT, Guard, TimeLimit, guarded
from sim.commands.shared import (
    AsJson,
    Decks,
    Factions,
    Fresh,
    GameName,
    Jobs,
    NewStrategy,
    Players,
    Pool,
    Quiet,
    Replace,
    Variant,
    Weights,
    command_line,
    counting_number,
    print_json,
    say_unless,
    split,
)
from sim.commands.tune import check_file, check_name_of_file, check_sizes


def distil(
    game: GameName,
    strategy: Annotated[str, typer.Argument(metavar="STRATEGY", help="The strategy whose weights are to be fitted.")],
    teacher: Annotated[
        str,
        typer.Option("--from", metavar="PLAYER", help="Who says what options are worth: a player who looks ahead."),
    ] = "balanced+32",
    games: Annotated[
        int,
        typer.Option(
            "--games", "-n", parser=counting_number, metavar="NUMBER", help="Games the strategy plays against itself."
        ),
    ] = 200,
    share: Annotated[
        float, typer.Option(min=0.001, max=1.0, help="Part of its decisions at which the teacher is asked.")
    ] = 0.5,
    rounds: Annotated[int, typer.Option(min=1, help="Fits at most, each from where the one before has ended.")] = 4,
    weights: Weights = None,
    pool: Pool = None,
    fresh: Fresh = 100_000,
    players: Players = None,
    factions: Factions = "all",
    variant: Variant = None,
    seed: Annotated[int, typer.Option("--seed", "-s", help="Seed of the deals.")] = 1,
    code: Annotated[
        Path | None, typer.Option(callback=guarded, help="File with a strategy of your own, to fit or to meet.")
    ] = None,
    guard: Guard = True,
    time_limit: TimeLimit = TIME_LIMIT,
    decks: Decks = None,
    name: Annotated[str | None, typer.Option(help="Name of the new strategy; by default STRATEGY-learnt.")] = None,
    out: NewStrategy = None,
    overwrite: Replace = False,
    jobs: Jobs = -1,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Fit a strategy's weights to what a player who looks ahead finds, test them, and write them as a TOML file.

    Example: empirelab distil seven_wonders balanced --from balanced+32 --games 400
    """
    from reports.studies.players.distilling import distil_strategy
    from reports.studies.players.tuning import tuning_lines

    called = name or f"{strategy}-learnt"
    path = out or Path(f"{called}.toml")
    check_name_of_file(called)
    check_file(path, overwrite)
    check_sizes(games=games, fresh=fresh)
    found = distil_strategy(
        game,
        strategy,
        teacher,
        weights=None if weights is None else split(weights),
        games=games,
        share=share,
        rounds=rounds,
        fresh=fresh,
        pool=None if pool is None else split(pool),
        players=players,
        factions=split(factions),
        variant=variant,
        seed=seed,
        code=code,
        decks=decks or [],
        name=called,
        out=path,
        jobs=jobs,
        command=command_line(),
        progress=not quiet,
        say=say_unless(quiet),
    )
    if as_json:
        print_json(dict(found.record))
    else:
        print("\n".join([*tuning_lines(found), f"written: {path}; play it with: --code {path}"]))
