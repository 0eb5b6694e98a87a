"""Fits a strategy's weights to the choices of a player who looks ahead."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sim.commands.completion import complete_strategies
from sim.commands.console import print_json
from sim.commands.options import GameName, NewStrategy, Options, Replace, games_option, guarded, option, with_options
from sim.commands.tune import asked_of, check_name_of_file, check_search_sizes, check_strategy_file


@with_options(
    "weights pool fresh players factions variant seed code sandbox decks name out overwrite jobs as_json quiet",
    seed="Seed of the deals.",
)
def distil(
    options: Options,
    game: GameName,
    strategy: Annotated[
        str,
        typer.Argument(
            metavar="STRATEGY", help="Strategy whose weights are fitted.", autocompletion=complete_strategies
        ),
    ],
    teacher: Annotated[str, option("The teacher: a player who looks ahead.", "--from", of="PLAYER")] = "balanced+32",
    games: Annotated[int, games_option("Games that the strategy plays against itself.")] = 200,
    share: Annotated[
        float,
        typer.Option(min=0.001, max=1.0, metavar="SHARE", help="Share of its decisions at which the teacher is asked."),
    ] = 0.5,
    rounds: Annotated[int, option("Largest number of fits; each starts where the last one ended.", least=1)] = 4,
    code: Annotated[
        Path | None,
        typer.Option(metavar="FILE", callback=guarded, help="File with your own strategy, to fit or as an opponent."),
    ] = None,
    name: Annotated[str | None, option("Name of the new strategy.", of="NAME", usual="STRATEGY-learnt")] = None,
    out: NewStrategy = None,
    overwrite: Replace = False,
) -> None:
    """Fit a strategy's weights to the choices of a player who looks ahead, test them, and write them as a TOML file.

    Examples
    --------
    empirelab distil seven_wonders balanced --from balanced+8 --weights blue,wonder --pool civil --out learnt.toml

    Notes
    -----
    The strategy plays against itself. At some of its decisions the teacher estimates every option's win probability
    by rollouts. The weights are fitted so that the choices of the strategy lose as little of that as possible
    (softmax regression). One game in five is held back, and a fit counts only if it also loses less there. The
    command warns if there are fewer than 20 decisions for each weight: too few decisions make a strategy weaker. The
    result is measured on unused deals as by `tune`. The strategy plays as fast as before.

    A result can be the next start: `distil GAME balanced-learnt --from balanced-learnt+32 --code
    balanced-learnt.toml`.
    """
    from reports.studies.players.distilling import distil_strategy
    from reports.studies.players.tuning import tuning_lines

    called = name or f"{strategy}-learnt"
    path = out or Path(f"{called}.toml")
    check_name_of_file(called)
    check_strategy_file(path, overwrite)
    check_search_sizes(games=games, fresh=options.fresh)
    found = distil_strategy(
        game, strategy, teacher, games=games, share=share, rounds=rounds, progress=not options.quiet,
        **asked_of(options, code, called, path),
    )  # fmt: skip
    if options.as_json:
        print_json(dict(found.record))
    else:
        print("\n".join([*tuning_lines(found), f"written: {path}; play it with: --code {path}"]))
