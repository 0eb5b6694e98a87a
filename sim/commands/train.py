"""Trains learned judges."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from sim.commands.completion import complete_strategies
from sim.commands.console import print_json
from sim.commands.options import (
    Changes,
    GameName,
    Options,
    counting_number,
    games_option,
    read_changes,
    with_options,
)
from sim.commands.tune import check_name_of_file, check_strategy_file


@with_options(
    "players base games fresh changes variant settings decks seed out overwrite as_json quiet",
    seed="Seed of the games and of the fit. The same seed gives the same files on the same machine.",
    variant="Variant of the game, or several with commas, which one judge then knows.",
)
def train(
    options: Options,
    game: GameName,
    out: Annotated[
        Path, typer.Option("--out", "-o", metavar="FILE.toml", help="File of the player; the weights lie beside it.")
    ],
    base: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="Strategy whose games the judge learns from, and which plays the rollouts.",
            autocompletion=complete_strategies,
        ),
    ] = "balanced",
    games: Annotated[int, games_option("Games of self-play.")] = 200_000,
    fresh: Annotated[
        int, typer.Option(parser=counting_number, metavar="NUMBER", help="Games of the test on fresh deals.")
    ] = 1000,
    changes: Changes = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace both files.")] = False,
) -> None:
    """Train a judge: a small net that tells from a position who will win, for players who look ahead a few rounds.

    Examples
    --------
    empirelab train seven_wonders --players 4 --games 20000 --out mine.toml
    empirelab simulate seven_wonders --strategies mine+8,balanced --code mine.toml --games 200 --out runs/mine

    Notes
    -----
    The judge learns from games of the base that begin with noise, so that it knows poor positions too. One game in 20
    is held out; the loss on these is shown. Before it is written, its player plays --fresh games on fresh deals with
    the player of the old judge (in the file, else that of the game, else the base); a weaker judge is not written.

    A judge knows one number of players and the tables that it was trained on. With others, --change and --set included,
    it is refused; train one for them. See docs/players.md.
    """
    from sim.diagnostics.judges.train import train_judge

    check_name_of_file(out.stem)
    check_strategy_file(out, overwrite)
    check_strategy_file(out.with_suffix(".npz"), overwrite)
    config = options.config(game, strategies=base, changes=read_changes(changes, game), code=None)
    found = train_judge(config, out, base=base, games=games, fresh=fresh, say=options.log)
    if options.as_json:
        print_json({**found.judge.record.model_dump(), "test": asdict(found.duel), "file": str(out)})
    else:
        print(f"{found.duel}\nwritten: {out} and {found.weights}; play it with: --code {out}")
