"""Plays random runs of a game with everything checked."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer

from sim.commands.shared import AsJson, Decks, GameName, Quiet, Seed, counting_number, print_json, progress_bar

BROKEN = 1
"""Exit status where something did not hold."""


def soak(
    game: GameName,
    minutes: Annotated[float, typer.Option(min=0.0, help="How long, by the clock.")] = 1.0,
    seed: Seed = 1,
    trial: Annotated[int | None, typer.Option(min=0, help="Play this trial only.")] = None,
    games: Annotated[
        int | None,
        typer.Option(
            "--games", "-n", parser=counting_number, metavar="NUMBER", help="With --trial: how many games of it."
        ),
    ] = None,
    decks: Decks = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Play random line-ups, variants, settings and numbers of players, with every law, index and digest checked.

    Example: empirelab soak seven_wonders --minutes 10
    """
    from reports.words import counted
    from sim.errors import UserError
    from sim.game import load_game
    from sim.soak import Violation
    from sim.soak import soak as play

    if games is not None and trial is None:
        raise UserError("this option needs --trial", field="games", found=games)

    def tell(one: Violation) -> None:
        if not as_json:
            print(f"{one.fault}\n  with every check: {one.again}\n  the run itself:   {one.plain}", flush=True)

    with progress_bar(f"{load_game(game).title}, soaking", None, quiet or as_json) as advance:
        found = play(
            game,
            seconds=60.0 * minutes,
            seed=seed,
            trial=trial,
            games=games,
            decks=decks or [],
            progress=advance,
            tell=tell,
        )
    if as_json:
        print_json(asdict(found))
    elif not quiet:
        clean = "all clean" if not found.violations else f"{len(found.violations)} not clean"
        print(f"{counted(found.games, 'game')} in {counted(found.trials, 'trial')} of seed {found.seed}, {clean}")
    if found.violations:
        raise typer.Exit(BROKEN)
