"""Fits a strategy's weights to what a player who looks ahead finds."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sim.commands.console import command_line, print_json
from sim.commands.options import GameName, NewStrategy, Options, Replace, games_option, split, with_options
from sim.commands.sandbox_options import guarded
from sim.commands.tune import check_name_of_file, check_sizes, check_strategy_file


@with_options(
    "weights pool fresh players factions variant seed code sandbox decks name out overwrite jobs as_json quiet",
    seed="Seed of the deals.",
)
def distil(
    options: Options,
    game: GameName,
    strategy: Annotated[str, typer.Argument(metavar="STRATEGY", help="The strategy whose weights are to be fitted.")],
    teacher: Annotated[
        str,
        typer.Option("--from", metavar="PLAYER", help="Who says what options are worth: a player who looks ahead."),
    ] = "balanced+32",
    games: Annotated[int, games_option("Games the strategy plays against itself.")] = 200,
    share: Annotated[
        float, typer.Option(min=0.001, max=1.0, help="Part of its decisions at which the teacher is asked.")
    ] = 0.5,
    rounds: Annotated[int, typer.Option(min=1, help="Fits at most, each from where the one before has ended.")] = 4,
    code: Annotated[
        Path | None, typer.Option(callback=guarded, help="File with a strategy of your own, to fit or to meet.")
    ] = None,
    name: Annotated[str | None, typer.Option(help="Name of the new strategy; by default STRATEGY-learnt.")] = None,
    out: NewStrategy = None,
    overwrite: Replace = False,
) -> None:
    """Fit a strategy's weights to what a player who looks ahead finds, test them, and write them as a TOML file.

    Example: empirelab distil seven_wonders balanced --from balanced+32 --games 400
    """
    from reports.studies.players.distilling import distil_strategy
    from reports.studies.players.tuning import tuning_lines

    called = name or f"{strategy}-learnt"
    path = out or Path(f"{called}.toml")
    check_name_of_file(called)
    check_strategy_file(path, overwrite)
    check_sizes(games=games, fresh=options.fresh)
    found = distil_strategy(
        game,
        strategy,
        teacher,
        weights=None if options.weights is None else split(options.weights),
        games=games,
        share=share,
        rounds=rounds,
        fresh=options.fresh,
        pool=None if options.pool is None else split(options.pool),
        players=options.players,
        factions=split(options.factions),
        variant=options.variant,
        seed=options.seed,
        code=code,
        decks=options.decks or [],
        name=called,
        out=path,
        jobs=options.jobs,
        command=command_line(),
        progress=not options.quiet,
        say=options.log,
    )
    if options.as_json:
        print_json(dict(found.record))
    else:
        print("\n".join([*tuning_lines(found), f"written: {path}; play it with: --code {path}"]))
